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

// Intent: a log by hand becomes the table that simulate reads: in the order of time, a pass
// before who starts in its millisecond, with the milliseconds as they are.
func TestInstantsCSV(t *testing.T) {
	log := strings.Join([]string{
		"[2026-11-23T02:32:00.900] debug:  Priority MULTIFACTOR plugin loaded",
		"[2026-11-23T02:32:01.019] _slurm_rpc_submit_batch_job: JobId=7 InitPrio=1 usec=100",
		"[2026-11-23T02:32:01.020] debug:  sched: Running job scheduler for default depth.",
		"[2026-11-23T02:32:01.020] sched: Allocate JobId=7 NodeList=n1 #CPUs=1 Partition=all",
		"[2026-11-23T02:32:05.250] _job_complete: JobId=7 WEXITSTATUS 0",
		"[2026-11-23T02:32:05.301] debug:  _slurm_rpc_epilog_complete: JobId=7 Node=n1",
		"[2026-11-23T02:32:06.000] debug:  sched: Running job scheduler for full queue.",
	}, "\n")
	want := strings.Join([]string{"t,what,which", "1795401120.900,priorities,", "1795401121.019,submit,7", "1795401121.020,main,depth", "1795401121.020,start,7",
		"1795401125.250,end,7", "1795401125.301,epilog,7", "1795401126.000,main,full", ""}, "\n")
	if got := InstantsCSV(log); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
}
