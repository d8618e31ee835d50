//go:build !small

package lab

import (
	"fmt"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/tell"
)

// poorAndRich is a document in which job 2, of the QOS rich, finds all machines taken by job
// 1, of the poor, and job 3 names two partitions.
const poorAndRich = `{"batchlab":1,
 "workload":{"source":{"inline":{"columns":["submit","procs","requested","run","user","partition","qos"],
  "rows":[[0,4,1000,500,1,1,1],[10,4,100,100,2,1,2],[20,1,50,50,3,"1,2",1]]}}},
 "platform":{"clusters":[{"name":"n","packing":"nodes","groups":[{"count":3,"processors":2}]}],
  "partitions":[{"name":"all","nodes":[{"first":0,"count":2}]},{"name":"short","tier":5,"nodes":[{"first":2,"count":1}]}],
  "qos":[{"name":"poor"},{"name":"rich","preempts":["poor"]}]},
 "schedulers":[{"key":"slurm","params":{"phase":0,"PreemptType":"preempt/qos","PreemptMode":"%s"}}]}`

// stepped runs the document's first scheduler and returns its steps and its schedule.
func stepped(t *testing.T, text string) ([]*tell.Step, *model.Schedule) {
	t.Helper()
	e, err := experiment.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	steps, schedule, err := toldSteps(t, e, Env{})
	if err != nil {
		t.Fatal(err)
	}
	return steps, schedule
}

// onPaper is a schedule as one writes it down: number, start and end of each execution.
func onPaper(s *model.Schedule) string {
	var list []string
	for i := range s.Executions {
		x := &s.Executions[i]
		list = append(list, fmt.Sprintf("%d %d-%d", s.Workload.Jobs[x.Job].Number, x.Start, x.End))
	}
	return strings.Join(list, ", ")
}

// Intent: by hand, from a document to starts and to what is told (the times are computed
// at core/policy's TestSlurmPreempts). Job 3 names both partitions: all is full, so it has
// the machine of short, with the pass that it asks for.
func TestSlurmPreemptsByTheDocument(t *testing.T) {
	for mode, c := range map[string]struct{ want, told string }{
		"requeue": {"1 3-10, 1 150-650, 2 13-113, 3 20-70", "is stopped, and will run again"},
		"cancel":  {"1 3-10, 1 -1--1, 2 13-113, 3 20-70", "is turned down"},
		"suspend": {"1 3-10, 1 110-603, 2 10-110, 3 20-70", "goes on later"},
		"off":     {"1 3-503, 2 503-603, 3 20-70", ""},
	} {
		steps, schedule := stepped(t, fmt.Sprintf(poorAndRich, mode))
		if err := schedule.Check(); err != nil {
			t.Error(err)
		}
		if got := onPaper(schedule); got != c.want {
			t.Errorf("%s: %s, on paper %s", mode, got, c.want)
		}
		text := ""
		for _, s := range steps {
			for i := range s.Decisions {
				text += fmt.Sprintf("%d: %s\n", s.Now, s.Decisions[i].Sentence(nil))
			}
			for i := range s.Queue {
				if q := &s.Queue[i]; !q.Kind.Begins() && q.Reason == "" && q.Kind != "reject" {
					t.Errorf("%s: at %d job %d waits for no reason", mode, s.Now, q.Number)
				}
			}
		}
		if !strings.Contains(text, c.told) {
			t.Errorf("%s: nothing says %q:\n%s", mode, c.told, text)
		}
	}
}

// Intent: by hand. Job 2 names a partition of a higher tier behind its own, which counts what
// its jobs hold, if never so much that it could bind: it does not wait there, and job 1, which
// came at the same second, has the machine first.
func TestSlurmWaitsWhereItIsBoundAlike(t *testing.T) {
	for limits, want := range map[string]string{"": "1 13-23, 2 3-13", `,"limits":{"processors":9}`: "1 3-13, 2 13-23", `,"limits":{"job_processors":9}`: "1 13-23, 2 3-13"} {
		_, schedule := stepped(t, `{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","procs","requested","run","partition"],"rows":[[0,2,10,10,"1"],[0,2,10,10,"1,2"]]}}},
			"platform":{"processors":2,"partitions":[{"name":"low"},{"name":"high","tier":2`+limits+`}]},"schedulers":[{"key":"slurm","params":{"phase":0}}]}`)
		if got := onPaper(schedule); got != want {
			t.Errorf("%q: %s, on paper %s", limits, got, want)
		}
	}
}

// Intent: by hand. Of jobs that ask for nodes each has one machine where jobs run within
// machines, as under every other scheduler; a partition that allows one node turned those
// away that ask for more, and Slurm looked at them for ever. Job 2 wants both of
// the processors, jobs 1 and 3 one each, which they have in turn.
func TestSlurmWithinAMachine(t *testing.T) {
	_, schedule := stepped(t, `{"batchlab":1,"seed":7,"workload":{"source":{"generator":{"key":"node-jobs","params":{"jobs":3,"nodes-max":2,"run-min":10,"run-max":10}}}},
		"platform":{"clusters":[{"name":"a","packing":"machine","groups":[{"processors":2}]}]},"schedulers":[{"key":"slurm","params":{"phase":0}}]}`)
	if got, want := onPaper(schedule), "1 3-13, 2 13-23, 3 23-33"; got != want {
		t.Errorf("%s, on paper %s", got, want)
	}
}

// Intent: by hand. Where a reservation is, Slurm knows. It has a processor of cluster a from 2
// on; a failure of a takes it at 3, and it goes on from there on b until 8: a is free from 6
// on, and job 1 starts there with the pass 3 s after that at 3. As a provider of a grid Slurm
// has b alone: that a reservation on a ends before its time at 6 asks for no pass there, and
// the pass that job 1 asks for comes at once. There the copy that job 2 has had on a is there
// for job 1 in the pass at 10, though nothing has happened on b since that at 5.
func TestSlurmFollowsAReservation(t *testing.T) {
	for text, want := range map[string]model.Time{
		`{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[4,2,10,10]]}}},
		"platform":{"clusters":[{"name":"a","groups":[{"count":2}]},{"name":"b","groups":[{"count":1}]}],"outages":[{"cluster":"a","from":3,"to":6}],
		"reservations":[{"processors":1,"submit":0,"from":2,"to":60,"length":5}]},"schedulers":[{"key":"slurm","params":{"phase":0}}]}`: 6,
		`{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[7,1,10,10]]}},"annotate":{"jobs":[{"job":1,"on":["b"]}]}},
		"platform":{"clusters":[{"name":"a","groups":[{"count":1}]},{"name":"b","groups":[{"count":1}]}],
		"reservations":[{"processors":1,"cluster":"a","submit":0,"from":1,"to":20,"length":10,"run":5}]},"schedulers":[{"key":"grid","providers":[{"key":"slurm","params":{"phase":0}}]}]}`: 7,
		`{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[1,1,10,10],[0,1,10,10]]}},"annotate":{"jobs":[{"job":1,"on":["b"],"licences":["cad"]},{"job":2,"on":["a"],"licences":["cad"]}]}},
		"platform":{"clusters":[{"name":"a","groups":[{"count":1,"licences":["cad"]}]},{"name":"b","groups":[{"count":1,"licences":["cad"]}]}],"licences":[{"name":"cad","copies":1}]},
		"schedulers":[{"key":"grid","providers":[{"key":"slurm","params":{"phase":0,"sched_interval":5,"SchedulerType":"sched/builtin"}},{"key":"fcfs","cluster":"a"}]}]}`: 10,
	} {
		_, schedule := stepped(t, text)
		for i := range schedule.Executions {
			if x := &schedule.Executions[i]; schedule.Workload.Jobs[x.Job].Number == 1 && x.Start != want {
				t.Errorf("job 1 starts at %d, on paper at %d", x.Start, want)
			}
		}
	}
}

// Intent: by hand. Processors that are bound when reservations are accepted are given back by
// who stands still: job 2 of the higher tier comes at 4 and has the only one with the pass at
// 6, 3 s after the one before; job 1 has run for 3 s of 4, and goes on at 7.
func TestSlurmSuspendsWhoIsBound(t *testing.T) {
	_, schedule := stepped(t, `{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","procs","requested","run","partition"],"rows":[[0,1,4,4,"1"],[4,1,1,1,"2"]]}}},
		"platform":{"processors":1,"partitions":[{"name":"low"},{"name":"high","tier":5}],"reservations":[{"processors":1,"from":42,"to":50}],"booking":{"binding":"static"}},
		"schedulers":[{"key":"slurm","params":{"phase":0,"PreemptType":"preempt/partition_prio","PreemptMode":"suspend"}}]}`)
	if got, want := onPaper(schedule), "1 3-6, 1 7-8, 3 42-50, 2 6-7"; got != want {
		t.Errorf("%s, on paper %s", got, want)
	}
}
