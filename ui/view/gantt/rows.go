package gantt

import (
	"strconv"
	"strings"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Rows are processors that stand together: the lowest, and the one above the
// highest. Equal ends stand for all.
type Rows struct{ From, To int }

// leastRows is the fewest processors that are shown, where there are so many.
const leastRows = 4

// Within are the rows cut to a machine of procs processors, at least leastRows of
// them; all where nothing else was asked for.
func (r Rows) Within(procs int) Rows {
	if r.From >= r.To {
		return Rows{0, procs}
	}
	n := min(procs, max(leastRows, r.To-r.From))
	from := min(max(0, r.From), procs-n)
	return Rows{from, from + n}
}

// Zoomed are the rows scaled around a place in them: 0 the lowest, 1 the highest.
func (r Rows) Zoomed(procs int, factor, place float64) Rows {
	r = r.Within(procs)
	n := float64(r.To - r.From)
	next := min(float64(procs), max(leastRows, n*factor))
	if factor < 1 {
		next = min(next, max(leastRows, n-1)) // of a few rows a part is less than one
	}
	from := float64(r.From) + (n-next)*place
	return Rows{int(from + .5), int(from+.5) + int(next+.5)}.Within(procs)
}

// Moved are the rows moved up by a part of their number.
func (r Rows) Moved(procs int, part float64) Rows {
	r = r.Within(procs)
	by := int(part * float64(r.To-r.From))
	if by == 0 {
		by = int(min(1, max(-1, part*1e9)))
	}
	by = min(max(by, -r.From), procs-r.To)
	return Rows{r.From + by, r.To + by}
}

// shown are the rows of a pane.
func (g *Gantt) shown(i int) Rows { return g.Rows.Within(max(1, g.Panes[i].Procs)) }

// Part is a part of the machine that has a name: a cluster, a partition, or one of
// the machines of a cluster.
type Part struct {
	Rows
	Name string
	Kind string // "cluster", "partition", "machine"
}

// Parts are the clusters of a site where it has several, its partitions where they are
// less than all of it, and its machines where it has more than one, in that order. A
// partition whose machines do not lie together goes from its first to its last.
func Parts(site *report.Site) (parts []Part) {
	if site == nil || len(site.Machines) < 2 {
		return nil
	}
	var clusters []Part
	end := 0
	for i := range site.Machines {
		m := &site.Machines[i]
		if i == 0 || m.Cluster != site.Machines[i-1].Cluster {
			clusters = append(clusters, Part{Rows{int(m.First), 0}, m.Cluster, "cluster"})
		}
		end = int(m.First + m.Procs)
		clusters[len(clusters)-1].To = end
	}
	if len(clusters) > 1 {
		parts = clusters
	}
	for _, p := range site.Partitions {
		if r := (Rows{int(p.First), int(p.First + p.Procs)}); r != (Rows{0, end}) {
			parts = append(parts, Part{r, p.Name, "partition"})
		}
	}
	names := site.MachineNames()
	for i := range site.Machines {
		m := &site.Machines[i]
		r := Rows{int(m.First), int(m.First + m.Procs)}
		for _, c := range clusters {
			if c.Rows == r { // the only one
				names[i] = c.Name
			}
		}
		parts = append(parts, Part{r, names[i], "machine"})
	}
	return parts
}

// leastName is the height in page pixels from which a row has its name beside it.
const leastName = 13.0

// beside is the room for words, as draw.Clip counts it, beside a pane that begins at x.
func beside(x float64) float64 { return (x - 8) * 12 / 11 }

// fold breaks a name into at most so many lines, at least one, of a width: where words end
// if it can, else with a hyphen. The last line is cut where that is not enough.
func fold(name string, width float64, most int) (lines []string) {
	for rest := []rune(name); len(rest) > 0; {
		n, hyphen := len(rest), ""
		if len(lines) < most-1 && draw.TextWidth(name) > width {
			for n > 1 && draw.TextWidth(string(rest[:n])+"-") > width {
				n--
			}
			if at := strings.LastIndexAny(string(rest[:min(n+1, len(rest))]), " -"); n < len(rest) && at > 0 {
				n = len([]rune(string(rest)[:at+1]))
			} else if n < len(rest) {
				hyphen = "-"
			}
		}
		lines, rest = append(lines, draw.Clip(strings.TrimSpace(string(rest[:n]))+hyphen, width)), rest[n:]
	}
	return lines
}

// rowNames writes beside a pane which rows these are: the machines where there is room
// for their names, else the clusters, else the numbers of processors. Between parts
// stands a line.
func (g *Gantt) rowNames(s *draw.Scene, i int) {
	g.bandNames(s, i)
	b, r, t, f := g.Layout.Panes[i].Jobs, g.shown(i), g.Theme, g.frame(i)
	for _, kind := range [...]string{"machine", "cluster"} {
		var seen []Part
		least, named := b.H, 0
		for _, p := range g.Parts {
			if p.Kind != kind || p.To <= r.From || p.From >= r.To {
				continue
			}
			_, h := f.Down(int32(p.From), int32(p.To-p.From))
			seen, least = append(seen, p), min(least, h)
			if h >= leastName {
				named++
			}
		}
		if len(seen) == 0 || kind == "machine" && least < leastName || kind == "cluster" && named == 0 {
			continue
		}
		var lines draw.Path
		for k, p := range seen {
			y, h := f.Down(int32(p.From), int32(p.To-p.From))
			top, bottom := max(y, b.Y), min(y+h, b.Bottom())
			if bottom-top >= leastName {
				lines := fold(p.Name, beside(b.X), int((bottom-top)/12))
				for k, line := range lines {
					s.Text(b.X-6, (top+bottom)/2+12*(float64(k)-float64(len(lines)-1)/2), line, 'r', t.Ink3, false)
				}
			}
			if k > 0 && bottom < b.Bottom() {
				lines.Cmd('M', b.X-4, draw.Crisp(bottom))
				lines.Cmd('H', b.X)
			}
		}
		s.Stroke(string(lines.B), t.Line3, 1, "")
		return
	}
	for k, v := range []int{r.From, (r.From + r.To) / 2, r.To} {
		if k == 1 && (b.H < 90 || v == r.From) {
			continue
		}
		y := b.Bottom() - float64(v-r.From)/float64(r.To-r.From)*b.H
		s.Text(b.X-6, min(b.Bottom()-5, max(b.Y+5, y)), words.Int(v), 'r', t.Ink3, false)
	}
}

// borders are lines over the jobs between clusters.
func (g *Gantt) borders(s *draw.Scene, i int) {
	b, f := g.Layout.Panes[i].Jobs, g.frame(i)
	var lines draw.Path
	for _, p := range g.Parts {
		y, _ := f.Down(int32(p.From), 0)
		if p.Kind == "cluster" && p.From > 0 && y > b.Y && y < b.Bottom() {
			lines.Cmd('M', b.X, draw.Crisp(y))
			lines.Cmd('H', b.Right())
		}
	}
	s.Stroke(string(lines.B), g.Theme.Ink3, 1, "")
}

// Bar is where the bar of the machine stands beside a pane: all processors, with a
// frame around those in view.
func (g *Gantt) Bar(i int) draw.Box {
	b := g.Layout.Panes[i].Whole
	if g.Layout.Small {
		return draw.Box{X: b.Right() + 2, Y: b.Y, W: 6, H: b.H}
	}
	return draw.Box{X: b.Right() + 10, Y: b.Y, W: 8, H: b.H}
}

// bar draws the bar of the machine.
func (g *Gantt) bar(s *draw.Scene, i int) {
	bar, r, procs, t := g.Bar(i), g.shown(i), max(1, g.Panes[i].Procs), g.Theme
	if g.Panes[i].Index == nil || procs <= leastRows {
		return
	}
	s.Fill(draw.Pill(bar, 3), t.Grid, 1)
	at := func(p int) float64 { return bar.Bottom() - float64(p)/float64(procs)*bar.H }
	var lines draw.Path
	for _, p := range g.Parts {
		if p.Kind == "cluster" && p.From > 0 {
			lines.Cmd('M', bar.X, draw.Crisp(at(p.From)))
			lines.Cmd('H', bar.Right())
		}
	}
	s.Stroke(string(lines.B), t.Ink3, 1, "")
	if r == (Rows{0, procs}) {
		return
	}
	top, bottom := at(r.To), at(r.From)
	if bottom-top < 6 { // small, but to be seen and taken
		top = min(max(bar.Y, (top+bottom)/2-3), bar.Bottom()-6)
		bottom = top + 6
	}
	frame := draw.Pill(draw.Box{X: bar.X - 2, Y: top, W: bar.W + 4, H: bottom - top}, 2)
	s.Fill(frame, t.Accent, .3)
	s.Stroke(frame, t.Accent, 1.5, "")
}

// RowsSaid names the rows in view: "processors 512 to 1,023 of 4,096", "cluster fat".
func (g *Gantt) RowsSaid() string {
	if len(g.Panes) == 0 || g.Panes[0].Procs == 0 {
		return ""
	}
	r, procs := g.shown(0), g.Panes[0].Procs
	if r == (Rows{0, procs}) {
		return "all " + words.Count(procs, "processor", "processors")
	}
	for _, p := range g.Parts {
		if p.Rows == r {
			return p.Kind + " " + p.Name
		}
	}
	return "processors " + strconv.Itoa(r.From) + " to " + strconv.Itoa(r.To-1) + " of " + words.Int(procs)
}

// What a job that is looked for is at least, in page pixels.
const (
	foundWide = 90.0
	foundHigh = 24.0
)

// RowsOf are rows around those of a job in a pane in which it can be seen: so many
// that it is at least high page pixels high, all where it is that anyway.
func (g *Gantt) RowsOf(i, job int, high float64) Rows {
	p := &g.Panes[i]
	if p.Index == nil {
		return Rows{}
	}
	var first, count int
	p.Index.Rects(job, func(r draw.Rect) {
		if r.Main {
			first, count = int(r.First), int(r.Count)
		}
	})
	n := int(float64(count) * g.Layout.Panes[i].Whole.H * (1 - mostBanded) / high)
	if count == 0 || n >= p.Procs {
		return Rows{}
	}
	return Rows{first + count/2 - n/2, first + count/2 - n/2 + n}.Within(p.Procs)
}
