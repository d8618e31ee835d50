package experiment

import (
	"fmt"
	"math"
	"slices"

	"batchlab/core/catalog"
)

// Limits on what a platform is shared out by.
const (
	MaxPartitions = 1000
	MaxSpans      = 1000 // of a partition
	MaxQOS        = 1000
	MaxAccounts   = 10_000
	MaxMembers    = 10_000 // users of an account with shares of their own
	maxTime       = 100 * 366 * 86400
	maxMemory     = math.MaxInt32 << 20 // bytes: it is counted in whole MiB
)

// Partition is a part of the machines with rules of its own.
type Partition struct {
	Name        string
	Number      int64      // by which jobs name it; 0: its place in the list, from 1
	Nodes       []NodeSpan // empty: all machines
	MaxTime     int64      // seconds; 0: any
	DefaultTime int64      // seconds, of jobs that request no time; 0: MaxTime
	Tier        int64      // 1 by default
	Priority    int64      // 1 by default
	QOS         string     // name, "" none
	Preempt     string     // of Preemptions
	Default     bool       // jobs that name no partition are in it
	Limits      Quotas
}

// NodeSpan is some machines of one cluster.
type NodeSpan struct {
	Cluster string // "": the only one
	Group   *int64 // nil: of all groups; else index of one
	First   int64  // machine of the cluster, or of the group, from 0
	Count   int64  // 0: all from First on
}

// QOS is a quality of service.
type QOS struct {
	Name     string
	Number   int64 // by which jobs name it; 0: its place in the list, from 1
	Priority int64
	Preempts []string // names of QOS whose jobs may be stopped for this one's
	Preempt  string   // of Preemptions
	Limits   Quotas
}

// Preemptions are what may become of jobs that are stopped for others.
var Preemptions = []string{"default", "off", "cancel", "requeue", "suspend"}

// Account is one of a tree of accounts. It is known by its number only.
type Account struct {
	Number int64
	Parent int64 // number; 0: the root
	Shares int64 // 1 by default
	Users  []UserShare
	Limits Quotas
}

// UserShare is the share of a user of an account; those who are not named have one.
type UserShare struct{ User, Shares int64 }

// Quotas are what a partition, a QOS or an account lets jobs hold at a time, and what
// it lets a single one ask for. 0: no limit.
type Quotas struct {
	Processors, Jobs               int64    // of all its jobs together
	UserProcessors, UserJobs       int64    // of the jobs of each user
	GroupProcessors, GroupJobs     int64    // of each group of users (field 13)
	AccountProcessors, AccountJobs int64    // of each account, without those below it
	JobProcessors, JobTime         int64    // of each job; time is requested seconds
	Nodes, GPUs, Memory            [5]int64 // in the order of quotaBys; memory in bytes
}

// QuotaRow is one kind of limit.
type QuotaRow struct {
	Key string // of the document
	By  string // whose jobs are counted together: "", "user", "group", "account"; "job": each by itself
	Of  string // what is counted: "processors", "jobs", "time" (seconds), "nodes", "gpus", "memory" (bytes)
	At  func(*Quotas) *int64
}

// quotaBys are whose jobs a limit may count together.
var quotaBys = [...]string{"", "user", "group", "account", "job"}

// QuotaRows are all of them, in the order of documents.
var QuotaRows = append([]QuotaRow{
	{"processors", "", "processors", func(q *Quotas) *int64 { return &q.Processors }},
	{"jobs", "", "jobs", func(q *Quotas) *int64 { return &q.Jobs }},
	{"user_processors", "user", "processors", func(q *Quotas) *int64 { return &q.UserProcessors }},
	{"user_jobs", "user", "jobs", func(q *Quotas) *int64 { return &q.UserJobs }},
	{"group_processors", "group", "processors", func(q *Quotas) *int64 { return &q.GroupProcessors }},
	{"group_jobs", "group", "jobs", func(q *Quotas) *int64 { return &q.GroupJobs }},
	{"account_processors", "account", "processors", func(q *Quotas) *int64 { return &q.AccountProcessors }},
	{"account_jobs", "account", "jobs", func(q *Quotas) *int64 { return &q.AccountJobs }},
	{"job_processors", "job", "processors", func(q *Quotas) *int64 { return &q.JobProcessors }},
	{"job_time", "job", "time", func(q *Quotas) *int64 { return &q.JobTime }},
}, youngRows()...)

// oldRows is how many of QuotaRows are always written in the canonical form; the others
// are younger and stay out of it where they limit nothing.
const oldRows = 10

func youngRows() (list []QuotaRow) {
	for _, of := range []struct {
		key string
		at  func(*Quotas) *[5]int64
	}{
		{"nodes", func(q *Quotas) *[5]int64 { return &q.Nodes }},
		{"gpus", func(q *Quotas) *[5]int64 { return &q.GPUs }},
		{"memory", func(q *Quotas) *[5]int64 { return &q.Memory }},
	} {
		for i, by := range quotaBys {
			key := of.key
			if by != "" {
				key = by + "_" + key
			}
			list = append(list, QuotaRow{key, by, of.key, func(q *Quotas) *int64 { return &of.at(q)[i] }})
		}
	}
	return list
}

// Shared says whether the platform has partitions, QOS or accounts.
func (p *Platform) Shared() bool {
	return len(p.Partitions) > 0 || len(p.QOS) > 0 || len(p.Accounts) > 0
}

// Quoted says whether a partition, QOS or account limits what jobs hold at a time.
func (p *Platform) Quoted() bool {
	holds := func(q *Quotas) bool {
		return slices.ContainsFunc(QuotaRows, func(r QuotaRow) bool { return r.By != "job" && *r.At(q) > 0 })
	}
	return slices.ContainsFunc(p.Partitions, func(x Partition) bool { return holds(&x.Limits) }) ||
		slices.ContainsFunc(p.QOS, func(x QOS) bool { return holds(&x.Limits) }) ||
		slices.ContainsFunc(p.Accounts, func(x Account) bool { return holds(&x.Limits) })
}

// visitShared visits partitions, QOS and accounts. All of it is younger than version
// 1 of the document.
func (p *Platform) visitShared(g *group) {
	visitList(g, "partitions", &p.Partitions, MaxPartitions, (*Partition).visit)
	visitList(g, "qos", &p.QOS, MaxQOS, (*QOS).visit)
	visitList(g, "accounts", &p.Accounts, MaxAccounts, (*Account).visit)
	if g.checks() {
		p.checkPartitions(g)
		p.checkQOS(g)
		p.checkAccounts(g)
	}
}

var (
	numberRow = row{Key: "number", Max: math.MaxInt32, Help: "By which jobs name it; 0: its place in the list, from 1."}
	qosRow    = row{Key: "qos", Type: catalog.Words, Most: MaxName, Help: "Name of the QOS whose limits go before those of the job's own; empty: none."}
	stopRow   = row{Key: "preempt", Type: catalog.Enum, Noun: "way to stop a job", Default: Preemptions[0], Options: named(Preemptions), Help: "What becomes of its jobs when they are stopped for others."}
	sharesRow = row{Key: "shares", Name: "Shares", Max: math.MaxInt32, Default: int64(1), Help: "Of what the account above has, under schedulers that use shares"}
)

// named are options of which the page shows none.
func named(keys []string) (list []catalog.Option) {
	for _, key := range keys {
		list = append(list, catalog.Option{Key: key})
	}
	return list
}

func (p *Partition) visit(g *group) {
	g.field(&p.Name, nameRow)
	g.field(&p.Number, numberRow)
	visitList(g, "nodes", &p.Nodes, MaxSpans, (*NodeSpan).visit)
	g.field(&p.MaxTime, row{Key: "max_time", Name: "Longest", Type: catalog.Seconds, Max: maxTime, Empty: "any", Help: "Longest requested time; jobs that ask for more are left out. Empty: any"})
	g.field(&p.DefaultTime, row{Key: "default_time", Name: "Without a request", Type: catalog.Seconds, Max: maxTime, Empty: "longest", Help: "Requested time of jobs that state none. Empty: the longest"})
	g.field(&p.Tier, row{Key: "tier", Name: "Tier", Max: math.MaxInt32, Default: int64(1), Help: "Jobs of a higher one go first, under schedulers that use it"})
	g.field(&p.Priority, row{Key: "priority", Max: math.MaxInt32, Default: int64(1), Help: "Its factor of jobs' priorities, under schedulers that use it"})
	g.field(&p.QOS, qosRow)
	g.field(&p.Preempt, stopRow)
	g.field(&p.Default, row{Key: "default", Type: catalog.Bool, Later: true, Help: "Jobs that name no partition are in it; one at most is it."})
	g.child("limits", p.Limits.visit)
	g.ordered("max_time", p.DefaultTime, p.MaxTime)
}

func (s *NodeSpan) visit(g *group) {
	g.field(&s.Cluster, row{Key: "cluster", Type: catalog.Words, Most: MaxName, Help: "Its name, needed where there are several."})
	g.field(&s.Group, row{Key: "group", Max: MaxGroups, Optional: true, Help: "Group of the cluster, from 0; null: all its machines, in the order of groups."})
	g.field(&s.First, row{Key: "first", Max: MaxMachines, Help: "The first machine of the cluster, or of the group, from 0."})
	g.field(&s.Count, row{Key: "count", Max: MaxMachines, Help: "How many; 0: all from there on."})
}

func (q *QOS) visit(g *group) {
	g.field(&q.Name, nameRow)
	g.field(&q.Number, numberRow)
	g.field(&q.Priority, row{Key: "priority", Name: "Priority", Max: math.MaxInt32, Help: "Its factor of jobs' priorities, under schedulers that use it"})
	g.field(&q.Preempts, row{Key: "preempts", Type: catalog.Names, Most: MaxQOS, Help: "QOS whose jobs may be stopped for this one's."})
	g.field(&q.Preempt, stopRow)
	g.child("limits", q.Limits.visit)
}

func (a *Account) visit(g *group) {
	g.field(&a.Number, row{Key: "number", Name: "Number", Required: true, Min: 1, Max: math.MaxInt32, Help: "By which jobs name it"})
	g.field(&a.Parent, row{Key: "parent", Name: "In", Max: math.MaxInt32, Empty: "none", Help: "Number of the account above it. Empty: none"})
	g.field(&a.Shares, sharesRow)
	visitList(g, "users", &a.Users, MaxMembers, (*UserShare).visit)
	g.child("limits", a.Limits.visit)
}

func (u *UserShare) visit(g *group) {
	g.field(&u.User, row{Key: "user", Required: true, Max: math.MaxInt32, Help: "Number of a user of the account."})
	g.field(&u.Shares, sharesRow)
}

// quotaNames are what the page calls those of QuotaRows that it shows.
var quotaNames = [oldRows][2]string{
	{"Procs", "Most processors that all its jobs together hold at a time. Empty: any"},
	{"Jobs", "Most of its jobs that run at a time. Empty: any"},
	{"Procs of a user", "Most processors that each user's jobs hold at a time. Empty: any"},
	{"Jobs of a user", "Most jobs of each user that run at a time. Empty: any"},
}

func (q *Quotas) visit(g *group) {
	for i := range QuotaRows {
		r, of := &QuotaRows[i], row{Max: math.MaxInt32, Empty: "any", Later: i >= oldRows}
		switch r.Of {
		case "time":
			of.Max = maxTime
		case "memory":
			of.Max = maxMemory
		}
		if of.Key = r.Key; i < oldRows {
			of.Name, of.Help = quotaNames[i][0], quotaNames[i][1]
		}
		g.field(r.At(q), of)
	}
}

// tag is a name with the number by which jobs may say it instead.
type tag struct {
	name   string
	number int64
}

// checkTags says where names or numbers of a list do not tell its items apart.
func checkTags(g *group, key, what string, list []tag) {
	names, numbers := map[string]bool{}, map[int64]bool{}
	for i, t := range list {
		place, n := index(join(g.path, key), i), t.number
		if n == 0 {
			n = int64(i) + 1
		}
		if names[t.name] {
			g.c.add(g.at(), join(place, "name"), "a "+what+" "+quote(t.name)+" stands already in the list")
		}
		if numbers[n] {
			g.c.add(g.at(), join(place, "number"), fmt.Sprintf("another %s has the number %d", what, n))
		}
		names[t.name], numbers[n] = true, true
	}
}

func (p *Platform) checkPartitions(g *group) {
	var tags []tag
	standard, qos := "", p.qosNames()
	for i := range p.Partitions {
		part := &p.Partitions[i]
		tags = append(tags, tag{part.Name, part.Number})
		place := index(join(g.path, "partitions"), i)
		if part.Default {
			if standard != "" {
				g.c.add(g.at(), join(place, "default"), "jobs that name no partition are already in "+quote(standard))
			}
			standard = part.Name
		}
		if part.QOS != "" && !slices.Contains(qos, part.QOS) {
			g.c.add(g.at(), join(place, "qos"), "unknown QOS "+quote(part.QOS)+oneOf(part.QOS, qos))
		}
		for k := range part.Nodes {
			p.checkSpan(g, index(join(place, "nodes"), k), &part.Nodes[k])
		}
	}
	checkTags(g, "partitions", "partition", tags)
}

func (p *Platform) qosNames() []string {
	names := make([]string, len(p.QOS))
	for i := range p.QOS {
		names[i] = p.QOS[i].Name
	}
	return names
}

// checkSpan checks machines against the clusters of the document. What a generator
// makes is not known yet: there the run says it.
func (p *Platform) checkSpan(g *group, place string, s *NodeSpan) {
	if p.Generator != nil {
		return
	}
	if len(p.Clusters) == 0 {
		if s.Cluster != "" || s.Group != nil || s.First > 0 || s.Count > 0 {
			g.c.add(g.at(), place, "the platform only counts processors: a partition of it is all of it; give clusters with machines")
		}
		return
	}
	cluster, problem := p.cluster(s.Cluster)
	if cluster == nil {
		g.c.add(g.at(), join(place, "cluster"), problem)
		return
	}
	machines, of := int64(0), "cluster "+quote(cluster.Name)
	for k, n := range cluster.Groups {
		if s.Group == nil || int(*s.Group) == k {
			machines += n.Count
		}
	}
	switch {
	case cluster.Packing == "processors" && (s.Group != nil || s.First > 0 || s.Count > 0):
		g.c.add(g.at(), place, of+" only counts processors: a partition of it is all of it, unless its packing is nodes or machine")
	case s.Group != nil && int(*s.Group) >= len(cluster.Groups):
		g.c.add(g.at(), join(place, "group"), fmt.Sprintf("%s has no group %d, only 0 to %d", of, *s.Group, len(cluster.Groups)-1))
	case s.First >= machines:
		g.c.add(g.at(), join(place, "first"), fmt.Sprintf("there is no machine %d; the last is %d", s.First, machines-1))
	case s.First+s.Count > machines:
		g.c.add(g.at(), join(place, "count"), fmt.Sprintf("must be at most %d, which are there from first on, not %d", machines-s.First, s.Count))
	}
}

// cluster returns the cluster of a name, or what is wrong with it; "" is the only one.
func (p *Platform) cluster(name string) (*Cluster, string) {
	var names []string
	for k := range p.Clusters {
		names = append(names, p.Clusters[k].Name)
		if p.Clusters[k].Name == name || name == "" && len(p.Clusters) == 1 {
			return &p.Clusters[k], ""
		}
	}
	if name == "" {
		return nil, "missing: there are several clusters"
	}
	return nil, "unknown cluster " + quote(name) + oneOf(name, names)
}

func (p *Platform) checkQOS(g *group) {
	var tags []tag
	names := p.qosNames()
	for i := range p.QOS {
		q := &p.QOS[i]
		tags = append(tags, tag{q.Name, q.Number})
		for k, name := range q.Preempts {
			if !slices.Contains(names, name) {
				g.c.add(g.at(), index(join(index(join(g.path, "qos"), i), "preempts"), k), "unknown QOS "+quote(name)+oneOf(name, names))
			}
		}
	}
	checkTags(g, "qos", "QOS", tags)
}

// checkAccounts checks that accounts are told apart and are a tree.
func (p *Platform) checkAccounts(g *group) {
	at := map[int64]int{}
	for i := range p.Accounts {
		a, place := &p.Accounts[i], index(join(g.path, "accounts"), i)
		if _, twice := at[a.Number]; twice {
			g.c.add(g.at(), join(place, "number"), fmt.Sprintf("an account %d stands already in the list", a.Number))
			continue
		}
		at[a.Number] = i
		users := map[int64]bool{}
		for k, u := range a.Users {
			if users[u.User] {
				g.c.add(g.at(), join(index(join(place, "users"), k), "user"), fmt.Sprintf("user %d stands already in the list", u.User))
			}
			users[u.User] = true
		}
	}
	const (
		unseen = iota
		open
		rooted
	)
	state := make([]int, len(p.Accounts))
	for i := range p.Accounts {
		// Walk up until a known end; what was walked over ends there, too.
		k := i
		var way []int
		for state[k] == unseen {
			state[k] = open
			way = append(way, k)
			parent := p.Accounts[k].Parent
			if parent == 0 {
				break
			}
			next, ok := at[parent]
			if !ok {
				g.c.add(g.at(), join(index(join(g.path, "accounts"), k), "parent"), fmt.Sprintf("there is no account %d", parent))
				break
			}
			if state[next] == open {
				g.c.add(g.at(), join(index(join(g.path, "accounts"), k), "parent"), fmt.Sprintf("account %d stands below itself", p.Accounts[k].Number))
				break
			}
			k = next
		}
		for _, k := range way {
			state[k] = rooted
		}
	}
}

// cloneShared puts deep copies of partitions, QOS and accounts in the place of them.
func (p *Platform) cloneShared() {
	p.Partitions, p.QOS, p.Accounts = slices.Clone(p.Partitions), slices.Clone(p.QOS), slices.Clone(p.Accounts)
	for i := range p.Partitions {
		part := &p.Partitions[i]
		part.Nodes = slices.Clone(part.Nodes)
		for k := range part.Nodes {
			part.Nodes[k].Group = clonePointer(part.Nodes[k].Group)
		}
	}
	for i := range p.QOS {
		p.QOS[i].Preempts = slices.Clone(p.QOS[i].Preempts)
	}
	for i := range p.Accounts {
		p.Accounts[i].Users = slices.Clone(p.Accounts[i].Users)
	}
}
