"""Slurm's order: "The queue", "Priority" and "Fair share" of docs/slurm.md."""

import math


def power(x, n):
    """A power by squares, each product rounded."""
    r = 1.0
    while n > 0:
        if n & 1:
            r *= x
        x *= x
        n >>= 1
    return r


class Account:
    """An association: the root, an account, or a user of one."""

    def __init__(self, above, shares, user):
        self.above, self.shares, self.user, self.usage, self.fair = above, shares, user, 0.0, 1.0


class Ranks:
    def __init__(self, control, platform, multifactor):
        self.control, self.get, self.multifactor = control, control.get, multifactor
        self.qos = platform.get("qos", [])
        self.tree, self.users = [Account(None, 1, False)], {}
        self.named, self.rules = {0: self.tree[0]}, {one["number"]: one for one in platform.get("accounts", [])}
        for one in platform.get("accounts", []):
            self.named[one["number"]] = Account(self.named[one.get("parent", 0)], one.get("shares", 1), False)
            self.tree.append(self.named[one["number"]])
        self.last = 2**32 - 65536 - 1  # of the basic priorities

    def account(self, number, user):
        """A user's association with an account, which comes into the tree with the user's first job."""
        if (number, user) not in self.users:
            said = [one.get("shares", 1) for one in self.rules.get(number, {}).get("users", []) if one["user"] == user]
            self.users[number, user] = Account(self.named[number], (said + [1])[0], True)
            self.tree.append(self.users[number, user])
        return self.users[number, user]

    def submit(self, entry):
        self.last -= 1
        entry.priority = dict.fromkeys(entry.parts, self.last)
        self.price(entry)

    def price(self, entry):
        """The priority of a job in each of its partitions."""
        if not self.multifactor:
            return
        get, control = self.get, self.control
        since = entry.submit if get("ACCRUE_ALWAYS", False) else entry.since
        age = 0.0
        if since is not None and control.now > since:
            age = min((control.now - since) / max(get("PriorityMaxAge", 604800), 1), 1)
        base = get("PriorityWeightAge", 0) * age
        base += 0.0
        base += get("PriorityWeightFairshare", 0) * entry.assoc.fair
        base += get("PriorityWeightJobSize", 0) * self.size(entry)
        part = lambda own, all_: own / max(all_) if all_ and max(all_) else 0.0
        qos = 0.0
        if entry.qos is not None:
            qos = get("PriorityWeightQOS", 0) * part(self.qos[entry.qos].get("priority", 0), [one.get("priority", 0) for one in self.qos])
        for p in entry.parts:
            total = base + get("PriorityWeightPartition", 0) * part(control.parts[p].factor, [one.factor for one in control.parts]) + qos
            entry.priority[p] = math.floor(min(max(total, 1), 2**32 - 1))

    def size(self, entry):
        """Nodes and processors asked for, as a part of all."""
        nodes, cpus = len(self.control.nodes), sum(node.cpus for node in self.control.nodes)
        small = self.get("PriorityFavorSmall", False)
        if self.get("SMALL_RELATIVE_TO_TIME", False):
            part = min(max(entry.least * cpus / nodes, entry.procs) / (entry.limit / 60) / cpus, 1)
            return 1 - part if small else part
        if small:
            return ((nodes - entry.least) / nodes + (cpus - entry.procs) / cpus) / 2
        return (entry.least / nodes + entry.procs / cpus) / 2

    def recalculate(self, at, last):
        """What comes every PriorityCalcPeriod."""
        if not self.multifactor:
            return
        half, self.control.now = self.get("PriorityDecayHalfLife", 604800), at
        if half and last > 0:
            keep = power(1 - 0.693 / half, at - last)
            for one in self.tree:
                one.usage *= keep
        for entry in self.control.running:
            self.accrue(entry, at)
        if self.get("NO_FAIR_TREE", False):
            self.classic()
        else:
            self.users_left = self.rank = sum(one.user for one in self.tree)
            self.level(self.tree[0], False)
        for entry in self.control.waiting:
            self.control.eligible(entry)
            self.price(entry)

    def accrue(self, entry, at):
        """Books what a running job has used since the last time."""
        long, half = at - entry.booked, self.get("PriorityDecayHalfLife", 604800)
        if long <= 0 or entry.still is not None or not self.multifactor:
            return
        entry.booked = at
        use = float(long) * float(sum(map(len, entry.nodes.values())))
        if half:
            use *= power(1 - 0.693 / half, long)
        one = entry.assoc
        while one:
            one.usage += use
            one = one.above

    def level(self, above, tied):
        """Ranks those below an account: the most deserving first, each one's own before the next."""
        below = [one for one in self.tree if one.above is above]
        shares, usage = sum(float(one.shares) for one in below), 0.0
        for one in below:
            usage += one.usage

        def deserves(one):
            if one.usage <= 0 or usage <= 0:
                return math.inf if one.shares else 0.0
            own, part = one.shares / shares if shares else math.nan, one.usage / usage
            return own / part if part else math.inf if own else math.nan  # too little to be counted

        before = None
        for one in sorted(below, key=lambda one: (-deserves(one), not one.user)):
            same, tied, before = tied or deserves(one) == before, False, deserves(one)
            if not one.user:
                self.level(one, same)
                continue
            if not same:
                self.rank = self.users_left
            one.fair = self.rank / sum(other.user for other in self.tree)
            self.users_left -= 1

    def classic(self):
        """The older fair share: 2 to the power of minus usage ÷ shares."""
        root, part, effective = self.tree[0], {}, {}
        for one in self.tree:
            if one is root:
                part[one], effective[one] = 1.0, 1.0
                continue
            all_ = sum(float(other.shares) for other in self.tree if other.above is one.above)
            own = one.shares / all_ if all_ else 0.0
            part[one] = part[one.above] * own
            used = one.usage / root.usage if root.usage > 0 else 0.0
            effective[one] = used + (effective[one.above] - used) * own
            one.fair = math.pow(2, -(effective[one] / part[one]) / max(self.get("FairShareDampeningFactor", 1), 1)) if part[one] > 0 else 0.0
