package predict

import (
	"batchlab/core/model"
	"batchlab/core/report"
)

// LastTwo predicts the mean run time of the two jobs of the same user that were
// submitted last among those that have ended, rounded down, at most the request,
// which also stands for it while fewer than two have ended; it is made at the
// submission (Tsafrir, Etsion and Feitelson, Backfilling using system-generated
// predictions rather than user runtime estimates, 2007, section 4).
type LastTwo struct {
	work  Work
	named table
	users []lastTwo
	made  []lastTwo // by job: those of its user at its submission
}

// lastTwo are the two jobs, the last first.
type lastTwo struct {
	count  int
	submit [2]model.Time
	number [2]int64
	run    [2]model.Time
}

// Reset prepares for a new simulation.
func (l *LastTwo) Reset(w *Work) {
	l.work = *w
	l.named.reset()
	l.users = l.users[:0]
	l.made = sized(l.made, len(w.Jobs))
	for i := range w.History {
		l.learn(&w.History[i].Job, w.History[i].Run)
	}
}

func (l *LastTwo) user(number int32) *lastTwo {
	return &l.users[place(&l.named, &l.users, number)]
}

// learn puts a completion among the two, by submission.
func (l *LastTwo) learn(job *model.Job, run model.Time) {
	u := l.user(job.User)
	later := func(i int) bool {
		return i >= u.count || job.Submit > u.submit[i] || job.Submit == u.submit[i] && job.Number > u.number[i]
	}
	switch {
	case later(0):
		u.submit[1], u.number[1], u.run[1] = u.submit[0], u.number[0], u.run[0]
		u.submit[0], u.number[0], u.run[0] = job.Submit, job.Number, run
	case later(1):
		u.submit[1], u.number[1], u.run[1] = job.Submit, job.Number, run
	}
	u.count = min(u.count+1, 2)
}

// Submit notes the two of which the prediction is made.
func (l *LastTwo) Submit(j model.JobID) { l.made[j] = *l.user(l.work.Jobs[j].User) }

// Start does nothing.
func (l *LastTwo) Start(model.JobID) {}

// End learns from a completion.
func (l *LastTwo) End(j model.JobID, run model.Time) { l.learn(&l.work.Jobs[j], run) }

// Estimate returns the prediction of the submission.
func (l *LastTwo) Estimate(j model.JobID) Estimate {
	says, u := l.work.Jobs[j].Limit, &l.made[j]
	if u.count == 2 {
		says = min(max((u.run[0]+u.run[1])/2, 1), says)
	}
	return one(float64(says))
}

// Basis returns the two; none where the request stands for them.
func (l *LastTwo) Basis(j model.JobID) *report.Basis {
	b, u := &report.Basis{Rule: "last-two"}, &l.made[j]
	if u.count == 2 {
		b.Count = 2
		for i := range u.run {
			b.Samples = append(b.Samples, report.Sample{Number: u.number[i], Says: u.run[i]})
		}
	}
	return b
}
