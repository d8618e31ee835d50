package plan

import (
	"strconv"

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
func AnswerChart(c draw.Clock, a *report.Answer, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h, Table: AnswerGrid(c, a)}
	const left, right = 110.0, 14.0
	n := len(a.Providers)
	if n == 0 || w < 200 {
		f.Empty = "No provider was asked."
		return f
	}
	from, to := max(a.Ask.From, a.Served), a.Ask.To
	if to <= from {
		f.Empty = "The interval is over when the grid serves its queue, at " + c.When(a.Served) + "."
		return f
	}
	box := draw.Box{X: left, Y: 8, W: w - left - right, H: h - 34}
	time := draw.Axis{Min: float64(from), Max: float64(to), Ticks: draw.TimeTicks(c, from, to, int(max(2, box.W/110))), Unit: "at_s"}
	f.Panels = []draw.Panel{{Box: box, X: time, Y: draw.Axis{Hidden: true}}}
	f.Panels[0].Thin(0, w)
	band := (h - 26) / float64(n)
	for i := range a.Providers {
		one := &a.Providers[i]
		box.Y, box.H = 8+float64(i)*band, band-16
		f.Text(8, box.Y+8, draw.Clip(one.Name, left-16), 'l', draw.ToneLabel)
		f.Text(8, box.Y+23, words.Int(int(one.Procs))+" processors", 'l', draw.ToneAxis)
		free(&f, one.At, one.Free, one.Procs, from, box, draw.Layer{Fill: "var(--ink-3)", Opacity: .25})
		if a.Ask.Procs <= one.Procs {
			f.Layers = append(f.Layers, draw.Layer{Shape: draw.Line, Panel: len(f.Panels) - 1, Series: 1, Width: 1.2, X: []float64{time.Min, time.Max}, Y: []float64{float64(a.Ask.Procs), float64(a.Ask.Procs)}})
		}
		l := draw.Layer{Shape: draw.Spans, Panel: len(f.Panels), Fill: "var(--s1)", Opacity: 1}
		for _, v := range one.Windows {
			l.Low, l.High = append(l.Low, float64(v.From)), append(l.High, float64(max(v.To, v.From+(to-from)/model.Time(max(1, box.W/2)))))
		}
		f.Panels = append(f.Panels, draw.Panel{Box: draw.Box{X: left, Y: box.Bottom() + 3, W: box.W, H: 6}, X: draw.Axis{Min: time.Min, Max: time.Max, Hidden: true, Plain: true}, Y: draw.Axis{Hidden: true}})
		f.Layers = append(f.Layers, l)
	}
	f.Aria = "Free processors of " + words.Count(n, "provider", "providers") + " from " + c.When(from) + " to " + c.When(to) + ", with feasible starts. " + AnswerSentence(c, a)
	return f
}
