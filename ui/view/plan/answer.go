package plan

import (
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
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
	x := func(t model.Time) float64 {
		return left + (w-left-right)*float64(min(max(t, from), to)-from)/float64(to-from)
	}
	var p draw.Pen
	band := (h - 26) / float64(n)
	for i := range a.Providers {
		one := &a.Providers[i]
		top, foot := 8+float64(i)*band, 8+float64(i+1)*band-16
		y := func(procs int32) float64 {
			return foot - (foot-top)*float64(max(0, procs))/float64(max(1, one.Procs))
		}
		p.Text(8, top+12, draw.Clip(one.Name, left-16), "", "k2")
		p.Text(8, top+27, words.Int(int(one.Procs))+" processors", "", "")
		var d strings.Builder
		d.WriteString("M" + draw.Num(x(from)) + " " + draw.Num(foot))
		for k := range one.At {
			end := to
			if k+1 < len(one.At) {
				end = one.At[k+1]
			}
			d.WriteString("L" + draw.Num(x(one.At[k])) + " " + draw.Num(y(one.Free[k])) + "H" + draw.Num(x(end)))
		}
		d.WriteString("V" + draw.Num(foot) + "Z")
		p.Path(d.String(), "var(--ink-3)", "1", "", "var(--sunken)", "")
		p.Line(left, draw.Crisp(foot), w-right, draw.Crisp(foot), "line-3")
		if a.Ask.Procs <= one.Procs {
			p.Path("M"+draw.Num(left)+" "+draw.Num(draw.Crisp(y(a.Ask.Procs)))+"H"+draw.Num(w-right), "var(--s2)", "1.2", "5 3", "none", "")
		}
		for _, v := range one.Windows {
			p.Rect(x(v.From), foot+3, max(2, x(v.To)-x(v.From)), 6, "var(--s1)", "")
		}
	}
	for _, at := range []model.Time{from, (from + to) / 2, to} {
		anchor := map[bool]string{true: "end", false: "middle"}[at == to]
		if at == from {
			anchor = ""
		}
		p.Text(x(at), h-4, c.When(at), anchor, "")
	}
	out.SVG = p.Markup()
	out.Aria = "Free processors of " + words.Count(n, "provider", "providers") + " from " + c.When(from) + " to " + c.When(to) + ", with feasible starts. " + AnswerSentence(c, a)
	return out
}
