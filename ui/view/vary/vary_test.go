package vary

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// made is what the view shows of three schedulers over loads, and over bounds
// where there are some. gap says how C compares with A at a point, in hours: the
// mean and half the width of the interval, NaN for one pair, and n pairs.
func made(loads, bounds []float64, repeats int, gap func(load, bound int) (mean, half float64)) *Shown {
	d := &Shown{Names: []string{"EASY", "Conservative", "EASY-SAF"}, A: 2, B: 0, Under: -1, Repeats: repeats}
	axis := func(name string, at []float64) Axis {
		a := Axis{Name: name, N: len(at), At: at, Text: func(k int) string { return fmt.Sprint(at[k]) }}
		a.arrange()
		return a
	}
	d.Axes = []Axis{axis("Load ×", loads)}
	d.Choice = []int{0}
	d.Points = len(loads)
	if bounds != nil {
		d.Axes = append(d.Axes, axis("Bound", bounds))
		d.Choice, d.Under = []int{0, 0}, 1
		d.Points *= len(bounds)
	}
	d.Done = d.Points
	d.Begun = func(int) bool { return true }
	d.Whole = d.Begun
	row := catalog.FindMetric("mean-wait")
	m := Measure{Row: row, Sums: &result.Sums{}, Gaps: &result.Gaps{}}
	for p := range d.Points {
		c := d.choiceOf(p)
		bound := 0
		if len(c) > 1 {
			bound = c[1]
		}
		mean, half := gap(c[0], bound)
		diff := result.Diff{Difference: metric.Difference{Mean: mean * 3600, Low: (mean - half) * 3600, High: (mean + half) * 3600, N: repeats, Same: mean == 0 && !(half > 0), Relative: math.NaN()}}
		if math.IsNaN(mean) {
			diff = result.Diff{}
		}
		if diff.Sure = repeats > 1 && math.Abs(mean) > half; diff.Sure {
			diff.Certainty = metric.Surely
		}
		if mean < 0 {
			diff.Better = 1
		} else if mean > 0 {
			diff.Better = -1
		}
		m.Gaps.Diffs = append(m.Gaps.Diffs, diff)
		for s := range d.Names {
			m.Sums.Mean = append(m.Sums.Mean, float64(p+s)*3600)
			m.Sums.Low, m.Sums.High = append(m.Sums.Low, float64(p+s)*3600-600), append(m.Sums.High, float64(p+s)*3600+600)
			m.Sums.N = append(m.Sums.N, int32(repeats))
		}
	}
	d.Measures = []Measure{m}
	return d
}

var loads = []float64{0.5, 0.6, 0.7, 0.8, 0.9, 1}

// Intent: the sentence says where the lines cross, as far as intervals bear it:
// what is not told apart is said to be so, and no value is counted in that the
// interval does not tell.
func TestSay(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name        string
		repeats     int
		means, half []float64
		want        string
		from, to    int
	}{
		{"crosses", 5, []float64{-2, -3, -1, 0.5, 2, 3}, []float64{1, 1, 2, 1, 1, 1},
			"The lines cross between load 0.6 and 0.9: EASY-SAF’s mean wait is below EASY’s up to 0.6 and above it from 0.9 on. No clear difference at the other values.", 1, 4},
		{"the first values are not told apart", 5, []float64{-2, -3, -1, 0.5, 2, 3}, []float64{3, 1, 0.5, 1, 1, 1},
			"The lines cross between load 0.7 and 0.9: EASY-SAF’s mean wait is below EASY’s at 0.6 and 0.7 and above it from 0.9 on. No clear difference at the other values.", 2, 4},
		{"always below", 5, []float64{-2, -3, -2, -2, -2, -3}, []float64{1, 1, 1, 1, 1, 1}, "EASY-SAF’s mean wait is below EASY’s at all 6 values of load.", -1, -1},
		{"below in the middle", 5, []float64{-2, -3, -2, -2, -2, -3}, []float64{3, 1, 1, 1, 3, 4}, "EASY-SAF’s mean wait is below EASY’s from 0.6 to 0.8, with no clear difference elsewhere.", -1, -1},
		{"nothing told apart", 5, []float64{-2, -3, -2, -2, -2, -3}, []float64{3, 4, 3, 3, 3, 4}, "EASY-SAF’s mean wait and EASY’s show no clear difference at any of the 6 values of load.", -1, -1},
		{"the same", 5, []float64{0, 0, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 0, 0}, "EASY-SAF’s mean wait is the same as EASY’s at all 6 values of load.", -1, -1},
		{"twice", 5, []float64{-2, 3, 2, -2, -2, -3}, []float64{1, 1, 1, 1, 1, 1}, "The lines cross twice: EASY-SAF’s mean wait is below EASY’s at 0.5 and from 0.8 on and above it at 0.6 and 0.7.", -1, -1},
		{"one workload", 1, []float64{-2, -3, -1, 0.5, 2, 3}, []float64{nan, nan, nan, nan, nan, nan},
			"The lines cross between load 0.7 and 0.8: EASY-SAF’s mean wait is below EASY’s up to 0.7 and above it from 0.8 on. One workload at each point: we can't tell whether others would agree.", 2, 3},
		{"not there yet", 5, []float64{-2, -3, nan, nan, nan, nan}, []float64{1, 1, 1, 1, 1, 1}, "EASY-SAF’s mean wait is below EASY’s up to 0.6.", -1, -1},
	} {
		d := made(loads, nil, c.repeats, func(l, _ int) (float64, float64) { return c.means[l], c.half[l] })
		say := d.Say()
		got := strings.TrimSpace(strings.ReplaceAll(say.Line+" "+say.More, words.NB, " "))
		if got != c.want || say.From != c.from || say.To != c.to {
			t.Errorf("%s:\n%s (%d, %d)\nwant\n%s (%d, %d)", c.name, got, say.From, say.To, c.want, c.from, c.to)
		}
	}
}

// Intent: whatever the data, a sentence that says "below" or "above" names only
// values at which the difference is told apart, and with that sign; "at all"
// only where it is at all.
func TestSayClaimsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "n")
		at := make([]float64, n)
		means, half := make([]float64, n), make([]float64, n)
		for i := range at {
			at[i] = float64(i + 1)
			means[i] = float64(rapid.IntRange(-3, 3).Draw(t, "mean"))
			half[i] = float64(rapid.IntRange(0, 3).Draw(t, "half")) + .5
		}
		d := made(at, nil, 4, func(l, _ int) (float64, float64) { return means[l], half[l] })
		list, count := d.parts(&d.Measures[0])
		if count != n {
			t.Fatal("values are missing")
		}
		for _, p := range list {
			for i := p.from; i <= p.to; i++ {
				sure := math.Abs(means[i]) > half[i]
				if p.sign != 0 && (!sure || means[i] > 0 != (p.sign > 0)) || p.sign == 0 && sure {
					t.Fatalf("value %d: mean %v ± %v is said to be %d", i, means[i], half[i], p.sign)
				}
			}
		}
		say := d.Say()
		if strings.Contains(say.Line, "at all") && !strings.Contains(say.Line, "the same") && len(list) != 1 {
			t.Fatal(say.Line)
		}
		if say.From >= 0 {
			for i := say.From + 1; i < say.To; i++ {
				if math.Abs(means[i]) > half[i] {
					t.Fatalf("told apart inside of the crossing: %s", say.Line)
				}
			}
		}
	})
}

// Intent: where some points have several workloads and some have one, nothing is
// claimed of the latter, in sentence and map alike.
func TestSayOfOneWorkloadAmongOthers(t *testing.T) {
	d := made(loads[:4], nil, 5, func(l, _ int) (float64, float64) { return []float64{-2, -2, -3, 4}[l], 1 })
	for _, p := range []int{0, 3} {
		one := &d.Measures[0].Gaps.Diffs[p]
		one.N, one.Low, one.High, one.Sure, one.Certainty = 1, math.NaN(), math.NaN(), false, metric.NoInterval
	}
	d.Under = 0 // the sentence over all points, too
	say := d.Say()
	if want := "EASY-SAF’s mean wait is below EASY’s at 0.6 and 0.7, with no clear difference elsewhere."; say.Line != want {
		t.Errorf("%s\nwant %s", say.Line, want)
	}
	more := strings.ReplaceAll(say.More, words.NB, " ")
	if want := "One workload at 2 points: no clear difference there. Of 4 points, it is below at 2 and above at 0; no clear difference at 2."; more != want {
		t.Errorf("%s\nwant %s", more, want)
	}
}

// Intent: a sweep that was stopped, or has only begun, says that nothing can be
// read off it yet, whatever would be compared.
func TestSayNothingComplete(t *testing.T) {
	d := made(loads, nil, 5, func(int, int) (float64, float64) { return math.NaN(), math.NaN() })
	d.Done = 0
	for _, b := range []int{0, -1} {
		if d.B = b; d.Say().Line != "No point is complete yet." || d.Say().From != -1 {
			t.Errorf("%+v", d.Say())
		}
	}
	for i := range d.Measures {
		for k := range d.Measures[i].Sums.Mean {
			d.Measures[i].Sums.Mean[k] = math.NaN()
		}
	}
	for running, want := range map[bool]string{true: "Running …", false: "before it stopped"} {
		if d.Running = running; !strings.Contains(d.Lines(900, 500, d.Say()).Empty, want) {
			t.Errorf("running %t: %q", running, d.Lines(900, 500, d.Say()).Empty)
		}
	}
}

// Intent: names of schedulers are anyone's words, in any alphabet.
func TestSayNames(t *testing.T) {
	d := made(loads[:2], nil, 5, func(int, int) (float64, float64) { return -2, 1 })
	d.Names[2] = "überholer"
	if got := d.Say().Line; got != "Überholer’s mean wait is below EASY’s at both values of load." {
		t.Error(got)
	}
	d.B, d.Names[2] = -1, "what a mean is"
	if got := d.Say().Line; !strings.HasPrefix(got, "what a mean is’ mean wait is least at load 0.5") {
		t.Error(got)
	}
}

// Intent: with choices instead of numbers nothing crosses, and they are named.
func TestSayChoices(t *testing.T) {
	d := made(loads[:4], nil, 5, func(l, _ int) (float64, float64) { return []float64{-2, 1, 3, -2}[l], 1.5 })
	names := []string{"FCFS", "SAF", "SPF", "LXF"}
	d.Axes[0].At, d.Axes[0].Name, d.Axes[0].Text = nil, "Order of A", func(k int) string { return names[k] }
	say := d.Say()
	if say.Line != "EASY-SAF’s mean wait is below EASY’s with FCFS and LXF and above it with SPF." {
		t.Error(say.Line)
	}
	if got := strings.ReplaceAll(say.More, words.NB, " "); got != "It is below at 2 of 4 values, above at 1, with no clear difference at 1." {
		t.Error(got)
	}
}

// Intent: drawings hold finite numbers only, dots where values are few and at
// most a few thousand places where they are many, hollow dots where nothing is
// told apart, and what is under the pointer is the value that stands there.
func TestDrawings(t *testing.T) {
	for _, n := range []int{1, 2, 7, 400, 10_000} {
		at := make([]float64, n)
		for i := range at {
			at[i] = float64(i) / 10
		}
		d := made(at, nil, 5, func(l, _ int) (float64, float64) { return float64(l%5) - 2, 1.5 })
		p := d.Lines(900, 500, d.Say())
		if strings.Contains(string(p.SVG()), "NaN") || strings.Contains(string(p.SVG()), "Inf") || len(p.SVG()) > 400_000 || p.Empty != "" {
			t.Errorf("%d values: %d bytes of SVG, %s", n, len(p.SVG()), p.Empty)
		}
		if n == 7 {
			if hollow := strings.Count(string(p.SVG()), `r="4" fill="var(--panel)"`); hollow != 4 {
				t.Errorf("%d hollow dots", hollow)
			}
			for k := range n {
				if p.Near(p.x(k)) != k || p.Say(p.x(k), -1, -1) == "" {
					t.Errorf("value %d is not found", k)
				}
			}
		}
	}
	bounds := []float64{1, 2, 3}
	d := made(loads, bounds, 5, func(l, b int) (float64, float64) {
		if l == 5 && b == 2 {
			return math.NaN(), 0
		}
		return float64(l - b - 1), 1.5
	})
	m := d.Map(draw.Colours(false), 420, 300)
	if strings.Contains(string(m.SVG()), "NaN") || strings.Count(string(m.SVG()), ">?<") != 9 || strings.Contains(string(m.SVG()), ">same<") || len(m.Layers[0].X) != len(loads)*len(bounds)-1 {
		t.Errorf("%d cells are not told apart, %d are computed", strings.Count(string(m.SVG()), ">?<"), len(m.Layers[0].X))
	}
	if got := m.At(m.left+m.wide*4.5, m.top+m.high*1.5); got != d.PointOf([]int{4, 1}) {
		t.Errorf("under the pointer: point %d", got)
	}
	if m.At(2, 2) != -1 || m.At(419, 299) != -1 {
		t.Error("there are points outside of the map")
	}
	wide := make([]float64, 300)
	for i := range wide {
		wide[i] = float64(i)
	}
	d = made(wide, wide, 1, func(l, b int) (float64, float64) { return float64(l - b), math.NaN() })
	small := d.Map(draw.Colours(true), 420, 300)
	if cells, n := strings.Count(string(small.SVG()), "z"), strings.Count(string(small.SVG()), "<"); cells < small.columns*small.lines || small.columns*small.lines < 1500 || n > 250 {
		t.Errorf("%d × %d cells are drawn as %d shapes of %d elements", small.columns, small.lines, cells, n)
	}
	for column := range small.columns { // one point, whichever way it is asked for
		choice := d.choiceOf(small.point(column, 3))
		if choice[d.Over] != d.Axes[d.Over].Order[column*d.Axes[d.Over].N/small.columns] || choice[d.Under] != d.Axes[d.Under].Order[3*d.Axes[d.Under].N/small.lines] {
			t.Fatalf("column %d: %v", column, choice)
		}
	}
}

// Intent: points and choices are two ways of saying the same; arrow keys walk in
// the order of the values, and stop at the ends.
func TestWalk(t *testing.T) {
	d := made([]float64{3, 1, 2}, []float64{5, 6}, 5, func(int, int) (float64, float64) { return 0, 1 })
	for p := range d.Points {
		if d.PointOf(d.choiceOf(p)) != p {
			t.Errorf("point %d", p)
		}
	}
	d.Point, d.Choice = 2, []int{1, 0} // load 1
	var got []float64
	for range 4 {
		d.Point = d.Step(0, 1)
		d.Choice = d.choiceOf(d.Point)
		got = append(got, d.Axes[0].At[d.Choice[0]])
	}
	if !slices.Equal(got, []float64{2, 3, 3, 3}) {
		t.Error(got)
	}
	if d.Step(-1, 1) != d.Point || d.Step(1, 1) == d.Point {
		t.Error("up and down")
	}
}

// Intent: values at equal quotients stand at equal distances, others do not.
func TestAxis(t *testing.T) {
	for _, c := range []struct {
		at  []float64
		log bool
	}{{[]float64{1, 3, 10, 30, 100}, true}, {[]float64{0, 1, 10, 100}, false}, {[]float64{1, 2, 3, 4, 50}, false}, {[]float64{0.5, 0.6, 0.7, 0.8}, false}} {
		a := Axis{N: len(c.at), At: c.at}
		if a.arrange(); a.Log != c.log {
			t.Errorf("%v: %v", c.at, a.Log)
		}
		if a.place(0) != 0 || a.place(a.N-1) != 1 {
			t.Errorf("%v begins at %v", c.at, a.place(0))
		}
	}
}

// seeds is what the view shows over so many seeds, which only draw again.
func seeds(n, repeats int, gap func(k int) (mean, half float64)) *Shown {
	at := make([]float64, n)
	for k := range at {
		at[k] = float64(k + 1)
	}
	d := made(at, nil, repeats, func(k, _ int) (float64, float64) { return gap(k) })
	d.Axes[0].At, d.Axes[0].Name, d.Axes[0].Draws = nil, "Seed", true
	for p := range d.Points {
		for s := range d.Names {
			k := p*len(d.Names) + s
			d.Measures[0].Sums.Mean[k] = float64((p*7919+s*31)%101) * 60
			d.Measures[0].Sums.Low[k], d.Measures[0].Sums.High[k] = math.NaN(), math.NaN()
		}
	}
	return d
}

// Intent: what is written beside the plot ends within the drawing.
func TestNamesFit(t *testing.T) {
	const width = 900
	d := seeds(4, 5, func(k int) (float64, float64) { return []float64{-2, 3, -1, 0.5}[k], 1.5 })
	p := d.Lines(width, 500, d.Say())
	written := regexp.MustCompile(`<text x="([0-9.]+)" y="[0-9.]+"(?: class="\w+")?>([^<]*)<`).FindAllStringSubmatch(string(p.SVG()), -1)
	beside := 0
	for _, m := range written {
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil || x < p.right {
			continue
		}
		beside++
		if end := x + draw.TextWidth(m[2])*11/12; end > width {
			t.Errorf("%q ends at %.0f of %d", m[2], end, width)
		}
	}
	if beside < 4 {
		t.Errorf("%d texts are beside the plot: %s", beside, p.SVG())
	}
}

// Intent: over seeds nothing crosses and nothing is joined, since none is before
// another: it is said at how many each is below, and the values are drawn as marks
// with a box that has their quarters. Keyboard, table and pointer are as elsewhere.
func TestDraws(t *testing.T) {
	d := seeds(7, 1, func(k int) (float64, float64) { return []float64{-2, 3, -1, 0, -4, 1, -3}[k], math.NaN() })
	d.Measures[0].Gaps.Diffs[3].Same = true
	say := d.Say()
	if want := "EASY-SAF’s mean wait is below EASY’s at 4 of 7 values of seed, above at 2, the same at 1."; strings.ReplaceAll(say.Line, words.NB, " ") != want || say.From != -1 {
		t.Errorf("%s\nwant %s", say.Line, want)
	}
	if more := strings.ReplaceAll(say.More, words.NB, " "); more != "The middle half of the differences lies between −2 h 30 m and +30 min." {
		t.Error(more)
	}
	d = seeds(4, 5, func(k int) (float64, float64) { return []float64{-2, 3, -1, 0.5}[k], 1.5 })
	if want := "EASY-SAF’s mean wait is below EASY’s at 1 of 4 values of seed, above at 1, with no clear difference at 2."; strings.ReplaceAll(d.Say().Line, words.NB, " ") != want {
		t.Errorf("%s\nwant %s", d.Say().Line, want)
	}
	for _, n := range []int{1, 2, 20, 400, 10_000} {
		for _, width := range []float64{340, 900} {
			d := seeds(n, 1, func(k int) (float64, float64) { return float64(k%5) - 2, math.NaN() })
			p := d.Lines(width, 500, d.Say())
			if strings.Contains(string(p.SVG()), "NaN") || strings.Contains(string(p.SVG()), "Inf") || len(p.SVG()) > 400_000 || p.Empty != "" {
				t.Errorf("%d seeds: %d bytes of SVG, %s", n, len(p.SVG()), p.Empty)
			}
			if regexp.MustCompile(`d="M[^"]*L[^"]*" fill="[^"]*" stroke="var\(--s`).MatchString(string(p.SVG())) {
				t.Errorf("%d seeds are joined by lines", n)
			}
			boxes := 0
			if n > 1 {
				boxes = len(d.Names) + 1 // and that of the differences
			}
			got := 0
			for k := range p.Layers {
				got += len(p.Layers[k].Fives)
			}
			if got != boxes {
				t.Errorf("%d seeds: %d boxes, want %d", n, got, boxes)
			}
			if p.right+p.boxes > width {
				t.Errorf("boxes end at %v of %v", p.right+p.boxes, width)
			}
			for _, k := range []int{0, n / 2, n - 1} {
				if p.Near(p.x(k)) != k || p.Say(p.x(k), -1, -1) == "" {
					t.Errorf("%d seeds: value %d is not found", n, k)
				}
			}
		}
	}
}

// Intent: quarters are those of any book: of five values the second, third and fourth.
func TestQuarters(t *testing.T) {
	for _, c := range []struct{ values, want []float64 }{
		{[]float64{5, 1, 4, 2, 3}, []float64{2, 3, 4}}, {[]float64{1, 2, 3, 4}, []float64{1.75, 2.5, 3.25}}, {[]float64{7}, []float64{7, 7, 7}},
	} {
		low, middle, high := quarters(c.values)
		if got := []float64{low, middle, high}; !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}

// Intent: whatever the pairs, "same" stands in sentence, chart, map, table and beside
// the pointer only where no pair differs.
func TestSameIsNeverSaidOfWhatDiffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		repeats := rapid.IntRange(1, 5).Draw(t, "repeats")
		d := made(loads[:3], []float64{1, 2}, repeats, func(l, b int) (float64, float64) { return 0, 0 })
		m := &d.Measures[0]
		value := rapid.SampledFrom([]float64{3600, 7200, 40000})
		same := map[int]bool{}
		for k := range m.Gaps.Diffs {
			a, b := make([]float64, repeats), make([]float64, repeats)
			for i := range a {
				a[i], b[i] = value.Draw(t, "a"), value.Draw(t, "b")
			}
			diff := result.Diff{Difference: metric.Sample{}.Compare(a, b, m.Row)}
			diff.Sure = diff.Certainty >= metric.Probably
			m.Gaps.Diffs[k] = diff
			same[k] = slices.Equal(a, b)
			if strings.Contains(d.gap(m, &diff), "same") != same[k] || strings.Contains(d.speech(k), "same") != same[k] || strings.Contains(string(diffCell(m.Row, &diff)), "same") != same[k] {
				t.Fatalf("%v against %v: %q, %q, %q", a, b, d.gap(m, &diff), d.speech(k), diffCell(m.Row, &diff))
			}
		}
		n := 0
		for _, is := range same {
			if is {
				n++
			}
		}
		if got := strings.Count(string(d.Map(draw.Colours(false), 900, 500).SVG()), ">same<"); got != n {
			t.Fatalf("%d of 6 cells are called the same, %d are", got, n)
		}
		say := d.Say()
		if text := say.Line + say.More; n == 0 && strings.Contains(text, "same") {
			t.Fatal(text)
		}
	})
}

// Intent: table and card hold what is shown, with "same" where no pair differs
// and no interval of fewer than three.
func TestTable(t *testing.T) {
	d := made(loads, nil, 5, func(l, _ int) (float64, float64) { return float64(l) - 1, 1.5 })
	g := d.Table()
	if len(g.Cells) != 18 || len(g.Head) != 4 || !strings.HasPrefix(g.Cells[2][3], "no clear difference: −1") {
		t.Errorf("%d rows, %q", len(g.Cells), g.Cells[2])
	}
	if text := g.Cells[17][3]; !strings.HasPrefix(text, "+4"+words.NB+"h") {
		t.Errorf("%q", text)
	}
	if head := d.CSVHead([]string{"workload.scale.load"}); !strings.HasPrefix(head, "workload.scale.load,scheduler,label,mean-wait,mean-wait-low-95,mean-wait-high-95,mean-wait-runs,mean-wait-difference") {
		t.Error(head)
	}
}

// Intent: a difference is told apart exactly where the interval that is drawn for it
// leaves zero out, whether it is drawn in hours or relative to the other one.
func TestFilledLeavesZeroOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		repeats := rapid.IntRange(3, 6).Draw(t, "repeats")
		some := rapid.SliceOfN(rapid.Float64Range(1, 1e6), repeats, repeats)
		d := made(loads[:3], nil, repeats, func(int, int) (float64, float64) { return 0, 1 })
		m := &d.Measures[0]
		for k := range m.Gaps.Diffs {
			diff := result.Diff{Difference: metric.Sample{}.Compare(some.Draw(t, "a"), some.Draw(t, "b"), m.Row)}
			m.Gaps.Diffs[k] = diff
		}
		relative := m.relative()
		for k := range m.Gaps.Diffs {
			diff := m.Diff(k)
			v, low, high := drawn(&diff, relative)
			if _, filled := d.better(m, &diff); filled != (low > 0 || high < 0) || v < low || v > high {
				t.Fatalf("relative %v, filled %v: %v, %v to %v of %+v", relative, filled, v, low, high, diff)
			}
		}
	})
}

// Intent: over phases the lines have bands that are called so, in words, picture and file;
// nothing is called an interval, and what lies within the band is not told.
func TestBands(t *testing.T) {
	d := made(loads, nil, 5, func(l, _ int) (float64, float64) { return float64(l) - 2, 1.5 })
	m := &d.Measures[0]
	m.Sums.Band = make([]bool, len(m.Sums.Mean))
	for p := range d.Points {
		m.Sums.Band[p*len(d.Names)+d.A] = true
		m.Gaps.Diffs[p].Band = true
	}
	say := d.Say()
	all := say.Line + " " + say.More
	if !strings.Contains(all, "no difference beyond the band") && !strings.Contains(all, "No difference beyond the band") || strings.Contains(all, "no clear difference") || !strings.Contains(all, "what Slurm itself leaves open") {
		t.Error(all)
	}
	p := d.Lines(900, 500, say)
	if strings.Count(string(p.SVG()), ` opacity="0.35"`) != 1 || strings.Count(string(p.SVG()), ` opacity="0.1"`) != 2 || strings.Contains(string(p.SVG()), "interval") || !strings.Contains(string(p.SVG()), "band over 5") {
		t.Error(p.SVG())
	}
	d.Axes[0].At = nil // choices
	if p := d.Lines(900, 500, say); strings.Count(string(p.SVG()), `stroke-opacity=".35"`) != len(loads) {
		t.Error(p.SVG())
	}
	if got := d.gap(m, &m.Gaps.Diffs[2]); !strings.HasPrefix(got, report.VerdictBand) {
		t.Error(got)
	}
	head := d.CSVHead(nil)
	if !strings.HasSuffix(head, ",mean-wait-least,mean-wait-greatest,mean-wait-difference-least,mean-wait-difference-greatest,mean-wait-relative-least,mean-wait-relative-greatest\r\n") {
		t.Error(head)
	}
	cells := gapCells(&result.Diff{Difference: metric.Sample{By: report.ByPhases}.Compare([]float64{12, 18}, []float64{10, 10}, m.Row)})
	if got := strings.Join(cells[0], ",") + " " + strings.Join(cells[1], ","); got != "5,,,2,0.5,, 2,8,0.2,0.8" {
		t.Error(got)
	}
	cells = gapCells(&result.Diff{Difference: metric.Sample{}.Compare([]float64{12, 18, 15}, []float64{10, 10, 10}, m.Row)})
	if got := strings.Join(cells[1], ","); got != ",,," || cells[0][1] == "" {
		t.Error(cells)
	}
}
