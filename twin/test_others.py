"""Tests of others.py: what its table says is what it counts.

Run: python3 -m unittest"""

import os
import unittest

import others
from jobs import Job


def log(*rows):
    """Jobs of (submitted, requested, runs, processors)."""
    jobs = [Job(n, submit, procs, requested, run) for n, (submit, requested, run, procs) in enumerate(rows, 1)]
    for job in jobs:
        job.place = (job.submit, job.number, job.number)
    return jobs


class Others(unittest.TestCase):
    def test_same_rules(self):
        """Intent: the loop itself adds no difference: with our rules written out by counts,
        all starts are those of this folder's simulator."""
        for name, processors, jobs, starts in list(others.cases()) + list(others.drawn(200)):
            for key, decide in (("fcfs", others.fcfs), ("easy", others.easy)):
                if key in starts:
                    self.assertEqual(others.parts(others.drive(jobs, processors, decide), starts[key]), "", f"{name} {key}")

    def test_rules(self):
        """Intent: each rule that the table names is one that parts, on a log by hand."""
        starts = lambda simulator, key, jobs, n: [start for _, start in sorted(others.SOURCES[simulator][2][key][0](jobs, n).items())]
        ours = lambda jobs, n: [start for _, start in sorted(others.drive(jobs, n, others.easy).items())]
        exact = log((0, 10, 10, 3), (1, 5, 5, 4), (2, 8, 8, 1))  # job 3 ends at the shadow time
        self.assertEqual(ours(exact, 4), [0, 10, 2])
        for simulator in ("Alea", "RLScheduler"):
            self.assertEqual(starts(simulator, "easy", exact, 4), [0, 10, 15], simulator)
        extra = log((0, 10, 10, 3), (1, 5, 5, 3), (2, 30, 30, 1))  # job 3 fits beside job 2
        self.assertEqual(ours(extra, 4), [0, 10, 2])
        self.assertEqual(starts("RLScheduler", "easy", extra, 4), [0, 10, 10])
        true = log((0, 10, 10, 3), (1, 5, 5, 4), (2, 30, 4, 1))  # job 3 runs for less than it asks
        self.assertEqual(ours(true, 4), [0, 10, 15])
        self.assertEqual(starts("CQSim", "easy", true, 4), [0, 10, 2])
        early = log((0, 10, 5, 3), (1, 5, 5, 4), (2, 7, 7, 1))  # job 1 ends at 5, and nobody knows
        self.assertEqual(ours(early, 4), [0, 9, 2])
        self.assertEqual(starts("SchedGym", "easy", early, 4), [0, 5, 10])
        self.assertEqual(starts("SchedGym", "conservative", early, 4), [0, 5, 10])

    def test_table(self):
        """Intent: the list of reference/README.md is what is counted, and says when which
        sources were read; at which commits, others.py says."""
        with open(os.path.join(others.CASES, "..", "README.md")) as file:
            text = file.read()
        self.assertIn("\n".join(others.table(others.count(others.cases()), others.count(others.drawn(others.DRAWN)))), text)
        self.assertIn(f"read on {others.READ}", text)
        for repository, files, _ in others.SOURCES.values():
            self.assertIn(repository, text)
            for path, commit in files.items():
                self.assertRegex(commit, "^[0-9a-f]{8}$", path)


if __name__ == "__main__":
    unittest.main()
