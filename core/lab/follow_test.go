//go:build !small

package lab

import (
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
)

// The history of one job's wait adds up to its shares: reason by reason, from
// its submission to its start; following it changes no schedule.
func TestFollow(t *testing.T) {
	farm := decode(t, `{"batchlab":1,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":80,"interarrival":30,"procs-max":4}}}},
"platform":{"clusters":[{"name":"farm","packing":"machine","groups":[{"count":2,"processors":4}]}],
 "outages":[{"name":"service","from":400,"to":1500,"nodes":[1]}]},
"schedulers":[{"key":"fcfs"},{"key":"easy"},{"key":"bf-mod"}]}`)
	seen := map[report.Code]bool{}
	demo, _ := experiment.Preset("demo")
	for _, doc := range []*experiment.Experiment{demo, farm} {
		p, err := Prepare(doc, Env{})
		if err != nil {
			t.Fatal(err)
		}
		for s := range doc.Schedulers {
			id := RunID{Scheduler: s}
			all, err := p.Run(id, Options{Why: true, Columns: true})
			if err != nil {
				t.Fatal(err)
			}
			why, columns := all.Report.Columns.Why, all.Report.Columns
			jobs, err := p.Jobs(0)
			if err != nil {
				t.Fatal(err)
			}
			for j := 0; j < len(why); j += 1 + len(why)/12 {
				number := jobs.Number[j]
				r, err := p.Run(id, Options{Why: true, Follow: &number})
				if err != nil {
					t.Fatal(err)
				}
				var sum [len(why[0].Waited)]model.Time
				for i, q := range r.History {
					seen[q.Reason] = true
					if i+1 < len(r.History) {
						sum[q.Reason] += r.History[i+1].From - q.From
					}
				}
				last := r.History[len(r.History)-1]
				if sum[report.WaitNone] = why[j].Waited[report.WaitNone]; sum != why[j].Waited || last.Reason != report.WaitNone || last.From != columns.Start[j] {
					t.Errorf("%s, job %d: history %v adds up to %v, the record says %v; it starts at %d", all.Report.Label, number, r.History, sum, why[j].Waited, columns.Start[j])
				}
				if string(r.Block) != string(all.Block) {
					t.Errorf("%s: following job %d changes the schedule", all.Report.Label, number)
				}
			}
		}
	}
	for _, code := range []report.Code{report.WaitProcessors, report.WaitOrder, report.WaitShadow, report.WaitPlan, report.WaitReservation, report.WaitPriority} {
		if !seen[code] {
			t.Errorf("no job waited for reason %d: the test tests less than it should", code)
		}
	}
}
