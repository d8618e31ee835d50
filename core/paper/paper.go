// Package paper holds the studies that Batchlab brings to life: one preset for
// each of their tables and figures, with the paper's own numbers to set beside
// ours. A study is one file that adds its rows to Presets.
package paper

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// Preset reproduces one table or figure.
type Preset struct {
	Key   string // STUDY-tableN or STUDY-figureN, stable for ever
	Study string // the study's key, for example "legrand2018"
	Cite  string // the paper
	Shows string // "table 3: …"
	Log   string // name of the log it wants, "" none
	Any   bool   // it takes any log, with Log ""; without one it runs on its stand-in
	// LookFor says what is to be seen in it, one or two sentences; "" nothing
	// beyond what Shows says.
	LookFor string

	// Experiment returns the experiment to run; quick asks for a smaller
	// version. log is nil when the wanted log was not given: then the preset
	// runs on its bundled stand-in, or Experiment fails and says what it needs.
	Experiment func(log *experiment.Log, quick bool) (*experiment.Experiment, error)
	// Rows sets our numbers beside the paper's.
	Rows func(runs []*report.Run, comparison []report.Comparison) []Row

	// Compute, where one experiment is not enough, does all instead of
	// Experiment and Rows, which are nil then. It takes any log, the wanted one
	// or not, and says in Output.Notes what is not as in the paper. When it fails
	// with ErrCancelled, the output holds the rows until then, and may be nil.
	Compute func(in Input) (*Output, error)

	// Example, beside Compute, returns an experiment with the jobs that it computes
	// on, or some of them, to open and change; see Document.
	Example func(in Input) (*experiment.Experiment, error)

	// Sweep, where there is one, is several experiments in the place of
	// Experiment and Rows, which are nil then.
	Sweep *Sweep
}

// Row is one number of a table or figure.
type Row struct {
	Label  string   `json:"label"`
	Column string   `json:"column"`
	Ours   float64  `json:"ours"`
	Half   *float64 `json:"half,omitempty"` // of the 95 % interval of ours, where there are repetitions
	From   *float64 `json:"from,omitempty"` // and To: the 95 % interval of ours where weeks are drawn, which is not even about it
	To     *float64 `json:"to,omitempty"`
	Paper  *float64 `json:"paper"` // null where the paper prints none
	Unit   string   `json:"unit"`
}

// Presets are all presets, study by study.
var Presets = repeated(slices.Concat(techiouba2008, farmMore, []Preset{farmStarts}, skrinarova2013, kurowski2011, gridMore, klusacek2016, klusacek2016users, planYear, legrand2018, otherLogs, foresightPresets))

// Find returns the preset with that key, or nil.
func Find(key string) *Preset {
	for i := range Presets {
		if Presets[i].Key == key {
			return &Presets[i]
		}
	}
	return nil
}

// Choose returns the given log that the preset wants, by the beginning of its
// name or by its hash; nil when none is given. Another log, or any for a preset that wants
// none, is an error.
func (p *Preset) Choose(logs []Log) (*experiment.Log, error) {
	for i := range logs {
		if p.Log != "" && (strings.HasPrefix(logs[i].Ref.Name, p.Log) || logs[i].Ref.SHA256 == p.LogHash()) {
			return &logs[i].Ref, nil
		}
	}
	switch {
	case len(logs) == 0:
		return nil, nil
	case p.Any:
		return &logs[0].Ref, nil
	case p.Log == "":
		return nil, fmt.Errorf("%s needs no log, but %s is given", p.Key, logs[0].Ref.Name)
	}
	return nil, fmt.Errorf("%s wants the log %s; %s is another one (its name would begin with that)", p.Key, p.Log, logs[0].Ref.Name)
}
