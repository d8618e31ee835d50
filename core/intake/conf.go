package intake

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/report"
	"batchlab/core/slurm"
)

// Slurm's configuration, by the manual page of slurm.conf (22.05 to 24.11): lines of
// Key=Value, of which those that begin with NodeName, PartitionName or NodeSet hold
// several; keys in any case; # begins a remark, \ at the end goes on in the next line;
// a row called DEFAULT holds for those below it.

var confLine = regexp.MustCompile(`(?im)^[ \t]*(NodeName|PartitionName|ClusterName|SelectType|SlurmctldHost|ControlMachine|SchedulerType|PriorityType)[ \t]*=`)

var clusterLine = regexp.MustCompile(`(?im)^[ \t]*ClusterName[ \t]*=`)

func sniffConf(text string) bool { return confLine.MatchString(text[:min(len(text), 1<<20)]) }

// pair is one Key=Value.
type pair struct{ key, value string }

// confRow is one logical line.
type confRow struct {
	line  int // the first of its lines in the file
	pairs []pair
	bare  string // what stands there without "=", as in Include
}

// get returns the value of a key, "" for none.
func (r *confRow) get(keys ...string) string {
	for _, p := range r.pairs {
		if slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(k, p.key) }) {
			return p.value
		}
	}
	return ""
}

// confRows splits a configuration into logical lines.
func confRows(text string, f func(confRow)) {
	whole, first, number := "", 0, 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if i := remark(line); i >= 0 {
			line = line[:i]
		}
		if whole == "" {
			first = number
		}
		if cut, more := strings.CutSuffix(strings.TrimRight(line, " \t"), `\`); more {
			if len(whole) < 1<<20 {
				whole = goesOn(whole, cut)
			}
			continue
		}
		if whole = goesOn(whole, line); strings.TrimSpace(whole) != "" {
			f(confPairs(whole, first))
		}
		whole = ""
	}
	if strings.TrimSpace(whole) != "" {
		f(confPairs(whole, first))
	}
}

// goesOn is a line with the one that goes on below it, with nothing between them, as
// Slurm joins them; a list goes on behind the blanks that indent it.
func goesOn(line, more string) string {
	if strings.HasSuffix(line, ",") {
		more = strings.TrimLeft(more, " \t")
	}
	return line + more
}

// remark returns where a remark begins, −1 for none; \# is a plain #.
func remark(line string) int {
	for i := 0; i < len(line); i++ {
		if line[i] == '#' && (i == 0 || line[i-1] != '\\') {
			return i
		}
	}
	return -1
}

// confPairs takes one logical line apart. Values may stand in quotation marks.
func confPairs(s string, line int) confRow {
	row := confRow{line: line}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		end := strings.IndexAny(s, "= \t")
		if end < 0 {
			end = len(s)
		}
		key, rest := s[:end], strings.TrimLeft(s[end:], " \t")
		if !strings.HasPrefix(rest, "=") {
			row.bare = strings.TrimSpace(row.bare + " " + key)
			s = s[end:]
			continue
		}
		rest = strings.TrimLeft(rest[1:], " \t")
		value := rest
		if quote := strings.IndexByte(rest, '"'); quote == 0 {
			value, s, _ = strings.Cut(rest[1:], `"`)
		} else if end = strings.IndexAny(rest, " \t"); end >= 0 {
			value, s = rest[:end], rest[end:]
		} else {
			s = ""
		}
		if key != "" {
			row.pairs = append(row.pairs, pair{key, value})
		}
	}
	return row
}

// with returns a row whose keys that are not there are those of DEFAULT.
func (r confRow) with(defaults []pair) confRow {
	for _, p := range defaults {
		if r.get(p.key) == "" {
			r.pairs = append(r.pairs, p)
		}
	}
	return r
}

// readConf reads slurm.conf, or a part of it that another file includes.
func readConf(text string, m *machine) {
	nodes, parts := m.nodeDefaults, m.partDefaults // of DEFAULT, of what includes this file, too
	confRows(text, func(row confRow) {
		if len(row.pairs) == 0 {
			if word, _, _ := strings.Cut(row.bare, " "); strings.EqualFold(word, "include") {
				m.unused(row.line, "Include", "that file is missing here: give it, too")
			} else {
				m.problem(row.line, "", row.bare, "is no Key=Value")
			}
			return
		}
		if row.bare != "" {
			m.problem(row.line, row.pairs[0].key, row.bare, "is no Key=Value")
		}
		switch first := row.pairs[0]; strings.ToLower(first.key) {
		case "nodename":
			if row.get("Name") != "" { // gres.conf
				m.unused(row.line, "Name", "how devices are bound to cores is not simulated: Gres of slurm.conf says how many there are")
				return
			}
			if strings.EqualFold(first.value, "DEFAULT") {
				nodes = merge(nodes, row.pairs[1:])
				return
			}
			m.confNodes(row.with(nodes))
		case "partitionname":
			if strings.EqualFold(first.value, "DEFAULT") {
				parts = merge(parts, row.pairs[1:])
				return
			}
			m.rows = append(m.rows, row.with(parts)) // nodes may stand below them, or in a file that is included
		case "nodeset":
			m.sets[first.value] = nodeSet{row.get("Nodes"), row.get("Feature", "Features")}
		case "downnodes":
			m.unused(row.line, first.key, "these nodes are counted as there: an outage takes them away")
		case "switchname", "frontendname":
			m.unused(row.line, first.key, "where nodes stand in the network is not simulated")
		default:
			for _, p := range row.pairs {
				m.setting(row.line, p)
			}
		}
	})
	m.nodeDefaults, m.partDefaults = nodes, parts
}

// merge lets later defaults take the place of earlier ones.
func merge(old, more []pair) []pair {
	for _, p := range more {
		if i := slices.IndexFunc(old, func(o pair) bool { return strings.EqualFold(o.key, p.key) }); i >= 0 {
			old[i] = p
		} else {
			old = append(old, p)
		}
	}
	return old
}

// nodeKeys are the keys of NodeName rows that are used, or of no matter here; "" of
// the others says what is lost.
var nodeKeys = map[string]string{
	"nodename": "", "cpus": "", "procs": "", "sockets": "", "socketsperboard": "", "boards": "", "corespersocket": "", "threadspercore": "", "realmemory": "", "tmpdisk": "", "gres": "", "feature": "", "features": "", "weight": "", "state": "",
	"nodeaddr": "", "nodehostname": "", "port": "", "bcastaddr": "", "reason": "", "topology": "where nodes stand in the network is not simulated",
	"corespeccount": "cores kept for the system are counted as free: the machine is larger than Slurm's", "cpuspeclist": "cores kept for the system are counted as free: the machine is larger than Slurm's",
	"memspeclimit": "memory kept for the system is counted as free", "defmempercpu": "jobs that ask for no memory are given none", "cpubind": "",
	"gresdefault": "",
}

// confNodes adds the nodes of one row.
func (m *machine) confNodes(row confRow) {
	n := node{spec: spec{procs: -1, weight: 1}}
	layout, known := int64(1), false
	for _, p := range row.pairs[1:] {
		key := strings.ToLower(p.key)
		number := func(to *int64, scale int64) {
			v, err := strconv.ParseInt(p.value, 10, 64)
			if err != nil || v < 0 || v > mostProcessors*1000 {
				m.problem(row.line, p.key, p.value, "is no whole number")
				return
			}
			*to = v * scale
		}
		switch key {
		case "cpus", "procs":
			number(&n.procs, 1)
		case "sockets", "socketsperboard", "boards", "corespersocket", "threadspercore":
			v := int64(0)
			if number(&v, 1); v > 0 && v < 1<<20 {
				if (key == "sockets" || key == "socketsperboard") && row.get("Sockets") != "" && row.get("SocketsPerBoard") != "" && key == "socketsperboard" {
					break // said in both ways
				}
				layout, known = min(layout*v, mostProcessors), true
			}
		case "realmemory":
			number(&n.memory, 1<<20)
		case "tmpdisk":
			number(&n.disk, 1<<20)
		case "weight":
			number(&n.weight, 1)
		case "gres":
			n.gpus += m.gres(row.line, p.value, &n.features)
		case "feature", "features":
			n.features = joined(n.features, p.value)
		case "state":
			switch state, _, _ := strings.Cut(strings.ToUpper(p.value), "+"); state {
			case "FUTURE":
				m.unused(row.line, "State=FUTURE", "these nodes do not exist yet and are left out")
				return
			case "DOWN", "DRAIN", "DRAINED", "DRAINING", "FAIL", "FAILING":
				n.away = true
				m.unused(row.line, "State="+state, "these nodes are counted as there: an outage takes them away")
			}
		default:
			if costs, ok := nodeKeys[key]; !ok {
				m.unused(row.line, p.key, "is not known here")
			} else if costs != "" {
				m.unused(row.line, p.key, costs)
			}
		}
	}
	if n.procs < 0 {
		if n.procs = 1; known {
			n.procs = layout
		}
	}
	if n.procs < 1 || n.procs > mostProcessors {
		m.problem(row.line, "CPUs", strconv.FormatInt(n.procs, 10), "is no number of processors")
		return
	}
	if t := row.get("ThreadsPerCore"); t != "" && t != "1" && n.procs == layout {
		m.unused(row.line, "ThreadsPerCore", "each hardware thread counts as a processor, as sacct counts them; Slurm gives whole cores to a job")
	}
	m.addNodes(row.line, row.pairs[0].value, n)
}

// addNodes adds a node for each name of a list. A name that is there already is a
// problem of the file.
func (m *machine) addNodes(line int, list string, n node) {
	var err error
	m.left, err = hosts(list, m.left, func(name string) {
		if _, twice := m.byName[name]; twice {
			m.problem(line, "NodeName", name, "is named twice")
			return
		}
		m.byName[name] = len(m.nodes)
		m.nodes = append(m.nodes, n)
	})
	if err != nil {
		m.problem(line, "NodeName", list, err.Error())
	}
}

// joined appends what is new of a list with commas.
func joined(list, more string) string {
	all := strings.FieldsFunc(list, isComma)
	for _, f := range strings.FieldsFunc(more, isComma) {
		if f = strings.TrimSpace(f); f != "" && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return strings.Join(all, ",")
}

func isComma(r rune) bool { return r == ',' || r == '&' }

// gres reads gpu:a100:4(S:0-1),shard:8: how many GPUs, whose types become features.
func (m *machine) gres(line int, list string, features *string) (gpus int64) {
	depth := 0
	for _, one := range strings.FieldsFunc(list, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ',' && depth == 0
	}) {
		one, _, _ = strings.Cut(one, "(")
		words := strings.Split(strings.TrimSpace(one), ":")
		if words[0] == "" {
			continue
		}
		if !strings.EqualFold(words[0], "gpu") {
			m.unused(line, "Gres="+words[0], "what is no GPU is not simulated: jobs that wait for it start too early")
			continue
		}
		n, err := int64(1), error(nil)
		if last := words[len(words)-1]; len(words) > 1 {
			if n, err = strconv.ParseInt(last, 10, 32); err != nil && len(words) == 2 {
				n, err = 1, nil // gpu:a100
				words = append(words, "1")
			}
		}
		if err != nil || n < 0 || n > 1000 {
			m.problem(line, "Gres", one, "is no number of GPUs")
			continue
		}
		if len(words) > 2 {
			*features = joined(*features, words[1])
		}
		gpus += n
	}
	return min(gpus, 1000)
}

// partitionKeys are the keys of PartitionName rows that are used, or of no matter
// here; the others say what is lost.
var partitionKeys = map[string]string{
	"partitionname": "", "nodes": "", "default": "", "maxtime": "", "defaulttime": "", "maxnodes": "", "prioritytier": "", "priorityjobfactor": "", "priority": "", "preemptmode": "", "state": "",
	"minnodes": "jobs of fewer nodes than this are let in",
	"allowqos": "who may use the partition is not checked: the log's jobs were let in", "denyqos": "who may use the partition is not checked: the log's jobs were let in",
	"allowaccounts": "who may use the partition is not checked: the log's jobs were let in", "denyaccounts": "who may use the partition is not checked: the log's jobs were let in", "allowgroups": "who may use the partition is not checked: the log's jobs were let in",
	"allocnodes": "", "hidden": "", "rootonly": "", "disablerootjobs": "", "alternate": "", "cpubind": "", "powerdownonidle": "", "resumetimeout": "", "suspendtime": "", "suspendtimeout": "", "tresbillingweights": "", "jobdefaults": "",
	"maxcpuspernode": "jobs of the partition may take all processors of a node", "maxcpuspersocket": "jobs of the partition may take all processors of a node",
	"defmempercpu": "memory that jobs are given unasked is not simulated", "defmempernode": "memory that jobs are given unasked is not simulated", "maxmempercpu": "", "maxmempernode": "",
	"qos": "", "oversubscribe": "nodes are never shared by force or kept for one job", "shared": "nodes are never shared by force or kept for one job",
	"exclusiveuser": "users share nodes", "lln": "nodes are not chosen by their load", "gracetime": "who is preempted is stopped at once", "overtimelimit": "jobs are stopped at their limit", "reqresv": "reservations are not asked for", "exclusivetopo": "",
}

// confPartition adds one partition.
func (m *machine) confPartition(row confRow) {
	name := row.pairs[0].value
	if name == "" {
		m.problem(row.line, "PartitionName", "", "has no name")
		return
	}
	i := m.partition(name)
	p := &m.out.Partitions[i]
	for _, v := range row.pairs[1:] {
		whole := func(to *int64) {
			n, err := strconv.ParseInt(v.value, 10, 32)
			if err != nil || n < 0 {
				m.problem(row.line, v.key, v.value, "is no whole number")
				return
			}
			*to = n
		}
		span := func(to *int64) {
			n, ok := minutes(v.value)
			if !ok {
				m.problem(row.line, v.key, v.value, "is no time")
			}
			*to = max(n, 0)
		}
		switch key := strings.ToLower(v.key); key {
		case "nodes":
			m.members(row.line, v.value, i, 0)
		case "default":
			p.Default = strings.EqualFold(v.value, "YES")
		case "maxtime":
			span(&p.MaxTime)
		case "defaulttime":
			span(&p.DefaultTime)
		case "maxnodes":
			if !strings.EqualFold(v.value, "UNLIMITED") && !strings.EqualFold(v.value, "INFINITE") {
				whole(&p.MaxNodes)
			}
		case "prioritytier":
			whole(&p.Tier)
		case "priorityjobfactor":
			whole(&p.JobFactor)
		case "priority":
			whole(&p.Tier)
			p.JobFactor = p.Tier
		case "qos":
			p.QOS = v.value
		case "preemptmode":
			p.Preempt = strings.ToUpper(v.value)
		case "state":
			if p.Up = strings.EqualFold(v.value, "UP"); !p.Up {
				m.unused(row.line, "State="+strings.ToUpper(v.value), "the partition takes jobs all the same")
			}
		default:
			if costs, ok := partitionKeys[key]; !ok {
				m.unused(row.line, v.key, "is not known here")
			} else if costs != "" {
				m.unused(row.line, v.key, costs)
			}
		}
	}
	if p.Tier != 1 || p.JobFactor != 1 {
		m.unused(row.line, "PriorityTier, PriorityJobFactor", "only schedulers that use ranks put a partition first")
	}
	if p.Preempt != "" && p.Preempt != "OFF" {
		m.unused(row.line, "PreemptMode", "only the scheduler slurm preempts jobs")
	}
}

// members puts nodes into a partition: ALL, names, and the names of sets.
func (m *machine) members(line int, list string, partition, depth int) {
	if strings.EqualFold(list, "ALL") {
		if m.left -= len(m.nodes); m.left < 0 {
			m.problem(line, "Nodes", list, fmt.Sprintf("more than %d names of nodes", maxHosts))
			return
		}
		for i := range m.nodes {
			m.into(i, partition)
		}
		return
	}
	unknown := 0
	var err error
	m.left, err = hosts(list, m.left, func(name string) {
		if set, ok := m.sets[name]; ok && depth == 0 {
			if set.nodes != "" {
				m.members(line, set.nodes, partition, 1)
			}
			m.featured(set.feature, partition)
		} else if i, ok := m.byName[name]; ok {
			m.into(i, partition)
		} else {
			unknown++
		}
	})
	if err != nil {
		m.problem(line, "Nodes", list, err.Error())
	}
	if unknown > 0 {
		m.problem(line, "Nodes", list, fmt.Sprintf("names %d nodes that no NodeName row describes", unknown))
	}
}

// featured puts the nodes with a feature into a partition.
func (m *machine) featured(feature string, partition int) {
	for i := range m.nodes {
		if feature != "" && slices.Contains(strings.FieldsFunc(m.nodes[i].features, isComma), feature) {
			m.into(i, partition)
		}
	}
}

// minutes reads a time of Slurm's configuration and tools, as seconds: minutes,
// minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes,
// days-hours:minutes:seconds; INFINITE and UNLIMITED are none.
func minutes(s string) (seconds int64, ok bool) {
	switch strings.ToUpper(s) {
	case "INFINITE", "UNLIMITED", "NONE", "N/A", "-1", "":
		return none, true
	}
	if seconds, ok = slurm.Seconds(s); !ok {
		return none, false
	}
	return seconds, true
}

// schedules are the keys of how Slurm schedules, which are shown, with what it costs
// that nothing uses them.
var schedules = map[string]string{
	"schedulertype": "", "schedulerparameters": "schedulers here see every change at once; Slurm looks in intervals and so far",
	"selecttype": "", "selecttypeparameters": "", "prioritytype": "",
	"preempttype": "only the scheduler slurm preempts jobs", "preemptmode": "only the scheduler slurm preempts jobs", "preemptexempttime": "only the scheduler slurm preempts jobs", "preemptparameters": "only the scheduler slurm preempts jobs",
	"prioritydecayhalflife": "", "prioritymaxage": "", "prioritycalcperiod": "", "priorityflags": "", "priorityfavorsmall": "", "priorityusageresetperiod": "", "priorityparameters": "",
	"enforcepartlimits": "", "maxarraysize": "", "killwait": "jobs end at their limit; Slurm lets them run on by up to KillWait and 30 s", "overtimelimit": "jobs end at their limit",
	"defmempercpu": "memory that jobs are given unasked is not simulated", "defmempernode": "memory that jobs are given unasked is not simulated",
	"maxjobcount": "", "maxmempercpu": "", "maxmempernode": "", "jobrequeue": "", "kill_invalid_depend": "", "accountingstorageenforce": "", "grestypes": "", "topologyplugin": "where nodes stand in the network is not simulated",
	"jobsubmitplugins": "what a script changes of jobs as they are submitted is not known", "completewait": "nodes are free as soon as a job has ended", "epilog": "nodes are free as soon as a job has ended", "prolog": "jobs run as soon as they start", "licenses": "licences of the cluster are not counted",
	"fairsharedampeningfactor": "", "exclusiveuser": "",
}

// setting takes a line of its own. Those of daemons, paths and accounting say nothing
// of schedules.
func (m *machine) setting(line int, p pair) {
	key := strings.ToLower(p.key)
	weight := strings.HasPrefix(key, "priorityweight")
	costs, schedule := schedules[key]
	switch {
	case key == "selecttype" && strings.EqualFold(p.value, "select/linear"):
		costs = "Slurm gives whole nodes; here jobs take the processors that the log says"
	case key == "selecttypeparameters" && strings.Contains(strings.ToUpper(p.value), "MEMORY"):
		costs = "memory is not shared out while processors are only counted"
	case key == "prioritytype" && strings.EqualFold(p.value, "priority/multifactor"):
		costs = "jobs keep the order that the scheduler here has, not one of factors"
	case key == "preempttype" && strings.EqualFold(p.value, "preempt/none"), key == "preemptmode" && strings.EqualFold(p.value, "OFF"):
		costs = ""
	}
	if !schedule && !weight {
		if key == "clustername" || strings.HasPrefix(key, "slurm") || confHarmless.MatchString(key) {
			return
		}
		m.unused(line, p.key, "")
		return
	}
	if len(m.out.Scheduling) < maxProblems && key != "prolog" && key != "epilog" {
		m.out.Scheduling = append(m.out.Scheduling, report.Setting{Name: p.key, Value: clip(p.value, 2000), Line: line})
	}
	if costs != "" {
		m.unused(line, p.key, costs)
	}
}

// confHarmless are keys of daemons, ports, paths and logs.
var confHarmless = regexp.MustCompile(`(host|port|type|pass|user|dir|file|location|debug|flags|timeout|interval|freq|addr|machine|plugin|default|format|age|info|service|parameters|controller)$`)
