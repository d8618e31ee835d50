package draw

import (
	"batchlab/core/model"
	"batchlab/core/report"
)

type ClassKey struct {
	Procs int32
	Limit model.Time
}

type ClassSum struct {
	report.Class
	Wait, Slowdown float64 // sums over jobs
	Jobs           int
}

// ClassSums adds the classes of all repetitions.
func ClassSums(runs []*report.Run) map[ClassKey]*ClassSum {
	out := map[ClassKey]*ClassSum{}
	for _, r := range runs {
		for _, c := range r.Classes {
			k := ClassKey{c.ProcsFrom, c.LimitFrom}
			s := out[k]
			if s == nil {
				s = &ClassSum{Class: c}
				out[k] = s
			}
			s.Jobs += c.Jobs
			s.Wait += c.MeanWait * float64(c.Jobs)
			s.Slowdown += c.MeanSlowdown * float64(c.Jobs)
		}
	}
	return out
}
