"""An outside reader of exports: whether a jobs file (docs/exports.md) can be a schedule of a
document at all, whoever made it. It knows the document and the file, and no scheduler.

What it looks at, at every instant: processors of each cluster, processor numbers that no two
jobs share, copies of licences, limits, what announced outages leave; and of each execution
that it begins after its submission, its eligibility and the beginning of its reservation,
and ends by its request and its stop, on machines that the job may run on.
"""


def numbers(text):
    """Processor numbers of intervals such as "0-3 8"."""
    all_of = set()
    for part in text.split():
        first, _, last = part.partition("-")
        all_of |= set(range(int(first), int(last or first) + 1))
    return all_of


def faults(doc, processors, rows):
    """What is wrong with a jobs file, in words; empty if nothing is."""
    platform, found = doc.get("platform", {}), []
    clusters = {c["name"]: sum(g.get("count", 1) * g.get("processors", 1) for g in c["groups"]) for c in platform.get("clusters", [])}
    if platform.get("generator") or "generated" in doc and not clusters and not platform.get("processors"):
        return []  # nobody knows here which machines there are
    if not clusters:
        clusters = {"main": platform.get("processors") or processors}
    name = lambda row: row["cluster"] or next(iter(clusters))
    rules = doc["workload"].get("annotate", {})
    kill = rules.get("deadlines", {}).get("on_due") == "kill"
    on = {one["job"]: one["on"] for one in rules.get("jobs", []) if one.get("on") and doc["workload"].get("resample") is None}  # else numbers are new
    runs = [row for row in rows if row["starting_time"] != "-1"]
    for row in runs:
        start, end, who = int(row["starting_time"]), int(row["finish_time"]), f"job {row['job_id']}"
        if start < int(row["submission_time"]):
            found.append(f"{who} starts at {start}, before its submission")
        for column, words in (("reservation_from", "its reservation"), ("eligible", "it was eligible")):
            if row.get(column) and start < int(row[column]):
                found.append(f"{who} starts at {start}, before {words}")
        if not start < end <= start + int(row["requested_time"]):
            found.append(f"{who} runs from {start} to {end}, and asked for {row['requested_time']} s")
        if row["due"] and kill and end > int(row["due"]):
            found.append(f"{who} ends at {end}, and was due to be stopped at {row['due']}")
        if int(row["job_id"]) in on and set(on[int(row["job_id"])]) <= set(clusters) and name(row) not in on[int(row["job_id"])]:
            found.append(f"{who} runs on {name(row)}")
        if len(numbers(row["allocated_resources"])) != int(row["processors"]):
            found.append(f"{who} holds {row['allocated_resources']}, which are not {row['processors']} processors")
    for at in sorted({int(row["starting_time"]) for row in runs} | {o["from"] for o in platform.get("outages", [])}):
        now = [row for row in runs if int(row["starting_time"]) <= at < int(row["finish_time"])]
        held = [n for row in now for n in numbers(row["allocated_resources"])]
        if len(held) != len(set(held)):
            found.append(f"at {at} two jobs hold one processor")
        for cluster, there in clusters.items():
            here = [row for row in now if name(row) == cluster]
            for what, most, some in _bounds(platform, cluster, there, at, here):
                if sum(int(row["processors"]) for row in some) > most:
                    found.append(f"at {at} {sum(int(row['processors']) for row in some)} processors of {cluster} are held{what}, of {most}")
        for licence in platform.get("licences", []):
            copies = sum(int(word.partition(":")[2] or 1) for row in now for word in row["licences"].split() if word.partition(":")[0] == licence["name"])
            if copies > licence["copies"]:
                found.append(f"at {at} {copies} copies of {licence['name']} are held, of {licence['copies']}")
    return found


def _bounds(platform, cluster, there, at, here):
    """What holds on a cluster at a time: words, the most, and the executions that count."""
    away = set()
    taken = 0
    machines = next((c for c in platform.get("clusters", []) if c["name"] == cluster), None)
    for o in platform.get("outages", []):
        if o["from"] <= at < o["to"] and o.get("cluster", cluster) == cluster:
            if machines is None or machines.get("packing", "processors") == "processors":
                taken += o.get("processors") or there
            else:
                nodes = [g.get("processors", 1) for g in machines["groups"] for _ in range(g.get("count", 1))]
                away |= {(i, nodes[i]) for i in o.get("nodes") or range(len(nodes))}
    yield "", max(0, there - taken - sum(n for _, n in away)), here
    limits = platform.get("limits", {})
    if limits.get("user_processors"):
        for user in {row["user"] for row in here}:
            yield f" by user {user}", limits["user_processors"], [row for row in here if row["user"] == user]
    for kind in limits.get("classes", []):
        if not kind.get("whole"):
            yield f" by jobs of more than {kind['longer_than']} s", int(kind["share"] * there), [row for row in here if int(row["requested_time"]) > kind["longer_than"]]
