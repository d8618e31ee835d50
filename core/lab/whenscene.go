//go:build !small

package lab

import (
	"cmp"
	"errors"
	"slices"

	"batchlab/core/forecast"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// scene is the state of a run at an instant, as a workload of its own.
//
// What runs was submitted before all that waits, and a job that fills what was free keeps
// everything else from starting until the instant has come: from then on the scheduler
// sees the queue and the machine as they were.
type scene struct {
	q       *queue
	at      model.Time
	begin   model.Time // when what runs is submitted
	waited  model.Time // how long the job that is asked about has waited
	luck    forecast.DrawStream
	jobs    []model.Job  // the filler, what runs, what waits, the job that is asked about
	from    []model.Time // of each how long it has run by at, −1: it waits
	may     []*forecast.Samples
	known   []model.Time // its run time where nothing is drawn: the filler's
	promise []model.Time // its planned start, 0: none was promised
	next    int64        // numbers of arrivals
}

// at makes the scene of an instant for a question about a job: the index of one that was
// submitted, −1 for a new one. Instants come in order. With a present, that is what runs and
// waits, and job is an index into it.
func (q *queue) at(at model.Time, job int32, asked *model.Job, present *Present) *scene {
	q.advance(at)
	s := &scene{q: q, at: at, begin: at - 1, luck: forecast.DrawStream{Asked: asked.Number}}
	var active []model.Job
	var ran []model.Time
	var planned []model.Time
	if present != nil {
		active = present.jobs(at, q.last(at))
		for i := range active {
			ran, planned = append(ran, present.Jobs[i].Ran), append(planned, 0)
		}
		if job >= 0 {
			active, ran, planned = slices.Delete(active, int(job), int(job)+1), slices.Delete(ran, int(job), int(job)+1), planned[1:]
		}
	} else {
		for _, j := range q.active {
			if j == job {
				continue
			}
			active, planned = append(active, q.jobs[j]), append(planned, q.planned(at, j))
			if q.start[j] < at {
				ran = append(ran, at-q.start[j])
			} else {
				ran = append(ran, -1)
			}
		}
	}
	promised := model.Time(0)
	if job >= 0 && present == nil {
		promised = q.planned(at, job)
	}
	s.fill(active, ran, planned, asked, promised)
	return s
}

// fill puts the jobs of an instant into a scene.
func (s *scene) fill(active []model.Job, ran, planned []model.Time, asked *model.Job, promised model.Time) {
	free := int64(s.q.procs)
	s.begin = min(s.begin, asked.Submit-1)
	for i := range active {
		if ran[i] < 0 {
			s.begin = min(s.begin, active[i].Submit-1)
		} else {
			free -= int64(active[i].Procs)
		}
	}
	kinds := map[[3]int64]*forecast.Samples{}
	samples := func(j *model.Job) *forecast.Samples {
		key := [3]int64{int64(j.Limit), int64(j.Procs)<<32 | int64(uint32(j.User)), int64(j.Executable)}
		if kinds[key] == nil {
			kinds[key] = s.q.history.Samples(j.Limit, j.Procs, j.User, j.Executable)
		}
		return kinds[key]
	}
	add := func(j model.Job, ran model.Time, may *forecast.Samples, known, promise model.Time) {
		j.Demand = 0
		s.jobs, s.from, s.may, s.known, s.promise = append(s.jobs, j), append(s.from, ran), append(s.may, may), append(s.known, known), append(s.promise, promise)
		s.next = max(s.next, j.Number+1)
	}
	if free > 0 {
		add(model.Job{Number: -1, Submit: s.begin, Limit: s.at - s.begin, Procs: int32(free), User: -1, Group: -1, Queue: -1, Executable: -1, Record: -1}, 0, nil, s.at-s.begin, 0)
	}
	for i := range active {
		one := active[i]
		may := samples(&one)
		if ran[i] >= 0 {
			one.Submit, one.Limit = s.begin, max(one.Limit, ran[i]+1)+s.at-ran[i]-s.begin
		}
		add(one, ran[i], may, 0, planned[i])
	}
	add(*asked, -1, samples(asked), 0, promised)
}

// state counts what was free, what ran and what waited.
func (s *scene) state() (free int64, running, waiting int) {
	free = int64(s.q.procs)
	for i, ran := range s.from {
		switch {
		case i == len(s.from)-1 || s.may[i] == nil:
		case ran >= 0:
			running++
			free -= int64(s.jobs[i].Procs)
		default:
			waiting++
		}
	}
	return free, running, waiting
}

// ask answers a question without the record: what the draws and recent waits make, and
// the draws in ascending order. When over says so, no more than fewestDraws are drawn.
func (s *scene) ask(n int, over func() bool) (*forecast.Mixture, []model.Time, error) {
	var draws []model.Time
	var scaled []float64
	for k := range n {
		wait, err := s.play(k)
		if err != nil {
			return nil, nil, err
		}
		draws, scaled = append(draws, wait), append(scaled, forecast.Scaled(wait))
		if k+1 >= fewestDraws && over != nil && over() {
			break
		}
	}
	slices.Sort(draws)
	asked := &s.jobs[len(s.jobs)-1]
	return forecast.Mix(scaled, s.q.history.Recent(asked.Procs, s.waited)), draws, nil
}

// play draws everything once and returns how long the job waits from the instant on.
func (s *scene) play(k int) (model.Time, error) {
	wait, _, err := s.playOut(k)
	return wait, err
}

// playOut is play with the schedule that came of it, which holds until the next one.
func (s *scene) playOut(k int) (model.Time, *model.Schedule, error) {
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
		wait, schedule, err := s.until(h, k, runs)
		if err != nil || wait < h || h == horizons[len(horizons)-1] {
			return wait, schedule, err
		}
	}
	panic("unreachable")
}

// promisedStart is when the job would start if nobody came and all ran as long as they
// asked for: what a plan says at the instant.
func (s *scene) promisedStart() (model.Time, error) {
	truth := make([]model.Truth, len(s.jobs))
	for i := range s.jobs {
		truth[i] = model.Truth{Run: s.jobs[i].Limit, LoggedWait: -1}
	}
	wait, _, err := s.simulate(s.jobs, truth)
	return wait, err
}

// until plays with the arrivals of a time to come.
func (s *scene) until(h model.Time, k int, runs []model.Time) (model.Time, *model.Schedule, error) {
	jobs := append([]model.Job(nil), s.jobs...)
	truth := make([]model.Truth, 0, len(jobs))
	for _, r := range runs {
		truth = append(truth, model.Truth{Run: r, LoggedWait: -1})
	}
	return s.simulate(s.arrivals(h, k, jobs, truth))
}

// simulate runs the scheduler over jobs that begin with those of the scene, and returns how
// long the job that is asked about waits from the instant on, and the schedule.
func (s *scene) simulate(jobs []model.Job, truth []model.Truth) (model.Time, *model.Schedule, error) {
	schedule, asked, err := s.run(jobs, truth)
	if err != nil {
		return 0, nil, err
	}
	for i := range schedule.Executions {
		if e := &schedule.Executions[i]; int(e.Job) == asked && !e.Reason.Unserved() {
			return e.Start - s.at, schedule, nil
		}
	}
	return 0, nil, errors.New("the job that is asked about never starts")
}

// run runs the scheduler over jobs that begin with those of the scene, and says which of
// the schedule's jobs is asked about.
func (s *scene) run(jobs []model.Job, truth []model.Truth) (*model.Schedule, int, error) {
	at := make([]int32, len(jobs))
	for i := range at {
		at[i] = int32(i)
	}
	slices.SortStableFunc(at, func(a, b int32) int {
		return cmp.Or(cmp.Compare(jobs[a].Submit, jobs[b].Submit), cmp.Compare(jobs[a].Number, jobs[b].Number))
	})
	q := s.q
	w := &model.Workload{Name: "when", Processors: q.procs, Jobs: make([]model.Job, len(jobs)), Truth: make([]model.Truth, len(jobs))}
	var plan []model.Time
	if q.promised.any() {
		plan = make([]model.Time, len(jobs))
	}
	asked := -1
	for i, a := range at {
		w.Jobs[i], w.Truth[i] = jobs[a], truth[a]
		if plan != nil && int(a) < len(s.promise) {
			plan[i] = s.promise[a]
		}
		if int(a) == len(s.jobs)-1 {
			asked = i
		}
	}
	of := &prepared{workload: w, platform: q.of.platform, suited: true}
	var schedule *model.Schedule
	var err error
	if q.p.form(of, q.id.Scheduler) == counted {
		schedule, err = q.p.simulateFrom(of, q.id.Scheduler, plan, sim.Options{}, &report.Run{})
	} else {
		schedule, err = q.p.site(of, RunID{Scheduler: q.id.Scheduler}, sim.Options{}, &Options{}, &report.Run{})
	}
	return schedule, asked, err
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
