package ui

import (
	"slices"
	"testing"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/state"
)

// Intent: a view is one row: tab, small print, panel and its elements come from
// it, it can be opened, and while it has nothing to show there
// is no tab and the first view stands in its place.
func TestViewIsARow(t *testing.T) {
	there := true
	own := views
	views = append(own[:len(own):len(own)], view{Room: &draw.Room{Key: "echo", Name: "Echo",
		Shown: func(*state.Store) bool { return there }, Count: func(*state.Store) string { return "73" },
		Parts: []draw.Part{{Island: "echo"}, {Island: "echo-below", Class: func(*state.Store) string { return "low" }, Hidden: func(*state.Store) bool { return true }}}}})
	furnish()
	defer func() { views = own; furnish() }()
	root, _ := page(t)
	root.P.S.ShowTab("echo")
	out := html(t, root)
	has(t, out, `aria-selected="true" id="tab-echo"`, "Echo", ">73<", `id="panel-echo"`, `class="island full" data-island="echo"`, `class="island low" data-island="echo-below" hidden`)
	there = false
	out = html(t, root)
	lacks(t, out, `id="tab-echo"`)
	has(t, out, `aria-selected="true" id="tab-overview"`)
}

// Intent: keys of tabs and names of elements are known once: links and scripts
// use the first, drawings are found by the second.
func TestViewsStandApart(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range views {
		for _, name := range append([]string{"tab " + v.Key}, islands(v.Room)...) {
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
		}
		if v.Key == "" || v.Name == "" || len(v.Parts) == 0 && v.Markup == nil {
			t.Errorf("%+v lacks something", v.Room)
		}
	}
}

func islands(r *draw.Room) (names []string) {
	for _, p := range r.Parts {
		names = append(names, "island "+p.Island)
	}
	return names
}

// Intent: the tab of what varies is there once something does, and the number
// keys of the views that are always there stay when it comes.
func TestTabOfWhatVaries(t *testing.T) {
	root, _ := page(t)
	p := root.P
	keys := func() (list []string) {
		for n := 1; p.numbered(n) != nil; n++ {
			list = append(list, p.numbered(n).Key)
		}
		return list
	}
	lacks(t, html(t, root), `id="tab-vary"`)
	before := keys()
	if len(before) < 8 || before[0] != "overview" || !slices.Contains(before, "plan") {
		t.Fatal(before)
	}
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}],"vary":[{"path":"seed","values":[1,2]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p.S.Change(func(e *experiment.Experiment) { e.Vary = doc.Vary })
	has(t, html(t, root), `id="tab-vary"`)
	if after := keys(); !slices.Equal(after, append(slices.Clip(before), "vary")) {
		t.Error(after)
	}
}
