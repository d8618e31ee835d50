package model

import (
	"encoding/binary"
	"math/rand/v2"

	"batchlab/core/sum"
)

// Stream returns the named stream of random numbers that belongs to an
// experiment's seed and a repetition (from 0). Streams are independent: a new
// consumer with a name of its own disturbs no other. PCG gives the same
// numbers on every machine.
func Stream(seed uint64, name string, repetition int) *rand.Rand {
	b := make([]byte, 16, 16+len(name))
	binary.LittleEndian.PutUint64(b, seed)
	binary.LittleEndian.PutUint64(b[8:], uint64(repetition))
	h := sum.Of(append(b, name...))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:]), binary.LittleEndian.Uint64(h[8:])))
}
