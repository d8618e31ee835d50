package gantt

import (
	"batchlab/core/report"
	"batchlab/ui/draw"
)

// deadlineColors colours jobs by whether they met their deadlines.
func deadlineColors(t *draw.Theme, jobs *report.Jobs, c *report.Columns, out []draw.Color) Legend {
	none, met, missed := draw.Mix(t.Line2, t.Side, .35), t.Tide(.42), Late(t)
	for j := range out {
		switch _, has := c.Due(jobs, j); {
		case !has:
			out[j] = none
		case draw.Missed(jobs, c, j):
			out[j] = missed
		default:
			out[j] = met
		}
	}
	return Legend{Swatches: []Swatch{{"in time", met}, {"deadline missed", missed}, {"no deadline", none}}}
}

// Late is the colour of what missed a deadline.
func Late(t *draw.Theme) draw.Color { return t.Diverging(.82) }

// mostLate bounds how many missed deadlines are marked in one view.
const mostLate = 4000

// deadlines marks the jobs that missed their deadlines by a strong right edge,
// and where in them the deadline lay.
func (g *Gantt) deadlines(s *draw.Scene, i int) {
	p, b, t := &g.Panes[i], g.Layout.Panes[i].Jobs, g.Theme
	if p.Index == nil || p.Cols == nil || g.Jobs == nil || len(g.Jobs.Due) == 0 {
		return
	}
	var edges, ticks draw.Path
	g.marked(i, mostLate, func(j int) bool { return j < len(g.Jobs.Due) && draw.Missed(g.Jobs, p.Cols, j) }, func(k int, box draw.Box) {
		r, h := &p.Index.All[k], max(1, box.H-.8)
		if r.End <= g.To {
			edges.Rect(draw.Box{X: box.Right() - 2.5, Y: box.Y, W: 2.5, H: h})
		}
		at, _ := p.Cols.Due(g.Jobs, int(r.Job))
		if x := g.X(at); x > g.X(r.Start)+2 && x < g.X(r.End)-4 {
			ticks.Rect(draw.Box{X: x - .75, Y: box.Y, W: 1.5, H: h})
		}
	})
	if len(edges.B) == 0 {
		return
	}
	s.Clip(b)
	s.Fill(string(edges.B), t.SeriesColor(1), 1)
	s.Fill(string(ticks.B), t.Ink, .75)
	s.Unclip()
}

// flag marks the deadline of the job that is looked at: a line at it, and a
// dotted one to it from the job's end.
func (g *Gantt) flag(s *draw.Scene, i, job int, mid float64) {
	at, ok := g.Panes[i].Cols.Due(g.Jobs, job)
	b, t := g.Layout.Panes[i].Jobs, g.Theme
	if !ok || at < g.From || at > g.To {
		return
	}
	x, end := g.X(at), g.X(g.Panes[i].Cols.End[job])
	col := t.Good
	if draw.Missed(g.Jobs, g.Panes[i].Cols, job) {
		col = t.Bad
	}
	line := "M" + draw.Num(x) + " " + draw.Num(max(b.Y, mid-14)) + "V" + draw.Num(min(b.Bottom(), mid+14))
	if x > end+3 {
		line += "M" + draw.Num(max(end, b.X)) + " " + draw.Num(mid) + "H" + draw.Num(x)
	}
	s.Stroke(line, t.Panel, 4.5, "")
	s.Stroke(line, col, 2, "")
	s.Fill("M"+draw.Num(x)+" "+draw.Num(max(b.Y, mid-14))+"h8l-2.5 3.500l2.5 3.500h-8z", col, 1)
}
