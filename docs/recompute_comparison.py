"""Recomputes comparison.csv: quotients, their 95 % intervals and the words for them.

recompute.py uses it. It follows docs/reading-the-charts.md ("How sure is that?") and
docs/command-line.md (comparison), shares no code with Batchlab, and needs Python 3 alone.
"""

import math

SHARES = {"utilization": 1.0}  # measures that are a share, or in per cent, and what all of it is
SHARES.update(dict.fromkeys(("out-of-deadline", "licence-usage", "complaint-share", "rejected-reservations", "reserved-idle"), 100.0))
MACHINE = ("makespan", "utilization", "throughput", "mean-queue-length", "max-queue-length", "system-usage")
MORE_IS_BETTER = ("utilization", "throughput", "system-usage", "licence-usage", "provider-utilization")
NEITHER = ("jobs", "killed", "area")
ONCE_MORE = {"batch-wait": "mean-wait", "batch-flow": "mean-turnaround"}  # second names of a number
MEAN_WAIT, MEAN_SLOWDOWN = "mean-wait", "mean-bounded-slowdown"
LEAST = {s + k: 1.0 for s in ("mean", "median", "p90", "p95", "p99", "max") for k in ("-slowdown", "-bounded-slowdown", "-per-proc-bounded-slowdown")}  # else 0
BAND = ("least", "median", "greatest")
SURELY, PROBABLY, UNCLEAR, NONE = "surely", "probably", "unclear", "none"


def compared(lines, runs, document):
    """The lines of comparison.csv as dicts, from those of summary.csv and the runs of
    repetition 0 by scheduler (recompute.Run)."""
    resample = document["workload"].get("resample")
    by = resample and resample.get("by", "weeks")
    pieces = weight(by, resample, runs) if by in ("users", "weeks") else 0
    schedulers, out = {}, []
    for line in lines:
        schedulers.setdefault(int(line["scheduler"]), []).append(line)
    keys = [k for k in lines[0] if k not in ("scheduler", "key", "label", "repetition", "workload", "processors")]
    copies = {id(line) for mine in schedulers.values() for line in mine if is_copy(line, mine, document)}
    for name in keys:
        key = ONCE_MORE.get(name, name)
        for s in sorted(schedulers):
            mine, base = schedulers[s], schedulers[0]
            has = [line for line in mine if line[name] != ""]
            values = [float(line[name]) for at, line in enumerate(has) if at == 0 or id(line) not in copies]
            if not values:
                continue
            first = has[0]["repetition"] == "0"
            value, low, high = estimate(values, key, by, pieces if first else 0)
            phases = phased(mine[0], document) or phased(base[0], document)
            if phased(mine[0], document) and len(values) > 1:
                value, low, high = mean(values), None, None
            row = {"metric": name, "scheduler": s, "baseline": 0, "mean": value, "low": low, "high": high, "repetitions": len(values), "pairs": 0, "interval": "", "verdict": ""}
            if phased(mine[0], document) and len(values) > 1:
                row.update(zip(BAND, band(values)))
            pairs = []
            for line in mine if s else []:
                other = next((o for o in base if o["repetition"] == line["repetition"] and o["workload"] == line["workload"]), None)
                if other is None or id(line) in copies and id(other) in copies and pairs or line[key] == "" or other[key] == "":
                    continue
                pairs.append((float(line[key]), float(other[key]), line["repetition"]))
            if phases and len(pairs) > 1:
                row.update(over_phases([p[:2] for p in pairs], key))
            elif pairs:
                own = Own(runs.get(s), runs.get(0), key, document) if mine[0]["repetition"] == "0" else Own(None, None, key, document)
                row.update(difference([p[:2] for p in pairs], key, by, pieces if pairs[0][2] == "0" else 0, own))
            out.append(row)
    return out


def is_copy(line, mine, document):
    """Whether a repetition is repetition 0 once more: the same jobs and machines, and nothing drawn at random."""
    if line["repetition"] == "0" or "generator" in document["workload"]["source"] or document["workload"].get("resample"):
        return False
    scheduler = document["schedulers"][int(line["scheduler"])]
    params = scheduler.get("params") or {}
    drawn = {
        "hill-climbing": True,
        "exec": True,
        "custom": "random" in str(params.get("code", "")),
        "plan-rs": params.get("optimiser", "random-search") in ("random-search", "annealing", "tabu", "lns"),
        "slurm": params.get("phase") in (None, "random"),
        "grid": "random" in (params.get("batch"), params.get("reservations"), params.get("tie")),
    }.get(line["key"], False)
    return not drawn and line["workload"] == mine[0]["workload"]


def phased(line, document):
    """Whether repetitions differ by when the scheduler's loops tick, over the same jobs."""
    workload, params = document["workload"], document["schedulers"][int(line["scheduler"])].get("params") or {}
    return line["key"] == "slurm" and params.get("phase") in (None, "random") and "generator" not in workload["source"] and not workload.get("resample")


def band(values):
    v, n = sorted(values), len(values)
    return v[0], (v[(n - 1) // 2] + v[n // 2]) / 2, v[-1]


def over_phases(pairs, key):
    """What two schedulers differ by, phase by phase: a band, and no interval."""
    gaps = [a - b for a, b in pairs]
    out = {"difference": mean(gaps), "pairs": len(pairs)}
    if not any(gaps):
        return dict(out, verdict="same", **({} if key in SHARES else {"relative": 0.0 if min(b for _, b in pairs) > 0 else None}))
    out.update(zip(("difference_" + k for k in BAND), band(gaps)))
    quotients = band([a / b - 1 for a, b in pairs]) if min(b for _, b in pairs) > 0 and key not in SHARES else None
    if quotients:
        out.update(zip(("relative_" + k for k in BAND), quotients))
    low, middle, high = quotients or band(gaps)
    out["verdict"] = word(key, middle > 0, SURELY, len(pairs)) if min(gaps) > 0 or max(gaps) < 0 else "within the band"
    return out


def weight(by, resample, runs):
    """Of how many pieces of about the same weight the log consists."""
    jobs = next(iter(runs.values())).jobs
    if by == "weeks":
        whole = (max(j.submit for j in jobs) - min(j.submit for j in jobs) + 1) // 604800
        return whole / resample.get("block", 1)
    work = {}
    for j in jobs:
        if not j.last.rejected:
            work[j.user] = work.get(j.user, 0) + j.last.requested * j.run
    return sum(work.values()) ** 2 / sum(w * w for w in work.values())


class Own:
    """What two runs over one log say of how far the logarithm of their quotient sways."""

    def __init__(self, mine, base, key, document):
        self.known, self.alike, self.users, self.days = False, 0.0, 0.0, 0.0
        if mine is None or base is None or key not in (MEAN_WAIT, MEAN_SLOWDOWN) or document["workload"].get("react"):
            return

        def of(run, j):
            return float(j.wait) if key == MEAN_WAIT else max(1.0, j.turnaround / max(j.run, run.tau))

        theirs = {j.number: of(base, j) for j in base.queued}
        a, b = math.fsum(of(mine, j) for j in mine.queued), math.fsum(theirs.values())
        if set(theirs) != {j.number for j in mine.queued} or not a > 0 or not b > 0:
            return
        self.known = True
        first = mine.queued[0].submit
        days = [0.0] * ((mine.queued[-1].submit - first) // 86400 + 1)
        users, work = {}, {}
        for j in mine.queued:
            z = (of(mine, j) - a / b * theirs[j.number]) / a
            days[(j.submit - first) // 86400] += z
            users[j.user] = users.get(j.user, 0.0) + z
            work[j.user] = work.get(j.user, 0) + j.last.procs * j.run + sum(e.procs * (e.end - e.start) for e in j.lost)
        waves = [math.fsum(z * math.cos(math.pi * k * (d + 0.5) / len(days)) for d, z in enumerate(days)) for k in range(1, 5)]
        self.days = math.fsum(w * w for w in waves) / 2
        if len(days) >= 21 and any(u >= 0 for u in work):
            self.users = math.fsum(z * z for z in users.values())
            self.alike = float(sum(work.values())) ** 2 / sum(float(w) * w for w in work.values())


def mean(values):
    return sum(values) / len(values)


def half(values):
    """Half of mean ± half, by Student's t."""
    m = mean(values)
    return student(len(values) - 1.0) * math.sqrt(sum((v - m) ** 2 for v in values) / (len(values) - 1)) / math.sqrt(len(values))


def factor(key):
    if key in MACHINE or key.startswith("max-"):
        return 0
    return 1.25 if key.endswith("-wait") or key.endswith("-turnaround") or key == "waits-over-day" else 1.5


def slow(key):
    return 1.0 if factor(key) == 1.25 else 1.25


def drawn(x, pieces):
    """The variance of logs like this one and Student's t, of draws from it."""
    m = mean(x)
    f = max(1.0, 1 / (1 / (pieces - 1) + 1 / (len(x) - 1)))
    return sum((v - m) ** 2 for v in x) / (len(x) - 1) * pieces / (pieces - 1), student(f)


def width(x, pieces):
    """t × √(s² × m ÷ (m − 1) + b²) of logarithms, the log's own first."""
    variance, t = drawn(x[1:], pieces)
    return t * math.sqrt(variance + (mean(x[1:]) - x[0]) ** 2)


def estimate(values, key, by, pieces):
    n = len(values)
    if pieces > 0:
        if n < 3 or by != "users" or factor(key) == 0 or pieces < 2 or min(values) <= 0:
            return values[0], None, None
        x = [math.log(v) for v in values]
        h = factor(key) * width(x, pieces)
        return values[0], max(LEAST.get(key, 0.0), math.exp(x[0] - h)), math.exp(x[0] + h)
    m = mean(values)
    if n < 3:
        return m, None, None
    h = half(values)
    if key in SHARES or min(values) <= 0:
        low = m - h if min(values) < 0 else max(LEAST.get(key, 0.0), m - h)
        return m, low, min(m + h, SHARES.get(key, math.inf))
    return m, max(LEAST.get(key, 0.0), m / math.exp(min(h / m, 700))), m * math.exp(min(h / m, 700))


def difference(pairs, key, by, pieces, own):
    a, b = [p[0] for p in pairs], [p[1] for p in pairs]
    n = len(pairs)
    if n == 1:  # the log alone, whatever could be drawn from it
        by, pieces = None, 0
    base, value = (b[0], a[0]) if pieces > 0 else (mean(b), mean(a))
    out = {"difference": value - base, "pairs": n}
    relative = value / base - 1 if base > 0 else None
    positive = min(a) > 0 and min(b) > 0
    ends, sure, quotient = None, NONE, True
    x = [math.log(p) - math.log(q) for p, q in pairs] if positive else None
    if a == b:
        out["verdict"] = "same"
    elif n == 1:
        if positive and own.alike >= 2:
            h = 2.78 * (1.5 if key == MEAN_SLOWDOWN else 1) * math.sqrt(own.users + own.days)
            ends, sure, out["interval"] = (x[0] - h, x[0] + h), PROBABLY if abs(x[0]) > h else UNCLEAR, "this log alone"
    elif pieces > 0:
        if n >= 3 and positive and factor(key) and pieces >= 2:
            if by == "users":
                h, k, out["interval"] = width(x, pieces), factor(key), "draws of users"
            elif key in (MEAN_WAIT, MEAN_SLOWDOWN) and own.known:
                variance, t = drawn(x[1:], pieces)
                h, k, out["interval"] = max(3.5, t) * math.sqrt(variance + own.days), slow(key), "draws of weeks"
            if out.get("interval"):
                ends = x[0] - k * h, x[0] + k * h
                sure = SURELY if abs(x[0]) > k * h else PROBABLY if abs(x[0]) > h else UNCLEAR
    elif n >= 3:
        out["interval"] = "independent workloads"
        if key in SHARES or not positive:
            quotient = False
            middle, h = mean([p - q for p, q in pairs]), half([p - q for p, q in pairs])
            low, high = middle - h, middle + h
            if min(a + b) >= 0:
                low = max(low, LEAST.get(key, 0.0) - base)
                if key in SHARES:
                    high = min(high, SHARES[key] - base)
            out["difference_low"], out["difference_high"] = low, high
        else:
            middle, h = mean(x), half(x)
            relative = math.exp(middle) - 1
            ends = middle - h, middle + h
        sure = SURELY if abs(middle) > h else UNCLEAR
    if ends:
        low, high = (math.exp(max(-700.0, min(e, 700.0))) - 1 for e in ends)
        out["difference_low"], out["difference_high"] = (max(base * e, LEAST.get(key, 0.0) - base) for e in (low, high))
        if key not in SHARES:
            out["relative_low"], out["relative_high"] = low, high
    if key not in SHARES:
        out["relative"] = relative
    if a != b:
        up = (relative if ends else value - base) > 0
        out["verdict"] = word(key, up, sure, n)
    return out


def word(key, up, sure, n):
    if sure == NONE:
        return "one workload" if n == 1 else "no interval"
    if sure == UNCLEAR:
        return "no clear difference"
    if key in NEITHER:
        said = "higher" if up else "lower"
    else:
        said = "better" if up == (key in MORE_IS_BETTER) else "worse"
    return "probably " + said if sure == PROBABLY else said


def student(f):
    """The 97.5 % quantile of Student's t with f degrees of freedom, whole or not, by
    continued fractions of the incomplete beta function and bisection."""

    def tails(t):
        x, a, b = f / (f + t * t), f / 2, 0.5
        front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
        if x < (a + 1) / (a + b + 2):
            return front * fraction(x, a, b) / a
        return 1 - front * fraction(1 - x, b, a) / b

    def fraction(x, a, b):  # modified Lentz
        tiny = 1e-300
        c, d = 1.0, 1 - (a + b) * x / (a + 1)
        d = 1 / (d if abs(d) > tiny else tiny)
        h = d
        for m in range(1, 500):
            for n in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
                d, c = 1 + n * d, 1 + n / c
                d = 1 / (d if abs(d) > tiny else tiny)
                c = c if abs(c) > tiny else tiny
                h *= d * c
            if abs(d * c - 1) < 1e-16:
                break
        return h

    low, high = 1.9, 13.0
    for _ in range(100):
        t = (low + high) / 2
        if tails(t) > 0.05:
            low = t
        else:
            high = t
    return low
