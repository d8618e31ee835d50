package metric

import (
	"cmp"
	"math"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// Near says how near simulated waits come to logged ones; both are of the same jobs, in
// the same order, in seconds and at least 0. The zero Nearness without jobs.
func Near(simulated, logged []model.Time) (n report.Nearness) {
	if n.Jobs = len(simulated); n.Jobs == 0 {
		return n
	}
	var sumS, sumL sum
	off := make([]model.Time, n.Jobs)
	minute, hour, tenth := 0, 0, 0
	for i, s := range simulated {
		l := logged[i]
		sumS.add(int64(s))
		sumL.add(int64(l))
		d := max(s-l, l-s)
		off[i] = d
		if d <= 60 {
			minute++
		}
		if d <= 3600 {
			hour++
		}
		if d <= l/10 { // whole seconds: 10 d ≤ l
			tenth++
		}
	}
	count := float64(n.Jobs)
	n.MeanWait, n.LoggedWait = sumS.float()/count, sumL.float()/count
	n.Bias = n.MeanWait - n.LoggedWait
	if n.LoggedWait > 0 {
		ratio := n.MeanWait / n.LoggedWait
		n.Ratio = &ratio
	}
	order.Sort(off, cmp.Compare[model.Time])
	n.MedianError = (float64(off[(n.Jobs-1)/2]) + float64(off[n.Jobs/2])) / 2
	n.Minute, n.Hour, n.Tenth = float64(minute)/count, float64(hour)/count, float64(tenth)/count
	n.Rank = spearman(simulated, logged)
	return n
}

// spearman returns Spearman's rank correlation: Pearson's of the ranks, equal values at
// the mean of theirs. nil where one list is the same throughout.
func spearman(a, b []model.Time) *float64 {
	x, y := ranks(a), ranks(b)
	var xx, yy, xy float64
	middle := float64(len(a)+1) / 2
	for i := range x {
		dx, dy := x[i]-middle, y[i]-middle
		xx += float64(dx * dx) // kept apart, so that no processor rounds the two at once
		yy += float64(dy * dy)
		xy += float64(dx * dy)
	}
	if xx == 0 || yy == 0 {
		return nil
	}
	rho := xy / math.Sqrt(float64(xx*yy))
	return &rho
}

// ranks returns the rank of each value, from 1; equal values have the mean of theirs.
func ranks(list []model.Time) []float64 {
	at := make([]int32, len(list))
	for i := range at {
		at[i] = int32(i)
	}
	order.Sort(at, func(a, b int32) int { return cmp.Or(cmp.Compare(list[a], list[b]), cmp.Compare(a, b)) })
	out := make([]float64, len(list))
	for from := 0; from < len(at); {
		to := from
		for to < len(at) && list[at[to]] == list[at[from]] {
			to++
		}
		for _, i := range at[from:to] {
			out[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return out
}

// Truth sets the schedule that was measured last beside what the log says happened:
// all measured jobs whose wait the log knows, and parts of them. partition gives SWF
// field 16 of a job, −1 unknown. Waits are from submission, of jobs that are held until
// they are eligible, too. waits are the simulated ones by job of the workload that was
// asked for, −1 of jobs that are not compared.
func (m *Meter) Truth(s *model.Schedule, partition func(model.JobID) int32) (t *report.Truth, waits []model.Time) {
	w := s.Workload
	t = &report.Truth{}
	waits = make([]model.Time, len(w.Jobs))
	for i := range waits {
		waits[i] = -1
	}
	for i := range s.Executions {
		if e := &s.Executions[i]; e.Reason.Unserved() && w.Truth[e.Job].LoggedWait >= 0 && reservation(w, e.Job) == nil {
			t.Unserved++
		}
	}
	var jobs []model.JobID
	var simulated, logged []model.Time
	for i, j := range m.job {
		if w.Truth[j].LoggedWait < 0 {
			t.Unknown++
			continue
		}
		wait, asked := model.Time(m.wait[i]), int(j)
		if w.Origin != nil { // held until it was eligible, which is what was measured from
			wait, asked = wait+w.Jobs[j].Submit-w.Submitted[j], int(w.Origin[j])
		}
		waits[asked] = wait
		jobs, simulated, logged = append(jobs, j), append(simulated, wait), append(logged, w.Truth[j].LoggedWait)
	}
	t.Nearness = Near(simulated, logged)
	for _, by := range []struct {
		name string
		key  func(model.JobID) int64
	}{
		{"partition", func(j model.JobID) int64 { return int64(partition(j)) }},
		{"queue", func(j model.JobID) int64 { return int64(w.Jobs[j].Queue) }},
		{"size", func(j model.JobID) int64 { return int64(procsClass(int64(w.Jobs[j].Procs))) }},
		{"group", func(j model.JobID) int64 { return int64(w.Jobs[j].Group) }},
		{"week", func(j model.JobID) int64 { return week(w, j) }},
	} {
		t.Parts = append(t.Parts, truthParts(by.name, jobs, simulated, logged, by.key)...)
	}
	return t, waits
}

// week is the week in which a job was submitted, from the log's own beginning.
func week(w *model.Workload, j model.JobID) int64 {
	submit := w.Jobs[j].Submit
	if w.Origin != nil {
		submit = w.Submitted[j]
	}
	return int64(submit / 604_800)
}

// truthParts divides jobs by a key and measures each part; none where all are alike.
func truthParts(by string, jobs []model.JobID, simulated, logged []model.Time, key func(model.JobID) int64) (out []report.TruthPart) {
	at := make([]int32, len(jobs))
	keys := make([]int64, len(jobs))
	for i, j := range jobs {
		at[i], keys[i] = int32(i), key(j)
	}
	order.Sort(at, func(a, b int32) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b)) })
	if len(at) == 0 || keys[at[0]] == keys[at[len(at)-1]] {
		return nil
	}
	var s, l []model.Time
	for i, a := range at {
		s, l = append(s, simulated[a]), append(l, logged[a])
		if i+1 < len(at) && keys[at[i+1]] == keys[a] {
			continue
		}
		p := report.TruthPart{By: by, From: keys[a], To: keys[a], Nearness: Near(s, l)}
		if by == "size" {
			p.From, p.To = sizes(int(keys[a]))
		}
		out = append(out, p)
		s, l = s[:0], l[:0]
	}
	return out
}

// sizes returns the least and the greatest number of processors of a class (procsClass).
func sizes(class int) (from, to int64) {
	if class == 0 {
		return 1, 1
	}
	return 1<<(2*(class-1)) + 1, 1 << (2 * class)
}
