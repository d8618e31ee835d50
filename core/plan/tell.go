package plan

import (
	"batchlab/core/model"
	"batchlab/core/search"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

var (
	_ sim.Teller = (*Scheduler)(nil)
	_ sim.Teller = (*Hill)(nil)
)

// Tell says what is planned for the jobs that wait. What the optimiser did was
// noted as it did it.
func (s *Scheduler) Tell(_ *sim.View, _ []sim.Decision, f *tell.Facts) {
	f.Ahead, f.Ready = true, "by planned start"
	s.plan.Planned(func(j model.JobID, start model.Time, cluster int32) {
		f.Plans = append(f.Plans, tell.Plan{Job: j, At: start, Place: cluster})
	})
	for _, j := range s.later {
		f.Plans = append(f.Plans, tell.Plan{Job: j, At: model.Never, Place: -1})
	}
}

// improved collects what a call of the optimiser kept.
type improved struct {
	moves    int
	old, new search.Score
}

func (m *improved) add(old, new search.Score) {
	if m.moves == 0 {
		m.old = old
	}
	m.moves++
	m.new = new
}

// tell notes it; tries is how many moves it looked at.
func (m *improved) tell(f *tell.Facts, tries int) {
	d := tell.Decide(tell.Improve, -1)
	d.Moves, d.More = m.moves, tries
	for i, name := range Criteria {
		if m.moves > 0 && m.old[i] != m.new[i] {
			d.Scores = append(d.Scores, tell.Score{Name: name, Old: m.old[i], New: m.new[i]})
		}
	}
	f.Said = append(f.Said, d)
}

// Tell says when the jobs that wait would start by the schedule.
func (h *Hill) Tell(_ *sim.View, _ []sim.Decision, f *tell.Facts) {
	f.Ahead, f.Ready = true, "by the schedule"
	h.Planned(func(j model.JobID, start model.Time, cluster int32) {
		f.Plans = append(f.Plans, tell.Plan{Job: j, At: start, Place: cluster})
	})
}
