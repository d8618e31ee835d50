//go:build js

package ui

import (
	"strconv"
	"syscall/js"

	"batchlab/ui/words"
)

// searchProgress writes the progress of a search without a render.
func (b *browser) searchProgress() {
	s := b.p.S
	if !s.Searching() {
		return
	}
	percent := searchPercent(s)
	bar := func(el js.Value) {
		if el.Truthy() {
			el.Call("setAttribute", "aria-valuenow", percent)
			el.Get("firstElementChild").Call("setAttribute", "style", "width:"+percent+"%")
		}
	}
	bar(document.Call("getElementById", "search-progress"))
	if el := document.Call("getElementById", "search-state"); el.Truthy() {
		el.Set("textContent", searchState(s))
	}
	if el := document.Call("getElementById", "run-search"); el.Truthy() {
		bar(el.Get("firstElementChild"))
		el.Call("querySelector", ".percent").Set("textContent", percent+words.NB+"%")
		el.Call("querySelector", ".left").Set("textContent", searchLeft(s))
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
