"""A stand-in for Gymnasium 1: what its documentation says of Env, the spaces, VectorEnv
and register, as far as this package uses it."""

import copy

from . import spaces, vector
from .spaces import Space
from .utils import np_random as _generator

__version__ = "1.1.0"
registry = {}


class Env:
    metadata = {"render_modes": []}
    render_mode = spec = _np_random = None

    @property
    def unwrapped(self):
        return self

    @property
    def np_random(self):
        if self._np_random is None:
            self._np_random = _generator()
        return self._np_random

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._np_random = _generator(seed)

    def step(self, action):
        raise NotImplementedError

    def render(self):
        raise NotImplementedError

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class EnvSpec:
    nondeterministic = False

    def __init__(self, id, entry_point):
        self.id, self.entry_point, self.kwargs = id, entry_point, {}

    def make(self, **more):
        module, name = self.entry_point.split(":")
        kwargs = {**copy.deepcopy(self.kwargs), **more}
        env = getattr(__import__(module, fromlist=[name]), name)(**kwargs)
        env.spec = copy.copy(self)
        env.spec.kwargs = kwargs
        return env


def register(id, entry_point):
    registry[id] = EnvSpec(id, entry_point)


def make(id, **kwargs):
    return registry[id].make(**kwargs)
