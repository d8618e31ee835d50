package foresight

import (
	"math"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
)

// sample is a run of four jobs, the last of which nothing was predicted of.
func sample() *draw.Data {
	run := &report.Run{Key: "foresight"}
	run.Columns = report.Columns{
		Start: []model.Time{0, 100, 200, 300}, End: []model.Time{100, 300, 1000, 400},
		Record: report.Record{
			Foretold: []model.Time{200, 100, 800, 0}, Retold: []model.Time{200, 150, 800, 0},
			Choices: []report.Choice{{At: 10, Order: 0, Queue: 2, Costs: [5]float64{4, 5, 3.99, 6, 8}}, {At: 700, Order: 2, Queue: 3, Costs: [5]float64{6, 5, 2, 6, 8}}},
		},
	}
	return &draw.Data{Names: []string{"F2"}, Shown: []*report.Run{run}, Foretells: []bool{true}, Theme: draw.Colours(false), Tau: 10, B: -1, Base: -1, Jobs: &report.Jobs{
		Number: []int64{1, 2, 3, 4}, Submit: []model.Time{0, 10, 20, 30}, Limit: []model.Time{400, 400, 8000, 100},
		Procs: []int32{1, 1, 1, 1}, User: []int32{1, 1, 2, 2},
	}}
}

// Intent: the sentence and the charts say of four jobs what can be computed by
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
	chosen := Chosen(d)
	if y := chosen.Sets[2].Y; len(y) != 1 || y[0] != 0.5 {
		t.Errorf("%v", y)
	}
	if l := chosen.Figure(400, 300).Layers; len(l) != 5 || l[0].Y[0] != 0.5 || l[2].Low[0] != 0.5 || l[2].Y[0] != 1 || l[4].Y[0] != 1 {
		t.Errorf("the shares do not stand on one another: %+v", l)
	}
	if k := Clearest(d); k != 1 {
		t.Errorf("choice %d is the clearest", k)
	}
	if s := OneSentence(d, 1); !strings.Contains(s, "Choice 2 of 2, day 0, 3\u00a0jobs waiting: p̂ q^1.5, at 2; p̂ q would cost 6") {
		t.Errorf("%q", s)
	}
	if one := One(d, 1).Figure(400, 300); len(one.Table.Cells) != 5 || one.Table.Raw[4][0] != "chosen" || one.Table.Raw[4][2] != "2" {
		t.Errorf("%+v", one.Table)
	}
	if s := ChoicesSentence(d); !strings.Contains(s, "2\u00a0choices") || !strings.Contains(s, "p̂ q^1.5 50") {
		t.Errorf("%q", s)
	}
	all := d.Shown[0].Columns.Choices
	d.Shown[0].Columns.Choices = nil
	if s := ChoicesSentence(d); !strings.HasPrefix(s, "No rollouts") {
		t.Errorf("%q", s)
	}
	d.Shown[0].Columns.Choices = all
	d.Names, d.Shown, d.Foretells, d.A = []string{"SAF", "F2"}, []*report.Run{{}, d.Shown[0]}, []bool{false, true}, 0
	if s := Sentence(d); !strings.Contains(s, "under B F2") {
		t.Errorf("with a run looked at that foretells nothing: %q", s)
	}
	d.Shown, d.Foretells = d.Shown[1:], d.Foretells[1:]
	d.Shown[0].Columns.Record = report.Record{}
	for _, empty := range []*draw.Result{Truth(d, false), Error(d), ByUser(d), Costs(d), Chosen(d), One(d, 0)} {
		if f := empty.Figure(400, 300); f.Aria == "" && len(f.Panels) > 0 {
			t.Error("a chart of nothing says nothing")
		}
	}
	if s := Sentence(d); !strings.Contains(s, "it runs once more") {
		t.Errorf("%q", s)
	}
	if s := ChoicesSentence(d); s != "" {
		t.Errorf("before anything is known of choices: %q", s)
	}
	d.Foretells[0] = false
	if s := Sentence(d); !strings.Contains(s, "there are no predictions") {
		t.Errorf("%q", s)
	}
}
