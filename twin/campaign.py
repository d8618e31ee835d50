"""What has been compared: counts by scheduler, platform and request, kept in a file as
blocks of seeds, so that a campaign can be stopped at any time and taken up again; and the
tables that are made of them."""

import collections
import json
import os

BLOCK = 100  # seeds


class Counts:
    """How many documents and runs agreed or differed. A kind is (scheduler, words of the
    platform, words of the requests)."""

    def __init__(self):
        self.documents, self.agreed, self.differ, self.read, self.refused = 0, collections.Counter(), collections.Counter(), collections.Counter(), 0

    def add(self, other):
        self.documents, self.refused = self.documents + other.documents, self.refused + other.refused
        for mine, theirs in ((self.agreed, other.agreed), (self.differ, other.differ), (self.read, other.read)):
            mine.update(theirs)

    def line(self, seed, broken):
        """A block as a line of a file; broken are the seeds with differences."""
        runs = [[*kind, self.agreed[kind], self.differ[kind]] for kind in sorted(set(self.agreed) | set(self.differ))]
        return json.dumps({"from": seed, "documents": self.documents, "refused": self.refused, "runs": runs, "read": self.read, "broken": broken})


def kept(path):
    """The counts of a file, the blocks that it has, and the seeds with differences."""
    counts, blocks, broken = Counts(), set(), []
    if path and os.path.exists(path):
        with open(path) as file:
            for text in file:
                if not text.endswith("\n"):
                    break  # a block that was cut off is done again
                line, one = json.loads(text), Counts()
                one.documents, one.refused = line["documents"], line["refused"]
                one.agreed.update({tuple(run[:3]): run[3] for run in line["runs"] if run[3]})
                one.differ.update({tuple(run[:3]): run[4] for run in line["runs"] if run[4]})
                one.read.update(line["read"])
                counts.add(one)
                blocks.add(line["from"])
                broken += line["broken"]
    return counts, blocks, broken


PLATFORMS = ["counted", "processors", "nodes", "machine", "several", "power_scales", "licences", "limits", "partitions", "outages", "failures"]
REQUESTS = ["jobs", "deadlines", "stops", "needs", "on", "set-up", "dependencies", "withdrawn", "het", "reservations", "predictions", "react"]
NAMES = {"processors": "counted clusters", "counted": "one machine that counts", "nodes": "spread over nodes", "machine": "within one machine", "several": "several clusters",
         "power_scales": "unequal speeds", "jobs": "nothing but processors and time", "stops": "stops at deadlines", "het": "groups", "react": "users who react", "on": "some machines only"}


def table(counts):
    """CSV: runs that agreed, by scheduler and what the platform has, then what jobs ask for."""
    keys = sorted({kind[0] for kind in counts.agreed} | {kind[0] for kind in counts.differ})
    lines = ["about,what," + ",".join(keys)]
    for at, about, words in ((1, "platform", PLATFORMS), (2, "request", REQUESTS)):
        for word in words:
            runs = [sum(n for kind, n in counts.agreed.items() if kind[0] == key and word in kind[at].replace(",", "").replace(":", "").split()) for key in keys]
            lines.append(f"{about},{NAMES.get(word, word)}," + ",".join(map(str, runs)))
    return lines


def write(path, counts):
    """Writes what was compared into a page, between its marks, and into compared.csv beside it."""
    with open(path) as file:
        text = file.read()
    before, mark, rest = text.partition("<!-- compared -->\n")
    after = rest[rest.index("<!-- end -->"):]
    words = f"{counts.documents:,} random documents, {counts.refused:,} of which were refused by name before anything ran: {sum(counts.agreed.values()):,} runs agree, {sum(counts.differ.values()):,} differ. Another {sum(counts.read.values()) - sum(counts.agreed.values()) - sum(counts.differ.values()):,} jobs files were only read."
    with open(path, "w") as file:
        file.write(before + mark + "\n" + words + "\n\n" + after)
    with open(os.path.join(os.path.dirname(path), "compared.csv"), "w") as file:
        file.write("\n".join(table(counts)) + "\n")
