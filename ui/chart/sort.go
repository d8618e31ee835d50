package chart

import "math"

// SortedBy returns the indices 0 … len(keys)−1 in order of their keys, equal
// keys in order of index (a radix sort of 11 bits a pass: 200,000 keys take a
// few milliseconds even as wasm). Keys must not be negative.
func SortedBy(keys []uint64) []int32 {
	n := len(keys)
	idx, tmp := make([]int32, n), make([]int32, n)
	all := uint64(0)
	sorted := true
	for i, k := range keys {
		idx[i] = int32(i)
		all |= k
		sorted = sorted && (i == 0 || keys[i-1] <= k)
	}
	if sorted {
		return idx
	}
	for shift := 0; all>>shift != 0; shift += 11 {
		var count [2049]int32
		for _, k := range keys {
			count[k>>shift&2047+1]++
		}
		if int(count[(keys[0]>>shift&2047)+1]) == n {
			continue // all alike in these bits
		}
		for i := 1; i < len(count); i++ {
			count[i] += count[i-1]
		}
		for _, i := range idx {
			d := keys[i] >> shift & 2047
			tmp[count[d]] = i
			count[d]++
		}
		idx, tmp = tmp, idx
	}
	return idx
}

// IntKey maps an integer to a key that sorts as it does.
func IntKey(v int64) uint64 { return uint64(v) ^ 1<<63 }

// FloatKey maps a number to a key that sorts as it does; NaN stands last.
func FloatKey(v float64) uint64 {
	if math.IsNaN(v) {
		return math.MaxUint64
	}
	b := math.Float64bits(v)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}
