package draw

import "batchlab/ui/words"

// Icons on a grid of 16: strokes of 1.5, round ends, in the text's colour.
var icons = map[string]Markup{
	"chevron": `<path d="m6 4 4 4-4 4"/>`,
	"down":    `<path d="m4 6 4 4 4-4"/>`,
	"play":    `<path d="M5 3v10l8-5z" fill="currentColor"/>`,
	"share":   `<path d="M8 10V2M5 5l3-3 3 3M4 8H3v6h10V8h-1"/>`,
	"export":  `<path d="M8 2v8M5 7l3 3 3-3M3 11v3h10v-3"/>`,
	"theme":   `<circle cx="8" cy="8" r="5.5"/><path d="M8 2.500a5.500 5.500 0 0 1 0 11z" fill="currentColor"/>`,
	"file":    `<path d="M4 2h5l3 3v9H4zM9 2v3h3M6 8h4M6 11h4"/>`,
	"plus":    `<path d="M8 3v10M3 8h10"/>`,
	"close":   `<path d="m4 4 8 8M12 4l-8 8"/>`,
	"check":   `<path d="m3 8.500 3.300 3.300L13 5"/>`,
	"warning": `<path d="M8 2l6.300 11.500H1.700zM8 6.500v3M8 11.500v.1"/>`,
	"error":   `<circle cx="8" cy="8" r="6"/><path d="M8 5v3.500M8 11v.1"/>`,
	"pin":     `<path d="M5.500 2h5L10 6.500 12 9H4l2-2.500zM8 9v5"/>`,
	"menu":    `<path d="M2.500 4h11M2.500 8h11M2.500 12h11"/>`,
	"copy":    `<path d="M6 6h8v8H6zM10 6V2H2v8h4"/>`,
	"help":    `<circle cx="8" cy="8" r="6"/><path d="M6.200 6.400c.1-2.400 3.600-2.300 3.600 0C9.800 7.900 8 7.900 8 9.300M8 11.300v.1"/>`,
	"trash":   `<path d="M3 4.500h10M6.500 4.500V2.500h3v2M4.500 4.500l.7 9h5.600l.7-9"/>`,
	"undo":    `<path d="M5.500 3 2.500 6l3 3M2.500 6H10a3.500 3.500 0 0 1 0 7H6"/>`,
	"more":    `<path d="M3 8h.01M8 8h.01M13 8h.01" stroke-width="2.400"/>`,
	"search":  `<circle cx="7" cy="7" r="4.200"/><path d="m10.200 10.200 3.400 3.400"/>`,
	"wave":    `<path d="M2 12.500c2.500 0 3-8 6-8s3.500 5.500 6 5.500"/>`,
	"stop":    `<path d="M4.500 4.500h7v7h-7z"/>`,
	"table":   `<path d="M2.500 3h11v10h-11zM2.500 6.300h11M2.500 9.700h11M6.500 6.300V13"/>`,
	"minus":   `<path d="M3.200 8h9.600"/>`,
	"first":   `<path d="M3.500 3v10M12.500 3.500 6 8l6.500 4.500z"/>`,
	"last":    `<path d="M12.500 3v10M3.500 3.500 10 8l-6.500 4.500z"/>`,
	"pause":   `<path d="M5 3.500v9M11 3.500v9" stroke-width="2.500"/>`,
	"fit":     `<path d="M2.500 5.500v-3h3M10.500 2.500h3v3M13.500 10.500v3h-3M5.500 13.500h-3v-3"/>`,
	"left":    `<path d="M9.700 4.300 6 8l3.700 3.700"/>`,
	"up":      `<path d="M4.300 9.700 8 6l3.700 3.700"/>`,
	"reserve": `<rect x="2.500" y="4.500" width="11" height="7"/><path d="M4 11.500l7-7M8 11.500l5.500-5.500M2.500 9l4.500-4.500"/>`,
	"box":     `<path d="M2.500 4.500v-2h2M7 2.500h2M11.500 2.500h2v2M13.500 7v2M13.500 11.500v2h-2M9 13.500H7M4.500 13.500h-2v-2M2.500 9V7"/>`,
}

// Icon is an icon's markup.
func Icon(name string) Markup {
	return HTML(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">{}</svg>`, icons[name])
}

// Brand is the page's own mark.
const Brand = Markup(`<svg class="mark" viewBox="0 0 20 20" aria-hidden="true">` +
	`<rect class="m1" x="1" y="2.5" width="9" height="4" rx="1"/><rect class="m2" x="6" y="8" width="13" height="4" rx="1"/>` +
	`<rect class="m3" x="3" y="13.5" width="7" height="4" rx="1"/><rect class="m4" x="11.500" y="13.5" width="7.500" height="4" rx="1"/></svg>`)

// swatchDashes are the line dashes of schedulers A to H at the size of a swatch.
var swatchDashes = [...]string{"", "6 2.5", "2 2", "7 2 2 2", "9 2", "3.500 3.500", "1 2.500", "7 1.500 1.500 1.500"}

// Swatch is the short line that stands beside a scheduler's name.
func Swatch(i int) Markup { return SwatchAt(words.Place(i)) }

// SwatchAt is the line of a letter's place.
func SwatchAt(place int) Markup {
	return HTML(`<svg class="swatch" viewBox="0 0 18 8" aria-hidden="true"><path d="M1 4h16" stroke="{}" stroke-dasharray="{}"/></svg>`,
		PlaceVar(place), swatchDashes[place&7])
}

// EmptyArt is the drawing of a state without results.
const EmptyArt = Markup(`<svg viewBox="0 0 216 96" aria-hidden="true"><g class="outline">` +
	`<rect x="8" y="14" width="66" height="18" rx="3"/><rect x="82" y="14" width="48" height="18" rx="3"/>` +
	`<rect x="36" y="40" width="104" height="18" rx="3"/><rect x="8" y="66" width="90" height="18" rx="3"/></g>` +
	`<rect class="solid" x="154" y="14" width="50" height="70" rx="3"/><path class="ground" d="M2 92h212"/></svg>`)
