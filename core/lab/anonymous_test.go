//go:build !small

package lab_test

import (
	"regexp"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/intake"
	"batchlab/core/lab"
	"batchlab/core/swf"
)

// Intent: what may go out is the log and what is beside it, with numbers in the place of
// names; moved by weeks, it keeps the day of the week and the second, and every job.
func TestAnonymous(t *testing.T) {
	r, err := intake.Read(intake.Options{}, []byte("JobID|User|Partition|Account|Submit|Start|End|State|NCPUS|NNodes\n7|zoe|zpart|zacc|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:10|COMPLETED|4|2\n8|yan|zpart|zacc|2026-11-24T08:00:00|None|2026-11-24T09:00:00|CANCELLED by 5|4|2\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"log":{"name":"jobs.psv","sha256":"` + strings.Repeat("0", 64) + `","size":1}}},"platform":{"processors":8},"schedulers":[{"key":"fcfs"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := lab.Prepare(e, lab.Env{Log: func(experiment.Log) (*swf.Log, error) { return r.Log, nil }})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := p.Anonymous(false)
	if err != nil || string(plain.Log) != string(r.Log.Append(nil)) || string(plain.Extra) != string(r.AppendExtra(nil)) {
		t.Fatalf("%v\n%s\n%s", err, plain.Log, plain.Extra)
	}
	moved, err := p.Anonymous(true)
	if err != nil || regexp.MustCompile("zoe|yan|zpart|zacc").Match(append(moved.Log, moved.Extra...)) {
		t.Fatalf("%v\n%s", err, moved.Log)
	}
	// 2026-11-23 is a Monday, as 2001-01-01 is.
	if want := strings.Replace(string(plain.Log), "UnixStartTime: 1795420800", "UnixStartTime: 978336000", 1); string(moved.Log) != want || want == string(plain.Log) {
		t.Errorf("%s\nwant\n%s", moved.Log, want)
	}
	if string(plain.Log) != string(r.Log.Append(nil)) || string(moved.Extra) != string(plain.Extra) {
		t.Error("the log itself was changed")
	}
}
