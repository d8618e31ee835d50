"""Hill climbing: its paragraph in the section "On machines" of docs/simulation-rules.md."""

from jobs import INFINITE, scaled
from schedulers import Scheduler
from space import Booking


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
    many], in order. A cluster that is only counted is one machine."""

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
                self.size[c, i] = self.platform.capacity[("processors", c) if i is None else ("processors", c, i)]
        self.procs = {node: [[sim.now, None, size]] for node, size in self.size.items()}
        self.until, self.gone = {node: [] for node in self.size}, {node: [] for node in self.size}  # memory and the like that is held; what is taken later
        self.common, self.ahead, self.last = {}, {}, sim.now
        self.fill(sim)
        self.begun = self.state()

    def fill(self, sim):
        """What runs, is reserved, or is taken away."""
        now = {node: [] for node in self.size}
        for outage in sim.known():
            for node, n in self.parts(outage.holds) if outage.end > sim.now else []:
                if outage.start > sim.now:
                    self.gone[node].append((outage.start, outage.end, {"processors": n}))
                else:
                    now[node].append((outage.end, n))
        for node, away in now.items():
            self.procs[node] = [[t, None, n] for t, n in freed(self.size[node], sim.now, away) if n]
        for run in sim.running:
            end = run.until
            if self.foretold:
                if run.fore <= sim.now:
                    sim.book.exceeded(run)
                end = min(run.fore, run.until)
            self.last = max(self.last, end)
            self.take(run.job, run.booking.holds, end)
        for booking in sim.desk.bookings() + sim.elsewhere():
            for node, n in self.parts(booking.holds) if booking.end > sim.now else []:
                needs = self.needs(booking.holds, node)
                if booking.start > sim.now:
                    self.gone[node].append((booking.start, booking.end, {"processors": n, **needs}))
                else:
                    self.hold(node, n, None, needs, booking.end)
            for key, n in booking.holds.items():
                self.ahead.setdefault(key, []).append((booking.start, booking.end, n))

    def state(self):
        copied = lambda lists: {key: list_[:] for key, list_ in lists.items()}
        return {node: [entry[:] for entry in list_] for node, list_ in self.procs.items()}, copied(self.until), copied(self.common)

    def clear(self):
        """Forgets what was placed."""
        self.procs, self.until, self.common = self.begun
        self.procs, self.until, self.common = self.state()

    def parts(self, holds):
        """Machines, and how many processors of each."""
        named = [((key[1], key[2] if len(key) == 3 else None), n) for key, n in holds.items() if key[0] == "processors"]
        return [(node, n) for node, n in named if node in self.size]

    @staticmethod
    def needs(holds, node):
        return {what: n for what in ("memory", "disk", "gpus") if (n := holds.get((what, *node), 0))}

    def hold(self, node, n, job, needs, end):
        """Lets a job have the processors that are free first; of those that are free at one time
        who was placed last stands first."""
        list_, left = self.procs[node], n
        while list_ and list_[0][2] <= left:
            left -= list_.pop(0)[2]
        if list_:
            list_[0][2] -= left
            left = 0
        list_.insert(sum(entry[0] < end for entry in list_), [end, job, n - left])
        if needs:
            self.until[node].append((end, job, needs))

    def take(self, job, holds, end):
        for node, n in self.parts(holds):
            self.hold(node, n, job, self.needs(holds, node), end)
        for key, n in holds.items():
            if key[0] not in ("processors", "memory", "disk", "gpus"):
                self.common.setdefault(key, []).append((end, job, n))

    def shares(self, job, c):
        """What a job takes of what machines share: key, amount, how much there is."""
        own = {("licence", name): (copies, self.platform.capacity["licence", name]) for name, copies in job.licences.items() if name in self.platform.licences}
        return {**self.platform.limited(job, c), **own}

    def place(self, job):
        """Assigns a job; where it goes, and when it is expected to end."""
        best = None
        for c in self.clusters:
            length, shares = scaled(job.requested - job.done, self.platform.slowest(c)), self.shares(job, c)
            if any(key[0] in ("user", "class") and amount > most for key, (amount, most) in shares.items()):
                continue
            found = self.on(job, c, self.sim.now, length)
            while found:
                at = self.allows(shares, found[0], length)
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
            if any(job.needs.get(what) for what in ("memory", "disk", "gpus")):
                before |= {other for end, other, _ in self.until[node] if end <= at}
        for key in holds:
            before |= {other for end, other, _ in self.common.get(key, []) if end <= at}
        holds = dict(holds)
        for (_, i), n in parts:
            if i is None:
                holds["processors", c] = n
                continue
            holds["processors", c, i] = n
            holds.update({(what, c, i): amount for what, amount in job.needs.items()})
        end = at + scaled(max(1, job.foretold - job.done) if self.foretold else job.requested - job.done, self.platform.slowest(c, holds))
        if job.kill:
            end = max(at, min(end, job.due))
        self.take(job, holds, end)
        return Planned(job, holds, c, before - {None}), end

    def allows(self, shares, at, length):
        """From when on, not before a time, all that is shared suffices; gaps are not filled."""
        while True:
            late = []
            for key, (amount, most) in shares.items():
                mine = [(end, n) for end, _, n in self.common.get(key, []) if end > at]
                mine += [(end, n) for start, end, n in self.ahead.get(key, []) if end > at and start < at + length]
                if mine and sum(n for _, n in mine) + amount > most:
                    late.append(min(end for end, _ in mine))
            if not late:
                return at
            at = late[0]

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

    def opens(self, job, node, n, since, length):
        """From when on a machine could serve a request."""
        c, i = node
        lacks = i is not None and any(amount > self.platform.capacity[(what, *node)] for what, amount in job.needs.items())
        if lacks or not self.platform.suits(job, c, i) or n > self.size[node]:
            return None
        free, left = self.procs[node], n
        for entry in free:
            left -= entry[2]
            if left <= 0:
                since = max(since, entry[0])
                break
        while True:
            since = self.suffices(job, node, since, length)
            if self.spare(node, since, length) >= n:
                return since
            since = min(end for start, end, _ in self.gone[node] if end > since and start < since + length)

    def suffices(self, job, node, at, length):
        """From when on a machine has memory, disk and GPUs."""
        while True:
            mine = [(end, needs) for end, _, needs in self.until[node] if end > at]
            mine += [(end, needs) for start, end, needs in self.gone[node] if end > at and start < at + length]
            enough = node[1] is None or all(n + sum(needs.get(what, 0) for _, needs in mine) <= self.platform.capacity[(what, *node)] for what, n in job.needs.items())
            if not mine or enough:
                return at
            at = min(end for end, _ in mine)

    def spare(self, node, at, length):
        """How many processors what is taken later leaves to a job, beside those placed before."""
        room = INFINITE
        for start, end, _ in self.gone[node]:
            if end > at and start < at + length:
                when = max(start, at)
                taken = sum(needs["processors"] for start, end, needs in self.gone[node] if start <= when < end)
                room = min(room, self.size[node] - taken - sum(entry[2] for entry in self.procs[node] if entry[0] > when))
        return room

    def gather(self, job, choice, length):
        """Processors of machines that open first."""
        times = {max(at, t) for at, _, node in choice for t in [entry[0] for entry in self.procs[node]] + [end for _, end, _ in self.gone[node]] + [end for end, _, _ in self.until[node]]}
        for at in sorted(times):
            left, parts = job.procs, []
            for opens, _, node in choice:
                if opens > at or self.suffices(job, node, at, length) > at:
                    continue
                n = min(left, sum(entry[2] for entry in self.procs[node] if entry[0] <= at), self.spare(node, at, length))
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
