//go:build js

package table

import (
	"math"
	"strconv"
	"syscall/js"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/words"
)

func init() { Room.Islands = map[string]draw.Maker{"table": newTable} }

const rowHeight = 27.0

// table is the table of jobs: only the rows in view are in the document.
type table struct {
	*draw.Host
	field, chips, count, fault js.Value
	grid, head, body, foot     js.Value
	empty                      js.Value
	t                          *Table
	run, other                 *report.Run
	letters                    [2]int // schedulers of the difference column
	terms                      []Term
	typed                      []Term
	text                       string
	wait                       func() // cancels the pending reading of what is typed
	has                        [ColWhy + 1]bool
	stale                      bool // head and foot do not fit the rows
	round                      int  // of summarising: a later one ends those before
	summary                    [ColWhy + 1]Summary
	sortBy                     Column
	down                       bool
	clean                      bool // the body's text fits
	keyed                      bool // the foot has the legend of reasons
	first, last                int  // rows in the document
	chosen                     int  // job that was selected when the rows were written
}

func newTable(h *draw.Host) draw.Island {
	t := &table{Host: h, sortBy: ColSubmit, chosen: -2}
	part := draw.Build(h.Root, draw.HTML(`<div class="bl-filters" data-part="filters"></div><div class="bl-card bl-tw"><div class="bl-jobs" role="grid" tabindex="0" aria-label="Jobs" aria-colcount="{}" data-part="grid"><div class="bl-th" role="row" aria-rowindex="1" data-part="head"></div><div class="bl-tb" role="rowgroup" data-part="body"></div><div class="bl-tf" role="row" data-part="foot"></div></div><p class="bl-empty" data-part="empty"></p></div>`, len(TableColumns)))
	t.controls(part("filters"))
	t.grid, t.head, t.body, t.foot, t.empty = part("grid"), part("head"), part("body"), part("foot"), part("empty")
	t.listen()
	return t
}

func (t *table) Release() {
	if t.wait != nil {
		t.wait()
	}
}

// Draw brings the table up to date with the store.
func (t *table) Draw() {
	s := t.Store
	run := s.Finished(s.View.A)
	if run == nil || len(run.Result.Columns.Start) == 0 || s.Jobs[run.Repetition] == nil {
		t.t, t.run = nil, nil
		text := draw.WaitingFor(s)
		if text == "" {
			text = "Nothing has run yet. Run an experiment to see its jobs here."
		}
		t.empty.Set("textContent", text)
		t.empty.Set("hidden", false)
		t.grid.Set("hidden", true)
		t.count.Set("textContent", "")
		return
	}
	t.empty.Set("hidden", true)
	t.grid.Set("hidden", false)
	var other *report.Run
	base := s.Baseline()
	if base == s.View.A {
		base = -1
	}
	if base < 0 && s.View.B != s.View.A {
		base = s.View.B
	}
	if o := s.Finished(base); o != nil && o.Repetition == run.Repetition {
		other = o.Result
	} else {
		base = -1
	}
	if t.t == nil || t.run != run.Result || t.other != other {
		t.run, t.other, t.letters = run.Result, other, [2]int{s.View.A, base}
		t.t = &Table{Jobs: s.Jobs[run.Repetition], Cols: &run.Result.Columns, Clock: t.Clock(), Tau: s.Ran.Measures.Tau, SortBy: t.sortBy, Down: t.down}
		if other != nil {
			t.t.Other = &other.Columns
		}
		extra, wide := "", 0 // the columns that only some workloads have
		for c := ColJob; c <= ColWhy; c++ {
			if t.has[c] = t.t.Has(c); t.has[c] && c >= ColLate && c < ColWhy {
				w := [...]int{92, 56, 84, 84, 106, 130}[c-ColLate]
				extra, wide = extra+" "+draw.Px(float64(w)), wide+w
			}
		}
		draw.Style(t.grid, "--extra", extra)
		draw.Style(t.grid, "--wide", draw.Px(float64(wide)))
		t.grid.Get("classList").Call("toggle", "bl-long", t.t.Clock.Long == draw.Years)
		t.filter()
	}
	if t.keyed != (len(t.t.Cols.Why) > 0) && t.foot.Get("childElementCount").Int() > 0 { // reasons have come since
		t.writeFoot()
	}
	t.clean = false
	t.rows()
	if s.View.Job != t.chosen && s.View.Job >= 0 {
		t.reveal(s.View.Job)
	}
	if len(t.t.Jobs.Number) <= 100_000 {
		t.askWhy()
	}
}

func (t *table) askWhy() {
	for _, r := range t.Store.Runs {
		if r.Result == t.run {
			t.Store.WantWhy(r)
		}
	}
}

// filter applies all terms, then lets head and foot follow in the next frame.
func (t *table) filter() {
	t.writeChips()
	if t.t == nil {
		return
	}
	t.t.Filter(append(append([]Term(nil), t.terms...), t.typed...))
	t.after()
	t.grid.Set("scrollTop", 0)
}

// after shows new rows.
func (t *table) after() {
	n := len(t.t.Rows)
	draw.Style(t.body, "height", draw.Px(float64(n)*rowHeight))
	draw.Attr(t.grid, "aria-rowcount", strconv.Itoa(n+2))
	all := int64(len(t.t.Jobs.Number))
	text := words.Count(all, "job", "jobs")
	if int64(n) != all {
		text = words.Int(n) + " of " + text
	}
	t.count.Set("textContent", text)
	t.clean = false
	t.rows()
	if t.head.Get("childElementCount").Int() == 0 {
		t.writeHead()
	}
	if !t.stale {
		t.stale = true
		draw.Frame(func() { draw.Later(0, t.summarise) })
	}
}

// summarise computes histograms and medians, a column at a time, since with
// many rows each takes a moment; the rows are shown before.
func (t *table) summarise() {
	t.stale = false
	t.round++
	round := t.round
	var next func(c Column)
	next = func(c Column) {
		if t.t == nil || round != t.round || !t.El.Get("isConnected").Bool() {
			return // other rows are shown by now
		}
		if c < ColWhy {
			t.summary[c] = t.t.Summarise(c)
			if len(t.t.Rows) > 20_000 {
				draw.Later(0, func() { next(c + 1) })
			} else {
				next(c + 1)
			}
			return
		}
		t.writeHead()
		t.writeFoot()
		t.clean = false
		t.rows()
	}
	next(ColProcs)
}

// class is a column's style: where its text stands.
func class(c Column) string {
	s := "c" + strconv.Itoa(int(c))
	if !TableColumns[c].Text {
		s += " num"
	}
	return s
}

func (t *table) writeHead() {
	var b draw.Writer
	for i, info := range TableColumns {
		c := Column(i)
		if !t.has[c] {
			continue
		}
		name, unit := info.Name, info.Unit
		switch c {
		case ColSlowdown:
			unit = "τ" + words.NB + words.Int(t.t.Tau) + words.NB + "s"
		case ColDiff:
			name = "–"
			if t.letters[1] >= 0 {
				name = words.Letter(t.letters[0]) + " − " + words.Letter(t.letters[1])
			}
		}
		sorted, arrow := "none", draw.Markup("")
		if t.sortBy == c {
			sorted, arrow = "ascending", draw.Icon("up")
			if t.down {
				sorted, arrow = "descending", draw.Icon("down")
			}
		}
		b.Put(`<div role="columnheader" class="{}" aria-sort="{}"><button type="button" data-c="{}"><span class="hn">{}{}</span><span class="hu">{}</span></button>`, class(c), sorted, i, name, arrow, unit)
		if s := t.summary[c]; s.Bars != nil {
			b.Add(HistogramSVG(s.Bars))
		} else {
			b.Add(`<span class="bl-hist"></span>`)
		}
		b.Add(`</div>`)
	}
	draw.Put(t.head, b.Markup())
}

func (t *table) writeFoot() {
	var b draw.Writer
	cell := func(c Column, s draw.Markup) {
		b.Put(`<div role="gridcell" class="{}">{}</div>`, class(c), s)
	}
	cell(ColJob, draw.HTML(`{}`, words.Int(len(t.t.Rows))))
	cell(ColUser, "")
	cell(ColSubmit, "")
	cell(ColStart, `<span class="mut">median</span>`)
	for c := ColProcs; c < ColWhy; c++ {
		if !t.has[c] {
			continue
		}
		text := draw.HTML(`{}`, t.t.MedianText(c, t.summary[c].Median))
		if c == ColDiff {
			text += `<span class="bl-diff"></span>`
		}
		cell(c, text)
	}
	legend := draw.Markup("")
	if t.keyed = len(t.t.Cols.Why) > 0; t.keyed {
		legend = `<span class="bl-key"><i class="dot r-proc"></i>busy</span><span class="bl-key"><i class="dot r-order"></i>order</span><span class="bl-key"><i class="dot r-shadow"></i>delay</span><span class="bl-key"><i class="dot r-plan"></i>plan</span>`
	}
	cell(ColWhy, legend)
	draw.Put(t.foot, b.Markup())
	draw.Attr(t.foot, "aria-rowindex", strconv.Itoa(len(t.t.Rows)+2))
}

// rows writes the rows in view into the document, with a few beyond.
func (t *table) rows() {
	if t.t == nil {
		return
	}
	top, high := t.grid.Get("scrollTop").Float(), t.grid.Get("clientHeight").Float()
	first := max(0, int(top/rowHeight)-6)
	last := min(len(t.t.Rows), int((top+high)/rowHeight)+6)
	job := t.Store.View.Job
	if t.clean && first == t.first && last == t.last && job == t.chosen {
		return
	}
	t.clean, t.first, t.last, t.chosen = true, first, last, job
	var b draw.Writer
	for i := first; i < last; i++ {
		t.row(&b, i, int(t.t.Rows[i]) == job)
	}
	draw.Put(t.body, b.Markup())
	if job >= 0 {
		draw.Attr(t.grid, "aria-activedescendant", "bl-row-"+strconv.Itoa(job))
	} else {
		t.grid.Call("removeAttribute", "aria-activedescendant")
	}
}

func (t *table) row(b *draw.Writer, i int, selected bool) {
	j := t.t.Rows[i]
	b.Put(`<div role="row" id="bl-row-{}" aria-rowindex="{}" data-j="{}" style="top:{}px"`, int(j), i+2, int(j), i*int(rowHeight))
	if selected {
		b.Add(` aria-selected="true"`)
	}
	b.Add(`>`)
	for c := ColJob; c <= ColWhy; c++ {
		if !t.has[c] {
			continue
		}
		b.Put(`<div role="gridcell" class="{}">`, class(c))
		switch c {
		case ColWait:
			b.Put(`<b>{}</b>`, t.t.Cell(c, j))
		case ColDiff:
			b.Put(`{}{}`, t.t.Cell(c, j), draw.DiffBar(t.t.Value(c, j), t.summary[c].Most))
		case ColLate:
			if draw.Missed(t.t.Jobs, t.t.Cols, int(j)) {
				b.Put(`<b class="bl-late">{}</b>`, t.t.Cell(c, j))
			} else {
				b.Put(`{}`, t.t.Cell(c, j))
			}
		case ColWhy:
			b.Add(t.whyCell(j))
		default:
			b.Put(`{}`, t.t.Cell(c, j))
		}
		b.Add(`</div>`)
	}
	b.Add(`</div>`)
}

func (t *table) whyCell(j int32) draw.Markup {
	if lost := t.t.Lost(j); lost != "" {
		return draw.HTML(`<span class="mut">{}</span>`, lost)
	}
	if int(j) < len(t.t.Cols.Why) {
		if rs := draw.Reasons(&t.t.Cols.Why[j]); len(rs) > 0 {
			return draw.ReasonsBar(rs, "bl-wb")
		}
		return `<span class="mut">` + words.None + `</span>`
	}
	if w := t.t.Value(ColWait, j); w == 0 || math.IsNaN(w) || t.run.Logged {
		return `<span class="mut">` + words.None + `</span>`
	}
	if len(t.t.Jobs.Number) > 100_000 {
		return `<button type="button" class="bl-link" data-why="" tabindex="-1">find out</button>`
	}
	return `<span class="mut">…</span>`
}

// reveal scrolls until a job's row is in view.
func (t *table) reveal(job int) {
	i := t.t.Place(job)
	if i < 0 {
		return
	}
	high := t.grid.Get("clientHeight").Float() - t.head.Get("offsetHeight").Float() - t.foot.Get("offsetHeight").Float()
	top, y := t.grid.Get("scrollTop").Float(), float64(i)*rowHeight
	switch {
	case y < top:
		t.grid.Set("scrollTop", y)
	case y+rowHeight > top+high:
		t.grid.Set("scrollTop", y+rowHeight-high)
	}
	t.rows()
}

func (t *table) choose(job int) {
	t.Store.Look(func(v *look.View) { v.Job = job })
	t.chosen = -2
	t.rows()
	if job >= 0 {
		t.reveal(job)
	}
}

func (t *table) sort(c Column) {
	if t.t == nil {
		return
	}
	if t.sortBy == c {
		t.down = !t.down
	} else {
		// Numbers are asked for from the top, names and times from the start.
		t.sortBy, t.down = c, c >= ColProcs
	}
	t.t.Sort(t.sortBy, t.down)
	t.writeHead()
	t.clean = false
	t.grid.Set("scrollTop", 0)
	t.rows()
}

func (t *table) listen() {
	t.Scope.Listen(t.grid, "scroll", func(js.Value) { t.rows() })
	t.Scope.Listen(t.head, "click", func(ev js.Value) {
		if b := ev.Get("target").Call("closest", "button"); b.Truthy() {
			c, _ := strconv.Atoi(b.Get("dataset").Get("c").String())
			t.sort(Column(c))
		}
	})
	jobOf := func(ev js.Value) int {
		if r := ev.Get("target").Call("closest", "[data-j]"); r.Truthy() {
			j, _ := strconv.Atoi(r.Get("dataset").Get("j").String())
			return j
		}
		return -1
	}
	t.Scope.Listen(t.body, "click", func(ev js.Value) {
		if ev.Get("target").Call("closest", "[data-why]").Truthy() {
			t.askWhy()
			return
		}
		if j := jobOf(ev); j >= 0 {
			t.choose(j)
		}
	})
	t.Scope.Listen(t.body, "dblclick", func(ev js.Value) {
		if j := jobOf(ev); j >= 0 {
			t.open(j)
		}
	})
	t.Scope.Listen(t.grid, "keydown", t.keyDown)
}

// open shows a job in the Gantt chart.
func (t *table) open(job int) {
	t.Store.Look(func(v *look.View) {
		v.Job, v.Tab = job, "gantt"
		// The span keeps its width and moves to the job.
		if c := t.t.Cols; v.From != v.To && job < len(c.Start) && (c.End[job] <= v.From || c.Start[job] >= v.To) {
			half := (v.To - v.From) / 2
			v.From, v.To = c.Start[job]-half, c.Start[job]+half
		}
	})
	draw.Refresh()
}

func (t *table) keyDown(ev js.Value) {
	if t.t == nil || draw.Modified(ev) || draw.Typing(ev) || len(t.t.Rows) == 0 {
		return
	}
	at := -1
	if t.Store.View.Job >= 0 {
		at = t.t.Place(t.Store.View.Job)
	}
	page := max(1, int(t.grid.Get("clientHeight").Float()/rowHeight)-4)
	to := at
	switch ev.Get("key").String() {
	case "ArrowDown":
		to = at + 1
	case "ArrowUp":
		to = at - 1
	case "PageDown":
		to = at + page
	case "PageUp":
		to = at - page
	case "Home":
		to = 0
	case "End":
		to = len(t.t.Rows) - 1
	case "Escape":
		if t.Store.View.Job >= 0 {
			t.choose(-1)
			ev.Call("preventDefault")
			ev.Call("stopPropagation")
		}
		return
	case "Enter":
		if at >= 0 {
			t.open(t.Store.View.Job)
			ev.Call("preventDefault")
		}
		return
	default:
		return
	}
	ev.Call("preventDefault")
	t.choose(int(t.t.Rows[min(len(t.t.Rows)-1, max(0, to))]))
}
