//go:build js

package island

import (
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/ui/chart"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// complaints adds to the tab of users what they have to put up with, how the
// work gets done over time, and what was found of users who react.
func (u *users) complaints() []island {
	pair := add(u.root, "div", "bl-pair bl-low")
	counts := newFigure(u.part(pair, ""), "complaints-by-user", "Who complains", func(d *chart.Data, w, h float64) chart.Figure { return d.ComplaintUsers(w, h) })
	counts.sub.Set("textContent", "jobs of a user that waited longer than acceptable")
	levels := newFigure(u.part(pair, ""), "complaints", "How loudly", func(d *chart.Data, w, h float64) chart.Figure { return d.ComplaintLevels(w, h) })
	levels.sub.Set("textContent", "all complaints, the most serious first")

	pair = add(u.root, "div", "bl-pair bl-low")
	surface := newCard(u.part(pair, ""), "acceptable-waits", "Acceptable wait", func(d *chart.Data, w, h float64) chart.Drawing { return d.AcceptableMap(w, h) })
	surface.sub.Set("textContent", "of a job by itself; the formula stands under Workload")
	loud := newLoudest(u.part(pair, ""))

	pair = add(u.root, "div", "bl-pair bl-low")
	through := newFigure(u.part(pair, ""), "throughput", "Throughput", func(d *chart.Data, w, h float64) chart.Figure { return d.Throughput(w, h) })
	through.sub.Set("textContent", "jobs ended since the beginning")
	return []island{counts, levels, surface, loud, through, newFound(u.part(pair, ""))}
}

// loudest lists the users who complain; pressing one shows its worst job.
type loudest struct {
	*gridCard
	list []chart.Loud
}

func newLoudest(h *host) *loudest {
	l := &loudest{}
	l.gridCard = newGridCard(h, "loudest-users", "The loudest users", func(d *chart.Data) chart.Grid { return d.LoudGrid(d.Loudest()) })
	h.scope.listen(l.body, "click", func(ev js.Value) {
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
func (l *loudest) open(u *chart.Loud) {
	r := l.store.Finished(l.store.View.A)
	if r == nil || int(u.Job) >= len(r.Result.Columns.Start) {
		return
	}
	c := &r.Result.Columns
	end := c.End[u.Job]
	begin := c.Start[u.Job] - u.Longest
	room := max(model.Time(3600), (end-begin)/4)
	l.store.Look(func(v *state.View) {
		v.Job, v.Colour, v.From, v.To, v.Tab = int(u.Job), "user", begin-room, end+room, "gantt"
	})
	Refresh()
}

// mostLoud is how many users the list shows; the file has all.
const mostLoud = 100

func (l *loudest) draw() {
	d := l.data()
	l.list = d.Loudest()
	grid := d.LoudGrid(l.list)
	l.last = chart.Drawing{Data: grid}
	l.sub.Set("textContent", words.Count(len(l.list), "user", "users")+" with complaints, "+d.Title(d.A))
	if len(l.list) == 0 {
		text := d.Busy
		if text == "" {
			text = d.NoComplaints()
		}
		l.fill(`<p class="bl-empty">` + text + `</p>`)
		return
	}
	var b strings.Builder
	b.WriteString(`<div class="bl-scroll" tabindex="0" role="region" aria-label="The loudest users"><table class="bl-grid"><thead><tr>`)
	for _, h := range grid.Head {
		b.WriteString(`<th scope="col" class="num">` + h + `</th>`)
	}
	b.WriteString(`</tr></thead><tbody>`)
	for i, cells := range grid.Cells[:min(mostLoud, len(grid.Cells))] {
		b.WriteString(`<tr>`)
		for k, c := range cells {
			c = chart.Escape(c)
			if k == len(cells)-1 && c != "" {
				c = `<button type="button" class="bl-link" data-i="` + strconv.Itoa(i) + `" aria-label="Job ` + c + ` of user ` + chart.Escape(cells[0]) + ` on the Gantt chart" title="Show it on the Gantt chart">` + c + `</button>`
			}
			b.WriteString(`<td class="num">` + c + `</td>`)
		}
		b.WriteString(`</tr>`)
	}
	b.WriteString(`</tbody></table></div>`)
	l.fill(b.String())
}

// found shows what was found of the users in the workload.
type found struct {
	*card
	of   string
	note js.Value
}

func newFound(h *host) *found {
	f := &found{of: chart.FoundOf[0].Key}
	f.card = newCard(h, "users-found", "What was found of users", func(d *chart.Data, w, hh float64) chart.Drawing { return d.Found(f.of, w, hh) })
	f.note = create("p", "bl-said")
	f.body.Call("before", f.note)
	pick := add(f.extra, "select", "input")
	attr(pick, "aria-label", "Distribution")
	for _, o := range chart.FoundOf {
		option := add(pick, "option", "")
		option.Set("value", o.Key)
		option.Set("textContent", o.Name)
	}
	h.scope.listen(pick, "change", func(ev js.Value) {
		f.of = ev.Get("target").Get("value").String()
		h.again()
	})
	return f
}

func (f *found) draw() {
	text := ""
	if p := f.store.Preview; p != nil && p.Reaction != nil {
		text = strings.Join(state.Reacting(p.Reaction), " ")
	}
	f.note.Set("textContent", text)
	f.card.draw()
}
