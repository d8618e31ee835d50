package experiment

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"
)

// rows makes a row function of a list.
func rows(list ...DigestRow) (int, func(int) DigestRow) {
	return len(list), func(i int) DigestRow { return list[i] }
}

// golden are the bytes of three runs, written by hand as docs/experiment.md
// describes them, a line an integer. The digests in the tests are sha256sum's.
var golden = []string{
	// fcfs, repetition 0: job 1 waits from 0 to 5 and runs until 15; job 2 is
	// rejected at once.
	`04000000 66636673
	 0000000000000000
	 0200000000000000
	 0100000000000000 0000000000000000 0000000000000000 0500000000000000 0f00000000000000 0000000000000000
	 0200000000000000 0000000000000000 0a00000000000000 ffffffffffffffff ffffffffffffffff 0000000000000000`,
	// easy, repetition 3, without any job.
	`04000000 65617379
	 0300000000000000
	 0000000000000000`,
	// conservative, repetition 1: job 300 fails at 256 and runs again from 258.
	`0c000000 636f6e736572766174697665
	 0100000000000000
	 0200000000000000
	 2c01000000000000 0000000000000000 feffffffffffffff 0000000000000000 0001000000000000 0100000000000000
	 2c01000000000000 0100000000000000 0001000000000000 0201000000000000 0000000001000000 0000000000000000`,
}

// goldenRuns appends the same three runs by code.
func goldenRuns() [][]byte {
	n, row := rows(DigestRow{1, 0, 0, 5, 15, 0}, DigestRow{2, 0, 10, -1, -1, 0})
	a := AppendRun(nil, "fcfs", 0, n, row)
	n, row = rows()
	b := AppendRun(nil, "easy", 3, n, row)
	n, row = rows(DigestRow{300, 0, -2, 0, 256, 1}, DigestRow{300, 1, 256, 258, 1 << 32, 0})
	return [][]byte{a, b, AppendRun(nil, "conservative", 1, n, row)}
}

// A run's bytes are those written by hand.
func TestDigestBytes(t *testing.T) {
	for i, block := range goldenRuns() {
		want, err := hex.DecodeString(strings.Join(strings.Fields(golden[i]), ""))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(block, want) {
			t.Errorf("run %d:\ngot  %x\nwant %x", i, block, want)
		}
	}
}

// Digests of hand-written bytes, worked out by another program.
func TestDigestGolden(t *testing.T) {
	runs := goldenRuns()
	for _, c := range []struct {
		name   string
		blocks [][]byte
		want   string
	}{
		{"no runs", nil, "1e9ff90a034d4ea3230c7273c89851e70efbb4ddf2375642b81bce0595c325aa"},
		{"a rejected job", runs[:1], "caf1fe23b8638e3a7146b2e72add70d8ee1c56b975d19addc77c20923945774c"},
		{"an empty run", runs[1:2], "1d7be3f357deaed2d0db626c7b9fb5e2ec1bb13ad4059a8ef522f1f05110c392"},
		{"all three", runs, "28cc5219dd15b3580a9ef330626ba1b68fb411741f08d4c84904e4251923dc6e"},
	} {
		if got := Digest(c.blocks...); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if Digest(bytes.Join(runs, nil)) != Digest(runs...) {
		t.Error("how runs are cut into blocks makes a difference")
	}
	if Digest(runs[1], runs[0]) == Digest(runs[0], runs[1]) {
		t.Error("the order of runs makes no difference")
	}
}

// The order in which executions are given makes no difference, even when a log
// uses a job number twice.
func TestDigestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	list := make([]DigestRow, 200)
	for i := range list {
		list[i] = DigestRow{rng.Int64N(80) - 5, rng.Int64N(3), rng.Int64N(100), rng.Int64N(100), rng.Int64N(100), rng.Int64N(2)}
	}
	n, row := rows(list...)
	want := AppendRun([]byte("before"), "easy", 0, n, row)
	for range 20 {
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got := AppendRun([]byte("before"), "easy", 0, n, row); !bytes.Equal(got, want) {
			t.Fatal("shuffled executions give other bytes")
		}
		d := NewDigester()
		if WriteRun(d.Add, "easy", 0, n, row); d.Sum() != Digest(want[len("before"):]) {
			t.Fatal("shuffled executions give another digest")
		}
	}
	many := func(i int) DigestRow { return DigestRow{Number: int64(i), End: int64(7 * i)} }
	d := NewDigester()
	if WriteRun(d.Add, "easy", 3, 5000, many); d.Sum() != Digest(AppendRun(nil, "easy", 3, 5000, many)) {
		t.Error("a run that is taken piece by piece gives another digest")
	}
	list[7].End++
	if bytes.Equal(AppendRun([]byte("before"), "easy", 0, n, row), want) {
		t.Error("an end makes no difference")
	}
}

// In order, a run is appended without allocating beyond its bytes.
func TestAppendRunAllocations(t *testing.T) {
	dst := make([]byte, 0, 1<<16)
	row := func(i int) DigestRow { return DigestRow{Number: int64(i)} }
	if n := testing.AllocsPerRun(20, func() { AppendRun(dst, "easy", 0, 1000, row) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Intent: a digest over blocks that come one by one, taken up again by another
// worker at any place, is that over all of them.
func TestDigesterResumes(t *testing.T) {
	blocks := goldenRuns()
	want := Digest(blocks...)
	for cut := range len(blocks) + 1 {
		d := NewDigester()
		for _, b := range blocks[:cut] {
			d.Add(b)
		}
		next, err := ResumeDigester(d.State())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks[cut:] {
			next.Add(b)
		}
		if next.Sum() != want {
			t.Errorf("taken up after %d blocks: %s, want %s", cut, next.Sum(), want)
		}
	}
	if _, err := ResumeDigester([]byte("no state")); err == nil {
		t.Error("any bytes are taken for a state")
	}
}
