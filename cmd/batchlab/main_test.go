package main

import (
	"strings"
	"testing"
)

// Intent: help that is asked for goes to standard output and ends with 0; wrong
// use ends with 2 and one line that says where to look.
func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"-h"}, {"--help"}} {
		out := batchlab(args...)
		says(t, out, 0)
		for _, c := range commands {
			if !strings.Contains(out.stdout, "batchlab "+c.name) {
				t.Errorf("batchlab %v does not name %s", args, c.name)
			}
		}
	}
	for _, args := range [][]string{
		{"simulate", "--help"}, {"simulate", "-h"}, {"help", "simulate"}, {"simulate", "--log", "x", "--help"},
		{"run", "--help"}, {"run", "x.json", "-h"}, {"paper", "--help"}, {"generate", "daily", "--help"}, {"generate", "--help"},
		{"help", "generate"}, {"help", "generate", "daily"}, {"generate", "--help", "daily"},
	} {
		out := batchlab(args...)
		says(t, out, 0)
		if !strings.HasPrefix(out.stdout, "usage: batchlab ") || out.stderr != "" {
			t.Errorf("batchlab %v prints %q and %q", args, out.stdout, out.stderr)
		}
	}
	says(t, batchlab(), 2, "usage:", "simulate", "--help")
	says(t, batchlab("smulate"), 2, `no command "smulate"; did you mean "simulate"?`, "batchlab help")
	says(t, batchlab("help", "nothing-like-it"), 2, `no command "nothing-like-it"`)
}

// Intent: every flag's line in the help says what it does, and the defaults
// stand there.
func TestHelpOfFlags(t *testing.T) {
	out := batchlab("simulate", "--help").stdout
	for _, want := range []string{
		"--order KEY", "(fcfs, lcfs, spf", "default fcfs; for easy, conservative)", "(oldest, newest; default oldest; for fcfs, easy, conservative, foresight, foresight-rollout)", "(0 to 3162240000; for easy, foresight, foresight-rollout)", "--weights X,X,X", "(with --order mixed; for easy, conservative)",
		"--tau SECONDS", "default 10)", "default kill)", "default drop)", "as-logged, fcfs, easy, conservative",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("help of simulate lacks %q:\n%s", want, out)
		}
	}
	out = batchlab("generate", "daily", "--help").stdout
	for _, want := range []string{"--seed N", "--draw N", "--repetition NUMBER", "(1 to 1000000; default 2000)", "--run SECONDS"} {
		if !strings.Contains(out, want) {
			t.Errorf("help of generate daily lacks %q:\n%s", want, out)
		}
	}
}

// Intent: faults in flags are worded in one line that names the flag.
func TestFlagFaults(t *testing.T) {
	log := write(t, "a.swf", threeJobs)
	for _, c := range []struct {
		args string
		want string
	}{
		{"simulate --logg LOG", `no flag --logg; did you mean "--log"? (batchlab simulate --help lists them)`},
		{"simulate --xyzzy", `no flag --xyzzy (batchlab`},
		{"simulate --log", `--log: a value is missing`},
		{"simulate --log=", `--log: a value is missing`},
		{"simulate --log --algorithm easy", `--log: a value is missing (--algorithm is a flag`},
		{"simulate --log LOG --algorithm easy --tau ten", `--tau: "ten" is not a whole number`},
		{"simulate --log LOG --algorithm easy --tau 0x10", `--tau: "0x10" is not a whole number`},
		{"simulate --log LOG --algorithm easy --tau 1.5", `--tau: "1.5" is not a whole number`},
		{"simulate --log LOG --algorithm easy --tau 1e3", `--tau: "1e3" is not a whole number`},
		{"simulate --log LOG --algorithm easy --threshold 99999999999999999999", `--threshold: 99999999999999999999 is too large`},
		{"simulate --log LOG --algorithm easy --tau 99999999999999999999", `--tau: 99999999999999999999 is too large`},
		{"simulate --log LOG --algorithm easy --skip-malformed=maybe", `--skip-malformed: "maybe": true or false`},
		{"simulate LOG --algorithm easy", `what is "`},
		{"simulate --algorithm easy", "which log? --log FILE"},
		{"simulate --log LOG", "which scheduler? --algorithm as-logged|fcfs|easy|conservative"},
		{"simulate ---log LOG", "simulate: "},
		{"run", "which experiment? batchlab run EXPERIMENT.json"},
		{"run a.json b.json", "which experiment?"},
		{"run --out", "--out: a value is missing"},
		{"generate", "which model? batchlab generate daily"},
		{"generate dialy", `no model "dialy"; did you mean "daily"?`},
		{"generate --seed 3 dialy", `no model "dialy"; did you mean "daily"?`},
		{"generate daily extra", `what is "extra"?`},
		{"generate daily --seed -1", "--seed: must be between 0 and 9007199254740991, not -1"},
		{"generate daily --seed 9007199254740992", "--seed: must be between"},
		{"generate daily --draw -1", "--draw: must be between 0 and"},
		{"generate daily --jobs 0", "--jobs: must be between 1 and 1000000, not 0"},
		{"generate daily --jobs 1e3", `--jobs: "1e3" is not a whole number`},
		{"generate daily --load much", `--load: "much" is not a number`},
		{"generate daily --load NaN", `--load: must be a finite number`},
		{"generate daily --load 1e999", `--load: "1e999" is not a number`},
		{"generate daily --load 7", `--load: must be between 0.05 and 3, not 7`},
		{"generate daily --lod 1", `no flag --lod; did you mean "--load"?`},
		{"paper --quick=perhaps", `--quick: "perhaps": true or false`},
		{"paper nothing", `no preset "nothing"`},
		{"paper one two", "one preset at a time"},
	} {
		out := batchlab(strings.Fields(strings.ReplaceAll(c.args, "LOG", log))...)
		says(t, out, 2, "batchlab: ", c.want)
		if strings.Count(out.stderr, "\n") != 1 {
			t.Errorf("batchlab %s: not one line: %q", c.args, out.stderr)
		}
	}
}
