package draft

import (
	"slices"

	"batchlab/core/experiment"
)

// Parked is a scheduler that was ticked off: it keeps its settings and does not
// run, and no document or link holds it.
type Parked struct {
	Before    int // how many schedulers that run stand above it in the list
	Scheduler experiment.Scheduler
}

// Row is one line of the list of schedulers.
type Row struct {
	Scheduler experiment.Scheduler
	Index     int // in Settings.Schedulers, −1 when it is off
	Parked    int // in the list of those that are off, −1 when it runs
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
			rows = append(rows, Row{s.parked[k].Scheduler, -1, k})
		}
		if i < len(s.Settings.Schedulers) {
			rows = append(rows, Row{s.Settings.Schedulers[i], i, -1})
		}
	}
	for ; k < len(s.parked); k++ {
		rows = append(rows, Row{s.parked[k].Scheduler, -1, k})
	}
	return rows
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
	parked := Parked{Before: i, Scheduler: next.doc.Schedulers[i]}
	next.doc.Schedulers = slices.Delete(next.doc.Schedulers, i, i+1)
	s.Lost(MoveAxes(&next.doc, i, -1))
	next.doc.Expect = ""
	at := len(next.parked)
	for k := range next.parked {
		if next.parked[k].Before > i {
			at = min(at, k)
			next.parked[k].Before--
		}
	}
	next.parked = slices.Insert(next.parked, at, parked)
	s.put(next)
	s.board.Touch()
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
