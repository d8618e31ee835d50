package chart

import (
	"math"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Minimap is the whole log under the Gantt chart with the shown part marked.
type Minimap struct {
	W, H          float64
	Small         bool
	From, To      model.Time // the whole log
	Clock         Clock
	Theme         *Theme
	Letter        string
	Procs         int
	Used, Waiting *Steps
	Away          []report.Away // hatched from the top
}

// Plot is where the bars stand.
func (m *Minimap) Plot() Box {
	left, right := gutterWide, marginWide
	if m.Small {
		left, right = marginSmall, marginSmall
	}
	return Box{left, 4, max(10, m.W-left-right), m.H - 22}
}

// X is where a time stands.
func (m *Minimap) X(t model.Time) float64 {
	b := m.Plot()
	return b.X + float64(t-m.From)/float64(max(1, m.To-m.From))*b.W
}

// At is the time at a place.
func (m *Minimap) At(x float64) model.Time {
	b := m.Plot()
	return m.From + model.Time((x-b.X)/b.W*float64(m.To-m.From))
}

// Whole draws busy processors over the whole log, darker the more jobs wait.
func (m *Minimap) Whole() *Scene {
	s, b, t := &Scene{}, m.Plot(), m.Theme
	const shades = 16
	n := int(min(260, b.W/3))
	if m.Used != nil && m.To > m.From && n > 0 {
		used, waiting := m.Used.Columns(m.From, m.To, n), m.Waiting.Columns(m.From, m.To, n)
		most := 1.0
		for _, v := range waiting {
			most = max(most, v)
		}
		var paths [shades + 1]path
		step := b.W / float64(n)
		for i, v := range used {
			h := min(1, v/float64(max(1, m.Procs))) * b.H
			p := &paths[int(math.Sqrt(math.Pow(waiting[i]/most, 1.3)*.75)*shades)]
			p.cmd('M', b.X+float64(i)*step, b.Bottom())
			p.cmd('v', -h)
			p.cmd('h', step+.3)
			p.cmd('v', h)
			p.b = append(p.b, 'z')
		}
		for i := range paths {
			s.fill(string(paths[i].b), t.Tide(float64(i)/shades), 1)
		}
	}
	m.away(s)
	s.hline(b.X, b.Right(), b.Bottom(), t.Line3)
	each := 62.0
	if m.Small {
		each = 48
	}
	free := 0.0 // where the last label ends
	for _, k := range TimeTicks(m.Clock, m.From, m.To, int(max(2, b.W/each))) {
		x := m.X(model.Time(k.At))
		if x < b.X+10 || x > b.Right()-16 {
			continue
		}
		s.stroke("M"+num(crisp(x))+" "+num(b.Bottom())+"v4", t.Line3, 1, "")
		half := float64(len([]rune(k.Label))) * 3
		if x-half < free {
			continue // it would run into the one before
		}
		free = x + half + 6
		s.text(x, m.H-8, k.Label, 'c', t.Ink3, k.Bold)
	}
	if !m.Small {
		s.text(b.X-6, b.Y+12, "whole log", 'r', t.Ink3, false)
		s.text(b.X-6, b.Y+27, m.Letter+", busy", 'r', t.Ink3, false)
	}
	return s
}

// Frame marks the shown part.
func (m *Minimap) Frame(from, to model.Time) *Scene {
	s, b, t := &Scene{}, m.Plot(), m.Theme
	x0, x1 := max(b.X, m.X(from)), min(b.Right(), m.X(to))
	x1 = max(x1, x0+3)
	s.fill(boxPath(Box{b.X, b.Y - 2, x0 - b.X, b.H + 3}), t.Panel, .62)
	s.fill(boxPath(Box{x1, b.Y - 2, b.Right() - x1, b.H + 3}), t.Panel, .62)
	s.stroke(boxPath(Box{x0, b.Y - 2, x1 - x0, b.H + 3}), t.Accent, 1.5, "")
	for _, x := range [...]float64{x0, x1} {
		s.fill(pill(Box{x - 2, b.Y + b.H/2 - 8, 4, 16}, 2), t.Accent, 1)
	}
	return s
}

// away marks when the calendar takes something, and how much of the machine.
func (m *Minimap) away(s *Scene) {
	var ground, lines path
	b := m.Plot()
	for i := range m.Away {
		a := &m.Away[i]
		x0, x1 := max(b.X, m.X(a.From)), min(b.Right(), m.X(a.To))
		if x1 < x0 {
			continue
		}
		box := Box{x0, b.Y, max(1, x1-x0), max(2, b.H*float64(a.Count)/float64(max(1, m.Procs)))}
		ground.rect(box)
		if box.W < narrow {
			lines.rect(Box{box.X, box.Y, .5, box.H})
		} else {
			lines.hatch(box, 5)
		}
	}
	s.fill(string(ground.b), m.Theme.HatchBg, 1)
	s.stroke(string(lines.b), m.Theme.Hatch, 1, "")
}

// Said describes the shown part.
func (m *Minimap) Said(from, to model.Time) string {
	return m.Clock.When(from) + " to " + m.Clock.When(to) + ", " + words.Dur(float64(to-from)) + " of " + words.Dur(float64(m.To-m.From))
}
