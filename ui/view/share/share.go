// Package share is the dialog that makes a link of an experiment, long or short, with its
// QR code, and says what the link holds.
package share

import (
	"strings"

	"batchlab/ui/draw"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Host is what only a browser can do for the dialog.
type Host interface {
	Copy(text string, done func(ok bool)) // to the clipboard
	Address() string                      // of this page, without the hash
	ShowHash(hash string)                 // in the address bar, without a new entry

	// QR calls done with a text's code, at once or later: the data of an SVG path
	// and the length of a side with its margin, 0 when there is no code.
	QR(text string, done func(path string, size int))
}

// Dialog is the dialog: the link on show, and how its short form stands.
type Dialog struct {
	S          *state.Store
	Host       Host
	Link       string
	WithDigest bool
	Offered    bool   // the server stores experiments
	Busy       bool   // one is being stored
	ID         string // the link on show is the short one
	Error      string
	asked      bool
	qrOf       string // the link that qr shows
	qr         draw.Markup
}

// Open makes the link of what is set; quiet: without asking whether the server stores it.
func (c *Dialog) Open(quiet bool) {
	c.make()
	c.qrOf = "" // what could not be loaded before is tried again
	if !quiet {
		c.offer()
	}
}

// Markup is the inside of the dialog over a tab; file: the page is one.
func (c *Dialog) Markup(tab string, file bool) draw.Markup {
	var w draw.Writer
	fits, l := c.fits(), c.S.Settings.Workload.Source.Log
	w.Put(`<p class="soft">Whoever opens the link gets the same settings, the same seed, the same view and the same numbers.</p>
<div class="link-row"><input type="text" class="input mono" id="link" readonly aria-label="Link" data-value="{}"><button type="button" class="btn primary" id="copy-link" data-act="copy-link"><i>{}</i>Copy link</button></div>
<div class="length-row"><p class="length" id="link-length">{}</p><button type="button" class="link-button last" id="make-short"{} aria-disabled="{}" data-act="shorten">{}</button></div>
<div class="length-bar" aria-hidden="true"><i style="width:{}%"></i><s class="at-2000"></s><s class="at-2900"></s></div>
<p class="length-ticks faint" aria-hidden="true"><span>2,000</span><span>2,900 QR</span><span>8,000: send the file instead</span></p>
<p class="fault-text" role="alert">{}</p>
<div class="share-cols"><div class="qr-at"{}>{}</div><div class="grow"><h3>{}</h3><ul class="list">`,
		c.Link, draw.Icon("copy"), c.length(), draw.When(!c.Offered, " hidden"), c.Busy, c.shortText(), min(float64(len(c.Link))/longLink*100, 100), c.Error,
		draw.When(!fits, " hidden"), c.code(), words.Either(c.ID != "", "Stored under this link", "In the link"))
	for _, text := range c.inside(tab) {
		w.Put(`<li><i class="good">{}</i><span>{}</span></li>`, draw.Icon("check"), text)
	}
	w.Add(`</ul>`)
	if l != nil {
		w.Put(`<div class="not-inside"><p><i>{}</i><b>Not in the link: your log</b></p><p>{}, {}</p><p class="mono faint wrap">SHA-256 {}</p><p>The recipient is asked for this file, and a wrong one is refused.</p></div>`, draw.Icon("warning"), l.Name, words.Bytes(l.Size), l.SHA256)
	}
	check := c.S.Digest != "" && !c.S.Stale() // there is a digest of these settings to send along
	w.Put(`<p class="hint"{}>This page is a file on your computer. Send what follows the # to someone who has the page, or save the experiment as a file.</p></div></div>
<label class="tick"><input type="checkbox" class="check"{} data-checked="{}" data-tick="link-digest:"><span>Let the recipient check the result</span><span class="faint">{}</span><span class="mono faint last">{}</span></label>`,
		draw.When(!file, " hidden"), draw.When(!check, " disabled"), c.WithDigest && check, words.Either(check, "against our digest", "once all runs of these settings are done"), words.When(check, words.Hash(c.S.Digest)))
	return w.Markup()
}

// Do does what a button of the dialog says, and reports whether it is one of them.
func (c *Dialog) Do(act, arg string) bool {
	switch act {
	case "copy-link":
		c.copy()
	case "shorten":
		c.shorten()
	case "link-digest":
		c.WithDigest = arg == "=true"
		c.make()
	default:
		return false
	}
	return true
}

// make writes the link.
func (c *Dialog) make() {
	c.Link = c.Host.Address() + c.S.LinkHash(c.WithDigest)
	c.ID, c.Error = "", ""
}

func (c *Dialog) copy() {
	c.Host.Copy(c.Link, func(ok bool) {
		c.S.Shell.Act("say:" + words.Either(ok, "Link copied", "The browser did not allow copying: select the link and copy it"))
	})
	if c.ID == "" { // the page itself stays where it is
		c.Host.ShowHash(c.Link)
	}
}

// Lengths of a link: plain everywhere, and where a file is the better way.
const (
	plainLink = 2000
	longLink  = 8000
)

func (c *Dialog) length() string {
	if !c.S.FitsLink() {
		return "More than 64" + words.NB + "KB of settings do not fit into a link: save the experiment as a file, and send that"
	}
	n := len([]rune(c.Link))
	text := words.Count(n, "character", "characters")
	switch {
	case n <= plainLink:
		return text + ": fits everywhere, chat and mail"
	case n <= longLink:
		return text + ": fits in most places, but some shorten it"
	}
	return text + ": send the file instead, many programs cut such links"
}

// fits reports whether the link fits into a QR code.
func (c *Dialog) fits() bool { return len(c.Link) > 0 && len(c.Link) <= draw.LongestQR }

// code is the link's QR code. It comes later, since its library may have to be loaded first.
func (c *Dialog) code() draw.Markup {
	if link := c.Link; c.fits() && c.qrOf != link {
		c.qrOf, c.qr = link, ""
		c.Host.QR(link, func(path string, size int) {
			if size > 0 && c.qrOf == link {
				c.qr = draw.QRImage(path, size, "qr")
			}
		})
	}
	return draw.When(c.fits(), c.qr)
}

// inside lists what the link holds.
func (c *Dialog) inside(tab string) []string {
	e := &c.S.Settings
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
	if view := c.view(tab); view != "" {
		list = append(list, view)
	}
	if c.S.Modified != "" {
		list = append(list, "Modified: "+c.S.Modified)
	}
	return list
}

// view says what of the view the link holds.
func (c *Dialog) view(tab string) string {
	if c.S.Ran == nil || c.S.Stale() {
		return ""
	}
	v := &c.S.View
	text := "The view: " + tab
	if v.From != v.To {
		text += ", its time span"
	}
	if v.Low != v.High {
		text += ", its processors"
	}
	if jobs := c.S.Jobs[v.Repetition]; v.Job >= 0 && jobs != nil && v.Job < len(jobs.Number) {
		text += ", job " + words.Int(jobs.Number[v.Job])
	}
	return text
}

func (c *Dialog) shortText() string {
	switch {
	case c.Busy:
		return "Storing the experiment"
	case c.ID != "":
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

// offer asks once whether the server stores experiments.
func (c *Dialog) offer() {
	h, ok := c.Host.(Shortener)
	if !ok || c.asked {
		return
	}
	c.asked = true
	h.OffersShort(func(ok bool) {
		c.Offered = ok
		c.asked = ok // without a network it is asked again the next time
		c.S.Touch()
	})
}

// shorten stores the experiment and shows its short link, or goes back to the
// long one. The view stays behind the #, which no server sees.
func (c *Dialog) shorten() {
	h, ok := c.Host.(Shortener)
	switch {
	case !ok || c.Busy:
		return
	case c.ID != "":
		c.make()
		return
	}
	c.Busy, c.Error = true, ""
	long := c.Link
	h.StoreShort(c.S.Document(c.WithDigest), func(id, fault string) {
		c.Busy = false
		switch {
		case fault != "":
			c.Error = "No short link: " + fault
		case c.Link == long:
			c.ID = id
			c.Link = c.Host.Address()[:strings.LastIndexByte(c.Host.Address(), '/')+1] + "x/" + id
			if _, view, ok := strings.Cut(long, "&v="); ok {
				c.Link += "#v=" + view
			}
			c.S.Shell.Act("say:The link is short now")
		}
		c.S.Touch()
	})
}
