"""The shapes of Gymnasium 1: its own classes and numpy's arrays where gymnasium is
installed, else plain objects with the same names and methods, lists for arrays."""

import random

try:
    import gymnasium
    import numpy
except ImportError:
    gymnasium = numpy = None

if gymnasium:
    import gymnasium.vector

    Discrete, BaseEnv, BaseVectorEnv = gymnasium.spaces.Discrete, gymnasium.Env, gymnasium.vector.VectorEnv

    def Box(low, high, shape):
        """Arrays of floating-point numbers from low to high."""
        return gymnasium.spaces.Box(low, high, shape, numpy.float64)

    def array(values, kind=float):
        """Numbers, or lists of them, as an array of float, int, bool or object."""
        return numpy.array(values, dtype={float: numpy.float64, int: numpy.int64, bool: numpy.bool_, object: object}[kind])

    def mask(values):
        """Which values a space may be sampled from."""
        return numpy.array(values, dtype=numpy.int8)

    def objects(values):
        """Anything, one for each environment."""
        made = numpy.full(len(values), None, dtype=object)
        for i, value in enumerate(values):
            made[i] = value
        return made

    def batch(space, n):
        """The space of n values of a space."""
        return gymnasium.vector.utils.batch_space(space, n)

    def mode(name):
        """An autoreset mode as Gymnasium names it, from version 1.1 on."""
        modes = getattr(gymnasium.vector, "AutoresetMode", None)
        return modes(name) if modes else name

else:

    class _Space:
        _random = None

        def seed(self, seed=None):
            self._random = random.Random(seed)

        def sample(self, mask=None):
            if self._random is None:
                self.seed()
            return self._draw(mask)

        def __contains__(self, x):
            return self.contains(x)

    class Discrete(_Space):
        """The numbers 0 … n−1."""

        def __init__(self, n, seed=None):
            self.n, self.shape = n, ()
            if seed is not None:
                self.seed(seed)

        def _draw(self, mask):
            return self._random.choice([i for i in range(self.n) if mask is None or mask[i]])

        def contains(self, x):
            return isinstance(x, int) and 0 <= x < self.n

    class Box(_Space):
        """Lists of floating-point numbers from low to high."""

        def __init__(self, low, high, shape):
            self.low, self.high, self.shape = low, high, shape

        def _draw(self, mask):
            return [self._random.uniform(self.low, self.high) for _ in range(self.shape[0])]

        def contains(self, x):
            return len(x) == self.shape[0] and all(self.low <= v <= self.high for v in x)

    class _Batch(_Space):
        def __init__(self, space, n):
            self.single, self.shape = space, (n,) + space.shape

        def _draw(self, mask):
            self.single.seed(self._random.random())
            return [self.single.sample() for _ in range(self.shape[0])]

        def contains(self, x):
            return len(x) == self.shape[0] and all(one in self.single for one in x)

    batch = _Batch

    def array(values, kind=float):
        """Numbers, or lists of them."""
        return list(values)

    mask = objects = array

    def mode(name):
        """An autoreset mode by its name."""
        return name

    class _Base:
        metadata = {"render_modes": []}
        render_mode = spec = _np_random = None

        @property
        def np_random(self):
            """A generator of random numbers, of reset's seed."""
            if self._np_random is None:
                self._np_random = random.Random()
            return self._np_random

        @property
        def unwrapped(self):
            return self

        def reset(self, *, seed=None, options=None):
            if seed is not None:
                self._np_random = random.Random(seed)

        def render(self):
            raise NotImplementedError

        def close(self):
            pass

    class BaseEnv(_Base):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.close()

    class BaseVectorEnv(_Base):
        closed = False

        def close(self, **more):
            if not self.closed:
                self.close_extras(**more)
                self.closed = True

        def __del__(self):
            if hasattr(self, "engines"):
                self.close()

        def _add_info(self, infos, info, i):
            """Puts the info of one environment into that of all: a list for each key,
            and one of whether an environment has it under the key with _ in front."""
            for key, value in info.items():
                if isinstance(value, dict):
                    infos[key] = self._add_info(infos.get(key, {}), value, i)
                else:
                    infos.setdefault(key, [None] * self.num_envs)[i] = value
                infos.setdefault("_" + key, [False] * self.num_envs)[i] = True
            return infos
