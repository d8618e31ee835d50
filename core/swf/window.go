package swf

import (
	"bytes"
	"io"
)

// Bytes of a file that are asked for at a time, and the least that a reader is given room
// for.
const (
	pieceBytes = 1 << 20
	slack      = 16
)

// Window is a file of which only a part is held at a time. Whoever reads takes from the
// front of Data and asks for More; what it holds of Data is gone then.
type Window struct {
	Data []byte // held, and not taken yet
	Size int64  // bytes of the whole file by which room is made, 0: not known
	from io.Reader
	buf  []byte
	err  error
}

// Whole is a file all of which is held.
func Whole(data []byte) *Window { return &Window{Data: data, Size: int64(len(data))} }

// NewWindow is a file that comes from a reader; size as in Window.
func NewWindow(from io.Reader, size int64) *Window { return &Window{from: from, Size: size} }

// More holds more behind what Data holds: as much again at least, so that whoever begins
// anew with a longer Data looks at no byte more than twice. false: there is no more.
func (w *Window) More() bool {
	held := len(w.Data)
	if w.from == nil {
		return false
	}
	if want := held + max(held, pieceBytes) + slack; len(w.buf) < want {
		buf := make([]byte, want)
		copy(buf, w.Data)
		w.buf = buf
	} else {
		copy(w.buf, w.Data)
	}
	n := held
	for n == held || n < 2*held {
		k, err := w.from.Read(w.buf[n:])
		n += k
		if err != nil {
			if w.from = nil; err != io.EOF {
				w.err = err
			}
			break
		}
	}
	w.Data = w.buf[:n]
	return n > held
}

// Err is why reading ended early, nil where the file has ended by itself.
func (w *Window) Err() error { return w.err }

// Head returns the first bytes of Data, so many where the file has them, and takes none.
func (w *Window) Head(n int) []byte {
	for len(w.Data) < n && w.More() {
	}
	return w.Data[:min(n, len(w.Data))]
}

// All holds the rest of the file.
func (w *Window) All() []byte {
	for w.More() {
	}
	return w.Data
}

// lines holds at least a whole line, or what is left of the file, and returns how much of
// Data are whole lines: up to behind the last end of one of which no byte may follow.
func (w *Window) lines() int {
	for {
		if w.from == nil {
			return len(w.Data)
		}
		if i := bytes.LastIndexByte(w.Data, '\n'); i >= 0 {
			return i + 1
		}
		if i := bytes.LastIndexByte(w.Data[:max(0, len(w.Data)-1)], '\r'); i >= 0 {
			return i + 1
		}
		w.More()
	}
}
