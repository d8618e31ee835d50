package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"

	"batchlab/core/report"
)

// record is what one run leaves behind for the report: the texts that go into
// it as they are, the measures that are compared, and its part of the digest.
// It is written as JSON in one line and read back without a JSON parser, since
// a hundred thousand of them are merged in about a second.
type record struct {
	run       []byte // its JSON, in one line
	summary   []byte // its line of summary.csv behind the columns of the axes, without line feed
	providers []byte // its lines of providers.csv, likewise
	head      []byte // of the first run of a point: members of the point's JSON that come before the runs
	parts     []byte // JSON of report.Parts, where the experiment has cases; empty without, and of copies
	workload  []byte // fingerprint of the workload: runs compare only when these agree
	values    []report.Value
	block     []byte // packed
	trace     []byte // packed, in order of jobs; empty where there are too many runs
	traced    bool   // there is a trace

	again func() (*record, error) // of one without block and trace, which are left where they are: all of it
}

var b64 = base64.StdEncoding

// append appends the JSON of the record.
func (r *record) append(dst []byte) []byte {
	values := make([]byte, 0, 9*len(r.values))
	for _, v := range r.values {
		values = binary.LittleEndian.AppendUint64(values, math.Float64bits(v.Value))
	}
	for _, v := range r.values {
		valid := byte(0)
		if v.Valid {
			valid = 1
		}
		values = append(values, valid)
	}
	for _, part := range []struct {
		key  string
		data []byte
	}{{`{"block":"`, r.block}, {`","trace":"`, r.trace}, {`","values":"`, values}} {
		dst = b64.AppendEncode(append(dst, part.key...), part.data)
	}
	for _, part := range []struct {
		key  string
		text []byte
	}{{`","workload":`, r.workload}, {`,"summary":`, r.summary}, {`,"providers":`, r.providers}, {`,"head":`, r.head}, {`,"parts":`, r.parts}} {
		dst = append(append(dst, part.key...), plainJSON(string(part.text))...)
	}
	dst = append(append(dst, `,"run":`...), r.run...)
	return append(dst, '}')
}

var errRecord = errors.New("the result of a run is damaged")

// readRecord reads what append wrote. The texts stay those of data.
func readRecord(data []byte, keys []string) (*record, error) {
	r := &record{}
	ok := true
	packed := func(key string) (out []byte) {
		rest, found := bytes.CutPrefix(data, []byte(key))
		end := bytes.IndexByte(rest, '"')
		if !found || end < 0 {
			ok = false
			return nil
		}
		out, err := b64.AppendDecode(make([]byte, 0, b64.DecodedLen(end)), rest[:end])
		ok, data = ok && err == nil, rest[end:]
		return out
	}
	text := func(key string) []byte {
		rest, found := bytes.CutPrefix(data, []byte(key))
		if !found || len(rest) == 0 {
			ok = false
			return nil
		}
		end := 1
		for ; end < len(rest) && rest[end] != '"'; end++ {
			if rest[end] == '\\' {
				end++
			}
		}
		if end >= len(rest) {
			ok = false
			return nil
		}
		data = rest[end+1:]
		if body := rest[1:end]; bytes.IndexByte(body, '\\') < 0 {
			return body
		}
		var s string
		ok = ok && json.Unmarshal(rest[:end+1], &s) == nil
		return []byte(s)
	}
	r.block, r.trace = packed(`{"block":"`), packed(`","trace":"`)
	values := packed(`","values":"`)
	r.workload, r.summary, r.providers, r.head = text(`","workload":`), text(`,"summary":`), text(`,"providers":`), text(`,"head":`)
	r.parts = text(`,"parts":`)
	run, found := bytes.CutPrefix(data, []byte(`,"run":`))
	if !ok || !found || len(run) < 3 || len(values) != 9*len(keys) {
		return nil, errRecord
	}
	r.run, r.traced = run[:len(run)-1], len(r.trace) > 0
	r.values = make([]report.Value, len(keys))
	for i, key := range keys {
		r.values[i] = report.Value{Key: key, Value: math.Float64frombits(binary.LittleEndian.Uint64(values[8*i:])), Valid: values[8*len(keys)+i] == 1}
	}
	return r, nil
}

// plainJSON encodes a value in one line, without changing <, > and &.
func plainJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // what is printed are plain values; measures that are no numbers are left out before
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// light is a copy of the record without block and trace, and without anything else of
// the line that it was read from; again gives all of it.
func (r *record) light(again func() (*record, error)) *record {
	return &record{
		run: bytes.Clone(r.run), summary: bytes.Clone(r.summary), providers: bytes.Clone(r.providers), head: bytes.Clone(r.head), parts: bytes.Clone(r.parts), workload: bytes.Clone(r.workload),
		values: r.values, traced: r.traced, again: again,
	}
}
