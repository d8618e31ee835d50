package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// BFUnmod is BF_UNMOD (Techiouba et al. 2008, section 5): flexible backfilling
// in which the first job of the queue keeps the highest priority, and its
// reservation, until it starts; the rest is ordered by P(J) at each event.
type BFUnmod struct {
	siteBackfill
	flexible
}

// BFMod is BF_MOD (Techiouba et al. 2008, section 6): the job with the highest
// P(J) at an event is the first of the queue and has the reservation, whoever
// had it before.
type BFMod struct {
	siteBackfill
	flexible
}

// NewBFUnmod returns BF_UNMOD with weights.
func NewBFUnmod(w PriorityWeights) *BFUnmod {
	b := &BFUnmod{flexible: flexible{keep: true}}
	b.w, b.byPriority = w, true
	b.siteBackfill.rank = &b.flexible
	return b
}

// NewBFMod returns BF_MOD with weights.
func NewBFMod(w PriorityWeights) *BFMod {
	b := &BFMod{}
	b.w, b.byPriority = w, true
	b.siteBackfill.rank = &b.flexible
	return b
}

var (
	_ sim.Explainer = (*BFUnmod)(nil)
	_ sim.Explainer = (*BFMod)(nil)
)

// flexible ranks by priority.
type flexible struct {
	priorities
	keep  bool        // the first job stays the first until it starts
	first model.JobID // −1: none
	terms []Priority  // of the jobs that waited when the last pass began
	trace bool
	needs []resource.Need
}

func (f *flexible) reset(v *sim.View) {
	f.priorities.reset(v)
	f.first, f.needs = -1, v.Needs
	f.terms = f.terms[:0]
}

func (f *flexible) begin(v *sim.View, waiting []model.JobID) {
	f.priorities.begin(v, waiting)
	if f.trace {
		f.terms = f.terms[:0]
		for _, j := range waiting {
			f.terms = append(f.terms, f.priorities.terms(v, j))
		}
	}
}

func (f *flexible) top(v *sim.View, waiting []model.JobID) int {
	if f.keep && f.first >= 0 {
		if at, ok := slices.BinarySearch(waiting, f.first); ok {
			return at
		}
	}
	at := f.highest(v, waiting)
	f.first = waiting[at]
	return at
}

func (f *flexible) started(j model.JobID) {
	f.load.add(&f.needs[j], -1)
	if j == f.first {
		f.first = -1
	}
}

// Trace makes the scheduler keep the priorities of each pass for Priorities.
func (f *flexible) Trace() { f.trace = true }

// Priorities returns P(J), taken apart, of every job that waited when the last
// pass began, in order of submission; only after Trace. The slice holds until
// the next pass.
func (f *flexible) Priorities() []Priority { return f.terms }
