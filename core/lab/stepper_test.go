//go:build !small

package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/sim"
	"batchlab/core/swf"
	"batchlab/core/tell"
)

// toldJob is a job of a workload that is told about: times in seconds.
type toldJob struct{ submit, procs, request, run, user, queue int }

// crowd draws jobs that keep a machine of 16 processors busy.
func crowd(r *rand.Rand, jobs int) []toldJob {
	list, at := make([]toldJob, jobs), 0
	for i := range list {
		if r.IntN(3) > 0 {
			at += r.IntN(90)
		}
		run := 20 + r.IntN(300)
		request := run
		if r.IntN(3) > 0 {
			request += r.IntN(200)
		}
		if r.IntN(8) == 0 {
			request = max(10, run/2) // it is stopped
		}
		procs := 1 + r.IntN(4)
		if r.IntN(4) == 0 {
			procs = 1 + r.IntN(8)
		}
		list[i] = toldJob{at, procs, request, run, 1 + r.IntN(4), 1 + r.IntN(3)}
	}
	return list
}

// crowded is an experiment of one scheduler with jobs that come twice as fast, narrow where
// machines are small; an error where the platform does not suit the scheduler.
func crowded(t *testing.T, random *rand.Rand, count int, pair [2]string, scheduler string) (*Prepared, error) {
	jobs := crowd(random, count)
	for i := range jobs {
		if jobs[i].submit /= 2; pair != toldPairs[0] {
			jobs[i].procs = min(jobs[i].procs, 4)
		}
	}
	return Prepare(conforming(t, pair[0], pair[1], scheduler), toldLog(t, jobs))
}

// logged makes a log of jobs.
func toldLog(t *testing.T, jobs []toldJob) Env {
	t.Helper()
	var b strings.Builder
	b.WriteString("; MaxProcs: 16\n")
	for i, j := range jobs {
		fmt.Fprintf(&b, "%d %d 0 %d %d -1 -1 -1 %d -1 1 %d 1 1 %d 1 -1 -1\n", i+1, j.submit, j.run, j.procs, j.request, j.user, j.queue)
	}
	log, err := swf.Parse([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }}
}

// toldSteps tells all instants of the first run of an experiment.
func toldSteps(t *testing.T, doc *experiment.Experiment, env Env) ([]*tell.Step, *model.Schedule, error) {
	t.Helper()
	p, err := Prepare(doc, env)
	if err != nil {
		return nil, nil, err
	}
	s, err := p.NewStepper(RunID{}, false, nil)
	if err != nil {
		return nil, nil, err
	}
	var steps []*tell.Step
	for i := range s.Times() {
		step, err := s.Step(i, nil)
		if err != nil {
			return nil, nil, err
		}
		if step.Index != i || step.Now != s.Times()[i] {
			t.Fatalf("step %d is the one of index %d at %d", i, step.Index, step.Now)
		}
		steps = append(steps, step)
	}
	r, err := p.Run(RunID{}, Options{})
	if err != nil {
		return nil, nil, err
	}
	return steps, r.Schedule, nil
}

// reading is the state of the machine as a reader of steps knows it.
type reading struct {
	t     *testing.T
	name  string
	plain bool // one machine of counted processors: numbers are read a second time
	jobs  map[int64]*model.Job
	runs  map[int64]held
	plans map[int64]model.Time // planned starts after the instant before
	begun map[int64][]model.Time
	over  map[int64]bool // has ended
	users int            // how often a user who reacts was told of
	kept  int            // moves of optimisers that were told
}

type held struct {
	until model.Time
	procs int32
}

func (r *reading) failf(s *tell.Step, format string, args ...any) {
	r.t.Helper()
	text, _ := json.MarshalIndent(s, "", " ")
	r.t.Fatalf("%s, instant %d at %d: %s\n%s", r.name, s.Index, s.Now, fmt.Sprintf(format, args...), text)
}

func (r *reading) busy() (n int32) {
	for _, h := range r.runs {
		n += h.procs
	}
	return n
}

// shadow reads rule 8: when so many processors are free by the requested ends, and
// how many are then left over.
func (r *reading) shadow(free, needs int32, more ...held) (at model.Time, spare int32) {
	var list []held
	for _, h := range r.runs {
		list = append(list, h)
	}
	list = append(list, more...)
	slices.SortFunc(list, func(a, b held) int { return int(a.until - b.until) })
	for i := 0; i < len(list); i++ {
		if free += list[i].procs; free >= needs && (i+1 == len(list) || list[i+1].until > list[i].until) {
			return list[i].until, free - needs
		}
	}
	return model.Never, 0
}

// step applies what is told of an instant, and reads its numbers a second time.
func (r *reading) step(s *tell.Step) {
	for _, e := range s.Ended {
		if _, runs := r.runs[e.Number]; !runs || e.Start >= model.Never {
			r.failf(s, "job %d ends and did not run", e.Number)
		}
		delete(r.runs, e.Number)
		r.over[e.Number] = true
	}
	for _, n := range s.Back {
		delete(r.runs, n)
		delete(r.over, n)
	}
	for i := range s.Users {
		u := &s.Users[i]
		if u.Until < model.Never || u.Thinks < model.Never && (u.Thinks > s.Now || len(u.Waits) > 0) {
			r.failf(s, "user %d thinks until a time that nobody knows, or has not begun", u.User)
		}
		for _, n := range u.Waits {
			if job := r.jobs[n]; r.over[n] || job.User != u.User || job.Submit > s.Now {
				r.failf(s, "user %d does not wait for job %d", u.User, n)
			}
		}
		r.users++
	}
	free := s.Procs - r.busy()
	if r.plain && free != s.Free {
		r.failf(s, "%d processors are free, told are %d", free, s.Free)
	}
	r.moves(s)
	if s.Waits != len(s.Queue) && s.Waits <= tell.MostListed && !strings.Contains(r.name, "pppd") {
		r.failf(s, "%d jobs wait, and %d are listed", s.Waits, len(s.Queue))
	}
	free = s.Free
	var head *tell.Decision
	spare := int32(-1)
	for i := range s.Decisions {
		d := &s.Decisions[i]
		job := r.jobs[d.Number]
		if d.Job < 0 || d.Kind == tell.Note {
			continue
		}
		if r.plain && d.Free != free {
			r.failf(s, "decision %d: %d are free at its turn, told are %d", i, free, d.Free)
		}
		if d.Needs != job.Procs || d.Limit != job.Limit || d.Fresh != (job.Submit == s.Now) && d.Kind != tell.Offer && d.Kind != tell.Accept && d.Kind != tell.Send && d.Kind != tell.Books && d.Kind != tell.Refuses && d.Kind != tell.Decline {
			r.failf(s, "decision %d is not about such a job", i)
		}
		if d.Kind.Begins() {
			r.begun[d.Number] = append(r.begun[d.Number], s.Now)
			if r.plain {
				if _, runs := r.runs[d.Number]; runs || job.Submit > s.Now {
					r.failf(s, "job %d cannot start", d.Number)
				}
				if d.Needs > free {
					r.failf(s, "job %d starts on more than is free", d.Number)
				}
			}
		}
		switch d.Kind {
		case tell.Stop, tell.Suspend, tell.End:
			free += r.runs[d.Number].procs
			delete(r.runs, d.Number)
		}
		if r.plain {
			r.numbers(s, d, head, free, &spare)
		}
		if d.Kind == tell.Head {
			head, spare = d, d.Spare
		}
		if d.Kind.Begins() {
			r.runs[d.Number] = held{d.Ends, d.Needs}
			free -= d.Needs
		}
		r.words(s, d)
	}
	clear(r.plans)
	for _, q := range s.Queue {
		if !q.Kind.Begins() && q.At < model.Never {
			r.plans[q.Number] = q.At
		}
	}
}

// moves reads what an optimiser kept: each move begins with what the one before came
// to, and where all are told, they come to what is said of all together. A makespan is
// that of what runs and is planned.
func (r *reading) moves(s *tell.Step) {
	last, moves := map[string]float64{}, 0
	for i := range s.Decisions {
		d := &s.Decisions[i]
		if d.Kind != tell.Move && d.Kind != tell.Improve {
			continue
		}
		if d.Kind == tell.Move {
			moves++
			if len(d.Scores) == 0 || len(d.Frees) == 0 || moves > d.Moves {
				r.failf(s, "move %d moves or gains nothing", d.Moves)
			}
			for _, n := range d.Frees {
				if !slices.ContainsFunc(s.Queue, func(q tell.Waiting) bool { return q.Number == n }) && s.Waits <= tell.MostListed {
					r.failf(s, "move %d moves job %d, which does not wait", d.Moves, n)
				}
			}
		} else {
			if moves > d.Moves || moves < min(d.Moves, 12) {
				r.failf(s, "%d moves are told, and %d were kept", moves, d.Moves)
			}
			r.kept += moves
		}
		for _, score := range d.Scores {
			before, ok := last[score.Name]
			if d.Kind == tell.Move && ok && score.Old != before || d.Kind == tell.Improve && ok && d.Moves <= moves && score.New != before {
				r.failf(s, "%s was %v before %q", score.Name, before, d.Sentence(nil))
			}
			last[score.Name] = score.New
			if score.Name != "makespan" || d.Kind == tell.Move || !r.plain || strings.Contains(r.name, "prediction") {
				continue
			}
			end := s.Now
			for _, run := range s.Runs {
				end = max(end, run.Until)
			}
			for i := range s.Queue {
				if q := &s.Queue[i]; q.Kind.Begins() {
					end = max(end, s.Now+q.Limit)
				} else if q.At < model.Never {
					end = max(end, q.At+q.Limit)
				}
			}
			if end-s.Now != model.Time(score.New) {
				r.failf(s, "the plan ends after %d s", end-s.Now)
			}
		}
	}
}

// numbers reads the numbers of a decision again from what runs and waits.
func (r *reading) numbers(s *tell.Step, d, head *tell.Decision, free int32, spare *int32) {
	job := r.jobs[d.Number]
	if d.Ends != s.Now+job.Limit && d.Ends != model.Never {
		r.failf(s, "job %d would end at %d, told is %d", d.Number, s.Now+job.Limit, d.Ends)
	}
	switch d.Kind {
	case tell.Head:
		at, left := r.shadow(free, job.Procs)
		if at != d.At || left != d.Spare || job.Procs <= free {
			r.failf(s, "the head %d is promised %d with %d left over", d.Number, at, left)
		}
		must := 0
		for _, h := range r.runs {
			if h.until <= at {
				must++
			}
		}
		if must != len(d.Frees)+d.More {
			r.failf(s, "%d jobs must have ended", must)
		}
		for _, n := range d.Frees {
			if h, ok := r.runs[n]; !ok || h.until > at {
				r.failf(s, "job %d need not have ended", n)
			}
		}
	case tell.Before:
		if d.Ends > d.At || d.At != head.At || d.Head != head.Number {
			r.failf(s, "job %d does not end before the head", d.Number)
		}
	case tell.Beside:
		if d.Ends <= d.At || d.At != head.At || d.Head != head.Number || d.Spare != *spare || d.Needs > *spare {
			r.failf(s, "job %d does not fit beside the head: %d left over", d.Number, *spare)
		}
		*spare -= d.Needs
	case tell.Delays:
		late, _ := r.shadow(free-d.Needs, r.jobs[head.Number].Procs, held{d.Ends, d.Needs})
		if d.Needs > free || d.Spare != *spare || d.Head != head.Number || late-head.At != d.Late || d.Late <= 0 {
			r.failf(s, "job %d would delay the head by %d", d.Number, late-head.At)
		}
	case tell.TooWide, tell.Stops:
		if d.Needs <= free {
			r.failf(s, "job %d fits", d.Number)
		}
	case tell.New, tell.Earlier, tell.Later, tell.Stays, tell.Planned:
		was, ok := r.plans[d.Number]
		if !ok {
			was = model.Never
		}
		if strings.Contains(r.name, `"grid"`) {
			break // its providers do not tell their plans
		}
		if was != d.Was || d.Kind == tell.Earlier && d.At >= was || d.Kind == tell.Later && d.At <= was || d.Kind == tell.Stays && d.At != was {
			r.failf(s, "job %d was planned for %d", d.Number, was)
		}
		if d.Kind == tell.Planned != (d.At == s.Now) {
			r.failf(s, "job %d is planned for now", d.Number)
		}
	}
}

var numbersTold = regexp.MustCompile(`[TS]?\d+`)

// words reads a decision's sentence: no number stands there that is not one of the
// decision's, or of what is known of the instant.
func (r *reading) words(s *tell.Step, d *tell.Decision) {
	w := &tell.Words{
		Time: func(t model.Time) string { return "T" + strconv.Itoa(int(t)) },
		Span: func(t model.Time) string { return "S" + strconv.Itoa(int(t)) },
	}
	known := map[string]bool{}
	count := func(list ...int64) {
		for _, n := range list {
			known[strconv.FormatInt(n, 10)] = true
		}
	}
	times := func(list ...model.Time) {
		for _, at := range list {
			known["T"+strconv.Itoa(int(at))] = true
		}
	}
	job := r.jobs[d.Number]
	count(d.Number, int64(job.Procs), int64(d.Free), d.Head, int64(d.Spare), int64(d.Spare)-int64(job.Procs), int64(d.Spare)+int64(job.Procs), int64(len(d.Slots)), int64(d.Copies), int64(d.Left), int64(d.Have), int64(d.More))
	count(d.Frees...)
	if d.Bound != nil {
		count(int64(d.Bound.Held), int64(d.Bound.Most))
		known["S"+strconv.Itoa(int(d.Bound.Longer))] = true
	}
	times(s.Now, d.At, d.Was, d.Ends)
	for _, slot := range d.Slots {
		count(int64(slot.Least))
		times(slot.At, slot.When)
	}
	for _, span := range []model.Time{job.Limit, d.Late, d.Was - d.At, d.At - d.Was} {
		known["S"+strconv.Itoa(int(span))] = true
	}
	text := d.Sentence(w)
	for _, found := range numbersTold.FindAllString(strings.TrimPrefix(text, d.Name), -1) {
		if !known[found] {
			r.failf(s, "%q tells %s, which nobody knows", text, found)
		}
	}
	if !strings.HasPrefix(text, d.Subject()) || !strings.HasSuffix(text, ".") {
		r.failf(s, "%q is no sentence about %s", text, d.Subject())
	}
	if tag, _ := d.Verdict(w); tag == "" {
		r.failf(s, "%q has no verdict", text)
	}
}

// toldPairs are the platforms and requests under which decisions are read again.
var toldPairs = [][2]string{
	{"counts", "plain"}, {"counts", "plain"}, {"counts", "user limit"}, {"counts", "outage"}, {"counts", "reservations"}, {"counts", "users"},
	{"clusters", "plain"}, {"nodes", "plain"}, {"farm", "due stops"}, {"licences", "licences"}, {"licences", "all"}, {"grid", "reservations"}, {"nodes", "failure"},
}

// toldSchedulers are the catalog's, and the orders of EASY besides.
func toldSchedulers() []string {
	list := everyScheduler()
	for _, params := range []string{`"order":"sqf","backfill":"spf"`, `"order":"lexp","backfill":"sexp","threshold":100`, `"ties":"newest","backfill":"laf"`, `"backfill":"formula","backfill-formula":"wait*q"`} {
		list = append(list, `{"key":"easy","params":{`+params+`}}`)
	}
	return append(list, `{"key":"conservative","params":{"order":"saf"}}`, `{"key":"fcfs","params":{"ties":"newest"}}`)
}

// What is told of all instants, applied one by one from the beginning, gives the
// schedule, under every scheduler, on machines, licences, limits, reservations and
// with users who react; and on a machine of counted processors every number told is
// what a second reading of the state gives.
func TestToldIsTheSchedule(t *testing.T) {
	rounds := 37 // more than 1,000 workloads, but for what a scheduler refuses
	if testing.Short() {
		rounds = 2
	}
	random := rand.New(rand.NewPCG(17, 4))
	told, workloads, users, read := 0, 0, 0, map[string]int{}
	for range rounds {
		for k, scheduler := range toldSchedulers() {
			pair := toldPairs[random.IntN(len(toldPairs))]
			if k%2 == 0 {
				pair = toldPairs[0]
			}
			doc := conforming(t, pair[0], pair[1], scheduler)
			jobs := crowd(random, 12+random.IntN(14))
			if pair != toldPairs[0] {
				for i := range jobs {
					jobs[i].procs = min(jobs[i].procs, 4)
				}
			}
			steps, schedule, err := toldSteps(t, doc, toldLog(t, jobs))
			if err == ErrNothingDecided {
				continue
			}
			if err != nil {
				if _, refused := err.(experiment.Errors); refused || strings.Contains(err.Error(), "can never start") {
					continue
				}
				t.Fatalf("%v %s: %v", pair, scheduler, err)
			}
			workloads++
			r := &reading{t: t, name: fmt.Sprint(pair, " ", scheduler), plain: pair[0] == "counts" && pair[1] == "plain" && !strings.Contains(scheduler, "pppd") &&
				!strings.Contains(scheduler, "backfill-by"), // which promises by predictions
				jobs: map[int64]*model.Job{}, runs: map[int64]held{}, plans: map[int64]model.Time{}, begun: map[int64][]model.Time{}, over: map[int64]bool{}}
			for i := range schedule.Workload.Jobs {
				r.jobs[schedule.Workload.Jobs[i].Number] = &schedule.Workload.Jobs[i]
			}
			second := newSecondReader(schedule, pair, r.failf)
			if strings.Contains(scheduler, "pppd") { // whose jobs are stopped by others, and go on later
				second.counts, second.tallies, second.limits = false, false, false
			}
			for _, s := range steps {
				r.step(s)
				second.step(s)
				told += len(s.Decisions)
			}
			for what, n := range second.read {
				read[what] += n
			}
			users += r.users
			read["moves kept"] += r.kept
			if len(r.runs) > 0 && r.plain {
				t.Fatalf("%s: at the end %v run", r.name, r.runs)
			}
			starts := map[int64][]model.Time{}
			for i := range schedule.Executions {
				if e := &schedule.Executions[i]; e.Reason != model.EndRejected {
					n := schedule.Workload.Jobs[e.Job].Number
					starts[n] = append(starts[n], e.Start)
				}
			}
			if !reflect.DeepEqual(starts, r.begun) {
				for n, list := range starts {
					if !slices.Equal(list, r.begun[n]) {
						t.Fatalf("%s: job %d starts at %v, told is %v", r.name, n, list, r.begun[n])
					}
				}
				t.Fatalf("%s: told are starts of jobs that never start", r.name)
			}
		}
	}
	if t.Logf("%d decisions of %d workloads, %d times a user; read a second time %v", told, workloads, users, read); users == 0 {
		t.Error("no user who reacts was told of")
	}
	for _, what := range []string{"needs", "empty", "copies", "ends", "head", "past", "moves", "keeps", "place", "offers", "looks", "gets", "goes", "waits for", "thinks", "ended", "free", "few", "copied", "bound", "outage", "holds", "moves kept"} {
		if read[what] == 0 && !testing.Short() {
			t.Errorf("no sentence of the kind %q was read", what)
		}
	}
}

// A grid whose providers have schedulers of the catalog gives the same a second
// time: they once read who had ended from memory that the simulator uses again.
func TestBrokerTwice(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	for range 20 {
		jobs := crowd(random, 30)
		for i := range jobs {
			jobs[i].procs = min(jobs[i].procs, 4)
		}
		p, err := Prepare(conforming(t, "grid", "plain", `{"key":"grid","params":{"local":"orig-bf"}}`), toldLog(t, jobs))
		if err != nil {
			t.Fatal(err)
		}
		var blocks [2][]byte
		for i := range blocks {
			r, err := p.Run(RunID{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			blocks[i] = r.Block
		}
		if !slices.Equal(blocks[0], blocks[1]) {
			t.Fatal("the second run gives another schedule")
		}
	}
}

// Forth and back, in any order, an instant is told alike: from a picture of the
// run's state, from its beginning, or from what is kept, under every scheduler and
// on every platform.
func TestStepsForthAndBack(t *testing.T) {
	defer func(work int64) { pictureWork, pictureLong = work, 0 }(pictureWork)
	pictureWork, pictureLong = 3000, 64
	random := rand.New(rand.NewPCG(11, 2))
	walked, pictures := 0, 0
	counting := `{"key":"custom","params":{"code":"seen = {}\ndef decide(s):\n    out, free = [], s.free\n    for job in sorted(s.queue, key=lambda j: (seen.get(j.user, 0), j.id)):\n        if job.procs <= free:\n            free -= job.procs\n            seen[job.user] = seen.get(job.user, 0) + 1\n            out.append(job)\n    return out\n"}}`
	for k, scheduler := range append(toldSchedulers(), counting) {
		for n, pair := range toldPairs {
			if (n+k)%map[bool]int{true: 9, false: 3}[testing.Short()] > 0 && n > 0 || n == 1 {
				continue
			}
			p, err := crowded(t, random, 60, pair, scheduler)
			if err != nil {
				continue // the platform does not suit it
			}
			s, err := p.NewStepper(RunID{}, false, nil)
			if err != nil {
				continue
			}
			if pictures += len(s.points); s.Anew() {
				t.Errorf("%s: no pictures", scheduler)
			}
			count := len(s.Times())
			whole := make([]string, count)
			if err := s.tell(&sim.Telling{From: 0, To: count, Each: func(step *tell.Step) bool {
				step.Total = count
				whole[step.Index] = mustJSON(step)
				return true
			}}, nil); err != nil && !errors.Is(err, sim.ErrCancelled) {
				t.Fatal(err)
			}
			walked++
			at := count / 2
			for range 12 {
				switch random.IntN(4) {
				case 0, 1:
					at = random.IntN(count)
				case 2:
					at = max(0, at-1-random.IntN(nearPicture))
				default:
					at = min(count-1, at+1)
				}
				step, err := s.Step(at, nil)
				if err != nil {
					t.Fatalf("%v %s, instant %d: %v", pair, scheduler, at, err)
				}
				if got := mustJSON(step); got != whole[at] {
					t.Fatalf("%v %s, instant %d of %d: told\n%s\nand from the beginning\n%s", pair, scheduler, at, count, got, whole[at])
				}
				if s.Find(step.Now) != at || at > 0 && s.Find(step.Now-1) != at-1 {
					t.Fatalf("%s: instant %d is found at %d", scheduler, at, s.Find(step.Now))
				}
			}
		}
	}
	if t.Logf("%d runs walked through, of which there were %d pictures", walked, pictures); pictures < 5*walked {
		t.Error("too few pictures for a test")
	}
}

// What is told of an instant is the same whatever happens later: it holds nothing
// that the scheduler cannot know, such as how long a job that runs will run.
func TestToldIsKnown(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	rounds := 6
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		for _, scheduler := range toldSchedulers() {
			pair := toldPairs[random.IntN(len(toldPairs))]
			jobs := crowd(random, 24)
			if pair != toldPairs[0] {
				for i := range jobs {
					jobs[i].procs = min(jobs[i].procs, 4)
				}
			}
			if pair[1] == "users" { // who react only to what has ended, but a log must say when they came
				pair = toldPairs[0]
			}
			doc := conforming(t, pair[0], pair[1], scheduler)
			steps, schedule, err := toldSteps(t, doc, toldLog(t, jobs))
			if err != nil {
				continue
			}
			at := steps[len(steps)/2].Now
			ended := map[int64]bool{}
			for i := range schedule.Executions {
				if e := &schedule.Executions[i]; e.End <= at && e.Reason.Final() {
					ended[schedule.Workload.Jobs[e.Job].Number] = true
				}
			}
			others := slices.Clone(jobs)
			for i := range others {
				j := &others[i]
				if ended[int64(i+1)] || model.Time(j.submit) > at {
					continue
				}
				for k := range schedule.Executions {
					if e := &schedule.Executions[k]; schedule.Workload.Jobs[e.Job].Number == int64(i+1) && e.Start <= at && (e.End > at || !e.Reason.Final()) {
						j.run = j.request // it runs on as long as it may
					}
				}
				if j.run != j.request {
					j.run = 1 + random.IntN(j.request)
				}
			}
			others = others[:len(others)-len(others)/8] // the last of which have not come by then
			if model.Time(jobs[len(others)].submit) <= at {
				others = append(others, jobs[len(others):]...)
			}
			if strings.Contains(pair[1], "l") && pair[1] != "plain" { // what is drawn for jobs goes by how many there are
				others = append(others, jobs[len(others):]...)
			}
			again, _, err := toldSteps(t, doc, toldLog(t, others))
			if err != nil {
				continue
			}
			for i, s := range steps {
				if s.Now > at {
					break
				}
				a, b := *s, *again[i]
				a.Total, b.Total = 0, 0
				if x, y := mustJSON(a), mustJSON(b); x != y {
					t.Fatalf("%v %s, instant %d: told is\n%s\nand if jobs ran otherwise later\n%s", pair, scheduler, i, x, y)
				}
			}
		}
	}
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
