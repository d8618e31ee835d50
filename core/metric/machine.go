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
	first, last := m.first, m.last
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
	submits, starts := m.keys[:0], m.spare[:0]
	var before, queue int32 // jobs that wait when the span begins; now
	sorted := true
	for i := range s.Executions {
		e := &s.Executions[i]
		submit := queued(s, e)
		if e.Reason.Unserved() || e.Start == submit || submit >= last || e.Start <= first {
			continue
		}
		if submit <= first {
			before++
		} else {
			k := uint64(submit - first)
			sorted = sorted && (len(submits) == 0 || submits[len(submits)-1] <= k)
			submits = append(submits, k)
		}
		starts = append(starts, uint64(e.Start-first))
	}
	m.keys, m.spare = submits, starts
	if !sorted { // attempts after a failure
		submits, _ = order.Keys(submits, make([]uint64, len(submits)), 0)
	}
	m.third = resize(m.third, len(starts))
	starts, _ = order.Keys(starts, m.third, 0)
	queue = before
	most, at := queue, 0
	for i, k := range submits {
		for at < len(starts) && starts[at] <= k {
			at++
			queue--
		}
		queue++
		if i+1 == len(submits) || submits[i+1] != k {
			most = max(most, queue)
		}
	}
	return most
}
