//go:build !small

package lab

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// Intent: the small case tells the common schedulers apart, and a program that is
// one of them is told to be like it; what is wrong is told at its line.
func TestTryProgram(t *testing.T) {
	for name, like := range map[string]string{"fcfs": "fcfs", "easy": "easy", "conservative": "conservative"} {
		code, err := os.ReadFile(filepath.Join("..", "..", "examples", "schedulers", name+".star"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := TryProgram(string(code), nil)
		if err != nil || len(got.Check.Faults) > 0 || got.Stopped != nil || len(got.Own) < 9 || len(got.EASY) < 9 {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		if !slices.Equal(got.Like, []string{like}) {
			t.Errorf("%s is like %v on the small case", name, got.Like)
		}
		if got.Program == nil || got.Program.Profile == nil || len(got.Program.Profile.Lines) < 3 {
			t.Errorf("%s: no profile", name)
		}
	}
	for _, c := range []struct {
		code string
		line int
		want string
	}{
		{"def decide(s):\n    return s.quue\n", 2, "quue"},
		{"def decide(s):\n    while True:\n        pass\n", 2, "steps"},
		{"def decide(s):\n    return s.queue\n", 2, "cannot start"},
	} {
		got, err := TryProgram(c.code, nil)
		if err != nil {
			t.Fatal(err)
		}
		fault := got.Stopped
		if len(got.Check.Faults) > 0 {
			fault = &got.Check.Faults[0]
		}
		if fault == nil || fault.Line != c.line || !strings.Contains(fault.Message, c.want) || got.Own != nil || len(got.EASY) == 0 {
			t.Errorf("%q: %+v", c.code, fault)
		}
	}
}

// Intent: every template runs on the small case, and those that have the name of a
// scheduler are that one.
func TestTemplates(t *testing.T) {
	for _, one := range catalog.CustomTemplates {
		got, err := TryProgram(one.Code, nil)
		if err != nil || len(got.Check.Faults) > 0 || got.Stopped != nil {
			t.Fatalf("%s: %+v %+v, %v", one.Name, got.Check, got.Stopped, err)
		}
		if one.Same != "" && !slices.Contains(got.Like, one.Same) {
			t.Errorf("%s is like %v, not %s", one.Name, got.Like, one.Same)
		}
		if len(one.Code) > 1500 || strings.Contains(one.Code, "\t") {
			t.Errorf("%s: too long to read, or tabs", one.Name)
		}
	}
}
