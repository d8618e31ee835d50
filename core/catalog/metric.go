package catalog

import (
	"slices"
	"strings"
)

const (
	sourceFeitelson    = "D. G. Feitelson, L. Rudolph, U. Schwiegelshohn, K. C. Sevcik and P. Wong, Theory and Practice in Parallel Job Scheduling, JSSPP 1997"
	sourceRudolph      = "D. G. Feitelson and L. Rudolph, Metrics and Benchmarking for Parallel Job Scheduling, JSSPP 1998"
	sourceZotkin       = "D. Zotkin and P. J. Keleher, Job-Length Estimation and Performance in Backfilling Schedulers, HPDC 1999"
	sourceTechiouba    = "A. D. Techiouba et al., Backfilling Strategies for Scheduling Streams of Jobs on Computational Farms, 2008"
	sourceSatisfaction = "D. Klusáček and V. Chlumský, Planning and Metaheuristic Optimization in Production Job Scheduler, 2016, section 4.3"
	sourceTardiness    = "T. Cheng and D. Gupta, Survey of Scheduling Research Involving Due Date Determination Decisions, European Journal of Operational Research 38, 1989"
	sourceSkrinarova   = "J. Skrinarova, M. Krnac and P. Martincova, Implementation of Scheduling Algorithm in High-Performance Computer Cluster, 2013"
	sourceBatchlab     = "Batchlab: count"
)

// Families are the groups of Metrics, in their order.
var Families = []Family{
	{Key: "wait", Name: "Wait", Help: "Seconds from submission to start: WaitTime = StartTime − SubmitTime. Where dependencies are kept, submission means here and below when a job became eligible. Where there are advance reservations, waits, turnarounds and slowdowns are of batch jobs alone: a reservation does not wait, it has its place."},
	{Key: "turnaround", Name: "Turnaround", Help: "Seconds from submission to end (also: response or flow time): TurnaroundTime = EndTime − SubmitTime = WaitTime + RunTime."},
	{Key: "slowdown", Name: "Slowdown", Help: "Turnaround measured by the run time: (WaitTime + RunTime) ÷ RunTime."},
	{Key: "bounded-slowdown", Name: "Bounded slowdown", Help: "Slowdown in which runs shorter than τ count as τ: max(1, (WaitTime + RunTime) ÷ max(RunTime, τ))."},
	{Key: "per-proc-bounded-slowdown", Name: "Per-processor bounded slowdown", Help: "Bounded slowdown divided by the job's width, so that an equal amount of work counts the same: max(1, (WaitTime + RunTime) ÷ (processors × max(RunTime, τ)))."},
	{Key: "machine", Name: "Machine", Help: "How the machine as a whole was used, from the first submission to the last end."},
	{Key: "deadlines", Name: "Deadlines", Help: "How well jobs met their deadlines; only where jobs have some."},
	{Key: "licences", Name: "Licences", Help: "How licences were used; only on platforms that have some."},
	{Key: "satisfaction", Name: "Satisfaction", Help: "How often and how much jobs waited longer than their users find acceptable: (ln(processors) + 1) × requested time ÷ factor, summed over the user's jobs in the system; only where jobs have users."},
	{Key: "reservations", Name: "Grids and reservations", Help: "How advance reservations are kept, and what they take; only where there are several providers or reservations. What they cost everyone else shows in the waits, which are of batch jobs alone."},
	{Key: "fairness", Name: "Fairness", Help: "How evenly users wait for what they consume; only where jobs have users."},
	{Key: "dependencies", Name: "Dependencies", Help: "What jobs waited for before they were eligible, and which were never served; only where dependencies or withdrawals are kept."},
	{Key: "jobs", Name: "Jobs", Help: "How many jobs were measured and how they ended."},
}

// Metrics are all measures of a schedule, in the order of a report's values.
// Percentiles are nearest-rank: pP is the smallest value that at least P % of
// the jobs do not exceed. The median is the middle value, or the mean of the
// middle two. The standard deviation is that of the population.
var Metrics = slices.Concat(
	distribution("wait", "wait", "s", "WaitTime", sourceFeitelson, "mean-wait"),
	distribution("turnaround", "turnaround", "s", "TurnaroundTime", sourceFeitelson, ""),
	distribution("slowdown", "slowdown", "", "(WaitTime + RunTime) ÷ RunTime", sourceFeitelson, ""),
	distribution("bounded-slowdown", "bounded slowdown", "", "max(1, (WaitTime + RunTime) ÷ max(RunTime, τ))", sourceRudolph, "mean-bounded-slowdown"),
	distribution("per-proc-bounded-slowdown", "per-processor bounded slowdown", "", "max(1, (WaitTime + RunTime) ÷ (processors × max(RunTime, τ)))", sourceZotkin, ""),
	[]Metric{
		{Key: "makespan", Name: "Makespan", Unit: "s", Family: "machine", Better: -1, Source: sourceFeitelson,
			Help:    "Seconds from the first submission to the last end.",
			Formula: "last EndTime − first SubmitTime"},
		{Key: "utilization", Name: "Utilization", Family: "machine", Better: 1, Headline: true, Source: sourceFeitelson,
			Help:    "Share of the machine's processor-seconds that executed jobs, from the first submission to the last end.",
			Formula: "executed processor-seconds ÷ (processors of the machine × makespan)"},
		{Key: "throughput", Name: "Throughput", Unit: "jobs/h", Family: "machine", Better: 1, Source: sourceFeitelson,
			Help:    "Jobs ended per hour of the makespan.",
			Formula: "jobs × 3600 ÷ makespan"},
		{Key: "mean-queue-length", Name: "Mean queue length", Unit: "jobs", Family: "machine", Better: -1, Source: sourceFeitelson,
			Help:    "Waiting batch jobs, averaged over time from the first submission to the last end.",
			Formula: "seconds waited by all batch jobs ÷ makespan"},
		{Key: "max-queue-length", Name: "Longest queue", Unit: "jobs", Family: "machine", Better: -1, Source: sourceBatchlab,
			Help:    "The most batch jobs that waited at one time.",
			Formula: "maximum over time of the number of waiting jobs"},
		{Key: "jobs", Name: "Jobs", Unit: "jobs", Family: "jobs", Source: sourceBatchlab,
			Help:    "Jobs that were measured: submitted in the measuring window and not rejected.",
			Formula: "count of measured jobs"},
		{Key: "rejected", Name: "Rejected jobs", Unit: "jobs", Family: "jobs", Better: -1, Source: sourceBatchlab,
			Help:    "Jobs submitted in the measuring window that never started; no other measure counts them.",
			Formula: "count of rejected jobs"},
		{Key: "killed", Name: "Killed jobs", Unit: "jobs", Family: "jobs", Source: sourceBatchlab,
			Help:    "Measured jobs that were stopped at their requested time.",
			Formula: "count of measured jobs stopped at their requested time"},
		{Key: "area", Name: "Executed work", Unit: "processor-seconds", Family: "jobs", Source: sourceFeitelson,
			Help:    "Processor-seconds that the measured jobs executed.",
			Formula: "sum over measured jobs of processors × RunTime"},
		{Key: "system-usage", Name: "System usage", Family: "machine", Needs: "machines", Better: 1, Source: sourceTechiouba,
			Help:    "Busy processors as a share of what could be busy, averaged over the time in which there were jobs; only on platforms of machines. It may exceed 1, since a job counts once in the divisor however many processors it uses.",
			Formula: "mean over time of busy processors ÷ min(processors of the platform, waiting and running jobs)"},
		{Key: "out-of-deadline", Name: "Jobs out of deadline", Unit: "%", Family: "deadlines", Needs: "deadlines", Better: -1, Source: sourceTechiouba,
			Help:    "Share of the jobs with a deadline that ended after it; jobs that were rejected, or stopped at it, count as late.",
			Formula: "100 × late jobs ÷ measured jobs with a deadline"},
		{Key: "mean-tardiness", Name: "Mean tardiness", Unit: "s", Family: "deadlines", Needs: "deadlines", Better: -1, Source: sourceTardiness,
			Help:    "How late jobs with a deadline ended, those in time counted as 0.",
			Formula: "mean over jobs with a deadline of max(0, EndTime − deadline)"},
		{Key: "max-tardiness", Name: "Maximum tardiness", Unit: "s", Family: "deadlines", Needs: "deadlines", Better: -1, Source: sourceTardiness,
			Help:    "The greatest tardiness of a job with a deadline.",
			Formula: "maximum over jobs with a deadline of max(0, EndTime − deadline)"},
		{Key: "weighted-tardiness", Name: "Weighted tardiness", Unit: "s", Family: "deadlines", Needs: "deadlines", Better: -1, Source: sourceSkrinarova,
			Help:    "Mean tardiness in which jobs count by their weight; without weights it is the mean tardiness.",
			Formula: "sum over jobs with a deadline of weight × max(0, EndTime − deadline) ÷ sum of their weights"},
		{Key: "mean-lateness", Name: "Mean lateness", Unit: "s", Family: "deadlines", Needs: "deadlines", Better: -1, Source: sourceSkrinarova,
			Help:    "How long after their deadline jobs ended; those that ended before it count with a negative sign.",
			Formula: "mean over jobs with a deadline of EndTime − deadline"},
		{Key: "max-lateness", Name: "Maximum lateness", Unit: "s", Family: "deadlines", Needs: "deadlines", Better: -1, Source: sourceSkrinarova,
			Help:    "The greatest lateness of a job with a deadline; negative when all ended before theirs.",
			Formula: "maximum over jobs with a deadline of EndTime − deadline"},
		{Key: "stopped-at-deadline", Name: "Stopped at the deadline", Unit: "jobs", Family: "deadlines", Needs: "deadlines", Better: -1, Source: sourceSkrinarova,
			Help:    "Jobs that still ran at their deadline and were stopped then, where deadlines are the time at which jobs are stopped.",
			Formula: "count of measured jobs that were stopped at their deadline"},
		{Key: "licence-usage", Name: "Licence usage", Unit: "%", Family: "licences", Needs: "licences", Better: 1, Source: sourceTechiouba,
			Help:    "Copies of floating licences in use, averaged over time from the first submission to the last end.",
			Formula: "100 × seconds that copies were in use ÷ (copies of all floating licences × makespan)"},
		{Key: "complaints", Name: "Complaints", Unit: "jobs", Family: "satisfaction", Needs: "users", Better: -1, Source: sourceSatisfaction,
			Help:    "Jobs that waited longer than their user finds acceptable for what the user had in the system: events of dissatisfaction.",
			Formula: "count of jobs with WaitTime > acceptable wait"},
		{Key: "complaint-share", Name: "Share of complaints", Unit: "%", Family: "satisfaction", Needs: "users", Better: -1, Source: sourceSatisfaction,
			Help:    "Share of the measured jobs with a user that waited longer than acceptable.",
			Formula: "100 × complaints ÷ measured jobs with a user"},
		{Key: "complaining-users", Name: "Complaining users", Unit: "users", Family: "satisfaction", Needs: "users", Better: -1, Source: sourceSatisfaction,
			Help:    "Users with at least one complaint.",
			Formula: "count of users with a job whose WaitTime > acceptable wait"},
		{Key: "mean-complaint", Name: "Mean seriousness", Family: "satisfaction", Needs: "users", Better: -1, Source: sourceSatisfaction,
			Help:    "How many times the acceptable wait the jobs with a complaint waited, on average; 0 without complaints.",
			Formula: "mean over complaints of WaitTime ÷ acceptable wait"},
		{Key: "max-complaint", Name: "Greatest seriousness", Family: "satisfaction", Needs: "users", Better: -1, Source: sourceSatisfaction,
			Help:    "The greatest quotient of wait and acceptable wait of a job with a complaint; 0 without complaints.",
			Formula: "maximum over complaints of WaitTime ÷ acceptable wait"},
	},
	gridMetrics,
	planMetrics,
	workflowMetrics,
)

// distribution returns the seven measures of a quantity that each job has.
// The one with the key headline is shown on the overview.
func distribution(family, name, unit, formula, source, headline string) []Metric {
	statistics := []struct{ key, name, help, formula string }{
		{"mean", "Mean " + name, "Average over jobs of the " + name + ".", "mean over jobs of %"},
		{"median", "Median " + name, "Half of the jobs have a " + name + " of at most this.", "median over jobs of %"},
		{"p90", "90th percentile of " + name, "At least 90 % of the jobs have a " + name + " of at most this.", "90th percentile (nearest rank) over jobs of %"},
		{"p95", "95th percentile of " + name, "At least 95 % of the jobs have a " + name + " of at most this.", "95th percentile (nearest rank) over jobs of %"},
		{"p99", "99th percentile of " + name, "At least 99 % of the jobs have a " + name + " of at most this.", "99th percentile (nearest rank) over jobs of %"},
		{"std", "Standard deviation of " + name, "How far the " + name + " spreads around its mean over jobs.", "population standard deviation over jobs of %"},
		{"max", "Maximum " + name, "The greatest " + name + " of a job.", "maximum over jobs of %"},
	}
	rows := make([]Metric, 0, len(statistics))
	for _, s := range statistics {
		key := s.key + "-" + family
		rows = append(rows, Metric{
			Key: key, Name: s.name, Unit: unit, Family: family, Help: s.help,
			Formula: strings.Replace(s.formula, "%", formula, 1),
			Source:  source, Better: -1, Headline: key == headline,
		})
	}
	return rows
}
