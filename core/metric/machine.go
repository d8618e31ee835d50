package metric

import (
	"batchlab/core/model"
	"batchlab/core/order"
)

// machine holds the measures of the machine over the span from the first
// submission to the last end of the measured jobs.
type machine struct {
	first, last model.Time
	processors  int
	busy        sum // processor-seconds executed in the span
	waited      sum // seconds waited in the span
	maxQueue    int32
}

func (m *machine) makespan() int64 { return int64(m.last - m.first) }

// measureMachine measures the machine. With a measuring window, jobs outside
// it hold processors, too: what they execute and wait within the span counts,
// so that utilization stays a property of the machine.
func (m *Meter) measureMachine(s *model.Schedule, o *Options) {
	m.machine = machine{}
	if s.Platform != nil {
		m.machine.processors = s.Platform.Procs()
	}
	if m.measured == 0 {
		return
	}
	first, last := m.begin, m.end
	m.machine.first, m.machine.last = first, last
	overlap := func(from, to model.Time) int64 { return int64(max(0, min(to, last)-max(from, first))) }
	for i := range s.Executions {
		if e := &s.Executions[i]; !e.Reason.Unserved() {
			m.machine.busy.addProduct(int64(e.Procs), overlap(e.Start, e.End))
			m.machine.waited.add(overlap(queued(s, e), e.Start))
		}
	}
	m.machine.maxQueue = m.maxQueue(s, first, last)
}

// asked returns when an execution begins to wait: later than its submission for
// an advance reservation (model.Workload.Asked), but not after its start, which
// the log's own schedule may have set before that.
func asked(s *model.Schedule, e *model.Execution) model.Time {
	return max(e.Submit, min(e.Start, s.Workload.Asked(e.Job)))
}

// queued returns when an execution begins to stand in the queue, which a
// reservation never does: it has its place.
func queued(s *model.Schedule, e *model.Execution) model.Time {
	if reservation(s.Workload, e.Job) != nil {
		return e.Start
	}
	return e.Submit
}

// maxQueue returns the most jobs that wait at one time of [first, last). What
// happens at one instant counts together: a job that starts when it is
// submitted never waits.
func (m *Meter) maxQueue(s *model.Schedule, first, last model.Time) int32 {
	starts := resize(m.keys, len(s.Executions))[:0]
	var submits []uint64 // where executions do not stand in their order
	before := int32(0)   // jobs that wait when the span begins
	latest, sorted := model.Time(0), true
	each := func(visit func(submit, start model.Time)) {
		for i := range s.Executions {
			e := &s.Executions[i]
			if submit := queued(s, e); !e.Reason.Unserved() && e.Start != submit && submit < last && e.Start > first {
				visit(submit-first, e.Start-first)
			}
		}
	}
	each(func(submit, start model.Time) {
		if starts = append(starts, uint64(start)); submit <= 0 {
			before++
			return
		}
		sorted = sorted && latest <= submit
		latest = submit
	})
	m.spare = resize(m.spare, len(starts))
	starts, m.spare = order.Keys(starts, m.spare, 0)
	m.keys = starts
	queue, most, at, now := before, before, 0, uint64(0)
	arrive := func(k uint64) {
		if k != now { // the instant before is over
			most, now = max(most, queue), k
		}
		for at < len(starts) && starts[at] <= k {
			at++
			queue--
		}
		queue++
	}
	if sorted {
		each(func(submit, _ model.Time) {
			if submit > 0 {
				arrive(uint64(submit))
			}
		})
		return max(most, queue)
	}
	each(func(submit, _ model.Time) { // attempts after a failure
		if submit > 0 {
			submits = append(submits, uint64(submit))
		}
	})
	submits, _ = order.Keys(submits, make([]uint64, len(submits)), 0)
	for _, k := range submits {
		arrive(k)
	}
	return max(most, queue)
}
