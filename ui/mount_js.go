//go:build js

package ui

import (
	"strings"
	"syscall/js"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/view/share"
	"batchlab/ui/view/tour"
	"batchlab/ui/view/vary"
	"batchlab/ui/words"
	"batchlab/ui/zone"
)

var (
	window   = js.Global()
	document = window.Get("document")
)

// Run mounts the page on the element that selector finds, starts the first
// experiment and draws until the page is closed. It returns only when it
// cannot mount or draw.
func Run(selector string, s *state.Store) error {
	renderer, err := domrender.New(selector)
	if err != nil {
		return err
	}
	env, err := vugu.NewBuildEnv(renderer.EventEnv())
	if err != nil {
		return err
	}
	root := NewRoot(s)
	b := newBrowser(root.P, renderer.EventEnv())
	root.P.Host = b
	s.View.Dark = document.Get("documentElement").Get("dataset").Get("theme").String() == "dark"
	s.Consent.Keep, s.Consent.Kept = keepProgram, keptProgram
	s.Later = b.Later
	s.OnChange(b.ask)
	s.OnProgress(b.askProgress)
	b.listen()
	b.listenPanels()
	b.listenOffline()
	b.listenSteps()
	b.listenTheme()
	words.SetSeparators(words.Separators())
	root.P.recall()
	b.start()
	root.P.Tour.Listen(tour.Shell{Begin: root.P.startDemo, Busy: func() bool { return root.P.Dialog != "" || root.P.Menu != "" }, Ask: b.ask})
	for ok := true; ok; ok = renderer.EventWait() {
		b.asked = false
		// Removing a focused element fires events in the middle of a render;
		// their handlers would wait for the render for ever.
		b.rendering = true
		err := renderer.Render(env.RunBuild(root))
		b.rendering = false
		if err != nil {
			return err
		}
		b.after()
	}
	return nil
}

// browser is the Host of a real page.
type browser struct {
	share.Server
	p         *Page
	env       vugu.EventEnv
	asked     bool // a render has been asked for
	progress  bool // news of progress waits to be written
	rendering bool
	focus     string // id to focus after the next render
	slides    int    // how often a slider moved
	session   session
	dated     *report.Preview // whose calendar times are typed in
	kept      []js.Func
}

func newBrowser(p *Page, env vugu.EventEnv) *browser { return &browser{p: p, env: env} }

// fn keeps a callback for as long as the page lives.
func (b *browser) fn(f func(args []js.Value)) js.Func {
	g := js.FuncOf(func(_ js.Value, args []js.Value) any { f(args); return nil })
	b.kept = append(b.kept, g)
	return g
}

// once calls f at the first event only.
func once(f func(args []js.Value)) js.Func {
	var g js.Func
	g = js.FuncOf(func(_ js.Value, args []js.Value) any { g.Release(); f(args); return nil })
	return g
}

// ask asks for a render soon. Many changes at once are drawn once, and a
// render that happens anyway answers the request.
func (b *browser) ask() {
	if b.asked {
		return
	}
	b.asked = true
	window.Call("setTimeout", once(func([]js.Value) {
		if b.asked {
			b.render()
		}
	}), 8)
}

// render draws as soon as whoever called has returned, as Vugu does after an event.
func (b *browser) render() {
	go func() {
		b.env.Lock()
		b.env.UnlockRender()
	}()
}

// after brings what Vugu does not handle into line with the last render.
func (b *browser) after() {
	b.p.greet()
	if p := b.p.S.Preview; p != b.dated {
		if b.dated = p; p == nil {
			words.SetCalendar(0, nil)
		} else {
			words.SetCalendar(p.UnixStart, zone.Of(p.TimeZone))
		}
	}
	b.followView()
	b.syncPanels()
	vary.Place(b.p.S)
	window.Get("batchlabBoot").Call("fill", document)
	draw.Sync(b.p.S)
	children := document.Call("getElementById", "app").Get("children")
	for i := range children.Length() {
		el := children.Index(i)
		if class := el.Get("className").String(); class != "dialogs" && class != "visually-hidden" {
			el.Set("inert", b.p.Dialog != "")
		}
	}
	if b.focus != "" {
		b.moveFocus(b.focus)
		b.focus = ""
	}
	data := document.Get("documentElement").Get("dataset")
	b.searchFlags(data)
	b.studyFlags(data)
	b.sweepFlags(data)
	data.Set("ready", "1")
	switch {
	case b.p.S.Active():
		data.Set("runs", "active")
	case b.p.S.Some():
		data.Set("runs", "done")
	default:
		data.Set("runs", "none")
	}
}

// moveFocus focuses an element, or what is first in a menu or dialog.
func (b *browser) moveFocus(id string) {
	el := document.Call("getElementById", id)
	if !el.Truthy() {
		return
	}
	if el.Call("getAttribute", "tabindex").String() == "-1" && id != "main" {
		for _, first := range []string{".dialog-body input:not([type=checkbox])", ".dialog-body button", ".dialog-body pre", "footer .last", ".current", "button:not([disabled])"} {
			if inner := el.Call("querySelector", first); inner.Truthy() {
				el = inner
				break
			}
		}
	}
	el.Call("focus")
	if sheet, _, _ := cellOf(el); sheet != "" && el.Get("tagName").String() == "INPUT" {
		el.Call("select")
	}
	if el.Get("id").String() == "link" {
		el.Call("setSelectionRange", 0, len(b.p.Share.Link), "backward")
		el.Set("scrollLeft", 0) // its beginning stays in view
	}
}

// Copy implements Host.
func (b *browser) Copy(text string, done func(bool)) {
	draw.Copy(text, func(ok bool) { done(ok || copyBySelection()) })
}

// QR implements Host.
func (b *browser) QR(text string, done func(path string, size int)) {
	draw.QR(text, func(path string, size int) {
		done(path, size)
		b.ask()
	})
}

// copyBySelection copies the share dialog's field the old way, which works
// without a secure context.
func copyBySelection() bool {
	field := document.Call("getElementById", "link")
	if !field.Truthy() {
		return false
	}
	field.Call("select")
	return document.Call("execCommand", "copy").Bool()
}

// Save implements Host.
func (b *browser) Save(name, mime string, data []byte) { draw.Save(name, mime, data) }

// ChooseFile implements Host.
func (b *browser) ChooseFile() {
	input := draw.Node(`<input type="file" multiple>`)
	input.Call("addEventListener", "change", once(func([]js.Value) { b.openAll(input.Get("files")) }))
	input.Call("click")
}

// openAll opens one file, or a cluster's jobs together with what describes it.
func (b *browser) openAll(files js.Value) {
	switch n := files.Length(); n {
	case 0:
	case 1:
		b.open(files.Index(0))
	default:
		list := make([]state.Dropped, n)
		for i := range list {
			f := files.Index(i)
			list[i] = state.Dropped{Name: f.Get("name").String(), Size: int64(f.Get("size").Float()), File: f}
		}
		b.p.Drawer = false
		b.p.S.OpenFiles(list)
		b.ask()
	}
}

// mostDocument bounds what may be an experiment, in bytes; larger files of JSON
// are workloads.
const mostDocument = 4 << 20

// open opens a file: an experiment when it is JSON and says so, what jobs need
// when it is a table that does, else a log.
func (b *browser) open(file js.Value) {
	name := file.Get("name").String()
	if strings.HasSuffix(strings.ToLower(name), ".csv") {
		file.Call("slice", 0, 4096).Call("text").Call("then", once(func(args []js.Value) {
			if tableOfNeeds(args[0].String()) {
				b.openNeeds(name, file)
				return
			}
			if tableOfPredictions(args[0].String()) {
				b.openBeside(name, file, "predict", b.p.S.OpenPredictions)
				return
			}
			if tableOfExtra(args[0].String()) {
				b.openBeside(name, file, "filter", b.p.S.OpenExtra)
				return
			}
			if head := draft.ReadTable(args[0].String()); len(head) > 0 && b.p.S.TableFor(head[0]) != "" {
				file.Call("text").Call("then", once(func(args []js.Value) {
					lines := draft.ReadTable(args[0].String())
					b.p.unfoldTo("platform", "machines", "guards")
					b.p.S.ImportTable(b.p.S.TableFor(lines[0]), name, lines)
				}))
				return
			}
			b.p.Drawer = false
			b.p.S.OpenFile(name, file) // which says that it is no log
			b.ask()
		}))
		return
	}
	b.p.Drawer = false
	if !strings.HasSuffix(strings.ToLower(name), ".json") || file.Get("size").Int() > mostDocument {
		b.p.S.OpenFile(name, file)
		return
	}
	file.Call("text").Call("then", once(func(args []js.Value) {
		text := args[0].String()
		if strings.HasPrefix(strings.TrimSpace(text), "[") {
			b.openNeeds(name, file)
			return
		}
		if !strings.Contains(text, `"batchlab"`) && strings.Contains(text, `"jobs"`) && strings.Contains(text, `"profiles"`) {
			b.p.S.OpenFile(name, file)
			return
		}
		if b.p.S.OpenLesson(name, []byte(text)) {
			return
		}
		if experiment.IsPlatform([]byte(text)) {
			b.p.unfoldTo("platform", "machines", "guards")
			b.p.S.OpenPlatform(name, []byte(text))
			return
		}
		b.p.S.OpenText(name, []byte(text))
	}))
}

// SetTheme implements Host. The key is the one that theme.js reads.
func (b *browser) SetTheme(dark bool) {
	name := either(dark, "dark", "light")
	document.Get("documentElement").Get("dataset").Set("theme", name)
	b.Remember("batchlab-theme", name)
}

// listenTheme follows the system between light and dark while nobody has chosen.
func (b *browser) listenTheme() {
	window.Call("matchMedia", "(prefers-color-scheme: dark)").Call("addEventListener", "change", b.fn(func(args []js.Value) {
		if b.Recall("batchlab-theme") != "" {
			return
		}
		dark := args[0].Get("matches").Bool()
		document.Get("documentElement").Get("dataset").Set("theme", either(dark, "dark", "light"))
		b.p.S.Look(func(v *look.View) { v.Dark = dark })
	}))
}

// Address implements Host.
func (b *browser) Address() string {
	l := window.Get("location")
	if o := l.Get("origin").String(); o != "null" {
		return o + l.Get("pathname").String()
	}
	return "file://" + l.Get("pathname").String()
}

// Focus implements Host.
func (b *browser) Focus(id string) {
	b.focus = id
	b.ask()
}

// ShowHash implements Host.
func (b *browser) ShowHash(link string) {
	defer func() { _ = recover() }() // refused on some addresses
	window.Get("history").Call("replaceState", window.Get("history").Get("state"), "", link)
}

// start begins with the experiment of the address: a long link, a short one
// (?x=ID, where the server has sent us), or the default. The address becomes
// that of the long link, so that it opens without the server, too.
func (b *browser) start() {
	location := window.Get("location")
	hash := location.Get("hash").String()
	id := window.Get("URLSearchParams").New(location.Get("search")).Call("get", "x")
	if id.Type() != js.TypeString {
		b.p.S.Start(hash)
		return
	}
	doc, fault := share.Stored(id.String())
	if doc == nil {
		b.p.S.Start("")
		b.p.S.Tell("The short link could not be opened: " + fault + ". The default preset is shown instead.")
		return
	}
	link := experiment.EncodeLink(doc)
	if view := strings.TrimPrefix(hash, "#"); strings.HasPrefix(view, "v=") {
		link += "&" + view
	}
	b.ShowHash(b.Address() + link)
	b.p.S.Start(link)
}
