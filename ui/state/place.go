package state

import (
	"strings"

	"batchlab/core/experiment"
)

// Place is where the page is, beside the laboratory itself: with nothing in it,
// in the laboratory.
type Place struct {
	Key    string             // "lessons", "cases"; "" the laboratory
	Item   string             // key of the lesson that is open, "" none
	Lesson *experiment.Lesson // a lesson of somebody's own, instead of Item
	Sheet  *experiment.Sheet  // answers to look at
	Count  int                // grows with every visit
}

// ShowPlace goes to a place; what is in the laboratory stays as it is.
func (s *Store) ShowPlace(p Place) {
	p.Count = s.Place.Count + 1
	s.Place = p
	s.touch()
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

// openPlace follows the hash of an address that holds a lesson or answers to
// one; ok is false for any other.
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
