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

// newRows begins a figure of rows in a width, for values between low and high: an axis of
// values, and names at the left on as many lines as they take. It returns where the marks
// of each row stand; the vertical axis is one of page pixels.
func newRows(names []string, w, top, least, low, high float64) (f draw.Figure, rows []float64) {
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
	p := draw.Panel{Box: draw.Box{X: left, Y: top, W: w - left - right}, Y: draw.Axis{Min: top, Inverse: true}, Hold: true}
	y := top
	for _, name := range names {
		lines := wrapped(name, left-14)
		high := max(least, rowLine*float64(len(lines))+8)
		middle := y + high/2
		rows = append(rows, middle)
		p.Y.Ticks = append(p.Y.Ticks, draw.Tick{At: middle})
		for k, line := range lines {
			f.Text(left-8, middle+rowLine*(float64(k)-float64(len(lines)-1)/2), line, 'r', draw.ToneLabel)
		}
		y += high
	}
	p.Box.H, p.Y.Max = y-top, y
	step := draw.RoundUp((high - low) / max(2, math.Floor(p.Box.W/70)))
	p.X.Min, p.X.Max = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if p.X.Min == low && low != 0 { // no mark on the edge
		p.X.Min -= step
	}
	if p.X.Max == high && high != 0 {
		p.X.Max += step
	}
	digits := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	for v := p.X.Min; v <= p.X.Max+step/2; v += step {
		at := math.Round(v/step) * step
		p.X.Ticks = append(p.X.Ticks, draw.Tick{At: at, Label: words.Number(at, digits)})
	}
	f.Panels, f.W, f.H = []draw.Panel{p}, w, y+30
	return f, rows
}

// keys are the names of columns in a legend.
func keys(columns []string) (list []draw.Key) {
	for c, name := range columns {
		list = append(list, draw.Key{Series: c, Name: name})
	}
	return list
}

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
func studyRows(points []StudyPoint, labels, columns []string, unit string, w float64) draw.Figure {
	box := slices.Contains(columns, "median") && slices.Contains(columns, "lower quartile")
	at := func(label, column string) *StudyPoint {
		if k := slices.IndexFunc(points, func(q StudyPoint) bool { return q.Label == label && q.Column == column }); k >= 0 {
			return &points[k]
		}
		return nil
	}
	if box { // a label with other numbers, such as a place, has no box
		labels = slices.DeleteFunc(slices.Clone(labels), func(label string) bool {
			return slices.ContainsFunc(boxParts[:], func(part string) bool { return at(label, part) == nil })
		})
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range points {
		if q := &points[i]; slices.Contains(columns, q.Column) && slices.Contains(labels, q.Label) {
			h := half(q.Half)
			low, high = min(low, q.Value-h), max(high, q.Value+h)
		}
	}
	least := 24.0
	if !box && len(columns) > 1 {
		least = max(least, 9*float64(len(columns))+6)
	}
	f, rows := newRows(labels, w, 8, least, low, high)
	says := map[[2]int]string{} // of marks, by layer and item
	f.Say = func(_ float64, layer, item int) draw.Markup {
		if text := says[[2]int{layer, item}]; text != "" {
			return draw.HTML(`{}`, text)
		}
		return ""
	}
	if box {
		boxes, means := draw.Layer{Shape: draw.Boxes, Flat: true, Width: 14}, draw.Layer{Shape: draw.Dots, Series: 1, Size: 6}
		for i, label := range labels {
			var five [len(boxParts)]float64
			for k, part := range boxParts {
				five[k] = at(label, part).Value
			}
			says[[2]int{0, len(boxes.X)}] = label + ", median: " + Value(&five[2], unit)
			boxes.X, boxes.Fives = append(boxes.X, rows[i]), append(boxes.Fives, five)
			if q := at(label, "mean"); q != nil {
				means.X, means.Y = append(means.X, q.Value), append(means.Y, rows[i])
			}
		}
		f.Layers = []draw.Layer{boxes, means}
	} else if len(columns) > 1 {
		f.Keys = keys(columns)
	}
	for c, column := range columns {
		if box {
			break
		}
		bars, dots := draw.Layer{Shape: draw.Whiskers, Series: c, Flat: true}, draw.Layer{Shape: draw.Dots, Series: c, Size: 8}
		for i, label := range labels {
			q := at(label, column)
			if q == nil {
				continue
			}
			y, h, value := rows[i]+9*(float64(c)-float64(len(columns)-1)/2), half(q.Half), q.Value
			says[[2]int{len(f.Layers) + 1, len(dots.X)}] = label + ", " + column + ": " + Value(&value, unit)
			bars.X, bars.Low, bars.High = append(bars.X, y), append(bars.Low, value-h), append(bars.High, value+h)
			dots.X, dots.Y = append(dots.X, value), append(dots.Y, y)
		}
		f.Layers = append(f.Layers, bars, dots)
	}
	if unit != "" {
		f.Text(f.Panels[0].Box.X+f.Panels[0].Box.W/2, f.H-2, unit, 'c', draw.ToneAxis)
		f.H += 12
	}
	return f
}

// half is half the width of an interval, 0 where there is none.
func half(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 0
	}
	return v
}
