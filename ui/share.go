package ui

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Share is the inside of the share dialog.
type Share struct {
	P *Page
}

func (c *Share) s() *state.Store { return c.P.S }

// Lengths of a link: plain everywhere, and where a file is the better way.
const (
	plainLink = 2000
	longLink  = 8000
)

func (c *Share) length() string {
	if !c.s().FitsLink() {
		return "More than 64" + words.NB + "KB of settings do not fit into a link: save the experiment as a file, and send that"
	}
	n := len([]rune(c.P.Link))
	text := words.Count(n, "character", "characters")
	switch {
	case n <= plainLink:
		return text + ": fits everywhere, chat and mail"
	case n <= longLink:
		return text + ": fits in most places, but some shorten it"
	}
	return text + ": send the file instead, many programs cut such links"
}

func (c *Share) lengthBar() string {
	n := min(float64(len(c.P.Link))/longLink*100, 100)
	return "width:" + strconv.FormatFloat(n, 'f', 1, 64) + "%"
}

// hasQR reports whether the link fits into a QR code.
func (c *Share) hasQR() bool { return len(c.P.Link) > 0 && len(c.P.Link) <= draw.LongestQR }

// qr is the link's code. It comes with a later frame, since its library may have to be loaded first.
func (c *Share) qr() vugu.HTML {
	if link := c.P.Link; c.hasQR() && c.P.qrOf != link {
		c.P.qrOf, c.P.qrSVG = link, ""
		c.P.Host.QR(link, func(path string, size int) {
			if size > 0 && c.P.qrOf == link {
				c.P.qrSVG = draw.QRImage(path, size, "qr")
			}
		})
	}
	if !c.hasQR() || c.P.qrSVG == "" {
		return " "
	}
	return vugu.HTML(c.P.qrSVG)
}

// inside lists what the link holds.
func (c *Share) inside() []string {
	e := &c.s().Settings
	list := []string{
		words.Count(len(e.Schedulers), "scheduler", "schedulers") + " with their options, seed " + words.Int(int64(e.Seed)),
	}
	switch src := e.Workload.Source; {
	case src.Generator != nil:
		list = append(list, "The workload: its generator makes the same jobs from the seed")
	case src.Bundled != "":
		list = append(list, "The workload: it comes with the page")
	case src.Inline != nil:
		list = append(list, "The jobs, row by row")
	}
	list = append(list, "Platform, window, filters and measures")
	if view := c.view(); view != "" {
		list = append(list, view)
	}
	if c.s().Modified != "" {
		list = append(list, "Modified: "+c.s().Modified)
	}
	return list
}

// view says what of the view the link holds.
func (c *Share) view() string {
	if c.s().Ran == nil || c.s().Stale() {
		return ""
	}
	v := &c.s().View
	text := "The view: "
	for _, t := range views {
		if t.Key == v.Tab {
			text += t.Name
		}
	}
	if v.From != v.To {
		text += ", its time span"
	}
	if v.Low != v.High {
		text += ", its processors"
	}
	if jobs := c.s().Jobs[v.Repetition]; v.Job >= 0 && jobs != nil && v.Job < len(jobs.Number) {
		text += ", job " + words.Int(jobs.Number[v.Job])
	}
	return text
}

func (c *Share) missing() bool { return c.s().Settings.Workload.Source.Log != nil }

func (c *Share) missingName() string {
	l := c.s().Settings.Workload.Source.Log
	return l.Name + ", " + words.Bytes(l.Size)
}

func (c *Share) missingHash() string { return "SHA-256 " + c.s().Settings.Workload.Source.Log.SHA256 }

// canCheck reports whether there is a digest of these settings to send along.
func (c *Share) canCheck() bool { return c.s().Digest != "" && !c.s().Stale() }

func (c *Share) withDigest(e vugu.DOMEvent) {
	c.P.WithDigest = e.PropBool("target", "checked")
	c.P.makeLink()
}

func (c *Share) shortText() string {
	switch {
	case c.P.Short.Busy:
		return "Storing the experiment"
	case c.P.Short.ID != "":
		return "Use the long link"
	}
	return "Make it short"
}

// Shortener is what a Host offers that can store experiments on its server.
// Callbacks arrive on the page's thread.
type Shortener interface {
	// OffersShort asks whether the server stores experiments.
	OffersShort(done func(bool))
	// StoreShort stores a document and returns its id, or why it could not.
	StoreShort(document []byte, done func(id, fault string))
}

// short is how the short link stands.
type short struct {
	Offered, Busy bool
	ID            string // the link on show is the short one
	Error         string
	asked         bool
}

// offerShort asks once whether the server stores experiments.
func (p *Page) offerShort() {
	h, ok := p.Host.(Shortener)
	if !ok || p.Short.asked || p.Demo > 0 {
		return
	}
	p.Short.asked = true
	h.OffersShort(func(ok bool) {
		p.Short.Offered = ok
		p.Short.asked = ok // without a network it is asked again the next time
		p.S.Look(func(*look.View) {})
	})
}

// shorten stores the experiment and shows its short link, or goes back to the
// long one. The view stays behind the #, which no server sees.
func (p *Page) shorten() {
	h, ok := p.Host.(Shortener)
	switch {
	case !ok || p.Short.Busy:
		return
	case p.Short.ID != "":
		p.makeLink()
		return
	}
	p.Short.Busy, p.Short.Error = true, ""
	long := p.Link
	h.StoreShort(p.S.Document(p.WithDigest), func(id, fault string) {
		p.Short.Busy = false
		switch {
		case fault != "":
			p.Short.Error = "No short link: " + fault
		case p.Dialog == "share" && p.Link == long:
			p.Short.ID = id
			p.Link = p.Host.Address()[:strings.LastIndexByte(p.Host.Address(), '/')+1] + "x/" + id
			if _, view, ok := strings.Cut(long, "&v="); ok {
				p.Link += "#v=" + view
			}
			p.Said = "The link is short now"
		}
		p.S.Look(func(*look.View) {})
	})
}
