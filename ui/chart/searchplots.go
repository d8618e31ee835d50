package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/ui/words"
)

// OrderValues are the weekly values of a queue order.
type OrderValues struct {
	Name   string
	Values []float64 // mean bounded slowdown by week; NaN left out
	Top    bool      // one of the three best
}

// five are the numbers of a box plot: whiskers at the outermost values within
// 1.5 times the height of the box.
type five struct {
	low, q1, median, q3, high, mean float64
	out                             []float64
	n                               int
}

func summary(values []float64) (f five) {
	v := make([]float64, 0, len(values))
	for _, x := range values {
		if !math.IsNaN(x) {
			v = append(v, x)
			f.mean += x
		}
	}
	if f.n = len(v); f.n == 0 {
		return f
	}
	f.mean /= float64(f.n)
	slices.Sort(v)
	at := func(p float64) float64 { // linear between neighbours
		k := p * float64(len(v)-1)
		i := int(k)
		if i+1 == len(v) {
			return v[i]
		}
		return v[i] + (v[i+1]-v[i])*(k-float64(i))
	}
	f.q1, f.median, f.q3 = at(.25), at(.5), at(.75)
	reach := 1.5 * (f.q3 - f.q1)
	f.low, f.high = f.q1, f.q3
	for _, x := range v {
		if x < f.q1-reach || x > f.q3+reach {
			f.out = append(f.out, x)
			continue
		}
		f.low, f.high = min(f.low, x), max(f.high, x)
	}
	return f
}

// Boxes draws box plots of weekly values on a logarithmic axis, the least mean
// on top (figure 1).
func Boxes(orders []OrderValues, w, h float64) Drawing {
	out := Drawing{W: w, H: h}
	type row struct {
		o *OrderValues
		f five
	}
	var rows []row
	most := 2.0
	for i := range orders {
		if f := summary(orders[i].Values); f.n > 0 {
			rows = append(rows, row{&orders[i], f})
			most = max(most, f.high)
			for _, x := range f.out {
				most = max(most, x)
			}
		}
	}
	if len(rows) == 0 {
		out.Empty = "Box plots appear here as soon as weeks have been simulated."
		return out
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		switch {
		case a.f.mean < b.f.mean:
			return -1
		case a.f.mean > b.f.mean:
			return 1
		}
		return 0
	})
	left, right, top, foot := 52.0, 66.0, 18.0, 36.0
	base := h - foot
	span := math.Log(most * 1.08)
	x := func(v float64) float64 { return left + math.Log(max(1, v))/span*(w-left-right) }
	var p pen
	before := -100.0
	for _, v := range [...]float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000} {
		if v > most*1.08 || x(v)-before < 26 {
			continue
		}
		before = x(v)
		colour := "grid"
		if v == 1 {
			colour = "line-3"
		}
		p.line(crisp(x(v)), top, crisp(x(v)), base, colour)
		p.text(x(v), base+15, words.Plain(v), "middle", "")
	}
	p.text(w-14, 12, "mean", "end", "")
	p.text(left, h-5, "mean bounded slowdown of a week, log scale · box: half of the weeks · ◆ mean", "", "")
	rowH := (base - top) / float64(len(rows))
	out.Data = Grid{Head: []string{"Order", "Mean", "Median", "Half of the weeks", "Worst", "Weeks"}, Left: 1, Units: []string{"order", "mean", "median", "q1", "q3", "worst", "weeks"}}
	var said []string
	for i, r := range rows {
		mid := top + (float64(i)+.5)*rowH
		half := min(9, rowH*.34)
		fill, ink, class := "var(--line-2)", "var(--ink-3)", "k2 l"
		if r.o.Top {
			fill, ink, class = "var(--s1)", "var(--ink)", "k b l"
		}
		p.text(left-10, mid+4, r.o.Name, "end", class)
		f := &r.f
		p.path("M"+num(x(f.low))+" "+num(mid)+"H"+num(x(f.q1))+"M"+num(x(f.q3))+" "+num(mid)+"H"+num(x(f.high))+
			"M"+num(x(f.low))+" "+num(mid-half*.6)+"v"+num(half*1.2)+"M"+num(x(f.high))+" "+num(mid-half*.6)+"v"+num(half*1.2), ink, "1.2", "", "none", "")
		p.WriteString(`<g><title>` + Escape(r.o.Name+": mean "+Score(f.mean)+", median "+Score(f.median)+", half of the weeks "+Score(f.q1)+" to "+Score(f.q3)) + `</title>`)
		p.rect(x(f.q1), mid-half, max(1, x(f.q3)-x(f.q1)), 2*half, fill, `rx="1.5" stroke="`+ink+`"`)
		p.WriteString(`</g>`)
		p.path("M"+num(x(f.median))+" "+num(mid-half)+"v"+num(2*half), "var(--panel)", "3.4", "", "none", "")
		p.path("M"+num(x(f.median))+" "+num(mid-half)+"v"+num(2*half), "var(--ink)", "1.6", "", "none", "")
		var dots path
		for _, v := range f.out {
			dots.cmd('M', x(v)-1.6, mid)
			dots.b = append(dots.b, "a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0z"...)
		}
		if len(dots.b) > 0 {
			p.path(string(dots.b), "", "", "", ink, `fill-opacity=".75"`)
		}
		mx := x(f.mean)
		p.path("M"+num(mx-4)+" "+num(mid)+"l4 -4l4 4l-4 4z", "var(--panel)", "1", "", "var(--ink)", "")
		p.text(w-14, mid+4, Score(f.mean), "end", class)
		out.Data.Cells = append(out.Data.Cells, []string{r.o.Name, Score(f.mean), Score(f.median), Score(f.q1) + " – " + Score(f.q3), Score(max(f.high, maximum(f.out))), strconv.Itoa(f.n)})
		out.Data.Raw = append(out.Data.Raw, []string{r.o.Name, plainNumber(f.mean), plainNumber(f.median), plainNumber(f.q1), plainNumber(f.q3), plainNumber(max(f.high, maximum(f.out))), strconv.Itoa(f.n)})
		if i < 3 {
			said = append(said, r.o.Name+" "+Score(f.mean))
		}
	}
	out.SVG = p.String()
	out.Aria = "Weekly mean bounded slowdowns of " + words.Count(len(rows), "order", "orders") + ", the least mean first: " + strings.Join(said, ", ") + "."
	return out
}

func maximum(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return slices.Max(v)
}

// Course is a line of values week by week.
type Course struct {
	Name   string
	Series int // its colour and dash
	Values []float64
}

// Courses draws values week by week, or added up from the first week on
// (figure 3). from is the place of the first week in the lists, and split where
// the testing weeks begin; less than from: nowhere.
func Courses(list []Course, from, split int, added bool, w, h float64) Drawing {
	out := Drawing{W: w, H: h}
	n, most := 0, 0.0
	lines := make([][]float64, len(list))
	for i, c := range list {
		line := make([]float64, len(c.Values))
		sum := 0.0
		for k, v := range c.Values {
			line[k] = v
			if added {
				if !math.IsNaN(v) {
					sum += v
				}
				line[k] = sum
			}
			if !math.IsNaN(line[k]) {
				most = max(most, line[k])
			}
		}
		lines[i] = line
		n = max(n, len(line))
	}
	if n < 1 || most == 0 {
		out.Empty = "Lines appear here as soon as weeks have been simulated."
		return out
	}
	left, right, top, foot := 54.0, 22.0, 12.0, 34.0
	base := h - foot
	x := func(k int) float64 {
		if n == 1 {
			return left + (w-left-right)/2
		}
		return left + float64(k)/float64(n-1)*(w-left-right)
	}
	low := 0.0
	y := func(v float64) float64 { return base - (v-low)/(most*1.03-low)*(base-top) }
	if !added { // weekly values differ by orders of magnitude
		span := math.Log(most * 1.1)
		y = func(v float64) float64 { return base - math.Log(max(1, v))/span*(base-top) }
	}
	var p pen
	if split > from && split < from+n {
		sx := (x(split-from) + x(split-from-1)) / 2
		p.rect(sx, top, w-right-sx, base-top, "var(--sunken)", `opacity=".6"`)
		p.text(sx-6, top+11, "training", "end", "")
		p.text(sx+6, top+11, "testing", "", "")
	}
	if added {
		for _, t := range LinearTicks(most*1.03, 4) {
			colour := "grid"
			if t.At == 0 {
				colour = "line-3"
			}
			p.line(left, crisp(y(t.At)), w-right, crisp(y(t.At)), colour)
			p.text(left-8, y(t.At)+4, t.Label, "end", "")
		}
	} else {
		before := 1e9
		for _, v := range [...]float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000} {
			if v > most*1.1 || before-y(v) < 16 {
				continue
			}
			before = y(v)
			colour := "grid"
			if v == 1 {
				colour = "line-3"
			}
			p.line(left, crisp(y(v)), w-right, crisp(y(v)), colour)
			p.text(left-8, y(v)+4, words.Plain(v), "end", "")
		}
	}
	step := 1
	for _, s := range [...]int{1, 2, 5, 10, 20, 50, 100, 200, 500} {
		if step = s; float64(n)/float64(s)*34 <= w-left-right {
			break
		}
	}
	for k := range n {
		if number := from + k + 1; number%step == 0 || step == 1 {
			p.text(x(k), base+15, strconv.Itoa(number), "middle", "")
		}
	}
	note := "week · mean bounded slowdown, log scale"
	if added {
		note = "week · sum of mean bounded slowdowns from week " + strconv.Itoa(from+1) + " on"
	}
	p.text(left, h-4, note, "", "")
	for i := len(list) - 1; i >= 0; i-- {
		var q path
		pen := byte('M')
		for k, v := range lines[i] {
			if math.IsNaN(v) {
				pen = 'M'
				continue
			}
			q.cmd(pen, x(k), y(v))
			pen = 'L'
		}
		if len(q.b) > 0 {
			p.path(string(q.b), SeriesVar(list[i].Series), "1.8", Dash(list[i].Series), "none", "")
		}
	}
	out.SVG, out.Top, out.Foot = p.String(), top, base
	out.Data = Grid{Head: []string{"Week"}, Units: []string{"week"}}
	for _, c := range list {
		out.Data.Head, out.Data.Units = append(out.Data.Head, c.Name), append(out.Data.Units, c.Name)
	}
	for k := range n {
		cells, raw := []string{strconv.Itoa(from + k + 1)}, []string{strconv.Itoa(from + k + 1)}
		for i := range list {
			cells, raw = append(cells, Score(lines[i][k])), append(raw, plainNumber(lines[i][k]))
		}
		out.Data.Cells, out.Data.Raw = append(out.Data.Cells, cells), append(out.Data.Raw, raw)
	}
	out.Say = func(px float64) string {
		k := 0
		if n > 1 {
			k = int(math.Round((px - left) / (w - left - right) * float64(n-1)))
		}
		if px < left-8 || px > w-right+8 || k < 0 || k >= n {
			return ""
		}
		rows := ""
		for i, c := range list {
			rows += `<tr><td>` + Mark(c.Series) + Escape(c.Name) + `</td><td>` + Score(lines[i][k]) + `</td></tr>`
		}
		return `<b>week ` + strconv.Itoa(from+k+1) + `</b><table class="bl-tip">` + rows + `</table>`
	}
	var said []string
	for i, c := range list {
		if v := lines[i][n-1]; !math.IsNaN(v) {
			said = append(said, c.Name+" "+Score(v))
		}
	}
	what := "In week "
	if added {
		what = "Added up to week "
	}
	out.Aria = what + strconv.Itoa(from+n) + ": " + strings.Join(said, ", ") + "."
	return out
}

// Tries draws how the best of a week improved with the number of tries, beside
// levels to compare with.
func Tries(at []int, value []float64, total int, levels []Course, w, h float64) Drawing {
	out := Drawing{W: w, H: h}
	if len(at) == 0 {
		out.Empty = "xNES has not found anything in this week yet."
		return out
	}
	least, most := value[len(value)-1], value[0]
	for _, l := range levels {
		least, most = min(least, l.Values[0]), max(most, l.Values[0])
	}
	for _, v := range value {
		most = max(most, v)
	}
	pad := max((most-least)*.08, most*.01)
	low, high := max(0, least-pad), most+pad
	left, right, top, foot := 46.0, 92.0, 12.0, 34.0
	base := h - foot
	x := func(n float64) float64 { return left + n/float64(max(1, total))*(w-left-right) }
	y := func(v float64) float64 { return base - (v-low)/(high-low)*(base-top) }
	var p pen
	for i := range 4 {
		v := low + (high-low)*float64(i)/3
		p.line(left, crisp(y(v)), w-right, crisp(y(v)), map[bool]string{true: "line-3", false: "grid"}[i == 0])
		p.text(left-8, y(v)+4, Score(v), "end", "")
	}
	for _, t := range LinearTicks(float64(total), 3) {
		p.text(x(t.At), base+15, t.Label, "middle", "")
	}
	p.text(left, h-4, "tries", "", "")
	taken := []float64{}
	label := func(v float64, html, class string) {
		yy := y(v) + 4
		for _, t := range taken {
			if math.Abs(t-yy) < 13 {
				yy = t + 13
			}
		}
		taken = append(taken, yy)
		p.raw(w-right+8, yy, html, "", class)
	}
	var q path
	for i := range at {
		if i == 0 {
			q.cmd('M', x(float64(at[0])), y(value[0]))
			continue
		}
		q.cmd('H', x(float64(at[i])))
		q.cmd('V', y(value[i]))
	}
	q.cmd('H', x(float64(total)))
	last := value[len(value)-1]
	for _, l := range levels {
		p.path("M"+num(left)+" "+num(crisp(y(l.Values[0])))+"H"+num(w-right), "var(--ink-2)", "1", Dash(l.Series), "none", "")
	}
	p.path(string(q.b), SeriesVar(0), "2", "", "none", "")
	label(last, `xNES <tspan style="fill:var(--ink-3)">`+Score(last)+`</tspan>`, "k")
	out.Data = Grid{Head: []string{"Tries", "Best so far"}, Units: []string{"tries", "mean_bounded_slowdown"}}
	for i := range at {
		out.Data.Cells = append(out.Data.Cells, []string{words.Int(at[i]), Score(value[i])})
		out.Data.Raw = append(out.Data.Raw, []string{strconv.Itoa(at[i]), plainNumber(value[i])})
	}
	said := "xNES found " + Score(last) + " after " + words.Int(at[len(at)-1]) + " tries"
	for _, l := range levels {
		label(l.Values[0], Escape(l.Name)+` <tspan style="fill:var(--ink-3)">`+Score(l.Values[0])+`</tspan>`, "k2")
		said += "; " + l.Name + " " + Score(l.Values[0])
	}
	out.SVG, out.Aria = p.String(), said+"."
	return out
}

// WeightCourse draws the best weights of each week as bars up and down from a
// line for each feature.
func WeightCourse(weeks []int, weights [][]float64, w, h float64) Drawing {
	out := Drawing{W: w, H: h}
	d := 0
	for _, v := range weights {
		d = max(d, len(v))
	}
	if d == 0 {
		out.Empty = "The best weights of each week appear here."
		return out
	}
	names := []string{"q", "p̃", "wait", "ratio", "exp", "area"}[:d]
	left, right, top, foot := 48.0, 14.0, 6.0, 22.0
	rowH := (h - top - foot) / float64(d)
	slot := (w - left - right) / float64(len(weeks))
	var p pen
	for i, name := range names {
		mid := crisp(top + (float64(i)+.5)*rowH)
		p.text(left-10, mid+4, name, "end", "k2")
		p.line(left, mid, w-right, mid, "line-2")
		for k, v := range weights {
			if i >= len(v) || v[i] == 0 {
				continue
			}
			high := max(1, math.Abs(v[i])*rowH*.47)
			y, fill := mid-high, "var(--s1)"
			if v[i] < 0 {
				y, fill = mid, "var(--s2)"
			}
			p.WriteString(`<g><title>week ` + strconv.Itoa(weeks[k]) + `: ` + name + ` ` + words.Number(v[i], 2) + `</title>`)
			p.rect(left+slot*(float64(k)+.14), y, max(1, slot*.72), high, fill, "")
			p.WriteString(`</g>`)
		}
	}
	step := 1
	for _, s := range [...]int{1, 2, 5, 10, 20, 50, 100, 200, 500} {
		if step = s; float64(len(weeks))/float64(s)*30 <= w-left-right {
			break
		}
	}
	for k, n := range weeks {
		if n%step == 0 || step == 1 {
			p.text(left+slot*(float64(k)+.5), h-7, strconv.Itoa(n), "middle", "")
		}
	}
	out.Data = Grid{Head: append([]string{"Week"}, names...), Units: append([]string{"week"}, names...)}
	means := make([]float64, d)
	some := 0
	for k, v := range weights {
		if len(v) == 0 {
			continue
		}
		some++
		cells, raw := []string{strconv.Itoa(weeks[k])}, []string{strconv.Itoa(weeks[k])}
		for i, x := range v {
			means[i] += x
			cells, raw = append(cells, words.Number(x, 3)), append(raw, plainNumber(x))
		}
		out.Data.Cells, out.Data.Raw = append(out.Data.Cells, cells), append(out.Data.Raw, raw)
	}
	for i := range means {
		means[i] /= float64(max(1, some))
	}
	out.SVG = p.String()
	out.Aria = "Best weights of " + words.Count(some, "week", "weeks") + "; on average " + WeightWords(means) + "."
	return out
}

// WeightBars draws one set of weights as small bars, for a line of a table.
func WeightBars(v []float64) string {
	const each = 44.0
	var p pen
	w := each * float64(len(v))
	p.WriteString(`<svg class="bl-wbars" width="` + num(w) + `" height="18" viewBox="0 0 ` + num(w) + ` 18" role="img" aria-label="` + Escape(WeightWords(v)) + `">`)
	for i, x := range v {
		mid := crisp(each * (float64(i) + .5))
		p.path("M"+num(mid)+" 2v14", "var(--line-3)", "1", "", "none", "")
		wide := math.Abs(x) * each * .46
		if x < 0 {
			p.rect(mid-wide, 5, wide, 8, "var(--s2)", "")
		} else if x > 0 {
			p.rect(mid+.5, 5, wide, 8, "var(--s1)", "")
		}
	}
	p.WriteString(`</svg>`)
	return p.String()
}
