package lesson

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/report"
)

// ran is the Results of an experiment, by the laboratory itself.
type ran struct {
	jobs []map[int64][3]model.Time // by scheduler: submission, start, end
	runs []*report.Run
}

var known = map[string]*ran{} // by identity: steps share experiments

func run(t testing.TB, e *experiment.Experiment) *ran {
	t.Helper()
	if r := known[e.Identity()]; r != nil {
		return r
	}
	r := &ran{jobs: make([]map[int64][3]model.Time, len(e.Schedulers))}
	_, err := lab.Run(e, lab.Env{}, lab.Options{}, func(id lab.RunID, p *lab.Prepared, x *lab.Result) error {
		r.runs = append(r.runs, x.Report)
		if id.Repetition > 0 {
			return nil
		}
		r.jobs[id.Scheduler] = map[int64][3]model.Time{}
		w := x.Schedule.Workload
		for _, one := range x.Schedule.Executions {
			j := &w.Jobs[one.Job]
			r.jobs[id.Scheduler][j.Number] = [3]model.Time{j.Submit, one.Start, one.End}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	known[e.Identity()] = r
	return r
}

func (r *ran) Job(scheduler int, number int64) (submit, start, end model.Time, ok bool) {
	v, ok := r.jobs[scheduler][number]
	return v[0], v[1], v[2], ok
}

func (r *ran) Measure(scheduler int, key string) (float64, bool) {
	sum, n := 0.0, 0
	for _, one := range r.runs {
		if one.Scheduler != scheduler {
			continue
		}
		for _, v := range one.Metrics {
			if v.Key == key && v.Valid {
				sum, n = sum+v.Value, n+1
			}
		}
	}
	return sum / float64(max(1, n)), n > 0
}

func (r *ran) Apart(a, b int, key string) (int, bool) {
	for _, c := range metric.SideBySide(r.runs, b) {
		if c.Scheduler != a || c.Metric != key || c.Difference == nil {
			continue
		}
		switch {
		case c.PlainDifferenceHalf == nil || max(*c.Difference, -*c.Difference) <= *c.PlainDifferenceHalf:
			return 0, true
		case *c.Difference < 0:
			return -1, true
		}
		return 1, true
	}
	return 0, false
}

// lessons returns the lessons that come with the page, by key.
func lessons(t testing.TB) map[string]*experiment.Lesson {
	t.Helper()
	files, err := filepath.Glob("../../static/lessons/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d lessons, %v", len(files), err)
	}
	list := map[string]*experiment.Lesson{}
	for _, name := range files {
		key := strings.TrimSuffix(filepath.Base(name), ".json")
		if key == "index" {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		l, err := experiment.DecodeLesson(data)
		if err != nil {
			t.Errorf("%s:\n%v", name, err)
			continue
		}
		list[key] = l
	}
	return list
}

var number = regexp.MustCompile(`\d+`)

// Intent: every question of the lessons that come with the page has one right
// answer, which the laboratory finds, and what is said afterwards begins with
// it.
func TestLessons(t *testing.T) {
	for key, l := range lessons(t) {
		questions := 0
		for i := range l.Steps {
			q := l.Steps[i].Ask
			if q == nil {
				continue
			}
			questions++
			e := l.Of(i)
			r := run(t, e)
			a, err := Grade(q, len(e.Schedulers), r)
			if err != nil {
				t.Errorf("%s, step %d: %v", key, i+1, err)
				continue
			}
			right := a.Options[a.Right].Value
			first := ""
			switch q.Kind {
			case experiment.AskTime:
				first = fmt.Sprint(right / 60)
				if j, submit := *l.Steps[i].Ask.Job, model.Time(0); l.Steps[i].Look.At != nil {
					if submit, _, _, _ = r.Job(0, j); submit > model.Time(*l.Steps[i].Look.At) {
						t.Errorf("%s, step %d: job %d is not there yet at the instant shown", key, i+1, j)
					}
				}
			case experiment.AskJob:
				first = fmt.Sprint(right)
			}
			said := number.FindString(strings.ReplaceAll(q.After, "At once:", "At once, at "+first+":"))
			if first != "" && said != first {
				t.Errorf("%s, step %d: the answer is %s, and %q follows", key, i+1, first, q.After)
			}
			if q.Kind == experiment.AskApart { // the page says the result in the laboratory's words, the lesson what it means
				holds, alone := strings.Contains(q.After, "interval holds zero"), strings.Contains(q.After, "there is no interval")
				if (right < 0) != (holds || alone) || right >= 0 && !strings.Contains(q.After, strings.Split(catalog.FindScheduler(e.Schedulers[right].Key).Name, " ")[0]) || alone != (e.Schedulers[0].Repeat < 2) {
					t.Errorf("%s, step %d: the answer is %d, and %q follows", key, i+1, right, q.After)
				}
			}
			if q.Kind == experiment.AskScheduler {
				row := catalog.FindScheduler(e.Schedulers[right].Key)
				if !strings.Contains(strings.ToLower(q.After), strings.ToLower(strings.Split(row.Name, " ")[0])) && e.Schedulers[right].Label == "" {
					t.Errorf("%s, step %d: the answer is %s, and %q follows", key, i+1, row.Name, q.After)
				}
			}
		}
		if n := len(l.Steps); n < 5 || n > 10 || questions < 3 {
			t.Errorf("%s has %d steps and %d questions", key, n, questions)
		}
	}
}

// Intent: what lessons say in numbers, beside the answers, comes out of their
// experiments: waits and makespans of schedulers, and differences between them.
func TestNumbersInLessons(t *testing.T) {
	type of struct {
		scheduler int
		job       int64 // 0: the measure of the scheduler
		what      string
		unit      float64 // seconds
		against   bool    // less what it is under the first scheduler
	}
	hours := func(i int, key string) of { return of{i, 0, key, 3600, false} }
	minutes := func(i int, key string) of { return of{i, 0, key, 60, false} }
	wait := func(i int, job int64) of { return of{i, job, "wait", 60, false} }
	change := func(job int64) of { return of{1, job, "wait", 60, true} }
	for _, c := range []struct {
		key  string
		step int // from 1
		says string
		of   []of
	}{
		{"hole", 6, "Job 3 waits %.0f min less", []of{change(3)}},
		{"everyone", 6, "EASY, by %.1f min: under conservative backfilling job 4 waits %.0f min longer and job 3 waits %.0f min less", []of{{1, 0, "mean-wait", 60, true}, change(4), change(3)}},
		{"fair", 5, "job 5 waits %.0f min there; under FCFS the longest wait is job 6's, %.0f.", []of{wait(1, 5), wait(0, 6)}},
		{"fair", 5, "waits %.0f min there; under FCFS the longest wait is job 6's, %.0f.", []of{minutes(1, "max-wait"), minutes(0, "max-wait")}},
		{"fair", 5, "done at %.0f min under both", []of{minutes(0, "makespan")}},
		{"fair", 5, "done at %.0f min under both", []of{minutes(1, "makespan")}},
		{"plan", 4, "%.0f min against %.0f", []of{minutes(1, "mean-wait"), minutes(0, "mean-wait")}},
		{"plan", 5, "job 2 waits %.0f min; under conservative backfilling the longest wait is job 5's, %.0f", []of{wait(1, 2), wait(0, 5)}},
		{"plan", 5, "job 2 waits %.0f min; under conservative backfilling the longest wait is job 5's, %.0f", []of{minutes(1, "max-wait"), minutes(0, "max-wait")}},
		{"users", 2, "%.0f hours against %.0f", []of{hours(1, "mean-wait"), hours(0, "mean-wait")}},
		{"users", 3, "%.1f hours against %.1f", []of{hours(0, "mean-wait"), hours(1, "mean-wait")}},
		{"users", 4, "after %.0f hours against %.0f", []of{hours(0, "makespan"), hours(1, "makespan")}},
		{"users", 5, "%.0f against %.0f", []of{{0, 0, "complaints", 1, false}, {1, 0, "complaints", 1, false}}},
		{"users", 6, "after %.0f hours, that of FCFS after %.0f", []of{hours(1, "makespan"), hours(0, "makespan")}},
		{"users", 6, "%.0f against %.0f", []of{{1, 0, "complaints", 1, false}, {0, 0, "complaints", 1, false}}},
	} {
		l := lessons(t)[c.key]
		step, r := &l.Steps[c.step-1], run(t, l.Of(c.step-1))
		var values []any
		for _, o := range c.of {
			get := func(scheduler int) float64 {
				v, ok := quantity(r, o.what, scheduler, max(1, o.job))
				if !ok {
					t.Errorf("%s, step %d: nothing is known of %+v", c.key, c.step, o)
				}
				return v
			}
			v := get(o.scheduler)
			if o.against {
				v -= get(0)
			}
			values = append(values, max(v, -v)/o.unit)
		}
		if said := fmt.Sprintf(c.says, values...); !strings.Contains(step.Text+" "+step.Ask.After, said) {
			t.Errorf("%s, step %d: %q comes out, and it says %q %q", c.key, c.step, said, step.Text, step.Ask.After)
		}
	}
	for scheduler, want := range []float64{5000, 5000} { // fair share: “the same to the second”
		l := lessons(t)["fair"]
		if v, _ := run(t, l.Of(4)).Measure(scheduler, "mean-wait"); v != want {
			t.Errorf("fair: a mean wait of %v s", v)
		}
	}
}

// Intent: the list of lessons says of each what its file says, and the files are
// written as the laboratory writes them.
func TestIndex(t *testing.T) {
	data, err := os.ReadFile("../../static/lessons/index.json")
	if err != nil {
		t.Fatal(err)
	}
	var index struct {
		Lessons []struct {
			Key, Title, Summary string
			Steps               int
		}
	}
	if err := json.Unmarshal(data, &index); err != nil {
		t.Fatal(err)
	}
	all := lessons(t)
	for _, row := range index.Lessons {
		l := all[row.Key]
		if l == nil || l.Title != row.Title || l.Summary != row.Summary || len(l.Steps) != row.Steps {
			t.Errorf("the list has %+v", row)
		}
		delete(all, row.Key)
	}
	for key := range all {
		t.Errorf("the list lacks %s", key)
	}
}

// Intent: a lesson survives its link, its file and its answers, and says the
// same thing under a lecturer's header.
func TestLinks(t *testing.T) {
	for key, l := range lessons(t) {
		id := l.Identity()
		if again, err := experiment.DecodeLesson(l.Encode()); err != nil || again.Identity() != id {
			t.Errorf("%s as a file: %v", key, err)
		}
		again, err := experiment.DecodeLessonLink("https://batchlab.example/" + experiment.EncodeLessonLink(l))
		if err != nil || again.Identity() != id {
			t.Fatalf("%s as a link: %v", key, err)
		}
		if again.Course, again.Due = "Operating systems", "Friday"; again.Identity() != id {
			t.Errorf("%s: a header makes another lesson of it", key)
		}
		s := &experiment.Sheet{Lesson: again, Identity: id, Name: "Ada", Choices: []int64{0, 2, -1}}
		link := experiment.EncodeSheetLink(s)
		back, err := experiment.DecodeSheetLink(link)
		if err != nil || back.Name != "Ada" || !slices.Equal(back.Choices, s.Choices) || back.Lesson.Identity() != id {
			t.Errorf("%s, answers: %+v, %v", key, back, err)
		}
	}
}

// Intent: answers that do not fit their checksum are refused, whatever was changed;
// with the checksum of what they say now they open, since it is no signature.
func TestChangedAnswers(t *testing.T) {
	s := &experiment.Sheet{Key: "hole", Identity: strings.Repeat("a", 64), Name: "Ada", Choices: []int64{0, 2, -1}}
	text := experiment.SheetText(s)
	for _, c := range [][2]string{{"Ada", "Bob"}, {"[0,2,-1]", "[0,2,1]"}, {"[0,2,-1]", "[0,2]"}, {`"hole"`, `"fair"`}, {"aaaa", "aaab"}} {
		changed := strings.Replace(text, c[0], c[1], 1)
		if changed == text {
			t.Fatalf("%s has no %s", text, c[0])
		}
		if _, err := experiment.DecodeSheet([]byte(changed)); err == nil || !strings.Contains(err.Error(), "changed") {
			t.Errorf("%s: %v", changed, err)
		}
	}
	s.Name, s.Choices = "Bob", []int64{0, 2, 1}
	if again, err := experiment.DecodeSheet([]byte(experiment.SheetText(s))); err != nil || again.Name != "Bob" {
		t.Errorf("made anew: %v", err)
	}
}

// Intent: a lesson that cannot be taught is refused with path and line.
func TestFaults(t *testing.T) {
	const lesson = `{"batchlab-lesson":1,"title":"T","steps":[
{"text":"One.","case":"hole","look":{"at":300,"job":2},
"ask":{"prompt":"Who?","kind":"job","of":"start","options":[1,2],"after":"So."}},
{"text":"Two.","experiment":{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"},{"key":"fcfs"}]},
"ask":{"prompt":"Which?","kind":"scheduler","of":"mean-wait"}}]}`
	if _, err := experiment.DecodeLesson([]byte(lesson)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, with, want string
		line            int
	}{
		{`"title":"T"`, `"title":""`, `title: must be a text that is not empty`, 1},
		{`"One."`, `"` + strings.Repeat("word ", 81) + `"`, `steps[0].text: must have at most 80 words, not 81`, 2},
		{`"text":"One.",`, ``, `steps[0].text: missing`, 2},
		{`"hole"`, `"whole"`, `steps[0].case: unknown case "whole"; did you mean "hole"?`, 2},
		{`"case":"hole",`, ``, `steps[0].experiment: the first step needs a case or an experiment`, 2},
		{`"kind":"job"`, `"kind":"jobs"`, `steps[0].ask.kind: unknown kind of question "jobs"; did you mean "job"?`, 3},
		{`"of":"start"`, `"of":"mean-wait"`, `steps[0].ask.of: what is asked of jobs is start, end, wait`, 3},
		{`[1,2]`, `[1,1]`, `steps[0].ask.options[1]: 1 appears twice`, 3},
		{`[1,2]`, `[1]`, `steps[0].ask.options: two to six job numbers to choose from`, 3},
		{`"demo"`, `"demmo"`, `steps[1].experiment.workload.source.bundled: unknown bundled workload "demmo"; did you mean "demo"?`, 4},
		{`{"key":"easy"},`, ``, `steps[1].ask: there is only one scheduler to choose from`, 5},
		{`"mean-wait"`, `"mean-weight"`, `steps[1].ask.of: the key of a measure; or start, end or wait of a job`, 5},
		{`"of":"mean-wait"`, `"of":"mean-wait","options":[0,2]`, `steps[1].ask.options[1]: there is no scheduler 2: the experiment has 2, counted from 0`, 5},
		{`"look":{"at":300`, `"look":{"att":300`, `steps[0].look.att: unknown key; did you mean "at"?`, 2},
		{`"schedulers":[`, `"vary":[{"path":"seed","values":[1,2]}],"schedulers":[`, `steps[1].experiment: an experiment of a lesson neither varies nor searches`, 4},
	} {
		changed := strings.Replace(lesson, c.old, c.with, 1)
		_, err := experiment.DecodeLesson([]byte(changed))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.with, err, c.want)
			continue
		}
		for _, f := range experiment.Faults(err) {
			if strings.Contains(f.Error(), c.want) && f.Line != c.line {
				t.Errorf("%s: line %d, want %d", c.want, f.Line, c.line)
			}
		}
	}
}

// Intent: a question that the results do not decide is said to be one.
func TestUndecided(t *testing.T) {
	job := int64(3)
	e, err := experiment.Decode([]byte(catalog.FindCase("hole").Document))
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, e)
	zero, two := int64(0), int64(2)
	for want, q := range map[string]*experiment.Question{
		"equally right: 0 and 1": {Kind: experiment.AskScheduler, Of: "start", Job: &two},
		"equally right: 1 and 2": {Kind: experiment.AskJob, Of: "wait", Options: []int64{1, 2}, Scheduler: 1, Against: &zero},
		"none of the options":    {Kind: experiment.AskTime, Of: "start", Job: &job, Options: []int64{1, 2}},
		"nothing is known":       {Kind: experiment.AskJob, Of: "wait", Options: []int64{1, 9}},
	} {
		if a, err := Grade(q, len(e.Schedulers), r); err == nil || a != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v", want, a, err)
		}
	}
}

// Intent: of the lesson on intervals no measure, shown or not, is called better or worse
// whose interval holds no difference, nor the other way round.
func TestVerdictsGoByTheInterval(t *testing.T) {
	l := lessons(t)["sure"]
	told, open := 0, 0
	for i := range l.Steps {
		e := l.Steps[i].Experiment
		if e == nil || e.Schedulers[0].Repeat < 2 {
			continue
		}
		for _, c := range metric.SideBySide(run(t, e).runs, 0) {
			if c.DifferenceLow == nil {
				continue
			}
			clear := *c.DifferenceLow > 0 || *c.DifferenceHigh < 0
			if clear {
				told++
			} else {
				open++
			}
			if said := c.Verdict != report.VerdictUnknown && c.Verdict != report.VerdictSame; said != clear {
				t.Errorf("step %d, %s: %q, and the interval goes from %v to %v", i+1, c.Metric, c.Verdict, *c.DifferenceLow, *c.DifferenceHigh)
			}
		}
	}
	if told < 10 || open < 10 {
		t.Errorf("%d told, %d open", told, open)
	}
}
