package grid

import "batchlab/core/model"

// Booked is a reservation as it was accepted.
type Booked struct {
	Job      model.JobID
	Cluster  int32
	Procs    int32
	From, To model.Time // reserved, in whole slots
	Start    model.Time // of its job
}

// Booked returns the reservations that were accepted since Reset, in order of
// their jobs.
func (s *Scheduler) Booked() []Booked {
	var list []Booked
	for j := range s.jobs {
		if b := &s.jobs[j]; b.booked.Procs > 0 {
			list = append(list, b.booked)
		}
	}
	return list
}
