// Package catalog is pure data: every scheduler, order, metric, generator,
// bundled workload and preset that Batchlab knows, with key, name, citation
// and parameters. Menus in the page, help of the command line, validation of
// documents, the reference pages in docs/ and the conformance tests all read
// these tables. Keys are stable for ever, since links hold them.
//
// Binding a row to code is lab's work; catalog imports nothing of the project.
package catalog

import "strings"

// Type is the type of a parameter's value in an experiment document.
type Type uint8

// Parameter types.
const (
	Int    Type = iota // whole number
	Number             // any finite number
	Bool
	Enum    // one of Options
	Seconds // whole number of seconds; inputs on the page also take "12h", "2d 3h"
	List    // 3 or 6 numbers, one for each feature of a job: a Numbers
	Text    // any text; a formula
	Code    // a program in Starlark, over several lines
	Words   // a name, of up to 60 characters
	Line    // one line of any text
	Ints    // a list of whole numbers
	Names   // a list of texts
	Moment  // a Seconds in the log's own time; tables also take "Tue 09:00" and dates
	Bytes   // a whole number of bytes, which the page shows in GB of 1,000,000,000
	Hash    // a SHA-256
)

// Numbers is the value of a parameter of type List. Unlike a slice it can be
// compared, and nobody else can change it.
type Numbers struct {
	n int8
	x [6]float64
}

// NewNumbers returns the list of up to 6 numbers; more are not kept.
func NewNumbers(x []float64) (v Numbers) {
	v.n = int8(copy(v.x[:], x))
	return v
}

// Slice returns the numbers.
func (v Numbers) Slice() []float64 { return append([]float64(nil), v.x[:v.n]...) }

// Len returns how many there are.
func (v Numbers) Len() int { return int(v.n) }

// Param describes one parameter of a scheduler, metric or generator, or one field of
// the experiment document.
type Param struct {
	Key, Name string
	Help      string // one plain sentence
	Type      Type
	Unit      string  // "s", "jobs", "processors", ""
	Min, Max  float64 // inclusive, for Int, Number and Seconds; both 0: not bounded
	Options   []Option
	Optional  bool // null is allowed and is the default: not set
	Default   any  // int64, float64, bool or string (by Type); nil when Optional

	// Slide is the upper end of the slider that a Number has on the page, from
	// Min on; larger values are typed. 0: no slider.
	Slide float64

	// Try are values that are proposed where it varies and is not set; those out of its
	// bounds are left out. nil: they follow from its bounds.
	Try []int64

	// When and Is say when the parameter matters: only while the parameter
	// When (an Enum before it) has the value Is. "" means always. It is an error
	// to leave it unset then, unless Needed is nil: else Needed is what a form
	// begins with.
	When, Is string
	Needed   any
	// AtLeast names the parameter of the same row that the value may not be
	// below, while the parameter matters; "" none.
	AtLeast string
	// Later marks a parameter that version 1 of the document did not have:
	// at its default it stays out of the canonical form, so that the
	// identities of older documents hold.
	Later bool
	// General marks a parameter of a scheduler with a form for counted processors
	// which that form does not know: at another value than its default the
	// scheduler runs in its general form.
	General bool
	// Word is read as null, of a parameter that is Optional: "random". "" none.
	Word string

	// Of fields of the document:
	Required bool   // it has to be there
	Most     int    // characters of a text, entries of a list
	Noun     string // what messages call an Enum's values: "rule"
	Empty    string // what an input shows where the field is at a default that says nothing: "any"
	Flag     bool   // batchlab simulate has a flag for it
}

// First is the value that the parameter has where nothing is said of it: its default, of
// an Enum without one its first option, else nothing.
func (p *Param) First() any {
	switch {
	case p.Default != nil || p.Optional:
		return p.Default
	case p.Type == Enum && len(p.Options) > 0:
		return p.Options[0].Key
	}
	switch p.Type {
	case Int, Seconds, Moment, Bytes:
		return int64(0)
	case Number:
		return 0.0
	case Bool:
		return false
	case Ints, Names, List:
		return nil
	}
	return ""
}

// Option is one value of an Enum parameter.
type Option struct {
	Key, Name, Help string
}

// Scheduler is one row of the table of schedulers.
type Scheduler struct {
	Key, Name, Help, Cite string
	Short                 string // for labels and legends: "EASY"
	Params                []Param

	// Draws says when it draws random numbers, each by itself enough. nil: never,
	// so that the same jobs get the same schedule at every repetition.
	Draws []Draw

	// What the scheduler knows and does. Nothing else in the program says so.
	Gaps      []Gap // what it does not know of Features
	Apart     bool  // it is left out of the page's first program all the same
	Counted   bool  // there is a form for one machine that only counts processors, which the page's first program holds
	Logged    bool  // the log's own schedule: it decides nothing
	Plans     bool  // keeps a plan with a start for every waiting job
	Foretells bool  // always uses predictions of run times
	Ranks     bool  // has priorities that can be taken apart
	Tiers     bool  // uses tiers and priorities of partitions and QOS and shares of accounts, and chooses among a job's partitions
}

// Draw is a parameter's value with which a scheduler draws random numbers, or with
// Within a text that stands within it; with Param "" it always does.
type Draw struct {
	Param, Value string
	Within       bool
	Unset        bool // it draws where the parameter is not set
	// Phases says that what is drawn is when loops tick, which nobody chooses: over the
	// same jobs repetitions give a band (report.ByPhases), not a sample.
	Phases bool
}

// Order is one row of the table of queue orders. A score is computed from what
// the user asked for and the time already waited; see the glossary.
type Order struct {
	Key, Name string // Name is the abbreviation of the literature: "SPF"
	Title     string // written out: "Smallest estimated processing time first"
	Score     string // plain text: which score stands first
	Help      string
	Cite      string
}

// Metric is one row of the table of measures.
type Metric struct {
	Key, Name, Unit string
	Family          string // key of Families
	Help            string // one plain sentence
	Formula         string // plain text with the glossary's names
	Source          string // where the definition comes from
	Better          int8   // −1: smaller is better, +1: larger, 0: neither
	Headline        bool   // shown as a card on the overview
	Needs           string // what a schedule must have: "machines", "deadlines", "licences", "reservations", "grid"; "" nothing
	Same            string // key of the measure whose number this is once more, since keys are for ever: views show that one; "" none
}

// Points says whether differences of the measure are told in points: it is itself
// a share or in per cent.
func (m *Metric) Points() bool { return m.Unit == "%" || m.Key == "utilization" }

// Least is the least value that the measure can have where it is not negative: a
// slowdown is at least 1.
func (m *Metric) Least() float64 {
	if strings.HasSuffix(m.Family, "slowdown") && !strings.HasPrefix(m.Key, "std-") {
		return 1
	}
	return 0
}

// Own is the measure whose number this is: itself, unless it is a second name.
func (m *Metric) Own() *Metric {
	if m.Same != "" {
		return FindMetric(m.Same)
	}
	return m
}

// Family groups measures that are derived from one quantity.
type Family struct {
	Key, Name, Help string
}

// Generator is one row of the table of workload generators.
type Generator struct {
	Key, Name, Help, Cite string
	Params                []Param
	Fixed                 bool // draws nothing: the same in every repetition
}

// Bundled is one row of the table of bundled workloads.
type Bundled struct {
	Key, Name, Help string
}

// Preset is one row of the table of presets: an experiment to load.
type Preset struct {
	Key, Name, Help, Cite string
	LookFor               string // what to look for in the result
	Document              string // the experiment as JSON
	AnyLog                bool   // runs on the log that is open; its own workload is for when none is
}
