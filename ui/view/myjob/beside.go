package myjob

import (
	"math"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// told is what a cell of the map tells, in seconds: how long the job waits, or from the
// instant to its end at its limit, which a start is no other than a wait for.
func (v *View) told(c *report.WhenCell) model.Time {
	if v.By == "end" {
		return c.Waits[1] + c.Limit
	}
	return c.Waits[1]
}

// CellWord is what stands in a cell.
func (v *View) CellWord(c *report.WhenCell, clock draw.Clock) string {
	switch {
	case c.Never != "":
		return ""
	case v.By == "wait" && c.Waits[1] == 0:
		return "now"
	case v.By == "wait":
		return short(c.Waits[1])
	}
	return v.time(clock, v.told(c))
}

// short writes a wait in as little room as a cell has: 42m, 5h42, 3d4h.
func short(s model.Time) string {
	switch m := int64(s+30) / 60; {
	case s < 60:
		return strconv.FormatInt(int64(s), 10) + "s"
	case m < 60:
		return strconv.FormatInt(m, 10) + "m"
	case m < 24*60:
		return strconv.FormatInt(m/60, 10) + "h" + draw.Pad2(m%60)
	default:
		return strconv.FormatInt(m/1440, 10) + "d" + strconv.FormatInt(m%1440/60, 10) + "h"
	}
}

// Shade is how dark a cell is, from 0 to 1.
func (v *View) Shade(c *report.WhenCell) float64 {
	least, most := math.Inf(1), 0.0
	for i := range v.Map.Cells {
		if d := &v.Map.Cells[i]; d.Never == "" {
			y := math.Log1p(float64(v.told(d)) / 600)
			least, most = min(least, y), max(most, y)
		}
	}
	if most <= least {
		return 0
	}
	return (math.Log1p(float64(v.told(c))/600) - least) / (most - least)
}

// clear says whether a cell starts sooner, or later, in nine draws of ten: 1, −1, else 0.
func clear(c *report.WhenCell) int {
	switch {
	case c.Sooner[0] > 0:
		return 1
	case c.Sooner[2] < 0:
		return -1
	}
	return 0
}

// Way is another way to ask for the same work.
type Way struct {
	Cell  *report.WhenCell
	Clear int // 1 sooner, −1 later, 0 not told apart
	Why   string
}

// Ways are at most five cells beside the one that is asked: those that start clearly sooner
// and lose least, then the longer limits that cost nothing.
func (v *View) Ways() (list []Way) {
	if v.Map == nil {
		return nil
	}
	asked := v.asked()
	if asked == nil {
		return nil
	}
	cell := func(procs int32, limit model.Time) *report.WhenCell {
		for i := range v.Map.Cells {
			if c := &v.Map.Cells[i]; c.Procs == procs && c.Limit == limit && c.Never == "" {
				return c
			}
		}
		return nil
	}
	add := func(c *report.WhenCell, why string) {
		for _, w := range list {
			if w.Cell == c {
				return
			}
		}
		if c != nil && c != asked && len(list) < 5 {
			list = append(list, Way{c, clear(c), why})
		}
	}
	area := int64(asked.Procs) * int64(asked.Limit)
	for i := len(v.Map.Limits) - 1; i >= 0; i-- { // the user's own jobs were no longer than that
		if limit := v.Map.Limits[i]; limit < asked.Limit && v.Map.Jobs >= 5 && limit >= v.Map.Longest {
			if i > 0 && v.Map.Limits[i-1] >= v.Map.Longest {
				continue
			}
			add(cell(asked.Procs, limit), "the last "+words.Int(v.Map.Jobs)+" such jobs of this user ran "+words.Natural(float64(v.Map.Longest))+" at most")
		}
	}
	for i := len(v.Map.Procs) - 1; i >= 0; i-- { // the same work on fewer processors, or on more for less long
		for _, limit := range v.Map.Limits {
			if c := cell(v.Map.Procs[i], limit); c != nil && c != asked && int64(c.Procs)*int64(c.Limit) == area && clear(c) > 0 {
				add(c, "the same work")
			}
		}
	}
	for i := len(v.Map.Limits) - 1; i >= 0; i-- {
		if limit := v.Map.Limits[i]; limit < asked.Limit {
			if c := cell(asked.Procs, limit); c != nil && clear(c) > 0 {
				add(c, "if it ends by then")
				break
			}
		}
	}
	for i := len(v.Map.Procs) - 1; i >= 0; i-- {
		if procs := v.Map.Procs[i]; procs < asked.Procs {
			if c := cell(procs, asked.Limit); c != nil && clear(c) > 0 {
				add(c, "if fewer are enough")
				break
			}
		}
	}
	for _, limit := range v.Map.Limits {
		if limit > asked.Limit {
			c := cell(asked.Procs, limit)
			why := "a longer limit shows no clear difference"
			if c != nil && clear(c) < 0 {
				why = "a longer limit costs this"
			}
			add(c, why)
			break
		}
	}
	return list
}

// asked is the cell of the job that is asked about.
func (v *View) asked() *report.WhenCell {
	for i := range v.Map.Cells {
		if c := &v.Map.Cells[i]; v.Told != nil && c.Procs == v.Told.Procs && c.Limit == v.Told.Limit {
			return c
		}
	}
	return nil
}

// MapGrid is the table of the map.
func (v *View) MapGrid(c draw.Clock) draw.Grid {
	g := draw.Grid{Head: []string{"Processors", "Limit", "Middle wait", "8 in 10 from", "to", "Sooner by"}, Units: []string{"processors", "limit_s", "wait_s", "low_s", "high_s", "sooner_s"}}
	if v.Map == nil {
		return g
	}
	for i := range v.Map.Cells {
		one := &v.Map.Cells[i]
		row := []string{words.Int(one.Procs), words.Natural(float64(one.Limit))}
		raw := []string{draw.PlainNumber(float64(one.Procs)), draw.PlainNumber(float64(one.Limit))}
		if one.Never != "" {
			g.Cells, g.Raw = append(g.Cells, append(row, one.Never, "", "", "")), append(g.Raw, append(raw, "", "", "", ""))
			continue
		}
		for _, s := range []model.Time{one.Waits[1], one.Waits[0], one.Waits[2]} {
			row, raw = append(row, words.Natural(float64(s))), append(raw, draw.PlainNumber(float64(s)))
		}
		word := "same"
		if clear(one) != 0 {
			word = words.Signed(float64(one.Sooner[1]), words.Natural)
		}
		g.Cells, g.Raw = append(g.Cells, append(row, word)), append(g.Raw, append(raw, draw.PlainNumber(float64(one.Sooner[1]))))
	}
	return g
}

// Free is what holds the job back: free processors with a band, and the line it needs.
func (v *View) Free(c draw.Clock, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h, Table: v.freeGrid(c)}
	k := v.Hold
	switch {
	case v.Error != "":
		f.Empty = "There is no answer."
	case k == nil && v.Total > 0:
		f.Empty = "Drawing …"
	case k == nil:
		f.Empty = "Nothing has been asked yet."
	}
	if f.Empty != "" {
		return f
	}
	var xs, low, mid, high []float64
	top := float64(k.Need)
	cross := -1
	for i, at := range k.Times {
		xs = append(xs, float64(v.Q.At+at))
		low, mid, high = append(low, float64(k.Free[i][0])), append(mid, float64(k.Free[i][1])), append(high, float64(k.Free[i][2]))
		top = max(top, high[i])
		if cross < 0 && k.Free[i][1] >= k.Need {
			cross = i
		}
	}
	box := draw.Box{X: 44, Y: 14, W: w - 60, H: h - 46}
	to := v.Q.At + k.Times[len(k.Times)-1]
	f.Panels = []draw.Panel{{Box: box,
		X: draw.Axis{Min: xs[0], Max: float64(to), Unit: "at_s", Ticks: draw.TimeTicks(c, v.Q.At, to, int(max(3, box.W/80)))},
		Y: draw.Axis{Min: 0, Max: top * 1.15, Unit: "free", Ticks: draw.LinearTicks(top*1.15, 5)}}}
	f.Panels[0].Thin(70, w)
	need := float64(k.Need)
	f.Layers = []draw.Layer{
		{Shape: draw.Band, Series: 0, Name: "8 in 10", X: xs, Low: low, High: high},
		{Shape: draw.Line, Series: 0, Name: "middle", X: xs, Y: mid, Steps: true, Width: 2},
		{Shape: draw.Line, Series: -1, Ink: true, Name: "needed", X: []float64{xs[0], float64(to)}, Y: []float64{need, need}, Unlisted: true},
	}
	f.Text(box.X+6, max(box.Y+6, f.Panels[0].PY(need)-9), "needs "+words.Int(k.Need), 'l', draw.ToneBold)
	f.Aria = "Of " + words.Int(k.Need) + " processors that the job needs, so many are free in the middle of the draws: " + words.Int(k.Free[0][1]) + " at first"
	if cross >= 0 {
		at := v.time(c, k.Times[cross])
		f.Layers = append(f.Layers, draw.Layer{Shape: draw.Dots, Series: 0, Name: "crossing", X: []float64{xs[cross]}, Y: []float64{need}, Size: 9, Unlisted: true})
		f.Text(min(f.Panels[0].PX(xs[cross])+10, w-60), f.Panels[0].PY(need)+14, at, 'l', draw.ToneBold)
		f.Aria += ", enough from " + at + " on"
	}
	f.Aria += "."
	f.Say = func(x float64, _, _ int) draw.Markup {
		i := 0
		for i+1 < len(xs) && xs[i+1] <= x {
			i++
		}
		return draw.HTML(`<b>{}</b><br>{} free, 8 in 10 from {} to {}`, v.time(c, k.Times[i]), words.Int(k.Free[i][1]), words.Int(k.Free[i][0]), words.Int(k.Free[i][2]))
	}
	return f
}

func (v *View) freeGrid(c draw.Clock) draw.Grid {
	g := draw.Grid{Head: []string{"At", "Free: 8 in 10 from", "middle", "to"}, Units: []string{"at_s", "low", "middle", "high"}, Left: 1}
	if v.Hold == nil {
		return g
	}
	for i, at := range v.Hold.Times {
		row, raw := []string{v.time(c, at)}, []string{draw.PlainNumber(float64(v.Q.At + at))}
		for _, n := range v.Hold.Free[i] {
			row, raw = append(row, words.Int(n)), append(raw, draw.PlainNumber(float64(n)))
		}
		g.Cells, g.Raw = append(g.Cells, row), append(g.Raw, raw)
	}
	return g
}

// Reason is a share of what stands in the job's way.
type Reason struct {
	Text  string
	Share float64
}

// Reasons are who holds the processors while the job waits.
func (v *View) Reasons() []Reason {
	if v.Hold == nil || v.Told != nil && v.Told.Waits[of20] == 0 {
		return nil
	}
	s := v.Hold.Shares
	return []Reason{{"jobs that run at the instant", s[0]}, {"jobs that wait then and start before it, or beside", s[1]}, {"jobs that come later", s[2]}, {"free: too few, or kept for jobs in front", s[3]}}
}

// lead names the answers told below a time.
func lead(below model.Time) string {
	if below == 0 {
		return "longer"
	}
	return "≤ " + words.Natural(float64(below))
}

// Record is how such answers came true, by the wait that was told.
func (v *View) Record(w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h, Table: v.recordGrid()}
	if v.Told == nil || v.Told.Record.Judged == 0 {
		f.Empty = "No earlier answer has been judged yet."
		if v.Total == 0 && v.Told == nil {
			f.Empty = "Nothing has been asked yet."
		}
		return f
	}
	k := v.Told.Record
	var names []string
	var xs, ys, low, high []float64
	for i, l := range k.Leads {
		names = append(names, lead(l.Below))
		xs, ys = append(xs, float64(i)), append(ys, 100*l.Eight)
		a, b := wilson(l.Eight, l.Judged)
		low, high = append(low, 100*a), append(high, 100*b)
	}
	box := draw.Box{X: 40, Y: 26, W: w - 60, H: h - 78}
	f.Panels = []draw.Panel{{Box: box, Hold: true, X: draw.Axis{Names: names, Unit: "told"}, Y: draw.Axis{Min: 0, Max: 100, Unit: "share_percent", Ticks: draw.LinearTicks(100, 5)}}}
	f.Layers = []draw.Layer{
		{Shape: draw.Line, Series: -1, Ink: true, Name: "promised", X: []float64{-.5, float64(len(names)) - .5}, Y: []float64{80, 80}, Unlisted: true},
		{Shape: draw.Whiskers, Series: 0, Name: "95 % interval", X: xs, Low: low, High: high},
		{Shape: draw.Dots, Series: 0, Name: "within 8 in 10", X: xs, Y: ys, Size: 9},
	}
	f.Text(box.Right(), 8, "dashed: promised, 80", 'r', draw.ToneLabel)
	for i, l := range k.Leads {
		x := f.Panels[0].PX(float64(i))
		f.Text(x+9, f.Panels[0].PY(ys[i]), words.Number(ys[i], 0), 'l', draw.ToneBold)
		f.Text(x, box.Bottom()+32, words.Int(l.Judged), 'c', draw.ToneLabel)
	}
	f.Aria = "Of " + words.Int(k.Judged) + " earlier answers, the band of 8 in 10 held " + words.Number(100*k.Eight, 0) + " in 100, that of half " + words.Number(100*k.Half, 0) + ", that of 9 in 10 " + words.Number(100*k.Nine, 0) + "."
	return f
}

// Kept is the record in words.
func (v *View) Kept() string {
	if v.Told == nil || v.Told.Record.Judged == 0 {
		return ""
	}
	k := v.Told.Record
	s := words.Int(k.Asked) + " earlier jobs were asked about with what was known then, one of each user and hour; " + words.Int(k.Judged) + " answers are judged. Half held " + words.Number(100*k.Half, 0) + " in 100, 8 in 10 " + words.Number(100*k.Eight, 0) + ", 9 in 10 " + words.Number(100*k.Nine, 0) + "; the draws alone, without the record, " + words.Number(100*k.Draws, 0) + ". In the picture: how many of 100 held, by the wait that was told, over the number of answers, with 95 % intervals as if these were independent."
	if w := k.Worst; w != nil {
		s += " It held least in week " + words.Int(w.Week) + " of the log: " + words.Number(100*w.Eight, 0) + " in 100 of " + words.Int(w.Judged) + " answers."
	}
	return s
}

func (v *View) recordGrid() draw.Grid {
	g := draw.Grid{Head: []string{"Told", "Answers", "Within 8 in 10"}, Units: []string{"told_below_s", "answers", "within_8_in_10"}, Left: 1}
	if v.Told == nil {
		return g
	}
	for _, l := range v.Told.Record.Leads {
		g.Cells = append(g.Cells, []string{lead(l.Below), words.Int(l.Judged), words.Percent(l.Eight)})
		g.Raw = append(g.Raw, []string{draw.PlainNumber(float64(l.Below)), draw.PlainNumber(float64(l.Judged)), draw.PlainNumber(l.Eight)})
	}
	return g
}

// wilson is the 95 % interval of a share (Wilson 1927).
func wilson(share float64, n int) (low, high float64) {
	const z = 1.96
	m := float64(n)
	centre := (share + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(share*(1-share)/m+z*z/(4*m*m))
	return centre - half, centre + half
}
