package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"batchlab/core/experiment"
)

// TestMain lets this test be the program batchlab, for programs that start it.
func TestMain(m *testing.M) {
	if os.Getenv("BATCHLAB_TEST_AS_PROGRAM") != "" {
		os.Exit(dispatch(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const strangers = `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"fcfs"},{"key":"exec"PARAMS}]}`

// Intent: no program starts because a document says so: the command line has to
// allow it, or to name the very command. A program that cannot be started shows
// that it was let through.
func TestConsent(t *testing.T) {
	const missing, let = "/nowhere/program --flag", "could not be started"
	document := write(t, "d.json", strings.Replace(strangers, "PARAMS", `,"params":{"command":"`+missing+`"}`, 1))
	bare := write(t, "bare.json", strings.Replace(strangers, "PARAMS", "", 1))
	log := write(t, "a.swf", threeJobs)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"run", document}, []string{`schedulers[1]`, `would start the program "` + missing + `" on this computer`, "--allow-exec"}},
		{[]string{"run", document, "--command", "/nowhere/other"}, []string{"--allow-exec lets it"}},
		{[]string{"run", document, "--command", missing}, []string{let}},
		{[]string{"run", document, "--allow-exec"}, []string{let}},
		{[]string{"run", bare}, []string{"which program?", "--command"}},
		{[]string{"run", bare, "--allow-exec"}, []string{"which program?"}},
		{[]string{"run", bare, "--command", missing}, []string{let}},
		{[]string{"run", bare, "--command", `"`}, []string{"a quote"}},
		{[]string{"run", "-", "--command", "-"}, []string{"standard input cannot hold"}},
		{[]string{"run", bare, "--command", "-", "--shard", "1/2", "--out", t.TempDir()}, []string{"shards are done by programs"}},
		{[]string{"slurm", document, "--shards", "2", "--out", t.TempDir(), "--dry-run"}, []string{"jobs of a cluster take none", "refused: program schedulers[1].key"}},
		{[]string{"simulate", "--log", log, "--algorithm", "exec"}, []string{"which program?"}},
		{[]string{"simulate", "--log", log, "--algorithm", "exec", "--command", missing}, []string{let}},
		{[]string{"simulate", "--log", log, "--algorithm", "exec", "--command", missing, "--timeout", "0"}, []string{"must be between 1 and 86400"}},
		{[]string{"simulate", "--log", log, "--algorithm", "fcfs", "--command", missing}, []string{"fcfs has no command"}},
		{[]string{"simulate", "--log", "-", "--algorithm", "exec", "--command", "-"}, []string{"standard input cannot hold"}},
	} {
		says(t, batchlab(c.args...), 2, c.want...)
	}
}

// Intent: links and whatever else is shared hold no programs, and say so.
func TestNoProgramsInLinks(t *testing.T) {
	e, err := experiment.Decode([]byte(strings.Replace(strangers, "PARAMS", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	says(t, batchlab("run", "https://example.org/"+experiment.EncodeLink(e), "--command", "true", "--allow-exec"), 2, "links and the page take none", "refused: program schedulers[1].key")
}

// Intent: the Python package does what its own tests say, with this program.
func TestPythonPackage(t *testing.T) {
	python(t, "../../clients/python", "-W", "error::ResourceWarning", "-m", "unittest", "discover", "-s", "tests")
}

// Intent: the second implementation, written from docs/simulation-rules.md alone, starts
// every job of five hundred random documents when the engine does; what the comparison
// could overlook is shown to it first.
func TestSecondImplementation(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	count, own := "500", []string{"-m", "unittest"}
	if testing.Short() {
		count, own = "100", append(own, "test_twin.Found.test_grammar")
	}
	python(t, "../../twin", own...)
	python(t, "../../twin", "compare.py", "--batchlab", self, "--count", count)
}

// python runs Python in a folder, with this test as the program batchlab.
func python(t *testing.T, folder string, words ...string) {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 on the PATH")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(path, words...)
	run.Dir = filepath.FromSlash(folder)
	run.Env = append(os.Environ(), "BATCHLAB="+self, "BATCHLAB_TEST_AS_PROGRAM=1", "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH=")
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Intent: many runs in one process are what each is alone: a line goes to all of them,
// some are given up, others are over, fail or never begin, and none is in another's way.
func TestEpisodes(t *testing.T) {
	document := write(t, "d.json", `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":3,"processors":32}}}},"schedulers":[{"key":"exec"}]}`)
	var out strings.Builder
	talk := func(lines ...string) []map[string][]map[string]any {
		t.Helper()
		out.Reset()
		var errs strings.Builder
		if err := (seats{runs: map[string]*episode{}, stderr: &errs}).serve(strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
			t.Fatalf("%v: %s", err, errs.String())
		}
		var heard []map[string][]map[string]any
		for line := range strings.Lines(out.String()) {
			var one map[string][]map[string]any
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			heard = append(heard, one)
		}
		return heard
	}
	run := `{"run":["` + document + `"]}`
	heard := talk(`{"a":`+run+`,"b":`+run+`,"c":{"run":["/nowhere.json"]},"d":7,"e":{"run":["--nothing"]}}`,
		`{"a":{"protocol":1,"quiet":true},"b":{"protocol":9}}`, `{"a":{"start":[1]},"b":`+run+`}`, `{"a":{"start":[2]},"b":null}`, `{"a":{"start":[3]},"b":null}`)
	last := func(i int, name string) map[string]any {
		t.Helper()
		if len(heard[i][name]) == 0 {
			t.Fatalf("line %d says nothing to %s: %v", i, name, heard[i])
		}
		return heard[i][name][len(heard[i][name])-1]
	}
	for _, c := range []struct {
		line      int
		name, key string
	}{{0, "a", "hello"}, {0, "b", "hello"}, {0, "c", "failed"}, {0, "d", "failed"}, {0, "e", "failed"}, {1, "a", "new"}, {1, "b", "failed"}, {2, "b", "hello"}, {4, "a", "result"}} {
		if _, there := last(c.line, c.name)[c.key]; !there {
			t.Errorf("line %d, run %s: %v, not %s", c.line, c.name, last(c.line, c.name), c.key)
		}
	}
	if _, there := heard[4]["b"]; there || len(heard) != 5 {
		t.Errorf("a run that was given up speaks: %v", heard)
	}
}
