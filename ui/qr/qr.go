// Package qr makes QR codes (ISO/IEC 18004, model 2) of texts up to 2,953
// bytes: byte mode, error correction level L, the smallest version that fits
// and the mask with the lowest penalty.
package qr

import (
	"errors"
	"strconv"
	"strings"
)

// MaxBytes is the length of the longest text.
const MaxBytes = 2953

// ErrTooLong says that a text does not fit into any QR code.
var ErrTooLong = errors.New("qr: more than 2,953 bytes")

// Code is a QR code: Size × Size modules, without the quiet zone of four
// modules that belongs around it.
type Code struct {
	Size  int
	dark  []bool
	fixed []bool // patterns and format, which no mask touches
}

// Error correction at level L by version − 1: codewords a block, and blocks.
var (
	checkWords = [40]int{7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30}
	blocks     = [40]int{1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25}
)

// Encode returns the code of a text.
func Encode(text string) (*Code, error) {
	for version := 1; version <= 40; version++ {
		if len(text) <= capacity(version) {
			return draw(version, interleave(version, pack(version, text))), nil
		}
	}
	return nil, ErrTooLong
}

// Dark reports whether the module in column x and row y is dark; outside the
// code none is.
func (c *Code) Dark(x, y int) bool {
	return x >= 0 && y >= 0 && x < c.Size && y < c.Size && c.dark[y*c.Size+x]
}

// Path returns the dark modules as an SVG path of unit squares, row by row.
func (c *Code) Path() string {
	var b strings.Builder
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			from := x
			for c.Dark(x, y) {
				x++
			}
			if x > from {
				b.WriteString("M" + strconv.Itoa(from) + " " + strconv.Itoa(y) + "h" + strconv.Itoa(x-from) + "v1h-" + strconv.Itoa(x-from) + "z")
			}
		}
	}
	return b.String()
}

// words is how many codewords a version has in all: its modules without the
// patterns, in eights.
func words(version int) int {
	size := 17 + 4*version
	n := size*size - 3*64 - 2*15 - 1 - 2*(size-16)
	if version >= 2 {
		a := len(alignments(version))
		n -= 25*(a*a-3) - 10*(a-2)
	}
	if version >= 7 {
		n -= 36
	}
	return n / 8
}

func dataWords(version int) int {
	return words(version) - checkWords[version-1]*blocks[version-1]
}

// lengthBits is the width of the length in front of the text.
func lengthBits(version int) int {
	if version < 10 {
		return 8
	}
	return 16
}

func capacity(version int) int { return (dataWords(version)*8 - 4 - lengthBits(version)) / 8 }

// pack writes mode, length, text, terminator and padding.
func pack(version int, text string) []byte {
	out := make([]byte, 0, dataWords(version))
	acc, n := uint32(0), 0
	put := func(v uint32, bits int) {
		acc, n = acc<<bits|v, n+bits
		for n >= 8 {
			n -= 8
			out = append(out, byte(acc>>n))
		}
		acc &= 1<<n - 1
	}
	put(4, 4) // byte mode
	put(uint32(len(text)), lengthBits(version))
	for i := range len(text) {
		put(uint32(text[i]), 8)
	}
	put(0, min(4, cap(out)*8-len(out)*8-n))
	if n > 0 {
		put(0, 8-n)
	}
	for pad := byte(0xec); len(out) < cap(out); pad ^= 0xec ^ 0x11 {
		out = append(out, pad)
	}
	return out
}

// interleave cuts the data into blocks, adds each one's check words, and deals
// them out word by word.
func interleave(version int, data []byte) []byte {
	count, check := blocks[version-1], checkWords[version-1]
	short := len(data) / count
	long := len(data) % count // so many blocks at the end have one word more
	div := divisor(check)
	var parts, checks [][]byte
	for i := range count {
		n := short
		if i >= count-long {
			n++
		}
		parts = append(parts, data[:n])
		checks = append(checks, remainder(data[:n], div))
		data = data[n:]
	}
	out := make([]byte, 0, words(version))
	for i := range short + 1 {
		for _, p := range parts {
			if i < len(p) {
				out = append(out, p[i])
			}
		}
	}
	for i := range check {
		for _, c := range checks {
			out = append(out, c[i])
		}
	}
	return out
}

// multiply is the product in GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1.
func multiply(a, b byte) byte {
	p := 0
	for i := 7; i >= 0; i-- {
		p <<= 1
		if p&0x100 != 0 {
			p ^= 0x11d
		}
		if b>>i&1 != 0 {
			p ^= int(a)
		}
	}
	return byte(p)
}

// divisor is ∏ (x − 2ⁱ) for i < n, highest power first, without its leading 1.
func divisor(n int) []byte {
	d := make([]byte, n)
	d[n-1] = 1
	root := byte(1)
	for range n {
		for j := range d {
			d[j] = multiply(d[j], root)
			if j+1 < n {
				d[j] ^= d[j+1]
			}
		}
		root = multiply(root, 2)
	}
	return d
}

// remainder is what is left of data · xⁿ divided by the divisor.
func remainder(data, divisor []byte) []byte {
	r := make([]byte, len(divisor))
	for _, b := range data {
		factor := b ^ r[0]
		copy(r, r[1:])
		r[len(r)-1] = 0
		for i, d := range divisor {
			r[i] ^= multiply(d, factor)
		}
	}
	return r
}
