package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"batchlab/core/intake"
)

// Intent: what the import writes is what the other commands read: the same jobs as
// reading the accounting itself, no name in any of it, and a message for each way to
// call it wrongly.
func TestImport(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "jobs.psv")
	text := "JobIDRaw|User|Submit|Eligible|Start|End|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS\n" +
		"12|zoe|2026-11-23T08:00:00|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|2|COMPLETED|2|8|8\n" +
		"13|yan|2026-11-23T08:01:00|2026-11-23T08:05:00|2026-11-23T08:05:20|2026-11-23T08:05:50|10|FAILED|1|4|4\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	o := object(t, "import", path, "--zone", "Europe/Prague", "--out", out)
	if o["jobs"] != 2.0 || o["format"] != "sacct" {
		t.Errorf("%v", o)
	}
	var all strings.Builder
	for _, name := range []string{"log.swf", "extra.csv", "experiment.json"} {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	if s := all.String(); strings.Contains(s, "zoe") || !strings.Contains(s, "UnixStartTime: 1795417200") || !strings.Contains(s, "\n13,,300,") {
		t.Error(s)
	}
	if _, err := os.Stat(filepath.Join(out, "names.csv")); err == nil {
		t.Error("names.csv was not asked for")
	}
	run := object(t, "run", filepath.Join(out, "experiment.json"), "--log", filepath.Join(out, "log.swf"))
	direct := object(t, "simulate", "--log", path, "--algorithm", "easy")
	if a, b := get(t, run, "runs", 1, "metrics", "mean-wait"), get(t, direct, "metrics", "mean-wait"); a != b {
		t.Errorf("mean wait %v through the import, %v from the file itself", a, b)
	}
	for _, wrong := range []struct{ args, want string }{
		{"import --out " + out, "no file is named"},
		{"import " + path, "--out DIR is missing"},
		{"import " + path + " --zone Nowhere/Land --out " + out, "is no zone"},
		{"import " + path + " --format sact --out " + out, `there is no format "sact"`},
		{"import " + path + " --column submit --out " + out, "WHAT=NAME is expected"},
		{"import " + filepath.Join(out, "log.swf") + " --out " + out, "needs no import"},
	} {
		if got := batchlab(strings.Fields(wrong.args)...); got.status != 2 || !strings.Contains(got.stderr, wrong.want) {
			t.Errorf("%s: %d %s", wrong.args, got.status, got.stderr)
		}
	}
}

// Intent: recorded runs of a real Slurm are read alike from sacct -P and from
// sacct --json, and hold what was submitted; the logged schedule puts each job where
// the log says.
func TestRecordedRuns(t *testing.T) {
	runs, _ := filepath.Glob(filepath.Join(os.Getenv("BATCHLAB_LOGS"), "..", "slurm", "runs", "*", "sacct.json.xz"))
	if os.Getenv("BATCHLAB_LOGS") == "" || len(runs) == 0 {
		t.Skip("no recorded runs beside the logs of BATCHLAB_LOGS")
	}
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("xz is not installed")
	}
	for _, packed := range runs {
		dir := filepath.Dir(packed)
		rows := func(r *intake.Result) []string {
			var list []string
			for i := range r.Log.Records {
				x := r.Log.Records[i]
				list = append(list, fmt.Sprint(x.JobNumber, x.SubmitTime, x.WaitTime, x.RunTime, x.AllocatedProcessors, x.RequestedProcessors, x.RequestedTime, x.Status, r.Extra[i].GPUs))
			}
			slices.Sort(list)
			return list
		}
		read := func(data []byte, err error) *intake.Result {
			if err != nil {
				t.Fatal(err)
			}
			r, err := intake.Read(intake.Options{}, data)
			if err != nil {
				t.Fatalf("%s: %v", dir, err)
			}
			if r.Log.Malformed > 0 {
				t.Errorf("%s: %+v", dir, r.Log.Problems)
			}
			return r
		}
		a := read(os.ReadFile(filepath.Join(dir, "sacct-X.psv")))
		b := read(exec.Command("xz", "-dc", packed).Output())
		if x, y := rows(a), rows(b); !slices.Equal(x, y) {
			for i := range min(len(x), len(y)) {
				if x[i] != y[i] {
					t.Errorf("%s: %d and %d jobs; sacct -P: %s, --json: %s", filepath.Base(dir), len(x), len(y), x[i], y[i])
					break
				}
			}
		}
	}
}
