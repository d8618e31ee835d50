package state

import (
	"strconv"
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/look"
)

// OpenLesson opens a lesson of somebody's own, for example a dropped file. It
// reports whether the text is meant to be one.
func (s *Store) OpenLesson(name string, data []byte) bool {
	if !strings.Contains(string(data[:min(len(data), 4000)]), `"batchlab-lesson"`) {
		return false
	}
	l, err := experiment.DecodeLesson(data)
	if err != nil {
		text := ""
		for _, f := range experiment.Faults(err) {
			if text += "\n"; f.Line > 0 && !strings.HasPrefix(f.Message, "line ") {
				text += "line " + strconv.Itoa(f.Line) + ": "
			}
			text += f.Error()
		}
		s.Tell(name + " is no lesson that can be opened: " + text[1:])
		return true
	}
	s.ShowPlace(look.Place{Key: "lessons", Lesson: l})
	return true
}

// openPlace follows the hash of an address that holds a lesson, answers to one, or
// nothing but a place; ok is false for any other.
func (s *Store) openPlace(hash string) (ok bool) {
	place, what := look.Place{Key: "lessons"}, ""
	var err error
	switch {
	case experiment.LinkPart(hash, "l") != "":
		what = "lesson"
		place.Lesson, err = experiment.DecodeLessonLink(hash)
	case experiment.LinkPart(hash, "a") != "":
		what = "answers"
		place.Sheet, err = experiment.DecodeSheetLink(hash)
	case experiment.LinkPart(hash, "h") != "":
		what = "assignment"
		place.Given, err = experiment.DecodeAssignmentLink(hash)
	case experiment.LinkPart(hash, "p") != "" && !hasLink(hash):
		s.GoPlace(experiment.LinkPart(hash, "p"))
		return true
	default:
		return false
	}
	if err != nil {
		s.Tell("The " + what + " could not be opened: " + err.Error() + ".")
	} else {
		s.ShowPlace(place)
	}
	return true
}
