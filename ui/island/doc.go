// Package island puts what package chart works out on the screen. An island is
// an empty element that the page's shell leaves alone: a chart, the Gantt
// chart, the table of jobs. It keeps its own DOM, draws only when what it shows
// has changed, and goes when its element leaves the document.
//
// The shell calls Sync (or Attach for one element, and Refresh) after each of
// its own renders. Names of islands: gantt, table, plan, bars, cdf, classes,
// overtime, series, dist, users, search-…, spark:KEY with the key of a measure,
// and result:KEY with what ShowResult was given under that key.
//
// Files named *_js.go are the glue to the browser; everything that can be
// wrong in an interesting way is in package chart, where it is tested.
package island
