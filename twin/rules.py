"""What rules give a share of the jobs: the section "Rules for a share of the jobs" of
docs/simulation-rules.md."""

from jobs import set_up
from space import Platform
from streams import Stream

TRIES = 1000  # licences that are drawn for a job


def give(jobs, doc, processors, repetition):
    """Draws what rules give the jobs, each rule by a stream of its own."""
    rules, platform = doc["workload"].get("annotate", {}), doc.get("platform", {})
    empty = Platform({"platform": {**platform, "limits": {}, "outages": []}}, processors)
    stream = lambda name: Stream(doc.get("seed", 1), "annotate/" + name, repetition)
    could = lambda job: empty.place(job, 0, lambda speed: 1, []) is not None
    weights, setup = rules.get("weights", {}), rules.get("setup", {})
    least, most = weights.get("min", 1), weights.get("max", 1)
    if (least, most) != (1, 1):
        random = stream("weights")
        for job in jobs:
            job.weight = least + (most - least) * random.below(65537) / 65536
    if setup.get("max"):
        random = stream("setup")
        for job in jobs:
            set_up(job, setup.get("min", 0) + random.below(setup["max"] - setup.get("min", 0) + 1))
    for i, rule in enumerate(rules.get("eligible", [])):
        random = stream(f"eligible/{i}")
        for job in jobs:
            if random.fraction() < rule["share"]:
                attempt(job, "on", job.on + [rule["on"]], could)
    for i, rule in enumerate(rules.get("needs", [])):
        random = stream(f"needs/{i}")
        for job in jobs:
            if random.fraction() < rule["share"]:
                attempt(job, "needs", {**job.needs, **{what: rule[what] for what in ("gpus", "memory", "disk") if rule.get(what)}}, could)
    deadlines(jobs, rules.get("deadlines", {}).get, stream("deadlines"))
    licences(jobs, rules.get("licences", []), platform, stream("licences"), could)


def attempt(job, what, value, could):
    """Changes what a job asks for, unless nothing could ever run it then."""
    before = getattr(job, what)
    setattr(job, what, value)
    if not could(job):
        setattr(job, what, before)


def deadlines(jobs, get, random):
    if not get("share"):
        return
    for job in jobs:
        chosen, margin = random.fraction() < get("share"), random.below(max(0, get("margin_max", 250) - get("margin_min", 30)) + 1)
        if chosen:
            job.due = job.submit + int(get("factor", 1) * job.requested) + get("margin_min", 30) + margin


def licences(jobs, rules, platform, random, could):
    there = {one["name"]: one["copies"] for one in platform.get("licences", [])}
    for name in [name for c in platform.get("clusters", []) for group in c["groups"] for name in group.get("licences", [])]:
        there.setdefault(name, 0)  # locked to machines
    each = []  # name, copies, share
    for rule in rules:
        copies = rule.get("copies", 1)
        if rule["licence"] == "*":
            each += [(name, min(copies, most or copies), rule["share"]) for name, most in there.items()]
        else:
            each.append((rule["licence"], copies, rule["share"]))
    for job in jobs if each else []:
        for _ in range(TRIES):
            drawn = {}
            for name, copies, share in each:
                if random.fraction() < share:
                    drawn[name] = max(copies, drawn.get(name, 0))
            job.licences = drawn
            if could(job):
                break
