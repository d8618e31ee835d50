package ui

import (
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/draw"
	"batchlab/ui/state"
	"batchlab/ui/view/glance"
	"batchlab/ui/words"
)

// Side is the left column: the experiment's settings.
type Side struct {
	P *Page
}

func (c *Side) s() *state.Store { return c.P.S }

// open reports whether a group is open.
func (c *Side) open(group string) bool { return !c.P.Shut[group] }

// faulty says whether a message can lead to its field.
func (c *Side) faulty() bool { return c.P.faulty() }

// Workload

func (c *Side) fileClass() string {
	return "file" + when(c.s().Pending != nil || c.s().LoadError != "", " fault") + when(c.s().Loading, " reading")
}

func (c *Side) fileName() string {
	s := c.s()
	switch {
	case s.Pending != nil:
		return s.Pending.Name
	case s.Wanted != nil:
		return s.Wanted.Name
	case s.Preview != nil && s.Preview.Name != "":
		return s.Preview.Name
	case s.Loading:
		return "Reading …"
	}
	return "No log yet"
}

// fileFacts is the line below the name: "2,000 jobs · 14 days · load 0.60".
func (c *Side) fileFacts() string {
	s := c.s()
	switch {
	case s.Pending != nil:
		return words.Count(s.Pending.Preview.Clean.Lines, "line", "lines") + ", not loaded yet"
	case s.Wanted != nil:
		return words.Bytes(s.Wanted.Size) + ", not here yet"
	case s.Preview == nil && s.Loading:
		return "one moment"
	case s.Preview == nil:
		return "or run a preset"
	}
	return facts(s.Preview)
}

// facts writes jobs, days and load of a workload.
func facts(p *report.Preview) string {
	text := words.Count(p.Jobs, "job", "jobs")
	switch days := float64(p.Last-p.First) / 86400; {
	case days >= 0.95:
		text += " · " + words.Count(int(days+0.5), "day", "days")
	case p.Last > p.First:
		text += " · " + words.Dur(float64(p.Last-p.First))
	}
	if p.Load > 0 {
		text += " · load" + words.NB + words.Number(p.Load, 2)
	}
	return text
}

func (c *Side) sparkline() draw.Markup {
	if c.s().Preview == nil || c.s().Pending != nil {
		return ""
	}
	return glance.Arrivals(c.s().Preview.Arrivals)
}

// hasHeader reports whether a log of the user's own is loaded and has a header.
func (c *Side) hasHeader() bool {
	s := c.s()
	return s.Pending == nil && s.Preview != nil && s.Preview.Header != "" && s.Settings.Workload.Source.Log != nil
}

// Cleaning

func (c *Side) hasCleaning() bool {
	r := c.s().Cleaning()
	return r != nil && (len(shown(r)) > 0 || r.Malformed > 0)
}

// shown are the counts that say something.
func shown(r *report.Cleaning) []report.Count {
	var list []report.Count
	for _, n := range r.Counts {
		if n.Jobs > 0 {
			list = append(list, n)
		}
	}
	return list
}

func (c *Side) counts() []report.Count {
	if r := c.s().Cleaning(); r != nil {
		return shown(r)
	}
	return nil
}

// cleaningSum is "13 left out, 41 changed".
func cleaningSum(r *report.Cleaning) string {
	out, other := r.Malformed, 0
	for _, n := range r.Counts {
		if n.Drops && n.Reason != "malformed" {
			out += n.Jobs
		} else if !n.Drops {
			other += n.Jobs
		}
	}
	text := "none left out"
	if out > 0 {
		text = words.Int(out) + " left out"
	}
	if other > 0 {
		text += ", " + words.Int(other) + " noted"
	}
	return text
}

func (c *Side) cleaningSum() string {
	if c.hasCleaning() {
		return cleaningSum(c.s().Cleaning())
	}
	return "none left out"
}

// dependent says what becomes of jobs that follow others while nobody reacts, ""
// where there are none.
func (c *Side) dependent() string {
	r := c.s().Cleaning()
	if r == nil || r.Jobs(report.Dependent) == 0 || c.s().Settings.Workload.React != nil || c.s().Settings.Workload.Dependencies != "" {
		return ""
	}
	return words.Count(r.Jobs(report.Dependent), "job follows", "jobs follow") + " an earlier one, as the log says (fields 17 and 18). Schedulers do not know that: such a job may start before the earlier one has ended, or beside it. Under “Window, scale, filter” it can be made to wait for that; with users who react it is submitted only after that."
}

// letReact makes users react, and shows their settings.
func (c *Side) letReact() {
	c.P.unfoldTo("workload", "react")
	c.s().SetReact(true)
}

// cleaningBar shows kept, changed and left-out jobs as one bar.
func (c *Side) cleaningBar() draw.Markup {
	r := c.s().Cleaning()
	if r == nil {
		return ""
	}
	kept, noted, out := r.Kept, 0, r.Malformed
	for _, n := range r.Counts {
		if n.Drops && n.Reason != "malformed" {
			out += n.Jobs
		} else if !n.Drops {
			noted += n.Jobs
		}
	}
	noted = min(noted, kept)
	part := func(class string, n int) draw.Markup {
		return draw.When(n > 0, draw.HTML(`<i class="{}" style="flex-grow:{}"></i>`, class, n))
	}
	return part("kept", kept-noted) + part("noted", noted) + part("out", out)
}

// Schedulers

func (c *Side) schedulersSum() string {
	on := len(c.s().Settings.Schedulers)
	if n := len(c.s().Rows()) - on; n > 0 {
		return strconv.Itoa(on) + " on, " + strconv.Itoa(n) + " off"
	}
	if on > draft.MaxSchedulers { // an experiment of a file or a link has more than are added here
		return strconv.Itoa(on)
	}
	return strconv.Itoa(on) + " of at most " + strconv.Itoa(draft.MaxSchedulers)
}

func (c *Side) full() bool { return c.s().Full() }

// last reports whether a scheduler is the only one that runs.
func (c *Side) last(r draft.Row) bool { return r.Index >= 0 && len(c.s().Settings.Schedulers) == 1 }

// unfolded reports whether the options of a scheduler are on show.
func (c *Side) unfolded(r draft.Row) bool {
	return r.Index >= 0 && c.P.Sched == r.Index && !c.P.first()
}

func (c *Side) tickTitle(r draft.Row) string {
	switch {
	case c.last(r):
		return "The last scheduler stays on"
	case r.Index < 0:
		return "Run it again, with the settings that it had"
	}
	return "Leave it out of the runs; its settings stay"
}

// rowID is the id of a scheduler's tick box, headID that of its head.
func rowID(r draft.Row) string {
	if r.Index < 0 {
		return "off-" + strconv.Itoa(r.Parked)
	}
	return "on-" + strconv.Itoa(r.Index)
}

func headID(r draft.Row) string {
	if r.Index < 0 {
		return "sched-off-" + strconv.Itoa(r.Parked)
	}
	return "sched-" + strconv.Itoa(r.Index)
}

// A scheduler that is off has no letter and no line.
func rowLetter(r draft.Row) string {
	if r.Index < 0 {
		return ""
	}
	return words.LetterAt(r.Place)
}

func rowSwatch(r draft.Row) draw.Markup {
	if r.Index < 0 {
		return `<small class="faint">off</small>`
	}
	return draw.SwatchAt(r.Place)
}

// tick lets a scheduler run or not.
func (p *Page) tick(r draft.Row) {
	if r.Index < 0 {
		p.S.SwitchOn(r.Parked)
	} else {
		p.S.SwitchOff(r.Index)
	}
	p.Sched = -1
}

// shortName is the scheduler's name without its options.
func shortName(sch experiment.Scheduler) string {
	if sch.Label != "" {
		return sch.Label
	}
	if row := catalog.FindScheduler(sch.Key); row != nil {
		return row.Short
	}
	return sch.Key
}

// options are what differs from the defaults, or that there are none.
func options(sch experiment.Scheduler) string {
	if isOwn(sch.Key) {
		return words.Count(strings.Count(strings.TrimRight(sch.Params.Text("code"), "\n"), "\n")+1, "line", "lines")
	}
	if o := draft.Options(sch); o != "" {
		return o
	}
	if row := catalog.FindScheduler(sch.Key); row != nil && len(row.Params) == 0 {
		return "no options"
	}
	return ""
}

func help(key string) string {
	if row := catalog.FindScheduler(key); row != nil {
		return row.Help
	}
	return ""
}

// schedFault is why the scheduler of a row cannot run here, unless that stands
// at one of its inputs on show.
func (c *Side) schedFault(row draft.Row) string {
	if row.Index < 0 {
		return ""
	}
	text, id := c.s().SchedulerFault(row.Index)
	if id != "" && c.P.Sched == row.Index {
		return ""
	}
	return text
}

// schedFields names the inputs of scheduler i, for panel: not of parameters that
// mean nothing now, such as the weights of an order that is not mixed, unless they
// are set.
func (c *Side) schedFields(i int) string {
	list, of := "fields", " sched."+strconv.Itoa(i)+"."
	params := c.s().Settings.Schedulers[i].Params
	row := catalog.FindScheduler(c.s().Settings.Schedulers[i].Key)
	if row == nil {
		return list
	}
	for _, p := range row.Params {
		if v, _ := params.Get(p.Key); p.When != "" && params.Text(p.When) != p.Is && (p.When == "optimiser" || v == p.Default) {
			continue
		}
		list += of + p.Key
	}
	return list + of + "label"
}

// isOwn says whether schedulers with a key are programs of the user's.
func isOwn(key string) bool { return key == catalog.CustomKey }
