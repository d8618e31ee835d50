package state

import (
	"errors"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/engine"
	"batchlab/ui/look"
)

// stepper is an engine that tells instants when it is let.
type stepper struct {
	*fake
	asked []engine.StepAsk
	done  []func(*tell.Step, error)
	given int
}

func (e *stepper) Step(_ experiment.Experiment, _ int, ask engine.StepAsk, done func(*tell.Step, error)) func() {
	e.asked, e.done = append(e.asked, ask), append(e.done, done)
	return func() { e.given++ }
}

// An instant is asked for once, by its index or its time; one that is awaited is
// given up for another, unless both are wanted; faults are told.
func TestWantStep(t *testing.T) {
	e := &stepper{fake: &fake{t: t}}
	s := New(e)
	s.Open(twoSchedulers(t), "", true)
	e.answer(&report.Preview{Jobs: 5, Processors: 10}, nil)
	e.finishWith(s, 0, starts(5), "")
	at := func(index int) engine.StepAsk { return engine.StepAsk{Index: index, About: -1} }
	if s.WantStep(99, at(0), false) != nil {
		t.Error("there is no such run")
	}
	first := s.WantStep(0, at(3), false)
	if s.WantStep(0, at(3), false) != first || len(e.asked) != 1 || first.Done {
		t.Fatalf("asked %v", e.asked)
	}
	beside := s.WantStep(0, at(4), true)
	if e.given != 0 || beside == first {
		t.Error("the first was given up although both are wanted")
	}
	e.done[0](&tell.Step{Index: 3, Now: 300}, nil)
	e.done[1](nil, errors.New("cannot be told"))
	if !first.Done || first.Got.Now != 300 || beside.Error != "cannot be told" {
		t.Errorf("got %+v and %+v", first, beside)
	}
	if s.WantStep(0, engine.StepAsk{Index: -1, At: 300, About: -1}, false) != first {
		t.Error("the instant is not found by its time")
	}
	if s.WantStep(0, engine.StepAsk{Index: 3, About: -1, Truth: true}, false) == first {
		t.Error("with the truth it is another")
	}
	s.WantStep(0, at(9), false)
	if e.given != 1 {
		t.Errorf("%d were given up, 1 is no longer wanted", e.given)
	}
}

// A link opens at the instant that was stepped to.
func TestStepLink(t *testing.T) {
	f := &fake{t: t}
	s := New(f)
	s.Open(twoSchedulers(t), "", true)
	f.answer(&report.Preview{Jobs: 5, Processors: 10}, nil)
	f.finishWith(s, 0, starts(5), "")
	s.StepTo(model.Time(52800))
	text := s.Text()
	if !strings.Contains(text, "_s52800") || strings.Contains(text, "_i") {
		t.Fatalf("the view is %q", text)
	}
	v, err := look.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	s.View.Step, s.View.Instant, s.View.Tab = false, 0, "overview"
	s.show(v)
	if !s.View.Step || s.View.Instant != 52800 || s.View.Tab != "gantt" {
		t.Errorf("opened is %+v", s.View)
	}
	for _, want := range []look.View{{Pair: true}, {Truth: true, Told: 3}, {Told: 4, Chosen: 2}, {Pair: true, Truth: true, Chosen: -1}, {}} {
		s.Look(func(v *look.View) { v.Pair, v.Truth, v.Told, v.Chosen = want.Pair, want.Truth, want.Told, want.Chosen })
		l, err := look.Read(s.Text())
		if err != nil {
			t.Fatal(err)
		}
		s.Look(func(v *look.View) { v.Pair, v.Truth, v.Told, v.Chosen = !want.Pair, !want.Truth, 9, 9 })
		if s.show(l); s.View.Pair != want.Pair || s.View.Truth != want.Truth || s.View.Told != want.Told || s.View.Chosen != want.Chosen {
			t.Errorf("opened is %+v, want %+v", s.View, want)
		}
	}
}
