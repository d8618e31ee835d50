package catalog

const sourceKlusacek = "D. Klusáček and V. Chlumský, Planning and Metaheuristic Optimization in Production Job Scheduler, JSSPP 2016"

// planMetrics are measures of fairness and of failures.
var planMetrics = []Metric{
	{Key: "mean-nuwt", Name: "Mean NUWT", Family: "fairness", Needs: "users", Better: -1, Source: sourceKlusacek,
		Help:    "Normalised user wait time, averaged over users: seconds that a user waited for each processor-second consumed.",
		Formula: "mean over users of total WaitTime ÷ max(1, consumed processor-seconds, by processors or memory, whichever share is larger)"},
	{Key: "std-nuwt", Name: "Standard deviation of NUWT", Family: "fairness", Needs: "users", Better: -1, Source: sourceKlusacek,
		Help:    "How much the users' normalised wait times differ.",
		Formula: "population standard deviation over users of total WaitTime ÷ max(1, consumed processor-seconds, by processors or memory, whichever share is larger)"},
	{Key: "waits-over-day", Name: "Waits over a day", Unit: "jobs", Family: "wait", Better: -1, Source: sourceBatchlab,
		Help:    "Jobs that waited longer than a day: what a mean hides.",
		Formula: "count of jobs with WaitTime > 86,400 s"},
	{Key: "stopped", Name: "Stopped executions", Unit: "executions", Family: "jobs", Needs: "failures", Better: -1, Source: sourceBatchlab,
		Help:    "Executions that a failure or the scheduler ended before the job was done; the jobs ran again.",
		Formula: "count of executions of measured jobs that are not their last"},
	{Key: "lost-work", Name: "Lost work", Unit: "processor-seconds", Family: "jobs", Needs: "failures", Better: -1, Source: sourceBatchlab,
		Help:    "Processor-seconds of executions whose work had to be done again.",
		Formula: "sum over stopped executions whose job started again of processors × (EndTime − StartTime)"},
}
