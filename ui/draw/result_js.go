//go:build js

package draw

import ()

// shownResult is a chart of results that an island "result:KEY" shows.
type shownResult struct {
	title, sub string
	result     *Result
}

var results = map[string]shownResult{}

// ShowResult gives the island "result:KEY" what it shows: a title, what is
// plotted in a few words, and the data, nil while there is none. It draws anew;
// the element may come later. Without an element the data is kept until
// ForgetResults.
func ShowResult(key, title, sub string, r *Result) {
	results[key] = shownResult{title, sub, r}
	for _, h := range hosts {
		if f, ok := h.island.(*result); ok && f.of == key {
			h.Again()
		}
	}
}

// ForgetResults drops what ShowResult was given.
func ForgetResults() { clear(results) }

type result struct {
	*FigureCard
	of string
}

func newResult(h *Host) Island {
	p := &result{of: h.Arg}
	p.FigureCard = NewFigure(h, h.Arg, "", func(_ *Data, w, hh float64) Figure {
		r := results[p.of].result
		if r == nil {
			r = &Result{}
		}
		return r.Figure(w, hh)
	})
	return p
}

func (p *result) Draw() {
	s := results[p.of]
	p.Title.Set("textContent", s.title)
	p.Sub.Set("textContent", s.sub)
	if s.result != nil {
		Style(p.Body, "min-height", Px(s.result.Height()))
	}
	p.FigureCard.Draw()
}
