package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
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
	if text := all.String(); !strings.Contains(text, `"dependencies": "keep"`) {
		t.Errorf("what jobs wait for was read, and is not kept: %s", text)
	}
	run := object(t, "run", filepath.Join(out, "experiment.json"), "--log", filepath.Join(out, "log.swf"), "--extra", filepath.Join(out, "extra.csv"))
	direct := object(t, "simulate", "--log", path, "--algorithm", "easy", "--dependencies", "keep")
	if a, b := get(t, run, "runs", 2, "metrics", "mean-wait"), get(t, direct, "metrics", "mean-wait"); a != b {
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

// Intent: with the cluster's slurm.conf the document has its machine, as-logged puts
// every job of it where the log says, the pause is an outage where that is asked for, the
// zone that a document names moves the log's times, and what is no such file is refused.
func TestImportConf(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	jobs := write("jobs.psv", "JobIDRaw|User|Submit|Eligible|Start|End|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS\n"+
		"12|zoe|2026-11-23T08:00:00|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:40|2|COMPLETED|2|8|8\n"+
		"13|yan|2026-11-23T08:01:00|2026-11-23T08:01:00|2026-11-23T10:05:20|2026-11-23T10:05:50|10|FAILED|1|4|4\n")
	conf := write("slurm.conf", "NodeName=zn[1-3] CPUs=4 RealMemory=1000 Feature=fast\nPartitionName=p Nodes=ALL\nSchedulerParameters=bf_interval=1\n")
	qos := write("qos.psv", "Name|Priority|GraceTime|Preempt|\nnormal|0|00:00:00||\n")
	accounts := write("assoc.psv", "Cluster|Account|User|Share|\nc|zacc||5|\n")
	out := filepath.Join(dir, "out")
	o := object(t, "import", jobs, "--conf", conf, "--qos", qos, "--accounts", accounts, "--outages", "--out", out)
	if get(t, o, "machine", "processors") != 12.0 || get(t, o, "machine", "groups", 0, "count") != 3.0 || get(t, o, "machine", "qos", 0, "name") != "normal" || get(t, o, "machine", "accounts", 0, "shares") != 5.0 {
		t.Errorf("%v", o["machine"])
	}
	doc, err := os.ReadFile(filepath.Join(out, "experiment.json"))
	if err != nil || !strings.Contains(string(doc), `"from": 100`) || !strings.Contains(string(doc), `"memory": 1048576000`) || strings.Contains(string(doc), "zn") || strings.Contains(string(doc), "zacc") {
		t.Errorf("%v: %s", err, doc)
	}
	run := object(t, "run", filepath.Join(out, "experiment.json"), "--log", filepath.Join(out, "log.swf"), "--extra", filepath.Join(out, "extra.csv"))
	if get(t, run, "runs", 0, "metrics", "mean-wait") != float64(10+7460)/2 {
		t.Errorf("as-logged waits %v s in the mean", get(t, run, "runs", 0, "metrics", "mean-wait"))
	}
	for _, wrong := range []struct{ args, want string }{
		{"import " + conf + " --out " + out, "give it by --conf"},
		{"import " + jobs + " --conf " + jobs + " --out " + out, "describes no cluster that is known"},
	} {
		if got := batchlab(strings.Fields(wrong.args)...); got.status != 2 || !strings.Contains(got.stderr, wrong.want) {
			t.Errorf("%s: %d %s", wrong.args, got.status, got.stderr)
		}
	}
	// The accounting itself as the log of a document that says in which zone it was kept.
	data, _ := os.ReadFile(jobs)
	sum := sha256.Sum256(data)
	for zone, want := range map[string]string{"": "1795420800", "Europe/Prague": "1795417200", "-05:00": "1795438800"} {
		text := fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"log":{"name":"jobs.psv","sha256":"%s","size":%d%s}}},"platform":{"processors":12},"schedulers":[{"key":"fcfs"}]}`,
			hex.EncodeToString(sum[:]), len(data), map[bool]string{true: fmt.Sprintf(`,"format":"sacct","zone":%q`, zone)}[zone != ""])
		got := batchlab("run", write("doc.json", text), "--log", jobs, "--out", out)
		swf, _ := filepath.Glob(filepath.Join(out, "*.csv"))
		if got.status != 0 || len(swf) == 0 {
			t.Fatalf("%s: %d %s", zone, got.status, got.stderr)
		}
		e, err := experiment.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		set, err := readLogs([]string{jobs}, false, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		l, err := set.find(*e.Workload.Source.Log)
		if err != nil || fmt.Sprint(l.Header.UnixStartTime) != want {
			t.Errorf("%q: the log begins at %d, want %s: %v", zone, l.Header.UnixStartTime, want, err)
		}
	}
	text := fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"log":{"name":"jobs.psv","sha256":"%s","size":%d,"zone":"Nowhere/Land"}}},"platform":{"processors":12},"schedulers":[{"key":"fcfs"}]}`, hex.EncodeToString(sum[:]), len(data))
	if got := batchlab("run", write("doc.json", text), "--log", jobs); got.status != 2 || !strings.Contains(got.stderr, "is no zone") {
		t.Errorf("%d %s", got.status, got.stderr)
	}
	if !slices.Equal(intake.Keys(), catalog.LogFormats) {
		t.Errorf("formats are %v, and a document may name %v", intake.Keys(), catalog.LogFormats)
	}
	if keys := slices.Sorted(slices.Values(intake.Roles())); !slices.Equal(keys, slices.Sorted(slices.Values(catalog.LogColumns[:]))) {
		t.Errorf("columns hold %v, and a document may name %v", keys, catalog.LogColumns)
	}
}

// Intent: of each recorded run of a real Slurm, the jobs of sacct are those that its
// workload file says were submitted, with the limits, sizes and run times asked for; its
// slurm.conf, and what sacctmgr wrote, are read without a fault as the machine that it
// ran on, and never more is in use than that has.
func TestRecordedWorkloads(t *testing.T) {
	runs, _ := filepath.Glob(filepath.Join(os.Getenv("BATCHLAB_LOGS"), "..", "slurm", "runs", "*", "workload.csv"))
	if os.Getenv("BATCHLAB_LOGS") == "" || len(runs) == 0 {
		t.Skip("no recorded runs beside the logs of BATCHLAB_LOGS")
	}
	for _, path := range runs {
		dir, name := filepath.Dir(path), filepath.Base(filepath.Dir(path))
		file := func(name string) []byte {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		var run struct {
			Nodes struct{ Count, CPUs int64 }
		}
		var sent struct {
			T0   int64
			Sent []struct{ ID, JobID string }
		}
		for what, to := range map[string]any{"run.json": &run, "sent.json": &sent} {
			if err := json.Unmarshal(file(what), to); err != nil {
				t.Fatal(err)
			}
		}
		files := [][]byte{file("sacct-X.psv")}
		if more, err := os.ReadFile(filepath.Join(dir, "sacct-X-CA.psv")); err == nil {
			files = append(files, more)
		}
		r, err := intake.Read(intake.Options{}, files...)
		if err != nil {
			t.Fatal(err)
		}
		byNumber := map[string]int{}
		for i := range r.Log.Records {
			byNumber[fmt.Sprint(r.Log.Records[i].JobNumber)] = i
		}
		number := map[string]string{}
		for _, s := range sent.Sent {
			number[s.ID] = s.JobID
		}
		rows, err := csv.NewReader(bytes.NewReader(file("workload.csv"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		jobs, tasks := 0, 0
		for _, row := range rows[1:] {
			cell := func(name string) string { return row[slices.Index(rows[0], name)] }
			whole := func(name string) int64 {
				n, _ := strconv.ParseInt(cell(name), 10, 64)
				return n
			}
			if span, _, _ := strings.Cut(cell("array"), "%"); span != "" {
				from, to, _ := strings.Cut(span, "-")
				a, _ := strconv.Atoi(from)
				b, _ := strconv.Atoi(to)
				jobs, tasks = jobs+b-a+1, tasks+b-a+1
				continue
			}
			jobs++
			i, there := byNumber[number[cell("id")]]
			if !there {
				t.Errorf("%s: job %s, of Slurm %s, is not there", name, cell("id"), number[cell("id")])
				continue
			}
			rec := &r.Log.Records[i]
			submitted, _ := strconv.ParseFloat(cell("submit"), 64)
			at := r.Log.Header.UnixStartTime + rec.SubmitTime - sent.T0
			if late := float64(at) - submitted; late < -1 || late > 5 {
				t.Errorf("%s: job %s is submitted %g s late", name, cell("id"), late)
			}
			if limit := whole("limit_min"); limit > 0 && int64(rec.RequestedTime) != 60*limit {
				t.Errorf("%s: job %s asks for %d s, not %d min", name, cell("id"), rec.RequestedTime, limit)
			}
			if asks := whole("ntasks") * max(whole("cpus_per_task"), 1); asks > 0 && cell("nodes") == "" && cell("exclusive") == "" && whole("mem_mb") == 0 && whole("mem_per_cpu_mb") == 0 && int64(rec.RequestedProcessors) != asks {
				t.Errorf("%s: job %s asks for %d processors, not %d", name, cell("id"), rec.RequestedProcessors, asks)
			}
			if rec.Status == 1 && (int64(rec.RunTime) < whole("run_s") || int64(rec.RunTime) > whole("run_s")+3) {
				t.Errorf("%s: job %s runs for %d s, not %d", name, cell("id"), rec.RunTime, whole("run_s"))
			}
		}
		if r.Report.Jobs-r.Report.Tries != jobs || r.Report.InArrays-tasks > r.Report.Tries || r.Report.InArrays < tasks {
			t.Errorf("%s: %d jobs, %d of them tries, %d of arrays; %d and %d were submitted", name, r.Report.Jobs, r.Report.Tries, r.Report.InArrays, jobs, tasks)
		}
		m, err := intake.ReadMachine(nil, file("slurm.conf"), file("qos.psv"), file("sacctmgr-dump.cfg"))
		if err != nil || len(m.Problems) > 0 {
			t.Fatalf("%s: %v %v", name, err, m)
		}
		if m.Nodes != run.Nodes.Count || m.Processors != run.Nodes.Count*run.Nodes.CPUs || len(m.QOS) == 0 || len(m.Accounts) == 0 {
			t.Errorf("%s: %d nodes of %d, %d processors, %d QOS, %d accounts", name, m.Nodes, run.Nodes.Count, m.Processors, len(m.QOS), len(m.Accounts))
		}
		if c := r.Report.InUse(m.Processors); c.Count > 0 {
			t.Errorf("%s: %s", name, c.What)
		}
	}
}

// Intent: what was imported of each recorded run, with the machine, QOS and accounts of
// its files, happens again as it was recorded: as-logged starts and ends every job that ran
// in the second that sacct says, and never has more in use than the machine has. A reader
// that lost a job, a zone or an attempt, or a machine read too small, would show here.
func TestRecordedAsLogged(t *testing.T) {
	runs, _ := filepath.Glob(filepath.Join(os.Getenv("BATCHLAB_LOGS"), "..", "slurm", "runs", "*", "sacct-X.psv"))
	if os.Getenv("BATCHLAB_LOGS") == "" || len(runs) == 0 {
		t.Skip("no recorded runs beside the logs of BATCHLAB_LOGS")
	}
	for _, path := range runs {
		dir, out := filepath.Dir(path), t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		args := []string{"import", path, "--out", out}
		for _, beside := range [][2]string{{"--conf", "slurm.conf"}, {"--qos", "qos.psv"}, {"--accounts", "sacctmgr-dump.cfg"}} {
			if _, err := os.Stat(in(beside[1])); err == nil { // of some nothing was kept but jobs and machine
				args = append(args, beside[0], in(beside[1]))
			}
		}
		object(t, args...)
		o := object(t, "run", filepath.Join(out, "experiment.json"), "--log", filepath.Join(out, "log.swf"), "--extra", filepath.Join(out, "extra.csv"), "--out", out)
		if beside, ok := get(t, o, "runs", 0, "beside").(map[string]any); !ok || beside["excess"] != nil {
			t.Errorf("%s: more in use than there is: %v", filepath.Base(dir), beside)
		}
		files, _ := filepath.Glob(filepath.Join(out, "jobs-01-as-logged-*.csv"))
		if len(files) != 1 {
			t.Fatalf("%s: %v", dir, files)
		}
		f, err := os.Open(files[0])
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		start, end := slices.Index(rows[0], "starting_time"), slices.Index(rows[0], "finish_time")
		var got, want []string
		reason := slices.Index(rows[0], "end_reason")
		for _, row := range rows[1:] {
			if row[reason] == "withdrawn" && row[start] == "-1" { // it left the queue, in the recording, too
				continue
			}
			got = append(got, row[start]+" "+row[end])
		}
		// The recording, read plainly: every row that started and did not end at once.
		text, err := os.ReadFile(in("sacct-X.psv"))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		cell := func(line, name string) string {
			names, cells := strings.Split(lines[0], "|"), strings.Split(line, "|")
			i := slices.Index(names, name)
			if i > slices.Index(names, "JobName") { // one of the names has a bar in it
				i += len(cells) - len(names)
			}
			return cells[i]
		}
		at := func(s string) int64 {
			x, err := time.Parse("2006-01-02T15:04:05", s)
			if err != nil {
				return -1
			}
			return x.Unix()
		}
		zero := int64(math.MaxInt64)
		for _, line := range lines[1:] {
			zero = min(zero, at(cell(line, "Submit")))
		}
		for _, line := range lines[1:] {
			if from, to := at(cell(line, "Start")), at(cell(line, "End")); from >= 0 && to > from {
				want = append(want, fmt.Sprintf("%d %d", from-zero, to-zero))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d jobs ran, %d are there\n%v\n%v", filepath.Base(dir), len(want), len(got), want, got)
		}
	}
}

// Intent: partitions, QOS and accounts of the configuration bind the jobs that the
// import writes, each under the number by which they name it: u2's second job waits for
// its QOS, which lets a user run one, the job of account two for that account's four
// processors, and no name of a user or an account stands in the document.
func TestImportShares(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	row := func(id, user, account, qos, part string, cpus int) string {
		return fmt.Sprintf("%s|%s|%s|%s|%s|2026-11-23T08:00:00|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|2|COMPLETED|1|%d|%d\n", id, user, account, qos, part, cpus, cpus)
	}
	jobs := write("jobs.psv", "JobIDRaw|User|Account|QOS|Partition|Submit|Eligible|Start|End|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS\n"+
		row("1", "zoe", "zone", "normal", "small", 2)+row("2", "zyan", "ztwo", "one", "all", 3)+row("3", "zyan", "zone", "one", "all", 1)+row("4", "zoe", "ztwo", "normal", "all", 2))
	conf := write("slurm.conf", "NodeName=zn[1-4] CPUs=4\nPartitionName=all Nodes=ALL\nPartitionName=small Nodes=zn4\nAccountingStorageEnforce=limits\n")
	qos := write("qos.psv", "Name|Priority|GraceTime|Preempt|MaxJobsPU|\none|5|0||1|\nnormal|0|0|||\n")
	accounts := write("assoc.psv", "Cluster|Account|User|Share|ParentName|GrpTRES|\nc|root||1|||\nc|ztwo||3|root|cpu=4|\nc|zone||1|root||\nc|zone|zoe|1|||\n")
	out := filepath.Join(dir, "out")
	object(t, "import", jobs, "--conf", conf, "--qos", qos, "--accounts", accounts, "--out", out)
	doc, err := os.ReadFile(filepath.Join(out, "experiment.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"zoe", "zyan", "zone", "ztwo", "zn"} {
		if strings.Contains(string(doc), name) {
			t.Errorf("%s stands in the document", name)
		}
	}
	run := object(t, "run", filepath.Join(out, "experiment.json"), "--log", filepath.Join(out, "log.swf"), "--extra", filepath.Join(out, "extra.csv"), "--out", out)
	if got := get(t, run, "runs", 2, "metrics", "mean-wait"); got != 30.0 {
		t.Errorf("jobs wait %v s under EASY, not 30", got)
	}
}

// Intent: a table whose columns have names of its own is refused with what is missing and
// how to say it; with a map it is read, and a document that holds the map reads the same
// jobs of it.
func TestColumnsAreTold(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "jobs.csv")
	data := []byte("Ticket;Asked;Began;Took;Slots;Who\n1;1700000000;1700000010;50;4;zebra\n2;1700000005;1700000070;60;2;zebra\n")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	got := batchlab("import", path, "--out", filepath.Join(dir, "out"))
	if got.status == 0 || !strings.Contains(got.stderr, "no column looks like the time of submission, nor like the run time (or start and end), nor like the number of processors or nodes among Ticket, Asked") || !strings.Contains(got.stderr, "--column submit=NAME") {
		t.Fatalf("%d %s", got.status, got.stderr)
	}
	got = batchlab("import", path, "--column", "submit=Asked", "--column", "start=Began", "--column", "run=Took", "--column", "procs=Slots", "--column", "user=Who", "--out", filepath.Join(dir, "out"))
	if got.status != 0 {
		t.Fatal(got.stderr)
	}
	log, err := os.ReadFile(filepath.Join(dir, "out", "log.swf"))
	if err != nil || !regexp.MustCompile(`(?s)\n +1 +0 +10 +50 +4 .*\n +2 +5 +65 +60 +2 `).Match(log) {
		t.Errorf("%s %v", log, err)
	}
	if strings.Contains(got.stdout, "zebra") {
		t.Error(got.stdout)
	}
	sum := sha256.Sum256(data)
	doc := filepath.Join(dir, "doc.json")
	for columns, want := range map[string]int{`{"submit":"Asked","start":"Began","run":"Took","procs":"Slots"}`: 0, `{"submit":"Askd"}`: 2, `{"submitted":"Asked"}`: 2} {
		text := fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"log":{"name":"jobs.csv","sha256":"%s","size":%d,"columns":%s}}},"schedulers":[{"key":"as-logged"}]}`, hex.EncodeToString(sum[:]), len(data), columns)
		if err := os.WriteFile(doc, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := batchlab("run", doc, "--log", path); got.status != want || want == 0 && !strings.Contains(got.stdout, `"digest"`) {
			t.Errorf("%s: %d %s", columns, got.status, got.stderr)
		}
	}
}
