package catalog

import (
	"strconv"
	"strings"
)

// slurmScheduler is what a Slurm controller decides. Its parameters bear the names that
// they have in slurm.conf; where one is not set, the default of the version holds.
var slurmScheduler = Scheduler{
	Key: "slurm", Name: "Slurm (slurmctld)", Short: "Slurm",
	Help:  "The decisions of a Slurm controller: a main loop that never passes over a blocked job, and a backfill loop that plans every job again in each cycle. The phase of its loops is drawn in each repetition.",
	Cite:  "SchedMD, Slurm Workload Manager: slurm.conf(5), and the source at tag slurm-22-05-8-1 and later ones (github.com/SchedMD/slurm)",
	Tiers: true,
	Draws: []Draw{{Param: "phase", Unset: true, Phases: true}},
	Gaps: []Gap{
		{Features: []string{FeatureSpeeds}, When: []Is{is("PreemptMode", "suspend"), is("PreemptType", "preempt/qos")}, Why: whyNotSuspended},
		{Features: []string{FeatureSpeeds}, When: []Is{is("PreemptMode", "suspend"), is("PreemptType", "preempt/partition_prio")}, Why: whyNotSuspended},
	},
	Params: []Param{
		{Key: "version", Name: "Version", Type: Enum, Default: "22.05", Help: "Which Slurm: roundings and defaults differ.",
			Options: []Option{
				{Key: "22.05", Name: "22.05", Help: "The version that recorded runs were held against; priorities by submission."},
				{Key: "23.11", Name: "23.11", Help: "Multifactor priority by default."},
				{Key: "24.11", Name: "24.11", Help: "Ends of plans are rounded up to bf_resolution instead of down."},
				{Key: "25.11", Name: "25.11", Help: "Plans begin with the end of the last job whose nodes they use."},
			}},
		{Key: "phase", Name: "Phase", Type: Seconds, Unit: "s", Max: maxSeconds, Optional: true, Word: "random", Try: []int64{0, 5, 10, 15, 20, 25},
			Help: "How long before the first instant the loops ran last. Not set, or random: drawn for each repetition, which gives a band."},
		{Key: "SchedulerType", Name: "SchedulerType", Type: Enum, Default: "sched/backfill", Later: true, Help: "Whether there is a backfill loop.",
			Options: []Option{
				{Key: "sched/backfill", Name: "backfill", Help: "Main loop and backfill loop."},
				{Key: "sched/builtin", Name: "builtin", Help: "The main loop alone."},
			}},
		{Key: "SelectType", Name: "SelectType", Type: Enum, Default: "select/cons_tres", Later: true, Help: "What jobs get of nodes. Before 23.11 Slurm's own default was select/linear.",
			Options: []Option{
				{Key: "select/cons_tres", Name: "cons_tres", Help: "Processors, memory and GPUs of nodes."},
				{Key: "select/linear", Name: "linear", Help: "Whole nodes."},
			}},
		{Key: "PriorityType", Name: "PriorityType", Type: Enum, Default: "default", Later: true, Help: "What priorities are made of.",
			Options: []Option{
				{Key: "default", Name: "as the version", Help: "priority/basic before 23.11, priority/multifactor from then on."},
				{Key: "priority/basic", Name: "basic", Help: "First come, first served."},
				{Key: "priority/multifactor", Name: "multifactor", Help: "Age, size, partition, QOS and fair share, each by its weight."},
			}},
		slurmInt("sched_interval", "s", -1, 86400, "Seconds between passes of the main loop over the whole queue; -1: no main loop. Not set: 60."),
		slurmInt("batch_sched_delay", "s", 0, 86400, "Least time from a pass to the next one that a submission or an end asks for. Not set: 3."),
		slurmInt("sched_min_interval", "µs", 0, 1e12, "Least time between any two passes, in microseconds. Not set: 2."),
		slurmInt("default_queue_depth", "jobs", 0, 1e9, "How many jobs a pass tests that a submission or an end asked for. Not set: 100."),
		slurmInt("partition_job_depth", "jobs", 0, 1e9, "The same in each partition; 0: any. Not set: 0."),
		slurmInt("sched_max_job_start", "jobs", 0, 1e9, "How many jobs a pass starts at most; 0: any. Not set: 0."),
		slurmBool("defer", "No pass comes at once with a job's end."),
		slurmInt("bf_interval", "s", -1, 86400, "Seconds between cycles of the backfill loop; -1: none. Not set: 30."),
		slurmInt("bf_resolution", "s", 1, 86400, "Plans begin and end at multiples of it. Not set: 60."),
		slurmInt("bf_window", "min", 1, 1e7, "How far ahead is planned, in minutes. Not set: 1440."),
		slurmInt("bf_max_job_test", "jobs", 1, 1e6, "How many jobs a cycle tests. Not set: 500."),
		slurmInt("bf_max_job_start", "jobs", 0, 1e6, "How many jobs a cycle starts at most; 0: any. Not set: 0."),
		slurmInt("bf_max_job_part", "jobs", 0, 1e6, "How many jobs of a partition a cycle tests; 0: any. Not set: 0."),
		slurmInt("bf_max_job_user", "jobs", 0, 1e6, "The same of a user. Not set: 0."),
		slurmInt("bf_max_job_user_part", "jobs", 0, 1e6, "The same of a user in a partition. Not set: 0."),
		slurmInt("bf_max_job_assoc", "jobs", 0, 1e6, "The same of a user of an account. Not set: 0."),
		slurmInt("bf_min_age_reserve", "s", 0, maxSeconds, "Jobs that have waited less get no plan and block no other job. Not set: 0."),
		slurmInt("bf_min_prio_reserve", "", 0, 1<<32-1, "Jobs of a lower priority get no plan and block no other job. Not set: 0."),
		slurmBool("bf_one_resv_per_job", "A job gets a plan in one of its partitions only."),
		slurmInt("bf_window_linear", "s", 1, maxSeconds, "By how much the window grows in which running jobs are thought to end together. Not set: it doubles."),
		slurmInt("bf_node_space_size", "slots", 2, 1e6, "How many stretches of time the plan of a cycle has. Not set: as bf_max_job_test."),
		slurmInt("PriorityWeightAge", "", 0, 1<<32-1, "Weight of the time waited. Not set: 0."),
		slurmInt("PriorityWeightJobSize", "", 0, 1<<32-1, "Weight of nodes and processors asked for. Not set: 0."),
		slurmInt("PriorityWeightPartition", "", 0, 1<<32-1, "Weight of the partition's priority. Not set: 0."),
		slurmInt("PriorityWeightQOS", "", 0, 1<<32-1, "Weight of the priority of the quality of service. Not set: 0."),
		slurmInt("PriorityWeightFairshare", "", 0, 1<<32-1, "Weight of the fair share of user and account. Not set: 0."),
		slurmSpan("PriorityMaxAge", "When the time waited has its full weight. Not set: 7 days."),
		slurmSpan("PriorityDecayHalfLife", "In which time what was used counts half. 0: it never counts less. Not set: 7 days."),
		slurmSpan("PriorityCalcPeriod", "How often priorities are recomputed. Not set: 5 minutes."),
		slurmBool("PriorityFavorSmall", "Small jobs rank before large ones, by PriorityWeightJobSize."),
		slurmBool("SMALL_RELATIVE_TO_TIME", "A job's size is divided by its limit (a flag of PriorityFlags)."),
		slurmBool("NO_FAIR_TREE", "The older fair share, without the tree (a flag of PriorityFlags)."),
		slurmBool("ACCRUE_ALWAYS", "Age counts from submission, not from eligibility (a flag of PriorityFlags)."),
		{Key: "PreemptType", Name: "PreemptType", Type: Enum, Default: "preempt/none", Later: true, Help: "Who may take the place of running jobs.",
			Options: []Option{
				{Key: "preempt/none", Name: "none", Help: "Nobody."},
				{Key: "preempt/qos", Name: "qos", Help: "Jobs of a QOS, of those that the platform says it preempts."},
				{Key: "preempt/partition_prio", Name: "partition_prio", Help: "Jobs of a partition of a higher tier, of those of a lower one on its nodes."},
			}},
		{Key: "PreemptMode", Name: "PreemptMode", Type: Enum, Default: "off", Later: true, Help: "What becomes of them, unless their QOS or partition says it.",
			Options: []Option{
				{Key: "off", Name: "off", Help: "They are not stopped."},
				{Key: "cancel", Name: "cancel", Help: "They are stopped for good."},
				{Key: "requeue", Name: "requeue", Help: "They wait 121 s and start from their beginning."},
				{Key: "suspend", Name: "suspend", Help: "They stand still, keep their memory, and go on in their places (SUSPEND,GANG)."},
			}},
		slurmSpan("PreemptExemptTime", "How long jobs run before they may be preempted. Not set: 0."),
		slurmInt("preempt_reorder_count", "", 1, 1000, "How often the jobs to be preempted are sorted again. Not set: 1."),
		slurmBool("preempt_youngest_first", "Those that started last are preempted first."),
		slurmInt("FairShareDampeningFactor", "", 1, 65533, "How little the older fair share reacts to use. Not set: 1."),
	},
}

// slurmInt is a whole number of slurm.conf in its own unit; not set: as the version has it.
func slurmInt(key, unit string, least, most float64, help string) Param {
	return Param{Key: key, Name: key, Type: Int, Unit: unit, Min: least, Max: most, Optional: true, Later: true, Help: help, Try: around(help)}
}

func slurmSpan(key, help string) Param {
	return Param{Key: key, Name: key, Type: Seconds, Unit: "s", Max: maxSeconds, Optional: true, Later: true, Help: help, Try: around(help)}
}

// around are values to try around the one that holds where a parameter is not set, which
// its help says.
func around(help string) []int64 {
	_, text, _ := strings.Cut(help, "Not set: ")
	text, unit, _ := strings.Cut(strings.TrimSuffix(text, "."), " ")
	n, _ := strconv.ParseInt(text, 10, 64)
	switch unit {
	case "days":
		n *= 86400
	case "minutes":
		n *= 60
	}
	if n == 0 { // off, or nobody says
		return []int64{0, 10, 100, 1000, 10_000}
	}
	return []int64{n / 10, n / 2, n, 2 * n, 10 * n}
}

func slurmBool(key, help string) Param {
	return Param{Key: key, Name: key, Type: Bool, Default: false, Later: true, Help: help}
}
