//go:build js && wasm

// Package worker is a worker's half of the program: it reads logs, simulates and
// hashes, one request of package bridge after the other. It keeps the last log
// and the last prepared experiment, so that further runs of the same start at
// once.
package worker

import (
	"errors"
	"fmt"
	"runtime/debug"
	"syscall/js"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/workload"
	"batchlab/wasm/bridge"
)

// Times between looks at the messages, and between news of progress.
const (
	yieldEvery  = 50 * time.Millisecond
	reportEvery = 100 * time.Millisecond
)

// memoryLimit is where the collector begins to work hard, in bytes. WebAssembly
// ends at 4 GiB.
const memoryLimit = 3 << 30

// Main answers the page until the worker is ended.
func Main() {
	debug.SetMemoryLimit(memoryLimit)
	w := &worker{self: js.Global(), wake: make(chan struct{}, 1), cancelled: map[int]bool{}}
	w.openChannel()
	early := w.self.Get("batchlabInbox")
	w.self.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.receive(args[0].Get("data"))
		return nil
	}))
	for i := range early.Length() {
		w.receive(early.Index(i))
	}
	for {
		m, ok := w.next()
		if !ok {
			<-w.wake
			continue
		}
		w.answer(m)
	}
}

// message is a request with what came along.
type message struct {
	bridge.Request
	buffers []js.Value
	file    js.Value // of the log
	beside  js.Value // of annotations and of predictions, and behind them the logs of points: a list
}

type worker struct {
	self      js.Value
	queue     []message
	wake      chan struct{} // something was queued
	cancelled map[int]bool  // requests to give up, by ID
	stopped   bool          // the study under way should do no more pieces
	given     []message     // to a study under way
	pingPort  js.Value
	pong      chan struct{}
	cache     cache
}

// receive takes a message from the page. It runs between two turns of the
// program, so it only notes what is asked.
func (w *worker) receive(data js.Value) {
	head, buffers, file, ok := bridge.Open(data)
	if !ok {
		return
	}
	q, err := bridge.DecodeRequest([]byte(head))
	if err != nil {
		js.Global().Get("console").Call("error", err.Error())
		return
	}
	m := message{Request: q, buffers: buffers, file: file}
	if file.Truthy() && file.Get("beside").Truthy() {
		m.file, m.beside = file.Get("log"), file.Get("beside")
	}
	switch q.Kind {
	case bridge.Cancel:
		w.cancelled[q.ID] = true
	case bridge.Stop:
		w.stopped = true
	case bridge.Give:
		w.given = append(w.given, m)
	default:
		w.queue = append(w.queue, m)
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *worker) next() (message, bool) {
	if len(w.queue) == 0 {
		return message{}, false
	}
	m := w.queue[0]
	w.queue = w.queue[1:]
	return m, true
}

// openChannel makes the channel that yield pings through: of all ways to let
// messages in, it is the only one that costs microseconds.
func (w *worker) openChannel() {
	channel := js.Global().Get("MessageChannel").New()
	w.pingPort = channel.Get("port1")
	w.pong = make(chan struct{}, 1)
	channel.Get("port2").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		w.pong <- struct{}{}
		return nil
	}))
}

// yield lets messages in.
func (w *worker) yield() {
	w.pingPort.Call("postMessage", 0)
	<-w.pong
}

// failure is an error with a code of package bridge.
type failure struct {
	code string
	text string
}

func (f failure) Error() string { return f.text }

// answer does one request and posts its result or error. A panic of the
// simulator becomes an error; the page replaces the worker then.
func (w *worker) answer(m message) {
	reply, buffers, err := func() (reply bridge.Reply, buffers []js.Value, err error) {
		defer func() {
			if x := recover(); x != nil {
				js.Global().Get("console").Call("error", fmt.Sprintf("%v\n%s", x, debug.Stack()))
				err = failure{bridge.CodePanic, fmt.Sprintf("the simulator failed: %v. This is a fault of Batchlab: please report it with the link of this experiment", x)}
			}
		}()
		if w.cancelled[m.ID] {
			return reply, nil, errCancelled
		}
		return w.do(m)
	}()
	delete(w.cancelled, m.ID)
	reply.Kind, reply.ID = bridge.Result, m.ID
	if err != nil {
		reply = bridge.Reply{Kind: bridge.Failure, ID: m.ID, Error: err.Error()}
		for _, f := range experiment.Faults(err) {
			reply.Faults = append(reply.Faults, bridge.Fault{Path: f.Path, Message: f.Message, Code: string(f.Code)})
		}
		if f := (failure{}); errors.As(err, &f) {
			reply.Code = f.code
		} else if errors.Is(err, lab.ErrCancelled) {
			reply.Code = bridge.CodeCancelled
		} else if errors.Is(err, workload.ErrMachine) {
			reply.Code = bridge.CodeMachine
		} else if errors.As(err, &reply.Table) {
			reply.Code = bridge.CodeTable
		} else if errors.Is(err, lab.ErrStudies) {
			reply.Code = bridge.CodeStudies
		}
		buffers = nil
	}
	bridge.Post(w.self, bridge.Encode(reply), buffers, js.Undefined())
}

var errCancelled = failure{bridge.CodeCancelled, "cancelled"}

// watch returns a function for lab.Options.Progress: it reports progress (but none of a
// total of 0), lets messages in, and says whether to go on.
func (w *worker) watch(id int) func(done, total int) bool {
	yielded, reported := time.Now(), time.Now()
	return func(done, total int) bool {
		now := time.Now()
		if now.Sub(yielded) < yieldEvery {
			return true
		}
		w.yield()
		yielded = time.Now()
		if total > 0 && now.Sub(reported) >= reportEvery {
			reported = now
			bridge.Post(w.self, bridge.Encode(bridge.Reply{Kind: bridge.Progress, ID: id, Done: done, Total: total}), nil, js.Undefined())
		}
		return !w.cancelled[id]
	}
}
