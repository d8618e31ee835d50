package overview

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// BarKeys are the measures that the bars can show, with the word on the
// button.
var BarKeys = []struct{ Key, Word string }{
	{"mean-bounded-slowdown", "Slowdown"}, {"mean-wait", "Wait"}, {"mean-turnaround", "Turnaround"},
}

// Scales are the lengths that bars can have, with the word on the button:
// state.Scales.
var Scales = []struct{ Key, Word, Help string }{
	{"", "Close", "The axis ends above those that are close to each other; bars far off are cut"},
	{"whole", "Whole", "Every bar in full"}, {"log", "Log", "Every bar on a logarithmic axis"},
}

// farOff is how many times the next smaller value one must be to stand far off.
const farOff = 4

// closeOnes returns how many of the values, smallest first, are near each other
// when all others are far off: at least two. It is all of them when none is far,
// or when there are no two close ones to tell apart.
func closeOnes(means []float64) int {
	for n := 2; n < len(means); n++ {
		if near := means[n-1]; near > 0 && means[n] >= farOff*near && near < farOff*means[0] {
			return n
		}
	}
	return len(means)
}

// Cuts reports whether some of the values are so far off that the usual scale
// cuts their bars.
func Cuts(means []float64) bool {
	means = slices.Clone(means)
	slices.Sort(means)
	return closeOnes(means) < len(means)
}

// Bars draws one measure by scheduler: bars sorted by value, whiskers for the
// 95 % interval, of phases a band with a dot at the median, the value to the right. With scale "" the axis ends above those
// that are close to each other, and bars that are far off are cut, with their
// value and how many times the others it is; "whole" and "log" cut none.
func Bars(d *draw.Data, key, scale string, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	est := d.Estimates(key)
	if len(est) == 0 {
		f.Empty = d.Nothing()
		return f
	}
	unit, name := draw.UnitOf(key)
	seconds := unit == "s"
	show := words.Plain
	if seconds {
		show = words.Dur
	}
	whole := len(est)
	if scale == "" {
		means := make([]float64, len(est))
		for k := range est {
			means[k] = est[k].Mean
		}
		whole = closeOnes(means)
	}
	limit, least, longest, repeats, phases, whiskers := 0.0, math.Inf(1), 0.0, 0, 0, false
	for k, e := range est {
		if e.Mean > 0 {
			least = min(least, e.Mean)
		}
		if k < whole {
			limit = max(limit, e.Mean)
		}
		if !math.IsNaN(e.Low) {
			if k < whole {
				limit = max(limit, e.High)
			}
			whiskers = whiskers || !e.Band
		}
		if e.Band {
			phases = e.N
		}
		longest = max(longest, draw.TextWidth(d.Name(e.Scheduler)))
		repeats = max(repeats, e.N)
	}
	if limit == 0 {
		limit = 1
	}
	left := min(max(96, longest+36), w*.36)
	right, top, foot := 72.0, 10.0, 42.0
	logarithmic := scale == "log" && least < limit
	limit *= 1.04
	if whole < len(est) {
		limit *= 1.1 // room for the cut
	}
	p := draw.Panel{Box: draw.Box{X: left, Y: top, W: w - left - right, H: h - top - foot}, X: draw.Axis{Max: limit}, Y: draw.Axis{Names: make([]string, len(est)), Inverse: true, Hidden: true, Base: true}}
	if seconds {
		p.X.Ticks = draw.DurationTicks(limit, int(max(2, p.Box.W/72)))
	} else {
		p.X.Ticks = draw.LinearTicks(limit, int(max(2, p.Box.W/64)))
	}
	if logarithmic {
		p.X.Min, p.X.Log, p.X.Ticks = least/2, true, logTicks(least/2, limit, seconds, show, p.Box.W/64)
	}
	f.Panels = []draw.Panel{p}
	high := min(38, p.Box.H/float64(len(est))*.6)
	note := "one workload: no interval"
	if repeats > 1 {
		note = "mean of " + words.Int(repeats) + " repeats"
	}
	tau := ""
	if strings.Contains(key, "bounded-slowdown") {
		tau = ", τ" + words.NB + words.Int(d.Tau) + words.NB + "s"
	}
	note += tau
	var cut []string
	for _, e := range est[whole:] {
		cut = append(cut, d.Name(e.Scheduler))
	}
	cutting := ""
	switch {
	case len(cut) == 1:
		cutting = " · " + cut[0] + " is cut"
	case len(cut) > 1:
		cutting = " · " + words.Int(len(cut)) + " are cut"
	case logarithmic:
		cutting = " · lengths are logarithmic"
	}
	notes := []string{note + cutting}
	if whiskers { // where there is little room, what misleads if it is not said stays
		notes = []string{note + " · whiskers: 95" + words.NB + "% interval" + cutting, note + " · whiskers: 95" + words.NB + "%" + cutting, note + cutting}
	}
	if phases > 0 {
		over := "band over " + words.Count(phases, "phase", "phases")
		short := over
		if whiskers {
			short += " · whiskers: 95" + words.NB + "%"
		}
		notes = []string{draw.BandOver(phases) + strings.TrimPrefix(short, over) + tau + cutting, short + cutting}
	}
	f.Text(14, h-10, draw.Note(w-20, notes...), 'l', draw.ToneAxis)
	f.Table = draw.Grid{Head: []string{"Scheduler", name, "95 % interval", "Different runs"}, Left: 1, Units: []string{"scheduler", key, key + "-low-95", key + "-high-95", "repeats"}}
	if phases > 0 { // its median, and no interval
		f.Table.Head = append(f.Table.Head, "Band over phases")
		f.Table.Units = append(f.Table.Units, key+"-least", key+"-greatest")
	}
	var said []string
	for i, e := range est {
		n, mid, end := e.Scheduler, p.PY(float64(i)), p.PX(min(e.Mean, limit))
		f.Scheduler(n, d.Name(n), left-12, mid, left-34, 'r')
		bar := draw.Layer{Shape: draw.Columns, Series: n, Name: d.Title(n), Y: make([]float64, len(est)), Low: make([]float64, len(est)), Width: high, Flat: true}
		for k := range bar.Y {
			bar.Y[k] = math.NaN()
		}
		bar.Y[i] = e.Mean
		f.Layers = append(f.Layers, bar)
		if e.High > e.Low && i < whole {
			l := draw.Layer{Shape: draw.Whiskers, Series: n, Ink: true, X: []float64{float64(i)}, Y: []float64{e.Mean}, Low: []float64{e.Low}, High: []float64{e.High}, Flat: true}
			if e.Band {
				l.Shape = draw.Ranges
			}
			f.Layers = append(f.Layers, l)
			end = p.PX(e.High)
		}
		if i >= whole {
			ref := est[0]
			for _, c := range est[:whole] {
				if c.Scheduler == d.A {
					ref = c
				}
			}
			f.Text(end+8, mid-7, show(e.Mean), 'l', draw.ToneBold)
			f.Text(end+8, mid+7, times(e.Mean/ref.Mean)+words.NB+"×"+words.NB+words.Letter(ref.Scheduler), 'l', draw.ToneAxis)
		} else {
			f.Text(end+8, mid, show(e.Mean), 'l', draw.ToneBold)
		}
		span, ends, none := []string{words.None, words.None}, []float64{e.Low, e.High, math.NaN(), math.NaN()}, 0
		if e.Band {
			none, ends = 1, []float64{math.NaN(), math.NaN(), e.Low, e.High}
		}
		if !math.IsNaN(e.Low) {
			span[none] = show(e.Low) + " to " + show(e.High)
		}
		cells := []string{d.Title(n), show(e.Mean), span[0], words.Int(e.N)}
		raw := []string{d.Title(n), draw.PlainNumber(e.Mean), draw.PlainNumber(ends[0]), draw.PlainNumber(ends[1]), strconv.Itoa(e.N)}
		if phases > 0 {
			cells, raw = append(cells, span[1]), append(raw, draw.PlainNumber(ends[2]), draw.PlainNumber(ends[3]))
		}
		f.Table.Cells, f.Table.Raw = append(f.Table.Cells, cells), append(f.Table.Raw, raw)
		said = append(said, d.Name(n)+" "+show(e.Mean))
	}
	f.Aria = name + " by scheduler, smallest first: " + strings.Join(said, ", ") + "."
	return f
}

// times writes how many times something is.
func times(v float64) string {
	if v < 10 {
		return words.Number(v, 1)
	}
	return words.Number(v, 0)
}

// logTicks are ticks at 1, 2 and 5 times powers of ten, or at round durations, as
// many as have room.
func logTicks(from, to float64, seconds bool, show func(float64) string, room float64) (ticks []draw.Tick) {
	if seconds {
		ticks = draw.LogDurationTicks(from, to)
	} else {
		for p := math.Pow(10, math.Floor(math.Log10(from))); p <= to; p *= 10 {
			for _, m := range [...]float64{1, 2, 5} {
				if v := m * p; v >= from && v <= to {
					ticks = append(ticks, draw.Tick{At: v, Label: show(v)})
				}
			}
		}
	}
	every := int(math.Ceil(float64(len(ticks)) / max(2, room)))
	kept := ticks[:0]
	for i, t := range ticks {
		if i%max(1, every) == 0 {
			kept = append(kept, t)
		}
	}
	return kept
}
