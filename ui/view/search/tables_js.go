//go:build js

package search

import (
	"math"
	"slices"
	"strconv"
	"syscall/js"

	"batchlab/core/catalog"
	"batchlab/core/order"
	"batchlab/ui/draw"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// sheet is a card with a table that is sorted by its heads.
type sheet struct {
	*draw.Card
	sortBy string
	down   bool
	build  func() (heads []head, rows []line, empty string)
	press  func(row string, key string) // a button in a row
}

// head is one column of a sheet.
type head struct {
	key, name, unit, help string
	text                  bool
}

// line is one row: the cells as HTML, as files have them, and as numbers to
// sort by.
type line struct {
	cells []any
	raw   []string
	order []float64
	class string
	foot  bool // stays at the end
}

func newSheet(h *draw.Host, file, title string) *sheet {
	s := &sheet{}
	s.Card = draw.NewCard(h, file, title)
	s.Toggle.Call("remove")
	h.Scope.Listen(s.Body, "click", func(ev js.Value) {
		if b := ev.Get("target").Call("closest", "button[data-row]"); b.Truthy() && s.press != nil {
			s.press(b.Get("dataset").Get("row").String(), b.Get("dataset").Get("of").String())
			return
		}
		b := ev.Get("target").Call("closest", "button[data-k]")
		if !b.Truthy() {
			return
		}
		k := b.Get("dataset").Get("k").String()
		if s.sortBy == k {
			s.down = !s.down
		} else {
			s.sortBy, s.down = k, false
		}
		s.Draw()
		if again := draw.Find(s.Body, string(draw.HTML(`button[data-k="{}"]`, k))); again.Truthy() {
			again.Call("focus")
		}
	})
	return s
}

func (s *sheet) Release() {}

func (s *sheet) Draw() {
	heads, rows, empty := s.build()
	if empty != "" {
		s.Now = draw.Figure{Empty: empty}
		s.Show()
		return
	}
	column := slices.IndexFunc(heads, func(h head) bool { return h.key == s.sortBy })
	if column >= 0 {
		order.Stable(rows, func(a, b line) int {
			x, y := a.order[column], b.order[column]
			switch {
			case a.foot != b.foot:
				if a.foot {
					return 1
				}
				return -1
			case math.IsNaN(x) || math.IsNaN(y): // unknown ones last
				return int(b2f(math.IsNaN(x)) - b2f(math.IsNaN(y)))
			case x == y:
				return 0
			case (x < y) != s.down:
				return -1
			}
			return 1
		})
	}
	g := draw.Grid{}
	var b draw.Writer
	b.Put(`<div class="bl-scroll" tabindex="0" role="region" aria-label="{}"><table class="bl-grid bl-sort bl-sheet"><thead><tr>`, s.Title.Get("textContent").String())
	for i, h := range heads {
		sorted, arrow, class := "none", draw.Markup(""), "num"
		if i == column {
			sorted, arrow = "ascending", draw.Icon("up")
			if s.down {
				sorted, arrow = "descending", draw.Icon("down")
			}
		}
		if h.text {
			class = "txt"
		}
		b.Put(`<th scope="col" class="{}" aria-sort="{}"><button type="button" data-k="{}" title="{}"><span class="hn">{}{}</span><span class="hu">{}</span></button></th>`, class, sorted, h.key, h.help, h.name, arrow, h.unit)
		g.Head = append(g.Head, h.name)
		g.Units = append(g.Units, h.key)
	}
	b.Add(`</tr></thead><tbody>`)
	for _, r := range rows {
		b.Put(`<tr class="{}">`, r.class)
		for i, c := range r.cells {
			tag, class := draw.Markup("td"), "num"
			if heads[i].text {
				class = "txt"
			}
			if i == 0 {
				tag = `th scope="row"`
			}
			b.Put(`<{} class="{}">{}</{}>`, tag, class, c, tag[:2])
		}
		b.Add(`</tr>`)
		g.Raw = append(g.Raw, r.raw)
	}
	b.Add(`</tbody></table></div>`)
	s.Now = draw.Figure{Table: g}
	kept := 0.0
	left := 0.0
	if old := draw.Find(s.Body, ".bl-scroll"); old.Truthy() {
		kept, left = old.Get("scrollTop").Float(), old.Get("scrollLeft").Float()
	}
	draw.Put(s.Body, b.Markup())
	if now := draw.Find(s.Body, ".bl-scroll"); kept+left > 0 {
		now.Set("scrollTop", kept)
		now.Set("scrollLeft", left)
	}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func plain(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// newOrders is the table of the pure orders: their sums, or every week.
func newOrders(h *draw.Host) draw.Island {
	s := newSheet(h, "pure-orders", "Pure orders")
	mode := "sums"
	press := h.Scope.Segments(s.Extra, "Table", []string{"sums", "weeks"}, []string{"Sums", "Week by week"}, func(k string) {
		mode, s.sortBy, s.down = k, "", false
		h.Again()
	})
	s.build = func() ([]head, []line, string) {
		press(mode)
		r := h.Store.SearchNow()
		if r == nil || r.Pure == nil {
			return nil, nil, noSearch
		}
		counted := r.Counted()
		if len(counted) == 0 {
			return nil, nil, "The first weeks are being simulated."
		}
		s.Sub.Set("textContent", r.Count(len(counted))+", mean bounded slowdown, τ"+words.NB+words.Dur(float64(r.Doc.Measures.Tau)))
		if mode == "weeks" {
			heads, rows := weekly(r, counted)
			return heads, rows, ""
		}
		heads, rows := summed(r, counted)
		return heads, rows, ""
	}
	return s
}

func orderHelp(r *state.Search, c int) string {
	if c < len(catalog.Orders) {
		return catalog.Orders[c].Title + ": " + catalog.Orders[c].Score
	}
	return "Your own order: " + r.Doc.Search.Text("formula")
}

// summed has one row an order.
func summed(r *state.Search, counted []int) ([]head, []line) {
	heads := []head{{"order", "Order", "", "Queue order", true}, {"sum", "Sum", "of the weeks", "Sum of the weekly means", false}, {"best", "to the best", "%", "Excess over the best order", false},
		{"mean", "Mean", "of a week", "", false}, {"median", "Median", "of a week", "", false}, {"worst", "Worst", "week", "", false}, {"won", "Won", "weeks", "Weeks in which no other order is better; shared ones count for each", false}}
	won := make([]int, len(r.Orders))
	for _, w := range counted {
		least := math.Inf(1)
		for _, v := range r.Pure.Row(w) {
			least = min(least, v)
		}
		for c, v := range r.Pure.Row(w) {
			if v == least {
				won[c]++
			}
		}
	}
	var rows []line
	first := r.Sums()[r.Ranked()[0]]
	for place, c := range r.Ranked() {
		var values []float64
		for _, w := range counted {
			values = append(values, r.Pure.At(w, c))
		}
		slices.Sort(values)
		sum, n := r.Sums()[c], len(values)
		median := (values[(n-1)/2] + values[n/2]) / 2
		more := 100 * (sum/first - 1)
		l := line{
			cells: []any{draw.HTML(`<span title="{}">{}</span>`, orderHelp(r, c), r.Orders[c]), words.Number(sum, 2), words.Number(more, 1), draw.Score(sum / float64(n)), draw.Score(median), draw.Score(values[n-1]), words.Int(won[c])},
			raw:   []string{r.Orders[c], plain(sum), plain(more), plain(sum / float64(n)), plain(median), plain(values[n-1]), strconv.Itoa(won[c])},
			order: []float64{float64(c), sum, more, sum, median, values[n-1], float64(won[c])},
		}
		if place < 3 {
			l.class = "lead"
		}
		rows = append(rows, l)
	}
	return heads, rows
}

// weekly has one row a week and one column an order, the best order first.
func weekly(r *state.Search, counted []int) ([]head, []line) {
	heads := []head{{"week", "Week", "", "", false}, {"jobs", "Jobs", "", "Jobs submitted in the week", false}}
	for place, c := range r.Ranked() {
		name := r.Orders[c]
		if place < 3 {
			name = "★ " + name
		}
		heads = append(heads, head{r.Orders[c], name, words.Number(r.Sums()[c], 1), orderHelp(r, c), false})
	}
	var rows []line
	for _, w := range counted {
		n := r.Weeks[w].Number
		l := line{cells: []any{strconv.Itoa(n), words.Int(r.Weeks[w].Jobs)}, raw: []string{strconv.Itoa(n), strconv.Itoa(r.Weeks[w].Jobs)}, order: []float64{float64(n), float64(r.Weeks[w].Jobs)}}
		sorted := slices.Clone(r.Pure.Row(w))
		slices.Sort(sorted)
		third := sorted[min(2, len(sorted)-1)]
		for _, c := range r.Ranked() {
			v := r.Pure.At(w, c)
			text := draw.HTML(`{}`, draw.Score(v))
			switch {
			case v == sorted[0] && sorted[0] < sorted[len(sorted)-1]:
				text = `<b class="best">` + text + `</b>`
			case v <= third && sorted[0] < sorted[len(sorted)-1]:
				text = `<b>` + text + `</b>`
			}
			l.cells, l.raw, l.order = append(l.cells, text), append(l.raw, plain(v)), append(l.order, v)
		}
		rows = append(rows, l)
	}
	total := line{cells: []any{"Sum", ""}, raw: []string{"sum", ""}, order: []float64{0, 0}, foot: true, class: "total"}
	for _, c := range r.Ranked() {
		total.cells, total.raw, total.order = append(total.cells, words.Number(r.Sums()[c], 2)), append(total.raw, plain(r.Sums()[c])), append(total.order, 0)
	}
	return heads, append(rows, total)
}

// newLearn is the table of ways to choose weights (table 2).
func newLearn(h *draw.Host) draw.Island {
	s := newSheet(h, "learning", "Can last week’s weights serve tomorrow?")
	s.build = func() ([]head, []line, string) {
		r := h.Store.SearchNow()
		if r == nil || len(r.Weeks) == 0 {
			return nil, nil, noSearch
		}
		list := r.Strategies()
		if len(list) == 0 {
			return nil, nil, "The first weeks are being simulated."
		}
		train, test := r.SplitName()
		s.Sub.Set("textContent", "sums over weeks; order by testing weeks")
		heads := []head{{"policy", "Policy", "", "How the order of each week is chosen", true}, {"training", "Training", r.Called() + "s " + train, "Sum of the weekly mean bounded slowdowns", false},
			{"testing", "Testing", r.Called() + "s " + test, "Sum of the weekly mean bounded slowdowns", false}, {"saf", "to SAF", "testing", "Difference to SAF over the testing weeks", false}, {"fcfs", "to FCFS", "testing", "Gain over FCFS in the testing weeks, as in table 2", false}}
		ref := map[string]float64{}
		for _, x := range list {
			ref[x.Key] = x.Test
		}
		colours := drawn(r)
		var rows []line
		for i, x := range list {
			mark := draw.Markup(`<svg class="bl-mark" width="20" height="8" aria-hidden="true"></svg>`)
			if c, ok := colours[x.Key]; ok {
				mark = draw.Mark(c)
			}
			name := draw.HTML(`{}<span title="{}">{}</span>`, mark, x.Help, x.Name)
			if x.Ours {
				name += ` <span class="bl-tag" title="Not in the study">ours</span>`
			}
			if x.None > 0 {
				name += draw.HTML(` <span class="mut" title="Weeks without a choice count nothing">−{}</span>`, r.Count(x.None))
			}
			l := line{cells: []any{name, words.Number(x.Train, 2), words.Number(x.Test, 2)}, raw: []string{x.Name, plain(x.Train), plain(x.Test)}, order: []float64{float64(i), x.Train, x.Test}}
			if math.IsNaN(x.Train) {
				l.cells[1] = words.None
			}
			if math.IsNaN(x.Test) {
				l.cells[2] = words.None
			}
			for _, key := range []string{"saf", "fcfs"} {
				d := x.Test/ref[key] - 1
				text := draw.HTML(`{}`, draw.Difference(x.Test, ref[key]))
				switch {
				case x.Key == key:
					text = `<span class="mut">` + words.None + `</span>`
				case d < 0 && text != "":
					text = `<span class="good">` + text + `</span>`
				case d > 0 && text != "":
					text = `<span class="bad">` + text + `</span>`
				}
				l.cells, l.raw, l.order = append(l.cells, text), append(l.raw, plain(d)), append(l.order, d)
			}
			if !x.Pure {
				l.class = "mixed"
			}
			rows = append(rows, l)
		}
		return heads, rows, ""
	}
	return s
}
