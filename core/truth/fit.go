package truth

import (
	"strconv"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/report"
)

// FittedNumber is a number that logs and configurations do not say.
type FittedNumber struct {
	Key, Name, Unit string
	Values          []int64                             // to be tried; the first is the one that stands there
	put             func(*experiment.Experiment, int64) // into a document with one scheduler
}

// Said is a value as a reader sees it.
func (k *FittedNumber) Said(v int64) string {
	if v == unset {
		return "drawn"
	}
	text := strconv.FormatInt(v, 10)
	if k.Unit != "" {
		text += " " + k.Unit
	}
	return text
}

// unset stands for a phase that is drawn.
const unset = -1

// Knobs returns what can be fitted for a scheduler of a document: how large the machine
// is, where its processors are only counted; what starting and ending a job takes; at
// which phase Slurm's loops run. processors is the size of the machine, widest the most
// processors of a job: a smaller machine would drop it, and other jobs would be compared.
func Knobs(doc *experiment.Experiment, scheduler int, processors, widest int64) (list []FittedNumber) {
	d := &doc.Platform
	if len(d.Clusters) == 0 && d.Generator == nil && processors > 0 {
		k := FittedNumber{Key: "processors", Name: "Machine size", Unit: "processors", Values: []int64{processors}, put: func(e *experiment.Experiment, v int64) { e.Platform.Processors = v }}
		for _, percent := range []int64{80, 90, 95, 105, 110, 125} {
			if v := processors * percent / 100; v >= widest && v != processors && v > 0 {
				k.Values = append(k.Values, v)
			}
		}
		list = append(list, k)
	}
	if s := doc.Workload.Annotate.Setup; s.Min == s.Max {
		k := FittedNumber{Key: "setup", Name: "Start and end of a job", Unit: "s", Values: []int64{s.Max}, put: func(e *experiment.Experiment, v int64) {
			e.Workload.Annotate.Setup = experiment.SetupRule{Min: v, Max: v}
		}}
		for _, v := range []int64{0, 5, 15, 60, 180, 600} {
			if v != s.Max {
				k.Values = append(k.Values, v)
			}
		}
		list = append(list, k)
	}
	if s := &doc.Schedulers[scheduler]; s.Key == "slurm" {
		k := FittedNumber{Key: "phase", Name: "Phase of backfill", Unit: "s", Values: []int64{unset}, put: func(e *experiment.Experiment, v int64) {
			if v != unset {
				set(e, "slurm", "phase", v)
			}
		}}
		if v, ok := s.Params.Int("phase"); ok {
			k.Values[0] = v
		}
		every := int64(30)
		if v, ok := s.Params.Int("bf_interval"); ok && v > 0 {
			every = v
		}
		for i := range int64(6) {
			if v := i * every / 6; v != k.Values[0] {
				k.Values = append(k.Values, v)
			}
		}
		list = append(list, k)
	}
	return list
}

// Fit looks for the values of knobs with which the first half of the jobs comes nearest
// to what the log says, one knob after the other. Ask Next for a document, run its
// scheduler, and Take what came of it, until there is none.
type Fit struct {
	Knobs []FittedNumber
	Tries []Try // in order; the first is the document as it stands
	Best  int   // index of the try that fits best

	doc *experiment.Experiment
	on  int // knob that is tried
	at  int // index of its value that is tried
}

// Try is what came of some values.
type Try struct {
	Values         []int64         // by knob
	Fitted, Judged report.Nearness // the first half of the jobs, the second
}

// NewFit begins to fit one scheduler of a document.
func NewFit(doc *experiment.Experiment, scheduler int, knobs []FittedNumber) *Fit {
	e := Alone(doc, scheduler)
	e.Schedulers[0].Repeat = 1
	return &Fit{Knobs: knobs, doc: e}
}

// Steps is how many documents are run altogether.
func (f *Fit) Steps() int {
	n := 1
	for i := range f.Knobs {
		n += len(f.Knobs[i].Values) - 1
	}
	return n
}

// Next returns the next document to run, and its values; nil when all is done.
func (f *Fit) Next() (doc *experiment.Experiment, values []int64) {
	values = make([]int64, len(f.Knobs))
	if len(f.Tries) == 0 {
		for i := range f.Knobs {
			values[i] = f.Knobs[i].Values[0]
		}
		return f.With(values), values
	}
	for f.on < len(f.Knobs) && f.at+1 >= len(f.Knobs[f.on].Values) {
		f.on, f.at = f.on+1, 0
	}
	if f.on == len(f.Knobs) {
		return nil, nil
	}
	copy(values, f.Tries[f.Best].Values)
	values[f.on] = f.Knobs[f.on].Values[f.at+1]
	return f.With(values), values
}

// With is the document with values for the knobs.
func (f *Fit) With(values []int64) *experiment.Experiment {
	e := f.doc.Clone()
	for i := range f.Knobs {
		if values[i] != f.Knobs[i].Values[0] {
			f.Knobs[i].put(e, values[i])
		}
	}
	return e
}

// Take takes what came of the values of Next. A try is better when its median error on the
// fitted half is less and its mean wait no farther from the logged one: waits that are too
// short come nearer at the median when no job waits at all.
func (f *Fit) Take(values []int64, t *report.Truth) {
	one := Try{Values: values}
	for i := range t.Parts {
		if p := &t.Parts[i]; p.By == "half" && p.From == 0 {
			one.Fitted = p.Nearness
		} else if p.By == "half" {
			one.Judged = p.Nearness
		}
	}
	if f.Tries = append(f.Tries, one); len(f.Tries) > 1 {
		f.at++
	}
	if nearer(&one.Fitted, &f.Tries[f.Best].Fitted) {
		f.Best = len(f.Tries) - 1
	}
}

// nearer reports whether a comes nearer than b.
func nearer(a, b *report.Nearness) bool {
	return a.MedianError < b.MedianError && max(a.Bias, -a.Bias) <= max(b.Bias, -b.Bias)
}

// Helps reports whether what was found brings the judged half nearer, too, by the same
// measure.
func (f *Fit) Helps() bool {
	return f.Best > 0 && nearer(&f.Tries[f.Best].Judged, &f.Tries[0].Judged)
}

// Fails says why what was found does not help.
func (f *Fit) Fails() string {
	if f.Tries[f.Best].Judged.MedianError >= f.Tries[0].Judged.MedianError {
		return "what brings the first half nearer does not bring the second nearer"
	}
	return "the second half's median error falls, but its mean wait is farther from the logged one than before"
}

// Phased returns a document in which one scheduler that draws random numbers is run with
// at least so many repetitions, so that it can be set beside itself; the document itself
// where it decides the same each time.
func Phased(doc *experiment.Experiment, scheduler int, least int64) *experiment.Experiment {
	e := doc.Clone()
	s := &e.Schedulers[scheduler]
	if row := catalog.FindScheduler(s.Key); row == nil || s.Repeat >= least {
		return e
	}
	was := s.Repeat
	if s.Repeat = least; e.First(scheduler, 1) == 0 || e.Validate() != nil {
		s.Repeat = was
	}
	return e
}

// Apply returns the document with what was found.
func (f *Fit) Apply(doc *experiment.Experiment, scheduler int) *experiment.Experiment {
	e, found := doc.Clone(), f.With(f.Tries[f.Best].Values)
	e.Workload, e.Platform = found.Workload, found.Platform
	e.Schedulers[scheduler].Params = found.Schedulers[0].Params
	return e
}

// Mean is how near a scheduler comes, as the mean over its runs.
func Mean(runs *report.TruthRuns) *report.Nearness {
	var list []report.Nearness
	for _, t := range runs.Runs {
		list = append(list, t.Nearness)
	}
	return metric.MeanNearness(list)
}

// Ratios are the least and the greatest ratio of mean waits over its runs, 0 where nobody
// waited.
func Ratios(runs *report.TruthRuns) (low, high float64) {
	for i, t := range runs.Runs {
		if t.Ratio == nil {
			return 0, 0
		}
		if i == 0 {
			low, high = *t.Ratio, *t.Ratio
		}
		low, high = min(low, *t.Ratio), max(high, *t.Ratio)
	}
	return low, high
}
