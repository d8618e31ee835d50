//go:build !small

package lab

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"batchlab/core/forecast"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// Ask is a question of When: a job that nobody has submitted.
type Ask struct {
	At               model.Time // when it is submitted, seconds of the log
	Procs            int32      // processors
	Limit            model.Time // requested time in seconds
	User, Executable int32      // SWF fields 12 and 14, −1 unknown
	Draws            int        // K, at least 1
	Record           int        // earlier jobs whose answers are worked out and judged, at most
}

// whenLevels are the levels that are told, and lossLevels those by which answers are judged.
var (
	whenLevels = []float64{0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}
	lossLevels = []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95}
	// leads part answers by the median that was told.
	leads = []model.Time{900, 3600, 4 * 3600, 24 * 3600, 0}
	// horizons are how far arrivals are drawn before it is looked whether the job has
	// started: what comes later cannot matter to it.
	horizons = []model.Time{6 * 3600, 24 * 3600, 3 * 24 * 3600, weekLong, 4 * weekLong, 16 * weekLong}
)

const weekLong = 7 * 24 * 3600

// When says when a job would start that is submitted at an instant of a run: under the
// scheduler's own rules, from what was known by then, with run times of others drawn from
// what their users did and arrivals from past weeks, and recalibrated by how such answers
// came true before (package forecast; docs/when.md). It fails on platforms of machines,
// for users who react and for a log's own schedule. Progress may be nil; when it returns
// false, When fails with ErrCancelled.
func (p *Prepared) When(id RunID, ask Ask, progress func(done, total int) bool) (*report.When, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, err
	}
	procs := int64(r.machines().Procs())
	first, last := r.workload.Span()
	switch {
	case !r.countable() || r.users != nil:
		return nil, errors.New("it is told for one cluster of interchangeable processors and jobs that are submitted as the log says, no more yet")
	case p.form(r, id.Scheduler) == logged:
		return nil, errors.New("the log's own schedule follows no rules by which one more job would start")
	case ask.Procs < 1 || int64(ask.Procs) > procs:
		return nil, fmt.Errorf("%d processors are wanted of %d", ask.Procs, procs)
	case ask.Limit < 1:
		return nil, fmt.Errorf("%d s are wanted, not even a second", ask.Limit)
	case ask.At < first:
		return nil, fmt.Errorf("it is asked at %d, before the first submission at %d", ask.At, first)
	case ask.At > last+weekLong:
		return nil, fmt.Errorf("it is asked at %d, more than a week after the last submission at %d", ask.At, last)
	case ask.Draws < 1 || ask.Record < 0:
		return nil, errors.New("at least one draw is wanted, and no fewer than no earlier answers")
	}
	got, err := p.Run(id, Options{})
	if err != nil {
		return nil, err
	}
	q := newQueue(p, r, id.Scheduler, got.Schedule, ask.Draws)
	record := &keeper{}
	questions := q.past(ask.At, ask.Record)
	for n, j := range questions {
		job := &q.jobs[j]
		answer, draws, err := q.ask(job.Submit, j, job)
		if err != nil {
			return nil, err
		}
		record.judge(answer, draws, q, job.Submit, j)
		if progress != nil && !progress(n+1, len(questions)+1) {
			return nil, ErrCancelled
		}
	}
	number := int64(0)
	for i := range q.jobs {
		number = max(number, q.jobs[i].Number)
	}
	answer, draws, err := q.ask(ask.At, -1, &model.Job{Number: number + 1, Submit: ask.At, Limit: ask.Limit, Procs: ask.Procs, User: ask.User, Executable: ask.Executable})
	if err != nil {
		return nil, err
	}
	out := &report.When{At: ask.At, Procs: ask.Procs, Limit: ask.Limit, Free: procs, Levels: whenLevels, Draws: draws, Record: record.kept()}
	known := record.by(ask.At, q)
	for i := range known {
		if known[i].Waiting {
			out.Record.Censored++
		}
	}
	for j := range q.jobs {
		switch {
		case q.start[j] < ask.At && q.end[j] > ask.At:
			out.Running++
			out.Free -= int64(q.jobs[j].Procs)
		case q.jobs[j].Submit <= ask.At && q.start[j] >= ask.At:
			out.Waiting++
		}
	}
	if slices.Max(draws) == 0 { // nothing is in its way
		out.Waits = make([]model.Time, len(whenLevels))
		return out, nil
	}
	for _, y := range forecast.Recalibrated(answer, known, whenLevels) {
		out.Waits = append(out.Waits, forecast.Wait(y))
	}
	return out, nil
}

// queue is a run that is asked about, at instants one after the other.
type queue struct {
	p          *Prepared
	of         *prepared
	scheduler  int
	procs      int
	jobs       []model.Job
	truth      []model.Truth
	start, end []model.Time
	draws      int

	history      forecast.Past
	ends, starts []int32 // jobs in the order of their ends and starts
	ended, begun int     // how many of them are in history
	submitted    int     // jobs submitted by the last question
	active       []int32 // jobs submitted and not ended at the last question
}

func newQueue(p *Prepared, r *prepared, scheduler int, s *model.Schedule, draws int) *queue {
	n := len(r.workload.Jobs)
	q := &queue{p: p, of: r, scheduler: scheduler, procs: r.machines().Procs(), jobs: r.workload.Jobs, truth: r.workload.Truth, draws: draws,
		start: make([]model.Time, n), end: make([]model.Time, n)}
	for i := range s.Executions { // the last attempt of each
		e := &s.Executions[i]
		q.start[e.Job], q.end[e.Job] = e.Start, e.End
		if e.Reason.Unserved() {
			q.start[e.Job], q.end[e.Job] = model.Never, model.Never
		}
	}
	for j := range n {
		q.ends, q.starts = append(q.ends, int32(j)), append(q.starts, int32(j))
	}
	slices.SortStableFunc(q.ends, func(a, b int32) int { return cmp.Compare(q.end[a], q.end[b]) })
	slices.SortStableFunc(q.starts, func(a, b int32) int { return cmp.Compare(q.start[a], q.start[b]) })
	return q
}

// past chooses earlier jobs to ask about, in order of submission: those that did not start
// at once, one of a user and hour, n of them evenly from a tenth of the time before at on.
func (q *queue) past(at model.Time, n int) (list []int32) {
	type turn struct {
		user int32
		hour model.Time
	}
	seen := map[turn]bool{}
	if len(q.jobs) == 0 || n == 0 {
		return nil
	}
	from := q.jobs[0].Submit + (at-q.jobs[0].Submit)/10
	for j := range q.jobs {
		one := &q.jobs[j]
		if one.Submit < from || one.Submit >= at || q.start[j] <= one.Submit {
			continue
		}
		if t := (turn{one.User, one.Submit / 3600}); !seen[t] {
			seen[t] = true
			list = append(list, int32(j))
		}
	}
	if m := len(list); m > n {
		for i := range n {
			list[i] = list[i*m/n]
		}
		list = list[:n]
	}
	return list
}

// ask answers one question without the record: what the draws and recent waits make, and
// the draws in ascending order. job is the index of one that was submitted, −1 of none.
// Questions come in the order of time.
func (q *queue) ask(at model.Time, job int32, asked *model.Job) (*forecast.Mixture, []model.Time, error) {
	for ; q.ended < len(q.ends) && q.end[q.ends[q.ended]] <= at; q.ended++ {
		j := q.ends[q.ended]
		one := &q.jobs[j]
		q.history.End(forecast.Done{Run: max(1, q.end[j]-q.start[j]), Limit: one.Limit, Procs: one.Procs, User: one.User, Executable: one.Executable})
	}
	for ; q.begun < len(q.starts) && q.start[q.starts[q.begun]] < at; q.begun++ {
		if j := q.starts[q.begun]; q.start[j] > q.jobs[j].Submit {
			q.history.Start(q.jobs[j].Procs, q.start[j]-q.jobs[j].Submit)
		}
	}
	for ; q.submitted < len(q.jobs) && q.jobs[q.submitted].Submit <= at; q.submitted++ {
		q.active = append(q.active, int32(q.submitted))
	}
	q.active = slices.DeleteFunc(q.active, func(j int32) bool { return q.end[j] <= at })
	s := q.scene(at, job, asked)
	draws, scaled := make([]model.Time, q.draws), make([]float64, q.draws)
	for k := range draws {
		wait, err := s.play(k)
		if err != nil {
			return nil, nil, err
		}
		draws[k], scaled[k] = wait, forecast.Scaled(wait)
	}
	slices.Sort(draws)
	return forecast.Mix(scaled, q.history.Recent(asked.Procs)), draws, nil
}

// scene is the state of a run at an instant, as a workload of its own.
//
// What runs was submitted before all that waits, and a job that fills what was free keeps
// everything else from starting until the instant has come: from then on the scheduler
// sees the queue and the machine as they were.
type scene struct {
	q     *queue
	at    model.Time
	begin model.Time // when what runs is submitted
	asked *model.Job
	luck  forecast.Luck
	jobs  []model.Job  // the filler, what runs, what waits, the job that is asked about
	from  []model.Time // of each how long it has run by at, −1: it waits
	may   []*forecast.Samples
	known []model.Time // its run time where nothing is drawn: the filler's
	next  int64        // numbers of arrivals
}

func (q *queue) scene(at model.Time, job int32, asked *model.Job) *scene {
	s := &scene{q: q, at: at, begin: at - 1, asked: asked, luck: forecast.Luck{Asked: asked.Number}}
	free := int64(q.procs)
	for _, j := range q.active {
		if q.start[j] >= at {
			s.begin = min(s.begin, q.jobs[j].Submit-1)
		} else {
			free -= int64(q.jobs[j].Procs)
		}
	}
	kinds := map[[3]int64]*forecast.Samples{}
	samples := func(j *model.Job) *forecast.Samples {
		key := [3]int64{int64(j.Limit), int64(j.Procs)<<32 | int64(uint32(j.User)), int64(j.Executable)}
		if kinds[key] == nil {
			kinds[key] = q.history.Samples(j.Limit, j.Procs, j.User, j.Executable)
		}
		return kinds[key]
	}
	add := func(j model.Job, ran model.Time, may *forecast.Samples, known model.Time) {
		s.jobs, s.from, s.may, s.known = append(s.jobs, j), append(s.from, ran), append(s.may, may), append(s.known, known)
		s.next = max(s.next, j.Number+1)
	}
	if free > 0 {
		add(model.Job{Number: -1, Submit: s.begin, Limit: at - s.begin, Procs: int32(free), User: -1, Group: -1, Queue: -1, Executable: -1, Record: -1}, 0, nil, at-s.begin)
	}
	for _, j := range q.active {
		one := q.jobs[j]
		one.Demand = 0
		switch {
		case j == job:
		case q.start[j] < at:
			may := samples(&one)
			ran := at - q.start[j]
			one.Submit, one.Limit = s.begin, max(one.Limit, ran+1)+q.start[j]-s.begin
			add(one, ran, may, 0)
		default:
			add(one, -1, samples(&one), 0)
		}
	}
	one := *asked
	one.Submit, one.Demand = at, 0
	add(one, -1, samples(&one), 0)
	return s
}

// play draws everything once and returns how long the job waits.
func (s *scene) play(k int) (model.Time, error) {
	runs := make([]model.Time, len(s.jobs))
	for i := range s.jobs {
		j := &s.jobs[i]
		switch {
		case s.may[i] == nil:
			runs[i] = s.known[i]
		case s.from[i] >= 0:
			// Limit counts from begin on; ran is as of at.
			runs[i] = s.may[i].Draw(s.luck, j.Number, j.User, k, s.from[i]) + s.at - s.from[i] - s.begin
		default:
			runs[i] = s.may[i].Draw(s.luck, j.Number, j.User, k, 0)
		}
	}
	for _, h := range horizons {
		wait, err := s.until(h, k, runs)
		if err != nil || wait < h || h == horizons[len(horizons)-1] {
			return wait, err
		}
	}
	panic("unreachable")
}

// until plays with the arrivals of a time to come.
func (s *scene) until(h model.Time, k int, runs []model.Time) (model.Time, error) {
	jobs := append([]model.Job(nil), s.jobs...)
	truth := make([]model.Truth, 0, len(jobs))
	for _, r := range runs {
		truth = append(truth, model.Truth{Run: r, LoggedWait: -1})
	}
	return s.simulate(s.arrivals(h, k, jobs, truth))
}

// simulate runs the scheduler over jobs that begin with those of the scene, and returns how
// long the job that is asked about waits.
func (s *scene) simulate(jobs []model.Job, truth []model.Truth) (model.Time, error) {
	at := make([]int32, len(jobs))
	for i := range at {
		at[i] = int32(i)
	}
	slices.SortStableFunc(at, func(a, b int32) int {
		return cmp.Or(cmp.Compare(jobs[a].Submit, jobs[b].Submit), cmp.Compare(jobs[a].Number, jobs[b].Number))
	})
	q := s.q
	w := &model.Workload{Name: "when", Processors: q.procs, Jobs: make([]model.Job, len(jobs)), Truth: make([]model.Truth, len(jobs))}
	asked := -1
	for i, a := range at {
		w.Jobs[i], w.Truth[i] = jobs[a], truth[a]
		if int(a) == len(s.jobs)-1 {
			asked = i
		}
	}
	of := &prepared{workload: w, platform: q.of.platform, suited: true}
	var schedule *model.Schedule
	var err error
	if q.p.form(of, q.scheduler) == counted {
		schedule, err = q.p.simulate(of, q.scheduler, sim.Options{}, &report.Run{})
	} else {
		schedule, err = q.p.site(of, RunID{Scheduler: q.scheduler}, sim.Options{}, &Options{}, &report.Run{})
	}
	if err != nil {
		return 0, err
	}
	for i := range schedule.Executions {
		if e := &schedule.Executions[i]; int(e.Job) == asked && !e.Reason.Unserved() {
			return e.Start - s.at, nil
		}
	}
	return 0, errors.New("the job that is asked about never starts")
}

// arrivals adds what is submitted within h: chunks of a week, each a past week drawn from
// the last twelve that there are, at the same hours.
func (s *scene) arrivals(h model.Time, k int, jobs []model.Job, truth []model.Truth) ([]model.Job, []model.Truth) {
	q := s.q
	weeks := min(12, int64(s.at-q.jobs[0].Submit)/weekLong)
	if weeks == 0 {
		return jobs, truth
	}
	number := s.next
	for chunk := model.Time(0); chunk*weekLong < h; chunk++ {
		back := 1 + model.Time(s.luck.Uniform(luckWeek, int64(chunk), k)*float64(weeks))
		from := s.at - back*weekLong
		to := from + min(weekLong, h-chunk*weekLong)
		i, _ := slices.BinarySearchFunc(q.jobs[:q.submitted], from, func(j model.Job, t model.Time) int { return cmp.Compare(j.Submit, t) })
		for ; i < q.submitted && q.jobs[i].Submit < to && q.jobs[i].Submit < s.at; i++ {
			one := q.jobs[i]
			run := q.end[i] - q.start[i]
			if q.end[i] > s.at { // not known yet: what its user does, at least what it has run
				ran := max(0, s.at-q.start[i])
				run = q.history.Samples(one.Limit, one.Procs, -1, -1).Draw(s.luck, one.Number, -1, k, min(ran, one.Limit-1))
			}
			one.Number, one.Submit, one.Demand = number, s.at+1+chunk*weekLong+(one.Submit-from), 0
			number++
			jobs, truth = append(jobs, one), append(truth, model.Truth{Run: max(1, run), LoggedWait: -1})
		}
	}
	return jobs, truth
}

const luckWeek = 1 << 20 // a purpose of random numbers that package forecast has not

// keeper is the record of answers.
type keeper struct {
	list   []asking
	counts [3]int // within the middle half, 8 and 9 in 10
	judged int
	loss   float64
	raw    int
	leads  [5][2]int // judged, and within 8 in 10
}

// asking is an answer to an earlier question.
type asking struct {
	mixture *forecast.Mixture
	asked   model.Time
	job     int32
}

// by is the record as it is known at an instant.
func (k *keeper) by(at model.Time, q *queue) []forecast.Answer {
	list := make([]forecast.Answer, len(k.list))
	for i, one := range k.list {
		start := q.start[one.job]
		list[i] = forecast.Answer{Mixture: one.mixture, Known: forecast.Scaled(min(start, at) - one.asked), Waiting: start >= at}
	}
	return list
}

// judge tells an answer by the record so far, sets it beside what came of it, and keeps it.
func (k *keeper) judge(m *forecast.Mixture, draws []model.Time, q *queue, at model.Time, job int32) {
	n := len(k.list)
	if start := q.start[job]; n >= 20 && start < model.Never {
		record := k.by(at, q)
		told, levels := forecast.Recalibrated(m, record, whenLevels), forecast.Recalibrated(m, record, lossLevels)
		y := forecast.Scaled(start - at)
		k.judged++
		for b, ends := range [][2]int{{2, 4}, {1, 5}, {0, 6}} {
			if y >= told[ends[0]] && y <= told[ends[1]] {
				k.counts[b]++
			}
		}
		for l, p := range lossLevels {
			d := y - levels[l]
			k.loss += max(p*d, (p-1)*d) / float64(len(lossLevels))
		}
		wait := start - at
		if low, high := draws[len(draws)/10], draws[len(draws)-1-len(draws)/10]; wait >= low && wait <= high {
			k.raw++
		}
		median := forecast.Wait(told[3])
		for c, below := range leads {
			if below == 0 || median < below {
				k.leads[c][0]++
				if y >= told[1] && y <= told[5] {
					k.leads[c][1]++
				}
				break
			}
		}
	}
	k.list = append(k.list, asking{m, at, job})
}

// kept sums the record up.
func (k *keeper) kept() *report.Kept {
	out := &report.Kept{Asked: len(k.list), Judged: k.judged}
	if k.judged == 0 {
		return out
	}
	n := float64(k.judged)
	out.Half, out.Eight, out.Nine = float64(k.counts[0])/n, float64(k.counts[1])/n, float64(k.counts[2])/n
	out.Loss, out.Draws = k.loss/n, float64(k.raw)/n
	for c, below := range leads {
		if j := k.leads[c][0]; j > 0 {
			out.Leads = append(out.Leads, report.KeptLead{Below: below, Judged: j, Eight: float64(k.leads[c][1]) / float64(j)})
		}
	}
	return out
}
