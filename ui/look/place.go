package look

import (
	"slices"
	"strings"

	"batchlab/core/experiment"
)

// Place is where the page is, beside the laboratory itself: with nothing in it,
// in the laboratory.
type Place struct {
	Key    string                 // one of Places; "" the laboratory
	Item   string                 // key of the lesson, the study or the table that is open, "" none
	Lesson *experiment.Lesson     // a lesson of somebody's own, instead of Item
	Sheet  *experiment.Sheet      // answers to look at
	Given  *experiment.Assignment // a lesson as a lecturer gave it out
	Count  int                    // grows with every visit
}

// Places are the keys of the places that there are; package ui fills them.
var Places []string

// PapersPlace is the key of the place of the studies.
const PapersPlace = "papers"

// ShowPlace goes to a place; what is in the laboratory stays as it is.
func (s *Page) ShowPlace(p Place) {
	p.Count = s.Place.Count + 1
	s.Place = p
	s.host.Went()
	s.board.Touch()
}

// PlaceText is the place as the part p of an address has it: its key, and behind
// a dot what is open there. It is "" in the laboratory, and for a lesson or
// answers that an address of their own holds.
func (s *Page) PlaceText() string {
	p := &s.Place
	switch {
	case p.Lesson != nil || p.Sheet != nil || p.Given != nil:
		return ""
	case p.Item != "":
		return p.Key + "." + p.Item
	}
	return p.Key
}

// GoPlace goes to the place that an address names, in the words of PlaceText. A
// place that is not known is the laboratory.
func (s *Page) GoPlace(text string) {
	key, item, _ := strings.Cut(text, ".")
	switch {
	case text == s.PlaceText() && s.Place.Lesson == nil && s.Place.Sheet == nil && s.Place.Given == nil:
	case !slices.Contains(Places, key):
		s.LeavePlace()
	default:
		s.ShowPlace(Place{Key: key, Item: item})
	}
}

// LeavePlace goes back to the laboratory.
func (s *Page) LeavePlace() {
	if s.Place.Key != "" {
		s.ShowPlace(Place{})
	}
}

// OpenPapers goes to the papers: to the list (""), to a study or to one of its
// tables and figures, by their keys.
func (s *Page) OpenPapers(item string) { s.ShowPlace(Place{Key: PapersPlace, Item: item}) }
