//go:build js && wasm && !small

package worker

import (
	"encoding/json"
	"time"

	"batchlab/core/lab"
)

// jobQuestion is a question about a job.
type jobQuestion struct {
	Scheduler int     `json:"scheduler"`
	Ask       lab.Ask `json:"ask"`
}

func jobAsked(in []byte) (lab.RunID, lab.Ask, error) {
	var q jobQuestion
	err := json.Unmarshal(in, &q)
	began := time.Now()
	q.Ask.Now = func() float64 { return time.Since(began).Seconds() }
	return lab.RunID{Scheduler: q.Scheduler}, q.Ask, err
}

// askJob says when a job would start.
func askJob(p *lab.Prepared, in []byte, progress func(done, total int) bool) (any, error) {
	id, ask, err := jobAsked(in)
	if err != nil {
		return nil, err
	}
	return p.When(id, ask, progress)
}

// askJobMap says it for other sizes and limits.
func askJobMap(p *lab.Prepared, in []byte, progress func(done, total int) bool) (any, error) {
	id, ask, err := jobAsked(in)
	if err != nil {
		return nil, err
	}
	return p.WhenMap(id, ask, progress)
}

// askJobHold says what holds the job back.
func askJobHold(p *lab.Prepared, in []byte, progress func(done, total int) bool) (any, error) {
	id, ask, err := jobAsked(in)
	if err != nil {
		return nil, err
	}
	return p.WhenHold(id, ask, progress)
}

// askJobQueue reads what squeue prints.
func askJobQueue(p *lab.Prepared, in []byte, _ func(done, total int) bool) (any, error) {
	var text string
	if err := json.Unmarshal(in, &text); err != nil {
		return nil, err
	}
	return p.ReadQueue([]byte(text))
}
