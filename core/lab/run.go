package lab

import (
	"cmp"
	"errors"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// RunID names one run: a scheduler over a repetition of the workload.
type RunID = experiment.RunID

// Options are what a caller wants of a run beside its measures.
type Options struct {
	// Progress is told how far the run is, as a share of its time on the clock Now (see
	// sim.Options); it returns false to cancel.
	Progress func(done, total int) bool
	Why      bool                     // record decisions (Report.Columns.Record)
	Follow   *int64                   // with Why: number of a job whose history is kept (Result.History)
	Moves    func(list []report.Move) // told what each call of an optimiser keeps; the list is valid until the next call
	Profile  bool                     // count what each line of a user's program does (Report.Program)
	Columns  bool                     // fill Report.Columns: starts, ends, series, processor numbers
	// Block, where it is not nil, is told how many bytes the run's part of the digest has,
	// and returns who takes it piece by piece, instead of Result.Block.
	Block func(size int) (write func(part []byte))
	Now   func() float64 // a clock in seconds for Report.Simulate and Progress; nil: not measured, and work counts
}

// Result is what one run gives. Schedule is valid until the next run.
type Result struct {
	Schedule *model.Schedule
	Report   *report.Run
	Block    []byte         // this run's part of the digest
	History  []report.Phase // of the job that Options.Follow names
	Basis    *report.Basis  // of its prediction; nil where nothing is learnt
}

// Report is what an experiment gives.
type Report struct {
	Runs       []*report.Run       `json:"runs"`       // scheduler-major, then repetition
	Comparison []report.Comparison `json:"comparison"` // metric-major, then scheduler
	Digest     string              `json:"digest"`
}

// Runs lists the runs of the experiment, scheduler-major: the order of the
// digest.
func (p *Prepared) Runs() []RunID { return p.doc.Runs() }

// Run runs one scheduler over one repetition. A cancelled run gives
// ErrCancelled and nothing else.
func (p *Prepared) Run(id RunID, o Options) (*Result, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, err
	}
	line := &p.doc.Schedulers[id.Scheduler]
	out := &report.Run{
		Scheduler: id.Scheduler, Repetition: id.Repetition, Key: line.Key, Label: p.labels[id.Scheduler],
		Jobs: len(r.workload.Jobs), Processors: r.workload.Processors, Workload: r.mark, Draws: r.draws, Copy: p.doc.First(id.Scheduler, id.Repetition) != id.Repetition,
	}
	if p.doc.Phases(id.Scheduler) {
		out.Draws = &report.Draws{By: report.ByPhases}
	}
	if out.Unrequested = r.unrequested; r.log != nil {
		out.Unrequested = workload.Unrequested(r.workload, r.log)
	}
	var record *sim.Record
	if o.Why {
		record = &sim.Record{Follow: o.Follow}
	}
	began := now(o.Now)
	options := sim.Options{Progress: o.Progress, Now: o.Now, Record: record, Source: r.users}
	if options.Book, err = p.book(r, id.Scheduler); err != nil {
		return nil, err
	}
	if options.Book != nil {
		options.Book.Keep, options.Book.Follow = o.Columns && o.Why, o.Follow
	}
	var schedule *model.Schedule
	switch p.form(r, id.Scheduler) {
	case logged:
		schedule, err = asLogged(r, options)
	case counted:
		schedule, err = p.simulate(r, id.Scheduler, options, out)
	default:
		schedule, err = p.site(r, id, options, &o, out)
	}
	if err != nil {
		return nil, err
	}
	out.Simulate = now(o.Now) - began
	out.Missing = p.missing(r, id.Scheduler)
	if schedule.Logged {
		out.Beside = compareLogged(p.doc, schedule)
	}
	p.measure(out, schedule, o.Columns)
	if book := options.Book; book != nil && book.Keep {
		out.Columns.Foretold, out.Columns.Retold = book.First, book.Last
	}
	if record != nil {
		out.Columns.Why = record.Why
	}
	if !o.Columns {
		out.Columns.Cycles = nil
	}
	if schedule.Workload.Origin != nil && o.Columns {
		original(&out.Columns, schedule.Workload)
	}
	result := &Result{Schedule: schedule, Report: out}
	if rows, n := digestRows(schedule), len(schedule.Executions); o.Block != nil {
		experiment.WriteRun(o.Block(experiment.RunSize(line.Key, n)), line.Key, id.Repetition, n, rows)
	} else {
		result.Block = experiment.AppendRun(nil, line.Key, id.Repetition, n, rows)
	}
	if record != nil {
		result.History = record.History
	}
	if options.Book != nil {
		result.Basis = options.Book.Followed
	}
	return result, nil
}

func now(clock func() float64) float64 {
	if clock == nil {
		return 0
	}
	return clock()
}

// choosing is a scheduler that chooses its queue order by rollouts.
type choosing interface {
	Trace(on bool)
	Choices() []policy.Choice
}

// trace has a scheduler keep what its rollouts choose, if it makes any and the book is
// kept.
func trace(s any, o *sim.Options) {
	if c, ok := s.(choosing); ok {
		c.Trace(o.Book.Keep)
	}
}

// traced puts what trace has had kept into a report.
func traced(s any, out *report.Run) {
	if c, ok := s.(interface{ Cycles() []model.Time }); ok {
		out.Columns.Cycles = c.Cycles()
	}
	if c, ok := s.(choosing); ok {
		for _, c := range c.Choices() {
			out.Columns.Choices = append(out.Columns.Choices, report.Choice{At: c.At, Costs: c.Costs, Order: int32(c.Order), Queue: int32(c.Queue)})
		}
	}
}

// simulate runs the counted form of scheduler i.
func (p *Prepared) simulate(r *prepared, i int, o sim.Options, out *report.Run) (*model.Schedule, error) {
	if p.schedulers[i] == nil {
		s, err := buildCounted(&p.doc.Schedulers[i])
		if err != nil {
			return nil, err
		}
		p.schedulers[i] = s
	}
	trace(p.schedulers[i], &o)
	schedule, err := p.sim.Run(r.workload, r.machines(), p.schedulers[i], o)
	if errors.Is(err, sim.ErrCancelled) {
		err = ErrCancelled
	}
	if err == nil {
		traced(p.schedulers[i], out)
	}
	return schedule, err
}

// firstSeries is the width in points to which a report's series is reduced.
const firstSeries = 1200

// counted says whether the document's platform is but a number of processors: then
// nothing is said of clusters, whichever form of a scheduler has run.
func (p *Prepared) counted() bool {
	return len(p.doc.Platform.Clusters) == 0 && p.doc.Platform.Generator == nil
}

// measure fills a report from a schedule.
func (p *Prepared) measure(out *report.Run, s *model.Schedule, columns bool) {
	m := &p.doc.Measures
	o := metric.Options{Tau: model.Time(m.Tau), From: (*model.Time)(m.From), To: (*model.Time)(m.To), Patience: Patience(m.Patience), Counted: p.counted()}
	out.Metrics, out.Waits, out.Classes, out.Users = p.meter.Measure(s, o)
	if p.doc.Workload.React == nil {
		out.Waves = p.meter.Waves(s.Workload)
	}
	out.Licences = metric.Licences(s, columns)
	out.Providers = p.meter.Providers(s, o)
	out.Logged, out.Placed = s.Logged, len(s.Claims) > 0 && !p.counted()
	if !columns {
		out.Series = p.meter.Series(s, firstSeries)
		return
	}
	c := &out.Columns
	c.Full = p.meter.Series(s, 0)
	out.Series = metric.Reduce(c.Full, firstSeries)
	c.Start, c.End, c.Ended = make([]model.Time, out.Jobs), make([]model.Time, out.Jobs), make([]model.EndReason, out.Jobs)
	for i := range s.Executions {
		e := &s.Executions[i]
		c.Start[e.Job], c.End[e.Job], c.Ended[e.Job] = e.Start, e.End, e.Reason
	}
	c.Spans, c.Before, c.Away, c.Held = places(s)
	c.Complaints = slices.Clone(p.meter.Complaints())
}

// digestRows gives the rows of a schedule's part of the digest in order of numbers, in
// which most logs stand already.
func digestRows(s *model.Schedule) func(i int) experiment.DigestRow {
	jobs := s.Workload.Jobs
	row := func(i int) experiment.DigestRow {
		e := &s.Executions[i]
		return experiment.DigestRow{
			Number: jobs[e.Job].Number, Attempt: int64(e.Attempt),
			Submit: int64(e.Submit), Start: int64(e.Start), End: int64(e.End), Cluster: int64(e.Cluster),
		}
	}
	number := func(i int32) int64 { return jobs[s.Executions[i].Job].Number }
	sorted := true
	for i := range s.Executions {
		sorted = sorted && (i == 0 || number(int32(i-1)) <= number(int32(i)))
	}
	if sorted {
		return row
	}
	byNumber := make([]int32, len(s.Executions))
	for i := range byNumber {
		byNumber[i] = int32(i)
	}
	slices.SortFunc(byNumber, func(a, b int32) int { return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b)) })
	return func(i int) experiment.DigestRow { return row(int(byNumber[i])) }
}

// copied returns the result as that of another repetition, which would come to
// the same; again says that it is not the first one. It shares its memory.
func (r *Result) copied(repetition int, again bool) *Result {
	c, report := *r, *r.Report
	report.Repetition, report.Copy = repetition, again
	c.Report, c.Block = &report, experiment.CopyRun(r.Block, repetition)
	return &c
}

// Run runs a whole experiment. A run that would be another one once more (see
// experiment.First) is not run, but given again as a copy. Progress counts over all runs.
func Run(doc *experiment.Experiment, env Env, o Options, each func(RunID, *Prepared, *Result) error) (*Report, error) {
	p, err := Prepare(doc, env)
	if err != nil {
		return nil, err
	}
	ids := p.Runs()
	rep := &Report{}
	var blocks [][]byte
	var result *Result
	for i, id := range ids {
		one := o
		if o.Progress != nil {
			one.Progress = func(done, total int) bool { return o.Progress(i*total+done, len(ids)*total) }
		}
		if first := p.doc.First(id.Scheduler, id.Repetition); first != id.Repetition {
			result = result.copied(id.Repetition, true) // of the same scheduler: it has just run
		} else if result, err = p.Run(id, one); err != nil {
			return nil, err
		}
		rep.Runs = append(rep.Runs, result.Report)
		blocks = append(blocks, result.Block)
		if each != nil {
			if err := each(id, p, result); err != nil {
				return nil, err
			}
		}
	}
	rep.Digest = experiment.Digest(blocks...)
	rep.Comparison = metric.SideBySide(rep.Runs, 0)
	return rep, nil
}
