package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// weeksOfJobs is a log of so many weeks as a source of jobs; of no users where named is
// false.
func weeksOfJobs(weeks, jobs int, named bool) string {
	r := rand.New(rand.NewPCG(3, uint64(weeks)))
	var rows []string
	for i := range jobs {
		user := -1
		if named {
			user = r.IntN(14)
		}
		run := 60 + r.IntN(40)*r.IntN(40)*40
		rows = append(rows, fmt.Sprintf("[%d,%d,%d,%d,%d]", i*weeks*604800/jobs+r.IntN(20000), 1+r.IntN(8)*r.IntN(2), run, run+r.IntN(20000), user))
	}
	return `{"inline":{"processors":10,"columns":["submit","procs","run","requested","user"],"rows":[` + strings.Join(rows, ",") + `]}}`
}

// Intent: whoever has what a run exports can work out the comparison without us, too:
// quotients, intervals of every kind and words, by another program; of each kind of interval
// it sees an end that is not right; and comparison.csv is what run prints.
func TestRecomputeComparison(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing: the comparison is not recomputed in another language")
	}
	bands := map[string][2]any{}
	for _, of := range []string{"", "difference_", "relative_"} {
		for k, name := range []string{"least", "median", "greatest"} {
			bands[of+name] = [2]any{of + "band", k}
		}
	}
	three := `"schedulers":[{"key":"easy","repeat":%d},{"key":"easy","repeat":%[1]d,"params":{"order":"saf"}},{"key":"conservative","repeat":%[1]d},{"key":"orig-bf","repeat":%[1]d}]}`
	words, tried := map[string]bool{}, map[string]bool{}
	for i, c := range []struct{ name, source, more, schedulers, by string }{
		{"independent workloads", `{"generator":{"key":"daily","params":{"jobs":300}}}`, "", fmt.Sprintf(three, 5), "independent workloads"},
		{"two workloads", `{"generator":{"key":"daily","params":{"jobs":200}}}`, "", fmt.Sprintf(three, 2), ""},
		{"draws of users", weeksOfJobs(9, 500, true), `,"resample":{"by":"users"}`, fmt.Sprintf(three, 6), "draws of users"},
		{"draws of weeks", weeksOfJobs(12, 600, false), `,"resample":{"by":"weeks","block":3}`, fmt.Sprintf(three, 6), "draws of weeks"},
		{"draws of weeks of a log with users, in a measuring window", weeksOfJobs(12, 600, true), `,"resample":{"by":"weeks","block":2}},"measures":{"tau":60,"from":900000,"to":6000000`, fmt.Sprintf(three, 5), "draws of weeks"},
		{"other minutes", weeksOfJobs(5, 300, true), `,"resample":{"by":"shake"}`, fmt.Sprintf(three, 4), "independent workloads"},
		{"one log", weeksOfJobs(6, 500, true), "", fmt.Sprintf(three, 1), "this log alone"},
		{"one log, five times", weeksOfJobs(6, 400, true), "", fmt.Sprintf(three, 5), "this log alone"},
		{"one log from which nothing was drawn", weeksOfJobs(6, 400, true), `,"resample":{"by":"users"}`, fmt.Sprintf(three, 1), "this log alone"},
		{"one log without users", weeksOfJobs(6, 300, false), "", fmt.Sprintf(three, 1), ""},
		{"one log of a fortnight", weeksOfJobs(2, 300, true), "", fmt.Sprintf(three, 1), ""},
		{"phases", weeksOfJobs(1, 200, true), `},"platform":{"clusters":[{"name":"c","packing":"nodes","groups":[{"count":5,"processors":2}]}]`, `"schedulers":[{"key":"easy","repeat":5},{"key":"slurm","repeat":5},{"key":"slurm","repeat":5,"params":{"phase":"random","bf_interval":300}},{"key":"slurm","repeat":5,"params":{"phase":3}},{"key":"orig-bf","repeat":5}]}`, ""},
		{"users who react", weeksOfJobs(5, 300, true), `,"react":{}`, fmt.Sprintf(three, 1), ""},
		{"reservations", weeksOfJobs(6, 300, true), `,"annotate":{"reservations":{"share":0.3,"part":0.5,"ready":"drawn","factor_max":3}}`, `"schedulers":[{"key":"grid","repeat":4},{"key":"grid","repeat":4,"params":{"local":"easy"}},{"key":"as-logged","repeat":4}]}`, "independent workloads"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && i%4 > 0 { // short is what is run again where a guide was followed, which no case of these touches
				t.Skip("a comparison like the others")
			}
			out := t.TempDir()
			doc := `{"batchlab":1,"seed":4,"workload":{"source":` + c.source + c.more + `},` + c.schedulers
			printed := object(t, "run", write(t, "x.json", doc), "--out", out)
			name := filepath.Join(out, "comparison.csv")
			file := read(t, name)
			table, found := parseCSV(t, file), false
			for i, entry := range printed["comparison"].([]any) {
				e := entry.(map[string]any)
				for k, key := range table.names {
					text := table.rows[i][k]
					printed := e[key]
					if at, is := bands[key]; is {
						if list, _ := e[at[0].(string)].([]any); list != nil {
							printed = list[at[1].(int)]
						}
					}
					switch v := printed.(type) {
					case string:
						found = found || key == "interval" && v == c.by
						if key == "verdict" {
							words[v] = true
						}
						if text != v {
							t.Errorf("%s: %q, printed %q", key, text, v)
						}
					case float64:
						if got, err := strconv.ParseFloat(text, 64); err != nil || got != v {
							t.Errorf("%s: %q, printed %v", key, text, v)
						}
					default:
						if text != "" && text != "0" {
							t.Errorf("%s: %q, nothing printed", key, text)
						}
					}
				}
			}
			if c.by != "" && !found {
				t.Errorf("no interval by %s", c.by)
			}
			said, err := exec.Command(python, "../../docs/recompute.py", out).CombinedOutput()
			if err != nil || !strings.Contains(string(said), fmt.Sprintf("comparison.csv: %d lines agree", len(table.rows))) {
				t.Fatalf("%v\n%s", err, said)
			}
			if c.by == "" || tried[c.by] {
				return
			}
			tried[c.by] = true
			for _, key := range []string{"relative_low", "verdict"} { // another end, another word
				at, other := 0, ""
				for k := range table.names {
					if table.names[k] == key {
						at = k
					}
				}
				lines := strings.SplitAfter(file, "\n")
				for i, line := range lines {
					if fields := strings.Split(line, ","); i > 0 && len(fields) > at && fields[at] != "" && other == "" {
						if fields[at] = "0.123"; key == "verdict" {
							fields[at] = "certainly better"
						}
						lines[i], other = strings.Join(fields, ","), key
					}
				}
				if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o600); err != nil || other == "" {
					t.Fatal(err, other)
				}
				if said, err := exec.Command(python, "../../docs/recompute.py", out).CombinedOutput(); err == nil {
					t.Errorf("another %s is not seen:\n%s", key, said)
				}
			}
		})
	}
	for _, word := range []string{"same", "one workload", "no interval", "no clear difference", "within the band", "better", "worse", "higher"} {
		if !words[word] && !testing.Short() {
			t.Errorf("no comparison says %q: %v", word, words)
		}
	}
}
