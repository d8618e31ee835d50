package paper

import (
	"errors"
	"fmt"

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
				return over(farmArrivals, func(at float64) (Point, error) { return farmPoint(fmt.Sprintf("inter-arrival %g", at), at, nil, quick) })
			}, Rows: func(results []Result) []Row { return farmRows(results, metric, unit) }},
		}
	}
	table := func(place, shows, metric, unit string) Preset {
		p := figure(place, shows, metric, unit)
		p.Sweep.Points = func(_ *experiment.Log, quick bool) ([]Point, error) {
			return over(farmRatios, func(ratio [2]float64) (Point, error) {
				return farmPoint(farmRatio(ratio), farmTableArrival, &ratio, quick)
			})
		}
		return p
	}
	usage := figure("figure1b", "figure 1(b): system usage, over the time between arrivals", "system-usage", "")
	usage.Sweep.Rows = farmNamed([]farmMeasure{{"system-usage", "", ""}, {"utilization", "true utilization, ", ""}}) // the printed measure exceeds 1
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

type farmWeighting struct {
	name   string
	params map[string]any
}

// farmWeights are sets of weights: the defaults with one of them changed, and the
// licence and the wait term by themselves.
var farmWeights = []farmWeighting{
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
	return across(farmWeightArrivals, farmWeights, func(at float64, w farmWeighting) (Point, error) {
		p, err := farmBackfilled(fmt.Sprintf("inter-arrival %g, %s", at, w.name), at, nil, quick)
		if err != nil {
			return p, err
		}
		for _, s := range []int{1, 2} {
			for key, v := range w.params {
				err = errors.Join(err, p.Experiment.Schedulers[s].SetParam(key, v))
			}
		}
		return p, err
	})
}

// farmBackfilled is farmPoint without FCFS, and with the paper's names of the others.
func farmBackfilled(label string, arrival float64, ratio *[2]float64, quick bool) (Point, error) {
	p, err := farmPoint(label, arrival, ratio, quick)
	if err == nil {
		p.Experiment.Schedulers = p.Experiment.Schedulers[1:]
		p.Experiment.Schedulers[1].Label, p.Experiment.Schedulers[2].Label = "BF_UNMOD", "BF_MOD"
	}
	return p, err
}

// farmRatio is the label of a range of licence ratios.
func farmRatio(ratio [2]float64) string {
	return fmt.Sprintf("licence ratio %.0f–%.0f %%", 100*ratio[0], 100*ratio[1])
}

// farmWeightRows lists the paired differences to BF_FCFS.
func farmWeightRows(results []Result) []Row {
	var rows []Row
	for i := range results {
		r := &results[i]
		labels, compared := r.Experiment.Labels(), r.Compare(0)
		for _, m := range []farmMeasure{{"out-of-deadline", "jobs out of their deadline", "%"}, {"system-usage", "system usage", ""},
			{"utilization", "true utilization", ""}, {"mean-slowdown", "slowdown", ""}, {"licence-usage", "licences in use", "%"}, {"max-wait", "longest wait", "s"}, {"mean-wait", "mean wait", "s"}} {
			for s := 1; s < len(labels); s++ {
				rows = append(rows, r.difference(compared, m.key, s, labels[s]+" − BF_FCFS, "+m.name, m.unit)...)
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
	return Point{label, e}, errors.Join(err, farmSchedulers(e, repeat))
}

// farmSchedulers are the four of the study, of so many repetitions.
func farmSchedulers(e *experiment.Experiment, repeat int64) error {
	for _, key := range []string{"fcfs", "easy", "bf-unmod", "bf-mod"} {
		s, err := e.Add(key)
		if err != nil {
			return err
		}
		if s.Repeat = repeat; key == "easy" {
			s.Label = "BF_FCFS"
		}
	}
	return nil
}

// farmRows lists one measure of the four schedulers at each point, and the
// paired differences in which the study is interested. Its figures stand in
// pictures that our text does not hold: there are no numbers of the paper.
func farmRows(results []Result, metric, unit string) []Row {
	var rows []Row
	for i := range results {
		r := &results[i]
		labels, compared := r.Experiment.Labels(), r.Compare(1)
		for s, label := range labels {
			rows = append(rows, r.mean(compared, metric, s, label, unit)...)
		}
		for _, pair := range [][2]int{{2, 1}, {3, 1}, {3, 2}} {
			if pair[1] == 2 {
				compared = r.Compare(2)
			}
			rows = append(rows, r.difference(compared, metric, pair[0], labels[pair[0]]+" − "+labels[pair[1]], unit)...)
		}
	}
	return rows
}

// farmMeasure is a measure with what stands before the schedulers' names.
type farmMeasure struct{ key, name, unit string }

// farmNamed is farmRows of several measures.
func farmNamed(measures []farmMeasure) func([]Result) []Row {
	return func(results []Result) (rows []Row) {
		for _, m := range measures {
			for _, r := range farmRows(results, m.key, m.unit) {
				r.Column = m.name + r.Column
				rows = append(rows, r)
			}
		}
		return rows
	}
}
