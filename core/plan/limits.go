package plan

import (
	"fmt"

	"batchlab/core/model"
)

// Limits guard the use of a cluster, as the limits list of Klusáček and
// Chlumský (2016, section 3.1) does: "independent instances … are created for
// every cluster in the system", so each limit holds on every cluster for itself.
// A schedule that keeps them never exceeds them at any moment, in the present or
// in the planned future. The zero value limits nothing.
type Limits struct {
	// UserProcs is the most processors of a cluster that the jobs of one user may
	// hold together; 0: not limited.
	UserProcs int32
	// Classes limit what long jobs may hold together. A job belongs to every class
	// whose LongerThan its requested time exceeds.
	Classes []Class
}

// Class is the jobs whose requested time is strictly longer than LongerThan
// seconds; together they hold at most Share (0–1) of each cluster's processors,
// rounded down ("jobs running for more than a week cannot use more than 70 % of
// all system resources", section 3.1).
type Class struct {
	LongerThan model.Time
	Share      float64
}

// Cap returns the most processors that the class may hold of a cluster.
func (c *Class) Cap(procs int) int32 { return int32(float64(c.Share * float64(procs))) }

// None reports whether nothing is limited.
func (l *Limits) None() bool { return l.UserProcs == 0 && len(l.Classes) == 0 }

// allows returns the most processors of a cluster that one job may ever hold.
func (l *Limits) allows(limit model.Time, procs int) int32 {
	most := int32(procs)
	if l.UserProcs > 0 {
		most = min(most, l.UserProcs)
	}
	for i := range l.Classes {
		if c := &l.Classes[i]; limit > c.LongerThan {
			most = min(most, c.Cap(procs))
		}
	}
	return most
}

// Fit fails on the first job of a workload that the limits would let run on no
// cluster for which it is eligible and that is large enough for it.
func (l *Limits) Fit(w *model.Workload, p *model.Platform) error {
	if l.None() {
		return nil
	}
	for i := range w.Jobs {
		j, best := &w.Jobs[i], int32(0)
		for c := range p.Clusters {
			if procs := p.Clusters[c].Procs(); procs >= int(j.Procs) && eligible(w.Demand(model.JobID(i)), int32(c)) {
				best = max(best, l.allows(j.Limit, procs))
			}
		}
		if best < j.Procs {
			return fmt.Errorf("plan: job %d asks for %d processors, of which the limits allow at most %d to a job of %d s", j.Number, j.Procs, best, j.Limit)
		}
	}
	return nil
}

func eligible(d *model.Demand, cluster int32) bool {
	if d == nil || len(d.Eligible) == 0 {
		return true
	}
	for _, c := range d.Eligible {
		if c == cluster {
			return true
		}
	}
	return false
}

// Check proves that a schedule never exceeds the limits.
func (l *Limits) Check(s *model.Schedule) error {
	if l.None() {
		return nil
	}
	type key struct{ cluster, who int32 } // who: user, or −2 − class
	type change struct {
		at    model.Time
		procs int32 // gone first at equal times
	}
	uses := map[key][]change{}
	for i := range s.Executions {
		e := &s.Executions[i]
		if e.Reason == model.EndRejected {
			continue
		}
		j := &s.Workload.Jobs[e.Job]
		book := func(k key) {
			uses[k] = append(uses[k], change{e.Start, e.Procs}, change{e.End, -e.Procs})
		}
		if l.UserProcs > 0 {
			book(key{e.Cluster, max(j.User, -1)})
		}
		for c := range l.Classes {
			if j.Limit > l.Classes[c].LongerThan {
				book(key{e.Cluster, -2 - int32(c)})
			}
		}
	}
	for k, list := range uses {
		most, name := l.UserProcs, fmt.Sprintf("user %d", k.who)
		if k.who < -1 {
			c := &l.Classes[-2-k.who]
			most, name = c.Cap(s.Platform.Clusters[k.cluster].Procs()), fmt.Sprintf("class %d", -2-k.who)
		}
		sortBy(list, func(a, b change) bool { return a.at < b.at || a.at == b.at && a.procs < b.procs })
		used := int32(0)
		for _, c := range list {
			if used += c.procs; used > most {
				return fmt.Errorf("plan: at %d, %s holds %d processors of cluster %d, more than %d", c.at, name, used, k.cluster, most)
			}
		}
	}
	return nil
}
