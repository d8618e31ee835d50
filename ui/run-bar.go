package ui

import (
	"strconv"
	"strings"

	"batchlab/ui/engine"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// RunBar is the bar at the bottom: what runs, how far, and what came of it.
type RunBar struct {
	P *Page
}

func (c *RunBar) s() *state.Store { return c.P.S }

func (c *RunBar) name(g *result.Group) string {
	return words.Letter(g.Scheduler) + " " + c.s().Label(g.Scheduler)
}

// took is what stands behind a scheduler that has nothing left to do.
func took(g *result.Group) string {
	switch {
	case g.Failed > 0:
		return "failed"
	case g.Halted == g.Total:
		return "cancelled"
	case g.Halted > 0:
		return strconv.Itoa(g.Done) + " of " + strconv.Itoa(g.Total) + " kept"
	}
	return words.Took(g.Seconds)
}

// iconOf and classOf tell how something ended.
func iconOf(failed, halted bool) string {
	return words.Either(failed, "error", words.Either(halted, "stop", "check"))
}

func classOf(failed, halted bool) string {
	return words.Either(failed, "bad", words.Either(halted, "faint", "good"))
}

func percent(g *result.Group) string { return strconv.Itoa(int(g.Progress*100)) + words.NB + "%" }

// left says how long something will take, "" where that is not known.
func left(seconds float64) string {
	if seconds <= 0 {
		return ""
	}
	return words.Left(seconds)
}

func width(g *result.Group) string {
	return "width:" + strconv.FormatFloat(g.Progress*100, 'f', 1, 64) + "%"
}

// summary is "2 of 4 done", for narrow screens.
func (c *RunBar) summary() string {
	if c.sweep() != nil {
		return "" // its own words stand there on any screen
	}
	groups := c.s().Groups()
	if len(groups) == 0 {
		return "Nothing is running"
	}
	done := 0
	for i := range groups {
		if !groups[i].Active() {
			done++
		}
	}
	return strconv.Itoa(done) + " of " + strconv.Itoa(len(groups)) + " done"
}

func (c *RunBar) workers() string {
	if n := c.s().Workers(); n > 0 {
		return words.Count(n, "worker", "workers")
	}
	return ""
}

func (c *RunBar) digestTitle() string {
	if c.on().Digest == "" {
		return ""
	}
	return "SHA-256 over all schedules: " + c.on().Digest
}

func (c *RunBar) verdict() string {
	switch c.on().Verdict() {
	case "reproduced":
		if w := c.sweep(); w != nil {
			return "✓ reproduced: " + words.Count(w.Total, "run", "runs") + ", digest equal"
		}
		return reproduced(c.s())
	case "differs":
		return "✗ differs from the expected " + words.Hash(c.on().Ran.Expect)
	}
	return ""
}

// sweep is the experiment that varies while its view is on show or it is under
// way, nil otherwise.
func (c *RunBar) sweep() *result.Sweep {
	if w := c.s().SweepNow(); w != nil && (c.P.tab() == "vary" || c.s().Sweeping()) {
		return w
	}
	return nil
}

// groups are the runs by scheduler, but for the view of what varies.
func (c *RunBar) groups() []result.Group {
	if c.sweep() != nil {
		return nil
	}
	return c.s().Groups()
}

// swept reports whether runs of an experiment that varies are there, and none is
// under way.
func (c *RunBar) swept() bool { return c.sweep() != nil && !c.s().Sweeping() }

// sweepName names what varies: "Load × × Threshold of B".
func (c *RunBar) sweepName() string {
	var list []string
	e := c.s().SweepNow().Ran
	for _, a := range e.Vary {
		list = append(list, strings.TrimSuffix(c.s().AxisName(e, a.Path), " ×"))
	}
	return strings.Join(list, " × ")
}

// sweepDone is "1,540 of 1,620 runs".
func (c *RunBar) sweepDone() string {
	w := c.s().SweepNow()
	if w.Status == engine.Done {
		return result.SweepTitle(w) + ", " + words.Took(w.Seconds)
	}
	return words.Int(int(w.Done)) + " of " + words.Count(w.Total, "run", "runs")
}

// sweepFailed reports whether runs of the sweep cannot be.
func (c *RunBar) sweepFailed() bool {
	w := c.s().SweepNow()
	return w.Status == engine.Failed || len(w.Refused) > 0
}

// on is what the bar speaks of: the experiment that varies, or the results.
func (c *RunBar) on() *result.Sweep {
	if w := c.sweep(); w != nil {
		return w
	}
	return c.s().Sweep
}

// under is a row of what is under way beside the runs, and how it is stopped.
type under struct {
	id, name, label     string // label: what the bar measures
	percent, text, left string
	timed               bool // left may come
	class               string
	open, stop          func() // nil: it cannot be
	stops, keeps        string // what stop is called, and what stays
}

// under lists what is under way beside the runs.
func (c *RunBar) under() (list []under) {
	s := c.s()
	if f := s.Fetching; f.Active {
		list = append(list, under{id: "run-fetch", name: "Loading more of Batchlab", label: "Loading more of Batchlab", percent: fetchPercent(f), text: fetchBytes(f)})
	}
	if f := s.Reading; f.Active {
		list = append(list, under{id: "run-read", name: "Reading the log", label: "Reading the log", percent: fetchPercent(f), text: fetchBytes(f),
			stop: s.StopReading, stops: "Stop reading", keeps: "Stop; what was there before stays"})
	}
	if key := s.Studies.Running; key != "" && !s.Fetching.Active {
		list = append(list, under{id: "run-study", name: key, label: "Study", percent: s.StudyPercent(), text: s.StudyPercent() + words.NB + "%",
			class: "link-button", open: func() { c.P.openPapers(key) }, stop: s.StopPaper, stops: "Stop the study", keeps: "Stop; what is complete stays"})
	}
	if w := s.SweepNow(); s.Sweeping() {
		list = append(list, under{id: "run-sweep", name: c.sweepName(), label: "Runs of what varies", percent: w.Percent(), text: c.sweepDone(), left: left(w.Left), timed: true,
			class: "link-button cut", open: func() { s.ShowTab("vary") }, stop: s.StopSweep, stops: "Stop", keeps: "Stop; what is done stays"})
	}
	if r := s.SearchNow(); s.Searching() {
		list = append(list, under{id: "run-search", name: "Search", label: "Search", percent: r.Percent(), text: r.Percent() + words.NB + "%", left: left(r.Left), timed: true,
			stop: s.StopSearch, stops: "Stop the search", keeps: "Stop; what was found stays"})
	}
	return list
}

// fetchPercent is how much has come of something, "42".
func fetchPercent(f engine.Fetching) string {
	return strconv.Itoa(min(100, int(100*int64(f.Got)/int64(max(1, f.Total)))))
}

// fetchBytes is the same in megabytes, "1.2 of 6.3 MB".
func fetchBytes(f engine.Fetching) string {
	if f.Total == 0 {
		return ""
	}
	mb := func(n int) string { return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) }
	return mb(f.Got) + " of " + mb(f.Total) + words.NB + "MB"
}
