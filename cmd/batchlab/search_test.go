package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// sought is a search with everything in it, over windows one of which is empty.
const sought = `{"batchlab":1,"title":"Orders","workload":{"source":{"bundled":"demo"},"filter":{"max_run":3000}},"schedulers":[{"key":"easy"}],
"search":{"length":86400,"method":"both","points":6,"budget":15,"formula":"q*p - wait","sliding":2}}`

// Intent: a search prints and writes the same whatever the number of cores, and
// in shards that are merged; a shard that was damaged is named and done again.
func TestSearchSameBytes(t *testing.T) {
	doc, dir := write(t, "e.json", sought), t.TempDir()
	want := batchlab("search", doc, "--parallel", "1", "--out", dir)
	says(t, want, 0)
	o := one(t, want)
	if windows := get(t, o, "windows").([]any); len(windows) < 10 || get(t, o, "windows", 2, "best", "value") == nil || get(t, o, "windows", 2, "xnes", "evaluations") == nil || get(t, o, "trained", "value") == nil {
		t.Errorf("%d windows: %v", len(windows), windows[2])
	}
	if o["fingerprint"] == strings.Repeat("0", 16) || len(get(t, o, "strategies").([]any)) != 9+13 {
		t.Errorf("fingerprint %v, %d strategies", o["fingerprint"], len(get(t, o, "strategies").([]any)))
	}
	if got := batchlab("search", doc, "--parallel", "3"); got.stdout != want.stdout {
		t.Error("three cores find something else")
	}
	for _, n := range []int{1, 4} {
		other := t.TempDir()
		for i := 1; i <= n; i++ {
			says(t, batchlab("search", doc, "--out", other, "--shard", fmt.Sprintf("%d/%d", i, n), "--parallel", "2"), 0)
		}
		if n == 4 {
			path := filepath.Join(other, "shard-3-of-4.json")
			text := []byte(read(t, path))
			text[len(text)/2] ^= 1
			os.WriteFile(path, text, 0o600)
			says(t, batchlab("merge", other), 2, "shard-3-of-4.json: damaged")
			says(t, batchlab("run", doc, "--out", other, "--shard", "3/4"), 2, "it is a shard of batchlab search, not of batchlab run")
			says(t, batchlab("search", doc, "--out", other, "--shard", "3/4"), 0, "damaged")
		}
		got := batchlab("merge", other)
		says(t, got, 0)
		if got.stdout != want.stdout || !reflect.DeepEqual(files(t, other), files(t, dir)) {
			t.Errorf("%d shards give something else", n)
		}
	}
}

// Intent: what a pure order gives in a window is what EASY with that order gives
// when that window is run as an experiment of its own.
func TestSearchEqualsRuns(t *testing.T) {
	o := object(t, "search", write(t, "e.json", sought))
	keys := []string{"fcfs", "lcfs", "spf", "lpf", "sqf", "lqf", "saf", "laf", "sexp", "lexp", "srf", "lrf"}
	for _, w := range []int{1, 5} {
		from, to := get(t, o, "windows", w, "from").(float64), get(t, o, "windows", w, "to").(float64)
		for _, c := range []int{0, 2, 6, 8} {
			doc := fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"bundled":"demo"},"filter":{"max_run":3000},"window":{"from":%d,"to":%d}},
				"schedulers":[{"key":"easy","params":{"order":%q,"backfill":"spf","ties":"newest","threshold":200000}}]}`, int(from), int(to), keys[c])
			r := object(t, "run", write(t, "r.json", doc))
			if got, want := get(t, o, "windows", w, "by_order", c), get(t, r, "runs", 0, "metrics", "mean-bounded-slowdown"); got != want {
				t.Errorf("window %d, %s: %v by search, %v by run", w, keys[c], got, want)
			}
		}
	}
}

// Intent: what cannot be searched is said with its place.
func TestSearchFaults(t *testing.T) {
	says(t, batchlab("search"), 2, "which experiment?")
	says(t, batchlab("search", write(t, "e.json", swept)), 2, "vary: a search is of one workload")
	says(t, batchlab("search", write(t, "e.json", strings.Replace(sought, `"sliding":2`, `"sliding":2,"split":"28-64"`, 1))), 2, "search.split: needs at least 65 windows; there are")
	says(t, batchlab("search", write(t, "e.json", strings.Replace(sought, "q*p - wait", "q*(p", 1))), 2, "search.formula")
	says(t, batchlab("search", write(t, "e.json", strings.Replace(sought, `"length":86400`, `"length":86400,"first":5000`, 1))), 2, "e.json: ")
	says(t, batchlab("search", write(t, "e.json", sought), "--shard", "1/2"), 2, "--out DIR is missing")
	if out := batchlab("slurm", write(t, "e.json", sought), "--search", "--shards", "5", "--out", t.TempDir(), "--dry-run"); !strings.Contains(out.stdout, "batchlab") && !strings.Contains(out.stdout, " search ") {
		t.Errorf("slurm --search prints %q", out.stdout)
	}
}
