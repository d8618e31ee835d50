"""Random numbers of a seed, in numpy's shape."""

import random


class _Bits:
    def __init__(self, seed):
        self.random = random.Random(seed)

    @property
    def state(self):
        return {"state": self.random.getstate()}


class Generator:
    def __init__(self, seed):
        self.bit_generator = _Bits(seed)

    def random(self):
        return self.bit_generator.random.random()


def np_random(seed=None):
    if seed is not None and not (isinstance(seed, int) and seed >= 0):
        raise ValueError(f"Expected a non-negative integer, not {seed!r}")
    return Generator(seed)
