package myjob

import (
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// squeue prints all that is asked for.
const squeue = `squeue -a -o "%i|%u|%T|%M|%l|%C|%D|%V|%S|%r"`

// formHTML are the fields.
func (v *View) formHTML(f *Form) draw.Markup {
	var b draw.Writer
	row := func(key, name, value, unit string, more draw.Markup) {
		b.Put(`<div class="field"><label for="job-{}">{}</label><span class="job-in"><input class="input" id="job-{}" data-job="{}" data-value="{}" autocomplete="off"{}>{}</span></div>`, key, name, key, key, value, more, unit)
	}
	b.Add(`<div class="fields">`)
	if n := len(v.doc.Schedulers); n > 1 {
		b.Put(`<div class="field"><label for="job-scheduler">Scheduler</label><select class="input" id="job-scheduler" data-job="scheduler" data-value="{}">`, f.Scheduler)
		for i := range v.doc.Schedulers {
			if s := &v.doc.Schedulers[i]; !catalog.FindScheduler(s.Key).Logged {
				b.Put(`<option value="{}">{}</option>`, i, words.Letter(i)+" "+v.label(i))
			}
		}
		b.Add(`</select></div>`)
	}
	where := "its number in the log"
	if f.Queue {
		where = "its place in the list"
		b.Put(`<div class="field job-paste"><label for="job-paste">What squeue prints</label><textarea class="input" id="job-paste" data-job="paste" rows="5" spellcheck="false" autocomplete="off" placeholder="{}" data-value="{}"></textarea></div>`, squeue, f.Paste)
	} else {
		row("at", "Instant", f.At, "", "")
	}
	if f.Waits {
		row("job", "Job", f.Job, "", draw.HTML(` inputmode="numeric" placeholder="{}"`, where))
	} else {
		row("procs", "Processors", f.Procs, "", ` inputmode="numeric"`)
		row("limit", "Time limit", f.Limit, "", "")
		row("user", "As user", f.User, "", ` inputmode="numeric" placeholder="nobody in the log"`)
	}
	b.Add(`</div>`)
	if f.Mistake != "" {
		b.Put(`<p class="field-error" role="alert">{}</p>`, f.Mistake)
	}
	return b.Markup()
}

// label is how a scheduler of the document is called.
func (v *View) label(i int) string {
	s := &v.doc.Schedulers[i]
	if s.Label != "" {
		return s.Label
	}
	row := catalog.FindScheduler(s.Key)
	if row.Short != "" {
		return row.Short
	}
	return row.Name
}

// form is what the fields say of a question.
func form(q Question, c draw.Clock) Form {
	f := Form{Waits: q.Job != 0, Queue: q.Queue, Scheduler: q.Scheduler, At: moment(q.At, c), Procs: "1", Limit: words.Typed(3600)}
	if q.Procs > 0 {
		f.Procs, f.Limit = strconv.Itoa(int(q.Procs)), words.Typed(int64(q.Limit))
	}
	if q.Job != 0 {
		f.Job = strconv.FormatInt(q.Job, 10)
	}
	if q.User >= 0 {
		f.User = strconv.Itoa(int(q.User))
	}
	return f
}

// moment writes an instant as it can be typed: a date with the time of day, or the time
// since the log's beginning.
func moment(at model.Time, c draw.Clock) string {
	if !c.Calendar() {
		return words.Typed(int64(at))
	}
	return strings.TrimSuffix(c.Date(at), ":00")
}

// mapHTML is the map of sizes and limits, a button for each cell.
func (v *View) mapHTML(c draw.Clock, t *draw.Theme) draw.Markup {
	if v.Map == nil {
		return draw.HTML(`<p class="bl-empty">{}</p>`, map[bool]string{true: "Drawing …", false: "Nothing has been asked yet."}[v.Total > 0])
	}
	var b draw.Writer
	cheap := map[*report.WhenCell]bool{}
	for _, w := range v.Ways() {
		cheap[w.Cell] = w.Clear > 0
	}
	asked := v.asked()
	n := len(v.Map.Limits)
	b.Put(`<div class="job-map" role="group" aria-label="Middle wait by processors and time limit" style="grid-template-columns:44px repeat({},minmax(0,1fr))">`, n)
	for r := len(v.Map.Procs) - 1; r >= 0; r-- {
		procs := v.Map.Procs[r]
		b.Put(`<span class="job-axis">{}</span>`, words.Int(procs))
		for l := range v.Map.Limits {
			cell := &v.Map.Cells[r*n+l]
			size := words.Count(cell.Procs, "processor", "processors") + ", " + words.Natural(float64(cell.Limit))
			if cell.Never != "" {
				b.Put(`<span class="job-never" role="img" aria-label="{}" title="{}"></span>`, size+": cannot start: "+cell.Never, cell.Never)
				continue
			}
			class, say := "job-cell", ""
			switch {
			case cell == asked:
				class, say = class+" is-asked", ", asked"
			case cheap[cell]:
				class, say = class+" is-cheap", ", cheaper"
			}
			fill := t.Tide(v.Shade(cell))
			b.Put(`<button type="button" class="{}" data-procs="{}" data-limit="{}" style="background:{};color:{}" aria-label="{}">{}</button>`, class, int(cell.Procs), strconv.FormatInt(int64(cell.Limit), 10), fill.Hex(), draw.Ink(fill).Hex(), size+": "+v.CellWord(cell, c)+say, v.CellWord(cell, c))
		}
	}
	b.Add(`<span></span>`)
	for _, limit := range v.Map.Limits {
		b.Put(`<span class="job-axis job-foot">{}</span>`, words.Natural(float64(limit)))
	}
	b.Add(`</div><p class="job-note">time limit →, processors ↑ · violet: asked · dashed: cheaper · hatched: cannot start`)
	if k := len(v.Map.Procs); v.Map.Cells[(k-1)*n].Never != "" {
		b.Put(`, {}`, v.Map.Cells[(k-1)*n].Never)
	}
	b.Add(`</p>`)
	return b.Markup()
}

// waysHTML are cheaper ways to ask.
func (v *View) waysHTML(c draw.Clock) draw.Markup {
	list := v.Ways()
	switch {
	case v.Map == nil:
		return draw.HTML(`<p class="bl-empty">{}</p>`, map[bool]string{true: "Drawing …", false: "Nothing has been asked yet."}[v.Total > 0])
	case len(list) == 0:
		return `<p class="bl-empty">No size and no limit beside it starts clearly sooner.</p>`
	}
	var b draw.Writer
	b.Add(`<ul class="job-ways">`)
	for _, w := range list {
		tone, sign := "", "same"
		switch w.Clear {
		case 1:
			tone, sign = "good", "▼ "+words.Natural(float64(w.Cell.Sooner[1]))+" sooner"
		case -1:
			tone, sign = "bad", "▲ "+words.Natural(float64(-w.Cell.Sooner[1]))+" later"
		}
		b.Put(`<li><b class="job-then">{}</b><span><b>{}</b><br>{}</span><span class="job-by {}">{}</span></li>`, v.time(c, w.Cell.Waits[1]), words.Count(w.Cell.Procs, "processor", "processors")+", "+words.Natural(float64(w.Cell.Limit)), w.Why, tone, sign)
	}
	b.Add(`</ul>`)
	return b.Markup()
}

// reasonsHTML are the shares of what holds the job back.
func (v *View) reasonsHTML() draw.Markup {
	list := v.Reasons()
	if list == nil {
		return ""
	}
	var bar, rows draw.Writer
	for i, r := range list {
		class := `job-r` + strconv.Itoa(i)
		bar.Put(`<i class="{}" style="flex:{}"></i>`, class, strconv.FormatFloat(max(0, r.Share), 'f', 4, 64))
		rows.Put(`<li><i class="{}"></i><span>{}</span><b>{}</b></li>`, class, r.Text, words.Percent(max(0, r.Share)))
	}
	return draw.HTML(`<p class="job-note">Who holds the processors while it waits</p><div class="job-bar" aria-hidden="true">{}</div><ul class="job-reasons">{}</ul>`, bar.Markup(), rows.Markup())
}

// waysGrid is the table of the cheaper ways.
func (v *View) waysGrid(c draw.Clock) draw.Grid {
	g := draw.Grid{Head: []string{"Processors", "Limit", "Middle start", "Sooner by", "Why"}, Units: []string{"processors", "limit_s", "start_s", "sooner_s", "why"}}
	for _, w := range v.Ways() {
		word := "same"
		if w.Clear != 0 {
			word = words.Signed(float64(w.Cell.Sooner[1]), words.Natural)
		}
		g.Cells = append(g.Cells, []string{words.Int(w.Cell.Procs), words.Natural(float64(w.Cell.Limit)), v.time(c, w.Cell.Waits[1]), word, w.Why})
		g.Raw = append(g.Raw, []string{draw.PlainNumber(float64(w.Cell.Procs)), draw.PlainNumber(float64(w.Cell.Limit)), draw.PlainNumber(float64(v.Q.At + w.Cell.Waits[1])), draw.PlainNumber(float64(w.Cell.Sooner[1])), w.Why})
	}
	return g
}
