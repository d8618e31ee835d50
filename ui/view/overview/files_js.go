//go:build js

package overview

import (
	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/state"
)

// Files draws the charts of the results as files, light whatever the page's
// theme is.
func Files(s *state.Store) []engine.File {
	h := &draw.Host{Store: s}
	d := *h.Data()
	d.Theme = draw.Colours(false)
	var list []engine.File
	add := func(name, title string, f draw.Figure) {
		if len(f.Layers) > 0 {
			file, _ := d.Theme.FigureFile(&f, title)
			list = append(list, engine.File{Name: name + ".svg", Data: []byte(file)})
		}
	}
	for _, k := range BarKeys {
		add("by-scheduler-"+k.Key, "By scheduler: "+k.Word, Bars(&d, k.Key, "whole", 560, 240))
	}
	add("waits", "How long jobs wait", CDF(&d, 560, 280))
	add("classes", "Who gains, who pays", Classes(&d, 560, 300))
	add("over-time", "Over time", OverTime(&d, 960, 300))
	return list
}
