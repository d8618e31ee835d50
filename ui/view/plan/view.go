// Package plan is the view of plans: what a scheduler intended at an instant, how
// well plans came true, and what a grid could promise.
package plan

import "batchlab/ui/draw"

// Room is the view.
var Room = draw.Room{Key: "plan", Name: "Plan", Parts: []draw.Part{{Island: "plan"}}}
