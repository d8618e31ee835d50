package experiment

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Limits of a trace in a document.
const (
	MaxTrace      = 2000 // characters that are read
	MaxTraceRuns  = 100  // more runs go without fingerprints
	traceBytes    = 450  // that are written, about 600 characters
	maxTraceMarks = 400  // of all runs together
)

// Trace is what a document may carry beside the expected digest, so that a
// recipient who gets another digest learns where the results part: a
// fingerprint of each run, and the starts of some of its jobs. It decides
// nothing; whether a result was reproduced is for the digest alone.
type Trace struct {
	Build // of the author
	Runs  []RunTrace
}

// RunTrace is one run's part of a trace.
type RunTrace struct {
	Jobs  int
	Sum   uint32 // over all jobs
	Marks []Mark // evenly spread, first and last job among them
}

// Mark is one job of a trace, by its place in order of (submission, number).
type Mark struct {
	Start  int64 // seconds, −1 rejected
	Prefix byte  // of the sum over all jobs up to and with this one
}

// TraceRun gives the executions of a run to make a trace of, in order of
// (submission, number).
type TraceRun struct {
	Count int
	Row   func(i int) DigestRow
}

// NewTrace returns a trace of runs, with as many marks as a link has room
// for.
func NewTrace(runs []TraceRun) *Trace {
	t := &Trace{Build: ThisBuild()}
	if len(runs) == 0 || len(runs) > MaxTraceRuns {
		return t
	}
	marks := maxTraceMarks / len(runs)
	for { // what is chosen takes as much room before its fingerprints are known
		t.Runs = t.Runs[:0]
		for _, r := range runs {
			t.Runs = append(t.Runs, chosen(r, marks))
		}
		size := len(t.appendTo(nil))
		if size <= traceBytes || marks == 0 {
			break
		}
		marks = min(marks-1, marks*traceBytes/size)
	}
	for i, r := range runs {
		t.Runs[i].sign(r)
	}
	return t
}

// markAt is where mark i of marks stands among jobs jobs.
func markAt(i, marks, jobs int) int {
	if marks < 2 {
		return 0
	}
	return int(int64(i) * int64(jobs-1) / int64(marks-1))
}

// chosen is a run's part of a trace without its fingerprints.
func chosen(r TraceRun, marks int) RunTrace {
	t := RunTrace{Jobs: r.Count}
	marks = min(marks, r.Count)
	for i := range marks {
		t.Marks = append(t.Marks, Mark{Start: r.Row(markAt(i, marks, r.Count)).Start})
	}
	return t
}

// sign goes through all jobs of the run and puts in the fingerprints.
func (t *RunTrace) sign(r TraceRun) {
	var h rolling
	next := 0
	for i := range r.Count {
		h.add(r.Row(i))
		if next < len(t.Marks) && markAt(next, len(t.Marks), r.Count) == i {
			t.Marks[next].Prefix = h.byte()
			next++
		}
	}
	t.Sum = h.sum()
}

// rolling is a fingerprint of executions, cheap and not against malice. Each
// step is one-to-one, so two that have parted meet again only by chance.
type rolling uint64

func (h *rolling) add(r DigestRow) {
	v := uint64(*h)
	for _, x := range [...]int64{r.Number, r.Submit, r.Start, r.End} {
		v = (v ^ uint64(x)) * 0x9e3779b97f4a7c15
		v ^= v >> 29
	}
	*h = rolling(v)
}

func (h rolling) sum() uint32 { return uint32(uint64(h) * 0xbf58476d1ce4e5b9 >> 32) }
func (h rolling) byte() byte  { return byte(h.sum() >> 24) }

// Difference is where a run parts from its trace. Places are those of the run
// in order of (submission, number), from 0.
type Difference struct {
	Jobs     int   // how many jobs the trace has
	From, To int   // the first job that differs is one of these; From = To: exactly this
	At       int   // the first job of which the trace knows another start, −1 none
	Start    int64 // that start, seconds
}

// Compare compares a run with its trace. ok is true when they agree.
func (t *RunTrace) Compare(r TraceRun) (d Difference, ok bool) {
	d = Difference{Jobs: t.Jobs, From: 0, To: max(0, min(t.Jobs, r.Count)-1), At: -1}
	var h rolling
	next, parted := 0, false
	for i := range r.Count {
		row := r.Row(i)
		h.add(row)
		if next == len(t.Marks) || markAt(next, len(t.Marks), t.Jobs) != i {
			continue
		}
		m := t.Marks[next]
		next++
		if !parted && (m.Prefix != h.byte() || m.Start != row.Start) {
			parted, d.To = true, i
		}
		if !parted {
			d.From = i + 1
		}
		if m.Start != row.Start && d.At < 0 {
			d.At, d.Start = i, m.Start
			break
		}
	}
	if d.At >= 0 {
		return d, false
	}
	d.From = min(d.From, d.To)
	return d, r.Count == t.Jobs && h.sum() == t.Sum
}

// Encode returns the text of a trace: base64url of a format byte, what made it, and of each run the number of jobs, the sum and the marks.
func (t *Trace) Encode() string { return base64.RawURLEncoding.EncodeToString(t.appendTo(nil)) }

const traceFormat = 1

func (t *Trace) appendTo(dst []byte) []byte {
	made := t.Engine
	if t.Version != "" {
		made += "/" + t.Version + "/" + t.Commit
	}
	dst = append(dst, traceFormat, byte(len(made)))
	dst = append(dst, made...)
	dst = binary.AppendUvarint(dst, uint64(len(t.Runs)))
	for i := range t.Runs {
		r := &t.Runs[i]
		dst = binary.AppendUvarint(dst, uint64(r.Jobs))
		dst = binary.LittleEndian.AppendUint32(dst, r.Sum)
		dst = binary.AppendUvarint(dst, uint64(len(r.Marks)))
		last := int64(0)
		for _, m := range r.Marks {
			dst = binary.AppendVarint(dst, m.Start-last)
			dst = append(dst, m.Prefix)
			last = m.Start
		}
	}
	return dst
}

var errTrace = errors.New("what it says for locating a difference is damaged")

// DecodeTrace reads the text of a trace. The work is bounded by MaxTrace.
func DecodeTrace(text string) (*Trace, error) {
	if len(text) > MaxTrace {
		return nil, fmt.Errorf("%w: it has %d characters; at most %d are read", errTrace, len(text), MaxTrace)
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < 3 {
		return nil, errTrace
	}
	if b[0] != traceFormat {
		return nil, fmt.Errorf("%w, or from a newer Batchlab", errTrace)
	}
	in := reader{b[2:], true}
	made := string(in.bytes(int(b[1])))
	for _, c := range made {
		in.ok = in.ok && c > ' ' && c < 0x7f
	}
	t := &Trace{}
	t.Engine, made, _ = strings.Cut(made, "/") // early builds wrote the engine alone
	t.Version, t.Commit, _ = strings.Cut(made, "/")
	for range in.count(MaxTraceRuns) {
		r := RunTrace{Jobs: in.count(1 << 31), Sum: binary.LittleEndian.Uint32(append(in.bytes(4), 0, 0, 0, 0))}
		marks := in.count(maxTraceMarks)
		in.ok = in.ok && marks <= r.Jobs
		last := int64(0)
		for i := 0; i < marks && in.ok; i++ {
			last += in.varint()
			m := Mark{Start: last}
			if p := in.bytes(1); len(p) == 1 {
				m.Prefix = p[0]
			}
			r.Marks = append(r.Marks, m)
		}
		if !in.ok {
			return nil, errTrace
		}
		t.Runs = append(t.Runs, r)
	}
	if !in.ok || len(in.rest) > 0 {
		return nil, errTrace
	}
	return t, nil
}

// reader takes values off its rest; ok turns false when it has too little.
type reader struct {
	rest []byte
	ok   bool
}

func (r *reader) bytes(n int) []byte {
	if !r.ok || n > len(r.rest) {
		r.ok = false
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) count(most int) int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > uint64(most) {
		r.ok = false
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.rest)
	if n <= 0 {
		r.ok = false
		return 0
	}
	r.rest = r.rest[n:]
	return v
}
