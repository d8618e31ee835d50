"""Slurm's preemption: "Who makes room" of docs/slurm.md."""


class Room:
    def __init__(self, control):
        self.control, self.get = control, control.get
        kind, self.qos = self.get("PreemptType", "preempt/none"), control.ranks.qos
        self.by_qos, self.by_part = kind == "preempt/qos", kind == "preempt/partition_prio"
        self.on = self.by_qos or self.by_part
        modes = {self.get("PreemptMode", "off")} | {one.get("preempt") for one in self.qos if self.by_qos} | {part.preempt for part in control.parts if self.by_part}
        self.gang = self.on and "suspend" in modes  # jobs may be suspended

    def above(self, entry, p, other, q):
        """Whether a job in a partition may take the place of another in its."""
        if self.by_qos:
            return entry.qos is not None and other.qos is not None and self.qos[other.qos]["name"] in self.qos[entry.qos].get("preempts", [])
        mine, theirs = self.control.parts[p], self.control.parts[q]
        return self.by_part and mine.tier > theirs.tier and bool(mine.nodes & theirs.nodes)

    def mode(self, other):
        """What becomes of a running job whose place is taken."""
        own = "default"
        if self.by_qos and other.qos is not None:
            own = self.qos[other.qos].get("preempt", "default")
        if self.by_part:
            own = self.control.parts[other.part].preempt
        return own if own != "default" else self.get("PreemptMode", "off")

    def yields(self, entry, p, other, modes):
        exempt = max(self.get("PreemptExemptTime", 0), 1)
        return self.on and self.mode(other) in modes and self.above(entry, p, other, other.part) and max(other.started, other.resumed) + exempt <= self.control.now

    def rank(self, other):
        """Who goes first: the least."""
        if self.by_qos:
            return (0 if other.qos is None else self.qos[other.qos].get("priority", 0)), len(other.nodes)
        return self.control.parts[other.part].tier, len(other.nodes)

    def order(self, records):
        """Records put in one after another, each before those in front of it as long as it goes before them."""
        line = []
        for record in records:
            at = len(line)
            while at and self.first(record, line[at - 1]):
                at -= 1
            line.insert(at, record)
        return line

    def first(self, a, b):
        x, y = self.above(a[0], a[1], b[0], b[1]), self.above(b[0], b[1], a[0], a[1])
        if x != y:
            return x
        return self.control.stands(a, a[0].again or b[0].again) < self.control.stands(b, a[0].again or b[0].again)

    def now_on(self, entry, p, among):
        """The nodes that a job gets now with its processors on each, and who stands still for it;
        "room is made" if jobs were stopped whose nodes are free a second later."""
        control, part = self.control, self.control.parts[p]
        choose = lambda held, kept: control.chooser.choose(entry, part, among, held, kept)
        self.still, self.atop = [], False
        got = choose(control.running, [])
        if got:
            return got
        if self.gang:
            kept = [one for one in control.running if self.yields(entry, p, one, ("suspend",))]
            got = choose([one for one in control.running if one not in kept], kept)
            if got:
                self.still = [one for one in kept if one.still is None and any(cores & one.nodes.get(n, set()) for n, cores in got.items())]
                return got
        list_ = [one for one in control.running if self.yields(entry, p, one, ("requeue", "cancel"))]
        list_.sort(key=lambda one: (-one.started if self.get("preempt_youngest_first", False) else self.rank(one), one.serial))
        tries = 0
        while list_:
            gone, nodes = [], None
            for fit, one in enumerate(list_):
                if not among & set(one.nodes):
                    continue
                gone.append(one)
                got = choose([other for other in control.running if other not in gone], [])
                if got:
                    nodes = set(got)
                    break
            if nodes is None:
                return None
            tries += 1
            if tries > self.get("preempt_reorder_count", 1) + 1 or len(list_) <= tries:
                self.stop([one for one in list_[:fit + 1] if nodes & set(one.nodes)])
                return "room is made"
            useful = {one: 99999 if n == fit else len(nodes & set(one.nodes)) if n < fit else 0 for n, one in enumerate(list_)}
            list_.sort(key=lambda one: -useful[one])
        return None

    def stop(self, list_):
        """Stops jobs for another; what becomes of them is seen to when the loop is over."""
        control = self.control
        for one in list_:
            control.running.remove(one)
            control.stopped.append(one)

    def settle(self):
        """Those that a loop has stopped wait again, or are turned down."""
        control, sim = self.control, self.control.sim
        for one in control.stopped:
            control.closed.append((control.now, set(one.nodes)))
            sim.stop(one.run, False)
            if self.mode(one) == "cancel":
                sim.drop(one.job)
                sim.rejected.append(one.job)
                if sim.gate:
                    sim.gate.gone(one.job, control.now, 1)
                continue
            one.submit, one.since, one.again, one.nodes = control.now, None, control.now + 121, {}
            control.waiting.append(one)
        control.stopped = []

    def go_on(self):
        """Those who stand still go on where nobody above them is in the way any more."""
        control, sim = self.control, self.control.sim
        for one in sorted((one for one in control.running if one.still is not None), key=lambda one: (-self.rank(one)[0], one.started, one.serial)):
            if any(other.still is None and any(cores & other.nodes.get(n, set()) for n, cores in one.nodes.items()) for other in control.running):
                continue
            if one.job not in sim.waiting:  # its due time has come
                continue
            booking = control.booking(one, one.part, one.nodes)
            if not sim.may(one.job, booking):
                continue
            one.run = sim.start(one.job, booking)
            one.ends += control.now - one.still
            one.still, one.resumed, one.booked = None, control.now, control.now
