//go:build js

package annex

import (
	"encoding/json"
	"errors"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// mounted is a view on the screen.
type mounted struct {
	root js.Value
	page *Page
	s    *state.Store
}

// Views are the views of the second program, which live beside the page's own.
type Views struct {
	makers map[string]Maker
	on     map[string]*mounted
}

// NewViews are views by their keys.
func NewViews(makers map[string]Maker) *Views { return &Views{makers, map[string]*mounted{}} }

// Show shows what the page wishes, or tells the view that stands there already.
func (v *Views) Show(wish js.Value) {
	key, root := wish.Get("key").String(), wish.Get("root")
	var f Facts
	if json.Unmarshal([]byte(wish.Get("facts").String()), &f) != nil {
		return // both programs are of one build
	}
	m := v.on[key]
	if m != nil && m.root.Equal(root) {
		m.tell(f)
		return
	}
	m = &mounted{root: root, page: pageOf(wish), s: state.New(nil)}
	v.on[key] = m
	m.s.OnChange(draw.Refresh)
	m.tell(f)
	if m.page.Doc == nil {
		return
	}
	root.Call("replaceChildren")
	draw.Mount(root, key, m.s, func(h *draw.Host) draw.Island { return v.makers[key](h, m.page) })
}

// tell hands on what has changed. The store is what the kit reads clocks and names from.
func (m *mounted) tell(f Facts) {
	if err := m.page.Tell(f); err != nil {
		m.root.Set("textContent", err.Error())
		return
	}
	words.SetLetters(f.Places)
	m.s.Preview, m.s.Prefs.Relative = f.Preview, f.Relative
	m.s.Touch()
}

// pageOf is the page as a wish offers it.
func pageOf(wish js.Value) *Page {
	return &Page{
		Query: func(doc *experiment.Experiment, what string, in []byte, progress func(int, int), done func([]byte, error)) func() {
			var on, end js.Func
			over := false
			on = js.FuncOf(func(_ js.Value, a []js.Value) any { progress(a[0].Int(), a[1].Int()); return nil })
			end = js.FuncOf(func(_ js.Value, a []js.Value) any {
				over = true
				on.Release()
				end.Release()
				var err error
				if a[1].String() != "" {
					err = errors.New(a[1].String())
				}
				done([]byte(a[0].String()), err)
				return nil
			})
			stop := wish.Call("ask", string(experiment.Encode(doc)), what, string(in), on, end)
			return func() {
				if !over && stop.Truthy() {
					stop.Invoke()
				}
			}
		},
		Edit: func(doc *experiment.Experiment, run bool) { wish.Call("edit", string(experiment.Encode(doc)), run) },
		Step: func(scheduler int, at model.Time, job int64) { wish.Call("step", scheduler, int64(at), job) },
		Act:  func(what, in string) { wish.Call("act", what, in) },
		Keep: func(text string) { wish.Call("keep", text) },
	}
}
