//go:build js

package search

import (
	"math"
	"strings"
	"syscall/js"

	"batchlab/core/catalog"
	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

func init() {
	Room.Islands = map[string]draw.Maker{
		"search-maps":    newMaps,
		"search-best":    newBest,
		"search-tries":   newTries,
		"search-weights": newWeights,
		"search-boxes":   newBoxes,
		"search-orders":  newOrders,
		"search-learn":   newLearn,
		"search-courses": newCourses,
	}
}

// noSearch says what to do when there is nothing to draw.
const noSearch = "Search to see something here."

// saf is the place of the reference order.
var saf = func() int {
	for i, o := range catalog.Orders {
		if o.Key == "saf" {
			return i
		}
	}
	return 0
}()

// spaceOf is the map of a week.
func spaceOf(r *state.Search, w int) draw.Space {
	g := r.Grid()
	s := draw.Space{Called: r.Called(), Number: r.Weeks[w].Number, Jobs: r.Weeks[w].Jobs, N: g.N, Ref: r.Pure.At(w, saf)}
	row := r.Cover.Row(w)
	best := int32(-1)
	for half := range s.Half {
		s.Half[half] = make([]float64, len(g.At[half]))
		for i, c := range g.At[half] {
			v := math.NaN()
			if c >= 0 {
				v = row[c]
			}
			s.Half[half][i] = v
			if !math.IsNaN(v) && (best < 0 || v < row[best] || v == row[best] && c < best) {
				best = c
			}
		}
	}
	if best >= 0 {
		s.Best, s.Value = g.Vecs[best], row[best]
	}
	return s
}

// perPage is how many weeks stand side by side.
const perPage = 8

// kept is the raster of a diamond and what it was drawn from.
type kept struct {
	draw.Bitmap
	of source
}

// source is what the raster of a diamond depends on.
type source struct {
	search *state.Search
	week   int
	known  int
	limits [2]float64
	size   float64
	scale  float64
	dark   bool
}

// weightMaps is the card of the weight space.
type weightMaps struct {
	*draw.Card
	now        *draw.Maps
	first      int // week of the first map
	base, over *draw.Canvas
	rasters    [perPage][2]kept
	pixels     draw.Pixels
	spot       draw.MapSpot
	together   bool
	alone      bool // one week only
	asked      bool
	scale, one func(string)
	says       js.Value
	legend     js.Value
}

func newMaps(h *draw.Host) draw.Island {
	m := &weightMaps{spot: draw.MapSpot{Week: -1}}
	m.Card = draw.NewCard(h, "maps", "Where good policies lie")
	m.Sub.Set("textContent", "each cell is one policy, coloured by mean slowdown")
	m.SvgFile = func() (string, float64) {
		m.Now.Art = m.now.Scene(m.Theme(), m.chosen(), true).SVG("m")
		return m.Theme().FigureFile(&m.Now, "Mean bounded slowdown over the weights of q, p̃ and wait")
	}
	part := draw.Build(m.Extra, draw.HTML(`<span class="bl-extra" data-part="ways"></span>{}{}`, draw.IconButton("left", "Weeks before"), draw.IconButton("chevron", "Weeks after")))
	m.one = h.Scope.Segments(part("ways"), "Weeks", []string{"8", "1"}, []string{"8 maps", "1 map"}, func(k string) { m.alone = k == "1"; h.Again() })
	m.scale = h.Scope.Segments(part("ways"), "Scale", []string{"each", "one"}, []string{"Scale per map", "One scale"}, func(k string) { m.together = k == "one"; h.Again() })
	h.Scope.Listen(part("left"), "click", func(js.Value) { m.turn(-1) })
	h.Scope.Listen(part("chevron"), "click", func(js.Value) { m.turn(1) })
	m.legend = draw.Node(`<p class="bl-maplegend"><span>worst <canvas class="bl-ramp" width="220" height="1" aria-hidden="true"></canvas> best <span class="mut">log scale</span></span><span><svg width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="4.5" fill="#fff" stroke="#111" stroke-width="2"/></svg>best so far</span><span><svg width="14" height="14" aria-hidden="true"><path d="M7 2v10M2 7h10" stroke="var(--ink-3)" stroke-width="2"/></svg>best weights of the window before</span><span>→ wait, ↑ requested time p̃, middle: only processors q</span></p>`)
	m.Body.Call("before", m.legend)
	ctx := draw.Find(m.legend, "canvas").Call("getContext", "2d")
	for i := range 220 {
		ctx.Set("fillStyle", draw.Viridis(float64(i)/219).Hex())
		ctx.Call("fillRect", i, 0, 1, 1)
	}
	m.says = draw.Node(`<p class="bl-vh" aria-live="polite"></p>`)
	h.Root.Call("append", m.says)
	return m
}

func (m *weightMaps) chosen() int {
	if w := m.Store.ShownWeek(); w >= 0 {
		return m.Store.SearchNow().Weeks[w].Number
	}
	return 0
}

// turn looks at the weeks before or after.
func (m *weightMaps) turn(by int) {
	r, w := m.Store.SearchNow(), m.Store.ShownWeek()
	if w < 0 {
		return
	}
	if !m.alone {
		by *= perPage
	}
	next := min(max(0, w+by), len(r.Weeks)-1)
	m.spot.Week = -1
	m.Store.Look(func(v *look.View) { v.Week = next })
}

func (m *weightMaps) Draw() {
	m.one(map[bool]string{true: "1", false: "8"}[m.alone])
	m.scale(map[bool]string{true: "one", false: "each"}[m.together])
	r, w := m.Store.SearchNow(), m.Store.ShownWeek()
	width := m.Body.Get("clientWidth").Float()
	empty := ""
	switch {
	case r == nil || r.Status == engine.Running && w < 0:
		empty = noSearch
		if r != nil {
			empty = "The workload is being cut into windows."
		}
	case w < 0:
		empty = "The search could not begin."
	case r.Cover == nil:
		empty = "A map needs a uniform coverage: xNES tries only a few policies, others in each week."
	}
	if empty != "" {
		m.base = nil
		draw.Style(m.Body, "min-height", "120px")
		m.Now = draw.Figure{Empty: empty}
		m.Show()
		return
	}
	m.first = w
	n := 1
	if !m.alone {
		m.first = w - w%perPage
		n = min(perPage, len(r.Weeks)-m.first)
	}
	spaces := make([]draw.Space, n)
	for i := range spaces {
		spaces[i] = spaceOf(r, m.first+i)
	}
	m.now = draw.NewMaps(spaces, m.together, width)
	m.Now = draw.Figure{W: width, H: m.now.H, Aria: m.now.Aria(), Fill: m.now.Grid}
	draw.Style(m.Body, "min-height", draw.Px(m.now.H))
	if m.AsTable {
		m.base = nil
		m.Show()
		return
	}
	draw.Style(m.Toggle, "visibility", "visible")
	if m.base == nil {
		m.Body.Call("replaceChildren")
		m.base, m.over = draw.NewCanvas(m.Body, ""), draw.NewCanvas(m.Body, "bl-top")
		draw.Attr(m.base.El, "aria-hidden", "true")
		draw.Attr(m.over.El, "role", "application", "aria-roledescription", "map", "tabindex", "0")
		m.Body.Call("append", m.Tip)
		m.listen()
	}
	draw.Attr(m.over.El, "aria-label", m.Now.Aria+" Arrow keys move over the map, Enter runs the policy, page keys change the week.")
	scale := draw.ScreenScale()
	m.base.Resize(width, m.now.H, scale)
	m.over.Resize(width, m.now.H, scale)
	m.base.Clear()
	t := m.Theme()
	for i := range m.now.Tiles {
		if m.now.Weeks[i].Jobs == 0 {
			continue
		}
		for half, b := range m.now.Tiles[i].Half {
			r1 := &m.rasters[i][half]
			of := source{r, m.first + i, r.Cover.Known(m.first + i), m.now.Limits(i), b.W, scale, t.Dark}
			if r1.of != of {
				m.now.Draw(&r1.Bitmap, i, half, scale, t.Panel)
				r1.of = of
			}
			m.pixels.Paste(m.base.Ctx, &r1.Bitmap, int(math.Round(b.X*scale)), int(math.Round(b.Y*scale)))
		}
	}
	m.base.Paint(m.now.Scene(t, m.chosen(), false))
	m.point()
}

func (m *weightMaps) Release() {}

// weights are those of the place that is looked at.
func (m *weightMaps) weights() (week int, w []float64, ok bool) {
	if m.now == nil || m.spot.Week < 0 || m.spot.Week >= len(m.now.Weeks) {
		return 0, nil, false
	}
	q, p, wait := m.now.Weeks[m.spot.Week].Weights(m.spot.Half, m.spot.Row, m.spot.Col)
	w = []float64{q, p, wait}
	if m.Store.SearchNow().Features() == 6 {
		w = append(w, 0, 0, 0)
	}
	return m.first + m.spot.Week, w, true
}

// point marks the place that is looked at and says what stands there.
func (m *weightMaps) point() {
	if m.base == nil {
		return
	}
	m.over.Clear()
	_, w, ok := m.weights()
	draw.Style(m.Tip, "display", map[bool]string{true: "block", false: "none"}[ok])
	if !ok {
		return
	}
	m.over.Paint(m.now.Spot(m.Theme(), m.spot))
	s := &m.now.Weeks[m.spot.Week]
	v := s.At(m.spot.Half, m.spot.Row, m.spot.Col)
	html := draw.HTML(`<b>{} · {}</b><table class="bl-tip">`, s.Name(false), draw.Score(v))
	for i, x := range w[:3] {
		html += draw.HTML(`<tr><td>{}</td><td>{}</td></tr>`, draw.WeightNames[i], words.Number(x, 3))
	}
	if !math.IsNaN(s.Ref) {
		html += draw.HTML(`<tr><td class="mut">SAF</td><td>{}</td></tr>`, draw.Score(s.Ref))
	}
	draw.Put(m.Tip, html+`</table><span class="mut">click: run it, open the Gantt</span>`)
	m.says.Set("textContent", s.Name(true)+", "+draw.WeightWords(w)+": slowdown "+draw.Score(v))
	x, y := m.now.Place(m.spot)
	draw.PlaceTip(m.Tip, x, m.Now.W)
	draw.Style(m.Tip, "top", draw.Px(max(0, min(y-20, m.now.H-m.Tip.Get("offsetHeight").Float()))))
}

func (m *weightMaps) look(spot draw.MapSpot) {
	m.spot = spot
	if m.asked {
		return
	}
	m.asked = true
	draw.Frame(func() {
		m.asked = false
		m.point()
	})
}

func (m *weightMaps) listen() {
	el := m.over.El
	hit := func(ev js.Value) draw.MapSpot {
		x, y := draw.At(ev)
		week, half, row, col, ok := m.now.Hit(x, y)
		if !ok || m.now.Weeks[week].Jobs == 0 {
			week = -1
		}
		return draw.MapSpot{Week: week, Half: half, Row: row, Col: col}
	}
	m.Scope.Listen(el, "pointermove", func(ev js.Value) {
		spot := hit(ev)
		draw.Style(el, "cursor", map[bool]string{true: "pointer", false: "default"}[spot.Week >= 0])
		m.look(spot)
	})
	m.Scope.Listen(el, "pointerleave", func(js.Value) { m.look(draw.MapSpot{Week: -1}) })
	m.Scope.Listen(el, "click", func(ev js.Value) {
		spot := hit(ev)
		if spot.Week < 0 {
			x, y := draw.At(ev)
			for i, t := range m.now.Tiles { // a name chooses its week
				if t.Label.Inside(x, y) {
					m.Store.Look(func(v *look.View) { v.Week = m.first + i })
				}
			}
			return
		}
		m.spot = spot
		m.use()
	})
	m.Scope.Listen(el, "keydown", func(ev js.Value) {
		s := m.spot
		if s.Week < 0 || s.Week >= len(m.now.Weeks) {
			s = m.home()
		} else {
			switch ev.Get("key").String() {
			case "ArrowLeft":
				s = m.move(s, 0, -1)
			case "ArrowRight":
				s = m.move(s, 0, 1)
			case "ArrowUp":
				s = m.move(s, 1, 0)
			case "ArrowDown":
				s = m.move(s, -1, 0)
			}
		}
		switch ev.Get("key").String() {
		case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
			m.look(s)
		case "Home":
			m.look(m.home())
		case "Enter", " ":
			if m.spot.Week >= 0 {
				m.use()
			}
		case "PageUp":
			m.turn(-1)
		case "PageDown":
			m.turn(1)
		case "Escape":
			m.look(draw.MapSpot{Week: -1})
			return
		default:
			return
		}
		ev.Call("preventDefault")
	})
}

// home is the best place of the chosen week.
func (m *weightMaps) home() draw.MapSpot {
	i := m.Store.ShownWeek() - m.first
	if i < 0 || i >= len(m.now.Weeks) || m.now.Weeks[i].Best == nil {
		return draw.MapSpot{Week: -1}
	}
	s := &m.now.Weeks[i]
	half := 0
	if s.Best[0] > 0 {
		half = 1
	}
	round := func(x float64) int { return int(math.Round(x*float64(s.N))) + s.N }
	return draw.MapSpot{Week: i, Half: half, Row: round(s.Best[1]), Col: round(s.Best[2])}
}

// move goes one cell on; over an edge of a diamond it goes to the other one, or
// to the next week.
func (m *weightMaps) move(s draw.MapSpot, up, right int) draw.MapSpot {
	next := s
	next.Row, next.Col = s.Row+up, s.Col+right
	n := m.now.Weeks[s.Week].N
	if absInt(next.Row-n)+absInt(next.Col-n) <= n {
		return next
	}
	switch {
	case right > 0 && s.Half == 0:
		next = draw.MapSpot{Week: s.Week, Half: 1, Row: s.Row, Col: 2*n - s.Col}
	case right < 0 && s.Half == 1:
		next = draw.MapSpot{Week: s.Week, Half: 0, Row: s.Row, Col: 2*n - s.Col}
	default:
		return s
	}
	return next
}

func absInt(n int) int { return max(n, -n) }

// use runs the policy that is looked at.
func (m *weightMaps) use() {
	if week, w, ok := m.weights(); ok {
		tellUse(m.Card, week, w)
	}
}

// tellUse makes weights a scheduler, and says why where that is not possible.
func tellUse(c *draw.Card, week int, w []float64) {
	if err := c.Store.UsePolicy(week, w); err != nil {
		c.Sub.Set("textContent", strings.TrimPrefix(err.Error(), "params.weights: "))
		c.Sub.Get("classList").Call("add", "bl-fault")
	}
}
