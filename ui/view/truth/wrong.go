package truth

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// bys are what jobs are divided by, with what a part is called.
var bys = []struct{ key, name, one string }{
	{"size", "Size", ""}, {"partition", "Partition", "partition"}, {"gpus", "GPUs", "GPUs"}, {"qos", "QOS", "QOS"}, {"queue", "Queue", "queue"}, {"group", "Group", "group"}, {"account", "Account", "account"}, {"week", "Week", "week"},
}

// few is how many jobs a part must have for a number.
const few = 20

// mostParts is how many parts are shown; of more, weeks go together, and the smallest
// others do.
const mostParts = 16

// Parted are the keys of what the jobs of the log are divided by, and their names.
func (v *View) Parted() (keys, names []string) {
	r := v.main()
	if r == nil {
		return nil, nil
	}
	for _, by := range bys {
		for i := range r.first().Parts {
			if r.first().Parts[i].By == by.key {
				keys, names = append(keys, by.key), append(names, by.name)
				break
			}
		}
	}
	return keys, names
}

// parted is what is divided by now.
func (v *View) parted() string {
	keys, _ := v.Parted()
	for _, k := range keys {
		if k == v.By {
			return k
		}
	}
	if len(keys) > 0 {
		return keys[0]
	}
	return ""
}

// slot is one row: some parts together.
type slot struct {
	name  string
	parts map[[2]int64]bool
	jobs  int
}

// slots are the rows of a division, by the first run of a scheduler.
func slots(t *report.Truth, by string) (list []slot) {
	var parts []report.TruthPart
	for _, p := range t.Parts {
		if p.By == by {
			parts = append(parts, p)
		}
	}
	step := 1
	if by == "week" {
		step = (len(parts) + mostParts - 1) / mostParts
	}
	small := map[int]bool{} // parts that go together as others
	if by != "week" && len(parts) > mostParts {
		at := make([]int, len(parts))
		for i := range at {
			at[i] = i
		}
		order.Stable(at, func(a, b int) int { return parts[b].Jobs - parts[a].Jobs })
		for _, i := range at[mostParts-1:] {
			small[i] = true
		}
	}
	others := slot{name: "others", parts: map[[2]int64]bool{}}
	for i := range parts {
		p := &parts[i]
		key := [2]int64{p.From, p.To}
		if small[i] {
			others.parts[key] = true
			others.jobs += p.Jobs
			continue
		}
		if i%step == 0 || len(list) == 0 {
			list = append(list, slot{parts: map[[2]int64]bool{}, name: partName(by, p, nil)})
		}
		s := &list[len(list)-1]
		s.parts[key] = true
		if s.jobs += p.Jobs; len(s.parts) > 1 {
			s.name = partName(by, &parts[i-i%step], p)
		}
	}
	if len(others.parts) > 0 {
		list = append(list, others)
	}
	return list
}

// partName is what a part is called, or several up to another.
func partName(by string, p, last *report.TruthPart) string {
	switch {
	case by == "size" && p.From == p.To:
		return words.Count(p.From, "processor", "processors")
	case by == "size":
		return words.Int(p.From) + "–" + words.Int(p.To) + " processors"
	case by == "week" && last != nil:
		return "weeks " + words.Int(p.From+1) + "–" + words.Int(last.From+1)
	case by == "week":
		return "week " + words.Int(p.From+1)
	case by == "gpus" && p.From == 0:
		return "no GPU"
	case by == "gpus":
		return words.Count(p.From, "GPU", "GPUs")
	case p.From < 0 || by != "partition" && by != "queue" && p.From == 0:
		return "none stated"
	}
	for _, b := range bys {
		if b.key == by {
			return b.one + " " + strconv.FormatInt(p.From, 10)
		}
	}
	return ""
}

// of is the ratio of mean waits of a slot under a scheduler, and how many jobs it is of.
func (s *slot) of(t *report.Truth, by string) (ratio, logged float64, jobs int) {
	simulated := 0.0
	for i := range t.Parts {
		p := &t.Parts[i]
		if p.By == by && s.parts[[2]int64{p.From, p.To}] {
			n := float64(p.Jobs)
			simulated += float64(p.MeanWait * n)
			logged += float64(p.LoggedWait * n)
			jobs += p.Jobs
		}
	}
	if jobs == 0 {
		return math.NaN(), 0, 0
	}
	if logged == 0 {
		return math.NaN(), 0, jobs
	}
	return simulated / logged, logged / float64(jobs), jobs
}

// mostColumns is how many schedulers stand beside each other.
const mostColumns = 4

// Wrong is where it is wrong: the ratio of mean waits by part of the jobs, a number and a
// colour a cell.
func (v *View) Wrong(d *draw.Data, w, h float64) draw.Figure {
	by := v.parted()
	list := v.ranked()
	if v.main() == nil || by == "" {
		if v.main() != nil {
			return draw.Figure{Empty: "All jobs of the log are alike: it states no sizes, queues or groups that differ."}
		}
		return draw.Figure{Empty: v.nothing()}
	}
	most := mostColumns
	if w < 420 {
		most = 3
	}
	list = list[:min(len(list), most)]
	rows := slots(v.main().first(), by)
	left := 196.0
	if w < 420 {
		left = 126
	}
	p := draw.Panel{Box: draw.Box{X: left, Y: 26, W: max(40, w-left-edge), H: max(20, min(h-52, 40*float64(len(rows))))}, Hold: true}
	p.Y.Inverse, p.Y.Hidden, p.Y.Plain, p.X.Hidden, p.X.Plain = true, true, true, true, true
	m := draw.Layer{Shape: draw.Cells, Series: -1, Of: "ratio"}
	for _, r := range list {
		p.X.Names = append(p.X.Names, r.Label)
	}
	for i := range rows {
		p.Y.Names = append(p.Y.Names, rows[i].name)
	}
	f := draw.Figure{W: w, H: h, Table: draw.Grid{Head: []string{"Part", "Jobs", "Logged"}, Left: 1}}
	for _, r := range list {
		f.Table.Head = append(f.Table.Head, r.Label)
	}
	worst, place := 0.0, ""
	for i := range rows {
		s := &rows[i]
		_, logged, jobs := s.of(v.main().first(), by)
		line := []string{s.name, words.Int(jobs), words.Dur(logged)}
		for k, r := range list {
			ratio, _, n := s.of(r.first(), by)
			word, color := words.Number(ratio, 2), 0.0
			switch {
			case n < few:
				word = "few"
			case ratio != ratio:
				word = "–"
			case ratio >= 10:
				word = words.Number(ratio, 0) + "×"
				fallthrough
			default:
				color = math.Max(-1, math.Min(1, math.Log2(max(ratio, 1.0/64))/3))
				if far := math.Abs(color); r == v.main() && far > worst {
					worst, place = far, fmt.Sprintf("Under %s it is farthest off for %s: %s of the logged mean wait.", r.Label, s.name, word)
				}
			}
			m.X, m.Y, m.Low = append(m.X, float64(k)), append(m.Y, float64(i)), append(m.Low, ratio)
			m.Colors, m.Words = append(m.Colors, d.Theme.Diverging(color)), append(m.Words, word)
			line = append(line, word)
		}
		f.Table.Cells = append(f.Table.Cells, line)
	}
	f.Panels, f.Layers = []draw.Panel{p}, []draw.Layer{m}
	for k, r := range list {
		f.Text(p.PX(float64(k)), 12, short(words.Letter(r.Scheduler)+" "+r.Label, p.Box.W/float64(len(list))), 'c', draw.ToneAxis)
	}
	for i := range rows {
		y := p.PY(float64(i))
		if w < 420 { // how many jobs stands in the table
			f.Text(edge, y, short(strings.TrimSuffix(rows[i].name, " processors"), left-edge), 'l', draw.ToneLabel)
			continue
		}
		f.Text(edge, y, short(rows[i].name, left-62), 'l', draw.ToneLabel)
		f.Text(left-8, y, words.Int(rows[i].jobs), 'r', draw.ToneAxis)
	}
	if w >= 420 {
		f.Text(left-8, 12, "jobs", 'r', draw.ToneAxis)
	} else if by == "size" {
		f.Text(edge, 12, "processors", 'l', draw.ToneAxis)
	}
	f.Text(w-edge, p.Box.Bottom()+16, "blue: too short · orange: too long", 'r', draw.ToneAxis)
	f.Aria = "Mean wait as a share of the logged one, by parts of the jobs. " + place
	return f
}

// Carries is what carries the result: the mean wait as a share of the logged one with one
// part left out at a time.
func (v *View) Carries(d *draw.Data, w, h float64) draw.Figure {
	row := v.main()
	if row == nil {
		return draw.Figure{Empty: v.nothing()}
	}
	without := v.without[row.Scheduler]
	if without == nil {
		return draw.Figure{Empty: "Follows when all schedulers have run."}
	}
	if len(without.Parts) == 0 {
		return draw.Figure{Empty: row.Label + " has no part here that could be left out: no partitions, limits, outages, priorities or backfilling."}
	}
	names, got, errs := []string{"All parts"}, []*report.TruthRuns{row.Got}, []string{""}
	for i, p := range without.Parts {
		names, got, errs = append(names, "No "+strings.ToLower(p.Name[:1])+p.Name[1:]), append(got, without.Got[i]), append(errs, without.Error[i])
		if p.Key == "qos" {
			names[len(names)-1] = "No QOS"
		}
	}
	var values []float64
	for _, g := range got {
		if g != nil {
			low, high := (&Row{Got: g}).ratios()
			values = append(values, low, high)
		}
	}
	left := min(170, w*.36)
	p := draw.Panel{Box: draw.Box{X: left, Y: 12, W: max(40, w-left-130), H: max(20, h-44)}, X: ratioAxis(values), Hold: true}
	p.Y.Names, p.Y.Inverse, p.Y.Hidden, p.Y.Plain = names, true, true, true
	f := draw.Figure{W: w, H: h, Panels: []draw.Panel{p}, Table: draw.Grid{Head: []string{"Without", "÷ logged", "Median error", "Rank correlation", "Within 1 h"}, Left: 1}}
	f.Layers = near(&p)
	f.Text(w-edge, h-14, "mean wait ÷ logged", 'r', draw.ToneAxis)
	dots := draw.Layer{Shape: draw.Dots, Series: row.Scheduler, Name: row.Label, Size: 9}
	var says []string
	for i, g := range got {
		y := p.PY(float64(i))
		tone := draw.ToneLabel
		if i == 0 {
			tone = draw.ToneBold
		}
		f.Text(left-8, y, short(names[i], left-20), 'r', tone)
		if g == nil {
			text := "running …"
			if errs[i] != "" {
				text = "does not run"
			} else if len(v.asking) == 0 {
				text = "not run"
			}
			f.Text(p.Box.Right()+8, y, text, 'l', draw.ToneAxis)
			f.Table.Cells = append(f.Table.Cells, []string{names[i], text, errs[i], "", ""})
			continue
		}
		r := &Row{Got: g}
		m := r.mean()
		low, high := r.ratios()
		text := ratioText(m)
		if high > low {
			text += " (" + words.Number(low, 2) + "–" + words.Number(high, 2) + ")"
			f.Layers = append(f.Layers, draw.Layer{Shape: draw.Whiskers, Series: row.Scheduler, X: []float64{float64(i)}, Low: []float64{low}, High: []float64{high}, Flat: true, Unlisted: true})
		}
		if low > 0 {
			dots.X, dots.Y = append(dots.X, math.Sqrt(float64(low*high))), append(dots.Y, float64(i))
		}
		f.Text(p.Box.Right()+8, y, text, 'l', draw.ToneValue)
		f.Table.Cells = append(f.Table.Cells, []string{names[i], ratioText(m), words.Dur(m.MedianError), rankText(m), words.Percent(m.Hour)})
		says = append(says, names[i]+" "+ratioText(m))
	}
	f.Layers = append(f.Layers, dots)
	f.Aria = "Mean wait of " + row.Label + " as a share of the logged one: " + strings.Join(says, ", ") + "."
	return f
}
