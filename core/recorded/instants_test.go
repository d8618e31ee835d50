package recorded

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Intent: where instants.csv is not there, the log gives the same instants. Its twin are
// the files of recorded runs, which another program wrote.
func TestInstantsOfLog(t *testing.T) {
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("without xz there are no logs to read")
	}
	for _, dir := range recordings(t) {
		r := load(t, dir, false)
		log, err := exec.Command("xz", "-dc", filepath.Join(dir, "slurmctld.log.xz")).Output()
		if err != nil {
			t.Fatal(err)
		}
		count := map[instant]int{}
		for _, e := range logInstants(string(log), r.t0) {
			count[e]++
		}
		for _, e := range r.instants {
			if e.what == "epilog" {
				continue // the file names the array, the log the task
			}
			if count[e]--; count[e] < 0 {
				t.Errorf("%s: the log does not give %v", filepath.Base(dir), e)
			}
		}
		for e, n := range count {
			// The file leaves out tasks that a cycle started.
			if n > 0 && e.what != "epilog" && !(e.what == "start" && strings.Contains(e.which, "_")) {
				t.Errorf("%s: only the log gives %v", filepath.Base(dir), e)
			}
		}
		f := files(t, dir, true)
		f.Instants = nil
		bare, err := Read(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, difference, within, _, _ := compare(bare.Given()); difference > 0.1 || within < 1 {
			t.Errorf("%s, without instants.csv: starts differ by %.2f s", filepath.Base(dir), difference)
		}
	}
	log := []byte("[2027-01-15T08:00:01.001] debug:  sched: Running job scheduler for default depth.\nrubbish\n[2027-01-15T08:00:02.500] _job_complete: JobId=4_1(7) WEXITSTATUS 0\n")
	if got := logInstants(string(bytes.TrimSpace(log)), 1_800_000_000); len(got) != 2 || got[0] != (instant{1001, "main", "depth", ""}) || got[1] != (instant{2500, "end", "4_1", ""}) {
		t.Errorf("by hand: %v", got)
	}
}
