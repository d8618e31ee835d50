package custom

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

// Orderer is a program that defines order(job, s), under one of the rules of
// backfilling that package policy and package plan have.
type Orderer struct {
	machine
	base   sim.Scheduler
	queue  *lineup
	behind *lineup // nil: as queue
}

var (
	_ sim.Planner                           = (*Orderer)(nil)
	_ sim.Teller[*sim.View, []sim.Decision] = (*Orderer)(nil)
	_ sim.Holder                            = (*Orderer)(nil)
)

// Schedulers returns the rule under which the program's order stands.
func (o *Orderer) Schedulers() []sim.Scheduler { return []sim.Scheduler{o.base} }

// New returns the scheduler that a program describes.
func New(p *Program) sim.Scheduler {
	if p.decides {
		return &Decider{machine{program: p}}
	}
	o := &Orderer{machine: machine{program: p}}
	if p.orders {
		o.queue = &lineup{m: &o.machine, name: "order"}
	}
	if p.behind {
		o.behind = &lineup{m: &o.machine, name: "backfill_order"}
	}
	switch {
	case p.backfill == "conservative" && !p.orders:
		o.base = plan.NewConservative()
	case p.backfill == "conservative":
		o.base = plan.NewConservativeIn(o.queue)
	case p.backfill == "none":
		o.base = policy.NewStrictBy(o.queue)
	case p.behind:
		o.base = policy.NewEASYBy(o.queue, o.behind)
	default:
		o.base = policy.NewEASYBy(o.queue, o.queue)
	}
	if p.looks {
		return &spaciousOrderer{o}
	}
	return o
}

// spaciousOrderer is one whose program asks what is free over time.
type spaciousOrderer struct{ *Orderer }

// NeedsSpace says that View.Space is asked.
func (spaciousOrderer) NeedsSpace() {}

// Reset prepares for a new simulation.
func (o *Orderer) Reset(v *sim.View) {
	o.machine.reset(v)
	o.base.Reset(v)
}

// Wake returns the next planned start.
func (o *Orderer) Wake() model.Time {
	if p, ok := o.base.(sim.Planner); ok {
		return p.Wake()
	}
	return model.Never
}

// Decide lets the rule decide, which asks the program for the order.
func (o *Orderer) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	m := &o.machine
	m.join(v)
	m.waiting = slices.DeleteFunc(m.waiting, func(j model.JobID) bool { // the rule gives them up
		late := v.Kills(j) && v.Due[j] <= v.Now
		m.jobs[j].waits = !late
		return late
	})
	m.begin(v, nil)
	for _, l := range [...]*lineup{o.queue, o.behind} {
		if l != nil {
			l.stale = true
		}
	}
	if m.program.begins && !m.failed {
		m.call("begin", m.s)
	}
	from := len(out)
	m.asking = true
	out = o.base.Decide(v, out)
	m.asking = false
	m.started(out[from:])
	return out
}

// Tell says what the rule went by.
func (o *Orderer) Tell(v *sim.View, decided []sim.Decision, f *tell.Facts) {
	if t, ok := o.base.(sim.Teller[*sim.View, []sim.Decision]); ok {
		t.Tell(v, decided, f)
	}
}

// lineup is the order that one of the program's functions makes: a policy.Judge, and
// a plan.Order.
type lineup struct {
	m      *machine
	name   string
	keys   []starlark.Value // by job, as it was last asked
	scores []float64        // by job
	ranks  []int32          // by job; nil: the order may change
	stale  bool
	sorted []model.JobID
}

// Reset prepares for a new simulation. An order that never changes is asked once of
// each job.
func (l *lineup) Reset(v *sim.View) {
	n := len(v.Jobs)
	l.keys, l.scores, l.ranks, l.stale = make([]starlark.Value, n), make([]float64, n), nil, true
	if !l.m.program.static || v.Pool != nil || l.m.failed {
		return
	}
	l.sorted = l.sorted[:0]
	for j := range n {
		l.sorted = append(l.sorted, model.JobID(j))
	}
	l.ask(v, l.sorted)
	if l.m.failed {
		return
	}
	l.sort(l.sorted)
	l.ranks = make([]int32, n)
	for rank, j := range l.sorted {
		l.ranks[j] = int32(rank)
	}
}

// Rank returns a job's place, if it never changes.
func (l *lineup) Rank(j model.JobID) (int32, bool) {
	if l.ranks == nil {
		return 0, false
	}
	return l.ranks[j], true
}

// Score returns a job's score at this instant: all that wait are asked the first
// time that one is wanted.
func (l *lineup) Score(v *sim.View, j model.JobID) float64 {
	if l.stale && l.m.asking && !l.m.failed {
		l.stale = false
		l.scoreAll(v)
	}
	return l.scores[j]
}

// Admit has nothing to do.
func (l *lineup) Admit(*sim.View) {}

// Sort puts jobs into the order.
func (l *lineup) Sort(v *sim.View, jobs []model.JobID) {
	if l.ranks != nil {
		slices.SortFunc(jobs, func(a, b model.JobID) int { return int(l.ranks[a]) - int(l.ranks[b]) })
		return
	}
	if l.stale && l.m.asking && !l.m.failed {
		l.stale = false
		l.ask(v, l.m.waiting)
	}
	if !l.m.failed {
		slices.Sort(jobs)
		l.sort(jobs)
	}
}

// scoreAll gives all waiting jobs scores: keys that are numbers are scores already,
// others by their place.
func (l *lineup) scoreAll(v *sim.View) {
	waiting := l.m.waiting
	l.ask(v, waiting)
	if l.m.failed {
		return
	}
	exact := true
	for _, j := range waiting {
		if x, ok := exactly(l.keys[j]); ok {
			l.scores[j] = -x
		} else {
			exact = false
			break
		}
	}
	if exact {
		return
	}
	l.sorted = append(l.sorted[:0], waiting...)
	l.sort(l.sorted)
	for place, j := range l.sorted {
		l.scores[j] = -float64(place)
	}
}

// exactly returns a number that is the same as a float64.
func exactly(v starlark.Value) (float64, bool) {
	switch v := v.(type) {
	case starlark.Float:
		return float64(v), true
	case starlark.Int:
		if x, ok := v.Int64(); ok && x >= -1<<53 && x <= 1<<53 {
			return float64(x), true
		}
	}
	return 0, false
}

// ask asks the program for the keys of jobs. It spends the steps of one call for
// each.
func (l *lineup) ask(v *sim.View, jobs []model.JobID) {
	m := l.m
	m.v = v
	for i, j := range jobs {
		if i > 0 {
			m.meter.begin()
		}
		key := m.call(l.name, m.job(j), m.s)
		if m.failed {
			return
		}
		if why := unsortable(key); why != "" {
			m.fail(&Fault{m.program.line[l.name], 1, fmt.Sprintf("%s must return a number or a tuple of numbers and texts; for job %d it returned %s (at %d s)",
				l.name, v.Jobs[j].Number, why, v.Now)})
			return
		}
		l.keys[j] = key
	}
}

// unsortable says what is wrong with a key, "" when nothing is.
func unsortable(v starlark.Value) string {
	switch v := v.(type) {
	case starlark.Int, starlark.Bool:
		return ""
	case starlark.Float:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return v.String() + ", which is no finite number"
		}
		return ""
	case starlark.String:
		if len(v) <= 256 {
			return ""
		}
		return "a text of more than 256 characters"
	case starlark.Tuple:
		if len(v) > 20 {
			return "a tuple of more than 20 parts"
		}
		for _, x := range v {
			if _, nested := x.(starlark.Tuple); nested {
				return "a tuple within a tuple"
			}
			if why := unsortable(x); why != "" {
				return why
			}
		}
		return ""
	}
	return v.Type()
}

// sort puts jobs that stand in order of submission into that of their keys.
func (l *lineup) sort(jobs []model.JobID) {
	var fault error
	slices.SortStableFunc(jobs, func(a, b model.JobID) int {
		x, y := l.keys[a], l.keys[b]
		if p, ok := exactly(x); ok {
			if q, ok := exactly(y); ok {
				switch {
				case p < q:
					return -1
				case p > q:
					return 1
				}
				return 0
			}
		}
		less, err := starlark.Compare(syntax.LT, x, y)
		if err == nil && less {
			return -1
		}
		more, err2 := starlark.Compare(syntax.GT, x, y)
		if fault = errors.Join(fault, err, err2); more {
			return 1
		}
		return 0
	})
	if fault != nil && !l.m.failed {
		l.m.fail(&Fault{l.m.program.line[l.name], 1, fmt.Sprintf("%s returns keys that cannot be compared: numbers for some jobs and tuples or texts for others (at %d s)", l.name, l.m.v.Now)})
	}
}
