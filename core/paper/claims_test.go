package paper

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

var (
	updateVerdicts = flag.Bool("update", false, "write the table of claims in docs/papers.md anew")
	resultsOf      = flag.String("results", "", "with -update: take numbers from the results of presets in this folder (./build.sh papers)")
)

const (
	papersPage   = "../../docs/papers.md"
	verdictsFile = "../../docs/verdicts.json"
)

// Intent: the table of claims in docs/papers.md says what the claims and the
// numbers of full runs of presets say, to the letter; each claim has a verdict of
// the list, each number a preset and row behind it, and no study is left out.
//
//	go test ./core/paper -run TestVerdicts -update [-results FOLDER]
func TestVerdicts(t *testing.T) {
	data, err := os.ReadFile(verdictsFile)
	if err != nil && !*updateVerdicts {
		t.Fatal(err)
	}
	v := Verdicts{}
	if err == nil {
		if v, err = ReadVerdicts(data); err != nil {
			t.Fatal(err)
		}
	}
	if *updateVerdicts {
		var files []string
		if *resultsOf != "" {
			files, _ = filepath.Glob(filepath.Join(*resultsOf, "*.json"))
		}
		for _, name := range files {
			result, err := os.ReadFile(name)
			if err == nil {
				err = v.Take(strings.TrimSuffix(filepath.Base(name), ".json"), result)
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := v.fromPages(); err != nil {
			t.Fatal(err)
		}
		quoted := map[string]bool{}
		for i := range Claims {
			for _, p := range Claims[i].places() {
				quoted[p[0]] = true
			}
		}
		for key := range v {
			if !quoted[key] {
				delete(v, key)
			}
		}
		text, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(verdictsFile, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	table, err := v.Render()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(papersPage)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(page), "<!-- verdicts -->\n")
	old, tail, ok2 := strings.Cut(rest, "<!-- end of verdicts -->")
	if !ok1 || !ok2 {
		t.Fatal("docs/papers.md has no place for the table of claims")
	}
	if *updateVerdicts {
		if err := os.WriteFile(papersPage, []byte(head+"<!-- verdicts -->\n"+table+"<!-- end of verdicts -->"+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != table {
		t.Error("the table of claims in docs/papers.md is not what claims and numbers make; see the comment of this test")
	}
	count := map[string]int{}
	for i := range Claims {
		c := &Claims[i]
		count[c.Study]++
		if c.Where == "" || c.Says == "" || c.Ran == "" || c.Rule == "" || catalog.FindStudy(c.Study) == nil || strings.ContainsAny(c.Where+c.Says+c.On, "|{}\n") {
			t.Errorf("%+v is not complete", c)
		}
		ruling, err := v.rule(c)
		if err != nil {
			t.Fatal(err)
		}
		switch k := ruling.Kind; {
		case k != Confirmed && k != NotConfirmed && k != Depends && k != CannotTell && k != notOurs:
			t.Errorf("%s: the verdict %q", c.Says, k)
		case k == Depends && (c.On == "" || strings.HasPrefix(c.On, "(")):
			t.Errorf("%s: it depends on what?", c.Says)
		}
		for _, p := range c.places() {
			if Find(presetOf(p[0])) == nil || !strings.HasPrefix(p[0], c.Study) {
				t.Errorf("%s: there is no preset %s of that study", c.Says, p[0])
			}
		}
	}
	for _, key := range []string{"techiouba2008", "kurowski2011", "skrinarova2013", "klusacek2016", "legrand2018"} {
		if count[key] < 5 {
			t.Errorf("%s has %d claims", key, count[key])
		}
	}
}

// fromPages takes numbers that claims quote and v does not have from docs/results.json,
// where a table shows them: of the same run, or of one that v has nothing of.
func (v Verdicts) fromPages() error {
	text, err := os.ReadFile(resultsFile)
	if err != nil {
		return err
	}
	shown := map[string]*pageRun{}
	if err := json.Unmarshal(text, &shown); err != nil {
		return err
	}
	for i := range Claims {
		for _, p := range Claims[i].places() {
			at, run := p[1]+"|"+p[2], shown[p[0]]
			if run == nil {
				continue
			}
			if _, there := v[p[0]]; !there {
				v[p[0]] = VerdictRun{Log: run.Log, Digest: run.Digest, Rows: map[string]VerdictRow{}}
			}
			r, there := run.Rows[at]
			if _, known := v[p[0]].Rows[at]; there && !known && v[p[0]].Digest == run.Digest {
				v[p[0]].Rows[at] = r.VerdictRow
			}
		}
	}
	return nil
}

// Intent: numbers are written with their interval and unit; a smaller version of
// a preset, or one without a row that is quoted, is refused.
func TestVerdictNumbers(t *testing.T) {
	half := 0.044
	for want, row := range map[string]VerdictRow{
		"−0.031 ± 0.044": {Ours: -0.0314, Half: &half}, "12,345 s": {Ours: 12345.4, Unit: "s"}, "1,234,567": {Ours: 1234567}, "−12.30 %": {Ours: -12.3, Unit: "%"}, "0.000": {Ours: -1e-9}, "5": {Ours: 5, Half: new(float64)},
	} {
		if got := row.String(); got != want {
			t.Errorf("%+v is written %q, want %q", row, got, want)
		}
	}
	v := Verdicts{}
	digest := strings.Repeat("a", 64)
	if err := v.Take("techiouba2008-figure1a", []byte(`{"key": "techiouba2008-figure1a", "quick": true, "digest": "`+digest+`", "rows": []}`)); err == nil {
		t.Error("a smaller version is taken")
	}
	if err := v.Take("techiouba2008-figure1a", []byte(`{"key": "techiouba2008-figure1a", "digest": "`+digest+`", "rows": []}`)); err == nil || !strings.Contains(err.Error(), "has no row") {
		t.Errorf("rows are missing: %v", err)
	}
	if _, err := v.Render(); err == nil {
		t.Error("a table without numbers")
	}
}
