#!/usr/bin/env python3
"""Recomputes every measure of summary.csv from what a run has exported, and comparison.csv.

    python3 recompute.py RESULTS

RESULTS is the folder that `batchlab run EXPERIMENT.json --out RESULTS` fills,
or the .zip of the page's "Save with all results". For each run the measures are
worked out anew from experiment.json, platform.json and the run's jobs file,
following docs/exports.md and docs/glossary.md, and compared with summary.csv,
digit by digit. Then quotients, intervals and words are worked out from them by
recompute_comparison.py, which lies beside this file, and compared with comparison.csv
(not of an experiment that varies), to nine digits: logarithms and quantiles may differ
in the last ones. Both share no code with Batchlab, and need Python 3 alone.

It prints one line a run, one on the comparison, and ends with 0 when all agree, else
with 1.
"""

import csv
import io
import json
import math
import os
import re
import sys
import zipfile

from recompute_comparison import compared


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    read = opener(sys.argv[1])
    document = json.loads(read("experiment.json"))
    with io.StringIO(read("summary.csv")) as text:
        summary = list(csv.DictReader(text))
    # What an experiment varies stands in columns of its own; its points follow
    # one another, each with all its runs.
    axes = list(summary[0])[: len(document.get("vary", []))]
    starts = [line["scheduler"] == "0" and line["repetition"] == "0" for line in summary]
    wrong = point = 0
    firsts = {}  # the runs of repetition 0 by scheduler
    for line, begins in zip(summary, starts):
        point += begins
        place = "-%0*d" % (len(str(sum(starts))), point) if axes else ""
        name = "jobs%s-%02d-%s-%s.csv" % (place, int(line["scheduler"]) + 1, line["key"], line["repetition"])
        run = Run(read(name), platform(read, place, line["repetition"]), varied(document, point - 1), line["key"] == "as-logged")
        measures = run.measures()
        if line["repetition"] == "0":
            firsts[int(line["scheduler"])] = run
        differ = []
        for key, value in measures.items():
            if key not in line:
                continue  # a Batchlab that does not measure it yet
            printed = None if line[key] == "" else float(line[key])
            if printed != value:
                differ.append("%s is %r in summary.csv, and %r recomputed" % (key, printed, value))
        for key in line:
            if key not in measures and key not in HEAD + PATHS + axes:
                differ.append("%s is not recomputed" % key)
        print("%s: %s" % (name, "%d measures agree" % len(measures) if not differ else "; ".join(differ)))
        wrong += len(differ)
    if summary and not axes:
        wrong += compare(read("comparison.csv"), compared(summary, firsts, document))
    sys.exit(1 if wrong or not summary else 0)


def compare(text, ours):
    """How many of our lines are not those of comparison.csv."""
    if text == "":
        return 0  # of a Batchlab that does not write it yet
    theirs, differ = list(csv.DictReader(io.StringIO(text))), []
    if len(theirs) != len(ours):
        differ.append("%d lines, %d recomputed" % (len(theirs), len(ours)))
    for line, row in zip(theirs, ours):
        for key, said in line.items():
            value = row.get(key)
            if key == "without":
                same = (said != "") <= (row["interval"] == "")  # why there is none, for people
            elif isinstance(value, float):
                same = said != "" and abs(float(said) - value) <= 1e-9 * max(abs(value), abs(row["mean"]) if key.startswith("difference") else 1.0)
            else:
                same = said == ("" if value is None else str(value))
            if not same:
                differ.append("%s of scheduler %s: %s is %r, %r recomputed" % (line["metric"], line["scheduler"], key, said, value))
    print("comparison.csv: %s" % ("%d lines agree" % len(ours) if not differ else "; ".join(differ[:5] + ["%d more" % (len(differ) - 5)] * (len(differ) > 5))))
    return len(differ)


# The columns of summary.csv that are no measures.
PATHS = ["longest-path", "longest-path-run", "longest-path-wait"]  # jobs files do not say who waited for whom
HEAD = ["scheduler", "key", "label", "repetition", "workload", "processors"]


def opener(place):
    """Returns a function that reads a file of a folder or a .zip as text; "" when it is not there."""
    if os.path.isdir(place):

        def read(name):
            path = os.path.join(place, name)
            if not os.path.exists(path):
                return ""
            with open(path, encoding="utf-8", newline="") as f:
                return f.read()

        return read
    archive = zipfile.ZipFile(place)
    return lambda name: archive.read(name).decode("utf-8") if name in archive.namelist() else ""


def platform(read, place, repetition):
    """The machines of a repetition: those of repetition 0 unless it has its own."""
    return json.loads(read("platform%s-%s.json" % (place, repetition)) or read("platform%s.json" % place))


def varied(document, point):
    """How the runs of a point, counted from 0, are measured: the document's way, unless that varies."""
    one = {"measures": json.loads(json.dumps(document["measures"]))}
    for axis in reversed(document.get("vary", [])):  # the last one changes fastest
        point, at = divmod(point, len(axis.get("values") or axis["cases"]))
        places = [axis] + axis.get("with", [])
        if "cases" in axis:
            places, at = [{"path": path, "values": [value]} for path, value in axis["cases"][at].get("set", {}).items()], 0
        for place in places:
            keys, part = place["path"].split("."), one
            if keys[0] != "measures":
                continue
            for key in keys[:-1]:
                part[key] = part.get(key) or {}
                part = part[key]
            part[keys[-1]] = place["values"][at]
    return one["measures"]


def number(text):
    return int(text) if text else None


def names(text):
    """Names with blanks between them; one in quotation marks may hold blanks."""
    out, at = [], 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        one = ""
        if text[at] == '"':
            at += 1
            while at < len(text):
                if text[at] == '"':
                    at += 1
                    if at == len(text) or text[at] != '"':
                        break
                one += text[at]
                at += 1
        else:
            while at < len(text) and not text[at].isspace():
                one += text[at]
                at += 1
        out.append(one)
    return out


def plain(text):
    """A text without the apostrophes that keep spreadsheets from computing it: where a cell could begin."""
    return re.sub(r"""(^ *|[,;|"\t\r\n])'('*[-=+@＝＋－＠])""", r"\1\2", text)


def span(text, cluster):
    """How many machines "farm3" or "farm3-farm7" are, of the cluster "farm"."""
    first, dash, last = text[len(cluster):].partition("-" + cluster)
    return int(last) - int(first) + 1 if dash else 1


class Execution:
    """A line of a jobs file."""

    def __init__(self, line):
        self.number = int(line["job_id"])
        self.attempt = int(line["attempt"])
        self.submitted = int(line["submission_time"])
        # Where dependencies are kept, everything counts from when a job became eligible.
        self.kept = line.get("eligible") is not None
        self.submit = int(line["eligible"]) if line.get("eligible") else self.submitted
        self.start, self.end = int(line["starting_time"]), int(line["finish_time"])
        self.reason = line["end_reason"]
        self.user = int(line["user"])
        self.requested, self.limit = int(line["requested_number_of_resources"]), int(line["requested_time"])
        self.procs = number(line["processors"])  # held; None when rejected
        self.cluster = plain(line["cluster"])
        self.machines = sum(span(name, self.cluster) for name in names(plain(line["machines"])))
        self.ready, self.deadline = number(line["reservation_from"]), number(line["reservation_to"])
        self.effort = line["reservation_effort"]
        self.due = number(line["due"])
        self.weight = float(line["weight"]) if line["weight"] else 1.0
        self.copies = [licence(name) for name in names(plain(line["licences"]))]
        self.memory = number(line["memory_per_node"]) or 0
        self.batch = self.ready is None
        # A reservation is not there before the time from which it is wanted.
        self.asked = self.submit
        if self.ready is not None:
            self.asked = max(self.submit, min(self.start, self.ready))

    @property
    def rejected(self):
        return self.reason in ("rejected", "withdrawn", "never-eligible")

    @property
    def final(self):
        return self.reason not in ("outage", "preempted", "suspended")


def licence(text):
    """A licence and how many copies of it are held: "cad" or "cad:2"."""
    name, colon, copies = text.rpartition(":")
    return (name, int(copies)) if colon else (text, 1)


class Job:
    """A job with its executions, the last of which ended it."""

    def __init__(self, executions):
        self.executions = executions
        first, last = executions[0], executions[-1]
        self.number, self.submit, self.user, self.last = first.number, first.submit, first.user, last
        # Attempts directly before the last that were suspended are part of the run.
        self.kept, at = 0, len(executions) - 1
        while at > 0 and executions[at - 1].reason == "suspended":
            at -= 1
            self.kept += executions[at].end - executions[at].start
        self.lost = executions[:at]  # their work had to be done again
        self.batch = first.batch
        if not last.rejected:
            self.wait = last.start - first.submit - self.kept
            self.run = last.end - last.start + self.kept
            self.turnaround = last.end - first.submit


class Run:
    def __init__(self, text, machines, measures, logged):
        self.logged = logged  # the log's own schedule: nobody decided about reservations or users
        lines = [Execution(line) for line in csv.DictReader(io.StringIO(text))]
        self.jobs, group = [], []
        for e in lines:
            if e.attempt == 0 and group:
                self.jobs.append(Job(group))
                group = []
            group.append(e)
        if group:
            self.jobs.append(Job(group))
        # Sums of fractions go in this order.
        self.jobs.sort(key=lambda j: (j.submit, j.number))
        self.executions = [e for j in self.jobs for e in j.executions]
        self.ran = [e for e in self.executions if not e.rejected]
        self.tau = measures.get("tau", 10)
        self.patience = Patience(measures.get("patience") or {})
        begin, end = measures.get("from"), measures.get("to")
        self.within = lambda t: (begin is None or t >= begin) and (end is None or t < end)
        self.measured = [j for j in self.jobs if self.within(j.submit) and not j.last.rejected]
        # Waits, turnarounds and slowdowns are of batch jobs: a reservation has its place.
        self.queued = [j for j in self.measured if j.batch]
        self.clusters(machines)
        # The span from the first submission to the last end of what is measured.
        self.first = min((j.submit for j in self.measured), default=0)
        self.last = max((j.last.end for j in self.measured), default=0)
        self.makespan = self.last - self.first

    def clusters(self, machines):
        """Processors and memory of each cluster, and the copies of licences."""
        self.procs, self.memory = {}, {}
        for c in machines.get("clusters", []):
            groups = [dict({"count": 1, "processors": 1, "memory": 0}, **g) for g in c["groups"]]
            self.procs[c["name"]] = sum(g["count"] * g["processors"] for g in groups)
            counted = c.get("packing", "processors") == "processors" or any(g["memory"] == 0 for g in groups)
            self.memory[c["name"]] = 0 if counted else sum(g["count"] * g["memory"] for g in groups)
        if not self.procs:
            self.procs, self.memory = {"main": machines["processors"]}, {"main": 0}
        self.size = sum(self.procs.values())
        self.copies = {l["name"]: l.get("copies", 1) for l in machines.get("licences", [])}

    def cluster(self, e):
        """The cluster of an execution; it is not said where there is but one."""
        return e.cluster if e.cluster in self.procs else next(iter(self.procs))

    def overlap(self, begin, end):
        return max(0, min(end, self.last) - max(begin, self.first))

    def measures(self):
        out = {}
        for part in (self.times, self.machine, self.deadlines, self.satisfaction, self.grid, self.fairness, self.workflow):
            out.update(part())
        return out

    # What jobs waited for before they were eligible, and which were never served.

    def workflow(self):
        kept = any(e.kept for e in self.executions)
        within = [j for j in self.jobs if self.within(j.executions[0].submitted)]
        waits = [j.last.start - j.executions[0].submitted - j.kept for j in within if j.batch and not j.last.rejected]
        count = lambda reason: float(sum(1 for j in within if j.last.reason == reason)) if kept else None
        return {
            "mean-submission-wait": float(sum(waits)) / len(waits) if kept and waits else None,
            "withdrawn": count("withdrawn"),
            "never-eligible": count("never-eligible"),
        }

    # Waits, turnarounds and slowdowns.

    def times(self):
        def bounded(j):
            return max(1.0, j.turnaround / max(j.run, self.tau))

        def per_proc(j):
            return max(1.0, j.turnaround / (j.last.procs * max(j.run, self.tau)))

        out = {}
        for name, values, summarize in (
            ("wait", [j.wait for j in self.queued], whole),
            ("turnaround", [j.turnaround for j in self.queued], whole),
            ("slowdown", [j.turnaround / max(j.run, 1) for j in self.queued], fractions),
            ("bounded-slowdown", [bounded(j) for j in self.queued], fractions),
            ("per-proc-bounded-slowdown", [per_proc(j) for j in self.queued], fractions),
        ):
            for statistic, value in (summarize(values) if values else NOTHING).items():
                out[statistic + "-" + name] = value
        out["waits-over-day"] = float(sum(1 for j in self.queued if j.wait > 86400)) if self.queued else None
        return out

    # The machine as a whole.

    def machine(self):
        busy = sum(e.procs * self.overlap(e.start, e.end) for e in self.ran)
        waited = sum(self.overlap(e.submit, e.start) for e in self.ran if e.batch)
        span, there = self.makespan, self.makespan > 0
        area = sum(j.last.procs * j.run + sum(e.procs * (e.end - e.start) for e in j.lost) for j in self.measured)
        return {
            "makespan": float(span) if there else None,
            "utilization": float(busy) / float(self.size * span) if there else None,
            "throughput": float(len(self.measured) * 3600) / float(span) if there else None,
            "mean-queue-length": float(waited) / float(span) if there else None,
            "max-queue-length": float(self.longest_queue()) if there else None,
            "jobs": float(len(self.measured)),
            "rejected": float(sum(1 for j in self.jobs if self.within(j.submit) and j.last.reason == "rejected")),
            "killed": float(sum(1 for j in self.measured if j.last.reason == "walltime")),
            "area": float(area),
            "system-usage": self.system_usage() if there and any(e.cluster for e in self.ran) else None,
            "stopped": self.stopped(lambda j: len(j.executions) - 1),
            "lost-work": self.stopped(lambda j: sum(e.procs * (e.end - e.start) for e in j.lost)),
        }

    def stopped(self, what):
        if not any(len(j.executions) > 1 for j in self.measured):
            return None
        return float(sum(what(j) for j in self.measured))

    def longest_queue(self):
        """The most batch jobs that wait at one time; what happens at one instant counts together."""
        steps = {}
        for e in self.ran:
            if e.batch and e.start > e.submit and e.submit < self.last and e.start > self.first:
                begin = max(e.submit, self.first)
                steps[begin] = steps.get(begin, 0) + 1
                steps[e.start] = steps.get(e.start, 0) - 1
        most = queue = 0
        for at in sorted(steps):
            queue += steps[at]
            most = max(most, queue)
        return most

    def system_usage(self):
        """The mean over time of busy processors ÷ min(processors, jobs that wait or run)."""
        procs, jobs = {}, {}
        for e in self.ran:
            procs[e.start] = procs.get(e.start, 0) + e.procs
            procs[e.end] = procs.get(e.end, 0) - e.procs
            jobs[e.asked] = jobs.get(e.asked, 0) + 1
            jobs[e.end] = jobs.get(e.end, 0) - 1
        total, seconds, busy, here, before = 0.0, 0, 0, 0, None
        for at in sorted(set(procs) | set(jobs)):
            if before is not None and here > 0:
                span = min(at, self.last) - max(before, self.first)
                if span > 0:
                    seconds += span
                    total += busy / min(self.size, here) * float(span)
            busy, here, before = busy + procs.get(at, 0), here + jobs.get(at, 0), at
        return total / float(seconds) if seconds else None

    # Deadlines and licences.

    def deadlines(self):
        due = [j for j in self.jobs if j.last.due is not None and self.within(j.submit)]
        ended = [j for j in due if not j.last.rejected]
        late = [j.last.end - j.last.due for j in ended]
        stopped = [j.last.reason == "due" for j in ended]
        tardy = [0 if s else max(0, l) for l, s in zip(late, stopped)]
        weights = weighted = 0.0
        for j, t in zip(ended, tardy):
            weights += j.last.weight
            if t > 0:
                weighted += j.last.weight * float(t)
        misses = len(due) - len(ended) + sum(1 for l, s in zip(late, stopped) if s or l > 0)
        there = bool(ended)
        held = 0
        for e in self.ran:
            held += sum(n * self.overlap(e.start, e.end) for name, n in e.copies if name in self.copies)
        capacity = sum(self.copies.values()) * self.makespan
        return {
            "out-of-deadline": float(100 * misses) / float(len(due)) if due else None,
            "mean-tardiness": float(sum(tardy)) / float(len(ended)) if there else None,
            "max-tardiness": float(max(tardy)) if there else None,
            "weighted-tardiness": weighted / weights if there else None,
            "mean-lateness": float(sum(late)) / float(len(ended)) if there else None,
            "max-lateness": float(max(late)) if there else None,
            "stopped-at-deadline": float(sum(stopped)) if due else None,
            "licence-usage": 100 * float(held) / float(capacity) if capacity > 0 else None,
        }

    # Acceptable waits.

    def satisfaction(self):
        complaints, users, asked = [], set(), 0
        for user in sorted({j.user for j in self.jobs if j.user >= 0}):
            own = [j for j in self.jobs if j.user == user and not j.last.rejected]
            alone = [self.patience.acceptable(j.last.requested, j.last.limit) for j in own]
            leaves = sorted(range(len(own)), key=lambda i: own[i].last.end)
            there = gone = 0
            for i, j in enumerate(own):
                # What is acceptable for jobs that have ended by now does not count.
                while own[leaves[gone]].last.end <= j.submit:
                    there -= alone[leaves[gone]]
                    gone += 1
                there += alone[i]
                if not self.within(j.submit) or not j.batch:
                    continue
                asked += 1
                acceptable = there if self.patience.summed else alone[i]
                wait = j.last.start - min(j.last.start, j.submit)
                if wait > acceptable:
                    complaints.append((-(wait / acceptable), j.submit, j.number))
                    users.add(user)
        if asked == 0:
            return dict.fromkeys(("complaints", "complaint-share", "complaining-users", "mean-complaint", "max-complaint"))
        complaints.sort()
        levels = 0.0
        for c in complaints:
            levels += -c[0]
        return {
            "complaints": float(len(complaints)),
            "complaint-share": float(100 * len(complaints)) / float(asked),
            "complaining-users": float(len(users)),
            "mean-complaint": levels / float(max(1, len(complaints))),
            "max-complaint": -complaints[0][0] if complaints else 0.0,
        }

    # Providers and reservations.

    def grid(self):
        keys = ("mean-flow", "reservation-tardiness", "provider-utilization", "reservation-delay", "rejected-reservations", "reserved-idle", "batch-wait", "batch-flow", "submitted-flow")
        out = dict.fromkeys(keys)
        if self.logged or len(self.procs) < 2 and not any(j.last.ready is not None for j in self.jobs):
            return out
        if self.queued:
            out["batch-wait"] = float(sum(j.wait for j in self.queued)) / float(len(self.queued))
            out["batch-flow"] = float(sum(j.turnaround for j in self.queued)) / float(len(self.queued))
        final = [j for j in self.measured if j.last.final]
        flow = tardiness = reserved = 0
        for j in final:
            e = j.last
            flow += e.end - (e.ready if e.ready is not None else j.submit)
            if e.ready is not None:
                reserved += 1
                tardiness += max(0, e.end - e.deadline)
        if final and any(j.last.ready is not None for j in self.jobs):
            out["submitted-flow"] = float(sum(j.last.end - j.submit for j in final)) / float(len(final))
        if final:
            out["mean-flow"] = float(flow) / float(len(final))
            usage = 0.0
            for name, procs in self.procs.items():
                busy = sum(e.procs * self.overlap(e.start, e.end) for e in self.ran if self.cluster(e) == name)
                if self.makespan > 0:
                    usage += float(busy) / (float(procs) * float(self.makespan))
            out["provider-utilization"] = usage / float(len(self.procs))
        rejected = sum(1 for j in self.jobs if j.executions[0].rejected and j.last.ready is not None and self.within(j.submit))
        if reserved > 0:
            begun = [j.executions[0] for j in self.jobs if j.last.ready is not None and self.within(j.submit) and not j.executions[0].rejected]
            out["reservation-tardiness"] = float(tardiness) / float(reserved)
            out["reservation-delay"] = float(sum(e.start - e.ready for e in begun)) / float(reserved)
            idle = float(self.idle_before_reservations()) / (float(self.size) * float(self.makespan)) if self.makespan > 0 else 0.0
            out["reserved-idle"] = 100 * idle
        if rejected + reserved > 0:
            out["rejected-reservations"] = 100 * float(rejected) / float(rejected + reserved)
        return out

    def idle_before_reservations(self):
        """Idle processor-seconds directly before reservations, where each start
        takes the processors that have been idle for the shortest time."""
        stacks = {name: [[self.first, procs]] for name, procs in self.procs.items()}
        events = []
        for i, e in enumerate(self.executions):
            if not e.rejected:
                events += [(e.end, 0, i), (e.start, 1, i)]
        idle = 0
        for at, starts, i in sorted(events):
            e = self.executions[i]
            stack = stacks[self.cluster(e)]
            if not starts:
                stack.append([at, e.procs])
                continue
            left = e.procs
            while left > 0 and stack:
                top = stack[-1]
                n = min(left, top[1])
                left -= n
                if e.attempt == 0 and e.ready is not None:
                    idle += n * max(0, min(at, self.last) - max(top[0], self.first))
                top[1] -= n
                if top[1] == 0:
                    stack.pop()
        return idle

    # Waits of users for what they consume.

    def fairness(self):
        wait, consumed = {}, {}
        for j in self.measured:
            if j.user < 0:
                continue
            if j.batch:
                wait[j.user] = wait.get(j.user, 0) + j.wait
            for e in j.executions:
                name = self.cluster(e)
                rate = float(e.procs)
                if self.memory[name] > 0:
                    held = e.memory * max(1, e.machines)
                    rate = max(rate, float(held) * float(self.procs[name]) / float(self.memory[name]))
                consumed[j.user] = consumed.get(j.user, 0.0) + rate * float(e.end - e.start)
        if self.logged or not wait:
            return {"mean-nuwt": None, "std-nuwt": None}
        nuwt = [float(wait[u]) / max(1.0, consumed[u]) for u in sorted(wait)]  # of users with batch jobs
        mean = added(nuwt) / float(len(nuwt))
        return {"mean-nuwt": mean, "std-nuwt": math.sqrt(added((v - mean) * (v - mean) for v in nuwt) / float(len(nuwt)))}


class Patience:
    """Which wait a user finds acceptable for a job."""

    def __init__(self, params):
        self.factors = [params.get("factor-%d" % i, i) for i in range(1, 6)]
        self.begins = [params.get("from-%d" % i, s) for i, s in zip(range(2, 6), (3 * 3600, 7 * 3600, 24 * 3600, 7 * 24 * 3600))]
        self.floors, self.summed = params.get("floors", False), params.get("summed", True)

    def acceptable(self, procs, limit):
        c = 0
        while c < len(self.begins) and limit >= self.begins[c]:
            c += 1
        t = limit / self.factors[c]
        if self.floors and c > 0:
            t = max(t, self.begins[c - 1] / self.factors[c - 1])
        return max(1, rounded(min((logarithm(procs) + 1) * t, float(1 << 60))))


def rounded(v):
    """The nearest whole number, halves away from 0."""
    down = math.floor(v)
    return down + 1 if v - down >= 0.5 else down


def logarithm(n):
    """The natural logarithm of a whole number by its series, to the same bits
    on every machine; math.log may differ in the last one."""
    m, e = math.frexp(float(max(1, n)))
    if m < math.sqrt(2) / 2:
        m, e = 2 * m, e - 1
    s = (m - 1) / (m + 1)
    square, total = s * s, 0.0
    for k in range(23, 0, -2):
        total = 1 / float(k) + total * square
    return float(e) * 0.693147180559945309417232121458176568 + 2 * (s * total)


def added(values):
    """A sum in the order of its terms, each rounded; sum() of Python 3.12 rounds once."""
    total = 0.0
    for v in values:
        total += v
    return total


NOTHING = dict.fromkeys(("mean", "median", "p90", "p95", "p99", "std", "max"))


def rank(p, n):
    """The index of a percentile by nearest rank."""
    return (p * n + 99) // 100 - 1


def whole(values):
    """Statistics of whole numbers: sums are exact, and divided once."""
    n, ordered = len(values), sorted(values)
    mean = float(sum(values)) / float(n)
    # Deviations from the mean rounded down are exact; the rest is taken out of
    # their mean square.
    down = math.floor(mean)
    rest = float(sum(v - down for v in values)) / float(n)
    squares = float(sum((v - down) * (v - down) for v in values)) / float(n)
    return statistics(ordered, mean, math.sqrt(max(0.0, squares - rest * rest)))


def fractions(values):
    """Statistics of fractions, added in the order of the jobs."""
    n, ordered = len(values), sorted(values)
    mean = added(values) / float(n)
    return statistics(ordered, mean, math.sqrt(added((v - mean) * (v - mean) for v in values) / float(n)))


def statistics(ordered, mean, deviation):
    n = len(ordered)
    return {
        "mean": mean,
        "median": (float(ordered[(n - 1) // 2]) + float(ordered[n // 2])) / 2,
        "p90": float(ordered[rank(90, n)]),
        "p95": float(ordered[rank(95, n)]),
        "p99": float(ordered[rank(99, n)]),
        "std": deviation,
        "max": float(ordered[-1]),
    }


if __name__ == "__main__":
    main()
