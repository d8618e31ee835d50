package paper

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/model"
)

// kurowski2011 are the study's tables and figures. Figure 1 and figure 6 are
// drawings of the system.
var kurowski2011 = []Preset{
	{Key: gridStudy + "-figure2", Study: gridStudy, Cite: gridCite, Log: gridLog, Shows: "figure 2: how long jobs waited in the real schedule", Compute: gridFigure2, Example: gridExample},
	gridPreset("figure3", "figure 3 and proposition 1: a reservation that only dynamic binding can accept", gridBinding, func(r []Result) []Row {
		return gridRows(r, "", -1, gridMeasure{"rejected-reservations", "rejected reservations", "%"})
	}),
	gridPreset("figure4", "figure 4: utilization over time with fixed slots and with slots of different lengths", gridSlots, gridOverTime),
	gridPreset("figure5", "figure 5: fixed slots against slots of different lengths", gridSlots, func(r []Result) []Row {
		return gridRows(r, "", 0, gridU, gridSpan, gridF)
	}),
	gridPreset("table2", "table 2: FCFS and LSF with invocation periods at one provider, jobs 1–1000", gridTable2, func(r []Result) []Row {
		return gridRows(r, "table2", -1, gridU, gridF, gridWait)
	}),
	gridPreset("table3", "table 3: random allocation to 2, 4 and 8 providers, jobs 1–1000", gridTable3, func(r []Result) []Row {
		return gridRows(r, "table3", -1, gridU, gridF, gridWait)
	}),
	{Key: gridStudy + "-table4", Study: gridStudy, Cite: gridCite, Log: gridLog, Shows: "table 4: the two sets of jobs", Compute: gridTable4, Example: gridExample},
	gridPreset("figure7", "figure 7: a schedule with 50 % reservations on two providers, to look at on the Gantt chart", gridGantt, func(r []Result) []Row {
		return append(gridRows(r, "", -1, gridU, gridF, gridD, gridIdle), gridProviders(r)...)
	}),
	gridPreset("table5", "table 5: both sets of jobs over the share of reservations, load balance", gridTable5, func(r []Result) []Row {
		return gridRows(r, "table5", -1, gridU, gridF, gridTurn, gridD, gridDelay, gridBatch)
	}),
	gridPreset("figure8", "figure 8: flow time over the share of reservations, off-line periods of 0, 3600 and 86400 s", gridDeltas(gridRandom), gridOf(gridF)),
	gridPreset("figure9", "figure 9: utilization over the share of reservations, off-line periods of 0, 3600 and 86400 s", gridDeltas(gridRandom), gridOf(gridU)),
	gridPreset("figure10", "figure 10: tardiness over the share of reservations, off-line periods of 0, 3600 and 86400 s", gridDeltas(gridRandom), gridOf(gridD)),
	gridPreset("table6", "table 6: static partition, MCT and AR resource priority with 30 % reservations", gridTable6, func(r []Result) []Row {
		return slices.Concat(gridRows(r, "table6", 1, gridU, gridF, gridTurn, gridD, gridDelay, gridIdle, gridBatch), gridProviders(r), gridOver(r))
	}),
	gridPreset("figure11", "figure 11: flow time of AR resource priority and MCT over the share of reservations", gridPair(1, 1), gridOf(gridF)),
	gridPreset("figure12", "figure 12: utilization of AR resource priority and MCT over the share of reservations", gridPair(1, 1), gridOf(gridU)),
	gridPreset("figure13", "figure 13: tardiness of AR resource priority and MCT over the share of reservations", gridPair(1, 1), gridOf(gridD)),
	gridPreset("figure14", "figure 14: flow time of AR resource priority and MCT over the length of the requests' intervals, 30 % reservations", gridIntervals, func(r []Result) []Row {
		return append(gridRows(r, "", 0, gridF, gridU, gridD), gridOver(r)...)
	}),
	gridPreset("figure15", "figure 15: flow time of AR resource priority and MCT over the share of reservations, intervals [1, 4]", gridPair(1, 4), gridOf(gridF)),
	gridPreset("figure16", "figure 16: utilization of AR resource priority and MCT over the share of reservations, intervals [2, 8]", gridPair(2, 8), gridOf(gridU)),
	gridPreset("figure17", "figure 17: the three criteria over the share of reservations, random allocation", gridThree(gridRandom), gridOf(gridU, gridF, gridTurn, gridD)),
	gridPreset("figure18", "figure 18: the three criteria over the share of reservations, MCT", gridThree(gridMCT), gridOf(gridU, gridF, gridTurn, gridD)),
	gridPreset("figure19", "figure 19: the three criteria over the share of reservations, AR resource priority", gridThree(gridPriority), gridOf(gridU, gridF, gridTurn, gridD)),
	gridPreset("partition", "section 5.3: the static partition over the share of reservations, off-line periods of 0, 3600 and 86400 s", gridDeltas(gridPartition), gridOf(gridU, gridF, gridD)),
	gridPreset("tradeoff", "section 5.5: the three criteria against each other over the share of reservations, all strategies", gridTradeOff, gridTradeOffRows),
}

// gridOf lists measures, with differences to the first scheduler.
func gridOf(measures ...gridMeasure) func([]Result) []Row {
	return func(results []Result) []Row { return gridRows(results, "", 0, measures...) }
}

// gridTable2: one provider of 128 processors. The paper's "FCFS" is near FCFS-BF and
// far from strict FCFS, and stands beside both.
func gridTable2(log *experiment.Log, quick bool) ([]Point, error) {
	lines := []gridLine{{"FCFS", map[string]any{"local": "fcfs"}}, {"FCFS-BF", map[string]any{"local": "fcfs-bf"}}, {"EASY", map[string]any{"local": "easy"}}}
	for _, period := range []int{10, 60, 600, 3600} {
		lines = append(lines, gridLine{fmt.Sprintf("LSF-%d", period), map[string]any{"local": "lsf", "period": period}})
	}
	e, err := gridBase(log, gridEarly, 1, 128, 0)
	p, err := gridPoint("1 × 128", quick, e, err, lines...)
	return []Point{p}, err
}

// gridTable3: more providers of 64 processors.
func gridTable3(log *experiment.Log, quick bool) ([]Point, error) {
	lines := []gridLine{
		gridRandom.with("Random, FCFS", map[string]any{"local": "fcfs"}), gridRandom.with("Random, FCFS-BF", nil),
		gridRandom.with("Random, LSF-600", map[string]any{"local": "lsf", "period": 600}),
	}
	return gridOfSixtyFour(log, quick, lines)
}

// gridOfSixtyFour are 2, 4 and 8 providers of 64 processors each.
func gridOfSixtyFour(log *experiment.Log, quick bool, lines []gridLine) ([]Point, error) {
	return over([]int{2, 4, 8}, func(n int) (Point, error) {
		e, err := gridBase(log, gridEarly, n, 64, 0)
		return gridPoint(fmt.Sprintf("%d × 64", n), quick, e, err, lines...)
	})
}

// gridTable5: both parts, load balance; the study names FCFS in local queues,
// its numbers are nearer to FCFS-BF.
func gridTable5(log *experiment.Log, quick bool) ([]Point, error) {
	var points []Point
	for _, part := range []gridPart{gridEarly, gridLate} {
		list, err := gridBoth(log, quick, part, 20, nil, gridLB.with("LB, FCFS-BF", nil), gridLB.with("LB, FCFS", map[string]any{"local": "fcfs"}),
			gridLB.with("LB, FCFS-BF, batch jobs counted", map[string]any{"load": "batch"}), gridLB.with("LB, FCFS-BF, running jobs counted, too", map[string]any{"load": "all"}))
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			p.Label = part.name + ", " + p.Label
			points = append(points, p)
		}
	}
	return points, nil
}

// gridForRun says that a point's reservations are made for the run time.
const gridForRun = ", for the run time"

// gridBoth are points over shares with reservations for the requested time, as
// section 5.2 says, and then for the run time, as section 5.5 has it
// ("processing times for them are given").
func gridBoth(log *experiment.Log, quick bool, part gridPart, step int, change func(*experiment.Experiment), lines ...gridLine) ([]Point, error) {
	points, err := gridShares(log, quick, part, step, change, lines...)
	if err != nil {
		return nil, err
	}
	known, err := gridShares(log, quick, part, step, func(e *experiment.Experiment) {
		if change != nil {
			change(e)
		}
		e.Workload.Annotate.Reservations.Length = "run"
	}, lines...)
	if err != nil {
		return nil, err
	}
	for _, p := range known[1:] { // without reservations both are the same
		p.Label += gridForRun
		p.Experiment.Title += gridForRun
		points = append(points, p)
	}
	return points, nil
}

// gridTable6: 30 % reservations, as drawn and in the variants that the text
// leaves open. The paper's F stands beside the flow time from submission, which its
// own numbers fit (docs/papers.md).
func gridTable6(log *experiment.Log, quick bool) ([]Point, error) {
	run := func(e *experiment.Experiment) { e.Workload.Annotate.Reservations.Length = "run" }
	type variant struct {
		label  string
		change func(*experiment.Experiment)
		params map[string]any
	}
	return over([]variant{
		{"fixed", nil, nil},
		{"fixed, for the run time", run, nil},
		{"fixed, rest held", nil, map[string]any{"unused": "hold"}},
		{"fixed, for the run time, local EASY", run, map[string]any{"local": "easy"}},
		{"fixed, for the run time, local FCFS", run, map[string]any{"local": "fcfs"}},
		{"fixed, for the run time, ties of MCT at random", run, map[string]any{"tie": "random"}},
		{"fixed, for the run time, batch jobs counted", run, map[string]any{"load": "batch"}},
		{"fixed, for the run time, running jobs counted, too", run, map[string]any{"load": "all"}},
		{"fixed, for the run time, reservations in their turn", run, map[string]any{"turn": "fcfs"}},
		{"fixed, for the run time, batch jobs suspended", run, map[string]any{"running": "suspend"}},
	}, func(v variant) (Point, error) {
		e, err := gridBase(log, gridLate, 2, 64, 0.3)
		if err == nil && v.change != nil {
			v.change(e)
		}
		return gridPoint(v.label, quick, e, err, gridPartition.with("Static", v.params), gridMCT.with("MCT", v.params), gridPriority.with("AR resource priority", v.params))
	})
}

// gridDeltas: one strategy, off-line periods.
func gridDeltas(line gridLine) func(*experiment.Log, bool) ([]Point, error) {
	return func(log *experiment.Log, quick bool) ([]Point, error) {
		var lines []gridLine
		for _, delta := range []int{0, 3600, 86400} {
			lines = append(lines, line.with(fmt.Sprintf("%s, δ = %d s", line.label, delta), map[string]any{"delta": delta}))
		}
		return gridBoth(log, quick, gridLate, 10, nil, lines...)
	}
}

// gridPair: AR resource priority and MCT.
func gridPair(least, most float64) func(*experiment.Log, bool) ([]Point, error) {
	return func(log *experiment.Log, quick bool) ([]Point, error) {
		return gridBoth(log, quick, gridLate, 10, gridFlexible(least, most), gridMCT, gridPriority)
	}
}

// gridFlexible lets intervals be a factor from a range times the length, and
// enlarges the time that is booked ahead by the same factor: "the book ahead time
// is enlarged by the given parameter, as well as the search limit time" (section
// 5.2).
func gridFlexible(least, most float64) func(*experiment.Experiment) {
	return func(e *experiment.Experiment) {
		r := &e.Workload.Annotate.Reservations
		if r.FactorMin, r.FactorMax = least, most; most > 1 {
			r.Enlarge = "both"
		}
	}
}

// gridThree: one strategy.
func gridThree(line gridLine) func(*experiment.Log, bool) ([]Point, error) {
	return func(log *experiment.Log, quick bool) ([]Point, error) {
		return gridBoth(log, quick, gridLate, 10, nil, line)
	}
}

// gridIntervals: longer and longer intervals.
func gridIntervals(log *experiment.Log, quick bool) ([]Point, error) {
	var points []Point
	for _, kind := range []string{"", gridForRun, gridForRun + ", the interval alone enlarged"} {
		for _, r := range [][2]float64{{1, 1}, {1, 2}, {1, 4}, {2, 4}, {2, 8}, {4, 16}} {
			e, err := gridBase(log, gridLate, 2, 64, 0.3)
			if err == nil {
				gridFlexible(r[0], r[1])(e)
			}
			if kind != "" {
				e.Workload.Annotate.Reservations.Length = "run"
			}
			if strings.HasSuffix(kind, "alone enlarged") {
				if r[1] == 1 {
					continue // fixed: the same
				}
				e.Workload.Annotate.Reservations.Enlarge = "interval"
			}
			p, err := gridPoint(fmt.Sprintf("interval [%g, %g]%s", r[0], r[1], kind), quick, e, err, gridMCT, gridPriority)
			if err != nil {
				return nil, err
			}
			points = append(points, p)
		}
	}
	return points, nil
}

// gridSlots: reservations alone, in slots of different lengths (1 s) and in
// fixed ones, which keep what they round up.
func gridSlots(log *experiment.Log, quick bool) ([]Point, error) {
	var lines []gridLine
	for _, slot := range []struct {
		label string
		s     int
	}{{"slots of different lengths", 1}, {"slots of 1 min", 60}, {"slots of 10 min", 600}, {"slots of 1 h", 3600}, {"slots of 6 h", 21600}} {
		lines = append(lines, gridMCT.with(slot.label, map[string]any{"slot": slot.s, "unused": "hold"}))
	}
	e, err := gridBase(log, gridLate, 2, 64, 1)
	if err == nil {
		e.Workload.Annotate.Reservations.Length = "run" // nothing but the slots is unused
	}
	p, err := gridPoint("reservations alone", quick, e, err, lines...)
	return []Point{p}, err
}

// gridOverTime lists the utilization in tenths of the first run's span.
func gridOverTime(results []Result) []Row {
	var rows []Row
	for i := range results {
		labels := results[i].Experiment.Labels()
		for _, run := range results[i].Runs {
			if run.Repetition > 0 || len(run.Series.At) < 2 {
				continue
			}
			s := &run.Series
			first, last := s.At[0], s.At[len(s.At)-1]
			for tenth := range 10 {
				from, to := first+(last-first)*model.Time(tenth)/10, first+(last-first)*model.Time(tenth+1)/10
				busy := 0.0
				for k := range s.At {
					end := last
					if k+1 < len(s.At) {
						end = s.At[k+1]
					}
					if lo, hi := max(s.At[k], from), min(end, to); hi > lo {
						busy += float64(float64(s.Used[k]) * float64(hi-lo))
					}
				}
				rows = append(rows, Row{Label: labels[run.Scheduler], Column: fmt.Sprintf("tenth %d of %.0f days", tenth+1, float64(last-first)/86400),
					Ours: busy / (float64(run.Processors) * float64(to-from))})
			}
		}
	}
	return rows
}

// gridGantt: half reservations on two providers, one seed.
func gridGantt(log *experiment.Log, quick bool) ([]Point, error) {
	e, err := gridBase(log, gridLate, 2, 64, 0.5)
	p, err := gridPoint("50 % reservations", quick, e, err, gridMCT, gridPriority)
	if err == nil {
		for i := range p.Experiment.Schedulers {
			p.Experiment.Schedulers[i].Repeat = 1
		}
	}
	return []Point{p}, err
}

// gridBinding: on two processors, A holds the first until 10 s, B the second
// until 20 s and C, which comes next, the first again from 20 s on. D from 10 to
// 25 s always finds one processor free, but never the same.
func gridBinding(*experiment.Log, bool) ([]Point, error) {
	e := experiment.New()
	g, err := experiment.NewGenerator("two-level")
	if err != nil {
		return nil, err
	}
	// The workload must have a job: one of a second or so on one processor.
	for key, v := range map[string]any{"jobs": 1, "run": 1, "requested": 1, "procs-max": 1, "procs-mean": 1, "wide": 0} {
		if err := g.SetParam(key, v); err != nil {
			return nil, err
		}
	}
	e.Workload.Source.Generator = g
	e.Platform.Clusters = []experiment.Cluster{{Name: "Provider 1", Packing: "processors", Groups: []experiment.NodeGroup{{Count: 1, Processors: 2, Speed: 1}}}}
	for _, r := range []struct {
		name     string
		from, to int64
	}{{"A", 1000, 1010}, {"B", 1000, 1020}, {"C", 1020, 1030}, {"D", 1010, 1025}} {
		e.Platform.Reservations = append(e.Platform.Reservations, experiment.ReservationRequest{Name: r.name, Processors: 1, From: r.from, To: r.to, Effort: "exact"})
	}
	for _, binding := range []string{"dynamic", "static"} {
		s, err := e.Add("grid")
		if err != nil {
			return nil, err
		}
		if err := s.SetParam("mode", "reject"); err != nil {
			return nil, err
		}
		if err := s.SetParam("binding", binding); err != nil {
			return nil, err
		}
		s.Label = binding + " binding"
	}
	e.Title = "A reservation that only dynamic binding can accept"
	return []Point{{"reservations A to D", e}}, nil
}
