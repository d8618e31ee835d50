package paper

// lookFors say what is to be seen in presets that do not say it themselves.
var lookFors = map[string]string{
	"techiouba2008-figure1a": "BF_UNMOD and BF_MOD against BF_FCFS with a job every 4, 6 and 12 units of time: priorities by deadline should miss fewer of them; with one every 48 there is nothing left to gain.",
	"techiouba2008-figure1b": "The step from FCFS to any backfilling, and whether the priorities cost usage.",
	"techiouba2008-figure2a": "Backfilling divides the slowdown of FCFS; among the three backfilling schedulers there is little to choose.",
	"techiouba2008-table1":   "Whether priorities by licences put more licences to use, and at which licence ratio.",
	"techiouba2008-table2":   "How the advantage of priorities grows as licences become less scarce.",
	"kurowski2011-figure7":   "Open it and look at the Gantt chart: the ruled places are processors that stand idle directly before a reservation.",
	"kurowski2011-tradeoff":  "Up and to the left is better. Full points are not dominated: no other strategy is as good in all three criteria at that share. Where the line of AR resource priority leaves that of MCT, consolidation pays; the static partition is good at one share only.",
	"legrand2018-table2":     "w* against SAF in the testing weeks, and whether w_train or w_greedy come near it: the paper finds that yesterday's weights do not serve tomorrow.",
	"legrand2018-figure1":    "How far the orders' medians lie apart, and how much further the weeks of one order do.",
	"legrand2018-figure2":    "How often SAF is the best pure order of a week, and how far it is from the best in many others: good overall, and far from optimal.",
	"legrand2018-figure3":    "The gap between w*, which knows the week, and all that have to learn it.",
	"legrand2018-figure4":    "The light region, where orders are good, changes from one week to the next, and the best place with it.",
	"legrand2018-figure5":    "xNES needs a fraction of the coverage's simulations to come near its best; more features gain little.",
	"legrand2018-figure15":   "Whether longer windows make the past a better teacher.",
}

// What says what to look for in a preset, "" nothing beyond what it shows.
func (p *Preset) What() string {
	if p.LookFor != "" {
		return p.LookFor
	}
	return lookFors[p.Key]
}
