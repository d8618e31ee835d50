package catalog

// ReactParams say how users are found in a log and how they react to what
// becomes of their jobs (workload.react of a document).
var ReactParams = []Param{
	{
		Key: "batches", Name: "Batches", Type: Enum, Default: "last",
		Help: "Which submission begins a new batch of its user: one that can have been a reaction to what had ended.",
		Options: []Option{
			{Key: "last", Name: "after the last job", Help: "The job that the user submitted just before has ended."},
			{Key: "max", Name: "after all jobs", Help: "All earlier jobs of the user have ended."},
		},
	},
	{
		Key: "sessions", Name: "Sessions", Type: Enum, Default: "think",
		Help: "What ends a session of a user.",
		Options: []Option{
			{Key: "think", Name: "a long think time", Help: "More time passes between an end and the next submission."},
			{Key: "arrival", Name: "no submission", Help: "More time passes between two submissions, however long jobs run (Zakay and Feitelson 2012)."},
		},
	},
	{
		Key: "think-gap", Name: "Longest think time", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Default: int64(1200), When: "sessions", Is: "think",
		Help: "After more than this, a session is over. 20 minutes is the bound of the literature.",
	},
	{
		Key: "arrival-gap", Name: "Longest gap", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Default: int64(3600), When: "sessions", Is: "arrival",
		Help: "After more than this without a submission, a session is over. Zakay and Feitelson (2012) propose an hour.",
	},
	{
		Key: "stated", Name: "Stated dependencies", Type: Bool, Default: true,
		Help: "Use the preceding jobs that the log itself states (fields 17 and 18), where its times bear them out.",
	},
	{
		Key: "ends", Name: "Ends", Type: Enum, Default: "auto",
		Help: "When jobs ended in the eyes of the users whose submissions the log holds.",
		Options: []Option{
			{Key: "auto", Name: "log, else EASY", Help: "The log's wait times; where it has none at all, a schedule of its jobs by EASY stands in."},
			{Key: "log", Name: "log", Help: "The log's wait times alone; nothing depends on a job that has none."},
			{Key: "easy", Name: "EASY", Help: "A schedule of the log's jobs by EASY on this machine."},
		},
	},
	{
		Key: "think", Name: "Think times", Type: Enum, Default: "logged",
		Help: "How long a user thinks before a batch.",
		Options: []Option{
			{Key: "logged", Name: "as in the log", Help: "Each batch keeps its own think time."},
			{Key: "drawn", Name: "drawn", Help: "Each is drawn from the user's think times in the log, in each repetition again."},
		},
	},
	{
		Key: "rhythm", Name: "Rhythm", Type: Enum, Default: "none",
		Help: "Whether users keep their hours.",
		Options: []Option{
			{Key: "none", Name: "none", Help: "Users come back as long after an end as they did in the log, at any hour."},
			{Key: "daily", Name: "of the day", Help: "Sessions begin at the time of day at which they did, and users submit in their own hours only."},
			{Key: "weekly", Name: "of the week", Help: "The same with the time of the week, and on a user's own days only."},
		},
	},
}

// PatienceParams are those of the wait that a user finds acceptable: (ln of the
// processors + 1) × requested time ÷ factor, where the factor grows with the
// requested time (Klusáček and Chlumský 2016, section 4.3).
var PatienceParams = []Param{
	{Key: "factor-1", Name: "Factor, shortest", Type: Number, Min: 0.01, Max: 1000, Default: 1.0,
		Help: "What the requested time of the shortest jobs is divided by."},
	{Key: "from-2", Name: "Class 2 from", Type: Seconds, Unit: "s", Min: 1, Max: maxSeconds, Default: int64(3 * 3600),
		Help: "Requested time from which factor 2 applies."},
	{Key: "factor-2", Name: "Factor 2", Type: Number, Min: 0.01, Max: 1000, Default: 2.0,
		Help: "What requested times of class 2 are divided by."},
	{Key: "from-3", Name: "Class 3 from", Type: Seconds, Unit: "s", Min: 1, Max: maxSeconds, Default: int64(7 * 3600),
		Help: "Requested time from which factor 3 applies."},
	{Key: "factor-3", Name: "Factor 3", Type: Number, Min: 0.01, Max: 1000, Default: 3.0,
		Help: "What requested times of class 3 are divided by."},
	{Key: "from-4", Name: "Class 4 from", Type: Seconds, Unit: "s", Min: 1, Max: maxSeconds, Default: int64(24 * 3600),
		Help: "Requested time from which factor 4 applies."},
	{Key: "factor-4", Name: "Factor 4", Type: Number, Min: 0.01, Max: 1000, Default: 4.0,
		Help: "What requested times of class 4 are divided by."},
	{Key: "from-5", Name: "Class 5 from", Type: Seconds, Unit: "s", Min: 1, Max: maxSeconds, Default: int64(7 * 24 * 3600),
		Help: "Requested time from which factor 5 applies."},
	{Key: "factor-5", Name: "Factor 5", Type: Number, Min: 0.01, Max: 1000, Default: 5.0,
		Help: "What the longest requested times are divided by."},
	{Key: "floors", Name: "Never less than shorter jobs", Type: Bool, Default: false,
		Help: "A class is granted at least what the end of the one before it is, as in the study's simulator."},
	{Key: "summed", Name: "Summed by user", Type: Bool, Default: true,
		Help: "What is acceptable is summed over all jobs that the user has in the system at a submission."},
}
