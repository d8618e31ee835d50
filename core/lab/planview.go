//go:build !small

package lab

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/plan"
	"batchlab/core/report"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// planner makes the planning scheduler of a run again, ready for it.
func (p *Prepared) planner(id RunID) (*plan.Scheduler, *prepared, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, nil, err
	}
	line := &p.doc.Schedulers[id.Scheduler]
	built, err := build(line) // job for job the same as the counted form
	if err != nil {
		return nil, nil, err
	}
	s, ok := built.(*plan.Scheduler)
	if !ok {
		return nil, nil, fmt.Errorf("lab: %s makes no plan", line.Key)
	}
	s.Seed(p.doc.Seed, id.Repetition)
	return s, r, nil
}

// watched runs a planning scheduler; look returns false to stop.
func (p *Prepared) watched(s *plan.Scheduler, r *prepared, i int, look func(v *sim.View) bool, progress func(done, total int) bool) error {
	book, err := p.book(r, i)
	if err != nil {
		return err
	}
	o := sim.Options{Source: r.users, Progress: progress, Watch: look, Book: book}
	if desk := p.newDesk(r.workload); desk != nil {
		o.Desk = desk
	}
	_, err = new(sim.Simulator).Run(r.workload, r.machines(), s, o)
	if errors.Is(err, sim.ErrCancelled) {
		return ErrCancelled
	}
	return err
}

// Plan returns the execution plan of a run as it stood at the last scheduling
// event up to a time, with the history of one job's predicted start (its index in
// the workload's columns; −1: none). It repeats the run up to there, and for the history up to the job's
// start. It fails for schedulers that make no plan, and before the first event. A
// run that a wall clock has stopped comes out without that limit. Progress may be
// nil; when it returns false, Plan fails with ErrCancelled.
func (p *Prepared) Plan(id RunID, at model.Time, job model.JobID, progress func(done, total int) bool) (*report.Plan, error) {
	stopped := false
	look := func(done, total int) bool {
		stopped = stopped || progress != nil && !progress(done, total)
		return !stopped
	}
	s, r, err := p.planner(id)
	if err != nil {
		return nil, err
	}
	for {
		v := &planView{platform: r.machines(), asked: at, want: max(job, -1), out: report.Plan{Job: -1, Started: model.Never}}
		if r.users == nil {
			v.out.Job = v.want
		}
		s.Watch(plan.Watch{Before: v.before, Pass: v.pass})
		err = p.watched(s, r, id.Scheduler, func(sv *sim.View) bool {
			return sv.Now <= at || v.want >= 0 && v.out.Started == model.Never
		}, look)
		switch {
		case stopped:
			return nil, ErrCancelled
		case err != nil && !errors.Is(err, ErrCancelled):
			return nil, err
		case !v.begun || v.first > at:
			return nil, fmt.Errorf("lab: nothing happens up to %d", at)
		case !v.taken && v.first < v.now: // nothing more happens: what the event before left
			at = v.now - 1
			continue
		}
		v.finish()
		return &v.out, nil
	}
}

// planView collects a report.Plan.
type planView struct {
	platform *model.Platform
	asked    model.Time
	want     model.JobID // whose history, by index of the workload's columns; −1 none
	origin   []int32     // where users react: by JobID, the index there
	out      report.Plan

	begun      bool
	taken      bool       // the plan of the asked time is here
	first, now model.Time // events: the first, and the last up to the asked time
	next       model.JobID
	ended      []model.Time // by JobID; Never: not yet
	jobs       []model.Job
	held       []execution
	expected   []plan.Expected
	gaps       []report.PlanSteps
	limits     []report.PlanSteps
}

type execution struct {
	job        model.JobID
	start, end model.Time
	runs       bool
	claim      model.Claim
}

// before takes the plan when the first event after the asked time comes.
func (v *planView) before(sv *sim.View, s *plan.Scheduler) {
	if v.begun && !v.taken && sv.Now > v.asked {
		v.taken = true
		v.keep(sv, s)
	}
}

func (v *planView) pass(sv *sim.View, s *plan.Scheduler) {
	if !v.begun {
		v.begun, v.first = true, sv.Now
	}
	for len(v.ended) < len(sv.Jobs) {
		v.ended = append(v.ended, model.Never)
	}
	for _, j := range sv.Ended {
		v.ended[j] = sv.Now
	}
	for j := sv.Arrived; sv.Origin != nil && j < sv.Next; j++ {
		if sv.Origin[j] == v.want {
			v.out.Job = j
		}
	}
	if j := v.out.Job; j >= 0 && v.out.Started == model.Never && j < sv.Next {
		v.follow(sv, s)
	}
	if sv.Now <= v.asked {
		v.now, v.next = sv.Now, sv.Next
	}
}

// follow writes the history of a job.
func (v *planView) follow(sv *sim.View, s *plan.Scheduler) {
	v.out.Number = sv.Jobs[v.out.Job].Number
	s.Plan().Planned(func(j model.JobID, start model.Time, cluster int32) {
		if j != v.out.Job {
			return
		}
		h := v.out.History
		if n := len(h); n == 0 || h[n-1].Start != start || h[n-1].Cluster != cluster {
			v.out.History = append(h, report.PlannedTime{At: sv.Now, Start: start, Cluster: cluster})
		}
		if start == sv.Now {
			v.out.Started = sv.Now
		}
	})
}

// keep copies what is to be drawn.
func (v *planView) keep(sv *sim.View, s *plan.Scheduler) {
	v.jobs = slices.Clone(sv.Jobs[:v.next])
	if sv.Origin != nil {
		v.origin = slices.Clone(sv.Origin[:v.next])
	}
	v.expected = s.Plan().Expected()
	for j := model.JobID(0); j < v.next; j++ {
		if sv.Start[j] == model.Never {
			continue
		}
		e := execution{job: j, start: sv.Start[j], end: v.ended[j], claim: sv.Held[j]}
		if e.end == model.Never || e.end > v.now {
			e.end, e.runs = e.start+sv.Limit(j, e.claim), true
		}
		v.held = append(v.held, e)
	}
	limits := &v.platform.Limits
	for c := range v.platform.Clusters {
		cluster := &v.platform.Clusters[c]
		one := func(name string, most int32, list func(visit func(model.Time, int32))) report.PlanSteps {
			steps := report.PlanSteps{Name: name, Cluster: int32(c), Most: most}
			list(func(at model.Time, free int32) {
				steps.At, steps.Free = append(steps.At, at), append(steps.Free, free)
			})
			return steps
		}
		v.gaps = append(v.gaps, one(cluster.Name, int32(cluster.Procs()), func(visit func(model.Time, int32)) { s.Plan().Gaps(c, visit) }))
		for k := range limits.Classes {
			name := fmt.Sprintf("requests over %d s", limits.Classes[k].LongerThan)
			v.limits = append(v.limits, one(name, limits.Classes[k].Procs(cluster.Procs()), func(visit func(model.Time, int32)) { s.Plan().ClassLimit(c, k, visit) }))
		}
		if limits.UserProcs > 0 {
			var users []int32
			for _, e := range v.expected {
				if u := sv.Jobs[e.Job].User; e.Claim.Cluster == int32(c) && !slices.Contains(users, u) && len(users) < 8 {
					users = append(users, u)
				}
			}
			for _, u := range users {
				v.limits = append(v.limits, one(fmt.Sprintf("user %d", u), limits.UserProcs, func(visit func(model.Time, int32)) { s.Plan().UserLimit(c, u, visit) }))
			}
		}
	}
}

// What a plan carries at most: jobs to draw.
const planBars = 6000

// finish computes what is drawn: the past beside the future, as far back as the
// plan reaches ahead.
func (v *planView) finish() {
	out := &v.out
	out.At, out.Total, out.Procs = v.now, len(v.expected), v.platform.Procs()
	out.Gaps, out.Limits = v.gaps, v.limits
	known := *v.platform
	known.Calendar = nil
	for _, c := range v.platform.Calendar {
		if c.Kind != model.KindFailure || c.From <= v.now {
			known.Calendar = append(known.Calendar, c)
		}
	}
	s := &model.Schedule{Workload: &model.Workload{Jobs: v.jobs}, Platform: &known}
	far, planned := v.now, map[model.JobID]bool{}
	for _, e := range v.held {
		s.Claims = append(s.Claims, e.claim)
		s.Executions = append(s.Executions, model.Execution{Job: e.job, Start: e.start, End: e.end, Procs: v.jobs[e.job].Procs, Cluster: e.claim.Cluster, Claim: int32(len(s.Claims))})
		if e.runs {
			far = max(far, e.end)
		}
	}
	for _, e := range v.expected {
		s.Claims = append(s.Claims, e.Claim)
		s.Executions = append(s.Executions, model.Execution{Job: e.Job, Start: e.Start, End: e.End, Procs: v.jobs[e.Job].Procs, Cluster: e.Claim.Cluster, Claim: int32(len(s.Claims))})
		far, planned[e.Job] = max(far, e.End), true
	}
	order.Stable(s.Executions, func(a, b model.Execution) int { return cmp.Compare(a.Job, b.Job) })
	spans, _, away, _ := sitePlaces(s, holdsOf(s))
	back := v.now - max(3600, (far-v.now)/2)
	for _, a := range away {
		if a.To > back && a.From < far {
			out.Away = append(out.Away, a)
		}
	}
	for i := range s.Executions {
		e := &s.Executions[i]
		n := 0
		for n < len(spans) && spans[n].Job == e.Job {
			n++
		}
		mine := spans[:n]
		spans = spans[n:]
		if e.End <= back {
			continue
		}
		job := &v.jobs[e.Job]
		b := report.PlanBar{
			Job: e.Job, Number: job.Number, User: job.User, Procs: e.Procs, Cluster: e.Cluster,
			Submit: job.Submit, Start: e.Start, End: e.End, Spans: mine,
		}
		switch {
		case planned[e.Job]:
			b.State = report.BarPlanned
		case e.End > v.now:
			b.State = report.BarRuns
		}
		if v.platform.Clusters[e.Cluster].Packing != model.PackProcessors {
			for _, part := range s.Claims[e.Claim-1].Parts {
				b.Nodes = append(b.Nodes, part.Node)
			}
		}
		out.Bars = append(out.Bars, b)
	}
	order.Stable(out.Bars, func(a, b report.PlanBar) int { return cmp.Compare(a.Start, b.Start) })
	if len(out.Bars) > planBars { // the past goes first, then the far end of the plan
		cut := 0
		for cut < len(out.Bars)-planBars && out.Bars[cut].State == report.BarEnded {
			cut++
		}
		out.Bars = out.Bars[cut:]
		out.Bars = out.Bars[:min(len(out.Bars), planBars)]
	}
	out.Job = v.want
	if v.origin == nil {
		return
	}
	for i := range out.Bars {
		b := &out.Bars[i]
		b.Job = v.origin[b.Job]
		for k := range b.Spans {
			b.Spans[k].Job = b.Job
		}
	}
}

// Leads are the times before a start at which predictions are judged, seconds.
var Leads = []model.Time{300, 900, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600, 16 * 3600, 86400, 2 * 86400, 4 * 86400, 7 * 86400}

// Foresight repeats a run and says how its plan came about and how good its
// predictions were. It fails for schedulers that make no plan.
func (p *Prepared) Foresight(id RunID, progress func(done, total int) bool) (*report.Foresight, error) {
	s, r, err := p.planner(id)
	if err != nil {
		return nil, err
	}
	f := &foresight{}
	s.Watch(plan.Watch{Pass: f.pass, Accepted: f.accepted})
	if err := p.watched(s, r, id.Scheduler, nil, progress); err != nil {
		return nil, err
	}
	return f.finish(), nil
}

// foresight collects a report.Foresight.
type foresight struct {
	out     report.Foresight
	history [][]report.PlannedTime // by JobID, of waiting jobs
	errors  [][]float64            // by lead
	every   int                    // of so many improvements one is kept
}

func (f *foresight) accepted(now model.Time, iteration int, old, new search.Score) {
	const most = 8000
	share := func(i int) float64 {
		if old[i] > 0 {
			return (old[i] - new[i]) / old[i]
		}
		return 0
	}
	f.every = max(1, f.every)
	if f.out.Accepted%f.every == 0 {
		f.out.Trace = append(f.out.Trace, report.Improvement{At: now, Iteration: iteration,
			Wait: share(plan.MeanWait), Slowdown: share(plan.MeanSlowdown), Fairness: share(plan.Unfairness)})
		if len(f.out.Trace) == most {
			for i := range most / 2 {
				f.out.Trace[i] = f.out.Trace[2*i]
			}
			f.out.Trace = f.out.Trace[:most/2]
			f.every *= 2
		}
	}
	f.out.Accepted++
}

func (f *foresight) pass(v *sim.View, s *plan.Scheduler) {
	for len(f.history) < int(v.Next) {
		f.history = append(f.history, nil)
	}
	s.Plan().Planned(func(j model.JobID, start model.Time, cluster int32) {
		h := f.history[j]
		if n := len(h); n == 0 || h[n-1].Start != start {
			if n > 0 && start < h[n-1].Start {
				f.out.Earlier++
			} else if n > 0 {
				f.out.Later++
			}
			f.history[j] = append(h, report.PlannedTime{At: v.Now, Start: start, Cluster: cluster})
		}
		if start == v.Now {
			f.judge(f.history[j], start)
			f.history[j] = nil
		}
	})
}

// judge compares the predictions of a job that starts now.
func (f *foresight) judge(h []report.PlannedTime, start model.Time) {
	if f.errors == nil {
		f.errors = make([][]float64, len(Leads))
	}
	f.out.Jobs++
	for k, lead := range Leads {
		at := start - lead
		if h[0].At > at {
			return
		}
		i, found := slices.BinarySearchFunc(h, at, func(t report.PlannedTime, at model.Time) int { return cmp.Compare(t.At, at) })
		if !found {
			i--
		}
		f.errors[k] = append(f.errors[k], float64(start-h[i].Start))
	}
}

func (f *foresight) finish() *report.Foresight {
	for k, list := range f.errors {
		if len(list) == 0 {
			continue
		}
		a := report.Accuracy{Lead: Leads[k], Jobs: len(list)}
		exact := 0
		for i, e := range list {
			a.Error += e
			list[i] = math.Abs(e)
			a.Absolute += list[i]
			if e == 0 {
				exact++
			}
		}
		n := float64(len(list))
		slices.Sort(list)
		a.Error, a.Absolute, a.Median, a.Unchanged = a.Error/n, a.Absolute/n, list[len(list)/2], float64(exact)/n
		f.out.Accuracy = append(f.out.Accuracy, a)
	}
	return &f.out
}
