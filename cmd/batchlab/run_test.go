package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/workload"
)

// Intent: a document that cannot be used ends with exit code 2 and, for each
// fault, file, line and path, and what was probably meant.
func TestRunBadDocuments(t *testing.T) {
	rest := `"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}]`
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"unknown.json": {"{\"batchlab\":1,\"workload\":{\"source\":{\"bundled\":\"demo\"}},\n\"schedulers\":[{\"key\":\"easy\",\n\"params\":{\"ordr\":\"saf\"}}],\n\"sed\":2}", []string{
			`unknown.json: line 3: schedulers[0].params.ordr: unknown key; did you mean "order"?`, `unknown.json: line 4: sed: unknown key; did you mean "seed"?`}},
		"type.json":       {"{\"batchlab\":1,\n\"seed\":\"one\"," + rest + "}", []string{"type.json: line 2: seed: must be a number, not a string"}},
		"types.json":      {`{"batchlab":1,"workload":5,"schedulers":{}}`, []string{"types.json: line 1: workload: must be an object, not a number", "schedulers: must be an array"}},
		"nested.json":     {strings.Repeat("[", 10000) + strings.Repeat("]", 10000), []string{"nested.json: line 1, column 33: more than 32 objects and arrays"}},
		"nested2.json":    {`{"batchlab":1,"title":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + "}", []string{"nested2.json: line 1, column ", "more than 32 objects and arrays"}},
		"open.json":       {strings.Repeat("[", 10000), []string{"open.json: line 1, column 33"}},
		"objects.json":    {strings.Repeat(`{"a":`, 10000), []string{"objects.json: line 1, column ", "more than 32"}},
		"duplicate.json":  {"{\"batchlab\":1,\"seed\":1,\n\"seed\":2," + rest + "}", []string{"duplicate.json: line 2: seed: duplicate key"}},
		"utf8.json":       {"{\"batchlab\":1,\n\"title\":\"\xff\"," + rest + "}", []string{"utf8.json: line 2, column 10: the text is not valid UTF-8"}},
		"surrogate.json":  {`{"batchlab":1,"title":"\ud800",` + rest + "}", []string{"surrogate.json: line 1: title: "}},
		"comma.json":      {"{\"batchlab\":1,\n \"seed\":,}", []string{"comma.json: line 2, column 9: not JSON"}},
		"cut.json":        {`{"batchlab":1,` + rest, []string{"cut.json: line 1, column ", "ends too early"}},
		"behind.json":     {"{\"batchlab\":1," + rest + "}\n}", []string{"behind.json: line 2, column 1: something follows"}},
		"empty.json":      {"", []string{"empty.json: ", "ends too early"}},
		"array.json":      {"[]", []string{"array.json: line 1: a document is an object, not an array"}},
		"large.json":      {strings.Repeat(" ", 1000) + "{}", []string{"large.json: line 1: batchlab: missing"}},
		"newer.json":      {"{\"batchlab\":2," + rest + "}", []string{"newer.json: line 1: batchlab: ", "newer Batchlab"}},
		"no-version.json": {"{" + rest + "}", []string{"no-version.json: line 1: batchlab: "}},
		"scheduler.json":  {`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"esay"}]}`, []string{`schedulers[0].key: unknown scheduler "esay"; did you mean "easy"?`}},
		"bundled.json":    {`{"batchlab":1,"workload":{"source":{"bundled":"dmeo"}},"schedulers":[{"key":"easy"}]}`, []string{`workload.source.bundled: `, `did you mean "demo"?`}},
		"range.json":      {`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy","repeat":0}]}`, []string{"schedulers[0].repeat: must be between 1 and 1000, not 0"}},
		"log.swf.gz":      {packedLog(t), []string{"log.swf.gz: ", "gzip", "--log"}},
		"a.swf":           {threeJobs, []string{"a.swf: line 1, column ", "not JSON"}},
	} {
		path := write(t, name, c.text)
		says(t, batchlab("run", path), 2, append(c.want, "batchlab: "+path+": ")...)
		withStdin(t, c.text, func() {
			says(t, batchlab("run", "-"), 2, "batchlab: standard input: ")
		})
	}
}

// logDocument is an experiment on a log.
func logDocument(path, text string, rest string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"log":{"name":%q,"sha256":%q,"size":%d}}},%s}`,
		filepath.Base(path), hex.EncodeToString(sum[:]), len(text), rest)
}

// Intent: an experiment on a log asks for it by name and hash; another log is
// not taken for it, whatever its name; the right one is, packed or renamed.
func TestRunFindsLogByHash(t *testing.T) {
	doc := write(t, "e.json", logDocument("three.swf", threeJobs, `"schedulers":[{"key":"easy"}]`))
	says(t, batchlab("run", doc), 2, doc+": this experiment needs the log three.swf (", "--log FILE")
	wrong := write(t, "three.swf", threeJobs+"; one more line\n")
	says(t, batchlab("run", doc, "--log", wrong), 2, "needs the log three.swf", wrong+" is another one: ")
	renamed, packed := write(t, "other.txt", threeJobs), write(t, "packed.swf.gz", pack(t, threeJobs))
	for _, args := range [][]string{{"--log", renamed}, {"--log", packed}, {"--log", wrong, "--log", renamed}, {"--log=" + renamed, "--log=" + wrong}} {
		out := batchlab(append([]string{"run", doc}, args...)...)
		says(t, out, 0)
		if o := one(t, out); get(t, o, "runs", 0, "metrics", "mean-wait") != 3. {
			t.Errorf("%v: %v", args, o)
		}
		if (len(args) > 2 || strings.Contains(args[len(args)-1], "three")) != strings.Contains(out.stderr, wrong+": not used") {
			t.Errorf("%v: %q", args, out.stderr)
		}
	}
	says(t, batchlab("run", write(t, "d.json", demo), "--log", renamed), 0, renamed+": not used: the experiment does not name it")
	headless := write(t, "no-size.swf", oneJob)
	doc = write(t, "e.json", logDocument(headless, oneJob, `"schedulers":[{"key":"easy"}]`))
	says(t, batchlab("run", doc, "--log", headless), 2, doc+": "+headless+": ", "platform.processors")
	doc = write(t, "e.json", logDocument(headless, oneJob, `"platform":{"processors":2},"schedulers":[{"key":"easy"}]`))
	says(t, batchlab("run", doc, "--log", headless), 2, "1 job: Larger than the machine: left out (line 1)")
	damaged := threeJobs + "1 2 3\n"
	log := write(t, "damaged.swf", damaged)
	doc = write(t, "e.json", logDocument(log, damaged, `"schedulers":[{"key":"easy"},{"key":"as-logged"}]`))
	says(t, batchlab("run", doc, "--log", log), 2, "1 of 4 lines are damaged", "line 5: 3 fields", "--skip-malformed")
	says(t, batchlab("run", doc, "--log", log, "--skip-malformed"), 0, "1 of 4 lines are damaged", "as-logged: the log states no wait times")
}

// compare is an experiment of several schedulers, repetitions and an odd label.
const compare = `{"batchlab":1,"title":"Two, \"quoted\"","seed":5,
"workload":{"source":{"generator":{"key":"daily","params":{"jobs":60,"processors":32}}}},
"schedulers":[{"key":"fcfs","repeat":2},{"key":"easy","label":"a \"b\", c","params":{"order":"saf"},"repeat":2},{"key":"as-logged"}]}`

// Intent: run prints identity, digest, every run with every measure, and the
// comparison; the summary and the jobs files say the same.
func TestRunOutputs(t *testing.T) {
	doc, dir := write(t, "e.json", compare), filepath.Join(t.TempDir(), "made", "here")
	out := batchlab("run", "--out", dir, doc)
	says(t, out, 0, "as-logged: the log states no wait times")
	o := one(t, out)
	e, err := experiment.Decode([]byte(compare))
	if err != nil {
		t.Fatal(err)
	}
	if o["title"] != e.Title || o["identity"] != e.Identity() || len(o["digest"].(string)) != 64 || get(t, o, "cleaning", "kept") != 60. {
		t.Errorf("title %v, identity %v, digest %v, cleaning %v", o["title"], o["identity"], o["digest"], o["cleaning"])
	}
	if _, there := o["reproduced"]; there {
		t.Error("reproduced stands without an expected digest")
	}
	runs := get(t, o, "runs").([]any)
	keys := []string{"fcfs", "fcfs", "easy", "easy", "as-logged"}
	labels := e.Labels()
	summary := parseCSV(t, read(t, filepath.Join(dir, "summary.csv")))
	if len(runs) != len(keys) || len(summary.rows) != len(keys) {
		t.Fatalf("%d runs, %d lines of summary", len(runs), len(summary.rows))
	}
	if !reflect.DeepEqual(summary.names, append([]string{"scheduler", "key", "label", "repetition", "workload", "processors"}, catalog.MetricKeys()...)) {
		t.Errorf("columns of the summary are %v", summary.names)
	}
	for i, key := range keys {
		r := runs[i].(map[string]any)
		scheduler, repetition := i/2, i%2
		if r["key"] != key || r["scheduler"] != float64(scheduler) || r["repetition"] != float64(repetition) || r["label"] != labels[scheduler] || r["processors"] != 32. {
			t.Errorf("run %d is %v %v %v %v", i, r["key"], r["scheduler"], r["repetition"], r["label"])
		}
		if summary.text(t, i, "key") != key || summary.text(t, i, "label") != labels[scheduler] || summary.number(t, i, "repetition") != int64(repetition) || summary.text(t, i, "workload") != r["workload"] {
			t.Errorf("line %d of the summary is %v", i, summary.rows[i])
		}
		metrics := r["metrics"].(map[string]any)
		for _, m := range catalog.MetricKeys() {
			v, err := strconv.ParseFloat(summary.text(t, i, m), 64)
			if want, there := metrics[m]; there != (err == nil) || there && v != want {
				t.Errorf("run %d, %s: %v printed, %q in the summary", i, m, want, summary.text(t, i, m))
			}
		}
		r["mean_wait_s"], r["makespan_s"], r["utilization"] = metrics["mean-wait"], metrics["makespan"], metrics["utilization"]
		jobs := read(t, filepath.Join(dir, fmt.Sprintf("jobs-%02d-%s-%d.csv", scheduler+1, key, repetition)))
		checkJobs(t, r, parseCSV(t, jobs), key != "as-logged")
	}
	if runs[0].(map[string]any)["workload"] == runs[1].(map[string]any)["workload"] || runs[0].(map[string]any)["workload"] != runs[2].(map[string]any)["workload"] {
		t.Error("repetitions share jobs, or schedulers do not")
	}
	if c := get(t, o, "comparison").([]any); len(c) < len(catalog.Metrics) {
		t.Errorf("%d comparisons", len(c))
	}
	written, err := experiment.Decode([]byte(read(t, filepath.Join(dir, "experiment.json"))))
	if err != nil || written.Identity() != e.Identity() || written.Title != e.Title {
		t.Errorf("experiment.json is another experiment: %v", err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 6+len(keys) {
		t.Errorf("%d files written: %v", len(entries), entries)
	}
}

// Intent: the written experiment run again, from file or standard input, gives
// the same digest, which it expects; a second run differs in nothing but the clock.
func TestRunDeterministic(t *testing.T) {
	doc, dir := write(t, "e.json", compare), t.TempDir()
	first := object(t, "run", doc, "--out", dir)
	files := func() (s string) {
		names, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, n := range names {
			s += n + "\n" + read(t, n)
		}
		return s
	}
	before := files()
	again := filepath.Join(dir, "experiment.json")
	second := object(t, "run", again, "--out", dir)
	if files() != before {
		t.Error("files of a second run differ")
	}
	if second["reproduced"] != true || second["expected"] != first["digest"] {
		t.Errorf("the written experiment expects %v, and it is reproduced: %v", second["expected"], second["reproduced"])
	}
	delete(second, "reproduced")
	delete(second, "expected")
	withStdin(t, compare, func() {
		if third := object(t, "run", "-"); third["digest"] != first["digest"] {
			t.Error("standard input gives another digest")
		}
	})
	for _, o := range []map[string]any{first, second} {
		for _, r := range o["runs"].([]any) {
			delete(r.(map[string]any), "simulate_s")
		}
	}
	if !reflect.DeepEqual(first, second) {
		t.Error("a second run prints something else")
	}
	by := "  " + strings.ReplaceAll(compare, ",\n", " ,\n\n") // as its author wrote it
	if err := os.WriteFile(again, []byte(by), 0o600); err != nil {
		t.Fatal(err)
	}
	object(t, "run", again, "--out", dir)
	if read(t, again) != by {
		t.Error("the experiment was written over in its author's file")
	}
}

// Intent: an expected digest is compared and the outcome printed; a difference
// is noted, and is no bad input, but a script has to see it.
func TestRunExpect(t *testing.T) {
	digest := object(t, "run", write(t, "e.json", demo))["digest"].(string)
	with := func(d string) string {
		return write(t, "e.json", strings.TrimSuffix(demo, "}")+`,"expect":{"digest":"`+d+`"}}`)
	}
	if o := object(t, "run", with(digest)); o["reproduced"] != true || o["expected"] != digest {
		t.Errorf("reproduced %v, expected %v", o["reproduced"], o["expected"])
	}
	other := strings.Repeat("0", 64)
	out := batchlab("run", with(other))
	says(t, out, 3, "not reproduced: the digest is "+digest+", expected was "+other)
	o := one(t, out)
	if o["reproduced"] != false || o["digest"] != digest {
		t.Errorf("reproduced %v", o["reproduced"])
	}
	// Nothing names the engine that made it: what may lie between them is said.
	if got, _ := o["difference"].(string); !strings.Contains(got, "taken for engine 1, not by engine "+experiment.Engine+"; since then") {
		t.Errorf("difference %q", got)
	}
}

// Intent: every preset and every bundled workload runs, and every measure that
// is printed is a number.
func TestRunCatalog(t *testing.T) {
	documents := map[string]string{}
	for _, p := range catalog.Presets {
		documents[p.Key] = p.Document
	}
	for _, b := range catalog.BundleKeys() {
		documents["bundled "+b] = strings.Replace(demo, "demo", b, 1)
	}
	for name, text := range documents {
		o := object(t, "run", write(t, "e.json", text))
		for _, r := range o["runs"].([]any) {
			metrics := get(t, r, "metrics").(map[string]any)
			for _, m := range catalog.Metrics {
				if _, ok := metrics[m.Key]; !ok && m.Needs == "" {
					t.Errorf("%s: no measure %q", name, m.Key)
				}
			}
		}
	}
}

// Intent: a measuring window that holds no job leaves measures out and prints
// none of them as a number that it is not.
func TestRunWithoutMeasuredJobs(t *testing.T) {
	dir := t.TempDir()
	o := object(t, "run", write(t, "e.json", strings.Replace(demo, `"schedulers"`, `"measures":{"from":900000000},"schedulers"`, 1)), "--out", dir)
	m := get(t, o, "runs", 0, "metrics").(map[string]any)
	if _, there := m["mean-wait"]; there || m["jobs"] != 0. {
		t.Errorf("measures of no jobs: %v", m)
	}
	if s := parseCSV(t, read(t, filepath.Join(dir, "summary.csv"))); s.text(t, 0, "mean-wait") != "" {
		t.Errorf("the summary is %v", s.rows)
	}
	empty := strings.Replace(demo, `}},"schedulers"`, `},"window":{"from":900000000}},"schedulers"`, 1)
	says(t, batchlab("run", write(t, "e.json", empty)), 2, "filter and window keep none of 2000 jobs")
}

// Intent: places that cannot be written to are named.
func TestRunBadOut(t *testing.T) {
	file := write(t, "file", "x")
	says(t, batchlab("run", write(t, "e.json", demo), "--out", file), 2, file)
	says(t, batchlab("run", write(t, "e.json", demo), "--out", filepath.Join(file, "below")), 2, file)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "summary.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	says(t, batchlab("run", write(t, "e.json", demo), "--out", dir), 2, "summary.csv")
}

// Intent: an experiment that asks for a log it is not given leaves nothing
// behind.
func TestRunWritesNothingWithoutLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	doc := write(t, "e.json", logDocument("three.swf", threeJobs, `"schedulers":[{"key":"easy"}]`))
	says(t, batchlab("run", doc, "--out", dir), 2, "needs the log")
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
}

// Intent: a bundled workload written to a file is a log that gives the same
// schedule.
func TestBundledAsFile(t *testing.T) {
	for _, key := range catalog.BundleKeys() {
		text, err := workload.Bundled(key)
		if err != nil {
			t.Fatal(err)
		}
		a := object(t, "simulate", "--log", write(t, key+".swf", string(text)), "--algorithm", "easy")
		if b := object(t, "run", write(t, "e.json", strings.Replace(demo, "demo", key, 1))); a["digest"] != b["digest"] {
			t.Errorf("%s: %v as a file, %v as bundled", key, a["digest"], b["digest"])
		}
	}
}

// Intent: what was found of users who react is printed, and what they lack is
// said on standard error.
func TestRunReaction(t *testing.T) {
	o := object(t, "run", write(t, "e.json", strings.Replace(demo, `"workload":{`, `"workload":{"react":{},`, 1)))
	if users := get(t, o, "reaction", "users"); users != 30. {
		t.Errorf("%v users", users)
	}
	if ends := get(t, o, "reaction", "ends"); ends != "easy" {
		t.Errorf("ends come from %v", ends)
	}
	if plain := object(t, "run", write(t, "p.json", demo)); plain["reaction"] != nil {
		t.Error("users react where submissions are replayed")
	}
}

// Intent: jobs that the log says to follow others, and that start all the same
// while these run, are named on the command line with what to do about it; where
// users react they start later, and the words are others.
func TestDependentJobsAreTold(t *testing.T) {
	chain := "; MaxProcs: 8\n" +
		"1 0 0 100 4 -1 -1 4 100 -1 1 1 -1 -1 -1 -1 -1 -1\n" +
		"2 100 0 50 4 -1 -1 4 50 -1 1 1 -1 -1 -1 -1 1 0\n"
	log := write(t, "chain.swf", chain)
	may := "1 job: Follows an earlier job (fields 17, 18), which schedulers do not know: it may start before that job has ended, unless dependencies are kept (workload.dependencies) or users react (workload.react) (line 3)"
	says(t, batchlab("simulate", "--log", log, "--algorithm", "easy"), 0, may)
	doc := write(t, "e.json", logDocument(log, chain, `"schedulers":[{"key":"easy"}]`))
	says(t, batchlab("run", doc, "--log", log), 0, may)
	react := write(t, "r.json", strings.Replace(logDocument(log, chain, `"schedulers":[{"key":"easy"}]`), `"workload":{`, `"workload":{"react":{},`, 1))
	out := batchlab("run", react, "--log", log)
	says(t, out, 0, "1 job: Follows an earlier job (fields 17, 18): submitted after that job's end, where the log's own times bear it out (line 3)")
	if strings.Contains(out.stderr, "may start before") {
		t.Errorf("users react: %s", out.stderr)
	}
}
