"""Tests of the comparison itself: what is wrong is found, and made small.

Run: BATCHLAB=PROGRAM python3 -m unittest"""

import copy
import os
import tempfile
import types
import unittest

import campaign
import compare
import custom
import documents
import grammar
import reader
import schedulers

ROWS = [[n, submit, 0, run, procs, -1, -1, procs, run, -1, 1, user, 1, 1, 1, -1, -1, -1]
        for n, submit, procs, run, user in ((1, 0, 3, 10, 1), (2, 1, 4, 5, 2), (3, 2, 1, 8, 1), (4, 2, 1, 20, 2))]


class Found(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.engine = compare.Engine(os.environ["BATCHLAB"], self.folder.name)

    def tearDown(self):
        self.engine.close()
        self.folder.cleanup()

    def test_reader(self):
        """Intent: a jobs file that the engine wrote can be; one with a job moved, lengthened,
        put elsewhere or onto another's processor cannot, and the words say who and when."""
        doc = {"batchlab": 1, "workload": {"annotate": {"jobs": [{"job": 1, "licences": ["cad"]}, {"job": 2, "licences": ["cad"]}]}}, "schedulers": [{"key": "easy"}],
               "platform": {"clusters": [{"name": "a", "groups": [{"count": 4, "licences": ["cad"]}]}], "licences": [{"name": "cad", "copies": 1}], "outages": [{"from": 50, "to": 60, "announced": True}]}}
        case = documents.dress(doc, 4, ROWS)
        rows = self.engine.first(case[0], case[1])[0]
        self.assertEqual(reader.faults(doc, 4, rows), [])
        for who, change, words in (
            ("2", {"starting_time": "0"}, "job 2 starts at 0, before its submission"),
            ("2", {"finish_time": "99"}, "and asked for 5 s"),
            ("2", {"reservation_from": "99"}, "before its reservation"),
            ("2", {"eligible": "99"}, "before it was eligible"),
            ("2", {"starting_time": "5", "finish_time": "10"}, "at 5 two jobs hold one processor"),
            ("2", {"starting_time": "5", "finish_time": "10"}, "at 5 2 copies of cad are held, of 1"),
            ("2", {"starting_time": "5", "finish_time": "10"}, "processors of a are held, of 4"),
            ("4", {"starting_time": "45", "finish_time": "65"}, "at 50 1 processors of a are held, of 0"),
            ("3", {"allocated_resources": "0-1"}, "which are not 1 processors"),
        ):
            wrong = [dict(row, **change) if row["job_id"] == who else row for row in copy.deepcopy(rows)]
            self.assertIn(words, "; ".join(reader.faults(doc, 4, wrong)))

    def test_grammar(self):
        """Intent: random documents write every row of docs/experiment.md, and every value that
        a row lists, but for those that are left out with a reason; a row that is new is missing
        here until documents write it."""
        keys, made = compare.KEYS, []
        while len(made) < 8000 and (len(made) < 200 or grammar.missing(made)):
            made += [documents.document(seed, keys)[0] for seed in range(len(made), 200 + 2 * len(made))]
        self.assertEqual(grammar.missing(made), [])
        self.assertIn("generator.daily.weekend", grammar.missing(made[:5]))

    def test_programs(self):
        """Intent: each program of custom.py starts every job when the engine's reading of it
        as Starlark does, on machines and with requests of every kind."""
        ran = set()
        for seed in range(50000, 50080):
            self.assertEqual(compare.compared(self.engine, seed, types.SimpleNamespace(keys=["custom"]), compare.campaign.Counts())[:2], ([], []), f"seed {seed}")
            ran |= {one.get("params", {}).get("code") for one in documents.document(seed, ["custom"])[0]["schedulers"] if one["key"] == "custom"}
        self.assertGreater(len(ran), len(custom.PROGRAMS))

    def test_moves(self):
        """Intent: what each call of an optimiser kept is carried out here, and leads to the
        engine's schedule; a move of a job to where it cannot run or stand, of nobody, left out,
        at another time, or said to be better than it is, is found."""
        doc = {"batchlab": 1, "workload": {"annotate": {"jobs": [{"job": 3, "on": ["a"]}]}}, "schedulers": [{"key": "plan-rs", "params": {"interval": 0, "iterations": 30}}],
               "platform": {"clusters": [{"name": "a", "groups": [{"count": 4}]}, {"name": "b", "groups": [{"count": 1}]}]}}
        rows = [[n, submit, 0, run, procs, -1, -1, procs, run, -1, 1, user, 1, 1, 1, -1, -1, -1]
                for n, submit, procs, run, user in ((1, 0, 3, 10, 1), (2, 1, 4, 50, 2), (3, 2, 2, 8, 1), (4, 2, 3, 20, 2), (5, 3, 4, 2, 3))]
        doc, text, processors, rows = documents.dress(doc, 4, rows)
        table = self.engine.first(doc, text)[0]
        steps = [n for n, row in enumerate(table.moves) if row["step"] != "0"]
        self.assertGreater(len(steps), 1)
        self.assertEqual(compare.attempt(doc, processors, rows, 0, 0, table.moves), compare.told(table))
        for change, words in (
            ({"job_id": "3", "cluster": "b", "place": "1"}, "may not run"), ({"place": "9"}, "place"), ({"job_id": "1"}, "KeyError"),
            ({"wait": "1"}, "is told"), (None, "is told"), ({"step": "0", "time": "1"}, "told"),
        ):
            wrong = [dict(row) for row in table.moves]
            if change is None:
                del wrong[steps[-1]]
            else:
                wrong[steps[-1]].update(change)
            self.assertIn(words, compare.attempt(doc, processors, rows, 0, 0, wrong), f"{change}")

    def test_broken_off(self):
        """Intent: a run of the engine that breaks off is no refusal, and told as what cannot be."""
        class Broken:
            run = lambda self, *words: "d.json: sim: EASY starts job 1 at 3, which cannot start"
        counts = campaign.Counts()
        asked = type("Asked", (), {"keys": ["easy"]})
        self.assertEqual(len(compare.compared(Broken(), 3, asked, counts)[1]), 1)
        Broken.run = lambda self, *words: "d.json: platform: job 1 could never start"
        self.assertEqual(len(compare.compared(Broken(), 3, asked, counts)[1]), 0)

    def test_difference(self):
        """Intent: a scheduler that is not what its key says is found, on the fewest jobs."""
        kept = schedulers.KINDS["easy"]
        schedulers.KINDS["easy"] = schedulers.KINDS["fcfs"]
        try:
            case = documents.dress({"batchlab": 1, "workload": {}, "schedulers": [{"key": "easy"}]}, 4, ROWS)
            self.assertIsNotNone(compare.differs(self.engine, case, 0))
            small = compare.shrunk(self.engine, case, 0)
            self.assertEqual(len(small[3]), 3)
            self.assertIsNotNone(compare.differs(self.engine, small, 0))
        finally:
            schedulers.KINDS["easy"] = kept


if __name__ == "__main__":
    unittest.main()
