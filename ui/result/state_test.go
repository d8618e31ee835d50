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
