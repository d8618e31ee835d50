package react

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Upper ends of the classes of the report: seconds, and jobs.
var (
	thinkEnds = []int64{0, 60, 300, 600, 1200, 3600, 4 * hour, 8 * hour, day, 3 * day, week}
	spanEnds  = []int64{0, 600, 1800, hour, 2 * hour, 4 * hour, 8 * hour, day, 3 * day}
	jobEnds   = []int64{1, 2, 4, 8, 16, 32, 64, 128}
)

// describe fills the report.
func (x *extraction) describe(states bool) {
	r := &x.Report
	*r = report.Reaction{Jobs: len(x.pool.Jobs), NoEnd: x.noEnd, Sessions: len(x.sessions), Depends: len(x.links)}
	if states {
		r.Stated, r.StatedUsed = x.stated, x.used
	}
	var think, breaks []model.Time
	r.BatchJobs, r.SessionJobs, r.SessionSpans = bars(jobEnds, 1), bars(jobEnds, 1), bars(spanEnds, 0)
	for i := range x.users {
		u := &x.users[i]
		if u.id < 0 {
			r.Silent = int(x.batches[u.from].to - x.batches[u.from].from)
			continue
		}
		r.Users++
		if u.to == u.from+1 && x.batches[u.from].to == x.batches[u.from].from+1 {
			r.Once++
		}
		for k := u.from; k < u.to; k++ {
			b := &x.batches[k]
			r.Batches++
			count(r.BatchJobs, int64(b.to-b.from))
			if b.parents == 0 {
				continue
			}
			r.Reacting++
			if b.session {
				breaks = append(breaks, b.gap)
			} else {
				think = append(think, b.gap)
			}
		}
	}
	for _, s := range x.sessions {
		count(r.SessionJobs, int64(s.jobs))
		count(r.SessionSpans, int64(s.last-s.first))
	}
	r.Think, r.Breaks = spread(think), spread(breaks)
}

// bars makes classes with these upper ends, and an open one.
func bars(ends []int64, from int64) []report.Bar {
	var list []report.Bar
	for _, to := range ends {
		list = append(list, report.Bar{From: from, To: to})
		from = to + 1
	}
	return append(list, report.Bar{From: from, To: int64(model.Never)})
}

func count(bars []report.Bar, v int64) {
	at, _ := slices.BinarySearchFunc(bars, v, func(b report.Bar, v int64) int {
		if b.To < v {
			return -1
		}
		return 1
	})
	bars[at].Jobs++
}

// spread describes a list of seconds, which it sorts.
func spread(list []model.Time) report.Spread {
	s := report.Spread{Count: len(list), Bars: bars(thinkEnds, 0)}
	if len(list) == 0 {
		return s
	}
	slices.Sort(list)
	sum := model.Time(0)
	for _, t := range list {
		sum += t
		count(s.Bars, int64(t))
	}
	n := len(list)
	s.Mean = float64(sum) / float64(n)
	s.Median, s.P90, s.Max = list[(n-1)/2], list[(9*n+9)/10-1], list[n-1]
	return s
}
