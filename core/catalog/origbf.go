package catalog

const citeKlusacek = "D. Klusáček and V. Chlumský, Planning and Metaheuristic Optimization in Production Job Scheduler, " +
	"JSSPP 2016"

// origBF is the scheduler to which that study compares its own.
var origBF = Scheduler{
	Key: "orig-bf", Name: "Orig-BF (fair share, all jobs reserved)", Short: "Orig-BF",
	Gaps: []Gap{bindsNothing},
	Help: "Backfilling in the order of users' recent consumption, least first; every waiting job has a reservation, and all reservations are rebuilt at every event.",
	Cite: citeKlusacek + ", section 2",
	Params: []Param{
		{Key: "reserve-after", Name: "Reservation threshold", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Default: int64(0),
			Help: "A job gets a reservation when it has waited this long; before, it only starts where it delays none."},
		{Key: "halve", Name: "Halving period", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Default: int64(72 * 3600),
			Help: "What users have consumed is halved at every multiple of this time since the first submission. 0: never."},
		{Key: "queues", Name: "Queues first", Type: Enum, Default: "off",
			Options: []Option{
				{Key: "off", Name: "by user alone", Help: "Jobs stand in the order of what their users have consumed."},
				{Key: "shortest", Name: "shortest queue first", Help: "Jobs of shorter queues go first (1 h, 2 h, 1 d, 2 d, 4 d, 1 w, 2 w, 2 months of requested time), then by user."},
			},
			Help: "Whether the queues by requested time come before the fair share."},
		{Key: depthParam.Key, Name: depthParam.Name, Type: Int, Unit: depthParam.Unit, Min: 1, Max: depthParam.Max, Optional: true, Later: true,
			Help: "How many waiting jobs, in the order of a pass, get a reservation; others only start where they delay none. Not set: all."},
		plansBy,
	},
}

// hillClimbing is the scheduler of skrinarova2013.
var hillClimbing = Scheduler{
	Key: "hill-climbing", Name: "Hill climbing (schedule-based)", Short: "Hill climbing",
	Gaps:  []Gap{bindsNothing},
	Help:  "Maps all waiting jobs to nodes in an order, and improves the order by the best swap of two jobs until no swap makes the last end earlier; a job starts when those before it on its processors have ended.",
	Cite:  citeSkrinarova,
	Draws: []Draw{{}},
	Params: []Param{
		{Key: "schedule", Name: "Schedule", Type: Enum, Default: "remake",
			Options: []Option{
				{Key: "remake", Name: "rebuilt", Help: "At each submission the schedule is made from nothing."},
				{Key: "extend", Name: "kept and extended", Help: "The order of the schedule is kept; what was submitted goes to its end, and then it is improved."},
			},
			Help: "What happens to the schedule at a submission."},
		{Key: "initial", Name: "Initial order", Type: Enum, Default: "fifo",
			Options: []Option{
				{Key: "fifo", Name: "first come, first served", Help: "The climb begins with the order of submission."},
				{Key: "random", Name: "random", Help: "The climb begins with a random order."},
			},
			Help: "Where a rebuilt schedule begins."},
		{Key: "restarts", Name: "Restarts", Type: Int, Unit: "climbs", Min: 0, Max: 10000, Default: int64(0),
			Help: "Further climbs from random orders; the best schedule of all is taken."},
		{Key: "objective", Name: "Objective", Type: Enum, Default: "makespan",
			Options: []Option{
				{Key: "makespan", Name: "makespan", Help: "The last end, as in the study."},
				{Key: "tardiness", Name: "tardiness", Help: "The sum of weight × seconds after the deadline, then the makespan."},
			},
			Help: "What the climb lessens."},
		{Key: "outage", Name: "After an outage", Type: Enum, Default: "remake", Later: true,
			Options: []Option{
				{Key: "remake", Name: "schedule rebuilt", Help: "As soon as jobs wait again."},
				{Key: "keep", Name: "old schedule kept", Help: "Until the next submission, as the study says of its program: jobs that were stopped wait for it. Where nothing runs any more it is rebuilt all the same."},
			},
			Help: "What happens to the schedule when a failure stops jobs."},
		{Key: "evaluations", Name: "Evaluations", Type: Int, Unit: "orders", Min: 0, Max: 100000000, Default: int64(1000),
			Help: "Most orders that one climb evaluates, n(n − 1) ÷ 2 a step with n waiting jobs. 0: no bound, as in the study."},
		plansBy,
	},
}

const citeSkrinarova = "J. Skrinarova, M. Krnac and P. Martincova, Implementation of Scheduling Algorithm in High-Performance Computer Cluster, 2013"

// nodeJobs makes the suites of that study.
var nodeJobs = Generator{
	Key:  "node-jobs",
	Name: "Jobs for nodes",
	Help: "Jobs of uniform lengths that ask for one or more nodes with a number of processors on each, all present at the start or submitted at random intervals. On a platform of nodes they run on as many nodes.",
	Cite: citeSkrinarova,
	Params: []Param{
		{Key: "jobs", Name: "Jobs", Type: Int, Unit: "jobs", Min: 1, Max: 100_000, Default: int64(60),
			Help: "How many jobs there are; the study's series have 10 to 60."},
		{Key: "interarrival", Name: "Time between arrivals", Type: Number, Unit: "s", Min: 0, Max: 100_000, Default: 0.0,
			Help: "Mean of the exponential time between two submissions. 0: all jobs are there at the start."},
		{Key: "run-min", Name: "Shortest run", Type: Seconds, Unit: "s", Min: 1, Max: 604_800, Default: int64(60),
			Help: "Least run time; drawn uniformly."},
		{Key: "run-max", Name: "Longest run", Type: Seconds, Unit: "s", Min: 1, Max: 604_800, Default: int64(1200),
			Help: "Greatest run time."},
		{Key: "nodes-max", Name: "Most nodes", Type: Int, Unit: "machines", Min: 1, Max: 1000, Default: int64(4),
			Help: "Greatest number of nodes of a job; drawn uniformly from 1."},
		{Key: "ppn-max", Name: "Most processors a node", Type: Int, Unit: "processors", Min: 1, Max: 1000, Default: int64(1),
			Help: "Greatest number of processors on each node; drawn uniformly from 1."},
		{Key: "overestimate", Name: "Overestimation", Type: Number, Min: 1, Max: 20, Default: 1.0,
			Help: "Requested time ÷ run time, set-up left out."},
		{Key: "setup", Name: "Set-up time", Type: Seconds, Unit: "s", Min: 0, Max: 86400, Default: int64(0),
			Help: "Seconds added to run and requested time, to load libraries and move data."},
	},
}
