//go:build js && wasm

// Package host gives the pool of workers what a browser has: workers, buffers and timers.
package host

import (
	"errors"
	"fmt"
	"strings"
	"syscall/js"

	"batchlab/wasm/bridge"
	"batchlab/wasm/pool"
)

// New is the browser, with what boot.js left: the compiled programs.
func New(boot js.Value) pool.Host { return host{boot} }

// host gives the pool the browser's workers, buffers and timers.
type host struct {
	boot js.Value // what boot.js left: the compiled module
}

var _ pool.Host = host{}

// Spawn implements pool.Host.
func (h host) Spawn(studies bool, receive func([]byte, []pool.Buffer), crashed func(string)) pool.Port {
	p := &port{worker: js.Global().Get("Worker").New(h.boot.Get("worker"))}
	listen := func(event string, f func(js.Value)) {
		fn := js.FuncOf(func(_ js.Value, args []js.Value) any {
			if !p.ended {
				f(args[0])
			}
			return nil
		})
		p.worker.Call("addEventListener", event, fn)
	}
	listen("message", func(ev js.Value) {
		data := ev.Get("data")
		if crash := data.Get("crash"); crash.Type() == js.TypeString {
			crashed(crash.String())
			return
		}
		if lock := data.Get("lock"); lock.Type() == js.TypeString {
			whenFree(lock.String(), func() {
				if !p.ended {
					crashed("it ended without a message")
				}
			})
			return
		}
		head, buffers, _, ok := bridge.Open(data)
		if !ok {
			crashed("it sent something that is no message")
			return
		}
		list := make([]pool.Buffer, len(buffers))
		for i, b := range buffers {
			list[i] = b
		}
		receive([]byte(head), list)
	})
	listen("error", func(ev js.Value) {
		ev.Call("preventDefault")
		reason := "it could not be started"
		if m := ev.Get("message"); m.Type() == js.TypeString && m.String() != "" {
			reason = m.String()
		}
		crashed(reason)
	})
	listen("messageerror", func(js.Value) { crashed("its message could not be read") })

	program := "module"
	if studies {
		program = "studiesModule"
	}
	message := js.Global().Get("Object").New()
	message.Set("module", h.boot.Get(program))
	message.Set("lock", lockName())
	p.worker.Call("postMessage", message)
	return p
}

// locks counts the names of lockName.
var locks int

// lockName is a name that no other worker of any page of this origin has.
func lockName() string {
	locks++
	return fmt.Sprintf("batchlab worker %d of %v, %v", locks, js.Global().Get("performance").Get("timeOrigin"), js.Global().Get("Math").Call("random"))
}

// whenFree calls f once, when nobody holds a lock any more. A worker holds one for as
// long as it lives, whatever it is doing, and the browser takes it away when it ends:
// so a dead one is known at once, and a busy one is never taken for dead.
func whenFree(lock string, f func()) {
	var free js.Func
	free = js.FuncOf(func(js.Value, []js.Value) any {
		free.Release()
		f()
		return nil
	})
	js.Global().Get("navigator").Get("locks").Call("request", lock, free)
}

// Fetch implements pool.Host.
func (h host) Fetch(progress func(got, total int), done func(error)) {
	count := js.FuncOf(func(_ js.Value, args []js.Value) any {
		progress(args[0].Int(), args[1].Int())
		return nil
	})
	end := func(err error) {
		count.Release()
		done(err)
	}
	var came, failed js.Func
	came = js.FuncOf(func(js.Value, []js.Value) any {
		came.Release()
		failed.Release()
		end(nil)
		return nil
	})
	failed = js.FuncOf(func(_ js.Value, args []js.Value) any {
		came.Release()
		failed.Release()
		end(errors.New(args[0].Get("message").String()))
		return nil
	})
	h.boot.Call("fetchStudies", count).Call("then", came, failed)
}

// Copy implements pool.Host.
func (h host) Copy(b pool.Buffer, done func([]byte)) {
	bridge.Pieces(b.(js.Value), func(f func()) { h.After(0, f) }, done)
}

// Size implements pool.Host.
func (host) Size(b pool.Buffer) int { return b.(js.Value).Get("byteLength").Int() }

// Join implements pool.Host. Gzip files follow each other as they are, which is a gzip
// file, too; between others a line ends.
func (host) Join(files []any) any {
	var parts []any
	for _, f := range files {
		if parts = append(parts, f); !strings.HasSuffix(f.(js.Value).Get("name").String(), ".gz") {
			parts = append(parts, "\n")
		}
	}
	return js.Global().Get("Blob").New(parts)
}

// Both implements pool.Host.
func (host) Both(log any, beside []any) any {
	both := js.Global().Get("Object").New()
	if v, ok := log.(js.Value); ok {
		both.Set("log", v)
	}
	list := js.Global().Get("Array").New()
	for _, file := range beside {
		if v, ok := file.(js.Value); ok {
			list.Call("push", v)
		}
	}
	both.Set("beside", list)
	return both
}

// After implements pool.Host.
func (host) After(ms int, f func()) {
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		f()
		return nil
	})
	js.Global().Call("setTimeout", fn, ms)
}

// Now implements pool.Host.
func (host) Now() float64 { return js.Global().Get("performance").Call("now").Float() }

// port is one Worker.
type port struct {
	worker js.Value
	ended  bool
}

// Send implements pool.Port.
func (p *port) Send(head string, buffers []pool.Buffer, file any) {
	list := make([]js.Value, len(buffers))
	for i, b := range buffers {
		list[i] = b.(js.Value)
	}
	blob := js.Undefined()
	if v, ok := file.(js.Value); ok {
		blob = v
	}
	bridge.Post(p.worker, head, list, blob)
}

// Terminate implements pool.Port. Its functions stay: a promise may still
// want to call them, and there are few.
func (p *port) Terminate() {
	p.ended = true
	p.worker.Call("terminate")
}
