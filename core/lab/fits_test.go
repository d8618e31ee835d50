//go:build !small

package lab

import (
	"fmt"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
)

// nodeDocument is 40 jobs for nodes on two clusters; MORE stands for other keys
// of the platform, NEEDS for annotations, KEY for the scheduler.
const nodeDocument = `{"batchlab":1,"workload":{"source":{"generator":{"key":"node-jobs","params":{"jobs":40,"interarrival":200,"nodes-max":2,"ppn-max":4,"overestimate":2}}},"annotate":{NEEDS}},
"platform":{"clusters":[{"name":"big","packing":"nodes","groups":[{"count":2,"processors":4,"memory":1000,"properties":["fast"]},{"count":2,"processors":4}]},{"name":"small","packing":"nodes","groups":[{"count":2,"processors":2}]}]MORE},
"schedulers":[{"key":"KEY"}]}`

// What can never end well is a message with its place before anything runs, not
// a hang: a job that fits nowhere, a limit below a job's need, an outage without
// an end, names that are not there, and schedulers that do not know what the
// experiment holds.
func TestNothingHangs(t *testing.T) {
	for _, c := range []struct{ key, more, needs, want string }{
		{"plan-rs", "", `"jobs":[{"job":7,"on":["small1"]}]`, `workload.annotate.jobs[0]: job 7 could never start`},
		{"plan-rs", "", `"jobs":[{"job":7,"on":["bigg"]}]`, `workload.annotate.jobs[0]: job 7: no cluster, machine or property is called "bigg"; did you mean "big"?`},
		{"hill-climbing", "", `"eligible":[{"on":["huge"],"share":1}]`, `workload.annotate.eligible[0].on: no cluster, machine or property is called "huge"; there are big, cl_big, big1`},
		{"orig-bf", `,"limits":{"user_processors":3}`, "", `platform.limits: `},
		{"plan-rs", `,"limits":{"classes":[{"longer_than":60,"share":0.1}]}`, "", `jobs ask for more than they allow a single job and could never start`},
		{"plan-rs", `,"limits":{"user_processors":4}`, `"eligible":[{"on":["small"],"share":1}]`, "jobs ask for more"},
		{"conservative", `,"outages":[{"from":0,"cluster":"big"}]`, "", `platform.outages[0].to: missing`},
		{"conservative", `,"outages":[{"from":0,"to":9007199254740991,"cluster":"big"}]`, "", `platform.outages[0].to: must be at most a hundred years later`},
		{"conservative", `,"outages":[{"from":0,"to":1,"cluster":"bg"}]`, "", `platform.outages[0].cluster: unknown cluster "bg"; did you mean "big"?`},
		{"conservative", `,"outages":[{"from":0,"to":1,"cluster":"small","nodes":[2]}]`, "", `platform.outages[0].nodes[0]: there is no machine 2 in cluster "small"`},
		{"plan-rs", `,"licences":[{"name":"cad","copies":1}]`, "", `platform.licences[0].name: no machine names licence "cad"`},
	} {
		text := strings.NewReplacer("KEY", c.key, "MORE", c.more, "NEEDS", c.needs).Replace(nodeDocument)
		doc, err := experiment.Decode([]byte(text))
		var p *Prepared
		if err == nil {
			if p, err = Prepare(doc, Env{}); err == nil {
				_, err = p.Preview()
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s %s: %v, not %s", c.key, c.more, c.needs, err, c.want)
		}
	}
}

// Plans are made, and optimised, where jobs need floating licences.
func TestPlansAndLicences(t *testing.T) {
	with := strings.Replace(nodeDocument, `"properties":["fast"]`, `"licences":["cad"]`, 1)
	with = strings.Replace(with, `{"count":2,"processors":4}`, `{"count":2,"processors":4,"licences":["cad"]}`, 1)
	for _, c := range []struct{ params, needs string }{
		{``, `"licences":[{"licence":"cad","share":0.5}]`},
		{`,"params":{"optimiser":"annealing"}`, `"licences":[{"licence":"cad","share":0.5}]`},
		{`,"params":{"optimiser":"tabu"}`, `"licences":[{"licence":"cad","share":0.5}]`},
		{`,"params":{"optimiser":"lns"}`, `"licences":[{"licence":"cad","share":0.5}]`},
		{`,"params":{"optimiser":"none"}`, `"licences":[{"licence":"cad","share":0.5}]`},
		{``, ``},
	} {
		text := strings.NewReplacer(`"KEY"`, `"plan-rs"`+c.params, "MORE", `,"licences":[{"name":"cad","copies":1}]`, "NEEDS", c.needs).Replace(with)
		p, err := Prepare(decode(t, text), Env{})
		if err == nil {
			_, err = p.Preview()
		}
		var r *Result
		if err == nil {
			r, err = p.Run(RunID{}, Options{})
		}
		if err == nil {
			err = r.Schedule.Check()
		}
		if err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// The whole machine is away for a hundred years, known or not: every job runs,
// and what does not run before runs afterwards.
func TestTheLongestOutage(t *testing.T) {
	for _, key := range []string{"fcfs", "easy", "conservative", "orig-bf", "plan-rs", "hill-climbing"} {
		for _, announced := range []string{"true", "false"} {
			const years = 100 * 365 * 86400
			both := ""
			for _, cluster := range []string{"big", "small"} {
				both += fmt.Sprintf(`,{"from":1000,"to":%d,"cluster":"%s","announced":%s}`, years, cluster, announced)
			}
			text := strings.NewReplacer("KEY", key, "MORE", `,"outages":[`+both[1:]+`]`, "NEEDS", "").Replace(nodeDocument)
			p, err := Prepare(decode(t, text), Env{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Run(RunID{}, Options{})
			if err == nil {
				err = r.Schedule.Check()
			}
			if err != nil {
				t.Errorf("%s, announced %s: %v", key, announced, err)
				continue
			}
			late := 0
			for _, e := range r.Schedule.Executions {
				if e.Start >= years {
					late++
				}
			}
			if late < 30 {
				t.Errorf("%s, announced %s: %d executions after the outage", key, announced, late)
			}
		}
	}
}

// Under every scheduler of machines, on nodes and on counts, a job whose due
// date is the time at which it is stopped never runs beyond it, and is rejected
// when it could not start before; what jobs are eligible for is kept.
func TestStoppedAtDeadlines(t *testing.T) {
	const needs = `"deadlines":{"share":0.8,"factor":1,"margin_min":0,"margin_max":600,"on_due":"kill"},"weights":{"min":1,"max":9},"setup":{"min":5,"max":50}`
	counted := strings.Replace(nodeDocument, `"clusters"`, `"processors":20}, "search":{}, "x":{"clusters"`, 1)
	counted = counted[:strings.Index(counted, `, "search"`)] + `,"schedulers":[{"key":"KEY"}]}`
	for _, key := range []string{"fcfs", "easy", "conservative", "bf-unmod", "bf-mod", "orig-bf", "plan-rs", "hill-climbing", "fcfs-bf", "fair-share", "grid"} {
		for name, text := range map[string]string{"nodes": nodeDocument, "counts": counted} {
			eligible := ""
			if name == "nodes" {
				eligible = `,"eligible":[{"on":["fast","small"],"share":0.4}]`
			}
			text = strings.NewReplacer("KEY", key, "MORE", "", "NEEDS", needs+eligible, `"interarrival":200`, `"interarrival":80`, `"overestimate":2`, `"overestimate":1`).Replace(text)
			p, err := Prepare(decode(t, text), Env{})
			if err != nil {
				t.Fatalf("%s on %s: %v", key, name, err)
			}
			r, err := p.Run(RunID{}, Options{})
			if err == nil {
				err = r.Schedule.Check()
			}
			if err != nil {
				t.Fatalf("%s on %s: %v", key, name, err)
			}
			stopped, bound := 0, 0
			for _, e := range r.Schedule.Executions {
				d := r.Schedule.Workload.Demand(e.Job)
				if d.On != nil {
					bound++
				}
				if d.Due > 0 && e.End > d.Due {
					t.Errorf("%s on %s: job index %d ends at %d, after %d", key, name, e.Job, e.End, d.Due)
				}
				if e.Reason == model.EndDue {
					stopped++
				}
			}
			if stopped == 0 || name == "nodes" && bound == 0 {
				t.Errorf("%s on %s: %d stopped, %d bound to machines", key, name, stopped, bound)
			}
		}
	}
}
