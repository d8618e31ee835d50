package state

import (
	"slices"
	"strings"

	"batchlab/core/experiment"
)

// Place is where the page is, beside the laboratory itself: with nothing in it,
// in the laboratory.
type Place struct {
	Key    string             // one of Places; "" the laboratory
	Item   string             // key of the lesson, the study or the table that is open, "" none
	Lesson *experiment.Lesson // a lesson of somebody's own, instead of Item
	Sheet  *experiment.Sheet  // answers to look at
	Count  int                // grows with every visit
}

// Places are the keys of the places that there are; package ui fills them.
var Places []string

// PapersPlace is the key of the place of the studies.
const PapersPlace = "papers"

// ShowPlace goes to a place; what is in the laboratory stays as it is.
func (s *Store) ShowPlace(p Place) {
	p.Count = s.Place.Count + 1
	s.Place = p
	s.choosePlace()
	s.touch()
}

// PlaceText is the place as the part p of an address has it: its key, and behind
// a dot what is open there. It is "" in the laboratory, and for a lesson or
// answers that an address of their own holds.
func (s *Store) PlaceText() string {
	p := &s.Place
	switch {
	case p.Lesson != nil || p.Sheet != nil:
		return ""
	case p.Item != "":
		return p.Key + "." + p.Item
	}
	return p.Key
}

// GoPlace goes to the place that an address names, in the words of PlaceText. A
// place that is not known is the laboratory.
func (s *Store) GoPlace(text string) {
	key, item, _ := strings.Cut(text, ".")
	switch {
	case text == s.PlaceText() && s.Place.Lesson == nil && s.Place.Sheet == nil:
	case !slices.Contains(Places, key):
		s.LeavePlace()
	default:
		s.ShowPlace(Place{Key: key, Item: item})
	}
}

// LeavePlace goes back to the laboratory.
func (s *Store) LeavePlace() {
	if s.Place.Key != "" {
		s.ShowPlace(Place{})
	}
}

// OpenLesson opens a lesson of somebody's own, for example a dropped file. It
// reports whether the text is meant to be one.
func (s *Store) OpenLesson(name string, data []byte) bool {
	if !strings.Contains(string(data[:min(len(data), 4000)]), `"batchlab-lesson"`) {
		return false
	}
	l, err := experiment.DecodeLesson(data)
	if err != nil {
		s.tell(name + " is no lesson that can be opened: " + err.Error())
		return true
	}
	s.ShowPlace(Place{Key: "lessons", Lesson: l})
	return true
}

// openPlace follows the hash of an address that holds a lesson, answers to one, or
// nothing but a place; ok is false for any other.
func (s *Store) openPlace(hash string) (ok bool) {
	place, what := Place{Key: "lessons"}, ""
	var err error
	switch {
	case experiment.LinkPart(hash, "l") != "":
		what = "lesson"
		place.Lesson, err = experiment.DecodeLessonLink(hash)
	case experiment.LinkPart(hash, "a") != "":
		what = "answers"
		place.Sheet, err = experiment.DecodeSheetLink(hash)
	case experiment.LinkPart(hash, "p") != "" && !hasLink(hash):
		s.GoPlace(experiment.LinkPart(hash, "p"))
		return true
	default:
		return false
	}
	if err != nil {
		s.tell("The " + what + " could not be opened: " + err.Error() + ".")
	} else {
		s.ShowPlace(place)
	}
	return true
}
