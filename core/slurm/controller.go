package slurm

import "math"

// Job is what was asked for, and what became of it.
type Job struct {
	ID       int64 // Slurm's number; of a task that of its array
	Task     int   // index in its array, -1 of a job that is none
	User     int
	Assoc    int // index into Cluster.Assocs, -1 none
	Name     int64
	Parts    []int // partitions that it named, in order
	QOS      int   // -1 none
	MinNodes int32 // 0 is 1
	MaxNodes int32 // 0 any
	Tasks    int32
	PerTask  int32 // CPUs per task, 0 is 1
	MemNode  int64 // -1 none at all
	MemCPU   int64
	GPUs     int32 // per node
	Whole    bool  // --exclusive
	Limit    int64 // seconds, 0 not asked for
	MinLimit int64 // --time-min, 0 none
	Nice     int64
	Begin    int64    // 0 none
	Reserved int      // index into Cluster.Reserved, -1 none
	On       []uint64 // the nodes that it may have, one bit each; nil any
	After    Depend
	Array    []int    // indices of tasks, nil of a job that is no array
	Throttle int      // most tasks at once, 0 any
	Features []string // that its nodes must have, all of them
	Licences []Need
	Het      int64 // number of the heterogeneous job of which it is a component, 0 none
	Submit   int64
	Tag      int // the caller's own

	// What became of it.
	State    State
	Started  int64
	Ended    int64
	Ends     int64 // expected
	Part     int   // where it runs or was tried last
	Nodes    []int32
	CPUs     []int32 // on each of Nodes
	Exit     int
	Reason   Reason
	Plan     int64 // the start that the last cycle expects, 0 none
	Priority []float64
	Backfill bool // started by the backfill loop
	// Suspended says that it stands still for another (PreemptMode=SUSPEND,GANG).
	Suspended bool
	Cores     []set // of each of Nodes, where jobs may be suspended

	eligible    int64
	parent      *Job // of a task
	left        []int
	live        int // tasks that run
	done, fails int // tasks that ended
	failed      bool
	completing  bool
	used        TRES
	nodeSet     set
	useful      int
	fit         set   // nodes with its features, nil any
	accrued     int64 // until when its usage is booked
	planned     component
	round       int   // the cycle that has planned it last
	priced      int64 // when its priority was computed
	waitUntil   int64 // of a requeued job
	never       bool
	kept        keeps // while others think: see think
	still       int64 // since when it is suspended
	resumed     int64 // when it went on last
	serial      int   // place in the list of all jobs, where a split array goes to the end
}

// never is no time.
const never = int64(-1) << 62

// State of a job.
type State uint8

const (
	Pending State = iota
	Running
	Completed
	Failed
	TimedOut
	Cancelled
	Preempted
)

// Reason is why a job waits, in Slurm's words.
type Reason uint8

const (
	NoReason Reason = iota
	ReasonPriority
	ReasonResources
	ReasonDependency
	ReasonDependencyNever
	ReasonBeginTime
	ReasonArrayLimit
	ReasonLimit
	ReasonPartitionTime
	ReasonPartitionNodes
	ReasonReserved
	ReasonConstraints
	ReasonLicences
)

var reasons = [...]string{"None", "Priority", "Resources", "Dependency", "DependencyNeverSatisfied", "BeginTime", "JobArrayTaskLimit", "AssocOrQOSLimit", "PartitionTimeLimit", "PartitionNodeLimit", "ReqNodeNotAvail", "BadConstraints", "Licenses"}

func (r Reason) String() string { return reasons[r] }

// Controller is slurmctld.
type Controller struct {
	*Cluster
	Waiting   []*Job // pending, in order of submission
	Active    []*Job // running
	Preempted []*Job // by the last pass or cycle
	Still     []*Job // suspended by the last pass or cycle
	Yield     []*Job // who would be suspended for the job that Grant is asked of
	now       int64

	free     usage
	all      set // nodes that are up
	busy     set // nodes that still complete
	total    TRES
	book     book
	records  []record
	lastPrio float64
	serial   int
	closing  []int  // completing jobs on each node
	ending   []*Job // jobs whose epilog is not through
	leased   []int64
	wholly   []int // jobs on each node that have it whole
	// busyFirst: nodes that run something are chosen before others (bf_busy_nodes).
	busyFirst bool
	jobs      map[int64]*Job
	scratch   struct {
		cand, ever, possible set
		asked, open          set // of place
		avail                []int32
		nodes                []int32
		cpus                 []int32
		runs                 []stretch
		future               usage
		ends, waits          []*Job
		picked               set
	}
	started []*Job
	victims []*Job
	resetAt int64 // when usage begins again next, 0 not known yet
	future  ahead
	kept    kept
	gang    bool  // jobs may be suspended
	atop    bool  // what was chosen last is cores of those who stand still for it
	cores   []set // of each node, where they may: what layer has found taken
	roomy   bool  // no cycle ends since it has tested enough
	idle    int64 // CPUs that nobody holds
	empty   usage

	// Valid says until when, that time not included, another cycle would start nobody
	// either as long as nothing happens: see until.
	Valid int64
	// Steady says that Allow and Grant go by nothing but what the controller is told.
	// Then a cycle goes on with the plans of the last one where nothing has happened
	// since but that jobs have come: see kept.
	Steady bool
	// Cut says that the last pass of the main loop stopped before it had gone through the
	// queue, or a partition's, by its depth or the number of starts.
	Cut bool
	// Blocked says at whom the last pass of the main loop stopped, at most one in each
	// partition.
	Blocked []Block
	// Stopped is the parameter by which the last cycle ended before it had gone through
	// the queue, "" none.
	Stopped string
	// reached is how many records of its queue the last loop came to.
	reached int

	// Tell, if set, hears every plan that a cycle makes, with its nodes.
	Tell func(j *Job, at int64, nodes []uint64)

	// What the caller counts beside, each nil where it counts nothing. Allow says why a
	// job may not be considered now, for want of a licence or by a limit: it blocks
	// nobody. Grant says whether a job can have nodes that were chosen for it, until its
	// limit; one that cannot is passed over.
	Allow func(j *Job, part int) Reason
	Grant func(j *Job, part int, nodes, cpus []int32) bool
}

// Block is a job at which a pass of the main loop stopped, and in which partition.
type Block struct {
	Job  *Job
	Part int
}

// usage is what is free of each node.
type usage struct {
	cpu  []int32
	mem  []int64
	gpu  []int32
	jobs []int32
	idle set // nodes with a free CPU
}

func (u *usage) copy(o *usage) {
	u.idle = append(u.idle[:0], o.idle...)
	u.cpu = append(u.cpu[:0], o.cpu...)
	u.mem = append(u.mem[:0], o.mem...)
	u.gpu = append(u.gpu[:0], o.gpu...)
	u.jobs = append(u.jobs[:0], o.jobs...)
}

// take books a job's nodes; sign -1 gives them back.
func (u *usage) take(j *Job, c *Controller, sign int32) {
	for k, n := range j.Nodes {
		if u.cpu[n] -= sign * j.CPUs[k]; u.cpu[n] > 0 {
			u.idle.add(int(n))
		} else {
			u.idle.drop(int(n))
		}
		u.mem[n] -= int64(sign) * c.memory(j, n, j.CPUs[k])
		u.gpu[n] -= sign * j.GPUs
		u.jobs[n] += sign
	}
}

// New makes a controller of an empty machine.
func New(cluster *Cluster) *Controller {
	n := len(cluster.Nodes)
	c := &Controller{Cluster: cluster, all: newSet(n), busy: newSet(n), closing: make([]int, n), lastPrio: math.MaxUint32 - 65536, jobs: map[int64]*Job{}, leased: make([]int64, len(cluster.Licences)), wholly: make([]int, n)}
	for i := range cluster.Nodes {
		if !cluster.Nodes[i].Down {
			c.all.add(i)
		}
	}
	for i := range cluster.Partitions {
		p := &cluster.Partitions[i]
		p.set = newSet(n)
		for _, k := range p.Nodes {
			p.set.add(k)
		}
	}
	c.SetReserved(cluster.Reserved)
	c.free.idle = newSet(n)
	c.free.idle.fill(n)
	for _, node := range cluster.Nodes {
		c.free.cpu = append(c.free.cpu, node.CPUs)
		c.free.mem = append(c.free.mem, node.Memory)
		c.free.gpu = append(c.free.gpu, node.GPUs)
		c.free.jobs = append(c.free.jobs, 0)
		c.total = c.total.plus(TRES{int64(node.CPUs), node.Memory, 1, int64(node.GPUs)})
	}
	c.idle = c.total.CPU
	if c.gang = c.gangs(); c.gang {
		for i := range cluster.Nodes {
			c.cores = append(c.cores, newSet(int(cluster.Nodes[i].CPUs)))
		}
	}
	c.book.open(cluster)
	return c
}

// SetReserved says which advance reservations there are from now on.
func (c *Controller) SetReserved(list []Reservation) {
	c.Reserved = list
	c.changed()
	for i := range c.Reserved {
		r := &c.Reserved[i]
		if r.set != nil {
			continue
		}
		r.set = newSet(len(c.Cluster.Nodes))
		for _, k := range r.Nodes {
			r.set.add(k)
		}
	}
}

// changed says that something has happened that plans go by.
func (c *Controller) changed() { c.future.known, c.kept.standing = false, false }

// Opens says whether there is a job that waits and asks for no more CPUs than are idle.
// Where there is none, no job can start, whatever anyone plans.
func (c *Controller) Opens() bool {
	if c.preempts() {
		return len(c.Waiting) > 0
	}
	for _, j := range c.Waiting {
		if int64(j.minCPUs()) <= c.idle {
			return true
		}
	}
	return false
}

// Forget lets go of a job that is over, for which no other waits.
func (c *Controller) Forget(j *Job) { delete(c.jobs, j.ID) }

// AddAssoc adds an association, whose parent is there, and returns its index.
func (c *Controller) AddAssoc(a Assoc) int {
	c.Assocs = append(c.Assocs, a)
	c.book.assoc = append(c.book.assoc, counts{})
	c.book.assocSpent = append(c.book.assocSpent, spent{})
	c.book.raw, c.book.fair = append(c.book.raw, 0), append(c.book.fair, 1)
	return len(c.Assocs) - 1
}

// allowed says whether limits, Slurm's if they are asked and the caller's, let a job be
// considered.
func (c *Controller) allowed(j *Job, part int, limits bool) Reason {
	if limits && !c.mayRun(j, part) {
		return ReasonLimit
	}
	if c.Allow != nil {
		return c.Allow(j, part)
	}
	return NoReason
}

// memory is what a job holds of a node's.
func (c *Controller) memory(j *Job, node, cpus int32) int64 {
	switch {
	case !c.Params.Memory:
		return 0
	case j.MemNode > 0:
		return j.MemNode
	case j.MemNode < 0:
		return 0
	case j.MemCPU > 0:
		return j.MemCPU * int64(cpus)
	case c.Params.DefMemCPU > 0:
		return c.Params.DefMemCPU * int64(cpus)
	case c.Params.DefMemNode > 0:
		return c.Params.DefMemNode
	}
	return c.Cluster.Nodes[node].Memory
}
