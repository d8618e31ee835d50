//go:build !small

package lab

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
)

// foreseers are schedulers that use predictions, beside those of everyScheduler.
var foreseers = []string{
	`"key":"foresight"`,
	`"key":"foresight-rollout","params":{"interval":60,"scenarios":2}`,
	`"key":"easy","params":{"order":"saf","backfill":"spf","orders-by":"prediction"}`,
	`"key":"easy","params":{"backfill":"spf","backfill-by":"prediction"}`,
	`"key":"easy","params":{"order":"formula","formula":"-q * foretold"}`,
	`"key":"conservative","params":{"order":"spf","orders-by":"prediction"}`,
	`"key":"conservative","params":{"plan-by":"prediction"}`,
	`"key":"conservative","params":{"plan-by":"prediction","order":"saf","orders-by":"prediction"}`,
	`"key":"plan-rs","params":{"plan-by":"prediction","iterations":8}`,
	`"key":"plan-rs","params":{"plan-by":"prediction","iterations":8,"optimiser":"lns"}`,
	`"key":"orig-bf","params":{"plan-by":"prediction"}`,
	`"key":"hill-climbing","params":{"plan-by":"prediction","evaluations":10}`,
}

// changed changes all that cannot be known at a time of a schedule: how long jobs
// will run that run then or wait, and all of the jobs to come.
func changed(w *model.Workload, s *model.Schedule, at model.Time, rng *rand.Rand) *model.Workload {
	out := *w
	out.Jobs, out.Truth = slices.Clone(w.Jobs), slices.Clone(w.Truth)
	times := map[model.JobID]int{} // who is stopped has executions before the last
	for i := range s.Executions {
		times[s.Executions[i].Job]++
	}
	for i := range s.Executions {
		e := &s.Executions[i]
		job, truth := &out.Jobs[e.Job], &out.Truth[e.Job]
		if times[e.Job] > 1 && job.Submit <= at {
			continue
		}
		least := model.Time(1)
		switch {
		case job.Submit > at:
			job.Limit = 1 + model.Time(rng.IntN(900))
			job.User = int32(1 + rng.IntN(4))
		case e.Start < 0 || e.Start > at: // it waits
		case e.End > at:
			least = min(2*(at-e.Start)+2, truth.Run, job.Limit) // machines are up to twice as fast as requests count
		default:
			continue
		}
		truth.Run = least + model.Time(rng.IntN(int(job.Limit-least)+1))
	}
	return &out
}

// startsUntil returns who started when, until a time.
func startsUntil(s *model.Schedule, at model.Time) (list [][2]model.Time) {
	for i := range s.Executions {
		if e := &s.Executions[i]; e.Start >= 0 && e.Start <= at {
			list = append(list, [2]model.Time{e.Start, model.Time(e.Job)})
		}
	}
	slices.SortFunc(list, func(a, b [2]model.Time) int { return slices.Compare(a[:], b[:]) })
	return list
}

// Intent: nothing that cannot be known yet moves a decision. At a random instant
// of a run all of it is changed, and every start until then stays; a predictor that
// does know the future is caught at it, on each kind of platform. For each scheduler
// of the catalog, on every kind of platform that takes it, and each predictor; those
// that go by no predictions are told the truth as well, and may not listen. With
// BATCHLAB_STUDY=1 at more instants of longer runs, those by every predictor, too.
func TestNobodyPeeks(t *testing.T) {
	caught := map[string]int{}
	tries, jobs, study := 3, 60, os.Getenv("BATCHLAB_STUDY") != ""
	if testing.Short() {
		tries = 1
	}
	if study {
		tries, jobs = 12, 150
	}
	env := smallLog(t, jobs, 5)
	var all []string
	for _, one := range foreseers {
		all = append(all, "{"+one+"}")
	}
	all = append(all, everyScheduler()...)
	for _, platform := range keysOf(everyPlatform) {
		if platform == "generated" { // its jobs wait for nothing
			continue
		}
		for k, scheduler := range all {
			for _, row := range catalog.Predictors {
				if row.File || testing.Short() && (k+len(row.Key)+len(platform))%7 > 0 {
					continue
				}
				doc := conforming(t, platform, "plain", strings.TrimSuffix(scheduler, "}")+fmt.Sprintf(`,"predict":{"key":%q}}`, row.Key))
				hears, tries := doc.Foreseen(0), tries
				switch {
				case study:
				case !hears && !row.Clairvoyant:
					continue
				case !hears:
					tries = 1
				case k >= len(foreseers): // foreseers hold the like of it
					continue
				}
				doc.Workload.Scale.Load = 3 // so that there is a queue
				p, err := Prepare(doc, env)
				if err != nil {
					var list experiment.Errors
					if !errors.As(err, &list) || !strings.HasPrefix(string(list[0].Code), "no-") {
						t.Fatalf("%s, %s: %v", platform, scheduler, err)
					}
					continue // its row says why
				}
				r, err := p.repetition(0)
				if err != nil {
					t.Fatal(err)
				}
				whole := r.workload
				run := func(w *model.Workload) model.Schedule {
					r.workload = w
					out, err := p.Run(RunID{}, Options{})
					if err != nil {
						t.Fatalf("%s, %s, %s: %v", platform, scheduler, row.Key, err)
					}
					s := *out.Schedule
					s.Executions = slices.Clone(s.Executions)
					return s
				}
				first := run(whole)
				rng := rand.New(rand.NewPCG(uint64(k), 11))
				for range tries {
					at := first.Executions[rng.IntN(len(first.Executions))].Start
					second := run(changed(whole, &first, at, rng))
					a, b := startsUntil(&first, at), startsUntil(&second, at)
					switch {
					case slices.Equal(a, b):
					case !row.Clairvoyant || !hears:
						t.Fatalf("%s, %s, %s: until %d start %v, and %v once what could not be known then is another", platform, scheduler, row.Key, at, a, b)
					default:
						caught[platform]++
					}
				}
			}
		}
	}
	for platform := range everyPlatform {
		if platform != "generated" && caught[platform] == 0 && !testing.Short() {
			t.Errorf("the clairvoyant was not caught on %s: the test sees nothing there", platform)
		}
	}
	if len(caught) == 0 {
		t.Error("the clairvoyant was not caught: the test sees nothing")
	}
}

// Intent: what a window is told of the time before it is what the log shows, in
// order of the ends, and nothing without being asked for.
func TestHistoryOfAWindow(t *testing.T) {
	env := smallLog(t, 60, 5)
	doc := conforming(t, "counts", "plain", `{"key":"foresight"}`)
	from := int64(2000)
	doc.Workload.Window.From = &from
	for _, history := range []bool{false, true} {
		doc.Workload.Window.History = history
		p, err := Prepare(doc, env)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.repetition(0)
		if err != nil {
			t.Fatal(err)
		}
		book, err := p.book(r, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(book.History) > 0; got != history {
			t.Errorf("history %v: %d completions", history, len(book.History))
		}
		end := model.Time(0)
		for i := range book.History {
			one := &book.History[i]
			at := model.Never
			for k := range r.log.Records {
				if x := &r.log.Records[k]; x.JobNumber == one.Job.Number {
					at = model.Time(x.SubmitTime+int64(x.WaitTime)) + one.Run
				}
			}
			if at < end || at >= model.Time(from) {
				t.Fatalf("job %d ended at %d, after %d", one.Job.Number, at, end)
			}
			end = at
		}
	}
	if doc.Workload.Window.From = nil; doc.Validate() == nil {
		t.Error("a history before no beginning is accepted")
	}
	if _, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"},"window":{"history":true}},"schedulers":[{"key":"easy"}]}`)); err == nil || !strings.Contains(err.Error(), "workload.window.history") {
		t.Errorf("%v", err)
	}
}
