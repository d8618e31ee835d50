// Package sum is SHA-256 (FIPS 180-4): the sums by which documents, logs, boards and
// results are identified, and random streams get their seeds. Natively it is that of the
// standard library, which processors help. In the browser that one would bring ciphers
// and their self-tests along, a hundredth of the page's download of which nothing is
// used: there it is Plain. TestIsTheStandards holds the two together.
package sum

// Size is the length of a sum in bytes.
const Size = 32

// Of returns the sum of some bytes.
func Of(b []byte) [Size]byte {
	h := New()
	h.Write(b)
	return h.Sum()
}
