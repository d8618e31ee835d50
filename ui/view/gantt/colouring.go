package gantt

import (
	"math"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Colouring is a way to colour the jobs of the Gantt chart.
type Colouring struct {
	Key, Name string
	Help      string
}

// Colourings are the ways to colour jobs, in the order they are offered.
var Colourings = []Colouring{
	{"wait", "Wait", "Colour by waiting time"},
	{"user", "User", "Colour by user"},
	{"size", "Size", "Colour by processors"},
	{"slowdown", "Slowdown", "Colour by bounded slowdown"},
	{"deadline", "Deadline", "Colour by whether the job met its deadline"},
	{"difference", "Difference", "Colour by the difference in waiting time between the two shown runs"},
}

// Ends of the colour scales.
const (
	waitScale     = 12 * draw.Hour // square root from 0
	differ        = 6 * draw.Hour  // square root, both ways
	slowdownScale = 100.0          // logarithm from 1
)

// Legend describes a colour scale: the words at its ends and the colours in
// between, at equal distances of what is shown.
type Legend struct {
	Low, High string
	Stops     []draw.Color
	Swatches  []Swatch // instead of stops, for groups
}

// Swatch is one named colour.
type Swatch struct {
	Name  string
	Color draw.Color
}

// JobColors returns the colour of each job of a run. other is the run that
// the difference refers to; a and b are in the order of the panes, so that
// both panes agree: blue means that the first pane's job waited less.
func JobColors(t *draw.Theme, colouring string, jobs *report.Jobs, c, a, b *report.Columns, procs int, tau int64) ([]draw.Color, Legend) {
	n := len(c.Start)
	out := make([]draw.Color, n)
	submit := c.Asked(jobs)
	var l Legend
	scale := func(f func(float64) draw.Color) {
		for i := range 13 {
			l.Stops = append(l.Stops, f(float64(i)/12))
		}
	}
	// Colours on a scale come from a table: a square root a job is slow enough to notice.
	table := func(f func(float64) draw.Color) (look [1024]draw.Color) {
		for i := range look {
			look[i] = f(float64(i) / 1023)
		}
		return look
	}
	switch colouring {
	case "user":
		rank := userRanks(jobs)
		for j := range out {
			out[j] = t.Categorical(rank(jobs.User[j]))
		}
		l.Swatches = userSwatches(t, jobs, rank)
	case "size":
		top := math.Log2(float64(max(2, procs)))
		look := make(map[int32]draw.Color)
		for j := range out {
			p := jobs.Procs[j]
			col, ok := look[p]
			if !ok {
				col = t.Tide(math.Log2(float64(max(1, p))) / top)
				look[p] = col
			}
			out[j] = col
		}
		l.Low, l.High = "1 processor", words.Int(procs)
		scale(t.Tide)
	case "slowdown":
		look := table(t.Tide)
		for j := range out {
			run := max(c.End[j]-c.Start[j], model.Time(tau), 1)
			s := float64(c.End[j]-submit[j]) / float64(run)
			out[j] = look[int(min(1, max(0, math.Log(max(1, s))/math.Log(slowdownScale)))*1023)]
		}
		l.Low, l.High = "slowdown 1", "100 or more"
		scale(t.Tide)
	case "deadline":
		l = deadlineColors(t, jobs, c, out)
	case "difference":
		look := table(func(v float64) draw.Color { return t.Diverging(2*v - 1) })
		var first, second []model.Time // submissions, which differ where users react
		if a != nil && b != nil {
			first, second = a.Asked(jobs), b.Asked(jobs)
		}
		for j := range out {
			out[j] = t.Diverging(0)
			if a != nil && b != nil && j < len(a.Start) && j < len(b.Start) && a.Start[j] >= 0 && b.Start[j] >= 0 {
				out[j] = look[int((draw.Root(float64(a.Start[j]-first[j]-b.Start[j]+second[j])/differ)+1)/2*1023+.5)]
			}
		}
		l.Low, l.High = "6 h less in the first", "6 h more"
		scale(func(v float64) draw.Color { return t.Diverging(draw.Root(2*v - 1)) })
	default:
		look := table(func(v float64) draw.Color { return t.Tide(math.Sqrt(v)) })
		for j := range out {
			w := c.Start[j] - submit[j]
			out[j] = look[min(1023, max(0, int(w)*1023/waitScale))]
		}
		l.Low, l.High = "no wait", "12 h or more"
		scale(func(v float64) draw.Color { return t.Tide(math.Sqrt(v)) })
	}
	return out, l
}

// userRanks numbers users by their work, most first; unknown users have −1.
func userRanks(jobs *report.Jobs) func(int32) int {
	area := map[int32]int64{}
	var users []int32
	for j, u := range jobs.User {
		if u < 0 {
			continue
		}
		if _, ok := area[u]; !ok {
			users = append(users, u)
		}
		area[u] += int64(jobs.Procs[j]) * int64(min(jobs.Run[j], jobs.Limit[j]))
	}
	keys := make([]uint64, len(users))
	for i, u := range users {
		keys[i] = uint64(math.MaxInt64 - area[u])
	}
	rank := make(map[int32]int, len(users))
	for r, i := range draw.SortedBy(keys) {
		rank[users[i]] = r
	}
	return func(u int32) int {
		if r, ok := rank[u]; ok {
			return r
		}
		return -1
	}
}

// userSwatches names the users with the most work.
func userSwatches(t *draw.Theme, jobs *report.Jobs, rank func(int32) int) []Swatch {
	const most = 5
	var out [most]Swatch
	n := 0
	for _, u := range jobs.User {
		if r := rank(u); r >= 0 && r < most && out[r].Name == "" {
			out[r] = Swatch{"user" + words.NB + strconv.Itoa(int(u)), t.Categorical(r)}
			if n++; n == most {
				break
			}
		}
	}
	return out[:n]
}
