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
		got := DiffText(c.row, Diff{Difference: metric.Difference{Mean: c.mean, N: 3, Relative: c.relative}})
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
		{wait, diff(metric.Difference{Mean: -60, Half: 9, N: 5, Base: 100, Relative: -.6, RelativeHalf: .08}), "± 8.0"},
		{wait, diff(metric.Difference{Mean: -60, Half: 30, N: 5, Base: 200, Relative: -.3, RelativeHalf: .146}), "± 15"},
		{wait, diff(metric.Difference{Mean: -60, Half: 30, N: 2, Base: 200, Relative: -.3, RelativeHalf: .15}), ""},
		{wait, diff(metric.Difference{Mean: -60, Half: nan, N: 5, Base: 200, Relative: -.3, RelativeHalf: nan}), ""},
		{wait, diff(metric.Difference{N: 4, Same: true}), ""},
		{wait, diff(metric.Difference{Mean: 60, Half: 90, N: 5, Relative: nan, RelativeHalf: nan}), "± 90 s"},
		{util, diff(metric.Difference{Mean: .02, Half: .011, N: 5, Base: .5, Relative: .04, RelativeHalf: .5}), "± 1.1"},
		{licences, diff(metric.Difference{Mean: 12.1, Half: 7.5, N: 5, Base: 31, Relative: .39, RelativeHalf: .24}), "± 7.5"},
	} {
		if got := strings.ReplaceAll(HalfText(c.row, c.d), words.NB, " "); got != c.want {
			t.Errorf("interval of %+v: %q, want %q", c.d, got, c.want)
		}
	}
	if got := DiffText(wait, diff(metric.Difference{N: 3, Same: true})); got != "same" {
		t.Errorf("no difference: %q", got)
	}
}

// A difference stands beside the interval by which it is told apart, so that nobody
// reads "better" beside an interval that holds zero; what is left of a wait is never
// rounded to nothing; and very different waits are told in plain words.
func TestDifferencesAsTold(t *testing.T) {
	wait, util := catalog.FindMetric("mean-wait"), catalog.FindMetric("utilization")
	far := Diff{Difference: metric.Difference{Mean: -15240, Half: 64860, N: 3, Base: 21540, Relative: -.71, RelativeHalf: .09}}
	if !far.Certain(wait.Points()) {
		t.Fatal("not told apart by the relative difference")
	}
	share := Diff{Difference: metric.Difference{Mean: .121, Half: .075, N: 5, Base: .5, Relative: .242, RelativeHalf: .3}}
	two := far
	two.N = 2
	for _, c := range []struct {
		row  *catalog.Metric
		d    Diff
		want string
	}{{wait, far, "−4 h 14 m (−71 % ± 9.0)"}, {wait, two, "−4 h 14 m"}, {util, share, "+12.1 pt ± 7.5"}} {
		if got := strings.ReplaceAll(GapText(c.row, c.d), words.NB, " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for relative, want := range map[float64]string{-.71: "71 % less under B than under A", -.998: "99.8 % less under B than under A", -.99999: "99.9 % less under B than under A", -1: "100 % less under B than under A", 50.8: "51.8 times as long under B as under A"} {
		d := Diff{Difference: metric.Difference{Mean: relative, N: 1, Base: 1, Relative: relative, RelativeHalf: math.NaN()}}
		if got := strings.ReplaceAll(longer(wait, d, " under B", "A"), words.NB, " "); got != want {
			t.Errorf("%v: %q, want %q", relative, got, want)
		}
	}
}
