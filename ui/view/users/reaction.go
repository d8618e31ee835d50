package users

import (
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Throughput plots the jobs that have ended, counted from the beginning, of
// every shown run: where users react, a better scheduler gets done earlier.
func Throughput(d *draw.Data, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	from, to, ok := d.Span()
	if !ok {
		f.Empty = d.Nothing()
		return f
	}
	const parts = 240
	most := 1.0
	f.Table = draw.Grid{Head: []string{"Scheduler", "Jobs", "Median", "90 % within", "Longest"}, Left: 1}
	f.Spans(0, draw.Weekends(d.Clock, from, to))
	var lines []draw.Layer
	var said []string
	for i, r := range d.Shown {
		if r == nil || len(r.Columns.End) == 0 {
			continue
		}
		var counts [parts]int
		jobs := 0
		last := from
		for j, end := range r.Columns.End {
			if r.Columns.Start[j] < 0 && end < 0 {
				continue
			}
			counts[max(0, min(parts-1, int(int64(end-from)*parts/int64(to-from))))]++
			jobs++
			last = max(last, end)
		}
		f.Keys = append(f.Keys, d.Key(i))
		l := draw.Layer{Shape: draw.Line, Series: i, Name: d.Title(i), X: []float64{float64(from)}, Y: []float64{0}, Width: 1.8}
		sum := 0
		half, nine := to, to
		for k, n := range counts {
			before := sum
			sum += n
			at := from + model.Time(int64(to-from)*int64(k+1)/parts)
			if before*2 < jobs && sum*2 >= jobs {
				half = at
			}
			if before*10 < jobs*9 && sum*10 >= jobs*9 {
				nine = at
			}
			l.X, l.Y = append(l.X, float64(at)), append(l.Y, float64(sum))
		}
		most = max(most, float64(jobs))
		lines = append(lines, l)
		f.Table.Cells = append(f.Table.Cells, []string{d.Title(i), words.Int(jobs), words.Dur(float64(half - from)), words.Dur(float64(nine - from)), words.Dur(float64(last - from))})
		said = append(said, d.Name(i)+" "+words.Count(jobs, "job", "jobs")+" in "+words.Dur(float64(last-from)))
	}
	if len(lines) == 0 {
		f.Empty = d.Nothing()
		return f
	}
	f.Layers = append(f.Layers, lines...)
	wide := max(10, w-82)
	p := draw.Panel{
		Box: draw.Box{X: 64, Y: 14, W: wide, H: max(10, h-44)},
		X:   draw.Axis{Min: float64(from), Max: float64(to), Ticks: draw.TimeTicks(d.Clock, from, to, int(max(2, wide/80))), Unit: "at_s"},
		Y:   draw.Axis{Max: most * 1.04, Ticks: draw.LinearTicks(most*1.04, 5), Unit: "jobs_ended"},
	}
	p.Thin(35, w)
	f.Panels = []draw.Panel{p}
	f.Say = func(x float64, _, _ int) draw.Markup {
		k := max(0, min(parts, int((x-float64(from))/float64(to-from)*parts)))
		var t draw.Tip
		for _, l := range lines {
			t.Row(draw.HTML(`{}{}`, draw.Mark(l.Series), l.Name), words.Int(int64(l.Y[k])))
		}
		return t.HTML(d.Clock.When(model.Time(x)))
	}
	f.Aria = "Jobs ended over time: " + strings.Join(said, "; ") + "."
	return f
}

// FoundOf are the distributions of what was found of users, by key.
var FoundOf = []struct{ Key, Name string }{
	{"think", "Think times"}, {"breaks", "Breaks between sessions"}, {"batches", "Jobs of a batch"}, {"sessions", "Jobs of a session"}, {"spans", "Length of a session"},
}

// Found draws one of the distributions of what was found of users.
func Found(d *draw.Data, of string, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	r := d.Reaction
	if r == nil {
		f.Empty = "Submissions are replayed. Under Workload, Submissions, users can be made to react; then what is found of them stands here."
		return f
	}
	bars, unit, head := r.Think.Bars, "s", "batches"
	switch of {
	case "breaks":
		bars = r.Breaks.Bars
	case "batches":
		bars, unit = r.BatchJobs, ""
	case "sessions":
		bars, unit, head = r.SessionJobs, "", "sessions"
	case "spans":
		bars, head = r.SessionSpans, "sessions"
	}
	most, total := 0, 0
	for _, b := range bars {
		most, total = max(most, b.Jobs), total+b.Jobs
	}
	if total == 0 {
		f.Empty = "There are none in this workload."
		return f
	}
	p := draw.Panel{Box: draw.Box{X: 96, Y: 6, W: w - 160, H: h - 12}, X: draw.Axis{Max: float64(most), Hidden: true}, Y: draw.Axis{Inverse: true, Base: true, Unit: "class"}, Hold: true}
	f.Table = draw.Grid{Head: []string{"Class", "Count", "Share"}, Left: 1, Units: []string{"class", head, "share"}}
	l := draw.Layer{Shape: draw.Columns, Series: -1, Fill: "var(--accent)", Flat: true}
	for _, b := range bars {
		name, share := barName(b, unit), float64(b.Jobs)/float64(total)
		p.Y.Names, l.Y = append(p.Y.Names, name), append(l.Y, float64(b.Jobs))
		f.Table.Cells = append(f.Table.Cells, []string{name, words.Int(b.Jobs), words.Percent(share)})
		f.Table.Raw = append(f.Table.Raw, []string{name, strconv.Itoa(b.Jobs), draw.PlainNumber(share)})
	}
	l.Width = p.Box.H / float64(len(bars)) * .7
	for i, b := range bars {
		f.Text(p.PX(l.Y[i])+6, p.PY(float64(i)), words.Int(b.Jobs), 'l', draw.ToneLabel)
	}
	f.Panels, f.Layers = []draw.Panel{p}, []draw.Layer{l}
	f.Aria = words.Int(total) + " " + head + " by class; the fullest holds " + words.Int(most) + "."
	return f
}

// barName writes a class of seconds or of jobs.
func barName(b report.Bar, unit string) string {
	write := func(v int64) string {
		if unit == "" {
			return words.Int(v)
		}
		return words.Dur(float64(v))
	}
	switch {
	case b.Open():
		return "≥ " + write(b.From)
	case b.From == b.To:
		return write(b.To)
	case unit != "":
		return "≤ " + write(b.To)
	}
	return write(b.From) + "–" + write(b.To)
}
