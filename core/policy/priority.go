package policy

import (
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// PriorityWeights weigh the heuristics of Techiouba et al. (2008, section 4) in
//
//	P(J) = Aging · age + Deadline · deadline + Licences · licences + Wait · shortness + Queue · number
//
// with the number of the job's queue, by which an administrator favours classes of jobs
// (section 3 there, of another backfilling), 0 where it is unknown. It is recomputed at each scheduling event. The paper prints no values.
// None is negative.
type PriorityWeights struct {
	Aging    float64 // age_factor, per second
	Deadline float64
	Licences float64
	Wait     float64 // priority_boost_value
	Queue    float64 // for each number of the queue
	Range    DeadlineRange
}

// WeightsOf reads weights by the keys of their parameters; what is not there counts as 0.
func WeightsOf(number func(key string) (value float64, there bool)) PriorityWeights {
	at := func(key string) float64 {
		v, _ := number(key)
		return v
	}
	return PriorityWeights{
		Aging: at("aging"), Deadline: at("deadline"), Licences: at("licences"), Wait: at("wait"), Queue: at("queue"),
		Range: DeadlineRange{Min: at("deadline-min"), Max: at("deadline-max"), K: at("k")},
	}
}

// Priority is P(J) of one waiting job, taken apart: the five terms as weighed.
type Priority struct {
	Job                                    model.JobID
	Aging, Deadline, Licences, Wait, Queue float64
	Total                                  float64
	Case                                   DeadlineCase
}

// priorities is the order by P(J), as it is when a pass begins.
type priorities struct {
	w     PriorityWeights
	load  licenceLoad
	least model.Time // least estimated run time in the queue
	short sim.Heap   // requested time << shift | job; holds jobs that are gone
	shift int
	trace bool
	terms []Priority // of the jobs that waited when the last pass began
}

// Reset prepares for a new simulation.
func (p *priorities) Reset(v *sim.View) {
	p.load.reset(len(v.Site.Platform.Licences))
	p.short, p.shift = p.short[:0], bits.Len(uint(len(v.Jobs)))
	p.terms = p.terms[:0]
}

// Admit has nothing to do: priorities are computed at each pass.
func (p *priorities) Admit(*sim.View) {}

// Rank says that priorities change.
func (p *priorities) Rank(model.JobID) (int32, bool) { return 0, false }

func (p *priorities) before(x float64, a model.JobID, y float64, b model.JobID) bool {
	return x > y || x == y && a < b
}

// join and left tell who joins the queue and who leaves it.
func (p *priorities) join(v *sim.View, j model.JobID) {
	p.load.add(&v.Needs[j], 1)
	p.short.Push(uint64(min(v.Jobs[j].Limit, 1<<(63-p.shift)-1))<<p.shift | uint64(j))
}

func (p *priorities) left(v *sim.View, j model.JobID) { p.load.add(&v.Needs[j], -1) }

// begin looks at the queue as it is before anything starts.
func (p *priorities) begin(v *sim.View, l *line) {
	p.load.measure(v.Site)
	p.least = model.Never
	for ; len(p.short) > 0; p.short.Pop() {
		if j := model.JobID(p.short[0] & (1<<p.shift - 1)); l.here[j] {
			p.least = v.Jobs[j].Limit
			break
		}
	}
	if !p.trace {
		return
	}
	p.terms = p.terms[:0]
	for j := range l.here[:v.Next] {
		if l.here[j] {
			p.terms = append(p.terms, p.of(v, model.JobID(j)))
		}
	}
}

// of returns P(J) taken apart.
func (p *priorities) of(v *sim.View, j model.JobID) Priority {
	job := &v.Jobs[j]
	var due model.Time
	if v.Due != nil {
		due = v.Due[j]
	}
	deadline, which := p.w.Range.score(v.Now, job.Limit, due)
	t := Priority{
		Job: j, Case: which,
		Aging:    float64(p.w.Aging * age(v.Now, job.Submit)),
		Deadline: float64(p.w.Deadline * deadline),
		Licences: float64(p.w.Licences * p.load.score(&v.Needs[j])),
		Wait:     float64(p.w.Wait * shortness(p.least, job.Limit)),
		Queue:    float64(p.w.Queue * float64(max(0, job.Queue))),
	}
	t.Total = t.Aging + t.Deadline + t.Licences + t.Wait + t.Queue
	return t
}

// weigh returns P(J). What may raise it later: age by its factor; the deadline
// score by its slope, until it falls to 0; each licence with the requests for it;
// shortness when the shortest job has left.
func (p *priorities) weigh(v *sim.View, j model.JobID, at *peak) float64 {
	t := p.of(v, j)
	if at != nil {
		ex, rise := v.Jobs[j].Limit, p.w.Aging
		if t.Case == DeadlineFar || t.Case == DeadlineNear {
			rise += p.w.Deadline * p.w.Range.slope(ex)
		}
		at.rise = max(at.rise, rise)
		at.licences = max(at.licences, int32(len(v.Needs[j].Licences)))
		at.shortest = min(at.shortest, ex)
		at.least, at.risen = p.least, p.load.risen
	}
	return t.Total
}

// bound adds up what may have raised the scores. Sums are rounded in another
// order than those of scores, so it leaves some room.
func (p *priorities) bound(v *sim.View, at *peak) float64 {
	x := at.most + at.rise*float64(v.Now-at.at) + p.w.Licences*float64(at.licences)*(p.load.risen-at.risen)
	if p.least > at.least {
		x += p.w.Wait * float64(p.least-at.least) / float64(at.shortest)
	}
	return x + 1e-9*x + 1e-9
}

// Trace makes the scheduler keep the priorities of each pass for Priorities.
func (p *priorities) Trace() { p.trace = true }

// Priorities returns P(J), taken apart, of every job that waited when the last
// pass began, in order of submission; only after Trace. The slice holds until
// the next pass.
func (p *priorities) Priorities() []Priority { return p.terms }
