package intake

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

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
	id                           []byte // as the source names it; by it others depend on it
	raw                          int64  // a number of its own, none for none
	user, group, account, qos    []byte
	partition, queue, name       []byte
	submit, eligible, start, end int64
	run, limit, wait             int64 // seconds
	procs, asked, nodes, gpus    int64
	memory                       int64 // kilobytes a processor
	memoryOfNode                 bool  // memory is that of a node, still
	noLimit                      bool  // said to have no limit of its own
	anytime                      bool  // it ran, but nobody says when
	share                        int64 // thousandths of one GPU
	gres                         int64 // GPUs of each node, where nothing says how many in all
	state                        stateClass
	dependency                   string // in Slurm's words
	array, het                   []byte // what groups it; empty for none
	arrayLimit                   int64
	line                         int
}

// unknown is a job of which nothing is known.
var unknown = job{raw: none, submit: none, eligible: none, start: none, end: none, run: none, limit: none, wait: none,
	procs: none, asked: none, nodes: none, gpus: none, memory: none, share: none, gres: none}

// blank is a job of which nothing is known but where it stands.
func blank(line int) job {
	j := unknown
	j.line = line
	return j
}

// fresh is the place for the job of the row that is read.
func (b *builder) fresh(line int) *job {
	b.one = unknown
	b.one.line = line
	return &b.one
}

// spreadMemory turns the memory of a node into that of a processor, as far as the
// numbers of both are known.
func (j *job) spreadMemory() {
	if procs := max(j.procs, j.asked); j.memoryOfNode && j.memory > 0 && j.nodes > 0 && procs > 0 {
		j.memory = j.memory * j.nodes / procs
	}
	j.memoryOfNode = false
}

// pending is what of a job is settled only when all are known.
type pending struct {
	idAt    uint32 // where its name stands in builder.ids
	idSize  int32  // 0: it has no name
	depends int32  // its words on others, in builder.depends, + 1
	same    int32  // the record before it with the same name and submission + 1
	state   stateClass
}

// builder collects jobs.
type builder struct {
	format  *Format
	o       Options
	log     *swf.Log
	extra   []Extra
	later   []pending
	ids     []byte   // names of jobs, one behind the other
	depends []string // what jobs say of others
	zones   zones
	days    [64]day // dates seen of late
	state   [16]struct {
		word  string // seen last of its length
		state stateClass
	}
	one    job    // of the row that is read
	id     []byte // its name, where it is put together
	saw    seen
	rows   index
	lists  map[string][]int32 // numbers of partitions by what a row names
	twice  int
	report report.Import

	users, groups, accounts, qos, partitions, queues, names, arrays, hets, clusters numbers
}

func newBuilder(f *Format, o Options) *builder {
	b := &builder{format: f, o: o, log: &swf.Log{}, lists: map[string][]int32{}}
	b.report.Format, b.report.Name, b.report.Dependencies = f.Key, f.Name, map[string]int{}
	return b
}

// room makes room for as many rows as the beginning of a file, with its size, lets expect.
func (b *builder) room(s *source) {
	beginning := s.Head(headBytes)
	if rows := bytes.Count(beginning, []byte{'\n'}); rows > 0 {
		n := int(float64(s.Size) / float64(len(beginning)) * float64(rows))
		n = min(n+n/32+16, int(s.Size)/16)
		b.log.Records, b.extra, b.later = slices.Grow(b.log.Records, n), slices.Grow(b.extra, n), slices.Grow(b.later, n)
	}
}

// idOf is the name of a job, empty for none.
func (b *builder) idOf(i int32) []byte {
	p := &b.later[i]
	return b.ids[p.idAt:][:p.idSize]
}

// fits says whether a value can stand in a field of the log.
func fits(v, most int64) bool { return v >= none && v <= most }

// add takes one job. What it says must be within the limits of a log.
func (b *builder) add(j *job) {
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
	if j.start == none && !j.anytime {
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
		b.problem(j.line, "times", string(j.id), "waits, runs or asks for more than 68 years")
		return
	case !fits(j.procs, swf.MaxProcs) || !fits(j.asked, swf.MaxProcs) || !fits(j.nodes, swf.MaxProcs) || !fits(j.gpus, swf.MaxProcs):
		b.problem(j.line, "processors", string(j.id), "has more than 2,147,483,647 of something")
		return
	}
	b.report.Rows++
	if j.run != none && j.end-j.start > j.run+1 {
		b.saw.suspended.add(j.line)
	}
	before, at := int32(0), int32(-1)
	if len(j.id) > 0 {
		before = b.rows.find(b, j.id, j.submit)
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
	executable := b.names.number(j.name)
	parts := b.partitionsOf(j.partition)
	x := Extra{QOS: atLeastZero(b.qos.number(j.qos)), Account: atLeastZero(b.accounts.number(j.account)),
		Nodes: int32(max(j.nodes, 0)), GPUs: int32(max(j.gpus, 0)), Share: int32(max(j.share, 0)), Partitions: parts}
	if len(j.array) > 0 {
		x.Array, x.ArrayLimit = b.arrays.number(j.array), int32(max(j.arrayLimit, 0))
	}
	if len(j.het) > 0 {
		x.Het = b.hets.number(j.het)
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
	if j.eligible > j.submit {
		x.Begin = j.eligible
	}
	rec := swf.Record{
		JobNumber: j.raw, SubmitTime: j.submit, WaitTime: int32(wait), RunTime: int32(j.run), AllocatedProcessors: int32(j.procs),
		AverageCPUTimeUsed: none, UsedMemory: none, RequestedProcessors: int32(j.asked), RequestedTime: int32(j.limit),
		RequestedMemory: j.memory, Status: status, UserID: user, GroupID: group, ExecutableNumber: executable,
		QueueNumber: queue, PartitionNumber: partition, PrecedingJobNumber: none, ThinkTime: none, Line: int32(j.line),
	}
	later := pending{same: before, state: j.state}
	if j.dependency != "" {
		b.depends = append(b.depends, j.dependency)
		later.depends = int32(len(b.depends))
	}
	b.saw.states[j.state]++
	if at >= 0 { // what was seen before it had ended: how many of its array may run, and what it waited for, stood there
		old := &b.later[at]
		b.saw.states[old.state]--
		x.ArrayLimit = max(x.ArrayLimit, b.extra[at].ArrayLimit)
		if later.depends == 0 {
			later.depends = old.depends
		}
		later.same, later.idAt, later.idSize = old.same, old.idAt, old.idSize
		b.log.Records[at], b.extra[at], b.later[at] = rec, x, later
		return
	}
	later.idAt, later.idSize = uint32(len(b.ids)), int32(len(j.id))
	b.ids = append(b.ids, j.id...)
	b.log.Records, b.extra, b.later = append(b.log.Records, rec), append(b.extra, x), append(b.later, later)
	if len(j.id) > 0 {
		b.rows.add(b, int32(len(b.later)))
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
		case b.startOf(i) == j.start && old.state == running && j.state != running && j.state != waiting:
			return i, true
		case b.startOf(i) == j.start, j.state == waiting:
			return -1, true
		}
	}
	return -1, false
}

// startOf is when a job started, in Unix seconds, none for one that did not.
func (b *builder) startOf(i int32) int64 {
	if r := &b.log.Records[i]; r.WaitTime >= 0 {
		return r.SubmitTime + int64(r.WaitTime)
	}
	return none
}

// partitionsOf are the numbers of the partitions that a row names. Rows that name the
// same share one list.
func (b *builder) partitionsOf(names []byte) []int32 {
	if list, ok := b.lists[string(names)]; ok {
		return list
	}
	if isAbsent(names) {
		return nil
	}
	var list []int32
	for name := range bytes.SplitSeq(names, []byte(",")) {
		if k := b.partitions.number(name); k != none && !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	b.lists[string(names)] = list
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
	awaited := b.awaited()
	b.numberJobs()
	b.dependencies(awaited)
	zero := l.Records[0].SubmitTime
	for i := range l.Records {
		r, x, p := &l.Records[i], &b.extra[i], &b.later[i]
		r.SubmitTime -= zero
		if x.Withdrawn > 0 {
			x.Withdrawn -= zero
		}
		// What waits for others, or for its array's limit, is eligible by that.
		if x.Begin -= zero; x.Begin <= r.SubmitTime || p.depends > 0 || x.ArrayLimit != 0 {
			x.Begin = 0
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
	records, extra, later := b.log.Records, b.extra, b.later
	in := true
	for i := 1; i < len(records) && in; i++ {
		in = records[i-1].SubmitTime <= records[i].SubmitTime
	}
	if in {
		return
	}
	times := make([]int64, len(records))
	for i := range records {
		times[i] = records[i].SubmitTime
	}
	sorted, _ := ordered(times)
	b.log.Records, b.extra, b.later = make([]swf.Record, len(sorted)), make([]Extra, len(sorted)), make([]pending, len(sorted))
	for k, i := range sorted {
		b.log.Records[k], b.extra[k], b.later[k] = records[i], extra[i], later[i]
	}
}

// numberJobs keeps the source's own numbers where each stands for one job; a later
// try of a job gets a number above all others, and so does a job without one, and one
// whose number has been that of another job, of another user or name, before.
func (b *builder) numberJobs() {
	next, least := int64(0), int64(math.MaxInt64)
	for i := range b.log.Records {
		if raw := b.log.Records[i].JobNumber; raw > 0 {
			next, least = max(next, raw), min(least, raw)
		}
	}
	used := newUsed(least, next, len(b.later)) // record + 1
	for i := range b.log.Records {
		raw := b.log.Records[i].JobNumber
		first := int32(0)
		if raw > 0 {
			first = used.get(raw)
		}
		if first > 0 {
			if x, y := &b.log.Records[i], &b.log.Records[first-1]; x.ExecutableNumber == y.ExecutableNumber && x.UserID == y.UserID {
				b.report.Tries++
			} else {
				b.saw.reused.add(b.lineOf(int32(i)))
			}
		}
		if raw <= 0 || first > 0 {
			next++
			raw = next
		}
		used.set(raw, int32(i)+1)
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
