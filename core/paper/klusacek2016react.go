package paper

import (
	"slices"
	"sort"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
)

const (
	usersStudy = "klusacek2016"
	usersCite  = "D. Klusáček and V. Chlumský, Planning and Metaheuristic Optimization in Production Job Scheduler, JSSPP, 2016"
	// usersSeeds is how often the study repeats what draws random numbers.
	usersSeeds = 20
	// usersWait is the mean wait of Plan-RS that the study prints, 1.6 hours.
	usersWait = 1.6 * 3600
)

// klusacek2016users are the study's figures of its section 4.3, where users
// react: Orig-BF and Plan-RS on any log with users. The same with replayed
// submissions stands beside them, so that the effect of feedback can be seen.
// The study's own log (CERIT, January to April 2015) is not available.
var klusacek2016users = func() []Preset {
	figure := func(place, shows string, rows func(*report.Run) []usersValue) Preset {
		of := usersStudy + "-" + place
		if place == "users" {
			of = usersStudy + "-figure6" // which is among them, and alone has printed numbers
		}
		return Preset{
			Key: usersStudy + "-" + place, Study: usersStudy, Cite: usersCite, Shows: shows, Any: true,
			Sweep: &Sweep{Points: usersPoints, Rows: func(results []Result) []Row { return usersRows(of, results, rows) }},
		}
	}
	return []Preset{
		figure("figure1", "figure 1: utilization, waits and bounded slowdowns before and after the new scheduler, replayed and reacting", usersDeployed),
		figure("figure6", "figure 6: waits and bounded slowdowns of Orig-BF and Plan-RS, with replayed submissions and with users who react", usersWaits),
		figure("figure7", "figure 7: normalised user wait times (NUWT), replayed and reacting", usersFairness),
		figure("figure8", "figure 8: dissatisfaction of users, replayed and reacting", usersComplaints),
		figure("users", "figures 6 to 8 together: waits with their tail, fairness and dissatisfaction, replayed and reacting", func(r *report.Run) []usersValue {
			return slices.Concat(usersWaits(r), usersFairness(r), usersComplaints(r))
		}),
	}
}()

// wholeLog is an experiment on all of a log, or on the stand-in.
func wholeLog(log *experiment.Log, title string) *experiment.Experiment {
	e := experiment.New()
	e.Title = title
	if log == nil {
		e.Workload.Source.Bundled = "overload"
		return e
	}
	ref := *log
	e.Workload.Source.Log = &ref
	if strings.HasPrefix(ref.Name, "CERIT-SC") { // which states no size of its machines
		e.Platform.Generator, _ = experiment.NewMachines("cerit-sc")
	}
	return e
}

// usersPoints are the two experiments: replayed, and with users who react and
// keep their hours, as those of the study's simulator do.
func usersPoints(log *experiment.Log, quick bool) ([]Point, error) {
	var points []Point
	for _, label := range []string{"replay", "react"} {
		e := wholeLog(log, "Orig-BF and Plan-RS, "+label)
		if label == "react" {
			e.Workload.React = experiment.Defaults(catalog.ReactParams)
			for i := range e.Workload.React {
				if e.Workload.React[i].Key == "rhythm" {
					e.Workload.React[i].Value = "daily"
				}
			}
		}
		if _, err := e.Add("orig-bf"); err != nil {
			return nil, err
		}
		plan, err := e.Add("plan-rs")
		if err != nil {
			return nil, err
		}
		plan.Repeat = usersSeeds
		if quick {
			plan.Repeat = 2
		}
		points = append(points, Point{label, e})
	}
	return points, nil
}

// usersValue is one number of a run.
type usersValue struct {
	column, unit string
	value        float64
}

// usersRows lists means over the repetitions beside what the preset of that key prints, with intervals where there are
// several.
func usersRows(key string, results []Result, of func(*report.Run) []usersValue) []Row {
	var rows []Row
	for i := range results {
		r := &results[i]
		for s := range r.Experiment.Schedulers {
			var names []usersValue
			var values [][]float64
			for _, run := range r.of(s) {
				names = of(run)
				if values == nil {
					values = make([][]float64, len(names))
				}
				for k := range names {
					values[k] = append(values[k], names[k].value)
				}
			}
			for k := range names {
				row := meanRow(r.Label+", "+r.Experiment.Labels()[s], names[k].column, names[k].unit, values[k])
				row.Paper = printed(key, row.Label, row.Column)
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// measured returns a measure of a run, 0 where it does not exist.
func measured(r *report.Run, key string) float64 {
	v, _ := r.Measure(key)
	return v
}

func usersWaits(r *report.Run) []usersValue {
	at := sort.Search(len(r.Waits.At), func(i int) bool { return r.Waits.At[i] > usersWait })
	share := 0.0
	if at > 0 {
		share = 100 * r.Waits.Share[at-1]
	}
	return []usersValue{
		{"mean wait", "s", measured(r, "mean-wait")},
		{"mean bounded slowdown", "", measured(r, "mean-bounded-slowdown")},
		{"jobs that wait at most 1.6 h", "%", share},
		{"longest wait", "h", measured(r, "max-wait") / 3600},
		{"99th percentile of the wait", "h", measured(r, "p99-wait") / 3600},
		{"standard deviation of the wait", "h", measured(r, "std-wait") / 3600},
		{"makespan", "s", measured(r, "makespan")},
		{"utilization", "", measured(r, "utilization")},
	}
}

// usersDeployed gives what figure 1 draws, with the standard deviations of its bars.
func usersDeployed(r *report.Run) []usersValue {
	return []usersValue{
		{"utilization", "", measured(r, "utilization")},
		{"mean wait", "s", measured(r, "mean-wait")},
		{"standard deviation of the wait", "s", measured(r, "std-wait")},
		{"mean bounded slowdown", "", measured(r, "mean-bounded-slowdown")},
		{"standard deviation of the bounded slowdown", "", measured(r, "std-bounded-slowdown")},
	}
}

// usersFairness gives mean and standard deviation over the users of NUWT: a
// user's total wait divided by what the user's jobs have consumed.
func usersFairness(r *report.Run) []usersValue {
	users, below := 0, 0
	for _, u := range r.Users {
		if u.User < 0 {
			continue
		}
		users++
		if float64(u.MeanWait*float64(u.Jobs)) < float64(max(1, u.Area)) {
			below++
		}
	}
	return []usersValue{
		{"mean NUWT", "", measured(r, "mean-nuwt")},
		{"standard deviation of NUWT", "", measured(r, "std-nuwt")},
		{"users with NUWT below 1", "%", float64(100*below) / float64(max(1, users))},
	}
}

func usersComplaints(r *report.Run) []usersValue {
	return []usersValue{
		{"complaints", "jobs", measured(r, "complaints")},
		{"complaining users", "users", measured(r, "complaining-users")},
		{"mean seriousness", "", measured(r, "mean-complaint")},
		{"greatest seriousness", "", measured(r, "max-complaint")},
	}
}
