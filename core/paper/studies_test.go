package paper

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// Intent: the files are what people may correct: each is read, strictly; what is said of
// a preset is said of one that there is, once; each row of a printed table has a number
// for each column; and every study of the catalog has its file.
func TestStudyFiles(t *testing.T) {
	files, err := fs.Glob(studyFiles, "studies/*.json")
	if err != nil || len(files) != len(Abouts) {
		t.Fatalf("%d files, %d studies (%v)", len(files), len(Abouts), err)
	}
	for i := range Abouts {
		a := &Abouts[i]
		if a.Study != catalog.Studies[i].Key || !slices.Contains(files, "studies/"+a.Study+".json") || a.Question == "" || a.Cite == "" {
			t.Errorf("study %d is %s, of the catalog %s", i, a.Study, catalog.Studies[i].Key)
		}
		seen := map[string]bool{}
		for _, told := range a.Presets {
			if p := Find(told.Key); p == nil || p.Study != a.Study || seen[told.Key] {
				t.Errorf("%s says something of %s", a.Study, told.Key)
			} else if p.LookFor != "" && told.LookFor != "" {
				t.Errorf("what to look for in %s is said twice", told.Key)
			}
			seen[told.Key] = true
			for _, table := range told.Prints {
				for _, r := range table.Rows {
					if len(r.Numbers) != len(table.Columns) || len(r.At) == 0 {
						t.Errorf("%s, row %q: %d numbers for %d columns", told.Key, strings.Join(r.At, "; "), len(r.Numbers), len(table.Columns))
					}
				}
			}
		}
	}
	for bad, want := range map[string]string{
		`{"study": "x", "qestion": "?"}`: "qestion",
		`{"presets": [{"key": "a", "prints": [{"columns": [{"at": "a", "units": "s"}]}]}]}`: "units",
		`{"presets": [{"prints": [{"rows": [{"at": 3}]}]}]}`:                                "number",
	} {
		if err := strictly([]byte(bad), new(About)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Intent: a printed table becomes rows under the names that our own runs give theirs.
func TestPrintedRows(t *testing.T) {
	var told Told
	if err := strictly([]byte(`{"prints": [
		{"columns": [{"at": ["a", "b"], "unit": "s"}, "c"], "rows": [{"at": ["x", "x again"], "numbers": [1, 2]}, {"at": "y", "numbers": [3, 4]}]},
		{"labels": ["l", "m"], "columns": ["wait", "use"], "rows": [{"at": ["FCFS", "FCFS-BF"], "numbers": [5, 6]}]}]}`), &told); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range told.Prints {
		told.Prints[i].rows(func(r Row) { got = append(got, r.Label+"|"+r.Column+"|"+string(rune('0'+int(*r.Paper)))+r.Unit) })
	}
	want := "x|a|1s x|b|1s x|c|2 y|a|3s y|b|3s y|c|4 x again|a|1s x again|b|1s x again|c|2 " +
		"l|FCFS, wait|5 l|FCFS-BF, wait|5 l|FCFS, use|6 l|FCFS-BF, use|6 m|FCFS, wait|5 m|FCFS-BF, wait|5 m|FCFS, use|6 m|FCFS-BF, use|6"
	if strings.Join(got, " ") != want {
		t.Errorf("%s", strings.Join(got, " "))
	}
}
