package metric

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// grid holds the criteria of a grid of providers with advance reservations
// (Kurowski et al. 2011, section 4.3).
type grid struct {
	there     bool // there are several providers or reservations
	reserves  bool // there are reservations
	jobs      int
	reserved  int // measured reservations that were accepted
	rejected  int
	flow      sum
	tardiness sum
	delay     sum
	usage     float64 // mean over providers
	idle      float64 // share
	submitted sum     // from submission to end, of all jobs, where there are reservations
}

// ofGrid makes a measure that exists for grids; ofReserved one that exists where
// reservations were accepted.
func ofGrid(of func(*grid) float64) func(*Meter) (float64, bool) {
	return func(m *Meter) (float64, bool) {
		if !m.grid.there || m.grid.jobs == 0 {
			return 0, false
		}
		return of(&m.grid), true
	}
}

func ofReserved(of func(*grid) float64) func(*Meter) (float64, bool) {
	return func(m *Meter) (float64, bool) {
		if m.grid.reserved == 0 {
			return 0, false
		}
		return of(&m.grid), true
	}
}

// provided is what one provider has of a grid.
type provided struct {
	jobs, reserved  int
	rejected, late  int // reservations: that it might have taken; that ended after their interval
	flow, tardiness sum
	busy, idle      sum // processor-seconds
}

// reservation returns a job's reservation or nil.
func reservation(w *model.Workload, j model.JobID) *model.Reservation {
	if d := w.Demand(j); d != nil {
		return d.Reservation
	}
	return nil
}

// measureGrid measures the criteria. Work and idle time count within the span
// of the measured jobs, whoever's they are.
func (m *Meter) measureGrid(s *model.Schedule, o *Options) {
	m.grid = grid{}
	if s.Platform == nil || s.Logged {
		return
	}
	g := &m.grid
	reserves := slices.ContainsFunc(s.Workload.Demands, func(d model.Demand) bool { return d.Reservation != nil })
	g.reserves = reserves
	if g.there = reserves || len(s.Platform.Clusters) > 1; !g.there {
		return
	}
	list := m.providers(s, o)
	span := m.machine.makespan()
	var idle sum
	for i := range list {
		p := &list[i]
		g.jobs += p.jobs
		g.reserved += p.reserved
		g.flow.plus(p.flow)
		g.tardiness.plus(p.tardiness)
		idle.plus(p.idle)
		if procs := s.Platform.Clusters[i].Procs(); span > 0 && procs > 0 {
			g.usage += p.busy.float() / (float64(procs) * float64(span))
		}
	}
	g.usage /= float64(len(list))
	if span > 0 {
		g.idle = idle.float() / (float64(m.machine.processors) * float64(span))
	}
	for i := range s.Executions {
		e := &s.Executions[i]
		r := reservation(s.Workload, e.Job)
		if submit := s.Workload.Jobs[e.Job].Submit; reserves && e.Reason.Final() && !e.Reason.Unserved() && o.in(submit) {
			g.submitted.add(int64(e.End - submit))
		}
		switch {
		case r == nil || e.Attempt > 0 || !o.in(s.Workload.Jobs[e.Job].Submit):
		case e.Reason.Unserved():
			g.rejected++
		default:
			g.delay.add(int64(e.Start - r.Ready))
		}
	}
}

// providers measures each provider by itself.
func (m *Meter) providers(s *model.Schedule, o *Options) []provided {
	list := make([]provided, len(s.Platform.Clusters))
	first, last := m.machine.first, m.machine.last
	for i := range s.Executions {
		e := &s.Executions[i]
		if e.Reason.Unserved() {
			if o.in(s.Workload.Jobs[e.Job].Submit) {
				refuse(s, e.Job, list)
			}
			continue
		}
		p := &list[e.Cluster]
		p.busy.addProduct(int64(e.Procs), int64(max(0, min(e.End, last)-max(e.Start, first))))
		if !e.Reason.Final() || !o.in(s.Workload.Jobs[e.Job].Submit) {
			continue
		}
		p.jobs++
		if r := reservation(s.Workload, e.Job); r != nil {
			p.reserved++
			p.flow.add(int64(e.End - r.Ready))
			p.tardiness.add(int64(max(0, e.End-r.Deadline)))
			if e.End > r.Deadline {
				p.late++
			}
		} else {
			p.flow.add(int64(e.End - s.Workload.Jobs[e.Job].Submit))
		}
	}
	idleBefore(s, first, last, list)
	return list
}

// refuse counts a rejected reservation at the providers that might have taken it.
func refuse(s *model.Schedule, j model.JobID, list []provided) {
	d := s.Workload.Demand(j)
	if d == nil || d.Reservation == nil {
		return
	}
	for c := range list {
		wide := int(s.Workload.Jobs[j].Procs) > s.Platform.Clusters[c].Procs() && d.Reservation.Effort != model.EffortProcs
		if !wide && (len(d.Eligible) == 0 || slices.Contains(d.Eligible, int32(c))) {
			list[c].rejected++
		}
	}
}

// Providers returns what each provider of a platform of several did; nil for
// one.
func (m *Meter) Providers(s *model.Schedule, o Options) []report.Provider {
	if !m.grid.there || len(s.Platform.Clusters) < 2 {
		return nil
	}
	span := float64(m.machine.makespan())
	var out []report.Provider
	for i, p := range m.providers(s, &o) {
		c := &s.Platform.Clusters[i]
		capacity := float64(c.Procs()) * span
		one := report.Provider{Name: c.Name, Procs: int32(c.Procs()), Jobs: p.jobs, Reservations: p.reserved, Rejected: p.rejected, Late: p.late}
		if capacity > 0 {
			one.Utilization, one.Idle = p.busy.float()/capacity, p.idle.float()/capacity
		}
		if p.jobs > 0 {
			one.MeanFlow = p.flow.float() / float64(p.jobs)
		}
		if p.reserved > 0 {
			one.MeanTardiness = p.tardiness.float() / float64(p.reserved)
		}
		out = append(out, one)
	}
	return out
}

// idleBefore adds up the idle processor-seconds directly before reservations
// within [from, to). Idle processors stand on a stack, the one that became idle
// last on top; each start takes from the top, so that what is laid to
// reservations is the least that any numbering of the processors gives.
func idleBefore(s *model.Schedule, from, to model.Time, list []provided) {
	type event struct {
		at    model.Time
		start bool // after ends at the same time
		index int32
	}
	events := make([]event, 0, 2*len(s.Executions))
	for i := range s.Executions {
		if e := &s.Executions[i]; !e.Reason.Unserved() {
			events = append(events, event{e.Start, true, int32(i)}, event{e.End, false, int32(i)})
		}
	}
	order.Sort(events, func(a, b event) int {
		if c := cmp.Compare(a.at, b.at); c != 0 {
			return c
		}
		if a.start != b.start {
			if a.start {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.index, b.index)
	})
	type idle struct {
		since model.Time
		procs int32
	}
	stacks := make([][]idle, len(list))
	for c := range stacks {
		stacks[c] = []idle{{from, int32(s.Platform.Clusters[c].Procs())}}
	}
	for _, v := range events {
		e := &s.Executions[v.index]
		stack := &stacks[e.Cluster]
		if !v.start {
			*stack = append(*stack, idle{v.at, e.Procs})
			continue
		}
		reserved := e.Attempt == 0 && reservation(s.Workload, e.Job) != nil
		for left := e.Procs; left > 0 && len(*stack) > 0; {
			top := &(*stack)[len(*stack)-1]
			n := min(left, top.procs)
			left -= n
			if reserved {
				list[e.Cluster].idle.addProduct(int64(n), int64(max(0, min(v.at, to)-max(top.since, from))))
			}
			if top.procs -= n; top.procs == 0 {
				*stack = (*stack)[:len(*stack)-1]
			}
		}
	}
}
