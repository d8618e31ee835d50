//go:build js

package truth

import (
	"syscall/js"

	"batchlab/ui/annex"
	"batchlab/ui/draw"
)

// view is the view on the screen.
type view struct {
	draw.Stack
	t       Truth
	verdict js.Value
}

// New makes the view.
func New(h *draw.Host, page *annex.Page) draw.Island {
	v := &view{t: Truth{Page: page}}
	v.Host = h
	v.verdict = draw.Add(h.Root, "p", "truth-verdict")
	draw.Attr(v.verdict, "role", "status")
	v.Parts = []draw.Island{draw.NewGridCard(v.Part(h.Root, "truth-table"), "truth", "How near each one comes", func(*draw.Data) draw.Grid { return v.t.Table() })}
	return v
}

// Draw asks what is not known, and shows what is.
func (v *view) Draw() {
	v.t.Follow(v.Again)
	v.verdict.Set("textContent", v.t.Verdict())
	v.Stack.Draw()
}
