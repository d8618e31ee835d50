"""Makes the reference schedules of reference/, and holds them to both implementations.

    python3 reference.py --batchlab PROGRAM [--check [--every N]]

A case is kept only if the engine and this simulator give every job the same starts and
ends, under every scheduler that both know. With --check nothing is written: the files
are to be what both say now, of every N-th case.
"""

import argparse
import copy
import csv
import io
import json
import os
import random
import re
import sys
import tempfile

import compare
import documents
import eligible

HOME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
CASES = os.path.join(HOME, "reference", "cases")
WANTED = 300
# Schedulers that only the engine has; their columns are marked in README.md.
ALONE = [{"key": "plan-rs", "params": {"iterations": 20}}, {"key": "hill-climbing"}, {"key": "foresight"}, {"key": "foresight-rollout"}]
ALL = [{"key": key} for key in ("fcfs", "easy", "conservative", "fcfs-bf", "lsf", "sjf", "ppp", "pppd", "fair-share", "orig-bf", "bf-unmod", "bf-mod")] + [
    {"key": "easy", "params": {"order": "spf"}}, {"key": "easy", "params": {"backfill": "saf", "threshold": 10}}, {"key": "plan-rs", "params": {"optimiser": "none"}}]


def row(number, submit, requested, run, procs, user=1, queue=1):
    return [number, submit, 0, run, procs, -1, -1, procs, requested, -1, 1, user, 1, 1, queue, -1, -1, -1]


def worked():
    """The tables of docs/simulation-rules.md: (name, document, processors, rows)."""
    with open(os.path.join(HOME, "docs", "simulation-rules.md")) as file:
        text = file.read()
    found = re.findall(r"On (\d+) processors?[^\n]*:\n\n\| job \|[^\n]*\n\|[-:|]+\n((?:\|[^\n]*\n)+)", text)
    for n, (processors, lines) in enumerate(found, 1):
        rows = [row(*(int(cell) for cell in line.strip("|").split("|")[:5])) for line in lines.splitlines()]
        yield f"rule-{n:02}", {}, int(processors), rows


FOUR = [row(1, 0, 10, 10, 3), row(2, 1, 8, 5, 4, 2), row(3, 2, 12, 12, 1, 1, 2), row(4, 3, 3, 3, 1, 2, 0), row(5, 3, 20, 6, 2, 3, -1)]
TWO = {"clusters": [{"name": "a", "groups": [{"count": 2}]}, {"name": "b", "groups": [{"count": 3}]}]}


def by_hand():
    """One case for each word of a document: (name, document, processors, rows)."""
    yield from worked()
    yield "one-job", {}, 4, [row(1, 7, 5, 3, 4)]
    yield "together", {}, 2, [row(n, 0, 5, 5, 1) for n in range(1, 6)]
    yield "same-number", {}, 2, [row(1, 0, 5, 5, 2), row(1, 1, 4, 4, 2), row(2, 1, 3, 3, 2)]
    yield "out-of-order", {}, 2, [row(2, 9, 5, 5, 2), row(1, 0, 9, 9, 1), row(3, 9, 4, 4, 1)]
    yield "cleaning", {}, 4, FOUR + [row(6, 4, 5, 0, 1), row(7, 4, 5, 9, 1), row(8, 4, -1, 5, 1), row(9, 4, 5, 5, 9)]
    yield "extend-clamp", {"workload": {"clean": {"overrun": "extend", "oversize": "clamp", "no_request": "drop"}}}, 4, FOUR + [row(7, 4, 5, 9, 1), row(8, 4, -1, 5, 1), row(9, 4, 5, 5, 9)]
    yield "window", {"workload": {"window": {"from": 1, "to": 3}}}, 4, FOUR
    yield "load", {"workload": {"scale": {"load": 2}}}, 4, FOUR
    yield "outage", {"platform": {"processors": 4, "outages": [{"from": 12, "to": 20, "announced": True}]}}, 4, FOUR
    yield "outage-part", {"platform": {"processors": 4, "outages": [{"from": 2, "to": 30, "announced": True, "processors": 1}]}}, 4, FOUR
    yield "failure", {"platform": {"processors": 4, "outages": [{"from": 5, "to": 9, "announced": False}]}}, 4, FOUR
    yield "failure-part", {"platform": {"processors": 4, "outages": [{"from": 4, "to": 9, "announced": False, "processors": 2}]}}, 4, FOUR
    yield "user-limit", {"platform": {"processors": 4, "limits": {"user_processors": 4}}}, 4, FOUR
    yield "class-limit", {"platform": {"processors": 4, "limits": {"classes": [{"longer_than": 11, "share": 0.5}]}}}, 4, FOUR
    yield "due-stop", {"workload": {"annotate": {"deadlines": {"on_due": "kill"}, "jobs": [{"job": 2, "due": 12}, {"job": 3, "due": 9}]}}}, 4, FOUR
    yield "due-count", {"workload": {"annotate": {"jobs": [{"job": 2, "due": 12}, {"job": 3, "due": 9}]}}}, 4, FOUR
    yield "set-up", {"workload": {"annotate": {"setup": {"min": 2, "max": 2}, "jobs": [{"job": 3, "setup": 0}]}}}, 4, FOUR
    yield "clusters", {"platform": TWO}, 5, [row(n, n, 6, 4, 1 + n % 3) for n in range(1, 8)]
    yield "eligible", {"platform": TWO, "workload": {"annotate": {"jobs": [{"job": 2, "on": ["a"]}, {"job": 3, "on": ["a"]}]}}}, 5, [row(n, n, 6, 4, 1 + n % 2) for n in range(1, 8)]
    nodes = {"clusters": [{"name": "n", "packing": "nodes", "groups": [{"count": 2, "processors": 2, "gpus": 1}, {"count": 1, "processors": 4, "speed": 2}]}]}
    yield "nodes", {"platform": nodes}, 8, [row(n, n, 6, 4, 1 + 2 * n % 5) for n in range(1, 8)]
    yield "gpus", {"platform": nodes, "workload": {"annotate": {"jobs": [{"job": 2, "gpus": 1}, {"job": 4, "gpus": 1}]}}}, 8, [row(n, n, 6, 4, 2) for n in range(1, 8)]
    machine = {"clusters": [{"name": "m", "packing": "machine", "groups": [{"count": 2, "processors": 2}, {"count": 1, "processors": 4, "speed": 2}]}]}
    yield "machines", {"platform": machine}, 8, [row(n, n, 6, 4, 1 + n % 3) for n in range(1, 8)]
    yield "speeds", {"platform": {**machine, "power_scales": True}}, 8, [row(n, n, 7, 5, 1 + n % 3) for n in range(1, 8)]
    cad = {"clusters": [{"name": "c", "groups": [{"count": 4, "licences": ["cad"]}]}], "licences": [{"name": "cad", "copies": 1}]}
    yield "licence", {"platform": cad, "workload": {"annotate": {"jobs": [{"job": n, "licences": ["cad"]} for n in (1, 2, 4)]}}}, 4, FOUR


def alone():
    """Requests that only the engine knows."""
    booked = lambda more, **booking: {"platform": {"processors": 4, "reservations": [{"processors": 2, "from": 8, "to": 20, **more}], **({"booking": booking} if booking else {})}}
    yield "reservation", booked({}), 4, FOUR
    yield "reservation-flexible", booked({"length": 5}), 4, FOUR
    yield "reservation-rejected", booked({"processors": 4}, mode="reject"), 4, FOUR
    yield "reservation-held", booked({"run": 4}, unused="hold"), 4, FOUR
    yield "reservation-period", booked({"length": 5}, delta=4), 4, FOUR
    yield "reservation-slots", booked({"from": 9, "length": 5}, slot=10), 4, FOUR
    yield "reservation-effort", booked({"processors": 4, "length": 6, "effort": "processors"}), 4, FOUR
    yield "reservation-suspends", booked({"processors": 4}, running="suspend"), 4, FOUR
    for think in ("logged", "drawn"):
        yield f"react-{think}", {"workload": {"react": {"think": think}}}, 4, [row(n, 7 * n, 9, 4 + n % 3, 1 + n % 4, n % 3) for n in range(1, 13)]
    for n, params in enumerate(({}, {"local": "easy"}, {"local": "conservative"}, {"local": "fcfs", "delta": 5}, {"local": "sjf", "load": "all"}, {"local": "orig-bf"}), 1):
        yield f"grid-{n}", {"platform": TWO, "schedulers": [{"key": "grid", **({"params": params} if params else {})}]}, 5, [row(k, k, 6, 4, 1 + k % 3) for k in range(1, 10)]
    for predictor in ("last-two", "user-median", "kernel", "true"):
        by = [{"key": "easy", "params": {"orders-by": "prediction", "backfill-by": "prediction", "backfill": "spf"}}, {"key": "conservative", "params": {"plan-by": "prediction"}},
              {"key": "orig-bf", "params": {"plan-by": "prediction"}}, {"key": "easy", "params": {"order": "spf", "orders-by": "prediction"}}]
        yield f"foretold-{predictor}", {"predict": {"key": predictor}, "schedulers": by}, 4, [row(n, 3 * n, 12, 2 + n % 4, 1 + n % 4, n % 2) for n in range(1, 13)]


def drawn(rng, seed):
    """A random document whose name says what is in it, and whether it is worth keeping."""
    doc, _, processors, rows = documents.document(seed, [])
    words = [documents.platform_of(doc), documents.request_of(doc)]
    made = [documents.scheduler(rng, key) for key in ("easy", "conservative", "orig-bf", rng.choice(["lsf", "sjf", "ppp", "pppd", "bf-unmod", "bf-mod"]))]
    for one in made:
        if one["key"] == "pppd" and doc.get("platform", {}).get("power_scales"):
            one["params"] = {"preempted": "requeue"}
    name = re.sub(r"[^a-z0-9]+", "-", " ".join(word for word in words if word != "jobs").replace("power_scales", "speeds"))
    del doc["schedulers"]
    return name, doc, processors, rows, made


def dressed(name, doc, processors, rows, more=()):
    """A case with all schedulers that may run on it."""
    doc = copy.deepcopy(doc)
    doc.setdefault("workload", {})
    if "schedulers" not in doc:
        doc["schedulers"] = copy.deepcopy(ALL + list(more) + ALONE)
        if doc.get("platform", {}).get("power_scales"):
            for one in doc["schedulers"]:
                if one["key"] == "pppd":
                    one.setdefault("params", {})["preempted"] = "requeue"
    doc = {"batchlab": 1, "title": name, **doc}
    doc, text, processors, rows = documents.dress(doc, processors, rows)
    doc["workload"]["source"]["log"]["name"] = name + ".swf"
    return doc, text, processors, rows


def columns(doc):
    """What the columns of starts are called: keys, with a number from the second on."""
    names, seen = [], {}
    for one in doc["schedulers"]:
        seen[one["key"]] = n = seen.get(one["key"], 0) + 1
        names.append(one["key"] if n == 1 else f"{one['key']}-{n}")
    return names


def starts(tables):
    """The starts as a CSV: a line for each job, a column for each scheduler."""
    jobs, cells = [], []
    for rows in tables:
        column = {}
        for one in rows:
            number = int(one["job_id"])
            column.setdefault(number, []).append("-" if one["end_reason"] == "rejected" else one["starting_time"])
        cells.append(column)
    for column in cells:
        jobs += [job for job in column if job not in jobs]
    return [[job] + [" ".join(sorted(column.get(job, ["-"]), key=lambda t: -1 if t == "-" else int(t))) for column in cells] for job in sorted(jobs)]


def schedules(engine, case):
    """The CSV of a case, or what parts the two, or why the engine refuses it."""
    doc, text, processors, rows = case
    tables = engine.first(doc, text, name=doc["title"] + ".swf")
    if isinstance(tables, str):
        return None, tables
    for i, one in enumerate(doc["schedulers"]):
        if compare.simulates(one):
            mine = compare.attempt(doc, processors, rows, i, 0, tables[i].moves)
            theirs = compare.told(tables[i], eligible.gates(doc))
            if mine != theirs:
                return None, f"{doc['title']}: {one} differs: engine {theirs}, twin {mine}"
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([["job"] + columns(doc)] + starts(tables))
    return out.getvalue(), ""


def paths(name):
    return [os.path.join(CASES, name + end) for end in (".json", ".swf", ".csv")]


def write(case, text):
    for path, content in zip(paths(case[0]["title"]), (json.dumps(case[0]) + "\n", case[1], text)):
        with open(path, "w") as file:
            file.write(content)


def make(engine):
    names, counts = set(), {}
    for source in (by_hand(), alone()):
        for case in source:
            made = dressed(*case)
            text, why = schedules(engine, made)
            if text is None:
                sys.exit(f"{case[0]}: {why}")
            write(made, text)
            names.add(case[0])
    seed = 0
    while len(names) < WANTED:
        seed += 1
        name, doc, processors, rows, more = drawn(random.Random(seed), seed)
        kind = name
        if counts.get(kind, 0) >= 4 or not 3 <= len(rows) <= 12:
            continue
        name = f"{kind}-{counts.get(kind, 0) + 1}"
        made = dressed(name, doc, processors, rows, more)
        text, why = schedules(engine, made)
        if text is None:
            if "differs" in why:
                print("left out:", why)
            continue
        lines = list(csv.reader(io.StringIO(text)))
        if len(lines) < 4 or len({tuple(line[c] for line in lines[1:]) for c in range(1, len(lines[0]))}) < 4:
            continue  # nearly all schedulers agree
        counts[kind] = counts.get(kind, 0) + 1
        write(made, text)
        names.add(name)
    for path in os.listdir(CASES):
        if path.rsplit(".", 1)[0] not in names:
            os.remove(os.path.join(CASES, path))
    print(f"{len(names)} cases")


def held(engine, every):
    """Reads each case as others would, from its files alone."""
    wrong, names = [], sorted(path[:-5] for path in os.listdir(CASES) if path.endswith(".json"))
    if len(names) != WANTED:
        wrong.append(f"there are {len(names)} cases, not {WANTED}")
    both = 0
    for name in names[::every]:
        doc, log, want = (open(path).read() for path in paths(name))
        doc = json.loads(doc)
        rows = [[int(word) for word in line.split()] for line in log.splitlines()[1:]]
        text, why = schedules(engine, (doc, log, int(log.split()[2]), rows))
        if text != want:
            wrong.append(f"{name}: {why or 'other starts than its file says'}")
        both += sum(compare.simulates(one) for one in doc["schedulers"])
    with open(os.path.join(HOME, "reference", "README.md")) as file:
        code = file.read().split("```python\n")[1].split("```")[0]
    reading = {"HOME": HOME}
    exec(code.replace('f"reference', 'HOME + f"/reference'), reading)
    own = {1: 0, 2: 6, 3: 6, 4: 8}  # FCFS in the first table of the rules
    said = [reading["first_difference"]("rule-03", key, own) for key in ("fcfs", "easy")]
    if said != ["no difference", "job 3 starts at 6, not at 1"]:
        wrong.append(f"the reader of README.md says {said}")
    print(*wrong, f"{len(names[::every])} cases, {both} schedules by both", sep="\n")
    return 1 if wrong else 0


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--batchlab", required=True)
    words.add_argument("--check", action="store_true")
    words.add_argument("--every", type=int, default=1)
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        engine = compare.Engine(asked.batchlab, folder)
        status = held(engine, asked.every) if asked.check else make(engine)
        engine.close()
    sys.exit(status)


if __name__ == "__main__":
    main()
