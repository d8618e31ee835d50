//go:build js && wasm

package draw

import "syscall/js"

// LoadScript fetches a script of the page's own, as boot.js names it, and says
// whether that worked.
func LoadScript(name string, done func(ok bool)) {
	script := Doc.Call("createElement", "script") // one of markup would not be run
	script.Set("src", Global.Get("batchlabBoot").Get(name))
	var loaded, failed js.Func
	end := func(ok bool) any {
		loaded.Release()
		failed.Release()
		done(ok)
		return nil
	}
	loaded = js.FuncOf(func(js.Value, []js.Value) any { return end(true) })
	failed = js.FuncOf(func(js.Value, []js.Value) any { return end(false) })
	script.Set("onload", loaded)
	script.Set("onerror", failed)
	Doc.Get("head").Call("append", script)
}

// QR calls then with a text's QR code: the dark modules as the data of an SVG
// path, and the modules of a side with the four light ones around it; later,
// where the library that makes them has to be loaded first. Without it, and for a
// text of more than 2,953 bytes, there is none, and size is 0.
func QR(text string, then func(path string, size int)) {
	if Global.Get("batchlabQR").Truthy() {
		makeQR(text, then)
		return
	}
	LoadScript("qr", func(bool) { makeQR(text, then) })
}

// makeQR does it with the library, where that is there.
func makeQR(text string, then func(path string, size int)) {
	if !Global.Get("batchlabQR").Truthy() {
		then("", 0)
		return
	}
	code := Global.Call("batchlabQR", text)
	if !code.Truthy() {
		then("", 0)
		return
	}
	then(code.Get("path").String(), code.Get("size").Int())
}
