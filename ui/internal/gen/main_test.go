package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Intent: a component is generated with its static markup as nodes, a second
// run finds nothing to do, and -check names a stale, a missing and a left-over
// file.
func TestGenerateAndCheck(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ui")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("job-table.vugu", `<div><form><label>Seed</label><input></form></div>`)
	if stale, err := run(dir, true); err != nil || len(stale) != 1 || !strings.Contains(stale[0], "missing") {
		t.Fatalf("before: %v, %v", stale, err)
	}
	if stale, err := run(dir, false); err != nil || len(stale) != 0 {
		t.Fatalf("writing: %v, %v", stale, err)
	}
	code, err := os.ReadFile(filepath.Join(dir, "job-table_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(code), "*JobTable) Build") || strings.Contains(string(code), "InnerHTML") {
		t.Errorf("generated code does not build nodes of JobTable:\n%s", code)
	}
	if stale, err := run(dir, true); err != nil || len(stale) != 0 {
		t.Errorf("up to date: %v, %v", stale, err)
	}
	write("job-table.vugu", `<div><form><label>Seeds</label><input></form></div>`)
	write("old_gen.go", "package ui\n")
	stale, err := run(dir, true)
	if err != nil || len(stale) != 2 || !strings.Contains(stale[0], "not what") || !strings.Contains(stale[1], "no .vugu") {
		t.Errorf("stale and left over: %v, %v", stale, err)
	}
}

// Intent: what vugu writes out at every node becomes calls, with nothing lost:
// names and values of attributes, quotes in texts, events, components of a list.
func TestCompact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ui", "small-part.vugu")
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`<div>
  <a class="x y" title='say "no"' :href='c.Link' @click='c.Go("a")'>it's "so"</a> <b vg-content='c.N'></b>
  <ui:Field vg-for='_, id := range c.IDs' :ID='id'></ui:Field>
</div>`), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := generate(path, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`space(vgparent)`,
		`vgn = element(vgparent, "a\x00class\x00x y\x00title\x00say \"no\"")`,
		`attr(vgn, "href", c.Link)`,
		`on(vgn, "click", func(event vugu.DOMEvent) { c.Go("a") })`,
		`text(vgparent, "it's \"so\"")`,
		`text(vgparent, " ")`,
		`inner(vgn, c.N)`,
		`vgcomp := component[Field](vgin, 0x`,
		`use(vgout, vgparent, vgcomp)`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	for _, left := range []string{"DOMEventHandlerSpec{", "AddAttrInterface", "SetInnerHTML", "vgparent.AppendChild"} {
		if strings.Contains(string(got), left) {
			t.Errorf("%s is left", left)
		}
	}
}
