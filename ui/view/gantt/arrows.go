package gantt

import (
	"math"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/scene"
)

// mostArrows bounds how many arrows are drawn at once: more would be a tangle.
const mostArrows = 60

// chain calls visit with what leads to a job and what follows from it, however far; of
// none, −1, with all that jobs wait for. It stops after mostArrows.
func chain(jobs *report.Jobs, job int, visit func(a *report.After)) {
	n := 0
	see := func(a *report.After) bool {
		if n++; n <= mostArrows {
			visit(a)
		}
		return n < mostArrows
	}
	if job < 0 {
		for i := range jobs.After {
			if a := &jobs.After[i]; a.On >= 0 && !see(a) {
				return
			}
		}
		return
	}
	seen := map[int32]bool{int32(job): true}
	for list := []int32{int32(job)}; len(list) > 0; list = list[1:] { // what it waited for
		of := jobs.AfterOf(int(list[0]))
		for i := range of {
			if a := &of[i]; a.On >= 0 {
				if !see(a) {
					return
				}
				if !seen[a.On] {
					seen[a.On] = true
					list = append(list, a.On)
				}
			}
		}
	}
	behind := map[int32]bool{int32(job): true}
	for more := true; more; { // jobs behind the one that they wait for, as a rule
		more = false
		for i := range jobs.After {
			if a := &jobs.After[i]; a.On >= 0 && behind[a.On] && !behind[a.Job] {
				behind[a.Job], more = true, true
			}
		}
	}
	for i := range jobs.After {
		if a := &jobs.After[i]; a.On >= 0 && behind[a.On] && !seen[a.Job] && !see(a) {
			return
		}
	}
}

// few says whether there are so few dependencies that all can be drawn.
func few(jobs *report.Jobs) bool { return len(jobs.After) > 0 && len(jobs.After) <= mostArrows }

// arrows draws in a pane what jobs waited for: from the end of a predecessor, or from its
// start where that was waited for (dashed), to the start of the job. Those of the chosen
// job's chain are strong.
func (g *Gantt) arrows(s *draw.Scene, i, job int) {
	p, b, t := &g.Panes[i], g.Layout.Panes[i].Jobs, g.Theme
	if p.Cols == nil || p.Index == nil || g.Jobs == nil {
		return
	}
	var lines [2]string
	heads := ""
	chain(g.Jobs, job, func(a *report.After) {
		from, to := p.Cols.End[a.On], p.Cols.Start[a.Job]
		dashed := 0
		if model.Event(a.What&3) == model.Started {
			from, dashed = p.Cols.Start[a.On], 1
		}
		if from < 0 || to < from || to < g.From || from > g.To { // one of them never ran, or the arrow is out of view
			return
		}
		x0, x1 := max(g.X(from), b.X-40), min(g.X(to), b.Right()+40)
		y0, y1 := g.middle(i, int(a.On)), g.middle(i, int(a.Job))
		bend := max(14, math.Abs(x1-x0)/2)
		if math.Abs(y1-y0) < 2 {
			bend = 0
		}
		line, head := scene.Arrow(x0, y0, x1, y1, bend, 9)
		lines[dashed] += line
		heads += head
	})
	width := 1.2
	if job >= 0 {
		width = 2
	}
	s.Clip(b)
	for k, dash := range [...]string{"", "5 3"} {
		s.Stroke(lines[k], t.Panel, width+2.6, "")
		s.Stroke(lines[k], t.Ink, width, dash)
	}
	s.Stroke(heads, t.Panel, 2.6, "")
	s.Fill(heads, t.Ink, 1)
	s.Unclip()
}

// middle is the height of a job's arrows in a pane: below its number, which stands in the middle.
func (g *Gantt) middle(i, job int) float64 {
	p, b := &g.Panes[i], g.Layout.Panes[i].Jobs
	mid := b.Y + b.H/2
	p.Index.Rects(job, func(r draw.Rect) {
		if r.Main {
			mid = b.Bottom() - (float64(r.First)+float64(r.Count)/4)*b.H/float64(max(1, p.Procs))
		}
	})
	return mid
}

// AfterCSV lists what jobs waited for under a run, with times in seconds of the log: a
// line for each predecessor, time and array.
func AfterCSV(jobs *report.Jobs, c *report.Columns) []byte {
	b := []byte("job,waits_for,job_waited_for,delay_s,happened_s,eligible_s,start_s\r\n")
	time := func(list []model.Time, j int32) {
		if b = append(b, ','); int(j) < len(list) && j >= 0 && list[j] >= 0 {
			b = strconv.AppendInt(b, int64(list[j]), 10)
		}
	}
	for i := range jobs.After {
		a := &jobs.After[i]
		b = append(strconv.AppendInt(b, jobs.Number[a.Job], 10), ',')
		switch a.What {
		case report.AfterBegin:
			b = strconv.AppendInt(append(b, "time,,,"...), int64(a.Delay), 10)
		case report.AfterArray:
			b = append(strconv.AppendInt(append(b, "array of "...), int64(a.Limit), 10), ",,,"...)
		default:
			b = append(append(b, [...]string{"end", "success", "failure", "start"}[a.What&3]...), ',')
			b = append(strconv.AppendInt(b, jobs.Number[a.On], 10), ',')
			b = strconv.AppendInt(b, int64(a.Delay), 10)
			list := c.End
			if model.Event(a.What&3) == model.Started {
				list = c.Start
			}
			time(list, a.On)
		}
		time(c.Eligible, a.Job)
		time(c.Start, a.Job)
		b = append(b, "\r\n"...)
	}
	return b
}
