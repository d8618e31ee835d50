"""Many environments at once."""

from .run import Engines
from .shapes import BaseVectorEnv, array, batch, mode, objects


class VectorEnv(BaseVectorEnv):
    """Many environments at once, in one process of the engine: what is decided in all of
    them goes there in one line, and so do the answers. It is a gymnasium.vector.VectorEnv
    where gymnasium is installed.

    make       a list of functions that make an Env
    autoreset  what becomes of an episode that is over, by Gymnasium's names:
               "SameStep" (or True) begins the next one at once: its last observation
               and info stand in the info as final_obs and final_info. "NextStep" begins
               it at the next step, whose action is not looked at. With "Disabled" (or
               False) it stays as it is, earns nothing more, and its actions are not
               looked at, until reset(options={"reset_mask": …}) names it.

    Observations, rewards, terminations and truncations are arrays, with a row for each
    environment; infos is a dict of arrays, and says under _key who has a key.
    """

    def __init__(self, make, autoreset=True):
        self.envs = [one() for one in make]
        self.num_envs = len(self.envs)
        name = getattr(autoreset, "value", {True: "SameStep", False: "Disabled"}.get(autoreset, autoreset))
        if name not in ("SameStep", "NextStep", "Disabled"):
            raise ValueError("autoreset is SameStep, NextStep or Disabled")
        self.autoreset, first = name, self.envs[0]
        self.metadata = dict(first.metadata, autoreset_mode=mode(name))
        self.render_mode = first.render_mode
        self.single_action_space, self.single_observation_space = first.action_space, first.observation_space
        self.action_space, self.observation_space = batch(first.action_space, self.num_envs), batch(first.observation_space, self.num_envs)
        self.engines = Engines(first._batchlab)
        self._seeds, self._last = [None] * self.num_envs, [None] * self.num_envs
        self._over, self._ends = [], {}
        for env in self.envs:
            env._engines = self.engines

    def reset(self, *, seed=None, options=None):
        """Begins an episode in each, or in those of a reset_mask. With a list of seeds
        each has its own; with one seed environment i has seed + i. The next episodes go
        on in steps of their number."""
        chosen = (options or {}).get("reset_mask")
        chosen = [i for i in range(self.num_envs) if chosen is None or chosen[i]]
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is None:
            self._seeds = [s if s is None or i not in chosen else s + self.num_envs for i, s in enumerate(self._seeds)]
        else:
            self._seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed)
        if len(self._seeds) != self.num_envs:
            raise ValueError(f"{len(self._seeds)} seeds for {self.num_envs} environments")
        begun, self._over = self._begin(chosen), None
        got = [begun.get(i) or self._last[i] for i in range(self.num_envs)]
        for i in begun:
            self._last[i] = None
        return array([seen for seen, _ in got]), self._infos([info for _, info in got])

    def _infos(self, each):
        """The infos of all environments as one."""
        infos = {}
        for key in ("mask", "now", "waiting"):
            infos[key], infos["_" + key] = array([info[key] for info in each], int), array([True] * self.num_envs, bool)
        over = [i for i, info in enumerate(each) if len(info) > 3]
        if over != self._over:  # else it is what it was a step ago
            self._over, self._ends = over, {}
            for i in over:
                self._add_info(self._ends, {key: value for key, value in each[i].items() if key not in infos}, i)
        return {**infos, **self._ends}

    def _begin(self, chosen):
        """Begins episodes, all at once: what is seen first, and the info, of each."""
        for i in chosen:
            self.envs[i]._open(self._seeds[i])
        for i in chosen:
            self.envs[i]._greet()
        return {i: (self.envs[i]._next()[0], self.envs[i]._info()) for i in chosen}

    def step(self, actions):
        """One step in each."""
        waiting = [i for i in range(self.num_envs) if self._last[i] is None]
        for i in waiting:
            self.envs[i]._act(actions[i])
        got = {i: self.envs[i]._next() for i in waiting}
        over = [i for i in waiting if got[i][2]]
        again = {"SameStep": over, "NextStep": [i for i in range(self.num_envs) if i not in got], "Disabled": []}[self.autoreset]
        for i in again:
            if self._seeds[i] is not None:
                self._seeds[i] += self.num_envs
        begun = self._begin(again)
        rows, each, ends, final = [], [], [None] * self.num_envs, {}
        for i in range(self.num_envs):
            if i in got:
                seen, reward, done, cut, info = got[i]
            else:
                (seen, info), reward, done, cut = self._last[i], 0.0, i not in begun, False
            self._last[i] = (seen, info) if done else None
            if i in begun:
                if i in got:
                    ends[i] = seen
                    self._add_info(final, {"final_info": info}, i)
                seen, info = begun[i]
                self._last[i] = None
            each.append(info)
            rows.append((seen, float(reward), done, cut))
        if again:
            self._over = None
        infos = {**self._infos(each), **final}
        if any(end is not None for end in ends):
            infos["final_obs"], infos["_final_obs"] = objects(ends), array([end is not None for end in ends], bool)
        seen, rewards, done, cut = zip(*rows)
        return array(seen), array(rewards), array(done, bool), array(cut, bool), infos

    def render(self):
        """What is seen in each, with render_mode."""
        return tuple(env.render() for env in self.envs)

    def close_extras(self, **_):
        """Ends the engine."""
        for env in self.envs:
            env.close()
        self.engines.close()
