//go:build js

package ui

import (
	"strconv"
	"syscall/js"

	"batchlab/ui/draw"
	"batchlab/ui/view/search"
)

// askProgress writes the progress of the runs at most ten times a second.
func (b *browser) askProgress() {
	if b.progress {
		return
	}
	b.progress = true
	window.Call("setTimeout", once(func([]js.Value) {
		b.progress = false
		b.underProgress()
		b.searchProgress()
		b.studyProgress()
		if b.p.S.Sweeping() {
			draw.Refresh() // what has come since
			b.sweepFlags(document.Get("documentElement").Get("dataset"))
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

// underProgress writes how far is what is under way beside the runs.
func (b *browser) underProgress() {
	for _, u := range (&RunBar{P: b.p}).under() {
		if el := document.Call("getElementById", u.id); el.Truthy() {
			setBar(el, u.percent)
			el.Call("querySelector", ".percent").Set("textContent", u.text)
			el.Call("querySelector", ".left").Set("textContent", u.left)
		}
	}
}

// setBar sets the progress bar within an element.
func setBar(el js.Value, percent string) {
	bar := el.Call("querySelector", ".progress")
	bar.Get("firstElementChild").Call("setAttribute", "style", "width:"+percent+"%")
	bar.Call("setAttribute", "aria-valuenow", percent)
}

// studyProgress writes how far a study is, in its place.
func (b *browser) studyProgress() {
	if el := document.Call("getElementById", "study-progress"); el.Truthy() {
		setBar(el, b.p.S.StudyPercent())
		el.Call("querySelector", ".study-text").Set("textContent", b.p.S.StudyText())
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

// searchProgress writes how far a search is, in its place.
func (b *browser) searchProgress() {
	if el := document.Call("getElementById", "search-progress"); el.Truthy() && b.p.S.Searching() {
		percent := b.p.S.SearchNow().Percent()
		el.Call("setAttribute", "aria-valuenow", percent)
		el.Get("firstElementChild").Call("setAttribute", "style", "width:"+percent+"%")
	}
	if el := document.Call("getElementById", "search-state"); el.Truthy() && b.p.S.Searching() {
		el.Set("textContent", search.Text(b.p.S))
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
