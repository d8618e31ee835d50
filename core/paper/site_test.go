package paper

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

const (
	papersFile = "../../static/papers.json"
	shownFile  = "../../static/results.json"
)

// Intent: each study's main points are claims of its, and static/results.json holds
// what docs/results.json holds of runs in full, one for each preset: what the page shows
// before anything has run. Few presets have nothing.
//
//	go test ./core/paper -run TestResultsOfThePage -update
func TestResultsOfThePage(t *testing.T) {
	data, err := os.ReadFile(resultsFile)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Results(data)
	if err != nil {
		t.Fatal(err)
	}
	if *updateVerdicts {
		if err := os.WriteFile(shownFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := os.ReadFile(shownFile)
	if string(got) != string(want) {
		t.Error("static/results.json is not what docs/results.json makes; see the comment of this test")
	}
	var shown map[string]libraryRun
	if err := json.Unmarshal(got, &shown); err != nil {
		t.Fatal(err)
	}
	full := 0
	for i := range Presets {
		if r := shown[Presets[i].Key]; len(r.Rows) > 0 && r.Digest != "" && r.Rows[0].Ours != nil {
			full++
		}
	}
	if full != len(shown) || full < 74 {
		t.Errorf("%d presets have results, %d of the file", full, len(shown))
	}
	for _, a := range Abouts {
		for _, says := range a.Main {
			if !slices.ContainsFunc(Claims, func(c Claim) bool { return c.Study == a.Study && c.Says == says }) {
				t.Errorf("%s: no claim says %q", a.Study, says)
			}
		}
		if judged := slices.ContainsFunc(Claims, func(c Claim) bool { return c.Study == a.Study }); judged != (len(a.Main) > 0) {
			t.Errorf("%s has %d main points", a.Study, len(a.Main))
		}
	}
}

// Intent: what the page shows of the studies, static/papers.json, is made from
// the same claims and numbers as docs/papers.md, to the letter; every study of
// the catalog has a question, and every claim's numbers can be looked at.
//
//	go test ./core/paper -run TestPapersOfThePage -update
func TestPapersOfThePage(t *testing.T) {
	data, err := os.ReadFile("../../docs/verdicts.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := ReadVerdicts(data)
	if err != nil {
		t.Fatal(err)
	}
	want, err := v.Library()
	if err != nil {
		t.Fatal(err)
	}
	if *updateVerdicts {
		if err := os.WriteFile(papersFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(papersFile); string(got) != string(want) {
		t.Error("static/papers.json is not what claims and numbers make; see the comment of this test")
	}
	for _, s := range catalog.Studies {
		if !slices.ContainsFunc(Abouts, func(a About) bool {
			return a.Study == s.Key && strings.HasSuffix(a.Question, "?") && len(a.Reads) > 0 && a.Cite != ""
		}) {
			t.Errorf("%s has no question, reference or reading", s.Key)
		}
	}
}
