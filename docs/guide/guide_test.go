//go:build !js

// Package guide holds no code: its test does what docs/add-a-scheduler.md says.
package guide

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// left are the folders that are not the project's: what others wrote, and what is
// built.
var left = []string{".git", ".cache", "node_modules", "dist", "dist.new", "dist.old", "out"}

// tree copies the project to a folder.
func tree(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case slices.Contains(left, d.Name()) && path != root:
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, info.Mode())
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// reaching lists the packages whose tests, as programs, hold one of those that were
// changed. All others are byte for byte the programs that the project itself tests.
func reaching(t *testing.T, dir string, changed ...string) (list []string) {
	t.Helper()
	c := exec.Command("go", "list", "-test", "-f", `{{.ImportPath}}{{range .Deps}} {{.}}{{end}}`, "./...")
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg, isTest := strings.CutSuffix(words[0], ".test")
		if isTest && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(changed, w) }) {
			list = append(list, pkg)
		}
	}
	if len(list) < 40 || slices.Contains(list, "batchlab/core/swf") {
		t.Fatalf("these reach what was changed: %v", list)
	}
	return list
}

// A scheduler that is added as the guide says leaves all Go tests of the project
// green, as far as they reach it, the long ones in their short form (-short, which leaves
// this test out as well) and the conformance test, which takes it to every platform and request, as a
// whole; it stands in the page's list; and the command line runs it on counts, nodes,
// a farm, and beside a grid whose providers have it. What the guide tells to type is
// typed.
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
	edit("ui/lookahead_test.go", func(string) string {
		return `package ui

import (
	"testing"

	"batchlab/core/swf"
	"batchlab/ui/state"
)

// The new scheduler stands in the page's menu, and in the list once it is taken.
func TestLookAheadInTheList(t *testing.T) {
	s := state.New(&atOnce{logs: map[string]*swf.Log{}})
	root := NewRoot(s)
	root.P.Menu = "add"
	has(t, html(t, root), "FCFS with look-ahead")
	s.AddScheduler("look-ahead")
	has(t, html(t, root), "Look-ahead")
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
	for _, line := range regexp.MustCompile(`(?m)^(?:go|gofmt) .*$`).FindAllString(text, -1) {
		switch words := strings.Fields(line); {
		case line == "go test ./...": // the guide's last word: here the short form of what is long
			run("ok", append([]string{"test", "-short", "-vet=off", "-timeout", "2h", "."}, reaching(t, dir, "batchlab/core/policy", "batchlab/core/catalog", "batchlab/core/lab", "batchlab/ui")...)...)
		case words[0] == "gofmt":
			if out, err := exec.Command("gofmt", "-l", filepath.Join(dir, "core")).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("gofmt: %v\n%s", err, out)
			}
		default:
			for i := range words {
				words[i] = strings.Trim(words[i], "'")
			}
			run("ok", words[1:]...)
		}
	}
	run("ok", "test", "./core/lab", "-run", "TestEverythingWithEverything|TestCountsAreAFormOnly|TestConformance", "-only", "look-ahead")
	run("", "build", "-o", "batchlab", "./cmd/batchlab")
	for name, platform := range map[string]string{
		"counts": `{"processors":128}`,
		"nodes":  `{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":32,"processors":4}]}]}`,
		"farm":   `{"clusters":[{"name":"a","packing":"machine","groups":[{"count":4,"processors":128}]}]}`,
		"grid":   `{"clusters":[{"name":"a","groups":[{"count":128}]},{"name":"b","packing":"nodes","groups":[{"count":32,"processors":4}]}]}`,
	} {
		schedulers := `{"key":"look-ahead"}`
		if name == "grid" {
			schedulers += `,{"key":"grid","providers":[{"key":"look-ahead"}]}`
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
