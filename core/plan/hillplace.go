package plan

import (
	"math"
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// hillNodes is the placer of any platform: a hillSite.
type hillNodes struct {
	hill   *Hill
	v      *sim.View
	mark   []hillProc      // processors of nodes, one behind the other
	held   []int           // how many of them are of each
	placed int             // jobs before the mark
	free   *resource.Space // of the site, as it was at the mark
	kind   []int32         // by JobID, of those in the order; 0: like no other
}

func (n *hillNodes) clear() { n.hill.site.clear() }

func (n *hillNodes) place(j model.JobID) outcome {
	end := n.hill.site.place(n.v, j, nil)
	return outcome{end - n.v.Now, n.hill.late(n.v, j, end)}
}

func (n *hillNodes) save() {
	s := &n.hill.site
	n.mark, n.held = n.mark[:0], n.held[:0]
	for k := range s.nodes {
		n.mark, n.held = append(n.mark, s.nodes[k].procs...), append(n.held, len(s.nodes[k].procs))
	}
	if n.free == nil {
		n.free = n.v.Site.NewSpace(n.v.Now, false)
	}
	n.free.CopyFrom(s.space)
	n.placed = s.placed
}

func (n *hillNodes) load() {
	s, mark := &n.hill.site, n.mark
	s.runs, s.placed = len(mark), n.placed
	for k := range s.nodes {
		s.nodes[k].procs = append(s.nodes[k].procs[:0], mark[:n.held[k]]...)
		mark = mark[n.held[k]:]
	}
	s.space.CopyFrom(n.free)
}

func (n *hillNodes) look(j model.JobID) outcome {
	o := n.place(j)
	n.load()
	return o
}

// alike says whether jobs ask for the same; with deadlines, nothing is alike.
func (n *hillNodes) alike(j, k model.JobID) bool {
	return !n.hill.o.Tardiness && n.kind[j] == n.kind[k] && n.kind[j] > 0
}

// hillKind is what decides where a job goes and how long it stays there.
type hillKind struct {
	length, limit               model.Time // the second where lengths are predicted
	procs, nodes, perNode, gpus int32
	mem, disk                   int64
	user                        int32
	classes                     uint64
	suit                        string
}

// present tells jobs that ask for the same from others.
func (n *hillNodes) present(h *Hill, v *sim.View, jobs []model.JobID) {
	n.hill, n.v = h, v
	kinds := map[hillKind]int32{}
	for len(n.kind) < int(v.Next) {
		n.kind = append(n.kind, 0)
	}
	suit := make([]byte, len(v.Site.Nodes))
	for _, j := range jobs {
		need, job := &v.Needs[j], &v.Jobs[j]
		if n.kind[j] = 0; v.Kills(j) || len(need.Licences) > 0 {
			continue // it is like no other
		}
		is := hillKind{length: h.site.lasts(v, j), procs: need.Procs, nodes: need.Nodes, perNode: need.PerNode, gpus: need.GPUs, mem: need.Mem, disk: need.Disk}
		if h.site.foretold {
			is.limit = job.Limit - v.Done[j]
		}
		if limits := &v.Site.Platform.Limits; !limits.None() {
			is.user = job.User
			for c := range limits.Classes {
				if job.Limit > limits.Classes[c].LongerThan {
					is.classes |= 1 << c
				}
			}
		}
		for r := range suit {
			suit[r] = 0
			if v.Site.Suits(need, v.Site.Nodes[r].Index) {
				suit[r] = 1
			}
		}
		is.suit = string(suit)
		id, ok := kinds[is]
		if !ok {
			id = int32(len(kinds) + 1)
			kinds[is] = id
		}
		n.kind[j] = id
	}
}

func (n *hillNodes) note(int) {}

// noBetter would have to compare the processors of each node; it never tells.
func (n *hillNodes) noBetter(int) bool { return false }

// hillCounts is the placer of one cluster of interchangeable processors, without
// memory, disk or GPUs. Of its processors it knows how many become free when:
// words in ascending order, seconds from now << shift | processors.
type hillCounts struct {
	hill  *Hill
	v     *sim.View
	shift uint       // in bits, as many as the cluster's processors take
	mask  uint64     // of them
	needs []hillNeed // by JobID, of those in the order
	begin []uint64
	free  []uint64
	head  int // of free: what is before has been taken
	mark  []uint64
	notes []uint64 // states, one behind the other
	ends  []int    // of them in notes
}

// hillNeed is what a job asks of counted processors.
type hillNeed struct {
	length model.Time
	due    model.Time // at which it is stopped, from now on; a very late one: not at all
	procs  int32
}

// present takes over what a hillSite says of now, and reports whether this placer
// can serve the jobs.
func (s *hillCounts) present(h *Hill, v *sim.View, jobs []model.JobID) bool {
	site := &h.site
	if !site.plain() || len(site.nodes) != 1 || v.Site.Platform.Clusters[0].Packing != model.PackProcessors || site.nodes[0].scarce {
		return false
	}
	n := &site.nodes[0]
	s.shift = uint(bits.Len32(uint32(n.size)))
	s.mask = 1<<s.shift - 1
	for len(s.needs) < int(v.Next) {
		s.needs = append(s.needs, hillNeed{})
	}
	far := n.procs[len(n.procs)-1].free - v.Now
	for _, j := range jobs {
		need := &v.Needs[j]
		if !v.Site.Suits(need, n.index) || need.Procs > n.size {
			return false
		}
		x := hillNeed{length: model.Scaled(site.lasts(v, j), n.speed), due: math.MaxInt64, procs: need.Procs}
		if v.Kills(j) {
			x.due = v.Due[j] - v.Now
		}
		far += x.length
		s.needs[j] = x
	}
	if far >= 1<<(63-s.shift) {
		return false
	}
	s.hill, s.v, s.begin = h, v, s.begin[:0]
	for i := range n.procs {
		at := uint64(n.procs[i].free - v.Now)
		if last := len(s.begin) - 1; last >= 0 && s.begin[last]>>s.shift == at {
			s.begin[last] += uint64(n.procs[i].n)
		} else {
			s.begin = append(s.begin, at<<s.shift|uint64(n.procs[i].n))
		}
	}
	return true
}

func (s *hillCounts) clear() { s.free, s.head = append(s.free[:0], s.begin...), 0 }

func (s *hillCounts) save() { s.mark = append(s.mark[:0], s.free[s.head:]...) }

func (s *hillCounts) load() { s.free, s.head = append(s.free[:0], s.mark...), 0 }

func (s *hillCounts) note(n int) {
	if n == 0 {
		s.notes, s.ends = s.notes[:0], s.ends[:0]
	}
	s.notes = append(s.notes, s.free[s.head:]...)
	s.ends = append(s.ends, len(s.notes))
}

// noBetter says whether, however many processors one takes, they are free no
// earlier than in a noted state: then every job that follows begins no earlier.
func (s *hillCounts) noBetter(n int) bool {
	from := 0
	if n > 0 {
		from = s.ends[n-1]
	}
	then, now := s.notes[from:s.ends[n]], s.free[s.head:]
	i, k := 0, 0
	have, had := now[0]&s.mask, then[0]&s.mask
	for {
		if now[i]>>s.shift < then[k]>>s.shift {
			return false
		}
		switch {
		case have < had:
			had -= have
			i++
			have = now[i] & s.mask
		default:
			have -= had
			if k++; k == len(then) {
				return true
			}
			had = then[k] & s.mask
			if have == 0 {
				i++
				have = now[i] & s.mask
			}
		}
	}
}

// alike compares what decides: with deadlines, nothing is alike.
func (s *hillCounts) alike(j, k model.JobID) bool {
	return s.needs[j] == s.needs[k] && !s.hill.o.Tardiness
}

func (s *hillCounts) look(j model.JobID) outcome {
	need := &s.needs[j]
	left := uint64(need.procs)
	k := s.head
	for s.free[k]&s.mask < left {
		left -= s.free[k] & s.mask
		k++
	}
	return s.outcome(j, model.Time(s.free[k]>>s.shift))
}

// outcome is that of a start.
func (s *hillCounts) outcome(j model.JobID, at model.Time) outcome {
	need := &s.needs[j]
	o := outcome{last: at + need.length}
	if need.due < math.MaxInt64 {
		o.last = max(at, min(o.last, need.due))
	}
	if s.hill.o.Tardiness {
		o.late = s.hill.late(s.v, j, o.last+s.v.Now)
	}
	return o
}

// place lets a job take the processors that are free first.
func (s *hillCounts) place(j model.JobID) outcome {
	need := &s.needs[j]
	free, head := s.free, s.head
	left := uint64(need.procs)
	var at model.Time
	for {
		e := free[head]
		at = model.Time(e >> s.shift)
		if e&s.mask > left {
			free[head] = e - left
			break
		}
		left -= e & s.mask
		head++
		if left == 0 {
			break
		}
	}
	o := s.outcome(j, at)
	word := uint64(o.last)<<s.shift | uint64(need.procs)
	free = append(free, word)
	m := len(free) - 1
	for ; m > head && free[m-1] > word; m-- {
		free[m] = free[m-1]
	}
	free[m] = word
	s.free, s.head = free, head
	return o
}
