package experiment

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"batchlab/core/order"
	"batchlab/core/sum"
)

// DigestPrefix opens the bytes that a digest is made of.
const DigestPrefix = "batchlab-digest-1\n"

// DigestRow is one execution in a digest.
type DigestRow struct {
	Number  int64 // the job's number in the log
	Attempt int64 // from 0
	Submit  int64 // seconds
	Start   int64 // seconds; −1 for a rejected job
	End     int64 // seconds
	Cluster int64 // index
}

const digestRowSize = 6 * 8

// AppendRun appends one run's part of a digest to dst: the scheduler's key
// with its length, the repetition (from 0), the number of executions, and each
// execution in order of (job number, attempt). row gives the i-th of count
// executions; when they come in another order, they are sorted here.
// Allocates nothing beyond dst when they come in order.
func AppendRun(dst []byte, key string, repetition, count int, row func(i int) DigestRow) []byte {
	dst = appendRunHead(slices.Grow(dst, RunSize(key, count)), key, repetition, count)
	start, last, sorted := len(dst), DigestRow{}, true
	for i := range count {
		r := row(i)
		sorted = sorted && (i == 0 || compareRows(last, r) <= 0)
		last = r
		dst = r.append(dst)
	}
	if sorted {
		return dst
	}
	rows := make([]DigestRow, count)
	for i := range rows {
		rows[i] = row(i)
	}
	order.Sort(rows, compareRows)
	dst = dst[:start]
	for _, r := range rows {
		dst = r.append(dst)
	}
	return dst
}

// RunSize is how many bytes AppendRun appends.
func RunSize(key string, count int) int { return 4 + len(key) + 16 + count*digestRowSize }

func appendRunHead(dst []byte, key string, repetition, count int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(key)))
	dst = append(dst, key...)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(repetition))
	return binary.LittleEndian.AppendUint64(dst, uint64(count))
}

// CopyRun returns a run's part of a digest as that of another repetition.
func CopyRun(block []byte, repetition int) []byte {
	c := slices.Clone(block)
	copy(c, RunHead(c, repetition))
	return c
}

// RunHead returns how the part of another repetition begins that is otherwise the
// same; the rest of the block follows it. The block's first RunHeadSize bytes
// are enough.
func RunHead(block []byte, repetition int) []byte {
	at := 4 + int(binary.LittleEndian.Uint32(block))
	return binary.LittleEndian.AppendUint64(slices.Clone(block[:at]), uint64(repetition))
}

// RunHeadSize is more than the length and the bytes of any scheduler's key take,
// with the repetition.
const RunHeadSize = 256

func (r DigestRow) append(dst []byte) []byte {
	for _, v := range [...]int64{r.Number, r.Attempt, r.Submit, r.Start, r.End, r.Cluster} {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(v))
	}
	return dst
}

// compareRows orders by job number and attempt. Logs that use a number twice
// fall back on the rest, so that the digest depends on no other order.
func compareRows(a, b DigestRow) int {
	return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Attempt, b.Attempt), cmp.Compare(a.Submit, b.Submit),
		cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Cluster, b.Cluster))
}

// Digest returns the digest of an experiment's runs in hexadecimal: SHA-256
// over DigestPrefix and the runs' blocks (AppendRun) in order: by point, then
// by scheduler, then by repetition.
func Digest(blocks ...[]byte) string {
	d := NewDigester()
	for _, b := range blocks {
		d.Add(b)
	}
	return d.Sum()
}

// Digester makes a digest of blocks that come one after the other, so that
// nobody needs to keep those of a long sweep.
type Digester struct{ h *sum.Hash }

// NewDigester returns a digester that has seen no block.
func NewDigester() *Digester {
	d := &Digester{sum.New()}
	d.Add([]byte(DigestPrefix))
	return d
}

// Add takes the next block.
func (d *Digester) Add(block []byte) { d.h.Write(block) }

// WriteRun writes what AppendRun would append, without holding more than a piece of it
// where the rows come in order.
func WriteRun(write func(part []byte), key string, repetition, count int, row func(i int) DigestRow) {
	for i := 1; i < count; i++ {
		if compareRows(row(i-1), row(i)) > 0 {
			write(AppendRun(nil, key, repetition, count, row))
			return
		}
	}
	const piece = 1 << 16
	b := appendRunHead(nil, key, repetition, count)
	for i := range count {
		if len(b) > piece {
			write(b)
			b = b[:0]
		}
		b = row(i).append(b)
	}
	write(b)
}

// Sum returns the digest of the blocks until now in hexadecimal.
func (d *Digester) Sum() string {
	h := d.h.Sum()
	return hex.EncodeToString(h[:])
}

// State returns what ResumeDigester goes on from, about a hundred bytes:
// another worker, or this program after a stop, takes the blocks that follow.
func (d *Digester) State() []byte { return d.h.State() }

// ResumeDigester returns a digester that goes on where State was taken.
func ResumeDigester(state []byte) (*Digester, error) {
	h, err := sum.Resume(state)
	if err != nil {
		return nil, fmt.Errorf("the state of a digest is damaged: %w", err)
	}
	return &Digester{h}, nil
}
