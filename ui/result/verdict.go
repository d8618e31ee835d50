package result

import (
	"math"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Finding is what the results say, in sentences that a rule writes: who waits how
// much less than under whom, and how sure that is.
type Finding struct {
	First []string // what voids it or limits it, worst first
	Line  string   // "" while there is nothing to compare
	More  string
	Sure  bool // the interval leaves out zero
}

// Against is the scheduler that the one looked at is compared with: the baseline,
// else the other one on show, else the first other one; −1 none.
func (s *Tray) Against() int {
	if b := s.look.Baseline(); b != s.look.View.A {
		return b
	}
	if s.look.View.B >= 0 && s.look.View.B != s.look.View.A {
		return s.look.View.B
	}
	for i := range s.host.Schedulers() { // the baseline itself is looked at
		if i != s.look.View.A && s.Finished(i) != nil {
			return i
		}
	}
	return -1
}

// Finding compares the scheduler that is looked at with the one it stands
// against.
func (s *Tray) Finding() Finding {
	a, b := s.look.View.A, s.Against()
	if s.Ran == nil || b < 0 {
		return Finding{}
	}
	row := catalog.FindMetric("mean-wait")
	d := s.Compare(a, b, row.Key)
	if d.N == 0 {
		return Finding{}
	}
	v := Finding{Sure: d.Sure}
	for _, c := range s.Caveats(a, b) {
		if c.Reason == report.NobodyWaits {
			return Finding{Line: c.Text}
		}
		v.First = append(v.First, c.Text)
	}
	how := s.howMany(row, d)
	begin, would := s.supposed(), "jobs wait "
	if begin != "" {
		would = "jobs would wait "
	}
	switch {
	case d.Same:
		v.Line = sentence(begin + would + "as long under " + s.Label(a) + " as under " + s.Label(b) + how)
	case DiffText(row, d) == Nearly:
		v.Line = sentence(begin + would + "nearly as long under " + s.Label(a) + " as under " + s.Label(b) + how)
	case d.N > 1 && !d.Sure:
		v.Line = sentence(begin + "waits under " + s.Label(a) + " and " + s.Label(b) + " cannot be told apart: " + DiffText(row, d) + how)
	default:
		v.Line = sentence(begin + would + longer(row, d, " under "+s.Label(a), s.Label(b)) + how + s.third(a, b))
	}
	v.More = joined(s.ForWhom(a, b), s.tooFew(a, b), s.more(a, b))
	return v
}

// longer is how much longer jobs wait than under b: "77 % less under EASY than under
// FCFS", "51.8 times as long as under EASY".
func longer(row *catalog.Metric, d Diff, under, b string) string {
	text := strings.TrimLeft(DiffText(row, d), "+"+words.Minus)
	if ratio, ok := strings.CutPrefix(text, "×"+words.NB); ok {
		return ratio + " times as long" + under + " as under " + b
	}
	return text + " " + either(d.Mean < 0, "less", "longer") + under + " than under " + b
}

// third says how the scheduler looked at stands to the one that is neither of the
// two, where there is just one and the difference is told.
func (s *Tray) third(a, b int) string {
	if s.look.View.Two || s.host.Schedulers() != 3 {
		return ""
	}
	c, row := 3-a-b, catalog.FindMetric("mean-wait")
	d := s.Compare(a, c, row.Key)
	text := DiffText(row, d)
	if d.N == 0 || d.Same || d.N > 1 && !d.Sure || text == Nearly {
		return ""
	}
	text = longer(row, d, "", s.Label(c))
	if half := HalfText(row, d); half != "" {
		text += " (" + half + ")"
	}
	return ", and " + text
}

// howMany is the interval and the number of pairs, in brackets.
func (s *Tray) howMany(row *catalog.Metric, d Diff) string {
	if d.N < 2 {
		return " in this workload"
	}
	text := HalfText(row, d)
	if text != "" {
		text += ", "
	}
	return " (" + text + words.Count(d.N, "pair", "pairs") + ")"
}

// supposed opens the sentence about draws.
func (s *Tray) supposed() string {
	if d := s.draws(); d != nil {
		switch d.By {
		case "weeks":
			return "had other weeks come, "
		case "users":
			return "had other users come, "
		}
		return "had everyone come a little earlier or later, "
	}
	return ""
}

// more says what becomes of the slowdown, and what the log itself gave.
func (s *Tray) more(a, b int) string {
	var list []string
	row := catalog.FindMetric("mean-bounded-slowdown")
	if d := s.Compare(a, b, row.Key); d.N > 0 {
		switch text := DiffText(row, d); {
		case d.Same:
			list = append(list, "Their bounded slowdown is the same.")
		case d.N > 1 && !d.Sure:
			list = append(list, "Bounded slowdowns are not told apart: "+text+" "+HalfText(row, d)+".")
		default:
			list = append(list, "Bounded slowdown: "+strings.TrimSpace(text+" "+HalfText(row, d))+".")
		}
	}
	if draws := s.draws(); draws != nil {
		if x, y := s.first(a, "mean-wait"), s.first(b, "mean-wait"); y > 0 {
			share := x/y - 1
			list = append(list, "In the log as it came "+s.Label(a)+" waited "+words.Number(math.Abs(share)*100, 0)+words.NB+"% "+either(share < 0, "less", "longer")+".")
		}
		if draws.Lacks() != "" {
			list = append(list, "Careful: "+draws.Lacks()+".")
		}
	}
	return strings.Join(list, " ")
}

// first is a measure of repetition 0, NaN where there is none.
func (s *Tray) first(i int, key string) float64 {
	for _, r := range s.finished(i) {
		if r.Repetition == 0 {
			for _, v := range r.Metrics {
				if v.Key == key && v.Valid {
					return v.Value
				}
			}
		}
	}
	return math.NaN()
}

func either(ok bool, yes, no string) string {
	if ok {
		return yes
	}
	return no
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// MeasuredPart says to which part of the jobs the results' measures are confined,
// "" for all.
func (s *Tray) MeasuredPart() string {
	if s.Ran == nil || s.Ran.Measures.From == nil && s.Ran.Measures.To == nil {
		return ""
	}
	return windowText(s, s.Ran.Measures.From, s.Ran.Measures.To)
}

// windowText writes a part of the time of submissions by days, the first one
// being day 1.
func windowText(s *Tray, from, to *int64) string {
	day := func(t int64, less int64) string {
		return words.Int(int((t-int64(s.preview().First)-less)/86400) + 1)
	}
	switch {
	case from == nil:
		return "up to day " + day(*to, 1)
	case to == nil:
		return "from day " + day(*from, 0) + " on"
	}
	return "day " + day(*from, 0) + " to day " + day(*to, 1)
}
