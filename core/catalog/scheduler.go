package catalog

import "strings"

const (
	citeLifka  = "D. A. Lifka, The ANL/IBM SP Scheduling System, JSSPP 1995"
	citeMualem = "A. W. Mu'alem and D. G. Feitelson, Utilization, Predictability, Workloads, and User Runtime Estimates in " +
		"Scheduling the IBM SP2 with Backfilling, IEEE TPDS 12(6), 2001"
	citeLegrand = "A. Legrand, D. Trystram and S. Zrigui, Adapting Batch Scheduling to Workload Characteristics: " +
		"What can we expect From Online Learning?, Inria research report 9212, 2018 (hal-01896121)"
	citeSchwiegelshohn = "U. Schwiegelshohn and R. Yahyapour, Analysis of First-Come-First-Serve Parallel Job Scheduling, " +
		"SODA 1998"
)

// Schedulers are all schedulers, in the order in which menus show them.
var Schedulers = []Scheduler{
	{
		Key: "as-logged", Name: "As logged", Short: "As logged",
		Help:   "Starts each job when the log says it started, whether or not it fits: the real schedule as a baseline. Needs a log that states waits.",
		Cite:   "Standard Workload Format, field 3 (wait time); D. G. Feitelson, D. Tsafrir and D. Krakov, Experience with Using the Parallel Workloads Archive, JPDC 74(10), 2014",
		Logged: true, Counted: true,
	},
	{
		Key: "fcfs", Name: "FCFS (first come, first served)", Short: "FCFS",
		Help:    "Starts jobs strictly in order of submission and stops at the first that does not fit.",
		Cite:    citeSchwiegelshohn,
		Counted: true,
		Params:  []Param{tiesParam},
	},
	{
		Key: "easy", Name: "EASY backfilling", Short: "EASY",
		Help:    "Starts jobs in order; the first that does not fit gets a reservation, and later jobs may jump ahead only where they do not delay it.",
		Cite:    citeLifka + "; " + citeMualem,
		Counted: true,
		Params: append([]Param{
			{
				Key: "order", Name: "Queue order", Type: Enum, Options: orderOptions(everyOrder...), Default: "fcfs",
				Help: "Order in which waiting jobs are started; the first that does not fit is the head, with the reservation.",
			},
			{
				Key: "backfill", Name: "Backfill order", Type: Enum, Options: orderOptions(everyOrder...), Default: "fcfs",
				Help: "Order in which the jobs behind the head are tried for the gap in front of its reservation.",
			},
			tiesParam,
			{
				Key: "threshold", Name: "Waiting threshold", Type: Seconds, Unit: "s", Min: 0, Max: maxSeconds, Optional: true,
				Help: "Jobs that have waited strictly longer stand first in the queue order, by submission, so that none starves. Not set: none.",
			},
		}, append(append(scoreParams("order", "", ""), scoreParams("backfill", "backfill-", "Backfill ")...), ordersBy, fillsBy)...),
	},
	{
		Key: "conservative", Name: "Conservative backfilling", Short: "Conservative",
		Gaps:    []Gap{bindsNothing},
		Help:    "Gives every waiting job a planned start when it arrives, at the earliest place that delays no other job; a plan only ever moves earlier.",
		Cite:    citeMualem,
		Counted: true, Plans: true,
		Params: general(append([]Param{
			{
				Key: "order", Name: "Order", Type: Enum, Options: replanOptions(), Default: "fcfs", Later: true,
				Help: "Order in which waiting jobs move up when a job has ended early, and in which jobs that arrive together are placed.",
			},
			{Key: tiesParam.Key, Name: tiesParam.Name, Type: Enum, Options: tiesParam.Options, Default: tiesParam.Default, Help: tiesParam.Help, Later: true},
		}, append(scoreParams("order", "", ""), ordersBy, depthParam, plansBy)...)),
	},
	bfUnmod,
	bfMod,
	origBF,
	hillClimbing,
	planRS,
	lists[0], lists[1], lists[2], lists[3], lists[4], lists[5],
	gridScheduler,
	foresights[0], foresights[1],
	slurmScheduler,
	customScheduler,
}

// depthParam bounds how far a scheduler plans ahead.
var depthParam = Param{
	Key: "depth", Name: "Depth", Type: Int, Unit: "jobs", Min: 1, Max: 1000000, Optional: true, Later: true,
	Help: "How many waiting jobs, in order of submission, are planned. Not set: all.",
}

// scoreParams are the parameters of orders by score, for the order that the
// parameter called when chooses; prefix and name tell them from those of another.
func scoreParams(when, prefix, name string) []Param {
	list := []Param{
		{
			Key: "weights", Name: "Weights", Type: List, Is: "mixed", Needed: NewNumbers([]float64{0, 0, 1}), // the order of submission
			Help: "Weights of q, p̃, wait and, of 6, ratio, expansion factor, area. The largest sum stands first: 1 on wait is FCFS, −1 on area SAF. They are divided by the sum of their absolute values.",
		},
		{
			Key: "scales", Name: "Scales", Type: List, Is: "mixed",
			Help: scalesHelp,
		},
		{
			Key: "formula", Name: "Formula", Type: Text, Is: "formula", Needed: "wait",
			Help: formulaHelp,
		},
	}
	for i := range list {
		p := &list[i]
		p.When, p.Optional, p.Later = when, true, true
		if prefix != "" {
			p.Help = "As for the queue order: " + strings.ToLower(p.Name) + " of the backfill order."
			p.Key, p.Name = prefix+p.Key, name+strings.ToLower(p.Name)
		}
	}
	return list
}

// scalesHelp says what the scales of features are.
const scalesHelp = "What the features of a mixed order are divided by, each above 0. Not set: q by the machine's processors, p̃, wait and ratio by a day, area by a day of the whole machine, expansion factor by 1. 3 numbers beside 6 weights: the others keep theirs."

// formulaHelp says what a formula may be.
const formulaHelp = "A formula over q (processors), p (requested s), wait (s), rho (p ÷ q), exp ((wait + p) ÷ p), a (p · q), submit and due (s of the log; due is 1e15 without a deadline), " +
	"user (number) and foretold (predicted s), with + - * / ( ), abs, sqrt, log, log10, min, max. The largest value stands first."

// general marks parameters that only a scheduler's general form knows.
func general(params []Param) []Param {
	for i := range params {
		params[i].General = true
	}
	return params
}

// replanOptions are the orders in which conservative backfilling places jobs
// again; fcfs is its own.
func replanOptions() []Option {
	options := orderOptions(everyOrder...)
	options[0].Help = "First come, first served: in order of planned start, so that who was promised first comes first."
	return options
}

// maxSeconds bounds spans of time in parameters: a hundred years.
const maxSeconds = 100 * 366 * 86400

// tiesParam says who goes first when an order leaves two jobs equal (rule 6).
var tiesParam = Param{
	Key: "ties", Name: "Ties", Type: Enum, Default: "oldest",
	Help: "Which of two jobs that the order leaves equal goes first.",
	Options: []Option{
		{Key: "oldest", Name: "oldest first", Help: "The job submitted earlier, then the smaller job number."},
		{Key: "newest", Name: "newest first", Help: "The job submitted later, then the larger job number."},
	},
}
