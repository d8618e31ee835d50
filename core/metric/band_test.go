package metric

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/catalog"
	"batchlab/core/report"
)

// phased makes runs over the same jobs, one a phase.
func phased(values ...float64) []*report.Run {
	runs := runsOf(values...)
	for _, r := range runs {
		r.Workload, r.Draws = "a", &report.Draws{By: report.ByPhases}
	}
	return runs
}

// Intent: over phases a scheduler has a band from its least to its greatest value with the
// median between, never an interval; another one lies outside it only where it is below or
// above in every phase, and a band that just touches it holds it.
func TestBandByHand(t *testing.T) {
	row := catalog.FindMetric("mean-wait")
	slurm := phased(12, 18, 15, 21)
	values, s := Values(Measured(slurm, row.Key))
	if e := s.Estimate(values, row); e != (Estimate{16.5, 12, 21, 4, true}) {
		t.Errorf("%+v", e)
	}
	for _, c := range []struct {
		name               string
		mine, base         []*report.Run
		least, mid, most   float64 // of the difference
		low, quotient, top float64 // relative
		verdict            string
	}{
		{"EASY below", slurm, copyAll(runsOf(10, 10, 10, 10)), 2, 6.5, 11, .2, .65, 1.1, report.VerdictWorse},
		{"the other way round", copyAll(runsOf(10, 10, 10, 10)), slurm, -11, -6.5, -2, 10./21 - 1, (10./18+10./15)/2 - 1, 10./12 - 1, report.VerdictBetter},
		{"EASY within", slurm, copyAll(runsOf(15, 15, 15, 15)), -3, 1.5, 6, -.2, .1, .4, report.VerdictBand},
		{"EASY at the edge", slurm, copyAll(runsOf(12, 12, 12, 12)), 0, 4.5, 9, 0, .375, .75, report.VerdictBand},
		{"phase by phase", phased(13, 19, 16, 22), slurm, 1, 1, 1, 22./21 - 1, (19./18+16./15)/2 - 1, 13./12 - 1, report.VerdictWorse},
	} {
		d := CompareRuns(c.mine, c.base, row)
		low, high := d.Ends()
		near := func(got, want float64) bool { return math.Abs(got-want) < 1e-12 }
		if !d.Band || d.N != 4 || low != c.least || d.Mean != c.mid || high != c.most || !near(d.Low, c.low) || !near(d.Relative, c.quotient) || !near(d.High, c.top) || d.Verdict(row) != c.verdict {
			t.Errorf("%s: %+v, %v to %v, %s", c.name, d, low, high, d.Verdict(row))
		}
	}
	if d := CompareRuns(slurm[:1], runsOf(10), row); d.Band || d.Verdict(row) != report.VerdictSingle {
		t.Errorf("one phase: %+v", d)
	}
	if d := CompareRuns(slurm, slurm, row); d.Verdict(row) != report.VerdictSame {
		t.Errorf("itself: %+v", d)
	}
	free := catalog.FindMetric("utilization")
	if d := (Sample{By: report.ByPhases}).Compare([]float64{.5, .6}, []float64{.4, .4}, free); d.Quotient || math.Abs(d.Low-.1) > 1e-12 || math.Abs(d.High-.2) > 1e-12 || d.Verdict(free) != report.VerdictBetter {
		t.Errorf("a share: %+v", d)
	}
	if d := (Sample{By: report.ByPhases}).Compare([]float64{5, 6}, []float64{0, 0}, row); d.Quotient || d.Low != 5 || d.High != 6 || !math.IsNaN(d.Relative) || d.Verdict(row) != report.VerdictWorse {
		t.Errorf("nobody waits under the other: %+v", d)
	}
}

// Intent: what is printed and written of phases has least, median and greatest by these
// names and no end of an interval; of all else it has nothing of a band.
func TestBandIsNoInterval(t *testing.T) {
	slurm := phased(12, 18, 15, 23)
	easy := copyAll(runsOf(10, 10, 10, 10))
	for _, r := range slurm {
		r.Scheduler = 1
	}
	list := SideBySide(append(easy, slurm...), 0)
	text, err := json.Marshal(list[1])
	if err != nil {
		t.Fatal(err)
	}
	const want = `"mean":17,"half":null,"low":null,"high":null,"repetitions":4,"difference":7,"difference_half":null,"difference_low":null,"difference_high":null,"pairs":4,"without":"what phases differ by is a band and no interval","band":[12,16.5,23],"difference_band":[2,6.5,13],"relative_band":[0.2`
	if !strings.Contains(string(text), want) || !strings.Contains(string(text), `"verdict":"worse"`) {
		t.Errorf("%s", text)
	}
	if text, _ := json.Marshal(list[0]); bytes.Contains(text, []byte("band")) {
		t.Errorf("%s", text)
	}
	lines := strings.Split(string(report.ComparisonCSV(list)), "\n")
	if want := ",17,,,4,7,,,,,,4,,what phases differ by is a band and no interval,worse,12,16.5,23,2,6.5,13,0.2"; !strings.Contains(lines[2], want) {
		t.Errorf("%s", lines[2])
	}
	if n := strings.Count(lines[0], ","); strings.Count(lines[1], ",") != n || strings.Count(lines[2], ",") != n {
		t.Errorf("%q", lines)
	}
	found := Caveats(append(easy, slurm...))
	if len(found) == 0 || found[len(found)-1].Reason != report.OneWorkload {
		t.Errorf("phases are taken for workloads: %+v", found)
	}
}

// Intent: a band is what a plain count says: nobody below the least, nobody above the
// greatest, as many on either side of the median; and its word is what all phases say.
func TestBandIsPlain(t *testing.T) {
	row := catalog.FindMetric("mean-wait")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "phases")
		draw := func(name string) []float64 {
			list := make([]float64, n)
			for i := range list {
				list[i] = float64(rapid.IntRange(1, 9).Draw(t, name))
			}
			return list
		}
		a, b := draw("a"), draw("b")
		e := Sample{By: report.ByPhases}.Estimate(a, row)
		below, above, least, most := 0, 0, false, false
		for _, v := range a {
			if v < e.Low || v > e.High {
				t.Fatalf("%v of %v", v, e)
			}
			least, most = least || v == e.Low, most || v == e.High
			if v < e.Value {
				below++
			}
			if v > e.Value {
				above++
			}
		}
		if !least || !most || 2*below > n || 2*above > n {
			t.Fatalf("%v: %+v", a, e)
		}
		d := Sample{By: report.ByPhases}.Compare(a, b, row)
		under, over := 0, 0
		for i := range a {
			if a[i] < b[i] {
				under++
			}
			if a[i] > b[i] {
				over++
			}
		}
		want := report.VerdictBand
		switch {
		case under == n:
			want = report.VerdictBetter
		case over == n:
			want = report.VerdictWorse
		case under+over == 0:
			want = report.VerdictSame
		}
		if got := d.Verdict(row); got != want {
			t.Fatalf("%v against %v: %s, want %s", a, b, got, want)
		}
	})
}
