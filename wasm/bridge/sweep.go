package bridge

import (
	"fmt"

	"batchlab/core/report"
)

// Span is items of a sweep (experiment.Items), From … To − 1.
type Span struct {
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
}

// Refused is an item of a sweep that cannot run, and why.
type Refused struct {
	Item  int    `json:"item"`
	Error string `json:"error"`
}

// magicSwept begins memory that holds runs of a sweep.
const magicSwept uint64 = 0x317077736c626162 // "bablswp1"

// PackSwept packs runs of a sweep and their measures, run by run.
func PackSwept(runs []report.Swept, values []float64) Packed {
	w := writer{magic: magicSwept}
	add(&w, runs)
	add(&w, values)
	return w.packed()
}

// UnpackSwept reads what PackSwept wrote, with as many measures a run as are
// said. The results alias columns.
func UnpackSwept(columns []byte, measures int) (runs []report.Swept, values []float64, err error) {
	in, err := newReader(columns, magicSwept)
	if err != nil {
		return nil, nil, fmt.Errorf("bridge: sweep: %w", err)
	}
	take(in, &runs)
	take(in, &values)
	in.same("measures of runs", len(values), len(runs)*measures)
	if err := in.end(); err != nil {
		return nil, nil, fmt.Errorf("bridge: sweep: %w", err)
	}
	return runs, values, nil
}
