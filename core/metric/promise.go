package metric

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// Beside sets a finished run beside another of the same jobs, both with their
// columns. counted says that the platform is one machine of counted processors,
// always there and free to all: only there the promise to the head can be told from
// the schedule.
func Beside(jobs *report.Jobs, mine, other *report.Run, counted bool) report.Against {
	a, b := &mine.Columns, &other.Columns
	out := report.Against{Key: other.Key, Label: other.Label, Apart: Apart(jobs, a, b), Promises: []report.Promise{Starve(jobs, a, b)}}
	if counted && len(a.Before) == 0 && !slices.Contains(a.Start, -1) && !mine.Logged {
		out.Promises = append(out.Promises, Heads(jobs, a, mine.Processors))
	}
	if len(jobs.Reserved) > 0 {
		out.Promises = append(out.Promises, Reservations(jobs, a))
	}
	return out
}

// Apart says where two schedules of the same jobs part: at the earliest time at
// which one of them does what the other does not.
func Apart(jobs *report.Jobs, a, b *report.Columns) report.Apart {
	out := report.Apart{Jobs: len(jobs.Number)}
	for j := range jobs.Number {
		if a.Start[j] == b.Start[j] && a.End[j] == b.End[j] {
			continue
		}
		out.Different++
		at := parts(a, b, j)
		if f := out.First; f == nil || at < f.At {
			out.First = &report.ApartJob{Job: model.JobID(j), Number: jobs.Number[j], At: at,
				Starts: [2]model.Time{a.Start[j], b.Start[j]}, Ends: [2]model.Time{a.End[j], b.End[j]}}
		}
	}
	return out
}

// parts returns when a job is first treated differently: at the earlier of its
// starts, or of its ends where it starts alike. Who is rejected never starts.
func parts(a, b *report.Columns, j int) model.Time {
	x, y := a.Start[j], b.Start[j]
	switch {
	case x < 0 || y < 0:
		return max(x, y)
	case x != y:
		return min(x, y)
	}
	return min(a.End[j], b.End[j])
}

// Starve says whether no job waits longer than the longest does under another
// schedule of the same jobs, whom nobody could call starved.
func Starve(jobs *report.Jobs, mine, other *report.Columns) report.Promise {
	p := report.Promise{Key: report.PromiseStarve, By: -1}
	for j := range jobs.Number {
		p.Other = max(p.Other, waited(jobs, other, j))
	}
	for j := range jobs.Number {
		wait := waited(jobs, mine, j)
		if wait < 0 {
			continue
		}
		p.Of++
		if wait > p.By {
			p.By, p.Worst, p.At = wait, jobs.Number[j], submitted(jobs, mine, j)
		}
		if wait > p.Other {
			p.Broken++
		}
	}
	p.By, p.Holds = max(0, p.By), p.Broken == 0
	return p
}

// waited returns a job's wait, −1 for one that was rejected.
func waited(jobs *report.Jobs, c *report.Columns, j int) model.Time {
	if c.Start[j] < 0 {
		return -1
	}
	return c.Start[j] - submitted(jobs, c, j)
}

func submitted(jobs *report.Jobs, c *report.Columns, j int) model.Time {
	if len(c.Submit) > 0 {
		return c.Submit[j]
	}
	return jobs.Submit[j]
}

// Heads says whether whoever was first in the queue, by submission, and could not
// start at once, started when the requests of the jobs that ran had said at that
// time, or earlier. It is for one machine of counted processors, always there and
// free to all, on which each job ran once.
func Heads(jobs *report.Jobs, c *report.Columns, processors int) report.Promise {
	p := report.Promise{Key: report.PromiseHead}
	n := len(jobs.Number)
	byStart := make([]int, 0, n) // of starts
	bySubmit := make([]int, 0, n)
	for j := range n {
		if c.Start[j] >= 0 {
			byStart, bySubmit = append(byStart, j), append(bySubmit, j)
		}
	}
	order.Sort(byStart, func(a, b int) int { return cmp.Or(cmp.Compare(c.Start[a], c.Start[b]), a-b) })
	order.Sort(bySubmit, func(a, b int) int {
		return cmp.Or(cmp.Compare(submitted(jobs, c, a), submitted(jobs, c, b)), cmp.Compare(jobs.Number[a], jobs.Number[b]), a-b)
	})
	type until struct {
		end   model.Time
		procs int32
	}
	var running []int
	next := 0
	now := model.Never
	if len(bySubmit) > 0 {
		now = submitted(jobs, c, bySubmit[0])
	}
	for first := 0; first < len(bySubmit); first++ {
		j := bySubmit[first]
		now = max(now, submitted(jobs, c, j)) // it becomes the head when all before it have started
		if c.Start[j] <= now {
			continue
		}
		for ; next < len(byStart) && c.Start[byStart[next]] <= now; next++ {
			running = append(running, byStart[next])
		}
		running = slices.DeleteFunc(running, func(k int) bool { return c.End[k] <= now })
		free := int32(processors)
		var ends []until
		for _, k := range running {
			free -= jobs.Procs[k]
			ends = append(ends, until{c.Start[k] + jobs.Limit[k], jobs.Procs[k]})
		}
		order.Sort(ends, func(a, b until) int { return cmp.Compare(a.end, b.end) })
		promised := now
		for _, e := range ends {
			if free >= jobs.Procs[j] {
				break
			}
			free += e.procs
			promised = e.end
		}
		p.Of++
		if late := c.Start[j] - promised; late > 0 {
			p.Broken++
			if late > p.By {
				p.By, p.Worst, p.At = late, jobs.Number[j], now
			}
		}
		now = c.Start[j]
	}
	p.Holds = p.Broken == 0
	return p
}

// Reservations says whether the reservations that were accepted began within the
// interval that they asked for.
func Reservations(jobs *report.Jobs, c *report.Columns) report.Promise {
	p := report.Promise{Key: report.PromiseReserve}
	for i := range jobs.Reserved {
		r := &jobs.Reserved[i]
		start := c.Start[r.Job]
		if start < 0 {
			continue
		}
		p.Of++
		late := max(start-max(r.Ready, r.Deadline-r.Length), r.Ready-start)
		if late > 0 {
			p.Broken++
			if late > p.By {
				p.By, p.Worst, p.At = late, jobs.Number[r.Job], r.Ready
			}
		}
	}
	p.Holds = p.Broken == 0
	return p
}
