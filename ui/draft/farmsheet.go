package draft

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

var clusterSheet = sheet{
	id: "clusters", name: "Clusters", noun: "cluster", none: "No cluster.", most: experiment.MaxClusters, list: "platform.clusters",
	shows: "name packing",
	own: map[string]cells{"name": {set: func(e *experiment.Experiment, row int, v any) {
		renameCluster(e, e.Platform.Clusters[row].Name, v.(string))
		e.Platform.Clusters[row].Name = v.(string)
	}}},
	add: func(_ *Draft, e *experiment.Experiment) {
		name := free("cluster-", func(name string) bool {
			return slices.ContainsFunc(e.Platform.Clusters, func(c experiment.Cluster) bool { return c.Name == name })
		})
		e.Platform.Clusters = append(e.Platform.Clusters, experiment.Cluster{Name: name, Packing: "machine", Groups: []experiment.NodeGroup{newGroup()}})
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
	id: "groups", name: "Machines", noun: "group of equal machines", most: experiment.MaxGroups, list: "platform.clusters[].groups",
	shows: "count processors speed memory licences* cluster* gpus+ disk+ properties*",
	path: func(e *experiment.Experiment, row int) string {
		c, g := groupAt(e, row)
		return "platform.clusters[" + strconv.Itoa(c) + "].groups[" + strconv.Itoa(g) + "]"
	},
	column: func(s *Draft, c *Column) bool {
		switch c.Key {
		case "cluster":
			*c = Column{catalog.Param{Key: c.Key, Name: "Cluster", Type: catalog.Enum, Options: s.clusterNames()}, true, false}
			return len(c.Options) > 1
		case "gpus", "disk", "properties":
			return s.showsDetails()
		}
		return true
	},
	own: map[string]cells{"cluster": {
		get: func(e *experiment.Experiment, row int) any {
			c, _ := groupAt(e, row)
			return e.Platform.Clusters[c].Name
		},
		set: func(e *experiment.Experiment, row int, v any) {
			c, at := groupAt(e, row)
			to := slices.IndexFunc(e.Platform.Clusters, func(c experiment.Cluster) bool { return c.Name == v })
			if to != c && to >= 0 {
				e.Platform.Clusters[to].Groups = append(e.Platform.Clusters[to].Groups, e.Platform.Clusters[c].Groups[at])
				e.Platform.Clusters[c].Groups = slices.Delete(e.Platform.Clusters[c].Groups, at, at+1)
			}
		},
	}},
	rows: func(e *experiment.Experiment) int {
		n := 0
		for _, c := range e.Platform.Clusters {
			n += len(c.Groups)
		}
		return n
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

// clusterNames are the clusters of the settings, to choose one of them.
func (s *Draft) clusterNames() (list []catalog.Option) {
	for _, c := range s.Settings.Platform.Clusters {
		list = append(list, catalog.Option{Key: c.Name, Name: c.Name})
	}
	return list
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
	id: "licences", name: "Floating licences", noun: "licence", none: "No floating licences.", most: experiment.MaxLicences, list: "platform.licences",
	shows: "name copies",
	own: map[string]cells{"name": {set: func(e *experiment.Experiment, row int, v any) {
		renameLicence(e, e.Platform.Licences[row].Name, v.(string))
		e.Platform.Licences[row].Name = v.(string)
	}}},
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
	id: "rules", name: "Licences by rule", noun: "rule", none: "No job needs a licence by rule.", most: experiment.MaxLicences, list: "workload.annotate.licences",
	help:  "A share of the jobs, drawn at random, needs copies of a licence; * is each licence by itself.",
	shows: "licence share copies",
	add: func(_ *Draft, e *experiment.Experiment) {
		e.Workload.Annotate.Licences = append(e.Workload.Annotate.Licences, experiment.LicenceRule{Licence: "*", Share: 0.3, Copies: 1})
	},
}

var eligibleSheet = sheet{
	id: "eligible", name: "Where jobs may run", noun: "rule of eligibility", none: "Every job may run wherever it fits.", most: experiment.MaxEligible, list: "workload.annotate.eligible",
	help:  "A share of the jobs, drawn at random, may run only on machines that have one of these names.",
	shows: "share on*",
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
}

var needSheet = sheet{
	id: "needs", name: "GPUs, memory and disk", noun: "rule of needs", none: "Jobs ask for processors alone.", most: experiment.MaxNeeds, list: "workload.annotate.needs",
	help:  "A share of the jobs, drawn at random, asks for so much of each machine that it runs on: GPUs, and GB of memory and disk, as far as machines have them.",
	shows: "share gpus memory disk",
	closed: func(s *Draft) string {
		if s.askable() == (experiment.NeedRule{}) {
			return nothingToAsk
		}
		return ""
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

var jobSheet = sheet{
	id: "jobs", name: "Single jobs", noun: "job", none: "Nothing is said of single jobs.", most: experiment.MaxAnnotations, list: "workload.annotate.jobs",
	help:  "What is said of a job replaces what rules gave it.",
	shows: "job due licences* weight+ setup+ on* gpus+ memory+ disk+",
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
}
