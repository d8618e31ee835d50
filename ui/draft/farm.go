package draft

import (
	"reflect"
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// sheets are the tables of the left column.
var sheets = []*sheet{&clusterSheet, &groupSheet, &licenceSheet, &ruleSheet, &eligibleSheet, &needSheet, &jobSheet, &bookingSheet, &outageSheet, &classSheet, &partitionSheet, &qosSheet, &accountSheet}

// acts are the buttons of sections by key.
var acts = map[string]func(*Draft){
	"machines.count":     func(s *Draft) { s.SetMachines("count") },
	"machines.generator": func(s *Draft) { s.SetMachines("generator") },
	"machines.list":      func(s *Draft) { s.SetMachines("list") },
	"react.off":          func(s *Draft) { s.SetReact(false) },
	"react.on":           func(s *Draft) { s.SetReact(true) },
	"machines.copy":      (*Draft).listMachines,
	"machines.more":      func(s *Draft) { s.details = true; s.board.Touch() },
	"machines.farm":      func(s *Draft) { s.useMachines("farm-machines") },
	"machines.cerit":     func(s *Draft) { s.useMachines("cerit-sc") },
	"guards.keep":        (*Draft).suit,
	"failures.off":       func(s *Draft) { s.SetFailures(false) },
	"failures.on":        func(s *Draft) { s.SetFailures(true) },
	"needs.other":        (*Draft).UseOtherNeeds,
	"grid.split":         (*Draft).SplitProviders,
	"grid.compare":       (*Draft).CompareAllocations,
	"grid.ask":           func(s *Draft) { s.host.ShowTab("plan") },
	"grid.pays":          func(s *Draft) { s.host.ShowTab("whatif.book.0..0.go") },
	"cases.off":          (*Draft).dropCases,
	"needs.drop": func(s *Draft) {
		s.Change(func(e *experiment.Experiment) { e.Workload.Annotate.File = nil })
	},
}

// Machines says how the platform is described: "count" a number of processors,
// "generator" machines drawn at random, "list" machines one by one.
func (s *Draft) Machines() string {
	switch p := &s.Settings.Platform; {
	case p.Generator != nil:
		return "generator"
	case len(p.Clusters) > 0:
		return "list"
	}
	return "count"
}

// SetMachines changes how the platform is described. A list begins with ten
// machines of eight processors.
func (s *Draft) SetMachines(kind string) {
	if kind == s.Machines() {
		return
	}
	s.forgetMachines()
	s.Change(func(e *experiment.Experiment) {
		e.Platform = e.Platform.Guards()
		e.Platform.PowerScales = s.Settings.Platform.PowerScales && kind != "count"
		switch kind {
		case "generator":
			e.Platform.Generator, _ = experiment.NewMachines(catalog.Machines[0].Key)
		case "list":
			e.Platform.Clusters = []experiment.Cluster{{Name: "farm", Packing: "machine", Groups: []experiment.NodeGroup{newGroup()}}}
		}
	})
}

func (s *Draft) forgetMachines() {
	for _, prefix := range []string{"machine.", "clusters.", "groups.", "licences."} {
		s.Forget(prefix)
	}
}

// useMachines lets a generator of the catalog make the machines.
func (s *Draft) useMachines(key string) {
	if g := s.Settings.Platform.Generator; g != nil && g.Key == key {
		return
	}
	s.forgetMachines()
	s.Change(func(e *experiment.Experiment) {
		power := e.Platform.PowerScales
		e.Platform = e.Platform.Guards()
		e.Platform.PowerScales = power
		e.Platform.Generator, _ = experiment.NewMachines(key)
	})
}

func newGroup() experiment.NodeGroup { return experiment.NodeGroup{Count: 10, Processors: 8, Speed: 1} }

func (s *Draft) canList() bool {
	site := s.host.Drawn()
	return site != nil && len(site.Machines) > 0 && len(site.Machines) <= experiment.MaxGroups && len(site.Licences) <= experiment.MaxLicences
}

// listMachines lists the machines that were drawn, neighbours that are alike
// as one group.
func (s *Draft) listMachines() {
	if !s.canList() {
		return
	}
	site := s.host.Drawn()
	s.Forget("machine.")
	s.Change(func(e *experiment.Experiment) {
		p := e.Platform.Guards()
		p.PowerScales = e.Platform.PowerScales
		for _, m := range site.Machines {
			if n := len(p.Clusters); n == 0 || p.Clusters[n-1].Name != m.Cluster {
				packing := m.Packing
				if packing == "" {
					packing = "machine"
				}
				p.Clusters = append(p.Clusters, experiment.Cluster{Name: m.Cluster, Packing: packing})
			}
			c := &p.Clusters[len(p.Clusters)-1]
			next := experiment.NodeGroup{Count: 1, Processors: int64(m.Procs), Speed: m.Power, Memory: m.Mem, Disk: m.Disk, GPUs: int64(m.GPUs),
				Licences: slices.Clone(m.Licences), Properties: slices.Clone(m.Properties)}
			if n := len(c.Groups); n > 0 {
				same := c.Groups[n-1]
				same.Count = 1
				if reflect.DeepEqual(same, next) {
					c.Groups[n-1].Count++
					continue
				}
			}
			c.Groups = append(c.Groups, next)
		}
		for _, l := range site.Licences {
			if l.Copies > 0 {
				p.Licences = append(p.Licences, experiment.Licence{Name: l.Name, Copies: int64(l.Copies)})
			}
		}
		e.Platform = p
	})
}

// machinesSection is what the group Platform says of machines and licences.
func machinesSection(s *Draft) Section {
	kind := s.Machines()
	out := Section{Key: "machines", Title: "Machines and licences", Sum: map[string]string{"count": "processors only", "generator": "a generated farm", "list": "a list"}[kind]}
	act := func(key, name, help string) Act {
		return Act{Key: "machines." + key, Name: name, Help: help, Pressed: kind == key}
	}
	out.Items = []Item{{Label: "Machine", Choices: []Act{
		act("count", "Processors", "One machine of interchangeable processors"),
		act("list", "Listed", "Clusters of machines, each described"),
		act("generator", "Generated", "Machines and licences drawn at random for each repeat, or those of a known site"),
	}}}
	switch kind {
	case "generator":
		of := func(key, short string) Act {
			row := catalog.FindMachines(key)
			return Act{Key: "machines." + short, Name: row.Name, Help: row.Help, Pressed: s.Settings.Platform.Generator.Key == key}
		}
		out.Items = append(out.Items, Item{Label: "Generator of machines", Choices: []Act{of("farm-machines", "farm"), of("cerit-sc", "cerit")}})
		if s.Settings.Platform.Generator.Key == "cerit-sc" {
			out.Sum = "zewura and zegox"
		}
		out.Items = append(out.Items, s.shown("platform.generator.params")...)
		if s.canList() {
			out.Items = append(out.Items, Item{Acts: []Act{{Key: "machines.copy", Name: "List these machines", Help: "Makes a list of the machines and licences that were drawn for the repeat on show, to change them one by one"}}})
		}
	case "list":
		out.Items = append(out.Items, Item{Sheet: "clusters"}, Item{Sheet: "groups"}, Item{Acts: []Act{{Key: "machines.more", Name: "GPUs, disk, properties", Disabled: s.showsDetails(),
			Help: "Shows what else machines have, and jobs may ask for"}}}, Item{Sheet: "licences"})
	default:
		return out
	}
	out.Items = append(out.Items, Item{Field: "power-scales"})
	for _, f := range s.Faults() {
		if f.Path == "platform" || f.Path == "platform.clusters" || f.Path == "platform.generator" || f.Path == "platform.licences" || strings.HasPrefix(f.Path, "platform.clusters[") && strings.HasSuffix(f.Path, "].groups") {
			out.Items = append(out.Items, Item{Fault: f.Message})
		}
	}
	return out
}

// needsSection is what jobs need beyond what a log states.
func needsSection(s *Draft) Section {
	a := &s.Settings.Workload.Annotate
	out := Section{Key: "needs", Title: "Deadlines, licences, weights", Sum: needsSum(a)}
	due := s.shown("workload.annotate.deadlines")
	if a.Deadlines.Share == 0 {
		due = due[:1:1]
		if a.File != nil || a.Stops() || slices.ContainsFunc(a.Jobs, func(j experiment.Annotation) bool { return j.Due != nil }) {
			due = append(due, Item{Field: "due.on_due"})
		}
	}
	out.Items = slices.Concat(due, s.shown("workload.annotate.weights"), s.shown("workload.annotate.setup"))
	out.Items = append(out.Items, Item{Sheet: "rules"}, Item{Sheet: "eligible"}, Item{Sheet: "needs"}, Item{Sheet: "jobs"})
	if f := a.File; f != nil {
		out.Items = append(out.Items, Item{Text: f.Name + ", " + words.Bytes(f.Size) + ": what it says of a job replaces what rules gave it."},
			Item{Acts: []Act{{Key: "needs.file", Name: "Another file"}, {Key: "needs.drop", Name: "Remove"}}})
	} else {
		out.Items = append(out.Items, Item{Acts: []Act{{Key: "needs.file", Name: "A file of needs …", Help: "CSV with the column job and some of due, licences, weight, setup, on, gpus, memory, disk, or JSON; dropping it on the page does the same"}}})
	}
	if l := s.OtherNeeds(); l != nil {
		out.Items = append(out.Items, Item{Acts: []Act{{Key: "needs.other", Name: "Use " + l.Name + " all the same"}}})
	}
	for _, f := range s.Faults() {
		if rest, ok := strings.CutPrefix(f.Path, "workload.annotate"); ok && !strings.HasPrefix(rest, ".licences[") && !strings.HasPrefix(rest, ".jobs[") && !strings.HasPrefix(rest, ".deadlines") && !strings.HasPrefix(rest, ".reservations") &&
			!strings.HasPrefix(rest, ".weights") && !strings.HasPrefix(rest, ".setup") && !strings.HasPrefix(rest, ".eligible[") && !strings.HasPrefix(rest, ".needs[") {
			out.Items = append(out.Items, Item{Fault: f.Message})
		} else if a.File != nil && f.Path == a.File.Name {
			out.Items = append(out.Items, Item{Fault: f.Path + ": " + f.Message})
		}
	}
	return out
}

// needsSum is "70 % with a deadline, 1 licence rule".
func needsSum(a *experiment.Annotate) string {
	var parts []string
	if a.Deadlines.Share > 0 {
		parts = append(parts, words.Percent(a.Deadlines.Share)+" due")
	}
	if a.Weights.Max != 1 || a.Weights.Min != 1 {
		parts = append(parts, "weights")
	}
	if a.Setup.Max > 0 {
		parts = append(parts, "set-up")
	}
	if n := len(a.Licences) + len(a.Eligible) + len(a.Needs); n > 0 {
		parts = append(parts, words.Count(n, "rule", "rules"))
	}
	if n := len(a.Jobs); n > 0 {
		parts = append(parts, words.Count(n, "job", "jobs"))
	}
	if a.File != nil {
		parts = append(parts, a.File.Name)
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
