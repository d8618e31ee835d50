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
	return []Preset{
		figure("figure1a", "figure 1(a): jobs out of their deadline, over the time between arrivals", "out-of-deadline", "%"),
		figure("figure1b", "figure 1(b): system usage, over the time between arrivals", "system-usage", ""),
		figure("figure2a", "figure 2(a): slowdown, over the time between arrivals", "mean-slowdown", ""),
		table("table1", "figure 2(b), first table: licences in use, over the licence ratio", "licence-usage", "%"),
		table("table2", "figure 2(b), second table: jobs out of their deadline, over the licence ratio", "out-of-deadline", "%"),
	}
}()

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
				rows = append(rows, Row{Label: r.Label, Column: labels[c.Scheduler], Ours: c.Mean, Half: c.Half, Unit: unit})
			}
		}
		for _, pair := range [][2]int{{2, 1}, {3, 1}, {3, 2}} {
			for _, c := range r.Compare(pair[1]) {
				if c.Metric == metric && c.Scheduler == pair[0] && c.Difference != nil {
					rows = append(rows, Row{Label: r.Label, Column: labels[pair[0]] + " − " + labels[pair[1]], Ours: *c.Difference, Half: c.DifferenceHalf, Unit: unit})
				}
			}
		}
	}
	return rows
}
