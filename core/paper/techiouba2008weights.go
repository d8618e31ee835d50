package paper

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/metric"
)

// farmMore ask what the study's figures leave open: which weights its findings
// need, what the licence term does by itself, and what room deadlines leave.
var farmMore = []Preset{
	{Key: farmStudy + "-region", Study: farmStudy, Cite: farmCite,
		Shows:   "the region of weights in which the paper's findings hold: found on ten repetitions among 81 sets of weights, looked at again on ten others",
		LookFor: "Which value of each weight the sets have in common under which both late jobs and system usage come out as in the paper, and whether they do so again on other jobs.",
		Sweep:   &Sweep{Points: farmRegionPoints, Rows: farmRegionRows}},
	{Key: farmStudy + "-licences", Study: farmStudy, Cite: farmCite,
		Shows:   "the licence term by itself: licences in use over the licence ratio, from scarce to plenty",
		LookFor: "Whether the term puts more licences to use where they are scarce.",
		Sweep:   &Sweep{Points: farmLicencePoints, Rows: farmWeightRows}},
	{Key: farmStudy + "-power", Study: farmStudy, Cite: farmCite,
		Shows:   "figures 1(a), 1(b) and 2(a) where powerful machines run jobs faster: the text gives machines a computational power, and does not say that it shortens run times",
		LookFor: "Whether the findings on deadlines, usage and slowdown stand where power counts.",
		Sweep:   &Sweep{Points: farmPowerPoints, Rows: farmPowerRows}},
	{Key: farmStudy + "-regime", Study: farmStudy, Cite: farmCite,
		Shows:   "the regime of the deadlines: late jobs with margins of up to 250 s, as printed, and with more room",
		LookFor: "With 250 s every job stands near its deadline from its submission on. Does the deadline term help where some jobs can wait?",
		Sweep:   &Sweep{Points: farmRegimePoints, Rows: farmWeightRows}},
}

// farmRegion are the values of each weight that are tried, all with all.
var farmRegion = []struct {
	key    string
	values [3]float64
}{{"aging", [3]float64{0, 0.01, 0.1}}, {"deadline", [3]float64{0, 1, 5}}, {"licences", [3]float64{0, 1, 5}}, {"wait", [3]float64{0, 2, 20}}}

// farmSet are the weights of set i, by place in farmRegion, and its name.
func farmSet(i int) (values [4]float64, name string) {
	for k := range farmRegion {
		values[k] = farmRegion[k].values[i%3]
		i /= 3
		if name != "" {
			name += ", "
		}
		name += fmt.Sprintf("%s %g", farmRegion[k].key, values[k])
	}
	return values, name
}

const farmSets = 81

// farmRegionPoints are BF_FCFS and BF_UNMOD under every set of weights, 20
// repetitions at three times between arrivals.
func farmRegionPoints(_ *experiment.Log, quick bool) ([]Point, error) {
	var sets []int
	for i := 0; i < farmSets; i++ {
		if !quick || i%16 == 0 {
			sets = append(sets, i)
		}
	}
	return across(farmWeightArrivals, sets, func(at float64, i int) (Point, error) {
		values, name := farmSet(i)
		p, err := farmBackfilled(fmt.Sprintf("inter-arrival %g, %s", at, name), at, nil, quick)
		if err != nil {
			return p, err
		}
		p.Experiment.Schedulers = p.Experiment.Schedulers[:2]
		for k := range farmRegion {
			err = errors.Join(err, p.Experiment.Schedulers[1].SetParam(farmRegion[k].key, values[k]))
		}
		return p, err
	})
}

// farmGain is a mean difference BF_UNMOD − BF_FCFS with its 95 % interval.
type farmGain struct{ mean, half float64 }

// below and above say that the interval excludes 0.
func (g farmGain) below() bool { return g.mean+g.half < 0 }
func (g farmGain) above() bool { return g.mean-g.half > 0 }

// farmHalves are the paired differences of a measure over the first half of the
// repetitions, on which sets are chosen, and over the other, on which what was
// chosen is looked at again.
func farmHalves(r *Result, key string) (chosen, again farmGain) {
	var values [2][]float64
	for _, run := range r.Runs {
		for len(values[run.Scheduler]) <= run.Repetition {
			values[run.Scheduler] = append(values[run.Scheduler], 0)
		}
		values[run.Scheduler][run.Repetition] = measured(run, key)
	}
	var differences []float64
	for i := range values[1] {
		differences = append(differences, values[1][i]-values[0][i])
	}
	half := len(differences) / 2
	of := func(list []float64) farmGain {
		mean, half, n := metric.MeanCI(list)
		if n < 2 {
			half = math.Inf(1)
		}
		return farmGain{mean, half}
	}
	return of(differences[:half]), of(differences[half:])
}

// farmRegionRows count the sets of weights under which the paper's findings come
// out beyond the interval on the first ten repetitions, and of these those that
// do so on the other ten as well; by value of each weight; and the best set of
// the first ten with what it gives on the others.
func farmRegionRows(results []Result) []Row {
	var rows []Row
	type set struct {
		values      [4]float64
		name        string
		late, usage [2]farmGain
		real        [2]farmGain
	}
	for from := 0; from < len(results); {
		to := from
		for to < len(results) && arrival(&results[to]) == arrival(&results[from]) {
			to++
		}
		label := fmt.Sprintf("inter-arrival %g", arrival(&results[from]))
		var sets []set
		for k := from; k < to; k++ {
			s := set{}
			place := k - from
			if to-from < farmSets {
				place *= 16
			}
			s.values, s.name = farmSet(place)
			s.late[0], s.late[1] = farmHalves(&results[k], "out-of-deadline")
			s.usage[0], s.usage[1] = farmHalves(&results[k], "system-usage")
			s.real[0], s.real[1] = farmHalves(&results[k], "utilization")
			sets = append(sets, s)
		}
		count := func(label, column string, sets []set, is func(s *set, half int) bool) {
			n, again := 0, 0
			for i := range sets {
				if is(&sets[i], 0) {
					n++
					again += btoi(is(&sets[i], 1))
				}
			}
			rows = append(rows, Row{Label: label, Column: column, Ours: float64(n), Unit: "sets"}, Row{Label: label, Column: column + ", again on other jobs", Ours: float64(again), Unit: "sets"})
		}
		late := func(s *set, half int) bool { return s.late[half].below() }
		usage := func(s *set, half int) bool { return s.usage[half].above() }
		both := func(s *set, half int) bool { return late(s, half) && usage(s, half) }
		rows = append(rows, Row{Label: label, Column: "sets of weights", Ours: float64(len(sets)), Unit: "sets"})
		count(label, "fewer late jobs", sets, late)
		count(label, "higher system usage", sets, usage)
		count(label, "both", sets, both)
		count(label, "higher true utilization", sets, func(s *set, half int) bool { return s.real[half].above() })
		count(label, "lower true utilization", sets, func(s *set, half int) bool { return s.real[half].below() })
		for k := range farmRegion {
			for _, v := range farmRegion[k].values {
				some := slices.DeleteFunc(slices.Clone(sets), func(s set) bool { return s.values[k] != v })
				if len(some) > 0 {
					count(fmt.Sprintf("%s, %s %g", label, farmRegion[k].key, v), "both", some, both)
				}
			}
		}
		for _, best := range []struct {
			name string
			of   func(s *set) float64
		}{{"highest system usage", func(s *set) float64 { return s.usage[0].mean }}, {"fewest late jobs", func(s *set) float64 { return -s.late[0].mean }}} {
			top := &sets[0]
			for i := range sets {
				if best.of(&sets[i]) > best.of(top) {
					top = &sets[i]
				}
			}
			for half, when := range []string{"where it was found", "on other jobs"} {
				for _, m := range []struct {
					name, unit string
					gain       farmGain
				}{{"jobs out of their deadline", "%", top.late[half]}, {"system usage", "", top.usage[half]}, {"true utilization", "", top.real[half]}} {
					row := Row{Label: label + ", " + best.name, Column: m.name + ", " + when, Ours: m.gain.mean, Unit: m.unit}
					if !math.IsInf(m.gain.half, 0) {
						row.Half = &m.gain.half
					}
					rows = append(rows, row)
				}
			}
			for k := range farmRegion {
				rows = append(rows, Row{Label: label + ", " + best.name, Column: "weight of " + farmRegion[k].key, Ours: top.values[k]})
			}
		}
		from = to
	}
	return rows
}

// arrival is the mean time between arrivals of a point.
func arrival(r *Result) float64 {
	for _, p := range r.Experiment.Workload.Source.Generator.Params {
		if v, ok := p.Value.(float64); ok && p.Key == "interarrival" {
			return v
		}
	}
	return 0
}

// farmScarce are ranges of the licence ratio, from one copy for every tenth job
// that wants it to the study's own.
var farmScarce = [][2]float64{{0.02, 0.1}, {0.1, 0.3}, {0.3, 0.5}, {0.5, 0.7}, {0.7, 0.9}}

// farmLicencePoints are BF_FCFS and both schedulers with the licence term alone.
func farmLicencePoints(_ *experiment.Log, quick bool) ([]Point, error) {
	return over(farmScarce, func(ratio [2]float64) (Point, error) {
		p, err := farmBackfilled(farmRatio(ratio), farmTableArrival, &ratio, quick)
		if err != nil {
			return p, err
		}
		for _, s := range []int{1, 2} {
			for _, key := range []string{"aging", "deadline", "wait"} {
				err = errors.Join(err, p.Experiment.Schedulers[s].SetParam(key, 0.0))
			}
		}
		return p, err
	})
}

// farmMargins are the greatest deadline margins in seconds: the study's, and some
// that leave room beside execution times of 500 to 3,000 s.
var farmMargins = []int64{250, 3000, 12000, 48000}

// farmRegimePoints are the margins at four times between arrivals.
func farmRegimePoints(_ *experiment.Log, quick bool) ([]Point, error) {
	return across([]float64{4, 12, 24, 48}, farmMargins, func(at float64, margin int64) (Point, error) {
		p, err := farmBackfilled(fmt.Sprintf("inter-arrival %g, margins up to %d s", at, margin), at, nil, quick)
		if err == nil {
			p.Experiment.Workload.Annotate.Deadlines.MarginMax = margin
		}
		return p, err
	})
}

// farmPowerPoints are the study's times between arrivals on machines whose power divides
// run times and requests.
func farmPowerPoints(_ *experiment.Log, quick bool) ([]Point, error) {
	return over(farmArrivals, func(at float64) (Point, error) {
		p, err := farmPoint(fmt.Sprintf("inter-arrival %g", at), at, nil, quick)
		if err == nil {
			p.Experiment.Title += ", power scales run times"
			p.Experiment.Platform.PowerScales = true
		}
		return p, err
	})
}

// farmPowerRows lists the measures of the three figures.
var farmPowerRows = farmNamed([]farmMeasure{{"out-of-deadline", "jobs out of their deadline, ", "%"}, {"system-usage", "system usage, ", ""}, {"mean-slowdown", "slowdown, ", ""}})
