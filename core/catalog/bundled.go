package catalog

// LogFormats are the keys of the formats beside the Standard Workload Format that
// package intake reads.
var LogFormats = []string{"sacct", "sacct-json", "pbs", "lsf", "philly", "alcf", "openb", "csv"}

// LogColumns are the keys of what a column of a table may hold (core/intake).
var LogColumns = [...]string{"job", "submit", "eligible", "start", "end", "wait", "run", "requested", "procs", "asked", "nodes", "gpus", "user", "group", "account", "partition", "queue", "qos", "name", "state"}

// Bundles are all bundled workloads. How each was made stands in
// workloads/README.md and in its header.
var Bundles = []Bundled{
	{Key: "demo", Name: "Demo", Help: "Two quiet weeks: 2,000 jobs on 100 processors at a load of 0.75."},
	{Key: "wide-jobs", Name: "Wide jobs", Help: "1,500 jobs on 64 processors, a fifth of the kinds wanting half of the machine or more: without backfilling it stands idle before them."},
	{Key: "overload", Name: "Overload", Help: "2,500 jobs that bring 1.25 times what 128 processors can do: the queue grows until the last submission."},
}
