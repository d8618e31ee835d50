package model

import "strconv"

// Partitions, qualities of service and accounts are what clusters are shared out
// by. What bounds jobs in them (nodes, times, limits) is made of what binds any
// job: the machines and the quotas of its Demand. What ranks them (tier, priority,
// shares) is here for the schedulers that use it.

// Partition is a part of the platform's nodes with rules of its own. Partitions
// may overlap.
type Partition struct {
	Name        string
	Nodes       []int32 // indices into Platform.Nodes, ascending; nil: every node
	MaxTime     Time    // longest requested time, in seconds; 0: any
	DefaultTime Time    // requested time of jobs that state none; 0: MaxTime, if there is one
	Tier        int32   // jobs of a higher one go first
	Priority    int32   // factor of jobs' priorities
	QOS         int32   // 1 + index into Platform.QOS, whose limits go before those of the job's own; 0: none
	Counts      bool    // it limits what its jobs hold: none of them waits in another partition, too
	Preempt     Preemption
}

// QOS is a quality of service: what a job may use, and how it ranks.
type QOS struct {
	Name     string
	Priority int32
	Preempts []int32 // indices into Platform.QOS: jobs of these may be stopped for one of this
	Preempt  Preemption
}

// Preemption is what becomes of a job that is stopped for another.
type Preemption uint8

// Ways to make room for another job.
const (
	PreemptDefault Preemption = iota // as the cluster does
	PreemptOff                       // it is never stopped
	PreemptCancel                    // it is stopped for good
	PreemptRequeue                   // it waits again and starts from its beginning
	PreemptSuspend                   // it waits and goes on where it was
)

// Account is one of a tree of accounts.
type Account struct {
	Number int32 // by which jobs name it
	Parent int32 // 1 + index into Platform.Accounts; 0: the root
	Shares int32 // of its parent's, beside those of its siblings and of its parent's own users
	Users  []UserShare
}

// UserShare is the share of a user of an account who has not just one.
type UserShare struct{ User, Shares int32 }

// Quota says what a licence of the platform stands for that nobody activates: a
// limit on what the jobs of some part may hold at a time. Copies are what it counts.
// The zero value is no quota.
type Quota struct {
	Of    QuotaOf // whose jobs; QuotaNone: the licence is one
	Index int32   // into Platform.Partitions, QOS or Accounts
	By    QuotaBy // of all of them together, or of each
	Who   int32   // number of the user, group or account that By means
	Unit  Unit    // what a copy is
}

// Unit is what a limit counts.
type Unit uint8

// Units of limits.
const (
	UnitProcs Unit = iota // processors held at a time
	UnitJobs              // jobs running at a time
	UnitNodes             // machines that they ask for, one for each job on it
	UnitGPUs
	UnitMemory // MiB
)

// Units are the words for them, of many.
var Units = [...]string{"processors", "jobs", "machines", "GPUs", "MiB of memory"}

// QuotaOf says whose limit a quota is.
type QuotaOf uint8

// What limits jobs.
const (
	QuotaNone QuotaOf = iota
	QuotaPartition
	QuotaQOS
	QuotaAccount
	QuotaLong // jobs with long requests, on the whole platform; Index is the class's place in the document
)

// QuotaBy says of whom a limit bounds the jobs.
type QuotaBy uint8

// Whom a limit bounds.
const (
	QuotaAll QuotaBy = iota
	QuotaUser
	QuotaGroup
	QuotaByAccount
)

// Quotes says whether the licence is a limit, of which no node and no job knows.
func (l *Licence) Quotes() bool { return l.Quota.Of != QuotaNone }

// Activated are those of the platform's licences that are activated on nodes: quotas
// stand behind them.
func (p *Platform) Activated() []Licence {
	n := len(p.Licences)
	for n > 0 && p.Licences[n-1].Quotes() {
		n--
	}
	return p.Licences[:n]
}

// Activates returns what of a job's needs for licences is no quota.
func (p *Platform) Activates(needs []LicenceNeed) []LicenceNeed {
	n := len(needs)
	for n > 0 && p.Licences[needs[n-1].Licence].Quotes() {
		n--
	}
	return needs[:n]
}

// QuotaName says whose limit a quota is: "account 3", "user 5 in QOS high".
func (p *Platform) QuotaName(q *Quota) string {
	of := ""
	switch q.Of {
	case QuotaPartition:
		of = "partition " + p.Partitions[q.Index].Name
	case QuotaQOS:
		of = "QOS " + p.QOS[q.Index].Name
	case QuotaAccount:
		of = "account " + strconv.Itoa(int(p.Accounts[q.Index].Number))
	}
	if q.By == QuotaAll {
		return of
	}
	who := [...]string{QuotaUser: "user", QuotaGroup: "group", QuotaByAccount: "account"}[q.By]
	if q.Who < 0 || q.Who == 0 && q.By == QuotaByAccount {
		return "whoever has no " + who + " in " + of
	}
	return who + " " + strconv.Itoa(int(q.Who)) + " in " + of
}
