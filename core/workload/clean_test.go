package workload_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// logOf returns a log on 8 processors with one line of
// "number submit wait run allocated requested limit [status [preceding]]" each.
func logOf(t testing.TB, lines ...string) *swf.Log {
	t.Helper()
	return parse(t, "; MaxProcs: 8\n"+swfLines(lines))
}

func swfLines(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		f := strings.Fields(line)
		status, preceding := "1", "-1"
		if len(f) > 7 {
			status = f[7]
		}
		if len(f) > 8 {
			preceding = f[8]
		}
		fmt.Fprintln(&b, f[0], f[1], f[2], f[3], f[4], -1, -1, f[5], f[6], -1, status, i%3, 1, -1, 2, -1, preceding, -1)
	}
	return b.String()
}

func parse(t testing.TB, text string) *swf.Log {
	t.Helper()
	l, err := swf.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// jobs words a workload as "number@submit procs×run/limit".
func jobs(w *model.Workload) string {
	var b strings.Builder
	for i := range w.Jobs {
		j := &w.Jobs[i]
		fmt.Fprintf(&b, "%d@%d %dx%d/%d, ", j.Number, j.Submit, j.Procs, w.Executed(model.JobID(i)), j.Limit)
	}
	return strings.TrimSuffix(b.String(), ", ")
}

// reasons words counts as "reason:jobs[lines]".
func reasons(counts []report.Count) string {
	var b strings.Builder
	for _, c := range counts {
		fmt.Fprintf(&b, "%s:%d%v ", c.Reason, c.Jobs, c.Lines)
	}
	return strings.TrimSpace(b.String())
}

// Rule 2, case by case: what a line becomes, and what the report says of it.
func TestClean(t *testing.T) {
	tests := []struct {
		name    string
		options workload.Options
		line    string
		jobs    string // "" left out
		report  string
	}{
		{"a plain job", workload.Options{}, "1 5 0 60 4 4 100", "1@5 4x60/100", ""},
		{"requested processors come first", workload.Options{}, "1 5 0 60 8 4 100", "1@5 4x60/100", ""},
		{"allocated ones stand in for unknown", workload.Options{}, "1 5 0 60 8 -1 100", "1@5 8x60/100", ""},
		{"and for zero", workload.Options{}, "1 5 0 60 8 0 100", "1@5 8x60/100", ""},
		{"no processors at all", workload.Options{}, "1 5 0 60 -1 -1 100", "", "no-processors:1[3]"},
		{"no processors and never ran counts once", workload.Options{}, "1 5 0 -1 -1 0 100", "", "no-processors:1[3]"},
		{"never ran", workload.Options{}, "1 5 0 -1 4 4 100", "", "never-ran:1[3]"},
		{"ran for no time", workload.Options{}, "1 5 0 0 4 4 100", "", "never-ran:1[3]"},
		{"larger than the machine", workload.Options{}, "1 5 0 60 9 9 100", "", "oversize:1[3]"},
		{"as large as the machine", workload.Options{}, "1 5 0 60 8 8 100", "1@5 8x60/100", ""},
		{"larger, clamped", workload.Options{Oversize: "clamp"}, "1 5 0 60 9 9 100", "1@5 8x60/100", "oversize:1[3]"},
		{"a given size overrides the log's", workload.Options{Processors: 16}, "1 5 0 60 9 9 100", "1@5 9x60/100", ""},
		{"also downwards", workload.Options{Processors: 2}, "1 5 0 60 3 3 100", "", "oversize:1[3]"},
		{"no request: the run time", workload.Options{}, "1 5 0 60 4 4 -1", "1@5 4x60/60", "no-request:1[3]"},
		{"a request of zero is none", workload.Options{}, "1 5 0 60 4 4 0", "1@5 4x60/60", "no-request:1[3]"},
		{"overrun is killed by default", workload.Options{}, "1 5 0 101 4 4 100", "1@5 4x100/100", "overrun:1[3]"},
		{"overrun extends the request", workload.Options{Overrun: "extend"}, "1 5 0 101 4 4 100", "1@5 4x101/101", "overrun:1[3]"},
		{"overrun drops", workload.Options{Overrun: "drop"}, "1 5 0 101 4 4 100", "", "overrun:1[3]"},
		{"exactly the request is no overrun", workload.Options{Overrun: "drop"}, "1 5 0 100 4 4 100", "1@5 4x100/100", ""},
		{"a cancelled job that ran stays", workload.Options{}, "1 5 0 60 4 4 100 5", "1@5 4x60/100", ""},
		{"a failed job stays", workload.Options{}, "1 5 0 60 4 4 100 0", "1@5 4x60/100", ""},
		{"an odd status stays", workload.Options{}, "1 5 0 60 4 4 100 17", "1@5 4x60/100", ""},
		{"a partial execution stays and counts", workload.Options{}, "1 5 0 60 4 4 100 3", "1@5 4x60/100", "partial-execution:1[3]"},
		{"a preceding job counts", workload.Options{}, "1 5 0 60 4 4 100 1 7", "1@5 4x60/100", "dependencies:1[3]"},
		{"a first submission of -1", workload.Options{}, "1 -1 0 60 4 4 100", "1@-1 4x60/100", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := logOf(t, "0 -1 0 1 1 1 1", tt.line) // a first job that always stays
			w, clean, err := workload.FromLog(l, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.TrimSuffix("0@-1 1x1/1, "+tt.jobs, ", ")
			if got := jobs(w); got != want {
				t.Errorf("jobs are %s, want %s", got, want)
			}
			if got := reasons(clean.Counts); got != tt.report {
				t.Errorf("report says %s, want %s", got, tt.report)
			}
			if clean.Lines != 2 || clean.Kept != len(w.Jobs) {
				t.Errorf("report has %d lines, %d kept", clean.Lines, clean.Kept)
			}
		})
	}
}

// What only the log as a whole shows is counted as well: damaged lines, extra
// fields, order, and numbers that come twice. Five lines stand as examples.
func TestCleanCountsOfTheLog(t *testing.T) {
	text := "; MaxProcs: 8\nhello\n" +
		swfLines([]string{"7 90 -1 60 4 4 100", "3 50 -1 60 4 4 100", "7 50 -1 60 4 4 100", "3 50 -1 61 4 4 100"}) +
		strings.TrimSpace(swfLines([]string{"8 90 -1 60 4 4 100"})) + " extra\n" +
		strings.Repeat(swfLines([]string{"9 95 -1 -1 4 4 100"}), 7)
	w, clean, err := workload.FromLog(parse(t, text), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "malformed:1[2] never-ran:7[8 9 10 11 12] duplicate-number:2[5 6] unsorted:1[4] extra-fields:1[7]"
	if got := reasons(clean.Counts); got != want {
		t.Errorf("report says %s, want %s", got, want)
	}
	if clean.Lines != 13 || clean.Malformed != 1 || clean.Kept != 5 || len(clean.Problems) != 1 {
		t.Errorf("report is %+v", clean)
	}
	if got, want := jobs(w), "3@50 4x60/100, 3@50 4x61/100, 7@50 4x60/100, 7@90 4x60/100, 8@90 4x60/100"; got != want {
		t.Errorf("jobs are %s, want %s", got, want)
	}
	if w.Jobs[0].Record != 1 || w.Jobs[1].Record != 3 || w.Jobs[3].Record != 0 {
		t.Errorf("records are %+v", w.Jobs)
	}
}

// The machine's size: given, else MaxProcs, else MaxNodes, else a question.
func TestMachineSize(t *testing.T) {
	tests := []struct {
		header string
		given  int64
		want   int
	}{
		{"; MaxProcs: 128\n; MaxNodes: 64\n", 0, 128},
		{"; MaxProcs: 128\n", 32, 32},
		{"; MaxNodes: 338 (batch partition; 512 total)\n", 0, 338},
		{"; MaxProcs: -1\n; MaxNodes: 64\n", 0, 64},
		{"; Version: 2.2\n", 0, 0},
		{"", 0, 0},
		{"", 5, 5},
	}
	for _, tt := range tests {
		l := parse(t, tt.header+swfLines([]string{"1 0 0 60 4 4 100"}))
		got, err := workload.MachineSize(l, tt.given)
		if got != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("%q, given %d: %d, %v, want %d", tt.header, tt.given, got, err, tt.want)
		}
		w, _, err := workload.FromLog(l, workload.Options{Processors: tt.given})
		if tt.want == 0 {
			if !errors.Is(err, workload.ErrNoMachineSize) || workload.LargestJob(l) != 4 {
				t.Errorf("%q: %v, largest job %d", tt.header, err, workload.LargestJob(l))
			}
		} else if err != nil || w.Processors != tt.want {
			t.Errorf("%q, given %d: %v", tt.header, tt.given, err)
		}
	}
}

// A header whose size cannot be used is quoted with its line, and what is used
// instead is said: in the error where nothing is, else in the report.
func TestUnusableMachineSize(t *testing.T) {
	for _, tt := range []struct {
		header string
		given  int64
		err    string // of the size; "" none
		count  string // in the report; "" none
	}{
		{"; MaxProcs: abc\n", 0, `(line 1, MaxProcs: "abc" is no number of processors; it has no MaxNodes)`, ""},
		{"; Version: 2.2\n; MaxProcs:\n; MaxNodes: 0\n", 0, `(line 2, MaxProcs: "" is no number of processors; line 3, MaxNodes: "0" is no number of processors)`, ""},
		{"; MaxProcs: -1\n", 0, "(line 1, MaxProcs: −1 is unknown; it has no MaxNodes)", ""},
		{"", 0, "(it has no MaxProcs; it has no MaxNodes)", ""},
		{"; MaxProcs: abc\n; MaxNodes: 16\n", 0, "", `The machine has 16 processors, as line 2 of the log states (MaxNodes: 16); line 1, MaxProcs: "abc" is no number of processors`},
		{"; MaxProcs: -1\n; MaxNodes: 16\n", 0, "", ""},
		{"; MaxProcs: abc\n", 16, "", ""},
		{"; MaxProcs: 1,024\n", 0, "no jobs are left", "The machine has 1 processor, as line 1 of the log states (MaxProcs: 1,024)"},
		{"; MaxProcs: 64\n", 2, "no jobs are left", "The machine has 2 processors, as given"},
	} {
		_, clean, err := workload.FromLog(parse(t, tt.header+swfLines([]string{"1 0 0 60 4 4 100"})), workload.Options{Processors: tt.given})
		if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%q: %v, want %s", tt.header, err, tt.err)
		}
		said := ""
		for _, c := range clean.Counts {
			if c.Reason == "machine-size" {
				said += c.Text
			}
		}
		if said != tt.count {
			t.Errorf("%q: the report says %q, want %q", tt.header, said, tt.count)
		}
	}
}

// A size beyond all machines is named with its place: the document's, or the
// line and field of the header.
func TestMachineTooLarge(t *testing.T) {
	for _, tt := range []struct {
		header string
		given  int64
		want   string
	}{
		{"; Version: 2.2\n;Note: MaxProcs: 7\n; MaxProcs: 10000000000\n", 0, "workload: line 3, MaxProcs: 10000000000 processors are too many: at most 2147483647"},
		{"; MaxNodes: 2147483648\n", 0, "workload: line 1, MaxNodes: 2147483648 processors are too many: at most 2147483647"},
		{"; MaxProcs: 8\n", 1 << 40, "workload: platform.processors: 1099511627776 processors are too many: at most 2147483647"},
	} {
		l := parse(t, tt.header+swfLines([]string{"1 0 0 60 4 4 100"}))
		if _, err := workload.MachineSize(l, tt.given); err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

// Errors say what is wrong and, where no job is left, why; the report is filled
// all the same.
func TestErrors(t *testing.T) {
	good := "1 0 0 60 4 4 100"
	tests := []struct {
		text    string
		options workload.Options
		want    string
		noJobs  bool
	}{
		{swfLines([]string{good}), workload.Options{Overrun: "stop"}, `workload: overrun "stop": kill, extend or drop is expected`, false},
		{swfLines([]string{good}), workload.Options{Oversize: "cut"}, `workload: oversize "cut": drop or clamp is expected`, false},
		{swfLines([]string{good}), workload.Options{Processors: -3}, "workload: platform.processors: -3: 1 … 2147483647 are expected", false},
		{swfLines([]string{good}), workload.Options{Load: math.NaN()}, "workload: workload.scale.load: NaN: 0.001 … 1000 is expected", false},
		{swfLines([]string{good}), workload.Options{Time: 1e9}, "workload: workload.scale.time: 1e+09: 0.001 … 1000 is expected", false},
		{"", workload.Options{}, "workload: the log holds no job lines: no jobs are left", true},
		{"1 2 3\n4 5 6\n", workload.Options{}, "workload: none of the 2 job lines can be read, first line 2: 3 fields, 18 expected: line left out: no jobs are left", true},
		{"1 2 3\n" + swfLines([]string{"1 0 0 -1 4 4 100"}), workload.Options{}, "workload: of 2 job lines cleaning keeps none: no jobs are left", true},
		{swfLines([]string{good}), workload.Options{MinProcs: 5}, "workload: filter and window keep none of 1 jobs: no jobs are left", true},
	}
	for _, tt := range tests {
		l := parse(t, "; MaxProcs: 8\n"+tt.text)
		w, clean, err := workload.FromLog(l, tt.options)
		if w != nil || err == nil || err.Error() != tt.want || errors.Is(err, workload.ErrNoJobs) != tt.noJobs {
			t.Errorf("%+v: %v, want %s", tt.options, err, tt.want)
		}
		if clean.Lines != l.Lines() {
			t.Errorf("%+v: report has %d lines", tt.options, clean.Lines)
		}
	}
}

// plainClean is the twin of Clean: rule 2 in its own words, job by job, with a
// stable sort.
func plainClean(l *swf.Log, size int, overrun, oversize string) (result []plainJob) {
	for i, r := range l.Records {
		procs, limit, run := int(r.RequestedProcessors), int(r.RequestedTime), int(r.RunTime)
		if procs <= 0 {
			procs = int(r.AllocatedProcessors)
		}
		if procs <= 0 || run <= 0 || procs > size && oversize == "drop" {
			continue
		}
		procs = min(procs, size)
		if limit <= 0 {
			limit = run
		}
		if run > limit && overrun == "drop" {
			continue
		}
		if overrun == "extend" {
			limit = max(limit, run)
		}
		result = append(result, plainJob{int(r.JobNumber), int(r.SubmitTime), procs, min(run, limit), limit, i})
	}
	slices.SortStableFunc(result, func(a, b plainJob) int {
		return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(a.number, b.number))
	})
	return result
}

type plainJob struct{ number, submit, procs, run, limit, record int }

func sameAsPlain(t *testing.T, l *swf.Log, o workload.Options) {
	t.Helper()
	w, clean, err := workload.FromLog(l, o)
	want := plainClean(l, int(o.Processors), o.Overrun, o.Oversize)
	if len(want) == 0 {
		if !errors.Is(err, workload.ErrNoJobs) {
			t.Fatalf("no job is left, but the error is %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	got := make([]plainJob, len(w.Jobs))
	for i, j := range w.Jobs {
		got[i] = plainJob{int(j.Number), int(j.Submit), int(j.Procs), int(w.Executed(model.JobID(i))), int(j.Limit), int(j.Record)}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%+v: %d jobs, the plain twin has %d, or they differ", o, len(got), len(want))
	}
	dropped := 0
	for _, c := range clean.Counts {
		if c.Drops {
			dropped += c.Jobs
		}
	}
	if clean.Kept+dropped != clean.Lines {
		t.Fatalf("%d kept and %d left out of %d lines", clean.Kept, dropped, clean.Lines)
	}
}

// On random logs, sorted or not, cleaning agrees with its plain twin, and every
// line is either kept or counted as left out.
func TestCleanAgreesWithPlainTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		l := &swf.Log{Records: make([]swf.Record, 1+rng.IntN(30))}
		for i := range l.Records {
			l.Records[i] = swf.Record{
				JobNumber: int64(rng.IntN(40)), SubmitTime: int64(rng.IntN(20) - 1), RunTime: int32(rng.IntN(12) - 1),
				AllocatedProcessors: int32(rng.IntN(7) - 1), RequestedProcessors: int32(rng.IntN(12) - 1),
				RequestedTime: int32(rng.IntN(12) - 1), Status: int32(rng.IntN(7) - 1), Line: int32(i + 1),
			}
		}
		sameAsPlain(t, l, workload.Options{
			Processors: int64(1 + rng.IntN(12)),
			Overrun:    []string{"kill", "extend", "drop"}[rng.IntN(3)],
			Oversize:   []string{"drop", "clamp"}[rng.IntN(2)],
		})
	}
}

func realLog(tb testing.TB, name string) *swf.Log {
	tb.Helper()
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		tb.Skip("BATCHLAB_LOGS is not set: it names the folder of the real logs")
	}
	packed, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		tb.Fatal(err)
	}
	data, err := swf.Gunzip(packed, 1<<30)
	if err != nil {
		tb.Fatal(err)
	}
	return parse(tb, string(data))
}

// Real logs: job counts after cleaning that are known, and agreement with the
// plain twin under every rule.
func TestCleanRealLogs(t *testing.T) {
	tests := []struct {
		name   string
		given  int64
		jobs   int
		report string
	}{
		{"KTH-SP2-1996-2.1-cln.swf.gz", 0, 28467, "no-processors:1[27323] never-ran:8[2476 4370 4876 6618 15292] overrun:475[137 138 139 140 311]"},
		{"SDSC-SP2-1998-4.2-cln.swf.gz", 0, 54034, "never-ran:5681[57 88 113 114 117] overrun:4134[49 52 62 63 67] no-request:35[37947 37978 42118 42119 42120]"},
		{"HPC2N-2002-2.2-cln.swf.gz", 0, 202871, ""},
		{"NASA-iPSC-1993-3.1-cln.swf.gz", 0, 18066, ""},
		{"CERIT-SC-wagap-2013.alea21.swf.gz", 2176, 17898, ""},
		{"lublin_256.swf.gz", 0, 10000, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := realLog(t, tt.name)
			w, clean, err := workload.FromLog(l, workload.Options{Processors: tt.given})
			if err != nil {
				t.Fatal(err)
			}
			if len(w.Jobs) != tt.jobs || clean.Kept != tt.jobs {
				t.Errorf("%d jobs, want %d: %s", len(w.Jobs), tt.jobs, reasons(clean.Counts))
			}
			if got := reasons(clean.Counts); tt.report != "" && got != tt.report {
				t.Errorf("report says %s, want %s", got, tt.report)
			}
			for _, overrun := range []string{"kill", "extend", "drop"} {
				for _, oversize := range []string{"drop", "clamp"} {
					for _, size := range []int64{int64(w.Processors), 16} {
						sameAsPlain(t, l, workload.Options{Processors: size, Overrun: overrun, Oversize: oversize})
					}
				}
			}
		})
	}
}

// FromLog leaves the log as it was.
func TestFromLogKeepsLog(t *testing.T) {
	l := logOf(t, "2 9 0 101 4 4 100", "1 5 0 60 9 9 100")
	before := slices.Clone(l.Records)
	if _, _, err := workload.FromLog(l, workload.Options{Load: 2, Time: 0.5, Oversize: "clamp"}); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(before, l.Records) {
		t.Error("the records have changed")
	}
}
