package gantt

import (
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// blockKinds name what the calendar takes, by model.CalendarKind.
var blockKinds = [...]struct{ name, title string }{
	model.KindReservation: {"reservation", "Reservation"},
	model.KindOutage:      {"outage", "Outage"},
	model.KindFailure:     {"failure", "Failure"},
}

func blockKind(kind int32) (name, title string) {
	k := blockKinds[min(max(0, int(kind)), len(blockKinds)-1)]
	return k.name, k.title
}

// Marks says which special marks a pane has, for the legend.
type Marks struct {
	Reservation, Outage, Failure, Reserved, Stopped, Late, Unused, Before bool
	Promised                                                              bool // of the chosen job
	After                                                                 bool // jobs wait for others
}

// MarksOf looks for what a run's chart has beside ordinary jobs.
func MarksOf(jobs *report.Jobs, c *report.Columns) Marks {
	m := Marks{Stopped: len(c.Before) > 0, After: len(jobs.After) > 0}
	for i := range c.Away {
		switch model.CalendarKind(c.Away[i].Kind) {
		case model.KindReservation:
			m.Reservation = true
		case model.KindOutage:
			m.Outage = true
		default:
			m.Failure = true
		}
	}
	for _, k := range jobs.Marks {
		m.Reserved = m.Reserved || k&report.MarkReserved != 0
	}
	for i := range c.Held {
		m.Unused = m.Unused || c.Held[i].Kind == report.HeldUnused
		m.Before = m.Before || c.Held[i].Kind == report.HeldBefore
	}
	for j := 0; j < len(jobs.Due) && !m.Late; j++ {
		m.Late = draw.Missed(jobs, c, j)
	}
	return m
}

// Plus is what either of two panes has.
func (m Marks) Plus(o Marks) Marks {
	return Marks{m.Reservation || o.Reservation, m.Outage || o.Outage, m.Failure || o.Failure, m.Reserved || o.Reserved, m.Stopped || o.Stopped, m.Late || o.Late, m.Unused || o.Unused, m.Before || o.Before, m.Promised || o.Promised, m.After || o.After}
}

// Any says whether there is a mark of the calendar or of an attempt.
func (m Marks) Any() bool {
	return m.Reservation || m.Outage || m.Failure || m.Reserved || m.Stopped || m.Unused || m.Before
}

// Legend names the marks: the class of a swatch and its words.
func (m Marks) Legend() [][2]string {
	var l [][2]string
	add := func(has bool, class, name string) {
		if has {
			l = append(l, [2]string{class, name})
		}
	}
	add(m.Reservation || m.Reserved, "bl-m-ar", "reserved")
	add(m.Unused, "bl-m-held", "held, unused")
	add(m.Before, "bl-m-gap", "idle before a reservation")
	add(m.Outage, "bl-m-out", "outage")
	add(m.Failure, "bl-m-fail", "failure")
	add(m.Stopped, "bl-m-cut", "stopped, ran again")
	add(m.Late, "bl-m-late", "missed its deadline")
	add(m.Promised, "bl-m-prom", "promised start")
	add(m.After, "bl-m-after", "waits for")
	return l
}

// heldKinds name report.Columns.Held in files.
var heldKinds = [...]string{report.HeldUnused: "held", report.HeldBefore: "idle-before"}

// narrow is the width in page pixels below which a box has no pattern.
const narrow = 4.0

// blocked draws reservations hatched, outages crossed out, failures crossed out
// in the colour of what is bad; and jobs that are reservations hatched.
func (g *Gantt) blocked(s *draw.Scene, i int) {
	p, t := &g.Panes[i], g.Theme
	if p.Cols == nil || p.HideAway {
		return
	}
	g.held(s, i)
	g.reserved(s, i)
	if len(p.Cols.Away) == 0 {
		return
	}
	b, f := g.Layout.Panes[i].Whole, g.frame(i)
	var ground, thin, lines, frame [3]draw.Path
	type named struct {
		box  draw.Box
		text string
	}
	var labels []named
	for k := range p.Cols.Away {
		a := &p.Cols.Away[k]
		box, ok := f.Part(a.First, a.Count, a.From, a.To, b)
		if !ok {
			continue
		}
		kind := min(max(0, int(a.Kind)), 2)
		if box.W < narrow {
			thin[kind].Rect(box)
			continue
		}
		ground[kind].Rect(box)
		frame[kind].Rect(draw.Box{X: box.X + .5, Y: box.Y + .5, W: max(.5, box.W-1), H: max(.5, box.H-1)})
		if kind == int(model.KindReservation) {
			lines[kind].Hatch(box, 6)
		} else {
			lines[kind].Cross(box)
		}
		if text := g.blockLabel(i, a, box); text != "" {
			labels = append(labels, named{box, text})
		}
	}
	s.Clip(b)
	for kind := range ground {
		back, line, edge, width := t.Sunken, t.Line3, t.Line3, 1.0
		switch model.CalendarKind(kind) {
		case model.KindReservation:
			back, line, width = t.HatchBg, t.Hatch, 1.2
		case model.KindFailure:
			line, edge = t.Bad, t.Bad
		}
		s.Fill(string(ground[kind].B), back, 1)
		s.Fill(string(thin[kind].B), line, 1)
		s.Stroke(string(lines[kind].B), line, width, "")
		s.Stroke(string(frame[kind].B), edge, 1, "")
	}
	for _, l := range labels {
		w := float64(len([]rune(l.text)))*6.2 + 14
		x, y := l.box.X+l.box.W/2, l.box.Y+l.box.H/2
		s.Fill(draw.Pill(draw.Box{X: x - w/2, Y: y - 9, W: w, H: 18}, 4), t.Panel, 1)
		s.Text(x, y+.5, l.text, 'c', t.Ink2, true)
	}
	s.Unclip()
}

// blockLabel is what stands on a box, "" where there is no room.
func (g *Gantt) blockLabel(i int, a *report.Away, box draw.Box) string {
	p := &g.Panes[i]
	name, title := blockKind(a.Kind)
	if int(a.Entry) < len(p.Entries) && p.Entries[a.Entry].Name != "" {
		title = p.Entries[a.Entry].Name
	}
	long := title + " holds " + words.Int(int(a.Count)) + " of " + words.Int(p.Procs)
	if name != "reservation" {
		long = title + ", " + words.Int(int(a.Count)) + " of " + words.Int(p.Procs) + " out"
	}
	for _, text := range [...]string{long, title} {
		if box.H >= 20 && box.W >= float64(len([]rune(text)))*6.2+26 {
			return text
		}
	}
	return ""
}

// reserved hatches the jobs that are advance reservations.
func (g *Gantt) reserved(s *draw.Scene, i int) {
	p, b := &g.Panes[i], g.Layout.Panes[i].Jobs
	if p.Index == nil || g.Jobs == nil || len(g.Jobs.Marks) == 0 {
		return
	}
	var lines draw.Path
	g.marked(i, 2000, func(j int) bool { return j < len(g.Jobs.Marks) && g.Jobs.Marks[j]&report.MarkReserved != 0 }, func(_ int, box draw.Box) { lines.Hatch(box, 6) })
	if len(lines.B) > 0 {
		s.Clip(b)
		s.Stroke(string(lines.B), g.Theme.Panel, 2.4, "")
		s.Stroke(string(lines.B), g.Theme.Ink2, 1.2, "")
		s.Unclip()
	}
}

// marked calls visit with the boxes of picked jobs in view that are wide enough for a
// pattern, at most so many, and their places in the index.
func (g *Gantt) marked(i, most int, pick func(job int) bool, visit func(k int, box draw.Box)) {
	ix, f, b := g.Panes[i].Index, g.frame(i), g.Layout.Panes[i].Jobs
	lo, hi := ix.Range(g.From, g.To)
	for k := lo; k < hi && most > 0; k++ {
		r := &ix.All[k]
		if !pick(int(r.Job)) {
			continue
		}
		if box, ok := f.Part(r.First, r.Count, r.Start, r.End, b); ok && box.W >= narrow {
			visit(k, box)
			most--
		}
	}
}

// heldIn calls visit for what stands held or idle before a reservation in view,
// at most so many pieces. The list is in order of time, of pieces of any length.
func (g *Gantt) heldIn(i, most int, visit func(a *report.Away, box draw.Box)) {
	held, f, b := g.Panes[i].Cols.Held, g.frame(i), g.Layout.Panes[i].Whole
	for k := range held {
		a := &held[k]
		if a.From >= g.To {
			return
		}
		if box, ok := f.Part(a.First, a.Count, a.From, a.To, b); ok && f.X(a.To)-f.X(a.From) >= 1 { // narrower ones would be noise
			visit(a, box)
			if most--; most == 0 {
				return
			}
		}
	}
}

// held hatches processors that a reservation holds while its job does not run,
// and dots those that stand idle directly before one (figure 7 of Kurowski et al.
// 2011).
func (g *Gantt) held(s *draw.Scene, i int) {
	p, t := &g.Panes[i], g.Theme
	if len(p.Cols.Held) == 0 {
		return
	}
	var ground, lines, gaps, dots draw.Path
	g.heldIn(i, 4000, func(a *report.Away, box draw.Box) {
		if a.Kind == report.HeldUnused {
			if ground.Rect(box); box.W >= narrow {
				lines.Hatch(box, 6)
			}
			return
		}
		if gaps.Rect(box); box.W >= narrow && box.H >= 2 {
			dots.Rule(box, 5)
		}
	})
	s.Clip(g.Layout.Panes[i].Whole)
	s.Fill(string(gaps.B), t.Sunken, 1)
	s.Stroke(string(dots.B), t.Line3, .8, "1 4")
	s.Fill(string(ground.B), t.HatchBg, 1)
	s.Stroke(string(lines.B), t.Hatch, 1, "")
	s.Unclip()
}

// BlockAt finds what of the calendar stands at a point of the page; −1 nothing.
func (g *Gantt) BlockAt(x, y float64) (pane, block int) {
	for i := range g.Panes {
		p := &g.Panes[i]
		if p.Cols == nil || p.HideAway || !g.Layout.Panes[i].Whole.Inside(x, y) {
			continue
		}
		f := g.frame(i)
		for k := range p.Cols.Away {
			a := &p.Cols.Away[k]
			if box, ok := f.Part(a.First, a.Count, a.From, a.To, g.Layout.Panes[i].Whole); ok && (draw.Box{X: box.X - 1, Y: box.Y, W: box.W + 2, H: box.H}).Inside(x, y) {
				return i, k
			}
		}
	}
	return 0, -1
}

// BlockCard writes what is known of something that the calendar takes, as HTML.
func (g *Gantt) BlockCard(pane, block int) draw.Markup {
	p := &g.Panes[pane]
	a := &p.Cols.Away[block]
	_, title := blockKind(a.Kind)
	name, cluster := title, ""
	if int(a.Entry) < len(p.Entries) {
		e := &p.Entries[a.Entry]
		cluster = e.Cluster
		if e.Name != "" {
			name = title + " " + e.Name
		}
	}
	said := "Known ahead: schedulers plan around it."
	switch model.CalendarKind(a.Kind) {
	case model.KindFailure:
		said = "Nobody knew of it before. Jobs that ran here were stopped, and run again."
	case model.KindReservation:
		said = "These processors are held for others."
	}
	s := draw.HTML(`<h3>{}</h3><p class="why">{}</p><p class="sec">{}</p><dl><dt>From, to</dt><dd>{}</dd><dt>Holds here</dt><dd>{} of {}</dd>`, name, words.Dur(float64(a.To-a.From)), said,
		g.Clock.Between(a.From, a.To), words.Int(int(a.Count)), words.Count(p.Procs, "processor", "processors"))
	if cluster != "" {
		s += draw.HTML(`<dt>Cluster</dt><dd>{}</dd>`, cluster)
	}
	return s + `</dl>`
}

// CalendarGrid lists the calendar of a site as a table: reservations, outages
// and failures in order of time.
func CalendarGrid(entries []report.Entry, c draw.Clock) draw.Grid {
	g := draw.Grid{Left: 7, Head: []string{"what", "name", "cluster", "from", "to", "length", "takes"}}
	for _, e := range entries {
		takes := words.Count(e.Nodes, "machine", "machines")
		if e.Procs > 0 {
			takes = words.Count(e.Procs, "processor", "processors")
		}
		g.Cells = append(g.Cells, []string{e.Kind, e.Name, e.Cluster, c.When(e.From), c.When(e.To), words.Dur(float64(e.To - e.From)), takes})
	}
	return g
}

// CalendarCSV writes the calendar with times in seconds of the log.
func CalendarCSV(entries []report.Entry) string {
	s := "kind,name,cluster,from_s,to_s,processors,machines\r\n"
	for _, e := range entries {
		s += e.Kind + "," + report.CSVText(e.Name) + "," + report.CSVText(e.Cluster) + "," + strconv.FormatInt(int64(e.From), 10) + "," + strconv.FormatInt(int64(e.To), 10) + "," +
			strconv.Itoa(int(e.Procs)) + "," + strconv.Itoa(int(e.Nodes)) + "\r\n"
	}
	return s
}
