package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/swf"
	"batchlab/core/workload"
	"batchlab/workloads"
)

// Intent: every model can be run with its defaults and asked for help: its
// parameters clash with no flag of the command.
func TestGenerateEveryModel(t *testing.T) {
	for _, g := range catalog.Generators {
		help := batchlab("generate", g.Key, "--help")
		says(t, help, 0)
		for _, p := range g.Params {
			if !strings.Contains(help.stdout, "--"+p.Key+" ") || !strings.Contains(help.stdout, p.Help) {
				t.Errorf("help of %s lacks %s", g.Key, p.Key)
			}
		}
		out := batchlab("generate", g.Key)
		says(t, out, 0)
		l, err := swf.Parse([]byte(out.stdout))
		if err != nil || l.Malformed > 0 || len(l.Records) == 0 || l.Header.MaxProcs == 0 {
			t.Errorf("%s makes no log: %v", g.Key, err)
		}
		if out.stderr != "" {
			t.Errorf("%s notes %q", g.Key, out.stderr)
		}
	}
}

// Intent: the same flags, in any order and form, give the same bytes; each flag
// changes them.
func TestGenerateFlags(t *testing.T) {
	base := []string{"generate", "daily", "--jobs", "1500", "--seed", "9", "--draw", "1"}
	want := batchlab(base...).stdout
	if l, err := swf.Parse([]byte(want)); err != nil || len(l.Records) != 1500 {
		t.Fatalf("1500 jobs asked for: %v", err)
	}
	for _, args := range [][]string{
		{"generate", "--jobs=1500", "daily", "--seed=9", "--draw=1"},
		{"generate", "--draw", "1", "--seed", "9", "--jobs", "1500", "daily"},
		{"generate", "daily", "--jobs", "1", "--jobs", "1500", "--seed", "9", "--draw", "1", "--load", "0.75"},
	} {
		out := batchlab(args...)
		says(t, out, 0)
		if out.stdout != want {
			t.Errorf("%v gives something else", args)
		}
	}
	for flag, value := range map[string]string{
		"seed": "10", "draw": "2", "jobs": "1501", "processors": "64", "load": "0.9", "users": "12", "serial": "0.9", "powers": "0.1",
		"wide": "0.3", "run": "600", "short": "0.9", "limit": "36000", "overestimate": "9", "repetition": "0.9", "cycle": "0", "weekend": "1",
	} {
		out := batchlab(append(base[:len(base):len(base)], "--"+flag, value)...)
		says(t, out, 0)
		// Beside the header, which states them, the jobs themselves change.
		if jobsOf(out.stdout) == jobsOf(want) && flag != "processors" {
			t.Errorf("--%s %s changes no job", flag, value)
		}
	}
}

func jobsOf(text string) string {
	_, jobs, _ := strings.Cut(text, "\n    1 ")
	return jobs
}

// Intent: a generated log is ready for simulate, which finds its machine, reads
// every line, and gives the digest that an experiment with the same generator,
// seed and repetition gives.
func TestGenerateThenSimulate(t *testing.T) {
	for draw := range 2 {
		out := batchlab("generate", "daily", "--jobs", "300", "--processors", "64", "--seed", "4", "--draw", fmt.Sprint(draw))
		says(t, out, 0)
		log := write(t, "made.swf", out.stdout)
		for _, key := range []string{"fcfs", "easy", "conservative"} {
			o := object(t, "simulate", "--log", log, "--algorithm", key)
			if o["jobs"] != 300. || o["processors"] != 64. || get(t, o, "cleaning", "malformed") != 0. {
				t.Errorf("%s: %v jobs on %v processors", key, o["jobs"], o["processors"])
			}
			doc := write(t, "e.json", `{"batchlab":1,"seed":4,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":300,"processors":64}}}},"schedulers":[{"key":"`+key+`","repeat":2}]}`)
			r := object(t, "run", doc)
			if a, b := o["metrics"].(map[string]any), get(t, r, "runs", draw, "metrics").(map[string]any); a["mean-wait"] != b["mean-wait"] || a["max-slowdown"] != b["max-slowdown"] {
				t.Errorf("draw %d, %s: mean wait %v, in the experiment %v", draw, key, a["mean-wait"], b["mean-wait"])
			}
		}
	}
}

// Intent: a log of node-jobs says which nodes its jobs ask for, so that it gives the
// schedules of an experiment with that generator on machines, too.
func TestGenerateAsksForNodes(t *testing.T) {
	const rest = `}},"platform":{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":3,"processors":3}]}]},"schedulers":[{"key":"easy"}]}`
	doc := write(t, "e.json", `{"batchlab":1,"workload":{"source":{"generator":{"key":"node-jobs","params":{"jobs":40,"nodes-max":3,"ppn-max":2}}`+rest)
	want := get(t, object(t, "run", doc), "runs", 0, "metrics", "mean-wait")
	out := batchlab("generate", "node-jobs", "--jobs", "40", "--nodes-max", "3", "--ppn-max", "2")
	says(t, out, 0)
	log := write(t, "made.swf", out.stdout)
	named := write(t, "l.json", fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"log":{"name":"made.swf","sha256":"%x","size":%d}`, sha256.Sum256([]byte(out.stdout)), len(out.stdout))+rest)
	if got := get(t, object(t, "run", named, "--log", log), "runs", 0, "metrics", "mean-wait"); got != want {
		t.Errorf("mean wait %v, in the experiment %v", got, want)
	}
}

// Intent: the bundled workloads are what the command makes from their recipes,
// as workloads/README.md promises.
func TestGenerateMakesBundled(t *testing.T) {
	for _, r := range workloads.Recipes {
		args := []string{"generate", r.Generator, "--seed", fmt.Sprint(r.Seed)}
		for key, v := range r.Params {
			args = append(args, "--"+key, fmt.Sprint(v))
		}
		want, err := workload.Bundled(r.Key)
		if err != nil {
			t.Fatal(err)
		}
		if out := batchlab(args...); out.stdout != string(want) {
			t.Errorf("batchlab %s does not make %s: %q", strings.Join(args, " "), r.Key, out.stderr)
		}
	}
}

// Intent: a result that cannot be written ends with exit code 1, not with a
// success that nobody got.
func TestUnwritableOutput(t *testing.T) {
	log := write(t, "a.swf", threeJobs)
	for _, args := range [][]string{
		{"generate", "daily", "--jobs", "5"}, {"simulate", "--log", log, "--algorithm", "easy"},
		{"run", write(t, "e.json", demo)}, {"paper"},
	} {
		var notes strings.Builder
		if status := dispatch(args, full{}, &notes); status != 1 || !strings.Contains(notes.String(), "no space") {
			t.Errorf("%v: exit %d: %q", args, status, notes.String())
		}
	}
}

// full is a writer on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// Intent: the jobs that a parameter out of reach would need are refused, not
// made badly.
func TestGenerateTooLong(t *testing.T) {
	out := batchlab("generate", "daily", "--jobs", "1000000", "--processors", "1", "--load", "0.05", "--run", "604800", "--limit", "2592000")
	if out.status == 0 {
		log := write(t, "long.swf", out.stdout)
		object(t, "simulate", "--log", log, "--algorithm", "fcfs", "--jobs", filepath.Join(t.TempDir(), "j.csv"))
		return
	}
	says(t, out, 2, "generate: daily: ", "too long")
}
