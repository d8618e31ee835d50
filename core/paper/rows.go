package paper

import (
	"batchlab/core/metric"
	"batchlab/core/report"
)

// over is a point of each of some values.
func over[T any](values []T, point func(T) (Point, error)) ([]Point, error) {
	return across([]int{0}, values, func(_ int, v T) (Point, error) { return point(v) })
}

// across is a point of each of some values with each of others.
func across[A, B any](outer []A, inner []B, point func(A, B) (Point, error)) ([]Point, error) {
	var points []Point
	for _, a := range outer {
		for _, b := range inner {
			p, err := point(a, b)
			if err != nil {
				return nil, err
			}
			points = append(points, p)
		}
	}
	return points, nil
}

// meanRow is the mean of values, with its 95 % interval where there are several.
func meanRow(label, column, unit string, values []float64) Row {
	mean, half, n := metric.MeanCI(values)
	row := Row{Label: label, Column: column, Ours: mean, Unit: unit}
	if n > 1 {
		row.Half = &half
	}
	return row
}

// of are the runs of a scheduler.
func (r *Result) of(scheduler int) (list []*report.Run) {
	for _, run := range r.Runs {
		if run.Scheduler == scheduler {
			list = append(list, run)
		}
	}
	return list
}

// mean is a measure of a scheduler, of a comparison of all; nothing where it does not exist.
func (r *Result) mean(list []report.Comparison, key string, scheduler int, column, unit string) (rows []Row) {
	for _, c := range list {
		if c.Metric == key && c.Scheduler == scheduler {
			rows = append(rows, Row{Label: r.Label, Column: column, Ours: c.Mean, Half: c.PlainHalf, Unit: unit})
		}
	}
	return rows
}

// difference is what a measure of a scheduler has above that of the comparison's baseline,
// pair by pair; nothing where there is no pair.
func (r *Result) difference(list []report.Comparison, key string, scheduler int, column, unit string) (rows []Row) {
	for _, c := range list {
		if c.Metric == key && c.Scheduler == scheduler && c.Difference != nil {
			rows = append(rows, Row{Label: r.Label, Column: column, Ours: *c.Difference, Half: c.PlainDifferenceHalf, Unit: unit})
		}
	}
	return rows
}
