// Package recorded plays a run of a real Slurm again: it reads what was kept of it
// (configuration, what was submitted, accounting, the instants at which the
// controller's loops ran), lets the decisions of core/slurm run at those instants, or
// freely by their own clock, and sets each start beside Slurm's.
//
// It has an event loop of its own instead of core/sim's: a controller's order of
// events is one of milliseconds (a job's end, its epilog and a pass stand a few of them
// apart, and what comes first decides), while its clock and all its plans are whole
// seconds. core/sim has one clock of whole seconds.
package recorded

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/intake"
	"batchlab/core/slurm"
)

// Files are the contents of a run's folder. QOS and Dump may be empty.
type Files struct {
	Run, Conf, Workload, Sent, Instants, Sacct, QOS, Dump []byte
	Log                                                   []byte // slurmctld's, with debug2; may be empty if Instants is not
	Config                                                []byte // scontrol show config; may be empty
	Topology                                              []byte // topology.conf; may be empty
}

// instant is a line of instants.csv.
type instant struct {
	at    int64 // milliseconds since t0
	what  string
	which string
	by    string // of a start: main or bf
}

// task is one job, or one task of an array: what became of it in Slurm.
type task struct {
	id       string // Slurm's JobID
	runs     int64  // milliseconds that it was to run
	attempts []attempt
}

// attempt is a row of sacct.
type attempt struct {
	start, end int64 // seconds, 0 none
	state      string
	byMain     bool
	took       int64 // milliseconds from the pass that started it to its end, 0 unknown
}

// run is a recorded run.
type run struct {
	t0       int64
	cluster  slurm.Cluster
	jobs     []slurm.Job // Tag is the index into asks
	asks     []ask
	tasks    map[string]*task // by JobID
	order    []string         // JobIDs as sacct has them
	instants []instant
	epilogs  map[string][]int64
	released map[string]release
	nodes    []string         // names, in the order of slurm.conf
	began    int64            // when the controller began to work out priorities, by its log; 0 unknown
	delays   map[string]int64 // by JobID: after how many milliseconds nodes were free, where settle found out
	passes   []int64          // of both loops
	version  string           // of Slurm, as the run's files give it; "" if they do not
	notes    []string         // what is not gone by
	overhead int64            // milliseconds that a job takes beyond its run time, the middle one
}

// ask is a line of workload.csv.
type ask struct {
	submit, cancel int64 // milliseconds; cancel -1 none
	runs           []int64
	exit           int
	id             int64
	reservation    string
}

// Read reads a run. Errors name the file and what is wrong with it.
func Read(f Files) (*Run, error) {
	r := &run{tasks: map[string]*task{}, epilogs: map[string][]int64{}, delays: map[string]int64{}}
	for _, step := range []struct {
		name string
		read func() error
	}{
		{"slurm.conf", func() error { return r.readConf(string(f.Conf), r.readVersion(f)) }},
		{"topology.conf", func() error { return r.readTopology(string(f.Topology)) }},
		{"sacctmgr-dump.cfg", func() error { return r.readDump(string(f.Dump)) }},
		{"qos.psv", func() error { return r.readQOS(string(f.QOS)) }},
		{"sacct-X.psv", func() error { return r.readSacct(string(f.Sacct)) }},
		{"workload.csv, sent.json", func() error { return r.readWorkload(string(f.Workload), f.Sent) }},
		{"instants.csv", func() error { return r.readInstants(string(f.Instants), string(f.Log)) }},
		{"run.json", func() error { return r.readRun(f.Run) }},
	} {
		if err := step.read(); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	r.readLog(string(f.Log))
	r.durations()
	r.strangers()
	return &Run{r}, nil
}

// readConf reads slurm.conf.
func (r *run) readConf(text string, version int) error {
	p := slurm.Defaults(version)
	p.NoDatabase = true // unless AccountingStorageType says otherwise
	byName := map[string]int{}
	lines := intake.ConfLines(text)
	for _, l := range lines {
		r.noteRow(&l)
		switch l.Key {
		case "nodename":
			names, err := intake.Hosts(l.Text)
			if err != nil {
				return fmt.Errorf("line %d: %w", l.Line, err)
			}
			node := slurm.Node{CPUs: 1, Memory: 1, Weight: 1}
			layout := int64(1)
			for _, k := range []string{"Sockets", "CoresPerSocket", "ThreadsPerCore"} {
				if v := l.Get(k); v != "" {
					layout *= max(number(v), 1)
				}
			}
			node.CPUs = int32(layout)
			if v := l.Get("CPUs", "Procs"); v != "" {
				node.CPUs = int32(number(v))
			}
			if v := l.Get("RealMemory"); v != "" {
				node.Memory = number(v)
			}
			if v := l.Get("Weight"); v != "" {
				node.Weight = number(v)
			}
			node.GPUs = gpus(l.Get("Gres"))
			node.Features = strings.FieldsFunc(l.Get("Features", "Feature"), func(c rune) bool { return c == ',' })
			for _, word := range strings.Split(strings.ToLower(l.Get("State")), ",") {
				node.Down = node.Down || slices.Contains([]string{"down", "drain", "fail", "future"}, word)
			}
			for _, n := range names {
				byName[n] = len(r.cluster.Nodes)
				r.nodes = append(r.nodes, n)
				r.cluster.Nodes = append(r.cluster.Nodes, node)
			}
		}
	}
	if len(r.cluster.Nodes) == 0 {
		return fmt.Errorf("names no node")
	}
	for _, l := range lines {
		switch l.Key {
		case "nodename", "nodeset":
		case "partitionname":
			part := slurm.Partition{Name: l.Text, Tier: 1, JobFactor: 1, QOS: -1}
			names, err := intake.Hosts(l.Get("Nodes"))
			if err != nil {
				return fmt.Errorf("line %d: %w", l.Line, err)
			}
			for _, n := range names {
				if strings.EqualFold(n, "ALL") {
					for i := range r.cluster.Nodes {
						part.Nodes = append(part.Nodes, i)
					}
				} else if i, ok := byName[n]; ok {
					part.Nodes = append(part.Nodes, i)
				} else {
					return fmt.Errorf("line %d: partition %s: no node is called %s", l.Line, l.Text, n)
				}
			}
			if part.MaxTime, _ = slurm.Seconds(l.Get("MaxTime")); l.Get("DefaultTime") != "" {
				part.DefaultTime, _ = slurm.Seconds(l.Get("DefaultTime"))
			}
			if v := l.Get("Priority"); v != "" {
				part.Tier, part.JobFactor = number(v), number(v)
			}
			if v := l.Get("PriorityTier"); v != "" {
				part.Tier = number(v)
			}
			if v := l.Get("PriorityJobFactor"); v != "" {
				part.JobFactor = number(v)
			}
			if v := l.Get("MaxNodes"); v != "" {
				part.MaxNodes = int32(number(v))
			}
			part.QOSName = l.Get("QOS")
			part.Exclusive = strings.EqualFold(l.Get("OverSubscribe", "Shared"), "EXCLUSIVE")
			part.Preempt, _ = slurm.ModeOf(l.Get("PreemptMode"))
			if v := l.Get("DefMemPerCPU"); v != "" {
				part.DefMemCPU = number(v)
			}
			if v := l.Get("OverTimeLimit"); strings.EqualFold(v, "UNLIMITED") {
				part.OverTime = slurm.Unlimited
			} else if v != "" {
				part.OverTime = 60 * number(v)
			}
			r.cluster.Partitions = append(r.cluster.Partitions, part)
			if strings.EqualFold(l.Get("Default"), "YES") { // the first is the default
				k := len(r.cluster.Partitions) - 1
				r.cluster.Partitions[0], r.cluster.Partitions[k] = r.cluster.Partitions[k], r.cluster.Partitions[0]
			}
		case "licenses":
			for _, one := range strings.Split(l.Text, ",") {
				name, count, counted := strings.Cut(one, ":")
				licence := slurm.Licence{Name: name, Total: 1}
				if counted {
					licence.Total = number(count)
				}
				r.cluster.Licences = append(r.cluster.Licences, licence)
			}
		default:
			if err := p.Set(l.Key, l.Text); err != nil {
				return fmt.Errorf("line %d: %w", l.Line, err)
			}
			for _, what := range slurm.Unfollowed(l.Key, l.Text) {
				r.note("slurm.conf", l.Line, l.Key+": "+what)
			}
		}
	}
	if len(r.cluster.Partitions) == 0 {
		return fmt.Errorf("names no partition")
	}
	r.cluster.Params = p
	return nil
}

// gpus counts those of Gres=gpu:2,….
func gpus(list string) (n int32) {
	for _, one := range strings.Split(list, ",") {
		one, _, _ = strings.Cut(one, "(")
		words := strings.Split(one, ":")
		if strings.EqualFold(words[0], "gpu") && len(words) > 1 {
			n += int32(number(words[len(words)-1]))
		}
	}
	return n
}

// number reads a whole number, 0 for what is none.
func number(s string) int64 {
	n, _ := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	return n
}

// readDump reads the tree of accounts.
func (r *run) readDump(text string) error {
	c := &r.cluster
	if text == "" {
		return nil
	}
	byName := map[string]int{}
	parent := -1
	add := func(l intake.DumpLine, user int) int {
		a := slurm.Assoc{Parent: parent, User: user, Name: l.Name, Shares: 1, Limits: slurm.NoLimits()}
		if v := l.Options["fairshare"]; v != "" {
			a.Shares = number(v)
		}
		limits(&a.Limits, func(k string) string { return l.Options[k] })
		r.noteLimits("sacctmgr-dump.cfg", l.Name, func(k string) string { return l.Options[k] })
		c.Assocs = append(c.Assocs, a)
		return len(c.Assocs) - 1
	}
	users := map[string]int{} // one in several accounts is one
	for _, l := range intake.DumpLines(text) {
		switch l.Kind {
		case "Cluster":
			if len(c.Assocs) == 0 {
				l.Name = "root"
				byName["root"] = add(l, -1)
			}
		case "Parent":
			var ok bool
			if parent, ok = byName[l.Name]; !ok {
				return fmt.Errorf("no account is called %q", l.Name)
			}
		case "Account":
			byName[l.Name] = add(l, -1)
		case "User":
			user, known := users[l.Name]
			if !known {
				user = len(users)
				users[l.Name] = user
			}
			add(l, user)
		}
	}
	return nil
}

// limits takes the limits that sacctmgr prints, by option or column.
func limits(to *slurm.Limits, get func(string) string) {
	for _, one := range []struct {
		names string
		to    *int64
	}{
		{"maxjobs maxjobspu", &to.MaxJobs}, {"maxsubmitjobs maxsubmit maxsubmitpu", &to.MaxSubmit}, {"maxjobspa", &to.MaxJobsPA}, {"maxsubmitpa", &to.MaxSubmitPA},
		{"grpjobs", &to.GrpJobs}, {"grpsubmitjobs grpsubmit", &to.GrpSubmit},
	} {
		for _, n := range strings.Fields(one.names) {
			if v := get(n); v != "" {
				*one.to = number(v)
			}
		}
	}
	if wall, ok := slurm.Seconds(get("grpwall")); ok && wall > 0 {
		to.GrpWall = wall
	}
	for _, one := range []struct {
		names string
		to    *slurm.TRES
		unit  int64
	}{
		{"grptres", &to.GrpTRES, 1}, {"maxtres maxtresperjob", &to.MaxTRES, 1}, {"maxtrespu", &to.MaxTRESPU, 1}, {"maxtrespa", &to.GrpPA, 1},
		{"maxtrespernode", &to.MaxTRESPerNode, 1}, {"grptresrunmins", &to.GrpRunMins, 60}, {"grptresmins", &to.GrpTRESMins, 60}, {"maxtresmins maxtresminsperjob", &to.MaxTRESMins, 60},
	} {
		for _, n := range strings.Fields(one.names) {
			for _, term := range strings.Split(strings.ToLower(get(n)), ",") {
				key, v, ok := strings.Cut(term, "=")
				if !ok {
					continue
				}
				x := number(strings.TrimRight(v, "m")) * one.unit
				switch key {
				case "cpu":
					one.to.CPU = x
				case "mem":
					one.to.Mem = x
				case "node":
					one.to.Node = x
				case "gres/gpu":
					one.to.GPU = x
				}
			}
		}
	}
}

// readQOS reads sacctmgr -P show qos.
func (r *run) readQOS(text string) error {
	rows := intake.PipeRows(text)
	for _, cell := range rows {
		q := slurm.QOS{Name: cell("name"), Priority: number(cell("priority")), Limits: slurm.NoLimits(), UsageFactor: 1}
		if v, err := strconv.ParseFloat(cell("usagefactor"), 64); err == nil {
			q.UsageFactor = v
		}
		q.Mode, _ = slurm.ModeOf(cell("preemptmode"))
		if v := cell("preemptexempttime"); v != "" {
			q.ExemptTime, _ = slurm.Seconds(v)
		}
		limits(&q.Limits, cell)
		r.noteLimits("qos.psv", q.Name, cell)
		flags := strings.ToLower(cell("flags"))
		q.DenyOnLimit, q.OverPart, q.NoReserve = strings.Contains(flags, "denyonlimit"), strings.Contains(flags, "overpartqos"), strings.Contains(flags, "noreserve")
		r.cluster.QOS = append(r.cluster.QOS, q)
	}
	for i := range r.cluster.Partitions {
		p := &r.cluster.Partitions[i]
		p.QOS = slices.IndexFunc(r.cluster.QOS, func(q slurm.QOS) bool { return q.Name == p.QOSName })
		if p.QOSName != "" && p.QOS < 0 {
			r.note("qos.psv", 0, "partition "+p.Name+" has the limits of QOS "+p.QOSName+", which is not in it")
		}
	}
	for i, cell := range rows {
		for _, n := range strings.Split(cell("preempt"), ",") {
			if k := slices.IndexFunc(r.cluster.QOS, func(q slurm.QOS) bool { return q.Name == n }); n != "" && k >= 0 {
				r.cluster.QOS[i].Preempts = append(r.cluster.QOS[i].Preempts, k)
			}
		}
	}
	return nil
}

// readSacct reads sacct -X -P -D.
func (r *run) readSacct(text string) error {
	rows := intake.PipeRows(text)
	if len(rows) == 0 {
		return fmt.Errorf("has no rows")
	}
	for _, cell := range rows {
		id := cell("jobid")
		t := r.tasks[id]
		if t == nil {
			t = &task{id: id}
			r.tasks[id] = t
			r.order = append(r.order, id)
		}
		state, _, _ := strings.Cut(cell("state"), " ")
		a := attempt{state: state, byMain: strings.Contains(cell("flags"), "SchedMain")}
		a.start, a.end = stamp(cell("start")), stamp(cell("end"))
		t.attempts = append(t.attempts, a)
	}
	return nil
}

// stamp reads a time of sacct in UTC, 0 for none.
func stamp(s string) int64 {
	var y, mo, d, h, mi, sec int64
	if n, err := fmt.Sscanf(s, "%d-%d-%dT%d:%d:%d", &y, &mo, &d, &h, &mi, &sec); n != 6 || err != nil {
		return 0
	}
	// Days since 1970 in the calendar as it would always have been.
	if mo <= 2 {
		y, mo = y-1, mo+12
	}
	days := 365*y + y/4 - y/100 + y/400 + (153*(mo-3)+2)/5 + d - 719469
	return days*86400 + h*3600 + mi*60 + sec
}

// table reads a CSV with a header.
func table(text string) ([]map[string]string, error) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("is empty")
	}
	var list []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, v := range row {
			m[rows[0][i]] = v
		}
		list = append(list, m)
	}
	return list, nil
}

// millis reads seconds with a fraction.
func millis(s string) (int64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v < -1e9 || v > 1e9 {
		return 0, fmt.Errorf("%q is no time in seconds", s)
	}
	if v < 0 {
		return -int64(-v*1000 + 0.5), nil
	}
	return int64(v*1000 + 0.5), nil
}

func (r *run) readRun(data []byte) error {
	var v struct{ Setup []string }
	var names []string
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	for _, command := range v.Setup {
		if !strings.Contains(strings.ToLower(command), "create reservation") {
			continue
		}
		res := slurm.Reservation{}
		name := ""
		for _, word := range strings.Fields(command) {
			key, value, _ := strings.Cut(word, "=")
			switch strings.ToLower(key) {
			case "reservationname":
				name = value
			case "starttime":
				if after, ok := strings.CutPrefix(value, "@+"); ok {
					res.Start = r.t0 + number(after)
				} else if res.Start = stamp(value); res.Start == 0 {
					return fmt.Errorf("setup: StartTime=%s is no time", value)
				}
			case "users":
				for _, a := range r.cluster.Assocs {
					if a.User >= 0 && slices.Contains(strings.Split(value, ","), a.Name) {
						res.Users = append(res.Users, a.User)
					}
				}
			case "duration":
				res.End, _ = slurm.Seconds(value)
			case "nodes":
				names, err := intake.Hosts(value)
				if err != nil {
					return fmt.Errorf("setup: %w", err)
				}
				for i, n := range r.nodes {
					if slices.Contains(names, n) || strings.EqualFold(value, "ALL") {
						res.Nodes = append(res.Nodes, i)
					}
				}
			}
		}
		if res.End == 0 {
			res.End = 365 * 86400
		}
		res.End += res.Start
		names = append(names, name)
		r.cluster.Reserved = append(r.cluster.Reserved, res)
	}
	for i, a := range r.asks {
		if r.jobs[i].Reserved = slices.Index(names, a.reservation); a.reservation == "" {
			r.jobs[i].Reserved = -1
		}
	}
	return nil
}
