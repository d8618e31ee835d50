// Package gantt is the view of schedules as they run over time: jobs as boxes,
// reservations and outages, and why each job waited.
package gantt

import "batchlab/ui/draw"

// Room is the view.
var Room = draw.Room{Key: "gantt", Name: "Gantt", Parts: []draw.Part{{Island: "gantt"}}}
