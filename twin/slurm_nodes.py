"""Which nodes Slurm chooses, and when it thinks that a job could start: "Which nodes" and "When
could it start" of docs/slurm.md."""


class Node:
    """A machine, or a processor of a cluster whose processors are only counted (machine None)."""

    def __init__(self, cluster, machine, cpus, memory, gpus):
        self.cluster, self.machine, self.cpus, self.memory, self.gpus = cluster, machine, cpus, memory, gpus


class Part:
    """One of Slurm's partitions: nodes of one cluster, and how many of them a job may have."""

    def __init__(self, cluster, nodes, packing, rules):
        self.cluster, self.nodes, self.most, self.spread = cluster, nodes, 1 if packing == "machine" else None, packing == "nodes"
        self.tier, self.factor, self.preempt = rules.get("tier", 1), rules.get("priority", 1), rules.get("preempt", "default")


def nodes_of(platform, own):
    """The nodes of a platform, or of a provider's own cluster, in the order of the document."""
    made = []
    for c, cluster in enumerate(platform.clusters):
        if own not in (None, c):
            continue
        for i, node in enumerate(cluster["nodes"]):
            if cluster["packing"] == "processors":
                made += [Node(c, None, 1, None, 0)] * node.get("processors", 1)
            else:
                made.append(Node(c, i, node.get("processors", 1), node.get("memory") or None, node.get("gpus", 0)))
    return made


class Chooser:
    """Chooses among nodes beside what entries hold."""

    def __init__(self, nodes, linear):
        self.nodes, self.linear = nodes, linear

    def room(self, entry, n, held, kept):
        """How many processors of a node a job could have beside those who hold theirs and those who
        keep memory and GPUs alone; 0 if it cannot run there."""
        node, there = self.nodes[n], [other for other in held if n in other.nodes]
        if self.linear and there:
            return 0
        cpus = node.cpus - len(self.taken(n, there))
        if node.machine is None:
            return cpus
        there += [other for other in kept if n in other.nodes]
        needs = entry.job.needs
        if needs.get("gpus"):
            if node.gpus - sum(other.job.needs.get("gpus", 0) for other in there) < needs["gpus"]:
                return 0
            cpus = min(cpus, entry.procs)
        if needs.get("memory") and node.memory is not None and node.memory - sum(other.job.needs.get("memory", 0) for other in there) < needs["memory"]:
            return 0
        return max(0, cpus - cpus % entry.each)

    def taken(self, n, held):
        """The processors of a node that are held; who stands still for another holds the same as that one."""
        return set().union(*(other.nodes[n] for other in held if n in other.nodes))

    def least(self, entry, part):
        """How many nodes a job must have: as many as it asks for, of clusters over whose nodes jobs may be spread."""
        return entry.least if part.spread else 1

    def choose(self, entry, part, among, held, kept=()):
        """The nodes that a job gets, with the lowest processors of each; None if there are too few."""
        room = {n: cpus for n in sorted(among) if (cpus := self.room(entry, n, held, kept)) > 0}
        if len(room) < self.least(entry, part) or sum(room.values()) < entry.procs:
            return None
        for least in range(max(room.values())):
            room = {n: cpus for n, cpus in room.items() if cpus > least}  # the poorest are given up
            got = self.consecutive(entry, room, self.least(entry, part), part.most or (entry.least if entry.job.each and part.spread else len(self.nodes)))
            if got:
                return {n: set(sorted(set(range(self.nodes[n].cpus)) - self.taken(n, held))[:cpus]) for n, cpus in got.items()}
        return None

    def consecutive(self, entry, room, nodes, left):
        """Best fit among runs of nodes that stand beside each other."""
        need, runs = entry.procs, []  # processors that are still needed, as nodes are
        for n in room:
            if runs and runs[-1][-1] == n - 1:
                runs[-1].append(n)
            else:
                runs.append([n])
        got, first = {}, True
        while (need > 0 or nodes > 0) and left > 0 and runs:
            size = lambda run: sum(room[n] for n in run)
            enough = [run for run in runs if size(run) >= need and len(run) >= nodes]
            best = min(enough, key=size) if enough else max(runs, key=size)
            runs.remove(best)
            alone = [n for n in best if room[n] >= need]
            if alone and nodes <= 1 and not self.linear:
                best = [min(alone, key=lambda n: room[n])]
            for n in best:
                if need <= 0 and nodes <= 0 or left == 0 or left == 1 and room[n] < need:
                    continue
                got[n] = room[n] if self.linear else min(room[n], max(need - max(nodes - 1, 0) * entry.each, entry.each))
                need, nodes, left = need - got[n], nodes - 1, left - 1
        if need > 0 or nodes > 0:
            return None
        return {n: self.nodes[n].cpus if self.linear else got[n] for n in sorted(got)}


def foreseen(control, entry, p, among):
    """When a job could start on nodes as running jobs end by their limits, and on which: these are
    taken away one by one, or in groups that end together."""
    chooser, part, running, linear = control.chooser, control.parts[p], control.running, control.get("bf_window_linear")
    kept, gone = [], []
    left = lambda: [one for one in running if one not in kept and one not in gone]
    choose = lambda: chooser.choose(entry, part, among, left(), [one for one in kept if one not in gone])
    got = choose()
    if not got:
        kept = [one for one in running if control.room.yields(entry, p, one, ("suspend",))]
        gone = [one for one in running if control.room.yields(entry, p, one, ("requeue", "cancel"))]
        got = kept + gone and choose()
    if got:
        return control.now, set(got)
    ends, i, origin, window = sorted(left(), key=lambda one: (one.ends, one.serial)), 0, None, 30
    while i < len(ends):
        group = []
        while i < len(ends):
            one, i = ends[i], i + 1
            if not among & set(one.nodes):
                continue
            origin = one.ends + 30 - one.ends % 30 if origin is None else origin
            group.append(one)
            if chooser.linear or len(group) > 201 or i < len(ends) and ends[i].ends > origin + window:
                break
        gone += group
        if not group:
            return None
        if len(group) > 201:
            continue
        while True:
            window = window + linear if linear else 2 * window
            if i >= len(ends) or ends[i].ends <= origin + window:
                break
        got = choose()
        if got:
            last = group[-1]
            if control.version >= 2511 and not chooser.linear:
                last = next((one for one in reversed(ends[:i]) if set(one.nodes) & set(got)), last)
            gone_by = max(last.ends + 30, control.now + 1)  # of one who stands still
            return last.ends if last.ends > control.now else gone_by, set(got)
    return None
