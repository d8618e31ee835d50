//go:build !small

package lab

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
)

// wholeDoc is 40 random jobs on three clusters of counted processors, whose long jobs
// hold together at most a share, of the whole or of each cluster.
func wholeDoc(rng *rand.Rand, share float64, whole bool, keys []string) object {
	var rows [][]int
	at := 0
	for range 40 {
		at += rng.IntN(60)
		limit := 50 + rng.IntN(400)
		rows = append(rows, []int{at, 1 + rng.IntN(limit), 1 + rng.IntN(4), limit, rng.IntN(5)})
	}
	class := object{"longer_than": 150, "share": share}
	if whole {
		class["whole"] = true
	}
	var clusters, schedulers []object
	for i := range 3 {
		clusters = append(clusters, object{"name": fmt.Sprint("c", i), "packing": "processors", "groups": []object{{"count": 1, "processors": 4 + i}}})
	}
	for _, key := range keys {
		schedulers = append(schedulers, object{"key": key})
	}
	return object{
		"batchlab":   1,
		"workload":   object{"source": object{"inline": object{"processors": 15, "columns": []string{"submit", "run", "procs", "requested", "user"}, "rows": rows}}},
		"platform":   object{"clusters": clusters, "limits": object{"classes": []object{class}}},
		"schedulers": schedulers,
	}
}

func wholeRun(t *testing.T, doc object, look func(key string, r *Result)) error {
	t.Helper()
	text, _ := json.Marshal(doc)
	e, err := experiment.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(e, Env{})
	if err != nil {
		return err
	}
	for _, id := range p.Runs() {
		r, err := p.Run(id, Options{})
		if err != nil {
			return err
		}
		look(e.Schedulers[id.Scheduler].Key, r)
	}
	return nil
}

// Intent: jobs with long requests hold together at most their share of all clusters at
// every instant, under every scheduler that keeps limits, and may hold all of it on one
// of them, which a limit of each cluster forbids. A share that all of them together do
// not reach changes no start, and one too small for a single job is refused by its place.
func TestWholeShare(t *testing.T) {
	keys := []string{"fcfs", "easy", "conservative", "plan-rs", "orig-bf", "hill-climbing", "fcfs-bf", "bf-unmod", "bf-mod", "lsf"}
	const share = 0.34 // of 15: 5 processors, of which the smallest cluster alone has 4
	together := map[string]int32{}
	for seed := range uint64(6) {
		err := wholeRun(t, wholeDoc(rand.New(rand.NewPCG(seed, 1)), share, true, keys), func(key string, r *Result) {
			type change struct {
				at    model.Time
				procs int32
			}
			var list []change
			for i := range r.Schedule.Executions {
				x := &r.Schedule.Executions[i]
				if r.Schedule.Workload.Jobs[x.Job].Limit > 150 {
					list = append(list, change{x.Start, x.Procs}, change{x.End, -x.Procs})
				}
			}
			slices.SortFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.procs, b.procs)) })
			held := int32(0)
			for _, c := range list {
				held += c.procs
				if together[key] = max(together[key], held); held > 5 {
					t.Errorf("seed %d, %s: at %d long jobs hold %d processors, where 5 are allowed", seed, key, c.at, held)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range keys {
		if together[key] != 5 {
			t.Errorf("%s: long jobs never hold more than %d of the 5 processors that they may", key, together[key])
		}
	}
	starts := func(key string, share float64, whole bool) (all []model.Time) {
		if err := wholeRun(t, wholeDoc(rand.New(rand.NewPCG(9, 1)), share, whole, []string{key}), func(_ string, r *Result) {
			for i := range r.Schedule.Executions {
				all = append(all, r.Schedule.Executions[i].Start)
			}
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	for _, key := range keys {
		// In the lists of hill climbing what is in common is held until the last end, as
		// a node is: jobs on three clusters then wait for each other.
		if free := starts(key, 1, false); key != "hill-climbing" && !slices.Equal(free, starts(key, 1, true)) {
			t.Errorf("%s: a share of everything changes starts", key)
		} else if slices.Equal(free, starts(key, share, true)) {
			t.Errorf("%s: a third of everything changes no start", key)
		}
	}
	err := wholeRun(t, wholeDoc(rand.New(rand.NewPCG(9, 1)), 0.1, true, keys), func(string, *Result) {})
	var fault experiment.Error
	if !errors.As(err, &fault) || fault.Code != experiment.CodeOverLimits || !strings.Contains(fault.Message, "at most 1 are allowed") {
		t.Errorf("one processor for long jobs of up to four: %v", err)
	}
}
