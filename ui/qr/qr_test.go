package qr

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// read is the plain twin: it reads a code as a scanner does, after the format
// stands: unmasks, collects the words, deals them back, and checks each block
// by evaluating it at the roots of the divisor.
func read(t *testing.T, c *Code) string {
	t.Helper()
	version := (c.Size - 17) / 4
	format := 0
	for i := range 6 {
		if c.Dark(8, i) {
			format |= 1 << i
		}
	}
	for i, p := range [][2]int{{8, 7}, {8, 8}, {7, 8}} {
		if c.Dark(p[0], p[1]) {
			format |= 1 << (6 + i)
		}
	}
	for i := 9; i < 15; i++ {
		if c.Dark(14-i, 8) {
			format |= 1 << i
		}
	}
	format ^= 0x5412
	if format>>13 != 1 {
		t.Fatalf("level %b", format>>13)
	}
	u := &Code{Size: c.Size, dark: append([]bool(nil), c.dark...), fixed: c.fixed}
	u.mask(format >> 10 & 7)
	var bits []bool
	for right, up := c.Size-1, true; right > 0; right, up = right-2, !up {
		if right == 6 {
			right--
		}
		for k := range c.Size {
			y := k
			if up {
				y = c.Size - 1 - k
			}
			for x := right; x > right-2; x-- {
				if !u.fixed[y*c.Size+x] {
					bits = append(bits, u.Dark(x, y))
				}
			}
		}
	}
	all := make([]byte, len(bits)/8)
	for i := range len(all) * 8 {
		if bits[i] {
			all[i/8] |= 0x80 >> (i % 8)
		}
	}
	count, check := blocks[version-1], checkWords[version-1]
	total := dataWords(version)
	parts := make([][]byte, count)
	at := 0
	for i := 0; at < total; i++ {
		for b := range parts {
			length := total / count
			if b >= count-total%count {
				length++
			}
			if i < length {
				parts[b] = append(parts[b], all[at])
				at++
			}
		}
	}
	data := []byte{}
	for _, p := range parts {
		data = append(data, p...)
	}
	for range check {
		for b := range parts {
			parts[b] = append(parts[b], all[at])
			at++
		}
	}
	for b, p := range parts {
		root := byte(1)
		for range check {
			v := byte(0)
			for _, w := range p {
				v = multiply(v, root) ^ w
			}
			if v != 0 {
				t.Fatalf("block %d does not check", b)
			}
			root = multiply(root, 2)
		}
	}
	bit := 0
	take := func(n int) (v int) {
		for range n {
			v = v<<1 | int(data[bit/8]>>(7-bit%8)&1)
			bit++
		}
		return v
	}
	if mode := take(4); mode != 4 {
		t.Fatalf("mode %d", mode)
	}
	var out strings.Builder
	for range take(lengthBits(version)) {
		out.WriteByte(byte(take(8)))
	}
	return out.String()
}

// Intent: every length from nothing to the longest reads back, and each version
// is used where the smaller one is full.
func TestReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	seen := map[int]bool{}
	for version := 1; version <= 40; version++ {
		for _, n := range []int{capacity(version), capacity(version) - 1, capacity(version)/2 + 1} {
			b := make([]byte, n)
			for i := range b {
				b[i] = byte(32 + rng.IntN(95))
			}
			c, err := Encode(string(b))
			if err != nil {
				t.Fatal(err)
			}
			seen[c.Size] = true
			if got := read(t, c); got != string(b) {
				t.Fatalf("%d bytes: read %.60q…", n, got)
			}
		}
		c, _ := Encode(strings.Repeat("a", capacity(version)))
		if c.Size != 17+4*version {
			t.Errorf("version %d is not used for %d bytes", version, capacity(version))
		}
	}
	if c, err := Encode(""); err != nil || c.Size != 21 || read(t, c) != "" {
		t.Errorf("an empty text: %v", err)
	}
	if capacity(40) != MaxBytes || len(seen) != 40 {
		t.Errorf("capacity %d, %d sizes", capacity(40), len(seen))
	}
	if _, err := Encode(strings.Repeat("a", MaxBytes+1)); err != ErrTooLong {
		t.Errorf("too long: %v", err)
	}
}

// Intent: the standard's own figures: words of a version, and the check words
// of its example HELLO WORLD at 1-Q, which use the same divisor rule.
func TestAgainstTheStandard(t *testing.T) {
	for version, want := range map[int]int{1: 26, 2: 44, 7: 196, 10: 346, 27: 1828, 32: 2465, 40: 3706} {
		if got := words(version); got != want {
			t.Errorf("version %d has %d words, want %d", version, got, want)
		}
	}
	for version, want := range map[int][]int{2: {6, 18}, 7: {6, 22, 38}, 32: {6, 34, 60, 86, 112, 138}, 36: {6, 24, 50, 76, 102, 128, 154}, 40: {6, 30, 58, 86, 114, 142, 170}} {
		got := alignments(version)
		for i := range want {
			if len(got) != len(want) || got[i] != want[i] {
				t.Errorf("version %d: alignments %v, want %v", version, got, want)
				break
			}
		}
	}
	data := []byte{32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236}
	want := []byte{168, 72, 22, 82, 217, 54, 156, 0, 46, 15, 180, 122, 16}
	if got := remainder(data, divisor(13)); string(got) != string(want) {
		t.Errorf("check words %v, want %v", got, want)
	}
}

// Intent: a path holds exactly the dark modules.
func TestPath(t *testing.T) {
	c, err := Encode("https://batchlab.example/")
	if err != nil {
		t.Fatal(err)
	}
	dark := 0
	for y := range c.Size {
		for x := range c.Size {
			if c.Dark(x, y) {
				dark++
			}
		}
	}
	sum := 0
	for part := range strings.SplitSeq(c.Path(), "M") {
		if _, rest, ok := strings.Cut(part, "h"); ok {
			n := 0
			for _, r := range rest[:strings.Index(rest, "v")] {
				n = n*10 + int(r-'0')
			}
			sum += n
		}
	}
	if dark != sum || dark == 0 {
		t.Errorf("%d dark modules, %d in the path", dark, sum)
	}
}
