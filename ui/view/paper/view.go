// Package paper is the place of the studies: what each paper asks and claims, what
// became of its claims here, and its tables and figures, which run on the page
// and stand beside what was published.
package paper

import (
	"batchlab/ui/draw"
	"batchlab/ui/look"
)

// Room is the place.
var Room = draw.Room{Key: look.PapersPlace, Name: "Papers", Parts: []draw.Part{{Island: "papers"}}}
