package metric

import (
	"cmp"
	"math"
	"slices"

	"batchlab/core/ledger"
	"batchlab/core/model"
	"batchlab/core/order"
)

// UserWait is the normalised wait of a user (NUWT; Klusáček and Chlumský 2016,
// section 3.3): the total wait of its measured jobs divided by what it has
// consumed.
type UserWait struct {
	User     int32
	Wait     int64   // seconds, of batch jobs
	Consumed float64 // processor-seconds; the larger of processor and memory share
	NUWT     float64 // Wait ÷ max(1, Consumed)
}

// UserWaits returns the normalised wait of every user with a measured batch job, in
// order of users; jobs of unknown user are not counted. Reservations, and attempts
// that were lost, count as consumed.
func UserWaits(s *model.Schedule, o Options) []UserWait {
	slots, queues := map[int32]int{}, map[int32]bool{}
	var list []UserWait
	memory := make([]int64, len(s.Platform.Clusters))
	for c := range memory {
		memory[c] = ledger.Memory(s.Platform, c)
	}
	for i := 0; i < len(s.Executions); {
		last := lastAttempt(s.Executions, i)
		e := &s.Executions[last]
		job := &s.Workload.Jobs[e.Job]
		if e.Reason.Unserved() || job.User < 0 || !o.in(job.Submit) {
			i = last + 1
			continue
		}
		slot, ok := slots[job.User]
		if !ok {
			slot = len(list)
			slots[job.User] = slot
			list = append(list, UserWait{User: job.User})
		}
		u := &list[slot]
		if reservation(s.Workload, e.Job) == nil {
			queues[job.User] = true
			u.Wait += int64(e.Start - s.Executions[i].Submit - kept(s.Executions[i:last]))
		}
		for ; i <= last; i++ {
			x := &s.Executions[i]
			mem := int64(0)
			if d := s.Workload.Demand(x.Job); d != nil && x.Claim > 0 {
				mem = d.MemPerNode * int64(len(s.Claims[x.Claim-1].Parts))
			}
			rate := ledger.Rate(x.Procs, mem, s.Platform.Clusters[x.Cluster].Procs(), memory[x.Cluster])
			u.Consumed += float64(rate * float64(x.End-x.Start))
		}
	}
	list = slices.DeleteFunc(list, func(u UserWait) bool { return !queues[u.User] })
	for i := range list {
		list[i].NUWT = float64(list[i].Wait) / max(1, list[i].Consumed)
	}
	order.Stable(list, func(a, b UserWait) int { return cmp.Compare(a.User, b.User) })
	return list
}

// MeanNUWT returns mean and population standard deviation over users; NaN
// without any.
func MeanNUWT(users []UserWait) (mean, deviation float64) {
	if len(users) == 0 {
		return math.NaN(), math.NaN()
	}
	n := float64(len(users))
	for i := range users {
		mean += users[i].NUWT
	}
	mean /= n
	for i := range users {
		d := users[i].NUWT - mean
		deviation += float64(d * d)
	}
	return mean, math.Sqrt(deviation / n)
}

// fairness holds the measures of users' waits.
type fairness struct {
	users           int
	mean, deviation float64
}

func (m *Meter) measureFairness(s *model.Schedule, o *Options) {
	m.fairness = fairness{}
	if s.Platform == nil || s.Logged {
		return
	}
	users := UserWaits(s, *o)
	if len(users) == 0 {
		return
	}
	m.fairness.users = len(users)
	m.fairness.mean, m.fairness.deviation = MeanNUWT(users)
}
