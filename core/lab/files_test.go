//go:build !small

package lab

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Intent: jobs.csv, which is put together from a run's columns as the page has
// them, says of every execution what the schedule itself says, one row each:
// attempts after failures, reservations, preempted and suspended jobs, jobs that
// are stopped at their due time, machines, and jobs of users who react.
func TestExecutionsAgreeWithTheSchedule(t *testing.T) {
	docs := map[string]string{
		"guarded":   guardedDocument,
		"reacting":  `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"react":{}},"schedulers":[{"key":"easy"},{"key":"as-logged"},{"key":"orig-bf"}]}`,
		"as logged": `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"platform":{"processors":90},"schedulers":[{"key":"as-logged"}]}`,
		"due": `{"batchlab":1,"workload":{"source":{"generator":{"key":"farm","params":{"jobs":200,"interarrival":50}}},
"annotate":{"deadlines":{"share":0.7,"on_due":"kill"},"weights":{"min":1,"max":5},"setup":{"min":10,"max":60},"licences":[{"licence":"*","share":0.1}]}},
"platform":{"generator":{"key":"farm-machines","params":{"machines":30,"licences":4}}},"schedulers":[{"key":"fcfs"},{"key":"bf-mod"},{"key":"hill-climbing"}]}`,
	}
	grid := func(params string) string {
		return `{"batchlab":1,"workload":{"source":{"bundled":"demo"},"clean":{"oversize":"clamp"},"annotate":{"reservations":{"share":0.4,"part":0.5,"ready":"drawn","factor_max":3}}},
"platform":{"clusters":[{"name":"North","groups":[{"count":60}]},{"name":"South","groups":[{"count":40}]}],
"reservations":[{"processors":70,"from":90000,"to":95000,"effort":"processors"}]},"schedulers":[{"key":"grid","params":{` + params + `}}]}`
	}
	docs["kill"], docs["suspend"] = grid(`"end":"kill"`), grid(`"end":"suspend","running":"suspend"`)
	docs["preempt"] = grid(`"local":"pppd","preempted":"requeue","unused":"hold"`)
	docs["reject"] = grid(`"mode":"reject","batch":"random","binding":"static"`)
	seen := map[string]int{}
	for name, text := range docs {
		p, err := Prepare(decode(t, text), Env{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, id := range p.Runs() {
			r, err := p.Run(id, Options{Columns: true})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			agreeWithSchedule(t, fmt.Sprintf("%s, %s", name, r.Report.Label), p, r, seen)
		}
	}
	for _, reason := range []string{"completed", "rejected", "outage", "preempted", "suspended", "due", "reservation-end"} {
		if seen[reason] == 0 {
			t.Errorf("no execution ended %q: %v", reason, seen)
		}
	}
}

// spelt writes spans of a cluster's machines out, "a2-a4" as "a2 a3 a4".
func spelt(t *testing.T, machines, cluster string) string {
	t.Helper()
	var all []string
	for _, name := range strings.Fields(machines) {
		from, to, span := strings.Cut(strings.TrimPrefix(name, cluster), "-"+cluster)
		first, err := strconv.Atoi(from)
		last := first
		if err == nil && span {
			last, err = strconv.Atoi(to)
		}
		if err != nil || span && last <= first {
			t.Fatalf("machines %q of %q: %v", machines, cluster, err)
		}
		for n := first; n <= last; n++ {
			all = append(all, cluster+strconv.Itoa(n))
		}
	}
	return strings.Join(all, " ")
}

// agreeWithSchedule holds a run's table against its schedule, and counts how
// executions ended.
func agreeWithSchedule(t *testing.T, name string, p *Prepared, r *Result, seen map[string]int) {
	t.Helper()
	x, err := p.Executions(r)
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(strings.NewReader(string(x.CSV()))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]map[string]string{}
	for _, fields := range all[1:] {
		row := map[string]string{}
		for i, head := range all[0] {
			row[head] = fields[i]
		}
		rows[row["job_id"]+" "+row["attempt"]] = row
	}
	s := r.Schedule
	if len(rows) != len(s.Executions) || len(all)-1 != len(s.Executions) {
		t.Fatalf("%s: %d rows for %d executions", name, len(all)-1, len(s.Executions))
	}
	licences := []string{}
	for _, l := range s.Platform.Licences {
		licences = append(licences, l.Name)
	}
	for i := range s.Executions {
		e := &s.Executions[i]
		j, d := &s.Workload.Jobs[e.Job], s.Workload.Demand(e.Job)
		if d == nil {
			d = &model.Demand{}
		}
		row := rows[fmt.Sprint(j.Number, " ", e.Attempt)]
		want := map[string]string{
			"workload_name": s.Workload.Name, "submission_time": fmt.Sprint(e.Submit), "requested_number_of_resources": fmt.Sprint(j.Procs),
			"requested_time": fmt.Sprint(j.Limit), "starting_time": fmt.Sprint(e.Start), "finish_time": fmt.Sprint(e.End), "user": fmt.Sprint(j.User),
			"execution_time": fmt.Sprint(e.End - e.Start), "waiting_time": fmt.Sprint(e.Start - e.Submit), "processors": fmt.Sprint(e.Procs),
			"due": "", "lateness": "", "weight": "", "setup_time": "", "reservation_from": "", "reservation_late": "", "cluster": "", "machines": "",
			"licences": report.LicenceList(d.Licences, licences), "success": "0",
		}
		state := map[model.EndReason]string{model.EndCompleted: "COMPLETED_SUCCESSFULLY", model.EndKilled: "COMPLETED_WALLTIME_REACHED", model.EndRejected: "REJECTED",
			model.EndOutage: "COMPLETED_KILLED", model.EndPreempted: "COMPLETED_KILLED", model.EndSuspended: "SUSPENDED", model.EndDue: "COMPLETED_KILLED", model.EndReserved: "COMPLETED_WALLTIME_REACHED"}[e.Reason]
		if want["final_state"] = state; e.Reason == model.EndCompleted {
			want["success"] = "1"
		}
		if d.Due > 0 {
			want["due"], want["lateness"] = fmt.Sprint(d.Due), fmt.Sprint(e.End-d.Due)
		}
		if d.Weight > 0 {
			want["weight"] = fmt.Sprint(d.Weight)
		}
		if d.Setup > 0 {
			want["setup_time"] = fmt.Sprint(d.Setup)
		}
		if q := d.Reservation; q != nil {
			want["reservation_from"], want["reservation_to"], want["reservation_length"] = fmt.Sprint(q.Ready), fmt.Sprint(q.Deadline), fmt.Sprint(q.Length)
			want["reservation_late"] = fmt.Sprint(max(0, e.End-q.Deadline))
			from := s.Executions[i-int(e.Attempt)].Start
			for _, h := range s.Holds {
				if h.Job == e.Job && h.Reserved {
					from = min(from, h.From)
				}
			}
			want["reservation_start"] = fmt.Sprint(from)
		}
		if e.Claim > 0 {
			c := &s.Claims[e.Claim-1]
			if !p.counted() {
				want["cluster"] = s.Platform.Clusters[c.Cluster].Name
			}
			for _, part := range c.Parts {
				if s.Platform.Clusters[c.Cluster].Packing != model.PackProcessors {
					want["machines"] = strings.TrimSpace(want["machines"] + " " + s.Platform.NodeName(part.Node))
				}
			}
		}
		if e.Reason == model.EndRejected {
			for _, key := range []string{"starting_time", "finish_time", "execution_time", "waiting_time"} {
				want[key] = "-1"
			}
			for _, key := range []string{"processors", "lateness", "reservation_late"} {
				want[key] = ""
			}
			delete(want, "reservation_start")
		}
		row["machines"] = spelt(t, row["machines"], row["cluster"])
		for key, w := range want {
			if row[key] != w {
				t.Fatalf("%s: job %d, attempt %d: %s is %q, and %q in the schedule", name, j.Number, e.Attempt, key, row[key], w)
			}
		}
		seen[row["end_reason"]]++
	}
}
