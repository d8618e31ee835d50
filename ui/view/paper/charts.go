package paper

import (
	"math"
	"slices"
	"strings"

	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/state"
)

// Chart is one chart of a table or figure.
type Chart struct {
	Title string
	High  float64 // page pixels, 0 as high as the drawing is at its width
	Draw  func(w float64) draw.Figure
}

// Charts are those of a table or figure: dots for what is printed, else the shape
// of the paper's figure.
func Charts(s *state.Store, p *engine.Paper, rows []engine.StudyRow, reading string) (list []Chart) {
	if slices.ContainsFunc(rows, func(r engine.StudyRow) bool { return r.Column == "job number" }) {
		return nil // a list of jobs: the numbers stand below, and a picture of them says nothing
	}
	if len(printed(rows)) > 0 {
		for _, d := range DotsOf(rows, reading) {
			title := Title(d.Title)
			if d.Unit != "" && !strings.EqualFold(d.Unit, d.Title) {
				title += ", " + d.Unit
			}
			list = append(list, Chart{title, 0, func(w float64) draw.Figure { return d.Draw(w, other(s, p)) }})
		}
		return list
	}
	points := make([]StudyPoint, len(rows))
	or := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	for i := range rows {
		row := &rows[i]
		points[i] = StudyPoint{Label: row.Label, Column: row.Column, Value: or(row.Ours), Half: or(row.Half), Paper: or(row.Paper), Unit: row.Unit}
	}
	table := func(d draw.Figure) draw.Figure {
		d.Fill = func() draw.Grid { return numbers(points) }
		return d
	}
	if s.Studies.Results[p.Key] == nil && len(p.Given().Rows) < 3 {
		return nil
	}
	switch strings.TrimPrefix(p.Key, "kurowski2011-") {
	case "legrand2018-figure4":
		if StudyMaps(points, 760).Empty != "" { // claims quote its optima only
			return nil
		}
		return []Chart{{"Maps of the orders", 0, func(w float64) draw.Figure { return table(StudyMaps(points, min(w, 760))) }}}
	case "tradeoff", "figure17", "figure18", "figure19":
		if TradeOff(points, 500, 560).Empty != "" { // claims quote some of its numbers only
			return nil
		}
		return []Chart{{"The criteria against each other", 560, func(w float64) draw.Figure { return table(TradeOff(points, w, 560)) }}}
	}
	for _, g := range StudyGroups(points) {
		title := g.Title
		if title == "" {
			title = p.Name
		}
		list = append(list, Chart{Title(title), 0, func(w float64) draw.Figure {
			d := Study(g.Points, g.Unit, w, 280)
			d.Fill = func() draw.Grid { return numbers(g.Points) }
			return d
		}})
	}
	return list
}

// numbers are the points of a chart as a table.
func numbers(points []StudyPoint) draw.Grid {
	g := draw.Grid{Head: []string{"Row", "Column", "Here", "±"}, Left: 2, Units: []string{"row", "column", "here", "half_interval_95"}}
	shown := func(v float64, unit string) string {
		if math.IsNaN(v) {
			return Value(nil, "")
		}
		return Value(&v, unit)
	}
	for i := range points {
		p := &points[i]
		g.Cells = append(g.Cells, []string{p.Label, p.Column, shown(p.Value, p.Unit), shown(p.Half, "")})
		g.Raw = append(g.Raw, []string{p.Label, p.Column, draw.PlainNumber(p.Value), draw.PlainNumber(p.Half)})
	}
	return g
}
