package experiment

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// goldenLink is a link that must open for ever, as what it was made for.
// Entries of testdata/links.json are added, never changed or removed.
type goldenLink struct {
	Name     string `json:"name"`
	Hash     string `json:"hash"`
	Identity string `json:"identity"` // of the experiment
	Digest   string `json:"digest"`   // of its result, "" when it needs a log
}

func goldenLinks(t testing.TB) []goldenLink {
	t.Helper()
	data, err := os.ReadFile("testdata/links.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []goldenLink
	if err := json.Unmarshal(data, &list); err != nil || len(list) < 10 {
		t.Fatalf("testdata/links.json: %d links, %v", len(list), err)
	}
	return list
}

// Intent: links that were sent once keep meaning the same experiment.
func TestLinksOpenForEver(t *testing.T) {
	for _, l := range goldenLinks(t) {
		e, err := DecodeLink("https://batchlab.example/" + l.Hash)
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		if got := e.Identity(); got != l.Identity {
			t.Errorf("%s: now means the experiment %s", l.Name, got)
		}
		if again, err := DecodeLink(EncodeLink(e)); err != nil || again.Identity() != l.Identity {
			t.Errorf("%s: does not survive being shared again: %v", l.Name, err)
		}
	}
}

// mutate changes a few bytes of text, or cuts, doubles or joins parts of it.
func mutate(rng *rand.Rand, text []byte, other []byte) []byte {
	out := append([]byte(nil), text...)
	for range 1 + rng.IntN(4) {
		if len(out) == 0 {
			return out
		}
		at := rng.IntN(len(out))
		switch rng.IntN(7) {
		case 0:
			out[at] = byte(rng.IntN(256))
		case 1:
			out = out[:at]
		case 2:
			out = append(out[:at:at], out[min(len(out), at+1+rng.IntN(8)):]...)
		case 3:
			out = append(out[:at:at], append([]byte(nil), out[at/2:]...)...)
		case 4:
			out = append(out[:at:at], other[rng.IntN(len(other)):]...)
		case 5:
			const some = `{}[]",:0123456789eE-+.\u"batchlab"null`
			out[at] = some[rng.IntN(len(some))]
		default:
			out[at] ^= 1 << rng.IntN(8)
		}
	}
	return out
}

// Intent: 10,000 mutated links and 10,000 mutated documents end in an
// experiment or a message.
func TestMutatedLinksAndBodies(t *testing.T) {
	links := goldenLinks(t)
	var bodies [][]byte
	for _, l := range links {
		if e, err := DecodeLink(l.Hash); err == nil {
			bodies = append(bodies, Encode(e), e.Canonical())
		}
	}
	rng := rand.New(rand.NewPCG(10, 4))
	// One packer for all: a new one takes half a megabyte, and ten thousand of
	// them are more than a program of 32 bits can hold before it cleans up.
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	good, bad := 0, 0
	check := func(what string, in []byte, err error) {
		if err == nil {
			good++
		} else if bad++; strings.TrimSpace(err.Error()) == "" {
			t.Errorf("%s: no message for %.200q", what, in)
		}
	}
	for i := range 10_000 {
		l := []byte(links[i%len(links)].Hash)
		m := mutate(rng, l, []byte(links[rng.IntN(len(links))].Hash))
		_, err := DecodeLink(string(m))
		check("link", m, err)

		body := mutate(rng, bodies[i%len(bodies)], bodies[rng.IntN(len(bodies))])
		_, err = Decode(body)
		check("body", body, err)

		// The same body as a link, so that the damage lies behind the packing.
		packed.Reset()
		w.Reset(&packed)
		w.Write(body)
		w.Close()
		_, linked := DecodeLink("#x=" + base64.RawURLEncoding.EncodeToString(packed.Bytes()))
		if (linked == nil) != (err == nil) {
			t.Errorf("a body and its link disagree: %v, %v", err, linked)
		}
	}
	if good < 100 || bad < 10_000 {
		t.Errorf("%d good and %d bad: the mutations test nothing", good, bad)
	}
}
