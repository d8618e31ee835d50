package policy

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// PriorityWeights weigh the heuristics of Techiouba et al. (2008, section 4) in
//
//	P(J) = Aging · age + Deadline · deadline + Licences · licences + Wait · shortness
//
// which is computed anew at each scheduling event. The paper prints no values.
type PriorityWeights struct {
	Aging    float64 // age_factor, per second
	Deadline float64
	Licences float64
	Wait     float64 // priority_boost_value
	Range    DeadlineRange
}

// Priority is P(J) of one waiting job, taken apart: the four terms as weighed.
type Priority struct {
	Job                             model.JobID
	Aging, Deadline, Licences, Wait float64
	Total                           float64
	Case                            DeadlineCase
}

// priorities computes P(J) of waiting jobs.
type priorities struct {
	w     PriorityWeights
	load  licenceLoad
	least model.Time // least estimated run time in the queue
	value []float64  // by job, valid where stamp is that of the pass
	stamp []int32
	pass  int32
}

// admit has nothing to do: priorities are worked out at each pass.
func (p *priorities) admit(*sim.View) {}

func (p *priorities) reset(v *sim.View) {
	p.load.reset(len(v.Site.Platform.Licences))
	p.value, p.stamp = resize(p.value, len(v.Jobs)), resize(p.stamp, len(v.Jobs))
	clear(p.stamp)
	p.pass = 0
}

// begin looks at the queue as it is before anything starts.
func (p *priorities) begin(v *sim.View, waiting []model.JobID) {
	for j := v.Arrived; j < v.Next; j++ {
		p.load.add(&v.Needs[j], 1)
	}
	for _, j := range v.Back {
		p.load.add(&v.Needs[j], 1)
	}
	p.load.measure(v.Site)
	p.least = model.Never
	for _, j := range waiting {
		p.least = min(p.least, v.Jobs[j].Limit)
	}
	p.pass++
}

// terms returns P(J) taken apart.
func (p *priorities) terms(v *sim.View, j model.JobID) Priority {
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
	}
	t.Total = t.Aging + t.Deadline + t.Licences + t.Wait
	return t
}

// of returns P(J), computed once a pass.
func (p *priorities) of(v *sim.View, j model.JobID) float64 {
	if p.stamp[j] != p.pass {
		p.stamp[j] = p.pass
		p.value[j] = p.terms(v, j).Total
	}
	return p.value[j]
}

// highest returns the position of the waiting job with the highest priority,
// ties to the job submitted earlier.
func (p *priorities) highest(v *sim.View, waiting []model.JobID) int {
	best := 0
	for i := range waiting {
		if p.of(v, waiting[i]) > p.of(v, waiting[best]) {
			best = i
		}
	}
	return best
}

// sort puts jobs into the order of priority.
func (p *priorities) sort(v *sim.View, jobs []model.JobID) {
	slices.SortFunc(jobs, func(a, b model.JobID) int {
		return cmp.Or(cmp.Compare(p.of(v, b), p.of(v, a)), cmp.Compare(a, b))
	})
}
