//go:build js

package vary

import (
	_ "embed"
	"strconv"
	"strings"
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
	for _, a := range s.SweepNow().Doc.Vary {
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
	var b strings.Builder
	if d == nil {
		b.WriteString(`<div class="vary-none"><h2>Not run yet</h2><p>A run goes through all values of what varies; this page then shows where one scheduler overtakes another. The wave beside a number or a choice on the left makes that vary, too.</p>` + chips(s) + `</div>`)
		c.Root.Set("innerHTML", b.String())
		return
	}
	w := s.SweepNow()
	say := d.Say()
	line := say.Line
	if line == "" {
		line = words.Count(d.Points, "point", "points") + ", " + words.Count(w.Total, "run", "runs")
	}
	b.WriteString(`<div class="vary-verdict"><div class="grow"><h2>` + draw.Escape(line) + `</h2>`)
	if say.More != "" {
		b.WriteString(`<p>` + draw.Escape(say.More) + `</p>`)
	}
	b.WriteString(`</div><div class="vary-files"><button type="button" class="bl-btn" data-do="csv" id="vary-csv" title="Means, intervals and differences of all points">` + draw.IconSave + `<span>CSV</span></button>` +
		`<button type="button" class="bl-btn" data-do="runs" id="vary-csv-runs" title="Every measure of every run">` + draw.IconSave + `<span>Runs</span></button></div></div>`)
	if w.Error != "" {
		b.WriteString(`<p class="fault-text" role="alert">` + draw.Escape(w.Error) + `</p>`)
	}
	if n := len(w.Refused); n > 0 {
		b.WriteString(`<details class="vary-refused"><summary>` + words.Count(n, "point", "points") + ` could not run</summary><ul>`)
		for _, r := range w.Refused {
			b.WriteString(`<li>` + draw.Escape(r.Text) + `</li>`)
		}
		b.WriteString(`</ul></details>`)
	}
	b.WriteString(`<div class="vary-row">` + chips(s) + cuts(d) + `</div>`)
	c.Root.Set("innerHTML", b.String())
}

// chips are what varies in the settings, each with what is wrong with it.
func chips(s *state.Store) string {
	e := &s.Settings
	if len(e.Vary) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<ul class="vary-chips" aria-label="What varies">`)
	for i := range e.Vary {
		a := &e.Vary[i]
		name := draw.Escape(s.AxisName(e, a.Path))
		b.WriteString(`<li><b title="` + draw.Escape(a.Path) + `">` + name + `</b> ` + draw.Escape(s.AxisSpan(e, a)) + ` <span class="mut">` + draw.Escape(words.Count(len(a.Values), "value", "values")) +
			`</span><button type="button" class="bl-btn bl-ico" data-do="drop" data-axis="` + strconv.Itoa(i) + `" aria-label="` + name + `: keep one value" title="Keep one value">` + draw.IconClose + `</button>`)
		if fault := s.AxisFault(i); fault != "" {
			b.WriteString(`<p class="fault-text" role="alert">` + draw.Escape(fault) + `</p>`)
		}
		b.WriteString(`</li>`)
	}
	b.WriteString(`</ul>`)
	if fault := s.VaryFault(); fault != "" {
		b.WriteString(`<p class="fault-text" role="alert">What varies ` + draw.Escape(fault) + `</p>`)
	}
	return b.String()
}

// maxNamed is how many values of an axis stand in a list to choose from.
const maxNamed = 300

// cuts are the values that the lines go through on the other axes.
func cuts(d *Shown) string {
	if len(d.Axes) < 2 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<p class="vary-slices">`)
	for k := range d.Axes {
		a := &d.Axes[k]
		if k == d.Over || a.N > maxNamed {
			continue
		}
		b.WriteString(`<label>` + draw.Escape(a.Name) + ` <select class="input" data-axis="` + strconv.Itoa(k) + `">`)
		for _, v := range a.Order {
			selected := ""
			if v == d.Choice[k] {
				selected = " selected"
			}
			b.WriteString(`<option value="` + strconv.Itoa(v) + `"` + selected + `>` + draw.Escape(a.Value(v)) + `</option>`)
		}
		b.WriteString(`</select></label>`)
	}
	return b.String() + `</p>`
}

// linesCard is the card of the lines.
type linesCard struct {
	*draw.Card
	plot *Plot
	over js.Value
}

func newLines(h *draw.Host) draw.Island {
	c := &linesCard{}
	c.Card = draw.NewCard(h, "vary", "Over what varies", nil)
	c.SvgFile = func() string { return c.Theme().File(&c.Last, c.Title.Get("textContent").String()) }
	c.over = draw.Add(c.Extra, "span", "bl-seg")
	draw.Attr(c.over, "role", "group", "aria-label", "Lines over")
	h.Scope.Listen(c.over, "click", func(ev js.Value) {
		if el := ev.Get("target").Call("closest", "button"); el.Truthy() {
			k, _ := strconv.Atoi(el.Get("dataset").Get("k").String())
			h.Store.Look(func(v *look.View) { v.VaryOver = k })
		}
	})
	more := draw.Add(c.Extra, "button", "bl-btn")
	more.Set("innerHTML", draw.IconPlus+`<span>Measure</span>`)
	draw.Attr(more, "type", "button", "id", "vary-measure", "title", "Show another measure below, or remove one")
	h.Scope.Menu(more, func() (items []draw.Item) {
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
	var b strings.Builder
	if len(d.Axes) > 1 {
		for k := range d.Axes {
			b.WriteString(`<button type="button" data-k="` + strconv.Itoa(k) + `" aria-pressed="` + strconv.FormatBool(k == d.Over) + `">` + draw.Escape(axisWord(&d.Axes[k])) + `</button>`)
		}
	}
	draw.Show(c.over, len(d.Axes) > 1)
	c.over.Set("innerHTML", b.String())
	draw.Style(c.El, "min-height", draw.Px(d.Height()+46))
	c.plot = d.Lines(c.Body.Get("clientWidth").Float(), c.Body.Get("clientHeight").Float(), d.Say())
	c.Last = c.plot.Drawing
	c.Last.Fill = d.Table
	c.Show()
	speak(c.Body, d)
}

// mapCard is the card of the map.
type mapCard struct {
	*draw.Card
	now *Map
}

func newMap(h *draw.Host) draw.Island {
	c := &mapCard{}
	c.Card = draw.NewCard(h, "vary-map", "Map", nil)
	c.SvgFile = func() string { return c.Theme().File(&c.Last, c.Title.Get("textContent").String()) }
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
	c.now = d.Map(c.Theme(), c.Body.Get("clientWidth").Float(), c.Body.Get("clientHeight").Float())
	c.Last = c.now.Drawing
	c.Last.Fill = d.Table
	c.Show()
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
	var b strings.Builder
	b.WriteString(`<div class="bl-ph"><h3>Point</h3><span class="bl-sub" id="vary-at">` + draw.Escape(d.pointName(d.Point)) + `</span></div>`)
	if d.Begun(d.Point) {
		b.WriteString(`<div class="bl-wide">` + d.Card(w) + `</div>`)
	} else {
		b.WriteString(`<p class="bl-empty">Not computed yet.</p>`)
	}
	b.WriteString(`<div class="vary-open"><button type="button" class="bl-btn" id="vary-open">Open this point</button><span class="mut">in all views, ` + words.Count(w.Items.Count(d.Point), "run", "runs") + `</span></div>`)
	c.Root.Set("innerHTML", b.String())
	if focused {
		draw.Find(c.Root, "#vary-open").Call("focus")
	}
}
