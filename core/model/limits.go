package model

import (
	"cmp"
	"fmt"
	"slices"
)

// Limits guard the use of each cluster (Klusáček and Chlumský 2016, section
// 3.1: the limits list, which every cluster has for itself). The zero value
// limits nothing.
type Limits struct {
	// UserProcs is the most processors of one cluster that the jobs of one user
	// hold at a time; 0: no limit. Jobs of unknown user (−1) count as one user's.
	UserProcs int32
	Classes   []LimitClass
}

// LimitClass limits jobs by requested time: those that ask for more than
// LongerThan hold together at most Share of the processors of each cluster,
// rounded down. Classes may overlap; a job keeps to all that it belongs to.
type LimitClass struct {
	LongerThan Time
	Share      float64 // 0–1
}

// None says whether nothing is limited.
func (l *Limits) None() bool { return l.UserProcs == 0 && len(l.Classes) == 0 }

// Procs returns the processors of a cluster of so many that the jobs of a
// class may hold together.
func (c *LimitClass) Procs(cluster int) int32 {
	return int32(float64(c.Share * float64(cluster)))
}

// Most returns the most processors of a cluster of so many that a single job
// with this request may hold.
func (l *Limits) Most(cluster int, request Time) int32 {
	most := int32(cluster)
	if l.UserProcs > 0 {
		most = min(most, l.UserProcs)
	}
	for i := range l.Classes {
		if c := &l.Classes[i]; request > c.LongerThan {
			most = min(most, c.Procs(cluster))
		}
	}
	return most
}

// checkLimits proves that no limit is exceeded at any instant.
func (s *Schedule) checkLimits() error {
	l := &s.Platform.Limits
	if l.None() {
		return nil
	}
	type event struct {
		at    Time
		delta int32
		exec  int32
	}
	var events []event
	for i := range s.Executions {
		if e := &s.Executions[i]; !e.Reason.Unserved() {
			events = append(events, event{e.Start, e.Procs, int32(i)}, event{e.End, -e.Procs, int32(i)})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.delta, b.delta)) })
	type key struct{ cluster, user int32 }
	users, classes := map[key]int32{}, make([]int32, len(s.Platform.Clusters)*len(l.Classes))
	for _, ev := range events {
		e := &s.Executions[ev.exec]
		j, cluster := &s.Workload.Jobs[e.Job], &s.Platform.Clusters[e.Cluster]
		if l.UserProcs > 0 {
			k := key{e.Cluster, j.User}
			if users[k] += ev.delta; users[k] > l.UserProcs {
				return fmt.Errorf("model: at %d, user %d holds %d processors of cluster %q, where %d are allowed (job %d)", ev.at, j.User, users[k], cluster.Name, l.UserProcs, j.Number)
			}
		}
		for i := range l.Classes {
			c := &l.Classes[i]
			if j.Limit <= c.LongerThan {
				continue
			}
			held := &classes[int(e.Cluster)*len(l.Classes)+i]
			if *held += ev.delta; *held > c.Procs(cluster.Procs()) {
				return fmt.Errorf("model: at %d, jobs that ask for more than %d s hold %d processors of cluster %q, where %d are allowed (job %d)", ev.at, c.LongerThan, *held, cluster.Name, c.Procs(cluster.Procs()), j.Number)
			}
		}
	}
	return nil
}
