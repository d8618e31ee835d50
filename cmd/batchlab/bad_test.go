package main

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// jobLine is a good line with one field replaced, from 1; 0: none.
func jobLine(field int, text string) string {
	f := strings.Fields(oneJob)
	if field > 0 {
		f[field-1] = text
	}
	return strings.Join(f, " ") + "\n"
}

// Intent: a file that is no log, or a damaged one, ends with exit code 2 and a
// message that names the file, the line where there is one, and what is wrong.
func TestSimulateBadLogs(t *testing.T) {
	noise := make([]byte, 4000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.IntN(256))
	}
	packed := packedLog(t)
	head := "; MaxProcs: 8\n"
	many := head + strings.Repeat(jobLine(0, ""), 200)
	for name, c := range map[string]struct {
		text  string
		flags string
		want  []string
	}{
		"empty.swf":       {"", "", []string{"empty.swf: ", "the file is empty"}},
		"blank.swf":       {"\n \n\t\n", "", []string{"blank.swf: ", "the file is empty"}},
		"noise.swf":       {string(noise), "", []string{"noise.swf: ", "binary file"}},
		"table.csv":       {"job,submit,wait\n1,2,3\n", "", []string{"table.csv: ", "no column looks like the run time (or start and end), nor like the number of processors"}},
		"numbers.csv":     {strings.ReplaceAll(oneJob, " ", ","), "", []string{"numbers.csv: ", "line 1: ", "CSV"}},
		"semicolons.csv":  {"1;2;3;4\n", "", []string{"semicolons.csv: ", "line 1: ", "CSV"}},
		"page.html":       {"<!DOCTYPE html>\n<html><a href=log.swf.gz>log</a></html>", "", []string{"page.html: ", "HTML"}},
		"feed.xml":        {"<?xml version='1.0'?><a/>", "", []string{"feed.xml: ", "XML"}},
		"experiment.json": {`{"batchlab":1}`, "", []string{"experiment.json: ", "Batchlab experiment"}},
		"batsim.json":     {`{"jobs":[],"profiles":{}}`, "", []string{"batsim.json: "}},
		"prose.md":        {"# About\n\nNothing here.\n", "", []string{"prose.md: ", "line 1: ", "not a workload log"}},
		"cut.swf.gz":      {packed[:len(packed)/2], "", []string{"cut.swf.gz: ", "gzip", "ends early"}},
		"magic.gz":        {"\x1f\x8b", "", []string{"magic.gz: ", "gzip", "ends early"}},
		"damaged.swf.gz":  {packed[:40] + "XXXX" + packed[44:], "", []string{"damaged.swf.gz: ", "gzip"}},
		"twice.swf.gz":    {pack(t, packed), "", []string{"twice.swf.gz: ", "gzip"}},
		"log.zip":         {"PK\x03\x04....", "", []string{"log.zip: ", "zip archive"}},
		"no-size.swf":     {oneJob, "", []string{"no-size.swf: ", "size of its machine", "--processors N", "largest job asks for 4"}},
		"odd-size.swf":    {"; MaxProcs: unknown\n" + oneJob, "", []string{"odd-size.swf: ", `line 1, MaxProcs: "unknown" is no number of processors`, "--processors N"}},
		"big-size.swf":    {"; MaxProcs: 99999999999\n" + oneJob, "", []string{"big-size.swf: ", "99999999999 processors are too many"}},
		"header.swf":      {head, "", []string{"header.swf: ", "no job lines"}},
		"seventeen.swf":   {head + strings.Replace(jobLine(0, ""), " -1\n", "\n", 1), "", []string{"seventeen.swf: line 2: 17 fields, 18 expected"}},
		"one-field.swf":   {head + "17\n", "", []string{"one-field.swf: line 2: 1 field, 18 expected"}},
		"huge.swf":        {head + jobLine(2, strings.Repeat("9", 400)), "", []string{"huge.swf: line 2, field 2 (submit time)", "too large"}},
		"huge-run.swf":    {head + jobLine(4, "2147483648"), "", []string{"huge-run.swf: line 2, field 4 (run time): 2147483648 is too large"}},
		"negative.swf":    {head + jobLine(2, "-7"), "", []string{"negative.swf: line 2, field 2 (submit time): -7 is negative"}},
		"word.swf":        {head + jobLine(9, "2h"), "", []string{"word.swf: line 2, field 9 (requested time): 2h is not a number"}},
		"exponent.swf":    {head + jobLine(4, "1e3"), "", []string{"exponent.swf: line 2, field 4 (run time)", "exponent"}},
		"too-many.swf":    {many + strings.Repeat(jobLine(4, "x"), 3), "", []string{"too-many.swf: 3 of 203 lines are damaged, more than 1 %", "--skip-malformed", "line 202, field 4", "line 204"}},
		"all.swf":         {head + jobLine(4, "x") + jobLine(4, "y"), "--skip-malformed", []string{"all.swf: none of the lines can be read", "line 2", "line 3"}},
		"thousands.swf":   {many + strings.Repeat(jobLine(4, "x"), 3000), "", []string{"line 211", "… and 2990 more"}},
		"small.swf":       {oneJob, "--processors 2", []string{"small.swf: ", "cleaning keeps none", "1 job: Larger than the machine: left out (line 1)"}},
		"none-ran.swf":    {head + jobLine(4, "0") + jobLine(4, "-1"), "", []string{"none-ran.swf: ", "2 jobs: Never ran (run time 0 or unknown): left out (lines 2, 3)"}},
	} {
		path := write(t, name, c.text)
		for _, key := range []string{"easy", "as-logged"} {
			out := batchlab(append([]string{"simulate", "--log", path, "--algorithm", key}, strings.Fields(c.flags)...)...)
			says(t, out, 2, append(c.want, "batchlab: "+path)...)
			if len(out.stderr) > 4000 {
				t.Errorf("%s: %d bytes of messages", name, len(out.stderr))
			}
		}
		says(t, batchlab("run", write(t, "e.json", demo), "--log", path), exitOfRun(name), "")
	}
}

// exitOfRun: only a file that is a log may stand beside an experiment that does
// not need it; of a table, another document may say what its columns hold.
func exitOfRun(name string) int {
	switch name {
	case "no-size.swf", "odd-size.swf", "big-size.swf", "header.swf", "small.swf", "none-ran.swf", "table.csv":
		return 0
	}
	return 2
}

// demo is the shortest experiment.
const demo = `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}]}`

// Intent: a file that cannot be read is named once, with the reason.
func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing.swf")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"simulate", "--algorithm", "easy", "--log", missing}, "batchlab: " + missing + ": no such file or directory\n"},
		{[]string{"simulate", "--algorithm", "easy", "--log", dir}, "batchlab: " + dir + ": is a directory\n"},
		{[]string{"run", missing}, "batchlab: " + missing + ": no such file or directory\n"},
		{[]string{"run", dir}, "batchlab: " + dir + ": is a directory\n"},
		{[]string{"run", write(t, "e.json", demo), "--log", missing}, "batchlab: " + missing + ": no such file or directory\n"},
	} {
		out := batchlab(c.args...)
		says(t, out, 2)
		if out.stderr != c.want {
			t.Errorf("%v: %q instead of %q", c.args, out.stderr, c.want)
		}
	}
	says(t, batchlab("run", write(t, "big.json", strings.Repeat(" ", maxDocument+1))), 2, "big.json: more than 4 MB, which is too large")
	withStdin(t, "", func() { says(t, batchlab("run", "-"), 2, "standard input: ", "ends too early") })
	withStdin(t, "", func() {
		says(t, batchlab("simulate", "--log", "-", "--algorithm", "easy"), 2, "standard input: ", "the file is empty")
	})
}

// Intent: a few damaged lines are named and left out; more only on demand.
func TestSimulateSkipsDamagedLines(t *testing.T) {
	head := "; MaxProcs: 8\n"
	few := write(t, "few.swf", head+strings.Repeat(jobLine(0, ""), 100)+jobLine(4, "x"))
	out := batchlab("simulate", "--log", few, "--algorithm", "easy")
	says(t, out, 0, "1 of 101 lines are damaged and were left out", "few.swf: line 102, field 4 (run time): x is not a number")
	if o := one(t, out); o["jobs"] != 100. || get(t, o, "cleaning", "malformed") != 1. || get(t, o, "cleaning", "lines") != 101. {
		t.Errorf("%v jobs, cleaning %v", o["jobs"], o["cleaning"])
	}
	many := write(t, "many.swf", head+jobLine(0, "")+jobLine(4, "x"))
	says(t, batchlab("simulate", "--log", many, "--algorithm", "easy"), 2, "1 of 2 lines are damaged")
	says(t, batchlab("simulate", "--log", many, "--algorithm", "easy", "--skip-malformed"), 0, "line 3, field 4")
	says(t, batchlab("simulate", "--log", many, "--algorithm", "easy", "--skip-malformed=false"), 2, "1 of 2 lines are damaged")
}

// Intent: words and numbers that no flag takes are refused before the log is
// read, with the flag's name and the word that was probably meant.
func TestSimulateBadFlags(t *testing.T) {
	for _, c := range []struct{ flags, want string }{
		{"--algorithm esay", `--algorithm: unknown scheduler "esay"; did you mean "easy"?`},
		{"--algorithm EASY", `did you mean "easy"?`},
		{"--algorithm gurobi", `unknown scheduler "gurobi"; it is one of as-logged, fcfs, easy, conservative`},
		{"--algorithm easy --order fcsf", `--order: unknown value "fcsf"; did you mean "fcfs"?`},
		{"--algorithm easy --backfill spff", `--backfill: unknown value "spff"; did you mean "spf"?`},
		{"--algorithm easy --ties newst", `--ties: unknown value "newst"; did you mean "newest"?`},
		{"--algorithm fcfs --order saf", `--order saf: fcfs has no order to choose`},
		{"--algorithm conservative --backfill spf", `--backfill spf: conservative has no backfill to choose`},
		{"--algorithm as-logged --ties newest", `--ties newest: as-logged has no ties to choose`},
		{"--algorithm conservative --threshold 5", `--threshold 5: conservative has no threshold to choose`},
		{"--algorithm easy --threshold -1", `--threshold: must be between 0 and 3162240000, not -1`},
		{"--algorithm easy --threshold=-5", `--threshold: must be between 0 and 3162240000, not -5`},
		{"--algorithm easy --threshold 3162240001", `--threshold: must be between 0 and 3162240000`},
		{"--algorithm easy --threshold ten", `--threshold: "ten" is not a whole number`},
		{"--algorithm easy --order mixed", `--weights: must be an array of 3 or 6 numbers: order "mixed" needs it`},
		{"--algorithm easy --order mixed --weights 1,2", `--weights: must have 3 numbers (q, p, wait) or 6`},
		{"--algorithm easy --order mixed --weights 1,2,x", `--weights: "x" is not a number`},
		{"--algorithm easy --order mixed --weights 1,2,Inf", `--weights: number 3 must be finite`},
		{"--algorithm easy --order mixed --weights 1,2,3,4,5,6,7", `--weights: must have 3 numbers`},
		{"--algorithm easy --weights 1,0,0", `--weights has a meaning only with --order mixed`},
		{"--algorithm easy --order saf --formula q", `--formula has a meaning only with --order formula`},
		{"--algorithm easy --order formula --formula q*", `--formula: `},
		{"--algorithm easy --backfill slowest", `--backfill: unknown value "slowest"`},
		{"--algorithm easy --backfill mixed", `--backfill-weights: must be an array of 3 or 6 numbers: backfill "mixed" needs it`},
		{"--algorithm easy --order formula --formula q --backfill-formula q", `--backfill-formula has a meaning only with --backfill formula`},
		{"--algorithm fcfs --weights 1,0,0", `--weights 1,0,0: fcfs has no weights to choose`},
		{"--algorithm easy --processors 0", `--processors 0: 1 or more are expected`},
		{"--algorithm easy --processors -3", `--processors -3: 1 or more are expected`},
		{"--algorithm easy --processors 100000001", `--processors: must be between 0 and 100000000`},
		{"--algorithm easy --tau 0", `--tau: must be between 1 and 1000000000, not 0`},
		{"--algorithm easy --tau -10", `--tau: must be between 1 and 1000000000, not -10`},
		{"--algorithm easy --overrun kil", `--overrun: unknown rule "kil"; did you mean "kill"?`},
		{"--algorithm easy --no-request guess", `--no-request: unknown rule "guess"; it is one of run, drop`},
		{"--algorithm easy --oversize shrink", `--oversize: unknown rule "shrink"; it is one of drop, clamp`},
		{"--algorithm easy --jobs -", `--jobs -: a file name is expected`},
		{"--algorithm easy --jobs ./same --swf same", `--jobs and --swf name one file`},
		{"--algorithm easy --jobs same --swf same", `--jobs and --swf name one file`},
		{"--algorithm easy --against fcfs --case same --swf same", `--swf and --case name one file`},
		{"--algorithm easy --against fcfs --case -", `--case -: a file name is expected`},
	} {
		out := batchlab(append([]string{"simulate", "--log", "no-such-file"}, strings.Fields(c.flags)...)...)
		says(t, out, 2, "batchlab: simulate: ", c.want)
	}
	says(t, batchlab("simulate", "--log", "x", "--algorithm", "easy", "--order", "a", "--tau", "0", "--overrun", "b"), 2, `--order: unknown value "a"`)
	says(t, batchlab("simulate", "--log", "x", "--algorithm", "easy", "--tau", "0", "--overrun", "b"), 2, `--tau: `, `--overrun: `)
}

// Intent: no output is written over the log, and a place that cannot be written
// to is named.
func TestSimulateBadOutputs(t *testing.T) {
	log := write(t, "a.swf", threeJobs)
	link := filepath.Join(t.TempDir(), "link.swf")
	if err := os.Link(log, link); err != nil {
		link = log
	}
	for _, flag := range []string{"--jobs", "--swf"} {
		says(t, batchlab("simulate", "--log", log, "--algorithm", "easy", flag, link), 2, flag+" "+link+": that is the log itself")
		nowhere := filepath.Join(t.TempDir(), "no", "folder")
		says(t, batchlab("simulate", "--log", log, "--algorithm", "easy", flag, nowhere), 2, nowhere)
		says(t, batchlab("simulate", "--log", log, "--algorithm", "easy", flag, t.TempDir()), 2, "is a directory")
	}
	says(t, batchlab("simulate", "--log", log, "--algorithm", "easy", "--against", "fcfs", "--case", link), 2, "--case "+link+": that is the log itself")
	program := write(t, "own.star", "def order(job, s):\n    return job.id\n")
	says(t, batchlab("simulate", "--log", log, "--algorithm", "custom", "--code", program, "--jobs", program), 2, "that is the program itself")
	if read(t, log) != threeJobs {
		t.Error("the log was written over")
	}
}

// Intent: whatever bytes a file holds, the commands end with 0 or 2 and never
// panic.
func TestRandomFilesNeverPanic(t *testing.T) {
	good := []byte("; MaxProcs: 8\n" + strings.Repeat(oneJob, 5) + demo)
	r := rand.New(rand.NewPCG(5, 5))
	ended := map[int]int{}
	for i := range 300 {
		data := append([]byte(nil), good...)
		for range 1 + r.IntN(8) {
			data[r.IntN(len(data))] = byte(r.IntN(256))
		}
		a, b := r.IntN(len(data)), r.IntN(len(data))
		path := write(t, fmt.Sprint(i), string(data[min(a, b):max(a, b)]))
		for _, args := range [][]string{{"simulate", "--log", path, "--algorithm", "easy", "--skip-malformed", "--processors", "8"}, {"run", path}} {
			out := batchlab(args...)
			if out.status != 0 && out.status != 2 || out.status == 2 && !strings.Contains("\n"+out.stderr, "\nbatchlab: ") {
				t.Fatalf("%v: exit %d: %q", args, out.status, out.stderr)
			}
			ended[out.status]++
		}
	}
	if ended[0] < 20 || ended[2] < 20 {
		t.Errorf("too few of one kind to mean anything: %v", ended)
	}
}

// Intent: a flag from which nothing could come is refused, and so is a file that
// the experiment does not name: nothing is run, and the message says which files it
// does name.
func TestFlagsOfNoUse(t *testing.T) {
	log, doc := write(t, "a.swf", threeJobs), write(t, "d.json", demo)
	says(t, batchlab("simulate", "--log", log, "--algorithm", "easy", "--profile"), 2, "--profile", "--algorithm custom")
	says(t, batchlab("simulate", "--log", log, "--algorithm", "exec"), 2, "simulate: --algorithm: which program?")
	says(t, batchlab("run", doc, "--jobs"), 2, "--jobs: --out DIR is missing")
	needs := write(t, "needs.csv", "job,gpus\n1,0\n")
	for _, command := range []string{"run", "search"} {
		says(t, batchlab(command, doc, "--needs", needs), 2, needs+": "+doc+" does not name it (13 bytes, SHA-256 ")
		says(t, batchlab(command, doc, "--predictions", needs), 2, needs+": "+doc+" does not name it")
	}
	says(t, batchlab("run", doc, "--needs", needs+".none"), 2, needs+".none")
	csv := "job,predicted\n1,5\n"
	naming := write(t, "p.json", fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy","params":{"backfill-by":"prediction"},"predict":{"key":"file","file":{"name":"p.csv","sha256":"%x","size":%d}}}]}`, sha256.Sum256([]byte(csv)), len(csv)))
	says(t, batchlab("run", naming, "--predictions", write(t, "p.csv", csv)), 0)
	says(t, batchlab("run", naming, "--predictions", write(t, "p.csv", csv), "--needs", needs), 2, needs+": "+naming+" does not name it", "schedulers[0].predict.file names p.csv (18 bytes")
	says(t, batchlab("generate", "farm", "--run-min", "50", "--run-max", "10"), 2, "generate: run-max is 10, less than run-min")
}
