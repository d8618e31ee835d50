package whatif

import (
	"math"
	"slices"
	"strconv"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Sizes of the chart of who gains and who pays.
const (
	rowHeight  = 22.0
	headHeight = 26.0
	fewShown   = 6 // accounts, groups, queues and partitions, by their work
)

// shown are the rows of the chart, with a heading where a kind begins.
func (a *Answer) shown(weeks bool) (rows []*report.PaysRow, heads []string) {
	all := a.main().Rows
	for _, kind := range kinds {
		if (kind.by == report.ByWeek) != weeks {
			continue
		}
		var list []*report.PaysRow
		for i := range all {
			if all[i].By == kind.by {
				list = append(list, &all[i])
			}
		}
		most := fewShown
		if kind.by == report.BySize || kind.by == report.ByGPUs {
			most = len(list)
		} else if weeks {
			most = 30
		}
		for len(list) > most { // the one with the least work goes
			least := 0
			for i := range list {
				if list[i].Work < list[least].Work {
					least = i
				}
			}
			list = append(list[:least:least], list[least+1:]...)
		}
		for i, r := range list {
			head := ""
			if i == 0 {
				head = kind.head
			}
			rows, heads = append(rows, r), append(heads, head)
		}
	}
	return rows, heads
}

// Height is how high the chart of who gains and who pays is.
func (a *Answer) Height(weeks bool) float64 {
	rows, heads := a.shown(weeks)
	h := 64.0
	for i := range rows {
		if h += rowHeight; heads[i] != "" {
			h += headHeight
		}
	}
	return h
}

// drawn is a row's difference with its ends, in seconds or in per cent.
func drawn(r *report.PaysRow, relative bool) (v, low, high float64, ok bool) {
	scale := 1.0
	if relative {
		if r.Before <= 0 {
			return 0, 0, 0, false
		}
		scale = 100 / r.Before
	}
	v = r.Difference * scale
	low, high = v, v
	if r.Low != nil {
		low, high = *r.Low*scale, *r.High*scale
	}
	return v, low, high, true
}

// WhoChart draws who gains and who pays: one axis, a dot for each part of the jobs, filled
// where the difference is told.
func (a *Answer) WhoChart(w float64, relative, weeks bool) draw.Figure {
	rows, heads := a.shown(weeks)
	f := draw.Figure{W: w, H: a.Height(weeks), Fill: a.table, Aria: a.Who()}
	if len(rows) == 0 {
		f.Empty = "No part of the jobs has " + words.Int(30) + " of them in every run: there is nothing to compare."
		return f
	}
	narrow := w < 500
	name, counts, means, verdict := 150.0, 60.0, 150.0, 150.0
	switch {
	case narrow:
		name, counts, means, verdict = 108, 0, 0, 84
	case w < 760:
		name, counts, means, verdict = 120, 48, 136, 84
	}
	left, right := name+counts+means+14, w-verdict-8
	most := 0.0
	for _, r := range rows {
		if v, low, high, ok := drawn(r, relative); ok {
			most = max(most, math.Abs(v), min(-low, 3*math.Abs(v)), min(high, 3*math.Abs(v)))
		}
	}
	if most == 0 {
		most = 1
	}
	write := func(v float64) string {
		if relative {
			return words.Signed(v, func(v float64) string { return words.Number(v, 0) }) + words.NB + "%"
		}
		return words.Signed(v, words.Dur)
	}
	const top = 20.0
	foot := f.H - 34
	// Rows stand under headings: the vertical axis is one of pixels.
	p := draw.Panel{Box: draw.Box{X: left, Y: top, W: right - left, H: foot - top}, Y: draw.Axis{Min: top, Max: foot, Inverse: true}, Hold: true,
		X: draw.Axis{Min: -1.08 * most, Max: 1.08 * most, Ticks: []draw.Tick{{At: -most, Label: write(-most)}, {At: 0, Label: "0"}, {At: most, Label: write(most)}}}}
	edge := p.X.Max
	f.Panels = []draw.Panel{p}
	f.Layers = []draw.Layer{{Shape: draw.Spans, Low: []float64{-edge}, High: []float64{0}, Fill: "var(--s1)", Opacity: .06}, {Shape: draw.Spans, Low: []float64{0}, High: []float64{edge}, Fill: "var(--s2)", Opacity: .07},
		{Shape: draw.Line, Fill: "var(--line-3)", Width: 1, X: []float64{0, 0}, Y: []float64{top, foot}}}
	bars := draw.Layer{Shape: draw.Whiskers, Fill: "var(--ink-2)", Flat: true}
	dots := [3]draw.Layer{{Hollow: true, Fill: "var(--ink-2)"}, {Fill: "var(--s1)"}, {Fill: "var(--s2)"}} // not told, gains, pays
	f.Text(left, 9, "gains", 'l', draw.ToneLabel)
	f.Text(right, 9, "pays", 'r', draw.ToneLabel)
	if !narrow {
		f.Text(name+counts, 9, "jobs", 'r', draw.ToneAxis)
		f.Text(name+counts+means, 9, "wait, before → after", 'r', draw.ToneAxis)
	}
	y := top
	for i, r := range rows {
		if heads[i] != "" {
			y += headHeight
			f.Text(14, y-10, heads[i], 'l', draw.ToneBold)
		}
		middle := y + rowHeight/2
		f.Text(20, middle, draw.Clip(a.short(r), name-24), 'l', draw.ToneLabel)
		if !narrow {
			f.Text(name+counts, middle, words.Int(r.Jobs), 'r', draw.ToneAxis)
			f.Text(name+counts+means, middle, words.Dur(r.Before)+" → "+words.Dur(r.After), 'r', draw.ToneAxis)
		}
		if v, low, high, ok := drawn(r, relative); ok {
			bars.X, bars.Low, bars.High = append(bars.X, middle), append(bars.Low, max(low, -edge)), append(bars.High, min(high, edge))
			kind := 0
			if r.Told && r.Difference < 0 {
				kind = 1
			} else if r.Told {
				kind = 2
			}
			dots[kind].X, dots[kind].Y = append(dots[kind].X, v), append(dots[kind].Y, middle)
			f.Text(right+10, middle, a.verdict(r, write(v), verdict < 100), 'l', draw.ToneLabel)
		}
		y += rowHeight
	}
	f.Layers = append(f.Layers, bars)
	for _, l := range dots {
		l.Shape, l.Size = draw.Dots, 9
		f.Layers = append(f.Layers, l)
	}
	f.Text(left, foot+27, "hollow: no clear difference", 'l', draw.ToneAxis)
	return f
}

// verdict is what stands behind a row.
func (a *Answer) verdict(r *report.PaysRow, difference string, narrow bool) string {
	switch {
	case r.Verdict == report.VerdictSame:
		return "the same"
	case r.Told:
		return difference
	case r.Low == nil:
		return difference + " ?"
	case narrow:
		return "not clear"
	}
	return "no clear difference"
}

// near is how far, in pixels, a size is from the nearest of others.
func near(x func(float64) float64, size float64, others ...float64) float64 {
	least := math.Inf(1)
	for _, one := range others {
		least = min(least, math.Abs(x(size)-x(one)))
	}
	return least
}

// HowMany draws the mean wait over sizes of the change.
func (a *Answer) HowMany(w, h float64) draw.Figure {
	p := a.Plan
	f := draw.Figure{W: w, H: h, Table: draw.Grid{Head: []string{"With", "Mean wait", "Difference"}, Left: 1, Units: []string{"case", "mean_wait_s", "difference_s", "low_s", "high_s"}}}
	type point struct {
		size, v, low, high float64
		name               string
	}
	before := a.main().Rows[0].Before
	list := []point{{0, before, before, before, "as it is"}}
	for k, size := range p.Sizes {
		if a.Pays[k] == nil {
			continue
		}
		r := &a.Pays[k].Rows[0]
		one := point{size, r.After, r.After, r.After, p.Cases[k].Name}
		if r.Low != nil {
			one.low, one.high = max(0, r.Before+*r.Low), r.Before+*r.High
		}
		at := 0
		for at < len(list) && list[at].size < size {
			at++
		}
		list = slices.Insert(list, at, one)
	}
	most, last := 0.0, list[len(list)-1].size
	for _, one := range list {
		most = max(most, one.v, min(one.high, 2*one.v))
		f.Table.Cells = append(f.Table.Cells, []string{one.name, words.Dur(one.v), words.Signed(one.v-before, words.Dur)})
		f.Table.Raw = append(f.Table.Raw, []string{one.name, raw(one.v), raw(one.v - before), raw(one.low - before), raw(one.high - before)})
	}
	if most == 0 {
		most = 1
	}
	panel := draw.Panel{Box: draw.Box{X: 54, Y: 18, W: w - 118, H: h - 58}, X: draw.Axis{Max: max(last, 1e-9), Plain: true}, Y: draw.Axis{Max: most * 1.1, Ticks: draw.DurationTicks(most*1.1, 4)}, Hold: true}
	band := draw.Layer{Shape: draw.Band, Series: 1, Opacity: .15}
	line := draw.Layer{Shape: draw.Line, Series: 1}
	dots := [3]draw.Layer{{Series: 0, Size: 8}, {Series: 1, Size: 8}, {Series: 1, Size: 12}} // as it is, sizes, the one that was asked about
	for _, one := range list {
		band.X, band.Low, band.High = append(band.X, one.size), append(band.Low, one.low), append(band.High, one.high)
		line.X, line.Y = append(line.X, one.size), append(line.Y, one.v)
		kind := 1
		switch one.size {
		case 0:
			kind = 0
		case 1:
			kind = 2
		}
		dots[kind].X, dots[kind].Y = append(dots[kind].X, one.size), append(dots[kind].Y, one.v)
		told := kind != 1 || one.size == last
		if told {
			align := byte('c')
			if kind == 0 {
				align = 'l'
			}
			f.Text(panel.PX(one.size), panel.PY(one.v)-14, words.Dur(one.v), align, draw.ToneLabel)
		}
		label := ""
		if kind == 0 {
			label = "as it is"
		} else if n := sizeOf(one.name); n != "" && (told || near(panel.PX, one.size, 0, 1, last) > 34) { // another has no room beside these
			label = "+" + n
		}
		panel.X.Ticks = append(panel.X.Ticks, draw.Tick{At: one.size, Label: label})
	}
	f.Panels, f.Layers = []draw.Panel{panel}, []draw.Layer{band, line}
	for _, l := range dots {
		l.Shape = draw.Dots
		f.Layers = append(f.Layers, l)
	}
	f.Text(panel.Box.X, h-12, "band: 95 % interval of the difference", 'l', draw.ToneAxis)
	f.Aria = "Mean wait: " + words.Dur(before) + " as it is"
	for _, one := range list[1:] {
		f.Aria += ", " + words.Dur(one.v) + " with " + one.name
	}
	f.Aria += "."
	return f
}

// sizeOf is the number that a name begins with.
func sizeOf(name string) string {
	for i, r := range name {
		if (r < '0' || r > '9') && r != ',' && r != '.' && r != ' ' && r != '\u00a0' && r != '\u202f' {
			n := name[:i]
			for len(n) > 0 && (n[len(n)-1] < '0' || n[len(n)-1] > '9') {
				n = n[:len(n)-1]
			}
			return n
		}
	}
	return ""
}

func raw(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
