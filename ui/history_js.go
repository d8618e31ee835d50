//go:build js

package ui

import (
	"strconv"
	"strings"
	"syscall/js"
)

// Each step of the settings is an entry of the browser's history, so that its
// back button undoes. Entries carry a name of this visit: those of an earlier
// one are left alone.

// listenSteps begins to keep the browser's history in line with the settings.
func (b *browser) listenSteps() {
	b.visit = strconv.FormatInt(int64(window.Get("Date").Call("now").Float()), 36)
	b.p.S.OnStep(func(n int, added bool) {
		if !added {
			return
		}
		how := "pushState"
		if n == 0 || b.fromHash {
			how = "replaceState" // the entry is there already
		}
		b.entry(how, n)
	})
	window.Call("addEventListener", "popstate", b.fn(func(args []js.Value) {
		if n, ok := b.stepOf(args[0].Get("state")); ok {
			b.p.S.GoTo(n)
		}
	}))
}

// entry writes a step into the browser's history.
func (b *browser) entry(how string, n int) {
	defer func() { _ = recover() }() // refused on some addresses
	window.Get("history").Call(how, map[string]any{"batchlab": b.visit, "step": n}, "")
}

// stepOf reads the step of an entry; ok is false for one of another visit.
func (b *browser) stepOf(v js.Value) (n int, ok bool) {
	if v.Type() != js.TypeObject || v.Get("batchlab").Type() != js.TypeString || v.Get("batchlab").String() != b.visit {
		return 0, false
	}
	return v.Get("step").Int(), true
}

// Step implements Host: it walks the browser's history, whose news then moves
// the settings. Where the two are out of line the settings move by themselves.
func (b *browser) Step(by int) {
	if _, ok := b.stepOf(window.Get("history").Get("state")); ok {
		window.Get("history").Call("go", by)
		return
	}
	if by < 0 {
		b.p.S.Undo()
	} else {
		b.p.S.Redo()
	}
}

// followHash opens the link of a changed address, unless the change only went
// to a step of this visit.
func (b *browser) followHash(hash string) {
	if _, ok := b.stepOf(window.Get("history").Get("state")); ok {
		return
	}
	b.fromHash = true
	b.p.S.FollowLink(hash)
	b.fromHash = false
}

// separators asks the browser how its reader writes numbers.
func separators() (thousands, decimal string) {
	parts := window.Get("Intl").Get("NumberFormat").New().Call("formatToParts", 1234567.5)
	for i := range parts.Length() {
		switch p := parts.Index(i); p.Get("type").String() {
		case "group":
			thousands = p.Get("value").String()
		case "decimal":
			decimal = p.Get("value").String()
		}
	}
	// Digits are written as 0 to 9 everywhere on the page; a style that has
	// other signs is not mixed with them.
	if strings.ContainsAny(decimal, ".,") && len(decimal) == 1 {
		if strings.TrimSpace(thousands) == "" {
			thousands = "\u00a0"
		}
		return thousands, decimal
	}
	return ",", "."
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
