//go:build js

package island

import (
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/ui/chart"
	"batchlab/ui/words"
)

// users is the tab of users: dots and a table that can be sorted.
type users struct {
	*stack
	table  *gridCard
	sortBy string
	down   bool
}

func newUsers(h *host) island {
	u := &users{stack: &stack{host: h}, sortBy: "area", down: true}
	pair := add(h.root, "div", "bl-pair bl-users")
	dots := newFigure(u.part(pair, ""), "users", "Who waits how long", func(d *chart.Data, w, hh float64) chart.Figure { return d.UserPlot(w, hh) })
	dots.sub.Set("textContent", "mean wait by number of jobs, one dot a user")
	u.table = newGridCard(u.part(pair, ""), "users", "Users", func(d *chart.Data) chart.Grid {
		rows, _ := d.Users()
		chart.SortUsers(rows, u.sortBy, u.down)
		return d.UserGrid(rows)
	})
	h.scope.listen(u.table.body, "click", func(ev js.Value) {
		b := ev.Get("target").Call("closest", "button[data-k]")
		if !b.Truthy() {
			return
		}
		k := b.Get("dataset").Get("k").String()
		if u.sortBy == k {
			u.down = !u.down
		} else {
			u.sortBy, u.down = k, k != "user"
		}
		u.drawTable()
		if b = u.table.body.Call("querySelector", `button[data-k="`+k+`"]`); b.Truthy() {
			b.Call("focus") // the button that had it is gone
		}
	})
	u.parts = append([]island{dots, drawing(u.drawTable)}, u.complaints()...)
	return u
}

func (u *users) drawTable() {
	d := u.data()
	rows, named := d.Users()
	grid := u.table.build(d)
	u.table.last = chart.Drawing{Data: grid}
	if !named {
		rows = nil // all jobs stand there as nobody's
	}
	u.table.sub.Set("textContent", words.Count(len(rows), "user", "users")+", "+d.Title(d.A))
	if len(rows) == 0 {
		u.table.fill(`<p class="bl-empty">There are no users to list.</p>`)
		return
	}
	most := 0.0
	for _, r := range rows {
		most = max(most, r.Diff, -r.Diff)
	}
	chart.SortUsers(rows, u.sortBy, u.down)
	var b strings.Builder
	b.WriteString(`<div class="bl-scroll" tabindex="0" role="region" aria-label="Users"><table class="bl-grid bl-sort"><thead><tr>`)
	for _, o := range chart.UserOrders {
		sorted, arrow := "none", ""
		if o.Key == u.sortBy {
			sorted, arrow = "ascending", iconUp
			if u.down {
				sorted, arrow = "descending", iconDown
			}
		}
		name := o.Name
		if o.Key == "diff" {
			name = d.Versus()
		}
		b.WriteString(`<th scope="col" class="num" aria-sort="` + sorted + `"><button type="button" data-k="` + o.Key + `"><span class="hn">` + name + arrow + `</span><span class="hu">` + o.Unit + `</span></button></th>`)
	}
	b.WriteString(`</tr></thead><tbody>`)
	for i, cells := range grid.Cells {
		b.WriteString(`<tr>`)
		for k, c := range cells {
			b.WriteString(`<td class="num">` + chart.Escape(c))
			if k == len(cells)-1 {
				b.WriteString(chart.DiffBar(rows[i].Diff, most))
			}
			b.WriteString(`</td>`)
		}
		b.WriteString(`</tr>`)
		if i == 999 && len(grid.Cells) > 1000 {
			b.WriteString(`<tr><td colspan="7" class="mut">and ` + strconv.Itoa(len(grid.Cells)-1000) + ` more; the CSV has all</td></tr>`)
			break
		}
	}
	b.WriteString(`</tbody></table></div>`)
	u.table.fill(b.String())
}
