"""Random documents over the grammar of docs/experiment.md, small enough to be followed by
hand: a log of a few jobs, in few seconds and on few processors, so that ties abound."""

import copy
import hashlib
import random
import re

import custom
import predict
import rest
from jobs import clean, largest

ORDERS = ["fcfs", "lcfs", "spf", "lpf", "sqf", "lqf", "saf", "laf", "sexp", "lexp", "srf", "lrf"]
FORMULAS = ["q * p / (1 + wait)", "-p", "wait - 2 * p", "min(q, 3) * exp", "abs(user - 2) + sqrt(a)", "-due + submit", "max(rho, wait) / q", "wait - foretold * q"]


def rows(rng, processors):
    """A log: eighteen fields a job, some of them odd."""
    made, at = [], rng.randrange(4)
    crowd = rng.random() < 0.4  # many jobs at once, whose requests say little
    for number in range(1, (rng.randrange(8, 19) if crowd else rng.randrange(1, 16)) + 1):
        at += rng.choice([0, 0, 0, 1, 1, 2, 4] if crowd else [0, 0, 1, 2, 3, 5, 9, 20])
        procs = rng.randrange(1, processors + 1) if rng.random() < 0.95 else processors + 1
        requested = rng.choice([1, 2, 3, 5, 8, 13, 20, 30])
        run = rng.choice([requested, rng.randrange(1, requested + 1), max(1, requested - 1)])
        if crowd:
            run = rng.randrange(1, requested + 1)
        if rng.random() < 0.05:
            run += 4
        if rng.random() < 0.04:
            requested = -1
        if rng.random() < 0.03:
            run = rng.choice([0, -1])
        user, queue = rng.choice([-1, 1, 2, 3]), rng.choice([-1, 0, 1, 2])
        made.append([number, at, rng.randrange(20), run, procs, -1, -1, procs if rng.random() < 0.9 else -1, requested, -1, 1, user, 1, rng.choice([1, 1, 2]), queue, -1, -1, -1])
    return made


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
    if key in ("orig-bf", "conservative", "plan-rs") and rng.random() < 0.2:
        params["depth"] = rng.choice([1, 2, 3])
    if key == "plan-rs":
        some("optimiser", "annealing", "tabu", "lns", "none")
        params["iterations"], params["interval"] = 20, rng.choice([0, 5])
    if key in ("bf-unmod", "bf-mod"):
        some("aging", 0, 0.01, 1, 0.3)
        some("wait", 0, 2, 0.7)
        some("k", 1, 2.5)
    if key in ("easy", "conservative") and rng.random() < 0.3:
        params["orders-by"] = "prediction"
    if key == "easy" and rng.random() < 0.3:
        params["backfill-by"] = "prediction"
    if key in ("orig-bf", "conservative", "plan-rs", "hill-climbing") and rng.random() < 0.25:
        params["plan-by"] = "prediction"
    if key.startswith("foresight"):
        some("ties", "oldest")
        some("threshold", 1, 5, 30)
        some("step", 0.1, 0.5)
    if key == "foresight-rollout":
        some("interval", 0, 1, 5)
        some("better", 0, 0.1)
        some("scenarios", 1, 2, 3)
        some("salt", 0, 1)
    if key == "grid":
        some("local", "plan-rs", "hill-climbing", "fcfs", "fcfs-bf", "lsf", "sjf", "ppp", "pppd", "fair-share", "easy", "conservative", "orig-bf")
        some("reservations", "priority", "partition", "load-balance", "random")
        some("blocked", "stop")
        some("period", 3, 7)
        some("priority", "large")
        some("preempted", "requeue")
        some("tie", "random")
        some("load", "reservations", "all")
        some("end", "suspend", "early")
        some("running", "suspend")
        params.update({"partition": 1} if rng.random() < 0.2 else {})
        some("batch", "random")
        some("turn", "fcfs")
        some("delta", 3, 10)
        some("slot", 2, 5)
        some("mode", "reject")
        some("unused", "hold")
        if rng.random() < 0.15:
            params["no-limit"] = "never"
    if key == "slurm":
        params.update(rest.slurm(rng))
    if key == "custom":
        some("code", *custom.PROGRAMS)
    made = {"key": key, **({"params": params} if params else {})}
    if rng.random() < 0.8 and (key.startswith("foresight") or {"orders-by", "backfill-by", "plan-by"} & set(params)):
        made["predict"] = {"key": rng.choice(["kernel", "last-two", "user-median", "true", "request", "file"])}
    return made


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


def platform(rng):
    """A platform, its size, and how many processors the largest job may ask for."""
    processors = rng.choice([1, 2, 3, 4, 5, 8, 13])
    kind = rng.choice(["", "", "clusters", "machine", "nodes", "mixed"])
    if not kind:
        made, size, most = {"processors": processors}, processors, processors
    else:
        clusters = []
        for name in "abc"[:rng.choice([1, 1, 2, 3])]:
            packing = {"clusters": "processors", "machine": "machine", "nodes": "nodes"}.get(kind) or rng.choice(["processors", "machine", "nodes"])
            if packing == "processors":
                groups = [{"count": rng.choice([1, 2, 4, 6]), "speed": rng.choice([1, 1, 2])}]
            else:
                groups = [{"count": rng.choice([1, 2, 3]), "processors": rng.choice([1, 2, 4]), "speed": rng.choice([1, 1, 2]), **({"gpus": 2, "memory": 8} if rng.random() < 0.5 else {})}
                          for _ in range(rng.choice([1, 2]))]
            clusters.append({"name": name, "packing": packing, "groups": groups})
        made = {"clusters": clusters}
        amounts = [[g.get("processors", 1) * (1 if c["packing"] == "machine" else g["count"]) for g in c["groups"]] for c in clusters]
        most = max(max(one) if c["packing"] == "machine" else sum(one) for c, one in zip(clusters, amounts))
        size = sum(g.get("processors", 1) * g["count"] for c in clusters for g in c["groups"])
    if rng.random() < 0.3:
        made["licences"] = [{"name": name, "copies": rng.choice([1, 2, 3])} for name in ("cad", "mesh")]
        made.setdefault("clusters", [{"name": "main", "groups": [{"count": size}]}])
        made.pop("processors", None)
        if rng.random() < 0.4:
            made["licences"].pop()  # the other is locked to the machines that have it
        for cluster in made["clusters"]:
            for group in cluster["groups"]:
                group["licences"] = ["cad", "mesh"] if len(made["licences"]) == 2 or rng.random() < 0.5 else ["cad"]
    if "clusters" in made and rng.random() < 0.2:
        made["power_scales"] = True
    if rng.random() < 0.3:
        made["outages"] = [outage(rng, made) for _ in range(rng.choice([1, 1, 2, 3]))]
    if rng.random() < 0.25:
        made["limits"] = {}
        if rng.random() < 0.7:
            made["limits"]["user_processors"] = rng.randrange(max(1, most), most + 4)
        if rng.random() < 0.6:
            made["limits"]["classes"] = [{"longer_than": rng.choice([1, 5, 12]), "share": rng.choice([0.5, 0.75, 1])}]
    return made, size, most


def outage(rng, made):
    start = rng.randrange(60)
    one = {"from": start, "to": start + rng.choice([1, 4, 10, 25]), "announced": rng.random() < 0.6}
    if "clusters" in made:
        cluster = rng.choice(made["clusters"])
        one["cluster"] = cluster["name"]
        n = sum(g["count"] for g in cluster["groups"])
        if cluster.get("packing", "processors") != "processors" and rng.random() < 0.7:
            one["nodes"] = [rng.randrange(n)]
        elif cluster.get("packing", "processors") == "processors" and rng.random() < 0.7:
            one["processors"] = rng.randrange(1, n + 1)
    elif rng.random() < 0.7:
        one["processors"] = rng.randrange(1, made["processors"] + 1)
    return one


def needs(rng, made, rows):
    """Rules for single jobs: deadlines, licences, machines and what they have."""
    rules = {"jobs": []}
    if rng.random() < 0.2:
        rules["setup"] = dict.fromkeys(("min", "max"), rng.choice([1, 3]))
    if rng.random() < 0.5:
        rules["deadlines"] = {"on_due": rng.choice(["kill", "count"])}
    packing = {c.get("packing", "processors") for c in made.get("clusters", [])}
    for row in rows:
        one = {"job": row[0]}
        if "deadlines" in rules and rng.random() < 0.5:
            one["due"] = row[1] + rng.choice([1, 5, 12, 30, 60])
        if made.get("licences") and rng.random() < 0.5:
            one["licences"] = [rng.choice(["cad", "mesh", "cad:1"])] if rng.random() < 0.8 else ["cad", "mesh"]
        if rng.random() < 0.1:
            one["setup"] = rng.choice([0, 1, 4])
        if made.get("clusters") and rng.random() < 0.15:
            one["on"] = [rng.choice(made["clusters"])["name"]]
        if packing and packing <= {"nodes", "machine"} and rng.random() < 0.2:
            one[rng.choice(["gpus", "memory"])] = rng.choice([1, 2])
        if len(one) > 1:
            rules["jobs"].append(one)
    return rules


def waits(rng, rows):
    """What jobs wait for and when they leave, by job: columns of extra.csv; it changes rows, too."""
    said = {}
    arrays = {1: rng.choice([1, 2, 3]), 2: 1}
    for row in rows:
        one, before = {}, [other[0] for other in rows if other[0] != row[0]] + ([99] if rng.random() < 0.1 else [])
        if before and rng.random() < 0.4:
            near = [n for n in before if row[0] - 6 < n < row[0]] if rng.random() < 0.9 else before
            terms = [f"{rng.choice(near)}{rng.choice(['', ':ok', ':notok', ':start', ':any'])}{rng.choice(['', '', '+1', '+7'])}" for _ in range(rng.choice([1, 1, 2])) if near]
            if terms:
                one["after"] = rng.choice([",", "?"]).join(terms)
        if rng.random() < 0.15:
            one["begin"] = row[1] + rng.choice([1, 4, 30])
        if rng.random() < 0.25:
            one["array"] = rng.choice([1, 2])
            one["array_limit"] = arrays[one["array"]]
        if rng.random() < 0.2:
            one["withdrawn"] = row[1] + rng.choice([1, 3, 10, 40])
        if rng.random() < 0.1:
            row[16], row[17] = rng.choice(before or [-1]), rng.choice([-1, 0, 5])
        if rng.random() < 0.3:
            row[10] = rng.choice([0, 4, 5])
        if one:
            said[row[0]] = one
    if len(rows) > 3 and rng.random() < 0.3:  # parts that start together
        for row in rng.sample(rows, 2):
            said.setdefault(row[0], {})["het"] = 1
            if "after" in said[row[0]]:
                said[row[0]]["after"] = said[row[0]]["after"].replace("?", ",")
            for key in ("array", "array_limit", "withdrawn"):
                said[row[0]].pop(key, None)
    return said


def reservations(rng, doc, made, size, most, log, kept):
    """Advance reservations: rows of a file beside the log by job, requests beside the jobs,
    a rule for all jobs, and how they are accepted and kept."""
    said = {}
    way = rng.random()
    annotate = doc["workload"].get("annotate", {})
    effort = lambda: rng.choice(["exact", "exact", "exact", "processors", "time"])
    if way < 0.1:
        rule = {"share": 1, "ready": rng.choice(["log", "drawn"]), "length": rng.choice(["requested", "run"]), "part": rng.choice([1, 0.5, 2])}
        rule["lead_min"] = rule["lead_max"] = rng.choice([0, 3, 20])
        rule["factor_min"] = rule["factor_max"] = rng.choice([0, 1, 1.5, 3])
        rule["unit"] = rng.choice(["length", "wait", "hour"])
        if rng.random() < 0.3:
            rule["enlarge"] = "both"
        doc["workload"].setdefault("annotate", {})["reservations"] = rule
    elif way < 0.8:
        for row in kept:
            if rng.random() < 0.4 and not any(one["job"] == row[0] for one in annotate.get("jobs", [])):
                start, long = row[1] + rng.choice([0, 0, 2, 7, 25]), rng.choice([1, 2, 5, 9, 20, 65])
                said[row[0]] = {"from": start, "to": start + long + rng.choice([0, 0, 3, 15, 40]), "length": rng.choice([long, long, 0]) or "", "effort": effort()}
                if not said[row[0]]["length"]:
                    said[row[0]]["to"] = start + max(long, row[8], row[3]) + 10
    if not said and way >= 0.1 or rng.random() < 0.3:
        made["reservations"] = []
        for n in range(rng.choice([1, 1, 2, 4])):
            start, long = rng.randrange(60), rng.choice([1, 3, 8, 20, 70])
            one = {"processors": rng.randrange(1, most + 1), "from": start, "to": start + long + rng.choice([0, 0, 5, 30]), "length": rng.choice([0, long]), "effort": effort()}
            if rng.random() < 0.5:
                one["submit"] = rng.randrange(start + 1)
            if rng.random() < 0.4:
                one["run"] = rng.randrange(1, long + 5)
            if made.get("clusters") and rng.random() < 0.3:
                one["cluster"] = rng.choice(made["clusters"])["name"]
            made["reservations"].append(one)
    if rng.random() < 0.7:
        made["booking"] = booking(rng, made)
    return said


def booking(rng, made):
    rules = {}
    some = lambda name, *values: rules.update({name: rng.choice(values)}) if rng.random() < 0.4 else None
    some("delta", 3, 10)
    some("slot", 2, 5, 12)
    some("mode", "reject")
    some("end", "suspend", "early")
    some("running", "suspend")
    some("unused", "hold")
    if made.get("power_scales"):
        rules = {key: value for key, value in rules.items() if value != "suspend"}
    return rules


NEEDS = ["from", "to", "length", "effort"]


def needed(doc):
    """The text of a document's file of needs, "" for none."""
    said = doc.get("reserved")
    if not said:
        return ""
    return "job," + ",".join("reservation_" + key for key in NEEDS) + "\n" + "".join(f"{job}," + ",".join(str(one[key]) for key in NEEDS) + "\n" for job, one in sorted(said.items()))


COLUMNS = ["after", "begin", "withdrawn", "array", "array_limit", "het", "partition", "qos", "account"]


def extra(doc):
    """The text of a document's extra.csv, "" for none."""
    said = doc.get("beside")
    if not said:
        return ""
    return "job," + ",".join(COLUMNS) + "\n" + "".join(f"{job}," + ",".join(f'"{one.get(key, "")}"' for key in COLUMNS) + "\n" for job, one in sorted(said.items()))


def shared(rng, doc, made, most, log):
    """Partitions, qualities of service and accounts, and which of them jobs name."""
    def limits(keys):
        said = {}
        for _ in range(rng.choice([0, 1, 1, 2])):
            key = rng.choice(keys)
            said[key] = rng.choice([1, 2, 3]) if key.endswith("jobs") else rng.choice([5, 13, 30]) if key.endswith("time") else rng.randrange(1, most + 3)
        return {"limits": said} if said else {}

    several = rng.random() < 0.5
    keys = [each + what for each in ("", "user_", "group_", "account_") for what in ("processors", "jobs", "nodes")] + ["job_processors", "job_time", "job_nodes"]
    said = {}
    if rng.random() < 0.8:
        made["partitions"] = []
        for n in range(rng.choice([1, 2, 3])):
            one = {"name": f"p{n}", **(limits(keys) if not several or rng.random() < 0.3 else {})}
            if made.get("clusters") and rng.random() < 0.6:
                one["nodes"] = []
                for cluster in rng.sample(made["clusters"], rng.randrange(1, len(made["clusters"]) + 1)):
                    where = {"cluster": cluster["name"]}
                    if cluster.get("packing", "processors") != "processors" and rng.random() < 0.6:
                        where.update(rng.choice([{"group": rng.randrange(len(cluster["groups"]))}, {"first": 0, "count": 1}]))
                    one["nodes"].append(where)
            if rng.random() < 0.3:
                one["max_time"] = rng.choice([8, 20, 30])
                one["default_time"] = rng.choice([0, 5])
            made["partitions"].append(one)
        if rng.random() < 0.4:
            rng.choice(made["partitions"])["default"] = True
    if rng.random() < 0.6:
        made["qos"] = [{"name": f"q{n}", **limits(keys)} for n in range(rng.choice([1, 2]))]
        if made.get("partitions") and rng.random() < 0.5:
            rng.choice(made["partitions"])["qos"] = "q0"
    if rng.random() < 0.5:
        made["accounts"] = [{"number": n, "parent": rng.choice([0, n - 1]), **limits(keys[:9])} for n in range(1, rng.choice([2, 3, 4]))]
    for row in log:
        row[12], row[15] = rng.choice([-1, 1, 2]), rng.choice([-1, 1, 1, 2, 3])
        one = {}
        if made.get("accounts") and rng.random() < 0.8:
            one["account"] = rng.choice([1, 2, 3])
        if rng.random() < 0.2:
            one["partition"], one["qos"] = rng.choice([1, 2]), rng.choice([1, 2])
        if several and rng.random() < 0.6:
            one["partition"] = ",".join(str(rng.choice([1, 2, 3, 4])) for _ in range(rng.choice([2, 2, 3])))
        if one:
            said[row[0]] = one
    for job, one in said.items():
        doc.setdefault("beside", {}).setdefault(job, {}).update(one)
    if "clusters" not in made and not any(made.get(key) for key in ("partitions", "qos", "accounts")):
        made["qos"] = [{"name": "q0"}]


APART = ["beside", "reserved", "foretold", "inline", "generated"]  # what stands in files beside the log, and what is there instead of it


def reserved(doc):
    """What the file of needs says of reservations, by job."""
    return {job: {**one, "length": one["length"] or 0} for job, one in (doc.get("reserved") or {}).items()}


def predictions(doc):
    """The text of a document's file of predictions, "" for none."""
    said = doc.get("foretold")
    if not any(one.get("predict", {}).get("key") == "file" for one in doc["schedulers"]):
        return ""
    return "job,predicted\n" + "".join(f"{job},{seconds}\n" for job, seconds in sorted(said.items()))


def beside(doc):
    return doc.get("beside") or {}


def document(seed, keys, each=4):
    """A document of a seed with some schedulers of these keys, its log's text, and the log's rows."""
    rng = random.Random(seed)
    made, size, most = platform(rng)
    log = rows(rng, most)
    doc = {"batchlab": 1, "workload": workload(rng), "schedulers": [scheduler(rng, key) for key in rng.sample(2 * list(keys), min(each, len(keys)))]}
    kept = [row for row in log if row[0] in {job.number for job in clean(log, largest(made, size), {})}]
    if rng.random() < 0.4:
        rules = needs(rng, made, kept)
        if rules["jobs"] or "setup" in rules:
            doc["workload"] = {"annotate": rules}
    kind = rng.random()
    if kind < 0.35:
        for key in ("filter", "window", "scale", "clean"):  # what is said of a job that is left out is refused
            doc["workload"].pop(key, None)
        doc["reserved"] = reservations(rng, doc, made, size, most, log, kept)
    if "annotate" not in doc["workload"] and 0.35 < kind < 0.65:
        wait(rng, doc, log)
    if not made.get("limits") and not any("het" in one for one in doc.get("beside", {}).values()) and rng.random() < (0.8 if kind > 0.75 else 0.15):
        for key in ("filter", "window", "scale"):
            doc["workload"].pop(key, None)
        shared(rng, doc, made, most, log)
    if (0.65 < kind < 0.85 or kind < 0.08) and rng.random() < 0.6:
        react(rng, doc, made, log)
    if made.get("booking", {}).get("running") != "suspend" and ("booking" in made or kind > 0.9) and all(o["announced"] for o in made.get("outages", [])) and rng.random() < 0.3:
        bind(rng, doc, made)
    if made.get("power_scales"):  # what is left of a suspended job is not known then
        for one in doc["schedulers"]:
            if one["key"] == "pppd" or one.get("params", {}).get("local") == "pppd":
                one.setdefault("params", {})["preempted"] = "requeue"
            if one["key"] in ("grid", "slurm"):
                one["params"] = {key: value for key, value in one.get("params", {}).items() if value != "suspend"}
    if made != {"processors": size} or rng.random() < 0.3:
        doc["platform"] = made
    else:
        made = {}
    rest.add(random.Random(f"{seed} more"), doc, made, size, most, log)
    if "generated" in doc and "scale" not in doc["workload"] and rng.random() < 0.2:
        react(rng, doc, made, log)
    doc["foretold"] = {row[0]: rng.choice([0, 1, max(1, row[3]), rng.randrange(1, 40)]) for row in log[:doc.get("generated", {"params": {"jobs": 99}})["params"]["jobs"]] if rng.random() < 0.8}
    return dress(doc, size, log)


def wait(rng, doc, log):
    """Makes jobs of a document wait for others, or leave."""
    said = waits(rng, log)
    doc["workload"].update({key: value for key, value in (("dependencies", rng.choice(["keep", "keep", "ignore"])), ("withdrawn", rng.choice(["keep", "drop"])))})
    doc["workload"].pop("scale", None)
    if said:
        doc["beside"] = said
    doc["schedulers"] = [one for one in doc["schedulers"] if one["key"] != "pppd"] or [{"key": "fcfs"}]


def bind(rng, doc, made):
    """Binds processors when reservations are accepted, under schedulers that know it."""
    unknown = ("conservative", "orig-bf", "pppd", "plan-rs", "hill-climbing")
    if "booking" in made:
        made["booking"]["binding"] = "static"
        doc["schedulers"] = [one for one in doc["schedulers"] if one["key"] not in unknown] or [{"key": rng.choice(["fcfs", "easy", "sjf"])}]
    for one in doc["schedulers"]:
        params = one.get("params", {})
        if one["key"] == "grid" and params.get("local") not in unknown and params.get("running") != "suspend":
            one["params"] = {**params, "binding": "static"}


def react(rng, doc, made, log):
    """Lets users react to what becomes of their jobs; sometimes they keep hours, and the log has days."""
    said = {}
    some = lambda name, *values: said.update({name: rng.choice(values)}) if rng.random() < 0.5 else None
    some("batches", "last", "max")
    some("sessions", "arrival")
    some("think-gap", 0, 3, 10)
    some("arrival-gap", 0, 4)
    some("stated", False)
    some("ends", "log", "easy")
    some("think", "drawn")
    doc["workload"].pop("scale", None)
    if rng.random() < 0.3:
        said["rhythm"] = rng.choice(["daily", "weekly"])
        unit = rng.choice([900, 20000])
        for one in doc["schedulers"] + [{"params": made.get("booking", {})}]:  # of seconds
            for key in ("period", "delta", "interval", "bf_interval", "sched_interval"):
                one.get("params", {}).pop(key, None)
        for row in log:
            row[1] *= unit
            if rng.random() < 0.7:
                row[2], row[3], row[8] = row[2] * 400, row[3] * 700 if row[3] > 0 else row[3], row[8] * 700 if row[8] > 0 else row[8]
    unknown = rng.random()
    for row in log:
        if unknown < 0.2 or rng.random() < 0.1:
            row[2] = -1
        if rng.random() < 0.1 and row[0] > 1:
            row[16] = rng.randrange(1, row[0])
    doc["workload"]["react"] = said


def points(doc):
    """The documents that a document stands for, by number from 1; itself under 0 if it does not vary."""
    if not doc.get("vary"):
        return {0: doc}
    made = [{key: value for key, value in doc.items() if key != "vary"}]
    for axis in doc["vary"]:
        cases = axis.get("cases")
        if cases is None:
            along = [axis] + axis.get("with", [])
            cases = [{"set": {one["path"]: one["values"][n] for one in along}} for n in range(len(axis["values"]))]
        made = [put(copy.deepcopy(one), case.get("set", {})) for one in made for case in cases]
    return dict(enumerate(made, 1))


def put(doc, places):
    for path, value in places.items():
        *way, last = re.findall(r"[^.\[\]]+", path)
        inner = doc
        for step in way:
            inner = inner[int(step)] if isinstance(inner, list) else inner.setdefault(step, {})
        inner[last] = value
    return doc


INLINE = {"requested": 8, "user": 11, "wait": 2, "status": 10}  # columns of rows in a document, and fields of a log


def dress(doc, processors, made):
    """A document with its log: (document, text, processors, rows)."""
    text = f"; MaxProcs: {processors}\n" + "".join(" ".join(map(str, row)) + "\n" for row in made)
    data = text.encode()
    table = extra(doc).encode()
    doc["workload"].pop("extra", None)
    doc["workload"].get("annotate", {}).pop("file", None)
    needs = needed(doc).encode()
    if needs:
        doc["workload"].setdefault("annotate", {})["file"] = {"name": "needs.csv", "sha256": hashlib.sha256(needs).hexdigest(), "size": len(needs)}
    guesses = predictions(doc).encode()
    for one in doc["schedulers"]:
        if one.get("predict", {}).get("key") == "file":
            one["predict"]["file"] = {"name": "guesses.csv", "sha256": hashlib.sha256(guesses).hexdigest(), "size": len(guesses)}
    if table:
        doc["workload"]["extra"] = {"name": "extra.csv", "sha256": hashlib.sha256(table).hexdigest(), "size": len(table)}
    if "generated" in doc:
        doc["workload"] = {**doc["workload"], "source": {"generator": doc["generated"]}}
        return doc, "", processors, []
    if "inline" in doc:
        made = [[n] + row[1:4] + [row[7]] + row[5:] for n, row in enumerate(made, 1)]  # it states one number of processors
        doc["workload"] = {**doc["workload"], "source": {"inline": {"processors": processors, "columns": ["submit", "procs", "run"] + doc["inline"], "rows": [[row[1], row[7], row[3]] + [row[INLINE[name]] for name in doc["inline"]] for row in made]}}}
        return doc, "", processors, made
    doc["workload"] = {**doc["workload"], "source": {"log": {"name": "twin.swf", "sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}}}
    return doc, text, processors, made


def platform_of(doc):
    """What the table calls a document's platform."""
    p = doc.get("platform", {})
    packings = {c.get("packing", "processors") for c in p.get("clusters", [])}
    words = [" ".join(sorted(packings)) or "counted"] + ["several"] * (len(p.get("clusters", [])) > 1) + [key for key in ("licences", "limits", "power_scales") if p.get(key)] + ["partitions"] * any(p.get(key) for key in ("partitions", "qos", "accounts"))
    words += sorted({"outages" if o["announced"] else "failures" for o in p.get("outages", [])} | {"failures" for _ in [0] if "failures" in p})
    return " ".join(words)


def request_of(doc, one):
    """What the table calls a document's requests under a scheduler."""
    return requests(doc) + (" predictions" if predict.uses(one) else "") + (" drawn" if doc["workload"].get("resample") is not None else "")


def requests(doc):
    rules = doc["workload"].get("annotate", {})
    if doc.get("reserved") or rules.get("reservations") or doc.get("platform", {}).get("reservations"):
        booking = doc.get("platform", {}).get("booking", {})
        words = [{"mode": "rejected", "end": f"end {booking.get('end')}", "running": "running suspend", "unused": "hold", "binding": "static"}.get(key, key) for key in sorted(booking)]
        return "react " * (doc["workload"].get("react") is not None) + "reservations" + "".join(": " * (n == 0) + ", " * (n > 0) + word for n, word in enumerate(words))
    words = {"due": "stops" if rules.get("deadlines", {}).get("on_due") == "kill" else "deadlines", "licences": "", "on": "on", "gpus": "needs", "memory": "needs", "disk": "needs", "setup": "set-up", "weight": ""}
    gated = [key for key in ("dependencies", "withdrawn") if doc["workload"].get(key) == "keep"]
    if gated:
        return " ".join(gated + (["het"] if any("het" in one for one in doc.get("beside", {}).values()) else []))
    return " ".join(["react"] * (doc["workload"].get("react") is not None) + sorted({words[key] for one in rules.get("jobs", []) for key in one if key != "job" and words[key]} | {"set-up" for _ in [0] if "setup" in rules}
                                                                                      | {words[key] for key, rule in (("due", rules.get("deadlines", {}).get("share")), ("on", rules.get("eligible")), ("gpus", rules.get("needs"))) if rule})) or "jobs"
