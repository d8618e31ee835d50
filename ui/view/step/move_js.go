//go:build js

package step

import (
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/instant"
	"batchlab/ui/look"
)

// Where to stand: instants, decisions, times, and playing them.

// leave shows the whole schedule again.
func (s *step) leave() {
	s.stop()
	s.Store.Look(func(v *look.View) { v.Step, v.Pair, v.Truth, v.Told, v.Chosen = false, false, false, 0, 0 })
	s.wrote = [2]int{}
	draw.Refresh()
}

// tell shows the truth, or hides it.
func (s *step) tell(truth bool) {
	s.Store.Look(func(v *look.View) { v.Truth = truth })
	s.Again()
}

// two says whether another scheduler stands beside the one that is stepped through,
// truth whether what it cannot know is shown.
func (s *step) two() bool   { return s.Store.View.Pair }
func (s *step) truth() bool { return s.Store.View.Truth }

// by goes so many instants on; land says where to stand among its decisions.
func (s *step) by(n, land int) {
	if s.now == nil {
		return
	}
	if s.two() && s.panes[1].run != nil && s.panes[1].got != nil {
		s.toward, s.land = n, land
		s.Again()
		return
	}
	index := min(max(0, s.now.Index+n), s.now.Total-1)
	if index == s.now.Index {
		s.stop()
		return
	}
	s.land = land
	s.ask = engine.StepAsk{Index: index, About: -1, Truth: s.truth()}
	s.Again()
}

// decide goes to the decision before or the next one, in the next instant where this
// one has no more.
func (s *step) decide(n int) {
	if s.now == nil {
		return
	}
	k := s.chosen + n
	switch {
	case k < 0:
		s.by(-1, 0)
	case k >= len(s.shown().Decisions):
		s.by(1, -1)
	default:
		s.chosen, s.reach = k, k+1
		s.note()
		s.Again()
	}
}

// about goes to the next decision about the selected job.
func (s *step) about() {
	job := s.job()
	if s.now == nil || job < 0 {
		s.say.Set("textContent", "Choose a job first.")
		return
	}
	for k := s.chosen + 1; k < len(s.now.Decisions); k++ {
		if int(s.now.Decisions[k].Job) == job {
			s.decide(k - s.chosen)
			return
		}
	}
	s.land = job + 1
	s.ask = engine.StepAsk{Index: min(s.now.Index+1, s.now.Total-1), About: job, Truth: s.truth()}
	s.Again()
}

// job is the one that is looked at.
func (s *step) job() int {
	if s.now != nil && s.chosen >= 0 && s.chosen < len(s.now.Decisions) {
		if j := int(s.now.Decisions[s.chosen].Job); j >= 0 {
			return j
		}
	}
	return s.Store.View.Job
}

// shown is the first run's instant as it stands at the time that is shown.
func (s *step) shown() *tell.Step { return instant.After(s.now, s.clock) }

// together finds the next time at which something happens under either of two runs,
// or the last one before, and goes there.
func (s *step) together() {
	var at model.Time
	found := false
	for _, p := range s.panes {
		t, index := p.got.Now, p.got.Index
		if t == s.clock || s.toward < 0 && t > s.clock || s.toward > 0 && t < s.clock {
			if index += s.toward; index < 0 || index >= p.got.Total {
				continue
			}
			next := s.Store.WantStep(p.index, engine.StepAsk{Index: index, About: -1, Truth: s.truth()}, true)
			if next == nil || next.Done && next.Got == nil {
				continue
			}
			if !next.Done {
				return // this is drawn again when it has come
			}
			t = next.Got.Now
		}
		if !found || s.toward > 0 && t < at || s.toward < 0 && t > at {
			at, found = t, true
		}
	}
	s.toward = 0
	if !found {
		s.stop()
		return
	}
	s.ask = engine.StepAsk{Index: -1, At: at, About: -1, Truth: s.truth()}
	s.Again()
}

// toJob goes to the first instant at which something is decided about a job.
func (s *step) toJob(number int64) {
	job := -1
	if jobs := s.Store.Jobs[s.panes[0].run.Repetition]; jobs != nil {
		job = slices.Index(jobs.Number, number)
	}
	draw.Attr(s.goTo, "aria-invalid", strconv.FormatBool(job < 0))
	if job < 0 {
		s.say.Set("textContent", "There is no job "+strconv.FormatInt(number, 10)+".")
		return
	}
	s.goTo.Call("blur")
	s.Store.Look(func(v *look.View) { v.Job = job })
	s.land = job + 1
	s.ask = engine.StepAsk{Index: 0, About: job, Truth: s.truth()}
	s.Again()
}

func (s *step) goAt(at model.Time) {
	s.land = 0
	s.ask = engine.StepAsk{Index: -1, At: at, About: -1, Truth: s.truth()}
	s.Again()
}

func (s *step) typed() {
	if number, ok := instant.ParseJob(s.goTo.Get("value").String()); ok {
		s.toJob(number)
		return
	}
	at, err := instant.ParseTime(s.goTo.Get("value").String(), s.Clock(), s.clock)
	draw.Attr(s.goTo, "aria-invalid", strconv.FormatBool(err != nil))
	if err != nil {
		s.say.Set("textContent", err.Error())
		return
	}
	s.goTo.Call("blur")
	s.goAt(at)
}

// difference goes to the next instant at which the two runs differ.
func (s *step) difference(by int) {
	if !s.two() {
		s.Store.Look(func(v *look.View) { v.Pair = true })
		s.Again()
	}
	a, b := s.pick()
	if a == nil || b == nil || s.now == nil {
		s.say.Set("textContent", "There is no second scheduler to compare with.")
		return
	}
	jobs := s.both(a, b)
	if jobs == nil {
		s.say.Set("textContent", othersText)
		return
	}
	at, _, ok := instant.Difference(a.Result.Columns.Start, b.Result.Columns.Start, jobs.Number, s.clock, by)
	if !ok {
		s.say.Set("textContent", map[bool]string{true: "No new difference after this instant.", false: "No difference before this instant."}[by > 0])
		s.tags.Set("textContent", s.say.Get("textContent").String())
		return
	}
	s.goAt(at)
}

// toggle plays, or stops.
func (s *step) toggle() {
	if s.play != nil {
		s.stop()
		return
	}
	s.tick()
}

func (s *step) stop() {
	if s.play != nil {
		s.play()
		s.play = nil
	}
	s.buttons()
}

func (s *step) tick() {
	s.play = draw.Later(speeds[s.speed], func() {
		s.play = nil
		switch {
		case s.El.Get("clientWidth").Int() == 0 || s.now == nil:
			s.buttons()
			return
		case s.panes[0].busy || s.toward != 0: // it comes
		case !s.two() && s.now.Index+1 >= s.now.Total && s.chosen+1 >= len(s.now.Decisions):
			s.buttons()
			return
		case s.speed == "fast":
			s.by(1, 0)
		default:
			s.decide(1)
		}
		s.tick()
	})
	s.buttons()
}

func (s *step) buttons() {
	on := s.play != nil
	draw.Put(s.playButton, map[bool]draw.Markup{true: draw.Icon("pause") + "<span>Pause</span>", false: draw.Icon("play") + "<span>Play</span>"}[on])
	draw.Attr(s.playButton, "aria-label", map[bool]string{true: "Pause", false: "Play"}[on], "aria-pressed", strconv.FormatBool(on))
}
