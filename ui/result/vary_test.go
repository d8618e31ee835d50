package result

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// Intent: means, intervals and differences of a sweep are those that the plain
// comparison of runs gives, copies and draws included.
func TestSweepAgreesWithRuns(t *testing.T) {
	preset, err := experiment.Preset(catalog.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		repeat := rapid.IntRange(1, 5).Draw(t, "repeat")
		doc := *preset.Clone()
		for i := range doc.Schedulers {
			doc.Schedulers[i].Repeat = int64(repeat)
		}
		doc.Vary = []experiment.Axis{{Path: "workload.scale.load", Values: []experiment.Value{"1", "2"}}}
		w, err := newSweep(&doc)
		if err != nil {
			t.Fatal(err)
		}
		drawn, copies, phases := rapid.Bool().Draw(t, "drawn"), rapid.Bool().Draw(t, "copies"), rapid.Bool().Draw(t, "phases")
		ids, _ := w.Items.Of(nil)
		p := engine.SweepPart{From: w.Items.First(1)}
		var plain []*report.Run
		for _, id := range ids {
			one := &report.Run{Scheduler: id.Scheduler, Repetition: id.Repetition, Workload: fmt.Sprint(id.Repetition), Copy: copies && id.Repetition > 0}
			if drawn && !copies {
				one.Draws = &report.Draws{By: "weeks", Pieces: 30}
			}
			if phases { // of the last scheduler alone
				if one.Workload, one.Draws, one.Copy = "0", nil, id.Repetition > 0; id.Scheduler == len(doc.Schedulers)-1 {
					one.Draws, one.Copy = &report.Draws{By: report.ByPhases}, false
				}
			}
			for _, key := range catalog.MetricKeys() {
				one.Metrics = append(one.Metrics, report.Value{Key: key, Value: float64(rapid.IntRange(0, 5).Draw(t, "v")), Valid: rapid.IntRange(0, 9).Draw(t, "valid") > 0})
				if one.Copy {
					first := plain[slices.IndexFunc(plain, func(r *report.Run) bool { return r.Scheduler == id.Scheduler })]
					one.Metrics[len(one.Metrics)-1] = first.Metrics[len(one.Metrics)-1]
				}
			}
			var swept report.Swept
			swept, p.Values = report.NewSwept(one, p.Values)
			p.Runs = append(p.Runs, swept)
			plain = append(plain, one)
		}
		w.take(&p)
		of := func(i int) (list []*report.Run) {
			for _, r := range plain {
				if r.Scheduler == i {
					list = append(list, r)
				}
			}
			return list
		}
		near := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		for _, row := range catalog.Metrics[:8] {
			sums, _ := w.Sums(row.Key, 10)
			for i := range doc.Schedulers {
				at := len(doc.Schedulers) + i
				want := spread(metric.Measured(of(i), row.Key), row.Key)
				if want.N == 0 {
					want.Mean = math.NaN()
				}
				if got := sums.Band != nil && sums.Band[at]; got != want.Band {
					t.Fatalf("%s of %d: a band %v, want %v", row.Key, i, got, want.Band)
				}
				if !near(sums.Mean[at], want.Mean) || !near(sums.Low[at], want.Low) || !near(sums.High[at], want.High) || int(sums.N[at]) != want.N {
					t.Fatalf("%s of %d: %v, %v to %v of %d, want %+v", row.Key, i, sums.Mean[at], sums.Low[at], sums.High[at], sums.N[at], want)
				}
			}
			for _, pair := range [][2]int{{1, 0}, {2, 0}, {0, 2}} {
				gaps, _ := w.Gaps(row.Key, pair[0], pair[1], 10)
				if want := judged(&row, metric.CompareRuns(of(pair[0]), of(pair[1]), &row)); !reflect.DeepEqual(fmt.Sprint(gaps.Diffs[1]), fmt.Sprint(want)) && want.N > 0 {
					t.Fatalf("%s: %+v, want %+v", row.Key, gaps.Diffs[1], want)
				}
			}
		}
	})
}

// Intent: 10,000 points of 3 schedulers take the memory of their measures and
// little more, and no call computes more points than it may.
func TestMemoryOfLargeSweeps(t *testing.T) {
	values := make([]string, 10_000)
	for i := range values {
		values[i] = strconv.Itoa(i + 1)
	}
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"fcfs"},{"key":"easy"},{"key":"conservative"}],
		"vary":[{"path":"seed","values":[` + strings.Join(values, ",") + `]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	w, err := newSweep(doc)
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < w.Total; from += 300 {
		p := engine.SweepPart{From: from, Runs: make([]report.Swept, min(300, w.Total-from))}
		for i := range p.Runs {
			p.Runs[i].Scheduler = int32((from + i) % 3)
		}
		p.Values = make([]float64, len(p.Runs)*len(catalog.MetricKeys()))
		w.take(&p)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if w.PointsDone() != 10_000 {
		t.Fatalf("%d points", w.PointsDone())
	}
	kept, measures := after.HeapAlloc-before.HeapAlloc, uint64(w.Total*w.width*8)
	if kept > measures*5/4+8<<20 {
		t.Errorf("%d MB are kept for %d MB of measures", kept>>20, measures>>20)
	}
	calls, rest := 0, true
	for rest {
		sums := (*Sums)(nil)
		if sums, rest = w.Sums("mean-wait", 1000); sums == nil {
			t.Fatal("no sums")
		}
		calls++
	}
	if calls != 10 && calls != 11 {
		t.Errorf("10,000 points are summed up in %d calls of 1,000", calls)
	}
}
