package report

import (
	"sort"
	"strconv"
	"strings"

	"batchlab/core/model"
)

// batsimColumns are those of Batsim's jobs file, in its order; ownColumns stand
// behind them, so that programs for the one read the other.
const (
	batsimColumns = "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state," +
		"starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata"
	ownColumns = "attempt,user,end_reason,processors,cluster,machines," +
		"reservation_from,reservation_to,reservation_length,reservation_effort,reservation_start,reservation_late," +
		"due,lateness,weight,setup_time,licences,nodes,memory_per_node,gpus_per_node,disk_per_node"
	eligibleColumn = ",eligible" // where dependencies are kept
)

// ends say how executions ended: Batsim's success and final state, where it has
// one, and our own word. A reservation that is stopped when its time is over has
// had what it was granted.
var ends = [...]struct{ state, reason string }{
	model.EndCompleted: {"1,COMPLETED_SUCCESSFULLY", "completed"},
	model.EndKilled:    {"0,COMPLETED_WALLTIME_REACHED", "walltime"},
	model.EndRejected:  {"0,REJECTED", "rejected"},
	model.EndOutage:    {"0,COMPLETED_KILLED", "outage"},
	model.EndPreempted: {"0,COMPLETED_KILLED", "preempted"},
	model.EndSuspended: {"0,SUSPENDED", "suspended"},
	model.EndDue:       {"0,COMPLETED_KILLED", "due"},
	model.EndReserved:  {"0,COMPLETED_WALLTIME_REACHED", "reservation-end"},

	model.EndWithdrawn: {"0,REJECTED", "withdrawn"},
	model.EndNever:     {"0,REJECTED", "never-eligible"},
}

// efforts name what reservations take that cannot have all, as documents do.
var efforts = [...]string{model.EffortExact: "exact", model.EffortProcs: "processors", model.EffortTime: "time"}

// Executions is a run as a table, jobs.csv: a line for each execution, those of
// one job one below the other. docs/exports.md says what the columns hold.
type Executions struct {
	name     string
	jobs     *Jobs
	run      *Run
	machines []machineName
	licences []string
	accepted map[model.JobID]model.Time // when reservations begin to be kept, where that is before their first start
}

type machineName struct {
	first         int32 // processor
	cluster, name string
}

// NewExecutions makes the table of a run that has columns. name is the
// workload's; site may be nil where nothing is known of machines.
func NewExecutions(name string, jobs *Jobs, run *Run, site *Site) *Executions {
	x := &Executions{name: CSVText(name), jobs: jobs, run: run}
	for i := range run.Columns.Held {
		if h := &run.Columns.Held[i]; h.Kind == HeldUnused {
			if x.accepted == nil {
				x.accepted = map[model.JobID]model.Time{}
			}
			if from, there := x.accepted[h.Entry]; !there || h.From < from {
				x.accepted[h.Entry] = h.From
			}
		}
	}
	if site == nil {
		return x
	}
	for i, name := range site.MachineNames() {
		m := &site.Machines[i]
		one := machineName{first: m.First, cluster: CSVText(m.Cluster)}
		if m.Packing != "" {
			one.name = name
		}
		x.machines = append(x.machines, one)
	}
	for _, l := range site.Licences {
		x.licences = append(x.licences, l.Name)
	}
	return x
}

// Jobs is the number of jobs.
func (x *Executions) Jobs() int { return len(x.jobs.Number) }

// CSV returns the whole table.
func (x *Executions) CSV() []byte { return x.AppendCSV(nil, 0, x.Jobs()) }

// AppendCSV appends the executions of the jobs [from, to), so that a large file
// can be made in steps; the heads of the columns stand before job 0.
func (x *Executions) AppendCSV(dst []byte, from, to int) []byte {
	if from == 0 {
		dst = append(dst, batsimColumns+","+ownColumns...)
		if len(x.run.Columns.Eligible) > 0 {
			dst = append(dst, eligibleColumn...)
		}
		dst = append(dst, '\n')
	}
	c := &x.run.Columns
	submitted := c.Submitted(x.jobs)
	spans := c.Spans[sort.Search(len(c.Spans), func(i int) bool { return int(c.Spans[i].Job) >= from }):]
	before := c.Before[sort.Search(len(c.Before), func(i int) bool { return int(c.Before[i].Job) >= from }):]
	var held []Span
	for j := from; j < to; j++ {
		e := execution{job: j, submit: submitted[j], asked: submitted[j]}
		if len(c.Eligible) > 0 {
			e.asked = c.Eligible[j]
		}
		first := model.Time(-1) // start of the first attempt
		for len(before) > 0 && int(before[0].Job) == j {
			e.start, e.end, e.reason = before[0].Start, before[0].End, model.EndReason(before[0].Reason)
			held = held[:0]
			for len(before) > 0 && int(before[0].Job) == j && before[0].Start == e.start {
				held = append(held, Span{First: before[0].First, Count: before[0].Count})
				before = before[1:]
			}
			if first < 0 {
				first = e.start
			}
			dst = x.append(dst, &e, held, first)
			e.attempt++
			e.submit, e.asked = e.end, e.end
		}
		e.start, e.end, e.reason = c.Start[j], c.End[j], model.EndCompleted
		if j < len(c.Ended) {
			e.reason = c.Ended[j]
		}
		k := 0
		for k < len(spans) && int(spans[k].Job) == j {
			k++
		}
		if first < 0 {
			first = e.start
		}
		dst = x.append(dst, &e, spans[:k], first)
		spans = spans[k:]
	}
	return dst
}

// execution is one line.
type execution struct {
	job, attempt       int
	submit, start, end model.Time
	asked              model.Time // since when it waits: when it became eligible
	reason             model.EndReason
}

func (x *Executions) append(dst []byte, e *execution, held []Span, first model.Time) []byte {
	jobs := x.jobs
	comma := func() { dst = append(dst, ',') }
	number := func(v int64) { dst = append(strconv.AppendInt(dst, v, 10), ',') }
	times := func(list ...model.Time) {
		for _, v := range list {
			number(int64(v))
		}
	}
	text := func(s string) { dst = append(append(dst, s...), ',') }
	ran := !e.reason.Unserved()
	r, reserved := x.run.Columns.Reservation(jobs, e.job)
	end := ends[e.reason]

	number(jobs.Number[e.job])
	text(x.name)
	number(jobs.Number[e.job])
	times(e.submit)
	number(int64(jobs.Procs[e.job]))
	times(jobs.Limit[e.job])
	text(end.state)
	if ran {
		run, turnaround := e.end-e.start, e.end-e.asked
		times(e.start, run, e.end, e.start-e.asked, turnaround)
		dst = append(strconv.AppendFloat(dst, float64(turnaround)/float64(run), 'g', -1, 64), ',')
	} else {
		text("-1,-1,-1,-1,-1,-1")
	}
	dst = appendSpans(dst, held)
	text(",-1,")

	number(int64(e.attempt))
	number(int64(jobs.User[e.job]))
	text(end.reason)
	x.appendPlace(&dst, e, held)
	if reserved {
		times(r.Ready, r.Deadline, r.Length)
		text(efforts[r.Effort])
		if ran {
			if from, early := x.accepted[model.JobID(e.job)]; early {
				first = min(first, from)
			}
			times(first, max(0, e.end-r.Deadline))
		} else {
			text(",")
		}
	} else {
		text(",,,,,")
	}
	if due, ok := x.run.Columns.Due(jobs, e.job); ok {
		times(due)
		if ran {
			dst = strconv.AppendInt(dst, int64(e.end-due), 10)
		}
		comma()
	} else {
		text(",")
	}
	w := jobs.Want(e.job)
	if w.Weight != 0 {
		dst = strconv.AppendFloat(dst, w.Weight, 'g', -1, 64)
	}
	comma()
	positive := func(v int64) {
		if v > 0 {
			dst = strconv.AppendInt(dst, v, 10)
		}
		comma()
	}
	positive(int64(w.Setup))
	text(CSVText(LicenceList(jobs.NeedsOf(e.job), x.licences)))
	positive(int64(w.Nodes))
	positive(w.Mem)
	positive(int64(w.GPUs))
	positive(w.Disk)
	if len(x.run.Columns.Eligible) > 0 {
		if e.asked >= 0 {
			times(e.asked)
		} else {
			comma()
		}
	}
	dst[len(dst)-1] = '\n'
	return dst
}

// appendPlace appends how many processors an execution held, and where: machines
// that follow one another as one span, since thousands of names make a field that
// other programs' readers refuse.
func (x *Executions) appendPlace(dst *[]byte, e *execution, held []Span) {
	if e.reason.Unserved() {
		*dst = append(*dst, ",,,"...)
		return
	}
	procs := int64(0)
	var names []string
	cluster, last, first := "", -1, "" // the machine named last, and the first of those that follow one another
	for _, s := range held {
		procs += int64(s.Count)
		for at := x.machineOf(s.First); at >= 0 && at < len(x.machines) && x.machines[at].first < s.First+s.Count; at++ {
			m := &x.machines[at]
			switch cluster = m.cluster; {
			case m.name == "" || at == last:
			case last >= 0 && at == last+1 && x.machines[last].cluster == cluster:
				names[len(names)-1] = first + "-" + m.name
			default:
				first = m.name
				names = append(names, first)
			}
			last = at
		}
	}
	if procs == 0 { // a logged schedule that does not fit
		procs = int64(x.jobs.Procs[e.job])
	}
	*dst = append(strconv.AppendInt(*dst, procs, 10), ',')
	if x.run.Placed {
		*dst = append(*dst, cluster...)
	}
	*dst = append(*dst, ',')
	*dst = append(append(*dst, CSVText(JoinNames(names))...), ',')
}

// machineOf returns the machine that a processor belongs to, −1 when nothing is
// known of machines.
func (x *Executions) machineOf(processor int32) int {
	return sort.Search(len(x.machines), func(i int) bool { return x.machines[i].first > processor }) - 1
}

// appendSpans appends processors as intervals: "0-3 8".
func appendSpans(dst []byte, spans []Span) []byte {
	for i, span := range spans {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendInt(dst, int64(span.First), 10)
		if span.Count > 1 {
			dst = strconv.AppendInt(append(dst, '-'), int64(span.First+span.Count-1), 10)
		}
	}
	return dst
}

// LicenceList writes licences as documents and files name them: "cad mesh:2".
func LicenceList(list []model.LicenceNeed, names []string) string {
	if len(list) == 0 {
		return ""
	}
	words := make([]string, len(list))
	for i, n := range list {
		if int(n.Licence) < len(names) {
			words[i] = names[n.Licence]
		}
		if n.Copies > 1 || strings.Contains(words[i], ":") {
			words[i] += ":" + strconv.Itoa(int(n.Copies))
		}
	}
	return JoinNames(words)
}
