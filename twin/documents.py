"""Random documents over the grammar of docs/experiment.md, small enough to be followed by
hand: a log of a few jobs, in few seconds and on few processors, so that ties abound."""

import hashlib
import random

ORDERS = ["fcfs", "lcfs", "spf", "lpf", "sqf", "lqf", "saf", "laf", "sexp", "lexp", "srf", "lrf"]
FORMULAS = ["q * p / (1 + wait)", "-p", "wait - 2 * p", "min(q, 3) * exp", "abs(user - 2) + sqrt(a)", "-due + submit", "max(rho, wait) / q"]


def rows(rng):
    """A log: eighteen fields a job, some of them odd."""
    made, at, processors = [], rng.randrange(4), rng.choice([1, 2, 3, 4, 5, 8, 13])
    for number in range(1, rng.randrange(1, 16) + 1):
        at += rng.choice([0, 0, 1, 2, 3, 5, 9, 20])
        procs = rng.randrange(1, processors + 1) if rng.random() < 0.95 else processors + 1
        requested = rng.choice([1, 2, 3, 5, 8, 13, 20, 30])
        run = rng.choice([requested, rng.randrange(1, requested + 1), max(1, requested - 1)])
        if rng.random() < 0.05:
            run += 4
        if rng.random() < 0.04:
            requested = -1
        if rng.random() < 0.03:
            run = rng.choice([0, -1])
        user, queue = rng.choice([-1, 1, 2, 3]), rng.choice([-1, 0, 1, 2])
        made.append([number, at, rng.randrange(20), run, procs, -1, -1, procs if rng.random() < 0.9 else -1, requested, -1, 1, user, 1, 1, queue, -1, -1, -1])
    return processors, made


def order(rng, params, key, prefix):
    """An order as a parameter, with what goes with it."""
    kind = rng.random()
    if kind < 0.25:
        return
    params[key] = rng.choice(ORDERS) if kind < 0.7 else "mixed" if kind < 0.85 else "formula"
    if params[key] == "mixed":
        params[prefix + "weights"] = [rng.choice([-1, -0.5, 0, 0.3, 1, 2]) for _ in range(rng.choice([3, 6]))]
        if not any(params[prefix + "weights"]):
            params[prefix + "weights"][0] = 1
        if rng.random() < 0.5:
            params[prefix + "scales"] = [rng.choice([1, 2, 10, 3600]) for _ in range(3)]
    if params[key] == "formula":
        params[prefix + "formula"] = rng.choice(FORMULAS)


def scheduler(rng, key):
    params = {}
    some = lambda name, *values: params.update({name: rng.choice(values)}) if rng.random() < 0.6 else None
    if key in ("easy", "conservative"):
        order(rng, params, "order", "")
    if key == "easy":
        order(rng, params, "backfill", "backfill-")
        some("threshold", 0, 1, 5, 10, 30)
    if key in ("easy", "conservative", "fcfs"):
        some("ties", "newest")
    if key in ("lsf", "sjf", "ppp", "pppd", "fair-share"):
        some("blocked", "pass", "stop")
    if key in ("lsf", "sjf"):
        some("period", 0, 3, 7)
    if key in ("ppp", "pppd"):
        some("priority", "small", "large")
    if key == "pppd":
        some("preempted", "suspend", "requeue")
    if key == "orig-bf":
        some("reserve-after", 0, 4, 12)
        some("halve", 0, 5, 17)
        some("queues", "shortest")
    if key in ("bf-unmod", "bf-mod"):
        some("aging", 0, 0.01, 1, 0.3)
        some("wait", 0, 2, 0.7)
        some("k", 1, 2.5)
    return {"key": key, **({"params": params} if params else {})}


def workload(rng):
    more = {}
    if rng.random() < 0.3:
        more["clean"] = {"overrun": rng.choice(["kill", "extend", "drop"]), "oversize": rng.choice(["drop", "clamp"]), "no_request": rng.choice(["run", "drop"])}
    if rng.random() < 0.1:
        more["filter"] = rng.choice([{"users": [1, 2]}, {"exclude_users": [3]}, {"min_procs": 2}, {"max_run": 9}])
    if rng.random() < 0.1:
        more["window"] = {"from": 2, "to": 40}
    if rng.random() < 0.1:
        more["scale"] = rng.choice([{"load": 1.5}, {"time": 0.5}, {"time": 2}, {"load": 0.5}])
    return more


def document(seed, keys):
    """A document of a seed with two schedulers of each key, its log's text, and the log's rows."""
    rng = random.Random(seed)
    processors, made = rows(rng)
    return dress({"batchlab": 1, "workload": workload(rng), "schedulers": [scheduler(rng, key) for key in keys for _ in range(2)]}, processors, made)


def dress(doc, processors, made):
    """A document with its log: (document, text, processors, rows)."""
    text = f"; MaxProcs: {processors}\n" + "".join(" ".join(map(str, row)) + "\n" for row in made)
    data = text.encode()
    doc["workload"] = {**doc["workload"], "source": {"log": {"name": "twin.swf", "sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}}}
    return doc, text, processors, made


def platform_of(doc):
    """What the table calls a document's platform."""
    return "processors"


def request_of(doc):
    """What the table calls a document's requests."""
    return "jobs"
