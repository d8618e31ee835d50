"""Hill climbing: its paragraph in the section "On machines" of docs/simulation-rules.md."""

from jobs import INFINITE, scaled
from schedulers import Scheduler
from space import Booking

NEEDS = "memory", "disk", "gpus"


class Planned:
    """A job of a schedule: where it was assigned, and which jobs must have ended before."""

    def __init__(self, job, holds, cluster, before):
        self.job, self.holds, self.cluster, self.before = job, holds, cluster, before


class Hill(Scheduler):
    stream = None  # of its random orders, see compare.py

    def __init__(self, params, processors):
        super().__init__(params, processors)
        self.order, self.over, self.stale = [], set(), False
        self.extend, self.keep, self.tardy = params.get("schedule") == "extend", params.get("outage") == "keep", params.get("objective") == "tardiness"
        self.foretold = params.get("plan-by") == "prediction"

    def pass_(self, sim):
        self.over |= {run.job for run in sim.ended} | {one.job for one in self.order if one.job not in sim.waiting}
        self.order = [one for one in self.order if one.job in sim.waiting]
        self.stale = self.stale or bool(sim.stopped)
        if sim.new or self.stale and not self.keep:
            self.make(sim)
        self.begin(sim)
        if self.stale and not sim.running:  # nobody is left who could end
            self.make(sim)
            self.begin(sim)

    def begin(self, sim):
        left = []
        for one in self.order:
            booking = Booking(sim.now, sim.now + one.job.length(sim.now, sim.platform.slowest(one.cluster, one.holds)), one.holds, one.cluster)
            if one.before <= self.over and sim.may(one.job, booking):
                sim.start(one.job, booking)
            else:
                left.append(one)
        self.order = left

    def make(self, sim):
        jobs = list(sim.waiting)
        if self.extend:
            stand = [one.job for one in self.order]
            jobs = stand + [job for job in jobs if job not in stand]
        elif self.params.get("initial") == "random":
            jobs = self.stream.shuffled(jobs)
        site = Site(sim, self)
        best = self.climb(site, jobs)
        last = best[1]
        for _ in range(self.params.get("restarts", 0)):
            value, last = self.climb(site, self.stream.shuffled(last))
            if value < best[0]:
                best = value, last
        site.clear()
        self.order, self.stale = [site.place(job)[0] for job in best[1]], False

    def climb(self, site, jobs):
        """Keeps the best swap, the first of equals, until none is better."""
        jobs, most, tried, value = list(jobs), self.params.get("evaluations", 1000), 1, self.value(site, jobs)
        while True:
            best, swap, full = value, None, False
            for i in range(len(jobs)):
                for k in range(i + 1, len(jobs)):
                    full = most > 0 and tried >= most
                    if full:
                        break
                    tried += 1
                    other = jobs[:]
                    other[i], other[k] = jobs[k], jobs[i]
                    worth = self.value(site, other)
                    if worth < best:
                        best, swap = worth, other
                if full:
                    break
            if swap is None:
                return value, jobs
            value, jobs = best, swap
            if full:
                return value, jobs

    def value(self, site, jobs):
        """The last end from now on; or the weighted tardiness, then that in steps of 16 s."""
        site.clear()
        last, late = site.last, 0
        for job in jobs:
            end = site.place(job)[1]
            last = max(last, end)
            if job.due is not None and end > job.due:
                late += int(job.weight * (end - job.due))
        last -= site.sim.now
        return (late, min(last // 16, 2**20 - 1)) if self.tardy else last


class Site:
    """When each of a machine's processors becomes free, and whose it was last: [time, job, how
    many], in order. A cluster that is only counted is one machine. Beside that, all that is
    held from now on: who is placed holds what he has from now to his end."""

    def __init__(self, sim, hill):
        self.sim, self.platform, self.foretold = sim, sim.platform, hill.foretold
        self.clusters = sorted({c for c, _ in self.platform.places})
        self.nodes, self.size = {}, {}
        for c in self.clusters:
            cluster = self.platform.clusters[c]
            speed = lambda i: (-cluster["nodes"][i].get("speed", 1), i)
            order = [None] if cluster["packing"] == "processors" else sorted(range(len(cluster["nodes"])), key=speed)
            self.nodes[c] = [(c, i) for i in order]
            for c, i in self.nodes[c]:
                self.size[c, i] = self.platform.capacity[self.key("processors", (c, i))]
        self.held, self.placed, self.last = [], [], sim.now  # what is held, by key; by whom and until when
        self.fill(sim)
        self.begun = self.state()

    @staticmethod
    def key(what, node):
        return (what, node[0]) if node[1] is None else (what, *node)

    def fill(self, sim):
        """What runs, is reserved, or is taken away."""
        now, self.later = {node: [] for node in self.size}, {node: [] for node in self.size}
        for outage in sim.known():
            self.held.append(outage)
            for node, n in self.parts(outage.holds) if outage.end > sim.now else []:
                if outage.start > sim.now:
                    self.later[node].append((outage.start, outage.end))
                else:
                    now[node].append((outage.end, n))
        self.procs = {node: [[t, None, n] for t, n in freed(self.size[node], sim.now, away) if n] for node, away in now.items()}
        for run in sim.running:
            end = run.until
            if self.foretold:
                if run.fore <= sim.now:
                    sim.book.exceeded(run)
                end = min(run.fore, run.until)
            self.last = max(self.last, end)
            self.take(run.job, run.booking.holds, end)
        for booking in sim.desk.bookings() + sim.elsewhere():
            self.held.append(booking)
            for node, n in self.parts(booking.holds) if booking.end > sim.now else []:
                if booking.start > sim.now:
                    self.later[node].append((booking.start, booking.end))
                else:
                    self.hold(node, n, None, booking.end)

    def state(self):
        return {node: [entry[:] for entry in list_] for node, list_ in self.procs.items()}, self.held[:], self.placed[:]

    def clear(self):
        """Forgets what was placed."""
        self.procs, self.held, self.placed = self.begun
        self.procs, self.held, self.placed = self.state()

    def parts(self, holds):
        """Machines, and how many processors of each."""
        named = [((key[1], key[2] if len(key) == 3 else None), n) for key, n in holds.items() if key[0] == "processors"]
        return [(node, n) for node, n in named if node in self.size]

    def hold(self, node, n, job, end):
        """Lets a job have the processors that are free first; of those that are free at one time
        who was placed last stands first."""
        list_, left = self.procs[node], n
        while list_ and list_[0][2] <= left:
            left -= list_.pop(0)[2]
        if list_:
            list_[0][2] -= left
            left = 0
        list_.insert(sum(entry[0] < end for entry in list_), [end, job, n - left])

    def take(self, job, holds, end):
        for node, n in self.parts(holds):
            self.hold(node, n, job, end)
        if end > self.sim.now:
            self.held.append(Booking(self.sim.now, end, holds))
        self.placed.append((job, end, holds))

    def shared(self, holds):
        """What of it jobs wait for beside processors: of a machine what it counts is one thing."""
        whole = {key for key in holds if key[0] not in ("processors", *NEEDS)}
        return whole | {key[1:] for key, n in holds.items() if key[0] in NEEDS and n and any(0 < self.platform.capacity[(what, *key[1:])] < INFINITE for what in NEEDS)}

    def free(self, key, at, length, most=None):
        return self.platform.free(key, at, at + length, self.held, most)

    def from_(self, since, length, wanted):
        """The first time from one on at which there is as much of each key as is wanted, all the time."""
        for at in sorted({since} | {b.end for b in self.held if b.end > since}):
            if all(self.free(key, at, length, most) >= amount for key, amount, most in wanted):
                return at
        return None

    def place(self, job):
        """Assigns a job; where it goes, and when it is expected to end."""
        best = None
        for c in self.clusters:
            length = scaled(job.requested - job.done, self.platform.slowest(c))
            own = {("licence", name): (copies, None) for name, copies in job.licences.items() if name in self.platform.licences}
            shares = {**self.platform.limited(job, c), **own}
            if any(key[0] in ("user", "class") and amount > most for key, (amount, most) in shares.items()):
                continue
            found = self.on(job, c, self.sim.now, length)
            while found:
                at = self.from_(found[0], length, [(key, amount, most) for key, (amount, most) in shares.items()])
                if at == found[0]:
                    break
                found = self.on(job, c, at, length)
            if found and (best is None or found[0] < best[0]):
                best = found + (c, {key: amount for key, (amount, _) in shares.items()})
        at, parts, c, holds = best
        before = set()
        for node, n in parts:
            for entry in self.procs[node]:
                if n > 0:
                    before.add(entry[1])
                    n -= entry[2]
        holds = dict(holds)
        for node, n in parts:
            holds[self.key("processors", node)] = n
            if node[1] is not None:
                holds.update({(what, *node): amount for what, amount in job.needs.items()})
        shared = self.shared(holds)
        before |= {other for other, end, theirs in self.placed if end <= at and shared & self.shared(theirs)}
        end = at + scaled(max(1, job.foretold - job.done) if self.foretold else job.requested - job.done, self.platform.slowest(c, holds))
        if job.kill:
            end = max(at, min(end, job.due))
        self.take(job, holds, end)
        return Planned(job, holds, c, before - {None}), end

    def on(self, job, c, since, length):
        """When a job could begin on a cluster, and on which of its machines; None if on none."""
        spread = self.platform.clusters[c]["packing"] == "nodes"
        choice = [(at, k, node) for k, node in enumerate(self.nodes[c]) if (at := self.opens(job, node, job.each or 1 if spread else job.procs, since, length)) is not None]
        if not choice:
            return None
        if spread:
            return self.gather(job, sorted(choice), length)
        at, _, node = min(choice)
        return at, [(node, job.procs)]

    def wanted(self, job, node, n):
        needs = [] if node[1] is None else [((what, *node), amount, None) for what, amount in job.needs.items()]
        return [(self.key("processors", node), n, None)] + needs

    def opens(self, job, node, n, since, length):
        """From when on a machine could serve a request."""
        c, i = node
        if not self.platform.suits(job, c, i) or n > self.size[node]:
            return None
        processors, *needs = self.wanted(job, node, n)
        for entry in self.procs[node]:
            n -= entry[2]
            if n <= 0:
                since = max(since, entry[0])
                break
        while True:
            since = self.from_(since, length, needs)
            if since is None:
                return None
            ends = [end for start, end in self.later[node] if end > since and start < since + length]
            if not ends or self.free(processors[0], since, length) >= processors[1]:
                return since
            since = min(ends)

    def gather(self, job, choice, length):
        """Processors of machines that open first."""
        for at in sorted({choice[0][0]} | {b.end for b in self.held if b.end > choice[0][0]}):
            left, parts = job.procs, []
            for opens, _, node in choice:
                if opens > at or any(self.free(key, at, length) < amount for key, amount, _ in self.wanted(job, node, 1)):
                    continue
                n = min(left, self.free(self.key("processors", node), at, length))
                if job.each:
                    n = job.each if n >= job.each else 0
                if n > 0:
                    parts.append((node, n))
                    left -= n
            if left == 0:
                return at, parts
        return None


def freed(size, now, away):
    """How many processors of a machine are free from when on, of which outages take some; these add up."""
    left = sum(n for _, n in away)
    taken = min(size, left)
    steps = [(now, size - taken)]
    for end, n in sorted(away):
        left -= n
        steps.append((end, taken - min(size, left)))
        taken = min(size, left)
    return steps
