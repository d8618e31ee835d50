//go:build js

package island

import (
	"math"
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/report"
	"batchlab/ui/chart"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

const rowHeight = 27.0

// table is the table of jobs: only the rows in view are in the document.
type table struct {
	*host
	field, chips, count, fault js.Value
	grid, head, body, foot     js.Value
	empty                      js.Value
	t                          *chart.Table
	run, other                 *report.Run
	letters                    [2]int // schedulers of the difference column
	terms                      []chart.Term
	typed                      []chart.Term
	text                       string
	wait                       func() // cancels the pending reading of what is typed
	has                        [chart.ColWhy + 1]bool
	stale                      bool // head and foot do not fit the rows
	round                      int  // of summarising: a later one ends those before
	summary                    [chart.ColWhy + 1]chart.Summary
	sortBy                     chart.Column
	down                       bool
	clean                      bool // the body's text fits
	first, last                int  // rows in the document
	chosen                     int  // job that was selected when the rows were written
}

func newTable(h *host) island {
	t := &table{host: h, sortBy: chart.ColSubmit, chosen: -2}
	t.controls()
	card := add(h.root, "div", "bl-card bl-tw")
	t.grid = add(card, "div", "bl-jobs")
	attr(t.grid, "role", "grid", "tabindex", "0", "aria-label", "Jobs", "aria-colcount", strconv.Itoa(len(chart.TableColumns)))
	t.head = add(t.grid, "div", "bl-th")
	attr(t.head, "role", "row", "aria-rowindex", "1")
	t.body = add(t.grid, "div", "bl-tb")
	attr(t.body, "role", "rowgroup")
	t.foot = add(t.grid, "div", "bl-tf")
	attr(t.foot, "role", "row")
	t.empty = add(card, "p", "bl-empty")
	t.listen()
	return t
}

func (t *table) release() {
	if t.wait != nil {
		t.wait()
	}
}

// draw brings the table up to date with the store.
func (t *table) draw() {
	s := t.store
	run := s.Finished(s.View.A)
	if run == nil || len(run.Result.Columns.Start) == 0 || s.Jobs[run.Repetition] == nil {
		t.t, t.run = nil, nil
		text := waitingFor(s)
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
		t.t = &chart.Table{Jobs: s.Jobs[run.Repetition], Cols: &run.Result.Columns, Clock: t.clock(), Tau: s.Ran.Measures.Tau, SortBy: t.sortBy, Down: t.down}
		if other != nil {
			t.t.Other = &other.Columns
		}
		extra, wide := "", 0 // the columns that only some workloads have
		for c := chart.ColJob; c <= chart.ColWhy; c++ {
			if t.has[c] = t.t.Has(c); t.has[c] && c >= chart.ColLate && c < chart.ColWhy {
				w := [...]int{92, 56, 84, 84}[c-chart.ColLate]
				extra, wide = extra+" "+px(float64(w)), wide+w
			}
		}
		style(t.grid, "--extra", extra)
		style(t.grid, "--wide", px(float64(wide)))
		t.grid.Get("classList").Call("toggle", "bl-long", t.t.Clock.Long == chart.Years)
		t.filter()
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
	for i, r := range t.store.Runs {
		if r.Result == t.run {
			t.store.WantWhy(i)
		}
	}
}

// filter applies all terms, then lets head and foot follow in the next frame.
func (t *table) filter() {
	t.writeChips()
	if t.t == nil {
		return
	}
	t.t.Filter(append(append([]chart.Term(nil), t.terms...), t.typed...))
	t.after()
	t.grid.Set("scrollTop", 0)
}

// after shows new rows.
func (t *table) after() {
	n := len(t.t.Rows)
	style(t.body, "height", px(float64(n)*rowHeight))
	attr(t.grid, "aria-rowcount", strconv.Itoa(n+2))
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
		frame(func() { later(0, t.summarise) })
	}
}

// summarise works out histograms and medians, a column at a time, since with
// many rows each takes a moment; the rows are shown before.
func (t *table) summarise() {
	t.stale = false
	t.round++
	round := t.round
	var next func(c chart.Column)
	next = func(c chart.Column) {
		if t.t == nil || round != t.round || !t.el.Get("isConnected").Bool() {
			return // other rows are shown by now
		}
		if c < chart.ColWhy {
			t.summary[c] = t.t.Summarise(c)
			if len(t.t.Rows) > 20_000 {
				later(0, func() { next(c + 1) })
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
	next(chart.ColProcs)
}

// class is a column's style: where its text stands.
func class(c chart.Column) string {
	s := "c" + strconv.Itoa(int(c))
	if !chart.TableColumns[c].Text {
		s += " num"
	}
	return s
}

func (t *table) writeHead() {
	var b strings.Builder
	for i, info := range chart.TableColumns {
		c := chart.Column(i)
		if !t.has[c] {
			continue
		}
		name, unit := info.Name, info.Unit
		switch c {
		case chart.ColSlowdown:
			unit = "τ" + words.NB + words.Int(t.t.Tau) + words.NB + "s"
		case chart.ColDiff:
			name = "–"
			if t.letters[1] >= 0 {
				name = words.Letter(t.letters[0]) + " − " + words.Letter(t.letters[1])
			}
		}
		sorted, arrow := "none", ""
		if t.sortBy == c {
			sorted, arrow = "ascending", iconUp
			if t.down {
				sorted, arrow = "descending", iconDown
			}
		}
		b.WriteString(`<div role="columnheader" class="` + class(c) + `" aria-sort="` + sorted + `"><button type="button" data-c="` + strconv.Itoa(i) + `"><span class="hn">` + name + arrow + `</span><span class="hu">` + unit + `</span></button>`)
		if s := t.summary[c]; s.Bars != nil {
			b.WriteString(chart.HistogramSVG(s.Bars))
		} else {
			b.WriteString(`<span class="bl-hist"></span>`)
		}
		b.WriteString(`</div>`)
	}
	t.head.Set("innerHTML", b.String())
}

func (t *table) writeFoot() {
	var b strings.Builder
	cell := func(c chart.Column, s string) {
		b.WriteString(`<div role="gridcell" class="` + class(c) + `">` + s + `</div>`)
	}
	cell(chart.ColJob, words.Int(len(t.t.Rows)))
	cell(chart.ColUser, "")
	cell(chart.ColSubmit, "")
	cell(chart.ColStart, `<span class="mut">median</span>`)
	for c := chart.ColProcs; c < chart.ColWhy; c++ {
		if !t.has[c] {
			continue
		}
		text := t.t.MedianText(c, t.summary[c].Median)
		if c == chart.ColDiff {
			text += `<span class="bl-diff"></span>`
		}
		cell(c, text)
	}
	legend := ""
	if len(t.t.Cols.Why) > 0 {
		legend = `<span class="bl-key"><i class="dot r-proc"></i>busy</span><span class="bl-key"><i class="dot r-order"></i>order</span><span class="bl-key"><i class="dot r-shadow"></i>delay</span><span class="bl-key"><i class="dot r-plan"></i>plan</span>`
	}
	cell(chart.ColWhy, legend)
	t.foot.Set("innerHTML", b.String())
	attr(t.foot, "aria-rowindex", strconv.Itoa(len(t.t.Rows)+2))
}

// rows writes the rows in view into the document, with a few beyond.
func (t *table) rows() {
	if t.t == nil {
		return
	}
	top, high := t.grid.Get("scrollTop").Float(), t.grid.Get("clientHeight").Float()
	first := max(0, int(top/rowHeight)-6)
	last := min(len(t.t.Rows), int((top+high)/rowHeight)+6)
	job := t.store.View.Job
	if t.clean && first == t.first && last == t.last && job == t.chosen {
		return
	}
	t.clean, t.first, t.last, t.chosen = true, first, last, job
	var b strings.Builder
	for i := first; i < last; i++ {
		t.row(&b, i, int(t.t.Rows[i]) == job)
	}
	t.body.Set("innerHTML", b.String())
	if job >= 0 {
		attr(t.grid, "aria-activedescendant", "bl-row-"+strconv.Itoa(job))
	} else {
		t.grid.Call("removeAttribute", "aria-activedescendant")
	}
}

func (t *table) row(b *strings.Builder, i int, selected bool) {
	j := t.t.Rows[i]
	b.WriteString(`<div role="row" id="bl-row-` + strconv.Itoa(int(j)) + `" aria-rowindex="` + strconv.Itoa(i+2) + `" data-j="` + strconv.Itoa(int(j)) + `" style="top:` + strconv.Itoa(i*int(rowHeight)) + `px"`)
	if selected {
		b.WriteString(` aria-selected="true"`)
	}
	b.WriteString(`>`)
	for c := chart.ColJob; c <= chart.ColWhy; c++ {
		if !t.has[c] {
			continue
		}
		b.WriteString(`<div role="gridcell" class="` + class(c) + `">`)
		switch c {
		case chart.ColWait:
			b.WriteString(`<b>` + t.t.Cell(c, j) + `</b>`)
		case chart.ColDiff:
			b.WriteString(t.t.Cell(c, j) + chart.DiffBar(t.t.Value(c, j), t.summary[c].Most))
		case chart.ColLate:
			if chart.Missed(t.t.Jobs, t.t.Cols, int(j)) {
				b.WriteString(`<b class="bl-late">` + t.t.Cell(c, j) + `</b>`)
			} else {
				b.WriteString(t.t.Cell(c, j))
			}
		case chart.ColWhy:
			b.WriteString(t.whyCell(j))
		default:
			b.WriteString(t.t.Cell(c, j))
		}
		b.WriteString(`</div>`)
	}
	b.WriteString(`</div>`)
}

func (t *table) whyCell(j int32) string {
	if int(j) < len(t.t.Cols.Why) {
		if rs := chart.Reasons(&t.t.Cols.Why[j]); len(rs) > 0 {
			return chart.ReasonsBar(rs, "bl-wb")
		}
		return `<span class="mut">` + words.None + `</span>`
	}
	if w := t.t.Value(chart.ColWait, j); w == 0 || math.IsNaN(w) || t.run.Logged {
		return `<span class="mut">` + words.None + `</span>`
	}
	if len(t.t.Jobs.Number) > 100_000 {
		return `<button type="button" class="bl-link" data-why="" tabindex="-1">work out</button>`
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
	t.store.Look(func(v *state.View) { v.Job = job })
	t.chosen = -2
	t.rows()
	if job >= 0 {
		t.reveal(job)
	}
}

func (t *table) sort(c chart.Column) {
	if t.t == nil {
		return
	}
	if t.sortBy == c {
		t.down = !t.down
	} else {
		// Numbers are asked for from the top, names and times from the start.
		t.sortBy, t.down = c, c >= chart.ColProcs
	}
	t.t.Sort(t.sortBy, t.down)
	t.writeHead()
	t.clean = false
	t.grid.Set("scrollTop", 0)
	t.rows()
}

func (t *table) listen() {
	t.scope.listen(t.grid, "scroll", func(js.Value) { t.rows() })
	t.scope.listen(t.head, "click", func(ev js.Value) {
		if b := ev.Get("target").Call("closest", "button"); b.Truthy() {
			c, _ := strconv.Atoi(b.Get("dataset").Get("c").String())
			t.sort(chart.Column(c))
		}
	})
	jobOf := func(ev js.Value) int {
		if r := ev.Get("target").Call("closest", "[data-j]"); r.Truthy() {
			j, _ := strconv.Atoi(r.Get("dataset").Get("j").String())
			return j
		}
		return -1
	}
	t.scope.listen(t.body, "click", func(ev js.Value) {
		if ev.Get("target").Call("closest", "[data-why]").Truthy() {
			t.askWhy()
			return
		}
		if j := jobOf(ev); j >= 0 {
			t.choose(j)
		}
	})
	t.scope.listen(t.body, "dblclick", func(ev js.Value) {
		if j := jobOf(ev); j >= 0 {
			t.open(j)
		}
	})
	t.scope.listen(t.grid, "keydown", t.keyDown)
}

// open shows a job in the Gantt chart.
func (t *table) open(job int) {
	t.store.Look(func(v *state.View) {
		v.Job, v.Tab = job, "gantt"
		// The span keeps its width and moves to the job.
		if c := t.t.Cols; v.From != v.To && job < len(c.Start) && (c.End[job] <= v.From || c.Start[job] >= v.To) {
			half := (v.To - v.From) / 2
			v.From, v.To = c.Start[job]-half, c.Start[job]+half
		}
	})
	Refresh()
}

func (t *table) keyDown(ev js.Value) {
	if t.t == nil || modified(ev) || typing(ev) || len(t.t.Rows) == 0 {
		return
	}
	at := -1
	if t.store.View.Job >= 0 {
		at = t.t.Place(t.store.View.Job)
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
		if t.store.View.Job >= 0 {
			t.choose(-1)
			ev.Call("preventDefault")
			ev.Call("stopPropagation")
		}
		return
	case "Enter":
		if at >= 0 {
			t.open(t.store.View.Job)
			ev.Call("preventDefault")
		}
		return
	default:
		return
	}
	ev.Call("preventDefault")
	t.choose(int(t.t.Rows[min(len(t.t.Rows)-1, max(0, to))]))
}
