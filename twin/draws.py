"""What is drawn for each repetition: other workloads (the section "Resampling" of
docs/simulation-rules.md), and failures."""

import copy
import math

from streams import Stream

WEEK = 604800


def resample(jobs, how, seed, repetition):
    """A workload drawn from jobs."""
    by, random = how.get("by", "weeks"), Stream(seed, "workload/resample/" + how.get("by", "weeks"), repetition)
    first, last = jobs[0].submit, jobs[-1].submit
    end = last + 1
    made = []
    while not made:
        if by == "shake":
            jitter = how.get("jitter", 600)
            made = [moved(job, max(first, job.submit + random.below(2 * jitter + 1) - jitter)) for job in jobs]
        elif by == "weeks":
            made = weeks(jobs, first, end, how.get("block", 1), random)
        else:
            made = users(jobs, first, end, how.get("long-term", 12), random)
    made.sort(key=lambda job: (job.submit, job.number))  # those that were drawn first stay first
    for n, job in enumerate(made, 1):
        if by != "shake":
            job.number = n
        job.place = (job.submit, job.number, n)
    return made


def moved(job, at):
    job = copy.copy(job)
    job.moved = at - job.submit
    job.submit = job.submitted = at
    return job


def weeks(jobs, first, end, block, random):
    """The span, filled with blocks of its whole weeks."""
    whole, made, week = (end - first) // WEEK, [], 0
    for slot in range(-(-(end - first) // WEEK)):
        week = random.below(whole) if slot % block == 0 else (week + 1) % whole
        there = [job for job in jobs if first + week * WEEK <= job.submit < first + (week + 1) * WEEK]
        made += [moved(job, job.submit + (slot - week) * WEEK) for job in there if job.submit + (slot - week) * WEEK < end]
    return made


def users(jobs, first, end, long_term, random):
    """As many users of either kind, each moved by whole weeks on a circle."""
    streams = {}
    for job in jobs:
        streams.setdefault(max(-1, job.user), []).append(job)
    stay = lambda mine: mine[-1].submit - mine[0].submit >= long_term * WEEK
    count, number, drawn, made = -(-(end - first) // WEEK), max(streams) + 1, set(), []
    for kind in (True, False):
        there = [user for user, mine in streams.items() if stay(mine) == kind]
        for _ in there:
            user = name = there[random.below(len(there))]
            if user in drawn and user >= 0:
                name, number = number, number + 1
            drawn.add(user)
            shift, other = random.below(count), random.below(max(1, count - 1))
            for job in streams[user]:
                week, rest = divmod(job.submit - first, WEEK)
                week = (week + shift) % count
                if week * WEEK + rest >= end - first:
                    week = other
                made.append(moved(job, first + week * WEEK + rest))
                made[-1].user = name
    return made


def failures(doc, processors, jobs, repetition):
    """A document with its failures as outages that nobody knows of."""
    rule = doc.get("platform", {}).get("failures")
    if not rule or not jobs:
        return doc
    get, list_ = {"mtbf": 2592000, "repair": 14400, "processors": 1, **rule.get("params", {})}.get, []
    clusters = doc["platform"].get("clusters") or [{"name": "main", "groups": [{"count": doc["platform"].get("processors") or processors}]}]
    first, until = jobs[0].submit, jobs[-1].submit + max(job.requested for job in jobs)
    machines = []
    for cluster in clusters:
        sizes = [group.get("processors", 1) for group in cluster["groups"] for _ in range(group.get("count", 1))]
        if cluster.get("packing", "processors") == "processors":
            whole, each = sum(sizes), get("processors")
            machines += [{"cluster": cluster["name"], "processors": min(each, whole - n)} for n in range(0, whole, each)]
        else:
            machines += [{"cluster": cluster["name"], "nodes": [i]} for i in range(len(sizes))]
    for m, machine in enumerate(machines):
        random, at = Stream(doc.get("seed", 1), f"failures/exponential/{m}", repetition), first
        lasting = lambda mean: max(1, int(-mean * math.log(1 - random.fraction())))
        while True:
            at += lasting(get("mtbf"))
            if at >= until:
                break
            end = at + lasting(get("repair"))
            list_.append({**machine, "from": at, "to": end, "announced": False})
            at = end
    list_.sort(key=lambda one: one["from"])
    platform = {**doc["platform"], "outages": doc["platform"].get("outages", []) + list_}
    return {**doc, "platform": platform}
