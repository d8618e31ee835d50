package experiment

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/sum"
)

// Limits of a lesson.
const (
	MaxSteps       = 20
	MaxWords       = 80 // of a step's text, and of what follows an answer
	maxPromptWords = 40
	maxOptions     = 6
)

// Lesson is a lesson: steps of text beside an experiment, with questions that
// the laboratory itself answers. Contract: docs/write-a-lesson.md.
type Lesson struct {
	Title, Summary string
	Course, Due    string // lecturer's header, free text; "" none
	Steps          []Step // 1 … MaxSteps
	Draw           *Draw  // which numbers may be others; nil: none
}

// Step is a page of a lesson. The experiment of a step without one is that of
// the step before; the first step has one.
type Step struct {
	Text       string      // at most MaxWords words
	Case       string      // key of a case of the catalog; "" none
	Experiment *Experiment // nil: Case, or the step before
	Look       Look
	Ask        *Question // nil: nothing is asked
}

// Look says what stands beside the text.
type Look struct {
	Scheduler int64  // index into the experiment's
	At        *int64 // instant in seconds of the workload's time at which time stands still; nil: the whole schedule
	Job       *int64 // number of the job that is outlined; nil: none
	View      string // "schedule" (default), or a view of the page: "overview"
}

// Kinds of questions.
const (
	AskJob       = "job"       // which of the jobs has the least or the most
	AskScheduler = "scheduler" // which scheduler has
	AskTime      = "time"      // which of the times it is, in seconds of the workload's time
	AskApart     = "told-apart"
)

// Question is asked before the reveal. Nobody writes down its answer: it is
// computed from the results of the step's experiment.
type Question struct {
	Prompt    string
	Kind      string  // an Ask… constant
	Of        string  // "start", "end" or "wait" of a job; or the key of a measure
	Most      bool    // the most instead of the least
	Scheduler int64   // index, for AskJob and AskTime
	Against   *int64  // the difference to this scheduler's, for AskJob; the other one, for AskApart; nil: none
	Job       *int64  // number, for AskTime, and for AskScheduler about a job
	Options   []int64 // job numbers, indices of schedulers, or seconds; of AskApart none
	After     string  // said with the answer

	of    []int   // by option: which of those that are written; nil: the same
	after *filled // of a lesson with drawn numbers
}

var (
	jobQuantities = []string{"start", "end", "wait"}
	askKinds      = []string{AskJob, AskScheduler, AskTime, AskApart}
)

// DecodeLesson reads a lesson. Every fault is named with its path and line.
func DecodeLesson(data []byte) (*Lesson, error) {
	l := &Lesson{}
	if err := readWhole(data, "a lesson is an object", l.visit); err != nil {
		return nil, err
	}
	return l, nil
}

// readWhole reads a document of a kind of its own; is says what it has to be.
func readWhole(data []byte, is string, visit func(*group)) error {
	c := codec{mode: reading}
	root, err := parse(data, &c.faults)
	if err != nil {
		return err
	}
	if root.kind != objectKind {
		return Errors{{Message: is + ", not " + root.kind.String(), Line: 1}}
	}
	c.walk("", root, visit)
	return c.err(data)
}

// Encode writes a valid lesson for a file.
func (l *Lesson) Encode() []byte {
	c := codec{mode: writing}
	return append(appendPretty(nil, c.walk("", nil, l.visit), 0), '\n')
}

func (l *Lesson) compact() []byte {
	c := codec{mode: writing}
	return appendPlain(nil, c.walk("", nil, l.visit), "")
}

// Identity returns the SHA-256, in hexadecimal, of what a lesson says and asks;
// the lecturer's header is not in it, nor what may be drawn: with the numbers that are
// written it is the same lesson.
func (l *Lesson) Identity() string {
	same := *l
	same.Course, same.Due, same.Draw = "", "", nil
	h := sum.Of(same.compact())
	return hex.EncodeToString(h[:])
}

// EncodeLessonLink returns the fragment "#l=…" of a link to a lesson, coded
// like that to an experiment.
func EncodeLessonLink(l *Lesson) string { return "#l=" + linkText(l.compact()) }

// DecodeLessonLink reads the lesson in a link.
func DecodeLessonLink(link string) (*Lesson, error) {
	data, err := unpackLink(link, "l", "lesson")
	if err != nil {
		return nil, err
	}
	return DecodeLesson(data)
}

// Of returns the experiment that stands beside step i; nil where there is none, or
// its case is unknown.
func (l *Lesson) Of(i int) *Experiment {
	for ; i >= 0; i-- {
		switch s := &l.Steps[i]; {
		case s.Experiment != nil:
			return s.Experiment
		case s.Case != "":
			c := catalog.FindCase(s.Case)
			if c == nil {
				return nil
			}
			e, err := Decode([]byte(c.Document))
			if err != nil {
				panic("experiment: case " + s.Case + ": " + err.Error()) // a test decodes every case
			}
			return e
		}
	}
	return nil
}

func (l *Lesson) visit(g *group) {
	version := int64(Version)
	g.integer("batchlab-lesson", &version, 0, span{Version, Version})
	g.word("title", &l.Title, "", MaxTitle)
	if l.Title == "" && g.checks() {
		g.fault("title", "must be a text that is not empty")
	}
	g.word("summary", &l.Summary, "", 2*MaxTitle)
	g.word("course", &l.Course, "", MaxTitle)
	g.word("due", &l.Due, "", MaxLabel)
	at := 0
	visitList(g, "steps", &l.Steps, MaxSteps, func(s *Step, g *group) {
		s.visit(g)
		if g.checks() {
			l.checkStep(g, at)
		}
		at++
	})
	if len(l.Steps) == 0 && g.checks() {
		g.fault("steps", "a lesson has at least one step")
	}
	l.visitDraw(g)
}

func (s *Step) visit(g *group) {
	g.text("text", &s.Text, MaxWords)
	if g.c.mode != reading && s.Case != "" || g.c.mode == reading && g.in.get("case") != nil {
		g.choice("case", &s.Case, "", "case", catalog.CaseKeys())
	} else {
		g.ask("case")
	}
	s.visitExperiment(g)
	g.child("look", func(g *group) {
		g.integer("scheduler", &s.Look.Scheduler, 0, span{0, MaxSchedulers - 1})
		g.optional("at", &s.Look.At, anyTime)
		g.optional("job", &s.Look.Job, natural)
		g.choice("view", &s.Look.View, "schedule", "view", []string{"schedule", "overview"})
	})
	object(g, "ask", &s.Ask, (*Question).visit)
}

// visitExperiment visits the document within a step. Its faults have paths of
// their own document, which begin here.
func (s *Step) visitExperiment(g *group) {
	in := g.ask("experiment")
	if g.c.mode == reading {
		if s.Experiment = nil; in != nil {
			s.Experiment = &Experiment{}
		}
	}
	if s.Experiment == nil {
		return
	}
	inner := codec{mode: g.c.mode}
	out := inner.walk("", in, s.Experiment.visit)
	if g.c.mode == writing {
		g.out.set("experiment", out)
		return
	}
	path := join(g.path, "experiment")
	for _, f := range inner.list {
		switch {
		case f.Path == "":
			f.Path = path
		case f.Path[0] == '[':
			f.Path = path + f.Path
		default:
			f.Path = path + "." + f.Path
		}
		g.c.add(f.at, f.Path, f.Message)
	}
	if len(inner.list) == 0 && (len(s.Experiment.Vary) > 0 || s.Experiment.Search != nil) {
		g.fault("experiment", "an experiment of a lesson neither varies nor searches")
	}
	if len(inner.list) > 0 {
		s.Experiment = nil // nothing may look into it
	}
}

func (q *Question) visit(g *group) {
	g.text("prompt", &q.Prompt, maxPromptWords)
	g.choice("kind", &q.Kind, "", "kind of question", askKinds)
	g.word("of", &q.Of, "", MaxLabel)
	g.flag("most", &q.Most)
	g.integer("scheduler", &q.Scheduler, 0, span{0, MaxSchedulers - 1})
	g.optional("against", &q.Against, span{0, MaxSchedulers - 1})
	g.optional("job", &q.Job, natural)
	g.integers("options", &q.Options, maxOptions, anyTime)
	if q.After != "" || g.c.mode == reading && g.in.get("after") != nil {
		g.text("after", &q.After, MaxWords)
	} else {
		g.ask("after")
	}
	if g.checks() {
		q.check(g)
	}
}

// check says where a question cannot be answered by any result.
func (q *Question) check(g *group) {
	job, measure := slices.Contains(jobQuantities, q.Of), catalog.FindMetric(q.Of) != nil
	need := func(key string, there bool, why string) {
		if !there {
			g.fault(key, why)
		}
	}
	switch q.Kind {
	case AskJob:
		need("of", job, "what is asked of jobs is "+strings.Join(jobQuantities, ", "))
		need("options", len(q.Options) >= 2, "two to six job numbers to choose from")
	case AskTime:
		need("of", q.Of == "start" || q.Of == "end", "a time is a job's start or its end")
		need("job", q.Job != nil, "the number of the job whose time is asked for")
		need("options", len(q.Options) >= 2, "two to six times to choose from, in seconds")
	case AskScheduler:
		need("of", job || measure, "the key of a measure; or start, end or wait of a job")
		need("job", !job || q.Job != nil, "the number of the job that is asked about")
	case AskApart:
		need("of", measure, "the key of a measure")
		need("against", q.Against != nil && *q.Against != q.Scheduler, "the other scheduler")
	}
	seen := map[int64]bool{}
	for i, v := range q.Options {
		if seen[v] {
			g.c.add(g.at(), index(join(g.path, "options"), i), fmt.Sprintf("%d appears twice", v))
		}
		seen[v] = true
	}
}

// checkStep holds a step against the experiment beside it.
func (l *Lesson) checkStep(g *group, i int) {
	s := &l.Steps[i]
	if s.Case != "" && s.Experiment != nil {
		g.fault("experiment", "a step has a case or an experiment, not both")
	}
	if s.Case != "" && catalog.FindCase(s.Case) == nil {
		return // said already
	}
	e := l.Of(i)
	if e == nil {
		if i == 0 && len(g.c.list) == 0 {
			g.fault("experiment", "the first step needs a case or an experiment")
		}
		return
	}
	count := int64(len(e.Schedulers))
	for _, at := range []struct {
		path  string
		index *int64
	}{{"look.scheduler", &s.Look.Scheduler}, {"ask.scheduler", s.Ask.first()}, {"ask.against", s.Ask.second()}} {
		if at.index != nil && *at.index >= count {
			key, _, _ := strings.Cut(at.path, ".")
			g.c.add(g.place(key), g.path+"."+at.path, fmt.Sprintf("there is no scheduler %d: the experiment has %d, counted from 0", *at.index, count))
		}
	}
	if s.Ask != nil && s.Ask.Kind == AskScheduler {
		for k, v := range s.Ask.Options {
			if v < 0 || v >= count {
				g.c.add(g.place("ask"), index(g.path+".ask.options", k), fmt.Sprintf("there is no scheduler %d: the experiment has %d, counted from 0", v, count))
			}
		}
		if count < 2 {
			g.fault("ask", "there is only one scheduler to choose from")
		}
	}
}

// place is where the value of a key stands in the text.
func (g *group) place(key string) int {
	if g.in != nil {
		if n := g.in.get(key); n != nil {
			return n.at
		}
	}
	return g.at()
}

func (q *Question) first() *int64 {
	if q == nil {
		return nil
	}
	return &q.Scheduler
}

func (q *Question) second() *int64 {
	if q == nil {
		return nil
	}
	return q.Against
}

// text visits a required text of at most so many words.
func (g *group) text(key string, p *string, most int) {
	if g.missing(key) {
		return
	}
	g.word(key, p, "", 12*most)
	if !g.checks() {
		return
	}
	switch n := len(strings.Fields(*p)); {
	case n == 0:
		g.fault(key, "must be a text that is not empty")
	case n > most:
		g.fault(key, fmt.Sprintf("must have at most %d words, not %d", most, n))
	}
}
