package custom_test

import (
	"os"
	"testing"
	"time"

	"batchlab/core/custom"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/plan"
	"batchlab/core/sim"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

func TestX(t *testing.T) {
	data, err := os.ReadFile("../../../shared/logs/KTH-SP2-1996-2.1-cln.swf.gz")
	if err != nil {
		t.Skip()
	}
	data, _ = swf.Gunzip(data, 1<<30)
	log, _ := swf.Parse(data)
	w, _, err := workload.FromLog(log, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := model.OneCluster(w.Processors)
	for file, s := range map[string]sim.Scheduler{"fcfs": &policy.FCFS{}, "easy": policy.NewEASY(&policy.CountedEASY{}), "conservative": plan.NewConservative()} {
		code, _ := os.ReadFile("../../examples/schedulers/" + file + ".star")
		prog, f := custom.Compile(string(code))
		if prog == nil {
			t.Fatal(f)
		}
		var m, n sim.Simulator
		t0 := time.Now()
		a, err := m.Run(w, p, s, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t1 := time.Now()
		c := custom.New(prog)
		b, err := n.Run(w, p, c, sim.Options{})
		if err != nil {
			t.Fatal(file, err)
		}
		t2 := time.Now()
		diff := 0
		for i := range a.Executions {
			if a.Executions[i].Start != b.Executions[i].Start {
				diff++
			}
		}
		t.Log(file, t1.Sub(t0), t2.Sub(t1), diff, c.(interface{ Steps() uint64 }).Steps())
	}
}
