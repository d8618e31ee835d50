package state

import (
	"fmt"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/result"
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
		s.Tell("The link could not be opened: " + ended(err) + " The default preset is shown instead.")
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
	s.forget()
	if err := s.openLink(hash); err != nil {
		s.Tell("The link could not be opened: " + ended(err) + " What was open stays.")
	}
}

// ended is a message as a sentence of its own; some end with a question.
func ended(err error) string {
	if text := err.Error(); strings.HasSuffix(text, "?") {
		return text
	}
	return err.Error() + "."
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
	view, viewError := look.Read(experiment.LinkPart(hash, "v"))
	s.open(doc, "", true, func() {
		s.Asked, s.linked = view, true
		s.SetPlaces(view.Places())
	})
	if !s.Withheld() { // a program is read first
		s.GoPlace(experiment.LinkPart(hash, "p"))
	}
	if viewError != nil {
		s.Tell("The view of the link cannot be used: " + viewError.Error() + ". The default view is shown instead.")
	}
	return nil
}

// OpenText opens an experiment document, for example a dropped .json file.
// What was open stays when it is at fault.
func (s *Store) OpenText(name string, data []byte) {
	s.forget()
	doc, err := experiment.DecodeShared(data)
	if err != nil {
		s.Tell(fmt.Sprintf("%s could not be opened: %v", name, err))
		return
	}
	s.Open(doc, "", true)
}

// OpenPreset opens a preset and runs it; an empty key is the default preset. One
// for any log keeps the log that is open, with its machine.
func (s *Store) OpenPreset(key string) {
	if key == "" {
		key = catalog.DefaultPreset
	}
	s.forget()
	doc, err := experiment.Preset(key)
	if err != nil {
		s.Tell("The preset could not be opened: " + err.Error())
		return
	}
	if own := &s.Settings; catalog.FindPreset(key).AnyLog && own.Workload.Source.Log != nil && s.Preview != nil {
		kept := *doc
		kept.Workload, kept.Platform = own.Workload, own.Platform
		if kept.Validate() == nil {
			doc = &kept
		}
	}
	s.Open(doc, key, true)
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
	if s.Varies() && (s.Swept == nil || s.SweepStale()) || !s.Varies() && (s.Ran == nil || s.Stale()) {
		return ""
	}
	if v := s.Text(); v != "" {
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
	doc := *s.Settings.Clone()
	doc.Expect, doc.Trace = "", ""
	if withDigest && s.Varies() {
		if s.Swept != nil && draft.Same(s.Swept.Ran, &doc) {
			doc.Expect = s.Swept.Digest
		}
		return &doc
	}
	if withDigest && s.Ran != nil && !s.Stale() {
		doc.Expect, doc.Trace = s.Digest, s.TraceText()
	}
	return &doc
}

// RanDocument is the document that the results belong to, whatever is being
// typed, with their digest; that of the settings while there are none.
func (s *Store) RanDocument() *experiment.Experiment {
	if s.Ran == nil {
		return s.document(true)
	}
	ran := s.Ran.Clone()
	ran.Expect, ran.Trace = "", ""
	if s.Digest != "" {
		ran.Expect, ran.Trace = s.Digest, s.TraceText()
	}
	return ran
}

// NewBundle begins to pack the finished runs. charts, and what was drawn, come
// along as they are.
func (s *Store) NewBundle(charts, drawn []engine.File) *result.Bundle {
	return s.Pack(s.RanDocument(), s.Modified, charts, drawn)
}
