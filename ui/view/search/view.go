// Package search is the view of a search for queue orders: what the best weights
// of every week were, and whether last week's would have served.
package search

import (
	"batchlab/ui/draw"
	"batchlab/ui/state"
)

// Room is the view.
var Room = draw.Room{Key: "search", Name: "Search", Markup: markup, Acts: map[string]func(*state.Store, string){
	"search":        func(s *state.Store, _ string) { start(s) },
	"search-stop":   func(s *state.Store, _ string) { s.StopSearch() },
	"search-worst":  func(s *state.Store, _ string) { showWorst(s) },
	"search-length": func(s *state.Store, text string) { s.SetField("search.length", text) },
	"search-study":  func(s *state.Store, _ string) { s.AsStudied() },
}}

// markup is the panel; its maps, charts and tables are islands, its inputs sections.
func markup(s *state.Store) draw.Markup {
	var w draw.Writer
	open := s.View.Tab == "search" && !s.Shell.Shut["search"]
	bar(&w, s, open)
	if open {
		settings(&w, s)
	}
	w.Add(`</div>`)
	shown, r := shown(s), s.SearchNow()
	no := draw.When(!shown, " hidden")
	w.Put(`<div class="search-grid"{}><div class="island" data-island="search-maps"></div><div class="search-right"><div class="island" data-island="search-best"></div><div class="island tries" data-island="search-tries"{}></div><div class="island weights" data-island="search-weights"></div></div></div>
<div class="search-pair"{}><div class="island rows" data-island="search-orders"></div><div class="island boxes" data-island="search-boxes"></div></div>
<div class="search-pair"{}><div class="island rows" data-island="search-learn"></div><div class="island courses" data-island="search-courses"></div></div>
<section class="nothing"{}><h2>Which order would have been best?</h2><p>The log is cut into weeks. In each, EASY is run under the 12 pure queue orders and under thousands of weighted mixtures of them: the best weights of every week, and whether last week’s would have done as well.</p></section></div>`,
		no, draw.When(r == nil || r.Found == nil, " hidden"), no, no, draw.When(shown, " hidden"))
	return w.Markup()
}

// bar writes what is searched, how far it is, what went wrong, and the buttons.
func bar(w *draw.Writer, s *state.Store, open bool) {
	percent, busy, why := percent(s), s.Searching(), s.CanSearch()
	w.Put(`<div class="search{}"><div class="panel search-bar"><div class="search-what"><b>Best weights for each week</b> <span class="faint">{}</span></div>
<span class="progress search-progress" id="search-progress" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-label="Search" aria-valuenow="{}"{}><span style="width:{}%"></span></span>
<p class="search-state faint" id="search-state">{}</p><div class="slot search-worst">`, draw.When(s.SearchStale(), " old"), about(s), percent, draw.When(!busy, " hidden"), percent, Text(s))
	if _, text := worst(s); text != "" {
		w.Put(`<button type="button" class="link-button" id="search-worst" title="Show that week" data-act="search-worst">{}</button>`, text)
	}
	again := draw.When(s.SearchNow() != nil, " again")
	w.Put(`</div><div class="acts"><button type="button" class="btn" id="search-settings" aria-expanded="{}" data-toggle="search">Settings<i>{}</i></button>
<button type="button" class="btn" id="search-stop"{} data-act="search-stop">Stop and keep</button>
<button type="button" class="btn primary" id="search-start"{} title="{}" aria-disabled="{}" data-act="search"><i>{}</i><span>Search{}</span></button></div></div><div class="search-messages">`,
		open, draw.Icon("down"), draw.When(!busy, " hidden"), draw.When(busy, " hidden"), why, why != "", draw.Icon("search"), again)
	if fault := problem(s); fault != "" {
		w.Put(`<p class="alert bad" role="alert" id="search-error"><i>{}</i><span class="grow">{}</span></p>`, draw.Icon("error"), fault)
	}
	if s.SearchStale() && !busy {
		w.Put(`<div class="alert warn" id="search-stale"><i>{}</i><p class="grow"><b>Other settings.</b> These are results of the previous search: search again to update them.</p></div>`, draw.Icon("warning"))
	}
	w.Add(`</div><div class="search-controls-at">`)
}

// settings writes the inputs of a search.
func settings(w *draw.Writer, s *state.Store) {
	w.Add(`<div class="panel search-controls" id="search-controls"><fieldset class="fields"><legend>Windows</legend><div class="sections fields" data-sections="fields search.length search.origin search.first search.count search.split"></div><div class="segments wrap" role="group" aria-label="Length of a window">`)
	length, _ := s.Input("search.length")
	for _, l := range lengths {
		w.Put(`<button type="button" aria-pressed="{}" data-act="search-length:{}">{}</button>`, length.Text == l.text, l.text, l.name)
	}
	w.Put(`</div></fieldset><fieldset class="fields"><legend>Rules of every simulation</legend><div class="sections fields" data-sections="fields search.cleaning search.tau search.threshold search.ties search.backfill"></div>
<p class="hint"><button type="button" class="link-button" id="search-studied" title="Weeks, τ 60 s, 200,000 s, newest first, SPF, jobs that overran left out" data-act="search-study">Rules of the study</button> (Legrand, Trystram, Zrigui 2018). Cleaning and τ hold for runs too.</p></fieldset>
<fieldset class="fields"><legend>Search for weights</legend><div class="sections fields" data-sections="fields search.method search.features search.points search.budget search.penalty"></div><p class="hint" id="search-size">{}</p></fieldset>
<fieldset class="fields"><legend>More</legend><div class="sections fields" data-sections="fields search.formula"></div><p class="hint">An order of your own over q, p, wait, rho, exp and a; the largest value stands first.</p><div class="sections fields" data-sections="fields search.scales search.sliding search.seed"></div></fieldset></div>`, s.SearchSize())
}
