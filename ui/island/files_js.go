//go:build js

package island

import (
	"batchlab/ui/chart"
	"batchlab/ui/state"
)

// Files draws the charts of the results as files, light whatever the page's
// theme is.
func Files(s *state.Store) []state.File {
	h := &host{store: s}
	d := *h.data()
	d.Theme = chart.Colours(false)
	var list []state.File
	add := func(name, title string, drawing chart.Drawing) {
		if drawing.SVG != "" {
			list = append(list, state.File{Name: name + ".svg", Data: []byte(d.Theme.File(&drawing, title))})
		}
	}
	for _, k := range chart.BarKeys {
		add("by-scheduler-"+k.Key, "By scheduler: "+k.Word, d.Bars(k.Key, 560, 240))
	}
	add("waits", "How long jobs wait", d.CDF(560, 280))
	add("classes", "Who gains, who pays", d.Classes(560, 300))
	add("over-time", "Over time", d.OverTime(960, 300))
	return list
}
