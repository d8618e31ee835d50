package experiment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// PackBlock appends a run's block (AppendRun) in a form of about a sixth of its
// size, to keep or to send; UnpackBlock gives it back. A text or bytes that are
// no block are refused.
//
// The form: the key's length and the key, repetition and number of executions,
// then of each execution the step of its number (doubled, plus one when attempt
// and cluster follow), the step of its submission, wait and duration; varints as
// in Protocol Buffers, all but lengths and counts zigzag.
func PackBlock(dst, block []byte) ([]byte, error) {
	if len(block) < 4 {
		return dst, errBlock
	}
	n := int(binary.LittleEndian.Uint32(block))
	if n > len(block)-20 {
		return dst, errBlock
	}
	key, rest := block[4:4+n], block[4+n:]
	word := func(i int) int64 { return int64(binary.LittleEndian.Uint64(rest[8*i:])) }
	if count := word(1); count < 0 || int64(len(rest)-16) != count*digestRowSize {
		return dst, errBlock
	}
	dst = append(binary.AppendUvarint(dst, uint64(n)), key...)
	dst = binary.AppendUvarint(dst, uint64(word(0)))
	dst = binary.AppendUvarint(dst, uint64(word(1)))
	var last DigestRow
	for i := 2; i < len(rest)/8; i += 6 {
		r := DigestRow{word(i), word(i + 1), word(i + 2), word(i + 3), word(i + 4), word(i + 5)}
		step, more := r.Number-last.Number, uint64(0)
		if r.Attempt != 0 || r.Cluster != 0 {
			more = 1
		}
		if step<<2>>2 != step { // of a number beyond what documents and logs may hold
			return dst, errBlock
		}
		dst = binary.AppendUvarint(dst, (uint64(step<<1)^uint64(step>>63))<<1|more)
		dst = binary.AppendVarint(dst, r.Submit-last.Submit)
		dst = binary.AppendVarint(dst, r.Start-r.Submit)
		dst = binary.AppendVarint(dst, r.End-r.Start)
		if more == 1 {
			dst = binary.AppendVarint(dst, r.Attempt)
			dst = binary.AppendVarint(dst, r.Cluster)
		}
		last = r
	}
	return dst, nil
}

var errBlock = errors.New("a run's part of the digest is damaged")

// UnpackBlock appends the block that PackBlock packed.
func UnpackBlock(dst, packed []byte) ([]byte, error) {
	from, ok := len(dst), true
	count := func() uint64 {
		v, n := binary.Uvarint(packed)
		if n <= 0 {
			ok = false
			return 0
		}
		packed = packed[n:]
		return v
	}
	n := count()
	if !ok || n > uint64(len(packed)) {
		return dst, errBlock
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	dst = append(dst, packed[:n]...)
	packed = packed[n:]
	repetition, rows := count(), count()
	if !ok || rows > uint64(len(packed)/4) { // a row has at least four bytes
		return dst[:from], errBlock
	}
	dst = slices.Grow(dst, 16+int(rows)*digestRowSize)
	dst = binary.LittleEndian.AppendUint64(dst, repetition)
	dst = binary.LittleEndian.AppendUint64(dst, rows)
	signed := func() int64 {
		v := count()
		return int64(v>>1) ^ -int64(v&1)
	}
	var r DigestRow
	for range rows {
		step := count()
		more := step&1 == 1
		step >>= 1
		r.Number += int64(step>>1) ^ -int64(step&1)
		r.Submit += signed()
		r.Start = r.Submit + signed()
		r.End = r.Start + signed()
		if r.Attempt, r.Cluster = 0, 0; more {
			r.Attempt = signed()
			r.Cluster = signed()
		}
		dst = r.append(dst)
	}
	if !ok || len(packed) > 0 {
		return dst[:from], fmt.Errorf("%w: it is not as long as it says", errBlock)
	}
	return dst, nil
}

// BlockRows returns the executions of a block, in its order.
func BlockRows(block []byte) []DigestRow {
	n := int(binary.LittleEndian.Uint32(block))
	rest := block[4+n+16:]
	rows := make([]DigestRow, len(rest)/digestRowSize)
	for i := range rows {
		var v [6]int64
		for k := range v {
			v[k] = int64(binary.LittleEndian.Uint64(rest[i*digestRowSize+8*k:]))
		}
		rows[i] = DigestRow{v[0], v[1], v[2], v[3], v[4], v[5]}
	}
	return rows
}

// AppendTraceRun appends what a trace is made of in the form of a block, which
// has no key and keeps the order, so that it can be packed.
func AppendTraceRun(dst []byte, r TraceRun) []byte {
	dst = append(dst, make([]byte, 4+8)...)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.Count))
	for i := range r.Count {
		dst = r.Row(i).append(dst)
	}
	return dst
}
