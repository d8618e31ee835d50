package metric

import (
	"reflect"
	"slices"
	"testing"

	"batchlab/core/model"
)

// The criteria of a grid, computed by hand: providers of 4 and 2 processors.
//
//	job  provider  submit  ready  deadline  start  end  procs
//	1       1         0                        0    10    3     batch
//	2       1         2      12      16       12    17    2     reserved, 1 s late
//	3       2         4                        4    20    1     batch
//	4       –         5       6       8        –     –    2     reserved, rejected
//	5       2         6      20      30       20    25    2     reserved, in time
//
// From 0 to 25: provider 1 executes 30 + 10 of 100 processor-seconds, provider 2
// 16 + 10 of 50. Job 2 takes two of the three processors that are idle since 10:
// 2 × 2 s. Job 5 takes the one that is idle since 20, and the one that has been
// idle since 0.
func TestGridByHand(t *testing.T) {
	s := schedule(1, job{submit: 0, start: 0, run: 10, procs: 3}, job{submit: 2, start: 12, run: 5, procs: 2}, job{submit: 4, start: 4, run: 16, procs: 1},
		job{submit: 5, run: 2, procs: 2, reason: model.EndRejected}, job{submit: 6, start: 20, run: 5, procs: 2})
	s.Platform = &model.Platform{Clusters: []model.Cluster{
		{Name: "A", Groups: []model.NodeGroup{{Count: 4, Procs: 1, Speed: 1}}}, {Name: "B", Groups: []model.NodeGroup{{Count: 2, Procs: 1, Speed: 1}}}}}
	s.Executions[2].Cluster, s.Executions[4].Cluster = 1, 1
	for j, r := range map[int]model.Reservation{1: {Ready: 12, Deadline: 16}, 3: {Ready: 6, Deadline: 8}, 4: {Ready: 20, Deadline: 30}} {
		s.Workload.Demands = append(s.Workload.Demands, model.Demand{Reservation: &r})
		s.Workload.Jobs[j].Demand = int32(len(s.Workload.Demands))
	}
	var m Meter
	list, _, _, _ := m.Measure(s, Options{Tau: 10})
	got := map[string]float64{}
	for _, v := range list {
		if v.Valid {
			got[v.Key] = v.Value
		}
	}
	for key, want := range map[string]float64{
		"mean-flow":             (10 + 5 + 16 + 5) / 4.0,
		"reservation-tardiness": 1 / 2.0,
		"provider-utilization":  (40/100.0 + 26/50.0) / 2,
		"reservation-delay":     0,
		"rejected-reservations": 100 / 3.0,
		"reserved-idle":         100 * (4 + 20) / 150.0,
		// Of jobs 1 and 3, who do not wait.
		"mean-wait": 0, "max-wait": 0, "mean-turnaround": 13, "max-slowdown": 1, "mean-bounded-slowdown": 1, "mean-queue-length": 0, "max-queue-length": 0,
		"complaints": 0, "mean-nuwt": 0, "batch-wait": 0, "batch-flow": 13, "submitted-flow": 15, "makespan": 25, "max-turnaround": 16, "jobs": 4, "throughput": 4 * 3600 / 25.0,
	} {
		if g, there := got[key]; !there || !near(g, want) {
			t.Errorf("%s = %v, want %v", key, g, want)
		}
	}
	if series := new(Meter).Series(s, 0); slices.Max(series.Waiting) != 0 || !reflect.DeepEqual(series, plainSeries(s)) {
		t.Errorf("waiting over time: %+v", series)
	}
	if wait, slowdown := MeanWait(s, Options{}), MeanBoundedSlowdown(s, Options{Tau: 10}); wait != got["mean-wait"] || slowdown != got["mean-bounded-slowdown"] {
		t.Errorf("for searches: %v, %v", wait, slowdown)
	}
	providers := m.Providers(s, Options{})
	if len(providers) != 2 || providers[0].Name != "A" || providers[0].Jobs != 2 || providers[1].Reservations != 1 ||
		!near(providers[0].Utilization, 0.4) || !near(providers[0].MeanFlow, 7.5) || !near(providers[0].MeanTardiness, 1) || providers[0].Late != 1 || providers[1].Late != 0 || !near(providers[1].Idle, 20/50.0) || providers[0].Rejected != 1 || providers[1].Rejected != 1 {
		t.Errorf("%+v", providers)
	}
	// Three seconds after it wished to begin a reservation is late by its own measure;
	// that is no wait, and nobody stands in the queue.
	s.Workload.Demands[s.Workload.Jobs[1].Demand-1].Reservation = &model.Reservation{Ready: 9, Deadline: 16}
	if v := values(s, Options{Tau: 10}); v["reservation-delay"] != 1.5 || v["max-wait"] != 0 || v["max-queue-length"] != 0 || v["complaints"] != 0 || v["mean-nuwt"] != 0 {
		t.Errorf("the delay of reservations is %v, waits are at most %v", v["reservation-delay"], v["max-wait"])
	}
	// Where all are reservations, nobody's wait is measured.
	s.Workload.Jobs[0].Demand, s.Workload.Jobs[2].Demand = s.Workload.Jobs[1].Demand, s.Workload.Jobs[1].Demand
	list, waits, classes, users := m.Measure(s, Options{Tau: 10})
	for _, v := range list {
		if v.Valid && (v.Key == "mean-wait" || v.Key == "batch-wait" || v.Key == "waits-over-day" || v.Key == "complaints" || v.Key == "mean-nuwt") {
			t.Errorf("%s = %v of reservations alone", v.Key, v.Value)
		}
	}
	if len(waits.At) > 0 || len(classes) > 0 || len(users) > 0 || m.Waves(s.Workload) != nil {
		t.Errorf("waits of reservations: %v %v %v", waits, classes, users)
	}
}
