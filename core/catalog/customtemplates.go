package catalog

// Template is a program to begin with.
type Template struct {
	Key, Name string
	Help      string // one sentence
	Same      string // key of the scheduler that it is, "" none
	Code      string
}

// CustomTemplates are programs to begin with, in the order in which they are offered.
var CustomTemplates = []Template{
	{"fcfs", "FCFS", "Jobs start in order of submission; the first that does not fit stops all behind it.", "fcfs", `# Jobs start in order of submission. The first that does not fit
# stops all behind it (FCFS).

def decide(s):
    for job in s.queue:
        if not s.start(job):
            break
`},
	{"sjf", "SJF", "The shortest request first, with EASY backfilling.", "", `# The job with the shortest request stands first. The first that
# does not fit gets a reservation; others may pass it where they
# do not delay it.

def order(job, s):
    return job.requested

backfill = "easy"
`},
	{"easy", "EASY", "The first job that does not fit gets a reservation; others start where they do not delay it.", "easy", `# Jobs start in order of submission. The first that does not fit
# gets a reservation, and the others start where they do not
# delay it (EASY).

def decide(s):
    head = None
    for job in s.queue:
        if not s.start(job) and head == None:
            head = job
            s.reserve(head)
            note(head, "holds the reservation")
`},
	{"largest", "Largest first", "The job with the most processors first; those that do not fit are passed.", "", `# The job that asks for the most processors is tried first. Who
# does not fit is passed, so that large jobs may wait for ever
# where small ones keep coming: the promises at the right tell.

def decide(s):
    for job in sorted(s.queue, key = lambda job: -job.procs):
        s.start(job)
`},
	{"fair", "Fair share", "Users who have had little stand first, with EASY backfilling.", "", `# Users who have had few processor seconds stand first. What they
# have had is halved every 24 hours.

used = {}   # by user
then = [0]  # the day up to which it was halved

def begin(s):
    days = s.now // 86400 - then[0]
    then[0] += days
    if days > 0:
        for user in list(used):
            used[user] = used[user] / float(1 << min(days, 60))
    for job in s.ended:
        used[job.user] = used.get(job.user, 0) + job.procs * (job.ended - job.started)

def order(job, s):
    return used.get(job.user, 0)

backfill = "easy"
`},
	{"reserve", "Own reservation", "The three jobs that have waited longest hold reservations.", "", `# The three jobs that have waited longest hold reservations: more
# than EASY's one, fewer than conservative backfilling's all.

held = 3

def decide(s):
    left = held
    for job in s.queue:
        if left > 0:
            if s.place(job) != s.now:
                left -= 1
        else:
            s.start(job)
`},
}
