package draft

import (
	"reflect"
	"slices"

	"batchlab/core/experiment"
)

// Parked is a scheduler that was ticked off: it keeps its settings and does not
// run, and no document or link holds it.
type Parked struct {
	Before    int // how many schedulers that run stand above it in the list
	Place     int // of its letter, which it keeps
	Scheduler experiment.Scheduler
}

// Row is one line of the list of schedulers.
type Row struct {
	Scheduler experiment.Scheduler
	Index     int // in Settings.Schedulers, −1 when it is off
	Parked    int // in the list of those that are off, −1 when it runs
	Place     int // of its letter, colour and dash
}

func cloneParked(list []Parked) []Parked {
	list = slices.Clone(list)
	for i := range list {
		list[i].Scheduler.Params = slices.Clone(list[i].Scheduler.Params)
	}
	return list
}

// Rows are all schedulers, those that run and those that are off, in their order.
func (s *Draft) Rows() []Row {
	rows := make([]Row, 0, len(s.Settings.Schedulers)+len(s.parked))
	k := 0
	for i := range len(s.Settings.Schedulers) + 1 {
		for ; k < len(s.parked) && s.parked[k].Before <= i; k++ {
			rows = append(rows, Row{s.parked[k].Scheduler, -1, k, s.parked[k].Place})
		}
		if i < len(s.Settings.Schedulers) {
			rows = append(rows, Row{s.Settings.Schedulers[i], i, -1, s.places[i]})
		}
	}
	for ; k < len(s.parked); k++ {
		rows = append(rows, Row{s.parked[k].Scheduler, -1, k, s.parked[k].Place})
	}
	return rows
}

// Places are those of the letters, colours and dashes of the schedulers that run:
// each keeps its own as long as it is in the list, whatever comes and goes beside it.
func (s *Draft) Places() []int { return slices.Clone(s.places) }

// SetPlaces gives the schedulers the letters that a link has for them.
func (s *Draft) SetPlaces(places []int) {
	seen := slices.Clone(places)
	slices.Sort(seen)
	if len(places) == len(s.Settings.Schedulers) && len(slices.Compact(seen)) == len(places) {
		s.places = slices.Clone(places)
		s.history.steps[s.history.at].places = slices.Clone(places)
	}
}

// placesOf finds the places of the schedulers of a state that comes after this one:
// where schedulers were added or taken out the others keep theirs, and a new one gets
// the first that is free.
func (s *Draft) placesOf(next *step) []int {
	old, list := s.Settings.Schedulers, next.doc.Schedulers
	if len(old) == len(list) && len(s.places) == len(list) && next.places != nil {
		return slices.Clone(s.places)
	}
	places, used := make([]int, len(list)), map[int]bool{}
	for _, p := range next.parked {
		used[p.Place] = true
	}
	kept := func(one experiment.Scheduler) int {
		same := func(other experiment.Scheduler, place int) bool {
			other.Repeat = one.Repeat
			return !used[place] && reflect.DeepEqual(one, other)
		}
		for k := range old {
			if same(old[k], s.places[k]) {
				return s.places[k]
			}
		}
		for _, p := range s.parked {
			if same(p.Scheduler, p.Place) {
				return p.Place
			}
		}
		return -1
	}
	for i := range list {
		if places[i] = -1; next.places != nil { // nil: another experiment
			places[i] = kept(list[i])
			used[places[i]] = true
		}
	}
	for i := range places {
		for at := 0; places[i] < 0; at++ {
			if !used[at] {
				places[i], used[at] = at, true
			}
		}
	}
	return places
}

// Full reports whether there is no room for another scheduler.
func (s *Draft) Full() bool { return len(s.Settings.Schedulers)+len(s.parked) >= MaxSchedulers }

// SwitchOff takes scheduler i out of the runs and keeps its settings. The last
// one stays on.
func (s *Draft) SwitchOff(i int) {
	if i < 0 || i >= len(s.Settings.Schedulers) || len(s.Settings.Schedulers) == 1 {
		return
	}
	s.Forget("sched.")
	next := s.current()
	parked := Parked{Before: i, Place: s.places[i], Scheduler: next.doc.Schedulers[i]}
	at := s.without(&next, i)
	next.parked = slices.Insert(next.parked, at, parked)
	s.put(next)
	s.board.Touch()
}

// without takes scheduler i out of a state; those that are off stay where they are in
// the list. It returns the place among these of what stood there.
func (s *Draft) without(next *step, i int) (at int) {
	next.doc.Schedulers = slices.Delete(next.doc.Schedulers, i, i+1)
	s.Lost(MoveAxes(&next.doc, i, -1))
	next.doc.Expect = ""
	at = len(next.parked)
	for k := range next.parked {
		if next.parked[k].Before > i {
			at = min(at, k)
			next.parked[k].Before--
		}
	}
	return at
}

// SwitchOn lets the k-th scheduler that is off run again.
func (s *Draft) SwitchOn(k int) {
	if k < 0 || k >= len(s.parked) {
		return
	}
	s.Forget("sched.")
	next := s.current()
	p := next.parked[k]
	next.parked = slices.Delete(next.parked, k, k+1)
	for i := k; i < len(next.parked); i++ {
		next.parked[i].Before++
	}
	at := min(p.Before, len(next.doc.Schedulers))
	if len(next.doc.Schedulers) > 0 {
		p.Scheduler.Repeat = next.doc.Schedulers[0].Repeat
	}
	next.doc.Schedulers = slices.Insert(next.doc.Schedulers, at, p.Scheduler)
	MoveAxes(&next.doc, at, 1)
	next.doc.Expect = ""
	s.put(next)
	s.board.Touch()
}
