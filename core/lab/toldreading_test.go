//go:build !small

package lab

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/tell"
)

// reading is the state of the machine as a reader of steps knows it.
type reading struct {
	t     *testing.T
	name  string
	plain bool // one machine of counted processors: numbers are read a second time
	jobs  map[int64]*model.Job
	runs  map[int64]held
	plans map[int64]model.Time // planned starts after the instant before
	begun map[int64][]model.Time
	over  map[int64]bool // has ended
	users int            // how often a user who reacts was told of
	kept  int            // moves of optimisers that were told
}

type held struct {
	until model.Time
	procs int32
}

func (r *reading) failf(s *tell.Step, format string, args ...any) {
	r.t.Helper()
	text, _ := json.MarshalIndent(s, "", " ")
	r.t.Fatalf("%s, instant %d at %d: %s\n%s", r.name, s.Index, s.Now, fmt.Sprintf(format, args...), text)
}

func (r *reading) busy() (n int32) {
	for _, h := range r.runs {
		n += h.procs
	}
	return n
}

// shadow reads rule 8: when so many processors are free by the requested ends, and
// how many are then left over.
func (r *reading) shadow(free, needs int32, more ...held) (at model.Time, spare int32) {
	var list []held
	for _, h := range r.runs {
		list = append(list, h)
	}
	list = append(list, more...)
	slices.SortFunc(list, func(a, b held) int { return int(a.until - b.until) })
	for i := 0; i < len(list); i++ {
		if free += list[i].procs; free >= needs && (i+1 == len(list) || list[i+1].until > list[i].until) {
			return list[i].until, free - needs
		}
	}
	return model.Never, 0
}

// step applies what is told of an instant, and reads its numbers a second time.
func (r *reading) step(s *tell.Step) {
	for _, e := range s.Ended {
		if _, runs := r.runs[e.Number]; !runs || e.Start >= model.Never {
			r.failf(s, "job %d ends and did not run", e.Number)
		}
		delete(r.runs, e.Number)
		r.over[e.Number] = true
	}
	for _, n := range s.Back {
		delete(r.runs, n)
		delete(r.over, n)
	}
	for i := range s.Users {
		u := &s.Users[i]
		if u.Until < model.Never || u.Thinks < model.Never && (u.Thinks > s.Now || len(u.Waits) > 0) {
			r.failf(s, "user %d thinks until a time that nobody knows, or has not begun", u.User)
		}
		for _, n := range u.Waits {
			if job := r.jobs[n]; r.over[n] || job.User != u.User || job.Submit > s.Now {
				r.failf(s, "user %d does not wait for job %d", u.User, n)
			}
		}
		r.users++
	}
	free := s.Procs - r.busy()
	if r.plain && free != s.Free {
		r.failf(s, "%d processors are free, told are %d", free, s.Free)
	}
	r.moves(s)
	if s.Waits != len(s.Queue) && s.Waits <= tell.MostListed && !strings.Contains(r.name, "pppd") {
		r.failf(s, "%d jobs wait, and %d are listed", s.Waits, len(s.Queue))
	}
	free = s.Free
	var head *tell.Decision
	spare := int32(-1)
	for i := range s.Decisions {
		d := &s.Decisions[i]
		job := r.jobs[d.Number]
		if d.Job < 0 || d.Kind == tell.Note {
			continue
		}
		if r.plain && d.Free != free {
			r.failf(s, "decision %d: %d are free at its turn, told are %d", i, free, d.Free)
		}
		if d.Needs != job.Procs || d.Limit != job.Limit || d.Fresh != (job.Submit == s.Now) && d.Kind != tell.Offer && d.Kind != tell.Accept && d.Kind != tell.Send && d.Kind != tell.Books && d.Kind != tell.Refuses && d.Kind != tell.Decline {
			r.failf(s, "decision %d is not about such a job", i)
		}
		if d.Kind.Begins() {
			r.begun[d.Number] = append(r.begun[d.Number], s.Now)
			if r.plain {
				if _, runs := r.runs[d.Number]; runs || job.Submit > s.Now {
					r.failf(s, "job %d cannot start", d.Number)
				}
				if d.Needs > free {
					r.failf(s, "job %d starts on more than is free", d.Number)
				}
			}
		}
		switch d.Kind {
		case tell.Stop, tell.Suspend, tell.End:
			free += r.runs[d.Number].procs
			delete(r.runs, d.Number)
		}
		if r.plain {
			r.numbers(s, d, head, free, &spare)
		}
		if d.Kind == tell.Head {
			head, spare = d, d.Spare
		}
		if d.Kind.Begins() {
			r.runs[d.Number] = held{d.Ends, d.Needs}
			free -= d.Needs
		}
		r.words(s, d)
	}
	clear(r.plans)
	for _, q := range s.Queue {
		if !q.Kind.Begins() && q.At < model.Never {
			r.plans[q.Number] = q.At
		}
	}
}

// holds reads which jobs are told not to be eligible, and that no time is named there
// that is past; it returns how many.
func (r *reading) holds(s *tell.Step, schedule *model.Schedule) int {
	told := map[int64]bool{}
	for i := range s.Held {
		h := &s.Held[i]
		told[h.Number] = true
		if h.Text == "" || h.Submit > s.Now {
			r.failf(s, "job %d is told to wait for %q", h.Number, h.Text)
		}
		tell.Fill(h.Text, func(at model.Time) string {
			if at <= s.Now {
				r.failf(s, "job %d waits for what is past: %q", h.Number, h.Text)
			}
			return ""
		})
	}
	for i := range schedule.Executions {
		e := &schedule.Executions[i]
		if n := schedule.Workload.Jobs[e.Job].Number; !e.Reason.Unserved() && e.Attempt == 0 && told[n] != (schedule.Workload.Submitted[e.Job] <= s.Now && s.Now < e.Submit) {
			r.failf(s, "job %d is submitted at %d and eligible at %d", n, schedule.Workload.Submitted[e.Job], e.Submit)
		}
	}
	return len(told)
}

// moves reads what an optimiser kept: each move begins with what the one before came
// to, and where all are told, they come to what is said of all together. A makespan is
// that of what runs and is planned.
func (r *reading) moves(s *tell.Step) {
	last, moves := map[string]float64{}, 0
	for i := range s.Decisions {
		d := &s.Decisions[i]
		var scores []tell.Score
		switch {
		case d.Moved != nil:
			moves++
			m := d.Moved
			if scores = m.Scores; len(m.Scores) == 0 || len(m.Jobs) == 0 || moves > m.Which {
				r.failf(s, "move %d moves or gains nothing", m.Which)
			}
			for _, n := range m.Jobs {
				rejected := slices.ContainsFunc(s.Decisions, func(d tell.Decision) bool { return d.Number == n && (d.Kind == tell.Reject || d.Kind == tell.Leaves) })
				if !slices.ContainsFunc(s.Queue, func(q tell.Waiting) bool { return q.Number == n }) && s.Waits <= tell.MostListed && !rejected {
					r.failf(s, "move %d moves job %d, which does not wait", m.Which, n)
				}
			}
		case d.Improved != nil:
			kept := d.Improved.Kept
			if scores = d.Improved.Scores; moves > kept || moves < min(kept, 12) {
				r.failf(s, "%d moves are told, and %d were kept", moves, kept)
			}
			r.kept += moves
		}
		for _, score := range scores {
			before, ok := last[score.Name]
			if d.Kind == tell.Move && ok && score.Old != before || d.Kind == tell.Improve && ok && d.Improved.Kept <= moves && score.New != before {
				r.failf(s, "%s was %v before %q", score.Name, before, d.Sentence(nil))
			}
			last[score.Name] = score.New
			if score.Name != "makespan" || d.Kind == tell.Move || !r.plain || strings.Contains(r.name, "prediction") {
				continue
			}
			end := s.Now
			for _, run := range s.Runs {
				end = max(end, run.Until)
			}
			for i := range s.Queue {
				if q := &s.Queue[i]; q.Kind.Begins() {
					end = max(end, s.Now+q.Limit)
				} else if q.At < model.Never {
					end = max(end, q.At+q.Limit)
				}
			}
			if end-s.Now != model.Time(score.New) {
				r.failf(s, "the plan ends after %d s", end-s.Now)
			}
		}
	}
}

// numbers reads the numbers of a decision again from what runs and waits.
func (r *reading) numbers(s *tell.Step, d, head *tell.Decision, free int32, spare *int32) {
	job := r.jobs[d.Number]
	if d.Ends != s.Now+job.Limit && d.Ends != model.Never {
		r.failf(s, "job %d would end at %d, told is %d", d.Number, s.Now+job.Limit, d.Ends)
	}
	switch d.Kind {
	case tell.Head:
		at, left := r.shadow(free, job.Procs)
		if at != d.At || left != d.Spare || job.Procs <= free {
			r.failf(s, "the head %d is promised %d with %d left over", d.Number, at, left)
		}
		must := 0
		for _, h := range r.runs {
			if h.until <= at {
				must++
			}
		}
		if must != len(d.Frees)+d.More {
			r.failf(s, "%d jobs must have ended", must)
		}
		for _, n := range d.Frees {
			if h, ok := r.runs[n]; !ok || h.until > at {
				r.failf(s, "job %d need not have ended", n)
			}
		}
	case tell.Before:
		if d.Ends > d.At || d.At != head.At || d.Head != head.Number {
			r.failf(s, "job %d does not end before the head", d.Number)
		}
	case tell.Beside:
		if d.Ends <= d.At || d.At != head.At || d.Head != head.Number || d.Spare != *spare || d.Needs > *spare {
			r.failf(s, "job %d does not fit beside the head: %d left over", d.Number, *spare)
		}
		*spare -= d.Needs
	case tell.Delays:
		late, _ := r.shadow(free-d.Needs, r.jobs[head.Number].Procs, held{d.Ends, d.Needs})
		if d.Needs > free || d.Spare != *spare || d.Head != head.Number || late-head.At != d.Late || d.Late <= 0 {
			r.failf(s, "job %d would delay the head by %d", d.Number, late-head.At)
		}
	case tell.TooWide, tell.Stops:
		if d.Needs <= free {
			r.failf(s, "job %d fits", d.Number)
		}
	case tell.New, tell.Earlier, tell.Later, tell.Stays, tell.Planned:
		was, ok := r.plans[d.Number]
		if !ok {
			was = model.Never
		}
		if strings.Contains(r.name, `"grid"`) {
			break // its providers do not tell their plans
		}
		if was != d.Was || d.Kind == tell.Earlier && d.At >= was || d.Kind == tell.Later && d.At <= was || d.Kind == tell.Stays && d.At != was {
			r.failf(s, "job %d was planned for %d", d.Number, was)
		}
		if d.Kind == tell.Planned && d.At != s.Now {
			r.failf(s, "job %d is planned for now", d.Number)
		}
		r.plans[d.Number] = d.At
	}
}

var numbersTold = regexp.MustCompile(`[TS]?\d+`)

// words reads a decision's sentence: no number stands there that is not one of the
// decision's, or of what is known of the instant.
func (r *reading) words(s *tell.Step, d *tell.Decision) {
	w := &tell.Words{
		Time: func(t model.Time) string { return "T" + strconv.Itoa(int(t)) },
		Span: func(t model.Time) string { return "S" + strconv.Itoa(int(t)) },
	}
	known := map[string]bool{}
	count := func(list ...int64) {
		for _, n := range list {
			known[strconv.FormatInt(n, 10)] = true
		}
	}
	times := func(list ...model.Time) {
		for _, at := range list {
			known["T"+strconv.Itoa(int(at))] = true
		}
	}
	job := r.jobs[d.Number]
	count(d.Number, int64(job.Procs), int64(d.Free), d.Head, int64(d.Spare), int64(d.Spare)-int64(job.Procs), int64(d.Spare)+int64(job.Procs), int64(d.More), int64(len(d.Parts)))
	count(d.Frees...)
	for _, b := range d.Bound {
		count(int64(b.Held), int64(b.Most), int64(b.User), int64(b.More))
		count(b.By...)
		known["S"+strconv.Itoa(int(b.Longer))] = true
	}
	for k, list := range [...][]tell.Taken{d.Taken, d.Until} {
		for _, t := range list {
			count(t.Number, int64(t.Procs), int64(len(list)-1), int64(len(list)-3))
			if times(t.From, t.To); k == 0 && t.To <= s.Now {
				r.failf(s, "%+v is past", t)
			}
			for _, n := range numbersTold.FindAllString(t.Name+" "+strings.Join(t.On, " "), -1) {
				known[n] = true
			}
		}
	}
	for _, n := range numbersTold.FindAllString(d.Title, -1) {
		known[n] = true
	}
	if d.Lack != nil {
		for _, h := range d.Lack.On {
			count(h.Free, h.Of, h.Free/1e9, h.Of/1e9)
			for _, n := range numbersTold.FindAllString(h.Name, -1) {
				known[n] = true
			}
		}
		count(int64(d.Lack.More))
	}
	if d.Asks != nil {
		count(int64(d.Asks.GPUs), d.Asks.Mem/1e9)
	}
	if d.Used != nil {
		count(int64(d.Used.User))
		for _, n := range numbersTold.FindAllString(strconv.FormatFloat(d.Used.Seconds/3600, 'g', 4, 64), -1) {
			known[n] = true
		}
	}
	times(s.Now, d.At, d.Was, d.Ends, d.From, d.To)
	named := ""
	if l := d.Licence; l != nil {
		count(int64(l.Needs), int64(l.Free), int64(l.Of))
		named = l.Name
	}
	if p := d.Provider; p != nil {
		count(int64(len(p.Slots)), int64(p.Queue), int64(p.Free))
		for _, slot := range p.Slots {
			count(int64(slot.Least))
			times(slot.At, slot.When)
		}
		named = p.Name
	}
	for _, span := range []model.Time{job.Limit, d.Late, d.Waited, d.Over, d.Was - d.At, d.At - d.Was} {
		known["S"+strconv.Itoa(int(span))] = true
	}
	text := d.Sentence(w)
	for _, found := range numbersTold.FindAllString(strings.TrimPrefix(text, named), -1) {
		if !known[found] {
			r.failf(s, "%q tells %s, which nobody knows", text, found)
		}
	}
	if !strings.HasPrefix(text, d.Subject()) || !strings.HasSuffix(text, ".") {
		r.failf(s, "%q is no sentence about %s", text, d.Subject())
	}
	if tag, _ := d.Verdict(w); tag == "" {
		r.failf(s, "%q has no verdict", text)
	}
}
