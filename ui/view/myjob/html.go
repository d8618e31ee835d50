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
func (v *View) formHTML(f *Form) string {
	var b strings.Builder
	row := func(key, name, value, unit, help string) {
		b.WriteString(`<div class="field"><label for="job-` + key + `">` + name + `</label><span class="job-in"><input class="input" id="job-` + key + `" data-job="` + key + `" value="` + draw.Escape(value) + `" autocomplete="off"` + help + `>` + unit + `</span></div>`)
	}
	b.WriteString(`<div class="fields">`)
	if n := len(v.doc.Schedulers); n > 1 {
		b.WriteString(`<div class="field"><label for="job-scheduler">Scheduler</label><select class="input" id="job-scheduler" data-job="scheduler">`)
		for i := range v.doc.Schedulers {
			if s := &v.doc.Schedulers[i]; !catalog.FindScheduler(s.Key).Logged {
				selected := ""
				if i == f.Scheduler {
					selected = " selected"
				}
				b.WriteString(`<option value="` + strconv.Itoa(i) + `"` + selected + `>` + draw.Escape(words.Letter(i)+" "+v.label(i)) + `</option>`)
			}
		}
		b.WriteString(`</select></div>`)
	}
	where := "its number in the log"
	if f.Queue {
		where = "its place in the list"
		b.WriteString(`<div class="field job-paste"><label for="job-paste">What squeue prints</label><textarea class="input" id="job-paste" data-job="paste" rows="5" spellcheck="false" autocomplete="off" placeholder="` + draw.Escape(squeue) + `">` + draw.Escape(f.Paste) + `</textarea></div>`)
	} else {
		row("at", "Instant", f.At, "", "")
	}
	if f.Waits {
		row("job", "Job", f.Job, "", ` inputmode="numeric" placeholder="`+where+`"`)
	} else {
		row("procs", "Processors", f.Procs, "", ` inputmode="numeric"`)
		row("limit", "Time limit", f.Limit, "", "")
		row("user", "As user", f.User, "", ` inputmode="numeric" placeholder="nobody in the log"`)
	}
	b.WriteString(`</div>`)
	if f.Mistake != "" {
		b.WriteString(`<p class="field-error" role="alert">` + draw.Escape(f.Mistake) + `</p>`)
	}
	return b.String()
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
func (v *View) mapHTML(c draw.Clock, t *draw.Theme) string {
	if v.Map == nil {
		return `<p class="bl-empty">` + map[bool]string{true: "Drawing …", false: "Nothing has been asked yet."}[v.Total > 0] + `</p>`
	}
	var b strings.Builder
	cheap := map[*report.WhenCell]bool{}
	for _, w := range v.Ways() {
		cheap[w.Cell] = w.Clear > 0
	}
	asked := v.asked()
	n := len(v.Map.Limits)
	b.WriteString(`<div class="job-map" role="group" aria-label="Middle wait by processors and time limit" style="grid-template-columns:44px repeat(` + strconv.Itoa(n) + `,minmax(0,1fr))">`)
	for r := len(v.Map.Procs) - 1; r >= 0; r-- {
		procs := v.Map.Procs[r]
		b.WriteString(`<span class="job-axis">` + words.Int(procs) + `</span>`)
		for l := range v.Map.Limits {
			cell := &v.Map.Cells[r*n+l]
			size := words.Count(cell.Procs, "processor", "processors") + ", " + words.Natural(float64(cell.Limit))
			if cell.Never != "" {
				b.WriteString(`<span class="job-never" role="img" aria-label="` + draw.Escape(size+": cannot start: "+cell.Never) + `" title="` + draw.Escape(cell.Never) + `"></span>`)
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
			b.WriteString(`<button type="button" class="` + class + `" data-procs="` + strconv.Itoa(int(cell.Procs)) + `" data-limit="` + strconv.FormatInt(int64(cell.Limit), 10) + `" style="background:` + fill.Hex() + `;color:` + draw.Ink(fill).Hex() + `" aria-label="` + draw.Escape(size+": "+v.CellWord(cell, c)+say) + `">` + draw.Escape(v.CellWord(cell, c)) + `</button>`)
		}
	}
	b.WriteString(`<span></span>`)
	for _, limit := range v.Map.Limits {
		b.WriteString(`<span class="job-axis job-foot">` + draw.Escape(words.Natural(float64(limit))) + `</span>`)
	}
	b.WriteString(`</div><p class="job-note">time limit →, processors ↑ · violet: asked · dashed: cheaper · hatched: cannot start`)
	if k := len(v.Map.Procs); v.Map.Cells[(k-1)*n].Never != "" {
		b.WriteString(`, ` + draw.Escape(v.Map.Cells[(k-1)*n].Never))
	}
	b.WriteString(`</p>`)
	return b.String()
}

// waysHTML are cheaper ways to ask.
func (v *View) waysHTML(c draw.Clock) string {
	list := v.Ways()
	switch {
	case v.Map == nil:
		return `<p class="bl-empty">` + map[bool]string{true: "Drawing …", false: "Nothing has been asked yet."}[v.Total > 0] + `</p>`
	case len(list) == 0:
		return `<p class="bl-empty">No size and no limit beside it starts clearly sooner.</p>`
	}
	var b strings.Builder
	b.WriteString(`<ul class="job-ways">`)
	for _, w := range list {
		tone, sign := "", "same"
		switch w.Clear {
		case 1:
			tone, sign = "good", "▼ "+words.Natural(float64(w.Cell.Sooner[1]))+" sooner"
		case -1:
			tone, sign = "bad", "▲ "+words.Natural(float64(-w.Cell.Sooner[1]))+" later"
		}
		b.WriteString(`<li><b class="job-then">` + draw.Escape(v.time(c, w.Cell.Waits[1])) + `</b><span><b>` + draw.Escape(words.Count(w.Cell.Procs, "processor", "processors")+", "+words.Natural(float64(w.Cell.Limit))) + `</b><br>` + draw.Escape(w.Why) + `</span><span class="job-by ` + tone + `">` + draw.Escape(sign) + `</span></li>`)
	}
	b.WriteString(`</ul>`)
	return b.String()
}

// reasonsHTML are the shares of what holds the job back.
func (v *View) reasonsHTML() string {
	list := v.Reasons()
	if list == nil {
		return ""
	}
	var bar, rows strings.Builder
	for i, r := range list {
		class := `job-r` + strconv.Itoa(i)
		bar.WriteString(`<i class="` + class + `" style="flex:` + strconv.FormatFloat(max(0, r.Share), 'f', 4, 64) + `"></i>`)
		rows.WriteString(`<li><i class="` + class + `"></i><span>` + r.Text + `</span><b>` + words.Percent(max(0, r.Share)) + `</b></li>`)
	}
	return `<p class="job-note">Who holds the processors while it waits</p><div class="job-bar" aria-hidden="true">` + bar.String() + `</div><ul class="job-reasons">` + rows.String() + `</ul>`
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
