package paper

import (
	"math"
	"slices"
	"strings"

	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// rowLine is the height of a line of a name.
const rowLine = 14.0

// rowFrame is the place of a chart whose rows have names at the left: whole ones, on as
// many lines as they take.
type rowFrame struct {
	box   draw.Box
	names [][]string // by row, their lines
	top   []float64  // by row, and behind them the bottom of the last
	x     func(v float64) float64
}

// newRows lays rows out in a width, for values between low and high.
func newRows(p *draw.Pen, names []string, w, top, least, low, high float64) *rowFrame {
	if low > 0 && low < .6*high {
		low = 0
	}
	if high < 0 && high > .6*low {
		high = 0
	}
	if high <= low {
		low, high = min(low, 0), max(high, low+1)
	}
	longest := 0.0
	for _, name := range names {
		longest = max(longest, draw.TextWidth(name))
	}
	const right = 30
	left := min(longest+16, max(w*.45, 90))
	f := &rowFrame{top: []float64{top}}
	for _, name := range names {
		lines := wrapped(name, left-14)
		f.names = append(f.names, lines)
		f.top = append(f.top, f.top[len(f.top)-1]+max(least, rowLine*float64(len(lines))+8))
	}
	f.box = draw.Box{X: left, Y: top, W: w - left - right, H: f.top[len(names)] - top}
	step := draw.RoundUp((high - low) / max(2, math.Floor(f.box.W/70)))
	from, to := math.Floor(low/step)*step, math.Ceil(high/step)*step
	if from == low && low != 0 { // no mark on the edge
		from -= step
	}
	if to == high && high != 0 {
		to += step
	}
	digits := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	f.x = func(v float64) float64 { return f.box.X + (v-from)/(to-from)*f.box.W }
	for v := from; v <= to+step/2; v += step {
		at := math.Round(v/step) * step
		colour := "grid"
		if at == 0 {
			colour = "line-3"
		}
		p.Line(draw.Crisp(f.x(at)), f.box.Y, draw.Crisp(f.x(at)), f.box.Bottom(), colour)
		p.Text(f.x(at), f.box.Bottom()+16, words.Number(at, digits), "middle", "")
	}
	for i, lines := range f.names {
		y := f.middle(i)
		p.Line(f.box.X, draw.Crisp(y), f.box.Right(), draw.Crisp(y), "grid")
		for k, line := range lines {
			p.Text(f.box.X-8, y+4+rowLine*(float64(k)-float64(len(lines)-1)/2), line, "end", "k2")
		}
	}
	return f
}

// middle is where the marks of a row stand.
func (f *rowFrame) middle(i int) float64 { return (f.top[i] + f.top[i+1]) / 2 }

// wrapped breaks a name into lines of a width at its blanks. A word that is wider
// stands on a line of its own.
func wrapped(name string, width float64) (lines []string) {
	for word := range strings.FieldsSeq(name) {
		if n := len(lines); n > 0 && draw.TextWidth(lines[n-1]+" "+word) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	if lines == nil {
		lines = []string{""}
	}
	return lines
}

// legend writes the names of columns with their colours, on as many lines as they
// take, and returns where it ends.
func legend(p *draw.Pen, columns []string, left, w float64) (bottom float64) {
	x, y := left, 10.0
	for c, name := range columns {
		wide := 34 + draw.TextWidth(name)
		if x > left && x+wide > w-8 {
			x, y = left, y+18
		}
		p.Path("M"+draw.Num(x)+" "+draw.Num(y)+"h16", draw.SeriesVar(c), "2", draw.Dash(c), "none", "")
		p.Text(x+20, y+4, name, "", "k2")
		x += wide
	}
	return y + 14
}

// ordered reports whether lines lead from label to label.
func ordered(labels []string) bool {
	for i := 1; i < len(labels); i++ {
		if follows(labels[i-1], labels[i]) {
			return true
		}
	}
	return false
}

// studyRows draws what is in no order: a row for each label, with a dot for each column,
// or a box plot.
func studyRows(points []StudyPoint, labels, columns []string, unit string, w float64) draw.Drawing {
	box := slices.Contains(columns, "median") && slices.Contains(columns, "lower quartile")
	at := func(label, column string) *StudyPoint {
		if k := slices.IndexFunc(points, func(q StudyPoint) bool { return q.Label == label && q.Column == column }); k >= 0 {
			return &points[k]
		}
		return nil
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range points {
		if q := &points[i]; slices.Contains(columns, q.Column) {
			h := q.Half
			if !(h > 0) || math.IsInf(h, 0) {
				h = 0
			}
			low, high = min(low, q.Value-h), max(high, q.Value+h)
		}
	}
	var p draw.Pen
	top, least := 8.0, 24.0
	if !box && len(columns) > 1 {
		top, least = legend(&p, columns, 8, w), max(least, 9*float64(len(columns))+6)
	}
	f := newRows(&p, labels, w, top, least, low, high)
	for i, label := range labels {
		y := f.middle(i)
		if box {
			f.boxPlot(&p, y, func(column string) (float64, bool) {
				if q := at(label, column); q != nil {
					return q.Value, true
				}
				return 0, false
			})
			continue
		}
		for c, column := range columns {
			q := at(label, column)
			if q == nil {
				continue
			}
			y, colour := y+9*(float64(c)-float64(len(columns)-1)/2), draw.SeriesVar(c)
			if q.Half > 0 && !math.IsInf(q.Half, 0) {
				a, b := f.x(q.Value-q.Half), f.x(q.Value+q.Half)
				p.Path("M"+draw.Num(a)+" "+draw.Num(y)+"H"+draw.Num(b)+"M"+draw.Num(a)+" "+draw.Num(y-3)+"v6M"+draw.Num(b)+" "+draw.Num(y-3)+"v6", colour, "1.2", "", "none", "")
			}
			value := q.Value
			p.Put(`<circle cx="{}" cy="{}" r="4" fill="{}"><title>{}</title></circle>`, f.x(value), y, colour, label+", "+column+": "+Value(&value, unit))
		}
	}
	high = f.box.Bottom() + 24
	if unit != "" {
		p.Text(f.box.X+f.box.W/2, f.box.Bottom()+32, unit, "middle", "")
		high += 16
	}
	return draw.Drawing{W: w, H: high, SVG: p.Markup()}
}

// boxPlot draws a box plot along a row.
func (f *rowFrame) boxPlot(p *draw.Pen, y float64, value func(column string) (float64, bool)) {
	var at [len(boxParts)]float64
	for i, part := range boxParts {
		v, ok := value(part)
		if !ok {
			return
		}
		at[i] = f.x(v)
	}
	p.Path("M"+draw.Num(at[0])+" "+draw.Num(y)+"H"+draw.Num(at[1])+"M"+draw.Num(at[3])+" "+draw.Num(y)+"H"+draw.Num(at[4]), "var(--ink-2)", "1", "", "none", "")
	p.Rect(at[1], y-7, at[3]-at[1], 14, "var(--s1)", `fill-opacity=".3" stroke="var(--s1)"`)
	p.Path("M"+draw.Num(at[2])+" "+draw.Num(y-7)+"v14", "var(--ink)", "2", "", "none", "")
	if mean, ok := value("mean"); ok {
		p.Put(`<circle cx="{}" cy="{}" r="3" fill="var(--s2)"/>`, f.x(mean), y)
	}
}
