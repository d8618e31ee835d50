"""The base of environments of many, and how they begin anew."""

import enum

import numpy as np

from ..utils import np_random as _generator
from . import utils


class AutoresetMode(enum.Enum):
    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class VectorEnv:
    spec = render_mode = _np_random = None
    metadata = {}
    closed = False

    @property
    def unwrapped(self):
        return self

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._np_random = _generator(seed)

    def close(self, **more):
        if not self.closed:
            self.close_extras(**more)
            self.closed = True

    def close_extras(self, **more):
        pass

    def _add_info(self, infos, info, i):
        for key, value in info.items():
            if isinstance(value, dict):
                infos[key] = self._add_info(infos.get(key, {}), value, i)
            else:
                if key not in infos:
                    kind = {bool: np.bool_, int: np.int64, float: np.float64}.get(type(value), object)
                    infos[key] = np.full(self.num_envs, None if kind is object else 0, dtype=kind)
                infos[key][i] = value
            infos.setdefault("_" + key, np.full(self.num_envs, False, dtype=np.bool_))[i] = True
        return infos
