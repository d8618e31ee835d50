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
	if code, ok := linkCode(hash); ok {
		if err := s.openLink(code); err == nil {
			return
		} else {
			s.OpenPreset("")
			s.Notice = "The link could not be read: " + err.Error() + ". The default preset is shown instead."
			s.note("%s", s.Notice)
			s.touch()
			return
		}
	}
	s.OpenPreset("")
}

// FollowLink opens the link of a changed address; without one nothing happens.
func (s *Store) FollowLink(hash string) {
	code, ok := linkCode(hash)
	if !ok {
		return
	}
	if err := s.openLink(code); err != nil {
		s.Notice = "The link could not be read: " + err.Error() + ". What was open stays."
		s.note("%s", s.Notice)
		s.touch()
	}
}

// linkCode finds the experiment in the hash of an address.
func linkCode(hash string) (string, bool) {
	for part := range strings.SplitSeq(strings.TrimPrefix(hash, "#"), "&") {
		if code, ok := strings.CutPrefix(part, "x="); ok {
			return code, true
		}
	}
	return "", false
}

func (s *Store) openLink(code string) error {
	doc, err := experiment.DecodeLink(code)
	if err != nil {
		return err
	}
	s.Open(doc, "", true)
	return nil
}

// OpenText opens an experiment document, for example a dropped .json file.
// What was open stays when it is at fault.
func (s *Store) OpenText(name string, data []byte) {
	doc, err := experiment.Decode(data)
	if err != nil {
		s.Notice = fmt.Sprintf("%s could not be opened: %v", name, err)
		s.note("%s", s.Notice)
		s.touch()
		return
	}
	s.Open(doc, "", true)
}

// OpenPreset opens a preset and runs it; an empty key is the default preset.
func (s *Store) OpenPreset(key string) {
	row := catalog.FindPreset(or(key, catalog.DefaultPreset))
	if row == nil {
		s.Notice = "There is no preset called " + key
		s.touch()
		return
	}
	doc, err := experiment.Decode([]byte(row.Document))
	if err != nil {
		s.Notice = fmt.Sprintf("The preset %s could not be read: %v", row.Name, err)
		s.touch()
		return
	}
	s.Open(doc, row.Key, true)
}

// DropNotice takes the notice away.
func (s *Store) DropNotice() {
	s.Notice = ""
	s.touch()
}

// LinkHash returns the part of an address, from "#" on, that opens the
// settings as they stand. With the digest the recipient is told whether the
// result was reproduced; it goes in only while the results belong to the
// settings.
func (s *Store) LinkHash(withDigest bool) (string, error) {
	code, err := experiment.EncodeLink(s.document(withDigest))
	if err != nil {
		return "", err
	}
	return "#x=" + code, nil
}

// Document returns the settings as an experiment document (JSON), with the
// expected digest under the same condition as LinkHash.
func (s *Store) Document(withDigest bool) ([]byte, error) {
	return experiment.Encode(s.document(withDigest))
}

func (s *Store) document(withDigest bool) *experiment.Experiment {
	doc := clone(&s.Settings)
	doc.Expect = ""
	if withDigest && s.Ran != nil && !s.Stale() {
		doc.Expect = s.Digest
	}
	return &doc
}
