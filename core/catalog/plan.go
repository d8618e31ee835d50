package catalog

// planRS is the planning scheduler of klusacek2016, with the optimisers to which
// its own is compared.
var planRS = Scheduler{
	Key: "plan-rs", Name: "Plan-RS (optimised plan)", Short: "Plan-RS",
	Help: "Keeps a plan with an expected start, cluster and nodes for every waiting job: arrivals go into the earliest gap, early ends move the plan up in its order, and now and then an optimiser improves it as a whole.",
	Cite: citeKlusacek,
	Params: []Param{
		{Key: "optimiser", Name: "Optimiser", Type: Enum, Default: "random-search",
			Options: []Option{
				{Key: "random-search", Name: "random search", Help: "Moves a random job to a random place and keeps what is better (algorithm 3)."},
				{Key: "annealing", Name: "simulated annealing", Help: "Also keeps what is worse, with a probability that falls with the loss and with time."},
				{Key: "tabu", Name: "tabu search", Help: "Goes to the best of some neighbours each time; what has just moved stays."},
				{Key: "lns", Name: "large-neighbourhood search", Help: "Removes some jobs, puts each back into the earliest gap, and keeps what is better."},
				{Key: "none", Name: "none", Help: "The plan is only kept compressed, in its order."},
			},
			Help: "What improves the plan."},
		{Key: "iterations", Name: "Iterations", Type: Int, Unit: "plans", Min: 1, Max: 1000000, Default: int64(300),
			Help: "Plans that one call of the optimiser evaluates."},
		{Key: "interval", Name: "Interval", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Default: int64(60),
			Help: "The plan is optimised when something happens and this much simulated time has passed since the last time."},
		{Key: "weight-wait", Name: "Weight of the wait", Type: Number, Min: 0, Max: 1000, Default: 1.0,
			Help: "Weight of the relative improvement of the mean wait."},
		{Key: "weight-slowdown", Name: "Weight of the slowdown", Type: Number, Min: 0, Max: 1000, Default: 1.0,
			Help: "Weight of the relative improvement of the mean bounded slowdown."},
		{Key: "weight-fairness", Name: "Weight of fairness", Type: Number, Min: 0, Max: 1000, Default: 10.0,
			Help: "Weight of the relative improvement of fairness: mean plus standard deviation, over the users, of the normalised user wait time, their total wait divided by what they have consumed."},
		{Key: "plan-tau", Name: "τ of the plan", Type: Seconds, Unit: "s", Min: 1, Max: maxSeconds, Default: int64(10),
			Help: "Threshold of the bounded slowdown by which plans are judged."},
		{Key: "temperature", Name: "First temperature", Type: Number, Min: 1e-9, Max: 1000, Default: 0.01, When: "optimiser", Is: "annealing",
			Help: "At it, a plan that is worse by this share is kept with probability 1 ÷ e; it falls geometrically during a call."},
		{Key: "cold", Name: "Last temperature", Type: Number, Min: 1e-12, Max: 1000, Default: 0.0001, When: "optimiser", Is: "annealing",
			Help: "Temperature at the end of a call."},
		{Key: "candidates", Name: "Candidates", Type: Int, Unit: "plans", Min: 1, Max: 10000, Default: int64(10), When: "optimiser", Is: "tabu",
			Help: "Neighbours of which a step of tabu search takes the best."},
		{Key: "tenure", Name: "Tenure", Type: Int, Unit: "steps", Min: 1, Max: 10000, Default: int64(7), When: "optimiser", Is: "tabu",
			Help: "For so many steps a job that has moved may not move again, unless that beats the best plan so far."},
		{Key: "remove", Name: "Removed jobs", Type: Int, Unit: "jobs", Min: 1, Max: 10000, Default: int64(4), When: "optimiser", Is: "lns",
			Help: "Jobs that one iteration takes out of the plan and puts back."},
		{Key: "time-limit", Name: "Time limit", Type: Number, Unit: "s", Min: 0.001, Max: 3600, Optional: true,
			Help: "Seconds of wall clock after which a call of the optimiser stops, if the iterations do not end first. A run with it is not reproducible. Not set: none."},
	},
}
