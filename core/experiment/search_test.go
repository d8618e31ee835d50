package experiment

import (
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// searching is minimal with a search whose settings differ from their defaults.
const searching = `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}],"search":{"length":86400,"threshold":null,"features":"6","scales":[1,1,1],"split":"28-64","formula":"-p*q"}}`

// The settings of a search travel in documents and links, stay out of those
// that have none, so that older identities hold, and are copied by Clone.
func TestSearchSettings(t *testing.T) {
	e := mustDecode(t, searching)
	if n, _ := e.Search.Int("length"); n != 86400 || e.Search.Text("formula") != "-p*q" || e.Search.Text("method") != "coverage" {
		t.Fatalf("%+v", e.Search)
	}
	if _, set := e.Search.Int("threshold"); set {
		t.Error("no threshold was read as one")
	}
	if n, _ := mustDecode(t, strings.Replace(searching, `"threshold":null,`, "", 1)).Search.Int("threshold"); n != 200_000 {
		t.Errorf("the threshold's default is %d", n)
	}
	comesBack(t, e)
	c := e.Clone()
	c.Search[0].Value = int64(5)
	if n, _ := e.Search.Int("length"); n != 86400 {
		t.Error("a clone shares its settings")
	}
	if plain := mustDecode(t, minimal); plain.Search != nil || strings.Contains(string(Encode(plain)), "search") {
		t.Error("a document without a search has one")
	}
	if e.Identity() == mustDecode(t, minimal).Identity() {
		t.Error("a search is not part of the identity")
	}
}

// Faults in the settings of a search name their key.
func TestSearchFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"lenght":5}`:           "search.lenght",
		`{"length":5}`:           "search.length",
		`{"formula":"q ** p"}`:   "search.formula",
		`{"scales":[0,0,0]}`:     "search.scales",
		`{"features":3}`:         "search.features",
		`{"method":"annealing"}`: "search.method",
		`[]`:                     "search",
	} {
		_, err := Decode([]byte(strings.Replace(minimal, `"schedulers"`, `"search":`+text+`,"schedulers"`, 1)))
		if err == nil || !strings.Contains(err.Error(), want+":") {
			t.Errorf("%s: %v", text, err)
		}
	}
	e := mustDecode(t, minimal)
	e.Search = Defaults(catalog.SearchParams)
	if err := e.Validate(); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
}
