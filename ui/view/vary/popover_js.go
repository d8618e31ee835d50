//go:build js

package vary

import (
	"batchlab/ui/draw"
	"batchlab/ui/state"
)

// beside is the input beside which the popover stands, "" none.
var beside string

// Place puts the popover, which has just been written, beside the input that it is about.
func Place(s *state.Store) {
	v := s.VaryNow()
	if v == nil {
		beside = ""
		return
	}
	pop, at := draw.Find(draw.Doc, "#vary-pop"), draw.Doc.Call("getElementById", "wave-"+v.ID)
	if beside == v.ID || !pop.Truthy() || !at.Truthy() {
		return
	}
	beside = v.ID
	r, root := at.Call("getBoundingClientRect"), draw.Doc.Get("documentElement")
	top := min(r.Get("top").Float()-14, draw.Global.Get("innerHeight").Float()-pop.Get("offsetHeight").Float()-70)
	draw.Style(root, "--top", draw.Px(max(8, top)))
	draw.Style(root, "--left", draw.Px(r.Get("right").Float()+10))
}
