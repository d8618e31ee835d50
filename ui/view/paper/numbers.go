package paper

import (
	"math"
	"strings"

	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// other reports whether a result is of other jobs than the paper's, or of a
// smaller version, so that ours cannot be held against what is printed.
func other(s *state.Store, p *engine.Paper) bool {
	r := s.Studies.Results[p.Key]
	if r == nil {
		return false
	}
	return r.Quick || r.StandIn || p.Log != "" && !wanted(p, r.Log)
}

func wanted(p *engine.Paper, logs string) bool {
	for name := range strings.SplitSeq(logs, ", ") {
		if !p.Wants(name) {
			return false
		}
	}
	return true
}

// Said is the sentence above the charts: how ours stand to what is printed.
func Said(s *state.Store, p *engine.Paper, rows []engine.StudyRow) string {
	r := s.Studies.Results[p.Key]
	switch {
	case r == nil && len(p.Full.Rows) > 0 && len(p.Published) > 0:
		return Sentence(rows, false) + " Ours are of a run in full" + onLog(p) + "."
	case r == nil && len(p.Full.Rows) > 0:
		return "The paper prints no numbers here. Ours are of a run in full" + onLog(p) + "."
	case r == nil && len(p.Quoted.Rows) > 0 && len(p.Published) > 0:
		return Sentence(rows, false) + " Ours are those that the claims quote, of a run in full; run it to see all of them."
	case r == nil && len(p.Quoted.Rows) > 0:
		return "The paper prints no numbers here. Ours are those that the claims quote, of a run in full; run it to see all of them."
	case r == nil && len(p.Published) > 0:
		return words.Count(len(p.Published), "printed value", "printed values") + "; run it to set ours beside them."
	case r == nil:
		return "The paper prints no numbers here; run it to see ours."
	}
	return Sentence(rows, other(s, p))
}

// onLog names the log of the run in full.
func onLog(p *engine.Paper) string {
	if p.Full.Log == "" {
		return ""
	}
	return " on " + p.Full.Log
}

// KeyHTML is that sentence with the key of the dots.
func KeyHTML(s *state.Store, p *engine.Paper, rows []engine.StudyRow) draw.Markup {
	var key draw.Markup
	if len(printed(rows)) > 0 {
		ours := "var(--s1)"
		if other(s, p) {
			ours = "var(--line-3)"
		}
		key = draw.HTML(`<span class="paper-key"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5" stroke="var(--ink)" stroke-width="1.800"/></svg>published <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M1 8h14M1 5v6M15 5v6" stroke="{}"/><circle cx="8" cy="8" r="4" fill="{}" stroke="none"/></svg>here, 95 % interval</span>`, ours, ours)
	}
	return draw.HTML(`<span>{}</span>{}`, hold(Said(s, p, rows)), key)
}

// ReadingsHTML chooses among the ways in which the text was read.
func ReadingsHTML(list []string, now string) draw.Markup {
	if len(list) < 2 {
		return ""
	}
	var b draw.Writer
	b.Put(`<label>Read as <select class="input" id="study-reading" data-value="{}">`, hold(now))
	for _, name := range list {
		b.Put(`<option value="{}">{}</option>`, hold(name), hold(name))
	}
	return b.Markup() + `</select></label>`
}

// mostStudyRows bounds the table on the page; the file holds all.
const mostStudyRows = 400

// RestHTML stands below the charts: what to look for, the claims that it is
// about, what was noted when it ran, and the numbers.
func RestHTML(s *state.Store, study *engine.Study, p *engine.Paper) draw.Markup {
	st := &s.Studies
	r := st.Results[p.Key]
	rows := s.PaperRows()
	var b draw.Writer
	b.Add(`<div class="papers-two">`)
	if p.LookFor != "" {
		b.Put(`<section class="papers-card"><h3>What to look for</h3><p>{}</p></section>`, hold(p.LookFor))
	}
	b.Add(`<section class="papers-card"><h3>How it was read</h3><ul class="papers-reads">`)
	list := study.Reads
	if r != nil {
		list = append(append([]string(nil), r.Notes...), study.Reads...)
	}
	for _, note := range list {
		b.Put(`<li>{}</li>`, hold(Title(note)))
	}
	b.Add(`</ul></section></div>`)
	if claims := claimsOf(study, p.Key); len(claims) > 0 {
		b.Put(`<section class="papers-card"><h3>What the paper says of it, and what came out</h3>{}</section>`, claimsHTML(claims, nil))
	}
	digest := p.Given().Digest
	if r != nil {
		b.Put(`<section class="papers-card" id="study-result" data-digest="{}">`, r.Digest)
		digest = r.Digest
	} else {
		b.Add(`<section class="papers-card" id="study-numbers">`)
	}
	b.Put(`<h3>In numbers</h3><p class="soft">{}</p>`, hold(summary(r, rows)))
	if len(rows) > 0 {
		b.Put(`<div class="table-at" tabindex="0" role="region" aria-label="Numbers">{}</div>`, tableHTML(s, rows, r != nil && other(s, p)))
	}
	if digest != "" {
		command := "batchlab paper " + p.Key
		if r != nil && r.Quick {
			command += " --quick"
		}
		b.Put(`<p class="faint">Digest <span class="mono" title="{}">{}</span>, the same as on the command line: <code>{}</code></p>`, digest, words.Hash(digest), command)
	}
	b.Add(`<div class="study-actions">`)
	if len(rows) > 0 {
		b.Add(`<button type="button" class="btn" id="study-csv" data-do="csv">CSV</button><button type="button" class="btn" id="study-copy" data-do="copy">Copy</button>`)
	}
	if r != nil {
		for i, e := range r.Experiments {
			text := "Open " + e.Label
			if len(r.Experiments) == 1 {
				text = "Open this experiment"
			}
			b.Put(`<button type="button" class="btn" data-experiment="{}">{}</button>`, i, hold(text))
		}
	}
	return b.Markup() + `<span class="faint" id="study-said" role="status"></span></div></section>`
}

// summary says in one line what the table holds.
func summary(r *engine.StudyResult, rows []engine.StudyRow) string {
	if r == nil {
		if len(rows) == 0 {
			return "Nothing is printed here, and nothing has run yet."
		}
		return words.Count(len(rows), "row", "rows") + ": what is printed, and beside it what the claims quote of a run in full"
	}
	text := words.Count(len(rows), "row", "rows")
	if r.Log != "" {
		text += " on " + r.Log
	}
	if r.Quick {
		text += " · a smaller version for a first look, so numbers differ from the paper's"
	}
	if r.Partial {
		text += " · stopped: only what was complete by then"
	}
	return text
}

// tableHTML are the numbers; amber where ours are off by more than a tenth.
func tableHTML(s *state.Store, rows []engine.StudyRow, other bool) draw.Markup {
	st := &s.Studies
	var b draw.Writer
	b.Add(`<table class="plain" aria-label="Our numbers beside the paper's"><thead><tr>`)
	for i, head := range [...]string{"Row", "Column", "Here", "Paper"} {
		sort, arrow := "none", ""
		if st.Sort == i+1 {
			sort, arrow = "ascending", " ↑"
			if st.Down {
				sort, arrow = "descending", " ↓"
			}
		}
		b.Put(`<th scope="col" aria-sort="{}"{}><button type="button" class="link-button" data-sort="{}">{}{}</button></th>`, sort, attr(` class="num"`, i > 1), i+1, head, arrow)
	}
	b.Add(`<th scope="col" class="num">Off by</th></tr></thead><tbody>`)
	for i := range rows[:min(len(rows), mostStudyRows)] {
		row := &rows[i]
		off, ok := Off(row)
		said, class := words.None, "num"
		if ok && !other {
			said = OffText(row)
			if math.Abs(off) > tenth {
				class += " warn"
			}
		}
		b.Put(`<tr><td>{}</td><td>{}</td><td class="num">{}`, hold(row.Label), hold(row.Column), hold(Value(row.Ours, row.Unit)))
		if row.Half != nil {
			b.Put(` <span class="faint">±{}{}</span>`, words.NB, words.Plain(*row.Half))
		}
		if row.From != nil && row.To != nil {
			b.Put(` <span class="faint">[{},{}{}]</span>`, words.Plain(*row.From), words.NB, words.Plain(*row.To))
		}
		b.Put(`</td><td class="num">{}</td><td class="{}">{}</td></tr>`, hold(Value(row.Paper, row.Unit)), class, said)
	}
	b.Add(`</tbody></table>`)
	if len(rows) > mostStudyRows {
		b.Put(`<p class="faint more-rows">{} more rows stand in the file.</p>`, words.Int(len(rows)-mostStudyRows))
	}
	return b.Markup()
}
