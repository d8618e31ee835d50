package main

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/swf"
)

// Intent: the fields of the contract stand in the output, with values that can
// be computed on paper.
func TestSimulateContract(t *testing.T) {
	log := write(t, "three.swf", threeJobs)
	for _, c := range []struct {
		algorithm                     string
		wait, slowdown, use, makespan float64
		label                         string
		params                        map[string]any
	}{
		{"fcfs", 9, (1 + 1.9 + 2.3) / 3, 0.7, 25, "FCFS", map[string]any{"ties": "oldest"}},
		{"easy", 3, (1 + 1.9 + 1) / 3, 0.875, 20, "EASY", map[string]any{"order": "fcfs", "backfill": "fcfs", "ties": "oldest"}},
		{"conservative", 3, (1 + 1.9 + 1) / 3, 0.875, 20, "Conservative", map[string]any{}},
		{"as-logged", 0, 1, 70. / 44, 11, "As logged", map[string]any{}},
	} {
		o := object(t, "simulate", "--log", log, "--algorithm", c.algorithm)
		sum := sha256.Sum256([]byte(threeJobs))
		for key, want := range map[string]any{
			"algorithm": c.algorithm, "jobs": 3., "processors": 4., "tau_s": 10., "mean_wait_s": c.wait,
			"makespan_s": c.makespan, "log": "three.swf", "sha256": hex.EncodeToString(sum[:]),
			"label": c.label,
		} {
			if o[key] != want {
				t.Errorf("%s: %s is %v instead of %v", c.algorithm, key, o[key], want)
			}
		}
		if !reflect.DeepEqual(o["params"], any(c.params)) {
			t.Errorf("%s: params are %v", c.algorithm, o["params"])
		}
		for key, want := range map[string]float64{"mean_bounded_slowdown": c.slowdown, "utilization": c.use} {
			if got, _ := o[key].(float64); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: %s is %v instead of %v", c.algorithm, key, o[key], want)
			}
		}
		if d, _ := o["digest"].(string); len(d) != 64 {
			t.Errorf("%s: digest is %v", c.algorithm, o["digest"])
		}
		for _, key := range []string{"parse_s", "simulate_s"} {
			if v, ok := get(t, o, "elapsed", key).(float64); !ok || v < 0 || v > 60 {
				t.Errorf("%s: elapsed.%s is %v", c.algorithm, key, v)
			}
		}
		if got := get(t, o, "cleaning"); !reflect.DeepEqual(got, map[string]any{"lines": 3., "malformed": 0., "kept": 3., "counts": []any{}}) {
			t.Errorf("%s: cleaning is %v", c.algorithm, got)
		}
		metrics, _ := get(t, o, "metrics").(map[string]any)
		for _, m := range catalog.Metrics {
			if _, ok := metrics[m.Key]; !ok && m.Needs == "" {
				t.Errorf("%s: no measure %q", c.algorithm, m.Key)
			}
		}
	}
}

// document is the experiment that a command line stands for.
func document(log, sum string, size int, key, params, rest string) string {
	return `{"batchlab":1,"workload":{"source":{"log":{"name":"` + filepath.Base(log) + `","sha256":"` + sum + `","size":` +
		number(float64(size)) + `}}` + rest + `,"schedulers":[{"key":"` + key + `","params":{` + params + `}}]`
}

// Intent: every flag of simulate means what the same word means in an
// experiment document: both give one digest, and the flag has an effect.
func TestSimulateIsRun(t *testing.T) {
	log := busyLog(t, 7, 400)
	text := read(t, log)
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:])
	type line struct{ key, flags, params, workload, tail string }
	cases := []line{
		{"as-logged", "", "", "", ""},
		{"fcfs", "", "", "", ""},
		{"fcfs", "--ties newest", `"ties":"newest"`, "", ""},
		{"fcfs", "--order fcfs --backfill=fcfs", "", "", ""},
		{"conservative", "", "", "", ""},
		{"conservative", "--order fcfs --backfill fcfs --ties oldest", "", "", ""},
		{"conservative", "--ties newest", `"ties":"newest"`, "", ""},
		{"conservative", "--order lexp", `"order":"lexp"`, "", ""},
		{"conservative", "--order mixed --weights 0,-0.5,0.5", `"order":"mixed","weights":[0,-0.5,0.5]`, "", ""},
		{"conservative", "--order formula --formula -a --ties newest", `"order":"formula","formula":"-a","ties":"newest"`, "", ""},
		{"easy", "--ties newest --order sqf", `"ties":"newest","order":"sqf"`, "", ""},
		{"easy", "--threshold 0 --order=saf", `"threshold":0,"order":"saf"`, "", ""},
		{"easy", "--threshold 100 --order=saf", `"threshold":100,"order":"saf"`, "", ""},
		{"easy", "--order mixed --weights 0.5,-0.25,0.25", `"order":"mixed","weights":[0.5,-0.25,0.25]`, "", ""},
		{"easy", "--order mixed --weights 1,0,0,0,-1,0 --scales 1,1,1", `"order":"mixed","weights":[0.5,0,0,0,-0.5,0],"scales":[1,1,1]`, "", ""},
		{"easy", "--order formula --formula q*p/(1+wait)", `"order":"formula","formula":"q * p / (1 + wait)"`, "", ""},
		{"easy", "--backfill mixed --backfill-weights 0.5,0.25,0.25 --backfill-scales 1,1,1", `"backfill":"mixed","backfill-weights":[0.5,0.25,0.25],"backfill-scales":[1,1,1]`, "", ""},
		{"easy", "--backfill formula --backfill-formula user-submit", `"backfill":"formula","backfill-formula":"user - submit"`, "", ""},
		{"easy", "--overrun kill", "", `,"clean":{"overrun":"kill"}`, ""},
		{"easy", "--overrun extend", "", `,"clean":{"overrun":"extend"}`, ""},
		{"easy", "--overrun drop", "", `,"clean":{"overrun":"drop"}`, ""},
		{"easy", "--oversize clamp", "", `,"clean":{"oversize":"clamp"}`, ""},
		{"easy", "--no-request run", "", `,"clean":{"no_request":"run"}`, ""},
		{"easy", "--processors 20", "", "", `,"platform":{"processors":20}`},
	}
	cases = append(cases, line{"easy", "--order mixed --weights 1,-2,0.5", `"order":"mixed","weights":[1,-2,0.5]`, "", ""},
		line{"easy", "--weights=1,0,0,0,0,-1 --scales 1,1,1,1,1,1 --order mixed", `"order":"mixed","weights":[1,0,0,0,0,-1],"scales":[1,1,1,1,1,1]`, "", ""},
		line{"easy", "--order formula --formula=wait/p-q", `"order":"formula","formula":"wait/p-q"`, "", ""})
	for _, row := range catalog.Orders {
		o := row.Key
		cases = append(cases, line{"easy", "--order " + o + " --backfill spf", `"backfill":"spf","order":"` + o + `"`, "", ""},
			line{"easy", "--backfill " + o, `"backfill":"` + o + `"`, "", ""})
	}
	digests := map[string]bool{}
	for _, c := range cases {
		s := object(t, append([]string{"simulate", "--log", log, "--algorithm", c.key}, strings.Fields(c.flags)...)...)
		doc := write(t, "e.json", document(log, hash, len(text), c.key, c.params, c.workload+"}")+c.tail+"}")
		r := object(t, "run", doc, "--log", log)
		if s["digest"] != r["digest"] {
			t.Errorf("%s %s: simulate gives %v, run gives %v", c.key, c.flags, s["digest"], r["digest"])
		}
		if got, want := get(t, r, "runs", 0, "metrics"), s["metrics"]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: measures differ: %v, %v", c.key, c.flags, got, want)
		}
		digests[s["digest"].(string)] = true
	}
	if len(digests) < len(cases)-6 { // neutral flags, and two orders with FCFS twice
		t.Errorf("%d command lines give only %d schedules", len(cases), len(digests))
	}
}

// Intent: what a job gets that overran, or is larger than the machine, follows
// the flags; the cleaning report counts it and names the line.
func TestSimulateCleaning(t *testing.T) {
	log := write(t, "a.swf", "; MaxProcs: 8\n"+
		"1 0 5 20 2 -1 -1 2 10 -1 1 1 1 1 1 -1 -1 -1\n"+
		"2 0 7 10 8 -1 -1 8 10 -1 1 1 1 1 1 -1 -1 -1\n"+
		"3 0 7 -1 8 -1 -1 8 10 -1 5 1 1 1 1 -1 -1 -1\n")
	for _, c := range []struct {
		flags          string
		jobs, makespan float64
		says           string
	}{
		{"", 2, 20, "1 job: Ran longer than requested: stopped at the requested time (line 2)"},
		{"--overrun extend", 2, 30, "request extended"},
		{"--overrun drop", 1, 10, "Ran longer than requested: left out (line 2)"},
		{"--processors 4", 1, 10, "1 job: Larger than the machine: left out (line 3)"},
		{"--processors 4 --oversize clamp", 2, 20, "cut to its size (line 3)"},
		{"--processors 4 --oversize clamp --overrun extend", 2, 30, "1 job: Never ran (run time 0 or unknown): left out (line 4)"},
	} {
		out := batchlab(append([]string{"simulate", "--log", log, "--algorithm", "fcfs"}, strings.Fields(c.flags)...)...)
		says(t, out, 0, c.says, "a.swf: ")
		o := one(t, out)
		if o["jobs"] != c.jobs || o["makespan_s"] != c.makespan || get(t, o, "cleaning", "kept") != c.jobs {
			t.Errorf("%q: %v jobs in %v s", c.flags, o["jobs"], o["makespan_s"])
		}
	}
}

// Intent: τ changes the bounded slowdowns and is printed beside them; the
// threshold that was used is printed, too.
func TestSimulateTauAndThreshold(t *testing.T) {
	log := write(t, "a.swf", threeJobs)
	o := object(t, "simulate", "--log", log, "--algorithm", "fcfs", "--tau", "1")
	if got := o["mean_bounded_slowdown"].(float64); math.Abs(got-(1+1.9+4.6)/3) > 1e-12 || o["tau_s"] != 1. {
		t.Errorf("with τ = 1 the mean bounded slowdown is %v, tau_s %v", got, o["tau_s"])
	}
	for _, want := range []float64{0, 3600} {
		o = object(t, "simulate", "--log", log, "--algorithm", "easy", "--threshold", number(want))
		if got := get(t, o, "params", "threshold"); got != want {
			t.Errorf("threshold is %v instead of %v", got, want)
		}
	}
}

// Intent: however flags stand and are written, they say the same; files are
// known by content, not by name; line ends and odd headers do not matter.
func TestSimulateSameDigest(t *testing.T) {
	l := busy(3, 200)
	text := string(l.Append(nil))
	log := write(t, "a.swf", text)
	want := object(t, "simulate", "--log", log, "--algorithm", "easy", "--order", "saf", "--processors", "12")["digest"]
	for _, args := range [][]string{
		{"simulate", "--processors=12", "--order=saf", "--algorithm=easy", "--log=" + log},
		{"simulate", "-processors", "12", "-order", "saf", "-algorithm", "easy", "-log", log},
		{"simulate", "--log", "elsewhere", "--order", "spf", "--algorithm", "easy", "--log", log, "--order", "saf", "--processors", "0012"}, // the last one counts
		{"simulate", "--log", log, "--algorithm", "easy", "--order", "saf", "--processors", "12", "--backfill", "fcfs", "--ties", "oldest", "--overrun", "kill", "--oversize", "drop", "--tau", "10", "--skip-malformed"},
	} {
		if got := object(t, args...)["digest"]; got != want {
			t.Errorf("%v: digest %v instead of %v", args, got, want)
		}
	}
	packed := pack(t, text)
	for name, content := range map[string]string{
		"packed.swf.gz":         packed,
		"packed-but-not.swf":    packed,
		"plain.swf.gz":          text,
		"crlf.txt":              strings.ReplaceAll(text, "\n", "\r\n"),
		"cr":                    strings.ReplaceAll(text, "\n", "\r"),
		"mark.swf":              "\xef\xbb\xbf" + text,
		"latin1.swf":            "; Acknowledge: J\xfcrgen\n" + text,
		"no-last-newline":       strings.TrimRight(text, "\n"),
		"a name,\t\"odd\".\xff": text,
	} {
		o := object(t, "simulate", "--log", write(t, name, content), "--algorithm", "easy", "--order", "saf", "--processors", "12")
		if o["digest"] != want {
			t.Errorf("%q: digest %v instead of %v", name, o["digest"], want)
		}
	}
	withStdin(t, packed, func() {
		o := object(t, "simulate", "--log", "-", "--algorithm", "easy", "--order", "saf", "--processors", "12")
		if o["digest"] != want || o["log"] != "standard input" {
			t.Errorf("from standard input: digest %v, log %v", o["digest"], o["log"])
		}
	})
}

// Intent: MaxProcs, else MaxNodes, else --processors says how large the machine
// is, and --processors wins.
func TestSimulateMachineSize(t *testing.T) {
	for _, c := range []struct {
		header, flags string
		want          float64
	}{
		{"; MaxProcs: 64\n; MaxNodes: 32\n", "", 64},
		{"; MaxNodes: 338 (batch partition; 512 total)\n", "", 338},
		{"; MaxProcs: 64\n", "--processors 4", 4},
		{"", "--processors 100000000", 100000000},
	} {
		log := write(t, "a.swf", c.header+oneJob)
		o := object(t, append([]string{"simulate", "--log", log, "--algorithm", "easy"}, strings.Fields(c.flags)...)...)
		if o["processors"] != c.want {
			t.Errorf("%q %s: %v processors instead of %v", c.header, c.flags, o["processors"], c.want)
		}
	}
	says(t, batchlab("simulate", "--log", write(t, "a.swf", "; MaxProcs: 1,024\n"+oneJob), "--algorithm", "easy"), 2, "The machine has 1 processor, as line 1 of the log states (MaxProcs: 1,024)")
	says(t, batchlab("simulate", "--log", write(t, "a.swf", "; MaxProcs: abc\n; MaxNodes: 8\n"+oneJob), "--algorithm", "easy"), 0, `The machine has 8 processors, as line 2 of the log states (MaxNodes: 8); line 1, MaxProcs: "abc" is no number of processors`)
}

// Intent: whatever the jobs, the result is one JSON object: no division by zero
// and no overflow reaches it.
func TestSimulateExtremes(t *testing.T) {
	line := func(number, submit, run, procs, limit string) string {
		return number + " " + submit + " -1 " + run + " " + procs + " -1 -1 " + procs + " " + limit + " -1 1 1 1 1 1 -1 -1 -1\n"
	}
	for name, text := range map[string]string{
		"one job":         "; MaxProcs: 4\n" + oneJob,
		"one second":      "; MaxProcs: 1\n" + line("1", "0", "1", "1", "1"),
		"one instant":     "; MaxProcs: 2\n" + strings.Repeat(line("1", "5", "7", "2", "9"), 50),
		"before zero":     "; MaxProcs: 2\n" + line("1", "-1", "7", "2", "9") + line("2", "-1", "7", "2", "9"),
		"late":            "; MaxProcs: 2\n" + line("1", "1099511627776", "2147483647", "2", "2147483647"),
		"huge machine":    "; MaxProcs: 2147483647\n" + strings.Repeat(line("1", "0", "2147483647", "2147483647", "2147483647"), 20),
		"huge numbers":    "; MaxProcs: 2\n" + line("999999999999999999", "0", "3", "1", "4") + line("-5", "0", "3", "1", "4"),
		"a long way":      "; MaxProcs: 2\n" + line("1", "0", "1", "1", "1") + line("2", "1099511627776", "1", "1", "1"),
		"no user known":   "; MaxProcs: 2\n1 0 -1 5 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n",
		"fractional time": "; MaxProcs: 2\n1 0.9 1.5 5.99 1 2.5 -1 1 9.2 -1 1 1 1 1 1 -1 -1 -1\n",
	} {
		log := write(t, "a.swf", text)
		for _, key := range catalog.SchedulerKeys() {
			dir := t.TempDir()
			if key == "slurm" && name == "huge machine" { // it has a map of every processor
				says(t, batchlab("simulate", "--log", log, "--algorithm", key), 2, "slurm: its map holds 1048576 nodes at most", "there are 2147483647")
				continue
			}
			o := object(t, "simulate", "--log", log, "--algorithm", key, "--jobs", filepath.Join(dir, "j.csv"), "--swf", filepath.Join(dir, "o.swf"))
			for _, k := range []string{"mean_wait_s", "mean_bounded_slowdown", "utilization", "makespan_s"} {
				if v, ok := o[k].(float64); !ok || v < 0 || k == "makespan_s" && v < 1 || k == "mean_bounded_slowdown" && v < 1 {
					t.Errorf("%s, %s: %s is %v", name, key, k, o[k])
				}
			}
			if u := o["utilization"].(float64); key != "as-logged" && u > 1 {
				t.Errorf("%s, %s: utilization %v", name, key, u)
			}
		}
	}
}

// Intent: a logged schedule that cannot be what it says is marked: a log without
// waits, or with some missing.
func TestSimulateAsLoggedNotes(t *testing.T) {
	says(t, batchlab("simulate", "--log", write(t, "a.swf", threeJobs), "--algorithm", "as-logged"), 0, "the log states no wait times")
	some := strings.Replace(threeJobs, "1 0 -1", "1 0 6", 1)
	says(t, batchlab("simulate", "--log", write(t, "a.swf", some), "--algorithm", "as-logged"), 0, "2 of 3 jobs have no wait time in the log")
	if out := batchlab("simulate", "--log", write(t, "a.swf", some), "--algorithm", "fcfs"); out.stderr != "" {
		t.Errorf("nothing to note, yet %q", out.stderr)
	}
}

// Intent: a scheduler accepts the neutral value of a flag that it has no use
// for, and refuses any other, naming flag and scheduler.
func TestSimulateFlagsOfOthers(t *testing.T) {
	log := write(t, "a.swf", threeJobs)
	values := map[string][2]string{"order": {"fcfs", "saf"}, "backfill": {"fcfs", "spf"}, "ties": {"oldest", "newest"}, "threshold": {"", "100"}}
	for _, row := range catalog.Schedulers {
		for flag, v := range values {
			has := catalog.FindParam(row.Params, flag) != nil
			if v[0] != "" {
				says(t, batchlab("simulate", "--log", log, "--algorithm", row.Key, "--"+flag, v[0]), 0)
			}
			out := batchlab("simulate", "--log", log, "--algorithm", row.Key, "--"+flag, v[1])
			if has {
				says(t, out, 0)
			} else {
				says(t, out, 2, "--"+flag+" "+v[1]+": "+row.Key+" has no "+flag+" to choose")
			}
		}
	}
}

// Intent: simulate gives what the library gives; the schedule stands the test
// of Check. It is a second look past the command's own plumbing.
func TestSimulateIsLab(t *testing.T) {
	for seed := range uint64(5) {
		log := busyLog(t, seed, 150)
		for _, key := range catalog.SchedulerKeys() {
			o := object(t, "simulate", "--log", log, "--algorithm", key)
			r, err := labRun(log, key, 0)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, key, err)
			}
			if digest := experiment.Digest(r.Block); o["digest"] != digest {
				t.Errorf("seed %d, %s: digest %v instead of %s", seed, key, o["digest"], digest)
			}
		}
	}
}

// labRun runs a scheduler with its defaults on a log and checks the schedule.
func labRun(path, key string, processors int64) (*lab.Result, error) {
	file, err := readLog(path)
	if err != nil {
		return nil, err
	}
	e := experiment.New()
	e.Workload.Source.Log = &file.ref
	e.Platform.Processors = processors
	if _, err := e.Add(key); err != nil {
		return nil, err
	}
	p, err := lab.Prepare(e, lab.Env{Log: func(experiment.Log) (*swf.Log, error) { return file.log, nil }})
	if err != nil {
		return nil, err
	}
	r, err := p.Run(lab.RunID{}, lab.Options{})
	if err != nil {
		return nil, err
	}
	return r, r.Schedule.Check()
}

// Intent: two runs of one command line differ in nothing but the clock.
func TestSimulateDeterministic(t *testing.T) {
	log := busyLog(t, 11, 300)
	dir := t.TempDir()
	var before []string
	for range 2 {
		jobs, out := filepath.Join(dir, "j.csv"), filepath.Join(dir, "o.swf")
		o := object(t, "simulate", "--log", log, "--algorithm", "easy", "--order", "lexp", "--jobs", jobs, "--swf", out)
		delete(o, "elapsed")
		now := []string{read(t, jobs), read(t, out), string(mustJSON(t, o))}
		if before != nil && !slices.Equal(before, now) {
			t.Error("a second run differs")
		}
		before = now
	}
}
