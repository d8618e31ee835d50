package gantt

import (
	"math"
	"slices"
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

// slowdownScale is the end of the scale of slowdowns: a logarithm from 1.
const slowdownScale = 100.0

// sampled is the number of jobs of a run at most, at equal distances, by which a
// scale is chosen.
const sampled = 8000

// ScaleOf is the end of the colour scale of waits (a square root from 0), in seconds:
// the first round time that 99 of 100 jobs of all runs do not wait longer than; of
// differences (both ways) the same of how far starts lie from those in the first run.
// Other colourings have none.
func ScaleOf(colouring string, jobs *report.Jobs, runs []*report.Columns) model.Time {
	if colouring == "user" || colouring == "size" || colouring == "slowdown" || colouring == "deadline" || jobs == nil || len(runs) == 0 {
		return 0
	}
	var list []int64
	first, asked := runs[0], runs[0].Asked(jobs)
	for k, c := range runs {
		submit := c.Asked(jobs)
		step := max(1, len(c.Start)/sampled)
		for j := 0; j < len(c.Start); j += step {
			switch {
			case c.Start[j] < 0 || colouring == "difference" && (k == 0 || j >= len(first.Start) || first.Start[j] < 0):
			case colouring == "difference":
				d := int64(c.Start[j] - submit[j] - first.Start[j] + asked[j])
				list = append(list, max(d, -d))
			default:
				list = append(list, int64(c.Start[j]-submit[j]))
			}
		}
	}
	if len(list) == 0 {
		return scaleEnds[0]
	}
	slices.Sort(list)
	most := model.Time(list[len(list)*99/100])
	for _, end := range scaleEnds {
		if most <= end {
			return end
		}
	}
	return scaleEnds[len(scaleEnds)-1]
}

// scaleEnds are the round times at which a scale may end.
var scaleEnds = []model.Time{60, 120, 300, 600, 1200, 1800, draw.Hour, 2 * draw.Hour, 3 * draw.Hour, 4 * draw.Hour, 6 * draw.Hour, 8 * draw.Hour, 12 * draw.Hour, 18 * draw.Hour,
	draw.Day, 2 * draw.Day, 3 * draw.Day, 4 * draw.Day, 5 * draw.Day, 7 * draw.Day, 10 * draw.Day, 14 * draw.Day, 21 * draw.Day, 30 * draw.Day, 60 * draw.Day, 100 * draw.Day, 365 * draw.Day}

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
// both panes agree: blue means that the first pane's job waited less. end is that of
// the scale (ScaleOf).
func JobColors(t *draw.Theme, colouring string, jobs *report.Jobs, c, a, b *report.Columns, procs int, tau int64, end model.Time) ([]draw.Color, Legend) {
	n := len(c.Start)
	out := make([]draw.Color, n)
	submit := c.Asked(jobs)
	end = max(1, end)
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
				out[j] = look[int((draw.Root(float64(a.Start[j]-first[j]-b.Start[j]+second[j])/float64(end))+1)/2*1023+.5)]
			}
		}
		l.Low, l.High = words.Dur(float64(end))+" less in the first", words.Dur(float64(end))+" more"
		scale(func(v float64) draw.Color { return t.Diverging(draw.Root(2*v - 1)) })
	default:
		look := table(func(v float64) draw.Color { return t.Tide(math.Sqrt(v)) })
		for j := range out {
			w := c.Start[j] - submit[j]
			out[j] = look[min(1023, max(0, int(w)*1023/int(end)))]
		}
		l.Low, l.High = "no wait", words.Dur(float64(end))+" or more"
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
