package paper

import (
	"errors"
	"fmt"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
)

const (
	hillStudy = "skrinarova2013"
	hillCite  = "J. Skrinarova, M. Krnac and P. Martincova, Implementation of Scheduling Algorithm in High-Performance Computer Cluster, 2013"
	hillSeeds = 20
)

// hillClusters are the study's testing clusters (table 1) and the most nodes and
// processors per node that jobs of its suites ask for there; the text prints no
// lengths and no sizes of jobs.
var hillClusters = []struct {
	name       string
	groups     []experiment.NodeGroup
	nodes, ppn int
	gap        float64 // mean seconds between arrivals in suite 2
}{
	{"cluster 1", []experiment.NodeGroup{{Count: 4, Processors: 1, Memory: 512 << 20, Disk: 6 << 30, Speed: 1}}, 4, 1, 400},
	{"cluster 2", []experiment.NodeGroup{{Count: 5, Processors: 2, Memory: 1 << 30, Disk: 100 << 30, Speed: 1}, {Count: 2, Processors: 1, Memory: 1 << 30, Disk: 100 << 30, Speed: 1}}, 4, 2, 250},
}

var skrinarova2013 = func() []Preset {
	figure := func(place, shows, key string, more bool) Preset {
		return Preset{
			Key: hillStudy + "-" + place, Study: hillStudy, Cite: hillCite, Shows: shows,
			Sweep: &Sweep{
				Points: func(_ *experiment.Log, quick bool) ([]Point, error) { return hillPoints(quick) },
				Rows:   func(results []Result) []Row { return hillRows(results, key, more) },
			},
		}
	}
	return []Preset{
		figure("figure6", "figure 6: completion of each series, and the work of making schedules", "makespan", true),
		figure("figure7", "figure 7: average turnaround of each series", "mean-turnaround", false),
		figure("figure8", "figure 8: maximal turnaround of each series", "max-turnaround", false),
		{Key: hillStudy + "-outages", Study: hillStudy, Cite: hillCite,
			Shows:   "conclusions: nodes fail, and the old schedule stays until the next job comes or is made anew at once, jobs that arrive",
			LookFor: "What it costs to keep the old schedule after an outage, which the paper calls a disadvantage of its program.",
			Sweep: &Sweep{Points: hillOutages, Rows: func(results []Result) []Row {
				return slices.Concat(hillAgainst(results, "mean-turnaround", "mean turnaround, "), hillAgainst(results, "max-turnaround", "longest turnaround, "))
			}}},
		{Key: hillStudy + "-restarts", Study: hillStudy, Cite: hillCite,
			Shows:   "hill climbing against local optima: one climb from the order of submission, one from a random order, and further ones from random orders, 60 jobs",
			LookFor: "Whether restarts end all jobs earlier than a single climb, which may stop in a local optimum.",
			Sweep:   &Sweep{Points: hillRestarts, Rows: func(results []Result) []Row { return hillAgainst(results, "makespan", "") }}},
	}
}()

// hillWay is a way to climb: parameters of hill climbing.
type hillWay struct {
	label  string
	params map[string]any
}

// hillWays is a series on both clusters under ways to climb, as far as the climb leads.
func hillWays(suite, series, jobs int, quick bool, ways []hillWay, change func(*Point) error) ([]Point, error) {
	return over([]int{0, 1}, func(cluster int) (Point, error) {
		p, err := hillPoint(cluster, suite, series, jobs, quick)
		if err != nil {
			return p, err
		}
		repeat := p.Experiment.Schedulers[0].Repeat
		p.Experiment.Schedulers = nil
		err = change(&p)
		for _, way := range ways {
			s, err2 := p.Experiment.Add("hill-climbing")
			if err = errors.Join(err, err2); err != nil {
				return p, err
			}
			s.Label, s.Repeat = way.label, repeat
			err = s.SetParam("evaluations", 0)
			for key, value := range way.params {
				err = errors.Join(err, s.SetParam(key, value))
			}
		}
		return p, err
	})
}

// hillRestarts are climbs on the largest series of suite 1.
func hillRestarts(_ *experiment.Log, quick bool) ([]Point, error) {
	return hillWays(1, 6, 60, quick, []hillWay{
		{"one climb", nil},
		{"one climb from a random order", map[string]any{"initial": "random"}},
		{"3 restarts", map[string]any{"restarts": 3}},
	}, func(*Point) error { return nil })
}

// hillOutages are jobs that arrive while each node fails every two hours and is away for
// ten minutes.
func hillOutages(_ *experiment.Log, quick bool) ([]Point, error) {
	return hillWays(2, 1, 40, quick, []hillWay{
		{"schedule made anew", nil},
		{"old schedule kept", map[string]any{"outage": "keep"}},
	}, func(p *Point) error {
		f := &experiment.Generator{Key: catalog.Failures[0].Key, Params: experiment.Defaults(catalog.Failures[0].Params)}
		p.Experiment.Platform.Failures = f
		p.Label += ", nodes fail"
		return errors.Join(f.SetParam("mtbf", 7200), f.SetParam("repair", 600))
	})
}

// hillAgainst lists a measure of each scheduler and its paired difference to the first.
func hillAgainst(results []Result, key, name string) []Row {
	var rows []Row
	for i := range results {
		r := &results[i]
		labels, compared := r.Experiment.Labels(), r.Compare(0)
		for s, label := range labels {
			rows = append(rows, r.mean(compared, key, s, name+label, "s")...)
			if s > 0 {
				rows = append(rows, r.difference(compared, key, s, name+label+" − "+labels[0], "s")...)
			}
		}
	}
	return rows
}

// hillPoints are the two suites on the two clusters: series of 10 to 60 jobs
// that are all present, and seven series of 40 jobs that arrive at random. Each
// is drawn again for each repetition, the same for all schedulers.
func hillPoints(quick bool) ([]Point, error) {
	type suite struct{ number, series, jobs int }
	var suites []suite
	for series := 1; series <= 6; series++ {
		suites = append(suites, suite{1, series, 10 * series})
	}
	for series := 1; series <= 7; series++ {
		suites = append(suites, suite{2, series, 40})
	}
	return across([]int{0, 1}, suites, func(cluster int, s suite) (Point, error) {
		return hillPoint(cluster, s.number, s.series, s.jobs, quick)
	})
}

func hillPoint(cluster, suite, series, jobs int, quick bool) (Point, error) {
	on := &hillClusters[cluster]
	e := experiment.New()
	label := fmt.Sprintf("%s, suite %d, series %d", on.name, suite, series)
	if suite == 1 {
		label = fmt.Sprintf("%s, suite 1, %d jobs", on.name, jobs)
	}
	e.Title = "Hill climbing: " + label
	e.Seed = uint64(100*(cluster+1) + 10*suite + series)
	g, err := experiment.NewGenerator("node-jobs")
	if err != nil {
		return Point{}, err
	}
	err = errors.Join(g.SetParam("jobs", jobs), g.SetParam("nodes-max", on.nodes), g.SetParam("ppn-max", on.ppn))
	if suite == 2 {
		err = errors.Join(err, g.SetParam("interarrival", on.gap))
	}
	e.Workload.Source.Generator = g
	e.Platform.Clusters = []experiment.Cluster{{Name: "cluster", Packing: "nodes", Groups: on.groups}}
	repeat := int64(hillSeeds)
	if quick {
		repeat = 3
	}
	for _, way := range []struct{ key, label, schedule string }{{"fcfs", "FIFO", ""}, {"hill-climbing", "Hill climbing", "remake"}, {"hill-climbing", "Hill climbing, extended", "extend"}, {"fcfs-bf", hillPassing, ""}} {
		if suite == 1 && way.schedule == "extend" {
			continue // one submission: the same
		}
		s, err2 := e.Add(way.key)
		if err2 != nil {
			return Point{}, err2
		}
		s.Label, s.Repeat = way.label, repeat
		if way.schedule != "" {
			err = errors.Join(err, s.SetParam("schedule", way.schedule), s.SetParam("evaluations", 0))
		}
	}
	return Point{label, e}, err
}

// hillPassing is the second control. The paper's FIFO is that of TORQUE "with
// several configurable options": one of them lets later jobs start where the
// first does not fit.
const hillPassing = "FIFO that lets later jobs pass"

// hillRows lists one measure of the schedulers and the paired differences to
// both kinds of FIFO; the paper's own numbers stand in pictures that our text
// does not hold.
func hillRows(results []Result, key string, more bool) []Row {
	var rows []Row
	for i := range results {
		r := &results[i]
		labels := r.Experiment.Labels()
		rows = append(rows, hillAgainst(results[i:i+1], key, "")...)
		compared := r.Compare(len(labels) - 1)
		for s := 1; s < len(labels)-1; s++ {
			rows = append(rows, r.difference(compared, key, s, labels[s]+" − "+hillPassing, "s")...)
		}
		if !more {
			continue
		}
		for s := 1; s < len(labels); s++ {
			one := func(column, unit string, of func(o *report.Optimised) float64) {
				var values []float64
				for _, run := range r.of(s) {
					if run.Optimised != nil && run.Optimised.Calls > 0 {
						values = append(values, of(run.Optimised)/float64(run.Optimised.Calls))
					}
				}
				if len(values) > 0 {
					rows = append(rows, meanRow(r.Label, labels[s]+": "+column, unit, values))
				}
			}
			one("evaluations a schedule", "orders", func(o *report.Optimised) float64 { return float64(o.Iterations) })
			one("time to make a schedule (not reproducible)", "s", func(o *report.Optimised) float64 { return o.Seconds })
		}
	}
	return rows
}
