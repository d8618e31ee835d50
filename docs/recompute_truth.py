#!/usr/bin/env python3
"""Recomputes truth.csv of `batchlab truth` from a log and the waits that a run has exported.

    python3 recompute_truth.py TRUTH.csv RESULTS LOG.swf[.gz] [--extra EXTRA.csv] [--window FROM TO]

RESULTS is the folder that `batchlab run EXPERIMENT.json --log LOG --out RESULTS` fills
from the same document: simulated waits come from its jobs files, logged ones from
field 3 of the log. What `--without` and `--calibrate` ran is recomputed where RESULTS has
a folder of the same name, filled from the document beside TRUTH.csv (of variant-01-02.json:
`batchlab run variant-01-02.json --log LOG --out RESULTS/variant-01-02`). FROM and TO are
the document's measures.from and measures.to: only jobs submitted in between count. EXTRA
has QOS, accounts and GPUs. Every line of TRUTH.csv is worked out anew, means to twelve
digits. It shares no code with Batchlab and needs Python 3 alone.

It prints how many lines agree, and each that does not; it ends with 0 when all agree,
else with 1.
"""

import argparse
import collections
import csv
import gzip
import math
import os
import statistics
import sys


def main():
    args = argparse.ArgumentParser(usage=__doc__)
    for name in ("truth", "results", "log"):
        args.add_argument(name)
    args.add_argument("--extra")
    args.add_argument("--window", nargs=2, type=float, default=(-math.inf, math.inf))
    given = args.parse_args()
    begin, end = given.window
    log, extra = {}, {}
    with (gzip.open if given.log.endswith(".gz") else open)(given.log, "rt", errors="replace") as lines:
        for line in lines:
            field = line.split()
            if len(field) >= 18 and not line.startswith(";"):
                log[field[0]] = field
    if given.extra:
        with open(given.extra, newline="") as file:
            extra = {line["job"]: line for line in csv.DictReader(file)}
    with open(given.truth, newline="") as file:
        rows = list(csv.DictReader(file))
    runs, wrong, skipped = {}, 0, 0
    for row in rows:
        folder = os.path.join(given.results, row["variant"].split(":")[0])
        if not os.path.isdir(folder):
            skipped += 1
            continue
        run = os.path.join(folder, "jobs-%02d-%s-%s.csv" % (1 if row["variant"] else int(row["scheduler"]) + 1, row["key"], row["repetition"]))
        if run not in runs:
            pairs = [pair for pair in waits(run, log, extra) if begin <= pair[2]["submitted"] < end]
            pairs.sort(key=lambda pair: (pair[2]["submitted"], pair[2]["number"]))
            for order, pair in enumerate(pairs):
                pair[2]["half"] = int(order >= len(pairs) // 2)
            runs[run] = pairs, {}
        pairs, cells = runs[run]
        if row["by"].startswith("cell "):
            top = int(row["by"][5:])
            if top not in cells:
                cells[top] = collections.Counter(hexagon(place(l, top), place(s, top)) for s, l, _ in pairs)
            wanted = {"jobs": cells[top].pop((int(row["to"]), int(row["from"])), 0)}
        else:
            wanted = nearness([pair[:2] for pair in pairs if belongs(row, pair[2])])
        for key, value in wanted.items():
            printed = None if row[key] == "" else float(row[key])
            if (printed is None) != (value is None) or value is not None and not math.isclose(printed, value, rel_tol=1e-12, abs_tol=1e-9):
                wrong += 1
                print("%s, %s %s: %s is %s, recomputed %s" % (run, row["by"] or "all", row["from"], key, row[key], value))
    for run, (_, cells) in runs.items():
        for left in cells.values():
            if left:
                wrong += 1
                print("%s: %d cells of the density are missing" % (run, len(left)))
    print("%d lines, %d of them not looked at, %d numbers differ" % (len(rows), skipped, wrong))
    sys.exit(1 if wrong or skipped == len(rows) else 0)


def waits(name, log, extra):
    """The simulated and the logged wait of each job that has both, with the job."""
    out = []
    with open(name, newline="") as file:
        for line in csv.DictReader(file):
            field = log[line["job_id"]]
            if int(field[2]) >= 0 and line["waiting_time"] not in ("", "-1"):
                more = extra.get(line["job_id"], {})
                job = {
                    "number": int(line["job_id"]), "submitted": int(line["submission_time"]), "size": int(line["requested_number_of_resources"]),
                    "partition": int(field[15]), "queue": int(field[14]), "group": int(field[12]), "week": int(line["submission_time"]) // 604_800,
                    **{name: int(more.get(name) or 0) for name in ("qos", "account", "gpus")},
                }
                out.append((int(line["waiting_time"]), int(field[2]), job))
    return out


def belongs(row, job):
    """Whether a job is of the part that a line of truth.csv is about."""
    return row["by"] == "" or int(row["from"]) <= job[row["by"]] <= int(row["to"])


def place(wait, top):
    """Where a wait stands on a side of the square, in hexagons."""
    return math.sqrt(min(wait, top) / top) * 20


def hexagon(x, y):
    """Row and column of the hexagon whose middle is nearest."""
    high = 0.8660254037844386
    found = []
    for row in (int(y / high), int(y / high) + 1):
        column = math.floor(x - row % 2 / 2 + 0.5)
        found.append(((x - row % 2 / 2 - column) ** 2 + (y - row * high) ** 2, row, column))
    return min(found)[1:]


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
        "within_twofold": sum(s <= 2 * l + 60 and l <= 2 * s + 60 for s, l in pairs) / n,
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
