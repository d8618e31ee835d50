package chart

import (
	"math"
	"strconv"

	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// UserRow is one user in the table of users.
type UserRow struct {
	report.UserRow
	Diff float64 // mean wait minus that of the other run, s; NaN without
}

// Users returns the users of A with the difference to the other run. named is
// false when the workload names no users.
func (d *Data) Users() (rows []UserRow, named bool) {
	r := d.shown(d.A)
	if r == nil {
		return nil, true
	}
	other := map[int32]float64{}
	if o := d.shown(d.other()); o != nil {
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

func userName(u int32) string {
	if u < 0 {
		return "unknown"
	}
	return strconv.Itoa(int(u))
}

// UserGrid writes users as a table, with bars for the difference.
func (d *Data) UserGrid(rows []UserRow) Grid {
	g := Grid{Head: []string{"User", "Jobs", "Work", "Mean wait", "Longest wait", "Slowdown", "Difference"},
		Units: []string{"user", "jobs", "processor_seconds", "mean_wait_s", "longest_wait_s", "mean_bounded_slowdown", "mean_wait_difference_s"}}
	for i := range rows {
		r := &rows[i]
		diff := words.None
		if !math.IsNaN(r.Diff) {
			diff = HourMin(int64(math.Round(r.Diff)))
		}
		g.Cells = append(g.Cells, []string{userName(r.User), words.Int(r.Jobs), words.Int(r.Area / 3600), HourMin(int64(math.Round(r.MeanWait))), HourMin(int64(r.MaxWait)), words.Plain(r.MeanSlowdown), diff})
		g.Raw = append(g.Raw, []string{strconv.Itoa(int(r.User)), strconv.Itoa(r.Jobs), strconv.FormatInt(r.Area, 10), plainNumber(r.MeanWait), strconv.FormatInt(int64(r.MaxWait), 10), plainNumber(r.MeanSlowdown), plainNumber(r.Diff)})
	}
	return g
}

// UserPlot plots each user's mean wait over the number of jobs; the area of a
// dot is the user's work.
func (d *Data) UserPlot(w, h float64) Figure {
	f := Figure{W: w, H: h}
	rows, named := d.Users()
	switch {
	case d.shown(d.A) == nil:
		f.Empty = d.nothing()
		return f
	case !named:
		f.Empty = "This log names no users: field 12 is −1 in all " + words.Count(d.shown(d.A).Jobs, "job", "jobs") + ", so there is nobody to compare."
		return f
	}
	SortUsers(rows, "area", true) // small dots in front
	mostJobs, mostWait, mostArea := 1.0, 60.0, 1.0
	for _, r := range rows {
		mostJobs, mostWait, mostArea = max(mostJobs, float64(r.Jobs)), max(mostWait, r.MeanWait), max(mostArea, float64(r.Area))
	}
	l := Layer{Shape: Dots, Series: d.A, Name: d.Title(d.A)}
	longest := &rows[0]
	for i := range rows {
		r := &rows[i]
		l.X, l.Y = append(l.X, float64(r.Jobs)), append(l.Y, r.MeanWait)
		l.Sizes = append(l.Sizes, 6+30*math.Sqrt(float64(r.Area)/mostArea))
		if r.MeanWait > longest.MeanWait {
			longest = r
		}
	}
	var ticks []Tick
	for v := 1.0; v <= mostJobs*1.5; v *= 10 {
		ticks = append(ticks, Tick{At: v, Label: words.Int(int64(v))})
	}
	f.Panels = []Panel{{Box: Box{56, 14, max(10, w-76), h - 56}, X: Axis{Min: .8, Max: mostJobs * 1.5, Log: true, Ticks: ticks}, Y: Axis{Max: mostWait * 1.08, Ticks: DurationTicks(mostWait*1.08, 5)}, Hold: true}}
	f.text(56, h-13, "jobs, log scale · area of a dot: processor-hours", 'l', ToneAxis)
	f.Layers = []Layer{l}
	f.Say = func(_ float64, _, i int) string {
		r := &rows[i]
		var t tip
		t.row("jobs", words.Int(r.Jobs))
		t.row("processor-hours", words.Int(r.Area/3600))
		t.row("mean wait", words.Dur(r.MeanWait))
		t.row("longest wait", words.Dur(float64(r.MaxWait)))
		if o := d.other(); o >= 0 && !math.IsNaN(r.Diff) {
			t.row(words.Letter(d.A)+" − "+words.Letter(o), signed(words.Dur(r.Diff)))
		}
		return t.html("user " + userName(r.User))
	}
	f.Table = d.UserGrid(rows)
	f.Aria = "Mean wait of " + words.Count(len(rows), "user", "users") + " over their number of jobs; longest for user " + userName(longest.User) + " with " + words.Dur(longest.MeanWait) + "."
	return f
}

// ClassGrid writes mean wait and slowdown of each class of jobs for every
// scheduler, larger classes of work first as they stand in the report.
func (d *Data) ClassGrid() Grid {
	g := Grid{Head: []string{"Processors", "Requested", "Jobs"}, Left: 2, Units: []string{"processors", "requested_time", "jobs"}}
	var first *report.Run
	var sums []map[classKey]*classSum
	for i, runs := range d.Runs {
		if len(runs) == 0 {
			sums = append(sums, nil)
			continue
		}
		if first == nil {
			first = runs[0]
		}
		sums = append(sums, classSums(runs))
		g.Head = append(g.Head, words.Letter(i)+" wait", words.Letter(i)+" slowdown")
		g.Units = append(g.Units, d.Title(i)+" mean_wait_s", d.Title(i)+" mean_bounded_slowdown")
	}
	if first == nil {
		return g
	}
	for _, c := range first.Classes {
		k := classKey{c.ProcsFrom, c.LimitFrom}
		procs := words.Int(c.ProcsFrom)
		if c.ProcsTo > c.ProcsFrom {
			procs += "–" + words.Int(c.ProcsTo)
		}
		limit := "≤ " + words.Dur(float64(c.LimitTo))
		if c.LimitTo >= day*365*1000 {
			limit = "> " + words.Dur(float64(c.LimitFrom))
		}
		cells, raw, jobs := []string{procs, limit, ""}, []string{procs, limit, ""}, 0
		for _, s := range sums {
			if s == nil {
				continue
			}
			x := s[k]
			if x == nil || x.jobs == 0 {
				cells, raw = append(cells, words.None, words.None), append(raw, "", "")
				continue
			}
			jobs = max(jobs, x.jobs)
			w, sl := x.wait/float64(x.jobs), x.slowdown/float64(x.jobs)
			cells, raw = append(cells, HourMin(int64(math.Round(w))), words.Plain(sl)), append(raw, plainNumber(w), plainNumber(sl))
		}
		if jobs == 0 {
			continue
		}
		cells[2], raw[2] = words.Int(jobs), strconv.Itoa(jobs)
		g.Cells, g.Raw = append(g.Cells, cells), append(g.Raw, raw)
	}
	return g
}

// Versus names what differences are of: "A − B", a dash without another run.
func (d *Data) Versus() string {
	if o := d.other(); o >= 0 {
		return words.Letter(d.A) + " − " + words.Letter(o)
	}
	return words.None
}
