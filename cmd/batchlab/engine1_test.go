package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"batchlab/core/experiment"
)

// Intent: what a build of engine 1 left (testdata/engine1 is as commit 78afd712 wrote
// it: a document whose Orig-BF has moved since, both shards of it, and its link) is
// neither merged with ours, nor merged at all, nor gone on with, nor taken for
// reproduced, and each time the words name engine 1 and what has changed.
func TestLeftByEngine1(t *testing.T) {
	old := func(name string) string { return filepath.Join("testdata", "engine1", name) }
	const moved = "Orig-BF on machines of unequal speed, with a depth"
	put := func(dir, name, as string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, as), []byte(read(t, old(name))), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	mixed, ours := t.TempDir(), t.TempDir()
	put(mixed, "shard-1-of-2.json", "shard-1-of-2.json")
	says(t, batchlab("run", old("document.json"), "--shard", "2/2", "--out", mixed), 2, "shard-1-of-2.json is there already", "made by engine 1", moved)
	says(t, batchlab("run", old("document.json"), "--shard", "2/2", "--out", ours), 0)
	if err := os.WriteFile(filepath.Join(mixed, "shard-2-of-2.json"), []byte(read(t, filepath.Join(ours, "shard-2-of-2.json"))), 0o600); err != nil {
		t.Fatal(err)
	}
	says(t, batchlab("merge", mixed), 2, "shard-2-of-2.json does not belong to", "made by engine "+experiment.Engine+", not by engine 1", moved)

	whole := t.TempDir()
	put(whole, "shard-1-of-2.json", "shard-1-of-2.json")
	put(whole, "shard-2-of-2.json", "shard-2-of-2.json")
	says(t, batchlab("merge", whole), 2, "shards of another version of Batchlab, made by engine 1, not by engine "+experiment.Engine, moved)
	says(t, batchlab("run", old("document.json"), "--shard", "2/2", "--out", whole), 2, "is there already", "made by engine 1", moved)

	begun := t.TempDir()
	text := read(t, old("shard-2-of-2.json"))
	if err := os.WriteFile(filepath.Join(begun, "shard-2-of-2.json.part"), []byte(text[:strings.Index(text, "\n")+1]), 0o600); err != nil {
		t.Fatal(err)
	}
	says(t, batchlab("run", old("document.json"), "--shard", "2/2", "--out", begun), 2, "is there already", "made by engine 1", moved)

	link := strings.TrimSpace(read(t, old("link.txt")))
	says(t, batchlab("run", link), notTheSame, "Orig-BF, depth 1 jobs, repetition 0: the first job that differs is job", "was to start at", "made by engine 1, not by engine "+experiment.Engine, moved)
}
