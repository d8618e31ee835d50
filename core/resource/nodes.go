package resource

import (
	"slices"

	"batchlab/core/model"
)

// Amount is what a node has, or a part of a job holds of it.
type Amount struct {
	Mem, Disk   int64 // bytes
	Procs, GPUs int32
}

// Unlimited stands for the memory or disk of a node that does not count it.
const Unlimited int64 = 1 << 61

// AmountOf returns all that a node has.
func AmountOf(n *model.Node) Amount {
	a := Amount{Procs: n.Procs, GPUs: n.GPUs, Mem: n.Mem, Disk: n.Disk}
	if n.Mem == 0 {
		a.Mem = Unlimited
	}
	if n.Disk == 0 {
		a.Disk = Unlimited
	}
	return a
}

// Holds says whether b is there in a.
func (a *Amount) Holds(b *Amount) bool {
	return a.Procs >= b.Procs && a.Mem >= b.Mem && a.GPUs >= b.GPUs && a.Disk >= b.Disk
}

// Add adds sign times b.
func (a *Amount) Add(b *Amount, sign int32) {
	a.Procs += sign * b.Procs
	a.GPUs += sign * b.GPUs
	a.Mem += int64(sign) * b.Mem
	a.Disk += int64(sign) * b.Disk
}

// Want is what a job asks of the nodes of one cluster.
type Want struct {
	Each  Amount   // of every node that it holds a part of; Procs: the least, at least 1
	Procs int32    // all of them
	Parts int32    // parts of Each.Procs processors; 0: spread over as many nodes as it takes, from the first on
	Mask  []uint64 // nodes that suit it; nil: all
	never bool     // the cluster could not hold it if nothing else ran there
}

// Suits says whether a job may hold a part of a node at all.
func (w *Want) Suits(node int) bool { return w.Mask == nil || w.Mask[node/64]>>(node%64)&1 != 0 }

// Nodes is the profile of a cluster with named nodes: what each has free from
// each point in time on, in processors, memory, GPUs and disk. On a cluster of
// one node it agrees with Counts. The zero value needs a Reset.
type Nodes struct {
	total Counts // processors of all nodes, of which none counts below 0: where they do not suffice nothing has to be looked at
	nodes []timeline
	ends  []model.Time // ascending: when reservations end, the only times at which more becomes free
}

type timeline struct {
	steps []nodeStep
	lo    int // steps before it lie in the past
}

type nodeStep struct {
	at   model.Time
	free Amount // until the next step
}

// Reset makes all that the nodes have free from a point in time on.
func (p *Nodes) Reset(from model.Time, have []Amount) {
	if len(p.nodes) != len(have) {
		p.nodes = make([]timeline, len(have))
	}
	sum := int32(0)
	for i := range have {
		t := &p.nodes[i]
		t.steps, t.lo = append(t.steps[:0], nodeStep{from, have[i]}), 0
		sum += have[i].Procs
	}
	p.total.Reset(from, sum)
	p.ends = p.ends[:0]
}

// Advance is Counts.Advance; it may say that something has become free where
// nothing has.
func (p *Nodes) Advance(now model.Time) (rose bool) {
	p.total.Advance(now)
	for i := range p.nodes {
		t := &p.nodes[i]
		for t.lo+1 < len(t.steps) && t.steps[t.lo+1].at <= now {
			t.lo++
		}
		if s := &t.steps[t.lo]; s.at < now {
			s.at = now
		}
		if t.lo > 64 && t.lo > len(t.steps)/2 {
			t.steps, t.lo = t.steps[:copy(t.steps, t.steps[t.lo:])], 0
		}
	}
	n := 0
	for n < len(p.ends) && p.ends[n] <= now {
		n++
	}
	if n > 0 {
		p.ends = p.ends[:copy(p.ends, p.ends[n:])]
	}
	return n > 0
}

// Total returns the processors free over time on all nodes together.
func (p *Nodes) Total() *Counts { return &p.total }

func (t *timeline) find(at model.Time) int {
	lo, hi := t.lo, len(t.steps)
	for hi-lo > 1 {
		mid := int(uint(lo+hi) >> 1)
		if t.steps[mid].at <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func (t *timeline) insert(i int, s nodeStep) {
	t.steps = append(t.steps, nodeStep{})
	copy(t.steps[i+1:], t.steps[i:])
	t.steps[i] = s
}

func (t *timeline) join(i int) {
	if i > t.lo && t.steps[i].free == t.steps[i-1].free {
		t.steps = t.steps[:i+copy(t.steps[i:], t.steps[i+1:])]
	}
}

// add adds sign times a during [from, to), and reports whether more is taken then
// than there is, or was before.
func (t *timeline) add(from, to model.Time, a *Amount, sign int32) (short bool) {
	i := t.find(from)
	if t.steps[i].at < from {
		i++
		t.insert(i, nodeStep{from, t.steps[i-1].free})
	}
	k := i
	for k < len(t.steps) && t.steps[k].at < to {
		before := t.steps[k].free.Procs
		t.steps[k].free.Add(a, sign)
		short = short || min(before, t.steps[k].free.Procs) < 0
		k++
	}
	if k == len(t.steps) || t.steps[k].at != to {
		s := nodeStep{to, t.steps[k-1].free}
		s.free.Add(a, -sign)
		t.insert(k, s)
	} else {
		t.join(k)
	}
	t.join(i)
	Visit(k - i)
	return short
}

// least lowers a to what is free throughout [from, to).
func (t *timeline) least(from, to model.Time, a *Amount) {
	i := t.lo
	if from > t.steps[i].at {
		i = t.find(from)
	}
	*a = t.steps[i].free
	for i++; i < len(t.steps) && t.steps[i].at < to; i++ {
		f := &t.steps[i].free
		a.Procs, a.GPUs, a.Mem, a.Disk = min(a.Procs, f.Procs), min(a.GPUs, f.GPUs), min(a.Mem, f.Mem), min(a.Disk, f.Disk)
	}
}

// holds says whether b is free throughout [from, to).
func (t *timeline) holds(from, to model.Time, b *Amount) bool {
	i := t.lo
	if from > t.steps[i].at {
		i = t.find(from)
	}
	for ; i < len(t.steps) && (t.steps[i].at < to || t.steps[i].at <= from); i++ {
		if !t.steps[i].free.Holds(b) {
			return false
		}
	}
	return true
}

// first returns the first time from one on at which b is free for length seconds;
// model.Never if there is none.
func (t *timeline) first(b *Amount, length, from model.Time) model.Time {
	i := t.find(max(from, t.steps[t.lo].at))
	at, begun := max(from, t.steps[i].at), i
	for ; i < len(t.steps) && t.steps[i].at-at < length; i++ {
		if t.steps[i].free.Holds(b) {
			continue
		}
		if i+1 == len(t.steps) {
			return model.Never
		}
		at = t.steps[i+1].at
	}
	Visit(i - begun)
	return at
}

// Reserve takes the parts of a job away during [from, to). The nodes of parts
// are indices of Reset's list.
func (p *Nodes) Reserve(w *Want, parts []model.Part, from, to model.Time) {
	if p.book(w, parts, from, to, -1) {
		at, _ := slices.BinarySearch(p.ends, to)
		p.ends = slices.Insert(p.ends, at, to)
	}
}

// Release gives back what was reserved until to, from a time on.
func (p *Nodes) Release(w *Want, parts []model.Part, from, to model.Time) {
	if p.book(w, parts, from, to, 1) {
		if at, ok := slices.BinarySearch(p.ends, to); ok {
			p.ends = slices.Delete(p.ends, at, at+1)
		}
	}
}

// Open notes that something becomes free at a time where no reservation ends:
// Release gave back the end of one.
func (p *Nodes) Open(at model.Time) {
	k, _ := slices.BinarySearch(p.ends, at)
	p.ends = slices.Insert(p.ends, k, at)
}

// Next returns the first time after one at which more may become free; model.Never if
// there is none.
func (p *Nodes) Next(after model.Time) model.Time {
	if k, _ := slices.BinarySearch(p.ends, after+1); k < len(p.ends) {
		return p.ends[k]
	}
	return model.Never
}

func (p *Nodes) book(w *Want, parts []model.Part, from, to model.Time, sign int32) bool {
	if from >= to {
		return false
	}
	a, sum := w.Each, int32(0)
	for _, part := range parts {
		a.Procs = part.Procs
		if p.nodes[part.Node].add(from, to, &a, sign) {
			p.mend(part, from, to, sign)
		}
		sum += part.Procs
	}
	p.total.Add(from, to, sign*sum)
	return true
}

// mend corrects the total where a node that has just been booked has, or had,
// fewer than no processors.
func (p *Nodes) mend(part model.Part, from, to model.Time, sign int32) {
	t := &p.nodes[part.Node]
	for i := t.find(from); i < len(t.steps) && t.steps[i].at < to; i++ {
		after := t.steps[i].free.Procs
		before, end := after-sign*part.Procs, to
		if i+1 < len(t.steps) {
			end = min(end, t.steps[i+1].at)
		}
		if d := max(0, after) - max(0, before) - sign*part.Procs; d != 0 {
			p.total.Add(max(from, t.steps[i].at), end, d)
		}
	}
}

// Block takes a whole node away during [from, to), whatever else is taken of it
// then: calendars may overlap, and reservations may stand on it.
func (p *Nodes) Block(node int, have Amount, from, to model.Time) {
	p.Reserve(&Want{Each: have}, []model.Part{{Node: int32(node), Procs: have.Procs}}, from, to)
}

// Held says whether parts of nodes are free during [from, to).
func (p *Nodes) Held(w *Want, parts []model.Part, from, to model.Time) bool {
	a := w.Each
	for _, part := range parts {
		if a.Procs = part.Procs; !p.nodes[part.Node].holds(from, to, &a) {
			return false
		}
	}
	return true
}

// Fit returns the earliest time in [from, before) at which a job can begin that
// runs for length seconds, and appends the nodes that it takes: the first that
// suit it, in the order of Reset's list.
func (p *Nodes) Fit(w *Want, length, from, before model.Time, parts []model.Part) (model.Time, []model.Part, bool) {
	next, _ := slices.BinarySearch(p.ends, from+1)
	for at := from; at < before; {
		if t := p.total.FitFrom(w.Procs, length, at); t > at {
			for next < len(p.ends) && p.ends[next] < t {
				next++
			}
			if next == len(p.ends) {
				return 0, parts, false
			}
			at = p.ends[next]
			continue
		}
		if out, ok := p.place(w, at, at+length, parts); ok {
			return at, out, true
		}
		for next < len(p.ends) && p.ends[next] <= at {
			next++
		}
		if next == len(p.ends) {
			break
		}
		at = p.ends[next]
	}
	return 0, parts, false
}

// place finds nodes that are free during [from, to).
func (p *Nodes) place(w *Want, from, to model.Time, parts []model.Part) ([]model.Part, bool) {
	begun, left, count := len(parts), w.Procs, w.Parts
	Visit(len(p.nodes))
	for i := range p.nodes {
		if !w.Suits(i) {
			continue
		}
		procs := w.Each.Procs
		if w.Parts > 0 {
			if !p.nodes[i].holds(from, to, &w.Each) {
				continue
			}
		} else {
			var a Amount
			if p.nodes[i].least(from, to, &a); !a.Holds(&w.Each) {
				continue
			}
			procs = min(a.Procs, left)
		}
		parts = append(parts, model.Part{Node: int32(i), Procs: procs})
		left -= procs
		if count--; left == 0 && count <= 0 {
			return parts, true
		}
	}
	return parts[:begun], false
}

// CopyFrom makes p equal to q, which is left as it is. Both have the same nodes.
func (p *Nodes) CopyFrom(q *Nodes) {
	p.total.CopyFrom(&q.total)
	Visit(q.total.Len() / 16)
	if len(p.nodes) != len(q.nodes) {
		p.nodes = make([]timeline, len(q.nodes))
	}
	for i := range q.nodes {
		t := &p.nodes[i]
		t.steps, t.lo = append(t.steps[:0], q.nodes[i].steps[q.nodes[i].lo:]...), 0
	}
	p.ends = append(p.ends[:0], q.ends...)
}
