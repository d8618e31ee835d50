package grid

import (
	"slices"

	"batchlab/core/model"
)

// dispatch serves the grid's queue: batch jobs first come, first served,
// reservations before them or in their turn (section 4.4.2).
func (s *Scheduler) dispatch() {
	if s.First {
		for _, j := range s.queue {
			if s.reservation(j) != nil && s.v.Pulse.Beat(s.requestSteps()) {
				s.turn(j)
				s.request(j)
			}
		}
	}
	for _, j := range s.queue {
		steps := 4
		if s.reservation(j) != nil {
			steps = s.requestSteps()
		}
		if !s.v.Pulse.Beat(steps) {
			return
		}
		switch {
		case s.reservation(j) == nil:
			p := s.allocate(j)
			if s.v.Facts != nil {
				s.v.Facts.Sends(j, s.v.Site.Platform.Clusters[p.cluster].Name, s.Batch == Random, s.length(p), p.free.now())
			}
			s.jobs[j].provider = p.cluster
			s.enqueue(p, j)
		case !s.First:
			s.turn(j)
			s.request(j)
		}
	}
	s.queue = s.queue[:0]
}

// requestSteps is about what it costs to answer a reservation, for sim.Pulse.
func (s *Scheduler) requestSteps() int { return 64 + len(s.agenda)/4 }

// allowed says whether a job may run at a provider at all.
func (s *Scheduler) allowed(p *provider, j model.JobID) bool {
	d := s.v.Demand(j)
	return d == nil || len(d.Eligible) == 0 || slices.Contains(d.Eligible, p.cluster)
}

// allocate chooses the provider of a batch job, among those that are large
// enough; those of the static partition only if there is no other.
func (s *Scheduler) allocate(j model.JobID) *provider {
	best, count := -1, 0
	for _, skip := range [...]int{s.reserved, 0} {
		for i := skip; i < len(s.providers); i++ {
			p := &s.providers[i]
			if p.size < s.v.Jobs[j].Procs || !s.allowed(p, j) {
				continue
			}
			count++
			switch {
			case best < 0:
				best = i
			case s.Batch == Random: // each of count with the same probability
				if s.random.IntN(count) == 0 {
					best = i
				}
			case s.shorter(i, best):
				best = i
			}
		}
		if best >= 0 {
			break
		}
	}
	return &s.providers[best] // one is large enough: the engine has checked it
}

// shorter says whether provider a has the shorter queue: fewer waiting jobs,
// then more free processors.
func (s *Scheduler) shorter(a, b int) bool {
	p, q := &s.providers[a], &s.providers[b]
	if x, y := s.length(p), s.length(q); x != y {
		return x < y
	}
	return p.free.now() > q.free.now()
}

// length is that of a provider's queue, as Options.Load counts.
func (s *Scheduler) length(p *provider) int {
	n := p.queue.count
	if s.Load >= CountReservations {
		n += p.ahead
	}
	if s.Load == CountAll {
		n += len(p.running) + p.underway
	}
	return n
}

// choose chooses the offer that a reservation takes. In its interval as the
// allocation says; if it cannot be kept anywhere, the earliest completion after
// it (section 5.4: "ARs are searched in larger interval"), unless such requests
// are rejected.
func (s *Scheduler) choose(j model.JobID, q request) (offer, bool) {
	from, to := 0, len(s.providers)
	switch s.Reservations {
	case Partition:
		if s.reserved > 0 && slices.ContainsFunc(s.providers[:s.reserved], func(p provider) bool { return p.size >= q.procs }) {
			to = s.reserved
		}
	case Random, LoadBalance: // the provider is chosen before it is asked
		if from = s.single(j, q); from < 0 {
			return offer{}, false
		}
		to = from + 1
	}
	first := 0
	if q.effort == model.EffortExact && s.Reservations != Priority && !s.Reject && !s.Spread {
		first = 1 // the earliest completion of all is in time if any is: one search is enough
	}
	for late := first; late < 2; late++ {
		if late == 1 && s.Reject {
			break
		}
		var best offer
		found, count := false, 0
		for i := from; i < to; i++ {
			p := &s.providers[i]
			if !s.allowed(p, j) {
				continue
			}
			o, ok := s.ask(p, q, late == 1)
			if !ok {
				continue
			}
			if !found {
				best, found, count = o, true, 1
				if s.Reservations == Priority && late == 0 {
					break // "sends AR request until it gets positive answer"
				}
				continue
			}
			switch c := q.better(&o, &best); {
			case c < 0:
				best, count = o, 1
			case c == 0 && s.Reservations == Priority: // the one with the higher priority stays
			case c == 0 && s.Spread:
				if count++; s.random.IntN(count) == 0 {
					best = o
				}
			case c == 0 && s.shorter(i, int(best.provider)):
				best = o
			}
		}
		if found {
			return best, true
		}
	}
	return offer{}, false
}

// single chooses a provider for a reservation without asking it.
func (s *Scheduler) single(j model.JobID, q request) int {
	best, count := -1, 0
	for i := range s.providers {
		p := &s.providers[i]
		if p.size < q.procs && q.effort != model.EffortProcs || !s.allowed(p, j) {
			continue
		}
		count++
		switch {
		case best < 0:
			best = i
		case s.Reservations == Random:
			if s.random.IntN(count) == 0 {
				best = i
			}
		case s.shorter(i, best):
			best = i
		}
	}
	return best
}
