// Package drawtest makes what charts draw, and reads what they drew, for tests of views.
package drawtest

import (
	"fmt"
	"math/rand/v2"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/sample"
)

// Data is an experiment of n schedulers with some repeats each.
func Data(n, repeats int) *draw.Data {
	d := &draw.Data{A: 0, B: 1, Base: n - 1, Tau: 10, Theme: draw.Colours(false), Clock: draw.Clock{Unix: sample.March5}}
	if n == 1 {
		d.B, d.Base = -1, -1
	}
	for i := range n {
		d.Names = append(d.Names, fmt.Sprintf("Scheduler <%d> & co", i))
		var runs []*report.Run
		for k := range repeats {
			r := rand.New(rand.NewPCG(uint64(i*10+k), 4))
			jobs, c := sample.Packed(r, 300, 24)
			run := &report.Run{Scheduler: i, Repetition: k, Jobs: 300, Processors: 24, Columns: *c}
			mean := 0.0
			t := model.Time(0)
			for j := range c.Start {
				mean += float64(c.Start[j]-jobs.Submit[j]) / 300
				run.Series.At = append(run.Series.At, t)
				run.Series.Used, run.Series.Waiting = append(run.Series.Used, int32(r.IntN(25))), append(run.Series.Waiting, int32(r.IntN(9)))
				t += 1 + model.Time(r.IntN(4000))
			}
			run.Metrics = []report.Value{{Key: "mean-wait", Value: mean, Valid: true}, {Key: "mean-bounded-slowdown", Value: 1 + float64(i) + r.Float64(), Valid: true}, {Key: "odd", Valid: false}}
			for s := 1; s <= 50; s++ {
				run.Waits.At = append(run.Waits.At, float64(s*s*(i+1)*20))
				run.Waits.Share = append(run.Waits.Share, float64(s)/50)
			}
			for _, q := range [][2]int32{{1, 1}, {2, 4}, {5, 64}} {
				for _, l := range [][2]model.Time{{0, 600}, {600, 3600}, {3600, model.Never}} {
					run.Classes = append(run.Classes, report.Class{ProcsFrom: q[0], ProcsTo: q[1], LimitFrom: l[0], LimitTo: l[1], Jobs: r.IntN(9), MeanWait: float64(r.IntN(9000)), MeanSlowdown: 1 + r.Float64()})
				}
			}
			for u := range int32(12) {
				run.Users = append(run.Users, report.UserRow{User: u, Jobs: 1 + r.IntN(80), Area: r.Int64N(1e7), MeanWait: float64(r.IntN(9000)), MaxWait: 9000, MeanSlowdown: 2})
			}
			runs = append(runs, run)
			if i == 0 && k == 0 {
				d.Jobs = jobs
			}
		}
		d.Runs = append(d.Runs, runs)
		d.Shown = append(d.Shown, runs[0])
	}
	return d
}
