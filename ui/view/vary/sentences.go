package vary

import (
	"strings"
	"unicode/utf8"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// Saying is what the results say in sentences that rules write, and where the
// lines cross: between the places From and To of the axis's order, −1 nowhere.
type Saying struct {
	Line, More string
	From, To   int
}

// Say compares A with B in the first measure along the axis, as far as intervals
// bear it, and sums up the map and the other measures.
func (d *Shown) Say() Saying {
	if d.Done == 0 {
		return Saying{Line: "No point is complete yet.", From: -1, To: -1}
	}
	if len(d.Measures) == 0 {
		return Saying{From: -1, To: -1}
	}
	if d.B < 0 {
		return d.alone()
	}
	out := d.along(&d.Measures[0], true)
	var more []string
	if d.Done < d.Points {
		more = append(more, "So far, "+words.Int(d.Done)+" of "+words.Count(d.Points, "point", "points")+".")
	}
	if d.Repeats < 2 && d.Axes[d.Over].Draws {
		// its values are the other workloads
	} else if n := d.Phases(); n > 0 {
		more = append(more, "Each band is over "+words.Count(n, "phase", "phases")+", which is what Slurm itself leaves open, over one workload at each point.")
	} else if d.Repeats < 2 {
		more = append(more, "One workload at each point: we can't tell whether others would agree.")
	} else if n := d.lone(&d.Measures[0]); n > 0 {
		more = append(more, "One workload at "+words.Count(n, "point", "points")+": no clear difference there.")
	}
	if d.Under >= 0 {
		more = append(more, d.everywhere(&d.Measures[0]))
	}
	for i := range d.Measures[1:] {
		if text := d.along(&d.Measures[1+i], false); text.Line != "" {
			more = append(more, text.Line)
		}
	}
	out.More = strings.TrimSpace(out.More + " " + strings.Join(more, " "))
	return out
}

// stretch is neighbouring values of which the same can be said.
type stretch struct {
	sign     int // −1 A is below B, 1 above, 0 not told apart
	from, to int // places in the axis's order
}

// parts takes the values of the axis apart by what can be said of them, values
// that are not there left out.
func (d *Shown) parts(m *Measure) (list []stretch, count int) {
	a := &d.Axes[d.Over]
	for i, k := range a.Order {
		diff := m.Diff(d.With(d.Over, k))
		if diff.N == 0 {
			continue
		}
		count++
		sign := 0
		switch {
		case !d.apart(&diff):
		case diff.Less():
			sign = -1
		default:
			sign = 1
		}
		if n := len(list); n > 0 && list[n-1].sign == sign && list[n-1].to == i-1 {
			list[n-1].to = i
		} else {
			list = append(list, stretch{sign, i, i})
		}
	}
	return list, count
}

// along says how A compares with B over the axis in a measure.
func (d *Shown) along(m *Measure, long bool) Saying {
	out := Saying{From: -1, To: -1}
	a := &d.Axes[d.Over]
	list, count := d.parts(m)
	single := d.Repeats < 2 // there are no intervals
	if count == 0 {
		return out
	}
	var told []stretch
	unsure := 0
	for _, p := range list {
		if p.sign != 0 {
			told = append(told, p)
		} else {
			unsure++
		}
	}
	mine, other := d.Names[d.A], d.Names[d.B]
	what := strings.ToLower(m.Row.Name[:1]) + m.Row.Name[1:]
	if strings.ToUpper(m.Row.Name[:2]) == m.Row.Name[:2] {
		what = m.Row.Name
	}
	subject := possessive(mine) + " " + what
	axis := axisWord(a)
	rest := ""
	if long && len(d.Axes) > 1 {
		rest = d.where()
	}
	changes := 0
	for i := 1; i < len(told); i++ {
		if told[i].sign != told[i-1].sign {
			changes++
		}
	}
	side := map[int]string{-1: "below", 1: "above"}
	shares := d.shares(m)
	if long && a.At == nil && len(told) > 0 {
		out.More = shares.text("It is below", "") + "."
	}
	switch {
	case len(told) > 0 && a.Draws:
		out.Line = capital(shares.text(subject+" is below "+possessive(other), " of "+axis)) + rest + "."
		if out.More = ""; long {
			out.More = d.middle(m)
		}
		return out
	case len(told) == 0 && d.allSame(m):
		out.Line = capital(subject) + " is the same as " + possessive(other) + " at " + all(count, axis) + rest + "."
	case len(told) == 0:
		out.Line = capital(subject) + " and " + possessive(other) + " show " + d.open() + " at any of the " + words.Count(count, "value", "values") + " of " + axis + rest + "."
	case changes == 0:
		where := d.wheres(told, len(list) == 1 && count == a.N)
		out.Line = capital(subject) + " is " + side[told[0].sign] + " " + possessive(other) + " " + where + rest
		if unsure > 0 && !single {
			out.Line += ", with " + d.open() + " elsewhere"
		} else if unsure > 0 {
			out.Line += ", and elsewhere the same"
		}
		out.Line += "."
	default:
		first, second := told[0].sign, -told[0].sign
		of := func(sign int) string {
			var list []stretch
			for _, p := range told {
				if p.sign == sign {
					list = append(list, p)
				}
			}
			return d.wheres(list, false)
		}
		is := subject + " is " + side[first] + " " + possessive(other) + " " + of(first) + " and " + side[second] + " it " + of(second)
		if a.At == nil {
			out.Line = capital(is) + rest + "."
			break
		}
		if changes == 1 {
			for i := 1; i < len(told); i++ {
				if told[i].sign != told[i-1].sign {
					out.From, out.To = told[i-1].to, told[i].from
				}
			}
			out.Line = "The lines cross between " + axis + " " + a.Text(a.Order[out.From]) + " and " + a.Text(a.Order[out.To]) + rest + ": " + is + "."
		} else {
			out.Line = "The lines cross " + times(changes) + rest + ": " + is + "."
		}
	}
	if long && !single && unsure > 0 && changes > 0 && a.At != nil {
		out.More = capital(d.open()) + " at the other values."
	}
	return out
}

// wins are at how many values of the axis A is below B, above it, the same in every
// pair, and at how many that is open.
type wins struct {
	below, above, same, open int
	word                     string // of what is open
}

func (d *Shown) shares(m *Measure) (w wins) {
	w.word = d.open()
	for k := range d.Axes[d.Over].N {
		diff := m.Diff(d.With(d.Over, k))
		switch {
		case diff.N == 0:
		case diff.Same:
			w.same++
		case !d.apart(&diff):
			w.open++
		case diff.Less():
			w.below++
		default:
			w.above++
		}
	}
	return w
}

// text writes them: "It is below at 14 of 20 values, above at 5, the same at 1".
func (w *wins) text(below, of string) string {
	text := below + " at " + words.Int(w.below) + " of " + words.Count(w.below+w.above+w.same+w.open, "value", "values") + of + ", above at " + words.Int(w.above)
	if w.same > 0 {
		text += ", the same at " + words.Int(w.same)
	}
	if w.open > 0 {
		text += ", with " + w.word + " at " + words.Int(w.open)
	}
	return text
}

// open is what is said of a difference that is not told.
func (d *Shown) open() string {
	if d.Phases() > 0 {
		return "no difference beyond the band"
	}
	return report.VerdictUnknown
}

// hollow is the same in a legend.
func (d *Shown) hollow() string {
	if d.Phases() > 0 {
		return report.VerdictBand
	}
	return report.VerdictUnknown
}

// middle says between what the middle half of the differences lies, "" of fewer than four.
func (d *Shown) middle(m *Measure) string {
	var list []float64
	for k := range d.Axes[d.Over].N {
		if diff := m.Diff(d.With(d.Over, k)); diff.N > 0 {
			list = append(list, diff.Mean)
		}
	}
	if len(list) < 4 {
		return ""
	}
	low, _, high := quarters(list)
	text := func(v float64) string {
		return result.PlainGap(m.Row, result.Diff{Difference: metric.Difference{Mean: v}})
	}
	return "The middle half of the differences lies between " + text(low) + " and " + text(high) + "."
}

// lone counts the points at which the two differ in the only workload there is.
func (d *Shown) lone(m *Measure) (n int) {
	for p := range d.Points {
		if diff := m.Diff(p); diff.N == 1 && !diff.Same {
			n++
		}
	}
	return n
}

// allSame reports whether no pair differs at any point along the axis.
func (d *Shown) allSame(m *Measure) bool {
	for k := range d.Axes[d.Over].N {
		if diff := m.Diff(d.With(d.Over, k)); diff.N > 0 && !diff.Same {
			return false
		}
	}
	return true
}

// where says at which values of the other axes the lines go.
func (d *Shown) where() string {
	var list []string
	for k := range d.Axes {
		if k != d.Over {
			list = append(list, axisWord(&d.Axes[k])+" "+d.Axes[k].Value(d.Choice[k]))
		}
	}
	return ", with " + strings.Join(list, " and ")
}

// wheres writes parts of the axis: "up to 0.6 and from 1 on", "at 0.7, 0.75".
func (d *Shown) wheres(list []stretch, everywhere bool) string {
	a := &d.Axes[d.Over]
	if everywhere {
		return "at " + all(a.N, axisWord(a))
	}
	text := func(i int) string { return a.Text(a.Order[i]) }
	var out []string
	for _, p := range list {
		switch {
		case a.At == nil:
			for i := p.from; i <= p.to; i++ {
				out = append(out, text(i))
			}
		case p.from == p.to:
			out = append(out, "at "+text(p.from))
		case p.from == 0 && p.to < a.N-1:
			out = append(out, "up to "+text(p.to))
		case p.to == a.N-1 && p.from > 0:
			out = append(out, "from "+text(p.from)+" on")
		case p.to == p.from+1:
			out = append(out, "at "+text(p.from)+" and "+text(p.to))
		default:
			out = append(out, "from "+text(p.from)+" to "+text(p.to))
		}
	}
	if len(out) > 6 {
		rest := len(out) - 5
		out = append(out[:5], words.Int(rest)+" more")
	}
	joined := join(out)
	if a.At == nil {
		return "with " + joined
	}
	return joined
}

// everywhere counts what can be said over all points of the map.
func (d *Shown) everywhere(m *Measure) string {
	better, worse, same := 0, 0, 0
	for p := range d.Points {
		diff := m.Diff(p)
		switch {
		case diff.N == 0:
			continue
		case !d.apart(&diff):
			same++
		case diff.Less():
			better++
		default:
			worse++
		}
	}
	total := better + worse + same
	if better+worse == 0 {
		if d.Repeats < 2 {
			return "It is the same at all " + words.Count(total, "point", "points") + "."
		}
		return capital(d.open()) + " at any of the " + words.Count(total, "point", "points") + "."
	}
	text := "Of " + words.Count(total, "point", "points") + ", it is below at " + words.Int(better) + " and above at " + words.Int(worse)
	if same > 0 {
		if d.Repeats < 2 {
			text += ", the same at " + words.Int(same)
		} else {
			text += "; " + d.open() + " at " + words.Int(same)
		}
	}
	return text + "."
}

// alone says what one scheduler's measure does over the axis.
func (d *Shown) alone() Saying {
	m, a := &d.Measures[0], &d.Axes[d.Over]
	least, most, n := -1, -1, 0
	var low, high float64
	for _, k := range a.Order {
		v, _, _ := m.Mean(d, d.With(d.Over, k), d.A)
		if v != v {
			continue
		}
		if n++; least < 0 || v < low {
			least, low = k, v
		}
		if most < 0 || v > high {
			most, high = k, v
		}
	}
	out := Saying{From: -1, To: -1}
	if n < 2 || least == most {
		return out
	}
	out.Line = possessive(d.Names[d.A]) + " " + lower(m.Row) + " is least at " + axisWord(a) + " " + a.Text(least) + " (" + result.ValueText(m.Row, low) + ") and greatest at " + a.Text(most) + " (" + result.ValueText(m.Row, high) + ")."
	if d.Repeats < 3 {
		out.More = "Add a scheduler to compare with, and repeats to see how certain the difference is."
	}
	return out
}

func lower(row *catalog.Metric) string { return strings.ToLower(row.Name[:1]) + row.Name[1:] }

// axisWord is the name of an axis inside of a sentence.
func axisWord(a *Axis) string {
	name := strings.TrimSuffix(a.Name, " ×")
	if len(name) > 1 && name[1] >= 'a' && name[1] <= 'z' {
		name = strings.ToLower(name[:1]) + name[1:]
	}
	return name
}

// capital begins a text with a capital letter, of whatever alphabet.
func capital(text string) string {
	_, n := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:n]) + text[n:]
}

func possessive(name string) string {
	if strings.HasSuffix(name, "s") || strings.HasSuffix(name, "S") && len(name) > 4 {
		return name + "’"
	}
	return name + "’s"
}

func all(n int, axis string) string {
	if n == 2 {
		return "both values of " + axis
	}
	return "all " + words.Int(n) + " values of " + axis
}

func times(n int) string {
	if n == 2 {
		return "twice"
	}
	return words.Int(n) + " times"
}

func join(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
