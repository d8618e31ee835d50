package experiment

import (
	"fmt"
	"slices"
	"strings"
)

// Schedulers by what they know. A test of core/lab holds the lists against the
// code.
var (
	onlyCounts  = []string{"as-logged"}                                           // no machines, outages, stops at deadlines
	keepsLimits = []string{"orig-bf", "conservative", "plan-rs", "hill-climbing"} // of platform.limits
)

// ordered are parameters of which the second may not be below the first.
var ordered = []struct{ scheduler, least, most, when, is string }{
	{"bf-unmod", "deadline-min", "deadline-max", "", ""},
	{"bf-mod", "deadline-min", "deadline-max", "", ""},
	{"plan-rs", "cold", "temperature", "optimiser", "annealing"},
}

// Unsuited says why scheduler i of a valid experiment cannot run on its platform
// and jobs, with the place in the document; nil when it can, as far as the
// document tells: what hangs on the jobs is known once they are read.
func (e *Experiment) Unsuited(i int) *Error {
	s, d, a := &e.Schedulers[i], &e.Platform, &e.Workload.Annotate
	at := func(key, format string, args ...any) *Error {
		path := index("schedulers", i)
		if key != "" {
			path = join(join(path, "params"), key)
		}
		return &Error{Path: path, Message: fmt.Sprintf(format, args...)}
	}
	for _, o := range ordered {
		if o.scheduler != s.Key || o.when != "" && s.Params.Text(o.when) != o.is {
			continue
		}
		least, ok := s.Params.Number(o.least)
		most, both := s.Params.Number(o.most)
		if ok && both && most < least {
			return at(o.most, "%s is %v, less than %s, which is %v", o.most, most, o.least, least)
		}
	}
	if why := e.beyondCounts(); why != "" && slices.Contains(onlyCounts, s.Key) {
		return at("", "%s knows interchangeable processors only, and here there are %s", s.Key, why)
	}
	switch {
	case d.Limited() && !slices.Contains(keepsLimits, s.Key):
		return at("", "%s does not know limits (platform.limits)", s.Key)
	case e.Reserves() && e.UnsuitedToReserve(i) != nil:
		return e.UnsuitedToReserve(i)
	case s.Key != "grid":
		return nil
	case d.Generator != nil || len(d.Licences) > 0 || len(a.Licences) > 0:
		return at("", "grid knows providers that only count processors: neither generated machines nor licences")
	case s.Params.Text("binding") == "static" && (d.Failures != nil || slices.ContainsFunc(d.Outages, func(o Outage) bool { return !o.Announced })):
		return at("", "with static binding grid knows no failures, which say how many processors and not which: announce the outages, or bind dynamically")
	case d.PowerScales && (s.Params.Text("end") == "suspend" || s.Params.Text("running") == "suspend" || s.Params.Text("local") == "pppd" && s.Params.Text("preempted") == "suspend"):
		return at("", "where run times depend on the machine, grid cannot suspend jobs")
	case a.Stops():
		return at("", "grid does not stop jobs at their deadlines (workload.annotate.deadlines.on_due)")
	}
	for _, c := range d.Clusters {
		if c.Packing != "processors" {
			return at("", "cluster %q has the packing %s; the providers of a grid have the packing processors", c.Name, c.Packing)
		}
	}
	return nil
}

// UnsuitedToReserve says why scheduler i cannot run where jobs are advance
// reservations, which a file of annotations may say as well; nil when it can.
func (e *Experiment) UnsuitedToReserve(i int) *Error {
	key := e.Schedulers[i].Key
	if key == "grid" || key == "as-logged" {
		return nil
	}
	return &Error{Path: index("schedulers", i), Message: key + " does not know advance reservations (workload.annotate.reservations, platform.reservations): take the scheduler grid"}
}

// beyondCounts names what only the engine of machines knows; "" where there is
// nothing of it.
func (e *Experiment) beyondCounts() string {
	var list []string
	for _, x := range []struct {
		there bool
		name  string
	}{
		{e.Platform.Generator != nil || len(e.Platform.Clusters) > 0, "machines"},
		{e.Platform.PowerScales, "run times that depend on the machine"},
		{len(e.Platform.Outages) > 0 || e.Platform.Failures != nil, "outages"},
		{e.Platform.Limited(), "limits"},
		{e.Workload.Annotate.Stops(), "jobs that are stopped at their deadlines"},
	} {
		if x.there {
			list = append(list, x.name)
		}
	}
	return strings.Join(list, " and ")
}
