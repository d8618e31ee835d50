package ui

import (
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/ui/annex"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/view/cases"
	"batchlab/ui/view/overview"
	"batchlab/ui/view/share"
	"batchlab/ui/view/tour"
	"batchlab/ui/view/vary"
	"batchlab/ui/words"
)

// Host is what only a browser can do.
type Host interface {
	share.Host
	Save(name, mime string, data []byte) // as a download
	ChooseFile()                         // asks for a log or an experiment
	SetTheme(dark bool)                  // shows and remembers it
	Focus(id string)                     // moves the focus, after the next render
	Step(by int)                         // undoes (−1) or redoes (1) by way of the browser's history
	Remember(key, text string)           // until the next visit, where that is allowed
	Recall(key string) string            // "" when nothing is remembered
}

// noHost stands in where there is no browser.
type noHost struct{}

func (noHost) Copy(_ string, done func(bool)) { done(false) }
func (noHost) Save(string, string, []byte)    {}
func (noHost) ChooseFile()                    {}
func (noHost) SetTheme(bool)                  {}
func (noHost) Address() string                { return "" }
func (noHost) Focus(string)                   {}
func (noHost) ShowHash(string)                {}
func (noHost) Step(int)                       {}
func (noHost) Remember(string, string)        {}
func (noHost) Recall(string) string           { return "" }
func (noHost) QR(string, func(string, int))   {}

// Page is the page's own state: what is open. All components share one.
type Page struct {
	S      *state.Store
	Host   Host
	Menu   string          // open menu: "", "presets", "export", "add"
	Dialog string          // open dialog: "", "share", "lines", "header", "help", "log"
	Drawer bool            // left column over the results, on narrow screens
	Shut   map[string]bool // groups of the left column that are closed
	Sched  int             // scheduler whose options are open, −1 none

	Share    share.Dialog
	Tour     tour.Tour
	Offer    bool      // nobody has been told yet what this is: the story and the tour are offered
	greeted  bool      // the story is on show
	last     string    // link to where the last visit was, "" unknown
	lastSaid string    // what had come out there
	Packing  string    // how far the .zip is, "" when none is being packed
	Offline  string    // how offline use stands, see Top.offlineText
	Metric   string    // measure that the dialog "metric" explains
	Kind     string    // which problems of a damaged log are listed, "" all
	Between  [2]string // dates of the command that asks Slurm for its jobs
	Said     string    // last short message for aria-live: "Link copied"
}

// newPage returns the page's state over s with its defaults.
func newPage(s *state.Store) *Page {
	p := &Page{
		S: s, Host: noHost{}, Sched: -1, Share: share.Dialog{S: s, WithDigest: true}, Tour: tour.Tour{S: s},
		Shut: map[string]bool{"workload": true, "platform": true, "repeats": true, "generator": true, "glance": true, "filter": true, "measure": true, "machines": true, "guards": true, "partitions": true, "qos": true, "accounts": true, "needs": true, "predict": true, "react": true, "patience": true, "grid": true},
	}
	s.Shell.Act, s.Shell.Shut = p.act, p.Shut
	return p
}

// first reports whether the page stands as a first visit finds it, with one story in
// place of tabs and settings: until its first step of its own, whatever that is.
func (p *Page) first() bool { return p.Offer && p.plain() }

// plain reports whether the page stands as an address without a hash opens it.
func (p *Page) plain() bool {
	s := p.S
	return p.Tour.Step == 0 && s.Preset == catalog.DefaultPreset && !s.Edited() && s.Place.Key == "" &&
		s.View.Tab == "overview" && s.Pending == nil && s.Wanted == nil && s.SweepNow() == nil
}

// greet remembers that the story has been told: a later visit begins with the
// laboratory, and so does this one from its first step on.
func (p *Page) greet() {
	switch first := p.first(); {
	case first && !p.greeted && p.S.Ran != nil:
		p.greeted = true
		p.Host.Remember(hintsKey, "off")
	case !first && p.greeted:
		p.greeted, p.Offer = false, false
		p.S.Touch()
	}
}

// tellAgain shows the story once more.
func (p *Page) tellAgain() {
	p.Menu, p.Dialog, p.Tour.Step, p.Tour.Auto = "", "", 0, false
	p.S.LeavePlace()
	if p.S.Preset != catalog.DefaultPreset || p.S.Edited() || p.S.Ran == nil {
		p.S.OpenPreset("")
	}
	p.S.Look(func(v *look.View) { v.Tab = "overview" })
	p.Offer, p.greeted = true, false
	p.Host.Focus("main")
}

// settle goes on to the laboratory.
func (p *Page) settle() {
	p.Drawer = false
	p.dropOffer()
	p.Host.Focus("main")
}

// unfold shows all settings, where somebody asked for them: on a phone they stay open.
func (p *Page) unfold() {
	p.dropOffer()
	p.Host.Focus("side")
}

// command asks Slurm for its jobs of the time that was typed.
func (p *Page) command() string { return annex.Command(p.Between[0], p.Between[1]) }

// copyCommand copies what asks Slurm for its jobs.
func (p *Page) copyCommand() {
	p.Host.Copy(p.command(), func(ok bool) {
		p.Said = either(ok, "Command copied", "The command could not be copied: select and copy it")
		p.S.Touch()
	})
}

// acts are what buttons of sections may ask of the shell, by what stands before the colon.
var acts = map[string]func(p *Page, arg string){
	"needs.file":   func(p *Page, _ string) { p.Host.ChooseFile() },
	"go-on":        func(p *Page, _ string) { p.goOn() },
	"forget":       func(p *Page, _ string) { p.dropLast() },
	"settle":       func(p *Page, _ string) { p.settle() },
	"visit":        (*Page).visit,
	"dialog":       (*Page).openDialog,
	"explain":      (*Page).explain,
	"save-summary": func(p *Page, _ string) { p.saveSummary() },
	"run":          func(p *Page, _ string) { p.run() },
	"say": func(p *Page, text string) {
		p.Said = text
		p.S.Touch()
	},
	"tour-back":  func(p *Page, _ string) { p.Tour.Tell(p.Tour.Step - 1) },
	"tour-next":  func(p *Page, _ string) { p.Tour.Turn() },
	"tour-leave": func(p *Page, _ string) { p.leaveTour() },
}

// act does what a button of a section says: KEY or KEY:ARGUMENT.
func (p *Page) act(what string) {
	key, arg, _ := strings.Cut(what, ":")
	do, its := acts[key], actOf(key)
	switch kind, which, _ := strings.Cut(what, "."); {
	case do != nil:
		do(p, arg)
	case p.Share.Do(key, arg):
	case its != nil:
		p.Menu = ""
		its(p.S, arg)
	case kind == "source":
		p.source(which)
	case kind == "bundled":
		p.S.UseBundled(which)
	case kind == "generator":
		p.S.UseGenerator(which)
	default:
		p.S.Act(what)
	}
}

// unfoldTo opens groups and sections of the left column.
func (p *Page) unfoldTo(keys ...string) {
	for _, key := range keys {
		p.Shut[key] = false
	}
}

// toggle opens or closes a group of the left column.
func (p *Page) toggle(group string) { p.Shut[group] = !p.Shut[group] }

// visit goes to a place, or from it back to the laboratory.
func (p *Page) visit(place string) {
	p.Menu, p.Drawer = "", false
	if p.S.Place.Key == place && p.S.Place.Item == "" {
		p.S.LeavePlace()
		return
	}
	p.S.ShowPlace(look.Place{Key: place})
}

// openPapers goes to the papers, at a study or a table of one ("" the list).
func (p *Page) openPapers(item string) {
	p.Menu, p.Drawer, p.Dialog = "", false, ""
	p.S.OpenPapers(item)
}

// openMenu opens a menu, or closes it when it is open.
func (p *Page) openMenu(name string) {
	if p.Menu == name {
		name = ""
	}
	p.Menu = name
	if name != "" {
		p.Host.Focus("menu-" + name)
	}
}

// Escape closes what is on top: a dialog, a menu, the drawer; with nothing
// open it declines what the page asks, or cancels the runs. It reports whether there was something to do.
func (p *Page) Escape() bool {
	switch {
	case p.S.VaryNow() != nil:
		vary.Close(p.S)
	case p.Dialog != "":
		p.closeDialog()
	case p.Menu != "":
		back := p.Menu
		p.Menu = ""
		p.Host.Focus("open-" + back)
	case p.Drawer:
		p.Drawer = false
		p.Host.Focus("open-drawer")
	case p.S.Place.Item != "":
		p.S.ShowPlace(look.Place{Key: p.S.Place.Key})
	case p.S.Place.Key != "":
		p.S.LeavePlace()
	case p.S.LargeRun != nil:
		p.S.Decline()
	case p.S.Reading.Active:
		p.S.StopReading()
	case p.S.Active():
		p.S.Cancel()
	case p.S.Sweeping():
		p.S.StopSweep()
	case p.S.Searching():
		p.S.StopSearch()
	default:
		return false
	}
	return true
}

func (p *Page) openDialog(name string) {
	p.Menu, p.Dialog = "", name
	if name == "share" {
		p.Share.Host = p.Host
		p.Share.Open(p.Tour.Step > 0)
	}
	p.Host.Focus("dialog-" + name)
}

func (p *Page) closeDialog() {
	back := p.Dialog
	p.Dialog = ""
	p.S.DropLine()
	switch back {
	case "metric":
		back += "-" + p.Metric
	}
	p.Host.Focus("open-" + back)
}

// explain opens what a measure is: its formula and source.
func (p *Page) explain(key string) {
	if catalog.FindMetric(key) != nil {
		p.Metric = key
		p.openDialog("metric")
	}
}

// measure is the measure that is explained; never nil.
func (p *Page) measure() *catalog.Metric {
	if row := catalog.FindMetric(p.Metric); row != nil {
		return row
	}
	return &catalog.Metrics[0]
}

// startTour shows the steps over what is on show, with nothing open.
func (p *Page) startTour() {
	p.Menu, p.Dialog, p.Drawer = "", "", false
	p.dropOffer()
	p.Tour.Start(false)
	p.Host.Focus("demo-next")
}

// startDemo begins the steps with the default preset.
func (p *Page) startDemo() {
	p.Menu, p.Dialog, p.Drawer, p.Offer = "", "", false, false
	p.Tour.Start(true)
}

// leaveTour ends a tour, or the demo.
func (p *Page) leaveTour() {
	if p.Tour.Auto {
		p.Host.ShowHash(p.Host.Address())
	}
	p.Tour.Leave()
	p.focusShown()
}

// focusShown moves the focus to the tab or the place that is on show.
func (p *Page) focusShown() {
	if key := p.S.Place.Key; key != "" {
		p.Host.Focus("place-" + key)
		return
	}
	p.Host.Focus("tab-" + p.tab())
}

// run starts the experiment; when it cannot it says why, and goes to the field.
func (p *Page) run() {
	p.Menu, p.Drawer = "", false
	if why := p.S.CanRun(); why != "" {
		p.Said = why
		p.showFault()
		return
	}
	p.S.Run()
}

// faulty says whether showFault leads anywhere.
func (p *Page) faulty() bool {
	if p.S.CanRun() == "" {
		return false
	}
	id, section, _ := p.S.FaultField()
	return id != "" || section != ""
}

// showFault goes to the field at which something is wrong, or to its section.
func (p *Page) showFault() {
	id, section, group := p.S.FaultField()
	switch {
	case strings.HasPrefix(id, "search."):
		p.S.ShowTab("search")
		p.Host.Focus(id)
	case group != "":
		p.S.LeavePlace()
		p.unfoldTo(group, section)
		p.Drawer = true // over the results, where it is no column
		if rest, ok := strings.CutPrefix(id, "sched."); ok {
			number, _, _ := strings.Cut(rest, ".")
			p.Sched, _ = strconv.Atoi(number)
		}
		p.Host.Focus(either(id != "", id, "section-"+either(section != "", section, group)))
	case id != "":
		p.Drawer = true
		p.Host.Focus(id)
	}
}

func (p *Page) preset(key string) {
	p.Menu, p.Drawer = "", false
	p.Host.Focus("open-presets")
	p.Sched = -1
	p.S.OpenPreset(key)
}

func (p *Page) theme() {
	p.S.Look(func(v *look.View) { v.Dark = !v.Dark })
	p.Host.SetTheme(p.S.View.Dark)
}

// title names the experiment for the top bar and for file names.
func (p *Page) title() string {
	if t := p.S.Settings.Title; t != "" {
		return t
	}
	if l := p.S.Settings.Workload.Source.Log; l != nil && l.Name != "" {
		return l.Name
	}
	if p.sourceKind() == "bundled" {
		if row := catalog.FindBundle(p.S.Settings.Workload.Source.Bundled); row != nil {
			return row.Name
		}
	}
	return "without a title"
}

// fileName makes a safe file name of text.
func fileName(text, suffix string) string {
	out := make([]rune, 0, len(text))
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_':
			out = append(out, r)
		case r >= 'A' && r <= 'Z':
			out = append(out, r+'a'-'A')
		case len(out) > 0 && out[len(out)-1] != '-':
			out = append(out, '-')
		}
	}
	for len(out) > 0 && out[len(out)-1] == '-' {
		out = out[:len(out)-1]
	}
	if len(out) > 60 {
		out = out[:60]
	}
	if len(out) == 0 {
		return "batchlab" + suffix
	}
	return string(out) + suffix
}

// saveDocument downloads the experiment as JSON.
func (p *Page) saveDocument() {
	p.Menu = ""
	p.Host.Save(fileName(p.title(), ".json"), "application/json", p.S.Document(true))
}

// saveSummary downloads all measures of all finished runs.
func (p *Page) saveSummary() {
	p.Menu = ""
	p.Host.Save(fileName(p.title(), "-summary.csv"), "text/csv", p.S.SummaryCSV())
}

// saveReport downloads what came out as a page that needs nothing else.
func (p *Page) saveReport() {
	p.Menu = ""
	var charts []engine.File
	if h, ok := p.Host.(Packer); ok {
		charts = h.Charts()
	}
	p.Host.Save(fileName(p.title(), ".html"), "text/html", []byte(overview.Report(p.S, p.title(), charts)))
}

// saveJobs downloads the jobs of scheduler i's run that is looked at.
func (p *Page) saveJobs(i int) {
	p.Menu = ""
	r := p.S.Finished(i)
	if r == nil {
		return
	}
	data, err := p.S.JobsCSV(r)
	if err != nil {
		p.Said = err.Error()
		return
	}
	p.Host.Save(fileName(p.title()+" "+words.Letter(i)+" "+p.S.Label(i), fmt.Sprintf("-%d-jobs.csv", r.Repetition+1)), "text/csv", data)
}

// saveProblems downloads the lines of the log that could not be read.
func (p *Page) saveProblems() {
	if c := p.S.Cleaning(); c != nil {
		p.Host.Save(fileName(p.title(), "-problems.csv"), "text/csv", state.ProblemsCSV(c))
	}
}

// paste makes a pasted table of jobs the workload.
func (p *Page) paste(text string) {
	if in, why := cases.Pasted(text); in != nil {
		p.S.OpenTable(in)
		p.Said = "The pasted table is the workload: " + words.Count(len(in.Rows), "job", "jobs")
	} else {
		p.S.Notice = "What was pasted is no table of jobs: " + why + "."
	}
}

// source switches between a generator, a bundled workload, a log and a table of jobs.
func (p *Page) source(kind string) {
	switch kind {
	case "inline":
		p.Drawer = false
		place := look.Place{Key: cases.Room.Key}
		if p.S.Settings.Workload.Source.Inline != nil {
			place.Item = "open"
		}
		p.S.ShowPlace(place)
	case "log":
		p.Host.ChooseFile()
	case "bundled":
		if rows := catalog.Bundles; len(rows) > 0 {
			p.S.UseBundled(rows[0].Key)
		}
	case "generator":
		if rows := catalog.Generators; len(rows) > 0 {
			p.S.UseGenerator(rows[0].Key)
		}
	}
}

// sourceKind is "log", "bundled", "inline" or "generator".
func (p *Page) sourceKind() string {
	switch src := p.S.Settings.Workload.Source; {
	case src.Log != nil:
		return "log"
	case src.Bundled != "":
		return "bundled"
	case src.Inline != nil:
		return "inline"
	}
	return "generator"
}

// openSched opens or closes the options of scheduler i.
func (p *Page) openSched(i int) {
	switch {
	case p.first(): // all are closed there
		p.dropOffer()
	case p.Sched == i:
		i = -1
	}
	p.Sched = i
}

// addScheduler adds one and opens its options when it has some.
func (p *Page) addScheduler(key string) {
	p.Menu = ""
	p.S.AddScheduler(key)
	p.Sched = len(p.S.Settings.Schedulers) - 1
	p.Host.Focus(fmt.Sprintf("sched-%d", p.Sched))
}

// openProgram shows the program of scheduler i.
func (p *Page) openProgram(i int) {
	p.S.Look(func(v *look.View) { v.Own = i })
	p.S.ShowTab(look.OwnTab)
}

func (p *Page) removeScheduler(i int) {
	p.S.RemoveScheduler(i)
	p.Sched = -1
	p.Host.Focus(fmt.Sprintf("sched-%d", max(0, i-1)))
}

func (p *Page) copyScheduler(i int) {
	p.S.CopyScheduler(i)
	p.Sched = len(p.S.Settings.Schedulers) - 1
	p.Host.Focus(fmt.Sprintf("sched-%d", p.Sched))
}
