//go:build !small

package workload_test

import (
	"strings"
	"testing"

	"batchlab/core/swf"
	"batchlab/core/workload"
)

const batsim = `{"nb_res": 8, "jobs": [
 {"id": "w0!3", "subtime": 0.9, "res": 4, "walltime": 100.5, "profile": "d"},
 {"id": 5, "subtime": 10, "res": 8, "profile": "c"},
 {"id": "x", "subtime": 5, "res": 1, "walltime": -1, "profile": "d"}],
"profiles": {"d": {"type": "delay", "delay": 60.7}, "c": {"type": "parallel_homogeneous", "cpu": 12e9, "com": 1}}}`

// A Batsim workload becomes a log: times are cut to seconds, numbers kept where
// there are some, and a job without walltime has no request.
func TestFromBatsim(t *testing.T) {
	l, err := workload.Parse([]byte(batsim))
	if err != nil {
		t.Fatal(err)
	}
	type job struct {
		number, submit int64
		run, procs     int32
		request, line  int32
	}
	want := []job{{3, 0, 60, 4, 100, 2}, {5, 10, 12, 8, -1, 3}, {3, 5, 60, 1, -1, 4}}
	for i, r := range l.Records {
		if got := (job{r.JobNumber, r.SubmitTime, r.RunTime, r.RequestedProcessors, r.RequestedTime, r.Line}); got != want[i] {
			t.Errorf("job %d: %+v, want %+v", i, got, want[i])
		}
	}
	if len(l.Records) != 3 || l.Header.MaxProcs != 8 || l.Unsorted.Count != 1 || !strings.Contains(l.Header.String(), "1 Gflop/s") {
		t.Errorf("%d records, %d processors, %d unsorted, header %s", len(l.Records), l.Header.MaxProcs, l.Unsorted.Count, l.Header.String())
	}
	w, _, err := workload.FromLog(l, workload.Options{})
	if err != nil || len(w.Jobs) != 3 {
		t.Fatal(err)
	}
	// Written as a log it is read back the same.
	again, err := swf.Parse(l.Append(nil))
	if err != nil || len(again.Records) != 3 || again.Records[1].RunTime != 12 {
		t.Errorf("written and read: %v", err)
	}
}

// A fault names the job and what is wrong; sound jobs stay.
func TestBatsimFaults(t *testing.T) {
	for _, tt := range []struct{ job, want string }{
		{`{"id":"a","subtime":1,"res":1,"profile":"no"}`, `job a: profile "no" is not defined`},
		{`{"id":"a","subtime":1,"res":1,"profile":"odd"}`, `job a: profile "odd" is of the type smpi: delay or parallel_homogeneous is expected`},
		{`{"id":"a","subtime":1,"res":1,"profile":"bad"}`, `job a: profile "bad": delay is soon: a number of at least 0 is expected`},
		{`{"id":7,"subtime":1,"res":0,"profile":"d"}`, `job 7: res is 0: 1 to`},
		{`{"id":7,"subtime":1,"res":1.5,"profile":"d"}`, `job 7: res is 1.5: a whole number is expected`},
		{`{"id":7,"subtime":"now","res":1,"profile":"d"}`, `job 7: subtime is now: a number is expected`},
		{`{"id":7,"subtime":-4,"res":1,"profile":"d"}`, `job 7: subtime is -4: 0 to`},
		{`{"id":7,"res":1,"profile":"d"}`, `job 7: it has no subtime`},
		{`{"id":7,"subtime":1,"res":1}`, `job 7: it names no profile`},
		{`[]`, `job at place 2: it is not an object`},
	} {
		text := `{"jobs":[{"id":1,"subtime":0,"res":1,"profile":"d"},` + tt.job + `],"profiles":{"d":{"type":"delay","delay":5},"odd":{"type":"smpi"},"bad":{"type":"delay","delay":"soon"}}}`
		l, err := workload.FromBatsim([]byte(text))
		if err != nil || len(l.Records) != 1 || l.Malformed != 1 {
			t.Errorf("%s: %v", tt.job, err)
			continue
		}
		if got := l.Problems[0].Text + ": " + l.Problems[0].What; !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.job, got, tt.want)
		}
	}
	for text, want := range map[string]string{
		`{"jobs":[],"profiles":{}}`:                                 "batsim: the list of jobs is empty",
		`{"jobs":{},"profiles":{}}`:                                 "batsim: jobs is not a list",
		`{"jobs":[],"profiles":[]}`:                                 "batsim: profiles is not an object",
		`{"jobs":[],"profiles":{}`:                                  "batsim: this is no valid JSON: the file may be cut off",
		`{"nb_res":"8","jobs":[],"profiles":{}}`:                    "batsim: nb_res is 8: a whole number from 1 on is expected",
		`{"jobs":[{"id":"q"}],"profiles":{}}`:                       "batsim: job q: it has no subtime; no job is left",
		`{"jobs":` + strings.Repeat("[", 100000) + `,"profiles":{}`: "batsim: arrays or objects are nested deeper than 32",
	} {
		if _, err := workload.Parse([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
}

// Whatever is given, FromBatsim ends with a log or an error.
func FuzzFromBatsim(f *testing.F) {
	f.Add([]byte(batsim))
	f.Add([]byte(`{"jobs":[{"id":null,"subtime":1e300,"res":1e300,"profile":1}],"profiles":{"":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, err := workload.FromBatsim(data); err == nil && len(l.Records) == 0 {
			t.Error("a log without jobs and no error")
		}
	})
}
