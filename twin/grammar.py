"""The grammar of documents as docs/experiment.md lists it, row by row, and which rows random
documents write: a row that none writes, and that is not left out here with its reason, fails a
test (test_twin.py)."""

import functools
import os
import re

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "experiment.md")

# Rows that no document here writes, and why, by how they begin.
LEFT_OUT = {
    "search": "no schedule depends on it",
    "measures": "no schedule depends on it",
    "expect.trace": "it says what came out",
    "workload.source.log.zone": "logs here have no dates",
    "programs": "another program, which only the command line starts",
    "schedulers.custom.": "a program; the one that stands there by default runs",
    "schedulers.plan-rs.time-limit": "its schedules are not reproducible",
}

PLACES = {"Predictors": "predict", "Generators": "generator", "Generators of machines": "machines", "Generators of failures": "failures", "Search": "search",
          "Resampling": "workload.resample", "Users who react": "workload.react", "Acceptable waits": "measures.patience"}


def row(line):
    """Name, type and range, and default of a row: - `order` (order, `mixed`, `formula`; fcfs): …"""
    name, kind = re.match(r"- `([^`]+)` \((.*?)\)(?:: |$)", line).groups()
    kind, _, default = kind.partition("; ")
    return name, kind.split(" = ")[0], default.split(" = ")[0]


def options(kind):
    """The values of a row that lists them, each of which some document should have."""
    return re.findall(r"`([^`]+)`", kind) if re.fullmatch(r"(`[^`]+`(, | or )?)+", kind) else []


def page():
    with open(PAGE) as file:
        return file.read()


@functools.cache
def parameters():
    """Every parameter of the catalog: place, name, what its row says of type and range, default, values."""
    found, section, key = [], "", ""
    text = page()
    catalog = text[text.index("<!-- catalog -->"):]
    for line in catalog[:catalog.index("<!-- end -->")].split("\n"):
        if line.startswith("### "):
            section, key = line[4:], ""
        elif line.startswith("**`"):
            key = line.split("`")[1]
        elif line.startswith("As `") and key:
            like, names = line.split(":", 1)
            rows = {one[1]: one for one in found if one[0] == place(section, like.split("`")[1])}
            found += [(place(section, key),) + rows[name][1:] for name in re.findall(r"`([^`]+)`", names)]
        elif line.startswith("- `") and section != "Bundled workloads":
            name, kind, default = row(line)
            found.append((place(section, key), name, kind, default, options(kind)))
    return found


def schedulers(text):
    """The key of every scheduler."""
    return re.findall(r"^\*\*`([^`]+)`\*\*: ", text[text.index("### Schedulers"):text.index("### Predictors")], re.M)


def rows(text):
    """Every place of a document: path, or (path, value) where a row lists values. Parameters of
    a scheduler are schedulers.KEY.NAME, those of a predictor predict.KEY.NAME, and so on."""
    found = {}
    for line in text[text.index("<!-- fields -->"):text.index("<!-- end -->")].split("\n"):
        if line.startswith("- `"):
            path, kind, _ = row(line)
            found[path] = options(kind)
    for key in schedulers(text):
        found[place("Schedulers", key)] = []
    for where, name, _, _, values in parameters():
        if where.split(".")[0] in ("schedulers", "predict", "generator", "machines", "failures"):
            found.setdefault(where, [])
        found[f"{where}.{name}"] = values
    return found


def place(section, *names):
    return ".".join([PLACES.get(section, section.lower())] + [name for name in names if name])


def written(doc):
    """The places that a document writes, each with its values."""
    said = {}

    def walk(path, value):
        if isinstance(value, dict):
            for name, inner in value.items():
                walk(f"{path}.{name}" if path else name, inner)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for inner in value:
                walk(path + "[]", inner)
        else:
            said.setdefault(path, set()).add(str(value).lower() if isinstance(value, bool) else str(value))

    walk("", {name: value for name, value in doc.items() if name != "schedulers"})
    keyed = [("schedulers", one) for one in doc["schedulers"]]
    keyed += [("predict", one["predict"]) for one in doc["schedulers"] + [doc] if "predict" in one]
    keyed += [("generator", doc["workload"].get("source", {}).get("generator")), ("machines", doc.get("platform", {}).get("generator")), ("failures", doc.get("platform", {}).get("failures"))]
    for kind, one in keyed:
        if one:
            said.setdefault(f"{kind}.{one['key']}", set())
            walk(f"{kind}.{one['key']}", one.get("params", {}))
            walk(f"{kind}[]", {name: value for name, value in one.items() if name not in ("key", "params", "predict")})
    return said


def missing(documents):
    """The rows, and listed values, that none of the documents writes."""
    listed, said = rows(page()), {}
    for doc in documents:
        for path, values in written(doc).items():
            said.setdefault(path, set()).update(values)
    gone = []
    for path, values in listed.items():
        if any(path.startswith(one) for one in LEFT_OUT):
            continue
        if path not in said:
            gone.append(path)
        gone += [f"{path}: {value}" for value in values[1:] if path in said and value not in said[path]]  # the first is the default
    return gone
