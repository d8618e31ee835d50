package bridge

import "fmt"

// StudyPart is a worker's part of a preset, or what it is given on the way. All
// workers compute the same preset, each with a part of its pieces, and pass
// what came of these on.
type StudyPart struct {
	Key   string `json:"key,omitempty"` // of the preset
	Quick bool   `json:"quick,omitempty"`
	Parts int    `json:"parts,omitempty"` // workers that take part

	// Document asks for the preset's experiment alone (engine.StudyDocument).
	Document bool `json:"document,omitempty"`

	// Of give: the phase, and the piece in it, −1 none is left. When Shared is
	// set, the buffers are what all other workers' pieces came to.
	Phase  int  `json:"phase,omitempty"`
	Item   int  `json:"item,omitempty"`
	Shared bool `json:"shared,omitempty"`

	// The log that came along with a study, if one did.
	Name, SHA256 string `json:",omitempty"`
	Size         int64  `json:",omitempty"`
}

// check refuses what no worker could do.
func (p *StudyPart) check(kind string) error {
	switch {
	case kind == Study && (p.Key == "" || p.Parts < 1):
		return fmt.Errorf("bridge: study: preset %q on %d workers", p.Key, p.Parts)
	case kind == Give && (p.Phase < 1 || p.Item < -1):
		return fmt.Errorf("bridge: give: piece %d of phase %d", p.Item, p.Phase)
	}
	return nil
}
