//go:build !small

package lab

import (
	"fmt"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/resource"
)

// fits refuses, before anything runs, what no run on machines could bear: jobs
// that could never start, on the empty platform or under its limits, jobs with
// deadlines of users who react, and platforms too large for a scheduler.
func (p *Prepared) fits(r *prepared) error {
	if !slices.ContainsFunc(p.doc.Schedulers, func(s experiment.Scheduler) bool { return p.onSite(&s) }) {
		return nil
	}
	w, platform := r.workload, r.machines()
	if platform.Procs() == 0 {
		return nil // the size of the machine is still asked for
	}
	site, err := resource.NewSite(platform)
	if err != nil {
		return err
	}
	f := fitting{site: site, empty: site.NewWhole(), known: map[wish]fit{}}
	first, most, never := -1, int32(0), 0
	for j := range w.Jobs {
		job, d := &w.Jobs[j], w.Demand(model.JobID(j))
		one := f.of(job, d)
		if one.why != "" {
			return experiment.Error{Path: "platform", Message: fmt.Sprintf("job %d can never start: %s", job.Number, one.why)}
		}
		if best := f.allowed(one, job.Limit); job.Procs > best && !(d != nil && d.Reservation != nil) {
			if never++; first < 0 {
				first, most = j, best
			}
		}
		if d == nil {
			continue
		}
		if d.Due > 0 && p.doc.Workload.React != nil {
			return experiment.Error{Path: "workload.react", Message: fmt.Sprintf("deadlines name fixed times and do not go with users who react: job %d has one", job.Number)}
		}
	}
	if never > 0 {
		job := &w.Jobs[first]
		return experiment.Error{Path: "platform.limits", Message: fmt.Sprintf(
			"%d of %d jobs ask for more than they allow a single job and could never start, first job %d of user %d: %d processors for %d s, at most %d are allowed; raise the limits, or leave such jobs out with workload.filter",
			never, len(w.Jobs), job.Number, job.User, job.Procs, job.Limit, most)}
	}
	return p.suits(site)
}

// suits refuses schedulers for which a platform is too large.
func (p *Prepared) suits(site *resource.Site) error {
	var errs experiment.Errors
	for i := range p.doc.Schedulers {
		built, err := buildSite(&p.doc.Schedulers[i])
		if err != nil {
			continue // it runs on counts, or checkSchedulers has said so
		}
		message := ""
		switch built.(type) {
		case *plan.Hill:
			if n := site.Platform.Procs(); n > hillProcs {
				message = fmt.Sprintf("hill-climbing keeps every processor by itself: at most %d, not %d", hillProcs, n)
			}
		}
		if message != "" {
			errs = append(errs, experiment.Error{Path: fmt.Sprintf("schedulers[%d]", i), Message: message})
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return errs
}

// fitting answers once for all jobs that ask for the same.
type fitting struct {
	site  *resource.Site
	empty *resource.Pool
	known map[wish]fit
}

// wish is what jobs without licences ask of a site.
type wish struct {
	procs, nodes, perNode, gpus int32
	mem, disk                   int64
	on                          *int32 // of the list of machines, which jobs of one rule share
	machines                    int
	fewer                       bool
}

// fit says why a job could never start, "" if it could, and on which clusters.
type fit struct {
	why      string
	clusters []int32
}

func (f *fitting) of(job *model.Job, d *model.Demand) fit {
	key, keep := wish{procs: job.Procs}, true
	if d != nil {
		key.nodes, key.perNode, key.gpus, key.mem, key.disk = d.Nodes, d.PerNode, d.GPUsPerNode, d.MemPerNode, d.DiskPerNode
		if key.machines = len(d.On); len(d.On) > 0 {
			key.on = &d.On[0]
		}
		key.fewer = d.Reservation != nil && d.Reservation.Effort == model.EffortProcs
		keep = len(d.Licences) == 0 && (d.On != nil || len(d.Eligible) == 0)
	}
	if known, ok := f.known[key]; ok && keep {
		return known
	}
	need := f.site.Need(job, d)
	one := fit{why: f.site.Never(&need, f.empty)}
	for c := range f.site.Platform.Clusters {
		if one.why == "" && f.site.Serves(&need, int32(c)) {
			one.clusters = append(one.clusters, int32(c))
		}
	}
	if keep {
		f.known[key] = one
	}
	return one
}

// allowed returns the most processors that the limits let a single job hold on
// a cluster that could serve it.
func (f *fitting) allowed(one fit, request model.Time) int32 {
	p, best := f.site.Platform, int32(0)
	for _, c := range one.clusters {
		best = max(best, p.Limits.Most(p.Clusters[c].Procs(), request))
	}
	return best
}
