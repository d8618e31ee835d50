package cases

import (
	"fmt"
	"slices"
	"sort"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Puzzle is a case whose jobs the reader places: each in a tray until it has a
// start.
type Puzzle struct {
	Processors int
	Jobs       *report.Jobs
	Start      []model.Time // by job, −1 while it is in the tray
	Promise    bool         // nobody may delay the head, as under EASY
}

// NewPuzzle makes a puzzle of a table; why says where that cannot be: where jobs
// end before their request a reader would have to know it.
func NewPuzzle(t *Table) (p *Puzzle, why string) {
	in := t.inline()
	plain := t.Doc.Clone()
	plain.Platform = experiment.New().Platform
	plain.Workload = experiment.New().Workload
	plain.Workload.Source = t.Doc.Workload.Source
	if in.Processors == 0 || plain.Identity() != t.Doc.Identity() {
		return nil, "Only plain jobs on one machine that counts processors can be placed by hand, without limits, deadlines and users who react."
	}
	if len(in.Rows) > 24 {
		return nil, "Only cases of up to 24 jobs can be placed by hand."
	}
	p = &Puzzle{Processors: int(in.Processors), Jobs: &report.Jobs{}}
	at := func(row []int64, key string) int64 {
		if i := slices.Index(in.Columns, key); i >= 0 {
			return row[i]
		}
		return -1
	}
	for i, row := range in.Rows {
		run, limit := at(row, "run"), at(row, "requested")
		if limit <= 0 {
			limit = run
		}
		if run != limit || run <= 0 || at(row, "procs") < 1 || at(row, "procs") > in.Processors {
			return nil, "In this case jobs do not run for as long as they ask for: nobody could place them without knowing the future."
		}
		p.Jobs.Number = append(p.Jobs.Number, int64(i)+1)
		p.Jobs.Submit = append(p.Jobs.Submit, model.Time(at(row, "submit")))
		p.Jobs.Procs = append(p.Jobs.Procs, int32(at(row, "procs")))
		p.Jobs.Run = append(p.Jobs.Run, model.Time(run))
		p.Jobs.Limit = append(p.Jobs.Limit, model.Time(limit))
		p.Start = append(p.Start, -1)
	}
	return p, ""
}

// Rivals are the jobs of the table under the schedulers that a reader's schedule is
// set beside.
func (t *Table) Rivals() *experiment.Experiment {
	doc := t.Doc.Clone()
	doc.Schedulers = nil
	for _, key := range [...]string{"fcfs", "easy", "conservative"} {
		s, _ := experiment.NewScheduler(key) // they are in the catalog
		doc.Schedulers = append(doc.Schedulers, s)
	}
	return doc
}

// free is how many processors are free from t on, just after what happens at t,
// of the jobs with a start; job without is left out.
func (p *Puzzle) free(start []model.Time, t model.Time, without int) int {
	n := p.Processors
	for i, s := range start {
		if i != without && s >= 0 && s <= t && t < s+p.Jobs.Run[i] {
			n -= int(p.Jobs.Procs[i])
		}
	}
	return n
}

// clash is the first instant of [from, from+run) at which a job does not fit
// beside the others; ok is false when it fits throughout.
func (p *Puzzle) clash(start []model.Time, job int, from model.Time) (at model.Time, ok bool) {
	times := []model.Time{from}
	for i, s := range start {
		if i != job && s > from && s < from+p.Jobs.Run[job] {
			times = append(times, s)
		}
	}
	slices.Sort(times)
	for _, t := range times {
		if p.free(start, t, job) < int(p.Jobs.Procs[job]) {
			return t, true
		}
	}
	return 0, false
}

// earliest is the earliest start of a job, from an instant on, beside the others.
func (p *Puzzle) earliest(start []model.Time, job int, from model.Time) model.Time {
	from = max(from, p.Jobs.Submit[job])
	times := []model.Time{from}
	for i, s := range start {
		if end := s + p.Jobs.Run[i]; i != job && s >= 0 && end > from {
			times = append(times, end)
		}
	}
	slices.Sort(times)
	for _, t := range times {
		if _, no := p.clash(start, job, t); !no {
			return t
		}
	}
	return times[len(times)-1] // not reached: after the last end all is free
}

// Check says why a job may not start at an instant, "" when it may, and the
// earliest instant from then on at which it may.
func (p *Puzzle) Check(job int, at model.Time) (why string, allowed model.Time) {
	why = p.reason(job, at)
	if why == "" {
		return "", at
	}
	allowed = p.earliest(p.Start, job, at)
	for range 4 * len(p.Start) { // promises end one after the other
		if p.reason(job, allowed) == "" {
			break
		}
		next := model.Time(-1)
		for i, s := range p.Start {
			for _, t := range []model.Time{s, s + p.Jobs.Run[i]} {
				if s >= 0 && i != job && t > allowed && (next < 0 || t < next) {
					next = t
				}
			}
		}
		if next < 0 {
			break
		}
		allowed = p.earliest(p.Start, job, next)
	}
	return why, allowed
}

func (p *Puzzle) reason(job int, at model.Time) string {
	name := words.Int(p.Jobs.Number[job])
	if submit := p.Jobs.Submit[job]; at < submit {
		return "Job " + name + " is not submitted before " + words.Minutes(int64(submit)) + "."
	}
	if t, no := p.clash(p.Start, job, at); no {
		n, are := p.free(p.Start, t, job), "are"
		if n == 1 {
			are = "is"
		}
		return fmt.Sprintf("At %s %d of %d processors %s free; job %s needs %d.", words.Minutes(int64(t)), n, p.Processors, are, name, p.Jobs.Procs[job])
	}
	if !p.Promise {
		return ""
	}
	head := p.head(job, at)
	if head < 0 {
		return ""
	}
	// The head's promise as EASY makes it at that instant: by what has started.
	known := slices.Repeat([]model.Time{-1}, len(p.Start))
	for i, s := range p.Start {
		if i != job && i != head && s >= 0 && s <= at {
			known[i] = s
		}
	}
	before := p.earliest(known, head, at)
	known[job] = at
	if after := p.earliest(known, head, at); after > before {
		return fmt.Sprintf("The head, job %d, can start at %s; job %s would keep it waiting until %s.", p.Jobs.Number[head], words.Minutes(int64(before)), name, words.Minutes(int64(after)))
	}
	return ""
}

// head is the job that stands first in the queue when another wants to start:
// submitted before that one and not started. −1: none.
func (p *Puzzle) head(job int, at model.Time) int {
	for _, i := range p.inOrder() {
		if i == job {
			return -1
		}
		if p.Jobs.Submit[i] <= at && (p.Start[i] < 0 || p.Start[i] > at) {
			return i
		}
	}
	return -1
}

// inOrder are the jobs in order of submission and number.
func (p *Puzzle) inOrder() []int {
	order := make([]int, len(p.Start))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return p.Jobs.Submit[order[a]] < p.Jobs.Submit[order[b]] })
	return order
}

// Place starts a job at an instant, if it may; else it says why not.
func (p *Puzzle) Place(job int, at model.Time) (why string) {
	if why, _ = p.Check(job, at); why == "" {
		p.Start[job] = at
	}
	return why
}

// Take puts a job back into the tray.
func (p *Puzzle) Take(job int) { p.Start[job] = -1 }

// whole is the schedule with every job: those in the tray follow in order of
// submission, each at its earliest beside all others.
func (p *Puzzle) whole(start []model.Time) []model.Time {
	all := slices.Clone(start)
	for _, i := range p.inOrder() {
		if all[i] < 0 {
			all[i] = p.earliest(all, i, 0)
		}
	}
	return all
}

// Score is the mean and the longest wait over all jobs, those of the tray as
// whole puts them, in seconds.
func (p *Puzzle) Score() (mean float64, longest model.Time) { return p.score(p.whole(p.Start)) }

func (p *Puzzle) score(start []model.Time) (mean float64, longest model.Time) {
	sum := model.Time(0)
	for i, s := range start {
		wait := s - p.Jobs.Submit[i]
		sum += wait
		longest = max(longest, wait)
	}
	return float64(sum) / float64(len(start)), longest
}

// Tries of Best where not all orders can be looked at.
const bestTries = 20_000

// Best is the least mean wait that a search finds: every order of the jobs, each
// job at its earliest in turn, which holds a best schedule; beyond seven jobs a
// fixed number of swaps, so that it is the best found, and exact says whether it
// is the best there is.
func (p *Puzzle) Best() (mean float64, exact bool) {
	n := len(p.Start)
	order := p.inOrder()
	try := func() float64 {
		start := slices.Repeat([]model.Time{-1}, n)
		for _, i := range order {
			start[i] = p.earliest(start, i, 0)
		}
		m, _ := p.score(start)
		return m
	}
	best := try()
	if n <= 7 {
		var all func(k int)
		all = func(k int) {
			if k == n {
				best = min(best, try())
				return
			}
			for i := k; i < n; i++ {
				order[k], order[i] = order[i], order[k]
				all(k + 1)
				order[k], order[i] = order[i], order[k]
			}
		}
		all(0)
		return best, true
	}
	state := uint64(1) // a fixed sequence: the same best for everyone
	next := func(below int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state>>33) % below
	}
	for range bestTries / n {
		i, k := next(n), next(n)
		order[i], order[k] = order[k], order[i]
		if m := try(); m <= best {
			best = m
		} else {
			order[i], order[k] = order[k], order[i]
		}
	}
	return best, false
}

// Columns is what has been placed, as a board draws it: each job on the lowest
// processors that are free for all of its run.
func (p *Puzzle) Columns() *report.Columns {
	c := &report.Columns{}
	var placed []int
	for i, s := range p.Start {
		c.Start, c.End = append(c.Start, s), append(c.End, -1)
		if s >= 0 {
			c.End[i] = s + p.Jobs.Run[i]
			placed = append(placed, i)
		}
	}
	sort.SliceStable(placed, func(a, b int) bool { return p.Start[placed[a]] < p.Start[placed[b]] })
	until := make([]model.Time, p.Processors) // by processor: when what holds it ends
	for _, i := range placed {
		left := int(p.Jobs.Procs[i])
		for q := 0; q < p.Processors && left > 0; q++ {
			if until[q] > p.Start[i] {
				continue
			}
			until[q] = c.End[i]
			left--
			if k := len(c.Spans) - 1; k >= 0 && c.Spans[k].Job == int32(i) && int(c.Spans[k].First+c.Spans[k].Count) == q {
				c.Spans[k].Count++
			} else {
				c.Spans = append(c.Spans, report.Span{Job: int32(i), First: int32(q), Count: 1})
			}
		}
	}
	return c
}
