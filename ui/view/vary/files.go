package vary

import (
	"math"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// tableRows is how many points the table shows; files hold all.
const tableRows = 1000

// Table lists the first points with the measures that are shown, for people.
func (d *Shown) Table() draw.Grid {
	g := draw.Grid{Left: len(d.Axes) + 1}
	for i := range d.Axes {
		g.Head = append(g.Head, d.Axes[i].Name)
	}
	g.Head = append(g.Head, "Scheduler")
	for i := range d.Measures {
		g.Head = append(g.Head, d.Measures[i].Row.Name)
	}
	if d.B >= 0 {
		g.Head = append(g.Head, words.Letter(d.A)+" − "+words.Letter(d.B)+" in the first")
	}
	for point := 0; point < d.Points && len(g.Cells) < tableRows; point++ {
		if !d.Begun(point) {
			continue
		}
		choice := d.choiceOf(point)
		for s := range d.Names {
			var row []string
			for k := range d.Axes {
				row = append(row, d.Axes[k].Value(choice[k]))
			}
			row = append(row, words.Letter(s)+" "+d.Names[s])
			for i := range d.Measures {
				m := &d.Measures[i]
				v, low, high := m.Mean(d, point, s)
				row = append(row, valueText(m.Row, v, low, high))
			}
			if d.B >= 0 {
				text := ""
				if s == d.A {
					diff := d.Measures[0].Diff(point)
					text = d.gap(&d.Measures[0], &diff)
				}
				row = append(row, text)
			}
			g.Cells = append(g.Cells, row)
		}
	}
	return g
}

// CSVHead is the first line of the file of all points: a column for each axis,
// the scheduler, and mean, the ends of its 95 % interval and number of different
// runs of each measure that is shown, with the paired differences to the scheduler
// that is compared with, and the typical quotient − 1 (−0.5: half of it), with ends. Where
// values are of phases, further columns hold what is least and greatest, and no interval.
func (d *Shown) CSVHead(paths []string) string {
	var list []string
	list = append(list, paths...)
	list = append(list, "scheduler", "label")
	for i := range d.Measures {
		key := d.Measures[i].Row.Key
		list = append(list, key, key+"-low-95", key+"-high-95", key+"-runs")
		if d.B >= 0 {
			list = append(list, key+"-difference", key+"-difference-low-95", key+"-difference-high-95", key+"-pairs", key+"-relative", key+"-relative-low-95", key+"-relative-high-95")
		}
		if d.Phases() > 0 {
			list = append(list, key+"-least", key+"-greatest")
			if d.B >= 0 {
				list = append(list, key+"-difference-least", key+"-difference-greatest", key+"-relative-least", key+"-relative-greatest")
			}
		}
	}
	return line(list)
}

// AppendCSV appends the lines of a point; values are those of the axes as the
// document has them.
func (d *Shown) AppendCSV(dst []byte, w *result.Sweep, point int) []byte {
	if !d.Begun(point) {
		return dst
	}
	var at []string
	for _, v := range w.Points.Values(point) {
		at = append(at, v.String())
	}
	phases, nothing := d.Phases() > 0, [2]float64{math.NaN(), math.NaN()}
	for s := range d.Names {
		list := append(at[:len(at):len(at)], words.Letter(s), d.Names[s])
		for i := range d.Measures {
			m := &d.Measures[i]
			k := point*len(d.Names) + s
			interval, band := [2]float64{m.Sums.Low[k], m.Sums.High[k]}, nothing
			if m.band(d, point, s) {
				interval, band = band, interval
			}
			list = append(list, number(m.Sums.Mean[k]), number(interval[0]), number(interval[1]), strconv.Itoa(int(m.Sums.N[k])))
			var gaps [2][]string
			if d.B >= 0 {
				diff := result.Diff{}
				if s == d.A {
					diff = m.Diff(point)
				}
				gaps = gapCells(&diff)
				list = append(list, gaps[0]...)
			}
			if phases {
				list = append(append(list, number(band[0]), number(band[1])), gaps[1]...)
			}
		}
		dst = append(dst, line(list)...)
	}
	return dst
}

// gapCells are the cells of a difference: with an interval, and with a band.
func gapCells(diff *result.Diff) (cells [2][]string) {
	cells = [2][]string{make([]string, 7), make([]string, 4)}
	if diff.N == 0 {
		return cells
	}
	low, high := diff.Ends()
	list := []string{number(diff.Mean), number(low), number(high), strconv.Itoa(diff.N), number(diff.Relative), "", ""}
	if diff.Quotient {
		list[5], list[6] = number(diff.Low), number(diff.High)
	}
	if diff.Band {
		cells[1] = []string{list[1], list[2], list[5], list[6]}
		list[1], list[2], list[5], list[6] = "", "", "", ""
	}
	cells[0] = list
	return cells
}

// RunsHead is the first line of the file of all runs.
func RunsHead(paths []string) string {
	return line(append(append(append([]string(nil), paths...), "scheduler", "label", "repetition"), catalog.MetricKeys()...))
}

// AppendRuns appends a line for each run of a point, with every measure.
func (d *Shown) AppendRuns(dst []byte, w *result.Sweep, point int) []byte {
	var at []string
	for _, v := range w.Points.Values(point) {
		at = append(at, v.String())
	}
	first := w.Items.First(point)
	for item := first; item < first+w.Items.Count(point); item++ {
		r, values := w.Run(item)
		if r == nil {
			continue
		}
		label := ""
		if int(r.Scheduler) < len(d.Names) {
			label = d.Names[r.Scheduler]
		}
		list := append(at[:len(at):len(at)], words.Letter(int(r.Scheduler)), label, strconv.Itoa(int(r.Repetition)))
		for _, v := range values {
			list = append(list, number(v))
		}
		dst = append(dst, line(list)...)
	}
	return dst
}

func line(list []string) string {
	for i, text := range list {
		list[i] = report.CSVText(text)
	}
	return strings.Join(list, ",") + "\r\n"
}

func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// cardRows are measures that the card of a point shows beside those that the view
// shows.
var cardRows = []string{"mean-wait", "p95-wait", "max-wait"}

// CardKeys are the measures on the card of a point.
func (d *Shown) CardKeys() (list []string) {
	seen := map[string]bool{}
	add := func(key string) {
		if !seen[key] && catalog.FindMetric(key) != nil {
			seen[key] = true
			list = append(list, key)
		}
	}
	for i := range d.Measures {
		add(d.Measures[i].Row.Key)
	}
	for _, key := range cardRows {
		add(key)
	}
	return list
}

// Card is the table of the point that is looked at, as HTML: B's value and how A
// differs from it, or A's value alone.
func (d *Shown) Card(w *result.Sweep) draw.Markup {
	var b draw.Writer
	b.Add(`<table class="bl-grid vary-card"><thead><tr><th scope="col"><span class="bl-vh">Measure</span></th>`)
	one := d.B
	if one < 0 {
		one = d.A
	}
	b.Put(`<th scope="col" class="num">{}</th>`, words.Letter(one)+" "+draw.Clip(d.Names[one], 110))
	if d.B >= 0 {
		paired := ""
		if d.Repeats > 1 {
			paired = ", paired"
		}
		b.Put(`<th scope="col" class="num">{} − {}{}</th>`, words.Letter(d.A), words.Letter(d.B), paired)
	}
	b.Add(`</tr></thead><tbody>`)
	for _, key := range d.CardKeys() {
		row := catalog.FindMetric(key)
		sp := w.Spread(d.Point, one, key)
		if sp.N == 0 {
			continue
		}
		b.Put(`<tr><td>{}</td><td class="num">{}</td>`, row.Name, under(result.ValueText(row, sp.Mean), result.SpanText(row, sp)))
		if d.B >= 0 {
			diff := w.Compare(d.Point, d.A, d.B, row)
			b.Add(diffCell(row, &diff))
		}
		b.Add(`</tr>`)
	}
	b.Add(`</tbody></table>`)
	return b.Markup()
}

// diffCell writes a difference: arrow, sign and colour where it is clear.
func diffCell(row *catalog.Metric, diff *result.Diff) draw.Markup {
	text, below := words.None, ""
	class, arrow := "num", ""
	switch untold := result.Untold(diff); {
	case diff.N == 0:
	case diff.Same:
		text = untold
	case untold != "":
		text, below = untold, result.GapText(row, *diff)
	default:
		text = result.PlainGap(row, *diff)
		if below = result.RangeText(row, *diff); diff.Quotient && !row.Points() && below != "" {
			below = result.DiffText(row, *diff) + ", " + below
		}
		if arrow = "▲ "; diff.Less() {
			arrow = "▼ "
		}
		switch {
		case diff.N == 1:
		case diff.Better > 0:
			class = "num good"
		case diff.Better < 0:
			class = "num bad"
		}
	}
	return draw.HTML(`<td class="{}">{}{}</td>`, class, arrow, under(text, below))
}

// under writes a text with a small one below it, if there is one.
func under(text, below string) draw.Markup {
	html := draw.HTML(`{}`, text)
	if below != "" {
		html += draw.HTML(`<small>{}</small>`, below)
	}
	return html
}
