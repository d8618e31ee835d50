package lab

import (
	"fmt"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/predict"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

func init() {
	if !small {
		countedForms["foresight"] = newCountedForesight
	}
}

func newCountedForesight(p experiment.Params) (sim.CountedScheduler, error) {
	return &policy.CountedForesight{ForesightOptions: foresightOptions(p)}, nil
}

// foresightOptions reads the constants of foresight, of rollouts where there are
// any.
func foresightOptions(p experiment.Params) policy.ForesightOptions {
	whole := func(key string) int64 { v, _ := p.Int(key); return v }
	real := func(key string) float64 { v, _ := p.Number(key); return v }
	o := policy.ForesightOptions{Newest: p.Text("ties") == "newest", Threshold: model.Time(whole("threshold")), Step: real("step")}
	if _, there := p.Int("interval"); there {
		o.Rollout = &policy.RolloutOptions{
			Interval: model.Time(whole("interval")), Better: real("better"), Depth: int(whole("depth")), Scenarios: int(whole("scenarios")),
			Spread: real("spread"), Stretch: real("stretch"), Salt: whole("salt"),
		}
	}
	return o
}

// book makes what foretells run times to scheduler i on a repetition, nil where it
// needs nothing of the kind.
func (p *Prepared) book(r *prepared, i int) (*predict.Book, error) {
	if small {
		return nil, nil // whoever uses what is predicted is left out
	}
	row := p.doc.Foretells(i)
	if row == nil {
		return nil, nil
	}
	predictor, err := p.predictor(row, r)
	if err != nil {
		return nil, err
	}
	b := &predict.Book{Predictor: predictor}
	if p.doc.Workload.Window.History {
		b.History, err = p.history(r)
	}
	return b, err
}

// predictor binds a row of the catalog to its code.
func (p *Prepared) predictor(d *experiment.Predict, r *prepared) (predict.Predictor, error) {
	whole := func(key string) int { v, _ := d.Params.Int(key); return int(v) }
	real := func(key string) float64 { v, _ := d.Params.Number(key); return v }
	switch d.Key {
	case "kernel":
		return predict.NewKernel(predict.KernelOptions{
			Window: whole("window"), Memory: real("memory"), Width: real("width"), Length: real("length"), Executable: real("executable"),
			Least: real("least"), Prior: real("prior"), Span: real("span"), Shrink: real("shrink"),
			Mean: real("mean"), Log: real("log"), Inverse: real("inverse"),
		}), nil
	case "request":
		return &predict.Request{}, nil
	case "last-two":
		return &predict.LastTwo{}, nil
	case "user-median":
		return &predict.UserMedian{Window: whole("window")}, nil
	case "true":
		known := &predict.Known{Seconds: make([]model.Time, len(r.workload.Jobs))}
		for j := range known.Seconds {
			known.Seconds[j] = r.workload.Executed(model.JobID(j))
		}
		return known, nil
	case "file":
		return p.foretoldFile(d, r)
	}
	return nil, fmt.Errorf("lab: no predictor %q", d.Key)
}

// foretoldFile reads the predictions of a file.
func (p *Prepared) foretoldFile(d *experiment.Predict, r *prepared) (predict.Predictor, error) {
	if p.env.File == nil {
		return nil, fmt.Errorf("predict.file: this experiment needs the file %q", d.File.Name)
	}
	if seconds, read := r.foretold[d.File.SHA256]; read {
		return &predict.Known{Seconds: seconds}, nil
	}
	data, err := p.env.File(*d.File)
	if err != nil {
		return nil, err
	}
	logged := map[int64]bool{}
	for i := range r.log.Records {
		logged[r.log.Records[i].JobNumber] = true
	}
	seconds, err := predict.ReadColumn(d.File.Name, data, r.workload.Jobs, func(number int64) bool { return logged[number] })
	if err != nil {
		return nil, err
	}
	if r.foretold == nil {
		r.foretold = map[string][]model.Time{}
	}
	r.foretold[d.File.SHA256] = seconds
	return &predict.Known{Seconds: seconds}, nil
}

// foretells reads the files of predictions of all schedulers, so that what is wrong
// with one is said before anything runs.
func (p *Prepared) foretells(r *prepared) error {
	for i := range p.doc.Schedulers {
		if d := p.doc.Foretells(i); d != nil && d.File != nil && int64(r.repetition) < p.doc.Schedulers[i].Repeat {
			if _, err := p.foretoldFile(d, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// Missing says what the workload does not state that predictors of the experiment go
// by, and what is then used, one sentence each.
func (p *Prepared) Missing() (list []string) {
	r, err := p.repetition(0)
	if err != nil {
		return nil
	}
	for i := range p.doc.Schedulers {
		for _, line := range p.missing(r, i) {
			if !slices.Contains(list, line) {
				list = append(list, line)
			}
		}
	}
	return list
}

// missing says what the log does not state that the predictor of scheduler i goes
// by, and what is then used.
func (p *Prepared) missing(r *prepared, i int) []string {
	d := p.doc.Foretells(i)
	if d == nil {
		return nil
	}
	row := catalog.FindPredictor(d.Key)
	return predict.Missing(r.workload, row.Users, row.Executables)
}

// history returns the completions that the log shows before the window, in order
// of their ends. A job whose wait the log does not state is none of them.
func (p *Prepared) history(r *prepared) ([]predict.Past, error) {
	if r.history != nil {
		return r.history, nil
	}
	o := p.options(r.repetition)
	from := *p.doc.Workload.Window.From
	o.From, o.To, o.Resample, o.Load = nil, &from, nil, 1
	o.Processors = int64(r.workload.Processors)
	w, _, err := workload.FromLog(r.log, o)
	if err != nil { // nothing came before
		r.history = []predict.Past{}
		return r.history, nil
	}
	r.history = predict.History(w, model.Time(from))
	return r.history, nil
}
