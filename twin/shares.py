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
        """The partition, QOS and account of a job, None for none."""
        partition = int(said["partition"]) if said.get("partition") not in ("", None) else row[15]
        qos = int(said["qos"]) if said.get("qos") not in ("", None) else row[14]
        account = int(said.get("account") or 0)
        one = self.partitions.get(partition)
        if partition <= 0:
            one = next((p for p in self.partitions.values() if p.get("default")), None)
        return one, self.qos.get(qos), account if account in self.accounts else None

    def request(self, row, said):
        """The requested time of a job that states none, 0 for none."""
        one = self.of(row, said)[0] or {} if row[0] not in self.apart else {}
        return one.get("default_time") or one.get("max_time") or 0

    def above(self, account):
        """An account and those above it."""
        while account in self.accounts:
            yield self.accounts[account]
            account = self.accounts[account].get("parent", 0)

    def amounts(self, job, said):
        nodes = int(said.get("nodes") or 0) or -(-job.procs // self.largest)
        gpus = int(said.get("gpus") or 0) or job.needs.get("gpus", 0) * nodes
        return {"processors": job.procs, "jobs": 1, "nodes": nodes, "gpus": gpus}

    def bind(self, job):
        """Gives a job its limits and machines; whether it could ever run."""
        partition, qos, account = self.of(job.row, job.beside)
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
        if partition and partition.get("max_time") and job.given > partition["max_time"]:
            return False
        return not partition or self.machines(job, partition)

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
        return self.empty.place(job, 0, lambda speed: 1, []) is not None
