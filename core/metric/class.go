package metric

import (
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/report"
)

// limitEdges are the upper edges of the classes of requested time: 10 minutes,
// 1 hour, 6 hours, a day, and what is longer.
var limitEdges = [...]model.Time{600, 3600, 6 * 3600, 24 * 3600, model.Never}

// procsClass returns the class of a number of processors: 0 for one, then each
// class is four times as wide as the one before: 2–4, 5–16, 17–64, …
func procsClass(procs int64) int {
	return (bits.Len64(uint64(max(procs, 1)-1)) + 1) / 2
}

// limitClass returns the class of a requested time.
func limitClass(limit model.Time) int {
	c := 0
	for limit > limitEdges[c] {
		c++
	}
	return c
}

// classes divides the jobs by requested processors and requested time: a full
// grid up to the widest job, narrow classes first, short ones first in each; the
// widest class ends with the machine.
// A class without jobs has means of 0.
func (m *Meter) classes(s *model.Schedule) []report.Class {
	w := s.Workload
	if len(m.last) == 0 {
		return nil
	}
	widest := 0
	for i := range m.last {
		widest = max(widest, procsClass(int64(w.Jobs[m.job(i)].Procs)))
	}
	const columns = len(limitEdges)
	grid := make([]report.Class, (widest+1)*columns)
	waits := make([]sum, len(grid))
	for i := range grid {
		c := &grid[i]
		if row := i / columns; row == 0 {
			c.ProcsFrom, c.ProcsTo = 1, 1
		} else {
			c.ProcsFrom, c.ProcsTo = 1<<(2*(row-1))+1, int32(min(1<<(2*row), 1<<31-1))
		}
		if column := i % columns; column > 0 {
			c.LimitFrom = limitEdges[column-1]
		}
		c.LimitTo = limitEdges[i%columns]
	}
	if s.Platform != nil {
		if procs := int32(min(s.Platform.Procs(), 1<<31-1)); procs >= grid[len(grid)-1].ProcsFrom {
			for i := range grid {
				grid[i].ProcsTo = min(grid[i].ProcsTo, procs)
			}
		}
	}
	for i := range m.last {
		j := m.job(i)
		at := procsClass(int64(w.Jobs[j].Procs))*columns + limitClass(w.Jobs[j].Limit)
		grid[at].Jobs++
		grid[at].MeanSlowdown += m.bounded(i)
		waits[at].add(m.wait(i))
	}
	for i := range grid {
		if n := float64(grid[i].Jobs); n > 0 {
			grid[i].MeanWait = waits[i].float() / n
			grid[i].MeanSlowdown /= n
		}
	}
	return grid
}
