package gantt

import (
	"strconv"

	"batchlab/core/report"
	"batchlab/ui/words"
)

// Listing is the CSV of what a Gantt chart shows in the making, piece by piece:
// with a large log it has millions of lines.
type Listing struct {
	g          *Gantt
	began      bool
	pane, next int // the rectangle of pane that comes next, after those of before
}

// List begins a listing of the rectangles that are shown: a line for each
// interval of processors of each job in view, pane by pane, and for what the
// calendar takes. Times are seconds of the log.
func (g *Gantt) List() *Listing { return &Listing{g: g} }

// Next looks at up to most rectangles of a pane and returns their lines, and
// whether there are more.
func (l *Listing) Next(most int) (piece []byte, more bool) {
	if !l.began {
		l.began = true
		piece = []byte("run,kind,job,start_s,end_s,first_processor,processors\r\n")
	}
	if l.pane == len(l.g.Panes) {
		return piece, false
	}
	g, p := l.g, &l.g.Panes[l.pane]
	letter := words.Letter(p.Scheduler)
	line := func(kind string, job int64, numbers ...int64) {
		piece = append(append(append(append(piece, letter...), ','), kind...), ',')
		if job >= 0 {
			piece = strconv.AppendInt(piece, job, 10)
		}
		for _, v := range numbers {
			piece = strconv.AppendInt(append(piece, ','), v, 10)
		}
		piece = append(piece, "\r\n"...)
	}
	rows := g.shown(l.pane)
	in := func(first, count int32) bool { return int(first) < rows.To && int(first+count) > rows.From }
	if ix := p.Index; ix != nil {
		lo, hi := ix.Range(g.From, g.To)
		lo += l.next
		end := min(hi, lo+most)
		for k := lo; k < end; k++ {
			r := &ix.All[k]
			if r.End <= g.From || !in(r.First, r.Count) {
				continue
			}
			j, attempt := ix.Job(int(r.Job))
			kind := "job"
			switch {
			case attempt >= 0:
				kind = "stopped"
			case j < len(g.Jobs.Marks) && g.Jobs.Marks[j]&report.MarkReserved != 0:
				kind = "reserved"
			}
			line(kind, g.Jobs.Number[j], int64(r.Start), int64(r.End), int64(r.First), int64(r.Count))
		}
		if end < hi {
			l.next += most
			return piece, true
		}
	}
	if p.Cols != nil && !p.HideAway {
		for k := range p.Cols.Away {
			if a := &p.Cols.Away[k]; a.From < g.To && a.To > g.From && in(a.First, a.Count) {
				name, _ := blockKind(a.Kind)
				line(name, -1, int64(a.From), int64(a.To), int64(a.First), int64(a.Count))
			}
		}
		for k := range p.Cols.Held {
			if a := &p.Cols.Held[k]; a.From < g.To && a.To > g.From && in(a.First, a.Count) {
				line(heldKinds[a.Kind], g.Jobs.Number[a.Entry], int64(a.From), int64(a.To), int64(a.First), int64(a.Count))
			}
		}
	}
	l.pane, l.next = l.pane+1, 0
	return piece, l.pane < len(g.Panes)
}
