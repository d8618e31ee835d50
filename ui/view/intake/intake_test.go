package intake

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"batchlab/core/report"
)

// seen is a file with something of everything.
func seen() *Seen {
	return &Seen{
		File: "jobs.psv", Processors: 8,
		Jobs: &report.Import{
			Format: "sacct", Name: "Slurm accounting (sacct -P)", Rows: 11, Jobs: 9, PeakProcs: 12, BusyTo: 6000, Busy: []float64{24000, 0, 12000},
			Became: []report.Fate{{What: "completed", Count: 9}, {What: "steps <b>", Count: 2, Out: true}}, InArrays: 3, Arrays: 1, Depending: 1, Dependencies: map[string]int{"afterok": 1},
			Missing: []report.Missing{{What: "Eligible", Costs: "counts as waiting"}}, Assumed: []report.Assumed{{What: "The file's times state no zone", Taken: "taken as UTC", Choice: "zone"}, {What: "size", Taken: "taken as 12", Choice: "processors"}},
			Checks:     []report.Check{{Key: "negative-wait", What: "starts before its submission", Count: 7, Lines: []int{3, 5}}, {Key: "clock", What: "all times are of one clock"}, {Key: "pauses", What: "nothing ran", Count: 1}},
			Pauses:     []report.Pause{{From: 2000, To: 4000}},
			Partitions: []report.PartitionUse{{Number: 1, Name: "long <i>", Jobs: 9, Work: 100, Wait: 30, Asked: 60, Used: 50}},
		},
		Clean: report.Cleaning{Malformed: 1, Problems: []report.Problem{{Line: 1204, Name: "Submit", Text: "<script>", What: "is no time", Action: "row left out"}}},
		Machine: &report.Conf{Files: []string{"slurm.conf"}, Nodes: 2, Processors: 8, Groups: []report.ConfGroup{{Count: 2, Processors: 4, Memory: 1 << 30, Partitions: []int{0}, Away: 1}},
			Partitions: []report.ConfPartition{{Name: "long & short", Default: true}}, Unused: []report.Unused{{Line: 4, Key: "PriorityType", Costs: "jobs keep the order"}, {Line: 5, Key: "SlurmUser"}},
			QOS: []report.ConfQOS{{Name: "q", Limits: []report.Setting{{Name: "grptres", Value: "cpu=4"}}}}, Accounts: []report.ConfAccount{{Shares: 5}}, Scheduling: []report.Setting{{Name: "SchedulerType", Value: "sched/backfill", Line: 2}},
			Queue: &report.ConfQueue{Running: 1, Waiting: 2, Reasons: []report.Fate{{What: "Priority", Count: 2}}}},
		IsOutage: func(report.Pause) bool { return false },
	}
}

// Intent: the view says what a report holds, in words that one can look up in it, and
// what a file holds never becomes markup.
func TestHTML(t *testing.T) {
	v := seen()
	text := strings.ReplaceAll(HTML(v), "\u00a0", " ")
	for _, want := range []string{
		"9 jobs of", "read whole but for 1 row. 1 pause looks like an outage.", "2 to answer", // the zone and the pause: slurm.conf says the size
		"more processors were in use at once than the machine has: 12 of 8", "Starts before its submission", "lines 3, 5, …", "All times are of one clock",
		"Line 1,204, Submit", "&lt;script&gt;", "steps &lt;b&gt;", "long &lt;i&gt;", "long &amp; short", "No Eligible", "Which time zone does the cluster keep?", "Make it an outage",
		"Jobs keep the order", "1 further setting says nothing of schedules", "1.0 GiB", "(1 away)", "grptres cpu=4", "1 job run, 2 wait: Priority 2",
	} {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
			t.Errorf("%q is not said", want)
		}
	}
	v.IsOutage = func(report.Pause) bool { return true }
	if text := HTML(v); strings.Contains(text, "import-outages") || !strings.Contains(text, "1 to answer") {
		t.Error("an outage is offered again")
	}
	v.Jobs = nil
	if text := HTML(v); !strings.Contains(text, "and no jobs of it yet") || !strings.Contains(text, "sacct -a -X") {
		t.Error(text)
	}
	v = seen()
	v.Machine = nil
	v.Jobs.Zone = "Europe/Prague"
	if text := HTML(v); !strings.Contains(text, `value="Europe/Prague"`) || !strings.Contains(text, "slurm.conf") {
		t.Error(text)
	}
}

// Intent: what is written is well-formed: each element that is opened is closed.
func TestWellFormed(t *testing.T) {
	for name, v := range map[string]*Seen{"all": seen(), "machine alone": {Machine: seen().Machine}, "jobs alone": {Jobs: seen().Jobs, IsOutage: seen().IsOutage}} {
		text := HTML(v)
		for _, void := range []string{"input"} { // which HTML never closes
			for rest := text; ; {
				_, after, ok := strings.Cut(rest, "<"+void)
				if !ok {
					break
				}
				tag, _, _ := strings.Cut(after, ">")
				text, rest = strings.Replace(text, "<"+void+tag+">", "", 1), after
			}
		}
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}
