package paper

import (
	"errors"
	"fmt"
	"strconv"

	"batchlab/core/experiment"
)

const (
	gridStudy = "kurowski2011"
	gridCite  = "K. Kurowski, A. Oleksiak, W. Piątek and J. Węglarz, Hierarchical scheduling strategies for parallel tasks and " +
		"advance reservations in grids, Journal of Scheduling 16, 2013"
	gridLog = "SDSC-SP2"
)

// gridPart is one of the study's two cuts of SDSC-SP2, jobs by number: all
// submitted from From on and before To, since numbers follow submissions. The
// other fields are the means of table 4, for the generated stand-in.
type gridPart struct {
	name                           string
	from, to                       int64
	jobs                           int
	arrivals, run, requested, mean float64
	wait                           int64 // mean of the log's waits, for leads of a stand-in
	most                           int64 // processors: larger jobs are left out; 0: they are cut to the machine
}

var (
	gridEarly = gridPart{"1–1000", 566129, 1402384, 931, 1169, 8259, 18166, 15, 10536, 0}
	// The means that table 4 prints for the second set are those of its 881 jobs that
	// ran and asked for at most 64 processors.
	gridLate = gridPart{"68000–69000", 52505134, 54714304, 893, 2507, 8135, 18995, 20, 34998, 64}
)

// gridParts are both, in the order of the tables.
var gridParts = []gridPart{gridEarly, gridLate}

// gridSeeds is the number of repetitions: subsets of reservations, and random
// providers.
const gridSeeds = 20

// gridBase is an experiment on a part of the log, or on generated jobs with its
// means, and so many providers of so many processors. Larger jobs are cut or left
// out, as the part says.
func gridBase(log *experiment.Log, part gridPart, providers, procs int, share float64) (*experiment.Experiment, error) {
	e := experiment.New()
	e.Title = "Grid, jobs " + part.name
	var err error
	if log != nil {
		ref := *log
		e.Workload.Source.Log = &ref
		from, to := part.from, part.to
		e.Workload.Window.From, e.Workload.Window.To = &from, &to
		e.Workload.Filter.MaxProcs = part.most
	} else {
		var g *experiment.Generator
		if g, err = experiment.NewGenerator("two-level"); err != nil {
			return nil, err
		}
		err = errors.Join(g.SetParam("jobs", part.jobs), g.SetParam("interarrival", part.arrivals), g.SetParam("run", part.run),
			g.SetParam("requested", part.requested), g.SetParam("procs-mean", part.mean))
		e.Workload.Source.Generator = g
		e.Workload.Annotate.Reservations.Ready = "drawn"
		e.Workload.Annotate.Reservations.LeadMin, e.Workload.Annotate.Reservations.LeadMax = 0, 2*part.wait
	}
	e.Workload.Clean.Oversize = "clamp"
	e.Workload.Annotate.Reservations.Share = share
	if share == 0 {
		e.Workload.Annotate.Reservations = experiment.New().Workload.Annotate.Reservations
	}
	for i := range providers {
		e.Platform.Clusters = append(e.Platform.Clusters, experiment.Cluster{
			Name: "Provider " + strconv.Itoa(i+1), Packing: "processors",
			Groups: []experiment.NodeGroup{{Count: 1, Processors: int64(procs), Speed: 1}},
		})
	}
	return e, err
}

// gridLine is a scheduler of a preset: a label and parameters.
type gridLine struct {
	label  string
	params map[string]any
}

// with returns a line's parameters with others beside them.
func (l gridLine) with(label string, params map[string]any) gridLine {
	all := map[string]any{}
	for k, v := range l.params {
		all[k] = v
	}
	for k, v := range params {
		all[k] = v
	}
	return gridLine{label, all}
}

// Strategies of the study. Its local policy is FCFS with backfilling as section
// 4.4.3 describes it, unless a preset says otherwise. The length of a provider's
// queue counts accepted reservations: "each LRMS has one queue for non-AR and one
// for AR tasks" (section 4.2), and the balance is "based on a number of tasks in
// queues of local schedulers" (section 4.4.2).
var (
	gridRandom    = gridLine{"Random", map[string]any{"local": "fcfs-bf", "batch": "random", "reservations": "random"}}
	gridLB        = gridLine{"LB", map[string]any{"local": "fcfs-bf", "batch": "load-balance", "reservations": "load-balance", "load": "reservations"}}
	gridMCT       = gridLine{"MCT", map[string]any{"local": "fcfs-bf", "batch": "load-balance", "reservations": "mct", "load": "reservations"}}
	gridPriority  = gridLine{"AR resource priority", map[string]any{"local": "fcfs-bf", "batch": "load-balance", "reservations": "priority", "load": "reservations"}}
	gridPartition = gridLine{"Static", map[string]any{"local": "fcfs-bf", "batch": "load-balance", "reservations": "partition", "load": "reservations"}}
)

// gridAdd adds schedulers to an experiment. Those that draw nothing run once
// where the workload does not vary.
func gridAdd(e *experiment.Experiment, quick bool, lines ...gridLine) error {
	var errs []error
	for _, line := range lines {
		s, err := e.Add("grid")
		if err != nil {
			return err
		}
		s.Label = line.label
		for _, key := range []string{"local", "blocked", "period", "batch", "reservations", "tie", "delta", "slot", "mode", "binding", "end", "unused", "turn", "running", "load", "no-limit"} {
			if v, there := line.params[key]; there {
				errs = append(errs, s.SetParam(key, v))
			}
		}
		varies := e.Workload.Source.Generator != nil || e.Workload.Annotate.Reservations.Share > 0
		if varies || line.params["batch"] == "random" || line.params["reservations"] == "random" {
			s.Repeat = gridSeeds
			if quick {
				s.Repeat = 3
			}
		}
	}
	return errors.Join(errs...)
}

// gridMeasure is a column of a table.
type gridMeasure struct{ key, name, unit string }

var (
	gridU     = gridMeasure{"utilization", "mean U", ""} // providers are equal: that of the whole is the mean of equation 4
	gridF     = gridMeasure{"mean-flow", "mean F", "s"}
	gridD     = gridMeasure{"reservation-tardiness", "mean D", "s"}
	gridTurn  = gridMeasure{"submitted-flow", "mean F from submission", "s"}
	gridDelay = gridMeasure{"reservation-delay", "mean delay of reservations", "s"}
	gridIdle  = gridMeasure{"reserved-idle", "idle before reservations", "%"}
	gridBatch = gridMeasure{"batch-flow", "mean F of batch jobs", "s"}
	gridWait  = gridMeasure{"mean-wait", "mean wait", "s"}
	gridSpan  = gridMeasure{"makespan", "makespan", "s"}
)

// gridRows lists measures of each point and scheduler, with what the paper
// prints at the table of that key, and paired differences to the scheduler of
// index base, unless that is −1. Without providers and reservations equation 2
// is the mean turnaround.
func gridRows(results []Result, key string, base int, measures ...gridMeasure) []Row {
	var rows []Row
	for i := range results {
		r := &results[i]
		labels := r.Experiment.Labels()
		compared := r.Compare(max(0, base))
		for _, m := range measures {
			for s, label := range labels {
				metric := m.key
				if (metric == gridF.key || metric == gridTurn.key) && !gridHas(r, s, metric) {
					metric = "mean-turnaround"
				}
				for _, c := range compared {
					if c.Metric != metric || c.Scheduler != s {
						continue
					}
					row := Row{Label: r.Label, Column: label + ", " + m.name, Ours: c.Mean, Half: c.PlainHalf, Unit: m.unit}
					if r.Experiment.Workload.Source.Log != nil {
						row.Paper = printed(gridStudy+"-"+key, row.Label, row.Column)
					}
					rows = append(rows, row)
					if base >= 0 && s != base && c.Difference != nil && c.PlainHalf != nil {
						rows = append(rows, Row{Label: r.Label, Column: label + " − " + labels[base] + ", " + m.name, Ours: *c.Difference, Half: c.PlainDifferenceHalf, Unit: m.unit})
					}
				}
			}
		}
	}
	return rows
}

// gridHas says whether a scheduler's runs have a measure.
func gridHas(r *Result, scheduler int, key string) bool {
	for _, run := range r.of(scheduler) {
		for _, v := range run.Metrics {
			if v.Key == key {
				return v.Valid
			}
		}
	}
	return false
}

// gridPoint is an experiment of a sweep.
func gridPoint(label string, quick bool, e *experiment.Experiment, err error, lines ...gridLine) (Point, error) {
	if err != nil {
		return Point{}, err
	}
	e.Title += ", " + label
	return Point{label, e}, gridAdd(e, quick, lines...)
}

// gridShares are points over shares of reservations in per cent.
func gridShares(log *experiment.Log, quick bool, part gridPart, step int, change func(*experiment.Experiment), lines ...gridLine) ([]Point, error) {
	if quick {
		step = 50
	}
	var shares []int
	for share := 0; share <= 100; share += step {
		shares = append(shares, share)
	}
	return over(shares, func(share int) (Point, error) {
		e, err := gridBase(log, part, 2, 64, float64(share)/100)
		if err == nil && change != nil && share > 0 {
			change(e)
		}
		return gridPoint(fmt.Sprintf("%d %% reservations", share), quick, e, err, lines...)
	})
}

// gridPreset makes one preset of the study.
func gridPreset(place, shows string, points func(log *experiment.Log, quick bool) ([]Point, error), rows func([]Result) []Row) Preset {
	return Preset{Key: gridStudy + "-" + place, Study: gridStudy, Cite: gridCite, Shows: shows, Log: gridLog, Sweep: &Sweep{Points: points, Rows: rows}}
}
