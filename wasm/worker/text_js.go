package worker

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"syscall/js"

	"batchlab/core/report"
	"batchlab/core/sum"
	"batchlab/core/swf"
	"batchlab/wasm/bridge"
)

// Limits of what is read, in bytes.
const (
	maxText = 1 << 30 // of a text that is held as a whole, here or by the browser for its hash
	maxRoom = 1 << 29 // of a text for whose rows room is made beforehand
)

var (
	errDamaged = errors.New("a damaged gzip file") // that the browser cannot unpack
	errEnough  = errors.New("no more is wanted")   // of the file
)

// pieces are a file's text, which comes piece by piece.
type pieces struct {
	from  js.Value // of batchlabOpen
	parts js.Value // that have come
	next  int      // the first of parts with something left
	given int      // bytes so far
	lines float64  // for each byte of the first piece
	watch func(done, total int) bool
	file  js.Value
}

func openText(file js.Value, watch func(done, total int) bool) (*pieces, error) {
	from, err := bridge.Await(js.Global().Call("batchlabOpen", file, maxText))
	if err != nil {
		return nil, cannotRead(err)
	}
	return &pieces{from: from, parts: js.Global().Get("Array").New(), watch: watch, file: file}, nil
}

func cannotRead(err error) error {
	return fmt.Errorf("the file cannot be read (%w): it may have been moved or changed since it was chosen", err)
}

// Read implements io.Reader. Between pieces it says how far it is, and ends when the
// request was cancelled or memory runs out.
func (t *pieces) Read(p []byte) (int, error) {
	for t.next == t.parts.Length() {
		if !t.watch(t.from.Get("at").Int(), t.file.Get("size").Int()) {
			return 0, errCancelled
		}
		if most := mostMemory() * 15 / 32; t.given > 0 && used(most) > most { // what is made of it needs as much again
			return 0, failure{bridge.CodeMemory, fmt.Sprintf("after %d MB of its text, about %.0f lines, the log takes up %.1f GB of memory, about as much as a browser gives: use the command line (batchlab run), which has all memory of the computer, or a part of the file", t.given/1e6, float64(t.given)*t.lines, most/1e9)}
		}
		parts, err := bridge.Await(t.from.Call("next"))
		switch {
		case err != nil && t.from.Get("packed").Bool():
			return 0, errDamaged
		case err != nil:
			return 0, cannotRead(err)
		case parts.IsNull():
			return 0, io.EOF
		}
		t.parts, t.next = parts, 0
	}
	part := t.parts.Index(t.next)
	n := js.CopyBytesToGo(p, part)
	if n < part.Length() {
		t.parts.SetIndex(t.next, part.Call("subarray", n))
	} else {
		t.next++
	}
	if t.given == 0 {
		t.lines = float64(bytes.Count(p[:n], []byte{'\n'})) / float64(n)
	}
	t.given += n
	return n, nil
}

// hash returns the SHA-256 of the text, all of which has been read.
func (t *pieces) hash() (string, error) {
	got, err := bridge.Await(t.from.Call("hash"))
	if err == nil && got.String() != "" {
		return got.String(), nil
	}
	again, err := openText(t.file, t.watch) // the browser has not kept it
	if err != nil {
		return "", err
	}
	h := sum.New()
	if _, err := io.Copy(h, again); err != nil {
		return "", err
	}
	all := h.Sum()
	return hex.EncodeToString(all[:]), nil
}

// readFile has f read a file's text, unpacked, and returns its SHA-256 and length. What
// the browser cannot unpack is tried here, which can say what is wrong.
func readFile(file js.Value, watch func(done, total int) bool, f func(*swf.Window) error) (hash string, size int, err error) {
	t, err := openText(file, watch)
	if err != nil {
		return "", 0, err
	}
	defer t.from.Call("close")
	table := (*report.Table)(nil)
	if err = f(swf.NewWindow(t, int64(min(t.from.Get("size").Int(), maxRoom)))); errors.Is(err, errDamaged) {
		return readDamaged(file, f)
	}
	if err != nil && !errors.As(err, &table) {
		return "", 0, err
	}
	if _, rest := io.Copy(io.Discard, t); errors.Is(rest, errDamaged) {
		return readDamaged(file, f)
	} else if rest != nil {
		return "", 0, rest
	}
	hash, fault := t.hash()
	if fault != nil {
		return "", 0, fault
	}
	return hash, t.given, err
}

// readDamaged is readFile of a gzip file that the browser does not unpack.
func readDamaged(file js.Value, f func(*swf.Window) error) (hash string, size int, err error) {
	packed, err := bridge.Await(file.Call("arrayBuffer"))
	if err != nil {
		return "", 0, cannotRead(err)
	}
	text, err := swf.Gunzip(bridge.FromJS(packed), maxText)
	if err != nil {
		return "", 0, err
	}
	sum := sum.Of(text)
	return hex.EncodeToString(sum[:]), len(text), f(swf.Whole(text))
}

// readText reads all of a file's text, unpacked, and its SHA-256.
func readText(file js.Value) (text []byte, hash string, err error) {
	hash, _, err = readFile(file, func(int, int) bool { return true }, func(w *swf.Window) error {
		text = w.Head(maxText + 1)
		if len(text) > maxText && w.Err() == nil {
			return failure{bridge.CodeMemory, fmt.Sprintf("the file's text is longer than %d GB", maxText>>30)}
		}
		return w.Err()
	})
	return text, hash, err
}
