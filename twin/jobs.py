"""Which jobs there are: rules 2, 3 and 13 of docs/simulation-rules.md."""

import math

from streams import Stream

INFINITE = 10**15
ENDLESS = INFINITE // 100  # of a job without a limit


def scaled(seconds, speed):
    """How long something takes on a machine of a speed."""
    return seconds if speed == 1 else math.ceil(seconds / speed)


class Job:
    """A job as users ask for it, with its true run time, which only the simulator reads.

    place stands for its submission in every order: (submission, number, place in the log).
    """

    def __init__(self, number, submit, procs, requested, run, wait=-1, user=-1, queue=-1):
        self.number, self.submit, self.procs, self.requested, self.run = number, submit, procs, requested, run
        self.wait, self.user, self.queue = wait, user, queue
        self.licences, self.due, self.kill = {}, None, False  # copies by name; a deadline, and whether the job is stopped at it
        self.needs = {}  # memory, disk and gpus of each machine that it runs on
        self.on, self.off = [], []  # lists of clusters and machines, one of each of which it must be; what it must not be on
        self.each = 0  # processors on each node, where it asks for nodes
        self.setup, self.weight = 0, 1  # seconds of its run and its request; of its tardiness
        self.executable, self.group = -1, -1
        self.shares, self.only = [], None  # limits beside those of the platform; machines of its partition
        self.ranks = None  # its partitions, QOS and account, if it has any
        self.wants = None  # what it asks for as an advance reservation (desk.Request)
        self.place, self.row, self.beside = None, None, {}  # row: of its log; None of requests beside the jobs
        self.named, self.moved = number, 0  # in rules and files; how much later than there it comes, in a workload that is drawn
        self.apart = False  # a request beside the jobs, or a job of which a file says that it is a reservation
        self.unasked = False  # its log states no requested time
        self.endless = False  # nobody may count on its end
        self.sought = None  # for how many processors, where its reservation got fewer and is over
        self.done, self.submitted = 0, submit  # seconds of its run before it was suspended, and since when it waits

    def wide(self):
        """The processors that orders and predictions look at."""
        return self.sought or self.procs

    def left(self):
        """What is left of its request."""
        return ENDLESS if self.endless and self.wants is None else self.requested - self.done

    def length(self, now, speed=1):
        """How long the job may run from now on, on machines of a speed: its request, or until it is stopped."""
        left = scaled(self.left(), speed)
        return min(left, self.due - now) if self.kill else left

    def __repr__(self):
        return f"job {self.number}"


class Request:
    """What a job asks for as a reservation: its processors for a length within an interval."""

    def __init__(self, procs, ready, deadline, length, effort="exact"):
        self.procs, self.ready, self.deadline, self.length, self.effort = procs, ready, deadline, length, effort


def largest(platform, stated):
    """The size of the machine for cleaning: what one job can have at most."""
    sizes = [stated]
    for cluster in platform.get("clusters", []):
        each = [group.get("processors", 1) * (1 if cluster.get("packing") == "machine" else group.get("count", 1)) for group in cluster["groups"]]
        sizes.append(max(each) if cluster.get("packing") == "machine" else sum(each))
    return max(sizes[1:] or [platform.get("processors") or stated])


def clean(rows, processors, rules, said=None, beside=None):
    """The jobs of a log's rows: lists of its eighteen fields, unknown ones -1. What is said of
    each beside the log, by its place, goes along as job.said."""
    jobs = []
    for line, row in enumerate(rows):
        number, submit, wait, run, allocated, _, _, asked, requested = row[:9]
        procs = asked if asked > 0 else allocated
        told = said[line] if said else {}
        if run <= 0 and requested > 0 and told.get("withdrawn", submit) > submit:
            run = requested
        if procs <= 0 or run <= 0:
            continue
        if procs > processors:
            if rules.get("oversize", "drop") == "drop":
                continue
            procs = processors
        if requested <= 0:
            if rules.get("no_request", "run") == "drop":
                continue
            requested = run
        given = requested
        if run > requested:
            overrun = rules.get("overrun", "kill")
            if overrun == "drop":
                continue
            if overrun == "extend":
                requested = run
        job = Job(number, submit, procs, requested, min(run, requested), wait, row[11], row[14])
        job.place = (submit, number, line)
        job.said, job.status, job.executable = told, row[10], row[13]
        job.unasked = row[8] <= 0
        job.given = given  # as it was asked for, or by its partition, before an overrun extends it
        job.row, job.beside, job.group = row, (beside or {}).get(number, {}), row[12]
        jobs.append(job)
    return sorted(jobs, key=lambda job: job.place)


def shape(jobs, workload):
    """Filter and window."""
    f = workload.get("filter", {})
    kept = []
    for job in jobs:
        if f.get("users") and job.user not in f["users"] or job.user in f.get("exclude_users", []):
            continue
        if job.procs < f.get("min_procs", 0) or 0 < f.get("max_procs", 0) < job.procs:
            continue
        if job.run < f.get("min_run", 0) or 0 < f.get("max_run", 0) < job.run:
            continue
        w = workload.get("window", {})
        if w.get("from") is not None and job.submit < w["from"] or w.get("to") is not None and job.submit >= w["to"]:
            continue
        kept.append(job)
    return kept


def scale(kept, workload):
    """Another load, better requests, other times."""
    scale = workload.get("scale", {})
    load, time, known = scale.get("load", 1), scale.get("time", 1), scale.get("known", 0)
    for job in kept:
        if load != 1:
            job.submit = kept[0].place[0] + int((job.submit - kept[0].place[0]) / load)
        if known and job.requested > job.run:
            job.requested = job.run + int((1 - known) * (job.requested - job.run))
            job.given = job.requested
        if time != 1:
            job.run, job.requested, job.given = (max(1, int(time * x)) for x in (job.run, job.requested, job.given))
    for job in kept:
        job.place, job.submitted = (job.submit,) + job.place[1:], job.submit
    return kept


def annotate(jobs, workload):
    """What is said of single jobs, in the place of what rules gave them (rules.py)."""
    rules = workload.get("annotate", {})
    for job in jobs:
        for said in rules.get("jobs", []):
            if said["job"] == job.named:
                if said.get("due") is not None:
                    job.due = said["due"] + job.moved
                if said.get("on") is not None:
                    job.on, job.off = [said["on"]] if said["on"] else [], []
                needs = {**job.needs, **{what: said[what] for what in ("memory", "disk", "gpus") if said.get(what) is not None}}
                job.needs = {what: amount for what, amount in needs.items() if amount}
                if said.get("licences") is not None:
                    job.licences = {}
                    for words in said["licences"]:
                        name, _, copies = words.partition(":")
                        job.licences[name] = int(copies or 1)
                job.weight = said.get("weight") or job.weight
                if said.get("setup") is not None:
                    set_up(job, said["setup"])
        job.kill = rules.get("deadlines", {}).get("on_due") == "kill" and job.due is not None
    return jobs


def set_up(job, setup):
    """A set-up time in the place of the one that a job has: a part of its run and its request."""
    job.run, job.requested, job.setup = job.run + setup - job.setup, job.requested + setup - job.setup, setup


def ask(jobs, rule, random):
    """A rule makes a share of the jobs reservations: three numbers for each, asked or not."""
    get = rule.get
    for job in jobs:
        chosen = random.fraction() < rule["share"]
        lead = get("lead_min", 3600) + random.below(max(0, get("lead_max", 86400) - get("lead_min", 3600)) + 1)
        factor = get("factor_min", 1) + random.fraction() * (get("factor_max", 1) - get("factor_min", 1))
        if not chosen:
            continue
        if get("ready", "log") == "log":
            lead = max(0, job.wait)
        length = max(1, math.ceil(get("part", 1) * (job.requested if get("length", "requested") == "requested" else job.run)))
        if get("enlarge") == "both":
            lead = int(factor * lead)
        ready = job.submit + lead
        last = {"length": ready + int(factor * length), "wait": job.submit + int(factor * lead) + length, "hour": ready + length + int(3600 * factor)}[get("unit", "length")]
        job.wants = Request(job.procs, ready, max(last, ready + length), length)


def reserve(jobs, doc, file, processors, shares, rows, repetition=0):
    """Reservations: jobs that rules or a file make such, and requests beside the jobs,
    which are numbered on from the largest number of the log's rows."""
    rules, platform = doc["workload"].get("annotate", {}).get("reservations"), doc.get("platform", {})
    jobs = [job for job in jobs if job.named in file or not shares or shares.bind(job, doc["workload"].get("clean", {}).get("overrun", "kill"))]
    if rules and rules.get("share"):
        ask(jobs, rules, Stream(doc.get("seed", 1), "annotate/reservations", repetition))
    for job in jobs:
        one = file.get(job.named)
        if one:
            job.wants, job.apart = Request(job.procs, one["from"] + job.moved, one["to"] + job.moved, one["length"] or job.requested, one["effort"]), True
    number = max([row[0] for row in rows] + [job.number for job in jobs], default=0)
    first = min((job.submit for job in jobs), default=0)
    sizes = {c["name"]: sum(g.get("count", 1) * g.get("processors", 1) for g in c["groups"]) for c in platform.get("clusters", [])} or {"main": platform.get("processors") or processors}
    for one in platform.get("reservations", []):
        length = one.get("length") or one["to"] - one["from"]
        submit = first if one.get("submit") is None else one["submit"]
        widest = max((size for name, size in sizes.items() if one.get("cluster", name) == name), default=0)
        effort, asked = one.get("effort", "exact"), one["processors"]
        if not widest or asked > widest and effort != "processors" or one["from"] < submit or length > one["to"] - one["from"] and effort != "time":
            continue
        number += 1
        run = one.get("run") or length
        job = Job(number, submit, min(asked, widest), max(run, length), run)
        job.apart = True
        job.place, job.on = (submit, number, len(jobs)), [[one["cluster"]]] if one.get("cluster") else []
        job.wants = Request(job.procs, one["from"], one["to"], length, effort)
        jobs.append(job)
    all_of = {}
    for job in jobs:
        for key, amount, _ in job.shares:
            all_of[key] = all_of.get(key, 0) + amount
    for job in jobs:  # what all together cannot exceed is no limit
        job.shares = [(key, amount, most) for key, amount, most in job.shares if all_of[key] > most]
    return sorted(jobs, key=lambda job: job.place)
