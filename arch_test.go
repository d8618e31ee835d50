// Package batchlab holds no code: what stands here are checks of the project
// as a whole.
package batchlab

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// listed is what the go command says of a package.
type listed struct {
	ImportPath string
	Doc        string // the first sentence of its comment
	Imports    []string
	Deps       []string
}

// list returns the project's packages as they are for an operating system.
func list(t *testing.T, goos, goarch string) map[string]listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Doc,Imports,Deps", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := map[string]listed{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return found
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		found[strings.TrimPrefix(p.ImportPath, "batchlab/")] = p
	}
}

// arrows says which of the project's packages each may import directly. A name
// with /... stands for all packages below it, itself included. What is not
// named here has to be added, with a thought. Views have a row together, so that
// none of them can know another; what one needs beside that stands in a row of
// its own.
var arrows = map[string][]string{
	"core/model":      {"core/sum"},
	"core/catalog":    {},
	"core/search":     {},
	"core/expr":       {},
	"core/order":      {},
	"core/sum":        {},
	"core/report":     {"core/model"},
	"core/experiment": {"core/sum", "core/order", "core/catalog", "core/expr"},
	"core/lesson":     {"core/experiment", "core/model"},
	"core/swf":        {"core/model", "core/report"},
	"core/windows":    {"core/catalog", "core/experiment", "core/learn", "core/model", "core/order", "core/search"},
	"core/intake":     {"core/order", "core/report", "core/slurm", "core/swf"},
	"core/slurm":      {},
	"core/recorded":   {"core/intake", "core/slurm"},
	"core/workload":   {"core/expr", "core/intake", "core/model", "core/report", "core/swf", "core/catalog", "workloads"},
	"core/resource":   {"core/order", "core/model"},
	"core/tell":       {"core/model", "core/report"},
	"core/predict":    {"core/order", "core/model", "core/report"},
	"core/sim":        {"core/order", "core/model", "core/predict", "core/resource", "core/report", "core/tell"},
	"core/reserve":    {"core/tell", "core/model", "core/report", "core/resource", "core/sim"},
	"core/policy":     {"core/order", "core/slurm", "core/tell", "core/ledger", "core/model", "core/predict", "core/resource", "core/sim", "core/report", "core/catalog", "core/expr"},
	"core/custom":     {"core/tell", "core/model", "core/plan", "core/policy", "core/report", "core/resource", "core/sim"},
	"core/learn":      {},
	"core/forecast":   {"core/model", "core/order", "core/predict", "core/search"}, // predict, search: logarithm and exponential with the same bits everywhere
	"core/grid":       {"core/tell", "core/reserve", "core/model", "core/resource", "core/report", "core/sim"},
	"core/mixed":      {"core/expr", "core/metric", "core/model", "core/policy", "core/search", "core/sim", "core/workload"},
	"core/ledger":     {"core/model"},
	"core/snapshot":   {},
	"core/plan":       {"core/tell", "core/ledger", "core/model", "core/resource", "core/sim", "core/report", "core/search"},
	"core/truth":      {"core/catalog", "core/experiment", "core/metric", "core/report"},
	"core/metric":     {"core/order", "core/ledger", "core/model", "core/predict", "core/report", "core/catalog"}, // predict: its logarithm has the same bits everywhere
	"core/eligible":   {"core/model", "core/sim", "core/tell"},
	"core/react":      {"core/order", "core/model", "core/report", "core/sim"},
	"core/paper":      {"core/experiment", "core/catalog", "core/report", "core/learn", "core/mixed", "core/model", "core/policy", "core/swf", "core/workload", "core/metric", "core/plan", "core/predict", "core/search", "core/sim"},
	"core/lab":        {"core/sum", "core/...", "workloads"},
	"core/sweep":      {"core/experiment", "core/lab", "core/metric", "core/mixed", "core/paper", "core/report", "core/swf"},
	"workloads":       {"core/swf", "core/model"},
	"ui":              {"core/sum", "ui/...", "core/order", "core/catalog", "core/experiment", "core/model", "core/report"},
	"ui/news":         {},
	"ui/engine":       {"core/tell", "ui/words", "core/experiment", "core/model", "core/report", "core/windows"},
	"ui/look":         {"ui/news", "ui/words", "core/catalog", "core/experiment", "core/model"},
	"ui/draft":        {"ui/news", "ui/words", "core/catalog", "core/experiment", "core/metric", "core/model", "core/report", "core/windows"},
	"ui/result":       {"ui/engine", "ui/look", "ui/news", "ui/words", "core/catalog", "core/experiment", "core/metric", "core/model", "core/order", "core/report", "core/tell"},
	"ui/state":        {"ui/draft", "ui/engine", "ui/look", "ui/news", "ui/result", "core/order", "ui/words", "core/search", "core/catalog", "core/experiment", "core/report", "core/windows"},
	"ui/draw":         {"core/order", "ui/draft", "ui/engine", "ui/look", "ui/result", "ui/state", "ui/words", "ui/zone", "core/catalog", "core/experiment", "core/metric", "core/model", "core/report"},
	"ui/annex":        {"ui/draw", "ui/look", "ui/state", "ui/words", "core/experiment", "core/model", "core/report"},
	"ui/scene":        {"ui/draw", "core/model"},
	"ui/instant":      {"core/experiment", "core/order", "ui/draw", "ui/scene", "ui/words", "core/model", "core/report", "core/tell"},
	"ui/view/*":       {"core/order", "ui/draft", "ui/draw", "ui/engine", "ui/look", "ui/result", "ui/state", "ui/words", "core/catalog", "core/experiment", "core/metric", "core/model", "core/report"},
	"ui/view/truth":   {"core/truth", "ui/annex"},
	"ui/view/myjob":   {"ui/annex"},
	"ui/view/whatif":  {"ui/annex"},
	"ui/view/cases":   {"ui/instant"},
	"ui/view/lesson":  {"core/lesson", "core/tell", "static/lessons", "ui/instant"},
	"static/lessons":  {},
	"ui/view/step":    {"core/tell", "ui/instant"},
	"ui/view/start":   {"core/tell", "ui/instant"},
	"ui/view/gantt":   {"core/tell", "ui/instant", "ui/scene"},
	"ui/view/plan":    {"ui/scene"},
	"ui/view/intake":  {"ui/annex", "ui/zone"},
	"ui/view":         {},
	"ui/words":        {"core/model", "core/expr"},
	"ui/zone":         {},
	"ui/sample":       {"core/model", "core/report"},
	"ui/internal/gen": {},

	"ui/draw/drawtest": {"ui/draw", "ui/sample", "core/model", "core/report"},

	"wasm/bridge":    {"core/tell", "core/model", "core/report"},
	"wasm/pool":      {"core/order", "core/tell", "wasm/bridge", "ui/engine", "core/catalog", "core/experiment", "core/report", "core/model"},
	"wasm/host":      {"wasm/bridge", "wasm/pool"},
	"wasm/annex":     {"wasm/host", "wasm/pool", "ui/annex", "ui/view/intake", "ui/view/lesson", "ui/view/myjob", "ui/view/truth", "ui/view/whatif", "ui/words"},
	"wasm/page":      {"wasm/bridge", "wasm/host", "wasm/pool", "ui", "ui/engine", "ui/look", "ui/state", "core/experiment", "core/report"},
	"wasm/worker":    {"core/sum", "core/tell", "wasm/bridge", "ui/engine", "ui/zone", "core/catalog", "core/paper", "core/sweep", "core/experiment", "core/expr", "core/lab", "core/mixed", "core/model", "core/policy", "core/report", "core/swf", "core/windows", "core/workload"},
	"wasm/app":       {"wasm/page", "wasm/worker"},
	"wasm/studies":   {"wasm/annex", "wasm/worker"},
	"edge":           {"core/experiment", "core/catalog"},
	"edge/worker":    {"edge"},
	"cmd/batchlab":   {"cmd/batchlab/program", "cmd/batchlab/shard", "core/...", "edge", "reference"},
	"reference":      {},
	"bench":          {"core/..."},
	"bench/coverage": {"core/..."},
	"bench/logyears": {"core/..."},
	"docs":           {"core/...", "edge"},
	"docs/guide":     {"core/...", "ui/..."},

	"cmd/batchlab/program": {"core/custom", "core/experiment", "core/model", "core/policy", "core/report", "core/sim"},
	"cmd/batchlab/shard":   {"core/experiment"},
}

// Intent: go list, as docs/architecture.md has it, tells of every package what it is, or
// does: its comment says so.
func TestArchitecturePackages(t *testing.T) {
	native, page := list(t, "linux", "amd64"), list(t, "js", "wasm")
	for name := range page {
		code, _ := filepath.Glob(name + "/*.go")
		tests := !slices.ContainsFunc(code, func(file string) bool { return !strings.HasSuffix(file, "_test.go") })
		if says := len(strings.Fields(page[name].Doc + native[name].Doc)); name != "batchlab" && says < 4 && !tests {
			t.Errorf("%s has no comment that says what it is", name)
		}
	}
}

// Intent: what docs/architecture.md says about where things are is so: the file is
// there, and the name is defined in it.
func TestWhereThingsAre(t *testing.T) {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("`([a-z/]+\\.go)`: `(\\w+)`").FindAllStringSubmatch(string(page), -1)
	if len(found) < 8 {
		t.Errorf("only %d places are named", len(found))
	}
	for _, m := range found {
		text, err := os.ReadFile(m[1])
		if err != nil || !regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|var |type )`+m[2]+`\b`).Match(text) {
			t.Errorf("%s does not define %s: %v", m[1], m[2], err)
		}
	}
}

// Intent: files stay small enough to be read as a whole: what CONTRIBUTING says of
// their length is so.
func TestFileSizes(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	said := regexp.MustCompile(`no file of Go has more than (\d+) lines`).FindSubmatch(page)
	if err != nil || said == nil {
		t.Fatal("CONTRIBUTING.md does not say how long files are", err)
	}
	most, _ := strconv.Atoi(string(said[1]))
	err = sources(func(path, text string) {
		if lines := strings.Count(text, "\n"); lines > most && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_gen.go") {
			t.Errorf("%s has %d lines", path, lines)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// sources visits the project's files of Go and of the browser tests. Folders that are built
// and hidden ones are left out; what a build beside the tests takes away is not there.
func sources(visit func(path, text string)) error {
	return filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir():
			if name := d.Name(); name == "node_modules" || strings.HasPrefix(name, "dist") || strings.HasPrefix(name, ".") && name != "." {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".mjs"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			visit(path, string(text))
		}
		return err
	})
}

// Intent: packages import each other only along the arrows of
// docs/architecture.md, natively and in the browser.
func TestImportArrows(t *testing.T) {
	for _, target := range [][2]string{{"linux", "amd64"}, {"js", "wasm"}} {
		for name, p := range list(t, target[0], target[1]) {
			if name == "batchlab" {
				continue
			}
			allowed, known := arrows[name]
			if strings.HasPrefix(name, "ui/view/") {
				allowed, known = slices.Concat(allowed, arrows["ui/view/*"]), true
			}
			if !known {
				t.Errorf("%s: a new package: say in arch_test.go what it may import", name)
				continue
			}
			for _, path := range p.Imports {
				if to, ours := strings.CutPrefix(path, "batchlab/"); ours && !permits(allowed, to) {
					t.Errorf("%s must not import %s", name, to)
				}
			}
		}
	}
}

func permits(allowed []string, to string) bool {
	for _, a := range allowed {
		if base, all := strings.CutSuffix(a, "/..."); a == to || all && (to == base || strings.HasPrefix(to, base+"/")) {
			return true
		}
	}
	return false
}

// Intent: the core takes bytes and gives values: no browser, no system, no
// clock, no randomness of its own. "time" may stand behind a package of the
// standard library, but the core does not name it. Only pictures of a run's state
// look at memory itself: no scheduler then has to say what it remembers.
func TestCoreIsPure(t *testing.T) {
	forbidden := []string{"syscall/js", "syscall", "os", "net", "net/http", "time", "math/rand", "crypto/rand", "os/exec", "io/ioutil", "path/filepath", "sync", "runtime", "unsafe"}
	for name, p := range list(t, "linux", "amd64") {
		if !strings.HasPrefix(name, "core/") {
			continue
		}
		for _, path := range p.Imports {
			if slices.Contains(forbidden, path) && (name != "core/snapshot" || path != "unsafe") {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// Intent: no test measures time, so that none fails on a computer that has other
// things to do: no clock is read in a test of the browser, and in Go only by
// benchmarks and where the time of a file is set. Speed is `./build.sh bench`'s.
func TestNoTestMeasuresTime(t *testing.T) {
	clocks := map[string]*regexp.Regexp{
		"_test.go":  regexp.MustCompile(`time\.(Now|Since|Until)\(`),
		".test.mjs": regexp.MustCompile(`performance\.now|Date\.now\(\)|hrtime|PerformanceObserver|longtask|console\.time|timeOrigin`),
	}
	seen := 0
	err := sources(func(path, text string) {
		for suffix, clock := range clocks {
			if !strings.HasSuffix(path, suffix) || strings.HasPrefix(path, "bench/") {
				continue
			}
			seen++
			for i, line := range strings.Split(text, "\n") {
				set := strings.Contains(line, "time.Now().Add(") || strings.Contains(line, "time.Now().UnixNano()") // a file's time, a name nobody else has
				if clock.MatchString(line) && !set && !strings.HasSuffix(path, "bench_test.go") && path != "arch_test.go" {
					t.Errorf("%s:%d reads a clock: %s", path, i+1, strings.TrimSpace(line))
				}
			}
		}
	})
	if err != nil || seen < 100 {
		t.Error(seen, err)
	}
}

// Intent: documents, links and the share server never pull in the simulator,
// and beside the catalog they need only the standard library and gjson; the
// page's state knows neither vugu nor the browser.
func TestReach(t *testing.T) {
	simulator := []string{"batchlab/core/sim", "batchlab/core/lab", "batchlab/core/workload", "batchlab/core/swf", "batchlab/core/policy",
		"batchlab/core/resource", "batchlab/core/plan", "batchlab/core/grid", "batchlab/core/metric", "batchlab/core/paper"}
	packages := list(t, "js", "wasm")
	for name, forbidden := range map[string][]string{
		"core/experiment": {"batchlab/core/sim", "batchlab/core/lab", "batchlab/core/swf"},
		"edge":            simulator,
		"edge/worker":     simulator,
		"ui/state":        {"github.com/vugu/vugu", "batchlab/core/sim", "batchlab/core/lab", "batchlab/core/swf"},
		"ui/engine":       {"batchlab/ui/state", "batchlab/ui/draft", "batchlab/ui/look"},
		"wasm/worker":     {"batchlab/ui/state", "batchlab/ui/draft", "batchlab/ui/look"},
		"wasm/pool":       {"github.com/vugu/vugu", "batchlab/ui/state", "batchlab/ui/draft", "batchlab/core/sim", "batchlab/core/lab"},
	} {
		p, there := packages[name]
		if !there {
			continue // not written yet
		}
		for _, path := range forbidden {
			if slices.Contains(p.Deps, path) {
				t.Errorf("%s reaches %s", name, path)
			}
		}
	}
	for name, p := range packages { // only the shell draws with Vugu, and only the workers simulate
		if name == "ui/draw" || strings.HasPrefix(name, "ui/view/") {
			for _, path := range []string{"github.com/vugu/vugu", "batchlab/core/sim", "batchlab/core/lab"} {
				if slices.Contains(p.Deps, path) {
					t.Errorf("%s reaches %s", name, path)
				}
			}
		}
	}
	for _, path := range packages["core/experiment"].Deps {
		if strings.Contains(path, ".") && !strings.HasPrefix(path, "github.com/tidwall/") {
			t.Errorf("core/experiment reaches %s", path)
		}
	}
}
