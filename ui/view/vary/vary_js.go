//go:build js

package vary

import (
	_ "embed"
	"strconv"
	"syscall/js"

	"batchlab/core/catalog"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

//go:embed vary.css
var styles string

func init() {
	Room.Styles = styles
	Room.Islands = map[string]draw.Maker{"vary-say": newSay, "vary-lines": newLines, "vary-map": newMap, "vary-point": newPoint}
}

// gather is Gather; where it could not sum up everything at once it draws again.
func gather(h *draw.Host) *Shown {
	d := Gather(h.Store)
	if d != nil && d.Partial {
		draw.Later(0, h.Again)
	}
	return d
}

// lookAt goes to a point.
func lookAt(s *state.Store, point int) { s.Look(func(v *look.View) { v.VaryPoint = point }) }

// sayCard is the sentence, what varies, and what could not run.
type sayCard struct {
	*draw.Host
	packing bool
}

func newSay(h *draw.Host) draw.Island {
	c := &sayCard{Host: h}
	h.Root.Get("classList").Call("add", "bl-card")
	h.Scope.Listen(h.Root, "click", func(ev js.Value) {
		el := ev.Get("target").Call("closest", "[data-do]")
		if !el.Truthy() {
			return
		}
		switch data := el.Get("dataset"); data.Get("do").String() {
		case "drop":
			i, _ := strconv.Atoi(data.Get("axis").String())
			h.Store.DropAxis(i)
		case "csv":
			c.save("points", func(d *Shown) string { return d.CSVHead(paths(h.Store)) }, (*Shown).AppendCSV)
		case "runs":
			c.save("runs", func(*Shown) string { return RunsHead(paths(h.Store)) }, (*Shown).AppendRuns)
		}
	})
	h.Scope.Listen(h.Root, "change", func(ev js.Value) {
		el := ev.Get("target")
		axis, err := strconv.Atoi(el.Get("dataset").Get("axis").String())
		if d := Gather(h.Store); d != nil && err == nil && axis < len(d.Axes) {
			k, _ := strconv.Atoi(el.Get("value").String())
			lookAt(h.Store, d.With(axis, k))
		}
	})
	return c
}

func paths(s *state.Store) (list []string) {
	for _, a := range s.SweepNow().Ran.Vary {
		list = append(list, a.Path)
	}
	return list
}

// save writes a file point by point, with room for other things in between.
func (c *sayCard) save(what string, head func(*Shown) string, add func(*Shown, []byte, *result.Sweep, int) []byte) {
	w := c.Store.SweepNow()
	if w == nil || c.packing {
		return
	}
	c.packing = true
	data, point := []byte(nil), 0
	var d *Shown
	draw.InTurns(func() bool {
		if d == nil || d.Partial {
			if d = Gather(c.Store); d == nil {
				return false
			}
			data = []byte(head(d))
			return true
		}
		data = add(d, data, w, point)
		point++
		return point < w.Points.Len()
	}, func() {
		c.packing = false
		draw.Save(c.FileName(what, ".csv"), "text/csv", data)
	})
}

func (c *sayCard) Release() {}

func (c *sayCard) Draw() {
	s := c.Store
	d := gather(c.Host)
	var b draw.Writer
	if d == nil {
		b.Put(`<div class="vary-none"><h2>Not run yet</h2><p>A run goes through all values of what varies; this page then shows where one scheduler overtakes another. The wave beside a number or a choice on the left makes that vary, too.</p>{}</div>`, chips(s))
		draw.Put(c.Root, b.Markup())
		return
	}
	w := s.SweepNow()
	say := d.Say()
	line := say.Line
	if line == "" {
		line = words.Count(d.Points, "point", "points") + ", " + words.Count(w.Total, "run", "runs")
	}
	b.Put(`<div class="vary-verdict"><div class="grow"><h2>{}</h2>`, line)
	if say.More != "" {
		b.Put(`<p>{}</p>`, say.More)
	}
	b.Put(`</div><div class="vary-files"><button type="button" class="bl-btn" data-do="csv" id="vary-csv" title="Means, intervals and differences of all points">{}<span>CSV</span></button><button type="button" class="bl-btn" data-do="runs" id="vary-csv-runs" title="Every measure of every run">{}<span>Runs</span></button></div></div>`, draw.Icon("export"),
		draw.Icon("export"))
	if w.Error != "" {
		b.Put(`<p class="fault-text" role="alert">{}</p>`, w.Error)
	}
	if n := len(w.Refused); n > 0 {
		b.Put(`<details class="vary-refused"><summary>{} could not run</summary><ul>`, words.Count(n, "point", "points"))
		for _, r := range w.Refused {
			b.Put(`<li>{}</li>`, r.Text)
		}
		b.Add(`</ul></details>`)
	}
	b.Put(`<div class="vary-row">{}{}</div>`, chips(s), cuts(d))
	draw.Put(c.Root, b.Markup())
}

// chips are what varies in the settings, each with what is wrong with it.
func chips(s *state.Store) draw.Markup {
	e := &s.Settings
	if len(e.Vary) == 0 {
		return ""
	}
	var b draw.Writer
	b.Add(`<ul class="vary-chips" aria-label="What varies">`)
	for i := range e.Vary {
		a := &e.Vary[i]
		name := s.AxisName(e, a.Path)
		b.Put(`<li><b title="{}">{}</b> {} <span class="mut">{}</span><button type="button" class="bl-btn bl-ico" data-do="drop" data-axis="{}" aria-label="{}: keep one value" title="Keep one value">{}</button>`, a.Path, name, s.AxisSpan(e, a), words.Count(len(a.Values), "value", "values"),
			i, name, draw.Icon("close"))
		if fault := s.AxisFault(i); fault != "" {
			b.Put(`<p class="fault-text" role="alert">{}</p>`, fault)
		}
		b.Add(`</li>`)
	}
	b.Add(`</ul>`)
	if fault := s.VaryFault(); fault != "" {
		b.Put(`<p class="fault-text" role="alert">What varies {}</p>`, fault)
	}
	return b.Markup()
}

// maxNamed is how many values of an axis stand in a list to choose from.
const maxNamed = 300

// cuts are the values that the lines go through on the other axes.
func cuts(d *Shown) draw.Markup {
	if len(d.Axes) < 2 {
		return ""
	}
	var b draw.Writer
	b.Add(`<p class="vary-slices">`)
	for k := range d.Axes {
		a := &d.Axes[k]
		if k == d.Over || a.N > maxNamed {
			continue
		}
		b.Put(`<label>{} <select class="input" data-axis="{}" data-value="{}">`, a.Name, k, d.Choice[k])
		for _, v := range a.Order {
			b.Put(`<option value="{}">{}</option>`, v, a.Value(v))
		}
		b.Add(`</select></label>`)
	}
	return b.Markup() + `</p>`
}

// linesCard is the card of the lines.
type linesCard struct {
	*draw.FigureCard
	d    *Shown
	plot *Plot
	over js.Value
}

func newLines(h *draw.Host) draw.Island {
	c := &linesCard{}
	c.FigureCard = draw.NewFigure(h, "vary", "Over what varies", func(_ *draw.Data, w, hh float64) draw.Figure {
		c.plot = c.d.Lines(w, hh, c.d.Say())
		return c.plot.Figure
	})
	part := draw.Build(c.Extra, draw.HTML(`<span class="bl-seg" role="group" aria-label="Lines over" data-part="over"></span><button type="button" class="bl-btn" id="vary-measure" title="Show another measure below, or remove one" data-part="more">{}<span>Measure</span></button>`, draw.Icon("plus")))
	c.over = part("over")
	h.Scope.Listen(c.over, "click", func(ev js.Value) {
		if el := ev.Get("target").Call("closest", "button"); el.Truthy() {
			k, _ := strconv.Atoi(el.Get("dataset").Get("k").String())
			h.Store.Look(func(v *look.View) { v.VaryOver = k })
		}
	})
	h.Scope.Menu(part("more"), func() (items []draw.Item) {
		shown := h.Store.Measures()
		for i := range catalog.Metrics {
			row := &catalog.Metrics[i]
			if row.Same != "" || !there(h.Store, row.Key) {
				continue
			}
			name := row.Name
			for _, key := range shown {
				if key == row.Key {
					name = "✓ " + name
				}
			}
			items = append(items, draw.Item{Label: name, Do: func() { h.Store.ShowMeasure(row.Key) }})
		}
		return items
	})
	draw.Attr(c.Body, "tabindex", "0", "role", "slider", "aria-label", "Selected point", "id", "vary-plot")
	h.Scope.Listen(c.Body, "click", func(ev js.Value) {
		if c.AsTable || c.plot == nil {
			return
		}
		x := ev.Get("clientX").Float() - c.Body.Call("getBoundingClientRect").Get("left").Float()
		if k := c.plot.Near(x); k >= 0 {
			lookAt(h.Store, c.plot.d.With(c.plot.d.Over, k))
		}
	})
	h.Scope.ListenActive(c.Body, "keydown", func(ev js.Value) { walk(h.Store, ev) })
	return c
}

// there reports whether a measure exists at some point.
func there(s *state.Store, key string) bool {
	w := s.SweepNow()
	if w == nil {
		return false
	}
	for p := range w.Points.Len() {
		if !w.Begun(p) {
			continue
		}
		for i := range w.Schedulers() {
			if w.Spread(p, i, key).N > 0 {
				return true
			}
		}
		return false
	}
	return false
}

// walk goes through the points by the arrow keys, along the axis of the lines and
// along the other one; Enter leads to the card of the point.
func walk(s *state.Store, ev js.Value) {
	d := Gather(s)
	if d == nil || draw.Modified(ev) {
		return
	}
	to := d.Point
	switch ev.Get("key").String() {
	case "ArrowRight":
		to = d.Step(d.Over, 1)
	case "ArrowLeft":
		to = d.Step(d.Over, -1)
	case "ArrowDown":
		to = d.Step(d.Under, 1)
	case "ArrowUp":
		to = d.Step(d.Under, -1)
	case "Home":
		to = d.Step(d.Over, -d.Points)
	case "End":
		to = d.Step(d.Over, d.Points)
	case "PageDown":
		to = d.Step(d.Over, 10)
	case "PageUp":
		to = d.Step(d.Over, -10)
	case "Enter", " ":
		if open := draw.Find(draw.Doc, "#vary-open"); open.Truthy() {
			open.Call("focus")
		}
	default:
		return
	}
	ev.Call("preventDefault")
	ev.Call("stopPropagation")
	if to != d.Point {
		lookAt(s, to)
	}
}

// speak tells a screen reader which point is looked at.
func speak(el js.Value, d *Shown) {
	draw.Attr(el, "aria-valuemin", "1", "aria-valuemax", strconv.Itoa(d.Points), "aria-valuenow", strconv.Itoa(d.Point+1), "aria-valuetext", d.speech(d.Point))
}

func (c *linesCard) Draw() {
	d := gather(c.Host)
	if d == nil {
		return
	}
	name := axisWord(&d.Axes[d.Over])
	c.Title.Set("textContent", d.Measures[0].Row.Name+" over "+name)
	sub := "one workload at each point: no interval"
	if d.Repeats > 1 {
		sub = "means of " + words.Count(d.Repeats, "workload", "workloads")
		if d.Drawn != "" {
			sub = "means of " + words.Count(d.Repeats, "draw", "draws")
		}
	}
	if n := d.Phases(); n > 0 {
		sub = "medians, one workload at each point · " + draw.BandOver(n)
	} else if d.Repeats > 2 {
		sub += ", bands: 95" + words.NB + "% interval"
	}
	if d.Axes[d.Over].Draws {
		sub += " · boxes: the middle half of the values, their median, least and greatest"
	}
	for k := range d.Axes {
		if k != d.Over {
			sub += " · " + axisWord(&d.Axes[k]) + " " + d.Axes[k].Value(d.Choice[k])
		}
	}
	c.Sub.Set("textContent", sub)
	var b draw.Writer
	if len(d.Axes) > 1 {
		for k := range d.Axes {
			b.Put(`<button type="button" data-k="{}" aria-pressed="{}">{}</button>`, k, k == d.Over, axisWord(&d.Axes[k]))
		}
	}
	draw.Show(c.over, len(d.Axes) > 1)
	draw.Put(c.over, b.Markup())
	draw.Style(c.El, "min-height", draw.Px(d.Height()+46))
	c.d = d
	c.FigureCard.Draw()
	speak(c.Body, d)
}

// mapCard is the card of the map.
type mapCard struct {
	*draw.FigureCard
	d   *Shown
	now *Map
}

func newMap(h *draw.Host) draw.Island {
	c := &mapCard{}
	c.FigureCard = draw.NewFigure(h, "vary-map", "Map", func(_ *draw.Data, w, hh float64) draw.Figure {
		c.now = c.d.Map(c.Theme(), w, hh)
		return c.now.Figure
	})
	draw.Attr(c.Body, "tabindex", "0", "role", "slider", "aria-label", "Selected point, on the map", "id", "vary-map-plot")
	at := func(ev js.Value) int {
		if c.AsTable || c.now == nil {
			return -1
		}
		r := c.Body.Call("getBoundingClientRect")
		return c.now.At(ev.Get("clientX").Float()-r.Get("left").Float(), ev.Get("clientY").Float()-r.Get("top").Float())
	}
	h.Scope.Listen(c.Body, "click", func(ev js.Value) {
		if point := at(ev); point >= 0 {
			lookAt(h.Store, point)
		}
	})
	h.Scope.Listen(c.Body, "pointermove", func(ev js.Value) {
		text := ""
		if point := at(ev); point >= 0 {
			text = c.now.d.speech(point)
		}
		draw.Attr(c.Body, "title", text)
	})
	h.Scope.ListenActive(c.Body, "keydown", func(ev js.Value) { walk(h.Store, ev) })
	return c
}

func (c *mapCard) Draw() {
	d := gather(c.Host)
	if d == nil || d.Under < 0 {
		return
	}
	c.Title.Set("textContent", capital(axisWord(&d.Axes[d.Over]))+" and "+axisWord(&d.Axes[d.Under]))
	sub := d.Measures[0].Row.Name
	if d.B >= 0 {
		sub += ", " + words.Letter(d.A) + " minus " + words.Letter(d.B)
	}
	for k := range d.Axes {
		if k != d.Over && k != d.Under {
			sub += " · " + axisWord(&d.Axes[k]) + " " + d.Axes[k].Value(d.Choice[k])
		}
	}
	c.Sub.Set("textContent", sub)
	c.d = d
	c.FigureCard.Draw()
	speak(c.Body, d)
}

// pointCard is the card of the point that is looked at.
type pointCard struct{ *draw.Host }

func newPoint(h *draw.Host) draw.Island {
	c := &pointCard{h}
	h.Root.Get("classList").Call("add", "bl-card")
	h.Scope.Listen(h.Root, "click", func(ev js.Value) {
		if ev.Get("target").Call("closest", "#vary-open").Truthy() {
			if d := Gather(h.Store); d != nil {
				h.Store.OpenPoint(d.Point)
			}
		}
	})
	return c
}

func (c *pointCard) Release() {}

func (c *pointCard) Draw() {
	d := gather(c.Host)
	if d == nil {
		return
	}
	w := c.Store.SweepNow()
	focused := draw.Doc.Get("activeElement").Get("id").String() == "vary-open"
	var b draw.Writer
	b.Put(`<div class="bl-ph"><h3>Point</h3><span class="bl-sub" id="vary-at">{}</span></div>`, d.pointName(d.Point))
	if d.Begun(d.Point) {
		b.Put(`<div class="bl-wide">{}</div>`, d.Card(w))
	} else {
		b.Add(`<p class="bl-empty">Not computed yet.</p>`)
	}
	b.Put(`<div class="vary-open"><button type="button" class="bl-btn" id="vary-open">Open this point</button><span class="mut">in all views, {}</span></div>`, words.Count(w.Items.Count(d.Point), "run", "runs"))
	draw.Put(c.Root, b.Markup())
	if focused {
		draw.Find(c.Root, "#vary-open").Call("focus")
	}
}
