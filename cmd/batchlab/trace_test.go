package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"batchlab/core/experiment"
)

// Intent: the link that run prints is the experiment with its digest; running
// the link reproduces it, and after a change of the seed the first run that
// differs is named with its first job and both starts.
func TestRunLink(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "e.json")
	const doc = `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":60}}}},"schedulers":[{"key":"fcfs"},{"key":"easy","repeat":2}]}`
	if err := os.WriteFile(file, []byte(doc), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(arg string) (got ran, errs string) {
		t.Helper()
		var out, err bytes.Buffer
		if code := runExperiment([]string{arg}, &out, &err); code != 0 {
			t.Fatalf("exit %d: %s", code, err.String())
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		return got, err.String()
	}
	first, _ := run(file)
	if first.Reproduced != nil || first.Engine != experiment.Engine {
		t.Errorf("%+v", first)
	}
	again, _ := run("https://batchlab.example/" + first.Link + "&v=1_tgantt")
	if again.Reproduced == nil || !*again.Reproduced || again.Difference != "" || again.Digest != first.Digest {
		t.Errorf("through the link: %+v", again)
	}
	e, err := experiment.DecodeLink(first.Link)
	if err != nil {
		t.Fatal(err)
	}
	e.Seed = 2
	other, errs := run(experiment.EncodeLink(e))
	if *other.Reproduced || !strings.Contains(other.Difference, "FCFS, repetition 0: the first job that differs is job 1;") || !strings.Contains(other.Difference, "was to start at") || !strings.Contains(errs, "the link: not reproduced") {
		t.Errorf("another seed: %q, %s", other.Difference, errs)
	}
}
