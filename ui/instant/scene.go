// Package instant draws one instant of a run and tells it: what has just happened, the
// queue in the scheduler's own order, what runs, what is promised, and the decisions,
// each as a mark in the picture and as a sentence. Every view that shows an instant
// draws it with this.
package instant

import (
	"cmp"
	"slices"
	"sort"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/scene"
)

// Scene is an instant as it is drawn: past solid, future light, promise outlined,
// breach hatched. Nothing of it lies in the future but requests, promises and what
// is announced, unless Truth is on.
type Scene struct {
	Step   *tell.Step
	Reach  int // so many of the step's decisions have been told
	Chosen int // index of the decision that is looked at; −1 none
	Job    int // that is selected, index; −1 none
	Truth  bool

	Cols  *report.Columns
	Jobs  *report.Jobs
	Site  *report.Site // nil: unknown
	Procs int

	Clock    draw.Clock
	Words    *tell.Words
	From, To model.Time
	W, H     float64
	Small    bool // a phone
	Quiet    bool // beside another: fewer words
	Empty    bool // say how many processors stay empty although jobs wait
	Minutes  bool // the axis counts minutes from the beginning
	Hole     bool // outline what is free until the first job that waits can start
}

// bar is what a job holds, or held: processors [first, first+count).
type bar struct {
	job          int
	number       int64
	start, end   model.Time // end: really
	until        model.Time // by its request
	first, count int32
	fresh        bool // it starts now
	passed       bool // before its turn
	cut          bool // an attempt that was stopped
}

// Margins of the picture in page pixels.
const (
	gutter, gutterSmall = 44.0, 38.0
	margin              = 14.0
	axis                = 34.0
	arrivals            = 30.0
	licenceRow          = 9.0
	laneGap             = 20.0 // above each lane, where its name stands
	mostLanes           = 12   // more clusters stand as one picture with lines between them
)

// Frame is where times and processors stand: the clusters of a site, providers of a grid
// among them, in lanes above each other, each with its name and its own scale.
func (s *Scene) Frame() scene.Frame {
	f := scene.Frame{Axis: scene.Axis{From: s.From, To: s.To, Left: gutter, Right: s.W - margin}, Top: axis, Bottom: s.H - s.foot() - s.licences(), Lanes: s.lanes()}
	if s.Small {
		f.Left, f.Right = gutterSmall, s.W-8
	}
	gap := laneGap
	if len(f.Lanes) == 1 {
		gap = 0
	}
	row := (f.Bottom - f.Top - gap*float64(len(f.Lanes))) / float64(max(1, s.Procs))
	y := f.Bottom
	for i := range f.Lanes {
		l := &f.Lanes[i]
		l.H = float64(l.Count) * row
		l.Y = y - l.H
		y = l.Y - gap
	}
	return f
}

// lanes are the clusters of a site from the lowest processor on, or all processors where
// there is one cluster only, or too many.
func (s *Scene) lanes() (list []scene.Lane) {
	if s.Site != nil {
		for _, m := range s.Site.Machines {
			if n := len(list) - 1; n >= 0 && list[n].Name == m.Cluster && list[n].First+list[n].Count == m.First {
				list[n].Count += m.Procs
				continue
			}
			list = append(list, scene.Lane{Name: m.Cluster, First: m.First, Count: m.Procs})
		}
	}
	if len(list) < 2 || len(list) > mostLanes {
		return []scene.Lane{{Count: int32(s.Procs)}}
	}
	return list
}

// Rows is how high the processors are drawn together where each is to have so many
// pixels, if there is room.
func (s *Scene) Rows(row float64) float64 {
	n, gap := float64(len(s.lanes())), laneGap
	if n == 1 {
		n, gap = 0, 0
	}
	return min(max(float64(s.Procs)*row, 120, 44*n), max(320, 64*n)) + n*gap
}

// bars collects what holds or held processors in the picture up to the instant, as
// far as decisions have been told, in order of their starts.
func (s *Scene) bars() []bar {
	now := s.Step.Now
	until := map[int]model.Time{}
	for i := range s.Step.Runs {
		until[int(s.Step.Runs[i].Job)] = s.Step.Runs[i].Until
	}
	hidden, passed := map[int]bool{}, map[int]bool{}
	for i := range s.Step.Decisions {
		d := &s.Step.Decisions[i]
		if !d.Kind.Begins() {
			continue
		}
		hidden[int(d.Job)] = i >= s.Reach
		passed[int(d.Job)] = d.Kind == tell.Before || d.Kind == tell.Beside || d.Kind == tell.Passes
		until[int(d.Job)] = d.Ends
	}
	var list []bar
	add := func(j int, start, end model.Time, first, count int32, last bool) {
		if start > now || end <= s.From || end <= start && start != now || start == now && hidden[j] && last {
			return
		}
		b := bar{job: j, number: s.number(j), start: start, end: end, first: first, count: count}
		if b.until = until[j]; end > now && b.until == 0 {
			b.until = start + s.limit(j)
		}
		b.fresh = start == now
		b.passed = b.fresh && passed[j]
		list = append(list, b)
	}
	for j := range s.Cols.Start {
		if at := s.Cols.Start[j]; at < 0 || at > now || s.Cols.End[j] <= s.From {
			continue
		}
		k := sort.Search(len(s.Cols.Spans), func(k int) bool { return int(s.Cols.Spans[k].Job) >= j })
		for ; k < len(s.Cols.Spans) && int(s.Cols.Spans[k].Job) == j; k++ {
			add(j, s.Cols.Start[j], s.Cols.End[j], s.Cols.Spans[k].First, s.Cols.Spans[k].Count, true)
		}
	}
	for i := range s.Cols.Before {
		p := &s.Cols.Before[i]
		n := len(list)
		add(int(p.Job), p.Start, p.End, p.First, p.Count, p.Start == now)
		for ; n < len(list); n++ {
			list[n].cut = p.End <= now
		}
	}
	order.Stable(list, func(a, b bar) int { return cmp.Compare(a.start, b.start) })
	return list
}

func (s *Scene) number(j int) int64 {
	if s.Jobs == nil || j < 0 || j >= len(s.Jobs.Number) {
		return 0
	}
	return s.Jobs.Number[j]
}

func (s *Scene) limit(j int) model.Time {
	if s.Jobs == nil || j >= len(s.Jobs.Limit) {
		return 0
	}
	return s.Jobs.Limit[j]
}

// cluster returns the rows of a cluster by its index, all where it is not known.
func (s *Scene) cluster(place int32) rows {
	all := make(rows, s.Procs)
	names := []string{}
	if s.Site != nil {
		for _, m := range s.Site.Machines {
			if !slices.Contains(names, m.Cluster) {
				names = append(names, m.Cluster)
			}
		}
	}
	for i := range all {
		all[i] = true
	}
	if place < 0 || int(place) >= len(names) || len(names) < 2 {
		return all
	}
	clear(all)
	for _, m := range s.Site.Machines {
		for p := m.First; m.Cluster == names[place] && p < m.First+m.Procs && int(p) < len(all); p++ {
			all[p] = true
		}
	}
	return all
}

// named returns the rows of a cluster by its name, all where there is one only.
func (s *Scene) named(name string) rows {
	all := s.cluster(-1)
	if s.Site == nil || !slices.ContainsFunc(s.Site.Machines, func(m report.Machine) bool { return m.Cluster == name }) {
		return all
	}
	clear(all)
	for _, m := range s.Site.Machines {
		for p := m.First; m.Cluster == name && p < m.First+m.Procs && int(p) < len(all); p++ {
			all[p] = true
		}
	}
	return all
}

// free returns the rows that are free from a time on, by the requests of what runs.
func (s *Scene) free(bars []bar, at model.Time) rows {
	r := make(rows, s.Procs)
	for i := range r {
		r[i] = true
	}
	for i := range bars {
		b := &bars[i]
		if b.end > s.Step.Now && b.until > at || b.end > s.Step.Now && at == s.Step.Now {
			for p := b.first; p < b.first+b.count && int(p) < len(r); p++ {
				r[p] = false
			}
		}
	}
	for i := range s.Cols.Away {
		a := &s.Cols.Away[i]
		if a.From <= at && at < a.To && s.announced(a) {
			for p := a.First; p < a.First+a.Count && int(p) < len(r); p++ {
				r[p] = false
			}
		}
	}
	return r
}

// announced says whether what the calendar takes is known at the instant: failures
// are once they have begun.
func (s *Scene) announced(a *report.Away) bool {
	if a.From <= s.Step.Now || s.Truth {
		return true
	}
	return model.CalendarKind(a.Kind) != model.KindFailure
}

// shadowed says whether the head's promise has been told, and can be drawn.
func (s *Scene) shadowed() *tell.Decision {
	for i := range s.Step.Decisions[:min(s.Reach, len(s.Step.Decisions))] {
		if d := &s.Step.Decisions[i]; d.Kind == tell.Head && d.At < model.Never {
			return d
		}
	}
	return nil
}

// placed is the box of a job that is planned.
type placed struct {
	q   *tell.Waiting
	end model.Time
	at  rows
}

// plans lays out the planned jobs, as far as they have been told, in the order of their starts: each takes rows
// that are free then by requests and by the plans before it.
func (s *Scene) plans(bars []bar) []placed {
	stands := s.planned()
	busy := make([]model.Time, s.Procs) // by row: until when
	for i := range bars {
		if b := &bars[i]; b.end > s.Step.Now {
			for p := b.first; p < b.first+b.count && int(p) < len(busy); p++ {
				busy[p] = max(busy[p], b.until)
			}
		}
	}
	var list []placed
	var queue []*tell.Waiting
	for _, q := range s.Step.Queue {
		if d, ok := stands[q.Job]; ok {
			q.At, q.Was, q.Place, q.Parts = d.At, d.Was, d.Place, d.Parts
			queue = append(queue, &q)
		}
	}
	order.Stable(queue, func(a, b *tell.Waiting) int { return cmp.Compare(a.At, b.At) })
	for _, q := range queue {
		free := make(rows, s.Procs)
		for i := range free {
			free[i] = busy[i] <= q.At
		}
		at := s.seat(free, q.Place, q.Parts, q.Procs, rows.smallest)
		if at.count() < int(q.Procs) {
			continue // on machines they need not suffice
		}
		for i := range at {
			if at[i] {
				busy[i] = q.At + q.Limit
			}
		}
		list = append(list, placed{q, q.At + q.Limit, at})
	}
	return list
}

// planned is the plan as far as it has been told: that with which the instant, or its
// optimiser, begins, and what has moved since.
func (s *Scene) planned() map[model.JobID]tell.Promise {
	reach := min(s.Reach, len(s.Step.Decisions))
	coming, plan := map[model.JobID]bool{}, map[model.JobID]tell.Promise{}
	for i := range s.Step.Decisions {
		d := &s.Step.Decisions[i]
		if plans(d.Kind) {
			coming[d.Job] = true
		}
		if d.Plan == nil {
			continue
		}
		for _, b := range d.Plan.Starts { // where it has moved, or come, once that has been told
			if before := slices.ContainsFunc(s.Step.Decisions[min(reach, i):i], func(d tell.Decision) bool { return d.Job == b.Job }); !before {
				plan[b.Job] = tell.Promise{At: b.At, Was: model.Never, Place: b.Place, Parts: b.Parts}
			}
		}
	}
	for i := range s.Step.Queue {
		if q := &s.Step.Queue[i]; plans(q.Kind) && q.At < model.Never && !coming[q.Job] {
			plan[q.Job] = tell.Promise{At: q.At, Was: q.Was, Place: q.Place, Parts: q.Parts}
		}
	}
	for _, d := range s.Step.Decisions[:reach] {
		if plans(d.Kind) && d.At < model.Never {
			plan[d.Job] = d.Promise
		} else if d.Kind.Begins() {
			delete(plan, d.Job)
		}
	}
	return plan
}

// plans says whether a decision of a kind gives a job a planned start.
func plans(k tell.Kind) bool {
	return k == tell.New || k == tell.Earlier || k == tell.Later || k == tell.Stays
}

// seat picks so many of the rows that are free: of the machines where a job is to run,
// where these are named, else of its cluster.
func (s *Scene) seat(free rows, place int32, parts []model.Part, n int32, pick func(rows, int32) rows) rows {
	if len(parts) == 0 || s.Site == nil {
		return pick(free.with(s.cluster(place)), n)
	}
	at := make(rows, s.Procs)
	for _, part := range parts {
		if int(part.Node) >= len(s.Site.Machines) {
			continue
		}
		m, mine := &s.Site.Machines[part.Node], make(rows, s.Procs)
		for p := m.First; p < m.First+m.Procs && int(p) < len(mine); p++ {
			mine[p] = free[p]
		}
		for i, in := range pick(mine, part.Procs) {
			at[i] = at[i] || in
		}
	}
	return at
}

// Window is the time that the picture covers: the whole of a short schedule, else
// as far back and ahead as what runs and waits reaches, in whole parts of it, so
// that it jumps seldom.
func (s *Scene) Window() (from, to model.Time) {
	step := s.Step
	first, last := step.Now, step.Now+60
	if n := len(s.Cols.Full.At); n > 0 {
		first, last = s.Cols.Full.At[0], s.Cols.Full.At[n-1]
	}
	far := step.Now + 60
	near := step.Now
	for i := range step.Runs {
		far = max(far, step.Runs[i].Until)
		near = min(near, step.Runs[i].Start)
	}
	for i := range step.Queue {
		if q := &step.Queue[i]; q.At < model.Never {
			far = max(far, q.At+q.Limit)
		}
	}
	for i := range step.Decisions {
		if d := &step.Decisions[i]; d.Ends < model.Never {
			far = max(far, d.Ends)
		}
	}
	if len(s.Cols.Start) <= 60 { // a case by hand: always the same picture
		for j := range s.Cols.Start {
			if at := s.Cols.Start[j]; at >= 0 {
				last = max(last, at+s.limit(j))
			}
		}
		room := max(60, (last-first)/20)
		return first, max(last, far) + room
	}
	length := model.Time(3600)
	for _, l := range [...]model.Time{2, 4, 8, 16, 24, 48, 96, 24 * 8, 24 * 16, 24 * 32} {
		if length < (far-step.Now)*2 {
			length = l * 3600
		}
	}
	part := length / 8
	begin := step.Now - length*3/8
	begin -= ((begin-first)%part + part) % part
	return max(first, begin), begin + length
}

func attr(name string, v int) draw.Markup { return draw.HTML(`{}="{}"`, name, v) }
