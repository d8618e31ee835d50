package ui

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/staticrender"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/state"
	"batchlab/ui/view/overview"
	"batchlab/ui/words"
)

// The page of a first visit shows every part with the numbers of the runs.
func TestOverviewShowsTheRuns(t *testing.T) {
	root, _ := page(t)
	out := html(t, root)
	s := root.P.S
	wait := s.Measure(1, "mean-wait")
	has(t, out, "Batchlab", "2,000 jobs", "100 processors", "FCFS", "EASY", "Conservative",
		strings.ReplaceAll(words.Dur(wait.Mean), words.NB, " "), "against A", "baseline",
		"Same workload, same seed: 5 repeats, paired", "digest", s.Digest[:4], "All measures", "Maximum wait", "What to look for")
	for _, name := range []string{"bars", "cdf", "classes", "overtime", "gantt", "series", "dist", "users", "table", "spark:mean-wait"} {
		has(t, out, `data-island="`+name+`"`)
	}
	lacks(t, out, "Settings changed", "Nothing has run yet", "NaN", "%!")
}

// Vugu writes every node at every render: the page must stay small.
func TestPageStaysSmall(t *testing.T) {
	root, _ := page(t)
	out := shell(t, root)
	table := regexp.MustCompile(`(?s)<table.*?</table>`) // one string, not nodes
	svg := regexp.MustCompile(`(?s)<svg.*?</svg>`)
	nodes := strings.Count(svg.ReplaceAllString(table.ReplaceAllString(out, ""), ""), "</")
	if nodes > 600 {
		t.Errorf("%d elements, want at most 600", nodes)
	}
}

// An element without child nodes keeps the children that it had at the render
// before. Only elements that are always empty may be so.
func TestNothingStaysBehind(t *testing.T) {
	root, _ := page(t)
	empty := regexp.MustCompile(`^(island.*|sections.*|vary-at|scrim|behind|veil-click|spot .*|rule.*|grow|at-2000|at-2900)$`)
	check := func(state string) {
		env, err := vugu.NewBuildEnv(staticrender.New(nil).EventEnv())
		if err != nil {
			t.Fatal(err)
		}
		built := env.RunBuild(root)
		var visit func(n *vugu.VGNode)
		visit = func(n *vugu.VGNode) {
			if n.Component != nil {
				visit(built.ResultFor(n.Component).Out[0])
				return
			}
			class, style, filled := "", false, false
			for _, a := range n.Attr {
				if a.Key == "class" {
					class = a.Val
				}
				style = style || a.Key == "style"
				filled = filled || a.Key == "data-sections"
			}
			if n.Type == vugu.ElementNode && n.FirstChild == nil && n.InnerHTML == nil && n.Data != "input" && !style && !filled && !empty.MatchString(class) {
				t.Errorf("%s: <%s class=%q> may keep the children of a render before", state, n.Data, class)
			}
			for k := n.FirstChild; k != nil; k = k.NextSibling {
				visit(k)
			}
		}
		visit(built.Out.Out[0])
	}
	root.P.Shut = map[string]bool{}
	check("results")
	for _, d := range []string{"share", "lines", "header", "help", "log"} {
		root.P.Dialog = d
		check(d)
	}
	root.P.Dialog = ""
	for _, m := range []string{"presets", "export", "add"} {
		root.P.Menu = m
		check(m)
	}
	root.P.S.OpenFile("march.swf", smallLog(500, 20, ""))
	check("a damaged log")
	root.P.S.GoOn()
	check("no machine size")
	root.P.S.UseBundled("demo")
	check("bundled")
	root.P.S.Runs = nil
	check("no runs")
}

// Ids are unique, every label names an input, every aria reference exists.
func TestReferencesExist(t *testing.T) {
	root, _ := page(t)
	for _, dialog := range []string{"", "share", "help", "lines", "log"} {
		root.P.Shut = map[string]bool{}
		if dialog != "" {
			root.P.openDialog(dialog)
		}
		out := html(t, root)
		ids := map[string]int{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(out, -1) {
			ids[m[1]]++
			if ids[m[1]] > 1 {
				t.Errorf("dialog %q: id %q stands %d times", dialog, m[1], ids[m[1]])
			}
		}
		for _, m := range regexp.MustCompile(` (?:for|aria-controls|aria-labelledby|aria-describedby)="([^"]*)"`).FindAllStringSubmatch(out, -1) {
			if ids[m[1]] == 0 {
				t.Errorf("dialog %q: nothing has the id %q", dialog, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`<button[^>]*>(?s:.*?)</button>`).FindAllString(out, -1) {
			text := regexp.MustCompile(`(?s)<svg.*?</svg>|<[^>]*>`).ReplaceAllString(m, "")
			if strings.TrimSpace(text) == "" && !strings.Contains(m, "aria-label=") {
				t.Errorf("dialog %q: a button without a name: %s", dialog, m)
			}
		}
	}
}

// A changed setting marks the results as stale, with a way back and one on.
func TestStaleBar(t *testing.T) {
	root, g := page(t)
	root.P.S.SetField("sched.1.order", "saf")
	out := html(t, root)
	has(t, out, "Settings changed.", "Undo the change", "Run again", `class="results stale"`, "changed")
	root.P.run()
	g.work()
	out = html(t, root)
	has(t, out, "EASY SAF/FCFS")
	lacks(t, out, "Settings changed.")
}

// What cannot run is not offered to run again: the bar says why, and leads to the
// field, opening what hides it.
func TestWayToTheFault(t *testing.T) {
	host := &focusing{}
	for _, c := range []struct{ field, text, shut string }{{"sched.2.label", strings.Repeat("x", 99), ""}, {"load", "none", "filter"}, {"due.share", "5", "needs"}, {"seed", "x", "repeats"}} {
		root, _ := page(t)
		root.P.Host = host
		root.P.S.SetField("sched.1.order", "saf")
		root.P.S.SetField(c.field, c.text)
		out := html(t, root)
		if again := regexp.MustCompile(`<button[^>]*id="run-again"[^>]*>`).FindString(out); !strings.Contains(again, "disabled") {
			t.Errorf("%s: %s", c.field, again)
		}
		if way := regexp.MustCompile(`<button[^>]*id="show-fault"[^>]*>`).FindString(out); way == "" || strings.Contains(way, "hidden") {
			t.Errorf("%s: no way to the field: %s", c.field, way)
		}
		host.at = ""
		root.P.run()
		if host.at != c.field || root.P.Shut[c.shut] || !strings.Contains(whole(t, root), `id="`+c.field+`"`) {
			t.Errorf("%s: the focus goes to %q, section shut %v", c.field, host.at, root.P.Shut[c.shut])
		}
	}
}

// focusing is a host that notes where the focus goes.
type focusing struct {
	noHost
	at string
}

func (f *focusing) Focus(id string) { f.at = id }

// An input that cannot be used keeps its text and says why at its field.
func TestFieldError(t *testing.T) {
	root, _ := page(t)
	root.P.Sched = 1
	root.P.S.SetField("sched.1.threshold", `soon "or" <later>`)
	out := whole(t, root)
	has(t, out, `id="sched.1.threshold-error"`, "is not a duration", `aria-describedby="sched.1.threshold-error"`, `aria-invalid="true"`)
	lacks(t, out, "<later>")
	has(t, out, `aria-disabled="true"`)
}

// smallLog is a log of n jobs, some of whose lines are damaged.
func smallLog(n, damaged int, header string) string {
	var b strings.Builder
	b.WriteString(header)
	for i := range n {
		run := fmt.Sprint(100 + i%50)
		if i < damaged {
			run = "abc"
		}
		fmt.Fprintf(&b, "%d %d 5 %s 4 -1 -1 4 200 -1 1 %d 1 1 1 1 -1 -1\n", i+1, 60*i, run, 1+i%3)
	}
	return b.String()
}

// A log whose lines are damaged is not used before the user has decided.
func TestDamagedLogAsks(t *testing.T) {
	root, g := page(t)
	root.P.S.OpenFile("march.swf", smallLog(500, 20, "; MaxProcs: 64\n"))
	out := html(t, root)
	has(t, out, "20 of 500 lines cannot be read", "4.0 %", "Go on with 480 lines", "Choose another file", "abc", "4, run time", "and 6 more", "not loaded")
	root.P.S.GoOn()
	out = whole(t, root)
	has(t, out, "480 jobs", "64 processors")
	g.work() // it is run at once
	has(t, html(t, root), "Same workload, same seed")
}

// A log without a machine size makes the page ask at the platform.
func TestAsksForProcessors(t *testing.T) {
	root, g := page(t)
	root.P.S.OpenFile("sizeless.swf", smallLog(50, 0, ""))
	has(t, whole(t, root), "How many processors should it have?", "size not known")
	root.P.S.SetField("processors", "16")
	out := whole(t, root)
	lacks(t, out, "How many processors")
	root.P.run()
	g.work()
	if !root.P.S.Some() || root.P.S.Stale() {
		t.Error("it does not run with the given size")
	}
}

// A file that is no log is refused with its name, and nothing is lost.
func TestRefusedFile(t *testing.T) {
	root, _ := page(t)
	root.P.S.OpenFile("photo.swf", "\x89PNG\r\n\x00\x00")
	out := html(t, root)
	has(t, out, "photo.swf: ", "2,000 jobs")
	lacks(t, out, "Settings changed.")
}

// A link to a log that is not here asks for it by name, size and hash.
func TestWantedLog(t *testing.T) {
	root, _ := page(t)
	s := root.P.S
	s.OpenFile("march.swf", smallLog(50, 0, "; MaxProcs: 64\n"))
	other := &atOnce{logs: map[string]*swf.Log{}}
	there := NewRoot(state.New(other))
	there.P.S.Start(s.LinkHash(true))
	has(t, html(t, there), "This experiment needs a log", "march.swf", s.Settings.Workload.Source.Log.SHA256, "Choose the log")
	there.P.S.DropWanted()
	other.work()
	lacks(t, html(t, there), "needs a log")
	// With one scheduler nothing has run, and there is nothing to compare with.
	s.Settings.Schedulers = s.Settings.Schedulers[:1]
	alone := NewRoot(state.New(&atOnce{logs: map[string]*swf.Log{}}))
	alone.P.S.Start(s.LinkHash(true))
	has(t, html(t, alone), "This experiment needs a log")
}

// The share dialog holds the link, says what is inside and what is not.
func TestShareDialog(t *testing.T) {
	root, _ := page(t)
	root.P.openDialog("share")
	out := html(t, root)
	has(t, out, "#x=", "characters", "3 schedulers", "seed 1", "Let the recipient check the result")
	lacks(t, out, "Not in the link")
	link := regexp.MustCompile(`#x=[\w-]+`).FindString(out)
	doc, err := experiment.DecodeLink(link)
	if err != nil || doc.Expect != root.P.S.Digest {
		t.Errorf("the link on show gives %v, %v", doc, err)
	}
	root.P.S.OpenFile("march.swf", smallLog(50, 0, "; MaxProcs: 64\n; Note: be kind\n"))
	root.P.openDialog("share")
	has(t, html(t, root), "Not in the link: your log", "march.swf")
	if !root.P.Escape() || root.P.Dialog != "" {
		t.Error("Esc does not close the dialog")
	}
	root.P.openDialog("header")
	has(t, html(t, root), "be kind")
}

// A run that fails is shown with its reason; the others stand.
func TestFailure(t *testing.T) {
	root, _ := page(t)
	r := root.P.S.Runs[7]
	r.Status, r.Result, r.Error = engine.Failed, nil, "out of memory"
	has(t, html(t, root), "B EASY stopped.", "out of memory", "against A")
}

// Results over different jobs are not compared.
func TestNotComparable(t *testing.T) {
	root, _ := page(t)
	other := *root.P.S.Runs[5].Result
	other.Workload = "other jobs"
	root.P.S.Runs[5].Result = &other
	root.P.S.Results++
	out := html(t, root)
	has(t, out, "Not comparable: A FCFS")
	lacks(t, out, "against A")
}

// Progress is shown for each scheduler, with a way to stop it.
func TestRunBar(t *testing.T) {
	g := &atOnce{logs: map[string]*swf.Log{}, hold: true}
	root := NewRoot(state.New(g))
	root.P.S.Start("")
	out := html(t, root)
	has(t, out, `data-run="2"`, "Cancel A FCFS", "Cancel all", "0 of 3 done")
	if !root.P.Escape() || root.P.S.Active() {
		t.Error("Esc does not cancel")
	}
	has(t, html(t, root), "cancelled", "3 of 3 done")
}

// jobs.csv of the page is the command line's, byte for byte.
func TestJobsCSV(t *testing.T) {
	root, _ := page(t)
	s := root.P.S
	p, err := lab.Prepare(s.Ran, lab.Env{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Runs {
		want, err := p.Run(lab.RunID{Scheduler: r.Scheduler, Repetition: r.Repetition}, lab.Options{Columns: true})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.JobsCSV(r)
		if err != nil {
			t.Fatal(err)
		}
		table, err := p.Executions(want)
		if err != nil {
			t.Fatal(err)
		}
		if w := table.CSV(); !bytes.Equal(got, w) {
			a, b := strings.Split(string(got), "\n"), strings.Split(string(w), "\n")
			for i := range a {
				if i >= len(b) || a[i] != b[i] {
					t.Fatalf("%s, line %d:\n%s\n%s", s.RunName(r), i+1, a[i], b[min(i, len(b)-1)])
				}
			}
			t.Fatalf("%s: %d lines, want %d", s.RunName(r), len(a), len(b))
		}
	}
}

// Kinds of problems are counted without what stands in the single line.
func TestKinds(t *testing.T) {
	got := kinds([]report.Problem{
		{What: "4 fields, 18 expected"}, {Text: "abc", What: "abc is not a number"}, {Text: "n/a", What: "n/a is not a number"},
	})
	if len(got) != 2 || got[0] != (kind{"is not a number", 2}) || got[1] != (kind{"4 fields, 18 expected", 1}) {
		t.Errorf("%+v", got)
	}
}

// File names are safe on every system.
func TestFileName(t *testing.T) {
	for in, want := range map[string]string{
		"EASY against conservative": "easy-against-conservative.csv",
		"../etc: Ünïcode?":          "..-etc-n-code.csv", "": "batchlab.csv", "A  B": "a-b.csv",
	} {
		if got := fileName(in, ".csv"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Settings that nothing could run of, with a single scheduler: the page stands
// and says why.
func TestNothingRan(t *testing.T) {
	e, _ := experiment.Preset("demo")
	e.Schedulers = e.Schedulers[:1]
	one, err := e.Add("bf-mod")
	if err == nil {
		err = one.SetParam("deadline-min", 30.0)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := state.New(&atOnce{logs: map[string]*swf.Log{}})
	root := NewRoot(s)
	s.Open(e, "", true)
	has(t, html(t, root), "Nothing has run yet", "deadline-max is 20, less than deadline-min, which is 30")
	s.SwitchOff(0)
	has(t, html(t, root), "Nothing has run yet")
}

// A table of jobs that is pasted anywhere becomes the workload and is run; one
// that is none says why and changes nothing.
func TestPastedTable(t *testing.T) {
	root, g := page(t)
	root.P.paste("submit\tprocs\trun\n0\t4\t100\n5\t8\t60\n6\t2\t1h\n")
	g.work()
	in := root.P.S.Settings.Workload.Source.Inline
	if in == nil || in.Processors != 8 || len(in.Rows) != 3 || root.P.S.Measure(0, "jobs").Mean != 3 {
		t.Fatalf("%+v, %v jobs", in, root.P.S.Measure(0, "jobs").Mean)
	}
	root.P.unfoldTo("workload")
	has(t, whole(t, root), "3 jobs", `data-act="source.inline"`)
	root.P.paste("a poem\nof two lines")
	has(t, html(t, root), "What was pasted is no table of jobs")
	if root.P.S.Settings.Workload.Source.Inline != in {
		t.Error("the table before is gone")
	}
}

// Intent: the report is one file with the sentence, cards, charts, measures,
// digest and document; no name becomes markup, and nothing in it can run.
func TestReport(t *testing.T) {
	root, g := page(t)
	s := root.P.S
	s.Change(func(e *experiment.Experiment) {
		e.Title = `</title><script>hurt()</script>"`
		e.Schedulers[0].Label = `<img src=x onerror="hurt()">`
	})
	s.Run()
	g.work()
	text := string(overview.Report(root.P.S, root.P.title(), []engine.File{{Name: "x.svg", Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg"></svg>`)}}))
	has(t, text, "&lt;/title&gt;&lt;script&gt;hurt()", "&lt;img src=x onerror=&quot;hurt()&quot;&gt;", strings.ReplaceAll(draw.Escape(s.Finding().Line), words.NB, " "), s.Digest, "<figure><svg", "Mean wait", `&quot;schedulers&quot;`)
	lacks(t, text, "<script", "<img", "<button", "href=", `src="`, `onerror="`)
	if fields := strings.Count(text, "<tr"); fields < 20 {
		t.Errorf("%d rows of measures", fields)
	}
	doc := text[strings.Index(text, `<pre id="experiment">`)+len(`<pre id="experiment">`) : strings.Index(text, "</pre>")]
	e, err := experiment.Decode([]byte(strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(doc)))
	if err != nil || e.Expect != s.Digest || e.Identity() != s.Ran.Identity() {
		t.Errorf("the document of the report is another one: %v", err)
	}
}

// Jobs that the log says to follow others are told in words where the log stands,
// with what to do; once users react, nothing is left to say.
func TestDependentJobs(t *testing.T) {
	root, _ := page(t)
	root.P.S.OpenFile("chain.swf", "; MaxProcs: 8\n"+
		"1 0 0 100 4 -1 -1 4 100 -1 1 1 -1 -1 -1 -1 -1 -1\n"+
		"2 10 90 50 4 -1 -1 4 50 -1 1 1 -1 -1 -1 -1 1 0\n"+
		"3 500 0 50 4 -1 -1 4 50 -1 1 1 -1 -1 -1 -1 -1 -1\n")
	said := []string{"1 job follows an earlier one, as the log says (fields 17 and 18).", "such a job may start before the earlier one has ended", "Let users react"}
	has(t, html(t, root), said...)
	(&Side{P: root.P}).letReact()
	if root.P.S.Settings.Workload.React == nil || root.P.Shut["react"] {
		t.Fatal("users do not react, or their settings are not shown")
	}
	lacks(t, html(t, root), said...)
}

// A link whose result another engine made is told so where it is not reproduced,
// with what has changed since then, and not that both are of one engine.
func TestLinkOfAnotherEngine(t *testing.T) {
	root, _ := page(t)
	e, err := experiment.DecodeLink(root.P.S.LinkHash(true))
	if err != nil || e.Trace == "" {
		t.Fatal(err, "no trace")
	}
	trace, err := experiment.DecodeTrace(e.Trace)
	if err != nil {
		t.Fatal(err)
	}
	for _, made := range []string{"1", experiment.Engine} {
		trace.Build = experiment.Build{Version: "0.9.0", Engine: made, Commit: "0123456789ab"}
		e.Trace, e.Seed, e.Expect = trace.Encode(), e.Seed+1, strings.Repeat("0", 64)
		g := &atOnce{logs: map[string]*swf.Log{}}
		there := NewRoot(state.New(g))
		there.P.S.Start(experiment.EncodeLink(e))
		g.work()
		out := html(t, there)
		has(t, out, "Not reproduced")
		old, same := "The expected result was made by engine 1, not by engine "+experiment.Engine+"; since then these have changed, and results may differ: conservative backfilling", "Both simulated with engine"
		if made == experiment.Engine {
			old, same = same, old
		}
		has(t, out, old)
		lacks(t, out, same)
		has(t, out, "It was made by Batchlab 0.9.0, engine "+made+", commit 0123456789ab; this page is "+experiment.ThisBuild().String()+".")
	}
}

// Intent: the page says which Batchlab it is, where one looks for help, so that a
// result made in it can be cited.
func TestAbout(t *testing.T) {
	defer func(old string) { experiment.Commit = old }(experiment.Commit)
	experiment.Commit = "0123456789ab"
	root := NewRoot(state.New(&atOnce{logs: map[string]*swf.Log{}}))
	root.P.openDialog("help")
	out := html(t, root)
	has(t, out, experiment.ThisBuild().String())
	has(t, out, `href="licences.txt"`)
}
