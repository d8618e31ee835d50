package main

import (
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/paper"
	"batchlab/core/report"
	"batchlab/core/workload"
)

// withPreset adds a preset of a study that does not exist for one test.
func withPreset(t *testing.T, p paper.Preset) {
	t.Helper()
	before := paper.Presets
	paper.Presets = append(before[:len(before):len(before)], p)
	t.Cleanup(func() { paper.Presets = before })
}

// meanWait is a preset of one number, on the wanted log or on the stand-in.
func meanWait(wants string) paper.Preset {
	stated := 3.
	return paper.Preset{
		Key: "nobody1999-table1", Study: "nobody1999", Cite: "nobody", Shows: "table 1: a mean wait", Log: wants,
		Experiment: func(log *experiment.Log, quick bool) (*experiment.Experiment, error) {
			e := experiment.New()
			if e.Workload.Source.Log = log; log == nil {
				e.Workload.Source.Bundled = "demo"
			}
			if quick {
				to := int64(100000)
				e.Workload.Window.To = &to
			}
			_, err := e.Add("easy")
			return e, err
		},
		Rows: func(runs []*report.Run, _ []report.Comparison) []paper.Row {
			return []paper.Row{
				{Label: "EASY", Column: "mean wait", Ours: *measure(runs[0], "mean-wait"), Paper: &stated, Unit: "s"},
				{Label: "EASY", Column: "nothing", Ours: math.NaN()},
			}
		},
	}
}

// Intent: without a key the presets are listed, with what each shows and wants;
// the list is one that programs can read even when it is empty.
func TestPaperList(t *testing.T) {
	before := paper.Presets
	defer func() { paper.Presets = before }()
	paper.Presets = nil
	if l, ok := object(t, "paper")["presets"].([]any); !ok || len(l) != 0 {
		t.Errorf("no presets are listed as %v", l)
	}
	paper.Presets = before
	withPreset(t, meanWait("three"))
	list := object(t, "paper")["presets"].([]any)
	last := list[len(list)-1].(map[string]any)
	for key, want := range map[string]string{"key": "nobody1999-table1", "study": "nobody1999", "shows": "table 1: a mean wait", "log": "three"} {
		if last[key] != want {
			t.Errorf("%s is %v", key, last[key])
		}
	}
	if len(list) != len(before)+1 {
		t.Errorf("%d presets are listed of %d", len(list), len(before)+1)
	}
	says(t, batchlab("paper", "nobody1999-tabel1"), 2, `no preset "nobody1999-tabel1"; did you mean "nobody1999-table1"?`)
}

// Intent: a preset runs on the log it wants, or on its stand-in and says so,
// and prints key, log, digest and rows as the contract has them.
func TestPaperRuns(t *testing.T) {
	withPreset(t, meanWait("three"))
	dir := filepath.Join(t.TempDir(), "out")
	log := write(t, "three-1.swf.gz", pack(t, threeJobs))
	out := batchlab("paper", "--log", log, "nobody1999-table1", "--out", dir)
	says(t, out, 0)
	o := one(t, out)
	if o["key"] != "nobody1999-table1" || o["log"] != "three-1.swf" || len(o["digest"].(string)) != 64 || out.stderr != "" {
		t.Errorf("%v; %q", o, out.stderr)
	}
	if _, there := o["quick"]; there {
		t.Error("quick stands without --quick")
	}
	row := get(t, o, "rows", 0).(map[string]any)
	if row["label"] != "EASY" || row["column"] != "mean wait" || row["ours"] != 3. || row["paper"] != 3. || row["unit"] != "s" {
		t.Errorf("row %v", row)
	}
	if row := get(t, o, "rows", 1).(map[string]any); row["ours"] != nil || row["paper"] != nil {
		t.Errorf("a measure that does not exist is printed as %v", row)
	}
	if read(t, filepath.Join(dir, "result.json")) != out.stdout {
		t.Error("result.json is not what was printed")
	}
	if r := object(t, "run", filepath.Join(dir, "experiment.json"), "--log", log); r["digest"] != o["digest"] {
		t.Error("the written experiment gives another digest")
	}

	stand := batchlab("paper", "nobody1999-table1")
	says(t, stand, 0, "nobody1999-table1 wants three; without it, it ran on the bundled workload \"demo\"")
	if o := one(t, stand); o["log"] != "demo" {
		t.Errorf("log is %v", o["log"])
	}
	quick := batchlab("paper", "nobody1999-table1", "--quick")
	says(t, quick, 0, "a smaller version for a first look")
	if o := one(t, quick); o["quick"] != true || o["digest"] == one(t, stand)["digest"] {
		t.Errorf("quick is %v", o["quick"])
	}
	other := write(t, "another.swf", threeJobs)
	says(t, batchlab("paper", "nobody1999-table1", "--log", other), 2, "wants the log three; "+other+" is another one")
	says(t, batchlab("paper", "nobody1999-table1", "--log", "missing"), 2, "missing: no such file")
	says(t, batchlab("paper", "nobody1999-table1", "--out", filepath.Join(other, "x")), 2, other)
}

// Intent: a preset that wants no log refuses one instead of passing it over.
func TestPaperWithoutLog(t *testing.T) {
	withPreset(t, meanWait(""))
	says(t, batchlab("paper", "nobody1999-table1", "--log", write(t, "a.swf", threeJobs)), 2, "needs no log")
	if out := batchlab("paper", "nobody1999-table1"); out.stderr != "" {
		t.Errorf("nothing to note, yet %q", out.stderr)
	}
}

// Intent: every kind of preset (one experiment, several, a computation in
// pieces, in several steps, in none) gives the same bytes on any number of cores
// and in shards that are merged.
func TestPaperSameBytes(t *testing.T) {
	for _, key := range []string{"techiouba2008-figure1a", "legrand2018-figure5", "legrand2018-table1", "nobody1999-table1"} {
		if testing.Short() && key == "legrand2018-figure5" {
			continue // several steps of many runs
		}
		withPreset(t, meanWait("three"))
		dir := t.TempDir()
		want := batchlab("paper", key, "--quick", "--parallel", "1", "--out", dir)
		says(t, want, 0)
		if got := batchlab("paper", key, "--quick", "--parallel", "3"); got.stdout != want.stdout {
			t.Errorf("%s: three cores give something else", key)
		}
		other := t.TempDir()
		for _, i := range []string{"2/3", "3/3", "1/3"} {
			says(t, batchlab("paper", key, "--quick", "--out", other, "--shard", i), 0)
		}
		got := batchlab("merge", other)
		says(t, got, 0)
		if got.stdout != want.stdout || !reflect.DeepEqual(files(t, other), files(t, dir)) {
			t.Errorf("%s: shards give something else: %s", key, got.stderr)
		}
		says(t, batchlab("paper", key, "--out", other, "--shard", "1/3"), 2, "other options")
	}
}

// Intent: the document that a preset prints is all of it where it is a sweep:
// `batchlab run` gives the preset's digest on any number of cores and names the
// points; a computation says that its document is an example.
func TestPaperDocument(t *testing.T) {
	for i, key := range []string{"techiouba2008-table1", "kurowski2011-figure14", "skrinarova2013-figure7"} {
		if testing.Short() && i > 0 {
			break // a sweep like the first
		}
		doc := batchlab("paper", key, "--quick", "--document")
		says(t, doc, 0, "smaller version")
		want := object(t, "paper", key, "--quick")
		got := object(t, "run", write(t, "doc.json", doc.stdout), "--parallel", "2")
		if got["digest"] != want["digest"] || len(got["digest"].(string)) != 64 {
			t.Errorf("%s: digest %v, the preset's is %v", key, got["digest"], want["digest"])
		}
		points := got["points"].([]any)
		if names := get(t, points[0], "name"); names != get(t, want, "rows", 0, "label") {
			t.Errorf("%s: the first point is called %v", key, names)
		}
	}
	says(t, batchlab("paper", "legrand2018-table2", "--quick", "--document"), 0, "a computation of its own")
	for _, p := range object(t, "paper")["presets"].([]any) {
		if k := get(t, p, "key"); k == "legrand2018-table2" && get(t, p, "document") != "example" || k == "kurowski2011-table6" && get(t, p, "document") != "whole" {
			t.Errorf("%v", p)
		}
	}
}

// Intent: shards on a log ask the merge for it where it is needed, and say of
// another log that it is one.
func TestPaperShardsOnALog(t *testing.T) {
	withPreset(t, meanWait("three"))
	log, dir := write(t, "three.swf", threeJobs), t.TempDir()
	want := batchlab("paper", "nobody1999-table1", "--log", log)
	says(t, batchlab("paper", "nobody1999-table1", "--log", log, "--out", dir, "--shard", "1/1"), 0)
	if got := batchlab("merge", dir); got.stdout != want.stdout {
		t.Errorf("shards on a log give something else: %s", got.stderr)
	}
	longer := write(t, "three.swf", threeJobs+threeJobs)
	says(t, batchlab("paper", "nobody1999-table1", "--log", longer, "--out", dir, "--shard", "1/1"), 2, "it is of another log")
	needed := t.TempDir()
	key := "legrand2018-table1"
	bundled := write(t, "demo.swf", string(must(workload.Bundled("demo"))))
	says(t, batchlab("paper", key, "--quick", "--log", bundled, "--out", needed, "--shard", "1/1"), 0)
	says(t, batchlab("merge", needed), 2, "needs the log demo.swf", "--log FILE")
	says(t, batchlab("merge", needed, "--log", bundled), 0)
	says(t, batchlab("paper", key, "--shard", "1/1"), 2, "--out DIR is missing")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
