package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Sheet is what somebody answered to a lesson. Whoever opens it has the answers
// judged anew by the laboratory: it holds choices and no marks.
type Sheet struct {
	Key      string  // of a lesson that comes with the page; "" for another
	Lesson   *Lesson // the lesson itself, when Key is ""
	Identity string  // of the lesson that was answered
	Name     string  // of who answered; "" not said
	Choices  []int64 // for each question of the lesson, in order, the option chosen, from 0; −1: none
}

// EncodeSheetLink returns the fragment "#a=…" of a link to a sheet.
func EncodeSheetLink(s *Sheet) string { return "#a=" + linkText([]byte(SheetText(s))) }

// SheetText returns a sheet as the JSON that DecodeSheet reads.
func SheetText(s *Sheet) string {
	c := codec{mode: writing}
	return string(appendPlain(nil, c.walk("", nil, s.visit), ""))
}

// DecodeSheetLink reads the sheet in a link, as DecodeSheet does.
func DecodeSheetLink(link string) (*Sheet, error) {
	data, err := unpackLink(link, "a", "answers")
	if err != nil {
		return nil, err
	}
	return DecodeSheet(data)
}

// DecodeSheet reads a sheet, and refuses one whose checksum does not fit it: it was
// damaged, or changed without care. Who made it the checksum cannot show.
// Whether its lesson is still the same is for the caller to see, who has it:
// Identity.
func DecodeSheet(data []byte) (*Sheet, error) {
	s := &Sheet{}
	if err := readWhole(data, "answers are an object", s.visit); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Sheet) visit(g *group) {
	version := int64(Version)
	g.integer("batchlab-answers", &version, 0, span{Version, Version})
	g.word("key", &s.Key, "", MaxLabel)
	in := g.ask("lesson")
	if g.c.mode == reading {
		if s.Lesson = nil; in != nil {
			s.Lesson = &Lesson{}
		}
	}
	if s.Lesson != nil {
		if out := g.c.walk(join(g.path, "lesson"), in, s.Lesson.visit); g.c.mode == writing {
			g.out.set("lesson", out)
		}
	}
	if g.c.mode != writing && (s.Lesson == nil) == (s.Key == "") {
		g.fault("lesson", "must hold either the key of a lesson or the lesson")
	}
	g.hash("identity", &s.Identity)
	g.word("name", &s.Name, "", MaxLabel)
	g.integers("choices", &s.Choices, MaxSteps, span{-1, maxOptions - 1})
	sum := s.sum()
	g.hash("sum", &sum)
	if g.c.mode == reading && sum != s.sum() && len(g.c.list) == 0 {
		g.fault("sum", "the answers do not fit their checksum: the link was damaged or changed after it was made")
	}
}

// sum is a checksum of name and answers. It is no signature: whoever changes them can
// compute it anew.
func (s *Sheet) sum() string {
	h := sha256.Sum256(fmt.Appendf(nil, "batchlab-answers-1\n%s\n%s\n%s\n%v", s.Key, s.Identity, s.Name, s.Choices))
	return hex.EncodeToString(h[:])
}
