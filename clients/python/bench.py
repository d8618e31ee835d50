"""How much faster many environments at once are than one by one: steps a second of both,
by turns, and their ratio, by the clock and in processor time of both processes. Run: python3 bench.py [--envs 8] [--turns 5]"""

import argparse
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from batchlab import Env, VectorEnv

DOCUMENT = {
    "batchlab": 1,
    "workload": {"source": {"generator": {"key": "daily", "params": {"jobs": 400, "processors": 64, "load": 1.1}}}},
    "schedulers": [{"key": "fcfs"}],
}


def alone(n):
    """Steps a second of n episodes, one after the other."""
    began, steps, env = time.perf_counter(), 0, Env(DOCUMENT)
    for seed in range(1, n + 1):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, _ = env.step(0)
            steps += 1
    return steps / (time.perf_counter() - began)


def together(n):
    """Steps a second of the same episodes, all at once."""
    began, steps, over = time.perf_counter(), 0, [False] * n
    envs = VectorEnv([lambda: Env(DOCUMENT)] * n, autoreset="Disabled")
    envs.reset(seed=1)
    while not all(over):
        steps += n - sum(over)
        _, _, over, _, _ = envs.step([0] * n)
    envs.close()
    return steps / (time.perf_counter() - began)


def spent():
    """Processor time of this process and of those that it has ended, seconds."""
    return sum(os.times()[:4])


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--envs", type=int, default=8)
    words.add_argument("--turns", type=int, default=5)
    asked = words.parse_args()
    turns = []
    for _ in range(asked.turns):
        began = spent()
        one = alone(asked.envs)
        between = spent()
        turns.append((one, together(asked.envs), (between - began) / (spent() - between)))
    one, many, cheaper = (statistics.median(column) for column in zip(*turns))
    print(f"one by one {one:,.0f} steps/s, {asked.envs} at once {many:,.0f} steps/s: {statistics.median(b / a for a, b, _ in turns):.2f} times as fast, {cheaper:.2f} times in processor time")


if __name__ == "__main__":
    main()
