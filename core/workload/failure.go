package workload

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
)

// maxFailures bounds what a generator of failures makes.
const maxFailures = 200_000

// failureParams are those of the only generator of failures.
var failureParams = []param{
	{key: "mtbf", whole: true, min: 60, max: 100 * 366 * 86400, def: 30 * 86400},
	{key: "repair", whole: true, min: 1, max: 366 * 86400, def: 4 * 3600},
	{key: "processors", whole: true, min: 1, max: 1_000_000, def: 1},
}

// failing makes the failures of a platform that begin in [from, to).
type failing func(p *model.Platform, from, to model.Time) ([]model.CalendarEntry, error)

var failureGenerators = []generator[failing]{{"exponential", failureParams, func(v *values, rng func(stream string) *rand.Rand) (failing, error) {
	return func(p *model.Platform, from, to model.Time) ([]model.CalendarEntry, error) {
		return exponentialFailures(v, p, from, to, rng)
	}, nil
}}}

// Failures makes the failures of a platform that begin in [from, to), in order
// of their beginning, with the generator of failures of the catalog's row key;
// parameters and streams ("failures/KEY/…") as for Generate.
func Failures(key string, params map[string]any, p *model.Platform, from, to model.Time, rng func(stream string) *rand.Rand) ([]model.CalendarEntry, error) {
	fails, err := generate(failureGenerators, "generator of failures", key, params, rng)
	if err != nil {
		return nil, err
	}
	list, err := fails(p, from, to)
	slices.SortStableFunc(list, func(a, b model.CalendarEntry) int { return cmp.Compare(a.From, b.From) })
	return list, err
}

// exponentialFailures lets each machine fail by itself: it works for an
// exponential time, then is away for another. Each has a stream of its own.
func exponentialFailures(v *values, p *model.Platform, from, to model.Time, rng func(stream string) *rand.Rand) ([]model.CalendarEntry, error) {
	var list []model.CalendarEntry
	machine := 0
	fails := func(entry model.CalendarEntry) error {
		r := rng(fmt.Sprintf("failures/exponential/%d", machine))
		machine++
		for at := from; ; {
			at += lasting(v.get("mtbf"), r)
			if at >= to {
				return nil
			}
			entry.Kind, entry.From = model.KindFailure, at
			at += lasting(v.get("repair"), r)
			entry.To = at
			if list = append(list, entry); len(list) > maxFailures {
				return fmt.Errorf("workload: machines that fail every %v s make more than %d failures: give a longer time between failures", v.get("mtbf"), maxFailures)
			}
		}
	}
	for i, n := range p.Nodes() {
		cluster := &p.Clusters[n.Cluster]
		if cluster.Packing != model.PackProcessors {
			if err := fails(model.CalendarEntry{Name: fmt.Sprintf("failure of machine %d", i), Cluster: n.Cluster, Nodes: []int32{int32(i)}}); err != nil {
				return nil, err
			}
			continue
		}
		size := int32(v.get("processors"))
		for left := n.Procs; left > 0; left -= size {
			if err := fails(model.CalendarEntry{Name: "failure", Cluster: n.Cluster, Procs: min(size, left)}); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// lasting draws an exponential time of whole seconds, at least 1.
func lasting(mean float64, r *rand.Rand) model.Time {
	return max(1, model.Time(-float64(mean*ln(1-r.Float64()))))
}
