package state

import (
	"errors"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
)

// planner is an engine that shows plans when the test says so.
type planner struct {
	*fake
	asked   []model.Time
	answers []func(*report.Plan, error)
	stopped []int
}

func (p *planner) Plan(_ experiment.Experiment, _ int, at model.Time, _ int, done func(*report.Plan, error)) func() {
	i := len(p.asked)
	p.asked, p.answers = append(p.asked, at), append(p.answers, done)
	return func() { p.stopped = append(p.stopped, i); done(nil, errors.New("cancelled")) }
}

func (p *planner) Foresight(experiment.Experiment, int, func(*report.Foresight, error)) {}

// The plan of an instant is asked for once, kept when it is there, and given up
// for the next while it is not: then it is asked for again.
func TestWantPlan(t *testing.T) {
	p := &planner{fake: &fake{t: t}}
	s := New(p)
	s.Open(twoSchedulers(t), "", true)
	p.answer(&report.Preview{Jobs: 5, Processors: 10}, nil)
	p.finishWith(s, 0, starts(5), "")
	p.finishWith(s, 1, starts(5), "")
	s.Runs[1].Result.Key = "plan-rs"
	if s.WantPlan(0, 1, -1) != nil || s.WantPlan(7, 1, -1) != nil {
		t.Error("EASY has a plan")
	}
	first := s.WantPlan(1, 100, -1)
	if s.WantPlan(1, 100, -1) != first || len(p.asked) != 1 {
		t.Error("asked twice for the same")
	}
	p.answers[0](&report.Plan{At: 100}, nil)
	second := s.WantPlan(1, 200, -1)
	third := s.WantPlan(1, 300, -1)
	if len(p.stopped) != 1 || p.stopped[0] != 1 || third.Got != nil || third.Error != "" {
		t.Errorf("stopped %v, %+v", p.stopped, third)
	}
	if again := s.WantPlan(1, 200, -1); again == second || again.Error != "" || len(p.asked) != 4 {
		t.Errorf("what was given up is not asked for anew: %+v", again)
	}
	if s.WantPlan(1, 100, -1) != first || first.Got == nil {
		t.Error("what was there is not kept")
	}
}
