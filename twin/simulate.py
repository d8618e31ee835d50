"""The simulator itself: rules 4 and 5 of docs/simulation-rules.md, one plain loop."""

from space import Platform


class Run:
    """An execution: until is when the job must have ended as requested."""

    def __init__(self, job, start, booking):
        self.job, self.start, self.until, self.booking = job, start, booking.end, booking
        self.end = min(start + job.run, booking.end)


class Simulation:
    """What a scheduler may see (now, waiting, running, ended) and do (place, start)."""

    def __init__(self, document, processors, jobs, scheduler):
        self.platform = Platform(document, processors)
        self.processors = sum(c["processors"] for c in self.platform.clusters)
        self.coming, self.waiting, self.running, self.done = list(jobs), [], [], []
        self.rejected = []  # still waited when they would be stopped
        self.first = jobs[0].submit if jobs else 0
        self.ended, self.new = [], []  # since the pass before
        self.now = None
        self.scheduler = scheduler

    def bookings(self):
        """What running jobs hold until their requested ends, and what the calendar takes."""
        return [run.booking for run in self.running] + self.known()

    def known(self):
        return [b for b in self.platform.calendar if b.announced]

    def place(self, job, bookings=()):
        """Where a job could start now for as long as it may run, beside more bookings."""
        return self.platform.place(job, self.now, job.length(self.now), self.bookings() + list(bookings))

    def start(self, job, booking):
        assert job in self.waiting and booking.start == self.now and job.submit <= self.now, (job, booking.start, self.now)
        booking.end = self.now + job.length(self.now)
        for key, amount in booking.holds.items():  # it fits, or the scheduler is wrong
            most = dict((k, m) for k, (_, m) in self.platform.limited(job, booking.cluster).items()).get(key)
            assert self.platform.free(key, booking.start, booking.end, self.bookings(), most) >= amount, (job, key)
        self.waiting.remove(job)
        run = Run(job, self.now, booking)
        self.running.append(run)
        return run

    def go(self):
        """Runs until nothing waits or comes; the executions in order of start."""
        passes = 0
        while self.coming or self.waiting or self.running:
            passes += 1
            if passes > 3000:
                raise RuntimeError(f"{self.waiting} never start")
            times = [run.end for run in self.running] + [job.submit for job in self.coming[:1]]
            if self.waiting:
                wake = self.scheduler.wake(self)
                times += [wake] if wake is not None else []
                times += [t for b in self.known() for t in (b.start, b.end) if self.now is not None and t > self.now]
            if not times:
                raise RuntimeError(f"{self.waiting} wait, and nothing will happen")
            self.now = min(times)
            self.ended = [run for run in self.running if run.end <= self.now]
            for run in self.ended:
                self.running.remove(run)
                self.done.append(run)
            self.new = [job for job in self.coming if job.submit <= self.now]
            self.coming = self.coming[len(self.new):]
            self.waiting = sorted(self.waiting + self.new, key=lambda job: job.place)
            for job in [job for job in self.waiting if job.kill and job.due <= self.now]:
                self.waiting.remove(job)
                self.rejected.append(job)
            self.scheduler.pass_(self)
        return self.done
