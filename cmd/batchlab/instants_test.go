package main

import (
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// instantRuns are the recorded runs by their kinds, with what share of the jobs has to start
// within 3 s of Slurm when the engine is given slurmctld's log, and where it has the
// instants without when nodes were free again. What k asks for stands in none of its
// files: its reservation. Milliseconds after an end decide too often on f, g and h.
var instantRuns = map[byte][2]float64{'a': {0.98, 0.98}, 'b': {0.98, 0.98}, 'c': {0.98, 0.98}, 'd': {0.98, 0.98}, 'e': {0.98, 0.98},
	'f': {0.98}, 'g': {0.98}, 'h': {0.98}, 'i': {0.97, 0.97}, 'j': {0.98, 0.98}, 'l': {0.98, 0.98}, 'm': {0.98, 0.98}}

// startsOf reads the last start of each job from a table: jobs that never started are out.
func startsOf(t *testing.T, path string, comma rune, id, start string, read func(string) (float64, bool)) map[string]float64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(strings.NewReader(string(text)))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = comma, true, -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	out := map[string]float64{}
	for _, row := range rows[1:] {
		if v, ok := read(row[at[start]]); ok {
			out[row[at[id]]] = v
		}
	}
	return out
}

// Intent: given the instants of Slurm's log, the engine's slurm starts jobs when Slurm did,
// though its times are whole seconds: what follows what within a second is decided by the
// fractions. The first job of a run counts from the same second, so that a shift of all
// starts would show.
func TestSimulateAtInstants(t *testing.T) {
	runs, _ := filepath.Glob(filepath.Join(os.Getenv("BATCHLAB_LOGS"), "..", "slurm", "runs", "*", "sacct-X.psv"))
	if os.Getenv("BATCHLAB_LOGS") == "" || len(runs) == 0 {
		t.Skip("BATCHLAB_LOGS is not set, or there are no recorded runs beside it")
	}
	for _, path := range runs {
		name := filepath.Base(filepath.Dir(path))
		shares := instantRuns[name[0]]
		if shares[1] > 0 {
			simulateAt(t, name, path, filepath.Join(filepath.Dir(path), "instants.csv"), shares[1])
		}
		log, err := exec.Command("xz", "-dc", filepath.Join(filepath.Dir(path), "slurmctld.log.xz")).Output()
		if shares[0] == 0 || err != nil { // of k, or there is no xz
			continue
		}
		file := filepath.Join(t.TempDir(), "slurmctld.log")
		if err := os.WriteFile(file, log, 0o600); err != nil {
			t.Fatal(err)
		}
		simulateAt(t, name+", its log", path, file, shares[0])
	}
}

// simulateAt sets the starts that the engine has at some instants beside Slurm's.
func simulateAt(t *testing.T, name, path, instants string, share float64) {
	t.Helper()
	dir, out := filepath.Dir(path), filepath.Join(t.TempDir(), "jobs.csv")
	var stdout, stderr strings.Builder
	status := dispatch([]string{"simulate", "--log", path, "--algorithm", "slurm", "--instants", instants, "--conf", filepath.Join(dir, "slurm.conf"),
		"--qos", filepath.Join(dir, "qos.psv"), "--accounts", filepath.Join(dir, "sacctmgr-dump.cfg"), "--dependencies", "keep", "--withdrawn", "keep", "--jobs", out}, &stdout, &stderr)
	if status != 0 {
		t.Fatalf("%s: %s", name, stderr.String())
	}
	stamp := func(s string) (float64, bool) {
		at, err := time.Parse("2006-01-02T15:04:05", s)
		return float64(at.Unix()), err == nil
	}
	slurm := startsOf(t, path, '|', "JobIDRaw", "Start", stamp)
	first := math.Inf(1)
	for _, at := range startsOf(t, path, '|', "JobIDRaw", "Submit", stamp) {
		first = min(first, at)
	}
	here := startsOf(t, out, ',', "job_id", "starting_time", func(s string) (float64, bool) {
		v, err := strconv.ParseFloat(s, 64)
		return v, err == nil && v >= 0
	})
	apart, near := 0.0, 0
	for id, at := range slurm {
		d := 1e3
		if v, ok := here[id]; ok {
			d = math.Abs(first + v - at)
		}
		if apart += d; d <= 3 {
			near++
		}
	}
	mean, within := apart/float64(len(slurm)), float64(near)/float64(len(slurm))
	t.Logf("%s: %.2f s, %.0f %%", name, mean, 100*within)
	if within < share || mean > 0.5 {
		t.Errorf("%s: starts differ by %.2f s, %.1f %% are within 3 s", name, mean, 100*within)
	}
}
