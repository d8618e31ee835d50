package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
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
		if code := dispatch([]string{"run", arg}, &out, &err); code != 0 && code != notTheSame {
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
	if strings.Contains(other.Difference, "made by engine") || !strings.Contains(other.Difference, "(both by engine "+experiment.Engine+")") {
		t.Errorf("one engine made both: %q", other.Difference)
	}
	// The same by engine 1 says what has changed since, and nothing where the
	// result is the same.
	trace, err := experiment.DecodeTrace(e.Trace)
	if err != nil {
		t.Fatal(err)
	}
	trace.Version, trace.Commit = "0.9.0", "0123456789ab"
	e.Trace = trace.Encode()
	if other, _ := run(experiment.EncodeLink(e)); !strings.HasSuffix(other.Difference, "(both by engine "+experiment.Engine+"; it was made by Batchlab 0.9.0, engine "+experiment.Engine+", commit 0123456789ab, this is "+experiment.ThisBuild().String()+")") {
		t.Errorf("of another version: %q", other.Difference)
	}
	trace.Build = experiment.Build{Engine: "1"}
	e.Trace = trace.Encode()
	old, errs := run(experiment.EncodeLink(e))
	for _, want := range []string{"the first job that differs is job 1;", "the expected result was made by engine 1, not by engine " + experiment.Engine + "; since then these have changed, and results may differ: conservative backfilling"} {
		if !strings.Contains(old.Difference, want) || !strings.Contains(errs, want) {
			t.Errorf("of engine 1: %q, %s", old.Difference, errs)
		}
	}
	e.Seed = 1
	if same, errs := run(experiment.EncodeLink(e)); !*same.Reproduced || strings.Contains(errs, "made by engine") {
		t.Errorf("of engine 1, and reproduced: %+v, %s", same, errs)
	}
	e.Expect, trace.Runs = strings.Repeat("0", 64), nil
	e.Trace = trace.Encode()
	if none, _ := run(experiment.EncodeLink(e)); !strings.HasPrefix(none.Difference, "the expected result was made by engine 1") {
		t.Errorf("without a word of the runs: %q", none.Difference)
	}
}

// Intent: shards of an earlier engine are neither merged with those of this one nor
// gone on with, and what lies between the two is said.
func TestShardsOfAnotherEngine(t *testing.T) {
	doc, dir := write(t, "e.json", demo), t.TempDir()
	for _, part := range []string{"1/2", "2/2"} {
		says(t, batchlab("run", doc, "--shard", part, "--out", dir), 0)
	}
	age := func(name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		text := read(t, path)
		line, rest, _ := strings.Cut(text, "\n")
		_, header, ok := strings.Cut(line, `,"header":`)
		header, there := strings.CutSuffix(header, `,"items":[`)
		old := strings.Replace(header, `"engine":"`+experiment.Engine+`"`, `"engine":"1"`, 1)
		if !ok || !there || old == header {
			t.Fatalf("%s begins with %s", name, line)
		}
		sum := crc32.Checksum([]byte(old), crc32.MakeTable(crc32.Castagnoli))
		if err := os.WriteFile(path, fmt.Appendf(nil, `{"crc":"%08x","header":%s,"items":[%s%s`, sum, old, "\n", rest), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	age("shard-2-of-2.json")
	says(t, batchlab("merge", dir), 2, "shard-2-of-2.json", "of another version of Batchlab: made by engine 1", "since then these have changed", "conservative backfilling")
	says(t, batchlab("run", doc, "--shard", "2/2", "--out", dir), 2, "shard-2-of-2.json is there already", "made by engine 1", "since then these have changed")
	age("shard-1-of-2.json")
	says(t, batchlab("merge", dir), 2, dir+": shards of another version of Batchlab, made by engine 1", "since then these have changed")
}
