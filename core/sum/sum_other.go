//go:build !js

package sum

import (
	"crypto/sha256"
	"encoding"
	"hash"
)

// Hash is a sum under way.
type Hash struct{ h hash.Hash }

// New returns a sum of nothing yet.
func New() *Hash { return &Hash{sha256.New()} }

// Write takes the next bytes; it never fails.
func (h *Hash) Write(b []byte) (int, error) { return h.h.Write(b) }

// Sum returns the sum of all that was written; more may follow.
func (h *Hash) Sum() (sum [Size]byte) {
	h.h.Sum(sum[:0])
	return sum
}

// State returns what Resume goes on from, 108 bytes.
func (h *Hash) State() []byte {
	state, err := h.h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		panic(err) // only a hash of another kind could fail
	}
	return state
}

// Resume returns a sum that goes on where State was taken. It fails for bytes that are
// none.
func Resume(state []byte) (*Hash, error) {
	h := New()
	return h, h.h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state)
}
