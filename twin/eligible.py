"""Who is eligible: the section "Eligibility" of docs/simulation-rules.md."""

import re

TERM = re.compile(r"^(\d+)(?::(any|ok|notok|start))?(?:\+(\d+))?$")


def said(rows, beside, workload):
    """What is said of each row of a log, by its place: (after, begin, withdrawn, array, limit, het)."""
    keep, leave = workload.get("dependencies") == "keep", workload.get("withdrawn") == "keep"
    told = []
    for row in rows:
        one = {key: value for key, value in beside.get(row[0], {}).items() if value not in ("", None)}
        if not keep:
            one = {key: one[key] for key in ("withdrawn",) if key in one}
        elif "after" not in one and row[16] > 0:
            one["after"] = f"{row[16]}" + (f"+{row[17]}" if row[17] > 0 else "")
        if not leave:
            one.pop("withdrawn", None)
        elif "withdrawn" not in one and row[10] == 5 and row[3] <= 0 and row[2] > 0:
            one["withdrawn"] = row[1] + row[2]
        told.append(one)
    return told


class Gate:
    """What keeps jobs from being seen. Times of events are None while they have not come."""

    def __init__(self, jobs):
        self.held = list(jobs)
        self.known = {job.number for job in jobs} | {n for job in jobs for n in job.parts}
        self.whole = {n: job for job in jobs for n in [job.number, *job.parts]}
        self.lost = set()  # those that never ran
        self.begun, self.over = {}, {}  # by job: when it started and ended; the end with how much later that is seen, and whether it was well

    def started(self, job, now):
        self.begun.setdefault(job, now)

    def ended(self, job, now):
        self.over[job] = now, 0, not job.fails

    def gone(self, job, now, late=0):
        """The job never runs: withdrawn, or given up in a pass, or it is stopped for good there, which is seen a second later."""
        self.over[job] = now, late, job in self.begun and not job.fails
        if job not in self.begun:
            self.lost.add(job)
        self.begun.setdefault(job, now)

    def term(self, text, now):
        """When a term comes, None while that is not known."""
        number, of, delay = TERM.match(text).groups()
        delay = int(delay or 0)
        if int(number) not in self.known:
            return 0
        job = self.whole[int(number)]
        if of == "start":
            if job not in self.begun:
                return None
            seen = self.over[job][1] if job in self.lost else 1  # what happens in a pass, a second later
            return self.begun[job] + max(delay, seen)
        if job not in self.over:
            return None
        at, late, well = self.over[job]
        if of == "ok" and not well or of == "notok" and well:
            return None
        return at + max(delay, late)

    def ready(self, job, now):
        """When a job lacks nothing but a place in its array, None while that is not known."""
        text = ",".join(job.after)
        terms = [self.term(one, now) for one in re.split("[,?]", text) if one]
        if "?" in text:
            terms = [min((t for t in terms if t is not None), default=None)]
        if None in terms:
            return None
        return max([job.asked, job.begin, *terms])

    def places(self, job):
        """How many more jobs of a job's array may be eligible."""
        if not job.array or not job.limit:
            return 1
        there = [other for other in self.whole.values() if other.array == job.array and other not in self.held and other not in self.over]
        return job.limit - len(set(there))

    def pass_(self, now):
        """The jobs that become eligible now, in order of their numbers."""
        came = []
        for job in sorted(self.held, key=lambda job: (job.asked, job.number, job.place)):
            at = self.ready(job, now)
            if at is not None and at <= now and self.places(job) > 0:
                self.held.remove(job)
                came.append(job)
        for job in came:
            job.submit = job.submitted = now
            job.place = (now,) + job.place[1:]
        return sorted(came, key=lambda job: job.place)

    def withdrawn(self, now):
        return [job for job in self.held if job.withdrawn is not None and job.withdrawn <= now]

    def instants(self, now):
        """When something of it may come next; who waits for a place in an array comes with an end."""
        times = [self.ready(job, now) for job in self.held if self.places(job) > 0]
        times = [t if now is None else max(t, now + 1) for t in times if t is not None]
        return times + [job.withdrawn for job in self.held if job.withdrawn is not None and (now is None or job.withdrawn > now)]


def gates(doc):
    return doc["workload"].get("dependencies") == "keep" or doc["workload"].get("withdrawn") == "keep"


def without(text, numbers):
    """The terms of a text but those that name one of these jobs."""
    kept = [one for one in re.split("[,?]", text) if int(TERM.match(one).group(1)) not in numbers]
    return ("?" if "?" in text else ",").join(kept)


def held_back(jobs):
    """Whether any job waits for anything, or may leave."""
    known = {n for job in jobs for n in [job.number, *job.parts]}
    enough = lambda text: all if "?" in text else any  # of alternatives one that is not there is enough
    waits = lambda job: any(enough(text)(int(TERM.match(one).group(1)) in known for one in re.split("[,?]", text) if one) for text in job.after if text)
    return any(waits(job) or job.begin > job.asked or job.withdrawn is not None or job.array and job.limit for job in jobs)


def dress(jobs, doc, processors):
    """Jobs with what is said of them (job.said); groups that start together are one job."""
    clamp = doc["workload"].get("clean", {}).get("oversize") == "clamp"
    groups, out = {}, []
    for job in jobs:
        one = job.said
        job.after = [one["after"]] if "after" in one else []
        job.begin, job.withdrawn = one.get("begin", 0), one.get("withdrawn")
        job.array, job.limit, job.parts = one.get("array", 0), one.get("array_limit", 0), []
        job.asked, job.fails = job.submit, job.status in (0, 4, 5)
        if one.get("het"):
            groups.setdefault(one["het"], []).append(job)
        else:
            out.append(job)
    for parts in groups.values():
        first = min(parts, key=lambda job: job.number)
        first.parts = [job.number for job in parts if job is not first]
        first.procs, first.requested = sum(job.procs for job in parts), max(job.requested for job in parts)
        first.run = max(job.run for job in parts)
        if first.wait >= 0:
            first.wait = max(job.submit + job.wait for job in parts) - first.submit
        first.begin = max(max(job.begin, job.submit) for job in parts)
        leaves = [job.withdrawn for job in parts]
        first.withdrawn = None if None in leaves else max(leaves)
        own = [job.number for job in parts]
        first.after = [without(text, own) for job in parts for text in job.after]
        if first.procs > processors:
            if not clamp:
                continue
            first.procs = processors
        out.append(first)
    return sorted(out, key=lambda job: job.place)
