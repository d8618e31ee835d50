package paper

import (
	"fmt"

	"batchlab/core/experiment"
)

// gridMore ask for causes that the study names: each is taken away, and what is left is
// looked at.
var gridMore = []Preset{
	gridPreset("table1", "table 1: reservations in four local systems, side by side", gridTable1, gridOf(gridU, gridF, gridD, gridBatch, gridIdle)),
	gridPreset("causes", "sections 1, 4.4.1 and 6: what unknown run times, static binding, two providers instead of one, large jobs and rejection change, for the run time", gridCauses, gridCauseRows),
	gridPreset("periods", "section 5.1: invocation periods of LSF at 2, 4 and 8 providers, jobs 1–1000", gridPeriods, gridOf(gridU, gridF, gridWait)),
}

// gridSystems are the local systems of table 1, as it describes them: the least slot, what
// becomes of a job at the end of its reservation, whether reservations look at running
// jobs, and whether they are bound to nodes. LSF binds, too; but of reservations that
// suspend others nobody knows here whose processors they will take.
var gridSystems = []gridLine{
	gridMCT.with("Platform LSF", map[string]any{"slot": 600, "end": "kill", "running": "suspend"}),
	gridMCT.with("PBS Pro", map[string]any{"end": "kill", "binding": "dynamic"}),
	gridMCT.with("Maui", map[string]any{"end": "kill", "binding": "static"}),
	gridMCT.with("SGE", map[string]any{"end": "early", "binding": "static", "no-limit": "never"}),
}

// gridTable1 are these systems with reservations of the time that jobs requested, and of
// nine tenths of the time that they run, so that each is still busy when its reservation
// ends.
func gridTable1(log *experiment.Log, quick bool) ([]Point, error) {
	return over([]float64{1, 0.9}, func(part float64) (Point, error) {
		length, label := "requested", "for the requested time"
		if part < 1 {
			length, label = "run", "for nine tenths of the run time"
		}
		e, err := gridBase(log, gridLate, 2, 64, 0.3)
		if err == nil {
			e.Workload.Annotate.Reservations.Length, e.Workload.Annotate.Reservations.Part = length, part
		}
		return gridPoint("30 % reservations "+label, quick, e, err, gridSystems...)
	})
}

// gridRejected is the share of reservations that no provider accepts.
var gridRejected = gridMeasure{"rejected-reservations", "rejected reservations", "%"}

// gridSmall is the most processors of a job where large ones are left out, and the load
// that then is as high as with them: the jobs of the second set that ask for at most 32
// processors hold 0.285 of its work.
const (
	gridSmall     = 32
	gridSmallLoad = 3.5
)

// gridCauses are MCT and AR resource priority at two shares of reservations, as they
// are and with one thing changed. Reservations are for the run time.
func gridCauses(log *experiment.Log, quick bool) ([]Point, error) {
	static := map[string]any{"binding": "static"}
	plain := []gridLine{gridMCT, gridPriority}
	refused := []gridLine{gridMCT.with(gridMCT.label, map[string]any{"mode": "reject"}), gridPriority.with(gridPriority.label, map[string]any{"mode": "reject"})}
	var points []Point
	for _, share := range []float64{0, 0.3, 0.6} {
		for _, c := range []struct {
			label     string
			providers int
			lines     []gridLine
			change    func(*experiment.Experiment)
		}{
			{"", 2, append(plain, gridMCT.with(gridMCT.label+", static binding", static), gridPriority.with(gridPriority.label+", static binding", static)), nil},
			{", run times known", 2, plain, func(e *experiment.Experiment) { e.Workload.Scale.Known = 1 }},
			{", one provider", 1, plain[:1], nil},
			{", jobs of at most 32 processors", 2, plain, func(e *experiment.Experiment) {
				e.Workload.Filter.MaxProcs, e.Workload.Scale.Load = gridSmall, gridSmallLoad
			}},
			{", rejected, interval [1, 1]", 2, refused, nil},
			{", rejected, interval [1, 4]", 2, refused, gridInterval(1, 4)},
			{", rejected, interval [4, 16]", 2, refused, gridInterval(4, 16)},
		} {
			if share == 0 && c.lines[0].params["mode"] == "reject" {
				continue
			}
			providers, processors := c.providers, 128/c.providers
			e, err := gridBase(log, gridLate, providers, processors, share)
			if err == nil && share > 0 {
				e.Workload.Annotate.Reservations.Length = "run"
			}
			if err == nil && c.change != nil {
				c.change(e)
			}
			lines := c.lines
			if share == 0 {
				lines = lines[:1] // nothing is reserved: all are one
			}
			p, err := gridPoint(fmt.Sprintf("%.0f %% reservations%s", 100*share, c.label), quick, e, err, lines...)
			if err != nil {
				return nil, err
			}
			points = append(points, p)
		}
	}
	return points, nil
}

// gridInterval makes intervals longer and leaves the time that is booked ahead.
func gridInterval(least, most float64) func(*experiment.Experiment) {
	return func(e *experiment.Experiment) {
		r := &e.Workload.Annotate.Reservations
		r.FactorMin, r.FactorMax = least, most
	}
}

// gridCauseRows lists the criteria, and beside each strategy with static binding what it
// adds to that with dynamic binding.
func gridCauseRows(results []Result) []Row {
	rows := gridRows(results, "", 0, gridU, gridF, gridD, gridBatch, gridRejected)
	for i := range results {
		r := &results[i]
		labels := r.Experiment.Labels()
		for s := 3; s < len(labels); s++ { // AR resource priority, static binding; MCT's stands beside its own already
			compared := r.Compare(s - 2)
			for _, m := range []gridMeasure{gridU, gridF, gridD, gridBatch} {
				rows = append(rows, r.difference(compared, m.key, s, labels[s]+" − "+labels[s-2]+", "+m.name, m.unit)...)
			}
		}
	}
	return rows
}

// gridPeriods are LSF's invocation periods at several providers of 64 processors.
func gridPeriods(log *experiment.Log, quick bool) ([]Point, error) {
	lines := []gridLine{gridRandom.with("FCFS-BF", nil)}
	for _, period := range []int{10, 60, 600, 3600} {
		lines = append(lines, gridRandom.with(fmt.Sprintf("LSF-%d", period), map[string]any{"local": "lsf", "period": period}))
	}
	return gridOfSixtyFour(log, quick, lines)
}
