//go:build js

package gantt

import (
	"math"
	"strconv"
	"syscall/js"

	"batchlab/core/report"
	"batchlab/ui/draw"
)

// rowBar is how the reader chooses which processors are in view: by the bar beside a
// pane, the wheel over the names, keys, or a list of what has a name.
type rowBar struct {
	g      *gantt
	choice js.Value    // the list
	wrote  draw.Markup // what the list was written for
	of     *report.Site
	held   int     // pane whose frame is dragged, −1 none
	told   Rows    // that the page was told last, or said
	grip   float64 // processors between the middle of the frame and where it was taken
}

func (r *rowBar) init(g *gantt, choice js.Value) {
	r.g, r.held, r.choice = g, -1, choice
	g.Scope.Listen(r.choice, "change", func(js.Value) {
		if i, err := strconv.Atoi(r.choice.Get("value").String()); err == nil && i < len(g.chart.Parts) {
			r.show(g.chart.Parts[i].Rows)
		} else {
			r.show(Rows{})
		}
	})
}

// update takes over what the machine consists of; another one is shown whole.
func (r *rowBar) update() {
	v := &r.g.Store.View
	if asked := (Rows{v.Low, v.High}); asked != r.told && r.g.commit == nil { // a link's, or of a step back
		r.told, r.g.chart.Rows = asked, asked
	}
	var site *report.Site
	for _, p := range r.g.panes {
		if p.run != nil {
			site = r.g.Store.Sites[p.run.Repetition]
			break
		}
	}
	if site == r.of && r.wrote != "" {
		return
	}
	if r.of != nil && site != nil && len(site.Machines) != len(r.of.Machines) {
		r.g.chart.Rows = Rows{}
		r.g.tell()
	}
	r.of, r.g.parts = site, Parts(site)
	html, named := draw.Markup(`<option value="all">All rows</option>`), 0
	for i, p := range r.g.parts {
		if p.Kind != "machine" {
			named++
			html += draw.HTML(`<option value="{}">{}</option>`, i, p.Name)
		}
	}
	if html += `<option value="some" hidden>Some rows</option>`; html != r.wrote {
		r.wrote = html
		draw.Put(r.choice, html)
	}
	draw.Show(r.choice, named > 0)
}

// say shows in the list which rows are in view.
func (r *rowBar) say() {
	g := r.g
	value := "all"
	if len(g.chart.Panes) > 0 && g.chart.Panes[0].Procs > 0 {
		if rows := g.chart.shown(0); rows != (Rows{0, g.chart.Panes[0].Procs}) {
			value = "some"
			for i, p := range g.chart.Parts {
				if p.Kind != "machine" && p.Rows == rows {
					value = strconv.Itoa(i)
				}
			}
		}
	}
	r.choice.Set("value", value)
}

// show shows these rows.
func (r *rowBar) show(rows Rows) {
	g := r.g
	if rows == g.chart.Rows || !g.ready() {
		return
	}
	g.chart.Rows = rows
	g.chart.Carve()
	r.say()
	g.say.Set("textContent", "Rows: "+g.chart.RowsSaid())
	g.tell()
}

func (r *rowBar) procs() int { return r.g.chart.Panes[0].Procs }

func (r *rowBar) zoom(factor, place float64) {
	if r.g.ready() && r.procs() > 0 {
		r.show(r.g.chart.Rows.Zoomed(r.procs(), factor, place))
	}
}

func (r *rowBar) move(part float64) {
	if r.g.ready() && r.procs() > 0 {
		r.show(r.g.chart.Rows.Moved(r.procs(), part))
	}
}

// at is the pane whose bar, or whose names when those are asked for, lies at a point,
// −1 none.
func (r *rowBar) at(x, y float64, names bool) int {
	g := r.g
	for i := range g.chart.Panes {
		b, bar := g.chart.Layout.Panes[i].Whole, g.chart.Bar(i)
		if y < b.Y || y > b.Bottom() || g.chart.Panes[i].Index == nil {
			continue
		}
		if x >= bar.X-4 && x <= bar.Right()+4 || names && x < b.X {
			return i
		}
	}
	return -1
}

// begin takes the frame of a bar; false where there is none.
func (r *rowBar) begin(x, y float64) bool {
	if r.held = r.at(x, y, false); r.held < 0 {
		return false
	}
	rows, at := r.g.chart.shown(r.held), r.processor(y)
	r.grip = 0
	if at >= float64(rows.From) && at <= float64(rows.To) && rows != (Rows{0, r.procs()}) {
		r.grip = at - float64(rows.From+rows.To)/2
	} else if rows == (Rows{0, r.procs()}) {
		r.show(rows.Zoomed(r.procs(), .25, 0)) // nothing to move: a part, put where it was pressed
	}
	r.drag(y)
	return true
}

// processor is the processor at a height of the bar that is held.
func (r *rowBar) processor(y float64) float64 {
	bar := r.g.chart.Bar(r.held)
	return (bar.Bottom() - y) / bar.H * float64(r.procs())
}

func (r *rowBar) drag(y float64) {
	rows := r.g.chart.shown(r.held)
	n := rows.To - rows.From
	from := int(r.processor(y) - r.grip - float64(n)/2 + .5)
	r.show(Rows{from, from + n}.Within(r.procs()))
}

// wheel zooms the rows while the pointer is over names or a bar; false elsewhere.
func (r *rowBar) wheel(x, y, by float64) bool {
	i := r.at(x, y, true)
	if i < 0 {
		return false
	}
	b := r.g.chart.Layout.Panes[i].Jobs
	r.zoom(math.Exp(max(-300, min(300, by))*.0022), min(1, max(0, (b.Bottom()-y)/b.H)))
	return true
}

// key serves the keys of rows.
func (r *rowBar) key(k string, shift bool) bool {
	switch {
	case k == "PageUp":
		r.move(.5)
	case k == "PageDown":
		r.move(-.5)
	case k == "ArrowUp" && shift:
		r.zoom(.7, .5)
	case k == "ArrowDown" && shift:
		r.zoom(1/.7, .5)
	default:
		return false
	}
	return true
}
