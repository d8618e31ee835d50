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
func Study(points []StudyPoint, unit string, w, h float64) draw.Drawing {
	out := draw.Drawing{W: w, H: h}
	points = slices.DeleteFunc(slices.Clone(points), func(p StudyPoint) bool {
		return math.IsNaN(p.Value) || strings.Contains(p.Column, " − ")
	})
	labels, columns := studyNames(points)
	if len(labels) < 2 || len(labels) > mostStudyPoints {
		return draw.Drawing{W: w, H: h, Empty: "These rows make no chart."}
	}
	box := slices.Contains(columns, "median") && slices.Contains(columns, "lower quartile")
	if !box {
		columns = columns[:min(len(columns), mostStudySeries)]
	}
	out.Aria = "Values of " + strings.Join(columns, ", ") + " over " + labels[0] + " to " + labels[len(labels)-1] + ", with 95 % intervals where there are repetitions."
	if box {
		out.Aria = "Box plot of " + strconv.Itoa(len(labels)) + " rows: the box holds the middle half, the line is the median, whiskers reach the smallest and the largest value, the dot is the mean."
	}
	if box || !ordered(labels) {
		d := studyRows(points, labels, columns, unit, w)
		d.Aria = out.Aria
		return d
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
		return draw.Drawing{W: w, H: h, Empty: "These rows make no chart."}
	}
	var p draw.Pen
	top := 14.0
	if len(columns) > 1 {
		top = legend(&p, columns, 58, w)
	}
	if unit != "" {
		top += 18
	}
	f := studyFrame{left: 58, right: 30, top: top, foot: 40, w: w, h: h, most: most * 1.05}
	f.axis(&p, unit)
	f.lines(&p, points, labels, columns)
	out.SVG = p.Markup()
	return out
}

// studyFrame is the place of a study's chart.
type studyFrame struct {
	left, right, top, foot, w, h float64
	most                         float64
}

func (f *studyFrame) y(v float64) float64 {
	return f.h - f.foot - max(0, v)/f.most*(f.h-f.top-f.foot)
}

// x is the middle of place i of n.
func (f *studyFrame) x(i, n int) float64 {
	return f.left + (float64(i)+.5)/float64(n)*(f.w-f.left-f.right)
}

func (f *studyFrame) axis(p *draw.Pen, unit string) {
	for i, t := range draw.LinearTicks(f.most, 5) {
		colour := "grid"
		if i == 0 {
			colour = "line-3"
		}
		p.Line(f.left, draw.Crisp(f.y(t.At)), f.w-f.right, draw.Crisp(f.y(t.At)), colour)
		p.Text(f.left-6, f.y(t.At)+4, t.Label, "end", "")
	}
	if unit != "" {
		p.Text(4, f.top-10, unit, "", "")
	}
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

// names writes the labels below the axis, as many as there is room for; what would reach
// beyond an edge ends there.
func (f *studyFrame) names(p *draw.Pen, labels []string) {
	short := shorten(labels)
	longest := 0
	for _, l := range short {
		longest = max(longest, len([]rune(l)))
	}
	room := (f.w - f.left - f.right) / float64(len(labels))
	step := max(1, int(math.Ceil((float64(longest)*6+8)/room)))
	reach := 0.0
	for i := 0; i < len(short); i += step {
		half := draw.TextWidth(short[i]) / 2
		x := max(2+half, min(f.x(i, len(short)), f.w-2-half))
		if x-half < reach {
			continue
		}
		reach = x + half
		p.Text(x, f.h-f.foot+15, short[i], "middle", "")
	}
	if common := strings.TrimSpace(strings.TrimSuffix(labels[0], short[0])); common != "" {
		p.Text((f.left+f.w-f.right)/2, f.h-4, common, "middle", "")
	}
}

func (f *studyFrame) lines(p *draw.Pen, points []StudyPoint, labels, columns []string) {
	f.names(p, labels)
	for c, column := range columns {
		colour := draw.SeriesVar(c)
		var d, bars strings.Builder
		up := false
		for i, label := range labels {
			k := slices.IndexFunc(points, func(q StudyPoint) bool { return q.Label == label && q.Column == column })
			if k < 0 {
				up = false
				continue
			}
			// Side by side, so that their bars can be told apart.
			x, y := f.x(i, len(labels))+(float64(c)-float64(len(columns)-1)/2)*3, f.y(points[k].Value)
			if up && follows(labels[i-1], label) {
				d.WriteString("L")
			} else {
				d.WriteString("M")
			}
			d.WriteString(draw.Num(x) + " " + draw.Num(y))
			up = true
			if q := points[k]; q.Half > 0 {
				a, b := f.y(q.Value+q.Half), f.y(q.Value-q.Half)
				bars.WriteString("M" + draw.Num(x) + " " + draw.Num(a) + "V" + draw.Num(b) + "M" + draw.Num(x-3) + " " + draw.Num(a) + "h6M" + draw.Num(x-3) + " " + draw.Num(b) + "h6")
			}
			p.Put(`<circle cx="{}" cy="{}" r="2.5" fill="{}"/>`, x, y, colour)
		}
		p.Path(d.String(), colour, "1.6", draw.Dash(c), "none", "")
		if bars.Len() > 0 {
			p.Path(bars.String(), colour, "1.2", "", "none", "")
		}
	}
}
