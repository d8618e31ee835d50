//go:build !small

package lab

import (
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
)

// With static binding jobs stand on the processors that they were bound to; what
// reservations hold, jobs and idle places before reservations never stand on the
// same processors at one time; and idle places end where a reservation begins.
func TestPlacesOfGrids(t *testing.T) {
	for name, params := range map[string]map[string]any{
		"static":       {"binding": "static"},
		"static, held": {"binding": "static", "unused": "hold", "slot": 600, "local": "easy"},
		"held":         {"unused": "hold", "slot": 3600},
		"suspended":    {"running": "suspend", "end": "suspend"},
		"given back":   {},
	} {
		e := gridDocument(t, params)
		r := &e.Workload.Annotate.Reservations
		r.Share, r.Ready, r.Part = 0.4, "drawn", 0.7
		p, err := Prepare(e, Env{})
		if err != nil {
			t.Fatal(err)
		}
		result, err := p.Run(RunID{}, Options{Columns: true})
		if err != nil {
			t.Fatal(err)
		}
		s, c := result.Schedule, &result.Report.Columns
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		if len(c.Spans) == 0 {
			t.Fatalf("%s: no places", name)
		}
		type piece struct {
			from, to model.Time
			what     string
		}
		on := make([][]piece, s.Platform.Procs())
		add := func(first, count int32, from, to model.Time, what string) {
			for q := first; q < first+count; q++ {
				on[q] = append(on[q], piece{from, to, what})
			}
		}
		for _, v := range c.Spans {
			add(v.First, v.Count, c.Start[v.Job], c.End[v.Job], "job")
		}
		for _, v := range c.Before {
			add(v.First, v.Count, v.Start, v.End, "attempt")
		}
		kinds := [2]int{}
		for _, v := range c.Held {
			kinds[v.Kind]++
			add(v.First, v.Count, v.From, v.To, "held")
			if v.To <= v.From || s.Workload.Demand(model.JobID(v.Entry)).Reservation == nil {
				t.Fatalf("%s: %+v", name, v)
			}
		}
		for q, list := range on {
			for i := range list {
				for k := range list[:i] {
					if list[i].from < list[k].to && list[k].from < list[i].to {
						t.Fatalf("%s: processor %d: %+v and %+v", name, q, list[i], list[k])
					}
				}
			}
		}
		if kinds[report.HeldBefore] == 0 || (kinds[report.HeldUnused] > 0) != (params["unused"] == "hold") {
			t.Errorf("%s: %v pieces held and idle", name, kinds)
		}
		named := map[model.JobID][]uint64{}
		for _, h := range s.Holds {
			if h.Which != nil {
				named[h.Job] = h.Which
			}
		}
		if (len(named) == len(s.Workload.Jobs)) != (params["binding"] == "static") {
			t.Errorf("%s: %d of %d jobs are named", name, len(named), len(s.Workload.Jobs))
		}
		first := []int32{0, 60}
		for _, v := range c.Spans {
			which, there := named[model.JobID(v.Job)]
			for q := v.First; there && q < v.First+v.Count; q++ {
				own := q
				if q >= first[1] {
					own -= first[1]
				}
				if which[own/64]>>(own%64)&1 == 0 {
					t.Fatalf("%s: job %d stands on processor %d, which it is not bound to", name, v.Job, q)
				}
			}
		}
	}
}

// Static binding and failures, which name no processors, do not go together.
func TestStaticFailures(t *testing.T) {
	e := gridDocument(t, map[string]any{"binding": "static"})
	e.Platform.Outages = append(e.Platform.Outages, experiment.Outage{From: 90000, To: 100000, Cluster: "North", Procs: 10})
	if _, err := Prepare(e, Env{}); err == nil {
		t.Error("failures under static binding are taken")
	}
	e.Platform.Outages[0] = experiment.Outage{From: 90000, To: 100000, Cluster: "North", Procs: 10, Announced: true}
	p, err := Prepare(e, Env{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := p.Run(RunID{}, Options{Columns: true}); err != nil || len(r.Report.Columns.Spans) == 0 || len(r.Report.Columns.Away) == 0 {
		t.Errorf("an announced outage: %v", err)
	}
}

// Intent: outages that overlap have, at each instant, the highest processors that none before
// them has, and move where one ends; bound jobs may stand where the second one was before. All
// have places, and no processor is given twice at one time.
func TestBoundOutagesOverlap(t *testing.T) {
	e := gridDocument(t, map[string]any{"binding": "static", "local": "easy"})
	for k := range int64(6) {
		from := 50000 + 90000*k
		e.Platform.Outages = append(e.Platform.Outages,
			experiment.Outage{From: from, To: from + 20000, Cluster: "North", Procs: 30, Announced: true},
			experiment.Outage{From: from + 10000, To: from + 40000, Cluster: "North", Procs: 40, Announced: true})
	}
	p, err := Prepare(e, Env{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(RunID{}, Options{Columns: true})
	if err != nil {
		t.Fatal(err)
	}
	c := &r.Report.Columns
	if len(c.Spans) == 0 {
		t.Fatal("no places")
	}
	for _, a := range c.Away {
		for _, v := range c.Spans {
			if v.First < a.First+a.Count && a.First < v.First+v.Count && c.Start[v.Job] < a.To && a.From < c.End[v.Job] {
				t.Fatalf("job %d stands on processors of %+v", v.Job, a)
			}
		}
	}
	if last := c.Away[len(c.Away)-1]; last.First != 20 || last.Count != 40 {
		t.Errorf("the second outage is not on the highest when the first is over: %+v", last)
	}
}
