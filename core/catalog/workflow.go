package catalog

// workflowMetrics are measures of jobs that wait for others before they are eligible.
var workflowMetrics = []Metric{
	{Key: "mean-submission-wait", Name: "Mean wait from submission", Unit: "s", Family: "dependencies", Needs: "dependencies", Better: -1, Source: sourceBatchlab,
		Help:    "Seconds from submission to start, averaged: the wait and what passed before the job was eligible.",
		Formula: "mean of StartTime − the log's SubmitTime"},
	{Key: "longest-path", Name: "Longest path", Unit: "s", Family: "dependencies", Needs: "dependencies", Better: -1, Source: sourceBatchlab,
		Help:    "The longest time from the submission of a job to the end of another that had to wait for it, through however many jobs in between: each waited for the one before it longer than for anything else.",
		Formula: "maximum over chains of jobs of last EndTime − first SubmitTime; a job follows of those it waits for the one whose event came last (with ?, first), where that came after its own submission"},
	{Key: "longest-path-run", Name: "Run time on the longest path", Unit: "s", Family: "dependencies", Needs: "dependencies", Better: -1, Source: sourceBatchlab,
		Help:    "Seconds of the longest path during which its jobs ran: less than that no scheduler can make it.",
		Formula: "sum over the jobs of the longest path of RunTime, up to the start only where the next job waits for that"},
	{Key: "longest-path-wait", Name: "Wait on the longest path", Unit: "s", Family: "dependencies", Needs: "dependencies", Better: -1, Source: sourceBatchlab,
		Help:    "Seconds of the longest path during which its jobs were eligible and waited in the queue; the rest are delays, begin times and places in arrays.",
		Formula: "sum over the jobs of the longest path of WaitTime"},
	{Key: "withdrawn", Name: "Withdrawn jobs", Unit: "jobs", Family: "dependencies", Needs: "dependencies", Better: -1, Source: sourceBatchlab,
		Help:    "Jobs that left the queue before they started; they are in no wait.",
		Formula: "count of jobs that left before their start"},
	{Key: "never-eligible", Name: "Never eligible", Unit: "jobs", Family: "dependencies", Needs: "dependencies", Better: -1, Source: sourceBatchlab,
		Help:    "Jobs that waited for what never came, such as the success of a job that failed, and were not served.",
		Formula: "count of jobs that were never eligible"},
}
