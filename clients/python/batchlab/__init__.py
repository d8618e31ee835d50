"""Batchlab from Python, with the standard library alone.

Scheduler   base class of a scheduler of one's own
run         an experiment document to tables
Env         an environment to learn in, a gymnasium.Env where gymnasium is installed
VectorEnv   many of them at once, in one process of the engine
"""

from .channel import Refused
from .env import Env
from .measure import MEASURES, Measure
from .run import Engine, Result, run
from .scheduler import Job, Scheduler, State
from .shapes import Box, Discrete, gymnasium
from .vector import VectorEnv

__all__ = ["Box", "Discrete", "Engine", "Env", "Job", "MEASURES", "Measure", "Refused", "Result", "Scheduler", "State", "VectorEnv", "run"]

if gymnasium:
    gymnasium.register("batchlab/Schedule-v1", "batchlab.env:Env")  # gymnasium.make("batchlab/Schedule-v1", document=…)
