//go:build js

package ui

import "syscall/js"

// listenOffline follows offline.js.
func (b *browser) listenOffline() {
	offline := window.Get("batchlabOffline")
	if !offline.Truthy() {
		return
	}
	offline.Call("listen", b.fn(func(args []js.Value) {
		if s := args[0].String(); s != b.p.Offline {
			b.p.Offline = s
			b.ask()
		}
	}))
}

// Update implements Updater.
func (b *browser) Update() { window.Get("batchlabOffline").Call("update") }
