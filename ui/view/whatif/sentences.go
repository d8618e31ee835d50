package whatif

import (
	"math"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// main is what came of the case that is asked about.
func (a *Answer) main() *report.Pays { return a.Pays[a.Plan.Main] }

// between writes the ends of an interval of a difference in seconds: "16 to 24 min less".
func between(r *report.PaysRow) string {
	switch low, high := *r.Low, *r.High; {
	case high <= 0:
		return words.Dur(-high) + " to " + words.Dur(-low) + " less"
	case low >= 0:
		return words.Dur(low) + " to " + words.Dur(high) + " more"
	default:
		return "between " + words.Dur(-low) + " less and " + words.Dur(high) + " more"
	}
}

// mostTimes is how many times the wait before an interval's end may be to be written:
// of two or three pairs that differ much the interval reaches beyond anything.
const mostTimes = 20

// Headline says what the change does, who gains and who pays.
func (a *Answer) Headline() string {
	p := a.main()
	with := "With " + a.Plan.Name
	if strings.HasPrefix(a.Plan.Name, "the reservation") {
		with = strings.ToUpper(a.Plan.Name[:1]) + a.Plan.Name[1:] + " in place"
	}
	if p.Nothing {
		return with + " nothing changes, exactly: in " + words.Count(p.Rows[0].Pairs, "pair", "pairs") + " of runs every job starts and ends at the same second."
	}
	r := &p.Rows[0]
	text := with + ", jobs wait " + words.Dur(r.After) + " on average"
	switch d := math.Abs(r.Difference); {
	case r.Difference == 0:
		text += ", as before"
	case r.Low != nil && !r.Told && *r.High > mostTimes*r.Before:
		text += "; before it was " + words.Dur(r.Before) + ": no clear difference, since " + words.Count(r.Pairs, "pair", "pairs") + " of runs are too few"
	case r.Low != nil && !r.Told:
		text += "; before it was " + words.Dur(r.Before) + ": no clear difference (" + between(r) + ")"
	case r.Low != nil:
		text += ", " + words.Dur(d) + " " + lessMore(r.Difference) + " than " + words.Dur(r.Before) + " (" + between(r) + ")"
	default:
		text += ", " + words.Dur(d) + " " + lessMore(r.Difference) + " than " + words.Dur(r.Before)
	}
	return text + ". " + a.Who()
}

func lessMore(d float64) string {
	if d < 0 {
		return "less"
	}
	return "more"
}

// Who says which part of the jobs gains most and which pays most, where that is told.
func (a *Answer) Who() string {
	gains, pays := a.extremes()
	all, open := a.main().Rows, false
	for i := range all {
		open = open || all[i].Low == nil && all[i].Verdict != report.VerdictSame
	}
	said := func(r *report.PaysRow, word string) string {
		return a.partName(r) + " " + word + " most, " + words.Dur(math.Abs(r.Difference)) + " a job"
	}
	switch {
	case gains != nil && pays != nil:
		return sentence(said(gains, "gain") + "; " + said(pays, "pay"))
	case pays != nil:
		return sentence(said(pays, "pay"))
	case gains != nil && open:
		return sentence(said(gains, "gain"))
	case gains != nil:
		return sentence(said(gains, "gain") + "; no group clearly pays")
	}
	return "No group of jobs clearly gains or pays."
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// extremes are the parts that gain and pay most, nil none; weeks are no group of people.
func (a *Answer) extremes() (gains, pays *report.PaysRow) {
	rows := a.main().Rows
	for i := range rows {
		switch r := &rows[i]; {
		case r.By == "" || r.By == report.ByWeek || !r.Told:
		case r.Difference < 0 && (gains == nil || r.Difference < gains.Difference):
			gains = r
		case r.Difference > 0 && (pays == nil || r.Difference > pays.Difference):
			pays = r
		}
	}
	return gains, pays
}

// partName names some jobs: "jobs of 2 to 4 processors", "partition gpu".
func (a *Answer) partName(r *report.PaysRow) string {
	number := words.Whole(r.From)
	switch r.By {
	case "":
		return "all jobs"
	case report.BySize, report.ByGPUs:
		one, many := "processor", "processors"
		if r.By == report.ByGPUs {
			one, many = "GPU", "GPUs"
		}
		if r.To == 0 {
			return "jobs without GPUs"
		}
		if r.From == r.To {
			return "jobs of " + words.Count(r.From, one, many)
		}
		return "jobs of " + words.Int(r.From) + " to " + words.Int(r.To) + words.NB + many
	case report.ByPartition:
		for i, p := range a.Plan.Doc.Platform.Partitions {
			if p.Number == r.From || p.Number == 0 && int64(i+1) == r.From {
				return "jobs in " + p.Name
			}
		}
		return "jobs in partition " + number
	case report.ByQueue:
		return "jobs in queue " + number
	case report.ByAccount:
		return "jobs of account " + number
	case report.ByWeek:
		return "week " + words.Whole(r.From+1)
	}
	return "jobs of group " + number
}

// short is partName without the words that stand above it.
func (a *Answer) short(r *report.PaysRow) string {
	name := a.partName(r)
	switch {
	case r.From < 0:
		return "none stated"
	case r.By == report.BySize || r.By == report.ByGPUs:
		if r.From == r.To {
			return words.Int(r.From)
		}
		return words.Int(r.From) + " to " + words.Int(r.To)
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, "jobs in "), "jobs of ")
}

// kinds are what parts go by, with a heading each, in the order of the chart.
var kinds = []struct{ by, head string }{
	{report.ByPartition, "Partition"}, {report.ByQueue, "Queue"}, {report.BySize, "Processors of a job"}, {report.ByGPUs, "GPUs of a job"},
	{report.ByAccount, "Account"}, {report.ByGroup, "Group of users"}, {report.ByWeek, "Week"},
}

// CostLine says what the change costs and what an hour of it buys.
func (a *Answer) CostLine() string {
	p := a.main()
	c := p.Cost
	if c == nil || p.Nothing {
		return ""
	}
	r := &p.Rows[0]
	text, hours, unit := "", c.ProcHours, "processor hour"
	switch {
	case c.NodeHours != nil && *c.NodeHours != 0:
		hours, unit = *c.NodeHours, "node hour"
		text = costs(hours, unit) + ": " + words.Count(abs(*c.Nodes), "machine", "machines") + " for " + words.Dur(c.Hours*3600)
	case c.Processors != 0:
		text = costs(hours, unit) + ": " + words.Count(abs(c.Processors), "processor", "processors") + " for " + words.Dur(c.Hours*3600)
	default:
		hours = c.Taken
		text = words.Number(math.Abs(hours), 0) + " processor hours are taken"
		if hours < 0 {
			text = words.Number(-hours, 0) + " processor hours are given back"
		}
		return text + "."
	}
	if r.Told && hours > 0 && r.Difference < 0 {
		text += "; each saves " + words.Dur(-r.Difference*float64(r.Jobs)/hours) + " of waiting"
	}
	return text + "." + a.last()
}

func abs(n int64) int64 { return max(n, -n) }

func costs(hours float64, unit string) string {
	if hours < 0 {
		return "It gives back " + words.Number(-hours, 0) + " " + unit + "s"
	}
	return "It costs " + words.Number(hours, 0) + " " + unit + "s"
}

// last says what the last one of several machines still brings, where one less was asked
// about as well.
func (a *Answer) last() string {
	p := a.Plan
	if p.Sizes == nil {
		return ""
	}
	less, at := 0.0, -1
	for k, s := range p.Sizes {
		if s < 1 && s >= less && a.Pays[k] != nil {
			less, at = s, k
		}
	}
	if at < 1 {
		return ""
	}
	main, before := a.main().Rows[0].Difference, a.Pays[at].Rows[0].Difference
	return " With " + p.Cases[at].Name + " it would be " + words.Dur(math.Abs(before)) + " " + lessMore(before) + ": " + rest(p.Cases[p.Main].Name, p.Cases[at].Name) + " " + words.Dur(math.Abs(main-before)) + " " + lessMore(main-before) + "."
}

// rest names what one size of a change has more than another.
func rest(more, less string) string {
	a, errA := strconv.Atoi(sizeOf(more))
	b, errB := strconv.Atoi(sizeOf(less))
	if errA == nil && errB == nil && a-b == 1 {
		return "the last one brings"
	}
	return "the rest brings"
}

// Chip is a short remark beside the sentence.
type Chip struct {
	Text string
	Warn bool
}

// Chips say how sure it is.
func (a *Answer) Chips() (list []Chip) {
	p := a.main()
	r := &p.Rows[0]
	switch d := a.After[0].Run.Draws; {
	case d != nil && d.By == report.ByPhases && r.Pairs > 1:
		list = append(list, Chip{words.Count(r.Pairs, "pair", "pairs") + " over phases: medians with the least and the greatest, no interval", false})
	case d != nil && r.Pairs > 1:
		list = append(list, Chip{words.Count(r.Pairs, "pair", "pairs") + " on the same draws of " + d.By, false})
	case r.Pairs > 1:
		list = append(list, Chip{words.Count(r.Pairs, "pair", "pairs") + " on the same jobs", false})
	case r.Low != nil:
		list = append(list, Chip{"one log; the interval is estimated from it alone", false})
	case !p.Nothing:
		list = append(list, Chip{"one workload: no interval, only what happened in it", true})
	}
	if !p.Nothing && r.Pairs > 1 && r.Without != "" {
		list = append(list, Chip{"no interval: " + r.Without, true})
	}
	if p.Error != nil && !p.Nothing {
		off := words.Dur(*p.Error)
		if p.Within {
			list = append(list, Chip{"smaller than the error of the model: the simulated mean wait is " + off + " off the logged one", true})
		} else {
			list = append(list, Chip{"the simulated mean wait is " + off + " off the logged one, before and after alike", *p.Error > .05*r.Before})
		}
	}
	if !p.Alike {
		list = append(list, Chip{"the jobs are other ones after the change: single jobs are not compared", false})
	}
	return list
}

// Tile is a number with what it was.
type Tile struct{ Name, Value, Was string }

// Tiles are the numbers below the sentence.
func (a *Answer) Tiles() (list []Tile) {
	p := a.main()
	for _, m := range []struct{ key, name string }{{"mean-wait", "Mean wait"}, {"p90-wait", "9 of 10 wait at most"}, {"mean-bounded-slowdown", "Mean bounded slowdown"}, {"utilization", "Utilization"}} {
		row := catalog.FindMetric(m.key)
		d := metric.Between(a.Before, a.After, row)
		if d.N == 0 {
			continue
		}
		write := func(v float64) string {
			if row.Key == "utilization" {
				return words.Percent(v)
			}
			return words.Value(v, row.Unit)
		}
		was := "was " + write(d.Base)
		if d.Same {
			was = "as before"
		} else if word := d.Verdict(row); word == report.VerdictUnknown {
			was += ": " + word
		}
		list = append(list, Tile{m.name, write(d.Base + d.Mean), was})
	}
	if s := p.Shifts; s != nil {
		list = append(list, Tile{"Jobs of the log", words.Int(s.Later) + " later", words.Int(s.Earlier) + " earlier"})
	}
	return list
}

// paidCells are the rows of a table of who gains and who pays.
func (a *Answer) table() draw.Grid {
	g := draw.Grid{
		Head: []string{"Jobs", "Number", "Part of the work", "Before", "After", "Difference", "95 % interval", "Verdict"}, Left: 1,
		Units: []string{"by", "from", "to", "jobs", "work", "before_s", "after_s", "difference_s", "low_s", "high_s", "relative", "pairs", "verdict", "told"},
	}
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'f', -1, 64)
	}
	rows := a.main().Rows
	for i := range rows {
		r := &rows[i]
		name := a.partName(r)
		interval := words.None
		if r.Low != nil {
			interval = between(r)
		}
		g.Cells = append(g.Cells, []string{name, words.Int(r.Jobs), words.Percent(r.Work), words.Dur(r.Before), words.Dur(r.After), words.Signed(r.Difference, words.Dur), interval, r.Verdict})
		g.Raw = append(g.Raw, []string{r.By, strconv.FormatInt(r.From, 10), strconv.FormatInt(r.To, 10), strconv.Itoa(r.Jobs), number(&r.Work), number(&r.Before), number(&r.After), number(&r.Difference), number(r.Low), number(r.High), number(r.Relative), strconv.Itoa(r.Pairs), r.Verdict, strconv.FormatBool(r.Told)})
	}
	return g
}

// Others is the table of questions asked so far.
func (v *View) Others() draw.Grid {
	g := draw.Grid{Head: []string{"With", "Mean wait", "Difference", "Cost", "Who pays"}, Left: 1}
	for i := range v.Asked {
		a := &v.Asked[i]
		p := a.main()
		r := &p.Rows[0]
		difference := words.Signed(r.Difference, words.Dur)
		switch {
		case p.Nothing:
			difference = "nothing changes"
		case r.Low != nil && !r.Told:
			difference += ", no clear difference"
		case p.Within:
			difference += ", smaller than the model's error"
		}
		cost := "none"
		if c := p.Cost; c != nil {
			switch {
			case c.NodeHours != nil && *c.NodeHours != 0:
				cost = words.Number(*c.NodeHours, 0) + " node h"
			case c.Processors != 0:
				cost = words.Number(c.ProcHours, 0) + " processor h"
			default:
				cost = words.Number(c.Taken, 0) + " processor h taken"
			}
		}
		who := words.None
		if _, pays := a.extremes(); pays != nil {
			who = a.partName(pays)
		}
		g.Cells = append(g.Cells, []string{a.Plan.Name, words.Dur(r.After), difference, cost, who})
	}
	return g
}

// Payers is the table of the jobs that pay most.
func (a *Answer) Payers() draw.Grid {
	g := draw.Grid{Head: []string{"Job", "Waits, before", "Waits, after", "Later by"}, Units: []string{"job", "wait_before_s", "wait_after_s", "later_s"}}
	if s := a.main().Shifts; s != nil {
		for _, j := range s.Most {
			row := []string{words.Whole(j.Number)}
			raw := []string{strconv.FormatInt(j.Number, 10)}
			for _, t := range []int64{int64(j.Before - j.Submit), int64(j.After - j.Submit), int64(j.After - j.Before)} {
				row, raw = append(row, words.Dur(float64(t))), append(raw, strconv.FormatInt(t, 10))
			}
			g.Cells, g.Raw = append(g.Cells, row), append(g.Raw, raw)
		}
	}
	return g
}
