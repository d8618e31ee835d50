package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"batchlab/core/report"
)

// asked is a document with cases, of which one says what is there already.
const asked = `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":400,"processors":64}}}},"platform":{"processors":64},
"schedulers":[{"key":"easy","repeat":3},{"key":"fcfs"}],
"vary":[{"path":"workload.scale.load","values":[0.9,1.1]},
 {"cases":[{"name":"as it is"},{"name":"the same again","set":{"platform.processors":64}},{"name":"sixteen more, \"SAF\"","set":{"platform.processors":80,"schedulers[0].params.order":"saf"}}]}]}`

// paysOf reads what run printed of the points.
func paysOf(t *testing.T, printed string) (names []string, list [][]report.Pays) {
	t.Helper()
	var out struct {
		Points []struct {
			Name   string
			Values []any
			Pays   []report.Pays
		}
	}
	if err := json.Unmarshal([]byte(printed), &out); err != nil {
		t.Fatal(err)
	}
	for _, p := range out.Points {
		names, list = append(names, p.Name), append(list, p.Pays)
	}
	return names, list
}

// Intent: each case is set beside the first one of the same point of the other axes; what
// changes nothing is said to change nothing, exactly; values are the names of cases.
func TestRunCases(t *testing.T) {
	dir := t.TempDir()
	got := batchlab("run", write(t, "e.json", asked), "--out", dir)
	says(t, got, 0)
	names, list := paysOf(t, got.stdout)
	if len(list) != 6 || names[4] != "workload.scale.load = 1.1, the same again" || len(list[0])+len(list[3]) != 0 {
		t.Fatalf("points %q", names)
	}
	for _, i := range []int{1, 4} {
		for _, p := range list[i] {
			if !p.Nothing || !p.Alike || p.Cost != nil || p.Shifts == nil || p.Shifts.Later+p.Shifts.Earlier != 0 || len(p.Rows) < 3 {
				t.Errorf("point %d changes something: %+v", i, p)
			}
			for _, r := range p.Rows {
				if r.Difference != 0 || r.Verdict != report.VerdictSame || r.Told || r.After != r.Before {
					t.Errorf("point %d: %+v", i, r)
				}
			}
		}
	}
	for _, i := range []int{2, 5} {
		p := list[i][0]
		if p.Nothing || !p.Alike || p.Cost == nil || p.Cost.Processors != 16 || p.Cost.ProcHours != 16*p.Cost.Hours || p.Cost.Nodes != nil || p.Rows[0].Difference >= 0 || p.Shifts.Earlier == 0 {
			t.Errorf("point %d: %+v", i, p)
		}
	}
	summary := parseCSV(t, read(t, filepath.Join(dir, "summary.csv")))
	if summary.names[1] != "case" || summary.rows[len(summary.rows)-1][1] != `sixteen more, "SAF"` {
		t.Errorf("summary: %q", summary.rows[len(summary.rows)-1][:3])
	}
	if table := parseCSV(t, read(t, filepath.Join(dir, "pays.csv"))); table.names[1] != "case" || table.rows[0][1] != "the same again" {
		t.Errorf("pays.csv: %q", table.rows[0])
	}
}

// Intent: every number of pays.csv comes out again from the jobs files and the log, by a
// program that shares no code with this one: of one log, of draws, and of a generator.
func TestPaysAreRecomputed(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	const cases = `,"vary":[{"cases":[{"name":"before"},{"name":"more, and SPF","set":{"platform.processors":140,"schedulers[0].params.order":"spf"}},{"name":"a day off","set":{"platform.outages":[{"from":100000,"to":186400,"processors":60,"announced":true}]}}]}]}`
	for _, one := range []struct {
		name, more, schedulers, by string
	}{
		{"log", "", `{"key":"easy","repeat":2},{"key":"conservative"}`, report.ByLog},
		{"draws", `,"resample":{"by":"users"}`, `{"key":"easy","repeat":4}`, report.ByUsers},
		{"generated", "", `{"key":"easy","repeat":6}`, report.ByPairs},
	} {
		t.Run(one.name, func(t *testing.T) {
			if testing.Short() && one.name == "draws" {
				t.Skip("the log's numbers and those of pairs are computed")
			}
			document, log := happened(t, one.schedulers, one.more)
			text, err := os.ReadFile(document)
			if err != nil {
				t.Fatal(err)
			}
			if one.name == "generated" {
				_, rest, _ := bytes.Cut(text, []byte(`"schedulers"`))
				text = append([]byte(`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":600}}}},"schedulers"`), rest...)
			}
			document = write(t, "e.json", strings.TrimSuffix(string(text), "}")+cases)
			dir := t.TempDir()
			args := []string{"run", document, "--jobs", "--out", dir}
			if one.name != "generated" {
				args = append(args, "--log", log)
			}
			got := batchlab(args...)
			says(t, got, 0)
			table := read(t, filepath.Join(dir, "pays.csv"))
			if !strings.Contains(table, one.by) || !strings.Contains(table, "no clear difference") && !strings.Contains(table, "better") {
				t.Errorf("no interval by %s", one.by)
			}
			args = []string{"../../docs/recompute_pays.py", dir}
			if one.name == "log" {
				args = append(args, log)
				if _, list := paysOf(t, got.stdout); list[1][0].Error == nil || *list[1][0].Error != 0 {
					t.Error("EASY's own waits stand in the log, and the model errs")
				}
			}
			said, err := exec.Command(python, args...).CombinedOutput()
			if err != nil || !strings.Contains(string(said), " 0 numbers differ") || one.name == "log" && !strings.Contains(string(said), " 0 left out") {
				t.Fatalf("%v\n%.3000s", err, said)
			}
			if one.name != "generated" {
				return
			}
			lines := strings.SplitAfter(table, "\n")
			fields := strings.Split(lines[1], ",")
			fields[7] += "1" // before_s
			lines[1] = strings.Join(fields, ",")
			if err := os.WriteFile(filepath.Join(dir, "pays.csv"), []byte(strings.Join(lines, "")), 0o600); err != nil {
				t.Fatal(err)
			}
			if said, err := exec.Command(python, args...).CombinedOutput(); err == nil {
				t.Errorf("another number is not seen:\n%s", said)
			}
		})
	}
}
