// Package overview is the first view: the means of each scheduler, how long jobs
// wait, who gains and who pays, and all measures.
package overview

import "batchlab/ui/draw"

// Room is the view. The shell writes its panel.
var Room = draw.Room{Key: "overview", Name: "Overview"}
