package ui

import (
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/annex"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/view/cases"
	"batchlab/ui/words"
)

// Host is what only a browser can do.
type Host interface {
	Copy(text string, done func(ok bool)) // to the clipboard
	Save(name, mime string, data []byte)  // as a download
	ChooseFile()                          // asks for a log or an experiment
	SetTheme(dark bool)                   // shows and remembers it
	Address() string                      // of this page, without the hash
	Focus(id string)                      // moves the focus, after the next render
	ShowHash(hash string)                 // in the address bar, without a new entry
	Step(by int)                          // undoes (−1) or redoes (1) by way of the browser's history
	Remember(key, text string)            // until the next visit, where that is allowed
	Recall(key string) string             // "" when nothing is remembered

	// QR calls done with a text's code, at once or later: the data of an SVG path
	// and the length of a side with its margin, 0 when there is no code.
	QR(text string, done func(path string, size int))
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

	Link       string // in the share dialog
	WithDigest bool
	Demo       int                    // step of the tour, 0 none
	Auto       bool                   // it goes on by itself, in large type: #demo
	scenes     []chapter              // the steps of #demo that show a cluster
	cluster    func() []state.Dropped // its files, as if they had been dropped
	clustered  int                    // so many of them are open
	opens      bool                   // and are being read, which shows how they were understood
	Offer      bool                   // nobody has been told yet what this is: the story and the tour are offered
	greeted    bool                   // the story is on show
	last       string                 // link to where the last visit was, "" unknown
	lastSaid   string                 // what had come out there
	before     look.View              // as it was before the tour
	beforeOf   *experiment.Experiment // what had run then
	Short      short
	Packing    string // how far the .zip is, "" when none is being packed
	qrOf       string // the link that qrSVG shows
	qrSVG      string
	Offline    string    // how offline use stands, see Top.offlineText
	Metric     string    // measure that the dialog "metric" explains
	Kind       string    // which problems of a damaged log are listed, "" all
	Differ     bool      // the table of all measures shows differences, not means
	Between    [2]string // dates of the command that asks Slurm for its jobs
	Said       string    // last short message for aria-live: "Link copied"
}

// newPage returns the page's state over s with its defaults.
func newPage(s *state.Store) *Page {
	return &Page{
		S: s, Host: noHost{}, Sched: -1, WithDigest: true,
		Shut: map[string]bool{"workload": true, "platform": true, "repeats": true, "generator": true, "glance": true, "filter": true, "measure": true, "machines": true, "guards": true, "partitions": true, "qos": true, "accounts": true, "needs": true, "predict": true, "react": true, "patience": true, "grid": true},
	}
}

// first reports whether the page stands as a first visit finds it, with one story in
// place of tabs and settings: until its first step of its own, whatever that is.
func (p *Page) first() bool { return p.Offer && p.plain() }

// plain reports whether the page stands as an address without a hash opens it.
func (p *Page) plain() bool {
	s := p.S
	return p.Demo == 0 && s.Preset == catalog.DefaultPreset && !s.Edited() && s.Place.Key == "" &&
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
	p.Menu, p.Dialog, p.Demo, p.Auto = "", "", 0, false
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

// act does what a button of a section says.
func (p *Page) act(key string) {
	switch kind, which, _ := strings.Cut(key, "."); {
	case key == "needs.file":
		p.Host.ChooseFile()
	case kind == "source":
		p.source(which)
	case kind == "bundled":
		p.S.UseBundled(which)
	case kind == "generator":
		p.S.UseGenerator(which)
	default:
		p.S.Act(key)
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
		p.Host.Focus("wave-" + p.S.VaryNow().ID)
		p.S.CloseVarying()
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
	switch name {
	case "share":
		p.makeLink()
		p.qrOf = "" // what could not be loaded before is tried again
		p.offerShort()
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

// makeLink writes the link of the share dialog.
func (p *Page) makeLink() {
	p.Link = p.Host.Address() + p.S.LinkHash(p.WithDigest)
	p.Short.ID, p.Short.Error = "", ""
}

func (p *Page) copyLink() {
	p.Host.Copy(p.Link, func(ok bool) {
		p.Said = "Link copied"
		if !ok {
			p.Said = "The browser did not allow copying: select the link and copy it"
		}
		p.S.Look(func(*look.View) {})
	})
	if p.Short.ID == "" { // the page itself stays where it is
		p.Host.ShowHash(p.Link)
	}
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
