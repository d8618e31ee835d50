package instant

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

const hour, minute = 3600, 60

// atHole is the case of the reference picture at 14:40, as EASY tells it.
func atHole() *Scene {
	at := func(h, m int) model.Time { return model.Time(h*hour + m*minute) }
	jobs := &report.Jobs{}
	c := &report.Columns{}
	for i, j := range [][5]model.Time{ // submission, processors, request, start, end
		{at(14, 0), 3, 100, at(14, 0), at(15, 30)}, {at(14, 0), 5, 60, at(14, 0), at(14, 40)}, {at(14, 5), 4, 75, at(14, 5), at(15, 10)},
		{at(14, 10), 7, 60, at(15, 10), at(16, 0)}, {at(14, 15), 2, 90, at(14, 40), at(16, 0)}, {at(14, 20), 4, 30, at(16, 0), at(16, 30)},
		{at(14, 25), 2, 30, at(14, 40), at(15, 5)}, {at(14, 40), 1, 60, at(15, 10), at(15, 45)},
	} {
		jobs.Number, jobs.Submit, jobs.Procs, jobs.Limit = append(jobs.Number, int64(i+1)), append(jobs.Submit, j[0]), append(jobs.Procs, int32(j[1])), append(jobs.Limit, j[2]*minute)
		c.Start, c.End = append(c.Start, j[3]), append(c.End, j[4])
	}
	c.Spans = []report.Span{{Job: 0, First: 0, Count: 3}, {Job: 1, First: 3, Count: 5}, {Job: 2, First: 8, Count: 4}, {Job: 3, First: 5, Count: 7}, {Job: 4, First: 3, Count: 2}, {Job: 5, First: 5, Count: 4}, {Job: 6, First: 5, Count: 2}, {Job: 7, First: 0, Count: 1}}
	c.Full.At = []model.Time{at(14, 0), at(16, 30)}
	d := func(k tell.Kind, job int, needs, free int32, ends, shadow model.Time) tell.Decision {
		one := tell.Decide(k, model.JobID(job))
		one.Number, one.Needs, one.Free, one.Ends, one.At, one.Spare, one.Head = int64(job+1), needs, free, ends, shadow, 2, 4
		one.Limit = jobs.Limit[job]
		return one
	}
	head := d(tell.Head, 3, 7, 5, model.Never, at(15, 20))
	head.Frees = []int64{3}
	late := d(tell.Delays, 7, 1, 1, at(15, 40), at(15, 20))
	late.Spare, late.Late = 0, 20*minute
	step := &tell.Step{Index: 6, Total: 16, Now: at(14, 40), Procs: 12, Free: 5, Head: 3, Shadow: at(15, 20), Spare: 2, Place: -1, Waits: 5, Starts: 2,
		Runs:      []tell.Running{{Job: 2, Number: 3, Procs: 4, Start: at(14, 5), Until: at(15, 20)}, {Job: 0, Number: 1, Procs: 3, Start: at(14, 0), Until: at(15, 40)}},
		Came:      []tell.Waiting{{Job: 7, Number: 8, Procs: 1, Limit: hour}},
		Decisions: []tell.Decision{head, d(tell.Beside, 4, 2, 5, at(16, 10), at(15, 20)), d(tell.TooWide, 5, 4, 3, at(15, 10), model.Never), d(tell.Before, 6, 2, 3, at(15, 10), at(15, 20)), late},
	}
	for _, d := range step.Decisions {
		step.Queue = append(step.Queue, tell.Waiting{Job: d.Job, Number: d.Number, Procs: d.Needs, Limit: d.Limit, Kind: d.Kind, At: d.At, Was: model.Never, Place: -1, Free: d.Free, Late: d.Late, Submit: jobs.Submit[d.Job]})
	}
	clock := draw.Clock{}
	s := &Scene{Step: step, Reach: 5, Chosen: 4, Job: -1, Cols: c, Jobs: jobs, Procs: 12, Clock: clock, Words: Words(clock, step.Now), W: 760}
	s.From, s.To = at(14, 0), at(16, 50)
	s.H = s.Height(312)
	return s
}

var texts = regexp.MustCompile(`<text[^>]*>(.*?)</text>`)

func said(svg string) (list []string) {
	for _, m := range texts.FindAllStringSubmatch(svg, -1) {
		list = append(list, regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], ""))
	}
	return list
}

// The picture says what the decisions say: the head's box at its shadow time, what
// is left over, who starts, and by how much the chosen one would delay it.
func TestSceneSays(t *testing.T) {
	s := atHole()
	got := said(string(s.SVG()))
	for _, want := range []string{"14:40 ", "15:20 shadow time", "Job 4, the head", "needs 7, for 1 h", "15:20 at the latest", "left over: 2", "20 min", "must end by 15:20", "must end by 16:10", "1, 2"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
}

// Decisions that have not been told yet draw nothing, and of two refused jobs only
// the chosen one is drawn.
func TestSceneTellsNoMore(t *testing.T) {
	s := atHole()
	s.Reach, s.Chosen = 0, -1
	if svg := s.SVG(); strings.Contains(string(svg), "shadow time") || strings.Contains(string(svg), "starts") || strings.Contains(string(svg), "the head") {
		t.Error("something is told before its turn")
	}
	s.Reach, s.Chosen = 3, 2
	svg := s.SVG()
	if !strings.Contains(string(svg), "6? needs 4, 3 free") || strings.Contains(string(svg), "step-breach") {
		t.Errorf("the chosen decision is not the one that is drawn: %q", said(string(svg)))
	}
	if n := strings.Count(string(svg), `stroke-dasharray="4 3"`); n == 0 {
		t.Error("the free processors are not outlined")
	}
}

// Copies of a licence are in use as far as decisions have been told: those that a job
// takes now after its decision, and from its start on.
func TestLicencesFollowDecisions(t *testing.T) {
	s := atHole()
	now := s.Step.Now
	s.Step.Licences = []tell.InUse{{Name: "solver", Copies: 4, Free: 3, Holds: []tell.Holds{{Number: 1, Copies: 1, Since: now - 40*minute}, {Number: 5, Copies: 2, Since: now, Takes: true}, {Number: 7, Copies: 1, Since: now, Takes: true}}}}
	s.H = s.Height(312)
	for reach, want := range []string{"solver: 3 of 4 free", "solver: 3 of 4 free", "solver: 1 of 4 free", "solver: 1 of 4 free", "solver: 0 of 4 free", "solver: 0 of 4 free"} {
		s.Reach, s.Chosen = reach, -1
		svg := s.SVG()
		if !slices.Contains(said(string(svg)), want) {
			t.Errorf("with %d decisions told, %q is not among %q", reach, want, said(string(svg)))
		}
		if n := strings.Count(string(svg), "url(#step-dots)"); n != 4-int(want[8]-'0') {
			t.Errorf("with %d decisions told, %d copies are drawn as in use", reach, n)
		}
	}
}

// Where a job really ends is drawn only with the truth: without it the picture is
// the same whatever the truth is.
func TestSceneHidesTheTruth(t *testing.T) {
	a, b := atHole(), atHole()
	for j := range b.Cols.End {
		if b.Cols.End[j] > b.Step.Now {
			b.Cols.End[j] = min(b.Cols.End[j]+7*minute, b.Cols.Start[j]+b.Jobs.Limit[j]) // later, not past the request
			b.Cols.End[j] = max(b.Cols.End[j], b.Step.Now+1)
		}
		if b.Cols.Start[j] > b.Step.Now {
			b.Cols.Start[j] += 600
		}
	}
	if a.SVG() != b.SVG() {
		t.Error("the picture shows what nobody can know")
	}
	a.Truth, b.Truth = true, true
	if a.SVG() == b.SVG() {
		t.Error("the truth is not shown when it is asked for")
	}
}

// The head's box takes the highest processors that are free at its time, and what is
// left over stands below, under the job that takes it.
func TestSceneRows(t *testing.T) {
	p := &painter{Scene: atHole()}
	p.all = p.Scene.bars()
	head := p.shadowed()
	box := p.promised(head)
	for i, want := range []bool{false, false, false, false, false, true, true, true, true, true, true, true} {
		if box[i] != want {
			t.Fatalf("the head's box is %v", box)
		}
	}
	if got := p.free(p.all, p.Step.Now).count(); got != 1 {
		t.Errorf("%d processors are free at the end, 1 is", got)
	}
}

// Planned jobs stand on processors that are free from their start on, none twice.
func TestScenePlans(t *testing.T) {
	s := atHole()
	at := func(h, m int) model.Time { return model.Time(h*hour + m*minute) }
	s.Step.Queue = []tell.Waiting{
		{Job: 3, Number: 4, Procs: 7, Limit: hour, Kind: tell.Stays, At: at(15, 20), Was: at(15, 20), Place: -1},
		{Job: 7, Number: 8, Procs: 1, Limit: hour, Kind: tell.New, At: at(15, 40), Was: model.Never, Place: -1},
		{Job: 5, Number: 6, Procs: 4, Limit: 30 * minute, Kind: tell.Earlier, At: at(16, 10), Was: at(16, 20), Place: -1},
	}
	list := s.plans(s.bars())
	if len(list) != 3 {
		t.Fatalf("%d plans are drawn", len(list))
	}
	for i, a := range list {
		if a.at.count() != int(a.q.Procs) {
			t.Errorf("job %d has %d processors", a.q.Number, a.at.count())
		}
		for _, b := range list[:i] {
			if a.at.with(b.at).count() > 0 && a.q.At < b.end && b.q.At < a.end {
				t.Errorf("jobs %d and %d stand on the same processors", a.q.Number, b.q.Number)
			}
		}
	}
}

// The head's box, and that of a planned job, stand on the machines where they will run:
// a job that needs a GPU on none without.
func TestBoxesStandWhereJobsWillRun(t *testing.T) {
	s := atHole()
	s.Site = &report.Site{Machines: []report.Machine{{Cluster: "n", First: 0, Procs: 2, GPUs: 1}, {Cluster: "n", First: 2, Procs: 10}}}
	s.Cols.Spans, s.Cols.Start, s.Cols.End = nil, nil, nil
	one := tell.Decide(tell.Head, 3)
	one.Number, one.Needs, one.At, one.Limit, one.Place, one.Parts = 4, 1, s.Step.Now+hour, hour, 0, []model.Part{{Node: 0, Procs: 1}}
	s.Step.Decisions, s.Step.Queue = []tell.Decision{one}, nil
	s.SVG()
	p := &painter{Scene: s}
	if at := p.promised(&one); at.count() != 1 || !at[0] && !at[1] {
		t.Errorf("the head stands on %v", at)
	}
	one.Kind, one.Was = tell.New, model.Never
	s.Step.Decisions, s.Step.Queue = []tell.Decision{one}, []tell.Waiting{{Job: 3, Number: 4, Procs: 1, Limit: hour, Kind: tell.New, At: one.At, Place: 0, Parts: one.Parts}}
	if list := s.plans(nil); len(list) != 1 || !list[0].at[0] && !list[0].at[1] {
		t.Errorf("the planned job stands on %v", list)
	}
}

// While decisions are told, the plan is drawn as it stands by then: first as the
// optimiser found it, with who has come, then as it is after its moves.
func TestPlanIsDrawnAsItStands(t *testing.T) {
	s := atHole()
	now := s.Step.Now
	at := func(k tell.Kind, job model.JobID, when, was model.Time) tell.Decision {
		d := tell.Decide(k, job)
		d.Number, d.Needs, d.At, d.Was, d.Limit = int64(job+1), 2, when, was, hour
		return d
	}
	draft := tell.Decide(tell.Draft, -1)
	draft.Plan = &tell.Beginning{Starts: []tell.Start{{Job: 3, Number: 4, At: now + hour, Place: -1}, {Job: 7, Number: 8, At: now + 2*hour, Place: -1}}}
	s.Step.Decisions = []tell.Decision{at(tell.New, 7, now+2*hour, model.Never), draft, tell.Decide(tell.Improve, -1), at(tell.Later, 3, now+3*hour, now+hour), at(tell.Planned, 7, now, now+2*hour)}
	s.Step.Queue = []tell.Waiting{{Job: 7, Number: 8, Procs: 2, Limit: hour, Kind: tell.Planned, At: model.Never, Was: now + 2*hour}, {Job: 3, Number: 4, Procs: 2, Limit: hour, Kind: tell.Later, At: now + 3*hour, Was: now + hour}}
	for reach, want := range []map[int64]model.Time{{4: hour}, {4: hour, 8: 2 * hour}, {4: hour, 8: 2 * hour}, {4: hour, 8: 2 * hour}, {4: 3 * hour, 8: 2 * hour}, {4: 3 * hour}} {
		s.Reach = reach
		got := map[int64]model.Time{}
		for _, p := range s.plans(nil) {
			got[p.q.Number] = p.q.At - now
		}
		if !maps.Equal(got, want) {
			t.Errorf("with %d decisions told, drawn are %v, want %v", reach, got, want)
		}
		if starts := strings.Contains(string(QueueHTML(s.Step, reach, -1, s.Words)), "starts"); starts != (reach == 5) {
			t.Errorf("with %d decisions told, the queue says that job 8 starts: %t", reach, starts)
		}
	}
}

// A job is gone to by its number.
func TestParseJob(t *testing.T) {
	for text, want := range map[string]int64{"job 5": 5, "Job 12": 12, "#7": 7, " job7 ": 7} {
		if got, ok := ParseJob(text); !ok || got != want {
			t.Errorf("%q is job %d, %t", text, got, ok)
		}
	}
	for _, text := range []string{"14:40", "5 h", "job", "jobs 5", "#", "5"} {
		if got, ok := ParseJob(text); ok {
			t.Errorf("%q is job %d", text, got)
		}
	}
}

// What is hatched is explained where anything is.
func TestHatchingHasALegend(t *testing.T) {
	s := atHole()
	if strings.Contains(string(Legend(s)), "reserved or out of order") {
		t.Error("nothing is hatched")
	}
	s.Cols.Away = []report.Away{{From: s.Step.Now, To: s.Step.Now + hour, Kind: int32(model.KindOutage), Count: 2}}
	if !strings.Contains(string(Legend(s)), "reserved or out of order") {
		t.Error("the hatching is not explained")
	}
}

func TestParseTime(t *testing.T) {
	c, now := draw.Clock{}, model.Time(2*draw.Day+14*hour)
	for text, want := range map[string]model.Time{"14:40": 2*draw.Day + 14*hour + 40*minute, " 9:05:30 ": 2*draw.Day + 9*hour + 5*minute + 30, "2 h": 2 * hour} {
		if got, err := ParseTime(text, c, now); err != nil || got != want {
			t.Errorf("%q is %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"25:00", "", "soon"} {
		if _, err := ParseTime(text, c, now); err == nil {
			t.Errorf("%q is a time", text)
		}
	}
}

// The next difference is the first time at which a job starts under one run only.
func TestDifference(t *testing.T) {
	a, b := []model.Time{0, 10, 50, 70}, []model.Time{0, 40, 30, 70}
	numbers := []int64{1, 2, 3, 4}
	if at, jobs, ok := Difference(a, b, numbers, -1, 1); !ok || at != 10 || !slices.Equal(jobs, []int64{2}) {
		t.Errorf("first difference: %d %v %t", at, jobs, ok)
	}
	if at, jobs, ok := Difference(a, b, numbers, 10, 1); !ok || at != 30 || !slices.Equal(jobs, []int64{3}) {
		t.Errorf("second: %d %v %t", at, jobs, ok)
	}
	if _, _, ok := Difference(a, b, numbers, 30, 1); ok {
		t.Error("there is no third")
	}
	if at, _, ok := Difference(a, b, numbers, 30, -1); !ok || at != 10 {
		t.Errorf("before: %d %t", at, ok)
	}
}

// Where one run starts a job that the other one has started already, they do not
// start the same jobs, although this is no new difference.
func TestLate(t *testing.T) {
	a, b := []model.Time{0, 10, 50, 70, -1}, []model.Time{0, 40, 30, 70, 40}
	numbers := []int64{1, 2, 3, 4, 5}
	for at, want := range map[model.Time][]int64{0: nil, 10: nil, 30: nil, 40: {2}, 50: {3}, 70: nil} {
		if got := Late(a, b, numbers, at); !slices.Equal(got, want) {
			t.Errorf("at %d: %v, want %v", at, got, want)
		}
	}
}

// A value has all its digits before the point: no powers of ten.
func TestScoreOfAJob(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 5.9678: "5.968", 240: "240", 14400: "14,400", 27601.4: "27,601", -2.5: "−2.5", -36000: "−36,000"} {
		if got := score(x); got != want {
			t.Errorf("%g is %q, want %q", x, got, want)
		}
	}
}

// Between two instants what started runs, what waits waits, and nothing is decided:
// beside another run, at whose time something happens.
func TestAfter(t *testing.T) {
	s := atHole()
	if After(s.Step, s.Step.Now) != s.Step {
		t.Error("at its own time it is another")
	}
	s.Step.Busy = 2
	later := After(s.Step, s.Step.Now+3*minute)
	var runs, waits []int64
	for _, r := range later.Runs {
		runs = append(runs, r.Number)
	}
	for _, q := range later.Queue {
		waits = append(waits, q.Number)
	}
	if !slices.Equal(runs, []int64{7, 3, 1, 5}) || !slices.Equal(waits, []int64{4, 6, 8}) || later.Free != 1 || later.Waits != 3 || len(later.Decisions) > 0 {
		t.Errorf("%v run, %v wait: %+v", runs, waits, later)
	}
	if text := Spoken(later, 3, s.Words); text != "14:43. Nothing happens here at this time. Running: 7 until 15:10, 3 until 15:20, 1 until 15:40, and 1 more, at the latest." {
		t.Errorf("%q", text)
	}
	if !strings.Contains(string(DecisionsHTML(later, 0, -1, s.Words)), "Nothing is decided here now.") || len(s.Step.Queue) != 5 || len(s.Step.Decisions) != 5 {
		t.Error("the instant itself has changed")
	}
}

// Two providers stand in lanes of their own: each with its name and its scale, and
// nothing that is drawn crosses from one into the other.
func TestLanes(t *testing.T) {
	s := atHole()
	one := s.Height(s.Rows(20))
	for _, m := range []report.Machine{{Cluster: "North", First: 0, Procs: 3}, {Cluster: "South", First: 3, Procs: 5}, {Cluster: "South", First: 8, Procs: 4}} {
		s.Site = &report.Site{Machines: append(append([]report.Machine{}, machines(s)...), m)}
	}
	if s.H = s.Height(s.Rows(20)); s.H != one+2*laneGap {
		t.Errorf("%v high, one picture is %v", s.H, one)
	}
	svg := s.SVG()
	words := said(string(svg))
	for _, want := range []string{"North", "South", "3", "9", "0"} {
		if !slices.Contains(words, want) {
			t.Errorf("%q is not among %q", want, words)
		}
	}
	p := s.Frame()
	low, lowHigh := p.Down(2, 1)
	high, highHigh := p.Down(3, 1)
	if low != p.Bottom-60 || lowHigh != 20 || high+highHigh != p.Bottom-60-laneGap {
		t.Errorf("rows at %v, %v", low, high)
	}
	edge := p.Bottom - 60 - laneGap/2 // in the middle of the gap
	for _, m := range regexp.MustCompile(`<rect [^>]*y="([0-9.]+)"[^>]*height="([0-9.]+)"`).FindAllStringSubmatch(string(svg), -1) {
		y, _ := strconv.ParseFloat(m[1], 64)
		h, _ := strconv.ParseFloat(m[2], 64)
		if y < edge && y+h > edge {
			t.Errorf("%s crosses from one lane into the other", m[0])
		}
	}
	var got [][2]int32
	p.Pieces(1, 9, func(first, count int32) { got = append(got, [2]int32{first, count}) })
	if !slices.Equal(got, [][2]int32{{1, 2}, {3, 7}}) {
		t.Errorf("pieces %v", got)
	}
}

func machines(s *Scene) []report.Machine {
	if s.Site == nil {
		return nil
	}
	return s.Site.Machines
}

// What keeps a job out is what its sentence says: where a licence is missing, not
// processors of which there are enough.
func TestKept(t *testing.T) {
	for want, d := range map[string]tell.Decision{
		" needs 4, 3 free":     {Kind: tell.TooWide, Needs: 4, Free: 3},
		" needs 1 cad, 0 free": {Kind: tell.Stops, Needs: 2, Free: 6, Cause: tell.Cause{Licence: &tell.Copies{Name: "cad", Needs: 1, Of: 1}}},
		"":                     {Kind: tell.Turn, Needs: 2, Free: 6},
	} {
		if got := kept(&d); got != want {
			t.Errorf("%v: %q, want %q", d.Kind, got, want)
		}
	}
}

// A time of day is said with its day where there are several.
func TestDayAmong(t *testing.T) {
	var c draw.Clock
	const hour = 3600
	if got := DayAmong(c, 14*hour, 0, 20*hour); got != "" {
		t.Errorf("in a case of one day: %q", got)
	}
	if got := strings.ReplaceAll(DayAmong(c, 38*hour, 0, 20*hour), words.NB, " "); got != "day 2" {
		t.Errorf("on the day behind it: %q", got)
	}
	if got := strings.ReplaceAll(DayAmong(c, 14*hour, 0, 90*draw.Day), words.NB, " "); got != "day 1" {
		t.Errorf("in a long log: %q", got)
	}
}
