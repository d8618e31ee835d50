package policy

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/reserve"
	"batchlab/core/sim"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// asTwins returns the jobs of a workload as the plain form has them, and what the
// log shows of them.
func asTwins(w *model.Workload) (jobs []*twinJob, past []twinPast) {
	for i := range w.Jobs {
		j, run := &w.Jobs[i], int64(w.Executed(model.JobID(i)))
		one := &twinJob{id: i, number: j.Number, submit: int64(j.Submit), limit: int64(j.Limit), run: run, procs: j.Procs, user: j.User, exe: j.Executable, start: -1}
		jobs = append(jobs, one)
		if wait := w.Truth[i].LoggedWait; wait >= 0 {
			past = append(past, twinPast{one.submit + int64(wait) + run, one, run})
		}
	}
	slices.SortStableFunc(past, func(a, b twinPast) int { return cmp.Compare(a.end, b.end) })
	return jobs, past
}

// before returns the completions before a time.
func before(past []twinPast, at int64) []twinPast {
	k, _ := slices.BinarySearchFunc(past, at, func(p twinPast, at int64) int {
		if p.end < at {
			return -1
		}
		return 1
	})
	return past[:k]
}

// asHistory returns completions as a book has them.
func asHistory(w *model.Workload, past []twinPast) (list []predict.Past) {
	for _, p := range past {
		list = append(list, predict.Past{Job: w.Jobs[p.j.id], Run: model.Time(p.long)})
	}
	return list
}

// foreseen runs a part of a workload, without rollouts in the form by counts.
func foreseen(t *testing.T, o ForesightOptions, part *model.Workload, history []predict.Past) (s *model.Schedule) {
	t.Helper()
	var err error
	book := sim.Options{Book: &predict.Book{Predictor: predict.NewKernel(predict.KernelDefaults()), History: history}}
	if o.Rollout == nil {
		s, err = new(sim.CountedSimulator).Run(part, model.OneCluster(part.Processors), &CountedForesight{ForesightOptions: o}, book)
	} else {
		s, err = new(sim.Simulator).Run(part, model.OneCluster(part.Processors), NewForesight(o), book)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// busyUsers draws jobs of a few users who ask for the same again and again, on a
// machine that is nearly full.
func busyUsers(seed uint64, n int) *model.Workload {
	r := rand.New(rand.NewPCG(seed, 9))
	w := &model.Workload{Processors: 32}
	at := model.Time(0)
	for i := range n {
		if r.IntN(3) > 0 {
			at += model.Time(r.IntN(700))
		}
		user := int32(r.IntN(6))
		limit := model.Time([]int{60, 600, 3600, 3600, 14400, 50000}[(int(user)+r.IntN(3))%6])
		run := 1 + model.Time(float64(limit)*math.Pow(r.Float64(), 3))
		if r.IntN(5) == 0 {
			run = limit
		}
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: int32(1 << r.IntN(6)), User: user, Executable: user*10 + int32(r.IntN(2))})
		w.Truth = append(w.Truth, model.Truth{Run: min(run, limit), LoggedWait: model.Time(r.IntN(2000))})
	}
	return w
}

// Intent: foresight by kinds and blocks, with its rollouts cut short, starts every
// job when the plain form does, which sorts and sums everything again.
func TestForesightEqualsTwin(t *testing.T) {
	seeds := 12
	if testing.Short() {
		seeds = 3
	}
	chosen := [5]int{}
	for seed := range uint64(seeds) {
		for _, rollouts := range []bool{false, true} {
			w := busyUsers(seed, 220)
			jobs, past := asTwins(w)
			cut := 60 // the jobs before are history
			from := w.Jobs[cut].Submit
			part := *w
			part.Jobs, part.Truth = w.Jobs[cut:], w.Truth[cut:]
			o := ForesightDefaults()
			twin := twin{v: twinVariant{rollouts: rollouts, salt: 62}}
			if rollouts {
				r := RolloutDefaults()
				o.Rollout = &r
			}
			known := before(past, int64(from))
			known = slices.DeleteFunc(slices.Clone(known), func(p twinPast) bool { return p.j.id >= cut })
			twin.simulate(jobs[cut:], 32, known)
			s := foreseen(t, o, &part, asHistory(w, known))
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			for i := range s.Executions {
				if got, want := int64(s.Executions[i].Start), jobs[cut+i].start; got != want {
					t.Fatalf("seed %d, rollouts %v: job %d starts at %d, by the twin at %d", seed, rollouts, part.Jobs[i].Number, got, want)
				}
			}
			for i, n := range twin.choices {
				chosen[i] += n
			}
		}
	}
	if chosen[0] == 0 || chosen[1]+chosen[2]+chosen[3]+chosen[4] == 0 {
		t.Errorf("the rollouts chose %v: nothing is tested", chosen)
	}
}

// checking is foresight that plays every candidate of each choice again, alone and
// from the beginning.
type checking struct {
	*Foresight
	t       *testing.T
	checked int
	shared  int // scenarios in which a candidate decided as the first did to the end
}

func (f *checking) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	n := len(f.Choices())
	out = f.Foresight.Decide(v, out)
	if len(f.Choices()) == n {
		return out
	}
	c := &f.chooser
	var first []float64
	for i, want := range f.Choices()[n].Costs {
		total := 0.0
		for s := range c.r.Scenarios {
			c.roll.anew(c, s)
			c.roll.play(c.lines[i], 0, math.Inf(1))
			total += c.roll.cost
			if i == 0 {
				first = append(first, c.roll.cost)
			} else if c.same[i] == i && c.roll.cost == first[s] {
				f.shared++
			}
		}
		if got := total / float64(c.r.Scenarios); got != want {
			f.t.Errorf("at %d candidate %d costs %v alone, beside the others %v", v.Now, i, got, want)
		}
		f.checked++
	}
	return out
}

// Intent: a candidate that is played from where it parts from the first costs, to the
// last bit, what it costs from the beginning.
func TestRolloutsShareWhatIsAlike(t *testing.T) {
	f, seeds := &checking{t: t}, 6
	if testing.Short() {
		seeds = 2
	}
	for seed := range uint64(seeds) {
		w := busyUsers(seed+40, 300)
		o, r := ForesightDefaults(), RolloutDefaults()
		r.Depth = 30 + 50*int(seed%2) // sets of one word and of two
		o.Rollout = &r
		f.Foresight = NewForesight(o)
		f.Trace(true)
		if _, err := new(sim.Simulator).Run(w, model.OneCluster(w.Processors), f, sim.Options{Book: &predict.Book{Predictor: predict.NewKernel(predict.KernelDefaults())}}); err != nil {
			t.Fatal(err)
		}
	}
	if f.checked < 20*seeds || f.shared == 0 {
		t.Errorf("%d candidates were played, %d scenarios were shared to the end", f.checked, f.shared)
	}
}

// Intent: the figures of the study, log by log: the sum of weekly mean bounded
// slowdowns against that of SAF, and job for job what the plain form does. Whole
// logs are for BATCHLAB_STUDY=1, with BATCHLAB_LOGS.
func TestForesightFigures(t *testing.T) {
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" || os.Getenv("BATCHLAB_STUDY") == "" {
		t.Skip("BATCHLAB_LOGS and BATCHLAB_STUDY are not both set")
	}
	for _, c := range []struct {
		file      string
		ratio     float64 // the study's
		won, lost int
	}{
		{"SDSC-SP2-1998-4.2-cln.swf.gz", 0.919, 62, 36},
		{"KTH-SP2-1996-2.1-cln.swf.gz", 0.944, 26, 20},
		{"HPC2N-2002-2.2-cln.swf.gz", 0.894, 88, 32},
	} {
		packed, err := os.ReadFile(filepath.Join(dir, c.file))
		if err != nil {
			t.Fatal(err)
		}
		data, err := swf.Gunzip(packed, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		log, err := swf.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		w, _, err := workload.FromLog(log, workload.Options{Overrun: "drop", NoRequest: "drop"})
		if err != nil {
			t.Fatal(err)
		}
		jobs, past := asTwins(w)
		windows, _, err := workload.Cut(w, workload.Week, 0)
		if err != nil {
			t.Fatal(err)
		}
		var m sim.CountedSimulator
		slowdown := func(s *model.Schedule) float64 {
			sum := 0.0
			for i := range s.Executions {
				x := &s.Executions[i]
				sum += max(1, float64(x.End-x.Submit)/float64(max(s.Workload.Executed(x.Job), 60)))
			}
			return sum / float64(len(s.Executions))
		}
		var sums [3]float64 // SAF, foresight, with rollouts
		won, lost := 0, 0
		for i := range windows {
			v := &windows[i]
			if len(v.Workload.Jobs) == 0 {
				continue
			}
			saf, err := m.Run(&v.Workload, model.OneCluster(w.Processors), &CountedEASY{Order: SAF, Backfill: SPF, Newest: true, UseThreshold: true, Threshold: 200000}, sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			sums[0] += slowdown(saf)
			week := slowdown(saf)
			known := before(past, int64(v.From))
			history, list := asHistory(w, known), jobs[v.First:v.First+len(v.Workload.Jobs)]
			for k := range 2 {
				o := ForesightDefaults()
				twin := twin{v: twinVariant{rollouts: k == 1, salt: 62}}
				if k == 1 {
					r := RolloutDefaults()
					o.Rollout = &r
				}
				s := foreseen(t, o, &v.Workload, history)
				x := slowdown(s)
				sums[1+k] += x
				if k == 0 && x < week-1e-9 {
					won++
				} else if k == 0 && x > week+1e-9 {
					lost++
				}
				if k == 1 && i%8 != 0 { // the plain rollouts take long
					continue
				}
				twin.simulate(list, int32(w.Processors), known)
				for n := range s.Executions {
					if int64(s.Executions[n].Start) != list[n].start {
						t.Fatalf("%s, week %d, rollouts %v: job %d starts at %d, by the twin at %d", c.file, i, k == 1, list[n].number, s.Executions[n].Start, list[n].start)
					}
				}
				for _, j := range list {
					j.start, j.end = -1, 0
				}
			}
		}
		ratio := sums[1] / sums[0]
		t.Logf("%s: foresight %.4f (%d–%d), with rollouts %.4f", c.file, ratio, won, lost, sums[2]/sums[0])
		if math.Abs(ratio-c.ratio) > 0.005 || max(won-c.won, c.won-won) > 2 || max(lost-c.lost, c.lost-lost) > 2 {
			t.Errorf("%s: %.4f, %d–%d; the study has %.3f, %d–%d", c.file, ratio, won, lost, c.ratio, c.won, c.lost)
		}
		if with := sums[2] / sums[0]; with > 0.95 {
			t.Errorf("%s: rollouts give %.4f", c.file, with)
		}
	}
}

// Intent: a running job that has to end before its request, as it is stopped at a due
// time or runs faster where it is, lasts in rollouts as long as that lets it at most, also
// where the rollouts drew for it while it still waited for its whole request.
func TestRolloutsEndWhereTheJobMust(t *testing.T) {
	rollout := RolloutDefaults()
	o := ForesightDefaults()
	o.Rollout = &rollout
	e := predict.Estimate{LnMean: predict.Log(30), LnGeo: predict.Log(30)}
	var known, fresh chooser
	for _, c := range []*chooser{&known, &fresh} {
		c.reset(&o, 1)
		c.start(0, &e)
	}
	known.draw(0, 7, known.geo[0], known.sigma[0], 30)
	known.drawn.forget()
	for _, c := range []*chooser{&known, &fresh} {
		c.begin(10, 3)
		c.run(0, 7, 10, 14, 2)
		for s, ends := range c.ends {
			if end := ends[0] >> placeBits; end != 4 {
				t.Errorf("scenario %d: it ends %d s from now, and must have ended in 4 s", s, end)
			}
		}
	}
}

// Intent: a job whose reservation got 1 of 4 processors and is over is played with 1: beside one
// of 3 it starts at once, whichever order is tried.
func TestRolloutsPlayWhatWaits(t *testing.T) {
	w := &model.Workload{
		Jobs:    []model.Job{{Number: 1, Limit: 20, Procs: 3}, {Number: 2, Submit: 1, Limit: 50, Procs: 4, Demand: 1}, {Number: 3, Submit: 5, Limit: 20, Procs: 3}},
		Truth:   []model.Truth{{Run: 20}, {Run: 50}, {Run: 20}},
		Demands: []model.Demand{{Reservation: &model.Reservation{Ready: 10, Deadline: 20, Length: 10, Effort: model.EffortProcs}}},
	}
	rollout, o := RolloutDefaults(), ForesightDefaults()
	o.Rollout = &rollout
	s := NewForesight(o)
	s.Trace(true)
	var m sim.Simulator
	_, err := m.Run(w, model.OneCluster(4), s, sim.Options{Desk: &reserve.Desk{Options: reserve.Options{AtEnd: reserve.EndSuspend}}, Book: &predict.Book{Predictor: &predict.Request{}}})
	if got := s.Choices(); err != nil || len(got) != 1 || got[0].At != 20 || got[0].Costs != [len(foresightOrders)]float64{} {
		t.Errorf("%+v: %v", got, err)
	}
}
