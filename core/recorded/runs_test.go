package recorded

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// files are a run's folder; without its log, if so asked.
func files(t testing.TB, dir string, withLog bool) Files {
	t.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil
		}
		return data
	}
	var log []byte
	if withLog {
		log, _ = exec.Command("xz", "-dc", filepath.Join(dir, "slurmctld.log.xz")).Output()
	}
	return Files{Run: read("run.json"), Conf: read("slurm.conf"), Workload: read("workload.csv"), Sent: read("sent.json"), Instants: read("instants.csv"),
		Sacct: read("sacct-X.psv"), QOS: read("qos.psv"), Dump: read("sacctmgr-dump.cfg"), Log: log}
}

// load reads a run.
func load(t testing.TB, dir string, withLog bool) *Run {
	t.Helper()
	r, err := Read(files(t, dir, withLog))
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return r
}

// recordings are the folders of real runs: beside the folder of real logs,
// BATCHLAB_LOGS.
func recordings(t testing.TB) []string {
	runs, _ := filepath.Glob(filepath.Join(os.Getenv("BATCHLAB_LOGS"), "..", "slurm", "runs", "*", "run.json"))
	if os.Getenv("BATCHLAB_LOGS") == "" || len(runs) == 0 {
		t.Skip("BATCHLAB_LOGS is not set, or there are no recorded runs beside it: nothing to compare")
	}
	for i := range runs {
		runs[i] = filepath.Dir(runs[i])
	}
	return runs
}

// Intent: the decisions are a real Slurm's. At the instants of its own log jobs start
// when they did there, whatever the configuration; with when nodes were free again,
// read off its log, as good as all of them. A wrong rule of any loop, priority, limit
// or choice of nodes shows here, since all that follows goes another way.
func TestGivenIsSlurm(t *testing.T) {
	_, noXZ := exec.LookPath("xz") // nor is there, as wasm, any program
	if noXZ != nil {
		t.Log("without xz the runs are compared without their logs alone")
	}
	for _, dir := range recordings(t) {
		name := filepath.Base(dir)
		if noXZ == nil {
			_, difference, within, _, _ := compare(load(t, dir, true).Given())
			if difference > 0.1 || within < 1 {
				t.Errorf("%s: starts differ by %.2f s, %.1f %% are within 3 s", name, difference, 100*within)
			}
		}
		if strings.ContainsAny(name[:1], "fgij") {
			continue // when nodes were free decides too often
		}
		_, difference, within, _, _ := compare(load(t, dir, false).Given())
		if difference > 0.5 || within < 0.98 {
			t.Errorf("%s, without the log: starts differ by %.2f s, %.1f %% are within 3 s", name, difference, 100*within)
		}
	}
}

// Intent: the band of free plays is one of Slurm's: its mean wait lies in or near it,
// and a free play is not much farther from a real run than two real runs of one
// workload are from each other (3 to 18 s).
func TestFreeBandHoldsSlurm(t *testing.T) {
	for _, dir := range recordings(t) {
		r, _ := load(t, dir, false).Report(filepath.Base(dir))
		low, high := r.Free.Wait[0], r.Free.Wait[2]
		if slack := 0.02 * r.Wait; r.Wait < low-slack || r.Wait > high+slack {
			t.Errorf("%s: Slurm's mean wait is %.1f s, free plays have %.1f to %.1f", r.Run, r.Wait, low, high)
		}
		if r.Free.Difference > 1.5*20 {
			t.Errorf("%s: free plays start jobs %.1f s from where Slurm did", r.Run, r.Free.Difference)
		}
	}
}
