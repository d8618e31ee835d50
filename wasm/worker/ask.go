//go:build js && wasm && !small

package worker

import (
	"encoding/json"
	"fmt"

	"batchlab/core/lab"
)

// asks answers what views of the second program ask (annex.Ask), by name: p is the
// experiment with its log, in the question as JSON; progress returns false when the
// question is given up. What is returned goes back as JSON.
var asks = map[string]func(p *lab.Prepared, in []byte, progress func(done, total int) bool) (any, error){
	"truth":     askTruth,
	"job":       askJob,
	"job-map":   askJobMap,
	"job-hold":  askJobHold,
	"job-queue": askJobQueue,
	"pays":      askPays,
	"anonymous": askAnonymous,
}

// ask answers one question.
func (w *worker) ask(m message) (json.RawMessage, error) {
	answer, ok := asks[m.What]
	if !ok {
		return nil, fmt.Errorf("nobody answers %q", m.What)
	}
	p, err := w.prepare(m, 0)
	if err != nil {
		return nil, err
	}
	out, err := answer(p, []byte(m.In), w.watch(m.ID))
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// askAnonymous returns the log without names, moved by whole weeks where that is asked.
func askAnonymous(p *lab.Prepared, in []byte, _ func(done, total int) bool) (any, error) {
	var shift bool
	if err := json.Unmarshal(in, &shift); err != nil {
		return nil, err
	}
	return p.Anonymous(shift)
}

// askTruth sets a scheduler, by its index, beside what the log says happened.
func askTruth(p *lab.Prepared, in []byte, progress func(done, total int) bool) (any, error) {
	var scheduler int
	if err := json.Unmarshal(in, &scheduler); err != nil {
		return nil, err
	}
	return p.TruthOf(scheduler, progress)
}
