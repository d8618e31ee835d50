//go:build js

package island

import "batchlab/ui/chart"

// shownResult is a chart of results that an island "result:KEY" shows.
type shownResult struct {
	title, sub string
	result     *chart.Result
}

var results = map[string]shownResult{}

// ShowResult gives the island "result:KEY" what it shows: a title, what is
// plotted in a few words, and the data, nil while there is none. It draws anew;
// the element may come later. Without an element the data is kept until
// ForgetResults.
func ShowResult(key, title, sub string, r *chart.Result) {
	results[key] = shownResult{title, sub, r}
	for _, h := range hosts {
		if f, ok := h.island.(*result); ok && f.of == key {
			h.again()
		}
	}
}

// ForgetResults drops what ShowResult was given.
func ForgetResults() { clear(results) }

type result struct {
	*figure
	of string
}

func newResult(h *host) island {
	p := &result{of: h.arg}
	p.figure = newFigure(h, h.arg, "", func(_ *chart.Data, w, hh float64) chart.Figure {
		r := results[p.of].result
		if r == nil {
			r = &chart.Result{}
		}
		return r.Figure(w, hh)
	})
	return p
}

func (p *result) draw() {
	s := results[p.of]
	p.title.Set("textContent", s.title)
	p.sub.Set("textContent", s.sub)
	if s.result != nil {
		style(p.body, "min-height", px(s.result.Height()))
	}
	p.figure.draw()
}
