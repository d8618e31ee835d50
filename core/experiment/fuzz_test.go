package experiment

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// checkStable: what was read is valid, and file, link and canonical form all
// lead back to it.
func checkStable(t *testing.T, e *Experiment) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatalf("what was read is not valid: %v", err)
	}
	back, err := Decode(Encode(e))
	if err != nil || !reflect.DeepEqual(back, e) {
		t.Fatalf("through a file: %v\n%+v\n%+v", err, back, e)
	}
	back, err = DecodeLink(EncodeLink(e))
	if err != nil || !reflect.DeepEqual(back, e) {
		t.Fatalf("through a link: %v\n%+v\n%+v", err, back, e)
	}
	c := e.Canonical()
	back, err = Decode(c)
	if err != nil || !bytes.Equal(back.Canonical(), c) {
		t.Fatalf("through the canonical form: %v", err)
	}
	if !reflect.DeepEqual(e.Clone(), e) {
		t.Fatal("a clone differs")
	}
	seen := map[string]bool{}
	for _, label := range e.Labels() {
		if seen[label] {
			t.Fatalf("two schedulers are called %q", label)
		}
		seen[label] = true
	}
}

// Any bytes are read as a stable experiment, or refused with a message of
// bounded length.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte(everything))
	f.Add([]byte(shared))
	f.Add([]byte(withCases))
	for _, p := range catalog.Presets {
		f.Add([]byte(p.Document))
	}
	f.Add([]byte(strings.Repeat("[", 10000)))
	f.Add([]byte(`{"batchlab":1,"title":"\ud83d\ude00\ud800","seed":1e5}`))
	f.Add([]byte(`{"batchlab":9}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Decode(data)
		if err != nil {
			if n := len(err.Error()); n == 0 || n > 200*maxErrors+1000 {
				t.Fatalf("a message of %d bytes", n)
			}
			return
		}
		checkStable(t, e)
	})
}

// Any link is read as a stable experiment, or refused with a message.
func FuzzDecodeLink(f *testing.F) {
	for _, text := range []string{minimal, everything} {
		e, err := Decode([]byte(text))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(EncodeLink(e))
		f.Add(EncodeLink(e) + "&v=1")
	}
	f.Add(packLink(f, bytes.Repeat([]byte("[ "), 60000)))
	f.Add("#x=AAAA")
	f.Fuzz(func(t *testing.T, link string) {
		e, err := DecodeLink(link)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("no message")
			}
			return
		}
		checkStable(t, e)
	})
}
