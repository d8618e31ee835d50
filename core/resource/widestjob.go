package resource

import "math/bits"

// Widest bounds how many processors one job can find in the pool: those of the
// node with the most, or of a whole cluster whose jobs may hold parts of several.
// No job that asks for more fits.
func (p *Pool) Widest() int32 {
	if len(p.procs) == 1 {
		return max(0, p.procs[0])
	}
	most, words := int32(0), p.site.words
	for k := p.site.levels; k > 0 && most == 0; k-- {
		for i, set := range p.level[int(k-1)*words : int(k)*words] {
			if set != 0 && k < p.site.levels {
				most = k
				break
			}
			for ; set != 0; set &= set - 1 { // those with so many, or more
				most = max(most, p.procs[i*64+bits.TrailingZeros64(set)])
			}
		}
	}
	for _, c := range p.site.spread {
		sum := int32(0)
		for r := range p.procs {
			if p.site.Nodes[r].Cluster == c {
				sum += max(0, p.procs[r])
			}
		}
		most = max(most, sum)
	}
	return most
}

// Seats says whether a job finds room on machines, whatever its licences.
func (p *Pool) Seats(n *Need) bool {
	if p.first(n) >= 0 {
		return true
	}
	_, ok := p.gather(n, false)
	return ok
}

// Mark sets bits in the words of the nodes of which a job may hold processors,
// whether or not they are free; node r of the order of power has word r modulo
// their number.
func (n *Need) Mark(words []uint64, set uint64) {
	for i := range n.single {
		word := n.single[i]
		if n.shared != nil {
			word |= n.shared[i]
		}
		for ; word != 0; word &= word - 1 {
			words[(i*64+bits.TrailingZeros64(word))%len(words)] |= set
		}
	}
}
