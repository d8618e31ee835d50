package paper

import (
	"math"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

var esc = draw.Escape

// marks are the shapes of verdicts, so that nobody has to tell colours apart.
var marks = map[string]string{
	"confirmed":          `<circle cx="8" cy="8" r="6"/><path d="m5.200 8.200 2 2 3.600-4"/>`,
	"not confirmed":      `<circle cx="8" cy="8" r="6"/><path d="m5.800 5.800 4.400 4.400M10.200 5.800l-4.400 4.400"/>`,
	"depends on":         `<circle cx="8" cy="8" r="6"/><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/>`,
	"cannot be told":     `<circle cx="8" cy="8" r="6" stroke-dasharray="2.200 1.600"/><path d="M6.500 6.500c.1-2 3-2 3 0C9.500 7.800 8 7.800 8 9M8 11v.1"/>`,
	"is not ours to say": `<path d="M3 8h10"/>`,
}

// kindClass is the class of a verdict's colour.
func kindClass(kind string) string { return "claim-" + strings.ReplaceAll(kind, " ", "-") }

// Mark is a verdict's shape and colour; alone, without words beside it, it says
// what it is.
func Mark(kind string, alone bool) string {
	said := ` aria-hidden="true"`
	if alone {
		said = ` role="img" aria-label="` + short(kind) + `"`
	}
	return `<svg class="icon ` + kindClass(kind) + `" viewBox="0 0 16 16"` + said + `>` + marks[kind] + `</svg>`
}

// short is a verdict without its verb: "depends", "not ours to say".
func short(kind string) string { return strings.TrimPrefix(strings.TrimSuffix(kind, " on"), "is ") }

// count counts verdicts of claims, in the order of state.Verdicts.
func count(claims []state.Claim) (n [5]int) {
	for i := range claims {
		for k, kind := range state.Verdicts {
			if claims[i].Kind == kind {
				n[k]++
			}
		}
	}
	return n
}

// countHTML says how many claims there are of each verdict.
func countHTML(claims []state.Claim) string {
	var b strings.Builder
	b.WriteString(`<ul class="claim-count" aria-label="Verdicts">`)
	for k, n := range count(claims) {
		if n > 0 {
			b.WriteString(`<li class="` + kindClass(state.Verdicts[k]) + `">` + Mark(state.Verdicts[k], false) + `<b>` + strconv.Itoa(n) + `</b> ` + short(state.Verdicts[k]) + `</li>`)
		}
	}
	return b.String() + `</ul>`
}

// WaitHTML stands there until the studies have come.
func WaitHTML(st *state.Studies) string {
	if st.Fault == "" {
		return `<p class="soft papers-wait" role="status">Loading the studies…</p>`
	}
	return `<p class="papers-wait" role="alert">The studies could not be loaded: ` + esc(st.Fault) + `. <button type="button" class="btn" data-do="retry">Try again</button></p>`
}

// ListHTML is the list of all studies.
func ListHTML(s *state.Store) string {
	st := &s.Studies
	var b strings.Builder
	var all []state.Claim
	papers := 0
	for i := range st.About {
		if all = append(all, st.About[i].Claims...); len(st.About[i].Claims) > 0 {
			papers++
		}
	}
	b.WriteString(`<header class="papers-top"><h2 tabindex="-1">` + Title(number(papers)) + ` studies, run again</h2><p class="soft">` + words.Count(len(all), "claim", "claims") +
		` of their abstracts, results and conclusions, and what became of each when it was run here. Tables and figures run on this page, and open as experiments.</p>` + countHTML(all) + `</header><div class="papers-cards">`)
	for _, study := range own(st.About) {
		b.WriteString(`<article class="papers-card"><h3>` + esc(study.Name) + `</h3><p class="faint">` + esc(study.By) + `</p><p class="soft">` + esc(study.Question) + `</p>`)
		if list := telling(study.Claims); len(list) > 0 {
			b.WriteString(`<ul class="papers-claims">`)
			for _, c := range list {
				b.WriteString(`<li>` + Mark(c.Kind, true) + `<div><p>` + esc(Title(c.Says)) + `</p><p class="faint">` + esc(verdict(c)) + `</p></div></li>`)
			}
			b.WriteString(`</ul>`)
		} else {
			b.WriteString(`<p class="faint">Nothing was published before: there are no claims to judge.</p>`)
		}
		foot := words.Count(len(papersOf(st, study.Key)), "table or figure", "tables and figures")
		if n := len(study.Claims); n > 0 {
			foot = words.Count(n, "claim", "claims") + ", " + foot
		}
		if strings.HasPrefix(st.Running, study.Key+"-") {
			foot += ` <em class="tag">running</em>`
		}
		b.WriteString(`<footer><span class="faint">` + foot + `</span><button type="button" class="btn small" data-open="` + study.Key + `" id="open-` + study.Key + `" aria-label="Open the study: ` + esc(study.Name) + `">Open the study</button></footer></article>`)
	}
	b.WriteString(logsHTML(s) + `</div>`)
	return b.String()
}

// own are the studies with those last that judge no claims.
func own(about []state.Study) (list []*state.Study) {
	for _, claims := range []bool{true, false} {
		for i := range about {
			if len(about[i].Claims) > 0 == claims {
				list = append(list, &about[i])
			}
		}
	}
	return list
}

// number writes small numbers as words.
func number(n int) string {
	if list := [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}; n < len(list) {
		return list[n]
	}
	return strconv.Itoa(n)
}

// telling are the claims that a card shows: the first of each verdict, in the
// order of the paper. A claim that goes on from the one before is left out.
func telling(claims []state.Claim) (list []*state.Claim) {
	seen := map[string]bool{"is not ours to say": true}
	for i := range claims {
		if c := &claims[i]; !seen[c.Kind] && !strings.HasPrefix(c.Says, "…") {
			seen[c.Kind] = true
			list = append(list, c)
		}
	}
	return list
}

// verdict is a verdict in words.
func verdict(c *state.Claim) string {
	if c.On == "" {
		return c.Kind
	}
	return c.Kind + " " + c.On
}

// logsHTML says which of the papers' logs are here.
func logsHTML(s *state.Store) string {
	var names []string
	for i := range s.Studies.Papers {
		for _, name := range s.Studies.Papers[i].Logs() {
			if !contains(names, name) {
				names = append(names, name)
			}
		}
	}
	var b strings.Builder
	b.WriteString(`<section class="papers-card papers-logs"><h3>Logs that the papers used</h3><ul>`)
	for _, name := range names {
		said, class := "drop it on the page", "faint"
		if here(s, name) {
			said, class = "is here", "good"
		}
		b.WriteString(`<li><b>` + esc(name) + `</b><span class="` + class + `">` + said + `</span></li>`)
	}
	b.WriteString(`</ul><p class="faint">Without its log a table runs on a generated stand-in. What is printed is shown all the same, and ours are grey.</p></section>`)
	return b.String()
}

func contains(list []string, s string) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

// here says whether a log of that name is loaded or kept.
func here(s *state.Store, name string) bool {
	if l := s.Settings.Workload.Source.Log; l != nil && strings.HasPrefix(l.Name, name) {
		return true
	}
	for i := range s.Kept {
		if k := &s.Kept[i]; !k.Needs && !k.Foretold && strings.HasPrefix(k.Name, name) {
			return true
		}
	}
	return false
}

func papersOf(st *state.Studies, study string) (list []*state.Paper) {
	for i := range st.Papers {
		if st.Papers[i].Study == study {
			list = append(list, &st.Papers[i])
		}
	}
	return list
}

// claimsOf are the claims that a table or figure is about.
func claimsOf(study *state.Study, key string) (list []*state.Claim) {
	for i := range study.Claims {
		if contains(study.Claims[i].Presets, key) {
			list = append(list, &study.Claims[i])
		}
	}
	return list
}

// marksOf are the marks of these claims, each kind once.
func marksOf(list []*state.Claim) string {
	out := ""
	for _, kind := range state.Verdicts {
		for _, c := range list {
			if c.Kind == kind {
				out += Mark(kind, true)
				break
			}
		}
	}
	return out
}

// NavHTML is the list of a study's tables and figures; chosen is the key of the
// one on show, "" the study itself.
func NavHTML(s *state.Store, study *state.Study, chosen string) string {
	st := &s.Studies
	var b strings.Builder
	b.WriteString(`<button type="button" class="link-button papers-back" data-open="" id="all-studies">‹ All studies</button><h3>` + esc(study.Name) + `</h3><p class="faint">` + esc(study.By) + `</p>`)
	item := func(open, id, name, place, right string) {
		current := ""
		if open == chosen || chosen == "" && open == study.Key {
			current = ` aria-current="true"`
		}
		b.WriteString(`<button type="button" class="papers-item" data-open="` + open + `" id="` + id + `"` + current + `><span><b>` + esc(name) + `</b><small class="faint">` + esc(place) + `</small></span><span class="papers-marks">` + right + `</span></button>`)
	}
	about := words.Count(len(study.Claims), "claim", "claims") + " and verdicts"
	if len(study.Claims) == 0 {
		about = "what it asks"
	}
	item(study.Key, "paper-"+study.Key, "The study", about, "")
	group := ""
	for _, p := range grouped(papersOf(st, study.Key)) {
		if head := groupOf(p); head != group {
			group = head
			b.WriteString(`<h4>` + head + `</h4>`)
		}
		right := marksOf(claimsOf(study, p.Key))
		switch {
		case st.Running == p.Key:
			right += `<em class="tag">running</em>`
		case st.Results[p.Key] != nil:
			right += `<em class="tag good">done</em>`
		}
		item(p.Key, "paper-"+p.Key, p.Name, p.Place, right)
	}
	return b.String()
}

// groups are the heads of that list.
var groups = [...]string{"Tables", "Figures", "Others"}

func groupOf(p *state.Paper) string {
	switch {
	case strings.HasPrefix(p.Place, "table"):
		return groups[0]
	case strings.HasPrefix(p.Place, "figure"):
		return groups[1]
	}
	return groups[2]
}

// grouped puts tables before figures.
func grouped(papers []*state.Paper) (list []*state.Paper) {
	for _, head := range groups {
		for _, p := range papers {
			if groupOf(p) == head {
				list = append(list, p)
			}
		}
	}
	return list
}

// StudyHTML is a study: its question, its reference, how it was read, and each of
// its claims.
func StudyHTML(study *state.Study) string {
	var b strings.Builder
	b.WriteString(`<header class="papers-top"><h2 tabindex="-1">` + esc(study.Question) + `</h2><p class="cite">` + esc(study.Cite) + `</p>`)
	if len(study.Claims) > 0 {
		b.WriteString(countHTML(study.Claims))
	}
	b.WriteString(`</header>`)
	if len(study.Reads) > 0 {
		b.WriteString(`<section class="papers-card"><h3>How it was read</h3><ul class="papers-reads">`)
		for _, r := range study.Reads {
			b.WriteString(`<li>` + esc(r) + `</li>`)
		}
		b.WriteString(`</ul></section>`)
	}
	if len(study.Claims) == 0 {
		return b.String() + `<p class="soft papers-card">This study is Batchlab's own. Nothing was published before, so there are no claims to judge.</p>`
	}
	b.WriteString(`<section class="papers-card"><h3>Claims and verdicts</h3><p class="faint">Numbers stand with their 95 % intervals. They come from runs in full on the papers' logs.</p>`)
	list := make([]*state.Claim, len(study.Claims))
	for i := range study.Claims {
		list[i] = &study.Claims[i]
	}
	return b.String() + claimsHTML(list, true) + `</section>`
}

// claimsHTML are claims with their verdicts, and what would change these.
func claimsHTML(list []*state.Claim, links bool) string {
	var b strings.Builder
	b.WriteString(`<ol class="claims">`)
	for _, c := range list {
		b.WriteString(`<li class="claim"><p class="claim-says">` + esc(Title(c.Says)) + `</p><p class="claim-verdict ` + kindClass(c.Kind) + `">` + Mark(c.Kind, false) + `<span><b>` + Title(c.Kind) + `</b>`)
		if c.On != "" {
			b.WriteString(` ` + esc(c.On))
		}
		b.WriteString(`</span></p><dl>`)
		line := func(name, text string) {
			if text != "" && text != "–" {
				b.WriteString(`<dt>` + name + `</dt><dd>` + text + `</dd>`)
			}
		}
		line("Came out", esc(c.Result))
		line("Run", esc(c.Ran))
		line("Would change it", esc(c.Change))
		where := "section " + c.Where
		if c.Where != "" && (c.Where[0] < '0' || c.Where[0] > '9') {
			where = c.Where
		}
		line("In the paper", esc(where))
		if links && len(c.Presets) > 0 {
			text := ""
			for _, key := range c.Presets {
				_, place, _ := strings.Cut(key, "-")
				text += `<button type="button" class="link-button" data-open="` + key + `">` + esc(placeName(place)) + `</button> `
			}
			line("Look at it", text)
		}
		b.WriteString(`</dl></li>`)
	}
	return b.String() + `</ol>`
}

// placeName writes the end of a key for people: "table 6", "figure 1(a)".
func placeName(key string) string {
	for _, what := range []string{"table", "figure"} {
		n, ok := strings.CutPrefix(key, what)
		if !ok || n == "" {
			continue
		}
		n, kind, _ := strings.Cut(n, "-")
		if last := n[len(n)-1]; last >= 'a' && last <= 'z' {
			n = n[:len(n)-1] + "(" + n[len(n)-1:] + ")"
		}
		if kind != "" {
			n += ", " + kind
		}
		return what + " " + n
	}
	return key
}

// computed says of a preset that no document holds that it is one; "" of others.
func computed(p *state.Paper) string {
	if p.Whole {
		return ""
	}
	return " A computation of its own (searches, or plans looked at from within): what it runs opens as an experiment, whose digest is another one."
}

// LogText says on what a preset would run.
func LogText(s *state.Store, p *state.Paper) string {
	hash := ""
	if p.SHA256 != "" {
		hash = " (SHA-256 " + words.Hash(p.SHA256) + ")"
	}
	switch log := s.PaperLog(p); {
	case p.Log == "" && p.AnyLog && log == nil:
		return "It takes any log that names users; without one it runs on a bundled workload."
	case p.Log == "" && p.AnyLog:
		return "It runs on " + log.Name + "."
	case p.Log == "":
		return "It generates its own workload."
	case log != nil && len(p.Logs()) > 1 && p.Wants(log.Name):
		return "The paper used " + p.Log + hash + "; this runs on " + log.Name + "."
	case log != nil && (log.SHA256 == p.SHA256 || p.SHA256 == "" && p.Wants(log.Name)):
		return "The paper's log, " + log.Name + ", is here."
	case log != nil && p.Wants(log.Name):
		return "The paper used " + p.Log + hash + "; " + log.Name + " is another version of it."
	case log != nil:
		return "The paper used " + p.Log + hash + "; this runs on " + log.Name + ", so there is little to set beside."
	case p.Needs:
		return "It needs the log " + p.Log + hash + ": drop it on the page."
	}
	one := "that log"
	if len(p.Logs()) > 1 {
		one = "one of these logs"
	}
	return "The paper used " + p.Log + hash + ". Drop " + one + " on the page, or run on a generated stand-in, whose numbers differ from the paper's."
}

// able reports whether a preset has what it needs.
func able(s *state.Store, p *state.Paper) bool { return !p.Needs || s.PaperLog(p) != nil }

// other reports whether a result is of other jobs than the paper's, or of a
// smaller version, so that ours cannot be held against what is printed.
func other(s *state.Store, p *state.Paper) bool {
	r := s.Studies.Results[p.Key]
	if r == nil {
		return false
	}
	return r.Quick || r.StandIn || p.Log != "" && !wanted(p, r.Log)
}

func wanted(p *state.Paper, logs string) bool {
	for name := range strings.SplitSeq(logs, ", ") {
		if !p.Wants(name) {
			return false
		}
	}
	return true
}

// HeadHTML is the head of a table or figure, with what runs it.
func HeadHTML(s *state.Store, study *state.Study, p *state.Paper) string {
	st := &s.Studies
	var b strings.Builder
	b.WriteString(`<article class="papers-card paper-head" id="study-card" aria-label="The table or figure"><p class="paper-place">`)
	if p.Place != "" {
		b.WriteString(`<em class="tag">` + esc(Title(p.Place)) + `</em> `)
	}
	claims := claimsOf(study, p.Key)
	for k, n := range counted(claims) {
		if n > 0 {
			b.WriteString(`<span class="paper-mark ` + kindClass(state.Verdicts[k]) + `">` + Mark(state.Verdicts[k], false) + strconv.Itoa(n) + " " + short(state.Verdicts[k]) + `</span> `)
		}
	}
	b.WriteString(`</p><h2 tabindex="-1">` + esc(p.Name) + `</h2><p class="soft study-shows">` + esc(p.Shows) + `</p><p class="faint" id="study-log">` + esc(LogText(s, p)+computed(p)) + `</p><div class="study-run">`)
	if logs := s.PaperLogs(p); len(logs) > 0 {
		b.WriteString(`<label>On <select class="input" id="study-on">` + options(logs, s.PaperLog(p), p.Needs) + `</select></label>`)
	}
	b.WriteString(`<label><input type="checkbox" id="study-quick"` + attr(" checked", st.Quick) + `> A smaller version, for a first look</label><span class="paper-acts">`)
	run := "Run it here"
	if st.Results[p.Key] != nil {
		run = "Run again"
	}
	b.WriteString(`<button type="button" class="btn primary" id="study-run" data-do="run" aria-disabled="` + strconv.FormatBool(st.Running != "" || !able(s, p)) + `"><span>` + run + `</span></button>`)
	open, tip := "Open an experiment with its jobs", "The jobs of this computation under its schedulers, to look into and change; the digest is another one"
	if p.Whole {
		open, tip = "Open as experiment", "All of it as one experiment, to look into and change; run, it gives the digest of this table or figure"
	}
	b.WriteString(`<button type="button" class="btn" id="study-document" data-do="document" title="` + tip + `" aria-disabled="` + strconv.FormatBool(st.Opening != "" || !able(s, p)) + `">` + open + `</button></span></div>`)
	if st.Running != "" {
		what := ""
		if st.Running != p.Key {
			what = `<span class="faint">` + esc(st.Running) + `</span>`
		}
		percent := s.StudyPercent()
		b.WriteString(`<div class="study-progress" id="study-progress">` + what + `<span class="progress" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-label="Progress of the study" aria-valuenow="` + percent + `"><span style="width:` + percent + `%"></span></span><span class="study-text">` + esc(s.StudyText()) + `</span><button type="button" class="btn small" id="study-stop" data-do="stop" aria-disabled="` + strconv.FormatBool(st.Stopped) + `">Stop</button></div>`)
	}
	if why := st.Errors[p.Key]; why != "" {
		b.WriteString(`<p class="field-error" role="alert" id="study-error">` + esc(why) + `</p>`)
	}
	return b.String() + `</article>`
}

func counted(list []*state.Claim) (n [5]int) {
	for _, c := range list {
		for k, kind := range state.Verdicts {
			if c.Kind == kind {
				n[k]++
			}
		}
	}
	return n
}

func attr(text string, there bool) string {
	if there {
		return text
	}
	return ""
}

// options are the logs that a preset can run on.
func options(logs []experiment.Log, now *experiment.Log, needs bool) string {
	var b strings.Builder
	for i := range logs {
		b.WriteString(`<option value="` + logs[i].SHA256 + `"` + attr(" selected", now != nil && now.SHA256 == logs[i].SHA256) + `>` + esc(logs[i].Name) + `</option>`)
	}
	if !needs {
		b.WriteString(`<option value="none"` + attr(" selected", now == nil) + `>a stand-in</option>`)
	}
	return b.String()
}

// Said is the sentence above the charts: how ours stand to what is printed.
func Said(s *state.Store, p *state.Paper, rows []state.StudyRow) string {
	r := s.Studies.Results[p.Key]
	switch {
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

// KeyHTML is that sentence with the key of the dots.
func KeyHTML(s *state.Store, p *state.Paper, rows []state.StudyRow) string {
	key := ""
	if len(printed(rows)) > 0 {
		ours := "var(--s1)"
		if other(s, p) {
			ours = "var(--line-3)"
		}
		key = `<span class="paper-key"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5" stroke="var(--ink)" stroke-width="1.800"/></svg>published <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M1 8h14M1 5v6M15 5v6" stroke="` + ours + `"/><circle cx="8" cy="8" r="4" fill="` + ours + `" stroke="none"/></svg>here, 95 % interval</span>`
	}
	return `<span>` + esc(Said(s, p, rows)) + `</span>` + key
}

// ReadingsHTML chooses among the ways in which the text was read.
func ReadingsHTML(list []string, now string) string {
	if len(list) < 2 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<label>Read as <select class="input" id="study-reading">`)
	for _, name := range list {
		b.WriteString(`<option value="` + esc(name) + `"` + attr(" selected", name == now) + `>` + esc(name) + `</option>`)
	}
	return b.String() + `</select></label>`
}

// mostStudyRows bounds the table on the page; the file holds all.
const mostStudyRows = 400

// RestHTML stands below the charts: what to look for, the claims that it is
// about, what was noted when it ran, and the numbers.
func RestHTML(s *state.Store, study *state.Study, p *state.Paper) string {
	st := &s.Studies
	r := st.Results[p.Key]
	rows := s.PaperRows()
	var b strings.Builder
	b.WriteString(`<div class="papers-two">`)
	if p.LookFor != "" {
		b.WriteString(`<section class="papers-card"><h3>What to look for</h3><p>` + esc(p.LookFor) + `</p></section>`)
	}
	b.WriteString(`<section class="papers-card"><h3>How it was read</h3><ul class="papers-reads">`)
	list := study.Reads
	if r != nil {
		list = append(append([]string(nil), r.Notes...), study.Reads...)
	}
	for _, note := range list {
		b.WriteString(`<li>` + esc(Title(note)) + `</li>`)
	}
	b.WriteString(`</ul></section></div>`)
	if claims := claimsOf(study, p.Key); len(claims) > 0 {
		b.WriteString(`<section class="papers-card"><h3>What the paper says of it, and what came out</h3>` + claimsHTML(claims, false) + `</section>`)
	}
	digest := p.Quoted.Digest
	if r != nil {
		b.WriteString(`<section class="papers-card" id="study-result" data-digest="` + r.Digest + `">`)
		digest = r.Digest
	} else {
		b.WriteString(`<section class="papers-card" id="study-numbers">`)
	}
	b.WriteString(`<h3>In numbers</h3><p class="soft">` + esc(summary(r, rows)) + `</p>`)
	if len(rows) > 0 {
		b.WriteString(`<div class="table-at" tabindex="0" role="region" aria-label="Numbers">` + tableHTML(s, rows, r != nil && other(s, p)) + `</div>`)
	}
	if digest != "" {
		command := "batchlab paper " + p.Key
		if r != nil && r.Quick {
			command += " --quick"
		}
		b.WriteString(`<p class="faint">Digest <span class="mono" title="` + digest + `">` + words.Hash(digest) + `</span>, the same as on the command line: <code>` + command + `</code></p>`)
	}
	b.WriteString(`<div class="study-actions">`)
	if len(rows) > 0 {
		b.WriteString(`<button type="button" class="btn" id="study-csv" data-do="csv">CSV</button><button type="button" class="btn" id="study-copy" data-do="copy">Copy</button>`)
	}
	if r != nil {
		for i, e := range r.Experiments {
			text := "Open " + e.Label
			if len(r.Experiments) == 1 {
				text = "Open this experiment"
			}
			b.WriteString(`<button type="button" class="btn" data-experiment="` + strconv.Itoa(i) + `">` + esc(text) + `</button>`)
		}
	}
	return b.String() + `<span class="faint" id="study-said" role="status"></span></div></section>`
}

// summary says in one line what the table holds.
func summary(r *state.StudyResult, rows []state.StudyRow) string {
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
func tableHTML(s *state.Store, rows []state.StudyRow, other bool) string {
	st := &s.Studies
	var b strings.Builder
	b.WriteString(`<table class="plain" aria-label="Our numbers beside the paper's"><thead><tr>`)
	for i, head := range [...]string{"Row", "Column", "Here", "Paper"} {
		sort, arrow := "none", ""
		if st.Sort == i+1 {
			sort, arrow = "ascending", " ↑"
			if st.Down {
				sort, arrow = "descending", " ↓"
			}
		}
		b.WriteString(`<th scope="col" aria-sort="` + sort + `"` + attr(` class="num"`, i > 1) + `><button type="button" class="link-button" data-sort="` + strconv.Itoa(i+1) + `">` + head + arrow + `</button></th>`)
	}
	b.WriteString(`<th scope="col" class="num">Off by</th></tr></thead><tbody>`)
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
		b.WriteString(`<tr><td>` + esc(row.Label) + `</td><td>` + esc(row.Column) + `</td><td class="num">` + esc(Value(row.Ours, row.Unit)))
		if row.Half != nil {
			b.WriteString(` <span class="faint">±` + words.NB + words.Plain(*row.Half) + `</span>`)
		}
		b.WriteString(`</td><td class="num">` + esc(Value(row.Paper, row.Unit)) + `</td><td class="` + class + `">` + said + `</td></tr>`)
	}
	b.WriteString(`</tbody></table>`)
	if len(rows) > mostStudyRows {
		b.WriteString(`<p class="faint more-rows">` + words.Int(len(rows)-mostStudyRows) + ` more rows stand in the file.</p>`)
	}
	return b.String()
}
