package instant

import (
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/ui/scene"
)

// mostAfter bounds how many arrows of dependencies are drawn.
const mostAfter = 40

// after draws what jobs waited for, or wait for: an arrow from a predecessor to a job
// that has started, dashed where its start was waited for; and behind a predecessor that
// runs the numbers of the jobs that are not eligible before it has ended.
func (p *painter) after() {
	if p.Jobs == nil || len(p.Jobs.After) == 0 {
		return
	}
	at := map[int]*bar{}
	for i := range p.bars {
		if b := &p.bars[i]; at[b.job] == nil || b.count > at[b.job].count {
			at[b.job] = b
		}
	}
	held := map[int]bool{}
	for i := range p.Step.Held {
		held[int(p.Step.Held[i].Job)] = true
	}
	behind, order := map[int]string{}, []int(nil)
	drawn := 0
	for i := range p.Jobs.After {
		a := &p.Jobs.After[i]
		from := at[int(a.On)]
		if from == nil {
			continue
		}
		started := model.Event(a.What&3) == model.Started
		if to := at[int(a.Job)]; to != nil && drawn < mostAfter {
			x0, dash := from.end, ""
			if started {
				x0, dash = from.start, "4 3"
			}
			if x0 <= to.start {
				drawn++
				p.arrow(max(p.Left, p.Cut(x0)), p.mid(from), p.Cut(to.start), p.mid(to), dash)
			}
			continue
		}
		if held[int(a.Job)] && !started && from.end > p.Step.Now {
			number := strconv.FormatInt(p.number(int(a.Job)), 10)
			switch text := behind[int(a.On)]; {
			case text == "":
				behind[int(a.On)], order = number, append(order, int(a.On))
			case len(text) < 20:
				behind[int(a.On)] += ", " + number
			case !strings.HasSuffix(text, "…"):
				behind[int(a.On)] += " …"
			}
		}
	}
	for _, j := range order {
		b := at[j]
		x, y := min(p.Cut(b.until), p.Right-60), p.mid(b)
		p.arrow(x, y, x+18, y, "")
		p.label(x+22, y+4, behind[j], "start", "var(--ink)", "font-weight:600;paint-order:stroke;stroke:var(--panel);stroke-width:4px")
	}
}

// mid is the height of a bar's middle.
func (p *painter) mid(b *bar) float64 {
	y, h := p.Down(b.first, b.count)
	return y + h/2
}

// arrow draws an arrow above everything that is drawn before, with a light edge.
func (p *painter) arrow(x0, y0, x1, y1 float64, dash string) {
	line, head := scene.Arrow(x0, y0, x1, y1, max(10, (x1-x0)/2), 8)
	p.Put(`<g class="after" pointer-events="none"><path d="{}{}" fill="none" stroke="var(--panel)" stroke-width="4"/><path d="{}" fill="none" stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="{}"/><path d="{}" fill="var(--ink)"/></g>`, line, head, line, dash, head)
}
