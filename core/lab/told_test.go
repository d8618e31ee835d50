//go:build !small

package lab

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
)

// What is told of all instants, applied one by one from the beginning, gives the
// schedule, under every scheduler, on machines, licences, limits, reservations and
// with users who react; and on a machine of counted processors every number told is
// what a second reading of the state gives.
func TestToldIsTheSchedule(t *testing.T) {
	rounds := 37 // more than 1,000 workloads, but for what a scheduler refuses
	if testing.Short() {
		rounds = 2
	}
	random := rand.New(rand.NewPCG(17, 4))
	told, workloads, users, read := 0, 0, 0, map[string]int{}
	for range rounds {
		for k, scheduler := range toldSchedulers() {
			pair := toldPairs[random.IntN(len(toldPairs))]
			if strings.Contains(scheduler, `"grid"`) {
				pair = [2]string{"grid", [...]string{"plain", "reservations", "requests", "outage"}[random.IntN(4)]}
			} else if k%2 == 0 {
				pair = toldPairs[0]
			}
			doc := toldDocument(t, pair, scheduler)
			jobs := crowd(random, 12+random.IntN(14))
			if pair != toldPairs[0] {
				for i := range jobs {
					jobs[i].procs = min(jobs[i].procs, 4)
				}
			}
			steps, schedule, err := toldSteps(t, doc, toldLog(t, jobs))
			if err == ErrNothingDecided {
				continue
			}
			if err != nil {
				if _, refused := err.(experiment.Errors); refused || strings.Contains(err.Error(), "can never start") {
					continue
				}
				t.Fatalf("%v %s: %v", pair, scheduler, err)
			}
			workloads++
			r := &reading{t: t, name: fmt.Sprint(pair, " ", scheduler), plain: pair[0] == "counts" && pair[1] == "plain" && !strings.Contains(scheduler, "pppd") &&
				!strings.Contains(scheduler, "backfill-by"), // which promises by predictions
				jobs: map[int64]*model.Job{}, runs: map[int64]held{}, plans: map[int64]model.Time{}, begun: map[int64][]model.Time{}, over: map[int64]bool{}}
			for i := range schedule.Workload.Jobs {
				r.jobs[schedule.Workload.Jobs[i].Number] = &schedule.Workload.Jobs[i]
			}
			second := newSecondReader(schedule, pair, scheduler, r.failf)
			if strings.Contains(scheduler, "pppd") { // whose jobs are stopped by others, and go on later
				second.counts, second.tallies, second.limits = false, false, false
			}
			holds := pair[1] == "workflow" || pair[1] == "withdrawn"
			for _, s := range steps {
				if holds {
					read["not eligible"] += r.holds(s, schedule)
				}
				r.step(s)
				second.step(s)
				told += len(s.Decisions)
			}
			for what, n := range second.read {
				read[what] += n
			}
			users += r.users
			read["moves kept"] += r.kept
			if len(r.runs) > 0 && r.plain {
				t.Fatalf("%s: at the end %v run", r.name, r.runs)
			}
			starts := map[int64][]model.Time{}
			for i := range schedule.Executions {
				if e := &schedule.Executions[i]; !e.Reason.Unserved() {
					n := schedule.Workload.Jobs[e.Job].Number
					starts[n] = append(starts[n], e.Start)
				}
			}
			if !reflect.DeepEqual(starts, r.begun) {
				for n, list := range starts {
					if !slices.Equal(list, r.begun[n]) {
						t.Fatalf("%s: job %d starts at %v, told is %v", r.name, n, list, r.begun[n])
					}
				}
				t.Fatalf("%s: told are starts of jobs that never start", r.name)
			}
		}
	}
	if t.Logf("%d decisions of %d workloads, %d times a user; read a second time %v", told, workloads, users, read); users == 0 {
		t.Error("no user who reacts was told of")
	}
	for _, what := range []string{"needs", "empty", "copies", "ends", "head", "past", "moves", "keeps", "place", "offers", "looks", "gets", "goes", "waits for", "thinks", "ended", "free", "few", "copied", "bound", "outage", "holds", "moves kept",
		"draft", "looked", "after", "now", "threshold", "together", "on", "GPUs", "memory", "takes", "over", "used", "goes on",
		"in the way", "several in the way", "planned at a provider", "not eligible"} {
		if read[what] == 0 && !testing.Short() {
			t.Errorf("no sentence of the kind %q was read", what)
		}
	}
}

// What is told of an instant is the same whatever happens later: it holds nothing
// that the scheduler cannot know, such as how long a job that runs will run.
func TestToldIsKnown(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	rounds := 6
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		for _, scheduler := range toldSchedulers() {
			pair := toldPairs[random.IntN(len(toldPairs))]
			jobs := crowd(random, 24)
			if pair != toldPairs[0] {
				for i := range jobs {
					jobs[i].procs = min(jobs[i].procs, 4)
				}
			}
			if pair[1] == "users" { // who react only to what has ended, but a log must say when they came
				pair = toldPairs[0]
			}
			doc := toldDocument(t, pair, scheduler)
			steps, schedule, err := toldSteps(t, doc, toldLog(t, jobs))
			if err != nil {
				continue
			}
			at := steps[len(steps)/2].Now
			ended := map[int64]bool{}
			for i := range schedule.Executions {
				if e := &schedule.Executions[i]; e.End <= at && e.Reason.Final() {
					ended[schedule.Workload.Jobs[e.Job].Number] = true
				}
			}
			others := slices.Clone(jobs)
			for i := range others {
				j := &others[i]
				if ended[int64(i+1)] || model.Time(j.submit) > at {
					continue
				}
				for k := range schedule.Executions {
					if e := &schedule.Executions[k]; schedule.Workload.Jobs[e.Job].Number == int64(i+1) && e.Start <= at && (e.End > at || !e.Reason.Final()) {
						j.run = j.request // it runs on as long as it may
					}
				}
				if j.run != j.request {
					j.run = 1 + random.IntN(j.request)
				}
			}
			others = others[:len(others)-len(others)/8] // the last of which have not come by then
			if model.Time(jobs[len(others)].submit) <= at {
				others = append(others, jobs[len(others):]...)
			}
			if strings.Contains(pair[1], "l") && pair[1] != "plain" || pair[0] == "taken" { // what is drawn for jobs goes by how many there are, and so do the numbers of the platform's reservations
				others = append(others, jobs[len(others):]...)
			}
			again, _, err := toldSteps(t, doc, toldLog(t, others))
			if err != nil {
				continue
			}
			for i, s := range steps {
				if s.Now > at {
					break
				}
				a, b := *s, *again[i]
				a.Total, b.Total = 0, 0
				if x, y := mustJSON(a), mustJSON(b); x != y {
					t.Fatalf("%v %s, instant %d: told is\n%s\nand if jobs ran otherwise later\n%s", pair, scheduler, i, x, y)
				}
			}
		}
	}
}
