package slurm

import (
	"math"
	"slices"
	"testing"
)

// Intent: § 6. Factors by hand: size, age, partition, QOS, nice, at least 1; and they
// change only when they are recomputed.
func TestPriorityByHand(t *testing.T) {
	c := machine(4, 2, func(c *Cluster) {
		p := &c.Params
		p.Multifactor, p.WeightAge, p.MaxAge, p.WeightSize, p.WeightPartition, p.WeightQOS = true, 1000, 600, 300, 200, 500
		c.Partitions[0].JobFactor = 1
		c.Partitions = append(c.Partitions, Partition{Name: "hi", Tier: 1, JobFactor: 10, QOS: -1, Nodes: []int{0, 1, 2, 3}})
		c.QOS = []QOS{{Name: "half", Priority: 50, Limits: NoLimits(), UsageFactor: 1}, {Name: "all", Priority: 100, Limits: NoLimits(), UsageFactor: 1}}
	})
	a, b, low := ask(1, 2, 60), ask(2, 4, 60), ask(3, 1, 60)
	a.Parts, a.QOS = []int{1}, 0
	b.Nice = 50
	low.Nice = 10_000
	c.submitAll(0, a, b, low)
	// a: size (1/4 + 2/8)/2·300 = 75, partition 200, QOS 250. b: (1/4 + 4/8)/2·300 =
	// 112.5, partition 20, nice −50: 82.5.
	if a.Priority[0] != 525 || b.Priority[0] != 82 || low.Priority[0] != 1 {
		t.Errorf("priorities %v %v %v, on paper 525 82 1", a.Priority, b.Priority, low.Priority)
	}
	c.Main(30, true)
	if c.Recalculate(60, 0); low.State == Pending && b.Priority[0] != 82 {
		t.Errorf("b ran: its priority is %v", b.Priority)
	}
	later := ask(4, 8, 60)
	c.submitAll(60, later)
	was := later.Priority[0]
	c.Main(90, true)
	if later.Priority[0] != was {
		t.Error("a priority changed in a pass")
	}
	// 60 s of 600: age 100.
	if c.Recalculate(120, 60); later.Priority[0] != was+100 {
		t.Errorf("a minute later %v, on paper %v", later.Priority[0], was+100)
	}
}

// Intent: § 6. NO_NORMAL_* take a factor as it is; INCR_ONLY never lets a priority fall.
func TestPriorityFlags(t *testing.T) {
	for flags, want := range map[string]float64{"": 2*1 + 3*0.5, "NO_NORMAL_PART": 2*10 + 3*0.5, "NO_NORMAL_QOS": 2*1 + 3*20, "NO_NORMAL_ASSOC": 2*1 + 3*0.5} {
		c := machine(1, 1, func(c *Cluster) {
			p := &c.Params
			p.Multifactor, p.WeightPartition, p.WeightQOS = true, 2, 3
			if err := p.Set("PriorityFlags", flags); err != nil {
				t.Fatal(err)
			}
			c.Partitions[0].JobFactor = 10
			c.QOS = []QOS{{Name: "a", Priority: 20}, {Name: "b", Priority: 40}}
		})
		j := ask(1, 1, 60)
		j.QOS = 0
		c.submitAll(0, j)
		if j.Priority[0] != math.Floor(want) {
			t.Errorf("%q: priority %v, on paper %v", flags, j.Priority[0], math.Floor(want))
		}
	}
	for flags, want := range map[string]float64{"": 1, "INCR_ONLY": 100} {
		c := machine(1, 1, func(c *Cluster) {
			c.Params.Multifactor, c.Params.WeightPartition = true, 100
			if err := c.Params.Set("PriorityFlags", flags); err != nil {
				t.Fatal(err)
			}
		})
		j := ask(1, 1, 60)
		c.submitAll(0, j)
		c.Partitions[0].JobFactor = 0
		if c.Recalculate(300, 0); j.Priority[0] != want {
			t.Errorf("%q: priority %v after its partition's factor fell, on paper %v", flags, j.Priority[0], want)
		}
	}
}

// Intent: § 6. Without slurmdbd nothing recomputes priorities: age counts for
// nothing, and there is no fair share.
func TestWithoutDatabase(t *testing.T) {
	c := machine(1, 1, func(c *Cluster) {
		tree(c)
		if err := c.Params.Set("AccountingStorageType", "accounting_storage/none"); err != nil {
			t.Fatal(err)
		}
		c.Params.WeightAge, c.Params.MaxAge, c.Params.WeightSize = 1000, 100, 300
	})
	j := ask(1, 1, 60)
	j.Assoc = 3
	c.submitAll(0, j)
	c.Recalculate(50, 0)
	// (1/1 + 1/1)/2·300, and neither half of 1000 for its age nor 1000 for its share.
	if j.Priority[0] != 300 {
		t.Errorf("priority %v, on paper 300", j.Priority)
	}
}

// tree is two accounts with two users and one.
func tree(c *Cluster) {
	c.Params.Multifactor, c.Params.HalfLife, c.Params.WeightFair = true, 100, 1000
	for _, a := range []Assoc{{Parent: -1, User: -1}, {Parent: 0, User: -1}, {Parent: 0, User: -1}, {Parent: 1, User: 0}, {Parent: 1, User: 1}, {Parent: 2, User: 2}} {
		a.Shares, a.Limits = 1, NoLimits()
		c.Assocs = append(c.Assocs, a)
	}
}

// Intent: § 6. The fair tree ranks depth first, each account's users before the next
// account's; those without usage are all first; usage decays and is that of jobs that
// run when it is booked.
func TestFairTreeByHand(t *testing.T) {
	c := machine(1, 10, tree)
	c.Recalculate(0, 0)
	if f := c.book.fair[3:]; !slices.Equal(f, []float64{1, 1, 1}) {
		t.Errorf("without usage %v, on paper all 1", f)
	}
	// An account without users in front of one that is level with it has no rank to share.
	c = machine(1, 10, func(c *Cluster) {
		tree(c)
		c.Assocs = slices.Insert(c.Assocs, 1, Assoc{Parent: 0, User: -1, Shares: 1, Limits: NoLimits()})
		for i := range c.Assocs[2:] {
			if a := &c.Assocs[i+2]; a.Parent > 0 {
				a.Parent++
			}
		}
	})
	if c.Recalculate(0, 0); !slices.Equal(c.book.fair[4:], []float64{1, 1, 1}) {
		t.Errorf("behind an empty account %v, on paper all 1", c.book.fair[4:])
	}
	c = machine(1, 10, tree)
	a, b := ask(1, 1, 600), ask(2, 4, 600)
	a.Assoc, a.User, b.Assoc, b.User = 3, 0, 5, 2
	c.submitAll(0, a, b)
	c.Main(0, true)
	c.Recalculate(10, 0)
	// Account 1 has used less than account 2: its user 1 (nothing) 1, user 0 two
	// thirds, account 2's user one third.
	if f := c.book.fair[3:]; !slices.Equal(f, []float64{2.0 / 3, 1, 1.0 / 3}) {
		t.Errorf("shares %v", f)
	}
	used := 10 * math.Pow(1-0.693/100, 10)
	if got := c.book.raw[3]; math.Abs(got-used) > 1e-9 {
		t.Errorf("usage %v, on paper %v", got, used)
	}
	c.End(a, Completed, 0, 19)
	c.Recalculate(20, 10)
	if got, want := c.book.raw[3], used*math.Pow(1-0.693/100, 10); math.Abs(got-want) > 1e-9 {
		t.Errorf("usage after the job %v, on paper %v: what it used since it was booked is not", got, want)
	}
	// Where limits are enforced, its end books it.
	c.Params.EnforceLimits = true
	was := c.book.raw[5]
	if c.End(b, Completed, 0, 21); c.book.raw[5] <= was {
		t.Errorf("usage %v at the end, %v before it", c.book.raw[5], was)
	}
	c.Params.NoFairTree = true
	c.Recalculate(30, 20)
	if f := c.book.fair; !(f[4] > f[3] && f[3] > f[5]) {
		t.Errorf("without the tree %v: less use is a greater share", f[3:])
	}
}

// Intent: § 8. Dependencies: each kind when it is met, and when it never can be.
func TestDependencies(t *testing.T) {
	on := func(id int64, kind DependKind, other int64) *Job {
		j := ask(id, 1, 60)
		j.After.Terms = []Term{{Kind: kind, Job: other, Task: -1}}
		return j
	}
	c := machine(1, 20, nil)
	good, bad := ask(1, 1, 60), ask(2, 1, 60)
	c.submitAll(0, good, bad)
	c.Main(0, true)
	after := on(10, After, 1)
	after.After.Terms[0].Delay = 60
	either := on(17, AfterOK, 2)
	either.After.Any = true
	either.After.Terms = append(either.After.Terms, Term{Kind: AfterOK, Job: 1, Task: -1})
	c.submitAll(0, after, on(11, AfterAny, 2), on(12, AfterOK, 1), on(13, AfterOK, 2), on(14, AfterNotOK, 2), on(15, AfterNotOK, 1), on(16, AfterAny, 99), either)
	expect(t, "at first only the one whose predecessor is gone", ids(c.Main(1, true)), "16[0]")
	finish(c, good, 10)
	expect(t, "when the first has ended well", ids(c.Main(10, true)), "12[0] 17[0]")
	c.End(bad, Failed, 3, 20)
	expect(t, "not before the epilog", ids(c.Main(20, true)), "")
	c.Epilog(bad)
	expect(t, "when the second has failed", ids(c.Main(21, true)), "11[0] 14[0]")
	expect(t, "a minute after the start", ids(c.Main(60, true)), "10[0]")
	if c.jobs[13].Reason != ReasonDependencyNever || c.jobs[15].Reason != ReasonDependencyNever {
		t.Error("what can never be met is not said to be so")
	}
}

// Intent: § 8. after: of an array is met when its last task has started.
func TestAfterArray(t *testing.T) {
	c := machine(1, 10, nil)
	array, next := ask(1, 1, 60), ask(2, 1, 60)
	array.Array, array.Throttle = []int{0, 1}, 1
	next.After.Terms = []Term{{Kind: After, Job: 1, Task: -1, Delay: 60}}
	c.submitAll(0, array, next)
	expect(t, "the first task", ids(c.Main(0, true)), "1_0[0]")
	finish(c, c.Active[0], 70)
	expect(t, "the second", ids(c.Main(70, true)), "1_1[0]")
	expect(t, "not a minute after the second", ids(c.Main(129, true)), "")
	expect(t, "a minute after it", ids(c.Main(130, true)), "2[0]")
}

// Intent: § 8. Singleton and begin.
func TestSingletonAndBegin(t *testing.T) {
	c := machine(1, 10, nil)
	a, b, later := ask(1, 1, 60), ask(2, 1, 60), ask(3, 1, 60)
	b.Name, b.After.Terms = 1, []Term{{Kind: Singleton}}
	later.Begin = 50
	c.submitAll(0, a, b, later)
	expect(t, "the first of a name", ids(c.Main(0, true)), "1[0]")
	finish(c, a, 5)
	expect(t, "the second, not the one that begins later", ids(c.Main(5, true)), "2[0]")
	expect(t, "at its begin", ids(c.Main(50, true)), "3[0]")
}

// Intent: § 8. An array is one record of which tasks are split off; %n is how many may
// run at once; in a cycle every task that is left is planned all the same.
func TestArrays(t *testing.T) {
	c := machine(2, 2, nil)
	array := ask(1, 1, 60)
	array.Array, array.Throttle = []int{0, 1, 2, 3, 4}, 2
	c.submitAll(0, array)
	expect(t, "two at once", ids(c.Main(0, true)), "1_0[0] 1_1[0]")
	if array.Reason != ReasonArrayLimit {
		t.Errorf("it waits for %v", array.Reason)
	}
	finish(c, c.Active[0], 10)
	expect(t, "and the next", ids(c.Backfill(10)), "1_2[0]")
	next := ask(2, 1, 60)
	next.After.Terms = []Term{{Kind: AfterOK, Job: 1, Task: -1}}
	c.submitAll(10, next)
	for now := int64(20); array.done < 5; now += 10 {
		for len(c.Active) > 0 {
			finish(c, c.Active[0], now)
		}
		if got := c.Main(now, true); array.done < 5 && next.State != Pending {
			t.Errorf("the job behind the array started with %s", ids(got))
		}
	}
	c.Main(100, true)
	if next.State != Running {
		t.Error("the job behind the array does not start when all tasks are over")
	}
}

// Intent: § 8. Limits of QOS: jobs of a user (before nodes are looked for), CPUs of all
// and of a user (after): who they hold blocks no job. Nothing holds where limits are not
// enforced.
func TestLimits(t *testing.T) {
	set := func(change func(*QOS)) *Controller {
		return machine(1, 10, func(c *Cluster) {
			c.Params.EnforceLimits = true
			q := QOS{Name: "q", Limits: NoLimits(), UsageFactor: 1}
			change(&q)
			c.QOS = []QOS{q}
		})
	}
	three := func(c *Controller) string {
		for id := int64(1); id <= 3; id++ {
			j := ask(id, 2, 60)
			j.QOS, j.User = 0, int(id/3) // users 0, 0, 1
			c.submitAll(0, j)
		}
		return ids(c.Main(0, true))
	}
	expect(t, "MaxJobsPU=1", three(set(func(q *QOS) { q.MaxJobs = 1 })), "1[0] 3[0]")
	expect(t, "GrpJobs=1", three(set(func(q *QOS) { q.GrpJobs = 1 })), "1[0]")
	expect(t, "GrpTRES=cpu=4", three(set(func(q *QOS) { q.GrpTRES.CPU = 4 })), "1[0] 2[0]")
	expect(t, "MaxTRESPU=cpu=3", three(set(func(q *QOS) { q.MaxTRESPU.CPU = 3 })), "1[0] 3[0]")
	expect(t, "MaxTRES=cpu=1", three(set(func(q *QOS) { q.MaxTRES.CPU = 1 })), "")
	expect(t, "GrpTRESRunMins=cpu=2", three(set(func(q *QOS) { q.GrpRunMins.CPU = 120 })), "1[0]")
	c := set(func(q *QOS) { q.GrpJobs = 1 })
	c.Params.EnforceLimits = false
	expect(t, "not enforced", three(c), "1[0] 2[0] 3[0]")
}

// Intent: § 8. A limit of an account counts for all below it; one of a QOS takes the
// place of the same of an association.
func TestLimitsOfAccounts(t *testing.T) {
	c := machine(1, 10, func(c *Cluster) {
		tree(c)
		c.Params.EnforceLimits = true
		c.Assocs[1].GrpJobs = 1
		c.QOS = []QOS{{Name: "wide", Limits: NoLimits(), UsageFactor: 1}}
		c.QOS[0].GrpJobs = 5
	})
	a, b, other, wide := ask(1, 1, 60), ask(2, 1, 60), ask(3, 1, 60), ask(4, 1, 60)
	a.Assoc, b.Assoc, other.Assoc, wide.Assoc = 3, 4, 5, 4
	wide.QOS = 0
	c.submitAll(0, a, b, other, wide)
	expect(t, "one of the account, and whose QOS has a limit of its own", ids(c.Main(0, true)), "1[0] 3[0] 4[0]")
}

// Intent: § 7. A job of a QOS that may preempt starts where those of another would have
// to go: the lowest first, only who is needed; it starts in a later pass, when they are
// gone; a requeued job waits.
func TestPreemption(t *testing.T) {
	c := machine(2, 2, func(c *Cluster) {
		c.Params.PreemptQOS, c.Params.PreemptMode = true, ModeRequeue
		c.QOS = []QOS{{Name: "low", Limits: NoLimits()}, {Name: "high", Priority: 100, Limits: NoLimits(), Preempts: []int{0}}}
	})
	a, b, own, high := ask(1, 2, 600), ask(2, 1, 600), ask(3, 1, 600), ask(4, 1, 60)
	a.QOS, b.QOS, own.QOS, high.QOS = 0, 0, 1, 1
	c.submitAll(0, a, b, own)
	expect(t, "all nodes full", ids(c.Main(0, true)), "3[0] 1[1] 2[0]")
	c.submitAll(1, high)
	expect(t, "nobody starts in this pass", ids(c.Main(1, true)), "")
	if len(c.Preempted) != 1 || c.Preempted[0].QOS != 0 {
		t.Fatalf("%s have to go, on paper one of low", ids(c.Preempted))
	}
	gone := c.Preempted[0]
	c.Epilog(gone)
	again := c.Requeue(gone, 1)
	if got := c.Main(2, true); len(got) == 0 || got[0] != high {
		t.Errorf("%s start, on paper the high one first", ids(got))
	}
	if !c.eligible(again) == (c.now >= 1+121) {
		t.Error("a requeued job does not wait 121 s")
	}
}

// Intent: § 2, reservations. A job that would run into maintenance waits for its end,
// one that is over before it starts; who only a reservation hinders blocks no job; a job
// of the reservation has its nodes.
func TestMaintenance(t *testing.T) {
	c := machine(2, 1, func(c *Cluster) {
		c.Reserved = []Reservation{{Start: 100, End: 200, Nodes: []int{0, 1}, Users: []int{7}}}
	})
	long, short, inside := ask(1, 1, 120), ask(2, 1, 60), ask(3, 2, 60)
	inside.Reserved, inside.User = 0, 7
	c.submitAll(0, long, short, inside)
	expect(t, "before", ids(c.Main(10, true)), "2[0]")
	if long.Reason != ReasonReserved {
		t.Errorf("the long job waits for %v", long.Reason)
	}
	if c.Backfill(20); long.Plan != 201 {
		t.Errorf("planned for %d, on paper a second after the reservation", long.Plan)
	}
	finish(c, short, 60)
	expect(t, "in it", ids(c.Main(100, true)), "3[0 1]")
	finish(c, inside, 150)
	expect(t, "still in it", ids(c.Main(150, true)), "")
	expect(t, "after", ids(c.Main(200, true)), "1[0]")
}

// Intent: § 3.2. With --time-min a job starts in a gap before a plan, and the least
// limit that it asked for is its limit then; a pass of the main loop leaves it its own.
func TestTimeMin(t *testing.T) {
	c := machine(2, 1, nil)
	c.submitAll(0, ask(1, 1, 100))
	c.Main(0, true)
	wide, flexible := ask(2, 2, 60), ask(3, 1, 600)
	flexible.MinLimit = 30
	c.submitAll(0, wide, flexible)
	expect(t, "a cycle", ids(c.Backfill(10)), "3[1]")
	if flexible.Ends != 40 {
		t.Errorf("it may run until %d, on paper 30 s", flexible.Ends)
	}
	c = machine(1, 1, nil)
	flexible = ask(1, 1, 600)
	flexible.MinLimit = 30
	c.submitAll(0, flexible)
	if c.Main(0, true); flexible.Ends != 600 {
		t.Errorf("started by a pass it may run until %d, on paper 600 s", flexible.Ends)
	}
}
