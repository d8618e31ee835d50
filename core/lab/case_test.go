package lab_test

import (
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/model"
)

// Starts of the cases, in minutes, by job and by scheduler, computed by hand
// from the rules; −1 where a job never starts. Jobs that ran more than once
// have their last start.
var byHand = map[string][][]model.Time{
	"hole":        {{0, 60, 120}, {0, 60, 10}},
	"promise":     {{0, 60, 120, 15}, {0, 100, 10, 60}},
	"beside":      {{0, 60, 60, 120}, {0, 60, 10, 120}},
	"everyone":    {{0, 60, 215, 15}, {0, 60, 120, 180}},
	"moves-up":    {{0, 30, 30, 90}},
	"estimates":   {{0, 20, 80}, {0, 110, 10}},
	"overrun":     {{0, 60}},
	"ties":        {{0, 30, 90, 120}, {0, 30, 90, 30}},
	"orders":      {{0, 30, 150, 150, 210}, {0, 150, 30, 30, 90}},
	"starves":     {{0, 40, 100, 100, 100, 140, 140, 190}, {0, 170, 10, 40, 50, 80, 90, 130}, {0, 40, 100, 100, 100, 140, 140, 190}},
	"threshold":   {{0, 210, 30, 60, 90, 120, 150, 180}, {0, 90, 30, 60, 210, 240, 270, 300}},
	"formula":     {{0, 30, 150, 170}, {0, 70, 30, 50}},
	"anew":        {{0, 60, 120}, {0, 90, 60}},
	"exchange":    {{0, 60, 60, 90}, {0, 90, 60, 60}},
	"after":       {{0, 60, 90, 60, 120}, {0, 60, 90, 60, 120}},
	"array":       {{0, 0, 30, 45, 60, 5}},
	"begin":       {{0, 60, 90}, {0, 60, 40}},
	"delay":       {{0, 30, 60, 30}},
	"notok":       {{0, 60, -1, 30}},
	"any":         {{0, 0, 0, 20}},
	"withdrawn":   {{0, -1, 40}, {0, -1, 10}},
	"react":       {{0, 60, 120, 160}, {0, 60, 10, 50}},
	"fair":        {{0, 60, 60, 120, 120, 180}, {0, 60, 120, 120, 180, 60}},
	"plan":        {{0, 60, 120, 120, 170}, {0, 180, 60, 64, 4}},
	"reservation": {{0, 90, 60, 120, 120}, {0, 90, 60, 15, 120}}, // the course, asked for with job 1, is second
	"outage":      {{0, 120, 120}, {0, 120, 15}},
	"failure":     {{40, 100}},
	"licence":     {{0, 60, 60}, {0, 60, 10}},
	"deadline":    {{0, 60, 120}, {0, 120, 60}},
	"due-stop":    {{0, 60}},
	"nodes":       {{0, 5, 60, 12}},
	"gpu":         {{0, 60, 60}, {0, 60, 10}},
	"class":       {{0, 5, 10, 120}},
	"limit":       {{0, 60, 60}, {0, 60, 10}},
	"grid":        {{0, 5, 10, 60}},
	"slurm-loops": {{0, 60, 120}, {0, 60, 15}, {0, 60, 11}},
	"slurm-nodes": {{0, 60, 60, 15}, {0, 60, 10, 15}},
	"slurm-depth": {{0, 60, 120, 120}, {0, 60, 120, 7}},
	"slurm-tier":  {{0, 90, 60}, {0, 60, 120}},
	"as-logged":   {{0, 5, 60}, {0, 60, 60}},
}

// Intent: every case of the menu shows what it says, start by start.
func TestCases(t *testing.T) {
	if len(byHand) != len(catalog.Cases) {
		t.Errorf("%d cases by hand, %d in the catalog", len(byHand), len(catalog.Cases))
	}
	for i := range catalog.Cases {
		c := &catalog.Cases[i]
		doc, err := experiment.Decode([]byte(c.Document))
		if err != nil {
			t.Errorf("%s: %v", c.Key, err)
			continue
		}
		if link := experiment.EncodeLink(doc); len(link) > 600 {
			t.Errorf("%s: its link has %d characters", c.Key, len(link))
		}
		runs := 0
		_, err = lab.Run(doc, lab.Env{}, lab.Options{}, func(id lab.RunID, p *lab.Prepared, r *lab.Result) error {
			want := byHand[c.Key]
			if runs++; id.Scheduler >= len(want) {
				t.Errorf("%s: scheduler %d has no starts by hand", c.Key, id.Scheduler)
				return nil
			}
			got := make([]model.Time, len(want[id.Scheduler]))
			for k := range got {
				got[k] = -1
			}
			for _, x := range r.Schedule.Executions {
				j := x.Job
				if w := r.Schedule.Workload; w.Submitted != nil { // in order of eligibility
					j = w.Origin[j]
				}
				if x.Reason.Unserved() {
					continue
				}
				if int(j) < len(got) {
					got[j] = x.Start / 60
				} else {
					t.Errorf("%s: job %d is one too many", c.Key, x.Job)
				}
			}
			for k, v := range want[id.Scheduler] {
				if got[k] != v {
					t.Errorf("%s under %s: starts %v, by hand %v", c.Key, p.Label(id.Scheduler), got, want[id.Scheduler])
					break
				}
			}
			return nil
		})
		if err != nil || runs != len(byHand[c.Key]) {
			t.Errorf("%s: %d runs, %v", c.Key, runs, err)
		}
	}
}
