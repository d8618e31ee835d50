package custom

import (
	"go.starlark.net/starlark"

	"batchlab/core/report"
)

// profile counts what each line of a program does: of every call at first, of some
// calls once the run has become long, since it looks at each step.
type profile struct {
	clock  func() float64
	m      *machine
	lines  []report.CodeLine // by line
	line   int32             // where the program was at the last step
	depth  int
	steps  uint64 // Thread.Steps then
	since  float64
	calls  map[string]int
	all    int     // calls
	traced int64   // steps that were looked at
	weight int64   // that a step of this call stands for; 0: it is not looked at
	limit  int64   // of traced, from which on only some steps of this call are looked at
	about  bool    // that was reached
	part   float64 // of a call that is not counted yet
}

// Every call is looked at until so many steps have been; then one in so many. Within
// a call it is every step, then one in as many.
const (
	exactSteps = 2_000_000
	longCall   = 200_000
	oneIn      = 16
)

func (p *profile) begin(m *machine) {
	p.m, p.lines, p.calls, p.all, p.traced, p.about = m, nil, map[string]int{}, 0, 0, false
	p.open(1)
}

// open begins a call that is looked at with a weight.
func (p *profile) open(weight int64) {
	p.weight, p.line, p.depth, p.steps, p.limit = weight, 0, 0, p.m.thread.Steps, p.traced+longCall
	p.m.stride = 1
	if p.m.trace = nil; weight > 0 {
		if p.m.trace = p.step; p.clock != nil {
			p.since = p.clock()
		}
	}
}

// enter notes that one of the program's functions is called.
func (p *profile) enter(name string) {
	if p == nil {
		return
	}
	p.calls[name]++
	p.all++
	switch {
	case p.traced < exactSteps:
		p.open(1)
	case p.all%oneIn == 0:
		p.open(oneIn)
	default:
		p.open(0)
	}
	p.m.again(p.m.thread)
}

// step is called before each step. What was done since the last one is that line's.
func (p *profile) step(t *starlark.Thread) {
	if p.traced++; p.traced == p.limit {
		p.m.stride, p.about = oneIn, true
	}
	for depth := range t.CallStackDepth() {
		at := t.CallFrame(depth).Pos
		if at.Filename() != file {
			continue
		}
		for int(at.Line) >= len(p.lines) {
			p.lines = append(p.lines, report.CodeLine{Line: len(p.lines)})
		}
		line := &p.lines[at.Line]
		deep, steps := t.CallStackDepth(), int64(t.Steps-p.steps)*p.weight
		switch {
		case p.m.stride > 1 && line.Steps > 0: // as many steps each time as until now
			p.part += float64(steps) * float64(line.Calls) / float64(line.Steps)
			line.Calls += int64(p.part)
			p.part -= float64(int64(p.part))
		case at.Line != p.line || deep > p.depth:
			line.Calls += p.weight
		}
		p.line, p.depth = at.Line, deep
		line.Steps += steps
		if p.clock != nil {
			now := p.clock()
			line.Seconds += (now - p.since) * float64(p.weight)
			p.since = now
		}
		break
	}
	p.steps = t.Steps
}

// result returns the lines that did something.
func (p *profile) result() *report.CodeProfile {
	if p == nil || p.m == nil {
		return nil
	}
	out := &report.CodeProfile{Steps: int64(p.m.thread.Steps), Calls: p.calls, About: p.about || p.traced >= exactSteps}
	for _, l := range p.lines {
		if l.Steps > 0 {
			out.Lines = append(out.Lines, l)
		}
	}
	return out
}
