package result

import (
	"math"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/ui/words"
)

// A difference is written with sign and unit; one that would be zeros says so.
func TestDiffText(t *testing.T) {
	wait, use := catalog.FindMetric("mean-wait"), catalog.FindMetric("utilization")
	for _, c := range []struct {
		row      *catalog.Metric
		mean     float64
		relative float64
		want     string
	}{
		{wait, -5, -0.69, "−69 %"}, {wait, 5, 0.05, "+5.0 %"}, {wait, 5, 12, "× 13.0"}, {wait, 0.1, 0.0001, Nearly},
		{wait, 60, math.NaN(), "+60 s"}, {use, 0.018, 0.02, "+1.8 pt"}, {use, -0.0001, -0.0002, Nearly},
	} {
		got := DiffText(c.row, Diff{Difference: metric.Difference{Mean: c.mean, N: 3, Relative: c.relative}, Sure: true})
		if got != strings.ReplaceAll(c.want, " ", words.NB) && got != c.want {
			t.Errorf("%s %v %v: %q, want %q", c.row.Key, c.mean, c.relative, got, c.want)
		}
	}
	util, licences, nan := catalog.FindMetric("utilization"), catalog.FindMetric("licence-usage"), math.NaN()
	diff := func(d metric.Difference) Diff { return Diff{Difference: d} }
	for _, c := range []struct {
		row  *catalog.Metric
		d    Diff
		want string
	}{
		{wait, diff(metric.Difference{Mean: -60, N: 5, Base: 100, Relative: -.6, Low: -.68, High: -.5, Quotient: true}), "−68 to −50 %"},
		{wait, diff(metric.Difference{Mean: -60, N: 5, Base: 200, Relative: -.3, Low: -.52, High: .019, Quotient: true}), "−52 to +2 %"},
		{wait, diff(metric.Difference{Mean: -6, N: 5, Base: 200, Relative: -.03, Low: -.052, High: .019, Quotient: true}), "−5.2 to +1.9 %"},
		{wait, diff(metric.Difference{Mean: -60, N: 5, Base: 100, Relative: -.99, Low: -.9982, High: -.5, Quotient: true}), "−99.8 to −50 %"},
		{wait, diff(metric.Difference{Mean: 600, N: 5, Base: 100, Relative: 6, Low: 1.5, High: 20, Quotient: true}), "× 2.5 to × 21.0"},
		{wait, diff(metric.Difference{Mean: -60, N: 5, Base: 200, Relative: -.3, Low: nan, High: nan}), ""},
		{wait, diff(metric.Difference{N: 4, Same: true}), ""},
		{wait, Diff{}, ""}, // of the baseline itself
		{wait, diff(metric.Difference{Mean: 60, N: 5, Relative: nan, Low: -30, High: 150}), "−30 s to +2 min"},
		{util, diff(metric.Difference{Mean: .02, N: 5, Base: .5, Relative: .04, Low: .009, High: .031}), "+0.9 to +3.1 pt"},
		{licences, diff(metric.Difference{Mean: 12.1, N: 5, Base: 31, Relative: .39, Low: 4.6, High: 19.6}), "+4.6 to +19.6 pt"},
	} {
		if got := strings.ReplaceAll(RangeText(c.row, c.d), words.NB, " "); got != c.want {
			t.Errorf("interval of %+v: %q, want %q", c.d, got, c.want)
		}
	}
	if got := DiffText(wait, diff(metric.Difference{N: 3, Same: true})); got != "same" {
		t.Errorf("no difference: %q", got)
	}
}

// Intent: "same" is said only where no pair differs in anything: of two pairs that are
// far apart the mean may be about zero, which says nothing, and no word or digit may
// say that it does.
func TestSameOnlyWhereNothingDiffers(t *testing.T) {
	wait := catalog.FindMetric("mean-wait")
	apart := func(a, b []float64) Diff {
		d := Diff{Difference: metric.Sample{}.Compare(a, b, wait)}
		d.Sure = d.Certainty >= metric.Probably
		return d
	}
	for _, c := range []struct {
		a, b         []float64
		untold, text string
	}{
		{[]float64{7, 9}, []float64{7, 9}, "same", "same"},
		{[]float64{1000, 30000}, []float64{30000, 1000}, "no interval", "+0.0 %"},
		{[]float64{1000, 30000, 500}, []float64{30000, 1000, 500}, "no clear difference", "+0.0 %"},
		{[]float64{7, 9}, []float64{7, 9.000001}, "no interval", "−0.0 %"},
		{[]float64{7}, []float64{7.0000001}, "", Nearly}, // of one workload it is what came of it
	} {
		d := apart(c.a, c.b)
		if got := Untold(&d); got != c.untold {
			t.Errorf("%v against %v: %q, want %q", c.a, c.b, got, c.untold)
		}
		if got := strings.ReplaceAll(DiffText(wait, d), words.NB, " "); got != c.text {
			t.Errorf("%v against %v: %q, want %q", c.a, c.b, got, c.text)
		}
	}
}

// A difference stands beside the interval by which it is told; what is left of a wait
// is never rounded to nothing; and very different waits are told in plain words.
func TestDifferencesAsTold(t *testing.T) {
	wait, util := catalog.FindMetric("mean-wait"), catalog.FindMetric("utilization")
	far := Diff{Difference: metric.Difference{Mean: -15240, N: 3, Base: 21540, Relative: -.71, Low: -.8, High: -.6, Quotient: true}}
	share := Diff{Difference: metric.Difference{Mean: .121, N: 5, Base: .5, Relative: .242, Low: .046, High: .196}}
	none := far
	none.Low, none.High, none.Quotient = math.NaN(), math.NaN(), false
	for _, c := range []struct {
		row  *catalog.Metric
		d    Diff
		want string
	}{{wait, far, "−4 h 14 m (−71 %, −80 to −60 %)"}, {wait, none, "−4 h 14 m"}, {util, share, "+12.1 pt (+4.6 to +19.6 pt)"}} {
		if got := strings.ReplaceAll(GapText(c.row, c.d), words.NB, " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for relative, want := range map[float64]string{-.71: "71 % less under B than under A", -.998: "99.8 % less under B than under A", -.99999: "99.9 % less under B than under A", -1: "100 % less under B than under A", 50.8: "51.8 times as long under B as under A"} {
		d := Diff{Difference: metric.Difference{Mean: relative, N: 1, Base: 1, Relative: relative, Low: math.NaN()}}
		if got := strings.ReplaceAll(than(lessBy(wait, d), "B", "A"), words.NB, " "); got != want {
			t.Errorf("%v: %q, want %q", relative, got, want)
		}
	}
	for _, c := range []struct {
		low, high float64
		want      string
	}{{-.75, -.61, "61 to 75 % less"}, {.1, 2, "10 to 200 % longer"}, {-.4, .25, "40 % less to 25 % longer"}, {-.052, .019, "5.2 % less to 1.9 % longer"}, {2, 11, "× 3.0 to × 12.0"}} {
		d := Diff{Difference: metric.Difference{N: 5, Base: 1, Relative: (c.low + c.high) / 2, Low: c.low, High: c.high, Quotient: true}}
		if got := strings.ReplaceAll(rangeOf(wait, d), words.NB, " "); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}
