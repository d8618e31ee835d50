package ui

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Dialogs holds the one dialog that is open.
type Dialogs struct {
	P *Page
}

func (c *Dialogs) s() *state.Store { return c.P.S }

func (c *Dialogs) title() string {
	switch c.P.Dialog {
	case "share":
		return "Share this experiment"
	case "lines":
		return "Cleaning report"
	case "header":
		return "Header of the log"
	case "help":
		return "Help and keys"
	case "log":
		return "Log"
	case "bring":
		return "Your own cluster"
	case "kept":
		return "Kept logs"
	case "metric":
		return c.P.measure().Name
	case "jobs":
		return "The jobs at a glance"
	}
	return ""
}

// Cleaning report

// cleaning writes counts with example lines.
func (c *Dialogs) cleaning() draw.Markup {
	r := c.s().Cleaning()
	if r == nil {
		return ""
	}
	var w draw.Writer
	w.Add(`<table class="plain"><thead><tr><th scope="col">Reason</th><th scope="col" class="num">Jobs</th><th scope="col">Lines, for example</th></tr></thead><tbody>`)
	for _, n := range shown(r) {
		w.Put(`<tr><td>{}</td><td class="num">{}</td><td class="faint">`, n.Text, words.Int(n.Jobs))
		for i, l := range n.Lines {
			w.Put(`{}{}`, draw.When(i > 0, " "), lineButton(l))
		}
		w.Add(`</td></tr>`)
	}
	w.Add(`</tbody></table>`)
	return w.Markup()
}

func (c *Dialogs) cleaningText() string {
	r := c.s().Cleaning()
	if r == nil {
		return ""
	}
	return words.Count(r.Lines, "line", "lines") + " read, " + words.Count(r.Kept, "job", "jobs") + " kept: " + cleaningSum(r) + "."
}

func (c *Dialogs) problems() draw.Markup {
	if r := c.s().Cleaning(); r != nil && len(r.Problems) > 0 {
		return problemTable(r, 200, "")
	}
	return ""
}

// lineButton shows a line of the log when it is pressed.
func lineButton(n int) draw.Markup {
	return draw.HTML(`<button type="button" class="link-button" value="{}" title="Show this line and its neighbours">{}</button>`, n, words.Int(n))
}

// showLine looks at the line whose number was pressed.
func (p *Page) showLine(e vugu.DOMEvent) {
	if n, err := strconv.Atoi(e.PropString("target", "value")); err == nil && n > 0 {
		p.Dialog = "lines"
		p.S.ShowLine(n)
	}
}

func (c *Dialogs) excerptTitle() string {
	x := c.s().Excerpt
	switch {
	case x.Busy:
		return "Reading the log"
	case x.Error != "":
		return x.Error
	}
	return "Line " + words.Int(x.Line) + " of the log, with up to three on each side"
}

// excerpt writes the lines, that in the middle marked.
func (c *Dialogs) excerpt() draw.Markup {
	x := c.s().Excerpt
	var w draw.Writer
	for _, l := range x.Lines {
		text := draw.HTML(`<span class="faint">{}</span>  {}`, words.Int(l.Number), l.Text)
		if l.Number == x.Line {
			text = draw.HTML(`<mark>{}</mark>`, text)
		}
		w.Put("{}\n", text)
	}
	if w.Len() == 0 {
		return " "
	}
	return w.Markup()
}

// The jobs at a glance

func (c *Dialogs) jobsText() string {
	p := c.s().Preview
	if p == nil {
		return ""
	}
	text := p.Name + ": " + facts(p)
	if p.Users > 0 {
		text += ", " + words.Count(p.Users, "user", "users")
	}
	text += ". "
	if !p.Shape.Calendar {
		return text + "The log does not say when it began: hours and days count from its time 0."
	}
	zone := p.TimeZone
	if zone == "" {
		zone = "the log's own time"
	}
	return text + "Hours and weekdays are those of " + zone + "."
}

func (c *Dialogs) header() string {
	if c.s().Preview == nil {
		return ""
	}
	return c.s().Preview.Header
}

func (c *Dialogs) log() string { return strings.Join(c.s().Log, "\n") }

// Help

// wish is what somebody may want to do here, how it is done, and what a press on
// it does.
type wish struct {
	key, name, how string
	act            func(*Page)
}

var wishes = []wish{
	{"log", "Compare schedulers on my log", "Drop it on the page: it is run at once. The sentence on top says who waits less, and who longer.", func(p *Page) { p.Host.ChooseFile() }},
	{"why", "Find out why a job waited", "Press on it in the Gantt chart, or look for its number (/). A press on empty space asks why processors idle.", func(p *Page) { p.S.ShowTab("gantt") }},
	{"step", "Watch a scheduler decide", "Step through its instants: the queue, the reservation, each decision as a sentence.", func(p *Page) {
		p.S.ShowTab("gantt")
		p.S.Look(func(v *look.View) { v.Step = true })
	}},
	{"book", "Book processors for a time", "Reservations, in the left column: name, processors, from, to. Run, and see who pays.", func(p *Page) {
		p.S.LeavePlace()
		p.unfoldTo("grid")
		p.Drawer = true
		p.Host.Focus("section-grid")
	}},
	{"story", "See what backfilling is", "Six jobs on eight processors, in four pictures.", (*Page).tellAgain},
	{"cluster", "Bring my own cluster", "What its batch system keeps of its jobs, and its configuration: the command, and what to drop.", func(p *Page) { p.openDialog("bring") }},
	{"hand", "Type in a few jobs", "Small cases to change by hand, and jobs to place yourself. A table pasted on the page becomes the workload.", func(p *Page) { p.S.ShowPlace(look.Place{Key: "cases"}) }},
	{"learn", "Learn from the beginning", "Lessons: a picture, a question, and what the laboratory answers.", func(p *Page) { p.S.ShowPlace(look.Place{Key: "lessons"}) }},
	{"paper", "Reproduce a table of a paper", "Its documents run here, beside the published numbers.", func(p *Page) { p.openPapers("") }},
	{"vary", "See what a setting does", "The wave beside each number makes it vary: a line for each scheduler, with intervals.", func(p *Page) { p.S.ShowTab("vary") }},
	{"share", "Send a result to somebody", "Share makes a link that holds everything but the log, and tells whoever opens it whether the same came out.", func(p *Page) { p.openDialog("share") }},
	{"tour", "Be shown around", "Six steps, on these very results.", (*Page).startTour},
}

// grant does what a wish says. The focus goes along: the dialog that had it is gone.
func (p *Page) grant(w wish) {
	p.Dialog = ""
	w.act(p)
	switch w.key {
	case "book", "cluster", "share", "story", "tour": // they move it themselves
	case "step": // arrow keys go through instants, not tabs
		p.Host.Focus("main")
	default:
		p.focusShown()
	}
}

type keyHelp struct{ keys, what string }

var keyTable = []keyHelp{
	{"Ctrl Enter", "Run"},
	{"Ctrl O", "Open a log or an experiment"},
	{"Esc", "Close what is on top, or cancel the runs"},
	{"Ctrl Z", "Undo a change of the settings; the browser's back button does the same"},
	{"Ctrl Shift Z", "Redo"},
	{"1 … " + strconv.Itoa(min(9, len(views))), "Tabs"},
	{"← →", "Next tab, while a tab has the focus"},
	{"C", "Compare two: the chosen scheduler and its baseline; Esc shows all again"},
	{"/", "Find a job"},
	{"H", "What the word in focus means; else all words in view"},
	{"L", "Large type, for a room"},
	{"?", "This help"},
	{"Tab", "Next control; charts and the list of jobs can have the focus, too"},
	{"W S", "Zoom in and out in a chart over time"},
	{"A D", "Move left and right"},
	{"F", "Fit the selected job"},
	{"0", "Show everything"},
	{". ,", "Next and previous job"},
	{"Shift ↑ ↓", "More and fewer rows of the machine, while the Gantt chart has the focus; PgUp and PgDn move them"},
	{"] [", "Next and previous job on the same processors"},
	{"I", "Why processors are idle at the pointer of the Gantt chart, else where most are while jobs wait"},
	{"E", "Step through the Gantt chart: ← → instant, ↑ ↓ decision, Space play, N next about the job, G go to, X difference, T truth"},
	{"← → Home End", "Move an end of the measuring window, while it has the focus"},
	{"Delete", "Take the measuring window away"},
}

func splitKeys(keys string) []string { return strings.Fields(keys) }
