package state

import (
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/look"
)

// classed ends all runs of a store of two or three schedulers: waits[i][k] are the
// mean waits of the classes of 1, 2–4, … processors under scheduler i, noise what
// a repetition adds to one of them, as a factor.
func classed(s *Store, f *fake, waits [][]float64, jobs []int, noise func(scheduler, class, repetition int) float64) {
	for at, r := range s.Runs {
		one := &report.Run{Scheduler: r.Scheduler, Repetition: r.Repetition, Processors: 64, Workload: strings.Repeat("w", r.Repetition+1), Copy: noise == nil && r.Repetition > 0}
		if noise == nil {
			one.Workload = "w"
		}
		sum, n, from := 0.0, 0, int32(1)
		for k, w := range waits[r.Scheduler] {
			if noise != nil {
				w *= 1 + noise(r.Scheduler, k, r.Repetition)
			}
			to := from
			if k > 0 {
				to = 1 << (2 * k)
			}
			one.Classes = append(one.Classes, report.Class{ProcsFrom: from, ProcsTo: to, Jobs: jobs[k], MeanWait: w})
			sum, n, from = sum+w*float64(jobs[k]), n+jobs[k], to+1
		}
		one.Metrics = []report.Value{{Key: "mean-wait", Value: sum / float64(n), Valid: true}}
		f.runs[len(f.runs)-1].event(engine.Event{Run: at, Status: engine.Done, Result: one})
	}
}

// Intent: the sentence names the classes that gain and pay most, says "most" and
// "least" only where nothing else comes near, and nothing of classes of few jobs
// or of differences too small to matter.
func TestForWhom(t *testing.T) {
	for _, c := range []struct {
		easy, fcfs []float64
		jobs       []int
		want       string
	}{
		{[]float64{680, 900, 1180}, []float64{1000, 1000, 1000}, []int{100, 100, 100}, "One-processor jobs wait 32 % less, the most; jobs of 5 to 16 processors wait 18 % longer."},
		{[]float64{100, 500, 900}, []float64{1000, 1000, 1000}, []int{100, 100, 100}, "One-processor jobs wait 90 % less, the most; jobs of 5 to 16 processors wait 10 % less, the least."},
		{[]float64{100, 500, 900}, []float64{1000, 1000, 1000}, []int{100, 100, 29}, "One-processor jobs wait 90 % less, the most."},
		{[]float64{1001, 1002}, []float64{1000, 1000}, []int{100, 100}, ""},
		{[]float64{1000, 1900}, []float64{1000, 1000}, []int{100, 100}, "Jobs of 2 to 4 processors wait 90 % longer."},
		{[]float64{9, 500, 700}, []float64{0, 1000, 1000}, []int{100, 100, 100}, "Jobs of 2 to 4 processors wait 50 % less, the most; jobs of 5 to 16 processors wait 30 % less, the least."},
		{[]float64{20, 1000, 2000}, []float64{10, 1000, 2100}, []int{100, 100, 100}, "Jobs of 5 to 16 processors wait 4.8 % less."},
	} {
		s, f := logged(t, 200, 40)
		classed(s, f, [][]float64{c.fcfs, c.easy}, c.jobs, nil)
		s.Pick(1)
		if got := plainSpaces(s.ForWhom(1, 0)); got != c.want {
			t.Errorf("%v against %v: %q, want %q", c.easy, c.fcfs, got, c.want)
		}
		if got := s.Finding().More; c.want != "" && !strings.HasPrefix(plainSpaces(got), c.want) {
			t.Errorf("not in %q", got)
		}
	}
}

// manyGains is two runs of n jobs of two classes, one of which gains while the other pays.
func manyGains(t *testing.T, n int) *Store {
	s, f := logged(t, 200, 40)
	classed(s, f, [][]float64{{1000, 1000}, {700, 1200}}, []int{n / 2, n / 2}, nil)
	jobs := &report.Jobs{}
	for i := range n {
		jobs.Number, jobs.Submit = append(jobs.Number, int64(i+1)), append(jobs.Submit, model.Time(i*60))
		jobs.Procs, jobs.User = append(jobs.Procs, int32(1+i%2)), append(jobs.User, int32(i%50))
	}
	s.Jobs[0] = jobs
	for k, r := range s.Runs {
		r.Result.Waves = &report.Waves{Days: 14}
		for i, at := range jobs.Submit {
			wait := model.Time(700 + 300*k + i%100)
			r.Result.Columns.Start, r.Result.Columns.End = append(r.Result.Columns.Start, at+wait), append(r.Result.Columns.End, at+wait+600)
		}
	}
	return s
}

// Intent: where a great many jobs are compared, classes are looked at one by one, with
// turns of others between them; the page is told when all are known, and what it says then
// is what it says where nothing has to wait.
func TestForWhomComesBitByBit(t *testing.T) {
	const n = 120_000
	s := manyGains(t, n)
	s.Pick(1)
	want := s.ForWhom(1, 0)
	s = manyGains(t, n)
	s.Pick(1)
	var later []func()
	s.Later = func(f func()) { later = append(later, f) }
	for turn := 0; ; turn++ {
		got := s.ForWhom(1, 0)
		if len(later) == 0 {
			if got != want || want == "" || turn != 2 {
				t.Errorf("after %d turns %q, want %q", turn, got, want)
			}
			return
		}
		version := s.Version
		f := later[0]
		later = later[1:]
		if f(); got != "" || (s.Version != version) != (len(later) == 0) {
			t.Fatalf("turn %d: %q, told %v, %d to come", turn, got, s.Version != version, len(later))
		}
	}
}

// Intent: the page asks for the sentence whenever it draws anything; only the first
// time it goes over the jobs, however many there are.
func TestForWhomIsWorkedOutOnce(t *testing.T) {
	const n = 20_000
	s := manyGains(t, n)
	s.Pick(1)
	text := s.ForWhom(1, 0)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	again := s.ForWhom(1, 0)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; text == "" || again != text || used > n {
		t.Errorf("%q takes %d bytes of memory a second time", again, used)
	}
}

var saidClass = regexp.MustCompile(`(?i)(?:one-processor jobs|jobs of (\d+)(?: to \d+)? processors?)(?: probably)? wait \S+ (?:% )?(less|longer|times)`)

// Intent: whatever the repeats give, no class is said to gain or to pay whose
// 95 % interval holds zero, and none against the sign of its difference: looked up
// in the runs by a plain loop.
func TestForWhomIsNeverWrong(t *testing.T) {
	said := 0
	rapid.Check(t, func(r *rapid.T) {
		s, f := logged(t, 200, 40)
		s.TakeOffer()
		const classes = 4
		waits := [][]float64{make([]float64, classes), make([]float64, classes)}
		spread := rapid.Float64Range(0, .8).Draw(r, "spread")
		for k := range classes {
			waits[0][k] = rapid.Float64Range(10, 5000).Draw(r, "fcfs")
			waits[1][k] = waits[0][k] * rapid.Float64Range(.7, 1.3).Draw(r, "factor")
		}
		seed := rapid.Uint64().Draw(r, "seed")
		noise := func(i, k, rep int) float64 {
			x := seed + uint64(i*1009+k*9176+rep*31337)
			x ^= x >> 31
			x *= 0x9e3779b97f4a7c15
			x ^= x >> 29
			return spread * (float64(x>>11)/(1<<53) - .5)
		}
		classed(s, f, waits, []int{50, 50, 50, 50}, noise)
		s.Pick(1)
		text := plainSpaces(s.ForWhom(1, 0))
		for _, m := range saidClass.FindAllStringSubmatch(text, -1) {
			said++
			from := int32(1)
			if m[1] != "" {
				if _, err := fmt.Sscan(m[1], &from); err != nil {
					t.Fatal(err)
				}
			}
			var differences []float64
			for i := range s.Runs {
				for k := range s.Runs {
					a, b := s.Runs[i].Result, s.Runs[k].Result
					if a.Scheduler != 1 || b.Scheduler != 0 || a.Repetition != b.Repetition {
						continue
					}
					for c := range a.Classes {
						if a.Classes[c].ProcsFrom == from {
							differences = append(differences, a.Classes[c].MeanWait-b.Classes[c].MeanWait)
						}
					}
				}
			}
			mean, half, n := metric.MeanCI(differences)
			if n != 21 || math.Abs(mean) <= half || (m[2] != "less") != (mean > 0) {
				t.Fatalf("%q, but jobs of %d processors differ by %v ± %v", text, from, mean, half)
			}
		}
	})
	if said == 0 {
		t.Error("no class was said to wait less or longer")
	}
}

// Intent: a class of jobs that only some of five repeats have is not spoken of, whatever
// it waited there and whichever repeats those are: no words and no interval rest on one
// repeat, none is "the least" beside it, and that there are too few of them is said.
func TestNoWordsOfOneRepeat(t *testing.T) {
	for have := range 1<<5 - 1 {
		s, f := opened(t)
		e := experiment.New()
		e.Workload.Source.Generator = &experiment.Generator{Key: "daily", Params: experiment.Defaults(catalog.FindGenerator("daily").Params)}
		for _, key := range []string{"conservative", "easy"} {
			if _, err := e.Add(key); err != nil {
				t.Fatal(err)
			}
			e.Schedulers[len(e.Schedulers)-1].Repeat = 5
		}
		s.Open(e, "", true)
		f.answer(&report.Preview{Name: "daily", Jobs: 1500, Processors: 64}, nil)
		for at, r := range s.Runs {
			x := float64(r.Scheduler)
			one := &report.Run{Scheduler: r.Scheduler, Repetition: r.Repetition, Processors: 64, Jobs: 1500, Workload: strings.Repeat("w", r.Repetition+1)}
			one.Classes = []report.Class{{ProcsFrom: 1, ProcsTo: 1, Jobs: 700, MeanWait: 1000 - 500*x + float64(r.Repetition)},
				{ProcsFrom: 2, ProcsTo: 4, Jobs: 700, MeanWait: 1000 - 100*x + float64(r.Repetition)}}
			if have>>r.Repetition&1 > 0 {
				one.Classes = append(one.Classes, report.Class{ProcsFrom: 17, ProcsTo: 64, Jobs: 100, MeanWait: 1000 + 19000*x})
			}
			one.Metrics = []report.Value{{Key: "mean-wait", Value: 1000 - 300*x + float64(r.Repetition), Valid: true}}
			f.runs[len(f.runs)-1].event(engine.Event{Run: at, Status: engine.Done, Result: one})
		}
		s.Pick(1)
		said, more := plainSpaces(s.ForWhom(1, 0)), plainSpaces(s.Finding().More)
		if len(s.Runs) != 10 || !strings.HasPrefix(said, "One-processor jobs wait 50 % less (") {
			t.Fatalf("%d runs: %q", len(s.Runs), said)
		}
		if strings.Contains(said, "17 to 64") || strings.Contains(said, "the least") != (have == 0) {
			t.Errorf("in the repeats %05b: %q", have, said)
		}
		if strings.Contains(more, "Too few jobs in a run to say anything of: 17 to 64 processors (0).") != (have > 0) {
			t.Errorf("in the repeats %05b: %q", have, more)
		}
	}
}

// Intent: the third scheduler is named where the difference to it is told; of two
// that are compared no other is spoken of, and the choice of the second is one
// press; a link and going back keep it.
func TestCompareTwo(t *testing.T) {
	s, f := logged(t, 200, 40)
	s.AddScheduler("conservative")
	s.Run()
	f.tell(s, []float64{4000, 1000, 1100}, nil)
	s.Pick(1)
	s.Pin(2)
	if got := plainSpaces(s.Finding().Line); got != "Jobs wait 9.1 % less under EASY than under Conservative in this workload, and 75 % less than under FCFS." {
		t.Errorf("%q", got)
	}
	s.CompareTwo(true)
	if got := plainSpaces(s.Finding().Line); strings.Contains(got, "FCFS") || !s.Shows(1) || !s.Shows(2) || s.Shows(0) {
		t.Errorf("%q", got)
	}
	s.PickOne(0)
	if s.View.A != 1 || s.Against() != 0 || s.Shows(2) {
		t.Errorf("%+v", s.View)
	}
	s.PickOne(0) // the second becomes the first
	if s.View.A != 0 || s.Against() != 1 {
		t.Errorf("%+v", s.View)
	}
	// The Gantt chart and all others show the pair, whatever is pinned or picked.
	for _, do := range []struct {
		pin  int
		want []int
	}{{2, []int{0, 2}}, {0, []int{2, 0}}, {1, []int{2, 1}}, {1, []int{2, 1}}} {
		if s.Pin(do.pin); !slices.Equal(s.View.Panes(), do.want) || s.Against() != do.want[1] || !s.View.Two {
			t.Errorf("%d pinned: panes %v, against %d; want %v", do.pin, s.View.Panes(), s.Against(), do.want)
		}
	}
	v, err := look.Read(s.Text())
	var seen look.View
	if v.Apply(&seen); err != nil || !seen.Two {
		t.Errorf("%q: %v", s.Text(), err)
	}
	if s.TogglePane(0); s.View.Two || !slices.Equal(s.View.Panes(), []int{2, 1, 0}) {
		t.Errorf("another pane: %+v", s.View)
	}
	s.CompareTwo(false)
	if !s.Shows(2) {
		t.Error("not all of them are back")
	}
	// The baseline itself, alone: the sentence compares it with another one.
	s.Look(func(v *look.View) { v.A, v.B, v.Baseline = 0, -1, 0 })
	if s.Against() != 1 || s.Finding().Line == "" {
		t.Errorf("against %d: %q", s.Against(), s.Finding().Line)
	}
}
