//go:build !small

package lab

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// mutatedLog is a small log with some of its bytes changed, lost, doubled or cut.
func mutatedLog(rng *rand.Rand) []byte {
	var b bytes.Buffer
	b.WriteString("; Version: 2.2\n; MaxProcs: 32\n")
	for i, at := 1, 0; i <= 5+rng.IntN(40); i++ {
		at += rng.IntN(200)
		run, procs := 1+rng.IntN(2000), 1+rng.IntN(32)
		fmt.Fprintf(&b, "%d %d %d %d %d -1 -1 %d %d -1 1 %d 1 -1 1 -1 -1 -1\n", i, at, rng.IntN(100), run, procs, procs, run+rng.IntN(1000), rng.IntN(6))
	}
	text := b.Bytes()
	for range 1 + rng.IntN(6) {
		at := rng.IntN(len(text))
		switch rng.IntN(5) {
		case 0:
			text[at] ^= 1 << rng.IntN(8)
		case 1:
			text = append(text[:at:at], text[min(len(text), at+1+rng.IntN(30)):]...)
		case 2:
			text = append(text[:at:at], append(bytes.Clone(text[at:min(len(text), at+1+rng.IntN(90))]), text[at:]...)...)
		case 3:
			text[at] = "0123456789-. ;\n\r\t"[rng.IntN(17)]
		case 4:
			text = append(text[:at:at], append([]byte([]string{"99999999999", "-", "2147483647", "{1,1} q 1:ppn=2"}[rng.IntN(4)]), text[at:]...)...)
		}
	}
	return text
}

// grounds are the rests of documents that schedulers are tried on.
var grounds = []string{
	``,
	`"platform":{"processors":32}`,
	`"platform":{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":8,"processors":4}]}]}`,
	`"platform":{"clusters":[{"name":"a","packing":"machine","groups":[{"count":4,"processors":32,"licences":["l"]}]}],"licences":[{"name":"l","copies":2}]}`,
	`"platform":{"clusters":[{"name":"a","groups":[{"processors":32}]},{"name":"b","groups":[{"processors":16}]}],"reservations":[{"name":"r","processors":8,"from":500,"to":900,"cluster":"a"}]}`,
	`"platform":{"processors":32,"outages":[{"name":"o","from":1000,"to":2000,"processors":16,"announced":true},{"name":"p","from":3000,"to":3500,"processors":8}]}`,
	`"platform":{"clusters":[{"name":"a","groups":[{"processors":32}]}],"limits":{"user_processors":16}}`,
}

// requests are what is asked beside, put into the workload.
var requests = []string{
	``, `"annotate":{"deadlines":{"share":0.5}}`, `"annotate":{"reservations":{"share":0.3}}`, `"react":{}`, `"annotate":{"weights":{"min":1,"max":5}}`,
	`"annotate":{"licences":[{"licence":"l","share":0.4}]}`, `"clean":{"overrun":"extend","oversize":"clamp"}`, `"scale":{"load":1.5}`,
}

// setting draws the document that a mutated log is run by: a ground with a request
// under a scheduler, or, one time in four, whatever the grammar has.
func setting(rng *rand.Rand, seed uint64, size int) (doc, ground, request string) {
	if rng.IntN(4) == 0 {
		return string(drawer{rng}.document()), "drawn", "drawn"
	}
	row := &catalog.Schedulers[rng.IntN(len(catalog.Schedulers))]
	ground, request = grounds[rng.IntN(len(grounds))], requests[rng.IntN(len(requests))]
	platform, asked := ground, request
	if platform != "" {
		platform = "," + platform
	}
	if asked != "" {
		asked = "," + asked
	}
	doc = fmt.Sprintf(`{"batchlab":1,"seed":%d,"workload":{"source":{"log":{"name":"m.swf","sha256":"%064x","size":%d}}%s}%s,"schedulers":[{"key":%q}]}`,
		rng.IntN(1000), seed, size, asked, platform, row.Key)
	return doc, ground, request
}

// tryLog runs a mutated log by a random setting, and says whether it came to a
// schedule: that is valid and the same again. What is refused is refused with
// words. Settings that came to one are counted, by ground and by request.
func tryLog(t *testing.T, seed uint64, settings map[string]int) bool {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 77))
	text := mutatedLog(rng)
	log, err := workload.Parse(text)
	if err != nil {
		return false
	}
	doc, ground, request := setting(rng, seed, len(text))
	e, err := experiment.Decode([]byte(doc))
	if err != nil {
		return false
	}
	defer func() {
		if x := recover(); x != nil {
			t.Fatalf("seed %d: panic: %v\n%s\n%s", seed, x, doc, text)
		}
	}()
	var blocks [2][]byte
	for i := range blocks {
		p, err := Prepare(e, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
		if err != nil {
			return false
		}
		got, err := p.Run(RunID{}, Options{Columns: true})
		if err != nil {
			if err.Error() == "" {
				t.Fatalf("seed %d: no message", seed)
			}
			return false
		}
		if err := got.Schedule.Check(); err != nil && !got.Schedule.Logged {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, doc, text)
		}
		blocks[i] = bytes.Clone(got.Block)
	}
	if !bytes.Equal(blocks[0], blocks[1]) {
		t.Fatalf("seed %d: two digests\n%s\n%s", seed, doc, text)
	}
	settings["ground "+ground]++
	settings["request "+request]++
	return true
}

// Mutated logs on random platforms, with random requests, under every scheduler:
// no panic, no invalid schedule, one digest, and no platform or request that never
// comes to a schedule. FuzzMutatedLogs goes on from here, and -documents and -from
// try more.
func TestMutatedLogs(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 200
	}
	if *documents > 0 {
		n = *documents
	}
	ran, settings := 0, map[string]int{}
	for k := range uint64(n) {
		if tryLog(t, *firstDrawn+k, settings) {
			ran++
		}
	}
	if *documents == 0 { // else there may be too few
		for _, one := range append([]string{"drawn"}, grounds...) {
			if settings["ground "+one] == 0 {
				t.Errorf("nothing came to a schedule on %q", one)
			}
		}
		for _, one := range requests {
			if settings["request "+one] == 0 {
				t.Errorf("nothing came to a schedule with %q", one)
			}
		}
	}
	if ran < n/10 {
		t.Errorf("only %d of %d came to a schedule: the generator tests nothing", ran, n)
	}
	t.Logf("%d of %d ran", ran, n)
}

// FuzzMutatedLogs goes on without end: go test ./core/lab -fuzz FuzzMutatedLogs.
func FuzzMutatedLogs(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { tryLog(t, seed, map[string]int{}) })
}
