package engine

import (
	"errors"
	"slices"
	"strings"

	"batchlab/core/experiment"
)

// Library is what there is of the studies before anything has run. It is a file
// beside the page, static/papers.json, made from the claims of core/paper.
type Library struct {
	Studies []Study `json:"studies"`
	Papers  []Paper `json:"papers"`
}

// Study is a paper with what it claims.
type Study struct {
	Key      string   `json:"key"`
	Name     string   `json:"name"`
	By       string   `json:"by"`
	Question string   `json:"question"`
	Cite     string   `json:"cite"`  // the full reference
	Reads    []string `json:"reads"` // how its text was read
	Claims   []Claim  `json:"claims"`
}

// Claim is a sentence of a paper and what came of it.
type Claim struct {
	Where   string   `json:"where"` // section, table or figure
	Says    string   `json:"says"`
	Ran     string   `json:"ran"`
	Result  string   `json:"result"`
	Kind    string   `json:"kind"`  // one of Verdicts
	On      string   `json:"on"`    // what a verdict that depends depends on
	Brief   string   `json:"brief"` // how many of its cases say what: "3 yes, 1 no"
	Sides   []Side   `json:"sides"` // these cases; none: it has one
	Change  string   `json:"change"`
	Main    bool     `json:"main"`    // it is what the paper is about
	Presets []string `json:"presets"` // keys of the tables and figures that it is about
}

// Side is a case of a claim, such as a log, and what it says.
type Side struct {
	Name    string `json:"name"`
	Says    string `json:"says"` // "yes", "no", or in words why neither
	Numbers string `json:"numbers"`
}

// Verdicts are the kinds of verdicts, as claims have them.
var Verdicts = []string{"confirmed", "not confirmed", "depends on", "cannot be told", "is outside our scope"}

// Paper is a preset of a study: one of its tables or figures.
type Paper struct {
	Key     string `json:"key"`
	Study   string `json:"study"`
	Name    string `json:"name"`  // what people call it
	Place   string `json:"place"` // "table 6", "" no one place
	Shows   string `json:"shows"`
	LookFor string `json:"look_for"`
	Log     string `json:"log"`     // beginning of the name of the log it wants, "" none
	SHA256  string `json:"sha256"`  // of that log's text, "" not known
	AnyLog  bool   `json:"any_log"` // it runs on other logs as well
	Needs   bool   `json:"needs"`   // without its log it does not run
	Whole   bool   `json:"whole"`   // its document is all of it (StudyDocument.Whole)

	Published []StudyRow  `json:"published"` // what the paper prints, without ours
	Quoted    StudyResult `json:"quoted"`    // rows of a run in full that claims quote; without any there is none
	Full      StudyResult `json:"-"`         // what that run gave altogether, once it was asked for
}

// StudyRow is one number of a table or figure, ours beside the paper's.
type StudyRow struct {
	Label  string   `json:"label"`
	Column string   `json:"column"`
	Ours   *float64 `json:"ours"`           // nil where the measure does not exist
	Half   *float64 `json:"half,omitempty"` // of the 95 % interval of ours
	From   *float64 `json:"from,omitempty"` // and To: that interval where it is not even about ours
	To     *float64 `json:"to,omitempty"`
	Paper  *float64 `json:"paper"` // nil where the paper prints none
	Unit   string   `json:"unit"`
}

// StudyExperiment is an experiment of a preset, to open on the page.
type StudyExperiment struct {
	Label    string `json:"label"`
	Document string `json:"document"`
}

// StudyResult is what came of a preset.
type StudyResult struct {
	Key         string            `json:"key"`
	Log         string            `json:"log"`
	StandIn     bool              `json:"stand_in"` // the wanted log was not given
	Quick       bool              `json:"quick"`
	Partial     bool              `json:"partial"` // it was stopped
	Digest      string            `json:"digest"`
	Rows        []StudyRow        `json:"rows"`
	Notes       []string          `json:"notes"`
	Experiments []StudyExperiment `json:"experiments"`
}

// StudyDocument is the experiment behind a preset.
type StudyDocument struct {
	Document string `json:"document"`
	// Whole says that it is all of the preset, so that it gives its digest; else the
	// preset computes for itself, and this is an experiment with its jobs.
	Whole bool `json:"whole"`
}

// StudyNews is news of a preset under way.
type StudyNews struct {
	Phase, Done, Total int     // pieces of a set of pieces
	Progress           float64 // 0–1, of that set
	Left               float64 // seconds, estimated; 0 unknown
	Over               bool
	Result             *StudyResult // with Over; nil when it failed or nothing had been found
	Err                error
}

// StudyEngine is an engine that knows the studies.
type StudyEngine interface {
	// Papers brings what there is of the studies before anything has run.
	Papers(done func(*Library, error))
	// Document asks for the experiment behind a preset, without running it.
	Document(key string, quick bool, log *experiment.Log, file any, done func(StudyDocument, error))
	// Study runs a preset with all workers, on the log when one is named. Its
	// file may be nil when the engine has it. stop keeps what was found.
	Study(key string, quick bool, log *experiment.Log, file any, news func(StudyNews)) (stop func())
}

// FullResults is a StudyEngine that has what runs in full gave, by the keys of presets. It is
// a file beside the page, static/results.json, made from docs/results.json.
type FullResults interface {
	Results(done func(map[string]StudyResult, error))
}

// Given is what is known of a preset before it has run here: all rows of a run in full,
// else those that claims quote.
func (p *Paper) Given() *StudyResult {
	if len(p.Full.Rows) > 0 {
		return &p.Full
	}
	return &p.Quoted
}

// ErrNoStudies means that the engine knows no studies.
var ErrNoStudies = errors.New("studies cannot run here")

// Wants says whether a log is, by its name, one of those that the paper used.
func (p *Paper) Wants(name string) bool {
	for _, want := range p.Logs() {
		if strings.HasPrefix(name, want) {
			return true
		}
	}
	return false
}

// Logs are the names of the logs that the paper used.
func (p *Paper) Logs() []string {
	if p.Log == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(p.Log, " and ", ", "), ", ")
}

// Merged sets what a preset gave beside what its paper prints, whatever it ran
// on: rows of the result, and behind them printed ones that it has none for.
// Before it has run ours are those of Given.
func (p *Paper) Merged(r *StudyResult) []StudyRow {
	same := func(a, b *StudyRow) bool { return a.Label == b.Label && a.Column == b.Column }
	join := func(rows, others []StudyRow, take func(row, other *StudyRow)) []StudyRow {
		rows = slices.Clone(rows)
	next:
		for i := range others {
			for k := range rows {
				if same(&rows[k], &others[i]) {
					take(&rows[k], &others[i])
					continue next
				}
			}
			rows = append(rows, others[i])
		}
		return rows
	}
	if r != nil {
		return join(r.Rows, p.Published, func(row, printed *StudyRow) { row.Paper = printed.Paper })
	}
	return join(p.Published, p.Given().Rows, func(row, quoted *StudyRow) {
		row.Ours, row.Half, row.From, row.To = quoted.Ours, quoted.Half, quoted.From, quoted.To
	})
}
