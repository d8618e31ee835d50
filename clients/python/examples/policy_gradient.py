"""A tiny agent that learns to beat FCFS: REINFORCE (Williams, Machine Learning 8,
1992) in plain Python, with six weights.

At each step it chooses which of the first eight waiting jobs goes next, by a
softmax over a weighted sum of what is seen of each job. Nothing is backfilled, so
that whoever always chooses the first is FCFS exactly, and that is nearly how it
begins. It learns from generated workloads, eight tries at each, and is tried on
ten that it never learns from.

Run: python3 policy_gradient.py [--rounds 40] [--figure learning-curve.svg]
The same seed gives the same figure.
"""

import argparse
import json
import math
import random

from batchlab import Env, VectorEnv, run

K, TRIES, RATE = 8, 8, 0.25
NAMES = ("processors", "requested time", "wait", "fits", "area", "first in line")
MEASURE = "mean-bounded-slowdown"
HELD_OUT = range(9001, 9011)


def document(seed):
    return {
        "batchlab": 1,
        "seed": seed,
        "workload": {"source": {"generator": {"key": "daily", "params": {"jobs": 200, "processors": 64, "load": 1.1}}}},
        "schedulers": [{"key": "fcfs"}, {"key": "easy"}],
    }


def chances(weights, seen, mask):
    """What the agent sees of each job that there is, and how likely it chooses it."""
    jobs = []
    for i in range(sum(mask)):
        procs, requested, wait, fits = seen[4 * i:4 * i + 4]
        jobs.append((procs, requested, wait, fits, procs * requested, 1.0 if i == 0 else 0.0))
    scores = [sum(w * x for w, x in zip(weights, job)) for job in jobs]
    parts = [math.exp(score - max(scores)) for score in scores]
    total = sum(parts)
    return jobs, [part / total for part in parts]


def episodes(weights, seeds, choose):
    """One episode for each seed, all at once: what it earned, and the gradient of the
    logarithm of its chance."""
    envs = VectorEnv([lambda: Env(document(1), k=K, reward=MEASURE)] * len(seeds), autoreset="Disabled")
    seen, infos = envs.reset(seed=list(seeds))
    earned, gradients, over = [0.0] * len(seeds), [[0.0] * len(weights) for _ in seeds], [False] * len(seeds)
    while not all(over):
        actions = [0] * len(seeds)
        for i in range(len(seeds)):
            if over[i]:
                continue
            jobs, p = chances(weights, seen[i], infos["mask"][i])
            actions[i] = choose(p)
            for f in range(len(weights)):
                gradients[i][f] += jobs[actions[i]][f] - sum(q * job[f] for q, job in zip(p, jobs))
        seen, rewards, over, _, infos = envs.step(actions)
        earned = [a + b for a, b in zip(earned, rewards)]
    envs.close()
    return earned, gradients


def learn(weights, seed, rng):
    """One round: several tries at one workload; what earned more than the others
    becomes more likely."""
    earned, gradients = episodes(weights, [seed] * TRIES, lambda p: rng.choices(range(len(p)), p)[0])
    mean = sum(earned) / TRIES
    spread = math.sqrt(sum((e - mean) ** 2 for e in earned) / TRIES) or 1.0
    step = [sum((e - mean) / spread * g[f] for e, g in zip(earned, gradients)) / TRIES for f in range(len(weights))]
    length = math.sqrt(sum(x * x for x in step)) or 1.0
    return [w + RATE * x / length for w, x in zip(weights, step)]


def tried(weights):
    """The mean of the measure over the workloads that it never learns from."""
    rng = random.Random(0)
    earned, _ = episodes(weights, HELD_OUT, lambda p: rng.choices(range(len(p)), p)[0])
    return -sum(earned) / len(earned)


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--rounds", type=int, default=40)
    words.add_argument("--every", type=int, default=2, help="rounds between two trials")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--figure", default="learning-curve.svg")
    asked = words.parse_args()

    known = {"FCFS": 0.0, "EASY": 0.0}
    for seed in HELD_OUT:
        for label, value in run(document(seed)).measure(MEASURE).items():
            known[label] += value / len(HELD_OUT)
    rng, weights = random.Random(asked.seed), [0.0] * 5 + [3.0]
    curve = []
    for step in range(asked.rounds + 1):
        if step % asked.every == 0:
            curve.append((step, tried(weights)))
            print(f"round {step:3}: {curve[-1][1]:8.1f}   (FCFS {known['FCFS']:.1f}, EASY {known['EASY']:.1f})", flush=True)
        if step < asked.rounds:
            weights = learn(weights, asked.seed * 1000 + step, rng)
    print("\n".join(f"{w:+.2f}  {name}" for name, w in zip(NAMES, weights)))
    with open(asked.figure, "w", encoding="utf-8") as file:
        file.write(figure(curve, known, asked))


def figure(curve, known, asked):
    """The learning curve as SVG, for light and dark pages."""
    wide, high, left, right, top, bottom = 640, 360, 64, 96, 48, 48
    values = [value for _, value in curve] + list(known.values())
    low, most = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    x = lambda step: left + (wide - left - right) * step / max(1, curve[-1][0])
    y = lambda value: top + (high - top - bottom) * (most - math.log10(value)) / (most - low)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img" aria-labelledby="t d">',
        '<title id="t">Learning curve of the agent</title>',
        f'<desc id="d">Mean bounded slowdown on ten workloads that the agent never learns from, over rounds of learning: {curve[0][1]:.0f} before, '
        f'{curve[-1][1]:.0f} after {curve[-1][0]} rounds; FCFS {known["FCFS"]:.0f}, EASY {known["EASY"]:.0f}.</desc>',
        f'<metadata>{json.dumps({"seed": asked.seed, "rounds": asked.rounds, "curve": [[s, round(v, 3)] for s, v in curve]})}</metadata>',
        '<style>text{font:12px system-ui,sans-serif;fill:#44464d}.h{font-size:14px;font-weight:600;fill:#17181c}.g{stroke:#d9dae0}.a{stroke:#1f6feb;fill:none;stroke-width:2}.d{fill:#1f6feb}'
        '.k{stroke:#767983;stroke-dasharray:5 4}.n{fill:#1f6feb;font-weight:600}'
        '@media(prefers-color-scheme:dark){text{fill:#b5b8c2}.h{fill:#f1f2f5}.g{stroke:#3a3d46}.a{stroke:#6ea8fe}.d,.n{fill:#6ea8fe}.k{stroke:#9a9da8}}</style>',
        f'<text class="h" x="{left}" y="22">Mean bounded slowdown, ten workloads held out</text>',
    ]
    for power in range(low, most + 1):
        out.append(f'<path class="g" d="M{left} {y(10 ** power):.1f}H{wide - right}"/><text x="{left - 8}" y="{y(10 ** power) + 4:.1f}" text-anchor="end">{10 ** power:,}</text>')
    for label, value in known.items():
        out.append(f'<path class="k" d="M{left} {y(value):.1f}H{wide - right}"/><text x="{wide - right + 8}" y="{y(value) + 4:.1f}">{label} {value:,.0f}</text>')
    out.append(f'<path class="a" d="M{"L".join(f"{x(s):.1f} {y(v):.1f}" for s, v in curve)}"/>')
    out += [f'<circle class="d" cx="{x(s):.1f}" cy="{y(v):.1f}" r="3"/>' for s, v in curve]
    taken = [y(value) for value in known.values()]
    at = y(curve[-1][1])
    while any(abs(at - other) < 15 for other in taken):
        at += 1 if curve[-1][1] < known["EASY"] else -1
    out.append(f'<text class="n" x="{wide - right + 8}" y="{at + 4:.1f}">Agent {curve[-1][1]:,.0f}</text>')
    for step in range(0, curve[-1][0] + 1, max(1, curve[-1][0] // 6)):
        out.append(f'<text x="{x(step):.1f}" y="{high - bottom + 20}" text-anchor="middle">{step}</text>')
    out.append(f'<text x="{(left + wide - right) / 2:.0f}" y="{high - 8}" text-anchor="middle">rounds of learning</text></svg>')
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    main()
