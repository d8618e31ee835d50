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

// newBroker makes a grid with the schedulers of its providers, and the desk that
// accepts its reservations.
func newBroker(line *experiment.Scheduler, clusters []model.Cluster) (*grid.Broker, *reserve.Desk, error) {
	s, err := newGrid(line.Params)
	if err != nil {
		return nil, nil, err
	}
	b := s.(*grid.Broker)
	for i := range line.Providers {
		name := line.Providers[i].Cluster
		if name != "" && !slices.ContainsFunc(clusters, func(c model.Cluster) bool { return c.Name == name }) {
			return nil, nil, fmt.Errorf("providers[%d]: there is no cluster %q", i, name)
		}
	}
	for c := range clusters {
		one := localOf(line, clusters[c].Name)
		if own := catalog.FindParam(catalog.FindScheduler("grid").Params, "local").Options[:gridLocals]; b.NoLimit &&
			!slices.ContainsFunc(own, func(o catalog.Option) bool { return o.Key == one.Key }) {
			return nil, nil, fmt.Errorf("%s uses what replaces a limit that jobs do not state (no-limit)", one.Key)
		}
		local, err := build(&one)
		if err != nil {
			return nil, nil, err
		}
		b.Locals = append(b.Locals, local)
	}
	return b, &reserve.Desk{Chooser: b, Options: bookingRules(line.Params)}, nil
}

// gridLocals is how many values of the parameter local, from the first, know jobs
// without a limit: the study's policies.
const gridLocals = 9

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

// decider makes what decides in one run: the scheduler of a line and, where jobs are
// reserved, the desk that accepts them.
func (p *Prepared) decider(r *prepared, id RunID) (sim.Scheduler, *reserve.Desk, error) {
	line := &p.doc.Schedulers[id.Scheduler]
	if line.Key == "grid" {
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
	return s, p.newDesk(r.workload), nil
}
