"""Users who react: the section of that name of docs/simulation-rules.md."""

from streams import Stream

HOUR, DAY, WEEK = 3600, 86400, 604800


class Batch:
    """Jobs that come one after the other as in the log, after what the first depends on."""

    def __init__(self, first):
        self.jobs, self.start, self.needs = [first], first.submit, []  # needs: jobs whose ends it waits for
        self.gap, self.session, self.later = 0, False, 0
        self.begin, self.span = None, 0  # when it comes, once that is known; how long after its first job its last one does


class Users:
    """All users of the jobs, and the jobs that they have not submitted yet."""

    def __init__(self, jobs, options, ends, stated, seed=1, repetition=0):
        get = options.get
        self.all, self.max, self.arrival = jobs, get("batches") == "max", get("sessions") == "arrival"
        self.think_gap, self.arrival_gap, self.rhythm = get("think-gap", 1200), get("arrival-gap", 3600), get("rhythm", "none")
        self.logged, self.ended, self.late = ends, {}, {}
        self.stated = stated if get("stated", True) else {}
        self.coming, self.people, self.left = [], {}, len(jobs)  # left: jobs to come
        for job in sorted(jobs, key=lambda job: job.place):
            self.people.setdefault(max(-1, job.user), []).append(job)
        self.silent = self.people.pop(-1, [])
        self.people = {user: self.batches(mine) for user, mine in sorted(self.people.items())}
        if get("think") == "drawn":
            self.draw(seed, repetition)
        self.times = {job: job.submit for job in jobs}  # of the log
        self.hours = {user: {batch.start // HOUR % 24 for batch in mine} for user, mine in self.people.items()}
        self.days = {user: {batch.start // DAY % 7 for batch in mine} for user, mine in self.people.items()}

    def end(self, job):
        return self.logged.get(job)

    def batches(self, jobs):
        """What the log shows of a user: batches, what each depends on, think times and sessions."""
        made, open_ = [Batch(jobs[0])], []
        made[0].session = True
        for n, job in enumerate(jobs[1:], 1):
            before, now = jobs[n - 1], job.submit
            open_ += [before] if self.end(before) is not None else []
            there = self.stated.get(job)
            if there is not None and not (there.place < job.place and self.end(there) is not None and self.end(there) <= now):
                there = None
            if self.max:
                known = [self.end(other) for other in jobs[:n] if self.end(other) is not None]
                begins = bool(open_) and max(known) <= now
            else:
                begins = self.end(before) is not None and self.end(before) <= now
            if there is None and not begins:
                made[-1].jobs.append(job)
                made[-1].span = now - made[-1].start
                continue
            batch = Batch(job)
            if there is not None:
                batch.needs = [there]
            else:
                batch.needs = [other for other in open_ if self.end(other) <= now]
                open_ = [other for other in open_ if other not in batch.needs]
            batch.gap = now - max(self.end(other) for other in batch.needs)
            batch.session = now - before.submit > self.arrival_gap if self.arrival else batch.gap > self.think_gap
            batch.later = int(now > before.submit)
            made.append(batch)
        return made

    def draw(self, seed, repetition):
        """Think times and breaks, each from those of its kind: the user's, or all users' where there are few."""
        of = lambda batches, kind: [batch.gap for batch in batches if batch.needs and batch.session == kind]
        all_of = [batch for mine in self.people.values() for batch in mine]
        pools = {kind: of(all_of, kind) for kind in (False, True)}
        for user, mine in self.people.items():
            stream, own = Stream(seed, f"react/user/{user}", repetition), {kind: of(mine, kind) for kind in (False, True)}
            for batch in mine:
                if batch.needs:
                    pool = own[batch.session] if len(own[batch.session]) >= 5 else pools[batch.session]
                    batch.gap = pool[stream.below(len(pool))]

    def known(self):
        """Finds out when batches come whose jobs' ends are all there."""
        for user, mine in self.people.items():
            before = None
            for batch in mine:
                if batch.begin is None:
                    if before is not None and before.begin is None or any(job not in self.ended for job in batch.needs):
                        break
                    at = max((self.ended[job] for job in batch.needs), default=None)
                    if at is None:
                        batch.begin = batch.start
                    else:
                        batch.begin = self.awake(user, batch, at + batch.gap, at)
                    if before is not None:
                        batch.begin = max(batch.begin, before.begin + before.span + batch.later)
                    self.coming += [(batch.begin + self.times[job] - batch.start, job) for job in batch.jobs]
                before = batch

    def awake(self, user, batch, t, ended):
        if self.rhythm == "none":
            return t
        if batch.session:
            period = DAY if self.rhythm == "daily" else WEEK
            ahead = (batch.start - t) % period
            return t + ahead - period if ahead > period // 2 and t + ahead - period >= ended else t + ahead
        hours = {(h + k) % 24 for h in self.hours[user] for k in (-1, 0, 1)}
        while t // HOUR % 24 not in hours or self.rhythm == "weekly" and t // DAY % 7 not in self.days[user]:
            t += HOUR - t % HOUR
        return t

    def reset(self):
        self.coming = [(job.submit, job) for job in self.silent]
        self.known()

    def over(self, job, now):
        """A job has ended at last, or is rejected (seen a second later)."""
        self.ended.setdefault(job, now)

    def reject(self, job, now):
        self.late.setdefault(job, now + 1)

    def pass_(self, now):
        """The jobs that are submitted now."""
        for job, at in list(self.late.items()):
            if at <= now and job not in self.ended:
                self.ended[job] = at
        self.known()
        came = [(t, job) for t, job in self.coming if t <= now]
        self.left -= len(came)
        self.coming = [one for one in self.coming if one[0] > now]
        for t, job in came:
            moved = now - job.submit
            job.submit = job.submitted = now
            job.place = (now,) + job.place[1:]
            if job.due is not None:
                job.due += moved
            if job.wants:
                job.wants.ready, job.wants.deadline = job.wants.ready + moved, job.wants.deadline + moved
        return sorted((job for _, job in came), key=lambda job: job.place)

    def instants(self, now):
        times = [t for t, _ in self.coming]
        times += [at for job, at in self.late.items() if job not in self.ended] if self.left else []
        return [t for t in times if now is None or t > now]
