package paper

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// planRun is a preset at work.
type planRun struct {
	in    Input
	out   *Output
	seeds int
	sets  bool // table 1
	many  bool // over many intervals

	replayed bool // the intervals are chosen by their waits in a replay
	cases    []planCase
	blocks   [][]byte
}

// planWay is a scheduler of the comparison.
type planWay struct {
	label     string
	optimiser search.Optimiser // nil: the scheduler is one of the two others
	fair      bool             // with the weight of fairness
	objective plan.Objective
	guarded   bool // no planned start moves behind the first one

	iterations map[string]int       // of a call, by the case's label; absent: planIterations
	turn       func(*plan.Options)  // another reading of the planner, nil none
	orig       func(*policy.OrigBF) // and of Orig-BF
}

// planIterations is how many plans a call of an optimiser evaluates.
const planIterations = 300

// planRandom is Plan-RS; planAuthors judges plans as the program of the study's
// authors does, in its state of March 2016; planGuarded is ours, and lets no job
// starve.
var (
	planRandom  = planWay{label: planRS, optimiser: search.RandomSearch{}, fair: true}
	planUnfair  = planWay{label: "Plan-RS without fairness", optimiser: search.RandomSearch{}}
	planAuthors = planWay{label: "Plan-RS as in the authors' program", optimiser: search.RandomSearch{}, fair: true,
		objective: plan.Objective{Waiting: true, Planned: true, Squares: true}}
	planGuarded = planWay{label: "Plan-RS, guarded", optimiser: search.RandomSearch{}, fair: true, guarded: true}
)

const (
	origBF       = "Orig-BF"
	conservative = "Conservative"
	planRS       = "Plan-RS"
)

// The optimisers beside random search have the defaults of the catalog.
var planOthers = []planWay{
	{label: "simulated annealing", optimiser: search.Annealing{First: 0.01, Last: 0.0001}, fair: true},
	{label: "tabu search", optimiser: search.Tabu{Candidates: 10, Tenure: 7}, fair: true},
	{label: "LNS", optimiser: search.LNS{Remove: 4}, fair: true},
}

// planTau is that of bounded slowdowns, measured and planned, in seconds.
const planTau = 10

// planFacts is what a run gives.
type planFacts struct {
	wait, slowdown float64
	byProcs        []metric.Spread
	byLimit        []metric.Spread
	users          []metric.UserWait
	waits          []int64 // ascending
	calls          int
	iterations     int64
	placed         int64
	improved       []([3]float64) // relative change of each criterion, per cent
	lengths        []int          // of the plan, at each cycle
	predicted      []metric.Accuracy
	block          []byte
}

// planLeads are the edges of classes by the time from submission to predicted
// start, in seconds.
var planLeads = []model.Time{0, 3600, 6 * 3600, 86400}

var (
	planProcs  = []int64{1, 4, 8, 16, 32, 64}
	planLimits = []int64{3600, 4 * 3600, 24 * 3600, 2 * 86400, 7 * 86400}
)

// run simulates one case under one scheduler and seed. Watch may be nil; when it
// returns false, run fails with ErrCancelled.
func (c *planCase) run(way planWay, seed int, watch func(done, total int) bool) (*planFacts, error) {
	f := &planFacts{}
	var s sim.Scheduler
	var promised []metric.Prediction // at submission
	foresee := func(v *sim.View, s *plan.Scheduler) {
		if v.Arrived < v.Next {
			s.Plan().Planned(func(j model.JobID, start model.Time, _ int32) {
				if j >= v.Arrived {
					promised = append(promised, metric.Prediction{Job: j, At: v.Now, Start: start})
				}
			})
		}
	}
	switch {
	case way.label == origBF || way.orig != nil:
		old := policy.NewOrigBF()
		if way.orig != nil {
			way.orig(old)
		}
		old.Plan = func(now model.Time, j model.JobID, start model.Time) {
			if now == c.work.Jobs[j].Submit {
				promised = append(promised, metric.Prediction{Job: j, At: now, Start: start})
			}
		}
		s = old
	case way.label == conservative:
		planner := plan.NewConservative()
		planner.Watch(plan.Watch{Pass: foresee})
		s = planner
	default:
		iterations, there := way.iterations[c.label]
		if !there {
			iterations = planIterations
		}
		o := plan.Options{Optimiser: way.optimiser, Iterations: iterations, Interval: 60, Weights: search.Weights{1, 1, 10}, Tau: planTau,
			Objective: way.objective, Guarded: way.guarded}
		if !way.fair {
			o.Weights[2] = 0
		}
		if way.turn != nil {
			way.turn(&o)
		}
		planner := plan.New(o)
		planner.Seed(uint64(seed)+1, 0)
		planner.Watch(plan.Watch{
			Pass:   foresee,
			Before: func(_ *sim.View, s *plan.Scheduler) { f.lengths = append(f.lengths, s.Plan().Len()) },
			Accepted: func(_ model.Time, _ int, old, new search.Score) {
				var change [3]float64
				for i := range change {
					if old[i] > 0 {
						change[i] = 100 * (new[i] - old[i]) / old[i]
					}
				}
				f.improved = append(f.improved, change)
			},
		})
		s = planner
	}
	var m sim.Simulator
	schedule, err := m.Run(c.work, c.platform, s, sim.Options{Progress: watch})
	if errors.Is(err, sim.ErrCancelled) {
		err = ErrCancelled
	}
	if err != nil {
		return nil, err
	}
	if planner, ok := s.(*plan.Scheduler); ok {
		f.calls, f.iterations, f.placed = planner.Counts().Calls, planner.Counts().Iterations, planner.Counts().Placed
	}
	o := metric.Options{Tau: planTau}
	f.wait, f.slowdown = metric.MeanWait(schedule, o), metric.MeanBoundedSlowdown(schedule, o)
	f.byProcs = metric.Spreads(schedule, o, planProcs, func(j *model.Job) int64 { return int64(j.Procs) })
	f.byLimit = metric.Spreads(schedule, o, planLimits, func(j *model.Job) int64 { return int64(j.Limit) })
	f.users = metric.UserWaits(schedule, o)
	f.predicted = metric.Accuracies(schedule, promised, planLeads)
	for i := range schedule.Executions {
		f.waits = append(f.waits, int64(schedule.Executions[i].Wait()))
	}
	slices.Sort(f.waits)
	rows := appendRows(nil, schedule)
	f.block = experiment.AppendRun(nil, planKey(way), seed, len(rows), func(i int) experiment.DigestRow { return rows[i] })
	return f, nil
}

func planKey(w planWay) string {
	switch {
	case w.label == origBF || w.orig != nil:
		return "orig-bf"
	case w.label == conservative:
		return "conservative"
	}
	return "plan-rs"
}

// all runs every case under every way: with one seed for those that draw
// nothing. The result is by case, way and seed.
func (r *planRun) all(ways []planWay) ([][][]*planFacts, error) {
	type item struct{ c, w, seed int }
	var items []item
	facts := make([][][]*planFacts, len(r.cases))
	for c := range r.cases {
		facts[c] = make([][]*planFacts, len(ways))
		for w := range ways {
			n := r.seeds
			if ways[w].optimiser == nil {
				n = 1
			}
			facts[c][w] = make([]*planFacts, n)
			for seed := range n {
				items = append(items, item{c, w, seed})
			}
		}
	}
	err := r.in.each(len(items), func(_, i int) (err error) {
		x := items[i]
		facts[x.c][x.w][x.seed], err = r.cases[x.c].run(ways[x.w], x.seed, r.in.Watch)
		return err
	}, func(i int) any { return &facts[items[i].c][items[i].w][items[i].seed] })
	if err != nil {
		return nil, err
	}
	for _, x := range items {
		r.blocks = append(r.blocks, facts[x.c][x.w][x.seed].block)
	}
	return facts, nil
}

// change is a relative change in per cent; none where both are 0.
func change(value, base float64) float64 {
	if value == base {
		return 0
	}
	return 100 * (value - base) / base
}

// row adds a number with the 95 % interval over seeds; a change from nothing is
// no number and left out.
func (r *planRun) row(label, column string, facts []*planFacts, of func(*planFacts) float64, unit string) {
	values := make([]float64, len(facts))
	for i, f := range facts {
		values[i] = of(f)
	}
	if row := meanRow(label, column, unit, values); !math.IsNaN(row.Ours) && !math.IsInf(row.Ours, 0) {
		r.out.Rows = append(r.out.Rows, row)
	}
}

// tail adds what a mean hides: the longest wait, the 99th percentile and the
// standard deviation.
func (r *planRun) tail(label, of string, facts []*planFacts) {
	r.row(label, "longest wait"+of, facts, func(f *planFacts) float64 { return float64(f.waits[len(f.waits)-1]) / 3600 }, "h")
	r.row(label, "99th percentile of the wait"+of, facts, func(f *planFacts) float64 { return float64(f.waits[(len(f.waits)*99+99)/100-1]) / 3600 }, "h")
	r.row(label, "standard deviation of the wait"+of, facts, func(f *planFacts) float64 {
		mean, sum := 0.0, 0.0
		for _, w := range f.waits {
			mean += float64(w) / float64(len(f.waits))
		}
		for _, w := range f.waits {
			sum += (float64(w) - mean) * (float64(w) - mean)
		}
		return math.Sqrt(sum/float64(len(f.waits))) / 3600
	}, "h")
}

// predictions adds how good starts are that were predicted at submission for 1 to
// 6 hours later, the paper's first promise ("increases predictability"); nothing
// where a seed has none.
func (r *planRun) predictions(label, of string, facts []*planFacts) {
	const class = 2 // of planLeads
	if slices.ContainsFunc(facts, func(f *planFacts) bool { return f.predicted[class].Predictions == 0 }) {
		return
	}
	what := "starts foretold for 1 to 6 h later" + of + ": "
	r.row(label, what+"mean error", facts, func(f *planFacts) float64 { return f.predicted[class].MeanError / 3600 }, "h")
	r.row(label, what+"started later", facts, func(f *planFacts) float64 {
		return 100 * float64(f.predicted[class].Late) / float64(f.predicted[class].Predictions)
	}, "%")
}

// planTable1 sets the changes beside the paper's, against conservative
// backfilling as well; where the log chose the intervals, the other optimisers
// stand beside random search.
func planTable1(r *planRun) error {
	others := planOthers
	if r.replayed {
		others = nil // on the intervals chosen by a replay they are in a preset of their own, at equal work
	}
	ways := slices.Concat([]planWay{{label: origBF}, {label: conservative}, planRandom, planUnfair}, others, []planWay{planAuthors, planGuarded})
	facts, err := r.all(ways)
	if err != nil {
		return err
	}
	for c := range r.cases {
		one := &r.cases[c]
		r.out.Rows = append(r.out.Rows, Row{Label: one.label, Column: "jobs", Ours: float64(len(one.work.Jobs)), Unit: "jobs"})
		for w := range ways {
			r.row(one.label, "WT of "+ways[w].label, facts[c][w], func(f *planFacts) float64 { return f.wait }, "s")
			r.row(one.label, "SD of "+ways[w].label, facts[c][w], func(f *planFacts) float64 { return f.slowdown }, "")
			r.tail(one.label, " of "+ways[w].label, facts[c][w])
			r.predictions(one.label, ", "+ways[w].label, facts[c][w])
		}
		for w := 2; w < len(ways); w++ {
			for against := range 2 {
				base := facts[c][against][0]
				name := fmt.Sprintf(" of %s against %s", ways[w].label, ways[against].label)
				r.row(one.label, "change of WT"+name, facts[c][w], func(f *planFacts) float64 { return change(f.wait, base.wait) }, "%")
				r.row(one.label, "change of SD"+name, facts[c][w], func(f *planFacts) float64 { return change(f.slowdown, base.slowdown) }, "%")
			}
		}
	}
	// With and without fairness: footnote 5 can be read either way.
	for i := range r.out.Rows {
		row := &r.out.Rows[i]
		row.Paper = printed(planStudy+"-table1", row.Label, row.Column)
	}
	return nil
}
