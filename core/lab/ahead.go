//go:build !small

package lab

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// countsAhead says whether scheduler i runs by counts beside what is reserved or taken
// away in a repetition. What only the general form can do goes there: what is to be told or
// recorded, users who react, failures, binding and suspending.
func (p *Prepared) countsAhead(r *prepared, i int, o *sim.Options) bool {
	if !p.counts(i) || !r.uniform() || o.Record != nil || o.Source != nil || o.Book != nil {
		return false
	}
	failure := func(c model.CalendarEntry) bool { return c.Kind == model.KindFailure }
	if r.platform != nil && slices.ContainsFunc(r.platform.Calendar, failure) {
		return false
	}
	for i := range r.workload.Jobs { // fewer processors of so many nodes, or who wants more than there are
		j := &r.workload.Jobs[i]
		if d := r.workload.Demand(model.JobID(i)); d != nil && d.Reservation != nil && d.Reservation.Effort == model.EffortProcs &&
			(d.PerNode > 1 || int(j.Procs) > r.machines().Procs()) {
			return false
		}
	}
	rules := bookingRules(p.doc.Platform.Booking)
	return rules.Counts() && p.knowsAhead(i)
}

// knowsAhead says whether the form by counts of scheduler i knows what lies ahead. A
// formula may have no value at an instant at which that form does not ask for one.
func (p *Prepared) knowsAhead(i int) bool {
	s, err := buildCounted(&p.doc.Schedulers[i])
	if err != nil {
		return false
	}
	easy, ok := s.(*policy.CountedEASY)
	return !ok || easy.Formula == nil && easy.BackfillFormula == nil
}

// ahead runs scheduler i by counts beside what is reserved or taken away.
func (p *Prepared) ahead(r *prepared, i int, o sim.Options, out *report.Run) (*model.Schedule, error) {
	var desk *reserve.Counted
	if p.newDesk(r.workload) != nil {
		desk = &reserve.Counted{Options: bookingRules(p.doc.Platform.Booking)}
		o.CountedDesk = desk
	}
	s, err := p.simulate(r, i, o, out)
	if err != nil {
		return nil, err
	}
	placed(s)
	if desk != nil {
		s.Holds = desk.Holds(s)
	}
	return s, nil
}

// placed says of each execution of a schedule by counts that it holds processors of the one
// cluster, as the general form does.
func placed(s *model.Schedule) {
	s.Claims = make([]model.Claim, len(s.Executions))
	parts := map[int32][]model.Part{}
	for i := range s.Executions {
		e := &s.Executions[i]
		if e.Reason.Unserved() {
			continue
		}
		if parts[e.Procs] == nil {
			parts[e.Procs] = []model.Part{{Procs: e.Procs}}
		}
		s.Claims[i].Parts, e.Claim = parts[e.Procs], int32(i)+1
	}
}
