package paper

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/policy"
	"batchlab/core/workload"
)

// ceritProcessors is what the log CERIT-SC, which states no size, ran on: 20
// nodes of 80 processors and 48 of 12.
const ceritProcessors = 20*80 + 48*12

// busyMonth is the machine of a log, and where those 28 days of it begin in
// which most processor-seconds were submitted; they begin at whole days from the
// first submission.
type busyMonth struct {
	log        string // how its name begins
	processors int64
	from       int64 // the log's own seconds
}

const busyDays = 28

var busyMonths = []busyMonth{
	{"KTH-SP2", 100, 9758250}, {"SDSC-SP2", 128, 54220529}, {"HPC2N", 240, 97628472}, {"CERIT-SC", ceritProcessors, 1362093747},
}

// otherLogs ask what holds of each study's main claim on logs that the study did
// not use. Each takes any log; of these four it takes the busiest month where the
// study took some weeks as well, of any other all jobs.
var otherLogs = []Preset{
	{Key: gridStudy + "-logs", Study: gridStudy, Cite: gridCite, Any: true,
		Shows:   "any log: static partition, MCT and AR resource priority on two halves of its machine, 30 and 60 % reservations",
		LookFor: "Whether AR resource priority has the smallest flow time of the three, as on the study's own log.",
		Sweep:   &Sweep{Points: gridLogs, Rows: func(r []Result) []Row { return gridRows(r, "", 1, gridU, gridF, gridD) }}},
	{Key: hillStudy + "-logs", Study: hillStudy, Cite: hillCite, Any: true,
		Shows:   "any log: hill climbing against both kinds of FIFO",
		LookFor: "Whether hill climbing ends all jobs earlier than the strict FIFO, and whether the other FIFO has the shorter turnaround.",
		Sweep:   &Sweep{Points: hillLogs, Rows: measureRows("makespan", "mean-turnaround", "max-turnaround")}},
	{Key: farmStudy + "-logs", Study: farmStudy, Cite: farmCite, Any: true,
		Shows:   "any log with the study's licences and deadlines drawn for its jobs: the four schedulers on one machine",
		LookFor: "Whether BF_UNMOD misses fewer deadlines than BF_FCFS where jobs do not stand near their deadlines.",
		Sweep:   &Sweep{Points: farmLogs, Rows: farmNamed([]farmMeasure{{"out-of-deadline", "", "%"}, {"utilization", "true utilization, ", ""}, {"mean-slowdown", "slowdown, ", ""}})}},
	{Key: "legrand2018-logs", Study: "legrand2018", Cite: citeLegrand, Any: true,
		Shows:   "any log: SAF, the best mixed order of each week, the trained one and last week's best",
		LookFor: "Whether SAF is the best pure order, and whether anything that learned from the past beats it.",
		Compute: legrandLog, Example: func(in Input) (*experiment.Experiment, error) {
			t, err := legrandAny(in, &Output{})
			if err != nil {
				return nil, err
			}
			return legrandExample(t, in.Quick)
		}},
}

// monthOf is a log's busiest month, nil of any other log.
func monthOf(name string) *busyMonth {
	for i := range busyMonths {
		if strings.HasPrefix(name, busyMonths[i].log) {
			return &busyMonths[i]
		}
	}
	return nil
}

// logBase is an experiment on a log's busiest month, on all of any other log, or
// on generated jobs; it says how many processors the machine has.
func logBase(log *experiment.Log, quick bool) (e *experiment.Experiment, processors int64, err error) {
	e = experiment.New()
	if log == nil {
		g, err := experiment.NewGenerator("daily")
		if err == nil {
			err = errors.Join(g.SetParam("jobs", 600), g.SetParam("load", 0.95))
		}
		if err != nil {
			return nil, 0, err
		}
		e.Workload.Source.Generator = g
		return e, 128, nil
	}
	ref := *log
	e.Workload.Source.Log = &ref
	m := monthOf(ref.Name)
	if m == nil {
		return e, 0, nil
	}
	days := int64(busyDays)
	if quick {
		days = 7
	}
	from, to := m.from, m.from+days*86400
	e.Workload.Window.From, e.Workload.Window.To = &from, &to
	e.Workload.Clean.Oversize = "clamp"
	return e, m.processors, nil
}

// logMachine is logBase for what cuts or equips the machine, whose size has to be
// known.
func logMachine(log *experiment.Log, quick bool) (*experiment.Experiment, int64, error) {
	e, processors, err := logBase(log, quick)
	if err == nil && processors == 0 {
		err = fmt.Errorf("%s: its machine is not known here: rename it KTH-SP2, SDSC-SP2, HPC2N or CERIT-SC if it is one of these", log.Name)
	}
	return e, processors, err
}

// gridLogs are two providers, each half of the machine; jobs that fit neither are
// left out, as in the study's second set.
func gridLogs(log *experiment.Log, quick bool) ([]Point, error) {
	return over([]float64{0.3, 0.6}, func(share float64) (Point, error) {
		e, processors, err := logMachine(log, quick)
		if err != nil {
			return Point{}, err
		}
		e.Title = "Two halves of a machine"
		e.Workload.Filter.MaxProcs = processors / 2
		e.Workload.Annotate.Reservations.Share, e.Workload.Annotate.Reservations.Length = share, "run"
		if log == nil {
			e.Workload.Annotate.Reservations.Ready = "drawn"
			e.Workload.Annotate.Reservations.LeadMax = 2 * gridLate.wait
		}
		for i := range 2 {
			e.Platform.Clusters = append(e.Platform.Clusters, experiment.Cluster{Name: fmt.Sprint("Provider ", i+1), Packing: "processors",
				Groups: []experiment.NodeGroup{{Count: 1, Processors: processors / 2, Speed: 1}}})
		}
		return gridPoint(fmt.Sprintf("%.0f %% reservations", 100*share), quick, e, nil, gridPartition, gridMCT, gridPriority)
	})
}

// hillLogs is one machine of counted processors.
func hillLogs(log *experiment.Log, quick bool) ([]Point, error) {
	e, processors, err := logBase(log, quick)
	if err != nil {
		return nil, err
	}
	e.Title, e.Platform.Processors = "Hill climbing and FIFO", processors
	for _, way := range []struct{ key, label string }{{"fcfs", "FIFO"}, {"hill-climbing", "Hill climbing"}, {"fcfs-bf", hillPassing}} {
		s, err := e.Add(way.key)
		if err != nil {
			return nil, err
		}
		s.Label = way.label
	}
	return []Point{{"all jobs", e}}, nil
}

// farmLogs draws the study's licences and deadlines for the jobs of a log, on one
// machine with a copy of each of five licences for 20 processors. With the
// study's margins of at most 250 s every job stands near its deadline; with a day
// some do not.
func farmLogs(log *experiment.Log, quick bool) ([]Point, error) {
	return over([]int64{250, 86400}, func(margin int64) (Point, error) {
		e, processors, err := logMachine(log, quick)
		if err != nil {
			return Point{}, err
		}
		e.Title = "Licences and deadlines"
		e.Workload.Annotate.Deadlines.Share, e.Workload.Annotate.Deadlines.MarginMax = 0.7, margin
		e.Workload.Annotate.Licences = []experiment.LicenceRule{{Licence: "*", Share: 0.3, Copies: 1}}
		e.Platform.Clusters = []experiment.Cluster{{Name: "machine", Packing: "processors", Groups: []experiment.NodeGroup{{Count: 1, Processors: processors, Speed: 1}}}}
		for i := range 5 {
			name := fmt.Sprint("licence ", i+1)
			e.Platform.Licences = append(e.Platform.Licences, experiment.Licence{Name: name, Copies: max(1, processors/20)})
			group := &e.Platform.Clusters[0].Groups[0]
			group.Licences = append(group.Licences, name)
		}
		repeat := int64(10)
		if quick {
			repeat = 2
		}
		return Point{fmt.Sprintf("margins up to %d s", margin), e}, farmSchedulers(e, repeat)
	})
}

// measureRows lists measures of each scheduler, in seconds, and the change
// against the others in per cent.
func measureRows(keys ...string) func([]Result) []Row {
	return func(results []Result) []Row {
		var rows []Row
		for i := range results {
			r := &results[i]
			labels := r.Experiment.Labels()
			for _, key := range keys {
				values := make([]float64, len(labels))
				for _, run := range r.Runs {
					values[run.Scheduler] = measured(run, key)
				}
				name := strings.ReplaceAll(key, "-", " ")
				for s, label := range labels {
					rows = append(rows, Row{Label: r.Label, Column: name + " of " + label, Ours: values[s], Unit: "s"})
				}
				for _, base := range []int{0, len(labels) - 1} {
					rows = append(rows, Row{Label: r.Label, Column: name + ": " + labels[1] + " against " + labels[base], Ours: change(values[1], values[base]), Unit: "%"})
				}
			}
		}
		return rows
	}
}

// legrandAny is the log that was given, or the stand-in.
func legrandAny(in Input, out *Output) (traced, error) {
	if len(in.Logs) == 0 {
		out.StandIn = true
		out.Notes = append(out.Notes, "no log was given: it ran on a generated one")
		return legrandStandIn(in.Quick)
	}
	l := in.Logs[0]
	return traced{findTrace(l.Ref.Name, l.Log), l.Ref, l.Log, nil}, nil
}

// legrandLog is the study's questions in small, over all whole weeks of a log: a
// coverage of 402 vectors, halves for training and testing.
func legrandLog(in Input) (*Output, error) {
	out := &Output{}
	t, err := legrandAny(in, out)
	if err != nil {
		return nil, err
	}
	var d digester
	r := &legrandRun{in: in, out: out, digest: &d, traced: t}
	if r.in.Points == 0 && !in.Quick {
		r.in.Points = 20
	}
	out.Log = t.ref.Name
	if err := r.open(workload.Week); err != nil {
		return nil, fmt.Errorf("%s: %w", t.ref.Name, err)
	}
	pure, err := r.pure()
	if err != nil {
		return nil, err
	}
	table, err := r.coverage()
	if err != nil {
		return nil, err
	}
	busy := r.busy() // a log may begin with thousands of weeks since 1970
	train, test := busy[:len(busy)/2], busy[len(busy)/2:]
	list, err := r.learn(table, span{weeks: train})
	if err != nil {
		return nil, err
	}
	add := func(label, column string, ours float64) {
		if !math.IsNaN(ours) && !math.IsInf(ours, 0) {
			out.Rows = append(out.Rows, Row{Label: label, Column: column, Ours: ours})
		}
	}
	better := 0
	safWeeks := r.weekly(pure, int(policy.SAF))
	for o, order := range policy.Pure() {
		sum := pure.Sum(o, r.busy())
		add(orderName(order), "sum over all weeks", sum)
		if order != policy.SAF {
			r.change(orderName(order), "all weeks, against SAF", r.weekly(pure, o), safWeeks)
		}
		better += btoi(sum < pure.Sum(int(policy.SAF), r.busy()))
	}
	add("pure orders", "better than SAF over all weeks", float64(better))
	for _, l := range list {
		sum := 0.0
		var x, y []float64
		for _, w := range test {
			if c := l.choices[w]; c.Candidate >= 0 {
				sum += c.Value
				x, y = append(x, c.Value), append(y, pure.At(w, int(policy.SAF)))
			}
		}
		add(l.name, "sum over the second half", sum)
		r.change(l.name, "second half, against SAF", x, y)
	}
	r.flat(pure, table)
	out.Digest = experiment.Digest(d.blocks...)
	return out, nil
}
