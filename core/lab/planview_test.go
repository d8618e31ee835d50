//go:build !small

package lab

import (
	"fmt"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// The plan of an instant agrees with the run: what ran before is what the
// schedule says, running and planned jobs overlap nowhere on the machine, the
// gaps are what they leave, and a job's history ends with its real start.
func TestPlanOfAnInstant(t *testing.T) {
	for _, platform := range []string{
		`{}`,
		`{"limits":{"user_processors":60,"classes":[{"longer_than":3600,"share":0.7}]},"outages":[{"from":20000,"to":30000,"processors":40,"announced":true}]}`,
		`{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":6,"processors":10}]},{"name":"b","groups":[{"count":60,"processors":1}]}]}`,
	} {
		for _, key := range []string{`{"key":"plan-rs","params":{"iterations":30}}`, `{"key":"conservative"}`} {
			e := decode(t, `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"filter":{"max_procs":50}},"platform":`+platform+`,"schedulers":[`+key+`]}`)
			p, err := Prepare(e, Env{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Run(RunID{}, Options{Columns: true})
			if err != nil {
				t.Fatal(err)
			}
			start, end := r.Report.Columns.Start, r.Report.Columns.End
			most, at := int32(0), model.Time(0)
			for i, n := range r.Report.Columns.Full.Waiting {
				if n > most {
					most, at = n, r.Report.Columns.Full.At[i]
				}
			}
			got, err := p.Plan(RunID{}, at, -1, nil)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s on %s at %d", key, platform, at)
			if got.At != at || got.Total < int(most) || got.Total == 0 {
				t.Errorf("%s: %d jobs at %d, %d wait", name, got.Total, got.At, most)
			}
			checkBars(t, name, got, start, end)
			var last *report.PlanBar
			for i := range got.Bars {
				if got.Bars[i].State == report.BarPlanned {
					last = &got.Bars[i]
				}
			}
			again, err := p.Plan(RunID{}, at, last.Job, nil)
			if err != nil {
				t.Fatal(err)
			}
			h := again.History
			if len(h) == 0 || again.Started != start[last.Job] || h[len(h)-1].Start != start[last.Job] || h[0].At < last.Submit || again.Number != last.Number {
				t.Errorf("%s: history of job %d is %v, it starts at %d", name, last.Number, h, start[last.Job])
			}
			f, err := p.Foresight(RunID{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if f.Jobs != len(start) || len(f.Accuracy) == 0 || strings.Contains(key, "plan-rs") != (f.Accepted > 0) || !strings.Contains(key, "plan-rs") && f.Later > 0 && platform == "{}" {
				t.Errorf("%s: %d jobs, %d accepted, %d moves later, accuracy %v", name, f.Jobs, f.Accepted, f.Later, f.Accuracy)
			}
			if _, err := p.Plan(RunID{}, -5, -1, nil); err == nil {
				t.Errorf("%s: there is a plan before anything happens", name)
			}
			if after, err := p.Plan(RunID{}, 1<<40, -1, nil); err != nil || after.Total != 0 {
				t.Errorf("%s: after all, %v", name, err)
			}
		}
	}
	if e := decode(t, `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"orig-bf"}]}`); e != nil {
		p, err := Prepare(e, Env{})
		if err == nil {
			_, err = p.Plan(RunID{}, 5000, -1, nil)
		}
		if err == nil || err.Error() != "lab: orig-bf makes no plan" {
			t.Error(err)
		}
	}
}

func checkBars(t *testing.T, name string, p *report.Plan, start, end []model.Time) {
	t.Helper()
	planned := 0
	type cell struct{ from, to model.Time }
	rows := map[int32][]cell{}
	for i := range p.Bars {
		b := &p.Bars[i]
		switch b.State {
		case report.BarEnded:
			if b.Start != start[b.Job] || b.End != end[b.Job] || b.End > p.At {
				t.Errorf("%s: job %d ran from %d to %d, not %+v", name, b.Number, start[b.Job], end[b.Job], b)
			}
		case report.BarRuns:
			if b.Start != start[b.Job] || b.End < end[b.Job] || b.Start > p.At {
				t.Errorf("%s: job %d runs since %d, not %+v", name, b.Number, start[b.Job], b)
			}
		case report.BarPlanned:
			planned++
			if b.Start < p.At {
				t.Errorf("%s: job %d is planned for the past: %+v", name, b.Number, b)
			}
		}
		procs := int32(0)
		for _, s := range b.Spans {
			procs += s.Count
			for k := s.First; k < s.First+s.Count; k++ {
				for _, c := range rows[k] {
					if c.from < b.End && b.Start < c.to {
						t.Fatalf("%s: processor %d is drawn twice, for job %d", name, k, b.Number)
					}
				}
				rows[k] = append(rows[k], cell{b.Start, b.End})
			}
		}
		if procs != b.Procs {
			t.Errorf("%s: job %d has %d of %d processors", name, b.Number, procs, b.Procs)
		}
	}
	if planned != p.Total {
		t.Errorf("%s: %d of %d planned jobs", name, planned, p.Total)
	}
	for _, g := range p.Gaps {
		for i, at := range g.At {
			used := int32(0)
			for _, b := range p.Bars {
				if b.Cluster == g.Cluster && b.State != report.BarEnded && b.Start <= at && at < b.End {
					used += b.Procs
				}
			}
			away := int32(0)
			for _, a := range p.Away {
				if a.From <= at && at < a.To {
					away += a.Count
				}
			}
			if g.Free[i]+used+away != g.Most {
				t.Errorf("%s: at %d the gap list has %d of %d free, %d are used and %d away", name, at, g.Free[i], g.Most, used, away)
			}
		}
	}
}
