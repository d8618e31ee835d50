package slurm

// Params are the settings of slurm.conf that scheduling goes by. Times are seconds.
type Params struct {
	Version         int // 2205, 2311, 2411, 2511
	Select          SelectType
	Memory          bool // memory is a consumable
	Builtin         bool // sched/builtin: no backfill
	Multifactor     bool
	SchedInterval   int64 // -1: the main loop is off
	BatchSchedDelay int64
	QueueDepth      int // default_queue_depth
	PartitionDepth  int // partition_job_depth, 0 no limit
	MaxStart        int // sched_max_job_start, 0 no limit
	Defer           bool

	BFInterval, BFResolution, BFWindow       int64
	BFMaxTest, BFNodeSpace, BFMaxStart       int
	BFMaxPart, BFMaxUser, BFMaxUserPart      int // 0 no limit
	BFMaxAssoc, BFArrayReserve, BFPartCount  int
	BFContinue, BFBusyNodes, BFOneResvPerJob bool
	BFWindowLinear                           int64
	BFMinAge, BFMinPrio                      int64
	BFRunningReserve                         bool
	AssocLimitStop, BFLicences               bool
	CompleteWait                             int64

	KillWait, OverTime, RequeueWait int64
	DefMemCPU, DefMemNode           int64

	WeightAge, WeightAssoc, WeightFair, WeightSize, WeightPartition, WeightQOS int64
	WeightCPU, WeightMem, WeightGPU                                            int64 // of TRES
	MaxAge, HalfLife, CalcPeriod                                               int64
	FavorSmall, SmallByTime, NoFairTree, AccrueAlways, IncrOnly                bool
	RawAssoc, RawPart, RawQOS                                                  bool // NO_NORMAL_*: factors as they are, not by the largest
	Damping                                                                    int64
	UsageReset                                                                 Reset
	BillCPU, BillMem, BillGPU                                                  float64

	PreemptQOS, PreemptPartition bool
	PreemptMode                  Mode
	PreemptReorder               int
	YoungestOrder, EnforceLimits bool
	EnforceAssocs, EnforceQOS    bool
	KillInvalidDepend            bool
	Tree                         bool  // topology/tree
	Epoch                        int64 // when the caller's time 0 is, in Unix seconds: Slurm rounds those
	NoDatabase                   bool  // AccountingStorageType is not slurmdbd: no fair share, and priorities stay as they were at submission
	PreemptExempt                int64
}

// Defaults are the settings of a version where slurm.conf says nothing: 2205 (also
// taken for older ones), 2311, 2411, 2511. By slurm.conf(5) and read_config.h.
func Defaults(version int) Params {
	p := Params{Version: version, SchedInterval: 60, BatchSchedDelay: 3, QueueDepth: 100,
		BFInterval: 30, BFResolution: 60, BFWindow: 1440 * 60, BFMaxTest: 500, BFArrayReserve: 20,
		KillWait: 30, MaxAge: 7 * 86400, HalfLife: 7 * 86400, CalcPeriod: 300, Damping: 1, PreemptReorder: 1,
		RequeueWait: 121, BillCPU: 1, Select: Linear, PreemptMode: ModeOff}
	if version >= 2311 {
		p.Select, p.Multifactor = ConsTRES, true
	}
	return p
}

// Preempts says whether waiting jobs may take the place of running ones.
func (p *Params) Preempts() bool { return p.PreemptQOS || p.PreemptPartition }

// ceilPlans says whether the end of a plan is rounded up to the resolution instead of
// down (_set_slot_time in backfill.c, from 24.11).
func (p *Params) ceilPlans() bool { return p.Version >= 2411 }

// Slots are the slots of a cycle's map that a plan holds which begins at at and lasts for
// length seconds.
func (p *Params) Slots(at, length int64) (from, to int64) {
	res := p.BFResolution
	from, to = p.floor(at), p.floor(at+length)
	if p.ceilPlans() {
		to = p.floor(at + length + res - 1)
	}
	if to <= from {
		to = from + res
	}
	return from, to
}

// floor rounds a time down to bf_resolution.
func (p *Params) floor(at int64) int64 {
	return (at+p.Epoch)/p.BFResolution*p.BFResolution - p.Epoch
}

// Beyond is where the map of a cycle ends.
func (p *Params) Beyond(now int64) int64 { return p.floor(now + p.BFWindow) }

// origin is where the windows begin in which jobs end together: behind the first end, at
// a multiple of 30 seconds.
func (p *Params) origin(end int64) int64 { return end + 30 - (end+p.Epoch)%30 }

// relevantEnd says whether a will-run's start is the end of the last job whose nodes
// are used (_get_last_relevant_job, from 25.11), not of the last that was removed.
func (p *Params) relevantEnd() bool { return p.Version >= 2511 }
