//go:build js

package island

import (
	_ "embed"
	"maps"
	"strings"
	"syscall/js"

	vjs "github.com/vugu/vugu/js"

	"batchlab/ui/chart"
	"batchlab/ui/state"
)

// island is one drawing. draw is called in an animation frame whenever
// something it may depend on has changed; release when its element has gone.
type island interface {
	draw()
	release()
}

// host is the place of an island: the shell's element and the root inside it
// that belongs to the island.
type host struct {
	el, root js.Value
	store    *state.Store
	scope    *scope
	outer    *host  // of a part of an island, the island's own
	arg      string // what follows the colon in its name
	island   island
	key      key
}

// key is what drawings depend on; while it stays the same nothing is drawn.
type key struct {
	version int
	view    state.View
	w, h    float64
	dark    bool
}

var (
	hosts   []*host
	pending bool     // a frame has been asked for
	watcher js.Value // ResizeObserver of all hosts
)

const marker = "batchlabIsland"

// Maker makes an island in its host.
type Maker func(*host) island

// makers are the islands by name; what follows a colon in a name is the host's
// arg.
var makers = map[string]Maker{"result": newResult}

// Use makes a view's islands known by their names.
func Use(islands map[string]Maker) { maps.Copy(makers, islands) }

// Attach makes el the island called name. Calling it again for the same
// element does nothing; an unknown name is left alone.
func Attach(name string, el vjs.Value, s *state.Store) { attach(name, js.Value(el), s) }

// Sync attaches every element of the document that has a data-island, and
// refreshes all islands.
func Sync(s *state.Store) {
	all := doc.Call("querySelectorAll", "[data-island]")
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
	drop(func(h *host) bool { return h.el.Equal(el) }) // another island stood here
	setup()
	el.Set(marker, name)
	h := &host{el: el, store: s, scope: &scope{}, arg: arg}
	h.root = create("div", "bl bl-"+kind)
	el.Call("replaceChildren", h.root)
	h.island = build(h)
	hosts = append(hosts, h)
	watcher.Call("observe", el)
	Refresh()
}

// frameBudget is how long one frame may draw, in milliseconds, before the rest
// is left to the next one: no task of the page's thread may become long.
const frameBudget = 20

var turn int // index of the host that the next frame begins with

// Refresh draws, in the next frames, every island whose data, view, size or
// theme has changed, and forgets those that have left the document.
func Refresh() {
	if pending {
		return
	}
	pending = true
	frame(func() {
		pending = false
		drop(func(h *host) bool { return !h.el.Get("isConnected").Bool() })
		clock := global.Get("performance")
		began := clock.Call("now").Float()
		dark := isDark()
		keys := make([]key, len(hosts)) // all read before anything is drawn: each drawing makes the next look a new layout
		for k, h := range hosts {
			keys[k] = h.look(dark)
		}
		for i := range hosts {
			k := (turn + i) % len(hosts)
			hosts[k].update(keys[k])
			if clock.Call("now").Float()-began > frameBudget {
				turn = k + 1
				Refresh()
				return
			}
		}
	})
}

// look reads what a drawing depends on.
func (h *host) look(dark bool) key {
	return key{version: h.store.Version, view: h.store.View, w: h.el.Get("clientWidth").Float(), h: h.el.Get("clientHeight").Float(), dark: dark}
}

// update draws when the key has changed.
func (h *host) update(k key) {
	if k == h.key || k.w < 20 {
		return
	}
	h.key = k
	h.island.draw()
}

// again draws an island in the next frame though nothing it can see changed.
func (h *host) again() {
	if h.outer != nil {
		h = h.outer
	}
	h.key = key{}
	Refresh()
}

func drop(gone func(*host) bool) {
	kept := hosts[:0]
	for _, h := range hosts {
		if !gone(h) {
			kept = append(kept, h)
			continue
		}
		h.island.release()
		h.scope.release()
		watcher.Call("unobserve", h.el)
		h.el.Delete(marker)
	}
	clear(hosts[len(kept):])
	hosts = kept
}

func (h *host) theme() *chart.Theme { return chart.Colours(isDark()) }

//go:embed island.css
var styles string

// setup prepares the document once: styles, patterns, and watchers of size and
// theme.
func setup() {
	if watcher.Truthy() {
		return
	}
	sheet := global.Get("CSSStyleSheet").New()
	sheet.Call("replaceSync", styles)
	sheets := global.Get("Array").Call("from", doc.Get("adoptedStyleSheets"))
	sheets.Call("push", sheet)
	doc.Set("adoptedStyleSheets", sheets)
	defs := create("div", "bl-defs")
	defs.Set("innerHTML", `<svg width="0" height="0" aria-hidden="true"><defs>`+chart.Decals+`</defs></svg>`)
	doc.Get("body").Call("append", defs)
	refresh := js.FuncOf(func(js.Value, []js.Value) any { Refresh(); return nil })
	watcher = global.Get("ResizeObserver").New(refresh)
	themes := global.Get("MutationObserver").New(refresh)
	themes.Call("observe", doc.Get("documentElement"), map[string]any{"attributes": true, "attributeFilter": []any{"data-theme"}})
}

func isDark() bool {
	switch t := doc.Get("documentElement").Get("dataset").Get("theme"); {
	case t.Type() == js.TypeString && t.String() == "dark":
		return true
	case t.Type() == js.TypeString && t.String() == "light":
		return false
	}
	return global.Call("matchMedia", "(prefers-color-scheme: dark)").Get("matches").Bool()
}
