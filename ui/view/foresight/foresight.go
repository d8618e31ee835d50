package foresight

import (
	"math"
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Orders are the queue orders that rollouts choose among, as report.Choice counts
// them.
var Orders = [5]string{"p̂ q", "p̂ √q", "p̂ q^1.5", "p̂", "E · H · q"}

// seen is one job of the run: what it asked for, what was predicted at its
// submission, and what it took.
type seen struct {
	at                        model.Time
	user                      int32
	requested, foretold, took float64
}

// Which returns the scheduler that is shown: the one looked at where run times are
// foretold to it, else the first of those; −1 none.
func Which(d *draw.Data) int {
	has := func(i int) bool { return d.RunOf(i) != nil && i < len(d.Foretells) && d.Foretells[i] }
	if has(d.A) {
		return d.A
	}
	for i := range d.Shown {
		if has(i) {
			return i
		}
	}
	return -1
}

// jobs returns the jobs that ran and of which something was predicted.
func jobs(d *draw.Data) (list []seen) {
	r := d.RunOf(Which(d))
	if r == nil || d.Jobs == nil || len(r.Columns.Foretold) != len(d.Jobs.Number) {
		return nil
	}
	c := &r.Columns
	submitted := c.Submitted(d.Jobs)
	for j, said := range c.Foretold {
		if took := c.End[j] - c.Start[j]; said > 0 && took > 0 {
			list = append(list, seen{submitted[j], d.Jobs.User[j], float64(d.Jobs.Limit[j]), float64(said), float64(took)})
		}
	}
	return list
}

// off is by which factor a number is off, at least 1.
func off(said, took float64) float64 { return max(said/took, took/said) }

// middle returns the median; NaN of nothing.
func middle(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	x = slices.Clone(x)
	slices.Sort(x)
	if n := len(x) / 2; len(x)%2 == 1 {
		return x[n]
	} else {
		return (x[n-1] + x[n]) / 2
	}
}

// Missing says what the log does not state, and what predictors use for it.
func Missing(d *draw.Data) (text string) {
	if r := d.RunOf(Which(d)); r != nil {
		for _, line := range r.Missing {
			text += "T" + line[1:] + ". " // the log names no users: …
		}
	}
	return text
}

// Sentence says in words how good the predictions are.
func Sentence(d *draw.Data) string {
	list := jobs(d)
	if len(list) == 0 {
		if d.RunOf(d.A) == nil {
			return d.Nothing()
		}
		if Which(d) >= 0 {
			return "A run does not keep its predictions: it runs once more to show them."
		}
		return "All schedulers use requested times: there are no predictions. Choose Foresight, or let orders use predicted times."
	}
	said, asked, over := make([]float64, len(list)), make([]float64, len(list)), 0
	for i, s := range list {
		said[i], asked[i] = off(s.foretold, s.took), off(s.requested, s.took)
		if s.foretold < s.took {
			over++
		}
	}
	p, q := middle(said), middle(asked)
	return words.Count(len(list), "job", "jobs") + " under " + d.Title(Which(d)) + ": half of the predictions are within a factor of " + words.Number(p, 1) +
		" of the run time, half of the requests within " + words.Number(q, 1) + "; " + words.Percent(float64(over)/float64(len(list))) + " of the jobs ran longer than predicted."
}

// Truth plots what was said against what jobs took: requests, or predictions.
func Truth(d *draw.Data, requested bool) *draw.Result {
	r := &draw.Result{Shape: draw.AsScatter,
		X:    draw.Quantity{Name: "run time", Unit: "s", Log: true},
		Y:    draw.Quantity{Name: "predicted", Unit: "s", Log: true},
		Note: "right on the diagonal",
	}
	set, name := draw.Set{Name: "predicted", Series: max(0, Which(d))}, "predicted"
	if requested {
		name = "requested"
		set.Name, r.Y.Name = name, name
	}
	line := draw.Set{Name: "as it ran", Series: 7}
	least, most := math.Inf(1), 0.0
	for _, s := range jobs(d) {
		y := s.foretold
		if requested {
			y = s.requested
		}
		set.X, set.Y = append(set.X, s.took), append(set.Y, y)
		least, most = min(least, s.took, s.foretold, s.requested), max(most, s.took, s.foretold, s.requested)
	}
	if len(set.X) > 0 {
		for k := range 41 {
			x := least * math.Pow(most/least, float64(k)/40)
			line.X, line.Y = append(line.X, x), append(line.Y, x)
		}
	}
	r.Sets = []draw.Set{set, line}
	return r
}

// spans is into how many pieces of equal numbers of jobs the time is cut.
const spans = 40

// Error plots over time by which factor predictions and requests are off, in the
// median of pieces of equally many jobs, and the bias of predictions: the median
// of predicted ÷ run.
func Error(d *draw.Data) *draw.Result {
	list := jobs(d)
	order.Stable(list, func(a, b seen) int { return int(min(max(a.at-b.at, -1), 1)) })
	r := &draw.Result{Shape: draw.AsCurves,
		X:    draw.Quantity{Name: "days from the first submission"},
		Y:    draw.Quantity{Name: "factor", Log: true},
		Note: "medians; 1 is right",
	}
	said, asked, bias := draw.Set{Name: "predicted, off by", Series: max(0, Which(d))}, draw.Set{Name: "requested, off by", Series: 7}, draw.Set{Name: "bias: predicted ÷ run", Series: 5}
	pieces := min(spans, len(list)/5)
	for k := range pieces {
		piece := list[k*len(list)/pieces : (k+1)*len(list)/pieces]
		var a, b, c []float64
		for _, s := range piece {
			a, b, c = append(a, off(s.foretold, s.took)), append(b, off(s.requested, s.took)), append(c, s.foretold/s.took)
		}
		x := float64(piece[len(piece)/2].at-list[0].at) / 86400
		for _, one := range []struct {
			set *draw.Set
			y   []float64
		}{{&said, a}, {&asked, b}, {&bias, c}} {
			one.set.X, one.set.Y = append(one.set.X, x), append(one.set.Y, middle(one.y))
		}
	}
	r.Sets = []draw.Set{said, asked, bias}
	return r
}

// mostUsers is how many users are shown, those with most jobs.
const mostUsers = 12

// ByUser plots by which factor predictions and requests are off, user by user.
func ByUser(d *draw.Data) *draw.Result {
	by := map[int32][]seen{}
	for _, s := range jobs(d) {
		by[s.user] = append(by[s.user], s)
	}
	var users []int32
	for u := range by {
		users = append(users, u)
	}
	order.Stable(users, func(a, b int32) int {
		if x := len(by[b]) - len(by[a]); x != 0 {
			return x
		}
		return int(a - b)
	})
	r := &draw.Result{Shape: draw.AsBars, X: draw.Quantity{Name: "user"}, Y: draw.Quantity{Name: "off by a factor of"},
		Note: "median of each user's jobs; those with most jobs, in that order"}
	said, asked := draw.Set{Name: "predicted", Series: max(0, Which(d))}, draw.Set{Name: "requested", Series: 7}
	for _, u := range users[:min(len(users), mostUsers)] {
		var a, b []float64
		for _, s := range by[u] {
			a, b = append(a, off(s.foretold, s.took)), append(b, off(s.requested, s.took))
		}
		name := strconv.Itoa(int(u))
		if u < 0 {
			name = "none"
		}
		r.Names = append(r.Names, name)
		said.Y, asked.Y = append(said.Y, middle(a)), append(asked.Y, middle(b))
	}
	r.Sets = []draw.Set{said, asked}
	return r
}

// choices returns what rollouts chose, nil where there are none.
func choices(d *draw.Data) []report.Choice {
	if r := d.RunOf(Which(d)); r != nil {
		return r.Columns.Choices
	}
	return nil
}

// ChoicesSentence says which orders the rollouts chose how often, "" before what
// was predicted is there: choices come with it.
func ChoicesSentence(d *draw.Data) string {
	list := choices(d)
	if len(list) == 0 {
		if len(jobs(d)) == 0 {
			return ""
		}
		return "No rollouts: the queue order is the same all the time."
	}
	var count [len(Orders)]int
	for _, c := range list {
		count[c.Order]++
	}
	text := words.Count(len(list), "choice", "choices") + ": "
	for i, n := range count {
		if i > 0 {
			text += ", "
		}
		text += Orders[i] + " " + words.Percent(float64(n)/float64(len(list)))
	}
	return text
}

// bars is how many bars of choices stand beside one another at most: each has a name.
const bars = 12

// Chosen plots which order was chosen over time, as shares of pieces of equally
// many choices.
func Chosen(d *draw.Data) *draw.Result {
	list := choices(d)
	r := &draw.Result{Shape: draw.AsBars, Stacked: true, X: draw.Quantity{Name: "day of the choice"}, Y: draw.Quantity{Name: "chosen", Unit: "%"}, Note: "bars of equally many choices"}
	pieces := min(bars, (len(list)+4)/5)
	for order, name := range Orders {
		set := draw.Set{Name: name, Fill: fill(d, order)}
		for k := range pieces {
			piece, n := part(list, k, pieces), 0
			for _, c := range piece {
				if int(c.Order) == order {
					n++
				}
			}
			if order == 0 {
				r.Names = append(r.Names, words.Whole(day(list, piece[0].At)))
			}
			set.Y = append(set.Y, float64(n)/float64(len(piece)))
		}
		r.Sets = append(r.Sets, set)
	}
	return r
}

// fill is the colour of an order: the darker the higher the power of q.
func fill(d *draw.Data, order int) string {
	if tide := [...]float64{.5, .25, .9, .05}; order < len(tide) {
		return d.Theme.Tide(tide[order]).Hex()
	}
	return "url(#bl-hatch)"
}

// part is the k-th of so many pieces of equally many choices.
func part(list []report.Choice, k, pieces int) []report.Choice {
	return list[k*len(list)/pieces : (k+1)*len(list)/pieces]
}

func day(list []report.Choice, at model.Time) int64 { return int64(at-list[0].At) / 86400 }

// Costs plots what each candidate would have cost beside p̂ q: the sums of pieces,
// since in most choices of a log all cost the same.
func Costs(d *draw.Data) *draw.Result {
	list := choices(d)
	r := &draw.Result{Shape: draw.AsCurves, X: draw.Quantity{Name: "days from the first choice"}, Y: draw.Quantity{Name: "cost ÷ that of p̂ q"}, Note: "sums; below 1 it is better"}
	pieces := min(spans, (len(list)+4)/5)
	for order, name := range Orders {
		set := draw.Set{Name: name, Series: order}
		for k := range pieces {
			piece, cost, first := part(list, k, pieces), 0.0, 0.0
			for _, c := range piece {
				cost, first = cost+c.Costs[order], first+c.Costs[0]
			}
			set.X = append(set.X, float64(piece[len(piece)/2].At-list[0].At)/86400)
			set.Y = append(set.Y, cost/first)
		}
		r.Sets = append(r.Sets, set)
	}
	return r
}

// Clearest is the choice that promised to save most.
func Clearest(d *draw.Data) (k int) {
	list := choices(d)
	saves := func(c *report.Choice) float64 { return c.Costs[0] - c.Costs[c.Order] }
	for i := range list {
		if saves(&list[i]) > saves(&list[k]) {
			k = i
		}
	}
	return k
}

// OneSentence says what was chosen at choice k, and at which costs.
func OneSentence(d *draw.Data, k int) string {
	list := choices(d)
	if k >= len(list) {
		return ""
	}
	c := &list[k]
	text := "Choice " + words.Whole(k+1) + " of " + words.Whole(len(list)) + ", day " + words.Whole(day(list, c.At)) + ", " + words.Count(c.Queue, "job", "jobs") + " waiting: "
	if c.Order == 0 {
		return text + "p̂ q stays, at " + words.Number(c.Costs[0], 0)
	}
	return text + Orders[c.Order] + ", at " + words.Number(c.Costs[c.Order], 0) + "; p̂ q would cost " + words.Number(c.Costs[0], 0)
}

// One plots what each order would have cost at choice k.
func One(d *draw.Data, k int) *draw.Result {
	r := &draw.Result{Shape: draw.AsBars, Stacked: true, X: draw.Quantity{Name: "order"}, Y: draw.Quantity{Name: "cost"}, Note: "predicted slowdown still to come, in total"}
	others, chosen := draw.Set{Name: "not chosen", Fill: "var(--line-3)"}, draw.Set{Name: "chosen", Fill: "var(--ink-2)"}
	if list := choices(d); k < len(list) {
		for i, cost := range list[k].Costs {
			x, y := cost, math.NaN()
			if i == int(list[k].Order) {
				x, y = y, x
			}
			r.Names = append(r.Names, Orders[i]+": "+words.Number(cost, 0))
			others.Y, chosen.Y = append(others.Y, x), append(chosen.Y, y)
		}
	}
	r.Sets = []draw.Set{others, chosen}
	return r
}
