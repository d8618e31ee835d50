"""The simulator itself: rules 4 and 5 of docs/simulation-rules.md, one plain loop."""

from desk import Desk
from eligible import Gate
from jobs import scaled
from space import Platform


class Idle(Exception):
    """Jobs wait, and nothing will happen any more."""


class Run:
    """An execution: until is when the job must have ended as requested."""

    def __init__(self, job, start, booking, speed=1):
        self.job, self.start, self.until, self.booking, self.procs = job, start, booking.end, booking, job.procs
        self.end = min(start + scaled(job.run - job.done, speed), booking.end)
        self.full = start + scaled(job.left(), speed)  # with all that is left of its request
        self.submitted, self.reserved = job.submitted, job.wants is not None


class Simulation:
    """What a scheduler may see (now, waiting, running, ended) and do (place, start)."""

    def __init__(self, document, processors, jobs, scheduler, gated=False):
        self.platform = Platform(document, processors)
        self.processors = sum(c["processors"] for c in self.platform.clusters)
        self.gate = Gate(jobs) if gated else None
        self.coming, self.waiting, self.running, self.done = [] if gated else list(jobs), [], [], []
        self.desk = Desk(document.get("platform", {}).get("booking", {}), self)
        self.withdrawn = []  # left the queue unserved
        self.rejected = []  # still waited when they would be stopped
        self.first = jobs[0].submit if jobs and not gated else 0
        self.ended, self.new = [], []  # since the pass before
        self.now, self.users = None, None  # users: those who react, if they do
        self.stopped, self.failed = [], []
        self.scheduler, self.book = scheduler, None

    def bookings(self):
        """What running jobs hold until their requested ends, and what the calendar takes."""
        return [run.booking for run in self.running] + self.desk.bookings() + self.known()

    def elsewhere(self):
        """What other providers' jobs hold."""
        return []

    def most(self, job, key):
        """How much there is of something that a limit counts, None for anything else."""
        return dict((k, m) for c in range(len(self.platform.clusters)) for k, (_, m) in self.platform.limited(job, c).items()).get(key)

    def known(self):
        """What schedulers know of the calendar: a failure from its beginning on."""
        return [b for b in self.platform.calendar if b.announced or b.start <= self.now]

    def fail(self):
        """Stops what runs where failures have just begun, or an outage beside a failure."""
        self.failed = [b for b in self.platform.calendar if not b.announced and b.start == self.now]
        for failure in [b for b in self.platform.calendar if b.start == self.now]:
            if failure.announced and not any(not b.announced and b.start <= self.now < b.end and set(b.holds) & set(failure.holds) for b in self.platform.calendar):
                continue  # nothing runs into it
            for key, amount in failure.holds.items():
                if failure.announced and len(key) > 2:
                    continue  # only where processors are counted may it find too few
                held = sorted((run for run in self.running + self.desk.runs if key in run.booking.holds), key=lambda run: (run.start, run.job.place))
                if len(key) == 2:  # a counted cluster: those that started last, until the others have enough
                    there = self.platform.free(key, self.now, self.now + 1, [b for b in self.platform.calendar if b.start <= self.now])
                    there -= sum(b.holds.get(key, 0) for b in self.desk.holding())
                    while held and sum(run.booking.holds[key] for run in held) > max(0, there):
                        self.lose(held.pop())
                else:
                    for run in held:
                        self.lose(run)
        self.desk.keep()
        for job in sorted(self.desk.lost, key=lambda job: job.place):
            self.desk.ask(job)

    def lose(self, run):
        """A failure takes a job's place: it waits again, a reservation is asked for again."""
        if run in self.desk.runs:
            self.desk.lose(run)
        else:
            self.stop(run, False)

    def longest(self, job):
        """How long a job may run at most, wherever it is: what has to be free ahead of it."""
        slowest = min([1] + [self.platform.slowest(c) for c in range(len(self.platform.clusters))])
        return lambda speed: job.length(self.now, slowest)

    def place(self, job, bookings=()):
        """Where a job could start now for as long as it may run, beside more bookings, and when it would end."""
        where = self.platform.place(job, self.now, self.longest(job), self.bookings() + list(bookings))
        if where is not None:
            where.end = self.now + job.length(self.now, self.platform.slowest(where.cluster, where.holds))
        return where

    def may(self, job, booking):
        """Whether a job may start now where it is planned, by its request: it runs into nothing that lies ahead."""
        end = self.now + job.length(self.now, self.platform.slowest(booking.cluster, booking.holds))
        return all(self.platform.free(key, self.now, end, self.bookings(), self.most(job, key)) >= amount for key, amount in booking.holds.items())

    def eases(self):
        """The next time at which anything ends that is known of: jobs that ran before this pass and
        those of reservations by their requests, what is booked, outages."""
        times = [run.until for run in self.running if run.start < self.now]
        times += [min(run.full, run.job.due) if run.job.kill else run.full for run in self.desk.runs]
        times += [b.end for b in self.known() + self.desk.bookings()]
        return min((t for t in times if t > self.now), default=self.now + 1)

    def start(self, job, booking):
        assert job in self.waiting and booking.start == self.now and job.submit <= self.now, (job, booking.start, self.now)
        speed = self.platform.slowest(booking.cluster, booking.holds)
        booking.end = self.now + job.length(self.now, speed)
        self.platform.rebind(booking, self.bookings())
        for key, amount in booking.holds.items():  # it fits, or the scheduler is wrong
            assert self.platform.free(key, booking.start, booking.end, self.bookings(), self.most(job, key)) >= amount, (job, key)
        self.waiting.remove(job)
        run = self.begin(job, booking)
        self.running.append(run)
        if self.book:
            self.book.begins(run)
        return run

    def begin(self, job, booking):
        if self.gate:
            self.gate.started(job, self.now)
        return Run(job, self.now, booking, self.platform.slowest(booking.cluster, booking.holds))

    def stop(self, run, suspend):
        """Stops a running job, which waits again: with what is left, or for all of it."""
        self.running.remove(run)
        self.again(run, suspend)

    def again(self, run, suspend):
        self.close(run)
        job = run.job
        job.done = job.done + self.now - run.start if suspend else 0
        job.submitted = self.now
        self.stopped.append(job)
        self.waiting = sorted(self.waiting + [job], key=lambda job: job.place)

    def close(self, run):
        """An execution is over now."""
        run.end = self.now
        if run.end > run.start:
            self.file(run)

    def release(self, run):
        self.running.remove(run)

    def file(self, run):
        """Keeps an execution that is over."""
        self.done.append(run)

    def drop(self, job):
        """A job waits no longer."""
        self.waiting.remove(job)

    def arrive(self):
        """New batch jobs wait; those that would be stopped by now are rejected."""
        self.waiting = sorted(self.waiting + self.new, key=lambda job: job.place)
        self.expire()

    def expire(self):
        for job in [job for job in self.waiting if job.kill and job.due <= self.now]:
            self.waiting.remove(job)
            self.rejected.append(job)

    def wakes(self):
        wake = self.scheduler.wake(self)
        return [] if wake is None else [wake]

    def decide(self):
        if self.book:
            self.book.pass_()
        self.scheduler.pass_(self)

    def leave(self):
        """Withdrawals, after the completions of the instant and before anybody becomes eligible."""
        for job in [job for job in self.waiting if job.withdrawn is not None and job.withdrawn <= self.now and job not in self.gate.begun]:
            self.drop(job)
            self.withdrawn.append(job)
            self.gate.gone(job, self.now)
        for job in self.gate.withdrawn(self.now):
            self.gate.held.remove(job)
            self.withdrawn.append(job)
            self.gate.gone(job, self.now)

    def go(self):
        """Runs until nothing waits or comes; the executions in order of start."""
        passes = 0
        while self.coming or self.waiting or self.running or self.desk.busy() or self.gate and self.gate.instants(self.now) or self.users and self.users.instants(self.now):
            times = [run.end for run in self.running] + [job.submit for job in self.coming[:1]] + self.desk.instants()
            if self.gate:
                times += self.gate.instants(self.now)
                times += [job.withdrawn for job in self.waiting if job.withdrawn is not None and job not in self.gate.begun]
            times += self.users.instants(self.now) if self.users else []
            times += [b.start for b in self.platform.calendar if self.now is None and not b.announced or self.now is not None and b.start > self.now] if self.running or self.coming or self.desk.busy() or self.users and self.users.instants(self.now) else []
            passes = 0 if times else passes + 1  # without anything to come but what schedulers wake for
            if passes > 30000:
                raise RuntimeError(f"{self.waiting} never start")
            if self.waiting:
                times += self.wakes()
                times += [t for b in self.platform.calendar for t in (b.start, b.end) if self.now is not None and t > self.now]
            if not times:
                raise Idle(f"{self.waiting} wait, and nothing will happen")
            self.now = min(times)
            self.ended = [run for run in self.running if run.end <= self.now]
            for run in self.ended:
                self.release(run)
                self.file(run)
                if self.gate:
                    self.gate.ended(run.job, self.now)
            before = len(self.done)
            self.stopped = []
            self.desk.end()
            over, rejected = self.ended + self.done[before:], len(self.rejected)
            for run in self.done[before:] if self.gate else []:  # reservations' jobs
                self.gate.ended(run.job, self.now)
            self.fail()
            if self.gate:
                self.leave()
                self.coming = self.gate.pass_(self.now)
            if self.users:
                for run in over:
                    self.users.over(run.job, self.now)
                self.coming = self.users.pass_(self.now)
            self.new = [job for job in self.coming if job.submit <= self.now]
            self.coming = self.coming[len(self.new):]
            self.desk.queue += [job for job in self.new if job.wants]
            self.new = [job for job in self.new if not job.wants]
            self.arrive()
            self.desk.pass_()
            self.decide()
            for job in self.rejected[rejected:] + self.desk.closed if self.gate else []:
                self.gate.gone(job, self.now, 1)
            if self.users:
                for job in self.rejected[rejected:] + self.desk.closed:
                    self.users.reject(job, self.now)
        return self.done
