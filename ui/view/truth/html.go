package truth

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// least is how many jobs a verdict wants.
const least = 200

// nothing says why there is nothing to draw yet.
func (v *View) nothing() string {
	if v.fault() != "" {
		return "Nothing can be compared."
	}
	return "Running …"
}

// fault is why nothing at all can be said, "" while something can.
func (v *View) fault() string {
	fault := "Every scheduler here is the log's own schedule. Add another one and run it."
	for _, r := range v.Rows {
		if r == nil {
			continue
		}
		if r.Error == "" {
			return ""
		}
		fault = r.Error
	}
	return fault
}

// HeadHTML is the head: the verdict, or why there is none, and what is under way.
func (v *View) HeadHTML() draw.Markup {
	var b draw.Writer
	if fault := v.fault(); fault != "" {
		title, more := "Nothing to compare with", fault+"."
		if strings.Contains(fault, "SWF field 3") {
			more = "This log does not say how long jobs waited (SWF field 3). A log with submissions and starts does, and so does sacct output."
		}
		b.Put(`<div class="alert bad" role="alert"><div class="grow"><h2>{}</h2><p>{}</p></div></div>`, title, strings.TrimSuffix(more, ".."))
		return b.Markup()
	}
	list := v.ranked()
	if len(list) == 0 {
		b.Add(`<h2>Comparing with what happened</h2><p class="ink2">Each scheduler runs over the log; then its waits stand beside the logged ones.</p>`)
	} else {
		title, more := v.Verdict()
		b.Put(`<h2>{}</h2><p class="ink2">{}</p><p class="truth-chips">{}</p>`, title, more,
			v.chips())
	}
	if what, share := v.progress(); what != "" {
		b.Put(`<div class="truth-bar"><span>{}</span><progress max="1" value="{}" aria-label="Progress"></progress><button type="button" class="btn small" data-do="stop">Stop and keep</button></div>`, what, strconv.FormatFloat(share, 'f', 3, 64))
	} else if v.stopped {
		b.Add(`<p class="faint">Stopped. What is known stands below.</p>`)
	}
	for _, r := range v.Rows {
		if r != nil && r.Error != "" {
			b.Put(`<p class="truth-fault">{}</p>`, words.Letter(r.Scheduler)+" "+r.Label+" did not run: "+r.Error)
		}
	}
	b.Put(`<details class="truth-how"><summary>How this is computed</summary><p>{}</p><p class="mono">batchlab truth EXPERIMENT.json --log LOG --without --calibrate --out results</p></details>`, howText)
	return b.Markup()
}

const howText = "Each scheduler of the experiment runs over the log's jobs, from an empty machine on, with the run times and requests that the log states. Of every job whose wait the log knows, the simulated wait is set beside the logged one. The median error is the wait by which half of the jobs are off at most. Saved as a file, this experiment gives the same numbers on the command line; a second program (docs/recompute_truth.py) works them out from exports:"

// times says how far a ratio is off: "8 % too short", "2.8 times too long".
func times(ratio float64) string {
	way := "too long"
	if ratio < 1 {
		way = "too short"
	}
	switch far := max(ratio, 1/ratio); {
	case ratio < .005:
		return "hardly any, so " + way
	case math.Abs(ratio-1) < .005:
		return "right"
	case ratio > .5 && far < 2:
		return words.Number(math.Round(math.Abs(ratio-1)*100), 0) + words.NB + "% " + way
	case far < 10:
		return words.Number(far, 1) + " times " + way
	default:
		return words.Number(far, 0) + " times " + way
	}
}

// Verdict is the sentence above all and the one below it.
func (v *View) Verdict() (title, more string) {
	list := v.ranked()
	r := v.main()
	m := r.mean()
	name := r.Label
	switch low, high := r.ratios(); {
	case m.Ratio == nil:
		return "Nobody waited in this log.", "Each logged wait is 0, so there is no mean to compare with. Half of the jobs under " + name + " wait at most " + words.Dur(m.MedianError) + "."
	case high > low:
		title = fmt.Sprintf("Under %s the mean wait is %s of the logged one (%s to %s over %d runs)", name, words.Number(*m.Ratio, 2), words.Number(low, 2), words.Number(high, 2), len(r.Got.Runs))
	case *m.Ratio < .005:
		title = fmt.Sprintf("Under %s hardly anybody waits, and %s was logged on average", name, words.Dur(m.LoggedWait))
	case math.Abs(*m.Ratio-1) <= .25:
		title = fmt.Sprintf("%s meets the logged mean wait within %s", name, words.Number(max(1, math.Ceil(math.Abs(*m.Ratio-1)*100)), 0)+words.NB+"%")
	default:
		title = fmt.Sprintf("Simulated waits of %s are %s on average", name, times(*m.Ratio))
	}
	title += fmt.Sprintf("; half of the jobs are off by %s at most.", words.Dur(m.MedianError))
	for _, o := range list {
		if n := o.mean(); o != r && n.Ratio != nil {
			title += fmt.Sprintf(" %s: %s, %s.", o.Label, times(*n.Ratio), words.Dur(n.MedianError))
			break
		}
	}
	more = fmt.Sprintf("%s of 100 jobs wait within an hour of what the log says.", hours(m))
	if own := r.Got.Itself; own != nil {
		more += fmt.Sprintf(" Two runs of %s itself, with other draws, agree so for %s of 100: more cannot be asked.", name, hours(own))
	} else {
		more += fmt.Sprintf(" %s decides the same each time, so nothing of what is missing is chance: it is rules and limits that ran there and not here.", name)
	}
	return title, more
}

// chips are what the numbers are good for, and a warning.
func (v *View) chips() draw.Markup {
	r := v.main()
	m := r.mean()
	var b draw.Writer
	chip := func(good bool, text string) {
		class := "warn"
		if good {
			class = "good"
		}
		b.Put(`<span class="truth-chip {}">{}</span>`, class, text)
	}
	switch near := m.Ratio != nil && *m.Ratio >= .8 && *m.Ratio <= 1.25; {
	case m.Jobs < least:
		chip(false, fmt.Sprintf("Only %s with a wait: from %d on such numbers hold", words.Count(m.Jobs, "job", "jobs"), least))
	case near && m.Rank != nil && *m.Rank >= .6:
		chip(true, "Near enough to compare waits of classes")
	case near:
		chip(false, "The mean fits, single waits do not: their order agrees weakly")
	default:
		chip(false, "Not near enough to promise waits on this cluster")
	}
	if a, c := half(r.first(), 0), half(r.first(), 1); a != nil && c != nil && a.Ratio != nil && c.Ratio != nil && math.Abs(math.Log(*a.Ratio / *c.Ratio)) > .18 {
		chip(false, fmt.Sprintf("First half %s, second half %s", times(*a.Ratio), times(*c.Ratio)))
	}
	if u := r.first().Unserved; u > 0 {
		chip(false, words.Count(u, "job that ran", "jobs that ran")+" there never start here")
	}
	return b.Markup()
}

// half is a half of the jobs, nil where there is none.
func half(t *report.Truth, which int64) *report.Nearness {
	for i := range t.Parts {
		if p := &t.Parts[i]; p.By == "half" && p.From == which {
			return &p.Nearness
		}
	}
	return nil
}

// Jobs is the table of the jobs that differ most.
func (v *View) Jobs() draw.Grid {
	g := draw.Grid{Head: []string{"Job", "Processors", "Requested", "Submitted, s", "Logged wait", "Simulated wait"}, Units: []string{"job", "processors", "limit_s", "submit_s", "logged_wait_s", "wait_s"}}
	if r := v.main(); r != nil {
		for _, j := range r.first().Worst {
			g.Cells = append(g.Cells, []string{strconv.FormatInt(j.Job, 10), words.Int(j.Processors), words.Dur(float64(j.Limit)), words.Int(j.Submit), words.Dur(float64(j.Logged)), words.Dur(float64(j.Simulated))})
			g.Raw = append(g.Raw, []string{strconv.FormatInt(j.Job, 10), strconv.Itoa(int(j.Processors)), strconv.FormatInt(j.Limit, 10), strconv.FormatInt(j.Submit, 10), strconv.FormatInt(j.Logged, 10), strconv.FormatInt(j.Simulated, 10)})
		}
	}
	return g
}

// JobsHTML is the same with marks on one axis and a way into the steps.
func (v *View) JobsHTML() draw.Markup {
	r := v.main()
	if r == nil {
		return draw.HTML(`<p class="bl-empty">{}</p>`, v.nothing())
	}
	list, top := r.first().Worst, int64(1)
	for _, j := range list {
		top = max(top, j.Logged, j.Simulated)
	}
	var b draw.Writer
	b.Put(`<p class="ink2">{}</p><div class="bl-wide"><table class="bl-t truth-jobs"><thead><tr><th scope="col">job</th><th scope="col" class="left">asked</th><th scope="col">logged</th><th scope="col">simulated</th><th scope="col" class="truth-mark">0 to {}</th><th><span class="visually-hidden">In the steps</span></th></tr></thead><tbody>`, v.share(), words.Dur(float64(top)))
	for i, j := range list {
		asked := words.Count(j.Processors, "processor", "processors") + ", " + words.Dur(float64(j.Limit))
		if j.GPUs > 0 {
			asked += ", " + words.Count(j.GPUs, "GPU", "GPUs")
		}
		at := func(wait int64) string { return draw.Num(4 + 112*float64(wait)/float64(top)) }
		l, s := at(j.Logged), at(j.Simulated)
		b.Put(`<tr><th scope="row">{}</th><td class="left">{}</td><td>{}</td><td>{}</td><td class="truth-mark"><svg width="120" height="16" aria-hidden="true"><path d="M4 8h112" stroke="var(--line)"/><path d="M{} 8L{} 8" stroke="{}" stroke-width="1.4"/><circle cx="{}" cy="8" r="4" fill="{}"/><path d="M{} 3.500l4.500 4.500-4.500 4.500-4.500-4.500z" fill="var(--ink)"/></svg></td><td><button type="button" class="btn small" data-step="{}" aria-label="Step to job {}">Step</button></td></tr>`, j.Job, asked, words.Dur(float64(j.Logged)), words.Dur(float64(j.Simulated)), l, s, draw.SeriesVar(r.Scheduler), s, draw.SeriesVar(r.Scheduler), l, i, j.Job)
	}
	b.Add(`</tbody></table></div><p class="faint">diamond: logged, dot: simulated. <i>Step</i> opens the simulated schedule at the logged start.</p>`)
	return b.Markup()
}

// share says what the jobs that differ most have in common.
func (v *View) share() string {
	list := v.main().first().Worst
	if len(list) == 0 {
		return ""
	}
	long, wide := 0, map[int32]int{}
	most, procs := 0, int32(0)
	for _, j := range list {
		if j.Simulated > j.Logged {
			long++
		}
		if wide[j.Processors]++; wide[j.Processors] > most {
			most, procs = wide[j.Processors], j.Processors
		}
	}
	text := fmt.Sprintf("%d of %d wait longer than logged, %d shorter", long, len(list), len(list)-long)
	if most > len(list)/2 {
		text += fmt.Sprintf("; %d ask for %s", most, words.Count(procs, "processor", "processors"))
	}
	return text + "."
}

// told is one thing that the simulator knows or does not know.
type told struct {
	good             bool
	name, text, said string
}

// toldList is what the simulator was not told, and what that may cost.
func (v *View) toldList() (list []told) {
	r := v.main()
	t := r.first()
	d := &v.doc.Platform
	for _, one := range []struct {
		by, name string
		known    bool
	}{
		{"partition", "Partitions", len(d.Partitions) > 0},
		{"qos", "QOS", len(d.QOS) > 0},
		{"account", "Accounts and their shares", len(d.Accounts) > 0},
		{"group", "Limits and shares of groups", len(d.Accounts) > 0},
		{"queue", "Queues and their limits", len(d.Partitions) > 0 || len(d.QOS) > 0},
	} {
		low, high, n := between(t, one.by)
		switch {
		case one.known:
			list = append(list, told{true, one.name, "part of this experiment", "known"})
		case n == 0:
			list = append(list, told{true, one.name, "the log names no two", "none seen"})
		case n == 1:
			list = append(list, told{false, one.name, "too few jobs outside the largest one for a number", "not simulated"})
		default:
			list = append(list, told{false, one.name, fmt.Sprintf("simulated ÷ logged is %s to %s for the middle half of the jobs, over %d of them", words.Number(low, 2), words.Number(high, 2), n), "not simulated"})
		}
	}
	list = append(list, v.outages(t), v.before(t))
	if n := v.dependent(); n > 0 {
		list = append(list, told{false, "Dependencies", words.Count(n, "job follows", "jobs follow") + " another; they are submitted as if none did", "not simulated"})
	}
	return append(list, told{false, "Priorities set and jobs held by hand, reservations", "a log does not say", "not known"})
}

// between is where the ratios of the middle half of the jobs lie, each with that of its
// part, of parts with enough jobs, and how many such parts there are; 0 where the log has
// no parts.
func between(t *report.Truth, by string) (low, high float64, n int) {
	seen, jobs := false, 0
	var list []*report.TruthPart
	for i := range t.Parts {
		p := &t.Parts[i]
		if p.By != by {
			continue
		}
		if seen = true; p.Jobs >= few && p.Ratio != nil {
			list = append(list, p)
			jobs += p.Jobs
		}
	}
	if len(list) == 0 {
		return 0, 0, map[bool]int{true: 1}[seen]
	}
	order.Stable(list, func(a, b *report.TruthPart) int { return order.Floats(*a.Ratio, *b.Ratio) })
	at := 0
	for _, p := range list {
		if at <= jobs/4 {
			low = *p.Ratio
		}
		if at <= jobs*3/4 {
			high = *p.Ratio
		}
		at += p.Jobs
	}
	return low, high, len(list)
}

// outages says what is known of them, and the week that looks most like one.
func (v *View) outages(t *report.Truth) told {
	o := told{name: "Outages", said: "none told"}
	if n := len(v.doc.Platform.Outages); n > 0 {
		return told{true, "Outages", words.Count(n, "outage is", "outages are") + " part of this experiment", "known"}
	}
	least, week := math.Inf(1), int64(-1)
	for i := range t.Parts {
		if p := &t.Parts[i]; p.By == "week" && p.Jobs >= few && p.Ratio != nil && *p.Ratio < least {
			least, week = *p.Ratio, p.From
		}
	}
	o.text = "the log does not say when the machine was down"
	if week >= 0 && t.Ratio != nil && least < *t.Ratio/2 {
		o.text = fmt.Sprintf("week %d has %s of its logged mean wait, the least of all: it may hold one", week+1, words.Number(least, 2))
	}
	if p := v.Page.Preview; p != nil && p.Import != nil && len(p.Import.Pauses) > 0 {
		o.text = words.Count(len(p.Import.Pauses), "pause", "pauses") + " in which nothing ran; " + o.text
		o.said = "see Import"
	}
	return o
}

// before says what it may cost that the machine is empty at the beginning.
func (v *View) before(t *report.Truth) told {
	o := told{name: "What ran before the log", text: "the machine is empty at the beginning", said: "not known"}
	var first *report.Nearness
	rest, logged := 0.0, 0.0
	for i := range t.Parts {
		if p := &t.Parts[i]; p.By == "week" {
			if first == nil {
				first = &p.Nearness
				continue
			}
			rest += float64(p.MeanWait * float64(p.Jobs))
			logged += float64(p.LoggedWait * float64(p.Jobs))
		}
	}
	if first != nil && first.Ratio != nil && logged > 0 {
		o.text += fmt.Sprintf(": first week %s of the logged mean wait, the others %s", words.Number(*first.Ratio, 2), words.Number(rest/logged, 2))
	}
	return o
}

// dependent is how many jobs follow others without being held back by them.
func (v *View) dependent() int {
	if p := v.Page.Preview; p != nil && v.doc.Workload.Dependencies == "" {
		return p.Clean.Jobs(report.Dependent)
	}
	return 0
}

// Told is the list as a table.
func (v *View) Told() draw.Grid {
	g := draw.Grid{Head: []string{"What", "May cost", "State"}, Left: 3}
	if v.main() != nil {
		for _, o := range v.toldList() {
			g.Cells = append(g.Cells, []string{o.name, o.text, o.said})
		}
	}
	return g
}

// ToldHTML is the list.
func (v *View) ToldHTML() draw.Markup {
	if v.main() == nil {
		return draw.HTML(`<p class="bl-empty">{}</p>`, v.nothing())
	}
	var b draw.Writer
	b.Add(`<ul class="truth-list">`)
	for _, o := range v.toldList() {
		mark, class := "!", "warn"
		if o.good {
			mark, class = "✓", "good"
		}
		b.Put(`<li><i class="truth-sign {}" aria-hidden="true">{}</i><div><b>{}</b><span>{}</span></div><small>{}</small></li>`, class, mark, o.name, o.text, o.said)
	}
	return b.Markup() + `</ul>`
}

// Fitted is the calibration as a table: each try.
func (v *View) Fitted() draw.Grid {
	g := draw.Grid{Head: []string{"Try"}, Left: 1}
	r := v.main()
	if r == nil || v.fits[r.Scheduler] == nil {
		return g
	}
	f := v.fits[r.Scheduler].Fit
	for i := range f.Knobs {
		g.Head = append(g.Head, f.Knobs[i].Name)
	}
	g.Head = append(g.Head, "Median error, fitted half", "÷ logged, fitted half", "Median error, judged half", "÷ logged, judged half")
	for i, t := range f.Tries {
		line := []string{strconv.Itoa(i + 1)}
		for k := range f.Knobs {
			line = append(line, f.Knobs[k].Said(t.Values[k]))
		}
		g.Cells = append(g.Cells, append(line, words.Dur(t.Fitted.MedianError), ratioText(&t.Fitted), words.Dur(t.Judged.MedianError), ratioText(&t.Judged)))
	}
	return g
}

// FitHTML is the calibration: what would be searched, or what was found.
func (v *View) FitHTML() draw.Markup {
	r := v.main()
	if r == nil {
		return draw.HTML(`<p class="bl-empty">{}</p>`, v.nothing())
	}
	c := v.fits[r.Scheduler]
	if c == nil || c.Kept {
		text := "Numbers that nobody wrote down can be fitted: how large the machine was, what starting and ending a job took, when Slurm's loops ran. " + r.Label + " is run with some values of each, which are chosen by the first half of the jobs and judged by the second. Nothing is changed without you."
		if c != nil {
			text = "Kept as it was. " + text
		}
		return draw.HTML(`<p class="ink2">{}</p><p><button type="button" class="btn primary" data-do="calibrate">Calibrate</button></p>`, text)
	}
	var b draw.Writer
	b.Add(`<table class="bl-t"><thead><tr><th scope="col" class="left">fitted</th><th scope="col">tried</th><th scope="col">before</th><th scope="col">found</th></tr></thead><tbody>`)
	f := c.Fit
	for i := range f.Knobs {
		k := &f.Knobs[i]
		low, high := k.Values[0], k.Values[0]
		for _, x := range k.Values {
			if x >= 0 {
				if low < 0 {
					low = x
				}
				low, high = min(low, x), max(high, x)
			}
		}
		found := k.Values[0]
		if len(f.Tries) > 0 {
			found = f.Tries[f.Best].Values[i]
		}
		b.Put(`<tr><th scope="row" class="left">{}</th><td>{} to {}</td><td>{}</td><td><b>{}</b></td></tr>`, k.Name, words.Int(low), words.Int(high), k.Said(k.Values[0]), k.Said(found))
	}
	b.Add(`</tbody></table>`)
	if len(v.doc.Platform.Clusters) > 0 {
		b.Add(`<p class="faint">Machines are described one by one here, so their number is not searched.</p>`)
	}
	if c.Error != "" {
		b.Put(`<p class="truth-fault">{}</p>`, "It ended early: "+c.Error)
	}
	if len(f.Tries) == 0 {
		return b.Markup() + `<p class="faint">Running …</p>`
	}
	was, is := &f.Tries[0], &f.Tries[f.Best]
	b.Put(`<div class="truth-two"><div><small>÷ logged, judged half</small><b>{} → {}</b><small>fitted half {} → {}</small></div><div><small>Median error, judged half</small><b>{} → {}</b><small>fitted half {} → {}</small></div></div>`, ratioText(&was.Judged), ratioText(&is.Judged), ratioText(&was.Fitted), ratioText(&is.Fitted),
		words.Dur(was.Judged.MedianError), words.Dur(is.Judged.MedianError), words.Dur(was.Fitted.MedianError), words.Dur(is.Fitted.MedianError))
	if !c.Over {
		return b.Markup() + draw.HTML(`<p class="faint">Try {} of {} …</p>`, len(f.Tries)+1, f.Steps())
	}
	switch {
	case c.Taken:
		b.Add(`<p>Taken into the settings. Undo brings back what was.</p>`)
	case f.Best == 0:
		b.Add(`<p><b>It does not help:</b> nothing that was tried brings the first half nearer in both, median error and mean wait, so all stays as it was.</p>`)
	case f.Helps():
		b.Add(`<p><b>It helps:</b> what fits the first half brings the second nearer, too.</p><p><button type="button" class="btn primary" data-do="take">Take it into the settings</button> <button type="button" class="btn" data-do="keep">Keep as it was</button></p>`)
	default:
		b.Put(`<p><b>It does not help:</b> {}.</p><p><button type="button" class="btn primary" data-do="keep">Keep as it was</button> <button type="button" class="btn" data-do="take">Take it all the same</button></p>`, f.Fails())
	}
	return b.Markup()
}
