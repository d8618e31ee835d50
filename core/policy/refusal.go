package policy

import (
	"math/bits"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
)

// refusal is why a job could not start: 0 nobody knows, else one of these, or
// from noLicence on a licence of which too few copies were free.
type refusal int16

const (
	noProcessors refusal = 1 + iota // no machine that suits it had as many
	byHead                          // it would have delayed the head
	noLicence
	started refusal = -1 // it was not
)

// refusals remember why each waiting job was refused when it was tried last, so
// that a pass tries only those for which something has changed: a machine that
// suits them, or the licence that they lacked, has become free, or the head leaves
// more. Jobs of a block stand in slots, 64 to a word, so that a word a machine and
// a word a licence say of all of them at once whom it concerns.
type refusals struct {
	why   []refusal // by job
	slot  []uint8   // by job: in the page of its block
	pages []page    // by block of the queue
	words int       // of page.suits

	licences int
	spread   bool // some jobs may hold parts of several nodes

	asks     []uint64 // by job: licences that it needs
	floating uint64   // licences
	many     bool     // there are more than 64 licences, or a job needs several copies of one

	gained []int32 // nodes of which something has become free since the last pass
	copies uint64  // licences of which some copies are free, modulo 64
	none   uint64  // floating ones of which none are
	anew   bool    // anything may have become free
	eased  bool    // the head may leave more
}

// page is what is known of the jobs of one block. Each slot in use stands in one
// of the sets of reasons.
type page struct {
	used, unknown, noProcs, byHead uint64
	owed                           uint64          // to be tried again, whatever the reason: nobody looked when it changed
	lacks                          uint64          // licences that some lacked, modulo 64
	suits                          []uint64        // by node in the order of power: jobs that may hold processors of it
	lacking                        []uint64        // by licence
	wide                           [classes]uint64 // by class of processors
	jobs                           [blockSize]model.JobID
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
	r.why, r.slot = resize(r.why, jobs), resize(r.slot, jobs)
	r.gained, r.anew, r.eased = r.gained[:0], false, false
	r.asks, r.many, r.floating = resize(r.asks, jobs), r.licences > 64, 0
	for l := range s.Platform.Licences {
		if s.Platform.Licences[l].Copies > 0 {
			r.floating |= 1 << (uint(l) % 64)
		}
	}
	r.words = min(len(s.Nodes), suitWords)
}

// put gives a job of a block a slot.
func (r *refusals) put(at int32, j model.JobID, need *resource.Need) {
	p := &r.pages[at]
	slot := bits.TrailingZeros64(^p.used)
	bit := uint64(1) << slot
	p.used |= bit
	p.unknown |= bit
	p.jobs[slot], r.slot[j], r.why[j] = j, uint8(slot), 0
	for i := range p.suits {
		p.suits[i] &^= bit
	}
	need.Mark(p.suits, bit)
	p.wide[class(need.Procs)] |= bit
	r.asks[j] = 0
	for i := range need.Licences {
		r.asks[j] |= 1 << (uint(need.Licences[i].Licence) % 64)
		r.many = r.many || need.Licences[i].Copies > 1
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
		*p = page{suits: resize(p.suits, r.words), lacking: resize(p.lacking, r.licences)}
		clear(p.lacking)
		for _, w := range b.jobs[b.lo:b.hi] {
			r.put(at, w.job(), &needs[w.job()])
		}
	}
	return &r.pages[at]
}

// forget takes a job out of the set of its reason.
func (p *page) forget(why refusal, bit uint64) {
	p.owed &^= bit
	switch why {
	case 0:
		p.unknown &^= bit
	case noProcessors:
		p.noProcs &^= bit
	case byHead:
		p.byHead &^= bit
	default:
		p.lacking[why-noLicence] &^= bit
	}
}

// take takes a job out that has left the queue.
func (r *refusals) take(at int32, j model.JobID, need *resource.Need) {
	p := &r.pages[at]
	bit := uint64(1) << r.slot[j]
	p.forget(r.why[j], bit)
	p.wide[class(need.Procs)] &^= bit
	p.used &^= bit
}

// note keeps why a job was refused.
func (r *refusals) note(p *page, j model.JobID, why refusal) {
	bit := uint64(1) << r.slot[j]
	if r.why[j] == why {
		p.owed &^= bit
		return
	}
	p.forget(r.why[j], bit)
	r.why[j] = why
	switch why {
	case 0:
		p.unknown |= bit
	case noProcessors:
		p.noProcs |= bit
	case byHead:
		p.byHead |= bit
	default:
		p.lacking[why-noLicence] |= bit
		p.lacks |= 1 << (uint(why-noLicence) % 64)
	}
}

// open returns the jobs of a page, none of which asks for fewer processors than
// least, for which something has changed and that may find processors, of which
// the most are in one place wide.
func (r *refusals) open(p *page, free *resource.Pool, least, wide int32) uint64 {
	narrow := p.narrow(wide)
	if narrow == 0 || r.anew {
		return narrow
	}
	set := p.unknown | p.owed
	if r.eased {
		set |= p.byHead
	}
	for _, node := range r.gained {
		if r.spread || free.On(int(node)) >= least {
			set |= (p.noProcs | p.byHead) & p.suits[int(node)%len(p.suits)]
		}
	}
	if p.lacks&r.copies == 0 {
		return set & narrow
	}
	had := uint64(0)
	for some := p.lacks & r.copies; some != 0; some &= some - 1 {
		for l := bits.TrailingZeros64(some); l < r.licences; l += 64 {
			if p.lacking[l] == 0 && r.licences <= 64 {
				p.lacks &^= some & -some
			} else if free.Copies(int32(l)) > 0 {
				had |= p.lacking[l]
			}
		}
	}
	if had &= narrow; !r.many { // some lack another one by now
		for rest := had; rest != 0; rest &= rest - 1 {
			j := p.jobs[bits.TrailingZeros64(rest)]
			if lacks := r.asks[j] & r.none; lacks != 0 {
				r.note(p, j, noLicence+refusal(bits.TrailingZeros64(lacks)))
				had &^= rest & -rest
			}
		}
	}
	return (set | had) & narrow
}

// count works out of which licences copies are free.
func (r *refusals) count(free *resource.Pool) {
	r.copies, r.none = 0, 0
	for l := range r.licences {
		if bit := uint64(1) << (uint(l) % 64); free.Copies(int32(l)) > 0 {
			r.copies |= bit
		} else if r.floating&bit != 0 {
			r.none |= bit
		}
	}
}

// lack returns a licence of which too few copies are free for a job, −1 if there
// is none.
func (r *refusals) lack(free *resource.Pool, j model.JobID, need *resource.Need) int32 {
	if r.many {
		return free.Lacks(need)
	}
	if set := r.asks[j] & r.none; set != 0 {
		return int32(bits.TrailingZeros64(set))
	}
	return -1
}
