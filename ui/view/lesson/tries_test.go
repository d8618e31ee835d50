package lesson

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/tell"
)

// latePlain is the twin of start.promise: it books what runs, what starts now and what is
// planned second by second, by requests, and says which waiting job of all that lack
// room at their promised or planned start beside the job comes first, and how late.
func latePlain(w *start) (number int64, late model.Time) {
	jobs := w.a.Jobs[0]
	end := w.at + jobs.Limit[w.job]
	busy := func(t model.Time, but model.JobID) (n int32) {
		for _, r := range w.step.Runs {
			if t < r.Until && r.Job != but {
				n += r.Procs
			}
		}
		for _, d := range w.step.Decisions {
			if d.Kind.Begins() && d.Job != but && int(d.Job) != w.job && t < d.Ends {
				n += d.Needs
			}
		}
		for _, q := range w.step.Queue {
			if q.At < model.Never && !q.Kind.Begins() && q.Job != but && int(q.Job) != w.job && q.At <= t && t < q.At+q.Limit {
				n += q.Procs
			}
		}
		if w.at <= t && t < end {
			n += jobs.Procs[w.job]
		}
		return n
	}
	for t := w.at; t < end; t++ {
		for _, q := range w.step.Queue {
			if q.At == t && int(q.Job) != w.job && busy(t, q.Job)+q.Procs > w.step.Procs {
				return q.Number, end - t
			}
		}
	}
	return 0, 0
}

// If this fails a wrong answer is said to break what it does not, the wrong job is said
// to pay, or by how much is wrong; or a start that breaks a promise is said to break none.
func TestWhatAWrongAnswerBreaks(t *testing.T) {
	promises, said := 0, map[string]bool{}
	for _, row := range list() {
		for seed := range int64(3) {
			p, why := With(row.Key, own(row.Key), seed, nothing)
			if p == nil {
				t.Fatal(why)
			}
			for _, i := range p.questions() {
				p.At = i
				p.Run(i, begin)
				answer, err := p.Answer(i)
				if err != nil {
					t.Fatal(err)
				}
				if !p.places(i) {
					continue
				}
				right := answer.Options[answer.Right].Value
				for at := *p.Step().Look.At; at <= p.latest(i); at += p.grain(i) {
					p.Picked[i] = -1
					if p.Say(at); at == right {
						continue
					}
					text, d := p.broken(i)
					said[strings.Join(strings.Fields(text)[:min(2, len(strings.Fields(text)))], " ")] = true
					job, _ := p.background(i).Index(*p.Step().Ask.Job)
					w := &start{a: p.background(i), scheduler: int(p.Step().Ask.Scheduler), job: job, at: model.Time(at), step: p.background(i).Step(int(p.Step().Ask.Scheduler), model.Time(*p.Step().Look.At))}
					if at > right || w.step.Now != model.Time(*p.Step().Look.At) || w.decided() != nil {
						continue
					}
					number, late := latePlain(w)
					switch {
					case number == 0 && d != nil, number != 0 && (d == nil || d.Head != number || d.Late != late || d.Kind != tell.Delays):
						t.Errorf("%s, numbers %d, step %d, at %d: job %d would be %d late, not %q", row.Key, seed, i+1, at, number, late, text)
					case number != 0:
						promises++
						if !strings.Contains(text, "late.") {
							t.Errorf("%q", text)
						}
					}
				}
			}
		}
	}
	if promises < 50 || len(said) < 8 {
		t.Errorf("%d broken promises, texts beginning %v", promises, said)
	}
}

// If this fails tries are counted wrongly: a wrong answer can be followed by more than
// there are, costs nothing, shows what happens, or may be given twice.
func TestTriesAreCounted(t *testing.T) {
	for tries, want := range map[int64]int{1: 1, 2: 2, 0: 2} { // of three options the last is no question any more
		p, why := FromAssignment(&experiment.Assignment{Key: "promise", Numbers: experiment.NumbersSame, Tries: tries, Seal: experiment.SealKey("x")}, "", nothing)
		if p == nil {
			t.Fatal(why)
		}
		p.At = 1
		p.Run(1, begin)
		a, _ := p.Answer(1)
		n := 0
		for i := range p.options() {
			if i == a.Right || p.Shown[1] == 1 {
				continue
			}
			p.Pick(i)
			p.Show()
			if n++; p.Shown[1] == 0 {
				if html := p.TextHTML() + p.PictureHTML(600); !strings.Contains(string(html), "Try once more") || strings.Contains(string(html), "lesson-option right") || strings.Contains(string(html), "what happens") {
					t.Errorf("%d tries: after a wrong answer %s", tries, html)
				}
				p.Retry()
				if p.Pick(i); p.Picked[1] != -1 {
					t.Error("the same wrong answer again")
				}
			}
		}
		s := p.Sheet()
		if n != want || p.Shown[1] != 1 || len(s.MissedAt(0)) != want-1 || s.Choices[0] == int64(a.Right) || len(s.Changed(experiment.SealKey("x"))) != 0 {
			t.Errorf("%d tries: %d made, %+v", tries, n, s)
		}
		if !strings.Contains(string(p.TextHTML()), "You said") {
			t.Error("nothing is said of the answer")
		}
		back, _ := FromSheet(s)
		if len(back.Missed) != want-1 {
			t.Errorf("%d wrong answers come out of the link", len(back.Missed))
		}
		p.Again()
		if p.Begun != 1 || len(p.Missed) != 0 || p.Sheet().Again != 1 || p.Sheet().Changed(experiment.SealKey("x")) != nil {
			t.Errorf("begun again %d times", p.Begun)
		}
		if p.Again(); p.Begun != 1 {
			t.Error("a beginning without an answer before it is counted")
		}
	}
	p := NewPlayer("promise", own("promise"), Progress{})
	p.At = 1
	p.Run(1, begin)
	p.Pick(0)
	p.Show()
	again := NewPlayer("promise", own("promise"), p.Progress)
	if !again.missed(1) || again.tried(1, 1, -1) || !again.tried(1, 0, -1) {
		t.Error("a wrong answer is not kept")
	}
	p.Show() // the answer is asked for: that was the last try
	if p.Shown[1] != 1 || len(p.Missed) != 0 {
		t.Errorf("%+v", p.Progress)
	}
}
