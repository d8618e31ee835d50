//go:build js

package step

import (
	"fmt"
	"strconv"

	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/instant"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// What stands on the screen.

// render writes everything that stands on the screen.
func (s *step) render() {
	now, w := s.shown(), instant.Words(s.Clock(), s.clock)
	draw.Show(s.message, false)
	draw.Show(s.body, true)
	draw.Attr(s.Root, "data-two", strconv.FormatBool(s.two()))
	draw.Attr(s.twoButton, "aria-pressed", strconv.FormatBool(s.two()))
	draw.Show(s.twoButton, s.Store.Schedulers() > 1)
	decision := fmt.Sprintf("decision %d of %d", s.reach, len(now.Decisions))
	if len(now.Decisions) == 0 {
		decision = "no decision"
	}
	day := ""
	if p := s.Store.ShownWorkload(); p != nil {
		if day = instant.DayAmong(s.Clock(), now.Now, p.First, p.Last); day != "" {
			day += " "
		}
	}
	draw.Put(s.where, draw.HTML(`{}<b>{}</b> <span class="hide-p">instant {} of {} · </span>{}`, day, w.Time(now.Now), words.Int(s.now.Index+1), words.Int(now.Total), decision))
	if !draw.Doc.Get("activeElement").Equal(s.goTo) {
		s.goTo.Set("value", w.Time(now.Now))
	}
	for _, p := range s.panes {
		if p.run != nil && p.got != nil {
			s.picture(p, w)
		}
	}
	s.pair(w)
	s.queueSub.Set("textContent", orderWords(now, s.Store.Label(s.panes[0].scheduler)))
	draw.Put(s.queue, instant.QueueHTML(now, s.reach, s.chosen, w))
	s.newsHead.Set("textContent", w.Time(now.Now))
	draw.Put(s.news, instant.NewsHTML(now, w))
	s.count.Set("textContent", fmt.Sprintf("%d of %d", s.reach, len(now.Decisions)))
	draw.Put(s.decisions, instant.DecisionsHTML(now, s.reach, s.chosen, w))
	if c := draw.Find(s.decisions, "[aria-current]"); c.Truthy() {
		draw.Reveal(s.decisions, c)
	}
	s.tracks()
	s.buttons()
	if text := instant.Spoken(now, s.chosen, w); text != s.spoken {
		s.spoken = text
		s.say.Set("textContent", text)
	}
	draw.Attr(s.Root, "data-step", strconv.FormatInt(int64(now.Now), 10), "data-index", strconv.Itoa(now.Index), "data-decision", strconv.Itoa(s.chosen))
}

func orderWords(now *tell.Step, name string) string {
	if now.Ready == "" {
		return ""
	}
	return "in " + name + "’s order, " + now.Ready
}

// picture draws one run's instant.
func (s *step) picture(p *pane, w *tell.Words) {
	r := p.run.Result
	main := p == s.panes[0]
	p.title.Set("textContent", s.Title(p.scheduler))
	small := s.Root.Get("clientWidth").Float() < 620
	scene := &instant.Scene{
		Step: p.got, Reach: len(p.got.Decisions), Chosen: -1, Job: s.Store.View.Job, Truth: s.truth(),
		Cols: &r.Columns, Jobs: s.Store.Jobs[p.run.Repetition], Site: s.Store.Sites[p.run.Repetition], Procs: r.Processors,
		Clock: s.Clock(), Words: w, Small: small, Quiet: s.two(),
	}
	if main {
		scene.Reach, scene.Chosen = s.reach, s.chosen
	}
	if p.got.Now != s.clock { // it had its last instant before: nothing happens here now
		scene.Step, scene.Reach, scene.Chosen = instant.After(p.got, s.clock), 0, -1
	}
	scene.Empty = s.two() && len(scene.Step.Decisions) > 0 && scene.Step.Decisions[len(scene.Step.Decisions)-1].Kind == tell.Stops
	scene.From, scene.To = scene.Window()
	if s.two() && !main && s.panes[0].scene != nil {
		scene.From, scene.To = s.panes[0].scene.From, s.panes[0].scene.To
	}
	p.scene = scene
	scene.W = p.svg.Get("clientWidth").Float()
	row := 26.0
	switch {
	case small:
		row = 17
	case s.two():
		row = 20
	}
	scene.H = scene.Height(scene.Rows(row))
	draw.Put(p.svg, scene.Picture())
	draw.Attr(p.svg, "aria-label", s.Title(p.scheduler)+" at "+instant.Spoken(scene.Step, scene.Chosen, w))
	if s.two() {
		draw.Put(p.mark, "")
		draw.Put(p.verdict, instant.Tag(instant.Between(scene.Step), map[bool]tell.Tone{true: tell.Good, false: tell.Plain}[scene.Step.Starts > 0]))
		draw.Put(p.list, instant.DecisionsHTML(scene.Step, scene.Reach, scene.Chosen, w))
	} else {
		draw.Put(p.mark, instant.Legend(scene))
		draw.Put(p.verdict, "")
		draw.Put(p.list, "")
	}
}

const othersText = "Computing the other run …"

// both are the jobs of two runs of the same repetition; nil while these, or the
// columns of one of the runs, are not here.
func (s *step) both(a, b *result.Run) *report.Jobs {
	if a == nil || b == nil || a.Result == nil || b.Result == nil || a.Repetition != b.Repetition {
		return nil
	}
	jobs := s.Store.Jobs[a.Repetition]
	if jobs == nil || len(a.Result.Columns.Start) != len(jobs.Number) || len(b.Result.Columns.Start) != len(jobs.Number) {
		return nil
	}
	return jobs
}

// pair says how two runs stand beside each other.
func (s *step) pair(w *tell.Words) {
	draw.Show(s.differs, s.two())
	draw.Show(s.table, s.two())
	if !s.two() {
		return
	}
	a, b := s.panes[0], s.panes[1]
	jobs := s.both(a.run, b.run)
	if jobs == nil || b.got == nil {
		text := othersText
		if b.fault != "" {
			text = b.fault
		}
		draw.Put(s.tags, draw.HTML(`{}`, text))
		draw.Put(s.table, "")
		return
	}
	at, list, ok := instant.Difference(a.run.Result.Columns.Start, b.run.Result.Columns.Start, jobs.Number, s.clock-1, 1)
	html := draw.HTML(`<b>{} under {} and {}</b> `, w.Time(s.clock), words.Letter(a.scheduler), words.Letter(b.scheduler))
	late := instant.Late(a.run.Result.Columns.Start, b.run.Result.Columns.Start, jobs.Number, s.clock)
	switch {
	case ok && at == s.clock:
		html += "they differ here: " + jobTags(list)
	case len(late) > 0:
		html += "here starts what has started under the other one already: " + jobTags(late)
	default:
		html += "they start the same jobs here"
	}
	draw.Put(s.tags, html)
	var t draw.Writer
	t.Put(`<table><thead><tr><th>until now, {}</th><th class="num">started</th><th class="num">waiting</th><th class="num">free processors</th></tr></thead><tbody>`, w.Time(s.clock))
	for _, p := range []*pane{a, b} {
		started := 0
		for _, at := range p.run.Result.Columns.Start {
			if at >= 0 && at <= s.clock {
				started++
			}
		}
		free, waits := instant.Left(instant.After(p.got, s.clock))
		t.Put(`<tr><td><b>{}</b></td><td class="num">{}</td><td class="num">{}</td><td class="num">{}</td></tr>`, s.Title(p.scheduler), words.Int(started), words.Int(waits), words.Int(free))
	}
	draw.Put(s.table, t.Markup()+`</tbody></table>`)
}

// jobTags writes the numbers of jobs, the first dozen of them.
func jobTags(numbers []int64) draw.Markup {
	html := draw.Markup("")
	for i, n := range numbers {
		if i == 12 {
			return html + "…"
		}
		html += draw.HTML(`<span class="bl-tag">job {}</span> `, strconv.FormatInt(n, 10))
	}
	return html
}

// tracks draws the steps up to now on the picture's axis.
func (s *step) tracks() {
	sc := s.panes[0].scene
	if sc == nil {
		return
	}
	draw.Put(s.track, instant.Track(sc, s.track.Get("clientWidth").Float()))
}
