package sim

// Heap is a binary heap of least keys. A key packs what it sorts by above an
// index. The methods change the slice in place, which spares a write barrier
// for each call while a collection is under way; in WebAssembly that can be
// for the whole of a simulation.
type Heap []uint64

// Push adds a key.
func (h *Heap) Push(key uint64) {
	*h = append(*h, key)
	s := *h
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if s[parent] <= key {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = key
}

// Pop removes the least key, which is the first element. The heap must not be
// empty.
func (h *Heap) Pop() {
	n := len(*h) - 1
	key := (*h)[n]
	*h = (*h)[:n]
	if n > 0 {
		h.Replace(key)
	}
}

// Replace removes the least key and adds another, which costs little where that
// is small, too. The heap must not be empty.
func (h *Heap) Replace(key uint64) {
	s := *h
	n := len(s)
	i := 0
	for child := 1; child < n; child = 2*i + 1 {
		if child+1 < n && s[child+1] < s[child] {
			child++
		}
		if key <= s[child] {
			break
		}
		s[i] = s[child]
		i = child
	}
	s[i] = key
}
