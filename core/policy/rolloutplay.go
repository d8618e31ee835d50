//go:build !small

package policy

import (
	"math"
	"math/bits"
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// placeBits are those of a place in rollout.
const placeBits = 24

// asking is what a try asks for, and what waiting costs it.
type asking struct {
	limit model.Time
	procs int32
	slow  float64
}

// rollout plays EASY backfilling until all jobs have started. Sets of tries are bits
// in words, so that who fits is found without looking at the others.
//
// In a scenario most candidates decide for long as the first does. So the first is
// played with the others beside it, which need only say whether they would have
// decided the same; where one parts, what stands there is kept, and it goes on
// from there when its turn comes.
type rollout struct {
	asks   []asking // the tries, in backfill order
	weight float64  // of all
	lasts  []uint64 // by scenario × tries: seconds << placeBits | place in asks
	words  int
	all    []uint64 // the set of all
	procs  []int32  // what tries ask for, ascending, each number once
	under  []uint64 // sets, words each: those that ask for less than procs[0], procs[1], …, and all

	standing
	early model.Time // how long before now the least of the requested ends lies, 0 where none does: held counts from there
	busy  []uint64   // held and holds where a scenario begins
	has   []int32
	base  int32    // the place of the first try; those before are the running jobs'
	known []uint64 // ends of the running jobs in the scenario
	drawn []uint64 // lasts of the scenario
	peers []peer   // candidates that have decided as the first did so far
	marks []mark   // by scenario × candidates: where they parted from the first
}

// standing is a rollout at an instant.
type standing struct {
	waits      []uint64
	held       []uint64 // requested ends of those that run, and of some that have ended: (end − now + early) << placeBits | place, ascending; the place of a try follows those of the running jobs
	holds      []int32  // by place: processors, 0 before the start and after the end
	dead       int      // of held: those that have ended
	ends       sim.Heap // actual ends of tries that run: (end − now) << placeBits | place in asks
	over       int      // how many of the running jobs have ended
	left       int
	free       int32
	rank       int        // how many of procs are within free
	at         model.Time // − now
	cost, rest float64    // of those that have started; weight of those that wait
}

func (s *standing) take(from *standing) {
	waits, held, ends := append(s.waits[:0], from.waits...), append(s.held[:0], from.held...), append(s.ends[:0], from.ends...)
	holds := append(s.holds[:0], from.holds...)
	*s = *from
	s.waits, s.held, s.holds, s.ends = waits, held, holds, ends
}

// least is what a rollout costs at least that stands so.
func (s *standing) least() float64 { return s.cost + float64(s.rest*float64(s.at)) }

// gap is what the head leaves to those behind it.
type gap struct {
	slack model.Time // those that ask for no longer may start
	extra int32      // and those that ask for no more
}

func (g *gap) lets(t *asking) bool { return t.limit <= g.slack || t.procs <= g.extra }

func (g *gap) takes(t *asking) {
	if t.limit > g.slack {
		g.extra -= t.procs
	}
}

// peer is a candidate beside the first.
type peer struct {
	line  []int32
	mark  *mark
	head  int  // in line
	apart bool // its head is another than the first's
	gap   gap  // then: what it leaves
}

// mark is where a candidate parted from the first.
type mark struct {
	standing
	never bool // it cost the same, decision for decision
	head  int  // in its line
	fills bool // it parted while backfilling, before the least of may in a word
	word  int
	may   uint64
	gap   gap
}

// prepare takes over the tries of a choice.
func (r *rollout) prepare(c *chooser) {
	n := len(c.tries)
	r.asks, r.procs, r.weight = r.asks[:0], r.procs[:0], 0
	r.lasts = resize(r.lasts, n*c.r.Scenarios)
	for i := range c.tries {
		t := &c.tries[i]
		at := c.draw(t.job, t.number, t.LnGeo, c.spread(&t.Estimate), float64(t.limit))
		for s, d := range c.drawn.lasts[at : at+c.r.Scenarios] {
			r.lasts[s*n+i] = uint64(math.Floor(d+0.5))<<placeBits | uint64(i)
		}
		r.asks = append(r.asks, asking{t.limit, t.procs, t.Slow})
		r.procs = append(r.procs, t.procs)
		r.weight += t.Slow
	}
	c.drawn.forget()
	slices.Sort(r.procs)
	r.procs = slices.Compact(r.procs)
	r.words = (n + 63) / 64
	r.all = resize(r.all, r.words)
	clear(r.all)
	r.under = resize(r.under, r.words*(len(r.procs)+1))
	clear(r.under)
	for i := range r.asks {
		bit := uint64(1) << (i & 63)
		r.all[i>>6] |= bit
		k, _ := slices.BinarySearch(r.procs, r.asks[i].procs)
		for k++; k <= len(r.procs); k++ {
			r.under[k*r.words+i>>6] |= bit
		}
	}
	r.base, r.early = int32(len(c.present)), 0
	if len(c.present) > 0 {
		r.early = max(0, c.now-c.present[0].until)
	}
	r.busy, r.has = r.busy[:0], resize(r.has, len(c.present)+n)
	clear(r.has)
	for i := range c.present {
		one := &c.present[i]
		r.busy, r.has[i] = append(r.busy, uint64(one.until-c.now+r.early)<<placeBits|uint64(i)), one.procs
	}
	for len(r.marks) < c.r.Scenarios*len(foresightOrders) {
		if n := len(r.marks); n < cap(r.marks) { // with the memory of the last choice
			r.marks = r.marks[:n+1]
		} else {
			r.marks = append(r.marks, mark{})
		}
	}
}

// forget gives up what a choice has left behind.
func (r *rollout) forget() { r.marks, r.peers = r.marks[:0], r.peers[:0] }

// in takes over a scenario.
func (r *rollout) in(c *chooser, s int) {
	r.known, r.drawn = c.ends[s], r.lasts[s*len(r.asks):(s+1)*len(r.asks)]
}

// anew stands where a scenario begins.
func (r *rollout) anew(c *chooser, s int) {
	r.in(c, s)
	r.held, r.holds, r.ends, r.over, r.dead = append(r.held[:0], r.busy...), append(r.holds[:0], r.has...), r.ends[:0], 0, 0
	r.waits = append(r.waits[:0], r.all...)
	r.left, r.free, r.rank, r.at, r.cost, r.rest = len(r.asks), c.free, 0, 0, 0, r.weight
}

// first returns what the first candidate costs in a scenario, and marks where each of
// the others parts from it.
func (r *rollout) first(c *chooser, s int) float64 {
	r.anew(c, s)
	r.peers = r.peers[:0]
	for i := 1; i < len(foresightOrders); i++ {
		if c.same[i] == i {
			r.peers = append(r.peers, peer{line: c.lines[i], mark: &r.marks[s*len(foresightOrders)+i]})
		}
	}
	r.play(c.lines[0], 0, math.Inf(1))
	for i := range r.peers {
		m := r.peers[i].mark
		m.never, m.cost, m.rest = true, r.cost, 0
	}
	r.peers = r.peers[:0]
	return r.cost
}

// again returns what candidate i costs in a scenario, or more than most where it is
// more.
func (r *rollout) again(c *chooser, s, i int, most float64) float64 {
	m := &r.marks[s*len(foresightOrders)+i]
	if m.never {
		return m.cost
	}
	if m.least() > most {
		return m.least()
	}
	r.in(c, s)
	r.take(&m.standing)
	if m.fills {
		r.fill(m.word, m.may, m.gap)
		if !r.next(most) {
			return r.least()
		}
	}
	if r.play(c.lines[i], m.head, most); r.left > 0 {
		return r.least()
	}
	return r.cost
}

// play goes on until all have started, or until that costs more than most.
func (r *rollout) play(line []int32, head int, most float64) {
	for {
		some := uint64(0)
		for w, set := range r.fit() {
			some |= set & r.waits[w]
		}
		if some != 0 {
			for head < len(line) {
				if i := line[head]; r.waiting(i) {
					fits := r.asks[i].procs <= r.free
					for k := len(r.peers) - 1; k >= 0; k-- {
						r.meet(k, i, fits)
					}
					if !fits {
						break
					}
					r.begin(i)
				}
				head++
			}
			if r.left == 0 {
				return
			}
			r.backfill(line[head])
		}
		if !r.next(most) {
			return
		}
	}
}

// next goes on to the next instant at which something ends. It returns false where who
// waits costs more than most until then.
func (r *rollout) next(most float64) bool {
	next := uint64(math.MaxUint64)
	known := r.known[r.over:]
	if len(known) > 0 {
		next = known[0] >> placeBits
	}
	if len(r.ends) > 0 {
		next = min(next, r.ends[0]>>placeBits)
	}
	r.at = model.Time(next)
	if r.least() > most {
		return false
	}
	for len(known) > 0 && known[0]>>placeBits == next {
		r.end(int32(known[0] & (1<<placeBits - 1)))
		known = known[1:]
		r.over++
	}
	for len(r.ends) > 0 && r.ends[0]>>placeBits == next {
		place := int32(r.ends[0] & (1<<placeBits - 1))
		r.ends.Pop()
		r.end(r.base + place)
	}
	return true
}

func (r *rollout) waiting(i int32) bool { return r.waits[i>>6]>>(i&63)&1 != 0 }

// fit returns the set of those that fit into what is free, waiting or not.
func (r *rollout) fit() []uint64 {
	for r.rank > 0 && r.procs[r.rank-1] > r.free {
		r.rank--
	}
	for r.rank < len(r.procs) && r.procs[r.rank] <= r.free {
		r.rank++
	}
	return r.under[r.rank*r.words : (r.rank+1)*r.words]
}

// meet asks peer k what it does where the first candidate comes to try i, its head,
// and starts it if it fits.
func (r *rollout) meet(k int, i int32, fits bool) {
	p := &r.peers[k]
	for !r.waiting(p.line[p.head]) {
		p.head++
	}
	x := p.line[p.head]
	if p.apart = x != i; p.apart && (fits || r.asks[x].procs <= r.free) {
		r.part(k, false, 0, 0)
	}
}

// part keeps what stands where peer k decides as the first does no longer.
func (r *rollout) part(k int, fills bool, word int, may uint64) {
	p := &r.peers[k]
	m := p.mark
	m.take(&r.standing)
	m.never, m.head, m.fills, m.word, m.may, m.gap = false, p.head, fills, word, may, p.gap
	last := len(r.peers) - 1
	r.peers[k] = r.peers[last]
	r.peers = r.peers[:last]
}

// backfill starts those that may start behind the head.
func (r *rollout) backfill(head int32) {
	for w, set := range r.fit() {
		if may := set & r.waits[w]; may != 0 {
			for k := range r.peers {
				if p := &r.peers[k]; p.apart {
					p.gap = r.gap(p.line[p.head])
				}
			}
			r.fill(w, may, r.gap(head))
			return
		}
	}
}

// fill starts those of a word that may, and goes on to the next words.
func (r *rollout) fill(w int, may uint64, g gap) {
	for {
		for may != 0 {
			i := int32(w<<6 + bits.TrailingZeros64(may))
			t := &r.asks[i]
			lets := g.lets(t)
			for k := len(r.peers) - 1; k >= 0; k-- {
				if p := &r.peers[k]; p.apart && p.gap.lets(t) != lets {
					r.part(k, true, w, may)
				} else if p.apart && lets {
					p.gap.takes(t)
				}
			}
			may &= may - 1
			if lets {
				g.takes(t)
				r.begin(i)
				may &= r.fit()[w]
			}
		}
		if w++; w == r.words {
			return
		}
		may = r.fit()[w] & r.waits[w]
	}
}

// begin starts a try.
func (r *rollout) begin(i int32) {
	t := &r.asks[i]
	r.cost += float64(t.slow * float64(r.at))
	r.rest -= t.slow
	r.free -= t.procs
	r.left--
	r.waits[i>>6] &^= 1 << (i & 63)
	place := r.base + i
	r.holds[place] = t.procs
	until := uint64(r.at+r.early+t.limit)<<placeBits | uint64(place)
	held := append(r.held, until)
	k := len(held) - 1
	for ; k > 0 && held[k-1] > until; k-- {
		held[k] = held[k-1]
	}
	held[k] = until
	r.held = held
	r.ends.Push(uint64(r.at)<<placeBits + r.drawn[i])
}

// end frees what the job at a place holds. It stays in held, where it holds nothing,
// until there are too many.
func (r *rollout) end(place int32) {
	r.free += r.holds[place]
	r.holds[place] = 0
	if r.dead++; 2*r.dead > len(r.held) {
		r.sweep()
	}
}

// sweep takes those out of held that have ended.
func (r *rollout) sweep() {
	left := r.held[:0]
	for _, one := range r.held {
		if r.holds[one&(1<<placeBits-1)] > 0 {
			left = append(left, one)
		}
	}
	r.held, r.dead = left, 0
}

// gap is what a head that does not fit leaves: running.shadow.
func (r *rollout) gap(head int32) gap {
	at, free, procs := uint64(0), r.free, r.asks[head].procs
	for _, one := range r.held {
		until := one >> placeBits
		if free >= procs && until > at {
			break
		}
		at = until
		free += r.holds[one&(1<<placeBits-1)]
	}
	return gap{model.Time(at) - r.early - r.at, free - procs}
}
