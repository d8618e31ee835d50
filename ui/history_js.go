//go:build js

package ui

import (
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
)

// The browser's history is the session's. Each step of the settings and each
// change of the tab is an entry, whose address opens settings and view as they
// are (state.Session); other changes of the view go into the address of the entry
// that is there. Entries carry a name of this visit: those of an earlier one, from
// before a reload, are opened like any link.

// session is what the page knows of its entries.
type session struct {
	visit    string // name of this visit
	steps    []int  // step of the settings at each entry of this visit
	at       int    // entry on show
	address  string // last one that was written
	view     string // what of the view stands in the entry on show
	where    string // tab or place of the entry on show (state.Where)
	adopt    bool   // the address that is there says what is shown, whatever words it has
	landed   bool   // what the adopted address opens stands on the page
	walking  int    // steps of undo and redo on their way through entries: the view stays
	foreign  bool   // an entry of an earlier visit is being opened
	fromHash bool   // a changed address is being followed
	followed string // the address that was followed last, or the first one
	waiting  bool   // a change of the view is to be written soon
	version  int    // of the store that the address was last looked at for
}

// listenSteps begins to keep the browser's history in line with the settings.
func (b *browser) listenSteps() {
	h := &b.session
	h.visit = strconv.FormatInt(int64(window.Get("Date").Call("now").Float()), 36)
	b.takeUp()
	h.followed = window.Get("location").Get("hash").String()
	h.adopt = opens(h.followed)
	b.listenLeaving()
	b.p.S.OnStep(func(n int, added bool) {
		if !added {
			if len(h.steps) > 0 && h.steps[h.at] != n { // undone without the browser's history
				h.steps[h.at] = n
				b.entry("replaceState", "")
			}
			return
		}
		if len(h.steps) == 0 || h.foreign { // the entry is there already
			h.steps, h.at = []int{n}, 0
			b.entry("replaceState", "")
			return
		}
		h.steps = append(h.steps[:h.at+1], n)
		h.at++
		if h.fromHash {
			b.entry("replaceState", "")
			return
		}
		b.entry("pushState", "")
	})
	document.Call("addEventListener", "click", b.fn(func(args []js.Value) {
		target, location := args[0].Get("target"), window.Get("location")
		if !target.Get("closest").Truthy() {
			return
		}
		a := target.Call("closest", "a[href]")
		if hash := location.Get("hash"); a.Truthy() && hash.String() != "" && a.Get("href").Equal(location.Get("href")) && a.Get("target").String() == "" && !draw.Modified(args[0]) {
			args[0].Call("preventDefault") // no event would tell of an address that stays
			window.Get("history").Call("pushState", nil, "", hash)
			b.followHash(hash.String())
		}
	}))
	window.Call("addEventListener", "popstate", b.fn(func(args []js.Value) {
		state := args[0].Get("state")
		if !b.ours(state) {
			h.foreign = state.Type() == js.TypeObject // an event about the address follows
			return
		}
		n := state.Get("step").Int()
		h.at = state.Get("at").Int()
		h.address = window.Get("location").Get("hash").String()
		if n != b.p.S.Step() {
			b.p.S.GoTo(n)
		}
		if h.walking > 0 {
			h.walking--
			return
		}
		h.view = state.Get("view").String()
		b.p.S.Return(h.view)
		b.p.S.GoPlace(state.Get("place").String())
		h.where = b.p.S.Where()
		b.ask()
	}))
}

// opens reports whether an address opens an experiment or a place.
func opens(hash string) bool {
	_, err := experiment.DecodeLink(hash)
	return err == nil || experiment.LinkPart(hash, "p") != ""
}

// entry writes the entry on show into the browser's history; an empty address
// stays what it is.
func (b *browser) entry(how, address string) {
	defer func() { _ = recover() }() // refused on some addresses
	h := &b.session
	h.view, h.where = b.p.S.ViewText(), b.p.S.Where()
	state := map[string]any{"batchlab": h.visit, "step": h.steps[h.at], "at": h.at, "view": h.view, "place": b.p.S.PlaceText()}
	if address == "" {
		window.Get("history").Call(how, state, "")
		return
	}
	window.Get("history").Call(how, state, "", address)
}

// ours reports whether the state of an entry is of this visit.
func (b *browser) ours(v js.Value) bool {
	return v.Type() == js.TypeObject && v.Get("batchlab").Type() == js.TypeString && v.Get("batchlab").String() == b.session.visit
}

// addressSoon is how long the view rests before it goes into the address, in
// milliseconds.
const addressSoon = 350

// followView writes what has changed into the address: another tab at once, as an
// entry of its own, all else when the view has come to rest.
func (b *browser) followView() {
	h, s := &b.session, b.p.S
	if h.version == s.Version || len(h.steps) == 0 {
		return
	}
	h.version = s.Version
	if h.adopt && !h.landed {
		if _, h.landed = s.Session(); h.landed {
			h.where = s.Where()
		}
	} else if h.adopt && s.Where() != h.where {
		h.adopt = false // somebody has gone on already
	}
	if s.Where() != h.where && s.Ran != nil && !h.adopt {
		b.writeAddress()
		return
	}
	if !h.waiting {
		h.waiting = true
		window.Call("setTimeout", once(func([]js.Value) {
			h.waiting = false
			b.writeAddress()
		}), addressSoon)
	}
}

// leftKey is where the tab keeps the address of a view that was left before it
// went into the history: a reload has chosen its address by then.
const leftKey = "batchlab-left"

// listenLeaving writes what still waits for the address when the page is left.
func (b *browser) listenLeaving() {
	h, s := &b.session, b.p.S
	late := func() bool { return len(h.steps) > 0 && (h.waiting || h.version != s.Version) }
	document.Call("addEventListener", "visibilitychange", b.fn(func([]js.Value) {
		if document.Get("visibilityState").String() != "hidden" {
			return
		}
		if draw.Hurry(); late() {
			b.writeAddress()
		}
	}))
	window.Call("addEventListener", "pagehide", b.fn(func([]js.Value) {
		if draw.Hurry(); !late() {
			return
		}
		h.where = s.Where() // no entry of its own any more
		b.writeAddress()
		defer func() { _ = recover() }() // a browser that keeps nothing
		tabStorage().Call("setItem", leftKey, h.name()+h.address)
	}))
}

// takeUp makes the address that of the view that was left on this entry.
func (b *browser) takeUp() {
	defer func() { _ = recover() }() // as above
	left := tabStorage().Call("getItem", leftKey)
	tabStorage().Call("removeItem", leftKey)
	history := window.Get("history")
	state := history.Get("state")
	if left.Type() != js.TypeString || state.Type() != js.TypeObject {
		return
	}
	was := session{visit: state.Get("batchlab").String(), at: state.Get("at").Int()}
	if hash, same := strings.CutPrefix(left.String(), was.name()); same && hash != "" {
		history.Call("replaceState", state, "", hash)
	}
}

// name tells an entry of this visit from all others.
func (h *session) name() string { return h.visit + " " + strconv.Itoa(h.at) + " " }

// writeAddress makes the address that of the session, unless it says something
// else: the demonstration, a lesson.
func (b *browser) writeAddress() {
	h, s := &b.session, b.p.S
	location := window.Get("location")
	there := location.Get("hash").String()
	if b.p.Tour.Step > 0 || there != "" && !strings.HasPrefix(there, "#x=") && !strings.HasPrefix(there, "#p=") {
		return
	}
	if there != h.followed && !b.ours(window.Get("history").Get("state")) {
		return // an address has just been given: its event is on the way, and must find it
	}
	hash, ok := s.Session()
	if !ok {
		return
	}
	if h.adopt {
		h.adopt, h.address, h.view, h.where = false, hash, s.ViewText(), s.Where()
		b.entry("replaceState", "")
		return
	}
	address := location.Get("pathname").String()
	if search := location.Get("search").String(); !strings.Contains(search, "x=") {
		address += search
	}
	switch address += hash; {
	case s.Where() != h.where:
		h.steps = append(h.steps[:h.at+1], s.Step())
		h.at++
		b.entry("pushState", address)
	case hash != h.address || s.ViewText() != h.view:
		b.entry("replaceState", address)
	}
	h.address = hash
	b.p.leaveOff(hash)
}

// Step implements Host: it walks the browser's history to the nearest entry of
// another step, whose news then moves the settings. Where there is none the
// settings move by themselves.
func (b *browser) Step(by int) {
	h := &b.session
	if b.ours(window.Get("history").Get("state")) {
		for k := h.at + by; k >= 0 && k < len(h.steps); k += by {
			if h.steps[k] != h.steps[h.at] {
				h.walking++
				window.Get("history").Call("go", k-h.at)
				return
			}
		}
	}
	if by < 0 {
		b.p.S.Undo()
	} else {
		b.p.S.Redo()
	}
}

// followHash opens the link of a changed address, unless the change only went
// to an entry of this visit.
func (b *browser) followHash(hash string) {
	h := &b.session
	if b.ours(window.Get("history").Get("state")) {
		return
	}
	h.followed = window.Get("location").Get("hash").String()
	h.fromHash, h.adopt, h.landed = true, opens(hash), false
	if h.foreign {
		b.p.S.Revisit(hash)
		h.steps, h.at = []int{b.p.S.Step()}, 0
		b.entry("replaceState", "")
	} else {
		before := h.at
		b.p.S.FollowLink(hash)
		if h.at == before && h.adopt && len(h.steps) > 0 { // a place alone: an entry, and no step of the settings
			h.steps = append(h.steps[:h.at+1], b.p.S.Step())
			h.at++
			b.entry("replaceState", "")
		}
	}
	h.fromHash, h.foreign = false, false
}

// storage is the browser's localStorage. Where it is off even asking for it
// throws, which becomes a panic only by way of a call.
func storage() js.Value { return window.Get("Reflect").Call("get", window, "localStorage") }

// Remember implements Host. A browser that keeps nothing is no fault.
func (b *browser) Remember(key, text string) {
	defer func() { _ = recover() }()
	storage().Call("setItem", key, text)
}

// Recall implements Host.
func (b *browser) Recall(key string) (text string) {
	defer func() { _ = recover() }()
	if v := storage().Call("getItem", key); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}
