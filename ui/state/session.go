package state

import (
	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/draft"
	"batchlab/ui/look"
)

// The address holds the session: settings and view, as they stand. A reload, a
// second tab or a bookmark opens what was there; the log comes from the browser's
// store.

// Session is the part of an address, from "#" on, that opens the settings and the
// view as they stand; "" for what a visit without an address begins with. ok is
// false while the address had better stay as it is: something is being read or
// run, a log is waited for, or the settings are no valid document or too large for
// a link.
func (s *Store) Session() (hash string, ok bool) {
	if s.Ran == nil || s.Loading || s.Pending != nil || s.Wanted != nil || s.Asked.Seeks() {
		return "", false
	}
	if s.session.of != s.Edits || s.session.link == "" {
		s.session = session{of: s.Edits}
		if s.Faulty() {
			return "", false
		}
		if doc := s.document(false); experiment.FitsLink(doc) {
			s.session.link = experiment.EncodeLink(doc)
		}
		s.session.first = !s.Edited() && s.Preset == catalog.DefaultPreset
	}
	if s.session.link == "" {
		return "", false
	}
	hash = s.session.link
	switch view := s.Text(); {
	case view != "":
		hash += "&v=" + view
	case s.session.first:
		hash = ""
	}
	if place := s.PlaceText(); place != "" {
		if hash += "&p=" + place; hash[0] == '&' {
			hash = "#" + hash[1:]
		}
	}
	return hash, true
}

// session is what Session computed for the settings as they were.
type session struct {
	of    int    // edits that the settings had seen
	link  string // "" too large
	first bool   // these are the settings of a visit without an address
}

// Return looks at what the page looked at at an earlier moment of this visit, in
// the words of ViewText: the browser's back and forward.
func (s *Store) Return(view string) {
	l, err := look.Read(view)
	if err != nil || s.Ran == nil {
		return
	}
	v := &s.View
	*v = look.View{Tab: "overview", Job: -1, Colour: "wait", Dark: v.Dark, Own: v.Own}
	s.fresh = false
	s.First(len(s.Ran.Schedulers))
	s.Asked = l
	s.show(l)
	s.FindJob()
	s.Clamp()
	s.Touch()
}

// Revisit opens the address of an earlier visit: the view alone where the settings
// are the same and have been run.
func (s *Store) Revisit(hash string) {
	doc, err := experiment.DecodeLink(hash)
	if err == nil && s.Ran != nil && !s.Stale() && draft.Same(doc, &s.Settings) {
		s.Return(experiment.LinkPart(hash, "v"))
		s.GoPlace(experiment.LinkPart(hash, "p"))
		return
	}
	s.View.Tab = "overview"
	switch {
	case hasLink(hash):
		s.FollowLink(hash)
		return
	case s.Ran == nil || s.Stale() || s.Edited() || s.Preset != catalog.DefaultPreset:
		s.OpenPreset("")
	}
	s.GoPlace(experiment.LinkPart(hash, "p"))
}

// Where is what the browser's history has entries for: the tab, or the place
// beside the laboratory.
func (s *Store) Where() string {
	if place := s.PlaceText(); place != "" {
		return "#" + place
	}
	return s.View.Tab
}

// show looks at what the link that was opened looks at. It is called once, for
// the first run of the opened experiment.
func (s *Store) show(l *look.Link) {
	v := &s.View
	l.Apply(v)
	if v.Tab == "search" {
		s.searchSoon = true
		s.searchIfDue()
	}
	n := s.Schedulers()
	most := 0
	for _, r := range s.Runs {
		most = max(most, r.Repetition)
	}
	if v.A >= n || v.B >= n || v.Baseline >= n || v.Tab != "vary" && v.Repetition > most || v.More[0] > n || v.More[1] > n {
		s.Tell("The link shows a run that its experiment does not have: the default view is shown instead.")
	}
}
