package worker

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/swf"
)

// Intent: what a worker keeps is what an obvious list would: the logs used last,
// as many as have room together, the newest whatever its size; a log that points
// name in turn is read once.
func TestLogsAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var kept logs
		var plain []int // hashes, the one used last in front
		size := map[int]int{}
		whole := map[int]*swf.Log{}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			id := rapid.IntRange(0, 7).Draw(t, "log")
			if size[id] == 0 {
				size[id] = rapid.SampledFrom([]int{1, maxKept / 3, maxKept / 2, maxKept, 2 * maxKept}).Draw(t, "size")
				whole[id] = new(swf.Log)
			}
			hash := fmt.Sprint(id)
			at := slices.Index(plain, id)
			if got := kept.find(hash); (got != nil) != (at >= 0) || got != nil && got != whole[id] {
				t.Fatalf("log %d: %p of %v", id, got, plain)
			}
			if at >= 0 {
				plain = slices.Delete(plain, at, at+1)
			} else {
				kept.room(size[id])
				kept.add(hash, size[id], whole[id])
			}
			plain = slices.Insert(plain, 0, id)
			if at < 0 {
				sum := size[id]
				for k := 1; k < len(plain); k++ {
					if sum += size[plain[k]]; sum > maxKept {
						plain = plain[:k]
						break
					}
				}
			}
			if kept.last() != whole[id] || len(kept) != len(plain) {
				t.Fatalf("%d logs are kept, not %v", len(kept), plain)
			}
		}
	})
	var none logs
	if none.last() != nil || none.find("") != nil {
		t.Error("a worker that read nothing has a log")
	}
}
