package experiment

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"batchlab/core/sum"
)

// Whose numbers a class gets.
const (
	NumbersSame = "same" // all the same seed's
	NumbersName = "name" // each those that follow from the name
	NumbersTry  = "try"  // these at first, and others after each wrong answer
)

// Assignment is a lesson as a class gets it: a link with the lesson, whose numbers
// everybody has, a word that the answers carry and, where they are sealed, the key.
type Assignment struct {
	Key         string  // of a lesson that comes with the page; "" for another
	Lesson      *Lesson // the lesson itself, when Key is ""
	Course, Due string  // the lecturer's header, instead of the lesson's
	Numbers     string  // a Numbers… constant
	Seed        int64   // of NumbersSame, 0 … Boards
	Word        string  // carried by the answers; "" none
	Seal        string  // key of the seals, 32 hexadecimal digits; "" none
	Tries       int64   // answers that a question takes before it shows what happens, 1 … MaxTries; 0: until one is right
}

// MaxTries bounds the tries of a question, where they are bounded.
const MaxTries = 3

// EncodeAssignmentLink returns the fragment "#h=…" of a link to an assignment.
func EncodeAssignmentLink(a *Assignment) string {
	c := codec{mode: writing}
	return "#h=" + linkText(appendPlain(nil, c.walk("", nil, a.visit), ""))
}

// DecodeAssignmentLink reads the assignment in a link.
func DecodeAssignmentLink(link string) (*Assignment, error) {
	data, err := unpackLink(link, "h", "assignment")
	if err != nil {
		return nil, err
	}
	a := &Assignment{}
	if err := readWhole(data, "an assignment is an object", a.visit); err != nil {
		return nil, err
	}
	return a, nil
}

func (a *Assignment) visit(g *group) {
	version := int64(Version)
	g.integer("batchlab-assignment", &version, 0, span{Version, Version})
	g.lesson(&a.Key, &a.Lesson)
	g.word("course", &a.Course, "", MaxTitle)
	g.word("due", &a.Due, "", MaxLabel)
	g.choice("numbers", &a.Numbers, NumbersSame, "rule for numbers", []string{NumbersSame, NumbersName, NumbersTry})
	g.integer("seed", &a.Seed, 0, span{0, Boards})
	g.word("word", &a.Word, "", MaxLabel)
	g.word("seal", &a.Seal, "", sealKey)
	g.integer("tries", &a.Tries, 1, span{0, MaxTries})
	if !g.checks() {
		return
	}
	if a.Seal != "" && (len(a.Seal) != sealKey || strings.Trim(a.Seal, "0123456789abcdef") != "") {
		g.fault("seal", fmt.Sprintf("must be %d hexadecimal digits in lower case", sealKey))
	}
	if a.Lesson != nil && a.Lesson.Draw == nil && (a.Seed > 0 || a.Personal()) {
		g.fault("numbers", "this lesson has no numbers that are drawn")
	}
}

// Personal reports whether the numbers follow from the name of who answers.
func (a *Assignment) Personal() bool { return a.Numbers == NumbersName || a.Numbers == NumbersTry }

// lesson visits a lesson of the page, by its key, or another one.
func (g *group) lesson(key *string, l **Lesson) {
	g.word("key", key, "", MaxLabel)
	in := g.ask("lesson")
	if g.c.mode == reading {
		if *l = nil; in != nil {
			*l = &Lesson{}
		}
	}
	if *l != nil {
		if out := g.c.walk(join(g.path, "lesson"), in, (*l).visit); g.c.mode == writing {
			g.out.set("lesson", out)
		}
	}
	if g.checks() && (*l == nil) == (*key == "") {
		g.fault("lesson", "must hold either the key of a lesson or the lesson")
	}
}

// BoardOf is the seed that follows from a name or a number, 1 … Boards; how it is
// written, large or small and with which spaces, makes no difference.
func BoardOf(name string) int64 {
	h := sum.Of([]byte("batchlab-board\n" + strings.ToLower(strings.Join(strings.Fields(name), " "))))
	return 1 + int64(binary.BigEndian.Uint64(h[:])%Boards)
}

// BoardAfter is the seed that follows on one of 1 … Boards after so many wrong answers,
// where each try has other numbers: another one each time, until all have been.
func BoardAfter(seed int64, misses int) int64 {
	const apart = 67 // shares no divisor with Boards
	return 1 + (seed-1+apart*int64(misses))%Boards
}

const (
	sealKey  = 32 // digits of a key
	sealText = 16 // digits of a seal
)

// SealKey makes the key of the seals out of a lecturer's phrase. The link of an
// assignment holds the key, since the students' browsers seal with it, and not the
// phrase.
func SealKey(phrase string) string {
	h := sum.Of([]byte("batchlab-phrase\n" + strings.Join(strings.Fields(phrase), " ")))
	return hex.EncodeToString(h[:sealKey/2])
}

// seal is the HMAC-SHA256 (RFC 2104) of a text, its first 64 bits in hexadecimal.
func seal(key, text string) string {
	var inner, outer [64]byte
	copy(inner[:], key)
	for i := range inner {
		outer[i] = inner[i] ^ 0x5c
		inner[i] ^= 0x36
	}
	in := sum.Of(append(inner[:], text...))
	out := sum.Of(append(outer[:], in[:]...))
	return hex.EncodeToString(out[:sealText/2])
}

// SealAnswer seals the answer to question k, counted from 0, of a lesson with the
// given identity at the moment it is made; before is the seal of the answer before it,
// missed are the wrong answers to the same question that were given before this one.
func SealAnswer(key, before, identity string, k int, choice, time int64, missed ...Miss) string {
	text := fmt.Sprintf("answer\n%s\n%s\n%d\n%d\n%d", before, identity, k, choice, time)
	for _, m := range missed {
		text += fmt.Sprintf("\n%d %d", m.Choice, m.Time)
	}
	return seal(key, text)
}

// sealSheet seals who handed in, and with which word.
func (s *Sheet) sealSheet(key, before string) string {
	text := fmt.Sprintf("sheet\n%s\n%q\n%q\n%s\n%d", before, s.Name, s.Word, s.Numbers, s.Seed)
	if s.Again > 0 {
		text += fmt.Sprintf("\n%d", s.Again)
	}
	return seal(key, text)
}

// Close puts the last seal under the answers.
func (s *Sheet) Close(key string) {
	before := ""
	for _, one := range s.Seals {
		if one != "" {
			before = one
		}
	}
	s.Seals = append(s.Seals, s.sealSheet(key, before))
}

// Seals that do not fit.
const (
	SealMissing = "there is no seal"
	SealSheet   = "the name, the word or the numbers do not fit the seal"
)

// Changed says what of a sheet does not fit the seals of a key: it was changed after it
// was made, or sealed with another key. Nothing: it is as it was made.
func (s *Sheet) Changed(key string) (list []string) {
	if len(s.Seals) != len(s.Choices)+1 {
		return []string{SealMissing}
	}
	before := ""
	for k, choice := range s.Choices {
		time := int64(-1)
		if k < len(s.Times) {
			time = s.Times[k]
		}
		want := ""
		if choice >= 0 {
			want = SealAnswer(key, before, s.Identity, k, choice, time, s.MissedAt(k)...)
		}
		if s.Seals[k] != want {
			list = append(list, fmt.Sprintf("answer %d does not fit its seal", k+1))
		}
		if s.Seals[k] != "" {
			before = s.Seals[k]
		}
	}
	if s.Seals[len(s.Choices)] != s.sealSheet(key, before) {
		list = append(list, SealSheet)
	}
	return list
}
