//go:build !small

package workload

import (
	"math"
	"slices"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/model"
)

// The jobs have the moments that the study states: exponential times between
// arrivals (mean = standard deviation), uniform run times and processors.
func TestFarmJobs(t *testing.T) {
	l, err := GenerateSeeded("farm", map[string]any{"jobs": 20000, "interarrival": 12.0}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	var gaps, squares, run, procs float64
	counts := map[int32]int{}
	n := float64(len(l.Records))
	for i, r := range l.Records {
		if i > 0 {
			gap := float64(r.SubmitTime - l.Records[i-1].SubmitTime)
			gaps += gap / (n - 1)
			squares += gap * gap / (n - 1)
		}
		run, procs = run+float64(r.RunTime)/n, procs+float64(r.RequestedProcessors)/n
		counts[r.RequestedProcessors]++
		if r.RunTime < 500 || r.RunTime > 3000 || r.RequestedTime != r.RunTime {
			t.Fatalf("job %d: %+v", i, r)
		}
	}
	if math.Abs(gaps-12) > 0.3 || math.Abs(math.Sqrt(squares-gaps*gaps)-12) > 0.4 || math.Abs(run-1750) > 20 || math.Abs(procs-4.5) > 0.06 || len(counts) != 8 {
		t.Errorf("gaps %.2f ± %.2f, run %.1f, processors %.3f of %v", gaps, math.Sqrt(squares-gaps*gaps), run, procs, counts)
	}
	if _, err := GenerateSeeded("farm", map[string]any{"run-min": 4000}, 1, 0); err == nil || err.Error() != "workload: run-max is 3000, less than run-min, which is 4000" {
		t.Error(err)
	}
}

// ln agrees with the mathematical library.
func TestLn(t *testing.T) {
	for x := 1e-16; x <= 1; x = x*1.1 + 1e-17 {
		if got, want := ln(x), math.Log(x); math.Abs(got-want) > 1e-14*math.Abs(want)+1e-15 {
			t.Fatalf("ln(%v) = %v, want %v", x, got, want)
		}
	}
}

// The farm has 100 machines of 1 to 8 processors and 20 licences, each suitable
// for 90 % of the machines, with copies for 50 to 70 % of those; its parameters
// are those of the catalog.
func TestFarmMachines(t *testing.T) {
	suitable, copies, procs := 0.0, 0.0, 0.0
	for r := range 20 {
		p, err := MachinesSeeded("farm-machines", nil, 1, r)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Nodes()) != 100 || len(p.Licences) != 20 {
			t.Fatalf("%d machines, %d licences", len(p.Nodes()), len(p.Licences))
		}
		procs += float64(p.Procs()) / 2000
		for _, l := range p.Licences {
			n := 0
			for _, node := range p.Nodes() {
				if slices.Contains(node.Licences, l.Name) {
					n++
				}
			}
			suitable += float64(n) / 100 / 400
			ratio := float64(l.Copies) / float64(n)
			if copies += ratio / 400; ratio < 0.49 || ratio > 0.71 {
				t.Errorf("%d copies for %d machines", l.Copies, n)
			}
		}
	}
	if math.Abs(suitable-0.9) > 0.01 || math.Abs(copies-0.6) > 0.01 || math.Abs(procs-4.5) > 0.2 {
		t.Errorf("suitability %.3f, copies %.3f, processors %.3f", suitable, copies, procs)
	}
	for _, g := range machineGenerators {
		row := catalog.FindMachines(g.key)
		if row == nil || len(row.Params) != len(g.params) {
			t.Fatalf("%s: %+v", g.key, row)
		}
		for i, p := range g.params {
			def, whole := row.Params[i].Default.(float64)
			if whole = !whole; whole {
				def = float64(row.Params[i].Default.(int64))
			}
			if c := row.Params[i]; c.Key != p.key || c.Min != p.min || c.Max != p.max || def != p.def || whole != p.whole {
				t.Errorf("%s: %+v and %+v", g.key, c, p)
			}
		}
	}
}

// Rules reach the share of jobs that they name, what is said of single jobs
// replaces them, no job gets licences that no machine has together, and the
// workload that was given stays as it was.
func TestAnnotate(t *testing.T) {
	l, err := GenerateSeeded("farm", map[string]any{"jobs": 3000}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := FromLog(l, Options{Processors: 8})
	if err != nil {
		t.Fatal(err)
	}
	p, err := MachinesSeeded("farm-machines", nil, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	due := int64(1_000_000)
	a := &Annotations{
		Deadlines: DeadlineRule{Share: 0.7, Factor: 1, MarginMin: 30, MarginMax: 250},
		Licences:  []LicenceRule{{Licence: "*", Share: 0.3, Copies: 1}},
		Jobs:      []Annotation{{Job: 5, Due: &due, Licences: &[]string{"L2:3"}}},
	}
	out, err := Annotate(w, p, a, Streams(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Demands) != 0 || w.Jobs[4].Demand != 0 {
		t.Error("the workload that was given is changed")
	}
	withDue, needs := 0.0, 0.0
	nodes := p.Nodes()
	for j := range out.Jobs {
		d := out.Demand(model.JobID(j))
		needs += float64(len(d.Licences)) / 3000
		if j == 4 {
			if d.Due != 1_000_000 || len(d.Licences) != 1 || d.Licences[0] != (model.LicenceNeed{Licence: 1, Copies: 3}) {
				t.Errorf("job 5: %+v", d)
			}
			continue
		}
		if d.Due != 0 {
			withDue += 1.0 / 3000
			if margin := d.Due - out.Jobs[j].Submit - out.Jobs[j].Limit; margin < 30 || margin > 250 {
				t.Fatalf("job index %d: margin %d", j, margin)
			}
		}
		if !holds(p, nodes, &out.Jobs[j], d, d.Licences) {
			t.Fatalf("job index %d: no machine for %v", j, d.Licences)
		}
	}
	if math.Abs(withDue-0.7) > 0.03 || math.Abs(needs-6) > 0.3 {
		t.Errorf("%.3f of the jobs have a deadline, each needs %.2f licences", withDue, needs)
	}
	a.Licences[0].Share = 1
	p.Clusters[0].Groups[0].Licences = p.Clusters[0].Groups[0].Licences[:1]
	for i := range p.Clusters[0].Groups {
		p.Clusters[0].Groups[i].Licences = p.Clusters[0].Groups[0].Licences
	}
	if _, err := Annotate(w, p, a, Streams(1, 0)); err == nil {
		t.Error("licences that no machine has together")
	}
}
