// Package draw is the kit that all views draw with: colours, clocks, ticks and
// scales, the raster of large Gantt charts, standard charts (Figure, drawn
// as SVG text), scenes for
// canvases, tables, cards with their menus and files, and what a view is (Room).
//
// What is drawn is computed in plain Go, bytes and strings out, and tested
// natively. Files named *_js.go put it on the screen. An island is an empty
// element that the page's shell leaves alone: it keeps its own DOM, draws only
// when what it shows has changed, and goes when its element leaves the document.
// The shell calls Use for each view once, and Sync after each of its renders.
//
// # Markup
//
// HTML and SVG are written one way: HTML and Writer put parts into a form, which is a
// constant, and escape every text. What comes of it is of a type of its own (Markup), so
// that no name of a job or a file can become markup.
//
// It comes to the screen one way: Put makes what stands in an element that markup, node by
// node, so that focus, typed text and a press of the mouse survive. Build is Put for what
// stays, whose parts are found by their data-part; Node is one element that is put
// somewhere by hand, such as a dialog. Fields state what they hold (data-value,
// data-checked); one in which somebody types is left alone until another value is stated.
// Lists and buttons are listened to on what is around them, by their data attributes.
// Vugu writes the shell and leaves elements to Put: islands, and sections, which are
// written again whenever the page is. Tests hold that no view makes elements or markup in
// another way (TestMarkupIsWritten), nor draws (TestDrawingWays).
//
// # The Gantt chart
//
// ui/draw/raster.go. A log of 450,000 jobs has 1.7 million rectangles in two panes: too
// many for SVG or canvas calls. They are painted into one buffer of pixels in Go, which
// goes to the screen by one copy and one putImageData; beside the colours stands the job
// of each pixel, so that what lies under the pointer is one look-up. Where jobs are
// narrower than two pixels, a pixel shows how much of it is covered, in the colour of
// the job that covers most, and the chart says density view. Labels, axes and outlines
// are drawn above it. Processor numbers are derived after the run, since schedulers only
// count.
//
// No jump, no call. In Go's WebAssembly each taken jump goes through a table, and a
// mispredicted one costs as much as drawing a job. So times and places are fixed-point
// integers, jobs of up to four pixels' height (most of a large log) are drawn without a
// loop, rows that they do not reach being covered by nothing, and what is covered is
// noted where it changes down a column and summed up once.
//
// Strips are pixels, too (ui/view/gantt/strip.go): their lines have thousands of points,
// and a canvas takes longer to draw them as paths than Go takes for all else. Files have
// the paths; a test holds the two against each other.
//
// Layers. Axis, gutter, plot, overlay, minimap and its frame are canvases of their own,
// painted only when what stands on them changes. A frame spends at most 8 ms on jobs
// while the reader moves the view, 42 at rest; a picture that is not finished by then is
// the last one stretched, over that of everything where it shows nothing, and is drawn
// exactly as soon as there is time. What stands at rest is always exact. Files are made
// in steps, so that no task of the page's thread gets long.
//
// # Standard charts
//
// Every chart of data is plain data (Figure), also a small one in a tile or a line of a
// table (Figure.Picture): panels with axes, and layers of marks, such as
// lines, bars, boxes, cells and tiles. It is computed in Go, tested natively, and drawn by
// one function (ui/draw/render.go). Where rows or panels have places of their own, an axis
// is one of page pixels.
//
//	ui/view/…  series.Series, distributions.Histogram, Result …   ──►  Figure: panels, layers, words, what is said of a place
//	ui/draw    Figure.SVG: the picture as text, the same in the page and in files
//	           FigureCard: card, pointer (each mark knows its layer and item), wheel, keys, files
//
// Why not a chart library: Apache ECharts drew them before, from the same figures, and only
// paths were left to it. Without it there are 0.15 MB less to load, native tests read the
// pictures, and the longest tasks on HPC2N fell (series 55 to below 50 ms, users 76 to 58).
//
// Reduced first. Step series have at most four points a pixel column (first, least,
// greatest, last), curves 401 points. When the reader zooms, Go reduces the new span, so
// that the Gantt chart, the series and the link share one span (View.From, View.To).
//
// Colours are variables of the style sheet: a change of theme draws nothing again, and
// print and forced colours work as for the page. Words for screen readers and beside the
// pointer are ours (Figure.Aria, Figure.Say).
//
// Files. The SVG is the same picture in a frame with title and legend, with colours
// written out; the PNG is that file at twice its size; the CSV has one line for each
// point that is drawn (Figure.File).
//
// Results of studies need no code of their own. They are plain data, which Result.Figure
// draws with table, SVG, PNG and CSV:
//
//	r := &draw.Result{
//		Shape: draw.AsCurves,                          // or AsBars, AsScatter
//		X:     draw.Quantity{Name: "period", Unit: "s"},  // "s": durations, "%": shares of 1, Log: logarithmic
//		Y:     draw.Quantity{Name: "mean bounded slowdown"},
//		Sets: []draw.Set{{Name: "EASY", Series: 0, X: periods, Y: means, Half: intervals, Paper: published}},
//		Note:  "mean of 5 repeats",
//	}
//	draw.NewFigure(h, "plan-period", "Slowdown by period", func(_ *draw.Data, w, h float64) draw.Figure { return r.Figure(w, h) })
//
// Bars go by Names. Half the width of an interval stands in Half, a published value,
// drawn as a short line, in Paper; NaN is "none". More than 5,000 dots are put together.
package draw
