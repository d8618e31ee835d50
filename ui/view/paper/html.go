package paper

import (
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// hold is a text as the page shows it: a number keeps its per cent sign and its interval.
func hold(s string) string { return held.Replace(s) }

var held = strings.NewReplacer(" %", words.NB+"%", " ± ", " ±"+words.NB)

func papersOf(st *state.Studies, study string) (list []*engine.Paper) {
	for i := range st.Papers {
		if st.Papers[i].Study == study {
			list = append(list, &st.Papers[i])
		}
	}
	return list
}

// NavHTML is the list of a study's tables and figures; chosen is the key of the
// one on show, "" the study itself.
func NavHTML(s *state.Store, study *engine.Study, chosen string) draw.Markup {
	st := &s.Studies
	var b draw.Writer
	b.Put(`<button type="button" class="link-button papers-back" data-open="" id="all-studies">‹ All studies</button><h2>{}</h2><p class="faint">{}</p>`, hold(study.Name), hold(study.By))
	item := func(open, id, name, place string, right draw.Markup) {
		current := draw.Markup("")
		if open == chosen || chosen == "" && open == study.Key {
			current = ` aria-current="true"`
		}
		b.Put(`<button type="button" class="papers-item" data-open="{}" id="{}"{}><span><b>{}</b><small class="faint">{}</small></span><span class="papers-marks">{}</span></button>`, open, id, current, hold(name), hold(place), right)
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
			b.Put(`<h3>{}</h3>`, head)
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
	return b.Markup()
}

// groups are the heads of that list.
var groups = [...]string{"Tables", "Figures", "Others"}

func groupOf(p *engine.Paper) string {
	switch {
	case strings.HasPrefix(p.Place, "table"):
		return groups[0]
	case strings.HasPrefix(p.Place, "figure"):
		return groups[1]
	}
	return groups[2]
}

// grouped puts tables before figures.
func grouped(papers []*engine.Paper) (list []*engine.Paper) {
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
// its claims, with the way to those of its tables and figures that say so.
func StudyHTML(study *engine.Study, papers []*engine.Paper) draw.Markup {
	var b draw.Writer
	b.Put(`<header class="papers-top"><h2 tabindex="-1">{}</h2><p class="cite">{}</p>`, hold(study.Question), hold(study.Cite))
	if len(study.Claims) > 0 {
		b.Add(countHTML(all(study)))
	}
	b.Add(`</header>`)
	if len(study.Reads) > 0 {
		b.Add(`<section class="papers-card"><h3>How it was read</h3><ul class="papers-reads">`)
		for _, r := range study.Reads {
			b.Put(`<li>{}</li>`, hold(r))
		}
		b.Add(`</ul></section>`)
	}
	if len(study.Claims) == 0 {
		return b.Markup() + `<p class="soft papers-card">This study is Batchlab's own. No paper was published, so there are no claims to judge.</p>`
	}
	b.Add(`<section class="papers-card"><h3>Claims and verdicts</h3><p class="faint">They come from runs in full on the papers' logs. Where runs were repeated, or weeks drawn, numbers stand with their 95 % intervals, and these decide: each verdict follows from its numbers by a rule.</p>`)
	return b.Markup() + claimsHTML(all(study), papers) + `</section>`
}

// computed says of a preset that no document holds that it is one; "" of others.
func computed(p *engine.Paper) string {
	if p.Whole {
		return ""
	}
	return " This result comes from a computation of several runs. You can open one of them as an experiment; its digest is a different one."
}

// LogText says on what a preset would run.
func LogText(s *state.Store, p *engine.Paper) string {
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
		return "The paper used " + p.Log + hash + "; this runs on " + log.Name + ", so there is little to compare with."
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
func able(s *state.Store, p *engine.Paper) bool { return !p.Needs || s.PaperLog(p) != nil }

// HeadHTML is the head of a table or figure, with what runs it.
func HeadHTML(s *state.Store, study *engine.Study, p *engine.Paper) draw.Markup {
	st := &s.Studies
	var b draw.Writer
	b.Add(`<article class="papers-card paper-head" id="study-card" aria-label="The table or figure"><p class="paper-place">`)
	if p.Place != "" {
		b.Put(`<em class="tag">{}</em> `, hold(Title(p.Place)))
	}
	claims := claimsOf(study, p.Key)
	for k, n := range count(claims) {
		if n > 0 {
			b.Put(`<span class="paper-mark {}">{}{} {}</span> `, kindClass(engine.Verdicts[k]), Mark(engine.Verdicts[k], false), n, short(engine.Verdicts[k]))
		}
	}
	b.Put(`</p><h2 tabindex="-1">{}</h2><p class="soft study-shows">{}</p><p class="faint" id="study-log">{}</p><div class="study-run">`, hold(p.Name), hold(p.Shows), hold(LogText(s, p)+computed(p)))
	if logs := s.PaperLogs(p); len(logs) > 0 {
		b.Put(`<label>On <select class="input" id="study-on" data-value="{}">{}</select></label>`, logKey(logs, s.PaperLog(p), p.Needs), options(logs, p.Needs))
	}
	b.Put(`<label><input type="checkbox" id="study-quick" data-checked="{}"> A smaller version, for a first look</label><span class="paper-acts">`, st.Quick)
	run := "Run it here"
	if st.Results[p.Key] != nil {
		run = "Run again"
	}
	b.Put(`<button type="button" class="btn primary" id="study-run" data-do="run" aria-disabled="{}"><span>{}</span></button>`, st.Running != "" || !able(s, p), run)
	open, tip := "Open an experiment with its jobs", "The jobs of this computation under its schedulers, to inspect and change; its digest is a different one"
	if p.Whole {
		open, tip = "Open as experiment", "All of it as one experiment, to inspect and change; running it gives the digest of this table or figure"
	}
	b.Put(`<button type="button" class="btn" id="study-document" data-do="document" title="{}" aria-disabled="{}">{}</button></span></div>`, tip, st.Opening != "" || !able(s, p), open)
	if st.Running != "" {
		what := draw.Markup("")
		if st.Running != p.Key {
			what = draw.HTML(`<span class="faint">{}</span>`, hold(st.Running))
		}
		percent := s.StudyPercent()
		b.Put(`<div class="study-progress" id="study-progress">{}<span class="progress" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-label="Progress of the study" aria-valuenow="{}"><span style="width:{}%"></span></span><span class="study-text">{}</span><button type="button" class="btn small" id="study-stop" data-do="stop" aria-disabled="{}">Stop</button></div>`, what, percent, percent, hold(s.StudyText()), st.Stopped)
	}
	if why := st.Errors[p.Key]; why != "" {
		b.Put(`<p class="field-error" role="alert" id="study-error">{}</p>`, hold(why))
	}
	return b.Markup() + `</article>`
}

func attr(text draw.Markup, there bool) draw.Markup {
	if there {
		return text
	}
	return ""
}

// logKey is the option of the log that is chosen.
func logKey(logs []experiment.Log, now *experiment.Log, needs bool) string {
	switch {
	case now != nil:
		return now.SHA256
	case needs:
		return logs[0].SHA256
	}
	return "none"
}

// options are the logs that a preset can run on.
func options(logs []experiment.Log, needs bool) draw.Markup {
	var b draw.Writer
	for i := range logs {
		b.Put(`<option value="{}">{}</option>`, logs[i].SHA256, hold(logs[i].Name))
	}
	if !needs {
		b.Add(`<option value="none">a stand-in</option>`)
	}
	return b.Markup()
}
