"""What Gymnasium 1 asks of an environment and of many at once, written down after its
documentation (Env, check_env, VectorEnv, autoreset modes). Run by test_gymnasium.py:

    python3 contract.py gymnasium    with gymnasium, or its stand-in
    python3 contract.py plain        without: the same methods with plain objects
"""

import copy
import inspect
import os
import sys
import unittest
import warnings

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLAIN = sys.argv[1:] == ["plain"]
sys.path.insert(0, FOLDER)
if PLAIN:
    sys.modules["gymnasium"] = None
else:
    sys.path.append(os.path.join(FOLDER, "tests", "standin"))
    import gymnasium
    import numpy as np

import batchlab

DOCUMENT = {
    "batchlab": 1,
    "workload": {"source": {"generator": {"key": "daily", "params": {"jobs": 40, "processors": 32, "load": 1.1}}}},
    "schedulers": [{"key": "fcfs"}],
}
ACTIONS = {int} if PLAIN else {int, np.int64}


def plain(value):
    """Arrays as lists."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return plain(value.tolist()) if hasattr(value, "tolist") else value


class Contract(unittest.TestCase):
    """Intent: whoever learns with Gymnasium finds what its documentation promises, and
    without it the same methods give the same numbers in plain lists."""

    def seen(self, env, value):
        self.assertIn(value, env.observation_space)
        self.assertEqual(len(value), env.observation_space.shape[0])
        if PLAIN:
            self.assertIs(type(value), list)
            return
        self.assertIsInstance(value, np.ndarray)
        self.assertEqual((value.dtype, value.shape), (env.observation_space.dtype, env.observation_space.shape))

    def stepped(self, env, result):
        self.assertIs(type(result), tuple)
        seen, reward, terminated, truncated, info = result
        self.seen(env, seen)
        self.assertIs(type(reward), float)
        self.assertTrue(reward - reward == 0, reward)  # neither infinite nor no number
        self.assertEqual((type(terminated), type(truncated), type(info)), (bool, bool, dict))
        return result

    def checked(self, env):
        """What check_env asks."""
        if not PLAIN:
            self.assertIsInstance(env, gymnasium.Env)
            self.assertIsInstance(env.observation_space, gymnasium.spaces.Box)
            self.assertIsInstance(env.action_space, gymnasium.spaces.Discrete)
            self.assertEqual(env.observation_space.low.shape, env.observation_space.shape)
            self.assertEqual(env.observation_space.high.shape, env.observation_space.shape)
        self.assertIs(env.unwrapped, env)
        self.assertGreater(env.action_space.n, 0)
        self.assertEqual(env.action_space.shape, ())
        self.assertFalse(callable(getattr(env, "seed", None)))
        signature = inspect.signature(env.reset).parameters
        self.assertEqual({name: one.default for name, one in signature.items()}, {"seed": None, "options": None})
        result = env.reset()
        self.assertEqual((type(result), len(result), type(result[1])), (tuple, 2, dict))
        self.seen(env, result[0])
        first, _ = env.reset(seed=123)
        self.assertIsNotNone(env.unwrapped._np_random)
        random = copy.deepcopy(env.unwrapped._np_random)
        state = lambda generator: generator.getstate() if PLAIN else generator.bit_generator.state
        again, _ = env.reset(seed=123)
        self.assertEqual((plain(first), state(random)), (plain(again), state(env.unwrapped._np_random)))
        self.seen(env, env.reset(seed=456)[0])
        self.assertNotEqual(state(random), state(env.unwrapped._np_random))
        env.reset(options={})
        steps = []
        for _ in range(2):  # the same action after the same seed gives the same step
            env.reset(seed=123)
            env.action_space.seed(123)
            steps.append(self.stepped(env, env.step(env.action_space.sample())))
        self.assertEqual(plain(steps[0]), plain(steps[1]))
        self.rendered(env)

    def rendered(self, env):
        self.assertIn(env.render_mode, [None, *env.metadata["render_modes"]])
        self.assertGreater(env.metadata["render_fps"], 0)
        self.assertIs(type(env.render()), type(None) if env.render_mode is None else str)

    def test_env(self):
        env = batchlab.Env(DOCUMENT)
        self.checked(env)
        env.close()
        env.close()  # a second time does no harm

    def test_spec(self):
        """Intent: made by its name it can be made again from its spec, drawn in words too."""
        if PLAIN:
            self.assertIsNone(batchlab.Env(DOCUMENT).spec)
            self.checked(batchlab.Env(DOCUMENT, render_mode="ansi"))
            return
        env = gymnasium.make("batchlab/Schedule-v1", document=DOCUMENT, k=5)
        self.checked(env.unwrapped)
        for mode in env.unwrapped.metadata["render_modes"]:
            other = env.spec.make(render_mode=mode)
            self.assertEqual(other.unwrapped.k, 5)
            other.reset()
            self.rendered(other.unwrapped)
            self.assertIn("processors are free", other.render())
            other.close()
        env.close()

    def test_their_checker(self):
        """Intent: where the real Gymnasium is installed, its own checker finds no fault."""
        try:
            from gymnasium.utils.env_checker import check_env
        except ImportError:
            return  # the stand-in has none: checked() above is what stands for it
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(gymnasium.make("batchlab/Schedule-v1", document=DOCUMENT).unwrapped)

    def test_episode(self):
        """Intent: a whole episode stays within its spaces; what may be chosen is the mask's;
        afterwards a step is refused; a subclass sees what it likes."""
        env = batchlab.Env(DOCUMENT)
        _, info = env.reset(seed=3)
        env.action_space.seed(1)
        over = False
        while not over:
            action = env.action_space.sample(mask=info["mask"])
            self.assertIn(type(action), ACTIONS)
            self.assertTrue(info["mask"][action])
            _, _, over, cut, info = self.stepped(env, env.step(action))
            self.assertFalse(cut)
        self.assertIn("mean-wait", info["metrics"])
        self.assertRaises(batchlab.Refused, env.step, 0)

        class Short(batchlab.Env):
            def __init__(self, *args):
                super().__init__(*args)
                self.observation_space = batchlab.Box(0.0, 1.0, (1,))

            def observe(self):
                return [self.s.free / self.s.processors]

        self.checked(Short(DOCUMENT))

    def test_seeds(self):
        """Intent: without a seed the document is taken as it stands; after one, episodes
        differ and come again in the same order."""
        env = batchlab.Env(dict(DOCUMENT, seed=5))
        run = lambda **seed: [env.reset(**seed), [env.step(0)[:2] for _ in range(30)]]
        unseeded = plain(run())
        self.assertEqual(unseeded, plain(run(seed=5)))
        first = plain([run(seed=8), run(), run()])
        self.assertEqual(first, plain([run(seed=8), run(), run()]))
        self.assertNotEqual(first[0], first[1])
        self.assertEqual(first[1], plain(run(seed=9)))

    def batch(self, envs, shape, value, kind):
        self.assertEqual(len(value), envs.num_envs)
        if PLAIN:
            self.assertIs(type(value), list)
            self.assertEqual({type(one) for one in value}, {list if len(shape) > 1 else kind})
        else:
            self.assertIsInstance(value, np.ndarray)
            self.assertEqual((value.shape, value.dtype), (shape, {float: np.float64, bool: np.bool_}[kind]))

    def test_vector(self):
        """Intent: many at once have VectorEnv's attributes and arrays, one row each, and do
        in each mode what Gymnasium says of it, with the numbers of each alone."""
        alone = [episode(seed) for seed in (1, 2, 3, 4)]
        for mode in ("SameStep", "NextStep", "Disabled"):
            envs = batchlab.VectorEnv([lambda: batchlab.Env(DOCUMENT)] * 2, autoreset=mode)
            if not PLAIN:
                self.assertIsInstance(envs, gymnasium.vector.VectorEnv)
                self.assertEqual(envs.metadata["autoreset_mode"], gymnasium.vector.AutoresetMode(mode))
            self.assertEqual((envs.num_envs, envs.single_action_space.n, envs.closed), (2, 8, False))
            self.assertEqual(envs.observation_space.shape, (2,) + envs.single_observation_space.shape)
            self.assertIn(envs.action_space.sample(), envs.action_space)
            seen, infos = envs.reset(seed=1)
            rows, episodes = [[], []], [[plain(seen[0])], [plain(seen[1])]]
            over = [False, False]
            for _ in range(400):
                was = over
                seen, rewards, over, cut, infos = envs.step([0, 0])
                self.assertIn(seen, envs.observation_space)
                self.batch(envs, envs.observation_space.shape, seen, float)
                self.batch(envs, (2,), rewards, float)
                self.batch(envs, (2,), over, bool)
                self.assertFalse(any(cut))
                for i in range(2):
                    self.assertTrue(infos["_mask"][i])
                    if mode == "SameStep" and over[i]:
                        self.assertTrue(infos["_final_obs"][i])
                        episodes[i].append(plain(infos["final_obs"][i]))
                        rows[i].append((episodes[i], infos["final_info"]["digest"][i]))
                        episodes[i] = [plain(seen[i])]
                    elif mode != "SameStep" and was[i]:
                        self.assertEqual((rewards[i], bool(over[i])), (0.0, mode == "Disabled"))
                        episodes[i] = [plain(seen[i])]
                    else:
                        self.assertFalse("final_obs" in infos and infos["_final_obs"][i])
                        episodes[i].append(plain(seen[i]))
                        if over[i]:
                            rows[i].append((episodes[i], infos["digest"][i]))
                if mode == "Disabled" and all(over) and len(rows[0]) == 1:
                    seen, _ = envs.reset(options={"reset_mask": np.array([True, True], dtype=np.bool_) if not PLAIN else [True, True]})
                    episodes, over = [[plain(seen[0])], [plain(seen[1])]], [False, False]
            self.assertEqual([rows[0][0], rows[1][0], rows[0][1], rows[1][1]], alone, mode)
            envs.close()
            envs.close()
            self.assertTrue(envs.closed)


def episode(seed):
    """What is seen in an episode that always chooses the first, and its digest."""
    env = batchlab.Env(DOCUMENT)
    rows, over = [plain(env.reset(seed=seed)[0])], False
    while not over:
        seen, _, over, _, info = env.step(0)
        rows.append(plain(seen))
    return rows, info["digest"]


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
