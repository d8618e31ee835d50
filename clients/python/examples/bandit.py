"""A bandit over orders: EASY whose queue order is chosen anew each day, by what
came of the days before (UCB1 of Auer, Cesa-Bianchi and Fischer, Machine Learning
47, 2002).

Run: batchlab simulate --log LOG.swf.gz --algorithm exec --command "python3 bandit.py"
"""

import math
import sys

from batchlab import Scheduler

ORDERS = {
    "fcfs": lambda job: job.submit,
    "spf": lambda job: job.requested,
    "sqf": lambda job: job.procs,
    "saf": lambda job: job.procs * job.requested,
    "expansion": lambda job: -(job.wait + job.requested) / job.requested,
}
DAY = 86400


class Bandit(Scheduler):
    def reset(self, s):
        self.arms = {name: [0, 0.0] for name in ORDERS}  # days, and the sum of what they earned
        self.day, self.arm = None, "fcfs"
        self.jobs, self.log_slowdown = 0, 0.0

    def decide(self, s):
        for job in s.ended:
            self.jobs += 1
            self.log_slowdown += math.log(max(1.0, (job.ended - job.submit) / max(10, job.ended - job.started)))
        if s.now // DAY != self.day:
            if self.jobs:
                arm = self.arms[self.arm]
                arm[0] += 1
                arm[1] += 1 / (1 + self.log_slowdown / self.jobs)  # from 0 to 1, 1 being no wait at all
            self.day, self.arm = s.now // DAY, self.choose()
            self.jobs, self.log_slowdown = 0, 0.0
        super().decide(s)

    def choose(self):
        days = sum(n for n, _ in self.arms.values())
        return max(self.arms, key=lambda name: self.bound(self.arms[name], days))

    @staticmethod
    def bound(arm, days):
        n, earned = arm
        return earned / n + 0.3 * math.sqrt(2 * math.log(days) / n) if n else math.inf

    def order(self, job, s):
        return ORDERS[self.arm](job)

    def finished(self, s):
        for name, (days, earned) in self.arms.items():
            print(f"{name:10} {days:4} days, earned {earned / days if days else 0:.3f} a day", file=sys.stderr)


if __name__ == "__main__":
    Bandit().main()
