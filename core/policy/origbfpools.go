package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// origPools is the shelf of machines, several clusters and licences: pools of
// what is free at each time at which that changes.
type origPools struct {
	steps   []origStep // of this pass; the first is now
	spare   []*sim.Pool
	room    *sim.Pool // scratch
	free    *sim.Pool // now, after what this pass has started
	running []siteRunning
	limits  []origLimits // by cluster; nil: nothing is limited
	only    []sim.Need   // by cluster, of the job at hand
}

type origStep struct {
	at   model.Time
	pool *sim.Pool
}

func newOrigPools(v *sim.SiteView) *origPools {
	p := &origPools{room: v.Site.NewPool(), free: v.Site.NewPool()}
	if platform := v.Site.Platform; !platform.Limits.None() {
		p.limits = make([]origLimits, len(platform.Clusters))
		for c := range p.limits {
			p.limits[c].reset(&platform.Limits, int32(platform.Clusters[c].Procs()))
		}
	}
	return p
}

func (p *origPools) open(v *sim.SiteView) { p.free.CopyFrom(v.Free) }

func (p *origPools) starts(v *sim.SiteView, j model.JobID, user int32, claim model.Claim) {
	end := v.Now + v.Limit(j, claim)
	p.running = insertRunning(p.running, siteRunning{end, j, claim})
	if p.limits != nil {
		p.limits[claim.Cluster].hold(v, j, user, v.Now, end, 1)
	}
	p.free.Take(&v.Needs[j], claim)
}

func (p *origPools) ends(v *sim.SiteView, j model.JobID, user int32) {
	at := slices.IndexFunc(p.running, func(r siteRunning) bool { return r.job == j })
	r := p.running[at]
	p.running = slices.Delete(p.running, at, at+1)
	if p.limits != nil && r.end > v.Now {
		p.limits[r.claim.Cluster].hold(v, j, user, v.Now, r.end, -1)
	}
}

func (p *origPools) begin(v *sim.SiteView) {
	for i := range p.steps {
		p.spare = append(p.spare, p.steps[i].pool)
	}
	p.steps = append(p.steps[:0], origStep{v.Now, p.pool(v, v.Free)})
	for i := range p.running {
		p.split(v, p.running[i].end)
	}
	for i := range v.Site.Platform.Calendar {
		if c := &v.Site.Platform.Calendar[i]; v.Known(c) {
			p.split(v, c.From)
			p.split(v, c.To)
		}
	}
	next := 0
	for i := 1; i < len(p.steps); i++ {
		step := &p.steps[i]
		step.pool.CopyFrom(p.steps[i-1].pool)
		for ; next < len(p.running) && p.running[next].end <= step.at; next++ {
			step.pool.Give(&v.Needs[p.running[next].job], p.running[next].claim)
		}
		step.pool.Advance(p.steps[i-1].at, step.at)
	}
	for i := range p.limits {
		p.limits[i].begin()
	}
}

// pool returns a copy of a pool.
func (p *origPools) pool(v *sim.SiteView, of *sim.Pool) *sim.Pool {
	var pool *sim.Pool
	if n := len(p.spare); n > 0 {
		pool, p.spare = p.spare[n-1], p.spare[:n-1]
	} else {
		pool = v.Site.NewPool()
	}
	pool.CopyFrom(of)
	return pool
}

// split makes a step at a time to come.
func (p *origPools) split(v *sim.SiteView, at model.Time) {
	i, there := slices.BinarySearchFunc(p.steps, at, func(s origStep, at model.Time) int { return int(min(1, max(-1, s.at-at))) })
	if i > 0 && !there {
		p.steps = slices.Insert(p.steps, i, origStep{at, p.pool(v, p.steps[i-1].pool)})
	}
}

func (p *origPools) now(v *sim.SiteView, j model.JobID) bool { return p.free.Fits(&v.Needs[j]) }

func (p *origPools) fit(v *sim.SiteView, j model.JobID, user int32, once bool) (model.Time, model.Claim, bool) {
	need, length := &v.Needs[j], longest(v, j)
	clusters := 1
	if p.limits != nil {
		clusters = len(p.limits)
	}
	for i := range p.steps {
		step := &p.steps[i]
		if once && i > 0 {
			break
		}
		if !step.pool.Fits(need) {
			continue
		}
		p.room.CopyFrom(step.pool)
		for k := i + 1; k < len(p.steps) && p.steps[k].at-step.at < length; k++ {
			p.room.Min(p.steps[k].pool)
		}
		if p.limits == nil {
			if claim, ok := p.room.Place(need); ok {
				return step.at, claim, true
			}
			continue
		}
		for c := range clusters {
			cluster := v.Site.ByPower(c)
			if p.limits[cluster].fit(v, j, user, step.at, length) != step.at {
				continue
			}
			if claim, ok := p.room.PlaceOn(need, cluster); ok {
				return step.at, claim, true
			}
		}
	}
	return 0, model.Claim{}, false
}

func (p *origPools) take(v *sim.SiteView, j model.JobID, user int32, at model.Time, claim model.Claim) {
	end := at + v.Limit(j, claim)
	p.split(v, end)
	for i := range p.steps {
		if s := &p.steps[i]; s.at >= at && s.at < end {
			s.pool.Take(&v.Needs[j], claim)
		}
	}
	if p.limits != nil {
		p.limits[claim.Cluster].take(v, j, user, at, end)
	}
}
