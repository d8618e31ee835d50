package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// realLogs are the real logs of the tests: the folder is BATCHLAB_LOGS.
var realLogs = []struct {
	file, sha256 string
	processors   float64 // 0: the log does not say
	jobs         float64 // that remain after cleaning
}{
	{"SDSC-SP2-1998-4.2-cln.swf.gz", "2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2", 128, 54034},
	{"KTH-SP2-1996-2.1-cln.swf.gz", "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87", 100, 28467},
	{"HPC2N-2002-2.2-cln.swf.gz", "77b8993c73ae438385f6c0015708251f52dc316267b03ac19a406fbea2802afa", 240, 202871},
	{"NASA-iPSC-1993-3.1-cln.swf.gz", "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76", 128, 18066},
	{"CERIT-SC-wagap-2013.alea21.swf.gz", "bf5c1cc69915f2d5d26c579f69e206513ceff9bd60e6c4b112182da0c6183ed7", 0, 17898},
	{"lublin_256.swf.gz", "a394ab3d81179ebcf645a1cbd593a60b6dff7f11a510e1e6285c45f43310c962", 256, 10000},
}

// realLog returns the path of a real log, or skips the test.
func realLog(t *testing.T, file string) string {
	t.Helper()
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		t.Skip("BATCHLAB_LOGS is not set: it names the folder of the real logs")
	}
	return filepath.Join(dir, file)
}

// long are the schedulers whose waits are compared: the rest runs on logs of up to
// 30,000 jobs alone.
var long = []string{"as-logged", "conservative", "easy", "fcfs"}

// Intent: each real log runs under every scheduler; the schedule is feasible and its
// measures are possible. The command line reads the same jobs of it and gives the
// library's digest; that it does so for every scheduler shows TestSimulateIsLab.
func TestRealLogs(t *testing.T) {
	for _, l := range realLogs {
		t.Run(l.file, func(t *testing.T) {
			path := realLog(t, l.file)
			size, flags := l.processors, []string(nil)
			if size == 0 {
				says(t, batchlab("simulate", "--log", path, "--algorithm", "easy"), 2, "size of its machine", "--processors N")
				size, flags = 2176, []string{"--processors", "2176"}
			}
			o := object(t, append([]string{"simulate", "--log", path, "--algorithm", "easy"}, flags...)...)
			if o["jobs"] != l.jobs || o["processors"] != size || o["sha256"] != l.sha256 || o["log"] != strings.TrimSuffix(l.file, ".gz") {
				t.Errorf("%v jobs on %v processors, log %v, SHA-256 %v", o["jobs"], o["processors"], o["log"], o["sha256"])
			}
			waits := map[string]float64{}
			for _, key := range catalog.SchedulerKeys() {
				if l.jobs > 30000 && !slices.Contains(long, key) || key == "hill-climbing" { // which is for some dozens of jobs
					continue
				}
				r, err := labRun(path, key, int64(size))
				if err != nil {
					t.Errorf("%s: %v", key, err)
					continue
				}
				use, _ := r.Report.Measure("utilization")
				slowdown, _ := r.Report.Measure("mean-bounded-slowdown")
				if slowdown < 1 || use <= 0 || use > 1 && key != "as-logged" {
					t.Errorf("%s: mean bounded slowdown %v, utilization %v", key, slowdown, use)
				}
				waits[key], _ = r.Report.Measure("mean-wait")
				if digest := experiment.Digest(r.Block); key == "easy" && (o["digest"] != digest || o["mean_wait_s"] != waits[key]) {
					t.Errorf("digest %v, mean wait %v, the library has %s, %v", o["digest"], o["mean_wait_s"], digest, waits[key])
				}
			}
			if waits["easy"] > waits["fcfs"] || waits["conservative"] > waits["fcfs"] {
				t.Errorf("backfilling lets jobs wait longer than FCFS: %v", waits)
			}
		})
	}
}

// Intent: the figures of the literature review come out to the digit printed
// there: τ 10 s, jobs killed at their request, ties oldest first.
func TestStatedFigures(t *testing.T) {
	for _, c := range []struct {
		file, flags    string
		jobs           float64
		wait, slowdown float64
	}{
		{"KTH-SP2-1996-2.1-cln.swf.gz", "easy", 28467, 6837.485, 92.73},
		{"SDSC-SP2-1998-4.2-cln.swf.gz", "easy", 54034, 20576.237, 88.54},
		{"SDSC-SP2-1998-4.2-cln.swf.gz", "easy --backfill spf", 54034, 0, 82.95},
		{"KTH-SP2-1996-2.1-cln.swf.gz", "conservative", 28467, 7199.506, 89.14},
	} {
		o := object(t, append([]string{"simulate", "--log", realLog(t, c.file), "--algorithm"}, strings.Fields(c.flags)...)...)
		wait, slowdown := o["mean_wait_s"].(float64), o["mean_bounded_slowdown"].(float64)
		if o["jobs"] != c.jobs || math.Abs(slowdown-c.slowdown) > 0.005 || c.wait > 0 && math.Abs(wait-c.wait) > 0.0005 {
			t.Errorf("%s, %s: %v jobs, mean wait %v, mean bounded slowdown %v", c.file, c.flags, o["jobs"], wait, slowdown)
		}
	}
}

// Intent: a real schedule written as a log and as CSV reads back as what was
// printed.
func TestRealExport(t *testing.T) {
	path := realLog(t, "KTH-SP2-1996-2.1-cln.swf.gz")
	dir := t.TempDir()
	out, jobs := filepath.Join(dir, "out.swf"), filepath.Join(dir, "jobs.csv")
	before := object(t, "simulate", "--log", path, "--algorithm", "easy", "--swf", out, "--jobs", jobs)
	checkJobs(t, before, parseCSV(t, read(t, jobs)), true)
	after := object(t, "simulate", "--log", out, "--algorithm", "as-logged")
	for _, key := range []string{"jobs", "mean_wait_s", "mean_bounded_slowdown", "utilization", "makespan_s"} {
		if before[key] != after[key] {
			t.Errorf("%s is %v, and %v as logged", key, before[key], after[key])
		}
	}
}
