package workload

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
)

// What a draw is made of (catalog.ResampleParams).
const (
	ByWeeks = "weeks" // weeks of the log, in blocks, one behind the other
	ByUsers = "users" // streams of its users, moved by whole weeks
	ByShake = "shake" // the same jobs, each submitted a little earlier or later
)

// Resample says how other workloads are drawn from the jobs of a log.
//
// Weeks: the span is filled, from its begin, with blocks of whole weeks of the
// log, each drawn with the same probability and with replacement (the block
// bootstrap; H. R. Künsch, The jackknife and the bootstrap for general
// stationary observations, The Annals of Statistics 17(3), 1989). A block that
// reaches past the last whole week goes on with the first; the last one is cut
// where the log ends.
//
// Users: after N. Zakay and D. G. Feitelson, Workload resampling for performance
// evaluation of parallel job schedulers, ICPE 2013. The log is divided into the
// streams of its users; as many of them are drawn as there are, with
// replacement, and each is moved by a whole number of weeks, so that everyone
// keeps the hours of the day and the days of the week. Long-term users, whose
// first and last submission lie LongTerm weeks or more apart, and temporary ones
// are drawn by themselves, so that each draw has as many of either as the log.
// That streams are moved on a circle, so that the load stays the log's, is ours.
//
// Shake: each job is submitted up to Jitter seconds earlier or later, every
// second being as likely, after D. Tsafrir, K. Ouaknine and D. G. Feitelson,
// Reducing performance evaluation sensitivity and variability by input shaking,
// MASCOTS 2007.
type Resample struct {
	By       string     // ByWeeks, ByUsers or ByShake
	Block    int        // weeks in one block, at least 1
	LongTerm int        // weeks between first and last submission that make a long-term user, at least 1
	Jitter   model.Time // seconds, at least 1
	Random   *rand.Rand // the stream of the draw; nil: the workload itself, if others could be drawn from it

	// Pieces is set by Draw: of how many pieces of about the same weight the
	// workload consists, which intervals depend on. That is its whole weeks ÷ the
	// weeks of a block, or (Σ a)² ÷ Σ a² where a is the work of each user; 0 for
	// what is no sample of anything.
	Pieces float64
}

// Extent says of what a workload consists that can be drawn.
type Extent struct {
	First model.Time // the first submission, where weeks begin
	Span  model.Time // from there behind the last submission
	Whole int        // whole weeks in it
	Weeks int        // weeks in it, an incomplete last one included
	Users int        // users with a number
}

// ExtentOf measures a workload.
func ExtentOf(w *model.Workload) Extent {
	first, last := w.Span()
	e := Extent{First: first, Span: last - first + 1}
	e.Whole = int(e.Span / Week)
	e.Weeks = int((e.Span + Week - 1) / Week)
	users := map[int32]bool{}
	for i := range w.Jobs {
		if u := w.Jobs[i].User; u >= 0 {
			users[u] = true
		}
	}
	e.Users = len(users)
	return e
}

// Draw returns a workload drawn from w, which is not changed. Jobs of weeks and
// users are numbered from 1 in order of their submissions; Job.Record still says
// which line of the log a job is. It fails where nothing can be drawn: a log of
// less than two whole weeks has no other week, one without users no other user.
func (r *Resample) Draw(w *model.Workload) (*model.Workload, error) {
	e := ExtentOf(w)
	if e.Weeks > MaxWindows && r.By != ByShake {
		return nil, drawError("the jobs span %d weeks, more than %d", e.Weeks, MaxWindows)
	}
	switch {
	case r.By == ByWeeks && e.Whole < 2:
		return nil, drawError("the jobs span %s: other weeks are drawn from at least two whole ones, 14 days", days(e.Span))
	case r.By == ByUsers && e.Users < 2:
		return nil, drawError("the workload names %s: other users are drawn from at least two", count(e.Users, "user"))
	}
	var draw func(*model.Workload, Extent) *model.Workload
	switch r.By {
	case ByWeeks:
		draw, r.Pieces = r.weeks, float64(e.Whole)/float64(r.Block)
	case ByUsers:
		draw, r.Pieces = r.users, usersAlike(w)
	case ByShake:
		draw = r.shake
	default:
		return nil, drawError("%q: weeks, users or shake is expected", r.By)
	}
	if r.Random == nil {
		return w, nil
	}
	out := draw(w, e)
	for len(out.Jobs) == 0 { // weeks of silence alone; the first week has a job
		out = draw(w, e)
	}
	order(out) // by the numbers of the log, within one second
	if r.By == ByShake {
		return out, nil
	}
	for i := range out.Jobs {
		out.Jobs[i].Number = int64(i) + 1
	}
	return out, nil
}

// DrawError says why nothing can be drawn from a workload.
type DrawError struct{ text string }

func (e DrawError) Error() string { return e.text }

func drawError(format string, args ...any) error { return DrawError{fmt.Sprintf(format, args...)} }

// usersAlike returns (Σ a)² ÷ Σ a², where a is the work of each user: how many
// users with the same work would vary as much.
func usersAlike(w *model.Workload) float64 {
	area := map[int32]float64{}
	users := []int32{} // in order, so that sums do not depend on a map's
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if _, known := area[j.User]; !known {
			users = append(users, j.User)
		}
		area[j.User] += float64(j.Procs) * float64(w.Executed(model.JobID(i)))
	}
	sum, squares := 0.0, 0.0
	for _, u := range users {
		sum += area[u]
		squares += float64(area[u] * area[u])
	}
	return float64(sum*sum) / squares
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func days(t model.Time) string { return fmt.Sprintf("%.1f days", float64(t)/86400) }

// emptied returns w without its jobs, with room for as many.
func emptied(w *model.Workload) *model.Workload {
	out := *w
	out.Jobs, out.Truth = make([]model.Job, 0, len(w.Jobs)), make([]model.Truth, 0, len(w.Jobs))
	return &out
}

// add appends job i of w, submitted at another time by another user.
func add(out, w *model.Workload, i int, submit model.Time, user int32) {
	j := w.Jobs[i]
	j.Submit, j.User = submit, user
	out.Jobs = append(out.Jobs, j)
	out.Truth = append(out.Truth, w.Truth[i])
}

// weeks fills the span with blocks of weeks.
func (r *Resample) weeks(w *model.Workload, e Extent) *model.Workload {
	begin := make([]int, e.Whole+1) // of each whole week: its first job
	for i := range begin {
		from := e.First + model.Time(i)*Week
		begin[i], _ = slices.BinarySearchFunc(w.Jobs, from, func(j model.Job, t model.Time) int { return cmp.Compare(j.Submit, t) })
	}
	out := emptied(w)
	from := 0
	for slot := range e.Weeks {
		if slot%r.Block == 0 {
			from = r.Random.IntN(e.Whole)
		} else {
			from = (from + 1) % e.Whole
		}
		moved := model.Time(slot-from) * Week
		for i := begin[from]; i < begin[from+1]; i++ {
			if at := w.Jobs[i].Submit + moved; at < e.First+e.Span {
				add(out, w, i, at, w.Jobs[i].User)
			}
		}
	}
	return out
}

// stream is the jobs of one user.
type stream struct {
	user int32
	jobs []int // indices, in order of submission
}

// users draws as many streams of long-term and of temporary users as there are.
// Jobs without a user are one stream. A stream that is drawn again is another
// user, with a number of its own.
func (r *Resample) users(w *model.Workload, e Extent) *model.Workload {
	var streams []stream // in order of their first jobs
	at := map[int32]int{}
	next := int32(0)
	for i := range w.Jobs {
		u := w.Jobs[i].User
		k, known := at[u]
		if !known {
			k = len(streams)
			at[u] = k
			streams = append(streams, stream{user: u})
			next = max(next, u+1)
		}
		streams[k].jobs = append(streams[k].jobs, i)
	}
	var kinds [2][]int // long-term and temporary ones
	for k, s := range streams {
		stay := w.Jobs[s.jobs[len(s.jobs)-1]].Submit - w.Jobs[s.jobs[0]].Submit
		kind := 1
		if stay >= model.Time(r.LongTerm)*Week {
			kind = 0
		}
		kinds[kind] = append(kinds[kind], k)
	}
	out := emptied(w)
	drawn := make([]bool, len(streams))
	for _, kind := range kinds {
		for range kind {
			k := kind[r.Random.IntN(len(kind))]
			user := streams[k].user
			if drawn[k] && user >= 0 {
				user = next
				next++
			}
			drawn[k] = true
			r.move(out, w, e, streams[k].jobs, user)
		}
	}
	return out
}

// move adds a stream, moved by a whole number of weeks on the circle of the
// log's weeks. Where a job would come behind the log's end, in the part that its
// last week lacks, it goes to another week, the same for the whole stream, so
// that no job is lost and every week gets as many as any other.
func (r *Resample) move(out, w *model.Workload, e Extent, jobs []int, user int32) {
	weeks := model.Time(e.Weeks)
	shift, other := model.Time(r.Random.IntN(e.Weeks)), model.Time(r.Random.IntN(max(1, e.Weeks-1)))
	for _, i := range jobs {
		t := w.Jobs[i].Submit - e.First
		week, rest := t/Week, t%Week
		if week = (week + shift) % weeks; week*Week+rest >= e.Span {
			week = other
		}
		add(out, w, i, e.First+week*Week+rest, user)
	}
}

// shake moves every submission by itself, never before the first one of w.
func (r *Resample) shake(w *model.Workload, e Extent) *model.Workload {
	out := *w
	out.Jobs, out.Truth = slices.Clone(w.Jobs), slices.Clone(w.Truth)
	for i := range out.Jobs {
		by := model.Time(r.Random.Int64N(2*int64(r.Jitter)+1)) - r.Jitter
		out.Jobs[i].Submit = max(e.First, out.Jobs[i].Submit+by)
	}
	return &out
}
