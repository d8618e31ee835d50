package result

import (
	"math"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// What a sentence about a class of jobs asks for.
const (
	classJobs  = 30   // fewest jobs in a run: below that a mean says little
	classPart  = .05  // least difference, as a part of the mean wait of all jobs
	classPairs = 5    // fewest pairs, where there is more than one
	classWider = 2    // a class is told apart by twice the interval, since many are looked at
	classLeast = 0.01 // least difference relative to the other scheduler
)

// classGain is how jobs of some processors fare under one scheduler against
// another.
type classGain struct {
	from, to int32
	Diff
}

// told reports whether the class gains or pays beyond doubt. Of one workload it
// is a matter of fact.
func (c *classGain) told() bool {
	return math.Abs(c.Relative) >= classLeast && (c.N == 1 || c.N >= classPairs && math.Abs(c.Relative) > classWider*c.RelativeHalf)
}

// beyond reports whether a class gains more than another one, or pays more, so
// that their intervals leave no doubt.
func (c *classGain) beyond(o *classGain) bool {
	gap := math.Abs(c.Relative) - math.Abs(o.Relative)
	return gap > 0 && (c.N == 1 || gap > c.RelativeHalf+o.RelativeHalf)
}

// jobs names the class: "jobs of 33 to 64 processors".
func (c *classGain) jobs() string {
	if c.to == c.from {
		return "jobs of " + words.Count(c.from, "processor", "processors")
	}
	return "jobs of " + words.Int(c.from) + " to " + words.Int(c.to) + words.NB + "processors"
}

// amount is by how much: "−32 % ± 4".
func (c *classGain) amount() string {
	row := catalog.FindMetric("mean-wait")
	return strings.TrimSpace(DiffText(row, c.Diff) + " " + HalfText(row, c.Diff))
}

// classGains compares the mean waits of each class of processors whose difference
// weighs something, from the one that gains most to the one that pays most.
func (s *Tray) classGains(a, b int) (list []classGain) {
	mine, base := s.finished(a), s.finished(b)
	if len(mine) == 0 || len(base) == 0 {
		return nil
	}
	all := s.Compare(a, b, "mean-wait")
	least := classPart * max(all.Base, all.Base+all.Mean)
	known := map[int32]bool{}
	for _, c := range mine[0].Classes {
		if known[c.ProcsFrom] {
			continue
		}
		known[c.ProcsFrom] = true
		x, y, sample := metric.PairsOf(mine, base, func(r *report.Run) (float64, bool) { return classWait(r, c.ProcsFrom) })
		g := classGain{from: c.ProcsFrom, to: c.ProcsTo, Diff: Diff{Difference: sample.Compare(x, y)}}
		if g.N > 0 && !math.IsNaN(g.Relative) && math.Abs(g.Mean) >= least {
			list = append(list, g)
		}
	}
	order.Stable(list, func(x, y classGain) int {
		if c := order.Floats(x.Relative, y.Relative); c != 0 {
			return c
		}
		return int(x.from - y.from)
	})
	return list
}

// classWait is the mean wait of the jobs of one class of processors in a run; false
// where there are too few of them.
func classWait(r *report.Run, from int32) (mean float64, ok bool) {
	jobs, sum := 0, 0.0
	for _, c := range r.Classes {
		if c.ProcsFrom == from {
			jobs += c.Jobs
			sum += c.MeanWait * float64(c.Jobs)
		}
	}
	return sum / float64(jobs), jobs >= classJobs
}

// ForWhom says which jobs gain and which pay under a instead of b, "" where
// nothing can be said for sure.
func (s *Tray) ForWhom(a, b int) string {
	if !s.paired(a, b) {
		return ""
	}
	list := s.classGains(a, b)
	var gain, pay []classGain // most first
	untold := 0
	for i := range list {
		switch {
		case !list[i].told():
			untold++
		case list[i].Relative < 0:
			gain = append(gain, list[i])
		default:
			pay = append([]classGain{list[i]}, pay...)
		}
	}
	part := func(of []classGain, verb string) string {
		if len(of) == 0 {
			return ""
		}
		most := ""
		if len(of) > 1 && of[0].beyond(&of[1]) {
			most = " most"
		}
		return of[0].jobs() + " " + verb + most + ", " + of[0].amount()
	}
	least := func(of []classGain) string { // only where all classes are told, and there is a last one
		if k := len(of) - 1; k > 0 && untold == 0 && of[k-1].beyond(&of[k]) {
			return "; " + of[k].jobs() + " least, " + of[k].amount()
		}
		return ""
	}
	switch g, p := part(gain, "gain"), part(pay, "pay"); {
	case g != "" && p != "":
		return sentence(g + "; " + p)
	case g != "":
		return sentence(g + least(gain))
	case p != "":
		return sentence(p + least(pay))
	}
	return ""
}
