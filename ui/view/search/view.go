// Package search is the view of a search for queue orders: what the best weights
// of every week were, and whether last week's would have served.
package search

import "batchlab/ui/draw"

// Room is the view. The shell writes its panel.
var Room = draw.Room{Key: "search", Name: "Search"}
