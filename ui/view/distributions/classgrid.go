package distributions

import (
	"math"
	"strconv"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// ClassGrid writes mean wait and slowdown of each class of jobs for every
// scheduler, larger classes of work first as they stand in the report.
func ClassGrid(d *draw.Data) draw.Grid {
	g := draw.Grid{Head: []string{"Processors", "Requested", "Jobs"}, Left: 2, Units: []string{"processors", "requested_time", "jobs"}}
	var first *report.Run
	var sums []map[draw.ClassKey]*draw.ClassSum
	for i, runs := range d.Runs {
		if len(runs) == 0 {
			sums = append(sums, nil)
			continue
		}
		if first == nil {
			first = runs[0]
		}
		sums = append(sums, draw.ClassSums(runs))
		g.Head = append(g.Head, words.Letter(i)+" wait", words.Letter(i)+" slowdown")
		g.Units = append(g.Units, d.Title(i)+" mean_wait_s", d.Title(i)+" mean_bounded_slowdown")
	}
	if first == nil {
		return g
	}
	for _, c := range first.Classes {
		k := draw.ClassKey{Procs: c.ProcsFrom, Limit: c.LimitFrom}
		procs := words.Int(c.ProcsFrom)
		if c.ProcsTo > c.ProcsFrom {
			procs += "–" + words.Int(c.ProcsTo)
		}
		limit := "≤ " + words.Dur(float64(c.LimitTo))
		if c.LimitTo >= draw.Day*365*1000 {
			limit = "> " + words.Dur(float64(c.LimitFrom))
		}
		cells, raw, jobs := []string{procs, limit, ""}, []string{procs, limit, ""}, 0
		for _, s := range sums {
			if s == nil {
				continue
			}
			x := s[k]
			if x == nil || x.Jobs == 0 {
				cells, raw = append(cells, words.None, words.None), append(raw, "", "")
				continue
			}
			jobs = max(jobs, x.Jobs)
			w, sl := x.Wait/float64(x.Jobs), x.Slowdown/float64(x.Jobs)
			cells, raw = append(cells, draw.HourMin(int64(math.Round(w))), words.Plain(sl)), append(raw, draw.PlainNumber(w), draw.PlainNumber(sl))
		}
		if jobs == 0 {
			continue
		}
		cells[2], raw[2] = words.Int(jobs), strconv.Itoa(jobs)
		g.Cells, g.Raw = append(g.Cells, cells), append(g.Raw, raw)
	}
	return g
}
