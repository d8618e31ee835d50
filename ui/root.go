package ui

import "batchlab/ui/state"

// Root is the whole page.
type Root struct {
	P *Page
}

// NewRoot returns the page over s.
func NewRoot(s *state.Store) *Root { return &Root{P: newPage(s)} }

func (c *Root) class() string {
	return "app" + when(c.P.Drawer, " drawer") + when(c.P.Tour.Step > 0, " demo") + when(c.P.first(), " first") + when(c.P.Tour.Auto || c.P.S.View.Large, " large")
}

// place names the place on show.
func (c *Root) place() string {
	for _, r := range places {
		if r.Key == c.P.S.Place.Key {
			return r.Name
		}
	}
	return ""
}

// status is what a screen reader is told.
func (c *Root) status() string {
	s := c.P.S
	switch {
	case c.P.Said != "":
		return c.P.Said
	case s.Loading:
		return "Reading the workload"
	case s.Active():
		return "Running"
	case s.Verdict() != "":
		return "Done, " + s.Verdict()
	case s.Some():
		return "Done"
	}
	return ""
}
