//go:build js

package annex

import (
	"encoding/json"
	"fmt"
	"slices"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/state"
)

func init() {
	for _, r := range Rooms {
		r.Islands = map[string]draw.Maker{"annex": newIsland}
	}
}

// island is the page's element of a view: the second program draws in it.
type island struct {
	*draw.Host
	wish js.Value
	told seen
}

// seen is what the facts hang on.
type seen struct {
	ran      *experiment.Experiment
	edits    int
	preview  *report.Preview
	state    string
	relative bool
	places   string
	machine  *report.Conf
	mapping  *state.Mapping
	more     int
}

func newIsland(h *draw.Host) draw.Island {
	v := &island{Host: h}
	v.wish = js.ValueOf(map[string]any{
		"key": h.Arg, "root": h.Root,
		"ask":  h.Scope.Func(func(a []js.Value) any { return v.ask(a[0].String(), a[1].String(), a[2].String(), a[3], a[4]) }),
		"edit": h.Scope.Func(func(a []js.Value) any { v.edit(a[0].String(), a[1].Bool()); return nil }),
		"step": h.Scope.Func(func(a []js.Value) any { v.step(a[0].Int(), a[1].Float(), a[2].Float()); return nil }),
		"act":  h.Scope.Func(func(a []js.Value) any { Acts[a[0].String()](v.Store, a[1].String()); return nil }),
		"keep": h.Scope.Func(func(a []js.Value) any { v.keep(a[0].String()); return nil }),
	})
	return v
}

// Draw tells the second program what has changed.
func (v *island) Draw() {
	s := v.Store
	now := seen{ran: s.Ran, preview: s.ShownWorkload(), state: look.AnnexState(s.View.Annex, v.Arg), relative: s.Prefs.Relative, places: fmt.Sprint(s.Places())}
	settings := v.Arg == WhatIf.Key
	if v.Arg == Import.Key {
		settings, now.preview, now.machine, now.mapping, now.more = true, s.Preview, s.Machine, s.Mapping, s.MoreTables()
	}
	if s.Ran == nil || settings {
		now.edits = s.Edits
	}
	if now == v.told {
		return
	}
	v.told = now
	doc := s.RanDocument()
	if settings && s.Settings.Validate() == nil {
		doc = s.Settings.Clone()
	}
	doc.Expect, doc.Trace = "", ""
	f := Facts{Document: string(experiment.Encode(doc)), Preview: now.preview, State: now.state, Relative: now.relative, Workers: s.Workers(), Places: s.Places(), Machine: now.machine}
	if m := now.mapping; m != nil {
		f.Table, f.File, f.More = m.Table, m.Name, s.MoreTables()
	}
	text, err := json.Marshal(f)
	if err != nil {
		return // a number that JSON has no word for: nothing of it can be shown
	}
	v.wish.Set("facts", string(text))
	js.Global().Get("batchlabBoot").Call("annex", v.wish)
}

// Release implements draw.Island.
func (v *island) Release() {}

// ask hands a question on, and returns what gives it up.
func (v *island) ask(document, what, in string, progress, done js.Value) any {
	doc, err := experiment.Decode([]byte(document))
	if err != nil {
		done.Invoke("", err.Error())
		return nil
	}
	var stop js.Func
	cancel := v.Store.Inquire(doc, what, in, func(n, total int) { progress.Invoke(n, total) }, func(out []byte, err error) {
		stop.Release()
		text := ""
		if err != nil {
			text = err.Error()
		}
		done.Invoke(string(out), text)
	})
	stop = js.FuncOf(func(js.Value, []js.Value) any { cancel(); return nil })
	return stop
}

// edit makes a document the settings.
func (v *island) edit(document string, run bool) {
	doc, err := experiment.Decode([]byte(document))
	if err != nil {
		v.Store.Tell(err.Error())
		return
	}
	v.Store.Change(func(e *experiment.Experiment) { *e = *doc })
	if run {
		v.Store.Run()
	}
}

// step opens an instant.
func (v *island) step(scheduler int, at, job float64) {
	s := v.Store
	s.Look(func(w *look.View) { w.A, w.Job = scheduler, slices.Index(s.Numbers(), int64(job)) })
	s.StepTo(model.Time(at))
}

// keep keeps what the view looks at.
func (v *island) keep(state string) {
	v.Store.Look(func(w *look.View) { w.Annex = v.Arg + "." + state })
	v.told.state = state
}
