package result

import (
	"math"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// classPart is the least difference that a sentence about a class of jobs asks for, as
// a part of the mean wait of all jobs.
const classPart = .05

// classGain is how jobs of some processors fare under one scheduler against
// another.
type classGain struct {
	from, to int32
	few      bool // too few jobs to tell
	Diff
}

// beyond reports whether a class gains more than another one, or pays more, so
// that their intervals leave no doubt.
func (c *classGain) beyond(o *classGain) bool {
	switch {
	case !c.Has() || !o.Has() || !c.Quotient || !o.Quotient:
		return c.N == 1 && o.N == 1 && !c.Has() && !o.Has() && math.Abs(c.Relative) > math.Abs(o.Relative)
	case c.Relative < 0:
		return c.High < o.Low
	}
	return c.Low > o.High
}

// jobs names the class: "jobs of 33 to 64 processors".
func (c *classGain) jobs() string {
	if c.to == c.from && c.to == 1 {
		return "one-processor jobs"
	}
	if c.to == c.from {
		return "jobs of " + words.Count(c.from, "processor", "processors")
	}
	return "jobs of " + words.Int(c.from) + " to " + words.Int(c.to) + words.NB + "processors"
}

// amount is how they fare: "wait 32 % less (28 to 36 %)".
func (c *classGain) amount() string {
	row := catalog.FindMetric("mean-wait")
	text := c.Probably() + "wait " + lessBy(row, c.Diff)
	if of := rangeOf(row, c.Diff); of != "" {
		text += " (" + of + ")"
	}
	return text
}

// classGains compares the mean waits of each class of processors whose difference
// weighs something, from the one that gains most to the one that pays most.
func (s *Tray) classGains(a, b int) (list []classGain) {
	mine, base := s.finished(a), s.finished(b)
	if len(mine) == 0 || len(base) == 0 {
		return nil
	}
	row := catalog.FindMetric("mean-wait")
	all := s.Compare(a, b, row.Key)
	least := classPart * max(all.Base, all.Base+all.Mean)
	for _, c := range sizes(mine) {
		of := func(r *report.Run) (float64, bool) { return classWait(r, c.ProcsFrom) }
		x, y, sample := metric.Pairs(metric.OfRuns(mine, of), metric.OfRuns(base, of))
		if len(x) < all.N { // in some repeat there are too few
			if c.Jobs > 0 {
				list = append(list, classGain{from: c.ProcsFrom, to: c.ProcsTo, few: true})
			}
			continue
		}
		sample.Own = s.classOwn(mine[0], base[0], c.ProcsFrom, c.ProcsTo)
		g := classGain{from: c.ProcsFrom, to: c.ProcsTo, Diff: judged(row, sample.Compare(x, y, row))}
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

// sizes are the classes of processors of which some run has jobs, the narrowest first.
func sizes(runs []*report.Run) (list []report.Class) {
	known := map[int32]int{}
	for _, r := range runs {
		for _, c := range r.Classes {
			at, ok := known[c.ProcsFrom]
			if !ok {
				at = len(list)
				known[c.ProcsFrom] = at
				list = append(list, report.Class{ProcsFrom: c.ProcsFrom, ProcsTo: c.ProcsTo})
			}
			list[at].Jobs += c.Jobs
		}
	}
	order.Stable(list, func(a, b report.Class) int { return int(a.ProcsFrom - b.ProcsFrom) })
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
	return sum / float64(jobs), jobs >= metric.ClassJobs
}

// classOwn is what one log says of the sway of a class's quotient (metric.OneLog).
func (s *Tray) classOwn(mine, base *report.Run, from, to int32) metric.Own {
	jobs := s.Jobs[0]
	x, y := &mine.Columns, &base.Columns
	if mine.Repetition != 0 || base.Repetition != 0 || jobs == nil || mine.Waves == nil || len(jobs.Reserved) > 0 || len(x.Before)+len(y.Before) > 0 ||
		len(x.Start) != len(jobs.Number) || len(y.Start) != len(jobs.Number) {
		return metric.Own{}
	}
	s.forget()
	key := ownKey{mine, base, from}
	if own, known := s.owns[key]; known {
		return own
	}
	if len(s.owns) >= mostOwns || s.owns == nil {
		s.owns = map[ownKey]metric.Own{}
	}
	find := func() { s.owns[key] = ownOf(&s.Ran.Measures, jobs, mine, x, y, from, to) }
	if s.Later == nil || len(jobs.Number) < manyJobs {
		find()
		return s.owns[key]
	}
	s.owns[key] = metric.Own{}
	s.owing++
	ran := s.Ran
	s.Later(func() {
		if s.owing--; s.Ran == ran && s.owns != nil {
			find()
		}
		if s.owing == 0 {
			s.board.Touch()
		}
	})
	return metric.Own{}
}

// manyJobs is from how many jobs on what is said of classes comes a little later, class by
// class: in a browser a million jobs of one class take some 40 ms.
const manyJobs = 100_000

// ownOf is what the jobs of a class say.
func ownOf(window *experiment.Measures, jobs *report.Jobs, mine *report.Run, x, y *report.Columns, from, to int32) metric.Own {
	n := 0 // a million jobs take twice as long where lists grow
	for _, c := range mine.Classes {
		if c.ProcsFrom == from {
			n += c.Jobs
		}
	}
	submit, user := make([]model.Time, 0, n), make([]int32, 0, n)
	work, a, b := make([]float64, 0, n), make([]float64, 0, n), make([]float64, 0, n)
	for i, at := range jobs.Submit {
		if p := jobs.Procs[i]; p < from || p > to || x.Start[i] < 0 || y.Start[i] < 0 || window.From != nil && int64(at) < *window.From || window.To != nil && int64(at) >= *window.To {
			continue
		}
		submit, user = append(submit, at), append(user, jobs.User[i])
		work = append(work, float64(jobs.Procs[i])*float64(x.End[i]-x.Start[i]))
		a, b = append(a, float64(x.Start[i]-at)), append(b, float64(y.Start[i]-at))
	}
	return metric.OneLogOfJobs(submit, user, work, a, b)
}

// ownKey is a class of processors in a pair of runs: what one log says of it is kept,
// since the page asks at each look and many jobs take long.
type ownKey struct {
	mine, base *report.Run
	from       int32
}

const mostOwns = 256

// ForWhom says which jobs gain and which pay under a instead of b, "" where
// nothing can be said for sure.
func (s *Tray) ForWhom(a, b int) string {
	if !s.paired(a, b) {
		return ""
	}
	var gain, pay []classGain // most first
	few, untold := 0, 0
	gains := s.classGains(a, b)
	if s.owing > 0 { // it is said when all is known
		return ""
	}
	for _, c := range gains {
		switch {
		case c.few:
			few++
		case !c.Told():
			untold++
		case c.Less():
			gain = append(gain, c)
		default:
			pay = append([]classGain{c}, pay...)
		}
	}
	part := func(of []classGain) string {
		if len(of) == 0 {
			return ""
		}
		most := ""
		if len(of) > 1 && of[0].beyond(&of[1]) {
			most = ", the most"
		}
		return of[0].jobs() + " " + of[0].amount() + most
	}
	least := func(of []classGain) string { // only where all classes are told, and there is a last one
		if k := len(of) - 1; k > 0 && untold+few == 0 && of[k-1].beyond(&of[k]) {
			return "; " + of[k].jobs() + " " + of[k].amount() + ", the least"
		}
		return ""
	}
	switch g, p := part(gain), part(pay); {
	case g != "" && p != "":
		return sentence(g + "; " + p)
	case g != "":
		return sentence(g + least(gain))
	case p != "":
		return sentence(p + least(pay))
	}
	return ""
}
