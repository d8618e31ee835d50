package plan

import (
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
	"batchlab/core/search"
)

// Destroy takes k random jobs out of the plan and puts each back into the
// earliest gap that is left, in random order.
func (t *tuner) Destroy(rng *rand.Rand, k int) search.Score {
	p := t.p
	t.clear()
	t.sync()
	t.copied, t.hopeless.words = true, false
	for c := range p.lanes {
		l := &p.lanes[c]
		p.refresh(l)
		t.order[c] = append(t.order[c][:0], l.jobs...)
	}
	k = min(k, len(t.all))
	t.count += int64(k) * int64(len(t.all))
	for n := range k { // the chosen stand in front of all
		at := n + rng.IntN(len(t.all)-n)
		t.all[n], t.all[at] = t.all[at], t.all[n]
	}
	for _, i := range t.all[:k] {
		s := &p.slots[i]
		l := &p.lanes[s.lane]
		t.edits = append(t.edits, edit{slot: i, from: s.lane, before: s.length, start: s.start})
		at := t.position(i)
		l.jobs = slices.Delete(l.jobs, at, at+1)
		p.book(i, s.start, 1)
		if !l.Counted {
			t.kept(len(t.edits)-1, p.parts[i])
		}
	}
	for n := range t.edits {
		p.backfill(t.edits[n].slot)
		t.edits[n].to = p.slots[t.edits[n].slot].lane
	}
	// The profiles stay those of the current solution; the repair compares with
	// its starts.
	for n := range t.edits {
		p.book(t.edits[n].slot, p.slots[t.edits[n].slot].start, 1)
	}
	for n := range t.edits {
		e := &t.edits[n]
		s := &p.slots[e.slot]
		length := s.length
		s.lane, s.start, s.length = e.from, e.start, e.before
		if !p.lanes[e.from].Counted {
			p.parts[e.slot] = append(p.parts[e.slot][:0], t.aside[n]...)
		}
		p.book(e.slot, s.start, -1)
		s.lane, s.length, s.fresh = e.to, length, true
	}
	var spans []span
	last := t.now
	for c := range p.lanes {
		from, until, differs := unlike(t.order[c], p.lanes[c].jobs)
		if !differs {
			continue
		}
		gone := t.now
		for n := range t.edits {
			if e := &t.edits[n]; int(e.from) == c {
				gone = max(gone, e.start+e.before)
			}
		}
		spans, last = append(spans, span{c, from, until}), max(last, gone)
		if !t.joint {
			t.repair(span{c, from, until}, gone, t.turned(c, from, until))
		}
	}
	if t.joint && len(spans) > 0 {
		t.repairJoint(spans, last)
	}
	return t.candidate()
}

// kept remembers the nodes of an edit's slot.
func (t *tuner) kept(n int, parts []model.Part) {
	for len(t.aside) <= n {
		t.aside = append(t.aside, nil)
	}
	t.aside[n] = append(t.aside[n][:0], parts...)
}

// unlike returns the first and last place of the new list where it differs from
// the old one.
func unlike(old, new []int32) (first, last int, differs bool) {
	for first < len(old) && first < len(new) && old[first] == new[first] {
		first++
	}
	tail := 0
	for tail < len(old)-first && tail < len(new)-first && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	return first, len(new) - tail - 1, first < len(old) || first < len(new)
}
