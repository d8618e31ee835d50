package order

import "cmp"

// Keys sorts keys by their bits from low on, using spare (of the same
// length) as a buffer, and returns the sorted slice, which is one of the two,
// and the other. A radix sort of 11 bits a pass; bits in which all keys agree
// cost nothing. Keys that agree from low on keep their order from 512 keys on.
func Keys(keys, spare []uint64, low uint) (sorted, other []uint64) {
	if len(keys) < 512 {
		Sort(keys, func(a, b uint64) int { return cmp.Compare(a>>low, b>>low) })
		return keys, spare
	}
	const width = 11
	all, any := ^uint64(0), uint64(0)
	for _, k := range keys {
		all &= k
		any |= k
	}
	differ := any &^ all
	for shift := low; shift < 64 && differ>>shift != 0; shift += width {
		if differ>>shift&(1<<width-1) == 0 {
			continue
		}
		var place [1 << width]int32
		for _, k := range keys {
			place[k>>shift&(1<<width-1)]++
		}
		at := int32(0)
		for d, n := range place {
			place[d] = at
			at += n
		}
		for _, k := range keys {
			d := k >> shift & (1<<width - 1)
			spare[place[d]] = k
			place[d]++
		}
		keys, spare = spare, keys
	}
	return keys, spare
}
