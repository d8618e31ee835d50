package slurm

// spent is what jobs of an association or a QOS have used, decayed like all usage
// (grp_used_wall and usage_tres_raw of assoc_mgr): seconds that they ran, and TRES-seconds.
// It is booked when priorities are recomputed, as long as they are multifactor ones.
type spent struct{ wall, cpu, mem, node, gpu float64 }

// keep lets it decay.
func (s *spent) keep(part float64) {
	s.wall, s.cpu, s.mem = float64(s.wall*part), float64(s.cpu*part), float64(s.mem*part)
	s.node, s.gpu = float64(s.node*part), float64(s.gpu*part)
}

// add books what a job has held for a time.
func (s *spent) add(t TRES, seconds float64) {
	s.wall += seconds
	s.cpu += float64(float64(t.CPU) * seconds)
	s.mem += float64(float64(t.Mem) * seconds)
	s.node += float64(float64(t.Node) * seconds)
	s.gpu += float64(float64(t.GPU) * seconds)
}

// tres is the TRES-seconds in whole minutes, in seconds, as they are held against limits.
func (s *spent) tres() TRES {
	minutes := func(v float64) int64 { return int64(v) / 60 * 60 }
	return TRES{minutes(s.cpu), minutes(s.mem), minutes(s.node), minutes(s.gpu)}
}

// over says whether a limit on what is used together is reached, whole minutes compared:
// GrpWall or GrpTRESMins.
func (s *spent) over(l *Limits, wall, tres bool) bool {
	if wall && l.GrpWall < Unlimited && int64(s.wall)/60 >= l.GrpWall/60 {
		return true
	}
	return tres && l.GrpTRESMins != NoTRES && reached(s.tres(), l.GrpTRESMins)
}

// reached says whether a limit is reached, in any TRES.
func reached(t, limit TRES) bool {
	return t.CPU >= limit.CPU || t.Mem >= limit.Mem || t.Node >= limit.Node || t.GPU >= limit.GPU
}

// exhausted says whether what jobs of a QOS, or below an association, have used together
// leaves nothing to a job: of QOS and associations the first that sets a limit counts.
func (c *Controller) exhausted(j *Job, part int) bool {
	wall, tres := true, true
	for _, q := range c.qosOf(j, part) {
		if q < 0 {
			continue
		}
		l := &c.QOS[q].Limits
		if c.book.qosSpent[q].over(l, wall, tres) {
			return true
		}
		wall, tres = wall && l.GrpWall >= Unlimited, tres && l.GrpTRESMins == NoTRES
	}
	for a := j.Assoc; a >= 0; a = c.Assocs[a].Parent {
		if c.book.assocSpent[a].over(&c.Assocs[a].Limits, wall, tres) {
			return true
		}
	}
	return false
}

// longest is the least MaxTRESMins that holds a job, in TRES-seconds.
func (c *Controller) longest(j *Job, part int) TRES {
	most := NoTRES
	for _, q := range c.qosOf(j, part) {
		if q >= 0 {
			most = most.or(c.QOS[q].MaxTRESMins)
		}
	}
	for a := j.Assoc; a >= 0; a = c.Assocs[a].Parent {
		most = most.or(c.Assocs[a].MaxTRESMins)
	}
	return most
}

// usedUp says whether a running job has to go since a limit on usage is reached
// (acct_policy_job_time_out).
func (c *Controller) usedUp(j *Job, now int64) bool {
	return c.Params.EnforceLimits && (c.exhausted(j, j.Part) || reached(times(j.used, now-j.Started), c.longest(j, j.Part)))
}

// MaySubmit says whether limits on the number of jobs in the queue and running let a job
// come at all (acct_policy_validate): sbatch refuses it else.
func (c *Controller) MaySubmit(j *Job) bool {
	if !c.Params.EnforceLimits {
		return true
	}
	n := int64(max(1, len(j.Array)))
	all, user, account := false, false, false // a limit of this kind is set by a QOS in front
	for _, q := range c.qosOf(j, j.first()) {
		if q < 0 {
			continue
		}
		l := &c.QOS[q].Limits
		if !all && c.book.qos[q].submitted+n > l.GrpSubmit || !account && at(c.book.acct, q, c.accountOf(j)).submitted+n > l.MaxSubmitPA ||
			!user && at(c.book.user, q, j.User).submitted+n > l.MaxSubmit {
			return false
		}
		all, account, user = all || l.GrpSubmit < Unlimited, account || l.MaxSubmitPA < Unlimited, user || l.MaxSubmit < Unlimited
	}
	for a := j.Assoc; a >= 0; a = c.Assocs[a].Parent {
		l := &c.Assocs[a].Limits
		if !all && c.book.assoc[a].submitted+n > l.GrpSubmit || a == j.Assoc && !user && c.book.assoc[a].submitted+n > l.MaxSubmit {
			return false
		}
	}
	return true
}

// Reset is how often usage begins again (PriorityUsageResetPeriod).
type Reset uint8

// Periods, which end at midnight of a day, before Sunday, the first of a month, of a
// quarter, or of a year; ResetNow: once, at the beginning.
const (
	ResetNone Reset = iota
	ResetNow
	ResetDaily
	ResetWeekly
	ResetMonthly
	ResetQuarterly
	ResetYearly
)

// next is when usage begins again after a time, in seconds since 1970 in UTC
// (_next_reset).
func (r Reset) next(after int64) int64 {
	const day = 86400
	days := after / day
	if r == ResetDaily {
		return (days + 1) * day
	}
	if r == ResetWeekly { // 1 January 1970 was a Thursday
		return (days + 7 - (days+4)%7) * day
	}
	y, m := monthOf(days)
	switch r {
	case ResetMonthly:
		m++
	case ResetQuarterly:
		m += 3 - (m-1)%3
	case ResetYearly:
		m = 13
	}
	return firstOf(y+(m-1)/12, (m-1)%12+1) * day
}

// monthOf is the year and the month of a day since 1970.
func monthOf(days int64) (year, month int64) {
	year = 1970 + days/366
	for firstOf(year+1, 1) <= days {
		year++
	}
	for month = 12; firstOf(year, month) > days; month-- {
	}
	return year, month
}

// firstOf is the first day of a month, in days since 1970.
func firstOf(y, m int64) int64 {
	if m <= 2 {
		y, m = y-1, m+12
	}
	return 365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + 1 - 719469
}

// forget lets usage begin again where its time has come (_reset_usage).
func (c *Controller) forget(now int64) {
	r := c.Params.UsageReset
	if r == ResetNone {
		return
	}
	if r == ResetNow {
		r, c.Params.UsageReset = ResetNone, ResetNone
	} else {
		if c.resetAt == 0 {
			c.resetAt = r.next(now)
		}
		if now < c.resetAt {
			return
		}
		c.resetAt = r.next(now)
	}
	clear(c.book.raw)
	clear(c.book.assocSpent)
	clear(c.book.qosSpent)
}
