package slurm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sentence is a rule of Slurm's in words of its own, a small scene in which it decides, and
// who starts when, as computed on paper: in the comment above it.
type sentence struct {
	section, rule string
	nodes         int
	cpus          int32
	change        func(*Cluster)
	script, want  string
}

// play goes through a script: "time verb …" between semicolons. A job is "job NUMBER CPUS
// LIMIT" and key=value; main (of default_queue_depth), full and cycle are the loops, prio is
// PriorityCalcPeriod; end, fail and cancel are ends, stop one whose nodes are not free
// before epilog. It returns who started when.
func (s *sentence) play(t *testing.T) string {
	t.Helper()
	c := machine(s.nodes, s.cpus, s.change)
	var starts []string
	jobs := map[string]*Job{}
	begun := func(now int64, list []*Job) {
		for _, j := range list {
			name := strconv.FormatInt(j.ID, 10)
			if j.Task >= 0 {
				name += "_" + strconv.Itoa(j.Task)
			}
			jobs[name] = j
			starts = append(starts, fmt.Sprintf("%s@%d", name, now))
		}
	}
	priced := int64(0)
	for _, step := range strings.Split(s.script, ";") {
		w := strings.Fields(step)
		now, err := strconv.ParseInt(w[0], 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", step, err)
		}
		switch w[1] {
		case "job":
			j := scripted(t, w[2:])
			jobs[w[2]] = j
			c.submitAll(now, j)
		case "main":
			begun(now, c.Main(now, false))
		case "full":
			begun(now, c.Main(now, true))
		case "cycle":
			begun(now, c.Backfill(now))
		case "prio":
			c.Recalculate(now, priced)
			priced = now
		case "end":
			finish(c, jobs[w[2]], now)
		case "fail":
			c.End(jobs[w[2]], Failed, 1, now)
			c.Epilog(jobs[w[2]])
		case "stop":
			c.End(jobs[w[2]], Completed, 0, now)
		case "epilog":
			c.Epilog(jobs[w[2]])
		case "cancel":
			c.Cancel(jobs[w[2]], now)
		default:
			t.Fatalf("%q: no such verb", step)
		}
	}
	return strings.Join(starts, " ")
}

// scripted makes a job of its number, CPUs and limit, and key=value.
func scripted(t *testing.T, w []string) *Job {
	t.Helper()
	n := func(s string) int64 {
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	j := ask(n(w[0]), int32(n(w[1])), n(w[2]))
	for _, one := range w[3:] {
		key, v, _ := strings.Cut(one, "=")
		switch key {
		case "part":
			j.Parts = []int{int(n(v))}
		case "nodes":
			j.MinNodes, j.MaxNodes = int32(n(v)), int32(n(v))
		case "nice":
			j.Nice = n(v)
		case "user":
			j.User = int(n(v))
		case "name":
			j.Name = n(v)
		case "qos":
			j.QOS = int(n(v))
		case "assoc":
			j.Assoc = int(n(v))
		case "begin":
			j.Begin = n(v)
		case "mintime":
			j.MinLimit = n(v)
		case "res":
			j.Reserved = int(n(v))
		case "lic":
			j.Licences = []Need{{0, n(v)}}
		case "het":
			j.Het = n(v)
		case "array": // 3%2
			tasks, most, _ := strings.Cut(v, "%")
			for i := range n(tasks) {
				j.Array = append(j.Array, int(i))
			}
			if most != "" {
				j.Throttle = int(n(most))
			}
		case "after", "afterany", "afterok", "afternotok": // 3, 3+60, 3?4
			kind := DependKind(slices.Index([]string{"after", "afterany", "afterok", "afternotok"}, key))
			j.After.Any = strings.Contains(v, "?")
			for _, id := range strings.FieldsFunc(v, func(r rune) bool { return r == '?' || r == ',' }) {
				id, delay, late := strings.Cut(id, "+")
				term := Term{Kind: kind, Job: n(id), Task: -1}
				if late {
					term.Delay = n(delay)
				}
				j.After.Terms = append(j.After.Terms, term)
			}
		case "singleton":
			j.After.Terms = []Term{{Kind: Singleton}}
		default:
			t.Fatalf("%q: no such key", one)
		}
	}
	return j
}

// second adds a partition of nodes, of a tier.
func second(tier int64, nodes ...int) func(*Cluster) {
	return func(c *Cluster) {
		c.Partitions = append(c.Partitions, Partition{Name: "second", Tier: tier, JobFactor: 1, QOS: -1, Nodes: nodes})
	}
}

// limited enforces limits, with a QOS that has some.
func limited(change func(*Limits)) func(*Cluster) {
	return func(c *Cluster) {
		c.Params.EnforceLimits = true
		c.QOS = []QOS{{Name: "q", Limits: NoLimits(), UsageFactor: 1}}
		change(&c.QOS[0].Limits)
	}
}

// param changes parameters.
func param(change func(*Params)) func(*Cluster) { return func(c *Cluster) { change(&c.Params) } }

var played = []sentence{
	// § 2, the main loop.

	// Job 1 ended at 5 and is still completing: at 6 that is 1 s ago, at 16 it is 11.
	{"2.1", "nothing is done while a job has been completing for less than CompleteWait", 2, 1, param(func(p *Params) { p.CompleteWait = 10 }),
		"0 job 1 1 60;0 main;5 stop 1;5 job 2 1 60;6 main;15 main;16 main", "1@0 2@16"},
	{"2.2", "only who is eligible is in the queue: not before its begin time", 1, 1, nil, "0 job 1 1 60 begin=50;49 main;50 main", "1@50"},
	// The reservation has the node until 100, and job 2 is one of its users.
	{"2.3b", "jobs of an advance reservation go first, and have its nodes", 1, 1, func(c *Cluster) { c.Reserved = []Reservation{{Start: 0, End: 100, Nodes: []int{0}, Users: []int{7}}} },
		"0 job 1 1 60;0 job 2 1 60 res=0 user=7;0 main;60 end 2;60 main;99 main;100 main", "2@0 1@100"},
	{"2.3c", "a higher tier goes first", 1, 1, second(10, 0), "0 job 1 1 60;0 job 2 1 60 part=1;0 main;60 end 2;60 main", "2@0 1@60"},
	// Priorities are 1, the least, and 5.
	{"2.3d", "then a higher priority", 1, 1, param(func(p *Params) { p.Multifactor = true }), "0 job 1 1 60;0 job 2 1 60 nice=-5;0 main;60 end 2;60 main", "2@0 1@60"},
	{"2.3e", "then who was submitted first", 1, 1, param(func(p *Params) { p.Multifactor = true }), "0 job 2 1 60;1 job 1 1 60;1 main;61 end 2;61 main", "2@1 1@61"},
	{"2.3f", "then the lower number", 1, 1, param(func(p *Params) { p.Multifactor = true }), "0 job 2 1 60;0 job 1 1 60;0 main;60 end 1;60 main", "1@0 2@60"},
	// The count is looked at before it grows: one more than the depth is tested.
	{"2.4", "a pass tests default_queue_depth jobs and one more; one over the whole queue all", 1, 9, param(func(p *Params) { p.QueueDepth = 1 }),
		"0 job 1 1 60;0 job 2 1 60;0 job 3 1 60;0 main;1 full", "1@0 2@0 3@1"},
	{"2.4", "sched_max_job_start ends a pass", 1, 9, param(func(p *Params) { p.MaxStart = 1 }), "0 job 1 1 60;0 job 2 1 60;0 full;1 full", "1@0 2@1"},
	{"2.4", "partition_job_depth is that of each partition", 2, 1, func(c *Cluster) { c.Params.PartitionDepth = 1; c.Partitions[0].Nodes = []int{0}; second(1, 1)(c) },
		"0 job 1 1 60;0 job 2 1 60;0 job 3 1 60 part=1;0 full;60 end 1;60 full", "1@0 3@0 2@60"},
	// CPU 2 is idle from 0 on, and job 3 wants one only.
	{"2.5", "a partition stops at the first job that does not fit", 1, 2, nil, "0 job 1 1 60;0 job 2 2 60;0 job 3 1 60;0 main;60 end 1;60 main;120 end 2;120 main", "1@0 2@60 3@120"},
	{"2.5", "who is over a limit on jobs blocks nobody", 1, 3, limited(func(l *Limits) { l.MaxJobs = 1 }), "0 job 1 1 60 qos=0;0 job 2 1 60 qos=0;0 job 3 1 60;0 main;60 end 1;60 main", "1@0 3@0 2@60"},
	{"2.5", "who lacks a licence blocks nobody", 1, 3, func(c *Cluster) { c.Licences = []Licence{{Name: "l", Total: 1}} }, "0 job 1 1 60 lic=1;0 job 2 1 60 lic=1;0 job 3 1 60;0 main;60 end 1;60 main", "1@0 3@0 2@60"},
	{"2.5", "with bf_licenses the pass stops there", 1, 3, func(c *Cluster) { c.Licences = []Licence{{Name: "l", Total: 1}}; c.Params.BFLicences = true },
		"0 job 1 1 60 lic=1;0 job 2 1 60 lic=1;0 job 3 1 60;0 main;60 end 1;60 main", "1@0 2@60 3@60"},
	// Job 1 wants two nodes and one is up: the main loop stops there, a cycle passes it over.
	{"2.5", "fewer nodes than a job's least fail the partition", 2, 1, func(c *Cluster) { c.Nodes[0].Down = true }, "0 job 1 2 60 nodes=2;0 job 2 1 60;0 main;1 cycle", "2@1"},
	// Node 1 is idle; it is withheld for job 2.
	{"2.5", "the nodes of a partition that has failed are withheld from lower ones", 2, 1, second(10, 0, 1),
		"0 job 1 1 100 part=1;0 main;1 job 2 2 60 part=1;1 job 3 1 60;1 main;100 end 1;100 main;160 end 2;160 main", "1@0 2@100 3@160"},
	{"2.5", "… but not for a job younger than bf_min_age_reserve", 2, 1, func(c *Cluster) { second(10, 0, 1)(c); c.Params.BFMinAge = 1000 },
		"0 job 1 1 100 part=1;0 main;1 job 2 2 60 part=1;1 job 3 1 60;1 main;61 end 3;100 end 1;100 main", "1@0 3@1 2@100"},
	{"2.5", "… nor for one of a lower priority than bf_min_prio_reserve", 2, 1, func(c *Cluster) { c.Params.Multifactor, c.Params.BFMinPrio = true, 10 },
		"0 job 1 1 100;0 main;1 job 2 2 60 nice=-5;1 job 3 1 60;1 main", "1@0 3@1"},
	{"2.5", "who could never run there blocks nobody", 1, 2, nil, "0 job 1 3 60;0 job 2 1 60;0 main", "2@0"},
	{"2.5", "who asks for more time than the partition has blocks nobody", 1, 2, func(c *Cluster) { c.Partitions[0].MaxTime = 60 }, "0 job 1 1 61;0 job 2 1 60;0 main", "2@0"},
	{"2.5", "who only a reservation hinders blocks nobody", 1, 2, func(c *Cluster) { c.Reserved = []Reservation{{Start: 100, End: 200, Nodes: []int{0}}} }, "0 job 1 1 120;0 job 2 1 60;0 main;200 main", "2@0 1@200"},
	{"2.5", "a limit on resources, found with the nodes, blocks nobody", 1, 3, limited(func(l *Limits) { l.GrpTRES.CPU = 1 }), "0 job 1 1 60 qos=0;0 job 2 1 60 qos=0;0 job 3 1 60;0 main;60 end 1;60 main", "1@0 3@0 2@60"},
	{"2.5", "… unless assoc_limit_stop", 1, 3, func(c *Cluster) { limited(func(l *Limits) { l.GrpTRES.CPU = 1 })(c); c.Params.AssocLimitStop = true },
		"0 job 1 1 60 qos=0;0 job 2 1 60 qos=0;0 job 3 1 60;0 main;60 end 1;60 main", "1@0 2@60 3@60"},
	// The cycle plans a component on each node, so that both can start; job 3 would run into
	// these plans, and has the next pass.
	{"2.5", "a heterogeneous job is not started by the main loop, and fails its partition", 2, 3, nil, "0 job 1 1 60 het=1;0 job 2 1 60 het=1;0 job 3 1 60;0 main;1 cycle;2 main", "1@1 2@1 3@2"},
	{"2.6", "the tasks of an array are split off one by one; one that does not fit stops it", 1, 3, nil, "0 job 1 2 60 array=3;0 job 2 1 60;0 main;60 end 1_0;60 main", "1_0@0 1_1@60"},

	// § 3, the backfill loop.

	{"3", "sched/builtin has none", 1, 1, param(func(p *Params) { p.Builtin = true }), "0 job 1 1 60;0 cycle;1 main", "1@1"},
	// Job 2 has a plan for 120 on both nodes. Job 3 would run from 10 to 190, job 4 to 70.
	{"3", "who runs into no plan starts; plans are of whole nodes", 2, 2, nil, "0 job 1 3 120;0 main;10 job 2 4 60;10 job 3 1 180;10 job 4 1 60;10 cycle", "1@0 4@10"},
	{"3.3", "a plan that begins as a job would end is in its way", 2, 2, nil, "0 job 1 3 120;0 main;10 job 2 4 60;10 job 4 1 110;10 cycle", "1@0"},
	{"3.3", "… one that begins a second later is not", 2, 2, nil, "0 job 1 3 120;0 main;10 job 2 4 60;10 job 4 1 109;10 cycle", "1@0 4@10"},
	// The same: a plan for 100 holds slots from 60 on.
	{"3.7", "plans begin at multiples of bf_resolution", 1, 2, param(func(p *Params) { p.BFResolution = 60 }), "0 job 1 1 100;0 main;10 job 2 2 60;10 job 3 1 50;10 cycle", "1@0"},
	{"3.7", "… rounded down", 1, 2, param(func(p *Params) { p.BFResolution = 60 }), "0 job 1 1 100;0 main;10 job 2 2 60;10 job 3 1 49;10 cycle", "1@0 3@10"},
	// Job 2 would start at 100, 90 s ahead of the cycle.
	{"3.7", "what would start behind bf_window gets no plan", 1, 2, param(func(p *Params) { p.BFWindow = 60 }), "0 job 1 1 100;0 main;10 job 2 2 60;10 job 3 1 500;10 cycle", "1@0 3@10"},
	{"3.7", "… within it it does", 1, 2, nil, "0 job 1 1 100;0 main;10 job 2 2 60;10 job 3 1 500;10 cycle", "1@0"},
	{"3.1", "bf_max_job_test ends a cycle", 1, 2, param(func(p *Params) { p.BFMaxTest = 1 }), "0 job 1 1 100;0 main;10 job 2 2 60;10 job 3 1 50;10 cycle", "1@0"},
	{"3.1", "bf_max_job_user: of a user so many are tested", 1, 2, param(func(p *Params) { p.BFMaxUser = 1 }), "0 job 1 1 100;0 main;10 job 2 2 60 user=1;10 job 3 1 50 user=1;10 job 4 1 50 user=2;10 cycle", "1@0 4@10"},
	{"3.1", "bf_max_job_part: of a partition so many", 1, 2, func(c *Cluster) { second(1, 0)(c); c.Params.BFMaxPart = 1 }, "0 job 1 1 100;0 main;10 job 2 2 60;10 job 3 1 50;10 job 4 1 50 part=1;10 cycle", "1@0 4@10"},
	{"3.1", "who is over a limit gets no plan", 1, 2, limited(func(l *Limits) { l.MaxJobs = 1 }), "0 job 1 1 100 qos=0;0 main;10 job 2 2 60 qos=0;10 job 3 1 500;10 cycle", "1@0 3@10"},
	{"3.1", "who is younger than bf_min_age_reserve gets no plan", 1, 2, param(func(p *Params) { p.BFMinAge = 1000 }), "0 job 1 1 100;0 main;10 job 2 2 60;10 job 3 1 500;10 cycle", "1@0 3@10"},
	// Limits of jobs without one: 30, then 50 s, from 10 on; job 2 is planned for 50.
	{"3.2", "who states no limit has the partition's default", 1, 2, func(c *Cluster) { c.Partitions[0].DefaultTime = 30 }, "0 job 1 1 50;0 main;10 job 2 2 50;10 job 3 1 0;10 cycle", "1@0 3@10"},
	{"3.2", "… or its greatest", 1, 2, func(c *Cluster) { c.Partitions[0].MaxTime = 50 }, "0 job 1 1 50;0 main;10 job 2 2 50;10 job 3 1 0;10 cycle", "1@0"},
	{"3.2", "--time-min counts instead of the limit", 2, 1, nil, "0 job 1 1 100;0 main;10 job 2 2 60;10 job 3 1 600 mintime=30;10 cycle", "1@0 3@10"},
	{"3.5", "a node that completes is had a second later", 1, 1, nil, "0 job 1 1 60;0 job 2 1 60;0 main;10 stop 1;10 cycle;10 epilog 1;11 cycle", "1@0 2@11"},
	{"3.6", "bf_max_job_start ends a cycle", 1, 2, param(func(p *Params) { p.BFMaxStart = 1 }), "0 job 1 1 60;0 job 2 1 60;0 cycle;1 cycle", "1@0 2@1"},
	{"3.6", "the next task of an array is tried right away", 1, 2, nil, "0 job 1 1 60 array=3;0 cycle", "1_0@0 1_1@0"},
	// The cycle at 10 plans job 2 on both nodes; the pass at 11 knows nothing of it.
	{"3", "plans bind within a cycle only", 2, 1, second(10, 1), "0 job 1 1 100;0 main;10 job 2 2 60;10 cycle;11 job 3 1 500 part=1;11 main", "1@0 3@11"},
	{"3", "a cycle makes all plans anew: who leaves the queue holds nothing", 1, 2, nil, "0 job 1 1 100;0 main;10 job 2 2 60;10 job 3 1 500;10 cycle;11 cancel 2;12 cycle", "1@0 3@12"},

	// § 4, when could it start.

	// By 100 node 0 and a CPU of node 1 are free, which suffices; but job 2's end, 150, is
	// within 30 s of 120, the multiple of 30 behind 100: they end together, at 150.
	{"4.3", "jobs that end within a window end together", 2, 2, nil, "0 job 1 2 100;0 job 2 1 150;0 main;10 job 4 3 60;10 job 5 1 139;10 cycle", "1@0 2@0 5@10"},
	{"4.3", "… at the last of their ends", 2, 2, nil, "0 job 1 2 100;0 job 2 1 150;0 main;10 job 4 3 60;10 job 5 1 140;10 cycle", "1@0 2@0"},
	// 151 is behind the window: 100 counts, and 10 + 90 = 100 is too late.
	{"4.3", "what ends behind the window is not among them", 2, 2, nil, "0 job 1 2 100;0 job 2 1 151;0 main;10 job 4 3 60;10 job 5 1 90;10 cycle", "1@0 2@0"},
	{"4.3", "… so the plan is for the first end", 2, 2, nil, "0 job 1 2 100;0 job 2 1 151;0 main;10 job 4 3 60;10 job 5 1 89;10 cycle", "1@0 2@0 5@10"},
	{"4.3", "select/linear takes jobs away one by one", 4, 2, param(func(p *Params) { p.Select = Linear }), "0 job 1 2 100;0 job 2 2 110;0 job 3 2 400;0 main;10 job 4 4 60;10 job 5 2 90;10 cycle", "1@0 2@0 3@0"},
	{"4.3", "… and starts with the first that is enough", 4, 2, param(func(p *Params) { p.Select = Linear }), "0 job 1 2 100;0 job 2 2 110;0 job 3 2 400;0 main;10 job 4 4 60;10 job 5 2 89;10 cycle", "1@0 2@0 3@0 5@10"},
	// Job 1 should have ended at 60: it is thought to be killed by 90.
	{"4.5", "a job past its limit ends KillWait behind it", 1, 2, nil, "0 job 1 1 60;0 main;70 job 2 2 60;70 job 3 1 20;70 cycle", "1@0"},
	{"4.5", "… not later", 1, 2, nil, "0 job 1 1 60;0 main;70 job 2 2 60;70 job 3 1 19;70 cycle", "1@0 3@70"},
	{"4.5", "OverTimeLimit is added", 1, 2, param(func(p *Params) { p.OverTime = 60 }), "0 job 1 1 60;0 main;70 job 2 2 60;70 job 3 1 79;70 cycle", "1@0 3@70"},

	// § 6, priority.

	// At 200 job 2 has waited 200 s and job 1 100 s: 333 and 166 + 10; when they came 1 and 10.
	{"6", "age counts when priorities are worked out", 1, 1, param(func(p *Params) { p.Multifactor, p.WeightAge, p.MaxAge = true, 1000, 600 }),
		"0 job 2 1 60;100 job 1 1 60 nice=-10;200 prio;200 main;260 end 2;260 main", "2@200 1@260"},
	{"6", "… and in between they stand still", 1, 1, param(func(p *Params) { p.Multifactor, p.WeightAge, p.MaxAge = true, 1000, 600 }),
		"0 job 2 1 60;100 job 1 1 60 nice=-10;200 main;260 end 1;260 main", "1@200 2@260"},
	{"6", "without slurmdbd they never change", 1, 1, param(func(p *Params) { p.Multifactor, p.WeightAge, p.MaxAge, p.NoDatabase = true, 1000, 600, true }),
		"0 job 2 1 60;100 job 1 1 60 nice=-10;200 prio;200 main;260 end 1;260 main", "1@200 2@260"},
	// Sizes are (1 + 1/2) ÷ 2 and 1, of 100; the other way (0 + 1/2) ÷ 2 and 0.
	{"6", "size: the larger first", 1, 2, param(func(p *Params) { p.Multifactor, p.WeightSize = true, 100 }), "0 job 1 1 60;0 job 2 2 60;0 main;60 end 2;60 main", "2@0 1@60"},
	{"6", "PriorityFavorSmall: the smaller", 1, 2, param(func(p *Params) { p.Multifactor, p.WeightSize, p.FavorSmall = true, 100, true }), "0 job 2 2 60;0 job 1 1 60;0 main;60 end 1;60 main", "1@0 2@60"},
	// Sizes by time are 1 ÷ 10 min and 1 ÷ 1 min, of the machine's CPU.
	{"6", "SMALL_RELATIVE_TO_TIME: size divided by the limit", 1, 1, param(func(p *Params) { p.Multifactor, p.WeightSize, p.SmallByTime = true, 100, true }), "0 job 1 1 600;0 job 2 1 60;0 main;60 end 2;60 main", "2@0 1@60"},
	{"6", "the partition's factor, by the largest", 1, 1, func(c *Cluster) {
		second(1, 0)(c)
		c.Partitions[1].JobFactor, c.Params.Multifactor, c.Params.WeightPartition = 10, true, 100
	},
		"0 job 1 1 60;0 job 2 1 60 part=1;0 main;60 end 2;60 main", "2@0 1@60"},
	{"6", "the QOS's priority, by the largest", 1, 1, func(c *Cluster) {
		c.Params.Multifactor, c.Params.WeightQOS = true, 100
		c.QOS = []QOS{{Name: "q", Priority: 3, Limits: NoLimits()}}
	},
		"0 job 1 1 60;0 job 2 1 60 qos=0;0 main;60 end 2;60 main", "2@0 1@60"},
	{"6", "nice lowers it, to 1 at least: nobody is held by it", 1, 1, param(func(p *Params) { p.Multifactor = true }), "0 job 1 1 60 nice=1000;0 main", "1@0"},
	// Job 2 came first and is behind job 1 in number only: priorities fall as jobs come.
	{"6", "priority/basic: each job one less than the last", 1, 1, nil, "0 job 2 1 60;0 job 1 1 60;0 main;60 end 2;60 main", "2@0 1@60"},

	// § 8, dependencies, arrays, limits.

	{"8", "after: when the other has started, and so long ago", 1, 2, nil, "0 job 1 1 600;0 job 2 1 60 after=1+30;0 main;29 main;30 main", "1@0 2@30"},
	{"8", "after: of one that is cancelled", 1, 2, nil, "0 job 1 3 60;0 job 2 1 60 after=1;0 main;10 cancel 1;10 main", "2@10"},
	{"8", "afterany: when it has ended, and its nodes are free", 1, 2, nil, "0 job 1 1 60;0 job 2 1 60 afterany=1;0 main;10 stop 1;10 main;11 epilog 1;11 main", "1@0 2@11"},
	{"8", "afterok: well", 1, 2, nil, "0 job 1 1 60;0 job 2 1 60 afterok=1;0 main;10 end 1;10 main", "1@0 2@10"},
	{"8", "… else never", 1, 2, nil, "0 job 1 1 60;0 job 2 1 60 afterok=1;0 main;10 fail 1;10 main;99 main", "1@0"},
	{"8", "afternotok: the opposite", 1, 2, nil, "0 job 1 1 60;0 job 2 1 60 afternotok=1;0 main;10 fail 1;10 main", "1@0 2@10"},
	{"8", "… never if it ended well", 1, 2, nil, "0 job 1 1 60;0 job 2 1 60 afternotok=1;0 main;10 end 1;10 main", "1@0"},
	{"8", "a predecessor that nobody knows any more is met", 1, 2, nil, "0 job 2 1 60 afterok=99;0 main", "2@0"},
	{"8", ",: all of them", 1, 3, nil, "0 job 1 1 60;0 job 2 1 60;0 job 3 1 60 afterok=1,2;0 main;10 end 1;10 main;20 end 2;20 main", "1@0 2@0 3@20"},
	{"8", "?: any of them", 1, 3, nil, "0 job 1 1 60;0 job 2 1 60;0 job 3 1 60 afterok=1?2;0 main;10 fail 1;10 main;20 end 2;20 main", "1@0 2@0 3@20"},
	{"8", "singleton: no earlier job of this user and name", 1, 3, nil, "0 job 1 1 60 name=7;0 job 2 1 60 name=7 singleton=1;0 job 3 1 60 name=7 user=1 singleton=1;0 main;10 end 1;10 main", "1@0 3@0 2@10"},
	{"8", "%n: so many tasks at once; who comes behind is not held up", 1, 4, nil, "0 job 1 1 60 array=3%2;0 job 2 1 60;0 main;10 end 1_0;10 main", "1_0@0 1_1@0 2@0 1_2@10"},
	{"8", "GrpJobs of a QOS", 1, 4, limited(func(l *Limits) { l.GrpJobs = 1 }), "0 job 1 1 60 qos=0;0 job 2 1 60 qos=0 user=1;0 main;10 end 1;10 main", "1@0 2@10"},
	{"8", "MaxJobs of a user of a QOS", 1, 4, limited(func(l *Limits) { l.MaxJobs = 1 }), "0 job 1 1 60 qos=0;0 job 2 1 60 qos=0;0 job 3 1 60 qos=0 user=1;0 main;10 end 1;10 main", "1@0 3@0 2@10"},
	{"8", "MaxTRESPerUser of a QOS", 1, 4, limited(func(l *Limits) { l.MaxTRESPU.CPU = 1 }), "0 job 1 1 60 qos=0;0 job 2 1 60 qos=0;0 job 3 1 60 qos=0 user=1;0 main;10 end 1;10 main", "1@0 3@0 2@10"},
	{"8", "MaxTRES of a job", 1, 4, limited(func(l *Limits) { l.MaxTRES.CPU = 1 }), "0 job 1 2 60 qos=0;0 job 2 1 60 qos=0;0 main", "2@0"},
	// Job 1 has 60 s left of 2 CPUs at 0, 50 at 10: 100 CPU-seconds; job 2 asks for 60 more.
	{"8", "GrpTRESRunMins: what is left of limits", 1, 4, limited(func(l *Limits) { l.GrpRunMins.CPU = 160 }), "0 job 1 2 60 qos=0;0 job 2 1 60 qos=0;0 main;9 main;10 main", "1@0 2@10"},
	{"8", "limits that are not enforced hold nobody", 1, 4, func(c *Cluster) { limited(func(l *Limits) { l.GrpJobs = 1 })(c); c.Params.EnforceLimits = false }, "0 job 1 1 60 qos=0;0 job 2 1 60 qos=0;0 main", "1@0 2@0"},
	{"8", "an account's limits hold for all below it", 1, 4, func(c *Cluster) {
		c.Params.EnforceLimits = true
		c.Assocs = []Assoc{{Parent: -1, User: -1, Limits: NoLimits()}, {Parent: 0, User: 0, Limits: NoLimits()}, {Parent: 0, User: 1, Limits: NoLimits()}}
		c.Assocs[0].GrpJobs = 1
	}, "0 job 1 1 60 assoc=1;0 job 2 1 60 assoc=2 user=1;0 main;10 end 1;10 main", "1@0 2@10"},
	{"8", "the partition's QOS counts before the job's", 1, 4, func(c *Cluster) {
		limited(func(l *Limits) { l.GrpJobs = 1 })(c)
		c.QOS = append(c.QOS, QOS{Name: "p", Limits: NoLimits(), UsageFactor: 1})
		c.QOS[1].GrpJobs = 2
		c.Partitions[0].QOS = 1
	}, "0 job 1 1 60 qos=0;0 job 2 1 60 qos=0;0 job 3 1 60 qos=0;0 main;10 end 1;10 main", "1@0 2@0 3@10"},
	{"8", "… unless it is OverPartQOS", 1, 4, func(c *Cluster) {
		limited(func(l *Limits) { l.GrpJobs, l.OverPart = 1, true })(c)
		c.QOS = append(c.QOS, QOS{Name: "p", Limits: NoLimits(), UsageFactor: 1})
		c.QOS[1].GrpJobs = 2
		c.Partitions[0].QOS = 1
	}, "0 job 1 1 60 qos=0;0 job 2 1 60 qos=0;0 main;10 end 1;10 main", "1@0 2@10"},
}

// Intent: each sentence of what Slurm does decides a scene in which it matters, and the
// scene comes out as on paper. A rule that is left out or turned round shows in its row.
func TestSentences(t *testing.T) {
	for i := range played {
		s := &played[i]
		if got := s.play(t); got != s.want {
			t.Errorf("§ %s, %s: starts %q, on paper %q", s.section, s.rule, got, s.want)
		}
	}
}
