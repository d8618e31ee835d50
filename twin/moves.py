"""Plan-RS with an optimiser: rule 10 of docs/simulation-rules.md. What each call kept is read
from the engine's moves file (docs/exports.md) and carried out here: every plan on the way is
made again by the rules, and the last one may not be worse than the first, by this evaluation."""

import math

from schedulers import PlanRS

UNIT = 65536


def calls(rows):
    """The calls of a moves file, by provider ("" where there are none): time, scores before, and
    for each step its scores and where which job went."""
    found, last = {}, None
    scores = lambda row: [float(row[name]) for name in ("wait", "slowdown", "fairness")]
    for row in rows:
        if row["step"] == "0":
            last = (int(row["time"]), scores(row), [])
            found.setdefault(row["cluster"], []).append(last)
            continue
        while len(last[2]) < int(row["step"]):
            last[2].append((scores(row), []))
        last[2][-1][1].append((int(row["job_id"]), row["cluster"], int(row["place"])))
    return found


class Optimised(PlanRS):
    def __init__(self, params, processors, told):
        super().__init__(params, processors)
        self.told, self.last = told, None
        self.came, self.since, self.first, self.started = {}, {}, {}, []  # first: starts first planned
        get = params.get
        self.tau, self.guard = max(1, get("plan-tau", 10)), get("guard")
        self.weights = [get("weight-wait", 1), get("weight-slowdown", 1), get("weight-fairness", 10)]

    def wake(self, sim):
        wake, cycle = super().wake(sim), self.params.get("cycle")
        return wake if wake is None or cycle is None or self.last is None else min(wake, self.last + cycle)

    def weight(self, job):
        return int(32 * math.sqrt(job.procs) + 0.5) if self.params.get("jobs-weigh") == "root" else 1

    def asks(self, job):
        """What a job asks for from now on: what is left of its request, or is foretold of it."""
        return self.takes(job) if self.foretold else job.requested - job.done

    def pass_(self, sim):
        for job in sim.waiting:
            self.came.setdefault(job, job.submit)
            if job in sim.stopped:
                self.since[job] = sim.now
        self.first = {job: start for job, start in self.first.items() if job in self.plan}
        for one in self.started:
            if one["run"] in sim.ended:
                one["ran"] = sim.now - one["run"].start
        before = set(sim.running)
        super().pass_(sim)
        for run in sim.running:
            if run not in before:
                self.started.append({"run": run, "since": self.since.get(run.job, run.job.submit), "asked": self.asked_at[run.job], "ran": None})

    def put(self, job, booking, first=False):
        super().put(job, booking, first)
        self.first.setdefault(job, booking.start)

    def improve(self, sim):
        """A call of the optimiser, if it is time."""
        cycle = self.params.get("cycle")
        if self.plan and (self.last is None or sim.now - self.last >= self.params.get("interval", 60) or cycle and sim.now - self.last >= cycle):
            self.last = sim.now
            assert self.told and self.told[0][0] == sim.now, f"a call at {sim.now}, and {self.told[:1]} is told"
            _, scores, steps = self.told.pop(0)
            self.lists = {c: [job for job in self.lists.get(c, []) if job in self.plan] for c in range(len(sim.platform.clusters))}
            first, late = self.evaluated(sim), self.late()
            close(first, scores, sim.now)
            best, walks = first, self.params.get("optimiser", "random-search") not in ("random-search", "lns")
            for scores, moved in steps:
                self.step(sim, moved)
                score = self.evaluated(sim)
                close(score, scores, sim.now)
                gain = self.gain(best, score)  # by shares of what was best: from the first to the last it may be less than nothing
                assert gain > -1e-9 or walks, f"a step at {sim.now} is worse: {best}, {score}"
                if gain > 0 or not walks:
                    best = score
            assert not steps or self.gain(best, score) > -1e-9, f"the plan is not the best one at {sim.now}: {best}, {score}"
            assert self.guard is None or self.late() <= late, f"the guard is broken at {sim.now}"
        self.asked_at = {job: self.asks(job) for job in sim.waiting}

    def late(self):
        return sum(max(0, b.start - self.first[job] - self.guard) for job, b in self.plan.items()) if self.guard is not None else 0

    # What an order means.

    def step(self, sim, moved):
        """Takes jobs out of the lists, puts them to their places, and makes the plan from there on."""
        by, index = {job.number: job for job in self.plan}, {cluster["name"]: c for c, cluster in enumerate(sim.platform.clusters)}
        places = [(place, index[cluster] if len(index) > 1 else 0, by[number]) for number, cluster, place in moved]
        assert len({job for _, _, job in places}) == len(places)
        lists = {c: [job for job in list_ if all(job is not other for _, _, other in places)] for c, list_ in self.lists.items()}
        for place, c, job in sorted(places, key=lambda one: one[:2]):
            assert 0 < place <= len(lists[c]) + 1, f"{job} goes to place {place} of {len(lists[c])}"
            lists[c].insert(place - 1, job)
        spans = {c: unlike(self.lists[c], lists[c]) for c in lists if self.lists[c] != lists[c]}
        gone = {c: max([sim.now] + [self.plan[job].end for _, to, job in places if self.plan[job].cluster == c and (to != c or self.params.get("optimiser") == "lns")]) for c in spans}
        if any(key[0] in ("licence", "share", "whole") for booking in self.plan.values() for key in booking.holds):
            new = self.abreast(sim, lists, spans, max(gone.values(), default=sim.now))
        else:
            new = {}
            for c, (start, until) in sorted(spans.items()):
                new.update(self.along(sim, c, lists[c], start, until, gone[c]))
        self.plan.update(new)
        self.lists = lists

    def same(self, job, booking):
        old = self.plan[job]
        return old.cluster == booking.cluster and old.start == booking.start and old.holds == booking.holds

    def along(self, sim, c, list_, start, until, differ):
        """One list from a place on, until the rest stands as it did."""
        last, new = self.plan[list_[start - 1]].start if start else sim.now, {}
        for n, job in enumerate(list_[start:], start):
            found = self.find(sim, job, [self.plan[other] for other in list_[:start]] + list(new.values()), [c], last)
            assert found is not None, f"{job} may not run on cluster {c}"
            if not self.same(job, found):
                differ = max(differ, max(found.start, self.plan[job].start) + found.end - found.start)
            elif n > until and found.start >= differ:
                break
            new[job], last = found, found.start
        return new

    def abreast(self, sim, lists, spans, differ):
        """All lists side by side, where they share licences or limits."""
        at = min([self.plan[lists[c][start - 1]].start if start else sim.now for c, (start, _) in spans.items()], default=sim.now)
        next_, new = {}, {}
        for c, list_ in lists.items():
            next_[c] = spans[c][0] if c in spans else len(list_)
            while next_[c] and self.plan[list_[next_[c] - 1]].start >= at:
                next_[c] -= 1
        before = [self.plan[job] for c, list_ in lists.items() for job in list_[:next_[c]]]
        met = lambda c: next_[c] > (spans[c][1] if c in spans else -1) and (next_[c] == len(lists[c]) or self.plan[lists[c][next_[c]]].start >= at)
        while any(next_[c] < len(lists[c]) for c in lists) and not (at >= differ and all(met(c) for c in lists)):
            for c in sorted(lists):
                while next_[c] < len(lists[c]):
                    job = lists[c][next_[c]]
                    found = self.find(sim, job, before + list(new.values()), [c], at)
                    assert found is not None, f"{job} may not run on cluster {c}"
                    if found.start > at:
                        break
                    if not self.same(job, found):
                        differ = max(differ, max(at, self.plan[job].start) + found.end - found.start)
                    new[job] = found
                    next_[c] += 1
            times = {b.end for b in before + list(new.values()) + self.known(sim)} | set(self.after.values())
            at = min((t for t in times if t > at), default=math.inf)
        return new

    # How good a plan is.

    def evaluated(self, sim):
        """Mean wait, mean bounded slowdown and unfairness of the plan as it is."""
        get = self.params.get
        slow = lambda start, since, length, asked: max(UNIT, int((start - since + length) * (UNIT / max(asked, self.tau))))
        wait = slowness = 0
        waits = {job.user: 0 for job in self.came}
        used = {user: 0.0 for user in waits}
        for one in self.started:
            run, job = one["run"], one["run"].job
            waits[job.user] += run.start - one["since"]
            length = min(run.full, run.until, run.fore if self.foretold else run.until) - run.start
            rate = consumes(sim, job, run.booking)
            used[job.user] += rate * (min(run.end, sim.now) - run.start)
            if run in sim.running and get("consumption") == "planned":
                used[job.user] += rate * max(0, run.start + length - sim.now)
            if get("criteria") != "waiting":
                wait += self.weight(job) * (run.start - one["since"])
                if one["ran"] is not None:
                    slowness += self.weight(job) * slow(run.start, one["since"], one["ran"], one["ran"])
                else:
                    slowness += self.weight(job) * slow(run.start, one["since"], length, one["asked"])
        for job, booking in self.plan.items():
            since = self.since.get(job, job.submit)
            waits[job.user] += booking.start - since
            wait += self.weight(job) * (booking.start - since)
            slowness += self.weight(job) * slow(booking.start, since, booking.end - booking.start, self.asks(job))
            if get("consumption") == "planned":
                used[job.user] += job.procs * self.asks(job)
        n = max(1, sum(self.weight(job) for job in (self.plan if get("criteria") == "waiting" else self.came)))
        nuwt = [waits[user] / max(1, used[user]) for user in waits]
        mean = sum(nuwt) / len(nuwt)
        if get("fairness") == "squares":
            unfair = sum((1 + mean - x) ** 2 for x in nuwt)
        else:
            unfair = mean + math.sqrt(sum((x - mean) ** 2 for x in nuwt) / len(nuwt))
        return [wait / n, slowness / (UNIT * n), unfair]

    def gain(self, old, new):
        return sum(w * (o - n) / o if o > 0 else -w if n > 0 else 0 for w, o, n in zip(self.weights, old, new))


def consumes(sim, job, booking):
    """What a job consumes a second: its processors, or its share of the cluster's memory in processors."""
    cluster = sim.platform.clusters[booking.cluster]
    memory = [sim.platform.capacity["memory", booking.cluster, i] for i in range(len(cluster["nodes"]))] if cluster["packing"] != "processors" else []
    if not memory or max(memory) >= 10**15:
        return job.procs
    held = sum(amount for key, amount in booking.holds.items() if key[0] == "memory")
    return max(job.procs, held * cluster["processors"] / sum(memory))


def unlike(old, new):
    """The first and last place of the new list where it differs from the old one."""
    first = next((n for n, (a, b) in enumerate(zip(old, new)) if a is not b), min(len(old), len(new)))
    tail = 0
    while tail < min(len(old), len(new)) - first and old[-1 - tail] is new[-1 - tail]:
        tail += 1
    return first, len(new) - tail - 1


def close(mine, theirs, now):
    for a, b in zip(mine, theirs):
        assert abs(a - b) <= 1e-9 + 1e-9 * abs(b), f"scores at {now}: {mine}, {theirs} is told"
