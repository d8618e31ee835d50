package whatif

import (
	"math"
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
func (a *Answer) WhoChart(w float64, relative, weeks bool) draw.Drawing {
	rows, heads := a.shown(weeks)
	d := draw.Drawing{W: w, H: a.Height(weeks), Fill: a.table, Aria: a.Who()}
	if len(rows) == 0 {
		d.Empty = "No part of the jobs has " + words.Int(30) + " of them in every run: there is nothing to compare."
		return d
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
	most *= 1.08
	x := func(v float64) float64 { return left + (right-left)*(max(-1, min(1, v/most))+1)/2 }
	pen := &draw.Pen{}
	foot := d.H - 34
	pen.Rect(left, 20, (right-left)/2, foot-20, "var(--s1)", `fill-opacity=".06"`)
	pen.Rect(x(0), 20, (right-left)/2, foot-20, "var(--s2)", `fill-opacity=".07"`)
	write := func(v float64) string {
		if relative {
			return words.Signed(v, func(v float64) string { return words.Number(v, 0) }) + words.NB + "%"
		}
		return words.Signed(v, words.Dur)
	}
	ticks := []float64{-most / 1.08, 0, most / 1.08}
	for _, t := range ticks {
		at := draw.Crisp(x(t))
		colour := "grid"
		if t == 0 {
			colour = "line-3"
		}
		pen.Line(at, 20, at, foot, colour)
	}
	pen.Text(x(ticks[0]), foot+15, write(ticks[0]), "middle", "")
	pen.Text(x(0), foot+15, "0", "middle", "")
	pen.Text(x(ticks[2]), foot+15, write(ticks[2]), "middle", "")
	pen.Text(left, 13, "gains", "", "k2")
	pen.Text(right, 13, "pays", "end", "k2")
	if !narrow {
		pen.Text(name+counts, 13, "jobs", "end", "")
		pen.Text(name+counts+means, 13, "wait, before → after", "end", "")
	}
	y := 20.0
	for i, r := range rows {
		if heads[i] != "" {
			y += headHeight
			pen.Text(14, y-6, heads[i], "", "b k")
		}
		middle := y + rowHeight/2
		pen.Text(20, middle+4, draw.Clip(a.short(r), name-24), "", "k2")
		if !narrow {
			pen.Text(name+counts, middle+4, words.Int(r.Jobs), "end", "")
			pen.Text(name+counts+means, middle+4, words.Dur(r.Before)+" → "+words.Dur(r.After), "end", "")
		}
		if v, low, high, ok := drawn(r, relative); ok {
			if high > low {
				pen.Line(x(low), middle, x(high), middle, "ink-2")
			}
			fill := "var(--panel)"
			if r.Told && r.Difference < 0 {
				fill = "var(--s1)"
			} else if r.Told {
				fill = "var(--s2)"
			}
			pen.Put(`<circle cx="{}" cy="{}" r="4.5" fill="{}" stroke="var(--ink-2)" stroke-width="1.3"/>`, x(v), middle, fill)
			pen.Text(right+10, middle+4, a.verdict(r, write(v), verdict < 100), "", "k2")
		}
		y += rowHeight
	}
	pen.Text(left, foot+29, "hollow: no clear difference", "", "")
	d.SVG, d.Top, d.Foot = pen.Markup(), 20, foot
	return d
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
func (a *Answer) HowMany(w, h float64) draw.Drawing {
	p := a.Plan
	d := draw.Drawing{W: w, H: h, Data: draw.Grid{Head: []string{"With", "Mean wait", "Difference"}, Left: 1, Units: []string{"case", "mean_wait_s", "difference_s", "low_s", "high_s"}}}
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
		list = append(list[:at:at], append([]point{one}, list[at:]...)...)
	}
	most, last := 0.0, list[len(list)-1].size
	for _, one := range list {
		most = max(most, one.v, min(one.high, 2*one.v))
		d.Data.Cells = append(d.Data.Cells, []string{one.name, words.Dur(one.v), words.Signed(one.v-before, words.Dur)})
		d.Data.Raw = append(d.Data.Raw, []string{one.name, raw(one.v), raw(one.v - before), raw(one.low - before), raw(one.high - before)})
	}
	if most == 0 {
		most = 1
	}
	left, right, top, foot := 54.0, w-64, 18.0, h-40
	x := func(size float64) float64 { return left + (right-left)*size/max(last, 1e-9) }
	y := func(v float64) float64 { return foot - (foot-top)*min(v, most*1.1)/(most*1.1) }
	pen := &draw.Pen{}
	for _, t := range draw.DurationTicks(most*1.1, 4) {
		pen.Line(left, draw.Crisp(y(t.At)), right, draw.Crisp(y(t.At)), "grid")
		pen.Text(left-8, y(t.At)+4, t.Label, "end", "")
	}
	var band, line draw.Path
	for i, one := range list {
		cmd := byte('L')
		if i == 0 {
			cmd = 'M'
		}
		band.Cmd(cmd, x(one.size), y(one.high))
		line.Cmd(cmd, x(one.size), y(one.v))
	}
	for i := len(list) - 1; i >= 0; i-- {
		band.Cmd('L', x(list[i].size), y(list[i].low))
	}
	pen.Path(string(band.B)+"z", "", "", "", "var(--s2)", `fill-opacity=".15"`)
	pen.Path(string(line.B), "var(--s2)", "2", draw.Dash(1), "none", "")
	for _, one := range list {
		radius, fill := "4", "var(--s2)"
		if one.size == 0 {
			fill = "var(--s1)"
		} else if one.size == 1 {
			radius = "6"
		}
		pen.Put(`<circle cx="{}" cy="{}" r="{}" fill="{}" stroke="var(--panel)" stroke-width="1.5"/>`, x(one.size), y(one.v), radius, fill)
		told := one.size == 0 || one.size == 1 || one.size == last
		if told {
			anchor := "middle"
			if one.size == 0 {
				anchor = "start"
			}
			pen.Text(x(one.size), y(one.v)-10, words.Dur(one.v), anchor, "k2")
		}
		label := ""
		if one.size == 0 {
			label = "as it is"
		} else if n := sizeOf(one.name); n != "" && (told || near(x, one.size, 0, 1, last) > 34) { // another has no room beside these
			label = "+" + n
		}
		pen.Text(x(one.size), foot+16, label, "middle", "")
	}
	pen.Text(left, foot+32, "band: 95 % interval of the difference", "", "")
	d.SVG, d.Top, d.Foot = pen.Markup(), top, foot
	d.Aria = "Mean wait: " + words.Dur(before) + " as it is"
	for _, one := range list[1:] {
		d.Aria += ", " + words.Dur(one.v) + " with " + one.name
	}
	d.Aria += "."
	return d
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
