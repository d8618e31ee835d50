package lesson

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	grade "batchlab/core/lesson"
	"batchlab/static/lessons"
	"batchlab/ui/instant"
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

	Times []int64  `json:"times,omitempty"` // by step: seconds, where Picked is experiment.OwnTime
	Seals []string `json:"seals,omitempty"` // by step, of what was answered to a sealed assignment

	Missed []experiment.Miss `json:"missed,omitempty"` // wrong answers after which another was, or may be, given
	Waits  bool              `json:"waits,omitempty"`  // the last of them is on show
	Begun  int64             `json:"begun,omitempty"`  // again, after answers had been given
}

// Player is a reader in a lesson.
type Player struct {
	Key    string // "" a lesson of somebody's own
	Lesson *experiment.Lesson
	Progress
	Name string // of the reader, for the answers; never kept
	Sent bool   // these are answers that somebody handed in

	Whole   *experiment.Lesson     // with what may be drawn
	Seed    int64                  // of the numbers; 0 as it is written
	Given   *experiment.Assignment // nil: nobody gave it out
	Placing bool                   // times are answered by placing the job, not by a choice

	rule  string                        // of the numbers: an experiment.Numbers… constant, "" none
	base  *experiment.Lesson            // with the numbers of Seed; Lesson may have those of later tries
	track *instant.Scene                // the picture in which a job is placed
	runs  map[string]*result.Background // by identity of the experiment
}

// NewPlayer begins a lesson, or goes on where the progress says; what does not
// fit the lesson is left aside.
func NewPlayer(key string, l *experiment.Lesson, kept Progress) *Player {
	p := &Player{Key: key, Lesson: l, Whole: l, base: l, runs: map[string]*result.Background{}}
	n := len(l.Steps)
	p.Picked, p.Shown = slices.Repeat([]int{-1}, n), make([]int, n)
	p.Times, p.Seals = slices.Repeat([]int64{-1}, n), make([]string, n)
	if len(kept.Picked) != n || len(kept.Shown) != n || kept.At < 0 || kept.At > n {
		return p
	}
	for i := range n {
		if l.Steps[i].Ask == nil {
			continue
		}
		time := int64(-1)
		if len(kept.Times) == n {
			time = kept.Times[i]
		}
		if p.choose(i, int64(kept.Picked[i]), time); p.Picked[i] >= 0 {
			p.Shown[i] = min(1, max(0, kept.Shown[i]))
		}
	}
	if len(kept.Seals) == n {
		copy(p.Seals, kept.Seals)
	}
	p.At, p.Missed, p.Waits, p.Begun = kept.At, kept.Missed, kept.Waits, min(max(0, kept.Begun), experiment.MaxAgain)
	return p
}

// With begins a lesson with the numbers of a seed; nil and why where there are none.
func With(key string, whole *experiment.Lesson, seed int64, recall func(string) Progress) (*Player, string) {
	one, err := whole.With(seed)
	if err != nil {
		return nil, "These numbers of “" + whole.Title + "” cannot be had: " + err.Error() + "."
	}
	p := NewPlayer(key, one, Progress{})
	p.Whole, p.Seed = whole, seed
	kept := NewPlayer(key, one, recall(p.kept()))
	p.Progress = kept.Progress
	return p, ""
}

// kept names what the browser keeps of a lesson.
func (p *Player) kept() string {
	name := p.Key
	if name == "" {
		name = p.base.Identity()[:16]
	} else if p.Seed > 0 {
		name = item(name, p.Seed)
	}
	if p.Given != nil && p.Given.Seal != "" {
		name += "." + p.Given.Seal[:8]
	} else if p.Given != nil && p.Given.Tries > 0 { // what was tried before is not counted here
		name += ".given"
	}
	return name
}

// item is a lesson of the page with a seed, as addresses have it.
func item(key string, seed int64) string {
	if seed == 0 {
		return key
	}
	return key + "." + strconv.FormatInt(seed, 10)
}

// fromItem takes it apart; an unknown seed is 0.
func fromItem(text string) (key string, seed int64) {
	key, number, _ := strings.Cut(text, ".")
	if n, err := strconv.ParseInt(number, 10, 64); err == nil && n > 0 && n <= experiment.Boards {
		seed = n
	}
	return key, seed
}

// choose takes what was chosen at a step, if it can be.
func (p *Player) choose(step int, choice, time int64) bool {
	q := p.Lesson.Steps[step].Ask
	switch {
	case choice == experiment.OwnTime && q.Kind == experiment.AskTime && time >= 0:
		p.Picked[step], p.Times[step] = experiment.OwnTime, time
	case choice >= 0 && choice < int64(len(grade.Options(q, len(p.Lesson.Of(step).Schedulers)))):
		p.Picked[step], p.Times[step] = int(choice), -1
	default:
		return false
	}
	return true
}

// Say answers a question about a time: with the option that it is, or with a time of
// one's own, in seconds.
func (p *Player) Say(time int64) {
	if !p.Open() || p.Step().Ask.Kind != experiment.AskTime {
		return
	}
	if i := slices.Index(p.options(), time); i >= 0 {
		p.Pick(i)
	} else if !p.tried(p.At, experiment.OwnTime, time) {
		p.choose(p.At, experiment.OwnTime, time)
	}
}

// said is the time that was chosen at a step, −1 none.
func (p *Player) said(step int) int64 {
	switch n := p.Picked[step]; {
	case n == experiment.OwnTime:
		return p.Times[step]
	case n >= 0:
		return p.Lesson.Steps[step].Ask.Options[n]
	}
	return -1
}

// chosen is what was chosen at a step, in words; "" nothing.
func (p *Player) chosen(step int) string {
	q, n := p.Lesson.Steps[step].Ask, p.Picked[step]
	switch {
	case n < 0:
		return ""
	case n == experiment.OwnTime:
		return p.option(step, p.Times[step])
	}
	return p.option(step, grade.Options(q, len(p.Lesson.Of(step).Schedulers))[n])
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
	if p.Open() && option >= 0 && option < len(p.options()) && !p.tried(p.At, int64(option), -1) {
		p.choose(p.At, int64(option), -1)
	}
}

func (p *Player) options() []int64 {
	return grade.Options(p.Step().Ask, len(p.Lesson.Of(p.At).Schedulers))
}

// Show shows the answer to the question once an option is chosen and the
// laboratory has computed it; after a wrong one only where no other may follow, or it is
// asked for again.
func (p *Player) Show() {
	a, _ := p.Answer(p.At)
	if !p.Open() || p.Picked[p.At] < 0 || a == nil {
		return
	}
	if p.missed(p.At) { // it is the last answer, then
		p.Missed, p.Waits = p.Missed[:len(p.Missed)-1], false
	} else if p.Picked[p.At] != a.Right && p.miss() {
		return
	}
	p.Shown[p.At] = 1
	p.seal()
}

// seal seals the answer that was just shown, with the one before it.
func (p *Player) seal() {
	if p.Given == nil || p.Given.Seal == "" {
		return
	}
	before := ""
	for k, i := range p.questions() {
		if i == p.At {
			p.Seals[i] = experiment.SealAnswer(p.Given.Seal, before, p.base.Identity(), k, int64(p.Picked[i]), p.Times[i], p.misses(i)...)
		} else if p.Seals[i] != "" {
			before = p.Seals[i]
		}
		if i == p.At {
			return
		}
	}
}

// Try has all questions of the lesson answered, so that one which its results do
// not decide is known before anybody reads it. left is how many experiments still
// run; faults name the questions that cannot be asked.
func (p *Player) Try(begin func(*experiment.Experiment) *result.Background) (left int, faults []string) {
	waits := map[*result.Background]bool{}
	for _, i := range p.questions() {
		p.Run(i, begin)
		a, why := p.background(i), ""
		switch _, err := p.Answer(i); {
		case a.Error != "":
			why = "its experiment cannot be run: " + a.Error
		case !a.Ready():
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

// Again begins from the first step, without answers; that it did is counted.
func (p *Player) Again() {
	if p.answered()+len(p.Missed) > 0 {
		p.Begun = min(p.Begun+1, experiment.MaxAgain)
	}
	p.Missed, p.Waits = nil, false
	for i := range p.Picked {
		p.Picked[i], p.Shown[i], p.Times[i], p.Seals[i] = -1, 0, -1, ""
	}
	p.At = 0
	p.deal()
}

// background is the run of a step's experiment, nil while it has not been begun.
func (p *Player) background(step int) *result.Background {
	return p.runs[p.Lesson.Of(min(step, len(p.Lesson.Steps)-1)).Identity()]
}

// Run begins what a step shows, unless it has been begun.
func (p *Player) Run(step int, begin func(*experiment.Experiment) *result.Background) {
	e := p.Lesson.Of(min(step, len(p.Lesson.Steps)-1))
	if id := e.Identity(); p.runs[id] == nil {
		p.runs[id] = begin(e)
	}
}

// Stop ends what still runs.
func (p *Player) Stop() {
	for _, a := range p.runs {
		a.StopRuns()
	}
}

// Answer is the laboratory's answer to a step's question; nil while its
// experiment runs. The error says that the results do not decide it.
func (p *Player) Answer(step int) (*grade.Answer, error) {
	if step >= len(p.Lesson.Steps) {
		return nil, nil
	}
	a, q := p.background(step), p.Lesson.Steps[step].Ask
	if a == nil || !a.Ready() || q == nil {
		return nil, nil
	}
	return grade.Grade(q, len(a.Ran.Schedulers), a)
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
	s := &experiment.Sheet{Key: p.Key, Identity: p.base.Identity(), Name: p.Name, Seed: p.Seed, Again: p.Begun}
	if p.Key == "" {
		s.Lesson = p.Whole
	}
	own := false
	for _, i := range p.questions() {
		choice := int64(-1)
		if p.Shown[i] == 1 {
			choice = int64(p.Picked[i])
		}
		s.Choices, s.Times = append(s.Choices, choice), append(s.Times, p.Times[i])
		own = own || choice == experiment.OwnTime
		s.Missed = append(s.Missed, p.misses(i)...)
		s.Seals = append(s.Seals, p.Seals[i])
	}
	if !own {
		s.Times = nil
	}
	a := p.Given
	if a == nil || a.Seal == "" {
		s.Seals = nil
	}
	if a != nil {
		if s.Word = a.Word; a.Personal() {
			s.Numbers = a.Numbers
		}
		if a.Seal != "" {
			s.Close(a.Seal)
		}
	}
	return s
}

// FromSheet is the lesson as somebody else answered it; why says that it cannot
// be judged.
func FromSheet(s *experiment.Sheet) (p *Player, why string) {
	whole := s.Lesson
	if whole == nil {
		if whole = own(s.Key); whole == nil {
			return nil, "These answers are to a lesson that this page does not have: " + s.Key + "."
		}
	}
	l, err := whole.With(s.Seed)
	if err != nil || l.Identity() != s.Identity {
		return nil, "These answers are to another version of the lesson “" + whole.Title + "”. Ask for them again."
	}
	p = NewPlayer(s.Key, l, Progress{})
	p.Whole, p.Seed, p.rule = whole, s.Seed, s.Numbers
	p.Name, p.Sent = s.Name, true
	steps := p.questions()
	if len(steps) != len(s.Choices) {
		return nil, "These answers do not fit the lesson “" + l.Title + "”."
	}
	for k, i := range steps {
		time := int64(-1)
		if k < len(s.Times) {
			time = s.Times[k]
		}
		if p.choose(i, s.Choices[k], time) {
			p.Shown[i] = 1
		}
	}
	p.At, p.Missed, p.Begun = len(l.Steps), s.Missed, s.Again
	p.deal()
	return p, ""
}
