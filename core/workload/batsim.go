//go:build !small

package workload

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"batchlab/core/intake"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// BatsimSpeed is the flops per second of a processor that run times of Batsim's
// parallel_homogeneous profiles are computed with, since the platform's speed
// stands in another file.
const BatsimSpeed = 1e9

// batsimDepth bounds how deep arrays and objects may be nested.
const batsimDepth = 32

// maxProblems bounds the faults that are listed, as in a log.
const maxProblems = 1000

// isBatsim reports whether a file is a Batsim workload.
func isBatsim(w *swf.Window) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(w.Data, []byte("\ufeff")), " \t\r\n")
	return len(text) > 0 && text[0] == '{' && bytes.Contains(w.All(), []byte(`"jobs"`)) && bytes.Contains(w.Data, []byte(`"profiles"`))
}

// FromBatsim makes a log of a Batsim workload: an object with nb_res (the
// machine's size), jobs (each with id, subtime, res, optional walltime, and the
// name of its profile) and profiles. Profiles of the type delay run for delay
// seconds, those of parallel_homogeneous for cpu ÷ BatsimSpeed; their
// communication (com) is not simulated. Fractions of a second are cut off.
//
// A job whose id is a whole number, or ends in one ("w0!12"), keeps it; others
// are numbered by their place. A job at fault is left out and listed in
// Problems with its name; a file without any sound job, or that is no such
// workload, is an error.
func FromBatsim(data []byte) (*swf.Log, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := intake.CheckJSON(data, batsimDepth); err != nil {
		return nil, fmt.Errorf("batsim: %w", err)
	}
	root := gjson.ParseBytes(data)
	jobs, profiles := root.Get("jobs"), root.Get("profiles")
	switch {
	case !jobs.IsArray():
		return nil, errors.New("batsim: jobs is not a list")
	case !profiles.IsObject():
		return nil, errors.New("batsim: profiles is not an object")
	}
	l := &swf.Log{}
	size := int64(0)
	if n := root.Get("nb_res"); n.Exists() {
		if size = n.Int(); n.Type != gjson.Number || size < 1 || size > swf.MaxProcs || n.Num != float64(size) {
			return nil, fmt.Errorf("batsim: nb_res is %s: a whole number from 1 on is expected", brief(n))
		}
	}
	b := batsim{profiles: profiles.Map(), runs: map[string]batsimRun{}}
	at, line := 0, int32(1)
	place := 0
	jobs.ForEach(func(_, job gjson.Result) bool {
		place++
		if job.Index > at {
			line += int32(bytes.Count(data[at:job.Index], []byte{'\n'}))
			at = job.Index
		}
		r, fault := b.record(job, place)
		if fault != "" {
			l.Malformed++
			if len(l.Problems) < maxProblems {
				l.Problems = append(l.Problems, report.Problem{Line: int(line), Text: name(job, place), What: fault, Action: "job left out"})
			}
			return true
		}
		r.Line = line
		if n := len(l.Records); n > 0 && r.SubmitTime < l.Records[n-1].SubmitTime {
			l.Unsorted.Count++
			if len(l.Unsorted.Lines) < exampleLines {
				l.Unsorted.Lines = append(l.Unsorted.Lines, int(line))
			}
		}
		l.Records = append(l.Records, r)
		return true
	})
	if len(l.Records) == 0 {
		if len(l.Problems) > 0 {
			p := l.Problems[0]
			return nil, fmt.Errorf("batsim: %s: %s; no job is left", p.Text, p.What)
		}
		return nil, errors.New("batsim: the list of jobs is empty")
	}
	batsimHeader(l, size, b.homogeneous)
	return l, nil
}

// batsim is what the jobs of a workload share.
type batsim struct {
	profiles    map[string]gjson.Result
	runs        map[string]batsimRun // of the profiles seen
	homogeneous int                  // jobs whose run time was computed
}

// batsimRun is what a profile comes to: seconds, or why it cannot be used.
type batsimRun struct {
	seconds     float64
	homogeneous bool
	fault       string
}

// name says which job this is.
func name(job gjson.Result, place int) string {
	if id := job.Get("id"); id.Exists() {
		return "job " + brief(id)
	}
	return fmt.Sprintf("job at place %d", place)
}

// brief is a value as it stands, shortened.
func brief(v gjson.Result) string {
	text := v.String()
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:40], "") + "…"
	}
	return text
}

// record reads one job; fault says what is wrong with it.
func (b *batsim) record(job gjson.Result, place int) (r swf.Record, fault string) {
	if !job.IsObject() {
		return r, "it is not an object"
	}
	var submit, res, limit float64
	for _, f := range []struct {
		key        string
		to         *float64
		least, to2 float64
		optional   bool
	}{
		{"subtime", &submit, 0, swf.MaxSubmit, false},
		{"res", &res, 1, swf.MaxProcs, false},
		{"walltime", &limit, -1, swf.MaxSpan, true},
	} {
		v := job.Get(f.key)
		switch {
		case !v.Exists() && f.optional:
			*f.to = -1
			continue
		case !v.Exists():
			return r, "it has no " + f.key
		case v.Type != gjson.Number:
			return r, fmt.Sprintf("%s is %s: a number is expected", f.key, brief(v))
		case !(v.Num >= f.least && v.Num <= f.to2):
			return r, fmt.Sprintf("%s is %s: %g to %g is expected", f.key, brief(v), f.least, f.to2)
		}
		*f.to = v.Num
	}
	if res != math.Trunc(res) {
		return r, fmt.Sprintf("res is %v: a whole number is expected", res)
	}
	profile := job.Get("profile")
	if profile.Type != gjson.String {
		return r, "it names no profile"
	}
	run := b.run(profile.Str)
	if run.fault != "" {
		return r, run.fault
	}
	if run.homogeneous {
		b.homogeneous++
	}
	request := int32(swf.Unknown)
	if limit > 0 {
		request = max(1, int32(limit))
	}
	return swf.Record{
		JobNumber: number(job.Get("id"), place), SubmitTime: int64(submit), WaitTime: swf.Unknown, RunTime: int32(run.seconds), Status: 1,
		AllocatedProcessors: int32(res), RequestedProcessors: int32(res), RequestedTime: request,
		AverageCPUTimeUsed: swf.Unknown, UsedMemory: swf.Unknown, RequestedMemory: swf.Unknown,
		UserID: swf.Unknown, GroupID: swf.Unknown, ExecutableNumber: swf.Unknown, QueueNumber: swf.Unknown,
		PartitionNumber: swf.Unknown, PrecedingJobNumber: swf.Unknown, ThinkTime: swf.Unknown,
	}, ""
}

// run reads a profile, once.
func (b *batsim) run(key string) batsimRun {
	if run, ok := b.runs[key]; ok {
		return run
	}
	p, ok := b.profiles[key]
	run := batsimRun{}
	text := "profile " + strconv.Quote(key)
	field, divisor := "delay", 1.0
	switch kind := p.Get("type").String(); {
	case !ok:
		run.fault = text + " is not defined"
	case kind == "delay":
	case kind == "parallel_homogeneous":
		field, divisor, run.homogeneous = "cpu", BatsimSpeed, true
	case kind == "":
		run.fault = text + " has no type"
	default:
		run.fault = text + " is of the type " + brief(p.Get("type")) + ": delay or parallel_homogeneous is expected"
	}
	if run.fault == "" {
		v := p.Get(field)
		run.seconds = v.Num / divisor
		if v.Type != gjson.Number || !(run.seconds >= 0 && run.seconds <= swf.MaxSpan) {
			run.fault = fmt.Sprintf("%s: %s is %s: a number of at least 0 is expected", text, field, or(brief(v), "missing"))
		}
	}
	b.runs[key] = run
	return run
}

func or(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

// number is the whole number that an id is, or ends in after "!".
func number(id gjson.Result, place int) int64 {
	text := id.String()
	if i := strings.LastIndexByte(text, '!'); i >= 0 {
		text = text[i+1:]
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 && n < 1<<53 {
		return n
	}
	return int64(place)
}

// batsimHeader says where the records come from.
func batsimHeader(l *swf.Log, size int64, homogeneous int) {
	h := &l.Header
	h.Add("Version", "2.2")
	if size > 0 {
		h.Add("MaxProcs", strconv.FormatInt(size, 10))
	}
	h.Add("Note", "Read from a Batsim workload (JSON)")
	if homogeneous > 0 {
		h.Add("Note", fmt.Sprintf("Run times of %d jobs (profile parallel_homogeneous) are cpu / 1e9, as on processors of 1 Gflop/s; communication is not simulated", homogeneous))
	}
}
