package intake

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"batchlab/core/report"
	"batchlab/ui/draw"
)

// seen is a file with something of everything.
func seen() *Seen {
	return &Seen{
		File: "jobs.psv", Processors: 8,
		Jobs: &report.Import{
			Format: "sacct", Name: "Slurm accounting (sacct -P)", Rows: 11, Jobs: 9, PeakProcs: 12, BusyTo: 6000, Busy: []float64{24000, 0, 12000},
			Became: []report.OutcomeCount{{What: "completed", Count: 9}, {What: "steps <b>", Count: 2, Out: true}}, InArrays: 3, Arrays: 1, Depending: 1, Dependencies: map[string]int{"afterok": 1},
			Missing: []report.Missing{{What: "Eligible", Costs: "counts as waiting"}}, Assumed: []report.Assumed{{What: "The file's times state no zone", Taken: "taken as UTC", Choice: "zone"}, {What: "size", Taken: "taken as 12", Choice: "processors"}},
			Checks:     []report.Check{{Key: "negative-wait", What: "starts before its submission", Count: 7, Lines: []int{3, 5}}, {Key: "clock", What: "all times are of one clock"}, {Key: "pauses", What: "nothing ran", Count: 1}},
			Pauses:     []report.Pause{{From: 2000, To: 4000}},
			Partitions: []report.PartitionUse{{Number: 1, Name: "long <i>", Jobs: 9, Work: 100, Wait: 30, Asked: 60, Used: 50}},
		},
		Clean: report.Cleaning{Malformed: 1, Problems: []report.Problem{{Line: 1204, Name: "Submit", Text: "<script>", What: "is no time", Action: "row left out", Before: "…|5|", After: "|6|…"}}},
		Machine: &report.Conf{Files: []string{"slurm.conf"}, Nodes: 2, Processors: 8, Groups: []report.ConfGroup{{Count: 2, Processors: 4, Memory: 1 << 30, Partitions: []int{0}, Away: 1}},
			Partitions: []report.ConfPartition{{Name: "long & short", Default: true}}, Unused: []report.Unused{{Line: 4, Key: "PriorityType", Costs: "jobs keep the order"}, {Line: 5, Key: "SlurmUser"}},
			QOS: []report.ConfQOS{{Name: "q", Limits: []report.Setting{{Name: "grptres", Value: "cpu=4"}}}}, Accounts: []report.ConfAccount{{Shares: 5}}, Scheduling: []report.Setting{{Name: "SchedulerType", Value: "sched/backfill", Line: 2}},
			Queue: &report.ConfQueue{Running: 1, Waiting: 2, Reasons: []report.OutcomeCount{{What: "Priority", Count: 2}}}},
		IsOutage: func(report.Pause) bool { return false },
	}
}

// Intent: the view says what a report holds, in words that one can look up in it, and
// what a file holds never becomes markup.
func TestHTML(t *testing.T) {
	v := seen()
	text := strings.ReplaceAll(string(HTML(v)), "\u00a0", " ")
	for _, want := range []string{
		"9 jobs of", "read whole but for 1 row. 1 pause looks like an outage.", "2 to answer", // the zone and the pause: slurm.conf says the size
		"more processors were in use at once than the machine has: 12 of 8", "Starts before its submission", "lines 3, 5, …", "All times are of one clock",
		"Line 1,204, Submit", "<code>…|5|<mark>&lt;script&gt;</mark>|6|…</code>", `<i style="width:100%"></i><b style="width:83%"></b>`, "steps &lt;b&gt;", "long &lt;i&gt;", "long &amp; short", "No Eligible", "Which time zone does the cluster keep?", "Make it an outage",
		"Jobs keep the order", "1 further setting says nothing of schedules", "1.0 GiB", "(1 away)", "grptres cpu=4", "1 job run, 2 wait: Priority 2",
	} {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
			t.Errorf("%q is not said", want)
		}
	}
	v.IsOutage = func(report.Pause) bool { return true }
	if text := HTML(v); strings.Contains(string(text), "import-outages") || !strings.Contains(string(text), "1 to answer") {
		t.Error("an outage is offered again")
	}
	v.Jobs = nil
	if text := HTML(v); !strings.Contains(string(text), "and no jobs of it yet") || !strings.Contains(string(text), "sacct -a -X") {
		t.Error(text)
	}
	v = seen()
	v.Machine = nil
	v.Jobs.Zone = "Europe/Prague"
	if text := HTML(v); !strings.Contains(string(text), `value="Europe/Prague"`) || !strings.Contains(string(text), "slurm.conf") {
		t.Error(text)
	}
}

// asking is a table of which not everything is known.
func asking() *Seen {
	t := &report.Table{Why: "no column looks like the time of submission", Columns: []report.TableColumn{{Name: "Who <b>", Values: []string{"ann", "bob & co"}}, {Name: "cpus", Values: []string{"4", ""}}}}
	for i := range asked + 2 {
		t.Wanted = append(t.Wanted, report.Wanted{Key: string(rune('a' + i)), What: "Thing", Column: -1})
	}
	t.Wanted[1].Column = 1
	return &Seen{Table: t, TableName: "jobs.csv", IsOutage: func(report.Pause) bool { return false }}
}

// Intent: a table whose columns are not known is shown with its first rows and a choice
// beside each thing that is wanted, preset with the guess, and what is missing is said;
// what is rarely there stands behind a press, unless it was guessed. One that could be
// read offers to say otherwise.
func TestColumnsAreAsked(t *testing.T) {
	v := asking()
	text := HTML(v)
	for _, want := range []string{"<b>jobs.csv</b>", "No column looks like the time of submission.", `<select class="input" data-column="b"><option value="">–</option><option value="Who &lt;b&gt;">Who &lt;b&gt;, ann</option><option value="cpus" selected="selected">cpus, 4</option>`, "<td>bob &amp; co</td>", "<summary>Further columns"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if strings.Count(string(text), "<select") != len(v.Table.Wanted) || strings.Count(string(text), ` selected="`) != 1 || strings.Contains(string(text), `open="open"`) || strings.Contains(string(text), "no jobs of it yet") {
		t.Error(text)
	}
	if v.More = 2; !strings.Contains(string(HTML(v)), "After this one 2\u00a0tables more") {
		t.Error("further tables are not told: ", HTML(v))
	}
	v.Table.Wanted[asked].Column = 0
	if !strings.Contains(string(HTML(v)), `open="open"`) {
		t.Error("a guess is hidden")
	}
	v = seen()
	v.Jobs.Assumed = append(v.Jobs.Assumed, report.Assumed{What: "told by their names", Choice: "columns"})
	if text := HTML(v); !strings.Contains(string(text), "import-ask-columns") {
		t.Error("nothing is offered")
	}
	v.Table = asking().Table
	if text := HTML(v); strings.Contains(string(text), "import-ask-columns") || !strings.Contains(string(text), "import-columns") {
		t.Error("what is asked is offered")
	}
}

// Intent: what is written is well-formed: each element that is opened is closed.
func TestWellFormed(t *testing.T) {
	for name, v := range map[string]*Seen{"all": seen(), "columns": asking(), "machine alone": {Machine: seen().Machine}, "jobs alone": {Jobs: seen().Jobs, IsOutage: seen().IsOutage}} {
		text := HTML(v)
		for _, void := range []string{"input"} { // which HTML never closes
			for rest := text; ; {
				_, after, ok := strings.Cut(string(rest), "<"+void)
				if !ok {
					break
				}
				tag, _, _ := strings.Cut(after, ">")
				text, rest = draw.Markup(strings.Replace(string(text), "<"+void+tag+">", "", 1)), draw.Markup(after)
			}
		}
		d := xml.NewDecoder(strings.NewReader(string(text)))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}
