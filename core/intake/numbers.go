package intake

// numbers gives names numbers from 1, in the order in which they come.
type numbers struct {
	names  []string
	slots  []int32 // numbers by name, 0 free; a power of two of them
	recent []int32 // number of the last name in each place; 0 none
}

// number returns the number of a name; none for a name that is not there.
func (n *numbers) number(name []byte) int32 {
	if len(name) == 0 {
		return none
	}
	if n.recent == nil {
		n.recent = make([]int32, 1<<placeBits)
	}
	place := &n.recent[placeOf(name)]
	if k := *place; k > 0 && n.names[k-1] == string(name) {
		return k
	}
	if isAbsent(name) {
		return none
	}
	if 2*len(n.names) >= len(n.slots) {
		n.slots = make([]int32, max(64, 4*len(n.slots)))
		for i := range n.names {
			n.slots[n.slot([]byte(n.names[i]))] = int32(i) + 1
		}
	}
	slot := n.slot(name)
	if n.slots[slot] == 0 {
		n.names = append(n.names, string(name))
		n.slots[slot] = int32(len(n.names))
	}
	*place = n.slots[slot]
	return *place
}

// slot returns where a name stands, or the free place where it belongs.
func (n *numbers) slot(name []byte) int {
	mask := len(n.slots) - 1
	at := int(spread(0, name)) & mask
	for n.slots[at] > 0 && n.names[n.slots[at]-1] != string(name) {
		at = (at + 1) & mask
	}
	return at
}

// name returns the name that has a number.
func (n *numbers) name(k int32) []byte { return []byte(n.names[k-1]) }

// placeBits says how many of the last names are found at once.
const placeBits = 10

// placeOf spreads names over the places of the last ones by their ends, in which names
// of a kind differ most.
func placeOf(name []byte) uint64 {
	hash := uint64(len(name))
	for i := len(name) - 1; i >= max(0, len(name)-4); i-- {
		hash = hash<<8 | uint64(name[i])
	}
	return hash * 0x9e3779b97f4a7c15 >> (64 - placeBits)
}

// atLeastZero is a number as Extra holds it: 0 for none.
func atLeastZero(k int32) int32 { return max(k, 0) }
