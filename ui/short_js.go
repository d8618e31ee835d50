//go:build js

package ui

import (
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
)

// shortWait is how long the server may take, in milliseconds.
const shortWait = 15_000

// request asks the page's own server. done gets the status, 0 without an
// answer, and the body's text.
func request(path string, options map[string]any, done func(status int, r js.Value, text string)) {
	failed := func() { done(0, js.Undefined(), "") }
	if signal := window.Get("AbortSignal"); signal.Truthy() && signal.Get("timeout").Truthy() {
		options["signal"] = signal.Call("timeout", shortWait)
	}
	var response js.Value
	var yes, text, no js.Func
	release := func() { yes.Release(); text.Release(); no.Release() }
	text = js.FuncOf(func(_ js.Value, args []js.Value) any {
		release()
		done(response.Get("status").Int(), response, args[0].String())
		return nil
	})
	no = js.FuncOf(func(js.Value, []js.Value) any {
		release()
		failed()
		return nil
	})
	yes = js.FuncOf(func(_ js.Value, args []js.Value) any {
		response = args[0]
		return response.Call("text")
	})
	window.Call("fetch", path, options).Call("then", yes).Call("then", text, no)
}

// OffersShort implements Shortener. Static hosts answer otherwise or not at
// all; from file:// nothing is asked.
func (b *browser) OffersShort(done func(bool)) {
	if !strings.HasPrefix(window.Get("location").Get("protocol").String(), "http") {
		done(false)
		return
	}
	request("x", map[string]any{"method": "OPTIONS"}, func(status int, r js.Value, _ string) {
		done(status == 204 && r.Get("headers").Call("get", "allow").String() == "POST")
	})
}

// StoreShort implements Shortener.
func (b *browser) StoreShort(document []byte, done func(id, fault string)) {
	options := map[string]any{"method": "POST", "body": string(document), "headers": map[string]any{"Content-Type": "application/json", "Accept": "application/json"}}
	request("x", options, func(status int, _ js.Value, text string) {
		answer := js.Undefined()
		func() {
			defer func() { _ = recover() }() // not JSON
			answer = window.Get("JSON").Call("parse", text)
		}()
		switch {
		case status == 0:
			done("", "the server does not answer")
		case answer.Type() == js.TypeObject && answer.Get("id").Type() == js.TypeString:
			done(answer.Get("id").String(), "")
		case answer.Type() == js.TypeObject && answer.Get("error").Type() == js.TypeString:
			done("", answer.Get("error").String())
		default:
			done("", "the server refuses")
		}
	})
}

// start begins with the experiment of the address: a long link, a short one
// (?x=ID, where the server has sent us), or the default. The address becomes
// that of the long link, so that it opens without the server, too.
func (b *browser) start() {
	location := window.Get("location")
	hash := location.Get("hash").String()
	id := window.Get("URLSearchParams").New(location.Get("search")).Call("get", "x")
	if id.Type() != js.TypeString {
		b.p.S.Start(hash)
		return
	}
	type answer struct {
		status int
		text   string
	}
	got := make(chan answer, 1)
	path := "x/" + window.Call("encodeURIComponent", id).String()
	request(path, map[string]any{"headers": map[string]any{"Accept": "application/json"}}, func(status int, _ js.Value, text string) {
		got <- answer{status, text}
	})
	a := <-got
	fault := ""
	switch a.status {
	case 200:
		doc, err := experiment.DecodeShared([]byte(a.text))
		if err == nil {
			link := experiment.EncodeLink(doc)
			if view := strings.TrimPrefix(hash, "#"); strings.HasPrefix(view, "v=") {
				link += "&" + view
			}
			b.ShowHash(b.Address() + link)
			b.p.S.Start(link)
			return
		}
		fault = err.Error()
	case 404:
		fault = "no experiment has this id"
	case 0:
		fault = "the server does not answer; a short link needs it the first time"
	default:
		fault = "the server refuses"
	}
	b.p.S.Start("")
	b.p.S.Tell("The short link could not be opened: " + fault + ". The default preset is shown instead.")
}
