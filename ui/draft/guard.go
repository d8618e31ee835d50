package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// What the page says of outages, failures and limits.

// guardSection is what the group Platform says of them.
func guardSection(s *Draft) Section {
	p := &s.Settings.Platform
	out := Section{Key: "guards", Title: "Outages, failures, limits", Sum: guardSum(p)}
	out.Items = []Item{{Sheet: "outages"}, {Label: "Failures", Choices: []Act{
		{Key: "failures.off", Name: "None", Help: "Only the outages in the table", Pressed: p.Failures == nil},
		{Key: "failures.on", Name: "At random", Help: catalog.Failures[0].Help, Pressed: p.Failures != nil},
	}}}
	if p.Failures != nil {
		out.Items = append(out.Items, s.shown("platform.failures.params")...)
	}
	out.Items = append(append(out.Items, s.shown("platform.limits")...), Item{Sheet: "classes"})
	for _, f := range s.Faults() {
		switch {
		case f.Path == "platform.limits" || f.Path == "platform.failures" || f.Path == "platform.outages":
			out.Items = append(out.Items, Item{Fault: strings.TrimPrefix(f.Message, "lab: ")})
		case slices.ContainsFunc(guardFeatures, func(key string) bool { return f.Code == experiment.NoFeature(key) }):
			out.Items = append(out.Items, Item{Fault: f.Message})
		}
	}
	if s.lacking(guardFeatures...) {
		out.Items = append(out.Items, Item{Acts: []Act{{Key: "guards.keep", Name: "Take schedulers that know them", Help: "Leaves out the schedulers that cannot run here; where none is left, takes others"}}})
	}
	return out
}

// guardFeatures are what this section may ask of schedulers.
var guardFeatures = []string{catalog.FeatureOutages, catalog.FeatureFailures, catalog.FeatureLimits}

// lacking says whether a scheduler is to run that does not know one of some
// features of the catalog.
func (s *Draft) lacking(features ...string) bool {
	return slices.ContainsFunc(s.Faults(), func(f experiment.Error) bool {
		return slices.ContainsFunc(features, func(key string) bool { return f.Code == experiment.NoFeature(key) })
	})
}

// suit leaves out the schedulers that do not know what the settings ask for.
// Where none is left it takes the first three of the catalog that know it.
func (s *Draft) suit() {
	s.Forget("sched.")
	s.Change(func(e *experiment.Experiment) {
		repeat, asks := e.Schedulers[0].Repeat, e.Asks()
		var keep []experiment.Scheduler
		for i := range e.Schedulers {
			if e.Lacks(i, asks) == nil {
				keep = append(keep, e.Schedulers[i])
			}
		}
		e.Schedulers = keep
		for i := 0; i < len(catalog.Schedulers) && len(keep) == 0 && len(e.Schedulers) < 3; i++ {
			row := &catalog.Schedulers[i]
			if row.Logged {
				continue
			}
			if one, err := e.Add(row.Key); err == nil {
				one.Repeat = repeat
				if at := len(e.Schedulers) - 1; e.Lacks(at, asks) != nil {
					e.Schedulers = e.Schedulers[:at]
				}
			}
		}
		if len(e.Schedulers) == 0 { // no experiment is without one
			_, _ = e.Add("as-logged")
		}
	})
}

// guardSum is "2 outages, failures, limits".
func guardSum(p *experiment.Platform) string {
	var parts []string
	if n := len(p.Outages); n > 0 {
		parts = append(parts, words.Count(n, "outage", "outages"))
	}
	if p.Failures != nil {
		parts = append(parts, "failures")
	}
	if p.Limited() {
		parts = append(parts, "limits")
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// SetFailures says whether machines fail at random. They begin with the
// catalog's defaults.
func (s *Draft) SetFailures(on bool) {
	if on == (s.Settings.Platform.Failures != nil) {
		return
	}
	s.Forget("fail.")
	s.Change(func(e *experiment.Experiment) {
		e.Platform.Failures = nil
		if row := catalog.Failures[0]; on {
			e.Platform.Failures = &experiment.Generator{Key: row.Key, Params: experiment.Defaults(row.Params)}
		}
	})
}

// counted says whether some cluster only counts its processors, named whether
// some cluster has machines.
func counted(p *experiment.Platform) bool {
	return p.Generator == nil && len(p.Clusters) == 0 || slices.ContainsFunc(p.Clusters, func(c experiment.Cluster) bool { return c.Packing == "processors" })
}

func named(p *experiment.Platform) bool {
	return p.Generator != nil || slices.ContainsFunc(p.Clusters, func(c experiment.Cluster) bool { return c.Packing != "processors" })
}

// outageColumn says which columns the table of outages has: it depends on the platform.
func outageColumn(s *Draft, c *Column) bool {
	p := &s.Settings.Platform
	some := func(f func(o experiment.Outage) bool) bool { return slices.ContainsFunc(p.Outages, f) }
	switch c.Key {
	case "cluster":
		if p.Generator != nil {
			return true
		}
		c.Type, c.Help = catalog.Enum, ""
		c.Options = append([]catalog.Option{{Name: words.Either(len(p.Clusters) > 1, "choose one", "the only one")}}, s.clusterNames()...)
		return len(p.Clusters) > 1 || some(func(o experiment.Outage) bool { return o.Cluster != "" })
	case "nodes":
		c.Type = catalog.Names
		return named(p) || some(func(o experiment.Outage) bool { return len(o.Nodes) > 0 })
	case "processors":
		return counted(p) || some(func(o experiment.Outage) bool { return o.Procs > 0 })
	}
	return true
}

var outageSheet = sheet{
	id: "outages", name: "Outages", noun: "outage", none: "None.", most: experiment.MaxOutages, list: "platform.outages",
	help:   "When machines are away; times count from the start of the log",
	shows:  "from to announced cluster* nodes* processors+ name+",
	column: outageColumn,
	own: map[string]cells{"nodes": {
		get: func(e *experiment.Experiment, row int) any { return machineNames(e, &e.Platform.Outages[row]) },
		set: func(e *experiment.Experiment, row int, v any) {
			names, _ := v.([]string)
			e.Platform.Outages[row].Nodes, _ = machineNumbers(e, &e.Platform.Outages[row], names)
		},
	}},
	add: func(_ *Draft, e *experiment.Experiment) {
		next := experiment.Outage{From: 86400, To: 86400 + 4*3600}
		if from := e.Workload.Window.From; from != nil {
			next.From, next.To = *from+next.From, *from+next.To
		}
		if n := len(e.Platform.Outages); n > 0 {
			next = e.Platform.Outages[n-1]
			next.From, next.To = next.From+7*86400, next.To+7*86400
			next.Nodes = slices.Clone(next.Nodes)
		} else if len(e.Platform.Clusters) > 1 {
			next.Cluster = e.Platform.Clusters[0].Name
		} else if g := e.Platform.Generator; g != nil && g.Key == "cerit-sc" {
			next.Cluster = "zewura"
		}
		e.Platform.Outages = append(e.Platform.Outages, next)
	},
	check: func(e *experiment.Experiment, row int, c *Column, v any) error {
		if c.Key != "nodes" {
			return nil
		}
		names, _ := v.([]string)
		_, err := machineNumbers(e, &e.Platform.Outages[row], names)
		return err
	},
}

// clusterOf returns the cluster of an outage: its name, and how many machines it
// has, 0 unknown.
func clusterOf(e *experiment.Experiment, o *experiment.Outage) (name string, machines int64) {
	if name = o.Cluster; name == "" && len(e.Platform.Clusters) == 1 {
		name = e.Platform.Clusters[0].Name
	} else if name == "" && e.Platform.Generator != nil {
		name = "farm"
	}
	for i := range e.Platform.Clusters {
		if c := &e.Platform.Clusters[i]; c.Name == name {
			for _, g := range c.Groups {
				machines += g.Count
			}
		}
	}
	return name, machines
}

// machineNames writes the machines of an outage: cluster and number from 1,
// neighbours as farm3-6.
func machineNames(e *experiment.Experiment, o *experiment.Outage) []string {
	name, _ := clusterOf(e, o)
	var list []string
	for i := 0; i < len(o.Nodes); {
		k := i + 1
		for k < len(o.Nodes) && o.Nodes[k] == o.Nodes[k-1]+1 {
			k++
		}
		text := name + strconv.FormatInt(o.Nodes[i]+1, 10)
		if k > i+1 {
			text += "-" + strconv.FormatInt(o.Nodes[k-1]+1, 10)
		}
		list = append(list, text)
		i = k
	}
	return list
}

// machineNumbers reads what machineNames writes.
func machineNumbers(e *experiment.Experiment, o *experiment.Outage, list []string) ([]int64, error) {
	name, machines := clusterOf(e, o)
	var nodes []int64
	for _, text := range list {
		rest, mine := strings.CutPrefix(text, name)
		first, last, span := strings.Cut(rest, "-")
		from, err := strconv.ParseInt(first, 10, 64)
		to := from
		if span && err == nil {
			to, err = strconv.ParseInt(last, 10, 64)
		}
		switch {
		case !mine || err != nil || from < 1 || to < from:
			return nil, fmt.Errorf("%s is no machine of %s: they are called %s1, %s2 and so on", text, name, name, name)
		case machines > 0 && to > machines || to > experiment.MaxMachines:
			return nil, fmt.Errorf("there is no machine %s: %s has %s", text, name, words.Count(int(machines), "machine", "machines"))
		}
		for ; from <= to; from++ {
			nodes = append(nodes, from-1)
		}
	}
	return nodes, nil
}

var classSheet = sheet{
	id: "classes", name: "Limits by requested time", noun: "class of jobs", none: "No limits: long jobs may use the whole machine.", most: experiment.MaxClasses, list: "platform.limits.classes",
	help:  "Jobs that ask for longer than this hold together at most this share of each cluster, at every moment",
	shows: "longer_than share",
	add: func(_ *Draft, e *experiment.Experiment) {
		e.Platform.Limits.Classes = append(e.Platform.Limits.Classes, experiment.LimitClass{LongerThan: 7 * 86400, Share: 0.7})
	},
}

// nodesSection offers machines for a log that states what jobs ask of them.
func nodesSection(s *Draft) Section {
	out := Section{Key: "nodes", Title: "Nodes of this log", Sum: "offered"}
	if s.Preview == nil || !s.Preview.Nodes || s.Machines() != "count" {
		return out
	}
	out.Items = []Item{
		{Text: "This log has 21 fields: it states nodes, processors and memory on each, and properties that jobs ask for. To use them, describe the machines; while processors are only counted, they are ignored."},
		{Acts: []Act{
			{Key: "machines.cerit", Name: "zewura 20 × 80, zegox 48 × 12", Help: catalog.FindMachines("cerit-sc").Help},
			{Key: "machines.list", Name: "Clusters of your own", Help: "Clusters and their machines, each described"},
		}},
	}
	return out
}
