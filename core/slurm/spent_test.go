package slurm

import (
	"testing"
	"time"
)

// spending is a node on which usage does not decay, with a QOS of some limits.
func spending(change func(*Limits)) *Controller {
	return machine(1, 10, func(c *Cluster) {
		c.Params.Multifactor, c.Params.HalfLife, c.Params.EnforceLimits = true, 0, true
		c.QOS = []QOS{{Name: "q", Limits: NoLimits(), UsageFactor: 1}}
		c.Assocs = []Assoc{{Parent: -1, User: -1, Shares: 1, Limits: NoLimits()}, {Parent: 0, User: 0, Shares: 1, Limits: NoLimits()}}
		change(&c.QOS[0].Limits)
		change(&c.Assocs[0].Limits)
	})
}

// Intent: § 8, GrpWall and GrpTRESMins, of a QOS and of an account. By hand: job 1 holds 2
// CPUs from 0. At 100 it has run 1 whole minute and used 3 CPU-minutes; at 130 they are 2
// and 4. A limit of 2 minutes of wall time, or of 4 CPU-minutes, lets job 2 start at 100
// and job 3, at 130, no more: it waits for a limit, and job 1 has to go. What was used is
// booked only as priorities are computed: at 129 nothing is known of it yet.
func TestUsageLimits(t *testing.T) {
	for what, change := range map[string]func(*Limits){
		"GrpWall":     func(l *Limits) { l.GrpWall = 120 },
		"GrpTRESMins": func(l *Limits) { l.GrpTRESMins.CPU = 240 },
	} {
		for _, qos := range []int{0, -1} {
			c := spending(change)
			job := func(id int64) *Job {
				j := ask(id, 2, 600)
				j.QOS, j.Assoc = qos, 1
				if qos >= 0 {
					j.Assoc = -1
				}
				return j
			}
			a := job(1)
			c.submitAll(0, a)
			c.Main(0, true)
			c.Recalculate(100, 0)
			c.submitAll(100, job(2))
			expect(t, what+" at 100", ids(c.Main(100, true)), "2[0]")
			// Job 2 counts, too: it goes at once, so that job 1 alone is counted.
			finish(c, c.Active[1], 100)
			three := job(3)
			c.submitAll(128, three)
			if late := c.Overdue(129); len(late) != 0 {
				t.Errorf("%s: %s have to go at 129", what, ids(late))
			}
			c.Recalculate(130, 100)
			expect(t, what+" at 130", ids(c.Main(130, true)), "")
			if three.Reason != ReasonLimit {
				t.Errorf("%s: it waits for %v", what, three.Reason)
			}
			expect(t, what+": who has to go", ids(c.Overdue(130)), "1[0]")
		}
	}
}

// Intent: § 8, MaxTRESMins: a job of 2 CPUs and 600 s asks for 20 CPU-minutes. It starts
// where they are 20, and not where they are 19; what it may use is over after 600 s.
func TestMostOfAJob(t *testing.T) {
	for most, want := range map[int64]string{1200: "1[0]", 1199: ""} {
		c := spending(func(l *Limits) { l.MaxTRESMins.CPU = most })
		j := ask(1, 2, 600)
		j.QOS = 0
		c.submitAll(0, j)
		expect(t, "a pass", ids(c.Main(0, true)), want)
		if want != "" && (len(c.Overdue(599)) != 0 || len(c.Overdue(600)) != 1) {
			t.Error("it has to go at another time than after 600 s")
		}
	}
}

// Intent: § 8, MaxSubmitJobs of a user, of an account and of a QOS, and GrpSubmitJobs:
// sbatch refuses one job too many, tasks of an array each for itself; who has ended, and
// who was cancelled with all tasks that were left, makes room. A QOS counts before an
// association.
func TestMaxSubmit(t *testing.T) {
	for what, change := range map[string]func(*Cluster){
		"user of a QOS":    func(c *Cluster) { c.QOS[0].MaxSubmit = 4 },
		"account of a QOS": func(c *Cluster) { c.QOS[0].MaxSubmitPA = 4 },
		"QOS":              func(c *Cluster) { c.QOS[0].GrpSubmit = 4 },
		"association":      func(c *Cluster) { c.Assocs[1].MaxSubmit = 4 },
		"account":          func(c *Cluster) { c.Assocs[0].GrpSubmit = 4 },
		"QOS before it":    func(c *Cluster) { c.QOS[0].GrpSubmit, c.Assocs[0].GrpSubmit = 4, 1 },
		"partition's QOS":  func(c *Cluster) { c.QOS[1].GrpSubmit, c.Partitions[0].QOS = 4, 1 },
	} {
		c := machine(1, 1, func(c *Cluster) {
			c.Params.EnforceLimits = true
			c.QOS = []QOS{{Name: "q", Limits: NoLimits(), UsageFactor: 1}, {Name: "p", Limits: NoLimits(), UsageFactor: 1}}
			c.Assocs = []Assoc{{Parent: -1, User: -1, Shares: 1, Limits: NoLimits()}, {Parent: 0, User: 0, Shares: 1, Limits: NoLimits()}}
			change(c)
		})
		job := func(id int64, tasks int) *Job {
			j := ask(id, 1, 60)
			j.QOS, j.Assoc = 0, 1
			for i := range tasks {
				j.Array = append(j.Array, i)
			}
			return j
		}
		array := job(1, 3)
		if !c.MaySubmit(array) {
			t.Errorf("%s: an array of 3 is refused", what)
		}
		c.submitAll(0, array)
		if c.MaySubmit(job(2, 2)) || !c.MaySubmit(job(2, 0)) {
			t.Errorf("%s: on paper 1 more may come, and not 2", what)
		}
		c.submitAll(0, job(2, 0))
		c.Main(0, true) // the first task runs
		if c.MaySubmit(job(3, 0)) {
			t.Errorf("%s: a fifth is let in", what)
		}
		c.Cancel(array, 1) // two tasks
		if !c.MaySubmit(job(3, 2)) || c.MaySubmit(job(3, 3)) {
			t.Errorf("%s: on paper 2 more may come", what)
		}
		finish(c, c.Active[0], 2)
		if !c.MaySubmit(job(3, 3)) || c.MaySubmit(job(3, 4)) {
			t.Errorf("%s: on paper 3 more may come", what)
		}
	}
}

// Intent: § 6, PriorityUsageResetPeriod: each boundary as the calendar of Go's library has
// it, over 60 years; and what was used is nothing from the first recalculation behind it.
func TestUsageResets(t *testing.T) {
	for days := int64(0); days < 22_000; days += 7 {
		at := days*86400 + 3600
		d := time.Unix(at, 0).UTC()
		midnight := time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC)
		quarter := time.Month((int(d.Month())-1)/3*3 + 1)
		for r, want := range map[Reset]time.Time{
			ResetDaily: midnight.AddDate(0, 0, 1), ResetWeekly: midnight.AddDate(0, 0, 7-int(d.Weekday())),
			ResetMonthly:   time.Date(d.Year(), d.Month()+1, 1, 0, 0, 0, 0, time.UTC),
			ResetQuarterly: time.Date(d.Year(), quarter+3, 1, 0, 0, 0, 0, time.UTC), ResetYearly: time.Date(d.Year()+1, 1, 1, 0, 0, 0, 0, time.UTC),
		} {
			if got := r.next(at); got != want.Unix() {
				t.Fatalf("period %d after %v: %v, on the calendar %v", r, d, time.Unix(got, 0).UTC(), want)
			}
		}
	}
	c := spending(func(*Limits) {})
	c.Params.UsageReset = ResetDaily
	j := ask(1, 2, 1_000_000)
	j.QOS, j.Assoc = 0, 1
	c.submitAll(86_000, j)
	c.Main(86_000, true)
	c.Recalculate(86_300, 86_000)
	if got := c.book.assocSpent[0].wall; got != 300 {
		t.Errorf("%v s, on paper 300", got)
	}
	c.Recalculate(86_600, 86_300) // midnight is 86,400
	if got := c.book.assocSpent[0].wall; got != 300 || c.book.raw[1] != 600 {
		t.Errorf("%v s and %v CPU-seconds, on paper the last 300 s alone", got, c.book.raw[1])
	}
}
