// Package draw is the kit that all views draw with: colours, clocks, ticks and
// scales, the raster of large Gantt charts, standard charts (Figure, drawn
// as SVG text), small charts (Drawing, Pen), scenes for
// canvases, tables, cards with their menus and files, and what a view is (Room).
//
// What is drawn is worked out in plain Go, bytes and strings out, and tested
// natively. Files named *_js.go put it on the screen. An island is an empty
// element that the page's shell leaves alone: it keeps its own DOM, draws only
// when what it shows has changed, and goes when its element leaves the document.
// The shell calls Use for each view once, and Sync after each of its renders.
package draw
