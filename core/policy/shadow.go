package policy

import "batchlab/core/model"

// running holds the running jobs by requested end, which is what a shadow time
// needs: it is found within the first few.
type running struct {
	jobs []runningJob // ascending by end
}

type runningJob struct {
	end   model.Time // requested
	procs int32
	job   model.JobID
}

func (r *running) reset() { r.jobs = r.jobs[:0] }

// after returns the first position whose end is later than t.
func (r *running) after(t model.Time) int {
	lo, hi := 0, len(r.jobs)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if r.jobs[mid].end <= t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// add inserts a job that holds procs until its requested end.
func (r *running) add(end model.Time, procs int32, j model.JobID) {
	at := r.after(end)
	r.jobs = append(r.jobs, runningJob{})
	copy(r.jobs[at+1:], r.jobs[at:])
	r.jobs[at] = runningJob{end, procs, j}
}

// remove takes out job j with that requested end.
func (r *running) remove(end model.Time, j model.JobID) {
	at := r.after(end) - 1
	for r.jobs[at].job != j {
		at--
	}
	copy(r.jobs[at:], r.jobs[at+1:])
	r.jobs = r.jobs[:len(r.jobs)-1]
}

// shadow returns the earliest time at which procs processors are free by the
// requested ends, and the processors then left over, counting all that end at
// that time (rule 8). More than free processors must be asked for.
func (r *running) shadow(free, procs int32) (at model.Time, extra int32) {
	for i := range r.jobs {
		if free >= procs && r.jobs[i].end > at {
			break
		}
		at = r.jobs[i].end
		free += r.jobs[i].procs
	}
	return at, free - procs
}
