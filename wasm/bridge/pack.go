package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Words that packed memory begins with, so that one kind is not read as
// another.
const (
	magicRun    uint64 = 0x316e75726c626162 // "bablrun1"
	magicJobs   uint64 = 0x31626f6a6c626162 // "babljob1"
	magicRecord uint64 = 0x317968776c626162 // "bablwhy1"
)

// Packed is memory to send: parts to be laid out one after the other, each a
// multiple of eight bytes long but for the last bytes of padding that Size
// counts. The parts alias the slices that were packed.
type Packed struct {
	parts [][]byte
}

// Size is the number of bytes of the whole.
func (p Packed) Size() int {
	n := 0
	for _, part := range p.parts {
		n += padded(len(part))
	}
	return n
}

// Each calls f with every part and its offset in the whole. What lies between
// the parts is padding of any content.
func (p Packed) Each(f func(offset int, part []byte)) {
	at := 0
	for _, part := range p.parts {
		f(at, part)
		at += padded(len(part))
	}
}

// Bytes copies the whole into one piece of memory, as a receiver sees it.
func (p Packed) Bytes() []byte {
	b := Aligned(p.Size())
	p.Each(func(at int, part []byte) { copy(b[at:], part) })
	return b
}

// Aligned returns n zero bytes that begin on a multiple of eight, as Unpack
// functions want them.
func Aligned(n int) []byte {
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8)[:n:n]
}

func padded(n int) int { return (n + 7) &^ 7 }

// PackRun splits a run into its numbers, as JSON, and its columns.
func PackRun(r *report.Run) (head json.RawMessage, columns Packed, err error) {
	short := *r
	short.Licences = slices.Clone(r.Licences)
	for i := range short.Licences {
		l := &short.Licences[i]
		l.At, l.Used, l.Blocked = nil, nil, nil
	}
	short.Waits, short.Classes, short.Users, short.Series = report.CDF{}, nil, nil, report.Series{}
	if head, err = json.Marshal(&short); err != nil {
		return nil, Packed{}, fmt.Errorf("bridge: %w", err)
	}
	w := writer{magic: magicRun}
	add(&w, r.Waits.At)
	add(&w, r.Waits.Share)
	add(&w, r.Classes)
	add(&w, r.Users)
	addSeries(&w, &r.Series)
	c := &r.Columns
	add(&w, c.Start)
	add(&w, c.End)
	addSeries(&w, &c.Full)
	add(&w, c.Spans)
	add(&w, c.Before)
	add(&w, c.Away)
	for i := range r.Licences {
		l := &r.Licences[i]
		addSeries(&w, &report.Series{At: l.At, Used: l.Used, Waiting: l.Blocked})
	}
	add(&w, c.Submit)
	add(&w, c.Eligible)
	add(&w, c.Complaints)
	add(&w, c.Held)
	add(&w, c.Ended)
	add(&w, c.Cycles)
	return head, w.packed(), nil
}

// UnpackRun puts a run together again. Its slices alias columns.
func UnpackRun(head json.RawMessage, columns []byte) (*report.Run, error) {
	r := &report.Run{}
	if err := json.Unmarshal(head, r); err != nil {
		return nil, fmt.Errorf("bridge: run: %w", err)
	}
	in, err := newReader(columns, magicRun)
	if err != nil {
		return nil, fmt.Errorf("bridge: run: %w", err)
	}
	c := &r.Columns
	take(in, &r.Waits.At)
	take(in, &r.Waits.Share)
	take(in, &r.Classes)
	take(in, &r.Users)
	takeSeries(in, &r.Series)
	take(in, &c.Start)
	take(in, &c.End)
	takeSeries(in, &c.Full)
	take(in, &c.Spans)
	take(in, &c.Before)
	take(in, &c.Away)
	for i := range r.Licences {
		var line report.Series
		takeSeries(in, &line)
		l := &r.Licences[i]
		l.At, l.Used, l.Blocked = line.At, line.Used, line.Waiting
	}
	take(in, &c.Submit)
	take(in, &c.Eligible)
	take(in, &c.Complaints)
	take(in, &c.Held)
	take(in, &c.Ended)
	take(in, &c.Cycles)
	in.same("waits", len(r.Waits.At), len(r.Waits.Share))
	in.same("starts and ends", len(c.Start), len(c.End))
	if len(c.Ended) > 0 {
		in.same("starts and reasons of ends", len(c.Start), len(c.Ended))
	}
	if len(c.Submit) > 0 {
		in.same("starts and submissions", len(c.Start), len(c.Submit))
	}
	if len(c.Eligible) > 0 {
		in.same("starts and eligible times", len(c.Start), len(c.Eligible))
	}
	if err := in.end(); err != nil {
		return nil, fmt.Errorf("bridge: run: %w", err)
	}
	return r, nil
}

// PackJobs packs a workload's columns.
func PackJobs(j *report.Jobs) Packed {
	w := writer{magic: magicJobs}
	add(&w, j.Number)
	add(&w, j.Submit)
	add(&w, j.Limit)
	add(&w, j.Run)
	add(&w, j.Procs)
	add(&w, j.User)
	add(&w, j.Queue)
	add(&w, j.Marks)
	add(&w, j.Due)
	add(&w, j.NeedFrom)
	add(&w, j.Needs)
	add(&w, j.Wants)
	add(&w, j.Reserved)
	add(&w, j.After)
	return w.packed()
}

// UnpackJobs reads a workload's columns. They alias b.
func UnpackJobs(b []byte) (*report.Jobs, error) {
	in, err := newReader(b, magicJobs)
	if err != nil {
		return nil, fmt.Errorf("bridge: jobs: %w", err)
	}
	j := &report.Jobs{}
	take(in, &j.Number)
	take(in, &j.Submit)
	take(in, &j.Limit)
	take(in, &j.Run)
	take(in, &j.Procs)
	take(in, &j.User)
	take(in, &j.Queue)
	take(in, &j.Marks)
	take(in, &j.Due)
	take(in, &j.NeedFrom)
	take(in, &j.Needs)
	take(in, &j.Wants)
	take(in, &j.Reserved)
	take(in, &j.After)
	in.same("columns of jobs", len(j.Number), len(j.Submit), len(j.Limit), len(j.Run), len(j.Procs), len(j.User), len(j.Queue))
	if len(j.Marks) > 0 {
		in.same("jobs and marks", len(j.Number), len(j.Marks))
	}
	if len(j.Due) > 0 {
		in.same("jobs and deadlines", len(j.Number), len(j.Due))
	}
	if len(j.NeedFrom) > 0 {
		in.same("jobs and their licences", len(j.Number)+1, len(j.NeedFrom))
		in.rising("licences of jobs", j.NeedFrom, len(j.Needs))
	}
	if err := in.end(); err != nil {
		return nil, fmt.Errorf("bridge: jobs: %w", err)
	}
	return j, nil
}

// PackRecord packs what a run has recorded of its decisions.
func PackRecord(r *report.Record) Packed {
	w := writer{magic: magicRecord}
	add(&w, r.Why)
	add(&w, r.Foretold)
	add(&w, r.Retold)
	add(&w, r.Choices)
	return w.packed()
}

// UnpackRecord reads such a record. Its slices alias b.
func UnpackRecord(b []byte) (r report.Record, err error) {
	in, err := newReader(b, magicRecord)
	if err != nil {
		return r, fmt.Errorf("bridge: record: %w", err)
	}
	take(in, &r.Why)
	take(in, &r.Foretold)
	take(in, &r.Retold)
	take(in, &r.Choices)
	if len(r.Foretold)+len(r.Retold) > 0 {
		in.same("reasons and predictions", len(r.Why), len(r.Foretold), len(r.Retold))
	}
	if err := in.end(); err != nil {
		return report.Record{}, fmt.Errorf("bridge: record: %w", err)
	}
	return r, nil
}

// flat are the element types that may travel as raw memory: no pointers, the
// same layout at both ends.
type flat interface {
	int32 | int64 | float64 | model.Time | report.Why | report.Span | report.Piece | report.Away | report.Class | report.UserRow | report.Choice | report.Complaint | model.LicenceNeed | model.EndReason | report.Want | report.Reservation | report.After | report.Swept
}

// writer collects sections. The words at the front are the magic, the number
// of sections, and for each its element's size and its element count.
type writer struct {
	magic    uint64
	words    []uint64
	sections [][]byte
}

func add[T flat](w *writer, s []T) {
	var zero T
	w.words = append(w.words, uint64(unsafe.Sizeof(zero)), uint64(len(s)))
	w.sections = append(w.sections, memory(s))
}

func addSeries(w *writer, s *report.Series) {
	add(w, s.At)
	add(w, s.Used)
	add(w, s.Waiting)
}

func (w *writer) packed() Packed {
	words := append([]uint64{w.magic, uint64(len(w.sections))}, w.words...)
	front := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8)
	return Packed{parts: append([][]byte{front}, w.sections...)}
}

// memory is the memory of a slice, not copied.
func memory[T flat](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// reader hands out the sections of packed memory, each bounded by what is
// there. The first fault sticks.
type reader struct {
	words []uint64 // element size and count of the sections to come
	rest  []byte   // memory of the sections to come
	err   error
}

func newReader(b []byte, magic uint64) (*reader, error) {
	if len(b) < 16 {
		return nil, fmt.Errorf("%d bytes are too few", len(b))
	}
	if uintptr(unsafe.Pointer(unsafe.SliceData(b)))%8 != 0 {
		own := Aligned(len(b))
		copy(own, b)
		b = own
	}
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
	if words[0] != magic {
		return nil, fmt.Errorf("begins with %x instead of %x", words[0], magic)
	}
	n := words[1]
	if n > uint64(len(words)-2)/2 {
		return nil, fmt.Errorf("%d sections do not fit %d bytes", n, len(b))
	}
	end := 2 + 2*int(n)
	return &reader{words: words[2:end], rest: b[end*8:]}, nil
}

func take[T flat](r *reader, to *[]T) {
	if r.err != nil {
		return
	}
	if len(r.words) < 2 {
		r.err = errors.New("a section is missing")
		return
	}
	var zero T
	size, n := uint64(unsafe.Sizeof(zero)), r.words[1]
	switch {
	case r.words[0] != size:
		r.err = fmt.Errorf("a section's elements have %d bytes instead of %d", r.words[0], size)
		return
	case n > uint64(len(r.rest))/size:
		r.err = fmt.Errorf("a section of %d elements does not fit the %d bytes left", n, len(r.rest))
		return
	}
	r.words = r.words[2:]
	if n == 0 {
		return
	}
	*to = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(r.rest))), int(n))
	r.rest = r.rest[min(padded(int(n*size)), len(r.rest)):]
}

func takeSeries(r *reader, s *report.Series) {
	take(r, &s.At)
	take(r, &s.Used)
	take(r, &s.Waiting)
	r.same("columns of a series", len(s.At), len(s.Used), len(s.Waiting))
}

// same checks that columns that belong together are equally long.
func (r *reader) same(what string, n int, others ...int) {
	for _, m := range others {
		if r.err == nil && m != n {
			r.err = fmt.Errorf("%s differ in length: %d and %d", what, n, m)
		}
	}
}

// rising checks that places in a column of n go from its beginning to its end.
func (r *reader) rising(what string, at []int32, n int) {
	for i := range at {
		if r.err == nil && (i == 0 && at[i] != 0 || i > 0 && at[i] < at[i-1] || i+1 == len(at) && int(at[i]) != n) {
			r.err = fmt.Errorf("%s stand out of order", what)
		}
	}
}

// end returns the first fault, or one when something is left over.
func (r *reader) end() error {
	if r.err == nil && (len(r.words) > 0 || len(r.rest) > 0) {
		r.err = fmt.Errorf("%d sections and %d bytes too many", len(r.words)/2, len(r.rest))
	}
	return r.err
}
