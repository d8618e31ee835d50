// Package shard keeps the results of work that is shared out: each of N shards
// does every N-th item, keeps what it has in a file as it goes, takes that up
// again after a stop at any moment, and leaves one file when it is complete.
// What an item leaves behind is JSON that this package does not look into.
//
// A file is JSON as a whole, and made of lines that can be checked one by one:
// a header, a line for each item with its checksum (CRC-32C), and an end. So a
// torn or damaged line costs that one item, not the file.
package shard

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"batchlab/core/experiment"
)

// Format is the number of the form of shard files. Files of another one are
// refused.
const Format = 1

// MaxShards is how many shards work can be shared out to.
const MaxShards = 4000

// Header says what a shard is of, and what made it. Shards that are merged agree in
// all of it but Shard, and in the engine of what made them.
type Header struct {
	Format  int    `json:"batchlab_shard"`
	Command string `json:"command"` // "run", "search" or "paper"
	experiment.Build
	Identity string          `json:"identity"` // of the experiment, or the key of a preset
	Logs     []string        `json:"logs"`     // SHA-256 of the logs that were given and used
	Options  json.RawMessage `json:"options"`  // what else the results depend on
	Shard    int             `json:"shard"`    // from 1
	Of       int             `json:"of"`
	Items    int             `json:"items"` // of all shards together
	Document json.RawMessage `json:"document"`
}

// Name is the file name of a complete shard.
func Name(i, n int) string { return fmt.Sprintf("shard-%d-of-%d.json", i, n) }

// part is the file name of one that is not complete.
func part(i, n int) string { return Name(i, n) + ".part" }

// Own reports whether an item belongs to the shard.
func (h *Header) Own(item int) bool { return item%h.Of == h.Shard-1 }

// Count is how many items belong to the shard.
func (h *Header) Count() int { return (h.Items - h.Shard + h.Of) / h.Of }

// differs says in what two headers part, "" when they are of the same work.
func (h *Header) differs(o *Header) string {
	switch {
	case h.Format != o.Format:
		return fmt.Sprintf("it is of another version of Batchlab (form %d of shards, here %d)", o.Format, h.Format)
	case h.Command != o.Command:
		return fmt.Sprintf("it is a shard of batchlab %s, not of batchlab %s", o.Command, h.Command)
	case h.Engine != o.Engine:
		return "it is of another version of Batchlab: " + experiment.EnginesApart(o.Engine, h.Engine)
	case h.Identity != o.Identity:
		return fmt.Sprintf("it is of another experiment (identity %s, here %s)", o.Identity, h.Identity)
	case !slices.Equal(h.Logs, o.Logs):
		return fmt.Sprintf("it is of another log (SHA-256 %s, here %s)", list(o.Logs), list(h.Logs))
	case !bytes.Equal(h.Options, o.Options):
		return fmt.Sprintf("it was made with other options (%s, here %s)", o.Options, h.Options)
	case h.Of != o.Of:
		return fmt.Sprintf("it is one of %d shards, not of %d", o.Of, h.Of)
	case h.Items != o.Items:
		return fmt.Sprintf("it is of %d items, not of %d", o.Items, h.Items)
	}
	return ""
}

func list(hashes []string) string {
	if len(hashes) == 0 {
		return "none"
	}
	return strings.Join(hashes, ", ")
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sum(data []byte) []byte { return fmt.Appendf(nil, "%08x", crc32.Checksum(data, castagnoli)) }

const (
	headerStart = `{"crc":"`
	headerMid   = `","header":`
	headerEnd   = `,"items":[`
	lineStart   = `{"item":`
	lineCRC     = `,"crc":"`
	lineData    = `","data":`
	fileEnd     = `],"complete":true}`
)

func (h *Header) line() ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	b := append([]byte(headerStart), sum(text)...)
	b = append(append(b, headerMid...), text...)
	return append(append(b, headerEnd...), '\n'), nil
}

var errDamaged = errors.New("damaged")

// readHeader reads the first line of a file.
func readHeader(line []byte) (*Header, error) {
	rest, ok := bytes.CutPrefix(line, []byte(headerStart))
	if !ok || len(rest) < 8 {
		return nil, errDamaged
	}
	crc, rest := rest[:8], rest[8:]
	text, ok := bytes.CutPrefix(bytes.TrimSuffix(rest, []byte("\n")), []byte(headerMid))
	if text, ok2 := bytes.CutSuffix(text, []byte(headerEnd)); ok && ok2 && bytes.Equal(sum(text), crc) {
		h := &Header{}
		if json.Unmarshal(text, h) == nil && h.Of >= 1 && h.Of <= MaxShards && h.Shard >= 1 && h.Shard <= h.Of {
			return h, nil
		}
	}
	return nil, errDamaged
}

// appendLine appends the line of an item, without the line feed. The sum goes
// over its number, too, so that no line passes for another.
func appendLine(dst []byte, item int, data []byte) []byte {
	start := len(dst)
	dst = strconv.AppendInt(append(dst, lineStart...), int64(item), 10)
	crc := crc32.Checksum(dst[start:], castagnoli)
	dst = fmt.Appendf(append(dst, lineCRC...), "%08x", crc32.Update(crc, castagnoli, data))
	dst = append(append(dst, lineData...), data...)
	return append(dst, '}')
}

// Data takes a line apart and checks it; ok is false where it is damaged. What
// stands around it in the file (comma, line feed) may be there or not.
func Data(line []byte) (item int, data []byte, ok bool) {
	line = bytes.TrimPrefix(bytes.TrimSuffix(line, []byte("\n")), []byte(","))
	if len(line) < len(lineStart)+1 || string(line[:len(lineStart)]) != lineStart || line[len(line)-1] != '}' {
		return 0, nil, false
	}
	at := bytes.IndexByte(line, ',')
	if at < 0 || len(line) < at+len(lineCRC)+8+len(lineData) || string(line[at:at+len(lineCRC)]) != lineCRC {
		return 0, nil, false
	}
	item, err := strconv.Atoi(string(line[len(lineStart):at]))
	from := at + len(lineCRC) + 8
	if err != nil || string(line[from:from+len(lineData)]) != lineData {
		return 0, nil, false
	}
	data = line[from+len(lineData) : len(line)-1]
	crc := crc32.Update(crc32.Checksum(line[:at], castagnoli), castagnoli, data)
	want, err := strconv.ParseUint(string(line[from-8:from]), 16, 32)
	return item, data, err == nil && uint32(want) == crc
}

// piece is where the data of an item stands in a file.
type piece struct {
	at   int64
	size int
}

// Writer does one shard. Its methods may be called by several workers at once.
type Writer struct {
	Header   Header
	Complete bool     // nothing is left to do: the file is there
	Notes    []string // for people: what was damaged and is done again

	dir  string
	mu   sync.Mutex
	file *os.File
	end  int64
	done map[int]piece
}

// Open takes up a shard where it was left, or begins it. A file that is of
// something else is refused and left as it is, and so is a folder of shards that
// could not be merged with this one (Fits).
func Open(dir string, h Header) (*Writer, error) {
	if err := Fits(dir, h); err != nil {
		return nil, err
	}
	h.Format = Format
	w := &Writer{Header: h, dir: dir, done: map[int]piece{}}
	name, begun := filepath.Join(dir, Name(h.Shard, h.Of)), filepath.Join(dir, part(h.Shard, h.Of))
	out, err := create(begun)
	if err != nil {
		return nil, err
	}
	fresh := out.Name()
	defer out.Close()
	head, err := h.line()
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewWriterSize(out, 1<<20)
	buffered.Write(head)
	w.end = int64(len(head))
	for _, path := range []string{name, begun} {
		whole, err := w.take(path, buffered)
		if err != nil {
			os.Remove(fresh)
			return nil, err
		}
		if path == name && whole && len(w.done) == h.Count() {
			w.Complete = true
			return w, tidy(name)
		}
	}
	if err := buffered.Flush(); err != nil {
		return nil, err
	}
	if err := os.Rename(fresh, begun); err != nil {
		return nil, err
	}
	w.file, err = os.OpenFile(begun, os.O_RDWR|os.O_APPEND, 0)
	return w, err
}

// take copies the good lines of a file, if it is there, and reports whether it
// was whole.
func (w *Writer) take(path string, out io.Writer) (whole bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	line, err := in.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	h, err := readHeader(line)
	if err != nil {
		w.Notes = append(w.Notes, path+": damaged at its beginning: it is done again")
		return false, nil
	}
	if why := w.Header.differs(h); why != "" || h.Shard != w.Header.Shard {
		return false, fmt.Errorf("%s is there already: %s; choose another folder, or remove it", path, why)
	}
	bad, ended := 0, false
	for number := 2; ; number++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return false, err
		}
		last := err == io.EOF
		if len(line) > 0 {
			switch item, data, ok := Data(line); {
			case ok && w.Header.Own(item) && item >= 0 && item < w.Header.Items:
				if _, twice := w.done[item]; !twice {
					if err := w.put(out, item, data); err != nil {
						return false, err
					}
				}
			case string(line) == fileEnd+"\n":
				ended = true
			default:
				bad++
			}
		}
		if last {
			break
		}
	}
	if bad > 0 {
		w.Notes = append(w.Notes, fmt.Sprintf("%s: %d of its lines are damaged: what they held is done again", path, bad))
	}
	return ended && bad == 0, nil
}

// put writes a line at the end and notes where it is.
func (w *Writer) put(out io.Writer, item int, data []byte) error {
	line := make([]byte, 0, len(data)+64)
	if len(w.done) > 0 {
		line = append(line, ',')
	}
	line = append(appendLine(line, item, data), '\n')
	if _, err := out.Write(line); err != nil {
		return err
	}
	w.done[item] = piece{w.end, len(line)}
	w.end += int64(len(line))
	return nil
}

// Done reports whether an item has its result.
func (w *Writer) Done(item int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, done := w.done[item]
	return done
}

// Add keeps what an item left behind: JSON in one line.
func (w *Writer) Add(item int, data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, twice := w.done[item]; twice {
		return nil
	}
	return w.put(w.file, item, data)
}

// onDisk waits until a file will survive a power cut. Tests do without.
var onDisk = (*os.File).Sync

// Finish writes the complete shard, in order of items, in the place of what was
// begun. Every item of the shard must be there.
func (w *Writer) Finish() error {
	if w.Complete {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.done) != w.Header.Count() {
		return fmt.Errorf("shard %d of %d: %d of %d items are done", w.Header.Shard, w.Header.Of, len(w.done), w.Header.Count())
	}
	path := filepath.Join(w.dir, Name(w.Header.Shard, w.Header.Of))
	out, err := create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	head, err := w.Header.line()
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(out, 1<<20)
	buffered.Write(head)
	var line []byte
	first := true
	for item := w.Header.Shard - 1; item < w.Header.Items; item += w.Header.Of {
		p := w.done[item]
		line = slices.Grow(line[:0], p.size)[:p.size]
		if _, err := w.file.ReadAt(line, p.at); err != nil {
			return err
		}
		got, data, ok := Data(line)
		if !ok || got != item {
			return fmt.Errorf("%s: what was written cannot be read back", w.file.Name())
		}
		if !first {
			buffered.WriteByte(',')
		}
		first = false
		buffered.Write(append(appendLine(nil, item, data), '\n'))
	}
	buffered.WriteString(fileEnd + "\n")
	if err := buffered.Flush(); err != nil {
		return err
	}
	if err := onDisk(out); err != nil {
		return err
	}
	if err := os.Rename(out.Name(), path); err != nil {
		return err
	}
	w.Complete = true
	w.file.Close()
	return tidy(path)
}

// create makes a file that is to take the place of another one, under a name
// that nobody else has: where a cluster gives up on a node that still works, two
// may do the same shard at once. Each writes files of its own, both the same.
func create(path string) (*os.File, error) {
	name := fmt.Sprintf("%s.new-%d-%d", path, os.Getpid(), time.Now().UnixNano())
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

// tidy removes what is left of a complete shard's beginnings.
func tidy(path string) error {
	names, err := filepath.Glob(escape(path) + ".*")
	for _, name := range names {
		if err2 := os.Remove(name); err2 != nil && !errors.Is(err2, fs.ErrNotExist) {
			err = err2
		}
	}
	return err
}

// Check says whether a folder has a shard that is complete and undamaged.
func Check(dir string, h Header) (bool, error) {
	h.Format = Format
	w := &Writer{Header: h, done: map[int]piece{}}
	whole, err := w.take(filepath.Join(dir, Name(h.Shard, h.Of)), io.Discard)
	return whole && len(w.done) == h.Count(), err
}

// Close leaves the shard as it is, to be taken up again.
func (w *Writer) Close() error {
	if w.Complete {
		return nil
	}
	return w.file.Close()
}
