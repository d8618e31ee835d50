#!/usr/bin/env python3
"""Recomputes truth.csv of `batchlab truth` from a log and the waits that a run has exported.

    python3 recompute_truth.py TRUTH.csv RESULTS LOG.swf[.gz] [FROM TO]

RESULTS is the folder that `batchlab run EXPERIMENT.json --log LOG --out RESULTS` fills
from the same document: simulated waits come from its jobs files, logged ones from
field 3 of the log. FROM and TO are the document's measures.from and measures.to: only jobs
submitted in between count. Every line of TRUTH.csv is worked out anew, means to twelve digits.
It shares no code with Batchlab and needs Python 3 alone.

It prints how many lines agree, and each that does not; it ends with 0 when all agree,
else with 1.
"""

import csv
import gzip
import math
import os
import statistics
import sys


def main():
    if len(sys.argv) not in (4, 6):
        sys.exit(__doc__)
    told, results, name = sys.argv[1:4]
    begin, end = [float(v) for v in sys.argv[4:]] or (-math.inf, math.inf)
    log = {}
    with (gzip.open if name.endswith(".gz") else open)(name, "rt", errors="replace") as lines:
        for line in lines:
            field = line.split()
            if len(field) >= 18 and not line.startswith(";"):
                log[field[0]] = field
    with open(told, newline="") as file:
        rows = list(csv.DictReader(file))
    runs, wrong = {}, 0
    for row in rows:
        run = "jobs-%02d-%s-%s.csv" % (int(row["scheduler"]) + 1, row["key"], row["repetition"])
        if run not in runs:
            runs[run] = waits(os.path.join(results, run), log)
        pairs = [(simulated, logged) for simulated, logged, job in runs[run] if begin <= job[2] < end and belongs(row, job)]
        for key, value in nearness(pairs).items():
            printed = None if row[key] == "" else float(row[key])
            if (printed is None) != (value is None) or value is not None and not math.isclose(printed, value, rel_tol=1e-12, abs_tol=1e-9):
                wrong += 1
                print("%s, %s %s: %s is %s, recomputed %s" % (run, row["by"] or "all", row["from"], key, row[key], value))
    print("%d lines, %d numbers differ" % (len(rows), wrong))
    sys.exit(1 if wrong or not rows else 0)


def waits(name, log):
    """The simulated and the logged wait of each job that has both, with the job."""
    out = []
    with open(name, newline="") as file:
        for line in csv.DictReader(file):
            field = log[line["job_id"]]
            if int(field[2]) >= 0 and line["waiting_time"] not in ("", "-1"):
                out.append((int(line["waiting_time"]), int(field[2]), (field, int(line["requested_number_of_resources"]), int(line["submission_time"]))))
    return out


def belongs(row, job):
    """Whether a job is of the part that a line of truth.csv is about."""
    if row["by"] == "":
        return True
    field, processors, submitted = job
    value = {
        "partition": int(field[15]), "queue": int(field[14]), "group": int(field[12]), "size": processors, "week": submitted // 604_800,
    }[row["by"]]
    return int(row["from"]) <= value <= int(row["to"])


def nearness(pairs):
    """The measures of a line."""
    n = len(pairs)
    simulated, logged = [p[0] for p in pairs], [p[1] for p in pairs]
    off = [abs(s - l) for s, l in pairs]
    mean, truth = sum(simulated) / n, sum(logged) / n
    return {
        "jobs": n, "mean_wait_s": mean, "logged_mean_wait_s": truth, "ratio": mean / truth if truth else None,
        "bias_s": mean - truth, "median_error_s": statistics.median(off), "rank_correlation": correlation(ranks(simulated), ranks(logged)),
        "within_a_minute": sum(d <= 60 for d in off) / n, "within_an_hour": sum(d <= 3600 for d in off) / n,
        "within_a_tenth": sum(10 * d <= l for d, l in zip(off, logged)) / n,
    }


def ranks(values):
    """Ranks from 1; equal values have the mean of theirs."""
    order = sorted(values)
    first, last = {}, {}
    for place, value in enumerate(order, 1):
        first.setdefault(value, place)
        last[value] = place
    return [(first[v] + last[v]) / 2 for v in values]


def correlation(x, y):
    """Pearson's, None where one list is the same throughout."""
    if len(set(x)) < 2 or len(set(y)) < 2:
        return None
    mx, my = statistics.fmean(x), statistics.fmean(y)
    xy = math.fsum((a - mx) * (b - my) for a, b in zip(x, y))
    return xy / math.sqrt(math.fsum((a - mx) ** 2 for a in x) * math.fsum((b - my) ** 2 for b in y))


if __name__ == "__main__":
    main()
