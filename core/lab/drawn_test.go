//go:build !small

package lab

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/swf"
)

// Intent: what was drawn at random, written out and read back by the document,
// gives the same schedules: farms with licences, failures, weights, set-up times,
// eligibility, needs, deadlines that stop jobs, reservations, odd names.
func TestDrawnComesBack(t *testing.T) {
	const farm = `"workload":{"source":{"generator":{"key":"farm","params":{"jobs":150,"interarrival":60}}},"annotate":`
	docs := map[string]string{
		"plain":   `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"},{"key":"orig-bf"}]}`,
		"guarded": guardedDocument,
		"counted": `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"platform":{"failures":{"key":"exponential","params":{"mtbf":50000,"processors":20}}},"schedulers":[{"key":"easy"}]}`,
		"farm": `{"batchlab":1,"seed":5,` + farm + `{"deadlines":{"share":0.6,"on_due":"kill"},"weights":{"min":0.5,"max":3},"setup":{"min":0,"max":30},"licences":[{"licence":"*","share":0.08,"copies":2}]}},
"platform":{"generator":{"key":"farm-machines","params":{"machines":40,"licences":6}},"failures":{"key":"exponential","params":{"mtbf":20000,"repair":600}}},
"schedulers":[{"key":"fcfs"},{"key":"easy"},{"key":"bf-mod","repeat":2}]}`,
		"needs": `{"batchlab":1,` + farm + `{"needs":[{"share":0.4,"gpus":2},{"share":0.5,"memory":1000,"disk":7}],"eligible":[{"on":["big one1","old"],"share":0.3}],
"licences":[{"licence":"a b","share":0.3},{"licence":"x:2","share":0.3}]}},
"platform":{"clusters":[{"name":"big one","packing":"nodes","groups":[{"count":3,"processors":8,"gpus":4,"memory":4000,"disk":20,"licences":["a b","x:2"]}]},
{"name":"old","packing":"machine","groups":[{"count":4,"processors":8,"memory":900,"licences":["a b","=f"]},{"count":2,"processors":8,"gpus":2,"licences":["x:2"],"speed":0.5}]}],
"licences":[{"name":"a b","copies":3}],"power_scales":true},
"schedulers":[{"key":"fcfs"},{"key":"easy"},{"key":"conservative"},{"key":"bf-unmod"},{"key":"orig-bf"},{"key":"plan-rs","params":{"optimiser":"none"}}]}`,
		"grid": `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"clean":{"oversize":"clamp"},"annotate":{"reservations":{"share":0.3,"part":0.5,"ready":"drawn","factor_max":3}}},
"platform":{"clusters":[{"name":"North","groups":[{"count":60}]},{"name":"South","groups":[{"count":40}]}],
"reservations":[{"processors":70,"from":90000,"to":95000,"effort":"processors"}]},"schedulers":[{"key":"grid","params":{"end":"kill"}},{"key":"grid","params":{"binding":"static"}}]}`,
		"reacting": `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"react":{}},"schedulers":[{"key":"easy"}]}`,
	}
	for name, text := range docs {
		doc := decode(t, text)
		p, err := Prepare(doc, Env{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		drawn, needs, err := p.Drawn(0, "needs.csv")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if (needs != nil) != (name == "farm" || name == "needs" || name == "grid") {
			t.Errorf("%s: needs\n%.200s", name, needs)
		}
		back, err := experiment.Decode(experiment.Encode(drawn))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if back.Platform.Generator != nil || back.Platform.Failures != nil {
			t.Errorf("%s: something is still drawn", name)
		}
		again, err := Prepare(back, Env{File: func(l experiment.Log) ([]byte, error) { return needs, nil }})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for s := range doc.Schedulers {
			a, err := p.Run(RunID{Scheduler: s}, Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			block := a.Block
			b, err := again.Run(RunID{Scheduler: s}, Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !bytes.Equal(block, b.Block) {
				t.Errorf("%s, %s: another schedule", name, a.Report.Label)
			}
			if err := b.Schedule.Check(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			// System usage and the like rest on machines and needs as well.
			if !reflect.DeepEqual(a.Report.Metrics, b.Report.Metrics) {
				t.Errorf("%s, %s: other measures", name, a.Report.Label)
			}
		}
		// The platform by itself takes the place of the generator's.
		other, err := doc.WithPlatform(experiment.EncodePlatform(drawn))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if other.Platform.Failures = nil; !reflect.DeepEqual(other.Platform, drawn.Platform) {
			t.Errorf("%s: the platform by itself reads as\n%+v\ninstead of\n%+v", name, other.Platform, drawn.Platform)
		}
	}
}

// Intent: machines whose names do not tell them apart are not written wrongly.
func TestDrawnNamesTellApart(t *testing.T) {
	p, err := Prepare(decode(t, `{"batchlab":1,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":20}}},"annotate":{"eligible":[{"on":["big"],"share":1}]}},
"platform":{"clusters":[{"name":"a","packing":"machine","groups":[{"processors":8,"properties":["big"]},{"processors":8}]},{"name":"a1","packing":"machine","groups":[{"processors":8}]}]},
"schedulers":[{"key":"fcfs"}]}`), Env{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.Drawn(0, "needs.csv"); err == nil || !strings.Contains(err.Error(), "names do not tell the machines of this platform apart (a1)") {
		t.Error(err)
	}
}

// Intent: a file of annotations makes jobs reservations, whatever rules say; one
// that contradicts itself is refused at its place.
func TestReservationsOfAFile(t *testing.T) {
	const log = "; MaxProcs: 8\n1 0 -1 50 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1\n2 5 -1 30 8 -1 -1 8 40 -1 1 1 1 -1 -1 -1 -1 -1\n"
	run := func(key, csv string) (*Result, error) {
		doc := decode(t, `{"batchlab":1,"workload":{"source":{"log":{"name":"x","sha256":"`+strings.Repeat("0", 64)+`","size":5}},
"annotate":{"file":{"name":"needs.csv","sha256":"`+strings.Repeat("0", 64)+`","size":5}}},"schedulers":[{"key":"`+key+`"}]}`)
		p, err := Prepare(doc, Env{Log: func(experiment.Log) (*swf.Log, error) { return swf.Parse([]byte(log)) }, File: func(experiment.Log) ([]byte, error) { return []byte(csv), nil }})
		if err != nil {
			return nil, err
		}
		return p.Run(RunID{}, Options{})
	}
	const head = "job,reservation_from,reservation_to,reservation_length,reservation_effort\n"
	r, err := run("grid", head+"2,100,200,20,exact\n")
	if err != nil {
		t.Fatal(err)
	}
	if e := r.Schedule.Executions[1]; e.Start != 100 || e.End != 120 {
		t.Errorf("%+v", e)
	}
	for csv, want := range map[string]string{
		head + "2,1,200,20,exact\n":      "needs.csv: row 2: job 2: the reservation starts at 1, before it is asked for at 5",
		head + "2,100,90,20,exact\n":     "the reservation ends at 90, not after its start at 100",
		head + "2,100,110,20,exact\n":    "the reservation lasts 20 s, longer than its interval of 10 s",
		head + "2,100,110,,processors\n": "the reservation lasts 40 s, longer than its interval of 10 s",
		head + "2,100,,20,exact\n":       "needs.csv: row 2: a reservation needs reservation_from and reservation_to",
		head + "2,100,200,20,some\n":     `needs.csv: row 2: reservation_effort: "some" is not one of exact, processors, time`,
		head + "2,100,200,0,time\n":      `needs.csv: row 2: reservation_length: "0" is not a number of seconds, at least 1`,
	} {
		if _, err := run("grid", csv); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", csv, err, want)
		}
	}
	if r, err = run("easy", head+"2,100,200,20,exact\n"); err != nil {
		t.Fatal(err)
	}
	if e := r.Schedule.Executions[1]; e.Start != 100 || e.End != 120 {
		t.Errorf("beside EASY: %+v", e)
	}
}
