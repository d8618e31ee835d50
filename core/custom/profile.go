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
	all    int   // calls
	traced int64 // steps that were looked at
	weight int64 // that a step of this call stands for; 0: it is not looked at
}

// Every call is looked at until so many steps have been; then one in so many.
const (
	exactSteps = 2_000_000
	oneIn      = 16
)

func (p *profile) begin(m *machine) {
	p.m, p.lines, p.calls, p.all, p.traced = m, nil, map[string]int{}, 0, 0
	p.open(1)
}

// open begins a call that is looked at with a weight.
func (p *profile) open(weight int64) {
	p.weight, p.line, p.depth, p.steps = weight, 0, 0, p.m.thread.Steps
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
	p.traced++
	for depth := range t.CallStackDepth() {
		at := t.CallFrame(depth).Pos
		if at.Filename() != file {
			continue
		}
		for int(at.Line) >= len(p.lines) {
			p.lines = append(p.lines, report.CodeLine{Line: len(p.lines)})
		}
		line := &p.lines[at.Line]
		deep := t.CallStackDepth()
		if at.Line != p.line || deep > p.depth {
			line.Calls += p.weight
		}
		p.line, p.depth = at.Line, deep
		line.Steps += int64(t.Steps-p.steps) * p.weight
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
	out := &report.CodeProfile{Steps: int64(p.m.thread.Steps), Calls: p.calls, About: p.traced >= exactSteps}
	for _, l := range p.lines {
		if l.Steps > 0 {
			out.Lines = append(out.Lines, l)
		}
	}
	return out
}
