package plan

import (
	"slices"

	"batchlab/core/report"
	"batchlab/core/search"
)

// moves notes the plans by which a call of an optimiser has come to its best one, for
// Watch.Moves.
type moves struct {
	list []report.Move
	best int // so many of them lead to the best plan
	step int
}

// begin notes the plan with which a call begins.
func (m *moves) begin(t *tuner, now search.Score) {
	m.list, m.best, m.step = append(m.list[:0], report.Move{At: t.now, Job: -1, Scores: now}), 1, 0
	t.moves = m
}

// keep notes the candidate that has become the current solution: who was taken out, and
// where each stands now.
func (m *moves) keep(t *tuner) {
	if len(t.edits) == 0 {
		return // a move to where the job stood
	}
	m.step++
	score := t.score(t.wait, t.slow)
	for _, e := range t.edits {
		l := &t.p.lanes[e.to]
		m.list = append(m.list, report.Move{
			At: t.now, Cluster: t.p.site.Platform.Clusters[l.Cluster].Name, Step: m.step, Job: t.p.jobs[t.p.slots[e.slot].job].Number,
			Place: slices.Index(l.jobs, e.slot) + 1, Scores: score,
		})
	}
}
