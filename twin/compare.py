"""Sets random documents before the engine and before this simulator, and compares when
each job starts and ends: ./build.sh twin [N].

    python3 compare.py --batchlab PROGRAM [--count N] [--seed S]

Each jobs file is also read by reader.py. Prints how many runs agreed by scheduler, platform and request, and the smallest document
that differs. The exit status is 1 if any differs.
"""

import argparse
import collections
import copy
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

import campaign
import custom
import documents
import draws
import eligible
import grammar
import hill
import logged
import moves
import nodes
import predict
import reader
import rollout
import rules
import slurm
from grid import Grid
from jobs import annotate, clean, largest, reserve, scale, shape
from schedulers import KINDS, made
from shares import Shares
from simulate import Idle, Simulation
from streams import Stream
from users import Users


# Schedulers that draw random numbers, or are not written here, such as one that is new: their
# jobs files are only read (reader.py), slurm's apart, which comes in below; as-logged and custom come in by rest.py.
READ = sorted(set(grammar.schedulers(grammar.page())) - set(KINDS) - {"as-logged", "custom"})
KEYS = sorted(KINDS) + READ  # what is drawn, if nothing is said; programs have a test of their own
KINDS["custom"] = custom.Custom
KINDS["slurm"] = slurm.Slurm
KINDS["hill-climbing"] = hill.Hill


class Table(list):
    """The rows of a jobs file; moves: those of the moves file beside it."""

    moves = ()


class Engine:
    """batchlab in one process for all documents (docs/exec-protocol.md, many runs at once)."""

    def __init__(self, program, folder):
        self.folder, self.program = folder, program
        self.process = subprocess.Popen([program, "episodes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def run(self, doc, log, name="twin.swf", extra=None):
        """Rows of the jobs file of each point (from 1; 0 where nothing varies), scheduler and
        repetition, or the words of a refusal."""
        with open(os.path.join(self.folder, "d.json"), "w") as file:
            json.dump({key: value for key, value in doc.items() if key not in documents.APART}, file)
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(log)
        out = os.path.join(self.folder, "out")
        for left in os.listdir(out) if os.path.exists(out) else []:  # of a document that was given up half-way
            os.remove(os.path.join(out, left))
        if extra is None:
            extra = documents.extra(doc)
        if extra:
            with open(os.path.join(self.folder, "extra.csv"), "w") as file:
                file.write(extra)
        words = [os.path.join(self.folder, "d.json"), "--jobs", "--moves", "--out", out] + (["--log", os.path.join(self.folder, name)] if log else []) + (["--extra", os.path.join(self.folder, "extra.csv")] if extra else [])
        if documents.needed(doc):
            with open(os.path.join(self.folder, "needs.csv"), "w") as file:
                file.write(documents.needed(doc))
            words += ["--needs", os.path.join(self.folder, "needs.csv")]
        if documents.predictions(doc):
            with open(os.path.join(self.folder, "guesses.csv"), "w") as file:
                file.write(documents.predictions(doc))
            words += ["--predictions", os.path.join(self.folder, "guesses.csv")]
        self.process.stdin.write(json.dumps({"d": {"run": words}}).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())["d"][-1]
        if "failed" in answer:
            return answer["failed"].strip()
        tables = {}
        for name in sorted(os.listdir(out)):
            if name.startswith(("jobs-", "moves-")):
                parts = name[:-len(".csv")].split("-")
                point = int(parts.pop(1)) if doc.get("vary") else 0
                with open(os.path.join(out, name), newline="") as file:
                    table = Table(csv.DictReader(file))
                if parts[0] == "jobs":
                    tables[point, int(parts[1]) - 1, int(parts[-1])] = table
                else:
                    tables[point, int(parts[1]) - 1, int(parts[-1])].moves = table
                os.remove(os.path.join(out, name))
        return tables

    def drawn(self, case, doc, point, repetition):
        """A case of the document that was run last: at a point, with the jobs and machines that its
        generators drew for a repetition. Those are checked by other tests, what becomes of them here."""
        varies, (_, text, processors, rows) = bool(case[0].get("vary")), case
        doc = copy.deepcopy({key: value for key, value in doc.items() if key != "vary"})
        if "generator" in doc.get("platform", {}):
            names = ["-".join(["platform"] + [str(point)] * varies + [str(n)] * (n > 0)) + ".json" for n in (repetition, 0)]
            there = [os.path.join(self.folder, "out", name) for name in names if os.path.exists(os.path.join(self.folder, "out", name))]
            with open(there[0]) as file:  # as of the first repetition, if it is not written again
                made = json.load(file)
            del doc["platform"]["generator"]
            doc["platform"].update({key: made[key] for key in ("clusters", "licences") if key in made})
            for one in doc["platform"].get("licences", []):
                one.setdefault("copies", 1)
        if "generated" in doc:
            made = doc.pop("generated")
            words = [f"--{key}={','.join(map(str, value)) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else value}" for key, value in made["params"].items()]
            text = subprocess.run([self.program, "generate", made["key"], f"--seed={doc.get('seed', 1)}", f"--draw={repetition}"] + words, capture_output=True, text=True, check=True).stdout
            rows = [[int(word) for word in line.split()[:18]] + line.split()[18:] for line in text.splitlines() if line and line[0] != ";"]
            processors = int(next(line for line in text.splitlines() if line.startswith("; MaxProcs:")).split()[-1])
        platform = doc.get("platform", {})
        whole = sum(group.get("count", 1) * group.get("processors", 1) for cluster in platform.get("clusters", []) for group in cluster["groups"])
        return doc, text, platform.get("processors") or whole or processors, rows

    def first(self, doc, log, **more):
        """The same of the first repetition, by scheduler, of a document that does not vary."""
        tables = self.run(doc, log, **more)
        return tables if isinstance(tables, str) else [tables[0, i, 0] for i in range(len(doc["schedulers"]))]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def told(rows, gated=False):
    """What is compared of the engine's executions; where jobs may be held back, with the
    times at which they became eligible."""
    if not gated:
        return sorted((int(row["submission_time"]), int(row["job_id"]), int(row["starting_time"]), int(row["finish_time"])) for row in rows)

    def since(row):
        if row["starting_time"] == "-1":
            return -1
        return int(row["eligible"] if row.get("eligible") and not int(row["attempt"] or 0) else row["submission_time"])

    return sorted((int(row["job_id"]), since(row), int(row["starting_time"]), int(row["finish_time"])) for row in rows)


def simulated(doc, processors, rows, i, repetition=0, told=()):
    """The same of this simulator's, under scheduler i; told are the rows of its moves file."""
    most, workload = largest(doc.get("platform", {}), processors), doc["workload"]
    gated = eligible.gates(doc)
    said = eligible.said(rows, documents.beside(doc), workload) if gated else None
    shares = Shares(doc.get("platform", {}), processors, documents.reserved(doc))
    jobs = shape(clean(rows, most, workload.get("clean", {}), said, documents.beside(doc)), workload)
    if repetition and workload.get("resample") is not None:
        jobs = draws.resample(jobs, workload["resample"], doc.get("seed", 1), repetition)
    jobs = scale(jobs, workload)
    if gated:
        jobs = eligible.dress(jobs, doc, most)
    jobs = nodes.ask(jobs, doc.get("platform", {}), processors)
    doc = draws.failures(doc, processors, jobs, repetition)
    rules.give(jobs, doc, processors, repetition)
    jobs = reserve(annotate(jobs, workload), doc, documents.reserved(doc), processors, shares, rows, repetition)
    for job in jobs if gated else []:
        if job.wants:
            job.withdrawn = None
    if doc["schedulers"][i]["key"] == "as-logged":
        return logged.kept(jobs) if gated else logged.as_logged(jobs, users(doc, processors, jobs, repetition) if workload.get("react") is not None else None)
    told = moves.calls(told)
    sim = simulation(doc, processors, jobs, doc["schedulers"][i], gated, repetition, told)
    sim.book = predict.book(doc, doc["schedulers"][i], sim, predict.history(doc, processors, rows))
    if workload.get("react") is not None:
        sim.users, sim.coming, sim.first = users(doc, processors, jobs, repetition), [], 0
        sim.users.reset()
    if gated and not eligible.held_back(jobs):
        sim.first = jobs[0].submit
    done = sim.go()
    assert not any(told.values()), f"calls of the optimiser are left: {told}"
    if gated:
        ran = [(run.job.number, run.submitted, run.start, run.end) for run in done]
        return sorted(ran + [(job.number, -1, -1, -1) for job in sim.withdrawn + sim.rejected + sim.gate.held])
    ran = [(run.submitted, run.job.number, run.start, run.end) for run in done]
    return sorted(ran + [(job.submitted, job.number, -1, -1) for job in sim.rejected])


def optimises(one):
    return one["key"] == "plan-rs" and one.get("params", {}).get("optimiser") != "none"


def simulation(doc, processors, jobs, one, gated, repetition=0, told=None):
    seed, whole = doc.get("seed", 1), doc.get("platform", {})

    def make(one, doc, provider=""):
        if optimises(one):
            return moves.Optimised(one.get("params", {}), processors, (told or {}).setdefault(provider, []))
        scheduler = made(one, doc, processors)
        if one["key"] == "hill-climbing":
            scheduler.stream = Stream(seed, "hill-climbing", repetition)
        if one["key"] == "slurm":
            scheduler.draw(whole, seed, repetition)
        return scheduler

    if one["key"] != "grid":
        return Simulation(doc, processors, jobs, make(one, doc), gated)
    params, platform = one.get("params", {}), doc.get("platform", {})
    local = {"key": params.get("local", "fcfs-bf"), "params": {key: params[key] for key in LOCAL.get(params.get("local"), "").split() if key in params}}

    def own(cluster):
        """The scheduler of a provider: its own, that of all others, or what the grid's parameters say."""
        said = [entry for name in (cluster, "") for entry in one.get("providers", []) if entry.get("cluster", "") == name]
        return make((said or [local])[0], {"platform": {"clusters": []}, "workload": {}}, cluster)

    doc = {**doc, "platform": {key: value for key, value in platform.items() if key != "booking"}}  # it has its own
    reserves = platform.get("reservations") or doc["workload"].get("annotate", {}).get("reservations", {}).get("share") or any(job.wants for job in jobs)
    for job in jobs if reserves and params.get("no-limit") == "never" else []:
        job.endless = job.unasked
    return Grid(doc, processors, jobs, params, own, gated, repetition)


LOCAL = {"lsf": "blocked period", "sjf": "blocked period", "ppp": "blocked priority", "pppd": "blocked priority preempted", "fair-share": "blocked"}


def simulates(one):
    """Whether a scheduler is simulated here, and not only read."""
    params = one.get("params", {})
    if one["key"] == "grid":
        return params.get("local", "fcfs-bf") in KINDS and all(entry["key"] in KINDS for entry in one.get("providers", []))
    return one["key"] in KINDS or one["key"] == "as-logged"


def users(doc, processors, jobs, repetition):
    """The users of a document who react, and what its log says of them."""
    react, numbers = doc["workload"]["react"], {job.number: job for job in jobs}
    stated = {job: numbers[job.row[16]] for job in jobs if job.row and job.row[16] > 0 and job.row[16] in numbers}
    if react.get("ends", "auto") == "log" or react.get("ends", "auto") == "auto" and any(job.wait >= 0 for job in jobs):
        ends = {job: job.submit + job.wait + job.run for job in jobs if job.wait >= 0}
    else:
        ends = easy_ends(doc, processors, jobs)
    return Users(jobs, react, ends, stated, doc.get("seed", 1), repetition)


def easy_ends(doc, processors, jobs):
    """When the same jobs would end under EASY, none of them a reservation."""
    same = [copy.copy(job) for job in jobs]
    for job in same:
        job.wants, job.endless = None, False
    platform = {key: value for key, value in doc.get("platform", {}).items() if key != "booking"}
    try:
        sim = Simulation({"platform": platform}, processors, same, made({"key": "easy"}, doc, processors))
        runs = sim.go()
    except Idle:  # reservations may ask for more than a batch job may have
        same = [copy.copy(job) for job in same]
        sim = Simulation({"platform": {**platform, "limits": {}}}, processors, same, made({"key": "easy"}, doc, processors))
        runs = sim.go()
    ended = {run.job.number: run.end for run in runs if run.job not in sim.rejected}  # who was stopped before, and then rejected, never ended
    return {job: ended[job.number] for job in jobs if job.number in ended}


def differs(engine, case, i):
    """Whether the two part under scheduler i in its last repetition; and what each says."""
    doc, text, processors, rows = case
    tables = engine.run({**doc, "schedulers": [doc["schedulers"][i]]}, text)
    if isinstance(tables, str):
        return None
    last = max(tables)
    theirs, mine = told(tables[last], eligible.gates(doc)), attempt(doc, processors, rows, i, last[2], tables[last].moves)
    return (theirs, mine) if theirs != mine and not predict.Book.half else None


def attempt(doc, processors, rows, i, repetition=0, told=()):
    try:
        return simulated(doc, processors, rows, i, repetition, told)
    except Exception as fault:
        return f"{type(fault).__name__}: {fault}"


def shrunk(engine, case, i, seconds=60):
    """The smallest case like this one that still differs: jobs, keys and parameters are
    taken away, numbers made smaller, one after the other."""
    doc, _, processors, rows = case
    doc = {**doc, "schedulers": [doc["schedulers"][i]]}
    best, smaller, until = documents.dress(copy.deepcopy(doc), processors, rows), True, time.monotonic() + seconds
    while smaller:
        smaller = False
        for doc, processors, rows in variants(*best[:1], *best[2:]):
            if time.monotonic() > until:
                return best
            tried = documents.dress(doc, processors, rows)
            if rows and differs(engine, tried, 0):
                best, smaller = tried, True
                break
    return best


def variants(doc, processors, rows):
    for r in range(len(rows)):
        other = copy.deepcopy(doc)
        if "beside" in other:
            other["beside"].pop(rows[r][0], None)
        if other.get("reserved"):
            other["reserved"].pop(rows[r][0], None)
        yield other, processors, rows[:r] + rows[r + 1:]
    for job in doc.get("reserved") or {}:
        other = copy.deepcopy(doc)
        del other["reserved"][job]
        yield other, processors, rows
    for job, one in doc.get("beside", {}).items():
        for key in one:
            if key != "array_limit":
                other = copy.deepcopy(doc)
                for gone in (key, "array_limit") if key == "array" else (key,):
                    other["beside"][job].pop(gone, None)
                yield other, processors, rows
    for part in [("schedulers", 0, "params"), ("workload",), ("platform",), ("platform", "booking"), ("workload", "annotate")]:
        holder = doc
        for step in part:
            holder = holder.get(step, {}) if isinstance(holder, dict) else holder[step]
        for key in list(holder):
            if key in ("source", "extra", "optimiser", "clusters"):
                continue
            other = copy.deepcopy(doc)
            inner = other
            for step in part:
                inner = inner[step]
            del inner[key]
            if part == ("workload",) and key == "annotate":
                other.pop("reserved", None)
            yield other, processors, rows
    for one in doc.get("platform", {}).get("reservations", []) + doc.get("platform", {}).get("outages", []):
        for key in list(one):
            if key not in ("from", "to", "processors", "cluster"):
                kept = one.pop(key)
                yield copy.deepcopy(doc), processors, rows
                one[key] = kept
    for holder in (doc["workload"].get("annotate", {}).get("jobs", []), doc.get("platform", {}).get("outages", []), doc.get("platform", {}).get("reservations", []), doc.get("platform", {}).get("clusters", [])):
        for n in range(len(holder)):
            kept = holder[:]
            del holder[n]
            yield copy.deepcopy(doc), processors, rows
            holder[:] = kept
    for r, row in enumerate(rows):
        for field in (1, 2, 3, 7, 8, 11, 14, 17):
            for to in {1, row[field] // 2, row[field] - 1}:
                if 0 <= to < row[field]:
                    yield copy.deepcopy(doc), processors, rows[:r] + [row[:field] + [to] + row[field + 1:]] + rows[r + 1:]


def show(doc, text, words):
    print(json.dumps({key: value for key, value in doc.items() if key != "workload"}), json.dumps({k: v for k, v in doc["workload"].items() if k != "source"}))
    print(text + documents.extra(doc) + documents.needed(doc) + documents.predictions(doc), end="")
    print(*words, sep="\n")


def compared(engine, seed, asked, counts):
    """Sets the document of a seed before both; what parts, what cannot be, and a refusal."""
    case = documents.document(seed, asked.keys)
    tables, parted, broken = engine.run(case[0], case[1]), [], []
    counts.documents += 1
    if isinstance(tables, str):
        counts.refused += 1
        if " sim: " in tables and not any("Idle" in attempt(doc, *case[2:], i) for doc in documents.points(case[0]).values() for i in range(len(doc["schedulers"]))):
            broken.append((seed, case[0]["schedulers"][0], case, [tables]))  # no refusal: it ran, and broke off
        return parted, broken, tables
    points = documents.points(case[0])
    for (point, i, repetition), rows in sorted(tables.items()):
        drawn = engine.drawn(case, points[point], point, repetition)
        doc, one = drawn[0], drawn[0]["schedulers"][i]
        wrong = reader.faults(doc, drawn[2], rows) if one["key"] != "as-logged" else []
        counts.read[one["key"]] += 1
        if wrong:
            broken.append((seed, one, drawn, wrong))
        if not simulates(one):
            continue
        kind = one["key"], documents.platform_of(doc), documents.request_of(doc, one)
        if told(rows, eligible.gates(doc)) == attempt(doc, drawn[2], drawn[3], i, repetition, rows.moves):
            counts.agreed[kind] += 1
        elif not predict.Book.half:
            counts.differ[kind] += 1
            alone = {**doc, "schedulers": [{**one, "repeat": repetition + 1}]}
            parted.append((kind, (alone,) + drawn[1:], 0, seed))
    return parted, broken, None


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--batchlab", required=True)
    words.add_argument("--count", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--keys", nargs="*", default=KEYS)
    words.add_argument("--most", type=int, default=1, help="differing documents that are shown of each scheduler")
    words.add_argument("--keep", help="file of counts, by blocks of 100 seeds: those that it has are not done again")
    words.add_argument("--tables", action="store_true", help="write the tables of --keep into README.md, and compare nothing")
    words.add_argument("--seconds", type=float, default=20, help="how long each differing document is made smaller")
    asked = words.parse_args()
    counts, blocks, seeds = campaign.kept(asked.keep)
    if asked.tables:
        campaign.write(os.path.join(os.path.dirname(os.path.abspath(__file__)), "README.md"), counts)
        return
    parted, broken, refused = [], [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(asked.batchlab, folder)
        for first in range(asked.seed, asked.seed + asked.count, campaign.BLOCK):
            if first in blocks:
                continue
            block, wrong = campaign.Counts(), []
            for seed in range(first, min(first + campaign.BLOCK, asked.seed + asked.count)):
                differ, cannot, why = compared(engine, seed, asked, block)
                parted, broken = parted + differ, broken + cannot
                wrong += [seed] * bool(differ or cannot)
                if why:
                    refused[why] += 1
            if asked.keep:
                with open(asked.keep, "a") as file:
                    file.write(block.line(first, wrong) + "\n")
            counts.add(block)
            seeds += wrong
        table(counts)
        for seed, one, case, wrong in broken[:3]:
            show({**case[0], "schedulers": [one]}, case[1], [f"seed {seed}", "; ".join(wrong[:5])])
        for why, n in refused.most_common(5):
            print(f"{n} documents were refused: {why[:300]}")
        shown = collections.Counter()
        for kind, case, i, seed in parted:
            if shown[kind[0]] < asked.most and sum(shown.values()) < 6:
                shown[kind[0]] += 1
                small = shrunk(engine, case, i, asked.seconds)
                print()
                theirs, mine = differs(engine, small, 0) or ([], "parts only beside other runs")
                show(*small[:2], [f"seed {seed}, {kind}", f"engine: {[row[1:] for row in theirs]}", f"twin:   {mine if isinstance(mine, str) else [row[1:] for row in mine]}"])
        engine.close()
    if seeds:
        print(f"seeds with differences: {sorted(seeds)[:50]}")
    sys.exit(1 if seeds or not counts.agreed else 0)


def table(counts):
    """How many agree and differ: by scheduler and platform, and by request."""
    for title, part in (("scheduler, platform", lambda kind: kind[:2]), ("request", lambda kind: kind[2:])):
        print(f"{title:60}{'agree':>8}{'differ':>8}")
        ok, no = collections.Counter(), collections.Counter()
        for runs, into in ((counts.agreed, ok), (counts.differ, no)):
            for kind, n in runs.items():
                into[part(kind)] += n
        for kind in sorted(set(ok) | set(no)):
            print(f"{', '.join(kind):60}{ok[kind]:8}{no[kind]:8}")
    print(f"{counts.documents} documents, {counts.refused} of them refused: {sum(counts.agreed.values())} runs agree, {sum(counts.differ.values())} differ")
    print(f"{sum(counts.read.values())} jobs files were read: " + ", ".join(f"{key} {n}" for key, n in sorted(counts.read.items())), flush=True)


if __name__ == "__main__":
    main()
