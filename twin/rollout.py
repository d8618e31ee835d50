"""The scheduler foresight-rollout: the section "Foresight" of docs/simulation-rules.md."""

import functools
import math

from orders import line
from predict import Book
from schedulers import KINDS, Foresight

WORD = 2**64 - 1
ORDERS = [lambda ln, q, e, w: ln + q, lambda ln, q, e, w: ln + q / 2, lambda ln, q, e, w: ln + 1.5 * q, lambda ln, q, e, w: ln, lambda ln, q, e, w: math.log(e) - math.log(w) + q]


def splitmix64(x):
    x = x + 0x9e3779b97f4a7c15 & WORD
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & WORD
    x = (x ^ x >> 27) * 0x94d049bb133111eb & WORD
    return x ^ x >> 31


@functools.cache
def normal(number, salt, scenario):
    """The standard normal number of a job and a scenario."""
    x = splitmix64(splitmix64(number + (salt << 40) & WORD) + scenario & WORD)
    while True:
        u = (x >> 11) / 2**52 - 1
        x = splitmix64(x)
        v = (x >> 11) / 2**52 - 1
        x = splitmix64(x)
        r = u * u + v * v
        if 0 < r < 1:
            return u * math.sqrt(-2 * math.log(r) / r)


class Rollout(Foresight):
    """Foresight that chooses its queue order by playing five on the present queue."""

    def __init__(self, params, processors):
        super().__init__(params, processors)
        get = lambda key, default: params.get(key, default)
        self.step, self.threshold = get("step", 0.02), get("threshold", 200000)
        self.interval, self.better, self.depth, self.scenarios = get("interval", 600), get("better", 0.01), get("depth", 100), get("scenarios", 8)
        self.spread, self.stretch, self.salt = get("spread", 2), get("stretch", 0.7), get("salt", 62)
        self.last, self.order = None, 0
        self.first = lambda job, now: self.key(job, self.order)

    def key(self, job, order):
        e, _, w = job.means
        return -math.floor(ORDERS[order](job.log, math.log(job.wide()), e, w) / self.step + 0.5)

    def pass_(self, sim):
        fits = lambda job: sim.platform.place(job, sim.now, lambda speed: 1, sim.bookings()) is not None
        if len(sim.waiting) > 1 and (self.last is None or sim.now - self.last >= self.interval) and any(fits(job) for job in sim.waiting):
            self.last = sim.now
            self.order = self.choose(sim)
        super().pass_(sim)

    def choose(self, sim):
        in_order = lambda jobs, order: line(jobs, sim.now, lambda job, now: self.key(job, order), self.newest, self.threshold)
        queue = in_order(sim.waiting, 0)[:self.depth]
        behind = line(queue, sim.now, self.behind, self.newest)
        free = max(0, sum(c["processors"] for c in sim.platform.clusters) - sum(run.job.procs for run in sim.running))
        costs, lines = [], [in_order(queue, order) for order in range(len(ORDERS))]
        for first in lines:
            total = 0.0
            for s in range(self.scenarios):
                total += self.play(sim, first, behind, free, s)
            costs.append(total / self.scenarios)
        best, least = 0, costs[0] * (1 - self.better)
        for order in range(1, len(ORDERS)):
            near = lambda cost: lines[order] not in lines[:order] and abs(cost - costs[order]) <= 1e-9 * cost
            Book.half = Book.half or near(costs[best]) or near(least)  # as good as equal
            if costs[order] < costs[best] and costs[order] < least:
                best = order
        return best

    def lasts(self, job, s, request):
        e, g, _ = job.means
        sigma = math.sqrt(self.spread * max(0, math.log(e) - g))
        return min(max(math.exp(g + sigma * normal(job.number, self.salt, s)), 1), request)

    @staticmethod
    def rounded(draw):
        """A draw in whole seconds; one that is a half but for the last digits may go either way."""
        Book.half = Book.half or abs(draw % 1 - 0.5) < 1e-9
        return math.floor(draw + 0.5)

    def play(self, sim, first, behind, free, s):
        """What a queue costs in a scenario: EASY on processors that are only counted, until all have started."""
        ends = []  # of those that run: (when, processors, when by request), from now on
        for run in sim.running:
            age, request = sim.now - run.start, run.until - run.start
            lasts = self.lasts(run.job, s, request)
            if age >= lasts:
                lasts = min(age * (1 + self.stretch * abs(normal(run.job.number, self.salt, s + self.scenarios))), request)
            end = max(run.start + self.rounded(lasts) - sim.now, 1)
            ends.append((end, run.job.procs, run.until - sim.now))
        at, cost, first, behind = 0, 0.0, list(first), list(behind)

        def start(job):
            nonlocal cost, free
            cost += job.means[2] * at
            free -= job.procs
            ends.append((at + self.rounded(self.lasts(job, s, job.requested)), job.procs, at + job.requested))
            first.remove(job)
            behind.remove(job)

        while True:
            while first and first[0].procs <= free:
                start(first[0])
            if not first:
                return cost
            shadow, extra = self.gap(first[0], ends, free)
            for job in behind[:]:
                if job is first[0] or job.procs > free:
                    continue
                if at + job.requested <= shadow:
                    start(job)
                elif job.procs <= extra:
                    extra -= job.procs
                    start(job)
            at = min(end for end, _, _ in ends)
            free += sum(procs for end, procs, _ in ends if end == at)
            ends = [one for one in ends if one[0] > at]

    @staticmethod
    def gap(head, ends, free):
        """When the head would have its processors by requests, and how many it leaves then."""
        for t in sorted({until for _, _, until in ends}):
            there = free + sum(procs for _, procs, until in ends if until <= t)
            if there >= head.procs:
                return t, there - head.procs


KINDS["foresight-rollout"] = Rollout
