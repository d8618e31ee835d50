package experiment

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Intent: packing a block and unpacking it gives the same bytes, whatever the
// executions; a block of plain jobs gets far smaller; damage never gives
// another block of the same length unseen, and never panics.
func TestPackBlock(t *testing.T) {
	number := rapid.OneOf(rapid.Int64Range(-MaxInteger, MaxInteger), rapid.Int64Range(0, 100))
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) DigestRow {
			return DigestRow{number.Draw(t, "number"), rapid.Int64Range(0, 3).Draw(t, "attempt"), number.Draw(t, "submit"),
				rapid.Int64().Draw(t, "start"), rapid.Int64().Draw(t, "end"), rapid.Int64Range(0, 2).Draw(t, "cluster")}
		}), 0, 20).Draw(t, "rows")
		slices.SortFunc(list, compareRows)
		block := AppendRun([]byte("before"), rapid.SampledFrom([]string{"easy", "", "plan-rs"}).Draw(t, "key"), 7, len(list), func(i int) DigestRow { return list[i] })[6:]
		packed, err := PackBlock([]byte("in front"), block)
		if err != nil {
			t.Fatal(err)
		}
		packed = packed[8:]
		back, err := UnpackBlock([]byte("x"), packed)
		if err != nil || !bytes.Equal(back[1:], block) {
			t.Fatalf("back: %x, %v\nwant  %x", back, err, block)
		}
		if rows := BlockRows(block); !slices.Equal(rows, list) {
			t.Fatalf("rows %v, want %v", rows, list)
		}
		for cut := range packed {
			if back, err := UnpackBlock(nil, packed[:cut]); err == nil || len(back) > 0 {
				t.Fatalf("cut after %d of %d bytes: %x, %v", cut, len(packed), back, err)
			}
		}
		if _, err := PackBlock(nil, block[:len(block)-1]); err == nil {
			t.Fatal("a block that was cut is packed")
		}
	})
	plain := AppendRun(nil, "easy", 0, 1000, func(i int) DigestRow {
		return DigestRow{int64(i + 1), 0, int64(300 * i), int64(300*i + 900), int64(300*i + 4000), 0}
	})
	if packed, err := PackBlock(nil, plain); err != nil || 5*len(packed) > len(plain) {
		t.Errorf("%d bytes become %d: %v", len(plain), len(packed), err)
	}
	if _, err := PackBlock(nil, AppendRun(nil, "easy", 0, 1, func(int) DigestRow { return DigestRow{Number: math.MaxInt64} })); err == nil {
		t.Error("a number that does not fit is packed")
	}
}
