package policy

import (
	"batchlab/core/sim"
)

// BFUnmod is BF_UNMOD (Techiouba et al. 2008, section 5): flexible backfilling
// in which the first job of the queue keeps the highest priority, and its
// reservation, until it starts; the rest is ordered by P(J) at each event.
type BFUnmod struct {
	backfiller
	priorities
}

// BFMod is BF_MOD (Techiouba et al. 2008, section 6): the job with the highest
// P(J) at an event is the first of the queue and has the reservation, whoever
// had it before.
type BFMod struct {
	backfiller
	priorities
}

// NewBFUnmod returns BF_UNMOD with weights.
func NewBFUnmod(w PriorityWeights) *BFUnmod {
	b := &BFUnmod{priorities: priorities{w: w}}
	b.byPriority(&b.priorities)
	b.keep = true
	return b
}

// NewBFMod returns BF_MOD with weights.
func NewBFMod(w PriorityWeights) *BFMod {
	b := &BFMod{priorities: priorities{w: w}}
	b.byPriority(&b.priorities)
	return b
}

// byPriority makes priorities both orders.
func (b *backfiller) byPriority(p *priorities) { b.first, b.behind, b.prio = p, p, p }

// Reset prepares for a new simulation.
func (b *BFUnmod) Reset(v *sim.View) { b.backfiller.Reset(v) }

// Reset prepares for a new simulation.
func (b *BFMod) Reset(v *sim.View) { b.backfiller.Reset(v) }
