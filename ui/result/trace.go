package result

import (
	"fmt"
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// Difference is where the results part from what the opened link expects.
type Difference struct {
	By      experiment.Build // of the author; without an engine when the link does not say
	Damaged string           // why the link cannot say more, "" when it can
	Run     string           // "B EASY, repeat 2": the first run that differs; "" when the link cannot tell
	Jobs    string           // "Job 502" or "One of the jobs 498 to 502": the first that differs
	Times   string           // the two starts, in seconds of the workload
	More    int              // further runs that differ
}

// rows are a finished run's executions for a trace; nil while they are not here.
func (s *Tray) rows(r *Run) *experiment.TraceRun {
	jobs := s.Jobs[r.Repetition]
	if r.Status != engine.Done || r.Result == nil || jobs == nil || len(r.Result.Columns.Start) != len(jobs.Number) {
		return nil
	}
	c := &r.Result.Columns
	submit := c.Submitted(jobs)
	return &experiment.TraceRun{Count: len(jobs.Number), Row: func(i int) experiment.DigestRow {
		return experiment.DigestRow{Number: jobs.Number[i], Submit: int64(submit[i]), Start: int64(c.Start[i]), End: int64(c.End[i])}
	}}
}

// TraceText is the part of a link that lets a recipient find where another
// result differs, "" until all runs are done.
func (s *Tray) TraceText() string {
	if s.Digest == "" {
		return ""
	}
	if s.traced.version == s.Results && s.traced.text != "" {
		return s.traced.text
	}
	var runs []experiment.TraceRun
	if len(s.Runs) > experiment.MaxTraceRuns { // a trace of so many says nothing of their jobs
		runs = make([]experiment.TraceRun, len(s.Runs))
	} else {
		for _, r := range s.Runs {
			rows := s.rows(r)
			if rows == nil {
				return ""
			}
			runs = append(runs, *rows)
		}
	}
	s.traced.version, s.traced.text = s.Results, experiment.NewTrace(runs).Encode()
	return s.traced.text
}

// Difference says where the results differ from what the opened link or file
// expects; nil when they do not, or when it is not known yet.
func (s *Tray) Difference() *Difference {
	if s.Verdict() != "differs" {
		return nil
	}
	if s.differs != nil && s.differsAt == s.Results {
		return s.differs
	}
	d := &Difference{}
	s.differs, s.differsAt = d, s.Results
	if s.Ran.Trace == "" {
		return d
	}
	trace, err := experiment.DecodeTrace(s.Ran.Trace)
	if err != nil {
		d.Damaged = err.Error()
		return d
	}
	d.By = trace.Build
	if len(trace.Runs) != len(s.Runs) {
		return d
	}
	for i, r := range s.Runs {
		rows := s.rows(r)
		if rows == nil {
			continue
		}
		at, same := trace.Runs[i].Compare(*rows)
		switch {
		case same:
		case d.Run != "":
			d.More++
		default:
			d.Run = s.RunName(r)
			d.Jobs, d.Times = parted(at, rows)
		}
	}
	return d
}

// parted writes where a run parts from its trace.
func parted(at experiment.Difference, rows *experiment.TraceRun) (jobs, times string) {
	if rows.Count == 0 || at.Jobs != rows.Count {
		jobs = fmt.Sprintf("%s instead of %s. ", words.Count(rows.Count, "job", "jobs"), words.Int(at.Jobs))
	}
	if rows.Count == 0 {
		return strings.TrimSuffix(jobs, ". "), ""
	}
	number := func(i int) int64 { return rows.Row(i).Number }
	from, to := min(at.From, rows.Count-1), min(at.To, rows.Count-1)
	if from == to {
		jobs += fmt.Sprintf("The first job that differs is job %d", number(from))
	} else {
		jobs += fmt.Sprintf("The first job that differs is one of the %s from job %d to job %d by submission", words.Count(to-from+1, "job", "jobs"), number(from), number(to))
	}
	if at.At < 0 {
		if from == to {
			return jobs, fmt.Sprintf("it starts at %s as expected, but was submitted or ends at another time", second(rows.Row(from).Start))
		}
		return jobs, ""
	}
	who := "it"
	if at.At != from || from != to {
		who = fmt.Sprintf("job %d", number(at.At))
	}
	return jobs, fmt.Sprintf("%s was to start at %s and starts at %s", who, second(at.Start), second(rows.Row(at.At).Start))
}

func second(t int64) string {
	if t == -1 {
		return "no time (rejected)"
	}
	return words.Int(t) + words.NB + "s"
}
