package custom

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"batchlab/core/catalog"
	"batchlab/core/model"
	"batchlab/core/sim"
)

var update = flag.Bool("update", false, "write the reference of docs/your-own-scheduler.md anew")

// rich is a platform that has something of everything that a program can look at.
func rich() (*model.Workload, *model.Platform) {
	p := &model.Platform{
		Clusters: []model.Cluster{{Name: "a", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 4, Speed: 1, Licences: []string{"cad"}}}}},
		Licences: []model.Licence{{Name: "cad", Copies: 2}},
		Calendar: []model.CalendarEntry{{Kind: model.KindOutage, Name: "repair", From: 50, To: 60, Nodes: []int32{1}}},
		Limits:   model.Limits{UserProcs: 8, Classes: []model.LimitClass{{LongerThan: 10, Share: 1}}},
	}
	w := &model.Workload{
		Jobs:    []model.Job{{Number: 1, Limit: 20, Procs: 2, Demand: 1}, {Number: 2, Submit: 5, Limit: 20, Procs: 8}},
		Truth:   []model.Truth{{Run: 10}, {Run: 10}},
		Demands: []model.Demand{{Licences: []model.LicenceNeed{{Copies: 1}}}},
	}
	return w, p
}

// Every name of the catalog's table is known to the code, and every name that the
// code knows stands in the table: so completion and reference say what there is.
func TestWordsAreThere(t *testing.T) {
	table := map[string][]string{}
	for _, w := range catalog.CustomWords {
		table[w.Of] = append(table[w.Of], w.Name)
	}
	code := map[string][]string{"": slices.Clone(own), "job": slices.Clone(jobWords)}
	w, p := rich()
	program, faults := Compile("def decide(s):\n    for job in s.queue:\n        s.start(job)\n")
	if program == nil {
		t.Fatal(faults)
	}
	d := New(program).(*Decider)
	var m sim.Simulator
	if _, err := m.Run(w, p, d, sim.Options{Watch: func(v *sim.View) bool {
		code["s"] = d.s.AttrNames()
		v.Bookings = sim.BookingsOf([]sim.Booking{{Claim: model.Claim{Parts: []model.Part{{Procs: 1}}}}})
		parts := func(kind string, v any) {
			r := v.(*record)
			if r.kind != kind {
				t.Errorf("a %s is called %s", kind, r.kind)
			}
			code[kind] = r.AttrNames()
		}
		parts("cluster", d.clusters()[0])
		parts("node", d.nodes()[0])
		parts("licence", d.licences()[0])
		if v.Now < 50 {
			parts("outage", d.outages()[0])
		}
		parts("reservation", d.reserved()[0])
		parts("limits", d.limits())
		classes, _ := d.limits().(*record).Attr("classes")
		parts("limit", classes.(*starlark.List).Index(0))
		v.Bookings = nil
		return true
	}}); err != nil {
		t.Fatal(err)
	}
	for _, of := range catalog.CustomValues {
		a, b := table[of.Of], code[of.Of]
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("%q: the table has %v, the code %v", of.Of, a, b)
		}
		delete(table, of.Of)
		delete(code, of.Of)
	}
	if len(table)+len(code) > 0 {
		t.Errorf("not described: %v %v", table, code)
	}
	for name := range numeric {
		if costly[name] || byKey[name] || name == "append" {
			t.Errorf("%s is a method of the language's values, too: its result cannot be taken for a number", name)
		}
	}
	for _, e := range catalog.CustomEntries {
		if _, known := entries[e.Name]; !known && e.Name != "backfill" {
			t.Errorf("programs cannot define %s", e.Name)
		}
	}
	if catalog.MaxCode != MaxCode {
		t.Error("the lengths of a program differ")
	}
}

// reference writes the tables of docs/your-own-scheduler.md.
func reference() string {
	var b strings.Builder
	row := func(w *catalog.Word) {
		name := w.Name
		if w.Of != "" {
			name = w.Of + "." + name
		}
		fmt.Fprintf(&b, "- `%s%s` (%s): %s\n", name, w.Args, w.Kind, strings.TrimSuffix(w.Help, "."))
	}
	b.WriteString("### What a program defines\n\n")
	for i := range catalog.CustomEntries {
		row(&catalog.CustomEntries[i])
	}
	for _, of := range catalog.CustomValues {
		title := "`" + of.Of + "`"
		if of.Of == "" {
			title = "Functions"
		}
		if of.Of == "cluster" { // and all that follow, which are small
			b.WriteString("\n### Parts of the platform\n\n")
		}
		if of.Of != "" && of.Of != "s" && of.Of != "job" {
			fmt.Fprintf(&b, "- %s. %s", title, of.Help)
			for i := range catalog.CustomWords {
				if w := &catalog.CustomWords[i]; w.Of == of.Of {
					fmt.Fprintf(&b, " `%s` (%s): %s", w.Name, w.Kind, w.Help)
				}
			}
			b.WriteString("\n")
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n", title, of.Help)
		for i := range catalog.CustomWords {
			if w := &catalog.CustomWords[i]; w.Of == of.Of {
				row(w)
			}
		}
	}
	fmt.Fprintf(&b, "\n### Bounds\n\nAt most:\n\n")
	for _, r := range []struct {
		what string
		n    int
	}{
		{"characters of a program", MaxCode}, {"steps of one call", MaxCallSteps}, {"steps of a run", MaxRunSteps},
		{"characters of a text", maxText}, {"elements of a list, tuple, dict or set", maxItems}, {"bits of a whole number", maxBits},
		{"values that a program keeps from call to call", maxHeld}, {"values that are compared or printed at once", maxWeight},
		{"brackets within brackets", maxNesting}, {"words and signs of one statement", maxTokens}, {"functions", maxFunctions},
		{"notes of a run", maxNotes}, {"characters of a note", maxSaid}, {"printed lines of a run", maxPrints},
	} {
		fmt.Fprintf(&b, "- %s %s\n", grouped(r.n), r.what)
	}
	return b.String()
}

// The reference in docs/your-own-scheduler.md is made from the code; with -update it
// is rewritten.
func TestReference(t *testing.T) {
	const path, begin, end = "../../docs/your-own-scheduler.md", "<!-- reference -->\n\n", "\n<!-- end of reference -->"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	have, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("the marks of the reference are gone")
	}
	want := reference()
	switch {
	case have == want:
	case *update:
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the reference is not as the code says: go test ./core/custom -run TestReference -update")
	}
}
