package paper

import (
	"errors"
	"fmt"
	"strconv"

	"batchlab/core/experiment"
)

const (
	farmStudy = "techiouba2008"
	farmCite  = "A. D. Techiouba, G. Capannini, R. Baraglia, D. Puppin, M. Pasquali and L. Ricci, Backfilling Strategies for Scheduling " +
		"Streams of Jobs on Computational Farms, in: Making Grids Work (CoreGRID), 2008"
)

// farmArrivals are the study's mean times between arrivals.
var farmArrivals = []float64{4, 6, 12, 24, 48}

// farmRatios are the ranges of the parameter License Ratio in the tables of
// figure 2(b). The text that we have does not hold them; 50–70 % is that of the
// other figures.
var farmRatios = [][2]float64{{0.1, 0.3}, {0.3, 0.5}, {0.5, 0.7}, {0.7, 0.9}}

// farmTableArrival is the mean time between arrivals in these tables, which is
// not in the text either: the middle one.
const farmTableArrival = 12

// techiouba2008 are the study's figures.
var techiouba2008 = func() []Preset {
	figure := func(place, shows, metric, unit string) Preset {
		return Preset{
			Key: farmStudy + "-" + place, Study: farmStudy, Cite: farmCite, Shows: shows,
			Sweep: &Sweep{Points: func(_ *experiment.Log, quick bool) ([]Point, error) {
				var points []Point
				for _, at := range farmArrivals {
					p, err := farmPoint("inter-arrival "+strconv.FormatFloat(at, 'f', -1, 64), at, nil, quick)
					if err != nil {
						return nil, err
					}
					points = append(points, p)
				}
				return points, nil
			}, Rows: func(results []Result) []Row { return farmRows(results, metric, unit) }},
		}
	}
	table := func(place, shows, metric, unit string) Preset {
		p := figure(place, shows, metric, unit)
		p.Sweep.Points = func(_ *experiment.Log, quick bool) ([]Point, error) {
			var points []Point
			for _, ratio := range farmRatios {
				p, err := farmPoint(fmt.Sprintf("licence ratio %.0f–%.0f %%", 100*ratio[0], 100*ratio[1]), farmTableArrival, &ratio, quick)
				if err != nil {
					return nil, err
				}
				points = append(points, p)
			}
			return points, nil
		}
		return p
	}
	usage := figure("figure1b", "figure 1(b): system usage, over the time between arrivals", "system-usage", "")
	usage.Sweep.Rows = func(results []Result) []Row {
		rows := farmRows(results, "system-usage", "")
		for _, r := range farmRows(results, "utilization", "") { // the printed measure exceeds 1
			r.Column = "true utilization, " + r.Column
			rows = append(rows, r)
		}
		return rows
	}
	return []Preset{
		figure("figure1a", "figure 1(a): jobs out of their deadline, over the time between arrivals", "out-of-deadline", "%"),
		usage,
		figure("figure2a", "figure 2(a): slowdown, over the time between arrivals", "mean-slowdown", ""),
		table("table1", "figure 2(b), first table: licences in use, over the licence ratio", "licence-usage", "%"),
		table("table2", "figure 2(b), second table: jobs out of their deadline, over the licence ratio", "out-of-deadline", "%"),
		{Key: farmStudy + "-weights", Study: farmStudy, Cite: farmCite, Shows: "what the weights decide: late jobs, system usage, utilization, slowdown and licences under eleven sets of weights, which the paper does not print",
			Sweep: &Sweep{Points: farmWeightPoints, Rows: farmWeightRows}},
	}
}()

// farmWeights are sets of weights: the defaults with one of them changed, and the
// licence and the wait term by themselves.
var farmWeights = []struct {
	name   string
	params map[string]any
}{
	{"the defaults", nil},
	{"no deadline term", map[string]any{"deadline": 0.0}},
	{"deadline × 5", map[string]any{"deadline": 5.0}},
	{"no aging", map[string]any{"aging": 0.0}},
	{"aging × 10", map[string]any{"aging": 0.1}},
	{"no licence term", map[string]any{"licences": 0.0}},
	{"licence term alone", map[string]any{"licences": 1.0, "deadline": 0.0, "aging": 0.0, "wait": 0.0}},
	{"no wait term", map[string]any{"wait": 0.0}},
	{"wait × 10", map[string]any{"wait": 20.0}},
	{"k = 2", map[string]any{"k": 2.0}},
	{"wait term alone", map[string]any{"licences": 0.0, "deadline": 0.0, "aging": 0.0}},
}

// farmWeightArrivals are those at which the weights are looked at.
var farmWeightArrivals = []float64{4, 12, 24}

// farmWeightPoints are the sets of weights at three times between arrivals, under
// BF_FCFS, BF_UNMOD and BF_MOD.
func farmWeightPoints(_ *experiment.Log, quick bool) ([]Point, error) {
	var points []Point
	for _, at := range farmWeightArrivals {
		for _, w := range farmWeights {
			p, err := farmPoint(fmt.Sprintf("inter-arrival %g, %s", at, w.name), at, nil, quick)
			if err != nil {
				return nil, err
			}
			p.Experiment.Schedulers = p.Experiment.Schedulers[1:] // FCFS has no part in it
			p.Experiment.Schedulers[1].Label, p.Experiment.Schedulers[2].Label = "BF_UNMOD", "BF_MOD"
			for _, key := range []string{"aging", "deadline", "k", "licences", "wait"} {
				for s := 1; s < len(p.Experiment.Schedulers); s++ {
					if v, there := w.params[key]; there {
						err = errors.Join(err, p.Experiment.Schedulers[s].SetParam(key, v))
					}
				}
			}
			if err != nil {
				return nil, err
			}
			points = append(points, p)
		}
	}
	return points, nil
}

// farmWeightRows lists the paired differences to BF_FCFS.
func farmWeightRows(results []Result) []Row {
	var rows []Row
	for i := range results {
		r := &results[i]
		labels := r.Experiment.Labels()
		for _, m := range []struct{ key, name, unit string }{{"out-of-deadline", "jobs out of their deadline", "%"}, {"system-usage", "system usage", ""},
			{"utilization", "true utilization", ""}, {"mean-slowdown", "slowdown", ""}, {"licence-usage", "licences in use", "%"}, {"max-wait", "longest wait", "s"}, {"mean-wait", "mean wait", "s"}} {
			for _, c := range r.Compare(0) {
				if c.Metric == m.key && c.Scheduler > 0 && c.Difference != nil {
					rows = append(rows, Row{Label: r.Label, Column: labels[c.Scheduler] + " − BF_FCFS, " + m.name, Ours: *c.Difference, Half: c.PlainDifferenceHalf, Unit: m.unit})
				}
			}
		}
	}
	return rows
}

// farmPoint is the study's experiment at one time between arrivals: 20
// repetitions, each with jobs and machines of its own, the same for the four
// schedulers.
func farmPoint(label string, arrival float64, ratio *[2]float64, quick bool) (Point, error) {
	e := experiment.New()
	e.Title = "Farm of 100 machines, " + label
	repeat := int64(20)
	if quick {
		repeat = 4
	}
	jobs, err := experiment.NewGenerator("farm")
	if err != nil {
		return Point{}, err
	}
	machines, err2 := experiment.NewMachines("farm-machines")
	if err2 != nil {
		return Point{}, err2
	}
	err = jobs.SetParam("interarrival", arrival)
	if ratio != nil {
		err = errors.Join(err, machines.SetParam("copies-min", ratio[0]), machines.SetParam("copies-max", ratio[1]))
	}
	e.Workload.Source.Generator = jobs
	e.Workload.Annotate.Deadlines.Share = 0.7
	e.Workload.Annotate.Licences = []experiment.LicenceRule{{Licence: "*", Share: 0.3, Copies: 1}}
	e.Platform.Generator = machines
	for _, key := range []string{"fcfs", "easy", "bf-unmod", "bf-mod"} {
		s, err3 := e.Add(key)
		if err3 != nil {
			return Point{}, err3
		}
		s.Repeat = repeat
		if key == "easy" {
			s.Label = "BF_FCFS"
		}
	}
	return Point{label, e}, err
}

// farmRows lists one measure of the four schedulers at each point, and the
// paired differences in which the study is interested. Its figures stand in
// pictures that our text does not hold: there are no numbers of the paper.
func farmRows(results []Result, metric, unit string) []Row {
	var rows []Row
	for i := range results {
		r := &results[i]
		labels := r.Experiment.Labels()
		for _, c := range r.Compare(0) {
			if c.Metric == metric {
				rows = append(rows, Row{Label: r.Label, Column: labels[c.Scheduler], Ours: c.Mean, Half: c.PlainHalf, Unit: unit})
			}
		}
		for _, pair := range [][2]int{{2, 1}, {3, 1}, {3, 2}} {
			for _, c := range r.Compare(pair[1]) {
				if c.Metric == metric && c.Scheduler == pair[0] && c.Difference != nil {
					rows = append(rows, Row{Label: r.Label, Column: labels[pair[0]] + " − " + labels[pair[1]], Ours: *c.Difference, Half: c.PlainDifferenceHalf, Unit: unit})
				}
			}
		}
	}
	return rows
}
