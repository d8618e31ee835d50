//go:build js

package intake

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/annex"
	"batchlab/ui/draw"
	"batchlab/ui/zone"
)

//go:embed intake.css
var styles string

// view is the tab on the screen.
type view struct {
	*draw.Host
	page *annex.Page
	box  js.Value
}

var styled bool

// zones are offered beside the reader's own.
var zones = []string{"UTC", "Europe/London", "Europe/Berlin", "Europe/Prague", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney"}

// New makes the view.
func New(h *draw.Host, page *annex.Page) draw.Island {
	if !styled {
		styled = true
		draw.AddStyles(styles)
	}
	v := &view{Host: h, page: page}
	var list draw.Writer
	own := draw.Global.Get("Intl").Get("DateTimeFormat").New().Call("resolvedOptions").Get("timeZone")
	if own.Type() == js.TypeString {
		list.Put(`<option value="{}">`, own.String())
	}
	for _, z := range zones {
		list.Put(`<option value="{}">`, z)
	}
	v.box = draw.Build(h.Root, draw.HTML(`<div class="intake-at" data-part="box"></div><datalist id="import-zones">{}</datalist>`, list.Markup()))("box")
	h.Scope.Listen(v.box, "click", func(ev js.Value) {
		button := ev.Get("target").Call("closest", "[data-do]")
		if !button.Truthy() {
			return
		}
		switch what := button.Get("dataset").Get("do").String(); what {
		case "columns":
			of := map[string]string{}
			list := v.box.Call("querySelectorAll", "select[data-column]")
			for i := range list.Length() {
				el := list.Index(i)
				of[el.Get("dataset").Get("column").String()] = el.Get("value").String()
			}
			text, _ := json.Marshal(of)
			page.Act(what, string(text))
		case "use":
			page.Act("tab", "overview")
		case "save":
			v.save(button)
		case "copy":
			draw.Copy(annex.Command("", ""), func(ok bool) {
				if ok {
					button.Set("textContent", "Copied")
				}
			})
		default:
			page.Act(what, "")
		}
	})
	h.Scope.Listen(v.box, "change", func(ev js.Value) {
		el := ev.Get("target")
		if el.Get("id").String() != "import-zone" {
			return
		}
		name := strings.TrimSpace(el.Get("value").String())
		fault := draw.Find(v.box, "#import-zone-fault")
		if !known(name) {
			fault.Set("textContent", "No zone is called so: +01:00, UTC or a name such as Europe/Prague.")
			draw.Attr(el, "aria-invalid", "true")
			return
		}
		page.Act("zone", name)
	})
	return v
}

// save offers the log without names, and what is beside it, as files.
func (v *view) save(button js.Value) {
	said := func(text string) { draw.Find(v.box, "#import-saved").Set("textContent", text) }
	button.Set("disabled", true)
	said("Writing …")
	shift := draw.Find(v.box, "#import-shift").Get("checked").Bool()
	annex.Ask(v.page, v.page.Doc, "anonymous", shift, nil, func(files report.Anonymous, err error) {
		button.Set("disabled", false)
		if err != nil {
			said("Not written: " + err.Error())
			return
		}
		draw.Save("log.swf", "text/plain", files.Log)
		draw.Save("extra.csv", "text/csv", files.Extra)
		said("log.swf and extra.csv are saved.")
	})
}

// known says whether a zone can be used: nothing, an offset, or a name that the
// browser knows.
func known(name string) bool {
	if name == "" || zone.Of(name) != nil {
		return true
	}
	digits := strings.Trim(name[1:], "0123456789:") == ""
	return (name[0] == '+' || name[0] == '-') && digits && len(name) >= 3 && len(name) <= 6
}

// Release implements draw.Island.
func (v *view) Release() {}

// Draw implements draw.Island.
func (v *view) Draw() {
	f := &v.page.Facts
	seen := &Seen{Machine: f.Machine, Table: f.Table, TableName: f.File, More: f.More, Clock: v.Clock(), IsOutage: func(p report.Pause) bool {
		return slices.ContainsFunc(v.page.Doc.Platform.Outages, func(o experiment.Outage) bool { return o.From == p.From && o.To == p.To })
	}}
	if p := f.Preview; p != nil && p.Import != nil {
		seen.File, seen.Jobs, seen.Clean, seen.Processors = p.Name, p.Import, p.Clean, int64(p.Processors)
	}
	if seen.Jobs == nil && seen.Machine == nil && seen.Table == nil {
		return
	}
	draw.Put(v.box, HTML(seen))
}
