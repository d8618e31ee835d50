//go:build !small

package lab

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// plainGaps is gaps with a time for each processor.
type plainGaps struct {
	since []model.Time
	list  []report.Away
}

func (g *plainGaps) end(spans []report.Span, at model.Time) {
	for _, s := range spans {
		for p := s.First; p < s.First+s.Count; p++ {
			g.since[p] = at
		}
	}
}

func (g *plainGaps) begin(h *model.Hold, spans []report.Span) {
	for _, s := range spans {
		for p := s.First; p < s.First+s.Count; {
			q := p + 1
			for q < s.First+s.Count && g.since[q] == g.since[p] {
				q++
			}
			if g.since[p] < h.From {
				g.list = append(g.list, report.Away{From: g.since[p], To: h.From, Entry: s.Job, Kind: report.HeldBefore, First: p, Count: q - p})
			}
			p = q
		}
	}
}

// What stands idle before reservations is kept by stretches of processors and
// comes out as it does processor by processor.
func TestGapsByStretches(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		procs := 1 + rng.Int32N(40)
		plain, g := &plainGaps{since: make([]model.Time, procs)}, &gaps{idle: []idle{{}}}
		for at := model.Time(1); at < 60; at++ {
			first := rng.Int32N(procs)
			spans := []report.Span{{Job: model.JobID(at), First: first, Count: 1 + rng.Int32N(procs-first)}}
			if rng.IntN(2) == 0 {
				plain.end(spans, at/2)
				g.end(spans, at/2)
			} else {
				h := &model.Hold{Reserved: true, From: at / 2}
				plain.begin(h, spans)
				g.begin(h, spans)
			}
		}
		if !slices.Equal(plain.list, g.list) {
			t.Fatalf("seed %d:\n%v\n%v", seed, g.list, plain.list)
		}
	}
}

// A damaged header may state 2^31 − 1 processors: memory follows from the jobs, not from
// the processors, with reservations, too. Found by a mutated log.
func TestMachineOfManyProcessors(t *testing.T) {
	text := []byte("; MaxProcs: 2147483647\n")
	for i := range 40 {
		text = fmt.Appendf(text, "%d %d 0 800 %d -1 -1 %d 900 -1 1 1 1 -1 1 -1 -1 -1\n", i+1, i*100, 1+i, 1+i)
	}
	log, err := workload.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"fcfs", "easy", "conservative", "grid"} {
		e, err := experiment.Decode(fmt.Appendf(nil, `{"batchlab":1,"workload":{"source":{"log":{"name":"m.swf","sha256":"%064x","size":%d}},"annotate":{"reservations":{"share":0.5}}},"schedulers":[{"key":%q}]}`, 1, len(text), key))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Prepare(e, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := p.Run(RunID{}, Options{Columns: true})
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 100<<20 {
			t.Errorf("%s takes %d MB for 40 jobs", key, used>>20)
		}
		if len(got.Schedule.Holds) == 0 {
			t.Errorf("%s: nothing was reserved", key)
		}
	}
}
