//go:build js && wasm

// Package page is the page's half of the program: the interface over a pool of
// simulation workers.
package page

import (
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/ui"
	"batchlab/ui/state"
	"batchlab/wasm/host"
	"batchlab/wasm/pool"
)

// mostWorkers bounds the number of workers: each has a Go program of its own
// in memory, and a copy of the log.
const mostWorkers = 8

// Main runs the page until it is closed.
func Main() {
	boot := js.Global().Get("batchlabBoot")
	if commit := boot.Get("commit"); commit.Type() == js.TypeString {
		experiment.Commit = commit.String()
	}
	p := pool.New(host.New(boot), workers())
	p.Bound(memory())
	p.Warm()
	engine := &watched{Pool: p}
	store := state.New(engine)
	engine.kept, engine.stored = store.RefreshKept, store.Stored
	p.OnFetch(store.SetFetching)
	p.OnLost(store.WorkerLost)
	store.RefreshKept()
	if err := ui.Run("#app", store); err != nil {
		boot.Call("fail", "The page cannot be shown: "+err.Error())
		select {}
	}
}

// memory is how many bytes the workers may take together: half of what the browser says the
// computer has, or would say of most.
func memory() int64 {
	gigabytes := 8.0
	if m := js.Global().Get("navigator").Get("deviceMemory"); m.Type() == js.TypeNumber {
		gigabytes = m.Float()
	}
	return int64(gigabytes / 2 * (1 << 30))
}

// workers is how many workers run side by side: one for each core, or what
// ?workers=N of the address says.
func workers() int {
	n := 2
	if cores := js.Global().Get("navigator").Get("hardwareConcurrency"); cores.Type() == js.TypeNumber {
		n = cores.Int()
	}
	query := js.Global().Get("URLSearchParams").New(js.Global().Get("location").Get("search"))
	if v := query.Call("get", "workers"); v.Type() == js.TypeString {
		if asked := js.Global().Call("parseInt", v, 10); asked.Truthy() { // NaN and 0 are not
			n = asked.Int()
		}
	}
	return min(max(1, n), mostWorkers)
}
