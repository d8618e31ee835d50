package tell

import "batchlab/core/model"

// mostSlots bounds the starts that a search lists.
const mostSlots = 24

// Search lists the starts that a search for a reservation of procs processors for
// length seconds within ⟨ready, deadline⟩ looks at: the first possible one, then
// each time at which what is free changes (the slots of CARTS; Kurowski et al.
// 2011, section 3.4), up to the first at which it fits. step returns the free
// processors from a time on, of n steps; the last goes on for ever.
func Search(n int, step func(i int) (at model.Time, free int32), ready, deadline model.Time, procs int32, length model.Time) (list []Slot) {
	for first := range n {
		at, _ := step(first)
		if first+1 < n {
			if next, _ := step(first + 1); next <= ready {
				continue // past
			}
		}
		if at = max(at, ready); at+length > deadline || len(list) == mostSlots {
			return list
		}
		s := Slot{At: at, Fits: true, Least: 1<<31 - 1}
		for i := first; i < n; i++ {
			from, free := step(i)
			if from >= at+length {
				break
			}
			if free < s.Least {
				s.Least, s.When = free, max(from, at)
			}
		}
		s.Fits = s.Least >= procs
		if list = append(list, s); s.Fits {
			return list
		}
	}
	return list
}

// Asked notes what a provider answers that was asked for a reservation: the starts
// it looked at, and its offer.
func (f *Facts) Asked(j model.JobID, name string, n int, step func(i int) (at model.Time, free int32), ready, deadline model.Time, procs int32, length, start model.Time, ok bool) {
	d := Decide(Refuses, j)
	slots := Search(n, step, ready, deadline, procs, length)
	d.Provider = &Provider{Name: name, Slots: slots}
	if ok {
		d.Kind, d.At, d.Ends = Offer, start, start+length
		for i := range slots { // where machines count, enough processors are not always enough
			if s := &slots[i]; s.At < start {
				s.Fits = false
			}
		}
	}
	f.Said = append(f.Said, d)
}

// Answered notes what a reservation got.
func (f *Facts) Answered(j model.JobID, name string, start, end model.Time, ok bool) {
	d := Decide(Decline, j)
	if ok {
		d.Kind, d.Provider, d.At, d.Ends = Accept, &Provider{Name: name}, start, end
	}
	f.Said = append(f.Said, d)
}

// Sends notes that a batch job goes to a provider: since no queue is shorter than its,
// and of equal ones none has more processors free, or, drawn, by chance.
func (f *Facts) Sends(j model.JobID, name string, drawn bool, length int, free int32) {
	d := Decide(Send, j)
	d.Provider = &Provider{Name: name, Free: -1}
	if !drawn {
		d.Provider.Queue, d.Provider.Free = length, free
	}
	f.Said = append(f.Said, d)
}
