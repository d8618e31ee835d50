package workload

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"batchlab/core/swf"
)

// The generator node-jobs makes the test suites of J. Skrinarova et al. (2013):
// jobs of different lengths and node requirements, all present at the start
// (suite 1) or submitted at random intervals (suite 2). What they ask of nodes
// stands in the log as in the extended format of Alea.
var suiteParams = []param{
	{key: "jobs", whole: true, min: 1, max: 100_000, def: 60},
	{key: "interarrival", min: 0, max: 100_000, def: 0},
	{key: "run-min", whole: true, min: 1, max: 604_800, def: 60},
	{key: "run-max", whole: true, min: 1, max: 604_800, def: 1200},
	{key: "nodes-max", whole: true, min: 1, max: 1000, def: 4},
	{key: "ppn-max", whole: true, min: 1, max: 1000, def: 1},
	{key: "overestimate", min: 1, max: 20, def: 1},
	{key: "setup", whole: true, min: 0, max: 86400, def: 0},
}

func suite(v *values, rng func(stream string) *rand.Rand) (*swf.Log, error) {
	arrivals, shapes := rng("workload/node-jobs/arrivals"), rng("workload/node-jobs/shapes")
	n := int(v.get("jobs"))
	l := &swf.Log{Records: make([]swf.Record, n), Alea: make([]swf.Alea, n)}
	at, most := 0.0, int64(1)
	for i := range l.Records {
		run, err := v.uniform(shapes, "run-min", "run-max")
		if err != nil {
			return nil, err
		}
		nodes, each := 1+shapes.Int64N(int64(v.get("nodes-max"))), 1+shapes.Int64N(int64(v.get("ppn-max")))
		limit := int64(float64(v.get("overestimate") * float64(run)))
		setup := int64(v.get("setup"))
		if procs := nodes * each; procs > 1<<30 {
			return nil, errors.New("workload: node-jobs: too many processors")
		}
		most = max(most, nodes*each)
		l.Records[i] = generated(i, at, int32(run+setup), int32(nodes*each), int32(limit+setup))
		l.Alea[i] = swf.Alea{Queue: "batch", Spec: fmt.Sprintf("%d:ppn=%d", nodes, each)}
		if mean := v.get("interarrival"); mean > 0 {
			at -= float64(mean * ln(1-arrivals.Float64()))
		}
	}
	headed(l, "", [2]string{"MaxProcs", fmt.Sprint(most)})
	noted(l, v, "node-jobs", "")
	return l, nil
}
