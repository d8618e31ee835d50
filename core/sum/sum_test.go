package sum

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"math/rand/v2"
	"testing"
)

// A sum that is one bit off would change every digest and every random stream: of bytes
// of all lengths around the edges of blocks, written in pieces of any size and taken up
// again in between, it is the standard library's, and so is the state.
func TestIsTheStandards(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 2000 {
		size := n
		if n > 400 {
			size = r.IntN(10_000)
		}
		b := make([]byte, size)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		p := NewPlain()
		p.Write(b)
		if want := sha256.Sum256(b); Of(b) != want || p.Sum() != want {
			t.Fatalf("the sum of %d bytes differs", size)
		}
		h, std := NewPlain(), sha256.New()
		for rest := b; len(rest) > 0; {
			k := 1 + r.IntN(min(len(rest), 200))
			h.Write(rest[:k])
			std.Write(rest[:k])
			rest = rest[k:]
			state, _ := std.(encoding.BinaryMarshaler).MarshalBinary()
			if !bytes.Equal(h.State(), state) {
				t.Fatal("the state differs")
			}
			again, err := resumePlain(state)
			if err != nil {
				t.Fatal(err)
			}
			h = again
		}
		if sum := h.Sum(); !bytes.Equal(sum[:], std.Sum(nil)) {
			t.Fatalf("the sum of %d bytes in pieces differs", size)
		}
	}
}

// What is no state is refused, not taken up.
func TestResumeRefuses(t *testing.T) {
	good := NewPlain().State()
	for _, b := range [][]byte{nil, good[1:], append([]byte{'x'}, good[1:]...), append(good[:len(good):len(good)], 0)} {
		if _, err := Resume(b); err == nil {
			t.Errorf("%d bytes are taken", len(b))
		}
		if _, err := resumePlain(b); err == nil {
			t.Errorf("%d bytes are taken", len(b))
		}
	}
}

func BenchmarkSum(b *testing.B) {
	data := make([]byte, 1<<20)
	b.Run("plain", func(b *testing.B) {
		b.SetBytes(1 << 20)
		for b.Loop() {
			NewPlain().Write(data)
		}
	})
	b.Run("standard", func(b *testing.B) {
		b.SetBytes(1 << 20)
		for b.Loop() {
			sha256.Sum256(data)
		}
	})
}
