"""How other simulators would do on the reference schedules, by a reading of their published rules.

    python3 others.py [--drawn N] [--show]

None of them is run here. Each function below writes out, in our own words, the rules that
were read in one public source (SOURCES says where, and at which commit), for one machine
whose processors are counted, and for jobs as rule 2 leaves them. The cases within that
scope are run through it, and their starts compared; so are N small logs that are drawn at
random, whose starts this folder's simulator gives. --show names, of each, the first case
that parts, and its first job; --table prints the list of reference/README.md.
"""

import argparse
import csv
import json
import os
import random

from jobs import Job, clean, scale, shape
from schedulers import made
from simulate import Simulation

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference", "cases")
READ, DRAWN = "2026-11-23", 2000


class State:
    """A machine at an instant: who waits, in order of arrival, and who runs since when and where."""

    def __init__(self, jobs, processors):
        self.coming, self.waiting, self.running = sorted(jobs, key=lambda job: job.place), [], []
        self.processors, self.now, self.starts, self.wakes = processors, 0, {}, set()
        self.ended, self.new = [], []
        self.kept = None  # whatever a scheduler remembers

    def until(self, job):
        """When a running job must have ended by its request."""
        return self.starts[job] + job.requested

    def end(self, job):
        return self.starts[job] + job.run

    def free(self):
        return self.processors - sum(job.procs for job in self.running)

    def start(self, job, on=None):
        """on are the numbers of its processors, where they matter."""
        self.waiting.remove(job)
        self.running.append(job)
        self.starts[job], job.on = self.now, on


def drive(jobs, processors, decide, one_by_one=False):
    """Runs jobs; at each instant ends come before submissions. With one_by_one decide is
    called after every single event, without it once an instant."""
    state = State(jobs, processors)
    while state.coming or state.waiting or state.running:
        times = [state.end(job) for job in state.running] + [job.submit for job in state.coming[:1]] + [t for t in state.wakes if t > state.now]
        state.now = min(times)
        ends = [job for job in state.running if state.end(job) == state.now]
        news = [job for job in state.coming if job.submit == state.now]
        for batch in [[one] for one in ends + news] or [[]] if one_by_one else [ends + news]:
            state.ended, state.new = [job for job in batch if job in ends], [job for job in batch if job in news]
            state.running = [job for job in state.running if job not in state.ended]
            state.coming = [job for job in state.coming if job not in state.new]
            state.waiting += state.new
            decide(state)
    return {job.number: start for job, start in state.starts.items()}


def fcfs(state):
    while state.waiting and state.waiting[0].procs <= state.free():
        state.start(state.waiting[0])


def easy(state, strict=False, length=lambda job: job.requested, foreseen=False):
    """EASY by counts. strict: who backfills has to end before the shadow time, not at it.
    length: how long one who backfills is thought to run. foreseen: what must end at this
    instant counts as free before it was seen to end."""
    held = lambda t: sum(job.procs for job in state.running if state.until(job) > t)
    free = lambda: state.processors - held(state.now) if foreseen else state.free()
    while state.waiting and state.waiting[0].procs <= free():
        state.start(state.waiting[0])
    if not state.waiting:
        return
    head = state.waiting[0]
    shadow = min(t for t in [state.now] + [state.until(job) for job in state.running] if state.processors - held(t) >= head.procs)
    extra = state.processors - held(shadow) - head.procs
    for job in state.waiting[1:]:
        end = state.now + length(job)
        if job.procs > free():
            continue
        if end < shadow or end == shadow and not strict:
            state.start(job)
        elif job.procs <= extra:
            extra -= job.procs
            state.start(job)


def earliest(state, job, booked, length=lambda job: job.requested):
    """The earliest time at which a job fits by counts, beside (start, end, processors)."""
    for t in sorted({state.now} | {end for _, end, _ in booked if end > state.now}):
        points = [t] + [start for start, _, _ in booked if t < start < t + length(job)]
        if all(sum(n for start, end, n in booked if start <= p < end) + job.procs <= state.processors for p in points):
            return t


def conservative_pyss(state):
    """Each job is placed when it comes; when one ends, those that have not begun are
    placed again one by one, in order of submission, beside all others."""
    state.kept = {job: t for job, t in (state.kept or {}).items() if job in state.waiting}
    others = lambda job: [(state.starts[one], state.until(one), one.procs) for one in state.running] + [(t, t + one.requested, one.procs) for one, t in state.kept.items() if one is not job]
    for job in state.waiting:
        if job in state.new or state.ended and state.kept[job] > state.now:
            state.kept[job] = earliest(state, job, others(job))
    state.wakes = set(state.kept.values())
    for job in [job for job in state.waiting if state.kept[job] <= state.now and job.procs <= state.free()]:
        state.start(job)


def conservative_cqsim(state):
    """The whole queue is planned anew at each event, in its order; who fits now starts."""
    fcfs(state)
    booked = [(state.now, state.until(job), job.procs) for job in state.running]
    for job in list(state.waiting):
        t = earliest(state, job, booked, lambda job: job.run)
        booked.append((t, t + job.run, job.procs))
        if t == state.now and job.procs <= state.free():
            state.start(job)


def rlscheduler(jobs, processors, backfill=True):
    """One event at a time, submissions before ends; the first job's start is worked out
    once, when it is found not to fit; who backfills has to end before it."""
    state, coming = State(jobs, processors), sorted(jobs, key=lambda job: job.number)

    def forward():
        ends = sorted(state.running, key=state.end)
        if coming and (not ends or coming[0].submit <= state.end(ends[0])):
            state.now = max(state.now, coming[0].submit)
            state.waiting.append(coming.pop(0))
        else:
            state.now = max(state.now, state.end(ends[0]))
            state.running.remove(ends[0])

    while coming or state.waiting:
        while not state.waiting:
            forward()
        state.waiting.sort(key=lambda job: job.submit)
        head, there, shadow = state.waiting[0], state.free(), state.now
        for job in sorted(state.running, key=state.until):
            there, shadow = there + job.procs, state.until(job)
            if there >= head.procs:
                break
        while head.procs > state.free():
            for job in sorted(state.waiting, key=lambda job: job.submit) if backfill else []:
                if state.now + job.requested < shadow and job.procs <= state.free():
                    state.start(job)
            forward()
        state.start(head)
    return {job.number: start for job, start in state.starts.items()}


def lowest(there, count):
    return set(sorted(there)[:count])


def idle(state):
    return set(range(state.processors)).difference(*[job.on for job in state.running])


def easy_schedgym(state):
    """The first job that does not fit gets the processors, by number, that are free first,
    by the ends that running jobs will really have; others by their requests, beside it."""
    def now(job):
        there = idle(state)
        if state.kept and state.now < state.kept[1] < state.now + job.requested:
            there = there - state.kept[2]
        return lowest(there, job.procs) if len(there) >= job.procs else None

    if state.kept and (state.kept[1] == state.now or now(state.kept[0])):
        state.start(state.kept[0], state.kept[2] if state.kept[1] == state.now else now(state.kept[0]))
        state.kept = None
    for job in [job for job in state.waiting if not state.kept or job is not state.kept[0]]:
        if now(job):
            state.start(job, now(job))
        elif not state.kept:
            for t in sorted(state.end(one) for one in state.running):
                there = set(range(state.processors)).difference(*[one.on for one in state.running if state.end(one) > t])
                if len(there) >= job.procs:
                    state.kept = job, t, lowest(there, job.procs)
                    state.wakes = {t}
                    break


def conservative_schedgym(state):
    """Each job gets its place when it comes, for its request, beside others for as long as
    they will really run, and keeps it."""
    state.kept = state.kept or {}
    booked = [(state.starts[job], state.end(job), job.on) for job in state.running] + [(t, t + job.run, on) for job, (t, on) in state.kept.items() if job in state.waiting]
    for job in state.new:
        for t in sorted({state.now} | {at for start, end, _ in booked for at in (start, end) if at > state.now}):
            there = set(range(state.processors)).difference(*[on for start, end, on in booked if start < t + job.requested and end > t])
            if len(there) >= job.procs:
                state.kept[job] = t, lowest(there, job.procs)
                booked.append((t, t + job.run, state.kept[job][1]))
                break
    state.wakes = {t for t, _ in state.kept.values()}
    for job in [job for job in state.waiting if state.kept[job][0] == state.now]:
        state.start(job, state.kept[job][1])


def first_fit(state, job, booked):
    """Where a job fits first for its whole request, on the lowest numbers that are free all the time."""
    for t in sorted({state.now} | {end for _, end, _ in booked if end > state.now}):
        there = set(range(state.processors)).difference(*[on for start, end, on in booked if start < t + job.requested and end > t])
        if len(there) >= job.procs:
            return t, lowest(there, job.procs)


def easy_batsched(state):
    """The first job holds numbered machines from the time at which it fits first, until
    another is first or something ends; what has just come is tried where nothing has ended."""
    running = lambda: [(state.starts[job], state.until(job), job.on) for job in state.running]
    memo = state.kept = state.kept or {"head": None, "booking": []}

    def put(job, keep):
        t, on = first_fit(state, job, running() + ([] if keep else memo["booking"]))
        if t == state.now:
            state.start(job, on)
            if keep:
                memo["booking"] = []
        elif keep:
            memo["booking"] = [(t, t + job.requested, on)]
        return t == state.now

    if state.waiting and state.waiting[0] is not memo["head"]:
        memo["booking"] = []
        while state.waiting and put(state.waiting[0], True):
            pass
    if not state.ended:
        for job in [job for job in state.new if job in state.waiting[1:]]:
            put(job, False)
    elif idle(state):
        for job in list(state.waiting):
            put(job, job is state.waiting[0])
    memo["head"] = state.waiting[0] if state.waiting else None


def conservative_batsched(state):
    """Each job holds numbered machines from its earliest fit; when something has ended, all
    are placed again one by one, in the order of the queue, beside all others."""
    state.kept = {job: place for job, place in (state.kept or {}).items() if job in state.waiting}
    for job in list(state.waiting):
        if job in state.new or state.ended:
            state.kept.pop(job, None)
            t, on = first_fit(state, job, [(state.starts[one], state.until(one), one.on) for one in state.running] + [(t, t + one.requested, on) for one, (t, on) in state.kept.items()])
            state.kept[job] = t, on
            if t == state.now:
                state.start(job, on)
                del state.kept[job]


by_events = lambda decide, **how: lambda jobs, n: drive(jobs, n, lambda state: decide(state, **how), True)
by_instants = lambda decide, **how: lambda jobs, n: drive(jobs, n, lambda state: decide(state, **how))

# Of each simulator: the repository and the files that were read, with their commits; what
# it has under which of our keys; and the rule in which each of these differs from ours.
SOURCES = {
    "pyss": ("dinesh121991/pyss", {"src/schedulers/easy_scheduler.py": "047e15cb", "src/schedulers/conservative_scheduler.py": "1e5470bf", "src/schedulers/fcfs_scheduler.py": "1e5470bf", "src/base/prototype.py": "01fd745c"}, {
        "fcfs": (by_events(fcfs), ""),
        "easy": (by_events(easy, foreseen=True), "a pass after each event, not one an instant; what must end at an instant is free for every one of them"),
        "conservative": (by_events(conservative_pyss), "after each end jobs are placed again in order of submission, not of their planned starts, and before other ends of the same instant are known")}),
    "CQSim": ("SPEAR-UIC/CQSim", {"src/CqSim/Cqsim_sim.py": "788e5283", "src/CqSim/Backfill.py": "16ce88e0", "src/Extend/SWF/Node_struc_SWF.py": "16ce88e0"}, {
        "fcfs": (by_events(fcfs), ""),
        "easy": (by_events(easy, length=lambda job: job.run), "who backfills is judged by the true run time, which nobody knows (rule 5); a pass after each event"),
        "conservative": (by_events(conservative_cqsim), "the whole queue is planned anew at each event, by true run times: no start is promised")}),
    "RLScheduler": ("DIR-LAB/deep-batch-scheduler", {"HPCSimPickJobs.py": "05eacf9d", "job.py": "283ce5a8"}, {
        "fcfs": (lambda jobs, n: rlscheduler(jobs, n, False), ""),
        "easy": (rlscheduler, "no extra processors; who backfills has to end before the shadow time, not at it; that time is worked out once; submissions come before ends")}),
    "SchedGym": ("renatolfc/sched-rl-gym", {"schedgym/scheduler/easy_scheduler.py": "72314d9a", "schedgym/scheduler/backfilling_scheduler.py": "72314d9a", "schedgym/scheduler/fifo_scheduler.py": "58bba6de", "schedgym/scheduler/scheduler.py": "06ec4249", "schedgym/cluster.py": "4748f49a"}, {
        "fcfs": (by_instants(fcfs), ""),
        "easy": (by_instants(easy_schedgym), "the shadow time is that of the true ends of what runs (rule 5); the first job's processors are fixed by number"),
        "conservative": (by_instants(conservative_schedgym), "places are found among the true ends of other jobs (rule 5), and are kept; processors are fixed by number")}),
    "AccaSim": ("cgalleguillosm/accasim", {"accasim/base/scheduler_class.py": "e3df3246", "accasim/base/event_class.py": "04ee722b"}, {
        "fcfs": (by_instants(fcfs), "")}),
    "Alea": ("aleasimulator/alea", {"Alea/src/xklusac/algorithms/queue_based/multi_queue/EASY_Backfilling.java": "14337950", "Alea/src/xklusac/environment/ResourceInfo.java": "1c009bee"}, {
        "easy": (by_events(easy, strict=True), "who backfills has to end before the shadow time, not at it; a pass after each event")}),
    "batsched": ("hpc/batsched4", {"src/algo/easy_bf.cpp": "2ec11c1b", "src/algo/conservative_bf.cpp": "014b8979", "src/schedule.cpp": "002850bf"}, {
        "easy": (by_instants(easy_batsched), "the first job's machines are fixed by number, and others have to leave these alone, even where as many are free"),
        "conservative": (by_instants(conservative_batsched), "planned jobs hold numbered machines; after an end they are placed again in the order of the queue")}),
}


def plain(doc):
    """Whether a document is one machine of counted processors and jobs that ask for nothing else."""
    return set(doc.get("platform", {})) <= {"processors"} and not {"annotate", "react", "resample"} & set(doc["workload"]) and "predict" not in doc


def cases():
    """(name, processors, jobs, {key: {job: start}}) of the cases in scope."""
    for name in sorted(name[:-5] for name in os.listdir(CASES) if name.endswith(".json")):
        with open(os.path.join(CASES, name + ".json")) as file:
            doc = json.load(file)
        if not plain(doc):
            continue
        with open(os.path.join(CASES, name + ".swf")) as file:
            lines = file.read().splitlines()
        processors = doc.get("platform", {}).get("processors") or int(next(line for line in lines if "MaxProcs" in line).split(":")[1])
        rows = [[int(field) for field in line.split()] for line in lines if line and not line.startswith(";")]
        jobs = scale(shape(clean(rows, processors, doc["workload"].get("clean", {})), doc["workload"]), doc["workload"])
        with open(os.path.join(CASES, name + ".csv"), newline="") as file:
            table = list(csv.DictReader(file))
        keys = {one["key"] for one in doc["schedulers"] if not one.get("params")}
        if len({job.number for job in jobs}) == len(jobs):
            yield name, processors, jobs, {key: {int(row["job"]): int(row[key]) for row in table} for key in ("fcfs", "easy", "conservative") if key in keys}


def drawn(count):
    """Small random logs with the starts of this folder's simulator, as cases() gives them."""
    for seed in range(1, count + 1):
        rng, at, jobs = random.Random(seed), 0, []
        processors = rng.randrange(2, 9)
        for number in range(1, rng.randrange(4, 13)):
            at += rng.choice([0, 0, 1, 2, 3, 5])
            requested = rng.choice([1, 2, 3, 5, 8, 13, 20])
            job = Job(number, at, rng.randrange(1, processors + 1), requested, rng.choice([requested, rng.randrange(1, requested + 1)]))
            job.place = (at, number, number)
            jobs.append(job)
        starts = {}
        for key in ("fcfs", "easy", "conservative"):
            sim = Simulation({"workload": {}}, processors, jobs, made({"key": key}, {"workload": {}}, processors))
            starts[key] = {run.job.number: run.start for run in sim.go()}
        yield f"drawn {seed}", processors, jobs, starts


def parts(mine, theirs):
    """The first start of theirs that differs, in words; nothing if all are equal."""
    for job in sorted(theirs, key=lambda job: (theirs[job], job)):
        if mine.get(job) != theirs[job]:
            return f"job {job} starts at {mine[job]}, not at {theirs[job]}" if job in mine else f"job {job} never starts, not at {theirs[job]}"
    return ""


def count(them):
    """{(simulator, key): [cases, all starts equal, first that parts]}"""
    told = {}
    for name, processors, jobs, starts in them:
        for simulator, (_, _, keys) in SOURCES.items():
            for key in keys:
                if key in starts:
                    one = told.setdefault((simulator, key), [0, 0, ""])
                    words = parts(keys[key][0](jobs, processors), starts[key])
                    one[0] += 1
                    one[1] += not words
                    one[2] = one[2] or words and f"{name}: {words}"
    return told


def table(kept, more):
    """The list of reference/README.md."""
    yield f"Of {max(one[0] for one in kept.values())} cases and {max(one[0] for one in more.values()):,} drawn logs:"
    yield ""
    for simulator, key in kept:
        why = SOURCES[simulator][2][key][1]
        yield f"- {simulator}, {key}: {kept[simulator, key][1]} and {more[simulator, key][1]:,}" + (f": {why}" if why else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--drawn", type=int, default=DRAWN)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--table", action="store_true")
    words = parser.parse_args()
    kept, more = count(cases()), count(drawn(words.drawn))
    if words.table:
        print("\n".join(table(kept, more)))
        return
    print(f"by what was read on {READ}: runs with all starts as here, of the cases in scope and of logs drawn at random")
    for simulator, key in kept:
        a, b = kept[simulator, key], more[simulator, key]
        print(f"{simulator:12} {key:13} {a[1]:3} of {a[0]:3}   {b[1]:5} of {b[0]:5}   {(a[2] or b[2]) if words.show else ''}".rstrip())


if __name__ == "__main__":
    main()
