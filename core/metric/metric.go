// Package metric measures schedules: waits, slowdowns, use of the machine,
// sizes and users, one family a file. Start at Meter.Measure, which gives everything
// that a report holds; MeanBoundedSlowdown and MeanWait are for searches,
// which ask for one number very often.
//
// A job counts once, whatever its attempts: its wait is the start of its last
// attempt − its submission, its run time the seconds of that attempt, so that
// wait + run time is always its turnaround. Waits, turnarounds and slowdowns, and whatever
// is divided by them, are of batch jobs: an advance reservation has its place, does not
// stand in the queue, and is measured by measures of its own. Rejected jobs are counted
// and otherwise left out. docs/glossary.md has every formula.
//
// Digits are the same on every machine: sums of whole numbers are exact with
// one division at the end; sums of quotients go in the order of jobs (submit,
// number), each product rounded.
package metric

import (
	"math"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Options say how a schedule is measured.
type Options struct {
	Tau      model.Time  // τ of the bounded slowdowns in seconds, at least 1
	From, To *model.Time // jobs submitted in [From, To); nil: no bound
	Patience *Patience   // which waits users find acceptable; nil: DefaultPatience
	Counted  bool        // the platform is a number of processors: no measures of machines
}

// in reports whether a job submitted at t is measured.
func (o *Options) in(t model.Time) bool {
	return (o.From == nil || t >= *o.From) && (o.To == nil || t < *o.To)
}

// Meter measures many schedules with the same buffers. The zero value is
// ready. It is not safe for concurrent use; what it returns stays valid.
type Meter struct {
	// The measured jobs that are no advance reservations, in order: where their last
	// attempts stand among the executions. What they waited and ran is read there: with
	// ten million jobs each column would be 80 MB.
	last       []int32
	executions []model.Execution
	tau        int64

	keys, spare, third []uint64 // sorting

	summaries [5]summary // in order of the quantities below
	machine   machine
	farm      farm
	grid      grid

	satisfaction satisfaction
	fairness     fairness
	workflow     workflow
	stopped      int       // executions that were not their job's last
	lost         sum       // processor-seconds of those whose work was lost
	present, own []visitor // one user's jobs

	// Of all measured jobs, reservations as well.
	measured    int
	begin, end  model.Time // first submission, last end
	rejected    int
	killed      int
	area        sum // executed processor-seconds
	userSlot    map[int32]int32
	lostByIndex map[int]int64 // processor-seconds of attempts before the last, by index of the columns
}

// Quantities, as indices of Meter.summaries.
const (
	ofWait = iota
	ofTurnaround
	ofSlowdown
	ofBounded
	ofPerProc
)

// Measure measures a schedule: every value of the catalog in its order, the
// distribution of waits, and jobs by size class and by user. The schedule's
// executions stand in order of (job, attempt).
func (m *Meter) Measure(s *model.Schedule, o Options) (values []report.Value, waits report.CDF, classes []report.Class, users []report.UserRow) {
	o.Tau = max(o.Tau, 1)
	m.collect(s, &o)
	waits = m.times()
	m.measureMachine(s, &o)
	m.measureFarm(s, &o)
	if o.Patience == nil {
		p := DefaultPatience()
		o.Patience = &p
	}
	m.satisfy(s, &o)
	m.measureFairness(s, &o)
	m.measureGrid(s, &o)
	m.measureWorkflow(s, &o)
	values = make([]report.Value, len(table))
	for i, row := range table {
		v, ok := row.of(m)
		values[i] = report.Value{Key: row.key, Value: v, Valid: ok}
	}
	return values, waits, m.classes(s), m.users(s.Workload)
}

// collect counts the measured jobs and fills the columns.
func (m *Meter) collect(s *model.Schedule, o *Options) {
	m.executions, m.last, m.tau = s.Executions, resize(m.last, len(s.Executions))[:0], int64(o.Tau)
	m.measured, m.begin, m.end = 0, math.MaxInt64, math.MinInt64
	m.rejected, m.killed, m.area = 0, 0, sum{}
	m.stopped, m.lost = 0, sum{}
	clear(m.lostByIndex)
	for i := 0; i < len(s.Executions); {
		last := lastAttempt(s.Executions, i)
		e := &s.Executions[last]
		submit := s.Workload.Jobs[e.Job].Submit
		switch {
		case e.Reason == model.EndWithdrawn || e.Reason == model.EndNever:
			// counted as what they are (measureWorkflow)
		case !o.in(submit):
		case e.Reason.Unserved():
			m.rejected++
		default:
			if e.Reason == model.EndKilled {
				m.killed++
			}
			batch := reservation(s.Workload, e.Job) == nil
			if last > i {
				m.stopped += last - i
				m.lose(s.Executions[i:last-suspended(s.Executions[i:last])], batch)
			}
			kept := kept(s.Executions[i:last])
			m.measured++
			m.begin, m.end = min(m.begin, submit), max(m.end, e.End)
			m.area.addProduct(int64(e.Procs), int64(e.End-e.Start+kept))
			if batch {
				m.last = append(m.last, int32(last))
			}
		}
		i = last + 1
	}
}

// job returns the i-th measured job that is no reservation.
func (m *Meter) job(i int) model.JobID { return m.executions[m.last[i]].Job }

// took returns how many seconds that job waited and ran, with what it kept of attempts
// after which it was suspended.
func (m *Meter) took(i int) (wait, run int64) {
	at := int(m.last[i])
	e, first := &m.executions[at], at
	for first > 0 && m.executions[first-1].Job == e.Job {
		first--
	}
	held := model.Time(0)
	if first < at {
		held = kept(m.executions[first:at])
	}
	return int64(e.Start - m.executions[first].Submit - held), int64(e.End - e.Start + held)
}

func (m *Meter) wait(i int) int64 {
	wait, _ := m.took(i)
	return wait
}

func (m *Meter) turnaround(i int) int64 {
	wait, run := m.took(i)
	return wait + run
}

// work returns the processor-seconds that the i-th job executed.
func (m *Meter) work(i int) int64 {
	_, run := m.took(i)
	return int64(m.executions[m.last[i]].Procs)*run + m.lostByIndex[i]
}

// bounded returns its bounded slowdown.
func (m *Meter) bounded(i int) float64 {
	wait, run := m.took(i)
	return boundedSlowdown(wait+run, run, m.tau)
}

// lose counts the work of attempts that did not finish; of a batch job they belong
// to the one that is collected next.
func (m *Meter) lose(attempts []model.Execution, batch bool) {
	if m.lostByIndex == nil {
		m.lostByIndex = map[int]int64{}
	}
	for i := range attempts {
		e := &attempts[i]
		if batch {
			m.lostByIndex[len(m.last)] += int64(e.Procs) * int64(e.End-e.Start)
		}
		m.area.addProduct(int64(e.Procs), int64(e.End-e.Start))
		m.lost.addProduct(int64(e.Procs), int64(e.End-e.Start))
	}
}

// suspended counts the last of a job's unfinished attempts that are no loss: it
// was suspended after them, and went on.
func suspended(attempts []model.Execution) int {
	n := 0
	for n < len(attempts) && attempts[len(attempts)-1-n].Reason == model.EndSuspended {
		n++
	}
	return n
}

// kept returns the seconds that a job ran in them, which are of its run and not
// of its wait.
func kept(attempts []model.Execution) model.Time {
	t := model.Time(0)
	for _, e := range attempts[len(attempts)-suspended(attempts):] {
		t += e.End - e.Start
	}
	return t
}

// lastAttempt returns the index of the last execution of the job at index i.
func lastAttempt(executions []model.Execution, i int) int {
	for i+1 < len(executions) && executions[i+1].Job == executions[i].Job {
		i++
	}
	return i
}

// MeanBoundedSlowdown returns the mean over batch jobs of
// max(1, (wait + run) ÷ max(run, τ)), NaN without jobs. It allocates nothing
// and equals the value that Measure gives.
func MeanBoundedSlowdown(s *model.Schedule, o Options) float64 {
	tau, total, n := max(o.Tau, 1), 0.0, 0
	for i := 0; i < len(s.Executions); i++ {
		first := i
		i = lastAttempt(s.Executions, i)
		e := &s.Executions[i]
		submit := s.Workload.Jobs[e.Job].Submit
		if e.Reason.Unserved() || !o.in(submit) || reservation(s.Workload, e.Job) != nil {
			continue
		}
		total += boundedSlowdown(int64(e.End-s.Executions[first].Submit), int64(e.End-e.Start+kept(s.Executions[first:i])), int64(tau))
		n++
	}
	if n == 0 {
		return math.NaN()
	}
	return total / float64(n)
}

// MeanWait returns the mean over batch jobs of the wait in seconds, NaN without
// jobs. It allocates nothing and equals the value that Measure gives.
func MeanWait(s *model.Schedule, o Options) float64 {
	var total sum
	n := int64(0)
	for i := 0; i < len(s.Executions); i++ {
		first := i
		i = lastAttempt(s.Executions, i)
		e := &s.Executions[i]
		submit := s.Workload.Jobs[e.Job].Submit
		if e.Reason.Unserved() || !o.in(submit) || reservation(s.Workload, e.Job) != nil {
			continue
		}
		total.add(int64(e.Start - s.Executions[first].Submit - kept(s.Executions[first:i])))
		n++
	}
	if n == 0 {
		return math.NaN()
	}
	return total.float() / float64(n)
}
