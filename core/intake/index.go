package intake

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"

	"batchlab/core/order"
)

// index finds the last record with a name and a submission. While names grow in length
// or letters, as the numbers of most accounting do, no two can be the same, and nothing
// is kept.
type index struct {
	slots []int32 // record + 1, 0 free; a power of two of them, or none while names grow
	used  int
	last  int32 // the record with the greatest name so far + 1
}

// find returns the last record with a name and a submission + 1, 0 for none.
func (x *index) find(b *builder, id []byte, submit int64) int32 {
	if x.slots == nil {
		if x.last == 0 || less(b.idOf(x.last-1), id) {
			return 0
		}
		x.grow(b)
	}
	return x.slots[x.slot(b, id, submit)]
}

// less says whether a name is shorter than another, or of the same length and before it.
func less(a, b []byte) bool {
	return len(a) < len(b) || len(a) == len(b) && bytes.Compare(a, b) < 0
}

// add notes that the record + 1 is now the last one of its name and submission.
func (x *index) add(b *builder, record int32) {
	if x.slots == nil {
		x.last = record
		return
	}
	slot := x.slot(b, b.idOf(record-1), b.log.Records[record-1].SubmitTime)
	if x.slots[slot] == 0 {
		x.used++
	}
	if x.slots[slot] = record; 2*x.used > len(x.slots) {
		x.grow(b)
	}
}

// grow makes the table again, with room for twice the records that there are.
func (x *index) grow(b *builder) {
	x.slots, x.used = make([]int32, max(64, 1<<bits.Len(uint(4*len(b.later))))), 0
	for i := range b.later {
		if id := b.idOf(int32(i)); len(id) > 0 {
			slot := x.slot(b, id, b.log.Records[i].SubmitTime)
			if x.slots[slot] == 0 {
				x.used++
			}
			x.slots[slot] = int32(i) + 1
		}
	}
}

// slot returns where a name and a submission stand, or the free place where they belong.
func (x *index) slot(b *builder, id []byte, submit int64) int {
	mask := len(x.slots) - 1
	for at := int(spread(uint64(submit), id)) & mask; ; at = (at + 1) & mask {
		i := x.slots[at] - 1
		if i < 0 || b.log.Records[i].SubmitTime == submit && bytes.Equal(b.idOf(i), id) {
			return at
		}
	}
}

// spread is a number of 31 bits in which those of other names are rarely the same.
func spread(hash uint64, name []byte) uint64 {
	for _, c := range name {
		hash = (hash ^ uint64(c)) * 0x100000001b3
	}
	return hash * 0x9e3779b97f4a7c15 >> 33
}

// used notes by which record + 1 numbers are used first: a list of them where they lie
// close together, as they mostly do.
type used struct {
	least, most int64
	dense       []int32
	sparse      map[int64]int32
}

// newUsed is for numbers from least to most, of so many records.
func newUsed(least, most int64, records int) *used {
	u := &used{least: least, most: most}
	switch {
	case most < least:
	case most-least < 8*int64(records)+1024:
		u.dense = make([]int32, most-least+1)
	default:
		u.sparse = make(map[int64]int32, records)
	}
	return u
}

func (u *used) get(n int64) int32 {
	if u.dense != nil {
		return u.dense[n-u.least]
	}
	return u.sparse[n]
}

// set takes numbers above the greatest, too, which nobody asks for.
func (u *used) set(n int64, record int32) {
	switch {
	case n > u.most:
	case u.dense != nil:
		u.dense[n-u.least] = record
	default:
		u.sparse[n] = record
	}
}

// ordered returns the places of times in their order, those of the same time in their own,
// and the times in that order.
func ordered(times []int64) (list []int32, inOrder []int64) {
	list = make([]int32, len(times))
	if len(times) == 0 {
		return list, times
	}
	least, most := times[0], times[0]
	for i, t := range times {
		list[i] = int32(i)
		least, most = min(least, t), max(most, t)
	}
	low := uint(bits.Len(uint(len(times))))
	if uint(bits.Len64(uint64(most-least)))+low > 64 {
		slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(times[a], times[b]) })
		inOrder = make([]int64, len(times))
		for k, i := range list {
			inOrder[k] = times[i]
		}
		return list, inOrder
	}
	keys, sorted := make([]uint64, len(times)), true
	for i, t := range times {
		keys[i] = uint64(t-least)<<low | uint64(i)
		sorted = sorted && (i == 0 || keys[i-1] < keys[i])
	}
	if sorted {
		return list, times
	}
	from := low // long lists are sorted stably
	if len(keys) < 1024 {
		from = 0
	}
	keys, _ = order.Keys(keys, make([]uint64, len(times)), from)
	inOrder = make([]int64, len(times))
	for k := range list {
		list[k] = int32(keys[k] & (1<<low - 1))
		inOrder[k] = int64(keys[k]>>low) + least
	}
	return list, inOrder
}
