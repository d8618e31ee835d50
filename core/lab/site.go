//go:build !small

package lab

import (
	"errors"
	"fmt"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// constructors binds the key of each scheduler of the catalog to its code. A
// test proves that rows and constructors match. as-logged has none: it decides
// nothing.
var constructors = map[string]func(p experiment.Params) (sim.Scheduler, error){
	"fcfs": func(p experiment.Params) (sim.Scheduler, error) {
		return &policy.FCFS{Newest: p.Text("ties") == "newest"}, nil
	},
	"easy": newSiteEASY,
	"bf-unmod": func(p experiment.Params) (sim.Scheduler, error) {
		return policy.NewBFUnmod(policy.WeightsOf(p.Number)), nil
	},
	"bf-mod": func(p experiment.Params) (sim.Scheduler, error) {
		return policy.NewBFMod(policy.WeightsOf(p.Number)), nil
	},
	"conservative": newSiteConservative,
	"custom":       newCustom,
	"plan-rs":      newPlan,
	"hill-climbing": func(p experiment.Params) (sim.Scheduler, error) {
		restarts, _ := p.Int("restarts")
		most, _ := p.Int("evaluations")
		return plan.NewHill(plan.HillOptions{
			Foretold: plansBy(p), Extend: p.Text("schedule") == "extend", Random: p.Text("initial") == "random", Tardiness: p.Text("objective") == "tardiness",
			Keep:     p.Text("outage") == "keep",
			Restarts: int(restarts), Evaluations: int(most),
		}), nil
	},
	"foresight":         newForesight,
	"foresight-rollout": newForesight,

	"grid":       newGrid,
	"slurm":      newSlurm,
	"fcfs-bf":    newList(policy.BySubmission),
	"lsf":        newList(policy.BySize),
	"sjf":        newList(policy.ByRequest),
	"ppp":        newList(policy.ByPriority),
	"pppd":       newList(policy.ByPriority),
	"fair-share": newList(policy.ByUse),
	"orig-bf": func(p experiment.Params) (sim.Scheduler, error) {
		s := policy.NewOrigBF()
		threshold, _ := p.Int("reserve-after")
		halve, _ := p.Int("halve")
		if depth, ok := p.Int("depth"); ok {
			s.Depth = int(depth)
		}
		s.Threshold, s.Halve, s.QueuesFirst = model.Time(threshold), model.Time(halve), p.Text("queues") == "shortest"
		if plansBy(p) {
			return policy.NewForetoldOrigBF(s), nil
		}
		return s, nil
	},
}

func newSiteEASY(p experiment.Params) (sim.Scheduler, error) {
	s, err := newEASY(p)
	if err != nil {
		return nil, err
	}
	e := s.(*policy.CountedEASY)
	e.Foretold = p.Text("orders-by") == "prediction"
	if p.Text("backfill-by") == "prediction" {
		return policy.NewForetoldEASY(e), nil
	}
	return policy.NewEASY(e), nil
}

func newForesight(p experiment.Params) (sim.Scheduler, error) {
	return policy.NewForesight(foresightOptions(p)), nil
}

func newSiteConservative(p experiment.Params) (sim.Scheduler, error) {
	order, err := queueOrder(p)
	if err != nil {
		return nil, err
	}
	order.Foretold = p.Text("orders-by") == "prediction"
	o := plan.Options{Replan: true, Foretold: plansBy(p)}
	if depth, ok := p.Int("depth"); ok {
		o.Depth = int(depth)
	}
	if order.Order != policy.FCFSOrder {
		o.Order = &policy.Lineup{QueueOrder: order}
	} else {
		o.Newest = order.Newest
	}
	return plan.New(o), nil
}

// scheduler makes scheduler i of the experiment for a repetition, programs of
// their own included.
func (p *Prepared) scheduler(i, repetition int) (sim.Scheduler, error) {
	line := &p.doc.Schedulers[i]
	if !catalog.IsProgram(line.Key) {
		s, err := build(line)
		if err == nil {
			err = p.given(s, repetition)
		}
		return s, err
	}
	if p.env.Program == nil {
		return nil, experiment.Error{Path: fmt.Sprintf("schedulers[%d].key", i), Code: experiment.CodeProgram,
			Message: line.Key + " starts a program on this computer, which only batchlab simulate and batchlab run do"}
	}
	return p.env.Program(line, ProgramRun{Label: p.labels[i], Seed: p.doc.Seed, Repetition: repetition})
}

// build makes the scheduler of one line of an experiment.
func build(s *experiment.Scheduler) (sim.Scheduler, error) {
	c, ok := constructors[s.Key]
	if !ok {
		return nil, fmt.Errorf("lab: no scheduler %q", s.Key)
	}
	return c(s.Params)
}

// checkSchedulers refuses schedulers that the platform does not suit.
func (p *Prepared) checkSchedulers() error {
	var errs experiment.Errors
	for i := range p.doc.Schedulers {
		s := &p.doc.Schedulers[i]
		fault := p.doc.Unsuited(i)
		if row := catalog.FindScheduler(s.Key); fault == nil && !row.Logged {
			if _, err := p.scheduler(i, 0); err != nil {
				fault = refused(i, err)
			}
		}
		if fault != nil {
			errs = append(errs, *fault)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return errs
}

// platform makes the machines of a repetition, nil where only a number of
// processors is known.
func (p *Prepared) platform(r int) (*model.Platform, error) {
	d := &p.doc.Platform
	if g := d.Generator; g != nil {
		platform, err := workload.MachinesSeeded(g.Key, paramMap(g.Params), p.doc.Seed, r)
		if platform != nil {
			platform.PowerScales = d.PowerScales
		}
		return platform, err
	}
	if len(d.Clusters) == 0 {
		return nil, nil
	}
	out := &model.Platform{PowerScales: d.PowerScales}
	for _, l := range d.Licences {
		out.Licences = append(out.Licences, model.Licence{Name: l.Name, Copies: int32(l.Copies)})
	}
	for _, c := range d.Clusters {
		packing := map[string]model.Packing{"processors": model.PackProcessors, "nodes": model.PackNodes, "machine": model.PackMachine}[c.Packing]
		cluster := model.Cluster{Name: c.Name, Packing: packing}
		for _, g := range c.Groups {
			cluster.Groups = append(cluster.Groups, model.NodeGroup{
				Count: int32(g.Count), Procs: int32(g.Processors), Mem: g.Memory, Disk: g.Disk, GPUs: int32(g.GPUs), Speed: g.Speed, Licences: g.Licences, Properties: g.Properties,
			})
			for _, name := range g.Licences {
				if !slices.ContainsFunc(out.Licences, func(l model.Licence) bool { return l.Name == name }) {
					out.Licences = append(out.Licences, model.Licence{Name: name}) // node-locked
				}
			}
		}
		out.Clusters = append(out.Clusters, cluster)
	}
	return out, nil
}

// annotate gives the jobs of a repetition their deadlines and licences.
func (p *Prepared) annotate(w *model.Workload, platform *model.Platform, r int) (*model.Workload, error) {
	d := &p.doc.Workload.Annotate
	a := workload.Annotations{
		Deadlines: workload.DeadlineRule{Share: d.Deadlines.Share, Factor: d.Deadlines.Factor, MarginMin: d.Deadlines.MarginMin, MarginMax: d.Deadlines.MarginMax},
		Kill:      d.Stops(), Weights: workload.WeightRule(d.Weights), Setup: workload.SetupRule(d.Setup),
	}
	for i, l := range d.Eligible {
		a.Eligible = append(a.Eligible, workload.EligibleRule{On: l.On, Share: l.Share, Where: fmt.Sprintf("workload.annotate.eligible[%d]", i)})
	}
	for i, n := range d.Needs {
		a.Needs = append(a.Needs, workload.NeedRule{Share: n.Share, GPUs: n.GPUs, Mem: n.Memory, Disk: n.Disk, Where: fmt.Sprintf("workload.annotate.needs[%d]", i)})
	}
	for i, l := range d.Licences {
		a.Licences = append(a.Licences, workload.LicenceRule{Licence: l.Licence, Share: l.Share, Copies: l.Copies, Where: fmt.Sprintf("workload.annotate.licences[%d]", i)})
	}
	for i, j := range d.Jobs {
		a.Jobs = append(a.Jobs, workload.Annotation{Job: j.Job, Due: j.Due, Licences: j.Licences, Weight: j.Weight, Setup: j.Setup, On: j.On, GPUs: j.GPUs, Memory: j.Memory, Disk: j.Disk, Where: fmt.Sprintf("workload.annotate.jobs[%d]", i)})
	}
	if d.File != nil {
		if p.env.File == nil {
			return nil, fmt.Errorf("workload.annotate.file: this experiment needs the file %q", d.File.Name)
		}
		data, err := p.env.File(*d.File)
		if err != nil {
			return nil, err
		}
		list, err := workload.ParseNeeds(d.File.Name, data)
		if err != nil {
			return nil, err
		}
		a.Jobs = append(a.Jobs, list...)
	}
	if a.Empty() {
		return w, nil
	}
	if p.doc.Workload.Resample != nil && r > 0 && len(a.Jobs) > 0 {
		options := p.options(0)
		options.Processors = int64(platform.Procs())
		var err error
		if a.Origin, _, err = workload.FromLog(p.log, options); err != nil {
			return nil, err
		}
	}
	return workload.Annotate(w, platform, &a, workload.Streams(p.doc.Seed, r))
}

// site runs a scheduler of machines, and notes in out what else is to be said of it.
func (p *Prepared) site(r *prepared, id RunID, o sim.Options, of *Options, out *report.Run) (*model.Schedule, error) {
	if p.countsAhead(r, id.Scheduler, &o) {
		return p.ahead(r, id.Scheduler, o, out)
	}
	s, desk, err := p.decider(r, id)
	if err != nil {
		return nil, err
	}
	if timed, ok := s.(interface{ Clock(func() float64) }); ok {
		timed.Clock(of.Now)
	}
	if own, ok := s.(programmed); ok && of.Profile {
		own.Profile(of.Now)
	}
	if desk != nil {
		o.Desk = desk
	}
	if of.Moves != nil {
		follow(s, r.machines().Clusters, of.Moves)
	}
	trace(s, &o)
	schedule, err := p.siteSim.Run(r.workload, r.machines(), s, o)
	if program, ok := s.(interface{ Close() error }); ok {
		err = errors.Join(err, program.Close())
	}
	if errors.Is(err, sim.ErrCancelled) {
		err = ErrCancelled
	}
	out.Optimised, out.Program = optimised(s), said(s)
	if err != nil {
		return nil, faulty(id.Scheduler, s, err)
	}
	traced(s, out)
	if desk != nil {
		schedule.Holds = desk.Holds(schedule, p.siteSim.Bound())
	}
	return schedule, err
}

// siteLicences describes the licences of a platform.
func siteLicences(platform *model.Platform) ([]report.SiteLicence, error) {
	site, err := resource.NewSite(platform)
	if err != nil {
		return nil, err
	}
	var list []report.SiteLicence
	for l, licence := range platform.Activated() {
		list = append(list, report.SiteLicence{Name: licence.Name, Copies: licence.Copies, Suitable: site.Suitable(int32(l))})
	}
	return list, nil
}

// prioritized is a scheduler that can take its priorities apart.
type prioritized interface {
	sim.Scheduler
	Trace()
	Priorities() []policy.Priority
	Reservation() (head model.JobID, at model.Time, where model.Claim)
}

// deadlineCases name the cases of the heuristic.
var deadlineCases = [...]string{policy.NoDeadline: "none", policy.DeadlineFar: "far", policy.DeadlineNear: "near", policy.DeadlineOver: "over"}

// Priorities returns the priorities of the jobs that waited at the last
// scheduling event up to a time, as the scheduler of a run saw them before it
// decided. It runs the simulation up to there, and fails for schedulers without
// priorities and before the first event.
func (p *Prepared) Priorities(id RunID, at model.Time) (*report.Priorities, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, err
	}
	built, err := build(&p.doc.Schedulers[id.Scheduler])
	if err != nil {
		return nil, err
	}
	s, ok := built.(prioritized)
	if !ok {
		return nil, fmt.Errorf("lab: %s has no priorities", p.doc.Schedulers[id.Scheduler].Key)
	}
	s.Trace()
	var out *report.Priorities
	var jobs []report.Priority
	o := sim.Options{Source: r.users, Watch: func(v *sim.View) bool {
		if v.Now > at {
			return false
		}
		head, promised, _ := s.Reservation()
		out = &report.Priorities{At: v.Now, Reservation: model.Never}
		jobs = jobs[:0]
		if head >= 0 {
			out.Reservation = promised
		}
		for _, t := range s.Priorities() {
			index := t.Job
			if v.Origin != nil {
				index = v.Origin[t.Job]
			}
			jobs = append(jobs, report.Priority{
				Job: index, Number: v.Jobs[t.Job].Number, Head: t.Job == head,
				Aging: t.Aging, Deadline: t.Deadline, Licences: t.Licences, Wait: t.Wait, Queue: t.Queue, Total: t.Total, Case: deadlineCases[t.Case],
			})
		}
		out.Jobs = jobs
		return true
	}}
	if desk := p.newDesk(r.workload); desk != nil {
		o.Desk = desk
	}
	if o.Book, err = p.book(r, id.Scheduler); err != nil {
		return nil, err
	}
	_, err = new(sim.Simulator).Run(r.workload, r.machines(), s, o)
	if err != nil && !errors.Is(err, sim.ErrCancelled) {
		return nil, err
	}
	if out == nil {
		return nil, fmt.Errorf("lab: nothing happens up to %d", at)
	}
	order.Stable(out.Jobs, func(a, b report.Priority) int {
		switch {
		case a.Total > b.Total:
			return -1
		case a.Total < b.Total:
			return 1
		}
		return 0
	})
	return out, nil
}
