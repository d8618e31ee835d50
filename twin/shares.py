"""What a cluster is shared out by: the section "Partitions, QOS, accounts" of
docs/simulation-rules.md. Its jobs carry job.shares, a list of (key, amount, most) that hold
on the whole platform, and the machines that they may run on."""

from space import Platform


class Shares:
    def __init__(self, platform, processors, apart=()):
        self.apart = apart  # numbers of jobs that belong to none
        self.platform, self.empty = platform, Platform({"platform": platform}, processors)
        number = lambda one, i: one.get("number") or i
        self.partitions = {number(one, i): one for i, one in enumerate(platform.get("partitions", []), 1)}
        self.qos = {number(one, i): one for i, one in enumerate(platform.get("qos", []), 1)}
        self.named = {one["name"]: one for one in platform.get("qos", [])}
        self.accounts = {one["number"]: one for one in platform.get("accounts", [])}
        sizes = [g.get("processors", 1) if c.get("packing", "processors") != "processors" else sum(x.get("count", 1) * x.get("processors", 1) for x in c["groups"])
                 for c in platform.get("clusters", []) for g in c["groups"]]
        self.largest = max(sizes, default=processors)

    def __bool__(self):
        return bool(self.partitions or self.qos or self.accounts)

    def of(self, row, said):
        """The partitions, QOS and account that a job names, None for none."""
        partitions = [int(n) for n in str(said.get("partition") or row[15]).split(",")]
        qos = int(said["qos"]) if said.get("qos") not in ("", None) else row[14]
        account = int(said.get("account") or 0)
        named = [self.partitions[n] for n in dict.fromkeys(partitions) if n in self.partitions]
        if max(partitions) <= 0:
            named = [p for p in self.partitions.values() if p.get("default")]
        return named, self.qos.get(qos), account if account in self.accounts else None

    def above(self, account):
        """An account and those above it."""
        while account in self.accounts:
            yield self.accounts[account]
            account = self.accounts[account].get("parent", 0)

    def amounts(self, job, said):
        nodes = int(said.get("nodes") or 0) or -(-job.procs // (job.each or self.largest))
        gpus = int(said.get("gpus") or 0) or job.needs.get("gpus", 0) * nodes
        return {"processors": job.procs, "jobs": 1, "nodes": nodes, "gpus": gpus}

    def bind(self, job, overrun):
        """Gives a job its limits, times and machines; whether it could ever run: the first of
        its partitions in which it could is its own."""
        named, qos, account = self.of(job.row, job.beside)
        job.ranks = self.ranks([], qos, account)
        if not named:
            return self.limit(job, None, qos, account)
        before = dict(job.__dict__)
        for own in named:
            if self.times(job, own, overrun) and self.enter(job, own, qos, account):
                break
            job.__dict__.update(before)
        else:
            return False
        mine, alike = (job.shares, job.only), [own]
        for other in named:
            if other is not own and self.enter(job, other, qos, account) and self.alike(own, other):
                mine = mine[0], None if None in (mine[1], job.only) else mine[1] | job.only
                alike.append(other)
        job.shares, job.only = mine
        job.ranks = self.ranks(alike, qos, account)
        return True

    def ranks(self, partitions, qos, account):
        """What schedulers with ranks look at: places of partitions and of a QOS, number of an account."""
        place = lambda one, all_: next(i for i, other in enumerate(all_) if other is one)
        return [place(one, self.platform["partitions"]) for one in partitions], place(qos, self.platform["qos"]) if qos else None, account or 0

    def times(self, job, partition, overrun):
        """The requested time of a job that states none; whether it is left out as it ran longer."""
        given = partition.get("default_time") or partition.get("max_time") or 0
        if job.unasked and given:
            job.given, job.requested = given, given + job.setup
            if job.run > job.requested and overrun == "drop":
                return False
            if overrun == "extend":
                job.requested = max(job.run, job.requested)
            job.run = min(job.run, job.requested)
        return True

    def enter(self, job, partition, qos, account):
        if partition.get("max_time") and job.given > partition["max_time"]:
            return False
        job.only = None
        return self.limit(job, partition, qos, account) and self.machines(job, partition)

    def alike(self, one, other):
        """Whether two partitions bind jobs in the same way: by the same QOS, and without limits on what these hold."""
        holds = lambda p: any(most and not key.startswith("job_") for key, most in p.get("limits", {}).items())
        return one.get("qos") == other.get("qos") and not holds(one) and not holds(other)

    def limit(self, job, partition, qos, account):
        """Gives a job the limits of a partition, a QOS and an account; whether none is too tight for it alone."""
        amounts = self.amounts(job, job.beside)
        own = partition["limits"] if partition and partition.get("limits") else {}
        chain = []
        if partition and partition.get("qos"):
            chain.append((("qos", partition["qos"]), self.named[partition["qos"]].get("limits", {})))
        if qos:
            chain.append((("qos", qos["name"]), qos.get("limits", {})))
        job.shares, bounds = [], []
        said = set()
        for who, limits in chain:
            for key, most in limits.items():
                if most and key not in said:
                    bounds.append((who, key, most))
            said |= {key for key, most in limits.items() if most}
        if partition:
            bounds += [(("partition", partition["name"]), key, most) for key, most in own.items() if most]
        for one in self.above(account):
            bounds += [(("account", one["number"]), key, most) for key, most in one.get("limits", {}).items() if most and key not in said]
        for who, key, most in bounds:
            each, _, what = key.rpartition("_")
            if each == "job":
                asked = job.given if partition else job.requested - job.setup
                if (asked if what == "time" else amounts[what]) > most:
                    return False
                continue
            amount = amounts[what]
            if amount > most:
                return False
            whose = {"": None, "user": job.user if job.user >= 0 else -1, "group": job.group if job.group >= 0 else -1, "account": account}[each]
            if amount:
                job.shares.append((("share", who, key, whose), amount, most))
        return True

    def machines(self, job, partition):
        """Restricts a job to the machines of its partition; whether they could hold it."""
        if not partition.get("nodes"):
            return True
        job.only = set()
        for n in partition["nodes"]:
            clusters = self.platform["clusters"]
            c = next((i for i, cluster in enumerate(clusters) if cluster["name"] == n.get("cluster", "")), 0)
            cluster, at, there = clusters[c], 0, []
            if cluster.get("packing", "processors") == "processors":
                job.only.add((c, None))
                continue
            for g, group in enumerate(cluster["groups"]):
                there += [at + k for k in range(group.get("count", 1))] if n.get("group") in (None, g) else []
                at += group.get("count", 1)
            first, count = n.get("first", 0), n.get("count", 0)
            job.only |= {(c, i) for i in (there[first:first + count] if count else there[first:])}
        all_of = {(c, i) for c, one in enumerate(self.empty.clusters) for i in ([None] if one["packing"] == "processors" else range(len(one["nodes"])))}
        return job.only == all_of or self.empty.place(job, 0, lambda speed: 1, []) is not None
