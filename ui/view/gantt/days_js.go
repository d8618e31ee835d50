//go:build js

package gantt

import (
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Around a day the chart shows this much of the night before and after it.
const (
	dayBefore = 2 * 3600
	dayAfter  = 8 * 3600
)

// dayBar is the line above the chart that goes from day to day, those first on
// which the runs differ most.
type dayBar struct {
	g            *gantt
	of           [2]*report.Run // what list was made of
	list         []Day
	ranked       []int
	opened       *experiment.Experiment // whose chart has been opened
	follow       bool                   // of another pair's days the first was on show
	opening      string                 // what the chart was opened on, "" a day
	near         model.Time             // since when the calendar takes what it is opened on, once it is laid out; 0 none
	wanted       int                    // 1 + the job that it is to be opened on, once it is laid out; 0 none
	ways         js.Value
	day, text    js.Value
	before, next js.Value
}

func (d *dayBar) init(g *gantt, part func(string) js.Value) {
	d.g = g
	d.ways, d.before, d.day, d.next, d.text = part("ways"), part("left"), part("day"), part("chevron"), part("text")
	g.Scope.Listen(d.before, "click", func(js.Value) { d.step(-1) })
	g.Scope.Listen(d.next, "click", func(js.Value) { d.step(1) })
}

// at is the place of the day on show among the ranked ones, −1 none.
func (d *dayBar) at() int {
	for k, i := range d.ranked {
		if from, to := d.g.around(&d.list[i]); from == d.g.span.From && to == d.g.span.To {
			return k
		}
	}
	return -1
}

// around is the span that shows a day.
func (g *gantt) around(day *Day) (from, to float64) {
	s := g.span
	s.Show(float64(day.From-dayBefore), float64(day.To+dayAfter))
	a, b := s.Ends()
	return float64(a), float64(b)
}

func (d *dayBar) step(by int) {
	if len(d.ranked) > 0 {
		d.show(max(0, min(len(d.ranked)-1, d.at()+by)))
	}
}

func (d *dayBar) show(rank int) {
	from, to := d.g.around(&d.list[d.ranked[rank]])
	d.g.askIdle(nil)
	d.g.show(from, to)
	d.g.lastMove, d.g.held = 0, false
	d.write()
}

// update computes the days of the first two runs on show, and opens a long log
// on the one where they differ most.
func (d *dayBar) update() {
	g := d.g
	var runs [2]*report.Run
	missing := false
	for i, p := range g.panes {
		switch {
		case p.run == nil || g.known[p.run.Result] == nil:
			missing = true
		case i < 2:
			runs[i] = p.run.Result
		}
	}
	jobs := g.jobs()
	if runs[0] == nil || jobs == nil {
		runs = [2]*report.Run{}
	}
	if runs != d.of {
		d.follow = d.follow || d.at() == 0
		d.of, d.list, d.ranked = runs, nil, nil
		if runs[0] != nil {
			var second *report.Columns
			if runs[1] != nil {
				second = &runs[1].Columns
			}
			d.list = Days(g.Clock(), jobs, &runs[0].Columns, second)
			d.ranked = Ranked(d.list)
		}
	}
	v := &g.Store.View
	switch {
	case d.follow && len(d.ranked) > 0 && !missing && v.Job < 0:
		d.follow = false
		d.show(0)
	case d.opened == g.Store.Ran || missing || runs[0] == nil || g.Store.Active():
	case v.From == v.To && v.Job >= 0 && g.span.Full[1]-g.span.Full[0] >= longLog:
		d.opened, d.wanted = g.Store.Ran, v.Job+1
	case v.From != v.To || v.Job >= 0 || g.span.Full[1]-g.span.Full[0] < longLog || len(d.ranked) == 0:
		d.opened = g.Store.Ran // the reader, or a link, looks at something
	default:
		d.opened = g.Store.Ran
		if d.opening = d.booking(); d.opening == "" {
			d.show(0)
		}
	}
	d.write()
}

// open shows what the chart is opened on: rows of a booking, the job that was chosen before.
func (d *dayBar) open() {
	if d.near != 0 && d.g.ready() {
		rows := d.g.chart.rowsOfBooking(0, d.near)
		d.near = 0
		d.g.rows.show(rows)
	}
	if d.wanted > 0 && d.g.ready() {
		job := d.wanted - 1
		d.wanted = 0
		d.g.fit(job)
		d.g.lastMove, d.g.held = 0, false
	}
}

// booking shows the first reservation or outage of the settings, with a third of the
// chart before it, and names it; "" where there is none.
func (d *dayBar) booking() string {
	name, from, to := Booking(d.g.Store.Ran, d.g.span.Full)
	if name != "" {
		long := max(float64(to-from), draw.Day/2)
		d.g.show(float64(from)-long, float64(from)+2*long)
		d.near = from
		d.g.lastMove, d.g.held = 0, false
	}
	return name
}

// write says which day is shown.
func (d *dayBar) write() {
	draw.Show(d.ways, len(d.ranked) > 1)
	if len(d.ranked) < 2 {
		return
	}
	at, two := d.at(), d.of[1] != nil
	day, text := "", words.Either(two, "Differs on ", "Jobs wait on ")+words.Count(len(d.ranked), "day", "days")
	switch {
	case at >= 0:
		one := &d.list[d.ranked[at]]
		day, text = d.g.Clock().FullDay(one.From), one.Say(at, two)
	case d.opening != "":
		text += "; opened on " + d.opening
	default:
		text += "; the arrow leads to the one " + words.Either(two, "that differs most", "with the longest waits")
	}
	d.day.Set("textContent", day)
	d.text.Set("textContent", text)
	d.before.Set("disabled", at <= 0)
	d.next.Set("disabled", at == len(d.ranked)-1)
}

// marked reports whether the minimap marks days: of two runs over more than two.
func (d *dayBar) marked() bool { return d.of[1] != nil && len(d.ranked) > 1 }
