package users

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// mostPoints of a line that is ordered by size.
const mostPoints = 1500

// complaining calls visit for every scheduler whose shown run has users.
func complaining(d *draw.Data, visit func(i int, r *report.Run)) {
	for i, r := range d.Shown {
		if r != nil && slices.ContainsFunc(r.Users, func(u report.UserRow) bool { return u.User >= 0 }) {
			visit(i, r)
		}
	}
}

// NoComplaints says why there are none.
func NoComplaints(d *draw.Data) string {
	named := false
	complaining(d, func(int, *report.Run) { named = true })
	if !named {
		return "This workload names no users, so nobody can complain."
	}
	return "Nobody waited longer than acceptable."
}

// ComplaintUsers plots how many complaints each user has, users in descending
// order of them, one line a scheduler.
func ComplaintUsers(d *draw.Data, w, h float64) draw.Figure {
	return ordered(d, w, h, "user", "complaints", func(r *report.Run) []float64 {
		counts := map[int32]float64{}
		for i := range r.Columns.Complaints {
			counts[r.Columns.Complaints[i].User]++
		}
		var list []float64
		for _, n := range counts {
			list = append(list, n)
		}
		return list
	})
}

// ComplaintLevels plots how serious complaints are, the most serious first,
// one line a scheduler.
func ComplaintLevels(d *draw.Data, w, h float64) draw.Figure {
	return ordered(d, w, h, "complaint", "wait ÷ acceptable wait", func(r *report.Run) []float64 {
		list := make([]float64, len(r.Columns.Complaints))
		for i := range list {
			list[i] = r.Columns.Complaints[i].Level
		}
		return list
	})
}

// ordered plots values in descending order over their place, on two axes in
// powers of ten.
func ordered(d *draw.Data, w, h float64, one, what string, of func(*report.Run) []float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	most, places := 1.0, 1.0
	values := map[int][]float64{}
	f.Table = draw.Grid{Head: []string{"Scheduler", strings.ToUpper(one[:1]) + one[1:] + "s", "Greatest", "Median"}, Left: 1}
	var said []string
	complaining(d, func(i int, r *report.Run) {
		list := of(r)
		order.Stable(list, func(a, b float64) int {
			switch {
			case a > b:
				return -1
			case a < b:
				return 1
			}
			return 0
		})
		values[i] = list
		if len(list) == 0 {
			f.Table.Cells = append(f.Table.Cells, []string{d.Title(i), "0", words.None, words.None})
			said = append(said, d.Name(i)+" none")
			return
		}
		most, places = max(most, list[0]), max(places, float64(len(list)))
		l := draw.Layer{Shape: draw.Line, Series: i, Name: d.Title(i), Width: 1.8}
		if len(list) == 1 { // a line needs two points
			l.Size = 5
		}
		step := max(1, len(list)/mostPoints)
		for k := 0; k < len(list); k += step {
			l.X, l.Y = append(l.X, float64(k+1)), append(l.Y, list[k])
		}
		if last := len(list) - 1; last%step != 0 {
			l.X, l.Y = append(l.X, float64(last+1)), append(l.Y, list[last])
		}
		f.Layers, f.Keys = append(f.Layers, l), append(f.Keys, d.Key(i))
		f.Table.Cells = append(f.Table.Cells, []string{d.Title(i), words.Int(len(list)), words.Plain(list[0]), words.Plain(list[len(list)/2])})
		said = append(said, d.Name(i)+" "+words.Count(len(list), one, one+"s")+", at most "+words.Plain(list[0]))
	})
	switch {
	case len(values) == 0 && d.RunOf(d.A) == nil:
		f.Empty = d.Nothing()
	case len(f.Layers) == 0:
		f.Empty = NoComplaints(d)
	}
	if f.Empty != "" {
		return f
	}
	f.Panels = []draw.Panel{{
		Box: draw.Box{X: 58, Y: 14, W: max(10, w-76), H: max(10, h-56)},
		X:   draw.Axis{Min: 1, Max: max(10, places*1.1), Log: true, Ticks: powers(max(10, places*1.1)), Unit: one},
		Y:   draw.Axis{Min: 1, Max: max(10, most*1.3), Log: true, Ticks: powers(max(10, most*1.3)), Unit: what},
	}}
	f.Text(58, h-13, one+"s in order, both axes in powers of ten", 'l', draw.ToneAxis)
	f.Say = func(x float64, _, _ int) draw.Markup {
		k := max(0, int(math.Round(x))-1)
		var t draw.Tip
		for i := range d.Shown {
			if list, ok := values[i]; ok {
				v := words.None
				if k < len(list) {
					v = words.Plain(list[k])
				}
				t.Row(draw.HTML(`{}{}`, draw.Mark(i), d.Title(i)), v)
			}
		}
		return t.HTML(one + " " + words.Int(k+1))
	}
	f.Aria = "The " + what + " by " + one + ", in descending order: " + strings.Join(said, "; ") + "."
	return f
}

// powers are ticks at the powers of ten.
func powers(limit float64) []draw.Tick {
	var ticks []draw.Tick
	for v := 1.0; v <= limit; v *= 10 {
		ticks = append(ticks, draw.Tick{At: v, Label: words.Int(int64(v))})
	}
	return ticks
}

// requests are the requested times of the map of acceptable waits, in seconds.
var requests = []model.Time{900, 3600, 2 * 3600, 3 * 3600, 5 * 3600, 7 * 3600, 12 * 3600, 24 * 3600, 3 * 24 * 3600, 7 * 24 * 3600, 14 * 24 * 3600}

// AcceptableMap draws the wait that is acceptable for a job by itself, by
// processors and requested time (Klusáček and Chlumský 2016, figure 8 left).
func AcceptableMap(d *draw.Data, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	if d.Acceptable == nil {
		f.Empty = d.Nothing()
		return f
	}
	procs := 64
	if r := d.RunOf(d.A); r != nil {
		procs = max(2, r.Processors)
	}
	var sizes []int32
	for p := int32(1); int(p) <= procs && len(sizes) < 12; p *= 2 {
		sizes = append(sizes, p)
	}
	p := draw.Panel{Box: draw.Box{X: 52, Y: 8, W: w - 60, H: h - 52}, Hold: true}
	cw, ch := p.Box.W/float64(len(requests)), p.Box.H/float64(len(sizes))
	least, most := math.Log(float64(d.Acceptable(1, requests[0]))), 0.0
	f.Table = draw.Grid{Head: []string{"Processors"}, Units: []string{"processors"}}
	for col, limit := range requests {
		most = max(most, math.Log(float64(d.Acceptable(sizes[len(sizes)-1], limit))))
		f.Table.Head = append(f.Table.Head, words.Dur(float64(limit)))
		f.Table.Units = append(f.Table.Units, strconv.Itoa(int(limit))+"_s")
		name := shortDuration(float64(limit))
		if cw <= 34 && col%2 > 0 {
			name = ""
		}
		p.X.Names = append(p.X.Names, name)
	}
	cells := draw.Layer{Shape: draw.Cells, Series: -1}
	for _, size := range sizes {
		p.Y.Names = append(p.Y.Names, words.Int(size))
	}
	for row, size := range slices.Backward(sizes) {
		shown, raw := []string{words.Int(size)}, []string{strconv.Itoa(int(size))}
		for col, limit := range requests {
			v := float64(d.Acceptable(size, limit))
			text := ""
			if cw > 34 && ch > 13 {
				text = shortDuration(v)
			}
			cells.X, cells.Y, cells.Low = append(cells.X, float64(col)), append(cells.Y, float64(row)), append(cells.Low, v)
			cells.Colors, cells.Words = append(cells.Colors, d.Theme.Tide((math.Log(v)-least)/max(1e-9, most-least))), append(cells.Words, text)
			shown, raw = append(shown, words.Dur(v)), append(raw, strconv.Itoa(int(v)))
		}
		f.Table.Cells, f.Table.Raw = append(f.Table.Cells, shown), append(f.Table.Raw, raw)
	}
	f.Panels, f.Layers = []draw.Panel{p}, []draw.Layer{cells}
	f.Say = func(_ float64, layer, item int) draw.Markup {
		if layer < 0 {
			return ""
		}
		return draw.HTML(`<b>{}</b>{} processors, requested {}`, words.Dur(cells.Low[item]), p.Y.Names[int(cells.Y[item])], words.Dur(float64(requests[int(cells.X[item])])))
	}
	f.Text(p.Box.X+p.Box.W/2, h-12, "requested time · processors upwards", 'c', draw.ToneLabel)
	f.Aria = "Acceptable wait by processors and requested time: " + words.Dur(float64(d.Acceptable(1, 3600))) + " for an hour on one processor, " +
		words.Dur(float64(d.Acceptable(sizes[len(sizes)-1], 24*3600))) + " for a day on " + words.Int(sizes[len(sizes)-1]) + "."
	return f
}

// shortDuration writes seconds in one unit, for cells.
func shortDuration(v float64) string {
	switch {
	case v < 3600:
		return words.Number(v/60, 0) + words.NB + "min"
	case v < 36*3600:
		return words.Number(v/3600, 1) + words.NB + "h"
	}
	return words.Number(v/86400, 1) + words.NB + "d"
}

// ComplainingUser is a user with complaints.
type ComplainingUser struct {
	User        int32
	Jobs        int // measured
	Complaints  int
	Mean, Worst float64 // wait ÷ acceptable wait
	Job         model.JobID
	Longest     model.Time // wait of that job
}

// Loudest returns the users of A who complain, those with the most complaints
// first, then by the most serious one.
func Loudest(d *draw.Data) []ComplainingUser {
	r := d.RunOf(d.A)
	if r == nil {
		return nil
	}
	at := map[int32]int{}
	var list []ComplainingUser
	for i := range r.Columns.Complaints {
		c := &r.Columns.Complaints[i]
		k, ok := at[c.User]
		if !ok {
			k = len(list)
			at[c.User] = k
			list = append(list, ComplainingUser{User: c.User, Worst: c.Level, Job: c.Job, Longest: c.Wait})
		}
		list[k].Complaints++
		list[k].Mean += c.Level
	}
	for _, u := range r.Users {
		if k, ok := at[u.User]; ok {
			list[k].Jobs = u.Jobs
		}
	}
	for i := range list {
		list[i].Mean /= float64(list[i].Complaints)
	}
	order.Stable(list, func(a, b ComplainingUser) int { return b.Complaints - a.Complaints })
	return list
}

// LoudGrid writes users who complain as a table.
func LoudGrid(d *draw.Data, list []ComplainingUser) draw.Grid {
	g := draw.Grid{Head: []string{"User", "Jobs", "Complaints", "Mean", "Worst", "Its wait", "Job"},
		Units: []string{"user", "jobs", "complaints", "mean_level", "worst_level", "worst_wait_s", "worst_job"}}
	for i := range list {
		l := &list[i]
		number := ""
		if d.Jobs != nil && int(l.Job) < len(d.Jobs.Number) {
			number = strconv.FormatInt(d.Jobs.Number[l.Job], 10)
		}
		g.Cells = append(g.Cells, []string{draw.UserName(l.User), words.Int(l.Jobs), words.Int(l.Complaints), words.Plain(l.Mean), words.Plain(l.Worst), draw.HourMin(int64(l.Longest)), number})
		g.Raw = append(g.Raw, []string{strconv.Itoa(int(l.User)), strconv.Itoa(l.Jobs), strconv.Itoa(l.Complaints), draw.PlainNumber(l.Mean), draw.PlainNumber(l.Worst), strconv.FormatInt(int64(l.Longest), 10), number})
	}
	return g
}
