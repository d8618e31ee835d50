package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// happened writes a log whose waits are those of EASY, of jobs of three groups and two
// queues, and a document of other schedulers over it.
func happened(t *testing.T, schedulers string, more string) (document, log string) {
	t.Helper()
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	if status := dispatch([]string{"generate", "daily", "--jobs", "5000", "--seed", "4"}, &stdout, &stderr); status != 0 {
		t.Fatal(stderr.String())
	}
	made := filepath.Join(dir, "made.swf")
	if err := os.WriteFile(made, []byte(marked(stdout.String())), 0o600); err != nil {
		t.Fatal(err)
	}
	log = filepath.Join(dir, "happened.swf")
	stdout.Reset()
	if status := dispatch([]string{"simulate", "--log", made, "--algorithm", "easy", "--swf", log}, &stdout, &stderr); status != 0 {
		t.Fatal(stderr.String())
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	document = filepath.Join(dir, "experiment.json")
	doc := fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"log":{"name":"happened.swf","sha256":%q,"size":%d}}%s},"schedulers":[%s]}`, hex.EncodeToString(sum[:]), len(text), more, schedulers)
	if err := os.WriteFile(document, []byte(doc), 0o600); err != nil {
		t.Fatal(err)
	}
	return document, log
}

// marked gives the jobs of a log groups (field 13), queues (15) and partitions (16) by
// turns.
func marked(log string) string {
	lines := strings.Split(log, "\n")
	for i, line := range lines {
		if f := strings.Fields(line); len(f) == 18 && f[0] != ";" {
			f[12], f[14], f[15] = fmt.Sprint(i%3), fmt.Sprint(i%2), fmt.Sprint(i%5)
			lines[i] = strings.Join(f, " ")
		}
	}
	return strings.Join(lines, "\n")
}

// truthOf runs truth and reads what it prints.
func truthOf(t *testing.T, args ...string) (out truthed) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := dispatch(append([]string{"truth"}, args...), &stdout, &stderr); status != 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Intent: the scheduler that a log's waits came from is found to be exactly true, and
// another is not; each part's jobs add up to all; repetitions that are alike are told once.
func TestTruthOfWhatHappened(t *testing.T) {
	document, log := happened(t, `{"key":"as-logged"},{"key":"easy","repeat":3},{"key":"fcfs"}`, "")
	out := truthOf(t, document, "--log", log)
	if len(out.Schedulers) != 2 || out.Log != "happened.swf" {
		t.Fatalf("%+v", out)
	}
	easy, fcfs := out.Schedulers[0], out.Schedulers[1]
	if len(easy.Runs) != 1 || easy.Itself != nil {
		t.Fatalf("repetitions that are alike: %d runs, %+v", len(easy.Runs), easy.Itself)
	}
	if r := easy.Runs[0]; r.Jobs < 4500 || r.MedianError != 0 || r.Bias != 0 || *r.Ratio != 1 || *r.Rank != 1 || r.Minute != 1 || r.Hour != 1 || r.Tenth != 1 || r.Unknown != 0 || r.Unserved != 0 {
		t.Errorf("what happened was EASY: %+v", r.Nearness)
	}
	if r := fcfs.Runs[0]; r.Bias <= 0 || r.Minute == 1 || *r.Rank >= 1 {
		t.Errorf("FCFS is no EASY: %+v", r.Nearness)
	}
	jobs := map[string]int{}
	for _, p := range fcfs.Runs[0].Parts {
		jobs[p.By] += p.Jobs
	}
	for _, by := range []string{"partition", "queue", "size", "group", "week"} {
		if jobs[by] != fcfs.Runs[0].Jobs {
			t.Errorf("parts by %s have %d jobs of %d", by, jobs[by], fcfs.Runs[0].Jobs)
		}
	}
}

// Intent: every number of truth.csv comes out again from the log and the jobs files of
// run, by a program that shares no code with this one; also inside a measuring window.
func TestTruthIsRecomputed(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	for _, window := range []string{"", `,"measures":{"from":40000,"to":300000}`} {
		schedulers, args := `{"key":"fcfs"},{"key":"easy","params":{"order":"spf"}},{"key":"conservative"}`, []string(nil)
		if window != "" {
			schedulers, args = `{"key":"easy","params":{"order":"spf"}}`, []string{"--without", "--calibrate"}
		}
		document, log := happened(t, schedulers, "")
		if window != "" {
			text, err := os.ReadFile(document)
			if err != nil {
				t.Fatal(err)
			}
			text = append(bytes.TrimSuffix(text, []byte("}")), window+"}"...)
			if err := os.WriteFile(document, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		dir := t.TempDir()
		truthOf(t, append([]string{document, "--log", log, "--out", dir}, args...)...)
		var stdout, stderr bytes.Buffer
		if status := dispatch([]string{"run", document, "--log", log, "--out", dir}, &stdout, &stderr); status != 0 {
			t.Fatal(stderr.String())
		}
		variants, err := filepath.Glob(filepath.Join(dir, "variant-*.json"))
		if err != nil || window != "" && len(variants) < 10 {
			t.Fatal(variants, err)
		}
		for _, v := range variants {
			if status := dispatch([]string{"run", v, "--log", log, "--out", strings.TrimSuffix(v, ".json")}, &stdout, &stderr); status != 0 {
				t.Fatal(stderr.String())
			}
		}
		args = []string{"../../docs/recompute_truth.py", filepath.Join(dir, "truth.csv"), dir, log}
		if window != "" {
			args = append(args, "--window", "40000", "300000")
		}
		text, err := exec.Command(python, args...).CombinedOutput()
		if err != nil || !strings.Contains(string(text), " 0 of them not looked at, 0 numbers differ") {
			t.Fatalf("window %q: %v\n%s", window, err, text)
		}
	}
}

// Intent: what cannot be set beside a log is refused with the place and the reason,
// and nothing is printed.
func TestTruthRefuses(t *testing.T) {
	plain := `{"key":"easy"}`
	for _, one := range []struct{ schedulers, more, want string }{
		{`{"key":"as-logged"}`, "", "log's own schedule"},
		{plain, `,"react":{"think":"drawn"}`, "workload.react"},
		{plain, `,"resample":{"by":"weeks"}`, "workload.resample"},
		{plain, `,"scale":{"load":1.5}`, "workload.scale"},
	} {
		document, log := happened(t, one.schedulers, one.more)
		var stdout, stderr bytes.Buffer
		if status := dispatch([]string{"truth", document, "--log", log}, &stdout, &stderr); status != badInput || stdout.Len() > 0 || !strings.Contains(stderr.String(), one.want) {
			t.Errorf("%s %s: status %d, %s", one.schedulers, one.more, status, stderr.String())
		}
	}
}

// Intent: when prints an answer with its record, the same each time, and refuses what it
// cannot answer.
func TestWhenPrints(t *testing.T) {
	document, log := happened(t, `{"key":"easy"},{"key":"as-logged"}`, "")
	args := []string{"when", document, "--log", log, "--at", "500000", "--procs", "60", "--limit", "7200", "--draws", "8", "--record", "60"}
	run := func(args ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		status := dispatch(args, &stdout, &stderr)
		return status, stdout.String(), stderr.String()
	}
	status, text, message := run(args...)
	if status != 0 {
		t.Fatal(message)
	}
	var told whenTold
	if err := json.Unmarshal([]byte(text), &told); err != nil {
		t.Fatal(err)
	}
	if told.Scheduler != "EASY" || len(told.Waits) != 7 || len(told.Draws) != 8 || told.Record.Asked != 60 || told.Record.Judged == 0 || told.Record.Eight == 0 {
		t.Errorf("%s", text)
	}
	if _, again, _ := run(args...); again != text {
		t.Error("the same question has two answers")
	}
	for _, one := range []struct {
		more []string
		want string
	}{
		{[]string{"--scheduler", "2"}, "the log's own schedule"},
		{[]string{"--scheduler", "3"}, "there are 2"},
		{[]string{"--procs", "100000"}, "processors are wanted of"},
	} {
		if status, text, message := run(append(args[:len(args):len(args)], one.more...)...); status != badInput || text != "" || !strings.Contains(message, one.want) {
			t.Errorf("%v: status %d, %s", one.more, status, message)
		}
	}
	if status, _, message := run("when", document, "--log", log); status != badInput || !strings.Contains(message, "--at") {
		t.Errorf("no question: status %d, %s", status, message)
	}
}

// Intent: users of a queue are matched with those of the experiment's log as the document
// reads it, also where that is a table whose columns the document names.
func TestQueueOfMappedTable(t *testing.T) {
	table := "begun asking,took,cores,wants,whose\n"
	for i := range 60 {
		table += fmt.Sprintf("%d,%d,%d,7200,user%d\n", 1000*i, 600+37*i, 1+i%4, i%3)
	}
	log := write(t, "own.csv", table)
	document := write(t, "own.json", fmt.Sprintf(`{"batchlab":1,"platform":{"processors":4},"schedulers":[{"key":"easy"}],"workload":{"source":{"log":{"name":"own.csv","sha256":"%x","size":%d,
		"format":"csv","columns":{"submit":"begun asking","run":"took","procs":"cores","requested":"wants","user":"whose"}}}}}`, sha256.Sum256([]byte(table)), len(table)))
	queue := write(t, "squeue.txt", "JOBID|USER|ST|TIME|TIME_LIMIT|CPUS|SUBMIT_TIME|REASON\n7|user1|R|10:00|2:00:00|4|2026-07-02T08:00:00|None\n8|nobody|PD|0:00|1:00:00|1|2026-07-02T08:00:00|None\n")
	out := batchlab("when", document, "--log", log, "--squeue", queue, "--procs", "1", "--limit", "60", "--draws", "4", "--record", "0")
	if says(t, out, 0); !strings.Contains(out.stderr, "2 jobs; 0 held ones left out; 1 rows are of users") {
		t.Error(out.stderr)
	}
}

// Intent: what squeue prints takes the place of the run: the answer counts its jobs, a row
// that waits can be asked about, no name of it is printed, and what does not fit is refused.
func TestWhenFromSqueue(t *testing.T) {
	document, log := happened(t, `{"key":"easy"}`, "")
	queue := filepath.Join(t.TempDir(), "squeue.txt")
	write := func(rows string) {
		if err := os.WriteFile(queue, []byte("JOBID|USER|ST|TIME|TIME_LIMIT|CPUS|SUBMIT_TIME|REASON\n"+rows), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (int, *whenTold, string) {
		var stdout, stderr bytes.Buffer
		status := dispatch(append([]string{"when", document, "--log", log, "--squeue", queue, "--draws", "8", "--record", "30"}, args...), &stdout, &stderr)
		var told whenTold
		if status == 0 {
			if err := json.Unmarshal(stdout.Bytes(), &told); err != nil {
				t.Fatal(err)
			}
		}
		return status, &told, stdout.String() + stderr.String()
	}
	write("7|secretname|R|10:00|2:00:00|80|2026-07-02T08:00:00|None\n8|secretname|PD|0:00|4:00:00|90|2026-07-02T09:00:00|Resources\n9|x|PD|0:00|4:00:00|1|2026-07-02T09:30:00|Dependency\n")
	status, told, text := run("--procs", "60", "--limit", "7200")
	if status != 0 || told.Running != 1 || told.Waiting != 1 || told.Free != 20 || told.Waits[3] == 0 || strings.Contains(text, "secretname") || !strings.Contains(text, "1 held") {
		t.Fatal(text)
	}
	if status, told, text = run("--job", "2"); status != 0 || told.Procs != 90 || told.Draws[7] > 7200-600 {
		t.Errorf("what waits for one job of two hours: %s", text)
	}
	for _, one := range [][2]string{{"--job=1", "runs already"}, {"--job=3", "the queue has 2"}} {
		if status, _, text = run(one[0]); status != badInput || !strings.Contains(text, one[1]) {
			t.Error(text)
		}
	}
	write("7|x|R|10:00|2:00:00|80|2026-07-02T08:00:00|None\n8|x|R|1:00|4:00:00|80|2026-07-02T09:00:00|None\n")
	if status, _, text = run("--procs", "1", "--limit", "60"); status != badInput || !strings.Contains(text, "takes 160 processors, and there are 100") {
		t.Error(text)
	}
}
