package foresight

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
)

// beside returns a run of foresight beside one of SAF: jobs of 100 s, one a day, that
// wait for so many seconds.
func beside(mine, other []model.Time) *draw.Data {
	d := &draw.Data{Names: []string{"SAF", "F1"}, Foretells: []bool{false, true}, Shown: []*report.Run{{}, {}}, A: 1, B: -1, Base: 0, Tau: 10, Theme: draw.Colours(true), Jobs: &report.Jobs{}}
	for i := range mine {
		at := model.Time(1000 + i*86400)
		d.Jobs.Number, d.Jobs.Submit = append(d.Jobs.Number, int64(i)), append(d.Jobs.Submit, at)
		for k, wait := range []model.Time{other[i], mine[i]} {
			c := &d.Shown[k].Columns
			c.Start, c.End = append(c.Start, at+wait), append(c.End, at+wait+100)
		}
	}
	return d
}

func ratioOf(w *weekly) float64 {
	ratio, _, _ := w.interval()
	return ratio
}

// Intent: weeks go by submission, each is the mean of its jobs' slowdowns, and what is
// said of all follows from them, by hand: three weeks of ratios 2 ÷ 4, 3 ÷ 2 and 1.
func TestWeeksByHand(t *testing.T) {
	var mine, other []model.Time
	for week := range 3 {
		for range 7 {
			mine, other = append(mine, []model.Time{100, 200, 0}[week]), append(other, []model.Time{300, 100, 0}[week])
		}
	}
	d := beside(mine, other)
	w := weeks(d)
	if len(w.week) != 3 || w.a[0] != 2 || w.b[0] != 4 || w.a[1] != 3 || w.b[1] != 2 || w.won != 1 || w.lost != 1 || math.Abs(ratioOf(&w)-6.0/7) > 1e-12 {
		t.Fatalf("%+v", w)
	}
	if s := Verdict(d); !strings.Contains(s, "B F1 shows no clear difference from A SAF over 3\u00a0weeks") || !strings.Contains(s, "ratio 0.857") || !strings.Contains(s, "better in 1, worse in 1.") {
		t.Errorf("%q", s)
	}
	f := Weeks(d, 500, 300)
	if len(f.Layers) != 5 || len(f.Layers[0].X) != 2 || f.Layers[0].Y[0] != 0.5 || len(f.Layers[1].X) != 1 || f.Layers[0].Sizes[0] <= f.Layers[1].Sizes[0] {
		t.Errorf("%+v", f.Layers)
	}
	if len(f.Table.Cells) != 3 {
		t.Errorf("%+v", f.Table)
	}
	d.Shown[0].Columns.Start[0] = -1 // rejected under one: left out under both
	if w := weeks(d); w.a[0] != 2 || w.b[0] != 4 {
		t.Errorf("%+v", w)
	}
	short := beside(mine[:3], other[:3])
	if f := Weeks(short, 500, 300); f.Empty == "" || Verdict(short) != "" {
		t.Errorf("of three days: %q, %q", f.Empty, Verdict(short))
	}
	short.Shown[0] = nil
	if f := Weeks(short, 500, 300); f.Empty == "" {
		t.Error("weeks beside nothing")
	}
}

// Intent: less is said only where every interval leaves out 1, and the same where no
// week differs.
func TestVerdictOfWeeks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var mine, other []model.Time
	for range 140 {
		wait := model.Time(1000 + r.IntN(1000))
		mine, other = append(mine, wait/2), append(other, wait)
	}
	if s := Verdict(beside(mine, other)); !strings.Contains(s, " less slowdown than A SAF over 20\u00a0weeks") {
		t.Errorf("%q", s)
	}
	if s := Verdict(beside(other, mine)); !strings.Contains(s, " more slowdown than") {
		t.Errorf("%q", s)
	}
	if s := Verdict(beside(other, other)); !strings.Contains(s, "has as much slowdown as") || strings.Contains(s, "ratio") {
		t.Errorf("%q", s)
	}
}

// Intent: foresight's longest waits stand beside those of every other scheduler that is
// shown, SAF's and EASY's alike, in the same words, and nothing is said of one alone.
func TestTailBesideOthers(t *testing.T) {
	d := beside([]model.Time{7200}, []model.Time{3600})
	d.Names, d.Shown = append(d.Names, "EASY"), append(d.Shown, &report.Run{})
	for i, most := range []float64{295200, 298800, 172800} {
		d.Shown[i].Metrics = []report.Value{{Key: "max-wait", Value: most, Valid: true}, {Key: "p99-wait", Value: 7200, Valid: true}, {Key: "waits-over-day", Value: float64(i), Valid: true}}
	}
	s := strings.ReplaceAll(Tail(d), "\u00a0", " ")
	if want := "Longest wait: A SAF 3 d 10 h (99 % of the jobs within 2 h, 0 jobs over a day); B F1 3 d 11 h (99 % of the jobs within 2 h, 1 job over a day); C EASY 2 d (99 % of the jobs within 2 h, 2 jobs over a day)."; s != want {
		t.Errorf("%q", s)
	}
	d.Shown = d.Shown[:1]
	if s := Tail(d); s != "" {
		t.Errorf("of one alone: %q", s)
	}
}

// Intent: the ends of the interval over weeks are the same digits on every machine, so
// they come from the lab's own exponential, and lie on the logarithm about the ratio.
func TestWeeksExact(t *testing.T) {
	w := weekly{a: []float64{2, 3, 1, 4}, b: []float64{4, 2, 1, 3}}
	ratio, low, high := w.interval()
	var rest []float64
	for i := range w.a {
		rest = append(rest, w.a[i]/2.5-w.b[i]/2.5)
	}
	_, half, _ := metric.MeanCI(rest)
	if a, b := metric.Around(ratio, half); low != a || high != b || math.Abs(low*high-ratio*ratio) > 1e-12 || low <= 0 {
		t.Errorf("%v to %v about %v", low, high, ratio)
	}
}
