//go:build !small

package lab

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// outcome is all that a run says but its columns and its seconds.
func outcome(r *Result) report.Run {
	out := *r.Report
	out.Columns, out.Simulate, out.Waves = report.Columns{}, 0, nil
	out.Licences = nil
	for _, l := range r.Report.Licences {
		l.At, l.Used, l.Blocked = nil, nil, nil // drawn from columns
		out.Licences = append(out.Licences, l)
	}
	return out
}

// Intent: who asks for no columns gets the same numbers and the same digest, whether the
// log's records are kept or cleaned as they are read; damaged logs, random documents and
// every scheduler are tried.
func TestOnePass(t *testing.T) {
	alone, all := 0, 0
	for seed := range uint64(260) {
		rng := rand.New(rand.NewPCG(seed, 178))
		text := mutatedLog(rng)
		if seed%4 == 0 { // numbers that come twice, out of order
			text = append(text, "3 1 5 60 1 -1 -1 1 90 -1 1 1 1 -1 1 -1 -1 -1\n3 0 5 60 1 -1 -1 1 0 -1 1 1 1 -1 1 -1 -1 -1\n"...)
		}
		doc, _, _ := setting(rng, seed, len(text))
		if seed%3 > 0 {
			doc = fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"log":{"name":"m.swf","sha256":"%064x","size":9}},"clean":{"overrun":%q,"oversize":%q}%s},"schedulers":[{"key":%q}]}`,
				seed, pick(drawer{rng}, "kill", "extend", "drop"), pick(drawer{rng}, "drop", "clamp"), pick(drawer{rng}, "", `,"scale":{"load":2,"time":0.5}`), catalog.Schedulers[rng.IntN(len(catalog.Schedulers))].Key)
		}
		e, err := experiment.Decode([]byte(doc))
		log, unread := workload.Parse(text)
		if err != nil || unread != nil || len(e.Vary) > 0 {
			continue
		}
		env := Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }}
		want, clean, err := runFirst(e, env, Options{Columns: true})
		digest := experiment.NewDigester()
		_, is := Alone(e)
		env.Cleaned = func(_ experiment.Log, o workload.Options) (*workload.Cleaned, error) {
			return workload.ReadClean(swf.Whole(text), o)
		}
		got, cleaned, fault := runFirst(e, env, Options{Block: func(int) func([]byte) { return digest.Add }})
		if (err == nil) != (fault == nil) || err != nil && err.Error() != fault.Error() {
			t.Fatalf("seed %d: %v, in one pass %v\n%s\n%s", seed, err, fault, doc, text)
		}
		if err != nil {
			continue
		}
		all++
		if is {
			alone++
		}
		if a, b := outcome(want), outcome(got); !reflect.DeepEqual(a, b) || !reflect.DeepEqual(clean, cleaned) {
			t.Fatalf("seed %d: in one pass\n%+v\n%+v\ninstead of\n%+v\n%+v\n%s\n%s", seed, b, cleaned, a, clean, doc, text)
		}
		if !reflect.DeepEqual(want.Report.Waves, got.Report.Waves) || digest.Sum() != experiment.Digest(want.Block) || got.Block != nil {
			t.Fatalf("seed %d: in one pass another digest\n%s\n%s", seed, doc, text)
		}
	}
	if alone < 60 || all < alone+30 {
		t.Errorf("%d runs, %d of them alone: the test tests little", all, alone)
	}
}

// Intent: in one pass a job costs at most 200 bytes of all memory that is ever asked for,
// of which 72 are the job itself and 48 its execution, beside the pieces of the text.
func TestOnePassMemory(t *testing.T) {
	const n, pieces = 150_000, 16 << 20
	text := []byte("; MaxProcs: 64\n")
	for i := range n {
		text = fmt.Appendf(text, "%d %d 5 %d 1 -1 -1 %d 900 -1 1 %d 1 -1 1 -1 -1 -1\n", i+1, 10*i, 1+i*7919%600, 1+i%3, i%50)
	}
	for _, key := range []string{"fcfs", "easy", "conservative"} {
		e := experiment.New()
		line, err := experiment.NewScheduler(key)
		if err != nil {
			t.Fatal(err)
		}
		e.Workload.Source.Log = &experiment.Log{Name: "m", SHA256: fmt.Sprintf("%064x", 1), Size: 1}
		e.Schedulers = []experiment.Scheduler{line}
		env := Env{Cleaned: func(_ experiment.Log, o workload.Options) (*workload.Cleaned, error) {
			return workload.ReadClean(swf.NewWindow(bytes.NewReader(text), int64(len(text))), o)
		}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, err := runFirst(e, env, Options{Block: func(int) func([]byte) { return func([]byte) {} }}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc - pieces) / n; each > 200 {
			t.Errorf("%s: %d bytes a job", key, each)
		}
	}
}

// runFirst prepares an experiment and runs its first run.
func runFirst(e *experiment.Experiment, env Env, o Options) (*Result, report.Cleaning, error) {
	p, err := Prepare(e, env)
	if err != nil {
		return nil, report.Cleaning{}, err
	}
	_, clean, err := p.Workload(0)
	if err != nil {
		return nil, clean, err
	}
	r, err := p.Run(RunID{}, o)
	return r, clean, err
}

// Intent: whatever a document asks of its log beside the jobs keeps the records.
func TestAlone(t *testing.T) {
	const doc, rest = `{"batchlab":1,"workload":{"source":{"log":{"name":"m","sha256":"00000000000000000000000000000000000000000000000000000000000000aa","size":9}}%s},"schedulers":[{"key":"easy"}]%s}`, ``
	for text, want := range map[string]bool{
		fmt.Sprintf(doc, "", rest): true,
		fmt.Sprintf(doc, `,"clean":{"oversize":"clamp"},"scale":{"load":2}`, rest):                    true,
		fmt.Sprintf(doc, "", `,"platform":{"processors":64},"measures":{"tau":60}`):                   true,
		fmt.Sprintf(doc, `,"filter":{"users":[1]}`, rest):                                             false,
		fmt.Sprintf(doc, `,"window":{"from":5}`, rest):                                                false,
		fmt.Sprintf(doc, `,"react":{}`, rest):                                                         false,
		fmt.Sprintf(doc, `,"dependencies":"keep"`, rest):                                              false,
		fmt.Sprintf(doc, `,"withdrawn":"keep"`, rest):                                                 false,
		fmt.Sprintf(doc, `,"resample":{"by":"users"}`, rest):                                          false,
		fmt.Sprintf(doc, `,"annotate":{"deadlines":{"share":0.5}}`, rest):                             false,
		fmt.Sprintf(doc, "", `,"platform":{"clusters":[{"name":"a","groups":[{"processors":32}]}]}`):  false,
		fmt.Sprintf(doc, "", `,"platform":{"outages":[{"name":"o","from":1,"to":2,"processors":1}]}`): false,
		`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}]}`:       false,
	} {
		e, err := experiment.Decode([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if _, got := Alone(e); got != want {
			t.Errorf("alone: %v\n%s", got, text)
		}
	}
}
