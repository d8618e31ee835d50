package main

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

// Intent: an experiment on a farm runs with the CSV file that it names, prints
// the parameters behind each run, and says exactly what is wrong: another file,
// none, or a bad row, with exit code 2.
func TestRunFarm(t *testing.T) {
	const csv = "job,due,licences\n1,5000,cad\n2,,-\n"
	doc := func(csv string) string {
		return write(t, "farm.json", fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":40}}},
"annotate":{"deadlines":{"share":0.5},"file":{"name":"needs.csv","sha256":"%x","size":%d}}},
"platform":{"clusters":[{"name":"f","packing":"machine","groups":[{"count":3,"processors":8,"licences":["cad"]}]}],"licences":[{"name":"cad","copies":1}]},
"schedulers":[{"key":"bf-unmod"}]}`, sha256.Sum256([]byte(csv)), len(csv)))
	}
	needs := write(t, "needs.csv", csv)
	o := object(t, "run", doc(csv), "--needs", needs)
	one := o["runs"].([]any)[0]
	if k := get(t, one, "params", "k"); k != 1.3 {
		t.Errorf("k is %v", k)
	}
	for _, key := range []string{"out-of-deadline", "system-usage", "licence-usage"} {
		if v, ok := get(t, one, "metrics", key).(float64); !ok || v < 0 {
			t.Errorf("%s is %v", key, v)
		}
	}
	bad := csv + "41,9,\n"
	for want, args := range map[string][]string{
		"this experiment needs the file needs.csv":              {"run", doc(csv)},
		"is another one: ":                                      {"run", doc(bad), "--needs", needs},
		"needs.csv: row 4: there is no job 41 (of the 40 jobs ": {"run", doc(bad), "--needs", write(t, "needs.csv", bad)},
	} {
		if out := batchlab(args...); out.status != 2 || !strings.Contains(out.stderr, want) {
			t.Errorf("exit %d: %s\nwant %s", out.status, out.stderr, want)
		}
	}
}

// Intent: a preset of several experiments prints its rows with intervals and
// the parameters of its schedulers.
func TestPaperSweep(t *testing.T) {
	if testing.Short() {
		t.Skip("80 runs of 1000 jobs")
	}
	o := object(t, "paper", "techiouba2008-figure2a", "--quick")
	rows := o["rows"].([]any)
	if len(rows) != 35 || get(t, rows[0], "half") == nil || get(t, o["schedulers"].([]any)[2], "params", "deadline-max") != 20. || o["quick"] != true {
		t.Errorf("%d rows, %v", len(rows), o["schedulers"])
	}
}
