//go:build !small

package lab

import (
	"errors"
	"fmt"

	"batchlab/core/intake"
	"batchlab/core/model"
)

// Present is what runs and waits now, as a batch system lists it.
type Present struct {
	Jobs []PresentJob `json:"jobs"` // those that wait in the order in which they stand
}

// PresentJob is a job that runs or waits.
type PresentJob struct {
	Procs  int32      `json:"procs"`
	Limit  model.Time `json:"limit"`  // requested time in seconds
	User   int32      `json:"user"`   // of the log, −1 unknown
	Ran    model.Time `json:"ran"`    // how long it has run, −1: it waits
	Waited model.Time `json:"waited"` // how long it has waited, −1 unknown
}

// noLimit is what stands for a time limit that nobody has set.
const noLimit = 30 * 24 * 3600

// PresentOf makes a present of a queue. A node counts as one processor where the queue does
// not say how many.
func PresentOf(q *intake.Queue) *Present {
	p := &Present{}
	for i := range q.Jobs {
		j := &q.Jobs[i]
		one := PresentJob{Procs: int32(max(1, j.Procs)), Limit: model.Time(j.Limit), User: j.User, Ran: model.Time(j.Ran), Waited: model.Time(j.Waited)}
		if j.Procs == 0 {
			one.Procs = int32(max(1, j.Nodes))
		}
		if one.Limit == 0 {
			one.Limit = noLimit
		}
		p.Jobs = append(p.Jobs, one)
	}
	return p
}

// Pasted is what squeue printed, as a question may be asked on top of it.
type Pasted struct {
	Present *Present   `json:"present"`
	At      model.Time `json:"at"`      // the end of the log, which stands for now
	Held    int        `json:"held"`    // jobs left out, since somebody holds them
	Unknown int        `json:"unknown"` // jobs of users that the log does not name
}

// ReadQueue reads what squeue prints. Users become numbers where the log's own file names
// them; errors name the line.
func (p *Prepared) ReadQueue(text []byte) (*Pasted, error) {
	r, err := p.repetition(0)
	if err != nil {
		return nil, err
	}
	log, err := p.source(0)
	if err != nil {
		return nil, err
	}
	q, err := intake.ReadQueue(text, log.Names)
	if err != nil {
		return nil, err
	}
	_, last := r.workload.Span()
	return &Pasted{Present: PresentOf(q), At: last, Held: q.Held, Unknown: q.Unknown}, nil
}

// jobs makes jobs of a present, with numbers from a last one on.
func (p *Present) jobs(at model.Time, last int64) []model.Job {
	list := make([]model.Job, len(p.Jobs))
	waited := model.Time(0)
	for i := len(p.Jobs) - 1; i >= 0; i-- { // who stands further in front came no later
		one := &p.Jobs[i]
		if one.Ran < 0 {
			waited = max(waited, one.Waited, 1)
		}
		list[i] = model.Job{Number: last + 1 + int64(i), Submit: at - waited, Limit: max(1, one.Limit), Procs: one.Procs, User: one.User, Group: -1, Queue: -1, Executable: -1, Record: -1}
	}
	return list
}

// about checks a question about a present.
func (p *Present) about(ask *Ask, procs int64) (job int32, waited model.Time, err error) {
	used := int64(0)
	for i := range p.Jobs {
		one := &p.Jobs[i]
		if one.Procs < 1 || int64(one.Procs) > procs || one.Limit < 1 {
			return -1, 0, fmt.Errorf("row %d of the queue: %d processors of %d for %d s: it cannot run here", i+1, one.Procs, procs, one.Limit)
		}
		if one.Ran >= 0 {
			used += int64(one.Procs)
		}
	}
	switch {
	case used > procs:
		err = fmt.Errorf("what runs by the queue takes %d processors, and there are %d", used, procs)
	case ask.Job != 0 && (ask.Job < 1 || ask.Job > int64(len(p.Jobs))):
		err = fmt.Errorf("row %d: the queue has %d", ask.Job, len(p.Jobs))
	case ask.Job != 0 && p.Jobs[ask.Job-1].Ran >= 0:
		err = fmt.Errorf("row %d of the queue runs already", ask.Job)
	case ask.Job != 0:
		return int32(ask.Job - 1), max(0, p.Jobs[ask.Job-1].Waited), nil
	case ask.Procs < 1 || int64(ask.Procs) > procs:
		err = fmt.Errorf("%d processors are wanted of %d", ask.Procs, procs)
	case ask.Limit < 1:
		err = errors.New("a time limit of at least a second is wanted")
	}
	return -1, 0, err
}
