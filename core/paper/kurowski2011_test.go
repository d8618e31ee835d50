package paper

import (
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// A strategy that is worse in one criterion and better in none is dominated; one
// that is better in one is not, nor are two that are equal.
func TestTradeOffFront(t *testing.T) {
	e := experiment.New()
	for _, label := range []string{"a", "b", "c", "d"} {
		s, err := e.Add("grid")
		if err != nil {
			t.Fatal(err)
		}
		s.Label = label
	}
	r := Result{Point: Point{"30 % reservations", e}, Compare: func(int) []report.Comparison { return nil }}
	for s, v := range [][3]float64{{.7, 100, 10}, {.7, 110, 10}, {.6, 90, 50}, {.7, 100, 10}} {
		r.Runs = append(r.Runs, &report.Run{Scheduler: s, Metrics: []report.Value{
			{Key: "utilization", Value: v[0], Valid: true}, {Key: "mean-flow", Value: v[1], Valid: true}, {Key: "reservation-tardiness", Value: v[2], Valid: true}}})
	}
	want := []float64{1, 0, 1, 1}
	for i, row := range gridTradeOffRows([]Result{r}) {
		if row.Ours != want[i] || row.Column != r.Experiment.Labels()[i]+", not dominated" {
			t.Errorf("%+v, want %v", row, want[i])
		}
	}
}
