//go:build !js

// Package guide holds no code: its test does what the guides docs/add-a-….md say.
package guide

import (
	"errors"
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
var left = []string{".git", ".cache", "node_modules", "dist", "dist.new", "dist.old", "out", "build", ".wrangler"}

// tree copies the project to a folder.
func tree(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // a build beside the tests took it away
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

// named are tests of schedulers that they name one by one: no guide touches those, and
// the project itself tests them.
const named = "BackfillingAgrees|SlurmPassesOverNothing|TestOrigBF|FairShareOrders|ConservativeOrders|SharedTwins"

// guides are the pages that are replayed.
var guides = []string{"add-a-scheduler", "add-a-measure", "add-a-view", "add-a-field"}

// A guide says where each block of code goes by one of two sentences before it: a new
// file, or behind the first line of a file that holds some text.
var block = regexp.MustCompile("(?m)(?:[Ii]n |^)`([a-z/]+_?[a-z]*\\.(?:go|py))`(?:, behind `([^`]+)`[^`\n]*)?:\n\n```(?:go|python)\n((?s:.*?))```")

// follow makes the changes that a guide tells to make, and returns its commands.
func follow(t *testing.T, dir, guide string) []string {
	t.Helper()
	page, err := os.ReadFile("../" + guide + ".md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := block.FindAllStringSubmatch(string(page), -1)
	if fences := strings.Count(string(page), "```go\n") + strings.Count(string(page), "```python\n"); len(blocks) != fences || fences < 4 {
		t.Fatalf("%s: it is said of %d blocks of %d where they go", guide, len(blocks), fences)
	}
	for _, b := range blocks {
		path, behind, text := filepath.Join(dir, b[1]), b[2], b[3]
		data, err := os.ReadFile(path)
		switch {
		case behind == "" && err == nil:
			t.Fatalf("%s: %s is there already", guide, b[1])
		case behind != "":
			if err != nil {
				t.Fatal(err)
			}
			at := strings.Index(string(data), behind)
			if at < 0 {
				t.Fatalf("%s: nothing in %s is called %s", guide, b[1], behind)
			}
			at += strings.Index(string(data)[at:], "\n") + 1
			text = string(data)[:at] + text + string(data)[at:]
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return regexp.MustCompile(`(?m)^(?:GOOS=js GOARCH=wasm )?(?:go|gofmt) .*$`).FindAllString(string(page), -1)
}

// command runs a line that a guide tells to type, in a copy of the tree. Real logs are
// left to the project's own tests: what is added is seen on the others. So is vet, which
// looks at what is added by a line of its own: for each line it would look at all again.
func command(t *testing.T, dir, want, line string, more ...string) {
	t.Helper()
	words := strings.Fields(line)
	for i := range words {
		words[i] = strings.Trim(words[i], "'")
	}
	env := append(os.Environ(), "BATCHLAB_LOGS=", "GOFLAGS="+os.Getenv("GOFLAGS")+" -vet=off")
	for strings.Contains(words[0], "=") {
		env, words = append(env, words[0]), words[1:]
	}
	c := exec.Command(words[0], append(words[1:], more...)...)
	c.Dir, c.Env = dir, env
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%s %s: %v\n%s", line, strings.Join(more, " "), err, out)
	}
}

// Intent: a scheduler, a measure, a view and a field of the document that are added as the guides say leave all
// Go tests of the project green, as far as they reach what was changed, the long ones in
// their short form (-short, which leaves this test out as well) and the conformance test,
// which takes the scheduler to every platform and request, as a whole. What the guides
// tell to type is typed, each line once. The new scheduler and the new view stand on the
// page; and the command line runs the scheduler on counts, nodes, a farm, and beside a
// grid whose providers have it, and measures it with the new measure.
func TestGuides(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the whole project again")
	}
	dir := tree(t)
	var lines []string
	for _, guide := range guides {
		for _, line := range follow(t, dir, guide) {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	added := `package ui

import (
	"testing"

	"batchlab/core/swf"
	"batchlab/ui/state"
)

// The new scheduler stands in the page's menu, and in the list once it is taken; the
// new view has a tab, and its panel the element that it fills.
func TestAdded(t *testing.T) {
	s := state.New(&atOnce{logs: map[string]*swf.Log{}})
	root := NewRoot(s)
	root.P.Menu = "add"
	has(t, html(t, root), "FCFS with look-ahead")
	s.AddScheduler("look-ahead")
	has(t, html(t, root), "Look-ahead", "Widths")
	s.ShowTab("widths")
	has(t, html(t, root), "data-island=\"widths\"")
}
`
	if err := os.WriteFile(filepath.Join(dir, "ui/added_test.go"), []byte(added), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := false
	for _, line := range lines {
		switch {
		case line == "go test ./...": // the guides' last word: here the short form of what is long
			whole = true
		case strings.HasPrefix(line, "gofmt -w "):
			out, err := exec.Command("gofmt", "-l", filepath.Join(dir, strings.TrimPrefix(line, "gofmt -w "))).CombinedOutput()
			if err != nil || len(out) > 0 {
				t.Errorf("gofmt: %v\n%s", err, out)
			}
		case strings.HasPrefix(line, "go test "):
			command(t, dir, "ok", line)
		default:
			command(t, dir, "", line)
		}
	}
	if !whole {
		t.Error("no guide has all tests run")
	}
	command(t, dir, "", "go vet ./core/policy ./core/metric ./core/catalog ./core/experiment ./ui/draft ./ui/view/widths")
	command(t, dir, "ok", "go test ./core/lab -run TestEverythingWithEverything|TestCountsAreAFormOnly|TestConformance -only look-ahead")
	// What is new in core/policy is a file that others reach by core/lab's table alone.
	command(t, dir, "ok", "go test -short -timeout 2h -skip "+named+" .", reaching(t, dir, "batchlab/core/catalog", "batchlab/core/experiment", "batchlab/core/metric", "batchlab/core/lab", "batchlab/ui", "batchlab/ui/view/widths")...)
	command(t, dir, "", "go build -o batchlab ./cmd/batchlab")
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
		out, err := exec.Command(filepath.Join(dir, "batchlab"), "run", path).CombinedOutput()
		if err != nil || !strings.Contains(string(out), `"digest"`) || !strings.Contains(string(out), "waiting-jobs") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
