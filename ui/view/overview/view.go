// Package overview is the first view: the means of each scheduler, how long jobs
// wait, who gains and who pays, and all measures.
package overview

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Room is the view.
var Room = draw.Room{Key: "overview", Name: "Overview",
	Markup: func(s *state.Store) draw.Markup { return (&Panel{Store: s}).markup() },
	Acts: map[string]func(*state.Store, string){
		"bars":        func(s *state.Store, key string) { s.Look(func(v *look.View) { v.Bars = key }) },
		"scale":       func(s *state.Store, key string) { s.Look(func(v *look.View) { v.Scale = key }) },
		"differ":      func(s *state.Store, on string) { s.Look(func(v *look.View) { v.Differ = on == "true" }) },
		"starved":     showStarved,
		"measure-all": func(s *state.Store, _ string) { s.MeasureAll() },
		"offer":       func(s *state.Store, _ string) { s.TakeOffer() },
		"back-to-log": func(s *state.Store, _ string) { s.BackToLog() },
	}}

// showStarved looks at the job that a scheduler starves.
func showStarved(s *state.Store, scheduler string) {
	for _, x := range s.Starving() {
		if strconv.Itoa(x.Scheduler) == scheduler {
			s.ShowStarved(&x)
		}
	}
}

// markup is the panel; what is drawn in it are islands.
func (c *Panel) markup() draw.Markup {
	var w draw.Writer
	w.Add(`<div class="overview">`)
	c.first(&w)
	c.finding(&w)
	c.ways(&w)
	w.Add(`<div class="starved">`)
	if list := c.Starving(); len(list) > 0 {
		w.Put(`<section class="alert warn" role="note"><i>{}</i><div class="grow">`, draw.Icon("warning"))
		for _, x := range list {
			w.Put(`<p id="starved-{}"><span>{}</span> <button type="button" class="link-button" data-act="starved:{}">Show the job in the Gantt chart</button></p>`, x.Scheduler, c.StarvedText(&x), x.Scheduler)
		}
		w.Add(`</div></section>`)
	}
	w.Add(`</div><div class="cards">`)
	for _, row := range c.Cards() {
		w.Put(`<div class="panel card" title="{}"><p class="card-name"><button type="button" class="explain" aria-haspopup="dialog" id="open-metric-{}" title="Formula and source: {}" data-act="explain:{}">{}</button> <span class="faint">{}</span></p>
<p class="card-value"><span>{}</span><small>{}</small></p>
<p class="card-diff"><span class="{}">{}</span> <small>{}</small> <span class="faint">{}</span></p>
<div class="island spark" data-island="spark:{}"></div></div>`, c.Said(row), row.Key, row.Name, row.Key, row.Name, c.Note(row), c.Value(row), c.span(row),
			c.DiffClass(row), c.DiffText(row), c.diffRange(row), c.against(row), row.Key)
	}
	w.Add(`</div>`)
	c.charts(&w)
	c.lookFor(&w)
	w.Put(`<div class="panel" id="providers"{}><div class="panel-head"><h3>Providers</h3><span class="sub">each provider, and all together; a rejection counts at every provider that was large enough, and once for all</span></div><div class="island" data-island="providers"></div></div>`, hidden(!c.grid()))
	w.Put(`<div class="panel"><div class="panel-head"><h3>All measures</h3><span class="sub">{}</span><div class="segments last" role="group" aria-label="What the table shows"><button type="button" aria-pressed="{}" data-act="differ:false">Means</button><button type="button" id="differences" aria-pressed="{}" data-act="differ:true">Differences</button></div><button type="button" class="btn small quiet" data-act="save-summary"><i>{}</i>CSV</button></div>
<div class="table-at">{}</div><div class="ran-with">{}</div></div></div>`, c.tableNote(), !c.View.Differ, c.View.Differ, draw.Icon("export"), c.Table(), c.ranWith())
	return w.Markup()
}

// hidden is the attribute of what is not on show.
func hidden(yes bool) draw.Markup { return draw.When(yes, " hidden") }

// first is what a first visit is told, and the way back to where the last one was.
func (c *Panel) first(w *draw.Writer) {
	w.Put(`<div class="first-head"{}><h2>Which job runs next, and who pays for it?</h2><p>Batchlab runs the queue of a cluster under any scheduler, here on your computer, and shows every decision and what it costs.</p></div>
<section class="panel again" id="again" aria-label="Where you were"{}><p class="grow"><span class="faint">Where you were</span><b>{}</b></p><button type="button" class="btn primary" id="go-on" data-act="go-on">Go on</button><button type="button" class="btn quiet square" aria-label="Forget it" title="Forget it" data-act="forget">{}</button></section>
<div class="island first-story" data-island="start"{}></div>
`, hidden(!c.Shell.First), hidden(c.Shell.Left == ""), c.Shell.Left, draw.Icon("close"), hidden(!c.Shell.Tale))
}

// finding is the verdict: a sentence, how sure, then the picture.
func (c *Panel) finding(w *draw.Writer) {
	f, part, sampled, offer := c.Finding(), c.MeasuredPart(), c.sampled(), c.offer()
	w.Put(`<section class="panel verdict" id="finding" aria-label="What came out"{}><p class="verdict-first" id="caveats"{}>{}</p><h2 class="verdict-line"{}>{}</h2><p class="verdict-more"{}>Running …</p><p class="verdict-more"{}>{}</p><p class="verdict-more" id="tail"{}>{}</p>
<p class="first-more"{}><button type="button" class="link-button" id="see-all" data-act="settle">See all results</button></p>
<div class="verdict-chips">`, hidden(!c.judged()), hidden(len(f.First) == 0), strings.Join(f.First, " "), hidden(f.Line == ""), f.Line, hidden(!c.comparing()), hidden(f.More == ""), f.More, hidden(f.Tail == ""), f.Tail, hidden(!c.Shell.First))
	w.Put(`<span class="verdict-chip window" id="measured"{}>Measured: <b>{}</b><button type="button" id="measure-all" aria-label="Measure all jobs" title="Take the measuring window away and run again" data-act="measure-all">×</button></span>
<span class="verdict-chip {}" id="sampled"{}>{}</span>
<button type="button" class="btn small" id="offer"{} title="{} {}" data-act="offer"><span>{}</span> <small class="faint">{}</small></button>
<button type="button" class="link-button" id="back-to-log"{} data-act="back-to-log">Back to the log itself</button></div></section>
<div class="panel first-bars"{}><div class="island chart" data-island="bars:mean-wait"></div></div>`, hidden(part == ""), part, words.Either(c.Workloads() > 1, "good", "warn"), hidden(sampled == ""), sampled,
		hidden(offer == ""), offer, c.offerRuns(), offer, c.offerRuns(), hidden(!c.drawn()), hidden(!c.Shell.First))
}

// ways are three ways on from the story of a first visit.
func (c *Panel) ways(w *draw.Writer) {
	w.Put(`<div class="first-ways"{}>
<section class="panel"><span class="file-icon">{}</span><div><h3>Learn</h3><p>Short lessons on small boards: you decide, then see why.</p><p class="acts"><button type="button" class="link-button" id="way-lessons" data-act="visit:lessons">Start a lesson</button></p></div></section>
<section class="panel"><span class="file-icon">{}</span><div><h3>Compare on a log</h3><p>Any log in the Standard Workload Format, as it is or packed.</p><p class="acts"><button type="button" class="link-button" id="way-log" data-act="needs.file">Choose a log</button></p></div></section>
<section class="panel"><span class="file-icon">{}</span><div><h3>Bring a cluster</h3><p>Accounting of Slurm, PBS or LSF, with slurm.conf: nothing leaves this computer.</p><p class="acts"><button type="button" class="link-button" id="open-bring" aria-haspopup="dialog" data-act="dialog:bring">See what it takes</button></p></div></section></div>`,
		hidden(!c.Shell.First), draw.Icon("help"), draw.Icon("file"), draw.Icon("export"))
}

// charts are the four charts with their heads.
func (c *Panel) charts(w *draw.Writer) {
	shown := c.View.Bars
	if shown == "" {
		shown = BarKeys[0].Key
	}
	w.Add(`<div class="pair"><div class="panel"><div class="panel-head"><h3>By scheduler</h3><div class="segments last" role="group" aria-label="Measure of the bars">`)
	for _, k := range BarKeys {
		w.Put(`<button type="button" aria-pressed="{}" data-act="bars:{}">{}</button>`, k.Key == shown, k.Key, k.Word)
	}
	w.Put(`</div><div class="scale-row"{}><div class="segments" role="group" aria-label="Length of the bars" id="bar-scale">`, hidden(!c.cuts(shown)))
	for _, k := range Scales {
		w.Put(`<button type="button" aria-pressed="{}" title="{}" data-act="scale:{}">{}</button>`, k.Key == c.View.Scale, k.Help, k.Key, k.Word)
	}
	w.Put(`</div></div></div><div class="island chart" data-island="bars"></div></div>
<div class="panel"><div class="panel-head"><h3>How long jobs wait</h3><span class="sub">share of jobs that waited at most this long</span></div><div class="island chart" data-island="cdf"></div></div></div>
<div class="pair"><div class="panel"><div class="panel-head"><h3>Who gains, who pays</h3><span class="sub">{}</span></div><div class="island chart" data-island="classes"></div></div>
<div class="panel"><div class="panel-head"><h3>Over time</h3><span class="sub">{}</span></div><div class="island chart" data-island="overtime"></div></div></div>`, c.pair(), c.both())
}

// lookFor says what to look for in the results of a preset, while they are its own.
func (c *Panel) lookFor(w *draw.Writer) {
	row := catalog.FindPreset(c.Preset)
	if row == nil || row.LookFor == "" || c.Stale() || c.Edited() {
		return
	}
	w.Put(`<section class="panel look"><div class="panel-head"><h3>What to look for</h3><span class="sub">{}</span></div><p>{}</p><p class="faint">{}</p></section>`, row.Name, row.LookFor, row.Cite)
}

// grid says whether a run has several providers.
func (c *Panel) grid() bool {
	return slices.ContainsFunc(c.Runs, func(r *result.Run) bool { return r.Result != nil && len(r.Result.Providers) > 0 })
}

// cuts says whether some bars of a measure are so long that the usual scale cuts them.
func (c *Panel) cuts(key string) bool {
	var means []float64
	for i := range c.Schedulers() {
		if m := c.Measure(i, key); m.N > 0 && c.Shows(i) {
			means = append(means, m.Mean)
		}
	}
	return Cuts(means)
}
