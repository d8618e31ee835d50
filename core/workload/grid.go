package workload

import (
	"fmt"
	"math"
	"math/rand/v2"

	"batchlab/core/swf"
)

// The generator two-level makes jobs with the means of table 4 of Kurowski et
// al. (2011), for those who do not have the log of that study: exponential times
// between arrivals and run times, sizes that are powers of two, of which each is
// by the same factor likelier than the one before, requests that are the run time
// times 1 + an exponential factor. A share of the jobs wants the whole provider.
var twoLevelParams = []param{
	{key: "jobs", whole: true, min: 1, max: 1_000_000, def: 900},
	{key: "interarrival", min: 0.01, max: 100_000, def: 2507},
	{key: "run", min: 1, max: 604_800, def: 8135},
	{key: "requested", min: 1, max: 604_800, def: 18995},
	{key: "procs-mean", min: 1, max: 1024, def: 20},
	{key: "procs-max", whole: true, min: 1, max: 1024, def: 64},
	{key: "wide", min: 0, max: 1, def: 0.15},
}

// sizesOf returns the powers of two up to a bound with probabilities p·r^k that
// sum to 1 and have a mean as near to the given one as they can.
func sizesOf(most int, mean float64) (sizes []int32, share []float64) {
	for n := 1; n <= most; n *= 2 {
		sizes = append(sizes, int32(n))
	}
	share = make([]float64, len(sizes))
	lo, hi := 1e-6, 1e6
	for range 60 {
		ratio := math.Sqrt(float64(lo * hi))
		weight, sum, got := 1.0, 0.0, 0.0
		for k, n := range sizes {
			share[k] = weight
			sum += weight
			got += float64(weight * float64(n))
			weight *= ratio
		}
		for k := range share {
			share[k] /= sum
		}
		if got/sum < mean {
			lo = ratio
		} else {
			hi = ratio
		}
	}
	return sizes, share
}

func twoLevel(v *values, rng func(stream string) *rand.Rand) (*swf.Log, error) {
	arrivals, jobs := rng("workload/two-level/arrivals"), rng("workload/two-level/jobs")
	most, wide, mean := int32(v.get("procs-max")), v.get("wide"), v.get("procs-mean")
	if _, _, err := v.span("run", "requested"); err != nil {
		return nil, err
	}
	if mean > float64(most) {
		return nil, fmt.Errorf("workload: procs-mean is %v, more than procs-max, which is %d", mean, most)
	}
	rest := 1.0 // mean of the jobs that do not want all
	if wide < 1 {
		rest = max(1, (mean-float64(wide*float64(most)))/(1-wide))
	}
	sizes, share := sizesOf(int(most), rest)
	factor := v.get("requested")/v.get("run") - 1
	l := &swf.Log{Records: make([]swf.Record, int(v.get("jobs")))}
	at := 0.0
	for i := range l.Records {
		procs := most
		if draw := jobs.Float64(); draw >= wide {
			u := jobs.Float64()
			for k, n := range sizes {
				procs = n
				if u -= share[k]; u < 0 {
					break
				}
			}
		}
		run := max(1, int64(math.Ceil(float64(-v.get("run")*ln(1-jobs.Float64())))))
		over := 1 - float64(factor*ln(1-jobs.Float64()))
		l.Records[i] = generated(i, at, int32(min(1<<30, run)), procs, int32(min(1<<30, math.Ceil(float64(over*float64(run))))))
		at -= float64(v.get("interarrival") * ln(1-arrivals.Float64()))
	}
	headed(l, "", [2]string{"MaxProcs", fmt.Sprint(2 * most)})
	noted(l, v, "two-level", "")
	return l, nil
}
