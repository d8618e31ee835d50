package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program's faults are told with file, line and column, whether they show when it
// is read or when it runs, and end with exit status 2.
func TestProgramFaults(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct{ code, want string }{
		{"def decide(s):\n    return foo\n", ":2:12: undefined: foo"},
		{"def decide(s:\n", ":1:13: ':' stands where ')' is missing"},
		{"x = 1\n", ":1:1: the program must define decide(s) or order(job, s)"},
		{"def decide(s):\n    while True:\n        pass\n", "steps in one call"},
		{"def decide(s):\n    return [s.queue[0].runtime]\n", ":2:23: job has no .runtime field or method"},
		{"def decide(s):\n    return s.queue[:0]\n", ":1:1: nothing runs, nothing more will happen"},
		{"def order(job, s):\n    return float(\"nan\")\n", ":1:1: order must return a number"},
	} {
		path := filepath.Join(dir, "program.star")
		if err := os.WriteFile(path, []byte(c.code), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs strings.Builder
		status := dispatch([]string{"simulate", "--log", "../../workloads/demo.swf.gz", "--algorithm", "custom", "--code", path}, &out, &errs)
		if status != 2 || !strings.Contains(errs.String(), path+":") || !strings.Contains(errs.String(), c.want) || out.Len() > 0 {
			t.Errorf("%d: status %d, %q", i, status, errs.String())
		}
	}
}

// A program is set beside a built-in scheduler: the same, or from where on not.
func TestProgramAgainst(t *testing.T) {
	for code, want := range map[string][]string{
		"easy": {`"different": 0`, `"key": "head",\n        "holds": true`},
		"sjf":  {`"number": `, `"different": `, `"key": "starve"`},
	} {
		var out, errs strings.Builder
		status := dispatch([]string{"simulate", "--log", "../../workloads/demo.swf.gz", "--algorithm", "custom", "--code", "../../examples/schedulers/" + code + ".star", "--against", "easy", "--profile"}, &out, &errs)
		for _, w := range append(want, `"lines": [`) {
			if status != 0 || !strings.Contains(out.String(), strings.ReplaceAll(w, `\n`, "\n")) {
				t.Errorf("%s: status %d, no %s in %s %s", code, status, w, out.String(), errs.String())
			}
		}
	}
}

// Intent: the smallest case on which two schedulers part is written as an experiment
// that runs and in which they part.
func TestSmallestCase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "case.json")
	var out, errs strings.Builder
	log := []string{"simulate", "--log", "../../workloads/demo.swf.gz", "--algorithm", "custom", "--code", "../../examples/schedulers/sjf.star"}
	if status := dispatch(append(log, "--case", path), &out, &errs); status != 2 || !strings.Contains(errs.String(), "--against") {
		t.Errorf("status %d: %s", status, errs.String())
	}
	if status := dispatch(append(log, "--against", "easy", "--case", path), &out, &errs); status != 0 || !strings.Contains(errs.String(), " jobs; the two part at ") {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	out.Reset()
	if status := dispatch([]string{"run", path}, &out, &errs); status != 0 || !strings.Contains(out.String(), `"easy"`) || !strings.Contains(out.String(), `"custom"`) {
		t.Errorf("status %d: %s %s", status, out.String(), errs.String())
	}
}
