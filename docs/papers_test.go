package docs

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/paper"
	"batchlab/ui/engine"
)

const (
	papersFile  = "../static/papers.json"
	resultsFile = "../static/results.json"
)

// Intent: each study's main points are claims of its, and static/results.json holds
// what docs/results.json holds of runs in full, one for each preset: what the page shows
// before anything has run. Few presets have nothing.
//
//	go test ./docs -run TestResultsOfThePage -update
func TestResultsOfThePage(t *testing.T) {
	data, err := os.ReadFile("results.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := paper.Results(data)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(resultsFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := os.ReadFile(resultsFile)
	if string(got) != string(want) {
		t.Error("static/results.json is not what docs/results.json makes; see the comment of this test")
	}
	var shown map[string]engine.StudyResult
	if err := json.Unmarshal(got, &shown); err != nil {
		t.Fatal(err)
	}
	full := 0
	for i := range paper.Presets {
		if r := shown[paper.Presets[i].Key]; len(r.Rows) > 0 && r.Digest != "" && r.Rows[0].Ours != nil {
			full++
		}
	}
	if full != len(shown) || full < 74 {
		t.Errorf("%d presets have results, %d of the file", full, len(shown))
	}
	for _, a := range paper.Abouts {
		for _, says := range a.Main {
			if !slices.ContainsFunc(paper.Claims, func(c paper.Claim) bool { return c.Study == a.Study && c.Says == says }) {
				t.Errorf("%s: no claim says %q", a.Study, says)
			}
		}
		if judged := slices.ContainsFunc(paper.Claims, func(c paper.Claim) bool { return c.Study == a.Study }); judged != (len(a.Main) > 0) {
			t.Errorf("%s has %d main points", a.Study, len(a.Main))
		}
	}
}

// Intent: what the page shows of the studies, static/papers.json, is made from
// the same claims and numbers as docs/papers.md, to the letter; every study of
// the catalog has a question, and every claim's numbers can be looked at.
//
//	go test ./docs -run TestPapersOfThePage -update
func TestPapersOfThePage(t *testing.T) {
	data, err := os.ReadFile("verdicts.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := paper.ReadVerdicts(data)
	if err != nil {
		t.Fatal(err)
	}
	want, err := v.Library()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(papersFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(papersFile); string(got) != string(want) {
		t.Error("static/papers.json is not what claims and numbers make; see the comment of this test")
	}
	for _, s := range catalog.Studies {
		if !slices.ContainsFunc(paper.Abouts, func(a paper.About) bool {
			return a.Study == s.Key && strings.HasSuffix(a.Question, "?") && len(a.Reads) > 0 && a.Cite != ""
		}) {
			t.Errorf("%s has no question, reference or reading", s.Key)
		}
	}
}
