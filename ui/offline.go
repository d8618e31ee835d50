package ui

// Updater is what a Host offers that can bring in a newer version of the page.
type Updater interface {
	// Update loads the page again in its newest version.
	Update()
}

// offlineText is the state of offline use in two words, "" while there is
// nothing to say.
func (c *Top) offlineText() string {
	switch c.P.Offline {
	case "ready", "file":
		return "Works offline"
	case "insecure":
		return "Online only"
	}
	return ""
}

func (c *Top) offlineTitle() string {
	switch c.P.Offline {
	case "ready":
		return "This page is kept in your browser: it runs with the network off"
	case "file":
		return "This page is one file: it runs with the network off"
	case "insecure":
		return "This page came over plain http, and browsers keep only pages of https or of this computer. Everything else works."
	}
	return ""
}

// updateTitle says when the newer version comes: never under a run.
func (c *Top) updateTitle() string {
	if c.P.S.Active() {
		return "A newer version is here. It can be loaded once the runs are done."
	}
	return "A newer version is here. Your settings stay."
}

// update loads the newer version. While something runs it does nothing.
func (p *Page) update() {
	if u, ok := p.Host.(Updater); ok && !p.S.Active() {
		p.Host.ShowHash(p.Host.Address() + p.S.LinkHash(false))
		u.Update()
	}
}
