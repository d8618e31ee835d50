// Package whatif is the view that asks what would come of a change: each question is a
// document with cases, whose runs are set beside each other on the same draws, to say who
// gains, who pays, and what it costs.
package whatif

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/annex"
	"batchlab/ui/words"
)

// View is the view: what is asked, and what came of it.
type View struct {
	Page      *annex.Page
	Question  string // key
	Scheduler int    // index in the document
	Draws     string // as typed, "" as proposed
	Several   bool   // other sizes of the change, too
	Relative  bool   // differences in per cent
	Weeks     bool   // weeks instead of what jobs are

	Plan    *Plan // that ran or runs; nil: nothing has been asked
	Running bool
	Failed  string
	Asked   []Answer // questions asked so far, the last one first

	values  map[string]string // by question and field
	runs    map[runKey]*report.PaidRun
	doc     *experiment.Experiment // that all this is about
	pending []runKey
	stops   map[runKey]func()
	share   map[runKey]float64 // done of a run, 0 to 1
	again   func()
	seen    *string // the state of the link that was read last, nil none
}

// runKey names a run: of which document, and its repetition.
type runKey struct {
	point string // canonical form
	rep   int
}

// Plan is a question as a document with cases.
type Plan struct {
	Doc    *experiment.Experiment // with the cases
	Name   string                 // of the change
	Cases  []experiment.Case
	Main   int       // the case that is asked about
	Sizes  []float64 // of each case, to draw them over; nil: they have none
	Draws  int
	points []*experiment.Experiment
	keys   []string // canonical forms of the points
}

// Answer is what came of a question.
type Answer struct {
	Plan   *Plan
	Pays   []*report.Pays // by case, set beside the first; nil of the first, and of those without runs
	Digest string         // over all runs, "" while some are missing or where they are too many to sum here
	Before []metric.Paid
	After  []metric.Paid // of the main case
}

// Get is what stands in a field of the question.
func (v *View) Get(key string) string {
	for _, f := range v.fields() {
		if f.Key == key {
			return v.getOf(f)
		}
	}
	return ""
}

func (v *View) getOf(f Field) string {
	text, ok := v.values[v.Question+"."+f.Key]
	if ok && f.Options != nil && !slices.ContainsFunc(f.Options, func(o catalog.Option) bool { return o.Key == text }) {
		ok = false // of another document
	}
	if !ok {
		return f.First
	}
	return text
}

// Put takes what was typed or chosen.
func (v *View) Put(key, text string) {
	if v.values == nil {
		v.values = map[string]string{}
	}
	v.values[v.Question+"."+key] = text
}

func (v *View) fields() []Field { return questionOf(v.Question).fields(v) }

// scheduler is the one that the question is asked of.
func (v *View) scheduler() *experiment.Scheduler {
	return &v.Page.Doc.Schedulers[min(v.Scheduler, len(v.Page.Doc.Schedulers)-1)]
}

// schedulers are those that can be asked about: the log's own decides nothing.
func (v *View) schedulers() (list []catalog.Option) {
	labels := v.Page.Doc.Labels()
	for i, s := range v.Page.Doc.Schedulers {
		if row := catalog.FindScheduler(s.Key); row != nil && !row.Logged {
			list = append(list, catalog.Option{Key: strconv.Itoa(i), Name: words.Letter(i) + " " + labels[i]})
		}
	}
	return list
}

// proposed is how many draws are proposed: those of the document, else ten where the log
// can be drawn from.
func (v *View) proposed() int {
	most := 1
	for _, s := range v.Page.Doc.Schedulers {
		most = max(most, int(s.Repeat))
	}
	if most == 1 && v.Page.Doc.Workload.Source.Generator == nil && v.Page.Doc.Workload.Resample == nil && v.by() == "" {
		return 1
	}
	if most == 1 {
		return 10
	}
	return min(most, 100)
}

// by is what can be drawn from the log, "" nothing.
func (v *View) by() string {
	w, p := &v.Page.Doc.Workload, v.Page.Preview
	switch {
	case w.Source.Generator != nil || w.React != nil || w.Gated() || p == nil:
		return ""
	case p.Users >= report.FewestUsers:
		return "users"
	case int64(p.Last-p.First) >= report.FewestWeeks*7*86400:
		return "weeks"
	}
	return ""
}

// draws reads how many draws are asked for.
func (v *View) draws() (int, error) {
	if v.Draws == "" {
		return v.proposed(), nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(v.Draws))
	if err != nil || n < 1 || n > 1000 {
		return 0, fault{"draws", "a whole number from 1 to 1,000, please"}
	}
	return n, nil
}

// base is the document that is asked about: one scheduler, with the draws.
func (v *View) base() (*experiment.Experiment, error) {
	n, err := v.draws()
	if err != nil {
		return nil, err
	}
	if len(v.schedulers()) == 0 {
		return nil, errors.New("only the log's own schedule is there, which decides nothing: choose a scheduler")
	}
	e := v.Page.Doc.Clone()
	e.Schedulers = []experiment.Scheduler{*v.scheduler()}
	e.Schedulers[0].Repeat = int64(n)
	e.Vary, e.Search, e.Expect, e.Trace = nil, nil, "", ""
	if by := v.by(); n > 1 && e.Workload.Resample == nil && by != "" {
		value := experiment.Value(`{"by":"` + by + `"}`)
		if by == "weeks" {
			value = experiment.Value(`{"by":"weeks","block":` + strconv.Itoa(report.BlockOfDraw) + `}`)
		}
		return e.With("workload.resample", value)
	}
	return e, nil
}

// Make makes the document of the question as it stands in the fields.
func (v *View) Make() (*Plan, error) {
	base, err := v.base()
	if err != nil {
		return nil, err
	}
	p := &Plan{Draws: int(base.Schedulers[0].Repeat)}
	q := questionOf(v.Question)
	switch i := v.booked(); {
	case q.key == "both":
		err = v.combine(p, base)
	case i >= 0:
		err = v.unbook(p, base, i)
	default:
		p.Cases = []experiment.Case{{Name: "as it is"}}
		var c experiment.Case
		if c, err = v.caseOf(q, base, 1); err != nil {
			break
		}
		p.Name, p.Main, p.Cases = c.Name, 1, append(p.Cases, c)
		if v.Several && q.ladder != nil {
			p.Sizes = []float64{0, 1}
			for _, times := range q.ladder(v) {
				if c, err := v.caseOf(q, base, times); err == nil {
					p.Cases, p.Sizes = append(p.Cases, c), append(p.Sizes, times)
				}
			}
		}
	}
	if err != nil {
		return nil, err
	}
	p.Doc = base
	p.Doc.Title = cut("What if: "+p.Name, experiment.MaxTitle)
	p.Doc.Vary = []experiment.Axis{experiment.CasesAxis(p.Cases...)}
	if err := p.Doc.Validate(); err != nil {
		return nil, errors.New(experiment.Faults(err)[0].Message)
	}
	points := p.Doc.Points()
	for i := range points.Len() {
		e, err := points.At(i)
		if err != nil {
			return nil, err
		}
		p.points, p.keys = append(p.points, e), append(p.keys, string(e.Canonical()))
	}
	return p, nil
}

func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most])
	}
	return s
}

// caseOf asks a question of a document.
func (v *View) caseOf(q *question, base *experiment.Experiment, times float64) (c experiment.Case, err error) {
	w := *v
	w.Question = q.key
	changed := base.Clone()
	name, paths, err := q.ask(&w, changed, times)
	if err != nil {
		return c, err
	}
	c.Name = cut(strings.ReplaceAll(name, words.NB, " "), 100)
	for _, path := range paths {
		value, ok := changed.ValueAt(path)
		if !ok { // at its default, which is not written
			value = none[path]
		}
		c.Set = append(c.Set, experiment.Setting{Path: path, Value: value})
	}
	return c, nil
}

// none is what stands for nothing at places that are not there then.
var none = map[string]experiment.Value{"platform.limits": "{}", "platform.outages": "[]", "platform.reservations": "[]"}

// unbook sets the document beside itself without reservation i.
func (v *View) unbook(p *Plan, base *experiment.Experiment, i int) error {
	p.Name, _, _ = askBook(v, base, 1)
	without := base.Clone()
	without.Platform.Reservations = slices.Delete(without.Platform.Reservations, i, i+1)
	value, ok := without.ValueAt("platform.reservations")
	if !ok {
		value = none["platform.reservations"]
	}
	p.Main = 1
	p.Cases = []experiment.Case{
		{Name: cut("without "+p.Name, 100), Set: []experiment.Setting{{Path: "platform.reservations", Value: value}}},
		{Name: cut("with "+p.Name, 100)},
	}
	p.Name = "the reservation " + p.Name
	return nil
}

// combine asks two questions at once: each alone, and both.
func (v *View) combine(p *Plan, base *experiment.Experiment) error {
	one, two := v.Get("one"), v.Get("two")
	if one == two {
		return fault{"two", "two different questions, please"}
	}
	w := *v
	var list [2]experiment.Case
	for i, key := range []string{one, two} {
		if w.Question = key; w.booked() >= 0 {
			return fault{[]string{"one", "two"}[i], "a reservation that is there already is asked about alone"}
		}
		c, err := v.caseOf(questionOf(key), base, 1)
		if err != nil {
			return fault{[]string{"one", "two"}[i], questionOf(key).name + ": " + err.Error()}
		}
		list[i] = c
	}
	name := list[0].Name + " and " + list[1].Name
	p.Cases = []experiment.Case{{Name: "as it is"}, list[0], list[1], {Name: cut(name, 100), Set: slices.Concat(list[0].Set, list[1].Set)}}
	p.Main, p.Name = 3, name
	return nil
}

// Follow takes what the page tells: another document forgets what was asked of the last.
// It reports whether the question of the link is to be asked at once.
func (v *View) Follow(again func()) (ask bool) {
	v.again = again
	if v.doc != v.Page.Doc {
		v.forget()
	}
	if v.seen != nil && *v.seen == v.Page.State {
		return false
	}
	if state := v.Page.State; v.seen == nil || state != "" {
		v.restore(state)
	}
	v.seen = new(string)
	*v.seen = v.Page.State
	return strings.HasSuffix(v.Page.State, ".go")
}

// forget begins again with another document.
func (v *View) forget() {
	v.Stop()
	v.doc, v.Plan, v.Failed, v.Asked, v.runs = v.Page.Doc, nil, "", nil, nil
	if v.seen == nil { // what a cluster runs, or comes near it
		for _, key := range []string{"easy", "slurm"} {
			if i := slices.IndexFunc(v.doc.Schedulers, func(s experiment.Scheduler) bool { return s.Key == key }); i >= 0 {
				v.Scheduler = i
			}
		}
	}
	if list := v.schedulers(); len(list) > 0 && !slices.ContainsFunc(list, func(o catalog.Option) bool { return o.Key == strconv.Itoa(v.Scheduler) }) {
		v.Scheduler, _ = strconv.Atoi(list[0].Key)
	}
	if v.Question == "" {
		v.Question, v.Several = "nodes", true
	}
}

// Run asks the question: its runs are done, two workers' worth at a time, those of the
// change itself first.
func (v *View) Run() {
	v.Stop()
	p, err := v.Make()
	if err != nil {
		v.Failed = err.Error()
		return
	}
	v.Plan, v.Failed, v.Running = p, "", true
	if v.runs == nil {
		v.runs = map[runKey]*report.PaidRun{}
	}
	v.stops, v.share, v.pending = map[runKey]func(){}, map[runKey]float64{}, nil
	for _, first := range []bool{true, false} {
		for k := range p.points {
			if first != (k == 0 || k == p.Main) {
				continue
			}
			for rep := range p.Draws {
				if key := (runKey{p.keys[k], rep}); v.runs[key] == nil && !slices.Contains(v.pending, key) {
					v.pending = append(v.pending, key)
				}
			}
		}
	}
	v.goOn()
}

// goOn asks for as many runs as are done at a time.
func (v *View) goOn() {
	p := v.Plan
	for len(v.stops) < max(1, v.Page.Workers) && len(v.pending) > 0 && v.Running {
		key := v.pending[0]
		v.pending = v.pending[1:]
		doc := p.points[slices.Index(p.keys, key.point)]
		v.stops[key] = func() {}
		stop := annex.Ask(v.Page, doc, "pays", experiment.RunID{Repetition: key.rep}, func(done, total int) {
			if v.Plan == p && total > 0 {
				v.share[key] = float64(done) / float64(total)
				v.again()
			}
		}, func(got *report.PaidRun, err error) {
			if v.Plan != p || !v.Running {
				return
			}
			delete(v.stops, key)
			delete(v.share, key)
			if err != nil {
				v.Stop()
				v.Failed = err.Error()
			} else {
				v.runs[key] = got
				v.goOn()
			}
			v.again()
		})
		if _, on := v.stops[key]; on {
			v.stops[key] = stop
		}
	}
	if len(v.stops) == 0 && len(v.pending) == 0 && v.Running {
		v.Running = false
		v.keep()
	}
}

// Stop gives up what has not been done; what has stays.
func (v *View) Stop() {
	running := v.Running
	v.Running, v.pending = false, nil
	for _, stop := range v.stops {
		stop()
	}
	v.stops = nil
	if running {
		v.keep()
	}
}

// keep puts the answer in front of those asked before.
func (v *View) keep() {
	a := v.Answer()
	if a == nil {
		return
	}
	v.Asked = slices.DeleteFunc(v.Asked, func(o Answer) bool { return o.Plan.Name == a.Plan.Name && o.Plan.Draws == a.Plan.Draws })
	v.Asked = slices.Insert(v.Asked, 0, *a)
	v.Asked = v.Asked[:min(len(v.Asked), 8)]
}

// Done is how much of the runs is done, and of how many.
func (v *View) Done() (done float64, of int) {
	p := v.Plan
	if p == nil {
		return 0, 0
	}
	for k := range p.points {
		for rep := range p.Draws {
			if of++; v.runs[runKey{p.keys[k], rep}] != nil {
				done++
			}
		}
	}
	for _, s := range v.share {
		done += s
	}
	return done, of
}

// paid are the runs of a case that are there.
func (v *View) paid(p *Plan, k int) (list []metric.Paid) {
	for rep := range p.Draws {
		if got := v.runs[runKey{p.keys[k], rep}]; got != nil {
			one := metric.Paid{Run: got.Run, Parts: got.Parts}
			if rep == 0 {
				if block, err := experiment.UnpackBlock(nil, got.Block); err == nil {
					one.Starts = starts(block)
				}
			}
			list = append(list, one)
		}
	}
	return list
}

// starts are the last starts of a block's jobs.
func starts(block []byte) (list []report.Started) {
	rows := experiment.BlockRows(block)
	for i, r := range rows {
		if i+1 == len(rows) || rows[i+1].Number != r.Number {
			list = append(list, report.Started{Number: r.Number, Submit: model.Time(r.Submit), Start: model.Time(r.Start)})
		}
	}
	return list
}

// mostSummed bounds the executions over which the page sums a digest.
const mostSummed = 3_000_000

// Answer is what has come of the question so far; nil before there is a pair.
func (v *View) Answer() *Answer {
	p := v.Plan
	if p == nil {
		return nil
	}
	a := &Answer{Plan: p, Pays: make([]*report.Pays, len(p.points)), Before: v.paid(p, 0), After: v.paid(p, p.Main)}
	for k := 1; k < len(p.points); k++ {
		if pays := metric.Pays(a.Before, v.paid(p, k)); len(pays.Rows) > 0 {
			pays.Label = p.Doc.Labels()[0]
			a.Pays[k] = &pays
		}
	}
	if a.Pays[p.Main] == nil {
		return nil
	}
	if done, of := v.Done(); int(done) == of && len(a.Before) > 0 && a.Before[0].Run.Jobs*of <= mostSummed {
		a.Digest = v.digest(p)
	}
	return a
}

// digest is that of the document: over the runs of all points in order.
func (v *View) digest(p *Plan) string {
	sum := experiment.NewDigester()
	var block []byte
	for k := range p.points {
		for rep := range p.Draws {
			var err error
			if block, err = experiment.UnpackBlock(block[:0], v.runs[runKey{p.keys[k], rep}].Block); err != nil {
				return ""
			}
			sum.Add(block)
		}
	}
	return sum.Sum()
}

// state says in a link what is asked: the question, then its fields; of a choice the
// place in its list.
func (v *View) state() string {
	list := []string{v.Question, strconv.Itoa(v.Scheduler), v.Draws}
	for _, f := range v.fields() {
		text := v.getOf(f)
		if f.Options != nil {
			text = strconv.Itoa(slices.IndexFunc(f.Options, func(o catalog.Option) bool { return o.Key == text }))
		}
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case r == '.':
				return 'p'
			case r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r == '-':
				return r
			}
			return -1
		}, text))
	}
	if s := strings.Join(list, "."); len(s) <= 70 {
		return s
	}
	return v.Question
}

// restore reads what state wrote; "go" behind it asks at once.
func (v *View) restore(state string) {
	list := strings.Split(state, ".")
	if state == "" || questionOf(list[0]).key != list[0] {
		return
	}
	v.Question = list[0]
	if len(list) < 3 {
		return
	}
	if n, err := strconv.Atoi(list[1]); err == nil && n >= 0 && n < len(v.Page.Doc.Schedulers) {
		v.Scheduler = n
	}
	v.Draws = list[2]
	for i, text := range list[3:] {
		fields := v.fields() // later ones may hang on those before
		if i >= len(fields) {
			break
		}
		f := fields[i]
		if f.Options != nil {
			if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < len(f.Options) {
				v.Put(f.Key, f.Options[n].Key)
			}
		} else if text != "" {
			v.Put(f.Key, strings.ReplaceAll(text, "p", "."))
		}
	}
}
