package qr

import (
	"strings"
	"testing"
)

// Intent: texts of any length up to the longest have a code of one of the 40
// sizes, growing with the text, with a finder pattern in three corners; a longer
// text is refused. (A browser test reads a code back.)
func TestSizes(t *testing.T) {
	last := 0
	for _, n := range []int{0, 1, 17, 18, 100, 1000, 2331, MaxBytes} {
		c, err := Encode(strings.Repeat("x", n))
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if c.Size < last || (c.Size-17)%4 != 0 || c.Size < 21 || c.Size > 177 {
			t.Errorf("%d bytes: %d modules a side", n, c.Size)
		}
		last = c.Size
		for _, corner := range [][2]int{{0, 0}, {c.Size - 7, 0}, {0, c.Size - 7}} {
			for k := range 7 {
				if !c.Dark(corner[0]+k, corner[1]) || !c.Dark(corner[0], corner[1]+k) || !c.Dark(corner[0]+3, corner[1]+3) || c.Dark(corner[0]+1, corner[1]+1) {
					t.Fatalf("%d bytes: no finder pattern at %v", n, corner)
				}
			}
		}
		if c.Dark(-1, 0) || c.Dark(0, c.Size) {
			t.Error("dark outside")
		}
	}
	if last != 177 {
		t.Errorf("the longest text takes %d modules", last)
	}
	if _, err := Encode(strings.Repeat("x", MaxBytes+1)); err != ErrTooLong {
		t.Errorf("%v", err)
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
