// Package cases is the place of small cases: a few jobs in a table that is typed
// or pasted, and the schedules that follow it.
package cases

import "batchlab/ui/draw"

// Room is the place.
var Room = draw.Room{Key: "cases", Name: "Cases", Parts: []draw.Part{{Island: "cases"}}}
