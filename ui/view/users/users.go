package users

import (
	"math"
	"strconv"

	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// UserRow is one user in the table of users.
type UserRow struct {
	report.UserRow
	Diff float64 // mean wait minus that of the other run, s; NaN without
}

// Users returns the users of A with the difference to the other run. named is
// false when the workload names no users.
func Users(d *draw.Data) (rows []UserRow, named bool) {
	r := d.RunOf(d.A)
	if r == nil {
		return nil, true
	}
	other := map[int32]float64{}
	if o := d.RunOf(d.Other()); o != nil {
		for _, u := range o.Users {
			other[u.User] = u.MeanWait
		}
	}
	for _, u := range r.Users {
		named = named || u.User >= 0
		diff := math.NaN()
		if v, ok := other[u.User]; ok {
			diff = u.MeanWait - v
		}
		rows = append(rows, UserRow{u, diff})
	}
	return rows, named
}

// UserOrders are the columns that users can be sorted by.
var UserOrders = []struct{ Key, Name, Unit string }{
	{"user", "User", ""}, {"jobs", "Jobs", ""}, {"area", "Work", "processor-hours"}, {"mean", "Mean wait", "h:min"},
	{"max", "Longest wait", "h:min"}, {"slowdown", "Slowdown", "mean, bounded"}, {"diff", "Difference", "h:min"},
}

// SortUsers orders users by a column; ties go by user. Rows without a value
// stand last.
func SortUsers(rows []UserRow, key string, down bool) {
	value := func(r *UserRow) float64 {
		switch key {
		case "jobs":
			return float64(r.Jobs)
		case "area":
			return float64(r.Area)
		case "mean":
			return r.MeanWait
		case "max":
			return float64(r.MaxWait)
		case "slowdown":
			return r.MeanSlowdown
		case "diff":
			return r.Diff
		}
		return float64(r.User)
	}
	order.Stable(rows, func(a, b UserRow) int {
		x, y := value(&a), value(&b)
		switch {
		case math.IsNaN(x) != math.IsNaN(y):
			if math.IsNaN(x) {
				return 1
			}
			return -1
		case x < y && !down, x > y && down:
			return -1
		case x > y || x < y:
			return 1
		}
		return int(a.User) - int(b.User)
	})
}

// UserGrid writes users as a table, with bars for the difference.
func UserGrid(d *draw.Data, rows []UserRow) draw.Grid {
	g := draw.Grid{Head: []string{"User", "Jobs", "Work", "Mean wait", "Longest wait", "Slowdown", "Difference"},
		Units: []string{"user", "jobs", "processor_seconds", "mean_wait_s", "longest_wait_s", "mean_bounded_slowdown", "mean_wait_difference_s"}}
	for i := range rows {
		r := &rows[i]
		diff := words.None
		if !math.IsNaN(r.Diff) {
			diff = draw.HourMin(int64(math.Round(r.Diff)))
		}
		g.Cells = append(g.Cells, []string{draw.UserName(r.User), words.Int(r.Jobs), words.Int(r.Area / 3600), draw.HourMin(int64(math.Round(r.MeanWait))), draw.HourMin(int64(r.MaxWait)), words.Plain(r.MeanSlowdown), diff})
		g.Raw = append(g.Raw, []string{strconv.Itoa(int(r.User)), strconv.Itoa(r.Jobs), strconv.FormatInt(r.Area, 10), draw.PlainNumber(r.MeanWait), strconv.FormatInt(int64(r.MaxWait), 10), draw.PlainNumber(r.MeanSlowdown), draw.PlainNumber(r.Diff)})
	}
	return g
}

// UserPlot plots each user's mean wait over the number of jobs; the area of a
// dot is the user's work.
func UserPlot(d *draw.Data, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	rows, named := Users(d)
	switch {
	case d.RunOf(d.A) == nil:
		f.Empty = d.Nothing()
		return f
	case !named:
		f.Empty = "This log names no users: field 12 is −1 in all " + words.Count(d.RunOf(d.A).Jobs, "job", "jobs") + ", so there is nobody to compare."
		return f
	}
	SortUsers(rows, "area", true) // small dots in front
	mostJobs, mostWait, mostArea := 1.0, 60.0, 1.0
	for _, r := range rows {
		mostJobs, mostWait, mostArea = max(mostJobs, float64(r.Jobs)), max(mostWait, r.MeanWait), max(mostArea, float64(r.Area))
	}
	l := draw.Layer{Shape: draw.Dots, Series: d.A, Name: d.Title(d.A)}
	longest := &rows[0]
	for i := range rows {
		r := &rows[i]
		l.X, l.Y = append(l.X, float64(r.Jobs)), append(l.Y, r.MeanWait)
		l.Sizes = append(l.Sizes, 6+30*math.Sqrt(float64(r.Area)/mostArea))
		if r.MeanWait > longest.MeanWait {
			longest = r
		}
	}
	var ticks []draw.Tick
	for v := 1.0; v <= mostJobs*1.5; v *= 10 {
		ticks = append(ticks, draw.Tick{At: v, Label: words.Int(int64(v))})
	}
	f.Panels = []draw.Panel{{Box: draw.Box{X: 56, Y: 14, W: max(10, w-76), H: h - 56}, X: draw.Axis{Min: .8, Max: mostJobs * 1.5, Log: true, Ticks: ticks}, Y: draw.Axis{Max: mostWait * 1.08, Ticks: draw.DurationTicks(mostWait*1.08, 5)}, Hold: true}}
	f.Text(56, h-13, "jobs, log scale · area of a dot: processor-hours", 'l', draw.ToneAxis)
	f.Layers = []draw.Layer{l}
	f.Say = func(_ float64, _, i int) draw.Markup {
		r := &rows[i]
		var t draw.Tip
		t.Row("jobs", words.Int(r.Jobs))
		t.Row("processor-hours", words.Int(r.Area/3600))
		t.Row("mean wait", words.Dur(r.MeanWait))
		t.Row("longest wait", words.Dur(float64(r.MaxWait)))
		if o := d.Other(); o >= 0 && !math.IsNaN(r.Diff) {
			t.Row(draw.HTML(`{} − {}`, words.Letter(d.A), words.Letter(o)), draw.Signed(words.Dur(r.Diff)))
		}
		return t.HTML("user " + draw.UserName(r.User))
	}
	f.Table = UserGrid(d, rows)
	f.Aria = "Mean wait of " + words.Count(len(rows), "user", "users") + " over their number of jobs; longest for user " + draw.UserName(longest.User) + " with " + words.Dur(longest.MeanWait) + "."
	return f
}

// Versus names what differences are of: "A − B", a dash without another run.
func Versus(d *draw.Data) string {
	if o := d.Other(); o >= 0 {
		return words.Letter(d.A) + " − " + words.Letter(o)
	}
	return words.None
}
