"""Spaces: what is in them, and drawing from them."""

import random

import numpy as np


class Space:
    def __init__(self, shape=None, dtype=None):
        self.shape, self.dtype, self._random = shape, dtype, random.Random()

    def seed(self, seed=None):
        self._random = random.Random(seed)

    def __contains__(self, x):
        return self.contains(x)


class Discrete(Space):
    def __init__(self, n, seed=None):
        super().__init__((), np.int64)
        self.n, self.start = n, 0
        self.seed(seed)

    def sample(self, mask=None):
        assert mask is None or isinstance(mask, np.ndarray) and mask.dtype == np.int8 and mask.shape == (self.n,), mask
        return self._random.choice([i for i in range(self.n) if mask is None or mask[i]])

    def contains(self, x):
        return isinstance(x, int) and 0 <= x < self.n

    def __eq__(self, other):
        return isinstance(other, Discrete) and other.n == self.n


class MultiDiscrete(Space):
    def __init__(self, nvec):
        super().__init__((len(nvec),), np.int64)
        self.nvec = nvec

    def sample(self):
        return np.array([self._random.randrange(n) for n in self.nvec], dtype=np.int64)

    def contains(self, x):
        return isinstance(x, np.ndarray) and x.shape == self.shape and all(0 <= v < n for v, n in zip(x, self.nvec))


class Box(Space):
    def __init__(self, low, high, shape=None, dtype=np.float32):
        super().__init__(tuple(shape), dtype)
        self.low, self.high = _filled(low, shape, dtype), _filled(high, shape, dtype)

    def contains(self, x):
        return isinstance(x, np.ndarray) and x.dtype == self.dtype and x.shape == self.shape and _between(self.low, x, self.high)

    def __eq__(self, other):
        return isinstance(other, Box) and (other.shape, other.dtype) == (self.shape, self.dtype) and np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high)


class Dict(Space):
    def __init__(self, spaces):
        super().__init__()
        self.spaces = dict(spaces)

    def contains(self, x):
        return isinstance(x, dict) and x.keys() == self.spaces.keys() and all(x[key] in space for key, space in self.spaces.items())


def _filled(value, shape, dtype):
    for n in reversed(shape):
        value = [value] * n
    return np.array(value, dtype=dtype)


def _between(low, x, high):
    if isinstance(x, np.ndarray):
        return all(_between(*row) for row in zip(low, x, high))
    return low <= x <= high
