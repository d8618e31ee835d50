package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"batchlab/cmd/batchlab/shard"
	"batchlab/core/report"
)

// unpacked is a file, taken out of gzip where it is packed.
func unpacked(t *testing.T, path string) string {
	t.Helper()
	_, text, err := readUnpacked(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Intent: with --summary the table has what the printed report says of each run, a
// column for each parameter of any scheduler at any point and for each measure; the
// runs are not printed then, all else is as without. Any number of cores and of shards
// gives the same bytes.
func TestRunSummary(t *testing.T) {
	for name, text := range map[string]string{"plain": compare, "varied": swept, "uneven": uneven} {
		doc, dir := write(t, "e.json", text), t.TempDir()
		whole := object(t, "run", doc)
		path := filepath.Join(dir, "runs.csv.gz")
		want := batchlab("run", doc, "--parallel", "1", "--summary", path)
		says(t, want, 0)
		var o map[string]any
		if err := json.Unmarshal([]byte(want.stdout), &o); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, want.stdout)
		}
		for key, v := range whole {
			switch key {
			case "runs", "points", "vary":
				if _, there := o[key]; there {
					t.Errorf("%s: %s is printed", name, key)
				}
			default:
				if !reflect.DeepEqual(o[key], v) {
					t.Errorf("%s: %s is %v, without the table %v", name, key, o[key], v)
				}
			}
		}
		table := parseCSV(t, unpacked(t, path))
		var runs, values []any // of each run, and of its point
		if list, ok := whole["points"].([]any); ok {
			for _, p := range list {
				for _, r := range get(t, p.(map[string]any), "runs").([]any) {
					runs, values = append(runs, r), append(values, p.(map[string]any)["values"])
				}
			}
		} else {
			runs = get(t, whole, "runs").([]any)
			values = make([]any, len(runs))
		}
		if len(table.rows) != len(runs) || o["lines"] != float64(len(runs)) || o["summary"] != path {
			t.Fatalf("%s: %d lines for %d runs; %v, %v", name, len(table.rows), len(runs), o["lines"], o["summary"])
		}
		params := map[string]bool{}
		for i, r := range runs {
			r := r.(map[string]any)
			for k := range r["metrics"].(map[string]any) {
				var v float64
				fmt.Sscan(table.text(t, i, k), &v)
				if v != r["metrics"].(map[string]any)[k] {
					t.Errorf("%s, run %d: %s is %v in the table", name, i, k, v)
				}
			}
			if table.text(t, i, "label") != report.Harmless(r["label"].(string)) || fmt.Sprint(r["repetition"]) != table.text(t, i, "repetition") {
				t.Errorf("%s: run %d is %v", name, i, table.rows[i])
			}
			for k, v := range r["params"].(map[string]any) {
				params[k] = true
				if fmt.Sprint(v) != table.text(t, i, "params."+k) {
					t.Errorf("%s, run %d: parameter %s is %q, want %v", name, i, k, table.text(t, i, "params."+k), v)
				}
			}
			if list, ok := values[i].([]any); ok {
				for a, v := range list {
					if n, ok := v.(float64); ok && fmt.Sprint(n) != table.rows[i][a] {
						t.Errorf("%s, run %d: the axis %s is %s, want %v", name, i, table.names[a], table.rows[i][a], v)
					}
				}
			}
		}
		for _, column := range table.names {
			if key, ok := strings.CutPrefix(column, "params."); ok && !params[key] {
				t.Errorf("%s: a column for %s, which no run has", name, key)
			}
		}
		same := func(what string, got output, file string) {
			t.Helper()
			if strings.ReplaceAll(got.stdout, file, path) != want.stdout || read(t, file) != read(t, path) {
				t.Errorf("%s: %s gives something else: %s", name, what, got.stderr)
			}
		}
		other := filepath.Join(dir, "other.csv.gz")
		same("three cores", batchlab("run", doc, "--parallel", "3", "--summary", other), other)
		parts := t.TempDir()
		for i := 1; i <= 3; i++ {
			says(t, batchlab("run", doc, "--out", parts, "--shard", fmt.Sprintf("%d/3", i)), 0)
		}
		same("a merge", batchlab("merge", parts, "--summary", other), other)
		plain := filepath.Join(dir, "runs.csv")
		says(t, batchlab("run", doc, "--summary", plain), 0)
		if read(t, plain) != unpacked(t, path) {
			t.Errorf("%s: not packed, the table is another one", name)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*.new")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	doc, dir := write(t, "e.json", swept), t.TempDir()
	says(t, batchlab("run", doc, "--summary", "runs.parquet"), 2, "FILE.csv or FILE.csv.gz is expected")
	says(t, batchlab("run", doc, "--summary", "runs.csv", "--out", dir, "--shard", "1/2"), 2, "batchlab merge writes it")
	says(t, batchlab("run", doc, "--summary", "runs.csv", "--times"), 2, "with --summary no runs are printed")
	says(t, batchlab("run", doc, "--summary", filepath.Join(dir, "none", "runs.csv")), 2, "no such file or directory")
	says(t, batchlab("search", write(t, "s.json", sought), "--out", dir, "--shard", "1/1"), 0)
	says(t, batchlab("merge", dir, "--summary", filepath.Join(dir, "runs.csv")), 2, "shards of batchlab search, not of runs")
}

// Intent: what a merge keeps in memory does not grow with what it merges: neither
// with the number of points nor with that of one point's repetitions.
func TestMergeMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("how much memory a process had is told in other ways there")
	}
	if testing.Short() { // what is run again where a guide was followed, which changes nothing that a merge keeps
		t.Skip("thousands of items are written and merged")
	}
	merged := func(doc string, more ...string) (megabytes int) {
		path, dir := write(t, "e.json", doc), t.TempDir()
		h, err := openShards(sharing(path), false, false, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		first := t.TempDir() // one run speaks for all
		one := *h
		one.Of, one.Shard = h.Items, 1
		says(t, batchlab("run", path, "--out", first, "--shard", fmt.Sprintf("1/%d", min(h.Items, shard.MaxShards))), 0)
		set := read(t, filepath.Join(first, shard.Name(1, min(h.Items, shard.MaxShards))))
		_, data, ok := shard.Data([]byte(strings.SplitAfter(set, "\n")[1]))
		if !ok {
			t.Fatal("the shard cannot be read")
		}
		const of = 4
		for i := 1; i <= of; i++ {
			one.Of, one.Shard = of, i
			w, err := shard.Open(dir, one)
			if err != nil {
				t.Fatal(err)
			}
			for item := i - 1; item < h.Items; item += of {
				if err := w.Add(item, data); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Finish(); err != nil {
				t.Fatal(err)
			}
		}
		c := exec.Command(os.Args[0], "-test.run=^TestAsProgram$")
		told := filepath.Join(first, "status")
		// With this limit what is not held goes at once, however busy the computer.
		c.Env = append(os.Environ(), "GOMEMLIMIT=32MiB", "BATCHLAB_STATUS="+told, "BATCHLAB_ARGS="+strings.Join(append([]string{"merge", dir, "--parallel", "2"}, more...), "\n"))
		var stderr strings.Builder
		c.Stderr = &stderr
		if err := c.Run(); err != nil {
			t.Fatalf("%v: %s", err, stderr.String())
		}
		var kilobytes int
		_, most, _ := strings.Cut(read(t, told), "VmHWM:") // of this program alone, what started it left out
		if _, err := fmt.Sscan(most, &kilobytes); err != nil {
			t.Fatal(err)
		}
		return kilobytes >> 10
	}
	generated := func(jobs, repeat int, vary string) string {
		return fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":%d}}}},"schedulers":[{"key":"fcfs","repeat":%d}]%s}`, jobs, repeat, vary)
	}
	points := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprint(i+1))
		}
		return `,"vary":[{"path":"seed","values":[` + strings.Join(list, ",") + `]}]`
	}
	few := merged(generated(20, 1, points(20)))
	many := merged(generated(20, 1, points(6000)))
	long := merged(generated(4000, 1000, ""))
	table := merged(generated(20, 1, points(6000)), "--summary", filepath.Join(t.TempDir(), "runs.csv.gz"))
	t.Logf("MB: %d of 20 points, %d of 6,000, %d of one point of 1,000 runs of 4,000 jobs, %d with a table", few, many, long, table)
	if many > few+60 || long > few+60 || table > few+60 {
		t.Errorf("memory grows with what is merged: %d MB of 20 points, %d of 6,000, %d of one of 1,000 long runs, %d with a table", few, many, long, table)
	}
}
