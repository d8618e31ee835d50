package lesson

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/result"
)

// fake runs nothing: what a reader may do while nothing is known.
func fake(e *experiment.Experiment) *result.Aside { return &result.Aside{Doc: e} }

// Intent: a reader cannot pass a question, cannot change an answer that was
// shown, and comes back to where they were.
func TestReading(t *testing.T) {
	p := NewPlayer("hole", own("hole"), Progress{})
	p.Run(0, fake)
	p.Go(1)
	if p.At != 1 || !p.Open() {
		t.Fatalf("at %d", p.At)
	}
	p.Go(1)
	p.Jump(3)
	if p.At != 1 {
		t.Errorf("a question was passed: at %d", p.At)
	}
	p.Show()
	if p.Shown[1] != 0 {
		t.Error("an answer is shown before one was chosen")
	}
	p.Pick(7)
	p.Pick(2)
	p.Show()
	if p.Picked[1] != 2 || p.Shown[1] != 0 {
		t.Errorf("picked %d, shown %d, while nothing has run", p.Picked[1], p.Shown[1])
	}
	p.Shown[1] = 1
	p.Pick(0)
	if p.Picked[1] != 2 {
		t.Error("a shown answer was changed")
	}
	p.Go(1)
	again := NewPlayer("hole", own("hole"), p.Progress)
	if again.At != 2 || again.Picked[1] != 2 || again.Shown[1] != 1 {
		t.Errorf("comes back at %d with %v", again.At, again.Picked)
	}
	if other := NewPlayer("fair", own("fair"), p.Progress); other.At != 0 || other.Picked[1] != -1 {
		t.Error("progress of another lesson is taken")
	}
}

// Intent: a lesson of somebody's own is not opened while its questions are tried, nor
// when its results leave one of them undecided: a time that is not among the options,
// a tie, a job that is not there. One that can be asked opens.
func TestUndecidedLesson(t *testing.T) {
	const lesson = `{"batchlab-lesson":1,"title":"Mine","steps":[{"text":"Look.","case":"hole"},
{"text":"One.","ask":{"prompt":"When does it start?","kind":"time","of":"start","job":3,"options":[600,TIME]}},
{"text":"Two.","ask":{"prompt":"Who waits less?","kind":"job","of":"wait","options":[2,JOB]}},
{"text":"Three.","ask":{"prompt":"Under which?","kind":"scheduler","of":"start","job":ABOUT}}]}`
	for _, c := range []struct {
		time, job, about string
		want             []string
	}{
		{"7200", "3", "3", nil},
		{"7100", "3", "3", []string{"Step 2, “When does it start?”: none of the options is right: the start of job 3 is at 7200 s."}},
		{"7200", "9", "2", []string{"Step 3, “Who waits less?”: nothing is known of option 9.", "Step 4, “Under which?”: two options are equally right: 0 and 1."}},
	} {
		l, err := experiment.DecodeLesson([]byte(strings.NewReplacer("TIME", c.time, "JOB", c.job, "ABOUT", c.about).Replace(lesson)))
		if err != nil {
			t.Fatal(err)
		}
		p := NewPlayer("", l, Progress{})
		if left, faults := p.Try(fake); left != 1 || len(faults) > 0 || !strings.Contains(p.TryHTML(left, faults), "1\u00a0experiment still to run") {
			t.Errorf("before anything has run: %d, %v", left, faults)
		}
		p = NewPlayer("", l, Progress{})
		left, faults := p.Try(func(e *experiment.Experiment) *result.Aside { return result.RunAside(native{}, e, func() {}) })
		if left != 0 || !slices.Equal(faults, c.want) {
			t.Errorf("%v: %d left, %q", c, left, faults)
		}
		for _, text := range faults {
			if !strings.Contains(p.TryHTML(left, faults), "<li>"+text+"</li>") {
				t.Errorf("the page does not say %q", text)
			}
		}
	}
	l := own("hole")
	p := NewPlayer("", l, Progress{})
	if _, faults := p.Try(func(e *experiment.Experiment) *result.Aside { return &result.Aside{Doc: e, Error: "no memory"} }); len(faults) == 0 || !strings.Contains(faults[0], "cannot be run: no memory") {
		t.Errorf("an experiment that fails: %v", faults)
	}
}

// Intent: answers that are handed in open as what was chosen, and those to
// another version of a lesson do not.
func TestHandIn(t *testing.T) {
	p := NewPlayer("hole", own("hole"), Progress{})
	for _, i := range p.questions() {
		p.Picked[i], p.Shown[i] = 1, 1
	}
	p.Name = "Ada"
	sheet, err := experiment.DecodeSheetLink(experiment.EncodeSheetLink(p.Sheet()))
	if err != nil {
		t.Fatal(err)
	}
	back, why := FromSheet(sheet)
	if why != "" || back.Name != "Ada" || back.Picked[1] != 1 || back.Step() != nil {
		t.Errorf("%+v, %s", back, why)
	}
	sheet.Identity = strings.Repeat("0", 64)
	if _, why := FromSheet(sheet); !strings.Contains(why, "another version") {
		t.Errorf("another version: %q", why)
	}
	sheet.Key = "nothing"
	if _, why := FromSheet(sheet); !strings.Contains(why, "does not have") {
		t.Errorf("an unknown lesson: %q", why)
	}
}

// Intent: names and texts of somebody's own lesson are text on the page, and
// nothing else.
func TestHostileLesson(t *testing.T) {
	l := own("hole")
	bad := `<img src=x onerror=alert(1)>"'`
	l.Title, l.Course, l.Due = bad, bad, bad
	for i := range l.Steps {
		l.Steps[i].Text = bad
		if q := l.Steps[i].Ask; q != nil {
			q.Prompt, q.After = bad, bad
		}
	}
	p := NewPlayer("", l, Progress{})
	p.Name = bad
	for p.At = range len(l.Steps) + 1 {
		p.Run(p.At, fake)
		if html := p.TextHTML() + p.PictureHTML(600); strings.Contains(html, "<img") {
			t.Fatalf("step %d: %s", p.At, html)
		}
	}
}

// Intent: the list names every lesson once, with what is done of it.
func TestList(t *testing.T) {
	html := ListHTML(func(key string) Progress {
		if key == "fair" {
			return Progress{Picked: []int{-1, 0, -1, -1, -1}, Shown: []int{0, 1, 0, 0, 0}}
		}
		return Progress{}
	})
	for _, want := range []string{`data-open="hole"`, "EASY&#39;s promise", "1 of 4 answered", "6 steps"} {
		if !strings.Contains(html, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
}

// native runs experiments here and now.
type native struct{ engine.Engine }

func (native) Beside(e experiment.Experiment, told func(engine.Event)) func() {
	n := 0
	_, err := lab.Run(&e, lab.Env{}, lab.Options{Columns: true}, func(_ lab.RunID, p *lab.Prepared, x *lab.Result) error {
		var jobs *report.Jobs
		var err error
		if n == 0 {
			jobs, err = p.Jobs(0)
		}
		told(engine.Event{Run: n, Status: engine.Done, Result: x.Report, Jobs: jobs})
		n++
		return err
	})
	if err != nil {
		told(engine.Event{Status: engine.Failed, Err: err})
	}
	return func() {}
}

var pictures = regexp.MustCompile(`<svg class="board"[^>]*aria-label="([^"]*)"`)

// Intent: no picture that a reader has seen answers a later question: when a job
// starts is asked before any picture of that scheduler, with the same jobs, went on
// to that time.
func TestNoPictureAnswersWhatIsAskedLater(t *testing.T) {
	for _, row := range list() {
		if row.Key == "users" || row.Key == "sure" { // of measures, and of many jobs
			continue
		}
		p := NewPlayer(row.Key, own(row.Key), Progress{})
		var seen []string // what the pictures so far say, after the identity of their experiment
		look := func() {
			for _, m := range pictures.FindAllStringSubmatch(p.PictureHTML(600), -1) {
				seen = append(seen, p.Lesson.Of(p.At).Identity()+m[1])
			}
		}
		for p.At = range p.Lesson.Steps {
			p.Run(p.At, func(e *experiment.Experiment) *result.Aside { return result.RunAside(native{}, e, func() {}) })
			a := p.aside(p.At)
			if !a.Done {
				t.Fatalf("%s: %s", row.Key, a.Error)
			}
			look()
			q := p.Step().Ask
			if q == nil {
				continue
			}
			if q.Kind == experiment.AskTime {
				told := fmt.Sprintf(`, whole.* %d from |Ended:[^.]* %[1]d[,.]`, *q.Job)
				if q.Of == "start" {
					told += fmt.Sprintf(`|Running:[^.]* %d on `, *q.Job)
				}
				answer := regexp.MustCompile("^" + p.Lesson.Of(p.At).Identity() + a.Name(int(q.Scheduler)) + "(?:" + strings.ReplaceAll(told, "|", "|.*") + ")")
				for _, s := range seen {
					if answer.MatchString(s) {
						t.Errorf("%s, step %d: %q was to be seen before %q was asked", row.Key, p.At+1, s[64:], q.Prompt)
					}
				}
			}
			answer, err := p.Answer(p.At)
			if err != nil {
				t.Fatal(err)
			}
			p.Pick(answer.Right)
			p.Show()
			look()
		}
	}
}
