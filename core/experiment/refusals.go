package experiment

import (
	"fmt"
	"slices"

	"batchlab/core/catalog"
)

// Code names what a refusal is about, in stable words for programs; "" where a
// message is all there is. Those of what a scheduler does not know are NoFeature.
type Code string

// Codes of refusals beside NoFeature.
const (
	CodeProgram    Code = "program"          // a scheduler that is a program, where only the command line runs it
	CodeParamOrder Code = "param-order"      // a parameter is below another that it may not be below
	CodeNeverFits  Code = "never-fits"       // a job could not even start on the empty platform
	CodeOverLimits Code = "over-limits"      // jobs ask for more than the limits let a single job hold
	CodeOutage     Code = "unknown-outage"   // an outage names what the platform does not have
	CodePartition  Code = "unknown-machines" // a partition names machines that are not there
	CodeFailures   Code = "failures-refuse"  // failures cannot be drawn
)

// NoFeature is the code of refusals because a scheduler does not know a feature
// of the catalog.
func NoFeature(feature string) Code { return Code("no-" + feature) }

// Asks returns the features of the catalog that a valid experiment asks of its
// schedulers, as far as the document tells: what hangs on the jobs is known
// once they are read.
func (e *Experiment) Asks() []string {
	d, a := &e.Platform, &e.Workload.Annotate
	packs := func(packing string) bool {
		return slices.ContainsFunc(d.Clusters, func(c Cluster) bool { return c.Packing == packing })
	}
	floats := func(l LicenceRule) bool {
		return l.Share > 0 && slices.ContainsFunc(d.Licences, func(f Licence) bool { return l.Licence == "*" || l.Licence == f.Name })
	}
	there := map[string]bool{
		catalog.FeatureClusters:     len(d.Clusters) > 1,
		catalog.FeatureNodes:        packs("nodes"),
		catalog.FeatureMachines:     packs("machine"),
		catalog.FeatureGenerated:    d.Generator != nil,
		catalog.FeatureSpeeds:       d.PowerScales && (len(d.Clusters) > 0 || d.Generator != nil),
		catalog.FeatureLicences:     slices.ContainsFunc(a.Licences, floats),
		catalog.FeatureOutages:      slices.ContainsFunc(d.Outages, func(o Outage) bool { return o.Announced }),
		catalog.FeatureFailures:     d.Failures != nil || slices.ContainsFunc(d.Outages, func(o Outage) bool { return !o.Announced }),
		catalog.FeatureLimits:       d.Limited() || d.Quoted(),
		catalog.FeatureDueStops:     a.Stops(),
		catalog.FeatureEligibility:  len(a.Eligible) > 0 || len(d.Partitions) > 0,
		catalog.FeatureReservations: e.Reserves(),
		catalog.FeatureBinding:      e.Reserves() && d.Booking.Text("binding") == "static" && d.counts(),
		catalog.FeatureReacting:     e.Workload.React != nil,
	}
	var list []string
	for _, f := range catalog.Features {
		if there[f.Key] {
			list = append(list, f.Key)
		}
	}
	return list
}

// counts says whether processors of some cluster are interchangeable.
func (p *Platform) counts() bool {
	return p.Generator == nil && (len(p.Clusters) == 0 || slices.ContainsFunc(p.Clusters, func(c Cluster) bool { return c.Packing == "processors" }))
}

// Unsuited says why scheduler i of a valid experiment cannot run on its platform
// and jobs, with the place in the document; nil when it can, as far as the
// document tells.
func (e *Experiment) Unsuited(i int) *Error {
	for _, l := range e.lines(i) {
		for k := range l.row.Params {
			if fault := l.below(&l.row.Params[k]); fault != nil {
				return fault
			}
		}
	}
	return e.Lacks(i, e.Asks())
}

// line is a row of the catalog as a document uses it, at its place there.
type line struct {
	path   string
	row    *catalog.Scheduler
	params Params
}

// lines are scheduler i and those of its providers.
func (e *Experiment) lines(i int) (list []line) {
	s := &e.Schedulers[i]
	add := func(path, key string, params Params) {
		if row := catalog.FindScheduler(key); row != nil {
			list = append(list, line{path, row, params})
		}
	}
	add(index("schedulers", i), s.Key, s.Params)
	for k := range s.Providers {
		add(index(join(index("schedulers", i), "providers"), k), s.Providers[k].Key, s.Providers[k].Params)
	}
	return list
}

// Lacks says which of some features of the catalog scheduler i, or that of one of
// its providers, does not know; nil when it knows all.
func (e *Experiment) Lacks(i int, features []string) *Error {
	if s := &e.Schedulers[i]; s.Key == "grid" { // it binds by a rule of its own
		features = slices.DeleteFunc(slices.Clone(features), func(f string) bool { return f == catalog.FeatureBinding })
		if s.Params.Text("binding") == "static" && e.Platform.counts() {
			features = append(features, catalog.FeatureBinding)
		}
	}
	for _, l := range e.lines(i) {
		if fault := l.lacks(features); fault != nil {
			return fault
		}
	}
	return nil
}

func (l *line) lacks(features []string) *Error {
	for _, key := range features {
		gap := l.row.Gap(key, l.params.Words)
		if gap == nil {
			continue
		}
		f := catalog.FindFeature(key)
		out := &Error{Path: l.path, Code: NoFeature(key)}
		out.Message = fmt.Sprintf("%s does not know %s (%s)", l.row.Key, f.Name, f.Where)
		if len(gap.When) > 0 {
			param := gap.When[0].Param
			out.Path = join(join(out.Path, "params"), param)
			out.Message = fmt.Sprintf("with %s %s, %s", param, l.params.Words(param), out.Message)
		}
		if gap.Why != "" {
			out.Message += ": " + gap.Why
		}
		return out
	}
	return nil
}

// below says that a parameter is below the one that it may not be below.
func (l *line) below(p *catalog.Param) *Error {
	if p.AtLeast == "" || p.When != "" && l.params.Text(p.When) != p.Is {
		return nil
	}
	most, both := l.params.Number(p.Key)
	least, ok := l.params.Number(p.AtLeast)
	if !ok || !both || most >= least {
		return nil
	}
	return &Error{Path: join(join(l.path, "params"), p.Key), Code: CodeParamOrder,
		Message: fmt.Sprintf("%s is %v, less than %s, which is %v", p.Key, most, p.AtLeast, least)}
}

// Words returns a parameter's value as it is written, "" when it is not set or
// not there.
func (p Params) Words(key string) string {
	if v, _ := p.Get(key); v != nil {
		return fmt.Sprint(v)
	}
	return ""
}
