//go:build !js

// Package guide holds no code: its test does what docs/add-a-scheduler.md says.
package guide

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// copied are the folders and files of the tree that the guide touches, or that
// what it tells to run reads.
var copied = []string{"core", "cmd", "ui", "wasm", "edge", "workloads", "docs", "static", "go.mod", "go.sum", "CHANGELOG.md", "README.md"}

// tree copies the sources to a folder.
func tree(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range copied {
		from := filepath.Join(root, name)
		info, err := os.Stat(from)
		if os.IsNotExist(err) {
			continue
		}
		if err == nil && info.IsDir() {
			err = os.CopyFS(filepath.Join(to, name), os.DirFS(from))
		} else if err == nil {
			var data []byte
			if data, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(filepath.Join(to, name), data, 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// A scheduler that is added as the guide says passes its own tests and those of
// catalog, documents and lab, whose conformance test takes it to every platform
// and request; it stands in the page's list; and the command line runs it on
// counts, nodes, a farm, and beside a grid whose providers have it.
func TestAddAScheduler(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the whole core again")
	}
	page, err := os.ReadFile("../add-a-scheduler.md")
	if err != nil {
		t.Fatal(err)
	}
	text, dir := string(page), tree(t)
	edit := func(path string, change func(string) string) {
		t.Helper()
		path = filepath.Join(dir, path)
		data, _ := os.ReadFile(path)
		after := change(string(data))
		if after == string(data) {
			t.Fatalf("%s: nothing to change", path)
		}
		if err := os.WriteFile(path, []byte(after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	blocks := regexp.MustCompile("(?s)`([a-z/]+_?[a-z]*\\.go)`:\n\n```go\n(.*?)```").FindAllStringSubmatch(text, -1)
	if len(blocks) != 2 {
		t.Fatalf("%d files stand in the guide", len(blocks))
	}
	for _, b := range blocks {
		edit(b[1], func(string) string { return b[2] })
	}
	after := func(sentence string) string {
		t.Helper()
		_, rest, ok := strings.Cut(text, sentence)
		_, rest, fenced := strings.Cut(rest, "```go\n")
		block, _, _ := strings.Cut(rest, "```")
		if !ok || !fenced {
			t.Fatalf("the guide does not say %q", sentence)
		}
		return block
	}
	edit("core/catalog/scheduler.go", func(s string) string {
		return strings.Replace(s, "\tplanRS,\n", "\tplanRS,\n"+after("In `core/catalog/scheduler.go`, behind `planRS,`:"), 1)
	})
	edit("core/lab/site.go", func(s string) string {
		const head = "var constructors = map[string]func(p experiment.Params) (sim.Scheduler, error){\n"
		return strings.Replace(s, head, head+after("In `core/lab/site.go`, a line of `constructors`:"), 1)
	})
	edit("ui/areafirst_test.go", func(string) string {
		return `package ui

import (
	"testing"

	"batchlab/core/swf"
	"batchlab/ui/state"
)

// The new scheduler stands in the page's menu, and in the list once it is taken.
func TestAreaFirstInTheList(t *testing.T) {
	s := state.New(&atOnce{logs: map[string]*swf.Log{}})
	root := NewRoot(s)
	root.P.Menu = "add"
	has(t, html(t, root), "Smallest area first, without backfilling")
	s.AddScheduler("area-first")
	has(t, html(t, root), "Area first")
}
`
	})
	run := func(want string, args ...string) {
		t.Helper()
		c := exec.Command("go", args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	run("", "vet", "./core/policy", "./core/catalog", "./core/lab")
	run("ok", "test", "./core/policy", "-run", "AreaFirst")
	run("ok", "test", "./core/experiment", "-run", "TestDocTables", "-update")
	run("ok", "test", "./core/experiment", "./core/catalog", "-run", "Rows|Gaps|Doc|Unsuited")
	run("ok", "test", "./core/lab", "-run", "TestRowsAndConstructorsMatch|TestEverythingWithEverything|TestCountsAreAFormOnly|TestConformance", "-only", "area-first")
	run("ok", "test", "./ui", "-run", "TestAreaFirstInTheList")
	run("", "build", "-o", "batchlab", "./cmd/batchlab")
	for name, platform := range map[string]string{
		"counts": `{"processors":128}`,
		"nodes":  `{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":32,"processors":4}]}]}`,
		"farm":   `{"clusters":[{"name":"a","packing":"machine","groups":[{"count":4,"processors":128}]}]}`,
		"grid":   `{"clusters":[{"name":"a","groups":[{"count":128}]},{"name":"b","packing":"nodes","groups":[{"count":32,"processors":4}]}]}`,
	} {
		schedulers := `{"key":"area-first"}`
		if name == "grid" {
			schedulers += `,{"key":"grid","providers":[{"key":"area-first"}]}`
		}
		path := filepath.Join(dir, name+".json")
		doc := `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"platform":` + platform + `,"schedulers":[` + schedulers + `]}`
		if err := os.WriteFile(path, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(filepath.Join(dir, "batchlab"), "run", path).CombinedOutput(); err != nil || !strings.Contains(string(out), `"digest"`) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
