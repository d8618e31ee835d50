// Package step shows one instant of a run: what has just happened, the queue in
// the scheduler's own order, what runs, and the decisions with their numbers, each
// as a sentence and as a mark in the picture. It is a mode of the Gantt chart.
package step

import "batchlab/ui/draw"

// Room has no tab of its own: the Gantt chart's has a part for its island.
var Room = draw.Room{Key: "step", Name: "Step"}
