package plan

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/search"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

var (
	_ sim.Teller[*sim.View, []sim.Decision] = (*Scheduler)(nil)
	_ sim.Teller[*sim.View, []sim.Decision] = (*Hill)(nil)
)

// Tell says what is planned for the jobs that wait. What the optimiser did was
// noted as it did it.
func (s *Scheduler) Tell(v *sim.View, _ []sim.Decision, f *tell.Facts) {
	if f.Briefly() {
		s.brief(v, f)
		return
	}
	f.Ahead, f.Ready = true, "by planned start"
	f.Plans = s.plan.tell(f.Plans)
	for _, j := range s.later {
		f.Plans = append(f.Plans, tell.Plan{Job: j, At: model.Never})
	}
}

// brief says when each job that waits is planned, and which are not planned yet.
func (s *Scheduler) brief(v *sim.View, f *tell.Facts) {
	p := s.plan
	for c := range p.lanes {
		for _, i := range p.lanes[c].jobs {
			f.Head, f.Turn = p.slots[p.lanes[c].jobs[0]].job, report.WaitPlan
			f.Waits(p.slots[i].job)
			if !f.Unpromised {
				f.Plans = append(f.Plans, tell.Plan{Job: p.slots[i].job, At: p.slots[i].start})
			}
		}
	}
	for _, j := range s.later {
		why := v.Cause(&v.Needs[j])
		if why == report.WaitNone {
			why = report.WaitOrder
		}
		f.Note(j, why, -1)
	}
}

// PlansAhead says that Tell says when all that wait will start.
func (s *Scheduler) PlansAhead() {}

// PlansAhead says that Tell says when all that wait will start.
func (h *Hill) PlansAhead() {}

// tell lists the jobs of the plan that wait.
func (p *Plan) tell(list []tell.Plan) []tell.Plan {
	for _, e := range p.Expected() {
		list = append(list, tell.Plan{Job: e.Job, At: e.Start, Where: e.Claim})
	}
	return list
}

// mostMoves bounds how many moves of a call of an optimiser are told one by one.
const mostMoves = 12

// improved collects what a call of the optimiser kept.
type improved struct {
	moves    int
	old, new search.Score
	list     []tell.Decision
	draft    []tell.Plan
}

func (m *improved) add(v *sim.View, t *tuner, iteration int, old, new search.Score) {
	if m.moves == 0 {
		m.old = old
	}
	m.moves++
	if m.new = new; v.Facts == nil {
		return
	}
	if m.moves <= mostMoves {
		d := tell.Decide(tell.Move, -1)
		d.Moved = &tell.Moved{Which: iteration, Scores: scores(old, new)}
		var moved []int64
		for i := range t.trail {
			if n := v.Jobs[t.p.slots[t.trail[i].slot].job].Number; !slices.Contains(moved, n) {
				moved = append(moved, n)
			}
		}
		d.Moved.Jobs = moved[:min(len(moved), tell.MostNamed)]
		d.Moved.More = len(moved) - len(d.Moved.Jobs)
		if len(t.trail) == 1 {
			if e := &t.trail[0]; e.from != e.to {
				d.Moved.To = v.Site.Platform.Clusters[e.to].Name
			} else if e.toAt >= 0 {
				d.Moved.From, d.Moved.Place = e.fromAt+1, e.toAt+1
			}
		}
		m.list = append(m.list, d)
	}
	t.trail = t.trail[:0]
}

// scores are the criteria that differ.
func scores(old, new search.Score) (list []tell.Score) {
	for i, name := range Criteria {
		if old[i] != new[i] {
			list = append(list, tell.Score{Name: name, Old: old[i], New: new[i]})
		}
	}
	return list
}

// tell notes it; tries is how many moves it looked at. Where there was none, there is
// nothing to say: a plan of one job.
func (m *improved) tell(f *tell.Facts, tries int) {
	if tries == 0 {
		return
	}
	f.Drafts(m.draft, 1, "")
	d := tell.Decide(tell.Improve, -1)
	if d.Improved = (&tell.Improved{Tries: tries, Kept: m.moves}); m.moves > 0 {
		d.Improved.Scores = scores(m.old, m.new)
	}
	f.Said = append(append(f.Said, m.list...), d)
}

// Tell says when the jobs that wait would start by the schedule.
func (h *Hill) Tell(_ *sim.View, _ []sim.Decision, f *tell.Facts) {
	f.Ahead, f.Ready, f.Plans = true, "by the schedule", hillPlans(h.order, f.Plans)
	for i := range h.order {
		if f.Waits != nil {
			f.Head, f.Turn = -1, report.WaitPlan
			before := h.order[i].before
			if at := slices.IndexFunc(before, func(b model.JobID) bool { return !h.ended[b] }); at >= 0 {
				f.Head = before[at]
			}
			f.Waits(h.order[i].job)
		}
	}
}

func hillPlans(order []hillJob, list []tell.Plan) []tell.Plan {
	for i := range order {
		list = append(list, tell.Plan{Job: order[i].job, At: order[i].start, Where: order[i].claim})
	}
	return list
}
