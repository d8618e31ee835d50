// Package ledger books who has consumed what of a platform: the fair share of
// Orig-BF and the fairness criterion NUWT of Plan-RS (Klusáček and Chlumský
// 2016, sections 2 and 3.3) read the same books. It decides nothing.
package ledger

import "batchlab/core/model"

// Rate returns what an execution consumes in each second, in processors: the
// larger of its share of the cluster's processors and its share of the cluster's
// memory, times the cluster's processors. On a cluster that does not count
// memory it is the execution's processors. procs are those that it holds, mem is
// the memory that it holds on all nodes together, in bytes; clusterMem is 0
// where memory is not limited.
func Rate(procs int32, mem int64, clusterProcs int, clusterMem int64) float64 {
	rate := float64(procs)
	if clusterMem > 0 {
		rate = max(rate, float64(float64(mem)*float64(clusterProcs))/float64(clusterMem))
	}
	return rate
}

// Memory returns the memory of a cluster in bytes; 0 where it is not counted on
// every node.
func Memory(p *model.Platform, cluster int) int64 {
	c := &p.Clusters[cluster]
	if c.Packing == model.PackProcessors {
		return 0
	}
	sum := int64(0)
	for i := range c.Groups {
		if c.Groups[i].Mem == 0 {
			return 0
		}
		sum += c.Groups[i].Mem * int64(c.Groups[i].Count)
	}
	return sum
}

// Ledger adds up what users consume, jobs that still run included up to the
// time that is asked for. With a halving period the sums are divided by 2 at
// every multiple of the period from the beginning on. What is asked for changes
// no sum: rounded is where a user's job starts or stops, and at the multiples. The
// ledger grows with the users that it has seen, whatever their numbers. The zero
// value needs a Reset.
type Ledger struct {
	from  model.Time
	halve model.Time
	users []account
	far   map[int32]*account // those with numbers of dense and more
}

// dense is the number up to which accounts stand at their users' numbers. Logs
// count their users from 1; some hold numbers of another system.
const dense = 1 << 14

type account struct {
	used float64    // processor-seconds up to at
	rate float64    // processors, of jobs that run
	at   model.Time // when it was settled last
}

// Reset empties the books. The period counts from a point in time, which no
// later one precedes; 0 seconds: nothing decays.
func (l *Ledger) Reset(from, halve model.Time) {
	l.from, l.halve, l.users = from, halve, l.users[:0]
	clear(l.far)
}

// account returns a user's; a log may hold negative users, who are as unknown as 0.
func (l *Ledger) account(user int32) *account {
	user = max(user, 0)
	if user >= dense {
		a := l.far[user]
		if a == nil {
			if l.far == nil {
				l.far = map[int32]*account{}
			}
			a = &account{at: l.from}
			l.far[user] = a
		}
		return a
	}
	for int(user) >= len(l.users) {
		l.users = append(l.users, account{at: l.from})
	}
	return &l.users[user]
}

// Start books that a user's job runs from now on, consuming at a Rate.
func (l *Ledger) Start(user int32, now model.Time, rate float64) {
	a := l.account(user)
	l.settle(a, now)
	a.rate += rate
}

// End books that a user's job has stopped, for whatever reason.
func (l *Ledger) End(user int32, now model.Time, rate float64) {
	a := l.account(user)
	l.settle(a, now)
	if a.rate -= rate; a.rate < 1e-6 { // rates of memory shares do not add up exactly
		a.rate = 0
	}
}

// Used returns the processor-seconds that a user has consumed up to now.
func (l *Ledger) Used(user int32, now model.Time) float64 {
	a := l.account(user)
	l.decay(a, now)
	return a.upTo(now)
}

// settle brings an account up to now.
func (l *Ledger) settle(a *account, now model.Time) {
	l.decay(a, now)
	a.used, a.at = a.upTo(now), max(now, a.at)
}

// decay brings an account up to the last multiple of the period.
func (l *Ledger) decay(a *account, now model.Time) {
	if l.halve > 0 {
		next := a.at - (a.at-l.from)%l.halve + l.halve // the first multiple after a.at
		for ; next <= now && (a.used > 0 || a.rate > 0); next += l.halve {
			a.used, a.at = a.upTo(next)/2, next
		}
	}
}

// upTo returns what an account holds at a time behind which no multiple lies.
func (a *account) upTo(now model.Time) float64 {
	return a.used + float64(a.rate*float64(max(0, now-a.at)))
}
