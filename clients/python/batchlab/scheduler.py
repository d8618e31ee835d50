"""What a scheduler sees, and the base class of schedulers."""

import json
import math

from .channel import PROTOCOL, Refused, standard

_KEY = lambda job: (job.submit, job._place)


class Job:
    """A job as a scheduler sees it: never its run time before it has ended.

    id         its number in the log (negative where a number was there before)
    submit     when it was submitted, seconds of the log's own time
    procs      processors that it asks for
    requested  seconds that it may run at most
    wait       seconds that it has waited until now, or did wait
    user, group, queue   numbers of the log, -1 unknown
    started, ends        of a running job: since when, and until when at the latest; else None
    ended      when it ended, else None
    area       processors times requested seconds
    due, weight, nodes, memory, disk, gpus, licences   rarer demands, as programs in Starlark see them
    more       all of these by name, with on_due, per_node and clusters
    """

    __slots__ = ("id", "submit", "procs", "requested", "user", "group", "queue", "more", "started", "ends", "ended", "_state", "_place")

    def __init__(self, state, place, row):
        self.id, self.submit, self.procs, self.requested, self.user, self.group, self.queue = row[:7]
        self.more = row[7] if len(row) > 7 else {}
        self.started = self.ends = self.ended = None
        self._state, self._place = state, place

    @property
    def wait(self):
        return (self._state.now if self.started is None else self.started) - self.submit

    area = property(lambda self: self.procs * self.requested)
    due = property(lambda self: self.more.get("due"))
    weight = property(lambda self: self.more.get("weight", 0.0))
    nodes = property(lambda self: self.more.get("nodes", 0))
    memory = property(lambda self: self.more.get("memory", 0))
    disk = property(lambda self: self.more.get("disk", 0))
    gpus = property(lambda self: self.more.get("gpus", 0))
    licences = property(lambda self: self.more.get("licences", {}))

    def __repr__(self):
        return f"Job({self.id}, procs={self.procs}, requested={self.requested})"


class State:
    """What is known at an instant.

    now         seconds of the log's own time
    free        processors that are free now, beside what was started at this instant
    processors  of the whole platform
    queue       waiting jobs in order of submission, a list that is not to be changed; each
                start makes a new one, so that a loop over it sees every job
    running     running jobs, by the ends that they requested
    ended       jobs that have ended since the scheduler was asked last
    arrived     jobs that were submitted since, or wait again after a failure
    clusters, licences, outages   of the platform, as docs/exec-protocol.md has them
    label, seed, repetition       of the run
    """

    def __init__(self, channel, hello):
        self._channel = channel
        self.processors = hello["processors"]
        self.clusters, self.licences, self.outages = hello["clusters"], hello["licences"], hello["outages"]
        self.label, self.seed, self.repetition = hello["label"], hello["seed"], hello["repetition"]
        self.plain = hello["plain"]  # a job fits whenever its processors are free
        self.now, self.free = 0, hello["processors"]
        self.queue, self.ended, self.arrived = [], [], []
        self._running = {}  # by id
        self._wake = None
        self._jobs = {}
        self._starts = []  # decided, not told yet
        self._notes = []
        self._reserved = False

    def _update(self, message):
        """Takes over what has happened."""
        self.now, self.free = message["now"], message["free"]
        self._starts, self._reserved, self._wake, self._notes = [], False, None, []
        running, jobs = self._running, self._jobs
        self.ended, self.arrived = ended, arrived = [], []
        get = message.get
        for id, at in get("ends", ()):
            running[id].ends = at
        for id, at in get("past", ()):
            job = running.pop(id)
            job.ended = at
            ended.append(job)
        for id in get("ended", ()):
            job = running.pop(id)
            job.ended = self.now
            ended.append(job)
        for row in get("new", ()):
            job = Job(self, len(jobs), row)
            jobs[job.id] = job
            arrived.append(job)
        queue = self.queue
        queue.extend(arrived)
        if "back" in message:
            for id in message["back"]:
                job = running.pop(id)
                job.started = job.ends = None
                arrived.append(job)
                queue.append(job)
            queue.sort(key=_KEY)
        if "gone" in message:
            gone = set(message["gone"])
            self.queue = [job for job in queue if job.id not in gone]

    def _waits(self, job):
        """Refuses a job that cannot be started since it does not wait."""
        if job.started is not None:
            what = f"it runs since {job.started}" if job.ended is None else f"it ended at {job.ended}"
            raise ValueError(f"job {job.id} cannot start at {self.now}: {what}")

    def _begin(self, job):
        job.started, job.ends = self.now, self.now + job.requested
        self.free -= job.procs
        self._running[job.id] = job
        queue = self.queue
        if queue[0] is job:
            self.queue = queue[1:]  # a new list: a loop over the queue goes on over the old one
        else:
            self.queue = [other for other in queue if other is not job]

    def _ask(self, what, jobs, more=""):
        """Asks the engine, which hears first what has been started meanwhile."""
        starts = self._starts
        told = f'"start":{starts},' if starts else ""
        self._starts = []
        return self._channel.ask(f'{{{told}"ask":"{what}","jobs":[{",".join([str(job.id) for job in jobs])}]{more}}}')

    @property
    def running(self):
        return sorted(self._running.values(), key=lambda job: (job.ends, job._place))

    def fits(self, job):
        """Whether a waiting job can start now, beside all that is reserved."""
        if job.started is not None or job.procs > self.free:
            return False
        return True if self.plain and not self._reserved else self._ask("fits", [job])["fits"][0]

    def start(self, job):
        """Starts a waiting job if it fits; says whether it did. A job that does not wait
        raises ValueError."""
        if job.started is not None:
            self._waits(job)
        if job.procs > self.free:
            return False
        if self.plain and not self._reserved:
            self._starts.append(job.id)
            self._begin(job)
            return True
        return bool(self.start_all([job]))

    def start_all(self, jobs, stop=False):
        """Starts those of some waiting jobs that fit, in order; with stop, up to
        the first that does not. Returns those that were started."""
        started = []
        if self.plain and not self._reserved:
            for job in list(jobs):
                if self.start(job):
                    started.append(job)
                elif stop:
                    break
            return started
        jobs = list(jobs)
        for job in jobs:
            self._waits(job)
        if stop:
            if not jobs or jobs[0].procs > self.free:
                return started
        else:
            free = self.free
            jobs = [job for job in jobs if job.procs <= free]
        if jobs:
            answer = self._ask("try", jobs, ',"stop":true' if stop else "")
            for id in answer["started"]:
                self._begin(self._jobs[id])
                started.append(self._jobs[id])
            for id, at in answer.get("ends", ()):
                self._jobs[id].ends = at
        return started

    def place(self, job):
        """Starts a waiting job if it fits, else reserves its earliest place; returns its
        start, None as for earliest."""
        return self.now if self.start(job) else self.reserve(job)

    def wake(self, time):
        """Asks for a call of decide at a time, even if nothing happens then."""
        time = math.ceil(time)
        if time <= self.now:
            raise ValueError(f"wake({time}) is not later than now, {self.now}")
        self._wake = time if self._wake is None else min(self._wake, time)

    def note(self, job, text):
        """Keeps a few words about a job, which stand where the lab says why it waited
        and in the steps of a run."""
        self._notes.append({"job": job.id, "text": str(text)})

    def earliest(self, job):
        """When a waiting job could start by the requests of the running ones, beside
        all that is reserved; None while that is not known (a failure lasts)."""
        return self._ask("earliest", [job])["at"][0]

    def reserve(self, job):
        """Keeps the place of a waiting job's earliest start free for the rest of this
        instant, and returns the time; None as for earliest."""
        self._reserved = True
        return self._ask("reserve", [job])["at"][0]


class Scheduler:
    """Base class. A scheduler has a method

        decide(self, s)      called at each instant; starts jobs by s.start, or returns
                             the list of jobs to start, in order

    or a method

        order(self, job, s)  a number or tuple, smallest first: jobs start in this
                             order while they fit; behind the first that does not,
                             backfill says who may pass it

    backfill  "none": nobody; "easy" (default): who does not delay the first;
              "conservative": who delays nobody in front of him
    idle      whether decide is called at instants at which no job waits

    reset(self, s) is called before each run. Randomness should come from s.seed.
    """

    backfill = "easy"
    idle = False

    def reset(self, s):
        """Called before each run."""

    def decide(self, s):
        """Called at each instant."""
        if type(self).order is Scheduler.order:
            raise NotImplementedError("a scheduler needs a method decide(s) or order(job, s)")
        line = sorted(s.queue, key=lambda job: self.order(job, s))
        first = len(s.start_all(line, stop=True))
        if self.backfill == "none" or first >= len(line) - 1 or s.free == 0:
            return
        if self.backfill == "easy":
            free = s.free
            behind = [job for job in line[first + 1:] if job.procs <= free]
            if behind:
                s.reserve(line[first])
                s.start_all(behind)
            return
        for job in line[first:]:
            s.place(job)

    def order(self, job, s):
        """Which job stands first: the smallest number or tuple."""
        return ()

    def finished(self, s):
        """Called after a run, with the jobs that ended last in s.ended."""

    def main(self):
        """Serves the engine that has started this program, run after run."""
        channel = standard()
        while True:
            message = channel.receive()
            if message is None:
                return
            serve(channel, message, self)


def serve(channel, message, scheduler):
    """Goes through one run, which the message introduces."""
    try:
        s = State(channel, message["hello"])
        scheduler.reset(s)
        channel.send(json.dumps({"protocol": PROTOCOL, "quiet": not scheduler.idle}))
        while True:
            message = channel.receive()
            if message is None:
                raise Refused("the engine has gone")
            if "bye" in message:
                last(s, message)
                scheduler.finished(s)
                return s
            s._update(message)
            chosen = scheduler.decide(s)
            if chosen:
                s._starts.extend([job.id for job in chosen])
                for job in chosen:
                    if job.started is None:
                        s._begin(job)
            starts, wake = s._starts, "" if s._wake is None else f',"wake":{s._wake}'
            if s._notes:
                wake += f',"notes":{json.dumps(s._notes)}'
            channel.send(f'{{"start":{str(starts).replace(" ", "")}{wake}}}' if starts or wake else "{}")
    except Refused:
        raise
    except Exception as fault:
        channel.send(json.dumps({"error": f"{type(fault).__name__}: {fault}"}))
        raise


def last(s, message):
    """Takes over what has happened since the last instant that was told."""
    message = dict(message["bye"], now=s.now, free=s.free)
    s._update(message)
