package paper

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// WaitHTML stands there until the studies have come.
func WaitHTML(st *state.Studies) draw.Markup {
	if st.Fault == "" {
		return `<p class="soft papers-wait" role="status">Loading the studies…</p>`
	}
	return draw.HTML(`<p class="papers-wait" role="alert">The studies could not be loaded: {}. <button type="button" class="btn" data-do="retry">Try again</button></p>`, hold(st.Fault))
}

// ListHTML is the list of all studies.
func ListHTML(s *state.Store) draw.Markup {
	st := &s.Studies
	var b draw.Writer
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
	b.Put(`<header class="papers-top"><h2 tabindex="-1">{}</h2><p class="soft">{} of their abstracts, results and conclusions, and what became of each when it was run here. Tables and figures run on this page, and open as experiments.</p>{}</header><div class="papers-cards">`, title, words.Count(len(claims), "claim", "claims"),
		countHTML(claims))
	for _, study := range own(st.About) {
		b.Put(`<article class="papers-card"><h3>{}</h3><p class="faint">{}</p><p class="soft">{}</p>`, hold(study.Name), hold(study.By), hold(study.Question))
		if list := telling(all(study)); len(list) > 0 {
			b.Add(`<ul class="papers-claims">`)
			for _, c := range list {
				b.Put(`<li>{}<div><p>{}</p><p class="faint">{}</p></div></li>`, Mark(c.Kind, true), hold(Title(c.Says)), hold(verdict(c)))
			}
			b.Add(`</ul>`)
		} else {
			b.Add(`<p class="faint">No paper was published: there are no claims to judge.</p>`)
		}
		foot := draw.HTML(`{}`, words.Count(len(papersOf(st, study.Key)), "table or figure", "tables and figures"))
		if n := len(study.Claims); n > 0 {
			foot = draw.HTML(`{}, {}`, words.Count(n, "claim", "claims"), foot)
		}
		if strings.HasPrefix(st.Running, study.Key+"-") {
			foot += ` <em class="tag">running</em>`
		}
		b.Put(`<footer><span class="faint">{}</span><button type="button" class="btn small" data-open="{}" id="open-{}" aria-label="Open the study: {}">Open the study</button></footer></article>`, foot, study.Key, study.Key, hold(study.Name))
	}
	b.Put(`{}</div>`, logsHTML(s))
	return b.Markup()
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
func logsHTML(s *state.Store) draw.Markup {
	var names []string
	for i := range s.Studies.Papers {
		for _, name := range s.Studies.Papers[i].Logs() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	var b draw.Writer
	b.Add(`<section class="papers-card papers-logs"><h3>Logs that the papers used</h3><ul>`)
	for _, name := range names {
		said, class := "drop it on the page", "faint"
		if here(s, name) {
			said, class = "is here", "good"
		}
		b.Put(`<li><b>{}</b><span class="{}">{}</span></li>`, hold(name), class, said)
	}
	b.Add(`</ul><p class="faint">Without its log a table runs on a generated stand-in. Published values are shown all the same, and ours are grey.</p></section>`)
	return b.Markup()
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
