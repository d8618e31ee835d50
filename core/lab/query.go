//go:build !small

package lab

import (
	"errors"
	"fmt"

	"batchlab/core/catalog"
	"batchlab/core/report"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// Query asks what reservation could have been had at a time in a run: a request
// that is added with that time as its submission gets what the answer says. It
// repeats the run up to there, and fails for a log's own schedule and for questions
// that make no sense. Progress may be nil; when it returns false, Query fails with
// ErrCancelled.
func (p *Prepared) Query(id RunID, ask report.Ask, progress func(done, total int) bool) (*report.Answer, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, err
	}
	if key := p.doc.Schedulers[id.Scheduler].Key; catalog.FindScheduler(key).Logged {
		return nil, fmt.Errorf("lab: %s accepts no reservations", key)
	}
	scheduler, desk, err := p.decider(r, id)
	if err != nil {
		return nil, err
	}
	if desk == nil {
		desk = &reserve.Desk{Options: bookingRules(p.doc.Platform.Booking)}
	}
	clusters := r.machines().Clusters
	widest := 0
	for i := range clusters {
		if ask.Cluster < 0 || int(ask.Cluster) == i {
			widest = max(widest, clusters[i].Procs())
		}
	}
	first, _ := r.workload.Span()
	switch {
	case int(ask.Cluster) >= len(clusters):
		return nil, fmt.Errorf("lab: there is no provider %d", ask.Cluster)
	case ask.Procs < 1 || ask.Length < 1:
		return nil, errors.New("a reservation has at least one processor and lasts at least a second")
	case int(ask.Procs) > widest:
		return nil, fmt.Errorf("%d processors are wanted; the largest provider that may be asked has %d", ask.Procs, widest)
	case ask.To <= ask.From:
		return nil, fmt.Errorf("the interval ends at %d, not after its start at %d", ask.To, ask.From)
	case ask.Length > ask.To-ask.From:
		return nil, fmt.Errorf("%d s do not fit the interval of %d s", ask.Length, ask.To-ask.From)
	case ask.At < first:
		return nil, fmt.Errorf("it is asked at %d, before the first submission at %d", ask.At, first)
	case ask.At > ask.From:
		return nil, fmt.Errorf("the interval starts at %d, in the past: it is asked for at %d", ask.From, ask.At)
	}
	desk.Query(ask)
	o := sim.Options{Source: r.users, Progress: progress, Watch: func(*sim.View) bool { return !desk.Answered() }, Desk: desk}
	if o.Book, err = p.book(r, id.Scheduler); err != nil {
		return nil, err
	}
	_, err = new(sim.Simulator).Run(r.workload, r.machines(), scheduler, o)
	switch {
	case errors.Is(err, sim.ErrCancelled) && !desk.Answered():
		return nil, ErrCancelled
	case err != nil && !errors.Is(err, sim.ErrCancelled):
		return nil, err
	}
	return desk.Answer(), nil
}
