package lesson

import (
	"encoding/json"
	"fmt"
	"slices"

	"batchlab/core/experiment"
	grade "batchlab/core/lesson"
	"batchlab/static/lessons"
	"batchlab/ui/result"
)

// Row is an entry of the list of lessons.
type Row struct {
	Key, Title, Summary string
	Steps               int
}

// list is the list of lessons that come with the page.
func list() []Row {
	var index struct{ Lessons []Row }
	data, err := lessons.Files.ReadFile("index.json")
	if err == nil {
		err = json.Unmarshal(data, &index)
	}
	if err != nil {
		panic("lesson: the list is broken: " + err.Error()) // a test reads it
	}
	return index.Lessons
}

// own returns a lesson that comes with the page, nil when there is none.
func own(key string) *experiment.Lesson {
	data, err := lessons.Files.ReadFile(key + ".json")
	if err != nil {
		return nil
	}
	l, err := experiment.DecodeLesson(data)
	if err != nil {
		panic("lesson: " + key + ": " + err.Error()) // a test reads them all
	}
	return l
}

// Progress is how far a reader is in a lesson: what the browser keeps.
type Progress struct {
	At     int   `json:"at"`
	Picked []int `json:"picked"` // by step: index of the option, −1 none
	Shown  []int `json:"shown"`  // by step: 1 once the answer was shown
}

// Player is a reader in a lesson.
type Player struct {
	Key    string // "" a lesson of somebody's own
	Lesson *experiment.Lesson
	Progress
	Name string // of the reader, for the answers; never kept
	Sent bool   // these are answers that somebody handed in

	runs map[string]*result.Aside // by identity of the experiment
}

// NewPlayer begins a lesson, or goes on where the progress says; what does not
// fit the lesson is left aside.
func NewPlayer(key string, l *experiment.Lesson, kept Progress) *Player {
	p := &Player{Key: key, Lesson: l, runs: map[string]*result.Aside{}}
	n := len(l.Steps)
	p.Picked, p.Shown = slices.Repeat([]int{-1}, n), make([]int, n)
	if len(kept.Picked) != n || len(kept.Shown) != n || kept.At < 0 || kept.At > n {
		return p
	}
	for i := range n {
		if q := l.Steps[i].Ask; q != nil && kept.Picked[i] >= 0 && kept.Picked[i] < len(grade.Options(q, len(l.Of(i).Schedulers))) {
			p.Picked[i], p.Shown[i] = kept.Picked[i], min(1, max(0, kept.Shown[i]))
		}
	}
	p.At = kept.At
	return p
}

// Step is the step on show; nil at the end, where the answers are.
func (p *Player) Step() *experiment.Step {
	if p.At >= len(p.Lesson.Steps) {
		return nil
	}
	return &p.Lesson.Steps[p.At]
}

// Open reports whether the step's question waits for its answer.
func (p *Player) Open() bool {
	return p.At < len(p.Lesson.Steps) && p.open(p.At)
}

// Pick chooses an option, as long as the answer is not shown.
func (p *Player) Pick(option int) {
	if p.Open() && option >= 0 && option < len(p.options()) {
		p.Picked[p.At] = option
	}
}

func (p *Player) options() []int64 {
	return grade.Options(p.Step().Ask, len(p.Lesson.Of(p.At).Schedulers))
}

// Show shows the answer to the question once an option is chosen and the
// laboratory has computed it.
func (p *Player) Show() {
	if a, _ := p.Answer(p.At); p.Open() && p.Picked[p.At] >= 0 && a != nil {
		p.Shown[p.At] = 1
	}
}

// Try has all questions of the lesson answered, so that one which its results do
// not decide is known before anybody reads it. left is how many experiments still
// run; faults name the questions that cannot be asked.
func (p *Player) Try(begin func(*experiment.Experiment) *result.Aside) (left int, faults []string) {
	waits := map[*result.Aside]bool{}
	for _, i := range p.questions() {
		p.Run(i, begin)
		a, why := p.aside(i), ""
		switch _, err := p.Answer(i); {
		case a.Error != "":
			why = "its experiment cannot be run: " + a.Error
		case !a.Done:
			waits[a] = true
		case err != nil:
			why = err.Error()
		}
		if why != "" {
			faults = append(faults, fmt.Sprintf("Step %d, “%s”: %s.", i+1, p.Lesson.Steps[i].Ask.Prompt, why))
		}
	}
	return len(waits), faults
}

// Go walks by some steps; forward only past what is answered.
func (p *Player) Go(by int) {
	if by > 0 && p.Open() {
		return
	}
	p.At = min(max(p.At+by, 0), len(p.Lesson.Steps))
}

// Jump goes to a step that has been reached.
func (p *Player) Jump(step int) {
	if step <= p.reached() {
		p.At = min(max(step, 0), len(p.Lesson.Steps))
	}
}

// reached is the first step with a question that is not answered yet.
func (p *Player) reached() int {
	for i := range p.Lesson.Steps {
		if p.Lesson.Steps[i].Ask != nil && p.Shown[i] == 0 {
			return i
		}
	}
	return len(p.Lesson.Steps)
}

// Again begins from the first step, without answers.
func (p *Player) Again() {
	for i := range p.Picked {
		p.Picked[i], p.Shown[i] = -1, 0
	}
	p.At = 0
}

// aside is the run of a step's experiment, nil while it has not been begun.
func (p *Player) aside(step int) *result.Aside {
	return p.runs[p.Lesson.Of(min(step, len(p.Lesson.Steps)-1)).Identity()]
}

// Run begins what a step shows, unless it has been begun.
func (p *Player) Run(step int, begin func(*experiment.Experiment) *result.Aside) {
	e := p.Lesson.Of(min(step, len(p.Lesson.Steps)-1))
	if id := e.Identity(); p.runs[id] == nil {
		p.runs[id] = begin(e)
	}
}

// Stop ends what still runs.
func (p *Player) Stop() {
	for _, a := range p.runs {
		a.Stop()
	}
}

// Answer is the laboratory's answer to a step's question; nil while its
// experiment runs. The error says that the results do not decide it.
func (p *Player) Answer(step int) (*grade.Answer, error) {
	if step >= len(p.Lesson.Steps) {
		return nil, nil
	}
	a, q := p.aside(step), p.Lesson.Steps[step].Ask
	if a == nil || !a.Done || q == nil {
		return nil, nil
	}
	return grade.Grade(q, len(a.Doc.Schedulers), a)
}

// questions are the steps with a question.
func (p *Player) questions() (list []int) {
	for i := range p.Lesson.Steps {
		if p.Lesson.Steps[i].Ask != nil {
			list = append(list, i)
		}
	}
	return list
}

// Sheet holds what was answered, for others to judge.
func (p *Player) Sheet() *experiment.Sheet {
	s := &experiment.Sheet{Key: p.Key, Identity: p.Lesson.Identity(), Name: p.Name}
	if p.Key == "" {
		s.Lesson = p.Lesson
	}
	for _, i := range p.questions() {
		choice := int64(-1)
		if p.Shown[i] == 1 {
			choice = int64(p.Picked[i])
		}
		s.Choices = append(s.Choices, choice)
	}
	return s
}

// FromSheet is the lesson as somebody else answered it; why says that it cannot
// be judged.
func FromSheet(s *experiment.Sheet) (p *Player, why string) {
	l := s.Lesson
	if l == nil {
		if l = own(s.Key); l == nil {
			return nil, "These answers are to a lesson that this page does not have: " + s.Key + "."
		}
	}
	if l.Identity() != s.Identity {
		return nil, "These answers are to another version of the lesson “" + l.Title + "”. Ask for them again."
	}
	p = NewPlayer(s.Key, l, Progress{})
	p.Name, p.Sent = s.Name, true
	steps := p.questions()
	if len(steps) != len(s.Choices) {
		return nil, "These answers do not fit the lesson “" + l.Title + "”."
	}
	for k, i := range steps {
		if c := int(s.Choices[k]); c >= 0 && c < len(grade.Options(l.Steps[i].Ask, len(l.Of(i).Schedulers))) {
			p.Picked[i], p.Shown[i] = c, 1
		}
	}
	p.At = len(l.Steps)
	return p, ""
}
