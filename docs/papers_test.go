package docs

import (
	"os"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/paper"
)

const papersFile = "../static/papers.json"

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
