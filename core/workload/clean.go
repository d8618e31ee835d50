package workload

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// reason is why a job was left out, changed, or merely counted.
type reason uint8

// Reasons, in the order of reports.
const (
	malformed reason = iota
	noProcessors
	neverRan
	withdrawn
	oversize
	overrun
	noRequest
	partialExecution
	dependencies
	duplicateNumber
	unsorted
	extraFields
	reasons // how many there are
)

// exampleLines is how many line numbers a count shows.
const exampleLines = 5

// tally counts one reason without allocating.
type tally struct {
	jobs  int
	lines [exampleLines]int32
}

func (t *tally) add(line int32) {
	if t.jobs < exampleLines {
		t.lines[t.jobs] = line
	}
	t.jobs++
}

func (t *tally) set(s swf.Tally) {
	t.jobs = s.Count
	for i := range min(len(s.Lines), exampleLines) {
		t.lines[i] = int32(s.Lines[i])
	}
}

// Clean applies simulation rule 2, and that alone, to the records of a log:
//
//   - processors are the requested ones (field 8) if > 0, else the allocated
//     ones (field 5); a job with neither is left out;
//   - a job with a run time ≤ 0 never ran and is left out, unless it left the queue at
//     a time that is known and such jobs are kept: what it asked for is then its run time;
//   - a job larger than the machine is left out, or clamped to it;
//   - the requested time is field 9 if > 0, else the run time, or the job is
//     left out;
//   - a job that ran longer than that is killed at it, or its request extended,
//     or it is left out.
//
// Each job left out counts under the first of these reasons that applies.
// Status never filters; partial executions, preceding jobs and think times are
// counted and ignored.
func Clean(l *swf.Log, o Options) (*model.Workload, report.Cleaning, error) {
	c := cleaner{o: o}
	c.begin(l, len(l.Records))
	c.add(l)
	return c.end(l)
}

// Cleaned are the jobs of a log of which no record is kept.
type Cleaned struct {
	Log      *swf.Log // without records
	Workload *model.Workload
	Cleaning report.Cleaning
}

// ReadClean is Read and Clean in one: a record is cleaned as it is read, and gone then. It
// takes the Standard Workload Format alone.
func ReadClean(w *swf.Window, o Options) (*Cleaned, error) {
	if mayBeOther(w.Head(headBytes)) {
		return nil, errOther
	}
	c := cleaner{o: o, pieces: true}
	l, err := swf.ReadEach(w, func(l *swf.Log, lines int) {
		if c.size == 0 && c.err == nil {
			c.begin(l, lines)
		}
		c.add(l)
	})
	if err != nil {
		return nil, err
	}
	if c.size == 0 && c.err == nil { // it has no line
		c.begin(l, 0)
	}
	out := &Cleaned{Log: l}
	out.Workload, out.Cleaning, err = c.end(l)
	return out, err
}

// Unrequested counts jobs whose log states no requested time (the function Unrequested).
func (c *Cleaned) Unrequested() int {
	for _, n := range c.Cleaning.Counts {
		if n.Reason == "no-request" && !n.Drops {
			return n.Jobs
		}
	}
	return 0
}

var errOther = errors.New("workload: only a log in Standard Workload Format is cleaned as it is read")

// cleaner applies rule 2 to the records of a log, all at once or piece by piece.
type cleaner struct {
	o               Options
	size            int // of the machine, from which field, and which one before it is unusable
	field, unusable string
	err             error // why nothing is cleaned
	tallies         [reasons]tally
	jobs            []model.Job
	truth           []model.Truth
	record          int     // how many have come
	pieces          bool    // records are gone when the next come
	lines           []int32 // with pieces: of jobs
	descending      bool    // job numbers are not ascending, in the order of the log
}

// begin makes room for so many lines; the log's header has been read.
func (c *cleaner) begin(l *swf.Log, lines int) {
	if c.err = c.o.check(); c.err == nil {
		c.size, c.field, c.unusable, c.err = machineSize(l, c.o.Processors)
	}
	if c.err != nil {
		return
	}
	c.jobs, c.truth = make([]model.Job, 0, lines), make([]model.Truth, 0, lines)
	if c.pieces {
		c.lines = make([]int32, 0, lines)
	}
}

// add cleans the records that the log holds.
func (c *cleaner) add(l *swf.Log) {
	if c.err != nil {
		return
	}
	for i := range l.Records {
		r := &l.Records[i]
		procs, run, limit := procs(r), r.RunTime, r.RequestedTime
		if procs <= 0 {
			c.tallies[noProcessors].add(r.Line)
			continue
		}
		if run <= 0 {
			if !c.o.Withdrawn || limit <= 0 || l.Withdrawn(i) <= r.SubmitTime {
				c.tallies[neverRan].add(r.Line)
				continue
			}
			c.tallies[withdrawn].add(r.Line)
			run = limit
		}
		if int(procs) > c.size {
			c.tallies[oversize].add(r.Line)
			if c.o.Oversize == OversizeDrop {
				continue
			}
			procs = int32(c.size)
		}
		if limit <= 0 {
			c.tallies[noRequest].add(r.Line)
			if c.o.NoRequest == NoRequestDrop {
				continue
			}
			limit = run
		} else if run > limit {
			c.tallies[overrun].add(r.Line)
			switch c.o.Overrun {
			case OverrunDrop:
				continue
			case OverrunExtend:
				limit = run
			} // a job to be killed keeps its run time: the simulator stops it
		}
		if r.Status >= 2 && r.Status <= 4 {
			c.tallies[partialExecution].add(r.Line)
		}
		if r.PrecedingJobNumber > 0 || r.ThinkTime > 0 {
			c.tallies[dependencies].add(r.Line)
		}
		if n := len(c.jobs); n > 0 && r.JobNumber <= c.jobs[n-1].Number {
			c.descending = true
		}
		c.jobs = append(c.jobs, model.Job{
			Number: r.JobNumber, Submit: model.Time(r.SubmitTime), Limit: model.Time(limit), Procs: procs,
			User: r.UserID, Group: r.GroupID, Queue: r.QueueNumber, Executable: r.ExecutableNumber, Record: int32(c.record + i),
		})
		c.truth = append(c.truth, model.Truth{Run: model.Time(run), LoggedWait: model.Time(r.WaitTime)})
		if c.pieces {
			c.lines = append(c.lines, r.Line)
		}
	}
	c.record += len(l.Records)
}

// end puts the jobs in order and says what became of the records.
func (c *cleaner) end(l *swf.Log) (*model.Workload, report.Cleaning, error) {
	clean := report.Cleaning{Lines: l.Lines(), Malformed: l.Malformed, Problems: l.Problems}
	if c.err != nil {
		return nil, clean, c.err
	}
	c.tallies[malformed].jobs = l.Malformed
	for i := range min(len(l.Problems), exampleLines) {
		c.tallies[malformed].lines[i] = int32(l.Problems[i].Line)
	}
	c.tallies[unsorted].set(l.Unsorted)
	c.tallies[extraFields].set(l.ExtraFields)
	w := &model.Workload{
		Jobs: c.jobs, Truth: c.truth,
		UnixStart: l.Header.UnixStartTime, TimeZone: l.Header.TimeZoneString, Processors: c.size,
	}
	if c.descending {
		countDuplicates(w.Jobs, &c.tallies[duplicateNumber], func(i int32) int32 {
			if c.pieces {
				return c.lines[i]
			}
			return l.Records[w.Jobs[i].Record].Line
		})
	}
	c.lines = nil
	order(w)
	n := len(w.Jobs)
	clean.Kept = n
	clean.Counts = append([]report.Count{}, counts(c.tallies[:], func(i int) (key, text string, drops bool) { return describe(reason(i), &c.o) })...)
	if n == 0 {
		if c.o.Oversize == OversizeDrop && c.tallies[oversize].jobs > 0 {
			clean.Counts = append(clean.Counts, sizeCount(c.tallies[oversize].jobs, l, c.size, c.field, c.unusable))
		}
		return nil, clean, noJobs(l)
	}
	if c.unusable != "" {
		clean.Counts = append(clean.Counts, sizeCount(n, l, c.size, c.field, c.unusable))
	}
	return w, clean, nil
}

// sizeCount says which size the machine has for so many jobs, and from where:
// what was given, or a field of the header, and which one before it is unusable.
func sizeCount(jobs int, l *swf.Log, size int, field, unusable string) report.Count {
	text := "The machine has " + count(size, "processor") + ", as given"
	if field != "" {
		text = fmt.Sprintf("The machine has %s, as line %d of the log states (%s: %s)", count(size, "processor"), l.Header.Line(field), field, shortened(l.Header.Get(field)))
	}
	if unusable != "" {
		text += "; " + unusable
	}
	return report.Count{Reason: "machine-size", Text: text, Jobs: jobs, Lines: []int{}}
}

// noJobs words why a log has no job to simulate.
func noJobs(l *swf.Log) error {
	switch {
	case l.Lines() == 0:
		return fmt.Errorf("workload: the log holds no job lines: %w", ErrNoJobs)
	case len(l.Problems) > 0 && l.Malformed == l.Lines():
		return fmt.Errorf("workload: none of the %d job lines can be read, first %s: %w", l.Malformed, l.Problems[0], ErrNoJobs)
	}
	return fmt.Errorf("workload: of %d job lines cleaning keeps none: %w", l.Lines(), ErrNoJobs)
}

// countDuplicates counts jobs, still in the order of the log, whose number an
// earlier one has as well. They stay, but cannot be told apart by number.
func countDuplicates(jobs []model.Job, t *tally, line func(i int32) int32) {
	index := make([]int32, len(jobs))
	for i := range index {
		index[i] = int32(i)
	}
	slices.SortFunc(index, func(a, b int32) int {
		if c := cmp.Compare(jobs[a].Number, jobs[b].Number); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	var again []int32
	for i := 1; i < len(index); i++ {
		if jobs[index[i]].Number == jobs[index[i-1]].Number {
			again = append(again, index[i])
		}
	}
	slices.Sort(again)
	for _, i := range again {
		t.add(line(i))
	}
}

// order sorts the jobs by (Submit, Number, place in the log), which most logs
// are already; copies of one job, as draws have them, keep their order.
func order(w *model.Workload) {
	compare := func(a, b *model.Job) int {
		if a.Submit != b.Submit {
			return cmp.Compare(a.Submit, b.Submit)
		}
		if a.Number != b.Number {
			return cmp.Compare(a.Number, b.Number)
		}
		return cmp.Compare(a.Record, b.Record)
	}
	jobs := w.Jobs
	sorted := true
	for i := 1; i < len(jobs) && sorted; i++ {
		sorted = jobs[i-1].Submit < jobs[i].Submit || compare(&jobs[i-1], &jobs[i]) <= 0
	}
	if sorted {
		return
	}
	index := make([]int32, len(jobs))
	for i := range index {
		index[i] = int32(i)
	}
	slices.SortFunc(index, func(a, b int32) int { return cmp.Or(compare(&jobs[a], &jobs[b]), cmp.Compare(a, b)) })
	w.Jobs = make([]model.Job, len(jobs))
	truth := make([]model.Truth, len(jobs))
	for i, k := range index {
		w.Jobs[i], truth[i] = jobs[k], w.Truth[k]
	}
	w.Truth = truth
}

// counts words the tallies that are not zero.
func counts(tallies []tally, describe func(i int) (key, text string, drops bool)) []report.Count {
	var result []report.Count
	for i := range tallies {
		t := &tallies[i]
		if t.jobs == 0 {
			continue
		}
		c := report.Count{Jobs: t.jobs, Lines: make([]int, 0, exampleLines)}
		c.Reason, c.Text, c.Drops = describe(i)
		for _, line := range t.lines[:min(t.jobs, exampleLines)] {
			if line > 0 {
				c.Lines = append(c.Lines, int(line))
			}
		}
		result = append(result, c)
	}
	return result
}

// describe returns a reason's key, its text for people, and whether its jobs
// are left out.
func describe(r reason, o *Options) (key, text string, drops bool) {
	switch r {
	case malformed:
		return "malformed", "Could not be read: left out", true
	case noProcessors:
		return "no-processors", "Neither requested nor allocated processors known: left out", true
	case neverRan:
		return "never-ran", "Never ran (run time 0 or unknown): left out", true
	case withdrawn:
		return "withdrawn", "Never ran, and left the queue at a time that is known: kept, and leaves it then (one that starts before runs as long as it asked for)", false
	case oversize:
		if o.Oversize == OversizeClamp {
			return "oversize", "Larger than the machine: cut to its size", false
		}
		return "oversize", "Larger than the machine: left out", true
	case overrun:
		switch o.Overrun {
		case OverrunExtend:
			return "overrun", "Ran longer than requested: request extended to the run time", false
		case OverrunDrop:
			return "overrun", "Ran longer than requested: left out", true
		}
		return "overrun", "Ran longer than requested: stopped at the requested time", false
	case noRequest:
		if o.NoRequest == NoRequestDrop {
			return "no-request", "No requested time: left out", true
		}
		return "no-request", "No requested time: the run time stands for it", false
	case partialExecution:
		return "partial-execution", "Part of a job that ran in pieces (status 2 to 4): kept as a job of its own", false
	case dependencies:
		if o.Dependencies {
			return report.Dependent, "Follows an earlier job (fields 17, 18): not eligible before that job has ended and the think time has passed", false
		}
		if o.React {
			return report.Dependent, "Follows an earlier job (fields 17, 18): submitted after that job's end, where the log's own times bear it out", false
		}
		return report.Dependent, "Follows an earlier job (fields 17, 18), which schedulers do not know: it may start before that job has ended, unless dependencies are kept (workload.dependencies) or users react (workload.react)", false
	case duplicateNumber:
		return "duplicate-number", "Has the number of an earlier job: kept", false
	case unsorted:
		return "unsorted", "Stood out of submit order: put into order", false
	default:
		return "extra-fields", "More than 18 fields: the rest ignored", false
	}
}
