package intake

import (
	"fmt"
	"maps"
	"slices"
)

// Report says what a file was understood to hold. It holds counts and lines, never
// a name.
type Report struct {
	Format string `json:"format"`
	Name   string `json:"name"`
	Rows   int    `json:"rows"` // jobs, and what was left out of them
	Jobs   int    `json:"jobs"` // in the log

	Became       []Fate         `json:"became"`          // what became of the rows; sums to Rows
	Tries        int            `json:"tries"`           // jobs that ran again under the same number
	Arrays       int            `json:"arrays"`          // how many arrays
	HetGroups    int            `json:"het_groups"`      // groups of jobs that start together
	Depending    int            `json:"depending"`       // jobs that wait for others
	Dependencies map[string]int `json:"dependencies"`    // conditions by kind
	Withdrawn    int            `json:"withdrawn"`       // left the queue without having run
	PeakProcs    int64          `json:"peak_processors"` // most in use at once
	PeakNodes    int64          `json:"peak_nodes"`
	GPUs         int            `json:"gpu_jobs"` // jobs that had or asked for GPUs

	Missing []Missing `json:"missing"` // columns that are not there, and what that costs
	Assumed []Assumed `json:"assumed"`
	Checks  []Check   `json:"checks"` // what looks wrong
	Pauses  []Pause   `json:"pauses"`
}

// Fate is what became of so many rows.
type Fate struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

// Missing is something that the file does not say.
type Missing struct {
	What  string `json:"what"`
	Costs string `json:"costs"`
}

// Assumed is a guess, and how to say otherwise.
type Assumed struct {
	What  string `json:"what"`
	Taken string `json:"taken"`
	Else  string `json:"else"` // how to choose differently
}

// Check is something that looks wrong, with the first lines where it stands.
type Check struct {
	What  string `json:"what"`
	Count int    `json:"count"`
	Lines []int  `json:"lines"`
}

// Pause is a time in which nothing ran although jobs waited: perhaps an outage.
// Seconds as the log's submit times.
type Pause struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// seen counts what stands in the rows, for the report.
type seen struct {
	states                               [7]int
	split                                int // waiting tasks that were split off
	noSubmit                             int
	negativeWait, negativeRun, noStart   tally
	unlimited, partitionLimit            tally
	unknownDependency, missingDependency tally
	steps, realigned, sharedGPU          tally
	unknownState                         tally
}

// tally counts rows and keeps the first lines.
type tally struct {
	count int
	lines []int
}

func (t *tally) add(line int) {
	t.count++
	if len(t.lines) < 5 {
		t.lines = append(t.lines, line)
	}
}

// missing notes once what the files do not say.
func (b *builder) missing(what, costs string) {
	if m := (Missing{what, costs}); !slices.Contains(b.report.Missing, m) {
		b.report.Missing = append(b.report.Missing, m)
	}
}

// assume notes once what was guessed.
func (b *builder) assume(what, taken, otherwise string) {
	if a := (Assumed{what, taken, otherwise}); !slices.Contains(b.report.Assumed, a) {
		b.report.Assumed = append(b.report.Assumed, a)
	}
}

// summarise counts, checks and says what was assumed. zero is the first submission.
func (b *builder) summarise(zero int64) {
	r, l := &b.report, b.log
	r.Jobs = len(l.Records)
	for s, n := range b.saw.states {
		if n > 0 {
			r.Became = append(r.Became, Fate{stateNames[s], n})
		}
	}
	waits, zeroWaits, limits := 0, 0, 0
	for i := range l.Records {
		x := &b.extra[i]
		if x.Withdrawn > 0 {
			r.Withdrawn++
		}
		if x.GPUs > 0 || x.Share > 0 {
			r.GPUs++
		}
		if w := l.Records[i].WaitTime; w >= 0 {
			if waits++; w == 0 {
				zeroWaits++
			}
		}
		if l.Records[i].RequestedTime > 0 {
			limits++
		}
	}
	if b.twice > 0 {
		r.Became = append(r.Became, Fate{"the same job again: left out", b.twice})
	}
	if b.saw.steps.count > 0 {
		r.Became = append(r.Became, Fate{"steps of jobs: left out (-X leaves them out at once)", b.saw.steps.count})
		r.Rows += b.saw.steps.count
	}
	if l.Malformed > 0 {
		r.Became = append(r.Became, Fate{"could not be read: left out", l.Malformed})
	}
	r.Arrays, r.HetGroups = len(b.arrays.names), len(b.hets.names)
	if len(r.Dependencies) == 0 {
		r.Dependencies = nil
	}
	b.peaks()
	b.assumptions()
	if limits == 0 && !slices.ContainsFunc(r.Missing, func(m Missing) bool { return m.What == "requested time" }) {
		b.missing("requested time", "schedulers that backfill get the run times themselves for requests: better informed than any real one")
	}
	for _, c := range []struct {
		t    *tally
		what string
	}{
		{&b.saw.negativeWait, "starts before its submission (a clock that was put back, or two zones): taken to start at once"},
		{&b.saw.negativeRun, "ends before its start: taken to have run for no time"},
		{&b.saw.noStart, "is said to have ended but has no start: does not run"},
		{&b.saw.unlimited, "has no limit: no requested time"},
		{&b.saw.partitionLimit, "has its partition's limit, which is not in this file: no requested time"},
		{&b.saw.unknownDependency, "waits for others in a way that is not known: that condition is left out"},
		{&b.saw.missingDependency, "waits for a job that is not in this file: that condition is left out"},
		{&b.saw.realigned, "has a separator in free text; its columns were put in place again"},
		{&b.saw.sharedGPU, "asks for a share of a GPU: counts as one whole GPU"},
		{&b.saw.unknownState, "has a state that is not known: taken as ended if it has an end"},
	} {
		if c.t.count > 0 {
			r.Checks = append(r.Checks, Check{c.what, c.t.count, c.t.lines})
		}
	}
	if waits > 1 && zeroWaits == waits {
		r.Checks = append(r.Checks, Check{What: "every job starts in the second of its submission: these may be times of the start, not of the submission", Count: waits})
	}
	if b.zones.wall > 0 && (b.zones.offset > 0 || b.zones.unix > 0) {
		r.Checks = append(r.Checks, Check{What: "some times state a zone and some do not", Count: b.zones.wall})
	}
}

func (b *builder) assumptions() {
	r := &b.report
	if b.zones.wall > 0 && b.o.Offset == nil {
		b.assume("The file's times state no zone", "taken as UTC", "--zone +01:00 or --zone Europe/Prague")
	}
	if b.saw.noSubmit > 0 {
		b.assume(fmt.Sprintf("%d jobs state no submission", b.saw.noSubmit), "taken as submitted when they became eligible or started", "")
	}
	if r.PeakProcs > 0 {
		b.assume("The file does not say how large the machine is", fmt.Sprintf("taken as %d processors, the most that were in use at once", r.PeakProcs), "--processors N")
	}
}

// edge is a change of what is in use.
type edge struct {
	at    int64
	procs int64
	nodes int64
	queue int32
}

// pauseLeast is how long, in seconds, nothing must run for a pause to be offered.
const pauseLeast = 3600

// peaks finds the most that was in use at once, and the times at which nothing ran
// although jobs waited. What ends at an instant is gone before what starts then.
func (b *builder) peaks() {
	edges := make([]edge, 0, 4*len(b.log.Records))
	for i := range b.log.Records {
		r := &b.log.Records[i]
		nodes := int64(b.extra[i].Nodes)
		procs := int64(r.AllocatedProcessors)
		if procs <= 0 {
			procs = int64(r.RequestedProcessors)
		}
		if r.WaitTime < 0 || r.RunTime < 0 || procs <= 0 {
			continue
		}
		start := r.SubmitTime + int64(r.WaitTime)
		ready := r.SubmitTime
		if b.extra[i].Begin > ready {
			ready = min(b.extra[i].Begin, start)
		}
		edges = append(edges, edge{start, procs, nodes, -1}, edge{ready, 0, 0, 1})
		if r.RunTime > 0 {
			edges = append(edges, edge{start + int64(r.RunTime), -procs, -nodes, 0})
		} else {
			edges = append(edges, edge{start, -procs, -nodes, 0})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if a.at != b.at {
			if a.at < b.at {
				return -1
			}
			return 1
		}
		return int(min(max(a.procs-b.procs, -1), 1))
	})
	var procs, nodes int64
	queue, idle := int32(0), int64(-1)
	for i, e := range edges {
		procs, nodes, queue = procs+e.procs, nodes+e.nodes, queue+e.queue
		if i+1 < len(edges) && edges[i+1].at == e.at {
			b.report.PeakProcs, b.report.PeakNodes = max(b.report.PeakProcs, procs), max(b.report.PeakNodes, nodes)
			continue
		}
		b.report.PeakProcs, b.report.PeakNodes = max(b.report.PeakProcs, procs), max(b.report.PeakNodes, nodes)
		empty := procs == 0 && queue > 0
		if empty && idle < 0 {
			idle = e.at
		}
		if !empty && idle >= 0 {
			if e.at-idle >= pauseLeast {
				b.report.Pauses = append(b.report.Pauses, Pause{idle, e.at})
			}
			idle = -1
		}
	}
}

// Sentences words the report, the most important first.
func (r *Report) Sentences() []string {
	lines := []string{fmt.Sprintf("%s: %d jobs out of %d rows", r.Name, r.Jobs, r.Rows)}
	for _, f := range r.Became {
		lines = append(lines, fmt.Sprintf("%d %s", f.Count, f.What))
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Dependencies)) {
		lines = append(lines, fmt.Sprintf("%d dependencies %s", r.Dependencies[kind], kind))
	}
	for _, a := range r.Assumed {
		text := a.What + ": " + a.Taken
		if a.Else != "" {
			text += "; otherwise " + a.Else
		}
		lines = append(lines, text)
	}
	for _, m := range r.Missing {
		lines = append(lines, "no "+m.What+": "+m.Costs)
	}
	for _, c := range r.Checks {
		lines = append(lines, fmt.Sprintf("%d: %s", c.Count, c.What))
	}
	if n := len(r.Pauses); n > 0 {
		lines = append(lines, fmt.Sprintf("%d times nothing ran for an hour or more although jobs waited: perhaps outages", n))
	}
	return lines
}
