package intake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/report"
	"batchlab/core/swf"
)

// stateClass is what became of a job.
type stateClass uint8

const (
	unsaid    stateClass = iota // the source does not say
	ended                       // completed
	failed                      // ended with an error, by its limit, a node, memory
	cancelled                   // taken away by somebody, running or not
	requeued                    // preempted or put back: another try follows
	running                     // at the time of the report
	waiting                     // at the time of the report
)

var stateNames = [...]string{"ran (how they ended is not said)", "completed", "failed or stopped", "cancelled", "requeued", "still running", "still waiting"}

// job is one row, in Unix seconds; none is unknown.
type job struct {
	id                           string // as the source names it; by it others depend on it
	raw                          int64  // a number of its own, none for none
	user, group, account, qos    []byte
	partition, queue, name       []byte
	submit, eligible, start, end int64
	run, limit, wait             int64 // seconds
	procs, asked, nodes, gpus    int64
	memory                       int64 // kilobytes a processor
	memoryOfNode                 bool  // memory is that of a node, still
	noLimit                      bool  // said to have no limit of its own
	share                        int64 // thousandths of one GPU
	state                        stateClass
	dependency                   string // in Slurm's words
	array, het                   string // what groups it; "" for none
	arrayLimit                   int64
	line                         int
}

// blank is a job of which nothing is known.
func blank(line int) job {
	return job{raw: none, submit: none, eligible: none, start: none, end: none, run: none, limit: none, wait: none,
		procs: none, asked: none, nodes: none, gpus: none, memory: none, share: none, line: line}
}

// spreadMemory turns the memory of a node into that of a processor, as far as the
// numbers of both are known.
func (j *job) spreadMemory() {
	if procs := max(j.procs, j.asked); j.memoryOfNode && j.memory > 0 && j.nodes > 0 && procs > 0 {
		j.memory = j.memory * j.nodes / procs
	}
	j.memoryOfNode = false
}

// numbers gives names numbers from 1, in the order in which they come.
type numbers struct {
	of    map[string]int32
	names []string
}

// number returns the number of a name; none for a name that is not there.
func (n *numbers) number(name []byte) int32 {
	if isAbsent(name) {
		return none
	}
	if k, ok := n.of[string(name)]; ok {
		return k
	}
	if n.of == nil {
		n.of = map[string]int32{}
	}
	n.names = append(n.names, string(name))
	k := int32(len(n.names))
	n.of[n.names[k-1]] = k
	return k
}

// atLeastZero is a number as Extra holds it: 0 for none.
func atLeastZero(k int32) int32 { return max(k, 0) }

// pending is what of a job is settled only when all are known.
type pending struct {
	id         string
	dependency string
	name       int32
	submit     int64 // Unix seconds
	eligible   int64
	end        int64
	array      string
	raw        int64
	start      int64
	state      stateClass
	same       int32 // the record before it with the same name and submission + 1
}

// builder collects jobs.
type builder struct {
	format *Format
	o      Options
	log    *swf.Log
	extra  []Extra
	later  []pending
	zones  zones
	saw    seen
	rows   map[key]int32 // the last record of a job + 1
	twice  int
	report report.Import

	users, groups, accounts, qos, partitions, queues, names, arrays, hets numbers
}

// key names a row: numbers are used again, and a job that is tried again keeps its
// number.
type key struct {
	id     string
	submit int64
}

func newBuilder(f *Format, o Options) *builder {
	b := &builder{format: f, o: o, log: &swf.Log{}, rows: map[key]int32{}}
	b.report.Format, b.report.Name, b.report.Dependencies = f.Key, f.Name, map[string]int{}
	return b
}

// fits says whether a value can stand in a field of the log.
func fits(v, most int64) bool { return v >= none && v <= most }

// add takes one job. What it says must be within the limits of a log.
func (b *builder) add(j *job) {
	b.report.Rows++
	if j.submit == none {
		if j.submit = j.eligible; j.submit == none {
			j.submit = j.start
		}
		if j.submit == none {
			b.problem(j.line, "submission", "", "states no time of submission")
			return
		}
		b.saw.noSubmit++
	}
	if j.start != none && j.start < j.submit {
		b.saw.negativeWait.add(j.line)
		if j.end != none {
			j.end += j.submit - j.start
		}
		j.start = j.submit
	}
	if j.start != none && j.end != none && j.end < j.start {
		b.saw.negativeRun.add(j.line)
		j.end = j.start
	}
	if j.run == none && j.start != none && j.end != none {
		j.run = j.end - j.start
	}
	if j.end == none && j.start != none && j.run != none {
		j.end = j.start + j.run
	}
	if j.start == none {
		j.run = none
		if j.state == ended || j.state == failed || j.state == requeued {
			b.saw.noStart.add(j.line)
		}
	}
	wait := int64(none)
	if j.start != none {
		wait = j.start - j.submit
	}
	switch {
	case !fits(j.submit, swf.MaxSubmit):
		b.problem(j.line, "submission", fmt.Sprint(j.submit), "is out of range")
		return
	case !fits(wait, swf.MaxSpan) || !fits(j.run, swf.MaxSpan) || !fits(j.limit, swf.MaxSpan):
		b.problem(j.line, "times", j.id, "waits, runs or asks for more than 68 years")
		return
	case !fits(j.procs, swf.MaxProcs) || !fits(j.asked, swf.MaxProcs) || !fits(j.nodes, swf.MaxProcs) || !fits(j.gpus, swf.MaxProcs):
		b.problem(j.line, "processors", j.id, "has more than 2,147,483,647 of something")
		return
	}
	if j.run != none && j.end-j.start > j.run+1 {
		b.saw.suspended.add(j.line)
	}
	k, before, at := key{j.id, j.submit}, int32(0), int32(-1)
	if j.id != "" {
		before = b.rows[k]
		again := false
		if at, again = b.known(before, j); again {
			b.twice++
			b.saw.twice.add(j.line)
			if at < 0 {
				return
			}
		}
	}
	status := int32(-1)
	switch j.state {
	case ended:
		status = 1
	case failed, requeued:
		status = 0
	case cancelled:
		status = 5
	}
	user, group := b.users.number(j.user), b.groups.number(j.group)
	name := b.names.number(j.name)
	parts := b.partitionsOf(j.partition)
	x := Extra{QOS: atLeastZero(b.qos.number(j.qos)), Account: atLeastZero(b.accounts.number(j.account)),
		Nodes: int32(max(j.nodes, 0)), GPUs: int32(max(j.gpus, 0)), Share: int32(max(j.share, 0)), Partitions: parts}
	if j.array != "" {
		x.Array, x.ArrayLimit = b.arrays.number([]byte(j.array)), int32(max(j.arrayLimit, 0))
	}
	if j.het != "" {
		x.Het = b.hets.number([]byte(j.het))
	}
	if j.start == none && j.state == cancelled && j.end > j.submit {
		x.Withdrawn = j.end
	}
	partition := int32(none)
	if len(parts) > 0 {
		partition = parts[0]
	}
	queue := b.queues.number(j.queue)
	if queue == none {
		queue = max(x.QOS, 0)
		if x.QOS == 0 {
			queue = none
		}
	}
	rec := swf.Record{
		SubmitTime: j.submit, WaitTime: int32(wait), RunTime: int32(j.run), AllocatedProcessors: int32(j.procs),
		AverageCPUTimeUsed: none, UsedMemory: none, RequestedProcessors: int32(j.asked), RequestedTime: int32(j.limit),
		RequestedMemory: j.memory, Status: status, UserID: user, GroupID: group, ExecutableNumber: name,
		QueueNumber: queue, PartitionNumber: partition, PrecedingJobNumber: none, ThinkTime: none, Line: int32(j.line),
	}
	later := pending{id: j.id, dependency: j.dependency, name: name, submit: j.submit, eligible: j.eligible, end: j.end, array: j.array, raw: j.raw, start: j.start, state: j.state, same: before}
	b.saw.states[j.state]++
	if at >= 0 { // what was seen before it had ended: how many of its array may run, and what it waited for, stood there
		old := &b.later[at]
		b.saw.states[old.state]--
		x.ArrayLimit = max(x.ArrayLimit, b.extra[at].ArrayLimit)
		if later.dependency == "" {
			later.dependency = old.dependency
		}
		later.same = old.same
		b.log.Records[at], b.extra[at], b.later[at] = rec, x, later
		return
	}
	b.log.Records, b.extra, b.later = append(b.log.Records, rec), append(b.extra, x), append(b.later, later)
	if j.id != "" {
		b.rows[k] = int32(len(b.later))
	}
}

// known says whether a job stands there already: again where it does, and at which
// record where this row says more of it than that one, since it waited or ran when the
// earlier file was written. Tries that started at different times are jobs of their own.
func (b *builder) known(last int32, j *job) (at int32, again bool) {
	for i := last - 1; i >= 0; i = b.later[i].same - 1 {
		switch old := &b.later[i]; {
		case old.state == waiting && j.state != waiting:
			return i, true
		case old.start == j.start && old.state == running && j.state != running && j.state != waiting:
			return i, true
		case old.start == j.start, j.state == waiting:
			return -1, true
		}
	}
	return -1, false
}

func (b *builder) partitionsOf(names []byte) []int32 {
	if isAbsent(names) {
		return nil
	}
	var list []int32
	for _, name := range strings.Split(string(names), ",") {
		if k := b.partitions.number([]byte(name)); k != none && !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}

// finish puts the jobs in order, numbers them, and settles what one says of another.
func (b *builder) finish() (*Result, error) {
	l := b.log
	if len(l.Records) == 0 {
		if l.Malformed > 0 {
			return nil, fmt.Errorf("%s: none of the rows can be read; row %d: %s", b.format.Key, l.Problems[0].Line, l.Problems[0])
		}
		if b.report.Rows == 0 && b.saw.steps.count == 0 {
			return nil, errors.New(b.format.Key + ": this file has a header and no row below it, or no row of a job")
		}
		return nil, errors.New(b.format.Key + ": there is no job in this file")
	}
	b.sort()
	b.numberJobs()
	b.dependencies()
	zero := l.Records[0].SubmitTime
	for i := range l.Records {
		r, x, p := &l.Records[i], &b.extra[i], &b.later[i]
		r.SubmitTime -= zero
		if x.Withdrawn > 0 {
			x.Withdrawn -= zero
		}
		// What waits for others, or for its array's limit, is eligible by that.
		if p.eligible > p.submit && p.dependency == "" && x.ArrayLimit == 0 {
			x.Begin = p.eligible - zero
		}
	}
	b.summarise(zero)
	b.header(zero)
	l.Extra = b.extra
	return &Result{Log: l, Extra: b.extra, Report: b.report, Names: Names{
		Users: b.users.names, Groups: b.groups.names, Accounts: b.accounts.names, Queues: b.queues.names,
		Partitions: b.partitions.names, QOS: b.qos.names, Jobs: b.names.names}}, nil
}

// sort puts jobs in order of submission, those submitted together as they stand in
// the file.
func (b *builder) sort() {
	order := make([]int32, len(b.log.Records))
	for i := range order {
		order[i] = int32(i)
	}
	records, extra, later := b.log.Records, b.extra, b.later
	less := func(i, j int32) int { return cmp.Compare(records[i].SubmitTime, records[j].SubmitTime) }
	if slices.IsSortedFunc(order, less) {
		return
	}
	slices.SortStableFunc(order, less)
	b.log.Records, b.extra, b.later = make([]swf.Record, len(order)), make([]Extra, len(order)), make([]pending, len(order))
	for k, i := range order {
		b.log.Records[k], b.extra[k], b.later[k] = records[i], extra[i], later[i]
	}
}

// numberJobs keeps the source's own numbers where each stands for one job; a later
// try of a job gets a number above all others, and so does a job without one, and one
// whose number has been that of another job, of another user or name, before.
func (b *builder) numberJobs() {
	used := make(map[int64]int32, len(b.later)) // record + 1
	next := int64(0)
	for i := range b.later {
		next = max(next, b.later[i].raw)
	}
	for i := range b.later {
		raw := b.later[i].raw
		if first := used[raw] - 1; raw > 0 && first >= 0 {
			if b.later[i].name == b.later[first].name && b.log.Records[i].UserID == b.log.Records[first].UserID {
				b.report.Tries++
			} else {
				b.saw.reused.add(b.lineOf(int32(i)))
			}
		}
		if raw <= 0 || used[raw] > 0 {
			next++
			raw = next
		}
		used[raw] = int32(i) + 1
		b.log.Records[i].JobNumber = raw
	}
}

// relative is the time in seconds up to which stamps count from a beginning of their
// own (about three years); later ones are Unix seconds.
const relative = 100_000_000

// header says where the log comes from and how large the machine must have been.
func (b *builder) header(zero int64) {
	h := &b.log.Header
	h.Add("Version", "2.2")
	if zero > relative {
		h.Add("UnixStartTime", strconv.FormatInt(zero, 10))
	}
	h.Add("MaxJobs", strconv.Itoa(len(b.log.Records)))
	if b.report.PeakProcs > 0 {
		h.Add("MaxProcs", strconv.FormatInt(b.report.PeakProcs, 10))
	}
	for _, s := range b.report.Sentences() {
		h.Add("Note", s)
	}
}
