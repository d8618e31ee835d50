package draft

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

var packings = []catalog.Option{
	{Key: "machine", Name: "within one machine", Help: "A job gets its processors inside one machine"},
	{Key: "nodes", Name: "over machines", Help: "A job may spread over machines of the cluster"},
	{Key: "processors", Name: "processors only", Help: "Processors are interchangeable; which machine they belong to does not matter"},
}

// fixed are columns that are always the same.
func fixed(columns ...Column) func(*Draft) []Column {
	return func(*Draft) []Column { return columns }
}

var clusterSheet = sheet{
	id: "clusters", name: "Clusters", noun: "cluster", none: "No cluster.", most: experiment.MaxClusters, path: rowOf("platform.clusters"),
	columns: fixed(
		Column{Key: "name", Name: "Name", Kind: Text},
		Column{Key: "packing", Name: "A job runs", Kind: Choice, Options: packings},
	),
	rows: func(e *experiment.Experiment) int { return len(e.Platform.Clusters) },
	get: func(e *experiment.Experiment, row int, key string) Value {
		if key == "name" {
			return Value{Text: e.Platform.Clusters[row].Name}
		}
		return Value{Text: e.Platform.Clusters[row].Packing}
	},
	set: func(e *experiment.Experiment, row int, key string, v Value) {
		if key == "name" {
			renameCluster(e, e.Platform.Clusters[row].Name, v.Text)
			e.Platform.Clusters[row].Name = v.Text
		} else {
			e.Platform.Clusters[row].Packing = v.Text
		}
	},
	add: func(_ *Draft, e *experiment.Experiment) {
		name := free("cluster-", func(name string) bool {
			return slices.ContainsFunc(e.Platform.Clusters, func(c experiment.Cluster) bool { return c.Name == name })
		})
		e.Platform.Clusters = append(e.Platform.Clusters, experiment.Cluster{Name: name, Packing: "machine", Groups: []experiment.NodeGroup{newGroup()}})
	},
	remove: func(e *experiment.Experiment, row int) {
		e.Platform.Clusters = slices.Delete(e.Platform.Clusters, row, row+1)
	},
}

// free returns prefix and the first number that is not taken.
func free(prefix string, taken func(string) bool) string {
	for n := 1; ; n++ {
		if name := prefix + strconv.Itoa(n); !taken(name) {
			return name
		}
	}
}

// groupSheet lists the groups of all clusters, one after the other.
var groupSheet = sheet{
	id: "groups", name: "Machines", noun: "group of equal machines", most: experiment.MaxGroups,
	path: func(e *experiment.Experiment, row int) string {
		c, g := groupAt(e, row)
		return "platform.clusters[" + strconv.Itoa(c) + "].groups[" + strconv.Itoa(g) + "]"
	},
	columns: func(s *Draft) []Column {
		columns := []Column{
			{Key: "count", Name: "Count", Help: "How many such machines", Kind: Whole, Min: 1, Max: experiment.MaxMachines},
			{Key: "processors", Name: "Procs", Help: "Processors of each", Kind: Whole, Min: 1, Max: experiment.MaxProcessors},
			{Key: "speed", Name: "Power", Help: "Computational power: the most powerful machines are used first", Kind: Real, Min: 0.001, Max: 1000},
			{Key: "memory", Name: "GB", Help: "Memory of each in GB (1,000,000,000 bytes). Empty: not limited", Kind: Real, Min: 0, Max: 1_000_000, Optional: true, Empty: "any"},
			{Key: "licences", Name: "Licences", Help: "Names of the licences that may be activated there: floating ones of the list below, others belong to the machine", Kind: List, Empty: "no licence", Wide: true},
		}
		if len(s.Settings.Platform.Clusters) > 1 {
			var names []catalog.Option
			for _, c := range s.Settings.Platform.Clusters {
				names = append(names, catalog.Option{Key: c.Name, Name: c.Name})
			}
			columns = append(columns, Column{Key: "cluster", Name: "Cluster", Kind: Choice, Options: names, Wide: true})
		}
		if s.showsDetails() {
			columns = append(columns,
				Column{Key: "gpus", Name: "GPUs", Help: "Of each", Kind: Whole, Min: 0, Max: 1000, Wide: true, Half: true},
				Column{Key: "disk", Name: "Disk, GB", Help: "Disk of each in GB (1,000,000,000 bytes). Empty: not limited", Kind: Real, Min: 0, Max: 1_000_000, Optional: true, Empty: "any", Wide: true, Half: true},
				Column{Key: "properties", Name: "Properties", Help: "What jobs may ask machines to have: an architecture, software, a file system", Kind: List, Empty: "none", Wide: true})
		}
		return columns
	},
	rows: func(e *experiment.Experiment) int {
		n := 0
		for _, c := range e.Platform.Clusters {
			n += len(c.Groups)
		}
		return n
	},
	get: func(e *experiment.Experiment, row int, key string) Value {
		c, at := groupAt(e, row)
		g := &e.Platform.Clusters[c].Groups[at]
		switch key {
		case "count":
			return Value{Int: g.Count}
		case "processors":
			return Value{Int: g.Processors}
		case "speed":
			return Value{Real: g.Speed}
		case "memory":
			return gigabytes(g.Memory)
		case "disk":
			return gigabytes(g.Disk)
		case "gpus":
			return Value{Int: g.GPUs}
		case "properties":
			return Value{List: g.Properties}
		case "cluster":
			return Value{Text: e.Platform.Clusters[c].Name}
		}
		return Value{List: g.Licences}
	},
	set: func(e *experiment.Experiment, row int, key string, v Value) {
		c, at := groupAt(e, row)
		g := &e.Platform.Clusters[c].Groups[at]
		switch key {
		case "count":
			g.Count = v.Int
		case "processors":
			g.Processors = v.Int
		case "speed":
			g.Speed = v.Real
		case "memory":
			g.Memory = v.bytes()
		case "disk":
			g.Disk = v.bytes()
		case "gpus":
			g.GPUs = v.Int
		case "properties":
			g.Properties = v.List
		case "licences":
			g.Licences = v.List
		case "cluster":
			to := slices.IndexFunc(e.Platform.Clusters, func(c experiment.Cluster) bool { return c.Name == v.Text })
			if to != c && to >= 0 {
				e.Platform.Clusters[to].Groups = append(e.Platform.Clusters[to].Groups, *g)
				e.Platform.Clusters[c].Groups = slices.Delete(e.Platform.Clusters[c].Groups, at, at+1)
			}
		}
	},
	add: func(_ *Draft, e *experiment.Experiment) {
		last := &e.Platform.Clusters[len(e.Platform.Clusters)-1]
		next := newGroup()
		if n := len(last.Groups); n > 0 {
			next = last.Groups[n-1]
			next.Licences, next.Properties = slices.Clone(next.Licences), slices.Clone(next.Properties)
		}
		last.Groups = append(last.Groups, next)
	},
	remove: func(e *experiment.Experiment, row int) {
		c, at := groupAt(e, row)
		e.Platform.Clusters[c].Groups = slices.Delete(e.Platform.Clusters[c].Groups, at, at+1)
	},
}

// showsDetails says whether the table of machines shows GPUs, disk and
// properties: when asked for, and where some machine has any.
func (s *Draft) showsDetails() bool {
	return s.details || slices.ContainsFunc(s.Settings.Platform.Clusters, func(c experiment.Cluster) bool {
		return slices.ContainsFunc(c.Groups, func(g experiment.NodeGroup) bool { return g.GPUs > 0 || g.Disk > 0 || len(g.Properties) > 0 })
	})
}

// groupAt finds the cluster and the place in it of a row of all groups.
func groupAt(e *experiment.Experiment, row int) (cluster, group int) {
	for c := range e.Platform.Clusters {
		if n := len(e.Platform.Clusters[c].Groups); row >= n {
			row -= n
			continue
		}
		return c, row
	}
	return -1, -1
}

var licenceSheet = sheet{
	id: "licences", name: "Floating licences", noun: "licence", none: "No floating licences.", most: experiment.MaxLicences, path: rowOf("platform.licences"),
	columns: fixed(
		Column{Key: "name", Name: "Name", Kind: Text},
		Column{Key: "copies", Name: "Copies", Help: "How many jobs may use it at the same time", Kind: Whole, Min: 1, Max: 1_000_000},
	),
	rows: func(e *experiment.Experiment) int { return len(e.Platform.Licences) },
	get: func(e *experiment.Experiment, row int, key string) Value {
		l := &e.Platform.Licences[row]
		return Value{Text: l.Name, Int: l.Copies}
	},
	set: func(e *experiment.Experiment, row int, key string, v Value) {
		l := &e.Platform.Licences[row]
		if key == "copies" {
			l.Copies = v.Int
			return
		}
		renameLicence(e, l.Name, v.Text)
		l.Name = v.Text
	},
	add: func(_ *Draft, e *experiment.Experiment) {
		name := free("L", func(name string) bool {
			return slices.ContainsFunc(e.Platform.Licences, func(l experiment.Licence) bool { return l.Name == name })
		})
		e.Platform.Licences = append(e.Platform.Licences, experiment.Licence{Name: name, Copies: 1})
		for c := range e.Platform.Clusters {
			for g := range e.Platform.Clusters[c].Groups {
				if l := &e.Platform.Clusters[c].Groups[g].Licences; !slices.Contains(*l, name) {
					*l = append(*l, name)
				}
			}
		}
	},
	remove: func(e *experiment.Experiment, row int) {
		name := e.Platform.Licences[row].Name
		e.Platform.Licences = slices.Delete(e.Platform.Licences, row, row+1)
		for c := range e.Platform.Clusters {
			for g := range e.Platform.Clusters[c].Groups {
				l := &e.Platform.Clusters[c].Groups[g].Licences
				*l = slices.DeleteFunc(*l, func(n string) bool { return n == name })
			}
		}
	},
}

// renameLicence has machines, rules and jobs that name a licence go along with it.
func renameLicence(e *experiment.Experiment, from, to string) {
	for c := range e.Platform.Clusters {
		for g := range e.Platform.Clusters[c].Groups {
			rename(&e.Platform.Clusters[c].Groups[g].Licences, from, to, "")
		}
	}
	for i := range e.Workload.Annotate.Licences {
		renameOne(&e.Workload.Annotate.Licences[i].Licence, from, to)
	}
	for i := range e.Workload.Annotate.Jobs {
		rename(e.Workload.Annotate.Jobs[i].Licences, from, to, ":") // name:copies
	}
}

// renameCluster has outages, reservations, providers and jobs that name a cluster, or
// a machine of it, go along with it.
func renameCluster(e *experiment.Experiment, from, to string) {
	for i := range e.Platform.Outages {
		renameOne(&e.Platform.Outages[i].Cluster, from, to)
	}
	for i := range e.Platform.Reservations {
		renameOne(&e.Platform.Reservations[i].Cluster, from, to)
	}
	for i := range e.Schedulers {
		for k := range e.Schedulers[i].Providers {
			renameOne(&e.Schedulers[i].Providers[k].Cluster, from, to)
		}
	}
	for i := range e.Workload.Annotate.Eligible {
		rename(&e.Workload.Annotate.Eligible[i].On, from, to, "0123456789") // farm3
	}
	for i := range e.Workload.Annotate.Jobs {
		rename(e.Workload.Annotate.Jobs[i].On, from, to, "0123456789")
	}
}

func renameOne(name *string, from, to string) {
	if *name == from && from != "" {
		*name = to
	}
}

// rename replaces a name of a list, also where something follows it that begins with
// one of some characters. What the list names already it names once all the same.
func rename(list *[]string, from, to, more string) {
	if list == nil || from == "" {
		return
	}
	named := func(entry, name string) bool {
		rest, ok := strings.CutPrefix(entry, name)
		return ok && (rest == "" || strings.ContainsRune(more, rune(rest[0])))
	}
	if !slices.ContainsFunc(*list, func(entry string) bool { return named(entry, from) }) {
		return
	}
	var out []string
	for _, entry := range *list {
		if named(entry, from) {
			entry = to + entry[len(from):]
		}
		if more == ":" && slices.ContainsFunc(out, func(other string) bool { return named(other, to) && named(entry, to) }) {
			continue // with its copies
		}
		out = append(out, entry)
	}
	*list = once(out)
}

// once returns a list without what stands in it again.
func once(list []string) []string {
	var out []string
	for _, entry := range list {
		if !slices.Contains(out, entry) {
			out = append(out, entry)
		}
	}
	return out
}

var ruleSheet = sheet{
	id: "rules", name: "Licences by rule", noun: "rule", none: "No job needs a licence by rule.", most: experiment.MaxLicences, path: rowOf("workload.annotate.licences"),
	help: "A share of the jobs, drawn at random, needs copies of a licence; * is each licence by itself.",
	columns: fixed(
		Column{Key: "licence", Name: "Licence", Help: "Name of a licence, or *: every licence of the platform, each drawn by itself", Kind: Text},
		Column{Key: "share", Name: "Share", Help: "Of the jobs, from 0 to 1", Kind: Real, Min: 0, Max: 1},
		Column{Key: "copies", Name: "Copies", Help: "That such a job needs", Kind: Whole, Min: 1, Max: 1_000_000},
	),
	rows: func(e *experiment.Experiment) int { return len(e.Workload.Annotate.Licences) },
	get: func(e *experiment.Experiment, row int, key string) Value {
		r := &e.Workload.Annotate.Licences[row]
		return Value{Text: r.Licence, Real: r.Share, Int: r.Copies}
	},
	set: func(e *experiment.Experiment, row int, key string, v Value) {
		switch r := &e.Workload.Annotate.Licences[row]; key {
		case "licence":
			r.Licence = v.Text
		case "share":
			r.Share = v.Real
		default:
			r.Copies = v.Int
		}
	},
	add: func(_ *Draft, e *experiment.Experiment) {
		e.Workload.Annotate.Licences = append(e.Workload.Annotate.Licences, experiment.LicenceRule{Licence: "*", Share: 0.3, Copies: 1})
	},
	remove: func(e *experiment.Experiment, row int) {
		e.Workload.Annotate.Licences = slices.Delete(e.Workload.Annotate.Licences, row, row+1)
	},
}

var eligibleSheet = sheet{
	id: "eligible", name: "Where jobs may run", noun: "rule of eligibility", none: "Every job may run wherever it fits.", most: experiment.MaxEligible, path: rowOf("workload.annotate.eligible"),
	help: "A share of the jobs, drawn at random, may run only on machines that have one of these names.",
	columns: fixed(
		Column{Key: "share", Name: "Share of the jobs", Help: "From 0 to 1", Kind: Real, Min: 0, Max: 1},
		Column{Key: "on", Name: "Runs on", Help: "Names of clusters, machines (cluster and number: farm3) or properties; one of them is enough", Kind: List, Empty: "a name", Wide: true},
	),
	rows: func(e *experiment.Experiment) int { return len(e.Workload.Annotate.Eligible) },
	get: func(e *experiment.Experiment, row int, key string) Value {
		r := &e.Workload.Annotate.Eligible[row]
		return Value{Real: r.Share, List: r.On}
	},
	set: func(e *experiment.Experiment, row int, key string, v Value) {
		if r := &e.Workload.Annotate.Eligible[row]; key == "on" {
			r.On = v.List
		} else {
			r.Share = v.Real
		}
	},
	add: func(_ *Draft, e *experiment.Experiment) {
		next := experiment.EligibleRule{Share: 0.3, On: []string{"main"}}
		if list := e.Platform.Clusters; len(list) > 0 {
			next.On[0] = list[0].Name
		} else if g := e.Platform.Generator; g != nil && g.Key == "cerit-sc" {
			next.On[0] = "zewura"
		} else if g != nil {
			next.On[0] = "farm"
		}
		e.Workload.Annotate.Eligible = append(e.Workload.Annotate.Eligible, next)
	},
	remove: func(e *experiment.Experiment, row int) {
		e.Workload.Annotate.Eligible = slices.Delete(e.Workload.Annotate.Eligible, row, row+1)
	},
}

var needSheet = sheet{
	id: "needs", name: "GPUs, memory and disk", noun: "rule of needs", none: "Jobs ask for processors alone.", most: experiment.MaxNeeds, path: rowOf("workload.annotate.needs"),
	help: "A share of the jobs, drawn at random, asks for so much of each machine that it runs on: GPUs, and GB of memory and disk, as far as machines have them.",
	columns: fixed(
		Column{Key: "share", Name: "Share", Help: "Of the jobs, from 0 to 1", Kind: Real, Min: 0, Max: 1},
		Column{Key: "gpus", Name: "GPUs", Help: "Of each machine", Kind: Whole, Min: 0, Max: experiment.MaxGPUs},
		Column{Key: "memory", Name: "Memory", Help: "Of each machine, in GB (1,000,000,000 bytes). Empty: none is asked for", Kind: Real, Min: 0, Max: 1_000_000, Optional: true, Empty: "none"},
		Column{Key: "disk", Name: "Disk", Help: "Of each machine, in GB (1,000,000,000 bytes). Empty: none is asked for", Kind: Real, Min: 0, Max: 1_000_000, Optional: true, Empty: "none"},
	),
	rows: func(e *experiment.Experiment) int { return len(e.Workload.Annotate.Needs) },
	closed: func(s *Draft) string {
		if s.askable() == (experiment.NeedRule{}) {
			return nothingToAsk
		}
		return ""
	},
	get: func(e *experiment.Experiment, row int, key string) Value {
		switch r := &e.Workload.Annotate.Needs[row]; key {
		case "gpus":
			return Value{Int: r.GPUs}
		case "memory":
			return gigabytes(r.Memory)
		case "disk":
			return gigabytes(r.Disk)
		default:
			return Value{Real: r.Share}
		}
	},
	set: func(e *experiment.Experiment, row int, key string, v Value) {
		switch r := &e.Workload.Annotate.Needs[row]; key {
		case "gpus":
			r.GPUs = v.Int
		case "memory":
			r.Memory = v.bytes()
		case "disk":
			r.Disk = v.bytes()
		default:
			r.Share = v.Real
		}
	},
	add: func(s *Draft, e *experiment.Experiment) {
		next := s.askable()
		next.Share = 0.3
		switch {
		case next.GPUs > 0:
			next.GPUs, next.Memory, next.Disk = 1, 0, 0
		case next.Memory > 0:
			next.Memory, next.Disk = next.Memory/2, 0
		default:
			next.Disk /= 2
		}
		e.Workload.Annotate.Needs = append(e.Workload.Annotate.Needs, next)
	},
	remove: func(e *experiment.Experiment, row int) {
		e.Workload.Annotate.Needs = slices.Delete(e.Workload.Annotate.Needs, row, row+1)
	},
}

// nothingToAsk says why no rule of needs can be added.
const nothingToAsk = "The machines have no GPUs, memory or disk that could run short: their table says what they have."

// askable is the most that a machine has of what jobs can ask for, 0 where none is
// limited.
func (s *Draft) askable() (most experiment.NeedRule) {
	for _, c := range s.Settings.Platform.Clusters {
		for _, g := range c.Groups {
			most.GPUs, most.Memory, most.Disk = max(most.GPUs, g.GPUs), max(most.Memory, g.Memory), max(most.Disk, g.Disk)
		}
	}
	if site := s.host.Drawn(); site != nil && s.Settings.Platform.Generator != nil {
		for _, m := range site.Machines {
			most.GPUs, most.Memory, most.Disk = max(most.GPUs, int64(m.GPUs)), max(most.Memory, m.Mem), max(most.Disk, m.Disk)
		}
	}
	return most
}

// gigabytes shows bytes; none is an empty cell.
func gigabytes(bytes int64) Value { return Value{Real: float64(bytes) / 1e9, Unset: bytes == 0} }

// bytes is what gigabytes shows.
func (v Value) bytes() int64 { return int64(v.Real*1e9 + .5) }

// noLicence is how a list says that a job needs no licence at all, or may run
// anywhere.
const noLicence = "-"

var jobSheet = sheet{
	id: "jobs", name: "Single jobs", noun: "job", none: "Nothing is said of single jobs.", most: experiment.MaxAnnotations, path: rowOf("workload.annotate.jobs"),
	help: "What is said of a job replaces what rules gave it.",
	columns: fixed(
		Column{Key: "job", Name: "Job", Help: "Its number", Kind: Whole},
		Column{Key: "due", Name: "Deadline", Help: "In the log's own time, after the submission. Empty: as the rules say", Kind: Duration, Optional: true, Empty: "as by rule"},
		Column{Key: "licences", Name: "Licences", Help: "As name or name:copies; - is none at all. Empty: as the rules say", Kind: List, Empty: "as by rule", Wide: true},
		Column{Key: "weight", Name: "Weight", Help: "How much its tardiness counts. Empty: as the rules say", Kind: Real, Min: experiment.MinWeight, Max: experiment.MaxWeight, Optional: true, Empty: "as by rule", Wide: true, Half: true},
		Column{Key: "setup", Name: "Set-up", Help: "Seconds added to its run and its requested time. Empty: as the rules say", Kind: Duration, Min: 0, Max: experiment.MaxSetup, Optional: true, Empty: "as by rule", Wide: true, Half: true},
		Column{Key: "on", Name: "Runs on", Help: "Names of clusters, machines or properties, of which one is enough; - is anywhere. Empty: as the rules say", Kind: List, Empty: "as by rule", Wide: true},
		Column{Key: "gpus", Name: "GPUs", Help: "Of each machine. Empty: as the rules say", Kind: Whole, Min: 0, Max: experiment.MaxGPUs, Optional: true, Empty: "as by rule", Wide: true, Half: true},
		Column{Key: "memory", Name: "Memory, GB", Help: "Of each machine, in GB (1,000,000,000 bytes). Empty: as the rules say", Kind: Real, Min: 0, Max: 1_000_000, Optional: true, Empty: "as by rule", Wide: true, Half: true},
		Column{Key: "disk", Name: "Disk, GB", Help: "Of each machine, in GB (1,000,000,000 bytes). Empty: as the rules say", Kind: Real, Min: 0, Max: 1_000_000, Optional: true, Empty: "as by rule", Wide: true, Half: true},
	),
	rows: func(e *experiment.Experiment) int { return len(e.Workload.Annotate.Jobs) },
	get: func(e *experiment.Experiment, row int, key string) Value {
		switch a := &e.Workload.Annotate.Jobs[row]; {
		case key == "job":
			return Value{Int: a.Job}
		case key == "due" && a.Due != nil:
			return Value{Int: *a.Due}
		case key == "licences" && a.Licences != nil:
			return Value{List: orNone(*a.Licences)}
		case key == "on" && a.On != nil:
			return Value{List: orNone(*a.On)}
		case key == "weight" && a.Weight != nil:
			return Value{Real: *a.Weight}
		case key == "setup" && a.Setup != nil:
			return Value{Int: *a.Setup}
		case key == "gpus" && a.GPUs != nil:
			return Value{Int: *a.GPUs}
		case key == "memory" && a.Memory != nil:
			return Value{Real: float64(*a.Memory) / 1e9}
		case key == "disk" && a.Disk != nil:
			return Value{Real: float64(*a.Disk) / 1e9}
		}
		return Value{Unset: true}
	},
	set: func(e *experiment.Experiment, row int, key string, v Value) {
		switch a := &e.Workload.Annotate.Jobs[row]; key {
		case "job":
			a.Job = v.Int
		case "due":
			a.Due = nil
			if !v.Unset {
				a.Due = &v.Int
			}
		case "setup":
			a.Setup = nil
			if !v.Unset {
				a.Setup = &v.Int
			}
		case "weight":
			a.Weight = nil
			if !v.Unset {
				a.Weight = &v.Real
			}
		case "gpus":
			a.GPUs = nil
			if !v.Unset {
				a.GPUs = &v.Int
			}
		case "memory", "disk":
			to, bytes := &a.Memory, v.bytes()
			if key == "disk" {
				to = &a.Disk
			}
			if *to = nil; !v.Unset {
				*to = &bytes
			}
		default:
			to := &a.Licences
			if key == "on" {
				to = &a.On
			}
			*to = nil
			if len(v.List) == 1 && v.List[0] == noLicence {
				v.List = []string{}
			}
			if !v.Unset {
				*to = &v.List
			}
		}
	},
	add: func(s *Draft, e *experiment.Experiment) {
		next, taken := int64(1), map[int64]bool{}
		for _, a := range e.Workload.Annotate.Jobs {
			next, taken[a.Job] = max(next, a.Job+1), true
		}
		if s.Preview != nil && next > int64(s.Preview.Jobs) { // a number that no job may have
			for next = 1; taken[next]; next++ {
			}
		}
		e.Workload.Annotate.Jobs = append(e.Workload.Annotate.Jobs, experiment.Annotation{Job: next})
	},
	remove: func(e *experiment.Experiment, row int) {
		e.Workload.Annotate.Jobs = slices.Delete(e.Workload.Annotate.Jobs, row, row+1)
	},
}

// orNone writes an empty list as noLicence.
func orNone(list []string) []string {
	if len(list) == 0 {
		return []string{noLicence}
	}
	return list
}
