package experiment

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Engines are numbered one after the other up to the present one, each with the
// reason for its number; of two that meet it is said what lies between them,
// whichever is older, and of an unknown one that nothing is known.
func TestEngines(t *testing.T) {
	for i, e := range engines {
		if e.number != strconv.Itoa(i+1) || i > 0 && len(strings.Join(e.moved, "")) < 20 {
			t.Errorf("engine %d: %q, %q", i+1, e.number, e.moved)
		}
	}
	last := engines[len(engines)-1]
	if last.number != Engine || EnginesApart(Engine, Engine) != "" {
		t.Errorf("this is engine %s, the last one is %s", Engine, last.number)
	}
	for _, c := range []struct{ theirs, ours, want string }{
		{"1", "2", "made by engine 1, not by engine 2; since then these have changed, and results may differ: conservative backfilling, PPPD"},
		{"2", "1", "made by engine 2, not by engine 1; since engine 1 these have changed"},
		{"", "2", "made by an engine that is not named, and taken for engine 1, not by engine 2; since then these have changed"},
		{"77", Engine, "made by engine 77, not by engine " + Engine + "; what changed in between is not known here"},
	} {
		if got := EnginesApart(c.theirs, c.ours); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s and %s: %s", c.theirs, c.ours, got)
		}
	}
}

// engineLists is what docs/engine.md lists under each number, the latest first.
func engineLists() string {
	var b strings.Builder
	for i := len(engines) - 1; i > 0; i-- {
		fmt.Fprintf(&b, "\n## Engine %s\n\nOther schedules than under engine %s:\n\n", engines[i].number, engines[i-1].number)
		for _, part := range engines[i].moved {
			b.WriteString("- " + part + "\n")
		}
	}
	return b.String() + "\n## Engine 1\n\nThe first number. Schedules changed under it, too, so that early builds differ from late ones; where a result of engine 1 is not reproduced, one of the points above may be why, or such an early build.\n\n"
}

// Intent: what made a result travels with it in the trace of a link, commit and
// version as well as the engine; links of early builds, which name the engine alone,
// are read as ever, and an early build reads ours.
func TestTraceNamesItsBuild(t *testing.T) {
	defer func(old string) { Commit = old }(Commit)
	for _, c := range []Build{{Release, Engine, "0123456789ab"}, {Release, Engine, ""}, {"", "1", ""}} {
		back, err := DecodeTrace((&Trace{Build: c}).Encode())
		if err != nil || back.Build != c {
			t.Errorf("%+v came back as %+v, %v", c, back, err)
		}
	}
	Commit = "0123456789ab"
	if b := NewTrace(nil).Build; b != (Build{Release, Engine, Commit}) {
		t.Errorf("a new trace is by %+v", b)
	}
	if got, want := ThisBuild().String(), "Batchlab "+Release+", engine "+Engine+", commit 0123456789ab"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if got := (Build{Engine: "1"}).String(); got != "Batchlab, engine 1" {
		t.Errorf("an early build is %q", got)
	}
}

// Intent: all that names the version names this one.
func TestReleaseEverywhere(t *testing.T) {
	for name, want := range map[string]string{
		"../../clients/python/pyproject.toml": `version = "` + Release + `"`,
		"../../CITATION.cff":                  "\nversion: " + Release + "\n",
		"../../docs/engine.md":                "Batchlab " + Release + " simulates with engine " + Engine + ".",
	} {
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %q: %v", name, want, err)
		}
	}
}
