package lab

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"

	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/slurm"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// Env is what an experiment needs from outside.
type Env struct {
	// Log returns the parsed log that an experiment names.
	Log func(experiment.Log) (*swf.Log, error)
	// Cleaned, where it is not nil, may return what workload.ReadClean made of the log, or
	// nil: Log is asked then. It is asked for experiments that are Alone.
	Cleaned func(experiment.Log, workload.Options) (*workload.Cleaned, error)
	// File returns the bytes of a file of annotations that an experiment names.
	File func(experiment.Log) ([]byte, error)
	// Program returns a scheduler that is a program of its own (catalog.Programs);
	// nothing starts before its Reset, and it is closed after its run. nil: such
	// schedulers are refused.
	Program func(line *experiment.Scheduler, run ProgramRun) (sim.Scheduler, error)
	// Zone returns the offset of a named time zone from Greenwich, in seconds, by
	// Unix time, and nil for a zone that it does not know. May itself be nil.
	// Only previews ask for it.
	Zone func(name string) func(unix int64) int64
	// Instants, if there are any, are when the loops of the scheduler slurm run, in order;
	// after the last they go on by their own clocks.
	Instants []Instant
	// Asked says what jobs asked for in Slurm's words, by number, where instants are given.
	Asked map[int64]SlurmAsk
}

// SlurmAsk is what a job asked for in the words of sbatch.
type SlurmAsk = slurm.Ask

// Instant is when one of Slurm's loops ran, or something else happened that its log tells.
type Instant struct {
	At    model.Time
	Milli int32  // of the second
	What  string // of InstantKinds
	Job   int64  // its number; −1 of one whose number is not known, as of tasks; 0 none
}

// InstantKinds are what a log of Slurm's controller tells: its loops, when jobs came,
// started and ended and their nodes were free, and when priorities were worked out first.
var InstantKinds = [...]string{"main", "main full", "backfill", "submit", "start", "end", "epilog", "priorities"}

// ProgramRun is what a program is told of its run beside the platform and jobs.
type ProgramRun struct {
	Label      string
	Seed       uint64
	Repetition int
}

// Prepared is an experiment ready to run. It holds memory that its runs share,
// and serves one call at a time.
type Prepared struct {
	doc    *experiment.Experiment
	env    Env
	labels []string

	log   *swf.Log // of a log or bundled source, which all repetitions share
	cache []prepared

	sim        sim.CountedSimulator
	schedulers []sim.CountedScheduler // by index, built on first use
	meter      metric.Meter

	trusting  bool // what rows of the catalog say that schedulers do not know is tried all the same: for tests
	generally bool // counted forms stand back for the general ones: for tests

	siteSim sim.Simulator
	asked   *asking // the run that was asked about last
}

// prepared is the workload of one repetition.
type prepared struct {
	repetition int
	log        *swf.Log // nil: its records were not kept
	workload   *model.Workload
	platform   *model.Platform // nil: one cluster of interchangeable processors
	clean      report.Cleaning
	draws      *report.Draws // nil: not resampled
	mark       string
	reaction   *report.Reaction        // of users who react; nil: submissions are replayed
	users      sim.Source              // they, or what holds jobs back until they are eligible; nil: submissions are replayed
	withdraws  bool                    // some jobs leave the queue before they start
	suited     bool                    // the schedulers can run on it
	foretold   map[string][]model.Time // of files of predictions, by their hash
	history    []predict.Past          // from before the window, once it was asked for

	unrequested int // jobs without a requested time, where the log is not kept
}

// keep is the number of repetitions whose generated workloads stay in memory.
const keep = 4

// Prepare checks an experiment and returns it ready to run. The log, if it
// names one, is asked for when the first workload is made. One that varies is
// refused: each of its points is an experiment (Experiment.Points, Sweep).
func Prepare(doc *experiment.Experiment, env Env) (*Prepared, error) {
	if err := doc.Validate(); err != nil {
		return nil, err
	}
	if len(doc.Vary) > 0 {
		return nil, ErrVaries
	}
	p := prepare(doc.Clone(), env)
	if err := p.checkSchedulers(); err != nil {
		return nil, err
	}
	return p, nil
}

// prepare returns a valid experiment ready to run; its schedulers are not
// checked.
func prepare(doc *experiment.Experiment, env Env) *Prepared {
	return &Prepared{doc: doc, env: env, labels: doc.Labels(), schedulers: make([]sim.CountedScheduler, len(doc.Schedulers))}
}

// PrepareJobs returns an experiment of which only the jobs and the platform are
// wanted: schedulers and measures are not looked at. It runs nothing, and says of
// the workload what Prepare would.
func PrepareJobs(doc *experiment.Experiment, env Env) (*Prepared, error) {
	doc = doc.Jobs()
	if err := doc.ValidateJobs(); err != nil {
		return nil, err
	}
	p := &Prepared{doc: doc, env: env}
	if err := p.checkSchedulers(); err != nil {
		return nil, err
	}
	return p, nil
}

// Experiment returns the experiment as it will run, defaults filled in.
func (p *Prepared) Experiment() *experiment.Experiment { return p.doc }

// Label returns what scheduler i is called.
func (p *Prepared) Label(i int) string { return p.labels[i] }

// options translates the document's workload section for a repetition.
func (p *Prepared) options(r int) workload.Options {
	w := &p.doc.Workload
	return workload.Options{
		Resample:   p.resample(r),
		Processors: p.doc.Platform.Processors,
		Overrun:    w.Clean.Overrun, Oversize: w.Clean.Oversize, NoRequest: w.Clean.NoRequest,
		Users: w.Filter.Users, ExcludeUsers: w.Filter.ExcludeUsers,
		MinProcs: w.Filter.MinProcs, MaxProcs: w.Filter.MaxProcs,
		MinRun: w.Filter.MinRun, MaxRun: w.Filter.MaxRun,
		From: w.Window.From, To: w.Window.To,
		Load: w.Scale.Load, Time: w.Scale.Time, Known: w.Scale.Known,
		React: w.React != nil, Dependencies: w.Dependencies != "", Withdrawn: w.Withdrawn != "",
	}
}

// repetition returns the workload of a repetition. Only generators, rules and
// resampling make a different one for each: repetition r draws from the streams
// of (seed, r).
func (p *Prepared) repetition(r int) (*prepared, error) {
	source := &p.doc.Workload.Source
	if !p.doc.Varies() {
		r = 0
	}
	for i := range p.cache {
		if one := &p.cache[i]; one.repetition == r {
			return one, p.suits(one)
		}
	}
	platform, err := p.platform(r)
	if err != nil {
		return nil, err
	}
	options := p.options(r)
	if platform != nil {
		options.Processors = int64(workload.Widest(platform))
	}
	log, w, clean, unrequested, err := p.jobs(r, options)
	if err != nil {
		return nil, p.place(err)
	}
	waits := p.eligibility()
	w, together := waits.Join(w, log)
	clean.Counts = append(clean.Counts, together...)
	if platform != nil {
		var counts []report.Count
		if w, counts, err = workload.AskNodes(w, log, platform); err != nil {
			return nil, err
		}
		clean.Counts = append(clean.Counts, counts...)
		w.Processors = platform.Procs()
	}
	if platform, err = p.guard(w, platform, r); err != nil {
		return nil, err
	}
	one := prepared{repetition: r, log: log, workload: w, platform: platform, clean: clean, draws: draws(options.Resample), unrequested: unrequested}
	if one.workload, err = p.annotate(w, one.machines(), r); err != nil {
		return nil, err
	}
	var refused []report.Count
	if one.workload, refused, err = p.shared(one.workload, one.platform, log); err != nil {
		return nil, err
	}
	one.clean.Counts = append(one.clean.Counts, refused...)
	if one.workload, refused, err = p.reserve(one.workload, one.machines(), log, r); err != nil {
		return nil, err
	}
	one.clean.Counts = append(one.clean.Counts, refused...)
	if err := p.keep(&one, &waits); err != nil {
		return nil, err
	}
	if err := p.suits(&one); err != nil {
		return nil, err
	}
	w = one.workload
	switch {
	case source.Log != nil:
		w.Name = source.Log.Name
	case source.Generator != nil:
		w.Name = source.Generator.Key
	case source.Inline != nil:
		w.Name = "table"
	default:
		w.Name = source.Bundled
	}
	if err := p.foretells(&one); err != nil {
		return nil, err
	}
	if len(p.cache) == keep {
		p.cache = append(p.cache[:0], p.cache[1:]...)
	}
	one.mark = mark(w, platform)
	if err := p.react(&one); err != nil {
		return nil, err
	}
	if one.reaction != nil {
		one.mark += fmt.Sprintf(" users %d/%d %v", p.doc.Seed, r, p.doc.Workload.React)
	}
	p.cache = append(p.cache, one)
	return &p.cache[len(p.cache)-1], nil
}

// jobs returns the jobs of a repetition, cleaned and cut, and their log, unless that was
// cleaned as it was read: then it says how many jobs stated no requested time.
func (p *Prepared) jobs(r int, o workload.Options) (log *swf.Log, w *model.Workload, clean report.Cleaning, unrequested int, err error) {
	c, err := p.cleaned()
	if err != nil {
		return nil, nil, clean, 0, err
	}
	if c != nil {
		clean, unrequested = c.Cleaning, c.Unrequested()
		w, _, err = workload.Shape(c.Workload, o) // which leaves none out: there is no filter
		return nil, w, clean, unrequested, err
	}
	if log, err = p.source(r); err == nil {
		log, err = p.beside(log)
	}
	if err != nil {
		return nil, nil, clean, 0, err
	}
	w, clean, err = workload.FromLog(log, o)
	return log, w, clean, 0, err
}

// records returns the log of a repetition also where it was not kept.
func (p *Prepared) records(r *prepared) (*swf.Log, error) {
	if r.log == nil {
		return p.source(r.repetition)
	}
	return r.log, nil
}

// source reads or generates the log of a repetition.
func (p *Prepared) source(r int) (*swf.Log, error) {
	source := &p.doc.Workload.Source
	if g := source.Generator; g != nil {
		return workload.GenerateSeeded(g.Key, paramMap(g.Params), p.doc.Seed, r)
	}
	if p.log != nil {
		return p.log, nil
	}
	var err error
	if t := source.Inline; t != nil {
		p.log, err = workload.FromRows(t.Processors, t.Fields(), t.Rows)
	} else if source.Bundled != "" {
		var text []byte
		if text, err = workload.Bundled(source.Bundled); err == nil {
			p.log, err = swf.Parse(text)
		}
	} else if p.env.Log == nil {
		err = fmt.Errorf("lab: this experiment needs the log %q", source.Log.Name)
	} else {
		p.log, err = p.env.Log(*source.Log)
	}
	return p.log, err
}

// Workload returns the jobs of a repetition and the cleaning report.
func (p *Prepared) Workload(repetition int) (*model.Workload, report.Cleaning, error) {
	r, err := p.repetition(repetition)
	if err != nil {
		return nil, report.Cleaning{}, err
	}
	return r.workload, r.clean, nil
}

// Jobs returns the columns of a repetition's jobs.
func (p *Prepared) Jobs(repetition int) (*report.Jobs, error) {
	r, err := p.repetition(repetition)
	if err != nil {
		return nil, err
	}
	n := len(r.workload.Jobs)
	c := &report.Jobs{
		Number: make([]int64, n), Submit: make([]model.Time, n), Limit: make([]model.Time, n), Run: make([]model.Time, n),
		Procs: make([]int32, n), User: make([]int32, n), Queue: make([]int32, n),
	}
	for i := range r.workload.Jobs {
		j := &r.workload.Jobs[i]
		c.Number[i], c.Submit[i], c.Limit[i] = j.Number, j.Submit, j.Limit
		c.Run[i] = r.workload.Truth[i].Run
		c.Procs[i], c.User[i], c.Queue[i] = j.Procs, j.User, j.Queue
		if d := r.workload.Demand(model.JobID(i)); d != nil && d.Reservation != nil {
			if c.Marks == nil {
				c.Marks = make([]int32, n)
			}
			c.Marks[i] |= report.MarkReserved
		}
	}
	fillNeeds(c, r.workload, r.platform)
	return c, nil
}

func paramMap(list experiment.Params) map[string]any {
	params := make(map[string]any, len(list))
	for _, q := range list {
		params[q.Key] = q.Value
	}
	return params
}

// machines returns the repetition's platform.
func (r *prepared) machines() *model.Platform {
	if r.platform != nil {
		return r.platform
	}
	return model.OneCluster(r.workload.Processors)
}

// Site describes the machines and licences of a repetition.
func (p *Prepared) Site(repetition int) (*report.Site, error) {
	r, err := p.repetition(repetition)
	if err != nil {
		return nil, err
	}
	platform := r.machines()
	out := &report.Site{Calendar: entries(platform)}
	for _, n := range platform.Nodes() {
		m := report.Machine{Cluster: platform.Clusters[n.Cluster].Name, First: n.First, Procs: n.Procs, Power: n.Speed, Licences: n.Licences, Mem: n.Mem, Disk: n.Disk, GPUs: n.GPUs}
		if c := &platform.Clusters[n.Cluster]; c.Packing != model.PackProcessors {
			m.Packing, m.Properties = packings[c.Packing], c.Groups[n.Group].Properties
		}
		out.Machines = append(out.Machines, m)
	}
	for i := range platform.Partitions {
		part := report.SitePartition{Name: platform.Partitions[i].Name, Procs: int32(platform.Procs())}
		if on := platform.Partitions[i].Nodes; len(on) > 0 {
			last := &out.Machines[on[len(on)-1]]
			part.First = out.Machines[on[0]].First
			part.Procs = last.First + last.Procs - part.First
		}
		out.Partitions = append(out.Partitions, part)
	}
	out.Licences, err = siteLicences(platform)
	return out, err
}

// packings name how jobs are bound to a cluster's processors, as documents do.
var packings = [...]string{model.PackProcessors: "processors", model.PackNodes: "nodes", model.PackMachine: "machine"}

// fillNeeds sets what few jobs ask for or have: deadlines, licences and wants.
func fillNeeds(c *report.Jobs, w *model.Workload, p *model.Platform) {
	activates := func(d *model.Demand) []model.LicenceNeed {
		if len(d.Licences) == 0 {
			return nil
		}
		return p.Activates(d.Licences)
	}
	n, due, needs := len(w.Jobs), false, 0
	for i := range w.Demands {
		due, needs = due || w.Demands[i].Due > 0, needs+len(activates(&w.Demands[i]))
	}
	if due {
		c.Due = make([]model.Time, n)
	}
	if needs > 0 {
		c.NeedFrom, c.Needs = make([]int32, n+1), make([]model.LicenceNeed, 0, needs)
	}
	for j := range w.Jobs {
		if d := w.Demand(model.JobID(j)); d != nil {
			if due {
				c.Due[j] = d.Due
			}
			c.Needs = append(c.Needs, activates(d)...)
			want := report.Want{Nodes: d.Nodes, GPUs: d.GPUsPerNode, Mem: d.MemPerNode, Disk: d.DiskPerNode, Weight: d.Weight, Setup: d.Setup}
			if want != (report.Want{}) {
				want.Job = int32(j)
				c.Wants = append(c.Wants, want)
			}
			if r := d.Reservation; r != nil {
				c.Reserved = append(c.Reserved, report.Reservation{
					Job: model.JobID(j), Ready: r.Ready, Deadline: r.Deadline, Length: cmp.Or(r.Length, w.Jobs[j].Limit), Effort: r.Effort,
				})
			}
		}
		if needs > 0 {
			c.NeedFrom[j+1] = int32(len(c.Needs))
		}
	}
	for j := range w.Gates {
		g := &w.Gates[j]
		for _, d := range g.After {
			a := report.After{Job: int32(j), On: d.Job, What: int32(d.On), Delay: d.Delay}
			if g.Any {
				a.What |= report.AfterAny
			}
			c.After = append(c.After, a)
		}
		if g.Begin > w.Jobs[j].Submit {
			c.After = append(c.After, report.After{Job: int32(j), On: -1, What: report.AfterBegin, Delay: g.Begin})
		}
		if g.Array > 0 {
			c.After = append(c.After, report.After{Job: int32(j), On: -1, What: report.AfterArray, Limit: g.Limit})
		}
	}
}

// mark is a fingerprint of what a scheduler is given: two runs are comparable
// when theirs are equal.
func mark(w *model.Workload, platform *model.Platform) string {
	h := fnv.New64a()
	var b [48]byte
	binary.LittleEndian.PutUint64(b[:], uint64(w.Processors))
	h.Write(b[:8])
	for i := range w.Jobs {
		j := &w.Jobs[i]
		for k, v := range [...]int64{j.Number, int64(j.Submit), int64(j.Limit), int64(j.Procs), int64(j.User), int64(w.Truth[i].Run)} {
			binary.LittleEndian.PutUint64(b[8*k:], uint64(v))
		}
		h.Write(b[:])
	}
	if platform != nil || len(w.Demands) > 0 {
		fmt.Fprintf(h, "%v", platform) // values alone: %v follows the outermost pointer, and there is no other
		for i := range w.Demands {
			d := &w.Demands[i]
			fmt.Fprintln(h, d.Nodes, d.PerNode, d.MemPerNode, d.DiskPerNode, d.GPUsPerNode, d.Licences, d.Eligible, d.On, []model.JobID(nil), d.Due, d.OnDue)
			if len(d.Partitions) > 0 || d.QOS > 0 || d.Account > 0 {
				fmt.Fprintln(h, "shares", d.Partitions, d.QOS, d.Account)
			}
			if d.NoLimit {
				fmt.Fprintln(h, "no limit")
			}
			if d.Weight != 0 {
				fmt.Fprintln(h, "weight", d.Weight)
			}
			if r := d.Reservation; r != nil {
				fmt.Fprintln(h, r.Ready, r.Deadline, r.Length, r.Effort)
			}
		}
	}
	for i := range w.Gates {
		if g := &w.Gates[i]; len(g.After) > 0 || g.Begin > w.Jobs[i].Submit || g.Array > 0 || g.Withdrawn != 0 {
			fmt.Fprintln(h, i, *g)
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// ErrStudies means that this build leaves out what an experiment needs.
var ErrStudies = workload.ErrStudies

// ErrVaries means that an experiment that varies was taken for one to run.
var ErrVaries = errors.New("this experiment varies: each of its points is an experiment to run")

// ErrCancelled is returned by a run whose Progress asked to stop.
var ErrCancelled = errors.New("cancelled")
