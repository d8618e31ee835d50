package result

import (
	"math"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Finding is what the results say, in sentences that a rule writes: who waits how
// much less than under whom, and how sure that is.
type Finding struct {
	First []string // what voids it or limits it, worst first
	Line  string   // "" while there is nothing to compare
	More  string
	Tail  string // how the longest waits compare; "" without a pair
	Sure  bool   // the whole interval leaves out no difference
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

// Reserves reports whether there are advance reservations in a scheduler's runs, so that
// waits are of batch jobs alone.
func (s *Tray) Reserves(scheduler int) bool {
	return s.Measure(scheduler, "rejected-reservations").N > 0
}

// Finding compares the scheduler that is looked at with the one it stands
// against.
func (s *Tray) Finding() Finding {
	a, b := s.look.View.A, s.Against()
	if s.Ran == nil || b < 0 {
		return Finding{}
	}
	row, jobs := catalog.FindMetric("mean-wait"), words.Either(s.Reserves(a) || s.Reserves(b), "Batch jobs ", "Jobs ")
	d := s.Compare(a, b, row.Key)
	if d.N == 0 {
		return Finding{}
	}
	v := Finding{Sure: d.Certainty == metric.Surely}
	for _, c := range s.Caveats(a, b) {
		if c.Reason == report.NobodyWaits {
			return Finding{Line: c.Text}
		}
		if c.Reason != report.OneWorkload || !s.Active() && d.How != report.ByLog { // alone says it
			v.First = append(v.First, c.Text)
		}
	}
	mine, other := s.Label(a), s.Label(b)
	less, of, among := lessBy(row, d), rangeOf(row, d), s.among(d)
	told := than(less, mine, other)
	open := "No clear difference in waits between " + mine + " and " + other + ": "
	switch {
	case d.Same:
		v.Line = jobs + "wait as long under " + mine + " as under " + other + " (" + among + ")"
	case DiffText(row, d) == Nearly:
		v.Line = jobs + "wait nearly as long under " + mine + " as under " + other + " (" + among + ")"
	case d.N == 1:
		v.Line = jobs + "wait " + told + " in this workload" + s.third(row, a, b)
	case !d.Has():
		v.Line = jobs + "wait " + told + " in the mean (" + among + "), without an interval: " + d.Why
	case d.Band:
		v.Line = s.banded(row, d, a, b)
	case d.How == report.ByPairs && !d.Sure:
		v.Line = open + less + " (" + of + ", " + among + ")"
	case d.How == report.ByPairs:
		v.Line = jobs + "wait " + told + " (" + of + ", " + among + ")" + s.third(row, a, b)
	case !d.Sure:
		v.Line = open + less + " in this log, " + report.How(d.How) + " " + of + " (" + among + ")"
	default:
		v.Line = jobs + d.Probably() + "wait " + told + ", " + report.How(d.How) + " " + of + " (" + among + ")" + s.third(row, a, b)
	}
	v.Line += "."
	v.More = joined(s.alone(row, d), s.leftOpen(d, a, b), s.ForWhom(a, b), s.tooFew(a, b), s.more(a, b))
	v.Tail = s.tail(a, b)
	return v
}

// banded says what two schedulers differ by where the jobs are the same and phases are
// not: in each of them, or in some this way and in others that.
func (s *Tray) banded(row *catalog.Metric, d Diff, a, b int) string {
	mine, other, less, of := s.Label(a), s.Label(b), lessBy(row, d), rangeOf(row, d)
	jobs := words.Either(s.Reserves(a) || s.Reserves(b), "Batch jobs ", "Jobs ") + "wait "
	if d.Sure {
		return jobs + than(less, mine, other) + " in each of " + s.among(d) + " (" + of + ")" + s.third(row, a, b)
	}
	said := ": over " + s.among(d) + " " + strings.ToLower(jobs) + of + " under " + mine + ", " + less + " at the median"
	switch {
	case !s.Phased(b):
		return other + " lies within the band of " + mine + said
	case !s.Phased(a):
		return mine + " lies within the band of " + other + said
	}
	return "Whether jobs wait less under " + mine + " or " + other + " depends on the phase" + said
}

// leftOpen says what a band is; "" without one.
func (s *Tray) leftOpen(d Diff, a, b int) string {
	if !d.Band {
		return ""
	}
	whose, says := s.Label(a), ""
	switch {
	case !s.Phased(a):
		whose, says = s.Label(b), s.Label(a)
	case !s.Phased(b):
		says = s.Label(b)
	}
	if says != "" && d.Sure {
		says += " lies outside the band. "
	} else {
		says = ""
	}
	return says + "A band over phases is what " + whose + " itself leaves open, by when its loops tick; it says nothing of other workloads."
}

// lessBy is how much less or longer jobs wait: "77 % less", "51.8 times as long".
func lessBy(row *catalog.Metric, d Diff) string {
	text := strings.TrimLeft(DiffText(row, d), "+"+words.Minus)
	if ratio, ok := strings.CutPrefix(text, "×"+words.NB); ok {
		return ratio + " times as long"
	}
	return text + words.Either(d.Less(), " less", " longer")
}

// than sets a difference between the names: "77 % less under EASY than under FCFS",
// "51.8 times as long under FCFS as under EASY".
func than(less, a, b string) string {
	return less + " under " + a + words.Either(strings.HasSuffix(less, "as long"), " as under ", " than under ") + b
}

// rangeOf writes an interval of waits as one says it: "61 to 75 % less", "40 % less to
// 25 % longer", "3 to 12 times as long"; "" where there is none.
func rangeOf(row *catalog.Metric, d Diff) string {
	text := RangeText(row, d)
	if text == "" || !d.Quotient || d.High > 9.995 {
		return text
	}
	at := func(v float64) string {
		return words.Number(math.Abs(v)*100, words.Either(max(-d.Low, d.High) < 0.0995, 1, closeDigits(v)))
	}
	switch {
	case d.High <= 0:
		return at(d.High) + " to " + at(d.Low) + words.NB + "% less"
	case d.Low >= 0:
		return at(d.Low) + " to " + at(d.High) + words.NB + "% longer"
	}
	return at(d.Low) + words.NB + "% less to " + at(d.High) + words.NB + "% longer"
}

// alone says what the one log there is says of others, and on what condition; "" with
// more than one, or without an interval.
func (s *Tray) alone(row *catalog.Metric, d Diff) string {
	if d.How != report.ByLog {
		return ""
	}
	text := "With other users of the same kind, estimated from this log alone, " + words.Either(d.Sure, "probably ", "no clear difference: ") + rangeOf(row, d)
	return text + ". This assumes that users come independently of each other: busy seasons that they share make it too narrow. Draws are more reliable."
}

// third says how the scheduler looked at stands to the one that is neither of the
// two, where there is just one and the difference is told.
func (s *Tray) third(row *catalog.Metric, a, b int) string {
	if s.look.View.Two || s.host.Schedulers() != 3 {
		return ""
	}
	c := 3 - a - b
	d := s.Compare(a, c, row.Key)
	if text := DiffText(row, d); d.N == 0 || d.Same || d.Open() && d.N > 1 || text == Nearly {
		return ""
	}
	less := lessBy(row, d)
	text := less + words.Either(strings.HasSuffix(less, "as long"), " as under ", " than under ") + s.Label(c)
	if of := rangeOf(row, d); of != "" && d.N > 1 {
		text += " (" + of + ")"
	}
	return ", and " + text
}

// among is the number of pairs or draws.
func (s *Tray) among(d Diff) string {
	switch draws := s.draws(); {
	case d.N < 2:
		return "in this workload"
	case d.Band:
		return words.Count(d.N, "phase", "phases")
	case draws != nil && draws.Pieces > 0:
		return words.Count(d.N-1, "draw", "draws")
	}
	return words.Count(d.N, "pair", "pairs")
}

// tail says how the longest waits compare: a mean hides them.
func (s *Tray) tail(a, b int) string {
	part := func(key, what string) string {
		row := catalog.FindMetric(key)
		x, y := s.Measure(a, key), s.Measure(b, key)
		if x.N == 0 || y.N == 0 {
			return ""
		}
		return what + " " + ValueText(row, x.Mean) + " (" + ValueText(row, y.Mean) + " under " + s.Label(b) + ")"
	}
	var list []string
	for _, of := range [][2]string{{"max-wait", "longest wait"}, {"p99-wait", "99" + words.NB + "% of the jobs within"}, {"waits-over-day", "jobs that wait more than a day:"}} {
		if text := part(of[0], of[1]); text != "" {
			list = append(list, text)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return sentence(strings.Join(list, "; "))
}

// more says what becomes of the slowdown.
func (s *Tray) more(a, b int) string {
	var list []string
	row := catalog.FindMetric("mean-bounded-slowdown")
	if d := s.Compare(a, b, row.Key); d.N > 0 {
		text := DiffText(row, d)
		if of := RangeText(row, d); of != "" {
			text += " (" + of + ")"
		}
		switch {
		case d.Same:
			list = append(list, "Their bounded slowdown is the same.")
		case d.Open():
			list = append(list, "Bounded slowdown: "+words.Either(d.Has(), Untold(&d)+", ", "")+text+".")
		default:
			list = append(list, "Bounded slowdown: "+d.Probably()+text+".")
		}
	}
	return strings.Join(list, " ")
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
