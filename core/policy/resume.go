package policy

import (
	"batchlab/core/model"
	"batchlab/core/sim"
)

// Counted schedulers can go on from the middle of a run: FCFS and EASY go by what
// waits and runs alone, conservative backfilling by its planned starts besides.

var (
	_ sim.CountedResumer = (*CountedFCFS)(nil)
	_ sim.CountedResumer = (*CountedEASY)(nil)
	_ sim.CountedResumer = (*CountedConservative)(nil)
)

// Resume goes on from the middle of a run: jobs start in order of rank, so that as
// many have started as do not wait.
func (f *CountedFCFS) Resume(v *sim.CountedView, waiting, _ []model.JobID, _ *sim.Resume) {
	f.head = int(v.Next) - len(waiting)
}

// Promises has none to tell.
func (f *CountedFCFS) Promises(func(sim.Promise)) {}

// Resume goes on from the middle of a run.
func (e *CountedEASY) Resume(v *sim.CountedView, waiting, running []model.JobID, _ *sim.Resume) {
	for j := range v.Next {
		e.gone[j] = true
	}
	for _, j := range waiting {
		e.gone[j] = false
		e.arrive(v, j)
	}
	for _, j := range running {
		e.running.add(v.Start[j]+v.Jobs[j].Limit, v.Jobs[j].Procs, j)
	}
}

// Promises has none to tell: the head's follows from what runs.
func (e *CountedEASY) Promises(func(sim.Promise)) {}

// Resume goes on from the middle of a run with the planned starts that held there.
func (c *CountedConservative) Resume(v *sim.CountedView, _, running []model.JobID, r *sim.Resume) {
	c.free.Reset(r.Before, v.Procs)
	for _, j := range running {
		if end := v.Start[j] + v.Jobs[j].Limit; end > r.Before {
			c.free.Add(r.Before, end, -v.Jobs[j].Procs)
		}
	}
	for _, p := range r.Planned {
		job := &v.Jobs[p.Job]
		c.free.Add(p.At, p.At+job.Limit, -job.Procs)
		c.insert(plannedJob{p.At, job.Limit, job.Procs, p.Job, -1})
	}
}

// Promises tells the planned starts.
func (c *CountedConservative) Promises(visit func(sim.Promise)) {
	for _, p := range c.planned {
		visit(sim.Promise{Job: p.job, At: p.start})
	}
}
