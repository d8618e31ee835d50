package own

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Beside is a program's schedule beside that of another scheduler over the same jobs.
type Beside struct {
	report.Against
	Agree int // starts before the instant at which the two part, all of them the same
}

// Compare sets a finished run of a program beside another one of the same jobs, both
// with their columns. plain says that the platform is one machine of counted
// processors that are always there.
func Compare(jobs *report.Jobs, mine, other *report.Run, plain bool) Beside {
	b := Beside{Against: metric.Beside(jobs, mine, other, plain)}
	for _, at := range mine.Columns.Start {
		if at >= 0 && (b.Apart.First == nil || at < b.Apart.First.At) {
			b.Agree++
		}
	}
	return b
}

// Rival is the run that a program is set beside, of those of other schedulers over
// the same jobs: one that does the same, else that of the baseline, else EASY's,
// else the first; nil when there is none. easy says of a scheduler that it is EASY.
func Rival(mine *report.Run, others []*report.Run, baseline int, easy func(scheduler int) bool) (best *report.Run) {
	rank := func(r *report.Run) int {
		switch {
		case slices.Equal(r.Columns.Start, mine.Columns.Start) && slices.Equal(r.Columns.End, mine.Columns.End):
			return 3
		case r.Scheduler == baseline:
			return 2
		case easy(r.Scheduler):
			return 1
		}
		return 0
	}
	most := -1
	for _, r := range others {
		if n := rank(r); n > most {
			best, most = r, n
		}
	}
	return best
}

// Title says in a line whether a program is the same as another scheduler.
func (b *Beside) Title(other string) string {
	f := b.Apart.First
	if f == nil {
		return "The same as " + other
	}
	return "The same as " + other + " up to job " + words.Int(int(f.Number))
}

// Sentence says where the two part.
func (b *Beside) Sentence(jobs *report.Jobs, other string, clock draw.Clock) string {
	f := b.Apart.First
	if f == nil {
		return "Every one of the " + words.Count(b.Apart.Jobs, "job", "jobs") + " starts at the same time."
	}
	text := "Nothing is the same from the first start on. "
	if b.Agree > 0 {
		text = "The first " + words.Count(b.Agree, "start agrees", "starts agree") + ". "
	}
	who, not, late := "your program", other, f.Starts[1]
	if f.Starts[0] != f.At {
		who, not, late = other, "your program", f.Starts[0]
	}
	asks := "job " + words.Int(int(f.Number)) + " (" + words.Count(int(jobs.Procs[f.Job]), "processor", "processors") + ", " + words.Dur(float64(jobs.Limit[f.Job])) + " requested)"
	switch {
	case f.Starts[0] == f.Starts[1]:
		return text + "At " + clock.When(f.At) + " " + asks + " ends in one of the two and goes on in the other."
	case late < 0:
		return text + "At " + clock.When(f.At) + " " + who + " starts " + asks + " and " + not + " does not: it never runs there."
	}
	return text + "At " + clock.When(f.At) + " " + who + " starts " + asks + " and " + not + " does not: it starts " + words.Dur(float64(late-f.At)) + " later there."
}

// Promise is something that holds or does not hold of a schedule, in words.
type Promise struct {
	Says  string
	Value string
	Holds bool
	Told  bool       // false: a fact that is neither good nor bad
	Job   int        // the job that is worst off, −1 none
	At    model.Time // when it was promised its start, or submitted
}

// Promises says what holds of a program's schedule on these jobs, beside another's.
func (b *Beside) Promises(jobs *report.Jobs, mine, other *report.Run, name string) []Promise {
	list := []Promise{{Says: "No start that is not allowed", Value: words.Count(b.Apart.Jobs, "job", "jobs"), Holds: true, Told: true, Job: -1}}
	for _, p := range b.Against.Promises {
		row := Promise{Holds: p.Holds, Told: true, Job: -1, At: p.At}
		if !p.Holds {
			row.Job = slices.Index(jobs.Number, p.Worst)
		}
		switch p.Key {
		case report.PromiseStarve:
			row.Says, row.Value = "No job starves: no wait is longer than the longest under "+name, words.Dur(float64(p.By))
			if !p.Holds {
				row.Value += " against " + words.Dur(float64(p.Other))
			}
		case report.PromiseHead:
			row.Says, row.Value = "Heads are never delayed: who has waited longest starts when it was promised", words.Count(p.Of, "promise", "promises")
		default:
			row.Says, row.Value = "Reservations begin within their interval", words.Count(p.Of, "reservation", "reservations")
		}
		if p.Key != report.PromiseStarve && !p.Holds {
			row.Value = "broken " + words.Count(p.Broken, "time", "times") + " of " + words.Int(p.Of) + ", by " + words.Dur(float64(p.By)) + " at most"
		}
		list = append(list, row)
	}
	return append(list, mean(mine, other, name), Promise{Says: "Jobs that start or end at another time", Value: words.Int(b.Apart.Different), Job: -1})
}

// mean compares the mean waits.
func mean(mine, other *report.Run, otherName string) Promise {
	of := func(r *report.Run) float64 {
		if v, ok := r.Measure("mean-wait"); ok {
			return v
		}
		return math.NaN()
	}
	a, b := of(mine), of(other)
	p := Promise{Says: "Mean wait against " + otherName, Value: "–", Job: -1}
	switch {
	case a == b:
		p.Value = "the same"
	case b > 0:
		p.Value = fmt.Sprintf("%+.1f %%", 100*(a-b)/b)
		p.Value = strings.Replace(p.Value, "-", "−", 1)
	}
	return p
}

// FaultLine is a message under a line of a program.
type FaultLine struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// Faults are the messages about a program that was tried.
func Faults(t *report.Trial) (list []FaultLine) {
	if t == nil {
		return nil
	}
	put := func(f report.CodeFault, where string) {
		place := ""
		if f.Line > 0 {
			place = fmt.Sprintf("Line %d", f.Line)
			if f.Column > 0 {
				place += fmt.Sprintf(", column %d", f.Column)
			}
			place += ": "
		}
		list = append(list, FaultLine{f.Line, f.Column, place + f.Message + where})
	}
	for _, f := range t.Check.Faults {
		put(f, "")
	}
	if t.Stopped != nil {
		put(*t.Stopped, ", on the small case")
	}
	return list
}

// CountLine is what stands at the right of a line.
type CountLine struct {
	Line  int     `json:"line"`
	Words string  `json:"words"`
	Share float64 `json:"share"` // of the bar, the square root of the share of the most
}

// Kinds of what is counted by line.
var Kinds = []struct{ Key, Name string }{{"calls", "Times run"}, {"steps", "Steps"}, {"time", "Time"}, {"", "Off"}}

// Counts are the numbers beside the lines of a program.
func Counts(p *report.CodeProfile, kind string) []CountLine {
	list := []CountLine{}
	if p == nil || kind == "" {
		return list
	}
	of := func(l report.CodeLine) float64 {
		switch kind {
		case "steps":
			return float64(l.Steps)
		case "time":
			return l.Seconds
		}
		return float64(l.Calls)
	}
	most := 0.0
	for _, l := range p.Lines {
		most = max(most, of(l))
	}
	for _, l := range p.Lines {
		v := of(l)
		if v <= 0 {
			continue
		}
		text := words.Int(int(v))
		if kind == "time" {
			text = words.Took(v)
		}
		list = append(list, CountLine{l.Line, text, math.Round(1000*math.Sqrt(v/most)) / 1000})
	}
	return list
}

// Names are the words that programs know, as the editor wants them.
func Names() string {
	type word struct {
		Of   string `json:"of"`
		Name string `json:"name"`
		Args string `json:"args,omitempty"`
		Kind string `json:"kind,omitempty"`
		Help string `json:"help"`
	}
	var list []word
	for _, rows := range [][]catalog.Word{catalog.CustomEntries, catalog.CustomWords} {
		for _, w := range rows {
			list = append(list, word(w))
		}
	}
	return text(list)
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	return string(b)
}

// SmallCase draws what EASY and a program do with the small case.
func SmallCase(t *report.Trial, theme *draw.Theme, w, h float64) draw.Markup {
	if t == nil || len(t.EASY) == 0 || w < 120 {
		return ""
	}
	rows := []struct {
		name, hue string
		bars      []report.TrialBar
	}{{"EASY", "var(--s1)", t.EASY}, {"Yours", "var(--s2)", t.Own}}
	other := map[int64]model.Time{}
	for _, b := range t.EASY {
		other[b.Job] = b.Start
	}
	end := model.Time(1)
	for _, r := range rows {
		for _, b := range r.bars {
			end = max(end, b.End)
		}
	}
	const left, top, bottom, gap = 52.0, 6.0, 26.0, 12.0
	high := (h - top - bottom - gap) / 2
	x := func(at model.Time) float64 { return left + (w-left-10)*float64(at)/float64(end) }
	var s draw.Writer
	hours := int(end / 3600)
	step := max(1, int(math.Ceil(float64(hours)/8)))
	for at := 0; at <= hours; at += step {
		s.Put(`<path d="M{} {}V{}" stroke="var(--grid)"/><text x="{}" y="{}" text-anchor="middle">{}</text>`, fmt.Sprintf("%.1f", x(model.Time(at)*3600)), fmt.Sprintf("%.1f", top), fmt.Sprintf("%.1f", h-bottom), fmt.Sprintf("%.1f", x(model.Time(at)*3600)), fmt.Sprintf("%.1f", h-bottom+14), at)
	}
	s.Put(`<text x="{}" y="{}" text-anchor="end">hours</text>`, fmt.Sprintf("%.1f", w-10), fmt.Sprintf("%.1f", h-2))
	for i, r := range rows {
		y, unit := top+float64(i)*(high+gap), high/float64(max(1, t.Processors))
		s.Put(`<rect x="{}" y="{}" width="{}" height="{}" fill="var(--sunken)" opacity=".5"/><text class="k" x="{}" y="{}" text-anchor="end" style="font-size:12px">{}</text>`, fmt.Sprintf("%.1f", left), fmt.Sprintf("%.1f", y), fmt.Sprintf("%.1f", w-left-10), fmt.Sprintf("%.1f", high), fmt.Sprintf("%.1f", left-8), fmt.Sprintf("%.1f", y+high/2+4), r.name)
		if len(r.bars) == 0 {
			s.Put(`<text x="{}" y="{}" text-anchor="middle">does not run</text>`, fmt.Sprintf("%.1f", (left+w)/2), fmt.Sprintf("%.1f", y+high/2+4))
		}
		for _, b := range r.bars {
			fill, edge := "var(--line-2)", draw.Markup("")
			if at, ok := other[b.Job]; i == 1 && (!ok || at != b.Start) {
				fill, edge = r.hue, ` stroke="var(--ink)" stroke-dasharray="4 2"`
			}
			bx, by, bw, bh := x(b.Start)+.5, y+float64(b.First)*unit+.5, math.Max(1, x(b.End)-x(b.Start)-1), math.Max(1, float64(b.Held)*unit-1)
			s.Put(`<rect x="{}" y="{}" width="{}" height="{}" fill="{}"{}/>`, fmt.Sprintf("%.1f", bx), fmt.Sprintf("%.1f", by), fmt.Sprintf("%.1f", bw), fmt.Sprintf("%.1f", bh), fill, edge)
			if bw > 14 && bh > 9 {
				s.Put(`<text class="{}" x="{}" y="{}">{}</text>`, map[bool]string{true: "on1 b", false: "k"}[fill != "var(--line-2)"], fmt.Sprintf("%.1f", bx+4), fmt.Sprintf("%.1f", by+bh/2+4), b.Job)
			}
		}
	}
	return draw.HTML(`<svg class="bl-svg" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">{}</svg>`, fmt.Sprintf("%.0f", w), fmt.Sprintf("%.0f", h), fmt.Sprintf("%.0f", w), fmt.Sprintf("%.0f", h), SmallCaseSays(t), s.Markup())
}

// SmallCaseSays is the small case in a sentence.
func SmallCaseSays(t *report.Trial) string {
	if t == nil {
		return ""
	}
	if len(t.Own) == 0 {
		return "The program does not run on the small case."
	}
	easy := map[int64]model.Time{}
	for _, b := range t.EASY {
		easy[b.Job] = b.Start
	}
	var moved []string
	seen := map[int64]bool{}
	for _, b := range t.Own {
		if at := easy[b.Job]; at != b.Start && !seen[b.Job] {
			seen[b.Job] = true
			way := "later"
			d := b.Start - at
			if d < 0 {
				way, d = "earlier", -d
			}
			moved = append(moved, fmt.Sprintf("job %d %s %s", b.Job, words.Dur(float64(d)), way))
		}
	}
	var like []string
	for _, key := range t.Like {
		if row := catalog.FindScheduler(key); row != nil {
			like = append(like, row.Short)
		}
	}
	switch {
	case len(moved) == 0:
		return "On the small case it does what EASY does."
	case len(like) > 0:
		return "On the small case it does what " + strings.Join(like, " and ") + " does."
	}
	if len(moved) > 3 {
		moved = append(moved[:3], fmt.Sprintf("and %d more", len(moved)-3))
	}
	return "Beside EASY it starts " + strings.Join(moved, ", ") + "."
}

// RunFault is what ended a run, at its line.
func RunFault(message string) FaultLine {
	f := FaultLine{Text: message}
	if place, says, ok := strings.Cut(message, ": line "); ok && !strings.Contains(place, " ") {
		if _, err := fmt.Sscanf(says, "%d, column %d: ", &f.Line, &f.Column); err == nil {
			f.Text = "Line " + says
		}
	}
	return f
}
