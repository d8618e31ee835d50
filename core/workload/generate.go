package workload

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/swf"
)

// generator makes a log from parameters that have been read and checked.
type generator struct {
	key      string
	params   []param
	generate func(p *values, rng func(stream string) *rand.Rand) (*swf.Log, error)
}

// plainGenerators are those that no study needs.
var plainGenerators = []generator{
	{"daily", dailyParams, daily},
	{"lublin", lublinParams, lublin},
	{"node-jobs", suiteParams, suite},
}

// generators are bound to the rows of the catalog; a test proves that keys,
// parameters, ranges and defaults agree.
var generators = append(plainGenerators, studyGenerators...)

// param is a parameter of a generator: a number within [min, max], or one of
// options, the first of which is the default.
type param struct {
	key           string
	whole         bool // no fraction
	min, max, def float64
	options       []string
}

// values are the parameters of one call; of a choice, the index of its option.
type values struct {
	params []param
	is     []float64
}

func (v *values) get(key string) float64 {
	i := slices.IndexFunc(v.params, func(p param) bool { return p.key == key })
	return v.is[i]
}

// choice returns the option that was chosen.
func (v *values) choice(key string) string {
	i := slices.IndexFunc(v.params, func(p param) bool { return p.key == key })
	return v.params[i].options[int(v.is[i])]
}

// String lists all values, defaults written out, in the order of the catalog.
func (v *values) String() string {
	var b strings.Builder
	for i, p := range v.params {
		if i > 0 {
			b.WriteByte(' ')
		}
		if p.options != nil {
			b.WriteString(p.key + "=" + p.options[int(v.is[i])])
			continue
		}
		b.WriteString(p.key + "=" + strconv.FormatFloat(v.is[i], 'f', -1, 64))
	}
	return b.String()
}

// Generate makes a log with the generator of the catalog's row key. params are
// its parameters as int64, int or float64, or a string for a choice; a missing one has its default. All
// randomness comes from the streams that rng returns by name ("workload/KEY/…").
// The same parameters and streams give the same log on every machine.
func Generate(key string, params map[string]any, rng func(stream string) *rand.Rand) (*swf.Log, error) {
	i := slices.IndexFunc(generators, func(g generator) bool { return g.key == key })
	if i < 0 {
		return nil, fmt.Errorf("workload: there is no generator %q", key)
	}
	g := &generators[i]
	v, err := readParams(g, params)
	if err != nil {
		return nil, err
	}
	return g.generate(v, rng)
}

// GenerateSeeded is Generate with the streams of an experiment's seed and a
// repetition (from 0), which the header of the log then states.
func GenerateSeeded(key string, params map[string]any, seed uint64, repetition int) (*swf.Log, error) {
	l, err := Generate(key, params, func(stream string) *rand.Rand { return model.Stream(seed, stream, repetition) })
	if err != nil {
		return nil, err
	}
	l.Header.Add("Note", fmt.Sprintf("Seed %d, repetition %d", seed, repetition))
	return l, nil
}

// Streams returns the streams of an experiment's seed and a repetition.
func Streams(seed uint64, repetition int) func(stream string) *rand.Rand {
	return func(stream string) *rand.Rand { return model.Stream(seed, stream, repetition) }
}

func readParams(g *generator, params map[string]any) (*values, error) {
	v := &values{params: g.params, is: make([]float64, len(g.params))}
	known := 0
	for i, p := range g.params {
		value, given := params[p.key]
		if !given {
			v.is[i] = p.def
			continue
		}
		known++
		if p.options != nil {
			text, _ := value.(string)
			at := slices.Index(p.options, text)
			if at < 0 {
				return nil, fmt.Errorf("workload: %s: %s is %v: one of %s is expected", g.key, p.key, value, strings.Join(p.options, ", "))
			}
			v.is[i] = float64(at)
			continue
		}
		switch x := value.(type) {
		case int64:
			v.is[i] = float64(x)
		case int:
			v.is[i] = float64(x)
		case float64:
			v.is[i] = x
		default:
			return nil, fmt.Errorf("workload: %s: %s: a number is expected", g.key, p.key)
		}
		if x := v.is[i]; !(x >= p.min && x <= p.max) {
			return nil, fmt.Errorf("workload: %s: %s is %v: %v … %v is expected", g.key, p.key, value, p.min, p.max)
		}
		if p.whole && v.is[i] != float64(int64(v.is[i])) {
			return nil, fmt.Errorf("workload: %s: %s is %v: a whole number is expected", g.key, p.key, value)
		}
	}
	if known < len(params) {
		keys := make([]string, 0, len(params))
		for key := range params {
			if !slices.ContainsFunc(g.params, func(p param) bool { return p.key == key }) {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		return nil, fmt.Errorf("workload: %s has no parameter %q", g.key, keys[0])
	}
	return v, nil
}
