package intake

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// role is something that a column of a table may hold.
type role struct {
	key   string   // by which a map of columns names it
	names []string // headers that mean it, in lower case without marks
	what  string
	set   setter
}

// roles are tried in this order. The names are those of public traces: SenseTime's
// Helios and Shanghai's Acme (job_id, cpu_num, gpu_num, node_num, vc), NREL's, Google's
// and others' usual ones.
var roles = []role{
	{"job", []string{"jobid", "id", "jobidraw", "job", "taskid"}, "job", setID},
	{"submit", []string{"submit", "submittime", "submitted", "submission", "submissiontime", "submittedtime", "queued", "queuedtime", "queuedtimestamp", "arrival", "arrivaltime", "qtime", "ctime", "creationtime", "createtime", "submittimestamp"}, "time", seconds(submitOf)},
	{"eligible", []string{"eligible", "eligibletime", "etime"}, "time", seconds(eligibleOf)},
	{"start", []string{"start", "starttime", "started", "starttimestamp", "begintime", "scheduledtime", "dispatchtime", "startts"}, "time", seconds(startOf)},
	{"end", []string{"end", "endtime", "ended", "finish", "finishtime", "endtimestamp", "completiontime", "completed", "endts", "deletiontime"}, "time", seconds(endOf)},
	{"wait", []string{"wait", "waittime", "waitseconds", "queuetime", "waiting", "waitingtime"}, "duration", setWait},
	{"run", []string{"run", "runtime", "duration", "elapsed", "elapsedtime", "elapsedraw", "runtimeseconds", "wallclock", "executiontime", "runseconds"}, "duration", setDuration(runOf)},
	{"requested", []string{"requested", "requestedtime", "walltime", "walltimeseconds", "timelimit", "limit", "wallclocklimit", "walltimereq", "reqtime", "requestedwalltime", "estimate", "timelimitseconds"}, "duration", setDuration(limitOf)},
	{"procs", []string{"procs", "processors", "cpus", "cores", "cpunum", "ncpus", "coresused", "numcpus", "cpucount", "numprocs", "allocatedprocessors", "processorsused", "ncores", "size"}, "number of processors", setThousands(procsOf)},
	{"asked", []string{"requestedprocessors", "coresrequested", "reqcpus", "procsrequested", "cpusrequested"}, "number of processors", setThousands(askedOf)},
	{"nodes", []string{"nodes", "nnodes", "nodenum", "numnodes", "nodesused", "nodecount", "nodesrequested"}, "number of nodes", setThousands(nodesOf)},
	{"gpus", []string{"gpus", "gpunum", "ngpus", "numgpus", "numgpu", "gpucount", "gpusrequested"}, "number of GPUs", setThousands(gpusOf)},
	{"user", []string{"user", "userid", "username", "uid", "owner", "usernamegenid", "usr"}, "user", setName(userOf)},
	{"group", []string{"group", "gid", "groupid", "groupname"}, "group", setName(groupOf)},
	{"account", []string{"account", "project", "projectname", "projectnamegenid", "allocation"}, "account", setName(accountOf)},
	{"partition", []string{"partition", "vc", "cluster", "machine", "virtualcluster"}, "partition", setName(partitionOf)},
	{"queue", []string{"queuename", "queue", "class", "jobtype"}, "queue", setName(queueOf)},
	{"qos", []string{"qos", "priorityclass"}, "QOS", setName(qosOf)},
	{"name", []string{"jobname", "name", "application", "app", "executable"}, "name", setName(nameOf)},
	{"state", []string{"state", "status", "jobstatus", "finalstate", "podphase"}, "state", setState},
}

// seconds reads a time of a table: as stamp, and whole seconds from a beginning of the
// table's own, 0 among them.
func seconds(field func(*job) *int64) setter {
	return func(b *builder, j *job, cell []byte) (ok bool) {
		if *field(j), ok = b.wallTime(cell); ok {
			return true
		}
		cell = trim(cell)
		if n, rest, whole := number(cell); whole && n < relative && (len(rest) == 0 || rest[0] == '.' && digitsOnly(rest[1:])) {
			*field(j) = n
			return true
		}
		*field(j), ok = b.stamp(cell)
		return ok
	}
}

// setWait takes a wait, which is settled as a start when all cells are known.
func setWait(_ *builder, j *job, cell []byte) (ok bool) {
	if isAbsent(trim(cell)) {
		return true
	}
	j.wait, ok = duration(cell)
	return ok
}

// plain is a header's name without what differs from table to table.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == ' ' || r == '-' || r == '.' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// csvSeparator guesses what separates the columns: what the header has most of.
func csvSeparator(first []byte) byte {
	best, most := byte(','), 0
	for _, s := range []byte(",;\t|") {
		if n := bytes.Count(first, []byte{s}); n > most {
			best, most = s, n
		}
	}
	return best
}

// sniffCSV knows a table by its header: a column for the submission and one for the
// start, the end, the wait or the run.
func sniffCSV(head []byte) bool {
	first, _ := line(head)
	names := namesOf(first, csvSeparator(first))
	if len(names) < 3 {
		return false
	}
	found := columnsOf(names, nil)
	has := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { _, ok := found[k]; return ok })
	}
	return has("submit") && has("start", "end", "wait", "run")
}

// columnsOf finds the columns of a header: roles by place.
func columnsOf(names []string, chosen map[string]string) map[string]int {
	found := map[string]int{}
	taken := map[int]bool{}
	for key, name := range chosen {
		for i, n := range names {
			if n == name {
				found[key], taken[i] = i, true
			}
		}
	}
	for _, r := range roles {
		if _, ok := found[r.key]; ok {
			continue
		}
	search:
		for _, want := range r.names {
			for i, n := range names {
				if !taken[i] && plain(n) == want {
					found[r.key], taken[i] = i, true
					break search
				}
			}
		}
	}
	return found
}

// readCSV reads a table by the names of its columns, or by the map of Options.
func readCSV(s *source, b *builder) error {
	first, _ := line(bytes.TrimLeft(s.Head(headBytes), "\r\n"))
	return readColumns(s, b, csvSeparator(first), b.o.Columns, nil, nil)
}

// readColumns reads a table whose columns are known by chosen, else by their usual
// names; more are setters of columns that only this format has.
func readColumns(s *source, b *builder, separator byte, chosen map[string]string, more map[string]column, done func(*builder, *job) bool) error {
	head := bytes.Clone(s.Head(headBytes + 1))
	names, lines, header := headOf(s, separator)
	if err := checkChosen(names, chosen); err != nil {
		return fmt.Errorf("line %d: %w", lines, err)
	}
	found := mapped(names, chosen)
	if why := lacks(found, names); why != "" && more == nil {
		if t := Table(head, chosen); t != nil {
			return t
		}
		return fmt.Errorf("line %d: %s", lines, why)
	}
	_, starts := found["start"] // then a job without one did not start
	_, ends := found["end"]
	_, waits := found["wait"]
	t := &table{separator: separator, quotes: true, header: header, columns: make([]column, len(names)), done: func(b *builder, j *job) bool {
		if j.start == none && !starts && j.wait != none && j.submit != none {
			j.start = j.submit + j.wait
		}
		if j.submit >= relative && j.start == 0 {
			j.start = none
		}
		if j.submit >= relative && j.end == 0 {
			j.end = none
		}
		if j.start == none && j.end != none && j.run != none && j.run > 0 {
			j.start = j.end - j.run
		}
		j.anytime = !starts && !ends && !waits
		if j.procs == none {
			if j.procs = j.asked; j.procs == none {
				j.procs = j.nodes
			}
		}
		j.spreadMemory()
		return done == nil || done(b, j)
	}}
	for i, name := range names {
		t.columns[i] = column{name: name}
		if c, ok := more[plain(name)]; ok {
			c.name = name
			t.columns[i] = c
		}
	}
	var understood []string
	for _, r := range roles {
		if i, ok := found[r.key]; ok && t.columns[i].set == nil {
			t.columns[i].what, t.columns[i].set = r.what, r.set
			understood = append(understood, r.key+" = "+names[i])
		}
	}
	sort.Strings(understood)
	told := "What the columns hold was told by their names"
	if len(chosen) > 0 {
		told = "What the columns hold was said, or told by their names"
	}
	b.assume(told, strings.Join(understood, ", "), "--column submit=NAME and so on", "columns")
	for _, m := range []struct{ key, what, costs string }{
		{"requested", "requested time", "schedulers that backfill get the run times themselves for requests: better informed than any real one"},
		{"start", "start", "how long jobs waited is not known, and nothing can be set beside what happened"},
		{"user", "user", "nothing can be said by user, and no interval comes from drawing users"},
	} {
		if _, ok := found[m.key]; !ok && !(m.key == "start" && (waits || ends)) {
			b.missing(m.what, m.costs)
		}
	}
	_, procs := found["procs"]
	if _, asked := found["asked"]; !procs && !asked {
		if _, nodes := found["nodes"]; nodes {
			b.assume("No column holds processors", "a node counts as one processor", "--column procs=NAME", "")
		}
	}
	return t.read(b, s, lines)
}

// isTrace says whether columns are those of Helios and Acme.
func isTrace(names []string) bool {
	has := func(name string) bool { return slices.Contains(names, name) }
	return has("gpu_num") && has("cpu_num") && has("duration")
}

// milli takes thousandths of a processor, rounded up to whole ones.
func milli(field func(*job) *int64) setter {
	return func(_ *builder, j *job, cell []byte) bool {
		n, ok := count(cell)
		if ok && n != none {
			*field(j) = min((n+999)/1000, math.MaxInt32)
		}
		return ok
	}
}
