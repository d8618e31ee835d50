package workload

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
	"batchlab/core/swf"
)

// The generator farm makes the job streams of Techiouba et al. (2008, section
// 7): exponential times between arrivals, uniform run times and processors, the
// request equal to the run time. Deadlines and licences are not part of a log:
// annotations give them.
var farmParams = []param{
	{key: "jobs", whole: true, min: 1, max: 1_000_000, def: 1000},
	{key: "interarrival", min: 0.01, max: 100_000, def: 12},
	{key: "run-min", whole: true, min: 1, max: 604_800, def: 500},
	{key: "run-max", whole: true, min: 1, max: 604_800, def: 3000},
	{key: "procs-min", whole: true, min: 1, max: 1024, def: 1},
	{key: "procs-max", whole: true, min: 1, max: 1024, def: 8},
}

// span are two parameters of which the second may not be less than the first.
func (v *values) span(least, most string) (a, b float64, err error) {
	if a, b = v.get(least), v.get(most); b < a {
		err = fmt.Errorf("workload: %s is %v, less than %s, which is %v", most, b, least, a)
	}
	return a, b, err
}

// uniform draws a whole number between two parameters, both included.
func (v *values) uniform(rng *rand.Rand, least, most string) (int64, error) {
	a, b, err := v.span(least, most)
	if err != nil {
		return 0, err
	}
	return int64(a) + rng.Int64N(int64(b)-int64(a)+1), nil
}

func farm(v *values, rng func(stream string) *rand.Rand) (*swf.Log, error) {
	arrivals, sizes := rng("workload/farm/arrivals"), rng("workload/farm/sizes")
	n := int(v.get("jobs"))
	l := &swf.Log{Records: make([]swf.Record, n)}
	at := 0.0
	for i := range l.Records {
		run, err := v.uniform(sizes, "run-min", "run-max")
		procs, err2 := v.uniform(sizes, "procs-min", "procs-max")
		if err := errors.Join(err, err2); err != nil {
			return nil, err
		}
		l.Records[i] = generated(i, at, int32(run), int32(procs), int32(run))
		at -= float64(v.get("interarrival") * ln(1-arrivals.Float64()))
	}
	headed(l, "", [2]string{"MaxProcs", fmt.Sprint(max(450, int(v.get("procs-max"))))}) // the mean of the study's farm
	noted(l, v, "farm", "")
	return l, nil
}

// ln returns the natural logarithm of 0 < x ≤ 1, within 1e-14 of it and with
// the same bits on every machine.
func ln(x float64) float64 {
	m, e := math.Frexp(x) // x = m · 2^e, ½ ≤ m < 1
	s := (m - 1) / (m + 1)
	square, sum := float64(s*s), 0.0
	for k := 31; k > 0; k -= 2 { // the series of the inverse hyperbolic tangent, from its end
		sum = 1/float64(k) + float64(square*sum)
	}
	return float64(float64(2*s)*sum) + float64(float64(e)*math.Ln2)
}

// farmMachineParams are those of the machines of the same study.
var farmMachineParams = []param{
	{key: "machines", whole: true, min: 1, max: 10_000, def: 100},
	{key: "procs-min", whole: true, min: 1, max: 1024, def: 1},
	{key: "procs-max", whole: true, min: 1, max: 1024, def: 8},
	{key: "power-min", min: 0.01, max: 100, def: 1},
	{key: "power-max", min: 0.01, max: 100, def: 4},
	{key: "licences", whole: true, min: 0, max: 200, def: 20},
	{key: "suitability", min: 0, max: 1, def: 0.9},
	{key: "copies-min", min: 0, max: 10, def: 0.5},
	{key: "copies-max", min: 0, max: 10, def: 0.7},
}

var machineGenerators = []generator[*model.Platform]{
	{"farm-machines", farmMachineParams, farmMachines},
	{"cerit-sc", ceritParams, cerit},
}

// Machines makes a platform with the generator of machines of the catalog's
// row key; parameters and streams ("machines/KEY/…") as for Generate.
func Machines(key string, params map[string]any, rng func(stream string) *rand.Rand) (*model.Platform, error) {
	return generate(machineGenerators, "generator of machines", key, params, rng)
}

// MachinesSeeded is Machines with the streams of an experiment's seed and a
// repetition (from 0).
func MachinesSeeded(key string, params map[string]any, seed uint64, repetition int) (*model.Platform, error) {
	return Machines(key, params, Streams(seed, repetition))
}

// farmMachines makes machines with uniform processors and power, and licences
// of which each may be activated on a machine with some probability and has
// copies for a uniform share of those machines, rounded to the nearest whole
// number and at least one. A licence that no machine drew may be activated on
// the first.
func farmMachines(v *values, rng func(stream string) *rand.Rand) (*model.Platform, error) {
	sizes, licences := rng("machines/farm-machines/sizes"), rng("machines/farm-machines/licences")
	p := &model.Platform{Clusters: []model.Cluster{{Name: "farm", Packing: model.PackMachine}}}
	groups := make([]model.NodeGroup, int(v.get("machines")))
	for i := range groups {
		procs, err := v.uniform(sizes, "procs-min", "procs-max")
		if err != nil {
			return nil, err
		}
		least, most, err := v.span("power-min", "power-max")
		if err != nil {
			return nil, err
		}
		// Powers have two decimals, so that they read well.
		power := math.Round(100*(least+float64((most-least)*sizes.Float64()))) / 100
		groups[i] = model.NodeGroup{Count: 1, Procs: int32(procs), Speed: max(power, 0.01)}
	}
	for l := range int(v.get("licences")) {
		name := fmt.Sprintf("L%d", l+1)
		suitable := 0
		for i := range groups {
			if licences.Float64() < v.get("suitability") {
				groups[i].Licences = append(groups[i].Licences, name)
				suitable++
			}
		}
		if suitable == 0 {
			groups[0].Licences = append(groups[0].Licences, name)
			suitable = 1
		}
		least, most, err := v.span("copies-min", "copies-max")
		if err != nil {
			return nil, err
		}
		share := least + float64((most-least)*licences.Float64())
		copies := max(1, int32(math.Round(float64(share*float64(suitable)))))
		p.Licences = append(p.Licences, model.Licence{Name: name, Copies: copies})
	}
	p.Clusters[0].Groups = groups
	return p, nil
}

// Widest returns the processors of the largest job that a platform can hold.
func Widest(p *model.Platform) int {
	widest := 0
	for i := range p.Clusters {
		c := &p.Clusters[i]
		if c.Packing != model.PackMachine {
			widest = max(widest, c.Procs())
			continue
		}
		for _, g := range c.Groups {
			widest = max(widest, int(g.Procs))
		}
	}
	return widest
}

// licence returns the index of a licence, −1 when the platform has none of
// that name.
func licence(p *model.Platform, name string) int {
	return slices.IndexFunc(p.Licences, func(l model.Licence) bool { return l.Name == name })
}
