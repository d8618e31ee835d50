package catalog

import "slices"

const citeKurowski = "K. Kurowski, A. Oleksiak, W. Piątek and J. Węglarz, Hierarchical scheduling strategies for parallel tasks and " +
	"advance reservations in grids, Journal of Scheduling 16, 2013"

// Booking are the rules by which advance reservations are accepted and kept: a
// platform's (platform.booking), or a grid's own.
var Booking = []Param{
	{Key: "delta", Name: "Off-line period", Type: Seconds, Unit: "s", Max: maxSeconds, Default: int64(0),
		Help: "δ: the grid serves its queue at multiples of it from the first submission; 0: at once."},
	{Key: "slot", Name: "Slot", Type: Seconds, Unit: "s", Min: 1, Max: 604_800, Default: int64(1), Help: "Reservations are widened to whole slots of this length."},
	{Key: "mode", Name: "If it can't start in time", Type: Enum, Default: "late", Help: "A reservation that no provider can keep in its interval.", Options: []Option{
		{"late", "start late", "It gets the earliest later time: its deadline is a due date."},
		{"reject", "rejected", "It is refused."},
	}},
	{Key: "binding", Name: "Processors are chosen", Type: Enum, Default: "dynamic", Help: "When reservations get their processors.", Options: []Option{
		{"dynamic", "dynamic binding", "When they begin: counts decide what can be accepted."},
		{"static", "static binding", "When they are accepted: the same processors must be free all the time."},
	}},
	{Key: "end", Name: "Job still running at the end of its reservation", Type: Enum, Default: "kill", Help: "What happens to a job that still runs when its reservation ends.", Options: []Option{
		{"kill", "killed", "It is stopped for good."},
		{"suspend", "suspended", "It goes on as a batch job."},
		{"early", "killed 60 s before", "It is stopped for good 60 s before the end."},
	}},
	{Key: "running", Name: "Batch jobs that would run into it", Type: Enum, Default: "wait", Help: "How batch jobs and reservations give way to each other.", Options: []Option{
		{"wait", "don't start", "A batch job does not start if its limit reaches into a reservation, and running jobs block reservations."},
		{"suspend", "suspended for AR", "Reservations do not look at batch jobs, which are suspended and go on later."},
	}},
	{Key: "unused", Name: "Time left over", Type: Enum, Default: "free", Help: "The rest of a reservation whose job has ended.", Options: []Option{
		{"free", "given back", "Its processors are free at once."},
		{"hold", "rest held", "Its processors stay reserved."},
	}},
}

// whyNotSuspended is why jobs are not suspended where power scales times.
const whyNotSuspended = "what is left of a suspended job is known in seconds of the machine on which it ran, and it may go on on another: let jobs wait, be killed or start again instead"

// bindsNothing is the gap of schedulers that plan with counts of processors.
var bindsNothing = Gap{Features: []string{FeatureBinding},
	Why: "it looks ahead with counts of processors and does not know which of them a reservation will take: bind dynamically"}

// bindsNothingAt is the same of a grid with such a local policy.
func bindsNothingAt(local string) Gap {
	return Gap{Features: bindsNothing.Features, When: []Is{is("local", local)}, Why: bindsNothing.Why}
}

// Parameters that a grid has for its local policies, and the policies by
// themselves.
var (
	turnParam = Param{Key: "several-queues", Name: "Several queues", Type: Enum, Default: "together", Later: true,
		Help: "Whether jobs of several queues (SWF field 15) stand in one line.", Options: []Option{
			{"together", "as one", "All jobs stand in order of submission, whatever their queue."},
			{"turn", "served in turn", "The first job of each queue is tried, then the second of each; the queue after the one that was served last begins (Skrinarova et al. 2013)."},
		}}
	blockedParam = Param{Key: "blocked", Name: "Job that does not fit", Type: Enum, Default: "pass", Help: "What the policies other than FCFS, FCFS-BF, EASY and conservative do at a job that does not fit.", Options: []Option{
		{"pass", "pass over it", "The next job is tried."},
		{"stop", "stop there", "No later job starts before it."},
	}}
	periodParam = Param{Key: "period", Name: "Invocation period", Type: Seconds, Unit: "s", Max: maxSeconds, Default: int64(0),
		Help: "LSF and SJF start jobs only at multiples of it from the first submission; 0: at any time."}
	priorityParam = Param{Key: "priority", Name: "Priority", Type: Enum, Default: "small", Help: "Which queue numbers have priority under PPP and PPPD.", Options: []Option{
		{"small", "small numbers", "As on SDSC-SP2."},
		{"large", "large numbers", "The other way round."},
	}}
	preemptedParam = Param{Key: "preempted", Name: "Stopped jobs", Type: Enum, Default: "suspend", Help: "What PPPD does with running jobs of lower priority.", Options: []Option{
		{"suspend", "suspended by PPPD", "They go on later."},
		{"requeue", "requeued by PPPD", "They are killed and run again from their beginning."},
	}}
)

// lists are the schedulers that start jobs in an order and promise nothing to
// those that do not fit.
var lists = []Scheduler{
	{
		Key: "fcfs-bf", Name: "FCFS-BF (first come, first fit)", Short: "FCFS-BF",
		Help: "Starts jobs in order of submission, passing over what does not fit; nothing is kept for the first.",
		Cite: citeKurowski, Params: []Param{turnParam},
	},
	{
		Key: "lsf", Name: "LSF (largest size first)", Short: "LSF",
		Help: "Starts the jobs with the most processors first; nothing is kept for those that do not fit.",
		Cite: citeKurowski, Params: []Param{blockedParam, periodParam},
	},
	{
		Key: "sjf", Name: "SJF (shortest job first)", Short: "SJF",
		Help: "Starts the jobs with the shortest requested time first; nothing is kept for those that do not fit.",
		Cite: citeKurowski, Params: []Param{blockedParam, periodParam},
	},
	{
		Key: "ppp", Name: "PPP (priority by queue number)", Short: "PPP",
		Help: "Starts jobs by the log's queue number; nothing is kept for those that do not fit.",
		Cite: citeKurowski, Params: []Param{blockedParam, priorityParam},
	},
	{
		Key: "pppd", Name: "PPPD (priority with the dispose procedure)", Short: "PPPD",
		Help: "Starts jobs by the log's queue number; running jobs of lower priority make room for those that do not fit.",
		Cite: citeKurowski, Params: []Param{blockedParam, priorityParam, preemptedParam},
		Gaps: []Gap{{Features: []string{FeatureSpeeds}, When: []Is{is("preempted", "suspend")}, Why: whyNotSuspended}, bindsNothing},
	},
	{
		Key: "fair-share", Name: "Fair share", Short: "Fair share",
		Help: "Starts the jobs of users that have used least so far; nothing is kept for those that do not fit.",
		Cite: citeKurowski, Params: []Param{blockedParam},
	},
}

// gridScheduler is the grid of two levels.
var gridScheduler = Scheduler{
	Key: "grid", Name: "Grid of two levels with advance reservations", Short: "Grid",
	Help:  "A grid scheduler sends jobs and reservations to providers, the clusters of the platform, whose local schedulers start jobs so that no accepted reservation is delayed, unless processors fail.",
	Cite:  citeKurowski,
	Draws: []Draw{{Param: "batch", Value: "random"}, {Param: "reservations", Value: "random"}, {Param: "tie", Value: "random"}},
	Gaps: []Gap{
		{Features: []string{FeatureNodes, FeatureMachines, FeatureGenerated, FeatureLicences, FeatureLimits, FeatureDueStops}, When: []Is{is("no-limit", "never")},
			Why: "a job without a limit would keep nodes and licences for ever that others have been promised: there the log's stand-in is its limit"},
		{Features: []string{FeatureFailures}, When: []Is{is("binding", "static")},
			Why: "static binding names processors in advance, and failures say how many of them are gone, not which: announce the outages, or bind dynamically"},
		bindsNothingAt("conservative"), bindsNothingAt("pppd"), bindsNothingAt("orig-bf"), bindsNothingAt("plan-rs"), bindsNothingAt("hill-climbing"),
		{Features: []string{FeatureSpeeds}, When: []Is{is("end", "suspend")}, Why: whyNotSuspended},
		{Features: []string{FeatureSpeeds}, When: []Is{is("running", "suspend")}, Why: whyNotSuspended},
		{Features: []string{FeatureSpeeds}, When: []Is{is("local", "pppd"), is("preempted", "suspend")}, Why: whyNotSuspended},
	},
	Params: slices.Concat([]Param{
		{Key: "local", Name: "Local policy", Type: Enum, Default: "fcfs-bf", Help: "How each provider takes batch jobs from its queue.", Options: []Option{
			{"fcfs", "FCFS", "In order of submission; the first that does not fit stops all others."},
			{"fcfs-bf", "FCFS-BF", "In order of submission, passing over what does not fit; nothing is kept for the first."},
			{"easy", "EASY", "The first that does not fit is promised a start that later jobs may not delay."},
			{"conservative", "conservative", "Every waiting job has a planned start; a reservation that is accepted takes precedence."},
			{"lsf", "LSF", "Largest size first."},
			{"sjf", "SJF", "Shortest requested time first."},
			{"ppp", "PPP", "By priority: the log's queue number."},
			{"pppd", "PPPD", "By priority; running jobs of lower priority are stopped."},
			{"fair-share", "fair share", "Jobs of users that have used least first."},
			{"orig-bf", "Orig-BF", "Jobs of users that have used least first, with reservations for those that have waited long."},
			{"plan-rs", "Plan-RS", "A plan that is optimised again and again."},
			{"bf-unmod", "BF_UNMOD", "By priorities made of age, deadline, licences and shortness; the head keeps its reservation."},
			{"bf-mod", "BF_MOD", "By these priorities; the reservation belongs to the job that stands first now."},
			{"hill-climbing", "hill climbing", "In an order that is improved by swaps at each submission."},
		}},
		blockedParam,
		periodParam,
		{Key: "batch", Name: "Batch jobs go to", Type: Enum, Default: "load-balance", Help: "The provider of a batch job.", Options: []Option{
			{"load-balance", "shortest queue", "The fewest waiting jobs, then the most free processors, then the first."},
			{"random", "random provider", "Any that is large enough."},
		}},
		{Key: "reservations", Name: "Reservations go to", Type: Enum, Default: "mct", Help: "The provider of a reservation. One that no provider can keep in time gets the earliest completion.", Options: []Option{
			{"mct", "MCT", "The earliest completion."},
			{"priority", "AR resource priority", "The first provider that can keep it in time."},
			{"partition", "static partition", "The earliest completion among the first providers, which take no batch jobs."},
			{"load-balance", "AR to shortest queue", "The shortest queue of batch jobs."},
			{"random", "AR at random", "Any that is large enough."},
		}},
		{Key: "tie", Name: "Equal completions", Type: Enum, Default: "queue", Help: "Which provider MCT takes of several that complete together.", Options: []Option{
			{"queue", "shortest queue", "The one with the shortest queue, then the most free processors, then the first."},
			{"random", "ties at random", "Any of them."},
		}},
		{Key: "partition", Name: "Providers in the partition", Type: Int, Unit: "providers", Max: 64, Default: int64(0), Help: "How many providers, from the first, the static partition keeps for reservations; 0: half."},
		{Key: "turn", Name: "Reservations' turn", Type: Enum, Default: "first", Help: "Where reservations stand in the grid's queue.", Options: []Option{
			{"first", "AR first", "Before all batch jobs."},
			{"fcfs", "AR FCFS", "In order of submission."},
		}},
		{Key: "load", Name: "Length of a queue", Type: Enum, Default: "batch", Later: true, Help: "What counts where the shortest queue is wanted.", Options: []Option{
			{"batch", "batch jobs", "Those that wait."},
			{"reservations", "and reservations", "Also reservations that are accepted and have not begun: each provider has a queue for them (section 4.2)."},
			{"all", "and what runs", "All of these and the jobs that run."},
		}},
	}, Booking, []Param{
		{Key: "no-limit", Name: "Jobs without a limit", Type: Enum, Default: "take", Help: "Batch jobs whose log states no requested time.", Options: []Option{
			{"take", "as cleaned", "What stands for their request is their limit."},
			{"never", "no start without a limit", "They start only while no reservation is known, and none is accepted beside them."},
		}},
		priorityParam,
		preemptedParam,
	}),
}

// LocalKeys are the keys of schedulers that a grid's provider may have: all that
// decide by themselves.
func LocalKeys() []string {
	return slices.DeleteFunc(SchedulerKeys(), func(key string) bool { return key == "grid" || key == "as-logged" })
}

const sourceKurowski = "K. Kurowski et al., Hierarchical scheduling strategies for parallel tasks and advance reservations in grids, 2013, section 4.3"

// gridMetrics are the criteria of the study, where there are reservations or
// several providers.
var gridMetrics = []Metric{
	{Key: "mean-flow", Name: "Mean flow time", Unit: "s", Family: "reservations", Needs: "grid", Better: -1, Source: sourceKurowski + ", equation 2",
		Help:    "Average over batch jobs and reservations of the time from ready to end: batch jobs are ready when submitted, reservations at the beginning of their interval.",
		Formula: "mean over jobs of EndTime − ready time"},
	{Key: "reservation-tardiness", Name: "Mean tardiness of reservations", Unit: "s", Family: "reservations", Needs: "reservations", Better: -1, Source: sourceKurowski + ", equation 3",
		Help:    "How late reservations ended, those in time counted as 0; rejected ones are not counted.",
		Formula: "mean over reservations of max(0, EndTime − end of the interval)"},
	{Key: "provider-utilization", Name: "Mean utilization of providers", Family: "reservations", Needs: "grid", Better: 1, Source: sourceKurowski + ", equation 4",
		Help:    "Average over providers of their utilization, all from the first submission to the last end of the whole grid.",
		Formula: "mean over providers of executed processor-seconds ÷ (processors × makespan)"},
	{Key: "reservation-delay", Name: "Mean delay of reservations", Unit: "s", Family: "reservations", Needs: "reservations", Better: -1, Source: sourceBatchlab,
		Help:    "How long after the beginning of its interval a reservation starts.",
		Formula: "mean over reservations of StartTime − ready time"},
	{Key: "rejected-reservations", Name: "Rejected reservations", Unit: "%", Family: "reservations", Needs: "reservations", Better: -1, Source: sourceBatchlab,
		Help:    "Share of the reservations that no provider accepted.",
		Formula: "100 × rejected reservations ÷ reservations"},
	{Key: "reserved-idle", Name: "Idle before reservations", Unit: "%", Family: "reservations", Needs: "reservations", Better: -1, Source: sourceBatchlab,
		Help:    "Processor time that was idle directly before reservations, where each start takes the processors that have been idle for the shortest time: the least that reservations can be blamed for.",
		Formula: "100 × idle processor-seconds directly before reservations ÷ (processors × makespan)"},
	{Key: "batch-wait", Name: "Mean wait of batch jobs", Unit: "s", Family: "reservations", Needs: "grid", Same: "mean-wait", Better: -1, Source: sourceBatchlab,
		Help:    "Another name of the mean wait, which is of batch jobs alone.",
		Formula: "mean wait, under the key it had before"},
	{Key: "batch-flow", Name: "Mean flow time of batch jobs", Unit: "s", Family: "reservations", Needs: "grid", Same: "mean-turnaround", Better: -1, Source: sourceBatchlab,
		Help:    "Another name of the mean turnaround, which is of batch jobs alone.",
		Formula: "mean turnaround, under the key it had before"},
	{Key: "submitted-flow", Name: "Mean flow time from submission", Unit: "s", Family: "reservations", Needs: "reservations", Better: -1, Source: sourceBatchlab,
		Help:    "Average over batch jobs and reservations of the time from submission to end, the time booked ahead included: what the numbers of tables 5 and 6 of K. Kurowski et al. fit.",
		Formula: "mean over jobs of EndTime − SubmitTime"},
}

// twoLevelGenerator makes jobs with the means of the study's log.
var twoLevelGenerator = Generator{
	Key:  "two-level",
	Name: "Jobs for a grid",
	Help: "Jobs with exponential times between arrivals and run times, sizes that are powers of two, and generous requests; the defaults are the means of SDSC-SP2's jobs 68000 to 69000.",
	Cite: citeKurowski + ", table 4",
	Params: []Param{
		{Key: "jobs", Name: "Jobs", Type: Int, Unit: "jobs", Min: 1, Max: 1_000_000, Default: int64(900), Help: "How many jobs there are."},
		{Key: "interarrival", Name: "Time between arrivals", Type: Number, Unit: "s", Min: 0.01, Max: 100_000, Default: 2507.0, Help: "Mean of the exponential time between two submissions."},
		{Key: "run", Name: "Run time", Type: Number, Unit: "s", Min: 1, Max: 604_800, Default: 8135.0, Help: "Mean of the exponential run time."},
		{Key: "requested", Name: "Requested time", Type: Number, Unit: "s", Min: 1, Max: 604_800, Default: 18995.0, Help: "Mean requested time."},
		{Key: "procs-mean", Name: "Mean processors", Type: Number, Unit: "processors", Min: 1, Max: 1024, Default: 20.0, Help: "Mean processors of a job."},
		{Key: "procs-max", Name: "Most processors", Type: Int, Unit: "processors", Min: 1, Max: 1024, Default: int64(64), Help: "Processors of the widest jobs: those of a provider."},
		{Key: "wide", Name: "Widest jobs", Type: Number, Min: 0, Max: 1, Default: 0.15, Help: "Share of the jobs that want that many; the others are powers of two, as likely as the mean asks."},
	},
}
