package report

import "batchlab/core/model"

// Trial is what comes of a user's program on a small case, beside EASY.
type Trial struct {
	Check      ProgramCheck `json:"check"`
	Stopped    *CodeFault   `json:"stopped,omitempty"` // what ended it on the small case
	Program    *Program     `json:"program,omitempty"` // what it did there, profiled; nil with faults
	Processors int32        `json:"processors,omitempty"`
	EASY       []TrialBar   `json:"easy,omitempty"` // what EASY does with the same jobs
	Own        []TrialBar   `json:"own,omitempty"`  // what the program does; empty with faults
	Case       *Case        `json:"case,omitempty"` // instead of all that: where it parts from another scheduler, as small as could be found
	Like       []string     `json:"like,omitempty"` // keys of schedulers that start every job of the case when it does
}

// TrialBar is a job of a small case on the processors that it holds.
type TrialBar struct {
	Job   int64      `json:"job"`
	Start model.Time `json:"start"`
	End   model.Time `json:"end"`
	First int32      `json:"first"` // the first of its processors
	Held  int32      `json:"held"`  // how many
}

// Case is a small experiment in which two schedulers part.
type Case struct {
	Document string     `json:"document"` // JSON: the other scheduler first, then the one that was asked about
	Jobs     int        `json:"jobs"`
	At       model.Time `json:"at"` // when they part first
}
