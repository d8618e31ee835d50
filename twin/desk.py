"""Advance reservations: the sections "Advance reservations beside any scheduler" and, of
"Grids and advance reservations", points 2, 4, 6, 7 and 9 of docs/simulation-rules.md."""

from jobs import ENDLESS, INFINITE, scaled
from space import Booking


class Offer:
    """What a provider offers: from start on, for a time, booked by whole slots."""

    def __init__(self, start, length, booking, procs):
        self.start, self.length, self.booking, self.procs = start, length, booking, procs
        self.end, self.holding = start + length, False


class Desk:
    """Reservations that are asked for, accepted, running, or kept though their jobs have ended."""

    def __init__(self, options, sim):
        get = options.get
        self.delta, self.slot = get("delta") or 0, max(1, get("slot") or 1)
        self.late, self.suspends, self.hold = get("mode", "late") == "late", get("running") == "suspend", get("unused") == "hold"
        if get("binding") == "static":
            sim.platform.bind()
        self.at_end, self.sim = get("end", "kill"), sim
        self.queue, self.runs, self.kept, self.new, self.lost = [], [], [], [], []
        self.accepted, self.ever = {}, set()  # offers by job, not begun; on which clusters schedulers ever had to look at one
        self.left, self.turns = set(), 0  # clusters on which a reservation's job runs no longer, now; how many bookings there were

    def bookings(self):
        """What everybody has to keep clear of beside running batch jobs and the calendar."""
        return [run.booking for run in self.runs] + self.kept + ([] if self.suspends else self.ahead())

    back = property(lambda self: bool(self.freed))  # whether a reservation gives anything back now

    def ahead(self):
        return [offer.booking for offer in self.accepted.values()]

    anywhere = property(lambda self: self.ever)  # not only at one provider

    def busy(self):
        return self.queue or self.accepted or self.runs or self.kept

    def instants(self):
        """When something is to happen next: a period, a beginning, an end."""
        now = self.sim.now
        times = [t for offer in self.accepted.values() for t in (offer.start if self.suspends else offer.booking.start, offer.start)] + [b.end for b in self.kept]
        times += [t for run in self.runs for t in (run.end, run.offer_end)]
        if self.queue and self.delta and now is not None:
            times.append(self.sim.first + ((now - self.sim.first) // self.delta + 1) * self.delta)
        return [t for t in times if now is None or t > now]

    def end(self):
        """Reservations whose jobs have ended, and those that are over."""
        now = self.sim.now
        self.left, self.kept, self.new, self.lost, self.freed = set(), [b for b in self.kept if b.end > now], [], [], set()  # freed: clusters on which something was given back
        ended = [run for run in self.runs if run.end <= now]
        self.runs = [run for run in self.runs if run.end > now]
        self.ended = sorted(ended, key=lambda run: run.job.place)
        for run in self.ended:
            self.sim.file(run)

    def keep(self):
        """What is left of reservations whose jobs have just ended, when failures have stopped whom they had to."""
        for run in self.ended:
            self.over(run)

    def over(self, run):
        """A reservation's job runs no longer: the rest is given back, or kept."""
        self.runs = [other for other in self.runs if other is not run]
        rest = Booking(self.sim.now, run.booked, run.booking.holds, run.booking.cluster)
        rest.turn, rest.owner = run.booking.turn, run.job
        self.left.add(rest.cluster)
        if self.hold and rest.end > rest.start and self.free(run.job, rest):
            self.kept.append(rest)
        elif rest.end > rest.start:
            self.freed.add(rest.cluster)

    def lose(self, run):
        """A failure took its place: it is to be asked for again, with all that it wants."""
        self.runs.remove(run)
        self.sim.close(run)
        run.job.procs = run.job.wants.procs
        run.job.submitted = self.sim.now
        self.lost.append(run.job)
        self.freed.add(run.booking.cluster)
        self.left.add(run.booking.cluster)

    def pass_(self):
        now, self.closed = self.sim.now, []  # closed: jobs that are stopped for good, as their reservations are over
        for run in sorted([run for run in self.runs if run.offer_end <= now], key=lambda run: run.job.place):
            self.over(run)
            if self.at_end == "suspend":
                run.job.sought, run.job.wants = run.job.wants.procs, None
                self.sim.again(run, True)
            else:
                self.sim.close(run)
                self.closed.append(run.job)
        if self.due():
            self.serve()
        self.start()

    def due(self):
        """Whether the queue is served now."""
        return not self.delta or (self.sim.now - self.sim.first) % self.delta == 0

    def serve(self):
        for job in self.queue:
            self.ask(job)
        self.queue = []

    def start(self):
        """What was reserved from now on: slots are held, jobs begin; who has too little left is asked for again."""
        now, lost = self.sim.now, []
        self.slots()
        for job in sorted([job for job, offer in self.accepted.items() if offer.start <= now], key=lambda job: job.place):
            cluster = self.accepted[job].booking.cluster
            if not self.begin(job):
                lost.append(job)
                self.freed |= {cluster} if not self.suspends else set()  # who suspends has held nothing yet
        for job in lost:
            self.ask(job, now + 1)
        self.slots()

    def slots(self):
        """Slots begin before their jobs."""
        for job, offer in sorted(self.accepted.items(), key=lambda pair: pair[0].place):
            if offer.booking.start == self.sim.now < offer.start and not self.suspends and not offer.holding:
                offer.holding = self.free(job, offer.booking)

    def holding(self):
        """What reservations hold now though their jobs do not run."""
        return self.kept + [offer.booking for offer in self.accepted.values() if offer.holding]

    def free(self, job, booking, until=None):
        """Whether what a booking holds is there now, or for longer, beside all that runs or is held."""
        sim = self.sim
        others = [run.booking for run in self.runs + sim.running] + self.holding() + sim.known()
        if until:
            others += self.ahead() if not self.suspends else []
        return all(sim.platform.free(key, sim.now, until or sim.now + 1, others, sim.most(job, key)) >= n for key, n in booking.holds.items())

    def ask(self, job, since=None):
        """Serves a request, of which what is past cannot be had: in its interval, else late or rejected."""
        self.since = self.sim.now if since is None else since
        for deadline in [job.wants.deadline] + [INFINITE] * self.late:
            offer = self.best(job, deadline)
            if offer is not None:
                return self.accept(job, offer)
        self.sim.rejected.append(job)

    def accept(self, job, offer):
        self.accepted[job] = offer
        if not self.suspends:
            self.told(job, offer)

    def told(self, job, offer):
        """Schedulers look at it from now on."""
        self.turns += 1
        offer.booking.turn, offer.booking.owner = self.turns, job
        self.new.append(offer)
        self.ever.add(offer.booking.cluster)

    def best(self, job, deadline):
        best = None
        for c in range(len(self.sim.platform.clusters)):
            offer = self.offer(job, c, deadline)
            if offer is not None and (best is None or self.rank(job, offer) < self.rank(job, best)):
                best = offer
        return best

    def rank(self, job, offer):
        return -offer.procs, -offer.length if job.wants.effort == "time" else 0, offer.end

    def beside(self):
        """What reservations look at: all that is known, or each other only."""
        mine = [run.booking for run in self.runs] + self.kept + self.ahead() + self.sim.known()
        return mine + ([] if self.suspends else [run.booking for run in self.sim.running])

    def offer(self, job, c, deadline):
        """The best that a cluster has for a request from now on."""
        speed = self.sim.platform.slowest(c)
        length, ready, beside = scaled(job.wants.length, speed), max(job.wants.ready, self.since), self.beside()
        due = job.due if job.kill else INFINITE
        best = None
        ends = {b.end for b in beside} | {-(-b.end // self.slot) * self.slot for b in beside}
        for t in sorted({ready} | {t for t in ends if t > ready}):
            if t >= due:
                continue
            one = self.at(job, c, t, length, deadline, due, beside)
            if one is not None and (best is None or self.rank(job, one) < self.rank(job, best)):
                best = one
        return best

    def at(self, job, c, t, length, deadline, due, beside):
        effort = job.wants.effort
        if effort == "exact":
            return self.fits(job, c, t, length, job.procs, deadline, beside, due)
        if effort == "processors":
            sizes = range(min(job.procs, self.sim.platform.clusters[c]["processors"]), 0, -1)
            return next((one for n in sizes if n % (job.each or 1) == 0 and (one := self.fits(job, c, t, length, n, deadline, beside, due))), None)
        longest = min(length, due - t, deadline - t)
        return next((one for n in range(longest, 0, -1) if (one := self.fits(job, c, t, n, job.procs, deadline, beside))), None)

    def fits(self, job, c, t, whole, procs, deadline, beside, due=INFINITE):
        """An offer of so many processors for so long from t on, if there is room and time; a job
        that is stopped at its due time holds nothing from then on."""
        length = min(whole, due - t)
        if t + length > deadline or t >= ENDLESS:  # nothing is promised behind jobs without a limit
            return None
        slot = 1 if job.wants.effort == "time" else self.slot
        start, end = max(t // slot * slot, self.sim.now), -(-(t + length) // slot) * slot
        asked, job.procs = job.procs, procs
        booking = self.sim.platform.place(job, start, lambda speed: end - start, beside, c, True)
        job.procs = asked
        if booking is None:
            return None
        booking.end = end
        return Offer(t, whole, booking, procs)

    def begin(self, job):
        """A reservation's time has come: batch jobs make room. Whether there is enough."""
        offer, sim = self.accepted.pop(job), self.sim
        if self.suspends:
            self.make_room(job, offer)
        if not self.free(job, offer.booking):
            return False
        job.procs = offer.procs
        run = sim.begin(job, offer.booking)
        run.booking.start, run.booked = sim.now, offer.booking.end
        run.end = sim.now + scaled(job.run, sim.platform.slowest(run.booking.cluster, run.booking.holds))
        if job.kill:
            run.end = min(run.end, job.due)
        run.offer_end = offer.end - (60 if self.at_end == "early" and offer.length > 60 else 0)
        self.runs.append(run)
        if self.suspends:  # nobody looked at it before
            self.told(job, offer)
        return True

    def make_room(self, job, offer):
        """Suspends who started last of those that hold what a reservation needs, until it has it
        for its whole length or, where a failure leaves too little for that, now."""
        sim, needs = self.sim, set(offer.booking.holds)
        said = sim.platform.limits
        limits = bool(said.get("user_processors") or any(not kind.get("whole") for kind in said.get("classes", [])))  # then whatever is held on the cluster may be what is needed
        batch = sorted([run for run in sim.running if (set(run.booking.holds) & needs or limits and run.booking.cluster == offer.booking.cluster) and run.start < sim.now], key=lambda run: (run.start, run.job.place))
        others = [b.booking for b in self.runs] + self.kept + sim.known()
        apart = [run.booking for run in sim.running if run not in batch]
        whole = lambda left: all(sim.platform.free(key, sim.now, offer.booking.end, others + apart + [run.booking for run in left], sim.most(job, key)) >= n for key, n in offer.booking.holds.items())
        enough = whole([])
        while batch and not (whole(batch) if enough else self.free(job, offer.booking)):
            sim.stop(batch.pop(), True)
