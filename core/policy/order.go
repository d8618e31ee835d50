package policy

import (
	"fmt"
	"math"
	"math/bits"

	"batchlab/core/model"
)

// Order is one of the 12 pure orders of Legrand, Trystram and Zrigui (2018,
// section 4): by submission, requested time p̃, processors q, area p̃·q,
// expansion factor (wait + p̃)/p̃ and ratio p̃/q, each in both directions; or
// one by score (mixed.go).
type Order uint8

// The orders, in the catalog's order.
const (
	FCFSOrder Order = iota
	LCFS
	SPF
	LPF
	SQF
	LQF
	SAF
	LAF
	SEXP
	LEXP
	SRF
	LRF
)

var orderKeys = [...]string{"fcfs", "lcfs", "spf", "lpf", "sqf", "lqf", "saf", "laf", "sexp", "lexp", "srf", "lrf", "mixed", "formula"}

// ParseOrder returns the order with that key.
func ParseOrder(key string) (Order, error) {
	for i, k := range orderKeys {
		if k == key {
			return Order(i), nil
		}
	}
	return 0, fmt.Errorf("policy: no order %q", key)
}

// String returns the order's key.
func (o Order) String() string { return orderKeys[o] }

// Pure returns the 12 pure orders, in the catalog's order.
func Pure() []Order {
	return []Order{FCFSOrder, LCFS, SPF, LPF, SQF, LQF, SAF, LAF, SEXP, LEXP, SRF, LRF}
}

// static says whether the pure order of two waiting jobs never changes.
func (o Order) static() bool { return o != SEXP && o != LEXP }

// orSubmission returns the order itself where it never changes, else FCFS.
func (o Order) orSubmission() Order {
	if o.static() {
		return o
	}
	return FCFSOrder
}

// key maps a job to an unsigned number so that the job with the smaller one
// stands first. A quotient is one division of exact integers; the bits of a
// positive float order like the float.
func (o Order) key(j *model.Job, first model.Time) uint64 {
	var k uint64
	switch o {
	case FCFSOrder, LCFS:
		k = uint64(j.Submit - first)
	case SPF, LPF:
		k = uint64(j.Limit)
	case SQF, LQF:
		k = uint64(j.Procs)
	case SAF, LAF:
		k = uint64(j.Limit) * uint64(j.Procs)
	case SRF, LRF:
		k = math.Float64bits(float64(j.Limit) / float64(j.Procs))
	}
	switch o {
	case LCFS, LPF, LQF, LAF, LRF:
		k = ^k
	}
	return k
}

// ranker turns an order into ranks; it keeps its memory.
type ranker struct {
	a, b []keyed
}

type keyed struct {
	key uint64
	job model.JobID
}

// rank fills ranks so that of two jobs the one with the smaller rank stands
// first in the order, ties going to the job submitted earlier, then to the
// smaller number (newest: both reversed, rule 6). Jobs come sorted by
// (Submit, Number), so a tie is decided by the index, and a stable sort of
// ascending (or descending) indices does it all.
func (r *ranker) rank(ranks []int32, jobs []model.Job, o Order, newest bool) {
	n := len(jobs)
	if n == 0 {
		return
	}
	if o == FCFSOrder && !newest {
		for i := range ranks {
			ranks[i] = int32(i)
		}
		return
	}
	r.a, r.b = resize(r.a, n), resize(r.b, n)
	a, first := r.a, jobs[0].Submit
	all, none := uint64(0), ^uint64(0)
	for i := range jobs {
		at := i
		if newest {
			at = n - 1 - i
		}
		k := o.key(&jobs[i], first)
		a[at] = keyed{k, model.JobID(i)}
		all, none = all|k, none&k
	}
	for i, k := range r.radix(all &^ none) {
		ranks[k.job] = int32(i)
	}
}

// rankBy is rank by keys of any kind, ties to the job that stands earlier.
func (r *ranker) rankBy(ranks []int32, jobs []model.Job, key func(*model.Job) uint64) {
	r.a, r.b = resize(r.a, len(jobs)), resize(r.b, len(jobs))
	all, none := uint64(0), ^uint64(0)
	for i := range jobs {
		k := key(&jobs[i])
		r.a[i] = keyed{k, model.JobID(i)}
		all, none = all|k, none&k
	}
	for i, k := range r.radix(all &^ none) {
		ranks[k.job] = int32(i)
	}
}

// radix sorts r.a by key, least digit first, over the bits that differ.
func (r *ranker) radix(differ uint64) []keyed {
	a, b := r.a, r.b
	width := 11 // bits a digit: few passes for many jobs, small tables for few
	if len(a) < 4096 {
		width = 8
	}
	var counts [1 << 11]int32
	for differ != 0 {
		shift := bits.TrailingZeros64(differ)
		mask := uint64(1)<<width - 1
		count := counts[:mask+1]
		clear(count)
		for i := range a {
			count[a[i].key>>shift&mask]++
		}
		sum := int32(0)
		for i := range count {
			count[i], sum = sum, sum+count[i]
		}
		for i := range a {
			d := a[i].key >> shift & mask
			b[count[d]] = a[i]
			count[d]++
		}
		a, b = b, a
		differ &^= mask << shift
	}
	return a
}

// expansion is the expansion factor (wait + p̃)/p̃ of a waiting job.
func expansion(now, submit, limit model.Time) float64 {
	return float64(now-submit+limit) / float64(limit)
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
