//go:build !small

package lab

import (
	"fmt"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/resource"
)

// suits refuses, before anything runs, what no run could bear: jobs that could
// never start, on the empty platform or under its limits, and schedulers that do
// not know what platform and jobs turn out to ask for.
func (p *Prepared) suits(r *prepared) error {
	if r.suited {
		return nil
	}
	if err := p.fits(r); err != nil {
		return err
	}
	features := p.asks(r)
	var errs experiment.Errors
	for i := range p.doc.Schedulers {
		if fault := p.doc.Lacks(i, features); fault != nil && !p.trusting {
			errs = append(errs, *fault)
		}
	}
	if len(errs) > 0 {
		return errs
	}
	r.suited = true
	return nil
}

// asks returns the features that a repetition asks of schedulers: those of the
// document, and what is known only of its machines and jobs.
func (p *Prepared) asks(r *prepared) []string {
	list, platform := p.doc.Asks(), r.machines()
	there := map[string]bool{}
	for _, key := range list {
		there[key] = true
	}
	packed := func(packing model.Packing) bool {
		return slices.ContainsFunc(platform.Clusters, func(c model.Cluster) bool { return c.Packing == packing })
	}
	floats := func(l model.LicenceNeed) bool {
		return platform.Licences[l.Licence].Copies > 0 && !platform.Licences[l.Licence].Quotes()
	}
	for key, is := range map[string]bool{
		catalog.FeatureClusters:     len(platform.Clusters) > 1,
		catalog.FeatureNodes:        packed(model.PackNodes),
		catalog.FeatureMachines:     packed(model.PackMachine),
		catalog.FeatureReservations: slices.ContainsFunc(r.workload.Demands, func(d model.Demand) bool { return d.Reservation != nil }),
		catalog.FeatureLicences:     slices.ContainsFunc(r.workload.Demands, func(d model.Demand) bool { return slices.ContainsFunc(d.Licences, floats) }),
	} {
		there[key] = there[key] || is
	}
	list = list[:0]
	for _, f := range catalog.Features {
		if there[f.Key] {
			list = append(list, f.Key)
		}
	}
	return list
}

// fits refuses jobs that could never start. Nothing is asked of the log's own
// schedule, nor where processors are counted: larger jobs are left out there.
func (p *Prepared) fits(r *prepared) error {
	if r.countable() || len(p.doc.Schedulers) > 0 && !slices.ContainsFunc(p.doc.Schedulers, func(s experiment.Scheduler) bool { return !catalog.FindScheduler(s.Key).Logged }) {
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
			who := fmt.Sprintf("job %d", job.Number)
			if d != nil && d.Reservation != nil { // whose number no log has, and no reader knows
				who += fmt.Sprintf(", an advance reservation of %d processors,", job.Procs)
			}
			return experiment.Error{Path: "platform", Code: experiment.CodeNeverFits, Message: fmt.Sprintf("%s can never start: %s", who, one.why)}
		}
		if best := f.allowed(one, job.Limit); job.Procs > best && !(d != nil && d.Reservation != nil) {
			if never++; first < 0 {
				first, most = j, best
			}
		}
	}
	if never > 0 {
		return overLimits(never, len(w.Jobs), &w.Jobs[first], most)
	}
	return nil
}

// overLimits says that some of all jobs ask for more than limits let a single one hold,
// the first of them, and how much that is.
func overLimits(never, of int, job *model.Job, most int32) error {
	return experiment.Error{Path: "platform.limits", Code: experiment.CodeOverLimits, Message: fmt.Sprintf(
		"%d of %d jobs ask for more than they allow a single job and could never start, first job %d of user %d: %d processors for %d s, at most %d are allowed; raise the limits, or leave such jobs out with workload.filter",
		never, of, job.Number, job.User, job.Procs, job.Limit, most)}
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
		real := slices.ContainsFunc(d.Licences, func(l model.LicenceNeed) bool { return !f.site.Platform.Licences[l.Licence].Quotes() })
		keep = !real && (d.On != nil || len(d.Eligible) == 0)
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
