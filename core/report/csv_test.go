package report

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Intent: what begins with a sign of a formula does not any more, wherever a
// program may see a cell begin; numbers and plain names stay; and nothing of the
// text is lost.
func TestHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"=1+1": "'=1+1", "+A1": "'+A1", "@SUM(A1)": "'@SUM(A1)", "-cmd|' /C calc'!A0": "'-cmd|' /C calc'!A0", "  =1": "  '=1",
		"a;=1": "a;'=1", "a\t@x": "a\t'@x", "a\n-x": "a\n'-x", "＝1": "'＝1", "'=1": "''=1", ",+x": ",'+x",
		"-": "-", "-5": "-5", "+1.5e3": "+1.5e3", "EASY - SAF": "EASY - SAF", "a=b": "a=b", "": "", "x, -5 nodes": "x, -5 nodes",
	} {
		if got := Harmless(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune("='+-@＝ ,;|\"\t\n\ra1é"))).Draw(t, "text")
		if got := Unharmed(Harmless(s)); got != s {
			t.Fatalf("%q comes back as %q", s, got)
		}
		row, err := csv.NewReader(strings.NewReader("x," + CSVText(strings.ReplaceAll(s, "\r", "")) + "\n")).Read()
		if err != nil || len(row) != 2 || Unharmed(row[1]) != strings.ReplaceAll(s, "\r", "") {
			t.Fatalf("%q reads as %q: %v", s, row, err)
		}
	})
}

// Intent: lists of names come back as they were, whatever the names, and lists
// without quotation marks are read as ever.
func TestNames(t *testing.T) {
	if got := SplitNames("  cad mesh:2\tx "); !slices.Equal(got, []string{"cad", "mesh:2", "x"}) {
		t.Errorf("%q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune("ab\" -:'\u00a0é")))).Draw(t, "names")
		if got := SplitNames(JoinNames(names)); !slices.Equal(got, names) && len(got)+len(names) > 0 {
			t.Fatalf("%q comes back as %q by way of %s", names, got, JoinNames(names))
		}
	})
}
