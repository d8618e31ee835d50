package lesson

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	grade "batchlab/core/lesson"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// Writing is a lesson while it is written.
type Writing struct {
	Lesson experiment.Lesson
	At     int // step on show, from 0

	runs     map[string]*result.Background // by identity of the experiment
	said     string                        // the prompt that was suggested last
	opts     []int64                       // the options that were suggested last
	unsought bool                          // options are to be suggested once the results are there
}

// NewWriting begins with a lesson; nil: with one step beside the laboratory's
// experiment where its jobs are a table, else beside the first case.
func NewWriting(l *experiment.Lesson, here *experiment.Experiment) *Writing {
	w := &Writing{runs: map[string]*result.Background{}}
	if l != nil {
		w.Lesson = *l
		w.Lesson.Steps = slices.Clone(l.Steps)
		for i := range w.Lesson.Steps {
			if q := w.Lesson.Steps[i].Ask; q != nil {
				c := *q
				w.Lesson.Steps[i].Ask = &c
			}
		}
		return w
	}
	first := experiment.Step{Text: "Look at the machine and at the jobs that wait.", Look: experiment.Look{View: "schedule"}}
	if here != nil && here.Workload.Source.Inline != nil {
		first.Experiment = here
	} else {
		first.Case = "hole"
	}
	w.Lesson = experiment.Lesson{Title: "My lesson", Steps: []experiment.Step{first}}
	return w
}

// Step is the step on show.
func (w *Writing) Step() *experiment.Step { return &w.Lesson.Steps[w.At] }

// Sources of a step's machine and jobs beside the keys of cases.
const (
	fromLab  = "lab"  // as they stand in the laboratory now
	fromOwn  = "own"  // an experiment that the lesson holds
	noAsking = "none" // kind of question
)

// Set takes what a field says; here is the laboratory's experiment. Times are in minutes.
// shape says that the form has other fields now.
func (w *Writing) Set(key, text string, here func() *experiment.Experiment) (shape bool) {
	s := w.Step()
	number := func(unit float64) *int64 { return wholeNumber(text, unit) }
	index := func() int64 {
		if n := number(1); n != nil {
			return *n
		}
		return 0
	}
	switch key {
	case "title":
		w.Lesson.Title = text
	case "summary":
		w.Lesson.Summary = text
	case "text":
		s.Text = text
	case "from":
		switch s.Case = ""; text {
		case fromOwn:
		case fromLab:
			s.Experiment = here()
		default:
			s.Case, s.Experiment = text, nil
		}
		s.Look = experiment.Look{View: s.Look.View}
		w.suggest()
		return true
	case "look.scheduler":
		s.Look.Scheduler = index()
		if s.Ask != nil && (s.Ask.Kind == experiment.AskTime || s.Ask.Kind == experiment.AskJob) {
			s.Ask.Scheduler = s.Look.Scheduler
		}
		w.suggest()
		return true
	case "look.at":
		s.Look.At = number(60)
	case "look.job":
		s.Look.Job = number(1)
		return true
	case "look.view":
		s.Look.View = text
		return true
	case "kind":
		w.ask(text)
		return true
	}
	q := s.Ask
	if q == nil {
		return false
	}
	switch key {
	case "prompt":
		q.Prompt = text
		return false
	case "after":
		q.After = text
		return false
	case "options":
		q.Options = w.readOptions(text)
		w.unsought = false
		return false
	case "of":
		q.Of = text
	case "most":
		q.Most = text == "true"
	case "scheduler":
		q.Scheduler = index()
	case "against":
		q.Against = number(1)
	case "job":
		q.Job = number(1)
	default:
		return false
	}
	w.suggest()
	return true
}

// ask makes the step ask a question of a kind, about what it shows.
func (w *Writing) ask(kind string) {
	s := w.Step()
	if kind == noAsking {
		s.Ask = nil
		return
	}
	q := &experiment.Question{Kind: kind, Of: "start", Scheduler: s.Look.Scheduler}
	if s.Ask != nil {
		q.Prompt, q.After, q.Job = s.Ask.Prompt, s.Ask.After, s.Ask.Job
	}
	if q.Job == nil {
		q.Job = s.Look.Job
	}
	switch kind {
	case experiment.AskJob:
		q.Of, q.Most, q.Job = "wait", true, nil
	case experiment.AskScheduler:
		q.Of, q.Job = "mean-wait", nil
	case experiment.AskApart:
		other := int64(1)
		q.Of, q.Job, q.Scheduler, q.Against = "mean-wait", nil, 0, &other
	}
	s.Ask = q
	w.suggest()
}

// readOptions reads numbers between commas; what is none is left out.
func (w *Writing) readOptions(text string) (list []int64) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		if n := wholeNumber(part, w.unit()); n != nil {
			list = append(list, *n)
		}
	}
	return list
}

// unit is what an option of the step counts in seconds, or 1.
func (w *Writing) unit() float64 {
	if q := w.Step().Ask; q != nil && q.Kind == experiment.AskTime {
		return 60
	}
	return 1
}

func wholeNumber(text string, unit float64) *int64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || v < 0 || v > 1e9 {
		return nil
	}
	n := int64(v*unit + 0.5)
	return &n
}

// Add puts a step behind the one on show, Remove takes that away, and Move changes its
// place by so many.
func (w *Writing) Add() {
	if len(w.Lesson.Steps) < experiment.MaxSteps {
		look := w.Step().Look
		w.At++
		w.Lesson.Steps = slices.Insert(w.Lesson.Steps, w.At, experiment.Step{Text: "What comes next?", Look: look})
	}
}

// Remove takes the step on show away; what stood beside it goes on to the next.
func (w *Writing) Remove() {
	if len(w.Lesson.Steps) < 2 {
		return
	}
	w.settle(w.At + 1)
	w.Lesson.Steps = slices.Delete(w.Lesson.Steps, w.At, w.At+1)
	w.At = min(w.At, len(w.Lesson.Steps)-1)
}

// Move changes the place of the step on show by so many.
func (w *Writing) Move(by int) {
	to := w.At + by
	if to < 0 || to >= len(w.Lesson.Steps) {
		return
	}
	for i := range w.Lesson.Steps {
		w.settle(i)
	}
	w.Lesson.Steps[w.At], w.Lesson.Steps[to] = w.Lesson.Steps[to], w.Lesson.Steps[w.At]
	w.At = to
	for i := len(w.Lesson.Steps) - 1; i > 0; i-- { // what is as before need not be said again
		if s, before := &w.Lesson.Steps[i], &w.Lesson.Steps[i-1]; s.Case == before.Case && s.Experiment == before.Experiment {
			s.Case, s.Experiment = "", nil
		}
	}
}

// settle gives a step its own words for what stands beside it, so that it keeps it when
// others go.
func (w *Writing) settle(i int) {
	if i >= len(w.Lesson.Steps) {
		return
	}
	for s, k := &w.Lesson.Steps[i], i; k >= 0 && s.Case == "" && s.Experiment == nil; k-- {
		s.Case, s.Experiment = w.Lesson.Steps[k].Case, w.Lesson.Steps[k].Experiment
	}
}

// background is the run of the step on show, nil while it has none.
func (w *Writing) background() *result.Background {
	e := w.Lesson.Of(w.At)
	if e == nil {
		return nil
	}
	return w.runs[e.Identity()]
}

// player reads the lesson as it stands, with its questions or with none asked.
func (w *Writing) player(l *experiment.Lesson) *Player {
	p := NewPlayer("", l, Progress{})
	p.At, p.runs = w.At, w.runs
	return p
}

// Board is the lesson without its questions: what stands beside the step on show.
func (w *Writing) Board() *Player {
	l := w.Lesson
	l.Steps = slices.Clone(l.Steps)
	for i := range l.Steps {
		l.Steps[i].Ask = nil
	}
	return w.player(&l)
}

// Instants are the times at which something happens under the scheduler on show.
func (w *Writing) Instants() []int64 {
	a := w.background()
	if a == nil || !a.Ready() || a.Jobs[0] == nil {
		return nil
	}
	list := append([]model.Time(nil), a.Jobs[0].Submit...)
	if r := a.Shown(int(w.Step().Look.Scheduler)); r != nil {
		list = append(append(list, r.Columns.Start...), r.Columns.End...)
	}
	order.Sort(list, func(a, b model.Time) int { return cmp.Compare(a, b) })
	list = slices.Compact(list)
	times := make([]int64, 0, len(list))
	for _, t := range list {
		if t >= 0 {
			times = append(times, int64(t))
		}
	}
	return times
}

// Walk lets time stand still at the next instant, or the one before; from the whole
// schedule at the first, or the last.
func (w *Writing) Walk(by int) {
	list := w.Instants()
	if len(list) == 0 {
		return
	}
	s := w.Step()
	i := 0
	switch {
	case s.Look.At == nil && by < 0:
		i = len(list) - 1
	case s.Look.At != nil && by > 0:
		i, _ = slices.BinarySearch(list, *s.Look.At+1)
	case s.Look.At != nil:
		i, _ = slices.BinarySearch(list, *s.Look.At)
		i--
	}
	t := list[min(max(i, 0), len(list)-1)]
	s.Look.At = &t
	w.suggest()
}

// suggest writes the prompt, and the options again once results are there, as long as
// nobody wrote other ones.
func (w *Writing) suggest() {
	q := w.Step().Ask
	if q == nil {
		return
	}
	if text := w.prompt(q); q.Prompt == "" || q.Prompt == w.said {
		q.Prompt, w.said = text, text
	}
	if len(q.Options) == 0 || slices.Equal(q.Options, w.opts) {
		q.Options, w.unsought = nil, true
		w.Seek()
	}
}

// prompt is a question in words.
func (w *Writing) prompt(q *experiment.Question) string {
	e := w.Lesson.Of(w.At)
	if e == nil {
		return ""
	}
	name := func(i int64) string {
		if i < 0 || int(i) >= len(e.Schedulers) {
			return "?"
		}
		return result.ShortName(e, int(i))
	}
	job := "the job"
	if q.Job != nil {
		job = "job " + strconv.FormatInt(*q.Job, 10)
	}
	how := map[string][2]string{"start": {"starts first", "starts last"}, "end": {"ends first", "ends last"}, "wait": {"waits least", "waits longest"}}[q.Of][b2i(q.Most)]
	row := catalog.FindMetric(q.Of)
	switch {
	case q.Kind == experiment.AskTime:
		return "When does " + job + " " + q.Of + " under " + name(q.Scheduler) + "?"
	case q.Kind == experiment.AskJob:
		return "Which of these jobs " + how + " under " + name(q.Scheduler) + "?"
	case q.Kind == experiment.AskScheduler && row == nil:
		return "Under which scheduler is it that " + job + " " + how + "?"
	case row == nil:
		return ""
	case q.Kind == experiment.AskScheduler:
		return "Under which scheduler is this " + [2]string{"lowest", "highest"}[b2i(q.Most)] + ": " + row.Name + "?"
	case q.Against != nil:
		return "Is this " + [2]string{"lower", "higher"}[b2i(q.Most)] + " under " + name(q.Scheduler) + " or under " + name(*q.Against) + ": " + row.Name + "?"
	}
	return ""
}

// mostSought are the options that are suggested.
const mostSought = 3

// Seek suggests options once the results are there: the right one and others near it. It
// reports whether there are new ones.
func (w *Writing) Seek() bool {
	a, q := w.background(), w.Step().Ask
	if !w.unsought || q == nil || a == nil || !a.Ready() {
		return false
	}
	w.unsought = false
	now := int64(0)
	if at := w.Step().Look.At; at != nil {
		now = *at
	}
	var list []int64
	switch q.Kind {
	case experiment.AskTime:
		if q.Job == nil {
			return false
		}
		_, start, end, ok := a.Job(int(q.Scheduler), *q.Job)
		if !ok {
			return false
		}
		t := int64(start)
		if q.Of == "end" {
			t = int64(end)
		}
		list = []int64{t}
		times := slices.DeleteFunc(w.Instants(), func(v int64) bool { return v < now || v == t })
		order.Stable(times, func(x, y int64) int { return cmp.Compare(max(x-t, t-x), max(y-t, t-y)) })
		list = append(list, times[:min(len(times), mostSought-1)]...)
		order.Sort(list, func(x, y int64) int { return cmp.Compare(x, y) })
	case experiment.AskJob:
		seen := map[model.Time]bool{}
		for _, waits := range []bool{true, false} { // at first those that wait now
			for i, n := range a.Jobs[0].Number {
				submit, start, end, ok := a.Job(int(q.Scheduler), n)
				figure := map[string]model.Time{"start": start, "end": end, "wait": start - submit}[q.Of]
				if !ok || seen[figure] || len(list) > mostSought || slices.Contains(list, n) || waits != (int64(a.Jobs[0].Submit[i]) <= now && int64(start) >= now) {
					continue
				}
				seen[figure] = true
				list = append(list, n)
			}
		}
		order.Sort(list, func(x, y int64) int { return cmp.Compare(x, y) })
	}
	q.Options, w.opts = list, slices.Clone(list)
	return true
}

// Check reads the lesson as its file would be read.
func (w *Writing) Check() (*experiment.Lesson, error) {
	return experiment.DecodeLesson(w.Lesson.Encode())
}

// Known is what the laboratory answers to the step's question, in words; "" nothing yet.
func (w *Writing) Known() string {
	a, q := w.background(), w.Step().Ask
	if q == nil || a == nil || !a.Ready() {
		return ""
	}
	switch {
	case q.Kind == experiment.AskTime && q.Job != nil:
		_, start, end, ok := a.Job(int(q.Scheduler), *q.Job)
		switch {
		case !ok:
			return "Job " + strconv.FormatInt(*q.Job, 10) + " never runs here."
		case q.Of == "end":
			return "Answer: at " + words.Minutes(int64(end)) + "."
		}
		return "Answer: at " + words.Minutes(int64(start)) + "."
	case q.Kind == experiment.AskTime || q.Kind == experiment.AskJob && len(q.Options) < 2 || q.Kind == experiment.AskApart && q.Against == nil:
		return ""
	}
	answer, err := grade.Grade(q, len(a.Ran.Schedulers), a)
	if err != nil {
		return "Not decided: " + err.Error() + "."
	}
	return "Answer: " + w.player(&w.Lesson).option(w.At, answer.Options[answer.Right].Value) + "."
}
