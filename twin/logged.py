"""The log's own schedule: rule 11 of docs/simulation-rules.md, and rule 9 of its section "Eligibility"."""

from eligible import Gate


def start(job, since):
    """When the log starts a job that was submitted then, None for a request beside the jobs."""
    return None if job.row is None else since + max(0, job.wait)


def as_logged(jobs, people):
    """Each job waits as long as in the log, from when it is submitted; people are the users who react, if they do."""
    over, done = {}, []  # when jobs end that run

    def submit(job):
        at = start(job, job.submit)
        done.append((job.submit, job.number) + ((-1, -1) if at is None else (at, at + job.run)))
        return at

    if not people:
        for job in jobs:
            submit(job)
        return sorted(done)
    people.reset()
    now = None
    while over or people.instants(now):
        now = min(list(over.values()) + people.instants(now))
        for job in [job for job in over if over[job] == now]:
            people.over(job, now)
            del over[job]
        for job in people.pass_(now):
            at = submit(job)
            if at is None:
                people.reject(job, now)
            else:
                over[job] = at + job.run
    return sorted(done)


def kept(jobs):
    """The same where jobs wait for others or leave: with the times at which they became eligible."""
    gate, eligible, now = Gate(jobs), {}, None
    starts = {job: start(job, job.asked) for job in jobs if job.row is not None}
    leave = {job: job.withdrawn for job in jobs if job.withdrawn is not None and (job not in starts or job.wait < 0 or starts[job] >= job.withdrawn)}
    starts = {job: at for job, at in starts.items() if job not in leave}
    ends = {job: at + job.run for job, at in starts.items()}
    while True:
        times = [t for known in (starts, ends, leave) for t in known.values() if now is None or t > now] + gate.instants(now)
        if not times:
            break
        now = min(times)
        for job in [job for job in ends if ends[job] == now]:
            gate.ended(job, now)
        for job in [job for job in leave if leave[job] == now]:
            gate.held = [other for other in gate.held if other is not job]
            gate.gone(job, now)
        for job in gate.pass_(now):
            eligible[job] = now
        for job in [job for job in starts if starts[job] == now]:
            gate.held = [other for other in gate.held if other is not job]
            eligible.setdefault(job, now)
            gate.started(job, now)
    return sorted((job.number,) + ((eligible[job], starts[job], ends[job]) if job in starts else (-1, -1, -1)) for job in jobs)
