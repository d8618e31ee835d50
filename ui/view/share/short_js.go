//go:build js

package share

import (
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
)

// shortWait is how long the server may take, in milliseconds.
const shortWait = 15_000

// request asks the page's own server. done gets the status, 0 without an
// answer, and the body's text.
func request(path string, options map[string]any, done func(status int, r js.Value, text string)) {
	failed := func() { done(0, js.Undefined(), "") }
	if signal := draw.Global.Get("AbortSignal"); signal.Truthy() && signal.Get("timeout").Truthy() {
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
	draw.Global.Call("fetch", path, options).Call("then", yes).Call("then", text, no)
}

// Server is the page's own server, asked by the browser.
type Server struct{}

// OffersShort implements Shortener. Static hosts answer otherwise or not at
// all; from file:// nothing is asked.
func (Server) OffersShort(done func(bool)) {
	if !strings.HasPrefix(draw.Global.Get("location").Get("protocol").String(), "http") {
		done(false)
		return
	}
	request("x", map[string]any{"method": "OPTIONS"}, func(status int, r js.Value, _ string) {
		done(status == 204 && r.Get("headers").Call("get", "allow").String() == "POST")
	})
}

// StoreShort implements Shortener.
func (Server) StoreShort(document []byte, done func(id, fault string)) {
	options := map[string]any{"method": "POST", "body": string(document), "headers": map[string]any{"Content-Type": "application/json", "Accept": "application/json"}}
	request("x", options, func(status int, _ js.Value, text string) {
		answer := js.Undefined()
		func() {
			defer func() { _ = recover() }() // not JSON
			answer = draw.Global.Get("JSON").Call("parse", text)
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

// Stored brings the experiment that is stored under an id, or why there is none.
func Stored(id string) (e *experiment.Experiment, fault string) {
	type answer struct {
		status int
		text   string
	}
	got := make(chan answer, 1)
	path := "x/" + draw.Global.Call("encodeURIComponent", id).String()
	request(path, map[string]any{"headers": map[string]any{"Accept": "application/json"}}, func(status int, _ js.Value, text string) {
		got <- answer{status, text}
	})
	switch a := <-got; a.status {
	case 200:
		e, err := experiment.DecodeShared([]byte(a.text))
		if err != nil {
			return nil, err.Error()
		}
		return e, ""
	case 404:
		return nil, "no experiment has this id"
	case 0:
		return nil, "the server does not answer; a short link needs it the first time"
	}
	return nil, "the server refuses"
}
