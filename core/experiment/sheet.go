package experiment

import (
	"encoding/hex"
	"fmt"

	"batchlab/core/sum"
)

// Sheet is what somebody answered to a lesson. Whoever opens it has the answers
// judged again by the laboratory: it holds choices and no marks.
type Sheet struct {
	Key      string  // of a lesson that comes with the page; "" for another
	Lesson   *Lesson // the lesson itself, when Key is ""
	Identity string  // of the lesson that was answered
	Name     string  // of who answered; "" not said
	Choices  []int64 // for each question of the lesson, in order, the option chosen, from 0; −1: none; OwnTime

	Seed    int64    // of the lesson's numbers; 0: as it is written
	Numbers string   // rule of the assignment: NumbersName, NumbersTry, or ""
	Word    string   // of the assignment; "" none
	Times   []int64  // by question, for OwnTime, in seconds; −1: none. Empty: no such answer
	Seals   []string // by question, "" for one without an answer, and one for the whole; empty: not sealed

	Missed []Miss // wrong answers that were given before those in Choices, in order of questions
	Again  int64  // how often the lesson was begun again after answers had been given
}

// Miss is a wrong answer after which somebody tried once more.
type Miss struct {
	Question     int64 // of the lesson, from 0
	Choice, Time int64 // as in Choices and Times
}

// MissedAt are the wrong answers to question k that came before the one in Choices.
func (s *Sheet) MissedAt(k int) (list []Miss) {
	for _, m := range s.Missed {
		if m.Question == int64(k) {
			list = append(list, m)
		}
	}
	return list
}

// MostTries is after how many answers a question shows what happens, where it waits
// until one is right.
const MostTries = 10

// MaxAgain is as far as new beginnings are counted.
const MaxAgain = 1000

// OwnTime is the choice of who gave a time instead of an option.
const OwnTime = maxOptions

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
	g.lesson(&s.Key, &s.Lesson)
	g.hash("identity", &s.Identity)
	g.word("name", &s.Name, "", MaxLabel)
	g.integers("choices", &s.Choices, MaxSteps, span{-1, OwnTime})
	g.integer("seed", &s.Seed, 0, span{0, Boards})
	g.word("numbers", &s.Numbers, "", MaxLabel)
	g.word("word", &s.Word, "", MaxLabel)
	g.integers("times", &s.Times, MaxSteps, anyTime)
	g.formulas("seals", &s.Seals, MaxSteps+1)
	s.visitMissed(g)
	g.integer("again", &s.Again, 0, span{0, MaxAgain})
	if g.checks() && len(s.Times) > 0 && len(s.Times) != len(s.Choices) {
		g.fault("times", "must have as many entries as choices")
	}
	sum := s.sum()
	g.hash("sum", &sum)
	if g.c.mode == reading && sum != s.sum() && len(g.c.list) == 0 {
		g.fault("sum", "the answers do not fit their checksum: the link was damaged or changed after it was made")
	}
}

// visitMissed visits the wrong answers, three numbers each: question, choice, time.
func (s *Sheet) visitMissed(g *group) {
	var flat []int64
	for _, m := range s.Missed {
		flat = append(flat, m.Question, m.Choice, m.Time)
	}
	g.integers("missed", &flat, 3*MostTries*MaxSteps, anyTime)
	if g.c.mode != reading {
		return
	}
	s.Missed = nil
	for i := 0; i+2 < len(flat); i += 3 {
		m := Miss{flat[i], flat[i+1], flat[i+2]}
		if m.Question < 0 || m.Question >= int64(len(s.Choices)) || m.Choice < 0 || m.Choice > OwnTime || i > 0 && m.Question < flat[i-3] {
			g.fault("missed", fmt.Sprintf("holds question, choice and time of each wrong answer in order of questions, which %d, %d, %d are not", m.Question, m.Choice, m.Time))
			return
		}
		s.Missed = append(s.Missed, m)
	}
	if len(flat)%3 != 0 {
		g.fault("missed", "holds three numbers for each wrong answer")
	}
}

// sum is a checksum of name and answers. It is no signature: whoever changes them can
// compute it again.
func (s *Sheet) sum() string {
	text := fmt.Appendf(nil, "batchlab-answers-1\n%s\n%s\n%s\n%v", s.Key, s.Identity, s.Name, s.Choices)
	if s.Seed > 0 || s.Numbers != "" || s.Word != "" || len(s.Times)+len(s.Seals) > 0 {
		text = fmt.Appendf(text, "\n%d\n%q\n%q\n%v\n%q", s.Seed, s.Numbers, s.Word, s.Times, s.Seals)
	}
	if len(s.Missed) > 0 || s.Again > 0 {
		text = fmt.Appendf(text, "\n%v\n%d", s.Missed, s.Again)
	}
	h := sum.Of(text)
	return hex.EncodeToString(h[:])
}
