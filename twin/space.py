"""What is free, and where a job goes: the section "On machines" of docs/simulation-rules.md.

Everything that can be held has a key and an amount: processors of a counted cluster,
processors, memory, disk and GPUs of a machine, copies of a licence, and what a limit
allows to a user or a class of jobs. A booking holds amounts from one time to another.
"""

from jobs import INFINITE, scaled


class Booking:
    def __init__(self, start, end, holds, cluster=None):
        self.start, self.end, self.holds, self.cluster = start, end, holds, cluster


class Platform:
    """The machine of a document: clusters, licences, what the calendar takes, limits."""

    def __init__(self, document, processors):
        p = document.get("platform", {})
        self.capacity, self.clusters = {}, []
        clusters = p.get("clusters") or [{"name": "main", "groups": [{"processors": processors}]}]
        for c, cluster in enumerate(clusters):
            packing = cluster.get("packing", "processors")
            nodes = [group for group in cluster["groups"] for _ in range(group.get("count", 1))]
            one = {"name": cluster["name"], "packing": packing, "nodes": nodes, "processors": sum(n.get("processors", 1) for n in nodes)}
            self.clusters.append(one)
            if packing == "processors":
                self.capacity["processors", c] = one["processors"]
                continue
            for i, node in enumerate(nodes):
                for what in ("processors", "memory", "disk", "gpus"):
                    amount = node.get(what, 1 if what == "processors" else 0)
                    self.capacity[what, c, i] = amount if amount or what in ("processors", "gpus") else INFINITE
        for licence in p.get("licences", []):
            self.capacity["licence", licence["name"]] = licence["copies"]
        self.scales = p.get("power_scales", False)
        self.licences = {licence["name"] for licence in p.get("licences", [])}
        self.limits = p.get("limits", {})
        self.static = False  # whether counted processors are bound to numbers (bind)
        self.calendar = [self._outage(o) for o in p.get("outages", [])]
        # Machines and counted clusters in order of power, then clusters of packing nodes.
        self.places, self.alone = self._places("machine"), self._places("machine", "nodes")  # alone: of a job that asks for one node

    def _places(self, *machines):
        """Places in their order, as (cluster, machine or None); packings whose machines are places of their own."""
        places = []
        for c, cluster in enumerate(self.clusters):
            if cluster["packing"] in machines:
                places += [((0, -node.get("speed", 1), c, i), c, i) for i, node in enumerate(cluster["nodes"])]
            else:
                power = max(node.get("speed", 1) for node in cluster["nodes"])
                places.append(((1 if cluster["packing"] == "nodes" else 0, -power, c, 0), c, None))
        return [place[1:] for place in sorted(places)]

    def _outage(self, o):
        c = next((i for i, cluster in enumerate(self.clusters) if cluster["name"] == o.get("cluster", "")), 0)
        cluster = self.clusters[c]
        if cluster["packing"] == "processors":
            holds = {("processors", c): o.get("processors", 0) or cluster["processors"]}
        else:
            holds = {("processors", c, i): cluster["nodes"][i].get("processors", 1) for i in o.get("nodes") or range(len(cluster["nodes"]))}
        booking = Booking(o["from"], o["to"], holds)
        booking.announced = o.get("announced", False)
        return booking

    def bind(self):
        """Static binding: from now on counted processors are held by number; outages have the highest that no other has."""
        self.static = True
        for c, cluster in enumerate(self.clusters):
            if cluster["packing"] == "processors":
                self.capacity.update({("named", c, k): 1 for k in range(cluster["processors"])})
        named, edges = [], sorted({t for outage in self.calendar for t in (outage.start, outage.end)})
        for outage in self.calendar:
            for key, amount in outage.holds.items():
                for start, end in zip(edges, edges[1:]):
                    if len(key) == 2 and outage.start <= start and end <= outage.end:
                        left = self.numbers(key[1], start, end, named)
                        named.append(Booking(start, end, {("named", key[1], k): 1 for k in left[-amount:]}))
                        named[-1].announced = True
        self.calendar += named

    def rebind(self, booking, bookings):
        """A job that starts is bound to the lowest-numbered processors that are free until its limit."""
        c = booking.cluster
        if self.static and self.clusters[c]["packing"] == "processors":
            n = booking.holds["processors", c]
            booking.holds = {key: amount for key, amount in booking.holds.items() if key[0] != "named"}
            booking.holds.update({("named", c, k): 1 for k in self.numbers(c, booking.start, booking.end, bookings)[:n]})

    def numbers(self, c, start, end, bookings):
        """The processors of a counted cluster that are free all the time, by number."""
        mine = [b for b in bookings if b.start < end and b.end > start]
        return [k for k in range(self.clusters[c]["processors"]) if not any(("named", c, k) in b.holds for b in mine)]

    def limited(self, job, c):
        """What a job holds of limits on a cluster, and how much there is of it."""
        holds = {key: (amount, most) for key, amount, most in job.shares}
        if self.limits.get("user_processors"):
            holds["user", c, job.user] = job.procs, self.limits["user_processors"]
        for k, kind in enumerate(self.limits.get("classes", [])):
            if kind.get("whole"):
                if job.requested > kind["longer_than"] and not job.apart:
                    holds["whole", k] = job.procs, int(kind["share"] * sum(cluster["processors"] for cluster in self.clusters))
            elif job.requested > kind["longer_than"]:
                holds["class", c, k] = job.procs, int(kind["share"] * self.clusters[c]["processors"])
        return holds

    def free(self, key, start, end, bookings, capacity=None):
        """The least that is free of something at any time from start to before end."""
        mine = [b for b in bookings if key in b.holds and b.start < end and b.end > start]
        capacity = self.capacity[key] if capacity is None else capacity
        instants = [start] + [b.start for b in mine if b.start > start]
        return min(capacity - sum(b.holds[key] for b in mine if b.start <= t < b.end) for t in instants)

    def slowest(self, cluster, holds=None):
        """The speed that divides times: of the slowest machine of a cluster, or of what is held there."""
        if not self.scales:
            return 1
        there = {key[2] for key in holds or () if len(key) == 3 and key[0] == "processors"}
        return min(node.get("speed", 1) for i, node in enumerate(self.clusters[cluster]["nodes"]) if not there or i in there)

    def place(self, job, start, length, bookings, only=None, planned=False):
        """What a job would hold from start on for its length, a function of the speed, at the
        first place in order of power that has room all the time; None if there is none. What
        is planned reckons with the slowest machine of the cluster."""
        for c, i in self.alone if job.each == job.procs else self.places:
            if only is not None and c != only:
                continue
            nodes = self.clusters[c]["nodes"]
            speed = 1 if not self.scales else self.slowest(c) if planned or i is None else nodes[i].get("speed", 1)
            end = start + length(speed)
            holds = self._on(job, c, i, start, end, bookings)
            if holds is not None:
                return Booking(start, end if planned else start + length(self.slowest(c, holds)), holds, c)
        return None

    def _on(self, job, c, machine, start, end, bookings):
        holds = {}
        for key, (amount, most) in self.limited(job, c).items():
            if self.free(key, start, end, bookings, most) < amount:
                return None
            holds[key] = amount
        for name, copies in job.licences.items():
            key = "licence", name
            if name not in self.licences:
                continue  # the machine has it, see suits
            if self.free(key, start, end, bookings) < copies:
                return None
            holds[key] = copies
        packing = self.clusters[c]["packing"]
        if packing == "processors":
            key = "processors", c
            if not self.suits(job, c, None) or self.free(key, start, end, bookings) < job.procs:
                return None
            if self.static:
                numbers = self.numbers(c, start, end, bookings)
                if len(numbers) < job.procs:
                    return None
                holds.update({("named", c, k): 1 for k in numbers[:job.procs]})
            holds[key] = job.procs
            return holds
        nodes = self.clusters[c]["nodes"]
        order = [machine] if machine is not None else sorted(range(len(nodes)), key=lambda i: (-nodes[i].get("speed", 1), i))
        left = job.procs
        for i in order:
            if not self.suits(job, c, i) or any(self.free((what, c, i), start, end, bookings) < amount for what, amount in job.needs.items()):
                continue
            free = self.free(("processors", c, i), start, end, bookings)
            if packing == "machine" and free < job.procs:
                return None
            take = min(left, free)
            if packing == "nodes" and job.each:
                take = job.each if free >= job.each else 0
            if take > 0:
                holds["processors", c, i] = take
                for what, amount in job.needs.items():
                    holds[what, c, i] = amount
                left -= take
            if left == 0:
                return holds
        return None

    def suits(self, job, c, i):
        """Whether a job may run on a machine, or on a cluster that is only counted."""
        cluster = self.clusters[c]
        if i is None and job.needs.get("gpus"):
            return False  # nobody says that it has any
        if job.only is not None and (c, i) not in job.only:
            return False
        group, called = cluster["nodes"][0 if i is None else i], self.called(c, i)
        if any(not set(names) & called for names in job.on) or called & set(job.off):
            return False
        return all(name in group["licences"] for name in job.licences) if "licences" in group or any(name not in self.licences for name in job.licences) else True

    def called(self, c, i):
        """The names of a machine, or of a cluster that is only counted."""
        cluster = self.clusters[c]
        own = set() if i is None else {f"{cluster['name']}{i + 1}", f"nodecpus{cluster['nodes'][i].get('processors', 1)}", *cluster["nodes"][i].get("properties", [])}
        return own | {cluster["name"], "cl_" + cluster["name"]}

    def earliest(self, job, now, length, bookings, clusters=None):
        """The first time from now on at which a job finds room, and what it holds then; of
        equal times the first cluster's in the document, or in the order that is given."""
        for t in sorted({now} | {b.end for b in bookings if b.end > now}):
            for c in clusters or range(len(self.clusters)):
                found = self.place(job, t, lambda speed: scaled(length, speed), bookings, c, True)
                if found is not None:
                    return found
        return None
