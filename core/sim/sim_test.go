package sim

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// The heap gives keys in the order in which a sort does.
func TestHeapSorts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var h Heap
		var keys []uint64
		for range r.IntN(100) {
			k := r.Uint64N(50)
			h.Push(k)
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if h[0] != k {
				t.Fatalf("the heap gives %d instead of %d", h[0], k)
			}
			h.Pop()
		}
	}
}

// decide is a scheduler made of one function.
type decide func(v *CountedView) []model.JobID

func (decide) Reset(*CountedView) {}
func (d decide) Pass(v *CountedView, starts []model.JobID) []model.JobID {
	return append(starts, d(v)...)
}

func jobs(rows ...[4]int) *model.Workload { // submit, limit, run, processors
	w := &model.Workload{}
	for i, r := range rows {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(r[0]), Limit: model.Time(r[1]), Procs: int32(r[3])})
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(r[2]), LoggedWait: -1})
	}
	return w
}

// A scheduler that starts what cannot start, or starts nothing for ever, is
// named in an error; it neither hangs nor over-allocates.
func TestBrokenSchedulersAreNamed(t *testing.T) {
	w := jobs([4]int{0, 10, 10, 3}, [4]int{5, 10, 10, 3})
	for name, s := range map[string]decide{
		"over-allocates":            func(v *CountedView) []model.JobID { return []model.JobID{v.Arrived}[:v.Next-v.Arrived] },
		"starts before submission":  func(v *CountedView) []model.JobID { return []model.JobID{1} },
		"starts twice":              func(v *CountedView) []model.JobID { return []model.JobID{0, 0} },
		"leaves jobs for ever idle": func(v *CountedView) []model.JobID { return nil },
	} {
		var m CountedSimulator
		_, err := m.Run(w, model.OneCluster(4), s, Options{})
		if err == nil || !strings.Contains(err.Error(), "sim.decide") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Events of one instant come in the order of rule 4: completions, then
// submissions, then one pass; a job is stopped at its request.
func TestOneInstant(t *testing.T) {
	w := jobs([4]int{0, 10, 99, 4}, [4]int{10, 5, 5, 4}, [4]int{10, 5, 2, 4})
	var m CountedSimulator
	passes := 0
	s, err := m.Run(w, model.OneCluster(4), decide(func(v *CountedView) []model.JobID {
		passes++
		switch v.Now {
		case 0:
			return []model.JobID{0}
		case 10:
			if len(v.Ended) != 1 || v.Next-v.Arrived != 2 || v.Free != 4 {
				t.Errorf("at 10: %d ended, %d arrived, %d free", len(v.Ended), v.Next-v.Arrived, v.Free)
			}
			return []model.JobID{2}
		case 12:
			return []model.JobID{1}
		}
		return nil
	}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if e := s.Executions[0]; e.End != 10 || e.Reason != model.EndKilled {
		t.Errorf("job 1 ends at %d for reason %d", e.End, e.Reason)
	}
	if passes != 4 {
		t.Errorf("%d passes, 4 instants", passes)
	}
}

// Progress can cancel a long simulation, and a wide job is refused by name.
func TestCancelAndRefuse(t *testing.T) {
	rows := make([][4]int, 10000)
	for i := range rows {
		rows[i] = [4]int{i * 10, 5, 5, 1}
	}
	now := decide(func(v *CountedView) []model.JobID {
		if v.Next > v.Arrived {
			return []model.JobID{v.Arrived}
		}
		return nil
	})
	var m CountedSimulator
	calls := 0
	_, err := m.Run(jobs(rows...), model.OneCluster(1), now, Options{Progress: func(done, total int) bool {
		calls++
		return done < 3000
	}})
	if !errors.Is(err, ErrCancelled) || calls == 0 {
		t.Errorf("%v after %d calls", err, calls)
	}
	_, err = m.Run(jobs([4]int{0, 1, 1, 9}), model.OneCluster(8), now, Options{})
	if err == nil || !strings.Contains(err.Error(), "job 1 asks for 9") {
		t.Error(err)
	}
	w := jobs([4]int{0, 1 << 61, 1 << 61, 1}, [4]int{0, 1 << 61, 1 << 61, 1})
	if _, err = m.Run(w, model.OneCluster(8), now, Options{}); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Error(err)
	}
}

// Time that a reason held is booked to it, and the job that stood in the way
// longest is named.
func TestRecordBooksReasons(t *testing.T) {
	var r Record
	r.reset(1)
	at := func(now model.Time, why report.Code, head model.JobID) { r.note(&CountedView{Now: now}, 0, why, head) }
	at(10, report.WaitProcessors, 3)
	at(15, report.WaitShadow, 4)
	at(40, report.WaitProcessors, 3)
	at(42, report.WaitNone, -1)
	want := report.Why{Head: 4}
	want.Waited[report.WaitProcessors], want.Waited[report.WaitShadow] = 7, 25
	if r.Why[0] != want {
		t.Errorf("%+v, want %+v", r.Why[0], want)
	}
}
