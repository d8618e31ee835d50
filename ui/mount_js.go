//go:build js

package ui

import (
	"strconv"
	"strings"
	"syscall/js"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/state"
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
	b.listenVary()
	b.listenOffline()
	b.listenSteps()
	b.listenTheme()
	words.SetSeparators(words.Separators())
	root.P.recall()
	b.start()
	b.listenDemo()
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
	p         *Page
	env       vugu.EventEnv
	asked     bool // a render has been asked for
	progress  bool // news of progress waits to be written
	rendering bool
	focus     string // id to focus after the next render
	slides    int    // how often a slider moved
	morphing  bool   // sections are being brought up to date
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
			go func() {
				b.env.Lock()
				b.env.UnlockRender()
			}()
		}
	}), 8)
}

// askProgress writes the progress of the runs at most ten times a second.
func (b *browser) askProgress() {
	if b.progress {
		return
	}
	b.progress = true
	window.Call("setTimeout", once(func([]js.Value) {
		b.progress = false
		b.searchProgress()
		fetchProgress("run-fetch", b.p.S.Fetching)
		fetchProgress("run-read", b.p.S.Reading)
		b.studyProgress()
		b.sweepProgress()
		if b.p.S.Sweeping() {
			draw.Refresh() // what has come since
		}
		for _, g := range b.p.S.Groups() {
			el := document.Call("querySelector", `[data-run="`+strconv.Itoa(g.Scheduler)+`"]`)
			if !el.Truthy() || !g.Active() {
				continue
			}
			bar := el.Get("firstElementChild")
			if !bar.Truthy() {
				continue
			}
			bar.Get("firstElementChild").Call("setAttribute", "style", width(&g))
			bar.Call("setAttribute", "aria-valuenow", int(g.Progress*100))
			el.Call("querySelector", ".percent").Set("textContent", percent(&g))
			el.Call("querySelector", ".left").Set("textContent", left(&g))
		}
	}), 100)
}

// fetchProgress writes how much has come of the studies' simulator, and of a log.
func fetchProgress(id string, f engine.Fetching) {
	if el := document.Call("getElementById", id); el.Truthy() {
		setBar(el, fetchPercent(f))
		el.Call("querySelector", ".percent").Set("textContent", fetchBytes(f))
	}
}

// setBar sets the progress bar within an element.
func setBar(el js.Value, percent string) {
	bar := el.Call("querySelector", ".progress")
	bar.Get("firstElementChild").Call("setAttribute", "style", "width:"+percent+"%")
	bar.Call("setAttribute", "aria-valuenow", percent)
}

// studyProgress writes how far a study is, in its place and in the run bar.
func (b *browser) studyProgress() {
	percent := b.p.S.StudyPercent()
	if el := document.Call("getElementById", "study-progress"); el.Truthy() {
		setBar(el, percent)
		el.Call("querySelector", ".study-text").Set("textContent", b.p.S.StudyText())
	}
	if el := document.Call("getElementById", "run-study"); el.Truthy() {
		setBar(el, percent)
		el.Call("querySelector", ".percent").Set("textContent", percent+words.NB+"%")
	}
}

// studyFlags says on <html> how the studies stand, for whoever drives the page
// from outside: data-study is the one under way, data-studies how many ended.
func (b *browser) studyFlags(data js.Value) {
	st := &b.p.S.Studies
	if st.Papers != nil {
		data.Set("study", st.Running)
		data.Set("studies", strconv.Itoa(st.Runs))
	}
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
	b.syncVary()
	b.fillInputs()
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

// fillInputs puts the stated text into inputs and selects. An input that
// someone types into keeps what was typed, unless it has become another one.
func (b *browser) fillInputs() {
	active := document.Get("activeElement")
	list := document.Call("querySelectorAll", "[data-value]")
	for i := range list.Length() {
		el := list.Index(i)
		id, text := el.Get("id").String(), el.Get("dataset").Get("value").String()
		another := el.Get("batchlabInput").Type() != js.TypeString || el.Get("batchlabInput").String() != id
		stated := el.Get("batchlabText").Type() == js.TypeString && el.Get("batchlabText").String() == text
		if another || !el.Equal(active) || !stated {
			if el.Get("value").String() != text {
				el.Set("value", text)
			}
		}
		el.Set("batchlabInput", id)
		el.Set("batchlabText", text)
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
		el.Call("setSelectionRange", 0, len(b.p.Link), "backward")
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
func (b *browser) Save(name, mime string, data []byte) {
	array := window.Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	blob := window.Get("Blob").New([]any{array}, map[string]any{"type": mime})
	url := window.Get("URL").Call("createObjectURL", blob)
	a := document.Call("createElement", "a")
	a.Set("href", url)
	a.Set("download", name)
	a.Call("click")
	window.Call("setTimeout", once(func([]js.Value) { window.Get("URL").Call("revokeObjectURL", url) }), 10000)
}

// ChooseFile implements Host.
func (b *browser) ChooseFile() {
	input := document.Call("createElement", "input")
	input.Set("type", "file")
	input.Set("multiple", true)
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
