package metric

import (
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/report"
)

// Intent: what is printed beside the ends of an interval does not contradict them:
// half its width stands only where the ends lie as far from the value, which those on
// the logarithm do not; studies get the plain intervals that papers print.
func TestHalfOnlyWhereEven(t *testing.T) {
	runs := func(key string, values ...float64) []*report.Run {
		list := runsOf(values...)
		for _, r := range list {
			r.Metrics[0].Key = key
		}
		return list
	}
	both := func(key string, a, b []float64) report.Comparison {
		list := runs(key, b...)
		for _, r := range runs(key, a...) {
			r.Scheduler = 1
			list = append(list, r)
		}
		return SideBySide(list, 0)[1]
	}
	near := func(p *float64, v float64) bool { return p != nil && *p > v*(1-1e-9) && *p < v*(1+1e-9) }
	c := both("mean-wait", []float64{50, 80, 60}, []float64{100, 120, 90})
	if c.Half != nil || c.DifferenceHalf != nil || c.Low == nil || c.DifferenceLow == nil || *c.DifferenceLow >= *c.Difference || c.PlainHalf == nil || c.PlainDifferenceHalf == nil {
		t.Errorf("on the logarithm: %+v", c)
	}
	c = both("utilization", []float64{.5, .52, .51}, []float64{.6, .65, .61})
	if !near(c.Half, *c.High-c.Mean) || !near(c.Half, *c.PlainHalf) || !near(c.DifferenceHalf, *c.DifferenceHigh-*c.Difference) || !near(c.DifferenceHalf, *c.PlainDifferenceHalf) {
		t.Errorf("of shares: %+v", c)
	}
	c = both("utilization", []float64{.02, .2, .01}, []float64{.9, .65, .99}) // cut at what can be
	if c.Half != nil || *c.Low != 0 {
		t.Errorf("cut at 0: %+v", c)
	}
}

// Intent: a log of which others could be drawn, but were not, is one log: its interval
// is that of one log alone, and none where there is none.
func TestNothingDrawn(t *testing.T) {
	own := Own{Known: true, Users: .01, Days: .02, Alike: 20}
	for _, key := range []string{"mean-wait", "mean-bounded-slowdown", "p95-wait", "max-wait"} {
		row := catalog.FindMetric(key)
		want := Sample{Own: own}.Compare([]float64{7}, []float64{10}, row)
		for _, by := range []string{"users", "weeks", "shake"} {
			s := Sample{By: by, Pieces: 9, Log: true, Own: own}
			if d := s.Compare([]float64{7}, []float64{10}, row); d.Has() != want.Has() || d.Has() && (d.Low != want.Low || d.How != report.ByLog) || d.Why != want.Why {
				t.Errorf("%s, %s: %+v, want %+v", key, by, d, want)
			}
		}
	}
	if d := (Sample{By: "users", Pieces: 9, Log: true}).Compare([]float64{7}, []float64{10}, catalog.FindMetric("p95-wait")); d.Has() {
		t.Errorf("an interval of nothing: %+v", d)
	}
}
