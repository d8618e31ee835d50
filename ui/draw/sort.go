package draw

import (
	"math"
)

// SortedBy returns the indices 0 … len(keys)−1 in order of their keys, equal
// keys in order of index (a radix sort of 11 bits a pass: 200,000 keys take a
// few milliseconds even as wasm). Keys must not be negative.
func SortedBy(keys []uint64) []int32 {
	s := startSort(keys)
	for !s.step() {
	}
	return s.idx
}

// sorting is a radix sort under way, a pass a step.
type sorting struct {
	keys     []uint64
	idx, tmp []int32
	all      uint64 // bits that some key has
	shift    int
}

func startSort(keys []uint64) *sorting {
	n := len(keys)
	s := &sorting{keys: keys, idx: make([]int32, n)}
	sorted := true
	for i, k := range keys {
		s.idx[i] = int32(i)
		s.all |= k
		sorted = sorted && (i == 0 || keys[i-1] <= k)
	}
	if sorted {
		s.all = 0
	} else {
		s.tmp = make([]int32, n)
	}
	return s
}

// step does one pass; true when idx is in order.
func (s *sorting) step() bool {
	if s.all>>s.shift == 0 {
		return true
	}
	var count [2049]int32
	for _, k := range s.keys {
		count[k>>s.shift&2047+1]++
	}
	if int(count[(s.keys[0]>>s.shift&2047)+1]) != len(s.keys) { // else all are alike in these bits
		for i := 1; i < len(count); i++ {
			count[i] += count[i-1]
		}
		for _, i := range s.idx {
			d := s.keys[i] >> s.shift & 2047
			s.tmp[count[d]] = i
			count[d]++
		}
		s.idx, s.tmp = s.tmp, s.idx
	}
	s.shift += 11
	return s.all>>s.shift == 0
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
