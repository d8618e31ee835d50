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

// generator makes a log, or something else, from parameters that have been read and
// checked.
type generator[T any] struct {
	key      string
	params   []param
	generate func(p *values, rng func(stream string) *rand.Rand) (T, error)
}

// generate has one of some generators make what it makes; what names them.
func generate[T any](list []generator[T], what, key string, params map[string]any, rng func(stream string) *rand.Rand) (made T, err error) {
	i := slices.IndexFunc(list, func(g generator[T]) bool { return g.key == key })
	if i < 0 {
		return made, fmt.Errorf("workload: there is no %s %q", what, key)
	}
	v, err := readParams(key, list[i].params, params)
	if err != nil {
		return made, err
	}
	return list[i].generate(v, rng)
}

// plainGenerators are those that no study needs.
var plainGenerators = []generator[*swf.Log]{
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
	return generate(generators, "generator", key, params, rng)
}

// GenerateSeeded is Generate with the streams of an experiment's seed and a
// repetition (from 0), which the header of the log then states.
func GenerateSeeded(key string, params map[string]any, seed uint64, repetition int) (*swf.Log, error) {
	l, err := Generate(key, params, Streams(seed, repetition))
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

// generated is a record of a generated log: a job of one user that completed, of which
// nothing else is known.
func generated(i int, submit float64, run, procs, limit int32) swf.Record {
	return swf.Record{
		JobNumber: int64(i) + 1, SubmitTime: int64(submit), WaitTime: swf.Unknown, RunTime: run, Status: 1,
		AllocatedProcessors: procs, RequestedProcessors: procs, RequestedTime: limit,
		AverageCPUTimeUsed: swf.Unknown, UsedMemory: swf.Unknown, RequestedMemory: swf.Unknown,
		UserID: 1, GroupID: 1, ExecutableNumber: swf.Unknown, QueueNumber: 1,
		PartitionNumber: 1, PrecedingJobNumber: swf.Unknown, ThinkTime: swf.Unknown,
	}
}

// headed begins the header of a generated log, whose records are there: information on
// the model, "" none, and further fields.
func headed(l *swf.Log, information string, fields ...[2]string) {
	n := fmt.Sprint(len(l.Records))
	all := [][2]string{{"Version", "2.2"}, {"Computer", "generated, of no real machine"}, {"Installation", "Batchlab"}, {"Information", information}, {"MaxJobs", n}, {"MaxRecords", n}}
	for _, f := range append(all, fields...) {
		if f[1] != "" {
			l.Header.Add(f[0], f[1])
		}
	}
}

// calendar are the fields of a log that begins on a Monday, on a machine of so many
// processors.
func calendar(v *values) [][2]string {
	size := fmt.Sprint(int(v.get("processors")))
	return [][2]string{{"Preemption", "No"}, {"UnixStartTime", fmt.Sprint(dailyStart)}, {"TimeZone", "0"}, {"TimeZoneString", "UTC"},
		{"StartTime", "Mon Jan 01 00:00:00 UTC 2024"}, {"MaxNodes", size}, {"MaxProcs", size}}
}

// noted ends it: which generator made the log, with what remark, and its parameters.
func noted(l *swf.Log, v *values, key, remark string) {
	l.Header.Add("Note", "Generated by Batchlab's generator "+key+": not the log of a real machine"+remark)
	l.Header.Add("Note", "Parameters "+v.String())
}

func readParams(generator string, list []param, params map[string]any) (*values, error) {
	v := &values{params: list, is: make([]float64, len(list))}
	known := 0
	for i, p := range list {
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
				return nil, fmt.Errorf("workload: %s: %s is %v: one of %s is expected", generator, p.key, value, strings.Join(p.options, ", "))
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
			return nil, fmt.Errorf("workload: %s: %s: a number is expected", generator, p.key)
		}
		if x := v.is[i]; !(x >= p.min && x <= p.max) {
			return nil, fmt.Errorf("workload: %s: %s is %v: %v … %v is expected", generator, p.key, value, p.min, p.max)
		}
		if p.whole && v.is[i] != float64(int64(v.is[i])) {
			return nil, fmt.Errorf("workload: %s: %s is %v: a whole number is expected", generator, p.key, value)
		}
	}
	if known < len(params) {
		keys := make([]string, 0, len(params))
		for key := range params {
			if !slices.ContainsFunc(list, func(p param) bool { return p.key == key }) {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		return nil, fmt.Errorf("workload: %s has no parameter %q", generator, keys[0])
	}
	return v, nil
}
