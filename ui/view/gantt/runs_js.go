//go:build js

package gantt

import (
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/result"
)

// ganttRun is what is computed once for a run.
type ganttRun struct {
	index         *draw.Index
	indexing      *draw.Indexing // while index is made
	used, waiting *draw.Steps
	backfilled    []bool
	why           int // length of the record that backfilled was made from
	end           model.Time
	marks         Marks
}

// ganttPane is one pane on the screen.
type ganttPane struct {
	scheduler int
	run       *result.Run
	message   string
	msg       js.Value
	*picture           // of what is to be shown
	last      *picture // what was finished last: stretched while picture is behind
	kept      *picture // of everything, so that going back to it draws nothing
	spare     *picture // memory
	colors    []draw.Color
	colorKey  colorKey
	legend    Legend
}

// largeLog is the number of jobs beyond which new results are drawn step by
// step, one a frame, so that the page's thread stays free.
const largeLog = 50_000

// choose decides what stands in the panes. It works on indices for a part of a
// frame, since large ones take long, and says whether more is left.
func (g *gantt) choose() (made bool) {
	s := g.Store
	wanted := s.View.Panes()
	for len(g.panes) > len(wanted) {
		last := g.panes[len(g.panes)-1]
		last.msg.Call("remove")
		g.panes = g.panes[:len(g.panes)-1]
	}
	live := map[*report.Run]*ganttRun{}
	var first *result.Run
	for i, sch := range wanted {
		if i == len(g.panes) {
			m := draw.Node(`<p class="bl-msg"></p>`)
			g.wrap.Call("append", m)
			g.panes = append(g.panes, &ganttPane{msg: m, picture: &picture{}})
		}
		p := g.panes[i]
		p.scheduler, p.run, p.message = sch, s.Finished(sch), ""
		if p.run != nil && (len(p.run.Result.Columns.Start) == 0 || s.Jobs[p.run.Repetition] == nil) {
			p.run = nil
		}
		switch {
		case p.run == nil:
			p.message = draw.WaitingFor(s)
			if p.message == "" {
				p.message = "Nothing has run yet."
			}
			continue
		case first == nil:
			first = p.run
		case p.run.Repetition != first.Repetition:
			p.message = "The same repeat of " + g.Title(sch) + " has not finished yet."
			p.run = nil
			continue
		}
		r := p.run.Result
		k := g.known[r]
		if k == nil {
			if made {
				continue
			}
			k = &ganttRun{}
			for j, e := range r.Columns.End {
				if r.Columns.Start[j] >= 0 {
					k.end = max(k.end, e)
				}
			}
			k.marks = MarksOf(s.Jobs[p.run.Repetition], &r.Columns)
			k.used, k.waiting = g.Steps(r)
			if len(r.Columns.Spans) > 0 {
				k.indexing = draw.StartIndex(&r.Columns, r.Processors)
			}
			made = len(r.Columns.Start) > largeLog
		}
		if k.indexing != nil && !made {
			if made = g.makeIndex(k); made {
				p.message = "Drawing …"
			}
		} else if k.indexing != nil {
			p.message = "Drawing …"
		}
		if n := len(r.Columns.Why); n > 0 && k.why != n {
			k.why = n
			k.backfilled = make([]bool, n)
			for j := range r.Columns.Why {
				k.backfilled[j] = draw.Backfilled(&r.Columns.Why[j])
			}
		}
		live[r] = k
		if k.index == nil && k.indexing == nil {
			p.message = "Nothing ran, so there is nothing to draw."
			if r.Logged {
				p.message = "The log’s own schedule needs more processors at times than the machine has, or ran on another one, so jobs cannot be given processor numbers. Busy processors and waiting jobs are below."
			}
		}
	}
	g.known = live
	return made
}

// makeIndex goes on with an index for a part of a frame and says whether more
// is left.
func (g *gantt) makeIndex(k *ganttRun) bool {
	for stop := draw.Now() + draw.FrameBudget; !k.indexing.Step(indexStep); {
		if draw.Now() > stop {
			return true
		}
	}
	k.index, k.indexing = k.indexing.Index(), nil
	return false
}

func (g *gantt) jobs() *report.Jobs {
	for _, p := range g.panes {
		if p.run != nil {
			return g.Store.Jobs[p.run.Repetition]
		}
	}
	return nil
}

// follow computes the whole span and takes over a span that another part of
// the page has set.
func (g *gantt) follow() {
	var full [2]model.Time
	for _, p := range g.panes {
		if p.run == nil {
			continue
		}
		a, b := model.Never, model.Time(0)
		if k := g.known[p.run.Result]; k != nil {
			b = k.end
		}
		jobs := g.Store.Jobs[p.run.Repetition]
		if len(jobs.Submit) > 0 {
			a = jobs.Submit[0]
		}
		if b = max(a+leastSpan, b); len(jobs.Submit) == 0 {
			continue
		}
		if full[0] == full[1] {
			full = [2]model.Time{a, b}
		} else {
			full = [2]model.Time{min(full[0], a), max(full[1], b)}
		}
	}
	v := &g.Store.View
	g.span.Follow(full, [2]model.Time{v.From, v.To}, g.commit != nil)
}
