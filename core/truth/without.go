// Package truth says what can be asked of an experiment to know how true it is: parts that
// can be left out, one at a time, and numbers that nobody knows (knobs), which are fitted
// on the first half of the jobs and judged on the second. It works on documents; running
// them is up to whoever asks.
package truth

import (
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// Part is a part of an experiment that can be left out.
type Part struct {
	Key, Name string
	Doc       *experiment.Experiment // without it, and with one scheduler only
}

// part is a row of the table of parts: out takes the part out and reports whether it was there.
type part struct {
	key, name string
	out       func(*experiment.Experiment) bool
}

// parts are the parts of a document, and of the scheduler in front.
var parts = []part{
	{"partitions", "Partitions", func(e *experiment.Experiment) bool {
		was := len(e.Platform.Partitions) > 0
		e.Platform.Partitions = nil
		return was
	}},
	{"qos", "QOS", func(e *experiment.Experiment) bool {
		was := len(e.Platform.QOS) > 0
		e.Platform.QOS = nil
		for i := range e.Platform.Partitions {
			e.Platform.Partitions[i].QOS = ""
		}
		return was
	}},
	{"accounts", "Accounts", func(e *experiment.Experiment) bool {
		was := len(e.Platform.Accounts) > 0
		e.Platform.Accounts = nil
		return was
	}},
	{"limits", "Limits", withoutLimits},
	{"outages", "Outages", func(e *experiment.Experiment) bool {
		was := len(e.Platform.Outages) > 0 || e.Platform.Failures != nil
		e.Platform.Outages, e.Platform.Failures = nil, nil
		return was
	}},
	{"reservations", "Reservations", func(e *experiment.Experiment) bool {
		was := len(e.Platform.Reservations) > 0
		e.Platform.Reservations = nil
		return was
	}},
	{"dependencies", "Dependencies", func(e *experiment.Experiment) bool {
		was := e.Workload.Dependencies != ""
		e.Workload.Dependencies = ""
		return was
	}},
	{"withdrawn", "Withdrawn jobs", func(e *experiment.Experiment) bool {
		was := e.Workload.Withdrawn != ""
		e.Workload.Withdrawn = ""
		return was
	}},
	{"nodes", "Nodes", withoutNodes},
	{"predictions", "Predictions", func(e *experiment.Experiment) bool {
		was := e.Predict != nil || e.Schedulers[0].Predict != nil
		e.Predict, e.Schedulers[0].Predict = nil, nil
		return was
	}},
	{"fairshare", "Fair share", func(e *experiment.Experiment) bool { return set(e, "slurm", "PriorityWeightFairshare", int64(0)) }},
	{"priorities", "Priorities", func(e *experiment.Experiment) bool { return set(e, "slurm", "PriorityType", "priority/basic") }},
	{"order", "Queue order", func(e *experiment.Experiment) bool { return set(e, "easy", "order", "fcfs") }},
	{"backfilling", "Backfilling", func(e *experiment.Experiment) bool {
		s := &e.Schedulers[0]
		if s.Key == "slurm" {
			return set(e, "slurm", "SchedulerType", "sched/builtin")
		}
		plain, err := experiment.NewScheduler("fcfs")
		if err != nil || !slices.Contains([]string{"easy", "conservative"}, s.Key) {
			return false
		}
		*s = plain
		return true
	}},
}

// Without returns the parts that a document and one of its schedulers have, each with
// the document without it. What is no valid document then is left out: something else
// rests on that part.
func Without(doc *experiment.Experiment, scheduler int) (list []Part) {
	for _, p := range parts {
		e := Alone(doc, scheduler)
		if p.out(e) && e.Validate() == nil && e.Identity() != Alone(doc, scheduler).Identity() {
			list = append(list, Part{p.key, p.name, e})
		}
	}
	return list
}

// Alone is a document with one of its schedulers only.
func Alone(doc *experiment.Experiment, scheduler int) *experiment.Experiment {
	e := doc.Clone()
	e.Schedulers = e.Schedulers[scheduler : scheduler+1]
	e.Expect, e.Trace, e.Vary, e.Search = "", "", nil, nil
	return e
}

// set gives a parameter of the scheduler in front, if that is of a kind, a value, and
// reports whether it could.
func set(e *experiment.Experiment, kind, key string, value any) bool {
	s := &e.Schedulers[0]
	if s.Key != kind || catalog.FindParam(catalog.FindScheduler(kind).Params, key) == nil {
		return false
	}
	return s.SetParam(key, value) == nil
}

// withoutLimits takes away what partitions, QOS, accounts and the platform limit.
func withoutLimits(e *experiment.Experiment) bool {
	d := &e.Platform
	was := d.Limited()
	d.Limits = experiment.Limits{}
	none := func(q *experiment.Quotas) {
		was = was || *q != experiment.Quotas{}
		*q = experiment.Quotas{}
	}
	for i := range d.Partitions {
		none(&d.Partitions[i].Limits)
	}
	for i := range d.QOS {
		none(&d.QOS[i].Limits)
	}
	for i := range d.Accounts {
		none(&d.Accounts[i].Limits)
	}
	return was
}

// withoutNodes counts the processors of machines that are described one by one.
func withoutNodes(e *experiment.Experiment) bool {
	d := &e.Platform
	if len(d.Clusters) == 0 {
		return false
	}
	n := int64(0)
	for _, c := range d.Clusters {
		for _, g := range c.Groups {
			n += g.Count * g.Processors
		}
	}
	d.Clusters, d.Licences, d.PowerScales, d.Processors = nil, nil, false, n
	for i := range d.Partitions {
		d.Partitions[i].Nodes = nil
	}
	for i := range d.Outages {
		if o := &d.Outages[i]; o.Cluster != "" || len(o.Nodes) > 0 {
			return false // it is of machines
		}
	}
	return true
}
