// Package chart works out what the page draws: colours, ticks, words, the
// raster of the Gantt chart, reduced series, and small charts as SVG text. It
// is plain Go: bytes and strings out, no browser, so that everything here is
// tested natively. Package island puts the results on the screen.
//
// Start at Index and Raster for the Gantt chart, at Drawing for the small
// charts, at Table for the table of jobs.
package draw

import ()
