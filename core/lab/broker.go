//go:build !small

package lab

import (
	"fmt"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/grid"
	"batchlab/core/model"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// brokered says whether a grid needs providers that do more than count
// processors by one of its own local policies, which are its fast form.
func (r *prepared) brokered(line *experiment.Scheduler) bool {
	own := catalog.FindParam(catalog.FindScheduler("grid").Params, "local").Options
	if len(line.Providers) > 0 || !slices.ContainsFunc(own[:gridLocals], func(o catalog.Option) bool { return o.Key == line.Params.Text("local") }) {
		return true
	}
	platform := r.machines()
	return !platform.Limits.None() ||
		slices.ContainsFunc(platform.Clusters, func(c model.Cluster) bool { return c.Packing != model.PackProcessors }) ||
		slices.ContainsFunc(r.workload.Demands, func(d model.Demand) bool { return len(d.Licences) > 0 || d.OnDue == model.DueKill })
}

// gridLocals is how many values of the parameter local, from the first, the grid's
// fast form knows.
const gridLocals = 9

// newBroker makes a grid whose providers have schedulers of the catalog, and the
// desk that accepts its reservations.
func newBroker(line *experiment.Scheduler, clusters []model.Cluster) (*grid.Broker, *reserve.Desk, error) {
	s, err := newGrid(line.Params)
	if err != nil {
		return nil, nil, err
	}
	o := s.(*grid.Scheduler).Options
	if o.NoLimit {
		return nil, nil, fmt.Errorf("jobs without a limit are taken as cleaned where providers do more than count processors (no-limit)")
	}
	b := &grid.Broker{Options: o}
	for i := range line.Providers {
		name := line.Providers[i].Cluster
		if name != "" && !slices.ContainsFunc(clusters, func(c model.Cluster) bool { return c.Name == name }) {
			return nil, nil, fmt.Errorf("providers[%d]: there is no cluster %q", i, name)
		}
	}
	for c := range clusters {
		one := localOf(line, clusters[c].Name)
		local, err := build(&one)
		if err != nil {
			return nil, nil, err
		}
		if o.Static {
			if err := bindsStatically(one.Key); err != nil {
				return nil, nil, err
			}
		}
		b.Locals = append(b.Locals, local)
	}
	return b, &reserve.Desk{Chooser: b, Options: reserve.Options{
		Delta: o.Delta, Slot: o.Slot, Reject: o.Reject, Static: o.Static, AtEnd: reserve.AtEnd(o.AtEnd), Suspend: o.Suspend, Hold: o.Hold,
	}}, nil
}

// localOf returns the scheduler of a provider: its own, that of all others, or what
// the grid's parameters say.
func localOf(line *experiment.Scheduler, cluster string) experiment.Scheduler {
	for _, name := range [...]string{cluster, ""} {
		for i := range line.Providers {
			if p := &line.Providers[i]; p.Cluster == name {
				return experiment.Scheduler{Key: p.Key, Params: p.Params}
			}
		}
	}
	key := line.Params.Text("local")
	one := experiment.Scheduler{Key: key, Params: experiment.Defaults(catalog.FindScheduler(key).Params)}
	for i := range one.Params { // a grid's parameters of the same names are its providers'
		if row := catalog.FindParam(catalog.FindScheduler("grid").Params, one.Params[i].Key); row != nil {
			if v, ok := line.Params.Get(row.Key); ok {
				one.Params[i].Value = v
			}
		}
	}
	return one
}

// countsOnly are schedulers that plan with counts of processors.
var countsOnly = []string{"conservative", "plan-rs", "orig-bf", "hill-climbing", "pppd"}

// bindsStatically refuses static binding for schedulers that count processors.
func bindsStatically(key string) error {
	if slices.Contains(countsOnly, key) {
		return fmt.Errorf("static binding is not defined for %s, which counts processors when it looks ahead", key)
	}
	return nil
}

// decider makes what decides in one run: the scheduler of a line and, where jobs are
// reserved, the desk that accepts them.
func (p *Prepared) decider(r *prepared, id RunID) (sim.Scheduler, *reserve.Desk, error) {
	line := &p.doc.Schedulers[id.Scheduler]
	if line.Key == "grid" && r.brokered(line) {
		b, desk, err := newBroker(line, r.machines().Clusters)
		if err != nil {
			return nil, nil, experiment.Error{Path: fmt.Sprintf("schedulers[%d]", id.Scheduler), Message: err.Error()}
		}
		b.Seed(p.doc.Seed, id.Repetition)
		return b, desk, nil
	}
	s, err := p.scheduler(id.Scheduler, id.Repetition)
	if err != nil {
		return nil, nil, err
	}
	if random, ok := s.(seeded); ok {
		random.Seed(p.doc.Seed, id.Repetition)
	}
	if line.Key == "grid" {
		return s, nil, nil
	}
	desk := p.newDesk(r.workload)
	if desk != nil && desk.Options.Static {
		if err := bindsStatically(line.Key); err != nil {
			return nil, nil, experiment.Error{Path: "platform.booking.binding", Message: err.Error()}
		}
	}
	return s, desk, nil
}
