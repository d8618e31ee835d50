package sim

import "batchlab/core/model"

// enter writes into the book what has happened at this instant to jobs that are
// the scheduler's.
func (v *View) enter() {
	for _, j := range v.Ended {
		v.Book.End(j, v.Ran(j))
	}
	for _, list := range [...][]model.JobID{v.Back, v.New} {
		for _, j := range list {
			v.Book.Submit(j)
		}
	}
}

// Ran returns for how long a job that runs or has just ended has run in all, in
// seconds of a machine of speed 1, as its request counts them.
func (v *View) Ran(j model.JobID) model.Time {
	ran := v.Now - v.Start[j]
	if v.Site.Platform.PowerScales {
		if whole := v.Jobs[j].Limit - v.Done[j]; whole > 0 {
			if takes := v.Site.Scaled(whole, v.Held[j]); takes > 0 {
				ran = model.Time(float64(ran) * (float64(whole) / float64(takes)))
			}
		}
	}
	return min(max(v.Done[j]+ran, 1), v.Jobs[j].Limit)
}
