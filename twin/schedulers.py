"""The schedulers, each by the words of docs/simulation-rules.md."""

import math

from jobs import INFINITE, scaled
from orders import line, score
from space import Booking


class Scheduler:
    """params are the document's; pass_ starts jobs at an instant, wake says when the
    scheduler wants one of its own."""

    def __init__(self, params, processors):
        self.params, self.processors = params, processors
        self.newest = params.get("ties") == "newest"

    def wake(self, sim):
        return None


class FCFS(Scheduler):
    """Rule 7."""

    def pass_(self, sim):
        for job in line(sim.waiting, sim.now, lambda job, now: now - job.submit, self.newest):
            where = sim.place(job)
            if where is None:
                return
            sim.start(job, where)


class Greedy(Scheduler):
    """Jobs in an order of their own, nothing kept for those that do not fit."""

    def order(self, sim):
        return list(sim.waiting)

    def pass_(self, sim):
        period = self.params.get("period", 0)
        if period and (sim.now - sim.first) % period:
            return
        for job in self.order(sim):
            where = sim.platform.place(job, sim.now, sim.longest(job), sim.bookings())
            if where is not None:
                sim.start(job, where)
            elif self.params.get("blocked") == "stop":
                return

    def wake(self, sim):
        period = self.params.get("period", 0)
        return sim.first + ((sim.now - sim.first) // period + 1) * period if period else None


class FCFSBF(Greedy):
    """In order of submission, or one job of each of the log's queues in turn."""

    served = None  # the queue of the job that started last

    def order(self, sim):
        if self.params.get("several-queues") != "turn":
            return list(sim.waiting)
        queue = lambda job: math.inf if job.queue < 0 else job.queue
        numbers = sorted({queue(job) for job in sim.waiting})
        numbers = [n for n in numbers if self.served is None or n > self.served] + [n for n in numbers if self.served is not None and n <= self.served]
        lines = [[job for job in sim.waiting if queue(job) == n] for n in numbers]
        return [line[k] for k in range(len(sim.waiting)) for line in lines if k < len(line)]

    def pass_(self, sim):
        before = set(sim.running)
        super().pass_(sim)
        for run in sim.running:
            if run not in before:
                self.served = math.inf if run.job.queue < 0 else run.job.queue


class LSF(Greedy):
    def order(self, sim):
        return sorted(sim.waiting, key=lambda job: (-job.procs, job.place))


class SJF(Greedy):
    def order(self, sim):
        return sorted(sim.waiting, key=lambda job: (job.requested, job.place))


class PPP(Greedy):
    def order(self, sim):
        sign = -1 if self.params.get("priority") == "large" else 1
        return sorted(sim.waiting, key=lambda job: (job.queue < 0, sign * job.queue, job.place))


class PPPD(PPP):
    """PPP whose running jobs of lower priority make room."""

    def rank(self, job):
        return job.queue < 0, (-1 if self.params.get("priority") == "large" else 1) * job.queue

    def pass_(self, sim):
        for job in self.order(sim):
            where = sim.platform.place(job, sim.now, sim.longest(job), sim.bookings()) or self.dispose(sim, job)
            if where is not None:
                sim.start(job, where)
            elif self.params.get("blocked") == "stop":
                return

    def dispose(self, sim, job):
        """Room where jobs of lower priority are stopped, the lowest and last started first."""
        lower = [run for run in sim.running if self.rank(run.job) > self.rank(job)]
        lower.sort(key=lambda run: (self.rank(run.job), run.start, run.job.place), reverse=True)
        for n in range(1, len(lower) + 1):
            others = [run.booking for run in sim.running if run not in lower[:n]] + sim.elsewhere() + sim.known() + sim.desk.bookings()
            where = sim.platform.place(job, sim.now, sim.longest(job), others)
            if where is not None:
                for run in lower[:n]:
                    sim.stop(run, self.params.get("preempted", "suspend") == "suspend")
                return where
        return None


class FairShare(Greedy):
    def order(self, sim):
        used = {}
        for run in sim.done + sim.running + sim.desk.runs:
            used[run.job.user] = used.get(run.job.user, 0) + run.procs * (min(run.end, sim.now) - run.start)
        return sorted(sim.waiting, key=lambda job: (used.get(job.user, 0), job.place))


class EASY(Scheduler):
    """Rule 8, with the words of "On machines"."""

    def __init__(self, params, processors):
        super().__init__(params, processors)
        self.first = score(params.get("order", "fcfs"), params, "", processors)
        self.behind = score(params.get("backfill", "fcfs"), params, "backfill-", processors)

    def orders(self, sim):
        return (line(sim.waiting, sim.now, self.first, self.newest, self.params.get("threshold")),
                line(sim.waiting, sim.now, self.behind, self.newest))

    def pass_(self, sim):
        first, behind = self.orders(sim)
        head = self.begin(sim, first)
        if head is None:
            return
        promised = self.promise(sim, head)
        for job in behind:
            if job is head or job not in sim.waiting:
                continue
            where = sim.place(job)
            if promised is not None and where is not None and (self.ends(sim, job, where) > promised.start or sim.desk.anywhere and sim.now + sim.longest(job)(1) > promised.start):
                where = None
            if where is None and promised is not None:
                where = self.beside(sim, job, promised)
            if where is not None:
                sim.start(job, where)

    def ends(self, sim, job, where):
        """When a job must have ended that starts now."""
        return where.end

    def beside(self, sim, job, promised):
        """Where a job may start that leaves the head's reservation alone; with static binding
        that names processors once there is anything that they have to be clear of."""
        if not sim.platform.calendar and not sim.desk.ever:
            promised = Booking(promised.start, promised.end, self.unnamed(promised))
        return sim.place(job, [promised])

    def unnamed(self, promised):
        return {key: n for key, n in promised.holds.items() if key[0] != "named"}

    def promise(self, sim, head):
        return reservation(sim, head)

    def begin(self, sim, first):
        for job in first:
            where = sim.place(job)
            if where is None:
                return job
            sim.start(job, where)
        return None


def reservation(sim, head):
    """The head's place at the earliest requested end, or end of an outage, at which it fits."""
    ends = {run.until for run in sim.running} | {b.end for b in sim.elsewhere() + sim.known() + sim.desk.bookings() if b.end > sim.now}
    for t in sorted(ends):
        where = sim.platform.place(head, t, sim.longest(head), sim.bookings())
        if where is not None:
            return where
    return None


class Foretold(EASY):
    """EASY whose reservations and right to pass go by predictions. Where there is a calendar, or
    anything was reserved in the run, the head's reservation goes by requests."""

    def thought(self, sim):
        """What running jobs are thought to hold."""
        return [Booking(run.start, run.fore, run.booking.holds) for run in sim.running]

    def pass_(self, sim):
        for run in sim.running:
            if run.fore <= sim.now:
                sim.book.exceeded(run)
        super().pass_(sim)

    def wake(self, sim):
        return min((run.fore for run in sim.running if run.fore > sim.now), default=None)

    def counts(self, sim):
        return not sim.platform.calendar and not sim.desk.ever

    def ends(self, sim, job, where):
        speed = sim.platform.slowest(where.cluster, where.holds)
        return min(where.end, sim.now + max(1, scaled(job.foretold - job.done, speed)))

    def promise(self, sim, head):
        if not self.counts(sim):
            return super().promise(sim, head)
        thought = self.thought(sim)
        for t in sorted({b.end for b in thought}):
            where = sim.platform.place(head, t, sim.longest(head), thought)
            if where is not None:
                return where
        return None

    def beside(self, sim, job, promised):
        if not self.counts(sim):
            return super().beside(sim, job, promised)
        for_ever = Booking(promised.start, INFINITE, self.unnamed(promised))
        where = sim.platform.place(job, sim.now, lambda speed: INFINITE - sim.now, self.thought(sim) + [for_ever])
        if where is not None:
            where.end = sim.now + job.length(sim.now, sim.platform.slowest(where.cluster, where.holds))
        return where


class Foresight(EASY):
    """EASY in order of predicted areas, backfilling in order of predicted times."""

    def __init__(self, params, processors):
        super().__init__({"threshold": 200000, "ties": "newest", **params}, processors)
        step = params.get("step", 0.02)
        self.first = lambda job, now: -math.floor((job.log + math.log(job.wide())) / step + 0.5)
        self.behind = lambda job, now: -math.floor(job.log / step + 0.5)


class BF(EASY):
    """BF_UNMOD and BF_MOD: EASY in the order of P(J), computed once at each instant."""

    def __init__(self, params, processors, keeps):
        super().__init__(params, processors)
        self.keeps, self.head = keeps, None

    def orders(self, sim):
        priority = {job: self.priority(sim, job) for job in sim.waiting}
        one = line(sim.waiting, sim.now, lambda job, now: priority[job])
        if self.keeps and self.head in sim.waiting:
            return [self.head] + [job for job in one if job is not self.head], one
        return one, one

    def begin(self, sim, first):
        self.head = super().begin(sim, first)
        return self.head

    def priority(self, sim, job):
        get = lambda key, default: float(self.params.get(key, default))
        t, long, least = sim.now, job.requested, min(other.requested for other in sim.waiting)
        small, large = get("deadline-min", 0.1), get("deadline-max", 20)
        if job.due is None:
            d = small
        elif t + long > job.due:
            d = 0.0
        else:
            x = get("k", 1.3) * long
            y = x - (job.due - (t + long))
            d = small if y < 0 else small + ((large - small) / x) * y
        rho = {}
        for other in sim.waiting:
            for name, copies in other.licences.items():
                if name in sim.platform.licences:
                    rho[name] = rho.get(name, 0) + copies
        rho = {name: asked / sim.platform.capacity["licence", name] for name, asked in rho.items()}
        n = max(1, sum(r <= 1 for r in rho.values()))
        mine = [rho[name] for name in sorted(job.licences) if name in rho]
        s = sum(r for r in mine if r <= 1) + n * sum(r for r in mine if r > 1)
        total = get("aging", 0.01) * (t - job.submit)
        total += get("deadline", 1) * d
        total += get("licences", 1) * s
        total += get("wait", 2) * (least / long)
        total += get("queue", 0) * max(0, job.queue)
        return total


class Conservative(Scheduler):
    """Rule 9, on one cluster whose processors are counted."""

    def __init__(self, params, processors):
        super().__init__(params, processors)
        self.order = params.get("order", "fcfs")
        self.score = score(self.order, params, "", processors)
        self.plan = {}

    def wake(self, sim):
        return min((b.start for b in self.plan.values()), default=None)

    def pass_(self, sim):
        find = lambda job, others: sim.platform.earliest(job, sim.now, job.left(), sim.bookings() + others)
        sign = -1 if self.newest else 1
        if any(run.end < run.full for run in sim.ended):
            if self.order == "fcfs":
                again, placed = sorted(self.plan, key=lambda job: (self.plan[job].start,) + tuple(sign * x for x in job.place)), {}
                for job in again:
                    placed[job] = find(job, list(placed.values()))
                    assert placed[job].start <= self.plan[job].start, f"{job} is planned later than it was"
                self.plan = placed
            else:
                moved = True
                while moved:
                    moved = False
                    for job in line(self.plan, sim.now, self.score, self.newest):
                        found = find(job, [b for other, b in self.plan.items() if other is not job])
                        if found.start < self.plan[job].start:
                            self.plan[job], moved = found, True
        for job in line(sim.new, sim.now, self.score, self.newest):
            self.plan[job] = find(job, list(self.plan.values()))
        for job in [job for job in self.plan if self.plan[job].start == sim.now]:
            sim.start(job, self.plan.pop(job))


class Plan(Conservative):
    """Conservative on other platforms: rule 10, compressed by rule 9."""

    less = False  # a job has started that will be stopped before it has had its request

    def __init__(self, params, processors):
        super().__init__(params, processors)
        self.foretold = params.get("plan-by") == "prediction"
        self.asked, self.after = {}, {}  # by job, where plans go by predictions: how long it stands there, and not before when

    def takes(self, job):
        """How long a job stands in the plan."""
        if not self.foretold:
            return job.left()
        return self.asked.setdefault(job, max(1, job.foretold - job.done))

    def known(self, sim):
        """What plans keep clear of."""
        if not self.foretold:
            return sim.bookings()
        return [Booking(run.start, run.fore, run.booking.holds) for run in sim.running] + sim.desk.bookings() + sim.known()

    def find(self, sim, job, others, clusters=None, since=None):
        since = max(sim.now, self.after.get(job, 0), since or 0)
        return sim.platform.earliest(job, since, self.takes(job), self.known(sim) + others, clusters)

    def retell(self, sim):
        """Takes over what is foretold now; whether there is more room than there was, and whether the plan was made anew."""
        freed = broken = False
        if sim.ended or sim.stopped or sim.desk.freed:
            freed, self.after = bool(self.after), {}
        for run in sim.running:
            if run.fore <= sim.now:
                sim.book.exceeded(run)
                broken = True
        if sim.ended:
            for job, booking in self.plan.items():
                asked = max(1, job.foretold - job.done)
                if asked != self.takes(job):
                    end = booking.start + scaled(asked, sim.platform.slowest(booking.cluster))
                    broken, freed = broken or end > booking.end, True
                    self.asked[job], booking.end = asked, end
        if broken:
            order, self.plan = sorted(self.plan, key=lambda job: (self.plan[job].start, job.place)), {}
            for job in order:
                self.put(job, self.find(sim, job, list(self.plan.values())))
        return freed, broken

    def bars(self, sim, job):
        """Whether a job whose turn has come may not start where it is planned, by its request: then it stands elsewhere."""
        if sim.may(job, self.plan[job]):
            return False
        del self.plan[job]
        where = sim.platform.place(job, sim.now, sim.longest(job), sim.bookings())
        if where is not None:
            end = sim.now + scaled(self.takes(job), sim.platform.slowest(where.cluster))
            others = self.known(sim) + list(self.plan.values())
            if all(sim.platform.free(key, sim.now, end, others, sim.most(job, key)) >= n for key, n in where.holds.items()):
                self.put(job, Booking(sim.now, end, where.holds, where.cluster), True)
                return True
        self.after[job] = sim.eases()
        self.put(job, self.find(sim, job, list(self.plan.values())))
        return True

    def pass_(self, sim):
        gone = [job for job in self.plan if job not in sim.waiting]
        for job in gone:
            del self.plan[job]
        for job in [job for job in self.asked if job not in self.plan]:
            del self.asked[job]
        find = lambda job, others, clusters=None: self.find(sim, job, others, clusters)
        sign = -1 if self.newest else 1
        in_plan = lambda job: (self.plan[job].start,) + tuple(sign * x for x in job.place)
        lost = []
        if sim.failed or sim.desk.new:  # whose place is gone gets another, in the order of starts
            stay = []  # of those before it
            for job in sorted(self.plan, key=lambda job: (self.plan[job].start, job.place)):
                holds, most = self.plan[job], dict((key, m) for key, (_, m) in sim.platform.limited(job, self.plan[job].cluster).items())
                if any(sim.platform.free(key, holds.start, holds.end, self.known(sim) + stay, most.get(key)) < n for key, n in holds.holds.items()):
                    lost.append(job)
                else:
                    stay.append(holds)
            for job in lost:
                del self.plan[job]
            for job in lost:
                self.put(job, find(job, list(self.plan.values())))
        freed, anew = self.retell(sim) if self.foretold else (False, False)

        def compress():
            if self.order == "fcfs":
                self.compress(sim, sorted(self.plan, key=in_plan), find)
            else:
                while any([self.move(sim, job, find) for job in line(self.plan, sim.now, self.score, self.newest)]):
                    pass

        if not anew and (freed or self.less or gone or lost or sim.desk.freed or sim.stopped or any(run.end < (run.fore if self.foretold else run.full) for run in sim.ended)):
            compress()
        thought, begin, depth = {}, [None], self.params.get("depth") or len(sim.waiting)
        while begin:  # whoever starts makes room in the depth
            stopped = [job for job in sim.stopped if job in sim.waiting]
            if self.order == "fcfs":
                stopped.sort(key=lambda job: tuple(sign * x for x in job.place))
            else:
                stopped = line(stopped, sim.now, self.score, self.newest)
            arrived = stopped + line([job for job in sim.waiting if job not in stopped], sim.now, self.score, self.newest)
            if "depth" in self.params:
                arrived = list(sim.waiting)
            for job in arrived:
                if job not in self.plan and len(self.plan) < depth:
                    self.put(job, find(job, list(self.plan.values())))
            if begin == [None]:
                self.improve(sim)
            begin, barred = [], False
            for c in range(len(sim.platform.clusters)):
                turn = self.turn(sim, c)
                while turn:
                    job = turn.pop(0)
                    begin.append(job)
                    if self.foretold and self.bars(sim, job):
                        barred = True
                        if self.plan[job].start == sim.now and self.plan[job].cluster == c:
                            turn.insert(0, job)
                        continue
                    thought[job] = self.plan[job].end
                    sim.start(job, self.plan.pop(job))
            if barred:  # who was put off leaves room
                compress()
        self.less = any((run.fore if self.foretold else run.until) < thought[run.job] for run in sim.running if run.job in thought)

    def improve(self, sim):
        """Optimises the plan, see moves.py."""

    def turn(self, sim, c):
        """The jobs of a cluster whose turn has come, in the order in which they are tried."""
        return sorted((job for job in self.plan if self.plan[job].start == sim.now and self.plan[job].cluster == c), key=lambda job: job.place)

    def put(self, job, booking, first=False):
        """Plans a job, in front of all others of its cluster where its turn has come."""
        self.plan[job] = booking

    def compress(self, sim, order, find):
        for job in order:
            self.move(sim, job, find)

    def move(self, sim, job, find):
        """Moves a job to its earliest fit beside all others, if that is earlier."""
        own = self.plan[job].cluster
        clusters = [own] + [c for c in range(len(sim.platform.clusters)) if c != own]
        found = find(job, [b for other, b in self.plan.items() if other is not job], clusters)
        if found is None or found.start >= self.plan[job].start:
            return False
        self.plan[job] = found
        return True


class PlanRS(Plan):
    """Rule 10 without an optimiser: lists that are compressed in their orders."""

    def __init__(self, params, processors):
        super().__init__(params, processors)
        self.lists = {}  # by cluster

    def turn(self, sim, c):
        return [job for job in self.lists.get(c, []) if job in self.plan and self.plan[job].start == sim.now]

    def put(self, job, booking, first=False):
        """A job stands behind those of its list that start by the time at which it does."""
        super().put(job, booking)
        self.lists = {cluster: [other for other in list_ if other is not job] for cluster, list_ in self.lists.items()}
        before = [other for other in self.lists.get(booking.cluster, []) if other in self.plan]
        at = 0 if first else next((n for n, other in enumerate(before) if self.plan[other].start > booking.start), len(before))
        self.lists[booking.cluster] = before[:at] + [job] + before[at:]

    def compress(self, sim, order, find):
        for own, list_ in sorted(self.lists.items()):
            last = sim.now
            for job in [job for job in list_ if job in self.plan]:
                others = [b for other, b in self.plan.items() if other is not job]
                found = self.find(sim, job, others, [own], last)
                if found is not None and found.start < self.plan[job].start:
                    self.plan[job] = found
                last = self.plan[job].start


class OrigBF(Scheduler):
    """Orig-BF: all are placed anew at each instant, least consumption first."""

    QUEUES = (3600, 7200, 86400, 172800, 345600, 604800, 1209600)

    base = None

    def consumed(self, sim):
        halve, used = self.params.get("halve", 259200), {}
        if self.base is None and sim.waiting:
            self.base = sim.now
        first = sim.now if self.base is None else self.base
        turns = {}  # by user: when processors come and go
        for run in [run for run in sim.done if not run.reserved] + sim.running:
            one = turns.setdefault(run.job.user, {})
            for t, procs in ((run.start, run.procs), (min(run.end, sim.now), -run.procs), (sim.now, 0)):
                one[t] = one.get(t, 0) + procs
        for user, one in turns.items():
            total, rate, at = 0.0, 0, first
            for t in sorted(one):
                while halve and (multiple := at + halve - (at - first) % halve) <= t and (total or rate):
                    total, at = (total + rate * (multiple - at)) / 2, multiple
                total, rate, at = total + rate * (t - at), rate + one[t], t
            used[user] = total
        return used

    def pass_(self, sim):
        used = self.consumed(sim)
        queue = lambda job: sum(job.requested > bound for bound in self.QUEUES) if self.params.get("queues") == "shortest" else 0
        held, depth, foretold = [], self.params.get("depth"), self.foretold()
        if foretold:
            for run in sim.running:
                if run.fore <= sim.now:
                    sim.book.exceeded(run)
        ran = [Booking(run.start, run.fore if foretold else run.full, run.booking.holds) for run in sim.running] + sim.elsewhere()
        bookings = lambda: ran + sim.known() + sim.desk.bookings() + held
        for job in sorted(sim.waiting, key=lambda job: (queue(job), used.get(job.user, 0), job.place)):
            length = max(1, job.foretold - job.done) if foretold else job.requested - job.done
            found = sim.platform.earliest(job, sim.now, length, bookings())
            if found.start == sim.now and foretold and not sim.may(job, found):
                found = sim.platform.earliest(job, sim.eases(), length, bookings())
            if found.start == sim.now:
                ran.append(Booking(found.start, found.end, found.holds))  # as it was placed, until the pass is over
                run = sim.start(job, found)
                run.fore = run.start + scaled(length, sim.platform.slowest(found.cluster, found.holds))
            elif sim.now - job.submit >= self.params.get("reserve-after", 0) and (depth is None or len(held) < depth):
                held.append(found)

    def foretold(self):
        return self.params.get("plan-by") == "prediction"

    def wake(self, sim):
        return min((run.fore for run in sim.running if run.fore > sim.now), default=None) if self.foretold() else None


def made(one, doc, processors):
    """The scheduler of a document's entry."""
    counted = not set(doc.get("platform", {})) & {"clusters", "outages", "limits", "reservations", "partitions", "qos", "accounts"} and not {"annotate", "withdrawn"} & set(doc["workload"])
    kind = Plan if one["key"] == "conservative" and (not counted or {"depth", "plan-by"} & set(one.get("params", {}))) else KINDS[one["key"]]
    if one.get("params", {}).get("backfill-by") == "prediction":
        kind = Foretold
    return kind(one.get("params", {}), processors)


KINDS = {
    "fcfs": FCFS, "fcfs-bf": FCFSBF, "lsf": LSF, "sjf": SJF, "ppp": PPP, "pppd": PPPD, "fair-share": FairShare, "easy": EASY,
    "bf-unmod": lambda params, n: BF(params, n, True), "bf-mod": lambda params, n: BF(params, n, False),
    "conservative": Conservative, "orig-bf": OrigBF, "plan-rs": PlanRS, "foresight": Foresight,
}
