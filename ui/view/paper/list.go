package paper

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/ui/engine"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

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
	var claims []*engine.Claim
	papers := 0
	for i := range st.About {
		if claims = append(claims, all(&st.About[i])...); len(st.About[i].Claims) > 0 {
			papers++
		}
	}
	title := Title(number(papers)) + ` studies, run again`
	if ours := len(st.About) - papers; ours > 0 {
		title += `, and ` + number(ours) + ` of our own`
	}
	b.WriteString(`<header class="papers-top"><h2 tabindex="-1">` + title + `</h2><p class="soft">` + words.Count(len(claims), "claim", "claims") +
		` of their abstracts, results and conclusions, and what became of each when it was run here. Tables and figures run on this page, and open as experiments.</p>` + countHTML(claims) + `</header><div class="papers-cards">`)
	for _, study := range own(st.About) {
		b.WriteString(`<article class="papers-card"><h3>` + esc(study.Name) + `</h3><p class="faint">` + esc(study.By) + `</p><p class="soft">` + esc(study.Question) + `</p>`)
		if list := telling(all(study)); len(list) > 0 {
			b.WriteString(`<ul class="papers-claims">`)
			for _, c := range list {
				b.WriteString(`<li>` + Mark(c.Kind, true) + `<div><p>` + esc(Title(c.Says)) + `</p><p class="faint">` + esc(verdict(c)) + `</p></div></li>`)
			}
			b.WriteString(`</ul>`)
		} else {
			b.WriteString(`<p class="faint">No paper was published: there are no claims to judge.</p>`)
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
func own(about []engine.Study) (list []*engine.Study) {
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

// logsHTML says which of the papers' logs are here.
func logsHTML(s *state.Store) string {
	var names []string
	for i := range s.Studies.Papers {
		for _, name := range s.Studies.Papers[i].Logs() {
			if !slices.Contains(names, name) {
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
	b.WriteString(`</ul><p class="faint">Without its log a table runs on a generated stand-in. Published values are shown all the same, and ours are grey.</p></section>`)
	return b.String()
}

// here says whether a log of that name is loaded or kept.
func here(s *state.Store, name string) bool {
	if l := s.Settings.Workload.Source.Log; l != nil && strings.HasPrefix(l.Name, name) {
		return true
	}
	for i := range s.Kept {
		if k := &s.Kept[i]; k.Kind == "" && strings.HasPrefix(k.Name, name) {
			return true
		}
	}
	return false
}
