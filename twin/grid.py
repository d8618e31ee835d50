"""Grids: the section "Grids and advance reservations" of docs/simulation-rules.md. A
provider is a cluster with a scheduler of its own, which sees it alone."""

import copy

from desk import Desk
from jobs import INFINITE
from simulate import Simulation
from streams import Stream


class Part:
    """What a provider's scheduler sees of the desk; beside it, what others' jobs hold and give
    back of what belongs to the whole platform."""

    def __init__(self, desk, c):
        self.desk, self.c = desk, c

    def shared(self, run):
        return run.cluster != self.c and any(key[0] in ("licence", "share", "whole") for key in run.holds)

    bookings = lambda self: self.desk.bookings()
    holding = lambda self: self.desk.holding()
    runs = property(lambda self: [run for run in self.desk.runs if run.booking.cluster == self.c])
    new = property(lambda self: [offer for offer in self.desk.new if offer.booking.cluster == self.c] + [run for run in self.desk.sim.begun if self.shared(run.booking)])
    freed = property(lambda self: self.c in self.desk.freed or any(self.shared(run.booking) and self.desk.sim.now < run.full for run in self.desk.sim.over()))
    ever = property(lambda self: self.c in self.desk.ever)
    anywhere = property(lambda self: self.desk.ever)
    left = property(lambda self: self.c in self.desk.left)
    back = property(lambda self: self.c in self.desk.freed)


class Provider(Simulation):
    """One cluster as its scheduler sees it."""

    def __init__(self, grid, c, scheduler):
        self.grid, self.c, self.scheduler = grid, c, scheduler
        self.platform = copy.copy(grid.platform)
        self.platform.places, self.platform.alone = ([place for place in all_of if place[0] == c] for all_of in (grid.platform.places, grid.platform.alone))
        self.waiting, self.running, self.done, self.new, self.stopped = [], [], [], [], []
        self.desk = Part(grid.desk, c)
        self.gate, self.book, self.known_runs = grid.gate, None, []

    now = property(lambda self: self.grid.now)
    first = property(lambda self: self.grid.first)
    rejected = property(lambda self: self.grid.rejected)
    ended = property(lambda self: [run for run in self.grid.ended if run.booking.cluster == self.c])
    failed = property(lambda self: [b for b in self.grid.failed if any(len(key) > 1 and key[1] == self.c for key in b.holds)])

    def bookings(self):
        return self.grid.bookings() + self.held()

    def held(self):
        """What other providers have stopped at this instant: it is there from the next one on."""
        return [run.booking for run in self.grid.halted if run.booking.cluster != self.c]

    def elsewhere(self):
        return [run.booking for run in self.grid.running if run.booking.cluster != self.c] + self.held()

    def file(self, run):
        self.grid.file(run)

    def longest(self, job):
        slowest = min(1, self.platform.slowest(self.c))
        return lambda speed: job.length(self.now, slowest)

    def send(self, job):
        self.new.append(job)
        self.waiting = sorted(self.waiting + [job], key=lambda job: job.place)

    def decide(self):
        self.expire()
        self.scheduler.pass_(self)


class Grid(Simulation):
    """The upper level: its queue, and the providers."""

    def __init__(self, document, processors, jobs, options, local, gated=False, repetition=0):
        self.providers = []
        super().__init__(document, processors, jobs, None, gated)
        self.queue, self.random = [], Stream(document.get("seed", 1), "grid/allocation", repetition)
        self.empty = copy.copy(self.platform)
        self.desk = GridDesk(options, self)
        self.providers = [Provider(self, c, local(self.platform.clusters[c]["name"])) for c in range(len(self.platform.clusters))]

    waiting = property(lambda self: self.queue + [job for one in self.providers for job in one.waiting], lambda self, _: None)
    running = property(lambda self: [run for one in self.providers for run in one.running], lambda self, _: None)

    def release(self, run):
        self.providers[run.booking.cluster].release(run)

    def file(self, run):
        self.done.append(run)
        self.providers[run.booking.cluster].done.append(run)

    def stop(self, run, suspend):
        self.providers[run.booking.cluster].stop(run, suspend)

    def again(self, run, suspend):
        self.providers[run.booking.cluster].again(run, suspend)

    def drop(self, job):
        (self.queue if job in self.queue else next(one.waiting for one in self.providers if job in one.waiting)).remove(job)

    def arrive(self):
        self.queue = sorted(self.queue + self.new, key=lambda job: job.place)
        for job in [job for job in self.queue if job.kill and job.due <= self.now]:
            self.queue.remove(job)
            self.rejected.append(job)

    def wakes(self):
        wakes = [wake for one in self.providers if one.waiting for wake in one.wakes()]
        if self.queue and self.desk.delta:
            wakes.append(self.first + ((self.now - self.first) // self.desk.delta + 1) * self.desk.delta)
        return wakes

    begun = ()  # runs that began since a provider was asked last
    halted, before = [], []  # runs that providers have stopped at this instant, and at the one before

    def over(self):
        """What has ended at this instant, or was stopped since the last."""
        return self.before + [run for run in self.done if run.end == self.now and run not in self.halted]

    def decide(self):
        self.before, self.halted = self.halted, []
        for one in self.providers:
            known, ran = set(one.known_runs), list(one.running)
            self.begun = [run for run in self.running if run not in known]
            one.decide()
            self.halted += [run for run in ran if run not in one.running]
            one.known_runs = list(self.running)
        for one in self.providers:
            one.new, one.stopped = [], []

    def serves(self, job, c, procs=None):
        """Whether a provider is large enough, for so many processors."""
        asked, job.procs = job.procs, procs or job.procs
        there = self.empty.place(job, 0, lambda speed: 1, [], c) is not None
        job.procs = asked
        return there

    def shorter(self, a, c):
        """Whether provider a has the shorter queue, or as short a one and more that is free."""
        return (self.desk.length(a), -self.free(a)) < (self.desk.length(c), -self.free(c))

    def free(self, c):
        there = [key for key in self.platform.capacity if key[:2] == ("processors", c)]
        return sum(max(0, self.platform.free(key, self.now, self.now + 1, self.bookings())) for key in there)


class GridDesk(Desk):
    """The grid's queue is served: batch jobs are sent to providers, reservations are asked for there."""

    def __init__(self, options, sim):
        super().__init__(options, sim)
        get = options.get
        self.how, self.batch, self.load = get("reservations", "mct"), get("batch"), get("load", "batch")
        self.spread, self.fcfs = get("tie") == "random", get("turn") == "fcfs"
        n = len(sim.platform.clusters)
        self.reserved = min(get("partition") or n // 2, n - 1) if self.how == "partition" else 0

    def busy(self):
        return super().busy() or self.sim.queue

    def serve(self):
        super().serve()
        self.dispatch(None)

    def dispatch(self, before):
        """Sends the batch jobs of the queue, or those that stand before a job."""
        for job in [job for job in self.sim.queue if before is None or job.place < before.place]:
            self.sim.queue.remove(job)
            self.sim.providers[self.allocate(job)].send(job)

    def allocate(self, job):
        n = len(self.sim.providers)
        suits = [c for c in range(self.reserved, n) if self.sim.serves(job, c)] or [c for c in range(n) if self.sim.serves(job, c)]
        return self.any(suits) if self.batch == "random" else self.shortest(suits)

    def any(self, suits):
        """One of them, each as likely: the k-th takes the place of those before it with probability 1 / k."""
        chosen = suits[0]
        for k, c in enumerate(suits[1:], 2):
            if self.sim.random.below(k) == 0:
                chosen = c
        return chosen

    def shortest(self, suits):
        best = suits[0]
        for c in suits[1:]:
            if self.sim.shorter(c, best):
                best = c
        return best

    def length(self, c):
        one = self.sim.providers[c]
        n = len(one.waiting)
        if self.load != "batch":
            n += sum(offer.booking.cluster == c for offer in self.accepted.values())
        if self.load == "all":
            n += len(one.running) + len(one.desk.runs)
        return n

    def ask(self, job, since=None):
        self.since = self.sim.now if since is None else since
        if self.fcfs and self.due():
            self.dispatch(job)
        clusters = list(range(len(self.sim.providers)))
        large = [c for c in clusters if self.sim.serves(job, c, job.each or 1 if job.wants.effort == "processors" else job.procs)]
        if self.how == "partition" and large and large[0] < self.reserved:
            clusters = clusters[:self.reserved]
        elif self.how in ("random", "load-balance"):
            clusters = [self.any(large) if self.how == "random" else self.shortest(large)] if large else []
        for deadline in [job.wants.deadline] + [INFINITE] * self.late:
            offer = self.choose(job, clusters, deadline, deadline < INFINITE)
            if offer is not None:
                return self.accept(job, offer)
        self.sim.rejected.append(job)

    def choose(self, job, clusters, deadline, in_time):
        best, ties = None, 1
        for c in clusters:
            offer = self.offer(job, c, deadline)
            if offer is None:
                continue
            if best is None:
                best = offer
                if self.how == "priority" and in_time:
                    break
            elif self.rank(job, offer) < self.rank(job, best):
                best, ties = offer, 1
            elif self.rank(job, offer) == self.rank(job, best) and self.how != "priority":
                if self.spread:
                    ties += 1
                    best = offer if self.sim.random.below(ties) == 0 else best
                elif self.sim.shorter(c, best.booking.cluster):
                    best = offer
        return best
