package workload_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/model"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

func generate(t testing.TB, params map[string]any, seed uint64, repetition int) *swf.Log {
	t.Helper()
	l, err := workload.GenerateSeeded("daily", params, seed, repetition)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The generator makes the same bytes on every machine: native and wasm run
// this test. A changed hash breaks links: the changelog must say why.
func TestDailyGolden(t *testing.T) {
	tests := []struct {
		params     map[string]any
		seed       uint64
		repetition int
		want       string
	}{
		{nil, 1, 0, "a740053a576e5809e2358e2be46aee4f1cb948b6955db15ba831856616c522fe"},
		{nil, 1, 4, "58da65c78707f9a1b33ac8693b875d8b5df4c8bbee4f5bd1024509b70f664722"},
		{map[string]any{"jobs": int64(20000), "processors": int64(4096), "load": 0.9, "users": int64(400), "serial": 0.1, "powers": 0.5,
			"wide": 0.1, "run": int64(1800), "short": 0.7, "limit": int64(172800), "overestimate": 7.5, "repetition": 0.9, "cycle": 0.3, "weekend": 1.0}, 1 << 52, 0, "85e8181c4ce8f2877daa4f17cf52bbacb6408ecfe1242302d7fe1250a2532325"},
	}
	for i, tt := range tests {
		sum := sha256.Sum256(generate(t, tt.params, tt.seed, tt.repetition).Append(nil))
		if got := hex.EncodeToString(sum[:]); got != tt.want {
			t.Errorf("log %d has SHA-256 %s, want %s", i, got, tt.want)
		}
	}
}

// The load asked for is the load made, whatever else is asked for.
func TestDailyLoad(t *testing.T) {
	for _, params := range []map[string]any{
		{}, {"load": 0.3}, {"load": 1.25}, {"jobs": 200, "load": 0.9}, {"processors": 7, "load": 0.5},
		{"processors": 1}, {"cycle": 0.0, "weekend": 1.0}, {"cycle": 1, "weekend": 0.05, "jobs": 10000}, {"run": 60, "short": 1.0},
	} {
		l := generate(t, params, 11, 2)
		w, clean, err := workload.FromLog(l, workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		area := 0.0
		for i := range w.Jobs {
			area += float64(w.Executed(model.JobID(i))) * float64(w.Jobs[i].Procs)
		}
		want := 0.75
		if x, ok := params["load"]; ok {
			want = x.(float64)
		}
		first, last := w.Span()
		if got := area / float64(w.Processors) / float64(last-first); math.Abs(got/want-1) > 0.01 {
			t.Errorf("%v: load %.4f, want %.2f", params, got, want)
		}
		if first != 0 || clean.Kept != len(l.Records) || len(clean.Counts) != 0 {
			t.Errorf("%v: starts at %d, cleaning says %v", params, first, clean.Counts)
		}
	}
}

// The jobs look as the parameters say: sizes, powers of two, requests that
// people write, users of whom few submit most, quiet nights and weekends.
func TestDailyShapes(t *testing.T) {
	l := generate(t, map[string]any{"jobs": 20000, "users": 200}, 3, 0)
	human := map[int32]bool{300: true, 600: true, 900: true, 1800: true, 2700: true, 3600: true, 36000: true, 64800: true}
	for _, h := range []int32{2, 3, 4, 6, 8, 12, 18} {
		human[h*3600] = true
	}
	var serial, parallel, powers, wide, killed, night, day, weekend int
	byUser := map[int32]int{}
	ratio := 0.0
	for i := range l.Records {
		r := &l.Records[i]
		switch {
		case r.AllocatedProcessors == 1:
			serial++
		default:
			parallel++
			if bits.OnesCount32(uint32(r.AllocatedProcessors)) == 1 {
				powers++
			}
			if r.AllocatedProcessors > 50 {
				wide++
			}
		}
		if r.AllocatedProcessors < 1 || r.AllocatedProcessors > 100 || r.RunTime < 1 || r.RunTime > r.RequestedTime || !human[r.RequestedTime] {
			t.Fatalf("record %+v", r)
		}
		if r.RunTime == r.RequestedTime {
			killed++
		}
		ratio += float64(r.RunTime) / float64(r.RequestedTime)
		byUser[r.UserID]++
		if hour := r.SubmitTime / 3600; hour%168 >= 120 {
			weekend++
		} else if hour%24 < 6 {
			night++
		} else if hour%24 >= 9 && hour%24 < 18 {
			day++
		}
	}
	share := func(name string, got int, of int, low, high float64) {
		t.Helper()
		if x := float64(got) / float64(of); x < low || x > high {
			t.Errorf("%s: %.3f, want %.2f to %.2f", name, x, low, high)
		}
	}
	n := len(l.Records)
	share("one processor", serial, n, 0.2, 0.3)
	share("powers of two", powers, parallel, 0.75, 0.88)
	share("half the machine or more", wide, n, 0.003, 0.03)
	share("killed at the request", killed, n, 0.001, 0.1)
	share("run over requested time", int(ratio), n, 0.2, 0.5)
	share("nights by the hour against days", night*9, day*6, 0.2, 0.5)
	share("weekends", weekend, n, 2*0.65/(5+2*0.65)-0.06, 2*0.65/(5+2*0.65)+0.06)
	most, ten := 0, 0
	for _, c := range byUser {
		most = max(most, c)
		if c > n/100 {
			ten++
		}
	}
	share("the busiest user", most, n, 0.1, 0.25)
	if len(byUser) < 150 || ten > 30 {
		t.Errorf("%d users, %d of them with more than 1%% of the jobs", len(byUser), ten)
	}
}

// Load, cycle and weekend move the submissions and leave the jobs alone.
func TestDailyStreams(t *testing.T) {
	a, b := generate(t, nil, 1, 0), generate(t, map[string]any{"load": 1.5, "cycle": 0.0, "weekend": 1.0}, 1, 0)
	moved := 0
	for i := range a.Records {
		x, y := a.Records[i], b.Records[i]
		if x.SubmitTime != y.SubmitTime {
			moved++
		}
		x.SubmitTime, y.SubmitTime = 0, 0
		if x != y {
			t.Fatalf("record %d differs: %+v and %+v", i, x, y)
		}
	}
	if moved < 1900 {
		t.Errorf("only %d submissions moved", moved)
	}
	if c := generate(t, nil, 1, 1); c.Records[10] == a.Records[10] && c.Records[20] == a.Records[20] {
		t.Error("another repetition made the same jobs")
	}
}

// The extremes of every parameter still make a sound log, or an error that
// says what to change.
func TestDailyExtremes(t *testing.T) {
	row := catalog.FindGenerator("daily")
	for _, p := range row.Params {
		for _, x := range []float64{p.Min, p.Max} {
			params := map[string]any{"jobs": 50.0, p.Key: x}
			if p.Key == "jobs" && x > 100000 {
				params[p.Key] = 100000 // a million takes too long for a test
			}
			l := generate(t, params, 1, 0)
			last := int64(0)
			for i := range l.Records {
				r := &l.Records[i]
				if r.SubmitTime < last || r.RunTime < 1 || r.RunTime > r.RequestedTime || r.AllocatedProcessors < 1 {
					t.Fatalf("%s = %v: record %+v", p.Key, x, r)
				}
				last = r.SubmitTime
			}
			if again := parse(t, string(l.Append(nil))); again.Malformed != 0 || again.Unsorted.Count != 0 {
				t.Errorf("%s = %v: reads back with %v", p.Key, x, again.Problems)
			}
		}
	}
	_, err := workload.GenerateSeeded("daily", map[string]any{
		"jobs": 300000, "load": 0.05, "run": 604800, "limit": 2592000, "short": 0, "wide": 1}, 1, 0)
	if err == nil || !strings.Contains(err.Error(), "raise load") {
		t.Errorf("jobs over tens of thousands of years: %v", err)
	}
}

// The catalog's rows and the generators agree on keys, ranges and defaults:
// written out, the defaults make the same log.
func TestGeneratorsMatchCatalog(t *testing.T) {
	if len(catalog.Generators) == 0 {
		t.Fatal("the catalog has no generators")
	}
	for _, row := range catalog.Generators {
		defaults := map[string]any{}
		for _, p := range row.Params {
			defaults[p.Key] = p.Default
		}
		a, err := workload.GenerateSeeded(row.Key, defaults, 7, 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := workload.GenerateSeeded(row.Key, nil, 7, 0)
		if err != nil {
			t.Fatal(err)
		}
		if string(a.Append(nil)) != string(b.Append(nil)) {
			t.Errorf("%s: the catalog's defaults are not the generator's", row.Key)
		}
		listed := ""
		for _, note := range a.Header.Notes {
			if rest, ok := strings.CutPrefix(note, "Parameters "); ok {
				listed = rest
			}
		}
		if n := len(strings.Fields(listed)); n != len(row.Params) {
			t.Errorf("%s: header lists %d parameters (%s), the catalog %d", row.Key, n, listed, len(row.Params))
		}
		for i, field := range strings.Fields(listed) {
			p := row.Params[i]
			if key, _, _ := strings.Cut(field, "="); key != p.Key {
				t.Errorf("%s: parameter %d is %s, in the catalog %s", row.Key, i, key, p.Key)
			}
			for _, x := range []float64{p.Min - 0.01, p.Max + 1} {
				if _, err := workload.GenerateSeeded(row.Key, map[string]any{p.Key: x}, 7, 0); err == nil {
					t.Errorf("%s: %s = %v is accepted", row.Key, p.Key, x)
				}
			}
		}
	}
}

// Wrong parameters are named.
func TestGenerateErrors(t *testing.T) {
	for _, tt := range []struct {
		key    string
		params map[string]any
		want   string
	}{
		{"weekly", nil, `workload: there is no generator "weekly"`},
		{"daily", map[string]any{"job": 5}, `workload: daily has no parameter "job"`},
		{"daily", map[string]any{"load": 7.0}, "workload: daily: load is 7: 0.05 … 3 is expected"},
		{"daily", map[string]any{"load": math.NaN()}, "workload: daily: load is NaN: 0.05 … 3 is expected"},
		{"daily", map[string]any{"jobs": 2.5}, "workload: daily: jobs is 2.5: a whole number is expected"},
		{"daily", map[string]any{"jobs": "many"}, "workload: daily: jobs: a number is expected"},
	} {
		if _, err := workload.GenerateSeeded(tt.key, tt.params, 1, 0); err == nil || err.Error() != tt.want {
			t.Errorf("%s %v: %v, want %s", tt.key, tt.params, err, tt.want)
		}
	}
}

// Every bundled workload of the catalog unpacks, reads and cleans without loss.
func TestBundled(t *testing.T) {
	if len(catalog.Bundles) != 3 {
		t.Fatalf("%d bundled workloads", len(catalog.Bundles))
	}
	for _, row := range catalog.Bundles {
		data, err := workload.Bundled(row.Key)
		if err != nil {
			t.Fatal(err)
		}
		w, clean, err := workload.FromLog(parse(t, string(data)), workload.Options{})
		if err != nil || len(w.Jobs) != clean.Lines || w.UnixStart == 0 || w.TimeZone != "UTC" {
			t.Errorf("%s: %d jobs, %+v, %v", row.Key, len(w.Jobs), clean, err)
		}
	}
	if _, err := workload.Bundled("../workloads"); err == nil || err.Error() != `workload: there is no bundled workload "../workloads"` {
		t.Errorf("an unknown key gives %v", err)
	}
}

// Generate draws from nothing but the streams that it asks for, all under its
// own name.
func TestGenerateStreams(t *testing.T) {
	names := 0
	l, err := workload.Generate("daily", nil, func(stream string) *rand.Rand {
		if !strings.HasPrefix(stream, "workload/daily/") {
			t.Errorf("stream %q", stream)
		}
		names++
		return model.Stream(1, stream, 3)
	})
	if err != nil || names == 0 {
		t.Fatal(names, err)
	}
	l.Header.Add("Note", "Seed 1, repetition 3")
	if want := generate(t, nil, 1, 3).Append(nil); string(l.Append(nil)) != string(want) {
		t.Error("the same streams make different logs")
	}
}
