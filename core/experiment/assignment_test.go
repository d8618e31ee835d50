package experiment

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// If this fails a seal is not the HMAC-SHA256 that the documentation says it is, for
// texts of any length.
func TestSealIsHMAC(t *testing.T) {
	for n := range 200 {
		key, text := SealKey(strings.Repeat("k", n)), strings.Repeat("é ", n)
		h := hmac.New(sha256.New, []byte(key))
		h.Write([]byte(text))
		if want := hex.EncodeToString(h.Sum(nil))[:sealText]; seal(key, text) != want {
			t.Fatalf("%d: %s, want %s", n, seal(key, text), want)
		}
	}
}

// If this fails a change of any part of a sealed sheet is not seen, or the wrong answer
// is named.
func TestSealsNameWhatWasChanged(t *testing.T) {
	key := SealKey("phrase")
	make := func() *Sheet {
		s := &Sheet{Key: "hole", Identity: strings.Repeat("a", 64), Name: "Ada", Word: "heron", Seed: 3, Choices: []int64{0, -1, OwnTime, 1}, Times: []int64{-1, -1, 600, -1},
			Missed: []Miss{{2, 1, -1}, {2, OwnTime, 660}, {3, 0, -1}}, Again: 2}
		before := ""
		for k, c := range s.Choices {
			one := ""
			if c >= 0 {
				one = SealAnswer(key, before, s.Identity, k, c, s.Times[k], s.MissedAt(k)...)
				before = one
			}
			s.Seals = append(s.Seals, one)
		}
		s.Close(key)
		back, err := DecodeSheetLink(EncodeSheetLink(s))
		if err != nil {
			t.Fatal(err)
		}
		return back
	}
	for _, c := range []struct {
		change func(*Sheet)
		want   string
	}{
		{func(*Sheet) {}, ""},
		{func(s *Sheet) { s.Choices[0] = 1 }, "answer 1 does not fit its seal"},
		{func(s *Sheet) { s.Choices[1] = 1 }, "answer 2 does not fit its seal"},
		{func(s *Sheet) { s.Times[2] = 660 }, "answer 3 does not fit its seal"},
		{func(s *Sheet) { s.Choices[3] = -1 }, "answer 4 does not fit its seal"},
		{func(s *Sheet) { s.Missed = s.Missed[1:] }, "answer 3 does not fit its seal"},
		{func(s *Sheet) { s.Missed[2].Choice = 2 }, "answer 4 does not fit its seal"},
		{func(s *Sheet) { s.Again = 0 }, SealSheet},
		{func(s *Sheet) { s.Name = "Bob" }, SealSheet},
		{func(s *Sheet) { s.Word = "late" }, SealSheet},
		{func(s *Sheet) { s.Seed = 4 }, SealSheet},
		{func(s *Sheet) { s.Seals = nil }, SealMissing},
	} {
		s := make()
		c.change(s)
		if got := strings.Join(s.Changed(key), "; "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if again, err := DecodeSheet([]byte(SheetText(s))); err != nil || again.Seed != s.Seed || again.Again != s.Again || !slices.Equal(again.Missed, s.Missed) || again.Word != s.Word {
			t.Errorf("the checksum is no seal, and can be made anew: %v", err)
		}
	}
}

// If this fails an assignment that cannot be given is opened.
func TestAssignmentFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"batchlab-assignment":1}`:                                                        "must hold either the key of a lesson or the lesson",
		`{"batchlab-assignment":1,"key":"hole","numbers":"nam"}`:                           `did you mean "name"?`,
		`{"batchlab-assignment":1,"key":"hole","seed":201}`:                                "seed",
		`{"batchlab-assignment":1,"key":"hole","seal":"xyz"}`:                              "must be 32 hexadecimal digits",
		`{"batchlab-assignment":1,"key":"hole","phrase":"p"}`:                              "unknown key",
		`{"batchlab-assignment":1,"numbers":"name","lesson":` + plainLesson + `}`:          "has no numbers that are drawn",
		`{"batchlab-assignment":1,"numbers":"same","seed":0,"lesson":` + plainLesson + `}`: "",
	} {
		a := &Assignment{}
		err := readWhole([]byte(text), "an assignment is an object", a.visit)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if BoardOf("Ada  Lovelace ") != BoardOf("ada lovelace") {
		t.Error("how a name is written changes the numbers")
	}
	seen := map[int64]bool{}
	for i := range 5000 {
		n := BoardOf(strings.Repeat("x", i%70) + string(rune('a'+i/70)))
		if n < 1 || n > Boards {
			t.Fatalf("numbers %d", n)
		}
		seen[n] = true
	}
	if len(seen) != Boards {
		t.Errorf("%d boards are given out", len(seen))
	}
}

const plainLesson = `{"batchlab-lesson":1,"title":"T","steps":[{"text":"One.","case":"hole"}]}`

// Whatever a link holds, reading it gives an assignment that is written as it was read,
// or an error.
func FuzzAssignmentLink(f *testing.F) {
	f.Add(EncodeAssignmentLink(&Assignment{Key: "hole", Numbers: NumbersName, Word: "heron", Seal: SealKey("x")}))
	f.Add("#h=")
	f.Fuzz(func(t *testing.T, link string) {
		a, err := DecodeAssignmentLink(link)
		if err != nil {
			return
		}
		again, err := DecodeAssignmentLink(EncodeAssignmentLink(a))
		if err != nil || again.Word != a.Word || again.Seed != a.Seed || again.Key != a.Key {
			t.Errorf("%+v becomes %+v, %v", a, again, err)
		}
	})
}

// If this fails wrong tries of a sheet are read that no page writes, or an old sheet or
// assignment says another thing than before.
func TestTriesOfASheet(t *testing.T) {
	s := &Sheet{Key: "hole", Identity: strings.Repeat("a", 64), Choices: []int64{0, 1}, Missed: []Miss{{1, 0, -1}}}
	text := SheetText(s)
	for list, want := range map[string]string{"[1,0,-1]": "", "[1,0]": "three numbers", "[2,0,-1]": "which 2, 0, -1 are not", "[1,7,-1]": "are not", "[-1,0,-1]": "are not", "[1,0,-1,0,0,-1]": "in order of questions"} {
		_, err := DecodeSheet([]byte(strings.Replace(text, "[1,0,-1]", list, 1)))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", list, err)
		}
	}
	if text := SheetText(&Sheet{Key: "hole", Identity: s.Identity, Choices: []int64{0, 1}}); strings.Contains(text, "missed") || strings.Contains(text, "again") {
		t.Error("a sheet without wrong tries says more than before: " + text)
	}
	for tries, want := range map[string]int64{`,"tries":0`: 0, "": 1, `,"tries":3`: 3} {
		a := &Assignment{}
		if err := readWhole([]byte(`{"batchlab-assignment":1,"key":"hole"`+tries+`}`), "", a.visit); err != nil || a.Tries != want {
			t.Errorf("%q: %d tries, %v", tries, a.Tries, err)
		}
	}
}
