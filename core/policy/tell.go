package policy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/predict"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

// What schedulers of this package say of themselves at an instant that is told
// (package tell). All of it is read off what they have decided by.

var (
	_ sim.Teller[*sim.CountedView, []model.JobID] = (*CountedFCFS)(nil)
	_ sim.Teller[*sim.CountedView, []model.JobID] = (*CountedEASY)(nil)
	_ sim.Teller[*sim.CountedView, []model.JobID] = (*CountedConservative)(nil)
	_ sim.Teller[*sim.CountedView, []model.JobID] = (*CountedForesight)(nil)
	_ sim.Teller[*sim.View, []sim.Decision]       = (*FCFS)(nil)
	_ sim.Teller[*sim.View, []sim.Decision]       = (*backfiller)(nil)
	_ sim.Teller[*sim.View, []sim.Decision]       = (*List)(nil)
	_ sim.Teller[*sim.View, []sim.Decision]       = (*OrigBF)(nil)
)

// orderWords say which job stands first, by Order.
var orderWords = [...]string{
	"oldest first", "newest first", "shortest request first", "longest request first", "fewest processors first", "most processors first",
	"smallest area first", "largest area first", "smallest expansion factor first", "largest expansion factor first",
	"smallest ratio first", "largest ratio first", "largest sum first", "largest value first",
}

// featureNames name the features of a mixed order.
var featureNames = [Features]string{"processors", "request", "wait", "ratio", "expansion", "area"}

// words say which job stands first in an order; of a formula and a weighted sum by
// what they are, with the scales by which features are divided.
func (s *scorer) words(q *QueueOrder) string {
	switch q.Order {
	case Formula:
		return "largest " + q.Formula.String() + " first"
	case Mixed:
		text, sep := "largest sum first: ", ""
		for i, w := range s.weights {
			if w == 0 {
				continue
			}
			text += sep + strconv.FormatFloat(w, 'g', 3, 64) + " " + featureNames[i]
			if s.scales[i] != 1 {
				text += " ÷ " + strconv.FormatFloat(s.scales[i], 'g', 6, 64)
			}
			sep = " + "
		}
		return strings.ReplaceAll(text, "+ -", "− ")
	}
	return orderWords[q.Order]
}

// Tell says where the queue stops.
func (f *CountedFCFS) Tell(v *sim.CountedView, starts []model.JobID, facts *tell.Facts) {
	if facts.Stops = true; facts.Briefly() {
		if f.head < int(v.Next) {
			facts.Turn, facts.Head = report.WaitProcessors, f.at(f.head)
		}
		for r := f.head; r < int(v.Next); r++ {
			facts.Waits(f.at(r))
		}
		return
	}
	facts.Ready = orderWords[FCFSOrder]
	facts.Order = append(facts.Order, starts...)
	for r := f.head; r < int(v.Next); r++ {
		facts.Order = append(facts.Order, f.at(r))
	}
}

// passed says whether a start of this instant went past the head.
func passed(r *sim.Record, j model.JobID) bool {
	return r.Why[j].Decision == report.BackfilledBeforeShadow || r.Why[j].Decision == report.BackfilledExtra
}

// began notes the starts of an instant, those in order and those past the head, and
// returns what ran and what was free when the head was found.
func began(v *sim.CountedView, now *running, starts []model.JobID, f *tell.Facts) (past running, free int32) {
	past, free = running{jobs: slices.Clone(now.jobs)}, v.Free
	for _, j := range starts {
		if passed(v.Record, j) {
			past.remove(v.Now+v.Jobs[j].Limit, j)
			f.Tried = append(f.Tried, j)
			continue
		}
		free -= v.Jobs[j].Procs
		f.Order = append(f.Order, j)
	}
	return past, free
}

// lateFirst puts jobs that have waited too long first, the oldest of them before the
// others, and the rest by an order of their own.
func lateFirst(jobs []model.JobID, of []model.Job, newest bool, late func(model.JobID) bool, rest func(a, b model.JobID) int) {
	order.Stable(jobs, func(a, b model.JobID) int {
		switch {
		case late(a) != late(b):
			if late(a) {
				return -1
			}
			return 1
		case late(a):
			return cmp.Or(cmp.Compare(of[a].Submit, of[b].Submit), byScore(0, a, 0, b, newest))
		}
		return rest(a, b)
	})
}

// Tell says who is the head, what it is promised, and in which order the others
// were tried.
func (e *CountedEASY) Tell(v *sim.CountedView, starts []model.JobID, f *tell.Facts) {
	if f.Briefly() {
		if e.waiting.count > 0 {
			if f.Head, f.Turn = e.top(v), report.WaitShadow; !f.Unpromised {
				f.Shadow, _ = e.running.shadow(v.Free, v.Jobs[f.Head].Procs)
			}
			e.waiting.each(f.Waits)
		}
		return
	}
	first, _ := e.orders()
	if f.Ready = e.scorer.words(&first); e.UseThreshold {
		f.Threshold = e.Threshold
	}
	now := e.running.sorted()
	past, free := began(v, &now, starts, f)
	if e.waiting.count == 0 {
		e.values(v, f)
		return
	}
	f.Head = e.top(v)
	f.Shadow, f.Spare = past.shadow(free, v.Jobs[f.Head].Procs)
	e.waiting.each(func(j model.JobID) {
		if j != f.Head {
			f.Tried = append(f.Tried, j)
		}
	})
	rest := slices.Clone(f.Tried)
	if e.shifts {
		for _, j := range f.Tried {
			e.scores[j] = e.backfillScore(v, j)
		}
	}
	order.Stable(f.Tried, func(a, b model.JobID) int {
		if e.shifts {
			return byScore(e.scores[a], a, e.scores[b], b, e.Newest)
		}
		return cmp.Compare(e.rank[a], e.rank[b])
	})
	e.sortPrimary(v, rest)
	f.Order = append(append(f.Order, f.Head), rest...)
	e.values(v, f)
}

// byScore compares jobs of which the higher score stands first.
func byScore(x float64, a model.JobID, y float64, b model.JobID, newest bool) int {
	if x > y || x == y && (a < b) != newest {
		return -1
	}
	return 1
}

// sortPrimary puts jobs into the primary order.
func (e *CountedEASY) sortPrimary(v *sim.CountedView, jobs []model.JobID) {
	late := func(j model.JobID) bool { return e.UseThreshold && v.Now-v.Jobs[j].Submit > e.Threshold }
	scores := map[model.JobID]float64{}
	for _, j := range jobs {
		if e.changes {
			scores[j] = e.primaryScore(v, j)
		}
	}
	lateFirst(jobs, v.Jobs, e.Newest, late, func(a, b model.JobID) int {
		switch {
		case e.changes:
			return byScore(scores[a], a, scores[b], b, e.Newest)
		case e.own:
			return cmp.Compare(e.primary[a], e.primary[b])
		}
		return cmp.Compare(e.rank[a], e.rank[b])
	})
}

// primaryScore returns by what a job stands in a primary order that changes: the
// highest first.
func (e *CountedEASY) primaryScore(v *sim.CountedView, j model.JobID) float64 {
	if e.byScore {
		return e.score(&e.scorer, v, j)
	}
	x := expansion(v.Now, v.Jobs[j].Submit, v.Jobs[j].Limit)
	if e.Order == SEXP {
		return -x
	}
	return x
}

// values says what the primary order makes of the first jobs of the queue.
func (e *CountedEASY) values(v *sim.CountedView, f *tell.Facts) {
	order, _ := e.orders()
	for _, j := range f.Order[:min(len(f.Order), tell.MostListed)] {
		if x, ok := e.scorer.told(&order, v.Now, &v.Jobs[j], j, v.Demands); ok {
			f.Values = append(f.Values, x)
		}
	}
}

// told returns what an order by value makes of a job, for people: the wait counts
// from its submission, where a mixed score counts it from the beginning of time,
// which is the same for all jobs.
func (s *scorer) told(q *QueueOrder, now model.Time, job *model.Job, j model.JobID, demands []model.Demand) (tell.Value, bool) {
	one := tell.Value{Job: j}
	switch q.Order {
	case SEXP, LEXP:
		one.Sum = expansion(now, job.Submit, job.Limit)
	case Formula:
		x, err := s.value(now, job, j, demands)
		if err != nil {
			return one, false
		}
		one.Sum = x
	case Mixed:
		for i, w := range s.weights {
			if w == 0 {
				continue
			}
			var x float64
			switch i {
			case FeatureWait:
				x = float64(now-job.Submit) / s.scales[i]
			case FeatureExp:
				x = expScore(now, job, s.scales[i])
			default:
				x = static(i, job, s.scales[i])
			}
			one.Terms = append(one.Terms, tell.Term{Name: featureNames[i], Value: w * x})
			one.Sum += w * x
		}
	default:
		return one, false
	}
	return one, true
}

// Tell says what is planned for the jobs that wait.
func (c *CountedConservative) Tell(_ *sim.CountedView, _ []model.JobID, f *tell.Facts) {
	f.Ahead, f.Ready = true, "by planned start"
	for _, p := range c.planned {
		if f.Waits != nil {
			f.Head, f.Turn = c.planned[0].Job, report.WaitPlan
			f.Waits(p.Job)
		}
		if !f.Unpromised {
			f.Plans = append(f.Plans, tell.Plan{Job: p.Job, At: p.Start})
		}
	}
}

// Tell says where the queue stops.
func (f *FCFS) Tell(v *sim.View, decided []sim.Decision, facts *tell.Facts) {
	facts.Stops = true
	if facts.Briefly() {
		f.base.briefly(v, facts)
		facts.Shadow = model.Never
		return
	}
	facts.Ready = readyWords(f.base.first)
	for _, d := range decided {
		if d.Verb == sim.Start {
			facts.Order = append(facts.Order, d.Job)
		}
	}
	started := len(facts.Order)
	f.base.queue.each(func(j model.JobID) { facts.Order = append(facts.Order, j) })
	f.base.inFirst(v, facts.Order[started:])
}

// briefly says who is the head, what it is promised, and who else waits.
func (b *backfiller) briefly(v *sim.View, f *tell.Facts) {
	b.settle(v)
	if f.Turn = report.WaitShadow; b.prio != nil {
		f.Turn = report.WaitPriority
	}
	if b.queue.count > 0 {
		f.Head, f.Shadow = b.head, b.shadow
		b.queue.each(f.Waits)
	}
}

// Tell says who is the head, what it is promised, and in which order the others
// were tried.
func (b *backfiller) Tell(v *sim.View, decided []sim.Decision, f *tell.Facts) {
	if f.Briefly() {
		b.briefly(v, f)
		return
	}
	b.out = decided // so that it knows where those run that start now
	b.settle(v)
	b.out = nil
	lineup, _ := b.first.(*Lineup)
	if f.Ready = readyWords(b.first); b.useThreshold {
		f.Threshold = b.threshold
	}
	free, past := v.Free.Procs(), running{jobs: slices.Clone(b.running.jobs)}
	for _, d := range decided {
		switch {
		case d.Verb != sim.Start:
		case passed(v.Record, d.Job):
			past.remove(b.until[d.Job], d.Job)
			f.Tried = append(f.Tried, d.Job)
		default:
			free -= v.Needs[d.Job].Procs
			f.Order = append(f.Order, d.Job)
		}
	}
	if b.head >= 0 && b.queue.count > 0 {
		f.Head, f.Shadow = b.head, b.shadow
		if len(b.reservation.Parts) > 0 {
			where := b.reservation
			where.Parts = slices.Clone(where.Parts)
			f.Where = &where
		}
		if plain(v) && f.Shadow < model.Never && v.Needs[f.Head].Procs > free {
			_, f.Spare = past.shadow(free, v.Needs[f.Head].Procs)
		}
		b.queue.each(func(j model.JobID) {
			if j != f.Head {
				f.Tried = append(f.Tried, j)
			}
		})
		rest := slices.Clone(f.Tried)
		b.inOrder(v, f.Tried)
		b.inFirst(v, rest)
		f.Order = append(append(f.Order, f.Head), rest...)
	}
	for _, j := range f.Order[:min(len(f.Order), tell.MostListed)] {
		if b.prio != nil {
			t := b.prio.of(v, j)
			f.Values = append(f.Values, tell.Value{Job: j, Sum: t.Total, Terms: []tell.Term{{Name: "age", Value: t.Aging}, {Name: "due", Value: t.Deadline}, {Name: "licence", Value: t.Licences}, {Name: "short", Value: t.Wait}}})
		} else if lineup == nil {
			if _, ok := b.first.(*foretold); !ok {
				break
			}
			e := v.Book.Estimate(j)
			f.Values = append(f.Values, toldArea(j, &e, v.Jobs[j].Procs))
		} else if x, ok := lineup.told(v, j); ok {
			f.Values = append(f.Values, x)
		}
	}
}

// told is scorer.told with what is foretold in the place of requested times, where
// the order goes by that.
func (l *Lineup) told(v *sim.View, j model.JobID) (tell.Value, bool) {
	job := v.Jobs[j]
	if l.Order == Formula && v.Book != nil {
		l.scorer.foretold = v.Book.Seconds(j)
	} else if l.Foretold {
		job.Limit = v.Book.Seconds(j)
	}
	return l.scorer.told(&l.QueueOrder, v.Now, &job, j, v.Demands)
}

// toldArea says what is foretold of a job: p̂ in seconds, and its area.
func toldArea(j model.JobID, e *predict.Estimate, procs int32) tell.Value {
	p := predict.Exp(e.Ln)
	return tell.Value{Job: j, Sum: p * float64(procs), Terms: []tell.Term{{Name: "predicted", Value: p}}}
}

// foretoldWords say which job stands first in each of the orders that rollouts
// choose among.
var foretoldWords = [len(foresightOrders)]string{
	"smallest predicted area first", "smallest p̂ √q first", "smallest p̂ q^1.5 first", "shortest prediction first", "smallest E·H·q first",
}

// Tell says who is the head, what it is promised, and in which order the others
// were tried.
func (f *CountedForesight) Tell(v *sim.CountedView, starts []model.JobID, t *tell.Facts) {
	if t.Briefly() {
		if f.count == 0 {
			return
		}
		f.refresh()
		if t.Head, t.Turn = f.top(v), report.WaitShadow; !t.Unpromised {
			t.Shadow, _ = f.running.shadow(v.Free, v.Jobs[t.Head].Procs)
		}
		for at := range f.kinds {
			for j := f.kinds[at].first; j >= 0; j = f.next[j] {
				t.Waits(j)
			}
		}
		return
	}
	t.Ready, t.Threshold = foretoldWords[0], f.Threshold
	past, free := began(v, &f.running, starts, t)
	if f.count == 0 {
		return
	}
	f.refresh()
	t.Head = f.top(v)
	t.Shadow, t.Spare = past.shadow(free, v.Jobs[t.Head].Procs)
	of := map[model.JobID]*lot{}
	for at := range f.kinds {
		for j := f.kinds[at].first; j >= 0; j = f.next[j] {
			of[j] = &f.kinds[at]
			if j != t.Head {
				t.Tried = append(t.Tried, j)
			}
		}
	}
	late := func(j model.JobID) bool { return v.Now-v.Jobs[j].Submit > f.Threshold }
	first := len(t.Tried) - len(of) + 1 // those before have started
	rest := slices.Clone(t.Tried[first:])
	order.Stable(t.Tried[first:], func(a, b model.JobID) int {
		return byScore(-float64(of[a].backfill), a, -float64(of[b].backfill), b, f.Newest)
	})
	lateFirst(rest, v.Jobs, f.Newest, late, func(a, b model.JobID) int {
		return byScore(-float64(of[a].queue), a, -float64(of[b].queue), b, f.Newest)
	})
	t.Order = append(append(append(t.Order, t.Head), t.Tried[:first]...), rest...)
	for _, j := range t.Order[:min(len(t.Order), tell.MostListed)] {
		if of[j] != nil { // else it starts, and its prediction is no longer kept
			e := f.kernel.Estimate(j)
			t.Values = append(t.Values, toldArea(j, &e, v.Jobs[j].Procs))
		}
	}
}

// readyWords says in which order jobs stand.
func readyWords(o ordering) string {
	switch o := o.(type) {
	case *Lineup:
		return o.scorer.words(&o.QueueOrder)
	case *foretold:
		return foretoldWords[*o.order]
	case *judged:
		return "in the program's order"
	}
	return "highest priority first"
}

// plain says whether a site is one cluster of counted processors and nothing else:
// what is left over is one number then.
func plain(v *sim.View) bool {
	p := v.Site.Platform
	return len(p.Clusters) == 1 && p.Clusters[0].Packing == model.PackProcessors && len(p.Licences) == 0 && len(p.Calendar) == 0 && v.Bookings.Len() == 0 && p.Limits.None()
}

// inFirst puts jobs into the primary order.
func (b *backfiller) inFirst(v *sim.View, jobs []model.JobID) {
	late := func(j model.JobID) bool { return b.useThreshold && v.Now-v.Jobs[j].Submit > b.threshold }
	lateFirst(jobs, v.Jobs, b.newest, late, func(x, y model.JobID) int {
		if p, ok := b.first.Rank(x); ok {
			q, _ := b.first.Rank(y)
			return cmp.Compare(p, q)
		}
		if b.first.before(b.first.weigh(v, x, nil), x, b.first.weigh(v, y, nil), y) {
			return -1
		}
		return 1
	})
}

// Tell says in which order the list was gone through.
func (l *List) Tell(v *sim.View, decided []sim.Decision, f *tell.Facts) {
	if f.Briefly() {
		f.Head, f.Turn = l.head, report.WaitOrder
		for _, j := range l.queue {
			f.Waits(j)
		}
		return
	}
	f.Ready = [...]string{"oldest first", "most processors first", "shortest request first", "highest priority first", "who has used least first", "one job of each queue in turn"}[l.Order]
	f.Stops = l.Stop
	if l.asked == v.Now {
		f.Order = append(f.Order, l.order...)
	} else {
		f.Order, f.Stops = append(f.Order, l.queue...), false
	}
	if l.Order != ByUse {
		return
	}
	f.Users = func(j model.JobID) float64 { return l.used.Used(v.Jobs[j].User+1, v.Now) }
	for _, j := range f.Order[:min(len(f.Order), tell.MostListed)] {
		f.Values = append(f.Values, usedUp(j, f.Users(j)))
	}
}

// usedUp is what a job's user has used, as a column of the queue.
func usedUp(j model.JobID, seconds float64) tell.Value {
	return tell.Value{Job: j, Sum: seconds, Terms: []tell.Term{{Name: "processor-hours used", Value: seconds / 3600}}}
}

// Tell says what is reserved for whom. The reservations themselves were noted as
// they were made.
func (s *OrigBF) Tell(v *sim.View, _ []sim.Decision, f *tell.Facts) {
	if f.Briefly() {
		f.Turn, f.Plans = report.WaitPlan, append(f.Plans, tell.Plan{Job: s.promise.job, At: s.promise.at})
		for _, j := range s.waiting {
			f.Waits(j)
		}
		return
	}
	f.Ahead, f.Again, f.Ready, f.Reserve = true, len(f.Plans) > 0, "who has used least first", s.Threshold
	have := make(map[model.JobID]bool, len(f.Plans))
	for _, p := range f.Plans {
		have[p.Job] = true
	}
	for _, j := range s.waiting {
		if !have[j] {
			f.Plans = append(f.Plans, tell.Plan{Job: j, At: model.Never})
		}
	}
	f.Users = func(j model.JobID) float64 { return s.books.Used(s.user[j], v.Now) }
	for _, j := range f.Order[:min(len(f.Order), tell.MostListed)] {
		f.Values = append(f.Values, usedUp(j, f.Users(j)))
	}
}

// PlansAhead says that Tell says when jobs that wait will start.
func (s *OrigBF) PlansAhead() {}
