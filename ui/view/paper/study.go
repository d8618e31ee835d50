package paper

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/ui/draw"
)

// StudyPoint is one number of a study's table or figure.
type StudyPoint struct {
	Label, Column string
	Value, Half   float64 // NaN: there is none
	Paper         float64 // NaN: there is none
	Unit          string
}

// StudyGroup is what one chart of a figure shows: numbers of one unit.
type StudyGroup struct {
	Title, Unit string // Title "" where the figure has one chart only
	Points      []StudyPoint
}

// mostStudyCharts bounds the charts of a figure.
const mostStudyCharts = 6

// StudyGroups puts the rows of a figure into charts. Numbers of different units
// never share one, nor do columns of which one would flatten the other. Columns
// that differ in a number alone, as "waits of at most 60 s" and "… 600 s", make
// a chart of their own with that number along the axis and a line for each
// label, and so do the columns of a single label.
func StudyGroups(points []StudyPoint) []StudyGroup {
	var list []StudyGroup
	for _, p := range points {
		if math.IsNaN(p.Value) || strings.Contains(p.Column, " − ") {
			continue
		}
		k := slices.IndexFunc(list, func(g StudyGroup) bool { return g.Unit == p.Unit })
		if k < 0 {
			k = len(list)
			list = append(list, StudyGroup{Unit: p.Unit})
		}
		list[k].Points = append(list[k].Points, p)
	}
	var out []StudyGroup
	for _, g := range list {
		out = append(out, g.split()...)
	}
	out = slices.DeleteFunc(out, func(g StudyGroup) bool { return Study(g.Points, g.Unit, 640, 280).Empty != "" })
	out = out[:min(len(out), mostStudyCharts)]
	if len(out) == 1 {
		out[0].Title = ""
	}
	return out
}

// split takes apart what does not belong into one chart.
func (g *StudyGroup) split() []StudyGroup {
	labels, columns := studyNames(g.Points)
	if slices.Contains(columns, "median") && slices.Contains(columns, "lower quartile") {
		return []StudyGroup{*g}
	}
	like, most := map[string]int{}, map[string]float64{}
	for _, c := range columns {
		like[family(c)]++
	}
	for _, p := range g.Points {
		most[p.Column] = max(most[p.Column], math.Abs(p.Value))
	}
	ordered := slices.ContainsFunc(labels[1:], func(l string) bool { return follows(labels[0], l) })
	var bins [][]string // columns that share a chart
	for _, c := range columns {
		fits := func(other string) bool {
			if !ordered && (like[family(c)] > 2 || like[family(other)] > 2) {
				return family(c) == family(other)
			}
			return most[c] <= 20*most[other] && most[other] <= 20*most[c]
		}
		if k := slices.IndexFunc(bins, func(bin []string) bool { return fits(bin[0]) }); k >= 0 {
			bins[k] = append(bins[k], c)
		} else {
			bins = append(bins, []string{c})
		}
	}
	var out []StudyGroup
	for _, bin := range bins {
		one := StudyGroup{Title: strings.Join(bin[:min(len(bin), 3)], ", "), Unit: g.Unit}
		for _, p := range g.Points {
			if slices.Contains(bin, p.Column) {
				one.Points = append(one.Points, p)
			}
		}
		here, _ := studyNames(one.Points)
		if turn := len(bin) > 2 && !ordered && like[family(bin[0])] > 2; turn || len(here) == 1 && len(bin) > 1 {
			for i := range one.Points {
				one.Points[i].Label, one.Points[i].Column = one.Points[i].Column, one.Points[i].Label
			}
			if one.Title = ""; turn {
				one.Title = strings.ReplaceAll(family(bin[0]), "#", "…")
			}
		}
		out = append(out, one)
	}
	return out
}

// studyNames are the labels and the columns of points, each once.
func studyNames(points []StudyPoint) (labels, columns []string) {
	for _, p := range points {
		if !slices.Contains(labels, p.Label) {
			labels = append(labels, p.Label)
		}
		if !slices.Contains(columns, p.Column) {
			columns = append(columns, p.Column)
		}
	}
	return labels, columns
}

// family is a name with # for each of its numbers.
func family(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < '0' || c > '9' {
			b.WriteByte(c)
			continue
		}
		for i+1 < len(name) && (name[i+1] >= '0' && name[i+1] <= '9' || name[i+1] == '.' && i+2 < len(name) && name[i+2] >= '0' && name[i+2] <= '9') {
			i++
		}
		b.WriteByte('#')
	}
	return b.String()
}

// follows says whether a line leads from one label to another: both have the
// same words behind their last number, which grows.
func follows(from, to string) bool {
	a, endA := lastNumber(from)
	b, endB := lastNumber(to)
	return b > a && from[endA:] == to[endB:]
}

// lastNumber returns the last number of a text and where it ends; NaN without one.
func lastNumber(s string) (v float64, end int) {
	end = strings.LastIndexAny(s, "0123456789") + 1
	start := end
	for start > 0 && (s[start-1] >= '0' && s[start-1] <= '9' || s[start-1] == '.') {
		start--
	}
	v, err := strconv.ParseFloat(s[start:end], 64)
	if err != nil {
		return math.NaN(), end
	}
	return v, end
}

// boxParts are the columns of a box plot, in the order of quartiles.
var boxParts = [...]string{"least", "lower quartile", "median", "upper quartile", "most"}

// mostStudySeries and mostStudyPoints bound what a study's chart shows.
const (
	mostStudySeries = 8
	mostStudyPoints = 200
)

// Study draws the rows of a chart: a box plot where they are quartiles, else dots
// with error bars, which lines join where their labels' last numbers grow.
// Rows of differences (a column with a minus sign) are left to the table. Empty
// says that there is nothing to draw.
func Study(points []StudyPoint, unit string, w, h float64) draw.Figure {
	empty := draw.Figure{W: w, H: h, Empty: "These rows make no chart."}
	points = slices.DeleteFunc(slices.Clone(points), func(p StudyPoint) bool {
		return math.IsNaN(p.Value) || strings.Contains(p.Column, " − ")
	})
	labels, columns := studyNames(points)
	if len(labels) < 2 || len(labels) > mostStudyPoints {
		return empty
	}
	box := slices.Contains(columns, "median") && slices.Contains(columns, "lower quartile")
	if !box {
		columns = columns[:min(len(columns), mostStudySeries)]
	}
	aria := "Values of " + strings.Join(columns, ", ") + " over " + labels[0] + " to " + labels[len(labels)-1] + ", with 95 % intervals where there are repetitions."
	if box {
		aria = "Box plot of " + strconv.Itoa(len(labels)) + " rows: the box holds the middle half, the line is the median, whiskers reach the smallest and the largest value, the dot is the mean."
	}
	if box || !ordered(labels) {
		f := studyRows(points, labels, columns, unit, w)
		f.Aria = aria
		return f
	}
	most := 0.0
	for _, p := range points {
		if v := p.Value + max(0, p.Half); !math.IsInf(v, 0) && v == v {
			most = max(most, v)
		} else {
			most = max(most, p.Value)
		}
	}
	if most <= 0 {
		return empty
	}
	f := draw.Figure{W: w, H: h, Aria: aria}
	top := 14.0
	if len(columns) > 1 {
		f.Keys = keys(columns)
	}
	if unit != "" {
		f.Text(4, top-4, unit, 'l', draw.ToneAxis)
		top += 18
	}
	p := draw.Panel{Box: draw.Box{X: 58, Y: top, W: w - 88, H: h - top - 40}, X: draw.Axis{Names: shorten(labels), Hidden: true}, Y: draw.Axis{Max: most * 1.05, Ticks: draw.LinearTicks(most*1.05, 5)}}
	f.Panels = []draw.Panel{p}
	below(&f, labels)
	for c, column := range columns {
		line := draw.Layer{Shape: draw.Line, Series: c, Name: column, Width: 1.6, Size: 5}
		bars := draw.Layer{Shape: draw.Whiskers, Series: c, Name: column}
		for i, label := range labels {
			k := slices.IndexFunc(points, func(q StudyPoint) bool { return q.Label == label && q.Column == column })
			if k < 0 || len(line.X) > 0 && !follows(labels[i-1], label) {
				line.X, line.Y = append(line.X, math.NaN()), append(line.Y, math.NaN()) // no line leads there
			}
			if k < 0 {
				continue
			}
			// Side by side, so that their bars can be told apart.
			x, q := float64(i)+(float64(c)-float64(len(columns)-1)/2)*3/(p.Box.W/float64(len(labels))), points[k]
			line.X, line.Y = append(line.X, x), append(line.Y, max(0, q.Value))
			if h := half(q.Half); h > 0 {
				bars.X, bars.Low, bars.High = append(bars.X, x), append(bars.Low, max(0, q.Value-h)), append(bars.High, q.Value+h)
			}
		}
		f.Layers = append(f.Layers, bars, line)
	}
	f.Say = func(v float64, _, _ int) draw.Markup {
		label := labels[int(v)]
		var t draw.Tip
		for c, column := range columns {
			if k := slices.IndexFunc(points, func(q StudyPoint) bool { return q.Label == label && q.Column == column }); k >= 0 {
				t.Row(draw.HTML(`{}{}`, draw.Mark(c), column), Value(&points[k].Value, unit))
			}
		}
		return t.HTML(label)
	}
	return f
}

// shorten leaves out the words with which all labels begin, where numbers are left.
func shorten(labels []string) []string {
	short := slices.Clone(labels)
	if slices.ContainsFunc(labels, func(l string) bool { return !strings.ContainsAny(l, "0123456789") }) {
		return short
	}
	for {
		word, _, ok := strings.Cut(short[0], " ")
		if !ok || slices.ContainsFunc(short, func(l string) bool { return !strings.HasPrefix(l, word+" ") }) {
			return short
		}
		if strings.ContainsAny(word, "0123456789") {
			return short
		}
		for i := range short {
			short[i] = short[i][len(word)+1:]
		}
	}
}

// below writes the labels below the axis, as many as there is room for; what would reach
// beyond an edge ends there.
func below(f *draw.Figure, labels []string) {
	p := &f.Panels[0]
	short := p.X.Names
	longest := 0
	for _, l := range short {
		longest = max(longest, len([]rune(l)))
	}
	room := p.Box.W / float64(len(labels))
	step := max(1, int(math.Ceil((float64(longest)*6+8)/room)))
	reach := 0.0
	for i := 0; i < len(short); i += step {
		half := draw.TextWidth(short[i]) / 2
		x := max(2+half, min(p.PX(float64(i)), f.W-2-half))
		if x-half < reach {
			continue
		}
		reach = x + half
		f.Text(x, p.Box.Bottom()+11, short[i], 'c', draw.ToneAxis)
	}
	if common := strings.TrimSpace(strings.TrimSuffix(labels[0], short[0])); common != "" {
		f.Text(p.Box.X+p.Box.W/2, f.H-8, common, 'c', draw.ToneAxis)
	}
}
