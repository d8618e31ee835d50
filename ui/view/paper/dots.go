package paper

import (
	"math"
	"slices"
	"strings"

	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// Dots is one chart of a table: a measure, with a line for each of its rows.
type Dots struct {
	Title, Unit string
	Rows        []engine.StudyRow // labels are the lines' names
}

// shape says which part of labels and columns is what in a table with printed
// values: columns like "MCT, mean F" have two parts, of which one may be a reading
// (what the paper prints stands beside all of them).
type shape struct {
	crossed bool                                     // columns have two parts
	reading func(row *engine.StudyRow) string        // nil: there is one reading
	measure func(row *engine.StudyRow) string        // names the chart
	line    func(row *engine.StudyRow, n int) string // names the line, of n labels
}

func first(row *engine.StudyRow) string {
	a, _, _ := cutLast(row.Column)
	return a
}

func second(row *engine.StudyRow) string {
	_, b, _ := cutLast(row.Column)
	return b
}

func cutLast(column string) (a, b string, ok bool) {
	i := strings.LastIndex(column, ", ")
	if i < 0 {
		return column, "", false
	}
	return column[:i], column[i+2:], true
}

func label(row *engine.StudyRow) string { return row.Label }

// printed are the rows that the paper has a value for.
func printed(rows []engine.StudyRow) (list []*engine.StudyRow) {
	for i := range rows {
		if rows[i].Paper != nil {
			list = append(list, &rows[i])
		}
	}
	return list
}

// shapeOf finds the shape of a table.
func shapeOf(rows []engine.StudyRow) shape {
	list := printed(rows)
	plain := shape{measure: func(r *engine.StudyRow) string { return r.Column }, line: func(r *engine.StudyRow, _ int) string { return r.Label }}
	seconds, firsts := map[string]string{}, map[string]string{}
	wideA, wideB := false, false
	for _, r := range list {
		a, b, ok := cutLast(r.Column)
		if !ok {
			return plain
		}
		wideA = wideA || firsts[b] != "" && firsts[b] != a
		wideB = wideB || seconds[a] != "" && seconds[a] != b
		firsts[b], seconds[a] = a, b
	}
	if !wideA || !wideB {
		return plain
	}
	s := shape{crossed: true, measure: second, line: func(r *engine.StudyRow, _ int) string { return first(r) }}
	switch {
	case alike(list, label, first):
		s.reading, s.measure, s.line = second, first, plain.line
	case alike(list, label, second):
		s.reading, s.line = first, plain.line
	case alike(list, first, second):
		s.reading = label
	default:
		s.line = func(r *engine.StudyRow, n int) string {
			if n < 2 {
				return first(r)
			}
			return r.Label + " · " + first(r)
		}
	}
	return s
}

// alike reports whether printed values are the same wherever two parts are,
// whatever the third is, and whether there is more than one of these.
func alike(list []*engine.StudyRow, x, y func(*engine.StudyRow) string) bool {
	values, twice := map[string]float64{}, false
	for _, r := range list {
		key := x(r) + "\x00" + y(r)
		v, there := values[key]
		if there && v != *r.Paper {
			return false
		}
		twice = twice || there
		values[key] = *r.Paper
	}
	return twice
}

// Readings are the ways in which a table was read that the paper prints one value
// for; nil for a single one. The second result is the one that claims quote most.
func Readings(rows, quoted []engine.StudyRow) (list []string, usual string) {
	s := shapeOf(rows)
	if s.reading == nil {
		return nil, ""
	}
	count := map[string]int{}
	for _, r := range printed(rows) {
		if name := s.reading(r); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for i := range quoted {
		count[s.reading(&quoted[i])]++
	}
	usual = list[0]
	for _, name := range list {
		if count[name] > count[usual] {
			usual = name
		}
	}
	return list, usual
}

// InReading are the rows of a table in one reading.
func InReading(rows []engine.StudyRow, reading string) []engine.StudyRow {
	s := shapeOf(rows)
	if s.reading == nil {
		return rows
	}
	var list []engine.StudyRow
	for i := range rows {
		if s.reading(&rows[i]) == reading {
			list = append(list, rows[i])
		}
	}
	return list
}

// mostDots bounds the lines of a chart.
const mostDots = 60

// DotsOf are the charts of a table with printed values in one reading, at most
// as many as there is room for.
func DotsOf(rows []engine.StudyRow, reading string) (list []Dots) {
	s := shapeOf(rows)
	var labels []string
	for _, r := range printed(rows) {
		if !slices.Contains(labels, r.Label) {
			labels = append(labels, r.Label)
		}
	}
	for _, r := range printed(rows) {
		if title := s.measure(r); !slices.ContainsFunc(list, func(d Dots) bool { return d.Title == title && d.Unit == r.Unit }) {
			list = append(list, Dots{Title: title, Unit: r.Unit})
		}
	}
	for i := range rows {
		r := &rows[i]
		_, _, two := cutLast(r.Column)
		if strings.Contains(r.Column, " − ") || s.crossed && !two || s.reading != nil && s.reading(r) != reading {
			continue
		}
		for k := range list {
			if d := &list[k]; d.Title == s.measure(r) && d.Unit == r.Unit && len(d.Rows) < mostDots {
				one := *r
				one.Label = s.line(r, len(labels))
				d.Rows = append(d.Rows, one)
			}
		}
	}
	list = slices.DeleteFunc(list, func(d Dots) bool { return len(printed(d.Rows)) == 0 })
	return list[:min(len(list), mostStudyCharts)]
}

// Measures of a chart of dots in page pixels.
const (
	dotLine = 24.0
	dotTop  = 8.0
)

// Draw draws the printed values as rings and ours as dots with their intervals.
// Ours of other jobs than the paper's are grey.
func (d *Dots) Draw(w float64, other bool) draw.Figure {
	low, high := math.Inf(1), math.Inf(-1)
	take := func(v float64) { low, high = min(low, v), max(high, v) }
	width := func(r *engine.StudyRow) float64 {
		if r.Half == nil {
			return 0
		}
		return half(*r.Half)
	}
	var names []string
	g := draw.Grid{Head: []string{"Row", "Published", "Here", "±"}, Left: 1, Units: []string{"row", "published", "here", "half_interval_95"}}
	for i := range d.Rows {
		r := &d.Rows[i]
		if r.Paper != nil {
			take(*r.Paper)
		}
		if r.Ours != nil {
			take(*r.Ours - width(r))
			take(*r.Ours + width(r))
		}
		names = append(names, r.Label)
		g.Cells = append(g.Cells, []string{r.Label, Value(r.Paper, d.Unit), Value(r.Ours, d.Unit), Value(r.Half, "")})
		g.Raw = append(g.Raw, []string{r.Label, raw(r.Paper), raw(r.Ours), raw(r.Half)})
	}
	f, rows := newRows(names, w, dotTop, dotLine, low, high)
	rings, bars, dots := draw.Layer{Shape: draw.Dots, Size: 11, Hollow: true, Fill: "var(--ink)"}, draw.Layer{Shape: draw.Whiskers, Flat: true}, draw.Layer{Shape: draw.Dots, Size: 9}
	if other {
		bars.Series, dots.Series = -1, -1
	}
	var says [3][]string
	for i := range d.Rows {
		if r := &d.Rows[i]; r.Ours != nil {
			bars.X, bars.Low, bars.High = append(bars.X, rows[i]), append(bars.Low, *r.Ours-width(r)), append(bars.High, *r.Ours+width(r))
			dots.X, dots.Y = append(dots.X, *r.Ours), append(dots.Y, rows[i])
			says[2] = append(says[2], r.Label+", here: "+Value(r.Ours, d.Unit))
		}
		if r := &d.Rows[i]; r.Paper != nil {
			rings.X, rings.Y = append(rings.X, *r.Paper), append(rings.Y, rows[i])
			says[0] = append(says[0], r.Label+", published: "+Value(r.Paper, d.Unit))
		}
	}
	f.Layers = []draw.Layer{rings, bars, dots}
	f.Say = func(_ float64, layer, item int) draw.Markup {
		if layer < 0 {
			return ""
		}
		return draw.HTML(`{}`, says[layer][item])
	}
	f.Aria, f.Table = Title(d.Title)+": "+Sentence(d.Rows, other), g
	return f
}

func raw(v *float64) string {
	if v == nil {
		return ""
	}
	return draw.PlainNumber(*v)
}

// Value writes a number with its unit.
func Value(v *float64, unit string) string {
	if v == nil {
		return words.None
	}
	text := words.Plain(*v)
	if a := math.Abs(*v); a > 0 && a < 1 {
		text = words.Number(*v, 3)
	}
	if unit != "" {
		text += words.NB + unit
	}
	return text
}

// tenth is how far ours may be from a printed value and still count as near.
const tenth = .1

// Off is by how much ours differs from what is printed, as a share of that; ok is
// false where one of them is missing or the printed value is 0.
func Off(r *engine.StudyRow) (off float64, ok bool) {
	if r.Ours == nil || r.Paper == nil || *r.Paper == 0 {
		return 0, false
	}
	return (*r.Ours - *r.Paper) / math.Abs(*r.Paper), true
}

// Sentence says how ours stand to what is printed; other: ours are of other jobs
// or of a smaller version, and say nothing of the paper's.
func Sentence(rows []engine.StudyRow, other bool) string {
	n, near, furthest, most := 0, 0, -1, 0.0
	list := printed(rows)
	for i, r := range list {
		off, ok := Off(r)
		if !ok {
			continue
		}
		if n++; math.Abs(off) <= tenth {
			near++
		}
		if math.Abs(off) > most {
			furthest, most = i, math.Abs(off)
		}
	}
	all := words.Count(len(list), "printed value", "printed values")
	switch {
	case len(list) == 0:
		return "The paper prints no numbers here."
	case n == 0:
		return all + "; none of ours beside them yet."
	case other:
		return all + "; ours are of other jobs or of a smaller version, and cannot be held against them."
	}
	text := words.Int(near) + " of " + words.Count(n, "value of ours lies", "values of ours lie") + " within a tenth of the printed one"
	if n == 1 {
		text = "the one value of ours lies " + map[bool]string{true: "within a tenth of the printed one", false: "more than a tenth from the printed one"}[near == 1]
	}
	if n < len(list) {
		text += " (" + all + ")"
	}
	if furthest >= 0 && n > 1 {
		r := list[furthest]
		text += "; furthest is " + r.Label
		if r.Column != "" {
			text += ", " + r.Column
		}
		text += ": " + Value(r.Ours, r.Unit) + " against " + Value(r.Paper, r.Unit) + " (" + OffText(r) + ")"
	}
	return Title(text) + "."
}

// OffText is by how much ours differs from what is printed: in per cent of that, or
// in points where both are percentages.
func OffText(r *engine.StudyRow) string {
	off, ok := Off(r)
	switch {
	case !ok:
		return words.None
	case r.Unit == "%":
		return words.Signed(*r.Ours-*r.Paper, words.Plain) + words.NB + "points"
	}
	return percent(off)
}

// percent writes a share with its sign: "+12 %".
func percent(share float64) string {
	if math.Abs(share) < .005 {
		return "0" + words.NB + "%"
	}
	return words.Signed(100*share, func(v float64) string { return words.Number(v, 0) }) + words.NB + "%"
}

// Title begins with a capital letter.
func Title(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' || len(s) > 1 && (s[1] == '_' || s[1] == '*') { // a name: w_train
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
