//go:build js && wasm

package draw

import "syscall/js"

// charts is the library that draws standard charts and QR codes, a script of its
// own that is loaded when the first of them is shown.
var charts struct {
	state   string // "", "loading", "there", "failed"
	lib     js.Value
	waiting []func()
}

// LoadCharts fetches the chart library before a figure needs it.
func LoadCharts() {
	if charts.state == "" {
		loadCharts()
	}
}

func loadCharts() {
	charts.state = "loading"
	LoadScript("charts", func(ok bool) {
		charts.state, charts.lib = map[bool]string{true: "there", false: "failed"}[ok], Global.Get("batchlabCharts")
		waiting := charts.waiting
		charts.waiting = nil
		for _, again := range waiting {
			again()
		}
	})
}

// LoadScript fetches a script of the page's own, as boot.js names it, and says
// whether that worked.
func LoadScript(name string, done func(ok bool)) {
	script := Create("script", "")
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
// where the library has to be loaded first. Without a library, and for a text of
// more than 2,953 bytes, there is none, and size is 0.
func QR(text string, then func(path string, size int)) {
	switch charts.state {
	case "there":
		if code := charts.lib.Call("qr", text); code.Truthy() {
			then(code.Get("path").String(), code.Get("size").Int())
			return
		}
		then("", 0)
		return
	case "failed":
		charts.state = "" // the next try loads again
		then("", 0)
		return
	case "":
		loadCharts()
	}
	charts.waiting = append(charts.waiting, func() { QR(text, then) })
}
