package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Intent: recorded plays a folder, prints one object a run and writes its starts; what
// is missing is named, and then nothing is printed.
func TestRecorded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "one")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"run.json":     `{"setup": []}`,
		"slurm.conf":   "SelectType=select/cons_tres\nNodeName=n1 CPUs=1\nPartitionName=all Nodes=ALL Default=YES\n",
		"workload.csv": "id,submit,ntasks,limit_min,run_s\n1,0.0,1,1,5\n2,0.0,1,1,5\n",
		"sent.json":    `{"t0": 1800000000, "sent": [{"id": "1", "jobid": "1"}, {"id": "2", "jobid": "2"}]}`,
		"instants.csv": "t,what,which,by\n0.1,submit,1,\n0.2,submit,2,\n1.0,main,depth,\n1.0,start,1,main\n6.1,end,1,\n8.0,main,depth,\n8.0,start,2,main\n13.1,end,2,\n",
		"sacct-X.psv":  "JobID|Start|End|State|Flags\n1|2027-01-15T08:00:01|2027-01-15T08:00:06|COMPLETED|SchedMain\n2|2027-01-15T08:00:08|2027-01-15T08:00:13|COMPLETED|SchedMain\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := t.TempDir()
	var stdout, stderr bytes.Buffer
	if status := dispatch([]string{"recorded", filepath.Dir(dir), "--out", out}, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	var r struct {
		Run   string
		Jobs  int
		Given struct {
			Difference float64 `json:"mean_start_difference_s"`
			Within     float64 `json:"within_3_s"`
		}
		Free struct {
			Phases int
			Wait   []float64 `json:"mean_wait_s"`
		}
		Wait float64 `json:"slurm_mean_wait_s"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || r.Run != "one" || r.Jobs != 2 || r.Given.Difference != 0 || r.Given.Within != 1 || r.Free.Phases != 40 || len(r.Free.Wait) != 3 || r.Wait != 4.5 {
		t.Errorf("%v: %s", err, stdout.String())
	}
	table, err := os.ReadFile(filepath.Join(out, "one.csv"))
	if want := "job_id,slurm_start,given_start\n1,1800000001,1800000001\n2,1800000008,1800000008\n"; err != nil || string(table) != want {
		t.Errorf("%v: %s", err, table)
	}
	os.Remove(filepath.Join(dir, "sent.json"))
	stdout.Reset()
	stderr.Reset()
	if status := dispatch([]string{"recorded", dir}, &stdout, &stderr); status != 2 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "sent.json") {
		t.Errorf("without sent.json: status %d, %q, %q", status, stdout.String(), stderr.String())
	}
	if status := dispatch([]string{"recorded", out}, &stdout, &stderr); status != 2 || !strings.Contains(stderr.String(), "run.json") {
		t.Errorf("a folder of no runs: status %d, %q", status, stderr.String())
	}
}
