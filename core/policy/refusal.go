package policy

import (
	"math/bits"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
)

// refusal is why a job could not start: 0 nobody knows, else one of these.
type refusal int16

const (
	noProcessors refusal = 1 + iota // no machine that suits it had as many
	byHead                          // it would have delayed the head
	noLicence                       // too few copies of one were free
	started      refusal = -1       // it was not
)

// refusals remember why each waiting job was refused when it was tried last, so
// that a pass tries only those for which something has changed: a machine that
// suits them has become free, or the head leaves more. Jobs of a block stand in
// slots, 64 to a word, so that a word a machine says of all of them at once whom it
// concerns, and a word a licence who waits as long as no copy of it is free.
type refusals struct {
	slot  []uint8 // by job: in the page of its block
	pages []page  // by block of the queue
	words int     // of page.suits

	licences int
	spread   bool    // some jobs may hold parts of several nodes
	none     []int32 // floating licences of which no copy is free

	gained []int32 // nodes of which something has become free since the last pass
	anew   bool    // anything may have become free
	eased  bool    // the head may leave more
}

// page is what is known of the jobs of one block. Each slot in use stands in one
// of the first three sets.
type page struct {
	unknown uint64 // to be tried, as soon as it has its licences
	noProcs uint64
	byHead  uint64

	used  uint64
	suits []uint64        // by node in the order of power: jobs that may hold processors of it
	asks  []uint64        // by licence: jobs that need it
	wide  [classes]uint64 // by class of processors
	jobs  [blockSize]model.JobID
}

// narrow returns the jobs of a page that may find so many processors: no class is
// wider. All others wait for a machine that suits them, and are tried when one
// gains, whatever refused them last.
func (p *page) narrow(procs int32) (set uint64) {
	if procs < 1 {
		return 0
	}
	for _, jobs := range p.wide[:class(procs)+1] {
		set |= jobs
	}
	return set
}

// suitWords is the most words for nodes of a page; beyond, nodes share them.
const suitWords = 1024

func (r *refusals) reset(s *resource.Site, jobs int) {
	r.licences, r.spread = len(s.Platform.Licences), slices.ContainsFunc(s.Platform.Clusters, func(c model.Cluster) bool { return c.Packing == model.PackNodes })
	r.slot = resize(r.slot, jobs)
	r.gained, r.anew, r.eased = r.gained[:0], false, false
	r.words = min(len(s.Nodes), suitWords)
}

// put gives a job of a block a slot.
func (r *refusals) put(at int32, j model.JobID, need *resource.Need) {
	p := &r.pages[at]
	slot := bits.TrailingZeros64(^p.used)
	bit := uint64(1) << slot
	p.used |= bit
	p.unknown |= bit
	p.jobs[slot], r.slot[j] = j, uint8(slot)
	for i := range p.suits {
		p.suits[i] &^= bit
	}
	need.Mark(p.suits, bit)
	p.wide[class(need.Procs)] |= bit
	for i := range need.Licences {
		p.asks[need.Licences[i].Licence] |= bit
	}
}

// page returns what is known of a block; nothing where it was torn.
func (r *refusals) page(q *queue, at int32, needs []resource.Need) *page {
	b := &q.blocks[at]
	if b.torn {
		b.torn = false
		for int(at) >= len(r.pages) {
			r.pages = append(r.pages, page{})
		}
		p := &r.pages[at]
		*p = page{suits: resize(p.suits, r.words), asks: resize(p.asks, r.licences)}
		clear(p.asks)
		for _, w := range b.jobs[b.lo:b.hi] {
			r.put(at, w.job(), &needs[w.job()])
		}
	}
	return &r.pages[at]
}

// take takes a job out that has left the queue.
func (r *refusals) take(at int32, j model.JobID, need *resource.Need) {
	p := &r.pages[at]
	bit := uint64(1) << r.slot[j]
	p.doubt(bit)
	p.unknown &^= bit
	p.wide[class(need.Procs)] &^= bit
	for i := range need.Licences {
		p.asks[need.Licences[i].Licence] &^= bit
	}
	p.used &^= bit
}

// doubt forgets why jobs were refused: they are to be tried again.
func (p *page) doubt(set uint64) {
	p.unknown |= set
	p.noProcs &^= set
	p.byHead &^= set
}

// note keeps why a job was refused. Who lacks a licence is tried again when it has
// it: see open.
func (r *refusals) note(p *page, j model.JobID, why refusal) {
	bit := uint64(1) << r.slot[j]
	p.doubt(bit)
	switch why {
	case noProcessors:
		p.unknown, p.noProcs = p.unknown&^bit, p.noProcs|bit
	case byHead:
		p.unknown, p.byHead = p.unknown&^bit, p.byHead|bit
	}
}

// open returns the jobs of a page, none of which asks for fewer processors than
// least, for which something has changed and that may find processors, of which
// the most are in one place wide, and their licences. Those that lack a licence are
// to be tried when it is back, whatever has changed for them before.
func (r *refusals) open(p *page, free *resource.Pool, least, wide int32) uint64 {
	set := p.narrow(wide)
	if set == 0 {
		return 0
	}
	if !r.anew {
		changed := p.unknown
		if r.eased {
			changed |= p.byHead
		}
		for _, node := range r.gained {
			if r.spread || free.On(int(node)) >= least {
				changed |= (p.noProcs | p.byHead) & p.suits[int(node)%len(p.suits)]
			}
		}
		if set &= changed; set == 0 {
			return 0
		}
	}
	lack := uint64(0)
	for _, l := range r.none {
		lack |= p.asks[l]
	}
	p.doubt(set & lack)
	return set &^ lack
}

// count finds of which floating licences no copy is free.
func (r *refusals) count(s *resource.Site, free *resource.Pool) {
	r.none = r.none[:0]
	for l := range int32(r.licences) {
		if free.Copies(l) <= 0 && s.Platform.Licences[l].Copies > 0 {
			r.none = append(r.none, l)
		}
	}
}
