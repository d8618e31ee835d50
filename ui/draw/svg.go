package draw

import (
	"math"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Grid is a small table: the numbers behind a chart, for people (Cells) and
// for files (Raw, decimal point, no thousands separators).
type Grid struct {
	Head  []string
	Left  int // so many columns on the left hold text; the rest are numbers
	Cells [][]string
	Raw   [][]string // nil: Cells hold no formatting
	Units []string   // names of the columns in files; nil: Head
}

// CSV returns the grid as a file.
func (g *Grid) CSV() string {
	var b strings.Builder
	head, rows := g.Units, g.Raw
	if head == nil {
		head = g.Head
	}
	if rows == nil {
		rows = g.Cells
	}
	csvRow(&b, head)
	for _, r := range rows {
		csvRow(&b, r)
	}
	return b.String()
}

func csvRow(b *strings.Builder, cells []string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(report.CSVText(c))
	}
	b.WriteString("\r\n")
}

// HTML returns the grid as a table.
func (g *Grid) HTML() Markup {
	var b Writer
	class := func(i int) Markup {
		if i < g.Left {
			return ""
		}
		return ` class="num"`
	}
	b.Add(`<table class="bl-grid"><thead><tr>`)
	for i, h := range g.Head {
		b.Put(`<th scope="col"{}>{}</th>`, class(i), h)
	}
	b.Add(`</tr></thead><tbody>`)
	for _, r := range g.Cells {
		b.Add(`<tr>`)
		for i, c := range r {
			b.Put(`<td{}>{}</td>`, class(i), c)
		}
		b.Add(`</tr>`)
	}
	b.Add(`</tbody></table>`)
	return b.Markup()
}

// Pen writes SVG elements.
type Pen struct{ Writer }

func (p *Pen) Line(x1, y1, x2, y2 float64, colour string) {
	p.Put(`<path d="M{} {}L{} {}" stroke="var(--{})" fill="none"/>`, x1, y1, x2, y2, colour)
}

func (p *Pen) Rect(x, y, w, h float64, fill string, more Markup) {
	p.Put(`<rect x="{}" y="{}" width="{}" height="{}" fill="{}" {}/>`, x, y, max(0, w), max(0, h), fill, more)
}

// Text writes s, which is escaped. class: k ink, k2 second ink, b bold.
func (p *Pen) Text(x, y float64, s, anchor, class string) {
	p.Raw(x, y, HTML(`{}`, s), anchor, class)
}

func (p *Pen) Raw(x, y float64, s Markup, anchor, class string) {
	p.Put(`<text x="{}" y="{}"`, x, y)
	if anchor != "" {
		p.Put(` text-anchor="{}"`, anchor)
	}
	if class != "" {
		p.Put(` class="{}"`, class)
	}
	p.Put(`>{}</text>`, s)
}

func (p *Pen) Path(d, stroke, width, dash, fill string, more Markup) {
	p.Put(`<path d="{}" fill="{}"`, d, fill)
	if stroke != "" {
		p.Put(` stroke="{}" stroke-width="{}" stroke-linejoin="round"`, stroke, width)
	}
	if dash != "" {
		p.Put(` stroke-dasharray="{}"`, dash)
	}
	p.Put(` {}/>`, more)
}

// BandOver names a band.
func BandOver(phases int) string {
	return "band over " + words.Count(phases, "phase", "phases") + ": what Slurm itself leaves open"
}

// Crisp moves a coordinate to the middle of a pixel, where a hairline is sharp.
func Crisp(v float64) float64 { return float64(int(v+.5)) + .5 }

// TextWidth is about how many page pixels a text takes at size 12: rather a few
// too many than one too few in the fonts that the page asks for.
func TextWidth(s string) (width float64) {
	for _, r := range s {
		switch {
		case strings.ContainsRune("iIjl|'.,:;!", r):
			width += 3.5
		case strings.ContainsRune("frt ()[]-/·"+words.NB, r):
			width += 4.2
		case strings.ContainsRune("mwMW%@…", r):
			width += 11.5
		case r >= 'A' && r <= 'Z':
			width += 8.8
		case r >= 0x2e80: // written in squares
			width += 12.5
		default:
			width += 7
		}
	}
	return width
}

// Clip shortens s so that it takes about width page pixels at size 12.
func Clip(s string, width float64) string {
	if TextWidth(s) <= width {
		return s
	}
	r := []rune(s)
	for len(r) > 2 && TextWidth(string(r)+"…") > width {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

// Note is the first of some texts that fits below an axis, where letters are of
// size 11; the last one is shortened if it must be.
func Note(width float64, texts ...string) string {
	width *= 12.0 / 11
	for _, t := range texts {
		if TextWidth(t) <= width {
			return t
		}
	}
	return Clip(texts[len(texts)-1], width)
}

// Decal returns the pattern that lies over the fill of scheduler i's bars.
func Decal(i int) string {
	if i = words.Place(i); i == 0 || i > 6 {
		return ""
	}
	return "url(#bl-d" + string(rune('1'+i)) + ")"
}

// Decals are the definitions that drawings refer to; they stand once in the
// page, and in every exported file.
const Decals Markup = `<pattern id="bl-d2" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6" stroke="var(--panel)" stroke-opacity=".38" stroke-width="2"/></pattern><pattern id="bl-d3" width="6" height="6" patternUnits="userSpaceOnUse"><circle cx="3" cy="3" r="1.2" fill="var(--panel)" fill-opacity=".5"/></pattern><pattern id="bl-d4" width="5" height="5" patternUnits="userSpaceOnUse"><path d="M0 2.5H5" stroke="var(--panel)" stroke-opacity=".45" stroke-width="1.4"/></pattern><pattern id="bl-d5" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path d="M0 0V6" stroke="var(--panel)" stroke-opacity=".38" stroke-width="2"/></pattern><pattern id="bl-d6" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 3H6M3 0V6" stroke="var(--panel)" stroke-opacity=".5" stroke-width="1.2"/></pattern><pattern id="bl-d7" width="10" height="10" patternUnits="userSpaceOnUse"><circle cx="3" cy="3" r="1.1" fill="var(--panel)" fill-opacity=".6"/><circle cx="8" cy="8" r="1.1" fill="var(--panel)" fill-opacity=".6"/></pattern><pattern id="bl-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--hatch-bg)"/><path d="M0 0V6" stroke="var(--hatch)" stroke-width="1.6"/></pattern>`

// fileStyle gives words in files what the page's style sheet gives them there.
const fileStyle Markup = `<style>text{font:11px "Segoe UI",-apple-system,Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;fill:var(--ink-3)}text.k{fill:var(--ink)}text.k2{fill:var(--ink-2)}text.b,tspan.b{font-weight:600}text.l{font-size:12px}text.on0{fill:#000}text.on1{fill:#fff}</style>`

// about is how the SVG of a file begins: what it is, what it shows, what made it, and its ground.
func about(title, aria string) Markup {
	return HTML(`<title>{}</title><desc>{}</desc><metadata>{}</metadata><defs>{}</defs>{}<rect width="100%" height="100%" fill="var(--panel)"/>`, title, aria, experiment.ThisBuild().String(),
		Decals, fileStyle)
}

// FigureFile returns a figure as an SVG file of its own, and the file's height: colours
// written out, patterns, legend, title and font inside.
func (t *Theme) FigureFile(f *Figure, title string) (file string, height float64) {
	var keys Pen
	x, y := 14.0, 14.0
	for _, k := range f.Keys {
		if k.Letter != "" {
			k.Name = k.Letter + " " + k.Name
		}
		wide := float64(len([]rune(k.Name)))*6.3 + 46
		if x+wide > f.W && x > 14 {
			x, y = 14, y+18
		}
		if k.Fill != "" {
			keys.Rect(x, y-4, 20, 8, k.Fill, "")
		} else {
			keys.Path("M"+Num(x)+" "+Num(y)+"h20", SeriesVar(k.Series), "2.4", Dash(k.Series), "none", "")
		}
		keys.Put(`<text x="{}" y="{}" style="font-size:12px;fill:var(--ink)">{}</text>`, x+27, y+4, k.Name)
		x += wide
	}
	above := 0.0
	if f.Keys != nil {
		above = y + 10
	}
	size := HTML(`{}" height="{}`, f.W, f.H+above)
	return t.Resolve(HTML(`<svg xmlns="http://www.w3.org/2000/svg" width="{}" viewBox="0 0 {} {}" role="img">{}{}<svg y="{}" width="{}" height="{}">{}</svg></svg>`, size, f.W, f.H+above,
		about(title, f.Aria), keys.Markup(),
		above, f.W, f.H, f.SVG())), f.H + above
}

// Resolve writes the style sheet's colours out, for files that stand alone.
func (t *Theme) Resolve(s Markup) string {
	pairs := []string{
		"var(--bg)", t.Bg.Hex(), "var(--side)", t.Side.Hex(), "var(--panel)", t.Panel.Hex(), "var(--sunken)", t.Sunken.Hex(),
		"var(--line)", t.Line.Hex(), "var(--line-2)", t.Line2.Hex(), "var(--line-3)", t.Line3.Hex(), "var(--grid)", t.Grid.Hex(),
		"var(--ink)", t.Ink.Hex(), "var(--ink-2)", t.Ink2.Hex(), "var(--ink-3)", t.Ink3.Hex(), "var(--accent)", t.Accent.Hex(),
		"var(--hatch)", t.Hatch.Hex(), "var(--hatch-bg)", t.HatchBg.Hex(), "var(--good)", t.Good.Hex(), "var(--bad)", t.Bad.Hex(),
	}
	for i, c := range t.Series {
		pairs = append(pairs, "var(--s"+string(rune('1'+i))+")", c.Hex())
	}
	return strings.NewReplacer(pairs...).Replace(string(s))
}

// DiffBar draws a signed difference as a small bar from a centre line, blue
// to the left where this run is better; most fills half the width.
func DiffBar(v, most float64) Markup {
	if math.IsNaN(v) || most <= 0 {
		return `<svg class="bl-diff" width="52" height="10" aria-hidden="true"></svg>`
	}
	z := math.Sqrt(math.Abs(v)/most) * 25
	x, fill := 27.0, "--s2"
	if v < 0 {
		x, fill = 26-z, "--s1"
	}
	return HTML(`<svg class="bl-diff" width="52" height="10" aria-hidden="true"><path d="M26.5 0v10" stroke="var(--line-3)"/><rect x="{}" y="1.5" width="{}" height="7" fill="var({})" rx="1"/></svg>`, x, z, fill)
}
