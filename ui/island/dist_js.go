//go:build js

package island

import (
	"batchlab/core/report"
	"batchlab/ui/chart"
)

// newDist makes the tab of distributions: curves, classes of values, box plots
// by class of jobs, and the same as tables.
func newDist(h *host) island {
	s := &stack{host: h}
	of := chart.OfWait
	type key struct {
		run *report.Run
		of  string
	}
	kept := map[key]*chart.Distribution{}
	made := false // in this frame
	dist := func(d *chart.Data) []*chart.Distribution {
		live := map[key]*chart.Distribution{}
		out := make([]*chart.Distribution, len(d.Shown))
		for i, r := range d.Shown {
			if r == nil || d.Jobs == nil || len(r.Columns.Start) != len(d.Jobs.Submit) {
				continue
			}
			k := key{r, of}
			if out[i] = kept[k]; out[i] == nil {
				if made { // sorting takes a moment with many jobs: one a frame
					h.again()
					continue
				}
				made = true
				out[i] = chart.Distribute(of, d.Jobs, &r.Columns, d.Tau)
			}
			live[k] = out[i]
		}
		kept = live
		return out
	}
	upper := add(h.root, "div", "bl-pair")
	var press func(string)
	curves := newFigure(s.part(upper, ""), "distribution", "Distribution", func(d *chart.Data, w, hh float64) chart.Figure {
		press(of)
		made = false
		return d.Distributions(of, dist(d), w, hh)
	})
	curves.sub.Set("textContent", "share of jobs up to a value")
	press = h.scope.segments(curves.extra, "Measure", []string{chart.OfWait, chart.OfSlowdown, chart.OfTurnaround}, []string{"Wait", "Slowdown", "Turnaround"}, func(k string) {
		of = k
		h.again()
	})
	bars := newFigure(s.part(upper, ""), "histogram", "How many jobs", func(d *chart.Data, w, hh float64) chart.Figure { return d.Histogram(of, dist(d), w, hh) })
	bars.sub.Set("textContent", "share of jobs in each class")
	by := chart.BySize
	type boxKey struct {
		*chart.Distribution
		by string
	}
	boxes := map[boxKey][]chart.ClassBox{}
	var pressBy func(string)
	var boxed *figure
	boxed = newFigure(s.part(h.root, "bl-boxes"), "by-class", "By class of jobs", func(d *chart.Data, w, hh float64) chart.Figure {
		pressBy(by)
		boxed.sub.Set("textContent", chart.MeasureTitle(of)+", as chosen above · a box holds half of the jobs, a dot is the greatest")
		live := map[boxKey][]chart.ClassBox{}
		list := make([][]chart.ClassBox, len(d.Shown))
		for i, x := range dist(d) {
			if x == nil {
				continue
			}
			k := boxKey{x, by}
			if known, ok := boxes[k]; ok {
				live[k] = known
			} else if made { // as above: one a frame
				h.again()
				continue
			} else {
				made = true
				live[k] = x.Boxes(by, d.Jobs, &d.Shown[i].Columns)
			}
			list[i] = live[k]
		}
		boxes = live
		return d.ByClass(of, by, list, w, hh)
	})
	var keys, names []string
	for _, k := range chart.ClassKinds {
		keys, names = append(keys, k.Key), append(names, k.Name)
	}
	pressBy = h.scope.segments(boxed.extra, "Classes by", keys, names, func(k string) {
		by = k
		h.again()
	})
	figures := newGridCard(s.part(h.root, "bl-auto"), "figures", "In figures", func(d *chart.Data) chart.Grid {
		return d.Distributions(of, dist(d), 600, 300).Table
	})
	classes := newGridCard(s.part(h.root, "bl-auto"), "classes", "By size of job", func(d *chart.Data) chart.Grid { return d.ClassGrid() })
	classes.sub.Set("textContent", "mean wait in h:min and mean bounded slowdown, all repeats")
	s.parts = []island{curves, bars, boxed, figures, classes}
	return s
}

// gridCard is a card that shows a table only.
type gridCard struct {
	*card
	build func(*chart.Data) chart.Grid
	html  string // what stands in the body
}

func newGridCard(h *host, file, title string, build func(*chart.Data) chart.Grid) *gridCard {
	g := &gridCard{build: build}
	g.card = newCard(h, file, title, nil)
	g.toggle.Call("remove")
	return g
}

func (g *gridCard) draw() {
	d := g.data()
	grid := g.build(d)
	g.last = chart.Drawing{Data: grid}
	if len(grid.Cells) == 0 {
		text := d.Busy
		if text == "" {
			text = "Nothing has run yet."
		}
		g.fill(`<p class="bl-empty">` + text + `</p>`)
		return
	}
	if !g.fill(`<div class="bl-wide">` + grid.HTML() + `</div>`) {
		return
	}
	later(0, func() { // when it has been laid out: to ask now would do that twice
		wide := g.body.Get("firstChild")
		if wide.Truthy() && (wide.Get("scrollHeight").Int() > wide.Get("clientHeight").Int() || wide.Get("scrollWidth").Int() > wide.Get("clientWidth").Int()) {
			attr(wide, "tabindex", "0", "role", "region", "aria-label", g.title.Get("textContent").String()) // scrolls by keys
		}
	})
}

// fill writes the body and reports whether it is another than before: a table
// that stays is not laid out anew, and stays where it was scrolled to.
func (g *gridCard) fill(html string) bool {
	if html == g.html {
		return false
	}
	g.html = html
	g.body.Set("innerHTML", html)
	return true
}

// newProviders is the table of a grid's providers.
func newProviders(h *host) island {
	return newGridCard(h, "providers", "Providers", func(d *chart.Data) chart.Grid { return d.ProviderGrid() })
}
