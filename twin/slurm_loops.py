"""Slurm's two loops: "The main loop" and "The backfill loop" of docs/slurm.md."""

from slurm_nodes import foreseen

def main(control, full):
    """A pass of the main loop."""
    get, now = control.get, control.now
    failed, tested, left, started = set(), {}, set(range(len(control.nodes))), 0
    depth = 0
    for entry, p in control.queue():
        part = control.parts[p]
        if entry not in control.waiting:
            continue
        if get("partition_job_depth", 0) and tested.get(p, 0) >= get("partition_job_depth"):
            continue
        tested[p] = tested.get(p, 0) + 1
        if not full and depth > get("default_queue_depth", 100):
            return
        depth += 1
        if p in failed or not control.allowed(entry, p):
            continue
        if len(left & part.nodes) < control.chooser.least(entry, part):
            failed.add(p)
            continue
        what = start(control, entry, p, left)
        if what == "started":
            started += 1
            if get("sched_max_job_start", 0) and started >= get("sched_max_job_start"):
                return
        elif what == "busy" and not control.young(entry, p):
            failed.add(p)
            left -= part.nodes


def start(control, entry, p, among):
    """Tries to start a job now on nodes: started, busy, hindered, or never."""
    part = control.parts[p]
    whole = control.suited(entry, p)
    ever = whole - control.reserved(entry, control.now)
    possible = ever & among
    got = control.room.now_on(entry, p, possible - control.closing())
    if got == "room is made":
        return "busy"
    if got:
        return "started" if control.start(entry, p, got) else "hindered"
    empty = lambda nodes: control.chooser.choose(entry, part, nodes, []) is not None
    taken = control.closing() & possible or control.chooser.linear and any(possible & set(one.nodes) for one in control.running)
    if empty(possible) or taken and empty(ever):
        return "busy"
    return "hindered" if ever != whole else "never"


class Map:
    """The map of a cycle: slots of time, each with the nodes that no plan holds."""

    def __init__(self, start, end, nodes):
        self.slots, self.end, self.records = [[start, end, set(nodes)]], end, 1

    def later(self, begin, until, among):
        """The end of the first slot after which one of the nodes is free that is not free in it, up to
        the first slot that begins after a time and the one behind it; None for none."""
        for one, behind in zip(self.slots, self.slots[1:]):
            if one[1] > begin:
                if among & behind[2] - one[2]:
                    return one[1]
                if one[0] > until:
                    return None
        return None

    def free(self, begin, until, among):
        """The nodes that no plan holds in a slot from a time to another, the last included."""
        for start, end, free in self.slots:
            if end > begin and start <= until:
                among = among & free
        return among

    def clashes(self, start, end, nodes):
        return any(one[1] > start and one[0] < end and not nodes <= one[2] for one in self.slots)

    def take(self, start, end, nodes):
        self.records += 2 - sum((one[1] == start) + (one[1] == end) for one in self.slots)
        for at in (start, end):
            self.slots = [part for one in self.slots for part in ([[one[0], at, set(one[2])], [at, one[1], set(one[2])]] if one[0] < at < one[1] else [one])]
        for one in self.slots:
            if one[0] < end and one[1] > start:
                one[2] -= nodes


class Cycle:
    """A cycle of the backfill loop."""

    def __init__(self, control):
        self.control, self.get, self.now = control, control.get, control.now
        self.resolution, self.window = self.get("bf_resolution", 60), 60 * self.get("bf_window", 1440)
        self.map = Map(self.floor(self.now), self.floor(self.now + self.window), range(len(control.nodes)))
        self.tested, self.started, self.seen, self.planned = 0, 0, {}, set()

    def floor(self, at):
        return at // self.resolution * self.resolution

    def slots(self, at, length):
        """What a plan holds of the map."""
        start, end = self.floor(at), self.floor(at + length)
        if self.control.version >= 2411:
            end = self.floor(at + length + self.resolution - 1)
        return start, max(end, start + self.resolution)

    def go(self):
        for entry, p in self.control.queue():
            if self.tested >= self.get("bf_max_job_test", 500):
                return
            if entry in self.control.waiting and self.control.allowed(entry, p) and not self.counted(entry, p):
                if self.place(entry, p) == "over":
                    return

    def counted(self, entry, p):
        """Whether the jobs of a partition, a user or an account that may be tested have been; counts the job if not."""
        user = entry.user
        keys = {"bf_max_job_part": p, "bf_max_job_user": user, "bf_max_job_user_part": (user, p), "bf_max_job_assoc": entry.assoc}
        keys = [(name, key) for name, key in keys.items() if self.get(name, 0)]
        if any(self.seen.get(key, 0) >= self.get(key[0]) for key in keys):
            return True
        for key in keys:
            self.seen[key] = self.seen.get(key, 0) + 1
        return False

    def place(self, entry, p):
        """Starts a job, plans it, or leaves it; "over" ends the cycle."""
        control, length, begin, counted = self.control, entry.limit, self.now, False
        now_only = control.young(entry, p) or self.get("bf_one_resv_per_job", False) and entry in self.planned
        while True:
            suited = control.suited(entry, p)
            among = suited - control.reserved(entry, begin)
            later = self.map.later(begin, begin + length, among)
            if among != suited:  # who meets a reservation may be tried again when one is over
                ends = [one.end for one in control.away if one.end > begin]
                if ends and min(ends) + 1 < self.map.end and (later is None or min(ends) + 1 < later):
                    later = min(ends) + 1
            among = self.map.free(begin, begin + length, among)
            retry = None if now_only else later
            found = None
            if len(among) >= control.chooser.least(entry, control.parts[p]):
                self.tested, counted = self.tested + (not counted), True
                found = foreseen(control, entry, p, among)
            if found is None:
                if retry is None:
                    return None
                begin = retry
                continue
            at, nodes = max(found[0], begin), found[1]
            if at <= self.now and nodes & control.closing():
                at, later = self.now + 1, None
            if at <= self.now:
                if start(control, entry, p, among) == "started":
                    self.started += 1
                    return "over" if self.started == self.get("bf_max_job_start", 0) else None
                later = None
            elif now_only:
                return None
            if later is not None and at > later:
                begin = later
                continue
            if at > self.now + self.window:
                return None
            span = self.slots(at, length)
            if at > self.now and self.map.clashes(*span, nodes):
                begin = max(at, begin + self.resolution) if control.version >= 2505 else at
                continue
            if self.map.records >= self.get("bf_node_space_size", self.get("bf_max_job_test", 500)):
                return "over"
            self.map.take(*span, nodes)
            self.planned.add(entry)
            return None
