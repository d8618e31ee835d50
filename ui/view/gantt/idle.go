package gantt

import (
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Idle is a stretch of time in which some processors of a run did nothing: no job
// started, ended or came while it lasted.
type Idle struct {
	Pane     int
	From, To model.Time
	Free     int         // processors
	Gaps     [][2]int32  // where, as processors [first, end), lowest first
	Waiting  []int       // jobs that waited all the time, in order of submission
	Wide     []int       // those of them that ask for more processors than are free
	Held     map[int]Why // of the others: what kept them out, as far as it is known
}

// Why is what kept a job out at an instant.
type Why struct {
	Reason report.Code
	Head   int64 // number of the job in whose way it stood, −1 none
}

// IdleAt finds what was idle at a point of the page; nil where a job or something
// of the calendar stands, or no run is drawn.
func (g *Gantt) IdleAt(x, y float64) *Idle {
	for i := range g.Panes {
		b := g.Layout.Panes[i].Jobs
		if g.Panes[i].Index == nil || !b.Inside(x, y) {
			continue
		}
		if job, _ := g.JobAt(x, y); job >= 0 {
			return nil
		}
		if _, block := g.BlockAt(x, y); block >= 0 {
			return nil
		}
		return g.IdleOn(i, g.At(x))
	}
	return nil
}

// MostIdle finds the moment of the view at which most processors of a run are idle
// while jobs wait, of 400 that are looked at, the earliest of several; nil none.
func (g *Gantt) MostIdle() *Idle {
	const looks = 400
	pane, at, most := -1, model.Time(0), 0
	for k := range model.Time(looks) {
		t := g.From + k*(g.To-g.From)/looks
		for i := range g.Panes {
			p := &g.Panes[i]
			if p.Index == nil || p.Used == nil || p.Waiting.Value(t) == 0 {
				continue
			}
			if free := p.Procs - int(p.Used.Value(t)); free > most {
				pane, at, most = i, t, free
			}
		}
	}
	if pane < 0 {
		return nil
	}
	return g.IdleOn(pane, at)
}

// IdleOn is what was idle in a pane at an instant, nil where no processor was.
func (g *Gantt) IdleOn(pane int, at model.Time) *Idle {
	p := &g.Panes[pane]
	d := &Idle{Pane: pane, From: -1 << 62, To: model.Never, Held: map[int]Why{}}
	event := func(t model.Time) {
		if t <= at {
			d.From = max(d.From, t)
		} else {
			d.To = min(d.To, t)
		}
	}
	submit := p.Cols.Submitted(g.Jobs)
	asked := p.Cols.Asked(g.Jobs)
	for j := range p.Cols.Start {
		event(submit[j])
		if s := p.Cols.Start[j]; s >= submit[j] {
			event(s)
			event(p.Cols.End[j])
			if asked[j] <= at && at < s {
				d.Waiting = append(d.Waiting, j)
			}
		}
	}
	for k := range p.Cols.Away {
		event(p.Cols.Away[k].From)
		event(p.Cols.Away[k].To)
	}
	var taken [][2]int32
	lo, hi := p.Index.Range(at, at+1)
	for k := lo; k < hi; k++ {
		if r := &p.Index.All[k]; r.Start <= at && at < r.End {
			taken = append(taken, [2]int32{r.First, r.First + r.Count})
		}
	}
	for k := range p.Cols.Away {
		if a := &p.Cols.Away[k]; a.From <= at && at < a.To {
			taken = append(taken, [2]int32{a.First, a.First + a.Count})
		}
	}
	order.Stable(taken, func(a, b [2]int32) int { return int(a[0] - b[0]) })
	next := int32(0)
	for _, t := range append(taken, [2]int32{int32(p.Procs), int32(p.Procs)}) {
		if t[0] > next {
			d.Gaps = append(d.Gaps, [2]int32{next, t[0]})
			d.Free += int(t[0] - next)
		}
		next = max(next, t[1])
	}
	if d.Free == 0 {
		return nil
	}
	for _, j := range d.Waiting {
		if int(g.Jobs.Procs[j]) > d.Free {
			d.Wide = append(d.Wide, j)
		}
	}
	return d
}

// Fit are the waiting jobs that ask for no more processors than are free.
func (d *Idle) Fit() []int {
	var list []int
	for _, j := range d.Waiting {
		if !slices.Contains(d.Wide, j) {
			list = append(list, j)
		}
	}
	return list
}

// Learn takes over what the history of a job's wait says of the time.
func (d *Idle) Learn(job int, phases []report.Phase) {
	w := Why{Head: -1}
	for _, p := range phases {
		if p.From <= d.From {
			w = Why{p.Reason, p.Head}
		}
	}
	d.Held[job] = w
}

// text says what kept a job out.
func (w *Why) text() string {
	head := "an earlier job"
	if w.Head >= 0 {
		head = "job" + words.NB + strconv.FormatInt(w.Head, 10)
	}
	switch w.Reason {
	case report.WaitProcessors:
		return "no suitable processors free"
	case report.WaitOrder:
		return head + " stands before it"
	case report.WaitShadow:
		return "would delay " + head
	case report.WaitPlan:
		return "planned for later"
	case report.WaitReservation:
		return "would run into a reservation or outage"
	case report.WaitLimit:
		return "a limit was reached"
	case report.WaitPriority:
		return head + " of higher priority first"
	case report.WaitLicences:
		return "no copy of a licence free"
	}
	return "not known"
}

// mostIdle is how many of the jobs that fit are named one by one.
const mostIdle = 4

// IdleCard answers "why is this idle?" as HTML. other is what the other run did
// at the same time, "" none.
func (g *Gantt) IdleCard(d *Idle, title, other string) draw.Markup {
	p := &g.Panes[d.Pane]
	fit := d.Fit()
	var b draw.Writer
	b.Put(`<h3>{} of {} idle<span class="mut">{}</span></h3><p class="why">Why is this idle?</p>`, words.Int(d.Free), words.Count(p.Procs, "processor", "processors"), title)
	when := g.Clock.When(d.From) + ", for " + words.Dur(float64(d.To-d.From))
	switch n := len(d.Waiting); {
	case n == 0:
		b.Put(`<p class="sec">No job waited ({}).</p>`, when)
	case len(fit) == 0:
		b.Put(`<p class="sec">{} waited ({}), and none is narrow enough.</p>`, words.Count(n, "job", "jobs"), when)
	default:
		b.Put(`<p class="sec">{} waited ({}).</p>`, words.Count(n, "job", "jobs"), when)
	}
	if len(d.Waiting) > 0 {
		rows := d.kinds(g.Jobs, fit)
		b.Add(`<div class="rb" aria-hidden="true">`)
		for _, r := range rows {
			b.Put(`<i class="{}" style="width:{}%"></i>`, r.class, 100*float64(r.n)/float64(len(d.Waiting)))
		}
		b.Add(`</div><div class="rl">`)
		for _, r := range rows {
			b.Put(`<i class="dot {}"></i><span>{}</span><span class="num">{}</span><span></span>`, r.class, r.name, words.Count(r.n, "job", "jobs"))
		}
		b.Add(`</div>`)
	}
	if len(fit) > 0 {
		b.Add(`<dl>`)
		for _, j := range fit[:min(mostIdle, len(fit))] {
			text := "finding out why …"
			if w, known := d.Held[j]; known {
				text = w.text()
			}
			b.Put(`<dt>{} <span class="mut">{} × {}</span></dt><dd>{}</dd>`, strconv.FormatInt(g.Jobs.Number[j], 10), words.Int(g.Jobs.Procs[j]), words.Dur(float64(g.Jobs.Limit[j])), text)
		}
		b.Add(`</dl>`)
	}
	if other != "" {
		b.Put(`<p class="sec idle-other">{}</p>`, other)
	}
	return b.Markup()
}

type idleKind struct {
	class, name string
	n           int
}

// kinds counts the waiting jobs by what kept them out: too wide is a matter of
// counting, the others are told apart as far as each of them is known.
func (d *Idle) kinds(jobs *report.Jobs, fit []int) (rows []idleKind) {
	if n := len(d.Wide); n > 0 {
		least, most := jobs.Procs[d.Wide[0]], jobs.Procs[d.Wide[0]]
		for _, j := range d.Wide {
			least, most = min(least, jobs.Procs[j]), max(most, jobs.Procs[j])
		}
		name := "Too wide: need " + words.Int(least)
		if most > least {
			name += " to " + words.Int(most)
		}
		rows = append(rows, idleKind{"r-proc", name, n})
	}
	if len(d.Held) < len(fit) {
		return append(rows, idleKind{"r-order", "Would fit, but had to wait", len(fit)})
	}
	for code := range draw.ReasonNames {
		n := 0
		for _, j := range fit {
			if w := d.Held[j]; int(w.Reason) == code {
				n++
			}
		}
		if n > 0 {
			r := draw.ReasonNames[code]
			if r.Name == "" {
				r.Name, r.Class = "Not known", "r-order"
			}
			rows = append(rows, idleKind{r.Class, r.Name, n})
		}
	}
	return rows
}

// Said is the card as a sentence for screen readers.
func (d *Idle) Said(procs int) string {
	text := words.Int(d.Free) + " of " + words.Count(procs, "processor", "processors") + " idle; "
	if len(d.Waiting) == 0 {
		return text + "no job waited."
	}
	return text + words.Count(len(d.Waiting), "job", "jobs") + " waited, " + words.Int(len(d.Wide)) + " of them too wide."
}

// outline marks all of an idle stretch.
func (d *Idle) outline(g *Gantt, s *draw.Scene) {
	for _, gap := range d.Gaps {
		box := d.box(g, gap)
		s.Fill(draw.BoxPath(box), g.Theme.Accent, .12)
		s.Stroke(draw.BoxPath(box), g.Theme.Accent, 1.5, "4 3")
	}
}

func (d *Idle) box(g *Gantt, gap [2]int32) draw.Box {
	f := g.frame(d.Pane)
	box, _ := f.Part(gap[0], gap[1]-gap[0], d.From, d.To, g.Layout.Panes[d.Pane].Jobs)
	return box
}

// Box is all of an idle stretch in view: what a card must not cover.
func (d *Idle) Box(g *Gantt) draw.Box {
	first, last := d.box(g, d.Gaps[0]), d.box(g, d.Gaps[len(d.Gaps)-1])
	return draw.Box{X: first.X, Y: last.Y, W: first.W, H: first.Bottom() - last.Y}
}
