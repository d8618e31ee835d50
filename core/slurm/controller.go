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
	round       int   // the cycle that has planned it last
	priced      int64 // when its priority was worked out
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
	// queue, by its depth or the number of starts.
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
// Where there is none, nobody can start, whatever anyone plans.
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

// Submit puts a job into the queue. Its Submit has to be set.
func (c *Controller) Submit(j *Job, now int64) {
	c.now = now
	j.MinNodes, j.PerTask = max(j.MinNodes, 1), max(j.PerTask, 1)
	j.Tasks = max(j.Tasks, j.MinNodes)
	j.left, j.fit = j.Array, c.fitting(j)
	c.serial++
	j.serial = c.serial
	c.lastPrio--
	j.Priority = make([]float64, len(j.Parts))
	for i := range j.Priority {
		j.Priority[i] = c.lastPrio
	}
	if j.eligible = never; j.Begin == 0 && !j.After.some() {
		j.eligible = now
	}
	c.Waiting = append(c.Waiting, j)
	c.jobs[j.ID] = j
	c.book.submit(c, j, 1)
	if c.Params.Multifactor {
		c.setPriority(j, false)
	}
}

// minCPUs is how many CPUs a job needs in all.
func (j *Job) minCPUs() int32 { return j.Tasks * j.PerTask }

// begin starts a job, or the next task of an array, on nodes that were chosen.
func (c *Controller) begin(j *Job, part int, nodes, cpus []int32, backfill bool) *Job {
	run := j
	if j.Array != nil {
		task := *j
		task.Array, task.left, task.Task, task.parent = nil, nil, j.left[0], j
		task.Priority = append([]float64(nil), j.Priority...)
		run = &task
		c.serial++
		j.serial = c.serial
		j.left = j.left[1:]
		j.live++
		j.Started = c.now
	}
	run.Nodes, run.CPUs = append([]int32(nil), nodes...), append([]int32(nil), cpus...)
	run.Part, run.State, run.Started, run.Backfill, run.Plan = part, Running, c.now, backfill, 0
	run.Ends = c.now + c.limit(run, part)
	run.nodeSet = newSet(len(c.Cluster.Nodes))
	run.used = TRES{Node: int64(len(nodes))}
	for k, n := range nodes {
		run.nodeSet.add(int(n))
		run.used = run.used.plus(TRES{CPU: int64(cpus[k]), Mem: c.memory(run, n, cpus[k]), GPU: int64(j.GPUs)})
	}
	run.accrued = c.now
	run.Reason = NoReason
	c.free.take(run, c, 1)
	c.idle -= run.used.CPU
	c.changed()
	c.Active = append(c.Active, run)
	c.cover(run)
	if j.Array == nil || len(j.left) == 0 {
		c.unqueue(j)
	}
	c.book.start(c, run, 1)
	c.lease(run, 1)
	c.countWhole(run, 1)
	c.started = append(c.started, run)
	return run
}

func (c *Controller) unqueue(j *Job) {
	for i, w := range c.Waiting {
		if w == j {
			c.Waiting = append(c.Waiting[:i], c.Waiting[i+1:]...)
			return
		}
	}
}

// End lets a running job end: what it holds is free at once, its nodes once the
// epilog is through (Epilog).
func (c *Controller) End(j *Job, state State, exit int, now int64) {
	c.now = now
	for i, a := range c.Active {
		if a == j {
			c.Active = append(c.Active[:i], c.Active[i+1:]...)
			break
		}
	}
	if c.Params.EnforceLimits { // else what it used since the last time is never booked (_adjust_limit_usage)
		c.accrue(j, now)
	}
	if c.free.take(j, c, -1); c.gang {
		c.layer(&c.free, func(*Job) keeps { return keepsAll })
	}
	c.idle += j.used.CPU
	c.changed()
	j.State, j.Exit, j.Ended, j.completing = state, exit, now, true
	for _, n := range j.Nodes {
		c.closing[n]++
		c.busy.add(int(n))
	}
	c.book.start(c, j, -1)
	c.book.submit(c, j, -1)
	c.lease(j, -1)
	c.countWhole(j, -1)
	c.ending = append(c.ending, j)
	if p := j.parent; p != nil {
		p.live--
		p.done++
		if exit != 0 || state != Completed {
			p.fails++
		}
	}
}

// Epilog gives the nodes of a job that has ended free for others.
func (c *Controller) Epilog(j *Job) {
	if !j.completing {
		return
	}
	j.completing = false
	c.changed()
	for i, e := range c.ending {
		if e == j {
			c.ending = append(c.ending[:i], c.ending[i+1:]...)
			break
		}
	}
	for _, n := range j.Nodes {
		if c.closing[n]--; c.closing[n] == 0 {
			c.busy.drop(int(n))
		}
	}
}

// Requeue puts a job that was preempted back into the queue; it waits RequeueWait.
func (c *Controller) Requeue(j *Job, now int64) *Job {
	again := *j
	again.State, again.Nodes, again.CPUs, again.nodeSet, again.Cores = Pending, nil, nil, nil, nil
	again.Submit, again.waitUntil, again.completing = now, now+c.Params.RequeueWait, false
	again.eligible = never
	again.Begin = again.waitUntil
	c.now = now
	c.changed()
	c.Waiting = append(c.Waiting, &again)
	c.jobs[again.ID] = &again
	c.book.submit(c, &again, 1)
	return &again
}

// Cancel takes a job out of the queue. Errors are none: who runs is the caller's.
func (c *Controller) Cancel(j *Job, now int64) {
	if j.State != Pending {
		return
	}
	j.State, j.Ended = Cancelled, now
	j.failed = true
	c.changed()
	c.unqueue(j)
	c.book.submit(c, j, -1)
}

// Overdue are the running jobs whose limit is over when limits are checked
// (job_time_limit in job_mgr.c), in order of their start.
func (c *Controller) Overdue(now int64) (late []*Job) {
	for _, j := range c.Active {
		over := c.Params.OverTime
		if p := &c.Partitions[j.Part]; p.OverTime != 0 {
			over = p.OverTime
		}
		if !j.Suspended && over < Unlimited && j.Ends+over <= now {
			late = append(late, j)
		}
	}
	return late
}

// limit is for how long a job holds what it gets (backfill.c, step 2 of its walk).
func (c *Controller) limit(j *Job, part int) int64 {
	p := &c.Partitions[part]
	switch {
	case j.Limit > 0 && p.MaxTime > 0:
		return min(j.Limit, p.MaxTime)
	case j.Limit > 0:
		return j.Limit
	case p.DefaultTime > 0:
		return p.DefaultTime
	case p.MaxTime > 0:
		return p.MaxTime
	}
	return 365 * 86400
}
