"""What jobs ask of nodes: "Jobs that ask for nodes" in the section "On machines" of docs/simulation-rules.md."""

from space import Platform


def ask(jobs, platform, processors):
    """Jobs with what their lines ask, without those that no machine could hold; lines are lists
    of a log's fields, behind the eighteen the three of Alea's format."""
    machines = [c for c in platform.get("clusters", []) if c.get("packing", "processors") != "processors"]
    if not machines or not any(job.row and len(job.row) > 18 for job in jobs):
        return jobs
    empty, known = Platform({"platform": {**platform, "limits": {}, "outages": []}}, processors), set()
    for c, cluster in enumerate(empty.clusters):
        for i in [None] if cluster["packing"] == "processors" else range(len(cluster["nodes"])):
            known |= empty.called(c, i)
    return [job for job in jobs if read(job, known) is None and empty.place(job, 0, lambda speed: 1, []) is not None]


def read(job, known):
    """Gives a job what its line asks."""
    text = job.row[20].partition("#")[0] if len(job.row) > 18 else ""
    chunks = [chunk.split(":") for chunk in text.split("+")]
    first = chunks[0][0]
    nodes = int(first) if first.isdigit() and int(first) > 0 else 1
    for chunk in chunks:
        for part in chunk[1:] if chunk[0].isdigit() and int(chunk[0]) > 0 else chunk:
            if part.startswith("^"):
                job.off = job.off + [part[1:].partition(".")[0]]
            elif part and not part.startswith("ppn="):
                name = part.removeprefix("host=").partition(".")[0]
                job.on = job.on + [[name]] * (name in known)
    if len(chunks) == 1 and job.procs % nodes == 0:
        job.each = job.procs // nodes
    if job.row[9] > 0:
        job.needs = {**job.needs, "memory": job.row[9]}
