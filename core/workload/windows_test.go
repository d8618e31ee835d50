package workload

import (
	"errors"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/swf"
)

// Each job stands in the window ⌊(submit − origin) ÷ length⌋ and in no other,
// with its own times and its own truth; jobs before the origin stand in none.
func TestCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		w := &model.Workload{Processors: 4}
		at := model.Time(r.IntN(50) - 25)
		for i := range 1 + r.IntN(40) {
			at += model.Time(r.IntN(30))
			w.Jobs = append(w.Jobs, model.Job{Number: int64(i), Submit: at, Limit: 1, Procs: 1})
			w.Truth = append(w.Truth, model.Truth{Run: model.Time(i)})
		}
		length, origin := model.Time(1+r.IntN(40)), model.Time(r.IntN(60)-30)
		windows, left, err := Cut(w, length, origin)
		before := 0
		for before < len(w.Jobs) && w.Jobs[before].Submit < origin {
			before++
		}
		if left != before {
			t.Fatalf("%d left out, %d stand before %d", left, before, origin)
		}
		if before == len(w.Jobs) {
			if !errors.Is(err, ErrNoJobs) {
				t.Fatalf("no job is left: %v", err)
			}
			continue
		}
		next := before
		for i, v := range windows {
			if v.Index != i || v.From != origin+model.Time(i)*length || v.To != v.From+length || v.First != next {
				t.Fatalf("window %d: %d, %d … %d, from job %d", i, v.Index, v.From, v.To, v.First)
			}
			for k, j := range v.Workload.Jobs {
				if j != w.Jobs[next] || v.Workload.Truth[k] != w.Truth[next] || (j.Submit-origin)/length != model.Time(i) {
					t.Fatalf("window %d holds job %d, submitted at %d", i, j.Number, j.Submit)
				}
				next++
			}
		}
		if next != len(w.Jobs) {
			t.Fatalf("%d of %d jobs are in a window", next, len(w.Jobs))
		}
	}
}

// Nonsense is refused before it takes memory.
func TestCutRefuses(t *testing.T) {
	w := &model.Workload{Jobs: []model.Job{{Submit: 0}, {Submit: 1 << 40}}, Truth: make([]model.Truth, 2)}
	for _, length := range []model.Time{0, -5, 1} {
		if _, _, err := Cut(w, length, 0); err == nil {
			t.Errorf("windows of %d s are cut", length)
		}
	}
}

// A job that states no requested time keeps its run time for it, or is left
// out and counted.
func TestNoRequest(t *testing.T) {
	for rule, want := range map[string]int{"": 2, NoRequestRun: 2, NoRequestDrop: 1} {
		l, err := swf.Parse([]byte("; MaxProcs: 4\n1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n2 5 0 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"))
		if err != nil {
			t.Fatal(err)
		}
		w, clean, err := FromLog(l, Options{NoRequest: rule})
		if err != nil || len(w.Jobs) != want || len(clean.Counts) != 1 || clean.Counts[0].Drops != (want == 1) {
			t.Errorf("%q: %v, %+v", rule, err, clean)
		}
	}
	if _, _, err := FromLog(&swf.Log{}, Options{NoRequest: "guess"}); err == nil {
		t.Error("a rule that is none is accepted")
	}
}
