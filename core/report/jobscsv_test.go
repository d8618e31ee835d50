package report

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
)

// Intent: every way in which an execution can end stands in jobs.csv with its
// own state and times, attempts one below the other, and what a job wanted
// beside processors behind Batsim's columns; names that a spreadsheet would
// compute have an apostrophe. Worked out by hand.
func TestExecutionsByHand(t *testing.T) {
	jobs := &Jobs{
		Number: []int64{11, 12, 13, 14, 15, 16, 17}, Submit: []model.Time{0, 1, 2, 3, 4, 5, 6},
		Limit: []model.Time{50, 20, 30, 40, 60, 70, 80}, Procs: []int32{4, 1, 2, 3, 1, 1, 2}, User: []int32{7, -1, 1, 1, 1, 1, 1},
		Due:      []model.Time{0, 0, 0, 0, 35, 0, 100},
		NeedFrom: []int32{0, 2, 2, 2, 2, 2, 2, 2}, Needs: []model.LicenceNeed{{Licence: 0, Copies: 1}, {Licence: 1, Copies: 2}},
		Wants:    []Want{{Job: 0, Nodes: 2, GPUs: 1, Mem: 5, Disk: 6, Weight: 2.5, Setup: 9}},
		Reserved: []Reservation{{Job: 2, Ready: 50, Deadline: 90, Length: 30}, {Job: 3, Ready: 20, Deadline: 60, Length: 45, Effort: model.EffortProcs}},
	}
	run := &Run{Placed: true, Columns: Columns{
		Start: []model.Time{30, 1, -1, 25, 10, 40, 60}, End: []model.Time{40, 21, -1, 65, 35, 50, 70},
		Ended: []model.EndReason{model.EndCompleted, model.EndKilled, model.EndRejected, model.EndReserved, model.EndDue, model.EndCompleted, model.EndCompleted},
		Spans: []Span{{0, 4, 2}, {0, 6, 2}, {1, 8, 1}, {3, 8, 2}, {4, 0, 1}, {5, 1, 1}, {6, 2, 2}},
		Before: []Piece{
			{Start: 5, End: 9, Job: 0, First: 0, Count: 2, Reason: int32(model.EndOutage)}, {Start: 5, End: 9, Job: 0, First: 2, Count: 2, Reason: int32(model.EndOutage)},
			{Start: 8, End: 12, Job: 5, First: 3, Count: 1, Reason: int32(model.EndPreempted)}, {Start: 7, End: 9, Job: 6, First: 0, Count: 2, Reason: int32(model.EndSuspended)},
		},
		Held: []Away{{From: 22, To: 25, Entry: 3, Kind: HeldUnused, First: 8, Count: 2}, {From: 10, To: 22, Entry: 3, Kind: HeldBefore, First: 8, Count: 1}},
	}}
	site := &Site{Machines: []Machine{
		{Cluster: "=n", First: 0, Procs: 2, Packing: "nodes"}, {Cluster: "=n", First: 2, Procs: 2, Packing: "nodes"},
		{Cluster: "=n", First: 4, Procs: 2, Packing: "nodes"}, {Cluster: "=n", First: 6, Procs: 2, Packing: "nodes"}, {Cluster: "rest", First: 8, Procs: 4},
	}, Licences: []SiteLicence{{Name: "cad"}, {Name: "a b"}}}
	const head = "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state," +
		"starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata"
	want := []string{
		`11,"@w, x",11,0,4,50,0,COMPLETED_KILLED,5,4,9,5,9,2.25,0-1 2-3,-1,,0,7,outage,4,'=n,'=n1-=n2,,,,,,,,,2.5,9,"cad ""a b:2""",2,5,1,6`,
		`11,"@w, x",11,9,4,50,1,COMPLETED_SUCCESSFULLY,30,10,40,21,31,3.1,4-5 6-7,-1,,1,7,completed,4,'=n,'=n3-=n4,,,,,,,,,2.5,9,"cad ""a b:2""",2,5,1,6`,
		`12,"@w, x",12,1,1,20,0,COMPLETED_WALLTIME_REACHED,1,20,21,0,20,1,8,-1,,0,-1,walltime,1,rest,,,,,,,,,,,,,,,,`,
		`13,"@w, x",13,2,2,30,0,REJECTED,-1,-1,-1,-1,-1,-1,,-1,,0,1,rejected,,,,50,90,30,exact,,,,,,,,,,,`,
		`14,"@w, x",14,3,3,40,0,COMPLETED_WALLTIME_REACHED,25,40,65,22,62,1.55,8-9,-1,,0,1,reservation-end,2,rest,,20,60,45,processors,22,5,,,,,,,,,`,
		`15,"@w, x",15,4,1,60,0,COMPLETED_KILLED,10,25,35,6,31,1.24,0,-1,,0,1,due,1,'=n,'=n1,,,,,,,35,0,,,,,,,`,
		`16,"@w, x",16,5,1,70,0,COMPLETED_KILLED,8,4,12,3,7,1.75,3,-1,,0,1,preempted,1,'=n,'=n2,,,,,,,,,,,,,,,`,
		`16,"@w, x",16,12,1,70,1,COMPLETED_SUCCESSFULLY,40,10,50,28,38,3.8,1,-1,,1,1,completed,1,'=n,'=n1,,,,,,,,,,,,,,,`,
		`17,"@w, x",17,6,2,80,0,SUSPENDED,7,2,9,1,3,1.5,0-1,-1,,0,1,suspended,2,'=n,'=n1,,,,,,,100,-91,,,,,,,`,
		`17,"@w, x",17,9,2,80,1,COMPLETED_SUCCESSFULLY,60,10,70,51,61,6.1,2-3,-1,,1,1,completed,2,'=n,'=n2,,,,,,,100,-30,,,,,,,`,
	}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], `"@w, x"`, `"'@w, x"`)
	}
	x := NewExecutions("@w, x", jobs, run, site)
	whole := string(x.CSV())
	lines := strings.Split(strings.TrimSuffix(whole, "\n"), "\n")
	if !strings.HasPrefix(lines[0], head+",attempt,user,end_reason,") {
		t.Errorf("the first line is %s", lines[0])
	}
	for i, line := range lines[1:] {
		if i >= len(want) || line != want[i] {
			t.Errorf("line %d\n%s\ninstead of\n%s", i+2, line, want[min(i, len(want)-1)])
		}
	}
	rows, err := csv.NewReader(strings.NewReader(whole)).ReadAll() // every line has as many fields
	if err != nil || len(rows) != len(want)+1 {
		t.Errorf("%d rows: %v", len(rows), err)
	}
	for step := 1; step < 8; step++ {
		var parts []byte
		for from := 0; from < x.Jobs(); from += step {
			parts = x.AppendCSV(parts, from, min(x.Jobs(), from+step))
		}
		if string(parts) != whole {
			t.Errorf("in steps of %d the file is another", step)
		}
	}
	if got := NewExecutions("w", jobs, run, nil).CSV(); strings.Count(string(got), "\n") != len(lines) {
		t.Error("without a site lines are missing")
	}
}

// Intent: names of machines are those that the model gives, cluster by cluster.
func TestMachineNames(t *testing.T) {
	p := model.Platform{Clusters: []model.Cluster{
		{Name: "a", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 1}, {Count: 1, Procs: 4}}},
		{Name: "b", Groups: []model.NodeGroup{{Count: 2, Procs: 1}}}, {Name: "c", Packing: model.PackMachine, Groups: []model.NodeGroup{{Count: 2, Procs: 1}}},
	}}
	var site Site
	var want []string
	for i, n := range p.Nodes() {
		site.Machines = append(site.Machines, Machine{Cluster: p.Clusters[n.Cluster].Name})
		want = append(want, p.NodeName(int32(i)))
	}
	if got := site.MachineNames(); !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}
