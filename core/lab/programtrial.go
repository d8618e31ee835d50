//go:build !small

package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// trialCase is the small case on which a program is tried while it is written: 10
// processors, and jobs that FCFS, SJF, EASY, conservative backfilling and largest
// first each start at other times.
const trialCase = `{"batchlab":1,"workload":{"source":{"inline":{"processors":10,"columns":["submit","procs","requested","run","user"],"rows":[
	[0,4,21600,21600,1],[0,3,21600,14400,2],[60,6,14400,14400,1],[3660,5,3600,3600,3],[7260,5,36000,27000,2],[7320,2,10800,10800,1],[9120,2,10800,10800,1],[10920,7,21600,21600,2],[12720,2,21600,21600,3]]}}},"schedulers":[SCHEDULERS]}`

// trialKeys are the schedulers with which a program is compared on the small case.
var trialKeys = []string{"easy", "fcfs", "conservative", "sjf", "lsf"}

// TryProgram says what is wrong with a user's program, or what it does with a small
// case. progress may stop it, as in Options.
func TryProgram(code string, progress func(done, total int) bool) (*report.Trial, error) {
	t := &report.Trial{Check: CheckProgram(code)}
	var lines []string
	for _, key := range trialKeys {
		lines = append(lines, `{"key":"`+key+`"}`)
	}
	if len(t.Check.Faults) == 0 {
		text, err := json.Marshal(code)
		if err != nil {
			return nil, err
		}
		lines = append(lines, fmt.Sprintf(`{"key":"custom","params":{"code":%s}}`, text))
	}
	doc, err := experiment.Decode([]byte(strings.Replace(trialCase, "SCHEDULERS", strings.Join(lines, ","), 1)))
	if err != nil {
		return nil, err
	}
	p, err := Prepare(doc, Env{})
	if err != nil {
		return nil, err
	}
	bars := make([][]report.TrialBar, len(lines))
	for i := range lines {
		r, err := p.Run(RunID{Scheduler: i}, Options{Columns: true, Profile: true, Progress: progress})
		var stopped *ProgramError
		if errors.As(err, &stopped) {
			t.Stopped = &report.CodeFault{Line: stopped.Line, Column: stopped.Column, Message: stopped.Message}
			break
		}
		if i == len(trialKeys) && err != nil && !errors.Is(err, ErrCancelled) {
			t.Stopped = &report.CodeFault{Message: err.Error()}
			break
		}
		if err != nil {
			return nil, err
		}
		t.Processors = int32(r.Report.Processors)
		c := &r.Report.Columns
		for _, s := range c.Spans {
			bars[i] = append(bars[i], report.TrialBar{Job: r.Schedule.Workload.Jobs[s.Job].Number, Start: c.Start[s.Job], End: c.End[s.Job], First: s.First, Held: s.Count})
		}
		if i == len(trialKeys) {
			t.Own, t.Program = bars[i], r.Report.Program
		}
	}
	t.EASY = bars[0]
	if t.Own == nil {
		return t, nil
	}
	for i, key := range trialKeys {
		if startsAlike(bars[i], t.Own) {
			t.Like = append(t.Like, key)
		}
	}
	return t, nil
}

// startsAlike says whether every job starts at the same time.
func startsAlike(a, b []report.TrialBar) bool {
	start := map[int64]int64{}
	for _, x := range a {
		start[x.Job] = int64(x.Start)
	}
	for _, x := range b {
		if at, ok := start[x.Job]; !ok || at != int64(x.Start) {
			return false
		}
	}
	return true
}
