package state

import (
	"fmt"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// Start fills the page at its first load: with the experiment of a link when
// the address has one (hash is the part from "#" on), else with the default
// preset, and runs it. A damaged link ends in a notice and the default preset.
func (s *Store) Start(hash string) {
	if hasLink(hash) {
		err := s.openLink(hash)
		if err == nil {
			return
		}
		s.OpenPreset("")
		s.tell("The link could not be opened: " + err.Error() + ". The default preset is shown instead.")
		return
	}
	s.OpenPreset("")
	s.openPlace(hash)
}

// FollowLink opens the link of a changed address; without one nothing happens.
// A damaged link leaves open what was open.
func (s *Store) FollowLink(hash string) {
	if s.openPlace(hash) {
		return
	}
	if !hasLink(hash) {
		return
	}
	if err := s.openLink(hash); err != nil {
		s.tell("The link could not be opened: " + err.Error() + ". What was open stays.")
	}
}

// hasLink reports whether the hash of an address holds an experiment.
func hasLink(hash string) bool {
	for part := range strings.SplitSeq(strings.TrimPrefix(hash, "#"), "&") {
		if strings.HasPrefix(part, "x=") {
			return true
		}
	}
	return false
}

func (s *Store) openLink(hash string) error {
	doc, err := experiment.DecodeLink(hash)
	if err != nil {
		return err
	}
	view, viewError := readView(experiment.LinkPart(hash, "v"))
	s.open(doc, "", true, func() { s.asked, s.linked = view, true })
	if !s.Withheld() { // a program is read first
		s.GoPlace(experiment.LinkPart(hash, "p"))
	}
	if viewError != nil {
		s.tell("The view of the link cannot be used: " + viewError.Error() + ". The default view is shown instead.")
	}
	return nil
}

// Tell shows one message for the whole page.
func (s *Store) Tell(text string) { s.tell(text) }

// tell shows one message for the whole page.
func (s *Store) tell(text string) {
	s.Notice = text
	s.note("%s", text)
	s.touch()
}

// OpenText opens an experiment document, for example a dropped .json file.
// What was open stays when it is at fault.
func (s *Store) OpenText(name string, data []byte) {
	doc, err := experiment.DecodeShared(data)
	if err != nil {
		s.tell(fmt.Sprintf("%s could not be opened: %v", name, err))
		return
	}
	s.Open(doc, "", true)
}

// OpenPreset opens a preset and runs it; an empty key is the default preset.
func (s *Store) OpenPreset(key string) {
	key = or(key, catalog.DefaultPreset)
	doc, err := experiment.Preset(key)
	if err != nil {
		s.tell("The preset could not be opened: " + err.Error())
		return
	}
	s.Open(doc, key, true)
}

// DropNotice takes the notice away.
func (s *Store) DropNotice() {
	s.Notice = ""
	s.touch()
}

// FitsLink says whether a link may hold the settings: larger ones, with very many
// machines or outages, go as files.
func (s *Store) FitsLink() bool { return experiment.FitsLink(s.document(false)) }

// LinkHash returns the part of an address, from "#" on, that opens the
// settings as they stand. With the digest the recipient is told whether the
// result was reproduced; it goes in only while the results belong to the
// settings.
func (s *Store) LinkHash(withDigest bool) string {
	return experiment.EncodeLink(s.document(withDigest)) + s.linkView()
}

// linkView is the part of a link that holds the view, "" while it does not
// belong to the settings or shows nothing special.
func (s *Store) linkView() string {
	if s.Varies() && (s.swept == nil || s.SweepStale()) || !s.Varies() && (s.Ran == nil || s.Stale()) {
		return ""
	}
	if v := s.viewText(); v != "" {
		return "&v=" + v
	}
	return ""
}

// Document returns the settings as an experiment document (JSON), with the
// expected digest under the same condition as LinkHash.
func (s *Store) Document(withDigest bool) []byte {
	return experiment.Encode(s.document(withDigest))
}

func (s *Store) document(withDigest bool) *experiment.Experiment {
	doc := clone(&s.Settings)
	doc.Expect, doc.Trace = "", ""
	if withDigest && s.Varies() {
		if s.swept != nil && same(&s.swept.Doc, &doc) {
			doc.Expect = s.swept.Digest
		}
		return &doc
	}
	if withDigest && s.Ran != nil && !s.Stale() {
		doc.Expect, doc.Trace = s.Digest, s.traceText()
	}
	return &doc
}
