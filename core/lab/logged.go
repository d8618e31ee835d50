package lab

import (
	"cmp"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// asLogged returns the log's own schedule (rule 11): jobs start as the log says
// and run as long, wherever that was; nothing of the platform holds them. Of
// reservations beside the log's jobs it knows nothing: they are absent.
func asLogged(r *prepared, o sim.Options) (*model.Schedule, error) {
	if o.Record != nil {
		o.Record.Why = make([]report.Why, len(r.workload.Jobs))
		for i := range o.Record.Why {
			o.Record.Why[i] = report.Why{Decision: report.StartedAsLogged, Head: -1}
		}
	}
	s, err := (*model.Schedule)(nil), error(nil)
	if gate, waits := o.Source.(sim.Gate); waits {
		s = sim.AsLoggedKept(gate, r.workload, r.machines())
	} else if o.Source == nil {
		s = sim.AsLogged(r.workload, r.machines())
	} else if s, err = sim.AsLoggedBy(o.Source, r.workload, r.machines()); err != nil {
		return nil, err
	}
	for i := range s.Executions {
		if e := &s.Executions[i]; requested(s.Workload, e.Job) {
			e.Start, e.End, e.Reason = -1, -1, model.EndRejected
		}
	}
	return s, nil
}

// requested says whether a job is a reservation beside the log's jobs.
func requested(w *model.Workload, j model.JobID) bool {
	d := w.Demand(j)
	return d != nil && d.Reservation != nil && w.Jobs[j].Record < 0
}

// unkept are features that hold schedulers to something to which the log's jobs
// were not held.
var unkept = []string{
	catalog.FeatureSpeeds, catalog.FeatureFailures, catalog.FeatureLimits, catalog.FeatureDueStops, catalog.FeatureEligibility, catalog.FeatureReservations,
}

// compareLogged says where the log's own schedule needed more than there is, and
// what of the experiment it does not keep.
func compareLogged(e *experiment.Experiment, s *model.Schedule) *report.Logged {
	out := &report.Logged{}
	for _, key := range e.Asks() {
		if slices.Contains(unkept, key) {
			out.Ignores = append(out.Ignores, key)
		}
	}
	p := s.Platform
	var list []step
	for i := range s.Executions {
		e := &s.Executions[i]
		if !e.Reason.Unserved() {
			list = append(list, step{e.Start, int64(e.Procs)}, step{e.End, -int64(e.Procs)})
			if out.Jobs++; s.Workload.Truth[e.Job].LoggedWait < 0 {
				out.Unknown++
			}
		} else if requested(s.Workload, e.Job) {
			out.Requests++
		}
	}
	if x := excess(append(list, away(p)...), int64(p.Procs())); x.Spans > 0 {
		x.What = "processors"
		out.Excess = append(out.Excess, x)
	}
	for l := range p.Activated() {
		if p.Licences[l].Copies == 0 {
			continue // on machines, and nobody counts it
		}
		list = list[:0]
		for i := range s.Executions {
			e := &s.Executions[i]
			d := s.Workload.Demand(e.Job)
			if d == nil || e.Reason.Unserved() {
				continue
			}
			for _, need := range d.Licences {
				if int(need.Licence) == l {
					list = append(list, step{e.Start, int64(need.Copies)}, step{e.End, -int64(need.Copies)})
				}
			}
		}
		if x := excess(list, int64(p.Licences[l].Copies)); x.Spans > 0 {
			x.What, x.Licence = p.Licences[l].Name, true
			out.Excess = append(out.Excess, x)
		}
	}
	return out
}

// step changes how much is in use.
type step struct {
	at    model.Time
	delta int64
}

// away are the processors that the calendar takes: of a machine once, however
// many entries name it, of a cluster that only counts at most all.
func away(p *model.Platform) (list []step) {
	type entry struct {
		at     model.Time
		node   int32
		delta  int64 // processors of a cluster that counts; of a machine ±1 entry
		counts bool
	}
	if len(p.Calendar) == 0 {
		return nil
	}
	nodes := p.Nodes()
	var entries []entry
	for i := range p.Calendar {
		c := &p.Calendar[i]
		for _, n := range c.Nodes {
			entries = append(entries, entry{c.From, n, 1, false}, entry{c.To, n, -1, false})
		}
		if len(c.Nodes) == 0 {
			n := int32(slices.IndexFunc(nodes, func(n model.Node) bool { return n.Cluster == c.Cluster }))
			entries = append(entries, entry{c.From, n, int64(c.Procs), true}, entry{c.To, n, -int64(c.Procs), true})
		}
	}
	order.Stable(entries, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
	taken := make([]int64, len(nodes))
	for _, e := range entries {
		size := int64(nodes[e.node].Procs)
		of := func(taken int64) int64 {
			if e.counts {
				return min(taken, size)
			}
			return min(taken, 1) * size
		}
		before := of(taken[e.node])
		taken[e.node] += e.delta
		if d := of(taken[e.node]) - before; d != 0 {
			list = append(list, step{e.at, d})
		}
	}
	return list
}

// excess says when more is in use than there is. What changes at one instant
// changes together.
func excess(list []step, has int64) (x report.Excess) {
	order.Stable(list, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	used, open := int64(0), report.Beyond{}
	for i, s := range list {
		used += s.delta
		if i+1 < len(list) && list[i+1].at == s.at {
			continue
		}
		over := used - has
		switch {
		case over > 0 && open.Most == 0:
			open = report.Beyond{From: s.at, Most: over}
		case over > 0:
			open.Most = max(open.Most, over)
		case open.Most > 0:
			open.To = s.at
			x.Spans++
			x.Seconds += open.To - open.From
			if len(x.First) < report.MostBeyond {
				x.First = append(x.First, open)
			}
			open = report.Beyond{}
		}
		if over > x.Most {
			x.Most, x.At = over, s.at
		}
	}
	return x
}
