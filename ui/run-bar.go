package ui

import (
	"strconv"
	"strings"

	"batchlab/core/experiment"
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

func (c *RunBar) iconOf(g *result.Group) string {
	switch {
	case g.Failed > 0:
		return "error"
	case g.Halted > 0:
		return "stop"
	}
	return "check"
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

func (c *RunBar) sweepName() string { return sweepName(c.s(), c.s().SweepNow().Ran) }

func (c *RunBar) sweepIcon() string {
	name, _ := sweepIcon(c.s())
	return name
}

func (c *RunBar) sweepClass() string {
	_, class := sweepIcon(c.s())
	return class
}

// on is what the bar speaks of: the experiment that varies, or the results.
func (c *RunBar) on() *result.Sweep {
	if w := c.sweep(); w != nil {
		return w
	}
	return c.s().Sweep
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

// sweepName names what varies: "Load × × Threshold of B".
func sweepName(s *state.Store, e *experiment.Experiment) string {
	var list []string
	for _, a := range e.Vary {
		list = append(list, strings.TrimSuffix(s.AxisName(e, a.Path), " ×"))
	}
	return strings.Join(list, " × ")
}

// sweepDone is "1,540 of 1,620 runs".
func sweepDone(s *state.Store) string {
	w := s.SweepNow()
	if w == nil {
		return ""
	}
	if w.Status == engine.Done {
		return result.SweepTitle(w) + ", " + words.Took(w.Seconds)
	}
	return words.Int(int(w.Done)) + " of " + words.Count(w.Total, "run", "runs")
}

// sweepIcon tells how the sweep ended.
func sweepIcon(s *state.Store) (name, class string) {
	switch w := s.SweepNow(); {
	case w == nil:
		return "check", "good"
	case w.Status == engine.Failed || len(w.Refused) > 0:
		return "error", "bad"
	case w.Status == engine.Cancelled:
		return "stop", "faint"
	}
	return "check", "good"
}
