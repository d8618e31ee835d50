"""A scheduler of one's own, by docs/your-own-scheduler.md: programs that are written in what
Starlark and Python have in common run here as Python, behind a small s."""

from schedulers import EASY, Scheduler


# What is drawn: each thing that a program can define and most of what s can do. Left out are
# s.keep, s.wake, what tells of the platform, conservative backfilling, and random().
PROGRAMS = [
    "def decide(s):\n    for job in s.queue:\n        if not s.start(job):\n            break\n",
    "def decide(s):\n    head = None\n    for job in s.queue:\n        if not s.start(job) and head == None:\n            head = job\n            s.reserve(head)\n",
    "def decide(s):\n    for job in sorted(s.queue, key = lambda job: (job.requested, job.id)):\n        s.place(job)\n",
    "def decide(s):\n    return [job for job in s.queue if s.fits(job) and s.start(job)]\n",
    "def decide(s):\n    return [job for job in s.queue if s.fits(job)][:1]\n",
    "def decide(s):\n    for job in s.queue:\n        if s.earliest(job) == s.now:\n            s.start(job)\n        elif job.wait > 5:\n            s.reserve(job, after = s.now + 1)\n",
    "seen = {}\n\ndef decide(s):\n    for job in s.arrived:\n        seen[job] = len(seen)\n    for job in reversed(s.queue):\n        if not s.start(job) and seen.get(job, 0) % 2 == 0:\n            s.reserve(job)\n",
    "def order(job, s):\n    return job.area\n\nbackfill = \"easy\"\n",
    "def order(job, s):\n    return (job.queue, -job.requested)\n\nbackfill = \"easy\"\n\ndef backfill_order(job, s):\n    return -job.procs\n",
    "def order(job, s):\n    return -job.wait * job.procs\n",
    "used = {}\n\ndef begin(s):\n    for job in s.ended:\n        used[job.user] = used.get(job.user, 0) + job.procs * (job.ended - job.started)\n\ndef order(job, s):\n    return used.get(job.user, 0)\n\nbackfill = \"easy\"\n",
    "last = [0]\n\ndef reset(s):\n    last[0] = s.processors\n\ndef order(job, s):\n    return (job.procs > last[0] // 2, len(s.running) % 2, job.queue)\n\nbackfill = \"none\"\n",
]


class View:
    """A job as a program sees it, the same one at every call."""

    def __init__(self, job):
        self.it, self.id, self.procs, self.requested = job, job.number, job.wide(), job.requested
        self.user, self.queue, self.area = job.user, job.queue, job.wide() * job.requested
        self.started = self.ended = None


class S:
    """What a program may know and do at one instant."""

    def __init__(self, sim, views):
        self.sim, self.views, self.held, self.now = sim, views, {}, sim.now
        self.processors = sim.processors
        self.queue = [self.view(job) for job in sim.waiting]
        self.running = [self.view(run.job) for run in sorted(sim.running, key=lambda run: (run.until, run.job.place))]
        self.arrived = [self.view(job) for job in sim.new if job in sim.waiting]
        self.ended = []
        for run in sorted(sim.ended, key=lambda run: run.job.place):
            one = self.view(run.job)
            one.started, one.ended = run.start, run.end
            self.ended.append(one)

    def view(self, job):
        one = self.views.setdefault(job, View(job))
        one.submit, one.wait = job.submit, self.now - job.submit
        return one

    def others(self, one):
        return [booking for other, booking in self.held.items() if other is not one]

    def room(self, one):
        return self.sim.place(one.it, self.others(one)) if one.it in self.sim.waiting else None

    def fits(self, one):
        return self.room(one) is not None

    def start(self, one):
        where = self.room(one)
        if where is None:
            return False
        self.held.pop(one, None)
        self.sim.start(one.it, where)
        return True

    def found(self, one, after):
        """The first room for as long as a job may run from now on, on the slowest machines."""
        booked, since = self.sim.bookings() + self.others(one), max(after or 0, self.now)
        for t in sorted({since} | {b.end for b in booked if b.end > since}):
            where = self.sim.platform.place(one.it, t, self.sim.longest(one.it), booked)
            if where is not None:
                return where
        return None

    def earliest(self, one, after=None):
        where = self.found(one, after)
        return where and where.start

    def reserve(self, one, after=None):
        where = self.found(one, after)
        self.held.pop(one, None)
        if where is None:
            return None
        self.held[one] = where
        return where.start

    def place(self, one):
        return self.now if self.start(one) else self.reserve(one)


class Custom(EASY):
    def __init__(self, params, processors):
        super().__init__({}, processors)
        self.defined, self.views = {}, {}
        exec(params.get("code", "def order(job, s):\n    return 0\n\nbackfill = \"easy\"\n"), self.defined)
        self.begun = False

    def orders(self, sim):
        def line(name):
            return sorted(sim.waiting, key=lambda job: (self.defined[name](self.s.view(job), self.s), job.place))

        return line("order"), line("backfill_order" if "backfill_order" in self.defined else "order")

    def pass_(self, sim):
        self.s = S(sim, self.views)
        if not self.begun and "reset" in self.defined:
            self.defined["reset"](self.s)
        self.begun = True
        if "decide" in self.defined:
            for one in self.defined["decide"](self.s) or []:
                assert one.it not in sim.waiting or self.s.start(one), one.id
            return
        if "begin" in self.defined:
            self.defined["begin"](self.s)
        if self.defined.get("backfill", "none") == "easy":
            super().pass_(sim)
        else:
            self.begin(sim, self.orders(sim)[0])
