package mixed

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// realWeeks cuts a real log of the folder BATCHLAB_LOGS into the weeks of the
// study, overrun jobs dropped.
func realWeeks(t testing.TB, name string) ([]workload.Window, int) {
	t.Helper()
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		t.Skip("BATCHLAB_LOGS is not set: the figures of real logs are not compared")
	}
	packed, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	data, err := swf.Gunzip(packed, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	log, err := swf.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := workload.FromLog(log, workload.Options{Overrun: workload.OverrunDrop, NoRequest: workload.NoRequestDrop})
	if err != nil {
		t.Fatal(err)
	}
	windows, _, err := workload.Cut(w, workload.Week, 0)
	if err != nil {
		t.Fatal(err)
	}
	return windows, w.Processors
}

// The sums of weekly mean bounded slowdowns of the 12 pure orders under both
// tie rules are those of an independent plain simulator, on KTH-SP2 and
// SDSC-SP2.
func TestWeeklySums(t *testing.T) {
	for _, c := range []struct {
		log          string
		first, count int
		want         [12][2]float64 // by order: newest, oldest
	}{
		{"SDSC-SP2-1998-4.2-cln.swf.gz", 3, 100, [12][2]float64{
			policy.SAF: {1630.75, 1646.40}, policy.SPF: {1689.18, 1652.79}, policy.LEXP: {1892.44, 1957.44}, policy.LCFS: {1936.14, 2070.07},
			policy.SQF: {2079.46, 2009.03}, policy.SRF: {2269.49, 2324.53}, policy.LRF: {2491.91, 2510.07}, policy.SEXP: {2517.21, 2442.05},
			policy.FCFSOrder: {2874.87, 2860.56}, policy.LPF: {3020.18, 3105.46}, policy.LQF: {3917.34, 4053.18}, policy.LAF: {4731.86, 4785.06}}},
		{"KTH-SP2-1996-2.1-cln.swf.gz", 2, 45, [12][2]float64{
			policy.SAF: {502.30, 472.17}, policy.SPF: {568.79, 527.43}, policy.LEXP: {581.81, 578.24}, policy.LCFS: {683.04, 656.99},
			policy.SQF: {758.94, 757.16}, policy.SRF: {603.96, 589.80}, policy.LRF: {920.71, 890.52}, policy.SEXP: {875.21, 848.92},
			policy.FCFSOrder: {866.81, 849.13}, policy.LPF: {1007.23, 1001.59}, policy.LQF: {822.40, 815.46}, policy.LAF: {1068.19, 986.68}}},
	} {
		windows, procs := realWeeks(t, c.log)
		for ties, newest := range []bool{true, false} {
			e := NewEvaluator(windows, Ground{Platform: model.OneCluster(procs), Counted: true}, Rules{Tau: 60, Backfill: policy.SPF, Newest: newest, UseThreshold: true, Threshold: 200000})
			for _, o := range policy.Pure() {
				sum := 0.0
				for i := range c.count {
					v, err := e.Pure(c.first+i, o)
					if err != nil {
						t.Fatal(err)
					}
					sum += v
				}
				if math.Abs(sum-c.want[o][ties]) > 0.01 {
					t.Errorf("%s, %v, newest %v: %.4f, want %.2f", c.log, o, newest, sum, c.want[o][ties])
				}
			}
		}
	}
}
