//go:build js

package draw

import (
	_ "embed"
	"maps"
	"strings"
	"syscall/js"

	"batchlab/ui/look"
	"batchlab/ui/state"
)

// Island is one drawing. draw is called in an animation frame whenever
// something it may depend on has changed; release when its element has gone.
type Island interface {
	Draw()
	Release()
}

// Host is the place of an island: the shell's element and the root inside it
// that belongs to the island.
type Host struct {
	El, Root js.Value
	Store    *state.Store
	Scope    *scope
	Outer    *Host  // of a part of an island, the island's own
	Arg      string // what follows the colon in its name
	island   Island
	Key      Seen
}

// Seen is what drawings depend on; while it stays the same nothing is drawn.
type Seen struct {
	Version int
	view    look.View
	W, H    float64
	Dark    bool
}

var (
	hosts   []*Host
	pending bool     // a frame has been asked for
	watcher js.Value // ResizeObserver of all hosts
)

const marker = "batchlabIsland"

// makers are the islands by name; what follows a colon in a name is the host's
// arg.
var makers = map[string]Maker{}

// Use makes the islands and styles of a view known.
func Use(v *Room) {
	maps.Copy(makers, v.Islands)
	styles += v.Styles
}

// Sync attaches every element of the document that has a data-island, and
// refreshes all islands.
func Sync(s *state.Store) {
	all := Doc.Call("querySelectorAll", "[data-island]")
	for i := range all.Length() {
		el := all.Index(i)
		attach(el.Get("dataset").Get("island").String(), el, s)
	}
	Refresh()
}

func attach(name string, el js.Value, s *state.Store) {
	if el.Get(marker).Type() == js.TypeString && el.Get(marker).String() == name {
		return
	}
	kind, arg, _ := strings.Cut(name, ":")
	build, ok := makers[kind]
	if !ok {
		return
	}
	drop(func(h *Host) bool { return h.El.Equal(el) }) // another island stood here
	el.Set(marker, name)
	mount(kind, &Host{El: el, Store: s, Arg: arg}, build)
}

// Mount makes an island in an element that another program of the page leaves alone.
func Mount(el js.Value, name string, s *state.Store, build Maker) {
	mount(name, &Host{El: el, Store: s}, build)
}

func mount(kind string, h *Host, build Maker) {
	setup()
	h.Scope, h.Root = &scope{}, Node(HTML(`<div class="bl bl-{}"></div>`, kind))
	h.El.Call("replaceChildren", h.Root)
	h.island = build(h)
	hosts = append(hosts, h)
	watcher.Call("observe", h.El)
	Refresh()
}

// FrameBudget is how long one frame may draw, in milliseconds, before the rest
// is left to the next one: no task of the page's thread may become long.
const FrameBudget = 20

var turn int // index of the host that the next frame begins with

// Refresh draws, in the next frames, every island whose data, view, size or
// theme has changed, and forgets those that have left the document.
func Refresh() {
	if pending {
		return
	}
	pending = true
	roomy(func() {
		pending = false
		drop(func(h *Host) bool { return !h.El.Get("isConnected").Bool() })
		began := Now()
		dark := isDark()
		keys := make([]Seen, len(hosts)) // all read before anything is drawn: each drawing makes the next look a new layout
		for k, h := range hosts {
			keys[k] = h.look(dark)
		}
		for i := range hosts {
			k := (turn + i) % len(hosts)
			hosts[k].update(keys[k])
			if drew(began) {
				turn = k + 1
				Refresh()
				return
			}
		}
	})
}

// look reads what a drawing depends on.
func (h *Host) look(dark bool) Seen {
	return Seen{Version: h.Store.Version, view: h.Store.View, W: h.El.Get("clientWidth").Float(), H: h.El.Get("clientHeight").Float(), Dark: dark}
}

// update draws when the key has changed.
func (h *Host) update(k Seen) {
	if k == h.Key || k.W < 20 {
		return
	}
	h.Key = k
	h.island.Draw()
}

// Again draws an island in the next frame though nothing it can see changed.
func (h *Host) Again() {
	if h.Outer != nil {
		h = h.Outer
	}
	h.Key = Seen{}
	Refresh()
}

func drop(gone func(*Host) bool) {
	kept := hosts[:0]
	for _, h := range hosts {
		if !gone(h) {
			kept = append(kept, h)
			continue
		}
		h.island.Release()
		h.Scope.release()
		watcher.Call("unobserve", h.El)
		h.El.Delete(marker)
	}
	clear(hosts[len(kept):])
	hosts = kept
}

func (h *Host) Theme() *Theme { return Colours(isDark()) }

//go:embed island.css
var kit string

var styles string // of views

// setup prepares the document once: styles, patterns, and watchers of size and
// theme.
func setup() {
	if watcher.Truthy() {
		return
	}
	if Find(Doc, ".bl-defs").Truthy() { // another program of the page has brought the kit
		AddStyles(styles)
	} else {
		AddStyles(kit + styles)
		add(Doc.Get("body"), `<div class="bl-defs"><svg width="0" height="0" aria-hidden="true"><defs>`+Decals+`</defs></svg></div>`)
	}
	refresh := js.FuncOf(func(js.Value, []js.Value) any { Refresh(); return nil })
	watcher = Global.Get("ResizeObserver").New(refresh)
	themes := Global.Get("MutationObserver").New(refresh)
	themes.Call("observe", Doc.Get("documentElement"), map[string]any{"attributes": true, "attributeFilter": []any{"data-theme"}})
}

// AddStyles adds a sheet of styles to the document.
func AddStyles(text string) {
	sheet := Global.Get("CSSStyleSheet").New()
	sheet.Call("replaceSync", text)
	sheets := Global.Get("Array").Call("from", Doc.Get("adoptedStyleSheets"))
	sheets.Call("push", sheet)
	Doc.Set("adoptedStyleSheets", sheets)
}

func isDark() bool {
	switch t := Doc.Get("documentElement").Get("dataset").Get("theme"); {
	case t.Type() == js.TypeString && t.String() == "dark":
		return true
	case t.Type() == js.TypeString && t.String() == "light":
		return false
	}
	return Global.Call("matchMedia", "(prefers-color-scheme: dark)").Get("matches").Bool()
}
