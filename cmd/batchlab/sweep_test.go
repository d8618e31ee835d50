package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"batchlab/cmd/batchlab/shard"
	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"

	"pgregory.net/rapid"
)

// swept is a document that varies, with a text that a table must quote, and a
// whole object among its values.
const swept = `{"batchlab":1,"title":"Two <axes>","seed":5,
"workload":{"source":{"generator":{"key":"daily","params":{"jobs":40,"processors":32}}}},
"schedulers":[{"key":"fcfs","repeat":2},{"key":"easy","label":"a \"b\", c","params":{"order":"saf"},"repeat":2},{"key":"as-logged"}],
"vary":[{"path":"workload.scale.load","values":[0.8,1.2,2]},{"path":"schedulers[1].params","values":[{"order":"saf"},{"order":"fcfs","threshold":60}]}]}`

// uneven is one whose points have different numbers of runs.
const uneven = `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":30}}}},"schedulers":[{"key":"easy"},{"key":"fcfs","repeat":2}],
"vary":[{"path":"schedulers[0].repeat","values":[1,3]},{"path":"platform.processors","values":[64,100]}]}`

// files is what a folder holds, by name, shards left out.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "shard-") {
			got[e.Name()] = read(t, filepath.Join(dir, e.Name()))
		}
	}
	return got
}

// Intent: a document that varies prints for each point its values and what the
// point's own document prints, and its tables have the same lines behind a
// column for each axis; a sweep of one point has the plain document's digest.
func TestRunVaries(t *testing.T) {
	dir := t.TempDir()
	o := object(t, "run", write(t, "e.json", swept), "--out", dir)
	e, err := experiment.Decode([]byte(swept))
	if err != nil {
		t.Fatal(err)
	}
	points := get(t, o, "points").([]any)
	if o["identity"] != e.Identity() || o["title"] != e.Title || len(points) != 6 || !reflect.DeepEqual(o["vary"], []any{"workload.scale.load", "schedulers[1].params"}) {
		t.Fatalf("%d points of %v, identity %v", len(points), o["vary"], o["identity"])
	}
	summary := parseCSV(t, read(t, filepath.Join(dir, "summary.csv")))
	line := 0
	for i := range points {
		one, err := e.Points().At(i)
		if err != nil {
			t.Fatal(err)
		}
		own := t.TempDir()
		plain := object(t, "run", write(t, "p.json", string(experiment.Encode(one))), "--out", own)
		p := points[i].(map[string]any)
		for _, key := range []string{"cleaning", "runs", "comparison"} {
			if !reflect.DeepEqual(p[key], plain[key]) {
				t.Errorf("point %d: %s differ", i, key)
			}
		}
		values, _ := json.Marshal(p["values"])
		if want, _ := json.Marshal(e.Points().Values(i)); string(values) != string(want) {
			t.Errorf("point %d: values %s, want %s", i, values, want)
		}
		rows := parseCSV(t, read(t, filepath.Join(own, "summary.csv")))
		for k := range rows.rows {
			want := append([]string{e.Points().Values(i)[0].String(), e.Points().Values(i)[1].String()}, rows.rows[k]...)
			if !reflect.DeepEqual(summary.rows[line], want) {
				t.Errorf("line %d of the summary is %v, want %v", line, summary.rows[line], want)
			}
			line++
		}
		single := e.Clone()
		for a, v := range e.Points().Values(i) {
			single.Vary[a].Values = []experiment.Value{v}
		}
		if o := object(t, "run", write(t, "s.json", string(experiment.Encode(single)))); o["digest"] != plain["digest"] {
			t.Errorf("point %d: a sweep of one point has another digest", i)
		}
	}
	if !reflect.DeepEqual(summary.names[:2], []string{"workload.scale.load", "schedulers[1].params"}) || len(summary.rows) != line {
		t.Errorf("the summary has %d lines for %d runs: %v", len(summary.rows), line, summary.names)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 3 { // the document, the measures, and what to cite
		t.Errorf("written: %v", entries)
	}
	object(t, "run", write(t, "e.json", swept), "--out", dir, "--jobs")
	if names, _ := filepath.Glob(filepath.Join(dir, "jobs-?-0?-*.csv")); len(names) != 6*5 {
		t.Errorf("%d jobs files for 30 runs", len(names))
	}
	if o := object(t, "run", write(t, "x.json", strings.TrimSuffix(swept, "}")+`,"expect":{"digest":"`+o["digest"].(string)+`"}}`)); o["reproduced"] != true {
		t.Error("a sweep is not reproduced")
	}
}

// Intent: the same bytes are printed and written whatever the number of cores,
// and by shards of any number that are merged, in whatever order they were
// done, stopped and taken up; times are printed only when they are asked for.
func TestSameBytes(t *testing.T) {
	for name, text := range map[string]string{"plain": compare, "varied": swept, "uneven": uneven, "cases": asked, "one": demo,
		"grid":  `{"batchlab":1,"workload":{"source":{"generator":{"key":"two-level","params":{"jobs":40}}}},"platform":{"clusters":[{"name":"a","groups":[{"count":1,"processors":128}]},{"name":"=b","groups":[{"count":1,"processors":64}]}]},"schedulers":[{"key":"grid"}],"vary":[{"path":"seed","values":[1,2]}]}`,
		"react": strings.Replace(demo, `"workload":{`, `"workload":{"react":{},`, 1)} {
		doc := write(t, "e.json", text)
		dir := t.TempDir()
		want := batchlab("run", doc, "--out", dir, "--parallel", "1")
		says(t, want, 0)
		if strings.Contains(want.stdout, "simulate_s") {
			t.Errorf("%s: times are printed", name)
		}
		if timed := batchlab("run", doc, "--times"); strings.Count(timed.stdout, `"simulate_s":`) != strings.Count(timed.stdout, `"repetition":`) {
			t.Errorf("%s: with --times, runs have none", name)
		}
		for _, n := range []string{"2", "5"} {
			other := t.TempDir()
			if got := batchlab("run", doc, "--out", other, "--parallel", n); got.stdout != want.stdout || !reflect.DeepEqual(files(t, other), files(t, dir)) {
				t.Errorf("%s: %s cores print or write something else", name, n)
			}
		}
		for _, n := range []int{1, 3, 40} {
			if testing.Short() && n != 3 {
				continue // other cuts of the same work
			}
			other := t.TempDir()
			for i := n; i >= 1; i-- {
				says(t, batchlab("run", doc, "--out", other, "--shard", fmt.Sprintf("%d/%d", i, n)), 0)
			}
			for _, cores := range []string{"1", "3"} {
				got := batchlab("merge", other, "--parallel", cores)
				says(t, got, 0)
				if got.stdout != want.stdout || !reflect.DeepEqual(files(t, other), files(t, dir)) {
					t.Errorf("%s: %d shards, merged by %s cores, give something else", name, n, cores)
				}
			}
			if names, _ := filepath.Glob(filepath.Join(other, "*.part*")); len(names) > 0 {
				t.Errorf("left behind: %v", names)
			}
		}
	}
}

// Intent: a shard that was stopped in the middle or damaged afterwards goes on
// where it was; what cannot be merged is named, and nothing is written.
func TestShardsGoOn(t *testing.T) {
	doc, dir := write(t, "e.json", swept), t.TempDir()
	whole := batchlab("run", doc)
	shard := func(s string, more ...string) output {
		return batchlab(append([]string{"run", doc, "--out", dir, "--shard", s}, more...)...)
	}
	says(t, shard("1/2"), 0)
	says(t, batchlab("merge", dir), 2, "shard-2-of-2.json: missing")
	o := one(t, shard("2/2"))
	if o["items"] != 15. || o["taken_up"] != 0. {
		t.Errorf("shard 2: %v", o)
	}
	second := filepath.Join(dir, "shard-2-of-2.json")
	text := read(t, second)
	lines := strings.SplitAfter(text, "\n")
	if err := os.WriteFile(second+".part", []byte(strings.Join(lines[:8], "")+lines[8][:100]), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Remove(second)
	says(t, batchlab("merge", dir), 2, "shard-2-of-2.json: not complete: run shard 2/2 again")
	out := shard("2/2")
	says(t, out, 0, "1 of its lines are damaged")
	if o := one(t, out); o["taken_up"] != 7. {
		t.Errorf("taken up: %v", o)
	}
	if read(t, second) != text {
		t.Error("the shard that was taken up is another one")
	}
	damaged := []byte(text)
	damaged[len(text)/2] ^= 4
	os.WriteFile(second, damaged, 0o600)
	says(t, batchlab("merge", dir), 2, "shard-2-of-2.json: damaged: run shard 2/2 again")
	if names, _ := filepath.Glob(filepath.Join(dir, "summary*")); len(names) > 0 {
		t.Errorf("written: %v", names)
	}
	if o := one(t, shard("2/2")); o["taken_up"] != 14. {
		t.Errorf("of a damaged shard: %v", o)
	}
	if o := one(t, shard("2/2")); o["taken_up"] != 15. {
		t.Errorf("of a complete shard: %v", o)
	}
	if got := batchlab("merge", dir); got.stdout != whole.stdout {
		t.Error("merged is something else than whole")
	}
	says(t, batchlab("run", write(t, "other.json", strings.Replace(swept, `"seed":5`, `"seed":6`, 1)), "--out", dir, "--shard", "2/2"), 2, second, "it is of another experiment", "choose another folder")
	says(t, shard("2/2", "--jobs"), 2, "other options")
	says(t, shard("1/3"), 2, "shared out to 2 are there already (2 complete, 0 begun), not to 3")
	says(t, batchlab("run", write(t, "other.json", strings.Replace(swept, `"seed":5`, `"seed":6`, 1)), "--out", dir, "--shard", "1/3"), 2, "shared out to 2")
	other := t.TempDir()
	says(t, batchlab("run", doc, "--out", other, "--shard", "1/3"), 0)
	os.Rename(filepath.Join(other, "shard-1-of-3.json"), filepath.Join(dir, "shard-1-of-3.json"))
	says(t, batchlab("merge", dir), 2, "shared out in different ways")
	for arg, want := range map[string]string{"0/2": "counted from 1 to 2", "3/2": "counted from 1 to 2", "1": "I/N is expected", "a/b": "I/N is expected", "1/0": "between 1 and"} {
		says(t, shard(arg), 2, "--shard: ", want)
	}
	says(t, batchlab("run", doc, "--shard", "1/2"), 2, "--out DIR is missing")
	says(t, batchlab("merge"), 2, "which folder?")
	says(t, batchlab("merge", t.TempDir()), 2, "no shards are there")
}

// sharing are the flags of a command that reads a document alone.
func sharing(document string) *workFlags {
	one := int64(1)
	return &workFlags{document: document, workers: &one, skip: new(bool)}
}

// Intent: shards of a version that knows other measures are refused by their
// options; shards of documents that differ only in what they expect belong
// together and give the digest of one run.
func TestShardsOfAnother(t *testing.T) {
	doc, dir := write(t, "e.json", swept), t.TempDir()
	h, err := openShards(sharing(doc), false, false, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	h.Of, h.Options = 2, plainJSON(runOptions{Measures: len(catalog.Metrics) - 1})
	w, err := shard.Open(dir, *h)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	says(t, batchlab("run", doc, "--out", dir, "--shard", "1/2"), 2, "made with other options", fmt.Sprintf(`"measures":%d}`, len(catalog.Metrics)-1))

	whole := one(t, batchlab("run", doc))
	expects := write(t, "expects.json", strings.TrimSuffix(swept, "}")+`,"expect":{"digest":"`+strings.Repeat("0", 64)+`"}}`)
	for k, docs := range [][]string{{doc, expects}, {expects, doc}} { // what is expected is in the first shard's document
		dir := t.TempDir()
		for i, d := range docs {
			says(t, batchlab("run", d, "--out", dir, "--shard", fmt.Sprintf("%d/2", i+1)), 0)
		}
		out := batchlab("merge", dir)
		if out.status != []int{0, notTheSame}[k] {
			t.Fatalf("%d: %s", out.status, out.stderr)
		}
		var o map[string]any
		if err := json.Unmarshal([]byte(out.stdout), &o); err != nil || o["digest"] != whole["digest"] || (o["difference"] != nil) != (k == 1) {
			t.Errorf("%v, %v, %v", err, o["digest"], o["difference"])
		}
	}
}

// Intent: points that are refused are named with their values before anything
// runs, and so are logs that only some points want.
func TestRunVaryFaults(t *testing.T) {
	with := func(vary string) string {
		return write(t, "e.json", strings.TrimSuffix(demo, "}")+`,"vary":[`+vary+`]}`)
	}
	says(t, batchlab("run", with(`{"path":"workload.scale.laod","values":[1]}`)), 2, `line 1: vary[0].path: "workload.scale.laod" is no place of this document; did you mean "workload.scale.load"?`)
	says(t, batchlab("run", with(`{"path":"workload.scale.load","values":[1,-1]}`)), 2, "vary[0].values[1]: refused: workload.scale.load: must be between 0.01 and 100, not -1")
	says(t, batchlab("run", with(`{"path":"workload.window","values":[{"from":0},{"from":900000000}]}`)), 2, `point 2 of 2 (workload.window = {"from":900000000}): `, "keep none of 2000 jobs")
	log := write(t, "three.swf", threeJobs)
	sum := strings.Split(strings.Split(logDocument(log, threeJobs, ""), `"source":`)[1], "}},")[0] + "}"
	doc := with(`{"path":"workload.source","values":[{"bundled":"demo"},` + sum + `]}`)
	says(t, batchlab("run", doc), 2, "point 2 of 2 (", "needs the log three.swf")
	if out := batchlab("run", doc, "--log", log); out.status != 0 || strings.Contains(out.stderr, "not used") {
		t.Errorf("with its log: %d, %s", out.status, out.stderr)
	}
}

// Intent: points may name files of their own beside the log; each is found by its
// hash among those given, and one that is missing is named with its flag.
func TestVaryFiles(t *testing.T) {
	csv := []string{"job,predicted\n1,5\n2,900\n", "job,predicted\n1,900\n2,5\n"}
	named := func(k int) string {
		return fmt.Sprintf(`{"name":"p%d.csv","sha256":"%x","size":%d}`, k, sha256.Sum256([]byte(csv[k])), len(csv[k]))
	}
	doc := write(t, "e.json", `{"batchlab":1,"workload":{"source":{"inline":{"processors":2,"columns":["submit","procs","requested","run"],"rows":[[0,1,1000,80],[1,2,1000,60],[2,1,500,30]]}}},
"schedulers":[{"key":"easy","params":{"orders-by":"prediction","order":"spf"}}],"predict":{"key":"file","file":`+named(0)+`},
"vary":[{"path":"predict.file","values":[`+named(0)+`,`+named(1)+`]}]}`)
	first, second := write(t, "p0.csv", csv[0]), write(t, "p1.csv", csv[1])
	o := object(t, "run", doc, "--predictions", second, "--predictions", first)
	if points := get(t, o, "points").([]any); len(points) != 2 {
		t.Errorf("%d points", len(points))
	}
	says(t, batchlab("run", doc), 2, "needs the file p0.csv", "--predictions FILE.csv")
	says(t, batchlab("run", doc, "--predictions", first), 2, "needs the file p1.csv", "p0.csv is another one: ")
	if text := batchlab("slurm", doc, "--predictions", first, "--predictions", second, "--shards", "2", "--out", t.TempDir(), "--dry-run").stdout; strings.Count(text, "--predictions") != 2 {
		t.Errorf("the array's script:\n%s", text)
	}
}

// Intent: what a run leaves behind comes back as it was, whatever it holds.
func TestRecord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z"\\,{}:\n é<]{0,20}`)
		bytes := rapid.SliceOf(rapid.Byte())
		r := &record{
			run: plainJSON(map[string]any{"label": text.Draw(t, "label"), "run": 1}), summary: []byte(text.Draw(t, "summary")), providers: []byte(text.Draw(t, "providers")),
			head: []byte(text.Draw(t, "head")), workload: []byte(text.Draw(t, "workload")), block: bytes.Draw(t, "block"), trace: bytes.Draw(t, "trace"),
		}
		r.traced = len(r.trace) > 0
		keys := []string{"a", "b", "c"}
		for _, key := range keys {
			r.values = append(r.values, report.Value{Key: key, Value: rapid.SampledFrom([]float64{0, -1.5, math.Inf(1), 1e300}).Draw(t, "value"), Valid: rapid.Bool().Draw(t, "valid")})
		}
		data := r.append(nil)
		if !json.Valid(data) || strings.Contains(string(data), "\n") {
			t.Fatalf("not JSON in one line: %s", data)
		}
		back, err := readRecord(data, keys)
		if err != nil || fmt.Sprintf("%v", *back) != fmt.Sprintf("%v", *r) {
			t.Fatalf("%v\n%v\n%v", err, *back, *r)
		}
		if light := back.light(nil); len(light.block)+len(light.trace) > 0 || string(light.run) != string(r.run) || string(light.summary) != string(r.summary) || string(light.providers) != string(r.providers) ||
			string(light.head) != string(r.head) || string(light.workload) != string(r.workload) || !reflect.DeepEqual(light.values, r.values) || light.traced != r.traced {
			t.Fatalf("without what stays in the file: %v", *light)
		}
		for cut := range data {
			readRecord(data[:cut], keys) // no panic; the line's checksum says what is damaged
		}
	})
}

// Intent: the line on a terminal says how much is done and how long the rest
// takes, counting only what was done since it began.
func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		done, from float64
		total      int
		took       time.Duration
		want       string
	}{
		{0, 0, 10, 0, "[                        ]   0 %  0 of 10 runs"},
		{5.5, 0, 10, 11 * time.Second, "[=============           ]  55 %  5 of 10 runs  9 s left"},
		{60, 50, 100, 10 * time.Minute, "[==============          ]  60 %  60 of 100 runs  40 min left"},
		{10, 0, 10, time.Hour, "[========================] 100 %  10 of 10 runs"},
	} {
		if got := progressLine("runs", c.done, c.from, c.total, c.took); got != c.want {
			t.Errorf("%q\nwant\n%q", got, c.want)
		}
	}
	for d, want := range map[time.Duration]string{90 * time.Minute: "1 h 30 min", 100 * time.Hour: "4 days"} {
		if got := roughly(d); got != want {
			t.Errorf("%v is %q", d, got)
		}
	}
}

// TestAsProgram is no test: it lets other tests run this program as a process,
// to kill it or to see what it takes.
func TestAsProgram(t *testing.T) {
	if args := os.Getenv("BATCHLAB_ARGS"); args != "" {
		status := dispatch(strings.Split(args, "\n"), os.Stdout, os.Stderr)
		if path := os.Getenv("BATCHLAB_STATUS"); path != "" { // what the system says of this process, memory included
			text, _ := os.ReadFile("/proc/self/status")
			os.WriteFile(path, text, 0o600)
		}
		os.Exit(status)
	}
}

// Intent: a shard of a sweep, a search or a paper's preset that is killed with −9
// again and again, at any moment, ends as one that was not, and never begins again.
func TestKilledAgainAndAgain(t *testing.T) {
	sweep := write(t, "e.json", `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":1500}}}},
"schedulers":[{"key":"conservative","repeat":5},{"key":"easy","repeat":5}],"vary":[{"path":"seed","values":[1,2,3,4,5,6,7,8]}]}`)
	for _, args := range [][]string{{"run", sweep}, {"search", write(t, "s.json", sought)}, {"paper", "techiouba2008-figure1a", "--quick"}} {
		t.Run(args[0], func(t *testing.T) {
			if testing.Short() && args[0] != "run" {
				t.Skip("the same folder and the same lines")
			}
			dir := t.TempDir()
			all := strings.Join(append(args[:len(args):len(args)], "--out", dir, "--shard", "1/1", "--parallel", "2"), "\n")
			kills := 0
			for wait := 15 * time.Millisecond; ; wait += wait/8 + time.Duration(1+rand.IntN(3))*time.Millisecond {
				c := exec.Command(os.Args[0], "-test.run=^TestAsProgram$")
				c.Env = append(os.Environ(), "BATCHLAB_ARGS="+all)
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan error, 1)
				go func() { ended <- c.Wait() }()
				select {
				case err := <-ended:
					if err != nil {
						t.Fatalf("not killed, and ended with %v", err)
					}
				case <-time.After(wait):
					c.Process.Kill()
					if <-ended != nil {
						kills++
						continue
					}
				}
				break
			}
			t.Logf("killed %d times", kills)
			if kills == 0 {
				t.Error("it was never killed")
			}
			if got := batchlab("merge", dir); got.stdout != batchlab(args...).stdout {
				t.Errorf("after %d kills another result: %s", kills, got.stderr)
			}
			if names, _ := filepath.Glob(filepath.Join(dir, "shard-*")); len(names) != 1 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}
