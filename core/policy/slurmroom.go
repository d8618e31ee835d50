//go:build !small

package policy

import (
	"fmt"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/slurm"
)

// slurmRoom is what has been made room of: jobs that a controller has stopped, whose nodes
// are free a second later, and what those hold who stand still.
type slurmRoom struct {
	gone  []*slurm.Job
	at    model.Time // when they were stopped
	claim map[model.JobID]model.Claim
}

// unsuspended ends the simulation where jobs would be suspended whose rest nobody knows,
// since run times depend on the machine.
func (s *Slurm) unsuspended(v *sim.View) bool {
	p := v.Site.Platform
	if !p.PowerScales || !s.Params.Preempts() {
		return false
	}
	fault := func(what string) bool {
		v.Fault = fmt.Errorf("slurm: %s suspends jobs, which is not possible where run times depend on the machine: what is left of them is known in seconds of the machine on which they ran", what)
		return true
	}
	for i := range p.QOS {
		if s.Params.PreemptQOS && p.QOS[i].Preempt == model.PreemptSuspend {
			return fault("QOS " + p.QOS[i].Name)
		}
	}
	for i := range p.Partitions {
		if s.Params.PreemptPartition && p.Partitions[i].Preempt == model.PreemptSuspend {
			return fault("partition " + p.Partitions[i].Name)
		}
	}
	return s.Params.PreemptMode == slurm.ModeSuspend && fault("PreemptMode")
}

// awaits says whether a pass may find another queue, other jobs that may be preempted, a
// job that stops it no longer since it would run into a reservation or is turned down after
// its due time, or what another provider's jobs have held of licences and limits, though
// nothing happens.
func (s *Slurm) awaits(now model.Time) bool {
	return s.due || len(s.c.Reserved) > 0 || s.ground.only > 0 && len(s.ground.site.Platform.Licences) > 0 ||
		s.c.Params.Preempts() && (len(s.c.Active) > 0 || s.c.Awaits(int64(now)))
}

// stop lets those go whom the last loop has preempted: they wait again, or, where they are
// cancelled, never run. Their nodes are free in the next second.
func (s *Slurm) stop(v *sim.View) {
	for _, job := range s.c.Preempted {
		j := model.JobID(job.Tag)
		s.out = append(s.out, sim.Decision{Verb: sim.Stop, Job: j})
		s.room.gone, s.room.at = append(s.room.gone, job), v.Now
		if !s.ground.plain {
			s.gives(v, j)
		}
		if s.c.Mode(job) == slurm.ModeCancel {
			s.out = append(s.out, sim.Decision{Verb: sim.Reject, Job: j})
			s.c.Forget(job)
			s.jobs[j] = nil
			continue
		}
		s.jobs[j] = s.c.Requeue(job, int64(v.Now))
	}
	s.c.Preempted = s.c.Preempted[:0]
}

// released takes over that the nodes of those who were stopped are free, and says whether
// there were any.
func (s *Slurm) released(now model.Time) bool {
	if len(s.room.gone) == 0 || s.room.at >= now {
		return false
	}
	for _, job := range s.room.gone {
		s.c.Epilog(job)
	}
	s.room.gone = s.room.gone[:0]
	return true
}

// yield gives back, for as long as it is asked whether another job can start, what those
// hold who would stand still for it. back takes it again.
func (s *Slurm) yield(v *sim.View) (back func()) {
	if len(s.c.Yield) == 0 || s.ground.plain {
		return func() {}
	}
	mark := 0
	if v.Space != nil {
		mark = v.Space.Mark()
	}
	for _, job := range s.c.Yield {
		s.gives(v, model.JobID(job.Tag))
	}
	yields := slices.Clone(s.c.Yield)
	return func() {
		if v.Space != nil {
			v.Space.Back(mark)
		}
		for _, job := range yields {
			s.free.Take(&v.Needs[job.Tag], v.Held[job.Tag])
		}
	}
}

// gives gives back what a running job holds.
func (s *Slurm) gives(v *sim.View, j model.JobID) {
	s.pool().Give(&v.Needs[j], v.Held[j])
	if v.Space != nil {
		v.Space.Unbook(&v.Needs[j], v.Held[j], v.Now, v.Until(j), v.BoundTo(j))
	}
}

// suspend lets those stand still who yield to a job that starts.
func (s *Slurm) suspend(v *sim.View) {
	for _, job := range s.c.Yield {
		j := model.JobID(job.Tag)
		if s.room.claim == nil {
			s.room.claim = map[model.JobID]model.Claim{}
		}
		s.room.claim[j] = v.Held[j]
		s.out = append(s.out, sim.Decision{Verb: sim.Suspend, Job: j})
	}
}

// goOn lets those go on who stand still for nobody any more, where they were.
func (s *Slurm) goOn(v *sim.View) {
	if len(s.room.claim) == 0 {
		return
	}
	s.c.GoOn(int64(v.Now), func(job *slurm.Job) bool {
		j := model.JobID(job.Tag)
		need, claim := &v.Needs[j], s.room.claim[j]
		end := v.Ends(j, claim)
		if !s.pool().Holds(need, claim) || v.Space != nil && !v.Space.Holds(need, claim, v.Now, end) {
			return false
		}
		if v.Space != nil {
			v.Space.Book(need, claim, v.Now, end)
		}
		s.free.Take(need, claim)
		delete(s.room.claim, j)
		s.out = append(s.out, sim.Decision{Job: j, Claim: claim})
		if v.Record != nil {
			v.Record.Decide(j, report.StartedInOrder)
		}
		return true
	})
}

// rejectStill gives up those who stand still and whose due time has come.
func (s *Slurm) rejectStill(v *sim.View) {
	for _, job := range slices.Clone(s.c.Active) {
		if j := model.JobID(job.Tag); job.Suspended && v.Kills(j) && v.Due[j] <= v.Now {
			s.c.End(job, slurm.Cancelled, 1, int64(v.Now))
			s.c.Epilog(job)
			s.c.Forget(job)
			s.jobs[j] = nil
			delete(s.room.claim, j)
			s.out = append(s.out, sim.Decision{Verb: sim.Reject, Job: j})
			s.clock.ask(v.Now)
		}
	}
}
