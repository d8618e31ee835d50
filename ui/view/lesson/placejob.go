package lesson

import (
	"strconv"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/instant"
	"batchlab/ui/words"
)

// A time may be answered by placing the job in the picture: by hand, by keys or by a
// number. Options are drawn to one scale.

// places reports whether the open question of a step can be answered so: it asks when
// a job starts that stands in a picture at an instant.
func (p *Player) places(step int) bool {
	s := &p.Lesson.Steps[step]
	return p.open(step) && !p.missed(step) && s.Ask.Kind == experiment.AskTime && s.Ask.Of == "start" && s.Look.At != nil && s.Look.View != "overview"
}

// grain is the distance of the times at which a job can be placed, in seconds: all
// options are among them, and it gives none away.
func (p *Player) grain(step int) int64 {
	n := int64(300)
	for _, v := range p.Lesson.Steps[step].Ask.Options {
		for v = max(v, -v); v != 0; {
			n, v = v, n%v
		}
	}
	return max(1, n)
}

// Move places the job so many grains later, at first at the instant of the picture.
func (p *Player) Move(grains int64) {
	if !p.Open() || !p.places(p.At) {
		return
	}
	least, g := *p.Step().Look.At, p.grain(p.At)
	t := p.said(p.At)
	if t < 0 {
		t = least
	}
	t = t/g*g + grains*g
	for t < least {
		t += g
	}
	p.Say(min(t, p.latest(p.At)))
}

// latest is how late a job can be placed: one grain behind all options.
func (p *Player) latest(step int) (t int64) {
	for _, v := range p.Lesson.Steps[step].Ask.Options {
		t = max(t, v)
	}
	return t + p.grain(step)
}

// Drop places the job where the pointer is in the picture.
func (p *Player) Drop(x float64) {
	if p.track != nil && p.Open() && p.places(p.At) {
		g, f := p.grain(p.At), p.track.Frame()
		p.Say(max(0, int64(f.Near(x))+g/2) / g * g)
		p.Move(0)
	}
}

// placing is the job below the picture at the picture's scale, with where it would start.
func (p *Player) placing(s *instant.Scene, step int) (svg draw.Markup, height float64) {
	job, ok := p.background(step).Index(*p.Lesson.Steps[step].Ask.Job)
	if !ok {
		return "", 0
	}
	p.track = s
	t, state := p.said(step), "to be placed"
	if t < 0 {
		t = *p.Lesson.Steps[step].Look.At
	} else {
		state = "placed"
	}
	limit := int64(s.Jobs.Limit[job])
	f := s.Frame()
	x, y := f.Cut(model.Time(t)), s.H+22
	w := max(8, f.Cut(model.Time(t+limit))-x)
	at := words.Minutes(t)
	return draw.HTML(`<g class="lesson-place {}" data-place="1" tabindex="0" role="slider" aria-label="Start of job {}" aria-valuemin="{}" aria-valuemax="{}" aria-valuenow="{}" aria-valuetext="{}, {}"><path d="M{} 20V{}"/><text x="{}" y="{}">{}</text><rect x="{}" y="{}" width="{}" height="30" rx="2"/><text x="{}" y="{}">Job {}</text></g>`, strings.Replace(state, " ", "-", -1), s.Jobs.Number[job], *p.Lesson.Steps[step].Look.At, p.latest(step), t, at, state,
		x, y, min(x, s.W-60), y-6, at, x, y, w, x+6, y+19, s.Jobs.Number[job]), 60
}

// placeHTML is where a time is answered without options.
func (p *Player) placeHTML(b *draw.Writer) {
	value := ""
	if t := p.said(p.At); t >= 0 {
		value = strconv.FormatFloat(float64(t)/60, 'f', -1, 64)
	}
	b.Put(`<p class="lesson-byhand">Drag job {} below the picture to where it will start, or move it with <kbd>←</kbd> <kbd>→</kbd>, or say it: <label>at <input class="input" id="lesson-time" type="number" min="0" step="any" inputmode="decimal" data-value="{}"> min</label></p>`, words.Int(int(*p.Step().Ask.Job)), value)
}

// howHTML lets the reader say how to answer.
func (p *Player) howHTML(b *draw.Writer) {
	b.Add(`<p class="lesson-how"><span class="faint">Answer by</span> `)
	for _, by := range []struct {
		do, name string
		on       bool
	}{{"choosing", "a choice", !p.Placing}, {"placing", "placing the job", p.Placing}} {
		b.Put(`<button type="button" class="btn" data-do="{}" aria-pressed="{}">{}</button>`, by.do, by.on, by.name)
	}
	b.Add(`</p>`)
}

// Measures of an option's picture, in pixels.
const smallWide, smallHigh = 104.0, 26.0

// small draws an option to the scale of all of them: a job by its processors and the
// time it asks for; a time with what runs, as it may, and the job from then on. It is
// "" where an option is neither.
func (p *Player) small(option int) draw.Markup {
	s, a := p.Step(), p.background(p.At)
	q := s.Ask
	if a == nil || a.Jobs[0] == nil || !a.Ready() || q.Kind != experiment.AskJob && (q.Kind != experiment.AskTime || q.Of != "start" || s.Look.At == nil) {
		return ""
	}
	jobs, v := a.Jobs[0], q.Options[option]
	long, wide := model.Time(1), int32(1)
	var b draw.Writer
	box := func(class string, x, y, w, h float64) {
		b.Put(`<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>`, class, x, y, max(2, w), max(2, h))
	}
	if q.Kind == experiment.AskJob {
		for _, n := range q.Options {
			if i, ok := a.Index(n); ok {
				long, wide = max(long, jobs.Limit[i]), max(wide, jobs.Procs[i])
			}
		}
		if i, ok := a.Index(v); ok {
			h := smallHigh * float64(jobs.Procs[i]) / float64(wide)
			box("asked", 0, smallHigh-h, smallWide*float64(jobs.Limit[i])/float64(long), h)
		}
	} else {
		r := a.Shown(int(q.Scheduler))
		job, ok := a.Index(*q.Job)
		if r == nil || !ok {
			return ""
		}
		now, last, all := model.Time(*s.Look.At), model.Time(0), max(1, r.Processors)
		for _, t := range q.Options {
			last = max(last, model.Time(t)+jobs.Limit[job])
		}
		x := func(t model.Time) float64 {
			return smallWide * float64(min(max(t, now), last)-now) / float64(max(1, last-now))
		}
		row, below := smallHigh/float64(all), 0.0
		for i, start := range r.Columns.Start {
			if i != job && start >= 0 && start < now && r.Columns.End[i] > now {
				h := row * float64(jobs.Procs[i])
				box("runs", 0, smallHigh-below-h, x(start+jobs.Limit[i]), h)
				below += h
			}
		}
		box("asked", x(model.Time(v)), 0, x(model.Time(v)+jobs.Limit[job])-x(model.Time(v)), row*float64(jobs.Procs[job]))
	}
	return draw.HTML(`<svg class="lesson-small" width="{}" height="{}" aria-hidden="true">{}</svg>`, smallWide, smallHigh, b.Markup())
}
