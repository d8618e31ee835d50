//go:build !small

package lab

import (
	"reflect"

	"batchlab/core/experiment"
	"batchlab/core/workload"
)

// Alone returns how the jobs of an experiment's log are cleaned, and whether all that is
// asked of the log are these jobs: then they can be cleaned as the log is read
// (Env.Cleaned). What is not known here asks for more.
func Alone(doc *experiment.Experiment) (workload.Options, bool) {
	plain := experiment.New()
	w, of := &plain.Workload, &doc.Workload
	w.Source, w.Clean, w.Scale = of.Source, of.Clean, of.Scale
	plain.Platform.Processors = doc.Platform.Processors
	if of.Source.Log == nil || doc.Predict != nil && doc.Predict.File != nil || !reflect.DeepEqual(plain.Workload, doc.Workload) || !reflect.DeepEqual(plain.Platform, doc.Platform) {
		return workload.Options{}, false
	}
	p := Prepared{doc: doc}
	return p.options(0), true
}

// cleaned returns the jobs of a log of which no record is kept; nil where records are
// needed, or nobody offers it.
func (p *Prepared) cleaned() (*workload.Cleaned, error) {
	o, alone := Alone(p.doc)
	if p.env.Cleaned == nil || !alone {
		return nil, nil
	}
	return p.env.Cleaned(*p.doc.Workload.Source.Log, o)
}
