// Package start is what a visitor sees first: what backfilling is, on six jobs, as one
// run has them, with a sentence for each of four moments, and three ways on.
package start

import "batchlab/ui/draw"

// Room has no tab: the shell has a part for its island above the verdict and one
// below it.
var Room = draw.Room{Key: "start", Name: "Start"}
