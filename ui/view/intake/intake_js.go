//go:build js

package intake

import (
	_ "embed"
	"strings"
	"syscall/js"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/zone"
)

//go:embed intake.css
var styles string

func init() {
	Room.Islands = map[string]draw.Maker{"import": newView}
	Room.Styles = styles
}

// view is the tab on the screen.
type view struct {
	*draw.Host
	box js.Value
}

// zones are offered beside the reader's own.
var zones = []string{"UTC", "Europe/London", "Europe/Berlin", "Europe/Prague", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney"}

func newView(h *draw.Host) draw.Island {
	v := &view{Host: h}
	v.box = draw.Add(h.Root, "div", "intake-at")
	list := draw.Add(h.Root, "datalist", "")
	draw.Attr(list, "id", "import-zones")
	own := draw.Global.Get("Intl").Get("DateTimeFormat").New().Call("resolvedOptions").Get("timeZone")
	if own.Type() == js.TypeString {
		draw.Attr(draw.Add(list, "option", ""), "value", own.String())
	}
	for _, z := range zones {
		draw.Attr(draw.Add(list, "option", ""), "value", z)
	}
	h.Scope.Listen(v.box, "click", func(ev js.Value) {
		button := ev.Get("target").Call("closest", "[data-do]")
		if !button.Truthy() {
			return
		}
		switch button.Get("dataset").Get("do").String() {
		case "outages":
			h.Store.MakeOutages(h.Store.Preview.Import.Pauses)
		case "ask-columns":
			h.Store.AskColumns()
		case "leave":
			h.Store.LeaveColumns()
		case "columns":
			of := map[string]string{}
			list := v.box.Call("querySelectorAll", "select[data-column]")
			for i := range list.Length() {
				el := list.Index(i)
				of[el.Get("dataset").Get("column").String()] = el.Get("value").String()
			}
			h.Store.SetColumns(of)
		case "use":
			h.Store.ShowTab("overview")
		case "copy":
			draw.Copy(Command, func(ok bool) {
				if ok {
					button.Set("textContent", "Copied")
				}
			})
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
		h.Store.SetLogZone(name)
	})
	return v
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
	s := v.Store
	seen := &Seen{Machine: s.Machine, Clock: v.Clock(), IsOutage: func(p report.Pause) bool { return s.IsOutage(p) }}
	if p := s.Preview; p != nil && p.Import != nil {
		seen.File, seen.Jobs, seen.Clean, seen.Processors = p.Name, p.Import, p.Clean, int64(p.Processors)
	}
	if m := s.Mapping; m != nil {
		seen.Table, seen.TableName = m.Table, m.Name
	}
	if seen.Jobs == nil && seen.Machine == nil && seen.Table == nil {
		return
	}
	draw.Put(v.box, HTML(seen))
}
