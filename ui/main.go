package ui

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Main is the right side: tabs, the tray of runs and the results.
type Main struct {
	P *Page
}

func (c *Main) s() *state.Store { return c.P.S }

// results reports whether results are on show, and not a state of their own.
func (c *Main) results() bool {
	s := c.s()
	// A program can be read and written before anything has run.
	return s.Pending == nil && s.Wanted == nil && (s.Ran != nil || s.SweepNow() != nil || c.P.tab() == look.OwnTab || c.P.first())
}

// tabName is the heading of what is on show, for those who read by headings.
func (c *Main) tabName() string {
	for _, v := range c.P.tabs() {
		if v.Key == c.P.tab() {
			return v.Name
		}
	}
	return ""
}

func (c *Main) resultsClass() string {
	return "results" + when(c.stale(), " stale")
}

// varying reports whether the view of what varies is on show.
func (c *Main) varying() bool { return c.P.tab() == "vary" }

// stale reports whether the results on show are not those of the settings.
func (c *Main) stale() bool {
	if c.varying() {
		return c.s().SweepStale()
	}
	return c.s().Stale()
}

// staleText says whose results are on show, and what brings them up to date.
func (c *Main) staleText() string {
	text := "These results are from the previous experiment: "
	if why := c.s().CanRun(); why != "" {
		return text + "they stay until this one can run. " + strings.TrimSuffix(why, ".") + "."
	}
	return text + "run again to bring them up to date."
}

// faulty says whether there is a field, or a section, to correct before a run.
func (c *Main) faulty() bool { return c.P.faulty() }

// undo puts the settings back to those of the results on show.
func (c *Main) undo() {
	if c.varying() {
		c.s().BackToSweep()
	} else {
		c.s().Revert()
	}
}

// pointText says which point of an experiment that varies the results are, ""
// where they are none.
func (c *Main) pointText() string {
	s := c.s()
	if c.varying() || c.P.tab() == "search" || !s.ShowsPoint() {
		return ""
	}
	return s.PointName(s.SweepNow().Opened)
}

func (c *Main) pointOf() string {
	if w := c.s().SweepNow(); w != nil {
		return "One of " + words.Count(w.Points.Len(), "point", "points") + " of an experiment that varies."
	}
	return ""
}

// label is what scheduler i of the results on show is called.
func (c *Main) label(i int) string {
	if w := c.s().SweepNow(); w != nil && c.varying() && i < w.Schedulers() {
		return w.Ran.Labels()[i]
	}
	return c.s().Label(i)
}

func (c *Main) tabIndex(key string) string { return either(c.P.tab() == key, "0", "-1") }

// Tray

// groups are the schedulers of the results on show.
func (c *Main) groups() (list []result.Group) {
	w := c.s().SweepNow()
	if !c.varying() || w == nil {
		return c.s().Groups()
	}
	for i := range w.Schedulers() {
		list = append(list, result.Group{Scheduler: i, Total: 1, Done: 1})
	}
	return list
}

// chips are the groups in the order of the tray: of two that are compared, these
// come first.
func (c *Main) chips() []result.Group {
	list := c.groups()
	if !c.s().View.Two {
		return list
	}
	place := func(g *result.Group) int {
		switch g.Scheduler {
		case c.s().View.A:
			return 0
		case c.s().Against():
			return 1
		}
		return 2 + g.Scheduler
	}
	order.Stable(list, func(a, b result.Group) int { return place(&a) - place(&b) })
	return list
}

func (c *Main) chipClass(g *result.Group) string {
	return "chip" + when(c.shownChip(g), " selected") + when(c.s().View.Baseline == g.Scheduler && !c.s().View.Two, " pinned") + when(g.Done == 0 || !c.s().Shows(g.Scheduler), " empty")
}

// shownChip reports whether a chip is pressed: the scheduler looked at, and of two
// that are compared the other one, too.
func (c *Main) shownChip(g *result.Group) bool {
	return g.Scheduler == c.s().View.A || c.s().View.Two && g.Scheduler == c.s().Against()
}

func (c *Main) chipTitle(g *result.Group) string {
	if s := c.s(); s.View.Two && g.Scheduler != s.View.A {
		return either(g.Scheduler == s.Against(), "Look at this one, against the other", "Compare "+s.Label(s.View.A)+" with this scheduler")
	}
	return "Show this scheduler"
}

// against stands before the second of two that are compared.
func (c *Main) against(g *result.Group) string {
	return when(c.s().View.Two && g.Scheduler == c.s().Against(), "against")
}

// allText is "All three".
func (c *Main) allText() string {
	n := len(c.groups())
	if names := [...]string{3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}; n >= 3 && n < len(names) {
		return "All " + names[n]
	}
	return "All " + words.Int(n)
}

func (c *Main) twoTitle() string {
	s := c.s()
	if b := s.Against(); b >= 0 {
		return "Only " + s.Label(s.View.A) + " against " + s.Label(b) + " (C); press another scheduler to have it instead of the second"
	}
	return ""
}

func (c *Main) pinTitle(i int) string {
	if c.s().View.Baseline == i {
		return "Unpin the baseline"
	}
	return "Pin as the baseline of all differences"
}

func (c *Main) comparable() bool { ok, _ := c.s().Comparable(); return ok || c.varying() }

func (c *Main) comparison() string {
	if w := c.s().SweepNow(); c.varying() {
		if w == nil || w.Schedulers() < 2 {
			return ""
		}
		return "Same jobs for all at each point"
	}
	_, text := c.s().Comparable()
	return text
}

// mostNamed repetitions stand in a list; of more one is chosen by its number.
const mostNamed = 100

// repetitions is how many there are to choose from.
func (c *Main) repetitions() int {
	most := 0 // copies of a run are no others to look at
	for _, r := range c.s().Runs {
		if r.Result == nil || !r.Result.Copy {
			most = max(most, r.Repetition)
		}
	}
	return most + 1
}

func (c *Main) pickRepetition(e vugu.DOMEvent) {
	if n, err := strconv.Atoi(e.PropString("target", "value")); err == nil {
		c.s().Look(func(v *look.View) { v.Repetition = n })
	}
}

// failures are the schedulers of which a run failed.
func (c *Main) failures() []result.Group {
	var list []result.Group
	for _, g := range c.groups() {
		if g.Failed > 0 {
			list = append(list, g)
		}
	}
	return list
}

// remark is what is said of one scheduler's result.
type remark struct{ Name, Text string }

// beside is how the log's own schedule goes with the platform, once a scheduler,
// where all jobs are in view.
func (c *Main) beside() (list []remark) {
	if tab := c.s().View.Tab; tab != "overview" && tab != "gantt" && tab != "table" {
		return nil
	}
	for _, r := range c.s().Runs {
		if r.Result == nil || r.Repetition != c.s().View.Repetition && r.Repetition != 0 {
			continue
		}
		name := words.Letter(r.Scheduler) + " " + c.s().Label(r.Scheduler) + ". "
		text := result.BesideText(r.Result.Beside)
		if text != "" && (len(list) == 0 || list[len(list)-1].Name != name) {
			list = append(list, remark{name, text})
		}
	}
	return list
}

// A log that waits for a decision

func (c *Main) pendingTitle() string {
	clean := &c.s().Pending.Preview.Clean
	return words.Int(clean.Malformed) + " of " + words.Count(clean.Lines, "line", "lines") + " cannot be read"
}

func (c *Main) pendingText() string {
	p := c.s().Pending
	clean := &p.Preview.Clean
	return "They would be missing from " + p.Name + ", " + words.Percent(float64(clean.Malformed)/float64(max(1, clean.Lines))) +
		" of it. Up to 1" + words.NB + "% we go on without asking; here you decide."
}

// pendingKind is the kind of problem that is listed, "" all; of another log's
// kinds none is left.
func (c *Main) pendingKind() string {
	for _, k := range kinds(c.s().Pending.Preview.Clean.Problems) {
		if k.what == c.P.Kind {
			return c.P.Kind
		}
	}
	return ""
}

// choice is a kind of problem to choose; the first stands for all.
type choice struct {
	key, what string
	n         int
}

func (c *Main) pendingKinds() []choice {
	clean := &c.s().Pending.Preview.Clean
	list := []choice{{"", "All", clean.Malformed}}
	for _, k := range kinds(clean.Problems) {
		list = append(list, choice{k.what, k.what, k.n})
	}
	return list
}

func (c *Main) pendingGo() string {
	clean := &c.s().Pending.Preview.Clean
	return "Go on with " + words.Count(clean.Lines-clean.Malformed, "line", "lines")
}

// kinds counts problems by what is wrong, most frequent first, in the order
// of their first line where two are equally frequent.
type kind struct {
	what string
	n    int
}

// kindOf is what is wrong with a line, without what stands there.
func kindOf(p *report.Problem) string {
	if p.Text == "" {
		return p.What
	}
	return strings.TrimSpace(strings.ReplaceAll(p.What, p.Text, ""))
}

func kinds(problems []report.Problem) []kind {
	var list []kind
	at := map[string]int{}
	for _, p := range problems {
		what := kindOf(&p)
		i, ok := at[what]
		if !ok {
			i = len(list)
			at[what] = i
			list = append(list, kind{what: what})
		}
		list[i].n++
	}
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].n > list[j-1].n; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return list
}

// problemTable is the list of unreadable lines, at most most of them.
// With a kind only its lines are listed.
func problemTable(clean *report.Cleaning, most int, kind string) draw.Markup {
	if kind != "" {
		few := report.Cleaning{}
		for i := range clean.Problems {
			if kindOf(&clean.Problems[i]) == kind {
				few.Problems = append(few.Problems, clean.Problems[i])
			}
		}
		few.Malformed = len(few.Problems)
		clean = &few
	}
	var w draw.Writer
	w.Add(`<table class="plain problems"><thead><tr><th class="num" scope="col">Line</th><th scope="col">Field</th><th scope="col">Text</th><th scope="col">Problem</th><th scope="col">What we do</th></tr></thead><tbody>`)
	for i, p := range clean.Problems {
		if i == most {
			break
		}
		field := "whole line"
		if p.Field > 0 {
			field = strconv.Itoa(p.Field) + ", " + p.Name
		}
		w.Put(`<tr><td class="num">{}</td><td>{}</td><td class="raw"><mark>{}</mark></td><td>{}</td><td class="faint">{}</td></tr>`, lineButton(p.Line), field, p.Text, p.What, p.Action)
	}
	if rest := clean.Malformed - min(most, len(clean.Problems)); rest > 0 {
		w.Put(`<tr><td></td><td colspan="4" class="faint">and {} more</td></tr>`, words.Int(rest))
	}
	w.Add(`</tbody></table>`)
	return w.Markup()
}

// A log that is wanted

func (c *Main) wantedText() string {
	l := c.s().Wanted
	text := "It holds everything but the log itself: " + l.Name
	if l.Size > 0 {
		text += ", " + words.Bytes(l.Size)
	}
	return text + ". Choose that file and the experiment runs; it stays on this computer."
}

func (c *Main) wantedHash() string { return "SHA-256 " + c.s().Wanted.SHA256 }

// More than is begun without asking

// once reports whether there are repeats that could be left out.
func (c *Main) once() bool {
	return c.s().LargeRun != nil && !c.s().LargeRun.Begun && c.s().LargeRun.Runs > len(c.s().Settings.Schedulers)
}

func (c *Main) largeRunMore() string {
	if c.s().LargeRun == nil {
		return ""
	}
	return either(c.s().LargeRun.Begun, "What has run so far stays, whatever you decide.", "Nothing starts until you say so; while it runs, Esc stops it.")
}

func (c *Main) largeRunLeave() string {
	return either(c.s().LargeRun != nil && c.s().LargeRun.Begun, "Leave it at that", "Not now")
}

func (c *Main) largeRunGo() string {
	if m := c.s().LargeRun; m != nil {
		return either(m.Begun, "Go on", "Run all "+words.Int(m.Runs))
	}
	return ""
}

// again reports whether a scheduler can be run again by itself: when some of
// its runs failed or were cancelled.
func (c *Main) again(g *result.Group) bool {
	return g.Failed+g.Halted > 0 && c.s().CanRerun(g.Scheduler)
}

// emptyText says what is so when nothing has run.
func (c *Main) emptyText() string {
	if why := c.s().CanRun(); why != "" {
		return why + "."
	}
	return "Run the schedulers on the left, or bring a log of your own. It stays on this computer."
}
