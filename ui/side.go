package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/state"
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

func (c *Side) workloadSum() string {
	s := c.s()
	switch {
	case s.Pending != nil, s.Wanted != nil:
		return "not loaded"
	case s.Preview == nil && s.Loading:
		return "reading"
	case s.Preview == nil:
		return "none"
	}
	return words.Count(s.Preview.Clean.Kept, "job", "jobs")
}

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

func (c *Side) sparkline() vugu.HTML {
	if c.s().Preview == nil || c.s().Pending != nil {
		return ""
	}
	return arrivals(c.s().Preview.Arrivals)
}

// glance is the workload in six small charts.
func (c *Side) glance() vugu.HTML { return glanceHTML(glances(c.s().Preview)) }

func (c *Side) glanceSum() string {
	if p := c.s().Preview; p != nil && p.Users > 0 {
		return words.Count(p.Users, "user", "users")
	}
	return ""
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
	if r := c.s().Cleaning(); r != nil {
		return cleaningSum(r)
	}
	return ""
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
	c.P.Shut["react"] = false
	c.s().SetReact(true)
}

// cleaningBar shows kept, changed and left-out jobs as one bar.
func (c *Side) cleaningBar() vugu.HTML {
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
	part := func(class string, n int) string {
		if n == 0 {
			return ""
		}
		return `<i class="` + class + `" style="flex-grow:` + strconv.Itoa(n) + `"></i>`
	}
	return vugu.HTML(part("kept", kept-noted) + part("noted", noted) + part("out", out))
}

// Source

// generator is the key of the generator in use, "" none.
func (c *Side) generator() string {
	if g := c.s().Settings.Workload.Source.Generator; g != nil {
		return g.Key
	}
	return ""
}

// generatorSum counts the generator's parameters that are not at their
// default.
func (c *Side) generatorSum() string {
	g := c.s().Settings.Workload.Source.Generator
	row := catalog.FindGenerator(c.generator())
	if row == nil {
		return ""
	}
	if text := c.varies(c.generatorFields()); text != "" {
		return text
	}
	n := 0
	for _, p := range row.Params {
		if p.Type == catalog.Code {
			continue // which has a view of its own
		}
		if v, ok := g.Params.Get(p.Key); ok && v != p.Default {
			n++
		}
	}
	if n == 0 {
		return row.Name
	}
	return row.Name + ", " + words.Int(n) + " changed"
}

// generatorFields are the ids of the generator's inputs.
func (c *Side) generatorFields() []string {
	row := catalog.FindGenerator(c.generator())
	if row == nil {
		return nil
	}
	ids := make([]string, len(row.Params))
	for i, p := range row.Params {
		ids[i] = "gen." + p.Key
	}
	return ids
}

// varies names what varies of some inputs, "" when nothing does.
func (c *Side) varies(ids []string) string {
	var list []string
	for _, id := range ids {
		if _, n := c.s().Varied(id); n > 0 {
			in, _ := c.s().Input(id)
			list = append(list, in.Name)
		}
	}
	if list == nil {
		return ""
	}
	return strings.Join(list, ", ") + " " + either(len(list) == 1, "varies", "vary")
}

// filterSum counts what the group of filters holds.
func (c *Side) filterSum() string {
	if text := c.varies(c.filterFields()); text != "" {
		return text
	}
	w := &c.s().Settings.Workload
	n := 0
	for _, on := range []bool{
		len(w.Filter.Users) > 0, len(w.Filter.ExcludeUsers) > 0, w.Filter.MinProcs > 0, w.Filter.MaxProcs > 0, w.Filter.MinRun > 0, w.Filter.MaxRun > 0,
		w.Window.From != nil, w.Window.To != nil, w.Scale.Load != 1 && w.Scale.Load != 0, w.Scale.Time != 1 && w.Scale.Time != 0, w.Scale.Known != 0,
		w.Clean.Overrun != "kill" && w.Clean.Overrun != "", w.Clean.Oversize != "drop" && w.Clean.Oversize != "",
		w.Dependencies != "", w.Withdrawn != "",
	} {
		if on {
			n++
		}
	}
	if n == 0 {
		return "all jobs as they are"
	}
	return words.Int(n) + " set"
}

// filterFields are the inputs of what is taken of the workload: with those about
// eligibility where its jobs have something to wait for.
func (c *Side) filterFields() []string {
	w := &c.s().Settings.Workload
	list := jobFields
	if c.follow() || w.Dependencies != "" {
		list = append(slices.Clip(list), "dependencies")
	}
	if c.leave() || w.Withdrawn != "" {
		list = append(slices.Clip(list), "withdrawn")
	}
	return list
}

// follow says whether the log or the table says what some job waits for.
func (c *Side) follow() bool {
	if r := c.s().Cleaning(); r != nil && r.Jobs(report.Dependent) > 0 {
		return true
	}
	if p := c.s().Preview; p != nil && p.Import != nil && p.Import.Depending > 0 {
		return true
	}
	return c.s().Settings.Workload.Extra != nil || c.column("after", "begin", "array_limit", "het")
}

// leave says whether the log or the table says when some job left the queue unserved.
func (c *Side) leave() bool {
	if p := c.s().Preview; p != nil && p.Import != nil && p.Import.Withdrawn > 0 {
		return true
	}
	return c.s().Settings.Workload.Extra != nil || c.column("withdrawn")
}

// column says whether the table of jobs has one of some columns.
func (c *Side) column(keys ...string) bool {
	t := c.s().Settings.Workload.Source.Inline
	return t != nil && slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(t.Columns, key) })
}

var jobFields = []string{
	"from", "to", "load", "time", "known", "min-procs", "max-procs", "min-run", "max-run", "users", "exclude-users", "overrun", "oversize",
}

// Platform

func (c *Side) platformSum() string {
	if n := c.s().Processors(); n > 0 {
		return words.Count(n, "processor", "processors")
	}
	if c.s().Preview == nil {
		return ""
	}
	return "size not known"
}

func (c *Side) platformSays() string {
	s := c.s()
	switch {
	case s.NeedsProcessors():
		return "The log does not say how large its machine was. How many processors should it have?"
	case s.Settings.Platform.Processors > 0 && s.Preview != nil && s.Preview.Processors > 0 && int64(s.Preview.Processors) != s.Settings.Platform.Processors:
		return "The source says " + words.Int(s.Preview.Processors) + "."
	}
	return ""
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

func rowSwatch(r draft.Row) vugu.HTML {
	if r.Index < 0 {
		return `<small class="faint">off</small>`
	}
	return swatchAt(r.Place)
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

// schedFields are the ids of the inputs of scheduler i: not of parameters that
// mean nothing now, such as the weights of an order that is not mixed, unless they
// are set.
func (c *Side) schedFields(i int) []string {
	params := c.s().Settings.Schedulers[i].Params
	row := catalog.FindScheduler(c.s().Settings.Schedulers[i].Key)
	if row == nil {
		return nil
	}
	var ids []string
	for _, p := range row.Params {
		if v, _ := params.Get(p.Key); p.When != "" && params.Text(p.When) != p.Is && (p.When == "optimiser" || v == p.Default) {
			continue
		}
		ids = append(ids, "sched."+strconv.Itoa(i)+"."+p.Key)
	}
	return append(ids, "sched."+strconv.Itoa(i)+".label")
}

// Measures

var measureFields = []string{"measure-from", "measure-to"}

func (c *Side) measureSum() string {
	m := &c.s().Settings.Measures
	if m.From == nil && m.To == nil {
		return "all jobs"
	}
	return "part of the jobs"
}

// isOwn says whether schedulers with a key are programs of the user's.
func isOwn(key string) bool { return key == catalog.CustomKey }
