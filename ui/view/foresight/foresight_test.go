package foresight

import (
	"math"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
)

// sample is a run of four jobs, the last of which nothing was foretold of.
func sample() *draw.Data {
	run := &report.Run{Key: "foresight"}
	run.Columns = report.Columns{
		Start: []model.Time{0, 100, 200, 300}, End: []model.Time{100, 300, 1000, 400},
		Foretold: []model.Time{200, 100, 800, 0}, Retold: []model.Time{200, 150, 800, 0},
		Choices: []report.Choice{{At: 10, Order: 0, Queue: 2, Costs: [5]float64{4, 5, 3.99, 6, 8}}, {At: 700, Order: 2, Queue: 3, Costs: [5]float64{6, 5, 2, 6, 8}}},
	}
	return &draw.Data{Names: []string{"F2"}, Shown: []*report.Run{run}, B: -1, Base: -1, Jobs: &report.Jobs{
		Number: []int64{1, 2, 3, 4}, Submit: []model.Time{0, 10, 20, 30}, Limit: []model.Time{400, 400, 8000, 100},
		Procs: []int32{1, 1, 1, 1}, User: []int32{1, 1, 2, 2},
	}}
}

// Intent: the sentence and the charts say of four jobs what can be worked out by
// hand: predictions are off by 2, 2 and 1, requests by 4, 2 and 10.
func TestForesightByHand(t *testing.T) {
	d := sample()
	say := Sentence(d)
	for _, want := range []string{"3\u00a0jobs", "within a factor of 2.0", "within 4.0", "33"} {
		if !strings.Contains(say, want) {
			t.Errorf("%q does not say %q", say, want)
		}
	}
	truth := Truth(d, false)
	if s := truth.Sets[0]; len(s.X) != 3 || s.X[1] != 200 || s.Y[1] != 100 || Truth(d, true).Sets[0].Y[2] != 8000 {
		t.Errorf("%+v", truth.Sets[0])
	}
	users := ByUser(d)
	if len(users.Names) != 2 || users.Names[0] != "1" || users.Sets[0].Y[0] != 2 || users.Sets[1].Y[0] != 3 || users.Sets[0].Y[1] != 1 {
		t.Errorf("%+v", users)
	}
	costs := Costs(d)
	if y := costs.Sets[2].Y; len(y) != 1 || math.Abs(y[0]-5.99/10) > 1e-12 {
		t.Errorf("%v", y)
	}
	if y := Chosen(d).Sets[2].Y; len(y) != 1 || y[0] != 0.5 {
		t.Errorf("%v", y)
	}
	if s := ChoicesSentence(d); !strings.Contains(s, "2\u00a0choices") || !strings.Contains(s, "p̂ q^1.5 50") {
		t.Errorf("%q", s)
	}
	d.Names, d.Shown, d.A = []string{"SAF", "F2"}, []*report.Run{{}, d.Shown[0]}, 0
	if s := Sentence(d); !strings.Contains(s, "under B F2") {
		t.Errorf("with a run looked at that foretells nothing: %q", s)
	}
	d.Shown = d.Shown[1:]
	d.Shown[0].Columns.Foretold, d.Shown[0].Columns.Choices = nil, nil
	for _, empty := range []*draw.Result{Truth(d, false), Error(d), ByUser(d), Costs(d)} {
		if f := empty.Figure(400, 300); f.Aria == "" && len(f.Panels) > 0 {
			t.Error("a chart of nothing says nothing")
		}
	}
	if s := Sentence(d); !strings.Contains(s, "nothing is foretold") {
		t.Errorf("%q", s)
	}
}
