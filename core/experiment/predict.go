package experiment

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/expr"
)

func (p *Predict) visit(g *group) {
	row := (*catalog.Predictor)(nil)
	if g.choice("key", &p.Key, "", "predictor", catalog.PredictorKeys()) {
		row = catalog.FindPredictor(p.Key)
	}
	if row == nil && g.c.mode != describing {
		g.ask("params")
		g.ask("file")
		return
	}
	if row != nil {
		g.params("params", row.Params, &p.Params)
	}
	object(g, "file", &p.File, (*Log).visit)
	switch {
	case !g.checks():
	case row.File && p.File == nil:
		g.fault("file", "missing: the predictor file needs one (name, sha256, size)")
	case !row.File && p.File != nil:
		g.fault("file", fmt.Sprintf("belongs to the predictor file, not to %s", p.Key))
	}
}

func (p *Predict) clone() *Predict {
	if p == nil {
		return nil
	}
	c := &Predict{Key: p.Key, Params: slices.Clone(p.Params)}
	if p.File != nil {
		file := *p.File
		c.File = &file
	}
	return c
}

// NewPredict returns a predictor of the catalog with every default.
func NewPredict(key string) (*Predict, error) {
	row := catalog.FindPredictor(key)
	if row == nil {
		return nil, Error{Path: "key", Message: "unknown predictor " + quote(key) + oneOf(key, catalog.PredictorKeys())}
	}
	return &Predict{Key: key, Params: Defaults(row.Params)}, nil
}

// SetParam sets a parameter of a predictor, like Scheduler.SetParam.
func (p *Predict) SetParam(key string, value any) error {
	row := catalog.FindPredictor(p.Key)
	if row == nil {
		return Error{Path: "key", Message: "unknown predictor " + quote(p.Key) + oneOf(p.Key, catalog.PredictorKeys())}
	}
	return p.Params.set(row.Params, key, value)
}

// Foretells returns the predictor that scheduler i of a valid experiment uses,
// nil when it uses none: its own, that of the experiment, or the default of a
// scheduler that cannot do without.
func (e *Experiment) Foretells(i int) *Predict {
	s := &e.Schedulers[i]
	switch {
	case s.Predict != nil:
		return s.Predict
	case e.Predict != nil:
		return e.Predict
	case s.foretells():
		p, _ := NewPredict(catalog.DefaultPredictor)
		return p
	}
	return nil
}

// checkForetold says where a file of predictions cannot say which job is which.
func (e *Experiment) checkForetold(g *group) {
	by := e.Workload.Resample.Text("by")
	if !g.checks() || e.Workload.Resample == nil || by == "shake" {
		return
	}
	for i := range e.Schedulers {
		s := &e.Schedulers[i]
		p, path := s.Predict, fmt.Sprintf("schedulers[%d].predict.file", i)
		if p == nil {
			p, path = e.Predict, "predict.file"
		}
		if p != nil && p.File != nil && s.Repeat > 1 {
			g.c.add(g.at(), path, "repetitions of scheduler "+quote(s.Label)+" draw by "+by+", which renumbers jobs: a file of predictions does not say which is which")
		}
	}
}

// Foreseen says whether scheduler i uses predictions at all.
func (e *Experiment) Foreseen(i int) bool { return e.Schedulers[i].foretells() }

// foretells says whether a scheduler, or one of its providers, uses predictions.
func (s *Scheduler) foretells() bool {
	goes := func(key string, p Params) bool {
		row := catalog.FindScheduler(key)
		return row != nil && row.Foretells || p.Text("orders-by") == "prediction" || p.Text("backfill-by") == "prediction" || p.Text("plan-by") == "prediction" ||
			foretellsText(p.Text("formula")) || foretellsText(p.Text("backfill-formula"))
	}
	return goes(s.Key, s.Params) || goes(s.Params.Text("local"), nil) ||
		slices.ContainsFunc(s.Providers, func(p Provider) bool { return goes(p.Key, p.Params) })
}

// foretellsText says whether a formula uses what is predicted.
func foretellsText(text string) bool {
	if text == "" {
		return false
	}
	f, err := expr.Compile(text, expr.JobFeatures)
	return err == nil && f.Uses(expr.Foretold)
}

// NamedFile is a log, or a file beside it, that a document names, and where.
type NamedFile struct {
	Path string // workload.source.log, workload.annotate.file, predict.file or schedulers[i].predict.file, of a point where one of several names it
	File Log
}

// Files returns the files beside the log that the document names, those of its
// points included, each once.
func (e *Experiment) Files() []NamedFile { return e.named((*Experiment).files) }

// Logs returns the logs that points of the document name beside its own one, each
// once.
func (e *Experiment) Logs() []NamedFile {
	own := e.Workload.Source.Log
	return slices.DeleteFunc(e.named((*Experiment).logs), func(n NamedFile) bool { return own != nil && n.File.SHA256 == own.SHA256 })
}

// named gathers what the document and its points name; of adds that of one
// experiment to a list.
func (e *Experiment) named(of func(*Experiment, []NamedFile) []NamedFile) (list []NamedFile) {
	list = of(e, nil)
	if !slices.ContainsFunc(e.Vary, namesFiles) {
		return list
	}
	p := e.Points()
	for i := range e.Vary {
		if !namesFiles(e.Vary[i]) {
			continue
		}
		// The others at their first value: what names a file stands in one axis.
		choice := make([]int, len(e.Vary))
		for k := range e.Vary[i].Values {
			choice[i] = k
			if one, _ := p.read(choice, nil); one != nil {
				list = of(one, list)
			}
		}
	}
	return list
}

// files adds the files that the document itself names to a list that does not have
// them yet.
func (e *Experiment) files(list []NamedFile) []NamedFile {
	add := func(path string, f *Log) { list = withFile(list, path, f) }
	add("workload.extra", e.Workload.Extra)
	add("workload.annotate.file", e.Workload.Annotate.File)
	if e.Predict != nil {
		add("predict.file", e.Predict.File)
	}
	for i := range e.Schedulers {
		if p := e.Schedulers[i].Predict; p != nil {
			add(fmt.Sprintf("schedulers[%d].predict.file", i), p.File)
		}
	}
	return list
}

// logs adds the log of the document itself to a list that does not have it yet.
func (e *Experiment) logs(list []NamedFile) []NamedFile {
	return withFile(list, "workload.source.log", e.Workload.Source.Log)
}

// withFile adds a file to a list that does not have it yet.
func withFile(list []NamedFile, path string, f *Log) []NamedFile {
	if f == nil || slices.ContainsFunc(list, func(n NamedFile) bool { return n.File.SHA256 == f.SHA256 }) {
		return list
	}
	return append(list, NamedFile{path, *f})
}

// namesFiles reports whether the values of an axis may name files: only their
// documents are made.
func namesFiles(a Axis) bool {
	return slices.ContainsFunc(a.places(), func(w Along) bool {
		return strings.Contains(w.Path, ".file") || strings.Contains(w.Path, "source.log") || slices.ContainsFunc(w.Values, func(v Value) bool { return strings.Contains(string(v), `"sha256"`) })
	})
}
