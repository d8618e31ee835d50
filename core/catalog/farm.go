package catalog

// bfUnmod and bfMod are the schedulers of the farm study.
var (
	bfUnmod = Scheduler{
		Key: "bf-unmod", Name: "BF_UNMOD (flexible backfilling)", Short: "BF_UNMOD",
		Help:   "Backfilling in the order of priorities made of age, deadline, licences and shortness; the first job of the queue keeps its reservation until it starts.",
		Cite:   citeTechiouba,
		Params: priorityParams,
		Ranks:  true,
	}
	bfMod = Scheduler{
		Key: "bf-mod", Name: "BF_MOD (flexible backfilling)", Short: "BF_MOD",
		Help:   "Like BF_UNMOD, but the reservation always belongs to the job that has the highest priority now.",
		Cite:   citeTechiouba,
		Params: priorityParams,
		Ranks:  true,
	}
)

// priorityParams are the weights of P(J) and the parameters of its heuristics.
// The study prints no values; these are ours, see docs/papers.md.
var priorityParams = []Param{
	{Key: "aging", Name: "Aging", Type: Number, Min: 0, Max: 1000, Slide: 0.1, Default: 0.01,
		Help: "Priority that a job gains with each second of waiting (age_factor)."},
	{Key: "deadline", Name: "Deadline", Type: Number, Min: 0, Max: 1000, Slide: 10, Default: 1.0,
		Help: "Weight of the deadline score, which rises as the deadline comes near and is 0 once it cannot be met."},
	{Key: "licences", Name: "Licences", Type: Number, Min: 0, Max: 1000, Slide: 10, Default: 1.0,
		Help: "Weight of the licence score: jobs that need many licences that are in short supply go first."},
	{Key: "wait", Name: "Wait minimisation", Type: Number, Min: 0, Max: 1000, Slide: 20, Default: 2.0,
		Help: "Weight of shortness: the shortest waiting job gains this, one twice as long half of it (priority_boost_value)."},
	{Key: "deadline-min", Name: "Deadline score, least", Type: Number, Min: 0, Max: 1000, Slide: 10, Default: 0.1,
		Help: "Score of a job whose deadline is far, or that has none (min)."},
	{Key: "deadline-max", Name: "Deadline score, greatest", Type: Number, AtLeast: "deadline-min", Min: 0, Max: 1000, Slide: 100, Default: 20.0,
		Help: "Score of a job that has to start now to be on time (max)."},
	{Key: "k", Name: "Over-estimation k", Type: Number, Min: 1, Max: 100, Slide: 5, Default: 1.3,
		Help: "The deadline score rises when the expected end is nearer to the deadline than k requested times."},
	{Key: "queue", Name: "Queue", Type: Number, Min: 0, Max: 1000, Slide: 10, Default: 0.0, Later: true,
		Help: "Priority that a job gains for each number of its queue; an unknown queue counts as 0."},
}
