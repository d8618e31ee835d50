package instant

import (
	"fmt"
	"math"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/ui/draw"
)

// The track of all instants below the picture.

// tall is how high a mark of the track is for n of most, from 0 to 1: each start
// counts the same while there are few, and by its order of magnitude where a pixel
// stands for very many.
func tall(n, most int) float64 {
	if most <= 6 {
		return float64(n) / 6
	}
	return math.Log1p(float64(n)) / math.Log1p(float64(most))
}

// Track draws the instants up to now, the higher the more jobs start then; w is its
// width. What comes after is not known yet.
func Track(s *Scene, w float64) draw.Markup {
	const base = 20.5
	f := s.Frame()
	left, right, x := f.Left, f.Right, f.Cut
	var g draw.Pen
	g.Line(left, base, right, base, "line-2")
	g.Path(fmt.Sprintf("M%s %sH%s", draw.Num(left), draw.Num(base), draw.Num(x(s.Step.Now))), "var(--accent)", "2", "", "none", "")
	counts, most := map[int]int{}, 0 // by pixel: 1 + starts
	add := func(t model.Time, n int) {
		if t >= s.From && t <= s.Step.Now {
			counts[int(x(t))] = max(1, counts[int(x(t))]) + n
			most = max(most, counts[int(x(t))])
		}
	}
	for j, at := range s.Cols.Start {
		if at >= 0 {
			add(at, 1)
			if s.Cols.End[j] <= s.Step.Now {
				add(s.Cols.End[j], 0)
			}
		}
	}
	if s.Jobs != nil {
		for _, at := range s.Jobs.Submit {
			if len(s.Cols.Submit) == 0 {
				add(at, 0)
			}
		}
	}
	var d draw.Path
	for px := int(left); px <= int(right)+1; px++ {
		if n := counts[px]; n > 0 {
			d.Cmd('M', float64(px)+.5, base-3-15*tall(n, most))
			d.Cmd('L', float64(px)+.5, base)
		}
	}
	g.Path(string(d.B), "var(--accent)", "2", "", "none", "")
	now := x(s.Step.Now)
	g.Put(`<circle cx="{}" cy="{}" r="6" fill="var(--accent-fill)" stroke="var(--panel)" stroke-width="2"/>`, now, base)
	g.Text(left-6, base+4, "steps", "end", "")
	if !s.Small && right-now > 300 {
		g.Text(now+12, 15, "drag to go back; what comes after is not known yet", "start", "")
	}
	return draw.HTML(`<svg class="step-g" width="{}" height="30" viewBox="0 0 {} 30" role="img" aria-label="Steps up to now">{}</svg>`, w, w, g.Markup())
}

// Link is the address that opens an instant of an experiment in the step view.
func Link(e *experiment.Experiment, scheduler int, at model.Time) string {
	return fmt.Sprintf("%s&v=1_tgantt_a%d_s%d", experiment.EncodeLink(e), scheduler, at)
}
