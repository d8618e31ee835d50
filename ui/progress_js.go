//go:build js

package ui

import (
	"strconv"
	"syscall/js"

	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/view/search"
	"batchlab/ui/words"
)

// askProgress writes the progress of the runs at most ten times a second.
func (b *browser) askProgress() {
	if b.progress {
		return
	}
	b.progress = true
	window.Call("setTimeout", once(func([]js.Value) {
		b.progress = false
		b.searchProgress()
		fetchProgress("run-fetch", b.p.S.Fetching)
		fetchProgress("run-read", b.p.S.Reading)
		b.studyProgress()
		b.sweepProgress()
		if b.p.S.Sweeping() {
			draw.Refresh() // what has come since
		}
		for _, g := range b.p.S.Groups() {
			el := document.Call("querySelector", `[data-run="`+strconv.Itoa(g.Scheduler)+`"]`)
			if !el.Truthy() || !g.Active() {
				continue
			}
			bar := el.Get("firstElementChild")
			if !bar.Truthy() {
				continue
			}
			bar.Get("firstElementChild").Call("setAttribute", "style", width(&g))
			bar.Call("setAttribute", "aria-valuenow", int(g.Progress*100))
			el.Call("querySelector", ".percent").Set("textContent", percent(&g))
			el.Call("querySelector", ".left").Set("textContent", left(g.Left))
		}
	}), 100)
}

// fetchProgress writes how much has come of the studies' simulator, and of a log.
func fetchProgress(id string, f engine.Fetching) {
	if el := document.Call("getElementById", id); el.Truthy() {
		setBar(el, fetchPercent(f))
		el.Call("querySelector", ".percent").Set("textContent", fetchBytes(f))
	}
}

// setBar sets the progress bar within an element.
func setBar(el js.Value, percent string) {
	bar := el.Call("querySelector", ".progress")
	bar.Get("firstElementChild").Call("setAttribute", "style", "width:"+percent+"%")
	bar.Call("setAttribute", "aria-valuenow", percent)
}

// studyProgress writes how far a study is, in its place and in the run bar.
func (b *browser) studyProgress() {
	percent := b.p.S.StudyPercent()
	if el := document.Call("getElementById", "study-progress"); el.Truthy() {
		setBar(el, percent)
		el.Call("querySelector", ".study-text").Set("textContent", b.p.S.StudyText())
	}
	if el := document.Call("getElementById", "run-study"); el.Truthy() {
		setBar(el, percent)
		el.Call("querySelector", ".percent").Set("textContent", percent+words.NB+"%")
	}
}

// studyFlags says on <html> how the studies stand, for whoever drives the page
// from outside: data-study is the one under way, data-studies how many ended.
func (b *browser) studyFlags(data js.Value) {
	st := &b.p.S.Studies
	if st.Papers != nil {
		data.Set("study", st.Running)
		data.Set("studies", strconv.Itoa(st.Runs))
	}
}

// searchProgress writes the progress of a search without a render.
func (b *browser) searchProgress() {
	s := b.p.S
	if !s.Searching() {
		return
	}
	r := s.SearchNow()
	percent := r.Percent()
	bar := func(el js.Value) {
		if el.Truthy() {
			el.Call("setAttribute", "aria-valuenow", percent)
			el.Get("firstElementChild").Call("setAttribute", "style", "width:"+percent+"%")
		}
	}
	bar(document.Call("getElementById", "search-progress"))
	if el := document.Call("getElementById", "search-state"); el.Truthy() {
		el.Set("textContent", search.Text(s))
	}
	if el := document.Call("getElementById", "run-search"); el.Truthy() {
		bar(el.Get("firstElementChild"))
		el.Call("querySelector", ".percent").Set("textContent", percent+words.NB+"%")
		el.Call("querySelector", ".left").Set("textContent", left(r.Left))
	}
}

// searchFlags says on <html> how the search stands, for whoever drives the page
// from outside: data-search is running, done, cancelled or failed,
// data-fingerprint tells results apart, data-simulations and data-seconds say
// what it took.
func (b *browser) searchFlags(data js.Value) {
	r := b.p.S.SearchNow()
	if r == nil {
		return
	}
	version := strconv.Itoa(r.Version)
	if known := data.Get("searchVersion"); known.Type() == js.TypeString && known.String() == version {
		return
	}
	data.Set("searchVersion", version)
	data.Set("fingerprint", strconv.FormatUint(r.Fingerprint(), 16))
	data.Set("simulations", strconv.Itoa(int(r.Done+.5)))
	data.Set("seconds", strconv.FormatFloat(r.Seconds, 'f', 3, 64))
	data.Set("search", [...]string{"queued", "running", "done", "cancelled", "failed"}[r.Status])
}

// sweepProgress writes how far a sweep is, in the run bar.
func (b *browser) sweepProgress() {
	el := document.Call("getElementById", "run-sweep")
	if !el.Truthy() || !b.p.S.Sweeping() {
		return
	}
	setBar(el, b.p.S.Swept.Percent())
	el.Call("querySelector", ".percent").Set("textContent", sweepDone(b.p.S))
	el.Call("querySelector", ".left").Set("textContent", left(b.p.S.Swept.Left))
	b.sweepFlags(document.Get("documentElement").Get("dataset"))
}

// sweepFlags says on <html> how an experiment that varies stands, for whoever
// drives the page from outside: data-sweep is running, done, cancelled or failed,
// data-swept how many runs are there, data-sweep-digest the digest of all.
func (b *browser) sweepFlags(data js.Value) {
	w := b.p.S.SweepNow()
	if w == nil {
		data.Set("sweep", "none")
		return
	}
	data.Set("sweep", [...]string{"queued", "running", "done", "cancelled", "failed"}[w.Status])
	data.Set("swept", strconv.Itoa(int(w.Done)))
	data.Set("sweepDigest", w.Digest)
}
