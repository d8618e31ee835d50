package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// origNodes is the shelf of machines, several clusters and licences. Where run times
// depend on the machine a job is taken to run as long as on the slowest of its cluster.
type origNodes struct {
	origSpace
	free    *resource.Pool           // now, after what this pass has started
	running map[model.JobID]origHeld // looked up, never walked
	can     []model.JobID            // that could start now and were not gone through
	left    map[model.JobID]bool
}

type origHeld struct {
	end   model.Time
	claim model.Claim
}

func newOrigNodes(v *sim.View, foretold bool) *origNodes {
	return &origNodes{origSpace: newOrigSpace(v, foretold), free: v.Site.NewPool(), running: map[model.JobID]origHeld{}, left: map[model.JobID]bool{}}
}

func (s *origNodes) open(v *sim.View, waiting []model.JobID) bool {
	s.free.CopyFrom(v.Free)
	clear(s.left)
	s.can = s.can[:0]
	for _, j := range waiting {
		if !v.Pulse.Beat(1) {
			break
		}
		if s.free.Fits(&v.Needs[j]) {
			s.can, s.left[j] = append(s.can, j), true
		}
	}
	return s.more()
}

func (s *origNodes) joins(*sim.View, model.JobID)  {}
func (s *origNodes) leaves(*sim.View, model.JobID) {}

func (s *origNodes) more() bool { return len(s.left) > 0 }

func (s *origNodes) visit(_ *sim.View, j model.JobID) bool {
	could := s.left[j]
	delete(s.left, j)
	return could
}

func (s *origNodes) starts(v *sim.View, j model.JobID, claim model.Claim) {
	end := v.Now + v.Site.Scaled(asks(v, j, s.foretold), claim)
	s.base.Book(&v.Needs[j], claim, v.Now, end)
	s.running[j] = origHeld{end, claim}
	s.free.Take(&v.Needs[j], claim)
	s.can = slices.DeleteFunc(s.can, func(j model.JobID) bool {
		if s.left[j] && s.free.Fits(&v.Needs[j]) {
			return false
		}
		delete(s.left, j)
		return true
	})
}

func (s *origNodes) ends(v *sim.View, j model.JobID) {
	held := s.running[j]
	delete(s.running, j)
	s.base.Advance(v.Now)
	s.base.Unbook(&v.Needs[j], held.claim, v.Now, held.end, nil)
}

// fit looks for the earliest start over all clusters, the first of equals.
func (s *origNodes) fit(v *sim.View, j model.JobID, from model.Time, once bool) (model.Time, model.Claim, bool) {
	before := model.Never
	if once {
		before = v.Now + 1
	}
	return s.plan.Fit(&v.Needs[j], asks(v, j, s.foretold), from, before)
}

// take reserves for as long as fit has looked: on the slowest of the cluster,
// whichever machine it is.
func (s *origNodes) take(v *sim.View, j model.JobID, at model.Time, claim model.Claim) {
	s.plan.Book(&v.Needs[j], claim, at, at+s.plan.Longest(claim.Cluster, asks(v, j, s.foretold)))
}
