package paper

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"math"
)

// What is said of the studies, and what their tables print, stands in files, one a
// study, for researchers to read and to correct: studies/README.md says how.
//
//go:embed studies/*.json
var studyFiles embed.FS

// About is what a reader is told of a study before its tables.
type About struct {
	Study    string   `json:"study"`    // key
	Question string   `json:"question"` // what the study asks, in one sentence
	Cite     string   `json:"cite"`     // the full reference
	Reads    []string `json:"reads"`    // how its text was read where it leaves something open
	Main     []string `json:"main"`     // what the paper is about: of its claims these, in their words
	// Presets says more of tables and figures, Claims judges the paper's sentences.
	Presets []Told  `json:"presets"`
	Claims  []Claim `json:"claims"`
}

// Claim is a sentence of a paper, and what decides it here.
type Claim struct {
	Study string `json:"-"`     // key
	Where string `json:"where"` // the paper's section, table or figure
	Says  string `json:"says"`
	Ran   string `json:"ran"` // what we ran
	// Result is what came out, with {preset|label|column} where a number of a preset
	// stands and {rule} where the sides of the rule stand with theirs; "" these alone.
	Result string `json:"result"`
	// Rule decides: see judge_test.go, which reads it. "is outside our scope" or "cannot be told" where there is nothing to run.
	Rule   string `json:"rule"`
	On     string `json:"on"`     // what the verdict depends on, or a remark on it; the sides of the rule follow
	Change string `json:"change"` // what would change it; "" nothing that we know
}

// Told is what is said of one preset.
type Told struct {
	Key     string    `json:"key"`
	Name    string    `json:"name"`     // what people call it; "" what it shows
	LookFor string    `json:"look_for"` // what is to be seen in it; "" nothing beyond what it shows
	Prints  []Printed `json:"prints"`   // the paper's own numbers
}

// Printed is a table of numbers as the paper prints them. Names are those of our rows:
// a row of the table is a label, or, where Labels are given, the beginning of a column
// ("FCFS, mean wait"), which then stands at each of these labels.
type Printed struct {
	Labels  places       `json:"labels"`
	Columns []printedCol `json:"columns"`
	Rows    []struct {
		At      places    `json:"at"`
		Numbers []float64 `json:"numbers"`
	} `json:"rows"`
}

// places are names at which one number stands, or one name.
type places []string

func (p *places) UnmarshalJSON(data []byte) error {
	var name string
	if json.Unmarshal(data, &name) == nil {
		*p = places{name}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(p))
}

// printedCol is a column: a name without a unit may stand alone.
type printedCol struct {
	At   places
	Unit string
}

func (c *printedCol) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &c.At)
	}
	return strictly(data, (*struct {
		At   places `json:"at"`
		Unit string `json:"unit"`
	})(c))
}

// strictly decodes JSON, of which every key must be known.
func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Abouts are the studies in the order of the catalog.
var Abouts = func() []About {
	list := make([]About, 6)
	for i, study := range []string{"legrand2018", "foresight", "klusacek2016", "kurowski2011", "skrinarova2013", "techiouba2008"} {
		data, err := studyFiles.ReadFile("studies/" + study + ".json")
		if err == nil {
			err = strictly(data, &list[i])
		}
		if err != nil { // TestStudyFiles
			panic(fmt.Sprintf("paper: studies/%s.json: %v", study, err))
		}
		for k := range list[i].Claims {
			list[i].Claims[k].Study = study
		}
	}
	return list
}()

var toldOf = func() map[string]Told {
	all := map[string]Told{}
	for i := range Abouts {
		for _, t := range Abouts[i].Presets {
			all[t.Key] = t
		}
	}
	return all
}()

// rows are the numbers as rows without ours (NaN).
func (t *Printed) rows(visit func(Row)) {
	add := func(label, column string, number float64, unit string) {
		visit(Row{Label: label, Column: column, Ours: math.NaN(), Paper: &number, Unit: unit})
	}
	for _, label := range t.Labels {
		for k, c := range t.Columns {
			for _, r := range t.Rows {
				for _, at := range r.At {
					add(label, at+", "+c.At[0], r.Numbers[k], c.Unit)
				}
			}
		}
	}
	if t.Labels != nil {
		return
	}
	for again, more := 0, true; more; again++ {
		more = false
		for _, r := range t.Rows {
			if again >= len(r.At) {
				continue
			}
			more = true
			for k, c := range t.Columns {
				for _, column := range c.At {
					add(r.At[again], column, r.Numbers[k], c.Unit)
				}
			}
		}
	}
}

// printed is what the paper prints at a row of a preset, nil where it prints nothing.
func printed(key, label, column string) *float64 { return printedAt[[3]string{key, label, column}] }

var printedAt = func() map[[3]string]*float64 {
	all := map[[3]string]*float64{}
	for key, told := range toldOf {
		for i := range told.Prints {
			told.Prints[i].rows(func(r Row) { all[[3]string{key, r.Label, r.Column}] = r.Paper })
		}
	}
	return all
}()
