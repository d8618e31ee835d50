package draft

import (
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
)

// Licences, clusters and machines that get another name have it everywhere, and each
// list names it once: no form makes a fault by itself.
func TestRenamingMakesNoFault(t *testing.T) {
	s, _ := farmed(t)
	s.SetCell("groups", 0, "licences", "L1, cad, L1")
	s.SetCell("jobs", 0, "licences", "L1:2, cad")
	s.SetCell("jobs", 0, "on", "farm3, cluster-1")
	s.SetCell("outages", 0, "cluster", "farm")
	s.AddReservation("farm", 2, 0, 3600)
	if err := s.Settings.Validate(); err != nil {
		t.Fatal(err)
	}
	s.SetCell("licences", 0, "name", "cad")
	s.SetCell("clusters", 0, "name", "site")
	if err := s.Settings.Validate(); err != nil {
		t.Errorf("renaming made a fault: %v", err)
	}
	p, a := &s.Settings.Platform, &s.Settings.Workload.Annotate
	if got := p.Clusters[0].Groups[0].Licences; !slices.Equal(got, []string{"cad"}) {
		t.Errorf("machines have the licences %q", got)
	}
	if got := *a.Jobs[0].Licences; !slices.Equal(got, []string{"cad:2"}) {
		t.Errorf("the job needs the licences %q", got)
	}
	if got := *a.Jobs[0].On; !slices.Equal(got, []string{"site3", "cluster-1"}) {
		t.Errorf("the job runs on %q", got)
	}
	if p.Outages[0].Cluster != "site" || p.Reservations[0].Cluster != "site" || a.Eligible[0].On[0] != "site" {
		t.Errorf("left behind: outage on %q, reservation on %q, jobs on %q", p.Outages[0].Cluster, p.Reservations[0].Cluster, a.Eligible[0].On)
	}
}

// A new rule of needs asks for what the machines have; where they have nothing that
// could run short, there is no such rule to add, and the reason is said.
func TestNewNeedsAskForWhatIsThere(t *testing.T) {
	for _, c := range []struct {
		column, value string
		want          experiment.NeedRule
	}{
		{"gpus", "2", experiment.NeedRule{Share: 0.3, GPUs: 1}},
		{"memory", "64", experiment.NeedRule{Share: 0.3, Memory: 32e9}},
		{"disk", "100", experiment.NeedRule{Share: 0.3, Disk: 50e9}},
	} {
		s, _ := opened(t)
		s.SetMachines("list")
		if shown, _ := s.Sheet("needs"); !strings.Contains(shown.Full, "GPUs, memory or disk") || s.AddRow("needs") >= 0 {
			t.Errorf("a rule can be added though machines have nothing to ask for: %+v", shown)
		}
		s.details = true
		s.SetCell("groups", 0, c.column, c.value)
		if row := s.AddRow("needs"); row != 0 || s.Settings.Workload.Annotate.Needs[0] != c.want {
			t.Errorf("%s %s: row %d, %+v", c.column, c.value, row, s.Settings.Workload.Annotate.Needs)
		}
	}
}

// A choice that needs another value brings one along, with which the order stays
// what it was; and that value cannot be taken away while it is needed.
func TestChoicesBringWhatTheyNeed(t *testing.T) {
	for _, c := range []struct{ field, choice, needed, want string }{
		{"order", "mixed", "weights", "0, 0, 1"},
		{"order", "formula", "formula", "wait"},
		{"backfill", "mixed", "backfill-weights", "0, 0, 1"},
	} {
		s, _ := opened(t)
		i := slices.IndexFunc(s.Settings.Schedulers, func(one experiment.Scheduler) bool { return one.Key == "easy" })
		id := func(key string) string { return "sched." + string(rune('0'+i)) + "." + key }
		s.SetField(id(c.field), c.choice)
		in, _ := s.Input(id(c.needed))
		if err := s.Settings.Validate(); err != nil || in.Text != c.want || in.Error != "" {
			t.Errorf("%s %s: %v; %s is %q, %q", c.field, c.choice, err, c.needed, in.Text, in.Error)
		}
		s.SetField(id(c.needed), "")
		if in, _ = s.Input(id(c.needed)); in.Error == "" || strings.Contains(in.Error, "array") || s.Settings.Validate() != nil {
			t.Errorf("%s taken away: %q, %v", c.needed, in.Error, s.Settings.Validate())
		}
	}
}

// What reading the workload says is told in the words of the left column, with the
// field that it is about; no message shows a place of the document.
func TestFaultsInWords(t *testing.T) {
	for _, c := range []struct{ path, message, says, id, section, group string }{
		{"workload.annotate.licences[0]", `nobody has licence "x"`, `Licences by rule, row 1: nobody has licence "x"`, "rules.0.licence", "", "needs"},
		{"workload.annotate.needs[0].gpus", "no machine of the platform has GPUs", "GPUs, memory and disk, row 1, GPUs: no machine of the platform has GPUs", "needs.0.gpus", "", "needs"},
		{"workload.annotate.jobs[0].licences[0]", "too many", "Single jobs, row 1, Licences: too many", "jobs.0.licences", "", "needs"},
		{"platform.limits", "raise the limits, or leave such jobs out with workload.filter", "Limits: raise the limits, or leave such jobs out with the filter", "", "guards", "platform"},
		{"workload.scale.load", "too small", "Load ×: too small", "load", "filter", "workload"},
		{"needs.csv", "row 3: there is no job 9", "needs.csv: row 3: there is no job 9", "", "", ""},
	} {
		s, _ := farmed(t)
		s.Said, s.Unreadable, s.LoadError = []experiment.Error{{Path: c.path, Message: c.message}}, true, c.path+": "+c.message
		id, section, group := s.FaultField()
		if got := s.Says(); got != c.says || id != c.id || section != c.section || group != c.group {
			t.Errorf("%s: %q, at %q in %q of %q", c.path, got, id, section, group)
		}
		for _, f := range s.Faults() {
			for at := range f.Message {
				if pathAt(f.Message, at) != "" {
					t.Errorf("%q shows a place of the document", f.Message)
				}
			}
		}
	}
	s, _ := opened(t)
	s.SetField("sched.1.threshold", "soon")
	if id, _, group := s.FaultField(); id != "sched.1.threshold" || group != "schedulers" {
		t.Errorf("at %q of %q", id, group)
	}
}

// A new row about a single job is about one that there is.
func TestNewRowsNameJobsThatExist(t *testing.T) {
	s, _ := opened(t)
	s.AddRow("jobs")
	s.SetCell("jobs", 0, "job", "2000")
	s.AddRow("jobs")
	s.AddRow("jobs")
	jobs := s.Settings.Workload.Annotate.Jobs
	if jobs[1].Job != 1 || jobs[2].Job != 2 {
		t.Errorf("the %d jobs of the workload: rows for %d and %d", s.Preview.Jobs, jobs[1].Job, jobs[2].Job)
	}
}
