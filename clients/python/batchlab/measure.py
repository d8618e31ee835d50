"""Measures that are known while a simulation goes on, for rewards."""


class Measure:
    """A measure over what has happened so far: update takes over what came next, value
    is what the measure comes to. smaller says whether smaller values are better."""

    smaller = True

    def __init__(self):
        self.count, self.sum = 0, 0.0

    def update(self, s, started, ended):
        """Takes over the jobs that were started and that ended since the last time."""

    def value(self):
        return self.sum / self.count if self.count else 0.0

    def _add(self, x):
        self.count += 1
        self.sum += x


class MeanWait(Measure):
    """Mean wait of the jobs that have started, seconds."""

    def update(self, s, started, ended):
        for job in started:
            self._add(job.started - job.submit)


class MaxWait(MeanWait):
    """Longest wait of the jobs that have started, seconds."""

    def _add(self, x):
        self.sum, self.count = max(self.sum, x), 1


class MeanTurnaround(Measure):
    """Mean time from submission to end of the jobs that have ended, seconds."""

    def update(self, s, started, ended):
        for job in ended:
            self._add(job.ended - job.submit)


class MeanBoundedSlowdown(Measure):
    """Mean bounded slowdown of the jobs that have ended, with a bound of 10 s."""

    tau = 10

    def update(self, s, started, ended):
        for job in ended:
            self._add(max(1.0, (job.ended - job.submit) / max(self.tau, job.ended - job.started)))


class Utilization(Measure):
    """Share of all processor seconds since the first submission in which jobs ran, as
    far as they have ended."""

    smaller = False

    def __init__(self):
        super().__init__()
        self.first = self.until = None
        self.processors = 1

    def update(self, s, started, ended):
        self.processors = s.processors
        for job in started:
            self.first = job.submit if self.first is None else min(self.first, job.submit)
        for job in ended:
            self.sum += job.procs * (job.ended - job.started)
            self.until = job.ended if self.until is None else max(self.until, job.ended)

    def value(self):
        if not self.sum:
            return 0.0
        return self.sum / (self.processors * (self.until - self.first))


# By the keys of docs/experiment.md. Any other measure of a run is known when the
# run is over.
MEASURES = {
    "mean-wait": MeanWait,
    "max-wait": MaxWait,
    "mean-turnaround": MeanTurnaround,
    "mean-bounded-slowdown": MeanBoundedSlowdown,
    "utilization": Utilization,
}
