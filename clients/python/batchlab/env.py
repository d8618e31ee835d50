"""An environment to learn scheduling in, in the shape that Gymnasium expects."""

import copy
import json
import math
import operator
import random

from .channel import PROTOCOL, Refused
from .measure import MEASURES
from .run import Engine
from .scheduler import State, last


class Discrete:
    """The numbers 0 … n−1."""

    def __init__(self, n, seed=None):
        self.n, self.shape, self._random = n, (), random.Random(seed)

    def sample(self):
        return self._random.randrange(self.n)

    def contains(self, x):
        return isinstance(x, int) and 0 <= x < self.n


class Box:
    """Lists of numbers from low to high."""

    def __init__(self, low, high, shape):
        self.low, self.high, self.shape = low, high, shape

    def contains(self, x):
        return len(x) == self.shape[0] and all(self.low <= v <= self.high for v in x)


class Env:
    """One run of a document, as episodes.

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

    reset gives (observation, info), step gives (observation, reward, terminated,
    truncated, info). An observation is a list of numbers from 0 to 1: for each of
    the k jobs its share of the processors, its requested time and its wait (both
    as logarithms, a week being 1) and whether it fits, then the share of free
    processors and how full the list of k is. At the end info has the measures of
    the run as "metrics", and its "digest".
    """

    metadata = {"render_modes": []}
    render_mode = None
    features = 4

    def __init__(self, document, k=8, reward="mean-bounded-slowdown", backfill="none", logs=(), batchlab=None):
        if backfill not in ("none", "easy"):
            raise ValueError("backfill is none or easy")
        if not isinstance(document, dict):
            with open(document, encoding="utf-8") as file:
                document = json.load(file)
        self._document = copy.deepcopy(document)
        self._document["schedulers"] = [{"key": "exec", "label": "Agent"}]
        self._document.pop("expect", None)
        self._logs, self._batchlab, self._engine = logs, batchlab, None
        self.k, self._reward, self._backfill = k, reward, backfill
        self.action_space = Discrete(k)
        self.observation_space = Box(0.0, 1.0, (k * self.features + 2,))

    def reset(self, *, seed=None, options=None):
        """Begins an episode. A seed is the document's, of which generated jobs are drawn."""
        self._open(seed)
        return self._next()[0], self._info()

    def step(self, action):
        self._act(action)
        return self._next()

    def close(self):
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _open(self, seed):
        self.close()
        if seed is not None:
            self._document["seed"] = int(seed)
        self._engine = Engine(self._document, self._logs, batchlab=self._batchlab)
        hello = self._engine.receive()["hello"]
        self.s = State(self._engine.channel, hello)
        self._engine.channel.send(f'{{"protocol":{PROTOCOL},"quiet":true}}')
        known = MEASURES.get(self._reward) if isinstance(self._reward, str) else None
        self._measure = known() if known else None if isinstance(self._reward, str) else self._reward
        self._value, self._fresh, self._same, self._over = 0.0, [], False, False
        self._metrics = None

    def _act(self, action):
        """Carries out an action, without waiting for what comes of it."""
        if self._over:
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
        return any(job.procs <= free for job in self.s.queue)

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
        return self.observe(), (value - self._value) if smaller else (self._value - value), self._over, False, self._info()

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
        info = {"mask": [1] * there + [0] * (self.k - there), "now": self.s.now, "waiting": len(self.s.queue)}
        if self._over:
            info["metrics"], info["digest"] = self._metrics, self._digest
        return info

    def observe(self):
        """What is seen: may be replaced, with observation_space."""
        s, seen = self.s, []
        week = math.log(604801)
        for job in s.queue[:self.k]:
            seen += (job.procs / s.processors, min(1.0, math.log(1 + job.requested) / week), min(1.0, math.log(1 + s.now - job.submit) / week), 1.0 if job.procs <= s.free else 0.0)
        seen += [0.0] * (self.k * self.features - len(seen))
        seen += (s.free / s.processors, min(1.0, len(s.queue) / self.k))
        return seen


class VectorEnv:
    """Many environments at once: each has an engine of its own, and all of them work
    while this process thinks.

    make       a list of functions that make an Env
    autoreset  an episode that is over is followed at once by the next one of that
               environment; its last observation and info stand in the info as
               final_obs and final_info. Otherwise it stays as it is, earns nothing
               more, and its actions are not looked at.
    """

    def __init__(self, make, autoreset=True):
        self.envs = [one() for one in make]
        self.num_envs, self.autoreset = len(self.envs), autoreset
        self.single_action_space, self.single_observation_space = self.envs[0].action_space, self.envs[0].observation_space
        self._seeds, self._last = [None] * self.num_envs, [None] * self.num_envs

    def reset(self, *, seed=None, options=None):
        """Begins an episode in each. With a list of seeds each has its own; with one
        seed environment i has seed + i. The next episodes go on in steps of their
        number."""
        if seed is None or isinstance(seed, int):
            seed = [None if seed is None else seed + i for i in range(self.num_envs)]
        self._seeds, self._last = list(seed), [None] * self.num_envs
        for env, one in zip(self.envs, self._seeds):
            env._open(one)
        got = [env._next() for env in self.envs]
        return [g[0] for g in got], [g[4] for g in got]

    def step(self, actions):
        for env, action, last in zip(self.envs, actions, self._last):
            if last is None:
                env._act(action)
        got = []
        for i, env in enumerate(self.envs):
            if self._last[i] is not None:
                got.append(self._last[i])
                continue
            seen, reward, done, _, info = env._next()
            if done and self.autoreset:
                if self._seeds[i] is not None:
                    self._seeds[i] += self.num_envs
                first, begun = env.reset(seed=self._seeds[i])
                info, seen = dict(begun, final_obs=seen, final_info=info), first
            elif done:
                self._last[i] = (seen, 0.0, True, False, info)
            got.append((seen, reward, done, False, info))
        return tuple(list(column) for column in zip(*got))

    def close(self):
        for env in self.envs:
            env.close()
