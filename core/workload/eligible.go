//go:build !small

package workload

import (
	"slices"

	"batchlab/core/expr"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// Eligibility makes of what a log says of its jobs' predecessors, times and arrays what
// they wait for before they are eligible (model.Gate). Join comes before anything that
// asks what jobs need, Gates when no job comes, goes or moves any more.
type Eligibility struct {
	Dependencies bool // keep what jobs wait for
	Withdrawn    bool // keep when jobs leave the queue that never ran
	Clamp        bool // cut groups that are larger than the machine together, instead of leaving them out

	parts map[int32][]int32 // records of a group that starts together, by that of the job that stands for it
}

// Join makes one job of each group whose parts start together: it has the processors of
// all, asks for the longest of their times, runs until the last of them ends, and bears
// the number of the first. w is not changed.
func (e *Eligibility) Join(w *model.Workload, l *swf.Log) (*model.Workload, []report.Count) {
	e.parts = nil
	if !e.Dependencies || l.Extra == nil {
		return w, nil
	}
	groups := map[int32][]int32{} // jobs by group
	for i := range w.Jobs {
		if k := w.Jobs[i].Record; k >= 0 && l.Extra[k].Het > 0 {
			groups[l.Extra[k].Het] = append(groups[l.Extra[k].Het], int32(i))
		}
	}
	joined := *w
	joined.Jobs, joined.Truth = make([]model.Job, 0, len(w.Jobs)), make([]model.Truth, 0, len(w.Jobs))
	together, large := newCount(report.Together, "Parts of a group that starts together: each group is one job, with the processors of all and until the last part ends"), newCount("group-oversize", "Of a group that is larger than the machine together: left out")
	large.Drops = true
	for i := range w.Jobs {
		j, t := w.Jobs[i], w.Truth[i]
		var group []int32
		if k := j.Record; k >= 0 {
			group = groups[l.Extra[k].Het]
		}
		if len(group) < 2 {
			joined.Jobs, joined.Truth = append(joined.Jobs, j), append(joined.Truth, t)
			continue
		}
		line := l.Records[j.Record].Line
		procs := int64(0)
		for _, k := range group {
			procs += int64(w.Jobs[k].Procs)
		}
		if procs > int64(w.Processors) && !e.Clamp {
			large.add(line)
			continue
		}
		together.add(line)
		if group[0] != int32(i) {
			continue
		}
		if e.parts == nil {
			e.parts = map[int32][]int32{}
		}
		t.Run = w.Executed(model.JobID(i))
		start := j.Submit + t.LoggedWait
		for _, k := range group {
			part := &w.Jobs[k]
			j.Limit, t.Run = max(j.Limit, part.Limit), max(t.Run, w.Executed(k))
			start = max(start, part.Submit+w.Truth[k].LoggedWait)
			e.parts[j.Record] = append(e.parts[j.Record], part.Record)
		}
		if t.LoggedWait >= 0 {
			t.LoggedWait = start - j.Submit
		}
		j.Procs = int32(min(procs, int64(w.Processors)))
		joined.Jobs, joined.Truth = append(joined.Jobs, j), append(joined.Truth, t)
	}
	return &joined, said(together, large)
}

// Gates says in w what its jobs wait for, in w.Gates, which stay nil where no job waits
// for anything. A predecessor that is not simulated counts as over, and well.
func (e *Eligibility) Gates(w *model.Workload, l *swf.Log) ([]report.Count, error) {
	byNumber := make(map[int64]int32, len(w.Jobs))
	for i := range w.Jobs {
		byNumber[w.Jobs[i].Number] = int32(i)
		for _, k := range e.parts[w.Jobs[i].Record] {
			byNumber[l.Records[k].JobNumber] = int32(i)
		}
	}
	gates, any := make([]model.Gate, len(w.Jobs)), false
	arrays := map[int32]int32{} // by the log's number of it: ours, from 1
	var limits []int32
	follows, absent := newCount(report.Follows, "Waits for other jobs before it is eligible"), newCount("absent-predecessor", "Waits for a job that is not simulated: that one counts as over, and well")
	begins, limited := newCount(report.Begins, "Is not eligible before a time of its own"), newCount(report.ArrayLimited, "Belongs to an array that limits how many of its jobs may run")
	for i := range w.Jobs {
		j, g := &w.Jobs[i], &gates[i]
		if j.Record < 0 {
			continue
		}
		r := &l.Records[j.Record]
		g.Failed = r.Status == 0 || r.Status == 4 || r.Status == 5
		records := e.parts[j.Record]
		if records == nil {
			records = []int32{j.Record}
		}
		stays := false                               // a group leaves when the last of its parts does
		moved := j.Submit - model.Time(r.SubmitTime) // by a change of load: what follows is as long after it
		for _, k := range records {
			var x swf.Extra
			if l.Extra != nil {
				x = l.Extra[k]
			}
			if out := l.Withdrawn(int(k)); e.Withdrawn && out > 0 && (j.Demand == 0 || w.Demand(model.JobID(i)).Reservation == nil) {
				g.Withdrawn = max(g.Withdrawn, model.Time(out)+moved, 1)
			} else {
				stays = true
			}
			if !e.Dependencies {
				continue
			}
			if g.Begin = max(g.Begin, model.Time(x.Begin)+moved, model.Time(l.Records[k].SubmitTime)+moved); x.Begin > r.SubmitTime {
				begins.add(r.Line)
			}
			if at := model.Time(l.Records[k].SubmitTime) + moved; len(records) > 1 && at > j.Submit {
				g.Whole = max(g.Whole, at)
			}
			if x.Array > 0 && x.ArrayLimit > 0 {
				if arrays[x.Array] == 0 {
					limits = append(limits, x.ArrayLimit)
					arrays[x.Array] = int32(len(limits))
				}
				g.Array = arrays[x.Array]
				limited.add(r.Line)
			}
			after, err := expr.ParseAfter(x.After)
			if err != nil {
				return nil, err // ParseExtra and documents have looked
			}
			if p := &l.Records[k]; len(after.Terms) == 0 && p.PrecedingJobNumber > 0 {
				after.Terms = []expr.Term{{Job: p.PrecedingJobNumber, Delay: max(0, p.ThinkTime)}}
			}
			if len(after.Terms) == 0 {
				continue
			}
			follows.add(r.Line)
			list, met := []model.Dependency(nil), false
			for _, t := range after.Terms {
				p, there := byNumber[t.Job]
				if !there {
					absent.add(r.Line)
					met = after.Any
					continue
				}
				list = append(list, model.Dependency{Job: p, On: model.Event(t.On), Delay: model.Time(t.Delay)})
			}
			if met {
				list = nil
			}
			// Parts of a group that name each other start together as it is.
			g.After = append(g.After, slices.DeleteFunc(list, func(d model.Dependency) bool { return len(records) > 1 && d.Job == int32(i) })...)
			g.Any = after.Any && len(g.After) > 1
		}
		if stays {
			g.Withdrawn = 0
		}
		any = any || len(g.After) > 0 || g.Begin > j.Submit || g.Array > 0 || g.Withdrawn > 0
	}
	for i := range gates {
		if a := gates[i].Array; a > 0 {
			gates[i].Limit = limits[a-1]
		}
	}
	if any {
		w.Gates = gates
	}
	return said(follows, absent, begins, limited), nil
}

// counting is a report.Count under way.
type counting struct {
	report.Count
	last int
}

func newCount(reason, text string) *counting {
	return &counting{Count: report.Count{Reason: reason, Text: text, Lines: []int{}}, last: -1}
}

// add counts a job, once in a row.
func (c *counting) add(line int32) {
	if c.last == int(line) && line > 0 {
		return
	}
	c.last = int(line)
	if c.Jobs++; line > 0 && len(c.Lines) < exampleLines {
		c.Lines = append(c.Lines, int(line))
	}
}

func said(counts ...*counting) (list []report.Count) {
	for _, c := range counts {
		if c.Jobs > 0 {
			list = append(list, c.Count)
		}
	}
	return slices.Clip(list)
}
