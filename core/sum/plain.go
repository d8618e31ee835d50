package sum

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

const block = 64

// Plain is a sum under way. The zero value is not ready for use: see NewPlain.
type Plain struct {
	state [8]uint32
	rest  [block]byte // what does not fill a block yet
	n     int         // bytes of rest
	all   uint64      // bytes in all
}

// NewPlain returns a sum of nothing yet.
func NewPlain() *Plain {
	return &Plain{state: [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}}
}

// Write takes the next bytes; it never fails.
func (h *Plain) Write(b []byte) (int, error) {
	taken := len(b)
	h.all += uint64(taken)
	if h.n > 0 {
		k := copy(h.rest[h.n:], b)
		h.n, b = h.n+k, b[k:]
		if h.n < block {
			return taken, nil
		}
		h.blocks(h.rest[:])
	}
	whole := len(b) &^ (block - 1)
	h.blocks(b[:whole])
	h.n = copy(h.rest[:], b[whole:])
	return taken, nil
}

// Sum returns the sum of all that was written; more may follow.
func (h *Plain) Sum() (sum [Size]byte) {
	last := *h
	var end [block + 8]byte // a bit, zeros, and the length in bits
	end[0] = 0x80
	zeros := (2*block - 9 - last.n) % block
	binary.BigEndian.PutUint64(end[1+zeros:], last.all<<3)
	last.Write(end[:1+zeros+8])
	for i, v := range last.state {
		binary.BigEndian.PutUint32(sum[4*i:], v)
	}
	return sum
}

// head marks a state: the standard library's, which older checkpoints have.
const head = "sha\x03"

// State returns what resumePlain goes on from, 108 bytes.
func (h *Plain) State() []byte {
	b := append(make([]byte, 0, len(head)+Size+block+8), head...)
	for _, v := range h.state {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	b = append(b, h.rest[:h.n]...)
	b = append(b, make([]byte, block-h.n)...)
	return binary.BigEndian.AppendUint64(b, h.all)
}

// resumePlain returns a sum that goes on where State was taken. It fails for bytes that
// are none.
func resumePlain(state []byte) (*Plain, error) {
	if len(state) != len(head)+Size+block+8 || string(state[:len(head)]) != head {
		return nil, errors.New("this is no state of a sum")
	}
	h, at := &Plain{}, len(head)
	for i := range h.state {
		h.state[i] = binary.BigEndian.Uint32(state[at:])
		at += 4
	}
	copy(h.rest[:], state[at:])
	h.all = binary.BigEndian.Uint64(state[at+block:])
	h.n = int(h.all % block)
	return h, nil
}

// blocks takes whole blocks.
func (h *Plain) blocks(p []byte) {
	var w [64]uint32
	a, b, c, d, e, f, g, i := h.state[0], h.state[1], h.state[2], h.state[3], h.state[4], h.state[5], h.state[6], h.state[7]
	for ; len(p) >= block; p = p[block:] {
		for t := range 16 {
			w[t] = binary.BigEndian.Uint32(p[4*t:])
		}
		for t := 16; t < 64; t++ {
			x, y := w[t-2], w[t-15]
			w[t] = (bits.RotateLeft32(x, -17) ^ bits.RotateLeft32(x, -19) ^ x>>10) + w[t-7] +
				(bits.RotateLeft32(y, -7) ^ bits.RotateLeft32(y, -18) ^ y>>3) + w[t-16]
		}
		a0, b0, c0, d0, e0, f0, g0, i0 := a, b, c, d, e, f, g, i
		for t := range 64 {
			t1 := i + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&f ^ ^e&g) + rounds[t] + w[t]
			t2 := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ a&c ^ b&c)
			i, g, f, e, d, c, b, a = g, f, e, d+t1, c, b, a, t1+t2
		}
		a, b, c, d, e, f, g, i = a+a0, b+b0, c+c0, d+d0, e+e0, f+f0, g+g0, i+i0
	}
	h.state = [8]uint32{a, b, c, d, e, f, g, i}
}

// rounds are the first 32 bits of the fractional parts of the cube roots of the first 64
// primes.
var rounds = func() (k [64]uint32) {
	n := 0
	for p := uint64(2); n < len(k); p++ {
		prime := true
		for d := uint64(2); d*d <= p; d++ {
			prime = prime && p%d != 0
		}
		if !prime {
			continue
		}
		// The root times 2³² by bisection: x³ ≤ p·2⁹⁶.
		low, high := uint64(1)<<32, uint64(8)<<32
		for high-low > 1 {
			mid := low + (high-low)/2
			if cubeAtMost(mid, p) {
				low = mid
			} else {
				high = mid
			}
		}
		k[n] = uint32(low)
		n++
	}
	return k
}()

// cubeAtMost says whether x³ is at most p·2⁹⁶, for x below 2³⁶.
func cubeAtMost(x, p uint64) bool {
	high, low := bits.Mul64(x, x)
	h1, l1 := bits.Mul64(low, x)
	h2 := high*x + h1 // bits 64 and up of x³, which has fewer than 128
	return h2 < p<<32 || h2 == p<<32 && l1 == 0
}
