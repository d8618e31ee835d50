package bridge

import "syscall/js"

var uint8Array = js.Global().Get("Uint8Array")

// ToJS copies packed memory into a new ArrayBuffer.
func (p Packed) ToJS() js.Value {
	array := uint8Array.New(p.Size())
	p.Each(func(at int, part []byte) {
		if len(part) > 0 {
			js.CopyBytesToJS(array.Call("subarray", at, at+len(part)), part)
		}
	})
	return array.Get("buffer")
}

// BytesToJS copies bytes into a new ArrayBuffer.
func BytesToJS(b []byte) js.Value {
	array := uint8Array.New(len(b))
	js.CopyBytesToJS(array, b)
	return array.Get("buffer")
}

// Sink takes bytes piece by piece into a new ArrayBuffer of so many.
func Sink(size int) (write func(part []byte), buffer func() js.Value) {
	array, at := uint8Array.New(size), 0
	write = func(part []byte) {
		js.CopyBytesToJS(array.Call("subarray", at, at+len(part)), part)
		at += len(part)
	}
	return write, func() js.Value { return array.Get("buffer") }
}

// FromJS copies an ArrayBuffer into Go memory that begins on a multiple of
// eight.
func FromJS(buffer js.Value) []byte {
	array := uint8Array.New(buffer)
	b := Aligned(array.Length())
	js.CopyBytesToGo(b, array)
	return b
}

// piece is how much Pieces copies at a time: about 5 ms where the memory is
// touched for the first time.
const piece = 1 << 20

// Pieces is FromJS for the page's thread: it copies a piece, lets later call
// it again, and calls done with the whole.
func Pieces(buffer js.Value, later func(func()), done func([]byte)) {
	array := uint8Array.New(buffer)
	b := Aligned(array.Length())
	at := 0
	var next func()
	next = func() {
		end := min(at+piece, len(b))
		js.CopyBytesToGo(b[at:end], array.Call("subarray", at, end))
		if at = end; at < len(b) {
			later(next)
			return
		}
		done(b)
	}
	next()
}

// Post sends a message to a worker or, from one, to the page. The memory of
// buffers moves with it; file is a Blob or undefined.
func Post(to js.Value, head string, buffers []js.Value, file js.Value) {
	list := js.Global().Get("Array").New(len(buffers))
	for i, b := range buffers {
		list.SetIndex(i, b)
	}
	message := js.Global().Get("Object").New()
	message.Set("head", head)
	message.Set("buffers", list)
	if file.Truthy() {
		message.Set("file", file)
	}
	to.Call("postMessage", message, list)
}

// Open takes a message apart. ok is false when it is none of ours.
func Open(message js.Value) (head string, buffers []js.Value, file js.Value, ok bool) {
	if message.Type() != js.TypeObject || message.Get("head").Type() != js.TypeString {
		return "", nil, js.Undefined(), false
	}
	list := message.Get("buffers")
	if list.Type() == js.TypeObject {
		buffers = make([]js.Value, list.Length())
		for i := range buffers {
			buffers[i] = list.Index(i)
		}
	}
	return message.Get("head").String(), buffers, message.Get("file"), true
}

// Await waits for a promise. It must not be called from within a callback of
// the browser.
func Await(promise js.Value) (value js.Value, err error) {
	type settled struct {
		value js.Value
		err   error
	}
	done := make(chan settled, 1)
	yes := js.FuncOf(func(_ js.Value, args []js.Value) any {
		v := js.Undefined()
		if len(args) > 0 {
			v = args[0]
		}
		done <- settled{value: v}
		return nil
	})
	no := js.FuncOf(func(_ js.Value, args []js.Value) any {
		reason := js.Undefined()
		if len(args) > 0 {
			reason = args[0]
		}
		done <- settled{err: js.Error{Value: reason}}
		return nil
	})
	defer yes.Release()
	defer no.Release()
	promise.Call("then", yes, no)
	s := <-done
	return s.value, s.err
}
