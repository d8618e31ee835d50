package policy

import (
	"slices"

	"batchlab/core/ledger"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

// OrigBF is the scheduler that CERIT used before its planning one, "Orig-BF"
// (Klusáček and Chlumský 2016, section 2): jobs stand in queues by requested
// time; waiting jobs are ordered by what their users have consumed, running jobs
// included, halved at every multiple of 72 hours since the first submission;
// whoever has waited for the threshold gets a reservation, in that order, at the
// earliest time at which it fits beside the running jobs and the reservations
// before it. All reservations are made anew at each pass. A job below the
// threshold starts only if it fits now beside them.
//
// Where the text is silent: users with equal consumption go by submission, then
// job number (rule 6), and the queues alone do not order jobs unless QueuesFirst
// is set, which lets all jobs of shorter queues go first. Use NewOrigBF.
//
// A reservation matters only through the jobs that it keeps from starting now,
// for all are made anew at the next pass, and the earliest reserved start of all
// is always an instant at which something else happens: the requested end of a
// running job, or the end of an outage. So a pass makes no more of them than it
// takes to know that no further job starts.
type OrigBF struct {
	Threshold   model.Time // wait at which a job gets a reservation; 0: every job
	QueuesFirst bool       // shorter queues first, whatever users have consumed
	Depth       int        // jobs that wait, the first in the order of a pass, that get a reservation; 0: all
	Foretold    bool       // reservations go by View.Book, see origforetold.go
	Halve       model.Time // period at whose multiples consumption is halved; 0: never

	// Plan, if it is not nil, is told the reserved start of every waiting job at
	// each pass, at the price of making all reservations: the prediction for
	// this pass. Jobs that start now are told, too.
	Plan func(now model.Time, j model.JobID, start model.Time)

	books   ledger.Ledger
	user    []int32         // small number of a job's user, by JobID; −1: it never came
	runs    []bool          // by JobID
	numbers map[int32]int32 // small numbers of users
	waiting []model.JobID   // in order of submission
	line    origLine        // the same by user
	begun   bool            // the books are open
	promise struct {        // to the job that the record follows
		job model.JobID
		at  model.Time
	}

	counts *origCounts // for one cluster of interchangeable processors
	nodes  *origNodes  // for everything else
}

// NewOrigBF returns Orig-BF with its defaults.
func NewOrigBF() *OrigBF { return &OrigBF{Halve: 72 * 3600} }

// origQueues are the greatest requested times of the queues: 1 h, 2 h, 1 d, 2 d,
// 4 d, 1 w, 2 w and 2 months of 30 days, the last of which takes longer jobs, too.
var origQueues = [...]model.Time{3600, 7200, 86400, 2 * 86400, 4 * 86400, 7 * 86400, 14 * 86400, 60 * 86400}

func origQueue(limit model.Time) int32 {
	q := 0
	for q < len(origQueues)-1 && limit > origQueues[q] {
		q++
	}
	return int32(q)
}

// shelf is where reservations stand during one pass.
type shelf interface {
	// joins and leaves keep the jobs that wait.
	joins(v *sim.View, j model.JobID)
	leaves(v *sim.View, j model.JobID)
	// open looks at what is free now, before the pass, and says whether any of the
	// waiting jobs could start.
	open(v *sim.View, waiting []model.JobID) bool
	// ends and starts keep what running jobs hold.
	starts(v *sim.View, j model.JobID, claim model.Claim)
	ends(v *sim.View, j model.JobID)
	// begin makes what the running jobs and the calendar leave free.
	begin(v *sim.View)
	// more says whether any job that was not gone through could start now, as far
	// as is known without looking for its place.
	more() bool
	// visit goes through a job, and says whether it could start now, in that sense.
	visit(v *sim.View, j model.JobID) bool
	// fit returns the earliest start of a job from a time on; with once, only if it
	// is now.
	fit(v *sim.View, j model.JobID, from model.Time, once bool) (model.Time, model.Claim, bool)
	// rebook takes over which reservations have come and what was given back.
	rebook(v *sim.View)
	// correct gives running jobs that have exceeded their predictions longer ones, and
	// next returns when the first running job ends as it stands in the profiles.
	correct(v *sim.View)
	next() model.Time
	// take reserves.
	take(v *sim.View, j model.JobID, at model.Time, claim model.Claim)
}

func (s *OrigBF) shelf() shelf {
	if s.counts != nil {
		return s.counts
	}
	return s.nodes
}

// Reset prepares for a new simulation.
func (s *OrigBF) Reset(v *sim.View) {
	s.waiting, s.user, s.runs, s.begun = s.waiting[:0], s.user[:0], s.runs[:0], false
	s.numbers = map[int32]int32{}
	s.line.reset()
	s.counts, s.nodes = nil, nil
	if p := v.Site.Platform; len(p.Clusters) == 1 && p.Clusters[0].Packing == model.PackProcessors && len(p.Licences) == 0 && !p.PowerScales {
		s.counts = newOrigCounts(v, s.Foretold)
	} else {
		s.nodes = newOrigNodes(v, s.Foretold)
	}
}

// Decide orders the waiting jobs, makes reservations and starts those for now.
func (s *OrigBF) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	shelf := s.shelf()
	if s.join(v, shelf); s.Foretold {
		shelf.correct(v)
	}
	if v.Due != nil {
		out = s.reject(v, shelf, out)
	}
	follows := v.Record != nil && v.Record.Follow != nil
	all := s.Plan != nil || v.Facts != nil || follows // who looks on wants to know of all reservations
	s.promise.job = -1
	if len(s.waiting) == 0 || !shelf.open(v, s.waiting) && !all {
		return out
	}
	s.line.begin(func(user int32) float64 { return s.books.Used(user, v.Now) })
	shelf.begin(v)
	begun, promised, gap, steps := len(out), 0, false, s.steps(v)
	for n := 0; n < len(s.waiting) && (all || shelf.more()) && v.Pulse.Beat(steps); n++ {
		j := s.line.next()
		if v.Facts != nil {
			v.Facts.Order = append(v.Facts.Order, j)
		}
		user, once := s.user[j], v.Now-v.Jobs[j].Submit < s.Threshold || s.Depth > 0 && promised >= s.Depth
		if !shelf.visit(v, j) && once {
			gap = true
			continue
		}
		at, claim, ok := s.fit(v, shelf, j, once)
		if !ok {
			gap = true
			continue
		}
		shelf.take(v, j, at, claim)
		if s.Plan != nil {
			s.Plan(v.Now, j, at)
		}
		if at > v.Now {
			gap = true
			promised++
			if follows && v.Jobs[j].Number == *v.Record.Follow {
				s.promise.job, s.promise.at = j, at
			}
			if v.Facts != nil {
				claim.Parts = slices.Clone(claim.Parts)
				v.Facts.Plans = append(v.Facts.Plans, tell.Plan{Job: j, At: at, Where: claim})
			}
			continue
		}
		s.books.Start(user, v.Now, float64(v.Needs[j].Procs))
		s.runs[j] = true
		shelf.starts(v, j, claim)
		if s.Foretold {
			v.Commit(j, claim)
		}
		out = append(out, sim.Decision{Job: j, Claim: claim})
		if v.Record != nil {
			why := report.StartedInOrder
			if gap {
				why = report.StartedAsPlanned
			}
			v.Record.Decide(j, why)
		}
	}
	for _, d := range out[begun:] {
		at, _ := slices.BinarySearch(s.waiting, d.Job)
		s.waiting = slices.Delete(s.waiting, at, at+1)
		s.leave(v, shelf, d.Job)
	}
	return out
}

// steps estimates what a reservation costs, for sim.Pulse: the profiles get as long
// as the queue, and those of nodes are dear.
func (s *OrigBF) steps(v *sim.View) int {
	if s.counts != nil {
		return sim.ProfileSteps(len(s.waiting))
	}
	return 16 + len(v.Site.Nodes) + len(s.waiting)/2
}

// enter and leave keep the jobs that wait by user.
func (s *OrigBF) enter(v *sim.View, shelf shelf, j model.JobID) {
	s.line.add(j, s.queue(v, j), s.user[j])
	shelf.joins(v, j)
}

func (s *OrigBF) leave(v *sim.View, shelf shelf, j model.JobID) {
	s.line.remove(j, s.queue(v, j), s.user[j])
	shelf.leaves(v, j)
}

// queue returns the queue of a job, where queues come first.
func (s *OrigBF) queue(v *sim.View, j model.JobID) int32 {
	if s.QueuesFirst {
		return origQueue(v.Jobs[j].Limit)
	}
	return 0
}

// reject gives up waiting jobs that would be stopped at their due time, which
// has come.
func (s *OrigBF) reject(v *sim.View, shelf shelf, out []sim.Decision) []sim.Decision {
	s.waiting = slices.DeleteFunc(s.waiting, func(j model.JobID) bool {
		late := v.Kills(j) && v.Due[j] <= v.Now
		if late {
			s.leave(v, shelf, j)
			out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
		}
		return late
	})
	return out
}

// join takes over what has happened since the last pass.
func (s *OrigBF) join(v *sim.View, shelf shelf) {
	if !s.begun && len(v.New)+len(v.Back) > 0 {
		s.books.Reset(v.Now, s.Halve)
		s.begun = true
	}
	for _, j := range v.Ended {
		s.runs[j] = false
		s.books.End(s.user[j], v.Now, float64(v.Needs[j].Procs))
		shelf.ends(v, j)
	}
	for _, j := range v.Back {
		if s.know(v, j); s.runs[j] { // else it goes on after its reservation
			s.runs[j] = false
			s.books.End(s.user[j], v.Now, float64(v.Needs[j].Procs))
			shelf.ends(v, j)
		}
		at, _ := slices.BinarySearch(s.waiting, j)
		s.waiting = slices.Insert(s.waiting, at, j)
		s.enter(v, shelf, j)
	}
	for _, j := range v.New {
		s.know(v, j)
		s.waiting = append(s.waiting, j)
		s.enter(v, shelf, j)
	}
	shelf.rebook(v)
}

// know takes note of a job that comes for the first time.
func (s *OrigBF) know(v *sim.View, j model.JobID) {
	for len(s.user) <= int(j) {
		s.user, s.runs = append(s.user, -1), append(s.runs, false)
	}
	if s.user[j] < 0 {
		s.user[j] = s.number(v, j)
	}
}

// number returns the small number of a job's user.
func (s *OrigBF) number(v *sim.View, j model.JobID) int32 {
	number, ok := s.numbers[v.Jobs[j].User]
	if !ok {
		number = int32(len(s.numbers))
		s.numbers[v.Jobs[j].User] = number
	}
	return number
}
