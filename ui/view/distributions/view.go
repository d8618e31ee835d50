// Package distributions is the view of how waits, slowdowns and turnarounds are
// distributed over jobs and classes of jobs.
package distributions

import "batchlab/ui/draw"

// Room is the view.
var Room = draw.Room{Key: "distributions", Name: "Distributions", Parts: []draw.Part{{Island: "dist"}}}
