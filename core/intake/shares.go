package intake

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/report"
)

// What a configuration says of partitions, QOS and accounts, as a document's platform
// takes it (core/experiment). Numbers are those by which the jobs of a log name them.

// confQuotas are the limits of Slurm that a document knows, by the names that sacctmgr
// gives them, lower case without blanks; those on resources (tres) list several of them,
// of which key is what stands before the document's word for each.
var confQuotas = []struct {
	key   string // of the document
	names []string
	tres  bool // a list cpu=4,node=2
}{
	{"", []string{"grptres"}, true},
	{"processors", []string{"grpcpus"}, false},
	{"nodes", []string{"grpnodes"}, false},
	{"jobs", []string{"grpjobs"}, false},
	{"user_", []string{"maxtrespu", "maxtresperuser"}, true},
	{"user_jobs", []string{"maxjobspu", "maxjobsperuser"}, false},
	{"account_", []string{"maxtrespa", "maxtresperaccount"}, true},
	{"account_jobs", []string{"maxjobspa", "maxjobsperaccount"}, false},
	{"job_", []string{"maxtres", "maxtresperjob"}, true},
	{"job_processors", []string{"maxcpus", "maxcpusperjob"}, false},
	{"job_nodes", []string{"maxnodes", "maxnodesperjob"}, false},
	{"job_time", []string{"maxwall", "maxwalldurationperjob"}, false},
}

// confMinutes are the limits of Slurm on products of resources and time, which no
// simulation goes by, with what that may cost.
var confMinutes = []struct {
	names []string
	costs string
}{
	{[]string{"grptresmins", "grpcpumins", "grpwall"}, "jobs whose minutes were used up waited for ever, or until usage had decayed; here they run"},
	{[]string{"grptresrunmins", "grpcpurunmins", "maxtresrunmins", "maxtresrunminspu", "maxtresrunminsperuser", "maxtresrunminspa", "maxtresrunminsperaccount", "maxcpurunminsperuser"}, "jobs waited while those that ran had too many minutes left; here they do not, so bursts of long jobs start earlier"},
	{[]string{"maxtresmins", "maxtresminspj", "maxtresminsperjob", "maxcpumins", "maxcpuminsperjob"}, "jobs that asked for more minutes than this never ran; here they do"},
}

// minutesCosts is what may come of it that nothing goes by a limit, "" for one that is
// not on minutes.
func minutesCosts(name string) string {
	for _, m := range confMinutes {
		if slices.Contains(m.names, strings.ToLower(name)) {
			return m.costs
		}
	}
	return ""
}

// tres are the resources of Slurm's lists that a document limits, by its words for them.
var tres = map[string]string{"cpu": "processors", "node": "nodes", "mem": "memory", "gres/gpu": "gpus"}

// quotas reads limits in Slurm's words: what a document knows, and whether there is
// more.
func quotas(list []report.Setting) (known map[string]int64, more bool) {
	known = map[string]int64{}
	for _, s := range list {
		name, taken := strings.ToLower(s.Name), false
		for _, q := range confQuotas {
			if !slices.Contains(q.names, name) {
				continue
			}
			taken = true
			if q.tres {
				for _, part := range strings.Split(s.Value, ",") {
					what, value, _ := strings.Cut(part, "=")
					n, ok := amount(what, value)
					if tres[what] == "" || !ok {
						more = true
						continue
					}
					known[q.key+tres[what]] = n
				}
				continue
			}
			n, err := strconv.ParseInt(s.Value, 10, 31)
			ok := err == nil
			if q.key == "job_time" {
				n, ok = minutes(s.Value)
			}
			if ok && n > 0 && n <= mostSeconds {
				known[q.key] = n
			}
		}
		more = more || !taken && name != "preempt" && minutesCosts(name) == ""
	}
	return known, more
}

// amount reads how much of a resource a limit lets jobs have: a number, of memory in MiB
// or with its unit, in bytes. A limit of none at all is not one that a document has.
func amount(what, value string) (int64, bool) {
	if what != "mem" {
		n, err := strconv.ParseInt(value, 10, 32)
		return n, err == nil && n > 0
	}
	n, ok := kilobytes([]byte(value))
	return n << 10, ok && n > 0 && n <= mostMemory>>10
}

// mostMemory bounds memory that a document limits, in bytes.
const mostMemory = (1<<31 - 1) << 20

// mostSeconds bounds times of a document: a hundred years.
const mostSeconds = 100 * 366 * 86400

// enforced says whether the cluster minds limits of QOS and accounts: where no
// configuration says, it is taken to.
func (m *machine) enforced() bool {
	if !slices.Contains(m.out.Files, "slurm.conf") {
		return true
	}
	for _, s := range m.out.Scheduling {
		if strings.EqualFold(s.Name, "AccountingStorageEnforce") {
			words := strings.FieldsFunc(strings.ToLower(s.Value), isComma)
			return slices.ContainsFunc(words, func(w string) bool { return w == "limits" || w == "safe" || w == "all" || w == "1" })
		}
	}
	return false
}

// splits says whether a partition has some of the nodes and not all.
func (m *machine) splits() bool {
	return slices.ContainsFunc(m.out.Partitions, func(p report.ConfPartition) bool { return p.Nodes > 0 && p.Nodes < m.out.Nodes })
}

// preemptions are Slurm's words for what becomes of a job that is stopped for another.
var preemptions = map[string]string{"OFF": "off", "CANCEL": "cancel", "REQUEUE": "requeue", "SUSPEND": "suspend", "GANG,SUSPEND": "suspend", "SUSPEND,GANG": "suspend"}

// numbered returns the numbers of names: those of the log, and further ones for names
// that it does not have.
func numbered(names, known []string) []int {
	list, next := make([]int, len(names)), len(known)
	for i, name := range names {
		if k := slices.Index(known, name); k >= 0 {
			list[i] = k + 1
		} else {
			next++
			list[i] = next
		}
	}
	return list
}

// shares adds partitions, QOS and accounts to a platform. of says for each group of
// nodes of the document in which partitions it is; nil: each is in all.
func (m *machine) shares(platform map[string]any, of [][]int) {
	known := m.names
	if known == nil {
		known = &Names{}
	}
	binds := m.enforced()
	dropped, partial := false, false
	limitsOf := func(list []report.Setting) map[string]int64 {
		known, more := quotas(list)
		if !binds {
			dropped = dropped || len(known) > 0
			return nil
		}
		partial = partial || more
		for _, s := range list {
			if costs := minutesCosts(s.Name); costs != "" {
				m.unused(s.Line, s.Name+"="+s.Value, costs)
			}
		}
		return known
	}
	var names []string
	for _, q := range m.out.QOS {
		names = append(names, q.Name)
	}
	var qos []any
	for i, number := range numbered(names, known.QOS) {
		q := &m.out.QOS[i]
		one := map[string]any{"name": q.Name, "number": number}
		if q.Priority > 0 && q.Priority < 1<<31 {
			one["priority"] = q.Priority
		}
		if limits := limitsOf(q.Limits); len(limits) > 0 {
			one["limits"] = limits
		}
		for _, s := range q.Limits {
			if strings.EqualFold(s.Name, "preempt") {
				var list []string
				for _, name := range strings.FieldsFunc(s.Value, isComma) {
					if slices.Contains(names, name) && !slices.Contains(list, name) {
						list = append(list, name)
					}
				}
				one["preempts"] = list
			}
		}
		qos = append(qos, one)
	}
	var parts []string
	for _, p := range m.out.Partitions {
		parts = append(parts, p.Name)
	}
	var partitions []any
	for i, number := range numbered(parts, known.Partitions) {
		p := &m.out.Partitions[i]
		if p.Nodes == 0 {
			m.unused(0, "PartitionName="+p.Name, "no node of it is known: its jobs may run anywhere")
			continue
		}
		one := map[string]any{"name": p.Name, "number": number}
		if p.MaxTime > 0 && p.MaxTime <= mostSeconds {
			one["max_time"] = p.MaxTime
		}
		if p.DefaultTime > 0 && p.DefaultTime <= mostSeconds && (p.MaxTime <= 0 || p.DefaultTime <= p.MaxTime) {
			one["default_time"] = p.DefaultTime
		}
		one["tier"], one["priority"] = p.Tier, p.JobFactor
		if slices.Contains(names, p.QOS) {
			one["qos"] = p.QOS
		}
		if p.Default && !slices.ContainsFunc(partitions, func(x any) bool { return x.(map[string]any)["default"] == true }) {
			one["default"] = true
		}
		if word := preemptions[p.Preempt]; word != "" {
			one["preempt"] = word
		}
		if of != nil && p.Nodes > 0 && p.Nodes < m.out.Nodes {
			var spans []any
			for g := range of {
				if slices.Contains(of[g], i) {
					spans = append(spans, map[string]any{"group": g})
				}
			}
			one["nodes"] = spans
		}
		if p.MaxNodes > 0 {
			one["limits"] = map[string]int64{"job_nodes": min(p.MaxNodes, 1<<31-1)}
		}
		partitions = append(partitions, one)
	}
	if len(partitions) > 0 && len(partitions) <= mostShares {
		platform["partitions"] = partitions
		if len(qos) > 0 && len(qos) <= mostShares {
			platform["qos"] = qos
		}
	}
	if m.names != nil {
		if accounts := m.tree(known.Accounts, limitsOf); len(accounts) > 0 && len(accounts) <= mostMachines {
			platform["accounts"] = accounts
		}
	} else if len(m.out.Accounts) > 0 {
		m.unused(0, "Account", "accounts are known by numbers, which come with the jobs: their limits do not bind before these are there")
	}
	if dropped {
		m.unused(0, "AccountingStorageEnforce", "the cluster does not enforce limits of QOS and accounts: they are left out")
	}
	if partial {
		m.unused(0, "GrpTRES and the like", "of limits those on processors, nodes, GPUs, memory, running jobs and a job's time bind; those on submitted jobs, single nodes and other resources do not")
	}
}

// mostShares bounds partitions and QOS of a document.
const mostShares = 1000

// tree writes the accounts, by the log's numbers, with what is said of their users'
// shares.
func (m *machine) tree(known []string, limitsOf func([]report.Setting) map[string]int64) (list []any) {
	names := make([]string, len(m.out.Accounts))
	for name, k := range m.accounts {
		names[k-1] = name
	}
	numbers := numbered(names, known)
	for i, a := range m.out.Accounts {
		one := map[string]any{"number": numbers[i], "shares": min(a.Shares, 1<<31-1)}
		if a.Parent > 0 {
			one["parent"] = numbers[a.Parent-1]
		}
		if limits := limitsOf(a.Limits); len(limits) > 0 {
			one["limits"] = limits
		}
		var users []map[string]any
		for _, u := range m.belong[i+1] {
			if k := slices.Index(m.names.Users, u.name); k >= 0 && u.shares != 1 {
				users = append(users, map[string]any{"user": k + 1, "shares": u.shares})
			}
		}
		slices.SortFunc(users, func(a, b map[string]any) int { return cmp.Compare(a["user"].(int), b["user"].(int)) })
		if len(users) > 0 && len(users) <= mostMachines {
			one["users"] = users
		}
		list = append(list, one)
	}
	return list
}

// memberOf is a user of an account, whose name stays here.
type memberOf struct {
	name   string
	shares int64
}

// limitsIn keeps what a row of associations says of an account's limits.
func limitsIn(line int, cell func(...string) string) (list []report.Setting) {
	add := func(of, name string) {
		if v := cell(of); v != "" {
			list = append(list, report.Setting{Name: name, Value: brief(v), Line: line})
		}
	}
	for _, q := range confQuotas {
		for _, name := range q.names {
			add(name, name)
		}
	}
	for _, m := range confMinutes {
		for _, name := range m.names {
			add(name, name)
		}
	}
	add("maxjobs", "maxjobspu") // of an account's MaxJobs each of its users has as many
	return list
}
