package sim

import (
	"slices"

	"batchlab/core/report"
	"batchlab/core/resource"
)

// Cause says what keeps a job that waits from starting now, whatever else its
// scheduler intends: too few copies of a licence, a limit that is reached on every
// cluster that could serve it, what the calendar or advance reservations hold
// now, or too few processors; report.WaitNone if it could start.
func (v *View) Cause(need *resource.Need) report.Code {
	switch {
	case !v.Free.Licensed(need):
		return v.Lacks(need)
	case v.Free.Fits(need):
		return report.WaitNone
	case v.bound(need):
		return report.WaitLimit
	}
	calendar := len(v.Site.Platform.Calendar) > 0
	if !calendar && !slices.ContainsFunc(v.Bookings.All(), func(b Booking) bool { return b.From <= v.Now && v.Now < b.To }) {
		return report.WaitProcessors
	}
	pool := v.Site.NewPool()
	pool.CopyFrom(v.Free)
	if calendar {
		pool.Unbooked(v.Now)
	}
	for _, b := range v.Bookings.All() {
		if b.From <= v.Now && v.Now < b.To {
			pool.Give(b.Need, b.Claim)
		}
	}
	if pool.Fits(need) {
		return report.WaitReservation
	}
	return report.WaitProcessors
}

// Lacks says what a job lacks that Pool.Licensed refuses: copies of a licence, or what
// a limit of its partition, QOS or account leaves; report.WaitNone where nothing.
func (v *View) Lacks(need *resource.Need) report.Code {
	switch i := v.Free.Short(need); {
	case i < 0:
		return report.WaitNone
	case v.Site.Platform.Licences[need.Licences[i].Licence].Quotes():
		return report.WaitLimit
	}
	return report.WaitLicences
}

// Short says what a job is short of that does not fit although it has its licences: what
// a limit leaves, where one is reached wherever it could run, else processors.
func (v *View) Short(need *resource.Need) report.Code {
	if v.bound(need) {
		return report.WaitLimit
	}
	return report.WaitProcessors
}

// bound says whether a limit is reached wherever a job could run.
func (v *View) bound(need *resource.Need) bool {
	if v.Site.Platform.Limits.None() {
		return false
	}
	for c := range v.Site.Platform.Clusters {
		if v.Site.Serves(need, int32(c)) && v.Free.Within(need, int32(c), need.Procs) {
			return false
		}
	}
	return true
}
