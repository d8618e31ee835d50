package custom

import (
	"go.starlark.net/starlark"

	"batchlab/core/report"
)

// profile counts what each line of a program does.
type profile struct {
	clock func() float64
	m     *machine
	lines []report.CodeLine // by line
	line  int32             // where the program was at the last step
	depth int
	steps uint64 // Thread.Steps then
	since float64
	calls map[string]int
}

func (p *profile) begin(m *machine) {
	p.m, p.lines, p.line, p.steps, p.calls = m, nil, 0, 0, map[string]int{}
	if p.clock != nil {
		p.since = p.clock()
	}
}

// enter notes that one of the program's functions is called.
func (p *profile) enter(name string) {
	if p == nil {
		return
	}
	p.calls[name]++
	if p.line, p.steps = 0, p.m.thread.Steps; p.clock != nil {
		p.since = p.clock()
	}
}

// step is called before each step. What was done since the last one is that line's.
func (p *profile) step(t *starlark.Thread) {
	for depth := range t.CallStackDepth() {
		at := t.CallFrame(depth).Pos
		if at.Filename() != file {
			continue
		}
		for int(at.Line) >= len(p.lines) {
			p.lines = append(p.lines, report.CodeLine{Line: len(p.lines)})
		}
		line := &p.lines[at.Line]
		if deep := t.CallStackDepth(); at.Line != p.line || deep > p.depth {
			line.Calls++
			p.line, p.depth = at.Line, deep
		} else {
			p.depth = deep
		}
		line.Steps += int64(t.Steps - p.steps)
		if p.clock != nil {
			now := p.clock()
			line.Seconds += now - p.since
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
	out := &report.CodeProfile{Steps: int64(p.m.thread.Steps), Calls: p.calls}
	for _, l := range p.lines {
		if l.Steps > 0 {
			out.Lines = append(out.Lines, l)
		}
	}
	return out
}
