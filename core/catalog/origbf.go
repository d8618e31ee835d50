package catalog

const citeKlusacek = "D. Klusáček and V. Chlumský, Planning and Metaheuristic Optimization in Production Job Scheduler, " +
	"Job Scheduling Strategies for Parallel Processing (JSSPP), 2016"

// origBF is the scheduler to which that study compares its own.
var origBF = Scheduler{
	Key: "orig-bf", Name: "Orig-BF (fair share, all jobs reserved)", Short: "Orig-BF",
	Help: "Backfilling in the order of what users have consumed lately, least first; every waiting job has a reservation, and all reservations are made anew whenever something happens.",
	Cite: citeKlusacek + ", section 2",
	Params: []Param{
		{Key: "reserve-after", Name: "Reservation threshold", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Default: int64(0),
			Help: "A job gets a reservation when it has waited this long; before, it only starts where it delays no reservation. 0: every job."},
		{Key: "halve", Name: "Halving period", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Default: int64(72 * 3600),
			Help: "What users have consumed is halved at every multiple of this time since the first submission. 0: never."},
		{Key: "queues", Name: "Queues first", Type: Enum, Default: "off",
			Options: []Option{
				{Key: "off", Name: "by user alone", Help: "Jobs stand in the order of what their users have consumed."},
				{Key: "shortest", Name: "shortest queue first", Help: "Jobs of shorter queues go first (1 h, 2 h, 1 d, 2 d, 4 d, 1 w, 2 w, 2 months of requested time), then by user."},
			},
			Help: "Whether the queues by requested time come before the fair share."},
	},
}
