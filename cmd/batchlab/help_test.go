package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"batchlab/core/swf"
)

// What the tests of the commands share.

// output is what a command gave.
type output struct {
	status         int
	stdout, stderr string
}

// batchlab runs a command line.
func batchlab(args ...string) output {
	var stdout, stderr bytes.Buffer
	status := dispatch(args, &stdout, &stderr)
	return output{status, stdout.String(), stderr.String()}
}

// object runs a command line that must end well and print exactly one JSON
// object, which it returns.
func object(t *testing.T, args ...string) map[string]any {
	t.Helper()
	out := batchlab(args...)
	if out.status != 0 {
		t.Fatalf("batchlab %v: exit %d: %s", args, out.status, out.stderr)
	}
	return one(t, out)
}

// one returns the one JSON object of an output.
func one(t *testing.T, out output) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(out.stdout))
	var o map[string]any
	if err := d.Decode(&o); err != nil {
		t.Fatalf("standard output is no JSON object: %v\n%s", err, out.stdout)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		t.Fatalf("something follows the one object: %v\n%s", err, out.stdout)
	}
	return o
}

// get walks into an object: get(o, "elapsed", "parse_s"), get(o, "runs", 0).
func get(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch k := p.(type) {
		case string:
			o, _ := v.(map[string]any)
			next, ok := o[k]
			if !ok {
				t.Fatalf("no key %q in %v", k, v)
			}
			v = next
		case int:
			a, _ := v.([]any)
			if k >= len(a) {
				t.Fatalf("no entry %d in %v", k, v)
			}
			v = a[k]
		}
	}
	return v
}

// write writes a file into a folder of the test and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// withStdin runs f with a text on standard input.
func withStdin(t *testing.T, text string, f func()) {
	t.Helper()
	file, err := os.Open(write(t, "stdin", text))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	before := os.Stdin
	os.Stdin = file
	defer func() { os.Stdin = before }()
	f()
}

// threeJobs is small enough to draw on paper. FCFS starts the jobs at 0, 10 and
// 20, since the second wants the whole machine; EASY lets the third start at 2.
const threeJobs = `; MaxProcs: 4
1 0 -1 10 2 -1 -1 2 10 -1 1 1 1 -1 -1 -1 -1 -1
2 1 -1 10 4 -1 -1 4 10 -1 1 2 1 -1 -1 -1 -1 -1
3 2 -1  5 2 -1 -1 2  5 -1 1 3 1 -1 -1 -1 -1 -1
`

// oneJob has no header.
const oneJob = "1 0 5 100 4 -1 -1 4 200 -1 1 1 1 1 1 -1 -1 -1\n"

// busy makes a log with most of what logs can hold: jobs that overran, asked
// for too much, never ran, share a number or an instant, stand out of order,
// or do not say what they requested.
func busy(seed uint64, n int) *swf.Log {
	r := rand.New(rand.NewPCG(seed, 1))
	l := new(swf.Log)
	l.Header.Add("MaxProcs", "16")
	at := int64(r.IntN(3) - 1)
	for i := range n {
		at = max(-1, at+int64(r.IntN(60)-5)*int64(r.IntN(2)))
		rec := swf.Record{
			JobNumber: int64(i + 1 - r.IntN(2)*r.IntN(2)), SubmitTime: at, WaitTime: int32(r.IntN(100) - 1),
			RunTime: max(-1, int32(r.IntN(200)-5)), AllocatedProcessors: int32(r.IntN(18)), RequestedProcessors: int32(r.IntN(18) - 1),
			RequestedTime: max(-1, int32(r.IntN(260)-20)), Status: int32(r.IntN(6)), UserID: int32(r.IntN(5)),
			AverageCPUTimeUsed: -1, UsedMemory: -1, RequestedMemory: -1, GroupID: -1, ExecutableNumber: -1,
			QueueNumber: -1, PartitionNumber: -1, PrecedingJobNumber: -1, ThinkTime: -1,
		}
		l.Records = append(l.Records, rec)
	}
	return l
}

// busyLog writes a busy log to a file.
func busyLog(t *testing.T, seed uint64, n int) string {
	t.Helper()
	return write(t, "busy.swf", string(busy(seed, n).Append(nil)))
}

// says checks that a command ended with a status and that its messages hold
// some words.
func says(t *testing.T, out output, status int, words ...string) {
	t.Helper()
	if out.status != status {
		t.Errorf("exit %d instead of %d; %q", out.status, status, out.stderr)
	}
	if status != 0 && status != notTheSame && out.stdout != "" {
		t.Errorf("a failed command prints on standard output: %q", out.stdout)
	}
	if missing := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.Contains(out.stderr, w) }); len(missing) > 0 {
		t.Errorf("messages lack %q:\n%s", missing, out.stderr)
	}
	if strings.Contains(out.stderr, "goroutine") || strings.Contains(out.stderr, "%!") {
		t.Errorf("messages hold what no user should see:\n%s", out.stderr)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// pack packs a text with gzip.
func pack(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// packedLog is a log packed with gzip, large enough to be cut and damaged.
func packedLog(t *testing.T) string {
	t.Helper()
	return pack(t, string(busy(1, 500).Append(nil)))
}
