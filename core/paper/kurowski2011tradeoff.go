package paper

import (
	"batchlab/core/experiment"
	"batchlab/core/metric"
)

// gridTradeOff sets the three criteria against each other over the share of
// reservations, for all strategies (section 5.5: "finding a trade-off among
// utilization, mean flow time and tardiness").
func gridTradeOff(log *experiment.Log, quick bool) ([]Point, error) {
	return gridBoth(log, quick, gridLate, 10, nil, gridMCT, gridRandom, gridLB, gridPriority, gridPartition)
}

// gridCriteria are those of section 4.3, with the way that is better.
var gridCriteria = []struct {
	gridMeasure
	better float64
}{{gridU, 1}, {gridF, -1}, {gridD, -1}}

// gridTradeOffRows lists the criteria, and for each share which strategies are
// not dominated there: no other one is at least as good in all criteria and better in one,
// by their means.
func gridTradeOffRows(results []Result) []Row {
	rows := gridRows(results, "", -1, gridU, gridF, gridD)
	for i := range results {
		r := &results[i]
		labels := r.Experiment.Labels()
		means := make([][]float64, len(labels))
		for s := range labels {
			for _, c := range gridCriteria {
				key := c.key
				if key == gridF.key && !gridHas(r, s, key) {
					key = "mean-turnaround"
				}
				means[s] = append(means[s], c.better*gridMean(r, s, key))
			}
		}
		for s, label := range labels {
			row := Row{Label: r.Label, Column: label + ", not dominated", Ours: 1}
			for o := range labels {
				if gridDominates(means[o], means[s]) {
					row.Ours = 0
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// gridDominates says whether a is nowhere worse than b and somewhere better;
// more is better.
func gridDominates(a, b []float64) bool {
	better := false
	for k := range a {
		if a[k] < b[k] {
			return false
		}
		better = better || a[k] > b[k]
	}
	return better
}

// gridMean is the mean of a measure over the repetitions of a scheduler, 0 where
// it does not exist.
func gridMean(r *Result, scheduler int, key string) float64 {
	var values []float64
	for _, run := range r.of(scheduler) {
		if v, ok := run.Measure(key); ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return 0
	}
	mean, _, _ := metric.MeanCI(values)
	return mean
}

// gridProviders lists the criteria provider by provider.
func gridProviders(results []Result) []Row {
	var rows []Row
	for i := range results {
		r := &results[i]
		for s, label := range r.Experiment.Labels() {
			values, names := map[string][5][]float64{}, []string(nil)
			for _, run := range r.of(s) {
				for _, p := range run.Providers {
					v, there := values[p.Name]
					if !there {
						names = append(names, p.Name)
					}
					v[0], v[1] = append(v[0], p.Utilization), append(v[1], p.MeanFlow)
					if p.Reservations > 0 {
						v[2] = append(v[2], p.MeanTardiness)
					}
					v[3], v[4] = append(v[3], float64(p.Rejected)), append(v[4], 100*p.Idle)
					values[p.Name] = v
				}
			}
			for _, name := range names {
				for k, m := range [...]gridMeasure{{"", "mean U", ""}, {"", "mean F", "s"}, {"", "mean D", "s"}, {"", "rejections", ""}, {"", "idle before reservations", "%"}} {
					if len(values[name][k]) > 0 {
						rows = append(rows, meanRow(r.Label, label+", "+name+", "+m.name, m.unit, values[name][k]))
					}
				}
			}
		}
	}
	return rows
}

// gridOver lists F and D over other jobs than equations 2 and 3 name: F over the
// reservations alone, D over all jobs, in which batch jobs are never late, and over
// the late reservations alone.
func gridOver(results []Result) []Row {
	var rows []Row
	for i := range results {
		r := &results[i]
		for s, label := range r.Experiment.Labels() {
			var values [4][]float64
			for _, run := range r.of(s) {
				var jobs, reserved, late int
				var flow, tardiness float64
				for _, p := range run.Providers {
					jobs, reserved, late = jobs+p.Jobs, reserved+p.Reservations, late+p.Late
					flow += p.MeanFlow * float64(p.Jobs)
					tardiness += p.MeanTardiness * float64(p.Reservations)
				}
				if reserved == 0 || late == 0 {
					continue
				}
				flow -= measured(run, gridBatch.key) * float64(jobs-reserved)
				for k, v := range [...]float64{flow / float64(reserved), tardiness / float64(jobs), tardiness / float64(late), 100 * float64(late) / float64(reserved)} {
					values[k] = append(values[k], v)
				}
			}
			for k, m := range [...]gridMeasure{{"", "mean F of reservations", "s"}, {"", "mean D over all jobs", "s"}, {"", "mean D of late reservations", "s"}, {"", "late reservations", "%"}} {
				if len(values[k]) > 0 {
					rows = append(rows, meanRow(r.Label, label+", "+m.name, m.unit, values[k]))
				}
			}
		}
	}
	return rows
}
