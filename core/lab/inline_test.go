package lab_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/swf"
)

// Intent: a table of jobs means what the same jobs mean as a log, whatever its
// columns and their order, with jobs that cleaning drops or cuts among them.
func TestInlineIsALog(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		keys := []string{"submit", "procs", "run"}
		for _, key := range []string{"requested", "user", "wait"} {
			if rng.IntN(2) == 0 {
				keys = append(keys, key)
			}
		}
		rng.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		const size = 16
		var rows, lines []string
		for i := range 1 + rng.IntN(40) {
			v := map[string]int64{"submit": rng.Int64N(500), "procs": rng.Int64N(size + 2), "run": rng.Int64N(200) - 1,
				"requested": rng.Int64N(200) - 1, "user": rng.Int64N(4), "wait": rng.Int64N(100)}
			var cells []string
			for _, key := range keys {
				cells = append(cells, fmt.Sprint(v[key]))
			}
			rows = append(rows, "["+strings.Join(cells, ",")+"]")
			said := " " + strings.Join(keys, " ") + " "
			field := func(key string, without int64) int64 {
				if strings.Contains(said, " "+key+" ") {
					return v[key]
				}
				return without
			}
			lines = append(lines, fmt.Sprintln(i+1, v["submit"], field("wait", -1), v["run"], v["procs"], -1, -1, v["procs"],
				field("requested", v["run"]), -1, 1, field("user", -1), -1, -1, -1, -1, -1, -1))
		}
		text := "; MaxProcs: 16\n" + strings.Join(lines, "")
		sum := sha256.Sum256([]byte(text))
		of := func(source string) string {
			return fmt.Sprintf(`{"batchlab":1,"workload":{"source":%s},"schedulers":[{"key":"easy"},{"key":"conservative"},{"key":"fcfs"}]}`, source)
		}
		log := of(fmt.Sprintf(`{"log":{"name":"x","sha256":"%s","size":%d}}`, hex.EncodeToString(sum[:]), len(text)))
		table := of(fmt.Sprintf(`{"inline":{"processors":16,"columns":["%s"],"rows":[%s]}}`, strings.Join(keys, `","`), strings.Join(rows, ",")))
		env := lab.Env{Log: func(experiment.Log) (*swf.Log, error) { return swf.Parse([]byte(text)) }}
		a, b := result(log, env), result(table, lab.Env{})
		if a != b {
			t.Fatalf("case %d: as a log %s, as a table %s\n%s\n%s", n, a, b, text, table)
		}
	}
}

// result is an experiment's digest, or why it has none.
func result(text string, env lab.Env) string {
	doc, err := experiment.Decode([]byte(text))
	if err != nil {
		return err.Error()
	}
	r, err := lab.Run(doc, env, lab.Options{}, nil)
	if err != nil {
		return err.Error()
	}
	return r.Digest
}

// Intent: a number of the table varies like any other place of a document.
func TestInlineVaries(t *testing.T) {
	doc := `{"batchlab":1,"workload":{"source":{"inline":{"processors":4,"columns":["submit","procs","run"],"rows":[[0,4,10],[1,2,%s]]}}},"schedulers":[{"key":"fcfs"}]%s}`
	one := result(fmt.Sprintf(doc, "7", ""), lab.Env{})
	varied, err := experiment.Decode([]byte(fmt.Sprintf(doc, "5", `,"vary":[{"path":"workload.source.inline.rows[1][2]","values":[7]}]`)))
	if err != nil {
		t.Fatal(err)
	}
	at, err := varied.Points().At(0)
	if err != nil {
		t.Fatal(err)
	}
	if got := result(string(experiment.Encode(at)), lab.Env{}); got != one {
		t.Errorf("varied to 7: %s, written as 7: %s", got, one)
	}
	_, err = experiment.Decode([]byte(fmt.Sprintf(doc, "5", `,"vary":[{"path":"workload.source.inline.rows[2][2]","values":[7]}]`)))
	if err == nil || !strings.Contains(err.Error(), "rows[2]") {
		t.Errorf("a row that is not there: %v", err)
	}
}
