//go:build js

package users

import (
	"syscall/js"

	"batchlab/ui/draw"
	"batchlab/ui/words"
)

func init() { Room.Islands = map[string]draw.Maker{"users": newUsers} }

// users is the tab of users: dots and a table that can be sorted.
type users struct {
	*draw.Stack
	table  *draw.GridCard
	sortBy string
	down   bool
}

func newUsers(h *draw.Host) draw.Island {
	u := &users{Stack: &draw.Stack{Host: h}, sortBy: "area", down: true}
	part := draw.Build(h.Root, `<div class="bl-pair bl-users" data-part="users"></div><div class="bl-pair bl-low" data-part="complaints"></div><div class="bl-pair bl-low" data-part="waits"></div><div class="bl-pair bl-low" data-part="work"></div>`)
	pair := part("users")
	dots := draw.NewFigure(u.Part(pair, ""), "users", "Who waits how long", func(d *draw.Data, w, hh float64) draw.Figure { return UserPlot(d, w, hh) })
	dots.Sub.Set("textContent", "mean wait by number of jobs, one dot a user")
	u.table = draw.NewGridCard(u.Part(pair, ""), "users", "Users", func(d *draw.Data) draw.Grid {
		rows, _ := Users(d)
		SortUsers(rows, u.sortBy, u.down)
		return UserGrid(d, rows)
	})
	h.Scope.Listen(u.table.Body, "click", func(ev js.Value) {
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
	})
	u.Parts = append([]draw.Island{dots, draw.DrawFunc(u.drawTable)}, u.complaints(part)...)
	return u
}

// listed says how many users of what kind a list has, and under which scheduler.
func listed(d *draw.Data, n int, what string) string {
	if n == 0 {
		return d.Title(d.A)
	}
	return words.Count(n, "user", "users") + what + ", " + d.Title(d.A)
}

func (u *users) drawTable() {
	d := u.Data()
	rows, named := Users(d)
	u.table.Now = draw.Figure{Fill: func() draw.Grid { return u.table.Build(d) }} // the file has all, once it is asked for
	if !named {
		rows = nil // all jobs stand there as nobody's
	}
	u.table.Sub.Set("textContent", listed(d, len(rows), ""))
	if len(rows) == 0 {
		u.table.Fill(`<p class="bl-empty">There are no users to list.</p>`)
		return
	}
	most := 0.0
	for _, r := range rows {
		most = max(most, r.Diff, -r.Diff)
	}
	SortUsers(rows, u.sortBy, u.down)
	shown := UserGrid(d, rows[:min(mostUsers, len(rows))])
	var b draw.Writer
	b.Add(`<div class="bl-scroll" tabindex="0" role="region" aria-label="Users"><table class="bl-grid bl-sort"><thead><tr>`)
	for _, o := range UserOrders {
		sorted, arrow := "none", draw.Markup("")
		if o.Key == u.sortBy {
			sorted, arrow = "ascending", draw.Icon("up")
			if u.down {
				sorted, arrow = "descending", draw.Icon("down")
			}
		}
		name := o.Name
		if o.Key == "diff" {
			name = Versus(d)
		}
		b.Put(`<th scope="col" class="num" aria-sort="{}"><button type="button" data-k="{}"><span class="hn">{}{}</span><span class="hu">{}</span></button></th>`, sorted, o.Key, name, arrow, o.Unit)
	}
	b.Add(`</tr></thead><tbody>`)
	var lines []draw.Markup
	for i, cells := range shown.Cells {
		line := draw.Markup(`<tr>`)
		for k, c := range cells {
			line += draw.HTML(`<td class="num">{}`, c)
			if k == len(cells)-1 {
				line += draw.DiffBar(rows[i].Diff, most)
			}
			line += `</td>`
		}
		lines = append(lines, line+`</tr>`)
	}
	if more := len(rows) - len(lines); more > 0 {
		lines = append(lines, draw.HTML(`<tr><td colspan="7" class="mut">and {} more; the CSV has all</td></tr>`, more))
	}
	u.table.FillRows(b.Markup(), lines, `</tbody></table></div>`)
}

// mostUsers is how many users the table shows; the file has all.
const mostUsers = 1000
