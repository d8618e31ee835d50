package policy

import "batchlab/core/resource"

// licenceLoad is how much the waiting jobs ask of each licence.
type licenceLoad struct {
	requests []int64   // copies that the queue asks for, by licence
	ratio    []float64 // ρ at the beginning of the pass
	weight   float64   // d
	before   []float64 // what each licence counted at the pass before
	risen    float64   // how much a licence has risen at each pass, added up: at least what any one has
}

// measure computes ρ and d of the heuristic Licences (Techiouba et al. 2008,
// section 4): jobs that need many scarce licences go first, so that the
// licences are soon free again.
//
//	ρ(l) = requests(l) / total(l)
//	critical licences of J:      l_c(J)  = {l required by J : ρ(l) > 1}
//	those that are not critical: l_c̄(J) = {l required by J : ρ(l) ≤ 1}
//
//	Σ over l_c̄(J) of ρ(l)  +  d · Σ over l_c(J) of ρ(l)
//
//	d = max{|∪_J l_c̄(J)|, 1}
//
// The bars over c are damaged in the text that we have; the sentences around
// the formula decide. requests(l) are the copies that the jobs in the queue ask
// for and total(l) all copies of the licence ("the number of copies required by
// the jobs in the submission queue", section 1). The union goes over the queue,
// so d counts the licences that it asks for and that are not critical: each has
// ρ ≤ 1, so that one critical licence outweighs all others together.
// Node-locked licences have no copies and do not count, nor do quotas.
func (l *licenceLoad) measure(s *resource.Site) {
	plain := 0
	for i := range l.requests {
		l.ratio[i] = 0
		if copies := s.Platform.Licences[i].Copies; copies > 0 && l.requests[i] > 0 && !s.Platform.Licences[i].Quotes() {
			l.ratio[i] = float64(l.requests[i]) / float64(copies)
			if l.ratio[i] <= 1 {
				plain++
			}
		}
	}
	l.weight = float64(max(plain, 1))
	most := 0.0
	for i, r := range l.ratio {
		if r > 1 {
			r *= l.weight
		}
		most = max(most, r-l.before[i])
		l.before[i] = r
	}
	l.risen += most
}

func (l *licenceLoad) reset(licences int) {
	l.requests, l.ratio = resize(l.requests, licences), resize(l.ratio, licences)
	l.before, l.risen = resize(l.before, licences), 0
	clear(l.requests)
	clear(l.before)
}

// add counts a job that joins the queue (1) or leaves it (−1).
func (l *licenceLoad) add(n *resource.Need, sign int64) {
	for _, need := range n.Licences {
		l.requests[need.Licence] += sign * int64(need.Copies)
	}
}

// score is the value of the heuristic for one job.
func (l *licenceLoad) score(n *resource.Need) float64 {
	var plain, critical float64
	for _, need := range n.Licences {
		if r := l.ratio[need.Licence]; r > 1 {
			critical += r
		} else {
			plain += r
		}
	}
	return plain + float64(l.weight*critical)
}
