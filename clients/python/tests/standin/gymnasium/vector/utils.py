"""Spaces of many values."""

from ..spaces import Box, Discrete, MultiDiscrete


def batch_space(space, n):
    if isinstance(space, Discrete):
        return MultiDiscrete([space.n] * n)
    assert isinstance(space, Box), space
    return Box(space.low[0], space.high[0], (n,) + space.shape, space.dtype)
