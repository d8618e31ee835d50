//go:build js

package search

import (
	"math"
	"slices"
	"strconv"
	"syscall/js"

	"batchlab/core/order"
	"batchlab/ui/draw"
	"batchlab/ui/state"
)

// best is the card of the best weights of the chosen week.
type best struct {
	*draw.Card
	rows [][]float64
	week int
}

// listed is how many weights the card of the best lists.
const listed = 6

func newBest(h *draw.Host) draw.Island {
	b := &best{}
	b.Card = draw.NewCard(h, "best", "Best so far")
	b.Toggle.Call("remove")
	h.Scope.Listen(b.Body, "click", func(ev js.Value) {
		if el := ev.Get("target").Call("closest", "button[data-i]"); el.Truthy() {
			if i, err := strconv.Atoi(el.Get("dataset").Get("i").String()); err == nil && i < len(b.rows) {
				tellUse(b.Card, b.week, b.rows[i])
			}
		}
	})
	return b
}

func (b *best) Release() {}

func (b *best) Draw() {
	r, w := b.Store.SearchNow(), b.Store.ShownWeek()
	b.rows = b.rows[:0]
	b.Now = draw.Figure{Empty: noSearch}
	b.Sub.Get("classList").Call("remove", "bl-fault")
	if w < 0 {
		b.Sub.Set("textContent", "")
		b.Show()
		return
	}
	b.week = w
	b.Sub.Set("textContent", r.Called()+" "+strconv.Itoa(r.Weeks[w].Number))
	type row struct {
		w     []float64
		v     float64
		badge string
	}
	var rows []row
	if r.Found != nil && r.Found[w] != nil {
		rows = append(rows, row{r.Found[w].Weights, r.Found[w].Value, "xNES"})
	}
	if r.Cover != nil {
		g, values := r.Grid(), r.Cover.Row(w)
		var top []int // the best few, kept sorted
		for c, v := range values {
			if math.IsNaN(v) || len(top) == listed && !(v < values[top[listed-1]]) {
				continue
			}
			at, _ := slices.BinarySearchFunc(top, v, func(c int, v float64) int {
				if values[c] <= v {
					return -1
				}
				return 1
			})
			top = slices.Insert(top, at, c)
			top = top[:min(len(top), listed)]
		}
		for _, c := range top {
			rows = append(rows, row{g.Vecs[c], values[c], ""})
		}
	}
	order.Stable(rows, func(a, b row) int {
		if a.v < b.v {
			return -1
		} else if a.v > b.v {
			return 1
		}
		return 0
	})
	if len(rows) == 0 {
		b.Now.Empty = "Nothing has been tried in this week yet."
		if r.Weeks[w].Jobs == 0 {
			b.Now.Empty = "No job was submitted in this week."
		}
		b.Show()
		return
	}
	rows = rows[:min(len(rows), listed)]
	ref := r.Pure.At(w, saf)
	var html draw.Writer
	html.Add(`<div class="bl-wide"><table class="bl-grid bl-best"><thead><tr><th scope="col">#</th><th scope="col"><span class="bl-wnames">`)
	for _, name := range draw.WeightNames[:r.Features()] {
		html.Put(`<span>{}</span>`, name)
	}
	html.Add(`</span></th><th scope="col" class="num">Slowdown</th><th scope="col" class="num">to SAF</th><th scope="col"><span class="bl-vh">Run</span></th></tr></thead><tbody>`)
	grid := draw.Grid{Head: []string{"Rank", "Slowdown"}, Units: []string{"rank", "mean_bounded_slowdown", "q", "p", "wait", "ratio", "exp", "area"}[:2+r.Features()]}
	for i, x := range rows {
		b.rows = append(b.rows, x.w)
		diff, class := "", "num"
		if !math.IsNaN(ref) {
			diff = draw.Difference(x.v, ref)
			if x.v < ref {
				class = "num good"
			} else if x.v > ref {
				class = "num bad"
			}
		}
		html.Put(`<tr><td class="mut">{}</td><td>{}</td><td class="num">{}</td><td class="{}">{}</td><td><button type="button" class="bl-btn bl-ico" data-i="{}" title="Run it: {}" aria-label="Run policy {}, {}">{}</button></td></tr>`, i+1, WeightBars(x.w), draw.Score(x.v), class, diff,
			i, draw.WeightWords(x.w), i+1, draw.WeightWords(x.w), draw.Icon("play"))
		raw := []string{strconv.Itoa(i + 1), strconv.FormatFloat(x.v, 'g', -1, 64)}
		for _, y := range x.w {
			raw = append(raw, strconv.FormatFloat(y, 'g', -1, 64))
		}
		grid.Raw = append(grid.Raw, raw)
	}
	html.Add(`</tbody></table></div>`)
	b.Now = draw.Figure{Table: grid}
	draw.Put(b.Body, html.Markup())
}

func newTries(h *draw.Host) draw.Island {
	var c *draw.FigureCard
	c = draw.NewFigure(h, "xnes", "Convergence", func(_ *draw.Data, w, hh float64) draw.Figure {
		r, week := h.Store.SearchNow(), h.Store.ShownWeek()
		if week < 0 {
			return draw.Figure{W: w, H: hh, Empty: noSearch}
		}
		c.Sub.Set("textContent", "xNES, "+r.Called()+" "+strconv.Itoa(r.Weeks[week].Number))
		if r.Found == nil {
			return draw.Figure{W: w, H: hh, Empty: "Choose xNES as the search to see how it converges."}
		}
		var at []int
		var value []float64
		if f := r.Found[week]; f != nil {
			for _, b := range f.Trace {
				at, value = append(at, b.Evaluations), append(value, b.Value)
			}
		}
		var levels []Course
		if r.Cover != nil && r.Best()[week].Candidate >= 0 {
			levels = append(levels, Course{Name: "coverage", Series: 2, Values: []float64{r.Best()[week].Value}})
		}
		least, name := math.Inf(1), ""
		for o, label := range r.Orders {
			if v := r.Pure.At(week, o); v < least {
				least, name = v, label
			}
		}
		if name != "" {
			levels = append(levels, Course{Name: name, Series: 5, Values: []float64{least}})
		}
		budget, _ := r.Doc.Search.Int("budget")
		return Tries(at, value, int(budget), levels, w, hh)
	})
	return c
}

func newWeights(h *draw.Host) draw.Island {
	c := draw.NewFigure(h, "weights", "Best weights by week", func(_ *draw.Data, w, hh float64) draw.Figure {
		r := h.Store.SearchNow()
		if r == nil || len(r.Weeks) == 0 {
			return draw.Figure{W: w, H: hh, Empty: noSearch}
		}
		var weeks []int
		var weights [][]float64
		for i, week := range r.Weeks {
			weeks = append(weeks, week.Number)
			var v []float64
			switch {
			case r.Cover != nil && r.Best()[i].Candidate >= 0:
				v = r.Grid().Vecs[r.Best()[i].Candidate]
			case r.Cover == nil && r.Found != nil && r.Found[i] != nil:
				v = r.Found[i].Weights
			}
			weights = append(weights, v)
		}
		return WeightCourse(weeks, weights, w, hh)
	})
	c.Sub.Set("textContent", "above the line: larger first")
	return c
}

func newBoxes(h *draw.Host) draw.Island {
	c := draw.NewFigure(h, "pure-orders-boxes", "Pure orders over the weeks", func(_ *draw.Data, w, hh float64) draw.Figure {
		var list []OrderValues
		if r := h.Store.SearchNow(); r != nil && r.Pure != nil {
			counted := r.Counted()
			for place, c := range r.Ranked() {
				o := OrderValues{Name: r.Orders[c], Top: place < 3}
				for _, w := range counted {
					o.Values = append(o.Values, r.Pure.At(w, c))
				}
				list = append(list, o)
			}
		}
		return OrderBoxes(list, w, hh)
	})
	c.Sub.Set("textContent", "the three best in colour")
	return c
}

// lines are the strategies that the chart of courses draws, with their colours.
var lines = []string{"best", "train", "greedy", "saf", "fcfs", "sliding", "leader", "pure-leader"}

// mixedLines stand in where xNES alone has searched.
var mixedLines = map[string]string{"best": "xnes", "train": "xnes-train", "greedy": "xnes-greedy"}

// drawn are the strategies with a line, by colour.
func drawn(r *state.Search) map[string]int {
	out := map[string]int{}
	there := map[string]bool{}
	for _, s := range r.Strategies() {
		there[s.Key] = true
	}
	for i, key := range lines {
		if !there[key] {
			key = mixedLines[key]
		}
		if there[key] {
			out[key] = i
		}
	}
	return out
}

func newCourses(h *draw.Host) draw.Island {
	mode := "added"
	var press func(string)
	c := draw.NewFigure(h, "courses", "How they fare week by week", func(_ *draw.Data, w, hh float64) draw.Figure {
		press(mode)
		r := h.Store.SearchNow()
		if r == nil || len(r.Weeks) == 0 {
			return draw.Figure{W: w, H: hh, Empty: noSearch}
		}
		train, test := r.Split()
		both := append(slices.Clone(train), test...)
		if len(both) == 0 {
			return draw.Figure{W: w, H: hh, Empty: "There is no week with jobs in these parts."}
		}
		from, to, split := both[0], both[len(both)-1], -1
		if len(test) > 0 {
			split = test[0]
		}
		colours := drawn(r)
		var list []Course
		for _, s := range r.Strategies() {
			i, ok := colours[s.Key]
			if !ok {
				continue
			}
			v := slices.Clone(s.Values[from : to+1])
			for k := range v {
				if !r.Known(from + k) {
					v[k] = math.NaN()
				}
			}
			list = append(list, Course{Name: s.Name, Series: i, Values: v})
		}
		return Courses(list, from, split, mode == "added", w, hh)
	})
	press = h.Scope.Segments(c.Extra, "Values", []string{"added", "weekly"}, []string{"Added up", "Weekly"}, func(k string) {
		mode = k
		h.Again()
	})
	return c
}
