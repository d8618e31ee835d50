package experiment

import (
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// schedule is a made-up run: start seconds by job.
type schedule []int64

func (s schedule) run() TraceRun {
	return TraceRun{len(s), func(i int) DigestRow {
		return DigestRow{Number: int64(i + 1), Submit: int64(i * 10), Start: s[i], End: s[i] + 60}
	}}
}

func someSchedule(n int) schedule {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	s := make(schedule, n)
	for i := range s {
		s[i] = int64(i*10) + rng.Int64N(5000)
	}
	return s
}

// Intent: a trace survives its way through a link and fits into about 600
// characters, whatever the experiment.
func TestTraceRoundTrip(t *testing.T) {
	for _, c := range []struct{ runs, jobs int }{{1, 0}, {1, 1}, {1, 2}, {1, 100}, {3, 200}, {15, 2000}, {4, 50000}, {100, 50}, {101, 50}} {
		var runs []TraceRun
		for range c.runs {
			runs = append(runs, someSchedule(c.jobs).run())
		}
		trace := NewTrace(runs)
		text := trace.Encode()
		if len(text) > 620 && c.runs < 70 {
			t.Errorf("%d runs of %d jobs: %d characters", c.runs, c.jobs, len(text))
		}
		back, err := DecodeTrace(text)
		if err != nil || back.Encode() != text || back.Engine != Engine {
			t.Fatalf("%d runs of %d jobs: %v, %+v", c.runs, c.jobs, err, back)
		}
		for i := range back.Runs {
			if d, ok := back.Runs[i].Compare(runs[i]); !ok {
				t.Errorf("%d runs of %d jobs: run %d differs from itself: %+v", c.runs, c.jobs, i, d)
			}
		}
	}
}

// plainTrace is NewTrace without haste: for each number of marks that it tries it
// goes through all jobs.
func plainTrace(runs []TraceRun) *Trace {
	t := &Trace{Build: ThisBuild()}
	for marks := maxTraceMarks / len(runs); ; {
		t.Runs = t.Runs[:0]
		for _, r := range runs {
			one := RunTrace{Jobs: r.Count}
			var h rolling
			for i := range r.Count {
				h.add(r.Row(i))
				if n := len(one.Marks); n < min(marks, r.Count) && markAt(n, min(marks, r.Count), r.Count) == i {
					one.Marks = append(one.Marks, Mark{r.Row(i).Start, h.byte()})
				}
			}
			one.Sum = h.sum()
			t.Runs = append(t.Runs, one)
		}
		size := len(t.appendTo(nil))
		if size <= traceBytes || marks == 0 {
			return t
		}
		marks = min(marks-1, marks*traceBytes/size)
	}
}

// Intent: a trace goes through all jobs once, and is the same as that of the
// plain way, which goes through them for each number of marks.
func TestTraceWalksOnce(t *testing.T) {
	for _, c := range []struct{ runs, jobs int }{{1, 0}, {1, 1}, {2, 2}, {1, 300}, {3, 5000}, {40, 70}, {90, 9}} {
		rows := 0
		var runs, counted []TraceRun
		for k := range c.runs {
			r := someSchedule(c.jobs + k).run()
			runs = append(runs, r)
			counted = append(counted, TraceRun{r.Count, func(i int) DigestRow { rows++; return r.Row(i) }})
		}
		if got, want := NewTrace(counted).Encode(), plainTrace(runs).Encode(); got != want {
			t.Errorf("%d runs of %d jobs: %s, want %s", c.runs, c.jobs, got, want)
		}
		all := 0
		for _, r := range runs {
			all += r.Count
		}
		if rows > all+20*maxTraceMarks {
			t.Errorf("%d runs of %d jobs: %d rows read for %d", c.runs, c.jobs, rows, all)
		}
	}
}

// Intent: wherever two schedules part, the trace names a stretch of jobs that
// holds the first that differs; with a mark for each job it is exactly that
// one, with the author's start.
func TestTraceFindsTheFirstDifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	exact := 0
	for range 300 {
		n := 1 + rng.IntN(1500)
		ours := someSchedule(n)
		trace := NewTrace([]TraceRun{ours.run()})
		theirs := slices.Clone(ours)
		at := rng.IntN(n)
		for i := at; i < n; i++ { // a difference spreads
			if i == at || rng.IntN(3) > 0 {
				theirs[i] += 1 + rng.Int64N(100)
			}
		}
		d, ok := trace.Runs[0].Compare(theirs.run())
		if ok {
			t.Fatalf("%d jobs, other from %d on: no difference found", n, at)
		}
		// One byte of a sum may agree by chance; then the next mark is named.
		if d.From > at && d.From != d.To {
			t.Errorf("%d jobs: parted at %d, found %+v", n, at, d)
		}
		if d.From == at && d.To == at && d.At == at && d.Start == ours[at] {
			exact++
		}
		if d.At >= 0 && d.Start != ours[d.At] {
			t.Errorf("%d jobs: the author's start of %d was %d, not %d", n, d.At, ours[d.At], d.Start)
		}
	}
	if exact < 20 {
		t.Errorf("exactly found: %d of 300", exact)
	}
	few := someSchedule(90)
	changed := slices.Clone(few)
	changed[41]++
	if d, ok := NewTrace([]TraceRun{few.run()}).Runs[0].Compare(changed.run()); ok || d.From != 41 || d.To != 41 || d.At != 41 || d.Start != few[41] {
		t.Errorf("of 90 jobs, one second at place 41: %+v, %v", d, ok)
	}
	if d, ok := NewTrace([]TraceRun{few.run()}).Runs[0].Compare(few[:80].run()); ok || d.Jobs != 90 {
		t.Errorf("ten jobs fewer: %+v, %v", d, ok)
	}
}

// Intent: whatever stands in a link ends in a trace or an error, quickly.
func FuzzDecodeTrace(f *testing.F) {
	f.Add(NewTrace([]TraceRun{someSchedule(50).run()}).Encode())
	f.Add("")
	f.Add(strings.Repeat("_", MaxTrace))
	f.Add(base64.RawURLEncoding.EncodeToString([]byte{1, 1, '1', 100, 255, 255, 255, 255, 7}))
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := DecodeTrace(text)
		if err != nil {
			return
		}
		for i := range trace.Runs {
			trace.Runs[i].Compare(someSchedule(30).run())
		}
		if again, err := DecodeTrace(trace.Encode()); err != nil || len(again.Runs) != len(trace.Runs) {
			t.Fatalf("%q reads, but not as written again: %v", text, err)
		}
	})
}
