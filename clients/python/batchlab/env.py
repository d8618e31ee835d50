"""An environment to learn scheduling in, in the shape that Gymnasium expects."""

import copy
import json
import math
import operator

from .channel import PROTOCOL, Refused
from .measure import MEASURES
from .run import Engine
from .scheduler import State, last
from .shapes import BaseEnv, Box, Discrete, array, mask

_WEEK = math.log(604801)


class Env(BaseEnv):
    """One run of a document, as episodes; a gymnasium.Env where gymnasium is installed.

    A step chooses one of the first k waiting jobs. If it fits it starts, and the
    next step is at the same instant. If not, it is the first in line: with backfill
    "none" nothing else starts at this instant, with "easy" every job that does not
    delay it. Instants at which nothing could start are passed over.

    document   an experiment; its schedulers are replaced by this environment
    k          how many jobs are seen and can be chosen; an action beyond the last
               waiting job means the last (info["mask"] says which there are)
    reward     a key of MEASURES, a Measure, or any other key of a run's measures;
               a step's reward is the difference that it made, smaller being better
               where the measure says so. What is known only when the run is over
               comes as a whole with the last step.
    backfill   "none" or "easy"
    render_mode   None, or "ansi": render() says in words what is seen

    reset gives (observation, info), step gives (observation, reward, terminated,
    truncated, info). An observation holds numbers from 0 to 1: for each of the k jobs
    its share of the processors, its requested time and its wait (both as logarithms,
    a week being 1) and whether it fits, then the share of free processors and how full
    the list of k is. It is an array of numpy with gymnasium, else a list. At the end
    info has the measures of the run as "metrics", and its "digest".
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}
    features = 4
    _engines = None  # of a VectorEnv: one process for all
    _engine = None
    _seed = None

    def __init__(self, document, k=8, reward="mean-bounded-slowdown", backfill="none", logs=(), batchlab=None, render_mode=None):
        if backfill not in ("none", "easy"):
            raise ValueError("backfill is none or easy")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError("render_mode is None or ansi")
        if not isinstance(document, dict):
            with open(document, encoding="utf-8") as file:
                document = json.load(file)
        self._document = copy.deepcopy(document)
        self._document["schedulers"] = [{"key": "exec", "label": "Agent"}]
        self._document.pop("expect", None)
        self._logs, self._batchlab, self.render_mode = logs, batchlab, render_mode
        self.k, self._reward, self._backfill = k, reward, backfill
        self.action_space = Discrete(k)
        self.observation_space = Box(0.0, 1.0, (k * self.features + 2,))

    def reset(self, *, seed=None, options=None):
        """Begins an episode. A seed is the document's, of which generated jobs are drawn;
        without one the next number comes after the seed before, and the document as it
        stands where there was none."""
        self._open(seed)
        self._greet()
        return self._next()[0], self._info()

    def step(self, action):
        self._act(action)
        return self._next()

    def render(self):
        """What is seen, in words, with render_mode "ansi"."""
        if self.render_mode is None:
            return None
        s = self.s
        lines = [f"at {s.now} s: {s.free} of {s.processors} processors are free, {len(s._running)} jobs run, {len(s.queue)} wait"]
        for i, job in enumerate(s.queue[:self.k]):
            lines.append(f"{i}: job {job.id}, {job.procs} processors for {job.requested} s, has waited {job.wait} s" + (", fits" if job.procs <= s.free else ""))
        return "\n".join(lines)

    def close(self):
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _open(self, seed):
        """Asks for a run."""
        self.close()
        if seed is None and self._seed is not None:
            seed = self._seed + 1
        if seed is not None:
            seed = operator.index(seed)
            self._document["seed"] = self._seed = seed
        super().reset(seed=seed)
        start = self._engines.run if self._engines else Engine
        self._engine = start(self._document, self._logs, batchlab=self._batchlab)

    def _greet(self):
        """Takes part in the run that was asked for."""
        hello = self._engine.receive()["hello"]
        self.s = State(self._engine.channel, hello)
        self._engine.channel.send(f'{{"protocol":{PROTOCOL},"quiet":true,"fits":true}}')
        known = MEASURES.get(self._reward) if isinstance(self._reward, str) else None
        self._measure = known() if known else None if isinstance(self._reward, str) else self._reward
        self._value, self._fresh, self._same, self._over = 0.0, [], False, False
        self._metrics, self._known = None, {}

    def _act(self, action):
        """Carries out an action, without waiting for what comes of it."""
        if self._engine is None:
            raise Refused("the episode is over: reset")
        s, action = self.s, operator.index(action)
        if not 0 <= action < self.k:
            raise ValueError(f"action {action} is not one of 0 to {self.k - 1}")
        job = s.queue[min(action, len(s.queue) - 1)]
        if s.start(job):
            self._fresh.append(job)
            self._same = self._open_choice()
        else:
            if self._backfill == "easy":
                others = [other for other in s.queue if other is not job and other.procs <= s.free]
                if others:
                    s.reserve(job)
                    self._fresh += s.start_all(others)
            self._same = False
        if not self._same:
            self._tell()

    def _open_choice(self):
        """Whether a waiting job may still start at this instant."""
        free = self.s.free
        for job in self.s.queue:
            if job.procs <= free:
                return True
        return False

    def _tell(self):
        starts, self.s._starts = self.s._starts, []
        self._engine.channel.send(f'{{"start":{starts}}}' if starts else "{}")

    def _next(self):
        """Goes on to where there is something to choose."""
        s = self.s
        while not self._same and not self._over:
            message = self._engine.receive()
            self._over = "bye" in message
            if self._over:
                last(s, message)
            else:
                s._update(message)
            if self._measure:
                self._measure.update(s, self._fresh, s.ended)
            self._fresh = []
            if self._over:
                self._finish()
            elif self._open_choice():
                self._same = True
            else:
                self._tell()
        value = self._value
        if self._measure:
            self._value = self._measure.value()
        elif self._over:
            self._value = self._metrics.get(self._reward, 0.0)
        smaller = self._measure is None or self._measure.smaller
        return array(self.observe()), (value - self._value) if smaller else (self._value - value), self._over, False, self._info()

    def _finish(self):
        while True:
            message = self._engine.receive()
            if "result" in message:
                run = message["result"]["runs"][0]
                self._metrics, self._digest = run["metrics"], message["result"]["digest"]
                self.close()
                if isinstance(self._reward, str) and not self._measure and self._reward not in self._metrics:
                    raise KeyError(f"a run has no measure {self._reward!r}")
                return

    def _info(self):
        there = 0 if self._over else min(self.k, len(self.s.queue))
        info = {"mask": mask([1] * there + [0] * (self.k - there)), "now": self.s.now, "waiting": len(self.s.queue)}
        if self._over:
            info["metrics"], info["digest"] = self._metrics, self._digest
        return info

    def observe(self):
        """What is seen: may be replaced, with observation_space."""
        s, seen, now, free, known = self.s, [], self.s.now, self.s.free, self._known
        for job in s.queue[:self.k]:
            if job.id not in known:
                known[job.id] = job.procs / s.processors, min(1.0, math.log(1 + job.requested) / _WEEK)
            wait = math.log(1 + now - job.submit) / _WEEK
            seen += known[job.id]
            seen += wait if wait < 1.0 else 1.0, 1.0 if job.procs <= free else 0.0
        seen += [0.0] * (self.k * self.features - len(seen))
        seen += (free / s.processors, min(1.0, len(s.queue) / self.k))
        return seen
