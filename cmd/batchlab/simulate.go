package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/intake"
	"batchlab/core/lab"
	"batchlab/core/recorded"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// simulateFlags are the flags of simulate, and what they say.
type simulateFlags struct {
	log, algorithm, jobs, swf, against, smallest, predict, predictions, extra, instants *string
	conf, qos, accounts                                                                 *[]string
	profile, skip                                                                       *bool
	params                                                                              schedulerFlags
	fields                                                                              fieldFlags
	cluster                                                                             []string               // files that describe the cluster
	code                                                                                string                 // file of a user's program, "" none
	experiment                                                                          *experiment.Experiment // all but the log
}

// simulate runs one scheduler on one log.
func simulate(c *call) action {
	c.intro = "Runs one scheduler on one workload log."
	s := &simulateFlags{}
	s.log = c.text("log", "FILE", "", "Workload log; - is standard input.")
	s.algorithm = c.text("algorithm", "KEY", "", "Scheduler. ("+strings.Join(catalog.EverySchedulerKey(), ", ")+")")
	s.params = c.schedulerParams()
	s.fields = c.documentFields()
	s.jobs = c.text("jobs", "OUT.csv", "", "Write the executions, with the columns of Batsim's jobs file and more.")
	s.swf = c.text("swf", "OUT.swf", "", "Write the schedule as a workload log.")
	s.against = c.text("against", "KEY", "", "Say where the schedule parts from that of another scheduler, with its defaults, and which promises hold. ("+strings.Join(catalog.SchedulerKeys(), ", ")+")")
	s.smallest = c.text("case", "OUT.json", "", "With --against: write the smallest experiment found on which the two part, as a table of jobs.")
	s.predict = c.text("predict", "KEY", "", "Predictor, with its defaults, of a scheduler that uses predictions. ("+strings.Join(catalog.PredictorKeys(), ", ")+"; default "+catalog.DefaultPredictor+")")
	s.predictions = c.text("predictions", "FILE.csv", "", "CSV of predicted run times: columns job (its number) and predicted (seconds); other jobs are predicted as requested. Implies --predict file.")
	s.extra = c.text("extra", "FILE.csv", "", "CSV of what the log has no field for: the column job (its number) and some of after, begin, withdrawn, array, array_limit and het.")
	s.instants = c.text("instants", "FILE.csv", "", "When Slurm's loops run: slurmctld's log (debug2, DebugFlags=Backfill, iso8601_ms), or a CSV with the columns t (seconds in the log's time, with fractions) and what (main or backfill; with full in a column which: over the whole queue). Where it has submit, start, end and epilog as well, with the job's number in which, its time is shifted to the log's, and what happens within a second follows by the fractions; jobs that ran longer than requested keep their run time. After the last they go on by their own clocks. (for slurm)")
	s.conf = c.files("conf", "FILE", "The cluster's slurm.conf, or what sinfo -N -l prints, instead of --processors: its nodes, partitions and, for slurm, settings (repeatable).")
	s.qos = c.files("qos", "FILE", "What sacctmgr -p show qos prints.")
	s.accounts = c.files("accounts", "FILE", "What sacctmgr -p show assoc prints.")
	s.profile = c.toggle("profile", "Count what each line of the program does, and keep its notes. (for custom)")
	s.skip = c.toggle("skip-malformed", "Go on although more than 1 % of the log's lines are damaged.")
	return func(rest []string) (any, error) {
		if err := s.check(c, rest); err != nil {
			return nil, err
		}
		command := s.experiment.Schedulers[0].Params.Text("command")
		if command == attachedCommand && *s.log == "-" {
			return nil, errors.New("simulate: --command -: standard input cannot hold the log as well")
		}
		own := &programs{allow: true} // the command line names the program
		return own.attached(c, command, func(c *call) (any, error) { return s.run(c, own) })
	}
}

// check makes the experiment, or says what is wrong with the flags.
func (s *simulateFlags) check(c *call, rest []string) error {
	processors, sized := s.fields["platform.processors"].(int64)
	switch {
	case len(rest) > 0:
		return fmt.Errorf("simulate: what is %q? A log is given with --log, all else with flags too", rest[0])
	case *s.log == "":
		return errors.New("simulate: which log? --log FILE")
	case *s.algorithm == "":
		return errors.New("simulate: which scheduler? --algorithm " + strings.Join(catalog.EverySchedulerKey(), "|"))
	case *s.profile && *s.algorithm != "custom":
		return errors.New("simulate: --profile: only a program has lines to count: it goes with --algorithm custom")
	case *s.instants != "" && *s.algorithm != "slurm":
		return errors.New("simulate: --instants: they are those of slurm's loops: it goes with --algorithm slurm")
	case sized && len(*s.conf) > 0:
		return errors.New("simulate: --processors and --conf both say how large the machine is")
	case len(*s.qos)+len(*s.accounts) > 0 && len(*s.conf) == 0:
		return errors.New("simulate: --qos and --accounts go with --conf")
	case sized && processors < 1:
		return fmt.Errorf("simulate: --processors %d: 1 or more are expected", processors)
	}
	scheduler, err := experiment.NewScheduler(*s.algorithm)
	if err != nil {
		return fmt.Errorf("simulate: --algorithm: %s", message(err))
	}
	if err := s.params.set(c.flags, &scheduler); err != nil {
		return err
	}
	if c.given["code"] && scheduler.Key == "custom" {
		s.code = *s.params["code"]
		if err := checkProgram(s.code, scheduler.Params.Text("code")); err != nil {
			return err
		}
	}
	e := experiment.New()
	if *s.instants != "" {
		e.Workload.Clean.Overrun = "extend" // jobs end when Slurm ended them
	}
	s.fields.set(e)
	if *s.extra != "" {
		e.Workload.Extra = &experiment.Log{Name: filepath.Base(*s.extra), SHA256: strings.Repeat("0", 64), Size: 1} // until it is read
	}
	e.Schedulers = []experiment.Scheduler{scheduler}
	if *s.smallest != "" && *s.against == "" {
		return errors.New("simulate: --case wants --against KEY")
	}
	if *s.against != "" {
		other, err := experiment.NewScheduler(*s.against)
		if err != nil {
			return fmt.Errorf("simulate: --against: %s", message(err))
		}
		e.Schedulers = append(e.Schedulers, other)
	}
	if *s.predictions != "" && *s.predict == "" {
		*s.predict = "file"
	}
	if *s.predict != "" {
		if e.Predict, err = experiment.NewPredict(*s.predict); err != nil {
			return fmt.Errorf("simulate: --predict: %s", message(err))
		}
		if file := catalog.FindPredictor(*s.predict).File; file != (*s.predictions != "") {
			return errors.New("simulate: --predictions FILE.csv and --predict file go together")
		} else if file {
			e.Predict.File = &experiment.Log{Name: filepath.Base(*s.predictions), SHA256: strings.Repeat("0", 64), Size: 1} // until it is read
		}
		if !e.Foreseen(0) {
			return fmt.Errorf("simulate: --predict %s: %s", *s.predict, byRequests(catalog.FindScheduler(scheduler.Key)))
		}
	}
	e.Workload.Source.Log = &experiment.Log{Name: "-", SHA256: strings.Repeat("0", 64), Size: 1} // until it is read
	if err := e.Validate(); err != nil {
		return flagError(err)
	}
	s.experiment, s.cluster = e, slices.Concat(*s.conf, *s.qos, *s.accounts)
	return checkOutputs(*s.log, append(slices.Clone(s.cluster), *s.predictions, *s.extra, *s.instants), s.code, []written{{"jobs", *s.jobs}, {"swf", *s.swf}, {"case", *s.smallest}})
}

// byRequests says of a scheduler that its decisions go by requested times as it is
// set, and which of its flags change that.
func byRequests(s *catalog.Scheduler) string {
	var flags []string
	for _, key := range []string{"orders-by", "backfill-by", "plan-by"} {
		if catalog.FindParam(s.Params, key) != nil {
			flags = append(flags, "--"+key)
		}
	}
	if flags == nil {
		return s.Key + " uses requested times"
	}
	return s.Key + " uses requested times unless " + strings.Join(flags, " or ") + " says otherwise"
}

// flagError puts the names of flags in place of the document's paths.
func flagError(err error) error {
	var all experiment.Errors
	if !errors.As(err, &all) {
		return fmt.Errorf("simulate: %w", err)
	}
	var lines []error
	for _, e := range all {
		i := strings.LastIndexByte(e.Path, '.')
		if strings.HasPrefix(e.Path[i+1:], "schedulers[") { // the scheduler as a whole
			lines = append(lines, fmt.Errorf("simulate: --algorithm: %s", e.Message))
			continue
		}
		lines = append(lines, fmt.Errorf("simulate: --%s: %s", strings.ReplaceAll(e.Path[i+1:], "_", "-"), e.Message))
	}
	return errors.Join(lines...)
}

// written is a file that a flag names, "" none.
type written struct{ flag, path string }

// checkOutputs refuses to write over a file that is read, or one output over
// the other.
func checkOutputs(log string, beside []string, code string, outputs []written) error {
	for i, o := range outputs {
		switch {
		case o.path == "-":
			return fmt.Errorf("simulate: --%s -: a file name is expected; standard output holds the result", o.flag)
		case sameFile(o.path, log):
			return fmt.Errorf("simulate: --%s %s: that is the log itself", o.flag, o.path)
		case slices.ContainsFunc(beside, func(path string) bool { return sameFile(o.path, path) }):
			return fmt.Errorf("simulate: --%s %s: that is a file that is read", o.flag, o.path)
		case sameFile(o.path, code):
			return fmt.Errorf("simulate: --%s %s: that is the program itself", o.flag, o.path)
		}
		for _, other := range outputs[i+1:] {
			a, _ := filepath.Abs(o.path)
			b, _ := filepath.Abs(other.path)
			if o.path != "" && other.path != "" && (a == b || sameFile(o.path, other.path)) {
				return fmt.Errorf("simulate: --%s and --%s name one file, %s", o.flag, other.flag, o.path)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one file that exists.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}

// describe gives an experiment the platform that files say, and the scheduler slurm the
// settings. Partitions, QOS and accounts are numbered as accounting that was read names
// them, and by their order in the files for a log in the standard format.
func describe(e *experiment.Experiment, file *logFile, conf []string, asked map[int64]lab.SlurmAsk, stderr io.Writer) error {
	var names *intake.Names
	if file.text != nil {
		r, err := intake.Read(intake.Options{}, file.text)
		if err != nil {
			return err
		}
		names = &r.Names
	}
	machine, err := readMachine(conf, names)
	if err != nil {
		return err
	}
	if machine.Platform == nil {
		return errors.New("simulate: --conf: the files name no node")
	}
	text, err := json.Marshal(map[string]any{"batchlab": 1, "workload": map[string]any{"source": map[string]any{"bundled": "demo"}}, "platform": machine.Platform, "schedulers": []any{map[string]any{"key": "fcfs"}}})
	if err != nil {
		return err
	}
	doc, err := experiment.Decode(text)
	if err != nil {
		return fmt.Errorf("simulate: --conf: %w", err)
	}
	e.Platform = doc.Platform
	memory(asked, machine.Scheduling)
	for i := range e.Schedulers {
		if e.Schedulers[i].Key != "slurm" {
			continue
		}
		for k := range e.Platform.Clusters { // which it plans whole
			e.Platform.Clusters[k].Packing = "nodes"
		}
		given := e.Schedulers[i].Params
		var own experiment.Scheduler
		if own, err = experiment.NewScheduler("slurm"); err != nil {
			return err
		}
		if left := lab.SetSlurm(&own, machine.Scheduling); len(left) > 0 {
			fmt.Fprintf(stderr, "slurm.conf: not followed: %s\n", strings.Join(left, ", "))
		}
		for _, p := range given { // what a flag says counts
			if row := catalog.FindParam(catalog.FindScheduler("slurm").Params, p.Key); p.Value != row.Default {
				if err := own.SetParam(p.Key, p.Value); err != nil {
					return err
				}
			}
		}
		e.Schedulers[i].Params = own.Params
	}
	for _, line := range machine.Sentences() {
		fmt.Fprintln(stderr, line)
	}
	return nil
}

// run is simulate when the flags have been read.
func (s *simulateFlags) run(c *call, own *programs) (any, error) {
	e := s.experiment
	var file *logFile
	var jobs *workload.Cleaned
	if o, alone := lab.Alone(e); alone && *s.swf == "" && *s.instants == "" && len(s.cluster) == 0 {
		file, jobs = readJobs(*s.log, o)
	}
	if file == nil {
		var err error
		if file, err = readLog(*s.log); err != nil {
			return nil, err
		}
	}
	if err := file.checkMalformed(*s.skip, c.stderr); err != nil {
		return nil, err
	}
	e.Workload.Source.Log = &file.ref
	env := lab.Env{Program: own.scheduler}
	if jobs != nil {
		env.Cleaned = func(experiment.Log, workload.Options) (*workload.Cleaned, error) { return jobs, nil }
	}
	beside := map[string][]byte{} // by hash
	for _, f := range []struct {
		path string
		to   **experiment.Log
	}{{*s.predictions, fileOf(e)}, {*s.extra, &e.Workload.Extra}} {
		if f.path == "" {
			continue
		}
		name, data, err := readFile(f.path, 64<<20)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		*f.to = &experiment.Log{Name: filepath.Base(name), SHA256: hex.EncodeToString(sum[:]), Size: int64(len(data))}
		beside[(*f.to).SHA256] = data
	}
	env.File = func(want experiment.Log) ([]byte, error) { return beside[want.SHA256], nil }
	env.Log = func(experiment.Log) (*swf.Log, error) { return file.log, nil }
	if *s.instants != "" {
		name, data, err := readFile(*s.instants, 64<<20)
		if err == nil {
			text := string(data)
			if strings.HasPrefix(text, "[") {
				text = recorded.InstantsCSV(text)
			}
			if env.Instants, err = lab.ReadInstants(text); err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if *s.instants != "" && file.text != nil {
		env.Asked = askedOf(file)
	}
	if len(s.cluster) > 0 {
		if err := describe(e, file, s.cluster, env.Asked, c.stderr); err != nil {
			return nil, err
		}
	}
	p, err := lab.Prepare(e, env)
	if err != nil {
		return nil, flagError(err)
	}
	w, clean, err := p.Workload(0)
	if err != nil {
		return nil, file.explain(err, e, "--processors N")
	}
	noteCleaning(c.stderr, file.path, clean)
	noteLogged(c.stderr, e, w)
	noteMissing(c.stderr, p)
	prog := newProgress(c.stderr)
	prog.start("runs", 1, 0, 1)
	digest := experiment.NewDigester()
	result, err := p.Run(lab.RunID{}, lab.Options{Now: seconds, Block: func(int) func([]byte) { return digest.Add }, Progress: prog.of(0), Columns: *s.jobs != "" || *s.against != "", Profile: *s.profile})
	prog.end()
	if err != nil {
		return nil, programError(s.code, fmt.Errorf("%s: %w", file.path, err))
	}
	printProgram(c.stderr, result.Report.Program)
	if *s.jobs != "" {
		noteNoProcessors(c.stderr, *s.jobs, result)
		if err := writeJobs(*s.jobs, p, result); err != nil {
			return nil, err
		}
	}
	if *s.swf != "" {
		if stated, err := workload.MachineSize(file.log, 0); err == nil && stated != w.Processors {
			fmt.Fprintf(c.stderr, "%s: its header states the %d processors of the log, not the %d of the simulation: read it with --processors %d\n", *s.swf, stated, w.Processors, w.Processors)
		}
		out := workload.Export(file.log, w, result.Schedule, p.Label(0))
		if err := os.WriteFile(*s.swf, out.Append(nil), 0o666); err != nil {
			return nil, err
		}
	}
	r := result.Report
	var against *report.Against
	if *s.against != "" {
		if against, err = p.Against(r, 1, lab.Options{}); err != nil {
			return nil, fmt.Errorf("%s: --against: %w", file.path, err)
		}
		switch {
		case *s.smallest == "":
		case against.Apart.First == nil:
			fmt.Fprintf(c.stderr, "%s: not written: the two do not part\n", *s.smallest)
		default:
			if err := writeCase(*s.smallest, p, c.stderr); err != nil {
				return nil, fmt.Errorf("%s: --case: %w", file.path, err)
			}
		}
	}
	return simulated{
		Against: against, Program: r.Program,
		Algorithm: r.Key, Label: r.Label, Params: printedParams(e.Schedulers[0]),
		Log: file.ref.Name, SHA256: file.ref.SHA256, Jobs: r.Jobs, Processors: r.Processors,
		MeanWait: measure(r, "mean-wait"), MeanBoundedSlowdown: measure(r, "mean-bounded-slowdown"), Tau: e.Measures.Tau,
		Utilization: measure(r, "utilization"), Makespan: measure(r, "makespan"),
		Digest: digest.Sum(), Build: experiment.ThisBuild(), Metrics: metrics(r), Cleaning: cleaned(clean),
		Elapsed: elapsed{file.parseS, r.Simulate},
	}, nil
}

// fileOf is where an experiment names its file of predictions; nil where it goes by none.
func fileOf(e *experiment.Experiment) **experiment.Log {
	if e.Predict == nil {
		return nil
	}
	return &e.Predict.File
}

// writeCase writes the smallest case on which the two schedulers part, and says how
// many jobs it has.
func writeCase(path string, p *lab.Prepared, stderr io.Writer) error {
	prog := newProgress(stderr)
	prog.start("case", 1, 0, 1)
	c, err := p.Smallest(lab.RunID{}, 1, lab.Options{Progress: prog.of(0)})
	prog.end()
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: %d jobs; the two part at %d s\n", path, c.Jobs, c.At)
	return os.WriteFile(path, append([]byte(c.Document), '\n'), 0o666)
}

// simulated is what simulate prints. A measure that does not exist is null.
type simulated struct {
	Algorithm           string         `json:"algorithm"`
	Label               string         `json:"label"`  // "EASY SAF/SPF"
	Params              map[string]any `json:"params"` // of the scheduler, as a document has them; without what is not set
	Log                 string         `json:"log"`
	SHA256              string         `json:"sha256"`
	Jobs                int            `json:"jobs"`
	Processors          int            `json:"processors"`
	MeanWait            *float64       `json:"mean_wait_s"`
	MeanBoundedSlowdown *float64       `json:"mean_bounded_slowdown"`
	Tau                 int64          `json:"tau_s"`
	Utilization         *float64       `json:"utilization"`
	Makespan            *float64       `json:"makespan_s"`
	Digest              string         `json:"digest"`
	experiment.Build
	Metrics  map[string]float64 `json:"metrics"` // every measure of the catalog that exists here
	Cleaning cleaning           `json:"cleaning"`
	Elapsed  elapsed            `json:"elapsed"`
	Program  *report.Program    `json:"program,omitempty"` // what a program did and said
	Against  *report.Against    `json:"against,omitempty"` // with --against
}

type elapsed struct {
	Parse    float64 `json:"parse_s"`    // packed bytes to records
	Simulate float64 `json:"simulate_s"` // cleaned jobs to schedule
}

// cleaning is the cleaning report without the text of damaged lines.
type cleaning struct {
	Lines     int            `json:"lines"`     // lines that should have been jobs
	Malformed int            `json:"malformed"` // of these, lines that could not be read
	Kept      int            `json:"kept"`      // jobs after cleaning
	Counts    []report.Count `json:"counts"`    // by reason; only reasons that applied
}

func cleaned(c report.Cleaning) cleaning { return cleaning{c.Lines, c.Malformed, c.Kept, c.Counts} }

// began anchors the clock that is handed to lab.
var began = time.Now()

func seconds() float64 { return time.Since(began).Seconds() }

// measure returns one measure of a run, nil where it does not exist.
func measure(r *report.Run, key string) *float64 {
	if v, ok := metrics(r)[key]; ok {
		return &v
	}
	return nil
}

// metrics returns the measures of a run by key, without those that do not
// exist.
func metrics(r *report.Run) map[string]float64 {
	m := make(map[string]float64, len(r.Metrics))
	for _, v := range r.Metrics {
		if v.Valid && finite(v.Value) {
			m[v.Key] = v.Value
		}
	}
	return m
}

// finite reports whether JSON can hold v.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
