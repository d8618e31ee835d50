package metric

import (
	"cmp"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// farm holds the measures of deadlines, licences and platforms of machines
// (Techiouba et al. 2008, section 7).
type farm struct {
	usage     float64 // system usage
	used      bool    // it exists
	due       int     // measured jobs with a deadline
	never     int     // of these, rejected
	late      int     // of these, ended after it or rejected
	tardiness sum     // seconds
	latest    int64
	lateness  sum     // seconds; negative before the deadline
	worst     int64   // greatest lateness
	weights   float64 // of jobs that ended
	weighted  float64 // weight × tardiness
	stopped   int     // stopped at the deadline
	licences  float64 // per cent
	licensed  bool
}

// due makes a measure that exists when some measured job has a deadline.
func due(of func(*farm) float64) func(*Meter) (float64, bool) {
	return func(m *Meter) (float64, bool) {
		if m.farm.due == 0 {
			return 0, false
		}
		return of(&m.farm), true
	}
}

// ended makes a measure that exists when some measured job with a deadline ran.
func ended(of func(*farm) float64) func(*Meter) (float64, bool) {
	return func(m *Meter) (float64, bool) {
		if m.farm.due == m.farm.never {
			return 0, false
		}
		return of(&m.farm), true
	}
}

func (m *Meter) measureFarm(s *model.Schedule, o *Options) {
	m.farm = farm{}
	f := &m.farm
	if len(s.Workload.Demands) > 0 {
		for i := 0; i < len(s.Executions); i++ {
			i = lastAttempt(s.Executions, i)
			e := &s.Executions[i]
			d := s.Workload.Demand(e.Job)
			if d == nil || d.Due == 0 || !o.in(s.Workload.Jobs[e.Job].Submit) {
				continue
			}
			f.due++
			if e.Reason.Unserved() {
				f.late++
				f.never++
				continue
			}
			late := int64(e.End - d.Due)
			if f.lateness.add(late); f.due-f.never == 1 || late > f.worst {
				f.worst = late
			}
			weight := d.Weight
			if weight <= 0 {
				weight = 1
			}
			f.weights += weight
			if d.OnDue == model.DueKill && e.Reason == model.EndDue {
				f.stopped++
				f.late++ // it did not end in time: it did not end
			} else if late > 0 {
				f.late++
				f.tardiness.add(late)
				f.latest = max(f.latest, late)
				f.weighted += float64(weight * float64(late))
			}
		}
	}
	if len(s.Claims) == 0 || m.machine.makespan() <= 0 {
		return
	}
	if !o.Counted {
		f.usage, f.used = m.systemUsage(s)
	}
	var held, there sum
	for i := range s.Executions {
		e := &s.Executions[i]
		d := s.Workload.Demand(e.Job)
		if d == nil || e.Reason.Unserved() {
			continue
		}
		overlap := int64(max(0, min(e.End, m.machine.last)-max(e.Start, m.machine.first)))
		for _, l := range s.Platform.Activates(d.Licences) {
			if s.Platform.Licences[l.Licence].Copies > 0 {
				held.addProduct(int64(l.Copies), overlap)
			}
		}
	}
	for _, l := range s.Platform.Activated() {
		there.addProduct(int64(l.Copies), m.machine.makespan())
	}
	if f.licensed = there != (sum{}); f.licensed {
		f.licences = 100 * held.float() / there.float()
	}
}

// systemUsage returns the mean over time of busy processors ÷ min(processors,
// jobs waiting or running), over the span of the measured jobs as far as there
// are jobs: without any the quotient has no value. It exceeds 1 where fewer
// jobs than processors are there and each uses several.
func (m *Meter) systemUsage(s *model.Schedule) (float64, bool) {
	type event struct {
		at          model.Time
		procs, jobs int64
	}
	events := make([]event, 0, 3*len(s.Executions))
	for i := range s.Executions {
		if e := &s.Executions[i]; !e.Reason.Unserved() {
			events = append(events, event{asked(s, e), 0, 1}, event{e.Start, int64(e.Procs), 0}, event{e.End, -int64(e.Procs), -1})
		}
	}
	order.Sort(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	var procs, jobs, seconds int64
	total := 0.0
	for i, e := range events {
		if i > 0 && jobs > 0 {
			if span := int64(min(e.at, m.machine.last) - max(events[i-1].at, m.machine.first)); span > 0 {
				seconds += span
				total += float64(float64(procs)/float64(min(int64(m.machine.processors), jobs))) * float64(span)
			}
		}
		procs, jobs = procs+e.procs, jobs+e.jobs
	}
	if seconds == 0 {
		return 0, false
	}
	return total / float64(seconds), true
}

// Licences returns how each licence of the platform was used, with time lines
// when lines is true: one entry per instant at which something changes.
func Licences(s *model.Schedule, lines bool) []report.Licence {
	if s.Platform == nil || len(s.Platform.Activated()) == 0 {
		return nil
	}
	type event struct {
		at                  model.Time
		used, waits, copies int32 // copies taken or given; a job that needs so many begins (1) or ends (−1) to wait
	}
	out := make([]report.Licence, len(s.Platform.Activated()))
	events := make([][]event, len(out))
	held := make([]sum, len(out))
	first, last := model.Never, -model.Never
	for i := range s.Executions {
		e := &s.Executions[i]
		if e.Reason.Unserved() {
			continue
		}
		first, last = min(first, e.Submit), max(last, e.End)
		d := s.Workload.Demand(e.Job)
		if d == nil {
			continue
		}
		for _, l := range s.Platform.Activates(d.Licences) {
			held[l.Licence].addProduct(int64(l.Copies), int64(e.End-e.Start))
			if lines {
				events[l.Licence] = append(events[l.Licence], event{asked(s, e), 0, 1, l.Copies}, event{e.Start, l.Copies, -1, l.Copies}, event{e.End, -l.Copies, 0, l.Copies})
			}
		}
	}
	for l := range out {
		licence := &s.Platform.Licences[l]
		out[l] = report.Licence{Name: licence.Name, Copies: licence.Copies}
		if licence.Copies > 0 && last > first {
			out[l].Usage = held[l].float() / (float64(licence.Copies) * float64(last-first))
		}
		list := events[l]
		order.Sort(list, func(a, b event) int { return cmp.Compare(a.at, b.at) })
		waiting := map[int32]int32{} // jobs by copies needed
		used := int32(0)
		for i, e := range list {
			used += e.used
			waiting[e.copies] += e.waits
			if i+1 < len(list) && list[i+1].at == e.at {
				continue
			}
			blocked := int32(0)
			for copies, jobs := range waiting {
				if licence.Copies > 0 && copies > licence.Copies-used {
					blocked += jobs
				}
			}
			r := &out[l]
			if n := len(r.At); n > 0 && r.Used[n-1] == used && r.Blocked[n-1] == blocked || n == 0 && used == 0 && blocked == 0 {
				continue
			}
			r.At, r.Used, r.Blocked = append(r.At, e.at), append(r.Used, used), append(r.Blocked, blocked)
		}
	}
	return out
}
