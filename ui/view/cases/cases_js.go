//go:build js

package cases

import (
	_ "embed"
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/instant"
	"batchlab/ui/result"
)

//go:embed cases.css
var styles string

func init() {
	Room.Islands = map[string]draw.Maker{"cases": newView}
	Room.Styles = styles
}

// view is the place on the screen.
type view struct {
	*draw.Host
	list, middle, right js.Value
	table               *Table
	runs, last          *result.Background // last: the latest that is done
	of                  string             // identity of what runs is of
	job                 int                // row that is outlined
	grab                *DraggedNumber     // what a pointer holds; nil nothing
	pasting             bool
	puzzle              *Puzzle
	rivals              *result.Background // what a puzzle is measured by
	ghost               JobToPlace
	visit               int
	drawn               uint64 // seed of the last random case, 0 none
}

func newView(h *draw.Host) draw.Island {
	v := &view{Host: h, job: -1, ghost: JobToPlace{Job: -1}}
	part := draw.Build(h.Root, `<div class="cases"><section class="case-left" data-part="list"></section><section class="case-middle" data-part="middle"></section><section class="case-right" data-part="right"></section></div>`)
	v.list, v.middle, v.right = part("list"), part("middle"), part("right")
	h.Scope.Listen(h.Root, "click", func(ev js.Value) {
		button := ev.Get("target").Call("closest", "button")
		if !button.Truthy() {
			return
		}
		data := button.Get("dataset")
		switch {
		case data.Get("open").Truthy():
			v.open(Open(data.Get("open").String()))
		case data.Get("remove").Truthy():
			v.table.Remove(draw.Number(button, "remove"))
		case data.Get("job").Truthy():
			v.choose(draw.Number(button, "job"))
		case data.Get("do").Truthy():
			v.act(data.Get("do").String())
		default:
			return
		}
		v.Draw()
	})
	h.Scope.Listen(h.Root, "change", func(ev js.Value) {
		el := ev.Get("target")
		switch {
		case el.Get("dataset").Get("cell").Truthy():
			row, column, _ := strings.Cut(el.Get("dataset").Get("cell").String(), "/")
			i, _ := strconv.Atoi(row)
			k, _ := strconv.Atoi(column)
			v.table.Set(i, k, el.Get("value").String())
		case el.Get("id").String() == "case-processors":
			if why := v.table.SetProcessors(el.Get("value").String()); why != "" {
				v.say(why)
				return
			}
		case el.Get("id").String() == "case-promise":
			v.puzzle.Promise = el.Get("checked").Bool()
		}
		v.Draw()
	})
	h.Scope.Listen(h.Root, "focusin", func(ev js.Value) {
		at := ev.Get("target").Get("dataset").Get("cell")
		if !at.Truthy() {
			return
		}
		row, _, _ := strings.Cut(at.String(), "/")
		if i, _ := strconv.Atoi(row); i != v.job {
			v.job = i
			v.boards()
		}
	})
	h.Scope.Listen(h.Root, "paste", func(ev js.Value) {
		if !ev.Get("target").Get("dataset").Get("cell").Truthy() {
			return
		}
		if text := ev.Get("clipboardData").Call("getData", "text").String(); strings.ContainsAny(strings.TrimSpace(text), "\t\n;") {
			ev.Call("preventDefault")
			if why := v.table.Paste(text); why != "" {
				v.say("The table was not used: " + why + ".")
				return
			}
			v.Draw()
		}
	})
	h.Scope.ListenActive(h.Root, "keydown", v.key)
	v.listen()
	ghostAt := func(ev js.Value) (model.Time, bool) {
		svg := ev.Get("target").Call("closest", "svg.board")
		if v.puzzle == nil || v.ghost.Job < 0 || !svg.Truthy() {
			return 0, false
		}
		box := svg.Call("getBoundingClientRect")
		b := instant.Board{Jobs: v.puzzle.Jobs, Run: v.puzzle.Columns(), Processors: v.puzzle.Processors, Until: v.puzzle.Until()}
		f := b.Scene(box.Get("width").Float()).Frame()
		t := f.Near(ev.Get("clientX").Float() - box.Get("left").Float())
		return max(0, (t+150)/300*300), true
	}
	h.Scope.ListenActive(v.right, "pointermove", func(ev js.Value) {
		if at, ok := ghostAt(ev); ok && at != v.ghost.At {
			v.ghost.At = at
			v.Draw()
		}
	})
	h.Scope.Listen(v.right, "click", func(ev js.Value) {
		if at, ok := ghostAt(ev); ok {
			v.ghost.At = at
			v.place()
			v.Draw()
		}
	})
	v.open(Open("hole"))
	return v
}

func (v *view) open(t *Table) {
	v.table, v.job, v.pasting, v.puzzle, v.ghost = t, -1, false, nil, JobToPlace{Job: -1}
	v.last, v.grab = nil, nil
	v.stop()
}

// key is the keyboard of the drawings.
func (v *view) key(ev js.Value) {
	if v.puzzle == nil {
		v.gripKey(ev)
		return
	}
	if v.ghost.Job < 0 || draw.Typing(ev) || draw.Modified(ev) {
		return
	}
	switch ev.Get("key").String() {
	case "ArrowLeft":
		v.ghost.At = max(0, v.ghost.At-300)
	case "ArrowRight":
		v.ghost.At += 300
	case "Home":
		_, at := v.puzzle.Check(v.ghost.Job, 0)
		v.ghost.At = max(0, at)
	case "Enter":
		if ev.Get("target").Get("dataset").Get("do").Truthy() {
			return
		}
		v.place()
		defer v.inHand()
	case "Backspace", "Delete":
		v.puzzle.Take(v.ghost.Job)
	default:
		return
	}
	ev.Call("preventDefault")
	v.Draw()
}

// choose takes a job of the tray in hand.
func (v *view) choose(job int) {
	at := v.puzzle.Start[job]
	v.puzzle.Take(job)
	if at < 0 {
		at = v.puzzle.Jobs.Submit[job]
	}
	v.ghost = JobToPlace{Job: job, At: at}
}

// place puts the job in hand where it is, or at the earliest time from there on; where there is none
// at all it stays in hand.
func (v *view) place() {
	_, at := v.puzzle.Check(v.ghost.Job, v.ghost.At)
	if at < 0 || v.puzzle.Place(v.ghost.Job, at) != "" {
		return
	}
	v.ghost.Job = -1
	for i, s := range v.puzzle.Start {
		if s < 0 {
			v.ghost = JobToPlace{Job: i, At: v.puzzle.Jobs.Submit[i]}
			return
		}
	}
}

func (v *view) act(what string) {
	switch what {
	case "add":
		if !v.table.Add() {
			v.say("1,000 jobs are the most that a table holds.")
		}
	case "undo":
		v.table.Undo()
	case "paste":
		v.pasting = true
	case "drop":
		v.pasting = false
	case "take":
		if why := v.table.Paste(draw.Find(v.Root, "#case-text").Get("value").String()); why != "" {
			draw.Find(v.Root, "#case-fault").Set("textContent", why)
			return
		}
		v.pasting = false
	case "random":
		v.drawn++
		if v.drawn == 1 { // where this page begins
			v.drawn = 1 + uint64(draw.Global.Get("Math").Call("random").Float()*9000)
		}
		v.open(Random(v.drawn))
	case "lab":
		v.Store.Open(v.table.Doc.Clone(), "", true)
	case "link":
		v.copy()
	case "place":
		p, why := NewPuzzle(v.table)
		if why != "" {
			v.say(why)
			return
		}
		v.puzzle, v.ghost = p, JobToPlace{Job: 0, At: p.Jobs.Submit[0]}
		v.rivals = v.Store.RunInBackground(v.table.Rivals(), v.Draw)
		v.Draw()
		v.inHand()
	case "put":
		v.place()
		v.Draw()
		v.inHand()
	case "clear":
		for i := range v.puzzle.Start {
			v.puzzle.Take(i)
		}
	case "table":
		v.puzzle, v.ghost = nil, JobToPlace{Job: -1}
		v.stop()
	}
}

// inHand puts the focus on the job in hand.
func (v *view) inHand() {
	if el := draw.Find(v.middle, ".case-job.here"); el.Truthy() {
		el.Call("focus")
	}
}

func (v *view) say(text string) {
	if el := draw.Find(v.Root, "#case-said"); el.Truthy() {
		el.Set("textContent", text)
	}
}

// copy puts the link to the case into the clipboard, with the digest of what has
// come of it.
func (v *view) copy() {
	doc := v.table.Doc.Clone()
	if v.runs != nil && v.runs.Ready() && v.of == doc.Identity() {
		doc.Expect = v.runs.Digest
	}
	hash := experiment.EncodeLink(doc)
	if draw.CopyLink(hash) {
		v.say("The link is copied: it holds all jobs and the digest, " + strconv.Itoa(len(hash)) + " characters.")
	}
}

// Draw brings the place up to date, and runs the case when it has changed.
func (v *view) Draw() {
	place := &v.Store.Place
	if place.Key != "cases" {
		return
	}
	if place.Count != v.visit {
		v.visit = place.Count
		if doc := &v.Store.Settings; doc.Workload.Source.Inline != nil && place.Item == "open" {
			v.open(Of(doc))
		}
	}
	v.rerun()
	draw.Put(v.list, ListHTML(v.table.Key))
	switch {
	case v.puzzle != nil:
		draw.Put(v.middle, v.puzzle.PuzzleHTML(v.ghost, v.rivals)) // results come in while a key is held down
	case v.pasting:
		draw.Put(v.middle, PasteHTML())
	default:
		draw.Put(v.middle, v.table.TableHTML())
	}
	v.boards()
}

// rerun runs the case when it has changed; while it is being dragged, one run
// after the other.
func (v *view) rerun() {
	id := v.table.Doc.Identity()
	if id == v.of || v.grab != nil && v.runs != nil && !v.runs.Ready() && v.runs.Error == "" || v.table.Doc.Validate() != nil {
		return
	}
	if v.of = id; v.runs != nil {
		v.runs.StopRuns()
	}
	v.runs = v.Store.RunInBackground(v.table.Doc.Clone(), v.Draw)
}

// boards draws the schedules: the ones before until the new ones are there.
func (v *view) boards() {
	width := min(760, max(280, v.right.Get("clientWidth").Float()))
	if v.puzzle != nil {
		draw.Put(v.right, v.puzzle.BoardHTML(v.ghost, width))
		return
	}
	shown := v.runs
	if shown != nil && shown.Ready() {
		v.last = shown
	} else if shown != nil && shown.Error == "" && v.last != nil {
		shown = v.last
	}
	until := model.Time(0)
	if v.grab != nil {
		until = v.grab.Until
	}
	draw.Put(v.right, v.table.BoardsHTML(shown, v.job, until, width))
}

// stop ends the runs that a puzzle is measured by.
func (v *view) stop() {
	if v.rivals != nil {
		v.rivals.StopRuns()
		v.rivals = nil
	}
}

// Release implements draw.Island.
func (v *view) Release() {
	v.stop()
	if v.runs != nil {
		v.runs.StopRuns()
	}
}
