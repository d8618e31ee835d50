package overview

import (
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/report"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Panel is what the view says of the results of a store.
type Panel struct {
	*state.Store
	Still bool // it stands in a file, where nothing can be pressed
}

// wanted are measures that stand before the headlines' last ones where a run
// has them: what jobs with deadlines and licences are about.
var wanted = []string{"out-of-deadline", "mean-tardiness", "licence-usage"}

// reserved are the cards where there are reservations: batch jobs and
// reservations by themselves, and both together.
var reserved = []string{"mean-wait", "mean-turnaround", "reservation-tardiness", "rejected-reservations", "mean-flow"}

// filling are the measures that fill the row of cards behind the headlines.
var filling = []string{"mean-turnaround", "p95-wait", "max-queue-length"}

// Cards are the measures shown as cards, five at most: missed deadlines always where there
// are deadlines.
func (c *Panel) Cards() []*catalog.Metric {
	var rows []*catalog.Metric
	for i := range catalog.Metrics {
		if catalog.Metrics[i].Headline {
			rows = append(rows, &catalog.Metrics[i])
		}
	}
	if c.Measure(c.View.A, reserved[0]).N > 0 && c.Reserves(c.View.A) {
		rows = rows[:0]
		for _, key := range reserved {
			if key == "mean-turnaround" && c.Measure(c.View.A, wanted[0]).N > 0 {
				key = wanted[0]
			}
			rows = append(rows, catalog.FindMetric(key))
		}
		return rows
	}
	for _, key := range wanted {
		if row := catalog.FindMetric(key); row != nil && c.Measure(c.View.A, key).N > 0 {
			if len(rows) == 5 {
				rows = slices.DeleteFunc(rows, func(r *catalog.Metric) bool { return r.Key == "utilization" })
			}
			rows = append(rows, row)
		}
	}
	for _, key := range filling {
		if row := catalog.FindMetric(key); row != nil && !row.Headline && len(rows) < 5 {
			rows = append(rows, row)
		}
	}
	return rows[:min(5, len(rows))]
}

// judged reports whether there is anything to say of the whole.
func (c *Panel) judged() bool {
	return c.comparing() || c.Some() && (c.Finding().Line != "" || c.MeasuredPart() != "" || c.sampled() != "")
}

// comparing reports whether a sentence is still to come: its place is kept, so that
// nothing moves when it does.
func (c *Panel) comparing() bool {
	return c.Ran != nil && c.Active() && len(c.Ran.Schedulers) > 1 && c.Finding().Line == ""
}

// sampled says what the numbers are of.
func (c *Panel) sampled() string {
	if c.Ran == nil || c.Active() {
		return ""
	}
	return c.Sampled()
}

// offer is the question that the button asks, "" without a button.
func (c *Panel) offer() string {
	if c.Active() || c.Workloads() > 1 {
		return ""
	}
	_, question, _ := c.Offer()
	return question
}

func (c *Panel) offerRuns() string {
	_, _, runs := c.Offer()
	return words.Count(runs, "run", "runs")
}

func (c *Panel) drawn() bool {
	return c.Ran != nil && c.Ran.Workload.Resample != nil && !c.Active()
}

// Note stands behind a card's name.
func (c *Panel) Note(row *catalog.Metric) string {
	if strings.Contains(row.Key, "bounded-slowdown") && c.Ran != nil {
		return "τ" + words.NB + words.Dur(float64(c.Ran.Measures.Tau))
	}
	switch row.Key {
	case "mean-wait", "mean-turnaround":
		if c.Reserves(c.View.A) {
			return "batch jobs"
		}
	case "mean-flow":
		return "F"
	case "reservation-tardiness":
		return "D"
	}
	return ""
}

// Value is what a card says of the scheduler that is looked at.
func (c *Panel) Value(row *catalog.Metric) string {
	sp := c.Measure(c.View.A, row.Key)
	if sp.N == 0 {
		return words.None
	}
	return result.ValueText(row, sp.Mean)
}

// span is the 95 % interval of a card's value: "1 h 2 min to 2 h", "" without one.
func (c *Panel) span(row *catalog.Metric) string {
	sp := c.Measure(c.View.A, row.Key)
	text := result.SpanText(row, sp)
	if sp.Band && text != "" {
		text += " over " + words.Count(sp.N, "phase", "phases")
	}
	return text
}

// Diff is what a card compares with the baseline.
func (c *Panel) Diff(row *catalog.Metric) result.Diff {
	return c.Compare(c.View.A, c.Baseline(), row.Key)
}

// DiffClass is the colour of a card's difference.
func (c *Panel) DiffClass(row *catalog.Metric) string {
	return c.judgedClass(c.Diff(row), row, c.View.A, c.Baseline())
}

// judgedClass is the colour of a difference: none where what is compared is void.
func (c *Panel) judgedClass(d result.Diff, row *catalog.Metric, a, b int) string {
	if c.Void(a, b) != "" {
		return "faint"
	}
	return diffClass(d, row)
}

func diffClass(d result.Diff, row *catalog.Metric) string {
	switch {
	case d.N == 0 || d.Same || d.Better == 0 || d.Open() || result.DiffText(row, d) == result.Nearly:
		return "faint"
	case d.Better > 0:
		return "good"
	}
	return "bad"
}

// DiffText is "▼ −69 %"; the word "better" or "worse" goes to the tooltip and
// to screen readers.
func (c *Panel) DiffText(row *catalog.Metric) string { return arrow(c.Diff(row), row) }

func arrow(d result.Diff, row *catalog.Metric) string {
	text := result.DiffText(row, d)
	switch {
	case d.N == 0 || d.Same:
		return ""
	case text == result.Nearly:
		return text
	case d.Less():
		return "▼ " + text
	}
	return "▲ " + text
}

// diffRange is the 95 % interval of the difference.
func (c *Panel) diffRange(row *catalog.Metric) string { return result.RangeText(row, c.Diff(row)) }

// against names the baseline behind a difference.
func (c *Panel) against(row *catalog.Metric) string {
	s := c.Store
	b := s.Baseline()
	d := c.Diff(row)
	switch {
	case s.Ran == nil: // a link names a log that is not there yet
		return ""
	case b < 0 && len(s.Ran.Schedulers) > 1:
		return ""
	case b < 0:
		return "nothing to compare with"
	case b == s.View.A:
		return "the baseline itself"
	case d.N == 0:
		return ""
	case d.Same:
		return report.VerdictSame + " as " + words.Letter(b) + words.NB + s.Label(b)
	}
	if untold := result.Untold(&d); untold != "" {
		return untold
	}
	return "against " + words.Letter(b)
}

// Said is what the tooltip of a measure's card says of its difference, and the measure's own.
func (c *Panel) Said(row *catalog.Metric) string {
	d := c.Diff(row)
	if void := c.Void(c.View.A, c.Baseline()); void != "" {
		return void + " " + row.Help
	}
	if d.N == 0 || d.Same || d.Better == 0 {
		return row.Help
	}
	better, than := words.Either(d.Better > 0, "better", "worse"), " than "+c.Label(c.Baseline())
	switch {
	case d.Sure:
		return d.Probably() + better + than + ", " + report.How(d.How) + ". " + row.Help
	case d.Band:
		return report.VerdictBand + ": over phases it is now below and now above " + c.Label(c.Baseline()) + ". " + row.Help
	case d.Has():
		return "No clear difference to " + c.Label(c.Baseline()) + ": the 95 % interval, " + report.How(d.How) + ", holds none. " + row.Help
	case d.Why != "":
		return better + than + " here; no interval: " + d.Why + ". " + row.Help
	}
	return better + than + " here. " + row.Help
}

// Bars

// pair is "A minus B" of the two schedulers that the size classes compare.
func (c *Panel) pair() string {
	b, over := c.Baseline(), c.Pooled()
	if over != "" {
		over = "; " + over
	}
	if b < 0 || b == c.View.A {
		return "mean wait" + over
	}
	return "mean wait, " + words.Letter(c.View.A) + " minus " + words.Letter(b) + over
}

func (c *Panel) both() string {
	b, which := c.Baseline(), c.Which()
	if which != "" {
		which = "; " + which
	}
	if b < 0 || b == c.View.A {
		return "busy processors and waiting jobs, " + words.Letter(c.View.A) + which
	}
	return "busy processors and waiting jobs, " + words.Letter(c.View.A) + " and " + words.Letter(b) + which
}
