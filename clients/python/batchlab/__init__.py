"""Batchlab from Python, with the standard library alone.

Scheduler   base class of a scheduler of one's own
run         an experiment document to tables
Env         an environment to learn in: reset, step, as Gymnasium has them
VectorEnv   many of them at once
"""

from .channel import Refused
from .env import Box, Discrete, Env, VectorEnv
from .measure import MEASURES, Measure
from .run import Engine, Result, run
from .scheduler import Job, Scheduler, State

__all__ = ["Box", "Discrete", "Engine", "Env", "Job", "MEASURES", "Measure", "Refused", "Result", "Scheduler", "State", "VectorEnv", "run"]
