package intake

import (
	"fmt"
	"strings"
	"testing"
)

// Intent: what administrators' own sets of columns leave unsaid is taken from where it is
// said: sizes of jobs that never ran, GPUs that accounting does not count.
func TestOddColumns(t *testing.T) {
	for _, c := range []struct{ what, text, want, extra string }{
		{"a job that left the queue, of which only NCPUS tells the size", "JobID|Submit|Start|End|State|NCPUS|Timelimit|\n7|2026-11-23T08:00:00|None|2026-11-23T08:01:00|CANCELLED by 1001|32|00:02:00|\n",
			"7 0 -1 -1 -1 32 120 5 -1", "Withdrawn:60"},
		{"GPUs of a command, of each node, before the column that counts the nodes", "JobID|Submit|Start|End|State|SubmitLine|AllocTRES|NNodes\n7|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|sbatch --gres=nvme:1,gpu:a100:2 -N2 x.sh|cpu=8,node=2|2\n",
			"7 0 10 60 8 -1 -1 1 -1", "GPUs:4"},
		{"the same in another option", "JobID|Submit|Start|End|State|SubmitLine|AllocTRES|NNodes\n7|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|sbatch --gpus-per-node 4 x.sh|cpu=8,node=2|2\n",
			"7 0 10 60 8 -1 -1 1 -1", "GPUs:8"},
		{"the command says less than what was counted", "JobID|Submit|Start|End|State|SubmitLine|AllocTRES|NNodes\n7|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|sbatch --gres=gpu x.sh|cpu=8,gres/gpu:a100=2,gres/gpu:v100=1,node=2|2\n",
			"7 0 10 60 8 -1 -1 1 -1", "GPUs:3"},
		{"an option of no GPUs", "JobID|Submit|Start|End|State|SubmitLine|NCPUS\n7|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|sbatch --gres=none --gpus=x x.sh|8\n",
			"7 0 10 60 8 -1 -1 1 -1", "GPUs:0"},
	} {
		r, err := Read(Options{}, []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := all(r); got != c.want || !strings.Contains(fmt.Sprintf("%+v", r.Extra), c.extra) {
			t.Errorf("%s: %s, want %s; %+v, want %s; %v", c.what, got, c.want, r.Extra, c.extra, r.Log.Problems)
		}
	}
}

// Intent: jobs of several clusters in one file are not silently one machine's.
func TestSeveralClusters(t *testing.T) {
	const head = "JobID|Cluster|Submit|Start|End|State|NCPUS\n"
	row := func(id, cluster string) string {
		return id + "|" + cluster + "|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|4\n"
	}
	if got := checks(read(t, "sacct", head+row("1", "birch")+row("2", "oak")+row("3", "birch"))); !strings.Contains(got, "2 clusters share the file") {
		t.Error(got)
	}
	if got := checks(read(t, "sacct", head+row("1", "birch")+row("2", "birch"))); strings.Contains(got, "clusters") {
		t.Error(got)
	}
}

// Intent: rows without the line that names their columns are refused with what to ask for.
func TestNoHeader(t *testing.T) {
	_, err := Read(Options{}, []byte("100|ann|2026-01-05T08:00:00|2026-01-05T08:00:10|CANCELLED by 7|4\n"))
	if err == nil || !strings.Contains(err.Error(), "without -n") {
		t.Error(err)
	}
}

// Intent: lines that go on are joined as Slurm joins them, with nothing between, and a
// list goes on in an indented line.
func TestConfGoesOn(t *testing.T) {
	for _, text := range []string{
		"SchedulerParameters=bf_interval=60,\\\nbf_window=7\n", "SchedulerParameters=bf_interval=60,\\\n\t bf_window=7\n", "Scheduler\\\nParameters=bf_interval=6\\  \n0,bf_window=7\n",
	} {
		m := readConfText(t, "NodeName=n1\n"+text)
		if len(m.Scheduling) != 1 || m.Scheduling[0].Value != "bf_interval=60,bf_window=7" {
			t.Errorf("%q: %+v", text, m.Scheduling)
		}
	}
}

// Intent: a set of nodes by a feature, or by names as well, is what a partition has that
// names it, wherever the rows stand.
func TestNodeSets(t *testing.T) {
	m := readConfText(t, "PartitionName=p Nodes=fast\nPartitionName=q Nodes=both,n9\nNodeSet=fast Feature=ib\nNodeSet=both Feature=ib Nodes=n[4-5]\n"+
		"NodeName=n[1-3] CPUs=2 Features=old,ib\nNodeName=n[4-5] CPUs=4 Features=ibx\nNodeName=n9 CPUs=8\n")
	if len(m.Problems) > 0 || len(m.Unused) > 0 || m.Partitions[0].Processors != 6 || m.Partitions[1].Processors != 6+8+8 {
		t.Errorf("%+v %v %v", m.Partitions, m.Problems, m.Unused)
	}
}

// Intent: every row becomes one thing: what is counted sums up to the rows, also where a
// row can be split into cells and says nothing that can be used.
func TestEveryRowOnce(t *testing.T) {
	r := read(t, "sacct", "JobID|Submit|Start|End|State|NCPUS\n1|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|4\n2|Unknown|Unknown|Unknown|COMPLETED|4\n3|x\n4.batch|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|4\n"+
		"1|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|4\n5|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|9999999999\n")
	sum := 0
	for _, f := range r.Report.Became {
		sum += f.Count
	}
	if sum != 6 || r.Report.Rows+r.Log.Malformed != 6 || r.Report.Jobs != 1 || r.Log.Malformed != 3 {
		t.Errorf("%d of %d and %d rows: %+v", sum, r.Report.Rows, r.Log.Malformed, r.Report.Became)
	}
}

// Intent: a fault is shown in its row, with what stands beside it as far as that is a
// figure; a name beside it is never shown.
func TestFaultInItsRow(t *testing.T) {
	r := read(t, "sacct", "User|JobID|Submit|Start|End|State|NCPUS\nann|1|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|4\n"+
		"1001|2|2026-11-23T08:00:00|soon|2026-11-23T08:01:10|COMPLETED|4\n1001|3|yesterday|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|4\nann|4|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|four\n")
	var got []string
	for _, p := range r.Log.Problems {
		got = append(got, p.Before+"["+p.Text+"]"+p.After)
	}
	want := "…|2026-11-23T08:00:00|[soon]|2026-11-23T08:01:10|… …|[yesterday]|2026-11-23T08:00:10|2026-11-23T08:01:10|… …|[four]"
	if strings.Join(got, " ") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, " "), want)
	}
}
