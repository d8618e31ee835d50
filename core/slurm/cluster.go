// Package slurm holds the decisions of a Slurm controller: which job starts when and
// where, by the two loops of slurmctld (the main scheduler, which never passes over a
// blocked job, and the backfill scheduler, which plans every job again in each cycle),
// its priorities, partitions, limits, arrays, dependencies, reservations and
// preemption. Plain data in, decisions out: who calls says when a loop runs and what
// the time is, in whole seconds, as Slurm's own clock has them.
//
// It was written by what Slurm's source does (SchedMD/slurm, tag slurm-22-05-8-1;
// differences up to 25.11 where Params.Version asks for them), whose functions are
// named at ours, and by its manual pages. No code is Slurm's.
package slurm

// Cluster is what a controller rules.
type Cluster struct {
	Nodes      []Node
	Partitions []Partition
	QOS        []QOS
	Assocs     []Assoc // root first, parents before their children
	Reserved   []Reservation
	Licences   []Licence
	Switches   []Switch // of topology/tree; nil: nodes stand in one row
	Params     Params
}

// Node is one node.
type Node struct {
	CPUs   int32
	Memory int64 // in any unit that jobs are asked in, too
	GPUs   int32
	Weight int64 // nodes of the least weight are taken first
	// Features are what jobs may ask for by name.
	Features []string
	Down     bool // takes no jobs
}

// Partition is a queue of jobs with the nodes that it may use.
type Partition struct {
	Name        string
	Nodes       []int
	MaxTime     int64 // seconds, 0 none
	DefaultTime int64 // seconds, 0 none
	Tier        int64 // PriorityTier
	JobFactor   int64 // PriorityJobFactor
	MaxNodes    int32 // 0 any
	QOS         int   // its own limits, -1 none
	QOSName     string
	DefMemCPU   int64 // DefMemPerCPU, 0 the cluster's
	Exclusive   bool  // OverSubscribe=EXCLUSIVE: jobs get whole nodes
	Preempt     Mode
	OverTime    int64 // OverTimeLimit in seconds; Unlimited; 0 the cluster's
	// Counted says that its nodes stand for interchangeable processors, one CPU each and
	// nothing else: of what a job asks only the number of CPUs matters.
	Counted bool
	// One says that each job has one node, whatever number it asks for.
	One bool

	set set
}

// Switch is one of the network, with all nodes below it.
type Switch struct {
	Level int // 0: nodes are plugged into it
	Nodes []int
}

// Mode says what becomes of a job that is preempted.
type Mode uint8

const (
	ModeCluster Mode = iota // as the cluster's
	ModeOff
	ModeCancel
	ModeRequeue
	ModeSuspend
)

// Unlimited stands for no end.
const Unlimited = int64(1) << 60

// TRES counts what jobs hold: CPUs, memory, nodes, GPUs.
type TRES struct{ CPU, Mem, Node, GPU int64 }

func (t TRES) plus(o TRES) TRES {
	return TRES{t.CPU + o.CPU, t.Mem + o.Mem, t.Node + o.Node, t.GPU + o.GPU}
}

func (t TRES) minus(o TRES) TRES {
	return TRES{t.CPU - o.CPU, t.Mem - o.Mem, t.Node - o.Node, t.GPU - o.GPU}
}

// NoTRES limits nothing.
var NoTRES = TRES{Unlimited, Unlimited, Unlimited, Unlimited}

func (t TRES) within(limit TRES) bool {
	return t.CPU <= limit.CPU && t.Mem <= limit.Mem && t.Node <= limit.Node && t.GPU <= limit.GPU
}

// tighter returns the limits that hold where both are asked for and the first is set.
func (t TRES) or(o TRES) TRES {
	pick := func(a, b int64) int64 {
		if a < Unlimited {
			return a
		}
		return b
	}
	return TRES{pick(t.CPU, o.CPU), pick(t.Mem, o.Mem), pick(t.Node, o.Node), pick(t.GPU, o.GPU)}
}

// Limits are those of an association or a QOS. Unlimited is none.
type Limits struct {
	MaxJobs, MaxSubmit         int64 // of a user (of an account's QOS: MaxJobsPU)
	MaxJobsPA, MaxSubmitPA     int64
	GrpJobs, GrpSubmit         int64
	MaxWall, GrpWall           int64 // seconds
	MaxTRES, MaxTRESPU, GrpPA  TRES  // of a job, of a user, of an account
	GrpTRES                    TRES
	MaxTRESPerNode             TRES
	GrpRunMins                 TRES // Σ of remaining limits × TRES, in TRES-seconds
	GrpTRESMins                TRES // of usage, in TRES-seconds
	MaxTRESMins                TRES // of a job, in TRES-seconds
	DenyOnLimit, OverPart      bool
	NoReserve, PartTimeLimited bool
}

// NoLimits limits nothing.
func NoLimits() Limits {
	return Limits{MaxJobs: Unlimited, MaxSubmit: Unlimited, MaxJobsPA: Unlimited, MaxSubmitPA: Unlimited, GrpJobs: Unlimited, GrpSubmit: Unlimited,
		MaxWall: Unlimited, GrpWall: Unlimited, MaxTRES: NoTRES, MaxTRESPU: NoTRES, GrpPA: NoTRES, GrpTRES: NoTRES, MaxTRESPerNode: NoTRES, GrpRunMins: NoTRES, GrpTRESMins: NoTRES, MaxTRESMins: NoTRES}
}

// QOS is a quality of service.
type QOS struct {
	Name     string
	Priority int64
	Limits
	Preempts    []int // indices of those whose jobs it may preempt
	Mode        Mode
	UsageFactor float64
	ExemptTime  int64 // PreemptExemptTime, seconds
	GraceTime   int64
}

// Assoc is an association: an account, or a user of one.
type Assoc struct {
	Parent   int // index, -1 of root
	User     int // number of the user, -1 of an account
	Name     string
	Shares   int64
	Priority int64
	Limits
}

// Reservation is an advance reservation.
type Reservation struct {
	Start, End int64
	Nodes      []int
	Users      []int // who may use it

	set set
}

// SelectType is the plugin that chooses nodes.
type SelectType uint8

const (
	ConsTRES SelectType = iota // cores, memory and GPUs
	Linear                     // whole nodes
)
