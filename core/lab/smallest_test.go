//go:build !small

package lab

import (
	"errors"
	"strings"
	"testing"

	"batchlab/core/experiment"
)

// Intent: of a workload on which two schedulers part a case of a few jobs is left,
// on which they still part, at the instant that is told, and of which no job can be
// spared; the same each time.
func TestSmallest(t *testing.T) {
	const document = `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":150,"processors":16,"load":1.2}}}},"platform":PLATFORM,"schedulers":[A,B]}`
	for name, c := range map[string]struct{ platform, a, b string }{
		"a program":     {`{"processors":16}`, ownCode(example(t, "sjf")), `{"key":"easy"}`},
		"built in":      {`{"processors":16}`, `{"key":"conservative"}`, `{"key":"easy"}`},
		"with a memory": {`{"processors":16}`, ownCode(example(t, "fair-share")), `{"key":"easy"}`},
		"with an outage": {`{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":4,"processors":4}]}],"outages":[{"cluster":"a","nodes":[1],"from":90000,"to":120000,"announced":true}]}`,
			`{"key":"fcfs"}`, `{"key":"easy"}`},
	} {
		doc, err := experiment.Decode([]byte(strings.NewReplacer("PLATFORM", c.platform, "A", c.a, "B", c.b).Replace(document)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Prepare(doc, Env{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Smallest(RunID{}, 1, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		small, err := experiment.DecodeShared([]byte(got.Document))
		if err != nil {
			t.Fatal(err)
		}
		if got.Jobs > 12 || len(small.Workload.Source.Inline.Rows) != got.Jobs || small.Schedulers[0].Key != "easy" {
			t.Errorf("%s: %d jobs: %s", name, got.Jobs, got.Document)
		}
		if one := apart(t, small, Env{}); one == "" {
			t.Errorf("%s: they do not part: %s", name, got.Document)
		}
		for i := range got.Jobs { // nobody can be spared
			less := small.Clone()
			rows := less.Workload.Source.Inline.Rows
			less.Workload.Source.Inline.Rows = append(rows[:i:i], rows[i+1:]...)
			if one := apart(t, less, Env{}); one != "" {
				t.Errorf("%s: without row %d %s", name, i, one)
			}
		}
		again, err := p.Smallest(RunID{}, 1, Options{})
		if err != nil || *again != *got {
			t.Errorf("%s: another case the second time: %v %v", name, again, err)
		}
		if _, err := p.Smallest(RunID{}, 0, Options{}); !errors.Is(err, ErrSame) {
			t.Errorf("%s: a scheduler beside itself: %v", name, err)
		}
	}
}

// Intent: a case is numbered again, so that a file of predictions says nothing of it:
// where one of the two uses it that is the reason that is given, and where neither
// does it is no hindrance.
func TestSmallestBesideAFile(t *testing.T) {
	predict := `"predict":{"key":"file","file":{"name":"p.csv","sha256":"` + strings.Repeat("1", 64) + `","size":9}}`
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":150,"processors":16,"load":1.2}}}},"platform":{"processors":16},` +
		`"schedulers":[{"key":"easy","params":{"order":"saf","orders-by":"prediction"}},{"key":"fcfs"},{"key":"easy"}],` + predict + `}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(doc, Env{File: func(experiment.Log) ([]byte, error) { return []byte("job,predicted\n7,60\n"), nil }})
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]int{{0, 1}, {1, 0}} {
		if _, err := p.Smallest(RunID{Scheduler: pair[0]}, pair[1], Options{}); !errors.Is(err, ErrFile) {
			t.Errorf("%v: %v", pair, err)
		}
	}
	got, err := p.Smallest(RunID{Scheduler: 2}, 1, Options{})
	if err != nil || strings.Contains(got.Document, "p.csv") {
		t.Errorf("%+v, %v", got, err)
	}
}
