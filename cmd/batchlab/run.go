package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"batchlab/core/experiment"
	"batchlab/core/lab"
)

// runExperiment runs an experiment document, all of it or one shard.
func runExperiment(c *call) action {
	c.intro = "Runs an experiment document, as the page downloads it, at all its points if it varies; - is standard input."
	w := c.work("Folder for experiment.json, measures and, unless the experiment varies, the jobs of each run and what was drawn at random.")
	jobs := c.toggle("jobs", "With --out, write jobs and what was drawn also of an experiment that varies.")
	moves := c.toggle("moves", "With --out, write also what each call of an optimiser kept.")
	times := c.toggle("times", "Print simulate_s of each run, and how long its optimiser took, which differ from one time to the next.")
	summary := c.summary()
	command := c.text("command", "COMMAND", "", "The program of schedulers exec that name none: \"PROGRAM ARGUMENTS\". A lone - is the program that starts batchlab, over standard input and output.")
	allow := c.toggle("allow-exec", "Let schedulers exec start the programs that the document names, with all that you may do yourself. Read the document first.")
	return func(rest []string) (any, error) {
		err := w.check(c, rest)
		if err == nil {
			err = checkSummary("run", *summary)
		}
		switch {
		case err != nil:
		case *jobs && *w.out == "":
			err = errors.New("run: --jobs: --out DIR is missing: the folder for the files")
		case *moves && *w.out == "":
			err = errors.New("run: --moves: --out DIR is missing: the folder for the files")
		case *moves && w.part.of > 0:
			err = errors.New("run: --moves: shards write none")
		case w.part.of > 0 && *summary != "":
			err = errors.New("run: --summary: batchlab merge writes it, of all shards")
		case *summary != "" && *times:
			err = errors.New("run: --times: with --summary no runs are printed")
		case w.part.of > 0 && *times:
			err = errors.New("run: --times: shards take no times")
		case *command == attachedCommand && w.document == "-":
			err = errors.New("run: --command -: standard input cannot hold the experiment as well")
		case *command == attachedCommand && w.part.of > 0:
			err = errors.New("run: --command -: shards are done by programs that batchlab starts")
		}
		if err != nil {
			return nil, err
		}
		own := &programs{command: *command, allow: *allow}
		if *command == attachedCommand {
			*w.workers = 1 // there is one program
		}
		return own.attached(c, *command, func(c *call) (any, error) { return runOpened(c, w, *jobs, *moves, *times, *summary, own) })
	}
}

// runOpened runs an experiment when the flags have been read.
func runOpened(c *call, w *workFlags, jobs, moves, times bool, summary string, own *programs) (any, error) {
	r, err := w.open(own, c.stderr)
	if err == nil {
		err = w.folder()
	}
	if err != nil {
		return nil, err
	}
	out := *w.out
	r.times = times
	if moves {
		r.moves = out
	}
	if out != "" && (jobs || !r.varies()) {
		r.jobs = out
	}
	if w.part.of > 0 {
		return r.shard(w.part, out)
	}
	a, err := newAssembler(r.doc, r.sweep.Points, r.sweep.Items, summary)
	defer a.close()
	if err == nil {
		err = r.all(a)
	}
	r.prog.end()
	if err != nil {
		return nil, err
	}
	return nil, a.finish(c, r.name, out, w.document)
}

// runner does the runs of an experiment.
type runner struct {
	name    string // of the document, in messages
	doc     *experiment.Experiment
	sweep   *lab.Sweep
	env     lab.Env
	logs    logSet
	log     *logFile      // that the document names; nil: none
	jobs    string        // the folder for jobs files, "" none
	moves   string        // the folder for what optimisers kept, "" none
	beside  []*besideFile // of needs and predictions, that were given
	read    []string      // files that are left as they are
	times   bool
	workers int
	prog    *progress
}

func (r *runner) varies() bool { return len(r.doc.Vary) > 0 }

// openRunner reads a document and its logs, and checks all points as far as
// that can be done before anything runs. Schedulers that are programs are started
// by own; nil refuses them.
func openRunner(path string, paths []string, files besides, skip bool, own *programs, prog *progress) (*runner, error) {
	e, err := readExperiment(path)
	if err != nil {
		return nil, err
	}
	r := &runner{name: path, doc: e, prog: prog, workers: 1, beside: files.given()}
	r.read = append([]string{path}, slices.Concat(files.needs, files.predictions, files.extra)...)
	if strings.Contains(path, "#x=") {
		r.name = "the link"
	}
	if r.logs, err = readLogs(paths, skip, prog.w); err != nil {
		return nil, err
	}
	r.env = lab.Env{Log: r.logs.find, File: fileReader(e, r.beside)}
	if own != nil {
		r.env.Program = own.scheduler
	}
	if r.sweep, err = lab.NewSweep(e, r.env); err != nil {
		return nil, r.explain(err)
	}
	return r, r.check()
}

// check finds what points are refused for before anything runs, and the logs
// that they need.
func (r *runner) check() error {
	used := map[*logFile]bool{}
	var mu sync.Mutex
	points := r.sweep.Points
	err := r.prog.each("points checked", numCores(), points.Len(), func(_, i int) error {
		doc, err := points.At(i)
		if err != nil {
			return err
		}
		if want := doc.Workload.Source.Log; want != nil {
			log, err := r.logs.file(*want)
			if err != nil {
				return points.Fault(i, err)
			}
			mu.Lock()
			if used[log] = true; i == 0 {
				r.log = log
			}
			mu.Unlock()
		}
		if points.Len() == 1 {
			return nil // said when it is run
		}
		return r.sweep.Check(i)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return r.unnamed(used)
}

// unnamed refuses files of needs and predictions from which nothing comes, since
// whoever gives one takes the result to be of it. Logs are only noted: a folder of
// them may be given as a whole.
func (r *runner) unnamed(used map[*logFile]bool) error {
	for _, l := range r.logs {
		if !used[l] {
			fmt.Fprintf(r.prog.w, "%s: not used: the experiment does not name it\n", l.path)
		}
	}
	for _, f := range r.beside {
		if f.once.Do(f.read); f.err != nil {
			return f.err
		}
	}
	named := r.doc.Files()
	for _, n := range named {
		if !slices.ContainsFunc(r.beside, func(f *besideFile) bool { return f.sum == n.File.SHA256 }) {
			return nil // that it is missing is said when it is asked for, beside what was given
		}
	}
	for _, f := range r.beside {
		if slices.ContainsFunc(named, func(n experiment.NamedFile) bool { return n.File.SHA256 == f.sum }) {
			continue
		}
		why := fmt.Sprintf("%s: %s does not name it (%d bytes, SHA-256 %s)", f.name, r.name, len(f.data), f.sum)
		for _, n := range named {
			why += fmt.Sprintf("\n  %s names %s (%d bytes, SHA-256 %s)", n.Path, n.File.Name, n.File.Size, n.File.SHA256)
		}
		return errors.New(why)
	}
	return nil
}

// explain names the document, and its log, in an error of running it.
func (r *runner) explain(err error) error {
	if r.log != nil {
		err = r.log.explain(err, r.doc, "platform.processors in the experiment")
	}
	return fmt.Errorf("%s: %w", r.name, err)
}

// all does all runs, and hands them to the assembler.
func (r *runner) all(a *assembler) error {
	items := r.sweep.Items
	size := r.unit(items.Len())
	workers := r.sweepers()
	r.prog.start("runs", items.Len(), 0, r.workers)
	return each(r.workers, (items.Len()+size-1)/size, func(worker, unit int) error {
		for item := unit * size; item < min((unit+1)*size, items.Len()); item++ {
			point, _ := items.Point(item)
			if !a.room(point) {
				return nil // somebody has failed
			}
			rec, err := r.run(workers[worker], worker, item)
			if err == nil {
				err = a.add(item, rec)
			}
			if err != nil {
				a.stop()
				return err
			}
			r.prog.finished(worker, 1)
		}
		return nil
	})
}

// sweepers are what each worker does runs with.
func (r *runner) sweepers() []*lab.SweepWorker {
	list := make([]*lab.SweepWorker, r.workers)
	for i := range list {
		list[i] = r.sweep.Worker()
	}
	return list
}

// unit is how many neighbours one worker does: those that have their workload
// in common, when there is enough for all.
func (r *runner) unit(items int) int {
	if n := len(r.doc.Schedulers); items >= 8*n*r.workers {
		return n
	}
	return 1
}

// run does one run.
func (r *runner) run(w *lab.SweepWorker, worker, item int) (*record, error) {
	p, id, _, err := w.At(item)
	if err != nil {
		return nil, r.explain(err)
	}
	o := lab.Options{Progress: r.prog.of(worker), Columns: r.jobs != ""}
	if r.times {
		o.Now = seconds
	}
	var kept csvTable
	if r.moves != "" {
		o.Moves = kept.moves
	}
	got, err := w.Run(item, o)
	if err != nil {
		return nil, r.explain(err)
	}
	point, _ := r.sweep.Items.Point(item)
	rec, err := newRecord(p.Experiment(), got, r.sweep.Items.Len() <= experiment.MaxTraceRuns)
	if err != nil {
		return nil, r.explain(err)
	}
	if casesOf(r.doc) >= 0 && !got.Report.Copy {
		parts, err := p.Parts(id, got)
		if err != nil {
			return nil, r.explain(err)
		}
		rec.parts = plainJSON(parts)
	}
	if id == (lab.RunID{}) {
		if rec.head, err = r.head(p, point == 0); err != nil {
			return nil, err
		}
	}
	if kept.Len() > 0 {
		if err := os.WriteFile(r.file(r.moves, "moves", point, id, got), kept.Bytes(), 0o666); err != nil {
			return nil, err
		}
	}
	if r.jobs != "" {
		if err = r.writeJobs(p, point, id, got); err == nil && r.first(p, id) {
			err = r.writeDrawn(p, point, id.Repetition)
		}
	}
	return rec, err
}
