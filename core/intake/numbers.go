package intake

// numbers gives names numbers from 1, in the order in which they come.
type numbers struct {
	of     map[string]int32
	names  []string
	recent [128]int32 // number of the last name in each place; 0 none
}

// number returns the number of a name; none for a name that is not there.
func (n *numbers) number(name []byte) int32 {
	if len(name) == 0 {
		return none
	}
	place := &n.recent[placeOf(name)]
	if k := *place; k > 0 && n.names[k-1] == string(name) {
		return k
	}
	if isAbsent(name) {
		return none
	}
	k, ok := n.of[string(name)]
	if !ok {
		if n.of == nil {
			n.of = map[string]int32{}
		}
		n.names = append(n.names, string(name))
		k = int32(len(n.names))
		n.of[n.names[k-1]] = k
	}
	*place = k
	return k
}

// name returns the name that has a number.
func (n *numbers) name(k int32) []byte { return []byte(n.names[k-1]) }

// placeOf spreads names over the places of the last ones by their ends, in which names
// of a kind differ most.
func placeOf(name []byte) uint {
	hash := uint(len(name))
	for i := len(name) - 1; i >= max(0, len(name)-4); i-- {
		hash = hash*31 + uint(name[i])
	}
	return hash % 128
}

// atLeastZero is a number as Extra holds it: 0 for none.
func atLeastZero(k int32) int32 { return max(k, 0) }
