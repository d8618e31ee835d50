"""Slurm's controller: the section "Slurm" of docs/simulation-rules.md, and docs/slurm.md."""

import itertools

import slurm_loops
import slurm_nodes
import slurm_ranks
import slurm_room
from jobs import scaled
from schedulers import Scheduler
from space import Booking
from streams import Stream


class Entry:
    """A job as the controller knows it, in its queue or running."""

    def __init__(self, job, now, serial):
        self.job, self.submit, self.since, self.serial = job, now, now, serial
        self.procs, self.user = job.procs, job.user
        self.each = job.each or 1
        self.least = job.procs // job.each if job.each else 1  # nodes that it asks for
        self.nodes = {}  # that it holds, with its processors on each
        self.still = None  # since when it stands still for another
        self.resumed, self.again = -1, 0  # when it went on last; before when it does not wait, if it was stopped for another


class Away:
    """What an outage, a failure or a reservation takes from a time to another."""

    def __init__(self, start, end, nodes):
        self.start, self.end, self.nodes = start, end, set(nodes)
        self.owner = None  # the job of a reservation's booking


class Clock:
    """When passes and cycles come."""

    def __init__(self, get, phase, first):
        self.get, self.phase, self.first = get, phase, first
        self.every, self.cycles, self.prices = get("sched_interval", 60), get("bf_interval", 30), max(get("PriorityCalcPeriod", 300), 1)
        self.off, self.every = self.every < 0, max(self.every, 1)
        gap = get("sched_min_interval", 2)
        self.gap = 0 if gap < 1000 else -(-gap // 10**6)
        self.at, self.asked, self.ended = first, None, phase % 10
        self.passed = self.before(first, phase, self.every)
        self.priced = first - phase % self.prices

    def before(self, now, phase, period):
        """The last time up to now of what comes every period, and came so long before the first instant."""
        first = self.first - phase % period
        return first + (now - first) // period * period

    def ask(self, now):
        if self.asked is None:
            self.asked = now

    def epilog(self, now):
        """A job's nodes are free; whether a pass comes at once."""
        self.ask(now)
        self.ended += 1
        return self.ended % 10 == 0

    def due(self):
        return None if self.asked is None or self.off else max(self.asked, self.passed + max(self.get("batch_sched_delay", 3), self.gap))

    def next_full(self, now):
        return None if self.off else self.before(now, self.phase, self.every) + self.every

    def next_cycle(self, now):
        if self.cycles <= 0 or self.get("SchedulerType") == "sched/builtin":
            return None
        return self.before(now, self.phase * 618 // 1000, self.cycles) + self.cycles

    def skip(self, now):
        """Passes before now in which nobody could start."""
        while True:
            t = min((t for t in (self.next_full(self.at), self.due()) if t is not None), default=now)
            if t >= now:
                self.at = now
                return
            self.at, self.passed, self.asked = max(t, self.at), t, None

    def main(self, now, at_once):
        """Whether a pass comes now: None, "depth" or "full"."""
        if self.off:
            return None
        full = now > self.first and self.next_full(now - 1) == now
        at_once = at_once and now >= self.passed + self.gap and not self.get("defer", False)
        if not full and not at_once and not (self.asked is not None and self.due() <= now):
            return None
        self.passed, self.asked = now, None
        return "full" if full else "depth"

    def cycle(self, now):
        return now > self.first and self.next_cycle(now - 1) == now


class Slurm(Scheduler):
    def __init__(self, params, processors):
        super().__init__(params, processors)
        self.get = lambda key, default=None: params[key] if params.get(key) is not None else default
        self.version = int(self.get("version", "22.05").replace(".", ""))
        kind = self.get("PriorityType", "default")
        self.multifactor = kind == "priority/multifactor" or kind == "default" and self.version >= 2311
        self.clock, self.waiting, self.running, self.away, self.serial = None, [], [], [], 0
        self.stopped, self.closed = [], []  # by the loop that runs now; nodes of those who were, with the time

    def draw(self, platform, seed, repetition):
        """Takes what a document says of partitions, QOS and accounts, and draws the phase where none is given."""
        self.document, self.phase = platform, self.get("phase")
        if self.phase is None:
            self.phase = Stream(seed, "slurm/phase", repetition).below(300)

    def begin(self, sim):
        self.platform, self.own = sim.platform, getattr(sim, "c", None)  # own: a provider's cluster
        self.nodes = slurm_nodes.nodes_of(sim.platform, self.own)
        self.chooser = slurm_nodes.Chooser(self.nodes, self.get("SelectType") == "select/linear")
        self.parts, self.of = [], {}
        for k, rules in enumerate([{}] + self.document.get("partitions", [])):
            for c, cluster in enumerate(sim.platform.clusters):
                there = {n for n, node in enumerate(self.nodes) if node.cluster == c and within(rules, sim.platform, node)}
                if there:
                    self.of.setdefault(k, []).append(len(self.parts))
                    self.parts.append(slurm_nodes.Part(c, there, cluster["packing"], rules))
        self.ranks = slurm_ranks.Ranks(self, self.document, self.multifactor)
        self.room = slurm_room.Room(self)
        first = min([sim.now] + [b.start for b in sim.platform.calendar])
        self.clock = Clock(self.get, self.phase, first)
        self.turns = sorted((b for b in sim.platform.calendar if not b.announced), key=lambda b: b.start)
        for b in sim.platform.calendar:
            if b.announced and not any(key[0] == "named" for key in b.holds):
                self.take(b)

    def pass_(self, sim):
        self.sim = sim
        if self.clock is None:
            self.begin(sim)
        now, clock = sim.now, self.clock
        while clock.priced + clock.prices <= now:
            clock.priced += clock.prices
            self.ranks.recalculate(clock.priced, clock.priced - clock.prices)
        self.now = now
        while self.turns and self.turns[0].start < now:
            self.take(self.turns.pop(0))
        for end in sorted({one.end for one in self.away if one.end < now}):  # nobody waited then
            clock.skip(end)
            clock.ask(end)
            clock.main(end, False)
        self.away = [one for one in self.away if one.end >= now]
        clock.skip(now)
        at_once = False
        ended = {run.job for run in sim.ended} | set(sim.stopped)
        for entry in [entry for entry in self.running if entry.job in ended]:
            self.running.remove(entry)
            at_once = clock.epilog(now) or at_once
        if self.closed and self.closed[0][0] < now:
            self.closed = []
            at_once = clock.epilog(now) or at_once
        if self.calendar():
            clock.ask(now)
        self.room.go_on()
        for job in sorted(sim.stopped, key=lambda job: job.place) + list(sim.new):
            self.submit(job)
            clock.ask(now)
        for entry in [entry for entry in self.waiting + self.running if (entry in self.waiting or entry.still is not None) and entry.job not in sim.waiting]:
            (self.waiting if entry in self.waiting else self.running).remove(entry)
            clock.ask(now)
        if not self.waiting:
            clock.main(now, False)
            return
        which = clock.main(now, at_once)
        if which:
            slurm_loops.main(self, which == "full")
            self.settle()
        if clock.cycle(now):
            slurm_loops.Cycle(self).go()
            self.settle()

    def settle(self):
        """When a loop is over, ends are those that the simulator enforces."""
        for entry in self.running:
            if entry.started == self.now:
                entry.ends = entry.run.until
        self.room.settle()

    def wake(self, sim):
        """When a pass or a cycle comes next, if a job asks for no more processors than are idle."""
        if self.closed:
            return sim.now + 1
        idle = sum(node.cpus for node in self.nodes) - sum(len(cores) for entry in self.running for cores in entry.nodes.values())
        if not self.room.on and not any(entry.procs <= idle for entry in self.waiting) or not self.waiting:
            return None
        due = self.clock.due()
        times = [self.clock.next_full(sim.now), due if due is not None and due > sim.now else None, self.clock.next_cycle(sim.now)]
        return min((t for t in times if t is not None), default=None)

    def submit(self, job):
        entry = Entry(job, self.now, self.serial)
        self.serial += 1
        left = job.requested - job.done
        slowest = min([1] + [self.platform.slowest(c) for c in range(len(self.platform.clusters))])
        entry.limit = max(left, scaled(left, slowest))
        named, entry.qos, account = job.ranks or ([], None, 0)
        entry.assoc = self.ranks.account(account, job.user)
        entry.parts = [p for k in ([1 + k for k in named] or [0]) for p in self.of.get(k, []) if self.serves(job, self.parts[p].cluster)]
        self.waiting.append(entry)
        self.ranks.submit(entry)

    def serves(self, job, c):
        """Whether a cluster could hold a job if nothing else ran there."""
        could = [node.cpus for n, node in enumerate(self.nodes) if node.cluster == c and self.suits(job, node)]
        if self.platform.clusters[c]["packing"] == "nodes" and job.each:
            return sum(cpus >= job.each for cpus in could) * job.each >= job.procs
        return bool(could) and (sum(could) >= job.procs)

    def suits(self, job, node):
        """Whether a job, or with packing nodes a part of it, could be on a node if nothing else were."""
        cluster = self.platform.clusters[node.cluster]
        if cluster["packing"] == "machine" and node.cpus < job.procs:
            return False
        there = lambda what: node.machine is None or self.platform.capacity[what, node.cluster, node.machine] >= job.needs[what]
        return self.platform.suits(job, node.cluster, node.machine) and all(there(what) for what in job.needs)

    # What the loops ask.

    def eligible(self, entry):
        """Whether a job waits for its turn alone, which is noted."""
        if entry.again > self.now:
            return False
        if entry.since is None:
            entry.since = self.now
        return True

    def queue(self):
        """A record for each job that waits and each partition that it names, in the order of the loops."""
        records = [(entry, p) for entry in self.waiting if self.eligible(entry) for p in entry.parts]
        return self.room.order(records) if self.room.on else sorted(records, key=self.stands)

    def stands(self, record, again=False):
        """Where a record stands: who comes when does not count beside who was stopped for another."""
        entry, p = record
        return -self.parts[p].tier, -entry.priority[p], 0 if again else entry.submit, entry.job.place

    def young(self, entry, p):
        """Whether a job is too young, or of too low a priority, to be in others' way."""
        age, prio = self.get("bf_min_age_reserve", 0), self.get("bf_min_prio_reserve", 0)
        return bool(age and self.now - entry.since < age or prio and entry.priority[p] < prio)

    def suited(self, entry, p):
        """The nodes of a partition on which a job may be."""
        return {n for n in self.parts[p].nodes if self.suits(entry.job, self.nodes[n])}

    def reserved(self, entry, begin):
        return {n for one in self.away if one.start < begin + entry.limit and one.end > begin for n in one.nodes}

    def closing(self):
        """Nodes of jobs that were stopped for others in this second."""
        return set().union(*(nodes for _, nodes in self.closed), *(entry.nodes for entry in self.stopped))

    def allowed(self, entry, p):
        """Whether licences and limits leave a job what it needs now."""
        job, c = entry.job, self.parts[p].cluster
        held = self.sim.bookings()
        asked = [(key, amount, most) for key, (amount, most) in self.sim.platform.limited(job, c).items()]
        asked += [(("licence", name), copies, None) for name, copies in job.licences.items() if name in self.sim.platform.licences]
        return all(self.sim.platform.free(key, self.now, self.now + 1, held, most) >= amount for key, amount, most in asked)

    def booking(self, entry, p, got):
        """What a job holds of the platform on the nodes that were chosen."""
        platform, job, c = self.platform, entry.job, self.parts[p].cluster
        holds = {key: amount for key, (amount, _) in platform.limited(job, c).items()}
        holds.update({("licence", name): copies for name, copies in job.licences.items() if name in platform.licences})
        left = job.procs
        for k, (n, cores) in enumerate(got.items()):
            i = self.nodes[n].machine
            if i is None:
                holds["processors", c] = job.procs
                continue
            holds["processors", c, i] = job.each if platform.clusters[c]["packing"] == "nodes" and job.each else min(len(cores), left - (len(got) - 1 - k))
            holds.update({(what, c, i): amount for what, amount in job.needs.items()})
            left -= holds["processors", c, i]
        return Booking(self.now, self.now + job.length(self.now, platform.slowest(c, holds)), holds, c)

    def start(self, entry, p, got):
        """Starts a job on the nodes that were chosen, if it may hold them until it must have ended."""
        sim, booking, still = self.sim, self.booking(entry, p, got), self.room.still
        others = [b for b in sim.bookings() if not any(b is one.run.booking for one in still)]
        if booking.end <= self.now or any(sim.platform.free(key, self.now, booking.end, others, sim.most(entry.job, key)) < amount for key, amount in booking.holds.items()):
            return False
        c = booking.cluster
        if sim.platform.static and ("processors", c) in booking.holds and len(sim.platform.numbers(c, self.now, booking.end, others)) < entry.procs:
            return False
        for one in still:
            self.ranks.accrue(one, self.now)
            one.still = self.now
            sim.stop(one.run, True)
        entry.run = sim.start(entry.job, booking)
        entry.nodes, entry.part, entry.started, entry.booked, entry.ends = got, p, self.now, self.now, self.now + entry.limit
        self.waiting.remove(entry)
        self.running.append(entry)
        return True

    # What is taken away.

    def calendar(self):
        """Takes over failures that have begun and what is over; whether anything may be free again."""
        while self.turns and self.turns[0].start <= self.now:
            self.take(self.turns.pop(0))
        over, desk = [one for one in self.away if one.end <= self.now], self.sim.desk
        self.away = [one for one in self.away if one not in over]
        if desk.new or desk.freed:
            before = {(one.owner, one.cluster, len(one.nodes)): one.nodes for one in self.away if one.owner}
            self.away = [one for one in self.away if not one.owner]
            for booking in sorted((b for b in desk.bookings() if self.own in (None, b.cluster)), key=lambda booking: booking.turn):
                self.take(booking, before.get((booking.owner, booking.cluster, booking.holds.get(("processors", booking.cluster)))))
                self.away[-1].owner, self.away[-1].cluster = booking.owner, booking.cluster
        return bool(over or desk.back or desk.left)

    def take(self, booking, known=None):
        """Takes away what a booking holds: machines, or processors, if they are not known already."""
        nodes = list(known or [])
        for key, amount in booking.holds.items():
            if known or key[0] != "processors":
                continue
            if len(key) == 2:
                nodes += self.highest(key[1], amount, booking.start, booking.end)
            else:
                nodes += [n for n, node in enumerate(self.nodes) if (node.cluster, node.machine) == key[1:]]
        if nodes:
            self.away.append(Away(booking.start, booking.end, nodes))

    def highest(self, c, amount, start, end):
        """The highest processors of a counted cluster, first those that nobody has, then those
        that jobs may still hold, then those that are taken away already."""
        taken = {n for one in self.away if one.start < end and one.end > start for n in one.nodes}
        held = {n for entry in self.running if entry.ends > start for n in entry.nodes} - taken
        mine = [n for n, node in enumerate(self.nodes) if node.cluster == c]
        return sorted(mine, key=lambda n: (n in taken, n in held, -n))[:amount]


def within(rules, platform, node):
    """Whether a partition, or the rest of the machine, has a node."""
    for said in rules.get("nodes", []):
        cluster = next((cluster for cluster in platform.clusters if cluster["name"] == said.get("cluster", "")), platform.clusters[0])
        if cluster is not platform.clusters[node.cluster]:
            continue
        groups = [g for g, _ in itertools.groupby(map(id, cluster["nodes"]))]
        there = [i for i, one in enumerate(cluster["nodes"]) if said.get("group") is None or id(one) == groups[said["group"]]]
        if node.machine is None or node.machine in there[said.get("first", 0):][:said.get("count") or None]:
            return True
    return not rules.get("nodes")
