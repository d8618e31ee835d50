package look

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"batchlab/core/experiment"
)

// The views of all links that were ever sent can be used.
func TestGoldenViews(t *testing.T) {
	defer func(before []string) { Tabs = before }(Tabs)
	Tabs = []string{"overview", "gantt", "series", "distributions", "users", "vary", "search", "table", "plan"}
	data, err := os.ReadFile("../../core/experiment/testdata/links.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Name, Hash string }
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	views := 0
	for _, l := range list {
		text := experiment.LinkPart(l.Hash, "v")
		v, err := Read(text)
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
		}
		used := 0
		for _, ok := range v.has {
			if ok {
				used++
			}
		}
		if want := strings.Count(text, "_"); used != want {
			t.Errorf("%s: %d fields of %d can be used", l.Name, used, want)
		}
		views += used
	}
	if views < 10 {
		t.Errorf("the golden links have only %d fields of views", views)
	}
}

// Intent: what a view of the second program looks at goes along in a link while that
// view is on show, is nobody else's, and holds no characters that a link cannot.
func TestViewOfTheSecondProgram(t *testing.T) {
	for _, c := range []struct{ text, key, want string }{{"truth.p2", "truth", "p2"}, {"truth.p2", "job", ""}, {"truth", "truth", ""}, {"truth.a_b", "truth", ""}, {"", "truth", ""}} {
		if got := AnnexState(c.text, c.key); got != c.want {
			t.Errorf("%q of %q: %q", c.text, c.key, got)
		}
	}
	l, err := Read("1_Atruth.p2-3")
	if err != nil {
		t.Fatal(err)
	}
	var v View
	if l.Apply(&v); v.Annex != "truth.p2-3" {
		t.Error(v.Annex)
	}
	if _, err := Read("1_Atruth.p 2"); err == nil {
		t.Error("a space is read")
	}
}
