package intake

import (
	"fmt"
	"strings"
	"testing"
)

// months makes the output of sacct of several rows: id, raw number, submission, start, end, state.
func months(rows ...string) string {
	return "JobID|JobIDRaw|User|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|NCPUS|ReqCPUS\n" + strings.Join(rows, "\n") + "\n"
}

// Intent: files as administrators have them, which are no textbook output: each gives the
// jobs that a person would read out of it, or names the row.
func TestForeignFiles(t *testing.T) {
	const a = "1|1|ann|2026-11-23T08:00:00|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|60|2|COMPLETED|2|2"
	const b = "2|2|bob|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:01:10|2026-11-23T08:02:10|60|2|COMPLETED|4|4"
	const runs = "2|2|bob|2026-11-23T08:00:05|2026-11-23T08:00:05|2026-11-23T08:01:10|Unknown|30|2|RUNNING|4|4"
	const waits = "2|2|bob|2026-11-23T08:00:05|2026-11-23T08:00:05|Unknown|Unknown|0|2|PENDING|4|4"
	const isA, isB = "1 0 10 60 2 2 120 1 1\n", "2 5 65 60 4 4 120 1 2"
	const both = isA + isB
	helios := "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n" +
		"1,u1,vc1,2,16,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:00:10,2020-04-01 00:01:10,60,10\n" +
		"2,u2,vc1,0,4,1,CANCELLED,2020-04-01 00:00:05,,2020-04-01 00:02:10,0,125\n"
	for _, c := range []struct {
		what  string
		files []string
		want  string
		said  string // in the report's checks, assumptions or problems
	}{
		{"CRLF and a byte order mark", []string{"\ufeff" + strings.ReplaceAll(months(a, b), "\n", "\r\n")}, both, ""},
		{"-p: a separator at the end of each row", []string{strings.ReplaceAll(months(a, b), "\n", "|\n")}, both, ""},
		{"blank lines around and between", []string{"\n" + strings.ReplaceAll(months(a, b), "\n", "\n\n")}, both, ""},
		{"words of a login above the header", []string{"Welcome to birch!\n* maintenance on Monday *\n" + months(a, b)}, both, ""},
		{"another separator", []string{strings.ReplaceAll(months(a, b), "|", "^")}, both, ""},
		{"a table with Slurm's names and a usual one", []string{strings.NewReplacer("NCPUS|ReqCPUS", "CPUs", "|2|2\n", "|2\n", "|4|4\n", "|4\n").Replace(months(a, b))}, "1 0 10 60 2 -1 120 1 1\n2 5 65 60 4 -1 120 1 2", ""},
		{"tabs", []string{strings.ReplaceAll(months(a, b), "|", "\t")}, both, ""},
		{"cells in quotes, between commas", []string{`"` + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(months(a, b)), "|", `","`), "\n", "\"\n\"") + "\"\n"}, both, ""},
		{"months put together with cat: the header again", []string{months(a) + months(b)}, both, ""},
		{"months put together with cat: other columns", []string{months(a) + "User|JobID|Start|Submit|End|State|NCPUS|ReqCPUS|TimelimitRaw\nbob|2|2026-11-23T08:01:10|2026-11-23T08:00:05|2026-11-23T08:02:10|COMPLETED|4|4|2\n"}, both, ""},
		{"a month without jobs among others", []string{months(a), months(), "", months(b)}, both, ""},
		{"it ran when the first month was asked for, and had ended in the second", []string{months(a, runs), months(b)}, both, "1 stands in the files more than once"},
		{"the second month first: users are numbered as they come", []string{months(b), months(a, runs)}, "1 0 10 60 2 2 120 1 2\n2 5 65 60 4 4 120 1 1", "1 stands in the files more than once"},
		{"it waited when the first month was asked for", []string{months(a, waits), months(b)}, both, "1 stands in the files more than once"},
		{"it waited, then ran, then had ended", []string{months(a, waits), months(runs), months(b)}, both, "2 stands in the files more than once"},
		{"an array waited as one row, and its tasks ran later", []string{months(a, strings.Replace(waits, "2|2|", "2_[0-1%1]|2|", 1)), months(strings.Replace(b, "2|2|", "2_1|2|", 1))},
			isA + "3 5 -1 -1 4 4 120 -1 2\n" + isB, "1 stands in the files more than once"},
		{"a limit and a run time of days and parts of a second", []string{strings.NewReplacer("ElapsedRaw|TimelimitRaw", "Elapsed|Timelimit", "T08:01:10|60|2|", "T08:01:10|1-02:03:04.567|1-12:00:00|").Replace(months(a))}, "1 0 10 93784 2 2 129600 1 1", ""},
		{"states cut off by a narrow column", []string{months(strings.Replace(a, "COMPLETED", "OUT_OF_ME+", 1), strings.Replace(b, "COMPLETED", "CANCELLED+", 1))}, "1 0 10 60 2 2 120 0 1\n2 5 65 60 4 4 120 5 2", "0 "},
		{"numbers in thousands", []string{months(strings.TrimSuffix(a, "2|2") + "1.5K|2K")}, "1 0 10 60 1500 2000 120 1 1", ""},
		{"resources in thousands", []string{strings.Replace(months(a+"|billing=2K,cpu=1.5K,gres/gpu=1K,mem=3.5T,node=1"), "ReqCPUS", "ReqCPUS|AllocTRES", 1)}, "1 0 10 60 2 2 120 1 1", ""},
		{"the clock goes back while it runs: how long it ran is said", []string{months(strings.Replace(a, "2026-11-23T08:00:10|2026-11-23T08:01:10|60", "2026-11-23T08:59:10|2026-11-23T08:10:10|660", 1))}, "1 0 3550 660 2 2 120 1 1", "1 ends before its start"},
		{"it was suspended: from its start to its end is more than it ran", []string{months(strings.Replace(a, "08:01:10|60", "08:11:10|60", 1))}, "1 0 10 60 2 2 120 1 1", "1 ran shorter than from its start to its end"},
		{"sacct --json twice, put together with cat", []string{ofJSON(12) + "\n" + ofJSON(13)}, "12 0 10 90 8 8 120 1 1\n13 0 10 90 8 8 120 1 1", ""},
		{"Helios: queue is how long the job waited", []string{helios}, "1 0 10 60 16 -1 -1 1 1\n2 5 -1 -1 4 -1 -1 5 2", ""},
		{"Torque: one processor by default beside nodes", []string{"11/23/2026 08:01:10;E;1.head;user=ann ctime=1795420800 start=1795420810 end=1795420870 Resource_List.ncpus=1 Resource_List.nodes=2:ppn=8 Resource_List.walltime=00:02:00 Exit_status=0\n"}, "1 0 10 60 16 16 120 1 1", ""},
		{"PBS: the record of a whole array beside its tasks", []string{"11/23/2026 08:01:10;E;1[].head;user=ann ctime=1795420800 start=1795420810 end=1795420870 Resource_List.ncpus=2 Resource_List.walltime=00:02:00 Exit_status=0\n" +
			"11/23/2026 08:01:10;E;1[1].head;user=ann ctime=1795420800 start=1795420810 end=1795420870 Resource_List.ncpus=2 Resource_List.walltime=00:02:00 Exit_status=0\n"}, "1 0 10 60 2 2 120 1 1", ""},
		{"PBS: it ran when the first file ended", []string{"11/23/2026 08:00:10;S;1.head;user=ann ctime=1795420800 start=1795420810 Resource_List.ncpus=2 Resource_List.walltime=00:02:00\n",
			"11/23/2026 08:01:10;E;1.head;user=ann ctime=1795420800 start=1795420810 end=1795420870 Resource_List.ncpus=2 Resource_List.walltime=00:02:00 Exit_status=0\n"}, "1 0 10 60 2 2 120 1 1", "1 stands in the files more than once"},
		{"UTF-16, as PowerShell writes it", []string{inUTF16(months(a, b))}, both, ""},
	} {
		var files [][]byte
		for _, f := range c.files {
			files = append(files, []byte(f))
		}
		r, err := Read(Options{}, files...)
		if err != nil {
			if c.want != "" || !strings.Contains(err.Error(), c.said) {
				t.Errorf("%s: %v", c.what, err)
			}
			continue
		}
		if got := all(r); got != strings.TrimSpace(c.want) {
			t.Errorf("%s:\n%s\nwant\n%s\n%v", c.what, got, c.want, r.Log.Problems)
		}
		if got := checks(r) + fmt.Sprint(r.Report.Assumed, r.Log.Problems); !strings.Contains(got, c.said) {
			t.Errorf("%s: %q is not said:\n%s", c.what, c.said, got)
		}
	}
}

// ofJSON is the output of sacct --json of one job.
func ofJSON(id int) string {
	return fmt.Sprintf(`{"meta": {"plugin": {"type": "openapi/dbv0.0.40"}}, "jobs": [{"job_id": %d, "user": "ann", "time": {"submission": 1795420800, "start": 1795420810, "end": 1795420900, "elapsed": 90, "limit": {"set": true, "infinite": false, "number": 2}}, "state": {"current": ["COMPLETED"]}, "required": {"CPUs": 8}, "allocation_nodes": 2, "tres": {"allocated": [{"type": "cpu", "count": 8}]}}]}`, id)
}

// inUTF16 writes a text of ASCII as UTF-16, little end first, with its mark.
func inUTF16(s string) string {
	b := []byte{0xff, 0xfe}
	for i := 0; i < len(s); i++ {
		b = append(b, s[i], 0)
	}
	return string(b)
}

// Intent: what cannot be read at all is refused with what to do instead.
func TestForeignRefused(t *testing.T) {
	for _, c := range []struct{ what, text, want string }{
		{"nothing", "", "empty"},
		{"a header alone", months(), "header and no row"},
		{"sacct without -P", "       JobID    JobName  Partition    Account  AllocCPUS      State ExitCode \n------------ ---------- ---------- ---------- ---------- ---------- -------- \n1                  job       main        bio          2  COMPLETED      0:0 \n", "-P"},
		{"squeue --json", `{"meta": {"plugin": {"type": "openapi/v0.0.38"}}, "jobs": [{"job_id": 1, "submit_time": 1795420800, "job_state": "RUNNING"}]}`, "squeue"},
		{"packed by bzip2", "BZh91AY&SY\x00\x01\x02", "bunzip2"},
		{"packed by xz", "\xfd7zXZ\x00\x00\x04", "unxz"},
		{"zip", "PK\x03\x04\x14\x00", "unzip"},
		{"zstd", "\x28\xb5\x2f\xfd\x00", "unzstd"},
		{"parquet", "PAR1\x15\x04", "duckdb"},
	} {
		if _, err := Read(Options{}, []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.what, err, c.want)
		}
	}
}

// Intent: configurations as they are kept: in several files, in any order, in capitals or
// not, with lines that go on, by whatever editor; the machine is the same.
func TestForeignMachines(t *testing.T) {
	const main = "ClusterName=birch\nInclude /etc/slurm/nodes.conf\nNodeName=DEFAULT CPUs=4 RealMemory=1000\nPartitionName=DEFAULT MaxTime=60\nPartitionName=all Nodes=ALL Default=YES\nPartitionName=few Nodes=n[01-02]\n"
	const nodes = "NodeName=n[01-04]\nNodeName=big[1,3] CPUs=16 \\\n   Gres=gpu:a100:2(S:0-1),nvme:1\n"
	const want = "6 nodes 48 processors 4 GPUs all 48 3600 few 8 3600"
	for what, files := range map[string][]string{
		"in one":                   {main + nodes},
		"the nodes in a file":      {main, nodes},
		"the other way round":      {nodes, main},
		"CRLF and a mark":          {"\ufeff" + strings.ReplaceAll(main+nodes, "\n", "\r\n")},
		"UTF-16":                   {inUTF16(main + nodes)},
		"other capitals and tabs":  {strings.NewReplacer("NodeName", "nodename", "PartitionName", "PARTITIONNAME", "CPUs", "cpus", " ", "\t").Replace(main + nodes)},
		"blanks around, and marks": {strings.NewReplacer("Nodes=ALL", "Nodes = \"ALL\" # all of them", "CPUs=16", "CPUs= 16").Replace(main + nodes)},
	} {
		m := readConfText(t, files...)
		got := fmt.Sprintf("%d nodes %d processors %d GPUs", m.Nodes, m.Processors, m.GPUs)
		for _, p := range m.Partitions {
			got += fmt.Sprintf(" %s %d %d", p.Name, p.Processors, p.MaxTime)
		}
		if got != want || len(m.Problems) > 0 {
			t.Errorf("%s: %s, want %s; %v", what, got, want, m.Problems)
		}
	}
	m := readConfText(t, "sn,cpu_milli,memory_mib,gpu,model\r\na-0,32000,262144,0,\r\na-1,96000,393216,2,P100\r\na-2,96000,393216,2,P100\r\nx\r\n")
	if got := fmt.Sprintf("%d %d %d %v %d %v", m.Nodes, m.Processors, m.GPUs, m.Groups[1].Features, m.Groups[1].Count, m.Problems[0].Line); got != "3 224 4 [P100] 2 5" {
		t.Errorf("openb's nodes: %s", got)
	}
}
