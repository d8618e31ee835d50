package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Intent: --moves writes what optimisers kept of each run that has one, providers of a grid
// included, with its jobs and lists by name; nothing else differs, and where there is no
// place for the files it is refused.
func TestRunMoves(t *testing.T) {
	doc := write(t, "e.json", `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":60,"processors":16,"load":2}}}},
		"platform":{"clusters":[{"name":"a","groups":[{"count":16}]},{"name":"b","groups":[{"count":16}]}]},
		"schedulers":[{"key":"plan-rs","params":{"optimiser":"lns"}},{"key":"easy"},{"key":"grid","params":{"local":"plan-rs"}},{"key":"plan-rs","params":{"optimiser":"none"}}]}`)
	with, without := t.TempDir(), t.TempDir()
	object(t, "run", doc, "--out", with, "--moves")
	object(t, "run", doc, "--out", without)
	names, err := filepath.Glob(filepath.Join(with, "moves-*"))
	if err != nil || len(names) != 2 || filepath.Base(names[0]) != "moves-01-plan-rs-0.csv" || filepath.Base(names[1]) != "moves-03-grid-0.csv" {
		t.Fatalf("%v %v", names, err)
	}
	for n, name := range names {
		rows := strings.Split(strings.TrimSpace(read(t, name)), "\n")
		if rows[0] != "time,step,job_id,cluster,place,wait,slowdown,fairness" {
			t.Errorf("%s: %s", name, rows[0])
		}
		moved := 0
		for _, row := range rows[1:] {
			cells := strings.Split(row, ",")
			at := cells[3] == "a" || cells[3] == "b"
			if len(cells) != 8 || at != (cells[1] != "0" || n == 1) || (cells[2] == "") != (cells[1] == "0") || (cells[4] == "") != (cells[1] == "0") {
				t.Fatalf("%s: %s", name, row)
			}
			if cells[1] != "0" {
				moved++
			}
		}
		if moved == 0 {
			t.Errorf("%s: nothing was moved", name)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	a, b := files(t, with), files(t, without)
	for name := range b {
		if a[name] != b[name] {
			t.Errorf("%s is another one with --moves", name)
		}
	}
	says(t, batchlab("run", doc, "--moves"), 2, "run: --moves: --out DIR is missing")
	says(t, batchlab("run", doc, "--moves", "--out", with, "--shard", "1/2"), 2, "run: --moves: shards write none")
}
