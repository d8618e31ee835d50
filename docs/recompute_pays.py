#!/usr/bin/env python3
"""Recomputes pays.csv, who gains and who pays, from the jobs files of a run with cases.

    python3 recompute_pays.py RESULTS [LOG.swf[.gz]]

RESULTS is the folder that `batchlab run EXPERIMENT.json --jobs --out RESULTS` fills. All
jobs, sizes and weeks are worked out anew from the jobs files alone; queues, partitions
and groups from fields 15, 16 and 13 of the log, where it is given and nothing is drawn
from it. Means to twelve digits; intervals and words by the rules of
recompute_comparison.py, which lies beside this file with recompute.py, to nine. It shares no
code with Batchlab and needs Python 3 alone.

It prints how many lines agree, how many were left out, and each number that does not
agree; it ends with 0 when all agree, else with 1.
"""

import csv
import gzip
import json
import math
import os
import sys

from recompute import Run, varied
from recompute_comparison import MEAN_WAIT, difference, weight

DAY = 86_400


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder, log = sys.argv[1], {}
    if len(sys.argv) == 3:
        with (gzip.open if sys.argv[2].endswith(".gz") else open)(sys.argv[2], "rt", errors="replace") as lines:
            log = {int(line.split()[0]): line.split() for line in lines if not line.startswith(";") and line.strip()}
    with open(os.path.join(folder, "experiment.json"), encoding="utf-8") as file:
        document = json.load(file)
    with open(os.path.join(folder, "summary.csv"), newline="", encoding="utf-8") as file:
        summary = list(csv.DictReader(file))
    with open(os.path.join(folder, "pays.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    axes = document["vary"]
    case = next(i for i, axis in enumerate(axes) if "cases" in axis)
    names = list(summary[0])[: len(axes)]
    points, runs = [], {}
    starts = sum(line["scheduler"] == "0" and line["repetition"] == "0" for line in summary)
    for line in summary:
        if line["scheduler"] == "0" and line["repetition"] == "0":
            points.append([line[name] for name in names])
        runs[len(points) - 1, int(line["scheduler"]), int(line["repetition"])] = line
    first = axes[case]["cases"][0]["name"]
    resample = document["workload"].get("resample")
    by = resample and resample.get("by", "weeks")
    read = {}

    def run(point, scheduler, repetition):
        key = point, scheduler, repetition
        if key not in read:
            name = "jobs-%0*d-%02d-%s-%d.csv" % (len(str(starts)), point + 1, scheduler + 1, runs[key]["key"], repetition)
            machines = None
            with open(os.path.join(folder, name), newline="", encoding="utf-8") as file:
                read[key] = Jobs(file.read(), machines, varied(document, point), runs[key]["key"] == "as-logged")
        return read[key]

    agree = skipped = wrong = 0
    for row in rows:
        if row["by"] in ("queue", "partition", "group") and (not log or by) or row["by"] in ("account", "gpus"):
            skipped += 1
            continue
        after = points.index([row[name] for name in names])
        before = points.index([first if i == case else row[name] for i, name in enumerate(names)])
        scheduler = int(row["scheduler"])
        pairs, own, jobs, work, pieces = [], None, 0, 0, 0
        for r in range(10_000):
            if (after, scheduler, r) not in runs or (before, scheduler, r) not in runs:
                break
            a, b = run(after, scheduler, r), run(before, scheduler, r)
            if r and not by and "generator" not in document["workload"]["source"]:
                break  # repetition 0 once more
            mine, theirs = a.of(row, log), b.of(row, log)
            pairs.append((sum(j.wait for j in mine) / len(mine), sum(j.wait for j in theirs) / len(theirs)))
            if r == 0:
                own, jobs = Own(a, mine, theirs), len(theirs)
                work = sum(spent(j) for j in theirs) / sum(spent(j) for j in b.queued)
                pieces = weight(by, resample, {0: a}) if by in ("users", "weeks") else 0
        want = difference(pairs, MEAN_WAIT, by, pieces, own)
        drawn = pieces > 0 and len(pairs) > 1
        want.update(jobs=jobs, work=work, before_s=pairs[0][1] if drawn else mean(p[1] for p in pairs), after_s=pairs[0][0] if drawn else mean(p[0] for p in pairs))
        bad = [
            "%s is %s, recomputed %s" % (key, row[key], want.get(name))
            for key, name in {"jobs": "jobs", "work": "work", "before_s": "before_s", "after_s": "after_s", "difference_s": "difference", "relative": "relative", "pairs": "pairs",
                              "low_s": "difference_low", "high_s": "difference_high", "interval": "interval", "verdict": "verdict"}.items()
            if not same(row[key], want.get(name), 1e-12 if key in ("work", "before_s", "after_s") else 1e-9)
        ]
        agree += not bad
        for text in bad:
            wrong += 1
            print("%s, scheduler %d, %s %s: %s" % (row[names[case]], scheduler, row["by"] or "all", row["from"], text))
    print("pays.csv: %d lines agree, %d left out, %d numbers differ" % (agree, skipped, wrong))
    sys.exit(1 if wrong or not agree else 0)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def same(printed, value, close):
    if value is None or value == "":
        return printed == ""
    if isinstance(value, str):
        return printed == value
    return printed != "" and math.isclose(float(printed), value, rel_tol=close, abs_tol=1e-9)


def spent(j):
    """Processor-seconds that a job executed, with what had to be done again."""
    return j.last.procs * j.run + sum(e.procs * (e.end - e.start) for e in j.lost)


class Jobs(Run):
    """The jobs of a run; machines are not looked at."""

    def clusters(self, machines):
        self.machines = machines

    def of(self, row, log):
        """The jobs that a line is about."""
        field = {"queue": 14, "partition": 15, "group": 12}.get(row["by"])
        key = {
            "": lambda j: 0,
            "size": lambda j: j.last.requested,
            "week": lambda j: j.submit // 604_800,
        }.get(row["by"], lambda j: int(log[j.number][field]))
        return [j for j in self.queued if int(row["from"]) <= key(j) <= int(row["to"])]


class Own:
    """What the two runs over one log say of how far the logarithm of the quotient of some
    jobs' waits sways (docs/reading-the-charts.md); days count from the first submission of
    all jobs."""

    def __init__(self, run, mine, theirs):
        self.known, self.alike, self.users, self.days = False, 0.0, 0.0, 0.0
        waits = {j.number: j.wait for j in theirs}
        a, b = sum(j.wait for j in mine), sum(waits.values())
        if set(waits) != {j.number for j in mine} or not a > 0 or not b > 0:
            return
        self.known = True
        first = min(j.submit for j in run.queued)
        days = [0.0] * ((max(j.submit for j in run.queued) - first) // DAY + 1)
        users, work = {}, {}
        for j in mine:
            z = (j.wait - a / b * waits[j.number]) / a
            days[(j.submit - first) // DAY] += z
            users[j.user] = users.get(j.user, 0.0) + z
            work[j.user] = work.get(j.user, 0) + spent(j)
        waves = [math.fsum(z * math.cos(math.pi * k * (d + 0.5) / len(days)) for d, z in enumerate(days)) for k in range(1, 5)]
        self.days = math.fsum(w * w for w in waves) / 2
        if len(days) >= 21 and any(u >= 0 for u in work):
            self.users = math.fsum(z * z for z in users.values())
            self.alike = float(sum(work.values())) ** 2 / sum(float(w) * w for w in work.values())


if __name__ == "__main__":
    main()
