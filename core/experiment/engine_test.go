package experiment

import (
	"strconv"
	"strings"
	"testing"
)

// Engines are numbered one after the other up to the present one, each with the
// reason for its number; of two that meet it is said what lies between them,
// whichever is older, and of an unknown one that nothing is known.
func TestEngines(t *testing.T) {
	for i, e := range engines {
		if e.number != strconv.Itoa(i+1) || i > 0 && len(e.moved) < 20 {
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
		{"77", Engine, "made by engine 77, not by engine " + Engine + "; what changed in between is not known here"},
	} {
		if got := EnginesApart(c.theirs, c.ours); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s and %s: %s", c.theirs, c.ours, got)
		}
	}
}

func engineTable() string {
	var b strings.Builder
	b.WriteString("\n| engine | what has other schedules than under the one before |\n|---|---|\n")
	b.WriteString("| 1 | the first number; schedules changed under it, too, so that early builds differ from late ones |\n")
	for _, e := range engines[1:] {
		b.WriteString("| " + e.number + " | " + e.moved + " |\n")
	}
	return b.String() + "\n"
}
