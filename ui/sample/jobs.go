// Package sample makes runs, jobs and files for tests of the page.
package sample

import (
	"math/rand/v2"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Four is four jobs: without a deadline, in time, late, and never run.
func Four() (*report.Jobs, *report.Columns) {
	jobs := &report.Jobs{Number: []int64{1, 2, 3, 4}, Submit: []model.Time{0, 0, 0, 0}, Limit: []model.Time{600, 600, 600, 600}, Run: []model.Time{600, 600, 600, 600},
		Procs: []int32{1, 1, 1, 1}, User: []int32{1, 1, 1, 1}, Queue: []int32{1, 1, 1, 1},
		Due: []model.Time{0, 900, 900, 900}, NeedFrom: []int32{0, 0, 1, 3, 3}, Needs: []model.LicenceNeed{{Licence: 1, Copies: 1}, {Licence: 0, Copies: 2}, {Licence: 1, Copies: 1}}}
	cols := &report.Columns{Start: []model.Time{0, 0, 600, -1}, End: []model.Time{600, 600, 1200, -1},
		Spans: []report.Span{{Job: 0, First: 0, Count: 1}, {Job: 1, First: 1, Count: 1}, {Job: 2, First: 0, Count: 1}}}
	return jobs, cols
}

// Packed makes a feasible schedule: each job takes the lowest free processors,
// in several spans where they are not contiguous.
func Packed(r *rand.Rand, n, procs int) (*report.Jobs, *report.Columns) {
	jobs, c := &report.Jobs{}, &report.Columns{}
	free := make([]model.Time, procs)
	t := model.Time(0)
	for j := range n {
		t += model.Time(r.IntN(40))
		var at []int
		want := 1 + r.IntN(min(procs, 1+r.IntN(procs)))
		start := t
		for at = at[:0]; len(at) < want; start += 7 {
			at = at[:0]
			for p := 0; p < procs && len(at) < want; p++ {
				if free[p] <= start {
					at = append(at, p)
				}
			}
			if len(at) == want {
				break
			}
		}
		end := start + 1 + model.Time(r.IntN(1+r.IntN(400)))
		for _, p := range at {
			free[p] = end
			if k := len(c.Spans); k > 0 && c.Spans[k-1].Job == int32(j) && c.Spans[k-1].First+c.Spans[k-1].Count == int32(p) {
				c.Spans[k-1].Count++
				continue
			}
			c.Spans = append(c.Spans, report.Span{Job: int32(j), First: int32(p), Count: 1})
		}
		c.Start, c.End = append(c.Start, start), append(c.End, end)
		jobs.Number = append(jobs.Number, int64(j+1))
		jobs.Submit, jobs.Limit = append(jobs.Submit, t), append(jobs.Limit, end-start+60)
		jobs.Run, jobs.Procs = append(jobs.Run, end-start), append(jobs.Procs, int32(want))
		jobs.User, jobs.Queue = append(jobs.User, int32(r.IntN(9))), append(jobs.Queue, -1)
	}
	return jobs, c
}

// Big is a schedule of n jobs on a machine of procs processors, made quickly.
func Big(n, procs int) (*report.Jobs, *report.Columns) {
	r := rand.New(rand.NewPCG(9, 9))
	jobs, c := &report.Jobs{}, &report.Columns{}
	t := model.Time(0)
	row := 0
	for j := range n {
		t += model.Time(r.IntN(300))
		q := min(procs, 1<<r.IntN(6))
		if row+q > procs {
			row = 0
		}
		run := model.Time(30 + r.IntN(4000))
		wait := model.Time(r.IntN(50000))
		c.Start, c.End = append(c.Start, t+wait), append(c.End, t+wait+run)
		c.Spans = append(c.Spans, report.Span{Job: int32(j), First: int32(row), Count: int32(q)})
		row += q
		jobs.Number, jobs.Submit, jobs.Limit, jobs.Run = append(jobs.Number, int64(j)), append(jobs.Submit, t), append(jobs.Limit, 2*run), append(jobs.Run, run)
		jobs.Procs, jobs.User, jobs.Queue = append(jobs.Procs, int32(q)), append(jobs.User, int32(j%50)), append(jobs.Queue, 0)
	}
	return jobs, c
}

// 5 March 2026 is a Thursday; its midnight in UTC is 1772668800.
const March5 = 1772668800
