//go:build js

package gantt

import (
	"batchlab/core/model"
	"batchlab/ui/draw"
)

// measures is the axis of the chart, as its measuring window sees it.
func (g *gantt) measures() draw.TimeAxis {
	return draw.TimeAxis{
		Line: func() draw.Timeline {
			if !g.ready() || g.jobs() == nil {
				return draw.Timeline{}
			}
			b := g.chart.Layout.Panes[0].Jobs
			return draw.Timeline{X: b.X, W: b.W, From: g.span.From, To: g.span.To}
		},
		Full:  func() [2]model.Time { return g.span.Full },
		Clock: func() draw.Clock { return g.chart.Clock },
		Wheel: g.wheel,
	}
}
