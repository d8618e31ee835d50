package lab

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
)

func decode(t *testing.T, text string) *experiment.Experiment {
	t.Helper()
	e, err := experiment.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// firstRun runs the first scheduler of a document that needs no files, once.
func firstRun(t *testing.T, text string) *Result {
	t.Helper()
	p, err := Prepare(decode(t, text), Env{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(RunID{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// startsOf returns when jobs began last by their numbers, −1 those that never did.
func startsOf(s *model.Schedule) map[int64]model.Time {
	list := map[int64]model.Time{}
	for i := range s.Executions {
		list[s.Workload.Jobs[s.Executions[i].Job].Number] = s.Executions[i].Start
	}
	return list
}

// sweeps are documents whose axes touch what workers keep from point to point:
// schedulers alone, measures alone, the workload, the machine, the seed, and
// how many runs there are.
var sweeps = []string{
	`{"batchlab":1,"workload":{"source":{"bundled":"demo"},"window":{"to":90000}},"schedulers":[{"key":"fcfs"},{"key":"easy"}],
	"vary":[{"path":"schedulers[1].params.order","values":["fcfs","saf"]},{"path":"measures.tau","values":[10,60]}]}`,
	`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":80}}}},"schedulers":[{"key":"easy","repeat":2},{"key":"conservative"}],
	"vary":[{"path":"workload.scale.load","values":[0.8,1.2]},{"path":"seed","values":[1,2]},{"path":"platform.processors","values":[64,100]}]}`,
	`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":40}}}},"schedulers":[{"key":"easy"}],
	"vary":[{"path":"schedulers[0].repeat","values":[1,3]},{"path":"workload.source","values":[{"bundled":"wide-jobs"},{"generator":{"key":"daily","params":{"jobs":30}}}]},
	{"path":"workload.window.to","values":[80000]}]}`,
	`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":60}}}},"schedulers":[{"key":"easy","repeat":2}],"vary":[{"path":"seed","values":[1,2]},
	{"cases":[{"name":"as it is"},{"name":"SAF, 64","set":{"schedulers[0].params.order":"saf","platform.processors":64}},{"name":"booked","set":{"platform.reservations":[{"processors":8,"from":20000,"to":30000}],"schedulers[0].repeat":1}}]}]}`,
}

// Intent: a sweep gives at each point what the point's document gives alone,
// whoever runs which item in whatever order; its digest goes over the runs of
// all points, and that of one point is that of the plain document.
func TestSweepEqualsPoints(t *testing.T) {
	for _, text := range sweeps {
		doc := decode(t, text)
		s, err := NewSweep(doc, Env{})
		if err != nil {
			t.Fatal(err)
		}
		var want [][]byte
		var texts []string
		for i := range s.Points.Len() {
			one, err := s.Points.At(i)
			if err != nil {
				t.Fatal(err)
			}
			var own [][]byte
			rep, err := Run(one, Env{}, Options{}, func(_ RunID, _ *Prepared, r *Result) error {
				own = append(own, bytes.Clone(r.Block))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Digest != experiment.Digest(own...) {
				t.Fatal("the digest of a plain document is not that of its blocks")
			}
			want = append(want, own...)
			for _, r := range rep.Runs {
				texts = append(texts, r.Workload)
			}
		}
		got, marks := make([][]byte, len(want)), make([]string, len(want))
		workers := []*SweepWorker{s.Worker(), s.Worker(), s.Worker()}
		if s.Items.Len() != len(want) {
			t.Fatalf("%d items, %d runs", s.Items.Len(), len(want))
		}
		for n, item := range rand.New(rand.NewPCG(1, 2)).Perm(s.Items.Len()) {
			w := workers[n%3]
			r, err := w.Run(item, Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, id, place, _ := w.At(item)
			point, _ := s.Items.Point(item)
			at := s.Items.First(point) + place
			got[at], marks[at] = bytes.Clone(r.Block), r.Report.Workload
			if r.Report.Scheduler != id.Scheduler || r.Report.Repetition != id.Repetition {
				t.Fatal("an item ran something else")
			}
		}
		if !slices.EqualFunc(got, want, bytes.Equal) || !slices.Equal(marks, texts) {
			t.Errorf("items do not give what points give: %.80s", text)
		}
		if _, err := Prepare(doc, Env{}); err != ErrVaries {
			t.Errorf("a document that varies is run as one: %v", err)
		}
	}
}

// Intent: a point that cannot run is named with its values, before anything
// runs where that can be told.
func TestSweepFaults(t *testing.T) {
	doc := decode(t, `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily"}}},"platform":{"processors":64},"schedulers":[{"key":"bf-mod"}],
	"vary":[{"path":"schedulers[0].params.deadline-min","values":[1,30]}]}`)
	s, err := NewSweep(doc, Env{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(0); err != nil {
		t.Error(err)
	}
	if err := s.Check(1); err == nil || !strings.HasPrefix(err.Error(), "point 2 of 2 (") {
		t.Errorf("a range that ends before it begins: %v", err)
	}
	doc = decode(t, `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}],"vary":[{"path":"workload.filter.min_procs","values":[1,100000]}]}`)
	if s, err = NewSweep(doc, Env{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Worker().Run(1, Options{}); err == nil || !strings.HasPrefix(err.Error(), "point 2 of 2 (workload.filter.min_procs = 100000): ") {
		t.Errorf("no jobs: %v", err)
	}
}

// Intent: a document that varies keeps its identity and its digest for ever,
// natively and as WebAssembly; the link is one that was sent once.
func TestSweepGolden(t *testing.T) {
	doc, err := experiment.DecodeLink("#x=zJDdbqM4GIZvZeVjiPhJgOTMEAgUwoSmSsuOKmSMAQOJE-yG0BH3vqK73dXewZz5s773eR_7F8iRwHWHcrBRJSCo6AjYAPgHHwi5AgkMrG87hgqw-QU4--gxmU8VuZAeCdbPQ0tGsAEFot0IJHBFPTrz-b5hOQcbTVGmaZokwHFNio-O9Bxsfn6nSlxyMEnfI0F8BNO7BO6oH7_WrkjUYPOvxoJj1JHFl9G81X2QGacsLEldaO8z6Z_Ef3U_1ffF31YLUfeE16z7X_jy0XWSbijK-9xMHleCxexf0IpwATbAypGR6wjnRFkZeaHpCJtrq1QLyyx0jaxKtCxyslKL0tTQyiqMUsPLXF3rZYFXploCCYge4a-PTdyHs69sjz9HdLCgHIYYZk4oKg8bl90n38bZuovpwy1tgzpvZpu9DVSW2_O-p975ZLpuUe1SJlhqU6uyXzuVom_OGIai2r0YFzfl2zhad_Hl4RZvBnUSs5XTgWb39hwT6rWB6fq3pkXGLUxtZP1-Pg93i4KZ84OqsCHa6XoZjopTBffSiLMmjdYh26kHFsmfr75K9wlHrDSNo3c6IAq9H8M2aEboPbGbpW6H7dJ8ChxPRB4sl9DNYJ32jy0mzx7nMGZp0smC6bqZ1AoeM0ia6FC8nr3bsS2btwDiZ6jR_QEeGiaSQBcd-tNyBWROpMtNudSc7HizxYvhZFyt12njRrubL8ttfXrRWGW_cDgGVmUfUXiPk_lN4xHW-fGR-DK0D0PwGlqJ7rfPeQS3aOc-lT2K17ISFP7-Pvhs_NRP1xq1V3-pgmn6KwAA__8")
	if err != nil {
		t.Fatal(err)
	}
	if want := "a7ee671fa258013ed4bc1816e7cd8a26b9784cb3f540c3cc7647bc68f3d37fec"; doc.Identity() != want {
		t.Errorf("identity %s, want %s", doc.Identity(), want)
	}
	s, err := NewSweep(doc, Env{})
	if err != nil {
		t.Fatal(err)
	}
	w, digest := s.Worker(), experiment.NewDigester()
	for item := range s.Items.Len() { // with one repetition, items go as the digest does
		r, err := w.Run(item, Options{})
		if err != nil {
			t.Fatal(err)
		}
		digest.Add(r.Block)
	}
	if digest.Sum() != doc.Expect {
		t.Errorf("digest %s, want %s", digest.Sum(), doc.Expect)
	}
}
