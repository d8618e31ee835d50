package paper

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

const (
	planStudy = "klusacek2016"
	planCite  = "D. Klusáček and V. Chlumský, Planning and Metaheuristic Optimization in Production Job Scheduler, " +
		"Job Scheduling Strategies for Parallel Processing (JSSPP), 2016"
	planLog     = "CERIT-SC, HPC2N and KTH-SP2"
	planSeeds   = 20
	planQuick   = 3  // seeds of a first look
	planFactor  = 7  // by which table 1 divides all times
	planDays    = 5  // length of an interval of table 1
	planSegment = 10 // days of the log that the figures replay
	planNarrow  = 12 // processors of the nodes of zegox
	planMany    = 20 // intervals of each log where their choice is looked at
)

// klusacek2016 are the study's table and figures on replayed logs. In the paper
// figures 2 to 5 come from the real system; 6 and 7, where users react, are in
// klusacek2016users as well.
var klusacek2016 = []Preset{
	planPreset("table1", "table 1: change of mean wait and bounded slowdown by Plan-RS", planTable1),
	planPreset("table1-contended", "table 1 on intervals with most waiting jobs in a replay, so that all of its 16 numbers have one beside them", planTable1),
	planPreset("table1-intervals", "table 1 over the 20 busiest intervals of each log: how its changes depend on the choice of the interval", planIntervals),
	planPreset("optimisers", "section 3.3: random search against annealing, tabu search and large neighbourhoods, at equal numbers of plans and at equal work", planEqual),
	planPreset("readings", "table 1 in other readings of the planner and of Orig-BF, one at a time", planReadings),
	planPreset("replayed", "figures 2 to 7 on the busiest days of a log together, with conservative as control", planFigure(planWaits, planClasses, planUsers, planImprovements, planCost)),
	planPreset("figure2", "figure 2: mean wait by processors and by requested time", planFigure(planClasses)),
	planPreset("figure3", "figure 3: normalised user wait times", planFigure(planFairness)),
	planPreset("figure4", "figure 4: what accepted improvements change", planFigure(planImprovements)),
	planPreset("figure5", "figure 5: plan lengths and work of the optimiser (times are in the benchmarks)", planFigure(planCost)),
	planPreset("figure6-replayed", "figure 6 on the busiest days of a log, with conservative as control: mean wait, mean bounded slowdown and distribution of waits", planFigure(planWaits)),
	planPreset("figure7-replayed", "figure 7 on the busiest days of a log, with conservative as control: mean and distribution of normalised user wait times", planFigure(planUsers)),
}

func planPreset(place, shows string, rows func(r *planRun) error) Preset {
	open := func(in Input) (*planRun, error) {
		many := place == "table1-intervals"
		replayed := place == "table1-contended" || place == "optimisers" || place == "readings"
		r := &planRun{in: in, out: &Output{}, seeds: planSeeds, sets: replayed || strings.HasPrefix(place, "table1"), many: many, replayed: replayed}
		if place == "optimisers" {
			r.seeds = planSeeds / 2
		}
		if in.Quick || many || place == "readings" {
			r.seeds = planQuick
		}
		if in.Quick && place == "readings" {
			r.seeds = 2
		}
		return r, r.open()
	}
	return Preset{Key: planStudy + "-" + place, Study: planStudy, Cite: planCite, Shows: shows, Log: planLog,
		Example: func(in Input) (*experiment.Experiment, error) {
			r, err := open(in)
			if err != nil {
				return nil, err
			}
			return r.example()
		},
		Compute: func(in Input) (*Output, error) {
			r, err := open(in)
			if err != nil {
				return nil, err
			}
			if err := rows(r); err != nil {
				return nil, err
			}
			var names []string
			for i := range r.cases {
				if name := r.cases[i].log; !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			r.out.Log = strings.Join(names, ", ")
			r.out.Digest = experiment.Digest(r.blocks...)
			return r.out, nil
		}}
}

// planCase is a workload on a platform.
type planCase struct {
	name       string // of the log, as the study has it
	label, log string
	work       *model.Workload
	platform   *model.Platform
	from, to   int64 // of the log, seconds
}

// example is the cases of the first log as an experiment: its days under the
// schedulers of the comparison, one point for each interval. Of CERIT-SC's wide
// nodes, which table 1 cuts out, a document does not know; it has the whole
// machine. What Plan-RS draws is another draw than the preset's.
func (r *planRun) example() (*experiment.Experiment, error) {
	var points []Point
	for i := range r.cases {
		if c := &r.cases[i]; c.log == r.cases[0].log {
			e, err := r.exampleOf(c)
			if err != nil {
				return nil, err
			}
			points = append(points, Point{c.label, e})
		}
	}
	if len(points) == 1 {
		return points[0].Experiment, nil
	}
	return Together(planStudy+", "+strconv.Itoa(len(points))+" intervals of "+r.cases[0].name, points)
}

func (r *planRun) exampleOf(c *planCase) (*experiment.Experiment, error) {
	e := experiment.New()
	e.Title = planStudy + ", " + c.label
	if r.out.StandIn {
		g, err := experiment.NewGenerator("daily")
		if err == nil {
			err = errors.Join(g.SetParam("jobs", planStandIn["jobs"]), g.SetParam("load", planStandIn["load"]))
		}
		if err != nil {
			return nil, err
		}
		e.Workload.Source.Generator = g
	} else {
		ref := r.in.Logs[0].Ref
		e.Workload.Source.Log = &ref
		if r.in.Logs[0].Log.Alea != nil {
			machines, err := experiment.NewMachines("cerit-sc")
			if err != nil {
				return nil, err
			}
			e.Platform.Generator = machines
		}
	}
	e.Workload.Window = experiment.Window{From: &c.from, To: &c.to}
	if r.sets {
		e.Workload.Scale = experiment.Scale{Load: planFactor, Time: 1.0 / planFactor}
	}
	for _, key := range []string{"orig-bf", "conservative", "plan-rs"} {
		s, err := e.Add(key)
		if err != nil {
			return nil, err
		}
		if key == "plan-rs" {
			s.Repeat = int64(r.seeds)
		}
	}
	return e, nil
}

// planStandIn are the parameters of the generated stand-in.
var planStandIn = map[string]any{"jobs": 3000, "load": 0.95}

// open makes the workloads: of table 1 the intervals of every log, of a figure
// the busiest days of the first.
func (r *planRun) open() error {
	logs := r.in.Logs
	if len(logs) == 0 {
		r.out.StandIn = true
		r.out.Notes = append(r.out.Notes, "no log was given: it ran on a generated one, whose numbers have nothing to do with the paper's")
		log, err := workload.GenerateSeeded("daily", planStandIn, 1, 0)
		if err != nil {
			return err
		}
		for i := range log.Records { // a generated log states no waits
			log.Records[i].WaitTime = 0
		}
		logs = []Log{{Ref: experiment.Log{Name: "generated: daily, 3000 jobs, seed 1"}, Log: log}}
	}
	for _, l := range logs {
		if err := r.add(l); err != nil {
			return fmt.Errorf("%s: %w", l.Ref.Name, err)
		}
		if !r.sets {
			break
		}
	}
	return nil
}

// add cuts one log into the intervals that the preset wants.
func (r *planRun) add(l Log) error {
	name, count, days := l.Ref.Name, 2, planDays
	if !r.sets {
		count, days = 1, planSegment
		if r.in.Quick {
			days = 3
		}
	} else if r.many {
		count = planMany
	} else if r.in.Quick {
		count = 1
	}
	if r.many && r.in.Quick {
		count = 3
	}
	log, options := l.Log, workload.Options{}
	var platform *model.Platform
	switch {
	case log.Alea != nil:
		name = "CERIT-SC"
		params := map[string]any{}
		if r.sets {
			var nodes int
			log, nodes = wideNodes(log)
			name = "Zewura"
			if !r.many {
				count *= 2
			}
			params["zewura"] = nodes
			if r.in.Quick && !r.many {
				count = 1
			}
			params["zegox"] = 0
		}
		var err error
		if platform, err = workload.MachinesSeeded("cerit-sc", params, 1, 0); err != nil {
			return err
		}
		options.Processors = int64(workload.Widest(platform))
	case strings.Contains(name, "HPC2N"):
		name = "HPC2N"
	case strings.Contains(name, "KTH"):
		name = "KTH-SP2"
	}
	w, _, err := workload.FromLog(log, options)
	if err == nil && platform != nil {
		w, _, err = workload.AskNodes(w, log, platform)
	}
	if err != nil {
		return err
	}
	if platform == nil {
		platform = model.OneCluster(w.Processors)
	}
	var scale workload.Options
	if r.sets {
		scale.Load, scale.Time = planFactor, 1.0/planFactor
	}
	length := model.Time(days) * 86400
	intervals := busiest(w, length, count)
	if r.replayed {
		if intervals, err = r.contended(w, platform, length, count, scale); err != nil {
			return err
		}
	}
	for i, from := range intervals {
		start, end := int64(from), int64(from)+int64(days)*86400
		o := scale
		o.From, o.To = &start, &end
		cut, _, err := workload.Shape(w, o)
		if err != nil {
			return err
		}
		c := planCase{name: name, label: fmt.Sprintf("%s set %d", name, i+1), log: l.Ref.Name, work: cut, platform: platform, from: start, to: end}
		if !r.sets {
			c.label = fmt.Sprintf("%s, %d days", name, days)
		}
		r.cases = append(r.cases, c)
	}
	return nil
}

// wideNodes keeps the jobs that ran on nodes of which one job alone has held
// more processors than a node of zegox has, and returns how many such nodes the
// log shows: what did not work then is no part of the platform.
func wideNodes(l *swf.Log) (*swf.Log, int) {
	wide := map[int32]bool{}
	for i := range l.Alea {
		for _, n := range l.Alea[i].Nodes {
			if n.Procs > planNarrow {
				wide[n.Node] = true
			}
		}
	}
	out := &swf.Log{Header: l.Header}
	for i := range l.Records {
		if nodes := l.Alea[i].Nodes; len(nodes) > 0 && !slices.ContainsFunc(nodes, func(n swf.NodeUse) bool { return !wide[n.Node] }) {
			out.Records = append(out.Records, l.Records[i])
			out.Alea = append(out.Alea, l.Alea[i])
		}
	}
	return out, len(wide)
}

// busiest returns the beginnings of intervals that do not overlap, those in
// which most jobs were waiting in the log on average first, counting only jobs
// submitted in them, for no others are replayed; they begin at whole days from
// the first submission. "We have chosen those with a significant activity and
// contention (using the number of waiting jobs at the given time as a metric) …
// that lasted for at least 5 days" (section 4.2).
func busiest(w *model.Workload, length model.Time, count int) []model.Time {
	const day = 86400
	first, last := w.Span()
	days, n := int((last-first)/day)+1, int(length/day)
	var sums []int64 // seconds waited, by the first day
	var starts []int
	next := 0
	for d := 0; d+n <= days || d == 0; d++ {
		from := first + model.Time(d)*day
		for next < len(w.Jobs) && w.Jobs[next].Submit < from {
			next++
		}
		sum := int64(0)
		for j := next; j < len(w.Jobs) && w.Jobs[j].Submit < from+length; j++ {
			sum += int64(min(max(0, w.Truth[j].LoggedWait), from+length-w.Jobs[j].Submit))
		}
		sums, starts = append(sums, sum), append(starts, d)
	}
	return apartDays(starts, func(d int) int64 { return sums[d] }, n, count, first)
}
