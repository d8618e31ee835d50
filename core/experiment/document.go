// Package experiment is the versioned experiment document: everything that a
// result depends on. Decode reads JSON within limits and names the path of
// every error; Canonical writes the form whose SHA-256 is the experiment's
// identity; EncodeLink and DecodeLink carry it in a URL; Digest fingerprints
// the schedules that it produced.
//
// It must stay free of the simulator: beside the catalog it imports only the
// standard library and gjson, since the share server uses it too.
package experiment

import "batchlab/core/catalog"

// Version is the version of documents that this build writes.
const Version = 1

// Experiment is one document, with every default filled in.
type Experiment struct {
	Title      string
	Seed       uint64 // 0 … 2^53−1, so that every JSON reader agrees
	Workload   Workload
	Platform   Platform
	Schedulers []Scheduler // at least one
	Predict    *Predict    // how run times are predicted for schedulers that name no predictor of their own; nil: by the default
	Measures   Measures
	Search     Params // of catalog.SearchParams; nil: nothing is searched for
	Vary       []Axis // empty: one experiment; else one for each point, see Points
	Expect     string // expected digest, "" none
	Trace      string // with Expect: where another result parts from the author's, see Trace; "" none
}

// Workload says where jobs come from and what is done to them, in this order:
// source, clean, filter, window, resample, scale, annotate.
type Workload struct {
	Source   Source
	Clean    Clean
	Filter   Filter
	Window   Window
	Resample Params // of catalog.ResampleParams: repetitions from 1 on are draws; nil: all are the log itself
	Scale    Scale
	Annotate Annotate
	React    Params // of catalog.ReactParams: users react; nil: submissions are replayed

	Dependencies string // "" (ignored) or "keep": jobs wait for others, for a time, for their array
	Withdrawn    string // "" (left out) or "keep": jobs that left the queue before they ran
	Extra        *Log   // of a file that stands beside the log: CSV with the column job and some of ExtraColumns
}

// Source is exactly one of a log, a bundled workload, a generator or a table of
// jobs written by hand.
type Source struct {
	Log       *Log
	Bundled   string // key in the catalog, "" none
	Generator *Generator
	Inline    *Inline
}

// Log names an uploaded log.
type Log struct {
	Name   string
	SHA256 string // of the uncompressed bytes, 64 lower-case hex digits
	Size   int64  // uncompressed bytes

	// Of workload.source alone, where the file is no log but something that a log is
	// made of; both came after version 1 began, and "" is not written.
	Format string // of catalog.LogFormats; "": recognised by its content
	Zone   string // of times that state none: an offset (+01:00) or an IANA name; "": UTC
	// Columns of a table, by what they hold, in the order of catalog.LogColumns; "": told
	// by their names.
	Columns [len(catalog.LogColumns)]string
}

// Generator is a seeded model with parameters; repetition r draws from the
// streams (seed, "workload/KEY…", r).
type Generator struct {
	Key    string
	Params Params
}

// Clean holds the cleaning rules (simulation rule 2).
type Clean struct {
	Overrun  string // "kill" (default), "extend", "drop": run time > requested time
	Oversize string // "drop" (default), "clamp": larger than the machine
	// NoRequest is "" (the run time stands for it) or "drop": no requested time.
	NoRequest string
}

// Filter keeps jobs by user and size. Zero values keep all.
type Filter struct {
	Users              []int64 // only these (SWF user ids); empty: all
	ExcludeUsers       []int64
	MinProcs, MaxProcs int64 // 0: no bound
	MinRun, MaxRun     int64 // seconds of run time; 0: no bound
}

// Window keeps the jobs submitted in [From, To), in seconds of the log's own
// time. Nil: no bound.
type Window struct {
	From, To *int64
	// History hands predictors the completions that the log itself shows before
	// From. With it there must be a From.
	History bool
}

// Predict names a predictor of run times.
type Predict struct {
	Key    string
	Params Params
	File   *Log // of the predictor file: CSV with the columns job and predicted
}

// Scale changes load and times. 1 leaves them alone.
type Scale struct {
	Load float64 // submit = first + ⌊(submit − first) ÷ load⌋
	Time float64 // run and requested time = max(1, ⌊time × value⌋)
	// Known is how much of what users ask for beyond the run time they know not to need,
	// from 0 (the default) to 1 (requests are run times): requested time = run time +
	// ⌊(1 − known) × (requested − run)⌋.
	Known float64
}

// Platform is the machine. Processors 0: as the source states (rule 3).
type Platform struct {
	Processors int64
	// Clusters and Licences describe machines one by one, or Generator makes
	// them; each excludes the other and Processors.
	Clusters    []Cluster
	Licences    []Licence // floating; a licence that only groups name is node-locked
	Generator   *Generator
	PowerScales bool // run and requested times are divided by the machine's speed

	// Reservations are requests beside the jobs; see Annotate.Reservations.
	Reservations []ReservationRequest
	Booking      Params // of catalog.Booking: how reservations are accepted and kept; nil: as by default. A grid has rules of its own
	Outages      []Outage
	Failures     *Generator // of catalog.Failures; nil: none
	Limits       Limits

	// What the platform is shared out by; jobs name them.
	Partitions []Partition
	QOS        []QOS
	Accounts   []Account
}

// Cluster is a set of machines.
type Cluster struct {
	Name    string
	Packing string // "processors" (default), "nodes", "machine"
	Groups  []NodeGroup
}

// NodeGroup is Count equal machines.
type NodeGroup struct {
	Count, Processors  int64 // at least 1
	Memory, Disk, GPUs int64 // of one machine, bytes; memory and disk 0: not limited
	Speed              float64
	Licences           []string // that may be activated on each
	Properties         []string // that jobs may ask for
}

// Licence is a floating licence.
type Licence struct {
	Name   string
	Copies int64 // at least 1
}

// Annotate gives jobs what logs do not state: rules first, then what is said of
// single jobs, inline or in a file. The zero value gives nothing.
type Annotate struct {
	Deadlines    DeadlineRule
	Reservations ReservationRule
	Weights      WeightRule
	Setup        SetupRule
	Eligible     []EligibleRule
	Needs        []NeedRule
	Licences     []LicenceRule
	Jobs         []Annotation
	File         *Log // CSV with the column job and some of those of Annotation and of a reservation; or JSON
}

// DeadlineRule gives a share of the jobs, drawn at random, the deadline
// submission + Factor × requested time + a margin.
type DeadlineRule struct {
	Share                float64 // of the jobs, 0–1; 0: no rule
	Factor               float64
	MarginMin, MarginMax int64 // seconds, drawn uniformly
	// OnDue says what happens at any deadline, whoever gave it: "count" (default),
	// lateness is measured; "kill", the job is stopped then, done or not.
	OnDue string
}

// WeightRule draws the weight of every job uniformly. 1 and 1 say nothing.
type WeightRule struct{ Min, Max float64 }

// SetupRule draws the set-up time of every job uniformly, in seconds: it is
// added to its run and requested time. 0 and 0 say nothing.
type SetupRule struct{ Min, Max int64 }

// EligibleRule lets a share of the jobs, drawn at random, run only on machines
// that have at least one of the names: of a cluster, a machine or a property.
type EligibleRule struct {
	On    []string
	Share float64
}

// NeedRule lets a share of the jobs, drawn at random, ask for so much of each
// machine that they run on. 0 asks for nothing; of several rules that hit a job
// each says what it names. A job that no machine could hold any more is left as
// it was.
type NeedRule struct {
	Share              float64
	GPUs, Memory, Disk int64 // memory and disk in bytes
}

// LicenceRule lets a share of the jobs, drawn at random, need a licence.
type LicenceRule struct {
	Licence string // name, or "*": each licence of the platform, drawn one by one
	Share   float64
	Copies  int64
}

// Annotation says what one job needs. Nil leaves what rules gave it.
type Annotation struct {
	Job      int64     // its number
	Due      *int64    // deadline in the log's own seconds
	Licences *[]string // "name" or "name:copies"
	Weight   *float64
	Setup    *int64    // seconds
	On       *[]string // names of clusters, machines or properties; empty: any machine

	GPUs, Memory, Disk *int64 // of each machine, as in NeedRule
}

// Scheduler is one line of the comparison.
type Scheduler struct {
	Key    string
	Label  string // "" means: derived from key and parameters
	Params Params
	Repeat int64 // runs with repetition 0 … Repeat−1; default 1
	// Predict is its own predictor; nil: that of the experiment.
	Predict *Predict
	// Providers are the schedulers of a grid's providers. One without a cluster is
	// that of all others; a provider that is not named has that of the parameter
	// local.
	Providers []Provider
}

// Provider is the scheduler of one of a grid's clusters.
type Provider struct {
	Cluster string // name; "": of all that are not named
	Key     string
	Params  Params
}

// Params are a row's parameters, in the catalog's order, defaults written out.
type Params []Param

// Param is one value: nil, bool, int64, float64, string or catalog.Numbers.
type Param struct {
	Key   string
	Value any
}

// Measures says how schedules are measured.
type Measures struct {
	Tau      int64  // τ of the bounded slowdown in seconds, default 10
	From, To *int64 // measuring window by submit time; nil: all
	Patience Params // of catalog.PatienceParams; nil: their defaults
}
