package lesson

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/engine"
	"batchlab/ui/instant"
	"batchlab/ui/result"
)

// fake runs nothing: what a reader may do while nothing is known.
func fake(e *experiment.Experiment) *result.Background {
	return &result.Background{Sweep: result.One(e)}
}

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
		if left, faults := p.Try(fake); left != 1 || len(faults) > 0 || !strings.Contains(string(p.TryHTML(left, faults)), "1\u00a0experiment still to run") {
			t.Errorf("before anything has run: %d, %v", left, faults)
		}
		p = NewPlayer("", l, Progress{})
		left, faults := p.Try(func(e *experiment.Experiment) *result.Background {
			return result.RunInBackground(native{}, e, func() {})
		})
		if left != 0 || !slices.Equal(faults, c.want) {
			t.Errorf("%v: %d left, %q", c, left, faults)
		}
		for _, text := range faults {
			if !strings.Contains(string(p.TryHTML(left, faults)), "<li>"+text+"</li>") {
				t.Errorf("the page does not say %q", text)
			}
		}
	}
	l := own("hole")
	p := NewPlayer("", l, Progress{})
	if _, faults := p.Try(func(e *experiment.Experiment) *result.Background {
		return result.Refuse(e, "no memory")
	}); len(faults) == 0 || !strings.Contains(faults[0], "cannot be run: no memory") {
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
		if html := p.TextHTML() + p.PictureHTML(600); strings.Contains(string(html), "<img") {
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
		if !strings.Contains(string(html), want) {
			t.Errorf("the list lacks %q", want)
		}
	}
}

// native runs experiments here and now.
type native struct{ engine.Engine }

func (native) Beside(e experiment.Experiment, told func(engine.Event)) engine.Runs {
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
	return nil
}

// Step implements engine.Stepper here and now.
func (native) Step(e experiment.Experiment, run int, ask engine.StepAsk, done func(*tell.Step, error)) func() {
	p, err := lab.Prepare(&e, lab.Env{})
	if err != nil {
		done(nil, err)
		return func() {}
	}
	s, err := p.NewStepper(lab.RunID{Scheduler: run}, false, nil)
	if err != nil {
		done(nil, err)
		return func() {}
	}
	done(s.Step(max(0, s.Find(ask.At)), nil))
	return func() {}
}

var measured = regexp.MustCompile(`<tr><th>([^<]*)</th>((?:<td>[^<]*</td>)+)</tr>`)

var pictures = regexp.MustCompile(`<svg class="board[^>]*aria-label="([^"]*)"`)

// Intent: once two schedulers are compared, both are shown; a question about one shows
// that one.
func TestComparedSchedulersAreShown(t *testing.T) {
	for _, c := range []struct {
		key      string
		step     int
		pictures int
	}{{"fair", 4, 2}, {"fair", 3, 2}, {"licence", 2, 2}, {"fair", 2, 1}, {"orders", 2, 1}} {
		p := NewPlayer(c.key, own(c.key), Progress{})
		p.At = c.step
		p.Run(p.At, func(e *experiment.Experiment) *result.Background {
			return result.RunInBackground(native{}, e, func() {})
		})
		if n := len(pictures.FindAllString(string(p.PictureHTML(600)), -1)); n != 1 {
			t.Errorf("%s, step %d, before the answer: %d pictures", c.key, c.step+1, n)
		}
		p.Pick(0)
		p.Show()
		p.Show() // the answer, if that one was wrong
		if n := len(pictures.FindAllString(string(p.PictureHTML(600)), -1)); n != c.pictures {
			t.Errorf("%s, step %d: %d pictures, want %d", c.key, c.step+1, n, c.pictures)
		}
	}
}

// Intent: no picture that a reader has seen answers a later question: when a job
// starts is asked before any picture of that scheduler, with the same jobs, went on
// to that time.
func TestNoPictureAnswersWhatIsAskedLater(t *testing.T) {
	for _, row := range list() {
		p := NewPlayer(row.Key, own(row.Key), Progress{})
		var seen []string // what the pictures so far say, after the identity of their experiment
		look := func() {
			html := p.PictureHTML(600)
			for _, m := range pictures.FindAllStringSubmatch(string(html), -1) {
				seen = append(seen, p.Lesson.Of(p.At).Identity()+m[1])
			}
			for _, m := range measured.FindAllStringSubmatch(string(html), -1) {
				seen = append(seen, p.Lesson.Of(p.At).Identity()+m[1]+strings.ReplaceAll(m[2], "<td>?</td>", ""))
			}
		}
		for p.At = range p.Lesson.Steps {
			p.Run(p.At, func(e *experiment.Experiment) *result.Background {
				return result.RunInBackground(native{}, e, func() {})
			})
			a := p.background(p.At)
			if !a.Ready() {
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
			if row := catalog.FindMetric(q.Of); row != nil {
				for _, s := range seen {
					if strings.HasPrefix(s, p.Lesson.Of(p.At).Identity()+row.Name+"<td>") {
						t.Errorf("%s, step %d: %s was to be seen before %q was asked", p.Key, p.At+1, s[64:], q.Prompt)
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
		if row.Key == "users" && len(seen) < 6*len(p.Lesson.Steps) {
			t.Errorf("%s: %d rows of measures", row.Key, len(seen))
		}
	}
}

var (
	sentences   = regexp.MustCompile(`[.;:?] ?`)
	happens     = regexp.MustCompile(`\b(starts?|started|ends?|ended|stopped|until)\b`)
	comparative = regexp.MustCompile(`\b(less|fewer|more|longer|shorter|longest|shortest wait|sooner|earlier|later)\b`)
)

// Intent: no text that a reader has read answers a later question. What two
// schedulers come to is asked before it is compared, and not of a job whose time was
// asked or told under each of them; the mean wait is asked before the change of each job's; and
// no sentence holds both the job that is asked about and its time.
func TestNoTextAnswersWhatIsAskedLater(t *testing.T) {
	questions := 0
	for _, row := range list() {
		p := NewPlayer(row.Key, own(row.Key), Progress{})
		type text struct{ of, says string }
		var read []text
		asked := map[string]bool{} // what was asked before, by experiment
		for p.At = range p.Lesson.Steps {
			p.Run(p.At, func(e *experiment.Experiment) *result.Background {
				return result.RunInBackground(native{}, e, func() {})
			})
			e, q := p.Lesson.Of(p.At), p.Step().Ask
			id := e.Identity()
			read = append(read, text{id, p.Step().Text})
			if q == nil {
				continue
			}
			questions++
			wrong := func(format string, arguments ...any) {
				t.Errorf("%s, step %d, %q: %s", row.Key, p.At+1, q.Prompt, fmt.Sprintf(format, arguments...))
			}
			compared := q.Kind == experiment.AskScheduler || q.Kind == experiment.AskApart || q.Against != nil
			if word := comparative.FindString(p.Step().Text); compared && word != "" {
				wrong("its own text says %q", word)
			}
			switch {
			case q.Kind == experiment.AskScheduler && q.Job != nil:
				all := true
				for i := range e.Schedulers {
					_, start, _, _ := p.background(p.At).Job(i, *q.Job)
					said := regexp.MustCompile(fmt.Sprintf(`\b%s\b.*\b%d\b`, p.background(p.At).Name(i), start/60))
					all = all && (asked[fmt.Sprint(id, "time", i, *q.Job)] || slices.ContainsFunc(read, func(r text) bool {
						return r.of == id && slices.ContainsFunc(sentences.Split(r.says, -1), said.MatchString)
					}))
				}
				if all {
					wrong("the times of job %d were asked or told under each scheduler", *q.Job)
				}
			case q.Of == "mean-wait" && asked[id+"change"]:
				wrong("the change of each job's wait was asked before")
			case q.Kind == experiment.AskTime:
				answer, err := p.Answer(p.At)
				if err != nil {
					t.Fatal(err)
				}
				both := regexp.MustCompile(fmt.Sprintf(`(?i)\bjob %d\b.*\b%d\b|\b%[2]d\b.*\bjob %[1]d\b`, *q.Job, answer.Options[answer.Right].Value/60))
				for _, r := range read {
					for _, s := range sentences.Split(r.says, -1) {
						if r.of == id && both.MatchString(s) && happens.MatchString(s) {
							wrong("%q was to be read before", s)
						}
					}
				}
				asked[fmt.Sprint(id, "time", q.Scheduler, *q.Job)] = true
			}
			if q.Kind == experiment.AskJob && q.Against != nil {
				asked[id+"change"] = true
			}
			read = append(read, text{id, q.After})
		}
	}
	if questions < 40 {
		t.Errorf("%d questions", questions)
	}
}

// Intent: users who react to ends that a schedule by EASY stands in for are not served
// by EASY in a lesson or a case: it would be compared with itself.
func TestNobodyIsComparedWithTheSourceOfEnds(t *testing.T) {
	reacting := 0
	check := func(name string, e *experiment.Experiment) {
		if e == nil || e.Workload.React == nil {
			return
		}
		reacting++
		_, err := lab.Run(e, lab.Env{}, lab.Options{}, func(id lab.RunID, p *lab.Prepared, _ *lab.Result) error {
			r, err := p.Reaction(id.Repetition)
			if s := &e.Schedulers[id.Scheduler]; err == nil && r.Ends != "log" && s.Key == "easy" && s.Params.Text("order") == "fcfs" && s.Params.Text("backfill") == "fcfs" {
				t.Errorf("%s: ends are taken from EASY, and EASY is compared with others", name)
			}
			return err
		})
		if err != nil {
			t.Fatal(name, err)
		}
	}
	for _, row := range list() {
		l := own(row.Key)
		for i := range l.Steps {
			check(row.Key, l.Steps[i].Experiment)
		}
	}
	for i := range catalog.Cases {
		e, err := experiment.Decode([]byte(catalog.Cases[i].Document))
		if err != nil {
			t.Fatal(err)
		}
		check(catalog.Cases[i].Key, e)
	}
	if reacting < 3 {
		t.Errorf("%d experiments whose users react", reacting)
	}
}

// If this fails an answer can be read off the picture beside its question: the job
// that is asked about stands in it as started, promised or planned, or whole schedules
// stand beside a question that compares them.
func TestPicturesGiveNothingAway(t *testing.T) {
	boxes, scenes := regexp.MustCompile(`<rect x="([^"]*)"[^>]*data-j="(\d+)"`), 0
	each := func(row Row, seed int64, placing bool) {
		p, why := With(row.Key, own(row.Key), seed, nothing)
		if p == nil {
			t.Fatal(why)
		}
		p.Placing = placing
		for p.At = range p.Lesson.Steps {
			p.Run(p.At, func(e *experiment.Experiment) *result.Background {
				return result.RunInBackground(native{}, e, func() {})
			})
			s, a := p.Step(), p.background(p.At)
			if s.Ask == nil || s.Look.View == "overview" {
				continue
			}
			html := p.PictureHTML(600)
			if s.Look.At == nil {
				if strings.Contains(string(html), "<svg") {
					t.Errorf("%s, step %d: schedules stand beside the question", row.Key, p.At+1)
				}
				continue
			}
			at := model.Time(*s.Look.At)
			stands, told := p.scene(&instant.Board{Jobs: a.Jobs[0], Run: &a.Shown(int(s.Look.Scheduler)).Columns, Processors: a.Shown(0).Processors, At: &at, Job: -1}, a, int(s.Look.Scheduler), p.At, 600)
			axis := stands.Frame()
			if told {
				scenes++
			}
			hidden := func(html string) { // also beside a wrong answer
				if !p.Open() {
					return
				}
				for _, m := range boxes.FindAllStringSubmatch(html, -1) {
					i, _ := strconv.Atoi(m[2])
					x, _ := strconv.ParseFloat(m[1], 64)
					at := a.Shown(int(s.Ask.Scheduler)).Columns.Start[i-1]
					if slices.Contains(p.asked(p.At, a), model.JobID(i-1)) && s.Ask.Of == "start" && s.Ask.Scheduler == s.Look.Scheduler && at >= model.Time(*s.Look.At) && math.Abs(axis.Cut(at)-x) < 5 {
						t.Errorf("%s, numbers %d, step %d: job %d, which starts at %d, stands in the picture: %s", row.Key, seed, p.At+1, a.Jobs[0].Number[i-1], at, m[0])
					}
				}
			}
			hidden(string(html))
			p.Pick(0)
			p.Show()
			hidden(string(p.PictureHTML(600)))
			p.Show()
			if p.Shown[p.At] != 1 {
				t.Errorf("%s, step %d: no answer", row.Key, p.At+1)
			}
			if html := p.PictureHTML(600); s.Ask.Kind == experiment.AskTime && !strings.Contains(string(html), "Step here") {
				t.Errorf("%s, step %d: no way to the instant", row.Key, p.At+1)
			}
		}
	}
	for _, row := range list() {
		for seed := range int64(4) {
			each(row, seed, seed%2 == 1)
		}
	}
	if scenes < 60 {
		t.Errorf("%d questions stand beside an instant", scenes)
	}
}
