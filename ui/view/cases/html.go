package cases

import (
	"fmt"

	"batchlab/core/catalog"
	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/instant"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// names of the columns, for people.
var names = map[string]string{"submit": "Submitted", "procs": "Processors", "requested": "Asks for", "run": "Runs for", "user": "User", "wait": "Waited",
	"status": "Status", "after": "Waits for", "begin": "Not before", "withdrawn": "Leaves", "array": "Array", "array_limit": "At once", "het": "Group",
	"partition": "Partition", "qos": "QOS", "account": "Account"}

// ListHTML is the list of cases.
func ListHTML(open string) draw.Markup {
	var b draw.Writer
	b.Add(`<h2>Cases</h2><p class="soft">A few jobs each, and one thing to see. Change them, or paste a table of your own.</p><p class="case-acts"><button type="button" class="btn small" data-do="random" id="case-random">Another random case</button></p><nav class="case-list" aria-label="Cases">`)
	for i := range catalog.Cases {
		c := &catalog.Cases[i]
		current := draw.Markup("")
		if c.Key == open {
			current = ` aria-current="true"`
		}
		b.Put(`<button type="button" class="case-row" data-open="{}" id="case-{}"{}>{}</button>`, c.Key, c.Key, current, c.Name)
	}
	b.Add(`</nav>`)
	return b.Markup()
}

// TableHTML is the table of jobs, to be typed into.
func (t *Table) TableHTML() draw.Markup {
	var b draw.Writer
	b.Add(`<div class="case-head">`)
	if c := catalog.FindCase(t.Key); c != nil {
		b.Put(`<h2>{}</h2><p class="case-shows">{}</p>`, c.Name, c.Shows)
	} else if t.Doc.Title != "" {
		b.Put(`<h2>{}</h2>`, t.Doc.Title)
	} else {
		b.Add(`<h2>Your case</h2>`)
	}
	b.Add(`</div>`)
	in := t.inline()
	if in.Processors > 0 {
		b.Put(`<p><label>Processors of the machine <input class="input case-procs" id="case-processors" inputmode="numeric" data-value="{}"></label></p>`, in.Processors)
	}
	b.Add(`<div class="case-table" tabindex="0" role="region" aria-label="Jobs"><table><thead><tr><th>Job</th>`)
	for _, c := range in.Columns {
		b.Put(`<th>{}</th>`, names[c])
	}
	b.Add(`<th></th></tr></thead><tbody>`)
	for i := range in.Rows {
		b.Put(`<tr><th>{}</th>`, i+1)
		for k, c := range in.Columns {
			fault, at := t.Faults[cell(i, k)], cell(i, k)
			bad := draw.Markup("")
			if fault != "" {
				bad = draw.HTML(` aria-invalid="true" title="{}"`, fault)
			}
			b.Put(`<td><input class="case-cell" data-cell="{}" aria-label="Job {}, {}" data-value="{}"{}></td>`, at, i+1, names[c], t.Cell(i, k), bad)
		}
		b.Put(`<td><button type="button" class="stop" data-remove="{}" aria-label="Remove job {}" title="Remove job {}">×</button></td></tr>`, i, i+1, i+1)
	}
	b.Add(`</tbody></table></div><p class="fault-text" id="case-wrong" role="alert">`)

	if at := t.firstFault(); at != "" {
		row, column := 0, 0
		fmt.Sscanf(at, "%d/%d", &row, &column)
		b.Put(`Job {}, {}: {}`, row+1, names[in.Columns[column]], t.Faults[at])
	}
	b.Add(`</p>`)
	b.Put(`<p class="case-acts"><button type="button" class="btn small" data-do="add">Add a job</button><button type="button" class="btn small" data-do="paste">Paste a table</button><button type="button" class="btn small" data-do="undo"{}>Undo</button></p>`, draw.When(len(t.past) == 0, " disabled"))
	b.Add(`<p class="case-acts"><button type="button" class="btn small primary" data-do="place">Place the jobs yourself</button><button type="button" class="btn small" data-do="lab">Open in the lab</button><button type="button" class="btn small" data-do="link">Copy a link</button></p><p class="faint" id="case-said" role="status"></p>`)
	return b.Markup()
}

// firstFault is the cell furthest up that holds a fault, "" none.
func (t *Table) firstFault() string {
	for i := range t.Rows() {
		for k := range t.Columns() {
			if t.Faults[cell(i, k)] != "" {
				return cell(i, k)
			}
		}
	}
	return ""
}

// PasteHTML is the field for a pasted table.
func PasteHTML() draw.Markup {
	return `<h2>Paste a table</h2><p class="soft">A job a line: submitted, processors, asks for, runs for. Seconds, or 20m, 1h 30m. A first line may name the columns: submit, procs, requested, run, user, wait.</p>` +
		`<textarea id="case-text" rows="12" spellcheck="false" aria-label="Table of jobs" placeholder="0 4 60m 60m&#10;5m 8 1h 1h"></textarea><p class="fault-text" id="case-fault" role="alert"></p>` +
		`<p class="case-acts"><button type="button" class="btn small primary" data-do="take">Use this table</button><button type="button" class="btn small" data-do="drop">Cancel</button></p>`
}

// BoardsHTML are the schedules of a table's jobs beneath each other, with grips on
// the job of a row, −1 none; the axis ends at until or later.
func (t *Table) BoardsHTML(a *result.Background, row int, until model.Time, width float64) draw.Markup {
	switch {
	case a == nil:
		return ""
	case a.Error != "":
		return draw.HTML(`<p class="fault-text" role="alert">{}</p>`, a.Error)
	case !a.Ready():
		return `<p class="soft" role="status">Running …</p>`
	}
	job := -1
	if j, ok := a.Index(int64(row) + 1); ok && row >= 0 {
		job = j
	}
	var b draw.Writer
	for i := range a.Ran.Schedulers {
		r := a.Shown(i)
		if r == nil {
			continue
		}
		board := instant.Board{Jobs: a.Jobs[0], Run: &r.Columns, Processors: r.Processors, Job: job, Name: a.Name(i), Until: max(until, a.Until()), Grips: t.Grips(i, row)}
		mean, _ := a.Measure(i, "mean-wait")
		most, _ := a.Measure(i, "max-wait")
		b.Put(`<figure class="lesson-board"><figcaption><b>{}</b> <span class="soft">mean wait {}, longest {}</span></figcaption>{}</figure>`, board.Name, words.Dur(mean), words.Dur(most), board.SVG(width))
	}
	b.Add(`<p class="faint case-hint">Click a job to take hold of it: its end, its upper edge, the dot where it is submitted. Arrow keys do the same on a dot that has the focus, with Shift in small steps.</p>`)
	return b.Markup()
}

// JobToPlace is a job that is about to be placed.
type JobToPlace struct {
	Job int // −1 none
	At  model.Time
}

// PuzzleHTML is the tray and the score of a puzzle.
func (p *Puzzle) PuzzleHTML(g JobToPlace, a *result.Background) draw.Markup {
	var b draw.Writer
	broken := p.Broken()
	b.Add(`<h2>Place the jobs</h2><p class="soft">Choose a job, move it with ← → (or the pointer), and place it with ↵. What is not allowed is said at once.</p><div class="case-tray" role="listbox" aria-label="Jobs to place">`)
	for i := range p.Start {
		where := "in the tray"
		class := "case-job"
		if p.Start[i] >= 0 {
			where = "at " + words.Minutes(int64(p.Start[i]))
			class += " placed"
		}
		if broken[i] != "" {
			where += ", breaks the promise"
			class += " broken"
		}
		if i == g.Job {
			class += " here"
		}
		b.Put(`<button type="button" role="option" aria-selected="{}" class="{}" data-job="{}"><b>Job {}</b> <span>{} for {}, from {} on</span> <em>{}</em></button>`, i == g.Job, class, i, p.Jobs.Number[i], words.Count(int(p.Jobs.Procs[i]), "processor", "processors"), words.Minutes(int64(p.Jobs.Limit[i])), words.Minutes(int64(p.Jobs.Submit[i])), where)
	}
	b.Put(`</div><p><label class="case-rule"><input type="checkbox" id="case-promise" data-checked="{}"> Keep EASY's promise: the head starts as soon as it fits, and no job that passes it may delay it</label></p>`, p.Promise)
	if g.Job >= 0 {
		if why, allowed := p.Check(g.Job, g.At); why != "" {
			other := "Earliest from here: " + words.Minutes(int64(allowed)) + "."
			switch {
			case allowed < 0:
				other = "Nor at any other time: place the head first, or take another job back."
			case allowed < g.At:
				other = "Nor later; it may start at " + words.Minutes(int64(allowed)) + "."
			}
			b.Put(`<p class="case-no" role="alert"><b>Not there.</b> {} {}</p>`, why, other)
		} else {
			b.Put(`<p class="case-yes"><span role="status">Job {} may start at {}.</span><button type="button" class="btn small" data-do="put">Place it there</button></p>`, p.Jobs.Number[g.Job], words.Minutes(int64(g.At)))
		}
	}
	for i := range p.Start {
		if broken[i] != "" {
			b.Put(`<p class="case-no" role="alert"><b>Job {} breaks the promise.</b> {} Choose it to take it back.</p>`, p.Jobs.Number[i], broken[i])
		}
	}
	mean, longest := p.Score()
	best, exact := p.Best()
	tray := 0
	for _, s := range p.Start {
		if s < 0 {
			tray++
		}
	}
	b.Add(`<div class="lesson-table"><table class="numbers"><thead><tr><th></th><th>Mean wait</th><th>Longest</th></tr></thead><tbody>`)
	row := func(name, mean, longest string) {
		b.Put(`<tr><th>{}</th><td>{}</td><td>{}</td></tr>`, name, mean, longest)
	}
	row("You", words.Dur(mean), words.Dur(float64(longest)))
	if a != nil && a.Ready() {
		for i := range a.Ran.Schedulers {
			m, _ := a.Measure(i, "mean-wait")
			l, _ := a.Measure(i, "max-wait")
			row(a.Name(i), words.Dur(m), words.Dur(l))
		}
	}
	name := map[bool]string{true: "Best there is", false: "Best found"}[exact]
	if p.Promise {
		name = "Best found that keeps the promise"
	}
	row(name, words.Dur(best), "–")
	b.Add(`</tbody></table></div>`)
	if tray > 0 {
		b.Put(`<p class="faint">{} still in the tray: counted as if each followed in its turn, at its earliest.</p>`, words.Count(tray, "job is", "jobs are"))
	}
	b.Add(`<p class="case-acts"><button type="button" class="btn small" data-do="clear">Take all back</button><button type="button" class="btn small" data-do="table">Back to the table</button></p>`)
	return b.Markup()
}

// BoardHTML is the machine with what is placed and the ghost.
func (p *Puzzle) BoardHTML(g JobToPlace, width float64) draw.Markup {
	c := p.Columns()
	job := -1
	until := p.Until()
	if g.Job >= 0 {
		shown := *p
		shown.Start = append([]model.Time(nil), p.Start...)
		if why, _ := p.Check(g.Job, g.At); why == "" {
			shown.Start[g.Job] = g.At
			c = shown.Columns()
		} else {
			c.Start[g.Job] = -1
		}
		job = g.Job
	}
	board := instant.Board{Jobs: p.Jobs, Run: c, Processors: p.Processors, Job: job, Name: "Your schedule", Until: until}
	if g.Job >= 0 {
		if why, _ := p.Check(g.Job, g.At); why != "" {
			board.Ghost = &instant.Ghost{From: g.At, To: g.At + p.Jobs.Limit[g.Job], Processors: p.Jobs.Procs[g.Job]}
		}
	}
	return `<figure class="lesson-board case-board"><figcaption><b>Your schedule</b></figcaption>` + board.SVG(width) + `</figure>`
}

// Until is where the time axis of a puzzle ends: everything one after the other
// fits, by half an hour steps.
func (p *Puzzle) Until() model.Time {
	last := model.Time(0)
	for i, s := range p.whole(p.Start) {
		last = max(last, s+p.Jobs.Run[i])
	}
	return (last/1800 + 2) * 1800
}
