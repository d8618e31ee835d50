package predict

import (
	"batchlab/core/model"
	"batchlab/core/report"
)

// Book keeps what a predictor says of the jobs of a simulation. The simulator
// writes it, unless the scheduler does so itself; schedulers read it. The zero
// value with a Predictor is ready.
type Book struct {
	Predictor Predictor
	History   []Past // completions from before the simulation, in order of their ends
	// Keep asks for First and Last.
	Keep bool
	// By job, in seconds: what was predicted at its submission, and at its start.
	// Filled where Keep is set; 0 before.
	First, Last []model.Time
	// Follow is the number of a job of which Followed is then kept, nil none: what its
	// prediction came from at its last start.
	Follow   *int64
	Followed *report.Basis

	jobs  []model.Job
	said  []Estimate   // by job: at its last start
	guess []model.Time // by job that runs: predicted length, corrected
	times []int8       // by job that runs: how often
	state []state
}

// state is what the book knows of a job.
type state uint8

const (
	absent state = iota
	waits
	runs
)

// Begin prepares for a new simulation; jobs and origin as in Work.
func (b *Book) Begin(jobs []model.Job, origin []int32) {
	n := len(jobs)
	b.jobs = jobs
	b.said, b.guess = sized(b.said, n), sized(b.guess, n)
	b.times, b.state = sized(b.times, n), sized(b.state, n)
	clear(b.state)
	if b.Keep {
		b.First, b.Last = make([]model.Time, n), make([]model.Time, n)
	}
	b.Predictor.Reset(&Work{Jobs: jobs, Origin: origin, History: b.History})
}

// Submit is told that a job waits from now on: it was submitted, or stopped.
func (b *Book) Submit(j model.JobID) {
	if b.state[j] == waits {
		return
	}
	b.state[j] = waits
	b.Predictor.Submit(j)
	if b.Keep && b.First[j] == 0 {
		b.First[j] = b.Seconds(j)
	}
}

// Start is told that a job waits no longer, and freezes what is thought of it. It
// does nothing for one that did not wait, such as an advance reservation.
func (b *Book) Start(j model.JobID) {
	if b.state[j] != waits {
		return
	}
	if b.Follow != nil && b.jobs[j].Number == *b.Follow {
		b.Followed = b.Basis(j)
	}
	e := b.Predictor.Estimate(j)
	b.said[j], b.state[j] = e, runs
	b.guess[j], b.times[j] = e.Seconds(b.jobs[j].Limit), 0
	if b.Keep {
		b.Last[j] = b.guess[j]
	}
	b.Predictor.Start(j)
}

// End is told that a job that has started has ended after run seconds.
func (b *Book) End(j model.JobID, run model.Time) {
	if b.state[j] == runs {
		b.Predictor.End(j, run)
		b.state[j] = absent
	}
}

// Knows says whether the job waits or runs by the book.
func (b *Book) Knows(j model.JobID) bool { return b.state[j] != absent }

// Estimate says what is thought of a job that was submitted: now where it waits,
// at its last start where it has started.
func (b *Book) Estimate(j model.JobID) Estimate {
	if b.state[j] != waits {
		return b.said[j]
	}
	return b.Predictor.Estimate(j)
}

// Seconds returns the prediction of a job in whole seconds, 1 … its request.
func (b *Book) Seconds(j model.JobID) model.Time {
	e := b.Estimate(j)
	return e.Seconds(b.jobs[j].Limit)
}

// Length returns how long a job is thought to run that runs, when it has for ran
// seconds: more than those, and at most its request. A prediction that was too
// short is corrected.
func (b *Book) Length(j model.JobID, ran model.Time) model.Time {
	limit := b.jobs[j].Limit
	for b.guess[j] <= ran && b.guess[j] < limit {
		b.guess[j] = min(b.guess[j]+increments[min(int(b.times[j]), len(increments)-1)], limit)
		b.times[j]++
	}
	return b.guess[j]
}

func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// mostSamples is how many completions are named that a prediction comes from.
const mostSamples = 4

// Basis returns what the prediction of a waiting job comes from, as it is now; nil
// where the predictor learns nothing.
func (b *Book) Basis(j model.JobID) *report.Basis {
	p, learns := b.Predictor.(interface {
		Basis(j model.JobID) *report.Basis
	})
	if !learns {
		return nil
	}
	basis := p.Basis(j)
	if basis != nil {
		basis.Samples = basis.Samples[:min(len(basis.Samples), mostSamples)]
		e := b.Predictor.Estimate(j)
		basis.Predicts = e.Seconds(b.jobs[j].Limit)
	}
	return basis
}
