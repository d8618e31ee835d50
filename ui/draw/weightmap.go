package draw

import (
	"math"
	"strconv"
	"strings"

	"batchlab/ui/words"
)

// Space is the mean bounded slowdown of a week over the weights of q, p̃ and
// wait: two diamonds, for q ≤ 0 and q ≥ 0, with wait to the right and p̃ upward,
// so that each corner is a pure order (Legrand, Trystram and Zrigui 2018,
// figure 4).
type Space struct {
	Called string       // what a window is: "week" (also ""), "month", "day", "window"
	Number int          // of the week, from 1
	Jobs   int          // 0: nothing to compare
	N      int          // steps from the middle to a corner
	Half   [2][]float64 // by row of p̃ from −N to N, then wait; NaN outside or not known
	Best   []float64    // weights of the best so far; nil none
	Value  float64      // what they give
	Ref    float64      // what SAF gives, NaN unknown
}

// least and most are the values that are known.
func (s *Space) bounds() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, half := range s.Half {
		for _, v := range half {
			if !math.IsNaN(v) {
				least, most = min(least, v), max(most, v)
			}
		}
	}
	return least, most
}

// Weights returns the weights that stand at a place of a diamond.
func (s *Space) Weights(half, row, col int) (q, p, wait float64) {
	n := float64(s.N)
	p, wait = float64(row-s.N)/n, float64(col-s.N)/n
	q = (n - math.Abs(float64(row-s.N)) - math.Abs(float64(col-s.N))) / n
	if half == 0 {
		q = -q
	}
	return q + 0, p, wait
}

// At is the value at a place, NaN outside or where it is not known.
func (s *Space) At(half, row, col int) float64 {
	side := 2*s.N + 1
	if half < 0 || half > 1 || row < 0 || col < 0 || row >= side || col >= side || len(s.Half[half]) != side*side {
		return math.NaN()
	}
	return s.Half[half][row*side+col]
}

var viridis = [...]Color{0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725}

// Viridis is the scale of maps, the same in both themes: 0 dark, 1 light.
func Viridis(v float64) Color { return ramp(viridis[:], v) }

// Shades is how many colours a map has: a picture and a file draw the same.
const Shades = 64

// Shade is the place of a value on the scale: shades − 1 is the best. The scale
// is logarithmic.
func Shade(v, least, most float64) int {
	if !(most > least) {
		return Shades - 1
	}
	t := 1 - math.Log(v/least)/math.Log(most/least)
	return min(Shades-1, max(0, int(t*Shades)))
}

// Name is "week 3", or "Week 3" at the beginning of a line.
func (s *Space) Name(first bool) string {
	called := s.Called
	if called == "" {
		called = "week"
	}
	if first {
		called = strings.ToUpper(called[:1]) + called[1:]
	}
	return called + " " + strconv.Itoa(s.Number)
}

// Maps are the maps of several weeks side by side.
type Maps struct {
	Weeks    []Space
	Together bool // one scale for all weeks, else one each
	W        float64
	Tiles    []MapTile
	H        float64
	Empty    string
	limits   [][2]float64
}

// MapTile is where the map of a week stands.
type MapTile struct {
	Label Box
	Half  [2]Box // the squares around the diamonds
}

// mapLabel is the width of the words beside the diamonds.
const mapLabel = 92.0

// NewMaps lays maps out in w page pixels: two weeks a row where there is room,
// and one week alone as large as fits.
func NewMaps(weeks []Space, together bool, w float64) *Maps {
	m := &Maps{Weeks: weeks, Together: together, W: w}
	if len(weeks) == 0 {
		m.Empty = "There is no week to show."
		m.H = 60
		return m
	}
	columns, gap, side, top := 1, 24.0, 14.0, 22.0
	if w >= 640 && len(weeks) > 2 {
		columns = 2
	}
	each := (w - 2*side - gap*float64(columns-1)) / float64(columns)
	size := math.Floor(min(440, (each-mapLabel-8)/2))
	label := mapLabel
	stacked := size < 100 // words above the diamonds
	if stacked {
		label, size = 0, math.Floor((each-8)/2)
	}
	rowH := size + 12
	if stacked {
		rowH += 34
	}
	for i := range weeks {
		x := side + float64(i%columns)*(each+gap)
		y := top + float64(i/columns)*rowH
		t := MapTile{Label: Box{x, y + size/2 - 34, label, 72}}
		my := y
		if stacked {
			t.Label = Box{x, y - 4, each, 34}
			my += 34
		}
		left := x + label
		if each-label-2*size-8 > 0 && !stacked {
			left += min(40, (each-label-2*size-8)/2)
		}
		t.Half[0], t.Half[1] = Box{left, my, size, size}, Box{left + size + 8, my, size, size}
		m.Tiles = append(m.Tiles, t)
		m.H = my + size + 20
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range weeks {
		a, b := weeks[i].bounds()
		m.limits = append(m.limits, [2]float64{a, b})
		low, high = min(low, a), max(high, b)
	}
	if together {
		for i := range m.limits {
			m.limits[i] = [2]float64{low, high}
		}
	}
	return m
}

// Limits are the best and the worst value of the scale of a week's map.
func (m *Maps) Limits(week int) [2]float64 { return m.limits[week] }

// mapEdge is the room around a diamond inside its square.
const mapEdge = 2.0

// mapNames is how far above the corners to the left and right their names stand,
// so that they do not lie on the diamond.
const mapNames = 34.0

// Radius is from the middle of a diamond to the middle of a corner's cell.
func Radius(b Box, n int) float64 {
	if n == 0 {
		return b.W/2 - mapEdge
	}
	return (b.W/2 - mapEdge) * float64(n) / (float64(n) + .5)
}

// Stand is where weights stand in a square.
func Stand(b Box, n int, p, wait float64) (x, y float64) {
	r := Radius(b, n)
	return b.X + b.W/2 + wait*r, b.Y + b.H/2 - p*r
}

// Hit finds the week, half, row and column at a place; ok is false outside.
func (m *Maps) Hit(x, y float64) (week, half, row, col int, ok bool) {
	for i, t := range m.Tiles {
		for h, b := range t.Half {
			if !b.Inside(x, y) {
				continue
			}
			s := &m.Weeks[i]
			step := Radius(b, s.N) / float64(s.N)
			col = int(math.Round((x-b.X-b.W/2)/step)) + s.N
			row = int(math.Round((b.Y+b.H/2-y)/step)) + s.N
			inside := Abs(row-s.N)+Abs(col-s.N) <= s.N
			return i, h, row, col, inside
		}
	}
	return 0, 0, 0, 0, false
}

func Abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Draw paints one diamond into a bitmap of its square at a scale of device
// pixels; corners take the ground's colour.
func (m *Maps) Draw(r *Bitmap, week, half int, scale float64, ground Color) {
	b, s := m.Tiles[week].Half[half], &m.Weeks[week]
	size := int(b.W*scale + .5)
	r.Size(size, size)
	side := 2*s.N + 1
	var palette [Shades]uint32
	for i := range palette {
		palette[i] = Viridis((float64(i) + .5) / Shades).Pixel()
	}
	colours := make([]uint32, side*side)
	none := ground.Pixel()
	for i := range colours {
		colours[i] = none
		if v := s.At(half, i/side, i%side); !math.IsNaN(v) {
			colours[i] = palette[Shade(v, m.limits[week][0], m.limits[week][1])]
		}
	}
	step := Radius(b, s.N) * scale / float64(s.N)
	middle := float64(size) / 2
	cols := make([]int, size)
	for x := range cols {
		cols[x] = int(math.Round((float64(x)+.5-middle)/step)) + s.N
	}
	for y := range size {
		row := int(math.Round((middle-float64(y)-.5)/step)) + s.N
		line := r.Pix[y*size : (y+1)*size]
		for x, col := range cols {
			line[x] = none
			if row >= 0 && row < side && col >= 0 && col < side {
				line[x] = colours[row*side+col]
			}
		}
	}
}

// MapSpot is a place that the reader looks at; week −1 none.
type MapSpot struct{ Week, Half, Row, Col int }

// Place is where a place of the maps stands, in page pixels.
func (m *Maps) Place(spot MapSpot) (x, y float64) {
	n := m.Weeks[spot.Week].N
	return Stand(m.Tiles[spot.Week].Half[spot.Half], n, float64(spot.Row-n)/float64(n), float64(spot.Col-n)/float64(n))
}

// Spot marks the place that the reader looks at.
func (m *Maps) Spot(t *Theme, spot MapSpot) *Scene {
	s := &Scene{}
	if spot.Week < 0 || spot.Week >= len(m.Tiles) || m.Weeks[spot.Week].N == 0 {
		return s
	}
	w := &m.Weeks[spot.Week]
	b := m.Tiles[spot.Week].Half[spot.Half]
	size := max(5, Radius(b, w.N)/float64(w.N))
	x, y := m.Place(spot)
	box := BoxPath(Box{x - size/2, y - size/2, size, size})
	s.Stroke(box, t.Panel, 4, "")
	s.Stroke(box, t.Accent, 2, "")
	return s
}

// Scene draws what stands on and around the diamonds: names, values, axes and
// the best places. With cells the diamonds themselves are in it too, for files.
func (m *Maps) Scene(t *Theme, chosen int, cells bool) *Scene {
	s := &Scene{}
	for i := range m.Tiles {
		tile, w := &m.Tiles[i], &m.Weeks[i]
		if cells {
			for half := range tile.Half {
				m.cells(s, i, half)
			}
		}
		m.words(s, t, tile, w, w.Number == chosen)
		for half, b := range tile.Half {
			cx, cy, r := b.X+b.W/2, b.Y+b.H/2, Radius(b, w.N)
			if w.Jobs == 0 {
				s.Stroke("M"+Num(cx-r)+" "+Num(cy)+"L"+Num(cx)+" "+Num(cy-r)+"L"+Num(cx+r)+" "+Num(cy)+"L"+Num(cx)+" "+Num(cy+r)+"z", t.Line2, 1, "3 3")
				continue
			}
			s.Stroke("M"+Num(cx-r)+" "+Num(Crisp(cy-.5))+"H"+Num(cx+r)+"M"+Num(Crisp(cx-.5))+" "+Num(cy-r)+"V"+Num(cy+r), 0xffffff, .45, "")
			if m.Empty == "" && b.Y < m.Tiles[0].Half[0].Y+1 {
				name := "small jobs first"
				if half == 1 {
					name = "large jobs first"
				}
				s.Text(cx, b.Y-11, name, 'c', t.Ink3, false)
				if b.W > 96 {
					aside := max(8, r/float64(w.N)/2+5)
					s.Text(cx+aside, b.Y+6, "LPF", 'l', t.Ink3, false)
					s.Text(cx+aside, b.Y+b.H-5, "SPF", 'l', t.Ink3, false)
					above := max(mapNames, 36+r/float64(w.N)/2) // where the edge has gone inwards by the name's width
					s.Text(b.X, cy-above, "LCFS", 'l', t.Ink3, false)
					s.Text(b.X+b.W, cy-above, "FCFS", 'r', t.Ink3, false)
				}
			}
		}
		if i > 0 && m.Weeks[i-1].Best != nil && m.Weeks[i-1].Number == w.Number-1 && w.Jobs > 0 {
			x, y := Stand(tile.Half[halfOf(m.Weeks[i-1].Best)], w.N, m.Weeks[i-1].Best[1], m.Weeks[i-1].Best[2])
			d := "M" + Num(x-5) + " " + Num(y) + "h10M" + Num(x) + " " + Num(y-5) + "v10"
			s.Stroke(d, 0x000000, 4, "")
			s.Stroke(d, 0xffffff, 2, "")
		}
		if w.Best != nil {
			x, y := Stand(tile.Half[halfOf(w.Best)], w.N, w.Best[1], w.Best[2])
			s.Fill(Circle(x, y, 4.4), 0xffffff, 1)
			s.Stroke(Circle(x, y, 4.4), 0x111111, 2, "")
		}
	}
	return s
}

// halfOf is the diamond that weights stand in: those without q in the first.
func halfOf(w []float64) int {
	if w[0] > 0 {
		return 1
	}
	return 0
}

// words writes what stands beside the diamonds of a week.
func (m *Maps) words(s *Scene, t *Theme, tile *MapTile, w *Space, chosen bool) {
	b := tile.Label
	name := w.Name(true)
	if chosen {
		s.Fill(BoxPath(Box{b.X - 8, b.Y + 1, 3, 14}), t.Accent, 1)
	}
	s.Ops = append(s.Ops, Op{Kind: OpText, X: b.X, Y: b.Y + 8, Text: name, Align: 'l', Fill: t.Ink2, Filled: true, Size: 12, Bold: chosen})
	if w.Jobs == 0 {
		s.Text(b.X, b.Y+26, "no jobs", 'l', t.Ink3, false)
		return
	}
	if w.Best == nil {
		s.Text(b.X, b.Y+26, "not yet", 'l', t.Ink3, false)
		return
	}
	value := Score(w.Value)
	if b.W == 0 || b.H < 40 { // above the diamonds
		s.Text(b.X+70, b.Y+8, value+"  "+m.against(w), 'l', t.Ink, true)
		return
	}
	s.Ops = append(s.Ops, Op{Kind: OpText, X: b.X, Y: b.Y + 28, Text: value, Align: 'l', Fill: t.Ink, Filled: true, Size: 20, Bold: true})
	if !math.IsNaN(w.Ref) {
		s.Text(b.X, b.Y+47, "SAF "+Score(w.Ref), 'l', t.Ink3, false)
		colour := t.Good
		if w.Value > w.Ref {
			colour = t.Bad
		}
		if share(w.Value, w.Ref) == "" {
			colour = t.Ink3
		}
		s.Text(b.X, b.Y+63, m.against(w), 'l', colour, false)
	}
}

// against writes how the best compares with SAF: "▼ −34 %".
func (m *Maps) against(w *Space) string {
	if math.IsNaN(w.Ref) {
		return ""
	}
	text := share(w.Value, w.Ref)
	switch {
	case text == "":
		return "as good"
	case w.Value < w.Ref:
		return "▼ " + text
	}
	return "▲ " + text
}

// share writes by how much v differs from ref in per cent, "" less than half of
// one.
func share(v, ref float64) string {
	d := 100 * (v/ref - 1)
	if !(math.Abs(d) >= .5) {
		return ""
	}
	return words.Signed(d, func(x float64) string { return words.Number(x, 0) }) + words.NB + "%"
}

// Score writes a mean bounded slowdown, or a sum of them.
func Score(v float64) string {
	switch {
	case math.IsNaN(v):
		return words.None
	case v < 10:
		return words.Number(v, 2)
	case v < 1000:
		return words.Number(v, 1)
	}
	return words.Number(v, 0)
}

// cells draws a diamond as paths, one a colour.
func (m *Maps) cells(s *Scene, week, half int) {
	b, w := m.Tiles[week].Half[half], &m.Weeks[week]
	side := 2*w.N + 1
	step := Radius(b, w.N) / float64(w.N)
	var paths [Shades]Path
	for i := range side * side {
		v := w.At(half, i/side, i%side)
		if math.IsNaN(v) {
			continue
		}
		x, y := Stand(b, w.N, float64(i/side-w.N)/float64(w.N), float64(i%side-w.N)/float64(w.N))
		p := &paths[Shade(v, m.limits[week][0], m.limits[week][1])]
		p.Cmd('M', x-step/2, y-step/2)
		p.Cmd('h', step+.3)
		p.Cmd('v', step+.3)
		p.Cmd('h', -step-.3)
		p.B = append(p.B, 'z')
	}
	for i := range paths {
		s.Fill(string(paths[i].B), Viridis((float64(i)+.5)/Shades), 1)
	}
}

// Aria says in a sentence what the maps say.
func (m *Maps) Aria() string {
	if m.Empty != "" {
		return m.Empty
	}
	var said []string
	for i := range m.Weeks {
		if w := &m.Weeks[i]; w.Best != nil {
			text := w.Name(false) + " best " + Score(w.Value) + " with " + WeightWords(w.Best)
			if len(m.Weeks) == 1 && !math.IsNaN(w.Ref) {
				text += ", SAF " + Score(w.Ref)
			}
			said = append(said, text)
		}
	}
	if len(said) == 0 {
		return "Maps of the weight space; nothing has been tried yet."
	}
	return "Maps of the mean bounded slowdown over the weights of processors, requested time and wait: " + strings.Join(said, "; ") + "."
}

// WeightNames are the features that weights belong to.
var WeightNames = []string{"q", "p̃", "wait", "ratio", "exp", "area"}

// WeightWords writes weights: "q −0.21, p̃ −0.47, wait 0.32".
func WeightWords(w []float64) string {
	var parts []string
	for i, x := range w {
		if x != 0 || i < 3 {
			parts = append(parts, WeightNames[i]+" "+words.Number(x, 2))
		}
	}
	return strings.Join(parts, ", ")
}

// Grid returns the best of each week for people, and every value for files.
func (m *Maps) Grid() Grid {
	g := Grid{Head: []string{"Week", "Best slowdown", "SAF", "Difference", "q", "p̃", "wait"}, Units: []string{"week", "q", "p", "wait", "mean_bounded_slowdown"}}
	for i := range m.Weeks {
		w := &m.Weeks[i]
		if w.Best == nil {
			continue
		}
		cells := []string{strconv.Itoa(w.Number), Score(w.Value), Score(w.Ref), share(w.Value, w.Ref)}
		for _, x := range w.Best[:3] {
			cells = append(cells, words.Number(x, 3))
		}
		g.Cells = append(g.Cells, cells)
		side := 2*w.N + 1
		for half := range w.Half {
			for k := range w.Half[half] {
				v := w.At(half, k/side, k%side)
				q, p, wait := w.Weights(half, k/side, k%side)
				if math.IsNaN(v) || half == 1 && q == 0 {
					continue // a place without q stands in both
				}
				g.Raw = append(g.Raw, []string{strconv.Itoa(w.Number), PlainNumber(q), PlainNumber(p), PlainNumber(wait), PlainNumber(v)})
			}
		}
	}
	return g
}

// Difference writes by how much a sum differs from another in per cent, "same"
// for less than half of one.
func Difference(v, ref float64) string {
	if math.IsNaN(v) || math.IsNaN(ref) {
		return ""
	}
	if text := share(v, ref); text != "" {
		return text
	}
	return "same"
}
