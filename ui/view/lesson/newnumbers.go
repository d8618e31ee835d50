package lesson

import (
	"slices"

	"batchlab/core/experiment"
)

// Where each try has other numbers, a wrong answer is followed by the same question with
// the next board, so that what is left of the options says nothing. Which board an answer
// was given to follows from the reader's first one and from how many were wrong before.

// fresh reports whether each try has other numbers.
func (p *Player) fresh() bool {
	return p.rule == experiment.NumbersTry && p.Whole.Draw != nil && p.Seed > 0
}

// boardAt is the seed of the numbers to which question k was answered after so many wrong
// answers to it.
func (p *Player) boardAt(k int64, misses int) int64 {
	if !p.fresh() {
		return p.Seed
	}
	for _, m := range p.Missed {
		if m.Question < k {
			misses++
		}
	}
	return experiment.BoardAfter(p.Seed, misses)
}

// asking is the lesson with the numbers of a seed, nil where there are none: all boards
// of what was given out have been solved.
func (p *Player) asking(seed int64) *experiment.Lesson {
	if seed == p.Seed {
		return p.base
	}
	l, err := p.Whole.With(seed)
	if err != nil {
		return nil
	}
	return l
}

// deal gives each question, with the steps before it since the last one, the numbers of
// its answer on show.
func (p *Player) deal() {
	if !p.fresh() {
		return
	}
	l := *p.base
	l.Steps = slices.Clone(p.base.Steps)
	from := 0
	until := p.questions()
	for k, step := range append(slices.Clone(until), len(l.Steps)-1) {
		misses := 0
		if k < len(until) {
			if misses = len(p.misses(step)); p.missed(step) {
				misses--
			}
		}
		board := p.asking(p.boardAt(int64(k), misses))
		if board == nil {
			return
		}
		for i := from; i <= step; i++ {
			l.Steps[i] = board.Steps[i]
			if i == from {
				l.Steps[i].Case, l.Steps[i].Experiment = "", board.Of(i)
			}
		}
		from = step + 1
	}
	p.Lesson = &l
}

// seedHere is the seed of the numbers on show.
func (p *Player) seedHere() int64 {
	k := int64(0)
	for _, step := range p.questions() {
		if step >= p.At {
			misses := len(p.misses(step))
			if p.missed(step) {
				misses--
			}
			return p.boardAt(k, misses)
		}
		k++
	}
	return p.boardAt(k, 0)
}
