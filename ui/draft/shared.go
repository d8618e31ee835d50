package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// What the page says of partitions, QOS and accounts: sections that are there where the
// platform has some.

func partitionsSection(s *Draft) Section {
	p := &s.Settings.Platform
	var names, nodes []string
	for i := range p.Partitions {
		part := &p.Partitions[i]
		names = append(names, part.Name)
		if len(part.Nodes) == 0 {
			nodes = append(nodes, part.Name+" has all machines")
		} else {
			nodes = append(nodes, part.Name+" "+words.Count(int(machinesOf(p, part.Nodes)), "machine", "machines"))
		}
	}
	text := "A job runs on machines of its partition only"
	if len(nodes) <= mostNamed {
		text += ": " + strings.Join(nodes, ", ")
	}
	return s.shared("partitions", "Partitions", names, text+". One that asks for more time than its partition gives is left out.", "platform.partitions")
}

func qosSection(s *Draft) Section {
	var names []string
	for _, q := range s.Settings.Platform.QOS {
		names = append(names, q.Name)
	}
	return s.shared("qos", "QOS", names, "What the jobs of a quality of service may hold at a time. A limit of a QOS counts instead of the same one of an account.", "platform.qos")
}

func accountsSection(s *Draft) Section {
	var names []string
	for _, a := range s.Settings.Platform.Accounts {
		names = append(names, strconv.FormatInt(a.Number, 10))
	}
	return s.shared("accounts", "Accounts", names, "By number. Limits of an account bind its jobs and those of all accounts in it; shares order jobs under schedulers that use them.", "platform.accounts")
}

// mostNamed is of how many a summary gives the names.
const mostNamed = 4

// shared is the section of a table that is there while it has rows.
func (s *Draft) shared(id, title string, names []string, text, path string) Section {
	out := Section{Key: id, Title: title}
	if len(names) == 0 {
		return out
	}
	if out.Sum = strings.Join(names, ", "); len(names) > mostNamed {
		out.Sum = strconv.Itoa(len(names))
	}
	many := words.Either(title == "QOS", title, strings.ToLower(title))
	out.Short = words.Count(len(names), strings.TrimSuffix(many, "s"), many)
	out.Items = []Item{{Text: text}, {Sheet: id}}
	for _, f := range s.Faults() {
		if f.Path == path || strings.HasPrefix(f.Path, path) && strings.Contains(f.Path, ".nodes") {
			out.Items = append(out.Items, Item{Fault: f.Message})
		}
	}
	return out
}

// machinesOf counts the machines of a partition; those of a cluster that only counts
// processors count as one.
func machinesOf(p *experiment.Platform, spans []experiment.NodeSpan) (n int64) {
	for _, span := range spans {
		for i := range p.Clusters {
			c := &p.Clusters[i]
			if c.Name != span.Cluster && (span.Cluster != "" || len(p.Clusters) > 1) {
				continue
			}
			there := int64(0)
			for k, g := range c.Groups {
				if span.Group == nil || int(*span.Group) == k {
					there += g.Count
				}
			}
			if c.Packing == "processors" {
				there = 1
			}
			if there -= span.First; span.Count > 0 {
				there = min(there, span.Count)
			}
			n += max(0, there)
		}
	}
	return n
}

// shownLimits are the columns of limits.
const shownLimits = " limits.processors limits.jobs+ limits.user_processors+ limits.user_jobs+"

var partitionSheet = sheet{
	id: "partitions", name: "Partitions", noun: "partition", none: "None.", most: experiment.MaxPartitions, list: "platform.partitions",
	help:  "Parts of the machines with rules of their own",
	shows: "name max_time default_time+ tier+" + shownLimits,
	add: func(_ *Draft, e *experiment.Experiment) {
		names := map[string]bool{}
		last := int64(0)
		for i, p := range e.Platform.Partitions {
			names[p.Name], last = true, max(last, p.Number, int64(i)+1)
		}
		e.Platform.Partitions = append(slices.Clip(e.Platform.Partitions), experiment.Partition{Name: fresh("partition", names), Number: last + 1, Tier: 1, Priority: 1, Preempt: experiment.Preemptions[0]})
	},
	remove: func(e *experiment.Experiment, row int) {
		numberRows(e)
		e.Platform.Partitions = slices.Delete(e.Platform.Partitions, row, row+1)
	},
}

var qosSheet = sheet{
	id: "qos", name: "QOS", noun: "QOS", none: "None.", most: experiment.MaxQOS, list: "platform.qos",
	help:  "Qualities of service",
	shows: "name priority" + shownLimits,
	own: map[string]cells{"name": {set: func(e *experiment.Experiment, row int, v any) {
		to := v.(string)
		q := &e.Platform.QOS[row]
		for i := range e.Platform.Partitions {
			if p := &e.Platform.Partitions[i]; p.QOS == q.Name {
				p.QOS = to
			}
		}
		for i := range e.Platform.QOS {
			for k, name := range e.Platform.QOS[i].Preempts {
				if name == q.Name {
					e.Platform.QOS[i].Preempts[k] = to
				}
			}
		}
		q.Name = to
	}}},
	add: func(_ *Draft, e *experiment.Experiment) {
		names := map[string]bool{}
		last := int64(0)
		for i, q := range e.Platform.QOS {
			names[q.Name], last = true, max(last, q.Number, int64(i)+1)
		}
		e.Platform.QOS = append(slices.Clip(e.Platform.QOS), experiment.QOS{Name: fresh("qos", names), Number: last + 1, Preempt: experiment.Preemptions[0]})
	},
	remove: func(e *experiment.Experiment, row int) {
		numberRows(e)
		name := e.Platform.QOS[row].Name
		e.Platform.QOS = slices.Delete(e.Platform.QOS, row, row+1)
		for i := range e.Platform.Partitions {
			if p := &e.Platform.Partitions[i]; p.QOS == name {
				p.QOS = ""
			}
		}
		for i := range e.Platform.QOS {
			q := &e.Platform.QOS[i]
			q.Preempts = slices.DeleteFunc(q.Preempts, func(other string) bool { return other == name })
			if len(q.Preempts) == 0 {
				q.Preempts = nil
			}
		}
	},
}

var accountSheet = sheet{
	id: "accounts", name: "Accounts", noun: "account", none: "None.", most: experiment.MaxAccounts, list: "platform.accounts",
	help:  "A tree of accounts, by number",
	shows: "number parent shares" + shownLimits,
	own: map[string]cells{"number": {set: func(e *experiment.Experiment, row int, v any) {
		old := e.Platform.Accounts[row].Number
		for i := range e.Platform.Accounts {
			if a := &e.Platform.Accounts[i]; a.Parent == old {
				a.Parent = v.(int64)
			}
		}
		e.Platform.Accounts[row].Number = v.(int64)
	}}},
	add: func(_ *Draft, e *experiment.Experiment) {
		last := int64(0)
		for _, a := range e.Platform.Accounts {
			last = max(last, a.Number)
		}
		e.Platform.Accounts = append(slices.Clip(e.Platform.Accounts), experiment.Account{Number: last + 1, Shares: 1})
	},
	remove: func(e *experiment.Experiment, row int) {
		gone := e.Platform.Accounts[row]
		e.Platform.Accounts = slices.Delete(e.Platform.Accounts, row, row+1)
		for i := range e.Platform.Accounts {
			if a := &e.Platform.Accounts[i]; a.Parent == gone.Number {
				a.Parent = gone.Parent
			}
		}
	},
}

// fresh is a name that none of a list has.
func fresh(word string, taken map[string]bool) string {
	for i := len(taken) + 1; ; i++ {
		if name := fmt.Sprint(word, i); !taken[name] {
			return name
		}
	}
}

// numberRows writes down the numbers that rows have by their place, before one of them
// goes.
func numberRows(e *experiment.Experiment) {
	for i := range e.Platform.Partitions {
		if p := &e.Platform.Partitions[i]; p.Number == 0 {
			p.Number = int64(i) + 1
		}
	}
	for i := range e.Platform.QOS {
		if q := &e.Platform.QOS[i]; q.Number == 0 {
			q.Number = int64(i) + 1
		}
	}
}
