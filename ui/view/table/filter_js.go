//go:build js

package table

import (
	"slices"
	"strconv"
	"syscall/js"

	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// csvStep is the number of rows of a file between two looks at the clock.
const csvStep = 4000

// controls builds the row above the table: what is typed, chips, count, file.
func (t *table) controls(filters js.Value) {
	part := draw.Build(filters, draw.HTML(`<span class="bl-find">{}<input type="search" placeholder="Job, or wait>30m procs>=4" aria-label="Filter jobs: a job number, or conditions such as wait>30m procs>=4 user=3" spellcheck="false" autocomplete="off" data-find="" data-part="field"></span><span class="bl-chips" data-part="chips"></span><button type="button" class="bl-btn" data-part="plus">{}Filter</button>
<span class="bl-fault" role="alert" data-part="fault"></span><span class="grow"></span><span class="mut" role="status" data-part="count"></span><button type="button" class="bl-btn" title="Save the filtered rows" data-part="csv">{}CSV</button>`, draw.Icon("search"), draw.Icon("plus"), draw.Icon("export")))
	t.field, t.chips, t.fault, t.count = part("field"), part("chips"), part("fault"), part("count")
	t.Scope.Menu(part("plus"), func() []draw.Item {
		var items []draw.Item
		for _, f := range [...][2]string{{"Waited more than 30 min", "wait>30m"}, {"Waited more than 4 h", "wait>4h"}, {"Did not wait", "wait=0"}, {"4 processors or more", "procs>=4"},
			{"One processor", "procs=1"}, {"Slowdown above 10", "slowdown>10"}, {"Later than in the other run", "difference>0"}, {"Earlier than in the other run", "difference<0"}, {"Missed its deadline", "late>0"}} {
			if f[1] == "late>0" && (t.t == nil || len(t.t.Jobs.Due) == 0) {
				continue
			}
			items = append(items, draw.Item{Label: f[0], Do: func() { t.addTerms(f[1]) }})
		}
		return items
	})
	t.Scope.Listen(part("csv"), "click", func(js.Value) {
		if t.t == nil {
			return
		}
		rows := *t.t // as it is now: it may be sorted while the file is made
		rows.Rows = slices.Clone(rows.Rows)
		at, parts, name := 0, draw.Global.Get("Array").New(), t.FileName("jobs-"+words.Letter(t.letters[0]), ".csv")
		draw.InTurns(func() (more bool) {
			to := min(len(rows.Rows), at+csvStep)
			parts.Call("push", draw.BytesToJS(rows.CSVRows(at, to)))
			at = to
			return at < len(rows.Rows)
		}, func() {
			draw.SaveBlob(name, draw.Global.Get("Blob").New(parts, map[string]any{"type": "text/csv"}))
		})
	})
	t.Scope.Listen(t.field, "input", func(js.Value) {
		if t.wait != nil {
			t.wait()
		}
		t.wait = draw.Later(180, func() { t.wait = nil; t.read() })
	})
	t.Scope.Listen(t.field, "keydown", func(ev js.Value) {
		switch ev.Get("key").String() {
		case "Enter":
			if t.wait != nil {
				t.wait()
				t.wait = nil
			}
			if t.read() && len(t.typed) > 0 {
				t.terms = append(t.terms, t.typed...)
				t.typed, t.text = nil, ""
				t.field.Set("value", "")
				t.filter()
			}
			ev.Call("preventDefault")
		case "Backspace":
			if t.field.Get("value").String() == "" && len(t.terms) > 0 {
				t.terms = t.terms[:len(t.terms)-1]
				t.filter()
			}
		case "ArrowDown":
			t.grid.Call("focus")
			ev.Call("preventDefault")
		}
	})
	t.Scope.Listen(t.chips, "click", func(ev js.Value) {
		b := ev.Get("target").Call("closest", "button")
		if b.Truthy() {
			i, _ := strconv.Atoi(b.Get("dataset").Get("i").String())
			if i < len(t.terms) {
				t.terms = append(t.terms[:i:i], t.terms[i+1:]...)
				t.filter()
				t.field.Call("focus")
			}
		}
	})
}

func (t *table) addTerms(text string) {
	if terms, err := ParseFilter(text); err == nil {
		t.terms = append(t.terms, terms...)
		t.filter()
	}
}

// read takes what is typed as terms; it says whether that was possible.
func (t *table) read() bool {
	text := t.field.Get("value").String()
	terms, err := ParseFilter(text)
	if err != nil {
		t.fault.Set("textContent", err.Error())
		draw.Attr(t.field, "aria-invalid", "true")
		return false
	}
	t.fault.Set("textContent", "")
	t.field.Call("removeAttribute", "aria-invalid")
	if text != t.text {
		t.text, t.typed = text, terms
		t.filter()
	}
	return true
}

// writeChips shows the terms that hold.
func (t *table) writeChips() {
	var b draw.Writer
	for i := range t.terms {
		name, condition := t.terms[i].Text()
		b.Put(`<span class="bl-chip">{} <b>{}</b><button type="button" data-i="{}" aria-label="Remove {} {}">{}</button></span>`, name, condition, i, name, condition, draw.Icon("close"))
	}
	draw.Put(t.chips, b.Markup())
}
