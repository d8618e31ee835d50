package gantt

import (
	"math"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/scene"
	"batchlab/ui/words"
)

// Minimap is the whole log under the Gantt chart with the shown part marked.
type Minimap struct {
	W, H          float64
	Small         bool
	From, To      model.Time // the whole log
	Clock         draw.Clock
	Theme         *draw.Theme
	Letter        string
	Procs         int
	Used, Waiting *draw.Steps
	Blocks        []report.Away // hatched from the top
	Days          []Day         // marked above by how much two runs differ on them; none: no marks
	Pair          string        // "A and B": the two
}

// dayMarks is the height of the marks of days.
const dayMarks = 16

// marks draws a mark for each day over the bars, by the square root of how much the
// runs differ on it: so that all but the largest can be seen, too.
func (m *Minimap) marks(s *draw.Scene) {
	most := 0.0
	for i := range m.Days {
		most = max(most, m.Days[i].Apart)
	}
	if most == 0 {
		return
	}
	b := m.Plot()
	var p draw.Path
	for i := range m.Days {
		d := &m.Days[i]
		x0, x1 := m.time().Cut(d.From), m.time().Cut(d.To)
		if h := (dayMarks - 4) * math.Sqrt(d.Apart/most); d.Apart > 0 && x1 > x0 {
			p.Rect(draw.Box{X: x0, Y: b.Y - 3 - h, W: max(1, x1-x0-.5), H: h})
		}
	}
	s.Fill(string(p.B), m.Theme.Ink3, .7)
	if !m.Small {
		s.Text(b.X-6, b.Y-6, "differ, "+m.Pair, 'r', m.Theme.Ink3, false)
	}
}

// Plot is where the bars stand.
func (m *Minimap) Plot() draw.Box {
	left, right := gutterWide, marginWide
	if m.Small {
		left, right = marginSmall, marginSmall
	}
	top := 4.0
	if len(m.Days) > 0 {
		top += dayMarks
	}
	return draw.Box{X: left, Y: top, W: max(10, m.W-left-right), H: m.H - top - 18}
}

// time is the axis of the whole log.
func (m *Minimap) time() scene.Axis {
	b := m.Plot()
	return scene.Axis{From: m.From, To: m.To, Left: b.X, Right: b.Right()}
}

// Whole draws busy processors over the whole log, darker the more jobs wait.
func (m *Minimap) Whole() *draw.Scene {
	s, b, t := &draw.Scene{}, m.Plot(), m.Theme
	const shades = 16
	n := int(min(260, b.W/3))
	if m.Used != nil && m.To > m.From && n > 0 {
		used, waiting := m.Used.Columns(m.From, m.To, n), m.Waiting.Columns(m.From, m.To, n)
		most := 1.0
		for _, v := range waiting {
			most = max(most, v)
		}
		var paths [shades + 1]draw.Path
		step := b.W / float64(n)
		for i, v := range used {
			h := min(1, v/float64(max(1, m.Procs))) * b.H
			p := &paths[int(math.Sqrt(math.Pow(waiting[i]/most, 1.3)*.75)*shades)]
			p.Cmd('M', b.X+float64(i)*step, b.Bottom())
			p.Cmd('v', -h)
			p.Cmd('h', step+.3)
			p.Cmd('v', h)
			p.B = append(p.B, 'z')
		}
		for i := range paths {
			s.Fill(string(paths[i].B), t.Tide(float64(i)/shades), 1)
		}
	}
	m.blocked(s)
	m.marks(s)
	s.HLine(b.X, b.Right(), b.Bottom(), t.Line3)
	each := 62.0
	if m.Small {
		each = 48
	}
	free := 0.0 // where the last label ends
	for _, k := range m.time().Ticks(m.Clock, each) {
		x := m.time().X(model.Time(k.At))
		if x < b.X+10 || x > b.Right()-16 {
			continue
		}
		s.Stroke("M"+draw.Num(draw.Crisp(x))+" "+draw.Num(b.Bottom())+"v4", t.Line3, 1, "")
		half := draw.TextWidth(k.Label) / 2
		if x-half < free {
			continue // it would run into the one before
		}
		free = x + half + 6
		s.Text(x, m.H-8, k.Label, 'c', t.Ink3, k.Bold)
	}
	if !m.Small {
		s.Text(b.X-6, b.Y+12, "whole log", 'r', t.Ink3, false)
		s.Text(b.X-6, b.Y+27, m.Letter+", busy", 'r', t.Ink3, false)
	}
	return s
}

// Frame marks the shown part.
func (m *Minimap) Frame(from, to model.Time) *draw.Scene {
	s, b, t := &draw.Scene{}, m.Plot(), m.Theme
	x0, x1 := m.time().Cut(from), m.time().Cut(to)
	x1 = max(x1, x0+3)
	s.Fill(draw.BoxPath(draw.Box{X: b.X, Y: b.Y - 2, W: x0 - b.X, H: b.H + 3}), t.Panel, .62)
	s.Fill(draw.BoxPath(draw.Box{X: x1, Y: b.Y - 2, W: b.Right() - x1, H: b.H + 3}), t.Panel, .62)
	s.Stroke(draw.BoxPath(draw.Box{X: x0, Y: b.Y - 2, W: x1 - x0, H: b.H + 3}), t.Accent, 1.5, "")
	for _, x := range [...]float64{x0, x1} {
		s.Fill(draw.Pill(draw.Box{X: x - 2, Y: b.Y + b.H/2 - 8, W: 4, H: 16}, 2), t.Accent, 1)
	}
	return s
}

// blocked marks when the calendar takes something, and how much of the machine.
func (m *Minimap) blocked(s *draw.Scene) {
	var ground, lines draw.Path
	b := m.Plot()
	for i := range m.Blocks {
		a := &m.Blocks[i]
		x0, x1 := m.time().Cut(a.From), m.time().Cut(a.To)
		if x1 < x0 {
			continue
		}
		box := draw.Box{X: x0, Y: b.Y, W: max(1, x1-x0), H: max(2, b.H*float64(a.Count)/float64(max(1, m.Procs)))}
		ground.Rect(box)
		if box.W < narrow {
			lines.Rect(draw.Box{X: box.X, Y: box.Y, W: .5, H: box.H})
		} else {
			lines.Hatch(box, 5)
		}
	}
	s.Fill(string(ground.B), m.Theme.HatchBg, 1)
	s.Stroke(string(lines.B), m.Theme.Hatch, 1, "")
}

// Said describes the shown part.
func (m *Minimap) Said(from, to model.Time) string {
	return m.Clock.When(from) + " to " + m.Clock.When(to) + ", " + words.Dur(float64(to-from)) + " of " + words.Dur(float64(m.To-m.From))
}
