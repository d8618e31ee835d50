//go:build js

package own

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/catalog"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

//go:embed own.css
var css string

func init() {
	Room.Islands, Room.Styles = map[string]draw.Maker{"own": newOwn}, css
}

// pause is how long nobody has to type before a program is tried, in milliseconds.
const pause = 500

// own is the tab in which a program is written.
type own struct {
	*draw.Host
	notice, grid, names, templates, code, foot, same, small, holds, say js.Value
	name                                                                js.Value
	told                                                                bool     // the notice about programs from outside has been shown
	editor                                                              js.Value // undefined until its script is there
	loading                                                             bool
	gone                                                                bool // released
	changed                                                             js.Func
	of                                                                  int    // scheduler whose program is in the editor, −1 none
	was                                                                 string // what the settings held then, or were given since
	text                                                                string // what stands in the editor
	wrong                                                               string // why the text cannot be taken
	unnamed                                                             string // why the name cannot be taken
	wait                                                                func() // ends the pause
	kind                                                                string // of what is counted
	press                                                               func(string)
	shown                                                               struct{ faults, counts string }
	memo                                                                comparison
}

// comparison is kept while its two runs stay.
type comparison struct {
	mine, other *report.Run
	beside      Beside
	promises    []Promise // nil: there is nothing to compare with
}

func newOwn(h *draw.Host) draw.Island {
	o := &own{Host: h, of: -1, kind: "calls"}
	var templates draw.Writer
	for i, t := range catalog.CustomTemplates {
		templates.Put(`<button type="button" class="own-chip" title="{}" data-t="{}">{}</button>`, t.Help, i, t.Name)
	}
	part := draw.Build(h.Root, draw.HTML(`<div class="own-link" role="region" aria-label="A program from outside" data-part="notice"></div><div class="own-grid" data-part="grid"><section class="bl-card own-editor"><div class="own-head" data-part="head"><span class="own-which" data-part="names"></span><input class="own-name" type="text" maxlength="60" aria-label="Name" placeholder="Own" autocomplete="off" data-part="name"><span class="grow"></span></div>
<div class="own-templates" role="group" aria-label="Start from" data-part="templates"><span class="mut">Start from</span>{}</div><div class="own-code" data-part="code"></div><div class="own-foot" data-part="foot"></div><p class="bl-vh" role="status" data-part="say"></p></section>
<div class="own-right"><section class="bl-card own-same" data-part="same"></section><section class="bl-card own-small" data-part="small"></section><section class="bl-card own-holds" data-part="holds"></section></div></div>`, templates.Markup()))
	o.notice, o.grid, o.names, o.name = part("notice"), part("grid"), part("names"), part("name")
	o.templates, o.code, o.foot, o.say = part("templates"), part("code"), part("foot"), part("say")
	o.same, o.small, o.holds = part("same"), part("small"), part("holds")
	h.Scope.Listen(o.name, "change", func(js.Value) {
		o.unnamed = ""
		if err := h.Store.NameProgram(o.of, strings.TrimSpace(o.name.Get("value").String())); err != nil {
			o.unnamed = err.Error()
			o.say.Set("textContent", o.unnamed)
			if slices.Contains(h.Store.Programs(), o.of) {
				o.name.Set("value", h.Store.Settings.Schedulers[o.of].Params.Text("name"))
			}
		}
		h.Again()
	})
	var keys, names []string
	for _, k := range Kinds {
		keys, names = append(keys, k.Key), append(names, k.Name)
	}
	o.press = h.Scope.Segments(part("head"), "Counted by line", keys, names, func(key string) {
		o.kind = key
		h.Again()
	})
	h.Scope.Listen(o.templates, "click", func(ev js.Value) {
		if b := ev.Get("target").Get("dataset").Get("t"); b.Truthy() && o.editor.Truthy() {
			i, _ := strconv.Atoi(b.String())
			o.put(catalog.CustomTemplates[i].Code, false)
			o.typed(catalog.CustomTemplates[i].Code)
			o.settle()
			o.editor.Call("focus")
		}
	})
	h.Scope.Listen(o.code, "focusout", func(js.Value) {
		if o.wait != nil { // whoever leaves the editor, for example to run, has written the program
			o.settle()
		}
	})
	h.Scope.Listen(h.Root, "click", o.click)
	h.Scope.Listen(o.names, "change", func(ev js.Value) {
		i, _ := strconv.Atoi(ev.Get("target").Get("value").String())
		h.Store.Look(func(v *look.View) { v.Own = i })
	})
	o.changed = js.FuncOf(func(_ js.Value, args []js.Value) any {
		o.typed(args[0].String())
		return nil
	})
	return o
}

func (o *own) Release() {
	o.gone = true
	if o.wait != nil {
		o.settle()
	}
	if o.editor.Truthy() {
		o.editor.Call("destroy")
	}
	o.changed.Release()
}

// typed takes what stands in the editor; it is tried at the next pause.
func (o *own) typed(code string) {
	o.text, o.unnamed = code, ""
	if o.wait != nil {
		o.wait()
	}
	o.wait = draw.Later(pause, o.settle)
	o.drawFoot(false)
}

// settle puts the text into the settings and has it tried; where they hold another
// program by now, of a link for example, the text is dropped.
func (o *own) settle() {
	if o.wait != nil {
		o.wait()
		o.wait = nil
	}
	o.wrong = ""
	if s := o.Store; !slices.Contains(s.Programs(), o.of) || s.Program(o.of) != o.was {
		o.Host.Again()
		return
	}
	if err := o.Store.SetProgram(o.of, o.text); err != nil {
		o.wrong = err.Error()
		o.Host.Again()
		return
	}
	o.was = o.text
	o.Store.TryProgram(o.text)
}

// put shows another text in the editor; other says that it is not the reader's own
// change, which the editor could undo.
func (o *own) put(code string, other bool) {
	o.text = code
	if o.editor.Truthy() {
		o.editor.Call("set", code, other)
		o.shown.faults, o.shown.counts = "", ""
	}
}

func (o *own) click(ev js.Value) {
	b := ev.Get("target").Call("closest", "[data-do]")
	if !b.Truthy() {
		return
	}
	s := o.Store
	switch what, arg, _ := strings.Cut(b.Get("dataset").Get("do").String(), ":"); what {
	case "allow":
		s.AllowPrograms()
		if o.name.Call("focus"); len(s.Programs()) == 0 {
			o.leave()
		}
	case "out":
		s.LeaveProgramsOut()
		o.leave()
	case "run":
		o.settle()
		s.Run()
	case "line":
		if line, _ := strconv.Atoi(arg); o.editor.Truthy() {
			o.editor.Call("go", line)
		}
	case "go", "step":
		o.goTo(arg, what == "step")
	case "smallest":
		if c := &o.memo; c.mine != nil && c.other != nil {
			s.OpenSmallest(c.mine.Scheduler, c.other.Scheduler)
		}
	case "easy":
		s.AddScheduler("easy")
		s.Run()
	case "again":
		o.loading = false
		o.Host.Again()
	}
}

// leave gives the focus to the first tab, which is on show when this one has gone.
func (o *own) leave() {
	if tab := draw.Find(draw.Doc, "[role=tab]"); tab.Truthy() {
		tab.Call("focus")
	}
}

// goTo shows a job and an instant, "JOB,INSTANT", in the Gantt chart of both; step
// stops the time there.
func (o *own) goTo(place string, step bool) {
	first, second, _ := strings.Cut(place, ",")
	j, err := strconv.Atoi(first)
	at, err2 := strconv.ParseInt(second, 10, 64)
	c := &o.memo
	if err != nil || err2 != nil || c.mine == nil || c.other == nil {
		return
	}
	s := o.Store
	const around = 12 * 3600
	s.Look(func(v *look.View) {
		v.Tab, v.Job, v.Step = "gantt", j, false
		v.A, v.B = c.other.Scheduler, c.mine.Scheduler
		v.From, v.To = model.Time(at)-around, model.Time(at)+around
	})
	if step {
		s.StepTo(model.Time(at))
	}
	s.ShowTab("gantt")
}

// load fetches the editor's script once.
func (o *own) load() {
	if o.loading {
		return
	}
	o.loading = true
	ready := func() {
		words := Names()
		o.editor = draw.Global.Get("batchlabEditor").Call("create", o.code, words, o.changed)
		o.put(o.text, true)
		o.Host.Again()
	}
	if draw.Global.Get("batchlabEditor").Truthy() {
		ready()
		return
	}
	draw.LoadScript("editor", func(ok bool) {
		if o.gone {
			return
		}
		if ok {
			o.code.Set("textContent", "")
			ready()
			return
		}
		draw.Put(o.code, `<p class="bl-empty">The editor could not be loaded. Check the connection. <button type="button" class="bl-btn" data-do="again">Try again</button></p>`)
	})
}

func (o *own) Draw() {
	s := o.Store
	list := s.Programs()
	held := s.Withheld()
	draw.Show(o.grid, len(list) > 0)
	if len(list) == 0 { // at most what varies holds programs
		o.drawNotice(list, held)
		return
	}
	at := s.View.Own
	if !slices.Contains(list, at) {
		at = list[0]
	}
	if o.editor.IsUndefined() || o.editor.IsNull() {
		o.load()
	}
	if at != o.of || s.Program(at) != o.was { // another one, opened, or undone
		if o.wait != nil {
			o.settle()
		}
		o.of, o.was, o.wrong, o.unnamed = at, s.Program(at), "", ""
		o.put(o.was, true)
	}
	if !held && o.wait == nil && o.wrong == "" {
		s.TryProgram(o.text)
	}
	o.press(o.kind)
	o.drawHead(list, held)
	o.drawMarks(held)
	o.compare()
	o.drawSame(held)
	o.drawSmall(held)
	o.drawHolds(held)
	o.drawFoot(held)
}

func (o *own) drawHead(list []int, held bool) {
	s := o.Store
	labels, places := s.Settings.Labels(), s.Places()
	html := draw.HTML(`<b class="own-letter">{}</b>`, words.LetterAt(places[o.of]))
	if len(list) > 1 {
		html += draw.HTML(`<select id="own-program" aria-label="Program" data-value="{}">`, o.of)
		for _, i := range list {
			html += draw.HTML(`<option value="{}">{} {}</option>`, i, words.LetterAt(places[i]), labels[i])
		}
		html += `</select>`
	}
	draw.Put(o.names, html)
	if name := s.Settings.Schedulers[o.of].Params.Text("name"); !o.name.Equal(draw.Doc.Get("activeElement")) && o.name.Get("value").String() != name {
		o.name.Set("value", name)
	}
	o.drawNotice(list, held)
	draw.Show(o.templates, !held)
	if o.editor.Truthy() {
		o.editor.Call("lock", held)
	}
}

// drawNotice shows that programs came from outside, until they may run or are left
// out.
func (o *own) drawNotice(list []int, held bool) {
	s, notice := o.Store, draw.Markup("")
	if held {
		unread := s.Unread(s.Settings.Programs())
		var hidden []string // that stand in no editor
		for _, code := range unread {
			if !slices.ContainsFunc(list, func(i int) bool { return s.Program(i) == code }) {
				hidden = append(hidden, code)
			}
		}
		notice = draw.Unread(state.Holds(s.From(), len(unread)), hidden, "Do not run")
	}
	if draw.Put(o.notice, notice); notice != "" && !o.told {
		draw.Find(o.notice, "b").Call("focus")
	}
	o.told = notice != ""
}

// drawMarks puts faults and counts into the editor.
func (o *own) drawMarks(held bool) {
	if !o.editor.Truthy() {
		return
	}
	s := o.Store
	faults := []FaultLine{}
	var profile *report.CodeProfile
	if !held {
		switch {
		case o.wrong != "":
			faults = append(faults, FaultLine{Text: o.wrong})
		case s.Own.Of == o.text:
			faults = append(faults, Faults(s.Own.Trial)...)
		}
		if fault := o.runFault(); len(faults) == 0 && fault != nil {
			faults = append(faults, *fault)
		}
		if r := o.finished(); r != nil && r.Program != nil && s.RanProgram(o.of) == o.text {
			profile = r.Program.Profile
		} else if t := s.Own.Trial; t != nil && s.Own.Of == o.text && t.Program != nil {
			profile = t.Program.Profile
		}
	}
	if t := text(faults); t != o.shown.faults && o.wait == nil {
		o.shown.faults = t
		o.editor.Call("faults", t)
		if len(faults) > 0 {
			o.say.Set("textContent", faults[0].Text)
		}
	}
	if t := text(Counts(profile, o.kind)); t != o.shown.counts && o.wait == nil {
		o.shown.counts = t
		o.editor.Call("counts", t)
	}
}

// finished is the run of the program on show, nil while there is none.
func (o *own) finished() *report.Run {
	s := o.Store
	if s.RanProgram(o.of) == "" {
		return nil
	}
	if r := s.Finished(o.of); r != nil {
		return r.Result
	}
	return nil
}

// runFault is what ended the program's last run, nil if nothing did or it is
// another program now.
func (o *own) runFault() *FaultLine {
	s := o.Store
	if s.RanProgram(o.of) != o.text {
		return nil
	}
	for _, r := range s.Runs {
		if r.Scheduler == o.of && r.Status == engine.Failed {
			f := RunFault(r.Error)
			return &f
		}
	}
	return nil
}

// compare keeps the comparison of the program's run with another one's.
func (o *own) compare() {
	s := o.Store
	mine := o.finished()
	jobs := s.Jobs[s.View.Repetition]
	whole := func(r *report.Run) bool { return jobs != nil && len(r.Columns.Start) == len(jobs.Number) } // jobs come back run by run
	var other *report.Run
	if s.Ran != nil && mine != nil {
		var others []*report.Run
		for i := range s.Ran.Schedulers {
			if r := s.Finished(i); i != o.of && r != nil && r.Result.Workload == mine.Workload && whole(r.Result) {
				others = append(others, r.Result)
			}
		}
		other = Rival(mine, others, s.View.Baseline, func(i int) bool { return s.Ran.Schedulers[i].Key == "easy" })
	}
	if o.memo.mine == mine && o.memo.other == other {
		return
	}
	o.memo = comparison{mine: mine, other: other}
	s.Own.NoCase = ""
	if mine == nil || !whole(mine) || s.Ran.Workload.React != nil {
		o.memo.mine = nil
		return
	}
	if other != nil {
		o.memo.beside = Compare(jobs, mine, other, o.plain())
		o.memo.promises = o.memo.beside.Promises(jobs, mine, other, s.Label(other.Scheduler))
	}
}

// plain says whether the results' platform only counts processors that are always
// there.
func (o *own) plain() bool {
	site := o.Store.Sites[o.Store.View.Repetition]
	return o.Store.Ran != nil && !o.Store.Ran.Platform.Guarded() && !o.Store.Ran.Reserves() && site != nil && len(site.Machines) == 1 && len(site.Calendar) == 0
}

func (o *own) drawSame(held bool) {
	s, c := o.Store, &o.memo
	jobs := s.Jobs[s.View.Repetition]
	html := draw.Markup("")
	switch {
	case held:
		html = `<h3>Not run yet</h3><p class="sec">Run the program to see what it does; where the sender’s digest came along, it is checked then.</p><ul>` +
			`<li>Sees the queue, what runs, the platform and the time</li><li>Bounded in steps and memory, stops by itself</li><li>No files, no network, nothing of the page</li></ul>`
	case c.mine == nil || jobs == nil:
		html = `<h3>Not run on this workload yet</h3><p class="sec">The small case below is run at each pause. <b>Run</b> shows what the program does with all jobs, and where it parts from the schedulers beside it.</p>`
		if fault := s.CanRun(); fault != "" {
			html += draw.HTML(`<p class="own-bad">{}</p>`, fault)
		} else if !s.Active() {
			html += `<div class="own-acts"><button type="button" class="bl-btn own-pri" data-do="run">Run</button></div>`
		}
	case c.other == nil:
		html = `<h3>Nothing to compare it with</h3><p class="sec">Set another scheduler beside it: then the first job at which they part is named here.</p><div class="own-acts"><button type="button" class="bl-btn own-pri" data-do="easy">Set EASY beside it</button></div>`
	default:
		name := s.Label(c.other.Scheduler)
		tag := draw.Markup(`<span class="own-tag own-good">the same</span>`)
		first := c.beside.Apart.First
		if first != nil {
			tag = draw.HTML(`<span class="own-tag">not {}</span>`, name)
		}
		if s.Stale() {
			tag = `<span class="own-tag">from the program before</span>`
		}
		html = draw.HTML(`{}<h3>{}</h3><p class="sec">{}</p>`, tag, c.beside.Title(name), c.beside.Sentence(jobs, name, o.Clock()))
		if first != nil {
			to := goes(int(first.Job), first.At)
			html += draw.HTML(`<div class="own-acts"><button type="button" class="bl-btn own-pri" data-do="go:{}">Go to {}</button><button type="button" class="bl-btn" data-do="step:{}" title="Both schedulers, with the time stopped at this instant">Step both</button>`, to, o.Clock().When(first.At), to)
			if jobs.Number != nil && s.Ran.Workload.Source.Inline == nil && !s.Stale() {
				word, off := "Smallest case", draw.Markup("")
				if s.Own.Shrinking {
					word, off = "Looking for it …", ` aria-disabled="true"`
				}
				html += draw.HTML(`<button type="button" class="bl-btn" data-do="smallest" title="Takes out jobs as long as the two still part, and opens what is left as a table of jobs, with both in step"{}>{}</button>`, off, word)
			}
			html += `</div>`
			if s.Own.NoCase != "" {
				html += draw.HTML(`<p class="own-bad">{}</p>`, s.Own.NoCase)
			}
		}
	}
	o.same.Get("classList").Call("toggle", "own-old", s.Stale() && !held && c.mine != nil)
	draw.Put(o.same, html)
}

func (o *own) drawSmall(held bool) {
	draw.Show(o.small, !held)
	if held {
		return
	}
	s := o.Store
	old := s.Own.Busy || s.Own.Of != o.text
	html := draw.Markup(`<div class="bl-ph"><h3>Small case</h3><span class="bl-sub">10 processors, 9 jobs</span></div>`)
	switch t := s.Own.Trial; {
	case s.Own.Error != "":
		html += draw.HTML(`<p class="own-bad">{}</p>`, s.Own.Error)
	case t == nil:
		html += `<p class="sec own-pad">The first try fetches the simulator …</p>`
	default:
		says := SmallCaseSays(t)
		if len(t.Own) == 0 && s.Own.Good != nil { // what the program before did stays, grey
			t, old = s.Own.Good, true
		}
		html += draw.HTML(`<p class="sec own-pad">{}</p><div class="own-draw">{}</div>`, says, SmallCase(t, o.Theme(), max(200, o.small.Get("clientWidth").Float()-20), 190))
	}
	o.small.Get("classList").Call("toggle", "own-old", old)
	draw.Put(o.small, html)
}

func (o *own) drawHolds(held bool) {
	c := &o.memo
	draw.Show(o.holds, !held && len(c.promises) > 0)
	if held || len(c.promises) == 0 {
		return
	}
	html := draw.Markup(`<div class="bl-ph"><h3>What holds on this workload</h3></div><table><tbody>`)
	for _, p := range c.promises {
		mark := draw.Markup(`<span class="mut" aria-hidden="true">–</span>`)
		switch {
		case p.Told && p.Holds:
			mark = `<span class="own-yes" role="img" aria-label="holds">✓</span>`
		case p.Told:
			mark = `<span class="own-bad" role="img" aria-label="does not hold">✕</span>`
		}
		value := draw.HTML(`{}`, p.Value)
		if p.Job >= 0 {
			value += draw.HTML(` <button type="button" class="own-to" data-do="go:{}" aria-label="Show the job">show</button>`, goes(p.Job, p.At))
		}
		html += draw.HTML(`<tr><td>{}</td><td>{}</td><td class="num">{}</td></tr>`, mark, p.Says, value)
	}
	o.holds.Get("classList").Call("toggle", "own-old", o.Store.Stale())
	draw.Put(o.holds, html+`</tbody></table>`)
}

// goes is the argument of goTo.
func goes(job int, at model.Time) string {
	return strconv.Itoa(job) + "," + strconv.FormatInt(int64(at), 10)
}

func (o *own) drawFoot(held bool) {
	s := o.Store
	left := draw.Markup(`<span class="own-yes">✓</span> Tried on the small case at each pause`)
	var faults []FaultLine
	if s.Own.Of == o.text {
		faults = Faults(s.Own.Trial)
	}
	switch {
	case held:
		left = "From outside, not run yet"
	case o.wrong != "":
		left = draw.HTML(`<span class="own-bad">{}</span>`, o.wrong)
	case o.unnamed != "":
		left = draw.HTML(`<span class="own-bad">{}</span>`, o.unnamed)
	case s.Own.Busy || o.wait != nil || s.Own.Of != o.text && s.Own.Error == "":
		left = "Trying it …"
	case len(faults) > 0:
		left = draw.HTML(`<span class="own-bad">{}</span>`, words.Count(len(faults), "fault", "faults"))
		if faults[0].Line > 0 {
			line := strconv.Itoa(faults[0].Line)
			left += draw.HTML(` <button type="button" class="own-to" data-do="line:{}">line {}</button>`, line, line)
		}
	}
	steps := ""
	if r := o.finished(); r != nil && r.Program != nil {
		steps = words.Int(r.Program.Steps) + " steps on the workload"
	}
	draw.Put(o.foot, draw.HTML(`<span>{}</span><span class="grow"></span><span>{}</span><span class="own-keys" title="Tab indents inside the editor">Escape leaves the editor, Ctrl Enter runs</span><span>{} of {} characters</span>`, left, steps, words.Int(len([]rune(o.text))), words.Int(catalog.MaxCode)))
}
