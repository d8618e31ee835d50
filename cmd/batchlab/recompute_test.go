package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"batchlab/core/report"
)

// recomputed are comparisons of every kind, with what must come of them.
var recomputed = []struct{ name, doc string }{
	{"plain", `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"fcfs"},{"key":"easy","params":{"order":"saf"}},{"key":"conservative"},{"key":"orig-bf"},{"key":"as-logged"}]}`},
	{"measuring window, own τ and patience", `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":1500}}}},"schedulers":[{"key":"easy","repeat":2}],
"measures":{"tau":100,"from":100000,"to":600000,"patience":{"factor-1":1.5,"from-2":600,"floors":true,"summed":false}}}`},
	{"farm", `{"batchlab":1,"seed":5,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":400,"interarrival":40}}},
"annotate":{"deadlines":{"share":0.6},"weights":{"min":0.5,"max":3},"setup":{"min":0,"max":30},"licences":[{"licence":"*","share":0.08,"copies":2}]}},
"platform":{"generator":{"key":"farm-machines","params":{"machines":40,"licences":6}}},"schedulers":[{"key":"fcfs"},{"key":"bf-unmod","repeat":2},{"key":"bf-mod"}]}`},
	{"deadlines that stop jobs, needs, speeds", `{"batchlab":1,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":300,"interarrival":60}}},
"annotate":{"deadlines":{"share":0.7,"on_due":"kill"},"needs":[{"share":0.4,"gpus":2},{"share":0.6,"memory":1000000}],"licences":[{"licence":"a b","share":0.3},{"licence":"=x:2","share":0.3}]}},
"platform":{"clusters":[{"name":"@big one","packing":"nodes","groups":[{"count":3,"processors":8,"gpus":4,"memory":4000000,"licences":["a b","=x:2"]}]},
{"name":"old","packing":"machine","groups":[{"count":4,"processors":8,"memory":9000000,"licences":["a b"]},{"count":2,"processors":8,"gpus":2,"licences":["=x:2"],"speed":0.5}]}],
"licences":[{"name":"a b","copies":3},{"name":"=x:2","copies":4}],"power_scales":true},"schedulers":[{"key":"fcfs"},{"key":"easy"},{"key":"conservative"},{"key":"orig-bf"}]}`},
	{"grid", `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"clean":{"oversize":"clamp"},"annotate":{"reservations":{"share":0.4,"part":0.5,"ready":"drawn","factor_max":3}}},
"platform":{"clusters":[{"name":"North","groups":[{"count":60}]},{"name":"South","groups":[{"count":40}]}],"reservations":[{"processors":70,"from":90000,"to":95000,"effort":"processors"}]},
"schedulers":[{"key":"grid","params":{"end":"kill"}},{"key":"grid","params":{"end":"suspend","running":"suspend"}},{"key":"grid","params":{"local":"pppd","preempted":"requeue","unused":"hold"}},
{"key":"grid","params":{"mode":"reject","batch":"random","binding":"static"}}]}`},
	{"grid of one provider", `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"annotate":{"reservations":{"share":0.2,"part":0.3}}},"schedulers":[{"key":"grid"},{"key":"as-logged"}],"measures":{"from":50000}}`},
	{"plan with outages", `{"batchlab":1,"seed":3,"workload":{"source":{"generator":{"key":"node-jobs","params":{"jobs":250,"interarrival":250,"ppn-max":4}}},"annotate":{"needs":[{"share":0.5,"memory":3000},{"share":0.2,"memory":8000}]}},
"platform":{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":6,"processors":4,"memory":9000},{"count":2,"processors":2,"memory":4000}]},{"name":"b","packing":"nodes","groups":[{"count":4,"processors":4}]}],
"outages":[{"from":5000,"to":6000,"cluster":"a","nodes":[3]},{"from":20000,"to":21000,"cluster":"a","announced":true}],
"failures":{"key":"exponential","params":{"mtbf":9000,"repair":900}},"limits":{"user_processors":30}},
"schedulers":[{"key":"orig-bf"},{"key":"conservative"},{"key":"plan-rs","params":{"iterations":20}}]}`},
	{"reacting users", `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"react":{"think":"drawn"}},"schedulers":[{"key":"fcfs"},{"key":"easy","repeat":2},{"key":"bf-mod"},{"key":"as-logged"}]}`},
	{"reacting users with deadlines and reservations", `{"batchlab":1,"seed":9,"workload":{"source":{"bundled":"demo"},"react":{"think":"drawn"},
"annotate":{"deadlines":{"share":0.5,"on_due":"kill","margin_max":20000},"reservations":{"share":0.2,"ready":"drawn","factor_max":2,"part":0.5}}},"schedulers":[{"key":"easy","repeat":2},{"key":"orig-bf"}]}`},
	{"an experiment that varies", `{"batchlab":1,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":120,"interarrival":100}}},"annotate":{"licences":[{"licence":"*","share":0.1}]}},
"platform":{"generator":{"key":"farm-machines","params":{"machines":20,"licences":2}}},"schedulers":[{"key":"fcfs","repeat":2},{"key":"easy"}],
"vary":[{"path":"measures.tau","values":[10,1000]},{"path":"platform.generator.params.machines","values":[20,30]},{"path":"schedulers[0].repeat","values":[1,2]}]}`},
	{"measures vary by name, and along with others", `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}],
"vary":[{"path":"measures.tau","values":[1,1000],"names":["=short","long"]},
{"path":"seed","values":[1,2],"with":[{"path":"measures.from","values":[0,200000]},{"path":"measures.patience","values":[null,{"factor-1":0.5}]}]}]}`},
	{"measures vary as a whole", `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}],"vary":[{"path":"measures","values":[{"tau":1},{"tau":100,"from":50000}]}]}`},
	{"the log's own schedule beside several clusters", `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"clean":{"oversize":"clamp"}},
"platform":{"clusters":[{"name":"a","groups":[{"count":60}]},{"name":"b","groups":[{"count":40}]}]},"schedulers":[{"key":"as-logged"},{"key":"easy"}]}`},
	{"limits and outages on processors alone", `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"platform":{"limits":{"user_processors":100},"outages":[{"from":5000,"to":9000,"processors":20}]},"schedulers":[{"key":"easy"},{"key":"orig-bf"},{"key":"grid"}]}`},
	{"machines whose names look like spans and formulas", `{"batchlab":1,"workload":{"source":{"generator":{"key":"node-jobs","params":{"jobs":200,"nodes-max":6}}},"annotate":{"needs":[{"share":1,"memory":3000}]}},
"platform":{"clusters":[{"name":"=a","packing":"nodes","groups":[{"count":8,"processors":2,"memory":4000}]},{"name":"=a1-=a","packing":"nodes","groups":[{"count":8,"processors":2,"memory":4000}]},{"name":"a 1","packing":"nodes","groups":[{"count":8,"processors":2,"memory":4000}]}]},"schedulers":[{"key":"easy"},{"key":"fcfs"}]}`},
	{"a job on 9,000 nodes", `{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","run","procs"],"rows":[[0,10,9000],[1,10,3000],[1,10,6001]]}}},
"platform":{"clusters":[{"name":"constellation","packing":"nodes","groups":[{"count":9000}]}]},"schedulers":[{"key":"easy"}]}`},
	{"licences that begin like formulas, several a job", `{"batchlab":1,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":200,"interarrival":60}}},
"annotate":{"licences":[{"licence":"cad","share":0.6},{"licence":"=x y","share":0.6,"copies":2}]}},
"platform":{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":8,"processors":8,"licences":["cad","=x y"]}]}],"licences":[{"name":"cad","copies":20},{"name":"=x y","copies":30}]},"schedulers":[{"key":"easy"},{"key":"bf-mod"}]}`},
	{"jobs that wait for others, and leave", `{"batchlab":1,"workload":{"dependencies":"keep","withdrawn":"keep","source":{"inline":{"processors":4,"columns":["submit","procs","requested","run","after","withdrawn","array","array_limit","begin","user"],
"rows":[[0,4,100,90,"",-1,-1,-1,-1,1],[5,2,50,40,"1:ok",-1,-1,-1,-1,1],[5,2,60,60,"1:notok",-1,-1,-1,-1,2],[6,4,30,-1,"",40,-1,-1,-1,2],[7,1,40,30,"2:start+5?9",-1,-1,-1,-1,2],[8,1,20,20,"",-1,1,1,-1,3],[8,1,20,20,"",-1,1,1,-1,3],[9,3,20,10,"5,6",-1,-1,-1,300,1],[9,1,9,9,"3",200,-1,-1,-1,4]]}}},
"schedulers":[{"key":"easy"},{"key":"fcfs"},{"key":"conservative"},{"key":"as-logged"}]}`},
	{"nothing is measured", `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}],"measures":{"from":900000000}}`},
}

// knowsClusters fails where a jobs file names a cluster that platform.json does not.
func knowsClusters(t *testing.T, out string) {
	t.Helper()
	var platform struct{ Clusters []struct{ Name string } }
	text, err := os.ReadFile(filepath.Join(out, "platform.json"))
	if err != nil || json.Unmarshal(text, &platform) != nil {
		return // of an experiment that varies, one for each point
	}
	known := map[string]bool{"": true}
	for _, c := range platform.Clusters {
		known[report.CSVText(c.Name)] = true
	}
	files, _ := filepath.Glob(filepath.Join(out, "jobs-*.csv"))
	for _, name := range files {
		table := parseCSV(t, read(t, name))
		at := slices.Index(table.names, "cluster")
		for _, row := range table.rows {
			if !known[row[at]] {
				t.Fatalf("%s names a cluster %q, platform.json does not", filepath.Base(name), row[at])
			}
		}
	}
}

// Intent: whoever has what a run exports can work out every measure without us:
// a program in another language, which shares no code, comes to the same digits,
// all of them, for every kind of run; and it sees a digit that is not right.
func TestRecompute(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing: the measures are not recomputed in another language")
	}
	all := map[string]bool{}
	for _, c := range recomputed {
		t.Run(c.name, func(t *testing.T) {
			out := t.TempDir()
			object(t, "run", write(t, "x.json", c.doc), "--out", out, "--jobs")
			said, err := exec.Command(python, "../../docs/recompute.py", out).CombinedOutput()
			if err != nil || strings.Count(string(said), "measures agree") != len(parseCSV(t, read(t, filepath.Join(out, "summary.csv"))).rows) {
				t.Errorf("%v\n%s", err, said)
			}
			knowsClusters(t, out)
			table := parseCSV(t, read(t, filepath.Join(out, "summary.csv")))
			for _, row := range table.rows {
				for i, v := range row {
					all[table.names[i]] = all[table.names[i]] || v != ""
				}
			}
			name := filepath.Join(out, "jobs-01-"+table.rows[0][1]+"-0.csv")
			if c.name != "plain" && c.name != "grid" {
				return
			}
			file := read(t, name)
			other := regexp.MustCompile(`(?m)^((?:[^,"\n]*,|"[^"\n]*",){8})(\d*)(\d),`).ReplaceAllString(file, "${1}${2}1${3},") // ten times the start
			if err := os.WriteFile(name, []byte(other), 0o600); err != nil || other == file {
				t.Fatal(err)
			}
			if said, err := exec.Command(python, "../../docs/recompute.py", out).CombinedOutput(); err == nil {
				t.Errorf("other starts are not seen:\n%s", said)
			}
		})
	}
	for key, there := range all {
		if !there {
			t.Errorf("no run has the measure %s", key)
		}
	}
}
