//go:build !small

package workload

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/model"
)

// The attributes of jobs beside the due date in J. Skrinarova et al. (2013): the
// weight w, the set-up time s and the machine eligibility M.

// WeightRule draws every job's weight uniformly from Min to Max, in steps of a
// 65,536th of the range. 1 and 1, or the zero value, say nothing.
type WeightRule struct{ Min, Max float64 }

func (r *WeightRule) none() bool { return *r == WeightRule{} || *r == WeightRule{1, 1} }

// SetupRule draws every job's set-up time uniformly from Min to Max seconds. It
// is added to the job's run and requested time: its processors are held, and the
// request must cover it.
type SetupRule struct{ Min, Max int64 }

// EligibleRule lets a share of the jobs run only on machines that have at least
// one of the names On: of a cluster (zewura), a machine (zewura12: the cluster's
// twelfth) or a property. Of several rules that hit a job each narrows what
// those before it left. A job that these machines could never hold is left as it was.
type EligibleRule struct {
	On    []string
	Share float64
	Where string // for errors: "workload.annotate.eligible[0]"
}

// NeedRule lets a share of the jobs ask for so much of each machine that they
// run on; 0 asks for nothing. Of several rules that hit a job each says what it
// names. A job that no machine could hold any more is left as it was.
type NeedRule struct {
	Share           float64
	GPUs, Mem, Disk int64  // memory and disk in bytes
	Where           string // for errors: "workload.annotate.needs[0]"
}

// ask gives a job what the rule says.
func (r *NeedRule) ask(d *model.Demand) {
	if r.GPUs > 0 {
		d.GPUsPerNode = int32(r.GPUs)
	}
	if r.Mem > 0 {
		d.MemPerNode = r.Mem
	}
	if r.Disk > 0 {
		d.DiskPerNode = r.Disk
	}
}

// check refuses what no machine has, or nobody states.
func (r *NeedRule) check(nodes []model.Node) error {
	for _, part := range []struct {
		key, one string
		asks     int64
		has      func(*model.Node) int64
	}{
		{"gpus", "GPUs", r.GPUs, func(n *model.Node) int64 { return int64(n.GPUs) }},
		{"memory", "bytes of memory", r.Mem, func(n *model.Node) int64 { return n.Mem }},
		{"disk", "bytes of disk", r.Disk, func(n *model.Node) int64 { return n.Disk }},
	} {
		if part.asks == 0 {
			continue
		}
		most, unlimited := int64(0), false
		for i := range nodes {
			most, unlimited = max(most, part.has(&nodes[i])), unlimited || part.has(&nodes[i]) == 0 && part.key != "gpus"
		}
		switch {
		case most == 0 && part.key == "gpus":
			return fmt.Errorf("%s.gpus: no machine of the platform has GPUs", r.Where)
		case most == 0:
			return fmt.Errorf("%s.%s: no machine of the platform states its %s, so that it could not run short", r.Where, part.key, part.key)
		case part.asks > most && !unlimited:
			return fmt.Errorf("%s.%s: no machine has %d %s; the most is %d", r.Where, part.key, part.asks, part.one, most)
		}
	}
	return nil
}

// attribute draws what rules give every job. Each rule takes one number a job
// from its own stream, whatever it hits, so that a rule disturbs no other.
func attribute(w *model.Workload, p *model.Platform, a *Annotations, rng func(stream string) *rand.Rand) error {
	if !a.Weights.none() {
		draws := rng("annotate/weights")
		for j := range w.Demands {
			w.Demands[j].Weight = a.Weights.Min + float64((a.Weights.Max-a.Weights.Min)*float64(draws.Int64N(1<<16+1)))/(1<<16)
		}
	}
	if a.Setup.Max > 0 {
		draws := rng("annotate/setup")
		for j := range w.Jobs {
			setUp(w, model.JobID(j), model.Time(a.Setup.Min+draws.Int64N(a.Setup.Max-a.Setup.Min+1)))
		}
	}
	names, nodes := nodeNames(p), p.Nodes()
	for i := range a.Eligible {
		r := &a.Eligible[i]
		on, err := machinesOf(names, r.On)
		if err != nil {
			return fmt.Errorf("%s.on: %w", r.Where, err)
		}
		draws := rng(fmt.Sprint("annotate/eligible/", i))
		for j := range w.Jobs {
			if draws.Float64() >= r.Share {
				continue
			}
			d := w.Demands[j]
			if d.On = on; w.Demands[j].On != nil {
				d.On = both(w.Demands[j].On, on)
			}
			if holds(p, nodes, &w.Jobs[j], &d, nil) {
				bindTo(&w.Demands[j], d.On, nodes)
			}
		}
	}
	for i := range a.Needs {
		r := &a.Needs[i]
		if err := r.check(nodes); err != nil {
			return err
		}
		draws := rng(fmt.Sprint("annotate/needs/", i))
		for j := range w.Jobs {
			if draws.Float64() >= r.Share {
				continue
			}
			d := w.Demands[j]
			if r.ask(&d); holds(p, nodes, &w.Jobs[j], &d, nil) {
				w.Demands[j] = d
			}
		}
	}
	return nil
}

// setUp gives a job a set-up time, in the place of the one that it has.
func setUp(w *model.Workload, j model.JobID, setup model.Time) {
	d := &w.Demands[j]
	w.Jobs[j].Limit += setup - d.Setup
	w.Truth[j].Run += setup - d.Setup
	d.Setup = setup
}

// attributeJob gives a job what is said of it alone.
func attributeJob(w *model.Workload, j model.JobID, p *model.Platform, a *Annotation, names [][]string, nodes []model.Node) error {
	d := &w.Demands[j]
	if a.Weight != nil {
		d.Weight = *a.Weight
	}
	if a.Setup != nil {
		if *a.Setup < 0 || *a.Setup > mostSetup {
			return fmt.Errorf("%s: setup: between 0 and %d seconds, not %d", a.Where, mostSetup, *a.Setup)
		}
		setUp(w, j, model.Time(*a.Setup))
	}
	if a.GPUs != nil {
		d.GPUsPerNode = int32(*a.GPUs)
	}
	if a.Memory != nil {
		d.MemPerNode = *a.Memory
	}
	if a.Disk != nil {
		d.DiskPerNode = *a.Disk
	}
	if a.On != nil {
		bindTo(d, nil, nil)
		if len(*a.On) > 0 {
			on, err := machinesOf(names, *a.On)
			if err != nil {
				return fmt.Errorf("%s: job %d: %w", a.Where, a.Job, err)
			}
			bindTo(d, on, nodes)
		}
	}
	if (a.On != nil && len(*a.On) > 0 || a.GPUs != nil || a.Memory != nil || a.Disk != nil) && !holds(p, nodes, &w.Jobs[j], d, nil) {
		return fmt.Errorf("%s: job %d could never start: it asks for more than the machines hold that it is eligible for", a.Where, a.Job)
	}
	return nil
}

// bindTo lets a job run on some machines only, and on their clusters; nil: on all.
func bindTo(d *model.Demand, on []int32, nodes []model.Node) {
	d.On, d.Eligible = on, nil
	for _, i := range on {
		if c := nodes[i].Cluster; !slices.Contains(d.Eligible, c) {
			d.Eligible = append(d.Eligible, c)
		}
	}
}

// mostSetup bounds a set-up time, in seconds.
const mostSetup = 31 * 86400

// machinesOf returns the machines that have at least one of some names, nil for
// all of them.
func machinesOf(names [][]string, want []string) ([]int32, error) {
	on := []int32{}
	for i, has := range names {
		if slices.ContainsFunc(want, func(name string) bool { return slices.Contains(has, name) }) {
			on = append(on, int32(i))
		}
	}
	for _, name := range want {
		if !slices.ContainsFunc(names, func(has []string) bool { return slices.Contains(has, name) }) {
			var all []string
			for _, has := range names {
				for _, n := range has {
					if !slices.Contains(all, n) && len(all) < 1000 {
						all = append(all, n)
					}
				}
			}
			return nil, fmt.Errorf("no cluster, machine or property is called %q%s", name, cmp.Or(catalog.DidYouMean(name, all), "; there are "+strings.Join(all[:min(len(all), 12)], ", ")))
		}
	}
	if len(on) == len(names) {
		return nil, nil
	}
	return on, nil
}

// both returns what stands in two ascending lists.
func both(a, b []int32) []int32 {
	out := []int32{}
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); ok {
			out = append(out, x)
		}
	}
	return out
}
