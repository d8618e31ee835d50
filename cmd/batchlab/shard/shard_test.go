package shard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/experiment"
)

func TestMain(m *testing.M) {
	onDisk = func(*os.File) error { return nil }
	os.Exit(m.Run())
}

func header(i, n, items int) Header {
	return Header{Command: "run", Build: experiment.Build{Engine: "1"}, Identity: "abc", Logs: []string{}, Options: json.RawMessage("{}"), Shard: i, Of: n, Items: items, Document: json.RawMessage(`{"title":"}\n,"}`)}
}

// data is what an item leaves behind here; some of it looks like the file's own
// marks.
func data(item int) string {
	return fmt.Sprintf(`{"v":%d,"s":%q}`, item, strings.Repeat(`"},{"item":`, item%5)+fileEnd)
}

// do does what is left of a shard, at most so many items, and returns how many
// it did.
func do(t failer, dir string, h Header, most int) int {
	t.Helper()
	w, err := Open(dir, h)
	if err != nil {
		t.Fatal(err)
	}
	did := 0
	for item := h.Items - 1; item >= 0; item-- { // in any order
		if !h.Own(item) || w.Complete || w.Done(item) {
			continue
		}
		if did == most {
			w.Close()
			return did
		}
		if err := w.Add(item, []byte(data(item))); err != nil {
			t.Fatal(err)
		}
		did++
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return did
}

// all reads what a folder's shards hold.
func all(dir string) ([]string, error) {
	s, err := OpenSet(dir)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var list []string
	for {
		line, err := s.Next()
		if err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		d, err := s.Read(line)
		if err != nil {
			return nil, err
		}
		if line.Item != len(list) {
			return nil, fmt.Errorf("item %d in the place of %d", line.Item, len(list))
		}
		list = append(list, string(d))
	}
}

// Intent: whatever is torn, flipped, cut or stopped, at any byte of a file that
// is complete or begun, doing the shard again gives the file that it would have
// been, and does no more than what was lost; until then a merge refuses.
func TestShardSurvivesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "shard")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		n, items := rapid.IntRange(1, 4).Draw(t, "shards"), rapid.IntRange(0, 12).Draw(t, "items")
		i := rapid.IntRange(1, n).Draw(t, "shard")
		h := header(i, n, items)
		do(t, dir, h, -1)
		want, _ := os.ReadFile(filepath.Join(dir, Name(i, n)))
		if !json.Valid(want) {
			t.Fatalf("the file is not JSON:\n%s", want)
		}
		path := filepath.Join(dir, Name(i, n))
		if rapid.Bool().Draw(t, "begun") {
			os.Remove(path)
			do(t, dir, h, rapid.IntRange(0, items).Draw(t, "most"))
			if _, err := os.Stat(path); err != nil {
				path = filepath.Join(dir, part(i, n))
			}
		}
		text, _ := os.ReadFile(path)
		lost := 0
		whole := strings.Count(string(text), lineData)
		switch at := rapid.IntRange(0, len(text)-1).Draw(t, "at"); rapid.IntRange(0, 2).Draw(t, "what") {
		case 0: // cut
			text = text[:at]
			lost = whole
		case 1: // a byte changed
			text[at] ^= byte(1 + rapid.IntRange(0, 254).Draw(t, "bits"))
			if lost = 2; at < strings.IndexByte(string(want), '\n')+1 {
				lost = whole
			}
		}
		os.WriteFile(path, text, 0o600)
		before := h.Count() - whole
		if did := do(t, dir, h, -1); did > before+lost {
			t.Fatalf("%d items done again, %d were missing and %d lost", did, before, lost)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, Name(i, n))); string(got) != string(want) {
			t.Fatalf("another file:\n%s\nwant\n%s", got, want)
		}
		entries, _ := os.ReadDir(dir)
		if len(entries) != 1 {
			t.Fatalf("left behind: %v", entries)
		}
	})
}

// failer is what do needs of a test, be it plain or of rapid.
type failer interface {
	Helper()
	Fatal(...any)
}

// Intent: the shards of some work hold every item once, in order, when they are
// all there; whatever is missing, unfinished, damaged or of something else is
// named.
func TestSet(t *testing.T) {
	dir := t.TempDir()
	if _, err := all(dir); err == nil || !strings.Contains(err.Error(), "no shards are there") {
		t.Errorf("an empty folder: %v", err)
	}
	const items = 11
	for i := 1; i <= 4; i++ {
		if i != 3 {
			do(t, dir, header(i, 4, items), -1)
		}
	}
	refuses := func(words ...string) {
		t.Helper()
		_, err := all(dir)
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%q is not said: %v", w, err)
			}
		}
	}
	refuses("shard-3-of-4.json: missing")
	do(t, dir, header(3, 4, items), 1)
	refuses("shard-3-of-4.json: not complete: run shard 3/4 again")
	do(t, dir, header(3, 4, items), -1)
	list, err := all(dir)
	if err != nil || len(list) != items {
		t.Fatalf("%d items, %v", len(list), err)
	}
	for i, d := range list {
		if d != data(i) {
			t.Errorf("item %d is %s", i, d)
		}
	}
	third := filepath.Join(dir, Name(3, 4))
	good, _ := os.ReadFile(third)
	text := []byte(string(good))
	text[len(text)-40] ^= 1
	os.WriteFile(third, text, 0o600)
	refuses("shard-3-of-4.json: damaged: run shard 3/4 again")
	os.WriteFile(third, good[:len(good)-30], 0o600)
	refuses("shard-3-of-4.json: damaged")
	for _, c := range []struct {
		change func(*Header)
		want   string
	}{
		{func(h *Header) { h.Identity = "def" }, "of another experiment (identity def, here abc)"},
		{func(h *Header) { h.Engine = "2" }, "of another version of Batchlab: made by engine 2, not by engine 1; since engine 1 these have changed"},
		{func(h *Header) { h.Logs = []string{"12"} }, "of another log (SHA-256 12, here none)"},
		{func(h *Header) { h.Command = "search" }, "a shard of batchlab search, not of batchlab run"},
		{func(h *Header) { h.Options = json.RawMessage(`{"quick":true}`) }, "other options"},
		{func(h *Header) { h.Items++ }, "of 12 items, not of 11"},
	} {
		h := header(3, 4, items)
		c.change(&h)
		if _, err := Open(dir, h); err == nil || !strings.Contains(err.Error(), "is there already: it") {
			t.Errorf("%s: begun over another one's file: %v", c.want, err)
		}
		other := t.TempDir()
		do(t, other, h, -1)
		os.Rename(filepath.Join(other, Name(3, 4)), third)
		refuses("shard-3-of-4.json does not belong to ", c.want)
		os.Remove(third)
		os.WriteFile(third, good, 0o600)
	}
	os.Rename(third, filepath.Join(dir, "kept"))
	first, _ := os.ReadFile(filepath.Join(dir, Name(1, 4)))
	os.WriteFile(third, first, 0o600)
	refuses("shard-3-of-4.json: this is shard 1: the file was renamed")
	os.WriteFile(third, good, 0o600)
	for _, n := range []int{2, 3, 10, 5} { // from other folders
		other := t.TempDir()
		do(t, other, header(1, n, items), -1)
		os.Rename(filepath.Join(other, Name(1, n)), filepath.Join(dir, Name(1, n)))
	}
	for range 8 { // in the same words every time
		refuses("shared out in different ways are there (to 2 and to 3 and to 4 and to 5 and to 10)")
	}
}

// Intent: a shard that could not be merged with what a folder holds is refused
// before it is begun, whether that is complete or not, and nothing is changed
// there; shards of the same work and number are gone on with, and a damaged one
// keeps nobody else from working.
func TestOpenRefusesAnotherSplit(t *testing.T) {
	dir := t.TempDir()
	const items = 11
	do(t, dir, header(2, 4, items), -1)
	do(t, dir, header(3, 4, items), 1)
	entries, _ := os.ReadDir(dir)
	refused := func(h Header, words string) {
		t.Helper()
		if _, err := Open(dir, h); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q is not said: %v", words, err)
		}
		if err := Fits(dir, h); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q is not said when asked: %v", words, err)
		}
	}
	refused(header(1, 5, items), "shared out to 4 are there already (1 complete, 1 begun), not to 5: share out to 4")
	for words, change := range map[string]func(*Header){
		"of another experiment (identity abc, here def)":                  func(h *Header) { h.Identity = "def" },
		"of another version of Batchlab: made by engine 1, not by engine": func(h *Header) { h.Engine = "2" },
		"of another log": func(h *Header) { h.Logs = []string{"12"} },
		"a shard of batchlab run, not of batchlab paper": func(h *Header) { h.Command = "paper" },
		"made with other options":                        func(h *Header) { h.Options = json.RawMessage(`{"jobs":true}`) },
	} {
		h := header(1, 4, items) // a shard that is not there itself
		change(&h)
		refused(h, words)
	}
	if after, _ := os.ReadDir(dir); len(after) != len(entries) {
		t.Errorf("refused, and left behind: %v", after)
	}
	os.WriteFile(filepath.Join(dir, Name(2, 4)), []byte("{"), 0o600)
	refused(header(1, 5, items), "shared out to 4")
	h := header(4, 4, items)
	h.Identity = "def"
	refused(h, part(3, 4)+" is there already: it is of another experiment") // the one that can be read speaks
	os.Remove(filepath.Join(dir, part(3, 4)))
	for i := 1; i <= 4; i++ {
		do(t, dir, header(i, 4, items), -1)
	}
	if list, err := all(dir); err != nil || len(list) != items {
		t.Errorf("%d items, %v", len(list), err)
	}
}

// Intent: a line that two writers wrote into each other is no one's.
func TestDataRefuses(t *testing.T) {
	line := string(appendLine(nil, 17, []byte(`{"a":1}`)))
	if item, d, ok := Data([]byte("," + line + "\n")); !ok || item != 17 || string(d) != `{"a":1}` {
		t.Fatalf("%s: %d, %s, %v", line, item, d, ok)
	}
	for _, bad := range []string{"", "{}", line[:len(line)-1], line[1:], strings.Replace(line, "17", "71", 1), line + line, strings.Replace(line, "1}", "2}", 1), lineStart, lineStart + "1" + lineCRC} {
		if _, _, ok := Data([]byte(bad)); ok {
			t.Errorf("%s is taken for a line", bad)
		}
	}
	if _, err := readHeader([]byte("{}")); !errors.Is(err, errDamaged) {
		t.Error("any object is taken for a header")
	}
}

// Intent: two that do the same shard at once, as after a cluster gave up on a
// node that still worked, neither fail nor leave anything but the one file.
func TestTwoAtOnce(t *testing.T) {
	for _, order := range []string{"aabb", "abab", "abba"} {
		dir := t.TempDir()
		h := header(2, 3, 20)
		var w [2]*Writer
		for i := range w {
			one, err := Open(dir, h)
			if err != nil {
				t.Fatal(err)
			}
			if w[i] = one; i == 0 {
				one.Add(1, []byte(data(1)))
			}
		}
		seen := map[rune]bool{}
		for _, who := range order {
			one := w[who-'a']
			if !seen[who] {
				seen[who] = true
				for item := 1; item < 20; item += 3 {
					if err := one.Add(item, []byte(data(item))); err != nil {
						t.Fatal(err)
					}
				}
			} else if err := one.Finish(); err != nil {
				t.Fatalf("%s: %v", order, err)
			}
		}
		if ok, err := Check(dir, h); !ok || err != nil {
			t.Errorf("%s: not complete: %v", order, err)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("%s: left behind: %v", order, entries)
		}
	}
}
