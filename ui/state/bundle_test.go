package state

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// The .zip holds what it promises; a jobs file that is written in pieces is the
// same as in one, and the document in it expects the digest.
func TestBundle(t *testing.T) {
	const n = 2*2000 + 17
	f := &fake{t: t}
	s := New(f)
	s.Open(twoSchedulers(t), "", true)
	f.answer(&report.Preview{Name: "demo, so to speak", Jobs: n, Processors: 10, Header: "; Acknowledge: somebody"}, nil)
	jobs := jobsOf(n)
	jobs.Limit, jobs.Run, jobs.Procs = make([]model.Time, n), make([]model.Time, n), make([]int32, n)
	jobs.User = make([]int32, n)
	ends, first := starts(n), starts(n)
	var spans []report.Span
	for i := range n {
		jobs.Procs[i], jobs.Limit[i], jobs.Run[i] = 3, 100, model.Time(60+i%80)
		ends[i] += 60
		spans = append(spans, report.Span{Job: int32(i), First: int32(i % 7), Count: 2}, report.Span{Job: int32(i), First: 9, Count: 1})
	}
	for i, digest := range []string{"", strings.Repeat("ab", 32)} {
		f.runs[0].event(engine.Event{Run: i, Status: engine.Done, Digest: digest, Jobs: jobs, Result: &report.Run{
			Scheduler: i, Key: s.Ran.Schedulers[i].Key, Columns: report.Columns{Start: first, End: ends, Spans: spans}}})
	}
	b := s.NewBundle([]engine.File{{Name: "waits.svg", Data: []byte("<svg/>")}}, []engine.File{{Name: "platform.json", Data: []byte("{}")}})
	steps := 0
	for done := 0.0; done < 1; steps++ {
		var err error
		if done, err = b.Step(); err != nil || steps > 1000 {
			t.Fatalf("step %d: %v", steps, err)
		}
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(len(b.Bytes())))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range r.File {
		c, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(c)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] = string(data)
	}
	for _, name := range []string{"README.txt", "CITATION.txt", "summary.csv", "log-terms.txt", "charts/waits.svg", "platform.json"} {
		if got[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
	for i, name := range []string{"jobs-01-fcfs-0.csv", "jobs-02-easy-0.csv"} {
		whole, err := s.JobsCSV(s.Runs[i])
		if err != nil || got[name] != string(whole) || strings.Count(got[name], "\n") != n+1 {
			t.Errorf("%s: %d bytes instead of %d (%v)", name, len(got[name]), len(whole), err)
		}
	}
	if e, err := experiment.Decode([]byte(got["experiment.json"])); err != nil || e.Expect != s.Digest || e.Trace == "" {
		t.Errorf("the document: %v", err)
	}
	if !strings.Contains(got["CITATION.txt"], s.Ran.Identity()) {
		t.Error("the citation does not name the experiment")
	}
}
