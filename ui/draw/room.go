package draw

import "batchlab/ui/state"

// Room is a view of the page: a tab and what stands in it. Each is declared in
// the package of its view and named in one row of package ui, which makes tabs,
// keys and panels from it.
type Room struct {
	Key, Name string                    // of the tab; links hold the key
	Shown     func(*state.Store) bool   // whether there is a tab now; nil: always
	Count     func(*state.Store) string // small print on the tab, nil or "" none
	Parts     []Part                    // the elements of the panel, from top to bottom
	Markup    func(*state.Store) Markup // what stands below them, islands in it; written whenever the page is; nil: nothing

	// Acts are what buttons with data-act="KEY:ARGUMENT" do, and boxes with data-tick and
	// inputs with data-put, which add =VALUE.
	Acts map[string]func(s *state.Store, arg string)

	Islands map[string]Maker // fills them, by name; set by the view's init in the browser
	Styles  string           // CSS of the view's own, set like Islands
}

// Part is an element of a view's panel, which an island fills.
type Part struct {
	Island string                    // name of the island, what follows a colon is handed to it
	Class  func(*state.Store) string // beside "island"; nil: "full", the whole panel
	Hidden func(*state.Store) bool   // nil: never
}

// Maker makes an island in its host.
type Maker func(*Host) Island

// Present reports whether the view has a tab now.
func (v *Room) Present(s *state.Store) bool { return v.Shown == nil || v.Shown(s) }

// Small is the small print on the tab.
func (v *Room) Small(s *state.Store) string {
	if v.Count == nil {
		return ""
	}
	return v.Count(s)
}

// ClassOf is the class attribute of a part's element.
func (p *Part) ClassOf(s *state.Store) string {
	if p.Class == nil {
		return "island full"
	}
	return "island " + p.Class(s)
}

// IsHidden reports whether a part's element is hidden now.
func (p *Part) IsHidden(s *state.Store) bool { return p.Hidden != nil && p.Hidden(s) }
