"""Tests of the package. They need the batchlab program: see batchlab.run.program.

Run: python3 -m unittest discover -s tests  (in clients/python)
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, FOLDER)
sys.path.insert(0, os.path.join(FOLDER, "examples"))

sys.modules["gymnasium"] = None  # plain objects, also where it is installed: test_gymnasium.py has the others
import batchlab
from batchlab.run import program
from easy import EASY
from fcfs import FCFS


def document(seed=1, jobs=60, **more):
    return {
        "batchlab": 1,
        "seed": seed,
        "workload": {"source": {"generator": {"key": "daily", "params": {"jobs": jobs, "processors": 32, "load": 1.1}}}},
        "schedulers": [{"key": "fcfs"}, {"key": "easy"}, {"key": "exec", "label": "mine"}],
        **more,
    }


class Saf(batchlab.Scheduler):
    def order(self, job, s):
        return job.procs * job.requested


class Loop(batchlab.Scheduler):
    """EASY as docs/your-own-scheduler.md has it: jobs start while the loop goes on."""

    def decide(self, s):
        head = None
        for job in s.queue:
            if not s.start(job) and head is None:
                head = job
                s.reserve(head)


class Schedulers(unittest.TestCase):
    """Intent: what is decided in Python is what the built-in schedulers decide."""

    def test_as_built_in(self):
        for mine, same in ((FCFS(), "FCFS"), (EASY(), "EASY"), (Loop(), "EASY")):
            got = batchlab.run(document(), scheduler=mine, jobs=True)
            columns = lambda rows: [(row["job_id"], row["starting_time"], row["finish_time"]) for row in rows]
            self.assertEqual(columns(got.jobs["mine", 0]), columns(got.jobs[same, 0]))
            self.assertEqual(got.measure("mean-wait")["mine"], got.measure("mean-wait")[same])

    def test_orders(self):
        """Intent: an order alone is EASY with that order for the queue and for backfilling."""
        doc = document()
        doc["schedulers"][1] = {"key": "easy", "label": "SAF", "params": {"order": "saf", "backfill": "saf"}}
        got = batchlab.run(doc, scheduler=Saf()).measure("mean-wait")
        self.assertEqual(got["mine"], got["SAF"])

    def test_lists(self):
        """Intent: a list that decide returns is started, and a job that does not fit is refused."""

        class First(batchlab.Scheduler):
            def decide(self, s):
                return s.queue[:1] if s.queue and s.queue[0].procs <= s.free else []

        class Greedy(batchlab.Scheduler):
            def decide(self, s):
                return list(s.queue)

        self.assertGreater(batchlab.run(document(), scheduler=First()).measure("mean-wait")["mine"], 0)
        with self.assertRaisesRegex(batchlab.Refused, "cannot start now: it asks for"):
            batchlab.run(document(), scheduler=Greedy())

    def test_twice(self):
        """Intent: a job that is started twice is an error that names it and says since when
        it runs, however it is started, and also on a platform where the engine is asked."""

        class Twice(batchlab.Scheduler):
            def __init__(self, how):
                self.how = how

            def decide(self, s):
                for job in s.queue:
                    if s.start(job):
                        self.how(s, job)

        for how in (lambda s, job: s.start(job), lambda s, job: s.start_all([job]), lambda s, job: s.place(job)):
            for more in ({}, {"platform": {"processors": 32, "limits": {"user_processors": 32}}}):
                with self.assertRaisesRegex(ValueError, r"job 1 cannot start at 0: it runs since 0"):
                    batchlab.run(document(**more), scheduler=Twice(how))
        self.assertRaises(ValueError, batchlab.run, document(jobs=1), scheduler=Twice(lambda s, job: s.start(job)))
        batchlab.run(document(), scheduler=Twice(lambda s, job: self.assertFalse(s.fits(job))))

    def test_notes(self):
        """Intent: what is noted about jobs, whatever it is, goes along and changes no decision."""

        class Talking(FCFS):
            def decide(self, s):
                for job in s.queue:
                    s.note(job, f'"{len(s.queue)}"\nwait – é')
                    s.note(job, None)
                return super().decide(s)

        got = batchlab.run(document(), scheduler=Talking()).measure("mean-wait")
        self.assertEqual(got["mine"], got["FCFS"])

    def test_what_is_seen(self):
        """Intent: queue, running jobs and free processors agree at every instant, and
        no run time is known before its job has ended."""
        seen = []

        class Watching(EASY):
            idle = True

            def decide(watching, s):
                self.assertEqual(s.free, s.processors - sum(job.procs for job in s.running))
                self.assertEqual(s.queue, sorted(s.queue, key=lambda job: (job.submit, job.id)))
                self.assertTrue(all(job.ended is None and job.ends == job.started + job.requested for job in s.running))
                self.assertTrue(all(job.ended == s.now and job.wait == job.started - job.submit for job in s.ended))
                if s.queue:
                    self.assertEqual(s.fits(s.queue[0]), s.queue[0].procs <= s.free)
                    self.assertEqual(s.earliest(s.queue[0]) == s.now, s.fits(s.queue[0]))
                seen.append(s.now)
                super().decide(s)

        got = batchlab.run(document(), scheduler=Watching()).measure("mean-wait")
        self.assertEqual(got["mine"], got["EASY"])
        self.assertEqual(seen, sorted(set(seen)))

    def test_wake_and_place(self):
        """Intent: a time that was asked for is an instant; place starts or reserves."""
        told = []

        class Waking(batchlab.Scheduler):
            def decide(waking, s):
                told.append(s.now)
                if len(told) == 1:
                    s.wake(s.now + 7)
                    return
                for job in list(s.queue):
                    start = s.place(job)
                    self.assertEqual(start == s.now, job.started == s.now)

        batchlab.run(document(jobs=20), scheduler=Waking())
        self.assertIn(told[0] + 7, told)

    def test_faults(self):
        """Intent: what goes wrong in a scheduler is raised as itself, what the engine
        refuses as Refused with the reason."""

        class Broken(batchlab.Scheduler):
            def decide(self, s):
                return 1 / 0

        with self.assertRaises(ZeroDivisionError):
            batchlab.run(document(), scheduler=Broken())
        with self.assertRaises(NotImplementedError):
            batchlab.run(document(), scheduler=batchlab.Scheduler())
        with self.assertRaisesRegex(batchlab.Refused, "unknown key"):
            batchlab.run(document(colour="red"), scheduler=FCFS())
        with self.assertRaisesRegex(batchlab.Refused, "no scheduler for 'mine'"):
            batchlab.run(document())
        doc = document()
        doc["schedulers"][2]["params"] = {"command": "touch should-not-be-there"}
        with self.assertRaisesRegex(batchlab.Refused, "--allow-exec"):
            batchlab.run(doc, scheduler=FCFS())

    def test_printing(self):
        """Intent: what a program prints goes to standard error, and not between the lines."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "loud.py")
            with open(path, "w") as file:
                file.write("import sys; sys.path[:0] = %r\nfrom fcfs import FCFS\nclass Loud(FCFS):\n    def reset(self, s):\n        print('hello', s.label)\nLoud().main()\n" % [FOLDER, os.path.join(FOLDER, "examples")])
            with open(os.path.join(folder, "d.json"), "w") as file:
                json.dump(document(), file)
            done = subprocess.run([program(), "run", os.path.join(folder, "d.json"), "--command", f"'{sys.executable}' '{path}'"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("hello mine", done.stderr)


class Environments(unittest.TestCase):
    """Intent: an episode is a run, rewards add up to its measure, seeds make it again."""

    def episode(self, env, seed, choose):
        seen, info = env.reset(seed=seed)
        total, steps = 0.0, [seen]
        while True:
            self.assertTrue(env.observation_space.contains(seen), seen)
            seen, reward, over, cut, info = env.step(choose(info))
            total += reward
            steps.append(seen)
            self.assertFalse(cut)
            if over:
                return total, steps, info

    def test_first_is_fcfs(self):
        for backfill, same in (("none", "FCFS"), ("easy", "EASY")):
            for key in ("mean-wait", "mean-bounded-slowdown", "max-wait", "mean-turnaround", "utilization", "median-wait"):
                env = batchlab.Env(document(), reward=key, backfill=backfill)
                total, _, info = self.episode(env, 5, lambda info: 0)
                want = batchlab.run(document(5), scheduler=FCFS()).measure(key)[same]
                self.assertAlmostEqual(info["metrics"][key], want, places=9)
                self.assertAlmostEqual(total, want if key == "utilization" else -want, places=6, msg=key)

    def test_seeds(self):
        rng = random.Random(3)
        runs = []
        for seed in (4, 4, 6):
            rng = random.Random(3)
            runs.append(self.episode(batchlab.Env(document()), seed, lambda info: rng.randrange(sum(info["mask"]))))
        self.assertEqual(runs[0][:2], runs[1][:2])
        self.assertEqual(runs[0][2]["digest"], runs[1][2]["digest"])
        self.assertNotEqual(runs[0][2]["digest"], runs[2][2]["digest"])

    def test_many(self):
        """Intent: many at once do what each does alone, and go on with the next seed."""
        alone = [self.episode(batchlab.Env(document()), seed, lambda info: 0) for seed in (1, 2, 3, 4)]
        envs = batchlab.VectorEnv([lambda: batchlab.Env(document())] * 2)
        envs.reset(seed=1)
        sums, done = [0.0, 0.0], {}
        while len(done) < 4:
            _, rewards, over, _, infos = envs.step([0, 0])
            for i in range(2):
                sums[i] += rewards[i]
                if over[i]:
                    done[i + 1 if i + 1 not in done else i + 3] = (sums[i], infos["final_info"]["digest"][i])
                    sums[i] = 0.0
        envs.close()
        self.assertEqual([done[seed] for seed in (1, 2, 3, 4)], [(total, info["digest"]) for total, _, info in alone])

    def test_one_process(self):
        """Intent: many environments share one process of the engine, over their resets too,
        and what they say goes there in one line for all of them."""
        envs = batchlab.VectorEnv([lambda: batchlab.Env(document())] * 6)
        children = lambda: {int(pid) for pid in os.listdir("/proc") if pid.isdigit() and self.parent(pid) == os.getpid()} if os.path.isdir("/proc/self") else {envs.engines.pid}
        lines, send = [], envs.engines._write
        envs.engines._write = lambda data: (lines.append(data), send(data))
        envs.reset(seed=1)
        for _ in range(300):
            envs.step([0] * 6)
        self.assertEqual(children(), {envs.engines.pid})
        self.assertEqual({line.count(b"\n") for line in lines}, {1})
        self.assertLess(len(lines), 600)  # a line for each step, and a few where an episode ends
        envs.close()
        self.assertEqual(children() - {envs.engines.pid}, set())

    @staticmethod
    def parent(pid):
        try:
            with open(f"/proc/{pid}/stat") as file:
                return int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            return None

    def test_given_up(self):
        """Intent: an episode may be left in its midst, alone and among many: the next one
        is what it would have been, and a document that is refused says why."""
        seen, _ = batchlab.Env(document()).reset(seed=9)
        env = batchlab.Env(document())
        env.reset(seed=4)
        env.step(0)
        self.assertEqual(env.reset(seed=9)[0], seen)
        self.assertNotEqual(env.reset()[0], None)
        envs = batchlab.VectorEnv([lambda: batchlab.Env(document())] * 2, autoreset="Disabled")
        envs.reset(seed=[4, 5])
        envs.step([0, 0])
        again, infos = envs.reset(seed=[9, 5], options={"reset_mask": [True, True]})
        self.assertEqual((again[0], infos["_mask"]), (seen, [True, True]))
        envs.close()
        wrong = batchlab.VectorEnv([lambda: batchlab.Env(document(colour="red"))] * 2)
        with self.assertRaisesRegex(batchlab.Refused, "unknown key"):
            wrong.reset()
        wrong.close()

    def test_misuse(self):
        env = batchlab.Env(document(), reward="no-such-measure")
        with self.assertRaisesRegex(KeyError, "no-such-measure"):
            self.episode(env, 1, lambda info: 0)
        env = batchlab.Env(document())
        self.episode(env, 1, lambda info: 0)
        with self.assertRaisesRegex(batchlab.Refused, "reset"):
            env.step(0)
        env.reset(seed=1)
        for action in (-1, 8, 1.5, "0", None):
            with self.assertRaises((ValueError, TypeError)):
                env.step(action)
        env.close()
        with self.assertRaises(ValueError):
            batchlab.Env(document(), backfill="all")


class Examples(unittest.TestCase):
    def test_learning_curve(self):
        """Intent: the figure is what the example makes with its seed: its first points
        are made again, in which the agent learns to beat FCFS."""
        with open(os.path.join(FOLDER, "examples", "learning-curve.svg")) as file:
            kept = json.loads(re.search("<metadata>(.*)</metadata>", file.read()).group(1))
        with tempfile.TemporaryDirectory() as folder:
            made = os.path.join(folder, "curve.svg")
            rounds = kept["curve"][1][0]
            subprocess.run([sys.executable, os.path.join(FOLDER, "examples", "policy_gradient.py"), "--rounds", str(rounds), "--figure", made],
                           check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, PYTHONPATH=FOLDER))
            with open(made) as file:
                again = json.loads(re.search("<metadata>(.*)</metadata>", file.read()).group(1))
        self.assertEqual(again["curve"], kept["curve"][:2])
        self.assertLess(kept["curve"][-1][1], kept["curve"][0][1] / 2)

    def test_bandit(self):
        """Intent: the bandit tries every order, and its run is the same each time."""
        from bandit import Bandit

        class Kept(Bandit):
            def finished(self, s):
                self.days = {name: days for name, (days, _) in self.arms.items()}

        doc, bandit = document(jobs=600), Kept()
        first = batchlab.run(doc, scheduler=bandit)
        self.assertTrue(all(bandit.days.values()), bandit.days)
        self.assertEqual(first.digest, batchlab.run(doc, scheduler=Kept()).digest)


if __name__ == "__main__":
    unittest.main()
