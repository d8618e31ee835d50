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
// earliest instant at which it may: from then on, where there is none before, −1
// where there is none at all beside what is placed.
func (p *Puzzle) Check(job int, at model.Time) (why string, allowed model.Time) {
	if why = p.reason(job, at); why == "" {
		return "", at
	}
	times := []model.Time{at} // nothing changes but where a job comes, starts or ends
	for i, s := range p.Start {
		if times = append(times, p.Jobs.Submit[i]); s >= 0 && i != job {
			times = append(times, s, s+p.Jobs.Run[i])
		}
	}
	slices.Sort(times)
	allowed = -1
	for _, t := range times {
		if (allowed < 0 || allowed < at) && (allowed < 0 || t >= at) && p.reason(job, t) == "" {
			allowed = t
		}
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
	start := slices.Clone(p.Start)
	start[job] = at
	return p.breach(start, job, "would keep", func(int) bool { return true })
}

// Broken says, by job, which of the jobs placed break EASY's promise, and how;
// each placement can make one of those before it do so. nil: none does.
func (p *Puzzle) Broken() (broken map[int]string) {
	if !p.Promise {
		return nil
	}
	order := p.inOrder()
	for job, s := range p.Start {
		if s < 0 {
			continue
		}
		// Of jobs that pass the head together, each is judged beside those before it.
		why := p.breach(p.Start, job, "keeps", func(other int) bool { return slices.Index(order, other) < slices.Index(order, job) })
		if why != "" {
			if broken == nil {
				broken = map[int]string{}
			}
			broken[job] = why
		}
	}
	return broken
}

// breach says how a job with a start breaks EASY's promise: it passes the head and
// the head can start only later for it, or it is the head itself and waits although
// it fits. known says which of the jobs that start at its instant have started
// before it. "": it keeps the promise.
func (p *Puzzle) breach(start []model.Time, job int, keeps string, known func(other int) bool) string {
	at := start[job]
	if head := p.head(start, job); head >= 0 {
		running := slices.Repeat([]model.Time{-1}, len(start))
		for i, s := range start {
			if i != job && i != head && s >= 0 && (s < at || s == at && known(i)) {
				running[i] = s
			}
		}
		before := p.earliest(running, head, at)
		running[job] = at
		if after := p.earliest(running, head, at); after > before {
			return fmt.Sprintf("The head, job %d, can start at %s; job %d %s it waiting until %s.", p.Jobs.Number[head], words.Minutes(int64(before)), p.Jobs.Number[job], keeps, words.Minutes(int64(after)))
		}
		return ""
	}
	// The job is the head from its submission on, or since the last one before it
	// has started, and may start wherever something has ended.
	first := p.Jobs.Submit[job]
	for _, i := range p.inOrder() {
		if i == job {
			break
		}
		first = max(first, start[i])
	}
	times := []model.Time{first}
	for i, s := range start {
		if end := s + p.Jobs.Run[i]; s >= 0 && i != job && end > first && end < at {
			times = append(times, end)
		}
	}
	slices.Sort(times)
	for _, t := range times {
		if t < at && p.free(start, t, job) >= int(p.Jobs.Procs[job]) {
			return fmt.Sprintf("Job %d is first in the queue and fits at %s; it cannot start later.", p.Jobs.Number[job], words.Minutes(int64(t)))
		}
	}
	return ""
}

// head is the job that stands first in the queue when another one starts: it was
// submitted before that one and has not started. −1: none.
func (p *Puzzle) head(start []model.Time, job int) int {
	for _, i := range p.inOrder() {
		if i == job {
			return -1
		}
		if p.Jobs.Submit[i] <= start[job] && (start[i] < 0 || start[i] > start[job]) {
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
// is the best there is. With the promise see bestKept.
func (p *Puzzle) Best() (mean float64, exact bool) {
	if p.Promise {
		return p.bestKept(), false
	}
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

// bestKept is the least mean wait that is found among schedules that keep EASY's
// promise: whoever is first in the queue starts as soon as it fits, and at each
// submission and each end the jobs behind the head may pass it or wait, in every
// way, up to bestTries steps.
func (p *Puzzle) bestKept() float64 {
	order, left := p.inOrder(), bestTries
	start := slices.Repeat([]model.Time{-1}, len(order))
	best := -1.0
	var pass func(now model.Time, from int)
	next := func(now model.Time) {
		then := model.Time(-1)
		for i, s := range start {
			t := p.Jobs.Submit[i]
			if s >= 0 {
				t = s + p.Jobs.Run[i]
			}
			if t > now && (then < 0 || t < then) {
				then = t
			}
		}
		if then >= 0 {
			pass(then, 0)
		}
	}
	pass = func(now model.Time, from int) {
		sum, waiting := model.Time(0), 0
		for i, s := range start {
			if s < 0 {
				s = max(now, p.Jobs.Submit[i])
				waiting++
			}
			sum += s - p.Jobs.Submit[i]
		}
		switch mean := float64(sum) / float64(len(start)); {
		case left == 0 || best >= 0 && mean >= best: // nor will it get better
			return
		case waiting == 0:
			best = mean
			return
		}
		left--
		for k := from; k < len(order); k++ {
			job := order[k]
			if start[job] >= 0 || p.Jobs.Submit[job] > now || p.free(start, now, job) < int(p.Jobs.Procs[job]) {
				continue
			}
			start[job] = now
			if first := p.head(start, job) < 0; first || p.breach(start, job, "", func(int) bool { return true }) == "" {
				pass(now, k+1)
				if first {
					start[job] = -1
					return // it cannot wait
				}
			}
			start[job] = -1
		}
		next(now)
	}
	pass(0, 0)
	return best
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
