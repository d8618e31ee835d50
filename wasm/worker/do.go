//go:build js && wasm

package worker

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"syscall/js"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
	"batchlab/ui/zone"
	"batchlab/wasm/bridge"
)

const (
	chunk     = 1 << 20 // bytes hashed at a time where the browser does not hash
	noBrowser = ": use the command line (batchlab run), which has all memory of the computer, or a window or filter"
)

// cache is what a worker keeps between requests.
type cache struct {
	logs     logs
	jobs     *workload.Cleaned // of a large log, instead of its records
	jobsOf   string            // which, and how they are cleaned
	text     string            // the experiment that prepared belongs to
	prepared *lab.Prepared
	bare     bool // only its workload was prepared

	beside map[string][]byte // files of annotations and of predictions, by their hash

	searched *searched
	swept    *swept
	stepped  []stepped // the last runs that were stepped through

	readSeconds float64 // what the last reading of a log took
}

// do does one request.
func (w *worker) do(m message) (reply bridge.Reply, buffers []js.Value, err error) {
	switch m.Kind {
	case bridge.Lines:
		reply.Lines, err = w.lines(m)
	case bridge.Load:
		w.cache.readSeconds = 0
		reply.Preview, err = w.load(m)
		reply.Read = w.cache.readSeconds
	case bridge.Run:
		return w.run(m)
	case bridge.Search:
		return w.search(m)
	case bridge.Sweep:
		return w.sweep(m)
	case bridge.Fold:
		return fold(m)
	case bridge.Study:
		return w.study(m)
	case bridge.Terms:
		reply.Terms, err = w.terms(m)
	case bridge.Plan:
		reply.Plan, err = w.plan(m)
	case bridge.Step:
		reply.Step, err = w.step(m)
	case bridge.Trial:
		reply.Trial, err = w.try(m)
	case bridge.Machine:
		reply.Machine, err = w.machine(m)
	case bridge.Ask:
		reply.Out, err = w.ask(m)
	case bridge.Query:
		reply.Answer, err = w.query(m)
	case bridge.Foresee:
		reply.Foresee, err = w.foresee(m)
	case bridge.Drawn:
		return w.drawn(m)
	case bridge.Why:
		var result *lab.Result
		if m.Follow != nil {
			if result, err = w.simulate(m, lab.Options{Why: true, Follow: m.Follow}); err == nil {
				reply.Phases, reply.Basis = result.History, result.Basis
			}
		} else if result, err = w.simulate(m, lab.Options{Why: true, Columns: true}); err == nil {
			buffers = []js.Value{bridge.PackRecord(&result.Report.Columns.Record).ToJS()}
		}
	}
	return reply, buffers, err
}

// load describes the workload. A log that does not state the size of its
// machine is described for the smallest that runs all its jobs, and the size
// left 0: the page asks for it.
func (w *worker) load(m message) (*report.Preview, error) {
	p, err := w.prepare(m, 0)
	if err != nil {
		return nil, err
	}
	preview, err := p.Preview()
	if errors.Is(err, workload.ErrNoMachineSize) && w.cache.logs.last() != nil {
		if p, err = w.prepare(m, max(1, workload.LargestJob(w.cache.logs.last()))); err != nil {
			return nil, err
		}
		preview, err = p.Preview()
		preview.Processors, preview.Load = 0, 0
	}
	if err != nil {
		return nil, err
	}
	if math.IsInf(preview.Load, 0) || math.IsNaN(preview.Load) {
		preview.Load = 0 // JSON has no word for it
	}
	return &preview, nil
}

func (w *worker) run(m message) (reply bridge.Reply, buffers []js.Value, err error) {
	var block func() js.Value
	result, err := w.simulate(m, lab.Options{Columns: true, Profile: true, Block: func(size int) (write func([]byte)) {
		write, block = bridge.Sink(size)
		return write
	}})
	if err != nil {
		return reply, nil, err
	}
	head, columns, err := bridge.PackRun(result.Report)
	if err != nil {
		return reply, nil, err
	}
	reply.Run = head
	buffers = []js.Value{columns.ToJS(), block()}
	if m.Jobs {
		jobs, err := w.cache.prepared.Jobs(m.Repetition)
		if err != nil {
			return reply, nil, err
		}
		buffers = append(buffers, bridge.PackJobs(jobs).ToJS())
		if reply.Site, err = w.cache.prepared.Site(m.Repetition); err != nil {
			return reply, nil, err
		}
	}
	return reply, buffers, nil
}

// drawn gives what was drawn for a repetition as files.
func (w *worker) drawn(m message) (reply bridge.Reply, buffers []js.Value, err error) {
	p, err := w.prepare(m, 0)
	if err != nil {
		return reply, nil, err
	}
	files, err := p.DrawnFiles(m.Repetition)
	for _, f := range files {
		reply.Files = append(reply.Files, f.Name)
		buffers = append(buffers, bridge.BytesToJS(f.Data))
	}
	return reply, buffers, err
}

// simulate runs one scheduler and repetition, unless it would not fit.
func (w *worker) simulate(m message, o lab.Options) (*lab.Result, error) {
	p, err := w.prepare(m, 0)
	if err != nil {
		return nil, err
	}
	w.yield()
	if w.cancelled[m.ID] {
		return nil, errCancelled
	}
	if m.Scheduler >= len(p.Experiment().Schedulers) {
		return nil, fmt.Errorf("the experiment has no scheduler %d", m.Scheduler)
	}
	work, _, err := p.Workload(m.Repetition)
	if err != nil {
		return nil, err
	}
	if err := fits(len(work.Jobs)); err != nil {
		return nil, err
	}
	o.Progress = w.watch(m.ID)
	started := time.Now()
	o.Now = func() float64 { return time.Since(started).Seconds() }
	return p.Run(lab.RunID{Scheduler: m.Scheduler, Repetition: m.Repetition}, o)
}

// prepare reads the document of a request and its log. Processors other than 0
// stand in for a machine size that nobody states.
func (w *worker) prepare(m message, processors int) (*lab.Prepared, error) {
	bare := m.Kind == bridge.Load // what was loaded has no schedulers to run
	if m.NewLog == "" && processors == 0 && w.cache.prepared != nil && w.cache.text == m.Experiment && w.cache.bare == bare {
		return w.cache.prepared, nil
	}
	decode, prepare := experiment.Decode, lab.Prepare
	if bare {
		decode, prepare = experiment.DecodeJobs, lab.PrepareJobs
	}
	doc, err := decode([]byte(m.Experiment))
	if err != nil {
		return nil, err
	}
	w.cache.prepared = nil // what it holds may be in the way of a large log
	if processors > 0 {
		doc.Platform.Processors = int64(processors)
	}
	if m.NewLog != "" {
		how := experiment.Log{}
		copy(how.Columns[:], m.Columns)
		l, err := w.read(m, m.file, how)
		if err != nil {
			return nil, err
		}
		l.Name, l.Columns = m.NewLog, how.Columns
		doc.Workload.Source = experiment.Source{Log: &l}
	}
	p, err := prepare(doc, w.env(m))
	if err != nil {
		return nil, err
	}
	if m.NewLog == "" && processors == 0 {
		w.cache.prepared, w.cache.text, w.cache.bare = p, m.Experiment, bare
	}
	return p, nil
}

// env finds what the experiment of a request needs from outside.
func (w *worker) env(m message) lab.Env {
	env := lab.Env{
		Log:  func(l experiment.Log) (*swf.Log, error) { return w.log(m, l) },
		File: func(l experiment.Log) ([]byte, error) { return w.besides(m, l) },
		Zone: zone.Of,
	}
	if m.Kind != bridge.Load && m.Kind != bridge.Sweep { // a preview tells of records, and points may clean differently
		env.Cleaned = func(l experiment.Log, o workload.Options) (*workload.Cleaned, error) { return w.cleaned(m, l, o) }
	}
	return env
}

// log returns the log that an experiment names, from the cache or from the file
// that came along.
func (w *worker) log(m message, l experiment.Log) (*swf.Log, error) {
	if log := w.cache.logs.find(readAs(l.SHA256, l)); log != nil {
		return log, nil
	}
	file := m.file
	if i := slices.Index(m.Logs, l.SHA256); i >= 0 {
		file = m.beside.Index(m.besides() + i)
	}
	if !file.Truthy() {
		return nil, failure{bridge.CodeLog, "the log " + l.Name + " is not here"}
	}
	got, err := w.read(m, file, l)
	if err == nil && got.SHA256 != l.SHA256 {
		err = fmt.Errorf("the file is another log than %s: its SHA-256 is %.8s… instead of %.8s…", l.Name, got.SHA256, l.SHA256)
	}
	return w.cache.logs.last(), err
}

// besides is how many files beside logs came along.
func (m message) besides() int {
	if !m.beside.Truthy() {
		return 0
	}
	return m.beside.Length() - len(m.Logs)
}

// besides returns the text of a file beside the log that an experiment names, from
// the cache or from the files that came along.
func (w *worker) besides(m message, l experiment.Log) ([]byte, error) {
	if text, read := w.cache.beside[l.SHA256]; read {
		return text, nil
	}
	w.cache.beside = map[string][]byte{}
	for i := range m.besides() {
		text, hash, err := readText(m.beside.Index(i))
		if err != nil {
			return nil, err
		}
		w.cache.beside[hash] = text
	}
	text, read := w.cache.beside[l.SHA256]
	if !read {
		return nil, fmt.Errorf("the file %s (SHA-256 %.8s…) is not here", l.Name, l.SHA256)
	}
	return text, nil
}

// around is how many lines are shown on each side of the one asked for.
const around = 3

// lines shows a place in the text of the experiment's log or bundled workload.
func (w *worker) lines(m message) ([]report.Line, error) {
	doc, err := experiment.Decode([]byte(m.Experiment))
	if err != nil {
		return nil, err
	}
	var text []byte
	var found []swf.Line
	switch source := doc.Workload.Source; {
	case source.Bundled != "" && !m.file.Truthy():
		text, err = workload.Bundled(source.Bundled)
	case source.Inline != nil:
		text = workload.RowsText(source.Inline.Fields(), source.Inline.Rows)
	case m.file.Truthy():
		_, _, err = readFile(m.file, w.watch(m.ID), func(text *swf.Window) error {
			if found = swf.LinesOf(text, m.Line, around); text.Err() == nil {
				return errEnough
			}
			return text.Err()
		})
		if err == errEnough {
			err = nil
		}
	default:
		err = failure{bridge.CodeLog, "the log is not here"}
	}
	if err != nil {
		return nil, err
	}
	if text != nil {
		found = swf.Lines(text, m.Line, around)
	}
	var lines []report.Line
	for _, l := range found {
		if r := []rune(l.Text); len(r) > 300 {
			l.Text = string(r[:300]) + "…"
		}
		lines = append(lines, report.Line{Number: l.Number, Text: l.Text})
	}
	if lines == nil {
		return nil, fmt.Errorf("the log has no line %d", m.Line)
	}
	return lines, nil
}

// read reads a log into the cache, unless it is there already, and says which
// it is; the name stays empty. how says in which format and zone, if it does. Where
// that is all that was asked for, the page hears how far it is.
func (w *worker) read(m message, file js.Value, how experiment.Log) (experiment.Log, error) {
	started := time.Now()
	w.cache.logs.room(file.Get("size").Int())
	w.cache.jobs, w.cache.jobsOf = nil, ""
	watch := w.watch(m.ID)
	if m.Kind != bridge.Load {
		told := watch
		watch = func(int, int) bool { return told(0, 0) }
	}
	var log *swf.Log
	hash, size, err := readFile(file, watch, func(text *swf.Window) (err error) {
		log, err = workload.Read(text, workload.Reading{Format: how.Format, Zone: how.Zone, Zones: zone.Of, Columns: how.ColumnMap()})
		return err
	})
	if t := (*report.Table)(nil); errors.As(err, &t) {
		t.SHA256, t.Size = hash, int64(size)
	}
	if err != nil {
		return experiment.Log{}, err
	}
	if w.cache.logs.find(readAs(hash, how)) == nil {
		w.cache.logs.room(size)
		w.cache.logs.add(readAs(hash, how), size, log)
	}
	w.cache.readSeconds = time.Since(started).Seconds()
	return experiment.Log{SHA256: hash, Size: int64(size)}, nil
}

// machine reads the files that came along as what describes a cluster, with the names
// of the experiment's log, if it has one.
func (w *worker) machine(m message) (*report.Conf, error) {
	var names *swf.Names
	if m.Experiment != "" {
		doc, err := experiment.DecodeJobs([]byte(m.Experiment))
		if err != nil {
			return nil, err
		}
		if l := doc.Workload.Source.Log; l != nil {
			log, err := w.log(m, *l)
			if err != nil {
				return nil, err
			}
			names = log.Names
		}
	}
	var texts [][]byte
	for i := range m.besides() {
		text, _, err := readText(m.beside.Index(i))
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return workload.ReadMachine(names, texts...)
}
