package policy

import (
	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// origLimits keeps the limits of one cluster over time: a profile of what each
// user and each class may still hold. What running jobs leave is kept from pass
// to pass; reservations go into copies, made when they are first asked for.
type origLimits struct {
	limits  *model.Limits // nil: nothing is limited
	procs   int32         // of the cluster
	users   []origLimit   // by small number
	classes []origLimit
	pass    int64
}

type origLimit struct {
	base, plan resource.Counts
	pass       int64 // for which plan is a copy of base with reservations
}

func (l *origLimits) reset(limits *model.Limits, procs int32) {
	*l = origLimits{procs: procs}
	if limits.None() {
		return
	}
	l.limits = limits
	for i := range limits.Classes {
		l.classes = append(l.classes, newOrigLimit(limits.Classes[i].Procs(int(procs))))
	}
}

func newOrigLimit(most int32) origLimit {
	var o origLimit
	o.base.Reset(-model.Never, most)
	return o
}

// begin forgets the reservations of the last pass.
func (l *origLimits) begin() { l.pass++ }

// each visits what a job counts towards until visit returns false.
func (l *origLimits) each(v *sim.View, j model.JobID, user int32, visit func(*origLimit) bool) {
	if l.limits == nil {
		return
	}
	if l.limits.UserProcs > 0 {
		for len(l.users) <= int(user) {
			l.users = append(l.users, newOrigLimit(l.limits.UserProcs))
		}
		if !visit(&l.users[user]) {
			return
		}
	}
	for i := range l.classes {
		if v.Jobs[j].Limit > l.limits.Classes[i].LongerThan && !visit(&l.classes[i]) {
			return
		}
	}
}

// hold books that a running job holds its processors (sign 1), or that one that
// has ended does not (−1).
func (l *origLimits) hold(v *sim.View, j model.JobID, user int32, from, to model.Time, sign int32) {
	l.book(v, j, user, from, to, -sign*v.Needs[j].Procs)
}

// book changes what users and classes may hold over time by a number of processors.
func (l *origLimits) book(v *sim.View, j model.JobID, user int32, from, to model.Time, delta int32) {
	l.each(v, j, user, func(o *origLimit) bool {
		o.base.Advance(v.Now)
		o.base.Add(from, to, delta)
		return true
	})
}

func (o *origLimit) planned(now model.Time, pass int64) *resource.Counts {
	if o.pass != pass {
		o.base.Advance(now)
		o.plan.CopyFrom(&o.base)
		o.pass = pass
	}
	return &o.plan
}

// fit returns the earliest time from at on at which every limit lets the job
// run for its length; model.Never if none ever does.
func (l *origLimits) fit(v *sim.View, j model.JobID, user int32, at, length model.Time) model.Time {
	for {
		start := at
		l.each(v, j, user, func(o *origLimit) bool {
			at = o.planned(v.Now, l.pass).FitFrom(v.Needs[j].Procs, length, at)
			return at != model.Never
		})
		if at == start || at == model.Never {
			return at
		}
	}
}

// take books a reservation.
func (l *origLimits) take(v *sim.View, j model.JobID, user int32, from, to model.Time) {
	l.each(v, j, user, func(o *origLimit) bool {
		o.planned(v.Now, l.pass).Add(from, to, -v.Needs[j].Procs)
		return true
	})
}
