//go:build js

package users

import (
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/ui/draft"
	"batchlab/ui/draw"
	"batchlab/ui/look"
)

// complaints adds to the tab of users what they have to put up with, how the
// work gets done over time, and what was found of users who react.
func (u *users) complaints(part func(string) js.Value) []draw.Island {
	pair := part("complaints")
	counts := draw.NewFigure(u.Part(pair, ""), "complaints-by-user", "Who complains", func(d *draw.Data, w, h float64) draw.Figure { return ComplaintUsers(d, w, h) })
	counts.Sub.Set("textContent", "jobs of a user that waited longer than acceptable")
	levels := draw.NewFigure(u.Part(pair, ""), "complaints", "How loudly", func(d *draw.Data, w, h float64) draw.Figure { return ComplaintLevels(d, w, h) })
	levels.Sub.Set("textContent", "all complaints, the most serious first")

	pair = part("waits")
	surface := draw.NewFigure(u.Part(pair, ""), "acceptable-waits", "Acceptable wait", func(d *draw.Data, w, h float64) draw.Figure { return AcceptableMap(d, w, h) })
	surface.Sub.Set("textContent", "of a job by itself; the formula stands under Workload")
	loud := newLoudest(u.Part(pair, ""))

	pair = part("work")
	through := draw.NewFigure(u.Part(pair, ""), "throughput", "Throughput", func(d *draw.Data, w, h float64) draw.Figure { return Throughput(d, w, h) })
	through.Sub.Set("textContent", "jobs ended since the beginning")
	return []draw.Island{counts, levels, surface, loud, through, newFound(u.Part(pair, ""))}
}

// loudest lists the users who complain; pressing one shows its worst job.
type loudest struct {
	*draw.GridCard
	list []ComplainingUser
}

func newLoudest(h *draw.Host) *loudest {
	l := &loudest{}
	l.GridCard = draw.NewGridCard(h, "loudest-users", "The loudest users", func(d *draw.Data) draw.Grid { return LoudGrid(d, Loudest(d)) })
	h.Scope.Listen(l.Body, "click", func(ev js.Value) {
		b := ev.Get("target").Call("closest", "button[data-i]")
		if !b.Truthy() {
			return
		}
		i, err := strconv.Atoi(b.Get("dataset").Get("i").String())
		if err == nil && i < len(l.list) {
			l.open(&l.list[i])
		}
	})
	return l
}

// open shows a user's worst job on the Gantt chart, coloured by user.
func (l *loudest) open(u *ComplainingUser) {
	r := l.Store.Finished(l.Store.View.A)
	if r == nil || int(u.Job) >= len(r.Result.Columns.Start) {
		return
	}
	c := &r.Result.Columns
	end := c.End[u.Job]
	begin := c.Start[u.Job] - u.Longest
	room := max(model.Time(3600), (end-begin)/4)
	l.Store.Look(func(v *look.View) {
		v.Job, v.Colour, v.From, v.To, v.Tab = int(u.Job), "user", begin-room, end+room, "gantt"
	})
	draw.Refresh()
}

// mostLoud is how many users the list shows; the file has all.
const mostLoud = 100

func (l *loudest) Draw() {
	d := l.Data()
	l.list = Loudest(d)
	grid := LoudGrid(d, l.list)
	l.Now = draw.Figure{Table: grid}
	l.Sub.Set("textContent", listed(d, len(l.list), " with complaints"))
	if len(l.list) == 0 {
		text := d.Busy
		if text == "" {
			text = NoComplaints(d)
		}
		l.Fill(draw.HTML(`<p class="bl-empty">{}</p>`, text))
		return
	}
	var b draw.Writer
	b.Add(`<div class="bl-scroll" tabindex="0" role="region" aria-label="The loudest users"><table class="bl-grid"><thead><tr>`)
	for _, h := range grid.Head {
		b.Put(`<th scope="col" class="num">{}</th>`, h)
	}
	b.Add(`</tr></thead><tbody>`)
	for i, cells := range grid.Cells[:min(mostLoud, len(grid.Cells))] {
		b.Add(`<tr>`)
		for k, c := range cells {
			said := draw.HTML(`{}`, c)
			if k == len(cells)-1 && c != "" {
				said = draw.HTML(`<button type="button" class="bl-link" data-i="{}" aria-label="Job {} of user {} on the Gantt chart" title="Show it on the Gantt chart">{}</button>`, i, c, cells[0], c)
			}
			b.Put(`<td class="num">{}</td>`, said)
		}
		b.Add(`</tr>`)
	}
	b.Add(`</tbody></table></div>`)
	l.Fill(b.Markup())
}

// found shows what was found of the users in the workload.
type found struct {
	*draw.FigureCard
	of   string
	note js.Value
}

func newFound(h *draw.Host) *found {
	f := &found{of: FoundOf[0].Key}
	f.FigureCard = draw.NewFigure(h, "users-found", "What was found of users", func(d *draw.Data, w, hh float64) draw.Figure { return Found(d, f.of, w, hh) })
	f.note = draw.Node(`<p class="bl-said"></p>`)
	f.Body.Call("before", f.note)
	var options draw.Writer
	for _, o := range FoundOf {
		options.Put(`<option value="{}">{}</option>`, o.Key, o.Name)
	}
	draw.Put(f.Extra, draw.HTML(`<select class="input" aria-label="Distribution">{}</select>`, options.Markup()))
	pick := draw.Find(f.Extra, "select")
	h.Scope.Listen(pick, "change", func(ev js.Value) {
		f.of = ev.Get("target").Get("value").String()
		h.Again()
	})
	return f
}

func (f *found) Draw() {
	text := ""
	if p := f.Store.ShownWorkload(); p != nil && p.Reaction != nil {
		text = strings.Join(draft.Reacting(p.Reaction), " ")
	}
	f.note.Set("textContent", text)
	f.FigureCard.Draw()
}
