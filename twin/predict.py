"""How long jobs will run, as foretold: the section "Foresight: predictions of run times" of
docs/simulation-rules.md."""

import math

from jobs import clean, largest, scale, scaled, shape


class Book:
    """What a predictor says. job.foretold is in seconds, job.log the logarithm that is kept."""

    def __init__(self, sim, params):
        self.sim, self.params, self.ended = sim, params, {}  # completions by user, as (job, run), in order of their ends

    def pass_(self):
        """At an instant: all completions are learnt from, in order of submission, then new jobs are predicted."""
        for run in sorted(self.sim.ended, key=lambda run: run.job.place):
            self.learn(run.job, self.ran(run))
        for job in self.sim.new + [job for job in self.sim.stopped if job in self.sim.waiting]:
            self.submit(job)
        for job in self.sim.waiting:
            self.foretell(job)

    STEPS = (60, 300, 900, 1800, 3600, 7200, 18000, 36000, 72000, 180000, 360000)

    def begins(self, run):
        """A job starts: what is thought of it then is kept."""
        run.guess, run.steps, left = run.job.foretold, 0, run.job.foretold - run.job.done
        run.fore = min(run.until, run.start + max(1, scaled(left, self.speed(run))))

    def exceeded(self, run):
        """A job still runs at the end of its prediction: it gets a longer one, up to its request."""
        now, limit = self.sim.now, run.job.requested
        ran = self.ran(run, now)
        while run.guess <= ran and run.guess < limit:
            run.guess = min(run.guess + self.STEPS[min(run.steps, len(self.STEPS) - 1)], limit)
            run.steps += 1
        run.fore = min(run.until, run.start + max(scaled(run.guess - run.job.done, self.speed(run)), now - run.start + 1))

    def speed(self, run):
        return self.sim.platform.slowest(run.booking.cluster, run.booking.holds)

    def ran(self, run, until=None):
        """How long a job ran, in seconds of a machine of speed 1, as its request counts them."""
        job, speed = run.job, self.speed(run)
        ran, whole = (run.end if until is None else until) - run.start, job.requested - job.done
        if self.sim.platform.scales and whole > 0:
            ran = int(ran * (whole / scaled(whole, speed)))
        return min(max(job.done + ran, 1), job.requested)

    def learn(self, job, run):
        self.ended.setdefault(job.user, []).append((job, run))

    def submit(self, job):
        pass

    def foretell(self, job):
        self.say(job, job.requested)

    half = False  # whether any prediction was a half, but for what it is rounded by, and may be either whole number

    def say(self, job, seconds):
        job.log, Book.half = math.log(seconds), Book.half or abs(seconds % 1 - 0.5) <= 1e-9 * seconds
        job.means = seconds, job.log, 1 / max(seconds, 60)  # E, ln G, W
        job.foretold = min(max(1, math.floor(seconds + 0.5)), job.requested)


class True_(Book):
    def foretell(self, job):
        self.say(job, job.run)


class File(Book):
    """Numbers from a file, of those that it lists."""

    said = {}

    def foretell(self, job):
        self.say(job, min(self.said.get(job.number) or job.requested, job.requested))


class LastTwo(Book):
    def submit(self, job):
        last = sorted(self.ended.get(job.user, []), key=lambda one: one[0].place)[-2:]
        self.say(job, min(job.requested, max(1, sum(run for _, run in last) // 2)) if len(last) == 2 else job.requested)

    def foretell(self, job):
        pass


class Median(Book):
    def foretell(self, job):
        ratios = sorted(run / one.requested for one, run in self.ended.get(job.user, [])[-self.params.get("window", 60):])
        if not ratios:
            return self.say(job, job.requested)
        n = len(ratios)
        median = ratios[n // 2] if n % 2 else (ratios[n // 2 - 1] + ratios[n // 2]) / 2
        return self.say(job, max(1, job.requested * median))


class Kernel(Book):
    """The completions of the same user, weighted by how recent and how similar they are."""

    USUAL = {"window": 60, "memory": 8, "width": 0.5, "length": 0.3, "executable": 0.3, "least": 1e-4, "prior": 0.3, "span": 200, "shrink": 5, "mean": 0.5, "log": -1, "inverse": 2}

    def __init__(self, sim, params):
        super().__init__(sim, {**self.USUAL, **params})
        self.means, self.sums = {}, {}  # by class of requests, None for all; by waiting job

    def learn(self, job, run):
        super().learn(job, run)
        long = job.requested
        for kind in (int(math.log2(long)), None):
            one = self.means.setdefault(kind, [0, 0.0, 0.0, 0.0])
            one[0] += 1
            for i, y in enumerate((run / long, math.log(run / long), long / max(run, 60)), 1):
                one[i] += (y - one[i]) / min(one[0], self.params["span"])
        for other in self.sim.waiting:
            if other.user == job.user and other in self.sums:
                self.sums[other] = [s * math.exp(-1 / self.params["memory"]) for s in self.sums[other]]
                self.sample(other, job, run, 0)
                self.told(other)

    def sample(self, job, x, run, r):
        p = self.params
        v = min(max(run * job.requested / x.requested, 1), job.requested)
        k = math.exp(-r / p["memory"]) * math.exp(-p["width"] * abs(math.log2(x.wide() / job.wide())) - p["length"] * abs(math.log2(x.requested / job.requested))) * (1 if x.executable == job.executable else p["executable"])
        Book.half = Book.half or abs(k - p["least"]) < 1e-12  # within what exponentials are rounded by
        if k >= p["least"]:
            self.sums[job] = [s + k * y for s, y in zip(self.sums[job], (1, v, math.log(v), 1 / max(v, 60)))]

    def submit(self, job):
        self.sums[job] = [0.0] * 4
        for r, (x, run) in enumerate(reversed(self.ended.get(job.user, [])[-self.params["window"]:])):
            self.sample(job, x, run, r)
        self.told(job)

    def told(self, job):
        p = self.params
        draw = lambda one, to: [(min(one[0], p["span"]) * m + p["shrink"] * t) / (min(one[0], p["span"]) + p["shrink"]) for m, t in zip(one[1:], to)]
        none, long, s = [0, 0, 0, 0], job.requested, self.sums[job]
        every = draw(self.means.get(None, none), (p["mean"], p["log"], p["inverse"]))
        a, b, c = draw(self.means.get(int(math.log2(long)), none), every)
        e = (p["prior"] * a * long + s[1]) / (p["prior"] + s[0])
        g = (p["prior"] * (b + math.log(long)) + s[2]) / (p["prior"] + s[0])
        w = (p["prior"] * c / long + s[3]) / (p["prior"] + s[0])
        job.means = e, g, w
        job.log = (math.log(long) + math.log(e) + g - math.log(w)) / 4
        job.foretold = min(max(1, math.floor(math.exp(job.log) + 0.5)), long)

    def foretell(self, job):
        pass


KINDS = {"request": Book, "true": True_, "last-two": LastTwo, "user-median": Median, "kernel": Kernel, "file": File}


def uses(one):
    """Whether a scheduler goes by predictions."""
    params = one.get("params", {})
    return one["key"].startswith("foresight") or "prediction" in (params.get(key) for key in ("orders-by", "backfill-by", "plan-by")) or any("foretold" in str(params.get(key)) for key in ("formula", "backfill-formula"))


def history(doc, processors, rows):
    """Jobs that the log itself shows to have ended before the window begins, with how long they ran, in order of their ends."""
    workload, window = doc["workload"], doc["workload"].get("window", {})
    if not window.get("history") or window.get("from") is None:
        return []
    most = largest(doc.get("platform", {}), processors)
    jobs = shape(clean(rows, most, workload.get("clean", {})), {**workload, "window": {"to": window["from"]}})
    jobs = scale(jobs, {"scale": {**workload.get("scale", {}), "load": 1}})
    ended = [(job.submit + job.wait + job.run, job) for job in jobs if job.wait >= 0 and job.submit + job.wait + job.run < window["from"]]
    return [(job, job.run) for _, job in sorted(ended, key=lambda one: one[0])]


def book(doc, one, sim, before):
    """The predictor of a scheduler's entry, None where it goes by requests."""
    said = one.get("predict") or doc.get("predict") or {"key": "kernel"}
    Book.half = False
    if not uses(one):
        return None
    made = KINDS[said["key"]](sim, said.get("params", {}))
    for job, run in before:
        made.learn(job, run)
    if said["key"] == "file":
        made.said = doc["foretold"]
    return made
