package eligible_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/eligible"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

// lacks reads off a finished schedule what a job waits for at an instant, before its
// pass, by the words of docs/simulation-rules.md.
func (t *twin) lacks(j int, now model.Time) (list []string, any bool) {
	g := &t.w.Gates[j]
	one := false
	var never int
	for _, d := range g.After {
		p := d.Job
		begun, over := t.start[p] < now, t.over[p] <= now // what a pass does is seen later
		at, lost := model.Never, false
		switch well := t.ran[p] && !t.w.Gates[p].Failed; {
		case d.On == model.Started && begun:
			at = max(t.start[p]+d.Delay, t.start[p]+1)
		case d.On == model.Started && over, d.On == model.Ended && over, d.On == model.OK && over && well, d.On == model.NotOK && over && !well:
			at = t.over[p] + d.Delay
		case over:
			lost = true
		}
		if at <= now {
			one = true
			continue
		}
		state, until := "in the queue", model.Never
		switch {
		case over:
			state = "over"
		case begun:
			state, until = "runs", t.start[p]+t.w.Jobs[p].Limit
		case t.w.Jobs[p].Submit > now:
			state = "to come"
		case t.eligible[p] > now:
			state = "held"
		}
		if lost {
			never++
		}
		list = append(list, fmt.Sprint(d.On, " of ", p+1, " ", state, " until ", until, " at ", at, " after ", d.Delay, " ", lost))
	}
	if g.Any && one {
		list, never = nil, 0
	}
	if g.Any && never < len(list) {
		list = slices.DeleteFunc(list, func(s string) bool { return strings.HasSuffix(s, "true") })
	}
	any = g.Any && len(list) > 1
	if g.Begin > now {
		list = append(list, fmt.Sprint("begins at ", g.Begin))
	}
	if len(list) == 0 {
		text := fmt.Sprint(g.Limit, " of its array:")
		for k := range t.w.Jobs {
			if t.w.Gates[k].Array == g.Array && t.eligible[k] <= now && t.over[k] > now {
				text += fmt.Sprint(" ", k+1)
			}
		}
		list = append(list, text)
	}
	return list, any
}

func read(f *tell.For) string {
	state := [...]string{tell.ToCome: "to come", tell.IsHeld: "held", tell.IsWaiting: "in the queue", tell.IsRunning: "runs", tell.IsOver: "over"}[f.State]
	until := model.Never
	if f.State == tell.IsRunning {
		until = f.Until
	}
	switch f.What {
	case tell.ForBegin:
		return fmt.Sprint("begins at ", f.At)
	case tell.ForPlace:
		text := fmt.Sprint(f.Most, " of its array:")
		for _, n := range f.By {
			text += fmt.Sprint(" ", n)
		}
		return text
	}
	on := map[tell.Want]model.Event{tell.ForEnd: model.Ended, tell.ForSuccess: model.OK, tell.ForFailure: model.NotOK, tell.ForStart: model.Started}[f.What]
	return fmt.Sprint(on, " of ", f.Number, " ", state, " until ", until, " at ", f.At, " after ", f.Delay, " ", f.Lost)
}

// Intent: what is told of jobs that are not eligible is what the schedule bears out, at
// every instant, for each kind of thing to wait for; else steps and the Gantt chart would
// name the wrong job, or a time that is not its.
func TestHeldIsTheSchedule(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	told := map[string]int{}
	for round := range 1500 {
		w := workflow(r, round%2 == 1)
		for j := range w.Gates { // an array of its own needs a limit that can be reached
			if w.Gates[j].Begin == w.Jobs[j].Submit {
				w.Gates[j].Begin = 0
			}
		}
		var steps []*tell.Step
		telling := func() *sim.Telling {
			steps = nil
			return &sim.Telling{From: 0, To: 1 << 30, Each: func(s *tell.Step) bool { steps = append(steps, s); return true }}
		}
		s, err := new(sim.Simulator).Run(w, model.OneCluster(4), policy.NewEASY(&policy.CountedEASY{}), sim.Options{Source: eligible.New(w), Tell: telling()})
		if err != nil {
			t.Fatal(err)
		}
		if round%2 == 0 {
			general := steps
			if _, err := new(sim.CountedSimulator).Run(w, model.OneCluster(4), &policy.CountedEASY{}, sim.Options{Source: eligible.New(w), Tell: telling()}); err != nil {
				t.Fatal(err)
			}
			for i := range steps {
				if a, b := fmt.Sprint(steps[i].Held), fmt.Sprint(general[i].Held); a != b {
					t.Fatalf("on counted processors is told\n%s\nand on machines\n%s", a, b)
				}
			}
			steps = general
		}
		_, start, _ := found(s)
		twin := newTwin(w)
		twin.decide = replay(start)
		twin.run(horizon)
		for _, step := range steps {
			got, want := map[int]string{}, map[int]string{}
			for i := range step.Held {
				h := &step.Held[i]
				if h.Number != int64(h.Job)+1 || h.Submit != w.Jobs[h.Job].Submit || h.Text == "" {
					t.Fatalf("told is %+v", h)
				}
				text := fmt.Sprint(h.Any)
				for k := range h.For {
					f := &h.For[k]
					text += "; " + read(f)
					what := [...]string{"end", "success", "failure", "start", "begin", "parts", "place"}[f.What]
					if f.Lost {
						what = "lost " + what
					}
					if f.Delay > 0 && f.At < model.Never {
						what += " and a delay"
					}
					told[what]++
				}
				if len(h.For) == 0 {
					text = "leaves"
				}
				got[int(h.Job)] = text
			}
			for j := range w.Jobs {
				switch {
				case w.Jobs[j].Submit > step.Now:
				case twin.over[j] == step.Now && twin.unserved[j] == model.EndWithdrawn && twin.eligible[j] == model.Never:
					want[j] = "leaves"
				case twin.eligible[j] > step.Now && twin.over[j] > step.Now:
					list, any := twin.lacks(j, step.Now)
					want[j] = fmt.Sprint(any) + "; " + strings.Join(list, "; ")
				}
			}
			if len(got) != step.Holds || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("at %d is told\n%v\nand the schedule says\n%v\n%+v\n%+v", step.Now, got, want, w.Jobs, w.Gates)
			}
		}
	}
	for _, what := range []string{"end", "success", "failure", "start", "begin", "place", "lost success", "lost failure", "end and a delay", "start and a delay"} {
		if told[what] == 0 {
			t.Errorf("nothing was told of %q", what)
		}
	}
	t.Log(told)
}

// Intent: the history of a job's wait begins with its submission, and what it says up to
// its eligibility has no gap; else a part of the wait would be shown without a reason.
func TestHistoryBeginsWithTheSubmission(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 10))
	held := 0
	for round := range 600 {
		w := workflow(r, false)
		number := w.Jobs[r.IntN(len(w.Jobs))].Number
		record := &sim.Record{Follow: &number}
		var s *model.Schedule
		var err error
		if round%2 == 0 {
			s, err = new(sim.CountedSimulator).Run(w, model.OneCluster(4), &policy.CountedFCFS{}, sim.Options{Source: eligible.New(w), Record: record})
		} else {
			s, err = new(sim.Simulator).Run(w, model.OneCluster(4), &policy.FCFS{}, sim.Options{Source: eligible.New(w), Record: record})
		}
		if err != nil {
			t.Fatal(err)
		}
		at, start, unserved := found(s)
		j := int(number) - 1
		h := record.History
		last := w.Jobs[j].Submit
		if len(h) == 0 || h[0].From != last {
			t.Fatalf("job %d is submitted at %d: %+v", number, last, h)
		}
		for i := range h {
			p := &h[i]
			if waits := p.Reason == report.WaitOthers; waits != (p.Text != "") || waits != (unserved[j] != 0 || p.From < at[j]) || p.From < last || i > 0 && p.From == last {
				t.Fatalf("job %d, eligible at %d: %+v", number, at[j], h)
			}
			if last = p.From; p.Reason == report.WaitOthers {
				held++
			}
		}
		if unserved[j] == 0 && last != start[j] {
			t.Fatalf("job %d starts at %d: %+v", number, start[j], h)
		}
	}
	if held == 0 {
		t.Error("no job waited for another")
	}
}
