package myjob

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/annex"
	"batchlab/ui/draw"
)

// question is one that a test answers.
type question struct {
	what string
	in   asked
	done func([]byte, error)
	gone bool
}

// view is a view whose questions are kept.
func view(t *testing.T) (*View, *[]*question, *string) {
	t.Helper()
	var list []*question
	kept := ""
	p := &annex.Page{
		Query: func(_ *experiment.Experiment, what string, in []byte, _ func(int, int), done func([]byte, error)) func() {
			q := &question{what: what, done: done}
			if what == "job-queue" { // a text
			} else if err := json.Unmarshal(in, &q.in); err != nil {
				t.Fatal(err)
			}
			list = append(list, q)
			return func() { q.gone = true }
		},
		Keep: func(text string) { kept = text },
	}
	if err := p.Tell(annex.Facts{Document: `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"as-logged"},{"key":"easy"}]}`, Preview: &report.Preview{Processors: 128, First: 0, Last: 400_000}}); err != nil {
		t.Fatal(err)
	}
	v := &View{Page: p}
	v.Follow(func() {})
	return v, &list, &kept
}

func answer(q *question, of any) {
	text, _ := json.Marshal(of)
	q.done(text, nil)
}

func told(wanted, judged int) *report.When {
	t := &report.When{Procs: 16, Limit: 7200, Levels: []float64{.05, .1, .25, .5, .75, .9, .95}, Waits: []model.Time{60, 600, 1200, 3600, 7200, 9000, 90000},
		Draws: make([]model.Time, draws), Record: &report.Kept{Wanted: wanted, Asked: judged, Judged: judged, Half: .5, Eight: .81, Nine: .9, Leads: []report.KeptLead{{Below: 3600, Judged: 60, Eight: .8}, {Judged: 9, Eight: .5}}}}
	for i := range 50 {
		t.Fifty = append(t.Fifty, model.Time(400*i))
	}
	return t
}

// Intent: draws come first, then a record that soon comes, then the whole one; the map and
// what holds back beside it; who asks again gives up what is awaited, and late answers and
// errors of before change nothing.
func TestAnswersComeInTurn(t *testing.T) {
	v, list, kept := view(t)
	q := v.Q
	if q.Scheduler != 1 || q.At != 298_800 || q.Procs != 16 {
		t.Fatalf("at first the form says %+v", q)
	}
	v.Ask(q)
	if len(*list) != 1 || (*list)[0].in.Ask.Record != 0 || *kept != "s1-a298800-p16-l3600" || !v.Busy() {
		t.Fatalf("%d questions, link %q", len(*list), *kept)
	}
	answer((*list)[0], told(0, 0))
	if len(*list) != 4 || (*list)[1].in.Ask.Within != soon {
		t.Fatalf("%d questions", len(*list))
	}
	if chips := v.Chips(); len(chips) != 1 || !strings.Contains(chips[0].Text, "as the draws fell") {
		t.Error(chips)
	}
	answer((*list)[1], told(96, 80))
	if len(*list) != 5 || (*list)[4].in.Ask.Within != long || v.Done != 96 || !strings.Contains(v.Command(), "--record 96") {
		t.Fatal(len(*list), v.Command())
	}
	answer((*list)[4], told(record, 320))
	if v.Busy() || strings.Contains(v.Command(), "--record") || !strings.Contains(v.Command(), "--at 298800 --procs 16 --limit 3600 --scheduler 2") {
		t.Error(v.Busy(), v.Command())
	}
	if chips := v.Chips(); chips[0].Tone != "good" || !strings.Contains(chips[0].Text, "81 times in 100") {
		t.Error(chips)
	}
	v.Ask(Question{Scheduler: 1, At: 7, Job: 12, User: -1})
	if !(*list)[2].gone || v.Told != nil || *kept != "s1-a7-j12" {
		t.Error("the map of another question is still awaited")
	}
	(*list)[2].done(nil, errors.New("late"))
	if v.Error != "" {
		t.Error("a late error is shown")
	}
	(*list)[5].done(nil, errors.New("job 12 does not wait"))
	if v.Error != "job 12 does not wait" || v.Busy() || v.Sentence(draw.Clock{}) != "Job 12 does not wait" {
		t.Error(v.Error)
	}
}

// Intent: what a link says is asked; what it cannot mean is not.
func TestLinks(t *testing.T) {
	for _, q := range []Question{{At: 5, Procs: 3, Limit: 60, User: -1}, {Scheduler: 2, At: 1 << 35, Procs: 128, Limit: 1 << 30, User: 9}, {At: 4, Job: 77, User: -1}} {
		if got, ok := parse(q.text()); !ok || got != q || len(q.text()) > 80 {
			t.Errorf("%q is read as %+v", q.text(), got)
		}
	}
	for _, text := range []string{"", "s", "s1", "x4", "a-5", "s0-a5-p0-l4", "s0-a99999999999999"} {
		if q, ok := parse(text); ok {
			t.Errorf("%q is read as %+v", text, q)
		}
	}
	v, list, _ := view(t)
	v.Page.State = "s1-a500-p4-l60"
	v.Follow(func() {})
	v.Follow(func() {})
	if len(*list) != 1 || v.Q.At != 500 {
		t.Error("the link's question is not asked once")
	}
}

// Intent: what is typed becomes the question, and a mistake names its field.
func TestFormIsRead(t *testing.T) {
	v, _, _ := view(t)
	f := Form{Scheduler: 1, At: "3d 2h", Procs: "8", Limit: "1.5h", User: "4"}
	q, err := v.Read(&f)
	if err != nil || q != (Question{Scheduler: 1, At: 266_400, Procs: 8, Limit: 5400, User: 4}) {
		t.Fatal(q, err)
	}
	if again, err := v.Read(func() *Form { f := form(q, draw.Clock{}); return &f }()); err != nil || again != q {
		t.Errorf("what is written into the fields is read as %+v, %v", again, err)
	}
	for name, bad := range map[string]Form{
		"Instant":    {At: "soon", Procs: "1", Limit: "1h"},
		"Processors": {At: "1d", Procs: "129", Limit: "1h"},
		"Time limit": {At: "1d", Procs: "1", Limit: "0"},
		"User":       {At: "1d", Procs: "1", Limit: "1h", User: "anna"},
		"Job":        {At: "1d", Waits: true},
	} {
		if _, err := v.Read(&bad); err == nil || !strings.HasPrefix(err.Error(), name+":") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Intent: the sentence says the numbers of the answer; its picture has fifty dots, of which
// each stands no earlier than told and on top of the one before; the record and what holds
// back have tables with the same numbers.
func TestPictures(t *testing.T) {
	v, list, _ := view(t)
	v.Ask(Question{Scheduler: 1, At: 100 * 86400, Procs: 16, Limit: 7200, User: -1})
	if f := v.Dots(draw.Clock{}, 700, 300); f.Empty == "" {
		t.Error("there are dots before an answer")
	}
	answer((*list)[0], told(record, 320))
	if got := v.Sentence(draw.Clock{}); got != "Your job would start at about 01:00, 8 times in 10 between 00:10 and 02:30." {
		t.Error(got)
	}
	if more := v.More(draw.Clock{}); !strings.Contains(more, "9 in 10 between 00:01 and day\u00a0102\u00a001:00") {
		t.Error(more)
	}
	f := v.Dots(draw.Clock{}, 700, 300)
	if n := len(f.Layers[1].X); n != 50 || f.Empty != "" {
		t.Errorf("%d dots", n)
	}
	for i, x := range f.Layers[1].X {
		if f.Layers[1].Y[i] > f.Panels[0].Y.Max || x < f.Panels[0].X.Min {
			t.Errorf("dot %d leaves the picture", i)
		}
	}
	if g := v.answers(draw.Clock{}); len(g.Cells) != 7 || g.Raw[3][2] != "3600" {
		t.Error(g)
	}
	r := v.Record(500, 300)
	if len(r.Table.Cells) != 2 || len(r.Layers[2].X) != 2 || r.Layers[1].Low[1] > 50 || r.Layers[1].High[1] < 50 || r.Layers[1].High[1]-r.Layers[1].Low[1] < 40 {
		t.Errorf("%+v", r.Layers)
	}
	v.Hold = &report.WhenHold{Need: 16, Times: []model.Time{0, 600, 1200}, Free: [][3]int32{{0, 4, 8}, {4, 16, 20}, {16, 20, 30}}, Shares: [4]float64{.5, .25, .125, .125}}
	free := v.Free(draw.Clock{}, 500, 300)
	if !strings.Contains(free.Aria, "enough from 00:10 on") || len(free.Table.Cells) != 3 || len(v.Reasons()) != 4 || !strings.Contains(string(v.reasonsHTML()), "12.5") {
		t.Error(free.Aria, v.reasonsHTML())
	}
}

// Intent: only what is told apart draw by draw is said to be cheaper; there are at most five
// ways, none of them twice or the one that is asked; what cannot start says why.
func TestCheaperWays(t *testing.T) {
	v, list, _ := view(t)
	v.Ask(Question{Scheduler: 1, At: 86400, Procs: 16, Limit: 7200, User: 3})
	answer((*list)[0], told(record, 320))
	m := &report.WhenMap{Procs: []int32{4, 8, 16, 256}, Limits: []model.Time{1800, 3600, 7200, 14400}, Jobs: 20, Longest: 1700}
	for _, p := range m.Procs {
		for _, l := range m.Limits {
			c := report.WhenCell{Procs: p, Limit: l, Waits: [3]model.Time{0, model.Time(p) * l / 16, 2 * l}}
			switch {
			case p == 256:
				c.Never = "there are 128 processors"
			case l < 7200:
				c.Sooner = [3]model.Time{10, 600, 900}
			case l > 7200:
				c.Sooner = [3]model.Time{-900, -600, 60}
			}
			m.Cells = append(m.Cells, c)
		}
	}
	v.Map = m
	ways := v.Ways()
	seen := map[*report.WhenCell]bool{}
	for _, w := range ways {
		if seen[w.Cell] || w.Cell == v.asked() || w.Cell.Never != "" {
			t.Errorf("%+v", w)
		}
		seen[w.Cell] = true
	}
	if len(ways) == 0 || len(ways) > 5 || ways[0].Cell.Limit != 1800 || ways[0].Clear != 1 || !strings.Contains(ways[0].Why, "20 such jobs") {
		t.Errorf("%+v", ways)
	}
	html := v.mapHTML(draw.Clock{}, draw.Colours(false)) + v.waysHTML(draw.Clock{})
	for _, want := range []string{"is-asked", "is-cheap", "job-never", "there are 128 processors", "▼", "same"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("%q does not stand there", want)
		}
	}
	if g := v.MapGrid(draw.Clock{}); len(g.Cells) != 16 || len(v.waysGrid(draw.Clock{}).Cells) != len(ways) {
		t.Error(len(g.Cells))
	}
}

// Intent: what squeue prints is read first, and the questions go on top of it: at the end
// of the log, with what runs and waits in numbers; a fault of it is the answer; a link
// holds no queue and says so.
func TestPastedQueue(t *testing.T) {
	v, list, kept := view(t)
	f := Form{Scheduler: 1, Queue: true, Procs: "16", Limit: "1h", Paste: " "}
	if _, err := v.Read(&f); err == nil || !strings.Contains(err.Error(), "paste") {
		t.Fatal(err)
	}
	f.Paste = "JOBID USER"
	q, err := v.Read(&f)
	if err != nil || !q.Queue {
		t.Fatal(err)
	}
	v.Paste(f.Paste, q)
	if len(*list) != 1 || (*list)[0].what != "job-queue" || !v.Busy() {
		t.Fatalf("%d questions", len(*list))
	}
	(*list)[0].done(nil, errors.New("line 1: no"))
	if v.Busy() || v.Sentence(draw.Clock{}) != "Line 1: no" {
		t.Error(v.Sentence(draw.Clock{}))
	}
	v.Paste(f.Paste, q)
	answer((*list)[1], map[string]any{"present": map[string]any{"jobs": []any{}}, "at": 400_000, "held": 2, "unknown": 3})
	if len(*list) != 3 || (*list)[2].in.Ask.At != 400_000 || string((*list)[2].in.Ask.Present) != `{"jobs":[]}` || *kept != "s1-a400000-q1-p16-l3600" {
		t.Fatalf("%d questions, %s", len(*list), *kept)
	}
	answer((*list)[2], told(0, 0))
	if chips := v.Chips(); !strings.Contains(chips[len(chips)-1].Text, "left out: 2; of users that the log does not name: 3") {
		t.Error(chips)
	}
	if !strings.Contains(v.Command(), "--at 400000 --squeue FILE --procs 16") {
		t.Error(v.Command())
	}
	again, list, _ := view(t)
	again.Page.State = *kept
	again.Follow(func() {})
	if len(*list) != 0 || !again.Q.Queue || !strings.Contains(again.Error, "not in it") {
		t.Error(len(*list), again.Q, again.Error)
	}
}

// Intent: what a field says of itself is an attribute, with its words in quotation marks.
func TestFormHTML(t *testing.T) {
	v, _, _ := view(t)
	if html := string(v.formHTML(&Form{})); !strings.Contains(html, ` placeholder="nobody in the log">`) || strings.Contains(html, "&#34;") || strings.Contains(html, "&quot;") {
		t.Error(html)
	}
}
