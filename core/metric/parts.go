package metric

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// mostParts bounds how many parts there are of one kind; a log may have any number of
// groups and accounts. Those with most processor-seconds stay.
const mostParts = 200

// Parts sums the jobs of the schedule that was measured last, which is s. partition gives SWF field
// 16 of a job, −1 unknown. told: the jobs are those that the log tells of, as they were.
func (m *Meter) Parts(s *model.Schedule, partition func(model.JobID) int32, told bool) *report.Parts {
	w := s.Workload
	out := &report.Parts{Jobs: m.jobsMark(w), Schedule: scheduleMark(s)}
	if len(m.last) == 0 {
		return out
	}
	first, last := m.span(w)
	out.Days = int((last-first)/86400) + 1
	waves := make([][4]float64, out.Days)
	for d := range waves {
		for k := range waves[d] {
			waves[d][k] = math.Cos(math.Pi * float64(k+1) * (float64(d) + 0.5) / float64(out.Days))
		}
	}
	for i := range m.last {
		j := m.job(i)
		if logged := w.Truth[j].LoggedWait; told && logged >= 0 {
			out.Known++
			out.KnownWait += m.wait(i)
			out.LoggedWait += int64(logged)
			out.KnownWait += int64(w.Jobs[j].Submit - w.SubmittedAt(j)) // if it was held until it was eligible: both from its submission
		}
	}
	all := func(model.JobID) int64 { return 0 }
	for _, by := range []struct {
		name string
		key  func(model.JobID) int64
	}{
		{"", all},
		{report.ByPartition, func(j model.JobID) int64 { return int64(partition(j)) }},
		{report.ByQueue, func(j model.JobID) int64 { return int64(w.Jobs[j].Queue) }},
		{report.BySize, func(j model.JobID) int64 { return int64(procsClass(int64(w.Jobs[j].Procs))) }},
		{report.ByGPUs, func(j model.JobID) int64 { return gpuClass(w.Demand(j)) }},
		{report.ByAccount, func(j model.JobID) int64 { return account(w.Demand(j), s.Platform) }},
		{report.ByGroup, func(j model.JobID) int64 { return int64(w.Jobs[j].Group) }},
		{report.ByWeek, func(j model.JobID) int64 { return week(w, j) }},
	} {
		list := m.parts(w, by.key, func(j model.JobID) *[4]float64 { return &waves[(w.Jobs[j].Submit-first)/86400] })
		if len(list) == 1 && by.name != "" { // all of them are alike
			continue
		}
		if len(list) > mostParts {
			order.Stable(list, func(a, b report.Part) int { return cmp.Compare(b.Work, a.Work) })
			list = list[:mostParts]
		}
		order.Stable(list, func(a, b report.Part) int { return cmp.Compare(a.From, b.From) })
		for i := range list {
			list[i].By = by.name
			switch key := list[i].From; by.name {
			case report.BySize:
				list[i].From, list[i].To = sizes(int(key))
			case report.ByGPUs:
				if key > 0 {
					list[i].From, list[i].To = sizes(int(key - 1))
				}
			}
		}
		out.List = append(out.List, list...)
	}
	return out
}

// parts sums the measured jobs by a key.
func (m *Meter) parts(w *model.Workload, key func(model.JobID) int64, wave func(model.JobID) *[4]float64) (list []report.Part) {
	type user struct {
		part int
		user int32
	}
	at, users := map[int64]int{}, map[user]int{}
	for i := range m.last {
		j, wait := m.job(i), m.wait(i)
		k := key(j)
		part, known := at[k]
		if !known {
			part = len(list)
			at[k] = part
			list = append(list, report.Part{From: k, To: k})
		}
		p := &list[part]
		work := m.work(i)
		p.Jobs++
		p.Wait += wait
		p.Work += work
		for n, c := range wave(j) {
			p.Waves[n] += float64(float64(wait) * c)
		}
		who := user{part, w.Jobs[j].User}
		slot, known := users[who]
		if !known {
			slot = len(p.Users)
			users[who] = slot
			p.Users = append(p.Users, [4]int64{int64(who.user)})
		}
		u := &p.Users[slot]
		u[1]++
		u[2] += work
		u[3] += wait
	}
	return list
}

// gpuClass is 0 without GPUs, else one more than the class of their number.
func gpuClass(d *model.Demand) int64 {
	if d == nil || d.GPUsPerNode == 0 {
		return 0
	}
	return int64(procsClass(int64(d.GPUsPerNode)*int64(max(1, d.Nodes)))) + 1
}

// account is the number of a job's account, −1 without one.
func account(d *model.Demand, p *model.Platform) int64 {
	if d == nil || d.Account == 0 || p == nil {
		return -1
	}
	return int64(p.Accounts[d.Account-1].Number)
}

// jobsMark is a fingerprint of the measured jobs, whatever machines they ran on.
func (m *Meter) jobsMark(w *model.Workload) string {
	h := fnv.New64a()
	for i := range m.last {
		j := m.job(i)
		one := &w.Jobs[j]
		marked(h.Write, one.Number, int64(one.Submit), int64(one.Procs), int64(one.User), int64(one.Limit), int64(w.Truth[j].Run))
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// scheduleMark is a fingerprint of what ran when, advance reservations included.
func scheduleMark(s *model.Schedule) string {
	h := fnv.New64a()
	for i := range s.Executions {
		e := &s.Executions[i]
		marked(h.Write, s.Workload.Jobs[e.Job].Number, int64(e.Submit), int64(e.Start), int64(e.End), int64(e.Procs), int64(e.Reason))
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

func marked(write func([]byte) (int, error), values ...int64) {
	var b [8]byte
	for _, v := range values {
		for k := range b {
			b[k] = byte(v >> (8 * k))
		}
		write(b[:])
	}
}
