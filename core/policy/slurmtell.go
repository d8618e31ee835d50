//go:build !small

package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/slurm"
	"batchlab/core/tell"
)

// What Slurm says of itself at an instant that is told: which loops run, whom they start,
// where the main loop stops, what a cycle plans for whom, and the reason that squeue
// would show. All of it is read off the controller as its loops leave it.

var _ sim.Teller[*sim.View, []sim.Decision] = (*Slurm)(nil)

// slurmPlan is a plan of the last cycle.
type slurmPlan struct {
	job      *slurm.Job
	at       int64
	told     int64 // what the cycle before had planned, 0 nothing
	from, to int64 // of the slots that it holds; 0: it lies behind the end of the map
	nodes    []uint64
}

// hear notes a plan that a cycle makes.
func (s *Slurm) hear(job *slurm.Job, at int64, nodes []uint64) {
	par := &s.c.Params
	from, to := par.Slots(at, job.Limit)
	if end := par.Beyond(int64(s.clock.ran)); from >= end {
		from, to = 0, 0 // the map has ended before
	} else {
		to = min(to, end)
	}
	p := slurmPlan{job: job, at: at, from: from, to: to, nodes: slices.Clone(nodes)}
	if i := slices.IndexFunc(s.before, func(b slurmPlan) bool { return b.job == job }); i >= 0 {
		p.told = s.before[i].at
	}
	s.plans = append(s.plans, p)
}

// cycle runs a cycle at a time, which may have gone by.
func (s *Slurm) cycle(at model.Time) (started int) {
	s.plans, s.before = s.before[:0], s.plans
	return len(s.c.Backfill(int64(at)))
}

// passedOver makes up for the last cycle before a time that has been passed over since
// nobody could start in it: its plans are those that hold.
func (s *Slurm) passedOver(v *sim.View, before model.Time) {
	k := &s.clock
	if !s.Watched || s.c.Params.Preempts() || k.given != nil || !k.begun || s.Params.Builtin || k.par.BFInterval <= 0 || len(s.c.Waiting) == 0 {
		return
	}
	at := k.lastCycle(min(before, v.Now) - 1)
	if at <= k.ran || at <= k.first {
		return
	}
	k.ran, s.dry, s.copied = at, true, v.Now // the pool is still that of the instant before
	s.cycle(at)
	s.dry, s.copied = false, -model.Never
	if v.Facts != nil {
		name := s.cycleName(at)
		s.said(v, tell.Note, nil, "Backfill", "", name+" was the last one before now, at "+tell.Brace(at)+": nobody could start in it.")
		for i := range s.plans {
			if p := &s.plans[i]; model.Time(p.at) > v.Now && p.told != p.at {
				s.sayPlan(v, at, p, 0, nil)
			}
		}
	}
}

// cycleName names the cycle that comes at a time.
func (s *Slurm) cycleName(at model.Time) string {
	if n := s.clock.number(at); n > 0 {
		return "Cycle " + strconv.FormatInt(n, 10) + " of the backfill loop"
	}
	return "A cycle of the backfill loop"
}

// said appends a decision that Slurm tells itself.
func (s *Slurm) said(v *sim.View, kind tell.Kind, job *slurm.Job, tag, fits, text string) *tell.Decision {
	d := tell.Decide(kind, -1)
	if job != nil {
		if d.Job = model.JobID(job.Tag); !kind.Begins() && job.Reason != slurm.ReasonLimit {
			d.Reason = job.Reason.String()
		}
	}
	d.Tag, d.Text, d.Said = tag, fits, text
	v.Facts.Told = append(v.Facts.Told, d)
	return &v.Facts.Told[len(v.Facts.Told)-1]
}

// number names a job by its number in the log.
func (s *Slurm) number(v *sim.View, job *slurm.Job) int64 { return v.Jobs[job.Tag].Number }

// partition names one of the controller's partitions, "" where there is one only.
func (s *Slurm) partition(part int) string {
	if name := s.c.Partitions[part].Name; name != "" {
		return " in partition " + name
	}
	if len(s.c.Partitions) > 1 {
		return " in its partition"
	}
	return ""
}

// What became of a job in a pass, the least telling first.
const (
	slurmUnreached = iota
	slurmBehind
	slurmPassed
	slurmStopped
	slurmStarted
)

// sayMain tells a pass of the main loop that has just been made.
func (s *Slurm) sayMain(v *sim.View, full, atOnce bool) {
	most := strconv.Itoa(s.c.Params.QueueDepth + 1)
	why := " since something has happened since it ran last, and looks at " + most + " jobs at most (default_queue_depth)."
	switch {
	case s.Given != nil && full:
		why = ", as the controller's log says, over the whole queue."
	case s.Given != nil:
		why = ", as the controller's log says, and looks at " + most + " jobs at most."
	case full:
		why = " over the whole queue, as every " + tell.Span(model.Time(s.c.Params.SchedInterval)) + " (sched_interval)."
	case atOnce:
		why = " at once, since a job has ended, and looks at " + most + " jobs at most (default_queue_depth)."
	}
	s.said(v, tell.Note, nil, "Main loop", "", "The main loop runs"+why)
	type seen struct{ what, at, part int }
	best, stop := map[*slurm.Job]seen{}, map[int]*slurm.Job{}
	at := 0
	s.c.Each(func(j *slurm.Job, part int, reached bool) {
		what := slurmPassed
		switch {
		case j.State == slurm.Running && j.Part == part:
			what = slurmStarted
		case !reached:
			what = slurmUnreached
		case slices.Contains(s.c.Blocked, slurm.Block{Job: j, Part: part}):
			what, stop[part] = slurmStopped, j
		case stop[part] != nil:
			what = slurmBehind
		}
		if b, ok := best[j]; !ok || what > b.what {
			best[j] = seen{what, at, part}
		}
		at++
	})
	at = 0
	s.c.Each(func(j *slurm.Job, part int, _ bool) {
		b := best[j]
		if at++; b.at != at-1 {
			return
		}
		switch b.what {
		case slurmStarted:
			s.said(v, tell.Starts, j, "Starts: main loop", "", " It is its turn: the main loop starts it"+s.partition(part)+".")
		case slurmStopped:
			kept := " What is free is kept from it by a job of a higher partition."
			if len(s.c.Preempted) > 0 {
				kept = " Jobs have been stopped to make room: their nodes can be had a second later."
			}
			s.said(v, tell.Stops, j, "Stops the main loop", kept,
				" The main loop stops here"+s.partition(part)+": it never passes over a job that does not fit.")
		case slurmBehind:
			at := s.number(v, stop[part])
			s.said(v, tell.Turn, j, "Waits: behind the blocked job", "", fmt.Sprintf(" It stands behind job %d, at which the main loop has stopped.", at)).Head = at
		case slurmUnreached:
			s.said(v, tell.Turn, j, "Waits: not looked at", "", " The pass ends before its turn.")
		default:
			s.sayPassed(v, j)
		}
	})
}

// sayPassed tells of a job that a loop passes over, which blocks nobody.
func (s *Slurm) sayPassed(v *sim.View, j *slurm.Job) {
	switch j.Reason {
	case slurm.ReasonLimit:
		s.said(v, tell.Limit, j, "", "", " It is passed over, and blocks no other job.")
	case slurm.ReasonLicences:
		s.said(v, tell.Licence, j, "", "", " It is passed over, and blocks no other job.")
	case slurm.ReasonReserved:
		s.said(v, tell.Kept, j, "", "", " It is passed over, and blocks no other job.")
	default:
		s.said(v, tell.Turn, j, "Waits: passed over", "", " It is passed over, and blocks no other job.")
	}
}

// sayCycle tells a cycle of the backfill loop that has been made for a time.
func (s *Slurm) sayCycle(v *sim.View, at model.Time, started []model.JobID) {
	p := &s.c.Params
	tested := ""
	if p.BFMaxTest != 500 {
		tested = "; it tests " + strconv.Itoa(p.BFMaxTest) + " jobs at most (bf_max_job_test)"
	}
	s.said(v, tell.Note, nil, "Backfill", "", s.cycleName(at)+" discards all plans and rebuilds them, in the order of the queue"+tested+".")
	told := map[*slurm.Job]bool{}
	var before []*slurmPlan // plans made earlier in this cycle
	s.c.Each(func(j *slurm.Job, part int, reached bool) {
		if told[j] || j.State == slurm.Running && j.Part != part {
			return
		}
		told[j] = true
		i := slices.IndexFunc(s.plans, func(p slurmPlan) bool { return p.job == j })
		switch {
		case j.State == slurm.Running && slices.Contains(started, model.JobID(j.Tag)):
			kind := tell.Starts
			if s.c.Passed(j) {
				kind = tell.Passes
			}
			s.said(v, kind, j, "Starts: backfill", "", " It runs into nobody’s plan: the backfill loop starts it.")
		case j.State == slurm.Running:
		case i >= 0:
			s.sayPlan(v, at, &s.plans[i], part, before)
			before = append(before, &s.plans[i])
		case !reached:
			s.said(v, tell.Outside, j, "", "", " The cycle ends before its turn ("+s.c.Stopped+").")
		case j.Plan > int64(at)+p.BFWindow:
			s.said(v, tell.Outside, j, "", "", " It could start at "+tell.Brace(model.Time(j.Plan))+", beyond the time that is planned ahead (bf_window).").At = model.Time(j.Plan)
		case p.BFMinAge > 0 && int64(at)-j.Submit < p.BFMinAge:
			s.said(v, tell.Outside, j, "", "", " It has not waited for long enough to get a plan (bf_min_age_reserve).")
		case j.Reason == slurm.ReasonLimit || j.Reason == slurm.ReasonLicences || j.Reason == slurm.ReasonReserved:
			s.sayPassed(v, j)
		default:
			s.said(v, tell.Outside, j, "", "", " The cycle has no plan for it.")
		}
	})
}

// sayPlan tells what a cycle has planned for a job.
func (s *Slurm) sayPlan(v *sim.View, now model.Time, p *slurmPlan, part int, before []*slurmPlan) {
	d := s.said(v, tell.New, p.job, "", "", "")
	for _, o := range before {
		if o.from < int64(now)+p.job.Limit && o.to > int64(now) && s.shares(part, o.nodes) {
			if d.Frees = append(d.Frees, s.number(v, o.job)); len(d.Frees) > tell.MostNamed {
				d.Frees, d.More = d.Frees[:tell.MostNamed], d.More+1
			}
		}
	}
	if len(d.Frees) > 0 {
		plan := "the plan of "
		if len(d.Frees) > 1 {
			plan = "one of the plans of "
		}
		d.Text = " But it could still run when " + plan + tell.Jobs(d.Frees, d.More) + " begins."
	}
	claim, what := s.planned(p)
	d.At, d.From, d.To, d.Place, d.Parts = model.Time(p.at), model.Time(p.from), model.Time(p.to), claim.Cluster, claim.Parts
	if d.To == 0 {
		d.Said = " Planned for " + tell.Brace(d.At) + ", behind the end of the map, which holds nothing for it."
		return
	}
	d.Said = fmt.Sprintf(" Planned for %s: the map holds %s for it from %s to %s.", tell.Brace(d.At), what, tell.Brace(d.From), tell.Brace(d.To))
}

// shares says whether a partition has one of some nodes.
func (s *Slurm) shares(part int, nodes []uint64) bool {
	return slices.ContainsFunc(s.c.Partitions[part].Nodes, func(n int) bool { return nodes[n>>6]>>(n&63)&1 != 0 })
}

// planned is what the map holds for a job: whole nodes.
func (s *Slurm) planned(p *slurmPlan) (claim model.Claim, what string) {
	n, counted := int32(0), false
	for i, of := range s.ground.index {
		if p.nodes[i>>6]>>(i&63)&1 == 0 {
			continue
		}
		node := s.ground.site.NodeAt(of)
		claim.Cluster = node.Cluster
		if n++; s.ground.site.Platform.Clusters[node.Cluster].Packing == model.PackProcessors {
			counted = true
			continue
		}
		claim.Parts = append(claim.Parts, model.Part{Node: of, Procs: node.Procs})
	}
	switch {
	case counted:
		what = tell.Processors(n)
	case n == 1:
		what = "1 whole node"
	default:
		what = strconv.Itoa(int(n)) + " whole nodes"
	}
	return claim, what
}

// brief says why each job waits, Slurm's own reasons in the words of all schedulers, and
// the start that the last cycle expected, as squeue --start says it.
func (s *Slurm) brief(f *tell.Facts) {
	head := model.JobID(-1)
	for _, job := range s.c.Waiting {
		if job.Reason == slurm.ReasonResources {
			head = model.JobID(job.Tag)
			break
		}
	}
	for _, job := range s.c.Waiting {
		j := model.JobID(job.Tag)
		why, of := report.WaitProcessors, model.JobID(-1)
		switch job.Reason {
		case slurm.ReasonLimit:
			why = report.WaitLimit
		case slurm.ReasonLicences:
			why = report.WaitLicences
		case slurm.ReasonReserved:
			why = report.WaitReservation
		case slurm.ReasonPriority:
			if why = report.WaitOrder; head != j {
				of = head
			}
		}
		f.Note(j, why, of)
		if job.Plan > 0 {
			f.Plans = append(f.Plans, tell.Plan{Job: j, At: model.Time(job.Plan)})
		}
	}
	for _, job := range s.c.Active {
		if job.Suspended {
			f.Note(model.JobID(job.Tag), report.WaitPriority, -1)
		}
	}
}

// Tell says in which order jobs stand and by what priorities, and what holds of plans.
func (s *Slurm) Tell(v *sim.View, decided []sim.Decision, f *tell.Facts) {
	f.Sentence = func(j model.JobID, d *tell.Decision) string { return s.sentence(v, j, d) }
	if f.Briefly() {
		s.brief(f)
		return
	}
	f.Ready, f.Slurm, f.Word = s.orderWords(), true, func(j model.JobID, d *tell.Decision) string { return s.word(v, j, d) }
	if s.c == nil {
		return
	}
	for i := range decided {
		if decided[i].Verb == sim.Start {
			f.Order = append(f.Order, decided[i].Job)
		}
	}
	line := s.c.Line()
	for _, j := range line {
		id := model.JobID(j.Tag)
		f.Order = append(f.Order, id)
		f.Values = append(f.Values, tell.Value{Job: id, Sum: j.Priority[0], Terms: s.terms(j)})
		if j.Plan > int64(v.Now) {
			plan := tell.Plan{Job: id, At: model.Time(j.Plan)}
			if i := slices.IndexFunc(s.plans, func(p slurmPlan) bool { return p.job == j }); i >= 0 {
				plan.Where, _ = s.planned(&s.plans[i])
			}
			f.Plans = append(f.Plans, plan)
		}
	}
	if len(f.Told) == 0 && len(line) > 0 {
		var next []string
		if at := s.clock.nextMain(true); at < model.Never {
			next = append(next, "the main loop comes at "+tell.Brace(at)+" at the latest")
		}
		if at := s.clock.nextCycle(s.Params.Builtin); at < model.Never && s.clock.given == nil {
			at = s.clock.lastCycle(s.clock.now) + model.Time(s.c.Params.BFInterval)
			next = append(next, "the next cycle of the backfill loop at "+tell.Brace(at))
		}
		text := "None of Slurm’s loops runs now"
		if len(next) > 0 {
			text += ": " + strings.Join(next, ", ")
		}
		s.said(v, tell.Note, nil, "No loop", "", text+".")
	}
}

// orderWords say who stands first.
func (s *Slurm) orderWords() string {
	if !s.Params.Multifactor {
		return "oldest first (priority/basic)"
	}
	return "highest priority first"
}

// terms are the factors of a job's priority that have a weight.
func (s *Slurm) terms(j *slurm.Job) (list []tell.Term) {
	p := &s.c.Params
	if !p.Multifactor {
		return []tell.Term{{Name: "priority", Value: j.Priority[0]}}
	}
	f := s.c.Factors(j, 0)
	for _, t := range [...]struct {
		name   string
		weight int64
		value  float64
	}{{"age", p.WeightAge, f.Age}, {"size", p.WeightSize, f.Size}, {"partition", p.WeightPartition, f.Part}, {"QOS", p.WeightQOS, f.QOS},
		{"fair share", p.WeightFair, f.Fair}, {"association", p.WeightAssoc, f.Assoc}} {
		if t.weight != 0 {
			list = append(list, tell.Term{Name: t.name, Value: t.value})
		}
	}
	return list
}

// word is what squeue shows as the reason for a job's wait.
func (s *Slurm) word(v *sim.View, j model.JobID, d *tell.Decision) string {
	if int(j) >= len(s.jobs) || s.jobs[j] == nil {
		return ""
	}
	job := s.jobs[j]
	if job.Reason != slurm.ReasonLimit {
		return job.Reason.String()
	}
	p := v.Site.Platform
	if d != nil && len(d.Bound) > 0 {
		b := &d.Bound[0]
		for i := range p.Licences {
			if l := &p.Licences[i]; l.Quotes() && l.Name == b.Whose && boundBy(l.Quota.Unit, b) {
				return quotaReason(&l.Quota)
			}
		}
		return "AssocGrpCpuLimit"
	}
	if i := v.Free.Short(&v.Needs[j]); i >= 0 {
		if l := &p.Licences[v.Needs[j].Licences[i].Licence]; l.Quotes() {
			return quotaReason(&l.Quota)
		}
	}
	return job.Reason.String()
}

// sentence says why a job waits, with Slurm's word for it.
func (s *Slurm) sentence(v *sim.View, j model.JobID, d *tell.Decision) string {
	word := s.word(v, j, d)
	if word == "" {
		return ""
	}
	more := ""
	switch s.jobs[j].Reason {
	case slurm.NoReason:
		more = ": no loop has looked at it yet"
	case slurm.ReasonPriority:
		more = ": it stands behind a job that does not fit, which the main loop never passes over"
	case slurm.ReasonResources:
		more = ": it was the first that did not fit when the main loop came to it"
	case slurm.ReasonReserved:
		more = ": what it could use is reserved or out of order"
	}
	return "Slurm says " + word + more + "."
}

// boundBy says whether a told limit counts a unit.
func boundBy(u model.Unit, b *tell.Bound) bool {
	switch u {
	case model.UnitProcs:
		return !b.Jobs && b.Unit == ""
	case model.UnitJobs:
		return b.Jobs
	}
	return b.Unit == model.Units[u]
}

// quotaWords are Slurm's for what a limit counts, by model.Unit: of a group as a whole, and
// of each user or account.
var quotaWords = [...]struct{ all, each string }{
	model.UnitProcs: {"CpuLimit", "Cpu"}, model.UnitJobs: {"JobsLimit", "Jobs"}, model.UnitNodes: {"NodeLimit", "Node"},
	model.UnitGPUs: {"GRES", "GRES"}, model.UnitMemory: {"MemLimit", "Memory"},
}

// quotaReason is Slurm's word for a limit on what the jobs of some part hold
// (job_reason_string of slurm_protocol_defs.c).
func quotaReason(q *model.Quota) string {
	w := quotaWords[q.Unit]
	limit := "Limit"
	if q.Unit == model.UnitGPUs || q.Unit == model.UnitMemory {
		limit = ""
	}
	switch {
	case q.Of == model.QuotaAccount && q.By == model.QuotaUser && q.Unit == model.UnitJobs:
		return "AssocMaxJobsLimit"
	case q.Of == model.QuotaAccount:
		return "AssocGrp" + w.all
	case q.By == model.QuotaUser || q.By == model.QuotaGroup:
		return "QOSMax" + w.each + "PerUser" + limit
	case q.By == model.QuotaByAccount:
		return "Max" + w.each + "PerAccount"
	}
	return "QOSGrp" + w.all
}
