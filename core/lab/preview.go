package lab

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// arrivalBars is the number of bars in a preview of arrivals.
const arrivalBars = 56

// mostUsers is how many users a preview names.
const mostUsers = 12

// runEnds are the upper ends of the run-time classes of a preview, in seconds.
var runEnds = [...]int64{10, 60, 600, 3600, 4 * 3600, 12 * 3600, 24 * 3600}

// Preview describes the workload of the first repetition.
func (p *Prepared) Preview() (report.Preview, error) {
	r, err := p.repetition(0)
	if err != nil {
		return report.Preview{}, err
	}
	w := r.workload
	v := report.Preview{
		Name: w.Name, Jobs: len(w.Jobs), Processors: w.Processors, UnixStart: w.UnixStart, TimeZone: w.TimeZone,
		Header: r.log.Header.String(), Clean: r.clean, Arrivals: make([]int, arrivalBars),
	}
	if source := p.doc.Workload.Source.Log; source != nil {
		v.SHA256, v.Size = source.SHA256, source.Size
	}
	v.First, v.Last = w.Span()
	span := v.Last - v.First
	var area float64
	for i := range w.Jobs {
		j := &w.Jobs[i]
		area += float64(j.Procs) * float64(w.Executed(model.JobID(i)))
		v.Arrivals[int((j.Submit-v.First)*(arrivalBars-1)/max(1, span))]++
	}
	if span > 0 {
		v.Load = area / (float64(w.Processors) * float64(span))
	}
	local, calendar := p.local(r.log)
	v.Shape = shape(w, r.log, local, calendar)
	v.Users = users(w, area, &v.Shape)
	v.Reaction = r.reaction
	v.Import, v.Table = r.log.Import, r.log.Table
	v.Nodes = p.doc.Workload.Source.Log != nil && r.log.Alea != nil
	return v, nil
}

// local returns the log's local time, in seconds since 1 January 1970, by the
// log's own time; ok is false when the log does not say when it began.
func (p *Prepared) local(l *swf.Log) (local func(model.Time) int64, ok bool) {
	h := &l.Header
	if h.UnixStartTime == 0 {
		return func(t model.Time) int64 { return int64(t) }, false
	}
	offset := func(int64) int64 { return h.TimeZone }
	if p.env.Zone != nil && h.TimeZoneString != "" {
		if f := p.env.Zone(h.TimeZoneString); f != nil {
			offset = f
		}
	}
	// An offset holds for the hour it is asked for: clocks change on the hour.
	known, last := int64(-1), int64(0)
	return func(t model.Time) int64 {
		unix := h.UnixStartTime + int64(t)
		if hour := unix / 3600; hour != known {
			known, last = hour, offset(unix)
		}
		return unix + last
	}, true
}

// shape counts jobs by when they come, how large, how long and how well
// estimated they are.
func shape(w *model.Workload, l *swf.Log, local func(model.Time) int64, calendar bool) report.Shape {
	s := report.Shape{Calendar: calendar}
	shift := int64(0) // days from a Monday
	if calendar {
		shift = 3 // 1 January 1970 was a Thursday
	}
	largest := int32(1)
	for i := range w.Jobs {
		largest = max(largest, w.Jobs[i].Procs)
	}
	from := int64(1)
	for to := int64(1); ; to *= 2 {
		s.Sizes = append(s.Sizes, report.Bar{From: from, To: to})
		if from = to + 1; to >= int64(largest) {
			break
		}
	}
	from = 0
	for _, to := range runEnds {
		s.Runs = append(s.Runs, report.Bar{From: from, To: to})
		from = to + 1
	}
	s.Runs = append(s.Runs, report.Bar{From: from, To: int64(model.Never)})
	for i := range w.Jobs {
		j := &w.Jobs[i]
		at := local(j.Submit)
		day := at / 86400
		if at%86400 < 0 {
			day--
		}
		s.Hours[(at-day*86400)/3600]++
		s.Days[(((day+shift)%7)+7)%7]++
		run := int64(w.Executed(model.JobID(i)))
		count(s.Sizes, int64(j.Procs))
		count(s.Runs, run)
		if asked(l, j) {
			s.Accuracy[min(9, run*10/max(1, int64(j.Limit)))]++
		} else {
			s.Unasked++
		}
		if j.User >= 0 {
			s.Named++
		}
	}
	return s
}

// asked reports whether a job of the log requested a time.
func asked(l *swf.Log, j *model.Job) bool {
	return j.Record < 0 || int(j.Record) >= len(l.Records) || l.Records[j.Record].RequestedTime > 0
}

// count adds a job to the bar that v falls in; bars are in order.
func count(bars []report.Bar, v int64) {
	i, _ := slices.BinarySearchFunc(bars, v, func(b report.Bar, v int64) int { return cmp.Compare(b.To, v) })
	if i < len(bars) {
		bars[i].Jobs++
	}
}

// users fills in who brings most work, and returns how many users there are.
func users(w *model.Workload, area float64, s *report.Shape) int {
	at := map[int32]int{}
	var all []report.UserShare
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if j.User < 0 {
			continue
		}
		k, ok := at[j.User]
		if !ok {
			k = len(all)
			at[j.User] = k
			all = append(all, report.UserShare{User: j.User})
		}
		all[k].Jobs++
		all[k].Area += float64(j.Procs) * float64(w.Executed(model.JobID(i)))
	}
	order.Stable(all, func(a, b report.UserShare) int {
		return cmp.Or(cmp.Compare(b.Area, a.Area), cmp.Compare(a.User, b.User))
	})
	s.Users = slices.Clone(all[:min(len(all), mostUsers)])
	for i := range s.Users {
		s.Users[i].Area /= max(1, area)
	}
	return len(all)
}
