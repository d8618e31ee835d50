#!/usr/bin/env python3
"""Makes the intervals of the coverage study again from what it exports.

    go run ./bench/coverage -out DIR -logs 100
    python3 bench/coverage/check.py DIR

It shares no code with Batchlab but docs/recompute_comparison.py, which recomputes
intervals for everybody, and needs Python 3 alone. From the draws of each
log it works out the intervals by users and by weeks, and from the jobs of the
first log of a cell the variances that users and days make; it compares them with
the study's, and counts anew how many hold the typical quotient. It ends with 0
when all agree, else with 1.
"""

import csv
import glob
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs"))
from recompute_comparison import drawn, width

EASY, SAF, SPF, CONSERVATIVE = range(4)
PAIRS = ((SAF, EASY), (SPF, EASY), (CONSERVATIVE, EASY), (4, 5), (6, 7), (8, EASY))
COLUMNS = {EASY: "easy", SAF: "saf", SPF: "spf", CONSERVATIVE: "conservative"}
WAIT, SLOWDOWN, P95 = range(3)


def quotients(log, draws, pair, k):
    both = [(v[pair[0]][k], v[pair[1]][k]) for v in [log] + draws]
    if any(a <= 0 or b <= 0 for a, b in both):
        return None
    return [math.log(a) - math.log(b) for a, b in both]


def interval(log, pair, k, way, own):
    """The ends of the quotient, or None."""
    draws = {"users": log["ByUsers"], "weeks": log["ByWeeks"], "log": []}[way] or []
    x = quotients(log["Log"], draws, pair, k)
    if x is None or way != "log" and not draws:
        return None
    if all(v[pair[0]][k] == v[pair[1]][k] for v in [log["Log"]] + draws):
        return 1.0, 1.0
    if way == "users":
        if log["Users"] < 2:
            return None
        half = (1.5 if k == SLOWDOWN else 1.25) * width(x, log["Users"])
    elif k == P95 or not own["Known"]:
        return None
    elif way == "weeks":
        if log["Weeks"] < 2:
            return None
        variance, t = drawn(x[1:], log["Weeks"])
        half = (1.25 if k == SLOWDOWN else 1) * max(3.5, t) * math.sqrt(variance + own["Days"])
    else:
        if own["Alike"] < 2:
            return None
        half = (1.5 if k == SLOWDOWN else 1) * 2.78 * math.sqrt(own["Users"] + own["Days"])
    return math.exp(x[0] - half), math.exp(x[0] + half)


def influences(jobs, pair, k):
    """What users and days make of the quotient's variance, from single jobs."""

    def of(job, scheduler):
        wait, run = int(job["wait_" + COLUMNS[scheduler]]), int(job["run_" + COLUMNS[scheduler]])
        return float(wait) if k == WAIT else max(1.0, (wait + run) / max(run, 10))

    a, b = ([of(j, s) for j in jobs] for s in pair)
    total = math.fsum(a)
    quotient = total / math.fsum(b)
    first = int(jobs[0]["submit"])
    days = (int(jobs[-1]["submit"]) - first) // 86400 + 1
    users, work, day = {}, {}, [0.0] * days
    for job, x, y in zip(jobs, a, b):
        z = (x - quotient * y) / total
        users[job["user"]] = users.get(job["user"], 0.0) + z
        work[job["user"]] = work.get(job["user"], 0.0) + float(job["work"])
        day[(int(job["submit"]) - first) // 86400] += z
    waves = [sum(z * math.cos(math.pi * j * (d + 0.5) / days) for d, z in enumerate(day)) for j in range(1, 5)]
    return {"Users": sum(z * z for z in users.values()), "Days": sum(w * w for w in waves) / 2, "Alike": sum(work.values()) ** 2 / sum(w * w for w in work.values())}


def near(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1e-9)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wrong = checked = 0
    for name in sorted(glob.glob(sys.argv[1] + "/*.jsonl")):
        head, logs, further = None, [], []
        with open(name, encoding="utf-8") as f:
            for line in f:
                if not line.endswith("\n"):
                    break  # the study was ended while it wrote
                entry = json.loads(line)
                head = head or entry
                if "Log" in entry:
                    logs.append(entry["Log"])
                if "Further" in entry:
                    further.append(entry["Further"])
        if not logs:
            continue
        with open(name[: -len(".jsonl")] + "-jobs.csv", encoding="utf-8", newline="") as f:
            jobs = list(csv.DictReader(f))
        for q in head["Asks"]:
            if not all(s in COLUMNS for s in PAIRS[q]):
                continue
            for k in (WAIT, SLOWDOWN):
                for key, value in influences(jobs, PAIRS[q], k).items():
                    checked += 1
                    if not near(value, logs[0]["Own"][q][k][key]):
                        wrong += 1
                        print("%s: %s of question %d, measure %d: %r, the study has %r" % (head["Cell"], key, q, k, value, logs[0]["Own"][q][k][key]))
        print("%s: %d logs, %d further" % (head["Cell"], len(logs), len(further)))
        for q in head["Asks"]:
            pair = PAIRS[q]
            for k in (WAIT, SLOWDOWN, P95):
                values = [quotients(v, [], pair, k) for v in [log["Log"] for log in logs] + further]
                values = [x[0] for x in values if x]
                if not values:
                    continue
                truth = math.fsum(values) / len(values)
                said = []
                for at, way in enumerate(("users", "weeks", "log")):
                    held = n = 0
                    for log in logs:
                        own = log["Own"][q][k] if k != P95 else {"Known": False, "Alike": 0}
                        ours, theirs = interval(log, pair, k, way, own), log["Interval"][q][k][at]
                        checked += 1
                        if (ours is None) != (theirs[2] == 0) or ours and not (near(ours[0], theirs[0]) and near(ours[1], theirs[1])):
                            wrong += 1
                            print("question %d, measure %d, %s, seed %s: %r, the study has %r" % (q, k, way, log["Seed"], ours, theirs))
                        if ours:
                            n += 1
                            held += math.log(ours[0]) <= truth + 1e-12 and truth - 1e-12 <= math.log(ours[1])
                    if n:
                        said.append("%s %d of %d" % (way, held, n))
                print("  question %d, measure %d, typical %.4f: %s" % (q, k, math.exp(truth), ", ".join(said)))
    print("%d numbers compared, %d differ" % (checked, wrong))
    sys.exit(1 if wrong or not checked else 0)


main()
