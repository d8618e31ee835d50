"""What random documents have beside documents.py: rows of docs/experiment.md that are rarer,
parameters drawn from their own rows (grammar.py), and documents of several runs."""

import re

import grammar

WRITTEN = {"local", "order", "backfill", "weights", "scales", "formula", "backfill-weights", "backfill-scales", "backfill-formula", "code", "name", "command", "time-limit",
           "plan-by", "orders-by", "backfill-by", "binding"}  # by documents.py, or nowhere
FEW = {"iterations": 30, "evaluations": 200, "restarts": 3, "scenarios": 12, "depth": 9, "jobs": 12, "machines": 5, "zewura": 2, "zegox": 3, "nodes-max": 3}  # the most of it


def add(rng, doc, made, size, most, log):
    """Adds to a document; made is its platform, an empty one if it has none."""
    plain = not set(doc["workload"]) & {"annotate", "react", "dependencies", "withdrawn"} and not doc.get("reserved") and not doc.get("beside") and not set(made) & {"partitions", "qos", "accounts", "reservations"}
    parameters(rng, doc, made, ["period", "delta", "interval", "cycle", "bf_interval", "sched_interval"] if log[-1][1] > 1000 else [])  # of seconds, where the log has days
    ranks(rng, made)
    odds(rng, doc, made, log)
    if plain and rng.random() < 0.25 or not set(doc["workload"]) & {"annotate", "react"} and not doc.get("reserved") and rng.random() < 0.06:
        rules(rng, doc, made)
    elif plain and rng.random() < 0.1:
        doc["workload"]["scale"] = {**doc["workload"].get("scale", {}), "known": rng.choice([0.5, 1, 0.25])}
    if rng.random() < 0.06:
        draws(rng, doc, made, log)
    if log[-1][1] < 9000 and rng.random() < 0.06:
        failures(rng, doc, made)
    if rng.random() < 0.06:
        other(rng, doc, made, size, log)
    if rng.random() < 0.1 and not set(doc) & {"generated", "inline"}:
        specify(rng, made, log)
    if rng.random() < 0.05:
        doc["schedulers"].append({"key": "as-logged"})
    if rng.random() < 0.06:
        vary(rng, doc)
    for key, value in made.items():
        doc.setdefault("platform", {})[key] = value


def value(rng, name, kind, default, lists):
    """A value of a parameter, from what its row says of it; None if that says too little."""
    if lists:
        return rng.choice(lists)
    if kind == "bool":
        return rng.choice([True, False])
    said = re.fullmatch(r"(int|number|s) (\S+)…(\S*?)\??", kind)  # such as: int 1…64?
    if not said:
        return None
    least, greatest = float(said[2]), min(float(said[3] or 1e9), FEW.get(name, 1e9))
    usual = float(default) if default not in ("", "null") else 5
    whole = said[1] != "number"
    some = [least, usual, usual * 2, usual / 2, usual / 10, least + 1, least + 3, least + 20] + ([least + 60] if whole else [0.3, 0.8])
    some = [x for x in some if least <= x <= greatest]
    one = rng.choice(some)
    return int(one) if whole else one


def parameters(rng, doc, made, without):
    listed = grammar.parameters()
    scaled = made.get("power_scales")
    for one in doc["schedulers"]:
        for kind, entry in (("schedulers", one), ("predict", one.get("predict"))):
            own = [row for row in listed if entry and row[0] == f"{kind}.{entry['key']}" and row[1] not in WRITTEN and row[1] not in without]
            if not own or rng.random() < 0.6:
                continue
            for _, name, words, default, lists in rng.sample(own, min(len(own), rng.choice([1, 1, 2, 4]))):
                chosen = value(rng, name, words, default, lists)
                if name in ("deadline-min", "cold"):
                    chosen = least(chosen, name)
                if chosen is not None and name not in entry.get("params", {}) and not (scaled and chosen == "suspend"):
                    entry.setdefault("params", {})[name] = chosen
    if rng.random() < 0.03:
        some = {name: value(rng, name, words, default, lists) for place, name, words, default, lists in listed if place == "measures.patience"}
        doc["measures"] = {"tau": rng.choice([1, 60]), "from": rng.choice([None, 3]), "to": rng.choice([None, 30]), "patience": {**{name: some[name] for name in rng.sample(sorted(some), 5)}, **{f"from-{n}": 9 * n for n in (2, 3, 4, 5)}}}
    if rng.random() < 0.05:
        doc["title"], doc["seed"] = "random", rng.randrange(1, 9)
        doc["schedulers"][0]["label"] = "first"


SLURM = [  # parameters of slurm, with values that matter where times are seconds and jobs few
    ("version", "22.05", "23.11", "24.11", "25.11"), ("phase", 0, 3, 17, 150), ("SchedulerType", "sched/backfill", "sched/backfill", "sched/builtin"), ("SelectType", "select/cons_tres", "select/linear"),
    ("PriorityType", "default", "priority/basic", "priority/multifactor", "priority/multifactor"), ("sched_interval", -1, 1, 7, 20, 60), ("batch_sched_delay", 0, 1, 3, 10), ("sched_min_interval", 0, 5000000),
    ("default_queue_depth", 0, 1, 3), ("partition_job_depth", 1, 2), ("sched_max_job_start", 1, 2), ("defer", True), ("bf_interval", -1, 1, 3, 5, 9, 30), ("bf_resolution", 1, 2, 5, 13, 60),
    ("bf_window", 1, 1, 2), ("bf_max_job_test", 1, 2, 4), ("bf_max_job_start", 1, 2), ("bf_max_job_part", 1, 3), ("bf_max_job_user", 1, 2), ("bf_max_job_user_part", 1, 2), ("bf_max_job_assoc", 1, 2),
    ("bf_min_age_reserve", 2, 10, 30), ("bf_min_prio_reserve", 500, 2000, 4294901755), ("bf_one_resv_per_job", True), ("bf_window_linear", 1, 10, 30), ("bf_node_space_size", 2, 3, 5),
    ("PriorityWeightAge", 100, 1000, 100000), ("PriorityWeightJobSize", 10, 1000), ("PriorityWeightPartition", 100, 1000), ("PriorityWeightQOS", 100, 1000), ("PriorityWeightFairshare", 100, 1000, 100000),
    ("PriorityMaxAge", 5, 30, 600), ("PriorityDecayHalfLife", 0, 3, 20, 600), ("PriorityCalcPeriod", 1, 4, 10, 30), ("PriorityFavorSmall", True), ("SMALL_RELATIVE_TO_TIME", True), ("NO_FAIR_TREE", True),
    ("ACCRUE_ALWAYS", True), ("FairShareDampeningFactor", 2, 5),
    ("PreemptType", "preempt/qos", "preempt/partition_prio"), ("PreemptMode", "off", "cancel", "requeue", "suspend"), ("PreemptExemptTime", 0, 2, 8), ("preempt_reorder_count", 1, 2), ("preempt_youngest_first", True),
]


def slurm(rng):
    """Parameters of slurm: the loops come often, since jobs are short."""
    some = dict.fromkeys([row for row in SLURM if row[0] in ("phase", "bf_interval", "bf_resolution", "sched_interval")] if rng.random() < 0.7 else [])
    some.update(dict.fromkeys(rng.sample(SLURM, rng.choice([0, 1, 3, 6, 12]))))
    if rng.random() < 0.3:
        some.update(dict.fromkeys(row for row in SLURM if row[0] in ("PreemptType", "PreemptMode")))
    return {name: rng.choice(values) for name, *values in some}


def least(chosen, name):
    """Keeps what must not exceed another parameter's default below it."""
    return min(chosen, 0.01 if name == "cold" else 20)


def ranks(rng, made):
    """What only schedulers with ranks look at."""
    for key, names in (("partitions", ("tier", "priority")), ("qos", ("priority",)), ("accounts", ("shares",))):
        for n, one in enumerate(made.get(key, []), 1):
            if rng.random() < 0.4:
                one.update({name: rng.choice([1, 2, 5]) for name in names})
            if key != "accounts" and rng.random() < 0.15:
                one["preempt"] = rng.choice(["off", "cancel", "requeue"] + ["suspend"] * (not made.get("power_scales")))
            if key != "accounts" and rng.random() < 0.1:
                one["number"] = n
            if key == "accounts" and rng.random() < 0.2:
                one["users"] = [{"user": 1, "shares": rng.choice([0, 2, 7])}]
    if len(made.get("qos", [])) > 1 and rng.random() < 0.4:
        made["qos"][1]["preempts"] = ["q0"]


def odds(rng, doc, made, log):
    """Names, disks, properties, limits of the whole, weights of jobs."""
    for one in made.get("outages", []) + made.get("reservations", []):
        if rng.random() < 0.1:
            one["name"] = "so called"
    for kind in made.get("limits", {}).get("classes", []):
        if rng.random() < 0.25:
            kind["whole"] = True
    machines = [c for c in made.get("clusters", []) if c.get("packing", "processors") != "processors"]
    for cluster in machines:
        for group in cluster["groups"]:
            if rng.random() < 0.1:
                group["disk"] = 5
            if rng.random() < 0.2:
                group["properties"] = rng.choice([["fast"], ["fast", "ib"]])
    there = {name for c in machines for group in c["groups"] for name in group.get("properties", [])}
    disks = any("disk" in group for c in machines for group in c["groups"])
    counted = len(machines) < len(made.get("clusters", []))
    for job in doc["workload"].get("annotate", {}).get("jobs", []):
        if there and not counted and rng.random() < 0.2:
            job["on"] = [sorted(there)[0]]
        if disks and not counted and rng.random() < 0.2:
            job["disk"] = rng.choice([1, 3])
        if rng.random() < 0.1:
            job["weight"] = rng.choice([0.5, 2, 10])
    for one in doc["schedulers"]:
        if one["key"] == "grid" and made.get("clusters") and rng.random() < 0.2:
            keys = rng.sample(["fcfs", "easy", "sjf", "fair-share", "conservative", "slurm", "slurm"], 2)
            one["providers"] = [{"key": keys[0]}] + [{"key": keys[1], "cluster": made["clusters"][0]["name"]}] * (rng.random() < 0.5)
            for entry in one["providers"]:
                if entry["key"] == "slurm":
                    without = ("bf_interval", "sched_interval") if log[-1][1] > 1000 else ()
                    entry["params"] = {name: value for name, value in slurm(rng).items() if name not in without and not (made.get("power_scales") and value == "suspend")}
    if "window" in doc["workload"] and rng.random() < 0.5:
        doc["workload"]["window"]["history"] = True
    if "filter" in doc["workload"] and rng.random() < 0.3:
        doc["workload"]["filter"] = rng.choice([{"max_procs": 3}, {"min_run": 3}])


def rules(rng, doc, made):
    """Rules for a share of the jobs, which are drawn."""
    some, clusters = {}, made.get("clusters", [])
    share, some_of = lambda: rng.choice([0.2, 0.5, 1]), lambda most: range(rng.choice([1, 1, most]))
    if rng.random() < 0.3:
        low = rng.choice([0, 3])
        some["deadlines"] = {"share": share(), "factor": rng.choice([1, 2, 1.3]), "margin_min": low, "margin_max": low + rng.choice([0, 20]), "on_due": rng.choice(["kill", "count"])}
    if rng.random() < 0.3:
        some["weights"] = {"min": 0.5, "max": rng.choice([0.5, 3])}
    if rng.random() < 0.3:
        some["setup"] = {"min": rng.choice([0, 1]), "max": rng.choice([1, 4])}
    if clusters and rng.random() < 0.4:
        some["eligible"] = [{"on": sorted({rng.choice(clusters)["name"] for _ in some_of(2)}), "share": share()} for _ in some_of(3)]
    there = sorted({what for c in clusters for group in c["groups"] for what in ("gpus", "memory", "disk") if group.get(what)})
    if there and rng.random() < 0.5:
        some["needs"] = [{"share": share(), **{what: rng.choice([1, 2]) for what in there if rng.random() < 0.6}} for _ in some_of(3)]
    if rng.random() < 0.5 and made.get("licences"):
        some["licences"] = [{"licence": rng.choice(["*", made["licences"][0]["name"]]), "share": share(), **({"copies": 1} if rng.random() < 0.5 else {})} for _ in some_of(2)]
    if rng.random() < 0.3:
        low, factor = rng.choice([0, 4]), rng.choice([0, 1, 1.5])
        some["reservations"] = {"share": rng.choice([0.3, 0.6, 1]), "ready": rng.choice(["drawn", "log"]), "lead_min": low, "lead_max": low + rng.choice([0, 5, 30]), "factor_min": factor, "factor_max": factor + rng.choice([0, 1, 2.5]),
                                "unit": rng.choice(["length", "wait", "hour"]), "enlarge": rng.choice(["interval", "both"]), "part": rng.choice([1, 0.5]), "length": rng.choice(["requested", "run"])}
    if some:
        doc["workload"]["annotate"] = some


def draws(rng, doc, made, log):
    """Other workloads drawn from the log, over weeks; several repetitions of each run."""
    if doc["workload"].get("react") is not None or "keep" in (doc["workload"].get("dependencies"), doc["workload"].get("withdrawn")):
        return
    doc["workload"]["resample"] = {"by": rng.choice(["weeks", "users", "shake"])}
    if rng.random() < 0.5:
        doc["workload"]["resample"].update({"block": rng.choice([1, 2]), "long-term": rng.choice([1, 2]), "jitter": rng.choice([1, 5, 30])})
    if doc["workload"]["resample"]["by"] != "shake" and not doc.get("reserved"):
        week = rng.choice([30000, 200000])
        for row in log:
            row[1] *= week
        unhurried(doc, made)
    for one in doc["schedulers"]:
        one["repeat"] = rng.choice([2, 3])


def unhurried(doc, made):
    """Takes away what comes every few seconds, where the log has days."""
    for one in doc["schedulers"] + [{"params": made.get("booking", {})}] + [entry for one in doc["schedulers"] for entry in one.get("providers", [])]:
        for key in ("period", "delta", "interval", "cycle", "bf_interval", "sched_interval"):
            one.get("params", {}).pop(key, None)


def failures(rng, doc, made):
    """Failures that are drawn."""
    if made.get("booking", {}).get("binding") == "static" or any(one.get("params", {}).get("binding") == "static" for one in doc["schedulers"]):
        return
    made["failures"] = {"key": "exponential", "params": {"mtbf": rng.choice([60, 200]), "repair": rng.choice([1, 5, 20]), "processors": rng.choice([1, 2])}}
    if rng.random() < 0.3:
        for one in doc["schedulers"]:
            one["repeat"] = 2


def other(rng, doc, made, size, log):
    """Jobs from elsewhere than a log, machines that are generated, other schedulers."""
    listed = grammar.parameters()

    def filled(place, n):
        own = [row for row in listed if row[0] == place]
        return {name: chosen for _, name, words, default, lists in rng.sample(own, min(n, len(own))) if (chosen := value(rng, name, words, default, lists)) is not None}

    way = rng.random()
    for key in ("filter", "window", "scale", "clean", "annotate", "react", "dependencies", "withdrawn", "resample"):
        doc["workload"].pop(key, None)
    for key in ("reserved", "beside"):
        doc.pop(key, None)
    for row in log if log[-1][1] > 9000 else []:
        row[1] %= 100
    log.sort(key=lambda row: (row[1], row[0]))
    for one in doc["schedulers"]:
        one.pop("repeat", None)
    if way < 0.3:
        doc["inline"] = rng.choice([[], ["requested"], ["requested", "user", "wait", "status"]])
        for row in log:
            row[12], row[13], row[14], row[15], row[7] = -1, -1, -1, -1, row[4]
            for name, field in (("requested", 8), ("user", 11), ("wait", 2), ("status", 10)):
                if name not in doc["inline"]:
                    row[field] = {"status": 1, "requested": row[3]}.get(name, -1)  # the run time was requested
    elif way < 0.6:
        key = rng.choice(["daily", "lublin", "farm", "two-level", "node-jobs"])
        doc["generated"] = {"key": key, "params": {**filled(f"generator.{key}", rng.choice([2, 14])), "jobs": rng.choice([3, 12])}}
        for name in ("processors", "procs-max", "procs-mean", "nodes-max") if rng.random() < 0.8 else ():  # such as the platform has
            if any(row[:2] == (f"generator.{key}", name) for row in listed):
                doc["generated"]["params"][name] = max(2 if name == "processors" else 1, size // (2 if name == "procs-mean" else 1))
                doc["generated"]["params"].pop("procs-min", None)
        made.pop("outages", None)
        doc.get("platform", {}).pop("outages", None)
        for one in doc["schedulers"]:
            one["repeat"] = rng.choice([1, 1, 2, 3])
        unhurried(doc, made)
        if rng.random() < 0.3:
            rules(rng, doc, made)
        if rng.random() < 0.2:
            doc["workload"]["scale"] = {rng.choice(["load", "time"]): rng.choice([0.5, 2]), "known": rng.choice([0, 0.5])}
        if "failures" in made:
            made["failures"]["params"].update({"mtbf": rng.choice([3000, 40000]), "repair": rng.choice([20, 2000])})
    elif way < 0.8:
        key = rng.choice(["farm-machines", "cerit-sc"])
        params = filled(f"machines.{key}", rng.choice([2, 9]))
        params.update({"machines": 4} if key == "farm-machines" else {"zewura": 1})
        made.clear()
        made["generator"] = {"key": key, "params": params}
        doc["platform"] = {}
        for one in doc["schedulers"]:
            one["repeat"] = rng.choice([1, 1, 2])
        if rng.random() < 0.3:
            failures(rng, doc, made)
    else:
        doc["schedulers"].append({"key": rng.choice(["as-logged", "custom"])})


def specify(rng, made, log):
    """What jobs ask of nodes, as in Alea's format: three more fields."""
    machines = [c for c in made.get("clusters", []) if c.get("packing", "processors") != "processors"]
    names = ["gone", "nodecpus1", "nodecpus4"] + [name for c in machines for name in [c["name"], "cl_" + c["name"], c["name"] + "1", c["name"] + "2.domain", *c["groups"][0].get("properties", [])]]
    for row in log if machines else []:
        nodes = rng.choice([1, 1, 2, 3, row[4]])
        words = [f"{nodes}:ppn={max(1, row[4] // nodes)}"]
        while rng.random() < 0.25:
            words.append(rng.choice(["", "", "^", "host="]) + rng.choice(names))
        if rng.random() < 0.1:
            words = ["1:ppn=1+" + words[0]] + words[1:]
        if rng.random() < 0.3:
            row[9] = rng.choice([1, 4, 8])
        if rng.random() < 0.9:
            row += [rng.choice(["{}", "{0,1}"]), "batch", rng.choice([":".join(words)] * 4 + [":".join(words) + "#excl", str(nodes), "x"])]


def vary(rng, doc):
    """Several points: a parameter, a load, seeds."""
    axes = [{"path": "seed", "values": [1, 2]}]
    if "scale" in doc["workload"]:
        axes.append({"path": "workload.scale.load", "values": [1, 2], "names": ["as it was", "twice"]})
    for i, one in enumerate(doc["schedulers"]):
        if one["key"] == "easy" and "order" not in one.get("params", {}):
            axes.append({"path": f"schedulers[{i}].params.order", "values": ["saf", "fcfs"], "with": [{"path": f"schedulers[{i}].params.ties", "values": ["newest", "oldest"]}]})
        if one["key"] in ("lsf", "sjf", "ppp"):
            axes.append({"cases": [{"name": "as it is"}, {"name": "stops", "set": {f"schedulers[{i}].params.blocked": "stop"}}]})
    doc["vary"] = rng.sample(axes, min(len(axes), rng.choice([1, 1, 2])))
