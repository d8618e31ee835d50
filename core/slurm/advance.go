package slurm

import "slices"

// reserved takes away the nodes that an advance reservation holds while a job would
// run from a start on (job_test_resv in reservation.c), and returns the end of the last
// reservation that it would meet, 0 for none. A job of a reservation has its nodes.
func (c *Controller) reserved(j *Job, part int, from int64, cand set) (until int64) {
	to := from + c.limit(j, part)
	if j.Reserved >= 0 {
		r := &c.Reserved[j.Reserved]
		if from < r.Start || from >= r.End || !slices.Contains(r.Users, j.User) {
			cand.clear()
			return r.End
		}
		cand.and(r.set)
	}
	for i := range c.Reserved {
		r := &c.Reserved[i]
		if i == j.Reserved || r.Start >= to || r.End <= from || !cand.meets(r.set) {
			continue
		}
		cand.without(r.set)
		until = max(until, r.End)
	}
	return until
}

// reservedEnd is the earliest end of an advance reservation after a time, 0 for none
// (find_resv_end): where a plan may be tried again.
func (c *Controller) reservedEnd(after int64) (end int64) {
	for i := range c.Reserved {
		if e := c.Reserved[i].End; e > after && (end == 0 || e < end) {
			end = e
		}
	}
	return end
}
