package metric

import (
	"cmp"
	"math"
	"slices"

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
	minute, hour, tenth, twofold := 0, 0, 0, 0
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
		if s <= 2*l+60 && l <= 2*s+60 {
			twofold++
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
	n.Twofold = float64(twofold) / count
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
// all measured jobs whose wait the log knows, and parts of them. tags gives what the log
// says of a job. Waits are from submission, of jobs that are held until
// they are eligible, too. waits are the simulated ones by job of the workload that was
// asked for, −1 of jobs that are not compared.
func (m *Meter) Truth(s *model.Schedule, tags func(model.JobID) TruthTags) (t *report.Truth, waits []model.Time) {
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
	for i := range m.last {
		j := m.job(i)
		if w.Truth[j].LoggedWait < 0 {
			t.Unknown++
			continue
		}
		wait, asked := model.Time(m.wait(i)), int(j)
		if w.Origin != nil { // held until it was eligible, which is what was measured from, or submitted by a user who reacts
			wait, asked = wait+w.Jobs[j].Submit-w.SubmittedAt(j), int(w.Origin[j])
		}
		waits[asked] = wait
		jobs, simulated, logged = append(jobs, j), append(simulated, wait), append(logged, w.Truth[j].LoggedWait)
	}
	t.Nearness = Near(simulated, logged)
	t.Top = densityTop(logged)
	t.Density = density(simulated, logged, t.Top)
	for _, i := range worst(simulated, logged) {
		j := jobs[i]
		tag := tags(j)
		t.Worst = append(t.Worst, report.TruthJob{Job: w.Jobs[j].Number, Processors: w.Jobs[j].Procs, Limit: int64(w.Jobs[j].Limit), Submit: int64(w.SubmittedAt(j)),
			Simulated: int64(simulated[i]), Logged: int64(logged[i]), Partition: int64(tag.Partition), GPUs: int64(tag.GPUs)})
	}
	second := secondHalf(w, jobs)
	for _, by := range []struct {
		name string
		key  func(model.JobID) int64
	}{
		{"partition", func(j model.JobID) int64 { return int64(tags(j).Partition) }},
		{"queue", func(j model.JobID) int64 { return int64(w.Jobs[j].Queue) }},
		{"size", func(j model.JobID) int64 { return int64(procsClass(int64(w.Jobs[j].Procs))) }},
		{"group", func(j model.JobID) int64 { return int64(w.Jobs[j].Group) }},
		{"qos", func(j model.JobID) int64 { return int64(tags(j).QOS) }},
		{"account", func(j model.JobID) int64 { return int64(tags(j).Account) }},
		{"gpus", func(j model.JobID) int64 { return int64(tags(j).GPUs) }},
		{"half", func(j model.JobID) int64 { return second[j] }},
		{"week", func(j model.JobID) int64 { return week(w, j) }},
	} {
		t.Parts = append(t.Parts, truthParts(by.name, jobs, simulated, logged, by.key)...)
	}
	return t, waits
}

// week is the week in which a job was submitted, from the log's own beginning.
func week(w *model.Workload, j model.JobID) int64 { return int64(w.SubmittedAt(j) / 604_800) }

// TruthTags are what a log says of a job beside the workload: 0 nothing, of partitions −1.
type TruthTags struct{ Partition, QOS, Account, GPUs int32 }

// secondHalf says of jobs 1 if they are not of the first ⌊n ÷ 2⌋ in order of submission;
// of those submitted together the one with the lower number came first.
func secondHalf(w *model.Workload, jobs []model.JobID) map[model.JobID]int64 {
	sorted := slices.Clone(jobs)
	order.Sort(sorted, func(a, b model.JobID) int {
		return cmp.Or(cmp.Compare(w.SubmittedAt(a), w.SubmittedAt(b)), cmp.Compare(w.Jobs[a].Number, w.Jobs[b].Number), cmp.Compare(a, b))
	})
	half := make(map[model.JobID]int64, len(jobs))
	for _, j := range sorted[len(sorted)/2:] {
		half[j] = 1
	}
	return half
}

// densityTops are where the squares of waits may end, in seconds.
var densityTops = []int64{600, 3600, 7200, 4 * 3600, 8 * 3600, 16 * 3600, 86400, 2 * 86400, 4 * 86400, 8 * 86400, 16 * 86400, 32 * 86400, 64 * 86400}

// densityTop is the least of them that 99 of 100 logged waits do not exceed.
func densityTop(logged []model.Time) int64 {
	sorted := slices.Clone(logged)
	order.Sort(sorted, cmp.Compare[model.Time])
	for _, top := range densityTops {
		if n := len(sorted); n == 0 || int64(sorted[(n-1)*99/100]) <= top {
			return top
		}
	}
	return densityTops[len(densityTops)-1]
}

// density counts jobs by hexagon, row after row.
func density(simulated, logged []model.Time, top int64) (out []report.TruthCell) {
	counts := map[[2]int]int{}
	for i := range simulated {
		counts[hexagon(densityPlace(logged[i], top), densityPlace(simulated[i], top))]++
	}
	for at, n := range counts {
		out = append(out, report.TruthCell{Row: at[0], Column: at[1], Jobs: n})
	}
	order.Sort(out, func(a, b report.TruthCell) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column))
	})
	return out
}

func densityPlace(wait model.Time, top int64) float64 {
	return math.Sqrt(float64(min(int64(wait), top))/float64(top)) * report.DensityCells
}

// hexRow is how far rows of hexagons are apart: √3 ÷ 2.
const hexRow = 0.8660254037844386

// hexagon is the row and column of the hexagon whose middle is nearest; the lower row
// where two are equally near.
func hexagon(x, y float64) [2]int {
	row := int(y / hexRow)
	best, least := [2]int{}, math.Inf(1)
	for r := row; r <= row+1; r++ {
		shift := float64(r%2) / 2
		c := math.Floor(x - shift + .5)
		dx, dy := x-shift-c, y-float64(float64(r)*hexRow)
		if d := float64(dx*dx) + float64(dy*dy); d < least {
			best, least = [2]int{r, int(c)}, d
		}
	}
	return best
}

// worst are the indices of the waits that differ most, those first; of equal ones the
// first.
func worst(simulated, logged []model.Time) []int {
	at := make([]int, len(simulated))
	for i := range at {
		at[i] = i
	}
	off := func(i int) model.Time { return max(simulated[i]-logged[i], logged[i]-simulated[i]) }
	order.Sort(at, func(a, b int) int { return cmp.Or(cmp.Compare(off(b), off(a)), cmp.Compare(a, b)) })
	return at[:min(len(at), report.MostWorst)]
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

// NearBoth sets the waits of one run beside those of another, over the jobs that both
// serve (−1: one that is not).
func NearBoth(a, b []model.Time) report.Nearness {
	var x, y []model.Time
	for i := range a {
		if a[i] >= 0 && b[i] >= 0 {
			x, y = append(x, a[i]), append(y, b[i])
		}
	}
	return Near(x, y)
}

// MeanNearness is the mean of several, field by field; of quotients and correlations
// over those that have one.
func MeanNearness(list []report.Nearness) *report.Nearness {
	var m report.Nearness
	n := float64(len(list))
	mean := func(of func(*report.Nearness) *float64) *float64 {
		total, known := 0.0, 0.0
		for i := range list {
			if v := of(&list[i]); v != nil {
				total, known = total+*v, known+1
			}
		}
		if known == 0 {
			return nil
		}
		total /= known
		return &total
	}
	for i := range list {
		l := &list[i]
		m.Jobs = max(m.Jobs, l.Jobs)
		m.MeanWait += l.MeanWait / n
		m.LoggedWait += l.LoggedWait / n
		m.Bias += l.Bias / n
		m.MedianError += l.MedianError / n
		m.Minute += l.Minute / n
		m.Hour += l.Hour / n
		m.Twofold += l.Twofold / n
		m.Tenth += l.Tenth / n
	}
	m.Ratio = mean(func(l *report.Nearness) *float64 { return l.Ratio })
	m.Rank = mean(func(l *report.Nearness) *float64 { return l.Rank })
	return &m
}
