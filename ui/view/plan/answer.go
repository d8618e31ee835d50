package plan

import (
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/scene"
	"batchlab/ui/words"
)

// Offer is one line of an answer: processors that a provider could give for a
// length from any time of a window on.
type Offer struct {
	Provider string
	What     string
	Procs    int32
	Length   model.Time
	Window   report.Window
}

// What offers are.
const (
	offerAsked   = "as asked"
	offerMost    = "the most processors"
	offerLongest = "the longest time"
)

// Offers lists what an answer holds: feasible starts provider by provider, then
// the best efforts.
func Offers(a *report.Answer) []Offer {
	var list []Offer
	for i := range a.Providers {
		p := &a.Providers[i]
		for _, w := range p.Windows {
			list = append(list, Offer{p.Name, offerAsked, a.Ask.Procs, p.Length, w})
		}
	}
	for i := range a.Providers {
		p := &a.Providers[i]
		if p.Most > 0 {
			list = append(list, Offer{p.Name, offerMost, p.Most, p.Length, report.Window{From: p.MostAt, To: p.MostAt}})
		}
		if p.Longest > 0 {
			list = append(list, Offer{p.Name, offerLongest, a.Ask.Procs, p.Longest, report.Window{From: p.LongestAt, To: p.LongestAt}})
		}
	}
	return list
}

// AnswerSentence says what an answer comes to.
func AnswerSentence(c draw.Clock, a *report.Answer) string {
	want := words.Count(int(a.Ask.Procs), "processor", "processors") + " for " + words.Dur(float64(a.Ask.Length))
	best, windows, at := -1, 0, model.Never
	for i := range a.Providers {
		p := &a.Providers[i]
		if windows += len(p.Windows); len(p.Windows) > 0 && p.Windows[0].From < at {
			best, at = i, p.Windows[0].From
		}
	}
	text := ""
	if a.Served != a.Ask.At {
		text = "The grid serves its queue next at " + c.When(a.Served) + ". "
	}
	if best < 0 {
		text += "There was no time for " + want + " in this interval."
		for i := range a.Providers {
			if p := &a.Providers[i]; p.Most > 0 {
				return text + " At most " + words.Count(int(p.Most), "processor", "processors") + " of " + p.Name + " are free for so long, from " + c.When(p.MostAt) + " on."
			}
		}
		return text
	}
	p := &a.Providers[best]
	text += want + " could have been reserved from " + c.When(at) + " on at " + p.Name
	if w := p.Windows[0]; w.To > w.From {
		text += ", starting at any time up to " + c.When(w.To)
	}
	if windows > 1 {
		text += "; there are " + words.Int(windows) + " windows of starts at " + words.Count(len(a.Providers), "provider", "providers")
	}
	return text + "."
}

// AnswerGrid lists the offers of an answer.
func AnswerGrid(c draw.Clock, a *report.Answer) draw.Grid {
	g := draw.Grid{Left: 4, Head: []string{"provider", "offer", "start from", "to", "processors", "for"}, Units: []string{"provider", "offer", "from_s", "to_s", "processors", "length_s"}}
	for _, o := range Offers(a) {
		g.Cells = append(g.Cells, []string{o.Provider, o.What, c.When(o.Window.From), c.When(o.Window.To), words.Int(int(o.Procs)), words.Dur(float64(o.Length))})
		g.Raw = append(g.Raw, []string{o.Provider, o.What, strconv.FormatInt(int64(o.Window.From), 10), strconv.FormatInt(int64(o.Window.To), 10), strconv.Itoa(int(o.Procs)), strconv.FormatInt(int64(o.Length), 10)})
	}
	return g
}

// AnswerChart draws what is free at each provider over the interval of a
// question, a line at the processors that are wanted, and the feasible starts as
// bars below.
func AnswerChart(c draw.Clock, a *report.Answer, w, h float64) draw.Drawing {
	out := draw.Drawing{W: w, H: h, Data: AnswerGrid(c, a)}
	const left, right = 110.0, 14.0
	n := len(a.Providers)
	if n == 0 || w < 200 {
		out.Empty = "No provider was asked."
		return out
	}
	from, to := max(a.Ask.From, a.Served), a.Ask.To
	if to <= from {
		out.Empty = "The interval is over when the grid serves its queue, at " + c.When(a.Served) + "."
		return out
	}
	f := scene.Axis{From: from, To: to, Left: left, Right: w - right}
	var p draw.Pen
	band := (h - 26) / float64(n)
	for i := range a.Providers {
		one := &a.Providers[i]
		top, high := 8+float64(i)*band, band-16
		p.Text(8, top+12, draw.Clip(one.Name, left-16), "", "k2")
		p.Text(8, top+27, words.Int(int(one.Procs))+" processors", "", "")
		p.Path(f.Steps(from, one.At, one.Free, top, high, one.Procs), "var(--ink-3)", "1", "", "var(--sunken)", "")
		p.Line(left, draw.Crisp(top+high), w-right, draw.Crisp(top+high), "line-3")
		if a.Ask.Procs <= one.Procs {
			y := draw.Crisp(top + high - high*float64(a.Ask.Procs)/float64(max(1, one.Procs)))
			p.Path("M"+draw.Num(left)+" "+draw.Num(y)+"H"+draw.Num(w-right), "var(--s2)", "1.2", "5 3", "none", "")
		}
		for _, v := range one.Windows {
			x := f.Cut(v.From)
			p.Rect(x, top+high+3, max(2, f.Cut(v.To)-x), 6, "var(--s1)", "")
		}
	}
	for i, anchor := range [...]string{"", "middle", "end"} {
		at := from + (to-from)*model.Time(i)/2
		p.Text(f.X(at), h-4, c.When(at), anchor, "")
	}
	out.SVG = p.Markup()
	out.Aria = "Free processors of " + words.Count(n, "provider", "providers") + " from " + c.When(from) + " to " + c.When(to) + ", with feasible starts. " + AnswerSentence(c, a)
	return out
}
