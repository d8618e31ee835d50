//go:build js

package ui

import (
	"encoding/hex"
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/sum"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// syncPanels brings the sections that are data up to date, those within others after
// them. Nodes stay what they are as far as they can, so that focus, typed text and a
// press of the mouse survive.
func (b *browser) syncPanels() {
	list := document.Call("querySelectorAll", "[data-sections]")
	for i := 0; i < list.Length(); i++ {
		el := list.Index(i)
		if draw.Put(el, b.p.section(el.Get("dataset").Get("sections").String())) {
			list = document.Call("querySelectorAll", "[data-sections]")
		}
	}
}

// listenPanels attaches the listeners of all sections that are data, once.
func (b *browser) listenPanels() {
	on := func(event string, f func(e, el js.Value)) {
		document.Call("addEventListener", event, b.fn(func(args []js.Value) {
			el := args[0].Get("target")
			if draw.Putting || b.rendering || !el.Truthy() || !el.Get("closest").Truthy() || !el.Call("closest", "[data-sections]").Truthy() {
				return
			}
			f(args[0], el)
		}))
	}
	on("change", func(_, el js.Value) {
		data, text := el.Get("dataset"), el.Get("value").String()
		if el.Get("type").String() == "checkbox" {
			text = when(el.Get("checked").Bool(), "true")
		}
		if act := data.Get("tick"); act.Truthy() {
			b.p.act(act.String() + "=" + strconv.FormatBool(el.Get("checked").Bool()))
			b.render()
		} else if id := data.Get("field"); id.Truthy() {
			b.p.S.SetField(id.String(), text)
		} else if sheet, row, key := cellOf(el); sheet != "" {
			b.p.S.SetCell(sheet, row, key, text)
		}
	})
	on("input", func(_, el js.Value) {
		if id := el.Get("dataset").Get("slide"); id.Truthy() {
			b.slide(id.String(), el.Get("value").String())
		} else if act := el.Get("dataset").Get("put"); act.Truthy() {
			b.p.act(act.String() + "=" + el.Get("value").String())
		}
	})
	on("click", func(_, el js.Value) {
		button := el.Call("closest", "button,[data-act]")
		if !button.Truthy() {
			return
		}
		data := button.Get("dataset")
		switch {
		case data.Get("toggle").Truthy():
			b.p.toggle(data.Get("toggle").String())
			b.render()
		case data.Get("act").Truthy():
			b.p.act(data.Get("act").String())
			b.render()
		case data.Get("wave").Truthy():
			b.p.act("wave:" + data.Get("wave").String())
			b.render()
		case data.Get("add").Truthy():
			b.addRow(data.Get("add").String())
		case data.Get("remove").Truthy():
			sheet, number, _ := strings.Cut(data.Get("remove").String(), "/")
			row, _ := strconv.Atoi(number)
			b.removeRow(sheet, row)
		}
	})
	on("paste", func(e, el js.Value) {
		sheet, row, key := cellOf(el)
		data := e.Get("clipboardData")
		if sheet == "" || !data.Truthy() {
			return
		}
		text := strings.TrimRight(strings.ReplaceAll(data.Call("getData", "text").String(), "\r\n", "\n"), "\n")
		if !strings.ContainsAny(text, "\t\n") {
			return
		}
		e.Call("preventDefault")
		var lines [][]string
		for line := range strings.SplitSeq(text, "\n") {
			lines = append(lines, strings.Split(line, "\t"))
		}
		el.Call("blur")
		b.p.S.Paste(sheet, row, key, lines)
	})
	on("keydown", func(e, el js.Value) {
		if act := el.Get("dataset").Get("enter"); act.Truthy() && e.Get("key").String() == "Enter" && !e.Get("ctrlKey").Bool() {
			b.p.act(act.String())
			e.Call("preventDefault")
			b.render()
			return
		}
		sheet, row, key := cellOf(el)
		if sheet == "" || e.Get("isComposing").Bool() {
			return
		}
		move := func(to int) {
			if el := document.Call("getElementById", sheet+"."+strconv.Itoa(to)+"."+key); el.Truthy() {
				el.Call("focus")
				if el.Get("select").Type() == js.TypeFunction {
					el.Call("select")
				}
			} else if to > row {
				document.Call("getElementById", sheet+".add").Call("focus")
			}
			e.Call("preventDefault")
		}
		ctrl := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
		switch name := e.Get("key").String(); {
		case ctrl && name == "Delete":
			b.removeRow(sheet, row)
			e.Call("preventDefault")
		case ctrl || el.Get("tagName").String() == "SELECT":
		case name == "Enter" || name == "ArrowDown":
			move(row + 1)
		case name == "ArrowUp" && row > 0:
			move(row - 1)
		}
	})
}

// slidePause is how long a slider must rest before the experiment runs again,
// in milliseconds.
const slidePause = 120

// slide follows a slider: the number beside it at once, the settings once it
// rests, and the results too when that takes less than a second.
func (b *browser) slide(id, text string) {
	f, _ := strconv.ParseFloat(text, 64)
	shown := words.Shown(strconv.FormatFloat(f, 'g', 4, 64))
	if field := document.Call("getElementById", id); field.Truthy() {
		field.Set("value", shown)
	}
	b.slides++
	last := b.slides
	window.Call("setTimeout", once(func([]js.Value) {
		if last == b.slides {
			b.p.S.SetField(id, shown)
			b.p.S.RunLive()
		}
	}), slidePause)
}

// cellOf reads which cell of a sheet an input is; sheet is "" for none.
func cellOf(el js.Value) (sheet string, row int, key string) {
	v := el.Get("dataset").Get("cell")
	if !v.Truthy() {
		return "", 0, ""
	}
	parts := strings.SplitN(v.String(), "/", 3)
	row, _ = strconv.Atoi(parts[1])
	return parts[0], row, parts[2]
}

func (b *browser) addRow(sheet string) {
	row := b.p.S.AddRow(sheet)
	if t, ok := b.p.S.Sheet(sheet); ok && row >= 0 {
		b.Focus(sheet + "." + strconv.Itoa(row) + "." + t.Columns[0].Key)
	}
}

// removeRow removes a row and goes to the one that takes its place.
func (b *browser) removeRow(sheet string, row int) {
	b.p.S.RemoveRow(sheet, row)
	t, _ := b.p.S.Sheet(sheet)
	if n := len(t.Cells); n > 0 {
		b.Focus(sheet + "." + strconv.Itoa(min(row, n-1)) + ".remove")
	} else {
		b.Focus(sheet + ".add")
	}
}

// mostNeeds bounds a file of annotations, in bytes: it is hashed on the page's
// thread.
const mostNeeds = 16 << 20

// openNeeds makes a file say what single jobs need.
func (b *browser) openNeeds(name string, file js.Value) {
	b.openBeside(name, file, "needs", b.p.S.OpenNeeds)
}

// openBeside hands over a file beside the log, and opens the section of the left
// column in which it stands.
func (b *browser) openBeside(name string, file js.Value, section string, open func(experiment.Log, any)) {
	if file.Get("size").Int() > mostNeeds {
		b.p.S.Tell(name + " is larger than 16 MB: such a file has one short row a job.")
		return
	}
	file.Call("arrayBuffer").Call("then", once(func(args []js.Value) {
		array := window.Get("Uint8Array").New(args[0])
		data := make([]byte, array.Length())
		js.CopyBytesToGo(data, array)
		sum := sum.Of(data)
		b.p.unfoldTo("workload", section)
		open(experiment.Log{Name: name, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(data))}, file)
	}))
}
