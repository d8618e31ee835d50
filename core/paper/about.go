package paper

import "strings"

// About is what a reader is told of a study before its tables.
type About struct {
	Study    string   // key
	Question string   // what the study asks, in one sentence
	Cite     string   // the full reference
	Reads    []string // how its text was read where it leaves something open
	Main     []string // what the paper is about: of its claims these, in their words
}

// Abouts are the studies in the order of the catalog.
var Abouts = []About{
	{"legrand2018", "Can past weeks teach a scheduler in which order to serve its queue?",
		"A. Legrand, D. Trystram and S. Zrigui, Adapting Batch Scheduling to Workload Characteristics: What can we expect From Online Learning?, Inria research report 9212, 2018 (hal-01896121)", []string{
			"Weeks are cut by submission, each is simulated from an empty machine to its last end, and the first and the last week are left out.",
			"Bounded slowdowns have τ = 60 s, which the printed numbers fit; the text says 10 s.",
			"Jobs that ran longer than they requested are dropped, as table 1's counts of jobs show.",
			"Ties go to the job submitted last, as in the simulator of the study; the tables here have the other rule beside it.",
		}, []string{
			"SAF performs better overall than FCFS, SPF and every other pure order",
			"a week's best mixed order is far better than any pure one",
			"w_train slightly outperforms SAF in training, and equals it or is outperformed in testing",
		}},
	{"foresight", "How much of what is lost by not knowing run times can be won back by learning them while scheduling?",
		"Batchlab's own study. Its question is that of A. Legrand, D. Trystram and S. Zrigui, Inria research report 9212, 2018 (hal-01896121)", []string{
			"Run times are predicted from jobs that have ended by then, never from later ones.",
			"Weeks and measures are those of Legrand et al., so that their tables can stand beside.",
		}, nil},
	{"klusacek2016", "Does a plan of all waiting jobs, improved all the time, serve users better than queues with backfilling?",
		"D. Klusáček and V. Chlumský, Planning and Metaheuristic Optimization in Production Job Scheduler, Job Scheduling Strategies for Parallel Processing (JSSPP), 2016", []string{
			"The real system's own log is not available: tables and figures are replayed on CERIT-SC, HPC2N and KTH-SP2.",
			"The paper does not say which five days table 1 uses: here they are the busiest ones, by waiting jobs.",
			"All times of table 1 are divided by 7, as the paper does; means are over 20 seeds of the optimiser.",
		}, []string{
			"with users who react Plan-RS has the smaller wait and slowdown",
			"NUWT, mean and deviation, is significantly lower",
			"planning increases predictability",
		}},
	{"kurowski2011", "What do advance reservations cost everyone else, and who should place them?",
		"K. Kurowski, A. Oleksiak, W. Piątek and J. Węglarz, Hierarchical scheduling strategies for parallel tasks and advance reservations in grids, Journal of Scheduling 16, 349–368, online 2011 (doi:10.1007/s10951-011-0254-9)", []string{
			"Jobs 1–1000 and 68000–69000 of SDSC-SP2 by number; the second set without jobs of more than 64 processors, which gives the means of table 4.",
			"A reservation is as long as its job requested (section 5.2) or as it ran (section 5.5): both are run, and said in the label.",
			"Flow time counts from submission where the paper's numbers fit that; equation 2 says ready time, which stands beside it.",
			"The length of a provider's queue counts accepted reservations too (sections 4.2 and 4.4.2); other counts stand beside it.",
		}, []string{
			"advance reservations significantly deteriorate the flow time of batch jobs and utilization",
			"AR resource priority significantly outperforms the static partition",
			"AR resource priority is better than MCT in F and U, 30 %",
		}},
	{"skrinarova2013", "Is a schedule that hill climbing found better than a plain queue?",
		"J. Skrinarova, M. Krnac and P. Martincova, Implementation of Scheduling Algorithm in High-Performance Computer Cluster, 2013", []string{
			"The paper prints neither lengths nor sizes of jobs: they are drawn, 200 times.",
			"Which FIFO is meant is open: one that stops at the first job that does not fit, and one that lets later jobs pass.",
		}, []string{
			"FIFO and hill climbing are equally good: by the time at which all jobs are done",
			"the algorithm can replace the FIFO of TORQUE",
		}},
	{"techiouba2008", "Do priorities made of deadlines, licences and waits improve on backfilling?",
		"A. D. Techiouba, G. Capannini, R. Baraglia, D. Puppin, M. Pasquali and L. Ricci, Backfilling Strategies for Scheduling Streams of Jobs on Computational Farms, in: Making Grids Work (CoreGRID), 2008", []string{
			"The weights of the heuristics are not printed: one set is the default, and a table shows what eleven sets make of the findings.",
			"The figures' values are not printed in the text that we have, so there is nothing to set beside ours; findings are compared by their words.",
		}, []string{
			"the heuristics improve the use of resources and meet the jobs' quality of service (deadlines)",
			"BF_UNMOD and BF_MOD miss fewer deadlines than BF_FCFS in each test",
			"backfilling drastically reduces the slowdown",
		}},
}

// names are what people call tables and figures, by the preset's key.
var names = map[string]string{
	"techiouba2008-figure1a": "Jobs that miss their deadline",
	"techiouba2008-figure1b": "How well the machines are used",
	"techiouba2008-figure2a": "Slowdown",
	"techiouba2008-table1":   "Licences put to use",
	"techiouba2008-table2":   "Deadlines where licences are scarce",
	"techiouba2008-weights":  "What the weights decide",
	"techiouba2008-power":    "Where powerful machines run jobs faster",
	"techiouba2008-starts":   "How well a start can be told",

	"skrinarova2013-figure6": "When everything is done",
	"skrinarova2013-figure7": "Average turnaround",
	"skrinarova2013-figure8": "The longest turnaround",

	"skrinarova2013-restarts": "Climbing once or several times",
	"skrinarova2013-outages":  "The old schedule after an outage",

	"kurowski2011-table1":    "Reservations in four local systems",
	"kurowski2011-figure2":   "How long jobs waited in the log",
	"kurowski2011-figure3":   "A case that only dynamic binding accepts",
	"kurowski2011-figure4":   "Utilization in fixed slots, over time",
	"kurowski2011-figure5":   "What fixed slots cost",
	"kurowski2011-table2":    "Local queues at one provider",
	"kurowski2011-table3":    "More providers of the same size",
	"kurowski2011-table4":    "The two sets of jobs",
	"kurowski2011-figure7":   "One schedule to look at",
	"kurowski2011-table5":    "The price of more reservations",
	"kurowski2011-figure8":   "Flow time when providers are served once an hour or a day",
	"kurowski2011-figure9":   "Utilization when providers are served once an hour or a day",
	"kurowski2011-figure10":  "Late reservations when providers are served once an hour or a day",
	"kurowski2011-table6":    "Three ways to place reservations",
	"kurowski2011-figure11":  "Resource priority against earliest end: flow time",
	"kurowski2011-figure12":  "Resource priority against earliest end: utilization",
	"kurowski2011-figure13":  "Resource priority against earliest end: late reservations",
	"kurowski2011-figure14":  "Reservations that may move",
	"kurowski2011-figure15":  "Reservations that may move up to 4 times their length",
	"kurowski2011-figure16":  "Reservations that may move up to 8 times their length",
	"kurowski2011-figure17":  "Three criteria over the share: at random",
	"kurowski2011-figure18":  "Three criteria over the share: earliest end",
	"kurowski2011-figure19":  "Three criteria over the share: resource priority",
	"kurowski2011-partition": "The static partition when providers are served once an hour or a day",
	"kurowski2011-tradeoff":  "What must be given up for what",
	"kurowski2011-causes":    "Why reservations cost what they cost",
	"kurowski2011-periods":   "How often a local queue is looked at",

	"klusacek2016-table1":           "Plan against backfilling on eight busy intervals",
	"klusacek2016-table1-contended": "Plan against backfilling on the most contended intervals",
	"klusacek2016-table1-intervals": "Plan against backfilling on 20 intervals of each log",
	"klusacek2016-readings":         "Plan against backfilling in other readings",
	"klusacek2016-year":             "Four optimisers on a whole log",
	"klusacek2016-replayed":         "Waits, fairness and the optimiser's work together",
	"klusacek2016-figure1":          "Before and after the new scheduler",
	"klusacek2016-figure2":          "Who waits: wide and long jobs",
	"klusacek2016-figure3":          "How fairly users wait",
	"klusacek2016-figure4":          "What accepted improvements change",
	"klusacek2016-figure5":          "How long plans are, and what improving them takes",
	"klusacek2016-figure6-replayed": "Waits, replayed from logs",
	"klusacek2016-figure7-replayed": "Fairness, replayed from logs",
	"klusacek2016-figure6":          "Waits with reacting users",
	"klusacek2016-figure7":          "Fairness with reacting users",
	"klusacek2016-figure8":          "Dissatisfied users",

	"legrand2018-table1":       "The workloads",
	"legrand2018-table2":       "What was learnt, tested on later weeks",
	"legrand2018-table3":       "Twelve orders of the queue on SDSC-SP2",
	"legrand2018-table4":       "Twelve orders of the queue on SDSC-BLUE",
	"legrand2018-table5":       "Twelve orders of the queue on KTH-SP2",
	"legrand2018-table6":       "Twelve orders of the queue on CTC-SP2",
	"legrand2018-table7":       "The longest jobs of the log",
	"legrand2018-figure1":      "How weeks differ under each order",
	"legrand2018-figure2":      "How far SAF is from each week's best, SDSC-SP2",
	"legrand2018-figure3":      "What knowing the week would be worth, SDSC-SP2",
	"legrand2018-figure4":      "Where the good orders lie, week by week",
	"legrand2018-figure5":      "How fast searches find good orders, SDSC-SP2",
	"legrand2018-figure6":      "How far SAF is from each week's best, SDSC-BLUE",
	"legrand2018-figure7":      "What knowing the week would be worth, SDSC-BLUE",
	"legrand2018-figure8":      "How fast searches find good orders, SDSC-BLUE",
	"legrand2018-figure9":      "How far SAF is from each week's best, CTC-SP2",
	"legrand2018-figure10":     "What knowing the week would be worth, CTC-SP2",
	"legrand2018-figure11":     "How fast searches find good orders, CTC-SP2",
	"legrand2018-figure12":     "How far SAF is from each week's best, KTH-SP2",
	"legrand2018-figure13":     "What knowing the week would be worth, KTH-SP2",
	"legrand2018-figure14":     "How fast searches find good orders, KTH-SP2",
	"legrand2018-figure15":     "Months instead of weeks",
	"legrand2018-standardised": "Features standardised, as the study's simulator does",
	"legrand2018-months":       "Months instead of weeks, with fewer vectors",

	"foresight-weeks": "Foresight against learnt orders, week by week",
	"foresight-whole": "What foresight is worth on a whole log",
}

// Name is what people call the table or figure: "Three ways to place
// reservations". A preset without a name of its own is called by what it shows.
func (p *Preset) Name() string {
	if name := names[p.Key]; name != "" {
		return name
	}
	_, shows, there := strings.Cut(p.Shows, ": ")
	if !there {
		shows = p.Shows
	}
	return strings.ToUpper(shows[:1]) + shows[1:]
}

// Place is where it stands in the paper: "table 6", "figure 1(a)"; "" where what
// it shows is in no one place.
func (p *Preset) Place() string {
	if list := placesIn(p.Shows); list != nil && strings.HasPrefix(p.Shows, list[0]) {
		return list[0]
	}
	if place, _, ok := strings.Cut(p.Shows, ":"); ok && strings.HasPrefix(place, "section ") {
		return place
	}
	return ""
}
