package lesson

import (
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/instant"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// What stands on a board at an instant is the step view's own picture, as far as it
// gives no answer away.

// picture draws a board: where time stands still as the step view draws that instant,
// with a way to it, else, or until the instant has been told, the jobs alone.
func (p *Player) picture(board *instant.Board, a *result.Background, scheduler, step int, width float64) draw.Markup {
	if board.At == nil {
		return board.SVG(width)
	}
	s, told := p.scene(board, a, scheduler, step, width)
	below, more := draw.Markup(""), 0.0
	if told && p.Placing && p.places(step) {
		below, more = p.placing(s, step)
	}
	text := board.Picture(s, below, more)
	if s.Chosen >= 0 && !p.open(step) {
		text += draw.HTML(`<p class="lesson-why">{}</p>`, s.Step.Decisions[s.Chosen].Sentence(instant.Minutes))
	}
	if told && !p.open(step) {
		text += draw.HTML(`<p class="lesson-step"><a class="link-button" href="{}">Step here</a> <span class="faint">in the laboratory; the browser’s way back leads here again</span></p>`, instant.Link(a.Ran, scheduler, s.Step.Now))
	}
	return text
}

// open reports whether a step's question waits for its answer.
func (p *Player) open(step int) bool {
	return p.Lesson.Steps[step].Ask != nil && p.Shown[step] == 0
}

// scene is the instant at which a board stands, as far as it has been told: no further
// than it may be while a question is open, then with the decision about the job that is
// looked at.
func (p *Player) scene(board *instant.Board, a *result.Background, scheduler, step int, width float64) (s *instant.Scene, told bool) {
	s = board.Scene(width)
	if now := a.Step(scheduler, *board.At); now != nil {
		p.tell(s, now, board, a, step)
		told = true
	}
	if s.From, s.To = s.Window(); p.Placing && p.places(step) { // all that can be said
		s.To = max(s.To, model.Time(p.latest(step)))
	}
	return s, told
}

// tell fills in what has been told of an instant.
func (p *Player) tell(s *instant.Scene, now *tell.Step, board *instant.Board, a *result.Background, step int) {
	reach, chosen := len(now.Decisions), -1
	if p.open(step) {
		now, reach = unasked(now, p.asked(step, a))
	}
	if now = instant.After(now, *board.At); len(now.Decisions) == 0 {
		reach = 0
	} else if !p.open(step) {
		chosen = slices.IndexFunc(now.Decisions, func(d tell.Decision) bool { return int(d.Job) == board.Job })
	}
	if p.missed(step) { // what the answer would break
		if _, d := p.broken(step); d != nil {
			c := *now
			c.Decisions, chosen = slices.Insert(slices.Clone(now.Decisions), reach, *d), reach
			now, reach = &c, reach+1
		}
	}
	s.Step, s.Reach, s.Chosen, s.Site = now, reach, chosen, a.Sites[0]
	s.H = s.Height(s.Rows(instant.BoardRow))
}

// asked are the jobs, by index, that the question of a step is about.
func (p *Player) asked(step int, a *result.Background) (list []model.JobID) {
	q := p.Lesson.Steps[step].Ask
	numbers := []int64{}
	if q.Job != nil {
		numbers = append(numbers, *q.Job)
	}
	if q.Kind == experiment.AskJob {
		numbers = append(numbers, q.Options...)
	}
	for _, n := range numbers {
		if i, ok := a.Index(n); ok {
			list = append(list, model.JobID(i))
		}
	}
	return list
}

// unasked is an instant without what is asked: told as far as the first decision about
// one of the jobs, whose planned starts, and those of all that are planned behind
// them, do not stand there either.
func unasked(s *tell.Step, jobs []model.JobID) (*tell.Step, int) {
	about := func(j model.JobID) bool { return slices.Contains(jobs, j) }
	c := *s
	c.Queue = slices.Clone(s.Queue)
	for i := range c.Queue {
		if about(c.Queue[i].Job) {
			for k := i; k < len(c.Queue); k++ {
				c.Queue[k].At, c.Queue[k].Was = model.Never, model.Never
			}
			break
		}
	}
	reach := slices.IndexFunc(s.Decisions, func(d tell.Decision) bool { return about(d.Job) })
	switch {
	case len(jobs) == 0:
		reach = 0 // it asks which scheduler: nothing of this instant is told
	case reach < 0:
		reach = len(s.Decisions)
	}
	c.Decisions = slices.Clone(s.Decisions)
	for i := range c.Decisions { // the plan that an optimiser begins with
		plan := c.Decisions[i].Plan
		if plan == nil {
			continue
		}
		if n := slices.IndexFunc(plan.Starts, func(b tell.Start) bool { return about(b.Job) }); n >= 0 || i >= reach {
			c.Decisions[i].Plan = &tell.Beginning{Climbs: plan.Climbs, How: plan.How, More: plan.More, Starts: plan.Starts[:max(0, n)]}
		}
	}
	return &c, reach
}

// jobsHTML is the table of a step's jobs: what stands there while a question about
// whole schedules is open.
func jobsHTML(a *result.Background) draw.Markup {
	text := draw.Markup(`<div class="lesson-table"><table class="numbers"><thead><tr><th>Job</th><th>comes at</th><th>processors</th><th>asks for</th></tr></thead><tbody>`)
	for i, n := range a.Jobs[0].Number {
		if i == mostJobs {
			text += draw.HTML(`<tr><td colspan="4">and {} more</td></tr>`, len(a.Jobs[0].Number)-i)
			break
		}
		text += draw.HTML(`<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>`, n, words.Minutes(int64(a.Jobs[0].Submit[i])), int(a.Jobs[0].Procs[i]), words.Minutes(int64(a.Jobs[0].Limit[i])))
	}
	return text + `</tbody></table></div><p class="faint">The schedules come with the answer.</p>`
}

// mostJobs are listed in a table beside the text.
const mostJobs = 24
