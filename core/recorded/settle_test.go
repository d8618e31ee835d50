package recorded

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Intent: what only the log tells is computed from Slurm's starts where the log is not
// there, with few answers; and a wrong rule is not talked away by it.
func TestSettle(t *testing.T) {
	for _, dir := range recordings(t) {
		name := filepath.Base(dir)
		r := load(t, dir, false)
		settled := r.settle()
		_, difference, within, _, _ := compare(r.Given())
		if difference > 0.1 || within < 1 || settled > 5 {
			t.Errorf("%s, without the log: with %d instants settled starts differ by %.2f s, %.1f %% are within 3 s", name, settled, difference, 100*within)
		}
		if with := load(t, dir, true); len(with.released) > 0 && with.settle() != 0 {
			t.Errorf("%s: with the log something is settled", name)
		}
		if !strings.HasPrefix(name, "e-") && !strings.HasPrefix(name, "f-") {
			continue
		}
		f := files(t, dir, false)
		f.Conf = []byte(strings.Replace(string(f.Conf), "CPUs=4", "CPUs=5", 1))
		wrong, err := Read(f)
		if err != nil {
			t.Fatal(err)
		}
		wrong.settle()
		if _, difference, within, _, _ := compare(wrong.Given()); within > 0.9 {
			t.Errorf("%s with a CPU too many: starts differ by %.2f s only", name, difference)
		}
	}
}

// Intent: an instant that no file tells is settled as Slurm's start shows: job 1's nodes
// were free 5 ms after its end, before a pass that comes 8 ms after it, or only behind
// it. The constant of 17 ms would have it behind.
func TestSettleByHand(t *testing.T) {
	for _, c := range []struct {
		start   string
		settled int
	}{{"08:00:20", 1}, {"08:00:32", 0}} {
		f := small
		f.Instants = []byte(strings.Replace(string(f.Instants), "20.500,end,1,\n", "20.500,end,1,\n20.508,main,depth,\n", 1))
		f.Sacct = []byte(strings.Replace(string(f.Sacct), "2|2027-01-15T08:00:32", "2|2027-01-15T"+c.start, 1))
		r, err := Read(f)
		if err != nil {
			t.Fatal(err)
		}
		settled := r.settle()
		i := slices.IndexFunc(r.Given(), func(s Start) bool { return s.JobID == "2" })
		if s := r.Given()[i]; settled != c.settled || s.Here != s.Slurm {
			t.Errorf("job 2 starts at %d, in Slurm at %d, %d instants settled; by hand %d", s.Here, s.Slurm, settled, c.settled)
		}
	}
}

// Intent: what is not gone by is said, with file and line, and nothing else is; the
// version is the one that the files give, wherever they do.
func TestUnfollowedIsSaid(t *testing.T) {
	f := small
	f.Conf = []byte("SelectType=select/cons_tres\nSchedulerParameters=bf_resolution=1,pack_serial_at_end,bf_max_time=3,bf_new_word=1\nTopologyPlugin=topology/tree\nSlurmctldPort=6817\nNodeName=n[1-2] CPUs=2 CoreSpecCount=1\nPartitionName=all Nodes=ALL LLN=YES State=UP\n")
	f.Workload = []byte(strings.Replace(string(f.Workload), "cancel_s\n1,0.0,,,,,3,,,,,,1,19,,,,,,,,\n", "cancel_s,bursts\n1,0.0,,,,,3,,,,,,1,19,,,,,,,,,x\n", 1))
	f.Workload = []byte(strings.ReplaceAll(string(f.Workload), ",,,,,,,,\n", ",,,,,,,,,\n"))
	f.Workload = []byte(strings.ReplaceAll(string(f.Workload), "0-2%2,,,,,\n", "0-2%2,,,,,,\n"))
	f.Sacct = append(slices.Clone(f.Sacct), "99|2027-01-15T08:00:01|2027-01-15T08:00:20|COMPLETED|\n"...)
	f.QOS = []byte("Name|Priority|GrpWall|GrpTRESMins|MaxJobsAccruePU\nnormal|0|||\nlong|0|10:00|cpu=5|7\n")
	f.Config = []byte("SLURM_VERSION           = 24.11.3\n")
	r, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	report, starts := r.Report("x")
	want := []string{
		"slurm.conf: line 5: CoreSpecCount=1",
		"slurm.conf: line 6: LLN=YES",
		"slurm.conf: line 2: schedulerparameters: pack_serial_at_end",
		"slurm.conf: line 2: schedulerparameters: bf_new_word",
		"slurm.conf: TopologyPlugin=topology/tree, but there is no topology.conf",
		"workload.csv: line 2: column bursts",
		"qos.psv: long: maxjobsaccruepu",
		"sacct-X.psv: job 99 is in no line of workload.csv",
	}
	slices.Sort(want)
	got := slices.Sorted(slices.Values(report.Unfollowed))
	if !slices.Equal(got, want) {
		t.Errorf("said %q, wanted %q", got, want)
	}
	if report.Slurm != "24.11.3" || r.cluster.Params.Version != 2411 {
		t.Errorf("version %q, %d", report.Slurm, r.cluster.Params.Version)
	}
	if slices.ContainsFunc(starts, func(s Start) bool { return s.JobID == "99" }) {
		t.Error("a job of nobody is compared")
	}
	for text, version := range map[string]int{`{"version": "slurm 23.11.4"}`: 2311, `{"version": "slurm-wlm 22.05.8"}`: 2205, `{}`: 2205, `{"version": "25.11.0-rc1"}`: 2511, `{"version": "none"}`: 2205} {
		if got := (&run{}).readVersion(Files{Sent: []byte(text)}); got != version {
			t.Errorf("%s: %d", text, got)
		}
	}
	if got := (&run{}).readVersion(Files{Log: []byte("[2026] slurmctld version 24.05.1 started on cluster x\n")}); got != 2405 {
		t.Errorf("of the log: %d", got)
	}
}
