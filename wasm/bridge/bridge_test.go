package bridge

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// sample is a small run with something in every field.
func sample() *report.Run {
	return &report.Run{
		Scheduler: 1, Key: "easy", Label: "EASY", Repetition: 2, Jobs: 3, Processors: 100, Workload: "ab", Simulate: 0.25, Logged: true,
		Metrics:  []report.Value{{Key: "mean-wait", Value: 12.5, Valid: true}, {Key: "none"}},
		Waits:    report.CDF{At: []float64{0, 7}, Share: []float64{0.5, 1}},
		Classes:  []report.Class{{ProcsFrom: 1, ProcsTo: 4, LimitFrom: 0, LimitTo: model.Never, Jobs: 3, MeanWait: 1.5, MeanSlowdown: 2}},
		Users:    []report.UserRow{{User: -1, Jobs: 3, Area: 1 << 40, MeanWait: 3, MaxWait: 9, MeanSlowdown: 4}},
		Series:   report.Series{At: []model.Time{0, 5, 9}, Used: []int32{1, 2, 0}, Waiting: []int32{0, 1, 0}},
		Licences: []report.Licence{{Name: "cad", Copies: 2, Usage: 0.5, At: []model.Time{0, 3}, Used: []int32{1, 0}, Blocked: []int32{0, 2}}, {Name: "mesh"}},
		Columns: report.Columns{
			Start: []model.Time{0, -1, 1 << 50}, End: []model.Time{3, -1, 1<<50 + 1},
			Full:   report.Series{At: []model.Time{0, 5, 9}, Used: []int32{1, 2, 0}, Waiting: []int32{0, 1, 0}},
			Spans:  []report.Span{{Job: 0, First: 10, Count: 4}, {Job: 2, First: 0, Count: 1}},
			Before: []report.Piece{{Start: 1, End: 2, Job: 2, First: 4, Count: 3, Reason: 3}},
			Cycles: []model.Time{40, 30},
			Held:   []report.Away{{From: 6, To: 9, Entry: 3, Kind: report.HeldBefore, First: 1, Count: 2}},
			Away:   []report.Away{{From: 5, To: 1 << 40, Entry: 1, Kind: 1, First: 7, Count: 2}},
		},
	}
}

func record() *report.Record {
	return &report.Record{
		Why:      []report.Why{{Decision: report.BackfilledExtra, Head: 2, Waited: [9]model.Time{1, 2, 3, 4, 5, 6, 7, 8, 9}}, {Head: -1}, {}},
		Foretold: []model.Time{60, 0, 1 << 40}, Retold: []model.Time{70, 0, 9},
		Choices: []report.Choice{{At: 5, Costs: [5]float64{1, 2, 3, 4, 5.5}, Order: 2, Queue: 7}},
	}
}

// Intent: a run is the same after the journey, whichever address its memory
// arrives at; so are jobs and the record of decisions, and an empty run stays empty.
func TestPackAndUnpack(t *testing.T) {
	for name, run := range map[string]*report.Run{"full": sample(), "empty": {Key: "fcfs", Metrics: []report.Value{}}} {
		head, columns, err := PackRun(run)
		if err != nil {
			t.Fatal(err)
		}
		for shift := range 3 {
			moved := make([]byte, columns.Size()+8)[shift : shift+columns.Size()]
			copy(moved, columns.Bytes())
			got, err := UnpackRun(head, moved)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !reflect.DeepEqual(got, run) {
				t.Errorf("%s, shifted by %d:\n got %+v\nwant %+v", name, shift, got, run)
			}
		}
	}
	jobs := &report.Jobs{Number: []int64{7, 9}, Submit: []model.Time{0, 4}, Limit: []model.Time{10, 20}, Run: []model.Time{5, 6},
		Procs: []int32{1, 2}, User: []int32{-1, 3}, Queue: []int32{0, 1}, Marks: []int32{0, report.MarkReserved},
		Due: []model.Time{0, 90}, NeedFrom: []int32{0, 2, 3}, Needs: []model.LicenceNeed{{Licence: 1, Copies: 1}, {Licence: 0, Copies: 2}, {Licence: 2, Copies: 1}}}
	if got, err := UnpackJobs(PackJobs(jobs).Bytes()); err != nil || !reflect.DeepEqual(got, jobs) {
		t.Errorf("jobs: %+v, %v", got, err)
	}
	jobs.NeedFrom[1] = 4
	if _, err := UnpackJobs(PackJobs(jobs).Bytes()); err == nil || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("licences beyond the end: %v", err)
	}
	kept := record()
	if got, err := UnpackRecord(PackRecord(kept).Bytes()); err != nil || !reflect.DeepEqual(&got, kept) {
		t.Errorf("record: %+v, %v", got, err)
	}
	kept.Retold = kept.Retold[:2]
	if _, err := UnpackRecord(PackRecord(kept).Bytes()); err == nil {
		t.Error("a record with a prediction too few is read")
	}
}

// Intent: types that travel as raw memory hold no pointers, or the receiver
// would read addresses of another program.
func TestFlatTypesHoldNoPointers(t *testing.T) {
	var check func(reflect.Type)
	check = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Struct:
			for f := range typ.Fields() {
				check(f.Type)
			}
		case reflect.Array:
			check(typ.Elem())
		case reflect.Bool, reflect.Uint8, reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		default:
			t.Errorf("%v cannot travel as raw memory", typ)
		}
	}
	for _, v := range []any{report.Why{}, report.Span{}, report.Piece{}, report.Away{}, report.Class{}, report.UserRow{}, model.LicenceNeed{}, report.Swept{}} {
		check(reflect.TypeOf(v))
	}
}

// Intent: memory of another kind, cut short, too long or with columns of
// unequal length is refused with a message, not read.
func TestUnpackRefuses(t *testing.T) {
	head, columns, _ := PackRun(sample())
	good := columns.Bytes()
	change := func(f func([]byte) []byte) []byte { return f(slices.Clone(good)) }
	uneven := sample()
	uneven.Columns.End = uneven.Columns.End[:2]
	_, unevenColumns, _ := PackRun(uneven)
	for name, c := range map[string]struct {
		columns []byte
		want    string
	}{
		"empty":           {nil, "too few"},
		"jobs":            {PackJobs(&report.Jobs{}).Bytes(), "begins with"},
		"cut":             {good[:len(good)-8], "does not fit"},
		"long":            {append(slices.Clone(good), 0, 0, 0, 0, 0, 0, 0, 0), "too many"},
		"many sections":   {change(func(b []byte) []byte { b[15] = 0x7f; return b }), "sections do not fit"},
		"fewer sections":  {change(func(b []byte) []byte { b[8]--; return b }), ""},
		"huge count":      {change(func(b []byte) []byte { b[31] = 0xff; return b }), "does not fit"},
		"another element": {change(func(b []byte) []byte { b[16] = 4; return b }), "elements have 4 bytes"},
		"uneven":          {unevenColumns.Bytes(), "differ in length"},
	} {
		if _, err := UnpackRun(head, c.columns); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", name, err, c.want)
		}
	}
	if _, err := UnpackRun(json.RawMessage(`{`), good); err == nil {
		t.Error("a broken head was accepted")
	}
}

// Intent: requests and replies survive the journey; what is not one of them is
// refused with a message.
func TestMessages(t *testing.T) {
	q := Request{Kind: Run, ID: 3, Experiment: "{}", Scheduler: 1, Repetition: 4, Jobs: true}
	if got, err := DecodeRequest([]byte(Encode(q))); err != nil || !reflect.DeepEqual(got, q) {
		t.Errorf("request: %+v, %v", got, err)
	}
	p := Reply{Kind: Result, ID: 3, Run: json.RawMessage(`{"key":"easy"}`), Preview: &report.Preview{Name: "demo", Header: "; <&>\u2028"}, Digest: "00"}
	if got, err := DecodeReply([]byte(Encode(p))); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("reply: %+v, %v", got, err)
	}
	for _, bad := range []string{``, `null`, `[]`, `{"kind":"run","id":1}`, `{"kind":"runs","id":1,"experiment":"{}"}`, `{"kind":"cancel","id":0}`,
		`{"kind":"cancel","id":1}{}`, `{"kind":"cancel","id":1,"x":1}`, `{"kind":"run","id":1,"experiment":"{}","scheduler":-1}`, strings.Repeat("[", 10_000)} {
		if _, err := DecodeRequest([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), "bridge: ") {
			t.Errorf("request %.40q: %v", bad, err)
		}
	}
	for _, bad := range []string{``, `{"kind":"load","id":1}`, `{"kind":"progress","id":1,"done":2,"total":1}`, `{"kind":"error","id":1}`, `{"kind":"result","id":-1}`} {
		if _, err := DecodeReply([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), "bridge: ") {
			t.Errorf("reply %.40q: %v", bad, err)
		}
	}
}

// FuzzMessages: no head makes the decoders panic, and what they accept encodes
// to a head that they accept again.
func FuzzMessages(f *testing.F) {
	f.Add([]byte(Encode(Request{Kind: Run, ID: 1, Experiment: "{}"})))
	f.Add([]byte(Encode(Reply{Kind: Progress, ID: 1, Done: 1, Total: 2})))
	f.Add([]byte(`{"kind":"error","id":9,"error":"x","run":[1]}`))
	f.Fuzz(func(t *testing.T, head []byte) {
		if q, err := DecodeRequest(head); err == nil {
			if again, err := DecodeRequest([]byte(Encode(q))); err != nil || !reflect.DeepEqual(again, q) {
				t.Errorf("request %+v became %+v, %v", q, again, err)
			}
		}
		if p, err := DecodeReply(head); err == nil {
			if _, err := DecodeReply([]byte(Encode(p))); err != nil {
				t.Errorf("reply %+v: %v", p, err)
			}
		}
	})
}

// FuzzUnpack: no memory makes the readers panic or read beyond it.
func FuzzUnpack(f *testing.F) {
	head, columns, _ := PackRun(sample())
	f.Add([]byte(head), columns.Bytes())
	f.Add([]byte(`{}`), PackJobs(&report.Jobs{Number: []int64{1}}).Bytes())
	f.Add([]byte(`{}`), PackRecord(record()).Bytes())
	f.Fuzz(func(t *testing.T, head, columns []byte) {
		if r, err := UnpackRun(head, columns); err == nil {
			if again, packed, err := PackRun(r); err != nil {
				t.Error(err)
			} else if _, err := UnpackRun(again, packed.Bytes()); err != nil {
				t.Errorf("packed again: %v", err)
			}
		}
		if j, err := UnpackJobs(columns); err == nil {
			n := 0
			for _, p := range j.Procs {
				n += int(p)
			}
			_ = n
		}
		if r, err := UnpackRecord(columns); err == nil && len(r.Why) > len(columns)/8 {
			t.Errorf("%d reasons out of %d bytes", len(r.Why), len(columns))
		}
	})
}
