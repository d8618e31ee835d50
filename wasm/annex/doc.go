// Package annex is what the second program draws beside the page: views for which the
// page's own program has no room, and the pages on which lessons are written, handed out
// and marked, over a worker of their own.
package annex
